# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Progress - while a check runs, a terminal shows the remaining time and the figures so far. No
# line stays but that of a build, because the screen of the check has all of them.
package Touchstone::Pack::Check::Progress;
use 5.014;
use strict;
use warnings;

use Touchstone::Terminal::Progress;

our @ISA = ('Touchstone::Terminal::Progress');

my $BUILDS = qr/\Abuilding /;

sub note {
    my ($self, $text) = @_;
    return $text =~ $BUILDS ? $self->SUPER::note($text) : undef;
}

sub trouble { return }

1;
