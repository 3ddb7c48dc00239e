# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Figure - numbers as people read them: no more digits than an interval supports, seconds in the unit
# that reads best, speed-ups, parts in per cent.
package Touchstone::Base::Figure;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);
use POSIX ();

use Touchstone::Base::Symbols qw($MICRO $PLUS_MINUS);
use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(grouped plural);

our @EXPORT_OK =
    qw(column_index figure for_people index_score magnitude memory no_interval part human report_index
    seconds shown spelled plus_minus thousands three_digits two_digits);

# Each unit has how many of it make a second, the least figure of a test in seconds that is shown in it, and
# the least single figure of three digits.
my @UNITS =
    map { [ $_->[0], $Touchstone::Base::Direction::IN_SECOND{ $_->[0] }, @$_[ 1, 2 ] ] } [ s => 100, 1 ],
    [ ms => 0.1, 1e-3 ], [ us => 1e-4, 1e-6 ], [ ns => 0, 0 ];

# Units of programs that are bytes per second: people read them in kB/s, MB/s or GB/s.
my %BYTES = (KBps => 2**10, MiBps => 2**20, MBps => 1e6);

# Returns [unit, how many of it make a second]: the unit in which this many seconds have three digits or more
# before the point. A test keeps its unit in all blocks of a report.
sub unit_for {
    my ($seconds) = @_;
    my ($unit)    = grep { $seconds >= $_->[2] } @UNITS;
    return $unit;
}

# Returns a copy of a result with its seconds in another unit.
sub in_unit {
    my ($test, $unit) = @_;
    return $test if !$unit;
    my %in = (%$test, unit => $unit->[0]);
    $in{$_} = $in{$_} * $unit->[1] for grep { defined $in{$_} } qw(score baseline clean_score);
    $in{$_} = [ map { $_ * $unit->[1] } @{ $in{$_} } ] for grep { $in{$_} } qw(interval);
    return \%in;
}

