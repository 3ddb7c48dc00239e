# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Tool - the output of a tool that may be missing, may lie where only root's PATH looks, or may hang
# on broken hardware.
package Touchstone::Machine::Tool;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);
use Time::HiRes qw(time);

use Touchstone::Machine::Command;

# A tool is ended after this many seconds; they all need less than a tenth of one.
my $PATIENCE = 2;

# Returns '' if there is no such tool, or if it fails.
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
