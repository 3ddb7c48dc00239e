# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Command - runs a tool of the system that is not measured (uname, df, make) and returns its output.
# No shell is involved.
package Touchstone::Machine::Command;
use 5.014;
use strict;
use warnings;

use Errno ();
use List::Util qw(first);
use POSIX ();
use Time::HiRes qw(time);

my $NOT_STARTED = 127;

# Every this many seconds it looks whether the user wants to stop.
my $TICK = 0.2;

# Returns the (status, output) of a command. With `errors` standard error is part of the output, otherwise it
# is dropped. Status -1 means that the command could not be started, and the output says why. When `stopped`
# returns true, the command is ended with all that it started. `meanwhile` is called every now and then while
# it runs. It does not use open '-|', which would try for
# ever when no process is left.
sub output {
    my ($command, %how) = @_;
    pipe my $out, my $write or return (-1, "cannot make a pipe: $!");

    # Output is bytes, whatever layers the environment of Perl gives to handles.
    binmode $out;
    my $pid = start_child(sub { _become($command, $write, %how) });
    return (-1, "cannot start a process: $!") if !defined $pid;
    POSIX::setpgid($pid, $pid)                if $how{stopped};
    close $write;
    my $text = _read_all($out, $pid, @how{qw(stopped while_waiting)});
    1 while waitpid($pid, 0) == -1 && $!{EINTR};
    return ($?, $text) if $? >> 8 != $NOT_STARTED || find($command->[0]);
    return (-1, "'$command->[0]' is not installed");
}

sub _read_all {
    my ($out, $pid, $stopped, $while_waiting) = @_;
    my $text = '';
    while (1) {
        $while_waiting->() if $while_waiting;
        my $ready = '';
        vec($ready, fileno $out, 1) = 1;
        if ($stopped && $stopped->()) { kill 'TERM', -$pid; $stopped = undef }
        next if select($ready, undef, undef, $TICK) <= 0;
        my $n = sysread $out, $text, 65536, length $text;
        return $text if !$n && !$!{EINTR};
    }
    return;
}

sub _become {
    my ($command, $out, %how) = @_;
    POSIX::setpgid(0, 0) if $how{stopped};
    open STDIN,  '<:raw', '/dev/null' or POSIX::_exit($NOT_STARTED);
    open STDOUT, '>&',    $out        or POSIX::_exit($NOT_STARTED);
    if   ($how{errors}) { open STDERR, '>&',    $out        or POSIX::_exit($NOT_STARTED) }
    else                { open STDERR, '>:raw', '/dev/null' or POSIX::_exit($NOT_STARTED) }
    $ENV{LC_ALL} = 'C';
    no warnings 'exec';
    exec { $command->[0] } @$command;
    POSIX::_exit($NOT_STARTED);
}

# Returns the first line of a command's output, or undef if the command fails.
sub first_line {
    my (@command) = @_;
    return if !find($command[0]);
    my ($status, $text) = output(\@command);

    # The output is bytes: without /a the second half of some letters counts as a blank.
    my ($line) = $text =~ /\A\s*([^\n]*?)\s*$/ma;
    return $status == 0 && defined $line && length $line ? $line : undef;
}

# Returns where the PATH has a command, or undef.
sub find {
    my ($name) = @_;
    return -f $name && -x _ ? $name : undef if $name =~ m{/};
    my @places = grep { -f && -x _ } map { ($_ eq '' ? '.' : $_) . "/$name" } split /:/,
        $ENV{PATH} // '/usr/bin:/bin';
    return $places[0];
}

# A tool is ended after this many seconds; they all need less than a tenth of one.
my $PATIENCE = 2;

# Returns the output of a tool that may be missing, may lie where only root's PATH looks, or may hang on
# broken hardware: '' if there is no such tool, or if it fails.
sub tool_output {
    my ($name, @arguments) = @_;
    my $tool = first { defined find($_) } $name, "/usr/sbin/$name", "/sbin/$name";
    return '' if !defined $tool;
    my $until = time + $PATIENCE;
    my ($status, $text) =
        output([ $tool, @arguments ], stopped => sub { time > $until });
    return $status == 0 ? $text : '';
}

my @SIGNALS = qw(INT TERM HUP QUIT PIPE CHLD);

# Forks, and calls `become` in the child, which must exec or leave by POSIX::_exit. Returns the process id of
# the child, or undef with the cause in $!. Signals wait until the child has none of Perl's handlers any more:
# one that came earlier would be caught by such a handler, complained of, and lost.
sub start_child {
    my ($become) = @_;
    my $all      = POSIX::SigSet->new(map { POSIX->can("SIG$_")->() } @SIGNALS);
    my $before   = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $all, $before);
    my $pid   = fork;
    my $error = $!;
    if (defined $pid && !$pid) {
        $SIG{$_} = 'DEFAULT' for grep { defined $SIG{$_} && $SIG{$_} ne 'IGNORE' || $_ eq 'PIPE' } @SIGNALS;
        POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
        $become->();
        POSIX::_exit(1);
    }
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    $! = $error;
    return $pid;
}

1;
