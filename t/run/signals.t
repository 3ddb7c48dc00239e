#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run that is stopped or killed while it measures.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use Stub;

my %NUMBER = (HUP => 1, INT => 2, TERM => 15);

# Starts a run whose program `pipe` behaves as told in its passes, sends the signal when that hangs, and
# waits for the end.
sub stop_by {
    my ($fake, $signal, $does, @words) = @_;
    my $run = $fake->start([ '--quick', @words ], does => { pipe => $does });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill $signal, $run->{pid};
    return $fake->wait_for_end($run);
}

sub nothing_is_left {
    my ($fake, $what) = @_;
    is_deeply($fake->alive,                    [], "$what: no process");
    is_deeply([ Fake::entries($fake->{tmp}) ], [], "$what: no directory");
    is_deeply(
        [ grep { /jsonl|new/ } Fake::entries($fake->{results}), Fake::entries("$fake->{results}/.runs") ],
        [], "$what: no journal, no half file");
    return;
}

for my $signal (sort keys %NUMBER) {
    subtest "SIG$signal in the middle stops the run, and what was measured is kept" => sub {
        my $fake = Fake->new;
        my $got  = stop_by($fake, $signal, 'measure,measure,hang-late', qw(-c 2 -c 4 pipe));
        is($got->{signal}, 0,                      'it ends by itself');
        is($got->{status}, 128 + $NUMBER{$signal}, 'exit status 128 + the number of the signal');
        like(
            $got->{err},
            qr{^Run: stopped by SIG$signal; aborting\ntry: \./Run resume \S+\n\z}m,
            'it says so, and how to go on'
        );
        like(
            $got->{out},
            qr/^Pipe Throughput +6128394\.0 lps   \(1\.0 s, 1 samples\)$/m,
            'the round that was complete is reported'
        );
        my ($name) = $fake->names;
        is(Fake::report($got->{out}), Fake::read_file("$fake->{results}/$name"), 'the report is stored');
        is_deeply(
            [ map { "$_->{test} $_->{round}" } @{ $fake->record->{passes} } ],
            [ 'pipe 0', 'pipe 1' ],
            'the record has the passes that ended'
        );
        is($fake->record->{status}, 'stopped', 'and that it was stopped');
        is_deeply([ map { $_->{copies} } @{ $fake->record->{blocks} } ], [2], 'nothing was begun afterwards');
        nothing_is_left($fake, $signal);
    };
}

subtest 'a stop in the first pass leaves a report without results' => sub {
    my $fake = Fake->new;
    my $got  = stop_by($fake, 'INT', 'hang', qw(-c 1 pipe));
    is($got->{status}, 130, 'its exit status');
    like(Fake::report($got->{out}), qr/parallel copy of tests\n\n\n\z/, 'no rows, no index');
    nothing_is_left($fake, 'SIGINT');
};

subtest 'a program that ignores signals does not keep the run from stopping' => sub {
    my $fake = Fake->new;
    is(stop_by($fake, 'TERM', 'stubborn', qw(-c 2 pipe))->{status}, 143, 'its exit status');
    nothing_is_left($fake, 'SIGTERM');
};

subtest 'with -q a stopped run says why, how to resume it, and nothing else' => sub {
    my $fake = Fake->new;
    my $got  = stop_by($fake, 'INT', 'hang', qw(-q -c 1 pipe));
    is_deeply(
        [ @$got{qw(status err)} ],
        [ 130, "Run: stopped by SIGINT; aborting\ntry: ./Run resume " . $fake->record->{name} . "\n" ],
        'status and output'
    );
};

subtest 'a signal that whoever started the run ignores is ignored' => sub {
    my $fake = Fake->new;
    my $run =
        do { local $SIG{HUP} = 'IGNORE'; $fake->start([qw(--quick -c 1 pipe)], does => { pipe => 'hang' }) };
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill 'HUP', $run->{pid};
    kill 'INT', $run->{pid};
    is($fake->wait_for_end($run)->{status},
        130, 'as under nohup: SIGHUP does nothing, the SIGINT after it stops');
};

