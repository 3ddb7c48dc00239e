# SPDX-License-Identifier: GPL-2.0-or-later
# The program hash run by hand: it measures three ways to hash, a wrong digest in any of them gives no
# result, and neither a command nor a part of a file is left behind, whatever ends the program.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use Digest::SHA ();
use Fcntl qw(F_SETFD);
use File::Temp ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib', 'lib';
use ByHand;
use NoWarnings;
use Programs;
use Waiting;
use Sources ();
use Touchstone::Machine::Command;

use constant { SECONDS => 0.03, BYTES => 1_000_000 };

# The SHA-256 of the first 1,000,000 bytes, which are the same on every machine.
use constant CONTENTS => 'b3d0a1f7938cd4d8413a4dcffd4313e2e8ac0cb61cb1090eb140ea8e9154befb';

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES OPENSSL_CONF)};
my $PATH   = $ENV{PATH};
my $NUMBER = qr/\d+(?:\.\d+)?/;
my $ABOVE  = qr/(?!0(?:\.0+)?[|\n])$NUMBER/;
my %LENGTH = (md5 => 32, sha256 => 64, sha512 => 128);
my @ALL    = sort keys %LENGTH;
my %REAL   = map { $_ => Touchstone::Machine::Command::find("${_}sum") } @ALL;
plan skip_all => 'not all of md5sum, sha256sum and sha512sum are here' if grep { !defined } values %REAL;

# $here is the working directory, which must be empty after every test; $data has the file.
my $here = File::Temp->newdir;
my $data = File::Temp->newdir;

sub entries {
    my ($dir) = @_;
    opendir my $in, $dir or die "cannot open '$dir': $!\n";
    return join ' ', sort grep { !/\A\.\.?\z/ } readdir $in;
}

sub in_place { return run('sh', '-c', 'cd "$0" && exec "$@"', "$here", @_) }
sub hash     { return in_place(Programs::path('hash'), @_) }

my ($status, $err, $facts) = hash('--facts');
our $with = $facts !~ /^libcrypto=none$/m;

my $LIBRARY = qr/FIGURE\|file\|$ABOVE\|MBps\nFIGURE\|memory\|$ABOVE\|MBps\n/;
my $WITHOUT = join '',
    map { quotemeta "MISSING|$_|built without libcrypto (package libssl-dev)\n" } qw(file memory);
my $COMMAND =
    qr/COUNT\|$ABOVE\|0\|MBps\nTIME\|$ABOVE\nCPU\|$NUMBER\|$NUMBER\nPREEMPTED\|\d+\nSLEPT\|\d+\nFAULTS\|\d+\|\d+\n/;

sub is_hashed {
    my ($what, $bytes, @got) = @_;
    my $library = $with ? $LIBRARY : $WITHOUT;
    is($got[0], 0, "$what: exit 0");
    like(
        $got[1],
        qr/\AFIGURE\|bytes\|$bytes\nFIGURE\|runs\|[1-9]\d*\n$library$COMMAND\z/,
        "$what: the rates of three and nothing else"
    );
    is(entries("$here"), '', "$what: nothing is left in the working directory");
    return;
}

# Makes a directory whose command md5sum is this script, in which $REAL is the real one.
sub fake {
    my ($script, $mode) = @_;
    state $n = 0;
    my $bin = "$work/bin" . $n++;
    mkdir $bin or die "cannot make '$bin': $!\n";
    Sources::spew("$bin/md5sum", "#!/bin/sh\n$script\n");
    chmod $mode // 0755, "$bin/md5sum" or die "cannot change '$bin/md5sum': $!\n";
    return $bin;
}

# Runs md5 with such a command before the others in PATH, for as long as its failure takes.
sub with_fake {
    my ($script, $seconds) = @_;
    local @ENV{qw(PATH REAL STATE)} = (fake($script) . ":$PATH", $REAL{md5}, "$work/state");
    unlink "$work/state";
    return hash($seconds, 'md5', "$data", BYTES);
}

# --- what is measured

