#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run fleet once: a host is measured for a campaign, and the same words may be said again at any time.
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Amount;
use Stub;
use Touchstone::Base::Directories;
use Touchstone::Pack::Fleet::LogEncoding;
use Touchstone::Pack::Fleet::CampaignRun;

my @WORDS = qw(--as web1 --quick -c 1 --seed 7 pipe);
my $KEY   = 'k68.' . Touchstone::Pack::Fleet::CampaignRun::identity('k68', 'web1')->{host_id};

sub once {
    my ($stub, $words, %does) = @_;
    return $stub->run([ qw(fleet once k68), @$words ], does => \%does);
}

sub said { my ($got) = @_; return "$got->{status} " . $got->{out} =~ s/\n\z//r }

# Returns the answer of fleet state or fleet wait.
sub state_of {
    my ($stub, @words) = @_;
    my $got = $stub->run([ @words ? @words : qw(fleet state k68), qw(--as web1) ]);
    return JSON::PP->new->utf8->decode($got->{out});
}

# Returns the names of all records and journals.
sub files { my ($stub) = @_; return join ' ', Fake::entries("$stub->{results}/.runs") }

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
        { %{ Touchstone::Pack::Fleet::CampaignRun::identity('k68', 'web1') }, attempt => 1, labels => {} },
        'it names the campaign'
    );
};

subtest 'the answer is there where nothing can be written any more' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS);
    local *Touchstone::Base::Directories::prepare_results = sub { die "this directory cannot be written\n" };
    is(said(once($stub, \@WORDS)), "0 $KEY.1", 'the name of the record');
    isnt(once($stub, [ qw(--run 2), @WORDS ])->{status}, 0, 'another run is not begun');
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
    my $stub = Stub->new;
    my @hosts =
        Amount::some(2, '../etc', 'web1', "caf\xc3\xa9", 'web 2', '$(x)', '<script>', "\xff\xfe", 'x' x 200);
    my %name;
    for my $host (@hosts) {
        my $got = $stub->run([ qw(fleet once k68 --as), $host, qw(--quick -c 1 pipe) ]);
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

# What a kernel takes as the name of a machine, and the name that it has here.
my @OWN_NAMES = (
    [ '',                     'unknown' ],
    [ ' ',                    'unknown' ],
    [ "a\nb",                 'a?b' ],
    [ "\e[31mred",            '?[31mred' ],
    [ "\x00\x7f\t",           '???' ],
    [ "\xff\xfe",             '??' ],
    [ 'x' x 255,              'x' x 200 ],
    [ 'x' . "\xc3\xa9" x 127, 'x' . "\xc3\xa9" x 99 ],
    [ 'web1',                 'web1' ]
);

subtest 'a machine has one name, a line of text, whatever its kernel says' => sub {
    my @system = POSIX::uname();
    for my $case (Amount::some(3, @OWN_NAMES)) {
        my ($says, $name) = @$case;
        my $stub = Stub->new;
        no warnings 'redefine';
        local *POSIX::uname = sub { return ($system[0], $says, @system[ 2 .. 4 ]) };
        my $shown = $name =~ s/[^ -~]/~/gr =~ s/x{9,}/xxx/r;
        my @words = qw(fleet once k68 --quick -c 1 pipe);
        my ($first, $second) = map { said($stub->run(\@words)) } 1, 2;
        like($first, qr/\A0 k68[.][0-9a-f]{16}[.]1\z/, "$shown: it is measured");
        is($second, $first, 'once');
        my $record = $stub->record($first =~ s/\A0 //r);
        my $state  = JSON::PP->new->utf8->decode($stub->run([qw(fleet state k68)])->{out});
        my @names  = ($record->{host}{name}, $record->{campaign}{host}, $state->{host});
        utf8::encode($_) for @names;
        is_deeply(\@names, [ ($name) x 3 ], 'and has its name in the record and in its state');
    }
};

subtest 'a run that was cut off is resumed by the same words' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS, pipe => 'measure,measure,cut');
    my $state = state_of($stub);
    is("$state->{state} $state->{pass} $state->{of}",    'cut off 2 7', 'the state tells it');
    is(said($stub->run([qw(fleet give k68 --as web1)])), '1 ',          'there is nothing to give');
    is(said(once($stub, \@WORDS, pipe => 'measure')),    "0 $KEY.1",    'the record is there');
    is(passes_of($stub->record("$KEY.1")),               $ALL,          'with each pass once');
    is($stub->calls('pipe'), 8,             'only the pass that was cut off was measured again');
    is(files($stub),         "$KEY.1.json", 'there is one record');
};

