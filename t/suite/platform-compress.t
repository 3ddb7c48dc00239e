# SPDX-License-Identifier: GPL-2.0-or-later
# The programs memcpy and zstd run by hand: what they measure and report, which inputs they accept, and that
# they notice bytes that do not come back unchanged. If nothing goes wrong by itself, the source is changed.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use Digest::SHA qw(sha256_hex);
use Fcntl qw(F_SETFD);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib', 'lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();
use Touchstone::Record::Channel;

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};

# The time is enough for a few passes, because no test here depends on a figure.
use constant { SECONDS => 0.03, SIZE => 1_048_000 };

# The SHA-256 of the generated input, computed independently of this code.
my $KNOWN  = '10228c0a7526af29de0739365c67c6e6d17810b6fe27384cde87d546f2ab2fbb';
my $NUMBER = qr/\d+(?:\.\d+)?(?:e[-+]\d+)?/;
my $RESULT = qr/\AFIGURE\|fastest\|$NUMBER
FIGURE\|decompress\|$NUMBER\|MBps
FIGURE\|decompress-fastest\|$NUMBER
FIGURE\|size\|\d+
FIGURE\|input\|\d+
COUNT\|$NUMBER\|0\|MBps
TIME\|$NUMBER
CPU\|$NUMBER\|$NUMBER
PREEMPTED\|\d+
SLEPT\|\d+
FAULTS\|\d+\|\d+
\z/;

my $zstd = -x Programs::path('zstd');
my $NONE = 'zstd is not built: it needs libzstd (package libzstd-dev)';

# Each entry has the words between SECONDS and FILE, for those of the two programs that exist.
my @KINDS = (['memcpy'], $zstd ? [ 'zstd', 1 ] : ());

sub file {
    my ($name, $text) = @_;
    Sources::spew("$work/$name", $text);
    return "$work/$name";
}

# Returns what a well-formed result says: { count, figures, ... }.
sub is_measured {
    my ($what, $status, $err, $out) = @_;
    is($status, 0, "$what: exit 0");
    like($err, $RESULT, "$what: the rate, its figures, the times and nothing else");
    is($out, '', "$what: standard output is empty") if defined $out;
    my $got     = Touchstone::Record::Channel::parse($err);
    my $figures = $got->{figures};
    is(Touchstone::Record::Channel::complaint($got), undef, "$what: a result that is taken");
    is_deeply($got->{units}, { decompress => 'MBps' }, "$what: the way back is a measurement of its own");
    cmp_ok($figures->{$_}, '>', 0, "$what: $_ is above zero")
        for qw(fastest decompress decompress-fastest size input);

    # All figures are printed with nine digits.
    cmp_ok($figures->{fastest} * (1 + 1e-8), '>=', $got->{count},
        "$what: no pass is faster than the fastest");
    cmp_ok(
        $figures->{'decompress-fastest'} * (1 + 1e-8),
        '>=',
        $figures->{decompress},
        "$what: nor on the way back"
    );
    return $got;
}

