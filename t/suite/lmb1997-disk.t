# SPDX-License-Identifier: GPL-2.0-or-later
# The disk programs of 1997 run by hand: what one unit is, that they leave nothing behind, and that they
# notice a disk that does not keep what is written. If nothing goes wrong by itself, a preloaded library
# makes system calls fail.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use Amount;
use ByHand;
use Files;
use NoWarnings;
use Programs;
use Sources ();

# SECONDS is so short that one unit is measured.
use constant { SECONDS => '0.000001', PROBED => 123 };

my @IN_C  = qw(m-nnstadis m-debi);
my @NAMES = (@IN_C, grep { -x Programs::path($_) } 'm-stadis1.f');
my $PLACE = 'in the working directory';
my $files = "$work/files";
mkdir $files or die "cannot make '$files': $!\n";

sub left_behind {
    return join ' ', names_in($files);
}

# Runs a program in a directory. The words in `before` come first, and may change its environment.
sub in_place {
    my ($before, $place, $program, @arguments) = @_;
    return run(
        @$before, 'sh', '-c', 'cd "$0" && exec "$@"',
        $place,
        Programs::path($program),
        @arguments ? @arguments : SECONDS
    );
}

# FAULT=name in the environment chooses what goes wrong. With COUNTS=file the library counts the calls for
# the program's file, and writes them to that file.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long writes, reads, moves, syncs, advices;
static const char *fault = "";

#define REAL(type, name, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) \
		real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void)
{
	if (getenv("FAULT"))
		fault = getenv("FAULT");
	if (strcmp(fault, "probe") == 0)
		_exit(123);
}

__attribute__((destructor)) static void end(void)
{
	FILE *out = getenv("COUNTS") ? fopen(getenv("COUNTS"), "w") : NULL;

	if (!out)
		return;
	fprintf(out, "writes=%ld reads=%ld moves=%ld syncs=%ld advices=%ld", writes, reads, moves, syncs, advices);
	fclose(out);
}

static int is(const char *what)
{
	return strcmp(fault, what) == 0;
}

/* With FAULT="write 28" the call fails with error 28. */
static int fails(const char *call)
{
	const size_t length = strlen(call);

	if (strncmp(fault, call, length) != 0 || fault[length] != ' ' || atoi(fault + length) == 0)
		return 0;
	errno = atoi(fault + length);
	return 1;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t place)
{
	REAL(ssize_t, pwrite, int, const void *, size_t, off_t);

	writes++;
	if (fails("pwrite"))
		return -1;
	if (is("pwrite nothing"))
		return 0;
	if (is("pwrite lost"))
		return writes % 100 == 0 ? (ssize_t)size : real(fd, from, size, place);
	if (is("pwrite elsewhere"))
		return real(fd, from, size, place + (writes % 100 == 0 ? (off_t)size : 0));
	return real(fd, from, is("pwrite less") && size > 100 ? size - 100 : size, place);
}

ssize_t pread(int fd, void *to, size_t size, off_t place)
{
	REAL(ssize_t, pread, int, void *, size_t, off_t);
	ssize_t n;

	reads++;
	if (fails("pread"))
		return -1;
	if (is("pread nothing"))
		return 0;
	n = real(fd, to, is("pread less") && size > 100 ? size - 100 : size, place);
	if (is("pread other bytes") && reads % 100 == 0)
		((char *)to)[n - 1] ^= 1;
	return n;
}

/* Fortran's library calls these for the file. */
ssize_t write(int fd, const void *from, size_t size)
{
	REAL(ssize_t, write, int, const void *, size_t);

	if (fd <= STDERR_FILENO)
		return real(fd, from, size);
	writes++;
	if (fails("write"))
		return -1;
	return is("write lost") && writes % 1000 == 0 ? (ssize_t)size : real(fd, from, size);
}

off_t lseek(int fd, off_t to, int how)
{
	REAL(off_t, lseek, int, off_t, int);

	moves++;
	return real(fd, to, how);
}

int fdatasync(int fd)
{
	REAL(int, fdatasync, int);

	syncs++;
	return fails("sync") ? -1 : real(fd);
}

int posix_fadvise(int fd, off_t from, off_t size, int advice)
{
	REAL(int, posix_fadvise, int, off_t, off_t, int);

	advices++;
	return fails("advise") ? errno : real(fd, from, size, advice);
}

int ftruncate(int fd, off_t size)
{
	REAL(int, ftruncate, int, off_t);

	return fails("truncate") ? -1 : real(fd, size);
}

int mkstemp(char *name)
{
	REAL(int, mkstemp, char *);

	return fails("make") ? -1 : real(name);
}

int unlink(const char *path)
{
	REAL(int, unlink, const char *);
	const int status = real(path);

	return fails("unlink") ? -1 : status;
}
C

