# SPDX-License-Identifier: GPL-2.0-or-later
# Significance with published examples, printed tables, and answers found by trying all possibilities.
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Base::Random;
use Touchstone::Stats::Significance;

# Hours of sleep gained with two drugs, ten patients each (Student 1908).
my @SLEEP = (
    [ 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 ],
    [ 1.9, 0.8,  1.1,  0.1,  -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 ]
);

# Eighths of an inch by which crossed maize outgrew its self-fertilised neighbour (Darwin 1876; Fisher 1935).
my @MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48);
my @TEN   = 1 .. 10;

# A generator that must not be called.
sub no_numbers {
    return sub { die "a random number was drawn\n" }
}

subtest 'the Welch test gives the published figures of samples with like variances' => sub {
    my @first  = (27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4);
    my @second = (27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4);
    my $got    = Touchstone::Stats::Significance::welch(\@first, \@second);
    near($got->{difference} / $got->{error}, 2.46, 't',                  0.005);
    near($got->{freedom},                    25.0, 'degrees of freedom', 0.05);
    near($got->{p},                          0.021378001462867, 'p');
};

subtest 'the Welch test gives the published figures of samples with unlike sizes and variances' => sub {
    my @first  = (17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8);
    my @second = (
        21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
        20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8
    );
    my $got = Touchstone::Stats::Significance::welch(\@first, \@second);
    near($got->{difference} / $got->{error}, 1.57, 't',                  0.005);
    near($got->{freedom},                    9.9,  'degrees of freedom', 0.05);
    near($got->{p},                          0.148841696605327, 'p');
    near(Touchstone::Stats::Significance::welch([ 3, 4, 1, 2.1 ], [ 490.2, 340, 433.9 ])->{p},
        0.010751561149785, 'very unlike variances');
};

subtest 'the Welch test of the sleep data gives the published figures' => sub {
    my $got = Touchstone::Stats::Significance::welch(@SLEEP);
    near($got->{difference},                 1.58,    'difference of the means');
    near($got->{difference} / $got->{error}, 1.8608,  't',                  5e-5);
    near($got->{freedom},                    17.776,  'degrees of freedom', 5e-4);
    near($got->{p},                          0.07939, 'p',                  5e-6);
};

subtest 'the Welch test sees the same in both directions' => sub {
    my ($one, $other) = (
        Touchstone::Stats::Significance::welch(@SLEEP),
        Touchstone::Stats::Significance::welch(reverse @SLEEP)
    );
    near($one->{difference}, -$other->{difference}, 'the difference changes its sign');
    near($one->{$_},         $other->{$_},          "$_ stays") for qw(error freedom p);
};

# A fifth of 1 to 10, two values, is trimmed at each end: the mean of 3 to 8 is 5.5. With the ends moved in,
# the sum of squares is 42.5, and the variance 42.5 / (6 x 5). For twice the values it is four times that.
# There are (5 d)**2 / (d**2 / 5 + (4 d)**2 / 5) = 125 / 17 degrees of freedom.
subtest 'the trimmed test is the Yuen test of a fifth at each end' => sub {
    my $got = Touchstone::Stats::Significance::trimmed(\@TEN, [ map { 2 * $_ } @TEN ]);
    near($got->{difference}, 5.5,                 'difference');
    near($got->{error},      sqrt(5 * 42.5 / 30), 'error');
    near($got->{freedom},    125 / 17,            'degrees of freedom');
};

subtest 'how far an outlier is does not matter to the trimmed test' => sub {
    my ($near, $far) =
        map { Touchstone::Stats::Significance::trimmed([ @TEN[ 0 .. 8 ], $_ ], [ 3 .. 12 ]) } 10, 1e6;
    is_deeply($far, $near, 'the same figures');
};

subtest 'samples without outliers are compared by all of their values' => sub {
    is_deeply(
        Touchstone::Stats::Significance::differ(\@TEN, [ 4 .. 13 ]),
        Touchstone::Stats::Significance::welch(\@TEN, [ 4 .. 13 ]),
        'as Welch'
    );
};

