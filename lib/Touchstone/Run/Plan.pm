# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Plan - which passes come in which order, and how long that takes. A plan is plain data:
#
#   {
#     schedule   => 'default', 'quick' or 'classic',
#     seed       => 4711,
#     rounds     => 6,
#     precision  => 0.015, or undef,
#     limit      => seconds that each copy count may take, or undef,
#     budget     => seconds that all of them may take by --budget, or undef,
#     until_precise => whether tests of the class sure go on in the classic schedule,
#     needed     => passes that a test needs, so that what is asked of the run can be told,
#     within     => seconds for all passes, or undef: later rounds are left out when the time is up,
#     compares   => whether each pass is one of several builds, which are compared,
#     seconds    => 142.5,
#     most       => 180,
#     open       => seconds of those passes that take as long as they take,
#     blocks     => [
#       {
#         copies       => 1,
#         seconds      => 142.5,
#         beyond       => 37.5, which it may take at most in addition,
#         open         => as above,
#         budget       => 180, or undef,
#         whole_budget => the same for tests of the pace whole,
#         passes       => [
#           { test => $row, window => 0.1, round => 0, seconds => 0.2 },
#           { test => $row, window => 0.5, warm => 0.1, round => 1, seconds => 0.62 },
#           ...
#         ],
#       },
#       ...
#     ],
#   }
#
# Round 0 is the warm-up, which no score counts; `warm` are the seconds at the beginning of a pass that no
# score counts. A schedule with a precision goes on after its rounds: Plan::Adaptive says with which pass,
# until every test is that precise or the budget of the copy count, in seconds, is spent. Tests of the pace
# whole, whose passes take as long as they take, have one round, no warm-up and a budget of their own:
# next_whole.
package Touchstone::Run::Plan;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Random;
use Touchstone::Stats;

# A schedule has so many rounds, with windows in seconds by the pace of a test. `part`: a pass of a test of
# the pace whole takes about this part of what the test may take. `unwarmed`: where no pass has a warm-up of
# its own, because there are more copies than CPUs and they would leave it one by one, as each has its turn, a
# window is at least so many times as long as the warm-up, so that the slower beginning hardly counts.
my %ROUNDS = (
    default => {
        rounds   => 6,
        warm     => { tiny => 0.1, fast => 0.1, brief => 0.1, slow => 0.2 },
        window   => { tiny => 0.3, fast => 0.3, brief => 0.5, slow => 0.8, whole => 60 },
        part     => 1,
        unwarmed => 15
    },
    quick => {
        rounds   => 6,
        warm     => { tiny => 0.05, fast => 0.05, brief => 0.05, slow => 0.1 },
        window   => { tiny => 0.1,  fast => 0.15, brief => 0.15, slow => 0.4, whole => 60 },
        part     => 1 / 6,
        unwarmed => 0
    },
);
my $CLASSIC_PASSES = 10;

# Tests of the class sure go on in the classic schedule until Student's interval of the mean of their passes
# is that narrow.
our %PRECISE = (least => 5, most => 30, precision => 0.05);

# A precision is half of an interval as a part of the score. Budgets are seconds: for a test and copy count,
# up to the budget of its suite; and, much longer, for a copy count where a precision is asked for and no
# budget.
our $PRECISION   = 0.015;
our $BUDGET_TEST = 30;
our $PATIENCE    = 1800;

# All suites of a run together have no more for a copy count.
our $BUDGET_SUITES = 240;

# A test whose passes are whole has as many as fit into these seconds, up to those that an interval needs.
our %WHOLE = (seconds => 300, passes => $Touchstone::Stats::FEWEST);

# A pass of so many seconds or more has no warm-up, which would take as long.
my $HEAVY = 5;

# A window has so many seconds for each copy that a CPU has to run, up to the second figure: a scheduler lets
# a copy run for some thousandths of a second at a time, and each shall have several turns while all others
# run too.
our $TURNS      = 0.05;
our $MOST_TURNS = 8;

