# SPDX-License-Identifier: GPL-2.0-or-later
# Machine on pretended machines of many kinds, given by their files and commands: servers, boards, guests,
# containers, BSD.
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Pretend qw(on_machine host_of facts_of check_complete $SYS @NEW);
use Touchstone::Machine::Sysfile;
use Touchstone::Machine;

my $dir = File::Temp->newdir;

# Four CPUs on two cores of one socket, whose siblings are two apart.
my %FOUR = (
    online       => [ 0 .. 3 ],
    usable       => [ 0 .. 3 ],
    usable_count => 4,
    quota        => undef,
    core         => { 0 => 0, 1 => 1, 2 => 0, 3 => 1 }
);
my @LINUX = (Linux => 'host', '6.1.0-18-amd64', '#1 SMP PREEMPT_DYNAMIC Debian', 'x86_64');

# An Intel server without a hypervisor, whose work directory is on a separate disk.
sub bare_metal {
    my %also = @_;
    my $cpu =
        "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R)\nmicrocode\t: 0x2b000571\nflags\t\t: fpu pae ht lm vmx\nbogomips\t: 4000.00\n";
    my %has = (
        uname                                  => \@LINUX,
        cpus                                   => \%FOUR,
        work                                   => '/srv/bench/tmp',
        '/proc/cpuinfo'                        => join("\n", map { "processor\t: $_\n$cpu" } 0 .. 3),
        '/proc/cmdline'                        => "BOOT_IMAGE=/vmlinuz root=/dev/sda2 ro quiet\n",
        "$SYS/cpu0/topology/core_cpus_list"    => "0,2\n",
        "$SYS/cpu0/topology/package_cpus_list" => "0-3\n",
        "$SYS/smt/active"                      => "1\n",
        '/sys/devices/system/node/online'      => "0-1\n",
        "$SYS/intel_pstate/no_turbo"           => "0\n",
        "$SYS/vulnerabilities/meltdown"        => "Not affected\n",
        "$SYS/vulnerabilities/spectre_v2"      => "Mitigation: Enhanced IBRS; IBPB: conditional\n",
        (
            map {
                (
                    "$SYS/cpufreq/policy$_/scaling_governor" => "powersave\n",
                    "$SYS/cpufreq/policy$_/scaling_driver"   => "intel_pstate\n"
                )
            } 0 .. 3
        ),
        '/proc/meminfo' =>
            "MemTotal:       65536000 kB\nMemFree: 1 kB\nSwapTotal:  1048576 kB\nHugePages_Total:       3\nHugepagesize:    2048 kB\n",
        '/sys/kernel/mm/transparent_hugepage/enabled' => "always [madvise] never\n",
        '/proc/loadavg'                               => "0.31 0.20 0.10 1/123 4567\n",
        '/proc/self/mountinfo'                        =>
            "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n30 22 8:17 / /srv rw,noatime - xfs /dev/sdb1 rw,attr2\n",
        '/proc/self/cgroup' => "0::/user.slice/user-0.slice/session-1.scope\n",
        '/proc/self/status' => "Name:\tperl\nNoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n",
        '/proc/stat'        => "cpu  1 2 3 4 5 6 7 0 0 0\ncpu0 1 2 3 4 5 6 7 0 0 0\n",
        '/sys/devices/system/clocksource/clocksource0/current_clocksource'   => "tsc\n",
        '/sys/devices/system/clocksource/clocksource0/available_clocksource' => "tsc hpet acpi_pm \n",
        '/sys/class/dmi/id/sys_vendor'                                       => "Dell Inc.\n",
        '/sys/class/dmi/id/product_name'                                     => "PowerEdge R660\n",
        '/proc/sys/kernel/randomize_va_space'                                => "2\n",
        '/boot/config-6.1.0-18-amd64'                                        =>
            "CONFIG_64BIT=y\n# CONFIG_KASAN is not set\nCONFIG_HAVE_DEBUG_KMEMLEAK=y\nCONFIG_HZ_250=y\nCONFIG_HZ=250\n",
        '/proc/sys/kernel/sched_autogroup_enabled' => "1\n",
        "$SYS/cpuidle/current_governor_ro"         => "menu\n",
        '/proc/self/limits'                        =>
            "Limit  Soft Limit  Hard Limit  Units\nMax stack size            8388608              unlimited            bytes     \n"
            . "Max processes             12345                20000                processes \nMax open files            1024                 4096                 files     \n"
            . "Max locked memory         65536                65536                bytes     \n",
        caches('32K', '32K', '1024K', '35840K'),
        %also,
    );
    return map { $_ => $has{$_} } grep { defined $has{$_} } keys %has;
}

