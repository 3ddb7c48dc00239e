#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The probe of cache lines: what it says of made-up pairs, and its program run by hand.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Passes;

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};

# Pairs are [ stores, exchanges, near ]; $others is how many CPUs other programs use.
our $others = 0;

sub lines {
    my (@pairs) = @_;
    my %figures;
    for my $i (0 .. $#pairs) {
        my ($stores, $exchanges, $near) = @{ $pairs[$i] };
        my %of = (stores => $stores, exchanges => $exchanges, near => $near);
        $figures{ "pair-0-" . ($i + 1) . "-$_" } = $of{$_} for grep { defined $of{$_} } keys %of;
    }
    return said('Line', {}, passes(\%figures, $others));
}

subtest 'pairs of one cache that are alike are confirmed' => sub {
    my $said = lines([ 50, 55, 1 ], [ 60, 66, 1 ], [ 55, 60, 1 ]);
    says('alike', 'confirmed',
        qr/\AA cache line takes 55 ns .* the median of 3 pairs \(50 to 60\)\. All pairs/, $said);
    is(
        evidence($said, 'CPUs 0 and 2'),
        '60 ns by stores (60 to 60), 66 ns by exchanges; reported to share a cache',
        'its evidence'
    );
};

subtest 'pairs of two caches that are slower are confirmed' => sub {
    says(
        'apart', 'confirmed',
        qr/are faster, by stores and by exchanges/,
        lines([ 50, 55, 1 ], [ 60, 66, 1 ], [ 200, 210, 0 ], [ 140, 150, 0 ])
    );
    says(
        'no difference',
        'unclear',
        qr/are not faster than the others/,
        lines([ 50, 55, 1 ], [ 60, 66, 1 ], [ 55, 60, 0 ])
    );
    says('by one way only', 'unclear', qr/are not faster/,
        lines([ 50, 55, 1 ], [ 60, 66, 1 ], [ 70, 60, 0 ]));
};

subtest 'pairs that are said to share a cache and do not are contradicted, by both ways' => sub {
    says(
        'hidden caches',
        'contradicted',
        qr/some take 3\.8 times as long as others/,
        lines([ 50, 55, 1 ], [ 200, 210, 1 ], [ 52, 56, 1 ])
    );
    says('by stores only', 'confirmed', qr/about the same time/,        lines([ 50, 55, 1 ], [ 200, 60, 1 ]));
    says('a little',       'unclear',   qr/differ by a factor of 1\.8/, lines([ 50, 55, 1 ], [ 90,  99, 1 ]));
    says('no exchanges',   'unclear',   qr/One of the two methods/, lines([ 50, undef, 1 ], [ 200, 99, 1 ]));
    local $others = 0.5;
    says(
        'a busy machine',
        'unclear',
        qr/factor of 3\.8, while other programs used 0\.50 CPUs/,
        lines([ 50, 55, 1 ], [ 200, 210, 1 ], [ 52, 56, 1 ])
    );
};

subtest 'one pair, or none, is no verdict' => sub {
    says('one', 'unclear', qr/takes 50 ns from CPU 0 to CPU 1\. There is no other pair/,
        lines([ 50, 55, 1 ]));
    says(
        'no cache in common',
        'unclear',
        qr/No pair is reported to share/,
        lines([ 50, 55, 0 ], [ 60, 66, 0 ])
    );
    says('no /sys', 'unclear', qr/does not report which CPUs/, lines([ 50, 55 ], [ 60, 66 ]));
    is(lines(), undef, 'without a pair it says nothing');
};

subtest 'a pair that was moved meanwhile is no verdict' => sub {
    says(
        'moved', 'unclear',
        qr/\Q. It took twice as long in one pass/,
        lines([ [ 64, 230, 64, 240, 230, 235 ], 75, 1 ])
    );
    says(
        'one of two', 'unclear',
        qr/Of 2 pairs 1 took twice as long/,
        lines([ [ 64, 230, 64, 240, 230, 235 ], 75, 1 ], [ 50, 55, 1 ])
    );
};

subtest 'the program measures pairs of cores, where there are two' => sub {
    my @ran = program('truth-line', 0.4);
    if ($ran[0] == 77 << 8) {
        like($ran[1], qr/\ASKIP\|(?:it needs two CPUs|no two CPUs ran)/, 'or says why it cannot');
    } else {
        is_result('truth-line', @ran);
        my %figures = %{ figures_of($ran[1]) };
        cmp_ok(scalar(grep { /\Apair-\d+-\d+-stores\z/ } keys %figures), '>', 0, 'a pair');
        cmp_ok(scalar(keys %figures), '<=', 100, 'no more figures than a pass may have');
    }
    my ($bound) = run('taskset', '-c', '0', 'true');
SKIP: {
        skip 'taskset is not here, or CPU 0 may not be used', 2 if $bound != 0;
        my ($status, $err) = run('taskset', '-c', '0', Programs::path('truth-line'), 0.1);
        is($status, 77 << 8, 'one CPU: exit 77');
        like($err, qr/\ASKIP\|it needs two CPUs of different cores\n\z/, 'and why');
    }
};

done_testing;
