#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what an operation of each index test costs besides time: page faults, user and system time,
# context switches (by getrusage, children included) and system calls (by strace -c -f, which does not see
# the end of a process). Each is the difference of a long and a short run over the difference of their
# operations, which cancels set-up. Figures of getrusage are medians of several pairs. For faults the least
# and the most are shown too, because the kernel places a program at another address in each run, which
# changes their number. Beside them are figures of UnixBench 6 (t/bench/operations.reference). A system call
# that an operation should not make, or not so often, is MISSED; there is no target for the rest. `looper`
# starts a program that does nothing, which shows what the shell tests cost besides their shells.
#
#   perl -Ilib t/bench/operations.pl [pairs, 7 [test ...]]
#
#   test                 faults (least, most) UnixBench     user us   system us voluntary  forced
#   spawn                 27.03 (25.0, 28.0)     27.01      68.944      38.478     1.998   0.001
#     version 1 had 1.18 times the rate of UnixBench; fork 1.00, set_robust_list 1.00, wait 1.00   ok
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Basename qw(dirname);
use File::Temp ();
use List::Util qw(max min sum);

use Touchstone::Build;
use Touchstone::Stats;

my $PAIRS = shift // 7;
my %asked = map { $_ => 1 } @ARGV;
my $base  = getcwd();
my $dir   = File::Temp->newdir;

# A call that is made less often than this per operation does not belong to the operation.
my $RARE = 0.02;

# Smaller values would be shown as 0.
my $NOTHING = 0.0005;
my $failed  = 0;

# Different names of systems and C libraries for the same call.
my %SAME  = ((map { $_ => 'fork' } qw(clone clone3 vfork)), (map { $_ => 'wait' } qw(wait4 waitid waitpid)),);
my @COPY  = (read => 1, write => 1);
my @SHELL = ([ 'looper', '%s', '/bin/sh', "$base/pgms/multi.sh" ], 0.02, 3);

# Each row is: test; command with %s for its seconds; seconds of the short and of the long run; counts per
# operation; its system calls. The system calls are all of them, or those besides the start of a program
# (start) or of a process with it (process), or in a list those that matter if the rest depends on the
# system's tools. A process first sets its robust list.
my @TESTS = (
    [ 'dhry2reg',         [ 'dhry2reg',         '%s' ], 0.02, 0.5, 1, {} ],
    [ 'whetstone-double', [ 'whetstone-double', '%s' ], 0.02, 0.5, 1, {} ],
    [ 'execl',            [ 'execl',            '%s' ], 0.02, 0.5, 1, 'start' ],
    (
        map {
            my ($test, $buffer, $blocks) = @$_;
            my $command = [ qw(fstime -c -t %s -d), "$dir", '-b', $buffer, '-m', $blocks ];
            [ $test, $command, 0.02, 0.5, $buffer / 1024, {@COPY} ]
        } [ fstime => 1024, 2000 ],
        [ fsbuffer => 256,  500 ],
        [ fsdisk   => 4096, 8000 ]
    ),
    [ 'pipe',     [ 'pipe', '%s' ],     0.02, 0.5, 1, {@COPY} ],
    [ 'context1', [ 'context1', '%s' ], 0.02, 0.5, 1, { read => 2, write => 2 } ],
    [ 'spawn',    [ 'spawn', '%s' ],    0.02, 0.5, 1, { fork => 1, wait => 1, set_robust_list => 1 } ],
    [ 'syscall',  [ 'syscall', '%s' ],  0.02, 0.5, 1, { map { $_ => 1 } qw(dup close getpid getuid umask) } ],
    [ 'looper',   [ 'looper', '%s', 'EMPTY' ], 0.02, 0.5, 1, 'process' ],

    # The processes are the shell of multi.sh, and for each tst.sh its shell with seven tools.
    [ 'shell1', [ @{ $SHELL[0] }, 1 ], @SHELL[ 1, 2 ], 1, [ fork => 9,  execve => 9 ] ],
    [ 'shell8', [ @{ $SHELL[0] }, 8 ], @SHELL[ 1, 2 ], 1, [ fork => 65, execve => 65 ] ],
);

my $USAGE = <<'C';
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define US(t) ((double)(t).tv_sec * 1e6 + (double)(t).tv_usec)
int main(int argc, char **argv)
{
	struct rusage u;
	int status;
	pid_t child = fork();

	if (argc > 1 && child == 0)
		execv(argv[1], argv + 1);
	if (child <= 0 || waitpid(child, &status, 0) != child || status != 0)
		_exit(1);
	getrusage(RUSAGE_CHILDREN, &u);
	fprintf(stderr, "USAGE %ld %.0f %.0f %ld %ld\n", u.ru_minflt, US(u.ru_utime), US(u.ru_stime),
		u.ru_nvcsw, u.ru_nivcsw);
	return 0;
}
C

sub compile {
    my ($name, $text) = @_;
    my $compiler = Touchstone::Build::facts('pgms')->{compiler};
    open my $out, '>', "$dir/$name.c" or die "cannot write: $!\n";
    print {$out} $text;
    close $out                                                  or die "cannot write: $!\n";
    system("$compiler -O2 -o '$dir/$name' '$dir/$name.c'") == 0 or die "cannot compile $name\n";
    return "$dir/$name";
}

