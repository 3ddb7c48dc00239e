# SPDX-License-Identifier: GPL-2.0-or-later
# Score with published figures, and with windows that were computed by hand.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Compare::Baseline;
use Runs;
use Scored;
use Touchstone::Score;

my @INDEX =
    qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

# Score and index of each test, in that order, of a Xeon with two CPUs: one copy, index 1927.8.
my @SCORE = (
    48543316.1, 7907.0,   2992.5,  1867803, 629105, 4599167,
    3064197.0,  144775.3, 10689.6, 9419.8,  1261.2, 1890776.3
);
my @WORKED = (4159.7, 1437.6, 695.9, 4716.7, 3801.2, 7929.6, 2463.2, 361.9, 848.4, 2221.6, 2102.1, 1260.5);

# Indexes with one copy and with two, and the gain in per cent, of two processors in 2007.
my @SCALING = (
    [ 562.5,  1110.3, 97 ],
    [ 320.0,  640.4,  100 ],
    [ 450.4,  880.3,  95 ],
    [ 759.4,  595.9,  -22 ],
    [ 535.8,  438.8,  -18 ],
    [ 1261.8, 1043.4, -17 ],
    [ 481.0,  979.3,  104 ],
    [ 326.8,  1229.0, 276 ],
    [ 917.2,  1714.1, 87 ],
    [ 1064.9, 1566.3, 47 ],
    [ 1567.7, 1709.9, 9 ],
    [ 944.2,  1445.5, 53 ]
);

sub pass_of {
    my ($test, @counts) = @_;
    my @none = (undef) x @counts;
    return {
        test     => $test,
        copies   => scalar @counts,
        round    => 1,
        timebase => 1,
        unit     => 'lps',
        counts   => [@counts],
        times    => [ (1) x @counts ],
        starts   => [@none],
        slices   => [@none]
    };
}

# Returns a scored record of these passes; `tests` are [name, category, baseline].
sub scored {
    my ($kind, $passes, %with) = @_;
    my %seen;
    my @blocks = map { { copies => $_, started => 0 } } grep { !$seen{$_}++ } map { $_->{copies} } @$passes;
    my @tests  = map {
        my ($name, $category, $baseline) = @$_;
        { name => $name, title => "Title of $name", category => $category, baseline => $baseline }
    } @{ $with{tests} || [ map { [ $_->{test}, 'system', undef ] } @$passes ] };
    return Scored::document(
        {
            schedule   => { kind => $kind },
            tests      => \@tests,
            blocks     => \@blocks,
            passes     => $passes,
            failures   => $with{failures} || [],
            warnings   => [],
            host       => { usable_cpus => 4 },
            categories => [
                { key => 'system', title => 'System Benchmarks', index => $with{index} || \@INDEX },
                {
                    key   => 'misc',
                    title => 'Non-Index Benchmarks',
                    index => [],
                    $with{based} ? (based => $with{based}) : ()
                }
            ],
        }
    );
}

sub result_of { return scored(@_)->{results}[0]{tests}[0] }

subtest 'the classic rule drops the worst third by count and averages the rest geometrically' => sub {
    my @passes = map { pass_of('pipe', $_) } 100, 200, 300;
    $passes[$_]{times} = [ (1, 4, 2)[$_] ] for 0 .. 2;
    my $got = result_of(classic => \@passes);
    near(
        $got->{score},
        sqrt(50 * 150),
        'the pass with the smallest count goes, not the one with the smallest rate'
    );
    is(
        "$got->{samples} $got->{passes} $got->{seconds}",
        '2 3 3',
        'samples that count, passes, mean seconds of a sample'
    );
    my %kept = (1 => 1, 2 => 2, 3 => 2, 4 => 3, 5 => 4, 6 => 4, 9 => 6, 10 => 7);
    for my $n (sort { $a <=> $b } keys %kept) {
        my @counts = map { 1000 + $_ } 1 .. $n;
        my $some   = result_of(classic => [ map { pass_of('pipe', $_) } @counts ]);
        my @best   = @counts[ $n - $kept{$n} .. $n - 1 ];
        is($some->{samples}, $kept{$n}, "$kept{$n} of $n passes count");
        near($some->{score}, exp(sum(map { log } @best) / @best), "they are the best of $n");
    }
    my $sums = result_of(classic => [ map { pass_of('pipe', @$_) } [ 10, 500 ], [ 250, 250 ], [ 200, 400 ] ]);
    near($sums->{score}, sqrt(510 * 600), 'the counts of the copies are added');
};

