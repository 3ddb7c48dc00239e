# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::UnixBench::Versions - the work of each test in each version of UnixBench. Tests of one name whose
# work differs have no ratio, and an index that contains them is only roughly the same. Touchstone does the
# work of UnixBench 6.
package Touchstone::Suite::UnixBench::Versions;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(series work marks);

# The first version with each work; `copies`: at which numbers of copies the versions differ.
my @FILES  = map { ($_, "$_-w", "$_-r") } qw(fstime fsbuffer fsdisk);
my @SHELLS = qw(shell1 shell8 shell16);
my @WORK   = (
    {
        tests  => \@FILES,
        copies => 'several',
        of     => [ [ 5 => 'one file and one descriptor for all copies' ], [ 6 => 'a file for each copy' ] ]
    },
    {
        tests => \@SHELLS,
        of => [ [ 4 => 'multi.sh starts expr' ], [ 6 => 'the shell itself does the arithmetic of multi.sh' ] ]
    },
    {
        tests  => ['whetstone-double'],
        copies => 'more than CPUs',
        of     => [ [ 5 => 'rates per CPU time of each copy' ], [ 6 => 'rates per elapsed time' ] ]
    },
);

# Differences that leave the work the same or depend on how the programs were built.
my @MARKS = (
    'UnixBench before 6 is built without -O3 -march=native, so its dhry2reg and whetstone-double are often '
        . 'slower; and its syscall calls getpid through the C library, where glibc before 2.25 answers '
        . 'without the kernel',
    'version 4 has another index, of other tests',
);
my $UNKNOWN = 'a report without its first lines has no version: if it is of UnixBench before 6, its shell '
    . 'tests, and its file tests with several copies, did other work';

# The first number of a version of UnixBench; that of Touchstone's work; or nothing for an unknown one.
sub series {
    my ($version) = @_;
    my ($number)  = ($version // '') =~ /\A(\d{1,3})/a or return;
    return $number < 6 ? 0 + $number : 6;
}

# What a test of a version does, as words behind a colon, or nothing if all versions do the same or the
# version is unknown. `cpus` may be unknown.
sub work {
    my ($series, $test, $copies, $cpus) = @_;
    return if !defined $series;
    for my $row (grep { _is_of($_, $test, $copies, $cpus) } @WORK) {
        my ($latest) = grep { $_->[0] <= $series } reverse @{ $row->{of} };
        return $latest ? $latest->[1] : undef;
    }
    return;
}

sub _is_of {
    my ($row, $test, $copies, $cpus) = @_;
    return 0 if !grep { $_ eq $test } @{ $row->{tests} };
    my $when = $row->{copies} // return 1;
    return $when eq 'several' ? $copies > 1 : $copies > ($cpus || $copies);
}

# Sentences about two series that have scores in common; undef is an unknown one.
sub marks {
    my ($one, $other) = @_;
    return            if !defined $one && !defined $other;
    return ($UNKNOWN) if !defined $one || !defined $other;
    my ($low, $high) = sort { $a <=> $b } $one, $other;
    return if $low == $high;
    return map { $MARKS[$_] } $high == 6 ? 0 : (), $low < 5 ? 1 : ();
}

# Lines of the table in the documents: [ tests, copies, { version => work } ].
sub table { return @WORK }

1;
