# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::Quantiles - how slow the slowest operations of a test were, as a picture: a line for each run,
# or for each copy count of one. Both scales are logarithmic, so that one in a hundred and one in a thousand
# have as much room as half of all:
#
#   Wake-up lateness
#    Time
#   1 ms |                            o
#        |                   _.-|-'
#  100 us|          _.-|--'
#        |  |---'|
#   10 us|  50 %  90 %  99 %  99.9 % : worst
#             Share of the wake-ups
#
# The bars are 95 % intervals. The worst has none, and stands apart: it is one operation.
package Touchstone::Report::Plot::Quantiles;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(seconds);
use Touchstone::Report::Plot qw(at axis chart element escaped point shape through ticks uprights);
use Touchstone::Report::Tails;

# Runs differ in colour and in the form of their marks.
our $CSS = <<'CSS';
.tails { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); gap: .4rem 2rem; align-items: start; }
.tails figure { margin: .6rem 0; min-width: 0; }
.tails figcaption small { font-weight: 400; display: block; }
.tail0 { color: var(--accent); }
.tail1 { color: var(--second); }
.tail2 { color: var(--ink); }
.tail3 { color: var(--good); }
.tails path.curve, .legend path.curve { stroke: currentColor; fill: none; stroke-width: 1.75; }
.tails path.far { stroke: currentColor; fill: none; stroke-dasharray: 2 4; }
.tails path.limits { stroke: currentColor; fill: none; stroke-width: 1.25; }
.tails .one { fill: var(--ground); stroke: currentColor; stroke-width: 1.5; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: .4rem 0; padding: 0; list-style: none; font-size: .9rem; }
.legend svg { display: inline-block; vertical-align: middle; margin-right: .4rem; }
.legend li { color: var(--ink); overflow-wrap: anywhere; }
@media print { .tails { grid-template-columns: 1fr 1fr; } .legend { font-size: 8pt; } }
CSS

# More lines than these cannot be distinguished.
our $LINES = 4;

# The size of a picture, and where its scales begin and end.
my ($WIDTH, $LEFT, $RIGHT, $TOP, $BOTTOM) = (420, 58, 400, 24, 196);

# The end of the scale of shares; the worst operation is drawn beyond it, at one in $WORST. Minimum distance
# between the marks of several runs.
my ($SCALE_ENDS, $WORST, $MIN_DISTANCE) = (330, 4000, 7);

# A scale spans at least this factor, has so much room above and below, and about so many ticks.
my ($LEAST, $MARGIN, $TICKS) = (4, 1.15, 6);

my @SHARES = ([ 0.5 => '50 %' ], [ 0.9 => '90 %' ], [ 0.99 => '99 %' ], [ 0.999 => '99.9 %' ]);

