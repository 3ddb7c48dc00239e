# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Pci - the devices on the PCI bus, by lspci -mm, and how they are attached. A line of lspci:
#
#   00:02.0 "VGA compatible controller" "Intel Corporation" "UHD Graphics 630" -r02 -p00 "Dell" "Device 0869"
package Touchstone::Machine::Pci;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);

use Touchstone::Machine::Sysfile;
use Touchstone::Machine::Command;

my $DEVICES = '/sys/bus/pci/devices';

# Returns a list of devices:
#
#   [ { slot   => '0000:00:02.0',
#       class  => 'VGA compatible controller',
#       vendor => 'Intel Corporation',
#       device => 'UHD Graphics 630' }, ... ]
sub devices {

    # Where the kernel knows no bus, lspci would search for one at the machine's ports.
    return [] if !Touchstone::Machine::Sysfile::names($DEVICES);
    my @devices;
    for my $line (split /\n/, Touchstone::Machine::Command::tool_output('lspci', '-mm')) {
        my ($slot) = $line =~ /\A((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) /a or next;
        my ($class, $vendor, $device) = map { s/\\(.)/$1/gr } $line =~ /"((?:[^"\\]|\\.)*)"/g;
        next if !defined $device;
        push @devices,
            {
            slot   => $slot =~ tr/:// == 1 ? "0000:$slot" : $slot,
            class  => $class,
            vendor => $vendor,
            device => $device
            };
    }
    return \@devices;
}

# Returns the first device whose class matches, or nothing.
sub of_class {
    my ($devices, $class) = @_;
    return first { $_->{class} =~ $class } @$devices;
}

# Returns 'PCI Express' if any device is attached by it, 'PCI' if there are others only, or nothing.
sub bus {
    my @slots = Touchstone::Machine::Sysfile::names($DEVICES) or return undef;
    return (first { defined link_of($_) } @slots) ? 'PCI Express' : 'PCI';
}

# Returns the fastest link of a device, 'PCI Express 8.0 GT/s x4', because idle devices run theirs slower.
# Devices on plain PCI have none.
sub link_of {
    my ($slot) = @_;
    my ($speed) =
        (Touchstone::Machine::Sysfile::line("$DEVICES/$slot/max_link_speed") // '') =~
        m{\A(\d{1,3}(?:\.\d)? GT/s)}a
        or return undef;
    my ($width) =
        (Touchstone::Machine::Sysfile::line("$DEVICES/$slot/max_link_width") // '') =~ /\A([1-9]|[1-3]\d)\z/a
        or return undef;
    return "PCI Express $speed x$width";
}

# Returns the bytes of the largest prefetchable window of a device, or nothing: graphics boards show their
# memory in it. A line of the device's file:
#
#   0x00000000d0000000 0x00000000dfffffff 0x000000000014220c
sub largest_window {
    my ($slot) = @_;
    my ($memory, $prefetch) = (0x200, 0x2000);
    my $largest = 0;
    for my $line (split /\n/, Touchstone::Machine::Sysfile::text("$DEVICES/$slot/resource") // '') {
        my ($start, $end, $flags) =
            $line =~ /\A0x([0-9a-f]{16}) 0x([0-9a-f]{16}) 0x[0-9a-f]{8}([0-9a-f]{8})\s*\z/a
            or next;
        ($start, $end) = map { hex(substr $_, 0, 8) * 2**32 + hex substr $_, 8 } $start, $end;
        next if (hex($flags) & ($memory | $prefetch)) != ($memory | $prefetch);
        my $size = $end - $start + 1;
        $largest = $size if $end > $start && $size > $largest;
    }
    return $largest || undef;
}

1;
