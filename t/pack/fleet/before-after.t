#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What hosts before and after a change say: verdicts of figures, hosts that are needed, drift of controls.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Stats;
use Touchstone::Pack::Fleet::Stats::BeforeAfter;

# Differences of so many hosts around a middle, a step apart.
sub spread_around {
    my ($middle, $n, $step) = @_;
    return [ map { $middle + $step * ($_ - ($n - 1) / 2) } 0 .. $n - 1 ];
}

sub judged {
    my ($figures, %with) = @_;
    my $found = Touchstone::Pack::Fleet::Stats::BeforeAfter::judged($figures, %with);
    return ($found, map { $_->{verdict} } @{ $found->{figures} });
}

subtest 'the hosts that are needed follow from the number of figures and the level' => sub {
    my %needed = (1 => 6, 2 => 7, 12 => 9, 24 => 10);
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::needed($_), $needed{$_}, "$_ figures")
        for sort keys %needed;
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::needed(12, 0.05 / 4),
        11, '12 figures in the second of four waves');
};

subtest 'a slow-down is worse, no change is no worse, a speed-up is faster' => sub {
    my ($found, @verdicts) =
        judged([ map { { changed => spread_around($_, 9, 0.001) } } -0.02, 0, 0.02 ]);
    is("@verdicts", 'worse no worse faster', 'verdicts');
    my $worse = $found->{figures}[0];
    near($worse->{difference}, -0.02, 'its size');
    ok($worse->{low} < -0.02 && $worse->{high} > -0.02, 'and its interval around it');
    near($worse->{p}, 3 * 2 / 2**9, 'p is that of the flips, times three figures');
};

subtest 'too few hosts prove nothing, however large the change' => sub {
    my ($found, @verdicts) = judged([ { changed => spread_around(-0.5, 5, 0.001) } ]);
    is("@verdicts",      'not tested', 'five hosts, one figure');
    is($found->{needed}, 6,            'six are needed');
    near($found->{figures}[0]{difference}, -0.5, 'the size is there');
    (undef, @verdicts) = judged([ { changed => [-0.5] }, { changed => [] } ]);
    is("@verdicts", 'not tested not tested', 'one and none');
};

subtest 'no change is inconclusive where a slow-down of interest can hide' => sub {
    my $wide = { changed => spread_around(0, 10, 0.02) };
    my ($found, @verdicts) = judged([$wide]);
    is("@verdicts", 'inconclusive', 'hosts that differ by up to 18 %');
    my $change = $found->{figures}[0];
    near($change->{hides}, 1 - exp($change->{low}), 'what hides is the end of the interval');
    ok($change->{limit} > $change->{hides}, 'the detection limit is beyond it');
    my ($more) = Touchstone::Pack::Fleet::Stats::BeforeAfter::hosts_for($change, 0.03);
    ok($more > 10, "more hosts are needed: $more");
    (undef, @verdicts) = judged([$wide], smallest => 0.1);
    is("@verdicts", 'no worse', 'a slow-down by 10 % cannot hide');
};

subtest 'a proven slow-down below what is of interest counts only where nobody named a limit' => sub {
    my $figure = { changed => spread_around(-0.01, 9, 0.0005) };
    is((judged([$figure], smallest => 0.03))[1], 'worse', 'no limit');
    is((judged([$figure], smallest => 0.03, ignored => 1))[1], 'no worse', 'below 3 %');
    is((judged([$figure], smallest => 0.01, ignored => 1))[1], 'worse',    'it may be more than 1 %');
};

subtest 'the drift of controls is taken off, with its uncertainty' => sub {
    my $changed = spread_around(-0.02, 12, 0.001);
    my $control = spread_around(-0.02, 6,  0.001);
    my ($found, @verdicts) = judged([ { changed => $changed, control => $control } ]);
    is("@verdicts", 'no worse', 'all drifted alike');
    my $scatter = Touchstone::Stats::deviation(@$changed);
    near($found->{figures}[0]{difference}, 0, 'nothing is left', 1e-15);
    near($found->{figures}[0]{drift}, -0.02, 'the drift');
    ok($found->{figures}[0]{error} > $scatter * sqrt(1 / 12),          'the error is that of both');
    ok($found->{figures}[0]{error} <= $scatter * sqrt(1 / 12 + 1 / 6), 'with the scatter of all hosts');
    is((judged([ { changed => $changed, control => spread_around(0, 6, 0.001) } ]))[1],
        'worse', 'controls that did not drift');
    is((judged([ { changed => $changed, control => spread_around(0, 6, 0.05) } ]))[1],
        'inconclusive', 'controls that nobody can rely on');
    is((judged([ { changed => $changed, control => [ 0, 0 ] } ]))[1], 'not tested', 'two controls');
};

subtest 'hosts that are exactly equal have no chance to divide by' => sub {
    is((judged([ { changed => [ (0) x 9 ] } ]))[1],    'no worse', 'no change at all');
    is((judged([ { changed => [ (-0.1) x 9 ] } ]))[1], 'worse',    'a change without scatter');
    is(scalar Touchstone::Pack::Fleet::Stats::BeforeAfter::hosts_for({ error => 0, hosts => 9 }, 0.03),
        undef, 'no plan');
};

done_testing;
