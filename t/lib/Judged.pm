# SPDX-License-Identifier: GPL-2.0-or-later
# Judged - judgements of invented fleets, in the structure that Touchstone::Pack::Fleet::Judge::judge returns,
# for tests of the reports on them:
#
#   my $judgement = Judged::fleet;                    40 hosts expected: one is bad, two are suspects
#   my $judgement = Judged::fleet(hosts => 1000);     the same among so many
#   my $judgement = Judged::fleet(calm => 1);         nobody is bad or suspect, nobody is missing
#   my $judgement = Judged::fleet(prefix => "\e[31m<script>");    before the name of every host
#
# The numbers are those of a seeded generator, so each call gives the same.
package Judged;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

our @TESTS =
    qw(dhry2reg whetstone-double syscall pipe context1 spawn execl fstime fsbuffer fsdisk shell1 shell8);
my %TITLE = (
    'dhry2reg'         => 'Dhrystone 2 using register variables',
    'whetstone-double' => 'Double-Precision Whetstone',
    'syscall'          => 'System Call Overhead',
    'pipe'             => 'Pipe Throughput',
    'context1'         => 'Pipe-based Context Switching',
    'spawn'            => 'Process Creation',
    'execl'            => 'Execl Throughput',
    'fstime'           => 'File Copy 1024 bufsize 2000 maxblocks',
    'fsbuffer'         => 'File Copy 256 bufsize 500 maxblocks',
    'fsdisk'           => 'File Copy 4096 bufsize 8000 maxblocks',
    'shell1'           => 'Shell Scripts (1 concurrent)',
    'shell8'           => 'Shell Scripts (8 concurrent)'
);
my $DIRECTORY = '/srv/campaigns/k68-rollout';
my %OF_CPU    = map { $_ => 1 } qw(dhry2reg whetstone-double syscall pipe context1 spawn execl shell1 shell8);
my @COPIES    = (1, 8);
my $ENDED     = 1795317005;
my $PASSPORT  = '9c1f31d07d5a64b2';

# Uniform numbers from 0 to 1 by a seed.
sub _generator {
    my ($seed) = @_;
    my $state = $seed * 7919 + 1;
    return sub { $state = ($state * 16807) % 2147483647; return $state / 2147483647 };
}

sub _normal {
    my ($uniform) = @_;
    return sum(map { $uniform->() } 1 .. 12) - 6;
}

