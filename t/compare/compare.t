# SPDX-License-Identifier: GPL-2.0-or-later
# Compare with runs made by hand: the verdict on each pair, when it gives none, and the exit status for a
# script.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Runs;
use Touchstone::Compare;
use Touchstone::Record::Json;
use Touchstone::Stats;

# The standard error of the difference of the means of two steady samples with steps of 0.001.
my $ERROR = 0.001 * sqrt(7 / 6);

# The 95 % interval of the median of one reaches to 5 / 14 of the way from the outermost to the next, and its
# standard error is told by 3 / 4 of a step; the difference of the medians of two reaches so far.
my ($OWN, $TOLD) = (0.001 * 15 / 7, $Touchstone::Stats::NORMAL * 0.9 * 0.001 * 0.75 / 0.6745);
my $REACH = sqrt(2 * $TOLD**2 + $OWN**2 - $TOLD**2);

# Student's t with 10 degrees of freedom exceeds this with a probability of 0.75 %. Verdicts are made at a
# level of 3 %.
my $T_9925 = 2.93159;

# Both runs have no index.
my %UNINDEXED = map { $_ => { indexed => [] } } qw(a b);

sub steady { return [ Runs::steady(@_) ] }

# Compares the runs a and b, of one copy. A run is { test => [rates] }.
sub compared {
    my ($first, $second, %how) = @_;
    my ($for_a, $for_b) = (delete $how{a} || {}, delete $how{b} || {});
    my @keyed = map {
        my $rates = $_;
        +{ map { ("1 $_" => $rates->{$_}) } keys %$rates }
    } $first, $second;
    return Touchstone::Compare::compare(
        runs => [ Runs::compared_run(a => $keyed[0], %$for_a), Runs::compared_run(b => $keyed[1], %$for_b) ],
        %how
    );
}

sub judged { return Touchstone::Compare::compare(runs => [@_]) }

# Returns the comparison of pipe alone, without an index.
sub pipe_of {
    my ($first, $second, %how) = @_;
    $how{$_} = { indexed => [], %{ $how{$_} || {} } } for qw(a b);
    return compared({ pipe => $first }, { pipe => $second }, %how)->{pairs}[0]{tests}[0];
}

sub said {
    my ($figure) = @_;
    return join ': ', grep { defined } @$figure{qw(verdict why)};
}

subtest 'a run with greater rates is faster, and one with smaller rates slower' => sub {
    my $got = pipe_of(steady(1000), steady(1030));
    is(said($got), 'faster', 'verdict');
    near($got->{ratio}, 1.03, 'ratio of the scores');
    is(
        join(' ', map { sprintf '%.6f', $_ } @{ $got->{scores} }),
        '1000.000125 1030.000129',
        'both scores, medians of the rates'
    );
    $got = pipe_of(steady(1000), steady(970));
    is(said($got), 'slower', 'the other verdict');
    near($got->{ratio}, 0.97, 'and its ratio');
};

subtest 'the interval of a ratio is made of the intervals of both scores' => sub {
    my $got = pipe_of(steady(1000), steady(1030));
    near($got->{interval}[0], 1.03 * exp(-$REACH), 'low');
    near($got->{interval}[1], 1.03 * exp($REACH),  'high');
};

subtest 'a disturbed pass that makes a score unsure makes its ratio so' => sub {
    my $disturbed = steady(1000);
    $disturbed->[4] /= 2;
    my $got  = pipe_of($disturbed, steady(1030));
    my $most = $got->{ratio} * $got->{scores}[0] / $got->{intervals}[0][0];
    cmp_ok(
        $got->{interval}[1],
        '>=',
        $most * (1 - 1e-9),
        'what was slower may be as slow as its interval says'
    );
    cmp_ok($got->{interval}[0], '>', 1, 'and no faster');
};

subtest 'rates that hardly differ show no difference' => sub {
    my $got = pipe_of(steady(1000), steady(1000.5));
    is(said($got), 'no difference', 'verdict');
    ok($got->{interval}[0] < 1 && $got->{interval}[1] > 1, '1 is in the interval');
};

subtest 'what can be detected is what would have been seen, corrected for the number of figures' => sub {
    near(
        pipe_of(steady(1000), steady(1000))->{detectable},
        exp($REACH) - 1,
        'one figure, no less than its interval reaches', 1e-9
    );
    my ($test) = @{ compared({ pipe => steady(1000) }, { pipe => steady(1000) })->{pairs}[0]{tests} };
    near($test->{detectable}, exp($T_9925 * $ERROR) - 1, 'a test and an index', 1e-8);
};