subtest 'each algorithm is measured in three ways' => sub {
    is_hashed($_,                         BYTES, hash(SECONDS,    $_,       "$data", BYTES)) for @ALL;
    is_hashed('at least one run of each', BYTES, hash('0.000001', 'sha512', "$data", BYTES));
};

subtest 'the first makes a file that is the same everywhere, and others find it' => sub {
    is(entries("$data"), 'data data.lock', 'a file and its lock');
    my @before = (stat "$data/data")[ 1, 7, 9 ];
    is($before[1],                                              BYTES,    'as large as was asked for');
    is(Digest::SHA->new(256)->addfile("$data/data")->hexdigest, CONTENTS, 'its bytes');
    sleep 0.01;
    is_hashed('again', BYTES, hash(SECONDS, 'md5', "$data", BYTES));
    is_deeply([ (stat "$data/data")[ 1, 7, 9 ] ], \@before, 'the same file');
};

subtest 'another size is another file, and what a killed maker left is no hindrance' => sub {
    my $other = File::Temp->newdir;
    Sources::spew("$other/data.part", 'x' x 5000);
    is_hashed($_, $_, hash(SECONDS, 'sha256', "$other", $_)) for 1000, 1001, 4_194_305, 3001;
    is(-s "$other/data",  3001,             'the last of them');
    is(entries("$other"), 'data data.lock', 'no part of a file');
};

subtest 'a directory may have any name' => sub {
    my $place = File::Temp->newdir;
    for my $name ('-e', "a b'c", 'back\\slash', "line\nend", '*', 'ü') {
        mkdir "$place/$name" or die "cannot make a directory: $!\n";
        my ($got, $words) = run(
            'sh',                   '-c',    'cd "$0" && exec "$@"', "$place",
            Programs::path('hash'), SECONDS, 'md5',                  $name,
            1000
        );
        is($got, 0, "'$name'") or diag($words);
    }
};

subtest 'of several copies the common time is told by runs of the command alone' => sub {
    local $ENV{TS_SLICES} = 1;
    my (undef, $said) = hash(0.3, 'md5', "$data", BYTES);
    my ($runs)  = $said =~ /^FIGURE\|runs\|(\d+)$/m;
    my @slices  = $said =~ /^SLICE\|(\d+)\|(\d+)\|\d+$/mg;
    my ($share) = $said =~ /^TIME\|(.*)$/m;
    is($slices[1],  0,     'from the start');
    is($slices[-1], $runs, 'to the last run');
    ok(abs(($slices[-2] - $slices[0]) / 1e9 - $share) < 1e-5, 'which is the end of the time');
};

subtest 'a closed standard output is no hindrance' => sub {
    is_hashed(
        'closed', BYTES,
        in_place(
            'sh', '-c', 'exec "$0" "$@" >&- <&-', Programs::path('hash'), SECONDS, 'md5', "$data", BYTES
        )
    );
};

# --- versions of what it measures

subtest 'it knows which library and which commands it measures' => sub {
    is("$status$err", '0', 'exit 0 and no complaint');
    like($facts, qr/\Alibcrypto=(?:none|\S.*\d.*)\nmd5sum=\S.*\nsha256sum=\S.*\nsha512sum=\S.*\n\z/,
        'a line each');
    my %says = (
        'echo "md5sum (GNU coreutils) 9.1"; echo Copyright' => 'md5sum (GNU coreutils) 9.1',
        'exec >&2; echo "md5sum: unrecognized option: version"; echo "BusyBox v1.36.1 (2024-06-10) multi-call binary."; exit 1'
            => 'BusyBox v1.36.1 (2024-06-10) multi-call binary.',
        'echo "md5sum: bad option" >&2; exit 1' => 'unknown',
        'exit 0'                                => 'unknown',
    );
    for my $script (sort keys %says) {
        local $ENV{PATH} = fake($script);
        my ($got, undef, $out) = program('hash', '--facts');
        like($out, qr/^md5sum=\Q$says{$script}\E\nsha256sum=none\nsha512sum=none\n\z/m, $says{$script});
    }
};

