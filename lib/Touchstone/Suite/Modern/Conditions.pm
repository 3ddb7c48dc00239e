# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Modern::Conditions - which results of the suite of 2026 are comparable.
package Touchstone::Suite::Modern::Conditions;
use 5.014;
use strict;
use warnings;

# Another mechanism, such as poll instead of epoll, is other work, and so is a fault of a larger page.
sub conditions {
    my ($record, $row, $test) = @_;
    return { 'mechanism' => $test->{how}, 'page size' => ($test->{figures} || {})->{page} };
}

1;