subtest 'where low figures are better a run with smaller rates is faster' => sub {
    my %low = (change => { '1 pipe' => { better => 'lower', unit => 's' } });
    my $got = pipe_of(steady(1000), steady(970), a => {%low}, b => {%low});
    is(said($got), 'faster', 'verdict');
    near($got->{ratio},                                   1000 / 970, 'above 1 is faster');
    near(sqrt($got->{interval}[0] * $got->{interval}[1]), 1000 / 970, 'and so is its interval');
    is(said(pipe_of(steady(1000), steady(1030), a => {%low}, b => {%low})),
        'slower', 'greater rates are slower');
};

subtest 'a difference is not told where twice as great a one could be noise' => sub {
    is(
        said(pipe_of(steady(1000, 0.05), steady(1030, 0.05))),
        'inconclusive: could still be 5 % either way',
        'noise of 10 %'
    );
};

subtest 'passes too few to be sure tell nothing' => sub {
    my @five = (Runs::steady(1000))[ 0 .. 4 ];
    is(said(pipe_of(\@five,       steady(2000))), 'not tested: 5 passes, 6 needed', 'in the first run');
    is(said(pipe_of(steady(2000), \@five)),       'not tested: 5 passes, 6 needed', 'in the second');
    near(pipe_of(\@five, steady(2000))->{ratio}, 2 / exp -0.0005, 'there is a ratio all the same', 1e-2);
    is(pipe_of(\@five, steady(2000))->{interval}, undef, 'and no interval');
};

subtest 'runs without passes have ratios and nothing more' => sub {
    my $got = pipe_of([], []);
    is(said($got), 'not tested: no passes are known', 'verdict');
    is_deeply([ @$got{qw(ratio interval p detectable)} ], [ 1, undef, undef, undef ], 'only a ratio');
};

# Each has what is different in the first run, and what in the second.
my %newer   = (version => 2);
my $unlike  = 'not tested: parts of it are missing, and not the same';
my $sized   = sub { return { conditions => { 'size of the large array' => $_[0] } } };
my $without = sub { return { missing    => [ { name => $_[0], why => 'no font' } ] } };
#<<<
my @INCOMPARABLE = (
    [ 'two units', {}, { unit => 'KBps' }, 'not tested: its unit is lps here and KBps there' ],
    [ 'arrays of two sizes', $sized->(6), $sized->(3), 'not tested: another size of the large array' ],
    [ 'arrays of one size', $sized->(6), $sized->(6), 'no difference' ],
    [ 'a part that one lacks', {}, $without->('text'), $unlike ],
    [ 'parts that each lacks another of', $without->('text'), $without->('line'), $unlike ],
    [ 'a part that both lack', $without->('text'), $without->('text'), 'no difference' ],
    [ 'two versions', {}, {%newer}, 'not tested: another version of the test: 1 here, 2 there' ],
    [ 'one newer version', {%newer}, {%newer}, 'no difference' ],
    [ 'an unknown version', {}, { version => undef }, 'no difference' ],
);
#>>>
subtest 'figures of tests that differ in something else than speed cannot be compared' => sub {
    for my $case (@INCOMPARABLE) {
        my ($name, $first, $second, $said) = @$case;
        my %change = (a => { change => { '1 pipe' => $first } }, b => { change => { '1 pipe' => $second } });
        is(said(pipe_of(steady(1000), steady(1000), %change)), $said, $name);
    }
    is(pipe_of(steady(1000), steady(1000), b => { change => { '1 pipe' => {%newer} } })->{ratio},
        undef, 'two versions have no ratio');
};

subtest 'a test whose work is not that of the other cannot be compared' => sub {
    my %unlike = (change => { '1 pipe' => { unlike => 'B does the work' } });
    my $got    = pipe_of(steady(1000), steady(1000), a => {%unlike});
    is(said($got), 'not comparable: B does the work', 'the verdict, and why');
    is_deeply([ @$got{qw(ratio interval)} ], [ undef, undef ],                         'no ratio');
    is_deeply($got->{scores}, [ (Touchstone::Stats::median(Runs::steady(1000))) x 2 ], 'both scores');
    is(said(pipe_of(steady(1000), steady(1000), b => {%unlike})), said($got), 'the other way round');
    is(
        said(pipe_of(steady(1000), steady(1000), a => {%unlike}, b => {%unlike})),
        'no difference',
        'two that do the same can be'
    );
    my $status = sub {
        my ($spawn) = @_;
        return compared(
            { pipe => steady(1000), spawn => steady(1000) },
            { pipe => steady(1),    spawn => steady($spawn) },
            a => { indexed => [], %unlike }
        )->{status};
    };
    is($status->(1000), 0, 'the exit status is that of the others');
    is($status->(900),  1, 'which may be worse');
    is(
        compared({ pipe => steady(1000) }, { pipe => steady(1000) }, a => { indexed => [], %unlike })
            ->{status},
        125,
        'alone it tells nothing'
    );
    is(
        said(
            compared({ pipe => steady(1000) }, { pipe => steady(1000) }, a => {%unlike})
                ->{pairs}[0]{indexes}[0]
        ),
        said($got),
        'nor does an index of it'
    );
};

