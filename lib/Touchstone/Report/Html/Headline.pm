# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html::Headline - what a page says first: the index of each copy count, and what it means in a
# sentence:
#
#   Stopped before its end: nothing with 2 copies.
#
#   1782  +- 0.6 %, 1771 to 1793
#   1 copy
#
#   With 1 copy this machine has the index 1782 (1771 to 1793): 178 times George (a SPARCstation 20-61 with
#   128 MB of RAM, a SPARC Storage Array and Solaris 2.3), whose index is 10. With 2 copies 3390 (3370 to
#   3410): 1.90 times as much.
package Touchstone::Report::Html::Headline;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(shown sureness three_digits);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Beside;
use Touchstone::Report::Page::Markup qw(text);
use Touchstone::Suite;

our $CSS = <<'CSS';
.unfinished { color: var(--bad); font-weight: 600; }
.indexes { display: flex; flex-wrap: wrap; gap: .6rem 2.5rem; list-style: none; margin: 1rem 0; padding: 0; }
.indexes li { min-width: 0; overflow-wrap: anywhere; }
.indexes b { font-size: 2.6rem; line-height: 1.1; font-weight: 600; font-variant-numeric: tabular-nums; display: block; }
.indexes span, .indexes small { display: block; }
CSS

sub html {
    my ($model) = @_;
    my @named   = _by_name($model);
    my @said    = (
        _sentences(@named),
        _without_index($model, @named),
        map { ucfirst s/[^.]\K\z/./r } Touchstone::Report::Beside::headlines(_not_said($model, @named))
    );
    my $warned =
        defined $model->{unfinished}
        ? '<p class="unfinished">' . text("$model->{unfinished}.") . "</p>\n"
        : '';
    return join '', $warned, _figures(@named), map { '<p>' . text($_) . "</p>\n" } @said;
}

# The model without the suites whose own index has said already what their headline would say.
sub _not_said {
    my ($model, @named) = @_;
    my %beside = %{ $model->{beside} };
    for my $line (map { @$_ } @named) {
        my ($copies, $suite) = ($line->[0], $line->[1]{name} =~ /\Aindex \((.*)\)\z/s);
        delete $beside{$suite} if $beside{ $suite // '' } && ($beside{$suite}{copies} // 0) == $copies;
    }
    return { %$model, beside => \%beside };
}

# ([ [copies, line], ... ], ...): the lines of each index, in the order of the copy counts.
sub _by_name {
    my ($model) = @_;
    my (%of, @order);
    for my $block (@{ $model->{blocks} }) {
        for my $line (map { @{ $_->{lines} } } @{ $block->{tables} }) {
            push @order,                    $line->{name} if !$of{ $line->{name} };
            push @{ $of{ $line->{name} } }, [ $block->{count}, $line ];
        }
    }
    return map { $of{$_} } @order;
}

sub _figures {
    my (@named) = @_;
    return if !@named;
    return qq{<ul class="indexes">\n} . join('', map { _figure($_) } map { @$_ } @named) . "</ul>\n";
}

sub _figure {
    my ($copies, $line) = @{ $_[0] };
    my $sure =
        $line->{interval}
        ? sureness($line->{precision}) . ', ' . _limits($line->{interval})
        : 'n too small for an interval';
    my $of = join ', ', copies($copies), _is_alone($line) ? () : $line->{title},
        $line->{partial} ? 'partial' : ();
    return sprintf "<li><b>%s</b> <span>%s</span> <small>%s</small></li>\n", text(_shown($line)),
        text($sure) =~ s/\+-/&#177;/r, text($of);
}

# An index that is called just index needs no name.
sub _is_alone { return $_[0]{name} eq 'index' }

sub _limits {
    my ($interval) = @_;
    return join ' to ', map { shown($_, $interval) } @$interval;
}

sub _shown { my ($line) = @_; return shown(@$line{qw(score interval places)}) }

# Several indexes of one copy count and one baseline share a sentence.
sub _sentences {
    my (@named) = @_;
    my ($several, @order) = ({});
    for my $lines (@named) {
        my ($copies, $line) = @{ $lines->[0] };
        my $shared = @$lines > 1 ? "alone $line->{name}" : join "\0", $copies, $line->{partial} ? 1 : 0,
            $line->{interval} ? 1 : 0, $line->{reference} // '', $line->{base};
        push @order,                   $shared if !$several->{$shared};
        push @{ $several->{$shared} }, $lines;
    }
    return map {
        @$_ > 1
            ? _together(map { $_->[0] } @$_)
            : _sentence(@{ $_->[0] })
    } @$several{@order};
}

# "With 1 copy this machine has these indexes: My 2.10 (2.00 to 2.20), Other 3.40 (3.30 to 3.50). Those of an
# AMD K6/233 are 1."
sub _together {
    my (@lines) = @_;
    my ($copies, $first) = @{ $lines[0] };
    my @each = map { "$_->[1]{title} " . _score($_->[1]) } @lines;
    my $kind =
          ($first->{partial} ? 'partial ' : '')
        . 'indexes'
        . ($first->{interval} ? '' : ', from too few passes for an interval');
    return
          'With '
        . copies($copies)
        . " this machine has these $kind: "
        . join(', ', @each)
        . '. Those of '
        . (_who($first) =~ s/,\z//r)
        . " are $first->{base}.";
}

sub _sentence {
    my (@lines) = @_;
    my ($first, @more) = @lines;
    return join ' ', _whole($first), map {
        defined $_->[1]{gained} && !$_->[1]{partial} == !$first->[1]{partial} ? _gained($_) : _whole($_)
    } @more;
}

sub _whole {
    my ($copies, $line) = @{ $_[0] };
    my $kind =
          ($line->{partial} ? 'a partial' : 'the')
        . (_is_alone($line) ? ''          : " $line->{title}")
        . ' index'
        . ($line->{partial} ? ' of' : '');
    return
          'With '
        . copies($copies)
        . " this machine has $kind "
        . _score($line)
        . ($line->{interval} ? '' : ', from too few passes for an interval') . ': '
        . _times($line) . '.';
}

sub _score {
    my ($line) = @_;
    return _shown($line) . ($line->{interval} ? ' (' . _limits($line->{interval}) . ')' : '');
}

sub _times {
    my ($line) = @_;
    my $who    = _who($line);
    my $factor = three_digits($line->{times}, $line->{times_interval});
    my $over   = $line->{partial} ? ', over the tests that were measured' : '';
    return ($factor eq '1.00' ? 'as much as' : "$factor times") . " $who whose index is $line->{base}$over";
}

sub _who {
    my ($line) = @_;
    return 'its baseline,' if !defined $line->{reference};
    return (Touchstone::Suite::load()->machine($line->{reference}) // "the run $line->{reference}") . ',';
}

sub _gained {
    my ($copies, $line) = @{ $_[0] };
    my $factor = three_digits($line->{gained}, $line->{gained_interval});
    my $than   = $line->{first} == 1 ? '' : ' as with ' . copies($line->{first});
    return 'With ' . copies($copies) . ' ' . _score($line) . ": $factor times as much$than.";
}

sub _without_index {
    my ($model, @named) = @_;
    return if @named;
    my %seen;
    my $scores =
        grep { !$seen{ $_->{name} }++ } map { (@{ $_->{tests} }, @{ $_->{below} }) } @{ $model->{blocks} };
    return 'Nothing was measured.' if !$scores;
    return 'This run has no index, but '
        . ($scores == 1 ? 'the score of 1 test.' : "scores of $scores tests.");
}

1;