subtest 'what it cannot be told is a usage error' => sub {
    is_usage("'@$_'", hash(@$_))
        for [], [SECONDS], [ SECONDS, 'md5' ], [ SECONDS, 'md5', "$data" ],
        [ SECONDS, 'sha1', "$data", BYTES ],
        [ SECONDS, 'MD5', "$data", BYTES ], [ SECONDS, '', "$data", BYTES ], [ SECONDS, 'md5', '', BYTES ],
        [ 0, 'md5', "$data", BYTES ],
        [ 'x', 'md5', "$data", BYTES ], [ SECONDS, 'md5', "$data", 999 ],
        [ SECONDS, 'md5', "$data", '10000000000001' ],
        [ SECONDS, 'md5', "$data", '1e6' ], [ SECONDS, 'md5', "$data", '' ],
        [ SECONDS, 'md5', "$data", BYTES, 1 ], [ '--facts', 'md5' ];
    is(entries("$here"), '', 'and nothing is made');
};

# --- commands that do not work correctly

my $DATA   = 'case $1 in */data) ';
my $HONEST = '; esac; exec "$REAL" "$@"';
my $ZEROS  = 'echo "00000000000000000000000000000000  $1"';
my @LIARS  = (
    [ 'a digest of nothing', $ZEROS, q{md5 of '' by md5sum is not the published one} ],
    [
        'of the file alone',
        "$DATA $ZEROS; exit$HONEST",
        q{md5sum and libcrypto, or two runs of one, have different digests of '.*/data'}
    ],
    [
        'the second time',
        "$DATA if test -e \$STATE; then $ZEROS; exit; fi; >\$STATE$HONEST",
        'have different digests'
    ],
    [ 'fails',               'exit 3',               q{'md5sum' exited with status 3} ],
    [ 'fails with a digest', '"$REAL" "$@"; exit 1', q{'md5sum' exited with status 1} ],
    [ 'fails at the file',   "$DATA exit 4$HONEST",  q{'md5sum' exited with status 4} ],
    [ 'is killed',           'kill -9 $$',           q{'md5sum' was killed by signal 9} ],
    [ 'prints nothing',      'exit 0',               q{'md5sum' printed no digest} ],
    [ 'prints words',        'echo hello',           q{'md5sum' printed no digest} ],
    [ 'prints too little',   'echo "0000000000000000000000000000000  $1"',   q{'md5sum' printed no digest} ],
    [ 'prints too much',     'echo "000000000000000000000000000000000  $1"', q{'md5sum' printed no digest} ],
    [ 'prints a digest alone', 'printf d41d8cd98f00b204e9800998ecf8427e',    q{'md5sum' printed no digest} ],
    [ 'floods',                'exec head -c 1000000 /dev/zero',             q{'md5sum' printed no digest} ],
);

subtest 'a command that lies, fails or says nothing is no result' => sub {
    for my $case (@LIARS) {
        my ($name, $script, $says) = @$case;

        # Without libcrypto nothing else can compute the digest of the file.
        next if $name eq 'of the file alone' && !$with;
        is_error($name, "wrong result: [^\\n]*$says", with_fake($script, 5));
        is(entries("$here"), '', "$name: nothing is left");
    }
    is_hashed('one that says more', BYTES, with_fake('"$REAL" "$@"; head -c 100000 /dev/zero', SECONDS));
};

subtest 'a command that is not there is a reason to skip, one that cannot be run a failure' => sub {
    my $empty = "$work/empty";
    mkdir $empty or die "cannot make '$empty': $!\n";
    local $ENV{PATH} = $empty;
    my $hash = Programs::path('hash');
    my ($got, $said) =
        run('/bin/sh', '-c', 'cd "$0" && exec "$@"', "$here", $hash, SECONDS, 'md5', "$data", BYTES);
    is($got,  77 << 8,                                                          'exit 77');
    is($said, "SKIP|there is no command 'md5sum' (Debian package coreutils)\n", 'and the package');
    $ENV{PATH} = fake('exit 0', 0644);
    is_error(
        'no program',
        q{cannot run 'md5sum': Permission denied},
        run('/bin/sh', '-c', 'cd "$0" && exec "$@"', "$here", $hash, SECONDS, 'md5', "$data", BYTES)
    );
    is(entries("$here"), '', 'nothing is left');
};

