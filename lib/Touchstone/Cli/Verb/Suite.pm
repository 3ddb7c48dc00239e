# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Suite - an option of a suite that does something else than measure: the suite has the answer.
package Touchstone::Cli::Verb::Suite;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Cli::Output;
use Touchstone::Cli::Options;

sub run {
    my ($want, %at) = @_;
    my $verb = Touchstone::Cli::Options::suite_verb($want);
    return Touchstone::Cli::Output::say($verb->{answer}->($want, Touchstone::Base::Places::find($at{base})));
}

1;
