# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Process - starts a child that no signal finds unprepared.
package Touchstone::Machine::Process;
use 5.014;
use strict;
use warnings;

use POSIX ();

my @SIGNALS = qw(INT TERM HUP QUIT PIPE CHLD);

# Forks, and calls `become` in the child, which must exec or leave by POSIX::_exit. Returns the process id of
# the child, or undef with the cause in $!. Signals wait until the child has none of Perl's handlers any more:
# one that came earlier would be caught by such a handler, complained of, and lost.
sub start {
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