sub caches {
    my @kind = ([ 1, 'Data' ], [ 1, 'Instruction' ], [ 2, 'Unified' ], [ 3, 'Unified' ]);
    return map {
        my $i = "$SYS/cpu0/cache/index$_";
        ("$i/level" => "$kind[$_][0]\n", "$i/type" => "$kind[$_][1]\n", "$i/size" => "$_[$_]\n")
    } 0 .. $#_;
}

subtest 'a server tells everything' => sub {
    my $host = host_of(bare_metal());
    check_complete('server', $host);
    my %want = (
        cmdline          => 'BOOT_IMAGE=/vmlinuz root=/dev/sda2 ro quiet',
        vendor           => 'GenuineIntel',
        sockets          => 1,
        cores            => 2,
        threads          => 4,
        threads_per_core => 2,
        numa_nodes       => 2,
        caches           => 'L1d 32K, L1i 32K, L2 1024K, L3 35M',
        microcode        => '0x2b000571',
        governor         => 'powersave',
        cpu_driver       => 'intel_pstate',
        boost            => 'on',
        sha_instructions => 'none',
        smt              => 'on',
        mitigations     => 'meltdown: Not affected; spectre_v2: Mitigation: Enhanced IBRS, IBPB: conditional',
        memory_kb       => 65536000,
        memory_limit_kb => 'unknown',
        swap_kb         => 1048576,
        huge_pages      => 'transparent: madvise; 3 of 2048 kB',
        work_directory  => '/srv/bench/tmp',
        file_system     => 'xfs',
        mount_options   => 'rw,noatime,attr2',
        device          => '/dev/sdb1',
        virtualisation  => 'none',
        container       => 'none',
        steal_accounting => 'none seen',
        seccomp          => 'none',
        clock_source     => 'tsc',
        load             => 0.31,
        power            => 'unknown',
        debug_kernel     => 'none',
        preemption       => 'PREEMPT_DYNAMIC',
        scheduler        => '250 Hz, autogroup on',
        idle_governor    => 'menu',
        aslr             => 2,
        limits           => 'processes 12345, open files 1024, stack 8 MB, locked memory 64 KB',
        clock_cost_ns    => 'unknown',
    );
    is_deeply({ map { $_ => $host->{$_} } @NEW }, \%want, 'all of it');
};

subtest 'topology is what /sys says, or else what x86 says in /proc/cpuinfo' => sub {
    my $names = 'sockets cores threads threads_per_core smt';
    my %two   = (%FOUR, core => { map { $_ => $_ } 0 .. 3 });
    is(
        facts_of(
            $names,
            bare_metal(
                cpus                                   => \%two,
                "$SYS/smt/active"                      => "0\n",
                "$SYS/cpu0/topology/package_cpus_list" => "0-1\n",
                "$SYS/cpu2/topology/package_cpus_list" => "2-3\n"
            )
        ),
        '2 | 4 | 4 | 1 | off',
        'two sockets without SMT'
    );
    my @none = map { $_ => undef } "$SYS/cpu0/topology/core_cpus_list",
        "$SYS/cpu0/topology/package_cpus_list", "$SYS/smt/active";
    is(facts_of($names, bare_metal(@none)), 'unknown | unknown | 4 | unknown | unknown', 'nothing tells');
    my $cpuinfo = join "\n",
        map { "processor : $_\nphysical id : " . $_ % 2 . "\nsiblings : 2\ncpu cores : 1\n" } 0 .. 3;
    is(
        facts_of($names, bare_metal(@none, '/proc/cpuinfo' => $cpuinfo)),
        '2 | 2 | 4 | 2 | on',
        'x86 without /sys'
    );
    is(
        facts_of(
            $names,
            bare_metal(
                @none,
                "$SYS/cpu0/topology/thread_siblings_list" => "0,2\n",
                "$SYS/cpu0/topology/core_siblings_list"   => "0-3\n"
            )
        ),
        '1 | 2 | 4 | 2 | on',
        'the files of old kernels'
    );
};

subtest 'the SHA instructions are those that the flags name' => sub {
    my $of =
        sub { return facts_of('sha_instructions', bare_metal('/proc/cpuinfo' => "processor : 0\n$_[0]\n")) };
    is($of->('flags : fpu sse4_2 sha_ni avx2'),                      'SHA-1, SHA-256', 'x86');
    is($of->('flags : fpu sse4_2 avx2 shadow'),                      'none',           'x86 without');
    is($of->('Features : fp asimd aes sha1 sha2 crc32 sha512 sha3'), 'SHA-1, SHA-256, SHA-512', 'Arm');
    is($of->('Features : fp asimd sha3'), 'none',    'Arm without');
    is($of->('model name : X'),           'unknown', 'a machine that names no flags');
};

