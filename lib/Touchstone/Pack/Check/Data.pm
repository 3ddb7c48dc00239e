# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Data - a check for programs: its own JSON and rows, and the keys of the JSON that readers of
# YABS know. docs/check.md has both.
package Touchstone::Pack::Check::Data;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Time qw(date);
use Touchstone::Record::Json;

my @COLUMNS = qw(key label value unit low high precision passes reference);

sub rows {
    my ($result) = @_;
    return (
        \@COLUMNS,
        map {
            my $figure = _figure($_);
            [ map { $_ // '' } @$figure{@COLUMNS} ]
        } @{ $result->{figures} }
    );
}

sub data {
    my ($result) = @_;
    my %machine = %{ $result->{facts} };
    return {
        check         => $result->{version},
        run           => $result->{name},
        tool          => { name => 'Touchstone', version => $result->{tool} },
        started       => $result->{started},
        seconds       => $result->{seconds},
        cpus          => $result->{cpus},
        valid         => defined $result->{invalid} ? 0 : 1,
        why_not_valid => $result->{invalid},
        machine       => { map { $_ => $machine{$_} } grep { defined $machine{$_} } keys %machine },
        figures       => [ map { _figure($_) } @{ $result->{figures} } ],
        missing       => $result->{missing},
        probes        => $result->{probes},
        verdicts      => [ map { $_->{text} } @{ $result->{verdicts} } ],
        taken         => $result->{taken},
        place         => $result->{place},
        quote         => $result->{quote}
    };
}

sub _figure {
    my ($figure) = @_;
    my ($low, $high) = @{ $figure->{interval} || [] };
    return {
        low  => $low,
        high => $high,
        map { $_ => $figure->{$_} } qw(key label value unit precision passes reference)
    };
}

my %ARCH = (x86_64 => 'x64', amd64 => 'x64', aarch64 => 'aarch64', arm64 => 'aarch64', riscv64 => 'riscv64');

# bs of a row, the figures of its reads and writes, and the bytes of a block.
my @FIO = ([ '4k', 'random-32', undef, 4096 ], [ '1m', 'disk-read', 'disk-write', 2**20 ]);

# The form of YABS has no place for intervals and warnings; `valid` is ours.
sub yabs {
    my ($result) = @_;
    my %machine  = %{ $result->{facts} };
    my %value    = map { $_->{key} => $_->{value} } @{ $result->{figures} };
    my $started  = $result->{started};
    my $arch     = $machine{architecture} // '';
    return Touchstone::Record::Json::encode(
        {
            version => "touchstone-check-$result->{version}",
            valid   => defined $result->{invalid} ? 0 : 1,
            time    => date('%Y%m%d-%H%M%S', $started, $result->{utc_offset}),
            os      => {
                arch   => $ARCH{$arch} // $arch,
                distro => $machine{distribution},
                kernel => ($machine{kernel} // '') =~ s/\A\S+ //r,
                vm     => $machine{hypervisor} // 'NONE'
            },
            cpu => { model => $machine{model}, cores => $result->{cpus}, freq => undef },
            mem => {
                ram        => $machine{memory_kb},
                ram_units  => 'KiB',
                swap       => $machine{swap_kb},
                swap_units => 'KiB'
            },
            partition => $machine{device},
            fio       => [ map { _fio(\%value, @$_) } @FIO ],
            geekbench => [ _cpu($result, \%value) ],
            runtime   => {
                start   => $started,
                end     => defined $result->{seconds} ? $started + $result->{seconds} : undef,
                elapsed => $result->{seconds}
            }
        }
    );
}

# The index of the check, whose name stands where Geekbench has its version. With one CPU both are the same.
sub _cpu {
    my ($result, $value) = @_;
    my $one    = $value->{'cpu-1'};
    my $all    = $result->{cpus} > 1 ? $value->{'cpu-all'} : $one;
    my @scores = map { defined $_ ? int($_ + 0.5) : undef } $one, $all;
    return if !grep { defined } @scores;
    return {
        version => "touchstone-check-$result->{version}",
        single  => $scores[0],
        multi   => $scores[1],
        url     => undef
    };
}

# Speeds are in KB per second. A row without a figure is left out.
sub _fio {
    my ($value, $block, $read, $write, $bytes) = @_;
    my %row;
    for my $way ([ r => $read ], [ w => $write ]) {
        my ($letter, $key) = @$way;
        my $figure = defined $key       ? $value->{$key} // next : next;
        my $speed  = $key =~ /\Arandom/ ? $figure * $bytes       : $figure * 1e6;
        $row{"speed_$letter"} = int($speed / 1e3 + 0.5);
        $row{"iops_$letter"}  = int($speed / $bytes + 0.5);
    }
    return %row ? { bs => $block, %row, speed_units => 'KBps' } : ();
}

1;
