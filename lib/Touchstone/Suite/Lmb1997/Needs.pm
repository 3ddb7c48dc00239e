# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Needs - the memory that the large arrays of 1997 take.
package Touchstone::Suite::Lmb1997::Needs;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);
use POSIX qw(ceil);

use Touchstone::Machine::Resources;

# The large array has 64 MB, or this part of a small memory, and all copies together take this part of what
# is free. `most` and `least` are KB.
my %ARRAY = (most => 65536, least => 256, part => 1 / 16, of_free => 0.75);

sub needs {
    return { map { $_ => { find => \&_arrays } } qw(array arrays) };
}

# All arrays that the copies of a test have together must fit into the free memory.
sub _arrays {
    my ($program, %setup) = @_;
    my ($all,     $free)  = @{ Touchstone::Machine::Resources::memory() }{qw(all free)};
    my $size = int max($ARRAY{least},
        min($ARRAY{most}, grep { defined } defined $all ? $all * $ARRAY{part} : undef));
    my $arrays =
        $setup{sides} * ($setup{test}{single} ? 1 : max(@{ $setup{copies} })) * grep { /%\{array\}/ }
        @{ $setup{test}{args} };
    my $needed = $size * $arrays / $ARRAY{of_free};
    return { values => { array => $size } } if !defined $free || $needed <= $free;
    return {
        trouble => [
            skipped => sprintf(
                '%d MB of memory are needed for %s, %d MB are free',
                ceil($needed / 1024),
                $arrays == 1 ? 'the large array' : "$arrays large arrays",
                $free / 1024
            ),
            'end other programs, or run fewer copies (-c)'
        ]
    };
}

1;
