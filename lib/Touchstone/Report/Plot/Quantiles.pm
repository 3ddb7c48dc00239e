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
use Touchstone::Report::Plot qw(at decades escaped element label logarithmic);
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
my ($WIDTH, $HEIGHT, $LEFT, $RIGHT, $TOP, $BOTTOM) = (420, 250, 58, 400, 24, 196);

# The scale of shares ends here; the worst stands behind it. Marks of several runs stand so far apart.
my ($SCALE_ENDS, $APART) = (330, 7);

# A scale spans at least this factor, has so much room above and below, and about so many ticks.
my ($LEAST, $MARGIN, $TICKS) = (4, 1.15, 6);

my @SHARES = ([ 0.5 => '50 %' ], [ 0.9 => '90 %' ], [ 0.99 => '99 %' ], [ 0.999 => '99.9 %' ]);

# A picture of { title, lines => [ { name, tail, place } ] }, or nothing if no line has a point. `place`: in
# the legend, where some of its runs have no line.
sub picture {
    my (%is) = @_;
    my @lines = grep { @{ $_->{tail}{points} } } @{ $is{lines} } or return '';
    splice @lines, $LINES if @lines > $LINES;
    my $scale = _scale(map { $_->{tail} } @lines);
    my $of    = $lines[0]{tail}{of};
    my @drawn = (
        _axes($scale, $lines[0]{tail}),
        map { _line($scale, $lines[$_]{place} // $_, scalar @lines, $lines[$_]) } 0 .. $#lines
    );
    return join '', "<figure>\n<figcaption>", escaped($is{title}), "</figcaption>\n",
        Touchstone::Report::Plot::picture(
        width   => $WIDTH,
        height  => $HEIGHT,
        content => \@drawn,
        says    => "$is{title}: " . join('; ', map { _words($_, scalar @lines) } @lines) . '.'
        ),
        "</figure>\n";
}

sub _words {
    my ($line, $many) = @_;
    my $said = Touchstone::Report::Tails::sentence($line->{tail});
    return $many > 1 ? "$line->{name}: " . lcfirst $said : lcfirst $said;
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

sub _scale {
    my (@tails) = @_;
    my @known = grep { defined && $_ > 0 }
        map {
        ($_->{worst}, map { ($_->[1], @{ $_->[2] || [] }) } @{ $_->{points} })
        } @tails;
    my ($low, $high) = (min(@known) / $MARGIN, max(@known) * $MARGIN);
    my $wider = $LEAST / ($high / $low);
    ($low, $high) = ($low / sqrt $wider, $high * sqrt $wider) if $wider > 1;
    my @shares = _shares(@tails);
    my $odds   = logarithmic(1 / (1 - $SHARES[0][0]), 1 / (1 - $SHARES[-1][0]), $LEFT + 20, $SCALE_ENDS - 16);
    return {
        low    => $low,
        high   => $high,
        x      => sub { return $odds->(1 / (1 - $_[0])) },
        y      => logarithmic($low, $high, $BOTTOM, $TOP),
        worst  => (grep { defined $_->{worst} } @tails) ? ($SCALE_ENDS + $RIGHT) / 2 : undef,
        shares => \@shares
    };
}

# The shares that any of these has.
sub _shares {
    my (@tails) = @_;
    my %has     = map { $_->[0] => 1 } map { @{ $_->{points} } } @tails;
    return grep { $has{ $_->[0] } } @SHARES;
}

sub _axes {
    my ($scale, $tail) = @_;
    my $end   = defined $scale->{worst} ? $RIGHT : $SCALE_ENDS;
    my @drawn = map {
        my $y = $scale->{y}->($_);
        (
            element(path => { class => 'grid', d => "M$LEFT ${y}H$end" }),
            label(_round($_), class => 'dim end', x => $LEFT - 6, y => at($y + 4))
        )
    } _ticks($scale);
    push @drawn, map {
        my $x = $scale->{x}->($_->[0]);
        (
            element(path => { class => 'grid', d => "M$x ${TOP}V$BOTTOM" }),
            label($_->[1], class => 'dim middle', x => $x, y => $BOTTOM + 17)
        )
    } @{ $scale->{shares} };
    push @drawn, element(path => { class => 'axis', d => "M$SCALE_ENDS ${TOP}V$BOTTOM" }),
        label('worst', class => 'dim middle', x => $scale->{worst}, y => $BOTTOM + 17)
        if defined $scale->{worst};
    return (
        @drawn,
        label($tail->{late} ? 'Late by' : 'Time', class => 'dim', x => 0, y => 12),
        label(
            "Share of the $tail->{of}s",
            class => 'dim middle',
            x     => at(($LEFT + $SCALE_ENDS) / 2),
            y     => $BOTTOM + 36
        )
    );
}

# Labels of ticks must not touch: of many within a decade every second or third is left.
sub _ticks {
    my ($scale) = @_;
    my @ticks   = grep { $_ >= $scale->{low} && $_ <= $scale->{high} } decades(@$scale{qw(low high)});
    my $every   = 1 + int(@ticks / ($TICKS + 1));
    return @ticks[ grep { $_ % $every == 0 } 0 .. $#ticks ];
}

# "10 ms": a tick is a round number.
sub _round { my ($seconds) = @_; return seconds($seconds) =~ s/\.0+(?= )//r }

sub _line {
    my ($scale, $place, $many, $line) = @_;
    my $shift  = $APART * ($place - ($many - 1) / 2);
    my @points = map { [ at($scale->{x}->($_->[0]) + $shift), $scale->{y}->($_->[1]), $_ ] }
        @{ $line->{tail}{points} };
    my @content =
        element(path => { class => 'curve', d => 'M' . join 'L', map { "$_->[0] $_->[1]" } @points });
    push @content, map { _limits($scale, $_->[0], @{ $_->[2][2] }) } grep { $_->[2][2] } @points;
    push @content, map { _mark($place, @$_[ 0, 1 ], _tip($line, $many, $_->[2])) } @points;
    push @content, _worst($scale, $points[-1], $shift, $line, $many) if defined $line->{tail}{worst};
    return element(g => { class => "tail$place" }, @content);
}

sub _limits {
    my ($scale, $x, @limits) = @_;
    my ($from, $to) = map { $scale->{y}->($_) } @limits;
    return element(
        path => { class => 'limits', d => join '', map { 'M' . at($x - 3) . " ${_}h6" } $from, $to }),
        element(path => { class => 'limits', d => "M$x ${from}V$to" });
}

sub _tip {
    my ($line, $many, $point) = @_;
    my ($share) = map { $_->[1] } grep { $_->[0] == $point->[0] } @SHARES;
    return
          ($many > 1 ? "$line->{name}, " : '')
        . "$share: "
        . Touchstone::Report::Tails::within(@$point[ 1, 2 ]);
}

# The worst is one operation, whose mark is open.
sub _worst {
    my ($scale, $last, $shift, $line, $many) = @_;
    my $worst = $line->{tail}{worst};
    my ($x, $y) = (at($scale->{worst} + $shift), $scale->{y}->($worst));
    my $tip = ($many > 1 ? "$line->{name}, " : '') . 'worst: ' . seconds($worst);
    return (
        element(path => { class => 'far', d => "M$last->[0] $last->[1]L$x $y" }),
        element(
            circle => { class => 'one', cx => $x, cy => $y, r => 4 },
            element(title => {}, escaped($tip))
        )
    );
}

# Each line has marks of its own form.
sub _mark {
    my ($place, $x, $y, $tip) = @_;
    my @tip = defined $tip ? element(title => {}, escaped($tip)) : ();
    return element(circle => { cx => $x, cy => $y, r => 3.5, fill => 'currentColor' }, @tip) if $place == 0;
    my $d =
          $place == 1 ? 'M' . at($x - 4.5) . " ${y}l4.5 -4.5l4.5 4.5l-4.5 4.5z"
        : $place == 2 ? 'M' . at($x - 3.5) . ' ' . at($y - 3.5) . 'h7v7h-7z'
        :               'M' . at($x - 4.5) . ' ' . at($y + 3.5) . 'h9l-4.5 -8z';
    return element(path => { d => $d, fill => 'currentColor' }, @tip);
}

1;
