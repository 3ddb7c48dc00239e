# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html::Bars - the indexes of tests as a picture, with a bar for each copy count from the index of
# the baseline to that of the test. The scale is logarithmic, so that equal lengths are equal factors. A thin
# line is the 95 % interval.
#
#   Pipe Throughput
#   1 ############-+- 2772.6
#   2 |            |#####-+- 5043
#
# Places are percentages of the width, so that letters are as large on a narrow screen as on a wide one.
package Touchstone::Report::Html::Bars;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Report::Page::Markup qw(text);
use Touchstone::Report::Page::Svg qw(element label logarithmic decades steps at);
use Touchstone::Base::Figure qw(shown);
use Touchstone::Base::Text qw(copies short);

our $CSS = <<'CSS';
.bars > svg { width: 100%; max-width: 54rem; }
.bar { fill: var(--accent); stroke: var(--accent); }
.bars .blank { fill: var(--ground); }
.whisker { stroke: currentColor; stroke-width: 1.5; fill: none; }
.legend { list-style: none; padding: 0; margin: .3rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.legend svg { display: inline-block; vertical-align: -2px; margin: 0 .4rem 0 0; }
@media print { .bars { zoom: .8; } }
CSS

# These are heights: of a title, of a bar, from a bar to the next, between tests, and of the scale above all.
my ($TITLE, $BAR, $STEP, $GAP, $SCALE) = (19, 12, 16, 9, 24);

# The scale has this place, in per cent of the width: copy counts are at its left, figures at its right.
my ($LEFT, $RIGHT) = (7, 79);

# A narrow screen has room for this many letters of a title, digits of a figure, and ticks.
my ($LETTERS, $DIGITS, $TICKS) = (40, 10, 6);

# A scale spans at least a tenth up and down from the baseline. The bars of the first copy count are this
# solid, those of the last are hollow.
my ($LEAST, $SOLID) = (1.1, 0.6);

# No machine has an index beyond these.
my ($LOWEST, $HIGHEST) = (1e-12, 1e15);

# Returns a picture for each category of tests that have an index.
sub html {
    my ($model) = @_;
    my (%of, @order);
    for my $block (@{ $model->{blocks} }) {
        for my $table (@{ $block->{tables} }) {
            push @order, $table->{category} if !$of{ $table->{category} };
            push @{ $of{ $table->{category} } }, { %$table, count => $block->{count} };
        }
    }
    return join '', map { _figure(@{ $of{$_} }) } @order;
}

# Draws the tables of a category, one for each copy count.
sub _figure {
    my (@tables) = @_;
    my @tests    = _tests(@tables) or return '';
    my @bars     = grep { defined $_->{index} } map { @{ $_->{bars} } } @tests;
    my $scale    = _scale($tables[0]{base}, @bars);
    my ($top, @drawn) = ($SCALE);
    for my $test (@tests) {

        # A blank behind the title keeps lines of the scale from running through its letters.
        push @drawn,
            element(rect => { x => 0, y => $top, width => '100%', height => $TITLE - 2, class => 'blank' }),
            label(short($test->{title}, $LETTERS), x => 0, y => $top + 13);
        $top += $TITLE;
        for my $bar (@{ $test->{bars} }) {
            push @drawn, defined $bar->{index} ? _bar($scale, $top, $bar) : _no_bar($top, $bar);
            $top += $STEP;
        }
        $top += $GAP;
    }
    my $what = "Index of each test of $tables[0]{title}, logarithmic";
    my %attributes =
        (role => 'img', 'aria-label' => "$what; the tables below have the figures", height => $top);
    return join '', qq{<figure class="bars">\n<figcaption>}, text($what), "</figcaption>\n",
        _legend($tables[0], @bars),
        element(svg => \%attributes, "\n", map { "$_\n" } _grid($scale, $top), @drawn), "\n</figure>\n";
}

# Returns the tests, sorted. A test has a bar for each copy count; a bar without a result has only its count.
#
#   { name, title, bars => [ { count, solid, index, interval, shown } ] }
sub _tests {
    my (@tables) = @_;
    my %tests;
    for my $place (0 .. $#tables) {
        my %bar = (
            count => $tables[$place]{count},
            solid => sprintf '%.2g',
            $SOLID * (1 - ($place && $place / $#tables))
        );
        for my $test (grep { defined $_->{index} } @{ $tables[$place]{rows} }) {
            my $entry = $tests{ $test->{name} } ||=
                { name => $test->{name}, title => $test->{title}, bars => [] };
            $entry->{bars}[$place] = {
                %bar,
                index    => $test->{index},
                interval => $test->{index_interval},
                shown    => Touchstone::Base::Figure::shown_index($test)
            };
        }
    }
    for my $test (values %tests) { $test->{bars}[$_] ||= { count => $tables[$_]{count} } for 0 .. $#tables }
    return sort { $a->{title} cmp $b->{title} || $a->{name} cmp $b->{name} } values %tests;
}

# Returns { at => a function from values to places, from, to, base }.
sub _scale {
    my ($base, @bars) = @_;
    my @values = grep { $_ >= $LOWEST && $_ <= $HIGHEST } $base,
        map { ($_->{index}, @{ $_->{interval} || [] }) } @bars;
    my ($low, $high) = (min(@values), max(@values));
    my $to    = max($high, $base * $LEAST);
    my $from  = $low < $base || $to == $base * $LEAST ? min($low, $base / $LEAST) : $base;
    my $place = logarithmic($from, $to, $LEFT, $RIGHT);
    return {
        at   => sub { return $place->(min(max($_[0], $from), $to)) },
        from => $from,
        to   => $to,
        base => $base
    };
}

# Draws round values, and a line at the baseline.
sub _grid {
    my ($scale, $bottom) = @_;
    my @ticks = decades(@$scale{qw(from to)});
    @ticks = steps(@$scale{qw(from to)}, 4) if @ticks < 3;
    my $every = 1 + int(@ticks / ($TICKS + 1));
    @ticks = @ticks[ grep { $_ % $every == 0 } 0 .. $#ticks ];
    my @labels = map {
        label(
            $_ >= 1e6 ? sprintf '%.0e', $_ : $_,
            x     => _part($scale->{at}->($_)),
            y     => 12,
            class => 'dim middle'
        )
    } @ticks;
    return (
        @labels,
        map { _upright($scale->{at}->($_->[0]), $SCALE - 6, $bottom, $_->[1]) }
            (map { [ $_, 'grid' ] } @ticks),
        [ $scale->{base}, 'axis' ]
    );
}

sub _part { return "$_[0]%" }

sub _upright {
    my ($x, $from, $to, $class) = @_;
    return element(line => { x1 => _part($x), x2 => _part($x), y1 => $from, y2 => $to, class => $class });
}

sub _no_bar {
    my ($top, $bar) = @_;
    return (_count($top, $bar),
        label('no result', x => _part($LEFT), dx => 6, y => $top + 10, class => 'dim'));
}

sub _count {
    my ($top, $bar) = @_;
    return label($bar->{count}, x => _part($LEFT), dx => -6, y => $top + 10, class => 'dim end');
}

# Returns the limits of an interval. An interval that begins at zero or below has no place on a logarithmic
# scale.
sub _limits { my ($bar) = @_; return ($bar->{interval} || [0])->[0] > 0 ? @{ $bar->{interval} } : () }

# An index of zero or less has no place on a logarithmic scale, but its figure is shown.
sub _bar {
    my ($scale, $top, $bar) = @_;
    my ($from, $to) = map { $scale->{at}->($_) } $scale->{base}, $bar->{index};
    my @limits = map { $scale->{at}->($_) } _limits($bar);
    my $left   = min($from, $to);
    my %place  = (x => _part($left), width => _part(at(abs($to - $from))), y => $top, height => $BAR);
    return (
        _count($top, $bar),
        (
            $bar->{index} > 0 ? element(
                rect => { %place, class => 'bar', 'fill-opacity' => $bar->{solid} },
                element(title => {}, text(_tip($bar)))
            ) : ()
        ),
        (@limits ? _whisker($top + $BAR / 2, map { _part($_) } @limits) : ()),
        label(
            length $bar->{shown} > $DIGITS ? sprintf '%.3g', $bar->{index} : $bar->{shown},
            x  => _part(max($from, $to, @limits)),
            dx => 6,
            y  => $top + 10
        ),
    );
}

sub _tip {
    my ($bar)  = @_;
    my $limits = join ' to ', map { shown($_, $bar->{interval}) } @{ $bar->{interval} || [] };
    return copies($bar->{count}) . ": $bar->{shown}" . (length $limits ? ", 95 % interval $limits" : '');
}

# Draws a line with an end mark at both limits.
sub _whisker {
    my ($y, $low, $high) = @_;
    return map {
        my ($from, $to, $half) = @$_;
        element(line => { x1 => $from, x2 => $to, y1 => $y - $half, y2 => $y + $half, class => 'whisker' })
    } [ $low, $high, 0 ], [ $low, $low, 3 ], [ $high, $high, 3 ];
}

sub _legend {
    my ($table, @bars) = @_;
    my %solid = map { $_->{count} => $_->{solid} } @bars;
    my @keys  = map { [ _swatch($solid{$_}), copies($_) ] }
        sort { $solid{$b} <=> $solid{$a} } keys %solid;
    push @keys, [ join('', _whisker(6, 1, 21)), '95 % interval' ] if grep { _limits($_) } @bars;
    my $from = "bars begin at $table->{base}, the index of " . ($table->{reference} // 'the baseline');
    return
          qq{<ul class="legend dim">\n}
        . join('', (map { _key(@$_) } @keys), '<li>' . text($from) . "</li>\n")
        . "</ul>\n";
}

sub _swatch {
    return element(
        rect => { x => 1, y => 1, width => 20, height => 10, class => 'bar', 'fill-opacity' => $_[0] });
}

sub _key {
    my ($mark, $says) = @_;
    return '<li>'
        . element(
        svg => { width => 22, height => 12, viewBox => '0 0 22 12', 'aria-hidden' => 'true' },
        $mark
        )
        . text($says)
        . "</li>\n";
}

1;
