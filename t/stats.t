# SPDX-License-Identifier: GPL-2.0-or-later
# Stats against answers worked out by hand.
use 5.014;
use strict;
use warnings;

use Test::More;

BEGIN { $SIG{__WARN__} = sub { fail("no warning: $_[0]") } }
use Touchstone::Stats;

sub near {
    my ($got, $expected, $name) = @_;
    return ok(abs($got - $expected) <= 1e-12 * abs $expected, $name) || diag("got $got, expected $expected");
}

subtest 'the mean is the sum divided by the number' => sub {
    is(Touchstone::Stats::mean(7), 7, 'one value');
    is(Touchstone::Stats::mean(1, 2, 3, 4), 2.5, 'four values');
    is(Touchstone::Stats::mean(0, 0), 0, 'zeros');
    is(Touchstone::Stats::mean(-3, 3, 6), 2, 'negative values');
    near(Touchstone::Stats::mean(1e-9, 1e9), 500000000.0000000005, 'skewed values');
};

subtest 'the median is the middle value, or the mean of the two in the middle' => sub {
    is(Touchstone::Stats::median(5), 5, 'n = 1');
    is(Touchstone::Stats::median(5, 1), 3, 'n = 2');
    is(Touchstone::Stats::median(9, 1, 5), 5, 'n = 3');
    is(Touchstone::Stats::median(4, 1, 3, 2), 2.5, 'n = 4');
    is(Touchstone::Stats::median(3, 1, 2, 5, 4, 6), 3.5, 'n = 6');
    is(Touchstone::Stats::median(3, 1, 7, 2, 5, 4, 6), 4, 'n = 7');
    is(Touchstone::Stats::median(2, 2, 2, 9), 2, 'ties');
    is(Touchstone::Stats::median(1, 1, 5, 5), 3, 'ties on both sides');
    is(Touchstone::Stats::median(0, 0, 0), 0, 'zeros');
    is(Touchstone::Stats::median(1, 2, 1e12), 2, 'one value far away does not move it');
};

subtest 'the median orders by number and not by text' => sub {
    is(Touchstone::Stats::median(10, 9, 100), 10, 'more digits');
    is(Touchstone::Stats::median(1e5, 99, 2e4), 20000, 'exponents');
    is(Touchstone::Stats::median(-10, -9, -1), -9, 'negative values');
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
    near(Touchstone::Stats::geometric_mean(7), 7, 'n = 1');
    near(Touchstone::Stats::geometric_mean(2, 8), 4, 'n = 2');
    near(Touchstone::Stats::geometric_mean(1, 10, 100), 10, 'n = 3');
    near(Touchstone::Stats::geometric_mean(0.5, 0.5), 0.5, 'ties below one');
    near(Touchstone::Stats::geometric_mean(1, 1, 1, 16), 2, 'skew');
    near(Touchstone::Stats::geometric_mean(3, 9, 27, 81), 3**2.5, 'even n');
};

subtest 'the geometric mean is zero when a value is' => sub {
    is(Touchstone::Stats::geometric_mean(0, 5), 0, 'one zero');
    is(Touchstone::Stats::geometric_mean(0), 0, 'only a zero');
};

subtest 'a product too large or too small for a number is no trouble for the geometric mean' => sub {
    near(Touchstone::Stats::geometric_mean(1e200, 1e300), 1e250, 'large') || diag('the product was formed');
    ok(abs(Touchstone::Stats::geometric_mean((1e-200) x 5) / 1e-200 - 1) < 1e-9, 'small');
};

subtest 'the spread is the range divided by the median' => sub {
    is(Touchstone::Stats::spread(5), 0, 'n = 1');
    is(Touchstone::Stats::spread(4, 4, 4), 0, 'ties');
    is(Touchstone::Stats::spread(10, 8, 12), 0.4, 'n = 3');
    is(Touchstone::Stats::spread(100, 9, 10, 11), 91 / 10.5, 'skew, ordered by number');
    is(Touchstone::Stats::spread(-1, 0, 1), 0, 'nothing is relative to a median of zero');
};

subtest 'a question without an answer is a fault of the calling code' => sub {
    my %call = (
        'mean of nothing'           => sub { Touchstone::Stats::mean() },
        'median of nothing'         => sub { Touchstone::Stats::median() },
        'geometric mean of nothing' => sub { Touchstone::Stats::geometric_mean() },
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
