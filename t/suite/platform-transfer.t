# SPDX-License-Identifier: GPL-2.0-or-later
# The program transfer run by hand: its result, that it notices bytes that change on their way, its messages
# about unusable places, and that it leaves nothing there. If nothing goes wrong by itself, a preloaded
# library makes system calls fail, or the source is changed.
use 5.014;
use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use Fcntl qw(F_SETFD);
use File::Find ();
use File::Glob qw(bsd_glob);
use POSIX ();
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();
use Waiting;

delete @ENV{qw(TS_RESULT TS_READY TS_GATE TS_CPUS TS_SLICES TS_COPY)};

use constant { SECONDS => 1, PROBED => 123 };

my ($MEDIUM, $DEPOT) = map { "$work/$_" } 'the medium', 'the depot';
for ($MEDIUM, $DEPOT) { mkdir $_ or die "cannot make '$_': $!\n" }
my @SMALL  = (1_000_000, 3);
my @PLACES = ($MEDIUM, $DEPOT);
my $NUMBER = qr/\d+(?:\.\d+)?(?:e[-+]\d+)?/;

my @started;
my $me = $$;

END {
    if ($$ == ($me // 0)) { local $?; kill 'KILL', $_ and waitpid $_, 0 for @started }
}

sub left_behind {
    my @left;
    File::Find::find(
        {
            no_chdir => 1,
            wanted   => sub {
                push @left, $File::Find::name if !grep { $_ eq $File::Find::name } @PLACES;
            }
        },
        @PLACES
    );
    return join ' ', @left;
}

# Returns the files, or in scalar context their number.
sub files_in { my ($place) = @_; my @files = bsd_glob("\Q$place\E/*/*"); return @files }

sub transfer { return program('transfer', SECONDS, @_) }

# Tests the result, as for every program, and returns its figures: { name => [number, unit] }.
sub is_measured {
    my ($what, $status, $err) = @_;
    my %figures;
    $figures{$1} = [ $2, $3 ] while $err =~ /^FIGURE\|([\w-]+)\|($NUMBER)(?:\|(\w+))?$/mg;
    is_result($what, $status, $err =~ s/^FIGURE\|.*\n//mgr);
    like($err, qr/^COUNT\|$NUMBER\|0\|MBps$/m, "$what: the result is a rate in MB/s");
    is(left_behind(), '', "$what: nothing is left behind");
    return \%figures;
}

sub is_failure {
    my ($what, $says, @got) = @_;
    is_error($what, $says, @got);
    is(left_behind(), '', "$what: nothing is left behind");
    return;
}

subtest 'a pass is four rates and what was cold' => sub {
    for my $size ([ 10_000, 20 ], \@SMALL, [ 20_000_000, 1 ], [ 1, 1 ]) {
        my $what    = "$size->[1] files of $size->[0]";
        my $figures = is_measured($what, transfer(@$size, @PLACES));
        my @rates   = grep { $figures->{$_}[1] } sort keys %$figures;
        my @cold    = grep { !$figures->{$_}[1] } sort keys %$figures;
        is("@rates", 'back read write', "$what: three rates beside the result");
        is(scalar(grep { $figures->{$_}[1] ne 'MBps' || $figures->{$_}[0] <= 0 } @rates),
            0, "$what: in MB/s and above zero");
        like(
            "@cold",
            qr/\A(?:cold-back cold-copy cold-read)?\z/,
            "$what: the shares are there, or the system does not tell"
        );
        is(scalar(grep { $figures->{$_}[0] > 1 } @cold), 0, "$what: none is above 1");
    }
};

subtest 'the seconds that the rates say fit into the pass' => sub {
    my ($bytes,  $files) = (20_000_000, 2);
    my ($status, $err)   = transfer($bytes, $files, @PLACES);
    my %rate    = $err =~ /^FIGURE\|(read|write|back)\|([^|]+)\|MBps$/mg;
    my ($copy)  = $err =~ /^COUNT\|([^|]+)\|0\|MBps$/m;
    my ($whole) = $err =~ /^TIME\|(.+)$/m;
    my $steps   = 0;
    $steps += $bytes * $files / 1e6 / $_ for $copy, values %rate;
    cmp_ok($steps, '<=', $whole,       'all four steps') or diag($err);
    cmp_ok($steps, '>',  $whole / 100, 'which are most of what it does');
};

subtest 'what it cannot be told is a usage error' => sub {
    is_usage("'@$_'", program('transfer', @$_))
        for [], [SECONDS], [ SECONDS, @SMALL, $MEDIUM ], [ SECONDS, @SMALL, @PLACES, 'more' ],
        [ 'x', @SMALL, @PLACES ],
        (
        map { [ SECONDS, $_, 1, @PLACES ] } 0,
        -1, '', ' 1', '1e6', '1k', '1000000000001', '99999999999999999999999'
        ),
        (map { [ SECONDS, 1, $_, @PLACES ] } 0, -1, '', '10001', '1x');
    is(left_behind(), '', 'nothing is left behind');
};

subtest 'places that are none are named' => sub {
    Sources::spew("$work/file", "x\n");
    symlink $MEDIUM, "$work/link" or die "cannot make a link: $!\n";
    is_failure(
        'no medium',
        "cannot open the directory '\Q$work\E/none': No such file",
        transfer(@SMALL, "$work/none", $DEPOT)
    );
    is_failure(
        'no depot',
        "cannot open the directory '\Q$work\E/none': No such file",
        transfer(@SMALL, $MEDIUM, "$work/none")
    );
    is_failure(
        'a file',
        "cannot open the directory '\Q$work\E/file': Not a directory",
        transfer(@SMALL, $MEDIUM, "$work/file")
    );
    is_failure(
        'one twice',
        "'\Q$MEDIUM\E' and '\Q$MEDIUM\E' are one directory",
        transfer(@SMALL, $MEDIUM, $MEDIUM)
    );
    is_failure(
        'one by its names',
        "'\Q$MEDIUM\E' and '\Q$work\E/link' are one directory",
        transfer(@SMALL, $MEDIUM, "$work/link")
    );
};

subtest 'a place that can be read only is named' => sub {
    if ($> == 0) {
        my @locked = ('unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o ro none "$0" && exec "$@"');
        (run(@locked, $DEPOT, 'true'))[0] == 0 or plan skip_all => 'no file system can be mounted here';
        is_failure(
            'a read-only file system',
            "cannot make files in '\Q$_\E': Read-only",
            run(@locked, $_, Programs::path('transfer'), SECONDS, @SMALL, @PLACES)
        ) for @PLACES;
        return;
    }
    for my $place (@PLACES) {
        chmod 0500, $place;
        is_failure(
            'a place of others',
            "cannot make files in '\Q$place\E': Permission",
            transfer(@SMALL, @PLACES)
        );
        chmod 0700, $place;
    }
};

subtest 'what does not fit is not begun' => sub {
    my ($status, $err) = transfer(1_000_000_000_000, 10_000, @PLACES);
    is($status, 77 << 8, 'exit 77');
    like(
        $err,
        qr/\ASKIP\|no space in '\Q$MEDIUM\E': \d{14} KB are needed, \d+ KB are free\n\z/,
        'one line says why'
    );

    # If both places are on one file system, the files are on it twice.
    is(($err =~ /(\d+) KB are needed/)[0] >= 2e13 ? 1 : 0, 1,  'twice what the files are');
    is(left_behind(),                                      '', 'nothing is left behind');
};

subtest 'a file system that gets full on the way is named' => sub {
    my @few = (
        'unshare', '-rm', 'sh', '-c',
        'mount -t tmpfs -o size=10m,nr_inodes=5 none "$0" && { "$@"; s=$?; find "$0" -mindepth 1; exit $s; }'
    );
    (run(@few, $MEDIUM, 'true'))[0] == 0 or plan skip_all => 'no small file system can be mounted here';
    for my $place (@PLACES) {
        my @got = run(@few, $place, Programs::path('transfer'), SECONDS, 10, 10, @PLACES);
        is_failure("no more files in '$place'", "cannot make a file in '\Q$place\E': No space left", @got);
        is($got[2], '', 'and nothing is left there');
    }
};

subtest 'a file that may not grow is no result' => sub {
    is_failure(
        'a limit',
        "cannot write to a file in '\Q$MEDIUM\E': File too large",
        run(
            'sh',    '-c', 'ulimit -f 1000; exec "$@"',
            'sh',    Programs::path('transfer'),
            SECONDS, 2_000_000, 2, @PLACES
        )
    );
};

# FAULT=name in the environment chooses what goes wrong.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long writes, reads, syncs;
static const char *fault = "";

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
	if (getenv("FAULT"))
		fault = getenv("FAULT");
	if (strcmp(fault, "probe") == 0)
		_exit(123);
}

/* Returns the number after the word in FAULT; 0 if it is another fault. */
static int number_of(const char *word)
{
	const size_t length = strlen(word);

	return strncmp(fault, word, length) == 0 && fault[length] == ' ' ? atoi(fault + length) : 0;
}

static int is(const char *what)
{
	return strcmp(fault, what) == 0;
}

static int fails(const char *call)
{
	if (number_of(call) == 0)
		return 0;
	errno = number_of(call);
	return 1;
}

ssize_t write(int fd, const void *from, size_t size)
{
	ssize_t (*const real)(int, const void *, size_t) = REAL(ssize_t, write, int, const void *, size_t);
	char *changed;
	ssize_t n;

	if (fd <= STDERR_FILENO)
		return real(fd, from, size);
	writes++;
	if (fails("write"))
		return -1;
	if (is("nothing is written"))
		return 0;
	if (number_of("lost is write") == writes)
		return (ssize_t)size;
	if (number_of("other is write") != writes)
		return real(fd, from, is("less is written") && size > 10 ? size - 10 : size);
	changed = malloc(size);
	memcpy(changed, from, size);
	changed[size - 1] ^= 1;
	n = real(fd, changed, size);
	free(changed);
	return n;
}

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t (*const real)(int, void *, size_t) = REAL(ssize_t, read, int, void *, size_t);
	ssize_t n;

	reads++;
	if (fails("read"))
		return -1;
	if (is("nothing is read"))
		return 0;
	if (is("read is interrupted") && reads % 2 == 1) {
		errno = EINTR;
		return -1;
	}
	n = real(fd, to, is("less is read") && size > 10 ? size - 10 : size);
	if (n > 0 && number_of("other is read") == reads)
		((char *)to)[n / 2] ^= 1;
	return n;
}

int fsync(int fd)
{
	const struct timespec while_somebody_looks = { .tv_nsec = 500000000 };

	if (number_of("slow from sync")) {
		if (++syncs >= number_of("slow from sync"))
			nanosleep(&while_somebody_looks, NULL);
		return 0;
	}
	return fails("fsync") ? -1 : REAL(int, fsync, int)(fd);
}

static int at(int directory, const char *path, int flags, va_list more)
{
	const int mode = flags & O_CREAT ? va_arg(more, int) : 0;

	if ((flags & O_CREAT && fails("make")) || (!(flags & (O_CREAT | O_DIRECTORY)) && fails("open")))
		return -1;
	return REAL(int, openat, int, const char *, int, ...)(directory, path, flags, mode);
}

#define AT(name) \
	int name(int directory, const char *path, int flags, ...) \
	{ \
		va_list more; \
		int fd; \
		va_start(more, flags); \
		fd = at(directory, path, flags, more); \
		va_end(more); \
		return fd; \
	}
AT(openat)
AT(openat64)

int close(int fd)
{
	const int status = REAL(int, close, int)(fd);

	return fd > STDERR_FILENO && fails("close") ? -1 : status;
}

int unlinkat(int directory, const char *path, int flags)
{
	const int status = REAL(int, unlinkat, int, const char *, int)(directory, path, flags);

	return fails(flags & AT_REMOVEDIR ? "rmdir" : "unlink") ? -1 : status;
}

char *mkdtemp(char *name)
{
	return fails("mkdtemp") ? NULL : REAL(char *, mkdtemp, char *)(name);
}

int posix_fadvise(int fd, off_t from, off_t size, int advice)
{
	return fails("advise") ? errno : REAL(int, posix_fadvise, int, off_t, off_t, int)(fd, from, size, advice);
}

int posix_fadvise64(int fd, off64_t from, off64_t size, int advice)
{
	return fails("advise") ? errno : REAL(int, posix_fadvise64, int, off64_t, off64_t, int)(fd, from, size, advice);
}

int mincore(void *map, size_t size, unsigned char *there)
{
	if (number_of("there"))
		return memset(there, number_of("there") - 1, (size + 4095) / 4096), 0;
	return fails("mincore") ? -1 : REAL(int, mincore, void *, size_t, unsigned char *)(map, size, there);
}
C

sub with_fault {
    my ($fault, @arguments) = @_;
    local @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/fault.so");
    return transfer(@arguments ? @arguments : (@SMALL, @PLACES));
}

sub can_preload {
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) =
        run(Programs::compiler(), '-std=gnu11', '-shared', '-fPIC', '-o', "$work/fault.so", "$work/fault.c",
        '-ldl');
    return $status == 0 && (with_fault('probe'))[0] == PROBED << 8;
}

