# SPDX-License-Identifier: GPL-2.0-or-later
# OnDisk - runs programs that write and read a disk by hand, in a directory on a disk, which has a directory
# `kept`. A preloaded library causes the faults that a disk rarely has.
#
#   OnDisk::begin(qw(commit diskread));     finds the directory, or skips the test
#   in_place([], 'commit')                  exit status, standard error and standard output
#   with_fault('pwrite 28', 'commit')       the same with a fault of the library
package OnDisk;
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use Exporter qw(import);
use File::Path qw(make_path);
use File::Temp ();
use Test::More;

use ByHand;
use Files;
use Programs;
use Sources ();

our @EXPORT = qw(SECONDS $place $is_preloadable $SKIPPED in_place with_fault left_behind is_skipped mounted
    in_memory);

use constant { SECONDS => '0.05', PROBED => 123 };

our ($place, $is_preloadable);
our $SKIPPED = 'no preloaded library has an effect on the programs here';

# Arguments of programs that need more than SECONDS.
my %USUAL = (
    map({ $_ => [ SECONDS, 'kept' ] } qw(diskread seq-write rand-read-32)),
    'seq-read' => [ SECONDS, 'kept', 'direct' ]
);

# Runs a program in a directory, where it finds `kept`. The words in `before` come first.
sub _in {
    my ($before, $dir, $program, @arguments) = @_;
    return run(
        @$before, 'sh', '-c', 'cd "$0" && mkdir -p kept && exec "$@"',
        $dir,
        Programs::path($program),
        @arguments ? @arguments : @{ $USUAL{$program} || [SECONDS] }
    );
}

sub in_place { my ($before, @words) = @_; return _in($before, $place, @words) }
sub in_memory { my ($before, $dir, $program) = @_; return _in($before, $dir, $program) }

sub left_behind {
    return join ' ', grep { $_ ne 'kept' } names_in($place);
}

# FAULT chooses the fault; with CALLS=file the library writes the order of the calls that change files.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *fault = "";
static FILE *calls;
static int writes, reads, renames;
static off_t mapped;
static atomic_int on_the_way, most_on_the_way;

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static int is(const char *what)
{
	return strcmp(fault, what) == 0;
}

__attribute__((constructor)) static void begin(void)
{
	if (getenv("FAULT"))
		fault = getenv("FAULT");
	if (strcmp(fault, "probe") == 0)
		_exit(123);
	if (getenv("CALLS"))
		calls = fopen(getenv("CALLS"), "w");
}

__attribute__((destructor)) static void end(void)
{
	if (calls && is("reads overlap"))
		fprintf(calls, "%d\n", most_on_the_way);
	if (calls)
		fclose(calls);
}

static void note(const char *call, int fd)
{
	struct stat s;

	if (calls)
		fprintf(calls, "%s%s\n", call, fstat(fd, &s) == 0 && S_ISDIR(s.st_mode) ? " directory" : "");
}

/* With FAULT="pwrite 28" the call fails with error 28. */
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
	ssize_t (*const real)(int, const void *, size_t, off_t) =
		REAL(ssize_t, pwrite, int, const void *, size_t, off_t);

	note("pwrite", fd);
	writes++;
	if (is("write is interrupted") && writes % 2 == 1) {
		errno = EINTR;
		return -1;
	}
	/* seq-write counts itself, tries a write, and then measures. */
	if (is("writes are lost") && writes > 2)
		return (ssize_t)size;
	if (is("writes are elsewhere") && writes > 2)
		place ^= 1 << 20;
	if (fcntl(fd, F_GETFL) & O_DIRECT && fails("direct pwrite"))
		return -1;
	/* The first 4096 make the log of commit. */
	if (fails("pwrite") || (writes > 4096 && fails("later pwrite")))
		return -1;
	if (is("write is lost") && writes % 4097 == 0)
		return (ssize_t)size;
	if (is("half is written") && size > 1)
		return real(fd, from, size / 2, place);
	if (is("write is elsewhere") && writes % 4097 == 0)
		return real(fd, from, size, place ^ 4096);
	return real(fd, from, size, place);
}

ssize_t pread(int fd, void *to, size_t size, off_t place)
{
	const int others = atomic_fetch_add(&on_the_way, 1);
	ssize_t n;

	reads++;
	if (is("reads overlap")) {
		if (others >= most_on_the_way)
			most_on_the_way = others + 1;
		usleep(5000);
	}
	if (is("places are told") && calls)
		fprintf(calls, "%ld\n", (long)place);
	if (fails("pread"))
		return -1;
	if (is("read is elsewhere") && reads == 5)
		place ^= 4096;
	n = REAL(ssize_t, pread, int, void *, size_t, off_t)(fd, to, size, place);
	atomic_fetch_sub(&on_the_way, 1);
	if (is("end is other") && n > 0)
		((char *)to)[n - 1] ^= 1;
	if (is("middle is other") && n > 0)
		((char *)to)[n / 2] ^= 1;
	return is("less is read") ? n - 1 : n;
}

