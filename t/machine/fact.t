#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Facts about a machine as pages say them, and that texts nobody understands stay as they are.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Report::Run::System;

my %SAID = (
    memory => [ 24684096         => '24 GB',  0      => 'none',                  'a lot' => 'a lot' ],
    aslr   => [ 0                => 'off',    1      => 'on (not for the heap)', 2 => 'on (full)', 7 => '7' ],
    clock  => [ '416.6'          => '417 ns', '22.1' => '22.1 ns',               soon => 'soon' ],
    caches => [ 'L1d 48K, L2 2M' => 'L1d 48 KB, L2 2 MB', none => 'none' ],
    uptime => [
        '08:54:30 up  2:38,  0 user,  load average: 59.92, 16.55, 7.62' => '2 h 38 min',
        '10:00:00 up 12 days,  3:05,  2 users,  load average: 0, 0, 0'  => '12 days 3 h 5 min',
        '10:00:00 up 32 min,  load average: 0, 0, 0'                    => '32 min',
        'for ever'                                                      => 'for ever'
    ],
    drive_settings => [
        'scheduler none, read-ahead 8192 KB, rotational yes, write cache write back' =>
            'scheduler none, read-ahead 8 MB, calls itself a turning disk, write-back cache',
        'rotational no' => 'solid state'
    ]
);

for my $fact (sort keys %SAID) {
    my @pairs = @{ $SAID{$fact} };
    while (my ($is, $said) = splice @pairs, 0, 2) {
        is(Touchstone::Report::Run::System->can($fact)->($is), $said, "$fact: $said");
    }
}

subtest 'only mitigations of what the CPU is affected by are named, the others counted' => sub {
    my $said = sub { join ' | ', Touchstone::Report::Run::System::mitigations(@_) };
    is(
        $said->(
            'mds: Not affected; retbleed: Vulnerable; spectre_v2: Mitigation: Retpolines, PBRSB: Not affected; tsa: Not affected'
        ),
        'retbleed: vulnerable | spectre_v2: Retpolines, PBRSB: Not affected | 2 more: not affected',
        'a line each'
    );
    is($said->('mds: Not affected; tsa: Not affected'), 'all 2: not affected', 'none');
    is($said->('as the vendor wants'),                  'as the vendor wants', 'another form');
};

subtest 'the topology has the counts that are known' => sub {
    my $said = sub { Touchstone::Report::Run::System::topology({@_}) };
    is($said->(sockets => 1, cores => 4, threads => 8, threads_per_core => 2, numa_nodes => 1),
        '1 socket, 4 cores, 8 threads (2 per core), 1 NUMA node', 'all');
    is($said->(sockets => 'unknown', cores => 2), '2 cores', 'one');
    is($said->(cores   => 'unknown'),             undef,     'none');
};

done_testing;
