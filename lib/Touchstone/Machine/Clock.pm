# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Clock - the time of day as a record can hold it: seconds since 1970, of eleven digits. A clock
# that was never set may say anything, and one may be set while a run goes on, whose passes shall be read all
# the same.
package Touchstone::Machine::Clock;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);
use POSIX ();
use Time::HiRes ();

# A time is below this, 5138-11-16, so that sums of some are still within what a calendar can show.
our $END = 1e11;

sub now { return max(0, min($END - 1, Time::HiRes::time())) }

# Dies with a sentence where a record would have no time to begin.
sub check {
    my $time = Time::HiRes::time();
    return if $time >= 0 && $time < $END;
    my $date = POSIX::strftime('%Y-%m-%d', gmtime $time);
    die "the clock says $date, and a record holds times from 1970 to 5138\nset the clock, see date(1)\n";
}

1;
