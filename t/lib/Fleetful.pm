# SPDX-License-Identifier: GPL-2.0-or-later
# Fleetful - the directory of a campaign with the records of many hosts, whose speeds are known. All numbers
# follow from a seed.
#
#   my $fleet = Fleetful::campaign($directory,
#       hosts   => 30,                      their names are web1 ... web30; or a list of names
#       runs    => 2,                       records of each host; 1
#       seed    => 4711,
#       between => 0.01,                    the standard deviation between hosts, of the logarithm; 0.01
#       within  => 0.005,                   between runs of a host, apart for each figure; 0.01
#       noise   => 0.004,                   between passes of a run; 0.004
#       effect  => { web3 => -0.05 },       what is added to the logarithm of the speeds of a host: a number,
#                                           or a hash by figure ('4 pipe'), test ('pipe') or copies (4); `*`:
#                                           all others. A sub of (host, run, figure) does it too
#       host    => { web3 => { cpu_quota => 0.85 } },      facts; of all: '*'. A sub of the name, too.
#                                           One that is undef is left out
#       build   => { '*' => { ... } },
#       campaign => { web3 => { slot => 'hv07', labels => { rack => 'b4' }, machine => ... } },
#       record  => { web3 => { passport => '...', warnings => [...], failures => [...], status => ... } },
#       id      => 'k68',
#       tests   => [qw(dhry2reg pipe)],     those of UnixBench's index
#       copies  => [1, 4],
#       passes  => 6,
#       scores  => { pipe => { score => 1.8e6, baseline => 12440, unit => 'lps', timebase => 1 } },
#                                           of one copy of a test, instead of numbers that mean nothing
#       missing => [ 'web4' ],              expected, but without a record
#       plain   => 1,                       no manifest, and records without a campaign, as of old
#       gz      => 1);
#
#   $fleet->{hosts}, $fleet->{files}, $fleet->{manifest}
#
# A record is the text of one, in which the figures are replaced: a thousand take some seconds. Its passes
# say what its results say.
package Fleetful;
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use File::Basename qw(dirname);
use File::Path qw(make_path);
use List::Util qw(sum);
use lib dirname(__FILE__);
use Runs;
use Scored;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;
use Touchstone::Suite;

# 22 November 2026.
my $BEGIN  = 1795305600;
my $LASTS  = 300;
my $MEDIUM = 1_000_000;

my %HOST = (
    uptime           => 'up',
    runlevel         => '5',
    platform         => 'unknown',
    name             => 'vm',
    os               => 'GNU/Linux',
    kernel           => 'Linux',
    release          => '6.8.0-31-generic',
    version          => '#31 SMP',
    machine          => 'x86_64',
    online_cpus      => 8,
    usable_cpus      => 8,
    usable_cpu_ids   => [ 0 .. 7 ],
    sockets          => 1,
    cores            => 4,
    threads          => 8,
    threads_per_core => 2,
    vendor           => 'AuthenticAMD',
    memory_kb        => 32_803_412,
    virtualisation   => 'kvm',
    microcode        => '0xa0011d1',
    governor         => 'performance',
    smt              => 'on',
    boost            => 'on',
    mitigations      => 'default',
    clock_source     => 'kvm-clock',
    file_system      => 'ext4',
    mount_options    => 'rw,relatime',
    device           => '/dev/vda',
    container        => 'none',
    seccomp          => 'none',
    cpu_quota        => 'none',
    cmdline          => 'root=/dev/vda ro',
    preemption       => 'voluntary',
    scheduler        => 'eevdf',
    caches           => 'L1d 32K, L1i 32K, L2 512K, L3 32M',
    numa_nodes       => 1,
    swap_kb          => 0,
    huge_pages       => 'madvise',
    power            => 'unknown',
    idle_governor    => 'menu',
    debug_kernel     => 'none',
    aslr             => 'full',
    limits           => 'processes 15000, open files 1024',
    cpus             => [
        map {
            {
                id       => $_,
                model    => 'AMD EPYC 7763 64-Core Processor',
                bogomips => '4890.00',
                flags    => ['x86-64']
            }
        } 0 .. 7
    ]
);
my %BUILD    = (libc => 'glibc 2.36', linker => 'GNU ld 2.40', flags_user => '');
my $PASSPORT = '8ecfc1543f0b' . '0' x 52;

