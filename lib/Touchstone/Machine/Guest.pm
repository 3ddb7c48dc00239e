# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Guest - whether this is a virtual machine, a container or neither, and whether a filter looks at
# system calls. Facts that are not found are undef.
package Touchstone::Machine::Guest;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plural);
use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

# These clocks exist under one hypervisor only.
my @BY_CLOCK =
    ([ qr/\bkvm-clock\b/ => 'kvm' ], [ qr/\bhyperv_clocksource/ => 'microsoft' ], [ qr/\bxen\b/ => 'xen' ]);

# The firmware of a virtual machine names its maker and product like this.
my @BY_PRODUCT = (
    [ qr/VMware/                                => 'vmware' ],
    [ qr/innotek|VirtualBox/                    => 'virtualbox' ],
    [ qr/Microsoft Corporation Virtual Machine/ => 'microsoft' ],
    [ qr/\bXen\b|HVM domU/                      => 'xen' ],
    [ qr/Parallels/                             => 'parallels' ],
    [ qr/BHYVE/                                 => 'bhyve' ],
    [ qr/Apple Virtualization/                  => 'apple' ],
    [ qr/\bKVM\b|OpenStack|oVirt|Firecracker/   => 'kvm' ],
    [ qr/QEMU|Bochs/                            => 'qemu' ],
);

# Clouds rent out bare metal under the same names, so on x86 a name counts only if the CPU reports a
# hypervisor.
my @BY_CLOUD = (
    [
        qr/Amazon EC2|Google Compute Engine|Alibaba Cloud|Tencent Cloud|DigitalOcean|Hetzner|Scaleway|Akamai|Linode|Vultr/
            => 'kvm'
    ]
);

my @BY_DEVICE_TREE = (
    [ qr/kvm/    => 'kvm' ],
    [ qr/xen/    => 'xen' ],
    [ qr/vmware/ => 'vmware' ],
    [ qr/./s     => 'unknown hypervisor' ]
);

my @BY_CGROUP = (
    [ qr/kubepods/     => 'kubernetes' ],
    [ qr{/libpod[/_-]} => 'podman' ],
    [ qr{/docker[/-]}  => 'docker' ],
    [ qr{/lxc[./]}     => 'lxc' ],
    [ qr{/garden/}     => 'garden' ],
);

# Container engines mount a file of their own over /etc/hosts. Its path names the engine, even where the
# names of cgroups are hidden.
my @BY_HOSTS = (
    [ qr{/pods/}               => 'kubernetes' ],
    [ qr{/docker/containers/}  => 'docker' ],
    [ qr{/overlay-containers/} => 'podman' ],
);

sub facts {
    my ($cpuinfo) = @_;
    return {
        virtualisation   => scalar _virtualisation($cpuinfo),
        container        => _container(),
        steal_accounting => scalar _steal(),
        seccomp          => scalar _seccomp()
    };
}

sub _match {
    my ($text, @patterns) = @_;
    for my $pattern (@patterns) {
        return $pattern->[1] if $text =~ $pattern->[0];
    }
    return;
}

