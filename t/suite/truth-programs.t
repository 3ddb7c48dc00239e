#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The programs of the probes: what they tell, where facts are missing, and that their proofs find wrong work.
use 5.014;
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use Test::More;

use lib 't/lib';
use ByHand qw(program run is_error is_usage);
use Fake;
use Programs;

plan skip_all => 'they are not built'
    if grep { !-x Programs::path("truth-$_") } qw(clock disk memory stamina);

my $dir = File::Temp->newdir;

# The figures of a run of a program: { name => figure }.
sub figures {
    my ($status, $err) = @_;
    return { $err =~ /^FIGURE\|(\w+)\|([\d.]+)$/mg };
}

# A program whose source is changed by `change`, or undef where that changes nothing.
sub changed {
    my ($name, $file, $change) = @_;
    my $text = Fake::read_file("$Fake::BASE/src/truth/$file");
    local $_ = $text;
    $change->();
    return undef if $_ eq $text;
    my $place = "$dir/$name.c";
    Fake::write_file($place, $_);
    my @sources = ("$Fake::BASE/src/truth/truth-$name.c", glob("$Fake::BASE/src/truth/truth-$name/*.c"));
    @sources = ($place, grep { $_ ne "$Fake::BASE/src/truth/$file" } @sources);
    my @shared = map { "$Fake::BASE/src/$_.c" } qw(truth/shared/affinity bench channel perf pin turn spread);
    my @words =
        (Programs::compiler(), qw(-std=gnu11 -D_POSIX_C_SOURCE=200809L -pthread), "-I$Fake::BASE/src");
    return system(@words, '-o', "$dir/wrong-$name", @sources, @shared) == 0 ? "$dir/wrong-$name" : undef;
}

# A machine of 4,096 CPUs, of which this process may use three. The program prints which CPUs it took. As the
# kernel does, it refuses a set that is too small.
my $LARGE = <<'END';
#define _GNU_SOURCE
#include "pin.h"
#include "truth/shared/affinity.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
enum { BYTES = 4096 / 8 };
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    unsigned char *bytes = (unsigned char *)set;
    (void)pid;
    if (size < BYTES)
        return errno = EINVAL, -1;
    memset(set, 0, size);
    bytes[0] = 1 << 5, bytes[1024 / 8] = 1, bytes[4095 / 8] = 1 << 7;
    return 0;
}
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    const unsigned char *bytes = (const unsigned char *)set;
    (void)pid;
    for (size_t i = 0; i < 8 * size; i++)
        if (bytes[i / 8] >> i % 8 & 1)
            printf("%zu ", i);
    return 0;
}
int main(void)
{
    printf("of %d: ", affinity_count());
    for (int i = 0; i < 3; i++)
        affinity_take(i);
    printf("%d %d", pin_to_cpu(-1), pin_to_cpu(1 << 20));
    return 0;
}
END

subtest 'CPUs beyond number 1,023 are seen and taken' => sub {
    $^O eq 'linux' or plan skip_all => 'only on Linux a program can choose its CPU';
    plan skip_all => 'sets of CPUs have another order of bytes here' if pack('S', 1) ne pack('v', 1);
    Fake::write_file("$dir/large.c", $LARGE);
    my @words = (Programs::compiler(), qw(-std=gnu11 -O1), "-I$Fake::BASE/src");
    is(
        system(
            @words, '-o', "$dir/large", "$dir/large.c", map { "$Fake::BASE/src/$_.c" } 'pin',
            'truth/shared/affinity'
        ),
        0,
        'it compiles'
    );
    is(`$dir/large`, 'of 3: 5 1024 4095 -1 -1', 'three CPUs');
};

