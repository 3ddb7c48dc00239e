#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run --once: a host is measured for a campaign, and the same words may be said again at any time.
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Record::Lines;
use Touchstone::Run::Once;

my @WORDS = qw(--as web1 --quick -c 1 --seed 7 pipe);
my $KEY   = 'k68.' . Touchstone::Run::Once::identity('k68', 'web1')->{host_id};

sub once { my ($stub, $words, %does) = @_; return $stub->run([ qw(--once k68), @$words ], does => \%does) }

sub said { my ($got) = @_; return "$got->{status} " . $got->{out} =~ s/\n\z//r }

# Returns the answer of --state or --wait.
sub state_of {
    my ($stub, @words) = @_;
    my $got = $stub->run([ @words ? @words : qw(--state k68), qw(--as web1) ]);
    return JSON::PP->new->utf8->decode($got->{out});
}

# Returns the names of all records and journals.
sub files { my ($stub) = @_; return join ' ', Fake::entries("$stub->{results}/runs") }

sub passes_of {
    my ($record) = @_;
    return join ' ', map { "$_->{test}/$_->{round}" } @{ $record->{passes} };
}

# What a run of these words measures that nobody cuts off.
my $ALL = join ' ', map { "pipe/$_" } 0 .. 6;

subtest 'a host is measured once, and the same words give the same answer' => sub {
    my $stub = Stub->new;
    is(state_of($stub)->{state},   'none',     'nothing at first');
    is(said(once($stub, \@WORDS)), "0 $KEY.1", 'the name of the record is the answer');
    is($stub->calls('pipe'),       7,          'it was measured');
    my $again = once($stub, \@WORDS);
    is(said($again),         "0 $KEY.1",    'the second time the answer is the same');
    is($again->{err},        '',            'and nothing else is said');
    is($stub->calls('pipe'), 7,             'nothing is measured again');
    is(files($stub),         "$KEY.1.json", 'there is one record');
    my $record = $stub->record("$KEY.1");
    is_deeply(
        $record->{campaign},
        { %{ Touchstone::Run::Once::identity('k68', 'web1') }, attempt => 1, labels => {} },
        'it names the campaign'
    );
};

subtest 'labels stand in the record, and those of the plan have places of their own' => sub {
    my $stub = Stub->new;
    my @labels =
        ('rack=b4', 'slot=hv07', 'order=17', 'seed=4711', 'carrier=ssh', 'note=a=b <i>"\'$(x)', 'ring=');
    is(said(once($stub, [ @WORDS, map { ('--label', $_) } @labels ])), "0 $KEY.1", 'it is measured');
    my $campaign = $stub->record("$KEY.1")->{campaign};
    is_deeply($campaign->{labels}, { rack => 'b4', note => 'a=b <i>"\'$(x)', ring => '' }, 'the labels');
    is(
        join(' ', @$campaign{qw(slot order seed carrier)}),
        'hv07 17 4711 ssh',
        'slot, order, seed and carrier'
    );
};

subtest 'names of hosts are data, and no two hosts share a record' => sub {
    my $stub  = Stub->new;
    my @hosts = ('web1', 'web 2', '../etc', '<script>', "caf\xc3\xa9", "\xff\xfe", '$(x)', 'x' x 200);
    my %name;
    for my $host (@hosts) {
        my $got = $stub->run([ qw(--once k68 --as), $host, qw(--quick -c 1 pipe) ]);
        is($got->{status}, 0, $host =~ s/[^ -~]/?/gr) or diag($got->{err});
        chomp(my $name = $got->{out});
        like($name, qr/\Ak68\.[0-9a-f]{16}\.1\z/, 'the name of the record is plain');
        $name{$name} = 1;
        my $read = $stub->record($name)->{campaign}{host};
        utf8::encode($read);
        is($read, $host, 'the host has its name in the record') if $host ne "\xff\xfe";
    }
    is(scalar keys %name, scalar @hosts, 'each has its own');
};

subtest 'a run that was cut off is resumed by the same words' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS, pipe => 'measure,measure,cut');
    my $state = state_of($stub);
    is("$state->{state} $state->{pass} $state->{of}", 'cut off 2 7', 'the state tells it');
    is(said($stub->run([qw(--give k68 --as web1)])),  '1 ',          'there is nothing to give');
    is(said(once($stub, \@WORDS, pipe => 'measure')), "0 $KEY.1",    'the record is there');
    is(passes_of($stub->record("$KEY.1")),            $ALL,          'with each pass once');
    is($stub->calls('pipe'), 8,             'only the pass that was cut off was measured again');
    is(files($stub),         "$KEY.1.json", 'there is one record');
};

