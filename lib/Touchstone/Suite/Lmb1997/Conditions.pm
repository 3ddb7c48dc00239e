# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Conditions - which results of the tests of 1997 are those of one test.
package Touchstone::Suite::Lmb1997::Conditions;
use 5.014;
use strict;
use warnings;

# A machine with less memory has a smaller array.
sub conditions {
    my ($record, $row, $test) = @_;
    return { 'size of the large array' => ($test->{figures} || {})->{array_kb} };
}

1;
