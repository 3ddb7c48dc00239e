# SPDX-License-Identifier: GPL-2.0-or-later
# The programs of 1984 run by hand: what they measure, and that each of their checks notices wrong work. If
# nothing goes wrong by itself, a preloaded library makes system calls fail, or the source is changed.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use ByHand;
use Files;
use Inherited;
use NoWarnings;
use Programs;
use Sources ();

delete @ENV{qw(UB_BINDIR UB_TESTDIR MULTI_SH_WORK_FACTOR TST_SH_KEEP)};

# The time is enough for a few units, because no test here depends on a figure.
use constant { SECONDS => 0.01, PROBED => 123 };

my @NAMES = qw(pipe84 scall84 fcall84 sieve84 loop84 dwrite84 dread84);
my @FILES = qw(dwrite84 dread84);
my $FILES = "$work/files";
mkdir $FILES or die "cannot make '$FILES': $!\n";

# FAULT=name in the environment chooses what goes wrong.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The clock of FAULT=clock and FAULT=growing, in microseconds: only calls advance it. */
static long long micro, looks;
static int failed, written;

static int is(const char *fault)
{
	const char *now = getenv("FAULT");

	return now && strcmp(now, fault) == 0;
}

static int fails(const char *fault, int cause)
{
	if (!is(fault))
		return 0;
	errno = cause;
	return 1;
}

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void probe(void)
{
	if (is("probe"))
		_exit(123);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (!is("clock") && !is("growing"))
		return REAL(int, clock_gettime, clockid_t, struct timespec *)(id, t);
	micro += is("growing") ? ++looks : 1;
	t->tv_sec = 1 + micro / 1000000;
	t->tv_nsec = micro % 1000000 * 1000;
	return 0;
}

int open(const char *path, int flags, ...)
{
	va_list more;
	int mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, int) : 0;
	va_end(more);
	micro++;
	if ((flags & O_ACCMODE) == O_RDONLY && fails("open to read", EACCES))
		return -1;
	return REAL(int, open, const char *, int, ...)(path, flags, mode);
}

ssize_t read(int fd, void *to, size_t size)
{
	const ssize_t n = REAL(ssize_t, read, int, void *, size_t)(fd, to, size);

	micro++;
	if (n <= 0 || fails("read", EINVAL))
		return -1 + (n == 0);
	if (is("killed reader"))
		raise(SIGKILL);
	if (is("read other bytes"))
		((char *)to)[n - 1] ^= 1;
	return is("read less") ? n - 1 : n;
}

ssize_t write(int fd, const void *from, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) = REAL(ssize_t, write, int, const void *, size_t);

	micro++;
	if (fd == STDERR_FILENO)
		return real(fd, from, size);
	if (fails("write", ENOSPC))
		return -1;
	if (is("write less"))
		return real(fd, from, size / 2);
	if (is("lose blocks") && ++written % 100 == 0)
		return (ssize_t)size;
	return real(fd, from, size);
}

off_t lseek(int fd, off_t to, int how)
{
	micro++;
	if (fails("lseek", EINVAL))
		return -1;
	return is("seek nowhere") ? to : REAL(off_t, lseek, int, off_t, int)(fd, is("seek one byte back") && to ? to - 1 : to, how);
}

int close(int fd)
{
	int (*real)(int) = REAL(int, close, int);

	micro++;
	if (is("one byte more") && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
		write(fd, "x", 1);
	return real(fd) == 0 && !fails("close", ENOSPC) ? 0 : -1;
}

/* This fails only once, because the removal at the end must work. */
int unlink(const char *path)
{
	micro++;
	return !failed && fails("unlink", EPERM) ? failed = 1, -1 : REAL(int, unlink, const char *)(path);
}

pid_t fork(void)
{
	return fails("fork", EAGAIN) ? -1 : REAL(pid_t, fork, void)();
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	return fails("waitpid", ECHILD) ? -1 : REAL(pid_t, waitpid, pid_t, int *, int)(pid, status, options);
}

/* This affects only a program that asks for its process id. */
long syscall(long number, ...)
{
	return number != SYS_getpid ? -1 : is("another process") && ++looks > 100 ? 1 : (long)getpid();
}
C

# Returns whether system calls can be made to fail: the library can be built, and affects these programs.
sub preload {
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) =
        run(Programs::compiler(), '-std=gnu11', '-shared', '-fPIC', '-o', "$work/fault.so", "$work/fault.c",
        '-ldl');
    return $status == 0 && (with_fault('probe', 'loop84'))[0] == PROBED << 8;
}