subtest 'a run that was stopped is resumed by the same words' => sub {
    my $stub = Stub->new;
    my $got  = once($stub, \@WORDS, pipe => 'measure,measure,stop TERM');
    is(said($got), '143 ', 'it has no name yet');
    like($got->{err}, qr/^resume it with the same words$/m, 'and says how to resume it');
    is(state_of($stub)->{state},                      'cut off',  'the state tells it');
    is(said(once($stub, \@WORDS, pipe => 'measure')), "0 $KEY.1", 'the record is there');
    is(passes_of($stub->record("$KEY.1")),            $ALL,       'with each pass once');
};

subtest 'each of several runs is measured once' => sub {
    my $stub = Stub->new;
    is(said(once($stub, [ qw(--run 2), @WORDS ])),        "0 $KEY.2",                'two are asked for');
    is(files($stub),                                      "$KEY.1.json $KEY.2.json", 'two are there');
    is(said(once($stub, [ '--run', $_, @WORDS ])),        "0 $KEY.$_", "run $_") for 1, 2;
    is($stub->calls('pipe'),                              14,          'nothing is measured again');
    is(said(once($stub, [ qw(--run 3), @WORDS ])),        "0 $KEY.3",  'a third is measured');
    is(state_of($stub, qw(--state k68 --run 2))->{name},  "$KEY.2",    'the state of the second');
    is(state_of($stub, qw(--state k68 --run 4))->{state}, 'none',      'and of a fourth');
};

subtest 'the exit status is that of the run, also later' => sub {
    my $stub  = Stub->new;
    my $words = [ @WORDS, 'syscall' ];
    my $got   = once($stub, $words, syscall => 'exit 3');
    is(said($got), "1 $KEY.1", 'a test fails');
    like($got->{err}, qr/: syscall failed; aborting$/m, 'which is said');
    my $again = once($stub, $words);
    is(said($again), "1 $KEY.1", 'a run that ended is not repeated');
    like($again->{err}, qr/\A\S+: syscall failed\n\z/, 'its trouble is said again');
    my $state = state_of($stub);
    is("$state->{state} $state->{exit} $state->{status}", 'ended 1 complete', 'the state tells it');
};

subtest 'other words are another measurement' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS);
    my $got = once($stub, [qw(--as web1 --quick -c 1 syscall)]);
    is(said($got), '2 ', 'a usage error');
    like(
        $got->{err},
        qr/'\Q$KEY\E\.1' measures pipe with -c 1 \(quick schedule\), and these words ask for syscall/,
        'says what is there'
    );
    is(said(once($stub, [qw(--as web1 --quick -c 2 pipe)])), '2 ', 'copies too');
    is(said(once($stub, [qw(--as web1 -c 1 pipe)])),         '2 ', 'and the schedule');
    is(said(once($stub, [qw(--as web1 -c 1 no-such-test)])), '2 ', 'and a test that is none');
    is(said($stub->run([qw(--once other --as web1 --quick -c 1 syscall)])) =~ s/\..*//r,
        '0 other', 'another campaign has a record of its own');
};

subtest 'a record can be had by its digest, or whole through a log' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS);
    my ($sum, $size, $path) = split / /, $stub->run([qw(--give k68 --as web1)])->{out}, 3;
    chomp $path;
    is($path, "$stub->{results}/runs/$KEY.1.json", 'its path');
    my $text = Fake::read_file($path);
    is("$sum $size", Digest::SHA::sha256_hex($text) . ' ' . length $text, 'its digest and size');
    my $state = state_of($stub);
    is(join(' ', @$state{qw(sha256 size file)}), "$sum $size $path", 'the state has the same');
    my $lines = $stub->run([qw(--give k68 --as web1 --whole)])->{out};
    is_deeply([ Touchstone::Record::Lines::read($lines) ], [ { name => "$KEY.1", text => $text } ], 'whole');
    my $none = $stub->run([qw(--give k68 --as web1 --run 2 --whole)]);
    is(said($none), '1 ', 'what is not there');
    like($none->{err}, qr/: no record of 'web1' for the campaign 'k68', run 2: it has not been measured$/m,
        'is said');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl has not complained');

done_testing;
