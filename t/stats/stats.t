# SPDX-License-Identifier: GPL-2.0-or-later
# Stats with answers that were computed by hand, and intervals with binomial tables made by addition.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Stats;

subtest 'the mean is the sum divided by the number' => sub {
    is(Touchstone::Stats::mean(7),          7,   'one value');
    is(Touchstone::Stats::mean(1, 2, 3, 4), 2.5, 'four values');
    is(Touchstone::Stats::mean(0, 0),       0,   'zeros');
    is(Touchstone::Stats::mean(-3, 3, 6),   2,   'negative values');
    near(Touchstone::Stats::mean(1e-9, 1e9), 500000000.0000000005, 'skewed values');
};

subtest 'the median is the middle value, or the mean of the two in the middle' => sub {
    is(Touchstone::Stats::median(5),                   5,   'n = 1');
    is(Touchstone::Stats::median(5, 1),                3,   'n = 2');
    is(Touchstone::Stats::median(9, 1, 5),             5,   'n = 3');
    is(Touchstone::Stats::median(4, 1, 3, 2),          2.5, 'n = 4');
    is(Touchstone::Stats::median(3, 1, 2, 5, 4, 6),    3.5, 'n = 6');
    is(Touchstone::Stats::median(3, 1, 7, 2, 5, 4, 6), 4,   'n = 7');
    is(Touchstone::Stats::median(2, 2, 2, 9),          2,   'ties');
    is(Touchstone::Stats::median(1, 1, 5, 5),          3,   'ties on both sides');
    is(Touchstone::Stats::median(0, 0, 0),             0,   'zeros');
    is(Touchstone::Stats::median(1, 2, 1e12),          2,   'one value far away does not move it');
};

subtest 'the median orders by number and not by text' => sub {
    is(Touchstone::Stats::median(10,  9,  100), 10,    'more digits');
    is(Touchstone::Stats::median(1e5, 99, 2e4), 20000, 'exponents');
    is(Touchstone::Stats::median(-10, -9, -1),  -9,    'negative values');
};

subtest 'the median does not depend on the order of the values' => sub {
    my @values = (8, 1, 6, 3);
    for my $turn (1 .. @values) {
        push @values, shift @values;
        is(Touchstone::Stats::median(@values), 4.5, "turned $turn times");
    }
    is("@values", '8 1 6 3', 'the caller keeps his order');
};

subtest 'the geometric mean is the root of the product' => sub {
    near(Touchstone::Stats::geometric_mean(7),            7,      'n = 1');
    near(Touchstone::Stats::geometric_mean(2, 8),         4,      'n = 2');
    near(Touchstone::Stats::geometric_mean(1, 10, 100),   10,     'n = 3');
    near(Touchstone::Stats::geometric_mean(0.5, 0.5),     0.5,    'ties below one');
    near(Touchstone::Stats::geometric_mean(1, 1, 1, 16),  2,      'skew');
    near(Touchstone::Stats::geometric_mean(3, 9, 27, 81), 3**2.5, 'even n');
};

subtest 'the geometric mean is zero when a value is' => sub {
    is(Touchstone::Stats::geometric_mean(0, 5), 0, 'one zero');
    is(Touchstone::Stats::geometric_mean(0),    0, 'only a zero');
};

subtest 'a product too large or too small for a number is no trouble for the geometric mean' => sub {
    near(Touchstone::Stats::geometric_mean(1e200, 1e300), 1e250, 'large') || diag('the product was formed');
    ok(abs(Touchstone::Stats::geometric_mean((1e-200) x 5) / 1e-200 - 1) < 1e-9, 'small');
};

subtest 'the spread is the range divided by the median' => sub {
    is(Touchstone::Stats::spread(5),              0,         'n = 1');
    is(Touchstone::Stats::spread(4, 4, 4),        0,         'ties');
    is(Touchstone::Stats::spread(10, 8, 12),      0.4,       'n = 3');
    is(Touchstone::Stats::spread(100, 9, 10, 11), 91 / 10.5, 'skew, ordered by number');
    is(Touchstone::Stats::spread(-1, 0, 1),       0,         'nothing is relative to a median of zero');
};

