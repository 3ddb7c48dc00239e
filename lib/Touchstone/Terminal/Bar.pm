# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Bar - how far something has come, as a bar of letters: a segment for each round, or one piece if
# there are many rounds.
#
#   [====|====|==  |    |    |    ]       [==================            ]
package Touchstone::Terminal::Bar;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min);

# With this many rounds or more, segments are too narrow to be told apart.
my $MANY = 10;

# A segment, and a bar of one piece, have these widths in columns, one for each form.
my @SEGMENT = (4,  2,  1);
my @PIECE   = (30, 20, 10);

# Each set has the letters for full, empty, the edges and the place between segments.
my %ASCII = (full => '=', empty => ' ', left => '[', right => ']', between => '|');
my %LINES = (%ASCII, full => "\xe2\x94\x81", between => "\xe2\x94\x82");

# Returns the forms of a bar, the widest first:
#
#   rounds    a list of [passes done, passes], one for each round
#   utf8      whether letters beyond ASCII may be used
sub forms {
    my (%of) = @_;
    my @rounds = grep { $_->[1] } @{ $of{rounds} } or return;
    my ($widths, @parts) = @rounds > 1 && @rounds < $MANY ? (\@SEGMENT, @rounds) : (
        \@PIECE,
        [
            map {
                my $i = $_;
                sum(map { $_->[$i] } @rounds)
            } 0,
            1
        ]
    );
    my $letters = $of{utf8} ? \%LINES : \%ASCII;
    return map {
        my $width = $_;
        $letters->{left}
            . join($letters->{between}, map { _segment($letters, $width, @$_) } @parts)
            . $letters->{right}
    } @$widths;
}

# A segment looks full only when all of its passes are done.
sub _segment {
    my ($letters, $width, $done, $all) = @_;
    my $full = min($width, int $width * $done / $all);
    return $letters->{full} x $full . $letters->{empty} x ($width - $full);
}

1;
