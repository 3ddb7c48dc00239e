#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how often the 95 % intervals of the scalability law hold the truth, on synthetic points that
# follow a known law, and how long a fit takes. `noise` is that of each pass; `miss` is an error of a whole
# point, which its passes do not show. The argument is the number of sets, 300 by default.
#
#   copies               passes  noise   miss  contention coherency    contention  coherency   peak    fit
#   1 2 4 8 16                6    1 %    0 %     0.03     0.001          97.3 %     97.3 %    97.3 %    37 ms   ok
#
# Where the true value is 0 an interval can miss it on one side only, so more than 99 % is right there.
use 5.014;
use strict;
use warnings;

use Time::HiRes qw(time);

use Touchstone::Base::Random;
use Touchstone::Stats::Usl;

my $sets     = $ARGV[0] // 300;
my $random   = Touchstone::Base::Random::generator(20);
my $INFINITE = 9**9**9;
my @NAMES    = qw(contention coherency best);

# These are per cent, per cent and seconds.
my ($LEAST, $MOST, $LONGEST) = (90, 99.4, 0.2);

# Each row is copies, passes, noise, miss, contention, coherency.
my @CASES = (
    [ [ 1, 2, 4, 8, 16 ], 6, 0.01, 0,    0.03, 0.001 ],
    [ [ 1, 2, 4, 8, 16 ], 6, 0.01, 0,    0.1,  0.0005 ],
    [ [ 1, 2, 4, 8, 16 ], 6, 0.01, 0,    0,    0.002 ],
    [ [ 1, 2, 4, 8, 16 ], 6, 0.01, 0,    0.05, 0 ],
    [ [ 1, 2, 4, 8, 16 ], 6, 0.01, 0.03, 0.03, 0.001 ],
    [ [ 1, 2, 4, 8, 16 ], 1, 0.01, 0,    0.03, 0.001 ],
    [ [ 1, 2, 4, 8 ],               6, 0.01, 0,    0.03, 0.001 ],
    [ [ 1, 2, 4, 8 ],               6, 0.01, 0.03, 0.03, 0.001 ],
    [ [ 1, 2, 3, 4, 6, 8, 12, 16 ], 6, 0.01, 0,    0.03, 0.001 ],
    [ [ 1, 2, 3, 4, 6, 8, 12, 16 ], 6, 0.01, 0.03, 0.03, 0.001 ],
);

sub normal { return Touchstone::Base::Random::normal($random) }

sub points {
    my ($copies, $passes, $noise, $miss, $contention, $coherency) = @_;
    my @points;
    for my $n (@$copies) {
        my $rate =
            1000 * $n / (1 + $contention * ($n - 1) + $coherency * $n * ($n - 1)) * exp($miss * normal());
        push @points, { copies => $n, rates => [ map { $rate * exp($noise * normal()) } 1 .. $passes ] };
    }
    return \@points;
}

# Returns the per cent of the sets in which each interval holds the truth, and the seconds of a fit.
sub coverage {
    my (@case) = @_;
    my ($contention, $coherency) = @case[ 4, 5 ];
    my %truth = (
        contention => $contention,
        coherency  => $coherency,
        best       => $coherency ? sqrt((1 - $contention) / $coherency) : $INFINITE
    );
    my %held  = map { $_ => 0 } @NAMES;
    my $spent = 0;
    for my $set (1 .. $sets) {
        my $points = points(@case);
        my $t      = time;
        my $fit    = Touchstone::Stats::Usl::fit($points, seed => $set);
        $spent += time - $t;
        for my $name (@NAMES) {
            $held{$name}++
                if !defined $fit->{why}
                && ($fit->{"${name}_low"} // $INFINITE) <= $truth{$name}
                && $truth{$name} <= ($fit->{"${name}_high"} // $INFINITE);
        }
    }
    return ($spent / $sets, map { $held{$_} / $sets * 100 } @NAMES);
}

my $failed = 0;
$| = 1;
printf "%-20s %6s %6s %6s %11s %9s %13s %10s %7s %6s\n",
    qw(copies passes noise miss contention coherency contention coherency peak fit);
for my $case (@CASES) {
    my ($seconds, @held) = coverage(@$case);
    my @limits = map { $_ == 0 ? 100 : $MOST } @$case[ 4, 5 ];
    my $good = $seconds < $LONGEST && !grep { $held[$_] < $LEAST || $held[$_] > $limits[$_] } 0, 1;
    $failed++ if !$good;
    printf "%-20s %6d %4g %% %4g %% %8g %9g %13.1f %% %8.1f %% %7.1f %% %5.0f ms   %s\n", "@{ $case->[0] }",
        $case->[1], $case->[2] * 100, $case->[3] * 100,
        @$case[ 4, 5 ], @held, $seconds * 1000, $good ? 'ok' : 'MISSED';
}
exit($failed ? 1 : 0);
