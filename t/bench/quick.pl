#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what the short windows of --quick do to the scores of the index. Passes of both lengths alternate,
# in random order within each pair, so that what disturbs one meets the other as often; the figure of a test
# is the median of the ratios of its pairs with its 95 % interval. Rates are those for each second of CPU
# time, which other processes change little. One copy.
#
#   perl -Ilib t/bench/quick.pl [pairs, 20 [tests ...]]
#
#   fsdisk            0.8 s / 2 s    0.983  (0.898 to 1.041)    target 0.95 to 1.05   ok
#
# With 0.2 s it was 0.882, and with 0.6 s 0.933, on a busy machine: the kernel looks for memory until the
# file was written once.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use List::Util qw(shuffle);

use Touchstone::Machine::Command;
use Touchstone::Record::Channel;
use Touchstone::Run::Plan;
use Touchstone::Stats qw(geometric_mean interval median);
use Touchstone::Suite;

my ($pairs, @names) = @ARGV;
$pairs ||= 20;
my $base  = getcwd();
my $temp  = File::Temp->newdir;
my @tests = Touchstone::Suite::load()->expand(@names ? @names : 'index');
my %place = (bin => "$base/pgms", testdir => "$base/testdir", work => "$temp", cc => 'cc', copies => 1);
@ENV{qw(LC_ALL LANG UB_BINDIR UB_TESTDIR UB_TMPDIR TST_SH_KEEP)} =
    ('C', 'C', $place{bin}, $place{testdir}, "$temp", '');

# The windows of the passes of each test: { pipe => 0.15 }
sub windows {
    my ($schedule) = @_;
    my $plan = Touchstone::Run::Plan::make(
        tests    => \@tests,
        copies   => [1],
        schedule => $schedule,
        seed     => 1,
        usable   => 1
    );
    return { map { $_->{test}{name} => $_->{window} } @{ $plan->{blocks}[0]{passes} } };
}

sub rate_of {
    my ($test, $seconds) = @_;
    chdir $temp or die "cannot go to '$temp': $!\n";
    my @words = Touchstone::Suite::filled($test, %place, seconds => $seconds);
    my ($status, $text) =
        Touchstone::Machine::Command::output([ "$place{bin}/$test->{program}", @words ], errors => 1);
    chdir $base or die "cannot go to '$base': $!\n";
    my $got = Touchstone::Record::Channel::parse($text);
    die "$test->{name} failed: $text\n" if $status || !$got->{count};
    my $count = $got->{timebase} ? $got->{count} : $got->{count} * $got->{time};
    return $count / ($got->{user} + $got->{sys});
}

my ($quick,  $default) = map { windows($_) } qw(quick default);
my ($failed, @middles) = (0);
$| = 1;

sub show {
    my ($what, $windows, $ratio, $limits, $most) = @_;
    my $is_good = abs($ratio - 1) <= $most;
    $failed++ if !$is_good;
    printf "%-17s %-14s %5.3f  %-18s  target %.2f to %.2f   %s\n", $what, $windows, $ratio, $limits,
        1 - $most,
        1 + $most, $is_good ? 'ok' : 'MISSED';
    return;
}

for my $test (@tests) {
    my @window = ($quick->{ $test->{name} }, $default->{ $test->{name} });
    rate_of($test, $window[0]);
    my @ratios = map {
        my @rate;
        $rate[$_] = rate_of($test, $window[$_]) for shuffle(0, 1);
        $rate[0] / $rate[1]
    } 1 .. $pairs;
    push @middles, median(@ratios);
    my @limits = interval(\@ratios);
    show($test->{name}, "$window[0] s / $window[1] s",
        $middles[-1], @limits ? sprintf('(%.3f to %.3f)', @limits) : '', 0.05);
}
show('index', '', geometric_mean(@middles), '', 0.02);
exit($failed ? 1 : 0);
