# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Help - --help: the options.
package Touchstone::Cli::Verb::Help;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Answer;
use Touchstone::Cli::Manual;
use Touchstone::Cli::Options;
use Touchstone::Terminal;

# The help uses the name by which the command was called.
sub run {
    my $columns = Touchstone::Terminal->of(\*STDOUT)->columns;
    return Touchstone::Cli::Answer::say(
        Touchstone::Cli::Options::help($columns, Touchstone::Cli::Manual::called()));
}

1;
