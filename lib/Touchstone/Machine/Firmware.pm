# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Firmware - what the firmware tells about the machine, without placeholders that its makers left
# in. Serial numbers, UUIDs and asset tags are never read. A table by dmidecode:
#
#   Handle 0x0026, DMI type 17, 84 bytes
#   Memory Device
#           Size: 16 GB
#           Type: DDR4
package Touchstone::Machine::Firmware;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain short);
use Touchstone::Machine::Sysfile;
use Touchstone::Machine::Command;

my $DMI = '/sys/class/dmi/id';

# dmidecode is asked only if this file can be read, which takes root: otherwise the tool would search the
# memory of the machine.
my $ENTRY = '/sys/firmware/dmi/tables/smbios_entry_point';

# A name is cut after this many letters.
my $LONGEST = 100;

# Makers leave these in the place of a name; they are compared in small letters.
my %PLACEHOLDER = map { $_ => 1 } '', 'to be filled by o.e.m.', 'to be filled by oem', 'filled by oem',
    'default string', 'default',        'string',       'not specified',
    'not available',  'not applicable', 'not provided', 'not present', 'n/a', 'na', 'none', 'null', 'unknown',
    'other',          'undefined',      'invalid',      'empty',       'oem', 'o.e.m.',
    'system manufacturer', 'system product name', 'system name', 'system version', 'base board manufacturer',
    'base board product name', 'baseboard manufacturer',
    'product name',            'no module installed', '<out of spec>', '<bad index>';
my $NO_NAME = qr/\A(?:0x[0f]+|0+|[\W_]+|x{3,})\z/i;

# Returns a name as one line, or nothing if it is a placeholder.
sub name {
    my ($text) = @_;
    return undef if !defined $text;
    my $name = plain($text =~ s/\0.*//sr =~ s/\A[ \t\r\n]+|[ \t\r\n]+\z//gr) =~ s/ {2,}/ /gr;
    return undef if $PLACEHOLDER{ lc $name } || $name =~ $NO_NAME && $name !~ /[\x80-\xff]/;
    return short($name, $LONGEST);
}

# Returns a name by the kernel's file for it, which has it from the firmware's tables.
sub identity {
    my ($what) = @_;
    return name(Touchstone::Machine::Sysfile::line("$DMI/$what"));
}

# Returns the tables of processors (type 4), caches (7) and memory modules (17), if root asks:
#
#   ({ type => 17, Size => '16 GB', Type => 'DDR4' }, ...)
sub tables {
    return if !defined Touchstone::Machine::Sysfile::text($ENTRY);
    my @tables;
    for my $block (
        split /\n{2,}/,
        Touchstone::Machine::Command::tool_output('dmidecode', map { ('-t', $_) } qw(processor cache memory))
    ) {
        my ($type) = $block =~ /^Handle 0x[0-9a-f]{1,8}, DMI type (\d{1,3}),/mai or next;
        push @tables, { $block =~ /^\t([A-Z][^:\n]*): +(.*)$/mg, type => $type };
    }
    return @tables;
}

1;
