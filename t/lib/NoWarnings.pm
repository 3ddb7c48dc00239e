# SPDX-License-Identifier: GPL-2.0-or-later
# NoWarnings - a warning of Perl, at compile time or later, fails the test that uses this module. Modules that
# are used after it are watched too.
package NoWarnings;
use 5.014;
use strict;
use warnings;

use Test::More;

$SIG{__WARN__} = sub { fail("no warning: $_[0]") };

1;