sub arguments {
    my ($program) = @_;
    return (SECONDS, (grep { $_ eq $program } @FILES) ? $FILES : ());
}

sub with_fault {
    my ($fault, $program) = @_;
    local @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/fault.so");
    return program($program, arguments($program));
}

sub left_behind { return join ' ', names_in($_[0]) }

my $preload = preload();

subtest 'each says how many seconds a unit takes' => sub {
    for my $program (@NAMES) {
        my @got = program($program, arguments($program));
        is_result($program, @got);
        like($got[1], qr/\ACOUNT\|[^|]+\|[01]\|s\n/, "$program: the unit is s");
    }
    is(left_behind($FILES), '', 'no file is left behind');
};

subtest 'what they cannot be told is a usage error' => sub {
    is_usage("$_ with a directory", program($_, SECONDS, $FILES)) for grep { !/\Ad/ } @NAMES;
    is_usage("$_ with two directories", program($_, SECONDS, $FILES, $FILES)) for @FILES;
};

subtest 'the current directory is where files are made without another' => sub {
    chdir $FILES or die "cannot enter '$FILES': $!\n";
    is_result($_, program($_, SECONDS)) for @FILES;
    chdir $Programs::BASE or die "cannot enter '$Programs::BASE': $!\n";
    is(left_behind($FILES), '', 'no file is left behind');
};

subtest 'the place where no file can be made is named, with the cause' => sub {
    mkdir "$work/locked", 0500 or die "cannot make a directory: $!\n";
    for my $program (@FILES) {
        is_error(
            "$program, missing",
            qr(cannot make a file in '\Q$work\E/none': No such file),
            program($program, SECONDS, "$work/none")
        );
        is_error(
            "$program, no directory",
            qr(cannot make a file in '\Q$work\E/err': Not a dir),
            program($program, SECONDS, "$work/err")
        );
    SKIP: {
            skip 'this user may write everywhere', 2 if -w "$work/locked";
            is_error(
                "$program, locked",
                qr(cannot make a file in '\Q$work\E/locked': Perm),
                program($program, SECONDS, "$work/locked")
            );
        }
    }
};

subtest 'a full disk is said to be full, and no file is left on it' => sub {
    my @small = small_disk() or plan skip_all => 'no small file system can be mounted here';
    for my $program (@FILES) {
        is_error(
            $program,
            qr(cannot write in '\Q$work\E': No space left|only \d+ of 512 bytes could be written in '\Q$work\E': is it full\?),
            run(@small, Programs::path($program), SECONDS, $work)
        );
        my ($status, $err, $out) = run(
            @small,  'sh', '-c', '"$@" 2>/dev/null || find "$0" -type f',
            "$work", Programs::path($program),
            SECONDS, $work
        );
        is($out, '', "$program: nothing is left");
    }
};

subtest 'a file that may not grow is wrong work' => sub {
    for my $program (@FILES) {
        is_error(
            $program,
            qr(cannot write in '\Q$FILES\E': File too large),
            run(
                'sh',    '-c', 'trap "" XFSZ; ulimit -f 20; exec "$@"',
                'sh',    Programs::path($program),
                SECONDS, $FILES
            )
        );
    }
    is(left_behind($FILES), '', 'no file is left behind');
};

subtest 'a signal leaves no file behind, and ends what does not ignore it' => sub {
    for my $program (@FILES) {
        for my $signal (qw(INT TERM HUP)) {
            my $pid = fork // die "cannot fork: $!\n";
            if (!$pid) {
                $SIG{$_} = $_ eq 'HUP' && $signal ne 'HUP' ? 'IGNORE' : 'DEFAULT' for qw(INT TERM HUP);
                { no warnings 'exec'; exec { Programs::path($program) } $program, 60, $FILES }
                POSIX::_exit(127);
            }
            sleep 0.002 while !left_behind($FILES) && kill 0, $pid;
            kill $_, $pid for ($signal ne 'HUP' ? 'HUP' : ()), $signal;
            waitpid $pid, 0;
            is($?,                  POSIX->can("SIG$signal")->(), "$program: ended by SIG$signal alone");
            is(left_behind($FILES), '',                           "$program: no file is left behind");
        }
    }
};