subtest 'the other schedules take the median, within 2 % of the mean' => sub {
    for my $kind (qw(default quick)) {
        my $got = result_of($kind => [ map { pass_of('pipe', $_) } 900, 840, 930, 896, 904, 920 ]);
        is("$got->{score} $got->{samples} $got->{passes}", '902 6 6', "$kind: six passes");
        is($got->{limited},                                undef, "$kind: their median is near their mean");
        is(result_of($kind => [ map { pass_of('pipe', $_) } 510, 490, 500 ])->{score}, 500, "$kind: three");
        my $two = result_of($kind => [ map { pass_of('pipe', $_) } (100) x 5, 800 ]);
        near($two->{score}, 0.98 * 1300 / 6, "$kind: two speeds");
        is($two->{limited}, 1, "$kind: the mean decides");
    }
};

subtest 'the time base says what a count is' => sub {
    my %score = (1 => 300, 60 => 18000, 0 => 1200);
    for my $timebase (sort keys %score) {
        my $got = result_of(
            default => [ { %{ pass_of('pipe', 1200) }, timebase => $timebase, times => [4], unit => 'any' } ]
        );
        near($got->{score}, $score{$timebase}, "time base $timebase");
        is("$got->{unit} $got->{seconds}", 'any 4', 'unit and seconds are the program\'s');
    }
    is(result_of(default => [ pass_of('dhry2reg', 1757 * 3) ])->{dmips}, 3,     'Dhrystones are DMIPS too');
    is(result_of(default => [ pass_of('pipe',     1757) ])->{dmips},     undef, 'nothing else is');
};

subtest 'the warm-up, other copy counts, unknown and failed tests have no part in a score' => sub {
    my @passes = (
        { %{ pass_of('pipe', 1) }, round => 0 },
        pass_of('pipe',    100),
        pass_of('pipe',    7, 7),
        pass_of('syscall', 5),
        pass_of('syscall', 5, 5),
        pass_of('who',     1)
    );
    my $record = scored(
        default  => \@passes,
        tests    => [ [ 'syscall', 'system' ], [ 'pipe', 'system' ] ],
        failures => [ { test => 'syscall', copies => 2, why => 'x' } ]
    );
    is_deeply(
        [
            map {
                my $b = $_;
                map { "$b->{copies} $_->{name} $_->{score}" } @{ $b->{tests} }
            } @{ $record->{results} }
        ],
        [ '1 pipe 100', '1 syscall 5', '2 pipe 14' ],
        'sorted by title, a failure counts for its copies only'
    );
    is_deeply(scored(default => [])->{results}, [], 'nothing measured, nothing scored');
    is_deeply(scored(default => [ { %{ pass_of('pipe', 1) }, round => 0 } ])->{results}[0]{tests},
        [], 'a warm-up alone is no result');
};

my $baseline = Touchstone::Compare::Baseline::load(dirname(__FILE__) . '/../../pgms/index.base');

sub system_tests {
    return map { [ $_, 'system', $baseline->{$_} ] } @_;
}

subtest 'the worked example comes out' => sub {
    my @passes = map {
        { %{ pass_of($INDEX[$_], $SCORE[$_]) }, timebase => 0 }
    } 0 .. $#INDEX;
    my ($block) = @{ scored(classic => \@passes, tests => [ system_tests(@INDEX) ])->{results} };
    my %index = map { $_->{name} => $_->{index} } @{ $block->{tests} };
    near($index{ $INDEX[$_] }, $WORKED[$_], $INDEX[$_], 0.11) for 0 .. $#INDEX;
    my ($whole) = @{ $block->{indexes} };
    is(sprintf('%.1f', $whole->{score}), '1927.8', 'the index');
    is(
        "$whole->{title}, $whole->{partial}, " . @{ $whole->{tests} },
        'System Benchmarks, 0, 12',
        'whole, of twelve tests'
    );
};

# Passes of two tests with one copy and two; the first pass of pipe, with one copy, is 30 % lower.
my %PASSES = (pipe => [ 70, 99, 99.7, 100, 100.4, 101 ], spawn => [ 49.9, 49.95, 50, 50, 50.05, 50.1 ]);