my $preload = can_preload();
my ($m,    $d)    = map { "a file in '\Q$_\E'" } @PLACES;
my ($in_m, $in_d) = map { "in '\Q$_\E'" } @PLACES;

# A file is written and read with four or five calls, and may start anywhere in the repeated bytes.
my @FAULTS = (
    [ 'write 28',           "cannot write to $m: No space left" ],
    [ 'write 122',          "cannot write to $m: Disk quota" ],
    [ 'write 5',            "cannot write to $m: Input/output" ],
    [ 'nothing is written', "cannot write to $m" ],
    [ 'lost is write 2',    "wrong result: file 1 of 3 $in_m is not as long as was written" ],
    [ 'lost is write 20',   "wrong result: file 2 of 3 $in_d is not as long as was written" ],
    [ 'other is write 1',   "wrong result: reading: file 1 of 3 $in_m holds other bytes than were written" ],
    [
        'other is write 20',
        "wrong result: reading back: file 2 of 3 $in_d holds other bytes than were written"
    ],
    [ 'read 5',          "cannot read from $m: Input/output" ],
    [ 'nothing is read', "wrong result: reading: file 1 of 3 $in_m is too short" ],
    [ 'other is read 6', "wrong result: reading: file 2 of 3 $in_m holds other bytes than were written" ],
    [
        'other is read 15',
        "wrong result: reading back: file 1 of 3 $in_d holds other bytes than were written"
    ],
    [
        'other is read 25',
        "wrong result: reading back: file 1 of 3 $in_d holds other bytes than were written"
    ],
    [ 'fsync 5',    "cannot sync $m: Input/output" ],
    [ 'make 122',   "cannot make $m: Disk quota" ],
    [ 'open 2',     "cannot open $m: No such file" ],
    [ 'open 19',    "cannot open $m: No such device" ],
    [ 'open 116',   "cannot open $m: Stale" ],
    [ 'close 122',  "cannot close $m: Disk quota" ],
    [ 'unlink 30',  "cannot remove $m: Read-only" ],
    [ 'rmdir 39',   "cannot remove a directory in '\Q$MEDIUM\E': Directory not empty" ],
    [ 'mkdtemp 13', "cannot make a directory in '\Q$MEDIUM\E': Permission" ],
);

