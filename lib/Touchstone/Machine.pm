# SPDX-License-Identifier: GPL-2.0-or-later
# Machine - facts about the host, the build and the file systems. What cannot be found out is "unknown", never an error.
package Touchstone::Machine;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);
use POSIX ();
use Time::HiRes qw(time sleep);

use Touchstone::Command;
use Touchstone::Sysfile;

my $UNKNOWN = 'unknown';

# Flags of /proc/cpuinfo that the classic report has names for.
my %FLAG_NAME = (
    pae => 'Physical Address Ext', sep => 'SYSENTER/SYSEXIT', mmx => 'MMX', syscall => 'SYSCALL/SYSRET', ht => 'Hyper-Threading',
    lm => 'x86-64', vmx => 'Intel virtualization', svm => 'AMD virtualization',
);

sub host_facts {
    my ($cpus) = @_;
    my ($system, $name, $release, $version, $machine) = POSIX::uname();
    return {
        name => $name, kernel => $system, release => $release, version => $version, machine => $machine,
        os       => Touchstone::Command::first_line('uname', '-o') // $system,
        platform => Touchstone::Command::first_line('uname', '-i') // $UNKNOWN,
        cpus     => [ _cpu_models($cpus) ],
        online_cpus => scalar @{ $cpus->{online} }, usable_cpus => $cpus->{usable_count},
        usable_cpu_ids => $cpus->{usable}, cpu_quota => $cpus->{quota} // $UNKNOWN,
        uptime => _uptime(), runlevel => _runlevel(),
    };
}

# One entry a CPU: { id, model, bogomips, flags => [names] }. Arm and others lack the model or the speed.
sub _cpu_models {
    my ($cpus) = @_;
    my %about;
    for my $block (split /\n\s*\n/, Touchstone::Sysfile::text('/proc/cpuinfo') // '') {
        my %field = $block =~ /^([^:\n]*?)[ \t]*:[ \t]*(.*)$/mg;
        next if !defined $field{processor} || $field{processor} !~ /^\d+$/;
        my %has = map { $_ => 1 } split ' ', $field{flags} // '';
        $about{ $field{processor} } = {
            model    => $field{'model name'} // $field{cpu} // $field{Processor} // $UNKNOWN,
            bogomips => (grep { defined } @field{qw(bogomips BogoMIPS)}, $UNKNOWN)[0],
            flags    => [ map { $FLAG_NAME{$_} } sort grep { $has{$_} } keys %FLAG_NAME ],
        };
    }
    my %none = (model => _model_elsewhere(), bogomips => $UNKNOWN, flags => []);
    return map { { %none, %{ $about{$_} || {} }, id => $_ } } @{ $cpus->{online} };
}

# BSD and macOS.
sub _model_elsewhere {
    for my $name (qw(hw.model machdep.cpu.brand_string)) {
        my $model = -e '/proc/cpuinfo' ? undef : Touchstone::Command::first_line('sysctl', '-n', $name);
        return $model if defined $model;
    }
    return $UNKNOWN;
}

# The line of uptime, or one like it where there is no such command.
sub _uptime {
    my $line = Touchstone::Command::first_line('uptime');
    return $line if defined $line;
    my ($seconds) = (Touchstone::Sysfile::text('/proc/uptime')  // '') =~ /^(\d+)/ or return $UNKNOWN;
    my ($load)    = (Touchstone::Sysfile::text('/proc/loadavg') // '') =~ /^(\S+ \S+ \S+)/;
    my $clock = POSIX::strftime('%H:%M:%S', localtime time);
    return sprintf '%s up %d days, %2d:%02d, load average: %s', $clock, $seconds / 86400, $seconds / 3600 % 24, $seconds / 60 % 60,
        join ', ', split / /, $load // $UNKNOWN;
}

sub _runlevel {
    my $line = Touchstone::Command::first_line('runlevel') // '';
    return $line =~ /(\S+)$/ ? $1 : '';
}

# The locale the tests run in: en_US.utf8 as in UnixBench when it is installed, otherwise C.
sub locale_facts {
    my $before = POSIX::setlocale(POSIX::LC_ALL());
    my $found = first { POSIX::setlocale(POSIX::LC_ALL(), $_) } 'en_US.utf8', 'en_US.UTF-8', 'C';
    my %codeset = map { $_ => _codeset() } qw(charmap collate);
    POSIX::setlocale(POSIX::LC_ALL(), $before);
    return { name => $found // 'C', %codeset };
}

sub _codeset {
    my $name = eval { require I18N::Langinfo; I18N::Langinfo::langinfo(I18N::Langinfo::CODESET()) };
    return defined $name && length $name ? $name : $UNKNOWN;
}

# What make wrote beside the programs: name=value lines.
sub build_facts {
    my ($bin) = @_;
    my %facts = (Touchstone::Sysfile::text("$bin/build.facts") // '') =~ /^(\w+)=(.*)$/mg;
    return { compiler => $UNKNOWN, compiler_version => $UNKNOWN, %facts };
}

# The compiler that the test C measures: what CC names, or cc.
sub measured_compiler {
    my ($command) = @_;
    return { command => $command, version => Touchstone::Command::first_line(split(' ', $command), '--version') // $UNKNOWN };
}

# KB free for this user in a directory, or undef. df -P is the portable way to ask.
sub free_space {
    my ($directory) = @_;
    my ($status, $text) = Touchstone::Command::output([ 'df', '-Pk', $directory ]);
    my ($free) = $text =~ /^.*?\s\d+\s+-?\d+\s+(-?\d+)\s+\S+%\s/ma;
    return $status == 0 ? $free : undef;
}

# Waits until nothing else runs, at most `cap` seconds; gives back whether that came about. /proc/loadavg counts what runs now.
sub wait_for_quiet {
    my ($cap, $stopped) = @_;
    my ($until, $quiet) = (time + $cap, 0);
    while ($quiet < 3) {
        my ($running) = (Touchstone::Sysfile::text('/proc/loadavg') // return 1) =~ m{ (\d+)/\d+ };
        $quiet = defined $running && $running > 1 ? 0 : $quiet + 1;
        return 0 if time > $until || $stopped->();
        sleep 0.05 if $quiet < 3;
    }
    return 1;
}

# Waits until what earlier passes wrote is on the disk, at most `cap` seconds; gives back how long that took.
my $MUCH_DIRTY_KB = 64 * 1024;
sub wait_for_disk {
    my ($cap, $stopped) = @_;
    my $start = time;
    while (time - $start < $cap && !$stopped->()) {
        my %kb = (Touchstone::Sysfile::text('/proc/meminfo') // '') =~ /^(Dirty|Writeback):\s+(\d+)/mg;
        last if ($kb{Dirty} // 0) + ($kb{Writeback} // 0) < $MUCH_DIRTY_KB;
        sleep 0.05;
    }
    return time - $start;
}

1;
