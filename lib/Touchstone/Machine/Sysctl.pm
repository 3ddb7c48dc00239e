# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Sysctl - the facts of BSD and macOS, which have neither /proc nor /sys, by one call of sysctl.
# Facts that are not found are absent. Systems print in different forms:
#
#   hw.physmem: 8543567872        FreeBSD, macOS
#   hw.physmem=8543567872         OpenBSD
#   hw.physmem64 = 8543567872     NetBSD
package Touchstone::Machine::Sysctl;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;

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
sub facts {
    my ($system) = @_;
    my $ask      = $ASK{$system} or return {};
    return {} if !defined Touchstone::Machine::Command::find('sysctl');

    # sysctl fails if a version lacks one of the names, but it prints the others all the same.
    my (undef, $text) =
        Touchstone::Machine::Command::output([ 'sysctl', map { $ask->{$_} } sort keys %$ask ]);
    my %said = $text =~ /^([\w.]+)(?::[ ]|[ ]?=[ ]?)(.*)$/mga;
    my %fact;
    for my $name (sort keys %$ask) {
        my $value = $said{ $ask->{$name} };
        $value = $WORD{$name}{ $value // '' } if $WORD{$name};
        $fact{ $FACT{$name} // $name } = $value if defined $value;
    }
    my $bytes = delete $fact{bytes} // '';
    $fact{memory_kb} = int $bytes / 1024 if $bytes =~ /\A\d{4,18}\z/a;
    return \%fact;
}

1;