subtest 'a filter of system calls is what the kernel says of this process' => sub {
    my $of = sub { return facts_of('seccomp', bare_metal('/proc/self/status' => $_[0])) };
    is($of->("Seccomp:\t0\nSeccomp_filters:\t0\n"), 'none',      'none');
    is($of->("Seccomp:\t1\nSeccomp_filters:\t0\n"), 'strict',    'strict');
    is($of->("Seccomp:\t2\nSeccomp_filters:\t1\n"), '1 filter',  'one');
    is($of->("Seccomp:\t2\nSeccomp_filters:\t3\n"), '3 filters', 'three');
    is($of->("Seccomp:\t2\n"),                      'filter',    'a kernel that does not count them');
    is($of->("Name:\tperl\n"),                      'unknown',   'a kernel without');
    is($of->("Seccomp:\t7\n"),                      'unknown',   'a number of the future');
    is($of->(undef),                                'unknown',   'a system without /proc');
};

subtest 'hundreds of CPUs are asked for little' => sub {
    my @ids  = 0 .. 511;
    my %many = (
        online       => \@ids,
        usable       => \@ids,
        usable_count => 512,
        quota        => undef,
        core         => { map { $_ => $_ % 256 } @ids }
    );
    my %has = bare_metal(
        cpus            => \%many,
        '/proc/cpuinfo' =>
            join("\n", map { "processor\t: $_\nmodel name\t: Xeon\nflags\t: " . 'flag ' x 150 . "\n" } @ids),
        "$SYS/cpu0/topology/package_cpus_list"   => '0-127,256-383',
        "$SYS/cpu128/topology/package_cpus_list" => '128-255,384-511',
        (map { ("$SYS/cpu$_/cache/index0/size" => "32K\n", "$SYS/cpu$_/microcode/version" => '1') } @ids),
        map { ("$SYS/cpufreq/policy$_/scaling_governor" => $_ % 2 ? "performance\n" : "powersave\n") } @ids
    );
    my ($host, $files) = (undef, 0);
    on_machine(
        \%has,
        sub {
            my $text = \&Touchstone::Machine::Sysfile::text;
            no warnings 'redefine';
            local *Touchstone::Machine::Sysfile::text = sub { $files++; return $text->(@_) };
            $host = Touchstone::Machine::host_facts(\%many, '/srv');
        }
    );
    is(
        "$host->{sockets} $host->{cores} $host->{threads} $host->{governor}",
        '2 256 512 performance, powersave',
        'two sockets and two governors'
    );
    cmp_ok($files, '<', 640, 'hardly more than a file for each group of CPUs that share a speed');
};

subtest 'the speed of the CPUs is what the drivers say' => sub {
    my @none = map {
        ("$SYS/cpufreq/policy$_/scaling_governor" => undef, "$SYS/cpufreq/policy$_/scaling_driver" => undef)
    } 0 .. 3;
    my $names = 'governor cpu_driver boost';
    is(
        facts_of($names, bare_metal("$SYS/cpufreq/policy2/scaling_governor" => "performance\n")),
        'performance, powersave | intel_pstate | on',
        'two governors'
    );
    is(
        facts_of($names, bare_metal(@none, "$SYS/intel_pstate/no_turbo" => undef)),
        'unknown | unknown | unknown',
        'a virtual machine has none'
    );
    is(
        facts_of(
            $names,
            bare_metal(
                @none,
                "$SYS/cpu0/cpufreq/scaling_governor" => "ondemand\n",
                "$SYS/cpu0/cpufreq/scaling_driver"   => "acpi-cpufreq\n",
                "$SYS/intel_pstate/no_turbo"         => undef,
                "$SYS/cpufreq/boost"                 => "0\n"
            )
        ),
        'ondemand | acpi-cpufreq | off',
        'old kernels'
    );
    is(
        facts_of(
            'boost', bare_metal("$SYS/intel_pstate/no_turbo" => $_->[0], "$SYS/cpufreq/boost" => $_->[1])
        ),
        $_->[2],
        'boost'
    ) for [ "1\n", undef, 'off' ], [ "x\n", "1\n", 'on' ], [ undef, "2\n", 'unknown' ];
};