subtest 'a pass that did nothing has no logarithm to compare' => sub {
    is(said(pipe_of([ 0, (Runs::steady(1000))[ 1 .. 5 ] ], steady(1000))),
        'not tested: a pass without a result', 'verdict');
};

subtest 'a test that did nothing in most passes is no reason to die' => sub {
    for my $case ([ [ (0) x 6 ], steady(1000) ], [ steady(1000), [ (0) x 6 ] ], [ [ (0) x 6 ], [ (0) x 6 ] ])
    {
        my $got = eval {
            compared({ pipe => $case->[0], syscall => steady(9) },
                { pipe => $case->[1], syscall => steady(9) });
        };
        ok($got, 'compared') || diag($@) || next;
        my %said = map { $_->{name} => said($_) } @{ $got->{pairs}[0]{tests} };
        is($said{pipe},    'not tested: a pass without a result', 'it tells nothing');
        is($said{syscall}, 'no difference',                       'the other test is judged');
    }
};

# Half of the passes of b are a quarter faster than those of a, and the rest a little slower.
subtest 'where medians and means disagree nothing is told' => sub {
    my @first = map { 1000 * exp(0.0002 * $_) } -20 .. 19;
    my @second =
        ((map { 1000 * exp(-0.005 - 0.004 * $_) } 0 .. 21), (map { 1000 * exp(0.25 + 0.001 * $_) } 1 .. 18));
    is(said(pipe_of(\@first, \@second)),
        'inconclusive: the means of the passes differ (p = 0.00067), the scores may not', 'verdict');
};

# Two passes of a are like those of b, and four are far below.
subtest 'a difference that dealing out the passes at random gives as well is not told' => sub {
    my $got = pipe_of(
        [ map { 1000 * exp(0.001 * $_) } 2,  3,  4,  5,  15, 15 ],
        [ map { 1000 * exp(0.001 * $_) } 11, 12, 14, 17, 17, 21 ]
    );
    is(said($got), 'inconclusive: passes dealt out at random differ as much', 'verdict');
    ok($got->{p} <= 0.03, 'though Welch sees one') || diag($got->{p});
};

# Returns n passes for each of two runs, which are either fast or slow; @slow says how many are slow.
sub two_kinds {
    my ($n, @slow) = @_;
    return map {
        my $slow = $_;
        [ map { 1000 * exp(0.002 * ($_ * 7 % 5) - ($_ < $slow ? 1.5 : 0)) } 0 .. $n - 1 ]
    } @slow;
}

subtest
    'a ratio between kinds of passes has an interval that holds it, and no verdict where means and medians could be the same'
    => sub {
    my $got = pipe_of(two_kinds(20, 9, 11));
    near($got->{ratio}, exp(-1.5), 'the ratio is that of the scores', 0.02);
    ok($got->{interval}[0] <= $got->{ratio} && $got->{interval}[1] > 1, 'the interval holds it and 1')
        or diag("@{ $got->{interval} }");
    is(said($got),                          'inconclusive: could still be 5 % either way', 'said');
    is(said(pipe_of(two_kinds(20, 0, 20))), 'slower', 'all passes of the other kind are told');
    $got = pipe_of([ map { $_ * 10 } @{ (two_kinds(20, 9, 11))[0] } ], (two_kinds(20, 9, 11))[1]);
    is(said($got), 'slower', 'and so is what is ten times slower by both');
    ok($got->{interval}[0] <= $got->{ratio} && $got->{interval}[1] < 1, 'by all of the interval')
        or diag("@{ $got->{interval} }");
    };

# Two samples whose medians differ and whose means may not: p = 0.0404.
my @APART = map {
    [ map { 1000 * exp(0.01 * $_) } @$_ ]
} [ 2, 3, 4, 4, 5, 7 ], [ 5, 6, 6, 7, 8, 13 ];

