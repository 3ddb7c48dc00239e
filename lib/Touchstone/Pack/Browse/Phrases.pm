# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Phrases - what the parts of the page of all runs say in the same way: dates, differences,
# figures, names of tests.
#
#   change(0.976)                  -2.4 %, with a real minus
#   day('2025-05-16', 2025)        16 May
#   span('2025-01-01 10:00', '2025-10-25 09:00')      1 Jan - 25 Oct 2025, with a real dash
package Touchstone::Pack::Browse::Phrases;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max);

use Touchstone::Base::Figure;
use Touchstone::Base::Symbols qw($DASH $PLUS_MINUS $TIMES signed);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies short);
use Touchstone::Base::Time;
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Compare::Trend;
use Touchstone::Suite;

our @EXPORT_OK =
    qw(change coloured day difference dim figure_data half is_noise joined label release shown span value
    with_copies);

our $NEEDED = 2 * $Touchstone::Compare::Trend::LASTS;
our $NEEDS  = "needs $NEEDED comparable runs";

# A name or fact of a stranger has at most this many letters.
my $WIDEST = 60;

# Above this a ratio is no difference any more: 40 times as fast.
my $MANY_TIMES = 10;

sub shown { my ($name, $most) = @_; return short($name // '', $most // $WIDEST) }

# Turns "cc (Debian 12.2.0-14+deb12u1) 12.2.0" into "cc 12.2.0".
sub release { my ($compiler) = @_; return $compiler =~ s/(\S) \([^()]*\)(?= \d)/$1/gr }

# Less important words, in small letters.
sub dim { my (@texts) = @_; return @texts ? (' ', { text => \@texts, as => 'small' }) : () }

# Texts and spans with this between them.
sub joined {
    my ($between, @texts) = @_;
    return map { ($_ ? $between : (), $texts[$_]) } 0 .. $#texts;
}

# What people call a test or an index.
sub label {
    my ($figure) = @_;
    return $figure->{title} =~ /\bindex\b/i ? $figure->{title} : "$figure->{title} Index"
        if !defined $figure->{unit} || $figure->{index};
    return Touchstone::Suite::shown($figure->{name})->{label} // $figure->{title};
}

sub with_copies { my ($figure) = @_; return label($figure) . ', ' . copies($figure->{copies}) }

# Returns the change of a speed: "+12 %", "-2.4 %".
sub change {
    my ($speed, $half) = @_;
    return sprintf '%s %.0f', $TIMES, $speed if $speed >= $MANY_TIMES;
    return _percent(($speed - 1) * 100, defined $half ? 100 * $half : 0) . ' %';
}

# A difference in per cent has a digit after the point where it is small, and known so well.
sub _percent {
    my ($percent, $half) = @_;
    return signed(sprintf abs $percent < 9.95 && $half < 10 ? '%+.1f' : '%+.0f', $percent);
}

# Returns half an interval: "±0.9".
sub half {
    my ($half) = @_;
    return $PLUS_MINUS . sprintf $half * 100 < 9.95 ? '%.1f' : '%.0f', $half * 100;
}

sub coloured {
    my ($speed) = @_;
    return { text => change($speed), class => $speed > 1 ? 'good' : 'bad' };
}

# Shows a value with as many digits as its interval supports.
sub value {
    my ($figure, $value, $interval) = @_;
    return Touchstone::Base::Figure::seconds($value, $interval) if is_lower_better($figure);
    return Touchstone::Base::Figure::human($value, $interval, $figure->{index} ? undef : $figure->{unit});
}

# A difference, with half its interval in small letters.
sub difference {
    my ($ratio, $error) = @_;
    return (change($ratio, $error), defined $error ? dim(half($error)) : ());
}

# What the script needs of a figure, to say a difference itself.
sub figure_data {
    my ($one) = @_;
    my $half = Touchstone::Pack::Browse::Ranking::half($one);
    return (score => sprintf('%.7g', $one->{score}), half => defined $half ? sprintf '%.3g', $half : '');
}

# True for a difference that may be chance, by its interval or by the spread of runs.
sub is_noise {
    my ($ratio, $error, $spread) = @_;
    return abs log $ratio <= max($error // 0, $spread // 0);
}

# The year is said where it is not the one that everybody thinks of.
sub day {
    my ($date, $year) = @_;
    my ($y, $m, $d) = $date =~ /\A(\d+)-(\d\d)-(\d\d)/ or return $date;
    return join ' ', $d + 0, $Touchstone::Base::Time::MONTHS[ $m - 1 ], $y == ($year // 0) ? () : $y;
}

sub span {
    my ($first, $last) = map { substr $_, 0, 10 } @_;
    my ($year) = $last =~ /\A(\d+)/;
    return $first eq $last ? day($last) : join ' ', day($first, $year), $DASH, day($last);
}

1;
