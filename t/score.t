# SPDX-License-Identifier: GPL-2.0-or-later
# Score against published figures and against windows worked out by hand.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(sum);
use Test::More;

BEGIN { $SIG{__WARN__} = sub { fail("no warning: $_[0]") } }
use Touchstone::Baseline;
use Touchstone::Score;

my @INDEX = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

# Score and index of each test, in that order: a Xeon with two CPUs, one copy, index 1927.8.
my @SCORE  = (48543316.1, 7907.0, 2992.5, 1867803, 629105, 4599167, 3064197.0, 144775.3, 10689.6, 9419.8, 1261.2, 1890776.3);
my @WORKED = (4159.7, 1437.6, 695.9, 4716.7, 3801.2, 7929.6, 2463.2, 361.9, 848.4, 2221.6, 2102.1, 1260.5);

# Indexes with one copy and with two, and the gain in per cent: two processors, 2007.
my @SCALING = ([ 562.5, 1110.3, 97 ], [ 320.0, 640.4, 100 ], [ 450.4, 880.3, 95 ], [ 759.4, 595.9, -22 ], [ 535.8, 438.8, -18 ],
    [ 1261.8, 1043.4, -17 ], [ 481.0, 979.3, 104 ], [ 326.8, 1229.0, 276 ], [ 917.2, 1714.1, 87 ], [ 1064.9, 1566.3, 47 ],
    [ 1567.7, 1709.9, 9 ], [ 944.2, 1445.5, 53 ]);

