# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Rows - the programs that a French laboratory timed on workstations in 1997 (LMB), in C and
# Fortran, and all of them at once: fixed work whose seconds count. Suite.pm explains a row.
package Touchstone::Suite::Lmb1997::Rows;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

my $PUBLISHED = 'lmb1997';
my $LOAD      = 'load1997';
my %FORTRAN   = (fortran => 1);

# The array has as many KB as the machine can spare.
my %ARRAY  = (requires => 'array', args => [ '%{seconds}', '%{array}' ]);
my %COMMON = (
    category => 'lmb1997',
    better   => 'lower',
    class    => 'short',
    pace     => 'brief',
    seconds  => 10,
    patience => 900
);

# `space` is KB of files, which go when they are closed; a row with `load` is no part of the load.
my @SINGLE = (
    {
        name  => 'm-permut',
        title => 'Permutations',
        label => 'Permutations, C',
        kind  => 'CPU',
        about => 'all permutations of ten elements'
    },
    {
        name  => 'm-comb.c',
        title => 'Combinations in C',
        label => 'Combinations, C',
        kind  => 'CPU',
        about => 'binomial coefficients, and all subsets of 8 of 24 elements'
    },
    {
        name  => 'm-comb.f',
        title => 'Combinations in Fortran',
        label => 'Combinations, Fortran',
        kind  => 'CPU',
        about => 'the same in Fortran',
        %FORTRAN
    },
    {
        name  => 'm-deriv.c',
        title => 'Derivatives in C',
        label => 'Derivatives, C',
        kind  => 'CPU',
        about => 'numerical derivatives of four functions at 200,000 points'
    },
    {
        name  => 'm-deriv.f',
        title => 'Derivatives in Fortran',
        label => 'Derivatives, Fortran',
        kind  => 'CPU',
        about => 'the same in Fortran',
        %FORTRAN
    },
    {
        name  => 'm-carac.c',
        title => 'Characters in C',
        label => 'Characters, C',
        kind  => 'CPU',
        about => 'a text of a megabyte, byte by byte: case, words, letters, a search',
        load  => 0
    },
    {
        name  => 'm-matr.c',
        title => 'Matrices in C',
        label => 'Matrices, C',
        kind  => 'CPU',
        about => 'product of two matrices of 512 x 512, and an elimination'
    },
    {
        name  => 'm-matr.f',
        title => 'Matrices in Fortran',
        label => 'Matrices, Fortran',
        kind  => 'CPU',
        about => 'the same in Fortran',
        %FORTRAN
    },
    {
        name  => 'm-moncar.c',
        title => 'Monte Carlo in C',
        label => 'Monte Carlo, C',
        kind  => 'CPU',
        about => 'pi and two integrals from 20 million random numbers'
    },
    {
        name  => 'm-nmemvir1.c',
        title => 'Large Array in C',
        label => 'Large array in order, C',
        kind  => 'Memory',
        about => 'change an array of 64 MB in the order of storage, eight times',
        %ARRAY
    },
    {
        name  => 'm-nmemvir1.f',
        title => 'Large Array in Fortran',
        label => 'Large array in order, Fortran',
        kind  => 'Memory',
        about => 'the same in Fortran',
        %ARRAY, %FORTRAN
    },
    {
        name  => 'm-vir.f',
        title => 'Large Array by Rows in Fortran',
        label => 'Large array by rows, Fortran',
        kind  => 'Memory',
        about => 'the same array against the order of storage',
        %ARRAY, %FORTRAN
    },
    {
        name  => 'm-vir4.c',
        title => 'Large Array at Random in C',
        label => 'Large array at random, C',
        kind  => 'Memory',
        about => 'the same array at 20 million random places',
        %ARRAY
    },
    {
        name  => 'm-stadis1.f',
        title => 'Random Disk Records in Fortran',
        label => 'Random records, Fortran',
        kind  => 'Files',
        about => '1,440,000 integers to a direct-access file, one by one',
        space => 5800,
        %FORTRAN
    },
    {
        name  => 'm-nnstadis.c',
        title => 'Random Disk Blocks in C',
        label => 'Random blocks, C',
        kind  => 'Files',
        about => '100,000 blocks of a file of 64 MB, written and read back',
        space => 65_600
    },
    {
        name  => 'm-debi.c',
        title => 'Sequential Disk in C',
        label => 'One large file, C',
        kind  => 'Files',
        about => 'write a file of 256 MB, wait for the disk, read it',
        space => 262_200
    },
);

# A program in C has the name of its file without the suffix.
sub _row {
    my (%row) = @_;
    delete $row{load};
    return { %COMMON, program => $row{name} =~ s/\.c\z//r, %row };
}

# The load takes PROGRAM, or PROGRAM=ARGUMENT.
sub _word {
    my ($row) = @_;
    return join '=', $row->{program}, grep { $_ ne '%{seconds}' } @{ $row->{args} || [] };
}

my @TESTS    = map  { _row(%$_) } @SINGLE;
my %has_load = map  { $_->{name} => 1 } grep { exists $_->{load} } @SINGLE;
my @LOADED   = grep { !$has_load{ $_->{name} } } @TESTS;

sub suite {
    return {
        name    => 'lmb1997',
        order   => 5,
        version => 1,
        budget  => 170,
        tests   => [
            @TESTS,
            _row(
                name     => $LOAD,
                title    => 'Load 1997',
                label    => 'All programs concurrently',
                kind     => 'Load',
                about    => 'all of these except m-carac.c, concurrently, until the last has ended',
                single   => 1,
                requires => 'arrays',
                space    => sum(map { $_->{space} // 0 } @LOADED),
                args     => [ '%{seconds}', '%{bin}', map { _word($_) } @LOADED ],
                parts    => [ map { $_->{program} } @LOADED ],
                setup    => 5,
            )
        ],
        groups     => { lmb1997 => [ (map { $_->{name} } @TESTS), $LOAD ] },
        categories => [ [ lmb1997 => '1997 Benchmarks', 1 ] ],
        published  => { $PUBLISHED => { text => [qw(program system)], numbers => ['seconds'] } },
    };
}

1;
