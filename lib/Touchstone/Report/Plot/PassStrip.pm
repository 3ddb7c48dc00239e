# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::PassStrip - the passes of a test as a little picture for a cell of a table. x is the time, y
# the value, a line the score, and a band its interval. Disturbed passes are rings, whose colour tells the
# cause; outliers are diamonds.
package Touchstone::Report::Plot::PassStrip;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Figure qw(magnitude shown);
use Touchstone::Base::Symbols qw($ARROW);
use Touchstone::Base::Text qw(plural);
use Touchstone::Record::Warnings;
use Touchstone::Report::Plot qw(at axis element picture point);

my ($WIDTH, $HEIGHT, $EDGE, $CORNER) = (150, 32, 4, 3.4);

# A strip is at least this high, as a part of the score, so that passes that hardly differ look alike.
my $LEAST = 0.02;

# Above this many passes dots overlap, so that no pointer finds one of them. They then have no tips: the
# table of passes says the same.
my $MIN_DISTANCE = 33;

# Above this many passes, dots of a kind within a square of this many pixels, the size of a dot, are one: a
# page of many passes stays small, and looks the same.
my ($MANY, $SQUARE) = (1000, 2);

# The head of a column of strips.
our $HEAD = "Each pass, in time\xc2\xa0$ARROW";

# A ring has the class of the colour of the first of its marks that has one. Most are of other processes,
# which need no class.
my @COLOURS = (
    [ red    => 'hollow',        'red: other processes' ],
    [ orange => 'hollow stolen', 'orange: CPU time taken by the hypervisor or a quota' ],
    [ grey   => 'hollow waited', 'grey: another cause' ]
);
my %CLASS = map { $_->[0] => $_->[1] } @COLOURS;

sub _ring {
    my ($pass)   = @_;
    my @marks    = @{ $pass->{marks} } or return;
    my ($colour) = grep { defined } map { Touchstone::Record::Warnings::colour($_) } @marks;
    return $CLASS{ $colour // 'grey' };
}

# Explains the rings of these passes: "Rings: disturbed (red: other processes)."
sub legend {
    my (@passes) = @_;
    my %seen     = map { $_ => 1 } grep { defined } map { scalar _ring($_) } @passes;
    my @phrases  = map { $_->[2] } grep { $seen{ $_->[1] } } @COLOURS;
    return @phrases ? 'Rings: disturbed (' . join('; ', @phrases) . ').' : ();
}

# Draws a strip:
#
#   test        a row
#   passes      those of the model
#   from, to    when the first and the last pass of the copy count began
sub markup {
    my (%is) = @_;
    my ($test, @passes) = ($is{test}, grep { defined $_->{value} } @{ $is{passes} });

    # A stranger's record may hold values that are infinite or no numbers.
    return ''
        if !@passes || grep { $_ - $_ != 0 } $test->{score}, @{ $test->{interval} || [] },
        map { $_->{value} } @passes;
    my @values = ($test->{score}, @{ $test->{interval} || [] }, map { $_->{value} } @passes);
    my $half   = abs($test->{score}) * $LEAST / 2;
    my ($low, $high) = (min(@values, $test->{score} - $half), max(@values, $test->{score} + $half));
    my $y      = axis($low, $high, $HEIGHT - $EDGE, $EDGE);
    my $x      = axis(defined $is{from} ? @is{qw(from to)} : (0, $#passes), $EDGE, $WIDTH - $EDGE)->{at};
    my @places = map { $x->(defined $is{from} ? $passes[$_]{at} // $is{from} : $_) } 0 .. $#passes;
    my @marks  = map { [ $passes[$_], $places[$_], $y->{at}->($passes[$_]{value}) ] } 0 .. $#passes;
    my $tip    = @passes <= $MIN_DISTANCE ? sub { return tip($test, $_[0]) } : sub { return };
    my $score  = $y->{at}->($test->{score});
    return picture(
        width       => $WIDTH,
        height      => $HEIGHT,
        class       => 'strip',
        description => _description($test, @passes),
        content     => [
            $test->{interval} ? _band(map { $y->{at}->($_) } reverse @{ $test->{interval} }) : (),
            element(line => { x1 => 0, x2 => $WIDTH, y1 => $score, y2 => $score, class => 'score' }),
            map { _mark($y, $_->[0], $_->[1], scalar $tip->($_->[0])) }
                @passes > $MANY ? _thinned(@marks) : @marks
        ]
    );
}

# The first of the marks [pass, x, y] that look alike at one place.
sub _thinned {
    my (@marks) = @_;
    my %seen;
    return grep {
        !$seen{ join ' ', _ring($_->[0]) // '', $_->[0]{outlier}, map { int $_ / $SQUARE } @$_[ 1, 2 ] }++
    } @marks;
}

# Says what the strip of a test with so many passes leaves out, or nothing.
sub thinning {
    my ($passes) = @_;
    return $passes > $MANY ? 'Above 1,000 passes, dots of one look at one place are one dot.' : ();
}

sub _band {
    my ($top, $bottom) = @_;
    my $height = max(0.5, at($bottom - $top));
    return element(rect => { x => 0, width => $WIDTH, y => $top, height => $height, class => 'band' });
}

# The style sheet has the size of a dot.
sub _mark {
    my ($axis, $pass, $x, $tip) = @_;
    return point(
        $axis, $pass->{value}, $x, $pass->{outlier} ? (diamond => $CORNER) : (dot => undef),
        class => scalar _ring($pass),
        tip   => $tip
    );
}

# Returns "round 3, 12 s: 3.482 M lps, disturbed by other processes".
sub tip {
    my ($test, $pass) = @_;
    return join ', ',
          "round $pass->{round}"
        . (defined $pass->{at} ? sprintf ', %.0f s', $pass->{at} : '') . ': '
        . value($test, $pass->{value}) . ' '
        . unit($test),
        (
        @{ $pass->{marks} } ? 'disturbed by ' . join ' and ',
        Touchstone::Record::Warnings::causes(@{ $pass->{marks} }) : ()
        ),
        $pass->{outlier} ? 'an outlier' : ();
}

# Shows the value of a pass with the digits of the score, in its thousands or millions: all passes of a test
# in the same ones, whose letter `unit` puts before the unit.
sub value {
    my ($test, $value) = @_;
    my ($divisor) = magnitude(abs $test->{score}, $test->{unit});
    return shown($value / $divisor, $test->{interval} && [ map { $_ / $divisor } @{ $test->{interval} } ]);
}

sub unit { my ($test) = @_; return (magnitude(abs $test->{score}, $test->{unit}))[1] }

sub _description {
    my ($test, @passes) = @_;
    my $disturbed = grep { @{ $_->{marks} } } @passes;
    my $outliers  = grep { $_->{outlier} } @passes;
    my @values    = sort { $a <=> $b } map { $_->{value} } @passes;
    return
          plural(scalar @passes, 'pass', 'passes')
        . " of $test->{title}, "
        . join(' to ', map { value($test, $_) } @values > 1 ? @values[ 0, -1 ] : @values) . ' '
        . unit($test)
        . ($disturbed ? ", $disturbed disturbed"   : '')
        . ($outliers  ? ', outliers: ' . $outliers : '');
}

1;