# A pass costs so many seconds beside its window, for processes, set-up, the end of the last operation and the
# journal, where a disk needs a moment to write it.
my $OVERHEAD      = 0.03;
my $OVERHEAD_COPY = 0.004;

# Makes a plan. It is asked for with
#
#   tests      => [ rows ]
#   copies     => [ numbers of copies ]
#   schedule   => 'default', 'quick' or 'classic'
#   seed       => the order follows from it
#   iterations => passes of a long test in the classic schedule
#   rounds     => a number in the place of the schedule's
#   precision  => a part of the score
#   budget     => seconds for all copy counts
#   limit      => seconds for each copy count of a run that is gone on with
#   usable     => CPUs that copies share: windows of many copies are longer, but for the classic schedule's
#   within     => seconds for all copy counts: with fewer rounds where the schedule's take longer
#   sides      => each pass is one of so many builds
#   cpus       => CPUs for builds that run at once: with too few, or 0, builds take turns
#   turns      => builds take turns in rounds; `margin`: a smaller difference is none
sub make {
    my (%want) = @_;
    return _make_of_turns(%want) if $want{turns};
    my $plan = _make_of_rounds(%want);
    return $plan if !$want{within};
    $plan = _make_of_rounds(%want, rounds => $plan->{rounds} - 1)
        while $plan->{seconds} > $want{within} && $plan->{rounds} > 1;
    return { %$plan, within => $want{within}, needed => $Touchstone::Stats::FEWEST };
}

