# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Kernel - how the running kernel was built and started. Facts that are not found are undef.
package Touchstone::Machine::Kernel;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my $AUTOGROUP       = '/proc/sys/kernel/sched_autogroup_enabled';
my $IDLE            = '/sys/devices/system/cpu/cpuidle/current_governor_ro';
my $VULNERABILITIES = '/sys/devices/system/cpu/vulnerabilities';

# A kernel is built for debugging `with` this and not `without` that; the words `on` and `off` at its start
# turn it on and off.
my %DEBUGGING = (
    lockdep => { with => qr/^CONFIG_PROVE_LOCKING=y$/m },

    # Kernels for everyday use have this with tags in hardware, which does not count as debugging.
    kasan =>
        { with => qr/^CONFIG_KASAN=y$/m, without => qr/^CONFIG_KASAN_HW_TAGS=y$/m, off => qr/\bkasan=off\b/ },
    kmemleak => {
        with    => qr/^CONFIG_DEBUG_KMEMLEAK=y$/m,
        without => qr/^CONFIG_DEBUG_KMEMLEAK_DEFAULT_OFF=y$/m,
        on      => qr/\bkmemleak=on\b/,
        off     => qr/\bkmemleak=off\b/
    },
    debug_pagealloc => {
        with => qr/^CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y$/m,
        on   => qr/\bdebug_pagealloc=(?:on|1)\b/,
        off  => qr/\bdebug_pagealloc=(?:off|0)\b/
    },
    slub_debug => {
        with => qr/^CONFIG_SLUB_DEBUG_ON=y$/m,
        on   => qr/\bsl[ua]b_debug(?:=(?!-)|\s|\z)/a,
        off  => qr/\bsl[ua]b_debug=-/
    },
    page_poison => {
        with => qr/^CONFIG_PAGE_POISONING_ENABLE_DEFAULT=y$/m,
        on   => qr/\bpage_poison=(?:on|1)\b/,
        off  => qr/\bpage_poison=(?:off|0)\b/
    },
);