subtest 'the standard deviation is that of a sample' => sub {
    is(Touchstone::Stats::deviation(5), 0, 'n = 1 has none');
    near(Touchstone::Stats::deviation(1, 3),                   sqrt 2,       'n = 2');
    near(Touchstone::Stats::deviation(1, 2, 3),                1,            'n = 3');
    near(Touchstone::Stats::deviation(2, 4, 4, 4, 5, 5, 7, 9), sqrt(32 / 7), 'even n, with ties');
    near(Touchstone::Stats::deviation(-3, 0, 3),               3,            'negative values');
    is(Touchstone::Stats::deviation(0, 0, 0), 0, 'zeros');
    near(Touchstone::Stats::deviation(0, 0, 0, 400), 200, 'skew');
};

subtest 'values close together and far from zero keep their standard deviation' => sub {
    near(Touchstone::Stats::deviation(1e9 + 1, 1e9 + 2, 1e9 + 3), 1, 'no digits are lost to squares');
};

subtest 'the coefficient of variation is the standard deviation divided by the mean' => sub {
    near(Touchstone::Stats::variation(2, 4, 4, 4, 5, 5, 7, 9), sqrt(32 / 7) / 5, 'even n, with ties');
    near(Touchstone::Stats::variation(9,   10,   11),   0.1, 'n = 3');
    near(Touchstone::Stats::variation(9e6, 10e6, 11e6), 0.1, 'in any unit');
    is(Touchstone::Stats::variation(7), 0, 'n = 1');
    is(Touchstone::Stats::variation(0,  0), 0, 'zeros');
    is(Touchstone::Stats::variation(-1, 1), 0, 'nothing is relative to a mean of zero');
};

# Returns both limits in one text, so that one comparison tests them.
sub both {
    return join ' to ', map { sprintf '%.9g', $_ } @_;
}

subtest 'below six values there is no interval' => sub {
    for my $n (0 .. 5) {
        my @got = Touchstone::Stats::interval([ 1 .. $n ]);
        is(@got, 0, "n = $n");
    }
    is(scalar(my @six = Touchstone::Stats::interval([ 1 .. 6 ])), 2, 'n = 6');
};

# The range from the smallest to the largest of six values holds the median with 96.875 % (62 of 64 outcomes
# of six coins), that from the second to the fifth with 78.125 % (50 of 64). 95 % is a tenth of the way
# between, so the limits are 5 x 0.1 / (1 + 4 x 0.1) = 5/14 of the way to the next value.
subtest 'the interval of six values lies between the outer two at each end' => sub {
    is(
        both(Touchstone::Stats::interval([ 1, 2, 4, 8, 16, 32 ])),
        both(1 + 5 / 14, 32 - 16 * 5 / 14),
        'skewed values'
    );
    is(both(Touchstone::Stats::interval([ 10, 24, 38, 52, 66, 80 ])), both(15, 75),             'even steps');
    is(both(Touchstone::Stats::interval([ 5, 5, 5, 5, 5, 9 ])),       both(5,  9 - 4 * 5 / 14), 'ties');
    is(both(Touchstone::Stats::interval([ (7) x 6 ])),                both(7,  7), 'nothing but ties');
    is(both(Touchstone::Stats::interval([ (0) x 6 ])),                both(0,  0), 'zeros');
};

# Ten coins have 1024 outcomes: 1002 have at least two heads and two tails, and 912 at least three.
subtest 'the interval of ten values lies between the second and third at each end' => sub {
    my $inward = 8 * 29.2 / (2 * 90 + 6 * 29.2);
    is(both(Touchstone::Stats::interval([ 1 .. 10 ])), both(2 + $inward, 9 - $inward), 'even steps');
};