sub disturbed_run {
    my ($kind) = @_;
    my @passes = map {
        my $n = $_;
        (
            (map { pass_of($_, $PASSES{$_}[$n]) } sort keys %PASSES),
            (map { my $rate = $PASSES{$_}[ $n || 1 ]; pass_of($_, $rate, $rate) } sort keys %PASSES)
        )
    } 0 .. 5;
    return scored($kind => \@passes, tests => [ map { [ $_, 'system', 10 ] } sort keys %PASSES ]);
}

subtest 'no index is surer than one of its tests lets it be, by whatever rule' => sub {
    for my $kind (qw(default quick classic)) {
        my ($block) = @{ disturbed_run($kind)->{results} };
        my ($index) = @{ $block->{indexes} };
        my ($pipe)  = grep { $_->{name} eq 'pipe' } @{ $block->{tests} };
        my $reach   = log $pipe->{score} / $pipe->{interval}[0];
        cmp_ok($reach, '>', 0.1, "$kind: the disturbed pass makes its test unsure");
        near(log $index->{score} / $index->{interval}[0],
            $reach / 2, '... and the index by half as much', 1e-3);
    }
};

subtest 'no speed-up is surer than one of its scores lets it be' => sub {
    my $record  = disturbed_run('default');
    my ($pipe)  = grep { $_->{name} eq 'pipe' } @{ $record->{results}[0]{tests} };
    my ($gains) = grep { $_->{name} eq 'pipe' } @{ $record->{scaling}{rows} };
    my $most    = 100 * (1 + $gains->{gains}[1] / 100) * $pipe->{score} / $pipe->{interval}[0] - 100;
    cmp_ok($gains->{intervals}[1][1], '>=', $most - 1e-9, 'one copy may be as slow as its interval says');
    my ($index) = grep { $_->{title} =~ /Index/ } @{ $record->{scaling}{rows} };
    cmp_ok($index->{intervals}[1][1], '>', $index->{gains}[1] + 5, 'and that of the index follows');
};

subtest 'an index of one test has the interval of that test' => sub {
    my @passes = map { pass_of('pipe', $_) } @{ $PASSES{pipe} };
    my ($block) = @{ scored(default => \@passes, tests => [ [ 'pipe', 'system', 10 ] ])->{results} };
    my ($index, $test) = ($block->{indexes}[0], $block->{tests}[0]);
    near($index->{interval}[$_], $test->{index_interval}[$_], "limit $_") for 0, 1;
    near($index->{precision}, $test->{precision}, 'and its precision');
    my ($short) =
        @{ scored(default => [ @passes[ 0 .. 4 ] ], tests => [ [ 'pipe', 'system', 10 ] ])->{results} };
    is_deeply(
        [ @{ $short->{indexes}[0] }{qw(interval precision error)} ],
        [ undef, undef, undef ],
        'five passes give none'
    );
};

subtest 'the published gains come out' => sub {
    my @tests  = map { [ $_, 'system', 10 ] } @INDEX;
    my @passes = map {
        my $row = $SCALING[$_];
        (pass_of($INDEX[$_], $row->[0]), pass_of($INDEX[$_], $row->[1] / 2, $row->[1] / 2))
    } 0 .. $#INDEX;
    my $record = scored(default => \@passes, tests => \@tests);
    my %row    = map { $_->{name} => $_ } @{ $record->{scaling}{rows} };
    for my $i (0 .. $#INDEX) {
        my ($one, $two, $gain) = @{ $SCALING[$i] };
        is(
            join(' ', map { sprintf '%.1f', $_ } @{ $row{ $INDEX[$i] }{values} }),
            sprintf('%.1f %.1f', $one, $two),
            "values of $INDEX[$i]"
        );
        is(sprintf('%.0f', $row{ $INDEX[$i] }{gains}[1]), $gain, "gain of $INDEX[$i]");
    }
    near($row{index}{values}[$_], (678.2, 1026.2)[$_], 'the index', 0.1) for 0, 1;
    is(sprintf('%.0f', $row{index}{gains}[1]), 51, 'its gain');
};

