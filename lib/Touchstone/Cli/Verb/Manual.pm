# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Manual - --man: the manual.
package Touchstone::Cli::Verb::Manual;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Cli::Answer;
use Touchstone::Cli::Manual;
use Touchstone::Record;

# The manual of an installed command has that command's name.
sub run {
    my ($want, %at) = @_;
    my $pod = Touchstone::Record->text_of($at{manual});
    return Touchstone::Cli::Answer::say(
        Touchstone::Cli::Manual::text(
            Touchstone::Base::Places::is_source($at{base}) ? $pod : Touchstone::Cli::Manual::installed($pod)
        )
    );
}

1;