subtest 'an Arm board and a cloud machine of Arm' => sub {
    my $cpuinfo = join "\n", map {
        "processor\t: $_\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n"
    } 0 .. 3;
    my @arm = (
        uname                                  => [ Linux => 'pi', '6.6.20-v8', '#1 SMP PREEMPT', 'aarch64' ],
        cpus                                   => \%FOUR,
        '/proc/cpuinfo'                        => $cpuinfo,
        '/proc/device-tree/compatible'         => "raspberrypi,4-model-b\0brcm,bcm2711\0",
        "$SYS/cpu0/topology/core_cpus_list"    => "0\n",
        "$SYS/cpu0/topology/package_cpus_list" => "0-3\n",
        '/sys/devices/system/clocksource/clocksource0/current_clocksource' => "arch_sys_counter\n"
    );
    check_complete('board', host_of(@arm));
    my $names = 'vendor clock_source preemption virtualisation microcode caches';
    is(facts_of($names, @arm), 'ARM | arch_sys_counter | PREEMPT | none | unknown | unknown', 'a board');
    is(facts_of('virtualisation', @arm, '/proc/device-tree/hypervisor/compatible' => "linux,kvm\0"),
        'kvm', 'KVM names itself in the device tree');
    is(
        facts_of('virtualisation', @arm, '/proc/device-tree/hypervisor/compatible' => "acme,one\0"),
        'unknown hypervisor',
        'another does too'
    );
    my @dmi = map { "/sys/class/dmi/id/$_" } qw(sys_vendor product_name);
    is(facts_of('virtualisation', @arm, $dmi[0] => 'Amazon EC2', $dmi[1] => 'm7g.large'),
        'kvm', 'a virtual machine of a cloud');
    is(facts_of('virtualisation', @arm, $dmi[0] => 'Amazon EC2', $dmi[1] => 'm7g.metal'),
        'none', 'a whole machine of a cloud');
    is(facts_of('vendor', @arm, '/proc/cpuinfo' => "processor : 0\nCPU implementer : $_->[0]\n"),
        $_->[1], "implementer $_->[0]")
        for [ '0xc0', 'Ampere' ], [ '0xFE', 'implementer 0xFE' ], [ 'x', 'unknown' ];
    my $model = sub {
        my ($maker, $part) = @_;
        my $text = "processor : 0\nCPU implementer : $maker\nCPU part : $part\n";
        return host_of(@arm, '/proc/cpuinfo' => $text)->{cpus}[0]{model};
    };
    is($model->(@$_[ 0, 1 ]), $_->[2], "part $_->[1] of $_->[0]")
        for [ '0x41', '0xd0c', 'ARM Neoverse-N1' ], [ '0x41', '0xd08', 'ARM Cortex-A72' ],
        [ '0x46', '0x001', 'Fujitsu A64FX' ],             [ '0x48', '0xd01', 'HiSilicon TaiShan-v110' ],
        [ '0x61', '0x023', 'Apple M1-Firestorm' ],        [ '0xC0', '0xAC3', 'Ampere AmpereOne' ],
        [ '0x43', '0x0af', 'Cavium ThunderX2' ],          [ '0x41', '0xfff', 'ARM part 0xfff' ],
        [ '0xfe', '0x1',   'implementer 0xfe part 0x1' ], [ '0x41', 'x', 'unknown' ], [ '', '', 'unknown' ];
};

