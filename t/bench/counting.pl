#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what counting costs an operation: the CPU time of an operation of the programs here over that of an
# older build, or with events that perf_event_open counts over that without them, in interleaved pairs.
#
#   perl -Ilib t/bench/counting.pl PAIRS OLDER/pgms|EVENTS [test ...]
#   perl -Ilib t/bench/counting.pl 20 /tmp/older/pgms
#   perl -Ilib t/bench/counting.pl 20 migrations context1 spawn
#
#   spawn            1.0006 (0.9981 to 1.0033)      0.5 % can be told here: yes
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp ();

use Touchstone::Stats qw(interval median);
use Touchstone::Suite;

my $SECONDS = 0.1;
my $LIMIT   = 0.005;

my ($pairs, $other, @names) = @ARGV;
die "usage: $0 PAIRS OLDER/pgms|EVENTS [test ...]\n"                 if !defined $other;
@names = qw(dhry2reg syscall pipe context1 spawn execl shell1 fault) if !@names;

my $temp = File::Temp->newdir;
my %sides =
    -d $other
    ? (first => [ abs_path($other) ], second => [ abs_path('pgms') ])
    : (
    first  => [ abs_path('pgms') ],
    second => [ abs_path('pgms'), 'events' ]
    );

# CPU seconds of an operation.
sub measured {
    my ($side, $test)   = @_;
    my ($bin,  $counts) = @{ $sides{$side} };
    my @arguments =
        Touchstone::Suite::filled($test, bin => $bin, work => "$temp", copies => 1, seconds => $SECONDS);
    local %ENV = (
        %ENV,
        UB_BINDIR  => $bin,
        UB_TMPDIR  => "$temp",
        UB_TESTDIR => abs_path('testdir'),
        LC_ALL     => 'C',
        TS_WARM    => 0.03,
        TS_CPUS    => 0
    );
    my $child = open(my $out, '-|') // die "cannot fork: $!\n";
    if (!$child) {
        open STDERR, '>&', \*STDOUT;
        exec $counts ? ("$bin/count-events", $other) : (), "$bin/$test->{program}", @arguments
            or die "cannot start '$test->{program}': $!\n";
    }
    my $text    = join '', <$out>;
    my ($count) = $text =~ /^COUNT\|([\d.]+)\|/m or die "$test->{name} has no result:\n$text";
    my ($user, $system) = $text =~ /^CPU\|([\d.]+)\|([\d.]+)$/m or die "$test->{name} has no CPU time\n";
    return ($user + $system) / $count;
}

my $failed = 0;
for my $test (Touchstone::Suite::load()->expand(@names)) {
    my @ratios;
    for my $pair (1 .. $pairs) {
        my %time;
        $time{$_} = measured($_, $test) for $pair % 2 ? qw(first second) : qw(second first);
        push @ratios, $time{second} / $time{first};
    }
    my $ratio = median(@ratios);
    my ($low, $high) = interval(\@ratios);
    my $can = $high - $low <= 2 * $LIMIT;
    $failed++ if $low > 1 + $LIMIT || $high < 1 - $LIMIT;
    printf "%-15s  %.4f (%.4f to %.4f)      %.1f %% can be told here: %s\n", $test->{name}, $ratio, $low,
        $high,
        100 * $LIMIT, $can ? 'yes' : 'no';
}
exit($failed > 0);
