#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run when something is wrong: with the words, the places, the programs or stored files.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use Stub;
use Touchstone::Machine::Command;

# A message is `Run: `, then a small letter or the name of a variable. It has no full stop at the end and no
# control character.
sub is_message {
    my ($text, $what) = @_;
    like($text, qr/^Run: (?:UB_|[^A-Z\n])[^\n]*[^.\n]$/m, "$what: a message of ours");
    ok($text !~ /[\x00-\x09\x0b-\x1f\x7f]/, "$what: and printable");
    return;
}

sub results_of { my ($fake) = @_; return -e $fake->{results} ? [ Fake::entries($fake->{results}) ] : [] }

subtest 'a usage error names option, value and what is allowed, and exits with 2' => sub {
    my $fake  = Stub->new;
    my %wrong = (
        '-c 0'            => qr/-c needs a whole number from 1 to 1000000, not '0'/,
        '-c x'            => qr/-c needs .*, not 'x'/,
        '-c 1.5'          => qr/-c needs .*, not '1\.5'/,
        '-i -1'           => qr/-i needs .*, not '-1'/,
        '-i 0'            => qr/-i needs .*, not '0'/,
        '-c -4'           => qr/-c needs .*, not '-4'/,
        '-c'              => qr/-c needs a value: a whole/,
        '--copies 0x10'   => qr/-c needs .*, not '0x10'/,
        '-c 1 -c two'     => qr/-c needs .*, not 'two'/,
        '--seed'          => qr/--seed needs a value: a whole/,
        '--pin somewhere' => qr/--pin needs none, spread, pack .*, not 'somewhere'/,
        '--pin 99999'     => qr/--pin cannot use CPU 99999: usable are \d/,
        '--quack'         => qr{unknown option '--quack'\n(?:did you mean .*\n)?try: \./Run help measure},
        '-x'              => qr/unknown option '-x'/,
        '--quick -i 3'    => qr/--quick and -i cannot be combined/,
        'report x --format pdf' => qr/--format of a report needs text, markdown.*, not 'pdf'/,
        '--json'                => qr/unknown option '--json'\nit is an option of list/,
        '--quick=3'             => qr/--quick takes no value/,
    );
    for my $words (sort keys %wrong) {
        my $got = $fake->run([ split ' ', $words ]);
        is("$got->{status} $got->{out}", '2 ', "'$words': exit status 2 and no output");
        like($got->{err}, $wrong{$words}, "'$words': the message");
        is_message($got->{err}, "'$words'");
    }
    is_deeply(results_of($fake), [], 'nothing is stored');
};

subtest 'an unknown test is answered with the nearest names' => sub {
    my $fake = Stub->new;
    my %near = (
        pip       => "'pipe'",
        shel1     => "'shell1'",
        dhry2regg => "'dhry2reg'",
        Fstime    => "'fstime'",
        conetxt1  => "'context1'"
    );
    for my $word (sort keys %near) {
        my $got = $fake->run([ 'pipe', $word ]);
        is("$got->{status} $got->{out}", '2 ', "$word: exit status 2 and no output");
        like(
            $got->{err},
            qr/^Run: unknown test '$word'\n.*$near{$word}.*list/s,
            "$word: what was meant, and where all are"
        );
    }
    my $got = $fake->run(["no\e[31m such\ntest"]);
    is($got->{status}, 2, 'nothing near: exit status 2');
    is_message($got->{err}, 'nothing near');
};