sub facts {
    my ($release, $version) = @_;
    my $cmdline = Touchstone::Machine::Sysfile::line('/proc/cmdline');
    my $config  = _config($release);
    return {
        cmdline       => $cmdline,
        debug_kernel  => _debugging($release, $cmdline // '', $config),
        preemption    => _preemption($version, $config // ''),
        scheduler     => _scheduler($config            // ''),
        idle_governor => scalar Touchstone::Machine::Sysfile::line($IDLE),
        mitigations   => _mitigations(),
        aslr          => scalar Touchstone::Machine::Sysfile::line('/proc/sys/kernel/randomize_va_space'),
        clock_source  => scalar Touchstone::Machine::Sysfile::line(
            '/sys/devices/system/clocksource/clocksource0/current_clocksource'),
    };
}

# Returns the configuration that the kernel was built with, as text, or undef. It starts gzip, because Perl
# needs three times as long to load its own module.
sub _config {
    my ($release) = @_;
    for my $file ("/boot/config-$release", "/lib/modules/$release/config") {
        my $text = Touchstone::Machine::Sysfile::text($file);
        return $text if defined $text && $text =~ /^CONFIG_/m;
    }
    return if !Touchstone::Machine::Sysfile::present('/proc/config.gz');
    my ($status, $text) = Touchstone::Machine::Command::output([ 'gzip', '-dc', '/proc/config.gz' ]);
    return $status == 0 && $text =~ /^CONFIG_/m ? $text : undef;
}

# Names the debugging options that make the kernel slow. It returns "none" only if the configuration was
# found.
sub _debugging {
    my ($release, $cmdline, $config) = @_;
    my %found;
    $found{lockdep}         = 1 if Touchstone::Machine::Sysfile::present('/proc/lockdep');
    $found{'debug release'} = 1 if $release =~ /[-+.]debug\b/;
    for my $name (sort keys %DEBUGGING) {
        my $state = $DEBUGGING{$name};
        my $built =
               defined $config
            && $config =~ $state->{with}
            && !($state->{without} && $config =~ $state->{without});
        my $asked = $state->{on} && $cmdline =~ $state->{on};
        $found{$name} = 1 if ($built || $asked) && !($state->{off} && $cmdline =~ $state->{off});
    }
    return join ', ', sort keys %found if %found;
    return defined $config ? 'none' : undef;
}

sub _preemption {
    my ($version, $config) = @_;
    my ($word) = $version =~ /\b(PREEMPT(?:_[A-Z]+)*)\b/;
    return $word if defined $word;
    return $config =~ /^CONFIG_(PREEMPT_(?:NONE|VOLUNTARY|LAZY|RT))=y$/m ? $1 : undef;
}

# Returns '250 Hz, autogroup on', as far as everybody can read it: how often a CPU looks whose turn it is, and
# whether the tasks of a terminal share one turn.
sub _scheduler {
    my ($config)  = @_;
    my ($hz)      = $config =~ /^CONFIG_HZ=([0-9]+)$/m;
    my $autogroup = Touchstone::Machine::Sysfile::line($AUTOGROUP);
    my @parts     = (
        defined $hz        ? "$hz Hz"                                          : (),
        defined $autogroup ? 'autogroup ' . ($autogroup eq '0' ? 'off' : 'on') : ()
    );
    return @parts ? join(', ', @parts) : undef;
}

# Returns 'meltdown: Not affected; spectre_v2: Mitigation: Retpolines, STIBP: disabled'.
sub _mitigations {
    my @lines;
    for my $name (Touchstone::Machine::Sysfile::names($VULNERABILITIES)) {
        my $state = Touchstone::Machine::Sysfile::line("$VULNERABILITIES/$name") // next;
        push @lines, "$name: " . $state =~ s/\s*;\s*/, /gar if length $state;
    }
    return @lines ? join('; ', @lines) : undef;
}

# BSD and macOS, which have neither /proc nor /sys, tell their facts by one call of sysctl. Facts that are not
# found are absent. Systems print in different forms:
#
#   hw.physmem: 8543567872        FreeBSD, macOS
#   hw.physmem=8543567872         OpenBSD
#   hw.physmem64 = 8543567872     NetBSD

my %ASK = (
    FreeBSD => {
        model            => 'hw.model',
        bytes            => 'hw.physmem',
        clock_source     => 'kern.timecounter.hardware',
        cores            => 'kern.smp.cores',
        numa_nodes       => 'vm.ndomains',
        threads_per_core => 'kern.smp.threads_per_core',
        guest            => 'kern.vm_guest',
        jailed           => 'security.jail.jailed',
        mains            => 'hw.acpi.acline',
    },
    NetBSD => {
        model        => 'machdep.cpu_brand',
        bytes        => 'hw.physmem64',
        clock_source => 'kern.timecounter.hardware'
    },
    OpenBSD => {
        model        => 'hw.model',
        vendor       => 'hw.vendor',
        bytes        => 'hw.physmem',
        clock_source => 'kern.timecounter.hardware',
        smt          => 'hw.smt'
    },
    Darwin => {
        model   => 'machdep.cpu.brand_string',
        vendor  => 'machdep.cpu.vendor',
        bytes   => 'hw.memsize',
        cores   => 'hw.physicalcpu',
        sockets => 'hw.packages',
        guest   => 'kern.hv_vmm_present',
    },
);
$ASK{DragonFly} = $ASK{FreeBSD};

# These values of sysctl stand for the words that records use.
my %WORD = (
    guest => {
        0       => 'none',
        none    => 'none',
        1       => 'unknown hypervisor',
        generic => 'unknown hypervisor',
        hv      => 'microsoft',
        vbox    => 'virtualbox',
        map { $_ => $_ } qw(kvm xen vmware bhyve parallels)
    },
    jailed => { 0 => 'none',    1 => 'jail' },
    mains  => { 0 => 'battery', 1 => 'mains' },
    smt    => { 0 => 'off',     1 => 'on' },
);
my %FACT = (guest => 'virtualisation', jailed => 'container', mains => 'power');

# Returns the facts if this is a kernel that it knows by the name from uname, otherwise {}.
sub sysctl_facts {
    my ($system) = @_;
    my $ask      = $ASK{$system} or return {};
    return {} if !defined Touchstone::Machine::Command::find('sysctl');

    # sysctl fails if a version lacks one of the names, but it prints the others all the same.
    my (undef, $text) =
        Touchstone::Machine::Command::output([ 'sysctl', map { $ask->{$_} } sort keys %$ask ]);
    my %values = $text =~ /^([\w.]+)(?::[ ]|[ ]?=[ ]?)(.*)$/mga;
    my %fact;
    for my $name (sort keys %$ask) {
        my $value = $values{ $ask->{$name} };
        $value = $WORD{$name}{ $value // '' } if $WORD{$name};
        $fact{ $FACT{$name} // $name } = $value if defined $value;
    }
    my $bytes = delete $fact{bytes} // '';
    $fact{memory_kb} = int $bytes / 1024 if $bytes =~ /\A\d{4,18}\z/a;
    return \%fact;
}

1;
