# SPDX-License-Identifier: GPL-2.0-or-later
# CpuTime - ends a test in which one case hangs, and says which. CPU time and not time of day: a busy machine
# makes no case hang.
#
#   my $got = CpuTime::within('mutation 7', sub { read_it($text) });
package CpuTime;
use 5.014;
use strict;
use warnings;

use POSIX ();
use Time::HiRes qw(setitimer ITIMER_VIRTUAL);

# Seconds in user mode. No case takes one.
our $LONGEST = 20;

# What the code gives, in list or scalar context. `hung` is done first when the time is up, and may say more;
# then the process ends.
sub within {
    my ($what, $code, $hung) = @_;

    # A signal that Perl defers would wait for the very expression that hangs.
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
