# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::SequentialTest: from the turns of two sides to a verdict, and the verdicts of such duets.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Runs;
use Touchstone::Base::Random;
use Touchstone::Compare::Run;
use Touchstone::Compare::SequentialTest;
use Touchstone::Compare;
use Touchstone::Record::PasteBlock;
use Touchstone::Record;
use Touchstone::Report::Compare::Groups;
use Touchstone::Report::Compare;
use Touchstone::Score;
use Touchstone::Stats::Sequential;
use Touchstone::Stats::Significance;

my $random = Touchstone::Base::Random::generator(4);
sub normal { return Touchstone::Base::Random::normal($random) }

# A turn as a record has it, of a millisecond of wall time for so many operations.
sub turn {
    my ($place, $count, %also) = @_;
    return join ':', $place, 1e6, $also{cpu} // 1e6, $count, $also{slept} // 0;
}

# A pass with these places and counts: pass_of(1, [0 => 100], [3 => 110]).
sub pass_of {
    my ($round, @turns) = @_;
    return { round => $round, unit => 'lps', duet_blocks => [ join ' ', map { turn(@$_) } @turns ] };
}

# Both sides of a round of so many groups of ABBA, the second side faster by these logarithms.
sub round {
    my ($round, @logs) = @_;
    my (@first, @second);
    for my $group (0 .. $#logs) {
        push @first,  [ 4 * $group, 1e6 ], [ 4 * $group + 3, 1e6 ];
        push @second, map { [ 4 * $group + $_, sprintf '%.0f', 1e6 * exp $logs[$group] ] } 1, 2;
    }
    return (pass_of($round, @first), pass_of($round, @second));
}

# Both sides of rounds of one group each.
sub rounds {
    my (@logs) = @_;
    my @sides = ([], []);
    for my $i (0 .. $#logs) {
        my @passes = round($i + 1, $logs[$i]);
        push @{ $sides[$_] }, $passes[$_] for 0, 1;
    }
    return @sides;
}

sub logs_of {
    return Touchstone::Compare::SequentialTest::logs(map { [$_] } @_);
}

subtest 'a round is the mean of the logarithms in a group' => sub {
    my @logs = logs_of(pass_of(1, [ 0, 100 ], [ 3, 400 ]), pass_of(1, [ 1, 200 ], [ 2, 300 ]));
    is(@logs, 1, 'one value');
    near($logs[0], log(sqrt(200 * 300) / sqrt(100 * 400)), 'of two turns of each side');
};

subtest 'a group that something disturbed does not move a round of several' => sub {
    my ($log) = logs_of(round(1, 0.03, -0.5, 0.03, 0.03));
    near($log, 0.03, 'one of four', 1e-6);
    ($log) = logs_of(round(1, 0.01, 0.03));
    near($log, 0.02, 'of two it is the mean', 1e-6);
};

subtest 'the groups of three sides are known by the places of two' => sub {
    my @logs = logs_of(
        pass_of(1, [ 0, 100 ], [ 5, 100 ], [ 7, 1000 ], [ 10, 1000 ]),
        pass_of(1, [ 1, 110 ], [ 4, 110 ], [ 8, 1100 ], [ 9,  1100 ])
    );
    near($logs[0], log 1.1, 'six turns are a group');
};

subtest 'a turn counts when all copies took it, with the sum of their rates' => sub {
    my @sides = map {
        my $side = $_;
        {
            round       => 1,
            unit        => 'lps',
            duet_blocks => [
                join(' ', map { turn($_, 100) } @$side),
                join(' ', map { turn($_, $side->[0] ? 160 : 100) } @$side)
            ]
        }
    } [ 0, 3 ], [ 1, 2 ];
    near((logs_of(@sides))[0], log 1.3, 'of both copies');
    $sides[1]{duet_blocks}[1] = turn(1, 160);
    is_deeply([ logs_of(@sides) ], [], 'a group that lacks one is none');
};

