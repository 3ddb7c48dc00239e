# SPDX-License-Identifier: GPL-2.0-or-later
# Command - runs a tool of the system that is not measured (uname, df, make) and gives back what it said. No shell.
package Touchstone::Command;
use 5.014;
use strict;
use warnings;

use Errno ();
use POSIX ();

# (status, output) of a command; standard error is part of the output when `errors` is set, otherwise it is dropped.
# Status -1: it could not be started, and the output says why.
sub output {
    my ($command, %how) = @_;
    my $pid = open my $out, '-|';
    return (-1, "cannot start a process: $!") if !defined $pid;
    if (!$pid) {
        open STDIN, '<', '/dev/null' or POSIX::_exit(127);
        if ($how{errors}) { open STDERR, '>&', \*STDOUT or POSIX::_exit(127) }
        else              { open STDERR, '>', '/dev/null' or POSIX::_exit(127) }
        $ENV{LC_ALL} = $how{locale} || 'C';
        no warnings 'exec';
        exec { $command->[0] } @$command;
        POSIX::_exit(127);
    }
    local $/;
    my $text = <$out> // '';
    close $out;
    return ($?, $text) if $? >> 8 != 127 || find($command->[0]);
    return (-1, "'$command->[0]' is not installed");
}

# First line of a command's output, or undef when it fails.
sub first_line {
    my (@command) = @_;
    return if !find($command[0]);
    my ($status, $text) = output(\@command);
    # Octets: without /a the second half of some letters counts as a blank.
    my ($line) = $text =~ /\A\s*([^\n]*?)\s*$/ma;
    return $status == 0 && defined $line && length $line ? $line : undef;
}

# Where the PATH has a command, or undef.
sub find {
    my ($name) = @_;
    return -f $name && -x _ ? $name : undef if $name =~ m{/};
    my @places = grep { -f && -x _ } map { ($_ eq '' ? '.' : $_) . "/$name" } split /:/, $ENV{PATH} // '/usr/bin:/bin';
    return $places[0];
}

1;
