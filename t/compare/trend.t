# SPDX-License-Identifier: GPL-2.0-or-later
# Trend: what counts as a change.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Base::Random;
use Touchstone::Compare::Trend;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $random = Touchstone::Base::Random::generator(4711);
sub normal { return Touchstone::Base::Random::normal($random) }

sub long_tails {
    my $square = 0;
    $square += normal()**2 for 1 .. 3;
    return normal() / sqrt($square / 3);
}

sub disturbed { return $random->() < 0.1 ? -10 * $random->() : 0.3 * normal() }

# Returns values around 1000 with noise of one per cent; parts: [how many, how many per cent higher].
sub series {
    my ($noise, @parts) = @_;
    return [
        map {
            my ($many, $higher) = @$_;
            map { 1000 * exp(0.01 * $noise->() + log(1 + $higher / 100)) } 1 .. $many
        } @parts
    ];
}

sub places {
    my ($values, %among) = @_;
    return map { $_->{at} } Touchstone::Compare::Trend::changes($values, %among);
}

for my $kind (
    [ normal                    => \&normal ],
    [ 'with long tails'         => \&long_tails ],
    [ 'disturbed in one of ten' => \&disturbed ]
) {
    my ($name, $noise) = @$kind;
    subtest "at most 5 % of series of equal runs, $name, show a change" => sub {
        for my $row ([ 10, 400 ], [ 20, 300 ], [ 60, 150 ], [ 500, 25 ]) {
            my ($n, $many) = @$row;
            my $wrong = grep { places(series($noise, [ $n, 0 ])) } 1 .. $many;
            cmp_ok($wrong, '<=', 0.05 * $many, "of $n runs");
        }
    };
}

subtest 'a step of five deviations between ten and ten runs is found within two runs in over 95 %' => sub {
    my $found = grep {
        my @at = places(series(\&normal, [ 10, 0 ], [ 10, 5.2 ]), series => 24);
        @at == 1 && abs($at[0] - 10) <= 2
    } 1 .. 200;
    cmp_ok($found, '>', 190, 'of 200, among 24 series');
};

subtest 'what came and went again is two changes' => sub {
    my @found = Touchstone::Compare::Trend::changes(series(\&normal, [ 150, 0 ], [ 20, -8 ], [ 130, 0 ]),
        series => 24);
    is(scalar @found, 2, 'two');
    cmp_ok(abs($found[0]{at} - 150),                      '<=', 2,    'down');
    cmp_ok(abs($found[1]{at} - 170),                      '<=', 2,    'and up');
    cmp_ok(abs($found[0]{ratio} - 0.92),                  '<',  0.01, 'by 8 %');
    cmp_ok(abs($found[1]{after} / $found[0]{before} - 1), '<',  0.01, 'to where it was');
};

subtest 'two runs are no change, three that stand apart are one' => sub {
    my $before = series(\&normal, [ 40, 0 ]);
    is_deeply([ places([ @$before, 1500, 1505 ]) ], [], 'two');
    is_deeply([ places([ @$before, 1500, 1505, 1502 ]) ], [40], 'three');
};

subtest 'a difference that is sure and small is none' => sub {
    my @almost_equal = map { 1000 + $_ % 3 / 100 } 1 .. 50;
    is_deeply([ places([ @almost_equal, map { $_ * 1.004 } @almost_equal ]) ], [],   '0.4 %');
    is_deeply([ places([ @almost_equal, map { $_ * 1.006 } @almost_equal ]) ], [50], '0.6 %');
};

subtest 'equal values, and a step between equal values' => sub {
    is_deeply([ places([ (1000) x 100 ]) ],             [],   'none');
    is_deeply([ places([ (1000) x 20, (1100) x 20 ]) ], [20], 'one');
    is_deeply([ places([ (1000, 1100) x 30 ]) ],        [],   'to and fro is none');
};

subtest 'what has no logarithm, and what is too short, has no change' => sub {
    is_deeply([ places($_) ], [], 'values: ' . @$_) for [], [1], [ 1, 1, 1, 2, 2 ], [ 0, (1) x 20, (2) x 20 ];
};

subtest 'levels are the medians between changes' => sub {
    is_deeply(
        [ Touchstone::Compare::Trend::levels([ 1, 2, 9, 5, 6 ], 3) ],
        [ { from => 0, to => 2, value => 2 }, { from => 3, to => 4, value => 5.5 } ],
        'of places'
    );
    is_deeply(
        [ Touchstone::Compare::Trend::levels([ 1, 2, 9 ]) ],
        [ { from => 0, to => 2, value => 2 } ],
        'of all'
    );
};

done_testing;
