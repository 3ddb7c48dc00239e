# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting - waits until something is true, and finds out whether a process has ended.
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

# The most seconds that a test waits for one thing, which takes a moment unless it is broken or the machine
# is very busy. A test may set its own.
our $PATIENCE = 120;

# Returns what the condition gives when it becomes true in time, or else 0.
sub comes {
    my ($condition) = @_;
    my $end = time + $PATIENCE;
    my $value;
    until ($value = $condition->()) {
        return 0 if time > $end;
        sleep 0.01;
    }
    return $value;
}

# Returns the state of a process, such as 'S' or 'Z'. Small systems have /proc and no ps, others the reverse.
sub state_of {
    my ($pid) = @_;
    if (open my $in, '<', "/proc/$pid/stat") {
        my $line = <$in> // '';
        return $line =~ /\) (\w)[^)]*\z/ ? $1 : '';
    }
    my (undef, $state) = Touchstone::Machine::Command::output([ 'ps', '-o', 'stat=', '-p', $pid ]);
    return $state;
}

# True also for a process that has ended and has not been reaped.
sub gone {
    my ($pid) = @_;
    return 1 if !kill 0, $pid;
    my $state = state_of($pid);
    return $state =~ /\A\s*(?:Z|\z)/;
}

1;