ssize_t read(int fd, void *to, size_t size)
{
	const ssize_t n = REAL(ssize_t, read, int, void *, size_t)(fd, to, size);

	if (is("middle is other") && n == 16384)
		((char *)to)[n / 2] ^= 1;
	return n;
}

int fsync(int fd)
{
	note("fsync", fd);
	return fails("fsync") ? -1 : REAL(int, fsync, int)(fd);
}

int fdatasync(int fd)
{
	note("fdatasync", fd);
	return fails("fdatasync") ? -1 : REAL(int, fdatasync, int)(fd);
}

int rename(const char *from, const char *to)
{
	note("rename", -1);
	if (fails("rename"))
		return -1;
	return is("rename is lost") && ++renames > 1 ? 0 : REAL(int, rename, const char *, const char *)(from, to);
}

int openat(int directory, const char *path, int flags, ...)
{
	int mode = 0;
	va_list more;

	if (flags & O_CREAT) {
		va_start(more, flags);
		mode = va_arg(more, int);
		va_end(more);
	}
	if (flags & O_DIRECT && fails("direct"))
		return -1;
	return REAL(int, openat, int, const char *, int, ...)(directory, path, flags, mode);
}
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t place)
{
	mapped = fd == -1 ? mapped : place;
	return REAL(void *, mmap, void *, size_t, int, int, int, off_t)(at, size, protection, flags, fd, place);
}

/* With FAULT="cache keeps 16" no page beyond 16 MB is in the page cache. */
int mincore(void *at, size_t size, unsigned char *in_memory)
{
	const int status = REAL(int, mincore, void *, size_t, unsigned char *)(at, size, in_memory);
	const char keeps[] = "cache keeps ";

	if (strncmp(fault, keeps, strlen(keeps)) == 0)
		memset(in_memory, mapped < (off_t)atoi(fault + strlen(keeps)) << 20, size / 4096);
	if (is("reads fill the cache"))
		memset(in_memory, reads > 0, size / 4096);
	if (is("cache shrinks"))
		memset(in_memory, reads <= 256, size / 4096);
	return status;
}
C

sub with_fault {
    my ($fault, @words) = @_;
    local @ENV{qw(FAULT LD_PRELOAD CALLS)} = ($fault, "$work/fault.so", "$work/calls");
    return in_place([], @words);
}

sub _is_preloadable {
    my (@programs) = @_;
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) =
        run(Programs::compiler(), '-std=gnu11', '-shared', '-fPIC', '-o', "$work/fault.so", "$work/fault.c",
        '-ldl');
    return $status == 0 && !grep { (with_fault('probe', $_))[0] != PROBED << 8 } @programs;
}

# The temporary directory may be in memory, and the tree on a disk. The last program tries the directories.
sub begin {
    my (@programs) = @_;
    -x Programs::path($_) or plan skip_all => 'the programs are not built' for @programs;
    delete @ENV{qw(TS_RESULT TS_READY TS_GATE TS_CPUS TS_SLICES TS_COPY TS_TURN TS_WARM)};
    state @kept_alive;
    for my $parent ("$work", getcwd(), '/var/tmp') {
        my $dir = -w $parent ? File::Temp->newdir('durable.XXXXXX', DIR => $parent) : next;
        push @kept_alive, $dir;
        $place = "$dir";
        last if ((in_place([], $programs[-1]))[0] == 0);
        undef $place;
    }
    defined $place or plan skip_all => 'no directory on a disk is found';
    $is_preloadable = _is_preloadable(@programs);
    return;
}

sub is_skipped {
    my ($what, $pattern, $status, $err) = @_;
    is($status, 77 << 8, "$what: exit 77");
    like($err, qr/\ASKIP\|[^\n]*$pattern[^\n]*\n\z/, "$what: one line says why");
    return;
}

# Returns the first words of a command for which a directory is one in memory.
sub mounted {
    my ($script, $dir) = @_;
    my @words = ('unshare', '-rm', 'sh', '-c', "$script && exec \"\$@\"", $dir);
    make_path($dir);
    return (run(@words, 'true'))[0] == 0 ? @words : ();
}

1;
