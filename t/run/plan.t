# SPDX-License-Identifier: GPL-2.0-or-later
# Plan: which passes are made, in which order, for how long.
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Run::Needs;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Run::Plan;
use Touchstone::Suite;

my @whole = (
    {
        name    => 'w',
        class   => 'short',
        pace    => 'whole',
        seconds => 60,
        setup   => 10,
        suite   => 'ours',
        budget  => 180
    }
);
my $suite = Touchstone::Suite::load();
my @index = $suite->expand('index');
my @some =
    map {
    {
        name     => $_,
        class    => 'long',
        pace     => 'fast',
        shortest => 1,
        seconds  => 10,
        suite    => 'ours',
        budget   => 180
    }
    } qw(a b c d e f);
my %WINDOW = (
    default => { fast => 0.3,  brief => 0.5,  slow => 0.8 },
    quick   => { fast => 0.15, brief => 0.15, slow => 0.4 }
);

sub plan_of {
    my (%want) = @_;
    return Touchstone::Run::Plan::make(
        tests    => \@index,
        copies   => [1],
        schedule => 'default',
        seed     => 4711,
        %want
    );
}

sub passes_of { return @{ plan_of(@_)->{blocks}[0]{passes} } }

# Returns 'a b c|c a b', the names in each round of a block, the warm-up first.
sub order_of {
    my ($block) = @_;
    my @rounds;
    push @{ $rounds[ $_->{round} ] }, $_->{test}{name} for @{ $block->{passes} };
    return join '|', map { "@$_" } @rounds;
}

# Tests that round numbers never decrease, and that each round holds every test once.
sub check_rounds {
    my ($rounds, @passes) = @_;
    my @numbers = map { $_->{round} } @passes;
    is(
        "@numbers",
        join(' ', map { ($_) x @index } 0 .. $rounds),
        "a warm-up, then $rounds rounds, each with as many passes as tests"
    );
    my $all = join ' ', sort map { $_->{name} } @index;
    for my $round (0 .. $rounds) {
        is(join(' ', sort map { $_->{test}{name} } grep { $_->{round} == $round } @passes),
            $all, "round $round is a permutation of the tests");
    }
    return;
}

