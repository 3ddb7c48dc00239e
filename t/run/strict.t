#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run --strict: warnings that make a score invalid are failures. Warnings about the machine itself do not
# matter here.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Stub;

my $fake = Stub->new;

# Returns the ids of the warnings that made the newest run invalid, each once, in the order in which they
# were recorded.
sub invalid {
    my %seen;
    return join ', ',
        grep { !$seen{$_}++ } map { $_->{id} } grep { $_->{invalid} } @{ $fake->record->{warnings} };
}

subtest 'copies that did not run together make a score invalid' => sub {
    my $got = $fake->run([qw(--quick --strict -c 2 pipe)], does => { pipe => 'apart' });
    is($got->{status}, 1, 'exit status 1');
    my $ids = invalid();
    like($ids, qr/\bdisturbed\b/, 'the warning is in the record');
    like(
        $got->{err},
        qr/^Run: the scores are not valid \(--strict\): \Q$ids\E; aborting$/m,
        'the end names it'
    );
    like($got->{out}, qr/^Pipe Throughput/m, 'the report is printed all the same');
    is($fake->record->{status}, 'complete', 'and the record is complete');
};

subtest 'without --strict the same is a warning' => sub {
    my $got = $fake->run([qw(--quick -c 2 pipe)], does => { pipe => 'apart' });
    is($got->{status}, 0, 'exit status 0');
    like($got->{err}, qr/^# warning: pipe, 2 copies: the copies ran together for less than 80 % of a pass/m,
        'it is said');
    unlike($got->{err}, qr/^Run:/m, 'and is no failure');
};

subtest 'only what makes a score invalid is a failure' => sub {
    my $got = $fake->run([qw(-i 3 --strict -c 1 pipe)]);
    my $ids = invalid();
    is($got->{status}, length $ids ? 1 : 0, 'too few passes are a warning and no failure')
        or diag($got->{err});
    is(scalar(grep { $_->{id} eq 'passes' && !$_->{invalid} } @{ $fake->record->{warnings} }),
        1, 'it was given');
    is(join('', $got->{err} =~ /^Run: the scores are not valid \(--strict\): (.*); aborting$/m),
        $ids, 'nothing else is named');
};

subtest 'a failed test and an invalid score are both told' => sub {
    my $got = $fake->run([qw(--quick --strict -q -c 2 pipe syscall)],
        does => { pipe => 'apart', syscall => 'exit 3' });
    is($got->{status}, 1, 'exit status 1');
    like(
        $got->{err},
        qr/^Run: syscall failed; the scores are not valid \(--strict\): .*\bdisturbed\b.*; aborting$/m,
        'in one sentence'
    );
};

subtest 'a run that was stopped says that first' => sub {
    my $other = Stub->new;
    my $got   = $other->run([qw(--quick --strict -c 2 pipe)], does => { pipe => 'apart,apart,stop INT' });
    is($got->{status}, 130, 'its exit status is that of the signal');
    like(
        $got->{err},
        qr/^Run: stopped by SIGINT; the scores are not valid \(--strict\): .*disturbed/m,
        'both are told'
    );
};

subtest 'a run that is gone on with is as strict as it is told to be' => sub {
    for my $strict ([], ['--strict']) {
        my $other = Stub->new;
        $other->run([qw(--quick -c 2 pipe)], does => { pipe => 'apart,apart,cut' });
        my ($journal) = Fake::entries("$other->{results}/.runs");
        my $got =
            $other->run([ 'resume', $journal =~ s/\.jsonl\z//r, @$strict ], does => { pipe => 'apart' });
        is($got->{status}, scalar @$strict, "'@$strict'") or diag($got->{err});
        is(scalar(grep { $_->{id} eq 'overlap' } @{ $other->record->{warnings} }), 1, 'it is warned of once');
    }
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
