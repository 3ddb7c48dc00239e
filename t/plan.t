# SPDX-License-Identifier: GPL-2.0-or-later
# Plan: which passes, in which order, how long.
use 5.014;
use strict;
use warnings;

use Test::More;

BEGIN { $SIG{__WARN__} = sub { fail("no warning: $_[0]") } }
use Touchstone::Plan;
use Touchstone::Suite;

my $suite = Touchstone::Suite::load();
my @index = $suite->expand('index');
my @some  = map { { name => $_, class => 'long', pace => 'fast', seconds => 10 } } qw(a b c d e f);
my %WINDOW = (default => { fast => 1, medium => 2, slow => 3 }, quick => { fast => 0.3, medium => 0.5, slow => 1 });

sub plan_of {
    my (%want) = @_;
    return Touchstone::Plan::make(tests => \@index, copies => [1], schedule => 'default', seed => 4711, %want);
}

sub passes_of { return @{ plan_of(@_)->{blocks}[0]{passes} } }

# 'a b c|c a b': the names of each round of a block, the warm-up first.
sub order_of {
    my ($block) = @_;
    my @rounds;
    push @{ $rounds[ $_->{round} ] }, $_->{test}{name} for @{ $block->{passes} };
    return join '|', map { "@$_" } @rounds;
}

# Round numbers may only grow, and each round holds every test once.
sub check_rounds {
    my ($rounds, @passes) = @_;
    my @numbers = map { $_->{round} } @passes;
    is("@numbers", join(' ', map { ($_) x @index } 0 .. $rounds), "a warm-up, then $rounds rounds, each with as many passes as tests");
    my $all = join ' ', sort map { $_->{name} } @index;
    for my $round (0 .. $rounds) {
        is(join(' ', sort map { $_->{test}{name} } grep { $_->{round} == $round } @passes), $all, "round $round is a permutation of the tests");
    }
    return;
}

sub check_windows {
    my ($schedule, @passes) = @_;
    my @wrong = grep { $_->{window} != $WINDOW{$schedule}{ $_->{test}{pace} } } grep { $_->{round} } @passes;
    is(join(' ', map { $_->{test}{name} } @wrong), '', 'windows follow the pace of the test');
    my @long = grep { $_->{window} <= 0 || $_->{window} > 0.2 } grep { !$_->{round} } @passes;
    is(join(' ', map { $_->{test}{name} } @long), '', 'the warm-up is short');
    return;
}

subtest 'the default schedule warms up and goes round six times' => sub {
    my @passes = passes_of();
    check_rounds(6, @passes);
    check_windows('default', @passes);
    my %window = map { $_->{test}{name} => $_->{window} } grep { $_->{round} == 1 } @passes;
    is(join(' ', map { "$_ $window{$_}" } qw(dhry2reg context1 spawn execl fsdisk shell8)), 'dhry2reg 1 context1 1 spawn 2 execl 2 fsdisk 2 shell8 3', 'some of them');
    is(plan_of()->{rounds}, 6, 'it says how many rounds');
};

subtest 'the quick schedule goes round three times with shorter windows' => sub {
    my @passes = passes_of(schedule => 'quick');
    check_rounds(3, @passes);
    check_windows('quick', @passes);
    is(plan_of(schedule => 'quick')->{rounds}, 3, 'it says how many rounds');
};

subtest 'the order follows from the seed' => sub {
    is_deeply(plan_of(), plan_of(), 'the same seed gives the same plan');
    my %orders = map { order_of(plan_of(seed => $_)->{blocks}[0]) => $_ } 0 .. 99;
    is(keys %orders, 100, 'a hundred seeds give a hundred orders');
    my ($one, $two) = @{ plan_of(copies => [ 1, 4 ])->{blocks} };
    isnt(order_of($one), order_of($two), 'each copy count has an order of its own');
    my @rounds = split /\|/, order_of($one);
    my %different = map { $_ => 1 } @rounds[ 1 .. 6 ];
    is(keys %different, 6, 'and so has each round');
};

# Worked out with a generator written anew: state = 1 + seed, then state * 48271 modulo 2**31 - 1, five numbers thrown away.
subtest 'a seed gives the same order with every version of Perl' => sub {
    my %known = (4711 => 'd a f b c e|d a e b c f|a f c e d b', 0 => 'e d a f c b|f b d e c a|a b c f e d', 999_999_999 => 'd c b f a e|c f d a b e|f b c d a e');
    for my $seed (sort keys %known) {
        my $order = order_of(plan_of(tests => \@some, seed => $seed)->{blocks}[0]);
        is(join('|', (split /\|/, $order)[ 0 .. 3 ]), "a b c d e f|$known{$seed}", "seed $seed");
    }
};

