# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::UnixBench::Conditions - the work of a test as its version has it, if runs are compared.
package Touchstone::Suite::UnixBench::Conditions;
use 5.014;
use strict;
use warnings;

use Touchstone::Suite::UnixBench::Versions qw(series work marks);

# `tool`: { name, version } of a record or a report, whose version may be unknown.
sub work_of {
    my ($tool, $test, $copies, $cpus) = @_;
    return work(_series($tool), $test, $copies, $cpus);
}

sub notes {
    my (@tools) = @_;
    return marks(map { _series($_) } @tools);
}

sub _series {
    my ($tool) = @_;
    return ($tool->{name} // '') eq 'UnixBench' ? series($tool->{version}) : 6;
}

1;