sub check_windows {
    my ($schedule, @passes) = @_;
    my @wrong =
        grep { $_->{window} != max($WINDOW{$schedule}{ $_->{test}{pace} }, $_->{test}{shortest} // 0) }
        grep { $_->{round} } @passes;
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
    is(
        join(' ', map { "$_ $window{$_}" } qw(dhry2reg context1 spawn execl fsdisk shell8)),
        'dhry2reg 0.3 context1 0.3 spawn 0.5 execl 0.5 fsdisk 0.5 shell8 0.8',
        'some of them'
    );
    is(plan_of()->{rounds}, 6, 'it says how many rounds');
};

subtest 'the quick schedule goes round as often, with shorter windows' => sub {
    my @passes = passes_of(schedule => 'quick');
    check_rounds(6, @passes);
    check_windows('quick', @passes);
    is(plan_of(schedule => 'quick')->{rounds}, 6, 'it says how many rounds');
};

subtest 'a test that begins slowly works for a while before a pass counts' => sub {
    my $of = sub {
        my %warm = map { $_->{test}{name} => $_->{warm} } grep { $_->{round} } passes_of(@_);
        return join ' ', map { "$_ " . ($warm{$_} // 'none') } qw(dhry2reg fsdisk spawn shell8);
    };
    is($of->(),                                'dhry2reg none fsdisk 0.2 spawn 0.2 shell8 0.2',    'default');
    is($of->(schedule => 'quick'),             $of->(),                                            'quick');
    is($of->(schedule => 'classic'),           'dhry2reg none fsdisk none spawn none shell8 none', 'classic');
    is($of->(copies => [ 2, 4 ], usable => 2), $of->(),                      'a CPU for each copy');
    is($of->(copies => [3], usable => 2),      $of->(schedule => 'classic'), 'copies that take turns');
    is(scalar(grep { !$_->{round} && $_->{warm} } passes_of()), 0, 'the warm-up of a run needs none');
    my ($alone, $crowded) = map {
        my ($fsdisk) =
            grep { $_->{round} && $_->{test}{name} eq 'fsdisk' } passes_of(copies => [$_], usable => 2);
        $fsdisk
    } 1, 3;
    is("$alone->{window} $crowded->{window}",
        '0.5 3', 'their windows are so long that the beginning does not matter');
    is(sprintf('%.3f', $alone->{seconds}), '0.734', 'its time is part of the pass');
};

subtest 'the order follows from the seed' => sub {
    is_deeply(plan_of(), plan_of(), 'the same seed gives the same plan');
    my %orders = map { order_of(plan_of(seed => $_)->{blocks}[0]) => $_ } 0 .. 99;
    is(keys %orders, 100, 'a hundred seeds give a hundred orders');
    my ($one, $two) = @{ plan_of(copies => [ 1, 4 ])->{blocks} };
    isnt(order_of($one), order_of($two), 'each copy count has an order of its own');
    my @rounds    = split /\|/, order_of($one);
    my %different = map { $_ => 1 } @rounds[ 1 .. 6 ];
    is(keys %different, 6, 'and so has each round');
};

# Computed with an independent generator: state = 1 + seed, then state * 48271 modulo 2**31 - 1, with the
# first five numbers skipped.
subtest 'a seed gives the same order with every version of Perl' => sub {
    my %known = (
        4711        => 'd a f b c e|d a e b c f|a f c e d b',
        0           => 'e d a f c b|f b d e c a|a b c f e d',
        999_999_999 => 'd c b f a e|c f d a b e|f b c d a e'
    );
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
    my %expected = (
        1  => [ 1,  1 ],
        2  => [ 2,  1 ],
        3  => [ 3,  1 ],
        4  => [ 4,  1 ],
        5  => [ 5,  2 ],
        8  => [ 8,  3 ],
        10 => [ 10, 3 ],
        30 => [ 30, 10 ],
        0  => [ 10, 3 ]
    );
    for my $iterations (sort { $a <=> $b } keys %expected) {
        my ($long, $short) = @{ $expected{$iterations} };
        my @passes = passes_of(schedule => 'classic', iterations => $iterations || undef);
        is(
            join(' ', map { "$_->{test}{name}/$_->{round}/$_->{window}" } @passes),
            join(
                ' ',
                map {
                    my $t = $_;
                    map { "$t->{name}/$_/$t->{seconds}" } 1 .. ($t->{class} eq 'long' ? $long : $short)
                } @index
            ),
            $iterations ? "$iterations iterations" : 'ten long and three short passes when nothing is said'
        );
    }
    is(plan_of(schedule => 'classic', iterations => 4)->{rounds}, 4, 'it says how many passes');
    is_deeply(
        [ passes_of(schedule => 'classic', seed => 1) ],
        [ passes_of(schedule => 'classic', seed => 2) ],
        'no seed changes it'
    );
};

subtest 'the time of a plan is that of its passes and a little more' => sub {
    for my $schedule (qw(default quick classic)) {
        my $plan = plan_of(schedule => $schedule, copies => [ 1, 2 ]);
        my $sum  = 0;
        for my $block (@{ $plan->{blocks} }) {
            my $windows = 0;
            $windows += $_->{window} for @{ $block->{passes} };
            $sum     += $block->{seconds};
            cmp_ok($block->{seconds}, '>', $windows,
                "$schedule, $block->{copies} copies: not less than the windows");
            cmp_ok($block->{seconds}, '<', $windows + 0.5 * @{ $block->{passes} }, 'and not much more');
        }
        ok(abs($plan->{seconds} - $sum) < 1e-6, "$schedule: the whole is the sum of its blocks");
    }
};

subtest 'the rounds of the index take three quarters of a minute, or half a minute in a hurry' => sub {
    cmp_ok(plan_of()->{seconds}, '<=', 45, 'default, one copy');
    is(plan_of()->{most}, 180, 'and three minutes with passes beyond them');
    cmp_ok(plan_of(schedule => 'quick')->{seconds},  '<=', 30, 'quick, one copy');
    cmp_ok(plan_of(copies   => [ 1, 2 ])->{seconds}, '<=', 90, 'default, one copy and two');
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
            my @bad  = grep { !($_->{window} && $_->{window} > 0) } @{ $plan->{blocks}[0]{passes} };
            ok($plan->{seconds} > 0 && !@bad, "$test->{name}, $schedule");
        }
    }
};

# A pass of `some` takes 1 s and an overhead of 0.034 s; its warm-up takes 0.1 s and the same overhead.
sub rounds_in { my ($budget, @tests) = @_; return plan_of(tests => \@tests, budget => $budget)->{rounds} }

subtest 'a copy count may take half a minute a test, three minutes at most' => sub {
    is(plan_of(tests  => [ @some[ 0 .. $_ - 1 ] ])->{blocks}[0]{budget}, 30 * $_, "$_ tests") for 1 .. 6;
    is(plan_of(copies => [ 1, 2 ])->{blocks}[1]{budget},                 180,     'the twelve of the index');
    is(plan_of(tests  => [ $suite->expand('byte1984') ])->{blocks}[0]{budget},
        90, 'a suite that says so has less');
    is(plan_of(tests => [ $suite->expand('byte1984', 'index') ])->{blocks}[0]{budget},
        240, 'two suites share what a run may take');
    is(plan_of(tests => [ $suite->expand('pipe84', 'index') ])->{blocks}[0]{budget},
        210, 'and what few tests of a suite need is not shared out');
    is(plan_of(copies => [ 1, 2, 4 ], budget => 900)->{blocks}[$_]{budget},
        300, 'a budget that is given is shared by the copy counts')
        for 0 .. 2;
    is(plan_of(precision => 0.002)->{blocks}[0]{budget},
        1800, 'who wants to be sure and says no time gets half an hour');
    is(plan_of(precision => 0.002, budget => 600)->{blocks}[0]{budget}, 600, 'or what he says');
};

subtest 'only the default schedule goes on until scores are sure' => sub {
    is(plan_of()->{precision},                   0.015, 'to 1.5 %');
    is(plan_of(precision => 0.002)->{precision}, 0.002, 'or as asked');
    for my $other ({ schedule => 'quick' }, { schedule => 'classic' }, { rounds => 12 }) {
        my $plan = plan_of(%$other);
        is($plan->{precision},         undef,            join ' ', %$other);
        is($plan->{blocks}[0]{budget}, undef,            'no budget');
        is($plan->{most},              $plan->{seconds}, 'it takes what its passes take');
    }
    is(plan_of(copies => [ 1, 2 ], budget => 1000)->{most}, 1000, 'the budget is the most it takes');
    my $short = plan_of(budget => 1);
    is($short->{most}, $short->{seconds}, 'unless the first round takes longer');
};

subtest 'a limited plan has fewer rounds, and a test no more than its own' => sub {
    my %limited = (tests => \@some, schedule => 'quick', copies => [ 1, 2 ]);
    my $whole   = plan_of(%limited);
    my $short   = plan_of(%limited, within => $whole->{seconds} * 0.6);
    cmp_ok($short->{seconds}, '<=', $whole->{seconds} * 0.6, 'its time');
    is($short->{rounds}, 3,                           'its rounds');
    is($short->{needed}, $Touchstone::Stats::FEWEST,  'an interval needs as many passes as otherwise');
    is(plan_of(%limited, within => 0.1)->{rounds}, 1, 'one round is always made');
    my @rows = ({ %{ $some[0] }, rounds => 2 }, @some[ 1 .. $#some ]);
    my %passes;
    $passes{ $_->{test}{name} }++ for grep { $_->{round} } passes_of(tests => \@rows, schedule => 'quick');
    is_deeply([ @passes{qw(a b)} ], [ 2, 6 ], 'passes of a test with two rounds and of another');
};

subtest 'rounds for which a short budget has no time are left out' => sub {

    # With two tests a warm-up takes 0.268 s, then each round 2.068 s.
    my %rounds = (
        1000   => 6,
        12.677 => 6,
        12.675 => 5,
        10.609 => 5,
        10.607 => 4,
        8.6    => 4,
        4.405  => 2,
        4.403  => 1,
        2.337  => 1
    );
    is(rounds_in($_, @some[ 0, 1 ]), $rounds{$_}, "$_ s") for sort { $a <=> $b } keys %rounds;

    # With one test the warm-up takes 0.134 s, and each round 1.034 s.
    is(rounds_in(0.134 + 1.034 * $_ + 0.001, $some[0]), $_,     "one test, $_ rounds fit") for 1 .. 6;
    is(rounds_in(0.134 + 1.034 * $_ - 0.001, $some[0]), $_ - 1, "and $_ do not")           for 2 .. 6;
};

subtest 'the first round is never left out' => sub {
    for my $budget (0.001, 1, 2.33) {
        my $plan = plan_of(tests => [ @some[ 0, 1 ] ], budget => $budget);
        is(join(' ', map { $_->{round} } @{ $plan->{blocks}[0]{passes} }), '0 0 1 1', "$budget s");
        is(sprintf('%.3f', $plan->{seconds}),                              '2.336',   'and its time is told');
    }
    my @passes = map { scalar @{ $_->{passes} } }
        @{ plan_of(tests => \@some, copies => [ 1, 500 ], budget => 60)->{blocks} };
    is("@passes", '30 12', 'many copies have time for less: 30 s for each copy count');
};

subtest 'a budget alone changes no order' => sub {
    my ($all, $cut) = map {
        [ grep { $_->{round} <= 2 } passes_of(budget => $_) ]
    } 1000, 20;
    is_deeply($cut, $all, 'the rounds that are left are the same');
};

subtest 'other numbers of rounds can be asked for' => sub {
    check_rounds(12, passes_of(rounds => 12));
    is(plan_of(rounds => 12, schedule => 'quick')->{rounds}, 12, 'of short ones too');
};

subtest 'two builds take twice the time where there are not CPUs enough for both at once' => sub {
    my $one = plan_of()->{seconds};
    is(plan_of(sides => 2, cpus => 2)->{seconds}, $one,     'one copy of each on two CPUs');
    is(plan_of(sides => 2, cpus => 1)->{seconds}, 2 * $one, 'on one CPU');
    my @blocks = @{ plan_of(sides  => 2, cpus => 4, copies => [ 2, 3 ])->{blocks} };
    my @alone  = @{ plan_of(copies => [ 2, 3 ])->{blocks} };
    is($blocks[0]{seconds}, $alone[0]{seconds},     'two copies of each on four');
    is($blocks[1]{seconds}, 2 * $alone[1]{seconds}, 'three of each on four');
};

# Returns a test after some passes, as next_pass takes it.
sub state_of {
    my ($name, %with) = @_;
    return {
        test      => { name => $name },
        window    => 1,
        weight    => 1,
        passes    => 6,
        seconds   => 1,
        precision => 1.96 * ($with{error} // 0),
        %with
    };
}

sub next_of {
    my ($left, @tests) = @_;
    my $pass = Touchstone::Run::Plan::Adaptive::next_pass(0.015, $left, @tests);
    return $pass ? $pass->{test}{name} : 'none';
}

subtest 'a test that no time makes sure comes after those that can be made sure' => sub {
    my @near = map { state_of($_, error => 0.01, weight => 0.1) } qw(a b);
    my $far  = state_of('far', error => 0.5);
    is(next_of(170, $far, @near), 'a',   'although the index would profit more');
    is(next_of(170, $far),        'far', 'then it has its turn');
    is(next_of(10, $far, @near),  'far', 'and at once where time makes none of them sure');
    $near[1]{error} = 0.011;
    is(next_of(170, $far, @near), 'b', 'of those that can, the index chooses');
};

subtest 'the seconds that tests need grow with their error, up to those that are left' => sub {
    my $needed = sub { Touchstone::Run::Plan::Adaptive::needed(0.015, @_) };
    is($needed->(60, state_of('sure', error => 0.001)), 0, 'a test that is precise needs none');
    my @tests = map { state_of($_, error => 0.015 * 2 / $Touchstone::Stats::NORMAL, seconds => 2) } qw(a b);
    is(sprintf('%.1f', $needed->(60, @tests)), '60.0', 'no more than are left');
    is(sprintf('%.1f', $needed->(90, @tests)), '72.0', 'twice the width: three times the passes once more');
};

subtest 'the more copies a CPU has to run, the longer the windows' => sub {
    my $suite   = Touchstone::Suite::load();
    my @tests   = $suite->expand(qw(pipe shell1));
    my $windows = sub {
        my ($schedule, $copies, @usable) = @_;
        my $plan = Touchstone::Run::Plan::make(
            schedule   => $schedule,
            seed       => 1,
            copies     => [$copies],
            tests      => \@tests,
            iterations => 3,
            @usable
        );
        my %window = map { ($_->{round} ? $_->{test}{name} : 'warm') => sprintf '%.4g', $_->{window} }
            @{ $plan->{blocks}[0]{passes} };
        return join ' ', map { $window{$_} // () } qw(pipe shell1);
    };
    is($windows->('quick',   12,   usable => 2), '0.3 0.4', 'six for each CPU: as long as their turns');
    is($windows->('quick',   64,   usable => 2), '1.6 1.6', 'thirty-two: 50 ms for each');
    is($windows->('default', 256,  usable => 2), '6.4 6.4', 'more than any window of its own');
    is($windows->('default', 5000, usable => 2), '8 8',     'and never more than 8 s');
    is($windows->('classic', 256,  usable => 2), '10 60',   'the classic schedule keeps its seconds');
    my ($few, $many) = map {
        Touchstone::Run::Plan::make(
            schedule => 'quick',
            seed     => 1,
            copies   => [256],
            tests    => \@tests,
            usable   => $_
        )
    } 512, 2;
    cmp_ok($many->{seconds} - $few->{seconds}, '>', 6 * (6.4 - 0.15),
        'the time that is told before knows it');
};

subtest 'the next pass is of the test that makes the index surer by most a second' => sub {

 # It takes error**2 / (passes + 1) from the variance, in units of 1e-6: 57.1 of wide, 14.3 of narrow, 32.1 of
 # middle.
    my @tests = (
        state_of('wide',   error => 0.02),
        state_of('narrow', error => 0.01),
        state_of('middle', error => 0.015)
    );
    is(next_of(1000, @tests),         'wide', 'the widest, when they cost the same');
    is(next_of(1000, reverse @tests), 'wide', 'in whatever order they come');
    my $fast = state_of('fast', error => 0.01);
    is(next_of(1000, $fast, state_of('slow', error => 0.02, seconds => 4.1)),
        'fast', 'a slow one is worth less');
    is(next_of(1000, $fast, state_of('slow', error => 0.02, seconds => 3.9)), 'slow', 'as it takes longer');
    is(next_of(1000, $fast, state_of('many', error => 0.02, passes  => 28)),
        'fast', 'one pass more of 28 narrows little');
    is(next_of(1000, $fast, state_of('many', error => 0.02, passes => 26)),
        'many', 'one more of 26 is worth it');
    is(next_of(1000, $fast, state_of('light', error => 0.02, weight => 0.49)),
        'fast', 'what weighs little in the index is worth little');
    is(next_of(1000, $fast, state_of('light', error => 0.02, weight => 0.51)), 'light',
        'by the square of it');
    is(next_of(1000, $fast, state_of('sure', error => 0.02, precision => 0.014)),
        'fast', 'a test that is as sure as asked needs no more');
    is(next_of(1000, $fast, state_of('wide', error => 0.05, seconds => 1001)),
        'fast', 'a pass that does not fit is none');
    is_deeply(
        Touchstone::Run::Plan::Adaptive::next_pass(
            0.015, 99, state_of('a', error => 0.02, passes => 8, window => 3, seconds => 3.2, warm => 0.1)
        ),
        { test => { name => 'a' }, window => 3, warm => 0.1, round => 9, seconds => 3.2 },
        'it is a pass as others'
    );
};

subtest 'a test weighs as much as its index says' => sub {
    my $of = sub {
        my $weights = Touchstone::Run::Plan::Adaptive::weights($suite->expand(@_));
        return { map { $_ => sprintf '%.4f', $weights->{$_} } keys %$weights };
    };
    is_deeply($of->('index'), { map { $_->{name} => '0.0833' } @index }, 'a twelfth in the index of twelve');
    is_deeply(
        $of->(qw(pipe syscall)),
        { pipe => '0.5000', syscall => '0.5000' },
        'half in a partial one of two'
    );
    is_deeply(
        $of->(qw(pipe dc grep)),
        { pipe => '1.0000', dc => '0.3333', grep => '0.3333' },
        'one of no index weighs as one of all'
    );
    my $bytemark = $of->('bytemark');
    is($bytemark->{'fourier'}, '0.3333', 'as in the index of its suite, one of three of floating point');
};

subtest 'there is no next pass when all are sure or none fits' => sub {
    is(next_of(1000), 'none', 'no tests');
    is(
        next_of(
            1000, state_of('a', error => 0.001), state_of('b', error => 0.015 / 1.96, precision => 0.015)
        ),
        'none',
        'all are sure'
    );
    is(next_of(0.99, state_of('a',    error => 0.1)), 'none', 'no time');
    is(next_of(1,    state_of('a',    error => 0.1)), 'a',    'just time enough');
    is(next_of(-5,   state_of('a',    error => 0.1)), 'none', 'less than none');
    is(next_of(2,    state_of('slow', error => 0.1, seconds => 3), state_of('fast', error => 0.02)),
        'fast', 'one that fits before one that would be wider');
    is(next_of(1000, state_of('a', error => 0, precision => 0.02)),
        'a', 'an interval that is wide for one value only');
    is(next_of(1000, state_of('a', error => undef, precision => 2)),
        'none', 'a test with passes without a result never becomes sure');
};

subtest 'whatever the tests are, a pass fits, is of an unsure test and one is found when there is one' =>
    sub {
    require Touchstone::Base::Random;
    my $random = Touchstone::Base::Random::generator(20);
    my @wrong;
    for my $try (1 .. 3000) {
        my @tests = map {
            state_of(
                "t$_",
                error     => $random->() / 20,
                seconds   => 0.01 + 5 * $random->(),
                passes    => 6 + int 50 * $random->(),
                precision => $random->() / 10
            )
        } 1 .. 1 + 8 * $random->();
        my ($goal, $left) = (0.001 + $random->() / 10, 20 * $random->() - 2);
        my $pass = Touchstone::Run::Plan::Adaptive::next_pass($goal, $left, @tests);
        my %may =
            map { $_->{test}{name} => $_ } grep { $_->{precision} > $goal && $_->{seconds} <= $left } @tests;
        my $test = $pass && $may{ $pass->{test}{name} };
        push @wrong, $try
            if $pass ? !$test || $pass->{seconds} > $left || $pass->{round} != $test->{passes} + 1 : %may;
    }
    is("@wrong", '', '3000 times');
    };

subtest 'no time is promised beyond rounds that are too few for an interval' => sub {
    my $plan = plan_of(copies => [ 1, 2 ], budget => 30);
    cmp_ok($plan->{rounds}, '<', 6, 'the budget is short');
    is($plan->{most}, $plan->{seconds}, 'it takes what its passes take');
    is_deeply([ map { $_->{beyond} } @{ $plan->{blocks} } ], [ 0, 0 ], 'nor is there more of a copy count');
    my $long = plan_of(budget => 1000);
    is($long->{most},              1000,                    'with all rounds there is');
    is($long->{blocks}[0]{beyond}, 1000 - $long->{seconds}, 'up to the budget');
    cmp_ok(plan_of(tests => [ @some, @whole ], budget => 30)->{most},
        '>', 30, 'tests whose passes are whole are repeated all the same');
};

subtest 'as many passes as are said to be needed make a test sure' => sub {

    # Brute force: passes are added one by one, and the error falls with the root of their number.
    for my $error (0.008, 0.01, 0.02, 0.05) {
        my ($passes, $left, $goal) = (6, 1e6, 0.015);
        my $of = sub { $error * sqrt(6 / $passes) };
        while (
            my $pass = Touchstone::Run::Plan::Adaptive::next_pass(
                $goal, $left, state_of('a', error => $of->(), passes => $passes)
            )
        ) {
            $passes = $pass->{round};
        }
        my $forecast = Touchstone::Run::Plan::Adaptive::forecast(
            plan_of(tests => [ $some[0] ], budget => 1e6),
            { 1 => { a => { passes => 6, error => $error } } }
        )->{seconds};
        my $expected = 0.134 + 1.034 * $passes;
        ok(abs($forecast - $expected) < 1e-6, "an error of $error takes $passes passes")
            or diag("$forecast s, expected $expected s");
    }
};

subtest 'past runs tell how long a plan takes and what will not be sure' => sub {
    my $of = sub {
        my ($budget, %error) = @_;
        Touchstone::Run::Plan::Adaptive::forecast(plan_of(tests => [ @some[ 0, 1 ] ], budget => $budget),
            { 1 => { map { $_ => { passes => 6, error => $error{$_} } } keys %error } });
    };
    my $rounded = sub {
        my $forecast = $of->(@_);
        join ' ', sprintf('%.1f', $forecast->{seconds}), @{ $forecast->{late} },
            map { "?$_" } @{ $forecast->{unknown} };
    };

 # Six rounds take 12.676 s. Then b needs 4.244 more passes, and a 34.977: 5 and 35 of 1.034 s. A pass of a is
 # worth more than the first of b until a has 15: 6 of b are 0.01**2 / 7, 15 of a 0.02**2 x 6 / 15 / 16.
    is($rounded->(60, a => 0.02, b => 0.01),   '54.0',       'both can be sure');
    is($rounded->(50, a => 0.02, b => 0.01),   '49.9 a',     'one cannot: all of the time is spent');
    is($rounded->(15, a => 0.02, b => 0.01),   '14.7 a b',   'none can');
    is($rounded->(60, a => 0.001, b => 0.001), '12.7',       'all are sure after six rounds');
    is($rounded->(60),                         '12.7 ?a ?b', 'tests that nobody knows are named');
    is($rounded->(60, c => 0.5), '12.7 ?a ?b',          'nothing is said of those that are not in the plan');
    is($rounded->(5, a => 0.02, b => 0.02), '4.4 a b',  'a short budget');
    is($rounded->(1, a => 0.02),            '2.3 a ?b', 'or one that is shorter than the first round');
};

subtest 'a past run with more passes was surer than this one will be after six' => sub {
    my $forecast = sub {
        Touchstone::Run::Plan::Adaptive::forecast(plan_of(tests => [ $some[0] ], budget => 1e4),
            { 1 => { a => {@_} } })->{seconds};
    };
    my ($six, $many) = ($forecast->(passes => 6, error => 0.02), $forecast->(passes => 24, error => 0.01));
    ok(abs($six - $many) < 1e-6, '24 passes and half the error are the same as six') or diag("$six, $many");
};

subtest 'copy counts are forecast apart' => sub {
    my $plan = plan_of(tests => [ $some[0] ], copies => [ 1, 2 ], budget => 100);
    my $says = Touchstone::Run::Plan::Adaptive::forecast($plan,
        { 1 => { a => { passes => 6, error => 0.001 } }, 2 => { a => { passes => 6, error => 0.1 } } });

    # One test takes 0.134 + 6 * 1.034 s, the other 48 of 1.038 s, for which its 50 s have room.
    is(sprintf('%.2f', $says->{seconds}) . " @{ $says->{late} }",
        '56.30 a', 'one is sure early, the other never');
};

subtest 'a test whose passes are whole has one round, no warm-up and a budget of its own' => sub {
    my $plan  = plan_of(tests => [ @some, @whole ]);
    my $block = $plan->{blocks}[0];
    is(scalar(grep { $_->{test}{name} eq 'w' } @{ $block->{passes} }), 1, 'one pass');
    is(join(' ', map { $_->{round} } grep { $_->{test}{name} eq 'w' } @{ $block->{passes} }),
        1, 'in the first round');
    is($block->{budget}, 180, 'the budget is that of the others');
    cmp_ok($plan->{most}, '>', 180 + 70, 'the most that it takes has both');
    is(
        scalar(
            my @quick =
                grep { $_->{test}{name} eq 'w' } passes_of(schedule => 'quick', tests => [ @some, @whole ])
        ),
        1,
        'one in the quick schedule'
    );
    is(
        scalar(
            my @classic =
                grep { $_->{test}{name} eq 'w' } passes_of(schedule => 'classic', tests => [ @some, @whole ])
        ),
        3,
        'three in the classic one'
    );
    is($block->{whole_budget}, undef, 'its own');
    is(plan_of(tests => \@whole, budget => 10)->{blocks}[0]{whole_budget}, 10, 'or what is said');
    is(plan_of(tests => \@whole)->{limit}, undef,                              'alone it has no other limit');
    my $next = sub {
        my ($passes, $spent) = @_;
        return Touchstone::Run::Plan::next_whole(
            { test => $whole[0], window => 60, passes => $passes, spent => $spent });
    };
    is($next->(1, 100)->{round},   2,     'another when there is time for it');
    is($next->(1, 150)->{round},   2,     'just');
    is($next->(1, 151),            undef, 'not when there is none');
    is($next->(2, 150)->{seconds}, 75,    'it takes what the others took');
    is($next->(6, 6),              undef, 'six have an interval');
    is(
        Touchstone::Run::Plan::next_whole({ test => $whole[0], window => 60, passes => 2, spent => 400 },
            1800)->{round},
        3,
        'with more time there are more'
    );
    is($next->(0, 0), undef, 'none without a first');
    is(Touchstone::Run::Plan::next_whole({ test => $some[0], window => 1, passes => 1, spent => 1 }, 300),
        undef, 'no other test');
    is(plan_of(tests => \@whole)->{blocks}[0]{budget}, 0, 'alone it leaves nothing to refine');
};

subtest 'a test whose passes are whole may have less time of its own' => sub {
    my %short = (%{ $whole[0] }, setup => 0, whole => 12);
    my $next  = sub {
        my ($spent, @most) = @_;
        return (
            Touchstone::Run::Plan::next_whole({ test => \%short, window => 12, passes => 2, spent => $spent },
                @most)
                || {}
        )->{round};
    };
    is($next->(8),       3,     'while there is time');
    is($next->(9),       undef, 'and no longer');
    is($next->(8, 1800), 3,     'also with more for all');
    is($next->(8, 10),   undef, 'but not beyond that');
    my ($pass) = passes_of(tests => [ \%short ]);
    is($pass->{window}, 12, 'what it may take is what the plan thinks that it takes');
    my ($quick) = passes_of(tests => [ \%short ], schedule => 'quick');
    is($quick->{window}, 2, 'of a single pass a sixth');
    my $plan = plan_of(tests => [ \%short, @whole ]);
    cmp_ok(abs($plan->{seconds} - $plan->{open} - 12),
        '<', 1, 'it is not one of those that take as long as they take');
};

subtest 'a test whose unit takes long has as many of its passes as it is given time for' => sub {
    my $rounds = sub {
        my (%row) = @_;
        return join ' ', map { $_->{round} } passes_of(tests => [ { %{ $some[0] }, %row } ]);
    };
    is($rounds->(least_seconds => 0.5), '0 1 2 3 4 5 6',      'all of them where they are short');
    is($rounds->(least_seconds => 9.5), '1 2 3',              'three of ten seconds in 30, and no warm-up');
    is($rounds->(least_seconds => 500), '1',                  'one at least');
    is($rounds->(least_seconds => 500, fewest => 3), '1 2 3', 'or as many as it cannot do without');
    is($rounds->(), '0 1 2 3 4 5 6', 'a test that knows nothing of it has all');
    my ($pass) = grep { $_->{round} } passes_of(tests => [ { %{ $some[0] }, least_seconds => 9.5 } ]);
    cmp_ok($pass->{seconds}, '>', 9.5, 'the plan knows how long it takes');
    is(
        scalar(
            my @classic =
                passes_of(schedule => 'classic', tests => [ { %{ $some[0] }, least_seconds => 500 } ])
        ),
        10,
        'the classic schedule has its own numbers'
    );
};

subtest 'a test with one copy only is in that block alone' => sub {
    my @single = map {
        { %$_, single => 1 }
    } @some[ 0, 1 ];
    my $plan = plan_of(tests => [ @single, @some[ 2 .. 5 ] ], copies => [ 1, 2 ]);
    is(
        join(
            ' ',
            map {
                my $block = $_;
                my %in    = map { $_->{test}{name} => 1 } @{ $block->{passes} };
                $block->{copies} . ':' . join '', sort keys %in
            } @{ $plan->{blocks} }
        ),
        '1:abcdef 2:cdef',
        'the others are in both'
    );
    is(join(' ', map { $_->{copies} } @{ plan_of(tests => \@single, copies => [ 2, 1 ])->{blocks} }),
        '1', 'a block of nothing is none');
    my $none = plan_of(tests => \@single, copies => [2]);
    is(scalar @{ $none->{blocks} },      0,     'nothing at all');
    is("$none->{seconds} $none->{most}", '0 0', 'takes no time');
};

subtest 'many suites share a budget, and set-up takes time' => sub {
    is(plan_of(tests => [ $suite->expand('lbt') ])->{blocks}[0]{budget}, 240, 'the whole toolkit');
    is(plan_of(tests => [ $suite->expand(qw(byte1984 bytemark index)) ])->{blocks}[0]{budget},
        240, 'three suites');
    my ($with)    = grep { $_->{round} } passes_of(tests => [ { %{ $some[0] }, setup => 5 } ]);
    my ($without) = grep { $_->{round} } passes_of(tests => [ $some[0] ]);
    cmp_ok(abs($with->{seconds} - $without->{seconds} - 5), '<', 1e-9, 'five seconds');
};

subtest 'the toolkit without its kernel takes less than ten minutes on two CPUs' => sub {
    my $plan =
        plan_of(tests => [ grep { $_->{name} ne 'kernel' } $suite->expand('lbt') ], copies => [ 1, 2 ]);
    cmp_ok($plan->{most}, '<', 600, sprintf '%.0f s planned', $plan->{most});
};

subtest 'the platform takes at most five minutes on two CPUs' => sub {
    my $plan = plan_of(
        tests  => [ Touchstone::Run::Needs::supported_tests({}, $suite->expand('platform')) ],
        copies => [ 1, 2 ]
    );
    cmp_ok($plan->{most}, '<=', 300, sprintf '%.0f s planned', $plan->{most});
};

done_testing;