subtest 'gains compare what was measured with every copy count' => sub {
    my @passes = (
        pass_of('pipe',    100),
        pass_of('syscall', 50),
        pass_of('pipe',    150, 100),
        pass_of('pipe',    20,  20, 10)
    );
    my $rows = scored(default => \@passes, tests => [ system_tests(qw(pipe syscall)) ])->{scaling}{rows};
    is_deeply([ map { $_->{name} } @$rows ], ['pipe'], 'no test and no index that is missing somewhere');
    near($rows->[0]{values}[0], 100 / 1244, 'with a baseline the values are indexes');
    near($rows->[0]{gains}[1],  150,        'two copies against one');
    near($rows->[0]{gains}[2],  -50,        'three copies against one, not against two');
    is($rows->[0]{gains}[0], undef, 'one copy against itself is no gain');
    is(scored(default => [ pass_of('pipe', 5) ])->{scaling}, undef, 'one copy count has no gains');
    is(scored(default => [ pass_of('pipe', 5), pass_of('syscall', 5, 5) ])->{scaling},
        undef, 'nor have counts with no test in common');
};

subtest 'an index is partial when a test of it is missing' => sub {
    my $indexes = sub {
        my (@tests) = @_;
        scored(default => [ map { pass_of($_->[0], 100) } @tests ], tests => \@tests)->{results}[0]{indexes};
    };
    my $eleven = $indexes->(system_tests(@INDEX[ 1 .. 11 ]));
    is($eleven->[0]{partial},                          1, 'eleven of twelve');
    is($indexes->(system_tests(@INDEX))->[0]{partial}, 0, 'twelve of twelve');
    my ($with) = @{ $indexes->(system_tests(qw(pipe syscall sysexec)), [ 'fstime-w', 'system', undef ]) };
    is("@{ $with->{tests} }", 'pipe syscall',
        'a test with a baseline that is not of the index stays outside');
    near($with->{score}, 10 * sqrt(100 / 12440 * 100 / 15000), 'the index is of the tests it names');
    my ($alone) = @{ $indexes->(system_tests('sysexec')) };
    ok($alone->{partial} && abs($alone->{score} - 40) < 1e-9, 'alone it has a partial index');
    is_deeply($indexes->([ 'fstime-w', 'system', undef ]), [], 'without a baseline there is none');
    is_deeply(
        [
            map { "$_->{category} $_->{partial}" }
                @{ $indexes->(system_tests('pipe'), [ 'grep', 'misc', 1 ]) }
        ],
        [ 'system 1', 'misc 1' ],
        'each category has its own'
    );
};

subtest 'the mean of a category without an index is whole when all its baselines were measured' => sub {
    my $mean = sub {
        my ($based, @names) = @_;
        my @tests = map { [ $_, 'misc', { grep => 1, sysexec => 25 }->{$_} ] } @names;
        return scored(
            default => [ map { pass_of($_, 100) } @names ],
            tests   => \@tests,
            based   => $based
        )->{results}[0]{indexes}[0];
    };
    my $whole = $mean->([qw(sysexec grep)], qw(grep hanoi sysexec));
    is_deeply([ @$whole{qw(partial outside)} ], [ 0, 1 ], 'both, and a test without a baseline');
    near($whole->{score}, 10 * sqrt(100 * 100 / 25), 'its mean');
    is($mean->([qw(sysexec grep)], qw(grep hanoi))->{partial}, 1, 'one is missing');
    is($mean->(undef, qw(grep hanoi sysexec))->{partial},      1, 'an older record does not know them all');
};

subtest 'a test shows its smallest share' => sub {
    my $apart = sub {
        my ($from) = @_;
        return {
            %{ pass_of('pipe', 9, 9) },
            starts => [ 1e12,           1e12 + $from * 1e9 ],
            slices => [ '1000000000:9', '1000000000:9' ]
        };
    };
    is(result_of(default => [ map { $apart->($_) } 0, 0.5, 0.2 ])->{share}, 0.5 / 1.5, 'of its passes');
};

# Returns a pass of fixed work: units that each copy did in `seconds`, or with the time base 0 the seconds of
# one unit.
sub fixed {
    my ($timebase, $seconds, @counts) = @_;
    return {
        %{ pass_of('pipe84', @counts) },
        unit     => 's',
        timebase => $timebase,
        times    => [ map { $seconds } @counts ],
        user     => [ map { $_ * 0.001 } @counts ],
        sys      => [ map { $_ * 0.003 } @counts ]
    };
}

