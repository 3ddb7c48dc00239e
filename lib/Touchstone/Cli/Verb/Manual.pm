# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Manual - --man: the manual, page by page where standard output is a terminal.
package Touchstone::Cli::Verb::Manual;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Cli::Output;
use Touchstone::Cli::Manual;
use Touchstone::Cli::Pager;
use Touchstone::Record;
use Touchstone::Terminal;

# The manual of an installed command has that command's name.
sub run {
    my ($want, %at) = @_;
    my $pod     = Touchstone::Record->text_of($at{manual});
    my $columns = Touchstone::Terminal->of(\*STDOUT)->columns;
    $pod = Touchstone::Cli::Manual::installed($pod)
        if Touchstone::Base::Places::kind($at{base}) eq 'installed';
    my $text = Touchstone::Cli::Manual::text($pod, $columns);
    return 0 if defined $columns && Touchstone::Cli::Pager::show($text);
    return Touchstone::Cli::Output::say($text);
}

1;
