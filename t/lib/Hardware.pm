# SPDX-License-Identifier: GPL-2.0-or-later
# Hardware - four machines for Pretend, with their boards, drives and video boards: a desktop whose root user
# asks, a virtual machine, an Arm board, and a container that sees none of these. Each function takes further
# files and commands, which replace its own; undef removes one.
#
#   my $host = Pretend::host_of(Hardware::desktop('/sys/class/dmi/id/board_name' => "X\n"));
package Hardware;
use 5.014;
use strict;
use warnings;

my $SYS = '/sys/devices/system/cpu';
my $DMI = '/sys/class/dmi/id';
my $PCI = '/sys/bus/pci/devices';

my %EIGHT = (
    online       => [ 0 .. 7 ],
    usable       => [ 0 .. 7 ],
    usable_count => 8,
    quota        => undef,
    core         => { map { $_ => $_ } 0 .. 7 }
);
my %TWO =
    (online => [ 0, 1 ], usable => [ 0, 1 ], usable_count => 2, quota => undef, core => { 0 => 0, 1 => 1 });
my %FOUR = (
    online       => [ 0 .. 3 ],
    usable       => [ 0 .. 3 ],
    usable_count => 4,
    quota        => undef,
    core         => { map { $_ => $_ } 0 .. 3 }
);

sub _machine {
    my ($has, %also) = @_;
    my %all = (%$has, %also);
    return map { $_ => $all{$_} } grep { defined $all{$_} } keys %all;
}

# Repeats the same table for each CPU.
sub _cpuinfo {
    my ($n, $about) = @_;
    return join "\n", map { "processor\t: $_\n$about" } 0 .. $n - 1;
}

sub _memory_device {
    my ($n, @more) = @_;
    return "Handle 0x004$n, DMI type 17, 84 bytes\nMemory Device\n" . join '', map { "\t$_\n" } @more,
        'Serial Number: SECRET', 'Asset Tag: SECRET', 'Part Number: F4-3200';
}

sub _cache_table {
    my ($level, $ways) = @_;
    return
        "Handle 0x005$level, DMI type 7, 27 bytes\nCache Information\n\tSocket Designation: L$level Cache\n\tConfiguration: Enabled, Not Socketed, Level $level\n\tOperational Mode: Write Back\n"
        . "\tInstalled Size: 512 kB\n\tSupported SRAM Types:\n\t\tSynchronous\n\tInstalled SRAM Type: Synchronous\n\tSpeed: Unknown\n\tSystem Type: Unified\n\tAssociativity: $ways-way Set-associative\n";
}

my $PROCESSOR =
    "Handle 0x0059, DMI type 4, 48 bytes\nProcessor Information\n\tManufacturer: Intel(R) Corporation\n\tExternal Clock: 100 MHz\n\tSerial Number: SECRET\n\tFlags:\n\t\tFPU (x)\n";
my $RAM   = 'Type: DDR4';
my @SPEED = ('Speed: 2666 MT/s', 'Configured Memory Speed: 2400 MT/s');

