#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run fleet once, whoever dies: the same words again end with one record, which has every pass that was
# stored. However many begin, one measures.
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use JSON::PP ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use KilledAt;
use Amount;
use Fake;
use Stub;
use Touchstone::Pack::Fleet::CampaignRun;
use Waiting qw(comes);

my @WORDS    = qw(-q --as web1 --quick -c 1 --seed 7 pipe);
my @ONCE     = (qw(fleet once k68), @WORDS);
my @STATE    = qw(fleet state k68 --as web1);
my $KEY      = 'k68.' . Touchstone::Pack::Fleet::CampaignRun::identity('k68', 'web1')->{host_id};
my $MEASURES = { pipe => 'measure' };
my $ALL      = join ' ', map { "pipe/$_" } 0 .. 6;

sub said { my ($got) = @_; return "$got->{status} " . $got->{out} =~ s/\n\z//r }

sub runs_of { my ($fake) = @_; return "$fake->{results}/.runs" }
sub files   { my ($fake) = @_; return join ' ', Fake::entries(runs_of($fake)) }

# Returns the passes that stand in records and journals: { 'pipe/1' => when it began }.
sub stored {
    my ($fake) = @_;
    my %passes;
    for my $file (map { runs_of($fake) . "/$_" } grep { /\A[^.].*\.jsonl?\z/ } Fake::entries(runs_of($fake)))
    {
        my $text   = Fake::read_file($file);
        my @values = $file =~ /l\z/ ? $text =~ /^(.*)\n/mg : $text;
        for my $value (map { JSON::PP->new->utf8->decode($_) } @values) {
            my $found = $value->{passes} // [];
            $passes{"$_->{test}/$_->{round}"} = $_->{started} for ref $found eq 'HASH' ? $found : @$found;
        }
    }
    return \%passes;
}

# Says the same words until nobody kills them. Returns how, or nothing where all is as it must be.
sub wrong_after {
    my ($fake) = @_;
    my $before = stored($fake);
    my $got    = $fake->run(\@ONCE, does => $MEASURES);
    return "$got->{status} $got->{out}$got->{err}" if said($got) ne "0 $KEY.1";
    return 'files: ' . files($fake)                if files($fake) ne "$KEY.1.json";
    my $record = $fake->record("$KEY.1");
    my $passes = join ' ', map { "$_->{test}/$_->{round}" } @{ $record->{passes} };
    return "passes: $passes" if $passes ne $ALL;
    my $after = stored($fake);
    my @lost  = grep { $before->{$_} ne $after->{$_} } sort keys %$before;
    return @lost ? "measured again: @lost" : ();
}

# Kills a run that `prepare` has made ready before each of its calls that change something on the disk, and
# returns how many there are and what was wrong after each.
sub killed_everywhere {
    my ($every,  $prepare) = @_;
    my ($moment, @wrong)   = (0);
    while (1) {
        $moment += $every;
        my $fake = Stub->new;
        $prepare->($fake);
        my $got   = Fake::run($fake, \@ONCE, env => { KILLED_AT => $moment });
        my $wrong = wrong_after($fake);
        push @wrong, "killed at $moment: $wrong" if defined $wrong;
        last if $got->{signal} != POSIX::SIGKILL();
    }
    return ($moment, @wrong);
}

my $EVERY = Amount::of(19, 1);

subtest 'killed before any change on the disk, a run ends with the same words' => sub {
    my ($moments, @wrong) = killed_everywhere($EVERY, sub { });
    cmp_ok($moments, '>', 30, "there are $moments moments");
    is("@wrong", '', 'one record each time, and no pass measured twice');
};

subtest 'and so does one that was cut off before' => sub {
    my ($moments, @wrong) =
        killed_everywhere($EVERY, sub { Fake::run($_[0], \@ONCE, env => { KILLED_AT => 24 }) });
    cmp_ok($moments, '>', 20, "there are $moments moments");
    is("@wrong", '', 'one record each time, and no pass measured twice');
};

subtest 'and so does one that was stopped before' => sub {
    my ($moments, @wrong) = killed_everywhere(
        $EVERY,
        sub {
            my ($fake) = @_;
            my $run = $fake->start(\@ONCE, does => { pipe => 'measure,measure,hang' });
            $fake->wait_for_file($run, "$fake->{state}/hanging.0");
            kill 'TERM', $run->{pid};
            $fake->wait_for_end($run);
        }
    );
    cmp_ok($moments, '>', 20, "there are $moments moments");
    is("@wrong", '', 'one record each time, and no pass measured twice');
};

# Returns a run in the middle of a pass that does not end.
sub measuring {
    my ($fake, @words) = @_;
    my $run = $fake->start([ @words ? @words : @ONCE ], does => { pipe => 'measure,measure,hang' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    return $run;
}

sub state_of {
    my ($fake) = @_;
    return JSON::PP->new->utf8->decode($fake->run(\@STATE)->{out});
}

subtest 'while one measures, the others are told so' => sub {
    my $fake = Fake->new;
    my $run  = measuring($fake);
    my $got  = $fake->run(\@ONCE);
    is(said($got),  '75 ',                                                          'exit status 75');
    is($got->{err}, "Run: '$KEY.1' is being measured\ntry: ./Run fleet wait k68\n", 'with a sentence');
    my $state = state_of($fake);
    is("$state->{state} $state->{pass} $state->{of}",    'running 2 7', 'the state tells how far it is');
    is($state->{pid},                                    $run->{pid},   'and who it is') if -e '/proc/locks';
    is(said($fake->run([qw(fleet give k68 --as web1)])), '1 ',          'there is nothing to give');
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    is(state_of($fake)->{state}, 'cut off', 'when it is killed, the state tells that');
    is(wrong_after($fake),       undef,     'and the same words end it');
};

subtest 'a host is measured for one campaign at a time' => sub {
    my $fake  = Fake->new;
    my $run   = measuring($fake);
    my @other = grep { $_ ne '-q' } qw(fleet once other), @WORDS;
    my $got   = $fake->run([ @other, '--detach' ], does => $MEASURES);
    is(said($got), '0 ', 'detached, another campaign begins');
    like(
        $got->{err},
        qr/^# this host is being measured for another campaign: its end is waited for$/m,
        'with a sentence'
    );
    is($fake->calls('pipe'), 3, 'it does not measure yet');
    my $wait = $fake->start([qw(fleet wait other --as web1)]);
    ok(comes(waits($wait)), 'who waits for it waits for both');
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    my $state = JSON::PP->new->utf8->decode($fake->wait_for_end($wait)->{out});
    is("$state->{state} $state->{exit}", 'ended 0', 'it is measured when the first one is gone');
    unlink glob runs_of($fake) . '/other.*';
    is(wrong_after($fake), undef, 'and the first one is resumed');
};

subtest 'of several that begin at once, one measures' => sub {
    for my $round (1 .. Amount::of(1, 20)) {
        my $fake = Fake->new;
        my @runs = map      { $fake->start(\@ONCE, does => $MEASURES) } 1 .. 4;
        my @said = sort map { said($fake->wait_for_end($_)) } @runs;
        is($fake->calls('pipe'), 7,             "round $round: each pass once");
        is(files($fake),         "$KEY.1.json", 'there is one record');
        is(join('; ', grep { $_ ne "0 $KEY.1" && $_ ne '75 ' } @said),
            '', 'the others are told its name or 75');
        is($said[0], "0 $KEY.1", 'one has the name');
    }
};

subtest 'of several that resume at once, one measures' => sub {
    for my $how (qw(KILL TERM)) {
        my $fake = Fake->new;
        my $run  = measuring($fake);
        kill $how, $run->{pid};
        $fake->wait_for_end($run);
        my $before = $fake->calls('pipe');
        my @said =
            sort map { said($fake->wait_for_end($_)) } map { $fake->start(\@ONCE, does => $MEASURES) } 1 .. 4;
        is($fake->calls('pipe'), $before + 5,   "after SIG$how: the rest was measured once");
        is(files($fake),         "$KEY.1.json", 'there is one record');
        is(join('; ', grep { $_ ne "0 $KEY.1" && $_ ne '75 ' } @said),
            '', 'the others are told its name or 75');
    }
};

# Returns how often a process was woken up.
sub wakings {
    my ($pid)   = @_;
    my ($count) = Fake::read_file("/proc/$pid/status") =~ /^voluntary_ctxt_switches:\s+(\d+)/m;
    return $count;
}

sub waits {
    my ($run) = @_;
    return sub { Waiting::state_of($run->{pid}) =~ /S/ && is_in_flock($run->{pid}) }
}

sub is_in_flock {
    my ($pid) = @_;
    my $what = Fake::read_file("/proc/$pid/wchan");
    return $what eq '' || $what =~ /flock|locks_lock|posix_lock|\A0\z/;
}

subtest 'to wait takes no time of a CPU' => sub {
    plan skip_all => 'no /proc here' if !-e "/proc/$$/status";
    my $fake = Fake->new;
    my $run  = measuring($fake);
    my $wait = $fake->start([qw(fleet wait k68 --as web1)]);
    ok(comes(waits($wait)), 'it sleeps');
    sleep 0.5;
    my $before = wakings($wait->{pid});
    sleep 1;
    is(wakings($wait->{pid}), $before, 'nothing wakes it');
    kill 'TERM', $run->{pid};
    $fake->wait_for_end($run);
    my $got = $fake->wait_for_end($wait);
    is("$got->{status} " . JSON::PP->new->utf8->decode($got->{out})->{state},
        '0 cut off', 'until the run has ended');
};

subtest 'who waits is told of the record that the journal became' => sub {
    my $fake = Fake->new;
    my $run  = measuring($fake);
    my @wait = map { $fake->start([qw(fleet wait k68 --as web1)]) } 1, 2;
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    my $next  = $fake->start(\@ONCE);
    my %state = map { JSON::PP->new->utf8->decode($fake->wait_for_end($_)->{out})->{state} => 1 } @wait;
    is(join(' ', grep { !/\A(?:ended|cut off)\z/ } keys %state), '', 'or that it was cut off');
    is(said($fake->wait_for_end($next)), "0 $KEY.1",                 'who measures is not disturbed by that');
    my $got = JSON::PP->new->utf8->decode($fake->run([qw(fleet wait k68 --as web1)])->{out});
    is("$got->{state} $got->{name}", "ended $KEY.1", 'afterwards nobody waits');
};

subtest 'who begins to wait before the first line of the journal waits for the run' => sub {
    my $fake = Fake->new;
    mkdir $_ or die "cannot make '$_': $!\n" for $fake->{results}, runs_of($fake);
    open my $journal, '>', runs_of($fake) . "/$KEY.1.jsonl" or die "cannot write: $!\n";
    flock $journal, LOCK_EX or die "cannot lock: $!\n";
    is(state_of($fake)->{state}, 'running', 'it goes on');
    my $wait = $fake->start([qw(fleet wait k68 --as web1)], command => [@Fake::RUN]);
    ok(comes(waits($wait)), 'it is waited for') if -e "/proc/$$/status";
    is(waitpid($wait->{pid}, POSIX::WNOHANG()), 0, 'nobody returned');
    close $journal;
    my $got = $fake->wait_for_end($wait);
    is(JSON::PP->new->utf8->decode($got->{out})->{state}, 'none', 'until the lock is free');
    is(wrong_after($fake),                                undef,  'and a run takes the empty journal');
};

subtest 'detached, a run goes on without who started it' => sub {
    my $fake = Fake->new;
    my @loud = (grep({ $_ ne '-q' } @ONCE), '--detach');
    my $got  = $fake->run(\@loud, does => { pipe => 'measure,measure,hang' });
    is(said($got), '0 ', 'it returns');
    my $state = state_of($fake);
    is($state->{state},                         'running', 'and the run goes on');
    is(said($fake->run([ @ONCE, '--detach' ])), '75 ',     'a second one is told so');
    if (-e '/proc/locks') {
        my $pid = $state->{pid};
        isnt(POSIX::getpgrp(), getpgrp($pid), 'in a group of its own');
        is(
            join(' ', map { readlink("/proc/$pid/fd/$_") =~ s{.*/}{}r } 0 .. 2),
            "null $KEY.said $KEY.said",
            'with streams of its own'
        );
        comes(sub { -s "$fake->{state}/hanging.0" });
        kill 'HUP', $pid;
        is(state_of($fake)->{state}, 'running', 'the end of a connection does not stop it');
        kill 'KILL', $pid;
        comes(sub { state_of($fake)->{state} eq 'cut off' });
        is(said($fake->run(\@loud)), '0 ', 'it is resumed');
        my $ended = JSON::PP->new->utf8->decode($fake->run([qw(fleet wait k68 --as web1)])->{out});
        is("$ended->{state} $ended->{name}", "ended $KEY.1", 'and ends');
        is(join(' ', map { "$_->{test}/$_->{round}" } @{ $fake->record("$KEY.1")->{passes} }),
            $ALL, 'with all passes');
        is(said($fake->run([ @ONCE, '--detach' ])), "0 $KEY.1", 'then its name is the answer');
        my $log = runs_of($fake) . "/$KEY.said";
        ok(comes(sub { Fake::read_file($log) =~ /^# page: /m }), 'what it says stands in its log');
    }
};

subtest 'a detached run leaves open nothing that whoever called had open' => sub {
    my $fake  = Fake->new;
    my $held  = "$fake->{home}/held";
    my @shell = ('sh', '-c', 'exec "$@" 7>"$HOME/held"', 'sh', @Fake::RUN);
    my $got   = $fake->run([ @ONCE, '--detach' ], does => { pipe => 'hang' }, command => \@shell);
    is(said($got), '0 ', 'it returns');
    ok(-e $held, 'a file was open');
    my $pid = state_of($fake)->{pid} // plan skip_all => 'who measures is not known here';
    is(join(' ', grep { (readlink "/proc/$pid/fd/$_") eq $held } Fake::entries("/proc/$pid/fd")),
        '', 'not for it');
    kill 'KILL', $pid;
    ok(comes(sub { state_of($fake)->{state} eq 'cut off' }), 'it ends');
};

subtest 'the last words of a detached run tell why it did not end' => sub {
    my $fake = Fake->new;
    my $end  = sub {
        my ($signal) = @_;
        is(said($fake->run([ @ONCE, '--detach' ], does => { pipe => 'measure,measure,hang' })),
            '0 ', "detached, to get SIG$signal");
        my $pid = state_of($fake)->{pid} // plan skip_all => 'who measures is not known here';
        ok(comes(sub { -s "$fake->{state}/hanging.0" }), 'it measures');
        kill $signal, $pid;
        unlink "$fake->{state}/hanging.0";
        ok(comes(sub { state_of($fake)->{state} eq 'cut off' }), 'it was cut off');
        comes(sub { Waiting::gone($pid) });
        return state_of($fake)->{why};
    };
    is($end->('TERM'), 'stopped by SIGTERM; aborting', 'what it said');
    is($end->('KILL'), undef,                          'nothing, and not what another said before it');
};

subtest 'what prevents a detached run is told to who started it' => sub {
    my $fake = Fake->new;
    my $got  = $fake->run([ @ONCE, '--detach' ], env => { UB_TMPDIR => '/dev/null/none' });
    is($got->{status}, 1, 'the status is that of the run');
    like(
        $got->{err},
        qr{\ARun: cannot make the work directory '/dev/null/none': },
        'and its message is there'
    );
    is(state_of($fake)->{state}, 'none', 'nothing began');
    is(files($fake),             '',     'and nothing is left');
    $got = $fake->run([ @ONCE, qw(--detach no-such-test) ]);
    is($got->{status}, 2, 'and a usage error is one');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl has not complained');

done_testing;
