# SPDX-License-Identifier: GPL-2.0-or-later
# Left - makes prove say, before its summary, how many test files it was not given:
#
#   perl -It/lib -S prove -PLeft=48 ...
package Left;
use 5.014;
use strict;
use warnings;

use TAP::Formatter::Base;

sub load {
    my (undef, $prove) = @_;
    my ($files) = @{ $prove->{args} };
    my $summarise = \&TAP::Formatter::Base::summary;
    no warnings 'redefine';
    *TAP::Formatter::Base::summary = sub {
        print "$files test files take longer, and are left to make check-all (t/slow)\n";
        goto &$summarise;
    };
    return 1;
}

1;
