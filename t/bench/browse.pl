#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what the browser of results costs with many runs, and how reliable its change points are.
#
#   perl -Ilib -It/lib t/bench/browse.pl [runs, 2000 [directory that is kept]]
#
#   2000 runs of 12 tests with 2 copy counts read           6.9 s         target under 10 s      ok
use 5.014;
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();

use lib 't/lib';
use Scored;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Compare::Trend;
use Touchstone::Pack::Browse::Series;
use Touchstone::Record::Json;
use Touchstone::Pack::Browse::Page;
use Touchstone::Score;

my $RUNS   = shift // 2000;
my $KEPT   = shift;
my $failed = 0;
srand 4711;

sub show {
    my ($what, $figure, $target, $ok) = @_;
    $failed++ if !$ok;
    printf "%-66s %-10s target %-14s %s\n", $what, $figure, $target, $ok ? 'ok' : 'MISSED';
    return;
}

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

sub spent { my ($user, $system) = times; return $user + $system }

my @NAMES =
    qw(context1 dhry2reg execl fstime fsbuffer fsdisk pipe shell1 shell8 spawn syscall whetstone-double);

# Each row has a host, its share of the runs, and the tests that change: at which part of the runs, by which
# factor.
my @HOSTS = (
    [ 'build-farm-01', 0.6, { pipe  => [ 0.7,  1.12 ], execl => [ 0.3, 0.95 ], syscall => [ 0.5, 0.9 ] } ],
    [ 'vm',            0.4, { spawn => [ 0.55, 0.93 ] } ]
);

# Returns the record of a run of the index, with seven passes of each test.
sub record {
    my ($host, $n, $of, $steps) = @_;
    my @tests = map {
        { name => $_, title => "Title of $_", category => 'system', suite => 'unixbench', baseline => 100 }
    } @NAMES;
    my $begun  = 1700000000 + $n * 40000;
    my %record = (
        format     => 2,
        name       => sprintf('%s-run-%04d', $host, $n),
        started    => $begun,
        ended      => $begun + 360,
        utc_offset => 3600,
        status     => 'complete',
        purpose    => 'run',
        pin        => 'none',
        tool       => { name      => 'Touchstone', version => '7.0.0' },
        suites     => { unixbench => 1 },
        schedule   => { kind      => 'default', seed => $n, rounds => 6 },
        baseline   => 'George',
        host       => {
            name => $host,
            map({ $_ => "$_ of this host, in some words more" }
                qw(os version platform uptime runlevel caches microcode governor mitigations file_system
                    mount_options limits cmdline)),
            machine     => 'x86_64',
            kernel      => 'Linux',
            release     => $n < 0.7 * $of ? '6.1.0-30-amd64' : '6.1.0-31-amd64',
            online_cpus => 2,
            usable_cpus => 2,
            cpus => [ map { { id => $_, model => 'AMD EPYC', bogomips => '4890.86', flags => [] } } 0, 1 ]
        },
        build => {
            compiler         => 'cc',
            compiler_version => 'cc (Debian 12.2.0-14+deb12u1) 12.2.0',
            flags_unixbench  => '-O3 -ffast-math',
            flags_harness    => '-O2',
            libc             => 'glibc 2.36'
        },
        locale     => { name => 'C', charmap => 'ANSI', collate => 'ANSI' },
        tests      => \@tests,
        categories => [ { key => 'system', title => 'System Benchmarks', index => \@NAMES } ],
        blocks     => [ map { { copies => $_, started => $begun } } 1, 2 ],
        failures   => [],
        skipped    => [],
        passes     => [],
        warnings   => [
            map {
                {
                    id     => "sort-$_",
                    text   => "something that matters to the score was seen, kind $_",
                    remedy => 'do something against it'
                }
            } grep { rand() < 0.5 } 1 .. 3
        ],
    );
    for my $copies (1, 2) {
        for my $test (0 .. $#NAMES) {
            my $step = $steps->{ $NAMES[$test] } || [ 2, 1 ];
            my $level =
                1e5 * (1 + $test) *
                $copies *
                exp(0.01 * normal()) *
                ($n >= $step->[0] * $of ? $step->[1] : 1);
            push @{ $record{passes} }, map { _pass($NAMES[$test], $copies, $_, $begun, $level) } 1 .. 7;
        }
    }
    return Scored::document(\%record);
}

