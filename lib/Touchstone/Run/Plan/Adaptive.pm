# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Plan::Adaptive - the passes beyond the rounds: which one comes next, how many are needed, and what an
# earlier run tells about them.
package Touchstone::Run::Plan::Adaptive;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Stats;
use Touchstone::Suite;

# Returns what each of the tests of a block weighs in the index: { name => the exponent with which its score
# is part of it }. Parts of an index do not count, nor does one that stands for itself beside an index with
# parts: its few tests would have all the time. A test of no index weighs as if all tests made one.
sub weights {
    my (@tests) = @_;
    my (%members, %divided);
    $members{ $_->{category} }++ for grep { $_->{index} } @tests;
    $divided{ $_->{category} // '' } = 1 for grep { $_->{groups} } map { @{ $_->{indexes} || [] } } @tests;
    return {
        map {
            my $share = max(0,
                map { $_->{exponent} }
                    grep { $_->{groups} || !$_->{part_of} && !$divided{ $_->{category} // '' } }
                    @{ $_->{indexes} || [] });
            ($_->{name} => $share || 1 / ($_->{index} ? $members{ $_->{category} } : @tests))
        } @tests
    };
}

# Returns the pass that makes the index of a block surer by most a second, or nothing when all tests are as
# sure as asked or no pass fits in `left` seconds. Each of `tests`:
#
#   {
#     test      => its row,
#     window    => of its passes,
#     warm      => of its passes, or undef,
#     weight    => as weights() has it,
#     passes    => how many it has,
#     seconds   => what a pass takes,
#     precision => what is reached,
#     error     => the standard error of the logarithm,
#   }
#
# The variance of the logarithm of an index is the sum of (weight x error)**2, and one pass more of n makes
# the part of its test less by 1 / (n + 1). Tests that can be made as sure as asked with their share of the
# time that is left come first: one that no time makes sure, such as context1 where two CPUs disagree, would
# take all of it from those that a second makes sure.
sub next_pass {
    my ($precision, $left, @tests) = @_;
    my @wide = grep { $_->{seconds} <= $left } _too_wide($precision, @tests);
    return if !@wide;
    my @near = grep { _passes_to_go($precision, $_) * $_->{seconds} <= $left / @wide } @wide;
    my ($next) =
        sort { _profit($b) <=> _profit($a) || $a->{passes} <=> $b->{passes} } @near ? @near : @wide;
    return {
        test   => $next->{test},
        window => $next->{window},
        $next->{warm} ? (warm => $next->{warm}) : (),
        round   => $next->{passes} + 1,
        seconds => $next->{seconds}
    };
}

sub _too_wide {
    my ($precision, @tests) = @_;
    return grep { defined $_->{error} && $_->{precision} > $precision } @tests;
}

sub _profit {
    my ($test) = @_;
    return ($test->{weight} * $test->{error})**2 / ($test->{passes} + 1) / $test->{seconds};
}

# Returns how many seconds all these tests need until they are that precise, as far as can be told, and no
# more than are left.
sub needed {
    my ($precision, $left, @tests) = @_;
    return min($left,
        sum(0, map { _passes_to_go($precision, $_) * $_->{seconds} } _too_wide($precision, @tests)));
}

# An interval shrinks with the square root of the number of passes.
sub _passes_to_go {
    my ($precision, $test) = @_;
    my $needed = $test->{passes} * ($Touchstone::Stats::NORMAL * $test->{error} / $precision)**2;
    return max(1, $needed - $test->{passes});
}

# Returns what past results of the same tests say about a plan. `past`: { copies => { test => { passes, error
# } } }, as Score has them:
#
#   {
#     seconds => what the plan will take,
#     late    => [ names of tests that it will not make sure ],
#     unknown => [ names of tests without past results ],
#   }
sub forecast {
    my ($plan, $past) = @_;
    my ($seconds, %late, %unknown) = (0);
    for my $block (@{ $plan->{blocks} }) {
        my $times = $past->{ $block->{copies} } || {};
        my %pass  = map { $_->{test}{name} => $_ } @{ $block->{passes} };
        $unknown{$_} = 1 for grep { !$times->{$_} } keys %pass;
        my $weights = weights(map { $_->{test} } values %pass);
        my @tests   = map { _expected($plan, $pass{$_}, $times->{$_}, $weights->{$_}) }
            grep { $times->{$_} } sort keys %pass;
        my $left = $block->{budget} - $block->{seconds};
        $seconds += $block->{seconds} + _played($plan->{precision}, $left, @tests);
        $late{ $_->{test}{name} } = 1 for _too_wide($plan->{precision}, @tests);
    }
    my ($late, $unknown) = map {
        [ Touchstone::Suite::arranged(sub { $_[0] }, keys %$_) ]
    } \%late, \%unknown;
    return { seconds => $seconds, late => $late, unknown => $unknown };
}

# A test as next_pass takes it, after the rounds of a plan, if its passes vary as they did.
sub _expected {
    my ($plan, $pass, $times, $weight) = @_;
    my $error = $times->{error} * sqrt($times->{passes} / $plan->{rounds});
    return {
        %$pass,
        weight    => $weight,
        passes    => $plan->{rounds},
        error     => $error,
        precision => $Touchstone::Stats::NORMAL * $error
    };
}

# Returns the seconds of the passes that would follow, and leaves the tests as these would make them.
sub _played {
    my ($precision, $left, @tests) = @_;
    my %test    = map { $_->{test}{name} => $_ } @tests;
    my $seconds = 0;
    while (my $pass = next_pass($precision, $left - $seconds, @tests)) {
        my $test = $test{ $pass->{test}{name} };
        my $less = sqrt($test->{passes} / ($test->{passes} + 1));
        $test->{passes}++;
        $test->{$_} *= $less for qw(error precision);
        $seconds += $test->{seconds};
    }
    return $seconds;
}

1;
