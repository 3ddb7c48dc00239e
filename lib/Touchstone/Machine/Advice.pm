# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Advice - warnings before a run, with remedies: what is known to make its scores lower, unsteady or
# invalid. Unknown facts give no advice. A warning is:
#
#   { id     => 'governor',
#     text   => 'CPU speed follows demand (governor powersave), and scores vary with it',
#     remedy => 'sudo cpupower frequency-set -g performance' }
#
# A warning that is `invalid` means that the score says nothing about the machine as it usually is.
package Touchstone::Machine::Advice;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Text qw(plain short);

# A load that is left from the last run is harmless: a warning takes more than this, and more than a tenth of
# the CPUs.
our $MUCH_LOAD = 1;

# A clock that is read without entering the kernel takes fewer nanoseconds than this.
our $SLOW_CLOCK = 150;
my %FAST_CLOCK = map { $_ => 1 }
    qw(tsc kvm-clock arch_sys_counter hyperv_clocksource_tsc_page timebase riscv_clocksource tod
    stick TSC TSC-low kvmclock pvclock0 Hyper-V-TSC), 'ARM MPCore Timecounter';

our %IN_MEMORY = map { $_ => 1 } qw(tmpfs ramfs rootfs devtmpfs);

# These lay the files of a container, or of a live system, over those of others.
my %IN_LAYERS = map { $_ => 1 } qw(overlay overlayfs aufs fuse.fuse-overlayfs);

our %ON_NETWORK = map { $_ => 1 }
    qw(nfs nfs4 cifs smb3 smbfs smb2 9p ceph afs lustre gfs2 glusterfs ocfs2 pvfs2 orangefs beegfs gpfs
    ncpfs coda webdav afpfs fuse.sshfs fuse.glusterfs fuse.ceph fuse.s3fs fuse.rclone fuse.davfs2 fuse.mfs
    fuse.juicefs);

# Tests of these kinds, and those of files, make so many system calls that a filter of these is felt.
my %ENTERS_KERNEL = map { $_ => 1 } qw(Kernel Shell Programs Network Threads);

# Warnings appear in this order: those that make scores invalid come first.
my @CHECKS = (
    [ 'battery' => \&_battery, 1 ], [ 'debug-kernel' => \&_debug_kernel, 1 ],
    [ 'work-network' => \&_work_network, 1 ],

    # Whether this warning voids a score depends on the number of copies.
    [ 'quota'        => \&_quota ],
    [ 'governor'     => \&_governor ], [ 'boost' => \&_boost ], [ 'smt' => \&_smt ], [ 'cpus' => \&_cpus ],
    [ 'load-average' => \&_load ],
    [ 'steal'        => \&_steal ],      [ 'clock-source' => \&_clock_source ], [ 'seccomp' => \&_seccomp ],
    [ 'work-tmpfs'   => \&_work_tmpfs ], [ 'work-overlay' => \&_work_overlay ],
    [ 'locale'       => \&_locale ],
);

sub ids {
    return map { $_->[0] } @CHECKS;
}

