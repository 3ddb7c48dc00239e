# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Score - a score as people read it, with its unit: "38.4 M lps", "48.1 us" for a unit of fixed work.
package Touchstone::Report::Score;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(people seconds);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Report::Fixed;

# `row` is one of the model; `exact` the same in seconds, where it is of fixed work.
sub of {
    my ($row, $exact) = @_;
    return $Touchstone::Report::Fixed::BELOW      if $row->{below};
    return people(@$row{qw(score interval unit)}) if !is_lower_better($row);
    return seconds(@{ $exact || $row }{qw(score interval)});
}

1;