sub with_fault {
    my ($fault, $program) = @_;
    local @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/fault.so");
    return in_place([], $files, $program);
}

# Returns the programs whose system calls can be made to fail here.
sub preloadable {
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) =
        run(Programs::compiler(), '-std=gnu11', '-shared', '-fPIC', '-o', "$work/fault.so", "$work/fault.c",
        '-ldl');
    return $status == 0 ? grep { (with_fault('probe', $_))[0] == PROBED << 8 } @NAMES : ();
}

my %preloadable = map { $_ => 1 } preloadable();

# Calls by program are kept for a later subtest, because a unit takes seconds.
my %calls;

subtest 'each says how many seconds a unit takes, and leaves no file' => sub {
    for my $program (@NAMES) {
        local $ENV{COUNTS} = "$work/counts";
        my @got = $preloadable{$program} ? with_fault('none', $program) : in_place([], $files, $program);
        is_result($program, @got);
        like($got[1], qr/^COUNT\|1\|1\|s$/m, "$program: a unit, and its seconds are the result");
        is(left_behind(), '', "$program: no file is left behind");
        $calls{$program} = slurp("$work/counts") if $preloadable{$program};
    }
};

subtest 'the next unit is as right as the first, and m-debi says how fast it wrote and read' => sub {
    is_result('m-nnstadis', in_place([], $files, 'm-nnstadis', 0.6));
    my @got = in_place([], $files, 'm-debi', 0.6);
    is_result('m-debi', @got);
    like(
        $got[1],
        qr/\AFIGURE\|write_mbps\|(?!0\.0$)\d+\.\d\nFIGURE\|read_mbps\|(?!0\.0$)\d+\.\d\nCOUNT/m,
        'two figures, above zero'
    );
};

# The numbers of system calls for the file. m-nnstadis fills 64 MB by the megabyte before the first unit, and
# m-stadis1.f tries 5.76 MB by 64 KB.
my %CALLS = (
    'm-nnstadis' => qr/\Awrites=100064 reads=100000 moves=0 syncs=1 advices=0\z/,
    'm-debi'     => qr/\Awrites=4096 reads=4096 moves=0 syncs=1 advices=1\z/,

    # Each write needs a move, but some of the changed records are adjacent.
    'm-stadis1.f' => qr/\Awrites=144[1-2]\d{3} reads=0 moves=14[4-5]\d{4} syncs=0 advices=0\z/,
);

subtest 'a unit is what is described' => sub {
    %preloadable or plan skip_all => 'no preloaded library has an effect on the programs here';
    like($calls{$_}, $CALLS{$_}, "$_: the calls are counted") for sort keys %calls;
};

subtest 'what they cannot be told is a usage error' => sub {
    is_usage($_, program($_, SECONDS, $files)) for @IN_C;
};

subtest 'a full disk is said to be full, and no file is left on it' => sub {
    my @small = small_disk() or plan skip_all => 'no small file system can be mounted here';
    for my $program (@NAMES) {
        is_error($program, "cannot write to a file $PLACE: No space left",
            in_place(\@small, $work, $program));
        my ($status, $err, $out) = run(@small, 'sh', '-c', 'cd "$0"; "$@" 2>/dev/null || find . -type f',
            "$work", Programs::path($program), SECONDS);
        is($out, '', "$program: nothing is left");
    }
};

subtest 'a directory where no file can be made is said to be none' => sub {
    my @locked =
        small_disk()
        ? ('unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o ro none "$0" && exec "$@"', $files)
        : ();
    @locked or plan skip_all => 'no file system can be mounted here';
    is_error($_, "cannot make a file $PLACE: Read-only", in_place(\@locked, $files, $_)) for @NAMES;
};

subtest 'a file that may not grow is no result' => sub {
    for my $program (@NAMES) {
        is_error(
            $program,
            "cannot write to a file $PLACE: File too large",
            in_place([ 'sh', '-c', 'trap "" XFSZ; ulimit -f 2000; exec "$@"', 'sh' ], $files, $program)
        );
    }
    is(left_behind(), '', 'no file is left behind');
};

# Starts a program and returns its process id. With `taken`, a file with the first name that m-stadis1.f
# would choose exists already.
sub at_work {
    my ($program, $taken) = @_;
    pipe my $ready,   my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate     or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_ready, $at_gate;
        @ENV{qw(TS_READY TS_GATE)} = (fileno $to_ready, fileno $at_gate);
        close $gate;
        chdir $files;
        Sources::spew("lmb1997.$$.1", "kept\n") if $taken;
        { no warnings 'exec'; exec { Programs::path($program) } $program, 60 }
        POSIX::_exit(127);
    }
    close $to_ready;
    is(sysread($ready, my $byte, 1), 1, "$program: it is ready");
    close $gate;
    sleep 0.1;
    return $pid;
}

