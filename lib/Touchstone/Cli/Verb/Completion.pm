# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Completion - --completion: the script for a shell.
package Touchstone::Cli::Verb::Completion;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Output;
use Touchstone::Cli::Completion;
use Touchstone::Suite;

sub run {
    my ($want) = @_;
    return Touchstone::Cli::Output::say(
        Touchstone::Cli::Completion::script($want->{completion}, Touchstone::Suite::load()));
}

1;
