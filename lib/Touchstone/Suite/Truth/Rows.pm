# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Rows - the probes, which check what a machine reports about itself. Their passes are
# evidence for verdicts and no scores. Each is a module of Suite/Truth/Probe, with
#
#   of_any_run(facts)                where it is there: true where the probe also judges a run without its test
#   judge(facts, result, passes)     {
#       verdict  => 'confirmed', 'contradicted' or 'unclear',
#       sentence => 'The clocks agree within 0.3 ppm.',
#       evidence => [ [ 'steps back between CPUs', '0 of 1,474,490 exchanges' ], ... ] }
#
# or undef where there is nothing to say. `facts` is the record, with what Needs found about the system in
# facts->{equipment}{truth}; `result` that of its test as Score has it, `passes` those of its test that count.
# All of it may be a stranger's. A verdict needs two independent witnesses.
package Touchstone::Suite::Truth::Rows;
use 5.014;
use strict;
use warnings;

# UnixBench's schedule gives a pass a second.
my %COMMON = (
    category => 'truth',
    kind     => 'Truth',
    class    => 'short',
    pace     => 'brief',
    seconds  => 1,
    single   => 1,
    verdict  => 1,
    requires => 'truth',
);

# In the order in which they are measured and reported.
my @TESTS = (
    {
        name     => 'truth-vcpu',
        title    => 'Truth: CPU',
        label    => 'CPU',
        about    => 'is a CPU a core, how fast is its clock, and who else uses it',
        pace     => 'slow',
        shortest => 1.5,
    },
    {
        name     => 'truth-line',
        title    => 'Truth: Lines between Cores',
        label    => 'Lines between cores',
        about    => 'how long does a cache line take between cores, and which of them share a cache',
        pace     => 'slow',
        shortest => 0.9,
    },
    {
        name     => 'truth-stamina',
        title    => 'Truth: Stamina',
        label    => 'Stamina',
        about    => 'do all CPUs keep their speed under load',
        team     => 1,
        requires => 'stamina',
    },
    {
        name     => 'truth-cache',
        title    => 'Truth: Cache',
        label    => 'Cache',
        about    => 'how much of the reported cache can a program use',
        pace     => 'slow',
        shortest => 1.5,
    },
    {
        name  => 'truth-disk',
        title => 'Truth: Disk',
        label => 'Disk',
        about => 'does each commit make the disk flush',
        args  => [ '%{seconds}', '%{work}', '%{drives}' ],
        space => 1024,
    },
    {
        name  => 'truth-exit',
        title => 'Truth: Exits',
        label => 'Exits to the hypervisor',
        about => 'is there a hypervisor, and how long does an exit to it take',
    },
    {
        name     => 'truth-memory',
        title    => 'Truth: Memory',
        label    => 'Memory',
        about    => 'is memory allocated before its first use',
        args     => [ '%{seconds}', '%{spare}' ],
        pace     => 'slow',
        shortest => 1,
    },
    {
        name  => 'truth-clock',
        title => 'Truth: Clocks',
        label => 'Clocks',
        about => 'do the clocks agree, and never go back between CPUs',
        team  => 1,
    },
);

# Returns the probes as [name, package, row], in their order, with the packages loaded.
sub probes {
    return map {
        my ($name) = $_->{name} =~ /\Atruth-(\w+)\z/;
        require "Touchstone/Suite/Truth/Probe/\u$name.pm";
        [ $name, __PACKAGE__ =~ s/Rows\z/Probe::\u$name/r, $_ ]
    } @{ suite()->{tests} };
}

sub suite {
    my @rows = map { +{ %COMMON, %$_ } } @TESTS;
    return {
        name       => 'truth',
        order      => 8,
        version    => 1,
        budget     => 60,
        categories => [ [ truth => 'Truth', 1 ] ],
        tests      => \@rows,
        groups     => { truth => [ map { $_->{name} } @rows ] }
    };
}

1;
