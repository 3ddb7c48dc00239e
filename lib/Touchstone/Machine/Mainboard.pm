# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Mainboard - the motherboard, its buses, memory modules and video board, and the clock of the CPUs.
# Facts that are not found are undef.
package Touchstone::Machine::Mainboard;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);

use Touchstone::Machine::Firmware;
use Touchstone::Machine::Pci;
use Touchstone::Machine::Sysfile;

my $SYS  = '/sys/devices/system/cpu';
my $TREE = '/proc/device-tree';

# The firmware's tables have these type numbers.
my ($PROCESSOR, $CACHE, $MEMORY) = (4, 7, 17);

# No board has more kinds of memory module than this, or more than twice as many kinds of cache: a longer
# list would tell nothing.
my $MOST_KINDS = 4;

# `pci` is what Machine::Pci::devices returns.
sub facts {
    my ($cpus, $cpuinfo, $pci) = @_;
    my $first = $cpus->{online}[0];
    my %table;
    push @{ $table{ $_->{type} } }, $_ for Touchstone::Machine::Firmware::tables();
    my ($vendor, $model) = _board();
    return {
        board_vendor => $vendor,
        board_model  => $model,
        chipset      => _chipset($pci),
        bus_type     => Touchstone::Machine::Pci::bus(),
        bus_clock    => (
            first { defined }
                map { Touchstone::Machine::Firmware::name($_->{'External Clock'}) }
                @{ $table{$PROCESSOR} || [] }
        ),
        core_clock => _core_clock($first, $cpuinfo),
        cache_type => _cache_type(@{ $table{$CACHE} || [] }) // _cache_ways("$SYS/cpu$first/cache"),
        _memory(@{ $table{$MEMORY} || [] }),
        %{ _video($pci) }
    };
}