# --- places that cannot be used

subtest 'a directory that cannot be used is named' => sub {
    is_error(
        'missing',
        qr{cannot make a file in '\Q$work\E/none': No such file},
        hash(SECONDS, 'md5', "$work/none", BYTES)
    );
    is_error(
        'a file',
        qr{cannot look at '\Q$work\E/err/data': Not a directory},
        hash(SECONDS, 'md5', "$work/err", BYTES)
    );
    my $locked = "$work/locked";
    mkdir $locked, 0500 or die "cannot make '$locked': $!\n";
SKIP: {
        skip 'this user may write everywhere', 2 if -w $locked;
        is_error(
            'read-only',
            qr{cannot make a file in '\Q$locked\E': Permission},
            hash(SECONDS, 'md5', $locked, BYTES)
        );
    }
};

subtest 'what does not fit is told with what is needed' => sub {
    my $limited = File::Temp->newdir;
    is_error(
        'memory',
        'a file of 10000000000000 bytes must stay in memory, of which there are \d+ bytes',
        hash(SECONDS, 'md5', "$limited", '10000000000000')
    );
    is_error(
        'limit',
        qr{cannot write a file of 1000000 bytes in '\Q$limited\E': File too large},
        in_place(
            'sh', '-c', 'ulimit -f 100; exec "$0" "$@"',
            Programs::path('hash'), SECONDS, 'md5', "$limited", BYTES
        )
    );
    is(entries("$limited"), 'data.lock', 'and no part of it is left');
    my @small = small_disk() or return note 'no small file system can be mounted here';
    is_error(
        'disk',
        qr{a file of 1000000 bytes is needed in '\Q$work\E', where \d+ bytes are free},
        run(
            @small,  'sh',                   '-c',    'cd "$0" && exec "$@"',
            "$here", Programs::path('hash'), SECONDS, 'md5',
            "$work", BYTES
        )
    );
};

# --- nothing is left behind

# Starts a program in its own process group.
sub start {
    my (%how) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        setpgrp;
        chdir "$here";
        open STDERR, '>', $how{err} or POSIX::_exit(127);
        fcntl $_, F_SETFD, 0 for @{ $how{keep} || [] };
        { no warnings 'exec'; exec { $how{command}[0] } @{ $how{command} } }
        POSIX::_exit(127);
    }
    return $pid;
}

# Starts hash with a command that hangs, at the vectors or at the file, and returns the process ids of both.
sub hanging {
    my ($where, @keep) = @_;
    my $hang = 'echo $$ >"$STATE.new"; mv "$STATE.new" "$STATE"; exec sleep 60';
    local @ENV{qw(PATH REAL STATE)} =
        (fake($where eq 'file' ? "$DATA $hang$HONEST" : $hang) . ":$PATH", $REAL{md5}, "$work/hanging");
    unlink "$work/hanging";
    my $pid = start(
        command => [ Programs::path('hash'), 60, 'md5', "$data", BYTES ],
        err     => "$work/started",
        keep    => \@keep
    );
    ok(comes(sub { -s "$work/hanging" }), "$where: the command runs");
    return ($pid, slurp("$work/hanging") + 0);
}

subtest 'a signal ends the command too' => sub {
    for my $signal (qw(TERM INT HUP), $^O eq 'linux' ? 'KILL' : ()) {
        my ($pid, $command) = hanging('file');
        kill $signal, $pid;
        waitpid $pid, 0;
        is($?, POSIX->can("SIG$signal")->(), "ended by SIG$signal");
        ok(comes(sub { gone($command) }), 'and the command is gone') or kill 'KILL', $command;
    }
    my ($pid, $command) = hanging('vectors');
    kill 'TERM', $pid;
    waitpid $pid, 0;
    is(entries("$here"), '', 'the file with a test vector is gone');
    ok(comes(sub { gone($command) }), 'and the command');
};

