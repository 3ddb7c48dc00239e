# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Moderated - variances of many figures, each from few values, which tell something of one another: a
# figure whose few values happen to agree has not the small variance that they show (Smyth 2004). From
#
#   { variance => 0.0001, freedom => 2 }, ...
#
# moderated() makes the same list, each variance drawn towards what all have in common, with the degrees of
# freedom that it then has. What is common follows from how far the logarithms of the variances are apart,
# compared with how far chance alone drives them.
package Touchstone::Stats::Moderated;
use 5.014;
use strict;
use warnings;

use List::Util qw(min sum);

# Fewer figures cannot show how alike they are.
my $FEWEST = 4;

# What is common counts at most this many times as much as a figure's own values. The figures of a run are
# disturbed together, so twenty of them do not tell twenty times as much as one (t/bench/drift.pl).
my $MOST = 2;

# The logarithm of nothing is far from all others.
my $LEAST = 1e-12;

sub moderated {
    my (@figures) = @_;
    return @figures if @figures < $FEWEST;
    my ($common, $freedom) = _common(@figures);
    return map {
        my $degrees = $_->{freedom};
        my $theirs  = min($freedom, $MOST * $degrees);
        my $between = ($theirs * $common + $degrees * $_->{variance}) / ($theirs + $degrees);
        +{ %$_, variance => $between, freedom => $theirs + $degrees }
    } @figures;
}

# (variance that all have in common, its degrees of freedom): none where they differ by more than chance can
# explain, very many where chance explains all.
sub _common {
    my (@figures) = @_;
    my @logs = map {
        my $half = $_->{freedom} / 2;
        log($_->{variance} > $LEAST ? $_->{variance} : $LEAST) - _digamma($half) + log $half
    } @figures;
    my $mean     = sum(@logs) / @logs;
    my $variance = sum(map { ($_ - $mean)**2 } @logs) / (@logs - 1);
    my $chance   = sum(map { _trigamma($_->{freedom} / 2) } @figures) / @figures;
    my $half     = _inverse_trigamma($variance - $chance);
    return (exp($mean + _digamma($half) - log $half), 2 * $half);
}

# Steps lead up to 8, where the series are exact to ten digits.
sub _digamma {
    my ($x) = @_;
    my $steps = 0;
    while ($x < 8) { $steps += 1 / $x; $x++ }
    my $r = 1 / ($x * $x);
    return log($x) - 1 / (2 * $x) - $r * (1 / 12 - $r * (1 / 120 - $r * (1 / 252 - $r / 240))) - $steps;
}

sub _trigamma {
    my ($x) = @_;
    my $steps = 0;
    while ($x < 8) { $steps += 1 / ($x * $x); $x++ }
    my $r = 1 / ($x * $x);
    return $steps + 1 / $x + $r / 2 + $r / $x * (1 / 6 - $r * (1 / 30 - $r * (1 / 42 - $r / 30)));
}

# The number with this trigamma, which falls; nothing is at or below 0 but what is very large.
sub _inverse_trigamma {
    my ($value) = @_;
    my ($low, $high) = (1e-3, 1e6);
    return $high if $value <= _trigamma($high);
    for (1 .. 60) {
        my $middle = sqrt($low * $high);
        if   (_trigamma($middle) > $value) { $low  = $middle }
        else                               { $high = $middle }
    }
    return $high;
}

1;
