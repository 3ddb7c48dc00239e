# SPDX-License-Identifier: GPL-2.0-or-later
# Modern - the record of an invented run of a suite whose index has parts, with the tests of 2026: no machine
# measured it. The same words give the same record.
#
#   Modern::record()                                     6 rounds with 1 copy and 2 copies
#   Modern::record(name => 'b', host => 'b', faster => { memory => 1.3 }, copies => [1])
#   Modern::record(only => [qw(compute durable)])        tests of these groups alone
package Modern;
use 5.014;
use strict;
use warnings;

use Example;

# For each group: test, figure of one copy, yardstick, unit; how much faster two are; whether it is a team.
my %TESTS = (
    compute => [
        [ 'json',   430,    500,    'MBps',   2 ],
        [ 'interp', 330,    500,    'Mops',   2 ],
        [ 'branch', 1.3e8,  2e8,    'lps',    2 ],
        [ 'matrix', 90_000, 50_000, 'MFLOPS', 1.9 ]
    ],
    memory => [
        [ 'mem-latency',   6.1e6,  1e7,    'lps',  1.9 ],
        [ 'cache-latency', 6.8e6,  5e7,    'lps',  1.6 ],
        [ 'mem-parallel',  7.6e7,  1e8,    'lps',  1.7 ],
        [ 'mem-bandwidth', 11_300, 10_000, 'MBps', 1.4 ]
    ],
    threads => [
        [ 'handoff', 21_000, 100_000, 'lps', 1,    1 ],
        [ 'lock',    9e6,    1e7,     'lps', 0.55, 1 ],
        [ 'thread',  31_000, 50_000,  'lps', 1.5 ],
        [ 'heap',    1.1e7,  2e7,     'lps', 1.8, 1 ],
        [ 'bounce',  4.4e6,  5e6,     'lps', 1,   1 ]
    ],
    kernel => [
        [ 'fault',      4.2e5,  1e6,     'lps', 1.6 ],
        [ 'fork',       138,    500,     'lps', 1.6 ],
        [ 'null-call',  6.5e6,  1e7,     'lps', 2 ],
        [ 'signal',     4.5e5,  1e6,     'lps', 1.9 ],
        [ 'clock-read', 2.2e7,  5e7,     'lps', 2 ],
        [ 'events',     1.05e6, 1e6,     'lps', 1.9 ],
        [ 'tcp',        95_000, 100_000, 'lps', 1.2 ]
    ],
    latency => [ [ 'wakeup', 54e-6, 50e-6, 's', 0.98 ], [ 'loaded', 1.4e-3, 1e-3, 's', 0.9 ] ],
    durable => [
        [ 'commit',    1400, 1000,   'lps', 1.6 ],
        [ 'replace',   610,  500,    'lps', 1.6 ],
        [ 'disk-read', 9000, 10_000, 'lps', 1.8 ]
    ],
);
my @GROUPS = qw(compute memory threads kernel latency);
my %STEADY = (compute => 1, memory => 1);

# What an operation is called, and the seconds within which 50, 90, 99 and 99.9 of 100, and all, were done;
# how many of them a pass has.
my %TAIL = (
    wakeup      => [ 'wake-up', [ 10.3e-6, 22e-6, 54e-6, 310e-6, 1.3e-3 ], 3300 ],
    loaded      => [ 'wake-up', [ 61e-6, 420e-6, 1.4e-3, 2.9e-3, 6.2e-3 ], 3300 ],
    handoff     => [ 'hand-off', [ 46e-6, undef, 120e-6, undef, undef ] ],
    commit      => [ 'commit', [ 640e-6, 810e-6, 1.9e-3, 8e-3, 21e-3 ], 1400 ],
    replace     => [ 'replacement', [ 1.5e-3, 1.9e-3, 4.4e-3, 16e-3, 34e-3 ], 610 ],
    'disk-read' => [ 'disk read', [ 98e-6, 130e-6, 260e-6, 900e-6, 3.1e-3 ], 9000 ],
);
my @QUANTILES = qw(p50 p90 p99 p99.9 max);

my $REFERENCE = 'Yardstick of 2026';
my $BEGIN     = 1_795_240_226;

# A number between -1 and 1; perl's own would differ from version to version.
my $state;

