#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run resume: a run that was killed or stopped goes on where it was, and any other run is left unchanged.
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Stub;
use Touchstone::Machine::Cpus;

my @QUICK = qw(--quick -c 1 --seed 7);

# Starts a run of a Fake and kills it when one of its programs does what never ends.
sub kill_run {
    my ($fake, $words, %does) = @_;
    my $run = $fake->start($words, does => \%does);
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill 'KILL', $run->{pid};
    return $fake->wait_for_end($run);
}

sub resumed { my ($fake, $name, %does) = @_; return $fake->run([ 'resume', $name ], does => \%does) }

sub passes_of {
    my ($record) = @_;
    return join ' ', map { "$_->{test}/$_->{round}" } @{ $record->{passes} };
}

# Returns every file under the results with its content.
sub stored {
    my ($fake) = @_;
    my %text;
    for my $directory ($fake->{results}, "$fake->{results}/.runs") {
        -f "$directory/$_" and $text{"$directory/$_"} = Fake::read_file("$directory/$_")
            for Fake::entries($directory);
    }
    return \%text;
}

sub journal_of {
    my ($fake) = @_;
    my ($file) = grep { /\.jsonl\z/ } Fake::entries("$fake->{results}/.runs");
    return $file =~ s/\.jsonl\z//r;
}

