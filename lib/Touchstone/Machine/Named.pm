# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Named - what people call a CPU and what a machine runs under:
#
#   cpu('AMD EPYC 9R14 96-Core Processor')    AMD EPYC 9R14
#   hypervisor('kvm')                         KVM
package Touchstone::Machine::Named;
use 5.014;
use strict;
use warnings;

# Hypervisors whose names are no plain words.
my %HYPERVISOR =
    (kvm => 'KVM', vmware => 'VMware', hyperv => 'Hyper-V', xen => 'Xen', virtualbox => 'VirtualBox');

# Returns the name of a CPU without trade marks and what stands elsewhere.
sub cpu {
    my ($name) = @_;
    $name //= 'unknown CPU';
    $name =~ s/\((?:R|TM|tm)\)//g;
    $name =~ s/ (?:\d+-Core Processor|CPU(?= @))//ga;
    return $name =~ s/\s+/ /gar =~ s/\A | \z//gr;
}

sub hypervisor { my ($word) = @_; return $HYPERVISOR{$word} // $word }

1;