# Returns a pass with everything that a pass of Touchstone holds.
sub _pass {
    my ($test, $copies, $round, $begun, $level) = @_;
    my @each = map { int($level / $copies * exp(0.005 * normal())) } 1 .. $copies;
    return {
        test      => $test,
        copies    => $copies,
        round     => $round,
        window    => 1,
        timebase  => 1,
        unit      => 'lps',
        started   => $begun + 10 * $round,
        seconds   => 1.02,
        command   => "/srv/touchstone/pgms/$test 1",
        output    => '',
        counts    => \@each,
        times     => [ (1.0001) x $copies ],
        starts    => [ map { 53162311799539 + $_ } 1 .. $copies ],
        user      => [ (0.5) x $copies ],
        sys       => [ (0.5) x $copies ],
        preempted => [ (4) x $copies ],
        slices    => [
            map {
                my $n = $_;
                join ' ', map { 100000000 * $_ . ':' . int($n * $_ / 10) } 1 .. 10
            } @each
        ],
        counters => {
            other      => 0.01,
            psi_cpu    => 0.0086,
            psi_io     => 0,
            psi_memory => 0,
            seconds    => 1.03,
            steal      => 0,
            swapped    => 0,
            throttled  => 0
        },
    };
}

# Making the runs takes two minutes, longer than everything else.
sub archive {
    my ($dir) = @_;
    make_path("$dir/runs");
    for my $row (@HOSTS) {
        my ($host, $part, $steps) = @$row;
        my $of = int($RUNS * $part);
        for my $n (0 .. $of - 1) {
            open my $out, '>', sprintf('%s/runs/%s-run-%04d.json', $dir, $host, $n)
                or die "cannot write in '$dir/runs': $!\n";
            print {$out} Touchstone::Record::Json::encode(record($host, $n, $of, $steps));
            close $out or die "cannot write in '$dir/runs': $!\n";
        }
    }
    return { results => $dir, runs => "$dir/runs" };
}

my $temp    = defined $KEPT ? undef : File::Temp->newdir;
my $places  = archive($KEPT // "$temp");
my $begun   = spent();
my $found   = Touchstone::Pack::Browse::Archive::read($places);
my $read    = spent() - $begun;
my $hosts   = Touchstone::Pack::Browse::Series::hosts(@{ $found->{runs} });
my $seen    = spent() - $begun - $read;
my $ranking = Touchstone::Pack::Browse::Ranking::rank($found->{runs}, $hosts);
my $page =
    Touchstone::Pack::Browse::Page::render(
    { %$found, hosts => $hosts, ranking => $ranking, command => './Run' });
my $whole     = spent() - $begun;
my $megabytes = length($page) / 1e6;
show(
    "$RUNS runs of 12 tests with 2 copy counts on a page",
    sprintf('%.1f s', $whole),
    'under 10 s', $whole < 10
);
printf "%-66s %.1f s\n", '... of that to read them', $read;
show('... and to find where they change', sprintf('%.1f s',  $seen),      'under 2 s',  $seen < 2);
show('the page',                          sprintf('%.2f MB', $megabytes), 'under 3 MB', $megabytes < 3);

# Kinds of noise of equal runs.
my %KIND = (
    normal                           => \&normal,
    'with long tails (t, 3 degrees)' =>
        sub { my $square = 0; $square += normal()**2 for 1 .. 3; return normal() / sqrt($square / 3) },
    'disturbed in one of ten' => sub { return rand() < 0.1 ? -10 * rand : 0.3 * normal() },
);
for my $kind (sort keys %KIND) {
    my ($series, $changed) = (0, 0);
    for my $n (10, 20, 50, 100, 500) {
        for (1 .. 200) {
            $series++;
            $changed++
                if Touchstone::Compare::Trend::changes(
                [ map { 1000 * exp(0.02 * $KIND{$kind}->()) } 1 .. $n ]);
        }
    }
    show(
        "series of equal runs, $kind, that show a change",
        sprintf('%.1f %%', 100 * $changed / $series),
        'at most 5 %', $changed <= 0.05 * $series
    );
}
my $right = grep {
    grep { abs($_->{at} - 10) <= 2 }
        Touchstone::Compare::Trend::changes(
        [ map { 1000 * exp(0.01 * normal() + ($_ > 10 ? 0.05 : 0)) } 1 .. 20 ],
        series => 24)
} 1 .. 500;
show(
    'a step of 5 deviations in 10 + 10 runs, one of 24 series, is found',
    sprintf('%.1f %%', $right / 5),
    'over 95 %', $right > 475
);

exit($failed ? 1 : 0);