subtest 'a run that ends while it is looked at has ended' => sub {
    my $stub = Stub->new;
    my $runs = "$stub->{results}/.runs";
    my $who  = Touchstone::Pack::Fleet::CampaignRun::identity('k68', 'web1');
    once($stub, \@WORDS, pipe => 'measure,measure,cut');
    my $journal = Fake::read_file("$runs/$KEY.1.jsonl");
    once($stub, \@WORDS);
    rename "$runs/$KEY.1.json", "$stub->{results}/ended" or die "cannot rename: $!\n";
    Fake::write_file("$runs/$KEY.1.jsonl", $journal);
    is(Touchstone::Pack::Fleet::CampaignRun::look($runs, $who, 1)->{state}, 'cut off', 'it has not ended');
    no warnings 'redefine';
    my $looks = 0;
    local *Touchstone::Pack::Fleet::CampaignRun::is_held = sub {
        return 0 if $looks++;
        rename "$stub->{results}/ended", "$runs/$KEY.1.json" or die "cannot rename: $!\n";
        unlink "$runs/$KEY.1.jsonl";
        return 0;
    };
    is(Touchstone::Pack::Fleet::CampaignRun::look($runs, $who, 1)->{state},
        'ended', 'between the record and the lock');
};

subtest 'the state counts passes of all copy counts, but not of tests that failed' => sub {
    my $stub  = Stub->new;
    my @words = qw(--as web1 --quick -c 1 -c 2 --seed 7 pipe);
    once($stub, \@words, pipe => ('measure,' x 9) . 'cut');
    my $state = state_of($stub);
    is("$state->{pass} $state->{of}", '9 14', 'in the second of two');
    cmp_ok($state->{seconds}, '>', 0, 'it has seconds left');
    is(state_of($stub, qw(fleet wait k68))->{pass}, 9, 'and fleet wait returns at once');
    $stub = Stub->new;
    once($stub, [ @WORDS, 'syscall' ], syscall => 'exit 3', pipe => ('measure,' x 5) . 'cut');
    $state = state_of($stub);
    is("$state->{pass} $state->{of}", '5 7', 'syscall has none to come');
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
    is(said(once($stub, [ qw(--run 2), @WORDS ])),            "0 $KEY.2",                'two are asked for');
    is(files($stub),                                          "$KEY.1.json $KEY.2.json", 'two are there');
    is(said(once($stub, [ '--run', $_, @WORDS ])),            "0 $KEY.$_", "run $_") for 1, 2;
    is($stub->calls('pipe'),                                  14,          'nothing is measured again');
    is(said(once($stub, [ qw(--run 3), @WORDS ])),            "0 $KEY.3",  'a third is measured');
    is(state_of($stub, qw(fleet state k68 --run 2))->{name},  "$KEY.2",    'the state of the second');
    is(state_of($stub, qw(fleet state k68 --run 4))->{state}, 'none',      'and of a fourth');
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
        qr/'\Q$KEY\E\.1' measures pipe with -c 1 \(quick schedule\), and these arguments ask for syscall/,
        'says what is there'
    );
    is(said(once($stub, [qw(--as web1 --quick -c 2 pipe)])), '2 ', 'copies too');
    is(said(once($stub, [qw(--as web1 -c 1 pipe)])),         '2 ', 'and the schedule');
    is(said(once($stub, [qw(--as web1 -c 1 no-such-test)])), '2 ', 'and a test that is none');
    is(said($stub->run([qw(fleet once other --as web1 --quick -c 1 syscall)])) =~ s/\..*//r,
        '0 other', 'another campaign has a record of its own');
};

subtest 'a record can be had by its digest, or whole through a log' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS);
    my ($sum, $size, $path) = split / /, $stub->run([qw(fleet give k68 --as web1)])->{out}, 3;
    chomp $path;
    is($path, "$stub->{results}/.runs/$KEY.1.json", 'its path');
    my $text = Fake::read_file($path);
    is("$sum $size", Digest::SHA::sha256_hex($text) . ' ' . length $text, 'its digest and size');
    my $state = state_of($stub);
    is(join(' ', @$state{qw(sha256 size file)}), "$sum $size $path", 'the state has the same');
    my $lines = $stub->run([qw(fleet give k68 --as web1 --whole)])->{out};
    is_deeply(
        [
            map { Touchstone::Pack::Fleet::LogEncoding::joined($_) }
                Touchstone::Pack::Fleet::LogEncoding::read($lines)
        ],
        [ { name => "$KEY.1", text => $text } ],
        'whole'
    );
    my $none = $stub->run([qw(fleet give k68 --as web1 --run 2 --whole)]);
    is(said($none), '1 ', 'what is not there');
    like($none->{err}, qr/: no record of 'web1' for the campaign 'k68', run 2: it has not been measured$/m,
        'is said');
};

