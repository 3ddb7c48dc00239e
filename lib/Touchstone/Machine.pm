# SPDX-License-Identifier: GPL-2.0-or-later
# Machine - facts about the host and the file systems. An unknown fact is "unknown", never an error.
package Touchstone::Machine;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);
use POSIX ();
use Time::HiRes qw(time sleep);

use Touchstone::Base::Text qw(plain);
use Touchstone::Machine::Mainboard;
use Touchstone::Machine::Command;
use Touchstone::Machine::Cpu;
use Touchstone::Machine::Disk;
use Touchstone::Machine::Guest;
use Touchstone::Machine::Identity;
use Touchstone::Machine::Kernel;
use Touchstone::Machine::Pci;
use Touchstone::Machine::Resources;
use Touchstone::Machine::Sysfile;

my $UNKNOWN = 'unknown';

# Facts are numbers or words. A value longer than $LONGEST tells nothing more.
my @NUMBERS = qw(sockets cores threads threads_per_core numa_nodes memory_kb memory_limit_kb swap_kb load aslr
    clock_cost_ns);
my @WORDS = qw(cmdline vendor caches microcode governor cpu_driver boost sha_instructions smt mitigations
    huge_pages work_directory file_system mount_options device virtualisation container steal_accounting
    seccomp clock_source power debug_kernel preemption scheduler idle_governor limits core_clock board_vendor
    board_model chipset bus_type bus_clock cache_type memory_type memory_speed memory_modules
    drive_vendor drive_model drive_size drive_interface drive_settings video_vendor video_model
    video_bus video_memory);
my $LONGEST = 2048;

# Returns the facts about the machine and the file system of the work directory. Callers that have built the
# programs add what clock_cost returns.
sub host_facts {
    my ($cpus, $work_directory) = @_;
    my ($system, undef, $release, $version, $machine) = POSIX::uname();
    my $cpuinfo = Touchstone::Machine::Sysfile::text('/proc/cpuinfo') // '';
    my $uptime  = _uptime();
    my $sources = Touchstone::Machine::Kernel::sysctl_facts($system);
    my $disk    = Touchstone::Machine::Disk::facts($work_directory);
    my $pci     = Touchstone::Machine::Pci::devices();
    return {
        name           => Touchstone::Machine::Identity::name(),
        kernel         => $system,
        release        => $release,
        version        => $version,
        machine        => $machine,
        os             => Touchstone::Machine::Command::first_line('uname', '-o') // $system,
        platform       => Touchstone::Machine::Command::first_line('uname', '-i') // $UNKNOWN,
        cpus           => [ Touchstone::Machine::Cpu::models($cpus, $cpuinfo, $sources->{model}) ],
        online_cpus    => scalar @{ $cpus->{online} },
        usable_cpus    => $cpus->{usable_count},
        usable_cpu_ids => $cpus->{usable},
        cpu_quota      => $cpus->{quota} // $UNKNOWN,
        uptime         => $uptime,
        runlevel       => _runlevel(),
        _plain_facts(
            Touchstone::Machine::Cpu::facts($cpus, $cpuinfo),
            Touchstone::Machine::Kernel::facts($release, $version),
            Touchstone::Machine::Guest::facts($cpuinfo),
            Touchstone::Machine::Resources::facts(),
            $disk,
            Touchstone::Machine::Mainboard::facts($cpus, $cpuinfo, $pci),
            Touchstone::Machine::Disk::drive_facts($disk, $pci),
            $sources,
            { load => _load_of($uptime) },
        ),
    };
}

# Takes each fact from the first source that knows it. Kernels, firmware and disks are not trusted: each
# value becomes one line of text.
sub _plain_facts {
    my (@sources) = @_;
    my %fact;
    for my $name (@NUMBERS, @WORDS) {
        my $value = first { defined $_ && length $_ } map { $_->{$name} } @sources;
        $value //= $UNKNOWN;
        $value       = substr $value, 0, $LONGEST if length $value > $LONGEST;
        $fact{$name} = plain($value);
    }
    $fact{$_} = $fact{$_} =~ /\A\d{1,15}(?:\.\d{1,9})?\z/a ? $fact{$_} + 0 : $UNKNOWN for @NUMBERS;
    return %fact;
}

