# SPDX-License-Identifier: GPL-2.0-or-later
# Facts of the mainboard, the drive and the video board, on pretended machines of many kinds.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;
use Time::HiRes qw(time);

use lib 't/lib';
use NoWarnings;
use Hardware;
use Pretend qw(on_machine host_of facts_of check_complete $SYS @HARDWARE);
use Touchstone::Machine::Cpus;
use Touchstone::Machine::Firmware;
use Touchstone::Machine::Command;
use Touchstone::Machine;

my $DMI = '/sys/class/dmi/id';
my $PCI = '/sys/bus/pci/devices';

sub told {
    my ($host, @names) = @_;
    return { map { $_ => $host->{$_} } @names };
}

subtest 'a desktop tells root everything' => sub {
    my $host = host_of(Hardware::desktop());
    check_complete('desktop', $host);
    is_deeply(
        told($host, @HARDWARE),
        {
            core_clock   => '3600 MHz (base), 4900 MHz (maximum)',
            board_vendor => 'ASUSTeK COMPUTER INC.',
            board_model  => 'ROG STRIX Z390-E GAMING',
            chipset      =>
                'Intel Corporation 8th/9th Gen Core 8-core Desktop Processor Host Bridge/DRAM Registers [Coffee Lake S] (host bridge), Z390 Chipset LPC/eSPI Controller (ISA bridge)',
            bus_type   => 'PCI Express',
            bus_clock  => '100 MHz',
            cache_type =>
                'L1 write back, 8-way, synchronous; L2 write back, 4-way, synchronous; L3 write back, 16-way, synchronous',
            memory_type     => 'DDR4',
            memory_speed    => '2400 MT/s (modules of 2666 MT/s)',
            memory_modules  => '2 x 16 GB',
            drive_vendor    => 'Samsung',
            drive_model     => 'Samsung SSD 970 EVO Plus 500GB',
            drive_size      => '500 GB',
            drive_interface => 'NVMe, PCI Express 8.0 GT/s x4',
            drive_settings  => 'scheduler none, read-ahead 128 KB, rotational no, write cache write back',
            video_vendor    => 'Advanced Micro Devices, Inc. [AMD/ATI]',
            video_model     => 'Navi 23 [Radeon RX 6600]',
            video_bus       => 'PCI Express 16.0 GT/s x8',
            video_memory    => '8176 MB',
        },
        'all of it'
    );
};

subtest 'who is not root is told less, and no number of an article ever' => sub {
    my $host = host_of(Hardware::desktop('/sys/firmware/dmi/tables/smbios_entry_point' => undef));
    is(
        join(' ', map { $host->{$_} } qw(bus_clock memory_type memory_speed memory_modules)),
        'unknown unknown unknown unknown',
        'the tables are for root'
    );
    is($host->{cache_type}, 'L1d 8-way, L1i 8-way; lines of 64 bytes', 'what the kernel says of the caches');
    my @said = grep { defined && !ref && /SECRET/ } map { values %$_ } $host, host_of(Hardware::desktop());
    is("@said", '', 'no serial number, UUID or asset tag');
};

subtest 'a virtual machine has what its hypervisor pretends' => sub {
    my $host = host_of(Hardware::guest());
    check_complete('guest', $host);
    is_deeply(
        told($host, @HARDWARE),
        {
            (map { $_ => 'unknown' } qw(bus_clock cache_type memory_type memory_speed memory_modules)),
            core_clock   => '2445 MHz (when asked)',
            board_vendor => 'QEMU',
            board_model  => 'Standard PC (i440FX + PIIX, 1996)',
            bus_type     => 'PCI',
            chipset      =>
                'Intel Corporation 440FX - 82441FX PMC [Natoma] (host bridge), 82371SB PIIX3 ISA [Natoma/Triton II] (ISA bridge)',
            drive_vendor    => 'Red Hat, Inc.',
            drive_model     => 'Virtio 1.0 block device',
            drive_size      => '21.5 GB',
            drive_interface => 'virtio',
            drive_settings  =>
                'scheduler mq-deadline, read-ahead 128 KB, rotational yes, write cache write through',
            video_vendor => 'Cirrus Logic',
            video_model  => 'GD 5446',
            video_bus    => 'PCI',
            video_memory => '32 MB (the largest window)',
        },
        'all of it'
    );
};

