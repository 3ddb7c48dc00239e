# SPDX-License-Identifier: GPL-2.0-or-later
# Near - near(GOT, EXPECTED, NAME, WITHIN) tests that two numbers differ by at most WITHIN; without it, by a
# billionth of what is expected.
package Near;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Test::More;

our @EXPORT = qw(near);

sub near {
    my ($got, $expected, $name, $within) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return ok(defined $got && abs($got - $expected) <= ($within // 1e-9 * abs $expected), $name)
        || diag('got ', $got // 'nothing', ", expected $expected");
}

1;