sub _random {
    $state = ($state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return $state / 1_073_741_824 - 1;
}

sub record {
    my (%how) = @_;
    $state = 4711;
    my @here   = @{ $how{only}   || [ @GROUPS, 'durable' ] };
    my @copies = @{ $how{copies} || [ 1, 2 ] };
    my %head   = Example::head();
    my %cpus   = $how{cpus} ? map { $_ => $how{cpus} } qw(online_cpus usable_cpus) : ();
    my ($blocks, $passes, $ended) = _measured(\@here, \@copies, %how);
    return {
        %head,
        format  => 2,
        name    => $how{name} // 'vm-01',
        status  => 'complete',
        started => $BEGIN,
        ended   => $ended,
        host    =>
            { %{ $head{host} }, %cpus, name => $how{host} // 'vm', file_system => 'ext4', device => 'vda' },
        suites   => { modern => 1 },
        schedule => { kind => 'default', seed => 4711, rounds => 6, precision => 0.015, copies => \@copies },
        baseline   => $REFERENCE,
        categories => [ { key => 'modern', title => 'Modern', index => [] } ],
        tests      => [ map { _test($_) } map { @{ $TESTS{$_} } } @here ],
        indexes    => [ _indexes() ],
        blocks     => $blocks,
        passes     => $passes,
        (map { $_ => [] } qw(failures skipped warnings)),
        $how{scaling} ? (scaling_wanted => 1) : ()
    };
}

# Blocks, passes, and when the last of them ended.
sub _measured {
    my ($here, $copies, %how) = @_;
    my $begun = $BEGIN;
    my (@blocks, @passes);
    for my $many (@$copies) {
        push @blocks, { copies => $many, started => $begun, ended => $begun + 178 };
        for my $group (@$here) {
            my $faster = ($how{faster} || {})->{$group} // 1;
            push @passes, map { _passes($_, $many, $begun, $faster, $how{rounds} // 6) } @{ $TESTS{$group} };
        }
        $begun += 180;
    }
    return (\@blocks, \@passes, $begun);
}

sub _test {
    my ($row) = @_;
    my ($name, undef, $yardstick, $unit) = @$row;
    my $tail = $TAIL{$name};
    return {
        name     => $name,
        title    => join(' ', map { ucfirst } split /-/, $name),
        category => 'modern',
        suite    => 'modern',
        version  => 1,
        scale    => 1000,
        baseline => $yardstick,
        $unit eq 's' ? (better => 'lower')                                             : (),
        $tail        ? (tail   => $tail->[0], late => $tail->[0] eq 'wake-up' ? 1 : 0) : ()
    };
}

sub _index {
    my ($key, $title, %more) = @_;
    my @rows = map { @{ $TESTS{$_} } } @{ delete $more{of} };
    return {
        key       => $key,
        title     => $title,
        category  => 'modern',
        scale     => 1000,
        reference => $REFERENCE,
        tests     => [ map { $_->[0] } @rows ],
        baselines => { map { $_->[0] => $_->[2] } @rows },
        %more
    };
}

sub _names {
    return [ map { $_->[0] } @{ $TESTS{ $_[0] } } ];
}

sub _indexes {
    return (
        _index(modern => 'Modern', of => \@GROUPS, groups => [ map { _names($_) } @GROUPS ]),
        (
            map {
                _index(
                    "modern-$_", "Modern \u$_",
                    of      => [$_],
                    part_of => 'modern',
                    $STEADY{$_} ? (steady => 1) : ()
                )
            } @GROUPS
        ),
        _index('modern-durable', 'Modern Durable', of => ['durable'], place => 'work')
    );
}

sub _passes {
    my ($row, $copies, $begun, $faster, $rounds) = @_;
    my ($name, $figure, undef, $unit, $gain, $team) = @$row;
    my $law = $copies**(log($gain) / log 2) * $faster;
    return map { _pass($row, $copies, $begun + 20 * $_, $_, $law * exp(0.01 * _random())) } 1 .. $rounds;
}

sub _pass {
    my ($row, $copies, $at, $round, $law) = @_;
    my ($name, $figure, undef, $unit, undef, $team) = @$row;
    my $window  = exists $TAIL{$name} ? 1 : 0.5;
    my $is_time = $unit eq 's';
    my $many    = $team    ? 1              : $copies;
    my $each    = $is_time ? $figure / $law : $figure * $law * $window / $many;
    my @said    = map { _said($name, $law) } 1 .. $many;
    return {
        test     => $name,
        copies   => $copies,
        round    => $round,
        window   => $window,
        unit     => $unit,
        timebase => $is_time ? 0 : 1,
        started  => $at,
        seconds  => $window + 0.003,
        counts   => [ map { $is_time ? $said[ $_ - 1 ]{p99} : $each } 1 .. $many ],
        times    => [ ($window) x $many ],
        starts   => [ map { 1_463_594_847_824 + $_ } 1 .. $many ],
        slices   => [ map { $is_time ? undef : _slices($each, $window) } 1 .. $many ],
        $is_time ? (seen    => 'copy')                                                                  : (),
        $team    ? (team    => 1)                                                                       : (),
        $said[0] ? (figures => \@said, units => { map { $_ => 's' } grep { $said[0]{$_} } @QUANTILES }) : (),
    };
}

# What a copy says of its slowest operations.
sub _said {
    my ($name, $law)  = @_;
    my ($tail, $many) = @{ $TAIL{$name} || return }[ 1, 2 ];
    my @values = map { defined ? $_ / $law * exp(0.06 * _random()) : undef } @$tail;
    return {
        (
            map  { $QUANTILES[$_] => 0 + sprintf '%.9g', $values[$_] }
            grep { defined $values[$_] } 0 .. $#values
        ),
        $many ? (samples => $many) : ()
    };
}

# Slices of 10 ms, of which one in twelve is slow.
sub _slices {
    my ($count, $window) = @_;
    my $parts = int $window * 100;
    my @each  = map { ($_ % 12 == 7 ? 0.9 : 1) + 0.01 * _random() } 1 .. $parts;
    my $sum   = 0;
    $sum += $_ for @each;
    my $done = 0;
    return join ' ', map {
        $done += $count * $each[ $_ - 1 ] / $sum;
        sprintf '%d:%.3f', $window * 1e9 * $_ / $parts, $done
    } 1 .. $parts;
}

1;