subtest 'an Arm board is named by its device tree' => sub {
    my $host = host_of(Hardware::board());
    check_complete('board', $host);
    is_deeply(
        told($host, @HARDWARE),
        {
            (
                map { $_ => 'unknown' }
                    qw(bus_type bus_clock cache_type memory_type memory_speed memory_modules drive_vendor
                    video_memory)
            ),
            core_clock      => '1500 MHz (maximum)',
            board_vendor    => 'raspberrypi',
            board_model     => 'Raspberry Pi 4 Model B Rev 1.4',
            chipset         => 'brcm,bcm2711',
            drive_model     => 'SU32G',
            drive_size      => '31.9 GB',
            drive_interface => 'MMC',
            drive_settings  =>
                'scheduler mq-deadline, read-ahead 128 KB, rotational no, write cache write back',
            video_vendor => 'brcm',
            video_model  => 'bcm2711-vc5',
            video_bus    => 'on the chip',
        },
        'all of it'
    );
};

subtest 'a container that sees nothing of the machine says so' => sub {
    my $host = host_of(Hardware::container());
    check_complete('container', $host);
    my @known = grep { $host->{$_} ne 'unknown' } @HARDWARE;
    is(join(' ', @known), 'drive_interface', 'all else is unknown');
    is(
        $host->{drive_interface},
        'overlay (the drive below it is not told)',
        'and nothing is guessed of the drive'
    );
};

subtest 'what makers forgot to fill in is unknown' => sub {
    for my $nothing (
        'To be filled by O.E.M.', 'TO BE FILLED BY O.E.M.',
        'Default string',         'Not Specified',
        'System manufacturer',    'System Product Name',
        'None',                   '0x0000',
        '0x00000000',             '',
        '   ',                    "\0",
        'Unknown',                '00000000',
        '----',                   'xxxxxxxx',
        '<OUT OF SPEC>',          'N/A',
        '0xFFFF'
    ) {
        is(Touchstone::Machine::Firmware::name($nothing), undef, "'" . $nothing =~ s/\0/NUL/r . "'");
    }
    is(Touchstone::Machine::Firmware::name($_), $_, "'$_' is a name")
        for 'ASUSTeK COMPUTER INC.', 'X570', 'P5Q', '440BX', 'None Such Ltd.', '0x1234', "\xe6\x97\xa5";
    is(Touchstone::Machine::Firmware::name("  a  b\tc\n"),     'a b?c', 'blanks');
    is(length Touchstone::Machine::Firmware::name('y' x 5000), 103,     'a long one is cut');
    my %asus = (
        "$DMI/board_vendor" => "To be filled by O.E.M.\n",
        "$DMI/board_name"   => "Default string\n",
        "$DMI/sys_vendor"   => "Acme\n",
        "$DMI/product_name" => "Anvil 2\n"
    );
    is(
        facts_of('board_vendor board_model', Hardware::desktop(%asus)),
        'Acme | Anvil 2',
        'then the name of the whole machine stands for it'
    );
    is(facts_of('board_vendor board_model', Hardware::desktop(%asus, "$DMI/board_name" => "X1\n")),
        'unknown | X1', 'but not for a half of it');
};

# Returns the drive's facts on the desktop, with the work directory here and this table of mounts.
sub drive {
    my ($mount, %has) = @_;
    return facts_of(
        'drive_vendor drive_model drive_size drive_interface drive_settings',
        Hardware::desktop('/proc/self/mountinfo' => "22 1 $mount\n", work => '/none', %has)
    );
}

my $SATA = '/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda';
my %SATA = (
    "$SATA/size"                                                              => "1953525168\n",
    "$SATA/device/vendor"                                                     => "ATA     \n",
    "$SATA/device/model"                                                      => "ST1000DM010-2EP1\n",
    "$SATA/queue/rotational"                                                  => "1\n",
    '/sys/devices/pci0000:00/0000:00:17.0/ata3/link3/ata_link/link3/sata_spd' => "6.0 Gbps\n",
    "$SATA/sda2/partition"                                                    => "2\n",
    "$SATA/queue/scheduler"                                                   => "[mq-deadline] none\n"
);

