# SPDX-License-Identifier: GPL-2.0-or-later
# The measured programs run by hand: each prints one well-formed result, refuses bad arguments and notices
# wrong work. harness.t runs them as Run does.
use 5.014;
use strict;
use warnings;

use File::Copy qw(copy);
use File::Glob qw(bsd_glob);
use File::Path qw(make_path);
use Test::More;

use lib 't/lib';
use Amount;
use ByHand;
use NoWarnings;
use Programs;
use Touchstone::Build;
use Touchstone::Machine::Command;

# Makes a directory with a copy of execl.
sub place_execl {
    my ($dir) = @_;
    make_path($dir);
    copy(Programs::path('execl'), "$dir/execl") or die "cannot copy execl: $!\n";
    chmod 0755, "$dir/execl" or die "cannot make execl executable: $!\n";
    return $dir;
}

my @built = Programs::built();

subtest 'the names that other scripts call are all built' => sub {
    my @wanted =
        qw(arithoh register short int long float double hanoi syscall context1 pipe spawn execl dhry2 dhry2reg
        looper fstime whetstone-double);
    my $fortran = Touchstone::Machine::Command::find(Touchstone::Build::fortran());
    my $zstd    = Touchstone::Build::facts("$Programs::BASE/pgms")->{libraries} =~ /\blibzstd\b/;
    ok(-x Programs::path($_), $_)
        for @wanted, grep { ($fortran || !/\.f\z/) && ($zstd || $_ ne 'zstd') } Programs::all();
};

subtest 'every program measures and prints one result' => sub {
    for my $program (@built) {
        my $seconds = Amount::of(0.02, 0.05);
        my ($status, $err) = program($program, Programs::arguments($program, $seconds, $work));
        next if $status == 77 << 8 && like($err, qr/\ASKIP\|./, "$program: cannot run here");
        is_result($program, $status, $err);
    }
};