# Changes the journal of an attempt.
sub edit {
    my ($stub, $attempt, $from, $to) = @_;
    my $file = "$stub->{results}/.runs/$KEY.$attempt.jsonl";
    my $text = Fake::read_file($file);
    $text =~ s/$from/$to/ or die "'$from' is not in the journal\n";
    Fake::write_file($file, $text);
    return $text;
}

subtest 'what cannot be resumed stays, and the next attempt begins' => sub {
    my %changes = (
        'another kernel'       => [ qr/"release": "[^"]*"/, '"release": "5.10.0-old"' ],
        'no record at all'     => [ qr/\A.*\n/,             qq({"record": 7}\n) ],
        'damage in its middle' => [ qr/\n.*?\n/,            "\nnonsense\n" ],
    );
    for my $what (sort keys %changes) {
        my $stub = Stub->new;
        once($stub, \@WORDS, pipe => 'measure,measure,cut');
        my $text = edit($stub, 1, @{ $changes{$what} });
        my $got  = once($stub, \@WORDS, pipe => 'measure');
        is(said($got), "0 $KEY.2", "$what: the second attempt has a record");
        like($got->{err}, qr/^# attempt 1 stays as it is, and attempt 2 begins$/m, 'which is said');
        unlike($got->{err}, qr/aborting/, 'as no failure');
        is(files($stub), "$KEY.1.jsonl $KEY.2.json",                      'both are there');
        is(Fake::read_file("$stub->{results}/.runs/$KEY.1.jsonl"), $text, 'the first as it was');
        my $record = $stub->record("$KEY.2");
        is("$record->{campaign}{attempt} " . passes_of($record), "2 $ALL",   'the second is whole');
        is(said(once($stub, \@WORDS)),                           "0 $KEY.2", 'the same words then name it');
        is(state_of($stub)->{name},                              "$KEY.2",   'and so does the state');
    }
};

subtest 'what is missing for the rest of a run is no reason to begin anew' => sub {
    my $fake = Fake->new;
    my $run  = $fake->start([ qw(fleet once k68), @WORDS ], does => { pipe => 'measure,measure,hang' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    unlink "$fake->{bin}/pipe" or die "cannot remove a program: $!\n";
    my $got = once($fake, \@WORDS);
    is(said($got), '1 ', 'the status');
    like($got->{err}, qr/: cannot resume '\Q$KEY\E\.1': .*the program '.*pipe' is missing/,
        'what is missing');
    is(files($fake), "$KEY.1.jsonl", 'the journal stays');
    symlink $Fake::PROGRAM, "$fake->{bin}/pipe" or die "cannot make a link: $!\n";
    is(said(once($fake, \@WORDS)),         "0 $KEY.1", 'and is resumed when it is there again');
    is(passes_of($fake->record("$KEY.1")), $ALL,       'with each pass once');
};

subtest 'a record that cannot be read stays, and the next attempt begins' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS);
    Fake::write_file("$stub->{results}/.runs/$KEY.1.json", '{ "format": 1');
    is(state_of($stub)->{state}, 'cut off', 'it has not ended');
    my $got = once($stub, \@WORDS);
    is(said($got), "0 $KEY.2", 'the second attempt has a record');
    like($got->{err}, qr/^# '.*\.1\.json' is not a run record: /m, 'why is said');
};

subtest 'the second attempt can be cut off, too' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS, pipe => 'measure,measure,cut');
    edit($stub, 1, qr/"release": "[^"]*"/, '"release": "5.10.0-old"');
    once($stub, \@WORDS, pipe => 'measure,measure,measure,measure,cut');
    my $state = state_of($stub);
    is("$state->{state} $state->{attempt} $state->{pass}", 'cut off 2 1', 'it is the one that counts');
    is(said(once($stub, \@WORDS, pipe => 'measure')),      "0 $KEY.2",    'and is resumed');
    is(passes_of($stub->record("$KEY.2")),                 $ALL,          'with each pass once');
    is(said(once($stub, [ qw(--run 2), @WORDS ])),         "0 $KEY.3", 'a second run is the third attempt');
};

subtest 'a journal that has no whole line is one that was just begun' => sub {
    for my $text ('', '{"record": {"format": 1, "na', "\0" x 4096) {
        my $stub = Stub->new;
        once($stub, \@WORDS, pipe => 'cut');
        Fake::write_file("$stub->{results}/.runs/$KEY.1.jsonl", $text);
        is(state_of($stub)->{state},   'none',        length($text) . ' bytes are no run');
        is(said(once($stub, \@WORDS)), "0 $KEY.1",    'the first attempt is made');
        is(files($stub),               "$KEY.1.json", 'and there is nothing else');
    }
};