# Returns a judgement. `hosts`: that have a record; `calm`, `prefix` and `groups` as above.
sub fleet {
    my (%is)      = (hosts => 30, @_);
    my $prefix    = $is{prefix}    // '';
    my $directory = $is{directory} // $DIRECTORY;
    my @names     = map                   { sprintf '%sweb%02d', $prefix, $_ } 1 .. $is{hosts};
    my @second    = $is{alone} ? () : map { sprintf '%sdb%d',    $prefix, $_ } 1 .. 4;
    my @groups    = (_group(1, \%is, @names), @second ? _small_group(2, @second) : ());
    my @missing   = $is{calm} ? () : ("${prefix}web98", "${prefix}db9");
    my %counts    = (bad => 0, suspect => 0, fast => 0, cleared => 0, inconclusive => 0);

    for my $host (map { @{ $_->{hosts} } } @groups) {
        $counts{ $host->{verdict} }++ if length $host->{verdict};
        $counts{fast}++               if $host->{fast};
    }
    return {
        campaign => {
            format    => 1,
            campaign  => 'k68-rollout',
            made      => $ENDED - 9000,
            seed      => 4711,
            carrier   => $is{carrier} // 'ansible',
            runs      => 1,
            retries   => 2,
            at_once   => 3,
            lease     => 1800,
            words     => [ '-c', 1, '-c', 8 ],
            of        => undef,
            programs  => {},
            hosts     => [ map { +{ name => $_, order => 1 } } @names, @second, @missing ],
            directory => $directory
        },
        directory => $directory,
        ended     => $ENDED,
        smallest  => 0.03,
        standing  => {
            expected    => @names + @second + @missing,
            received    => @names + @second,
            failed      => [ map { +{ host => $_, why => 'disk full' } } @missing[ 1 .. $#missing ] ],
            unreachable => [ map { +{ host => $_, why => 'no news' } } @missing[ 0 .. $#missing - 1 ] ],
            running     => [],
            given_up    => [],
            unexpected  => [],
            conflicts   => 0,
            refused     => []
        },
        warnings => $is{calm}
        ? []
        : [
            {
                id     => 'machine-id',
                text   => 'two names have one machine-id: a cloned image, or one machine twice',
                remedy => 'give each its own: rm /etc/machine-id; systemd-machine-id-setup',
                hosts  => [ @names[ 3, 4 ] ]
            },
            {
                id     => 'disturbed',
                text   => 'more than a tenth of the passes were disturbed',
                remedy => 'measure them again on an idle machine',
                hosts  => [ $names[10] ]
            }
        ],
        passports     => [ { passport => $PASSPORT, hosts => @names + @second, differs => [] } ],
        confirmations => $is{calm} ? [] : [ { campaign => 'k68-rollout-1', hosts => 5, received => 5 } ],
        groups        => \@groups,
        counts        => \%counts,
        status        => $is{calm} ? 0 : 1
    };
}

# Those that stand out, by their place in the list of hosts: factors of their figures, what is said of them.
my %CAST = (
    8 => {
        cpu  => 0.88,
        says => {
            verdict   => 'bad',
            signature => {
                id     => 'clock',
                text   => 'all CPU tests are 11 to 13 % slow, files as the others: its clock is lower',
                remedy => 'look at governor, temperature and power limit: cpupower frequency-info'
            },
            unique_facts => [ { thing => 'governor', its => 'powersave', others => 'performance' } ]
        }
    },
    21 => { files => 0.89, says => { verdict => 'suspect' } },
    25 => {
        cpu  => 0.955,
        says => {
            verdict      => 'suspect',
            unique_facts => [ { thing => 'microcode', its => '0x2b000461', others => '0x2b000603' } ]
        }
    },
    15 => { says => { verdict => 'cleared' } },
    28 => {
        cpu  => 1.041,
        says => { fast => 1, unique_facts => [ { thing => 'mitigations', its => 'off', others => 'on' } ] }
    },
);

sub _group {
    my ($number, $is, @names) = @_;
    my $uniform = _generator(@names + 3);
    my @hosts   = map { _host($uniform, $_, $names[$_], $is->{calm} ? undef : $CAST{$_}) } 0 .. $#names;
    my @keys    = map {
        my $copies = $_;
        map { "$copies $_" } @TESTS
    } @COPIES;
    return {
        number => $number,
        title  => 'AMD EPYC 7763, 8 CPUs, 32 GB, KVM',
        facts  => {
            model          => 'AMD EPYC 7763',
            cores          => 4,
            threads        => 2,
            memory         => '32 GB',
            virtualisation => 'kvm'
        },
        passport   => $PASSPORT,
        hosts      => [ sort { $a->{ratio} <=> $b->{ratio} || $a->{host} cmp $b->{host} } @hosts ],
        judged     => 1,
        detectable => @names < 10 ? 0.07 : 0.02,
        index   => [ { key => '8 system', title => 'System Benchmarks Index', copies => 8, median => 6412 } ],
        figures => [ map { _figure($_) } @keys ],
        variance  => _variance(1),
        plan      => _plan(),
        goes_with => $is->{calm}
        ? []
        : [
            {
                associated => ['governor'],
                part       => 0.61,
                p          => 0.001,
                values     => [
                    { text => 'powersave',   hosts => 3,          ratio => 0.941 },
                    { text => 'performance', hosts => @names - 3, ratio => 1.001 }
                ]
            },
            {
                associated => [ 'microcode', 'kernel' ],
                part       => 0.09,
                p          => 0.04,
                values     => [
                    { text => '0x2b000461, 6.1.0-38', hosts => 4,          ratio => 0.988 },
                    { text => '0x2b000603, 6.1.0-40', hosts => @names - 4, ratio => 1.001 }
                ]
            }
        ]
    };
}

sub _small_group {
    my ($number, @names) = @_;
    my $uniform = _generator(5);
    return {
        number   => $number,
        title    => 'Intel Xeon Gold 6338, 64 CPUs, 256 GB',
        facts    => { model => 'Intel Xeon Gold 6338' },
        passport => $PASSPORT,
        hosts    => [
            sort { $a->{ratio} <=> $b->{ratio} }
            map  { _host($uniform, $_, $names[$_], undef) } 0 .. $#names
        ],
        judged    => 0,
        why_not   => @names . ' hosts: fewer than 5 are not judged',
        figures   => [ map { _figure("1 $_") } @TESTS ],
        goes_with => []
    };
}

sub _host {
    my ($uniform, $place, $name, $cast) = @_;
    my $own  = 0.008 * _normal($uniform);
    my %says = %{ ($cast || {})->{says} || {} };
    my %figures;
    for my $copies (@COPIES) {
        for my $test (@TESTS) {
            my $factor = ($cast || {})->{ $OF_CPU{$test} ? 'cpu' : 'files' } // 1;
            my $ratio  = $factor * exp($own + ($OF_CPU{$test} ? 0.004 : 0.015) * _normal($uniform));
            my $half   = $OF_CPU{$test}              ? 0.009 : 0.025;
            my $far    = abs(log $ratio) > 4 * $half ? 1     : 0;
            $figures{"$copies $test"} = {
                ratio    => $ratio,
                interval => [ $ratio * (1 - $half), $ratio * (1 + $half) ],
                p        => $far                                 ? 0.0001 : 0.5,
                far      => $far && length($says{verdict} // '') ? 1      : 0
            };
        }
    }
    my $ratio = exp(sum(map { log $_->{ratio} } values %figures) / keys %figures);
    my $key   = sprintf 'k68-rollout.%016x.1', 1000 + $place;
    my $again = ($says{verdict} // '') =~ /\A(?:bad|cleared)\z/;
    return {
        host         => $name,
        host_id      => sprintf('%016x',  1000 + $place),
        slot         => sprintf('hv%02d', $place / 4),
        labels       => { rack => 'b' . $place % 4 },
        runs         => [$key],
        links        => ["runs/2026-11/$key.json"],
        ratio        => $ratio,
        interval     => [ $ratio * 0.987, $ratio * 1.013 ],
        figures      => \%figures,
        p            => length($says{verdict} // '') ? 0.0002 : 0.5,
        q            => length($says{verdict} // '') ? 0.004  : 0.9,
        verdict      => '',
        fast         => 0,
        of_day       => $again ? 0 : 1,
        unique_facts => [],
        disturbed    => $place == 10 ? 0.14 : 0.01,
        invalid      => undef,
        $again
        ? (
            confirmed => {
                campaign => 'k68-rollout-1',
                runs     => 3,
                ratio    => $ratio * 1.004,
                interval => [ $ratio * 0.99, $ratio * 1.017 ],
                figures  => {}
            }
            )
        : (),
        %says
    };
}

sub _figure {
    my ($key) = @_;
    my ($copies, $name) = split / /, $key;
    return {
        key      => $key,
        name     => $name,
        title    => $TITLE{$name},
        copies   => $copies,
        suite    => 'unixbench',
        unit     => 'lps',
        better   => 'higher',
        median   => 1000 * $copies * (3 + length $name),
        variance => _variance($OF_CPU{$name} ? 1 : 2),
        plan     => _plan()
    };
}

sub _variance {
    my ($times) = @_;
    return {
        hosts  => { sd    => 0.011 * $times, low  => 0.008 * $times, high   => 0.016 * $times },
        runs   => { sd    => 0.006 * $times, low  => 0.005 * $times, high   => 0.008 * $times },
        passes => { sd    => 0.003 * $times, low  => 0.003 * $times, high   => 0.003 * $times },
        count  => { hosts => 30,             runs => 60,             passes => 540 }
    };
}

sub _plan {
    return [
        { difference => 0.01, runs => 2, unpaired => 14, paired => 5 },
        { difference => 0.03, runs => 1, unpaired => 5,  paired => 5 }
    ];
}

1;
