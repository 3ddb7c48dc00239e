# SPDX-License-Identifier: GPL-2.0-or-later
# CpuTime - ends a test in which one case hangs, and names the case. It measures CPU time, because on a busy
# machine no case needs more of that.
#
#   my $got = CpuTime::within('mutation 7', sub { read_it($text) });
package CpuTime;
use 5.014;
use strict;
use warnings;

use POSIX ();
use Time::HiRes qw(setitimer ITIMER_VIRTUAL);

# Seconds in user mode. A correct case takes less than one.
our $LONGEST = 20;

# Returns the result of the code, in list or scalar context. When the time is up, `hung` is called, which may
# print more, and the process ends.
sub within {
    my ($what, $code, $hung) = @_;

    # POSIX::sigaction is used because a signal that Perl defers would wait for the very expression that
    # hangs.
    POSIX::sigaction(
        POSIX::SIGVTALRM(),
        POSIX::SigAction->new(
            sub {
                $hung->() if $hung;
                syswrite STDERR, "over $LONGEST s of CPU time for one case: $what\n";
                POSIX::_exit(1);
            }
        )
    );
    setitimer(ITIMER_VIRTUAL, $LONGEST);
    my @got = wantarray ? $code->() : scalar $code->();
    setitimer(ITIMER_VIRTUAL, 0);
    return wantarray ? @got : $got[0];
}

1;
