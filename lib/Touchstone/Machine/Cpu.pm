# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Cpu - facts about the CPUs from /proc/cpuinfo and /sys/devices/system/cpu. Facts that are not
# found are undef.
package Touchstone::Machine::Cpu;
use 5.014;
use strict;
use warnings;

use List::Util qw(first max);

use Touchstone::Machine::Cpus;
use Touchstone::Machine::Sysfile;

my $SYS = '/sys/devices/system/cpu';

# The classic report has names for these flags of /proc/cpuinfo, in the order of the flags.
my %FLAG_NAME = (
    pae     => 'Physical Address Ext',
    sep     => 'SYSENTER/SYSEXIT',
    mmx     => 'MMX',
    mmxext  => 'AMD MMX',
    syscall => 'SYSCALL/SYSRET',
    ht      => 'Hyper-Threading',
    lm      => 'x86-64',
    vmx     => 'Intel virtualization',
    svm     => 'AMD virtualization',
);

# Arm's /proc/cpuinfo has numbers in the place of makers' names.
my %IMPLEMENTER = (
    0x41 => 'ARM',
    0x42 => 'Broadcom',
    0x43 => 'Cavium',
    0x46 => 'Fujitsu',
    0x48 => 'HiSilicon',
    0x4e => 'NVIDIA',
    0x50 => 'APM',
    0x51 => 'Qualcomm',
    0x53 => 'Samsung',
    0x56 => 'Marvell',
    0x61 => 'Apple',
    0x69 => 'Intel',
    0x6d => 'Microsoft',
    0x70 => 'Phytium',
    0xc0 => 'Ampere',
);

# Names of parts, by the numbers of maker and part in hexadecimal.
my %PART = split ' ', <<'END';
41-c07 Cortex-A7   41-c08 Cortex-A8   41-c09 Cortex-A9   41-c0f Cortex-A15   41-d03 Cortex-A53
41-d04 Cortex-A35   41-d05 Cortex-A55   41-d07 Cortex-A57   41-d08 Cortex-A72   41-d09 Cortex-A73
41-d0a Cortex-A75   41-d0b Cortex-A76   41-d0c Neoverse-N1   41-d0d Cortex-A77   41-d40 Neoverse-V1
41-d41 Cortex-A78   41-d44 Cortex-X1   41-d46 Cortex-A510   41-d47 Cortex-A710   41-d48 Cortex-X2
41-d49 Neoverse-N2   41-d4a Neoverse-E1   41-d4d Cortex-A715   41-d4e Cortex-X3   41-d4f Neoverse-V2
41-d80 Cortex-A520   41-d81 Cortex-A720   41-d82 Cortex-X4   41-d84 Neoverse-V3   41-d8e Neoverse-N3
42-516 ThunderX2   43-0a1 ThunderX-88XX   43-0af ThunderX2   46-001 A64FX   48-d01 TaiShan-v110
48-d02 TaiShan-v120   4e-003 Denver-2   4e-004 Carmel   50-000 X-Gene   51-001 Oryon
51-802 Kryo-3XX-Gold   51-803 Kryo-3XX-Silver   51-804 Kryo-4XX-Gold   51-805 Kryo-4XX-Silver
51-c00 Falkor   61-022 M1-Icestorm   61-023 M1-Firestorm   61-032 M2-Blizzard   61-033 M2-Avalanche
c0-ac3 AmpereOne   c0-ac4 AmpereOne-A
END