subtest 'sides share the rounds that both have' => sub {
    my ($first, $second) = rounds(0.01, 0.02, 0.03);
    splice @$second, 1, 1;
    is(join(' ', map { sprintf '%.2f', $_ } Touchstone::Compare::SequentialTest::logs($first, $second)),
        '0.01 0.03', 'by their rounds');
    is_deeply([ Touchstone::Compare::SequentialTest::logs($first, []) ], [], 'there may be none');
};

# The second side is slower by half in wall time alone.
sub based {
    my ($slept, %also)   = @_;
    my ($first, $second) = rounds((log 0.5) x 30);
    for my $pass (@$second) { $pass->{duet_blocks}[0] =~ s/:1000000:500000:/:500000:500000:/g }
    $second->[$_]{duet_blocks}[0] =~ s/:0\z/:1/      for 0 .. $slept - 1;
    $second->[$_]{duet_blocks}[0] =~ s/:500000:/:0:/ for 0 .. ($also{unknown} // 0) - 1;
    return Touchstone::Compare::SequentialTest::of_passes($first, $second, n_max => 60);
}

subtest 'processes that never sleep are compared by the time of the CPU' => sub {
    my $got = based(0);
    is($got->{base}, 'cpu', 'its base');
    near($got->{ratio}, 1, 'half of the time of the CPU is half of the work', 1e-6);
    is(based(1)->{base}, 'cpu',  'one turn in a hundred may sleep');
    is(based(2)->{base}, 'wall', 'more do not, though only one side does');
    near(based(2)->{ratio}, 0.5, 'then all time counts', 1e-6);
    is(based(0, unknown => 1)->{base}, 'wall', 'nor does a time of the CPU that is unknown');
};

subtest 'programs that cannot take turns have a pair of passes for a round' => sub {
    my @sides = map {
        my $count = $_;
        [
            map {
                {
                    round    => $_,
                    unit     => 'lps',
                    timebase => 1,
                    counts   => [$count],
                    times    => [2],
                    starts   => [undef],
                    slices   => [undef]
                }
            } 1 .. 6
        ]
    } 100, 110;
    my $got = Touchstone::Compare::SequentialTest::of_passes(@sides, n_max => 60);
    is("$got->{base} $got->{rounds}", 'passes 6', 'six');
    near($got->{ratio}, 1.1, 'of their rates', 1e-9);
    for my $pass (map { @$_ } @sides) {
        @$pass{qw(unit timebase)} = ('s', 0);
    }
    near(Touchstone::Compare::SequentialTest::of_passes(@sides, n_max => 60)->{ratio},
        1 / 1.1, 'seconds are better when fewer', 1e-9);
};

subtest 'damaged turns are left out, and nothing dies of them' => sub {
    my $good = turn(0, 100);
    for my $bad (
        '',                                                      ' ',
        '::::',                                                  "$good:$good",
        '0:0:0:0:0',                                             "1e9:$good",
        '-1:1:1:1:1',                                            "\x{666}:1:1:1:1",
        join(' ', map { turn($_, 1) } 999_999_998, 999_999_999), join(' ', map { turn($_, 1) } 0, 0, 1),
        turn(0, 1),                                              join(' ', map { turn($_, 1) } 0, 4),
        join(' ', map { turn($_, 1) } 3, 2, 1, 0)
    ) {
        my @passes = round(1, 0.02);
        $passes[1]{duet_blocks} = [$bad];
        my @logs = eval { logs_of(@passes) };
        is($@, '', 'it does not die');
        is_deeply(\@logs, [], 'nor does it count');
    }
};

subtest 'the error is that of the mean of few rounds, and of the trimmed mean of more' => sub {
    my @few = (1, 2, 3, 4, 5, 6);
    @few = @few[ 0, 5, 1, 4, 2, 3 ];
    my $got = Touchstone::Compare::SequentialTest::estimate(@few);
    near($got->{difference}, 3.5,           'their mean');
    near($got->{error},      sqrt(3.5 / 6), 'and its error');
    is($got->{freedom}, 5, 'with their freedom');
    $got = Touchstone::Compare::SequentialTest::estimate(0, 9, 1, 8, 2, 7, 3, 6, 4, 500);
    near($got->{difference}, 29 / 6, 'a round far away does not matter', 0.7);
    is($got->{freedom}, 5, 'of ten, six are left');
};

subtest 'neighbours that are alike make the error wider, those that alternate do not' => sub {
    my @up    = map { $_ % 20 } 0 .. 39;
    my $mixed = Touchstone::Compare::SequentialTest::estimate(map { ($_ * 7) % 20 } 0 .. 39);
    my $alike = Touchstone::Compare::SequentialTest::estimate(@up);
    near($alike->{error} / $mixed->{error}, 3, 'as the correlation says, at the most three times', 0.3);
    my $swing = Touchstone::Compare::SequentialTest::estimate(map { $_ % 2 ? -1 - $_ : 1 + $_ } 0 .. 19);
    near(
        $swing->{error},
        sqrt Touchstone::Stats::Significance::trimmed_mean(map { $_ % 2 ? -1 - $_ : 1 + $_ } 0 .. 19)->[1],
        'that of the trimmed mean'
    );
};

subtest 'a result is worth what its look is' => sub {
    my @logs = map { 0.02 + 0.01 * normal() } 1 .. 22;
    my ($at_look, $at_end) = map { Touchstone::Compare::SequentialTest::of_logs($_, @logs) } 60, 22;
    near($at_end->{level}, Touchstone::Stats::Sequential::level(0.05, 22, 22), 'the last look has its level');
    cmp_ok($at_look->{level}, '<', $at_end->{level} / 10, 'an early one a stricter');
    cmp_ok($at_look->{p},     '>', $at_end->{p},          'and its p is worth less');
    is($at_look->{error}, $at_end->{error},                                    'of the same values');
    is(Touchstone::Compare::SequentialTest::of_logs(60, (1e-12) x 22)->{p}, 1, 'rounding is no difference');
};

subtest 'a test that time ended at a look may spend what later looks would have spent' => sub {
    my $end = sub {
        return Touchstone::Compare::SequentialTest::in_the_end([ @{ noise($_[0], $_[1], 10) } ], n_max => 60);
    };
    my ($look, $all) = map { Touchstone::Stats::Sequential::level(0.05, 10, 60, $_) } 0, 1;
    cmp_ok($look, '<', 0.002, 'the look has next to nothing');
    cmp_ok($all,  '>', 0.04,  'without later ones there is more');
    my $open = $end->(0.01, 0.002);
    near($open->{level}, $all, 'which a test has that was not decided');
    cmp_ok($open->{p}, '<',
        Touchstone::Compare::SequentialTest::of_logs(60, @{ noise(0.01, 0.002, 10) })->{p},
        'its p too');
    near($end->(0.1, 0.001)->{level},  $look, 'one that was told has the interval of the look');
    near($end->(0,   0.0003)->{level}, $look, 'and so has one that was equal');
};

sub decide { return Touchstone::Compare::SequentialTest::decide($_[0], n_max => 60, @_[ 1 .. $#_ ]) }

subtest 'a running test is decided when it differs or cannot' => sub {
    my $noisy = sub {
        my ($by, $noise, $n) = @_;
        return [ map { $by + $noise * normal() } 1 .. $n ];
    };
    is_deeply(
        decide(
            {
                apart => $noisy->(0.1, 0.005, 22),
                equal => noise(0, 0.0005, 22),
                open  => $noisy->(0.015, 0.05, 22)
            }
        ),
        { apart => 'differs', equal => 'equal' },
        'the rest stays open'
    );
    is_deeply(
        decide({ near => noise(0.01, 0.0001, 22) }, fail_on => 0.5),
        { near => 'differs' },
        'a small difference is one'
    );
    my $on_its_way = noise(0.004, 0.0012, 22);
    my $result     = Touchstone::Compare::SequentialTest::of_logs(60, @$on_its_way);
    ok(Touchstone::Compare::SequentialTest::is_equal($result, 0.02),
        'the interval of this one allows for no 2 %');
    is_deeply(decide({ near  => $on_its_way }),              {}, 'yet it goes on, as it is about to be told');
    is_deeply(decide({ apart => $noisy->(0.1, 0.005, 21) }), {}, 'not where there is no look');
    is_deeply(decide({ none  => [], one => [1] }),           {}, 'nor before the first');
    is_deeply(decide({ near  => $noisy->(0, 0.01, 22) }, fail_on => 1e-4), {}, 'what fail_on says is equal');
};

# p x open tests must be below 5 %.
subtest 'tests that were told apart make room for the others' => sub {
    my @logs  = @{ noise(0.02, 0.002, 22) };
    my $p     = Touchstone::Compare::SequentialTest::of_logs(60, @logs)->{p};
    my $among = 1 + int(0.05 / $p);
    is_deeply(
        decide({ a => \@logs }, among => $among - 1, fail_on => 1e-9),
        { a => 'differs' },
        'among fewer'
    );
    is_deeply(decide({ a => \@logs }, among => $among, fail_on => 1e-9), {}, 'not among one more');
    is_deeply(
        decide({ a => \@logs }, among => $among, significant => { b => 1 }, fail_on => 1e-9),
        { a => 'differs' },
        'unless that was told apart'
    );
};

# Two runs of a duet of interleaved blocks, { test => [logarithms] }.
sub compared {
    my ($logs, %how) = @_;
    my $most  = delete $how{most} // 60;
    my %sides = map { $_ => [ rounds(@{ $logs->{$_} }) ] } keys %$logs;
    my @runs  = map {
        my $side = $_;
        Runs::compared_run(
            "r$side",
            {
                map {
                    ("1 $_" => [ map { 1000 } @{ $logs->{$_} } ])
                } keys %$logs
            },
            duet   => 'd',
            change => {
                map { ("1 $_" => { most_rounds => $most, margin => 0.02, passes => $sides{$_}[$side] }) }
                    keys %$logs
            }
        )
    } 0, 1;
    return Touchstone::Compare::compare(runs => \@runs, %how);
}

sub said {
    my ($figure) = @_;
    return join ': ', grep { defined } @$figure{qw(verdict why)};
}

sub noise {
    my ($by, $noise, $n) = @_;
    return [ map { $by + $noise * (($_ * 7 % $n) - ($n - 1) / 2) } 0 .. $n - 1 ];
}

subtest 'a duet of interleaved blocks has the verdict, ratio and interval of its rounds' => sub {
    my $got = compared({ pipe => noise(0.03, 0.001, 10) }, most => 10);
    my ($pipe) = @{ $got->{pairs}[0]{tests} };
    is(said($pipe), 'faster', 'the verdict');
    near($pipe->{ratio}, exp 0.03, 'the ratio is not that of the scores', 1e-6);
    my $estimate = Touchstone::Compare::SequentialTest::estimate(@{ noise(0.03, 0.001, 10) });
    my $t =
        Touchstone::Stats::Significance::t_quantile(Touchstone::Stats::Sequential::level(0.05, 10, 10) / 2,
        $estimate->{freedom});
    near(
        $pipe->{interval}[$_],
        exp(0.03 + (2 * $_ - 1) * $t * $estimate->{error}),
        "end $_ of the interval", 1e-6
    ) for 0, 1;
    is("$pipe->{base} $pipe->{rounds}", 'cpu 10', 'what it was computed from');
    my ($index) = @{ $got->{pairs}[0]{indexes} };
    is(said($index), 'faster', 'an index of one test is judged like it');
    near($index->{p}, $pipe->{p}, 'and counts no further');
    ok(!$index->{scaled}, 'its scores stay though their ratio is another');
};

subtest 'what is not different is equal within 2 %, or open' => sub {
    my $of = sub {
        my ($noise, %how) = @_;
        return compared({ pipe => noise(0.001, $noise, 10) }, most => 10, %how)->{pairs}[0]{tests}[0];
    };
    is(said($of->(0.001)), 'no difference', 'a narrow interval');
    my $wide = $of->(0.01);
    my ($low, $high) = @{ $wide->{interval} };
    like(said($wide), qr/\Ainconclusive: the difference may still be up to (\d+\.\d) %\z/, 'a wide one');
    my ($most) = said($wide) =~ /([\d.]+) %/;
    is(
        join('', Touchstone::Report::Compare::Groups::remedies({ tests => [$wide] })),
        'give the duet more time, with --budget',
        'with what helps'
    );
    near($most, 100 * (1 - $low > $high - 1 ? 1 - $low : $high - 1), 'up to its further end', 0.05);
    is(said($of->(0.01, fail_on => 0.2)), 'no difference', 'unless more is allowed');
    like(said($of->(0.001, fail_on => 0.001)), qr/\Ainconclusive/, 'or less');
};

subtest 'the exit status asks whether a test may be slower by 2 %' => sub {
    my $status = sub { return compared({ pipe => noise(@_, 10) }, most => 10)->{status} };
    is($status->(0,     0.001), 0,   'equal');
    is($status->(0,     0.01),  125, 'open');
    is($status->(-0.05, 0.001), 1,   'slower');
};

subtest 'verdicts are corrected for the number of tests and an index of several' => sub {
    my @names = qw(pipe spawn syscall execl);
    my %logs  = map { $_ => noise(0, 0.002, 10) } @names;
    $logs{pipe} = noise(0.015, 0.002, 10);
    my $alone  = compared({ pipe => $logs{pipe} }, most => 10)->{pairs}[0]{tests}[0];
    my $pair   = compared(\%logs,                  most => 10)->{pairs}[0];
    my ($pipe) = grep { $_->{name} eq 'pipe' } @{ $pair->{tests} };
    near($pipe->{p}, 5 * $alone->{p}, 'four tests and their index');
    my ($index) = @{ $pair->{indexes} };
    near($index->{ratio}, exp(0.015 / 4), 'the index is the mean of its tests', 1e-6);
    my @errors = map { Touchstone::Compare::SequentialTest::estimate(@{ $logs{$_} })->{error} } @names;
    ok($index->{interval}[1] / $index->{ratio} < exp(4 * $errors[0]), 'and surer than each of them');
};

subtest 'what a duet decides the comparison of its records says too' => sub {
    for my $n (13, 22) {
        my %logs = (
            apart => noise(0.05, 0.001,  $n),
            equal => noise(0,    0.0002, $n),
            open  => noise(0,    0.01,   $n)
        );
        my $decided = decide(\%logs);
        my %verdict =
            map { $_->{name} => $_->{verdict} } @{ compared(\%logs)->{pairs}[0]{tests} };
        is_deeply($decided, { apart => 'differs', equal => 'equal' }, "$n rounds: decided");
        is_deeply(\%verdict, { apart => 'faster', equal => 'no difference', open => 'inconclusive' },
            'compared');
    }
};

subtest 'a table says which figures the verdict comes from' => sub {
    my @sides = rounds(@{ noise(-0.03, 0.001, 8) });
    my @runs  = map {
        Runs::compared_run(
            "o$_", { '1 pipe' => [ ($_ == 2 ? 6170 : 6100) x 8 ] },
            duet   => 'd',
            change => { '1 pipe' => { most_rounds => 60, passes => $sides[ $_ - 2 ] } }
        )
    } 2, 3;
    for my $more ([], [ { %{ $runs[1] }, name => 'o4' } ]) {
        my $found = Touchstone::Compare::compare(
            runs  => [ @runs, @$more ],
            label => [ qw(o2 o3 o4) [ 0 .. 1 + @$more ] ]
        );
        for my $form (qw(text markdown html)) {
            my $text = Touchstone::Report::Compare::render($form, $found, columns => 100);
            my $name = "$form of " . (2 + @$more);
            like($text, qr/1 copy; scores of the whole run/, "$name: what the scores are");
            like(
                $text,
                qr/Paired speed, interval and verdict come from interleaved blocks/,
                'and the verdict is not theirs'
            );
            like($text, qr/Paired speed\b.*95 % interval/s, 'beside the paired ratio') if !@$more;
        }
    }
    delete @{$_}{qw(duet)} for @runs;
    my $apart = Touchstone::Report::Compare::render('text', Touchstone::Compare::compare(runs => \@runs));
    unlike($apart, qr/delivered|Paired/, 'runs apart have the ratio of their scores');
};

subtest 'too few rounds are not tested' => sub {
    my $got = compared({ pipe => noise(0.03, 0.001, 5) });
    like(said($got->{pairs}[0]{tests}[0]), qr/\Anot tested: 5 rounds, 6 needed\z/, 'five');
    my $logs  = noise(0.03, 0.001, 8);
    my %sides = (pipe => [ rounds(@$logs) ]);
    splice @{ $sides{pipe}[1] }, 0, 3;
    my @runs = map {
        Runs::compared_run(
            "r$_", { '1 pipe' => [ (1000) x 8 ] },
            duet   => 'd',
            change => { '1 pipe' => { most_rounds => 60, passes => $sides{pipe}[$_] } }
        )
    } 0, 1;
    is(
        said(Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0]),
        'not tested: 5 rounds, 6 needed',
        'eight of one side and five of the other'
    );
};

# The record of a side of a duet of one test.
sub record_of {
    my ($side, @passes) = @_;
    my $record = Runs::record("r$side", { '1 pipe' => [ (1000) x @passes ] }, duet => 'd');
    $record->{schedule} = { %{ $record->{schedule} }, most_rounds => scalar @passes, margin => 0.02 };
    $record->{passes}[$_]{duet_blocks} = $passes[$_]{duet_blocks} for 0 .. $#passes;
    return $record;
}

subtest 'a compact block keeps the turns, to the microsecond' => sub {
    my @sides   = rounds(@{ noise(0.03, 0.001, 8) });
    my @records = map { record_of($_, @{ $sides[$_] }) } 0, 1;
    $records[0]{passes}[0]{duet_blocks}[0] =~ s/:1000000:1000000:/:1000499:999:/ or fail('a turn is changed');
    my @read = map {
        my $block = Touchstone::Record::PasteBlock::block($_);
        defined $block->{text} ? Touchstone::Record->of_text('x', $block->{text}) : ()
    } @records;
    plan skip_all => 'no zlib' if @read < 2;
    like(
        $read[0]{passes}[0]{duet_blocks}[0],
        qr/\A0:1000000:999:1000000:0 /,
        'a time is rounded, unless it is short'
    );
    my @found = map {
        my @runs = map { Touchstone::Compare::Run::from_record($_, Touchstone::Score::score_run($_)) } @$_;
        Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0]
    } \@records, \@read;
    is(said($found[1]), said($found[0]), 'the verdict is the same');
    near($found[1]{ratio}, $found[0]{ratio}, 'and so is the ratio', 1e-4);
};

subtest 'a record hands its turns on' => sub {
    my @sides = rounds(@{ noise(0.03, 0.001, 8) });
    my @runs  = map {
        my $side   = $_;
        my $record = record_of($side, @{ $sides[$side] });
        Touchstone::Compare::Run::from_record($record, Touchstone::Score::score_run($record));
    } 0, 1;
    my $found = Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0];
    is(said($found), 'faster', 'and its verdict follows from them');
    my $noise = { brief => 'others ran', text => 'others ran', remedy => 'wait' };
    $_->{invalid} = $noise for @runs;
    is_deeply(Touchstone::Compare::compare(runs => \@runs)->{invalid},
        [], 'what disturbed both alike is no fault');
    $runs[1]{unfair} = $noise;
    is(@{ Touchstone::Compare::compare(runs => \@runs)->{invalid} },
        1, 'what else is wrong with a side is one');
    $_->{unfair} = undef for @runs;
    near($found->{ratio}, exp 0.03, 'with their ratio', 1e-6);
    delete $_->{duet} for @runs;
    is(@{ Touchstone::Compare::compare(runs => \@runs)->{invalid} }, 2, 'nor are runs apart disturbed alike');
    isnt(said(Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0]),
        'faster', 'not that of runs apart');
};

done_testing;
