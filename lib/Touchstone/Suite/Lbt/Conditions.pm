# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Conditions - what the tests of the toolkit worked on, where runs are compared.
package Touchstone::Suite::Lbt::Conditions;
use 5.014;
use strict;
use warnings;

sub facts_that_differ {
    return ([ 'kernel source' => 'e kernel' ], [ 'X server' => 'e display' ], [ 'peer' => 'e peer' ]);
}

1;
