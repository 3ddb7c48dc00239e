# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Check::Rows - the disk tests of the check: sequential and concurrent transfers, which no other suite
# has. Suite.pm explains a row.
package Touchstone::Suite::Check::Rows;
use 5.014;
use strict;
use warnings;

# All use the file of modern's disk-read. The first test makes it, of 32 MB at least. A memory card takes half
# a minute to write 256 MB.
my %COMMON = (
    category => 'check',
    kind     => 'Disk',
    class    => 'short',
    pace     => 'brief',
    seconds  => 10,
    single   => 1,
    args     => [ '%{seconds}', '%{kept}' ],
    kept     => 'blocks',
    space    => 32_900,
    setup    => 0.1,
    patience => 300,
);

my @TESTS = (
    {
        name  => 'check-write',
        title => 'Sequential Write',
        label => 'Sequential write',
        about => 'write a file in steps of 1 MB bypassing the page cache',
    },
    {
        name  => 'check-read',
        title => 'Sequential Read',
        label => 'Sequential read',
        about => 'read a file in steps of 1 MB bypassing the page cache',
        args  => [ '%{seconds}', '%{kept}', 'direct' ],
    },
    {
        name    => 'check-read-cached',
        title   => 'Cached Sequential Read',
        label   => 'Sequential read, page cache',
        about   => 'read a file in steps of 1 MB from the page cache',
        kind    => 'Files (page cache)',
        program => 'check-read',
        args    => [ '%{seconds}', '%{kept}', 'cached' ],
    },
    {
        name  => 'check-read-32',
        title => 'Random Reads (32 concurrent)',
        label => '32 random reads of 4 KB',
        about => 'read 4 KB at random places bypassing the page cache, 32 reads concurrently',
    },
);

sub suite {
    my @rows  = map { +{ %COMMON, %$_ } } @TESTS;
    my @names = map { $_->{name} } @rows;
    return {
        name       => 'check',
        order      => 9,
        version    => 1,
        budget     => 60,
        categories => [ [ check => 'Check', 1 ] ],
        tests      => \@rows,
        groups     => { check => \@names, 'check-disk' => \@names },
    };
}

1;
