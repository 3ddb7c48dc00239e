# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Help - --help: the options.
package Touchstone::Cli::Verb::Help;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Output;
use Touchstone::Cli::Help;
use Touchstone::Cli::Manual;
use Touchstone::Terminal;

sub run {
    my $terminal = Touchstone::Terminal->of(\*STDOUT);
    return Touchstone::Cli::Output::say(
        Touchstone::Cli::Help::text(
            $terminal->columns, Touchstone::Cli::Manual::typed(),
            sub { $terminal->painted(strong => $_[0]) }
        )
    );
}

1;
