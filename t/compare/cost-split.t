# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::CostSplit: differences as parts of user, kernel and waiting time, and their sentences.
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Costs;
use Touchstone::Base::Random;
use Touchstone::Compare;
use Touchstone::Compare::CostSplit;
use Touchstone::Report::Compare::CostSplit;
use Touchstone::Base::Time qw(@PARTS);

my $random = Touchstone::Base::Random::generator(39);
my @TIMES  = (0.3, 0.5, 0.2);
my $EQUAL  = [ 1, 1, 1 ];

# The kernel divides CPU time exactly.
$Costs::TICKS = 0;

sub added {
    my ($split) = @_;
    return sum(map { $split->{parts}{$_}{log} } @PARTS);
}

subtest 'the planted part is named, and no other' => sub {
    for my $place (0 .. $#PARTS) {
        my @factors = @$EQUAL;
        $factors[$place] = 1.5;
        my $right = 0;
        for (1 .. 20) {
            my $split = Costs::compared($random, \@TIMES, \@factors, 0.01)->{split} or next;
            $right++ if "@{ $split->{named} }" eq $PARTS[$place];
            cmp_ok(abs(added($split) - $split->{log}), '<', 1e-12, 'the parts add up');
        }
        cmp_ok($right, '>=', 19, "$PARTS[$place] in 19 of 20 pairs or more");
    }
};

subtest 'the parts of each pair of passes add up to the logarithm of their ratio' => sub {
    my $farthest = 0;
    for (1 .. 100) {
        my @passes = map { Costs::pass($random, 0.3, @TIMES) } 1, 2;
        my ($first, $second) = map { sum(@$_) } @passes;
        my $mean = Touchstone::Compare::CostSplit::log_mean($first, $second);
        my $sum  = sum(map { ($passes[1][$_] - $passes[0][$_]) / $mean } 0 .. $#PARTS);
        $farthest = max($farthest, abs($sum - log($second / $first)));
    }
    cmp_ok($farthest, '<', 1e-12, '100 pairs');
};

subtest 'equal runs have no parts' => sub {
    my $named = grep { Costs::compared($random, \@TIMES, $EQUAL, 0.01)->{split} } 1 .. 40;
    cmp_ok($named, '<=', 2, 'at most 1 of 20');
};

# Many ticks are needed to distinguish user from kernel time.
subtest 'CPU time is named where user and kernel time are uncertain' => sub {
    local $Costs::TICKS = 10;
    my @names = map {
        @{ (Costs::compared($random, [ 0.5, 0.5, 0 ], [ 1.1, 1, 1 ], 0.003)->{split} || {})->{named} || [] }
    } 1 .. 10;
    ok((grep { $_ eq 'cpu' } @names),      'CPU time');
    ok(!(grep { $_ eq 'waiting' } @names), 'never waiting');
};

sub with_split {
    my ($ratio, $named, @logs) = @_;
    my @parts =
        map { $PARTS[$_] => { log => $logs[$_], interval => [ $logs[$_] - 0.001, $logs[$_] + 0.001 ] } }
        0 .. 2;
    my $cpu = $logs[0] + $logs[1];
    return {
        name     => 'x',
        copies   => 1,
        ratio    => $ratio,
        interval => [ $ratio * 0.99, $ratio * 1.01 ],
        verdict  => $ratio > 1 ? 'faster' : 'slower',
        split    => {
            log   => -log $ratio,
            named => $named,
            parts => {@parts},
            cpu   => { log => $cpu, interval => [ $cpu - 0.001, $cpu + 0.001 ] }
        }
    };
}

subtest 'sentences' => sub {
    my $log = -log 0.69;
    is(sentence(0.69, ['kernel'], 0, $log, 0), 'x: 31 % slower, all of it in the kernel', 'all');
    is(
        sentence(0.88, [qw(waiting kernel)], 0, -log(0.88) / 3, -log(0.88) * 2 / 3),
        'x: 12 % slower: 8 points of waiting, 4 points of kernel time',
        'two parts'
    );
    is(
        sentence(1.2, [qw(kernel user)], log(1.2) / 2, -1.5 * log 1.2, 0),
        "x: 20 % faster: 30 points of kernel time, \xe2\x88\x9210 points of user time",
        'opposite parts'
    );
    is(
        sentence(3, [qw(user kernel)], -0.75 * log 3, -0.25 * log 3, 0),
        "x: 3.00 \xc3\x97 as fast: 75 % of it user time, 25 % of it kernel time",
        'a factor'
    );
    is(sentence(0.8, [], 0, 0, -log 0.8), undef, 'no part is certain');
};

sub sentence { return scalar Touchstone::Report::Compare::CostSplit::sentence(with_split(@_), 'text') }

subtest 'one part in most tests' => sub {
    my @kernel = map { with_split(0.7, ['kernel'], 0, -log 0.7, 0) } 1 .. 3;
    my $user   = with_split(0.7, ['user'], -log 0.7, 0, 0);
    is_deeply(
        [ Touchstone::Compare::CostSplit::common_part(@kernel, $user) ],
        [ 'kernel', 3, 4 ],
        'three of four'
    );
    is_deeply([ Touchstone::Compare::CostSplit::common_part($kernel[0], $user) ],
        [], 'one of two is not most');
    is_deeply([ Touchstone::Compare::CostSplit::common_part($kernel[0]) ], [], 'one test');
};

subtest 'a run without CPU times' => sub {
    my @runs = (
        Costs::run($random, 'one',   0.01, @TIMES),
        Costs::run($random, 'other', 0.01, map { 2 * $_ } @TIMES)
    );
    $runs[1]{tests}{'1 t'}{costs} = { why => 'no CPU time is known' };
    my ($pair) = @{ Touchstone::Compare::compare(runs => \@runs)->{pairs} };
    is_deeply($pair->{tests}[0]{split}, { why => 'no CPU time is known' }, 'the reason');
    is($pair->{tests}[0]{verdict}, 'slower', 'the verdict stays');
    my ($text) = grep { $_->[0] eq 'in' && "@{ $_->[1] }" eq 'plain' }
        Touchstone::Report::Compare::CostSplit::parts($pair);
    is($text->[2][1], 'No parts of t: no CPU time is known.', 'in the report');
};

done_testing;