# Returns a copy of a result in bytes per second with all its figures in kB/s, MB/s or GB/s; others are
# returned as they are.
sub for_people {
    my ($test) = @_;
    return $test if !$BYTES{ $test->{unit} // '' };
    my ($divisor, $unit) = magnitude(abs $test->{score}, $test->{unit});
    return in_unit($test, [ $unit, 1 / $divisor ]);
}

# Programs and records write "us"; people read it with the sign of micro.
my %SPELLED = (us => "${MICRO}s");

sub spelled { my ($unit) = @_; return $SPELLED{ $unit // '' } // $unit }

# Returns "534 us", with the sign of micro: three digits, or fewer if the interval supports no more, in the
# wanted unit, with that sign or without, or in the one that reads best.
sub seconds {
    my ($seconds, $interval, $wanted) = @_;
    my $round = abs $seconds * (1 + 5e-4);
    my ($plain) = grep { defined $wanted && $SPELLED{$_} eq $wanted } keys %SPELLED;
    $wanted = $plain // $wanted;
    my @wanted = grep { defined $wanted ? $_->[0] eq $wanted : $round >= $_->[3] } @UNITS;
    my ($unit, $divisor) = @{ $wanted[0] || $UNITS[-1] };
    return three_digits(
        $seconds * $divisor,
        $interval && [ map { $_ * $divisor } @$interval ],
        $round * $divisor
        )
        . ' '
        . spelled($unit);
}

# Returns "1.93", "178" or "17800", with fewer digits if the interval supports no more, but one: what is above
# 0 is not shown as 0. `round` is the size that decides how many digits there are: rounding must not add one.
sub three_digits {
    my ($value, $interval, $round) = @_;
    $round //= abs $value * (1 + 5e-4);
    my $digits             = $round > 0 ? 2 - POSIX::floor(POSIX::log10($round)) : 0;
    my $digits_of_interval = _digits(@{ $interval || [] }) // $digits;
    return _rounded($value, min($digits, max($digits_of_interval, $digits - 2)));
}

# Returns "0.34", "12" or "1,500": two digits, and no point behind them.
sub two_digits {
    my ($value)    = @_;
    my ($exponent) = sprintf('%.1e', $value) =~ /e(.*)/;
    return '0' if $value == 0;
    return $exponent < 1 ? sprintf('%.*f', 1 - $exponent, $value) : grouped(_rounded($value, 1 - $exponent));
}

# Formats a value in a table of gains. Units a second may be far fewer than one.
sub value { my ($value) = @_; return sprintf $value > 0 && $value < 1 ? '%.3g' : '%.1f', $value }

# Shows a figure with no more digits than its interval supports: its last two digits are uncertain.
sub figure {
    my ($value, $interval) = @_;
    return _rounded($value, _digits(@{ $interval || [] }) // 1);
}

# Pages show a figure without an interval with four digits, and with no more than `places` of them after the
# point.
my ($FOUR, $SMALLEST) = (4, 1e-300);

sub shown {
    my ($value, $interval, $places) = @_;
    return figure($value, $interval)
        if defined _digits(@{ $interval || [] }) || abs $value < $SMALLEST || $value - $value != 0;
    my $first  = (sprintf('%.*e', $FOUR - 1, $value) =~ /e(.*)/)[0];
    my $digits = $FOUR - 1 - $first;
    return _rounded($value, defined $places && $places < $digits ? $places : $digits);
}

# From $WHOLE on an index in a column has no digits after the point, and below it three in all, so that
# points are hardly ever in several places.
my $WHOLE = 1000;

sub column_index {
    my ($value, $interval) = @_;
    return three_digits($value, $interval) if abs $value < $WHOLE;
    my $digits_of_interval = _digits(@{ $interval || [] });
    return defined $digits_of_interval
        && $value - $value == 0 ? _rounded($value, min(0, $digits_of_interval)) : shown($value);
}

sub shown_index { my ($test) = @_; return shown(@$test{qw(index index_interval)}, index_places($test)) }

# Returns the number of digits after the point that an interval supports; a negative number means that many
# zeros before the point. An interval without a width gives undef.
sub _digits {
    my ($low, $high) = @_;
    my $half = defined $low ? ($high - $low) / 2 : 0;
    return $half > 0 ? 1 - POSIX::floor(POSIX::log10($half)) : undef;
}

sub _rounded {
    my ($value, $digits) = @_;
    return sprintf '%.*f', $digits > 9 ? 9 : $digits, $value if $digits >= 0;
    my $unit = 10**-$digits;
    return sprintf '%.0f', POSIX::floor($value / $unit + 0.5) * $unit;
}

# Returns the index of a test with as many digits as the interval of its score supports.
sub index_figure {
    my ($test) = @_;
    return $test->{index_interval} ? figure($test->{index}, $test->{index_interval}) : sprintf '%.*f',
        index_places($test), $test->{index};
}

sub index_places { my ($test) = @_; return is_small($test) ? 2 : 1 }

sub index_score {
    my ($line) = @_;
    return $line->{interval} ? figure($line->{score}, $line->{interval}) : sprintf '%.*f', $line->{places},
        $line->{score};
}

# The same as the text report has it: what stands on standard error beside it is the same number.
sub report_index { my ($line) = @_; return sprintf '%.*f', @$line{qw(places score)} }

# Returns "1.2 %" for 0.012.
sub part {
    my ($part) = @_;
    my $percent = $part * 100;
    return sprintf '%.*f %%', $percent >= 10 ? 0 : $percent >= 1 ? 1 : 2, $percent;
}

# Returns "±1.2 %" for half of an interval as a part of its figure.
sub plus_minus {
    my ($precision) = @_;
    return defined $precision ? $PLUS_MINUS . part($precision) : 'no interval';
}

# Fewer passes give no interval.
our $FEWEST = 6;

# Tells why a score of so many passes has no interval.
sub no_interval {
    my ($passes) = @_;
    return 'no interval' if !defined $passes || $passes >= $FEWEST;
    return 'no interval: ' . plural($passes, 'pass', 'passes') . ", $FEWEST needed";
}

# From this figure on people read thousands, millions or billions.
my $MANY      = 10_000;
my @THOUSANDS = ([ G => 1e9 ], [ M => 1e6 ], [ k => 1e3 ]);

# Returns what a figure of this size is divided by, and the letter that then stands behind it.
sub thousands {
    my ($size)    = @_;
    my ($divisor) = $size < $MANY ? () : grep { $size >= $_->[1] } @THOUSANDS;
    return $divisor ? @$divisor[ 1, 0 ] : (1, '');
}

# Returns what a figure of this size and unit is divided by, and what stands behind it: "M lps", "GB/s".
sub magnitude {
    my ($size, $unit) = @_;
    if (my $bytes = $BYTES{ $unit // '' }) {
        my ($divisor) = grep { $size * $bytes >= $_->[1] } @THOUSANDS;
        return $divisor ? ($divisor->[1] / $bytes, "$divisor->[0]B/s") : (1 / $bytes, 'B/s');
    }
    my ($divisor, $letter) = thousands($size);
    return ($divisor, join ' ', grep { length } $letter, spelled($unit) // '');
}

# Returns "38.4 M lps", "82.5 k lps", "6227 lps" or "1.16 GB/s": three digits or, below $MANY, all before the
# point, and no more than the interval supports.
sub human {
    my ($value, $interval, $unit) = @_;
    my $behind = defined $unit && length $unit ? " $unit" : '';
    return "$value$behind" if $value - $value != 0;
    my $size = abs $value * (1 + 5e-4);
    my ($divisor, $letter) = $BYTES{ $unit // '' } ? magnitude($size, $unit) : thousands($size);
    $behind = '' if $BYTES{ $unit // '' };
    my $shown =
        $divisor == 1 && $size >= 1000
        ? _rounded($value, min(0, _digits(@{ $interval || [] }) // 0))
        : three_digits($value / $divisor, $interval && [ map { $_ / $divisor } @$interval ],
        $size / $divisor);
    return $shown . (length $letter ? " $letter" : '') . $behind;
}

# A kernel keeps up to such a part of the memory for itself, and counts the rest.
my $RESERVED = 0.06;

# Returns "24 GB" for kilobytes of memory: what the maker of the machine calls it.
my @BYTES = ([ TB => 2**30 ], [ GB => 2**20 ], [ MB => 2**10 ], [ KB => 1 ]);

sub memory {
    my ($kilobytes) = @_;
    my ($unit, $divisor) = @{ (grep { $kilobytes >= 0.95 * $_->[1] } @BYTES)[0] || $BYTES[-1] };
    my $many  = $kilobytes / $divisor;
    my $maker = POSIX::ceil($many);
    return "$maker $unit" if $maker - $many < $RESERVED * $many;
    return sprintf '%.*f %s', $many < 9.95 && abs($many - sprintf '%.0f', $many) > 0.05 ? 1 : 0, $many, $unit;
}

# Returns "2.28 (2.24 to 2.33)", how many times as fast, for a gain in per cent. `behind` stands behind the
# figure.
sub speedup {
    my ($percent, $interval, $behind) = @_;
    return 'n/a' if !defined $percent;
    my ($times, @limits) = map { Touchstone::Base::Direction::as_times($_) } $percent, @{ $interval || [] };
    my ($shown, $low, $high) = map { three_digits($_, \@limits, abs $times * (1 + 5e-4)) } $times, @limits;
    return $shown . ($behind // '') . (@limits ? " ($low to $high)" : '');
}

# Indexes are small where the suite gives its baseline a smaller one than the usual 10, such as 1.
sub is_small {
    my ($figure) = @_;
    return defined $figure->{scale} && $figure->{scale} < $Touchstone::Base::Direction::BASELINE_INDEX;
}

1;