# Systems without /proc tell their load only in the line of uptime.
sub _load_of {
    my ($uptime) = @_;
    return $uptime =~ /load averages?: +(\d+\.\d+)/a ? $1 : undef;
}

# Returns the nanoseconds that reading the clock takes, as the program that measures it reports.
our $CLOCK_SECONDS = 0.01;
my $CLOCK_PATIENCE = 5;

sub clock_cost {
    my ($bin) = @_;
    my $until = time + $CLOCK_PATIENCE;
    my ($status, $text) = Touchstone::Machine::Command::output(
        [ "$bin/clock", $CLOCK_SECONDS ],
        errors  => 1,
        stopped => sub { time > $until }
    );
    my ($count)   = $text =~ /^COUNT\|([1-9]\d{0,15})\|1\|/ma;
    my ($seconds) = $text =~ /^TIME\|(\d{1,6}\.\d{1,9})$/ma;
    return $UNKNOWN if $status != 0 || !defined $count || !defined $seconds;
    return 0 + sprintf '%.1f', $seconds / $count * 1e9;
}

# Returns the line of uptime, or one like it where there is no such command.
sub _uptime {
    my $line = Touchstone::Machine::Command::first_line('uptime');
    return $line if defined $line;
    my ($seconds) = (Touchstone::Machine::Sysfile::text('/proc/uptime') // '') =~ /^(\d+)/ or return $UNKNOWN;
    my ($load)    = (Touchstone::Machine::Sysfile::text('/proc/loadavg') // '') =~ /^(\S+ \S+ \S+)/;
    my $clock     = POSIX::strftime('%H:%M:%S', localtime time);
    return sprintf '%s up %d days, %2d:%02d, load average: %s', $clock, $seconds / 86400,
        $seconds / 3600 % 24, $seconds / 60 % 60,
        join ', ', split / /, $load // $UNKNOWN;
}

sub _runlevel {
    my $line = Touchstone::Machine::Command::first_line('runlevel') // '';
    return $line =~ /(\S+)$/ ? $1 : '';
}

# Returns the locale that the tests run in: en_US.utf8 as in UnixBench if it is installed, otherwise C.
sub locale_facts {
    my $before  = POSIX::setlocale(POSIX::LC_ALL());
    my $locale  = first { POSIX::setlocale(POSIX::LC_ALL(), $_) } 'en_US.utf8', 'en_US.UTF-8', 'C';
    my %codeset = map { $_ => _codeset() } qw(charmap collate);
    POSIX::setlocale(POSIX::LC_ALL(), $before);
    return { name => $locale // 'C', %codeset };
}

sub _codeset {
    my $name = eval { require I18N::Langinfo; I18N::Langinfo::langinfo(I18N::Langinfo::CODESET()) };
    return defined $name && length $name ? $name : $UNKNOWN;
}

# Waits at most `cap` seconds until nothing else runs, and returns whether that came about. It calls `waits`
# when it finds that it has to. /proc/loadavg has the number of processes that run now.
sub wait_for_quiet {
    my ($cap,   $stopped, $waits)       = @_;
    my ($until, $quiet,   $is_reported) = (time + $cap, 0);
    while ($quiet < 3) {
        my ($running) = (Touchstone::Machine::Sysfile::text('/proc/loadavg') // return 1) =~ m{ (\d+)/\d+ };
        $quiet = defined $running && $running > 1 ? 0 : $quiet + 1;
        $waits->() if !$quiet && $waits && !$is_reported++;
        return 0   if time > $until || $stopped->();
        sleep 0.05 if $quiet < 3;
    }
    return 1;
}

# Waits at most `cap` seconds until what earlier passes wrote is on the disk, and returns the seconds it
# took.
our $MUCH_DIRTY_KB = 64 * 1024;

sub wait_for_disk {
    my ($cap, $stopped) = @_;
    my $start = time;
    while (time - $start < $cap && !$stopped->()) {
        my %kb =
            (Touchstone::Machine::Sysfile::text('/proc/meminfo') // '') =~ /^(Dirty|Writeback):\s+(\d+)/mg;
        last if ($kb{Dirty} // 0) + ($kb{Writeback} // 0) < $MUCH_DIRTY_KB;
        sleep 0.05;
    }
    return time - $start;
}

1;