subtest 'pipe84 says that there is no descriptor for a pipe' => sub {
    is_error(
        'no descriptor',
        'cannot make a pipe: \S',
        run('sh', '-c', 'ulimit -n 4; exec "$0" "$1"', Programs::path('pipe84'), SECONDS)
    );
};

# Each row is [program, what goes wrong, pattern of the message].
my @FAULTS = (
    [
        pipe84 => 'lose blocks',
        'the reader of the pipe ended with wait status 512: not every byte has arrived'
    ],
    [
        pipe84 => 'read other bytes',
        'the reader of the pipe ended with wait status 512: not every byte has arrived'
    ],
    [
        pipe84 => 'read less',
        'the reader of the pipe ended with wait status 512: not every byte has arrived'
    ],
    [ pipe84   => 'read',               'cannot write to the pipe: Broken pipe' ],
    [ pipe84   => 'killed reader',      'cannot write to the pipe: Broken pipe' ],
    [ pipe84   => 'write less',         'cannot write to the pipe' ],
    [ pipe84   => 'fork',               'cannot make a process: Resource temporarily' ],
    [ pipe84   => 'waitpid',            'cannot wait for a process: No child' ],
    [ scall84  => 'another process',    'the process has another id than before' ],
    [ dwrite84 => 'lose blocks',        'block \d+ of a file in .* holds other bytes than were written' ],
    [ dwrite84 => 'read other bytes',   'block \d+ of a file in .* holds other bytes than were written' ],
    [ dwrite84 => 'read less',          'block \d+ of a file in .* holds other bytes than were written' ],
    [ dwrite84 => 'one byte more',      'a file in .* is too long' ],
    [ dwrite84 => 'open to read',       'cannot open a file in .*: Permission' ],
    [ dwrite84 => 'unlink',             'cannot remove a file in .*: Operation not permitted' ],
    [ dread84  => 'lose blocks',        'cannot read at byte \d+ of a file in' ],
    [ dread84  => 'read other bytes',   'the bytes read from a file in .* add up to \d+, not to \d+' ],
    [ dread84  => 'read less',          'cannot read at byte \d+ of a file in' ],
    [ dread84  => 'read',               'cannot read at byte \d+ of a file in .*: Invalid' ],
    [ dread84  => 'lseek',              'cannot read at byte \d+ of a file in .*: Invalid' ],
    [ dread84  => 'seek nowhere',       'the bytes read from a file in .* add up to' ],
    [ dread84  => 'seek one byte back', 'the bytes read from a file in .* add up to' ],
    [ dread84  => 'open to read',       'cannot open a file in .*: Permission' ],
    [ dread84  => 'unlink',             'cannot remove a file in .*: Operation not permitted' ],
    map {
        (
            [ $_ => 'write',      'cannot write in .*: No space' ],
            [ $_ => 'write less', 'only 256 of 512 bytes could be written in' ],
            [ $_ => 'close',      'cannot close a file in .*: No space' ]
        )
    } @FILES,
);

subtest 'work that goes wrong is no result' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';
    is_error("$_->[0], $_->[1]", $_->[2], with_fault($_->[1], $_->[0])) for @FAULTS;
    is(left_behind($FILES), '', 'no file is left behind');
};

subtest 'only what is described is measured' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';

    # From the second reading of the clock on, each system call takes a microsecond.
    my %takes = (dwrite84 => 2 + 1 + 256 + 1, dread84 => 1 + 2 * 256 + 1 + 1);
    for my $program (@FILES) {
        my ($status, $err) = with_fault('clock', $program);
        like($err, qr/\ACOUNT\|0\.000$_\|0\|s\n/, "$program: $_ microseconds") for 1 + $takes{$program};
    }
};

subtest 'fcall84 prints a difference below zero as it is' => sub {
    $preload or plan skip_all => 'no preloaded library has an effect on the programs here';

    # The time between two readings of the clock grows by a microsecond with each reading.
    my @got = with_fault('growing', 'fcall84');
    is_result('calls that cost less than nothing', @got);

    # The result is multiplied by the share of CPU time, which comes from the same clock.
    like($got[1], qr/\ACOUNT\|-(?:9\.\d+e-07|1(?:\.0\d*)?e-06)\|0\|s\n/, 'a microsecond below zero');
};