sub fixed_result {
    my ($row, @passes) = @_;
    my $record = {
        schedule   => { kind => delete $row->{kind} // 'default' },
        tests      => [ { name => 'pipe84', title => 'Pipe', category => 'old', better => 'lower', %$row } ],
        blocks     => [ { copies => $passes[0]{copies}, started => 0 } ],
        passes     => \@passes,
        failures   => [],
        categories => [ { key => 'old', title => 'Old', index => ['pipe84'] } ]
    };
    return Touchstone::Score::score_run($record)->{blocks}[0];
}

subtest 'the score of fixed work is the seconds of a unit, and less has a higher index' => sub {
    my @passes = map { fixed(1, 2, $_) } 480, 500, 520;
    my $block  = fixed_result({ baseline => 3.2 }, @passes);
    my ($got)  = @{ $block->{tests} };
    near($got->{score}, 0.004, 'the median');
    is("$got->{unit} $got->{better}", 's lower', 'in seconds');
    near($got->{index},               3.2 / 0.004 * 10, 'the index is the baseline over the score');
    near($block->{indexes}[0]{score}, 8000,             'and that of the category is of these');
    near($got->{user},                0.001,            'user seconds of a unit');
    near($got->{sys},                 0.003,            'system seconds of a unit');
    is($got->{each}, undef, 'no part of a unit is named');
    my @six    = map { fixed(1, 1, $_) } 1000, 1010, 990, 1005, 995, 1000;
    my ($sure) = @{ fixed_result({ baseline => 1, per => [ 500, 'call' ] }, @six)->{tests} };
    ok($sure->{interval}[0] < $sure->{score} && $sure->{score} < $sure->{interval}[1],
        'the interval holds the score');
    near(
        $sure->{index_interval}[0],
        10 / $sure->{interval}[1],
        'the lower limit of the index is of the longest time'
    );
    near($sure->{index_interval}[1],  10 / $sure->{interval}[0],   'the upper of the shortest');
    near($sure->{each}{seconds},      $sure->{score} / 500,        'a call');
    near($sure->{each}{interval}[$_], $sure->{interval}[$_] / 500, 'its interval') for 0, 1;
    my ($classic) = @{ fixed_result({ kind => 'classic' }, map { fixed(0, 1, $_) } 0.5, 0.2, 0.4)->{tests} };
    near($classic->{score}, sqrt(0.2 * 0.4), 'the classic rule drops what took longest');
};

subtest 'seconds that may be none are below the resolution' => sub {
    my @none  = map { fixed(0, 1, $_) } -2e-6, 1e-6, 3e-6, -1e-6, 2e-6, 1e-6;
    my $block = fixed_result({ baseline => 1 }, @none);
    is_deeply($block->{tests},                                        [],         'no score');
    is_deeply([ map { $_->{name} } @{ $block->{below_resolution} } ], ['pipe84'], 'it is named');
    is_deeply($block->{indexes},                                      [],         'and no index');
    is_deeply(
        [
            map {
                scalar @{ fixed_result({}, map { fixed(0, 1, $_) } @$_)->{below_resolution} }
            } [ 1e-6, 2e-6, -1e-9 ],
            [ 1e-6, 2e-6, 3e-6 ],
            [0],
            [-1]
        ],
        [ 1, 0, 1, 1 ],
        'without an interval one pass that is not above zero is enough'
    );
    my @sure = map { fixed(0, 1, $_) } 1e-6, 1.1e-6, 0.9e-6, 1e-6, 1.05e-6, 1e-6;
    is(@{ fixed_result({}, @sure)->{tests} }, 1, 'what is surely above zero has a score');
    is(@{ fixed_result({ kind => 'classic' }, map { fixed(0, 1, $_) } -3, 1, 2)->{below_resolution} },
        1, 'in the classic schedule too');
};

subtest 'a record that says otherwise of a test does not turn seconds round' => sub {
    my $wrong =
        fixed_result({ baseline => 1, better => 'higher' }, map { fixed(0, 1, $_) } 2e-6, -1e-6, 1e-6);
    is_deeply(
        [ map { scalar @{ $wrong->{$_} } } qw(tests below_resolution) ],
        [ 0, 1 ],
        'below the resolution'
    );
    near(fixed_result({ baseline => 1, better => 'higher' }, fixed(1, 1, 100))->{tests}[0]{index},
        1000, 'the unit decides');
};

subtest 'the time of a part is what one copy sees' => sub {
    my ($two) = @{ fixed_result({ per => [ 100, 'call' ] }, fixed(1, 1, 10, 10))->{tests} };
    near($two->{score},         0.05,  'two copies do a unit in half the time');
    near($two->{each}{seconds}, 0.001, 'but a call takes as long');
};

subtest 'the time of a part of a rate is what one copy, or a pair of threads, sees' => sub {
    my $each = sub {
        my ($more, @counts) = @_;
        my @passes = map {
            { %{ pass_of('pipe84', @counts) }, %$more }
        } 1 .. 6;
        return fixed_result({ per => [ 4, 'load' ], better => 'higher' }, @passes)->{tests}[0]{each};
    };
    near($each->({}, 1e6)->{seconds},                 2.5e-7, 'a quarter of a microsecond');
    near($each->({}, 1e6, 1e6)->{seconds},            2.5e-7, 'two copies need as long as one');
    near($each->({ timebase => 60 }, 1e6)->{seconds}, 2.5e-7, 'a rate per minute');
    near($each->({ timebase => 0 }, 1e6)->{seconds},  2.5e-7, 'a rate that a program computed');
    my %team = (team => 1, copies => 5);
    near($each->({%team},                        1e6)->{seconds}, 5 * 2.5e-7,    'a team of five threads');
    near($each->({ %team, cpus => ['0,1,0,1'] }, 1e6)->{seconds}, 2 * 2.5e-7,    'one of two pairs');
    near($each->({ %team, cpus => ['0'], copies => 1 }, 1e6)->{seconds}, 2.5e-7, 'one pair is the least');
    my %seen = (unit => 's', seen => 'copy', timebase => 0, copies => 2);
    near($each->({%seen}, 0.02, 0.08)->{seconds}, 0.01, 'what copies see is the time of each');
};

subtest 'the interval of the time of a part holds it' => sub {
    my @passes = map { pass_of('pipe84', 1e6 + 1e3 * $_) } 1 .. 6;
    my ($got) = @{ fixed_result({ per => [ 1, 'load' ] }, @passes)->{tests} };
    near($got->{each}{interval}[0], 1 / $got->{interval}[1], 'the shortest is that of the highest rate');
    near($got->{each}{interval}[1], 1 / $got->{interval}[0], 'the longest that of the lowest');
};

subtest 'gains of fixed work are those of its speed' => sub {
    my @passes = (fixed(1, 1, 100), fixed(1, 1, 90, 90));
    for my $row ({ baseline => 2 }, {}) {
        my $record = {
            schedule => { kind => 'default' },
            tests  => [ { name => 'pipe84', title => 'Pipe', category => 'old', better => 'lower', %$row } ],
            passes => \@passes,
            blocks => [ map { { copies => $_, started => 0 } } 1, 2 ],
            failures   => [],
            categories => [ { key => 'old', title => 'Old', index => [] } ]
        };
        my $rows = Touchstone::Score::scaling(Touchstone::Score::scores($record)->{blocks})->{rows};
        near($rows->[0]{gains}[1], 80, $row->{baseline} ? 'with a baseline' : 'without');
        near(
            $rows->[0]{values}[0],
            $row->{baseline} ? 2000 : 100,
            'the value is an index, or units in a second'
        );
    }
};

subtest 'what else passes measured is added up over copies, and the median of the passes counts' => sub {
    my $record = Runs::record('x', { '2 pipe' => [ 100, 110, 120 ] });
    my @told   = ([ { lost => 1, cpu => 2 }, { lost => 3 } ], [ { lost => 10 }, {} ], [ {}, {} ]);
    $record->{passes}[$_]{figures} = $told[$_] for 0 .. 2;
    $record->{passes}[1]{missing} = { text => 'no font' };
    my $block = Touchstone::Score::scores($record)->{blocks}[0];
    is_deeply($block->{tests}[0]{figures}, { lost => 7, cpu => 2 }, 'figures');
    is_deeply(
        $block->{tests}[0]{missing},
        [ { name => 'text', why => 'no font' } ],
        'what is missing in any pass'
    );
    is($block->{indexes}[0]{partial}, 1, 'makes the index partial');
    delete $record->{passes}[1]{missing};
    is(Touchstone::Score::scores($record)->{blocks}[0]{indexes}[0]{partial}, 0, 'nothing is missing');
};

done_testing;
