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
# gives ['other'], a list of keys of @MARKS.
package Touchstone::Score::Disturbance;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats qw(median);

# Copies that ran together for less of the time than this say little about running together.
our $LEAST_SHARE = 0.8;

# Clock ticks are counted whole: no less than this is seen in a short pass.
our $TICKS = 0.04;

# CPU time of other processes is a part of one CPU, and may be more where there are many CPUs to share it.
our $OTHER_A_CPU = 0.005;

my $ELSEWHERE = 'run it again on an idle machine (top lists running processes)';
my $MEMORY    = 'stop programs that use much memory (ps aux --sort=-rss), and run it again';

# All that there is of a kind of disturbance, in the order of the marks of a pass:
#
#   counter, limit   more than this part of the time of a pass makes the mark
#   allowed          the seconds of the limit, where they are not that part
#   usual            tests make some of this themselves: the limit is for what is more than usual for the test
#   is_unknown       it costs a pass something that no counter tells
#   words, remedy    for reports
#   colour           of its ring in pictures: red, orange, or grey without one
#<<<
our @MARKS = (
    { key => 'overlap', is_unknown => 1, words => 'copies that hardly overlapped',
        remedy => 'run fewer copies, or longer windows (-i)' },
    { key => 'steal', counter => 'steal', limit => 0.01, colour => 'orange',
        allowed => sub { my ($part, $copies, $cpus) = @_; return ($part * min($copies, $cpus), $TICKS) },
        words => 'CPU time taken by the hypervisor',
        remedy => 'run it again at another time (vmstat 5 shows the stolen time)' },
    { key => 'throttled', counter => 'throttled', limit => 0.005, colour => 'orange',
        words => 'throttling by the CPU quota',
        remedy => 'run fewer copies, or raise the CPU quota (cpu.max; docker run --cpus)' },
    { key => 'other', counter => 'other', limit => 0.1, colour => 'red',
        allowed => sub { my ($part, undef, $cpus) = @_; return ($part + $OTHER_A_CPU * $cpus, $TICKS) },
        words => 'other processes', remedy => $ELSEWHERE },
    { key => 'swap', counter => 'swapped', limit => 0, is_unknown => 1, words => 'swapping',
        remedy => $MEMORY },
    { key => 'heat', counter => 'hot', limit => 0, is_unknown => 1, words => 'thermal throttling of a CPU',
        remedy => 'let the machine cool down, and run it again' },
    { key => 'memory', counter => 'psi_memory', limit => 0.02, words => 'waiting for memory',
        remedy => $MEMORY },
    { key => 'io', counter => 'psi_io', limit => 0.2, usual => 1, words => 'waiting for disks',
        remedy => $ELSEWHERE },
    { key => 'cpu', counter => 'psi_cpu', limit => 0.2, usual => 1, colour => 'red',
        words => 'waiting for a CPU', remedy => $ELSEWHERE },
);
#>>>
our %MARK = map { $_->{key} => $_ } @MARKS;

# Marks of a pass in words.
sub causes {
    return map { $MARK{$_}{words} } @_;
}

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
            lacks_overlap($rates[$_]) ? 'overlap' : (),
            _by_counters($pass, $cpus, $usual{"$pass->{copies} $pass->{test}"})
        ]
    } 0 .. $#$passes;
}

# The copies of a pass with these rates hardly ran together, and could have.
sub lacks_overlap {
    my ($rates) = @_;
    return defined $rates->{share} && $rates->{share} < $LEAST_SHARE && !$rates->{coarse};
}

sub _by_counters {
    my ($pass, $cpus, $usual) = @_;
    my $counters = $pass->{counters} or return;
    my $seconds  = $counters->{seconds} // 0;
    return if $seconds <= 0;
    my $is_beyond = sub {
        my ($mark) = @_;
        my ($value, $limit) = ($counters->{ $mark->{counter} } // 0, $mark->{limit});
        if ($mark->{usual}) {
            my $part = $usual->{ $mark->{counter} } // return 0;
            return $value / $seconds > $part + $limit;
        }
        my ($part, $more) =
            $mark->{allowed} ? $mark->{allowed}->($limit, $pass->{copies}, $cpus) : ($limit, 0);
        return $value > $part * $seconds + $more;
    };
    return map { $_->{key} } grep { $_->{counter} && $is_beyond->($_) } @MARKS;
}

# The medians of the parts of the time: { 'copies test' => { psi_io => 0.02, psi_cpu => 0.1 } }
sub _usual_pressure {
    my ($passes) = @_;
    my (%seen, %usual);
    for my $pass (grep { $_->{round} && $_->{counters} && ($_->{counters}{seconds} // 0) > 0 } @$passes) {
        my $c = $pass->{counters};
        push @{ $seen{"$pass->{copies} $pass->{test}"}{$_} }, $c->{$_} / $c->{seconds}
            for grep { defined $c->{$_} } map { $_->{usual} ? $_->{counter} : () } @MARKS;
    }
    for my $key (keys %seen) {
        $usual{$key}{$_} = median(@{ $seen{$key}{$_} }) for keys %{ $seen{$key} };
    }
    return %usual;
}

# What a score needs of a pass with these marks: whether it was disturbed, and the part of its time that it
# lost. Where no counter tells that, it may have been all of it.
sub disturbance {
    my ($marks, $lost) = @_;
    return { disturbed => 0, lost => 0 } if !$marks || !@$marks;
    return { disturbed => 1, lost => (grep { $MARK{$_}{is_unknown} } @$marks) ? $MOST_LOSS : $lost };
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
