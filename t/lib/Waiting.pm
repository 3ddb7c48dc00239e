# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting - for something to become true, and whether a process has gone.
#
#   ok(comes(sub { gone($pid) }), 'it ends') or kill 'KILL', $pid;
package Waiting;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Time::HiRes qw(sleep time);

use Touchstone::Machine::Command;

our @EXPORT = qw(comes gone);

# Seconds that a test waits at most for one thing, which takes a moment unless it is broken or the machine is
# very busy; its own where it says so.
our $PATIENCE = 120;

# Whether it becomes true in time.
sub comes {
    my ($condition) = @_;
    my $end = time + $PATIENCE;
    until ($condition->()) {
        return 0 if time > $end;
        sleep 0.01;
    }
    return 1;
}

# Also when nobody has reaped it.
sub gone {
    my ($pid) = @_;
    return 1 if !kill 0, $pid;
    my (undef, $state) = Touchstone::Machine::Command::output([ 'ps', '-o', 'stat=', '-p', $pid ]);
    return $state =~ /\A\s*(?:Z|\z)/;
}

1;
