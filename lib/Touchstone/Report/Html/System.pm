# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html::System - the machine and the settings of a run, in groups of facts. A line names the facts
# that are unknown.
package Touchstone::Report::Html::System;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Page::Markup qw(table text folded);

use Touchstone::Base::Figure qw(part);

our $CSS = <<'CSS';
@media (min-width: 60rem) { .facts { columns: 2; column-gap: 2.5rem; } }
.facts section { break-inside: avoid; padding-bottom: .5rem; }
.facts h3 { margin-top: .4rem; }
.facts dl { margin: .3rem 0; grid-template-columns: 9rem 1fr; }
@media (max-width: 40rem) { .facts dl { grid-template-columns: minmax(0, 1fr); } }
@media print { .facts { columns: 2; } .facts dl { grid-template-columns: 6.5rem 1fr; } }
CSS

my $UNKNOWN = 'unknown';

# A group has a title and names of facts. Each name has a key of the host, or a sub that gets the fact from
# the model.
my @GROUPS = (
    [
        Host => [ Host => 'name' ],
        [ System         => sub { my $h = $_[0]{host}; "$h->{os}, $h->{release}, $h->{version}" } ],
        [ Machine        => sub { "$_[0]{host}{machine} ($_[0]{host}{platform})" } ],
        [ Language       => sub { $_[0]{locale}{name} } ], [ Uptime => 'uptime' ],
        [ 'Run level'    => 'runlevel' ],       [ Load      => 'load' ], [ Power => 'power' ],
        [ Virtualisation => 'virtualisation' ], [ Container => 'container' ],
        [ 'Stolen time'  => 'steal_accounting' ],
        [ Board => sub { _together($_[0]{host}, qw(board_vendor board_model)) } ], [ Chipset => 'chipset' ],
        [ Bus   => sub { _together($_[0]{host}, qw(bus_type bus_clock)) } ],
        [ Video => sub { _together($_[0]{host}, qw(video_vendor video_model video_bus video_memory)) } ]
    ],
    [
        CPU => [ CPUs => \&_cpus ],
        [ Online       => 'online_cpus' ], [ Usable => 'usable_cpus' ], [ Vendor => 'vendor' ],
        [ Sockets      => 'sockets' ],
        [ Cores        => 'cores' ], [ Threads => 'threads' ], [ 'Threads a core' => 'threads_per_core' ],
        [ 'NUMA nodes' => 'numa_nodes' ],
        [ Caches       => 'caches' ], [ 'Kind of caches' => 'cache_type' ], [ Clock => 'core_clock' ],
        [ Microcode    => 'microcode' ],
        [ Governor     => 'governor' ], [ Driver => 'cpu_driver' ], [ Boost => 'boost' ], [ SMT => 'smt' ],
        [ 'CPU quota'  => 'cpu_quota' ],
        [ 'SHA instructions' => 'sha_instructions' ], [ Flags => \&_cpu_flags ]
    ],
    [
        Memory => [ 'Memory (KB)' => 'memory_kb' ],
        [ 'Swap (KB)' => 'swap_kb' ], [ 'Huge pages' => 'huge_pages' ],
        [ Modules     => sub { _together($_[0]{host}, qw(memory_type memory_speed memory_modules)) } ]
    ],
    [
        Storage => [ 'Work directory' => 'work_directory' ],
        [ 'File system' => 'file_system' ], [ 'Mount options' => 'mount_options' ], [ Device => 'device' ],
        [ Drive         => sub { _together($_[0]{host}, qw(drive_vendor drive_model drive_size)) } ],
        [ Interface     => 'drive_interface' ],
        [ Settings      => 'drive_settings' ]
    ],
    [
        Kernel => [ 'Command line' => 'cmdline' ],
        [ Preemption => 'preemption' ], [ Debugging => 'debug_kernel' ], [ Mitigations => 'mitigations' ],
        [ 'Address randomisation'  => 'aslr' ], [ 'Clock source' => 'clock_source' ],
        [ 'Reading the clock (ns)' => 'clock_cost_ns' ],
        [ Limits                   => 'limits' ]
    ],
    [
        Build => [ Build => sub { $_[0]{set} } ],
        [ Compiler           => sub { $_[0]{build}{compiler_version} } ],
        [ 'Fortran compiler' => sub { $_[0]{build}{fortran_version} } ], [ Flags => sub { $_[0]{flags} } ],
        [ 'C library'        => sub { $_[0]{build}{libc} } ], [ Linker => sub { $_[0]{build}{linker} } ],
        [ 'Compiler of the test C' => \&_measured_compiler ], [ 'Measured tools' => \&_tools ],
        [ Suites                   => \&_suites ],
        [ Sources  => sub { $_[0]{build}{sources} } ], [ Passport => sub { $_[0]{passport} } ],
        [ Programs => sub { $_[0]{programs} } ]
    ],
    [
        Schedule => [ Schedule => \&_schedule ],
        [ Rounds                       => sub { $_[0]{schedule}{rounds} } ],
        [ Iterations                   => sub { $_[0]{schedule}{iterations} } ],
        [ Precision                    => \&_precision ],
        [ 'Budget (s)'                 => sub { $_[0]{schedule}{budget} } ],
        [ 'Limit for a copy count (s)' => sub { $_[0]{schedule}{limit} } ],
        [
            Copies => sub {
                join ', ', map { $_->{count} } @{ $_[0]{blocks} };
            }
        ],
        [ Placement => sub { $_[0]{pin} } ],
        [ Baseline  => sub { $_[0]{baseline} } ],
        [ Purpose   => sub { ($_[0]{purpose} // 'run') eq 'run' ? undef : $_[0]{purpose} } ],
        [ Status    => sub { $_[0]{status} } ],
        [ Equipment => \&_equipment ]
    ],
);

sub html {
    my ($model) = @_;
    return
          qq{<div class="facts">\n}
        . join('', map { _group($model, @$_) } @GROUPS)
        . "</div>\n"
        . _binaries($model->{build}{binaries});
}

sub _group {
    my ($model, $title, @facts) = @_;
    my @all = map { [ $_->[0], ref $_->[1] ? scalar $_->[1]->($model) : $model->{host}{ $_->[1] } ] } @facts;
    my @known = grep { defined $_->[1] && !ref $_->[1] && length $_->[1] } @all;
    my @open  = map  { $_->[0] } grep { $_->[1] eq $UNKNOWN } @known;
    my @rows  = grep { $_->[1] ne $UNKNOWN } @known;
    push @rows, [ 'Not known', join ', ', map { lcfirst =~ s/\A(cPU|sMT|nUMA|sHA|c\b)/\U$1/r } @open ]
        if @open;
    return if !@rows;
    return join '', "<section>\n<h3>$title</h3>\n<dl>\n",
        (map { "<dt>$_->[0]</dt><dd>" . text($_->[1]) . "</dd>\n" } @rows), "</dl>\n</section>\n";
}

# Joins the known values of several facts about one thing.
sub _together {
    my ($host, @names) = @_;
    my @there = grep { defined } @$host{@names} or return;
    my %seen;
    my @known = grep { $_ ne $UNKNOWN && !$seen{$_}++ } @there;
    return @known ? join ', ', @known : $UNKNOWN;
}

sub _cpus {
    my ($model) = @_;
    return if $model->{brief};
    my %count;
    $count{"$_->{model} ($_->{bogomips} bogomips)"}++ for @{ $model->{cpus} };
    return join '; ', map { "$count{$_} x $_" } sort keys %count;
}

sub _cpu_flags {
    my ($model) = @_;
    my %seen;
    return $model->{brief} ? undef : join ', ',
        grep { !$seen{$_}++ } map { @{ $_->{flags} || [] } } @{ $model->{cpus} };
}

sub _measured_compiler {
    my $compiler = $_[0]{build}{measured_compiler};
    return ref $compiler ? "$compiler->{command} ($compiler->{version})" : undef;
}

sub _tools    { return _listed($_[0]{build}{tools}, '; ') }
sub _suites   { return _listed($_[0]{suites},       ', ') }
sub _schedule { return "$_[0]{schedule}{kind}, seed " . ($_[0]{schedule}{seed} // 'none') }

sub _precision {
    my $precision = $_[0]{schedule}{precision};
    return defined $precision ? '+- ' . part($precision) : undef;
}

sub _equipment {
    my $equipment = $_[0]{equipment};
    return ref $equipment
        ? join '; ',
        map { "$_: " . (ref $equipment->{$_} ? _listed($equipment->{$_}, ', ') : $equipment->{$_}) }
        sort keys %$equipment
        : undef;
}

sub _listed {
    my ($facts, $between) = @_;
    return ref $facts
        ? join $between, map { "$_: $facts->{$_}" } grep { defined $facts->{$_} } sort keys %$facts
        : undef;
}

sub _binaries {
    my ($binaries) = @_;
    return '' if !ref $binaries || !%$binaries;
    my @rows = map { [ text($_), text($binaries->{$_}) ] } sort keys %$binaries;
    return folded(
        'SHA-256 of the programs',
        table(
            caption => 'SHA-256 of the programs',
            head    => [ 'Program', 'SHA-256' ],
            rows    => \@rows,
            left    => [1]
        )
    );
}

1;
