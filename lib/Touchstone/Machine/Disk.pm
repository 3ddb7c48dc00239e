# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Disk - the file system that holds a directory, the number of its device, its free space, and the
# drives below it. Facts that are not found are undef. It reads lines like these:
#
#   /proc/self/mountinfo   36 35 98:0 /srv /mnt/a\040disk rw,noatime shared:1 - ext4 /dev/sda1 rw
#   mount, on Linux        /dev/sda1 on /mnt/a disk type ext4 (rw,noatime)
#   mount, on BSD          /dev/ada0p2 on / (ufs, local, journaled soft-updates)
package Touchstone::Machine::Disk;
use 5.014;
use strict;
use warnings;

use Cwd ();
use List::Util qw(first);

use Touchstone::Machine::Advice;
use Touchstone::Machine::Command;
use Touchstone::Machine::Firmware;
use Touchstone::Machine::Pci;
use Touchstone::Machine::Sysfile;

sub facts {
    my ($directory) = @_;
    return {} if !defined $directory;

    # Test files end up where the links lead.
    my $real  = eval { Cwd::realpath($directory) } // $directory;
    my $mount = _around($real, _mountinfo())       // _around($real, _mount_command())
        // { device => _device_by_df($real) };
    return {
        work_directory => $real,
        map { $_ => $mount->{$_} } qw(file_system mount_options device number)
    };
}

# Returns the KB that are free for this user in a directory, or undef. df -P is the portable way to ask.
sub free_space {
    my ($directory) = @_;
    my ($status, $text) = Touchstone::Machine::Command::output([ 'df', '-Pk', $directory ]);
    my ($free) = $text =~ /^.*?\s\d+\s+-?\d+\s+(-?\d+)\s+\S+%\s/ma;
    return $status == 0 ? $free : undef;
}

# The longest path wins. If several mounts have it, the last one does, because it hides the others.
sub _around {
    my ($path, @mounts) = @_;
    my $best;
    for my $mount (@mounts) {
        my $mount_point = $mount->{at};
        next           if $mount_point ne '/' && $path ne $mount_point && index($path, "$mount_point/") != 0;
        $best = $mount if !$best || length $mount_point >= length $best->{at};
    }
    return $best;
}

