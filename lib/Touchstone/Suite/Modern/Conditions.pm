# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Modern::Conditions - which results of the suite of 2026 are those of one test.
package Touchstone::Suite::Modern::Conditions;
use 5.014;
use strict;
use warnings;

# Other means, such as poll instead of epoll, are other work, and so is the fault of a larger page.
sub conditions {
    my ($record, $row, $test) = @_;
    return { 'means of its work' => $test->{how}, 'page size' => ($test->{figures} || {})->{page} };
}

1;
