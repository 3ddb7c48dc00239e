#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::VarianceComponents: where the scatter of many hosts
# lies, and what goes with it.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Stats::VarianceComponents;

my $random = Touchstone::Base::Random::generator(3);

sub components { return Touchstone::Pack::Fleet::Stats::VarianceComponents::components($_[0]) }

# Hosts whose runs are these values, without error.
sub exact {
    my (@hosts) = @_;
    return [
        map {
            [ map { +{ y => $_, error => 0, passes => 1 } } @$_ ]
        } @hosts
    ];
}

subtest 'components are those of the analysis of variance, by hand' => sub {
    my $found = components(exact([ 1, 3 ], [ 5, 7 ], [ 9, 11 ]));
    near($found->{runs}{sd}**2,  2,  'within hosts: squares 2 + 2 + 2, three degrees of freedom');
    near($found->{hosts}{sd}**2, 15, 'between: (2 x 16 x 2 / 2 - 2) / 2');
    is($found->{passes}, undef, 'passes of which there is one tell nothing');
    is_deeply($found->{count}, { hosts => 3, runs => 6, passes => undef }, 'the numbers');
    $found = components(exact([ 1, 3, 5 ], [6], [ 9, 11 ]));
    near($found->{runs}{sd}**2, 10 / 3, 'with unequal numbers of runs');
};

subtest 'a part of passes is not taken for one of runs' => sub {
    my @hosts = map {
        [ map { +{ y => $_, error => 1, passes => 4 } } @$_ ]
    } [ 1, 3 ], [ 5, 7 ], [ 9, 11 ];
    my $found = components(\@hosts);
    near($found->{passes}{sd}**2, 4, 'four passes with an error of 1');
    near($found->{runs}{sd}**2,   1, 'what is left of 2');
};

subtest 'with one run each, hosts and runs are one part' => sub {
    my $found = components([ map { [ { y => $_, error => 0.5, passes => 9 } ] } 1 .. 5 ]);
    is($found->{runs}, undef, 'nothing is said of runs');
    near($found->{hosts}{sd}**2, 2.5 - 0.25, 'the scatter without the passes');
    is(components([ [ { y => 1, error => 0, passes => 1 } ] ]), undef, 'one host has no scatter');
    is(Touchstone::Pack::Fleet::Stats::VarianceComponents::hosts_for($found, 0.01, 1)->{paired},
        undef, 'nor is a plan before and after');
};

subtest 'intervals hold the components' => sub {
    my ($held, $tries) = (0, 60);
    for (1 .. $tries) {
        my @hosts = map {
            my $host = 0.01 * normal($random);
            [ map { +{ y => $host + 0.006 * normal($random), error => 0, passes => 1 } } 1 .. 3 ]
        } 1 .. 10;
        my $found = components(\@hosts);
        $held++ if $found->{hosts}{low} <= 0.01 && 0.01 <= $found->{hosts}{high};
        $held++ if $found->{runs}{low} <= 0.006 && 0.006 <= $found->{runs}{high};
    }
    cmp_ok($held, '>=', 1.7 * $tries, "$held of " . 2 * $tries);
    my $alike = components(exact(map { [ 1, 2, 1, 2 ] } 1 .. 5));
    is($alike->{hosts}{sd},  0, 'no part is below 0');
    is($alike->{hosts}{low}, 0, 'nor is its interval');
};

subtest 'a plan sees what it promises' => sub {
    my $found = {
        hosts  => { sd     => 0.01 },
        runs   => { sd     => 0.006 },
        passes => { sd     => 0.009 },
        count  => { passes => 9 }
    };
    my %plan =
        map { $_ => Touchstone::Pack::Fleet::Stats::VarianceComponents::hosts_for($found, 0.01, $_) } 1, 2, 8;
    cmp_ok($plan{2}{unpaired}, '<', $plan{1}{unpaired}, 'more runs need fewer hosts');
    cmp_ok($plan{2}{paired},   '<', $plan{2}{unpaired}, 'the same hosts before and after are fewer still');
    my ($n, $seen, $tries) = ($plan{2}{paired}, 0, 400);
    for (1 .. $tries) {
        my @changes =
            map { 0.01 + sqrt(2 * (0.006**2 + 0.003**2) / 2) * normal($random) } 1 .. $n;
        my ($low) = Touchstone::Stats::Significance::mean_interval(@changes);
        $seen++ if $low > 0;
    }
    cmp_ok($seen / $tries, '>', 0.7, "$n hosts see 1 % in $seen of $tries trials, planned are four of five");
    is(Touchstone::Pack::Fleet::Stats::VarianceComponents::hosts_for($found, 1e-6, 1)->{unpaired},
        undef, 'no plan for next to nothing');
    my $many = sqrt(80_000 / (2 * (1.96 + 0.8416)**2)) * 0.01;
    $found->{hosts}{sd} = sqrt($many**2 - 0.006**2 - 0.003**2);
    my $hosts = Touchstone::Pack::Fleet::Stats::VarianceComponents::hosts_for($found, 0.01, 1)->{unpaired};
    cmp_ok(abs($hosts / 80_000 - 1), '<', 0.02, "nearly the most hosts are a plan, too: $hosts");
};

subtest 'a fact that goes with the scatter is told from one that does not' => sub {
    my @near = map { 0.001 * $_ } -3 .. 3;
    my $goes =
        Touchstone::Pack::Fleet::Stats::VarianceComponents::associate([ [@near], [ map { $_ - 0.1 } @near ] ],
        $random);
    cmp_ok($goes->{part}, '>', 0.95, 'nearly all of it');
    cmp_ok($goes->{p},    '<', 0.01, 'not by chance');
    my $not =
        Touchstone::Pack::Fleet::Stats::VarianceComponents::associate(
        [ [@near], [ map { $_ + 1e-5 } @near ] ], $random);
    is($not->{part}, 0, 'nothing');
    cmp_ok($not->{p}, '>', 0.5, 'as often by chance');
    is(Touchstone::Pack::Fleet::Stats::VarianceComponents::associate([ [@near] ], $random),
        undef, 'one group');
    is(Touchstone::Pack::Fleet::Stats::VarianceComponents::associate([ [1], [2] ], $random),
        undef, 'a host each');
    is_deeply(
        Touchstone::Pack::Fleet::Stats::VarianceComponents::associate([ [ 1, 1 ], [ 1, 1 ] ], $random),
        { part => 0, p => 1 },
        'no scatter'
    );
};

subtest 'the chance is that of all deals' => sub {
    my $chance = sub { Touchstone::Pack::Fleet::Stats::VarianceComponents::associate($_[0], $random)->{p} };
    my $fifth  = $chance->([ [ 3, 4, 5 ], [ 1, 2 ] ]);
    cmp_ok(abs($fifth - 2 / 10), '<', 0.1, '2 of the 10 ways to deal out two of five') || diag $fifth;
    my $half = $chance->([ [ 2, 5 ], [ 1, 6 ], [ 3, 4 ] ]);
    cmp_ok($half, '>', 0.9, 'all ways part three groups as much, or more') || diag $half;
    my @found = map {
        $chance->(
            [
                map {
                    [ map { normal($random) } 1 .. $_ ]
                } 3,
                9,
                4
            ]
        )
    } 1 .. 200;
    my $many = grep { $_ <= 0.1 } @found;
    cmp_ok($many, '<', 35, 'nothing is found by chance in about a tenth of cases');
    cmp_ok($many, '>', 8,  'and not less often');
};

done_testing();