sub _make_of_rounds {
    my (%want) = @_;
    my $random = Touchstone::Base::Random::generator($want{seed});
    my $adapts = $want{schedule} eq 'default' && !$want{rounds};
    my $budget = $adapts ? budget(%want) : undef;
    my @blocks = grep { @{ $_->{passes} } } map { _block($_, $random, $budget, %want) } @{ $want{copies} };
    return {
        schedule      => $want{schedule},
        seed          => $want{seed},
        blocks        => \@blocks,
        seconds       => sum(0, map { $_->{seconds} } @blocks),
        most          => sum(0, map { $_->{seconds} + $_->{beyond} } @blocks),
        open          => sum(0, map { $_->{open} } @blocks),
        rounds        => max(0, map { $_->{round} } map { @{ $_->{passes} } } @blocks),
        precision     => $adapts ? $want{precision} // $PRECISION               : undef,
        limit         => $budget ? $budget                                      : undef,
        budget        => $adapts ? $want{budget}                                : undef,
        until_precise => $want{schedule} eq 'classic' && !$want{iterations} ? 1 : 0,
        needed        => $want{rounds} // $Touchstone::Stats::FEWEST,
        compares      => ($want{sides} // 1) > 1 ? 1 : 0,
    };
}

# Returns the seconds that a copy count may take; `each`: those of a test, where they are not the usual ones.
sub budget {
    my (%want) = @_;
    return $want{limit}                       if defined $want{limit};
    return $want{budget} / @{ $want{copies} } if defined $want{budget};
    return $PATIENCE                          if defined $want{precision};
    my $each = $want{each} // $BUDGET_TEST;
    my (%tests, %most);
    for my $test (grep { !is_whole($_) } @{ $want{tests} }) {
        $tests{ $test->{suite} }++;
        $most{ $test->{suite} } = $test->{budget};
    }
    my $turns = $want{sides} && !$want{cpus} ? $want{sides} : 1;
    return $turns * min($BUDGET_SUITES, sum(0, map { min($most{$_}, $each * $tests{$_}) } keys %tests));
}

sub _block {
    my ($copies, $random, $budget, %want) = @_;
    my @tests = grep { $copies <= ($_->{single} ? 1 : $_->{most_copies} // $copies) } @{ $want{tests} };
    my $passes =
        $want{schedule} eq 'classic'
        ? _classic(\@tests, $want{iterations}, $copies)
        : _rounds(\@tests,
        { %{ $ROUNDS{ $want{schedule} } }, $want{rounds} ? (rounds => $want{rounds}) : () }, $random);
    _lengthen($passes, $copies, @want{qw(usable schedule)})
        if $want{usable} && $want{schedule} ne 'classic';
    my $crowded = $want{sides} && $want{sides} * $copies > $want{cpus};
    $_->{seconds} =
        ($crowded || $_->{test}{place} ? $want{sides} // 1 : 1) *
        (max($_->{window}, $_->{test}{least_seconds} // 0) +
            ($_->{warm} // 0) +
            ($_->{test}{setup} // 0) +
            $OVERHEAD +
            $OVERHEAD_COPY * $copies)
        for @$passes;
    $passes = _lighter($passes)         if $want{schedule} ne 'classic';
    $passes = _within($budget, $passes) if defined $want{budget};
    my @whole = grep { is_whole($_->{test}) } @$passes;
    return {
        copies       => $copies,
        passes       => $passes,
        seconds      => sum(0, map { $_->{seconds} } @$passes),
        beyond       => _beyond($passes, $budget),
        open         => sum(0, map { $_->{seconds} } grep { is_open($_->{test}) } @whole),
        budget       => $budget,
        whole_budget => defined $want{budget} || defined $want{precision} ? $budget : undef
    };
}

# Warm-ups are not scored, and tests of the pace whole take as long as they take.
sub _lengthen {
    my ($passes, $copies, $usable, $schedule) = @_;
    my $least = min($MOST_TURNS, $TURNS * $copies / $usable);
    for my $pass (grep { $_->{round} && !is_whole($_->{test}) } @$passes) {
        my $warm = $copies > $usable ? delete $pass->{warm} // 0 : 0;
        $pass->{window} = max($pass->{window}, $least, $ROUNDS{$schedule}{unwarmed} * $warm);
    }
    return;
}

# Returns how many seconds beyond the passes are taken at most. Nothing is made surer that has too few passes
# for an interval; tests of the pace whole are repeated until there are enough.
sub _beyond {
    my ($passes, $budget) = @_;
    return 0 if !defined $budget;
    my $whole = sum(0, map { $_->{seconds} } grep { is_whole($_->{test}) && !$_->{test}{verdict} } @$passes);
    return 0
        if !$whole
        && !grep { $_->{round} >= $Touchstone::Stats::FEWEST && !$_->{test}{verdict} } @$passes;
    return max(0, $whole + $budget - sum(0, map { $_->{seconds} } @$passes));
}

# A test whose passes take long, because what it works on is large, keeps as many as a test is given time
# for, but at least the fewest that it can do with.
sub _lighter {
    my ($passes) = @_;
    my %most = map {
        my $test = $_->{test};
        $test->{least_seconds}
            ? ($test->{name} => max($test->{fewest} // 1, int($BUDGET_TEST / $_->{seconds})))
            : ()
    } grep { $_->{round} } @$passes;
    my $heavy = sub {
        my ($pass) = @_;
        my $most = $most{ $pass->{test}{name} };
        return defined $most && ($pass->{round} > $most || !$pass->{round} && $pass->{seconds} > $HEAVY);
    };
    return [ grep { !$heavy->($_) } @$passes ];
}

sub is_whole { my ($test) = @_; return $test->{pace} eq 'whole' }

# Nobody knows how long it takes.
sub is_open { my ($test) = @_; return is_whole($test) && !$test->{whole} }

# Returns the next pass of a test whose passes are whole, or nothing. `known`: { test, window, passes, spent
# }; `seconds`: what its passes may take in all, which is no more than the test has itself.
sub next_whole {
    my ($planned, $seconds) = @_;
    my ($test, $passes, $spent) = @$planned{qw(test passes spent)};
    $seconds = min(grep { defined } $seconds, $test->{whole}) // $WHOLE{seconds};
    return
        if !is_whole($test) || !$passes || $passes >= $WHOLE{passes} || $spent + $spent / $passes > $seconds;
    return { test => $test, window => $planned->{window}, round => $passes + 1, seconds => $spent / $passes };
}

# Rounds for which a short budget has no time are left out, but for the first.
sub _within {
    my ($budget,  $passes) = @_;
    my ($seconds, %end)    = (0);
    $end{ $_->{round} } = $seconds += $_->{seconds} for @$passes;
    my $last = max(1, grep { $end{$_} <= $budget } keys %end);
    return [ grep { $_->{round} <= $last } @$passes ];
}

# Each round is a pass of every test in a new order, so that a disturbance of some seconds meets many tests
# once each and not one test with all its passes.
sub _rounds {
    my ($tests, $times, $random) = @_;
    my @short  = grep { !is_whole($_) } @$tests;
    my $window = sub {
        my ($test) = @_;
        return $test->{whole} * $times->{part} if $test->{whole};
        return max($times->{window}{ $test->{pace} }, $test->{shortest} // 0);
    };
    my $warm   = sub { my ($test) = @_; return $test->{warm} ? (warm => $test->{warm}) : () };
    my @passes = map { { test => $_, window => $times->{warm}{ $_->{pace} }, round => 0 } } @short;
    for my $round (1 .. $times->{rounds}) {
        my @here = grep { $round <= ($_->{rounds} // $round) } $round == 1 ? @$tests : @short;
        push @passes,
            map { { test => $_, window => $window->($_), $warm->($_), round => $round } }
            Touchstone::Base::Random::shuffled($random, @here);
    }
    return \@passes;
}

# UnixBench makes the passes of each test in a row.
sub _classic {
    my ($tests, $iterations, $copies) = @_;
    my $long   = $iterations || $CLASSIC_PASSES;
    my %passes = (long => $long, short => _short_of($long), sure => $iterations || $PRECISE{least});
    return [
        map {
            my $test = $_;
            map { _classic_pass($test, $_, $copies) } 1 .. $passes{ $test->{class} }
        } @$tests
    ];
}

# UnixBench makes a third of the passes of short tests, rounded, but at least one.
sub _short_of { my ($long) = @_; return max(1, int(($long + 1) / 3)) }

# Returns the least -i that gives a test so many passes.
sub iterations_for {
    my ($passes, $test) = @_;
    return $test->{class} eq 'short' ? 3 * $passes - 1 : $passes;
}

# With `cpu` the window is one of CPU time, as in the suite's original. Several copies may wait for CPUs, and
# that counts.
sub _classic_pass {
    my ($test, $round, $copies) = @_;
    return {
        test   => $test,
        window => $test->{seconds},
        round  => $round,
        $test->{class} eq 'sure' && $copies == 1 ? (cpu => 1) : ()
    };
}

# Returns the pass that a test of the class sure needs after those of the classic schedule, or nothing.
# `precision`: half of the interval of its mean.
sub next_classic {
    my ($last, $passes, $precision) = @_;
    return
        if $last->{test}{class} ne 'sure' || $passes >= $PRECISE{most} || $precision <= $PRECISE{precision};
    return { %$last, round => $passes + 1 };
}

# The plan of a run that interleaves builds has rounds instead of passes: in each round a test is
# measured with all builds, until Run::DuetRounds finds it decided; then the others go on. In addition the
# plan has
#
#   {
#     most_rounds => 100,   that a test can have
#     margin   => 0.02,     a smaller difference is none
#     builds   => 2
#   }
#
# and a pass of it `round_seconds`, the seconds of all turns; its window is for a program that cannot
# take turns.

# A difference of builds that is smaller is no difference, unless --fail-on says otherwise.
our $MARGIN = 0.02;

# The seconds of a round of a test, and the seconds that it costs in addition: processes, set-up and ends.
# The most rounds of a test are those that fit into its budget, and no more than $MOST_ROUNDS.
my ($SHORTEST, $LONGEST) = (0.45, 1);
my $ROUND_COSTS = 0.15;
my $MOST_ROUNDS = 100;

# A round has at least a warm-up and a group: this many turns of each build, as long as Run::Duet makes them.
my ($LEAST_TURNS, $TURN) = (3, 0.05);

# The budget of a copy count: for two builds up to that of a run, with so many seconds for a test; each
# further one adds half of it. The quick schedule has less.
my ($EACH, $QUICK) = (60, 30);

sub _make_of_turns {
    my (%want) = @_;
    my %single = (%want, schedule => 'quick');
    delete @single{qw(turns sides cpus budget limit precision)};
    my $plan   = make(%single);
    my $budget = _budget_of_turns(%want);
    my @blocks = map { _block_of_turns($_, $budget, %want) } @{ $plan->{blocks} };
    my $most   = max(0, map { $_->{most} } @blocks);
    $_->{most} = $most for @blocks;
    return {
        %$plan,
        schedule    => $want{schedule},
        blocks      => \@blocks,
        seconds     => sum(0, map { $_->{seconds} } @blocks),
        most        => sum(0, map { $_->{seconds} + $_->{beyond} } @blocks),
        open        => sum(0, map { $_->{open} } @blocks),
        rounds      => max(0, map { $_->{round} } map { @{ $_->{passes} } } @blocks),
        limit       => $budget,
        budget      => $want{budget},
        compares    => 1,
        builds      => $want{sides},
        margin      => $want{margin} // $MARGIN,
        most_rounds => $most,
    };
}

sub _budget_of_turns {
    my (%want) = @_;
    return $want{budget} / @{ $want{copies} } if defined $want{budget};
    my %usual = %want;
    delete @usual{qw(sides cpus precision)};
    my $run = $want{schedule} eq 'quick' ? $QUICK : budget(%usual, each => $EACH);
    return $run * $want{sides} / 2;
}

sub _block_of_turns {
    my ($block, $budget, %want) = @_;
    my $copies = $block->{copies};
    my @first  = grep { $_->{round} == 1 } @{ $block->{passes} };
    my @short  = grep { !is_whole($_->{test}) } @first;
    my $each   = @short ? $budget / @short : 0;
    my $length = min($LONGEST, max($SHORTEST, $each / $MOST_ROUNDS - $ROUND_COSTS));
    my $turn   = $TURN * max(1, $copies / ($want{usable} // $copies));
    my @timed  = map { _timed($_, max($length, $want{sides} * $LEAST_TURNS * $turn), $want{sides}) } @first;
    my $round  = sum(0, map { $_->{seconds} } grep { defined $_->{round_seconds} } @timed);
    my $fewest = $Touchstone::Stats::FEWEST;
    my $fit    = $round > 0            ? int($budget / $round)      : 0;
    my $rounds = defined $want{budget} ? max(1, min($fewest, $fit)) : $fewest;
    my @passes = map { _round($_, @timed) } 1 .. $rounds;
    my $whole  = sum(0, map { $_->{seconds} } grep { !defined $_->{round_seconds} } @timed);
    my $sum    = sum(0, map { $_->{seconds} } @passes);
    return {
        copies       => $copies,
        passes       => \@passes,
        seconds      => $sum,
        beyond       => $rounds < $fewest ? 0 : max(0, $whole + $budget - $sum),
        open         => sum(0, map { $_->{seconds} } grep { is_open($_->{test}) } @timed),
        budget       => $budget,
        whole_budget => defined $want{budget} ? $budget : undef,
        most         => max($rounds, min($MOST_ROUNDS, $fit))
    };
}

sub _round {
    my ($round, @timed) = @_;
    return map {
        { %$_, round => $round }
    } grep { $round == 1 || defined $_->{round_seconds} } @timed;
}

sub _timed {
    my ($pass, $length, $sides) = @_;
    my $test = $pass->{test};
    return { %$pass, seconds => $sides * $pass->{seconds} } if is_whole($test);
    $length = max($length, $test->{least_seconds} // 0);
    return {
        %$pass,
        round_seconds => $length,
        seconds       => $length + $ROUND_COSTS + $sides * ($test->{setup} // 0)
    };
}

1;
