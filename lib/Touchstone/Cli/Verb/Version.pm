# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Version - --version.
package Touchstone::Cli::Verb::Version;
use 5.014;
use strict;
use warnings;

use Touchstone;
use Touchstone::Cli::Output;

sub run { return Touchstone::Cli::Output::say("Touchstone $Touchstone::VERSION\n") }

1;
