# SPDX-License-Identifier: GPL-2.0-or-later
# Examples - records of invented runs, for the example pages of which docs/examples has no records. No machine
# measured them: each host has .example in its name, and no product is named. The same seed gives the same
# records.
#
#   Examples::runs()       a run of two machines, and one with up to 16 copies on 16 CPUs
#   Examples::history()    runs of three hosts over months; on one of them a new kernel changes scores
package Examples;
use 5.014;
use strict;
use warnings;

use Touchstone;
use Touchstone::Suite;

my $DAY = 86_400;

# Sunday, 1 November 2026, 01:43 UTC.
my $BEGIN = 1_793_497_380;

# What one copy of each test does on the first machine, how noisy its passes are, and the two numbers of the
# law by which several copies are slower: the part that they cannot do at once, and what each costs each other
# one.
my %TEST = (
    'dhry2reg'         => [ 38.4e6,  0.004, 0.004, 0 ],
    'whetstone-double' => [ 6227,    0.003, 0.002, 0 ],
    'syscall'          => [ 1.344e6, 0.005, 0.006, 0 ],
    'pipe'             => [ 1.846e6, 0.006, 0.010, 0 ],
    'context1'         => [ 82.5e3,  0.012, 0.020, 0.0004 ],
    'spawn'            => [ 6539,    0.008, 0.030, 0.0012 ],
    'execl'            => [ 2052,    0.009, 0.045, 0.0010 ],
    'fsbuffer'         => [ 294.8e3, 0.007, 0.020, 0.0030 ],
    'fstime'           => [ 1.127e6, 0.007, 0.020, 0.0030 ],
    'fsdisk'           => [ 2.546e6, 0.008, 0.024, 0.0026 ],
    'shell1'           => [ 7016,    0.006, 0.035, 0.0006 ],
    'shell8'           => [ 1722,    0.009, 0.250, 0.0020 ],
);

# How much slower the second machine is.
my %SLOWER = (
    'dhry2reg'         => 1.31,
    'whetstone-double' => 1.32,
    'syscall'          => 1.02,
    'pipe'             => 1.23,
    'context1'         => 1.008,
    'spawn'            => 1.16,
    'execl'            => 1.18,
    'fsbuffer'         => 1.24,
    'fstime'           => 1.24,
    'fsdisk'           => 1.22,
    'shell1'           => 1.17,
    'shell8'           => 0.96,
);

my %HOST = (
    'host-a.example'   => { model => 'Simulated CPU A', cpus => 2,  memory_kb => 8_131_072 },
    'host-b.example'   => { model => 'Simulated CPU B', cpus => 2,  memory_kb => 4_012_032 },
    'build-01.example' => { model => 'Simulated CPU C', cpus => 4,  memory_kb => 16_285_696 },
    'host-c.example'   => { model => 'Simulated CPU A', cpus => 16, memory_kb => 32_555_008 },
);

my $suite = Touchstone::Suite::load();

# A number between 0 and 1; perl's own would differ from version to version.
my $state = 4711;
sub _random { $state = ($state * 1_103_515_245 + 12_345) % 2_147_483_648; return $state / 2_147_483_648 }

sub _normal { return sqrt(-2 * log(1 - _random())) * cos(6.283185307179586 * _random()) }

# What N copies do together on so many CPUs, as a multiple of one copy.
sub _law {
    my ($test, $copies, $cpus) = @_;
    my (undef, undef, $contention, $coherency) = @{ $TEST{$test} };
    my $n = $copies < $cpus ? $copies : $cpus;
    return $n / (1 + $contention * ($n - 1) + $coherency * $n * ($n - 1));
}