subtest 'bytes that change on their way, and calls that fail, are no result' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';
    is_failure($_->[0], $_->[1], with_fault($_->[0])) for @FAULTS;
};

subtest 'reading and writing in parts is right' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';
    is_measured($_, with_fault($_)) for 'less is written', 'less is read', 'read is interrupted', 'advise 22';
};

subtest 'what was in the page cache is a share, and no figure where it is not known' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';

    # The number after `there` is the octet that mincore gives for a page, plus 1.
    my %share = (1 => 1, 2 => 0, 3 => 1);
    for my $there (sort keys %share) {
        my $figures = is_measured("mincore says $there - 1", with_fault("there $there"));
        $figures->{'cold-read'} or plan skip_all => 'this system does not tell';
        is($figures->{$_} && $figures->{$_}[0], $share{$there}, "$_ is $share{$there}")
            for qw(cold-read cold-copy cold-back);
    }
    my $figures = is_measured('mincore fails', with_fault('mincore 12'));
    is(join(' ', grep { /cold/ } keys %$figures), '', 'no share');
};

# Each row is [text of step.c, replacement, pattern of the message].
my @CHANGES = (
    [
        'put(DEPOT, to, j->buffer, most);',
        'j->buffer[most / 2] ^= 1; put(DEPOT, to, j->buffer, most);',
        "reading back: file 1 of 3 $in_d holds other bytes"
    ],
    [
        'put(DEPOT, to, j->buffer, most);',
        'put(DEPOT, to, j->buffer, most - 1);',
        "file 1 of 3 $in_d is not as long"
    ],
    [
        'contents_piece(&j->contents, number, done',
        'contents_piece(&j->contents, number / 2, done',
        "reading: file 2 of 3 $in_m holds other bytes"
    ],
);

