#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts instructions and cycles of a loop whose instructions are known, of pipe and of spawn, by the counters
# of an emulated processor: QEMU emulates a PMU of ARM, so this is the whole path from the kernel's
# perf_event_open to an operation's cost. With -icount a virtual nanosecond is an instruction.
#
#   perl -Ilib t/bench/counted-loop.pl vmlinuz
#
# takes a kernel of Debian (package linux-image-arm64) and needs gcc-aarch64-linux-gnu, qemu-system-arm, cpio.
#
#   loop     20024 instructions = 20005 user + 19 kernel; 20024 cycles                        ok
#   loop     20005.1 instructions in user mode of 20000 that are known (+0.03 %)              ok
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp ();

use lib 't/lib';
use Touchstone::Record::Channel;
use Touchstone::Score::Cost;

my $ITERATIONS = 10_000;
my $KNOWN      = 2 * $ITERATIONS;
my $EVENTS     = 'instructions,cycles,migrations';
my @PROGRAMS   = qw(pipe spawn count-events);
my ($CC, $QEMU) = qw(aarch64-linux-gnu-gcc qemu-system-aarch64);

# An operation is a loop of two instructions; the harness has a few for each operation.
my $LOOP = <<"C";
#include "bench.h"
int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	while (bench_next(&b)) {
		long n = $ITERATIONS;
		__asm__ volatile("1: subs %0, %0, #1\\n\\tb.ne 1b" : "+r"(n) : : "cc");
	}
	bench_end(&b);
}
C

# Runs each program as another process and ends the machine.
my $INIT = <<'C';
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static void count(const char *program, const char *seconds)
{
	printf("PROGRAM %s\n", program);
	fflush(stdout);
	if (fork() == 0) {
		dup2(1, 2);
		execl("/count-events", "/count-events", EVENTS, program, seconds, (char *)NULL);
		_exit(127);
	}
	wait(NULL);
}
int main(void)
{
	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	count("/loop", "0.1");
	count("/pipe", "0.1");
	count("/spawn", "0.1");
	printf("END\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C

my ($kernel) = @ARGV or die "usage: $0 vmlinuz\n";
$kernel = abs_path($kernel);
for my $command ($CC, $QEMU, 'cpio') {
    system("command -v $command >/dev/null") == 0 or do { print "# $command is not installed\n"; exit 0 };
}
my $temp = File::Temp->newdir;

sub write_text {
    my ($file, $text) = @_;
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}

sub command { my ($text) = @_; return system('sh', '-c', $text) == 0 || die "failed: $text\n" }

mkdir "$temp/root" or die "cannot make a directory: $!\n";
write_text("$temp/loop.c", $LOOP);
write_text("$temp/init.c", $INIT);
command(
    "make -s CC=$CC LDFLAGS=-static FLAVOUR=portable FC=false OBJ=$temp/obj BIN=$temp/bin ONLY='@PROGRAMS'");
my $harness = join ' ', map { "$temp/obj/$_.o" } qw(bench channel perf pin turn);
command(
    "$CC -O2 -static -std=gnu11 -D_POSIX_C_SOURCE=200809L -Isrc -o $temp/root/loop $temp/loop.c $harness");
command("$CC -O2 -static '-DEVENTS=\"$EVENTS\"' -o $temp/root/init $temp/init.c");
command("cp $temp/bin/pipe $temp/bin/spawn $temp/bin/count-events $temp/root/");
command("cd $temp/root && find . | cpio -o -H newc --quiet >$temp/initramfs");
my @MACHINE = split ' ', '-M virt -cpu max,pmu=on -icount shift=0 -m 512 -nic none -nographic -no-reboot';
my $APPEND  = 'console=ttyAMA0 quiet panic=-1';
my $output =
    `timeout 500 $QEMU @MACHINE -kernel $kernel -initrd $temp/initramfs -append '$APPEND' </dev/null 2>&1`;
my $failed = 0;

sub show {
    my ($name, $text, $ok) = @_;
    $failed++ if !$ok;
    printf "%-8s %-80s %s\n", $name, $text, $ok ? 'ok' : 'MISSED';
    return;
}

# What an operation of each program costs.
my %cost;
while ($output =~ m{^PROGRAM /(\w+)\r?\n(.*?)(?=^PROGRAM|^END)}msg) {
    my ($name, $text) = ($1, $2);
    $text =~ s/\r//g;
    my $got = Touchstone::Record::Channel::parse($text);
    defined $got->{count} or die "$name has no result:\n$text";
    $cost{$name} = Touchstone::Score::Cost::events_of(
        {
            counts    => [ $got->{count} ],
            times     => [ $got->{time} ],
            timebase  => $got->{timebase},
            events    => [ $got->{events} || {} ],
            user      => [ $got->{user} ],
            sys       => [ $got->{sys} ],
            uncounted => $got->{uncounted}
        }
    );
    my $cost = $cost{$name};
    my @all  = map { defined $cost->{$_} ? sprintf '%.0f', $cost->{$_} : '-' }
        qw(instructions instructions_user instructions_kernel cycles);
    show($name, sprintf('%s instructions = %s user + %s kernel; %s cycles', @all),
        defined $cost->{per_cycle});
    print map { "         $_: $cost->{uncounted}{$_}\n" } sort keys %{ $cost->{uncounted} };
}
%cost or die "the machine did not start:\n$output";
my $counted = $cost{loop}{instructions_user} // 0;
show(
    loop => sprintf(
        '%.1f instructions in user mode of %d that are known (%+.2f %%)',
        $counted, $KNOWN, 100 * ($counted / $KNOWN - 1)
    ),
    abs($counted / $KNOWN - 1) <= 0.02
);
exit($failed > 0);