# Further arguments: begun, copies, kernel, passes; level => { test => factor }.
sub record {
    my ($host, %how) = @_;
    my @tests = $suite->expand('index');
    my ($blocks, $passes, $ended) = _measured($host, \@tests, %how);
    return {
        format     => 2,
        name       => $how{name},
        started    => $how{begun},
        ended      => $ended,
        utc_offset => 0,
        status     => 'complete',
        purpose    => 'run',
        pin        => 'none',
        brief      => 0,
        tool       => { name      => 'Touchstone', version => $Touchstone::VERSION },
        suites     => { unixbench => $suite->suites_of(@tests)->{unixbench}{version} },
        schedule   => {
            kind      => 'default',
            seed      => 4711,
            rounds    => 6,
            precision => 0.015,
            limit     => 180,
            copies    => $how{copies}
        },
        baseline   => $suite->default->{reference},
        host       => _host($host, $HOST{$host}, $how{kernel} // '6.12.30'),
        build      => _build(),
        locale     => locale(),
        tests      => [ map { _test($_) } @tests ],
        categories =>
            [ { key => 'system', title => 'System Benchmarks', index => [ map { $_->{name} } @tests ] } ],
        blocks   => $blocks,
        passes   => $passes,
        failures => [],
        skipped  => [],
        warnings => []
    };
}

# Returns copy counts, passes, and when the last one ended.
sub _measured {
    my ($host, $tests, %how) = @_;
    my $begun = $how{begun};
    my @blocks;
    my @passes;
    for my $copies (@{ $how{copies} }) {
        push @blocks, { copies => $copies, started => $begun, ended => $begun + 178 };
        for my $test (@$tests) {
            my ($rate, $noise) = @{ $TEST{ $test->{name} } };
            $rate *= _law($test->{name}, $copies, $HOST{$host}{cpus}) * ($how{level}{ $test->{name} } // 1);
            my $day = $rate * exp(0.004 * ($how{days} // 0) * _normal());
            push @passes,
                map { _pass($test, $copies, $_, $begun, $day * exp($noise * _normal())) } 1 .. $how{passes}
                // 8;
        }
        $begun += 180;
    }
    return (\@blocks, \@passes, $begun);
}

my %BASELINE;

sub baselines {
    my ($text) = @_;
    %BASELINE = map { my @cell = split /\|/; $cell[0] => 0 + $cell[3] } grep { !/^#/ } split /\n/, $text;
    return;
}

sub _test {
    my ($test) = @_;
    return {
        baseline => $BASELINE{ $test->{name} },
        map { $_ => $test->{$_} } qw(name title category suite version)
    };
}

my %TIMEBASE = (lpm => 60, lps => 1, KBps => 1, MWIPS => 0);
my %UNIT     = (
    'whetstone-double' => 'MWIPS',
    shell1             => 'lpm',
    shell8             => 'lpm',
    map { $_ => 'KBps' } qw(fstime fsbuffer fsdisk)
);

# The copies of a pass are a per cent apart.
sub _pass {
    my ($test, $copies, $round, $begun, $rate) = @_;
    my $unit     = $UNIT{ $test->{name} } // 'lps';
    my $timebase = $TIMEBASE{$unit};
    my $window   = { fast => 0.3, brief => 0.5, slow => 0.8 }->{ $test->{pace} };
    my $one      = $rate / $copies * ($timebase ? $window / $timebase : 1);
    my @counts   = map { $one * exp(0.01 * _normal() * ($copies > 1)) } 1 .. $copies;
    return {
        test     => $test->{name},
        copies   => $copies,
        round    => $round,
        window   => $window,
        unit     => $unit,
        timebase => $timebase,
        started  => $begun + 7 * ($round - 1) + 6.5 * _random(),
        seconds  => $window + 0.003,
        counts   => [ map { 0 + sprintf '%.2f', $_ } @counts ],
        times    => [ ($window) x $copies ],
        starts   => [ (undef) x $copies ],
        slices   => [ (undef) x $copies ],
        counters =>
            { other => 0.01, steal => 0, psi_cpu => 0, psi_io => 0, psi_memory => 0, seconds => $window }
    };
}

# What one copy of each test does on the first machine, as { test => { score, baseline, unit, timebase } }.
sub scores {
    return {
        map {
            my $unit = $UNIT{$_} // 'lps';
            $_ => {
                score    => $TEST{$_}[0],
                baseline => $BASELINE{$_},
                unit     => $unit,
                timebase => $TIMEBASE{$unit}
            }
        } keys %TEST
    };
}

# What a copy of a program says in a pass of a session on the first machine. Programs of several tests are
# told apart by their words.
my %FILES = (1024 => 'fstime', 256 => 'fsbuffer', 4096 => 'fsdisk');

sub said {
    my ($program, $words, $copies, $seconds) = @_;
    my $test = $words =~ /-b (\d+)/ ? $FILES{$1} : $words =~ /multi\.sh (\d+)/ ? "shell$1" : $program;
    my ($rate, $noise) = @{ $TEST{$test} or die "no example of '$test'\n" };
    my $unit     = $UNIT{$test} // 'lps';
    my $timebase = $TIMEBASE{$unit};
    my $each     = $rate * _law($test, $copies, 2) / $copies * exp($noise * _normal());
    my $count    = sprintf '%.2f', $timebase ? $each * $seconds / $timebase : $each;
    return ("COUNT|$count|$timebase|$unit", "TIME|$seconds", 'CPU|0.5|0.25');
}

# The facts of a machine.
sub host { my ($name) = @_; return _host($name, $HOST{$name}, '6.12.30') }

sub _host {
    my ($name, $machine, $release) = @_;
    my $n    = $machine->{cpus};
    my @cpus = map { { id => $_, model => $machine->{model}, bogomips => '4890.86', flags => ['x86-64'] } }
        0 .. $n - 1;
    return {
        name           => $name,
        kernel         => 'Linux',
        os             => 'GNU/Linux',
        release        => $release,
        version        => '#1 SMP PREEMPT_DYNAMIC',
        machine        => 'x86_64',
        platform       => 'unknown',
        uptime         => 'up 3 days,  2:10,  load average: 0.00, 0.01, 0.00',
        runlevel       => '5',
        load           => 0,
        cpus           => \@cpus,
        online_cpus    => $n,
        usable_cpus    => $n,
        usable_cpu_ids => [ 0 .. $n - 1 ],
        cpu_quota      => 'unknown',
        cores          => $n,
        threads        => $n,
        memory_kb      => $machine->{memory_kb},
        swap_kb        => 0,
        virtualisation => 'kvm',
        container      => 'none',
        clock_source   => 'tsc',
        clock_cost_ns  => 27,
        file_system    => 'ext4',
        mitigations    => 'spectre_v2: Mitigation: Enhanced IBRS; meltdown: Not affected'
    };
}

sub locale { return { name => 'en_US.utf8', charmap => 'UTF-8', collate => 'UTF-8' } }

sub _build {
    return {
        compiler         => 'cc',
        compiler_version => 'gcc (Debian 14.2.0-19) 14.2.0',
        flags_unixbench  => '-O3 -ffast-math -march=native -mtune=native -fno-lto',
        flags_harness    => '-O2 -fno-lto',
        flags_user       => '',
        libc             => 'glibc 2.41',
        linker           => 'GNU ld 2.44'
    };
}

sub runs {
    my %slower = map { $_ => 1 / $SLOWER{$_} } keys %SLOWER;
    return (
        record('host-a.example', name => 'host-a', begun => $BEGIN, copies => [ 1, 2 ]),
        record(
            'host-b.example',
            name   => 'host-b',
            begun  => $BEGIN + 3600,
            copies => [1],
            level  => \%slower
        ),
        record('host-a.example', name => 'host-a-alone', begun => $BEGIN, copies => [1]),
        record(
            'host-c.example',
            name   => 'host-c',
            begun  => $BEGIN,
            copies => [ 1, 2, 4, 8, 16 ],
            passes => 6
        )
    );
}

# A run every third day. The new kernel comes at the nineteenth of the build host.
sub history {
    my %slower = map { $_ => 1 / $SLOWER{$_} } keys %SLOWER;
    my %older  = map { $_ => 0.83 } keys %TEST;
    my @runs;
    for my $n (0 .. 29) {
        my $new = $n >= 18;
        push @runs,
            record(
            'build-01.example',
            name   => sprintf('build-01-%02d', $n + 1),
            begun  => $BEGIN - (30 - $n) * 3 * $DAY,
            copies => [1],
            days   => 1,
            passes => 7,
            kernel => $new ? '6.15.4' : '6.12.30',
            level  => { %older, pipe => 0.83 * ($new ? 0.96 : 1), syscall => 0.83 * ($new ? 0.93 : 1) }
            );
    }
    for my $row ([ 'host-a', {} ], [ 'host-b', \%slower ]) {
        push @runs, map {
            record(
                "$row->[0].example",
                name   => sprintf('%s-%02d', $row->[0], $_),
                begun  => $BEGIN - (12 - $_) * 7 * $DAY,
                copies => [1],
                days   => 1,
                passes => 7,
                level  => $row->[1]
            )
        } 1 .. 10;
    }
    return @runs;
}

1;
