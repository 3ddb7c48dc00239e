# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Cost - what an operation costs: the time that a copy sees for it, as user, kernel and waiting time,
# its context switches and page faults, and the events that were counted in passes of their own.
#
#   {
#       seconds => 7e-7,                                    user, kernel and waiting add up to it
#       (user, kernel, waiting => 1e-8, user_low, user_high, ...),
#       voluntary, involuntary, minor_faults, major_faults => 0.002, each with _low and _high,
#       instructions, cycles, branch_misses, cache_misses, tlb_misses => 2140, and each with _user and _kernel,
#       migrations => 0, per_cycle => 1.1, clock => 3e9 Hz, each with _low and _high,
#       uncounted => 'hardware (perf_event_paranoid is 3)'
#   }
#
# or { why => 'threads run concurrently' }. Waiting is the rest of the time: for a wake-up, a disk, a CPU, or
# a hypervisor. The CPU time of a pass is the sum of its processes, so it is not part of the time if they ran
# concurrently.
package Touchstone::Score::Cost;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Score::Interval;
use Touchstone::Stats qw(mean median);
use Touchstone::Suite;

# The harness reads CPU times a little before and after its clock, and the end of one process overlaps with
# the start of the next: an excess of CPU time up to this factor is not concurrency.
my $CONCURRENT = 1.05;

# What a program says that it did is so nearly proportional to its operations.
my $SAME = 5e-3;

# What the kernel counts in every pass, and in which list of a pass it stands.
my @COUNTS = (
    [ voluntary    => 'slept' ],
    [ involuntary  => 'preempted' ],
    [ minor_faults => 'minor_faults' ],
    [ major_faults => 'major_faults' ]
);

# Counters outside of these limits do not belong together: instructions per cycle, and cycles per second.
my ($FEWEST,  $MOST)    = (1e-3, 16);
my ($SLOWEST, $FASTEST) = (1e6,  2e10);

# What an operation of a test costs, from its result, its passes, and those that count events.
sub of_test {
    my ($result, $passes, $events) = @_;
    my ($why, @passes) = of_passes($result, $passes);
    return { why => $why } if defined $why;
    my $seconds = time_of($result, $passes->[0], $result->{score});
    my @shares  = shares(@passes);
    my %cost    = (seconds => $seconds);
    for my $i (0 .. $#PARTS) {
        my @values = map { $_->[$i] } @passes;
        %cost = (%cost, _with_limits($PARTS[$i], $shares[$i] * $seconds, @values));
    }
    return { %cost, (map { counts($result, $passes, @$_) } @COUNTS), _events(@{ $events || [] }) };
}

# The parts of the time of passes, of which each is [user, kernel, waiting].
sub shares {
    my (@passes) = @_;
    my @shares = map {
        my $part = $_;
        median(map { $_->[$part] / sum(@$_) } @passes)
    } 0 .. $#PARTS;
    my $sum = sum(@shares);
    return map { $_ / $sum } @shares;
}

sub _with_limits {
    my ($name, $value, @values) = @_;
    my $limits = Touchstone::Score::Interval::of_score($value, @values)->{interval};
    return (
        $name => $value,
        $limits ? ("${name}_low" => max(0, $limits->[0]), "${name}_high" => $limits->[1]) : ()
    );
}

# In a duet, programs sleep between their blocks.
sub counts {
    my ($result, $passes, $name, $key) = @_;
    return if grep { $_->{duet_blocks} || !_is_known($_->{$key}) } @$passes;
    my @values = map { _in_time($result, $_) * sum(@{ $_->{$key} }) / sum(_operations($_)) } @$passes;
    return _with_limits($name, median(@values), @values);
}

# Medians of the passes that counted, and why others did not.
sub _events {
    my (@passes) = @_;
    my (%of, %why);
    for my $pass (@passes) {
        my $counted = events_of($pass);
        push @{ $of{$_} }, $counted->{$_} for grep { $_ ne 'uncounted' } keys %$counted;
        %why = (%why, %{ $counted->{uncounted} });
    }
    return ((map { _with_limits($_, median(@{ $of{$_} }), @{ $of{$_} }) } sort keys %of),
        %why ? (uncounted => reasons(%why)) : ());
}

# "cycles_kernel, migrations (perf_event_paranoid is 2)": why events are not counted, by their names.
sub reasons {
    my (%why) = @_;
    my %names;
    push @{ $names{ $why{$_} } }, $_ for sort keys %why;
    return join '; ', map { join(', ', @{ $names{$_} }) . " ($_)" } sort keys %names;
}

# The events of an operation of a pass: { instructions_user => 12, ..., instructions => 20, cycles,
# per_cycle, clock, uncounted => { hardware => why } }. Events without a suffix are those of both modes.
sub events_of {
    my ($pass)     = @_;
    my %uncounted  = %{ $pass->{uncounted} || {} };
    my $operations = sum(0, _operations($pass));
    my %event;
    for my $copy (@{ $pass->{events} || [] }) { $event{$_} += $copy->{$_} for keys %$copy }
    my @bad = $operations > 0 ? grep { !($event{$_} >= 0) } keys %event : keys %event;
    @uncounted{@bad} = ('the count is not possible') x @bad;
    delete @event{@bad};
    $_ /= $operations for values %event;

    for my $name (map { /\A(.*)_user\z/ } keys %event) {
        my $kernel = $event{"${name}_kernel"};
        $event{$name} = $event{"${name}_user"} + $kernel if defined $kernel;
    }
    my $wrong =
        _add_ratios(\%event, sum(0, map { @{ $pass->{$_} || [] } } qw(user sys)) / ($operations || 1));
    if (defined $wrong) {
        delete @event{ grep { /\A(?:instructions|cycles)/ } keys %event };
        $uncounted{hardware} = $wrong;
    }
    return { %event, uncounted => \%uncounted };
}

