# SPDX-License-Identifier: GPL-2.0-or-later
# Cases - the parts of a long test, which can be played alone: TOUCHSTONE_CASES is a pattern for their names.
#
#   shows 'a link that is cut for a while is no matter' => sub { ok(...) };
package Cases;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Test::More;

our @EXPORT = qw(shows);

my $ONLY = $ENV{TOUCHSTONE_CASES} // '';

sub shows {
    my ($name, $code) = @_;
    return if $name !~ /(?:$ONLY)/;
    return subtest($name => $code);
}

1;