subtest 'a place that cannot be written to ends the run before anything is measured' => sub {
    my $fake = Fake->new;
    Fake::write_file("$fake->{dir}/file", "a file\n");
    my %place = (UB_RESULTDIR => [ 'file', 'file/results' ], UB_TMPDIR => [ 'file', 'file/tmp' ]);
    my ($locked) = map { mkdir $_; chmod 0555, $_; $_ } "$fake->{dir}/locked";
    push @{ $place{$_} }, 'locked' for -w $locked ? () : keys %place;
    for my $variable (sort keys %place) {
        for my $name (@{ $place{$variable} }) {
            my $got = $fake->run([qw(--quick -c 1 pipe)], env => { $variable => "$fake->{dir}/$name" });
            is("$got->{status} $got->{out}", '1 ', "$variable=$name: exit status 1 and no output");
            like(
                $got->{err},
                qr/\Q$fake->{dir}\/$name\E.*: (?:Not a directory|File exists|Permission denied).*\n.*$variable/,
                "$variable=$name: place, cause and remedy"
            );
            is_message($got->{err}, "$variable=$name");
        }
    }
    is_deeply([ Fake::entries($fake->{state}) ], [], 'no program was started');
    is(Fake::read_file("$fake->{dir}/file"), "a file\n", 'the file is as it was');
};

subtest 'a report that cannot be written is an error, and the others are written' => sub {
    my $fake = Fake->new;
    mkdir $_ or die "cannot make '$_': $!\n" for $fake->{results}, "$fake->{results}/run.html";
    my $got = $fake->run([qw(--quick -c 1 pipe)], env => { UB_OUTPUT_FILE_NAME => 'run' });
    is($got->{status}, 1, 'exit status 1');
    like($got->{err}, qr/^Run: cannot write '\Q$fake->{results}\E\/run\.html': Is a directory; aborting\n\z/m,
        'the message');
    is_deeply([ Fake::entries($fake->{results}) ], [qw(.runs run run.html run.log)], 'the other files');
    is(Fake::report($got->{out}), Fake::read_file("$fake->{results}/run"), 'the report is printed');
};

subtest 'UB_OUTPUT_FILE_NAME cannot leave the directory for results' => sub {
    my $fake = Stub->new;
    for my $name ('../x', 'a/b', '.hidden', "a\nb") {
        my $got = $fake->run([qw(--quick -c 1 pipe)], env => { UB_OUTPUT_FILE_NAME => $name });
        is($got->{status}, 1, 'exit status 1');
        is_message($got->{err}, 'a name with what no name has');
        is_deeply([ grep { $_ ne '.runs' } @{ results_of($fake) } ], [], 'nothing is stored');
    }
};

subtest 'a damaged file of baselines is named with its line, and nothing is overwritten' => sub {
    my $fake   = Stub->new;
    my %before = (UB_OUTPUT_FILE_NAME => 'run');
    $fake->run([qw(--quick -c 1 pipe)], env => \%before);
    my $report = Fake::read_file("$fake->{results}/run");
    my %damage = (
        "# fine\npipe|10|lps|12440|12440|10\nsyscall|10|lps|many|15000|10\n" => 3,
        "pipe|10|lps|12440\n"                                                => 1,
        "pipe|10|lps|0|0|10\n"                                               => 1,
        "\npipe|10|lps|1|1|10\npipe|10|lps|2|2|10\n"                         => 3,
        "\x00\xff\n"                                                         => 1
    );
    for my $text (sort keys %damage) {
        Fake::write_file("$fake->{bin}/index.base", $text);
        my $got = $fake->run([qw(--quick -c 1 syscall)], env => \%before);
        is("$got->{status} $got->{out}", '1 ', 'exit status 1 and no output');
        like(
            $got->{err},
            qr/^Run: '\Q$fake->{bin}\E\/index\.base' line $damage{$text}: /,
            "file and line $damage{$text}"
        );
        is_message($got->{err}, 'the damage');
    }
    is(Fake::read_file("$fake->{results}/run"), $report, 'the report of before is as it was');
    is_deeply([ Fake::entries("$fake->{results}/.runs") ], ['run.json'], 'and its record is there');
};

