# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Detached - work that goes on without the terminal, or the connection, that it was started from.
#
#   my $child = Touchstone::Pack::Fleet::Detached->start($log);    in the process that was called: its exit status
#   return $child->wait_for_begin if $child->is_parent;    when the work has begun, or could not begin
#   ...
#   $child->begun;                                         in the other: from now on it is alone
#
# Until then both have the same streams, so that whoever called is told of every trouble.
package Touchstone::Pack::Fleet::Detached;
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_GETFD FD_CLOEXEC);
use IO::Handle;
use POSIX ();

use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;

# The child leads a session of its own, which the end of a connection does not reach.
sub start {
    my ($class, $log) = @_;
    pipe my $out, my $in or die "cannot make a pipe: $!\n";
    $_->flush for \*STDOUT, \*STDERR;

    # Where it was ignored, nobody could ask how the child ended.
    $SIG{CHLD} = 'DEFAULT';
    my $pid = fork // die "cannot start another process: $!\n";
    if ($pid) {
        close $in;
        return bless { pid => $pid, out => $out }, $class;
    }
    close $out;
    POSIX::setsid();
    $SIG{HUP} = 'IGNORE';
    _let_go();
    open STDIN, '<:raw', '/dev/null' or die "cannot open '/dev/null': $!\n";
    return bless { in => $in, log => $log }, $class;
}

# Whoever called may wait for the end of a pipe that it left open for us. What we opened ourselves would be
# closed in programs that we start, and so can be told.
sub _let_go {
    for my $number (map { /\A(\d+)\z/ && $1 > 2 ? $1 : () } Touchstone::Machine::Sysfile::names('/dev/fd')) {
        open my $handle, '<&=', $number or next;
        my $flags = fcntl $handle, F_GETFD, 0;
        next if !defined $flags || $flags & FD_CLOEXEC;
        close $handle;
    }
    return;
}

sub is_parent { return defined $_[0]{pid} }

# Returns 0 when the work has begun, or else the exit status with which it ended, of which it has told why.
sub wait_for_begin {
    my ($self) = @_;
    my $word = readline $self->{out};
    return 0 if defined $word;
    waitpid $self->{pid}, 0;
    my ($status, $signal) = ($? >> 8, $? & 127);
    die "the measurement was killed by signal $signal before it began\n" if $signal;
    return $status;
}

# What is said from now on stands in the log, behind a line for each process. Where there can be none, the
# work goes on without.
sub begun {
    my ($self) = @_;
    my $in     = delete $self->{in} or return;
    my $log    = eval { Touchstone::Machine::File::opened($self->{log}, append => 1) };
    print STDERR "# what is said from now on is lost: $@" if !$log;
    open $log, '>:raw', '/dev/null' or die "cannot open '/dev/null': $!\n" if !$log;
    for my $stream (\*STDOUT, \*STDERR) {
        $stream->flush;
        open $stream, '>>&', $log or next;
        binmode $stream;
    }
    print STDERR POSIX::strftime("# process $$ begins at %Y-%m-%d %H:%M:%S\n", localtime);
    local $SIG{PIPE} = 'IGNORE';
    syswrite $in, "begun\n";
    close $in;
    return;
}

1;