# The members of a record that differ between hosts.
my @OWN =
    qw(build campaign ended failures host name passport skipped started status warnings valid why_not_valid);

sub campaign {
    my ($directory, %with) = @_;
    my %fleet = (directory => $directory, files => [], id => $with{id} // 'k68');
    $fleet{hosts}    = ref $with{hosts} ? $with{hosts} : [ map { "web$_" } 1 .. $with{hosts} ];
    $fleet{manifest} = _manifest(\%fleet, %with) if !$with{plain};
    my $base    = _base(%with);
    my $random  = Touchstone::Base::Random::generator($with{seed} // 1);
    my %missing = map { $_ => 1 } @{ $with{missing} || [] };
    my $number  = 0;

    for my $host (@{ $fleet{hosts} }) {
        my $speed = ($with{between} // 0.01) * normal($random);
        $number++;
        for my $run (1 .. $with{runs} // 1) {
            my %shift = map {
                $_ => $speed + ($with{within} // 0.01) * normal($random) +
                    effect($with{effect}, $host, $run, $_)
            } @{ $base->{keys} };
            next if $missing{$host};
            my $own = _own(\%fleet, \%with, $host, $number, $run);
            push @{ $fleet{files} }, _written(\%fleet, \%with, $own, _text($base, \%shift, $own));
        }
    }
    return \%fleet;
}

sub _manifest {
    my ($fleet, %with) = @_;
    my $order = 0;
    my @hosts = map {
        my $said = _of($with{campaign}, $_);
        +{ name => $_, order => ++$order, slot => $said->{slot}, labels => $said->{labels} || {} }
    } @{ $fleet->{hosts} };
    return Touchstone::Pack::Fleet::Campaign::write(
        $fleet->{directory},
        {
            format   => 1,
            campaign => $fleet->{id},
            made     => $BEGIN,
            seed     => $with{seed} // 1,
            carrier  => 'ssh',
            runs     => $with{runs} // 1,
            retries  => 2,
            at_once  => 3,
            lease    => 1800,
            words    => [],
            programs => {},
            of       => $with{of},
            hosts    => \@hosts
        }
    );
}

# What a hash by host, or a sub of the host, says of a host.
sub _of {
    my ($said, $host) = @_;
    return $said->($host) || {} if ref $said eq 'CODE';
    return { %{ ($said || {})->{'*'} || {} }, %{ ($said || {})->{$host} || {} } };
}

# What is added to the logarithm of a speed.
sub effect {
    my ($effect, $host, $run, $key) = @_;
    return $effect->($host, $run, $key) // 0 if ref $effect eq 'CODE';
    my $of = ($effect || {})->{$host} // return 0;
    return $of if !ref $of;
    my ($copies, $test) = split / /, $key, 2;
    return $of->{$key} // $of->{$test} // $of->{$copies} // $of->{'*'} // 0;
}

# The members of the record of a run that are its own.
sub _own {
    my ($fleet, $with, $host, $number, $run) = @_;
    my $machine_id = substr Digest::SHA::sha256_hex("machine of $host"), 0, 32;
    my $started    = $BEGIN + $LASTS * ($number + @{ $fleet->{hosts} } * ($run - 1));
    my %campaign   = (
        id      => $fleet->{id},
        host    => $host,
        host_id => Touchstone::Record::Campaign::host_id($machine_id, $host),
        machine => Touchstone::Record::Campaign::machine($machine_id),
        attempt => $run,
        carrier => 'ssh',
        order   => $number,
        seed    => $with->{seed} // 1,
        labels  => {},
        %{ _of($with->{campaign}, $host) }
    );
    my %facts = (%HOST, name => $host, %{ _of($with->{host}, $host) });
    return {
        host  => { map { $_ => $facts{$_} } grep { defined $facts{$_} } keys %facts },
        build => {
            %BUILD,
            compiler         => 'cc',
            compiler_version => 'cc 12',
            flags_unixbench  => '-O3',
            %{ _of($with->{build}, $host) }
        },
        passport => $PASSPORT,
        status   => 'complete',
        started  => $started,
        ended    => $started + $LASTS,
        (map { $_ => [] } qw(failures skipped warnings)),
        valid         => 1,
        why_not_valid => undef,
        name          => $with->{plain}
        ? sprintf('%s-2026-11-22-%02d', $host =~ s/[^\w-]/_/gr, $run)
        : Touchstone::Record::Campaign::name(\%campaign),
        $with->{plain} ? () : (campaign => \%campaign),
        %{ _of($with->{record}, $host) }
    };
}

# The text of a record without what is a run's own: its members, each as pieces between figures, and the
# figures as [ keys of what they belong to, value, 1 or -1 ].
sub _base {
    my (%with) = @_;
    my @counts = @{ $with{copies} || [ 1, 4 ] };
    my @rows   = _rows($with{tests});
    my $record = _record(\@rows, \@counts, %with);
    my $data   = Scored::document($record);
    my @figures;
    delete @$data{@OWN};
    _mark_passes($data, \@figures);
    _mark_results($_, \@figures) for @{ $data->{results} };
    my %members;

    for my $name (keys %$data) {
        my ($text) = Touchstone::Record::Json::encode({ $name => $data->{$name} }) =~ /\A\{\n(.*)\n\}\n\z/s;
        $members{$name} = [ split /"@@(\d+)@@"/, $text, -1 ];
    }
    my @keys = map {
        my $copies = $_;
        map { "$copies $_->{name}" } @rows
    } @counts;
    return { members => \%members, figures => \@figures, keys => \@keys };
}

sub _rows {
    my ($names) = @_;
    my $suite = Touchstone::Suite::load();
    return $suite->expand($names ? @$names : $suite->default->{group});
}

sub _record {
    my ($rows, $counts, %with) = @_;
    my $step = ($with{noise} // 0.004) / sqrt 3.5;
    my $many = $with{passes} // @Runs::STEPS;
    my (%rates, %category);
    for my $i (0 .. $#$rows) {
        push @{ $category{ $rows->[$i]{category} } }, $rows->[$i]{name} if $rows->[$i]{index};
        for my $copies (@$counts) {
            my $score = ($with{scores}{ $rows->[$i]{name} } || {})->{score} // $MEDIUM * (1 + $i);
            my @rates = Runs::steady($score * $copies**0.8, $step);
            $rates{"$copies $rows->[$i]{name}"} = [ map { $rates[ $_ % @rates ] } 0 .. $many - 1 ];
        }
    }
    my $record = Runs::record(
        'base',
        \%rates,
        tests => [
            map {
                my $row = $_;
                +{
                    baseline => ($with{scores}{ $row->{name} } || {})->{baseline} // 100,
                    map { $_ => $row->{$_} } qw(name title category suite version)
                }
            } @$rows
        ],
        categories => [
            map {
                +{
                    key   => $_,
                    title => $_ eq 'system' ? 'System Benchmarks' : "Index of $_",
                    index => $category{$_}
                }
            } sort keys %category
        ],
        suites => { map { $_->{suite} => 1 } @$rows },
    );
    my %lower = map { $_->{name} => 1 } grep { $_->{better} eq 'lower' } @$rows;
    for my $pass (grep { $lower{ $_->{test} } } @{ $record->{passes} }) {
        @$pass{qw(unit timebase counts)} = ('s', 0, [ map { 1e6 / $_ } @{ $pass->{counts} } ]);
    }
    $_->{better} = 'lower' for grep { $lower{ $_->{name} } } @{ $record->{tests} };
    for my $pass (@{ $record->{passes} }) {
        my $is = $with{scores}{ $pass->{test} } or next;
        @$pass{qw(unit timebase)} = @$is{qw(unit timebase)};
        $pass->{counts} = [ map { $_ / ($is->{timebase} || 1) } @{ $pass->{counts} } ];
    }
    return $record;
}

sub _mark_passes {
    my ($data, $figures) = @_;
    for my $pass (@{ $data->{passes} }) {
        my $sign = $pass->{unit} eq 's' ? -1 : 1;
        _mark($figures, ["$pass->{copies} $pass->{test}"], $sign, $pass, qw(counts rate rates));
    }
    return;
}

sub _mark_results {
    my ($block, $figures) = @_;
    for my $test (@{ $block->{tests} }) {
        my $keys = ["$block->{copies} $test->{name}"];
        my $sign = $test->{better} eq 'lower' ? -1 : 1;
        _mark(
            $figures, $keys, $sign, $test,
            qw(score clean_score rates interval),
            keys %{ (Touchstone::Suite::derived())->{ $test->{name} } || {} }
        );
        _mark($figures, $keys, 1, $test, qw(index index_interval));
    }
    for my $index (@{ $block->{indexes} }) {
        _mark($figures, [ map { "$block->{copies} $_" } @{ $index->{tests} } ],
            1, $index, qw(score clean_score interval));
    }
    return;
}

# Puts marks in the places of figures.
sub _mark {
    my ($figures, $keys, $sign, $of, @names) = @_;
    my $mark = sub {
        return undef if !defined $_[0];
        push @$figures, [ $keys, $_[0], $sign ];
        return '@@' . $#$figures . '@@';
    };
    for my $name (@names) {
        my $value = $of->{$name};
        $of->{$name} = ref $value ? [ map { $mark->($_) } @$value ] : $mark->($value);
    }
    return;
}

# The text of a record whose speeds are shifted.
sub _text {
    my ($base, $shift, $own) = @_;
    my %factor;
    my @texts;
    my %members = map { $_ => 1 } keys %{ $base->{members} }, keys %$own;
    for my $name (sort keys %members) {
        my @pieces = @{ exists $own->{$name} ? [] : $base->{members}{$name} };
        for my $i (grep { $_ % 2 } 0 .. $#pieces) {
            my ($keys, $value, $sign) = @{ $base->{figures}[ $pieces[$i] ] };
            my $factor = $factor{"@$keys"} //= exp(sum(@$shift{@$keys}) / @$keys);
            $pieces[$i] = $sign > 0 ? $value * $factor : $value / $factor;
        }
        push @texts,
            exists $own->{$name}
            ? Touchstone::Record::Json::encode({ $name => $own->{$name} }) =~ s/\A\{\n|\n\}\n\z//gr
            : join '', @pieces;
    }
    return "{\n" . join(",\n", @texts) . "\n}\n";
}

# Returns the name of the file in the directory.
sub _written {
    my ($fleet, $with, $own, $text) = @_;
    my $folder =
          $with->{plain}
        ? $fleet->{directory}
        : Touchstone::Pack::Fleet::Campaign::folder_of($fleet->{directory}, $own->{started});
    make_path($folder);
    my $file = "$folder/$own->{name}.json";
    if ($with->{gz}) {
        require IO::Compress::Gzip;
        my $packed;
        IO::Compress::Gzip::gzip(\$text, \$packed, -Level => 1, Minimal => 1)
            or die "cannot pack: $IO::Compress::Gzip::GzipError\n";
        ($file, $text) = ("$file.gz", $packed);
    }
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return substr $file, 1 + length $fleet->{directory};
}

1;
