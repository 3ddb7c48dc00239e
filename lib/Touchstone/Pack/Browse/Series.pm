# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Series - the scores of all runs as series, and where these change for good.
#
# hosts(the runs of Archive) gives
#
#   [
#       {
#           name    => 'vm',
#           runs    => 42,
#           series  => [
#               {
#                   name   => 'pipe',
#                   title, copies, unit, better,
#                   index  => 1 or 0,
#                   text   => 'schedule quick',
#                   points => [ { run => its place among the runs, at, offset, date, score, interval } ],
#                   levels => [ { from, to, value, interval } ]
#               }
#           ],
#           tested  => so many series are long enough for a change,
#           changes => [
#               {
#                   name, title, copies, unit, at, date, before, after, ratio, run,
#                   intervals => those of both,
#                   speed     => the ratio of speeds,
#                   differ    => [ 'kernel: 6.1 -> 6.2' ]
#               }
#           ],
#           causes  => [ { date, at, cause => that of Compare::Cause, differences } ], newest first
#       }
#   ]
package Touchstone::Pack::Browse::Series;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Symbols qw($ARROW);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(natural_key plain_data);
use Touchstone::Compare::Cause;
use Touchstone::Compare::Differences;
use Touchstone::Compare::Judgement qw($FASTER $SAME $SLOWER);
use Touchstone::Compare::Trend;
use Touchstone::Stats qw(interval median);
use Touchstone::Stats::Significance;
use Touchstone::Suite;

# Equal values may differ so much by rounding.
my $ROUNDING = 1e-9;

