# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Baselines - what the scores of a run are set against: George and the other baselines of suites, or the
# run of --baseline in their place, and the published results beside which reports show the run:
#
#   {
#     scores    => { test => { score, by_copies } },
#     indexes   => [ indexes of suites, with their baselines ],
#     published => { table => [ rows ] },
#     name      => 'George', or the name of the run, or undef,
#     run       => the run of --baseline, or undef,
#     partial   => [ what that run lacks of these tests, in words ],
#   }
package Touchstone::Run::Baselines;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Compare::Baseline;

# Reads all of it before anything is written: a file that is damaged ends the run.
sub read_all {
    my ($request) = @_;
    my ($places, $tests) = @$request{qw(places tests)};
    my @suites = sort { $a->{order} <=> $b->{order} } values %{ $request->{suite}->suites_of(@$tests) };
    my $tables = _tables($places, @suites);
    my %known  = (
        published => { map { $_ => $tables->{$_}{rows} } keys %$tables },
        indexes   =>
            [ Touchstone::Compare::Baseline::of_indexes($tables, map { @{ $_->{indexes} || [] } } @suites) ],
        scores  => undef,
        name    => undef,
        run     => undef,
        partial => []
    );
    return { %known, _of_run($request, @{ $known{indexes} }) } if defined $request->{want}{baseline};
    return { %known, _of_suites($places, $tables, \@suites, @$tests) };
}

# Returns { name => { file, rows, key => the column that names a machine } }.
sub _tables {
    my ($places, @suites) = @_;
    my %form = map { %{ $_->{published} || {} } } @suites;
    my %tables;
    require Touchstone::Suite::Published if %form;
    for my $name (sort keys %form) {
        my $file = _beside_programs($places, "$name.csv");
        $tables{$name} = {
            file => $file,
            rows => Touchstone::Suite::Published::load($file, %{ $form{$name} }),
            key  => $form{$name}{text}[0]
        };
    }
    return \%tables;
}

# Programs of another build may have come alone.
sub _beside_programs {
    my ($places, $name) = @_;
    my ($file) = grep { -e } map { "$_/$name" } $places->{bin}, "$places->{base}/pgms";
    return $file // "$places->{base}/pgms/$name";
}

sub _of_suites {
    my ($places, $tables, $suites, @tests) = @_;
    my $scores    = Touchstone::Compare::Baseline::load(_beside_programs($places, 'index.base'));
    my $published = Touchstone::Compare::Baseline::of_tables($tables, @tests);
    my %seen;
    my @names = grep { defined $_ && !$seen{$_}++ } map { $_->{reference} } @$suites;
    return (
        scores => { (map { $_ => { score => $scores->{$_} } } keys %$scores), %$published },
        name   => @names ? join(', ', @names) : undef
    );
}

sub _of_run {
    my ($request, @indexes) = @_;
    my $run     = _reference($request);
    my %asked   = map { $_->{name} => $_->{version} } @{ $request->{tests} };
    my $scores  = Touchstone::Compare::Baseline::of_run($run, \%asked);
    my @partial = Touchstone::Compare::Baseline::partial_of($run, \%asked);
    return (
        scores  => $scores,
        name    => $run->{name},
        run     => $run,
        partial => [ grep { /\A(\S+)/ && $asked{$1} } @partial ],
        indexes => [ map { Touchstone::Compare::Baseline::against($_, $scores, $run->{name}) } @indexes ]
    );
}

sub _reference {
    my ($request) = @_;
    require Touchstone::Compare::Run;
    my $load = sub {
        Touchstone::Compare::Run::load(
            $request->{want}{baseline},
            $request->{places}{runs},
            $request->{suite}->titles
        );
    };
    return or_refuse($load);
}

1;
