#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what a record of many passes of a test costs, in CPU seconds and megabytes of memory, in each form
# of its report and of a comparison with itself. Both must grow as the number of passes does.
#
#   perl -Ilib t/bench/passes.pl [passes ...]
#
#   20000 passes, 21.6 MB    csv      4.9 s    244 MB
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();

use lib 't/lib';
use Runs;
use Touchstone::Report::Forms;
use Touchstone::Cli::Compare;
use Touchstone::Cli::Report;
use Touchstone::Record::Json;

my @PASSES = @ARGV ? @ARGV : (500, 1000, 2000, 4000, 20_000);
my $MB     = 1e6;
my $dir    = File::Temp->newdir;
srand 4711;

# A second in slices, with noise of a few per cent.
sub slices {
    my ($rate) = @_;
    return join ' ',
        map { join ':', $_ * 5e7, int($rate * $_ / 20 * (1 + 0.001 * rand)), $_ * 49_900 } 1 .. 20;
}

# A process of its own makes it, so that none that is measured has a copy.
sub record_file {
    my ($passes) = @_;
    my $file     = "$dir/run-$passes.json";
    my $pid      = fork // die "cannot fork: $!\n";
    if (!$pid) { write_record($file, $passes); POSIX::_exit(0) }
    waitpid $pid, 0;
    die "cannot make a record\n" if $?;
    return $file;
}

sub write_record {
    my ($file, $passes) = @_;
    my $record = Runs::record("run-$passes",
        { '1 pipe' => [ map { 1e6 * exp(0.02 * (rand() + rand() - 1)) } 1 .. $passes ] });
    for my $pass (@{ $record->{passes} }) {
        my $rate = $pass->{counts}[0];
        @$pass{qw(starts slices user sys slept)} =
            ([4_711_000_000_000], [ slices($rate) ], [0.2], [0.7], [0]);
        $pass->{counters} = { seconds => 1.02, other => 0.01, steal => 0 };
    }
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} Touchstone::Record::Json::encode($record);
    close $out or die "cannot write '$file': $!\n";
    return;
}

# (CPU seconds, megabytes) of what is done, in a process of its own; 0 where the system does not tell the
# latter.
sub cost {
    my ($done) = @_;
    my $pid = open(my $in, '-|') // die "cannot fork: $!\n";
    if (!$pid) {
        open my $answer, '>&', \*STDOUT    or die "cannot copy: $!\n";
        open STDOUT,     '>',  '/dev/null' or die "cannot open: $!\n";
        $done->();
        my ($user, $system) = times;
        my $peak = 0;
        if (open my $status, '<', '/proc/self/status') {
            ($peak) = map { /^VmHWM:\s+(\d+)/ ? $1 * 1024 : () } <$status>;
        }
        print {$answer} $user + $system, ' ', $peak, "\n";
        close $answer;
        POSIX::_exit(0);
    }
    my ($seconds, $bytes) = split / /, scalar <$in> // die "a form failed\n";
    close $in;
    return ($seconds, $bytes / $MB);
}

sub show {
    my ($passes, $file, $form, $done) = @_;
    printf "%6d passes, %4.1f MB    %-18s %6.1f s %6.0f MB\n", $passes, (-s $file) / $MB, $form, cost($done);
    return;
}

for my $passes (@PASSES) {
    my $file = record_file($passes);
    for my $form (Touchstone::Report::Forms::names('run')) {
        show($passes, $file, $form,
            sub { Touchstone::Cli::Report::run({ report => $file, format => $form }, base => '.') });
    }
    for my $form (qw(text html csv json)) {
        show(
            $passes, $file,
            "compare, $form",
            sub {
                Touchstone::Cli::Compare::run({ tests => [ $file, $file ], format => $form }, base => '.');
            }
        );
    }
}
