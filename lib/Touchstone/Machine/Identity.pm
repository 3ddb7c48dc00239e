# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Identity - which machine this is, and since which start of it: its name, and numbers that its
# system gives itself when it is installed and when it boots. Where no file has one, the name of the machine
# stands for the first and nothing for the second.
package Touchstone::Machine::Identity;
use 5.014;
use strict;
use warnings;

use POSIX ();

use Touchstone::Base::Text qw(plain);
use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my @FILES = qw(/etc/machine-id /var/lib/dbus/machine-id /etc/hostid);
my @ASKED = ([qw(sysctl -n kern.hostuuid)], [qw(sysctl -n kern.uuid)]);

# A name of a host has at most this many bytes, wherever it comes from.
our $LONGEST_NAME = 200;

# Returns what this machine calls itself. Kernels take any text as a name, also none; a record takes a line.
# This is the only place where the name of the machine enters.
sub name {
    my $name = plain((POSIX::uname())[1] // '');
    $name = substr $name, 0, $LONGEST_NAME;
    chop $name while !Touchstone::Base::Text::is_utf8($name);
    return $name =~ /\S/ ? $name : 'unknown';
}

# Returns the number of this installation. Clones of an image have one in common.
sub machine_id {
    for my $file (@FILES) {
        my $id = Touchstone::Machine::Sysfile::line($file);
        return $id if length($id // '') && $id =~ /\A[\w-]+\z/a;
    }
    for my $command (@ASKED) {
        my $id = Touchstone::Machine::Command::first_line(@$command);
        return $id if length($id // '') && $id =~ /\A[\w-]+\z/a;
    }
    return name();
}

# Returns what differs after each start of the machine, or undef.
sub boot_id {
    return Touchstone::Machine::Sysfile::line('/proc/sys/kernel/random/boot_id')
        // Touchstone::Machine::Command::first_line(qw(sysctl -n kern.boottime));
}

# What people call a CPU, and what a machine runs under:
#
#   cpu_name('AMD EPYC 9R14 96-Core Processor')    AMD EPYC 9R14
#   hypervisor_name('kvm')                         KVM

# Hypervisors whose names are no plain words.
my %HYPERVISOR =
    (kvm => 'KVM', vmware => 'VMware', hyperv => 'Hyper-V', xen => 'Xen', virtualbox => 'VirtualBox');

# Returns the name of a CPU without trade marks and what stands elsewhere.
sub cpu_name {
    my ($name) = @_;
    $name //= 'unknown CPU';
    $name =~ s/\((?:R|TM|tm)\)//g;
    $name =~ s/ (?:\d+-Core Processor|CPU(?= @))//ga;
    return $name =~ s/\s+/ /gar =~ s/\A | \z//gr;
}

sub hypervisor_name { my ($word) = @_; return $HYPERVISOR{$word} // $word }

1;