subtest 'a virtual machine is recognised' => sub {
    my ($clock, @dmi) = map { "/sys/$_" } 'devices/system/clocksource/clocksource0/available_clocksource',
        'class/dmi/id/sys_vendor',
        'class/dmi/id/product_name';
    my $flags =
        sub { return '/proc/cpuinfo' => "processor : 0\nflags : fpu" . ($_[0] ? ' hypervisor' : '') . "\n" };
    my @nothing = ($clock => undef, map { $_ => undef } @dmi);
    my $guest   = sub { return facts_of('virtualisation', bare_metal(@_)) };
    is($guest->($flags->(1), @nothing), 'unknown hypervisor', 'the CPU says so and nothing else does');
    is($guest->($flags->(0), @nothing), 'none',               'the CPU says not');
    is($guest->($flags->(1), @nothing, 'systemd-detect-virt --vm' => "amazon\n"), 'amazon',
        'the last resort');
    is(
        $guest->($flags->(1), @nothing, 'systemd-detect-virt --vm' => $_),
        'unknown hypervisor',
        'which may know nothing'
    ) for "none\n", "\0\n", '';
    is($guest->($flags->(1), @nothing, $clock => "kvm-clock tsc\n"), 'kvm', 'by the clock of KVM');
    is($guest->($flags->(1), @nothing, $clock => "hyperv_clocksource_tsc_page acpi_pm\n"),
        'microsoft', 'by the clock of Hyper-V');
    is($guest->(@nothing, '/sys/hypervisor/type' => "xen\n"), 'xen', 'Xen');
    my @version = map { ("/sys/hypervisor/version/$_->[0]" => "$_->[1]\n") } [ major => 4 ],
        [ minor => 17 ], [ extra => '.2' ];
    is($guest->(@nothing, '/sys/hypervisor/type' => "xen\n", @version), 'xen 4.17.2', 'and its version');
    is(
        $guest->(
            @nothing,
            '/sys/hypervisor/type' => "xen\n",
            @version,
            '/sys/hypervisor/version/extra' => "\e[31m\n"
        ),
        'xen 4.17',
        'what is no version is left out'
    );
    is($guest->(@nothing, '/sys/hypervisor/type' => "xen\n", '/proc/xen/capabilities' => "control_d\n"),
        'none', 'the first domain of Xen');

    for my $maker (
        [ 'VMware, Inc.',          'VMware7,1',       'vmware' ],
        [ 'innotek GmbH',          'VirtualBox',      'virtualbox' ],
        [ 'Microsoft Corporation', 'Virtual Machine', 'microsoft' ],
        [ 'Microsoft Corporation', 'Surface Laptop',  'none' ],
        [ 'QEMU',                  'Standard PC',     'qemu' ],
        [ 'Red Hat',               'KVM',             'kvm' ],
        [ 'Xen',                   'HVM domU',        'xen' ],
        [ 'Amazon EC2',            'c5.metal',        'none' ],
        [ 'Hetzner',               'vServer',         'none' ]
    ) {
        is($guest->($dmi[0] => "$maker->[0]\n", $dmi[1] => "$maker->[1]\n"),
            $maker->[2], "$maker->[0] $maker->[1]");
    }
    is($guest->($flags->(1), @nothing, $dmi[0] => 'Amazon EC2', $dmi[1] => 'c5.large'),
        'kvm', 'the same with a hypervisor is a guest');
    is(
        $guest->(
            '/proc/cpuinfo' => "vendor_id : IBM/S390\nprocessor 0: version = FF\n",
            @nothing,
            '/proc/sysinfo' => "VM00 Control Program: z/VM    7.2.0\n"
        ),
        'zvm',
        'a mainframe'
    );
    my $stat = '/proc/stat';
    is(facts_of('steal_accounting', bare_metal($stat => $_->[0])), $_->[1], "steal: $_->[1]")
        for [ "cpu  1 2 3 4 5 6 7 812 0 0\n", 'yes' ], [ "cpu  1 2 3 4 5 6 7 0\n", 'none seen' ],
        [ "cpu 1 2 3 4\n", 'unknown' ], [ "rubbish\n", 'unknown' ], [ undef, 'unknown' ];
};

subtest 'a container is recognised, also when it hides process 1' => sub {
    my $inside = sub { return facts_of('container', bare_metal('/proc/self/cgroup' => "0::/\n", @_)) };
    my $hosts  = sub {
        return '/proc/self/mountinfo' =>
            "40 1 8:1 / / rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/c\n41 40 8:1 $_[0] /etc/hosts rw - ext4 /dev/sda1 rw\n";
    };
    is($inside->(), 'none', 'none');
    is($inside->('/.dockerenv'        => ''), 'docker', 'the file of Docker, which is empty');
    is($inside->('/run/.containerenv' => "engine=\"podman-4.3\"\n"), 'podman', 'that of Podman');
    is($inside->('/proc/1/environ'    => "PATH=/bin\0container=lxc\0HOME=/\0"), 'lxc',
        'what process 1 was told');
    is($inside->('/proc/1/environ' => "notcontainer=lxc\0container=\0"), 'none',    'and nothing like it');
    is($inside->('/run/systemd/container' => "systemd-nspawn\n"), 'systemd-nspawn', 'what systemd noted');
    is($inside->('/proc/vz/version'       => ''),                 'openvz',         'OpenVZ');
    is($inside->('/proc/self/cgroup'      => "4:cpu:/docker/0123456789ab\n"), 'docker', 'a cgroup of Docker');
    is($inside->('/proc/self/cgroup'      => "0::/kubepods.slice/x/docker-0123.scope\n", '/.dockerenv' => ''),
        'kubernetes', 'a pod is one, whatever runs it');
    is($inside->('/proc/self/cgroup' => "4:cpu:/lxc/web\n"),       'lxc',    'a cgroup of LXC');
    is($inside->($hosts->('/var/lib/docker/containers/01/hosts')), 'docker', 'the place of its /etc/hosts');
    is($inside->($hosts->('/var/lib/kubelet/pods/01/etc-hosts')),  'kubernetes', 'of a pod');
    is(facts_of('mount_options file_system', bare_metal($hosts->('/x'), work => '/tmp')),
        'rw | overlay', 'the layers of the image are left out');
    is(facts_of('container', uname => \@LINUX), 'unknown', 'without /proc nobody knows');
    check_complete(
        'container',
        host_of(
            bare_metal(
                map { $_ => undef } '/proc/stat', '/sys/class/dmi/id/sys_vendor',
                '/boot/config-6.1.0-18-amd64'
            )
        )
    );
};

