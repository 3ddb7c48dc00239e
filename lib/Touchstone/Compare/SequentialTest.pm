# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::SequentialTest - a test of a duet of interleaved blocks. In a round fresh processes of
# all sides take turns on the same CPUs, in groups of an order and its mirror, such as ABBA, and each side's
# record has it as a pass with `duet_blocks`, one text for each copy:
#
#   0:45210000:45100000:18231:0 3:45008000:44990000:18240:0
#
# which are place in the sequence of all turns, nanoseconds, nanoseconds of CPU time, operations, and how
# often the copy slept of its own will. A round becomes one logarithm of the ratio of the sides, and a test
# has as many values as it had rounds:
#
#   {
#       ratio      => 1.031,
#       difference => its logarithm,
#       error, freedom,
#       single_p      => the p of a single look,
#       p          => what it is worth at this look,
#       level      => the p of a single look that this look takes for a difference,
#       base       => 'cpu', 'wall', or 'passes' where none could take turns,
#       rounds     => 22,
#       n_max      => 60,
#       over       => 1 where no look but the time ended it
#   }
package Touchstone::Compare::SequentialTest;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Direction;
use Touchstone::Score::Rate;
use Touchstone::Stats::Sequential;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(deviation mean);

# The chance that any verdict of a duet is wrong.
our $ALPHA = 0.05;

# A smaller difference is none, unless the user says otherwise.
our $MARGIN = 0.02;

# Processes that sleep in more turns than one in so many have times of their own beside that of the CPU.
my $AWAKE = 100;

# A running test whose p of a single look is below this goes on, though the difference can only be small: it
# is on its way to be told. Otherwise 1 % would be told in 30 of 100 duets, and not in 95 (t/bench/duets.pl).
my $SIGN = 0.1;

# So few rounds are compared by their mean, more by their trimmed mean.
my $TRIMMED_FROM = 8;

# A round of this many groups leaves out a quarter of them at each end, at least one.
my $ROBUST = 3;

# Adjacent rounds are not taken to be more alike than this.
my $ALIKE = 0.8;

# Logarithms that differ by less are the same but for rounding.
my $ROUNDING = 1e-9;

# The logarithms of the ratios of the second side to the first, one a round, in their order. Both sides are
# passes of one test as facts have them.
sub logs { return @{ (_rounds(@_))[0] } }

# The result of such a test after its end; nothing where no round can be compared.
sub of_passes {
    my ($first, $second, %with) = @_;
    my ($logs, $base) = _rounds($first, $second);
    return @$logs ? { %{ in_the_end($logs, %with) }, base => $base } : undef;
}

