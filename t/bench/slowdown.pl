#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures whether --compare finds a slow-down of 3 % in one of four tests, in pairs of default runs and in
# duets. Fakes replace the programs: they repeat a fixed piece of work, one of them with a delay of 3 %. This
# needs a quiet machine; every pair takes one to four minutes, every duet one or two.
#
#   perl -Ilib t/bench/slowdown.pl [pairs of runs, 10 [duets, 3]]
#
#   pairs of runs: the slower test is found         10 of 10     target 9 of 10   ok
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use JSON::PP ();

my $PAIRS = shift // 10;
my $DUETS = shift // 3;
my @TESTS = qw(pipe syscall hanoi register);
my $SLOW  = 'hanoi';
my $base  = getcwd();
my $temp  = File::Temp->newdir;

# A count is a piece of work of about a tenth of a millisecond; the delay is more of the same work.
my $PROGRAM = <<'PERL';
#!PERL
use strict; use warnings; use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
my ($seconds, $delay) = ($ARGV[0], DELAY);
my ($begun, $count, $sum) = (clock_gettime(CLOCK_MONOTONIC), 0, 0);
while (1) {
    for (1 .. 20) { $sum += $_ % 7 for 1 .. 1000 + $delay; $count++ }
    last if clock_gettime(CLOCK_MONOTONIC) - $begun >= $seconds;
}
my $took = clock_gettime(CLOCK_MONOTONIC) - $begun;
print STDERR "COUNT|$count|1|lps\nTIME|$took\n";
PERL

for my $bin (qw(same slow)) {
    mkdir "$temp/$bin" or die "cannot make a directory: $!\n";
    for my $test (@TESTS) {
        my $delay = $bin eq 'slow' && $test eq $SLOW ? 30 : 0;
        open my $out, '>', "$temp/$bin/$test" or die "cannot write: $!\n";
        print {$out} $PROGRAM =~ s/PERL/$^X/r =~ s/DELAY/$delay/r;
        close $out or die "cannot write: $!\n";
        chmod 0755, "$temp/$bin/$test" or die "cannot change the mode: $!\n";
    }
    symlink "$base/pgms/index.base", "$temp/$bin/index.base" or die "cannot link: $!\n";
}

sub measured {
    my ($bin, $name) = @_;
    local @ENV{qw(UB_BINDIR UB_RESULTDIR UB_OUTPUT_FILE_NAME)} = ("$temp/$bin", "$temp/results", $name);
    system $^X, "$base/Run", '-q', '-c', 1, @TESTS;
    return $name;
}

sub verdicts {
    my (@words) = @_;
    local $ENV{UB_RESULTDIR} = "$temp/results";
    open my $from, '-|', $^X, "$base/Run", @words, '--format', 'json' or die "cannot run: $!\n";
    my $text = do { local $/; <$from> };
    close $from;
    return map { $_->{name} => $_->{verdict} } @{ JSON::PP::decode_json($text)->{pairs}[0]{tests} };
}

my $failed = 0;

sub judge {
    my ($what, @found) = @_;
    my $n      = @found or return;
    my $slower = grep { $_->{$SLOW} eq 'slower' } @found;
    my @others = map {
        my $verdict = $_;
        map { $verdict->{$_} } grep { $_ ne $SLOW } @TESTS
    } @found;
    printf "%-48s %-12s target 9 of 10   %s\n", "$what: the slower test is found", "$slower of $n",
        $slower >= 0.9 * $n ? 'ok' : 'MISSED';
    printf "%-48s %s of %s\n", "$what: another differs, or is unclear",
        scalar(grep { $_ ne 'no difference' } @others), scalar @others;
    $failed++ if $slower < 0.9 * $n;
    return;
}

sub shown {
    my (%verdict) = @_;
    print '# ', join(', ', map { "$_ $verdict{$_}" } @TESTS), "\n";
    return \%verdict;
}

$| = 1;
judge(
    'pairs of runs',
    map {
        my $pair = $_;
        measured($_, "$_-$pair") for $pair % 2 ? qw(same slow) : reverse qw(same slow);
        shown(verdicts('--compare', "same-$pair", "slow-$pair"));
    } 1 .. $PAIRS
);
judge('duets', map { shown(verdicts('--duet', "$temp/same", "$temp/slow", '-c', 1, @TESTS)) } 1 .. $DUETS);
exit($failed ? 1 : 0);