# A picture of { title, lines => [ { name, tail, place } ] }, or nothing if no line has a point. `place`: in
# the legend, where some of its runs have no line.
sub picture {
    my (%is) = @_;
    my @lines = grep { @{ $_->{tail}{points} } } @{ $is{lines} } or return '';
    splice @lines, $LINES if @lines > $LINES;
    my @tails = map { $_->{tail} } @lines;
    my ($axis, $y) = _axes(@tails);
    my @shares = _shares(@tails);
    my $x      = axis(@$axis);
    my $ends   = $shares[-1][0] == $WORST ? $RIGHT : $SCALE_ENDS;
    my @drawn  = map { _line($lines[$_]{place} // $_, $axis, $y, scalar @lines, $lines[$_]) } 0 .. $#lines;
    unshift @drawn, element(path => { class => 'axis', d => "M$SCALE_ENDS ${TOP}V$BOTTOM" })
        if $ends == $RIGHT;
    return chart(
        title       => $is{title},
        description => "$is{title}: " . join('; ', map { _words($_, scalar @lines) } @lines) . '.',
        x           => $x,
        y           => $y,
        ticks       => [ \@shares,                      [ map { [ $_, _round($_) ] } ticks($y, $TICKS) ] ],
        titles      => [ "Share of the $tails[0]{of}s", $tails[0]{late} ? 'Late by' : 'Time' ],
        frame       => [ $LEFT,                         $ends, $TOP, $BOTTOM ],
        room        => $WIDTH - $ends,
        crossed     => 1,
        content     => \@drawn
    );
}

sub _words {
    my ($line, $many) = @_;
    my $text = Touchstone::Report::Tails::sentence($line->{tail});
    return $many > 1 ? "$line->{name}: " . lcfirst $text : lcfirst $text;
}

# What the lines of several pictures are.
sub legend {
    my (@names) = @_;
    splice @names, $LINES if @names > $LINES;
    return '' if @names < 2;
    return join '', qq{<ul class="legend">\n}, (
        map {
            my $mark = element(
                svg => { width => 34, height => 14, class => "tail$_", 'aria-hidden' => 'true' },
                element(path => { class => 'curve', d => 'M0 7H34' }),
                _mark($_, 17, 7)
            );
            "<li>$mark" . escaped($names[$_]) . "</li>\n"
        } 0 .. $#names
        ),
        "</ul>\n";
}

# The axis of shares is one of odds, on which the worst stands behind the others.
sub _axes {
    my (@tails) = @_;
    my @known = grep { defined && $_ > 0 }
        map {
        ($_->{worst}, map { ($_->[1], @{ $_->[2] || [] }) } @{ $_->{points} })
        } @tails;
    my ($low, $high) = (min(@known) / $MARGIN, max(@known) * $MARGIN);
    my $wider = sqrt max(1, $LEAST / ($high / $low));
    return (
        [ 2, $WORST, $LEFT + 20, $RIGHT - 34, log => 10 ],
        axis($low / $wider, $high * $wider, $BOTTOM, $TOP, log => 10)
    );
}

# Returns a tick for each share that any of these has, and for the worst.
sub _shares {
    my (@tails) = @_;
    my %has = map { $_->[0] => 1 } map { @{ $_->{points} } } @tails;
    return (
        (map { [ _odds($_->[0]), $_->[1] ] } grep { $has{ $_->[0] } } @SHARES),
        (grep { defined $_->{worst} } @tails) ? [ $WORST, 'worst' ] : ()
    );
}

sub _odds { my ($share) = @_; return 1 / (1 - $share) }

# "10 ms": a tick is a round number.
sub _round { my ($seconds) = @_; return seconds($seconds) =~ s/\.0+(?= )//r }

sub _line {
    my ($place, $axis, $y, $many, $line) = @_;
    my ($from, $to, $start, $end, @log)  = @$axis;
    my $shift   = $MIN_DISTANCE * ($place - ($many - 1) / 2);
    my $x       = axis($from, $to, $start + $shift, $end + $shift, @log);
    my $name    = $many > 1 ? "$line->{name}, " : '';
    my $worst   = $line->{tail}{worst};
    my @points  = map { [ _odds($_->[0]), $_->[1], $_ ] } @{ $line->{tail}{points} };
    my @content = element(path => { class => 'curve', d => through($x, $y, @points) });
    push @content, element(path => { class => 'limits', d => _limits($x, $y, $_->[0], @{ $_->[2][2] }) })
        for grep { $_->[2][2] } @points;
    push @content, map {
        _mark($place, $x->{at}->($_->[0]), $y->{at}->($_->[1]), tip => $name . _words_of(@{ $_->[2] }))
    } @points;
    push @content, element(path => { class => 'far', d => through($x, $y, $points[-1], [ $WORST, $worst ]) }),
        point(
        $y, $worst, $x->{at}->($WORST),
        dot   => 4,
        class => 'one',
        tip   => "${name}worst: " . seconds($worst)
        ) if defined $worst;
    return element(g => { class => "tail$place" }, @content);
}

# An interval has a short line at each end.
sub _limits {
    my ($x, $y, $odds, @limits) = @_;
    my $left = at($x->{at}->($odds) - 3);
    return uprights($x, $y, [ $odds, @limits ]) . join '', map { "M$left " . $y->{at}->($_) . 'h6' } @limits;
}

sub _words_of {
    my ($share, @time) = @_;
    my ($title) = map { $_->[1] } grep { $_->[0] == $share } @SHARES;
    return "$title: " . Touchstone::Report::Tails::within(@time);
}

# Each line has marks of its own form.
my @MARKS = ([ dot => 3.5 ], [ diamond => 4.5 ], [ square => 3.5 ], [ up => 4.5 ]);

sub _mark {
    my ($place, $x, $y, @tip) = @_;
    return shape(@{ $MARKS[$place] }, $x, $y, fill => 'currentColor', @tip);
}

1;