# Returns the standard error of a command whose first word is one of our programs; the words of `$before`
# precede it.
sub told {
    my ($before, $command, $seconds) = @_;
    my %for = ('%s' => $seconds, EMPTY => "$dir/empty");
    my ($program, @args) = map { $for{$_} // $_ } @$command;
    my $words = join ' ', map { "'$_'" } "$base/pgms/$program", @args;
    return scalar `cd '$dir' && $before $words 2>&1 >/dev/null`;
}

# Returns the number of operations. Tests whose operations are not what they count report a rate.
sub operations {
    my ($text, $counts) = @_;
    my ($count, $timebase) = $text =~ /^COUNT\|([\d.]+)\|(\d+)/m or die "no COUNT: $text";
    my ($seconds) = $text =~ /^TIME\|([\d.]+)/m;
    return ($timebase == 0 ? $count * $seconds : $count) / $counts;
}

# Returns what an operation uses, from a pair of runs: faults, user and system microseconds, voluntary and
# forced switches.
sub used {
    my ($command, $short, $long, $counts) = @_;
    my @runs = map {
        my $text  = told("'$dir/usage'", $command, $_);
        my @usage = $text =~ /^USAGE (\S+) (\S+) (\S+) (\S+) (\S+)/m or die "no usage: $text";
        [ operations($text, $counts), @usage ];
    } $short, $long;
    my ($n) = map { $_->[1][0] - $_->[0][0] } \@runs;
    my @used = map { ($runs[1][$_] - $runs[0][$_]) / $n } 1 .. 5;
    return [ map { abs $_ < $NOTHING ? 0 : $_ } @used ];
}

# Returns { system call => count } from strace's table, in which the column of errors may be empty:
#
#    31.91    0.000224          22        10         1 clone
sub table {
    my ($file) = @_;
    open my $in, '<', $file or die "cannot read what strace says: $!\n";
    my %calls;
    while (my $line = <$in>) {
        next if $line !~ /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?([a-z]\w*)\s*$/ || $2 eq 'total';
        $calls{ $SAME{$2} // $2 } += $1;
    }
    close $in;
    return \%calls;
}

# Returns { system call => calls per operation }. The runs are longer than others, because strace is slow.
sub calls {
    my ($command, $short, $long, $counts) = @_;
    my @runs = map {
        my $text = told("strace -c -f -o '$dir/calls'", $command, $_);
        [ operations($text, $counts), table("$dir/calls") ];
    } max($short, 0.1), 2 * $long;
    my $n = $runs[1][0] - $runs[0][0];
    return { map { $_ => ($runs[1][1]{$_} - ($runs[0][1]{$_} // 0)) / $n } keys %{ $runs[1][1] } };
}

# Returns the calls of a program that does nothing.
sub of_start {
    system("strace -c -o '$dir/calls' '$dir/empty'");
    return table("$dir/calls");
}

sub of_process {
    my $start = of_start();
    return { %$start, fork => 1, wait => 1, set_robust_list => 1 + ($start->{set_robust_list} // 0) };
}

# Returns a text such as 'read 1.00, write 1.00 ok'.
sub judged {
    my ($calls, $wanted) = @_;
    my $some = ref $wanted eq 'ARRAY';
    my %want =
          $some
        ? @$wanted
        : %{ $wanted eq 'start' ? of_start() : $wanted eq 'process' ? of_process() : $wanted };
    my @names = sort keys %{ { %want, $some ? () : %$calls } };
    my (@often, @wrong);
    for my $name (@names) {
        my ($is, $should) = ($calls->{$name} // 0, $want{$name} // 0);
        push @often, sprintf '%s %.2f',        $name, $is     if abs $is > $RARE;
        push @wrong, sprintf '%s is not %.2f', $name, $should if abs($is - $should) > $RARE * max(1, $should);
    }
    push @often, sprintf 'all %.1f', sum(values %$calls) if $some;
    $failed++ if @wrong;
    return
        join(', ', @often ? @often                          : 'no system calls') . '   '
        . (@wrong         ? 'MISSED: ' . join(', ', @wrong) : 'ok');
}

sub reference {
    my $file = dirname(__FILE__) . '/operations.reference';
    open my $in, '<', $file or die "cannot read '$file': $!\n";
    return map { my ($test, @known) = split; $test => \@known } grep { !/^#/ } <$in>;
}

my %reference = reference();
my $straces   = `strace -V 2>/dev/null` && system("strace -o /dev/null true 2>/dev/null") == 0;

sub show {
    my ($test, $command, $short, $long, $counts, $wanted) = @_;
    my @used    = map { used($command, $short, $long, $counts) } 1 .. $PAIRS;
    my @faults  = map { $_->[0] } @used;
    my @medians = map {
        my $i = $_;
        Touchstone::Stats::median(map { $_->[$i] } @used)
    } 0 .. 4;
    my ($known, $rate) = @{ $reference{$test} || [ '-', '-' ] };
    printf "%-17s %9.2f %-16s %7s %11.3f %11.3f %9.3f %7.3f\n", $test, $medians[0],
        sprintf('(%.1f, %.1f)', min(@faults), max(@faults)), $known, @medians[ 1 .. 4 ];
    my $version = $rate eq '-' ? '' : "version 1 had $rate times the rate of UnixBench; ";
    print "  $version", $straces ? judged(calls($command, $short, $long, $counts), $wanted) : '', "\n";
    return;
}

$| = 1;
compile(usage => $USAGE);
compile(empty => "int main(void) { return 0; }\n");
print "# strace cannot be used here: no system calls\n" if !$straces;
printf "%-17s %9s %-14s %9s %11s %11s %9s %7s\n", 'test', 'faults', '(least, most)', 'UnixBench', 'user us',
    'system us',
    'voluntary', 'forced';
show(@$_) for grep { !%asked || $asked{ $_->[0] } } @TESTS;
exit($failed ? 1 : 0);
