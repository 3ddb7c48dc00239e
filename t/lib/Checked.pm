# SPDX-License-Identifier: GPL-2.0-or-later
# Checked - checks of invented machines, and the golden files of their screens.
package Checked;
use 5.014;
use strict;
use warnings;

use Touchstone::Pack::Check::Result;
use Touchstone::Pack::Check::Screen;

# The score of each test with one copy, and its baseline and scale where it has them.
my %TESTS = (
    dhry2reg          => [ 40e6,   116_700, 10 ],
    execl             => [ 1300,   43,      10 ],
    json              => [ 450,    500,     1000 ],
    matrix            => [ 52_000, 50_000,  1000 ],
    'mem-latency'     => [ 9.1e6,  10e6,    1000 ],
    'mem-bandwidth'   => [ 11_200, 10_000,  1000 ],
    'null-call'       => [ 4.1e6,  10e6,    1000 ],
    spawn             => [ 3200,   126,     10 ],
    wakeup            => [ 7.3e-5, 5e-5,    1000 ],
    commit            => [ 1240,   1000,    1000 ],
    'disk-read'       => [ 11_900, 10_000,  1000 ],
    'seq-write'       => [410],
    'seq-read'        => [1350],
    'seq-read-cached' => [7200],
    'rand-read-32'    => [84_000],
);
my %UNIT = (wakeup => 's', map { $_ => 'MBps' } qw(json mem-bandwidth seq-write seq-read seq-read-cached));

my %TRUTH = (
    vcpu => [
        confirmed => 'CPU 0 runs at 3.4 GHz (3.3 to 3.5). CPUs 0 and 1 are different cores, as reported. '
            . 'No other thread came and went on its core. The hypervisor took 0.11 % of the time, /proc/stat reports 0.12 %.'
    ],
    cache => [ confirmed => 'A program can use about 14 MB (12 MB to 17 MB) of the reported L3 of 32 MB.' ],
    disk  => [
        confirmed =>
            'Each of 417 commits made the disk flush, in 640 us: the time of a medium, or of a replicated volume.'
    ],
    clock => [
        confirmed =>
            'The clocks agree within 0.6 ppm; no step back between the first CPU and the last in 254,738 exchanges.'
    ]
);

sub _test {
    my ($name, $times) = @_;
    my ($score, $baseline, $scale) = @{ $TESTS{$name} };
    $score *= $times;
    return {
        name      => $name,
        score     => $score,
        interval  => [ 0.98 * $score, 1.02 * $score ],
        precision => 0.02,
        error     => 0.01,
        passes    => 6,
        disturbed => 0,
        unit      => $UNIT{$name} // 'lps',
        $name eq 'wakeup' ? (better   => 'lower')                    : (),
        defined $baseline ? (baseline => $baseline, scale => $scale) : ()
    };
}

# What a check of such a machine found. `how`: host => facts, warnings, skipped, truth => { probe => [
# verdict, sentence ] }, scores => { test => score }, rates => { test => [ of passes ] },
# without => [ tests ], counters of each pass, check.
sub result {
    my (%how)   = @_;
    my $cpus    = ($how{host} || {})->{usable_cpus} // 2;
    my %without = map { $_ => 1 } @{ $how{without} || [] };
    local @TESTS{ keys %{ $how{scores} || {} } } =
        map { [ $how{scores}{$_}, @{ $TESTS{$_} }[ 1, 2 ] ] } keys %{ $how{scores} || {} };
    my $rates = $how{rates} || {};
    my @one   = map {
        { %{ _test($_, 1) }, rates => $rates->{$_} || [] }
    } grep { !$without{$_} } sort keys %TESTS;
    my @all   = map { _test($_, 0.95 * $cpus) } grep { !$without{$_} } qw(dhry2reg execl json matrix);
    my %truth = (%TRUTH, %{ $how{truth} || {} });
    my %facts = (
        name       => 'web-2026-11-26-01',
        tool       => { version => '8.0.0' },
        started    => 1_795_660_000,
        ended      => 1_795_660_074,
        utc_offset => 0,
        status     => 'complete',
        check      => {
            version      => 1,
            distribution => 'Debian GNU/Linux 13',
            cloud        => 'example, north-1',
            %{ $how{check} || {} }
        },
        warnings => $how{warnings} || [],
        skipped  => $how{skipped}  || [],
        failures => [],
        schedule => { kind => 'quick' },
        passes   => [
            map {
                +{
                    copies   => 1,
                    counters => { seconds => 1, steal => 0.001, other => 0, %{ $how{counters} || {} } }
                }
            } 1 .. 6
        ],
        host => {
            cpus            => [ { model => 'Example CPU 9000' } ],
            online_cpus     => 2,
            usable_cpus     => 2,
            cores           => 2,
            caches          => 'L1d 32K, L1i 32K, L2 1024K, L3 32M',
            memory_kb       => 4_026_000,
            swap_kb         => 0,
            file_system     => 'ext4',
            device          => '/dev/vda1',
            drive_interface => 'virtio',
            drive_size      => '40 GB',
            kernel          => 'Linux',
            release         => '6.12.1',
            machine         => 'x86_64',
            virtualisation  => 'kvm',
            container       => 'none',
            %{ $how{host} || {} }
        }
    );
    my %results = (
        blocks => [ { copies => 1, tests => \@one }, $cpus > 1 ? { copies => $cpus, tests => \@all } : () ],
        published_results => {
            truth => {
                map  { $_ => { verdict => $truth{$_}[0], sentence => $truth{$_}[1] } }
                grep { $truth{$_} } keys %truth
            }
        }
    );
    return Touchstone::Pack::Check::Result::build_result(\%facts, \%results);
}

# A machine as it should be, and one that lacks much.
my %MISSING = (
    host    => { usable_cpus => 1 },
    without =>
        [qw(mem-latency mem-bandwidth commit disk-read seq-write seq-read seq-read-cached rand-read-32)],
    truth   => { vcpu           => undef, disk => undef },
    check   => { work_directory => q{cannot write in '/srv/touchstone/tmp'} },
    skipped => [
        map { { test => $_, why => 'it needs 256 MB, and 61 MB are free' } } qw(mem-latency mem-bandwidth)
    ],
);

sub files {
    return (
        'check-80.txt'      => screen(result()),
        'check-missing.txt' => screen(result(%MISSING))
    );
}

sub screen {
    return join '', map { "$_\n" } Touchstone::Pack::Check::Screen::lines($_[0]);
}

1;
