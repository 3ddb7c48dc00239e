# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Measures: what passes measured beside a score, combined over all copies.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Score::Measures;
use Touchstone::Score::Interval;
use Touchstone::Stats;

# Each pass is a list of figures of its copies.
sub found {
    my ($units, @passes) = @_;
    return {
        Touchstone::Score::Measures::of_passes(
            \&by_median, map { +{ figures => $_, units => $units } } @passes
        )
    };
}

sub by_median {
    my (@values) = map { $_->{rate} } @_;
    my $score = Touchstone::Stats::median(@values);
    return { score => $score, %{ Touchstone::Score::Interval::of_score($score, @values) } };
}

sub measure {
    my ($found, $name) = @_;
    my ($one) = grep { $_->{name} eq $name } @{ $found->{measures} };
    return $one;
}

subtest 'figures without a unit are medians of sums' => sub {
    is_deeply(
        found({}, map { [ { n => $_ }, { n => 10 * $_ } ] } 1, 5, 3),
        { figures => { n => 33 } },
        'of three passes with two copies'
    );
    is_deeply(found({}), {}, 'of no pass');
    is_deeply({ Touchstone::Score::Measures::of_passes(\&by_median, { counts => [1] }) },
        {}, 'of a pass without figures');
};

subtest 'a figure with a unit is a measurement' => sub {
    my $found = found({ back => 'MBps', p50 => 's' },
        map { [ { back => $_, p50 => $_ / 100 }, { back => $_, p50 => $_ / 50 } ] } 10 .. 15);
    my ($back, $half) = map { measure($found, $_) } qw(back p50);
    is(join(' ', @$back{qw(unit better score passes)}), 'MBps higher 25 6', 'a rate: the sum of the copies');
    is_deeply(
        $back->{interval},
        [ Touchstone::Stats::interval([ map { 2 * $_ } 10 .. 15 ]) ],
        'with the interval of a median'
    );
    is(
        join(' ', @$half{qw(unit better)}, sprintf '%g', $half->{score}),
        's lower 0.1875',
        'a time: the mean of the copies'
    );
    is(join(' ', map { $_->{name} } @{ $found->{measures} }), 'back p50', 'by name');
};

subtest 'a figure that each copy has is the mean of the copies, and no measurement' => sub {
    my $found = found({ huge => 'each' }, map { [ { huge => $_ }, { huge => 0.5 } ] } 1, 0.9, 0.7);
    is_deeply($found, { figures => { huge => 0.7 } }, 'the median of the means');
};

subtest 'what not all copies or passes told counts where it is whole' => sub {
    my $found = found(
        { back => 'MBps' },
        [ { back => 1 }, { back => 2 } ],
        [ { back => 9 }, {} ],
        [ { back => 3 }, { back => 4 } ]
    );
    is_deeply(measure($found, 'back')->{rates}, [ 3, 7 ], 'a pass in which a copy said nothing is left out');
    is(measure(found({ back => 'MBps' }, [ {} ]), 'back'), undef, 'none without any');
};

subtest 'the parts that are missing are named once' => sub {
    my $found = {
        Touchstone::Score::Measures::of_passes(
            \&median, map { +{ missing => { file => 'no library' } } } 1 .. 3
        )
    };
    is_deeply($found, { missing => [ { name => 'file', why => 'no library' } ] }, 'with the reason');
};

done_testing;