# Each row is [program, text of its source, replacement, pattern of the message].
my @CHANGES = (
    [ sieve84 => 'multiple = 3 * i + 3;', 'multiple = 5 * i + 6;',    '\d+ primes were found, not 1899' ],
    [ sieve84 => 'is_prime[i] = 1;',      'is_prime[i] = i != 8189;', '1898 primes were found, not 1899' ],
    [ loop84  => 'i++;',                  'i += 3;', 'it counted to 1000002, not to 1000000' ],
    [
        fcall84 => 'last = same(i);',
        'last = same(i) + 1;', 'the loops ended with 50000 and 49999, not with 49999'
    ],
    [ fcall84 => 'last = i;', 'last = i - 1;', 'the loops ended with 49999 and 49998, not with 49999' ],
);

subtest 'what calculates is checked against what is known' => sub {
    plan skip_all => 'there is no make'
        if system('command -v gmake >/dev/null 2>&1 || command -v make >/dev/null 2>&1') != 0;
    for my $change (@CHANGES) {
        my ($program, $from, $to, $says) = @$change;
        my $source = "$Sources::dir/src/byte1984/$program.c";
        my $text   = slurp($source);
        Sources::spew($source, $text =~ s/\Q$from\E/$to/r);
        isnt(slurp($source), $text, "'$from' is in $program");
        my ($status, undef, $err) = Sources::build($program);
        is("$status$err", '0', "$program is built with '$to'");
        is_error("$program with '$to'", "wrong result: $says", run("$Sources::dir/pgms/$program", SECONDS));
        Sources::spew($source, $text);
    }
};

# --- looper and the scripts that it runs

sub script {
    my ($name, $text) = @_;
    Sources::spew("$work/$name", "#!/bin/sh\n$text\n");
    chmod 0755, "$work/$name" or die "cannot make '$name' executable: $!\n";
    return "$work/$name";
}

subtest 'looper -s counts runs whose seconds are wanted' => sub {
    my @got = program('looper', SECONDS, '-s', 'true');
    is_result('-s', @got);
    like($got[1], qr/\ACOUNT\|\d+\|1\|s\n/, 'the unit is s, and a count is divided by the seconds');
    is_usage('-s alone', program('looper', SECONDS, '-s'));
};

# Starts looper with a gate: { pid, ready, gate, err }.
sub start_at_gate {
    my (@arguments) = @_;
    pipe my $ready,   my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate     or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    return { pid => $pid, ready => $ready, gate => $gate } if $pid;
    fcntl $_, F_SETFD, 0 for $to_ready, $at_gate;
    @ENV{qw(TS_READY TS_GATE)} = (fileno $to_ready, fileno $at_gate);
    open STDERR, '>', "$work/err" or POSIX::_exit(126);
    { no warnings 'exec'; exec { Programs::path('looper') } 'looper', @arguments }
    POSIX::_exit(127);
}

