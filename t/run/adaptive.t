#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run adds passes for the tests whose scores are not sure, and only for these.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Run::Preamble;

# A warm-up and six passes that differ by a tenth are followed by equal passes. Computed by hand with the
# interval of t/stats/stats.t, half of it is 8.2 % of the score after six passes, then 6.3, 5.3, 3.9, 1.7, and
# after eleven 0.4 %.
my $SETTLES = join ',', map { "rates $_" } 100, 100, 110, 90, 105, 95, 100, 100;
my @BUDGET  = qw(-c 1 --budget 60s);

sub counts_of {
    my ($record) = @_;
    my %n;
    $n{ $_->{test} }++ for grep { $_->{round} } @{ $record->{passes} };
    return join ' ', map { "$_ $n{$_}" } sort keys %n;
}

subtest 'the unsure test gets more passes, the sure one six' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @BUDGET, qw(pipe syscall) ], does => { pipe => $SETTLES, syscall => 'measure' });
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my $record = $fake->record;
    is(counts_of($record), 'pipe 11 syscall 6',                      'it stops when both are sure');
    is(join(' ', map { $fake->calls($_) } qw(pipe syscall)), '12 7', 'and each had a warm-up');
    is(
        join(' ', map { $_->{round} } grep { $_->{test} eq 'pipe' } @{ $record->{passes} }),
        join(' ', 0 .. 11),
        'passes are numbered on'
    );
    is(
        join(' ', map { $_->{window} } grep { $_->{round} > 7 } @{ $record->{passes} }),
        '0.3 0.3 0.3 0.3',
        'with the same windows'
    );
    my ($test) = grep { $_->{name} eq 'pipe' } @{ $record->{results}[0]{tests} };
    is("$test->{score} $test->{passes}", '100 11', 'the score is of all of them');
    cmp_ok($test->{precision}, '<=', 0.015, 'and is sure');
    unlike($got->{err}, qr/before every score was sure/, 'nothing is unsure');
    like($got->{err}, qr/^# 1 copy, extra passes until \+-1\.5 %, /m, 'it says that it goes on');
};

subtest 'who asks for less gets less' => sub {
    my $fake = Stub->new;
    $fake->run([ @BUDGET, qw(--precision 5% pipe) ], does => { pipe => $SETTLES });
    is(counts_of($fake->record), 'pipe 9', '5 %');
    $fake->run([ @BUDGET, qw(--precision 10 syscall) ], does => { syscall => $SETTLES });
    is(counts_of($fake->record), 'syscall 6', '10 %');
};

subtest 'the record tells what was asked for' => sub {
    my $fake = Stub->new;
    $fake->run([qw(-c 1 -c 3 --budget 2m --precision 0.5% --seed 9 pipe)]);
    my $schedule = $fake->record->{schedule};
    is_deeply(
        { %$schedule, limit => undef },
        {
            kind       => 'default',
            precision  => 0.005,
            budget     => 120,
            copies     => [ 1, 3 ],
            seed       => 9,
            rounds     => 6,
            iterations => undef,
            limit      => undef
        },
        'with all of it'
    );
    is($schedule->{limit}, 60, 'and how long each copy count may take');
    $fake->run([qw(-c 1 pipe)]);
    is_deeply(
        [ @{ $fake->record->{schedule} }{qw(precision budget copies limit)} ],
        [ 0.015, undef, [1], 30 ],
        'or what was not'
    );
};

subtest 'schedules with a number of passes take no more' => sub {
    my $fake   = Stub->new;
    my %passes = (
        '--quick'              => 6,
        '-i 6'                 => 6,
        '--classic'            => 10,
        'self-compare --quick' => 12,
        'self-compare'         => 12
    );
    for my $words (sort keys %passes) {
        my $got = $fake->run([ split(' ', $words), qw(-c 1 pipe) ], does => { pipe => 'rates 100;80;120' });
        my $record = $fake->record;
        is(counts_of($record),             "pipe $passes{$words}", $words);
        is($record->{schedule}{precision}, undef,                  "$words: no precision is wanted");
        unlike($got->{err}, qr/more passes|before every score was sure/, "$words: nor missed");
    }
};

subtest 'each copy count goes on until it is sure' => sub {
    my $fake = Stub->new;

    # Copy 1 takes part in the second block only, where both rates add up.
    $fake->run([qw(-c 1 -c 2 --budget 60s pipe)],
        does => { pipe => 'measure,' . $SETTLES =~ s/rates/measure/gr . ",$SETTLES" });
    my %n;
    $n{ $_->{copies} }++ for grep { $_->{round} } @{ $fake->record->{passes} };
    is($n{1}, 6, 'one copy was sure');
    cmp_ok($n{2}, '>', 6, 'two were not');
};

subtest 'too little time for six rounds gives no interval and no more passes' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([qw(-c 1 --budget 1s pipe)], does => { pipe => 'rates 100;80' });
    is(counts_of($fake->record), 'pipe 2', 'two rounds');
    like($got->{err}, qr/^# warning: pipe has no interval: 2 passes, 6 needed; use a longer --budget$/m,
        'it says so');
};