subtest 'the file system of the work directory is that of the longest mount around it' => sub {
    my $disk = sub {
        my ($work, @has) = @_;
        return facts_of('file_system device mount_options', uname => \@LINUX, work => $work, @has);
    };
    my @proc = (
        '/proc/self/mountinfo' => join '',
        map { "$_\n" } '1 0 8:1 / / rw shared:1 - ext4 /dev/sda1 rw,errors=remount-ro',
        '2 1 8:2 / /mnt/a\\040disk rw,noatime - xfs /dev/disk/by-label/a\\134b rw',
        '3 1 0:40 / /mnt ro shared:7 master:3 - nfs4 server:/export rw,vers=4.2',
        '4 1 0:41 /sub /none-such/x rw - btrfs /dev/sdb rw,subvol=/sub',
        '5 1 0:42 / /none-such/x rw - tmpfs none rw,size=4k', 'rubbish',
        '6 1 0:43 / /none-such/xy rw - fuse.sshfs me@host: rw'
    );
    is($disk->('/none',         @proc), 'ext4 | /dev/sda1 | rw,errors=remount-ro',    'the root');
    is($disk->('/mnt/a disk/b', @proc), 'xfs | /dev/disk/by-label/a\\b | rw,noatime', 'a path with a space');
    is($disk->('/mnt/b',        @proc), 'nfs4 | server:/export | ro,rw,vers=4.2',     'a network');
    is($disk->('/none-such/x',    @proc), 'tmpfs | none | rw,size=4k',  'of two at one place the last');
    is($disk->('/none-such/xy/z', @proc), 'fuse.sshfs | me@host: | rw', 'names that begin alike');
    is(
        $disk->('/none-such/xyz', @proc),
        'ext4 | /dev/sda1 | rw,errors=remount-ro',
        'no part of a name is taken for it'
    );
    my $real = Cwd::realpath("$dir");
    mkdir "$dir/disk" and symlink "$dir/disk", "$dir/link" or die "cannot make a link: $!\n";
    is(
        $disk->("$dir/link", $proc[0] => "$proc[1]7 1 0:44 / $real/disk rw - tmpfs none rw,size=4k\n"),
        'tmpfs | none | rw,size=4k',
        'links are followed'
    );
    is(
        $disk->(
            '/usr/home/me',
            mount =>
                "/dev/ada0p2 on / (ufs, local, journaled soft-updates)\ndata on /usr/home (zfs, local, nfsv4acls)\n"
        ),
        'zfs | data | local, nfsv4acls',
        'by mount, BSD'
    );
    is(
        $disk->(
            '/a b/c', mount => "/dev/sda1 on / type ext4 (rw)\n/dev/sdb1 on /a b type vfat (rw,noatime)\n"
        ),
        'vfat | /dev/sdb1 | rw,noatime',
        'by mount, Linux'
    );
    is(
        $disk->(
            '/x',
            'df -Pk /x' =>
                "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/wd0a 1000 400 600 40% /\n"
        ),
        'unknown | /dev/wd0a | unknown',
        'by df'
    );
    is(
        $disk->(
            '/x',
            'df -Pk /x' => "Filesystem 1024-blocks Used Available Capacity Mounted on\n- 1000 400 600 40% /\n"
        ),
        'unknown | unknown | unknown',
        'df does not know'
    );
    is($disk->('/x'), 'unknown | unknown | unknown', 'nothing tells');
    is(
        facts_of('work_directory file_system', uname => \@LINUX, @proc),
        'unknown | unknown',
        'no directory was named'
    );
};

