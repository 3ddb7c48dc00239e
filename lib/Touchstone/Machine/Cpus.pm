# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Cpus - which CPUs there are, which of them this process may use, and where copies are placed.
package Touchstone::Machine::Cpus;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);
use POSIX qw(ceil);

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

# Returns these facts. `root` stands before /proc and /sys, for tests.
#
#   { online       => [ids],
#     usable       => [ids],           online and in the affinity mask
#     usable_count => N,               no more than the cgroup quota pays for
#     quota        => CPUs, or undef
#     core         => { id => core } }
sub read_all {
    my ($root) = @_;
    $root //= '';
    my @online = list_of(Touchstone::Machine::Sysfile::line("$root/sys/devices/system/cpu/online") // '');
    @online = _without_sys($root) if !@online;
    my %is_online = map { $_ => 1 } @online;
    my ($mask) = (Touchstone::Machine::Sysfile::text("$root/proc/self/status") // '') =~
        /^Cpus_allowed_list:\s*(\S+)/m;
    my @allowed = grep { $is_online{$_} } defined $mask ? list_of($mask) : @online;
    @allowed = @online if !@allowed;
    my $quota = _quota($root);
    my $count = defined $quota ? min(scalar @allowed, ceil($quota)) : @allowed;
    my %core  = map { $_ => _core($root, $_) } @online;
    return {
        online       => \@online,
        usable       => \@allowed,
        usable_count => $count < 1 ? 1 : $count,
        quota        => $quota,
        core         => \%core
    };
}

# Commands that print the number of CPUs, from the most exact on. The name in getconf has no underscore on
# NetBSD; hw.ncpu also counts CPUs that are offline on OpenBSD and NetBSD.
my @COUNTS = (
    [qw(getconf _NPROCESSORS_ONLN)], [qw(getconf NPROCESSORS_ONLN)],
    [qw(sysctl -n hw.ncpuonline)],   [qw(sysctl -n hw.ncpu)]
);

# A container or a changed root may lack /sys, and other systems have neither.
sub _without_sys {
    my ($root) = @_;
    my @counted = (Touchstone::Machine::Sysfile::text("$root/proc/stat") // '') =~ /^cpu(\d{1,6}) /mg;
    return @counted if @counted;
    my ($count) =
        map { (Touchstone::Machine::Command::first_line(@$_) // '') =~ /\A([1-9]\d{0,5})\z/a } @COUNTS;
    return 0 .. ($count // 1) - 1;
}

# Turns "0-2,5" into (0, 1, 2, 5); returns nothing for any other text.
sub list_of {
    my ($text) = @_;
    return if $text !~ /\A\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*\z/;
    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ + 0 } split /,/, $text;
}

# Returns the CPUs that the tightest cgroup around this process grants, in versions 2 and 1.
sub _quota {
    my ($root) = @_;
    return min(map { _quota_of($_) } map { @$_ } Touchstone::Machine::Sysfile::cgroup_folders('cpu', $root));
}

sub _quota_of {
    my ($group) = @_;
    my ($max, $period) = split ' ', Touchstone::Machine::Sysfile::line("$group/cpu.max") // '';
    $max    //= Touchstone::Machine::Sysfile::line("$group/cpu.cfs_quota_us");
    $period //= Touchstone::Machine::Sysfile::line("$group/cpu.cfs_period_us");
    return if !defined $max || $max !~ /^\d+$/ || !defined $period || $period !~ /^[1-9]\d*$/;
    return $max / $period;
}

# The lowest CPU of a core stands for the core; without topology every CPU is a core.
sub _core {
    my ($root, $cpu) = @_;
    my $topology = "$root/sys/devices/system/cpu/cpu$cpu/topology";
    my ($first) = list_of(Touchstone::Machine::Sysfile::line("$topology/core_cpus_list")
            // Touchstone::Machine::Sysfile::line("$topology/thread_siblings_list") // $cpu);
    return $first // $cpu;
}

# True where a program can choose its CPU (src/pin.c).
sub can_place { return $^O eq 'linux' }

# Returns for each of `copies` copies the CPUs it may use, as text for TS_CPUS, or undef. `pin` is none,
# spread, pack or a list of CPUs.
sub placement {
    my ($cpus, $pin, $copies) = @_;
    return (undef) x $copies if $pin eq 'none';
    my @order = $pin eq 'spread' ? _spread($cpus) : $pin eq 'pack' ? _packed($cpus) : list_of($pin);
    return map { $order[ $_ % @order ] } 0 .. $copies - 1;
}

# Returns the first CPU of every core, then the second of every core.
sub _spread {
    my ($cpus) = @_;
    my (%taken, %turn);
    $turn{$_} = $taken{ $cpus->{core}{$_} }++ for @{ $cpus->{usable} };
    return sort { $turn{$a} <=> $turn{$b} || $a <=> $b } @{ $cpus->{usable} };
}

sub _packed {
    my ($cpus) = @_;
    return sort { $cpus->{core}{$a} <=> $cpus->{core}{$b} || $a <=> $b } @{ $cpus->{usable} };
}

# Each copy is two processes. Returns for each copy one CPU, or two of different cores; nothing if there is
# no second core.
sub pairs {
    my ($cpus, $place, $copies) = @_;
    my %seen;
    my @order =
        $place eq 'same' ? _spread($cpus) : grep { !$seen{ $cpus->{core}{$_} }++ } @{ $cpus->{usable} };
    return map { $order[ $_ % @order ] } 0 .. $copies - 1 if $place eq 'same';
    return                                                if @order < 2;
    return map { $order[ 2 * $_ % @order ] . ',' . $order[ (2 * $_ + 1) % @order ] } 0 .. $copies - 1;
}

# A team is one process, whose pairs of threads have two CPUs each, of cores that are far from each other: of
# four cores the first and the third, the second and the fourth. Returns one text for TS_CPUS, which programs
# begin anew when they come to its end; with a single core both threads of a pair have the same CPU.
sub of_team {
    my ($cpus, $copies) = @_;
    my %seen;
    my @order = grep { !$seen{ $cpus->{core}{$_} }++ } @{ $cpus->{usable} };
    return $order[0] if @order < 2;
    my $half  = int(@order / 2);
    my $pairs = min($half, max(1, int($copies / 2)));
    return join ',', map { @order[ $_, $_ + $half ] } 0 .. $pairs - 1;
}

1;
