# SPDX-License-Identifier: GPL-2.0-or-later
# Pretend - machines that have only the given files, and answer only the given commands:
#
#   my $host = host_of('/proc/cpuinfo' => "processor : 0\n", 'uname -o' => 'GNU/Linux', uname => [...], cpus => {...}, work => '/srv/tmp');
package Pretend;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use File::Temp ();
use POSIX ();
use Test::More;
use lib dirname(__FILE__);
use Example;
use Touchstone::Base::Text;
use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;
use Touchstone::Machine;
use Touchstone::Record::Journal;
use Touchstone::Record;

our @EXPORT_OK = qw(on_machine host_of facts_of cpus_of check_complete %CPUS $SYS @NEW @HARDWARE);

my $dir = File::Temp->newdir;
our @NEW =
    qw(cmdline vendor sockets cores threads threads_per_core numa_nodes caches microcode governor cpu_driver
    boost sha_instructions smt mitigations memory_kb memory_limit_kb swap_kb
    huge_pages work_directory file_system mount_options device virtualisation container steal_accounting
    seccomp clock_source load power debug_kernel preemption scheduler idle_governor aslr
    limits clock_cost_ns);
our @HARDWARE =
    qw(core_clock board_vendor board_model chipset bus_type bus_clock cache_type memory_type memory_speed
    memory_modules
    drive_vendor drive_model drive_size drive_interface drive_settings video_vendor video_model video_bus
    video_memory);
my @HOST = (
    qw(name kernel release version machine os platform cpus online_cpus usable_cpus usable_cpu_ids cpu_quota
        uptime runlevel),
    @NEW, @HARDWARE
);
our $SYS = '/sys/devices/system/cpu';
our %CPUS =
    (online => [ 0, 2 ], usable => [2], usable_count => 1, quota => undef, core => { 0 => 0, 2 => 2 });

# Runs the code on a machine that has only these files and answers only these commands ('uname -o' =>
# 'GNU/Linux'). uname => the result of the system call; 'link /sys/dev/block/8:2' => the target of that link.
sub on_machine {
    my ($has, $code) = @_;
    my @uname = @{ $has->{uname} || [ POSIX::uname() ] };
    no warnings 'redefine';
    local *POSIX::uname                        = sub { return @uname };
    local *Touchstone::Machine::Sysfile::text  = sub { return $has->{ $_[0] } };
    local *Touchstone::Machine::Sysfile::names = sub {
        my %in = map { m{\A\Q$_[0]\E/([^/]+)} ? ($1 => 1) : () } keys %$has;
        my @in = sort keys %in;
        return @in;
    };
    local *Touchstone::Machine::Sysfile::target  = sub { return $has->{"link $_[0]"} };
    local *Touchstone::Machine::Sysfile::present = sub {
        return scalar grep { m{\A\Q$_[0]\E(?:/|\z)} } keys %$has;
    };
    local *Touchstone::Machine::Command::find = sub {
        return
            scalar(grep { (split ' ')[0] eq $_[0] } grep { length } keys %$has)
            ? ($_[0] =~ m{/} ? $_[0] : "/usr/bin/$_[0]")
            : undef;
    };
    local *Touchstone::Machine::Command::first_line = sub { return $has->{"@_"} };
    local *Touchstone::Machine::Command::output     = sub {
        my ($command) = @_;
        return defined $has->{"@$command"} ? (0, $has->{"@$command"}) : (-1, 'not installed');
    };
    return $code->();
}

sub host_of {
    my (%has) = @_;
    return on_machine(\%has, sub { Touchstone::Machine::host_facts($has{cpus} || \%CPUS, $has{work}) });
}

# Returns these facts of a machine, in one line.
sub facts_of {
    my ($names, @has) = @_;
    my $host = host_of(@has);
    return join ' | ', map { $host->{$_} } split ' ', $names;
}
sub cpus_of { my ($cpuinfo) = @_; return @{ host_of('/proc/cpuinfo' => $cpuinfo)->{cpus} } }

sub check_complete {
    my ($what, $host) = @_;
    is(join(' ', grep { !defined $host->{$_} } @HOST), '', "$what: no fact is missing");
    is(join(' ', grep { ref $host->{$_} } grep { !/^(?:cpus|usable_cpu_ids)$/ } @HOST),
        '', "$what: facts are words and numbers");
    is(
        join(
            ' ',
            grep {
                       $host->{$_} =~ /[\x00-\x1f\x7f]/
                    || length $host->{$_} > 8192
                    || !Touchstone::Base::Text::is_utf8($host->{$_})
            } @NEW,
            @HARDWARE
        ),
        '',
        "$what: each is one line"
    );
    my @bad = grep {
        my $cpu = $_;
        grep { !defined $cpu->{$_} } qw(id model bogomips flags)
    } @{ $host->{cpus} };
    is(scalar @bad, 0, "$what: so it is with each CPU");
    my %facts = (
        host   => $host,
        locale => Touchstone::Machine::locale_facts(),
        build  => Touchstone::Build::facts("$dir")
    );
    my %nothing = (passes => [], blocks => [], published_results => {});
    my $record  = Touchstone::Record::Journal->create(
        "$dir",
        { Example::head(), %facts },
        names => [ map { "run-$_" } 1 .. 100 ]
    );
    ok(eval { Touchstone::Record->load($record->finish(\%nothing), "$dir") },
        "$what: a record with them can be read")
        || diag($@);
    return;
}

1;