subtest 'the file has no name while it is used, and is gone whatever ends the program' => sub {
    for my $program (@NAMES) {
        for my $signal (qw(KILL TERM)) {
            my $pid = at_work($program);
            is(left_behind(), '', "$program: no name");
            kill $signal, $pid;
            waitpid $pid, 0;
            is($?,            POSIX->can("SIG$signal")->(), "$program: ended by SIG$signal");
            is(left_behind(), '',                           "$program: no file is left behind");
        }
    }
};

# Each row is [program, what goes wrong, pattern of the message, or nothing if the result is right all the
# same].
my @FAULTS = (
    [
        'm-nnstadis',
        'pread other bytes',
        'wrong result: a block of a file %s holds other bytes than were written'
    ],
    [ 'm-nnstadis', 'pwrite lost', 'wrong result: a block of a file %s holds other bytes than were written' ],
    [
        'm-nnstadis',
        'pwrite elsewhere',
        'wrong result: a block of a file %s holds other bytes than were written'
    ],
    [ 'm-nnstadis', 'pwrite less' ],
    [ 'm-nnstadis', 'pread less' ],
    [
        'm-debi',
        'pread other bytes',
        'wrong result: block 99 of a file %s holds other bytes than were written'
    ],
    [ 'm-debi', 'pwrite lost', 'wrong result: block 99 of a file %s holds other bytes than were written' ],
    [
        'm-debi',
        'pwrite elsewhere',
        'wrong result: block 99 of a file %s holds other bytes than were written'
    ],
    [ 'm-debi',      'advise 22',  'cannot drop a file %s from the cache: Invalid' ],
    [ 'm-debi',      'truncate 5', 'cannot empty a file %s: Input/output' ],
    [ 'm-stadis1.f', 'pwrite 122', 'cannot write to a file %s: Disk quota' ],
    [ 'm-stadis1.f', 'write 28',   'a file %s does not hold what was written: No space left' ],
    [ 'm-stadis1.f', 'write lost', 'a file %s does not hold what was written' ],
    [ 'm-stadis1.f', 'make 13',    'cannot make a file %s: Permission' ],
    [ 'm-stadis1.f', 'unlink 1',   'cannot remove the name of a file %s: Operation not' ],
    map {
        (
            [ $_ => 'pwrite 28',      'cannot write to a file %s: No space left' ],
            [ $_ => 'pwrite 5',       'cannot write to a file %s: Input/output' ],
            [ $_ => 'pwrite 122',     'cannot write to a file %s: Disk quota' ],
            [ $_ => 'pwrite nothing', 'cannot write to a file %s' ],
            [ $_ => 'pread 5',        'cannot read from a file %s: Input/output' ],
            [ $_ => 'pread nothing',  'wrong result: a file %s is too short' ],
            [ $_ => 'sync 5',         'cannot sync a file %s: Input/output' ],
            [ $_ => 'make 13',        'cannot make a file %s: Permission' ],
            [ $_ => 'unlink 1',       'cannot remove the name of a file %s: Operation not' ]
        )
    } @IN_C,
);

# The check that finds these finds another fault of the same program, too.
my %ALIKE = map { $_ => 1 } 'm-nnstadis pwrite lost', 'm-debi pread other bytes', 'm-debi pwrite elsewhere';

subtest 'a disk that does not keep what is written is no result, and a write in parts is one' => sub {
    %preloadable or plan skip_all => 'no preloaded library has an effect on the programs here';
    my @tried = grep { Amount::is_all() || !$ALIKE{"$_->[0] $_->[1]"} } @FAULTS;
    for my $case (grep { $preloadable{ $_->[0] } } @tried) {
        my ($program, $fault, $says) = @$case;
        my @got = with_fault($fault, $program);
        if ($says) { is_error("$program, $fault", sprintf($says, $PLACE), @got) }
        else       { is_result("$program, $fault", @got) }
    }
    is(left_behind(), '', 'no file is left behind');
};

subtest 'a name that is taken is left alone' => sub {
    -x Programs::path('m-stadis1.f')
        or plan skip_all => 'there is no m-stadis1.f: without gfortran it is not built';
    my $pid = at_work('m-stadis1.f', 1);
    kill 'TERM', $pid;
    waitpid $pid, 0;
    is($?,                             POSIX::SIGTERM(), 'it was at work');
    is(left_behind(),                  "lmb1997.$pid.1", 'the file is there');
    is(slurp("$files/lmb1997.$pid.1"), "kept\n",         'it holds what it did');
    unlink "$files/lmb1997.$pid.1";
};

done_testing;