subtest 'a program that would not transfer what it reads finds itself out' => sub {
    (run(Programs::compiler(), '--version'))[0] == 0 or plan skip_all => 'there is no compiler';
    my $source = "$Sources::dir/src/platform/transfer.c";
    my $text   = slurp($source);
    my @build  = (Programs::compiler(), qw(-std=gnu11 -D_POSIX_C_SOURCE=200809L), "-I$Sources::dir/src");
    my @others =
        grep { $_ ne $source }
        map { bsd_glob("\Q$Sources::dir\E/src/$_") } qw(*.c platform/shared/*.c platform/transfer/*.c);
    mkdir "$work/parts" or die "cannot make a directory: $!\n";
    is((run('sh', '-c', 'cd "$0" && exec "$@"', "$work/parts", @build, '-c', @others))[1],
        '', 'the other parts are compiled');
    for my $change (@CHANGES) {
        my ($from, $to, $says) = @$change;
        Sources::spew($source, $text =~ s/\Q$from\E/$to/r);
        isnt(slurp($source), $text, "'$from' is in transfer.c");
        my ($status, $err) = run(@build, '-o', "$work/changed", $source, bsd_glob("$work/parts/*.o"));
        is("$status$err", '0', "it is built with '$to'");
        is_failure("'$to'", "wrong result: $says", run("$work/changed", SECONDS, @SMALL, @PLACES));
    }
};

# --- interrupted in the middle

# Starts a program whose reports can be read: { pid, from }.
sub at_work {
    my ($fault, @size) = @_;
    pipe my $from, my $to or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $to, F_SETFD, 0;
        $ENV{TS_RESULT} = fileno $to;
        @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/fault.so") if $fault;
        close $from;
        { no warnings 'exec'; exec { Programs::path('transfer') } 'transfer', SECONDS, @size, @PLACES }
        POSIX::_exit(127);
    }
    push @started, $pid;
    return { pid => $pid, from => $from };
}

my $NO_HURRY = 'no preloaded library makes it slow enough to be caught here';

sub ended {
    my ($program) = @_;
    waitpid $program->{pid}, 0;
    @started = grep { $_ != $program->{pid} } @started;
    return $?;
}

# One of the 20 syncs in each place is slow; this says which, and where a file exists then.
my %MOMENTS = (writing => [ 3, $MEDIUM ], copying => [ 23, $DEPOT ]);

subtest 'a signal ends it when it has removed everything' => sub {
    $preload or plan skip_all => $NO_HURRY;
    for my $case (
        [ writing => 'TERM' ],
        [ writing => 'HUP' ],
        [ writing => 'PIPE' ],
        [ copying => 'INT' ],
        [ copying => 'TERM' ]
    ) {
        my ($doing, $signal) = @$case;
        my ($sync,  $place)  = @{ $MOMENTS{$doing} };
        my $program = at_work("slow from sync $sync", 10_000, 20);
        ok(comes(sub { files_in($place) > 2 }), "$doing: files are there");
        kill $signal, $program->{pid};
        is(ended($program) & 127, POSIX->can("SIG$signal")->(), "$doing: ended by SIG$signal");
        is(left_behind(),         '',                           "$doing, SIG$signal: nothing is left behind");
    }
};

subtest 'a signal that is ignored does not end it' => sub {
    local $SIG{HUP} = 'IGNORE';
    my $program = at_work(undef, 10_000, 20);
    ok(comes(sub { defined readline $program->{from} }), 'it is at work');
    kill 'HUP', $program->{pid};
    like(join('', readline $program->{from}), qr/^0\|COUNT/m, 'there is a result');
    is(ended($program), 0, 'exit 0');
};

subtest 'it ends and removes everything when nobody reads its results any more' => sub {
    $preload or plan skip_all => $NO_HURRY;
    for my $ignored (0, 1) {
        local $SIG{PIPE} = $ignored ? 'IGNORE' : 'DEFAULT';
        my $program = at_work('slow from sync 3', 10_000, 20);
        ok(comes(sub { files_in($MEDIUM) > 2 }), 'files are there');
        close $program->{from};
        isnt(ended($program), 0, 'it has ended, and not well');
        is(left_behind(), '', 'nothing is left behind');
    }
};

subtest 'it says what it does' => sub {
    my $program = at_work(undef, 10_000, 5);
    my @said    = readline $program->{from};
    is(ended($program), 0, 'it has measured');
    like($said[0], qr/\A0\|NOW\|writing 1 of 5, 20 %\n\z/, 'which file of how many, and how much of all');
};

subtest 'the files are as long as they should be, and no two are alike' => sub {
    $preload or plan skip_all => $NO_HURRY;
    my $program = at_work('slow from sync 61', 10_000, 60);
    ok(comes(sub { files_in($DEPOT) > 0 }), 'a copy is there');
    kill 'STOP', $program->{pid};
    my @texts = map { slurp($_) } files_in($MEDIUM);
    is(scalar @texts,                            60, 'all files are there');
    is(scalar(grep { length != 10_000 } @texts), 0,  'each has its length');
    my %different = map { md5_hex($_) => 1 } @texts;
    is(scalar keys %different, 60, 'and its own bytes');
    kill 'TERM', $program->{pid};
    kill 'CONT', $program->{pid};
    ended($program);
    is(left_behind(), '', 'nothing is left behind');
};

subtest 'a place that vanishes in the middle is named' => sub {
    $preload or plan skip_all => $NO_HURRY;
    my $program = at_work('slow from sync 3', 10_000, 20);
    ok(comes(sub { files_in($MEDIUM) > 2 }), 'files are there');
    my ($own) = bsd_glob("\Q$MEDIUM\E/*");
    kill 'STOP', $program->{pid};
    unlink files_in($MEDIUM);
    rmdir $own or diag("cannot remove '$own': $!");
    kill 'CONT', $program->{pid};
    my $said = join '', grep { !/NOW/ } readline $program->{from};
    is(ended($program), 1 << 8, 'exit 1');
    like($said, qr/\A0\|ERROR\|cannot make a file in '\Q$MEDIUM\E': No such file/, 'one line says what');
    is(left_behind(), '', 'nothing is left behind');
};

done_testing;