subtest 'looper -k runs a script once with the command, before the clock starts' => sub {
    my $log    = "$work/log";
    my $check  = script('check', qq{{ printf '<%s>' "\$0" "\$@"; echo; } >>'$log'});
    my $once   = script('once',  qq{echo once >>'$log'});
    my $looper = start_at_gate(SECONDS, '-k', $check, '-s', $once, '-k', 'a  b', '');
    sysread $looper->{ready}, my $byte, 1;
    is($byte, 'r', 'looper is at the gate');
    is(
        slurp($log),
        "<$check><$once><-k><a  b><>\n",
        'the script has run, and has the words of the command as they are'
    );
    close $looper->{gate};
    waitpid $looper->{pid}, 0;
    my $err = slurp("$work/err");
    is_result('looper -k', $?, $err);
    my ($count) = $err =~ /\ACOUNT\|(\d+)/;
    is(
        slurp($log),
        "<$check><$once><-k><a  b><>\n" . "once\n" x ($count // 0),
        'it has not run again, and is no part of the count'
    );
};

# Tests that a script reported an error, whose words precede looper's own.
sub is_error_of_script {
    my ($what, $words, $error, $status, $err) = @_;
    is($status, 1 << 8, "$what: exit 1");
    like(
        $err,
        qr/\A(?:$words[^\n]*\n)+ERROR\|wrong result: '\/bin\/sh' $error\n\z/,
        "$what: what the script says, and how it ended"
    );
    return;
}

subtest 'looper tells why a script has found the work wrong, and does not measure' => sub {
    my $not = script('not', "touch '$work/measured'");
    my $bad = script('bad', 'echo "bad: $1 is wrong" >&2; exit 3');
    is_error_of_script(
        'a status',
        "bad: \Q$not\E is wrong",
        'exited with status 3',
        program('looper', SECONDS, '-k', $bad, $not)
    );
    is_error_of_script(
        'no script', ".*\Q$work\E/none",
        'exited with status (?:2|127)',
        program('looper', SECONDS, '-k', "$work/none", $not)
    );
    is_error(
        'a signal',
        q('/bin/sh' was killed by signal 9),
        program('looper', SECONDS, '-k', script('killed', 'kill -9 $$'), $not)
    );
    is_error_of_script(
        'any status is right for the command only',
        'bad: ',
        'exited with status 3',
        program('looper', SECONDS, '-a', '-k', $bad, $not)
    );
    ok(!-e "$work/measured", 'the command has not run');
    is_usage('-k alone', program('looper', SECONDS, '-k'));
};

# tst-check.sh runs in an empty directory, with programs that replace others: { sort => text of a script }.
my $TEXT = "$Programs::BASE/testdir/tst84.src";
my $SORT = [ '/bin/sh', "$Programs::BASE/pgms/tst.sh", $TEXT ];
sub multi { my ($copies) = @_; return ('/bin/sh', "$Programs::BASE/pgms/multi.sh", $copies, $TEXT) }
my $boxes = 0;

sub check_words {
    my ($instead, @command) = @_;
    my $box = "$work/box" . ++$boxes;
    mkdir $_ or die "cannot make '$_': $!\n" for $box, "$box/bin", "$box/in";
    script("box$boxes/bin/$_", "PATH=\${PATH#*:}\n$instead->{$_}") for keys %$instead;
    my @words = (
        '/bin/sh', '-c', 'cd "$0/in" && PATH=$0/bin:$PATH && exec "$@"',
        $box, '/bin/sh', "$Programs::BASE/pgms/tst-check.sh", @command
    );
    return ("$box/in", @words);
}

sub check {
    my ($directory, @words) = check_words(@_);
    my @got = run(@words);
    return (@got, left_behind($directory));
}

subtest 'the text that a shell sorts is the one of the article' => sub {
    my $text = slurp($TEXT);
    is_deeply([ length $text, scalar(() = $text =~ /^\S+\n/mg) ], [ 69, 16 ], '16 words, 69 bytes');
    my ($status, $err) = check({}, '/bin/sh', "$Programs::BASE/pgms/multi.sh", 1);
    is($status, 1 << 8, 'the text of the shell tests of UnixBench is another');
    is($err,    "tst-check.sh: the text is not sorted as it should be\n", 'and found out');
};

subtest 'tst-check.sh accepts what tst.sh and multi.sh do' => sub {
    is_deeply([ check({}, @$SORT) ], [ 0, '', '', '' ], 'tst.sh: nothing is said, and nothing left behind');
    is_deeply([ check({}, multi($_)) ], [ 0, '', '', '' ], "multi.sh $_: the same") for 1, 3;
    local $ENV{MULTI_SH_WORK_FACTOR} = 2;
    local $ENV{LC_ALL}               = 'en_US.UTF-8';
    is_deeply([ check({}, multi(2)) ], [ 0, '', '', '' ], 'the text is that of one factor and one locale');
};

# Each row is [replacement, pattern of the message].
my @BAD = (
    [ { sort => 'exec sort -r "$@"' },                         'the text is not sorted as it should be' ],
    [ { sort => '[ "$1" = -n ] || exec cat "$@"; sort "$@"' }, 'the text is not sorted as it should be' ],
    [ { sort => 'sort "$@" | sed 1d' },                        'the text is not sorted as it should be' ],
    [ { grep => 'grep "$@" | sed 1d' },                        'the lines found are not the right ones' ],
    [ { grep => 'shift; exec grep a "$@"' },                   'the lines found are not the right ones' ],
    [ { tee  => 'sed \$d | tee "$@"' },                        'the lines found are not the right ones' ],
    [ { od   => 'od "$@" | sed 4d' },                          'the dump is not as long as it should be' ],
    [ { wc   => 'wc "$@" | sed s/3/2/' },                      'wc counted 2, 3 and 14' ],
    [ { wc   => 'sed 1d | wc "$@"' },                          'wc counted 2, 2 and 10' ],
);

subtest 'tst-check.sh refuses what was not done right' => sub {
    for my $bad (@BAD) {
        my ($instead, $says) = @$bad;
        my ($tool) = keys %$instead;
        my ($status, $err, $out, $left) = check($instead, @$SORT);
        is($status, 1 << 8, "$instead->{$tool} as $tool: exit 1");
        like($err, qr/\Atst-check\.sh: $says\n\z/, 'it says why');
        is($left, '', 'nothing is left behind');
    }
    my $once = "mkdir '$work/first' 2>/dev/null || exec grep \"\$@\"; exec grep a \"\$2\"";
    my ($status, $err, $out, $left) = check({ grep => $once }, multi(3));
    like($err, qr/\Atst-check\.sh: the lines found are not the right ones\n\z/, 'one of three is enough');
};

subtest 'tst-check.sh fails when what it runs fails, or runs no tst.sh' => sub {
    for my $case ([ 'exit 1' => 'tst\.sh: cannot sort the text' ], [ 'kill -9 $PPID' => '.*' ]) {
        my ($status, $err, $out, $left) = check({ sort => $case->[0] }, @$SORT);
        isnt($status, 0, "'$case->[0]' as sort: not exit 0");
        like($err, qr/\A$case->[1]/, 'it says why');
        is($left, '', 'nothing is left behind');
    }
    is_deeply(
        [ check({}, 'true') ],
        [ 1 << 8, "tst-check.sh: no tst.sh has run\n", '', '' ],
        'true is no tst.sh'
    );
};

subtest 'cc-check.sh runs what was compiled' => sub {
    my @check = ("$Programs::BASE/pgms/cc-check.sh");
    my $box   = "$work/compiled";
    mkdir $box or die "cannot make '$box': $!\n";
    chdir $box or die "cannot enter '$box': $!\n";
    my @compile = (Programs::compiler(), '-o', 'cctest', "$Programs::BASE/testdir/cctest.c");
    is_deeply(
        [ run('/bin/sh', @check, @compile), left_behind('.') ],
        [ 0, '', '', '' ],
        'a compiler that does its work: nothing is said, and nothing left behind'
    );
    my $other = script('other', "echo 'echo cctest 44061 952 19.405' >cctest; chmod +x cctest");
    my $says  = "cc-check.sh: the program that was compiled says 'cctest 44061 952 19.405'\n";
    is_deeply(
        [ run('/bin/sh', @check, $other), left_behind('.') ],
        [ 1 << 8, $says, '', '' ],
        'another program'
    );
    isnt((run('/bin/sh', @check, 'true'))[0],                           0, 'none');
    isnt((run('/bin/sh', @check, script('bad-compiler', 'exit 3')))[0], 0, 'a compiler that fails');
    chdir $Programs::BASE or die "cannot enter '$Programs::BASE': $!\n";
};

# Returns the exit status, and what is left behind, after od has sent a signal to tst-check.sh alone ($CHECK)
# or to all that it started (0), and gone on.
sub interrupted {
    my ($signal, $whom, @command) = @_;
    my ($directory, @words) = check_words({ od => qq{kill -$signal $whom; exec od "\$@"} }, @command);
    pipe my $alive, my $held or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        POSIX::setpgid(0, 0);
        fcntl $held, F_SETFD, 0;
        $SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);
        $ENV{CHECK} = $$;
        open STDERR, '>', "$work/err" or POSIX::_exit(126);
        exec { $words[0] } @words or POSIX::_exit(127);
    }
    waitpid $pid, 0;
    my $status = $?;
    close $held;

    # The pipe is at its end when the last of the processes has ended.
    sysread $alive, my $nothing, 1;
    return ($status, left_behind($directory));
}

subtest 'tst-check.sh leaves nothing behind when it is interrupted' => sub {
    for my $signal (qw(HUP INT TERM)) {
        is_deeply([ interrupted($signal, '$CHECK', @$SORT) ], [ 1 << 8, '' ], "SIG$signal for it alone");
        is_deeply([ interrupted($signal, '0',      @$SORT) ], [ 1 << 8, '' ], "SIG$signal for all");
    }
    is_deeply([ interrupted('TERM', '0', multi(3)) ], [ 1 << 8, '' ], 'SIGTERM for three tst.sh');
};

done_testing;