# Returns passes that rise together, with these ratios of the pairs.
sub duet_of {
    my ($common, @ratios) = @_;
    my @first = map { 1000 * exp($_) } @$common;
    return pipe_of(
        \@first,
        [ map { $first[$_] * $ratios[$_] } 0 .. $#ratios ],
        a => { duet => 'd' },
        b => { duet => 'd' }
    );
}

my ($QUIET, $NOISY) = (steady(1000), steady(1000, 0.05));

# A duet of interleaved blocks, each round a pass of both sides.
sub sat {
    my ($first, $second, %also) = @_;
    my %how = (duet => 'd', change => { '1 pipe' => { most_rounds => 6, margin => 0.02, %also } });
    return pipe_of($first, $second, a => {%how}, b => {%how});
}
my %changed = (
    unit       => 'KBps',
    version    => 2,
    conditions => { 'size of the large array' => 7 },
    missing    => [ { name => 'text' } ]
);

# Each entry has a reason and a case of it.
my @REASONS = (
    [ 'faster',                        sub { return pipe_of($QUIET, steady(1030)) } ],
    [ 'slower',                        sub { return pipe_of($QUIET, steady(970)) } ],
    [ 'no difference',                 sub { return pipe_of($QUIET, $QUIET) } ],
    [ 'could still be 5 % either way', sub { return pipe_of($NOISY, $NOISY) } ],
    [ 'such a difference may be chance (p = 0.04)', sub { return pipe_of(@APART) } ],
    [
        'one of 2 scores compared together may differ this much by chance (p = 0.081)',
        sub {
            return compared({ pipe => $APART[0] }, { pipe => $APART[1] })->{pairs}[0]{tests}[0];
        }
    ],
    [
        'smaller than the detection limit of this machine',
        sub {
            return pipe_of($QUIET, steady(1060), smallest => { '1 pipe' => 0.1 });
        }
    ],
    [
        'the means of the passes differ (p = 0.006), the scores may not',
        sub {
            return pipe_of(
                [ map { 1000 * exp(0.001 * $_) } 1,  3,  3,  4,  6,  10, 14, 15 ],
                [ map { 1000 * exp(0.001 * $_) } 10, 11, 12, 12, 15, 20, 22, 24 ]
            );
        }
    ],
    [
        'the ratios of the pairs of passes are multimodal (median 0.999, mean 1.41)',
        sub {
            return duet_of([ (0) x 20 ], map { ($_ < 11 ? 0.999 : 2.15) * exp(1e-4 * ($_ % 3)) } 0 .. 19);
        }
    ],
    [
        'the ratio of the scores is 1.02, that of the pairs of passes 0.983',
        sub {
            return duet_of(
                [ (map { $_ / 10 } -6 .. -1), -0.01, map { $_ / 10 } 1 .. 6 ],
                (0.98) x 6,
                1.02, (0.98) x 6
            );
        }
    ],
    [ 'the difference may still be up to 10.5 %', sub { return sat($QUIET, [ reverse @$NOISY ]) } ],
    [ '0 rounds, 6 needed', sub { return sat($QUIET, $QUIET, passes => []) } ],
    [
        'passes dealt out at random differ as much',
        sub {
            return pipe_of(
                [ map { 1000 * exp(0.001 * $_) } 2,  3,  4,  5,  15, 15 ],
                [ map { 1000 * exp(0.001 * $_) } 11, 12, 14, 17, 17, 21 ]
            );
        }
    ],
    [ '2 passes, 6 needed',      sub { return pipe_of([ 1, 2 ],       $QUIET) } ],
    [ 'no passes are known',     sub { return pipe_of([],             []) } ],
    [ 'a pass without a result', sub { return pipe_of([ 0, @$QUIET ], $QUIET) } ],
    (
        map {
            my ($reason, $what) = @$_;
            [
                $reason,
                sub {
                    return pipe_of($QUIET, $QUIET,
                        b => { change => { '1 pipe' => { $what => $changed{$what} } } });
                }
            ]
        } [ 'its unit is lps here and KBps there' => 'unit' ],
        [ 'another version of the test: 1 here, 2 there' => 'version' ],
        [ 'another size of the large array'              => 'conditions' ],
        [ 'parts of it are missing, and not the same'    => 'missing' ]
    ),
);

# Returns the first column of the table of verdicts in docs/compare.md.
sub documented {
    open my $in, '<', 'docs/compare.md' or die "cannot open docs/compare.md: $!\n";
    my $text = do { local $/; <$in> };
    close $in or die "cannot read docs/compare.md: $!\n";
    my ($table) = $text =~ /^\| Verdict, reason .*\n((?:\|.*\n)+)/m;
    return join ' ', ($table // '') =~ /^\| (.*?) \|/mg;
}

# Replaces figures, which differ between the document and a run.
sub general { my ($text) = @_; return $text =~ s/\b\d[\d.]*\d\b|\b\d\b/N/gr }

subtest 'each verdict and each reason is reached, and the documents have it' => sub {
    my $documented = general(documented());
    for my $case (@REASONS) {
        my ($said, $figure) = ($case->[0], $case->[1]->());
        is($figure->{why} // $figure->{verdict}, $said, $said);
        ok(index($documented, general($said)) >= 0, '... which they have') or diag($documented);
    }
};

subtest 'a reason that speaks of chance is none of a difference that could be hidden' => sub {
    my $got = $REASONS[5][1]->();
    ok($got->{interval}[0] > 1, 'the interval leaves 1 out') or diag("@{ $got->{interval} }");
    near($got->{p}, 0.081, 'p is the corrected one', 0.0005);
};

subtest 'passes without any variation differ when their rates do' => sub {
    is(said(pipe_of([ (1000) x 6 ], [ (1001) x 6 ])), 'faster', 'one in a thousand');
    my $same = pipe_of([ (1000) x 6 ], [ (1000) x 6 ]);
    is(said($same),                                  'no difference', 'none');
    is("$same->{detectable} @{ $same->{interval} }", '0 1 1',         'any difference would have been seen');
};

# The difference is 3.2 steps of 0.001 with 10 degrees of freedom: p = 0.0145, so one of four tests is not
# surprising at 5.8 %.
subtest 'one difference among many is judged by how many there are' => sub {
    my ($first, $second) = (steady(1000), steady(1000 * exp 0.0032));
    is(said(pipe_of($first, $second)), 'faster', 'alone');
    my @more = qw(syscall spawn execl);
    my $got  = compared({ pipe => $first, map { $_ => steady(7) } @more },
        { pipe => $second, map { $_ => steady(7) } @more }, %UNINDEXED);
    my %said = map { $_->{name} => said($_) } @{ $got->{pairs}[0]{tests} };
    is_deeply(\%said, { map { $_ => 'no difference' } 'pipe', @more }, 'one of four');
    my ($pipe) = grep { $_->{name} eq 'pipe' } @{ $got->{pairs}[0]{tests} };
    near($pipe->{p}, 4 * pipe_of($first, $second)->{p}, 'its p is four times as great');
};

subtest 'figures that cannot be judged are not counted' => sub {
    my ($first, $second) = (steady(1000), steady(1000 * exp 0.0032));
    my @more = qw(syscall spawn execl);
    my $got  = compared({ pipe => $first, map { $_ => [1] } @more },
        { pipe => $second, map { $_ => [1] } @more }, %UNINDEXED);
    is((map { said($_) } grep { $_->{name} eq 'pipe' } @{ $got->{pairs}[0]{tests} })[0], 'faster',
        'as alone');
};

subtest 'the ratio of indexes is the root of the product of the ratios' => sub {
    my ($index) = @{
        compared(
            { pipe => steady(1000), syscall => steady(50) },
            { pipe => steady(1210), syscall => steady(50) }
        )->{pairs}[0]{indexes}
    };
    near($index->{ratio}, 1.1, 'ratio');
    is("$index->{name}, " . said($index), 'index, faster', 'verdict');
    near($index->{scores}[0], 10 * sqrt(1000 * 50 / 100 / 100), 'index of the first', 1e-3);

    # It is made of four scores, whose logarithms are halved.
    my $reach = sqrt(4 * $TOLD**2 + $OWN**2 - $TOLD**2) / 2;
    near($index->{interval}[0], 1.1 * exp(-$reach), 'low');
    near($index->{interval}[1], 1.1 * exp($reach),  'high');
};

subtest 'each copy count has its own index' => sub {
    my @runs =
        map { Runs::compared_run("r$_", { '1 pipe' => steady(1000), '4 pipe' => steady(1000 * $_) }) } 1,
        2;
    my ($pair) = @{ judged(@runs)->{pairs} };
    is_deeply(
        [ map { "$_->{copies} $_->{name}: " . said($_) } @{ $pair->{indexes} } ],
        [ '1 index: no difference', '4 index: faster' ],
        'of its tests alone'
    );
    near($pair->{indexes}[1]{ratio}, 2, 'ratio with four copies');
};

subtest 'an index that lacks tests in both runs is called partial' => sub {
    my @runs = map { Runs::compared_run("r$_", { '1 pipe' => steady(1000 * $_) }) } 1, 2;
    $_->{indexes}{'1 system'}{partial} = 1 for @runs;
    my ($index) = @{ judged(@runs)->{pairs}[0]{indexes} };
    is($index->{name}, 'partial index', 'its name');
    near($index->{ratio}, 2, 'and it is compared');
};

subtest 'indexes of different tests are compared by the tests of both' => sub {
    my $got = compared(
        { pipe => steady(1000), syscall => steady(50),  spawn => steady(7) },
        { pipe => steady(2000), syscall => steady(100), execl => steady(1) }
    );
    my ($index) = @{ $got->{pairs}[0]{indexes} };
    is($index->{name}, 'index of 2 tests', 'its name says of how many');
    near($index->{ratio},                           2, 'ratio');
    near($index->{scores}[1] / $index->{scores}[0], 2, 'and its scores are of them');
};

subtest 'a test of another version is no part of the indexes that are compared' => sub {
    my %newer = (b => { change => { '1 spawn' => { version => 2 } } });
    my @rates = (
        { pipe => steady(1000), syscall => steady(50),  spawn => steady(7) },
        { pipe => steady(2000), syscall => steady(100), spawn => steady(70) }
    );
    my $got = compared(@rates, %newer);
    my ($index) = @{ $got->{pairs}[0]{indexes} };
    is("$index->{name}: " . said($index), 'index of 2 tests: faster', 'it is of the others');
    near($index->{ratio},                           2, 'so is its ratio');
    near($index->{scores}[1] / $index->{scores}[0], 2, 'and its scores');
    is($got->{status}, 125, 'and of the whole nothing can be told');
    ($index) = @{ compared((map { { spawn => $_->{spawn} } } @rates), %newer)->{pairs}[0]{indexes} };
    is(
        "$index->{name}: " . said($index),
        'index: not tested: another version of spawn',
        'an index of nothing else tells why'
    );
    my @runs = (
        Runs::compared_run(a => { map { ("1 $_" => $rates[0]{$_}) } keys %{ $rates[0] } }),
        Runs::compared_run(b => { map { ("1 $_" => $rates[1]{$_}) } keys %{ $rates[1] } }, %{ $newer{b} })
    );
    $_->{indexes}{'1 system'}{reference} = 'Pentium' for @runs;
    ($index) = @{ judged(@runs)->{pairs}[0]{indexes} };
    is(
        "$index->{name}: " . said($index),
        'index: not tested: another version of spawn',
        'so does one with a baseline of its own'
    );
    is($index->{ratio}, undef, 'and has no ratio');
};

subtest 'indexes without a common test are not compared' => sub {
    my $got = compared(
        { pipe => steady(1000), looper => steady(1) }, { spawn => steady(1000), looper => steady(1) },
        a => { indexed => ['pipe'] },
        b => { indexed => ['spawn'] }
    );
    is_deeply($got->{pairs}[0]{indexes}, [], 'none');
};

subtest 'an index is no surer than each of its tests' => sub {
    my ($index) =
        @{ compared({ pipe => steady(1000), syscall => [1] }, { pipe => steady(1000), syscall => [1] })
            ->{pairs}[0]{indexes} };
    is(said($index), 'not tested: 1 pass, 6 needed', 'one test has one pass');
    near($index->{ratio}, 1, 'it has a ratio');
};

subtest 'runs of one name are told apart by where they came from' => sub {
    my $of = sub {
        my ($from, $rate, $name) = @_;
        return {
            %{
                Runs::compared_run($name // 'vm-01', { '1 pipe' => [ Runs::steady($rate) ] }, note => 'odd')
            },
            from => $from
        };
    };
    my $got = Touchstone::Compare::compare(
        runs => [ $of->('a.json', 1000), $of->('vm-01', 1010), $of->('b.json', 1020, 'vm-02') ]);
    is(join(', ', @{ $got->{runs} }), 'vm-01 (a.json), vm-01, vm-02', 'only where names repeat');
    is(
        "$got->{pairs}[0]{notes}[0], $got->{pairs}[0]{notes}[1]",
        'vm-01 (a.json): odd, vm-01: odd',
        'also in notes'
    );
    my $self = Touchstone::Compare::compare(runs => [ map { $of->('a.json', 1000) } 0, 1 ]);
    is(
        join(', ', @{ $self->{runs} }, @{ $self->{pairs}[0]{notes} }),
        'vm-01, vm-01, vm-01: odd, vm-01 is compared with itself',
        'a run and itself keep their name, and a note is there once'
    );
};

subtest 'a difference that this machine cannot tell is none' => sub {
    my @runs = (steady(1000), steady(1010));
    my $got  = pipe_of(@runs, smallest => { '1 pipe' => 0.02 });
    is(said($got),         'no difference', 'where 2 % is the smallest');
    is($got->{detectable}, 0.02,            'that is what it detects');
    is(said(pipe_of(reverse(@runs), smallest => { '1 pipe' => 0.02 })), 'no difference', 'nor the other way');
    is(said(pipe_of(@runs, smallest => $_)),
        'faster', 'where this is known: ' . (join(' ', %$_) || 'nothing'))
        for { }
    , { '1 pipe' => 0.005 }, { '2 pipe' => 0.02 }, { '1 syscall' => 0.02 };
};

subtest 'a run compared with itself shows no difference' => sub {
    my $run = Runs::compared_run(
        a     => { '1 pipe'  => steady(1000), '1 syscall' => steady(50), '2 pipe' => steady(2000) },
        facts => { 'b flags' => '-O2' }
    );
    my $got = judged($run, $run);
    my ($pair) = @{ $got->{pairs} };
    is_deeply(
        [ map { said($_) . " $_->{ratio} $_->{p}" } @{ $pair->{tests} }, @{ $pair->{indexes} } ],
        [ ('no difference 1 1') x 5 ],
        'none at all'
    );
    is_deeply($got->{differences}, [], 'nor of machines');
    is($got->{status}, 0, 'and it is not worse');
};

subtest 'a run compared with itself is said to be that' => sub {
    my $run  = Runs::compared_run(a        => { '1 pipe' => steady(1000) });
    my $copy = Runs::compared_run('a copy' => { '1 pipe' => steady(1000) });
    my ($first, $second) = @{ judged($run, $run, $copy)->{pairs} };
    is_deeply($first->{notes},  ['a is compared with itself'],          'the same');
    is_deeply($second->{notes}, ['a copy holds the same results as a'], 'a copy with another name');
    is_deeply(compared({ pipe => steady(1000) }, { pipe => steady(1001) })->{pairs}[0]{notes},
        [], 'other passes are another run');
    my @none = map { Runs::compared_run($_, {}) } qw(a b);
    is_deeply(judged(@none)->{pairs}[0]{notes}, [], 'nothing is not the same');
};

# Both sides were disturbed alike, by up to 8 %.
my @DISTURBED = map { 1000 * exp(0.03 * $_) } @Runs::STEPS;
my @WITH_IT   = map { $DISTURBED[$_] * 1.01 * exp(0.0002 * $Runs::STEPS[ ($_ + 1) % 6 ]) } 0 .. 5;

subtest 'passes of a duet are compared in pairs' => sub {
    my $got = pipe_of(\@DISTURBED, \@WITH_IT, a => { duet => 'one' }, b => { duet => 'one' });
    is(said($got), 'faster', 'what disturbed both is no noise');

    # The 6 differences of the pairs have sqrt(3.5) steps of 0.0002.
    my $half = 2.57058 * 0.0002 * sqrt(3.5 / 6);
    near($got->{interval}[0], 1.01 * exp(-$half), 'low',  1e-8);
    near($got->{interval}[1], 1.01 * exp($half),  'high', 1e-8);
};

subtest 'where low figures are better the pairs of a duet are turned round' => sub {
    my %low = (duet => 'one', change => { '1 pipe' => { better => 'lower' } });
    is(said(pipe_of(\@DISTURBED, \@WITH_IT, a => {%low}, b => {%low})), 'slower', 'a greater figure');
};

subtest 'passes of different runs are no pairs' => sub {
    my %case = ('no duet' => [], 'two duets' => [qw(one other)], 'a duet and a run' => ['one']);
    for my $name (sort keys %case) {
        my ($a, $b) = map { +{ duet => $_ } } @{ $case{$name} }[ 0, 1 ];
        is(said(pipe_of(\@DISTURBED, \@WITH_IT, a => $a, b => $b)),
            'inconclusive: could still be 5 % either way', $name);
    }
};

subtest 'every further run is compared with the first' => sub {
    my @runs = map {
        Runs::compared_run("r$_", { '1 pipe' => steady(1000 + 30 * $_) }, facts => { 'b flags' => "-O$_" })
    } 0 .. 2;
    my $got = judged(@runs);
    is_deeply($got->{runs}, [qw(r0 r1 r2)], 'names');
    is_deeply(
        [ map { "$_->{name} " . sprintf '%.2f', $_->{tests}[0]{ratio} } @{ $got->{pairs} } ],
        [ 'r1 1.03', 'r2 1.06' ],
        'ratios to the first'
    );
    is_deeply(
        $got->{differences},
        [ { thing => 'flags', values => [qw(-O0 -O1 -O2)] } ],
        'facts of all three'
    );
};

subtest 'the worst of several runs decides' => sub {
    my @runs = map { Runs::compared_run("r$_", { '1 pipe' => steady($_) }) } 1000, 1030, 970;
    is(judged(@runs)->{status},         1, 'one is slower');
    is(judged(@runs[ 0, 1 ])->{status}, 0, 'without it none is');
};

subtest 'a test that one run lacks is noted' => sub {
    my @runs = (
        Runs::compared_run(a => { '1 pipe' => steady(1), '1 spawn' => steady(1), '4 spawn' => steady(1) }),
        Runs::compared_run(b => { '1 pipe' => steady(1), '1 execl' => steady(1) })
    );
    my ($pair) = @{ judged(@runs)->{pairs} };
    is_deeply(
        $pair->{notes},
        [ 'not in b: spawn with 1 copy, spawn with 4 copies', 'not in a: execl with 1 copy' ],
        'on both sides'
    );
    is_deeply([ map { $_->{key} } @{ $pair->{tests} } ], ['1 pipe'], 'what both have is compared');
};

subtest 'what is doubtful in a run is noted with its name' => sub {
    my $got = compared(
        { pipe => steady(1) },
        { pipe => steady(1.5) },
        b => { note => 'this run did not come to its end' }
    );
    is_deeply($got->{pairs}[0]{notes}, ['b: this run did not come to its end'], 'its note');
};

subtest 'tests stand in the order of copies and titles' => sub {
    my %rates = map { $_ => steady(1000) } '2 spawn', '10 pipe', '1 spawn', '1 pipe', '2 pipe';
    my ($pair) =
        @{ Touchstone::Compare::compare(runs => [ map { Runs::compared_run($_, \%rates) } qw(a b) ])->{pairs}
        };
    is_deeply(
        [ map { $_->{key} } @{ $pair->{tests} } ],
        [ '1 pipe', '1 spawn', '2 pipe', '2 spawn', '10 pipe' ],
        'copies by number'
    );
};

# The rates of pipe and spawn in both runs.
#<<<
my @STATUS = (
    [ 0,   'no difference',                       [1000],          [1000] ],
    [ 0,   'faster',                              [1000],          [1030] ],
    [ 1,   'slower',                              [1000],          [990] ],
    [ 1,   'slower, and something is faster',     [ 1000, 10 ],    [ 990, 20 ] ],
    [ 1,   'slower, and something is not tested', [ 1000, [1] ],   [ 990, [1] ] ],
    [ 125, 'noise',                               [$NOISY],        [$NOISY] ],
    [ 125, 'too few passes',                      [ [1] ],         [ [1] ] ],
    [ 125, 'no common test',                      [1],             [ undef, 1 ] ],
    [ 125, 'faster, and something is not tested', [ 1000, [1] ],   [ 1030, [1] ] ],
);
#>>>
subtest 'the status is 1 if something is slower, and 125 if something may be' => sub {
    for my $case (@STATUS) {
        my ($status, $name, @runs) = @$case;
        my @rates = map {
            my %rate;
            @rate{qw(pipe spawn)} = @$_;
            +{ map { $_ => ref $rate{$_} ? $rate{$_} : steady($rate{$_}) } grep { $rate{$_} } keys %rate };
        } @runs;
        is(compared(@rates)->{status}, $status, $name);
    }
};

subtest 'a faster test that nobody can be sure of is not worse' => sub {
    my $got = compared({ pipe => steady(1000, 0.03) }, { pipe => steady(1060, 0.03) }, %UNINDEXED);
    is(said($got->{pairs}[0]{tests}[0]), 'inconclusive: could still be 5 % either way', 'it cannot be told');
    is($got->{status},                   0, 'but it is not slower by 5 %');
};

subtest 'what is slower by less than is allowed is not worse' => sub {
    my @runs   = ({ pipe => steady(1000) }, { pipe => steady(960) });
    my %status = map { $_ => compared(@runs, fail_on => $_)->{status} } 0.01, 0.03, 0.05, 0.2;
    is_deeply(\%status, { 0.01 => 1, 0.03 => 1, 0.05 => 0, 0.2 => 0 }, 'slower by 4 %');
    is(said(compared(@runs, fail_on => 0.05)->{pairs}[0]{tests}[0]),
        'slower', 'it is still said to be slower');
    is(compared(@runs, fail_on => 0.05)->{fail_on}, 0.05, 'the result says what was allowed');
};

subtest 'the more is allowed, the more noise can be borne' => sub {
    my @runs = ({ pipe => steady(1000, 0.03) }, { pipe => steady(1000, 0.03) });
    is(compared(@runs, %UNINDEXED)->{status}, 125, '5 % could hide');
    my $got = compared(@runs, fail_on => 0.1, %UNINDEXED);
    is($got->{status},                   0,               '10 % could not');
    is(said($got->{pairs}[0]{tests}[0]), 'no difference', 'nor is there one');
};

subtest 'the same runs give the same comparison, and it holds nothing but data' => sub {
    my @noisy = map {
        my $run = $_;
        [ map { 1000 * exp(0.001 * (($_ * 7 + $run * 3) % 11)) } 1 .. 15 ]
    } 1, 2;
    my ($one, $other) =
        map { Touchstone::Record::Json::encode(compared({ pipe => $noisy[0] }, { pipe => $noisy[1] })) } 1, 2;
    is($one, $other, 'byte for byte');
    unlike($one, qr/CODE\(|HASH\(|ARRAY\(/, 'no code');
};

done_testing;