subtest 'a drive is known when all of its counters are there' => sub {
    Fake::write_file("$dir/new", join(' ', 1 .. 17) . "\n");
    Fake::write_file("$dir/old", join(' ', 1 .. 15) . "\n");
    for my $case (
        [ "$dir/new"           => 1 ],
        [ "$dir/new,$dir/new"  => 2 ],
        [ "$dir/old"           => 0 ],
        [ "$dir/new,$dir/none" => 0 ]
    ) {
        my ($stats, $drives) = @$case;
        my $is = figures(program('truth-disk', 0.02, "$dir", $stats));
        is($is->{drives},  $drives,             "$drives of " . $stats =~ s/\Q$dir\E//gr);
        is($is->{flushes}, $drives ? 0 : undef, 'and only then its flushes');
        cmp_ok($is->{commits}, '>', 0, 'the commits always');
    }
};

subtest 'with one CPU there is no exchange' => sub {
    plan skip_all => 'this system has no call to choose a CPU' if $^O ne 'linux';
    my ($cpu) = Fake::read_file('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
    local $ENV{TS_CPUS} = $cpu // 0;
    my $is = figures(program('truth-clock', 0.02));
    is($is->{exchanges}, 0, 'and the program says so');
    cmp_ok($is->{real}, '>', 0, 'but compares the clocks');
};

# A library that answers in the place of the kernel.
subtest 'a system that gives no memory is no error' => sub {
    Fake::write_file("$dir/refuses.c",
              "#include <errno.h>\n#include <sys/mman.h>\n"
            . "void *mmap(void *a, size_t n, int p, int f, int d, off_t o)\n"
            . "{ (void)a; (void)n; (void)p; (void)f; (void)d; (void)o; errno = ENOMEM; return MAP_FAILED; }\n"
    );
    my ($status) = run(Programs::compiler(), '-shared', '-fPIC', '-o', "$dir/refuses.so", "$dir/refuses.c");
    plan skip_all => 'no library can be made' if $status != 0;
    local $ENV{LD_PRELOAD} = "$dir/refuses.so";
    my ($ended, $err) = program('truth-memory', 0.1, 4096);
    is($ended, 77 << 8, 'the test is skipped');
    like($err, qr/^SKIP\|the system does not give a process 4 MB of memory$/m, 'and says why');
};

subtest 'the memory that a process touches has a limit' => sub {
    my $is = figures(program('truth-memory', 0.3, 1024));
    cmp_ok($is->{pages} * $is->{page_bytes}, '<=', 1024 * 1024, 'it touches no more than that');
SKIP: {
        skip 'no limit on memory here', 2 if $^O ne 'linux';
        my ($status, $err) = run(
            'sh', '-c', 'ulimit -v 200000 && exec "$@"',
            'sh', "$Fake::BASE/pgms/truth-memory",
            0.1,  1 << 20
        );
        is($status, 77 << 8, 'where the system refuses as much the probe is skipped');
        like(
            $err,
            qr/^SKIP\|the system does not give a process 1024 MB of memory$/m,
            'and says what there is none for'
        );
    }
    is_usage("'@$_'", program('truth-memory', @$_)) for ['0.1'], map { [ '0.1', $_ ] } qw(1023 x 99999999);
};

my @WRONG = (
    [
        stamina => 'truth-stamina.c',
        sub { s/value \* TIMES \+ PLUS;\n\treturn/value * TIMES + PLUS + 1;\n\treturn/ },
        qr/chain of multiplications/
    ],
    [
        disk => 'truth-disk.c',
        sub { s/pwrite\(fd, block, BLOCK, 0\)/pwrite(fd, block, BLOCK, BLOCK)/ },
        qr/file differs from the data/
    ],
    [
        memory => 'truth-memory.c',
        sub { s/\(char\)\(i \| 1\);\n/(char)(i == 3 ? 0 : i | 1);\n/ }, qr/new memory/
    ],
);

subtest 'wrong work is no result' => sub {
    for my $case (@WRONG) {
        my ($name, $file, $change, $says) = @$case;
        my $program = changed($name, $file, $change);
        ok($program, "truth-$name with an error") or next;
        my @more = $name eq 'disk' ? ("$dir") : $name eq 'memory' ? (4096) : ();
        is_error($name, $says, run($program, 0.02, @more));
    }
};

# It goes back by a minute with each reading, since a busy machine may take longer for an exchange than for a
# smaller step, and may have time for one exchange only.
subtest 'a clock that goes back is seen' => sub {
    my $program = changed(
        clock => 'truth-clock.c',
        sub {
            s/(static int64_t read_clock.*?\n\tstruct timespec t;\n)/$1\tstatic int reads;\n/s;
            s/t\.tv_nsec;\n\}/t.tv_nsec - reads++ * INT64_C(60000000000);\n}/;
        }
    );
    ok($program, 'truth-clock with such a clock') or return;
    my $is = figures(run($program, 0.1));
    cmp_ok($is->{clock_back}, '>', 0, 'by the thread that it happens to');
    is($is->{ticks_back}, 0, 'while the counter goes on');
};

done_testing;