# Returns the board's maker and name; if the firmware does not tell them, those of the whole machine.
sub _board {
    for my $names ([qw(board_vendor board_name)], [qw(sys_vendor product_name)]) {
        my @facts = map { Touchstone::Machine::Firmware::identity($_) } @$names;
        return @facts if grep { defined } @facts;
    }
    my ($vendor) = (Touchstone::Machine::Sysfile::text("$TREE/compatible") // '') =~ /\A([^,\0]{1,40}),/;
    return map { Touchstone::Machine::Firmware::name($_) } $vendor,
        Touchstone::Machine::Sysfile::text("$TREE/model");
}

# Returns 'Intel Corporation 440FX - 82441FX PMC [Natoma] (host bridge), 82371SB PIIX3 ISA [Natoma/Triton II]
# (ISA bridge)'; for a board with a device tree its chip, 'brcm,bcm2711'.
sub _chipset {
    my ($pci) = @_;
    my $maker = '';
    my @parts;
    for my $kind ('Host bridge', 'ISA bridge') {
        my $bridge = Touchstone::Machine::Pci::of_class($pci, qr/\A\Q$kind\E/) or next;
        my $vendor = Touchstone::Machine::Firmware::name($bridge->{vendor}) // '';
        my $device = Touchstone::Machine::Firmware::name($bridge->{device}) // next;
        push @parts,
            (length $vendor && $vendor ne $maker ? "$vendor " : '') . "$device (" . lcfirst($kind) =~
            s/iSA/ISA/r . ')';
        $maker = $vendor;
    }
    return join ', ', @parts if @parts;
    my @compatible = split /\0/, Touchstone::Machine::Sysfile::text("$TREE/compatible") // '';
    return Touchstone::Machine::Firmware::name($compatible[-1]);
}

# Returns '2400 MHz (base), 4700 MHz (maximum)', or the present clock where these are not told.
sub _core_clock {
    my ($cpu, $cpuinfo) = @_;
    my @known;
    for my $file ([ base_frequency => 'base' ], [ cpuinfo_max_freq => 'maximum' ]) {
        my ($khz) =
            (Touchstone::Machine::Sysfile::line("$SYS/cpu$cpu/cpufreq/$file->[0]") // '') =~
            /\A([1-9]\d{3,9})\z/a
            or next;
        push @known, sprintf '%.0f MHz (%s)', $khz / 1000, $file->[1];
    }
    return join ', ', @known if @known;
    my ($mhz) =
        $cpuinfo =~ /^(?:cpu MHz(?: dynamic)?|clock)[ \t]*:[ \t]*(\d{1,6}(?:\.\d{1,9})?)(?:MHz)?[ \t]*$/ma
        or return undef;
    return sprintf '%.0f MHz (when asked)', $mhz;
}

# Returns 'L1 write back, 8-way; L2 write back, 4-way, synchronous, 5 ns'.
sub _cache_type {
    my (@tables) = @_;
    my %letter = (Data => 'd', Instruction => 'i');
    my (%seen, @kinds);
    for my $table (@tables) {
        my ($level) = ($table->{Configuration} // '') =~ /\AEnabled.*\bLevel (\d)/a or next;
        my ($ways)  = ($table->{Associativity} // '') =~ /\A(\d{1,3}-way|Direct Mapped|Fully Associative)/ai;
        my @words =
            grep { defined } map { Touchstone::Machine::Firmware::name($_) } $table->{'Operational Mode'},
            $ways, @$table{ 'Installed SRAM Type', 'Speed' };
        next if !@words || ($table->{'Operational Mode'} // '') =~ /Varies/ && @words == 1;
        my $kind =
              "L$level"
            . ($letter{ $table->{'System Type'} // '' } // '') . ' '
            . join(', ', map { m{\A[A-Z][a-z]} ? lc : $_ } @words);
        push @kinds, $kind if !$seen{$kind}++;
    }
    return @kinds && @kinds <= 2 * $MOST_KINDS ? join('; ', sort @kinds) : undef;
}

# Returns 'L1d 8-way, L1i 8-way, L2 16-way; lines of 64 bytes', which every user may read from the kernel.
sub _cache_ways {
    my ($directory) = @_;
    my %letter = (Data => 'd', Instruction => 'i');
    my (@kinds, $line);
    for my $index (grep { /\Aindex\d\z/a } Touchstone::Machine::Sysfile::names($directory)) {
        my ($level, $type, $ways, $bytes) =
            map { Touchstone::Machine::Sysfile::line("$directory/$index/$_") // '' }
            qw(level type ways_of_associativity coherency_line_size);
        next if $level !~ /\A\d\z/a || $ways !~ /\A[1-9]\d{0,2}\z/a;
        push @kinds, "L$level" . ($letter{$type} // '') . " $ways-way";
        $line //= $bytes if $bytes =~ /\A[1-9]\d{0,3}\z/a;
    }
    return @kinds ? join(', ', sort @kinds) . (defined $line ? "; lines of $line bytes" : '') : undef;
}

# Returns memory_type 'DDR4', memory_speed '2400 MT/s (modules of 2666 MT/s)', memory_modules '2 x 16 GB'.
sub _memory {
    my @modules = grep { ($_->{Size} // '') =~ /\A[1-9]\d{0,8} [kMGT]B\z/a } @_;
    my (%size, %type, %speed);
    for my $module (@modules) {
        my ($type, $rated, @set) = map { Touchstone::Machine::Firmware::name($_) }
            @$module{ 'Type', 'Speed', 'Configured Memory Speed', 'Configured Clock Speed' };
        my $set = first { defined } @set, $rated;
        $size{ $module->{Size} }++;
        $type{$type}++ if defined $type;
        $speed{
            $set
                . (
                       defined $rated
                    && $rated ne $set
                    && $rated =~ s/MHz\z/MT\/s/r ne $set =~ s/MHz\z/MT\/s/r ? " (modules of $rated)" : ''
                )
            }++
            if defined $set;
    }
    return (
        memory_type    => _kinds(%type),
        memory_speed   => _kinds(%speed),
        memory_modules => _kinds(map { ("$size{$_} x $_" => 1) } keys %size)
    );
}

sub _kinds {
    my (%kinds) = @_;
    my @kinds = sort keys %kinds;
    return @kinds && @kinds <= $MOST_KINDS ? join(', ', @kinds) : undef;
}

# The board or chip that draws has facts that are undef where they are not found; on a machine that has a
# PCI bus and no such board they are 'none'.

my $DRM         = '/sys/class/drm';
my $PCI_DEVICES = '/sys/bus/pci/devices';

# `pci` is what Machine::Pci::devices returns.
sub _video {
    my ($pci) = @_;
    my $board = _video_board($pci);
    return _on_pci($board) if $board;
    my @cards = grep { /\Acard\d{1,3}\z/a } Touchstone::Machine::Sysfile::names($DRM);
    my $chip  = first { defined $_->{video_model} } map { _on_chip($_) } @cards;
    return $chip // (@$pci && !@cards ? { map { ("video_$_" => 'none') } qw(vendor model bus memory) } : {});
}

# If there are several boards, it returns the one that showed the boot.
sub _video_board {
    my ($pci) = @_;
    my @boards = grep { $_->{class} =~ /\A(?:VGA|3D|Display|XGA)\b/ } @$pci;
    return (first { (Touchstone::Machine::Sysfile::line("$PCI_DEVICES/$_->{slot}/boot_vga") // '') eq '1' }
            @boards) // $boards[0];
}

sub _on_pci {
    my ($board) = @_;
    return {
        video_vendor => Touchstone::Machine::Firmware::name($board->{vendor}),
        video_model  => Touchstone::Machine::Firmware::name($board->{device}),
        video_bus    => Touchstone::Machine::Pci::link_of($board->{slot}) // 'PCI',
        video_memory => _video_memory($board->{slot}),
    };
}

# Returns the memory that the driver tells. Without that it returns the largest window on the bus, which may
# show only a part of the memory.
sub _video_memory {
    my ($slot)  = @_;
    my ($bytes) = (Touchstone::Machine::Sysfile::line("$PCI_DEVICES/$slot/mem_info_vram_total") // '') =~
        /\A([1-9]\d{6,14})\z/a;
    return _megabytes($bytes) if defined $bytes;
    my $window = Touchstone::Machine::Pci::largest_window($slot) // 0;
    return $window >= 2**20 ? _megabytes($window) . ' (the largest window)' : undef;
}

sub _megabytes { return sprintf '%.0f MB', $_[0] / 2**20 }

# A board with a device tree names its chip in a line like 'OF_COMPATIBLE_0=brcm,bcm2711-vc5'.
sub _on_chip {
    my ($card) = @_;
    my ($vendor, $model) =
        (Touchstone::Machine::Sysfile::text("$DRM/$card/device/uevent") // '') =~
        /^OF_COMPATIBLE_0=([^,\n]{1,40}),(.{1,80})$/m
        or return {};
    return {
        video_vendor => Touchstone::Machine::Firmware::name($vendor),
        video_model  => Touchstone::Machine::Firmware::name($model),
        video_bus    => 'on the chip'
    };
}

1;
