# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Drift - by how much a machine differs from itself: the passes of two runs tell of their minutes,
# and not what differs between hours and days. find() gives
#
#   { machines => [ { host => 'vm', runs => 7, days => 4.1, least, most => { name => 'pipe', spread => 0.031 } } ],
#     unknown  => [ hosts of which too few runs are stored ],
#     history  => [ those of Compare::History ] }
#
# and between(), of two of its runs, { '1 pipe' => drift }, where
#
#   drift => {
#     error   => 0.011,    of the logarithm of a ratio, beside what the passes of both runs tell,
#     freedom => 6,        its degrees of freedom,
#     runs    => 7, days => 4.1,
#     spread  => 0.031,    95 of 100 ratios of equal runs are so close to 1, as the stored runs show it
#     of      => 'this machine', 'these machines', or 'one of the machines' where the other is not known
#   }
#
# Runs of one machine vary by what their passes show and by something that each run has of its own (random
# effects): the variance of its scores, less the mean of what their intervals say (Hedges and Olkin 1985). At
# least half of the variance counts as the machine's, since few runs may agree by chance, and variances of
# one machine are moderated. Only runs are compared that nothing known sets apart, on either side of a change
# that Compare::Trend finds: a new kernel is no drift. t/bench/drift.pl counts what comes of that.
package Touchstone::Compare::Drift;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Figure qw(plus_minus);
use Touchstone::Base::Text qw(plain plural);
use Touchstone::Base::Time qw($DAY span);
use Touchstone::Compare::History;
use Touchstone::Compare::Trend;
use Touchstone::Stats::Moderated;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(mean);

# Three runs have two degrees of freedom, and fewer tell nothing.
my $FEWEST = 2;

# The part of a variance that is the machine's, however wide the intervals are.
my $LEAST = 0.5;

# Facts that make two runs those of one machine, measured alike.
my @SAME = ('h name', 'h model', 'h online_cpus', 'h usable_cpus', 'r schedule', 'r pin');

# What is known of the machines of these runs.
sub find {
    my ($places, @runs) = @_;
    return estimate([ Touchstone::Compare::History::comparable_runs($places, @runs) ], @runs);
}

# The same from runs of Compare::History.
sub estimate {
    my ($history, @runs) = @_;
    my (%seen, %found);
    for my $run (grep { !$seen{ _machine($_) }++ } @runs) {
        my $summary = _summary($run, _figures($history, $run));
        push @{ $found{ $summary->{runs} ? 'machines' : 'unknown' } }, $summary;
    }
    return {
        machines => $found{machines} || [],
        unknown  => [ map { $_->{host} } @{ $found{unknown} || [] } ],
        history  => $history
    };
}