# Kills Run in its third pass by SIGKILL.
sub kill_run {
    my ($fake) = @_;
    my $run = $fake->start([qw(--quick -c 2 pipe)], does => { pipe => 'measure,measure,work' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.$_") for 0, 1;
    kill 'KILL', $run->{pid};
    is($fake->wait_for_end($run)->{signal}, 9, 'Run was killed');
    return;
}

subtest
    'when Run is killed its programs end, the next start cleans up, and what was measured can be reported' =>
    sub {
    my $fake = Fake->new;
    kill_run($fake);
    is_deeply($fake->alive, [], 'no process is left');
    my ($journal) = Fake::entries("$fake->{results}/.runs");
    like($journal, qr/-01\.jsonl\z/, 'a journal is left');
    is(scalar Fake::entries($fake->{tmp}), 1, 'and the work directory');

    my $next = $fake->run([qw(--quick -c 1 syscall)]);
    is($next->{status}, 0, 'the next run succeeds') or diag($next->{err});
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'the work directory is gone after it');
    is_deeply(
        [ Fake::entries("$fake->{results}/.runs") ],
        [ $journal, $journal =~ s/01\.jsonl/02.json/r ],
        'the journal is not, and its name is not taken again'
    );

    my $name = $journal =~ s/\.jsonl\z//r;
    my $file = "$fake->{results}/.runs/$journal";
    my $text = Fake::read_file($file);
    for my $cut (
        [ 'whole'                            => $text ],
        [ 'with half a line at its end'      => $text . substr $text, 0, 100 ],
        [ 'without the end of its last line' => substr $text,         0, -1 ]
    ) {
        my ($how, $content) = @$cut;
        Fake::write_file($file, $content);
        my $got = $fake->run([ 'report', $name ]);
        is($got->{status}, 0, "the journal, $how, can be read") or diag($got->{err});
        like($got->{out}, qr/^Benchmark Run: .*\n.* 2 parallel copies of tests$/m,
            "$how: the block is there");
        like($got->{out}, qr/^Pipe Throughput +6128394\.0 lps /m, "$how: the score is there")
            if $how !~ /without/;
    }
    };

subtest 'a run that was stopped reports before it removes what takes long' => sub {
    my $stub   = Stub->new;
    my $remove = \&Touchstone::Machine::Workdir::remove;
    my @asked;
    no warnings 'redefine';
    local *Touchstone::Machine::Workdir::remove = sub {
        my ($self, $seconds) = @_;
        return $remove->($self) if !defined $seconds;
        my $reports = grep { /\A\w[^.]*\z/ && -f "$stub->{results}/$_" } Fake::entries($stub->{results});
        push @asked, "$seconds s, $reports reports";
        return 0;
    };
    my $got = $stub->run([qw(-c 1 pipe)], does => { pipe => 'measure,measure,stop TERM' });
    is($got->{status}, 143, 'the status is that of the signal');
    is(
        join('; ', @asked),
        '1 s, 0 reports; 0 s, 1 reports; 10 s, 1 reports',
        'a moment before it, the rest after it'
    );
    like(
        $got->{err},
        qr/^# removing what tests have left in '(.*)', for 10 s at most\n# the next run removes the rest of '\1'$/m,
        'it says what it does'
    );
};

subtest 'the work directory of a run that goes on is left alone' => sub {
    my $fake = Fake->new;
    my $run  = $fake->start([qw(--quick -c 1 pipe)], does => { pipe => 'hang' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    my ($directory) = Fake::entries($fake->{tmp});
    is($fake->run([qw(--quick -c 1 syscall)])->{status}, 0, 'another run beside it succeeds');
    is_deeply([ Fake::entries($fake->{tmp}) ], [$directory], 'and removes only its own');
    kill 'INT', $run->{pid};
    $fake->wait_for_end($run);
    nothing_is_left($fake, 'both runs');
    is(scalar(my @names = $fake->names), 2, 'each has its own report');
};

subtest 'a real program ends when Run is killed' => sub {
    plan skip_all => 'pgms/pipe is not built' if !-x "$Fake::BASE/pgms/pipe";
    my $fake = Fake->new;
    unlink "$fake->{bin}/pipe";
    Fake::write_file("$fake->{bin}/pipe",
        "#!/bin/sh\necho \$\$ >>'$fake->{state}/pids.real'\nexec '$Fake::BASE/pgms/pipe' 30\n");
    chmod 0755, "$fake->{bin}/pipe";
    my $run = $fake->start([qw(--quick -c 2 pipe)]);
    $fake->wait_for_file($run, "$fake->{state}/pids.real");
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    is_deeply($fake->alive, [], 'no process is left');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
