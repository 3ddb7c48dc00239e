# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Rows - the probes, which ask whether a machine is what it says of itself. Their passes are
# evidence for verdicts and no scores. Each is a module of Suite/Truth/Probe, with
#
#   row()                            the row of its program, as Suite.pm explains it, named truth-NAME, with
#                                    `order`, its place among the probes
#   of_any_run(facts)                where it is there: true where the probe also judges a run without its test
#   judge(facts, result, passes)     {
#       verdict  => 'as told', 'not as told' or 'cannot tell',
#       sentence => 'The clocks agree within 0.3 ppm.',
#       evidence => [ [ 'steps back between CPUs', '0 of 1,474,490 exchanges' ], ... ] }
#
# or undef where there is nothing to say. `facts` is the record, with what Needs found about the system in
# facts->{equipment}{truth}; `result` that of its test as Score has it, `passes` those of its test that count.
# All of it may be a stranger's. A verdict needs two witnesses that do not depend on each other.
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

# Returns the probes as [name, package, row], in their order.
sub probes {
    my ($here) = __FILE__ =~ m{(.*)/Rows\.pm\z}s;
    opendir my $dir, "$here/Probe" or die "cannot open '$here/Probe': $!\n";
    my @modules = sort map { /\A(\w+)\.pm\z/ ? $1 : () } readdir $dir;
    closedir $dir;
    require "Touchstone/Suite/Truth/Probe/$_.pm" for @modules;
    my @probes =
        map { my $package = __PACKAGE__ =~ s/Rows\z/Probe::$_/r; [ lc, $package, _row($package) ] } @modules;
    return sort { $a->[2]{order} <=> $b->[2]{order} } @probes;
}

sub _row { my ($package) = @_; return { %COMMON, %{ $package->can('row')->() } } }

sub suite {
    my @rows = map { $_->[2] } probes();
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