sub _text { return Touchstone::Machine::Sysfile::text($_[0]) // '' }

sub _virtualisation {
    my ($cpuinfo) = @_;
    my ($flags)   = $cpuinfo =~ /^flags[ \t]*:(.*)$/m;
    my $product   = join ' ',
        map { Touchstone::Machine::Sysfile::line("/sys/class/dmi/id/$_") // '' } qw(sys_vendor product_name);
    my $detected = _xen()
        // _match(_text('/sys/devices/system/clocksource/clocksource0/available_clocksource'), @BY_CLOCK)
        // _match($product, @BY_PRODUCT) // _by_device_tree()
        // _match(_text('/proc/sysinfo'), [ qr/KVM/ => 'kvm' ], [ qr{z/VM} => 'zvm' ]);
    return $detected if defined $detected;
    if (defined $flags) {
        return 'none' if $flags !~ /\bhypervisor\b/;
        my $name = _match($product, @BY_CLOUD) // _detected() // 'none';
        return $name eq 'none' ? 'unknown hypervisor' : $name;
    }
    my $tells = $product =~ /\S/a || length _text('/proc/device-tree/compatible');
    return ($product =~ /metal/ ? undef : _match($product, @BY_CLOUD)) // _detected()
        // ($tells ? 'none' : undef);
}

# The first domain of Xen has the machine to itself. No hypervisor but Xen tells its version here.
sub _xen {
    my $type = Touchstone::Machine::Sysfile::line('/sys/hypervisor/type') // return;
    return        if $type                                             !~ /\A[a-z]+\z/;
    return 'none' if $type eq 'xen' && _text('/proc/xen/capabilities') =~ /control_d/;
    return join ' ', $type, grep { defined } scalar _version();
}

# Returns "4.17.2" if the hypervisor tells its guests.
sub _version {
    my $version = '/sys/hypervisor/version';
    my @parts   = map { Touchstone::Machine::Sysfile::line("$version/$_") // '' } qw(major minor extra);
    my ($major, $minor, $extra) = @parts;
    return if "$major.$minor" !~ /\A\d{1,4}\.\d{1,4}\z/a;
    return "$major.$minor" . ($extra =~ /\A[.\w+-]{1,20}\z/a ? $extra : '');
}

sub _by_device_tree {
    my $tree       = '/proc/device-tree';
    my $hypervisor = _match(_text("$tree/hypervisor/compatible"), @BY_DEVICE_TREE);
    return $hypervisor // _match(_text("$tree/compatible"), [ qr/qemu|dummy-virt/ => 'qemu' ]);
}

# The exit status is ignored, because the tool fails when it says "none".
sub _detected {
    return if !defined Touchstone::Machine::Command::find('systemd-detect-virt');
    my (undef, $text) = Touchstone::Machine::Command::output([ 'systemd-detect-virt', '--vm' ]);
    return $text =~ /\A([a-z][a-z0-9-]{1,30})\n\z/ ? $1 : undef;
}

sub _container {
    my ($cgroup, $mounts) = map { _text("/proc/self/$_") } qw(cgroup mountinfo);
    my ($hosts)    = $mounts                         =~ m{^\d+ \d+ \S+ (\S+) /etc/hosts }ma;
    my ($declared) = _text('/proc/1/environ')        =~ /(?:\A|\0)container=([a-z][a-z0-9-]{1,30})(?:\0|\z)/;
    my ($systemd)  = _text('/run/systemd/container') =~ /\A([a-z][a-z0-9-]{1,30})\n?\z/;
    my $name       = _match($cgroup, @BY_CGROUP) // _match($hosts // '', @BY_HOSTS) // $declared // $systemd;
    return $name    if defined $name;
    return 'podman' if Touchstone::Machine::Sysfile::present('/run/.containerenv');
    return 'docker' if Touchstone::Machine::Sysfile::present('/.dockerenv');
    return 'openvz'
        if Touchstone::Machine::Sysfile::present('/proc/vz')
        && !Touchstone::Machine::Sysfile::present('/proc/bc');
    return length "$cgroup$mounts" ? 'none' : undef;
}

# Returns 'none', 'strict', or '2 filters' of system calls that a container or a service manager has put this
# process behind; kernels before 5.9 do not count them: 'filter'. Programs that it starts are behind the same.
sub _seccomp {
    my $status = _text('/proc/self/status');
    my ($mode) = $status =~ /^Seccomp:[ \t]*([012])$/ma or return;
    return qw(none strict) [$mode] if $mode < 2;
    my ($filters) = $status =~ /^Seccomp_filters:[ \t]*([1-9]\d{0,8})$/ma;
    return defined $filters ? plural($filters, 'filter') : 'filter';
}

# The eighth number is time that the hypervisor gave to others: user nice system idle iowait irq softirq
# steal.
sub _steal {
    my ($stolen) = _text('/proc/stat') =~ /\Acpu +(?:\d+ ){7}(\d+)/a or return;
    return $stolen > 0 ? 'yes' : 'none seen';
}

1;