# host and locale are those of a record; copies has all copy counts; tests are rows of the suite.
sub before_run {
    my (%about) = @_;
    my %host    = map  { $_ => _known($about{host}{$_}) } keys %{ $about{host} };
    my $writes  = grep { ($_->{space} // 0) > 0 } @{ $about{tests} };
    my %run     = (
        host   => \%host,
        locale => $about{locale},
        most   => max(1, @{ $about{copies} }),
        writes => $writes,
        calls  => scalar grep { _calls($_) } @{ $about{tests} }
    );
    my @warnings;
    for my $check (@CHECKS) {
        my ($id,   $code,   $is_always) = @$check;
        my ($text, $remedy, $is_here)   = $code->(\%run) or next;
        push @warnings,
            { id => $id, text => $text, remedy => $remedy, $is_always || $is_here ? (invalid => 1) : () };
    }
    return @warnings;
}

# Returns a fact, or undef for an unknown one.
sub _known {
    my ($value) = @_;
    return !defined $value || $value eq 'unknown' ? undef : $value;
}

# Returns a fact that is a number above 0, otherwise undef.
sub _number {
    my ($value) = @_;
    return defined $value && $value =~ /\A\d{1,15}(?:\.\d{1,9})?\z/a && $value > 0 ? $value : undef;
}

# Quotes a fact as one line, short enough to leave room for the rest of the warning.
sub _quoted {
    my ($value) = @_;
    return short(plain($value), 25);
}

sub _battery {
    my ($run) = @_;
    return if ($run->{host}{power} // '') ne 'battery';
    return ('the machine runs on battery: it saves power, and scores fall with the charge', 'plug it in');
}

sub _debug_kernel {
    my ($run) = @_;
    my $options = $run->{host}{debug_kernel} // 'none';
    return if $options eq 'none';
    return (
        'this kernel is built for debugging (' . _quoted($options) . '), which makes system calls far slower',
        'boot a standard kernel; uname -r prints the version of this one'
    );
}

sub _work_network {
    my ($run) = @_;
    my $type = $run->{host}{file_system} // '';
    return if !$run->{writes} || !$ON_NETWORK{$type};
    return ("the tests write to a network file system ($type), so they measure the network",
        'use a disk of this machine: UB_TMPDIR=/var/tmp ./Run');
}

sub _work_tmpfs {
    my ($run) = @_;
    my $type = $run->{host}{file_system} // '';
    return if !$run->{writes} || !$IN_MEMORY{$type};
    return ("the tests write to memory ($type): file tests are faster than on a disk",
        'use a disk: UB_TMPDIR=/var/tmp ./Run');
}

sub _work_overlay {
    my ($run) = @_;
    my $type = $run->{host}{file_system} // '';
    return if !$run->{writes} || !$IN_LAYERS{$type};
    return (
        "the tests write to container layers ($type), and file tests measure those",
        'use a volume: docker run -v DIR:/results -e UB_TMPDIR=/results'
    );
}

sub _calls {
    my ($test) = @_;
    my $kind = $test->{kind} // '';
    return $ENTERS_KERNEL{$kind} || $kind =~ /\AFiles?\b/;
}

sub _seccomp {
    my ($run) = @_;
    my $mode = $run->{host}{seccomp} // 'none';
    return if !$run->{calls} || $mode eq 'none';
    my $in_container = ($run->{host}{container} // 'none') ne 'none';
    return (
        'each system call passes a filter (seccomp: ' . _quoted($mode) . '), which makes it slower',
        $in_container
        ? 'docker run --security-opt seccomp=unconfined'
        : 'start Run outside the sandbox or service that sets the filter (SystemCallFilter=)'
    );
}

# If more copies run than the quota pays for, they stand still for a part of every tenth of a second.
sub _quota {
    my ($run) = @_;
    my $quota = _number($run->{host}{cpu_quota}) // return;
    my $mask  = @{ $run->{host}{usable_cpu_ids} || [] };
    return if $quota >= $mask;
    my $text = sprintf 'CPU quota: %.4g of %d CPUs; above that the tests are throttled', $quota, $mask;
    my $is_too_small = $quota < $run->{most};
    my $fewer        = $is_too_small && $quota >= 1 ? ', or run fewer copies: ./Run -c ' . int $quota : '';
    return ($text, "raise the quota (cpu.max; docker run --cpus $mask)$fewer", $is_too_small);
}

sub _governor {
    my ($run) = @_;
    my $governor = $run->{host}{governor} // 'performance';
    return if $governor eq 'performance';
    return ('CPU speed follows demand (governor ' . _quoted($governor) . '), and scores vary with it',
        'sudo cpupower frequency-set -g performance');
}

sub _boost {
    my ($run) = @_;
    return if ($run->{host}{boost} // '') ne 'on';
    my $file =
        ($run->{host}{cpu_driver} // '') =~ /\Aintel_(?:pstate|cpufreq)/
        ? 'intel_pstate/no_turbo'
        : 'cpufreq/boost';
    my $off = $file =~ /no_turbo/ ? 1 : 0;
    return (
        'CPU boost is on: the speed of a CPU depends on heat and on how many CPUs are busy',
        "for steady scores: echo $off | sudo tee /sys/devices/system/cpu/$file"
    );
}

sub _smt {
    my ($run) = @_;
    my $cores = _number($run->{host}{cores}) // return;
    return if ($run->{host}{smt} // '') ne 'on' || $run->{most} <= $cores;
    return (
        "$run->{most} copies share $cores cores (SMT): a copy that shares a core is slower than one with a core of its own",
        "one copy per core: ./Run -c $cores --pin spread"
    );
}

sub _cpus {
    my ($run) = @_;
    my ($usable, $online) = map { _number($run->{host}{$_}) // return } qw(usable_cpus online_cpus);
    return if $usable >= $online / 2;
    return ("only $usable of $online CPUs are usable: the scores are those of a part of the machine",
        'find the limit: taskset -cp $$; cat /proc/self/cgroup');
}

sub _load {
    my ($run) = @_;
    my $load = _number($run->{host}{load}) // return;
    return if $load <= max($MUCH_LOAD, (_number($run->{host}{online_cpus}) // 1) / 10);
    my $text = sprintf 'the load average is %.1f: if that work is still running, it slows the tests', $load;
    return ($text, 'check with top, wait for it to finish');
}

sub _steal {
    my ($run) = @_;
    my $under = $run->{host}{virtualisation} // 'none';
    return if $under eq 'none' || ($run->{host}{steal_accounting} // '') ne 'none seen';
    return ('this virtual machine has never reported stolen CPU time: busy neighbours may go unnoticed',
        'run it at several times of the day, and compare the runs: ./Run browse');
}

# Where the cost of a reading was measured, it is a surer sign than the name of the clock.
sub _clock_source {
    my ($run) = @_;
    my $clock = $run->{host}{clock_source} // return;
    my $cost  = _number($run->{host}{clock_cost_ns});
    return if $FAST_CLOCK{$clock} || defined $cost && $cost < $SLOW_CLOCK;
    return (
        'the clock (' . _quoted($clock) . ') is slow to read, which slows programs that read the time',
        'if tsc is available: echo tsc | sudo tee '
            . '/sys/devices/system/clocksource/clocksource0/current_clocksource'
    );
}

sub _locale {
    my ($run) = @_;
    return if ($run->{locale}{name} // '') ne 'C';
    return (
        'locale en_US.utf8 is not installed: in locale C, sort and grep are faster than in published results',
        'install the package locales, then: sudo localedef -i en_US -f UTF-8 en_US.UTF-8'
    );
}

1;
