# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Differences - in what the machines and builds of runs differ, and what two results must have in
# common. Each thing that can differ alone has a row, of one or several facts.
package Touchstone::Compare::Differences;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(memory);
use Touchstone::Suite;

# Suites add things and conditions, in the order of their names.
my $PACKAGES   = Touchstone::Suite::packages('Conditions');
my @SUITES     = map  { $PACKAGES->{$_} } sort keys %$PACKAGES;
my @OF_SUITES  = grep { defined } map { $_->can('facts_that_differ') } @SUITES;
my @CONDITIONS = grep { defined } map { $_->can('conditions') } @SUITES;
my @WORK       = grep { defined } map { $_->can('work_of') } @SUITES;
my @NOTES      = grep { defined } map { $_->can('notes') } @SUITES;

# A row is a thing and its facts: those of the record's host (h), build (b), equipment (e) or elsewhere (r),
# by name. A fact may also be a hash:
#
#   { fact => 'e input sha256',
#     word => 'SHA-256',          stands before its value where the thing has other facts
#     letters => 16 }             are enough of a long value to tell it from all others
my @FACTS = (
    [ 'machine' => 'h name' ],
    [
        'CPU' => 'h model',
        (map { { fact => "h $_", word => $_ } } qw(vendor sockets cores)),
        { fact => 'h threads_per_core', word => 'threads per core' },
        { fact => 'h caches',           word => 'caches' }
    ],
    [ 'CPUs'           => 'h online_cpus', 'h usable_cpus' ],
    [ 'CPU quota'      => 'h cpu_quota' ],
    [ 'microcode'      => 'h microcode' ],
    [ 'governor'       => 'h governor' ],
    [ 'CPU driver'     => 'h cpu_driver' ],
    [ 'boost'          => 'h boost' ],
    [ 'SMT'            => 'h smt' ],
    [ 'mitigations'    => 'h mitigations' ],
    [ 'board'          => 'h board_vendor', 'h board_model',  'h chipset' ],
    [ 'memory modules' => 'h memory_type',  'h memory_speed', 'h memory_modules' ],
    [ 'drive' => 'h drive_vendor', 'h drive_model', 'h drive_size', 'h drive_interface', 'h drive_settings' ],
    [ 'video board'           => 'h video_vendor', 'h video_model' ],
    [ 'memory'                => 'h memory_gb' ],
    [ 'swap'                  => 'h swap_kb' ],
    [ 'huge pages'            => 'h huge_pages' ],
    [ 'NUMA nodes'            => 'h numa_nodes' ],
    [ 'system'                => 'h os' ],
    [ 'architecture'          => 'h machine' ],
    [ 'kernel'                => 'h kernel', 'h release', 'h version' ],
    [ 'kernel command line'   => 'h cmdline' ],
    [ 'preemption'            => 'h preemption' ],
    [ 'scheduler'             => 'h scheduler' ],
    [ 'idle governor'         => 'h idle_governor' ],
    [ 'debug kernel'          => 'h debug_kernel' ],
    [ 'address randomisation' => 'h aslr' ],
    [ 'limits'                => 'h limits' ],
    [ 'virtualisation'        => 'h virtualisation' ],
    [ 'container'             => 'h container' ],
    [ 'seccomp'               => 'h seccomp' ],
    [ 'clock source'          => 'h clock_source' ],
    [ 'power'                 => 'h power' ],
    [
        'file system' => { fact => 'h file_system', word => 'type' },
        { fact => 'h mount_options', word => 'options' },
        { fact => 'h device',        word => 'device' }
    ],
    [ 'locale'                    => 'r locale' ],
    [ 'tool'                      => 'r tool' ],
    [ 'suite'                     => 'r suites' ],
    [ 'sources'                   => 'b sources' ],
    [ 'compiler'                  => 'b compiler_version' ],
    [ 'Fortran compiler'          => 'b fortran_version' ],
    [ 'flags'                     => 'b flags' ],
    [ 'programs for'              => 'b isa' ],
    [ 'C library'                 => 'b libc' ],
    [ 'linker'                    => 'b linker' ],
    [ 'compiler that is measured' => 'b measured_compiler' ],
    [ 'measured tools'            => 'b tools' ],
    [ 'amount of shell work'      => 'b work_factor' ],
    (map { $_->() } @OF_SUITES),
    [ 'schedule'  => 'r schedule' ],
    [ 'placement' => 'r pin' ],
);

# An empty value of these is unknown; an empty value of others means none, as of flags.
my %NEVER_EMPTY = map { $_ => 1 } 'h model', 'r suites';

# Programs differ when one of these does. Otherwise they differ in something that nobody wrote down.
my @EXPLAIN_BINARIES =
    ('architecture', 'sources', 'compiler', 'flags', 'programs for', 'C library', 'linker', 'CPU');

# Returns { what => a text }: two results are of one test only if all these texts are equal. Suites make them
# from a record, a row of it and the result.
sub conditions {
    my (@of) = @_;
    my %known = map { %{ $_->(@of) } } @CONDITIONS;
    return { map { $_ => $known{$_} } grep { defined $known{$_} } keys %known };
}

