# SPDX-License-Identifier: GPL-2.0-or-later
# Amount - how many cases a test tries: few in `make check`, many in `make check-all`, which sets
# TOUCHSTONE_ALL.
#
#   for my $n (1 .. Amount::of(6, 60)) { ... }
#   for my $case (Amount::some(3, @CASES)) { ... }    every third, or all
package Amount;
use 5.014;
use strict;
use warnings;

sub of { my ($few, $many) = @_; return is_all() ? $many : $few }

sub some {
    my ($every, @all) = @_;
    return @all[ grep { $_ % of($every, 1) == 0 } 0 .. $#all ];
}

sub is_all { return length($ENV{TOUCHSTONE_ALL} // '') ? 1 : 0 }

1;