subtest 'a signal leaves no part of a file' => sub {
    my $new = "$work/never whole";
    mkdir $new or die "cannot make '$new': $!\n";
    my $pid =
        start(command => [ Programs::path('hash'), 60, 'md5', $new, 200_000_000 ], err => "$work/started");
    comes(sub { -e "$new/data.part" || -e "$new/data" }) or fail('the file is begun');
    kill 'TERM', $pid;
    waitpid $pid, 0;
    is($?, POSIX::SIGTERM(), 'ended by SIGTERM');
    unlike(entries($new), qr/part/, 'the file that was begun has gone');
    unlink "$new/data";
};

subtest 'when nobody reads the result any more, program and command end' => sub {
    pipe my $results, my $tell or die "cannot make a pipe: $!\n";
    local @ENV{qw(TS_RESULT TS_COPY)} = (fileno $tell, 0);
    my ($pid, $command) = hanging('file', $tell);
    close $tell;
    close $results;
    ok(comes(sub { waitpid($pid, POSIX::WNOHANG()) == $pid }), 'the program ends');
    is($?, POSIX::SIGKILL(), 'with its process group');
    ok(comes(sub { gone($command) }), 'and so does the command') or kill 'KILL', $command;
};

# --- with changed sources

my $NO_COMPILER  = 'there is no compiler, or there are no headers of libcrypto (Debian: libssl-dev)';
my $NO_LIBCRYPTO = 'there is no libcrypto (Debian: libssl-dev)';

my ($compiler) = grep { defined Touchstone::Machine::Command::find($_) } qw(cc gcc clang);

# An installed copy may have a library whose headers are not here.
undef $compiler
    if defined $compiler
    && $with
    && (run('sh', '-c', "echo '#include <openssl/evp.h>' | $compiler -E - >'$work/headers'"))[0] != 0;
my @SOURCES = qw(platform/hash platform/hash/digest bench channel perf pin turn child tidy watch);
my %compiled;

# Compiles a source with `changes`: [from, to], each of which is made once.
sub object {
    my ($source, $define, @changes) = @_;
    my $text = slurp("$Programs::BASE/src/$source.c");
    for my $change (@changes) {
        my ($from, $to) = @$change;
        $text =~ s/\Q$from\E/$to/ or die "'$from' is not in $source.c\n";
    }
    return $compiled{"$define $text"} //= do {
        my $path = "$work/object" . keys %compiled;
        Sources::spew("$path.c", $text);
        my ($failed, $words) =
            run($compiler, '-std=gnu11', '-D_POSIX_C_SOURCE=200809L', "-I$Programs::BASE/src", $define, '-c',
            '-o', "$path.o", "$path.c");
        $failed == 0 or die "cannot compile $source.c: $words";
        "$path.o";
    };
}

sub built {
    my ($library, %changes) = @_;
    state $n = 0;
    my $program = "$work/hash" . $n++;
    my @objects =
        map { object($_, $library ? '-DWITH_LIBCRYPTO' : '-DNO_LIBCRYPTO', @{ $changes{$_} || [] }) }
        @SOURCES;
    my ($failed, $words) = run($compiler, '-o', $program, @objects, $library ? '-lcrypto' : ());
    $failed == 0 or die "cannot link: $words";
    return $program;
}

subtest 'a vector that is not the published one is wrong' => sub {
    $compiler or plan skip_all => $NO_COMPILER;
    my %digests = (md5 => '57edf4a2', sha256 => '248d6a61', sha512 => '8e959b75');
    for my $algorithm (@ALL) {
        my $program = built($with, 'platform/hash/digest' => [ [ $digests{$algorithm} => '00000000' ] ]);
        is_error(
            $algorithm,
            "wrong result: $algorithm of '\\w{10}' by ${algorithm}sum is not the published one",
            in_place($program, SECONDS, $algorithm, "$data", BYTES)
        );
    }
    my $program = built($with, 'platform/hash/digest' => [ [ 'ba7816bf' => '00000000' ] ]);
    is_error(
        'abc',
        "wrong result: sha256 of 'abc' by sha256sum is not",
        in_place($program, SECONDS, 'sha256', "$data", BYTES)
    );
};