# Returns the share of all 2**n outcomes in which at most k of n coins show heads, by Pascal's triangle.
sub at_most {
    my ($n, $k) = @_;
    my @row = (1);
    @row = map { ($_ ? $row[ $_ - 1 ] : 0) / 2 + ($row[$_] // 0) / 2 } 0 .. @row for 1 .. $n;
    my $sum = 0;
    $sum += $row[$_] for 0 .. $k;
    return $sum;
}

sub sure { my ($n, $depth) = @_; return 1 - 2 * at_most($n, $depth - 1) }

subtest 'of more values the interval lies between the pairs that are a little more and a little less sure' =>
    sub {
    for my $n (7, 8, 9, 12, 15, 16, 25, 40) {
        my ($depth) = grep { sure($n, $_) >= 0.95 && sure($n, $_ + 1) < 0.95 } 1 .. $n / 2;
        my ($low, $high) = Touchstone::Stats::interval([ 1 .. $n ]);
        ok($low >= $depth && $low < $depth + 1, "n = $n: the lower limit") || diag("$low, depth $depth");
        near($low + $high, $n + 1, "n = $n: the upper is as far from its end");
    }
    };

subtest 'of very many values the interval is that of the normal distribution' => sub {
    my ($low, $high) = Touchstone::Stats::interval([ 1 .. 2000 ]);
    my $half = 1.959964 * sqrt(2000) / 2;
    ok(abs($low - (1000.5 - $half)) < 1,  'low')  || diag($low);
    ok(abs($high - (1000.5 + $half)) < 1, 'high') || diag($high);
};

# Returns irregular numbers that are the same in every run: fractional parts of multiples of an irrational
# number, squared for skew.
sub scattered {
    return map { my $x = $_ * 0.6180339887; 100 + 10 * ($x - int $x)**2 } 1 .. $_[0];
}

subtest 'the interval is never wider than the values' => sub {
    for my $n (6 .. 30) {
        my @sorted = sort { $a <=> $b } scattered($n);
        for my $confidence (0.5, 0.6827, 0.9, 0.95, 0.99, 0.999) {
            my ($low, $high) = Touchstone::Stats::interval(\@sorted, $confidence) or next;
            ok($low >= $sorted[0] && $high <= $sorted[-1], "n = $n, $confidence") || diag("$low to $high");
        }
    }
};

subtest 'the median is in its interval' => sub {
    for my $n (6 .. 30) {
        my ($low, $high) = Touchstone::Stats::interval([ scattered($n) ]);
        my $median = Touchstone::Stats::median(scattered($n));
        ok($low <= $median && $median <= $high, "n = $n") || diag("$low to $high, $median");
    }
};

subtest 'the interval does not depend on the order of the values' => sub {
    my @values = scattered(11);
    is(
        both(Touchstone::Stats::interval([ reverse @values ])),
        both(Touchstone::Stats::interval(\@values)),
        'turned round'
    );
    is(
        both(Touchstone::Stats::interval([ 9, 100, 10, 8, 11, 12 ])),
        both(8 + 5 / 14, 100 - 88 * 5 / 14),
        'ordered by number and not by text'
    );
};

subtest 'asking for an interval leaves the values in their order' => sub {
    my @values = (3, 1, 2, 6, 5, 4);
    Touchstone::Stats::interval(\@values);
    is("@values", '3 1 2 6 5 4', 'as they were');
};

subtest 'the interval has the unit of the values' => sub {
    my @values = scattered(9);
    my @plain  = Touchstone::Stats::interval(\@values);
    is(
        both(Touchstone::Stats::interval([ map { $_ * 1000 } @values ])),
        both(map { $_ * 1000 } @plain),
        'a thousand times as large'
    );
    is(both(Touchstone::Stats::interval([ map { $_ + 50 } @values ])), both(map { $_ + 50 } @plain), 'moved');
};

subtest 'the surer an interval shall be, the wider it is' => sub {
    my $before = -1;
    for my $confidence (0.1, 0.3, 0.5, 0.6827, 0.78125, 0.9, 0.95, 0.96875) {
        my ($low, $high) = Touchstone::Stats::interval([ 1, 2, 4, 8, 16, 32 ], $confidence);
        ok($high - $low > $before, $confidence) || diag($high - $low);
        $before = $high - $low;
    }
    is(
        both(Touchstone::Stats::interval([ 1, 2, 4, 8, 16, 32 ], 0.78125)),
        both(2, 16),
        '78.125 % of six: from the second to the fifth'
    );
    is(
        both(Touchstone::Stats::interval([ 1, 2, 4, 8, 16, 32 ], 0.96875)),
        both(1, 32),
        '96.875 %: from the smallest to the largest'
    );
};

subtest 'what so few values cannot be sure of has no interval' => sub {
    is(scalar(my @got  = Touchstone::Stats::interval([ 1 .. 6 ], 0.97)), 0, 'six are at most 96.875 % sure');
    is(scalar(my @more = Touchstone::Stats::interval([ 1 .. 7 ], 0.97)), 2, 'seven are 98.4 % sure');
};

# 50 % of six values is 0.6 of the way from 78.125 % to 31.25 %, so the limits are 4 x 0.6 / (2 + 2 x 0.6) =
# 0.75 of the way to the next value.
subtest 'the error of the logarithm is told by the interval that holds it as often as not' => sub {
    near(
        Touchstone::Stats::log_error(1, 2, 4, 8, 16, 32),
        0.9 * log((16 - 8 * 0.75) / (2 + 2 * 0.75)) / 2 / 0.6745,
        'n = 6'
    );
    is(Touchstone::Stats::log_error((3) x 6), 0, 'ties');
    near(
        Touchstone::Stats::log_error(0.001, 2, 4, 8, 16, 32e6),
        Touchstone::Stats::log_error(1,     2, 4, 8, 16, 32),
        'how far out the outermost are does not matter'
    );
    near(
        Touchstone::Stats::log_error(map { $_ * 1e6 } scattered(8)),
        Touchstone::Stats::log_error(scattered(8)),
        'in any unit'
    );
};

subtest 'without an interval above zero there is no error of the logarithm' => sub {
    is(scalar Touchstone::Stats::log_error(1 .. 5),     undef, 'n = 5');
    is(scalar Touchstone::Stats::log_error((0) x 5, 1), undef, 'zeros');
    is(scalar Touchstone::Stats::log_error(-3 .. 5),    undef, 'negative values');
};

# The first five values and a sixth far above them have the median 12.5, and their median distance from it is
# 1.5: 6 x 1.4826 x 1.5 = 13.34.
subtest 'an outlier is six standard deviations from the median' => sub {
    my @near = (10, 11, 12, 13, 14);
    is_deeply([ Touchstone::Stats::outliers(@near, 100) ],             [5],      'far above');
    is_deeply([ Touchstone::Stats::outliers(@near, 25.8) ],            [],       'not yet');
    is_deeply([ Touchstone::Stats::outliers(@near, 25.9) ],            [5],      'just');
    is_deeply([ Touchstone::Stats::outliers(-100, @near) ],            [0],      'far below');
    is_deeply([ Touchstone::Stats::outliers(500, 9 .. 15, -500, 12) ], [ 0, 8 ], 'two');
    is_deeply([ Touchstone::Stats::outliers(1 .. 9) ],                 [],       'none in even steps');
};

subtest 'no value is an outlier where distances mean nothing' => sub {
    is_deeply([ Touchstone::Stats::outliers(1, 1.1, 1.2, 1.3, 99) ], [], 'n = 5');
    is_deeply([ Touchstone::Stats::outliers((5) x 6) ],              [], 'ties');
    is_deeply([ Touchstone::Stats::outliers() ],                     [], 'no values');
};

subtest 'a question without an answer is a fault of the calling code' => sub {
    my %call = (
        'mean of nothing'                     => sub { Touchstone::Stats::mean() },
        'median of nothing'                   => sub { Touchstone::Stats::median() },
        'geometric mean of nothing'           => sub { Touchstone::Stats::geometric_mean() },
        'geometric mean of a negative number' => sub { Touchstone::Stats::geometric_mean(4, -1) },
    );
    for my $message (sort keys %call) {
        my $file = quotemeta __FILE__;
        ok(!eval { $call{$message}->(); 1 }, "$message dies");
        like($@, qr/\A$message at $file line \d+/, "$message names the caller");
    }
    ok(!eval { Touchstone::Stats::spread(); 1 }, 'spread of nothing dies');
};

done_testing;
