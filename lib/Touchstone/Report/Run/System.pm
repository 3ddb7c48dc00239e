# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::System - the machine and the settings of a run, in groups of facts, as people say them. A
# line names the facts that are unknown.
package Touchstone::Report::Run::System;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(plus_minus three_digits);
use Touchstone::Base::Price;
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(plain_data quoted width);
use Touchstone::Suite;

my $UNKNOWN = 'unknown';

# A longer fact waits in a fold, which says how many words it has.
my $LONG = 240;

# The precision of the default schedule (Run::Plan), which needs no option.
our $PRECISION = 0.015;

# Longer lists of tests than this would hide the rest of the line.
my $TESTS = 12;

# A group has a title and names of facts. Each name has a key of the host, or a sub that gets the model and
# gives the fact: a text, or a list of lines.
my @GROUPS = (
    [
        Host => [ Host => 'name' ],
        [ System         => sub { my $h = $_[0]{host}; "$h->{os}, $h->{release}, $h->{version}" } ],
        [ Machine        => \&_machine ],
        [ Price          => sub { $_[0]{price} && Touchstone::Base::Price::as_text($_[0]{price}) } ],
        [ Locale         => sub { $_[0]{locale}{name} } ],
        [ 'Up for'       => _fact(uptime => 'uptime') ],
        [ 'Run level'    => 'runlevel' ],
        [ 'Load average' => 'load' ],
        [ Power          => 'power' ],
        [ Virtualisation => 'virtualisation' ],
        [ Container      => 'container' ],
        [ Seccomp        => 'seccomp' ],
        [ 'Stolen time'  => _word(steal_accounting => { yes => 'counted by the hypervisor' }) ],
        [ Board          => sub { _together($_[0]{host}, qw(board_vendor board_model)) } ],
        [ Chipset        => 'chipset' ],
        [ Bus   => sub { _together($_[0]{host}, qw(bus_type bus_clock)) } ],
        [ Video => sub { _together($_[0]{host}, qw(video_vendor video_model video_bus video_memory)) } ]
    ],
    [
        CPU => [ CPUs => \&_cpus ],
        [ 'In use'           => \&_in_use ],
        [ Vendor             => 'vendor' ],
        [ Topology           => sub { topology($_[0]{host}) } ],
        [ Caches             => _fact(caches => 'caches') ],
        [ 'Cache geometry'   => 'cache_type' ],
        [ Clock              => 'core_clock' ],
        [ Microcode          => 'microcode' ],
        [ Governor           => 'governor' ],
        [ Driver             => 'cpu_driver' ],
        [ Boost              => 'boost' ],
        [ SMT                => 'smt' ],
        [ 'CPU quota'        => 'cpu_quota' ],
        [ 'SHA instructions' => 'sha_instructions' ],
        [ 'CPU flags'        => \&_cpu_flags ]
    ],
    [
        Memory => [ Memory => _fact(memory => 'memory_kb') ],
        [ 'Memory limit' => _fact(memory => 'memory_limit_kb') ],
        [ Swap           => _fact(memory => 'swap_kb') ],
        [ 'Huge pages'   => 'huge_pages' ],
        [ Modules        => sub { _together($_[0]{host}, qw(memory_type memory_speed memory_modules)) } ]
    ],
    [
        Storage => [ 'Work directory' => 'work_directory' ],
        [ 'File system' => 'file_system' ],
        [
            'Mount options' =>
                sub { $_[0]{host}{mount_options} && $_[0]{host}{mount_options} =~ s/,(?=\S)/, /gr }
        ],
        [ Device    => 'device' ],
        [ Drive     => sub { _together($_[0]{host}, qw(drive_vendor drive_model drive_size)) } ],
        [ Interface => 'drive_interface' ],
        [ Settings  => _fact(drive_settings => 'drive_settings') ]
    ],
    [
        Kernel => [ 'Command line' => 'cmdline' ],
        [ Preemption              => 'preemption' ],
        [ Scheduler               => 'scheduler' ],
        [ 'Idle governor'         => 'idle_governor' ],
        [ 'Debugging options'     => 'debug_kernel' ],
        [ Mitigations             => _fact(mitigations => 'mitigations') ],
        [ 'Address randomisation' => _fact(aslr        => 'aslr') ],
        [ 'Clock source'          => 'clock_source' ],
        [ 'Reading the clock'     => _fact(clock => 'clock_cost_ns') ],
        [ Limits                  => 'limits' ]
    ],
    [
        Build => [ Build => sub { $_[0]{set} } ],
        [ Compiler                 => sub { $_[0]{build}{compiler_version} } ],
        [ 'Fortran compiler'       => sub { $_[0]{build}{fortran_version} } ],
        [ Flags                    => sub { $_[0]{flags} } ],
        [ 'Programs for'           => \&_programs_for ],
        [ 'C library'              => sub { $_[0]{build}{libc} } ],
        [ Linker                   => sub { $_[0]{build}{linker} } ],
        [ 'Compiler of the test C' => \&_measured_compiler ],
        [ 'Measured tools'         => \&_tools ],
        [ Suites                   => \&_suites ],
        [ Sources                  => sub { $_[0]{build}{sources} } ],
        [ 'Build fingerprint'      => sub { $_[0]{passport} } ],
        [ Programs                 => sub { $_[0]{programs} } ]
    ],
    [
        Schedule => [ Schedule => \&_schedule ],
        [ Rounds       => sub { $_[0]{schedule}{rounds} } ],
        [ Iterations   => sub { $_[0]{schedule}{iterations} } ],
        [ Goal         => \&_goal ],
        [ 'Time limit' => \&_time_limit ],
        [
            Copies => sub {
                join ', ', map { $_->{count} } @{ $_[0]{blocks} };
            }
        ],
        [ 'Pinned to CPUs' => sub { ($_[0]{pin} // '') eq 'none' ? 'no' : $_[0]{pin} } ],
        [ Reference        => \&_reference ],
        [ Purpose          => sub { ($_[0]{purpose} // 'run') eq 'run' ? undef : $_[0]{purpose} } ],
        [ Status           => sub { $_[0]{status} } ],
        [ Equipment        => \&_equipment ]
    ],
);

sub parts {
    my ($model) = @_;
    return (
        _to_repeat($model),
        [ block => { class => 'facts' }, map { _group($model, @$_) } @GROUPS ],
        _binaries($model->{build}{binaries})
    );
}

# How the run can be repeated: with its command line, and programs of the same fingerprint.
sub _to_repeat {
    my ($model) = @_;
    return if !defined $model->{repeats};
    my $build = defined $model->{passport} ? ", with a build whose fingerprint is $model->{passport}" : '';
    return ([ text => "This command repeats the run$build:" ], [ command => $model->{repeats} ]);
}

# Returns the command line that repeats a run, from its facts; undef for a run that one command does not
# repeat, such as that of a campaign.
sub command {
    my ($facts) = plain_data(@_);
    return undef if ($facts->{purpose} // 'run') ne 'run' || $facts->{duet} || $facts->{campaign};
    my @names = _names(map { $_->{name} } @{ $facts->{tests} });
    return undef if @names > $TESTS;
    my $pin  = $facts->{pin} // 'none';
    my $set  = $facts->{set};
    my %more = map { $_ => ($facts->{wanted} || {})->{$_} } keys %{ $facts->{wanted} || {} };
    return join ' ', './Run', _schedule_words($facts),
        $pin eq 'none' ? ()                                                : ('--pin', quoted($pin)),
        $set           ? ('--build', quoted("$set->{name}=$set->{asked}")) : (),
        (map { ('--' . tr/_/-/r, quoted($more{$_})) } sort grep { !ref $more{$_} } keys %more),
        map { quoted($_) } @names;
}

sub _schedule_words {
    my ($facts)  = @_;
    my $schedule = $facts->{schedule};
    my $copies   = $schedule->{copies} // [ map { $_->{copies} } @{ $facts->{blocks} } ];
    my $kind     = $schedule->{kind}   // 'default';
    my $precise  = $schedule->{precision};
    return (
        $kind eq 'default'              ? ()                              : "--$kind",
        defined $schedule->{iterations} ? ('-i', $schedule->{iterations}) : (),
        ($facts->{scaling_wanted} ? '--scaling' : map { ('-c', $_) } @$copies),
        defined $precise && $precise != $PRECISION
        ? ('--precision', 100 * $precise . '%')
        : (),
        defined $schedule->{budget} ? ('--budget', "$schedule->{budget}s") : (),
        defined $schedule->{seed}   ? ('--seed',   $schedule->{seed})      : ()
    );
}

# The words that name these tests: none for the index, a group of exactly these, or all of them.
sub _names {
    my (@tests) = @_;
    my $suite   = Touchstone::Suite::load();
    my $groups  = $suite->groups;
    my $same    = join "\0", sort @tests;
    my ($group) = grep { join("\0", sort @{ $groups->{$_} }) eq $same } sort keys %$groups;
    return @tests if !defined $group;
    return $group eq ($suite->default->{group} // '') ? () : $group;
}

sub _group {
    my ($model, $title, @facts) = @_;
    my @known = map {
        my ($name, $fact) = @$_;
        my @lines = grep { defined && !ref && length } ref $fact ? $fact->($model) : $model->{host}{$fact};
        @lines ? [ $name, @lines ] : ()
    } @facts or return;
    my @terms   = map { [ $_->[0], _lines(@$_[ 1 .. $#$_ ]) ] } grep { $_->[1] ne $UNKNOWN } @known;
    my $unknown = join ', ', map { lcfirst =~ s/\A(cPU|sMT|nUMA|sHA|c\b)/\U$1/r }
        map { $_->[0] } grep { $_->[1] eq $UNKNOWN } @known;
    push @terms, [ 'Not known', { text => $unknown, class => 'unknown' } ] if length $unknown;
    return [ section => { title => $title }, [ terms => @terms ] ];
}

sub _lines {
    my ($text, @more) = @_;
    return [ map { { text => $_, as => 'span' } } $text, @more ] if @more;
    return $text                                                 if width($text) <= $LONG;
    my $words = split ' ', $text;
    return { parts => [ [ fold => { text => "$words words", class => 'says' }, [ text => $text ] ] ] };
}

# Returns a sub that gives a fact of the host as the sub of that name says it.
sub _fact {
    my ($how, $key) = @_;
    my $sub = __PACKAGE__->can($how);
    return sub {
        my $value = $_[0]{host}{$key};
        return defined $value && !ref $value && $value ne $UNKNOWN ? $sub->($value) : $value;
    };
}

# Returns a sub that gives a fact of the host by another word, if there is one.
sub _word {
    my ($key, $words) = @_;
    return sub {
        my $value = $_[0]{host}{$key};
        return defined $value && !ref $value ? $words->{$value} // $value : undef;
    };
}

# Joins the known values of several facts about one thing.
sub _together {
    my ($host, @names) = @_;
    my @there = grep { defined } @$host{@names} or return;
    my %seen;
    my @known = grep { $_ ne $UNKNOWN && !$seen{$_}++ } @there;
    return @known ? join ', ', @known : $UNKNOWN;
}

sub _machine {
    my $host = $_[0]{host};
    return join ' ', grep { defined } $host->{machine},
        ($host->{platform} // $UNKNOWN) ne $UNKNOWN ? "($host->{platform})" : ();
}

sub _cpus {
    my ($model) = @_;
    return if $model->{brief};
    my %count;
    $count{"$_->{model} ($_->{bogomips} bogomips)"}++ for @{ $model->{cpus} };
    return join '; ', map { "$count{$_} $TIMES $_" } sort keys %count;
}

# Returns "4 online, 2 usable"; the second, if not all are.
sub _in_use {
    my ($online, $usable) = @{ $_[0]{host} }{qw(online_cpus usable_cpus)};
    return if !defined $online;
    return "$online online" . (defined $usable && $usable ne $online ? ", $usable usable" : '');
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

my %ISA = (native => 'this CPU', baseline => 'every CPU of the architecture');

sub _programs_for { my $isa = $_[0]{build}{isa}; return defined $isa ? $ISA{$isa} // $isa : undef }

sub _tools    { return _listed($_[0]{build}{tools}, '; ') }
sub _suites   { return _listed($_[0]{suites}, ', ', ' version ') }
sub _schedule { return "$_[0]{schedule}{kind}, seed " . ($_[0]{schedule}{seed} // 'none') }

sub _goal {
    my $precision = $_[0]{schedule}{precision};
    return defined $precision ? 'every score within ' . plus_minus($precision) : undef;
}

sub _time_limit {
    my ($budget, $limit) = @{ $_[0]{schedule} }{qw(budget limit)};
    return defined $limit ? "$limit s for a copy count" : defined $budget ? "$budget s" : undef;
}

# The machine that indexes are relative to, or the run.
sub _reference {
    my $name = $_[0]{baseline} // return;
    return (Touchstone::Suite::load()->machine($name) // $name) =~ s/\Aan? //r;
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
    my ($facts, $between, $value) = @_;
    $value //= ': ';
    return ref $facts
        ? join $between, map { "$_$value$facts->{$_}" } grep { defined $facts->{$_} } sort keys %$facts
        : undef;
}

sub _binaries {
    my ($binaries) = @_;
    return if !ref $binaries || !%$binaries;
    my $title = 'SHA-256 of the programs';
    my @rows  = map { [ $_, $binaries->{$_} ] } sort keys %$binaries;
    return [
        fold => $title,
        [ table => { caption => $title, head => [ 'Program', 'SHA-256' ], rows => \@rows, left => [1] } ]
    ];
}

# These get the text of a record and return one for a page; a text that they do not understand stays as it is.
#
#   memory     24684096                            24 GB
#   aslr       2                                   on (full)
#   clock      416.6                               417 ns
#   uptime     08:54:30 up  2:38,  0 user, ...     2 h 38 min
#   caches     L1d 48K, L2 2M                      L1d 48 KB, L2 2 MB
sub memory {
    my ($kilobytes) = @_;
    return $kilobytes if $kilobytes !~ /\A\d{1,15}\z/a;
    return $kilobytes ? Touchstone::Base::Figure::memory($kilobytes) : 'none';
}

my %ASLR = (0 => 'off', 1 => 'on (not for the heap)', 2 => 'on (full)');
sub aslr { return $ASLR{ $_[0] } // $_[0] }

sub clock {
    my ($ns) = @_;
    return $ns =~ /\A\d{1,9}(?:\.\d+)?\z/a ? three_digits($ns) . ' ns' : $ns;
}

# The output of uptime has the time of day, users and the load, too, which other facts have or nobody needs.
sub uptime {
    my ($text)  = @_;
    my ($up)    = $text =~ /\bup\s+(.+?),\s+(?:\d+\s+users?,\s+)?load average/a or return $text;
    my ($clock) = $up   =~ s/,?\s*(\d+:\d\d)\z//a ? $1 : undef;
    my ($h, $m) = split /:/, $clock // '';
    my @together = (length $up ? $up : (), defined $clock ? ($h + 0 . ' h', $m + 0 . ' min') : ());
    return join ' ', @together;
}

sub caches {
    my ($text) = @_;
    return $text =~ s/\b(\d+)([KMG])\b/$1 $2B/agr;
}

# A virtual disk says that it turns, whatever is behind it.
sub drive_settings {
    my ($text) = @_;
    $text =~ s/\brotational yes\b/calls itself a turning disk/;
    $text =~ s/\brotational no\b/solid state/;
    $text =~ s{\bread-ahead (\d{1,9}) KB\b}{'read-ahead ' . memory($1)}ae;
    $text =~ s/\bwrite cache write (back|through)\b/write-$1 cache/;
    return $text;
}

# 'retbleed: Vulnerable; mds: Not affected; srbds: Not affected' becomes ('retbleed: vulnerable', '2 more: not
# affected'). Some states have colons, but no semicolons.
sub mitigations {
    my ($text) = @_;
    my @all    = split /;\s*/, $text;
    return $text if grep { !/\A[\w-]+: ./a } @all;
    my @affected = grep { !/\A[\w-]+: Not affected\z/ai } @all;
    my $spared   = @all - @affected;
    my @phrases  = map { s/: Mitigation: /: /r =~ s/(?<=: )Vulnerable/vulnerable/r } @affected;
    return (@phrases, $spared ? (@phrases ? "$spared more" : "all $spared") . ': not affected' : ());
}

# Says the counts that are known: '1 socket, 2 cores, 2 threads (1 per core), 1 NUMA node'.
sub topology {
    my ($host) = @_;
    my $many = sub {
        my ($key, $one) = @_;
        my $n = $host->{$key};
        return defined $n && $n =~ /\A\d+\z/a ? $n == 1 ? "1 $one" : "$n ${one}s" : ();
    };
    my $per     = $many->('threads_per_core', 'thread');
    my $threads = $many->('threads',          'thread');
    my @phrases = (
        $many->('sockets', 'socket'),
        $many->('cores',   'core'),
        defined $threads ? $threads . (defined $per ? ' (' . ($per =~ s/ .*//r) . ' per core)' : '') : (),
        $many->('numa_nodes', 'NUMA node')
    );
    return @phrases ? join ', ', @phrases : undef;
}

1;
