# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html::Trouble - what was wrong in a run, with remedies, and the last words of programs that failed:
#
#   Stopped before its end: nothing with 2 copies
#   Failed: pipe with 1 copy: exit status 3
#   Remedy: ...
package Touchstone::Report::Html::Trouble;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Page::Markup qw(text folded);

our $CSS = <<'CSS';
.trouble { padding-left: 0; list-style: none; }
.trouble li { margin: .5rem 0; padding-left: .7rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.trouble .failed { border-color: var(--bad); }
.trouble p { margin: .1rem 0; }
.trouble .failed b { color: var(--bad); }
CSS

# A kind of trouble has its key of the model, its class and its word.
my @KINDS = (
    [ failures => 'failed',  'Failed' ],
    [ skipped  => 'skipped', 'Skipped' ],
    [ warnings => 'warning', 'Warning' ]
);

# Some remedies name the log, but the page has the same information.
my %HERE = (disturbed => [ qr/\Athe log names them\b/ => 'remarks under Passes name them' ]);

sub html {
    my ($model) = @_;
    my @items = map {
        my ($kind, $class, $word) = @$_;
        map { _item($class, $word, @$_) } _by_remedy(@{ $model->{$kind} })
    } @KINDS;
    unshift @items, _unfinished($model) if defined $model->{unfinished};
    return @items ? qq{<ul class="trouble">\n} . join('', @items) . "</ul>\n" : '';
}

# A duet cannot be resumed, and neither can a run that still goes on.
sub _unfinished {
    my ($model) = @_;
    my ($how, $rest) = split /:/, $model->{unfinished}, 2;
    my $resumes = ($model->{status} // '') eq 'stopped' && ($model->{purpose} // '') ne 'duet';
    return join '', qq{<li class="failed">\n<p><b>}, text($how),
        (defined $rest ? (':</b>', text($rest)) : '</b>'), "</p>\n",
        ($resumes ? '<p class="dim">Remedy: ' . text("--resume $model->{name} goes on") . "</p>\n" : ()),
        "</li>\n";
}

# Troubles with the same remedy are grouped where the first of them is.
sub _by_remedy {
    my (@troubles) = @_;
    my (%with, @groups);
    for my $trouble (@troubles) {
        my $known = defined $trouble->{remedy} ? $with{ $trouble->{remedy} } : undef;
        if ($known) { push @$known, $trouble; next }
        push @groups, [$trouble];
        $with{ $trouble->{remedy} } = $groups[-1] if defined $trouble->{remedy};
    }
    return @groups;
}

sub _item {
    my ($class, $word, @troubles) = @_;
    my $remedy = _remedy($troubles[0]);
    return join '', qq{<li class="$class">\n},
        (map { ("<p><b>$word:</b> ", text($_->{short} // $_->{text}), "</p>\n", _output($_)) } @troubles),
        (defined $remedy ? '<p class="dim">Remedy: ' . text($remedy) . "</p>\n" : ()), "</li>\n";
}

sub _remedy {
    my ($trouble) = @_;
    my ($words, $here) = @{ $HERE{ $trouble->{id} // '' } || [] } or return $trouble->{remedy};
    return defined $trouble->{remedy} ? $trouble->{remedy} =~ s/$words/$here/r : undef;
}

sub _output {
    my ($trouble) = @_;
    my @lines = @{ $trouble->{output} || [] } or return;
    return folded('What it printed', '<pre>' . join("\n", map { text($_) } @lines) . "</pre>\n");
}

1;
