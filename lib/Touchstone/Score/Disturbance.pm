# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Disturbance - which passes something else had a part in, judged by the counters around them:
#
#   {
#       test     => 'pipe',
#       seconds  => 1.02,
#       counters => { seconds => 1.13, other => 0.94, steal => 0, ... },
#       ...
#   }
#
# gives ['other']. The marks are
#
#   overlap    its copies hardly ran together     heat       a CPU was slowed down by heat
#   steal      the hypervisor took CPU time       swap       pages were swapped
#   throttled  the CPU quota was used up          other      other processes ran
#   memory, io, cpu   processes waited for memory, disks, a CPU
package Touchstone::Score::Disturbance;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats qw(median);

# Copies that ran together for less of the time than this say little about running together.
our $LEAST_SHARE = 0.8;

# Parts of the time of a pass. CPU time of other processes is a part of one CPU, and may be more where there
# are many CPUs to share it.
our %LIMIT =
    (steal => 0.01, throttled => 0.005, other => 0.1, psi_memory => 0.02, psi_io => 0.2, psi_cpu => 0.2);
our $OTHER_A_CPU = 0.005;

# Clock ticks are counted whole: no less than this is seen in a short pass.
our $TICKS = 0.04;

# No pass that ended lost more than this part of its time.
my $MOST_LOSS = 0.99;

# A list of marks for each pass, whose rates Score::Rate worked out; an undisturbed one has an empty list.
sub marks {
    my ($facts, @rates) = @_;
    my $passes = $facts->{passes};
    my $cpus   = $facts->{host}{usable_cpus} // 1;
    my %usual  = _usual_pressure($passes);
    return map {
        my $pass = $passes->[$_];
        [
            is_apart($rates[$_]) ? 'overlap' : (),
            _by_counters($pass, $cpus, $usual{"$pass->{copies} $pass->{test}"})
        ]
    } 0 .. $#$passes;
}

# The copies of a pass with these rates hardly ran together, and could have.
sub is_apart {
    my ($rates) = @_;
    return defined $rates->{share} && $rates->{share} < $LEAST_SHARE && !$rates->{coarse};
}

sub _by_counters {
    my ($pass, $cpus, $usual) = @_;
    my $c       = $pass->{counters} or return;
    my $seconds = $c->{seconds} // 0;
    return if $seconds <= 0;
    my @marks;
    push @marks, 'steal'
        if ($c->{steal} // 0) > $LIMIT{steal} * $seconds * min($pass->{copies}, $cpus) + $TICKS;
    push @marks, 'throttled' if ($c->{throttled} // 0) > $LIMIT{throttled} * $seconds;
    push @marks, 'other'  if ($c->{other} // 0) > ($LIMIT{other} + $OTHER_A_CPU * $cpus) * $seconds + $TICKS;
    push @marks, 'swap'   if $c->{swapped};
    push @marks, 'heat'   if $c->{hot};
    push @marks, 'memory' if ($c->{psi_memory} // 0) > $LIMIT{psi_memory} * $seconds;

    # Tests make some of these themselves: only what is more than is usual for this test was made by others.
    push @marks, grep { defined $usual->{$_} && $c->{"psi_$_"} / $seconds > $usual->{$_} + $LIMIT{"psi_$_"} }
        grep { defined $c->{"psi_$_"} } qw(io cpu);
    return @marks;
}

# The medians of the parts of the time: { 'copies test' => { io => 0.02, cpu => 0.1 } }
sub _usual_pressure {
    my ($passes) = @_;
    my (%seen, %usual);
    for my $pass (grep { $_->{round} && $_->{counters} && ($_->{counters}{seconds} // 0) > 0 } @$passes) {
        my $c = $pass->{counters};
        push @{ $seen{"$pass->{copies} $pass->{test}"}{$_} }, $c->{"psi_$_"} / $c->{seconds}
            for grep { defined $c->{"psi_$_"} } qw(io cpu);
    }
    for my $key (keys %seen) {
        $usual{$key}{$_} = median(@{ $seen{$key}{$_} }) for keys %{ $seen{$key} };
    }
    return %usual;
}

# These cost a pass something that no counter tells.
our %UNTOLD = map { $_ => 1 } qw(overlap heat swap);

# What a score needs of a pass with these marks: whether it was disturbed, and the part of its time that it
# lost. Where no counter tells that, it may have been all of it.
sub disturbance {
    my ($marks, $lost) = @_;
    return { disturbed => 0, lost => 0 } if !$marks || !@$marks;
    return { disturbed => 1, lost => (grep { $UNTOLD{$_} } @$marks) ? $MOST_LOSS : $lost };
}

# Returns the part of its time that each pass lost, as far as counters tell: also the little that is no mark,
# as little in every pass is much. Waiting for disks or CPUs does not count: it is judged against the middle
# of all passes of a test, and cannot move that.
sub losses {
    my ($facts) = @_;
    my $cpus    = $facts->{host}{online_cpus} // 1;
    my $usable  = $facts->{host}{usable_cpus} // $cpus;
    return map { _loss($_, $cpus, min($_->{copies}, $usable)) } @{ $facts->{passes} };
}

# Other processes, which are counted on all CPUs, take from copies only what the other CPUs cannot give them:
# t/bench/validity.pl compares that with what passes really lost. They may also have what a quota keeps from
# the copies.
sub _loss {
    my ($pass, $cpus, $wanted) = @_;
    my $c       = $pass->{counters} or return 0;
    my $seconds = $c->{seconds} // 0;
    return 0 if $seconds <= 0;
    my %part =
        map { $_ => ($c->{$_} // 0) > $TICKS ? $c->{$_} / $seconds : 0 } qw(steal throttled other psi_memory);
    my $others = max($part{throttled}, $wanted + $part{other} - $cpus);
    return min($MOST_LOSS, ($part{steal} + $others) / $wanted + $part{psi_memory});
}

# Counts the marks of some passes, the most frequent first: ['other', 2], ['steal', 1]
sub counted {
    my (@marks) = @_;
    my %count;
    $count{$_}++ for map { @$_ } @marks;
    return map { [ $_, $count{$_} ] } sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
}

1;