subtest 'the drive is that of the partition, whatever lies between' => sub {
    my $seen = 'Seagate | ST1000DM010-2EP1 | 1 TB | SATA 6.0 Gbps | ';
    my $set  = 'scheduler mq-deadline, rotational yes';
    is(drive('8:2 / / rw - ext4 /dev/sda2 rw', %SATA, 'link /sys/dev/block/8:2' => "$SATA/sda2"),
        "$seen$set", 'a partition');
    is(drive('8:0 / / rw - ext4 /dev/sda rw', %SATA, 'link /sys/dev/block/8:0' => $SATA),
        "$seen$set", 'a whole drive');
    is(
        drive(
            '8:0 / / rw - ext4 /dev/sda rw', %SATA,
            'link /sys/dev/block/8:0' => $SATA,
            "$SATA/device/model"      => "Western Digital Blue 1TB\n"
        ),
        "Western Digital | Western Digital Blue 1TB | 1 TB | SATA 6.0 Gbps | $set",
        'a maker whose name has two words'
    );
    is(drive('0:31 /@ / rw - btrfs /dev/sda2 rw', %SATA, 'link /sys/class/block/sda2' => "$SATA/sda2"),
        "$seen$set", 'a file system without a number of its own');
    my ($dm1, $dm0) = map { "/sys/devices/virtual/block/dm-$_" } 1, 0;
    my %mapped = (
        %SATA,
        'link /sys/dev/block/253:1'  => $dm1,
        "$dm1/slaves/dm-0"           => '',
        "$dm1/dm/uuid"               => "LVM-SECRETabc\n",
        'link /sys/class/block/dm-0' => $dm0,
        "$dm0/slaves/sda2"           => '',
        "$dm0/dm/uuid"               => "CRYPT-LUKS2-SECRET-x\n",
        'link /sys/class/block/sda2' => "$SATA/sda2"
    );
    is(
        drive('253:1 / / rw - ext4 /dev/mapper/vg-root rw', %mapped),
        "${seen}through dm-1 (lvm), dm-0 (crypt); $set",
        'a volume on an encrypted partition'
    );
    my ($md, $sdb) = ('/sys/devices/virtual/block/md0', $SATA =~ s/sda/sdb/r);
    my %array = (
        %SATA,
        (map { s/\bsda/sdb/gr => $SATA{$_} } keys %SATA),
        'link /sys/dev/block/9:0' => $md,
        "$md/md/level"            => "raid1\n",
        map {
            (
                "$md/slaves/sd${_}2"            => '',
                "link /sys/class/block/sd${_}2" => ($SATA =~ s/sda/sd$_/r) . "/sd${_}2"
            )
        } qw(a b)
    );
    is(
        drive('9:0 / / rw - ext4 /dev/md0 rw', %array),
        "Seagate | 2 x ST1000DM010-2EP1 | 2 x 1 TB | SATA 6.0 Gbps | through md0 (raid1); $set",
        'an array of two'
    );
    my %loop = (
        'link /sys/dev/block/253:1'  => $dm1,
        "$dm1/slaves/dm-1"           => '',
        'link /sys/class/block/dm-1' => $dm1
    );
    like(
        drive('253:1 / / rw - ext4 /dev/dm-1 rw', %loop),
        qr/\Aunknown \| unknown \| unknown \| unknown \| through /,
        'one that stands on itself comes to an end'
    );
};

subtest 'file systems without a drive say what they are' => sub {
    my $where = sub { return (split / \| /, drive($_[0]))[3] };
    is($where->('0:40 / / rw - tmpfs tmpfs rw'),         'memory (tmpfs)', 'memory');
    is($where->('0:41 / / rw - nfs4 server:/export rw'), 'network (nfs4)', 'a network');
    is($where->('0:41 / / rw - zfs pool/home rw'),       'unknown',        'a pool');
    is($where->('8:9 / / rw - ext4 /dev/sdz9 rw'),       'unknown', 'a number that /sys does not have');
};

