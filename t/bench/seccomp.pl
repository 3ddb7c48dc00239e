#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what a filter of system calls (seccomp), as containers have it, costs each test. Passes without a
# filter, behind one that the number of a call decides, and behind one that looks at an argument, which is how
# kernels before 5.11 treat every filter, follow each other in random order.
#
#   perl -Ilib t/bench/seccomp.pl [passes of each [test ...]]
#
#   test            without      filter                   filter that looks
#   null-call       5.89e+06     0.71 (0.70 to 0.72)      0.31 (0.30 to 0.32)
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp ();
use List::Util qw(shuffle);

use lib 't/lib';
use Filtered;
use Touchstone::Stats qw(interval median);
use Touchstone::Suite;

my $SECONDS = 0.5;
my %FILTER  = (without => undef, filter => {}, look => { look => 1 });

my ($passes, @names) = @ARGV;
$passes //= 9;
@names = qw(null-call syscall pipe fstime context1 spawn execl shell1 dhry2reg) if !@names;
die "this system knows no filter of system calls\n"                             if !Filtered::can();

my $temp  = File::Temp->newdir;
my %place = (bin => 'pgms', work => "$temp", copies => 1, seconds => $SECONDS);
@ENV{qw(UB_BINDIR UB_TMPDIR LC_ALL)} = (abs_path('pgms'), "$temp", 'C');

# The rate of a pass.
sub pass {
    my ($filter, $test) = @_;
    my @command = ("pgms/$test->{program}", Touchstone::Suite::filled($test, %place));
    my $child   = open(my $out, '-|') // die "cannot fork: $!\n";
    if (!$child) {
        open STDERR, '>&', \*STDOUT;
        Filtered::filter(%$filter) if $filter;
        exec @command or die "cannot start '$command[0]': $!\n";
    }
    my $said = join '', <$out>;
    my ($count, $base) = $said =~ /^COUNT\|([\d.]+)\|(\d+)\|/m or die "$test->{name} says no result:\n$said";
    my ($seconds) = $said =~ /^TIME\|([\d.]+)$/m;
    return $base ? $count / $seconds : $count;
}

printf "%-15s %-12s %-24s %s\n", 'test', 'without', 'filter', 'filter that looks';
my $suite = Touchstone::Suite::load();
for my $test ($suite->expand(@names)) {
    my %rates;
    for my $round (1 .. $passes) {
        push @{ $rates{$_} }, pass($FILTER{$_}, $test) for shuffle keys %FILTER;
    }
    my @cells = map {
        my $kind   = $_;
        my @ratios = map { $rates{$kind}[$_] / $rates{without}[$_] } 0 .. $passes - 1;
        my @limits = interval(\@ratios);
        sprintf('%.2f', median(@ratios)) . (@limits ? sprintf ' (%.2f to %.2f)', @limits : '');
    } qw(filter look);
    printf "%-15s %-12.3g %-24s %s\n", $test->{name}, median(@{ $rates{without} }), @cells;
}
