# SPDX-License-Identifier: GPL-2.0-or-later
# Example - the record of a short run: two tests, one copy and two, two rounds and a warm-up, a test that was
# skipped and two that failed, one of them before the run. The second block has no end, as in a run that was
# cut off.
package Example;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;

my @LISTS = qw(blocks passes failures skipped warnings);

# Returns a fresh copy of the first part of a record.
sub head {
    return (
        tool       => { name => 'Touchstone', version => '7.0.0' },
        started    => 1795240225.8,
        utc_offset => 3600,
        status     => 'running',
        pin        => 'none',
        brief      => 0,
        host       => {
            name           => 'vm',
            os             => 'GNU/Linux',
            kernel         => 'Linux',
            release        => '6.1',
            version        => '#1 SMP',
            machine        => 'x86_64',
            platform       => 'unknown',
            uptime         => 'up 1:08',
            runlevel       => '5',
            online_cpus    => 2,
            usable_cpus    => 2,
            usable_cpu_ids => [ 0, 1 ],
            cpu_quota      => 'unknown',
            cpus           => [
                map { { id => $_, model => 'Xeon', bogomips => '5400.00', flags => [ 'MMX', 'x86-64' ] } } 0,
                1
            ]
        },
        build => {
            compiler          => 'cc',
            compiler_version  => 'cc 12',
            flags_unixbench   => '-O3',
            measured_compiler => { command => 'cc', version => 'cc 12' }
        },
        locale   => { name => 'C', charmap => 'ANSI_X3.4-1968', collate => 'ANSI_X3.4-1968' },
        schedule => { kind => 'default', seed => 4711, rounds => 2, iterations => undef },
        tests    => [
            {
                name     => 'pipe',
                title    => 'Pipe Throughput',
                category => 'system',
                suite    => 'unixbench',
                baseline => 12440
            },
            {
                name     => 'hanoi',
                title    => 'Recursion Test -- Tower of Hanoi',
                category => 'misc',
                suite    => 'unixbench',
                baseline => undef
            }
        ],
        categories => [
            { key => 'system', title => 'System Benchmarks',    index => [qw(pipe syscall)] },
            { key => 'misc',   title => 'Non-Index Benchmarks', index => [] }
        ],
    );
}

sub _pass {
    my ($test, $round, @counts) = @_;
    return {
        test     => $test,
        copies   => scalar @counts,
        round    => $round,
        window   => 1,
        timebase => 1,
        unit     => 'lps',
        started  => 1795240226.5,
        seconds  => 1.02,
        command  => "pgms/$test 1",
        output   => "a line\n",
        cpus     => [ map { "$_" } 1 .. @counts ],
        counts   => [@counts],
        times    => [ map { 1 + $_ / 1e6 } 1 .. @counts ],
        user     => [ map { 0.2 } @counts ],
        sys      => [ map { 0.7 } @counts ],
        starts   => [ map { 1463594847824 + $_ } @counts ],
        slices   => [
            map {
                join ' ',
                    map { "${_}02479647:${_}52368" }
                    1 .. 9
            } @counts
        ],
    };
}

# Returns what happens during the run, in order: [list, entry].
sub events {
    my @events = (
        [
            failures => { test => 'grep', why => "the program 'grep' is missing", remedy => 'make builds it' }
        ],
        [ skipped  => { test => 'dc', why => "'dc' is not installed", remedy => 'install the package dc' } ],
        [ warnings => { id   => 'load', text => 'other processes were running', remedy => 'stop them' } ],
    );
    for my $copies (1, 2) {
        push @events,
            [
            blocks => { copies => $copies, started => 1795240226, $copies == 1 ? (ended => 1795240230) : () }
            ];
        for my $round (0 .. 2) {
            push @events, map {
                [ passes => _pass($_, $round, map { 3481930 + $_ } 1 .. $copies) ]
            } qw(pipe hanoi);
        }
    }
    return (
        @events,
        [
            failures => {
                test   => 'C',
                copies => 2,
                why    => 'copy 1 of 2: exit status 1',
                output => "cc: error\nno \"input\"\n"
            }
        ]
    );
}

# Return the same run as a finished record, and as the text of a journal.
sub record {
    my %record = (head(), format => 2, name => 'vm-01', map { $_ => [] } @LISTS);
    push @{ $record{ $_->[0] } }, $_->[1] for events();
    return \%record;
}

sub journal {
    my %empty = (head(), format => 2, name => 'vm-01', map { $_ => [] } @LISTS);
    return join '', map { Touchstone::Record::Json::encode_line($_) . "\n" } { record => \%empty }, map {
        { @$_ }
    } events();
}

1;
