#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# t/lib/Stub: a run without processes leaves what a run with them leaves.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use Stub;

# What belongs to the moment of a run and not to what was asked for, with all that is below it.
my %MOMENT = map { $_ => 1 } qw(host started ended seconds counters marks programs command seed);

# A value without that, and without the directories of this Fake.
sub lasting {
    my ($fake, $value) = @_;
    return [ map { lasting($fake, $_) } @$value ] if ref $value eq 'ARRAY';
    return { map { $_ => lasting($fake, $value->{$_}) } grep { !$MOMENT{$_} } keys %$value }
        if ref $value eq 'HASH';
    return ref $value || !defined $value ? $value : $value =~ s/\Q$fake->{temp}\E//gr;
}

# What a run leaves: status, warnings that it noted itself, passes, failures, scores, and lines about its
# tests.
sub left {
    my ($fake, $words, %does) = @_;
    my $got    = $fake->run([ qw(--seed 5), @$words ], does => \%does);
    my $record = lasting($fake, $fake->record);
    my @lines  = $got->{err} =~ /^(?:Run: .*|# (?:pipe|syscall|spawn)\b.*)$/mg;
    return {
        status => $got->{status},
        said   => [ map { s/\Q$fake->{temp}\E//gr } @lines ],
        report => [ $got->{out} =~ /^((?:Pipe|System Call|Process).*?)\s*$/mg ],
        files  => [ map { s/\A[^.]*//r } Fake::entries($fake->{results}) ],
        map { $_ => $record->{$_} } qw(status schedule tests suites passes failures skipped blocks)
    };
}

for my $words ([qw(--quick -c 1 -c 2)], [qw(-i 3 -c 1)]) {
    subtest "@$words: the stub leaves what the fake leaves" => sub {
        my @how = (
            [ @$words, qw(pipe syscall spawn) ],
            pipe    => 'rates 100;101;99',
            syscall => 'measure,exit 3',
            spawn   => 'skip'
        );
        my ($stub, $fake) = map { left($_->new, @how) } qw(Stub Fake);
        is_deeply($stub->{$_}, $fake->{$_}, $_) for sort keys %$fake;
        like($stub->{report}[0], qr/^Pipe Throughput +(?:1\d\d|99)/, 'and that is a report');
    };
}

subtest 'its clock goes on by what programs say they took' => sub {
    my $stub = Stub->new;
    $stub->run([qw(--quick -c 1 pipe)]);
    cmp_ok(abs($stub->{clock} - 1007.7), '<', 1e-6, 'a warm-up and six passes of a second');
};

subtest 'a signal stops a run, and a cut leaves its journal' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([qw(--quick -c 1 pipe)], does => { pipe => 'measure,measure,stop TERM' });
    is($got->{status}, 143, 'its exit status');
    like($got->{err}, qr/^Run: stopped by SIGTERM; aborting$/m, 'and its message');
    is($stub->record->{status}, 'stopped', 'which the record says');
    $stub->run([qw(--quick -c 1 pipe)], does => { pipe => 'cut' });
    is(join(' ', map { s/.*\.//r } Fake::entries("$stub->{results}/.runs")),
        'json jsonl', 'the journal of the second');
};

is("@Fake::PERL_WARNINGS", '', 'Perl has not complained');

done_testing;