subtest 'what is no record is no record' => sub {
    my $fake = Stub->new;
    my $good = Fake::read_file("$Fake::BASE/t/golden/record.json");
    my %bad  = (
        'empty'    => [ '',                                  qr/line 1: / ],
        'a report' => [ "   BYTE UNIX Benchmarks\n",         qr/line 1: / ],
        'half'     => [ substr($good, 0, length($good) / 2), qr/line \d+: / ],
        'a comma'  => [ $good =~ s/("rounds": 1),/$1,,/r,    qr/line \d+: / ],
        'format 3' =>
            [ $good =~ s/"format": 2/"format": 3/r, qr/its format is 3, this version reads format 2/ ],
        'format 1' => [
            $good =~ s/"format": 2/"format": 1/r,
            qr/a development version made it \(its format is 1\): measure again/
        ],
        'a list'       => [ "[1, 2]\n",                                qr/it is not an object/ ],
        'no passes'    => [ $good =~ s/"passes": \[\n.*?^  \],\n//msr, qr/'passes' is missing/ ],
        'a text count' => [
            $good =~ s/"counts": \[\d+\]/"counts": ["many"]/r, qr{'passes/1/counts/1' is missing or wrong}
        ],
        'lengths' => [ $good =~ s/"times": \[10\]/"times": [10, 10]/r, qr/.*lists of different lengths/ ],
        'hostile' => [
            $good =~ s/"times": \[10\]/"times": [1, 2]/r =~
                s/"test": "pipe"/"test": "\\u001b[31m\\u009b31m"/gr,
            qr/.*lists of different lengths/
        ],
        'deep' => [ '[' x 100_000, qr/line 1: nested too deeply/ ],
    );
    for my $name (sort keys %bad) {
        my ($text, $message) = @{ $bad{$name} };
        Fake::write_file("$fake->{dir}/$name.json", $text);
        my $got = $fake->run([ 'report', "$fake->{dir}/$name" ]);
        is("$got->{status} $got->{out}", '2 ', "$name: exit status 2 and no output");
        like(
            $got->{err},
            qr/^Run: '\Q$fake->{dir}\/$name\E\.json' is not a run record: $message/,
            "$name: the file and what is wrong"
        );
        is_message($got->{err}, $name);
    }
    like(
        $fake->run([qw(report nothing)])->{err},
        qr/^Run: no run 'nothing' here or in '\Q$fake->{results}\E/,
        'a run that is not there'
    );
    is($fake->run([ 'report', $fake->{dir} ])->{status}, 2, 'a directory is none');
};

# Runs two tests, one of which fails in some way; the other must be reported.
sub with_bad_pipe {
    my ($does, %also) = @_;
    my $fake = ($also{of} // 'Stub')->new;
    unlink "$fake->{bin}/pipe" if $does eq 'missing';
    my $got =
        $fake->run([ qw(--quick -c 2 pipe syscall), @{ $also{words} || [] } ], does => { pipe => $does });
    is($got->{status}, 1, "$does: exit status 1");
    unlike($got->{out}, qr/^Pipe/m, "$does: it has no row");
    like(
        $got->{out},
        qr/^System Call Overhead +3781552\.6 lps .*\n\nSystem Benchmarks Partial Index .*\nSystem Call Overhead/m,
        "$does: the other test is there"
    );
    like($got->{out}, qr/^System Benchmarks Index Score \(Partial Only\)/m, "$does: the index is partial");
    is_deeply($fake->alive, [], "$does: no process is left");
    my @others = grep { !/\ARun: / } split /\n/, $got->{err};
    is_deeply([ grep { !/\A[#a-z ]/ || /lps|MWIPS |Index Score|of tests|aborting|COUNT|Dhrystone/ } @others ],
        [], "$does: nothing looks like a result");
    return ($got, $fake);
}

subtest 'a test that fails does not keep the others from being measured' => sub {
    my %cause = (
        'exit 3'                     => qr/copy [12] of 2: exit status 3: out of cheese/,
        'signal KILL'                => qr/killed by signal 9 \(SIGKILL\)/,
        nothing                      => qr/printed no result/,
        missing                      => qr/the program '.*\/pipe' is missing/,
        'lines COUNT|many|1|lps'     => qr/printed rubbish/,
        'lines Dhrystone'            => qr/printed no result/,
        'lines ERROR|no cheese'      => qr/no cheese/,
        "lines ERROR|\e[31m\x9b red" => qr/red/,
        'measure,measure,exit 3'     => qr/exit status 3/,
    );
    for my $does (sort keys %cause) {
        my ($got, $fake) = with_bad_pipe($does, of => $does =~ /3\z|KILL/ ? 'Fake' : 'Stub');
        like($got->{err}, qr/^# pipe failed: .*$cause{$does}/m, 'its cause is told');
        like($got->{err}, qr/^Run: pipe failed; aborting\n\z/m, 'the end says so');
        ok("$got->{err}$got->{out}" !~ /[\x00-\x09\x0b-\x1f\x7f]/, 'all of it is printable');
        my ($failure) = @{ $fake->record->{failures} };
        like($failure->{why}, $cause{$does}, 'the record has it');
        like(
            $fake->run([ 'report', ($fake->names)[0], '--format', $_ ])->{out},
            qr{pipe failed|<b>Failed:</b> pipe},
            "the $_ report has it"
        ) for qw(log html);
    }

};

subtest 'a test that cannot run here is skipped with the reason' => sub {
    my ($got, $fake) = with_bad_pipe('skip');
    like($got->{err}, qr/^# pipe skipped: this machine has no cheese$/m, 'the reason is told');
    like($got->{err}, qr/^Run: pipe was skipped; aborting\n\z/m,         'the end says so');
    is($fake->record->{skipped}[0]{why}, 'this machine has no cheese', 'the record has it');
    my $path = "$fake->{dir}/path";
    mkdir $path;
    symlink $^X, "$path/perl";
    my $without = $fake->run([qw(--quick -c 1 dc pipe)], env => { PATH => $path });
    like(
        $without->{err},
        qr/^# dc skipped: 'dc' is not installed; install the package dc$/m,
        'a missing tool: it and its package'
    );
    is($without->{status}, 1, 'exit status 1');
};

subtest 'a pass in which a copy had no turn is repeated with a longer window, and so are those that follow' =>
    sub {
    my $windows = sub {
        my ($fake) = @_;
        return join ' ', map { "$_->{round}:$_->{window}" } grep { $_->{round} } @{ $fake->record->{passes} };
    };
    my $fake = Stub->new;
    my $got  = $fake->run([qw(--quick -c 2 pipe)],
        does => { pipe => 'second-idle,measure,second-idle,second-idle,measure' });
    is($got->{status}, 0, 'exit status 0') or diag($got->{err});
    like($got->{err}, qr/^# pipe with 2 copies: copy 2 of 2 had no turn within 0\.15 s, again with 0\.3 s$/m,
        'it is said');
    is(
        $windows->($fake),
        '1:0.15 ' . join(' ', map { "$_:0.6" } 2 .. 6),
        'twice as long each time, and no round is lost; a warm-up is not repeated'
    );

    $got = $fake->run([qw(-i 2 -c 2 pipe)], does => { pipe => 'second-idle,measure' });
    is("$got->{status} " . $windows->($fake), '0 1:10 2:10', 'the classic schedule keeps its seconds');

    $got = $fake->run([qw(--quick -c 2 pipe)], does => { pipe => 'second-idle' });
    is($got->{status}, 1, 'again and again: exit status 1');
    like(
        $got->{err},
        qr/^# pipe failed: copy 2 of 2: counted 0: no turn in 4 passes, the last of 1\.2 s; run fewer copies, or longer windows \(-i\)$/m,
        'cause and remedy'
    );

    $got = $fake->run([qw(--quick -c 2 pipe)], does => { pipe => 'channel COUNT|0|1|lps' });
    like(
        $got->{err},
        qr/^# pipe failed: copy [12] of 2: counted 0$/m,
        'copies of which none counts fail at once'
    );
    };

subtest 'all tests may fail' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([qw(-q --quick -c 1 pipe spawn)], does => { pipe => 'exit 1', spawn => 'nothing' });
    is($got->{status}, 1, 'exit status 1');
    like($got->{err}, qr/^Run: pipe failed, spawn failed; aborting\n\z/m, 'errors are printed');
    unlink "$fake->{bin}/pipe";
    $got = $fake->run([qw(--quick -c 1 pipe)]);
    is($got->{status}, 1, 'nothing to run: exit status 1');
    like($got->{out}, qr/^={72}\n   BYTE UNIX Benchmarks/m, 'there is a report');
};

subtest 'odd names of directories are names like others' => sub {
    my $odd  = qq{a b"c'd<e>&f\$(g);h\xc3\xa4%n\\o};
    my $fake = Fake->new(name => $odd);
    my $got  = $fake->run([qw(--quick -c 2 pipe shell1)]);
    is($got->{status}, 0, 'programs, results and work') or diag($got->{err});
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'no work directory is left');
    is(
        $fake->run([ 'report', ($fake->names)[0] ])->{out},
        Fake::report($got->{out}),
        'the record can be read'
    );
    ok(Fake::read_file("$fake->{results}/" . ($fake->names)[0] . '.html') !~ /<e>/,
        'the page has no raw name');

    my $tree = "$fake->{dir}/tree";
           system('mkdir', '-p', $tree) == 0
        && system('cp', '-RL', (map { "$Fake::BASE/$_" } qw(Run lib Makefile)), $fake->{testdir}, $tree) == 0
        && system('cp', '-R', $fake->{bin}, "$tree/pgms") == 0
        && system('cp', "$Fake::BASE/pgms/index.base", "$tree/pgms") == 0
        or die "cannot copy the tree\n";
    my $there = $fake->run(
        [qw(--quick -c 1 pipe shell1)],
        env     => { map { $_ => undef } qw(UB_BINDIR UB_RESULTDIR UB_TMPDIR UB_TESTDIR) },
        command => [ $^X, "-I$Fake::BASE/t/lib", "-I$tree/lib", '-MQuiet', "$tree/Run" ]
    );
    is($there->{status},                      0, 'the tree itself') or diag($there->{err});
    is(scalar Fake::entries("$tree/results"), 4, 'its results are in it');
    ok(!-e "$tree/tmp", 'its work directory is gone');
};

subtest 'no space in the work directory is found before measuring' => sub {
    my $fake  = Fake->new;
    my @small = (
        'unshare', '-rm', '/bin/sh', '-c', 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"',
        'sh',      $fake->{tmp}
    );
    plan skip_all => 'no small file system can be mounted here'
        if !Touchstone::Machine::Command::find('unshare')
        || system("@small[0..3] true >/dev/null 2>&1") != 0
        || system(join(' ', map { "'$_'" } @small) . ' true 2>/dev/null') != 0;
    my $got = $fake->run([qw(--quick -c 1 fstime pipe)], command => [ @small, @Fake::RUN ]);
    is($got->{status}, 1, 'exit status 1');
    like(
        $got->{err},
        qr/^# fstime skipped: not enough space in '\Q$fake->{tmp}\E': 4000 KB needed, \d+ KB free; try: UB_TMPDIR=\S+ \S+$/m,
        'cause and remedy'
    );
    like($got->{out}, qr/^Pipe Throughput/m, 'what needs no space is measured');
    is(
        join(' ',
            sort { $a <=> $b }
                $fake->run([qw(--quick -c 1 -c 3 commit disk-read)], command => [ @small, @Fake::RUN ])->{err}
                =~ /(\d+) KB needed/g),
        '60000 262200',
        'each copy writes what it writes, but what is kept is written once for all'
    );
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
