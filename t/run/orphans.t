#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# When Run is killed by SIGKILL, nobody is left to end the programs: each ends by itself, with all that it
# has started.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Touchstone::Run::Launcher;
use Waiting;

my $base = getcwd();
-e '/proc/self/stat' or plan skip_all => 'there is no /proc to look for processes in';

# Returns the processes whose command line contains a word, except those that have ended and not been reaped.
sub alive {
    my ($word) = @_;
    my @found;
    for my $file (glob '/proc/[0-9]*/cmdline') {
        open my $in, '<', $file or next;
        my $line = do { local $/; <$in> }
            // '';
        push @found, $line =~ tr/\0/ /r if index($line, $word) >= 0;
    }
    return @found;
}

# Kills a launcher with two copies while they work.
sub killed {
    my ($program, $sign, $expected, @args) = @_;
    my @dirs = map { File::Temp->newdir } 1, 2;
    my $pid  = fork // die "cannot fork: $!\n";
    if (!$pid) {
        Touchstone::Run::Launcher::run_pass(
            program => "$base/pgms/$program",
            args    => \@args,
            dirs    => [ map { "$_" } @dirs ],
            env     => {},
            cpus    => [],
            limit   => 60,
            stopped => sub { 0 }
        );
        POSIX::_exit(0);
    }
    ok(comes(sub { alive($sign) >= $expected }), "$program runs: $expected processes");
    kill 'KILL', $pid;
    waitpid $pid, 0;
    ok(comes(sub { !alive($sign) }), 'none of them lives on') or diag(join "\n", alive($sign));
    return;
}

# Unique arguments identify the processes of the test.
subtest 'looper ends with its command, however long that runs' => sub {
    my $sleep = "300.0$$";
    killed('looper', $sleep, 4, 10, 'sh', '-c', "sleep $sleep & sleep $sleep; true");
};

subtest 'programs that make processes end with them' => sub {
    killed('context1', "40.00$$", 4, "40.00$$");
    killed('spawn',    "41.00$$", 2, "41.00$$");
    killed('execl',    "42.00$$", 2, "42.00$$");
};

subtest 'programs that only compute end' => sub {
    killed('dhry2reg',         "43.00$$", 2, "43.00$$");
    killed('whetstone-double', "44.00$$", 2, "44.00$$");
};

done_testing;
