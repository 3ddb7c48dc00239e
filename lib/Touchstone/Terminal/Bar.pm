# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Bar - how far something has come, as a bar of letters in several widths.
#
#   [===============               ]       ━━━━━━━━━━━━━━━╸──────────────
package Touchstone::Terminal::Bar;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

# A bar has these widths in columns.
my @WIDTHS = (40, 30, 20, 10);

# This is a column that is to come, where there are letters beyond ASCII.
our $EMPTY = "\xe2\x94\x80";

# Each set has the letters for what is done, for half a column of it, for what is to come, and for the ends.
my %ASCII = (full => '=', half => '', empty => ' ', ends => [ '[', ']' ]);
my %LINES = (full => "\xe2\x94\x81", half => "\xe2\x95\xb8", empty => $EMPTY, ends => [ '', '' ]);

# Returns the forms of a bar, the widest first. `utf8`: whether letters beyond ASCII may be used.
sub forms {
    my ($share, %how) = @_;
    my $letters = $how{utf8} ? \%LINES : \%ASCII;
    my ($left, $right) = @{ $letters->{ends} };
    return map { $left . _between($letters, $_ - length "$left$right", $share) . $right } @WIDTHS;
}

# A bar looks full only when all is done.
sub _between {
    my ($letters, $width, $share) = @_;
    my $halves = int 2 * $width * max(0, min(1, $share));
    my $half   = $halves % 2 ? $letters->{half} : '';
    my $full   = int $halves / 2;
    return $letters->{full} x $full . $half . $letters->{empty} x ($width - $full - (length $half ? 1 : 0));
}

1;
