# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Storage::Rows - sequential and concurrent transfers of a disk, which no other suite
# has. Suite.pm explains a row.
package Touchstone::Suite::Storage::Rows;
use 5.014;
use strict;
use warnings;

# All use the file of modern's disk-read. The first test makes it, of 32 MB at least. A memory card takes half
# a minute to write 256 MB.
my %COMMON = (
    category => 'storage',
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
        name  => 'seq-write',
        title => 'Sequential Write',
        label => 'Sequential write',
        about => 'write a file in steps of 1 MB bypassing the page cache',
    },
    {
        name  => 'seq-read',
        title => 'Sequential Read',
        label => 'Sequential read',
        about => 'read a file in steps of 1 MB bypassing the page cache',
        args  => [ '%{seconds}', '%{kept}', 'direct' ],
    },
    {
        name    => 'seq-read-cached',
        title   => 'Cached Sequential Read',
        label   => 'Sequential read, page cache',
        about   => 'read a file in steps of 1 MB from the page cache',
        kind    => 'Files (page cache)',
        program => 'seq-read',
        args    => [ '%{seconds}', '%{kept}', 'cached' ],
    },
    {
        name  => 'rand-read-32',
        title => 'Random Reads (32 concurrent)',
        label => '32 random reads of 4 KB',
        about => 'read 4 KB at random places bypassing the page cache, 32 reads concurrently',
    },
);

sub suite {
    my @rows  = map { +{ %COMMON, %$_ } } @TESTS;
    my @names = map { $_->{name} } @rows;
    return {
        name       => 'storage',
        order      => 9,
        version    => 1,
        budget     => 60,
        categories => [ [ storage => 'Storage', 1 ] ],
        tests      => \@rows,
        groups     => { storage => \@names },
    };
}

1;
