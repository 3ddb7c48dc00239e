#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures the cost of a report of a stored run in every format, each by a Run of its own: an index with two
# copy counts and about 170 passes, and one with 1,000 passes.
#
#   html         168 passes    0.38 s   target under 0.5 s   ok      182 KB   target under 300 KB   ok
#   html        1008 passes    0.91 s   target under 2 s     ok      512 KB
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Time::HiRes qw(time);

use lib 't/lib';
use Runs;
use Touchstone::Report::Forms;
use Touchstone::Record::Json;
use Touchstone::Stats;
use Touchstone::Suite;

use constant { TIMES => 5, KB => 1000, LARGEST => 300 };

# Each row is the rounds of both copy counts, and the seconds allowed for a report.
my @RUNS   = ([ 7, 0.5 ], [ 42, 2 ]);
my @COUNTS = (1, 2);

my $dir    = File::Temp->newdir;
my $failed = 0;
my @tests  = grep { $_->{index} && $_->{suite} eq 'unixbench' && $_->{category} eq 'system' }
    Touchstone::Suite::load()->tests;
srand 4711;

# Returns a pass with noise of a few per cent. Its slices are most of a record.
sub pass {
    my ($test, $copies, $round, $begun) = @_;
    my $rate = 1e6 * exp(0.02 * (rand() + rand() - 1));
    my @all  = 1 .. $copies;
    return {
        test     => $test->{name},
        copies   => $copies,
        round    => $round,
        window   => 1,
        timebase => 1,
        unit     => 'lps',
        started  => $begun,
        seconds  => 1.02,
        command  => "pgms/$test->{name} 1",
        output   => '',
        counts   => [ map { int $rate * (1 + 0.01 * rand) } @all ],
        times    => [ map { 1 + 1e-4 * rand } @all ],
        user     => [ map { 0.2 } @all ],
        sys      => [ map { 0.7 } @all ],
        starts   => [ map { 4_711_000_000_000 + int rand 1e6 } @all ],
        slices   => [
            map {
                join ' ',
                    map { sprintf '%d:%d:%d', $_ * 1e7, $_ * $rate / 100 * (1 + 0.001 * rand), $_ * 9990 }
                    1 .. 100
            } @all
        ],
        slept    => [ map { 0 } @all ],
        counters => { steal => 0, preempted => 3 },
    };
}

sub record_file {
    my ($rounds) = @_;
    my $record = Runs::record(
        "run-$rounds",
        {},
        schedule => { kind => 'default', seed => 1, rounds => $rounds },
        tests    => [
            map {
                my $t = $_;
                +{
                    name     => $t->{name},
                    title    => $t->{title},
                    category => 'system',
                    suite    => 'unixbench',
                    baseline => 100
                }
            } @tests
        ],
        categories =>
            [ { key => 'system', title => 'System Benchmarks', index => [ map { $_->{name} } @tests ] } ]
    );
    my $begun = $record->{started};
    for my $copies (@COUNTS) {
        push @{ $record->{blocks} },
            { copies => $copies, started => $begun, ended => $begun + $rounds * @tests };
        push @{ $record->{passes} }, map {
            my $round = $_;
            map { pass($_, $copies, $round, $begun++) } @tests
        } 1 .. $rounds;
    }
    my $file = "$dir/run-$rounds.json";
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} Touchstone::Record::Json::encode($record);
    close $out or die "cannot write '$file': $!\n";
    return ($file, scalar @{ $record->{passes} });
}

# Returns (seconds, octets) of a report.
sub report {
    my ($file, $format) = @_;
    my $begun = time;
    open my $in, '-|', $^X, './Run', 'report', $file, '--format', $format or die "cannot start Run: $!\n";
    my $text = do { local $/; <$in> };
    close $in or die "Run report failed\n";
    return (time - $begun, length $text);
}

sub told { my ($ok) = @_; $failed++ if !$ok; return $ok ? 'ok' : 'MISSED' }

for my $run (@RUNS) {
    my ($rounds, $target) = @$run;
    my ($file,   $passes) = record_file($rounds);
    for my $format (sort Touchstone::Report::Forms::names('run')) {
        my ($size, @seconds);
        for (1 .. TIMES) { (my $seconds, $size) = report($file, $format); push @seconds, $seconds }
        my $middle = Touchstone::Stats::median(@seconds);
        printf '%-10s %5d passes %7.2f s   target under %-5s %-6s %6.0f KB', $format, $passes, $middle,
            "$target s", told($middle < $target), $size / KB;
        printf '   target under %d KB   %s', LARGEST, told($size / KB < LARGEST)
            if $format eq 'html' && $rounds == $RUNS[0][0];
        print "\n";
    }
}

exit($failed ? 1 : 0);
