# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Field - the fields of the report form of the Linux Benchmarking Toolkit, by key, and the values
# that a user gives for them:
#
#   --lbt cpu-vendor=Cyrix    --lbt 'CPU Vendor=Cyrix'    --lbt 'core clock=133 MHz'
package Touchstone::Suite::Lbt::Field;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);

# These blocks describe the machine, in the order of the form. A field is [key, heading], and where it
# is one fact of the record's host or of the X server, whose and its name.
our @BLOCKS = (
    [
        'CPU',
        [ 'cpu-vendor'          => 'Vendor', host => 'vendor' ],
        [ 'cpu-model'           => 'Model' ],
        [ 'cpu-core-clock'      => 'Core clock',         host => 'core_clock' ],
        [ 'motherboard-vendor'  => 'Motherboard vendor', host => 'board_vendor' ],
        [ 'motherboard-model'   => 'Mbd. model',         host => 'board_model' ],
        [ 'motherboard-chipset' => 'Mbd. chipset',       host => 'chipset' ],
        [ 'bus-type'            => 'Bus type',           host => 'bus_type' ],
        [ 'bus-clock'           => 'Bus clock',          host => 'bus_clock' ],
        [ 'cache-total'         => 'Cache total',        host => 'caches' ],
        [ 'cache-type'          => 'Cache type/speed',   host => 'cache_type' ],
        [ 'smp'                 => 'SMP (number of processors)' ]
    ],
    [
        'RAM',
        [ 'ram-total' => 'Total' ],
        [ 'ram-type'  => 'Type' ],
        [ 'ram-speed' => 'Speed', host => 'memory_speed' ]
    ],
    [
        'Disk',
        [ 'disk-vendor'    => 'Vendor',    host => 'drive_vendor' ],
        [ 'disk-model'     => 'Model',     host => 'drive_model' ],
        [ 'disk-size'      => 'Size',      host => 'drive_size' ],
        [ 'disk-interface' => 'Interface', host => 'drive_interface' ],
        [ 'disk-settings'  => 'Driver/Settings' ]
    ],
    [
        'Video board',
        [ 'video-vendor'    => 'Vendor', host => 'video_vendor' ],
        [ 'video-model'     => 'Model',  host => 'video_model' ],
        [ 'video-bus'       => 'Bus',    host => 'video_bus' ],
        [ 'video-ram-type'  => 'Video RAM type' ],
        [ 'video-ram-total' => 'Video RAM total',  host    => 'video_memory' ],
        [ 'x-vendor'        => 'X server vendor',  display => 'server' ],
        [ 'x-version'       => 'X server version', display => 'version' ],
        [ 'x-chipset'       => 'X server chipset choice' ],
        [ 'resolution'      => 'Resolution/vert. refresh rate', display => 'dimensions' ],
        [ 'color-depth'     => 'Color depth',                   display => 'depth' ]
    ],
    [ 'Kernel', [ 'kernel-version' => 'Version' ], [ 'swap-size' => 'Swap size' ] ],
    [
        'gcc',
        [ 'gcc-version'  => 'Version' ],
        [ 'gcc-options'  => 'Options' ],
        [ 'libc-version' => 'libc version' ]
    ],
);

# The form asks for these texts in blocks of their own.
my @TEXTS = ([ 'test-notes' => 'Test notes' ], [ 'comments' => 'Comments' ]);

our @KEYS = map { $_->[0] } (map { my (undef, @fields) = @$_; @fields } @BLOCKS), @TEXTS;

# Turns words 'FIELD=VALUE' into { key => value }, or dies with a message.
sub given {
    my (@words) = @_;
    my (%given, %by);
    for my $word (@words) {
        my ($name, $value) = $word =~ /\A\s*([^=]*?)\s*=\s*(.*?)\s*\z/as;
        die "--lbt needs FIELD=VALUE, such as cpu-vendor=Cyrix, not '" . plain($word) . "'\n"
            if !length($name // '') || !length $value;
        my $key = _key($word, $name);
        die "--lbt sets '$key' twice: '" . plain($by{$key}) . "' and '" . plain($word) . "'\n"
            if defined $by{$key};
        ($given{$key}, $by{$key}) = (plain($value), $word);
    }
    return \%given;
}

sub _key {
    my ($word, $name) = @_;
    my $names = _names();
    my $key   = _dashed($name);
    my @keys  = @{ $names->{$key} || [] };
    return $keys[0] if @keys == 1;
    my $last = pop @keys;
    die "--lbt needs one field, and '$key' may be " . join(', ', @keys) . " or $last\n" if @keys;
    my @near = Touchstone::Base::Text::nearest($key, keys %$names);
    my $hint = @near ? 'did you mean ' . join(' or ', map { "'$_'" } @near) . '?' : 'fields are ' . join ', ',
        @KEYS;
    die "unknown field of --lbt in '" . plain($word) . "'\n$hint\n";
}

# Returns the keys by every name of a field: its key, its block with its heading, and its heading alone.
sub _names {
    my %keys = map { $_ => [$_] } @KEYS;
    for my $block (@BLOCKS) {
        my ($title, @fields) = @$block;
        for my $field (@fields) {
            my ($key, @headings) =
                ($field->[0], map { _dashed($_) } $field->[1], $field->[1] =~ s/ \(.*\)//r);
            my %names = map { $_ => 1 } @headings, map { _dashed($title) . "-$_" } @headings;
            push @{ $keys{$_} }, $key for grep {
                !grep { $_ eq $key }
                    @{ $keys{$_} || [] }
            } grep { $_ ne $key && !_is_key($_) } keys %names;
        }
    }
    return \%keys;
}

sub _is_key {
    my ($name) = @_;
    return scalar grep { $_ eq $name } @KEYS;
}

# Makes 'Mbd. model' and 'mbd-model' equal.
sub _dashed { my ($name) = @_; return lc($name) =~ s/[^a-z0-9]+/-/gr =~ s/\A-|-\z//gr }

1;