# The hosts of runs, which come newest first; series are oldest first, changes newest first.
sub hosts {
    my (@runs) = @_;
    my (%of, %many, %known);
    for my $place (reverse 0 .. $#runs) {
        my $run = $runs[$place];
        $many{ $run->{host} }++;
        next if $run->{duet} || $run->{invalid} || $run->{status} eq 'running';
        _put($of{ $run->{host} } //= {}, \%known, $run, $place, $_)
            for grep { $_->{score} > 0 } _indexes($run), @{ $run->{tests} };
    }
    return [
        map { _host(\@runs, $_, $many{$_}, values %{ $of{$_} }) }
        sort { natural_key($a) cmp natural_key($b) || $a cmp $b } grep { $of{$_} } keys %many
    ];
}

# An index is of the conditions of its tests, and of its baseline.
sub _indexes {
    my ($run) = @_;
    return map {
        {
            %$_,
                unit       => 'index',
                better     => 'higher',
                index      => 1,
                conditions => { %{ $_->{conditions} }, baseline => $run->{baseline} }
        }
    } grep { !$_->{partial} } @{ $run->{indexes} };
}

# Puts a score into the series of its test, copies and conditions. `known`: the words of conditions, which
# tests of a run share.
sub _put {
    my ($series, $entries, $run, $place, $score) = @_;
    my $conditions = $score->{conditions};

    # The conditions are kept, so that its address is nobody else's.
    my $entry = $entries->{$conditions} //= {
        of   => $conditions,
        text => join "\n",
        map { "$_=" . ($conditions->{$_} // '') } sort keys %$conditions
    };
    my $key  = join "\n", (map { $_ // '' } @$score{qw(index name copies unit)}), $entry->{text};
    my $into = $series->{$key} //= {
        (map { $_ => $score->{$_} } qw(name title suite copies unit better conditions)),
        key    => $key,
        index  => $score->{index} ? 1 : 0,
        points => []
    };
    push @{ $into->{points} },
        {
        run      => $place,
        at       => $run->{at},
        offset   => $run->{offset},
        date     => substr($run->{date}, 0, 10),
        score    => $score->{score},
        interval => $score->{interval}
        };
    return;
}

# Indexes first, tests in the order of the suites, the longest series of a test first.
sub _host {
    my ($runs, $name, $many, @series) = @_;
    my $place = sub { return Touchstone::Suite::shown($_[0]{name})->{place} // 1e9 };
    @series = sort {
               $b->{index}  <=> $a->{index}
            || $place->($a) <=> $place->($b)
            || natural_key($a->{title}) cmp natural_key($b->{title})
            || $a->{copies} <=> $b->{copies}
            || @{ $b->{points} } <=> @{ $a->{points} }
            || $a->{key} cmp $b->{key}
    } @series;
    my %kinds;
    push @{ $kinds{"$_->{index} $_->{name}"} }, $_ for @series;
    my $tested = grep { @{ $_->{points} } >= 2 * $Touchstone::Compare::Trend::LASTS } @series;
    $_->{text} = _text($_, @{ $kinds{"$_->{index} $_->{name}"} }) for @series;
    _add_changes($runs, $tested, $_) for @series;
    return {
        name    => $name,
        runs    => $many,
        tested  => $tested,
        causes  => [ _causes($runs, grep { !$_->{index} } @series) ],
        series  => \@series,
        changes => [
            sort {
                       $b->{at}     <=> $a->{at}
                    || $b->{index}  <=> $a->{index}
                    || $place->($a) <=> $place->($b)
                    || $a->{title} cmp $b->{title}
                    || $a->{copies} <=> $b->{copies}
            } map { @{ $_->{changes} } } @series
        ]
    };
}

# What the tests that changed at one run have in common.
sub _causes {
    my ($runs, @series) = @_;
    my %changes;
    for my $one (@series) { push @{ $changes{ $_->{run} } }, $_ for @{ $one->{changes} } }
    return map {
        my ($change)    = @{ $changes{$_} };
        my @tests       = map { _test_at($_, $change) } @series;
        my @differences = map { +{ thing => /\A(.*?):/s } } @{ $change->{differ} };
        my $cause       = Touchstone::Compare::Cause::of_pair(\@tests, \@differences);
        $cause && @{ $cause->{tests} }
            ? { date => $change->{date}, at => $change->{at}, cause => $cause, differences => \@differences }
            : ();
    } sort { $runs->[$b]{at} <=> $runs->[$a]{at} } keys %changes;
}

# A test of Compare from the points of a series before and after a change, up to the next changes.
sub _test_at {
    my ($series, $change) = @_;
    my @points = @{ $series->{points} };
    my ($place) = grep { $points[$_]{at} >= $change->{at} } 0 .. $#points;
    my ($last, $next) = map {
        my $index = $_;
        grep { $_->{from} <= $index && $_->{to} >= $index } @{ $series->{levels} }
    } ($place || return) - 1, $place;
    my ($before, $after) = map {
        [ map { log $_->{score} } @points[@$_] ]
    } [ $last->{from} .. $place - 1 ], [ $place .. $next->{to} ];
    return if @$before < 2 || @$after < 2;
    my $match  = Touchstone::Stats::Significance::differ($before, $after);
    my $log    = $match->{difference} * (is_lower_better($series) ? -1 : 1);
    my $half   = max($match->{error}, $ROUNDING) * $Touchstone::Stats::NORMAL;
    my $is_one = grep { $_->{run} == $change->{run} } @{ $series->{changes} };
    return {
        (map { $_ => $series->{$_} } qw(name copies)),
        ratio    => exp $log,
        interval => [ map { exp } $log - $half, $log + $half ],
        drift    => 1,
        verdict  => !$is_one ? $SAME : $log > 0 ? $FASTER : $SLOWER
    };
}

# Adds to a series its levels and the changes between them.
sub _add_changes {
    my ($runs, $tested, $one) = @_;
    my @scores = map { $_->{score} } @{ $one->{points} };
    my @found  = Touchstone::Compare::Trend::changes(\@scores, series => $tested);
    $one->{levels} = [
        map {
            { %$_, interval => _interval(@{ $one->{points} }[ $_->{from} .. $_->{to} ]) }
        } Touchstone::Compare::Trend::levels(\@scores, @found)
    ];
    $one->{changes} = [ map { _change($runs, $one, $_) } @found ];
    delete @$one{qw(conditions key)};
    return;
}

# The interval of the median of these points: from their values, or, where these are too few or all the same,
# the narrowest that one of them has, widened up to the median. One of no width where values that are the
# same have none; else undef.
sub _interval {
    my (@points) = @_;
    my @scores = map { $_->{score} } @points;
    my ($low, $high) = interval(\@scores);
    return [ $low, $high ] if defined $low && $high - $low > $ROUNDING * $high;
    my ($narrowest) =
        sort { $a->[1] - $a->[0] <=> $b->[1] - $b->[0] } grep { defined } map { $_->{interval} } @points;
    return defined $low ? [ $low, $low ] : undef if !$narrowest;
    my $middle = median(@scores);
    return [ min($middle, $narrowest->[0]), max($middle, $narrowest->[1]) ];
}

# Returns the conditions that set a series apart from others of the same name.
sub _text {
    my ($one, @all) = @_;
    my %names     = map { $_ => 1 } map { keys %{ $_->{conditions} } } @all;
    my @different = grep {
        my $name   = $_;
        my %values = map { ($_->{conditions}{$name} // 'unknown') => 1 } @all;
        keys %values > 1
    } sort keys %names;
    return join ', ', map { "$_ " . ($one->{conditions}{$_} // 'unknown') } @different;
}

# A change names the facts that differ between the last run before it and the first one after.
sub _change {
    my ($runs, $series, $change) = @_;
    my ($last, $first) = map { $series->{points}[$_] } $change->{at} - 1, $change->{at};
    my @differ =
        Touchstone::Compare::Differences::differences(map { $runs->[ $_->{run} ]{facts} } $last, $first);
    return {
        (map { $_ => $series->{$_} } qw(name title suite copies unit index text)),
        at        => $first->{at},
        date      => $first->{date},
        run       => $first->{run},
        place     => $change->{at},
        before    => $change->{before},
        after     => $change->{after},
        intervals => [
            map { $_->{interval} } map {
                my $place = $_;
                grep { $_->{from} <= $place && $_->{to} >= $place } @{ $series->{levels} }
            } $change->{at} - 1,
            $change->{at}
        ],
        ratio  => $change->{ratio},
        speed  => is_lower_better($series) ? 1 / $change->{ratio} : $change->{ratio},
        differ => plain_data(
            [ map { join ' ', "$_->{thing}:", $_->{values}[0], $ARROW, $_->{values}[1] } @differ ]
        ),
    };
}

1;