subtest 'every test may come at every place of a round' => sub {
    my @four = @some[ 0 .. 3 ];
    my (%seen, %orders);
    for my $seed (1 .. 300) {
        my (undef, @rounds) = split /\|/, order_of(plan_of(tests => \@four, seed => $seed)->{blocks}[0]);
        for my $round (@rounds) {
            my @names = split / /, $round;
            $seen{"$names[$_] at $_"}++ for 0 .. 3;
            $orders{$round}++;
        }
    }
    is(keys %orders, 24, 'all 24 orders of four tests occur');
    my @rare = grep { $seen{$_} < 350 || $seen{$_} > 550 } sort keys %seen;
    is(join(', ', @rare), '', 'no place is preferred: about 450 times of 1800 each');
};

subtest 'the classic schedule runs each test in a row, with its own seconds' => sub {
    my %expected = (1 => [ 1, 1 ], 2 => [ 2, 1 ], 3 => [ 3, 1 ], 4 => [ 4, 1 ], 5 => [ 5, 2 ], 8 => [ 8, 3 ], 10 => [ 10, 3 ], 30 => [ 30, 10 ], 0 => [ 10, 3 ]);
    for my $iterations (sort { $a <=> $b } keys %expected) {
        my ($long, $short) = @{ $expected{$iterations} };
        my @passes = passes_of(schedule => 'classic', iterations => $iterations || undef);
        is(join(' ', map { "$_->{test}{name}/$_->{round}/$_->{window}" } @passes),
            join(' ', map { my $t = $_; map { "$t->{name}/$_/$t->{seconds}" } 1 .. ($t->{class} eq 'long' ? $long : $short) } @index),
            $iterations ? "$iterations iterations" : 'ten long and three short passes when nothing is said');
    }
    is(plan_of(schedule => 'classic', iterations => 4)->{rounds}, 4, 'it says how many passes');
    is_deeply([ passes_of(schedule => 'classic', seed => 1) ], [ passes_of(schedule => 'classic', seed => 2) ], 'no seed changes it');
};

subtest 'the time of a plan is that of its passes and a little more' => sub {
    for my $schedule (qw(default quick classic)) {
        my $plan = plan_of(schedule => $schedule, copies => [ 1, 2 ]);
        my $sum = 0;
        for my $block (@{ $plan->{blocks} }) {
            my $windows = 0;
            $windows += $_->{window} for @{ $block->{passes} };
            $sum += $block->{seconds};
            cmp_ok($block->{seconds}, '>', $windows, "$schedule, $block->{copies} copies: not less than the windows");
            cmp_ok($block->{seconds}, '<', $windows + 0.5 * @{ $block->{passes} }, 'and not much more');
        }
        ok(abs($plan->{seconds} - $sum) < 1e-6, "$schedule: the whole is the sum of its blocks");
    }
};

subtest 'the index takes three minutes, or half a minute in a hurry' => sub {
    cmp_ok(plan_of()->{seconds}, '<=', 180, 'default, one copy');
    cmp_ok(plan_of(schedule => 'quick')->{seconds}, '<=', 30, 'quick, one copy');
    cmp_ok(plan_of(copies => [ 1, 2 ])->{seconds}, '<=', 360, 'default, one copy and two');
    my $classic = plan_of(schedule => 'classic')->{seconds};
    ok($classic > 20 * 60 && $classic < 30 * 60, 'classic: about 25 minutes') || diag("it is $classic s");
};

subtest 'each copy count has its block, in the order asked for' => sub {
    my $plan = plan_of(copies => [ 4, 1, 1000 ]);
    is(join(' ', map { $_->{copies} } @{ $plan->{blocks} }), '4 1 1000', 'three blocks');
    check_rounds(6, @{ $_->{passes} }) for @{ $plan->{blocks} };
    is("$plan->{schedule} $plan->{seed}", 'default 4711', 'schedule and seed are in the plan');
};

subtest 'any selection of tests has a plan' => sub {
    for my $schedule (qw(default quick classic)) {
        for my $test ($suite->tests) {
            my $plan = plan_of(schedule => $schedule, tests => [$test]);
            my @bad = grep { !($_->{window} && $_->{window} > 0) } @{ $plan->{blocks}[0]{passes} };
            ok($plan->{seconds} > 0 && !@bad, "$test->{name}, $schedule");
        }
    }
};

done_testing;
