# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Bytemark::Rows - ten processor tests whose iterations per second can be compared with those of
# BYTEmark, and its five indexes.
package Touchstone::Suite::Bytemark::Rows;
use 5.014;
use strict;
use warnings;

my $MACHINES = 'bytemark-machines';
my $INDEXES  = 'bytemark-indexes';
my ($P90, $K6) = ('Dell XPS P90', 'AMD K6/233');

# The tests of memory work in the cache, so their times also depend on the compiler: they exercise more than
# memory.
my @TESTS = (
    {
        name  => 'numeric-sort',
        title => 'Numeric Sort',
        label => 'Numeric sort',
        kind  => 'Integer',
        about => 'heap sort of 8,111 numbers of 64 bits'
    },
    {
        name      => 'string-sort',
        title     => 'String Sort',
        label     => 'String sort',
        kind      => 'Memory',
        exercises => 'other',
        version   => 2,
        about     => 'heap sort of 215 strings that are moved in memory'
    },
    {
        name      => 'bitfield',
        title     => 'Bitfield',
        label     => 'Bit fields',
        kind      => 'Memory',
        exercises => 'other',
        about     => 'set, clear and complement runs of bits, one at a time'
    },
    {
        name  => 'fp-emulation',
        title => 'FP Emulation',
        label => 'Floating-point emulation',
        kind  => 'Integer',
        about => 'floating-point arithmetic with 16-bit integers'
    },
    {
        name  => 'fourier',
        title => 'Fourier',
        label => 'Fourier series',
        kind  => 'Floating point',
        about => 'coefficients of a Fourier series: pow, sin and cos'
    },
    {
        name      => 'assignment',
        title     => 'Assignment',
        label     => 'Assignment of tasks',
        kind      => 'Memory',
        exercises => 'other',
        about     => 'assign 101 tasks to 101 machines at the least cost'
    },
    {
        name  => 'idea',
        title => 'IDEA',
        label => 'IDEA encryption',
        kind  => 'Integer',
        about => 'encrypt and decrypt 4,000 bytes'
    },
    {
        name  => 'huffman',
        title => 'Huffman',
        label => 'Huffman compression',
        kind  => 'Integer',
        about => 'compress and decompress a text of 5,000 bytes'
    },
    {
        name  => 'neural-net',
        title => 'Neural Net',
        label => 'Neural net',
        kind  => 'Floating point',
        about => 'train a small net to recognise ten letters'
    },
    {
        name  => 'lu-decomposition',
        title => 'LU Decomposition',
        label => 'LU decomposition',
        kind  => 'Floating point',
        about => 'solve 101 linear equations'
    },
);

my @MEMORY  = qw(string-sort bitfield assignment);
my @INTEGER = qw(numeric-sort fp-emulation idea huffman);
my @FLOAT   = qw(fourier neural-net lu-decomposition);
my @WHOLE   = qw(numeric-sort string-sort bitfield fp-emulation assignment idea huffman);

# The exponents are the original's, and 0.33333 is not a third: its third decimal depends on that.
my @INDEX = (
    {
        key       => 'bytemark-memory',
        title     => 'BYTEmark Memory',
        tests     => \@MEMORY,
        exponent  => 0.3333333333,
        reference => $K6
    },
    {
        key       => 'bytemark-integer',
        title     => 'BYTEmark Integer',
        tests     => \@INTEGER,
        exponent  => 0.25,
        reference => $K6
    },
    {
        key       => 'bytemark-float',
        title     => 'BYTEmark Floating-Point',
        tests     => \@FLOAT,
        exponent  => 0.3333333333,
        reference => $K6
    },
    {
        key       => 'bytemark-original-integer',
        title     => 'BYTEmark Original Integer',
        tests     => \@WHOLE,
        exponent  => 0.142857,
        reference => $P90
    },
    {
        key       => 'bytemark-original-float',
        title     => 'BYTEmark Original Floating-Point',
        tests     => \@FLOAT,
        exponent  => 0.33333,
        reference => $P90
    },
);

sub _column { return $_[0] =~ tr/-/_/r }

my %COMMON = (
    category => 'bytemark',
    class    => 'sure',
    pace     => 'brief',
    seconds  => 5,
    args     => [ '%{seconds}', '%{cpu}' ],
    scale    => 1,
    rule     => 'mean'
);

sub suite {
    return {
        name    => 'bytemark',
        order   => 3,
        version => 2,
        tests   => [ map { +{ %COMMON, %$_, baseline => [ $MACHINES, $K6, _column($_->{name}) ] } } @TESTS ],
        groups  => {
            bytemark           => [ map { $_->{name} } @TESTS ],
            'bytemark-memory'  => [@MEMORY],
            'bytemark-integer' => [@INTEGER],
            'bytemark-float'   => [@FLOAT]
        },
        categories => [ [ bytemark => 'BYTEmark' ] ],
        indexes    => [
            map {
                my $index = $_;
                +{
                    %$index,
                    scale     => 1,
                    category  => 'bytemark',
                    baselines => {
                        map { $_ => [ $MACHINES, $index->{reference}, _column($_) ] } @{ $index->{tests} }
                    }
                }
            } @INDEX
        ],
        reference => $K6,
        machines  => { $K6 => "an $K6", $P90 => "a $P90" },
        published => {
            $MACHINES => { text => [qw(machine system)], numbers => [ map { _column($_->{name}) } @TESTS ] },
            $INDEXES  => { text => [qw(machine system)], numbers => [qw(memory integer float)] },
        },
        budget => 80,
    };
}

1;