# Returns 'ARM Neoverse-N1', or 'ARM part 0xfff' for a part without a name here, from the fields of a CPU.
sub _arm_model {
    my ($field) = @_;
    my ($maker, $part) = map { lc(($_ // '') =~ /\A0x([0-9a-f]{1,3})\z/ia ? $1 : '') }
        @$field{ 'CPU implementer', 'CPU part' };
    return if !length $maker || !length $part;
    my $name = $PART{ sprintf '%02x-%03x', hex $maker, hex $part } // "part 0x$part";
    return ($IMPLEMENTER{ hex $maker } // "implementer 0x$maker") . " $name";
}

# Returns { id, model, bogomips, flags => [names] } for each CPU. A model that the system does not name is
# `otherwise`, or unknown.
sub models {
    my ($cpus, $cpuinfo, $otherwise) = @_;
    my %none = (model => $otherwise // 'unknown', bogomips => 'unknown', flags => []);
    my %about;
    for my $block (split /\n\s*\n/a, $cpuinfo) {
        my %field = $block =~ /^([^:\n]*?)[ \t]*:[ \t]*(.*)$/mg;
        next if !defined $field{processor} || $field{processor} !~ /^\d+$/a;
        my %has = map { $_ => 1 } split ' ', $field{flags} // '';
        $about{ $field{processor} } = {
            model => $field{'model name'} // $field{cpu} // $field{Processor} // _arm_model(\%field)
                // $none{model},
            bogomips => (grep { defined } @field{qw(bogomips BogoMIPS)}, $none{bogomips})[0],
            flags    => [ map { $FLAG_NAME{$_} } sort grep { $has{$_} } keys %FLAG_NAME ],
        };
    }
    return map {
        { %none, %{ $about{$_} || {} }, id => $_ }
    } @{ $cpus->{online} };
}

# Facts that are equal in all CPUs are read from the first only, because there may be hundreds.
sub facts {
    my ($cpus, $cpuinfo) = @_;
    my $first = $cpus->{online}[0];
    return {
        vendor    => scalar _vendor($cpuinfo),
        microcode => _field($cpuinfo, 'microcode') // _line("$SYS/cpu$first/microcode/version"),
        _topology($cpus, $cpuinfo),
        numa_nodes => _how_many('/sys/devices/system/node/online'),
        caches     => _caches("$SYS/cpu$first/cache"),
        _frequency($first),
        boost            => _boost(),
        sha_instructions => scalar _sha($cpuinfo),
    };
}

# Returns the first line of a file, or undef if that is missing or empty.
sub _line {
    my ($file) = @_;
    my $line = Touchstone::Machine::Sysfile::line($file) // '';
    return length $line ? $line : undef;
}

sub _field {
    my ($cpuinfo, $name) = @_;
    my ($value) = $cpuinfo =~ /^\Q$name\E[ \t]*:[ \t]*(\S.*)$/m;
    return $value;
}

sub _vendor {
    my ($cpuinfo) = @_;
    my $name = _field($cpuinfo, 'vendor_id');
    return $name if defined $name;
    my ($number) = (_field($cpuinfo, 'CPU implementer') // '') =~ /\A0x([0-9a-f]{1,2})\z/i or return;
    return $IMPLEMENTER{ hex $number } // "implementer 0x$number";
}

# x86 has one flag for SHA-1 and SHA-256, Arm one for each. A machine that tells no flags gives no fact.
my @SHA = (
    [ 'SHA-1'   => qr/\b(?:sha_ni|sha1)\b/ ],
    [ 'SHA-256' => qr/\b(?:sha_ni|sha2)\b/ ],
    [ 'SHA-512' => qr/\b(?:sha512)\b/ ]
);

sub _sha {
    my ($cpuinfo) = @_;
    my $flags = _field($cpuinfo, 'flags') // _field($cpuinfo, 'Features') // return;
    return join(', ', map { $flags =~ $_->[1] ? $_->[0] : () } @SHA) || 'none';
}

sub _how_many {
    my ($file) = @_;
    my @ids = Touchstone::Machine::Cpus::list_of(_line($file) // '');
    return scalar(@ids) || undef;
}

# Returns sockets, cores, threads, threads_per_core and smt.
sub _topology {
    my ($cpus, $cpuinfo) = @_;
    my $topology = "$SYS/cpu$cpus->{online}[0]/topology";
    my %is       = _old_topology($cpuinfo);
    if (defined(_line("$topology/core_cpus_list") // _line("$topology/thread_siblings_list"))) {
        my %threads;
        $threads{$_}++ for values %{ $cpus->{core} };
        @is{qw(cores threads_per_core)} = (scalar keys %threads, max(values %threads));
    }
    $is{sockets} = _sockets($cpus) // $is{sockets};
    my $smt      = _line("$SYS/smt/active") // '';
    my $siblings = $is{threads_per_core};
    my $on =
           $smt eq '1'
        || defined $siblings && $siblings > 1 ? 'on'  : $smt eq '0'
        || defined $siblings                  ? 'off' : undef;
    return (%is, threads => scalar @{ $cpus->{online} }, smt => $on);
}

# x86 without /sys tells these numbers in /proc/cpuinfo.
sub _old_topology {
    my ($cpuinfo) = @_;
    my %sockets   = map { $_ => 1 } $cpuinfo =~ /^physical id[ \t]*:[ \t]*(\d+)$/mga;
    my ($cores, $siblings) = map { (_field($cpuinfo, $_) // '') =~ /\A([1-9]\d{0,5})\z/a } 'cpu cores',
        'siblings';
    return                                   if !%sockets;
    return (sockets => scalar keys %sockets) if !$cores || !$siblings;
    return (
        sockets          => scalar keys %sockets,
        cores            => $cores * keys %sockets,
        threads_per_core => int($siblings / $cores) || 1
    );
}

# Every CPU has a file that names all CPUs of its socket; reading it for one of them is enough.
sub _sockets {
    my ($cpus)  = @_;
    my %left    = map { $_ => 1 } @{ $cpus->{online} };
    my $sockets = 0;
    for my $cpu (grep { $left{$_} } @{ $cpus->{online} }) {
        next if !$left{$cpu};
        my $topology = "$SYS/cpu$cpu/topology";
        my $list = _line("$topology/package_cpus_list") // _line("$topology/core_siblings_list") // return;
        delete @left{ $cpu, Touchstone::Machine::Cpus::list_of($list) };
        $sockets++;
    }
    return $sockets || undef;
}

# Returns 'L1d 32K, L1i 32K, L2 1024K, L3 35M'.
sub _caches {
    my ($directory) = @_;
    my %letter = (Data => 'd', Instruction => 'i');
    my %size;
    for my $index (grep { /\Aindex\d\z/a } Touchstone::Machine::Sysfile::names($directory)) {
        my ($level, $type, $size) = map { _line("$directory/$index/$_") // '' } qw(level type size);
        next if $level !~ /\A\d\z/a || $size !~ /\A(\d{1,9})K\z/a;
        $size{ "L$level" . ($letter{$type} // '') } = $1 > 1024 && $1 % 1024 == 0 ? $1 / 1024 . 'M' : $size;
    }
    return %size ? join(', ', map { "$_ $size{$_}" } sort keys %size) : undef;
}

# CPUs that change their speed together share a directory, policyN.
sub _frequency {
    my ($first)  = @_;
    my @policies = map { "$SYS/cpufreq/$_" }
        grep { /\Apolicy\d+\z/a } Touchstone::Machine::Sysfile::names("$SYS/cpufreq");
    @policies = ("$SYS/cpu$first/cpufreq") if !@policies;
    my %governors = map { $_ => 1 } grep { defined } map { _line("$_/scaling_governor") } @policies;
    my $driver    = first { defined } map { _line("$_/scaling_driver") } @policies[ 0, -1 ];
    return (governor => %governors ? join(', ', sort keys %governors) : undef, cpu_driver => $driver);
}

sub _boost {
    my %is = (0 => 'off', 1 => 'on');
    my $no = _line("$SYS/intel_pstate/no_turbo") // '';
    return $no eq '0' ? 'on' : 'off' if $no =~ /\A[01]\z/;
    return $is{ _line("$SYS/cpufreq/boost") // '' };
}

1;
