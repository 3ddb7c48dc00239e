# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Counters - what the system counts all the time (stolen time, throttling, pressure, swapping, CPU
# time of all processes), read before and after a pass. `since` returns what happened between two looks:
#
#   { seconds    => 1.13,     between the looks
#     other      => 0.01,     CPU seconds of processes that are not ours
#     steal      => 0,        CPU seconds that the hypervisor kept
#     throttled  => 0,        seconds in which our cgroup had to wait for its quota
#     swapped    => 0,        pages to and from swap
#     psi_cpu    => 0.002,    seconds in which some process waited for a CPU,
#     psi_io     => 0,        for a disk,
#     psi_memory => 0,        for memory
#     mhz        => 3100,     mean clock of the CPUs at the end
#     hot        => 0 }       times that a CPU slowed down because of heat
#
# A key is absent if the system does not count it.
package Touchstone::Machine::Counters;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use POSIX ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Machine::Sysfile;

# A machine with hundreds of CPUs has hundreds of files for each of these counters: those of a few CPUs tell
# enough.
my $LOOKED_AT = 8;

# `root` stands before /proc and /sys, for tests.
sub new {
    my ($class, $cpus, $root) = @_;
    $root //= '';
    my @some = @{ $cpus->{usable} };
    splice @some, $LOOKED_AT if @some > $LOOKED_AT;
    my $tick = POSIX::sysconf(POSIX::_SC_CLK_TCK()) || 100;
    return bless {
        root    => $root,
        tick    => $tick,
        cgroups => [ _cgroups($root) ],
        speed => [ grep { -r } map { "$root/sys/devices/system/cpu/cpu$_/cpufreq/scaling_cur_freq" } @some ],
        heat  => [
            grep { -r }
            map  { "$root/sys/devices/system/cpu/cpu$_/thermal_throttle/core_throttle_count" } @some
        ],
    }, $class;
}

# Returns the files in which the cgroups around this process count their throttling. Each group with a CPU
# controller, up to the root, may have a quota.
sub _cgroups {
    my ($root) = @_;
    for my $folders (Touchstone::Machine::Sysfile::cgroup_folders('cpu', $root)) {
        my @files = grep { (Touchstone::Machine::Sysfile::text($_) // '') =~ /^nr_throttled /m }
            map { "$_/cpu.stat" } @$folders;
        return @files if @files;
    }
    return;
}

# Returns all counters as they are now.
sub look {
    my ($self) = @_;
    my $proc   = "$self->{root}/proc";
    my %now    = (seconds => clock_gettime(CLOCK_MONOTONIC), own => sum(times));
    if ((Touchstone::Machine::Sysfile::text("$proc/stat") // '') =~ /^cpu +(\d{1,20}(?: \d{1,20}){3,})(?!\d)/)
    {
        my ($user, $nice, $system, undef, undef, $irq, $softirq, $steal) =
            map { $_ / $self->{tick} } split / /, $1;
        $now{busy}  = $user + $nice + $system + ($irq // 0) + ($softirq // 0);
        $now{steal} = $steal;
    }
    for my $what (qw(cpu io memory)) {
        $now{"psi_$what"} = $1 / 1e6
            if (Touchstone::Machine::Sysfile::text("$proc/pressure/$what") // '') =~
            /^some .*\btotal=(\d{1,20})(?!\d)/;
    }
    my %pages =
        (Touchstone::Machine::Sysfile::text("$proc/vmstat") // '') =~ /^(pswpin|pswpout) (\d{1,20})$/mg;
    $now{swapped}   = $pages{pswpin} + $pages{pswpout} if keys %pages == 2;
    $now{throttled} = sum(grep { defined } map { _throttled($_) } @{ $self->{cgroups} });
    $now{hot} =
        sum(map { (Touchstone::Machine::Sysfile::line($_) // '') =~ /^(\d{1,20})$/ ? $1 : 0 }
            @{ $self->{heat} })
        if @{ $self->{heat} };
    $now{mhz} = $self->_mhz;
    return \%now;
}

# Version 2 counts microseconds, version 1 nanoseconds.
sub _throttled {
    my ($file) = @_;
    my $text = Touchstone::Machine::Sysfile::text($file) // '';
    return
          $text =~ /^throttled_usec (\d{1,20})$/m ? $1 / 1e6
        : $text =~ /^throttled_time (\d{1,20})$/m ? $1 / 1e9
        :                                           undef;
}

sub _mhz {
    my ($self) = @_;
    my @khz =
        grep { defined && /^\d{1,20}$/ } map { Touchstone::Machine::Sysfile::line($_) } @{ $self->{speed} };
    return @khz ? sum(@khz) / @khz / 1e3 : undef;
}

# Returns what happened between two looks.
sub since {
    my ($before, $after) = @_;
    my %past = map { $_ => $after->{$_} - $before->{$_} }
        grep { defined $before->{$_} && defined $after->{$_} && $_ ne 'mhz' } keys %$after;
    my ($busy, $process) = delete @past{qw(busy own)};
    $past{other} = $busy - $process if defined $busy;
    $past{mhz}   = $after->{mhz}    if defined $after->{mhz};

    # Counters of time are rounded separately, and some start again from 0: a negative difference means that
    # nothing happened.
    $_ = $_ > 0 ? sprintf('%.6f', $_) + 0 : 0 for values %past;
    return \%past;
}

1;