# What the machines of two runs add to their errors.
sub between {
    my ($drift, $first, $second) = @_;
    my $history = $drift->{history};
    my %added;
    if (_machine($first) eq _machine($second)) {
        my $figures = _figures($history, $first, _later($first, $second));
        $added{$_} = _sum($figures->{$_}, $figures->{$_}) for keys %$figures;
        return \%added;
    }
    my @of = map { _figures($history, $_) } $first, $second;
    $added{$_} = _sum(map { $_ // () } $of[0]{$_}, $of[1]{$_}) for map { keys %$_ } @of;
    return \%added;
}

# The drift between runs of one machine, of the figures of the first of them.
sub among {
    my (@runs) = @_;
    my $figures = _figures(\@runs, $runs[0]);
    return { map { $_ => _sum($figures->{$_}, $figures->{$_}) } keys %$figures };
}

# A set of --again with its complete runs, and with the drift between them.
sub of_set {
    my ($set) = @_;
    my @runs = Touchstone::Compare::History::runs_of_set($set);
    return { %$set, runs => \@runs, drift => @runs ? among(@runs) : {} };
}

# The run that is on trial is no part of what it is measured with, where enough others are.
sub _later {
    my ($first, $second) = @_;
    return ($first->{started} // 0) > ($second->{started} // 0) ? $first : $second;
}

# The drift of a difference whose sides these are.
sub _sum {
    my (@sides)   = @_;
    my $is_itself = @sides == 2 && $sides[0] == $sides[1];
    my $variance  = sum(map { $_->{between} } @sides);
    my $freedom =
          $is_itself    ? $sides[0]{freedom}
        : $variance > 0 ? $variance**2 / sum(map { $_->{between}**2 / $_->{freedom} } @sides)
        :                 min(map { $_->{freedom} } @sides);
    return {
        error   => sqrt $variance,
        freedom => $freedom,
        runs    => sum(map { $_->{runs} } $is_itself ? $sides[0] : @sides),
        days    => max(map { $_->{days} } @sides),
        spread  => _spread(sqrt sum(map { $_->{variance} } @sides), $freedom),
        of      => $is_itself ? 'this machine' : @sides == 2 ? 'these machines' : 'one of the machines'
    };
}

sub _spread {
    my ($error, $freedom) = @_;
    my $above = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    return exp($error * Touchstone::Stats::Significance::t_quantile($above, $freedom)) - 1;
}

sub _machine {
    my ($run) = @_;
    return join "\n", map { $_ // '' } @{ $run->{facts} }{@SAME};
}

# { figure => { variance, within, between, freedom, runs, days } } of the machine of a run, where enough is
# known. `without`: a run that need not count.
sub _figures {
    my ($history, $run, $without) = @_;
    my $machine = _machine($run);
    my @all     = grep            { _machine($_) eq $machine } @$history;
    my @others  = $without ? grep { !_is_same($_, $without) } @all : @all;
    my $series  = _series($run, @all);
    my $fewer   = @others < @all ? _series($run, @others) : $series;
    my $many    = keys %$series;
    my %found;

    for my $key (keys %$series) {
        my ($figures_with) = grep { $_->{freedom} >= $FEWEST }
            map { _variance($many, @{ $_ || [] }) } $fewer->{$key}, $fewer == $series ? () : $series->{$key};
        $found{$key} = $figures_with if $figures_with;
    }
    my @keys = sort keys %found;
    @found{@keys} = Touchstone::Stats::Moderated::moderated(@found{@keys});
    for my $figures_with (values %found) {
        my $variance = $figures_with->{variance};
        $figures_with->{between} = max($variance - $figures_with->{within}, $LEAST * $variance);
    }
    return \%found;
}

sub _is_same {
    my ($one, $other) = @_;
    return $one->{name} eq $other->{name} && ($one->{started} // 0) == ($other->{started} // 0);
}

# { figure => [ [ points of a group, in the order of time ] ] } for figures that this run has, of runs in
# which it is the same figure.
sub _series {
    my ($run, @history) = @_;
    my %own = _comparable($run);
    my %series;
    for my $other (sort { $a->{started} <=> $b->{started} } @history) {
        my %its = _comparable($other);
        for my $key (grep { ($its{$_} // '') eq $own{$_} } keys %own) {
            my $point = _point($other, $other->{tests}{$key} // $other->{indexes}{$key}) or next;
            push @{ $series{$key}{ $other->{group} } }, $point;
        }
    }
    return {
        map {
            my $groups = $series{$_};
            $_ => [ map { $groups->{$_} } sort keys %$groups ]
        } keys %series
    };
}

# { figure => what must be equal }.
sub _comparable {
    my ($run) = @_;
    my ($tests, $indexes) = @$run{qw(tests indexes)};
    my %of;
    for my $key (keys %$tests) {
        my ($test, $conditions) = ($tests->{$key}, $tests->{$key}{conditions} || {});
        $of{$key} = join "\n", map { $_ // '' } @$test{qw(unit version)},
            map { "$_=" . ($conditions->{$_} // '') } sort keys %$conditions;
    }
    for my $key (keys %$indexes) {
        my $copies = $indexes->{$key}{copies};
        $of{$key} = join "\n", map { "$_ " . ($of{"$copies $_"} // '') } @{ $indexes->{$key}{tests} };
    }
    return %of;
}

# A score without an interval does not tell what is the run's own.
sub _point {
    my ($run, $figure) = @_;
    my ($low, $high)   = @{ $figure->{interval} || [] };
    return if !defined $high || $low <= 0 || $figure->{score} <= 0;
    my $error = log($high / $low) / 2 / $Touchstone::Stats::NORMAL;
    return { at => $run->{started}, log => log $figure->{score}, within => $error**2 };
}

# What groups of points have in common: { variance, within, freedom, runs, days }.
sub _variance {
    my ($many, @groups) = @_;
    my @levels  = grep { @$_ > 1 } map { _levels($many, @$_) } @groups;
    my @points  = map  { @$_ } @levels;
    my $freedom = @points - @levels;
    return { freedom => 0 } if !$freedom;
    my $squares = sum(
        map {
            my $mean = mean(map { $_->{log} } @$_);
            map { ($_->{log} - $mean)**2 } @$_
        } @levels
    );
    my @at = map { $_->{at} } @points;
    return {
        variance => $squares / $freedom,
        within   => mean(map { $_->{within} } @points),
        freedom  => $freedom,
        runs     => scalar @points,
        days     => (max(@at) - min(@at)) / $DAY
    };
}

# Points between changes, each a list; `many`: so many series are looked at.
sub _levels {
    my ($many, @points) = @_;
    my @scores  = map { exp $_->{log} } @points;
    my @changes = Touchstone::Compare::Trend::changes(\@scores, series => $many);
    return
        map { [ @points[ $_->{from} .. $_->{to} ] ] } Touchstone::Compare::Trend::levels(\@scores, @changes);
}

# A machine in short: the tests that differ least and most between its runs, or their indexes where it has no
# test.
sub _summary {
    my ($run, $figures) = @_;
    my $host = plain($run->{facts}{'h name'} // 'unknown');
    my @keys = sort grep { $figures->{$_} } keys %{ $run->{tests} };
    @keys = sort keys %$figures if !@keys;
    return { host => $host } if !@keys;
    my @ranked = sort { $a->{spread} <=> $b->{spread} || $a->{key} cmp $b->{key} } map {
        my $figure = $run->{tests}{$_} // $run->{indexes}{$_};
        +{ key => $_, %{ _sum($figures->{$_}, $figures->{$_}) }, %$figure{qw(name copies)} }
    } @keys;
    return {
        host  => $host,
        runs  => max(map { $_->{runs} } @ranked),
        days  => max(map { $_->{days} } @ranked),
        least => _named($ranked[0]),
        most  => _named($ranked[-1])
    };
}

sub _named {
    my ($figure) = @_;
    return { map { $_ => $figure->{$_} } qw(name copies spread) };
}

# What a difference, { difference, error, freedom, p }, is with a drift.
sub joined {
    my ($figure, $drift) = @_;
    my ($passes, $machine) = map { $_->{error}**2 } $figure, $drift;
    my $variance = $passes + $machine;
    my $below    = $passes**2 / $figure->{freedom} + $machine**2 / $drift->{freedom};
    return Touchstone::Stats::Significance::judged(
        $figure->{difference},
        sqrt $variance,
        $below > 0 ? $variance**2 / $below : $figure->{freedom}
    );
}

# The interval of a ratio around its middle, wider by a drift (MOVER, Zou and Donner 2008).
sub widened {
    my ($interval, $middle, $drift) = @_;
    my $above = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    my $reach = $drift->{error} * Touchstone::Stats::Significance::t_quantile($above, $drift->{freedom});
    my ($low, $high) = map { log($_ / $middle) } @$interval;
    return [ $middle * exp(-sqrt($low**2 + $reach**2)), $middle * exp(sqrt($high**2 + $reach**2)) ];
}

# "this machine varies between runs".
sub itself {
    my ($drift) = @_;
    return $drift->{of} . ($drift->{of} eq 'these machines' ? ' vary' : ' varies') . ' between runs';
}

# "±3.1 % between 7 runs in 4 days", of a spread that is not the drift's own where it is said.
sub as_sentence {
    my ($drift, $spread) = @_;
    return far($spread // $drift->{spread}) . ' between ' . between_runs($drift);
}

# "±3.1 %", or "a factor of 2.5" where nothing can be so much slower.
sub far {
    my ($spread) = @_;
    return $spread < 1 ? plus_minus($spread) : sprintf 'a factor of %.1f', 1 + $spread;
}

# "7 runs in 4 days".
sub between_runs {
    my ($drift) = @_;
    return plural($drift->{runs}, 'run') . ' in ' . span($drift->{days} * $DAY);
}

1;