subtest 'debugging in the kernel is found wherever it is turned on' => sub {
    my $config    = '/boot/config-6.1.0-18-amd64';
    my $found     = sub { return facts_of('debug_kernel', bare_metal(@_)) };
    my %by_config = (
        "CONFIG_KASAN=y\n"                                                  => 'kasan',
        "CONFIG_KASAN=y\nCONFIG_KASAN_HW_TAGS=y\n"                          => 'none',
        "CONFIG_DEBUG_KMEMLEAK=y\n"                                         => 'kmemleak',
        "CONFIG_DEBUG_KMEMLEAK=y\nCONFIG_DEBUG_KMEMLEAK_DEFAULT_OFF=y\n"    => 'none',
        "CONFIG_PROVE_LOCKING=y\nCONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y\n" => 'debug_pagealloc, lockdep'
    );
    is($found->($config => "CONFIG_X=y\n$_"), $by_config{$_}, s/\n/ /gr) for sort keys %by_config;
    my %by_word = (
        'slub_debug=FZP' => 'slub_debug',
        'slub_debug'     => 'slub_debug',
        'slub_debug=-'   => 'none',
        'page_poison=1'  => 'page_poison',
        'quiet debug'    => 'none'
    );
    is($found->('/proc/cmdline' => "ro $_\n"), $by_word{$_}, $_) for sort keys %by_word;
    is($found->($config         => "CONFIG_KASAN=y\n", '/proc/cmdline' => "kasan=off\n"),
        'none', 'what is turned off at the start is off');
    is($found->('/proc/lockdep' => ''), 'lockdep', 'by the file of lockdep');
    is(
        $found->(uname => [ @LINUX[ 0, 1 ], '6.5.0-300.fc39.x86_64+debug', @LINUX[ 3, 4 ] ]),
        'debug release',
        'by the name'
    );
    is(
        $found->($config => undef, '/proc/config.gz' => '', 'gzip -dc /proc/config.gz' => "CONFIG_KASAN=y\n"),
        'kasan',
        'by what the kernel tells itself'
    );
    is($found->($config => undef), 'unknown', 'without a configuration nobody knows');
    is(
        facts_of(
            'preemption',
            bare_metal(uname => [ @LINUX[ 0 .. 2 ], '#1 SMP 2024', 'x86_64' ], $config => $_->[0])
        ),
        $_->[1],
        "preemption: $_->[1]"
    ) for [ "CONFIG_PREEMPT_VOLUNTARY=y\n", 'PREEMPT_VOLUNTARY' ], [ undef, 'unknown' ];
    my $autogroup = '/proc/sys/kernel/sched_autogroup_enabled';
    is(facts_of('scheduler', bare_metal($config => $_->[0], $autogroup => $_->[1])),
        $_->[2], "scheduler: $_->[2]")
        for [ "CONFIG_HZ=1000\n", "0\n", '1000 Hz, autogroup off' ], [ undef, "1\n", 'autogroup on' ],
        [ "CONFIG_HZ=100\n", undef, '100 Hz' ], [ undef, undef, 'unknown' ];
};

subtest 'power comes from the mains or from a battery' => sub {
    my $power = sub {
        my (%has) = @_;
        return facts_of('power',
            bare_metal(map { ("/sys/class/power_supply/$_" => "$has{$_}\n") } keys %has));
    };
    my @battery = ('BAT0/type' => 'Battery', 'BAT0/status');
    my @mains   = ('AC/type'   => 'Mains',   'AC/online');
    is($power->(@mains, 1, @battery, 'Discharging'), 'mains',   'plugged in');
    is($power->(@mains, 0, @battery, 'Discharging'), 'battery', 'not plugged in');
    is($power->(@mains, 0, @battery, 'Unknown'), 'battery', 'not plugged in, and the battery does not tell');
    is($power->(@battery, $_), 'mains', "only a battery: $_") for 'Full', 'Charging', 'Not charging';
    is($power->(@battery, 'Discharging', 'usb/type' => 'USB', 'usb/online' => 1),
        'battery', 'a socket that is in use is no charger');
    is($power->(@battery, 'Discharging', 'BAT0/scope' => 'Device'), 'unknown', 'the battery of a mouse');
    is($power->('AC/type' => 'Mains', 'AC/online' => 0),
        'unknown', 'a supply that is not used, and no battery');
};

subtest 'limits are said in units for people' => sub {
    my $limits = sub { return facts_of('limits', bare_metal('/proc/self/limits' => $_[0])) };
    is(
        $limits->(
            "Max processes             unlimited            unlimited            processes \nMax stack size            unlimited  unlimited bytes\n"
        ),
        'processes unlimited, stack unlimited',
        'no limit'
    );
    is(
        $limits->(
            "Max locked memory         1073741824 unlimited bytes\nMax stack size            8388609 unlimited bytes\n"
        ),
        'stack 8388609 bytes, locked memory 1 GB',
        'odd sizes'
    );
    is($limits->($_), 'unknown', 'rubbish') for '', "\0", "Max processes\n", "Max processes x y z\n";
};