subtest 'no clock has a say in it' => sub {
    my $YEAR = 366 * 86_400;
    for my $off (-$YEAR, $YEAR) {
        my $stub = Stub->new;
        my %at   = (at => { wall => sub { time + $off } });
        my $once = sub { $stub->run([ qw(fleet once k68), @WORDS ], %at, does => { pipe => $_[0] }) };
        $once->('measure,measure,stop TERM');
        my $file = "$stub->{results}/.runs/$KEY.1";
        utime((time + $off) x 2, "$file.json");
        $once->('measure,measure,measure,measure,cut');
        utime((time - $off) x 2, "$file.jsonl");
        is(state_of($stub)->{pass}, 3, "$off s: all passes are there");

        # It was killed when the journal had its name and the record was not yet gone, and again at the end.
        Fake::write_file("$file.json", $stub->run([ 'report', "$file.jsonl", qw(--format json) ])->{out});
        Fake::write_file("$file.json", Fake::read_file("$file.json") =~ s/"resumed": \[\d+\]/"resumed": []/r);
        utime((time + $off) x 2, "$file.json");
        is(said($once->('measure')),           "0 $KEY.1", 'the record is made');
        is(passes_of($stub->record("$KEY.1")), $ALL,       'with each pass once');
        Fake::write_file("$file.jsonl", qq({"record": {}}\n));
        utime((time + $off) x 2, "$file.json");
        is(said($once->('measure')), "0 $KEY.1",    'what ended has ended');
        is(files($stub),             "$KEY.1.json", 'and its journal is gone');
    }
};

# Runs ./Run where no file may have more than so many blocks of 512 bytes: an error like a full disk.
sub confined {
    my ($fake, $blocks) = @_;
    my @shell = ('sh', '-c', "ulimit -f $blocks; exec \"\$@\"", 'sh');
    return $fake->run([ qw(fleet once k68), @WORDS ], command => [ @shell, @Fake::RUN ]);
}

subtest 'on a full disk a sentence says so, and the next call ends the run' => sub {
    my $fake = Fake->new;
    my $got  = confined($fake, 1);
    is(said($got), '1 ', 'nothing could be written');
    like(
        $got->{err},
        qr/: cannot write '.*\.jsonl': File too large .* raise it with 'ulimit -f unlimited'/,
        'with a remedy'
    );
    is(files($fake), '', 'nothing is left');
    $got = confined($fake, 24);
    is(said($got), '1 ', 'the record could not be written');
    like($got->{err}, qr/cannot write '.*\.json': File too large/, 'which is said');
    is(state_of($fake)->{state},           'cut off',  'the journal stays');
    is(said(once($fake, \@WORDS)),         "0 $KEY.1", 'the next call ends it');
    is(passes_of($fake->record("$KEY.1")), $ALL,       'with each pass once');
};

subtest 'a Perl without zlib gives no record for a log' => sub {
    my $fake = Fake->new;
    once($fake, \@WORDS);
    mkdir "$fake->{home}/Compress" or die "cannot make a directory: $!\n";
    Fake::write_file("$fake->{home}/Compress/Zlib.pm", 'die "there is none\n"');
    my $got = $fake->run([qw(fleet give k68 --as web1 --whole)],
        command => [ $^X, "-I$fake->{home}", "$Fake::BASE/Run" ]);
    is(said($got), '1 ', 'it fails');
    like($got->{err}, qr/: this Perl has no Compress::Zlib\n.*perl-IO-Compress/, 'with a remedy');
};

subtest 'detached, the name of a record that is there is all' => sub {
    my $stub = Stub->new;
    once($stub, \@WORDS, pipe => 'exit 3');
    is(said(once($stub, [ @WORDS, '--detach' ])), "0 $KEY.1", 'with exit status 0');
};

subtest 'what does not go with a campaign is refused' => sub {
    my $fake = Fake->new;
    my $got  = $fake->run([ qw(fleet once k68), @WORDS ], env => { UB_OUTPUT_FILE_NAME => 'mine' });
    is(said($got), '2 ', 'a name of the reports');
    like(
        $got->{err},
        qr/: fleet once names its record itself: leave UB_OUTPUT_FILE_NAME out$/m,
        'with a reason'
    );
    is(said($fake->run([ qw(fleet once k68), @WORDS, $_ ])), '2 ', $_) for qw(self-compare --whole browse);
    $got = $fake->run([ qw(fleet once k68 --dry-run), @WORDS ]);
    is($got->{status}, 0, 'a dry run');
    like($got->{out}, qr/^1 test, 1 copy\W+6 short rounds/, 'says what would be measured');
    ok(!-e $fake->{results}, 'and nothing is written');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl has not complained');

done_testing;