subtest 'zstd is built where its library is' => sub {
    my ($libraries) = slurp("$Programs::BASE/pgms/build.facts") =~ /^libraries=(.*)/m;
    plan skip_all => $NONE if ($libraries // '') !~ /\bzstd\b/;
    ok($zstd, 'the program is there');
};

subtest 'memcpy measures, and copies the bytes that every machine has' => sub {
    my $got = is_measured('memcpy', program('memcpy', SECONDS));
    is($got->{figures}{$_}, SIZE, $_) for qw(size input);
    cmp_ok($got->{user} + $got->{sys}, '>', 0, 'there is CPU time');
};

# Each row is [level, size by version 1.5.4]; other versions may give other sizes.
my @SIZES = ([ 1, 1_048_034 ], [ 3, 1_048_033 ], [ 19, 1_048_033 ], [ 22, 1_048_033 ]);

subtest 'zstd measures at every kind of level, and finds nothing in the bytes that every machine has' => sub {
    plan skip_all => $NONE if !$zstd;
    my ($status, $err, $facts) = program('zstd', '--facts');
    is("$status$err", '0', '--facts: exit 0, and no complaint');
    my ($version) = $facts =~ /\Alibrary=zstd (\d+\.\d+\.\d+)\n\z/ or fail("--facts: $facts");
    for (@SIZES) {
        my ($level, $size) = @$_;
        my $got = is_measured("level $level", program('zstd', SECONDS, $level))->{figures};
        is($got->{input}, SIZE, "level $level: the input");
        cmp_ok($got->{size}, '>', SIZE,         "level $level: what is compressed is larger");
        cmp_ok($got->{size}, '<', SIZE * 1.001, "level $level: but little");
        is($got->{size}, $size, "level $level: as version $version is known to make it")
            if $version eq '1.5.4';
    }
};

subtest 'a rate below one has its digits' => sub {
    plan skip_all => $NONE if !$zstd;
    my ($digits) = (program('zstd', SECONDS, 22))[1] =~ /^COUNT\|([\d.]+)/m;
    cmp_ok(length($digits =~ s/\D//gr), '>', 4, "$digits");
};

subtest 'without a file the input is the same bytes each time' => sub {
    Sources::spew("$Sources::dir/show.c", <<'C');
#include "platform/shared/rounds.h"
#include <stdio.h>

int main(void)
{
	struct input in;

	input_read(&in, NULL);
	return fwrite(in.bytes, 1, in.size, stdout) == in.size && fflush(stdout) == 0 ? 0 : 1;
}
C
    my @cc = split ' ', slurp("$Programs::BASE/pgms/build.facts") =~ /^compiler=(.+)/m ? $1 : 'cc';
    my ($status, undef, $err) =
        Sources::run(@cc, '-std=gnu11', '-D_POSIX_C_SOURCE=200809L', "-I$Sources::dir/src", '-o',
        "$Sources::dir/show", "$Sources::dir/show.c",
        map { "$Sources::dir/src/$_.c" } qw(bench channel perf pin turn watch platform/shared/rounds));
    is("$status$err", '0', 'a program that shows the input is built');
    my (undef, $bytes) = Sources::run("$Sources::dir/show");
    is(length $bytes,      SIZE,   'its size');
    is(sha256_hex($bytes), $KNOWN, 'and its checksum, which is written down');
};

subtest 'a file is the input where one is named' => sub {
    my %text = (
        text                  => "The same words, again and again.\n" x 3000,
        byte                  => 'x',
        'a name with  spaces' => join '',
        map { chr($_ % 256) } 1 .. 5000
    );
    for my $name (sort keys %text) {
        my $file = file($name, $text{$name});
        for (@KINDS) {
            my ($program, @level) = @$_;
            my $got = is_measured("$program '$name'", program($program, SECONDS, @level, $file))->{figures};
            is($got->{input}, length $text{$name}, "$program '$name': the input");
            is($got->{size},  $got->{input},       "$program '$name': as large") if $program eq 'memcpy';
            cmp_ok($got->{size}, '<', $got->{input} / 2, "$program '$name': smaller")
                if $program eq 'zstd' && $name eq 'text';
        }
    }
};

subtest 'a higher level makes less of a text' => sub {
    plan skip_all => $NONE if !$zstd;
    my $text  = "$Programs::BASE/docs/files.md";
    my @sizes = map { is_measured("level $_", program('zstd', SECONDS, $_, $text))->{figures}{size} } 1, 19;
    cmp_ok($sizes[1], '<', $sizes[0], "$sizes[1] and $sizes[0] bytes");
};

subtest 'what cannot be an input is named, with the reason' => sub {
    my $empty = file('empty', '');
    my $large = file('large', '');

    # Some file systems do not allow so large a file.
    my $is_large = truncate $large, 2**43;
    POSIX::mkfifo("$work/fifo", 0600) or die "cannot make a named pipe: $!\n";
    my $locked = file('locked', 'x');
    chmod 0, $locked or die "cannot change the mode of a file: $!\n";
    for (@KINDS) {
        my ($program, @level) = @$_;
        my $is = sub {
            my ($name, $says) = @_;
            is_error("$program, $says", $says, program($program, SECONDS, @level, $name));
        };
        $is->($empty,                      qr/'\Q$empty\E' is empty/);
        $is->("$work",                     qr/'\Q$work\E' is a directory/);
        $is->("$work/fifo",                qr{'\Q$work\E/fifo' is not a regular file});
        $is->("$work/none",                qr{cannot open '\Q$work\E/none': No such file});
        $is->('',                          qr/cannot open '': No such file/);
        $is->("a\e[2J\n\x9b" . 'b' x 2000, qr/cannot open 'a\?\[2J\?\?b{80,90}\.\.\.': File name too long/);
        $is->($large,                      qr/'\Q$large\E' is too large for the memory here/) if $is_large;
    SKIP: {
            skip 'this user may read everything', 2 if -r $locked;
            $is->($locked, qr/cannot open '\Q$locked\E': Permission/);
        }
    }
};

subtest 'memory that is refused is told with the name of the input' => sub {
    my $file = file('sparse', '');
    truncate $file, 200_000_000 or die "cannot make a file larger: $!\n";
    for (@KINDS) {
        my ($program, @level) = @$_;
        my @got = run(
            'sh',    '-c', 'ulimit -v 300000 && exec "$@"',
            'sh',    Programs::path($program),
            SECONDS, @level, $file
        );
    SKIP: {
            skip 'memory is not limited here', 2 if $got[0] == 0 || $got[1] !~ /^ERROR/;
            is_error($program, qr/no memory for \d+ bytes to work on '\Q$file\E': /, @got);
        }
    }
};

subtest 'what they cannot be told is a usage error' => sub {
    my $file = "$Programs::BASE/README";
    is_usage('memcpy with an argument too many', program('memcpy', SECONDS, $file, $file));
    is_usage('memcpy --facts', program('memcpy', '--facts'));
SKIP: {
        skip $NONE, 1 if !$zstd;
        is_usage('zstd without a level', program('zstd', SECONDS));
        is_usage("zstd at level '$_'", program('zstd', SECONDS, $_))
            for qw(0 23 -1 x 1x 1.5 99999999999999999999), '';
        is_usage('zstd with an argument too many', program('zstd', SECONDS,   1, $file, $file));
        is_usage('zstd --facts with another word', program('zstd', '--facts', 1));
        is_usage('zstd without seconds',           program('zstd', 'x',       1));
        like(
            (program('zstd', SECONDS, 23))[1],
            qr/^\S+: LEVEL is '23', allowed are 1 to 22$/m,
            'what is allowed is said'
        );
    }
};

# Starts a program with the descriptors of Run: { pid, ready, gate, result }.
sub start_at_gate {
    my (@command) = @_;
    pipe my $ready,   my $to_ready  or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate      or die "cannot make a pipe: $!\n";
    pipe my $result,  my $to_result or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    return { pid => $pid, ready => $ready, gate => $gate, result => $result } if $pid;
    fcntl $_, F_SETFD, 0 for $to_ready, $at_gate, $to_result;
    @ENV{qw(TS_READY TS_GATE TS_RESULT TS_COPY TS_SLICES)} =
        (fileno $to_ready, fileno $at_gate, fileno $to_result, 0, 1);
    alarm 240;
    { no warnings 'exec'; exec { $command[0] } @command }
    POSIX::_exit(127);
}

subtest 'the slices tell of the first direction alone' => sub {
    for (@KINDS) {
        my ($program, @level) = @$_;
        my $started = start_at_gate(Programs::path($program), 0.4, @level);
        sysread $started->{ready}, my $byte, 1;
        is($byte, 'r', "$program: it is at the gate");
        close $started->{gate};
        my $text = do { local $/; readline $started->{result} };
        waitpid $started->{pid}, 0;
        is($?, 0, "$program: exit 0");
        my $got = Touchstone::Record::Channel::parse($text =~ s/^0\|//gmr);
        is($got->{rubbish}, undef, "$program: nothing else is said");
        my @slices = map { [ split /:/ ] } split / /, $got->{slices};
        cmp_ok(scalar(@slices), '>=', 1, "$program: there are slices");
        my ($ns, $passes) = @{ $slices[-1] };
        cmp_ok(abs($ns / 1e9 - $got->{time}),
            '<', 1e-5, "$program: the last is at the end of the first direction");
        cmp_ok(abs($passes * SIZE / 1e6 / ($ns / 1e9) / $got->{count} - 1),
            '<', 1e-6, "$program: and the result is its count of passes");
    }
};

subtest 'it ends when nobody reads the result any more, also within a pass' => sub {
    plan skip_all => $NONE if !$zstd;
    my $file    = file('long', pack 'N*', map { $_ * $_ % 1_000_003 } 1 .. 500_000);
    my $started = start_at_gate(Programs::path('zstd'), 1000, 22, $file);
    sysread $started->{ready}, my $byte, 1;
    close $started->{gate};

    # The program also checks at its start, and must be past that.
    sleep 0.2;
    close $started->{result};
    waitpid $started->{pid}, 0;
    is($?, 1 << 8, 'exit 1, long before its time');
};

# Each row is [program, source, text of it, replacement, pattern of the message].
my @CHANGES = (
    [
        memcpy => 'memcpy',
        'copy(to, from, size)', 'copy(to, from, size - 1)',
        q(wrong result: byte 1047999 of 'random bytes' is \d+ and has come back as 1)
    ],
    [
        memcpy => 'memcpy',
        'copy(to, from, size)', '(void)to, (void)from',
        q(wrong result: byte 0 of 'random bytes' is \d+ and has come back as 1)
    ],
    [
        memcpy => 'memcpy',
        'return size;', 'return size - 1;',
        q(wrong result: of 1048000 bytes of 'random bytes' 1047998 have come back)
    ],
    [
        zstd => 'zstd',
        'room, from, size), "cannot compress"', 'room, from, size - 1), "cannot compress"',
        q(wrong result: of 1048000 bytes of 'random bytes' 1047999 have come back)
    ],
    [
        zstd => 'zstd',
        'ZSTD_decompressDCtx(c->back, to, room, from, size)',
        '((void)c, (void)to, (void)from, (void)size, room)',
        q(wrong result: byte 0 of 'random bytes' is \d+ and has come back as 1)
    ],
    [
        zstd => 'shared/rounds',
        '.size = in->size,', '.size = in->size / 2,',
        q(wrong result: of 1048000 bytes of 'random bytes' 524000 have come back)
    ],
    [
        zstd => 'shared/rounds',
        '.room = in->size,', '.room = in->size - 1,', 'cannot decompress: Destination buffer is too small'
    ],
    [
        zstd => 'shared/rounds',
        'back.size = there.written;', 'back.size = there.written - 1;',
        'cannot decompress: Src size is incorrect'
    ],
);

subtest 'bytes that do not come back as they were are no result' => sub {
    plan skip_all => 'there is no make'
        if system('command -v gmake >/dev/null 2>&1 || command -v make >/dev/null 2>&1') != 0;
    for my $change (@CHANGES) {
        my ($program, $file, $from, $to, $says) = @$change;
        next if $program eq 'zstd' && !$zstd;
        my $source = "$Sources::dir/src/platform/$file.c";
        my $text   = slurp($source);
        Sources::spew($source, $text =~ s/\Q$from\E/$to/r);
        isnt(slurp($source), $text, "'$from' is in $file");
        my ($status, undef, $err) = Sources::build($program);
        is("$status$err", '0', "$program is built with '$to'");
        is_error("$program with '$to'",
            $says, run("$Sources::dir/pgms/$program", SECONDS, $program eq 'zstd' ? 1 : ()));
        Sources::spew($source, $text);
    }
};

done_testing;