sub _mountinfo {
    my @mounts;
    for my $line (split /\n/, Touchstone::Machine::Sysfile::text('/proc/self/mountinfo') // '') {
        my ($number, $mount_point, $options, $type, $device, $more) =
            $line =~ /\A\d+ \d+ (\d+:\d+) \S+ (\S+) (\S+) .*?(?<= )- (\S+) (\S+)(?: (\S+))?/a
            or next;
        push @mounts,
            {
            at            => _decoded($mount_point),
            mount_options => _options($options, $more // ''),
            file_system   => _decoded($type),
            device        => _decoded($device),
            number        => $number
            };
    }
    return @mounts;
}

sub _decoded {
    my ($text) = @_;
    return $text =~ s/\\([0-3][0-7]{2})/chr oct $1/ger;
}

# Joins the options of the mount and of the file system behind it, each once. It leaves out the layers of an
# overlay, which have another name in every container.
sub _options {
    my %seen;
    return join ',', map { _decoded($_) }
        grep { !$seen{$_}++ && !/\A(?:lowerdir|upperdir|workdir)\b/ } map { split /,/ } @_;
}

sub _mount_command {
    my ($status, $text) = Touchstone::Machine::Command::output(['mount']);
    my @mounts;
    for my $line ($status == 0 ? split /\n/, $text : ()) {
        my ($device, $mount_point, $type, $options) =
            $line =~ m{\A(.+?) on (/.*?)(?: type (\S+))? \(([^()]*)\)}
            or next;
        ($type, $options) = split /,\s*/a, $options, 2 if !defined $type;
        push @mounts,
            { at => $mount_point, mount_options => $options, file_system => $type, device => $device };
    }
    return @mounts;
}

sub _device_by_df {
    my ($directory) = @_;
    my ($status, $text) = Touchstone::Machine::Command::output([ 'df', '-Pk', $directory ]);
    my ($device) = $text =~ /^(\S.*?)\s+\d+\s+-?\d+\s+-?\d+\s+\S+%\s/ma;
    return $status == 0 && ($device // '-') ne '-' ? $device : undef;
}

# The drives are found in /sys, whose links lead to paths like these:
#
#   /sys/dev/block/8:2     /sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda2
#   /sys/dev/block/259:1   /sys/devices/pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0/nvme0n1/nvme0n1p1
#   /sys/dev/block/253:0   /sys/devices/virtual/block/dm-0, with slaves/sda2

# Mappers and arrays lie in at most this many layers, above at most this many drives.
my ($DEEPEST, $MOST_DRIVES) = (8, 64);

my @INTERFACES = (
    [ qr{/usb\d+/}a                      => 'USB' ],
    [ qr{/nvme(?:-subsystem|-fabrics)?/} => 'NVMe' ],
    [ qr{/mmc_host/}                     => 'MMC' ],
    [ qr{/ata\d+/}a                      => 'ATA' ],
    [ qr{/virtio\d+/}a                   => 'virtio' ],
    [ qr{/vbd-\d+/}a                     => 'Xen' ],
    [ qr{/ide\d+/}a                      => 'IDE' ],
    [ qr{/target[\d:]+/}a                => 'SCSI' ],
    [ qr{/virtual/block/loop\d}a         => 'loop (a file)' ],
    [ qr{/virtual/block/z?ram\d}a        => 'memory' ],
    [ qr{/virtual/block/nbd\d}a          => 'network (nbd)' ],
);

# ATA tells a model but no maker. These are the ways in which makers begin their models.
my $BRANDS =
    qr/Western[ ]Digital|Samsung|Intel|Toshiba|Hitachi|HGST|Kingston|Seagate|Crucial|SanDisk|Maxtor|Fujitsu
    |Micron|Kioxia|Quantum|IBM|Corsair|ADATA|Patriot|Transcend|Plextor|OCZ|Lexar|PNY|QEMU|VBOX|VMware/xi;
my @MAKERS = (
    [ qr/\AWDC?[ _]/    => 'Western Digital' ],
    [ qr/\AST\d/a       => 'Seagate' ],
    [ qr/\ACT\d/a       => 'Crucial' ],
    [ qr/\A($BRANDS)\b/ => undef ]
);

# `disk` is what Machine::Disk::facts returns, and `pci` what Machine::Pci::devices returns.
sub drive_facts {
    my ($disk, $pci) = @_;
    my $type = $disk->{file_system} // '';
    return { drive_interface => "memory ($type)" }  if $Touchstone::Machine::Advice::IN_MEMORY{$type};
    return { drive_interface => "network ($type)" } if $Touchstone::Machine::Advice::ON_NETWORK{$type};
    my $path = _path($disk)
        // return {
        drive_interface => $type eq 'overlay' ? 'overlay (the drive below it is not told)' : undef };
    my (@through, %seen);
    my @drives = map { _drive($_, $pci) } grep { !$seen{$_}++ } _below($path, \@through, 0);
    splice @drives, $MOST_DRIVES if @drives > $MOST_DRIVES;
    my $settings = join '; ', (@through ? 'through ' . join ', ', @through : ()),
        _together(0, map { $_->{settings} } @drives) // ();
    return {
        drive_settings => length $settings ? $settings : undef,
        map {
            my $what = $_;
            ("drive_$what" => _together(scalar($what =~ /model|size/), map { $_->{$what} } @drives))
        } qw(vendor model size interface),
    };
}

# Returns the paths in /sys of the drives that hold a file system; nothing where that is not told.
sub drive_paths {
    my ($disk) = @_;
    my $path = _path($disk) // return;
    my %seen;
    return grep { !$seen{$_}++ } _below($path, [], 0);
}

# Lists each value once; with `counted`, a value of several drives as 'N x value'.
sub _together {
    my ($counted, @values) = @_;
    my %many;
    $many{$_}++ for grep { defined } @values;
    return %many
        ? join(', ', map { $counted && $many{$_} > 1 ? "$many{$_} x $_" : $_ } sort keys %many)
        : undef;
}

# Returns the path by the number of the device. A file system of several drives has no number of its own, so
# the name of its device has to do.
sub _path {
    my ($disk) = @_;
    my $number = $disk->{number} // '0:';
    my $path   = $number =~ /\A0:/ ? undef : Touchstone::Machine::Sysfile::target("/sys/dev/block/$number");
    return $path if defined $path;
    my $device = $disk->{device} // '';
    return if $device !~ m{\A/dev/};
    my ($name) = (Touchstone::Machine::Sysfile::target($device) // $device) =~ m{([^/]+)\z} or return;
    return Touchstone::Machine::Sysfile::target("/sys/class/block/$name");
}

# Returns the drive of a partition. For a mapper or an array it returns the drives below, and adds the name
# and kind of each layer to `through`.
sub _below {
    my ($path, $through, $depth) = @_;
    $path =~ s{/[^/]+\z}{} if Touchstone::Machine::Sysfile::present("$path/partition");
    my @slaves = Touchstone::Machine::Sysfile::names("$path/slaves");
    return $path if !@slaves || $depth > $DEEPEST;
    push @$through, _layer($path);
    return map { defined $_ ? _below($_, $through, $depth + 1) : () }
        map { scalar Touchstone::Machine::Sysfile::target("/sys/class/block/$_") } @slaves;
}

# Returns 'dm-0 (crypt)' or 'md0 (raid1)'.
sub _layer {
    my ($path) = @_;
    my ($name) = $path                                                       =~ m{([^/]+)\z};
    my ($kind) = (Touchstone::Machine::Sysfile::line("$path/dm/uuid") // '') =~ /\A([A-Za-z]{1,16})-/;
    $kind //= Touchstone::Machine::Firmware::name(Touchstone::Machine::Sysfile::line("$path/md/level"));
    return defined $kind ? "$name (" . lc($kind) . ')' : $name;
}

sub _drive {
    my ($path, $pci) = @_;
    my ($slot) = reverse $path =~ m{/([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?=/)}ga;
    my $drive  = (first { $path =~ $_->[0] } @INTERFACES) || [ undef, undef ];
    my $on_bus = first { defined $slot && $_->{slot} eq $slot } @$pci;
    my ($maker, $model, $name) =
        map { Touchstone::Machine::Firmware::name(Touchstone::Machine::Sysfile::line("$path/device/$_")) }
        qw(vendor model name);
    $maker = undef if defined $maker && $maker =~ /\A(?:ATA\z|0x)/;
    $model //= $name;

    # NVMe and virtio drives are devices of the bus, so the names there are theirs; a SATA disk has a
    # controller of another make in between.
    my $itself = $on_bus && ($drive->[1] // '') =~ /\A(?:NVMe|virtio)\z/;
    $maker //= _maker($model // '')
        // ($itself ? Touchstone::Machine::Firmware::name($on_bus->{vendor}) : undef);
    $model //= Touchstone::Machine::Firmware::name($on_bus->{device}) if $itself;
    return {
        vendor    => $maker,
        model     => $model,
        size      => _size($path),
        interface => _interface($drive->[1], $path, $slot),
        settings  => _settings($path)
    };
}

sub _maker {
    my ($model) = @_;
    my $row = first { $model =~ $_->[0] } @MAKERS or return;
    return $row->[1] // ($model =~ $row->[0])[0];
}

# Returns '512 GB'. The kernel's sectors have 512 bytes, whatever the drive writes at once; a maker's kilo
# is a thousand.
sub _size {
    my ($path)    = @_;
    my ($sectors) = (Touchstone::Machine::Sysfile::line("$path/size") // '') =~ /\A([1-9]\d{0,15})\z/a
        or return undef;
    my $size = $sectors * 512 / 1e6;
    for my $unit (qw(MB GB TB)) {
        return sprintf '%.3g %s', $size, $unit if $size < 999.5;
        $size /= 1000;
    }
    return sprintf '%.0f PB', $size;
}

# Returns 'NVMe, PCI Express 8.0 GT/s x4', 'SATA 6.0 Gbps' or 'virtio'.
sub _interface {
    my ($name, $path, $slot) = @_;
    return undef if !defined $name;
    return join ', ', $name,
        grep { defined } defined $slot ? scalar Touchstone::Machine::Pci::link_of($slot) : ()
        if $name eq 'NVMe';
    return $name if $name ne 'ATA';
    my ($port, $n) = $path =~ m{\A(.*?/ata(\d+))/}a;
    my ($speed) = (Touchstone::Machine::Sysfile::line("$port/link$n/ata_link/link$n/sata_spd") // '') =~
        /\A(\d(?:\.\d)? Gbps)\z/a;
    return defined $speed ? "SATA $speed" : $name;
}

# Returns 'scheduler mq-deadline, read-ahead 128 KB, rotational no, write cache write back'.
sub _settings {
    my ($path) = @_;
    my ($scheduler, $ahead, $turns, $cache) =
        map { Touchstone::Machine::Sysfile::line("$path/queue/$_") // '' }
        qw(scheduler read_ahead_kb rotational write_cache);
    my @known;
    push @known, "scheduler $1" if $scheduler =~ /\[([\w-]{1,40})\]/a || $scheduler =~ /\A([\w-]{1,40})\z/a;
    push @known, "read-ahead $ahead KB"                  if $ahead =~ /\A\d{1,9}\z/a;
    push @known, 'rotational ' . ($turns ? 'yes' : 'no') if $turns =~ /\A[01]\z/;
    push @known, "write cache $cache"                    if $cache =~ /\Awrite (?:back|through)\z/;
    return @known ? join(', ', @known) : undef;
}

1;
