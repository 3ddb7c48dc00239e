# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Baseline - the figures that the scores of a run are set against: those of a file or of a table of
# published results, or those of a stored run (--baseline), with which the run is then compared, too. A file
# has UnixBench's form, name|seconds|unit|score|score|passes:
#
#   # George, a SPARCstation 20-61
#   dhry2reg|10|lps|116700|116700|10
package Touchstone::Compare::Baseline;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Warnings;

my $NUMBER = qr/\d{1,15}(?:\.\d{1,15})?/;

# What a record keeps of a figure of the comparison.
my @STORED = qw(name copies unit scores ratio interval detectable verdict why of_common drift role label);

# The scores of a file, { name => score }. Dies naming file and line.
sub load {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot open baselines '$file': $!\n";

    # Before Perl 5.36, reading a directory is not an error.
    die "cannot read baselines '$file': it is a directory\n" if -d $in;
    my %score;
    while (my $line = <$in>) {
        next if $line =~ /^\s*(?:#|$)/;
        my ($name, $rest) = $line =~ /^([\w.-]+)\|($NUMBER\|\w+\|$NUMBER\|$NUMBER\|\d+)\s*$/
            or die "'$file' line $.: not a baseline, expected name|seconds|unit|score|score|passes\n";
        die "'$file' line $.: '$name' is there twice\n" if exists $score{$name};
        $score{$name} = 0 + (split /\|/, $rest)[2];
        die "'$file' line $.: the score of '$name' is 0\n" if $score{$name} <= 0;
    }
    close $in or die "cannot read baselines '$file': $!\n";
    return \%score;
}

# The baselines of tests whose rows name a figure of a table of published results, { name => { score } };
# `tables`: { name => { file, rows, key => the column that names a machine } }.
sub of_tables {
    my ($tables, @tests) = @_;
    my %baseline;
    for my $test (grep { $_->{baseline} } @tests) {
        my ($table, $reference, $column) = @{ $test->{baseline} };
        my ($file,  $key,       $rows)   = @{ $tables->{$table} }{qw(file key rows)};
        my ($row) = grep { $_->{$key} eq $reference } @$rows
            or die "'$file' has no line of '$reference', which is the baseline of '$test->{name}'\n";
        my $score = $row->{$column};
        die "'$file' has no figure above 0 in the column '$column' of '$reference', which is the "
            . "baseline of '$test->{name}'\n"
            if !$score || $score <= 0;
        $baseline{ $test->{name} } = { score => $score + 0 };
    }
    return \%baseline;
}

# The same for the indexes of suites: [{ ..., baselines => { test => score } }].
sub of_indexes {
    my ($tables, @indexes) = @_;
    my @known;
    for my $index (@indexes) {
        my $reference = of_tables($tables,
            map { { name => $_, baseline => $index->{baselines}{$_} } } sort keys %{ $index->{baselines} });
        push @known, { %$index, baselines => { map { $_ => $reference->{$_}{score} } keys %$reference } };
    }
    return @known;
}

# The baselines that a run gives, as Compare::Run loads it, without what cannot be compared with ours, and
# without tests that are of another version now; `version`: { name => of now }.
#
#   { name => { score => that of its first copy count, by_copies => { 1 => score, 2 => score } } }
sub of_run {
    my ($run, $version) = @_;
    my %baseline;
    my %other = map { $_ => 1 } of_other_version($run, $version);
    my @tests =
        grep { !$_->{part} && !defined $_->{unlike} && !$other{ $_->{name} } } values %{ $run->{tests} };
    for my $test (sort { $a->{copies} <=> $b->{copies} } @tests) {
        die "the baseline '$run->{name}' has a score of 0 for '$test->{name}'\n" if $test->{score} <= 0;
        my $entry = $baseline{ $test->{name} } ||= { score => $test->{score} };
        $entry->{by_copies}{ $test->{copies} } = $test->{score};
    }
    return \%baseline;
}

# The names of tests of such a run that are of another version now.
sub of_other_version {
    my ($run, $version) = @_;
    my %then = map { $_->{name} => $_->{version} } grep { !$_->{part} } values %{ $run->{tests} };
    return
        grep { defined $then{$_} && defined $version->{$_} && $then{$_} ne $version->{$_} } sort keys %then;
}

# Lists the tests of a run that are no whole baseline: 'xbench without fitext', 'spawn of another version',
# ...
sub partial_of {
    my ($run, $version) = @_;
    my %seen;
    my @other = map { "$_ of another version" } of_other_version($run, $version);
    return @other, grep { !$seen{$_}++ }
        map {
        "$_->{name} without " . join ', ',
            map { $_->{name} }
            @{ $_->{missing} }
        } grep { $_->{missing} } map { $run->{tests}{$_} } sort keys %{ $run->{tests} };
}

# An index of a suite with such baselines in the place of its own.
sub against {
    my ($index, $baseline, $name) = @_;
    my @known = grep { $baseline->{$_} } @{ $index->{tests} };
    return {
        %$index,
        reference => $name // $index->{reference},
        baselines => { map { $_ => $baseline->{$_}{score} } @known },
        by_copies => { map { $_ => $baseline->{$_}{by_copies} } @known }
    };
}

# A run whose scores are not valid gives indexes that are not valid: a warning that says so, or nothing.
sub invalid {
    my ($run) = @_;
    my $invalid = $run->{invalid} or return;
    return Touchstone::Record::Warnings::warning(
        reference => text => "the reference '$run->{name}' is not valid: $invalid->{brief}");
}

# The facts of a record with such a run in the place of its baselines.
sub instead {
    my ($facts, $run) = @_;
    require Touchstone::Compare::Differences;
    my %version =
        map { $_->{name} => Touchstone::Compare::Differences::version_of($facts, $_) } @{ $facts->{tests} };
    my $baseline = of_run($run, \%version);
    my @tests    = map {
        my %test = %$_;
        @test{qw(baseline baselines)} = @{ $baseline->{ $test{name} } || {} }{qw(score by_copies)};
        \%test;
    } @{ $facts->{tests} };
    my $indexes = $facts->{indexes};
    my @partial = partial_of($run, \%version);
    my $warning = Touchstone::Record::Warnings::warning(
        baseline => text => "the reference '$run->{name}' has " . join '; ',
        @partial
    );
    return {
        %$facts,
        tests    => \@tests,
        baseline => $run->{name},
        $indexes ? (indexes => [ map { against($_, $baseline, $run->{name}) } @$indexes ]) : (),
        warnings => [
            (grep { $_->{id} ne 'reference' } @{ $facts->{warnings} }),
            invalid($run), @partial ? $warning : ()
        ]
    };
}

# The comparison of a run with its reference, which is as Compare::Run loads it, as plain data for the record.
# `places`: where self-compare left the detection limits of this machine, and where its other runs are.
# Tests that the run was not to measure do not count.
#
#   {
#       name        => 'good-2026-11-21-01',
#       notes       => [...],
#       differences => [ { thing => 'kernel', values => [its, ours] } ],
#       invalid        => [ { called, text, remedy } of the run that is not valid ],
#       drift       => { machines, unknown } of Compare::Drift,
#       cause       => that of Compare::Cause, if tests differ,
#       status      => as of compare,
#       fail_on     => 0.05 where --fail-on said so,
#       tests       => [
#           {
#               name   => 'zstd-1 decompress',
#               copies => 1,
#               unit   => 'MBps',
#               scores => [its, ours],
#               intervals, ratio, interval, detectable, verdict, why, drift
#           }
#       ],
#       indexes => [ the same ]
#   }
sub comparison {
    my ($facts, $results, $reference, $places, $fail_on) = @_;
    require Touchstone::Compare;
    require Touchstone::Compare::Drift;
    require Touchstone::Compare::Run;
    require Touchstone::Compare::SelfCompare;
    my @runs = ($reference, Touchstone::Compare::Run::from_record($facts, $results));
    my %asked;
    for my $block (@{ $facts->{blocks} }) {
        $asked{"$block->{copies} $_->{name}"} = 1 for @{ $facts->{tests} };
    }
    my $smallest = Touchstone::Compare::SelfCompare::find($places, @runs);
    my $compared = Touchstone::Compare::compare(
        runs     => \@runs,
        fail_on  => $fail_on,
        asked    => \%asked,
        label    => [ $reference->{name}, 'this run' ],
        smallest => $smallest,
        drift    => Touchstone::Compare::Drift::find($places, @runs)
    );
    my ($pair) = @{ $compared->{pairs} };
    return {
        name   => $reference->{name},
        status => $compared->{status},
        defined $fail_on ? (fail_on => $fail_on) : (),
        invalid     => [ _invalid_runs($reference, @{ $compared->{invalid} }) ],
        notes       => $pair->{notes},
        differences => $compared->{differences},
        drift       => $compared->{drift},
        $pair->{cause} ? (cause => $pair->{cause}) : (),
        map {
            $_ => [ map { _stored($_) } @{ $pair->{$_} } ]
        } qw(tests indexes),
    };
}

# If the reference is not valid, the run is not valid for the same reason: one of them is enough.
sub _invalid_runs {
    my ($reference, @invalid) = @_;
    @invalid = grep { $_->{label} eq $reference->{name} } @invalid if $reference->{invalid};
    return map { { label => $_->{label}, text => $_->{brief}, remedy => $_->{remedy} } } @invalid;
}

sub _stored {
    my ($row) = @_;
    return {
        (map { $_ => $row->{$_} } grep { defined $row->{$_} } @STORED),
        intervals => [ map { $_ // [] } @{ $row->{intervals} } ]
    };
}

1;
