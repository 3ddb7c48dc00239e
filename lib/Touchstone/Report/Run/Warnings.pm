# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Warnings - what a reader must know before the scores, and what else there is to know, by
# weight. What makes a run not valid, or cut it short, is a banner; failures, skipped tests and warnings that
# matter are a list; notes, which a run of an ordinary machine has too, are folded:
#
#   Not valid: 204 of 206 passes were disturbed by other processes. Run it again on an idle machine.
#
#   Failed: pipe with 1 copy: exit status 3
#   What to do: ...
#
#   > 3 notes: load-average, locale, passes
package Touchstone::Report::Run::Warnings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(many);
use Touchstone::Report::Notes;
use Touchstone::Report::Render::Html qw(folded text);

our $CSS = <<'CSS';
.banner b { color: var(--bad); }
.trouble { padding-left: 0; list-style: none; max-width: 60rem; }
.trouble li { margin: .5rem 0; padding-left: .7rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.trouble .failed { border-color: var(--bad); }
.trouble p { margin: .1rem 0; }
.trouble .failed b { color: var(--bad); }
CSS

# More items than these would push the results off the first screen.
my $SHOWN = 4;

# A fold names so many notes.
my $NAMED = 6;

my %WORD = (failed => 'Failed', skipped => 'Skipped', warning => 'Warning', note => 'Note');

# What makes the scores not valid, or incomplete; nothing for a good run.
sub banner {
    my ($model) = @_;
    return join '', _void($model), _unfinished($model);
}

sub _void {
    my ($model) = @_;
    my $void    = $model->{void} or return '';
    my @remedy  = map { Touchstone::Report::Notes::without_log($_) } $void->{remedy} // ();
    my $passes =
        (grep { $_->{id} eq 'disturbed' } @{ $void->{reasons} }) ? ' <a href="#passes">Which passes</a>' : '';
    return join '', qq{<div class="banner">\n<p><b>Not valid:</b> }, text(_sentence($void->{text})),
        "$passes</p>\n", (map { '<p>What to do: ' . text($_) . "</p>\n" } @remedy), "</div>\n";
}

# A duet cannot be resumed, and neither can a run that still goes on.
sub _unfinished {
    my ($model) = @_;
    return '' if !defined $model->{unfinished};
    my ($how, $rest) = split /: /, $model->{unfinished}, 2;
    my $resumes = ($model->{status} // '') eq 'stopped' && ($model->{purpose} // '') ne 'duet';
    return join '', qq{<div class="banner">\n<p><b>}, text($how),
        (defined $rest ? (':</b> ', text("$rest.")) : '.</b>'), "</p>\n",
        ($resumes ? '<p>What to do: ' . text("--resume $model->{name} measures the rest.") . "</p>\n" : ()),
        "</div>\n";
}

sub _sentence { return ucfirst $_[0] =~ s/[^.]\K\z/./r }

# The list of what matters, for the place above the results.
sub html {
    my ($model) = @_;
    my @groups = map { _item($_) } @{ Touchstone::Report::Notes::of($model)->{grave} };
    return '' if !@groups;
    my @more = splice @groups, $SHOWN if @groups > $SHOWN + 1;
    return _list(@groups) . (@more ? folded(@more . ' more', _list(@more)) : '');
}

# The folded notes.
sub notes {
    my ($model) = @_;
    my @groups = @{ Touchstone::Report::Notes::of($model)->{light} } or return '';
    return folded(text(title($model) . ': ' . _names(@groups)), _list(map { _item($_) } @groups));
}

# "3 notes"
sub title {
    my ($model) = @_;
    my $many = map { @{ $_->{texts} } } @{ Touchstone::Report::Notes::of($model)->{light} } or return undef;
    return many($many, 'note');
}

sub _names {
    my (@groups) = @_;
    my %seen;
    my @names = grep { !$seen{$_}++ } map { @{ $_->{ids} } } @groups;
    my @more  = splice @names, $NAMED if @names > $NAMED;
    return join ', ', @names, @more ? '...' : ();
}

sub _list { return qq{<ul class="trouble">\n} . join('', @_) . "</ul>\n" }

sub _item {
    my ($group) = @_;
    my $word = $WORD{ $group->{kind} };
    return join '', qq{<li class="$group->{kind}">\n},
        (map { ("<p><b>$word:</b> ", text($_), "</p>\n") } @{ $group->{texts} }),
        (defined $group->{remedy} ? '<p>What to do: ' . text($group->{remedy}) . "</p>\n" : ()),
        _output(@{ $group->{output} }), "</li>\n";
}

sub _output {
    my (@lines) = @_;
    return if !@lines;
    return folded('What it printed', '<pre>' . join("\n", map { text($_) } @lines) . "</pre>\n");
}

1;