subtest 'an outlier in either sample makes the comparison a trimmed one' => sub {
    my @wild = (@TEN[ 0 .. 8 ], 1000);
    is_deeply(
        Touchstone::Stats::Significance::differ(\@wild, \@TEN),
        Touchstone::Stats::Significance::trimmed(\@wild, \@TEN),
        'in the first'
    );
    is_deeply(
        Touchstone::Stats::Significance::differ(\@TEN, \@wild),
        Touchstone::Stats::Significance::trimmed(\@TEN, \@wild),
        'in the second'
    );
};

subtest 'one disturbed pass does not hide a difference' => sub {
    my @first  = map { 100 + $_ / 10 } 1 .. 10;
    my @second = map { 104 + $_ / 10 } 1 .. 10;
    ok(Touchstone::Stats::Significance::differ(\@first, [ @second[ 0 .. 8 ], 20 ])->{p} < 0.001, 'seen');
    ok(Touchstone::Stats::Significance::welch(\@first, [ @second[ 0 .. 8 ], 20 ])->{p} > 0.05,
        'by means of all values it would not be');
};

subtest 'the paired test of the sleep data gives the published figures' => sub {
    my $got = Touchstone::Stats::Significance::paired(map { $SLEEP[1][$_] - $SLEEP[0][$_] } 0 .. 9);
    near($got->{difference} / $got->{error}, 4.0621, 't', 5e-5);
    is($got->{freedom}, 9, 'degrees of freedom');
    near($got->{p}, 0.002833, 'p', 5e-7);
};

subtest 'the paired test of the maize gives the published figures' => sub {
    my $got = Touchstone::Stats::Significance::paired(@MAIZE);
    near($got->{difference} / $got->{error}, 2.148,  't', 5e-4);
    near($got->{p},                          0.0497, 'p', 5e-5);
};

subtest 'a difference without variance is certain, and no difference is none' => sub {
    is(Touchstone::Stats::Significance::judged(0.1, 0, 5)->{p}, 0, 'a difference');
    is(Touchstone::Stats::Significance::judged(0,   0, 5)->{p}, 1, 'none');
    is_deeply(
        Touchstone::Stats::Significance::welch([ (5) x 6 ], [ (7) x 8 ]),
        { difference => 2, error => 0, freedom => 5, p => 0 },
        'equal passes: the fewer degrees of freedom'
    );
    is(Touchstone::Stats::Significance::welch([ (5) x 6 ], [ (5) x 6 ])->{p}, 1, 'two times the same');
    is(Touchstone::Stats::Significance::paired((0) x 6)->{p}, 1, 'pairs without a difference');
};

subtest 'a difference of no size is as likely as can be' => sub {
    near(Touchstone::Stats::Significance::judged(0,            2, 7)->{p}, 1, 'p');
    near(Touchstone::Stats::Significance::judged(2.364624 * 3, 3, 7)->{p},
        0.05, 'and where the table says 5 %, p is that', 1e-6);
    near(Touchstone::Stats::Significance::judged(-2.364624 * 3, 3, 7)->{p}, 0.05, 'on both sides', 1e-6);
};

# A lady says which four of eight cups had the milk first (Fisher 1935). There are 70 ways to choose four: 1
# is right, and 16 have three right.
subtest 'dealing out the cups of the tasting lady gives the published chances' => sub {
    near(Touchstone::Stats::Significance::permutation([ 1, 1, 1, 1 ], [ 0, 0, 0, 0 ], no_numbers()),
        2 / 70, 'all right, or all wrong');
    near(Touchstone::Stats::Significance::permutation([ 1, 1, 1, 0 ], [ 1, 0, 0, 0 ], no_numbers()),
        34 / 70, 'three right or three wrong, or more');
    near(Touchstone::Stats::Significance::permutation([ 1, 1, 0, 0 ], [ 1, 1, 0, 0 ], no_numbers()),
        1, 'two of four is what chance gives');
};