sub desktop {
    my $nvme = '/sys/devices/pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0/nvme0n1';
    return _machine(
        {
            uname      => [ Linux => 'desk', '6.1.0-18-amd64', '#1 SMP PREEMPT_DYNAMIC Debian', 'x86_64' ],
            cpus       => \%EIGHT,
            work       => '/none/tmp',
            'uname -o' => 'GNU/Linux',
            '/proc/cpuinfo' => _cpuinfo(
                8,
                "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz\ncpu MHz\t\t: 800.012\nflags\t\t: fpu lm\nbogomips\t: 7200.00\n"
            ),
            "$SYS/cpu0/cpufreq/base_frequency"     => "3600000\n",
            "$SYS/cpu0/cpufreq/cpuinfo_max_freq"   => "4900000\n",
            "$SYS/cpu0/topology/core_cpus_list"    => "0\n",
            "$SYS/cpu0/topology/package_cpus_list" => "0-7\n",
            (
                map {
                    my ($i, $type) = @$_;
                    my $c = "$SYS/cpu0/cache/index$i";
                    (
                        "$c/level"                 => "1\n",
                        "$c/type"                  => "$type\n",
                        "$c/size"                  => "32K\n",
                        "$c/ways_of_associativity" => "8\n",
                        "$c/coherency_line_size"   => "64\n"
                    )
                } [ 0, 'Data' ],
                [ 1, 'Instruction' ]
            ),
            '/proc/meminfo'        => "MemTotal:       32800000 kB\nSwapTotal:  1048576 kB\n",
            '/proc/self/mountinfo' =>
                "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro\n",
            'link /sys/dev/block/259:2'                   => "$nvme/nvme0n1p2",
            "$nvme/nvme0n1p2/partition"                   => "2\n",
            "$nvme/size"                                  => "976773168\n",
            "$nvme/device/model"                          => "Samsung SSD 970 EVO Plus 500GB          \n",
            "$nvme/device/serial"                         => "SECRET\n",
            "$nvme/queue/scheduler"                       => "[none] mq-deadline \n",
            "$nvme/queue/read_ahead_kb"                   => "128\n",
            "$nvme/queue/rotational"                      => "0\n",
            "$nvme/queue/write_cache"                     => "write back\n",
            "$PCI/0000:03:00.0/max_link_speed"            => "8.0 GT/s PCIe\n",
            "$PCI/0000:03:00.0/max_link_width"            => "4\n",
            "$PCI/0000:0a:00.0/max_link_speed"            => "16.0 GT/s PCIe\n",
            "$PCI/0000:0a:00.0/max_link_width"            => "8\n",
            "$PCI/0000:0a:00.0/mem_info_vram_total"       => "8573157376\n",
            "$DMI/board_vendor"                           => "ASUSTeK COMPUTER INC.\n",
            "$DMI/board_name"                             => "ROG STRIX Z390-E GAMING\n",
            "$DMI/sys_vendor"                             => "System manufacturer\n",
            "$DMI/product_name"                           => "System Product Name\n",
            "$DMI/board_serial"                           => "SECRET\n",
            "$DMI/product_uuid"                           => "SECRET\n",
            "$DMI/chassis_asset_tag"                      => "SECRET\n",
            '/sys/firmware/dmi/tables/smbios_entry_point' => "_SM3_",
            '/usr/sbin/dmidecode -t processor -t cache -t memory' => join(
                "\n",
                "# dmidecode 3.4\nGetting SMBIOS data from sysfs.\n",
                (map { _cache_table(@$_) } [ 1, 8 ], [ 2, 4 ], [ 3, 16 ]),
                $PROCESSOR,
                _memory_device(1, 'Size: 16 GB',               $RAM, @SPEED),
                _memory_device(2, 'Size: No Module Installed', 'Type: Unknown'),
                _memory_device(3, 'Size: 16 GB',               $RAM, @SPEED)
            ),
            'lspci -mm' => <<'PCI' }, @_);
00:00.0 "Host bridge" "Intel Corporation" "8th/9th Gen Core 8-core Desktop Processor Host Bridge/DRAM Registers [Coffee Lake S]" -r0a -p00 "ASUSTeK Computer Inc." "Device 8694"
00:17.0 "SATA controller" "Intel Corporation" "Cannon Lake PCH SATA AHCI Controller" -r10 -p01 "ASUSTeK Computer Inc." "Device 8694"
00:1f.0 "ISA bridge" "Intel Corporation" "Z390 Chipset LPC/eSPI Controller" -r10 "ASUSTeK Computer Inc." "Device 8694"
03:00.0 "Non-Volatile memory controller" "Samsung Electronics Co Ltd" "NVMe SSD Controller SM981/PM981/PM983" -p02 "Samsung Electronics Co Ltd" "SSD 970 EVO"
0a:00.0 "VGA compatible controller" "Advanced Micro Devices, Inc. [AMD/ATI]" "Navi 23 [Radeon RX 6600]" -rc7 -p00 "Sapphire" "Device e451"
PCI
}

