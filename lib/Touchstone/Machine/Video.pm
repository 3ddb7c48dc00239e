# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Video - the board or chip that draws. Facts that are not found are undef; on a machine that has a
# PCI bus and no such board they are 'none'.
package Touchstone::Machine::Video;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);

use Touchstone::Machine::Firmware;
use Touchstone::Machine::Pci;
use Touchstone::Machine::Sysfile;

my $DRM = '/sys/class/drm';
my $PCI = '/sys/bus/pci/devices';

# `pci` is what Machine::Pci::devices returns.
sub facts {
    my ($pci) = @_;
    my $board = _board($pci);
    return _on_pci($board) if $board;
    my @cards = grep { /\Acard\d{1,3}\z/a } Touchstone::Machine::Sysfile::names($DRM);
    my $chip  = first { defined $_->{video_model} } map { _on_chip($_) } @cards;
    return $chip // (@$pci && !@cards ? { map { ("video_$_" => 'none') } qw(vendor model bus memory) } : {});
}

# If there are several boards, it returns the one that showed the boot.
sub _board {
    my ($pci) = @_;
    my @boards = grep { $_->{class} =~ /\A(?:VGA|3D|Display|XGA)\b/ } @$pci;
    return (first { (Touchstone::Machine::Sysfile::line("$PCI/$_->{slot}/boot_vga") // '') eq '1' } @boards)
        // $boards[0];
}

sub _on_pci {
    my ($board) = @_;
    return {
        video_vendor => Touchstone::Machine::Firmware::name($board->{vendor}),
        video_model  => Touchstone::Machine::Firmware::name($board->{device}),
        video_bus    => Touchstone::Machine::Pci::link_of($board->{slot}) // 'PCI',
        video_memory => _memory($board->{slot}),
    };
}

# Returns the memory that the driver tells. Without that it returns the largest window on the bus, which may
# show only a part of the memory.
sub _memory {
    my ($slot)   = @_;
    my ($octets) = (Touchstone::Machine::Sysfile::line("$PCI/$slot/mem_info_vram_total") // '') =~
        /\A([1-9]\d{6,14})\z/a;
    return _megabytes($octets) if defined $octets;
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