# Adds instructions per cycle, and the clock if the cycles are those of all CPU time. Returns why the counters
# contradict each other, if they do.
sub _add_ratios {
    my ($event, $seconds) = @_;
    my ($mode) = grep { defined $event->{"instructions$_"} && defined $event->{"cycles$_"} } '', '_user';
    return if !defined $mode;
    my ($instructions, $cycles) = map { $event->{"$_$mode"} } qw(instructions cycles);
    return 'instructions and cycles contradict each other'
        if $cycles <= 0 || !_is_within($instructions / $cycles, $FEWEST, $MOST);
    $event->{per_cycle} = $instructions / $cycles;
    return if length $mode || $seconds <= 0;
    return 'cycles and CPU time contradict each other'
        if !_is_within($cycles / $seconds, $SLOWEST, $FASTEST);
    $event->{clock} = $cycles / $seconds;
    return;
}

sub _is_within { my ($value, $low, $high) = @_; return $value >= $low && $value <= $high }

# What other processes do of the work of a test: half, unknown or nothing.
sub _elsewhere { my ($result) = @_; return Touchstone::Suite::shown($result->{name})->{elsewhere} // '' }

# The part of the CPU time and switches of a pass that is of its time. The system counts those of a second
# process when it has ended, and so from the beginning of the warm-up.
sub _in_time {
    my ($result, $pass) = @_;
    return 1 if !$pass->{warm} || _elsewhere($result) ne 'half';
    my $seconds = mean(@{ $pass->{times} });
    return 2 * $seconds / (2 * $seconds + $pass->{warm});
}

# The operations of each copy of a pass.
sub _operations {
    my ($pass) = @_;
    my ($counts, $times) = @$pass{qw(counts times)};
    return $pass->{timebase} ? @$counts : map { $counts->[$_] * $times->[$_] } 0 .. $#$counts;
}

# (undef, [user, kernel, waiting] of each pass), in seconds of an operation that add up to its time, or why
# there are none.
sub of_passes {
    my ($result, $passes) = @_;
    my $why = _why_none($result, @$passes);
    return $why if defined $why;
    my @cpu = map {
        my $in_time = _in_time($result, $_);
        [ (map { $in_time * sum(@$_) } @$_{qw(user sys)}), sum(@{ $_->{times} }) ]
    } @$passes;
    return 'processes run concurrently: more CPU time than time'
        if median(map { ($_->[0] + $_->[1]) / $_->[2] } @cpu) > $CONCURRENT;
    return (
        undef,
        map {
            my ($user, $kernel, $time) = @{ $cpu[$_] };
            my $waiting = max(0, $time - $user - $kernel);
            my $each = time_of($result, $passes->[$_], $result->{rates}[$_]) / ($user + $kernel + $waiting);
            [ map { $_ * $each } $user, $kernel, $waiting ]
        } 0 .. $#cpu
    );
}

sub _why_none {
    my ($result, @passes) = @_;
    return 'processes whose CPU time is unknown do a part of the work'
        if _elsewhere($result) eq 'unknown';
    return 'threads run concurrently' if grep { $_->{team} && $_->{copies} > 1 } @passes;
    return 'no CPU time is known'     if grep { !_is_known($_->{user}) || !_is_known($_->{sys}) } @passes;
    return 'a pass took no time or has no result'
        if grep { $_ <= 0 } @{ $result->{rates} }, $result->{score}, map { @{ $_->{times} } } @passes;
    return 'the program calculates its figure, and not from all of its time'
        if !_counts_operations($result, @passes);
    return;
}

sub _is_known {
    my ($of_copies) = @_;
    return $of_copies && @$of_copies && !grep { !defined || $_ < 0 } @$of_copies;
}

# Whether the figure of a test comes from the operations that it counted during all of its time. A program
# that works out its figure by itself may have measured only a part of the time.
sub _counts_operations {
    my ($result, @passes) = @_;
    return 1 if !grep { !$_->{timebase} } @passes;
    return 0 if is_lower_better($result);
    my @amounts = map { _amounts($_) } @passes;
    return !(grep { !defined } @amounts) && max(@amounts) - min(@amounts) <= $SAME * max(@amounts);
}

# What each copy says of an operation, or undef where its record has no operations.
sub _amounts {
    my ($pass) = @_;
    my @slices = @{ $pass->{slices} || [] };
    my @of     = _operations($pass);
    return map {
        my ($count) = ($slices[$_] // '') =~ /:(\d+)(?::\d+)?\z/;
        $count ? $of[$_] / $count : undef
    } 0 .. $#of;
}

# Seconds that a copy sees for an operation, or for a unit of fixed work.
sub time_of {
    my ($result, $pass, $score) = @_;
    my $workers = workers($pass);
    return is_lower_better($result) ? $score * $workers : ($pass->{timebase} || 1) * $workers / $score;
}

# The number of units in work concurrently: one in each copy, or in each pair of threads of a team that is put
# on pairs of CPUs. The time that a copy sees is already that of one.
sub workers {
    my ($pass) = @_;
    return 1 if ($pass->{seen} // '') eq 'copy';
    return $pass->{team} && $pass->{cpus} ? max(1, int($pass->{copies} / 2)) : $pass->{copies};
}

1;