sub guest {
    my $vda = '/sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda';
    return _machine(
        {
            uname           => [ Linux => 'guest', '6.12.0', '#1 SMP', 'x86_64' ],
            cpus            => \%TWO,
            work            => '/none/tmp',
            'uname -o'      => 'GNU/Linux',
            '/proc/cpuinfo' => _cpuinfo(
                2,
                "vendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC Processor\ncpu MHz\t\t: 2445.434\nflags\t\t: fpu lm hypervisor\nbogomips\t: 4890.86\n"
            ),
            '/proc/meminfo'              => "MemTotal:       4030712 kB\nSwapTotal:  0 kB\n",
            '/proc/self/mountinfo'       => "22 1 254:1 / / rw,relatime - xfs /dev/vda1 rw\n",
            'link /sys/dev/block/254:1'  => "$vda/vda1",
            "$vda/vda1/partition"        => "1\n",
            "$vda/size"                  => "41943040\n",
            "$vda/device/vendor"         => "0x1af4\n",
            "$vda/queue/scheduler"       => "[mq-deadline] none\n",
            "$vda/queue/read_ahead_kb"   => "128\n",
            "$vda/queue/rotational"      => "1\n",
            "$vda/queue/write_cache"     => "write through\n",
            "$DMI/sys_vendor"            => "QEMU\n",
            "$DMI/product_name"          => "Standard PC (i440FX + PIIX, 1996)\n",
            "$PCI/0000:00:00.0/class"    => "0x060000\n",
            "$PCI/0000:00:02.0/resource" =>
                "0x00000000fc000000 0x00000000fdffffff 0x0000000000042208\n0x00000000febd0000 0x00000000febd0fff 0x0000000000040200\n",
            'lspci -mm' => <<'PCI' }, @_);
00:00.0 "Host bridge" "Intel Corporation" "440FX - 82441FX PMC [Natoma]" -r02 -p00 "Red Hat, Inc." "Qemu virtual machine"
00:01.0 "ISA bridge" "Intel Corporation" "82371SB PIIX3 ISA [Natoma/Triton II]" -p00 "Red Hat, Inc." "Qemu virtual machine"
00:02.0 "VGA compatible controller" "Cirrus Logic" "GD 5446" -p00 "Red Hat, Inc." "QEMU Virtual Machine"
00:05.0 "SCSI storage controller" "Red Hat, Inc." "Virtio 1.0 block device" -r01 -p00 "Red Hat, Inc." "Device 1100"
PCI
}

sub board {
    my $mmc = '/sys/devices/platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0';
    return _machine(
        {
            uname           => [ Linux => 'pi', '6.6.20-v8', '#1 SMP PREEMPT', 'aarch64' ],
            cpus            => \%FOUR,
            work            => '/none/tmp',
            'uname -o'      => 'GNU/Linux',
            '/proc/cpuinfo' => _cpuinfo(
                4, "BogoMIPS\t: 108.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n"
            ),
            '/proc/meminfo'                      => "MemTotal:       3884360 kB\nSwapTotal:  102396 kB\n",
            "$SYS/cpu0/cpufreq/cpuinfo_max_freq" => "1500000\n",
            '/proc/device-tree/model'            => "Raspberry Pi 4 Model B Rev 1.4\0",
            '/proc/device-tree/compatible'       => "raspberrypi,4-model-b\0brcm,bcm2711\0",
            '/proc/device-tree/serial-number'    => "SECRET\0",
            '/proc/self/mountinfo'               => "22 1 179:2 / / rw,noatime - ext4 /dev/mmcblk0p2 rw\n",
            'link /sys/dev/block/179:2'          => "$mmc/mmcblk0p2",
            "$mmc/mmcblk0p2/partition"           => "2\n",
            "$mmc/size"                          => "62333952\n",
            "$mmc/device/name"                   => "SU32G\n",
            "$mmc/device/serial"                 => "SECRET\n",
            "$mmc/queue/scheduler"               => "none [mq-deadline]\n",
            "$mmc/queue/read_ahead_kb"           => "128\n",
            "$mmc/queue/rotational"              => "0\n",
            "$mmc/queue/write_cache"             => "write back\n",
            '/sys/class/drm/card1/device/uevent' =>
                "DRIVER=vc4-drm\nOF_NAME=gpu\nOF_COMPATIBLE_0=brcm,bcm2711-vc5\n",
            '/sys/class/drm/card0/device/uevent' => "DRIVER=v3d\n",
        },
        @_
    );
}

sub container {
    return _machine(
        {
            uname           => [ Linux => 'c0ffee', '6.1.0', '#1 SMP', 'x86_64' ],
            cpus            => \%TWO,
            work            => '/none/tmp',
            'uname -o'      => 'GNU/Linux',
            '/proc/cpuinfo' => _cpuinfo(
                2,
                "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Processor\nflags\t\t: fpu lm hypervisor\n"
            ),
            '/proc/self/mountinfo' =>
                "40 1 0:52 / / rw,relatime - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d\n",
            '/.dockerenv'   => '',
            '/proc/meminfo' => "MemTotal: 8061424 kB\n",
        },
        @_
    );
}

1;