# In turn, so that each program refuses one and each is refused by many; or all of them.
my @BAD_TIMES = (qw(x 0 -1 1e9 nan 1000001), '');
sub bad_times { push @BAD_TIMES, shift @BAD_TIMES; return @BAD_TIMES[ 0 .. Amount::of(0, $#BAD_TIMES) ] }

subtest 'every program refuses to run without a time or with a bad one' => sub {
    for my $program (@built) {
        is_usage("$program without arguments", program($program));
        for my $seconds (bad_times()) {
            is_usage("$program with '$seconds'",
                program($program, Programs::arguments($program, $seconds, $work)));
        }
    }
};

subtest 'the other arguments choose what is measured, and bad ones are refused' => sub {
    is_result("syscall $_",          program('syscall', 0.05, $_)) for qw(mix close getpid exec);
    is_result("hanoi with $_ disks", program('hanoi',   0.05, $_)) for 1, 3, 12;
    is_result("fstime @$_",          program('fstime',  @$_,  '-d', $work))
        for [qw(-c -t 0.05 -b 1024 -m 2000)], [qw(0.05 -r -b 256 -m 1)], [qw(0.05 -w -b 8192 -m 8)],
        [qw(-t 0.05 -b 300 -m 7)];
    my (undef, $err) = program('fstime', 500, '-w', '-t', 0.05, '-d', $work);
    like($err, qr/^TIME\|0\./m, 'fstime: -t is stronger than the first argument');
    is_usage("@$_", program(@$_))
        for [qw(syscall 0.05 open)], [qw(syscall 0.05 mix mix)], [qw(hanoi 0.05 0)], [qw(hanoi 0.05 31)],
        [qw(hanoi 0.05 3 3)],
        [qw(hanoi 0.05 3x)], [qw(pipe 0.05 0.05)], [qw(fstime 0.05 -b 255)], [qw(fstime 0.05 -b 8193)],
        [qw(fstime 0.05 -m 0)],
        [qw(fstime 0.05 -b 8192 -m 7)], [qw(fstime 0.05 -m 1048577)], [qw(fstime 0.05 -x)],
        [qw(fstime 0.05 -b)],
        [qw(fstime 0.05 -w now)], [qw(looper 0.05)], [qw(looper 0.05 -x true)], [qw(looper 0.05 -o)],
        [qw(looper 0.05 -a)];
};

subtest 'looper says which command failed and how' => sub {
    local $ENV{PATH} = '/usr/bin:/bin';
    is_error('status',     q('sh' exited with status 3),   program('looper', 0.05, 'sh', '-c', 'exit 3'));
    is_error('127',        q('sh' exited with status 127), program('looper', 0.05, 'sh', '-c', 'exit 127'));
    is_error('signal',     q('sh' was killed by signal 9), program('looper', 0.05, 'sh', '-c', 'kill -9 $$'));
    is_error('missing',    q(cannot run 'no such': No such file), program('looper', 0.05, 'no such'));
    is_error('no program', qr/cannot run '\Q$work\E': /,          program('looper', 0.05, "$work"));
    is_error('missing, any status right', q(cannot run 'no such'), program('looper', 0.05, '-a', 'no such'));
    is_error(
        'signal, any status right',
        q(killed by signal 15),
        program('looper', 0.05, '-a', 'sh', '-c', 'kill $$')
    );
    is_error(
        'input',
        qr(cannot read '\Q$work\E/none': No such file),
        program('looper', 0.05, '-i', "$work/none", 'cat')
    );
    is_result('any status right', program('looper', 0.05, '-a', 'sh', '-c', 'exit 3'));
};

subtest 'looper compares what a command prints, but for a final newline' => sub {
    is_result('with newline',    program('looper', 0.05, '-o', '42',   'echo',   '42'));
    is_result('without newline', program('looper', 0.05, '-o', "42\n", 'printf', '42'));
    is_result('two lines',       program('looper', 0.05, '-o', "4\n2", 'printf', '%s\n', 4, 2));
    is_result('nothing',         program('looper', 0.05, '-o', '',     'true'));
    is_error('too short', q('printf' did not print), program('looper', 0.05, '-o', '42', 'printf', '4'));
    is_error('too long',  q('echo' did not print),   program('looper', 0.05, '-o', '42', 'echo',   '423'));
    is_error('different', q('echo' did not print),   program('looper', 0.05, '-o', '42', 'echo',   '43'));
    is_error('endless',                 q('yes' did not print),  program('looper', 0.05, '-o', '42', 'yes'));
    is_error('nothing instead of text', q('true' did not print), program('looper', 0.05, '-o', '42', 'true'));
    is_error(
        'a newline too many',
        q('printf' did not print),
        program('looper', 0.05, '-o', '42', 'printf', '42\n\n')
    );
};

subtest 'looper gives each run its input from the start, and the command its own options' => sub {
    open my $in, '>', "$work/in" or die "cannot open '$work/in': $!\n";
    print {$in} "one\n";
    close $in or die "cannot write '$work/in': $!\n";
    is_result('a file',  program('looper', 0.05, '-i', "$work/in", '-o', 'one', 'cat'));
    is_result('no file', program('looper', 0.05, '-o', '',         'cat'));
    is_result('options', program('looper', 0.05, '-o', '-i -a -o', 'echo', '-i', '-a', '-o'));
    my ($status, $err, $out) = program('looper', 0.05, 'echo', 'a  b');
    like($out, qr/\A(?:a  b\n)+\z/, 'words reach the command as they are, and its output is passed on');
};

subtest 'fstime names the directory and the cause when it cannot write' => sub {
    is_error(
        'missing',
        qr(cannot make a file in '\Q$work\E/none': No such file),
        program('fstime', 0.05, '-d', "$work/none")
    );
    is_error(
        'no directory',
        qr(cannot make a file in '\Q$work\E/err': Not a dir),
        program('fstime', 0.05, '-d', "$work/err")
    );
    make_path("$work/locked", { mode => 0500 });
SKIP: {
        skip 'this user may write everywhere', 2 if -w "$work/locked";
        is_error(
            'locked',
            qr(cannot make a file in '\Q$work\E/locked': Perm),
            program('fstime', 0.05, '-d', "$work/locked")
        );
    }
};

subtest 'fstime says that the disk is full' => sub {
    my @small  = small_disk() or plan skip_all => 'no small file system can be mounted here';
    my $fstime = Programs::path('fstime');
    for my $action (qw(-w -r -c)) {
        is_error(
            "$action, whole buffers",
            qr(cannot write in '\Q$work\E': No space left),
            run(@small, $fstime, 0.05, $action, '-d', $work)
        );
        is_error(
            "$action, part of a buffer",
            qr(only \d+ of 8192 bytes could be written in '\Q$work\E'|No space left),
            run(@small, $fstime, 0.05, $action, '-b', 8192, '-d', $work)
        );
    }
};

subtest 'fstime leaves no file behind' => sub {
    mkdir "$work/files" or die "cannot make a directory: $!\n";
    program('fstime', 0.05, $_, '-d', "$work/files") for qw(-w -r -c);
    is_deeply([ bsd_glob("$work/files/{*,.[!.]*}") ], [], 'the directory is empty');
};

# Returns how often a process of a spawn with these flags ends through the C library, and its count; nothing
# if it cannot be built.
my $AT_END = <<'C';
#include <unistd.h>
static __attribute__((destructor)) void on_end(void) { if (write(1, "e", 1) != 1) _exit(9); }
C

sub ends_of_spawn {
    my (@flags) = @_;
    my $facts = Touchstone::Build::facts("$Programs::BASE/pgms");
    open my $out, '>', "$work/on_end.c" or die "cannot write: $!\n";
    print {$out} $AT_END;
    close $out or die "cannot write: $!\n";
    my @standard = qw(-std=gnu11 -D_POSIX_C_SOURCE=200809L -Isrc -O1);
    my @harness  = map { "obj/$_.o" } qw(bench channel perf pin turn);
    my @parts    = ("$work/on_end.c", 'src/unixbench/spawn.c', @harness);
    my $compile  = "$facts->{compiler} $facts->{flags_user} \"\$\@\"";
    my ($built)  = run('/bin/sh', '-c', $compile, 'cc', @standard, @flags, '-o', "$work/spawn", @parts);
    return if $built != 0;
    my ($status, $err, $ends) = run("$work/spawn", 0.1);
    is_result("spawn @flags", $status, $err);
    my ($count) = $err =~ /^COUNT\|(\d+)/m;
    return (length $ends, $count);
}

subtest 'the child of spawn ends through the C library' => sub {
    for my $flags ([], ['-static']) {
        my ($ends, $count) = ends_of_spawn(@$flags) or next;
        is($ends, $count + 1, "@$flags every child does, and the program");
    }
    my ($ends) = ends_of_spawn('-Dexit=_exit');
    is($ends, 1, 'by _exit none would be seen but the program itself') if defined $ends;
};

subtest 'execl finds itself wherever it is' => sub {
    my $dir  = place_execl("$work/with spaces");
    my $long = place_execl(join '/', $work, ('d' x 200) x 6);
    is_result('a path with spaces',                   run("$dir/execl",  0.05));
    is_result('a path of more than 1,200 characters', run("$long/execl", 0.05));
    chdir $dir or die "cannot enter '$dir': $!\n";
    is_result('./execl', run('./execl', 0.05));
    chdir $work or die "cannot enter '$work': $!\n";
    is_result('a relative path', run('with spaces/execl', 0.05));

    for my $path ($dir, "/none:$long", 'with spaces', "$dir:/usr/bin") {
        local $ENV{PATH} = $path;
        is_result('on the PATH', run('execl', 0.05));
    }
    chdir $dir or die "cannot enter '$dir': $!\n";
    local $ENV{PATH} = ':/usr/bin';
    is_result('on an empty part of the PATH', run('execl', 0.05));
    chdir $Programs::BASE or die "cannot enter '$Programs::BASE': $!\n";
};

subtest 'execl executes the program of UB_BINDIR if there is one' => sub {
    local $ENV{UB_BINDIR} = "$work/none";
    is_result('none there', program('execl', 0.05));
    make_path("$work/bin");
    symlink '/bin/echo', "$work/bin/execl" or die "cannot make a link: $!\n";
    $ENV{UB_BINDIR} = "$work/bin";
    my ($status, $err, $out) = program('execl', 0.05);
    like($out, qr/\A0\.05 [0-9]/, 'the other program got the arguments');
};

subtest 'execl notices when something else arrives than was sent' => sub {
    is_error(
        'another count',
        'exec number 7 was sent, 3 arrived',
        program('execl', 5, '3,0,1,1,1,0.0,0.0,0,0,0,0', "7,1,$$")
    );
    is_error(
        'another process',
        'process 1 was replaced',
        program('execl', 5, '3,0,1,1,1,0.0,0.0,0,0,0,0', '3,1,1')
    );
    is_usage('no state', program('execl', 5, 'x', 'x'));
};

done_testing();
