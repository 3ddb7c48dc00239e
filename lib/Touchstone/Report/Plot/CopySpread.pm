# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::CopySpread - how far the copies of a pass are apart, as pictures:
#
#                       slower         |         faster
#   Pipe throughput              . ::.:|::. .
#   Process creation    <  . .   ..  ..|. .  ..     .
#                         -2 %         0        +2 %
#
# A dot is the speed of a copy in a pass, relative to the mean of all copies of that pass. The first copy is
# at the top of its row, the last at the bottom. A copy far beyond the others is an arrow at the edge.
package Touchstone::Report::Plot::CopySpread;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Plot qw(at axis element percents point reach rows side);

# These are the places of the columns: names, scale.
my ($WIDTH, $LEFT, $RIGHT) = (580, 208, 552);

# A row with few copies has a line of dots for each; many copies share lines. The rows of a picture are at
# most this high together: higher ones do not fit on a page of paper.
my ($LINE, $MOST_LINES, $PADDING, $HIGHEST) = (5, 6, 12, 800);

# The scale of all tests of a copy count is at least this wide on each side of the mean, and reaches at most
# $FAR times as far as the middle row.
my ($NARROWEST, $FAR) = (0.001, 12);

sub pictures {
    my ($count, @tests) = @_;
    my @rows  = grep { @{ $_->{parts} || [] } } @tests or return;
    my @reach = map {
        max(map { abs($_ - 1) } map { @$_ } @{ $_->{parts} })
    } @rows;
    my $reach  = 1.001 * max($NARROWEST, reach($FAR, @reach));
    my $axis   = axis(1 - $reach, 1 + $reach, $LEFT, $RIGHT, origin => 1);
    my $lines  = min($count, $MOST_LINES);
    my $height = $LINE * $lines + $PADDING;
    return rows(
        title       => copies($count),
        description => sub { return "Spread between copies, $_[0]. The table has the figures." },
        class       => 'plot',
        width       => $WIDTH,
        height      => $height,
        most        => int($HIGHEST / $height),
        letters     => 30,
        axis        => $axis,
        ticks       => [ percents($axis, 6, 40) ],
        heads       => [ 'slower than the mean', 'faster' ],
        rows        => [ map { _row($axis, $lines, $_) } @rows ]
    );
}

sub _row {
    my ($axis, $lines, $test) = @_;
    my ($typical, $largest) = map { defined $_ ? part($_) : $DASH } @$test{qw(middle largest)};
    my @all  = map  { @$_ } @{ $test->{parts} };
    my @ends = grep { side($axis, $_) } min(@all), max(@all);
    return {
        name => $test->{title},
        tip  => "$test->{title}: median spread $typical, largest $largest",
        draw => sub {
            my ($y) = @_;
            return _dots($axis, $y, $lines, @{ $test->{parts} }),
                map { point($axis, $_, $y, 'dot', 0, class => 'mark') } @ends;
        }
    };
}

# Draws all dots as one path. A dot is a line without length with round ends, and adjacent dots are one line,
# so that thousands of them stay small.
sub _dots {
    my ($axis, $middle, $lines, @passes) = @_;
    my @places = map { {} } 1 .. $lines;
    for my $parts (@passes) {
        $places[ $_ * $lines / @$parts ]{ sprintf '%.0f', $axis->{at}->($parts->[$_]) } = 1
            for grep { !side($axis, $parts->[$_]) } 0 .. $#$parts;
    }
    my $dots = '';
    for my $line (0 .. $#places) {
        my ($position, $y) = ($places[$line], at($middle + $LINE * ($line + 0.5 - $lines / 2)));
        for my $x (grep { !$position->{ $_ - 1 } } sort { $a <=> $b } keys %$position) {
            my $more = 0;
            $more++ while $position->{ $x + $more + 1 };
            $dots .= "M$x ${y}h$more";
        }
    }
    return length $dots ? element(path => { class => 'dots', d => $dots }) : ();
}

1;