subtest 'a library whose digest is not that of the command is wrong' => sub {
    $compiler && $with or plan skip_all => $compiler ? $NO_LIBCRYPTO : $NO_COMPILER;
    my %changes = (
        'other digits' =>
            [ 'bytes[i])', 'bytes[i] ^ 1u)', q{sha256 of '' by libcrypto is not the published one} ],
        'a byte less of a file' => [
            'n > 0 ? (size_t)n : 0',
            'n > 1000 ? (size_t)n - 1 : n > 0 ? (size_t)n : 0',
            'have different digests of'
        ],
        'a byte less in memory' =>
            [ 'left = in->size;', 'left = in->size - (in->size > 1000);', 'have different digests of' ],
        'a file that is not one' => [ 'open(in->path', 'open("none"', q{cannot open '.*hash\.} ],
    );
    for my $name (sort keys %changes) {
        my ($from, $to, $says) = @{ $changes{$name} };
        is_error(
            $name, $says,
            in_place(
                built(1, 'platform/hash/digest' => [ [ $from, $to ] ]),
                SECONDS, 'sha256', "$data", BYTES
            )
        );
        unlink glob "\Q$here\E/hash.*";
    }
};

subtest 'without libcrypto the command alone is measured' => sub {
    $compiler or plan skip_all => $NO_COMPILER;
    my $program = built(0);
    local $with = 0;
    is_hashed('without', BYTES, in_place($program, SECONDS, 'sha256', "$data", BYTES));
    my (undef, undef, $out) = in_place($program, '--facts');
    like($out, qr/\Alibcrypto=none\n/, 'and it says so');
};

subtest 'a libcrypto that may do approved algorithms only says so' => sub {
    $with or plan skip_all => $NO_LIBCRYPTO;
    Sources::spew("$work/approved.cnf",
        "openssl_conf = init\n[init]\nalg_section = algorithms\n[algorithms]\ndefault_properties = fips=yes\n"
    );
    local $ENV{OPENSSL_CONF} = "$work/approved.cnf";
    my ($got, $said) = hash(SECONDS, 'md5', "$data", BYTES);
    plan skip_all => 'this libcrypto knows no such setting' if $said =~ $LIBRARY;
    is($got, 0, 'exit 0');
    like(
        $said,
        qr/^MISSING\|file\|libcrypto refuses to do md5: \w.*\nMISSING\|memory\|libcrypto refuses to do md5: \w.*\n$COMMAND\z/m,
        'the command is measured'
    );
};

# Builds a program that reports when it makes the file, and takes a little more than these seconds for it.
sub slow_maker {
    my ($seconds) = @_;
    return built(
        0,
        'platform/hash' => [
            [ "#include <unistd.h>\n" => "#include <unistd.h>\n#include <time.h>\n" ],
            [
                'if (!fill' =>
                    qq<(void)!write(2, "made\\n", 5); nanosleep(&(struct timespec){ $seconds, 300000000 }, NULL); if (!fill>
            ]
        ]
    );
}

subtest 'of several at once one makes the file, and when it is killed another does' => sub {
    $compiler or plan skip_all => $NO_COMPILER;
    my ($stuck, $slow) = map { slow_maker($_) } 60, 0;
    my $new   = File::Temp->newdir;
    my $first = start(command => [ $stuck, SECONDS, 'md5', "$new", BYTES ], err => "$work/first");
    ok(comes(sub { -s "$work/first" }), 'the first makes it');
    kill 'KILL', $first;
    waitpid $first, 0;
    is(entries("$new"), 'data.lock data.part', 'and is killed');
    my @pids =
        map { start(command => [ $slow, SECONDS, 'md5', "$new", BYTES ], err => "$work/at-once$_") } 1 .. 4;
    is(join(' ', map { waitpid $_, 0; $? } @pids), '0 0 0 0',                     'four at once can measure');
    is(scalar(grep { /made/ } map { slurp("$work/at-once$_") } 1 .. 4), 1,        'one has made it');
    is(Digest::SHA->new(256)->addfile("$new/data")->hexdigest,          CONTENTS, 'and it is whole');
};

done_testing;