subtest 'a limit of memory is a fact where it is less than the memory' => sub {
    my @memory  = ('/proc/meminfo' => "MemTotal: 1000000 kB\n", '/proc/self/cgroup' => "0::/a\n");
    my $limited = sub { return facts_of('memory_limit_kb', @memory, @_) };
    is($limited->(),                                               'unknown', 'none');
    is($limited->('/sys/fs/cgroup/a/memory.max' => "204800000\n"), 200_000,   'of a control group');
    my $line = "Max address space         102400000            unlimited            bytes\n";
    is($limited->('/proc/self/limits'           => $line),          100_000,   'of ulimit -v');
    is($limited->('/sys/fs/cgroup/a/memory.max' => "1024000000\n"), 'unknown', 'all of it is no limit');
};

subtest 'BSD and macOS answer by sysctl' => sub {
    my @bsd = (
        uname                       => [ FreeBSD => 'bsd', '14.0-RELEASE', 'FreeBSD 14.0', 'amd64' ],
        uptime                      => '1:57 up 1 day, load averages: 0.42, 0.2, 0.1',
        work                        => '/none',
        mount                       => "/dev/ada0p2 on / (ufs, local)\n",
        'sysctl hw.physmem vm.kern' => ''
    );
    my $asked =
        'sysctl hw.physmem kern.timecounter.hardware kern.smp.cores kern.vm_guest security.jail.jailed hw.acpi.acline hw.model vm.ndomains kern.smp.threads_per_core';
    my $said =
        "hw.physmem: 8543567872\nkern.timecounter.hardware: TSC-low\nkern.smp.cores: 2\nkern.vm_guest: kvm\nsecurity.jail.jailed: 1\nhw.model: AMD: EPYC\nkern.smp.threads_per_core: 1\n";
    my $host = host_of(@bsd, $asked => $said);
    check_complete('FreeBSD', $host);
    is(
        join(
            ' | ',
            map { $host->{$_} }
                qw(memory_kb clock_source cores virtualisation container threads_per_core power load
                file_system)
        ),
        '8343328 | TSC-low | 2 | kvm | jail | 1 | unknown | 0.42 | ufs',
        'FreeBSD'
    );
    is($host->{cpus}[0]{model}, 'AMD: EPYC', 'and its model');
    my $open = host_of(
        uname => [ OpenBSD => 'o', '7.4', 'GENERIC', 'amd64' ],
        'sysctl hw.physmem kern.timecounter.hardware hw.model hw.smt hw.vendor' =>
            "hw.physmem=1073741824\nhw.smt=0\nhw.vendor=QEMU\n"
    );
    is("$open->{memory_kb} $open->{smt} $open->{clock_source}", '1048576 off unknown', 'OpenBSD');
    check_complete('OpenBSD', $open);
    check_complete($_,        host_of(uname => [ $_, 'x', '1', 'x', 'x' ], 'sysctl x' => ''))
        for qw(NetBSD Darwin DragonFly SunOS Haiku);
};

subtest 'whatever files hold, facts are short lines' => sub {
    my %has = bare_metal();
    for my $content (
        "\0\1\2\x1b[31m\xff\xfe",
        'x' x 300_000,
        "\n" x 1000,
        "1 " x 50_000,
        ('9' x 400) . "\n",
        "\xc3\x28: \xe2\x80\xae ;" x 500,
        "0-999999\n", ': : ; - ( ) [' x 100
    ) {
        my $what = substr($content, 0, 12) =~ s/[^ -~]/?/gr;
        my %bad  = map { $_ => m{^/} ? $content : $has{$_} } keys %has;
        check_complete("'$what' everywhere", host_of(%bad));
        my %all = (
            %bad,                                map { $_ => $content } 'mount',
            'df -Pk /srv/bench/tmp',             'systemd-detect-virt --vm',
            '/proc/1/environ',                   '/run/systemd/container',
            '/proc/sysinfo',                     '/proc/device-tree/compatible',
            '/sys/hypervisor/type',              '/sys/class/power_supply/AC/type',
            '/sys/class/power_supply/AC/online', '/proc/self/mountinfo'
        );
        check_complete("'$what' from commands too", host_of(%all));
    }
    my $named = host_of(bare_metal('/proc/cmdline' => "ro \e[2J name=\xe4 " . 'y' x 5000));
    like(
        $named->{cmdline},
        qr/\Aro \?\[2J name=\? y+\z/,
        'control characters and broken letters become question marks'
    );
    cmp_ok(length $named->{cmdline}, '<=', 2048, 'and the line is cut');
};

done_testing;