# The result of a test that has no more rounds. Where nothing ended it at its last look time was over, and
# what later looks would have spent is left for this one. What a look ended has the interval of that look; its
# p need not be that of the look, as it is told or far from it either way.
sub in_the_end {
    my ($logs, %with) = @_;
    my ($n_max, $n)   = ($with{n_max}, scalar @$logs);
    my $outcome = of_logs($n_max, @$logs);
    my $p       = Touchstone::Stats::Sequential::corrected($outcome->{single_p}, $n, $n_max, 1);
    return { %$outcome, p => $p } if $outcome->{p} <= $ALPHA || is_equal($outcome, $with{margin} // $MARGIN);
    return {
        %$outcome,
        p     => $p,
        over  => 1,
        level => Touchstone::Stats::Sequential::level($ALPHA, $n, $n_max, 1)
    };
}

# The result at a look.
sub of_logs {
    my ($n_max, @logs) = @_;
    my $estimate = estimate(@logs);
    my $single_p = _p($estimate);
    return {
        %$estimate,
        ratio    => exp $estimate->{difference},
        single_p => $single_p,
        p        => Touchstone::Stats::Sequential::corrected($single_p, scalar @logs, $n_max),
        level    => Touchstone::Stats::Sequential::level($ALPHA, scalar @logs, $n_max),
        rounds   => scalar @logs,
        n_max    => $n_max
    };
}

# The result of an index: the mean of those of its tests, each of which counts with its `part`, or as all
# others, judged by the strictest level that any of them has.
sub of_members {
    my (@members) = @_;
    my ($strict)  = sort { $a->{level} <=> $b->{level} } @members;
    @members = map { +{ part => 1 / @members, %$_ } } @members;
    my $variance = sum(map { ($_->{part} * $_->{error})**2 } @members);
    my $below    = sum(map { ($_->{part} * $_->{error})**4 / $_->{freedom} } @members);
    my %estimate = (
        difference => sum(map { $_->{part} * $_->{difference} } @members),
        error      => sqrt $variance,
        freedom    => $below > 0 ? $variance**2 / $below : $strict->{freedom}
    );
    my ($n, $n_max) = @$strict{qw(rounds n_max)};
    return {
        %estimate,
        ratio => exp $estimate{difference},
        p     => Touchstone::Stats::Sequential::corrected(_p(\%estimate), $n, $n_max, $strict->{over}),
        @members == 1 ? (only => $strict->{key}) : (),
        map { $_ => $strict->{$_} } qw(level rounds n_max margin)
    };
}

# Looks at the tests of a running duet, { key => [logarithms] }, and returns { key => 'differs' or 'equal' }
# for those that are decided. Tests that have no look now are not judged. `with`:
#
#   n_max    the most rounds
#   fail_on  a smaller difference is none
#   told     { key => 1 } of tests that were told apart and are no longer among these
#   among    how many figures will be compared in the end: tests, and indexes of several tests; otherwise
#            that of the tests, and one more where there are several
sub decide {
    my ($logs, %with) = @_;
    my %significant = %{ $with{significant} || {} };
    my $among       = $with{among} // do {
        my %all = (%significant, %$logs);
        keys(%all) + (keys %all > 1 ? 1 : 0);
    };
    my $n_max = $with{n_max};
    my %found = map { $_ => of_logs($n_max, @{ $logs->{$_} }) }
        grep { Touchstone::Stats::Sequential::is_look(scalar @{ $logs->{$_} }, $n_max) } keys %$logs;
    my %decided;
    for my $key (sort { $found{$a}{p} <=> $found{$b}{p} || $a cmp $b } keys %found) {
        my $open = max(1, $among - keys %significant);
        if ($found{$key}{p} * $open <= $ALPHA) {
            $significant{$key} = 1;
            $decided{$key}     = 'differs';
        } elsif ($found{$key}{single_p} > $SIGN && is_equal($found{$key}, $with{fail_on} // $MARGIN)) {
            $decided{$key} = 'equal';
        }
    }
    return \%decided;
}

# Returns whether the interval of a result leaves room for no difference of this part.
sub is_equal {
    my ($result, $part) = @_;
    my $room = -log(1 - $part);
    return 0 if abs($result->{difference}) >= $room;
    return 1 if $result->{error} == 0;
    my $nearest = ($room - abs $result->{difference}) / $result->{error};
    return Touchstone::Stats::Significance::t_above($nearest, $result->{freedom}) < $result->{level} / 2
        ? 1
        : 0;
}

# The mean of the logarithms with its error. It is trimmed, as rounds are disturbed like passes are. The
# error of adjacent values that are alike is that of fewer values: the correlation of one round with the next
# widens it, without its bias (Marriott and Pope 1954) and with its standard error, because what is estimated
# too low makes more alarms than what is estimated too high saves. Without the latter, 8 of 100 equal builds
# differed where the correlation is 0.3, with it 4 (t/bench/duets.pl).
sub estimate {
    my (@logs) = @_;
    my $n = @logs;
    return { difference => $logs[0], error => abs $logs[0], freedom => 1 } if $n < 2;
    my ($mean, $variance, $freedom) =
        $n < $TRIMMED_FROM
        ? (mean(@logs), deviation(@logs)**2 / $n, $n - 1)
        : @{ Touchstone::Stats::Significance::trimmed_mean(@logs) };
    my $alike = _alike(@logs);
    return {
        difference => $mean,
        error      => sqrt($variance * (1 + $alike) / (1 - $alike)),
        freedom    => $freedom
    };
}

# Returns how alike adjacent values are, from 0 on. Values that trimming leaves out count as the nearest
# other.
sub _alike {
    my (@logs) = @_;
    my $n = @logs;
    return 0 if $n <= 3;
    my @sorted = sort { $a <=> $b } @logs;
    my $cut    = $n < $TRIMMED_FROM ? 0 : int($Touchstone::Stats::Significance::TRIMMED * $n);
    my ($low, $high) = @sorted[ $cut, $n - 1 - $cut ];
    my @kept = map { max($low, min($high, $_)) } @logs;
    my $mean = mean(@kept);
    my @off  = map { $_ - $mean } @kept;
    my $all  = sum(map { $_**2 } @off);
    return 0 if $all <= 0;
    my $seen  = sum(map { $off[$_] * $off[ $_ + 1 ] } 0 .. $n - 2) / $all;
    my $alike = ($n * $seen + 1) / ($n - 3);
    $alike += sqrt((1 - $alike**2) / $n) if abs $alike < 1;
    return max(0, min($ALIKE, $alike));
}

sub _p {
    my ($estimate) = @_;
    my ($difference, $error, $freedom) = @$estimate{qw(difference error freedom)};
    return 1 if abs $difference < $ROUNDING;
    return Touchstone::Stats::Significance::judged($difference, $error, $freedom)->{p};
}

# ([logarithms], base): sides share the rounds that both have.
sub _rounds {
    my ($first, $second) = @_;
    my %of     = map  { $_->{round} => $_ } reverse @$second;
    my @pairs  = map  { [ $_, $of{ $_->{round} } ] } grep { $of{ $_->{round} } } @$first;
    my @turned = map  { _groups(@$_) } grep { $_->[0]{duet_blocks} && $_->[1]{duet_blocks} } @pairs;
    my @passes = grep { !$_->[0]{duet_blocks} && !$_->[1]{duet_blocks} } @pairs;
    return ([ map { _of_rates(@$_) } @passes ], 'passes') if !@turned;
    my $base = _base(@turned);
    return ([ map { _of_groups($base, @$_) } @turned ], $base);
}

# Programs that cannot take turns have a pass of each side for a round.
sub _of_rates {
    my (@passes) = @_;
    my ($one, $other) = map { Touchstone::Score::Rate::of_pass($_)->{rate} } @passes;
    return if $one <= 0 || $other <= 0;
    return log($other / $one) * ($passes[0]{unit} eq $Touchstone::Base::Direction::SECONDS ? -1 : 1);
}

# The time of the CPU leaves out what other processes had of it, but also what a process slept.
sub _base {
    my (@rounds) = @_;
    my @turns    = map { @$_ } map { @$_ } map { @$_ } @rounds;
    return 'wall' if grep { !$_->{cpu} } @turns;
    my $slept = grep { $_->{slept} } @turns;
    return $slept * $AWAKE <= @turns ? 'cpu' : 'wall';
}

# The logarithm of a round: that of its groups' ratios in the middle.
sub _of_groups {
    my ($base, @groups) = @_;
    my @logs = sort { $a <=> $b } map {
        my ($one, $other) = map {
            mean(map { log $_->{$base} } @$_)
        } @$_;
        $other - $one
    } @groups;
    my $cut = @logs < $ROBUST ? 0 : max(1, int(@logs / 4));
    return mean(@logs[ $cut .. $#logs - $cut ]);
}

# The whole groups of a round, in each the two turns of both sides; nothing where there are none.
sub _groups {
    my (@passes) = @_;
    my @sides    = map { [ _turns_of(@{ $_->{duet_blocks} }) ] } @passes;
    my ($many, $others) = map { _number_of_sides(@$_) } @sides;
    return if !$many || !$others || $many != $others;
    my %group;
    for my $side (0, 1) {
        push @{ $group{ int($_->{place} / (2 * $many)) }[$side] }, $_ for @{ $sides[$side] };
    }
    my @whole = grep {
        my $group = $_;
        2 == grep { $_ && @$_ == 2 } @$group[ 0, 1 ]
    } map { $group{$_} } sort { $a <=> $b } keys %group;
    return @whole ? \@whole : ();
}

# How many sides took turns. In the first group each has one in the order and one in its mirror, and these
# places add up to the same for all.
sub _number_of_sides {
    my (@turns) = @_;
    return 0 if @turns < 2;
    my $twice = $turns[0]{place} + $turns[1]{place} + 1;
    return $twice % 2 || $twice < 4 ? 0 : $twice / 2;
}

# The turns that all copies took, { place, slept, wall => operations a nanosecond, cpu => the same of CPU
# time, 0 where that is unknown }. What is no turn is left out.
sub _turns_of {
    my (@texts) = @_;
    my %turn;
    for my $text (@texts) {
        for my $taken (split / /, $text) {
            my ($place, $wall, $cpu, $count, $slept) = $taken =~ /\A(\d+):(\d+):(\d+):(\d+):(\d+)\z/a or next;
            next if !$wall || !$count;
            my $turn = $turn{ $place + 0 } //=
                { place => $place + 0, map { $_ => 0 } qw(copies slept wall cpu coarse) };
            $turn->{copies}++;
            $turn->{slept} += $slept;
            $turn->{wall}  += $count / $wall;
            if ($cpu) { $turn->{cpu} += $count / $cpu }
            else      { $turn->{coarse} = 1 }
        }
    }
    my @whole = grep { $_->{copies} == @texts } map { $turn{$_} } sort { $a <=> $b } keys %turn;
    $_->{cpu} = 0 for grep { $_->{coarse} } @whole;
    return @whole;
}

1;