subtest 'the interface is read from the path' => sub {
    my $on = sub {
        my ($path, %has) = @_;
        return (split / \| /, drive('8:2 / / rw - ext4 /dev/x rw', 'link /sys/dev/block/8:2' => $path, %has))
            [3];
    };
    my $host = '/sys/devices/pci0000:00/0000:00:14.0';
    is($on->("$host/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb"), 'USB',    'USB');
    is($on->("$host/host0/target0:2:0/0:2:0:0/block/sda"),                  'SCSI',   'a controller of many');
    is($on->("$host/ata1/host0/target0:0:0/0:0:0:0/block/sda"),             'ATA',    'ATA of unknown speed');
    is($on->("$host/virtio1/host0/target0:0:0/0:0:0:0/block/sda"),          'virtio', 'a guest');
    is($on->('/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1'),   'NVMe', 'NVMe of several paths');
    is($on->('/sys/devices/vbd-51712/block/xvda'),                          'Xen',  'Xen');
    is($on->('/sys/devices/virtual/block/loop3'),                           'loop (a file)', 'a file');
    is($on->('/sys/devices/platform/odd/block/odd0'),                       'unknown',       'nothing known');
};

subtest 'sizes are those of makers' => sub {
    my $size = sub {
        return (
            split / \| /,
            drive(
                '8:2 / / rw - ext4 /dev/x rw',
                'link /sys/dev/block/8:2' => $SATA,
                "$SATA/size"              => "$_[0]\n"
            )
        )[2];
    };
    is($size->($_->[0]), $_->[1], $_->[1])
        for [ 1000215216 => '512 GB' ], [ 3750748848 => '1.92 TB' ], [ 1953523999 => '1 TB' ],
        [ 204800 => '105 MB' ], [ 0 => 'unknown' ], [ 'x' => 'unknown' ],
        [ '9' x 15 => '512 PB' ];
};

subtest 'a machine with a bus and no video board has none' => sub {
    my ($names, $drm) =
        ('video_vendor video_model video_bus video_memory', '/sys/class/drm/card0/device/uevent');
    my %has = Hardware::guest();
    $has{'lspci -mm'} =~ s/^.*VGA.*\n//m;
    is(facts_of($names, %has), 'none | none | none | none', 'none');
    is(
        facts_of($names, %has, $drm => "DRIVER=hyperv_drm\n"),
        'unknown | unknown | unknown | unknown',
        'unless the kernel draws somewhere'
    );
    is(
        facts_of($names, Hardware::guest('lspci -mm' => undef)),
        'unknown | unknown | unknown | unknown',
        'without lspci nobody knows'
    );
    is(
        facts_of('bus_type chipset', Hardware::guest('lspci -mm' => undef)),
        'PCI | unknown',
        'but that there is a bus'
    );
    my %two = Hardware::desktop();
    $two{'lspci -mm'} .= qq{0b:00.0 "3D controller" "NVIDIA \\"Corp\\"" "GA100" -ra1 "" ""\n};
    is(facts_of('video_vendor', %two), 'Advanced Micro Devices, Inc. [AMD/ATI]', 'of two the first');
    is(
        facts_of('video_vendor', %two, "$PCI/0000:0b:00.0/boot_vga" => "1\n"),
        'NVIDIA "Corp"',
        'or that which it starts with'
    );
};

subtest 'the clock of the cores says which it is' => sub {
    my $clock = sub {
        return facts_of(
            'core_clock',
            Hardware::guest(
                "$SYS/cpu0/cpufreq/cpuinfo_max_freq" => undef,
                '/proc/cpuinfo'                      => "processor\t: 0\n$_[0]\n"
            )
        );
    };
    is($clock->("cpu MHz\t\t: 133.634"),                     '134 MHz (when asked)',  'x86');
    is($clock->("cpu\t: POWER9\nclock\t\t: 3800.000000MHz"), '3800 MHz (when asked)', 'POWER');
    is($clock->($_),                                         'unknown',               'rubbish')
        for '', 'cpu MHz : ', 'cpu MHz : x', 'cpu MHz : 1e9', 'clock : fast';
};

