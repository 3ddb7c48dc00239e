# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Resources - memory, limits, load and power: what a run has at its disposal. Facts that are not found are undef.
package Touchstone::Machine::Resources;
use 5.014;
use strict;
use warnings;

use Touchstone::Sysfile;

my $SUPPLIES = '/sys/class/power_supply';
my @LIMITS   = (
    [ 'Max processes' => 'processes' ], [ 'Max open files' => 'open files' ], [ 'Max stack size' => 'stack' ], [ 'Max locked memory' => 'locked memory' ],
);

sub facts {
    my %kb = (Touchstone::Sysfile::text('/proc/meminfo') // '') =~ /^(\w+):[ \t]+(\d{1,15})\b/mga;
    my ($load) = (Touchstone::Sysfile::text('/proc/loadavg') // '') =~ /\A(\d{1,6}\.\d{1,3}) /a;
    return {
        memory_kb => $kb{MemTotal}, swap_kb => $kb{SwapTotal}, huge_pages => _huge_pages(\%kb), limits => _limits(), load => $load, power => _power(),
    };
}

# 'transparent: madvise; 0 of 2048 kB'
sub _huge_pages {
    my ($kb) = @_;
    my ($mode) = (Touchstone::Sysfile::text('/sys/kernel/mm/transparent_hugepage/enabled') // '') =~ /\[(\w+)\]/a;
    my @parts;
    push @parts, "transparent: $mode" if defined $mode;
    push @parts, "$kb->{HugePages_Total} of $kb->{Hugepagesize} kB" if defined $kb->{HugePages_Total} && defined $kb->{Hugepagesize};
    return @parts ? join('; ', @parts) : undef;
}

# 'processes 12345, open files 1024, stack 8 MB, locked memory 64 KB': those that apply, which users may raise up to others.
sub _limits {
    my $text = Touchstone::Sysfile::text('/proc/self/limits') // '';
    my @parts;
    for my $limit (@LIMITS) {
        my ($line, $name) = @$limit;
        my ($value, $unit) = $text =~ /^\Q$line\E +(unlimited|\d{1,20}) +(?:unlimited|\d+) +(\w+)/ma or next;
        push @parts, "$name " . ($unit eq 'bytes' ? _size($value) : $value);
    }
    return @parts ? join(', ', @parts) : undef;
}

sub _size {
    my ($bytes) = @_;
    return $bytes if $bytes eq 'unlimited';
    for my $unit ([ GB => 1 << 30 ], [ MB => 1 << 20 ], [ KB => 1 << 10 ]) {
        return $bytes / $unit->[1] . " $unit->[0]" if $bytes > 0 && $bytes % $unit->[1] == 0;
    }
    return "$bytes bytes";
}

# A supply that is plugged in decides; the words of the battery count where there is none. USB sockets say "online" for many reasons.
sub _power {
    my (%online, %status);
    for my $name (Touchstone::Sysfile::names($SUPPLIES)) {
        my ($type, $scope, $online, $status) = map { Touchstone::Sysfile::line("$SUPPLIES/$name/$_") // '' } qw(type scope online status);
        # The battery of a mouse.
        next if $scope eq 'Device';
        $online{$type} = 1 if $online eq '1';
        $status{$status} = 1 if $type eq 'Battery';
        $status{absent} = 1 if $type eq 'Mains' && $online eq '0';
    }
    return 'mains' if $online{Mains};
    return 'battery' if $status{Discharging};
    return 'mains' if $online{USB} || grep { $status{$_} } 'Charging', 'Full', 'Not charging';
    return %status && $status{absent} && keys %status > 1 ? 'battery' : undef;
}

1;
