# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Cgroup - the folders of the control groups around this process: each, up to the root, may limit
# it.
package Touchstone::Machine::Cgroup;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Sysfile;

# Returns a list of folders, the innermost group first, for each place where the groups of a controller (cpu,
# memory) may be mounted in versions 2 and 1. `root` stands before /proc and /sys, for tests.
sub folders {
    my ($controller, $root) = @_;
    my @lists;
    for my $line (split /\n/, Touchstone::Machine::Sysfile::text("$root/proc/self/cgroup") // '') {
        my ($controllers, $path) = $line =~ /^\d+:([^:]*):(.*)/ or next;
        next if length $controllers && !grep { $_ eq $controller } split /,/, $controllers;
        my @groups;
        for (my $group = $path; $group =~ m{[^/]}; $group =~ s{/+[^/]*\z}{}) { push @groups, $group }
        push @lists, map {
            my $base = "$root/sys/fs/cgroup$_";
            [ map { "$base$_" } @groups, '' ]
        } length $controllers ? ("/$controller", "/$controllers") : ('', '/unified');
    }
    return @lists;
}

1;