subtest 'odd tables of memory do no harm' => sub {
    my $memory = sub {
        my @modules = map {
            "Handle 0x0026, DMI type 17, 84 bytes\nMemory Device\n" . join '',
                map { "\t$_\n" }
                @$_
        } @_;
        return facts_of(
            'memory_type memory_speed memory_modules',
            Hardware::desktop(
                '/usr/sbin/dmidecode -t processor -t cache -t memory' => join "\n",
                "# dmidecode 3.4\n", @modules
            )
        );
    };
    is(
        $memory->(
            [ 'Size: 8 GB',                'Type: DDR4' ],
            [ 'Size: 4 GB',                'Type: DDR4' ],
            [ 'Size: No Module Installed', 'Type: Unknown' ]
        ),
        'DDR4 | unknown | 1 x 4 GB, 1 x 8 GB',
        'an empty place'
    );
    is(
        $memory->([ 'Size: 16384 MB', 'Type: RAM', 'Speed: Unknown' ]),
        'RAM | unknown | 1 x 16384 MB',
        'a guest'
    );
    is(
        $memory->([ 'Size: 32 MB', 'Type: EDO', 'Speed: 60 ns', 'Configured Clock Speed: Unknown' ]),
        'EDO | 60 ns | 1 x 32 MB',
        'an old machine'
    );
    is(
        $memory->([ 'Size: 8 GB', 'Speed: 2666 MHz', 'Configured Memory Speed: 2666 MT/s' ]),
        'unknown | 2666 MT/s | 1 x 8 GB',
        'two words for one speed'
    );
    is($memory->(map { ["Size: $_ MB"] } 1 .. 100), 'unknown | unknown | unknown', 'no list without end');
    is($memory->([]),                               'unknown | unknown | unknown', 'nothing in it');
};

subtest 'a tool that hangs or fails holds nothing up' => sub {
    my $dir  = File::Temp->newdir;
    my $tool = sub {
        my ($body) = @_;
        open my $out, '>', "$dir/lspci" or die "cannot write: $!\n";
        print {$out} "#!/bin/sh\n$body\n";
        close $out or die "cannot write: $!\n";
        chmod 0755, "$dir/lspci" or die "cannot make it a program: $!\n";
        local $ENV{PATH} = "$dir:$ENV{PATH}";
        return Touchstone::Machine::Command::tool_output('lspci');
    };
    is($tool->('echo yes'),           "yes\n", 'one that works');
    is($tool->('echo no; exit 1'),    '',      'one that fails');
    is($tool->('echo no; sleep 300'), '',      'one that hangs is ended before it does');
    is(Touchstone::Machine::Command::tool_output('no-such-tool-anywhere'), '', 'one that is not there');
};

subtest 'whatever files and tools say, facts are short lines' => sub {
    for my $content (
        "\0\1\2\x1b[31m\xff\xfe",
        'x' x 300_000,
        "\n" x 1000,
        ('9' x 400) . "\n",
        "\xc3\x28: \xe2\x80\xae ;" x 500,
        '"' x 1000,
        qq{00:00.0 "Host bridge" "\e[2J" "} . 'y' x 5000 . qq{"\n},
        "Handle 0x1, DMI type 17, 1 bytes\n\tSize: 1 GB\n\tType: \e[2J\n" x 50
    ) {
        my $what = substr($content, 0, 12) =~ s/[^ -~]/?/gr;
        for my $kind (qw(desktop guest board container)) {
            my %has  = Hardware->can($kind)->();
            my %bad  = map { $_ => m{^/|^lspci} ? $content : $has{$_} } keys %has;
            my $host = host_of(%bad);
            check_complete("$kind, '$what' everywhere", $host);
            is(join(' ', grep { length $host->{$_} > 2048 } @HARDWARE), '', 'none is long');
        }
    }
};

subtest 'this machine has every fact too' => sub {
    check_complete('here',    Touchstone::Machine::host_facts(Touchstone::Machine::Cpus::read_all(), '/'));
    check_complete('nothing', host_of());
};

done_testing;