subtest 'when the time is spent the end says which scores are not sure' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([qw(-c 1 --budget 12s pipe)], does => { pipe => 'rates 100;80' });
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my $record = $fake->record;

    # A warm-up and nine passes of 1.1 s by the clock of the stub leave 1 s.
    is(counts_of($record), 'pipe 9', 'there were as many passes as it had time for');
    my ($warning) = grep { $_->{id} eq 'precision' } @{ $record->{warnings} };
    like(
        $warning->{text},
        qr/^the score has not reached \S+1\.5 %: pipe \S+\d %$/,
        'the record has the warning'
    );
    like($got->{err}, qr/^# warning: the score has not reached .*: pipe \+-\d+ %; /m, 'and it is said');
    my $next = $fake->run([qw(-c 1 --budget 12s pipe)], does => { pipe => 'measure' });
    like(
        $next->{err},
        qr/^# judging by run \S+, the score of pipe will not reach \+-1\.5 % in this time$/m,
        'the next run knows before it begins'
    );
    like(
        $fake->run([qw(-c 1 --precision 50% pipe)])->{err},
        qr/^# judging by run \S+, it takes about 2 s until every score reaches \+-50 %$/m,
        'or says how long it takes'
    );
};

subtest 'a forecast is a sentence for one test and for several' => sub {
    my $plan = {
        rounds    => 6,
        precision => 0.015,
        blocks    => [ { passes => [ map { { test => { name => $_ } } } qw(dc pipe syscall) ] } ]
    };
    my $says = sub {
        my ($seconds, $late, $unknown) = @_;
        return Touchstone::Run::Preamble::forecast($plan, 'vm-1',
            { seconds => $seconds, late => $late, unknown => $unknown });
    };
    is($says->(7, ['dc'], []),
        "judging by run vm-1, the score of dc will not reach \xc2\xb11.5 % in this time", 'one');
    is(
        $says->(7, [qw(dc pipe)], ['syscall']),
        "judging by run vm-1, the scores of dc, pipe will not reach \xc2\xb11.5 % in this time; that run did not measure syscall",
        'several, and one that is unknown'
    );
    is(
        $says->(7, [], ['pipe']),
        "judging by run vm-1, it takes about 7 s until every score reaches \xc2\xb11.5 %; that run did not measure pipe",
        'time enough'
    );
};

subtest 'the plan says beforehand how long it takes and what it cannot answer' => sub {
    my $said = sub {
        my %plan = (
            schedule  => 'default',
            rounds    => 6,
            seconds   => 275,
            most      => 360,
            open      => 0,
            precision => 0.015,
            @_,
            blocks => [
                map { { copies => $_, passes => [ { test => { name => 'pipe', pace => 'fast' } } ] } } 1, 2
            ]
        );
        return Touchstone::Run::Preamble::announcement(\%plan) =~ s/\A1 test, 1 and 2 copies: //r;
    };
    is($said->(), "6 rounds, then extra passes until \xc2\xb11.5 %; 4.5 to 6 minutes", 'the default');
    is(
        $said->(seconds => 56),
        "6 rounds, then extra passes until \xc2\xb11.5 %; 56 s to 6 min",
        'less than minutes'
    );
    my %quick = (schedule => 'quick', precision => undef, seconds => 35, most => 35);
    is($said->(%quick), '6 short rounds, about 35 s: wider intervals than the default', 'quick');
    is(
        $said->(%quick, rounds => 3),
        '3 short rounds, about 35 s: a quick look, without intervals and verdicts',
        'too short for intervals'
    );
    is($said->(schedule => 'classic', precision => undef, seconds => 3720),
        'classic schedule, about 1 h 02 min', 'classic');
};

subtest 'a past run that can judge no test is none' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([qw(-c 1 --budget 1s pipe)]);
    like($got->{err}, qr/^# 1 test, 1 copy: [1-5] rounds?, about \d+ s$/m, 'too few rounds promise no more');
    like(
        $fake->run([qw(-c 1 --precision 50% pipe)])->{err},
        qr/^# the time is unknown without an earlier run of this machine$/m,
        'after it nobody knows'
    );
    like(
        $fake->run([qw(-c 1 --precision 50% syscall)])->{err},
        qr/^# the time is unknown without an earlier run of this machine$/m,
        'nor of a test that was never measured'
    );
};

subtest 'a test that fails while others become sure loses its score alone' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @BUDGET, qw(pipe syscall) ],
        does => { pipe => $SETTLES =~ s/,rates 100\z/,exit 3/r, syscall => $SETTLES });
    is($got->{status}, 1, 'exit status 1');
    my $record = $fake->record;
    is(join(' ', map { "$_->{name} $_->{passes}" } @{ $record->{results}[0]{tests} }),
        'syscall 11', 'the other becomes sure');
    is(
        join(' ', map { "$_->{test}: $_->{why}" } @{ $record->{failures} }),
        'pipe: exit status 3: out of cheese',
        'the failure is noted once'
    );
};

subtest 'a stop is heard also after the rounds' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @BUDGET, 'pipe' ], does => { pipe => "$SETTLES,stop INT" });
    is($got->{status},           130,      'its exit status');
    is(counts_of($fake->record), 'pipe 7', 'what was measured is kept');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
