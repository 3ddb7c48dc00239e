# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Tool - what a tool says that may be missing, lie where only root's PATH looks, or hang on broken
# hardware.
package Touchstone::Machine::Tool;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);
use Time::HiRes qw(time);

use Touchstone::Machine::Command;

# Seconds after which a tool is ended; they all need less than a tenth of one.
my $PATIENCE = 2;

# Nothing when there is no such tool, or when it fails.
sub answer {
    my ($name, @arguments) = @_;
    my $tool = first { defined Touchstone::Machine::Command::find($_) } $name, "/usr/sbin/$name",
        "/sbin/$name";
    return '' if !defined $tool;
    my $until = time + $PATIENCE;
    my ($status, $text) =
        Touchstone::Machine::Command::output([ $tool, @arguments ], stopped => sub { time > $until });
    return $status == 0 ? $text : '';
}

1;
