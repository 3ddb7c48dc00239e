# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Storage::Conditions - which results of this suite are comparable.
package Touchstone::Suite::Storage::Conditions;
use 5.014;
use strict;
use warnings;

# A disk has more of a smaller file in its cache, and a flush after each write is other work.
sub conditions {
    my ($record, $row, $test) = @_;
    return { 'mechanism' => $test->{how}, 'file size' => ($test->{figures} || {})->{size} };
}

1;
