# SPDX-License-Identifier: GPL-2.0-or-later
# Lab::Cgroup - each host of a lab in a group of processes that can have less than a CPU, in version 1 or 2 of
# Linux's control groups. Where neither is there, hosts have none.
package Lab::Cgroup;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path);
use POSIX ();
use Time::HiRes qw(sleep);

use Lab;

# Where groups of processes can be limited: { kind => 1 or 2, at => directory }, or nothing.
sub cgroups {
    my ($lab) = @_;
    my %at;
    for (split /\n/, slurp('/proc/self/mounts')) {
        my (undef, $where, $type, $options) = split ' ';
        $at{1} = $where if $type eq 'cgroup'  && $options                           =~ /(?:\A|,)cpu(?:,|\z)/;
        $at{2} = $where if $type eq 'cgroup2' && slurp("$where/cgroup.controllers") =~ /\bcpu\b/;
    }
    my ($kind) = sort keys %at or return;
    return { kind => $kind, at => "$at{$kind}/touchstone-lab" . $lab =~ s/[^\w.]/-/gr };
}

sub enter {
    my ($lab, $n) = @_;
    my $groups = cgroups($lab) or return;
    make_path("$groups->{at}/$n", { error => \my $ignored });
    if ($groups->{kind} == 2) {
        eval { spew("$_/cgroup.subtree_control", "+cpu\n") } for dirname($groups->{at}), $groups->{at};
    }
    eval { spew("$groups->{at}/$n/cgroup.procs", "0\n") };
    return;
}

# A group can be removed when the last of its processes has left, which may be a moment after its end.
sub remove {
    my ($lab) = @_;
    my $groups = cgroups($lab) or return;
    for (1 .. 100) {
        rmdir $_ for glob("\Q$groups->{at}\E/*"), $groups->{at};
        return if !-e $groups->{at};
        sleep 0.05;
    }
    return;
}

sub quota {
    my ($lab, $n, $share) = @_;
    die "lab: quota takes a share of one CPU, such as 0.85, or none\n"
        if ($share // '') !~ /\A(?:none|\d+(?:\.\d+)?)\z/;
    my $groups = cgroups($lab) or die "lab: there are no cgroups with a quota here\n";
    my $period = 20_000;
    my $quota  = $share eq 'none' ? undef : POSIX::floor($share * $period);
    my $at     = "$groups->{at}/$n";
    if ($groups->{kind} == 2) { spew("$at/cpu.max", ($quota // 'max') . " $period\n") }
    else {
        spew("$at/cpu.cfs_period_us", "$period\n");
        spew("$at/cpu.cfs_quota_us",  ($quota // -1) . "\n");
    }
    return;
}

1;