# A run whose journal is left: pipe was measured twice, its third pass was cut off, or stopped.
sub cut_off {
    my ($how) = @_;
    my $stub = Stub->new;
    $stub->run([ @QUICK, 'pipe' ], does => { pipe => 'measure,measure,' . ($how // 'cut') });
    return $stub;
}

subtest 'a run that was killed goes on, and no pass that was stored is measured again' => sub {
    my $fake  = Fake->new;
    my %does  = (pipe => 'measure,measure,work,measure', syscall => 'measure', spawn => 'measure');
    my @words = (@QUICK, qw(pipe syscall spawn));
    kill_run($fake, \@words, %does);
    my $name  = journal_of($fake);
    my $lines = () = Fake::read_file("$fake->{results}/.runs/$name.jsonl") =~ /^\{"passes"/mg;
    my $got   = resumed($fake, $name, %does);
    is("$got->{status} $got->{signal}", '0 0', 'it succeeds') or diag($got->{err});
    my $record = $fake->record($name);
    is($record->{status},              'complete', 'and is complete');
    is(scalar @{ $record->{resumed} }, 1,          'it tells that it was gone on with');

    # Each program has seven calls, and pipe one more, which was killed.
    is(join(' ', map { $fake->calls($_) } qw(pipe syscall spawn)), '8 7 7', 'calls of the programs');
    cmp_ok($lines, '<', 21, 'some passes were missing');
    my $whole = Stub->new;
    $whole->run(\@words);
    is(
        passes_of($record),
        passes_of($whole->record),
        'its passes have the order of a run that was not killed'
    );
    is(
        $got->{out} =~ s/.*?^---//msr =~ s/^Benchmark Run.*//mr =~ s/^-{72}\n\nNot valid: .*//msr,
        $whole->run([ 'report', ($whole->names)[0] ])->{out} =~ s/.*?^---//msr =~ s/^Benchmark Run.*//mr,
        'and so has its report'
    );
    is_deeply(
        [ Fake::entries($fake->{results}) ],
        [ sort $name, "$name.html", "$name.log", '.runs' ],
        'all reports are there'
    );
    is_deeply([ Fake::entries("$fake->{results}/.runs") ], ["$name.json"], 'the journal is gone');
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'and what the killed run left in the work directory');
};

subtest 'several kills in a row lose nothing that was stored' => sub {
    my $fake = Stub->new;
    $fake->run([ @QUICK, qw(-c 2 pipe) ], does => { pipe => 'measure,cut' });
    my $name = journal_of($fake);
    $fake->run([ 'resume', $name ], does => { pipe => 'measure,cut,measure,measure,cut' });
    is(
        passes_of(
            {
                passes => [
                    map { $_->{passes} // () } map { JSON::PP->new->utf8->decode($_) } split /\n/,
                    Fake::read_file("$fake->{results}/.runs/$name.jsonl")
                ]
            }
        ),
        'pipe/0 pipe/1 pipe/2',
        'after the second'
    );
    $fake->run([ 'resume', $name ], does => { pipe => 'measure,cut,measure,measure,cut,measure,cut' });
    is(resumed($fake, $name, pipe => 'measure')->{status}, 0, 'the fourth try succeeds');
    my $record = $fake->record($name);
    is(passes_of($record), join(' ', (map { "pipe/$_" } 0 .. 6) x 2),  'each pass is there once');
    is(join(' ', map { $_->{copies} } @{ $record->{blocks} }), '1 2',  'and each block');
    is($fake->calls('pipe'),                                   14 + 3, 'three passes were killed');
    is(scalar @{ $record->{resumed} },                         3,      'three times it was gone on with');
};

subtest 'a run that was stopped can be gone on with, and be killed again' => sub {
    my $fake = cut_off('stop INT');
    my ($name) = $fake->names;
    is($fake->record->{status}, 'stopped', 'it was stopped');
    my $warning = $fake->record->{warnings}[-1]{text};
    is($warning, 'pipe has no interval: 1 pass, 6 needed', 'and warns of its one pass');
    $fake->run([ 'resume', $name ], does => { pipe => 'measure,measure,cut,measure,cut' });
    my $got = resumed($fake, $name, pipe => 'measure');
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my $record = $fake->record;
    is(passes_of($record),   join(' ', map { "pipe/$_" } 0 .. 6), 'every pass is there once');
    is($fake->calls('pipe'), 7 + 2, 'what was measured between stop and kill was not measured again');
    is_deeply([ map { $_->{text} } grep { $_->{id} eq 'passes' } @{ $record->{warnings} } ],
        [], 'the old warning has gone');
    like($got->{out}, qr/6 samples\)$/m, 'the report has all passes');
    is_deeply(
        [ Fake::entries($fake->{results}),                 Fake::entries("$fake->{results}/.runs") ],
        [ sort($name, "$name.html", "$name.log", '.runs'), "$name.json" ],
        'over the earlier reports'
    );
};

subtest 'tests that failed or were skipped stay so, and are noted once' => sub {
    my $fake = Stub->new;
    unlink "$fake->{bin}/syscall";
    my %does = (pipe => 'exit 3', spawn => 'skip', execl => 'measure,measure,cut');
    $fake->run([ @QUICK, qw(pipe spawn syscall execl) ], does => \%does);
    my $got = resumed($fake, journal_of($fake), %does, execl => 'measure');
    is($got->{status}, 1, 'exit status 1');
    like($got->{err}, qr/^Run: syscall failed, pipe failed, spawn was skipped; aborting$/m, 'all are told');
    my $record = $fake->record;
    is(join(' ', sort map { $_->{test} } @{ $record->{failures} }), 'pipe syscall', 'failures');
    is(join(' ', map { $_->{test} } @{ $record->{skipped} }),       'spawn',        'skipped');
    is(join(' ', map { $fake->calls($_) } qw(pipe spawn execl)),    '1 1 8', 'they were not tried again');
};

subtest 'the schedule is that of the run, whatever it was' => sub {
    my %pipe = (pipe => 'measure,cut,measure');
    my @each = ('-c 1 --pin 0 -b', '-i 2 -c 1', '-c 1 --precision 5%', '-c 1 --precision 5% --budget 300s');
    for my $words (map { [ split(' '), 'pipe' ] } Amount::some(2, @each, 'self-compare --quick -c 1')) {
        my ($fake, $whole) = map { Stub->new } 1, 2;
        my $usable = join ' ', @{ Touchstone::Machine::Cpus::read_all()->{usable} };
        next if "@$words" =~ /--pin/ && $usable !~ /\A0\b/;
        $fake->run([ @$words, qw(--seed 5) ], does => \%pipe);
        my $got = resumed($fake, journal_of($fake), pipe => 'measure');
        is($got->{status}, 0, "@$words: it succeeds") or diag($got->{err});
        $whole->run([ @$words, qw(--seed 5) ]);
        my ($one, $other) = map {
            $_->record(map { s/\.json\z//r } grep { /\.json\z/ } Fake::entries("$_->{results}/.runs"))
        } $fake, $whole;
        is_deeply(
            [ map { $_->{schedule}, $_->{pin}, $_->{brief}, $_->{purpose}, passes_of($_) } $one ],
            [ map { $_->{schedule}, $_->{pin}, $_->{brief}, $_->{purpose}, passes_of($_) } $other ],
            "@$words: it is as if it had not been killed"
        );
    }
};

subtest 'a run that is gone on with has no more time than it had' => sub {
    my $fake = Stub->new;
    $fake->run([qw(-c 1 --seed 5 pipe)], does => { pipe => 'measure,cut' });

    # A test has 30 s; half an hour is only for users who ask for a precision.
    like(
        resumed($fake, journal_of($fake), pipe => 'measure')->{err},
        qr/^# 1 test, 1 copy: 6 rounds, .*; 2 s to 30 s$/m,
        'its announcement says how much'
    );
};

subtest 'half a line at the end of the journal is one pass less' => sub {
    my $fake = cut_off();
    my $name = journal_of($fake);
    my $file = "$fake->{results}/.runs/$name.jsonl";
    my $text = Fake::read_file($file);
    Fake::write_file($file, substr $text, 0, -100);
    is(resumed($fake, $name, pipe => 'measure')->{status}, 0,         'it goes on');
    is(passes_of($fake->record), join(' ', map { "pipe/$_" } 0 .. 6), 'every pass is there once');
    is($fake->calls('pipe'),     6 + 3,                               'the half one was measured again');
};

# A run that cannot be resumed gives one sentence, and nothing is written, run or removed.
sub refused {
    my ($what, $fake, $run, $sentence, $status) = @_;
    my ($before, $calls) = (stored($fake), $fake->calls('pipe'));
    my $got = resumed($fake, $run, pipe => 'measure');
    is("$got->{status} $got->{out}", ($status // 2) . ' ', "$what: its exit status, and no report");
    like($got->{err}, qr/^Run: $sentence$/m, "$what: why");
    is(scalar(grep { /\ARun: / } split /\n/, $got->{err}), 1, "$what: in one sentence");
    is_deeply(stored($fake), $before, "$what: nothing is written");
    is($fake->calls('pipe'), $calls, "$what: nothing is run");
    return;
}

subtest 'what is no run to go on with is refused and left as it is' => sub {
    my $fake = Stub->new;
    $fake->run([ @QUICK, 'pipe' ]);
    my ($name) = $fake->names;
    refused('a complete run',  $fake, $name, qr/cannot resume '.*\Q$name\E\.json': this run is complete/);
    refused('an unknown name', $fake, 'no-such-run', qr/no run 'no-such-run' here or in '.*'/);
    Fake::write_file("$fake->{results}/.runs/$_->[0].jsonl", $_->[1])
        for [ empty => '' ], [ rubbish => "rubbish\n" ], [ half => '{"record":' ],
        [ newer => qq({"record":{"format":3}}\n) ];
    refused("a journal: $_->[0]", $fake, $_->[0], qr/'.*$_->[0]\.jsonl' is not a run record: $_->[1]/)
        for [ rubbish => qr/line 1: .+/ ], [ newer => qr/its format is 3, this version reads format 2/ ];
    refused("a journal: $_",
        $fake, $_, qr/cannot resume '.*$_\.jsonl': it holds no pass, since its run ended as it began/)
        for qw(empty half);
};

# Replaces a text in the journal.
sub edited {
    my ($fake, $from, $to) = @_;
    my $file = "$fake->{results}/.runs/" . journal_of($fake) . '.jsonl';
    my $text = Fake::read_file($file);
    $text =~ s/$from/$to/ or die "'$from' is not in the journal\n";
    Fake::write_file($file, $text);
    return journal_of($fake);
}

subtest 'another machine or build is no place to go on' => sub {
    my $start = qr/cannot resume '.*', something has changed since then:/;
    my $fake  = cut_off();
    my $host  = (POSIX::uname())[1];
    refused(
        'another machine',
        $fake,
        edited($fake, qr/"name": ?"\Q$host\E"/, '"name":"elsewhere"'),
        qr/$start machine was elsewhere, is \Q$host\E; aborting/
    );
    $fake = cut_off();
    Fake::write_file("$fake->{bin}/build.facts", "flags_unixbench=-O0\n");
    my $name = edited($fake, qr/"compiler_version":/, q("flags_unixbench": "-O3", "compiler_version":));
    refused('other flags', $fake, $name, qr/$start flags was -O3, is -O0; aborting/);
    $fake = cut_off();
    Fake::write_file("$fake->{bin}/build.facts", "isa=native\n");
    $name = edited($fake, qr/"compiler_version":/, q("isa": "baseline", "compiler_version":));
    refused('a portable build', $fake, $name, qr/$start programs for was baseline, is native; aborting/);
    $fake = cut_off();
    unlink "$fake->{bin}/pipe";
    Fake::write_file("$fake->{bin}/pipe", Fake::read_file($Fake::PROGRAM) . "# another\n");
    chmod 0755, "$fake->{bin}/pipe";
    refused('other programs', $fake, journal_of($fake), qr/$start other programs; aborting/);
    $fake = cut_off('stop INT');
    my $file = "$fake->{results}/.runs/" . ($fake->names)[0] . '.json';
    Fake::write_file($file, Fake::read_file($file) =~ s/"name": "\Q$host\E"/"name": "elsewhere"/r);
    refused(
        'a stopped run of another machine',
        $fake,
        ($fake->names)[0],
        qr/$start machine was elsewhere, is \Q$host\E; aborting/
    );
};

subtest 'a run of tests that no suite here has cannot be gone on with' => sub {
    my $fake = cut_off();
    my $name = edited($fake, qr/"name": ?"pipe"/, '"name":"numeric-gone"');
    refused('a suite is gone', $fake, $name, qr/cannot resume '\Q$name\E': no suite here has numeric-gone/);
};

subtest 'a duet cannot be gone on with' => sub {
    my $fake = cut_off();
    refused(
        'a duet', $fake,
        edited($fake, qr/"purpose": ?"run"/, '"purpose":"duet"'),
        qr/cannot resume '.*': runs of several builds cannot be resumed/
    );
};

subtest 'a run that still goes on is left alone' => sub {
    my $fake = cut_off();
    my $name = journal_of($fake);
    open my $journal, '+<', "$fake->{results}/.runs/$name.jsonl" or die "cannot open the journal: $!\n";
    flock $journal, LOCK_EX or die "cannot lock the journal: $!\n";
    refused('a locked journal', $fake, $name, qr/the run '.*\Q$name\E\.jsonl' is still running/);
    close $journal;
    is(resumed($fake, $name, pipe => 'measure')->{status}, 0, 'when it is not, it can be gone on with');
};

subtest 'the journal of a run is locked while it goes on' => sub {
    my $fake = Fake->new;
    my $run  = $fake->start([ @QUICK, 'pipe' ], does => { pipe => 'measure,hang' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    my $got = resumed($fake, journal_of($fake), pipe => 'measure');
    like($got->{err}, qr/^Run: the run '.*' is still running$/m, 'it is refused');
    kill 'INT', $run->{pid};
    is($fake->wait_for_end($run)->{status}, 130, 'the run is not disturbed');
};

subtest 'words that say what the run knows already are refused' => sub {
    my $fake = cut_off();
    for my $words (qw(-c --seed --budget)) {
        my $got = $fake->run([ 'resume', journal_of($fake), $words, 1 ]);
        is($got->{status}, 2, "$words: exit status 2");
        like($got->{err}, qr/unknown option '$words' of resume/, "$words: why");
    }
    is($fake->run([ 'resume', journal_of($fake), 'pipe' ])->{status}, 2, 'so are tests');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
