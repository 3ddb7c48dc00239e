#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures whether the windows of a schedule give the scores of long windows. Passes of both lengths of a test
# follow each other in random order, and between the two runs a pass of another test, since in a run each pass
# follows another test's, too. The figure of a test is the median of the ratios of its pairs, with its 95 %
# interval: by the clock, and by CPU time, which other processes change less. The verdict is that of the
# narrower interval, but by the clock for a test whose processes wait for each other.
#
#   perl -Ilib t/bench/windows.pl [seconds [test or group ...]]
#
#   --long 10         seconds of the long windows, instead of 2 s, after the same warm-up; `classic`: those of
#                     --classic, up to 10 s and without a warm-up. This compares the default schedule with it:
#                     1800 s have 14 pairs of each test of the index
#   --schedule quick  whose short windows and warm-ups are measured; usually the default's
#   --window 0.4 --warm 0.1   short passes of these seconds instead
#
#   test               short  warm   long  pairs  by the clock              by CPU time
#   dhry2reg            0.25     0      2     31  1.000 (0.997 to 1.003)    1.000 (0.999 to 1.001)    ok
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use Getopt::Long qw(GetOptions);
use List::Util qw(min shuffle);
use Time::HiRes qw(time);

use lib 't/lib';
use Ratios;
use Touchstone::Run::Launcher;
use Touchstone::Run::Plan;
use Touchstone::Stats qw(geometric_mean interval median);
use Touchstone::Suite;

# A ratio may differ so much from 1. Processes of these tests wait for each other, and the CPU time of one has
# its warm-up, too.
my $MOST  = 0.01;
my $WAITS = qr/\A(?:context1|net-|x|2d-)/;

# Seconds of a classic pass that are enough to tell.
my $LONGEST = 10;

my %option = (schedule => 'default', long => 2, seed => 4711);
GetOptions(\%option, 'schedule=s', 'long=s', 'window=f', 'warm=f', 'seed=i') or exit 2;
my $seconds = shift // 600;
my @tests =
    grep { !Touchstone::Run::Plan::is_whole($_) } Touchstone::Suite::load()->expand(@ARGV ? @ARGV : 'index');
srand $option{seed};

my $base  = getcwd();
my $temp  = File::Temp->newdir;
my %place = (bin => "$base/pgms", testdir => "$base/testdir", work => '.', cc => 'cc', copies => 1);
my %env   = (
    LC_ALL      => 'C',
    LANG        => 'C',
    UB_BINDIR   => $place{bin},
    UB_TESTDIR  => $place{testdir},
    UB_TMPDIR   => "$temp",
    TST_SH_KEEP => ''
);

# Returns { name => [ the short pass, the long one ] } as the schedules have them.
sub pairs {
    my $plan = Touchstone::Run::Plan::make(
        tests    => \@tests,
        copies   => [1],
        schedule => $option{schedule},
        seed     => 1,
        usable   => 1
    );
    my %short = map { $_->{test}{name} => {%$_} } @{ $plan->{blocks}[0]{passes} };
    for my $short (values %short) {
        $short->{$_} = $option{$_} for grep { defined $option{$_} } qw(window warm);
    }
    return map {
        my $short = $short{ $_->{name} };
        my $long =
            $option{long} eq 'classic'
            ? { window          => min($LONGEST, $_->{seconds}) }
            : { %$short, window => $option{long} };
        ($_->{name} => [ $short, { test => $_, %$long } ])
    } @tests;
}

# Makes a pass and returns its rates by the clock and by CPU time.
sub rates {
    my ($pass) = @_;
    my $test   = $pass->{test};
    my $dir    = File::Temp->newdir(DIR => "$temp");
    my $result = Touchstone::Run::Launcher::run_pass(
        program => "$place{bin}/$test->{program}",
        args    => [ Touchstone::Suite::filled($test, %place, seconds => $pass->{window}) ],
        dirs    => ["$dir"],
        env     => { %env, %{ $test->{env} }, $pass->{warm} ? (TS_WARM => $pass->{warm}) : () },
        cpus    => [],
        limit   => 300,
        stopped => sub { 0 }
    );
    my ($copy) = @{ $result->{copies} || die "$test->{name}: ", $result->{failure} // $result->{skip}, "\n" };
    my $count  = $copy->{timebase} ? $copy->{count} : $copy->{count} * $copy->{time};
    my $cpu    = $copy->{user} + $copy->{sys};
    return { clock => $count / $copy->{time}, cpu => $count / ($cpu || 1e-6) };
}

# Tests two by two, or three where one would be left.
sub groups {
    my @left = shuffle @_;
    my @groups;
    push @groups, [ splice @left, 0, @left == 3 ? 3 : 2 ] while @left;
    return @groups;
}

sub told {
    my ($ratios) = @_;
    my @limits = interval($ratios);
    return (sprintf('%.3f', median(@$ratios)), 'too few') if !@limits;
    return Ratios::told($ratios, [ (1) x @$ratios ], 1 - $MOST, 1 + $MOST);
}

sub width { my @limits = interval($_[0]); return @limits ? $limits[1] - $limits[0] : 1e9 }

my %pair = pairs();
my $end  = time + $seconds;
my %ratio;
rates({ %{ $pair{ $_->{name} }[0] }, window => 0.1 }) for @tests;
while (time < $end) {
    for my $group (groups(map { $_->{name} } @tests)) {
        my %order = map { $_ => [ shuffle 0, 1 ] } @$group;
        my %rates;
        for my $turn (0, 1) {
            $rates{$_}[ $order{$_}[$turn] ] = rates($pair{$_}[ $order{$_}[$turn] ]) for @$group;
        }
        for my $name (@$group) {
            my ($short, $long) = @{ $rates{$name} };
            push @{ $ratio{$name}{$_} }, $short->{$_} / $long->{$_} for qw(clock cpu);
        }
    }
}

my $failed = 0;
printf "%-17s %6s %5s %6s %6s  %-25s %-25s\n", qw(test short warm long pairs), 'by the clock', 'by CPU time';
for my $test (@tests) {
    my $name = $test->{name};
    my ($short, $long) = @{ $pair{$name} };
    my %said = map { $_ => [ told($ratio{$name}{$_}) ] } qw(clock cpu);
    my $by   = $name !~ $WAITS && width($ratio{$name}{cpu}) < width($ratio{$name}{clock}) ? 'cpu' : 'clock';
    $failed++ if $said{$by}[1] eq 'MISSED';
    printf "%-17s %6g %5g %6g %6d  %-25s %-25s %s\n", $name, $short->{window}, $short->{warm} // 0,
        $long->{window}, scalar @{ $ratio{$name}{cpu} }, $said{clock}[0],
        $name =~ $WAITS ? '' : $said{cpu}[0], $said{$by}[1];
}
printf "%-43s %.4f %20s %.4f\n", 'mean', map {
    my $by = $_;
    ($by eq 'cpu' ? '' : (), geometric_mean(map { median(@{ $ratio{$_}{$by} }) } sort keys %ratio))
} qw(clock cpu);
exit($failed ? 1 : 0);