# The work of a test as the version of its program has it, or nothing if all versions do the same. `tool`:
# { name, version }. Tests of different work have no ratio.
sub work {
    my (@of) = @_;
    return scalar +(map { $_->(@of) // () } @WORK)[0];
}

# Sentences about the scores of two tools.
sub notes {
    my (@tools) = @_;
    return map { $_->(@tools) } @NOTES;
}

# The facts of a record, by the names above; a fact is a text.
sub of_record {
    my ($record) = @_;
    my ($host, $build) = @$record{qw(host build)};
    my %facts = map { ("h $_" => $host->{$_}) } grep { !ref $host->{$_} } keys %$host;
    $facts{'h model'}     = _models($host->{cpus});
    $facts{'h memory_gb'} = memory($host->{memory_kb}) if ($host->{memory_kb} // '') =~ /\A\d{1,15}\z/;
    $facts{"b $_"}        = $build->{$_} for grep { !ref $build->{$_} } keys %$build;
    my @flags = grep { /\Aflags_/ && $_ ne 'flags_harness' } sort keys %$build;
    $facts{'b flags'} = join ' ', grep { length } map { $build->{$_} } @flags if @flags;
    $facts{"b $_"}    = _listed($build->{$_}) for grep { ref $build->{$_} } qw(binaries measured_compiler);
    $facts{tools}     = $build->{tools} if ref $build->{tools};

    for my $kind (keys %{ $record->{equipment} || {} }) {
        $facts{"e $kind $_"} = $record->{equipment}{$kind}{$_} for keys %{ $record->{equipment}{$kind} };
    }
    $facts{"e $_"} = _listed({ %{ $record->{equipment}{$_} }, path => undef })
        for keys %{ $record->{equipment} || {} };
    $facts{'r locale'}   = $record->{locale}{name};
    $facts{'r tool'}     = join ' ', grep { defined } @{ $record->{tool} }{qw(name version)};
    $facts{'r suites'}   = _listed($record->{suites}) if ref $record->{suites};
    $facts{'r schedule'} = $record->{schedule}{kind};
    $facts{'r pin'}      = $record->{pin};
    return \%facts;
}

# Those of these facts that tell differences: others, such as the load, differ from run to run.
sub compared {
    my ($facts) = @_;
    state $names = {
        map { $_ => 1 } 'b binaries',
        'tools', map { ref $_ ? $_->{fact} : $_ } map { @$_[ 1 .. $#$_ ] } @FACTS
    };
    return { map { $_ => $facts->{$_} } grep { $names->{$_} } keys %$facts };
}

# The version of a test, or undef where nobody knows it. In older records tests have no version of their
# own, and that of the suite stands for it.
sub version_of {
    my ($record, $row) = @_;
    return $row->{version} // ($record->{suites} || {})->{ $row->{suite} // '' };
}

sub _models {
    my ($cpus) = @_;
    my %seen;
    return join ', ', grep { !$seen{$_}++ } map { $_->{model} } @$cpus;
}

sub _listed {
    my ($hash) = @_;
    return join ', ', map { "$_ $hash->{$_}" } grep { defined $hash->{$_} } sort keys %$hash;
}

# [{ thing => 'compiler', values => [a text for each run] }, ...] of what is known of all and not the same in
# all.
sub differences {
    my (@runs) = map {
        { %$_ }
    } @_;
    _tools_of_all(@runs);
    my @different = map { _difference($_, @runs) } @FACTS;
    my %explained = map { $_ => 1 } @EXPLAIN_BINARIES;
    return @different if grep { $explained{ $_->{thing} } } @different;
    return (
        @different,
        map {
            {
                %$_, values => [ map { 'other programs' } @runs ]
            }
        } _binaries(@runs)
    );
}

# A tool that one of the runs did not use is no difference.
sub _tools_of_all {
    my (@runs) = @_;
    for my $name (keys %{ $runs[0]{tools} || {} }) {
        next if grep { !defined(($_->{tools} || {})->{$name}) } @runs;
        $_->{"b tool $name"} = $_->{tools}{$name} for @runs;
    }
    for my $run (@runs) {
        $run->{'b tools'} = join ', ', map {
            my ($name) = /\Ab tool (.*)/s;
            index($run->{$_}, $name) == 0 ? $run->{$_} : "$name $run->{$_}"
        } sort grep { /\Ab tool / } keys %$run;
    }
    return;
}

sub _difference {
    my ($row,   @runs)  = @_;
    my ($thing, @facts) = @$row;
    @facts = map { ref $_ ? $_ : { fact => $_ } } @facts;
    my @differ = grep { _differs($_->{fact}, @runs) } @facts;
    return if !@differ;
    return {
        thing  => $thing,
        values => [
            map {
                my $run = $_;
                join '; ', map { _shown($_, $run, scalar @facts) } @differ
            } @runs
        ]
    };
}

# The value of a fact, behind its word where the thing has several facts.
sub _shown {
    my ($fact, $run, $facts) = @_;
    my ($word, $letters) = @$fact{qw(word letters)};
    my $value = _known($fact->{fact}, $run) // 'unknown';
    $value = substr($value, 0, $letters) . '...' if $letters && length $value > $letters;
    $value = 'none'                              if !length $value;
    return $facts > 1 && defined $word ? "$word $value" : $value;
}

sub _known {
    my ($fact, $run) = @_;
    my $value = $run->{$fact};
    return defined $value && !(length $value == 0 && $NEVER_EMPTY{$fact}) ? $value : undef;
}

# An unknown value is no difference: nobody can say.
sub _differs {
    my ($fact, @runs) = @_;
    my %values;
    $values{ _known($fact, $_) // 'unknown' } = 1 for @runs;
    delete $values{unknown};
    return keys %values > 1;
}

# Programs that all runs used are compared.
sub _binaries {
    my (@runs) = @_;
    my @hashes = map {
        {
            map { split / /, $_, 2 } split /, /, $_->{'b binaries'} // ''
        }
    } @runs;
    my @other = grep {
        my $name = $_;
        grep { defined $_->{$name} && $_->{$name} ne $hashes[0]{$name} } @hashes
    } keys %{ $hashes[0] };
    return @other ? { thing => 'programs' } : ();
}

1;