# Counts the ways to choose as many values as the first sample has whose means are at least as far apart.
sub all_ways {
    my ($first, $second) = @_;
    my @all   = (@$first, @$second);
    my $apart = sub {
        my %in = map { $_ => 1 } @_;
        abs(sum(@all[@_]) / @_ - sum(map { $in{$_} ? () : $all[$_] } 0 .. $#all) / (@all - @_));
    };
    my $seen = $apart->(0 .. $#$first);
    my ($as_far, $ways) = (0, 0);
    for my $mask (0 .. 2**@all - 1) {
        my @chosen = grep { $mask >> $_ & 1 } 0 .. $#all;
        next if @chosen != @$first;
        $ways++;
        $as_far++ if $apart->(@chosen) >= $seen - 1e-9;
    }
    return $as_far / $ways;
}

subtest 'all ways to deal out few values are tried' => sub {
    my @cases = (
        [ [ 1, 2, 3 ],                      [ 4, 5, 6 ] ],
        [ [ 3, 1, 4, 1, 5, 9 ],             [ 2, 6, 5, 3, 5, 8 ] ],
        [ [ 1.5, -2 ],                      [ 0, 0.25, 7, 3, -4 ] ],
        [ [ -1, -2, -3, -4 ],               [ 4, 3, 2, 1, -9 ] ],
        [ [ 5, 5, 5 ],                      [ 5, 5, 5 ] ],
        [ [7],                              [ 1, 2, 3 ] ],
        [ [ 0.7, 0.1, 0.2, 0.3, 0.9, 0.4 ], [ 1.1, 1.2, 0.8, 1.3, 0.6, 1 ] ]
    );
    for my $case (@cases) {
        my ($first, $second) = @$case;
        near(
            Touchstone::Stats::Significance::permutation($first, $second, no_numbers()),
            all_ways($first, $second),
            "@$first against @$second"
        );
        near(
            Touchstone::Stats::Significance::permutation($second, $first, no_numbers()),
            all_ways($first, $second),
            'and the other way round'
        );
    }
};

subtest 'the values that are dealt out keep their places with the caller' => sub {
    my ($first, $second) = ([ 1 .. 10 ], [ 3 .. 12 ]);
    Touchstone::Stats::Significance::permutation($first, $second, Touchstone::Base::Random::generator(1));
    is("@$first, @$second", join(', ', join(' ', 1 .. 10), join(' ', 3 .. 12)), 'as they were');
};

subtest 'the same generator deals out the same draws' => sub {
    my @samples = ([ 1 .. 10 ], [ 3 .. 12 ]);
    my ($one, $other) = map {
        Touchstone::Stats::Significance::permutation(@samples, Touchstone::Base::Random::generator(4711))
    } 1, 2;
    is($one, $other, 'the same seed');
    my %seen = map {
        Touchstone::Stats::Significance::permutation(@samples, Touchstone::Base::Random::generator($_)) => 1
    } 1 .. 5;
    ok(keys %seen > 1, 'other seeds deal otherwise');
};

# The samples are 1 to 10 and 11 to 20. Only 2 of 184756 ways are as far apart; 2001 draws find very few of
# them, but the result is never 0.
subtest 'many values are dealt out at random' => sub {
    my $p = Touchstone::Stats::Significance::permutation(
        [ 1 .. 10 ],
        [ 11 .. 20 ],
        Touchstone::Base::Random::generator(1)
    );
    ok($p >= 1 / 2001 && $p < 0.003, 'samples apart') || diag($p);
    is(
        Touchstone::Stats::Significance::permutation(
            [ (1) x 10 ],
            [ (1) x 10 ],
            Touchstone::Base::Random::generator(1)
        ),
        1,
        'equal values'
    );
    near(Touchstone::Stats::Significance::permutation(@SLEEP, Touchstone::Base::Random::generator(1)),
        0.08145, 'the sleep data: 15048 of 184756 ways', 0.025);
};

subtest 'the ranks of two samples are the places in the order of all' => sub {
    is_deeply(
        [ Touchstone::Stats::Significance::ranks([ 30, 10 ], [ 20, 1000, 5 ]) ],
        [ [ 4, 2 ], [ 3, 5, 1 ] ],
        'by number and not by text'
    );
    is_deeply(
        [ Touchstone::Stats::Significance::ranks([ -1, -10 ], [0]) ],
        [ [ 2, 1 ], [3] ],
        'negative values'
    );
};

subtest 'equal values share their places' => sub {
    is_deeply(
        [ Touchstone::Stats::Significance::ranks([ 1, 2, 2 ], [ 2, 3 ]) ],
        [ [ 1, 3, 3 ], [ 3, 5 ] ],
        'three in places 2 to 4'
    );
    is_deeply([ Touchstone::Stats::Significance::ranks([ 7, 7 ], [ 7, 7 ]) ],
        [ [ 2.5, 2.5 ], [ 2.5, 2.5 ] ], 'all');
};

# Counts the ways to choose signs whose sum is as far on one side.
sub all_signs {
    my (@differences) = @_;
    my $as_far = grep {
        my $mask = $_;
        abs(sum(map { $mask >> $_ & 1 ? $differences[$_] : -$differences[$_] } 0 .. $#differences)) >=
            abs(sum(@differences)) - 1e-9
    } 0 .. 2**@differences - 1;
    return $as_far / 2**@differences;
}

subtest 'all signs of few differences are tried' => sub {
    for my $case (
        [ 1,   1,    1,      1,  1,  1 ],
        [ 1,   -1,   2,      -2, 3,  4 ],
        [ 0.5, 0.25, -0.125, 1,  2,  4, 8 ],
        [ 0,   0,    0,      0,  0,  0 ],
        [ -3,  -1,   -4,     -1, -5, -9, -2, -6 ],
        [5], [ map { $SLEEP[1][$_] - $SLEEP[0][$_] } 0 .. 9 ]
    ) {
        near(Touchstone::Stats::Significance::sign_flip($case, no_numbers()), all_signs(@$case), "of @$case");
    }
    near(Touchstone::Stats::Significance::sign_flip([ (1) x 6 ], no_numbers()),
        2 / 64, 'six on one side: 2 of 64 ways');
};

# Fisher found that 863 of 32768 ways are as far on this side.
subtest 'signs of many differences are drawn' => sub {
    near(
        Touchstone::Stats::Significance::sign_flip(\@MAIZE, Touchstone::Base::Random::generator(1)),
        2 * 863 / 32768,
        'the maize', 0.02
    );
    my ($one, $other) =
        map { Touchstone::Stats::Significance::sign_flip(\@MAIZE, Touchstone::Base::Random::generator(7)) } 1,
        2;
    is($one, $other, 'the same seed draws the same');
    ok(
        Touchstone::Stats::Significance::sign_flip([ (1) x 20 ], Touchstone::Base::Random::generator(1)) > 0,
        'never is anything impossible'
    );
};

sub holm {
    return join ' ', map { sprintf '%.6g', $_ } Touchstone::Stats::Significance::holm(@_);
}

subtest 'the Holm correction gives the figures of the textbook, in the order of the question' => sub {
    is(holm(0.01, 0.04, 0.03, 0.005), '0.03 0.06 0.06 0.02', 'four tests');
    is(holm(0.01, 0.01, 0.01),        '0.03 0.03 0.03',      'ties');
    is(holm(0.04),                    '0.04',                'one test needs none');
    is(holm(0.6, 0.7),                '1 1',                 'nothing is surer than certain');
    is(holm(0, 0.5, 1),               '0 1 1',               'zero');
    is(holm(),                        '',                    'no tests');
};

# Printed tables: degrees of freedom, then the values that Student's t exceeds with these probabilities.
my @CHANCES = (0.1, 0.05, 0.025, 0.01, 0.005, 0.0005);
my @TABLE   = (
    [ 1,    3.07768, 6.31375, 12.7062, 31.8205, 63.6567, 636.619 ],
    [ 2,    1.88562, 2.91999, 4.30265, 6.96456, 9.92484, 31.5991 ],
    [ 3,    1.63774, 2.35336, 3.18245, 4.54070, 5.84091, 12.9240 ],
    [ 4,    1.53321, 2.13185, 2.77645, 3.74695, 4.60409, 8.61030 ],
    [ 5,    1.47588, 2.01505, 2.57058, 3.36493, 4.03214, 6.86883 ],
    [ 10,   1.37218, 1.81246, 2.22814, 2.76377, 3.16927, 4.58689 ],
    [ 20,   1.32534, 1.72472, 2.08596, 2.52798, 2.84534, 3.84952 ],
    [ 30,   1.31042, 1.69726, 2.04227, 2.45726, 2.75000, 3.64596 ],
    [ 60,   1.29582, 1.67065, 2.00030, 2.39012, 2.66028, 3.46020 ],
    [ 120,  1.28865, 1.65765, 1.97993, 2.35782, 2.61742, 3.37345 ],
    [ 1000, 1.28240, 1.64638, 1.96234, 2.33008, 2.58075, 3.30028 ],
);

subtest 'quantiles of the t distribution are those of printed tables' => sub {
    for my $row (@TABLE) {
        my ($freedom, @values) = @$row;
        near(
            Touchstone::Stats::Significance::t_quantile($CHANCES[$_], $freedom),
            $values[$_],
            "$freedom, $CHANCES[$_]",
            6e-6 * $values[$_]
        ) for 0 .. $#values;
    }
};

subtest 'chances of the t distribution are those of printed tables' => sub {
    for my $row (@TABLE) {
        my ($freedom, @values) = @$row;
        near(
            Touchstone::Stats::Significance::t_above($values[$_], $freedom),
            $CHANCES[$_],
            "$freedom, $values[$_]",
            1e-4 * $CHANCES[$_]
        ) for 0 .. $#values;
    }
};

subtest 'with one and two degrees of freedom chances are those of the formulas' => sub {
    for my $t (0, 0.001, 0.3, 1, 2.5, 40, 1e4) {
        near(Touchstone::Stats::Significance::t_above($t, 1), atan2(1, $t) / atan2(0, -1), "1, $t", 1e-12);
        near(Touchstone::Stats::Significance::t_above($t, 2), (1 - $t / sqrt(2 + $t**2)) / 2, "2, $t", 1e-12);
    }
};

# With x = sqrt(freedom) tan(angle) the density of t becomes a power of the cosine, which is integrated by
# Simpson's rule.
sub summed {
    my ($t, $freedom) = @_;
    my $area = sub {
        my ($from, $to)  = @_;
        my ($n,    $sum) = (4000, 0);
        $sum +=
            ($_ == 0 || $_ == $n ? 1 : $_ % 2 ? 4 : 2) * max(0, cos($from + ($to - $from) * $_ / $n))
            **($freedom - 1)
            for 0 .. $n;
        return $sum * ($to - $from) / $n / 3;
    };
    my $quarter = atan2(1, 0);
    return $area->(atan2($t, sqrt $freedom), $quarter) / $area->(0, $quarter) / 2;
}

subtest 'with a fraction of degrees of freedom chances are the area under the curve' => sub {
    for my $freedom (2.5, 5, 7.353, 9.9, 24.5, 177.3, 999.5) {
        near(
            Touchstone::Stats::Significance::t_above($_, $freedom),
            summed($_, $freedom),
            "$freedom, $_", 1e-6
        ) for 0.1, 1, 2.2, 4;
    }
};

subtest 'between whole degrees of freedom quantiles lie between' => sub {
    for my $freedom (1, 4, 9, 30, 500) {
        my @values = map { Touchstone::Stats::Significance::t_quantile(0.025, $freedom + $_) } 0, 0.5, 1;
        ok($values[0] > $values[1] && $values[1] > $values[2], "$freedom and a half") || diag("@values");
    }
};

subtest 'a quantile is exceeded as often as it says' => sub {
    for my $freedom (1, 2.7, 5, 11.4, 100) {
        near(
            Touchstone::Stats::Significance::t_above(
                Touchstone::Stats::Significance::t_quantile($_, $freedom), $freedom
            ),
            $_,
            "$freedom, $_",
            1e-6 * $_
        ) for 0.4, 0.05, 0.025, 0.025 / 26, 1e-6;
    }
};

done_testing;