sub near {
    my ($got, $expected, $name, $within) = @_;
    return ok(defined $got && abs($got - $expected) <= ($within // 1e-9 * abs $expected), $name) || diag('got ', $got // 'nothing', ", expected $expected");
}

sub pass_of {
    my ($test, @counts) = @_;
    my @none = (undef) x @counts;
    return { test => $test, copies => scalar @counts, round => 1, timebase => 1, unit => 'lps', counts => [@counts], times => [ (1) x @counts ],
        starts => [@none], slices => [@none] };
}

# A record of these passes; `tests` are [name, category, baseline].
sub scored {
    my ($kind, $passes, %with) = @_;
    my %seen;
    my @blocks = map { { copies => $_, started => 0 } } grep { !$seen{$_}++ } map { $_->{copies} } @$passes;
    my @tests = map { my ($name, $category, $baseline) = @$_; { name => $name, title => "Title of $name", category => $category, baseline => $baseline } }
        @{ $with{tests} || [ map { [ $_->{test}, 'system', undef ] } @$passes ] };
    return Touchstone::Score::complete({
        schedule => { kind => $kind }, tests => \@tests, blocks => \@blocks, passes => $passes, failures => $with{failures} || [],
        categories => [ { key => 'system', title => 'System Benchmarks', index => $with{index} || \@INDEX }, { key => 'misc', title => 'Non-Index Benchmarks', index => [] } ],
    });
}

sub result_of { return scored(@_)->{results}[0]{tests}[0] }

subtest 'the classic rule drops the worst third by count and averages the rest geometrically' => sub {
    my @passes = map { pass_of('pipe', $_) } 100, 200, 300;
    $passes[$_]{times} = [ (1, 4, 2)[$_] ] for 0 .. 2;
    my $got = result_of(classic => \@passes);
    near($got->{score}, sqrt(50 * 150), 'the pass with the smallest count goes, not the one with the smallest rate');
    is("$got->{samples} $got->{passes} $got->{seconds}", '2 3 3', 'samples that count, passes, mean seconds of a sample');
    my %kept = (1 => 1, 2 => 2, 3 => 2, 4 => 3, 5 => 4, 6 => 4, 9 => 6, 10 => 7);
    for my $n (sort { $a <=> $b } keys %kept) {
        my @counts = map { 1000 + $_ } 1 .. $n;
        my $some = result_of(classic => [ map { pass_of('pipe', $_) } @counts ]);
        my @best = @counts[ $n - $kept{$n} .. $n - 1 ];
        is($some->{samples}, $kept{$n}, "$kept{$n} of $n passes count");
        near($some->{score}, exp(sum(map { log } @best) / @best), "they are the best of $n");
    }
    my $sums = result_of(classic => [ map { pass_of('pipe', @$_) } [ 10, 500 ], [ 250, 250 ], [ 200, 400 ] ]);
    near($sums->{score}, sqrt(510 * 600), 'the counts of the copies are added');
};

subtest 'the other schedules take the median of all passes' => sub {
    for my $kind (qw(default quick)) {
        my $got = result_of($kind => [ map { pass_of('pipe', $_) } 900, 100, 500, 300, 400, 1_000_000 ]);
        is("$got->{score} $got->{samples} $got->{passes}", '450 6 6', "$kind: six passes");
        is(result_of($kind => [ map { pass_of('pipe', $_) } 900, 100, 500 ])->{score}, 500, "$kind: three");
    }
};

subtest 'the time base says what a count is' => sub {
    my %score = (1 => 300, 60 => 18000, 0 => 1200);
    for my $timebase (sort keys %score) {
        my $got = result_of(default => [ { %{ pass_of('pipe', 1200) }, timebase => $timebase, times => [4], unit => 'any' } ]);
        near($got->{score}, $score{$timebase}, "time base $timebase");
        is("$got->{unit} $got->{seconds}", 'any 4', 'unit and seconds are the program\'s');
    }
    is(result_of(default => [ pass_of('dhry2reg', 1757 * 3) ])->{dmips}, 3, 'Dhrystones are DMIPS too');
    is(result_of(default => [ pass_of('pipe', 1757) ])->{dmips}, undef, 'nothing else is');
};

subtest 'the warm-up, other copy counts, unknown and failed tests have no part in a score' => sub {
    my @passes = ({ %{ pass_of('pipe', 1) }, round => 0 }, pass_of('pipe', 100), pass_of('pipe', 7, 7), pass_of('syscall', 5), pass_of('syscall', 5, 5), pass_of('who', 1));
    my $record = scored(default => \@passes, tests => [ [ 'syscall', 'system' ], [ 'pipe', 'system' ] ], failures => [ { test => 'syscall', copies => 2, why => 'x' } ]);
    is_deeply([ map { my $b = $_; map { "$b->{copies} $_->{name} $_->{score}" } @{ $b->{tests} } } @{ $record->{results} } ],
        [ '1 pipe 100', '1 syscall 5', '2 pipe 14' ], 'sorted by title, a failure counts for its copies only');
    is_deeply(scored(default => [])->{results}, [], 'nothing measured, nothing scored');
    is_deeply(scored(default => [ { %{ pass_of('pipe', 1) }, round => 0 } ])->{results}[0]{tests}, [], 'a warm-up alone is no result');
};

my $baseline = Touchstone::Baseline::load(dirname(__FILE__) . '/../pgms/index.base');
sub system_tests { return map { [ $_, 'system', $baseline->{$_} ] } @_ }

subtest 'the worked example comes out' => sub {
    my @passes = map { { %{ pass_of($INDEX[$_], $SCORE[$_]) }, timebase => 0 } } 0 .. $#INDEX;
    my ($block) = @{ scored(classic => \@passes, tests => [ system_tests(@INDEX) ])->{results} };
    my %index = map { $_->{name} => $_->{index} } @{ $block->{tests} };
    near($index{ $INDEX[$_] }, $WORKED[$_], $INDEX[$_], 0.11) for 0 .. $#INDEX;
    my ($whole) = @{ $block->{indexes} };
    is(sprintf('%.1f', $whole->{score}), '1927.8', 'the index');
    is("$whole->{title}, $whole->{partial}, " . @{ $whole->{tests} }, 'System Benchmarks, 0, 12', 'whole, of twelve tests');
};

subtest 'the published gains come out' => sub {
    my @tests  = map { [ $_, 'system', 10 ] } @INDEX;
    my @passes = map { my $row = $SCALING[$_]; (pass_of($INDEX[$_], $row->[0]), pass_of($INDEX[$_], $row->[1] / 2, $row->[1] / 2)) } 0 .. $#INDEX;
    my $record = scored(default => \@passes, tests => \@tests);
    my %row = map { $_->{name} => $_ } @{ $record->{scaling}{rows} };
    for my $i (0 .. $#INDEX) {
        my ($one, $two, $gain) = @{ $SCALING[$i] };
        is(join(' ', map { sprintf '%.1f', $_ } @{ $row{ $INDEX[$i] }{values} }), sprintf('%.1f %.1f', $one, $two), "values of $INDEX[$i]");
        is(sprintf('%.0f', $row{ $INDEX[$i] }{gains}[1]), $gain, "gain of $INDEX[$i]");
    }
    near($row{index}{values}[$_], (678.2, 1026.2)[$_], 'the index', 0.1) for 0, 1;
    is(sprintf('%.0f', $row{index}{gains}[1]), 51, 'its gain');
};

subtest 'gains compare what was measured with every copy count' => sub {
    my @passes = (pass_of('pipe', 100), pass_of('syscall', 50), pass_of('pipe', 150, 100), pass_of('pipe', 20, 20, 10));
    my $rows = scored(default => \@passes, tests => [ system_tests(qw(pipe syscall)) ])->{scaling}{rows};
    is_deeply([ map { $_->{name} } @$rows ], ['pipe'], 'no test and no index that is missing somewhere');
    near($rows->[0]{values}[0], 100 / 1244, 'with a baseline the values are indexes');
    near($rows->[0]{gains}[1], 150, 'two copies against one');
    near($rows->[0]{gains}[2], -50, 'three copies against one, not against two');
    is($rows->[0]{gains}[0], undef, 'one copy against itself is no gain');
    is(scored(default => [ pass_of('pipe', 5) ])->{scaling}, undef, 'one copy count has no gains');
    is(scored(default => [ pass_of('pipe', 5), pass_of('syscall', 5, 5) ])->{scaling}, undef, 'nor have counts with no test in common');
};

subtest 'an index is partial when a test of it is missing' => sub {
    my $indexes = sub { my (@tests) = @_; scored(default => [ map { pass_of($_->[0], 100) } @tests ], tests => \@tests)->{results}[0]{indexes} };
    my $eleven = $indexes->(system_tests(@INDEX[ 1 .. 11 ]));
    is($eleven->[0]{partial}, 1, 'eleven of twelve');
    is($indexes->(system_tests(@INDEX))->[0]{partial}, 0, 'twelve of twelve');
    my ($with) = @{ $indexes->(system_tests(qw(pipe syscall sysexec)), [ 'fstime-w', 'system', undef ]) };
    is("@{ $with->{tests} }", 'pipe syscall', 'a test with a baseline that is not of the index stays outside');
    near($with->{score}, 10 * sqrt(100 / 12440 * 100 / 15000), 'the index is of the tests it names');
    my ($alone) = @{ $indexes->(system_tests('sysexec')) };
    ok($alone->{partial} && abs($alone->{score} - 40) < 1e-9, 'alone it has a partial index');
    is_deeply($indexes->([ 'fstime-w', 'system', undef ]), [], 'without a baseline there is none');
    is_deeply([ map { "$_->{category} $_->{partial}" } @{ $indexes->(system_tests('pipe'), [ 'grep', 'misc', 1 ]) } ], [ 'system 1', 'misc 1' ], 'each category has its own');
};

# A pass whose copies are [start in seconds, 'seconds since start:count so far ...'].
sub staggered {
    my (@copies) = @_;
    my @slices = map { join ' ', map { my ($s, $n) = split /:/; $s * 1e9 . ":$n" } split / /, $_->[1] } @copies;
    my @ends   = map { [ (split / /, $_->[1])[-1] =~ /(.*):(.*)/ ] } @copies;
    return { %{ pass_of('pipe', map { $_->[1] } @ends) }, times => [ map { $_->[0] } @ends ], slices => \@slices, starts => [ map { 1e12 + $_->[0] * 1e9 } @copies ] };
}

subtest 'of several copies only the time in which all ran counts' => sub {
    my $even = [ 0, '1:100 2:200' ];
    my @table = (
        [ 'started together: all of it', 200, 1, 0, $even, [ 0, '1:100 2:200' ] ],
        [ 'even copies, half a second apart', 200, 0.6, 0.5, $even, [ 0.5, '1:100 2:200' ] ],
        [ 'counts between slices', 500 / 1.5, 0.6, 0.5, [ 0, '1:100 2:400' ], [ 0.5, '1:50 2:250' ] ],
        [ 'a window from slice to slice', 330, 1 / 3, 1, [ 0, '1:100 2:400' ], [ 1, '1:30 2:999' ] ],
        [ 'three copies', (75 + 40 + 60) / 0.75, 0.25, 1.25, [ 0, '1:100 2:200' ], [ 1, '0.25:10 1:50 2:90' ], [ 1.25, '0.25:20 0.75:60 1:60' ] ],
        [ 'one copy within the other', 200, 0.25, 1, [ 0, '1:10 2:110 4:210' ], [ 1, '1:100' ] ],
        [ 'a copy that stood still in the window', 100, 0.5, 1, [ 0, '1:300 2:300' ], [ 1, '0.5:50 1:100' ] ],
    );
    for my $row (@table) {
        my ($name, $rate, $share, $skew, @copies) = @$row;
        my $got = Touchstone::Score::rate_pass(staggered(@copies));
        near($got->{ $_->[0] }, $_->[1], "$name: $_->[0]", 1e-9) for [ rate => $rate ], [ share => $share ], [ skew => $skew ];
        near(sum(@{ $got->{rates} }), $rate, "$name: the copies' rates add up");
    }
};

subtest 'a window knows time bases' => sub {
    my @copies = ([ 0, '1:100 2:400' ], [ 0.5, '1:50 2:250' ]);
    near(Touchstone::Score::pass_rate({ %{ staggered(@copies) }, timebase => 60 })->{rate}, 20000, 'per minute');
    my $rates = { %{ staggered(@copies) }, timebase => 0, counts => [ 5000, 1000 ] };
    near(Touchstone::Score::pass_rate($rates)->{rate}, 5000 * (350 / 1.5) / 200 + 1000 * 100 / 125, 'a rate of its own is scaled by the pace in the window');
};

subtest 'a window is not made up where there is none' => sub {
    my $apart = Touchstone::Score::pass_rate(staggered([ 0, '1:100' ], [ 2, '1:50' ]));
    is("$apart->{rate} $apart->{share} $apart->{skew}", '50 0 2', 'with a gap: 150 in three seconds');
    my $instant = { %{ staggered([ 0, '0:8' ], [ 0, '0:6' ]) }, times => [ 2, 2 ] };
    is(eval { Touchstone::Score::pass_rate($instant)->{rate} } // $@, 7, 'slices that take no time tell nothing');
    my $silent = staggered([ 0, '1:100' ], [ 0.5, '1:50' ]);
    $silent->{$_}[1] = undef for qw(starts slices);
    my $got = Touchstone::Score::pass_rate($silent);
    is(join(' ', $got->{rate}, $got->{share} // 'unknown', $got->{skew} // 'unknown'), '150 unknown unknown', 'one copy told no slices');
    is(Touchstone::Score::pass_rate(staggered([ 0, '1:100' ]))->{share}, 1, 'a copy alone has all the time');
    is(result_of(default => [ map { staggered([ 0, '1:9' ], [ $_, '1:9' ]) } 0, 0.5, 0.2 ])->{share}, 0.5 / 1.5, 'a test shows its smallest share');
};

done_testing;
