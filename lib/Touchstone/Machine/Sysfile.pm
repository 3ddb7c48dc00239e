# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Sysfile - reads small files such as those of /proc and /sys. A file that is missing or cannot be
# read is undef, never an error.
package Touchstone::Machine::Sysfile;
use 5.014;
use strict;
use warnings;

use Cwd ();

sub text {
    my ($file) = @_;
    open my $in, '<:raw', $file or return;
    local $/;
    my $text = <$in>;
    close $in;
    return $text;
}

# Returns the first line without the blanks around it.
sub line {
    my ($file) = @_;
    my $text   = text($file) // return;
    my ($line) = $text =~ /\A[ \t]*([^\n]*?)[ \t]*(?:\n|\z)/;
    return $line;
}

# Returns the names in a directory, sorted; nothing if it cannot be read.
sub names {
    my ($directory) = @_;
    opendir my $dir, $directory or return;
    my @names = sort grep { !/\A\.\.?\z/ } readdir $dir;
    closedir $dir;
    return @names;
}

# Returns the path where a link, or a chain of links, ends, or nothing.
sub target {
    my ($link) = @_;
    return -e $link ? eval { Cwd::realpath($link) } : undef;
}

# Says whether a file exists. The existence of a file that only root may read is a fact too.
sub present {
    my ($file) = @_;
    return -e $file ? 1 : 0;
}

# Returns the folders of the control groups around this process, each of which may limit it, as a list with
# the innermost group first, for each place where the groups of a controller (cpu,
# memory) may be mounted in versions 2 and 1. `root` stands before /proc and /sys, for tests.
sub cgroup_folders {
    my ($controller, $root) = @_;
    my @lists;
    for my $line (split /\n/, text("$root/proc/self/cgroup") // '') {
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
