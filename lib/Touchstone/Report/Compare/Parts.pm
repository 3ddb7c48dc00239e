# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Parts - the parts of an index in a comparison, which stand between its answer and the
# single tests, without tests and other indexes: as a table, and on a page as a picture with its table.
#
#   Parts, 1 copy
#     Test     vm   b  Speed  95 % interval   Verdict
#     Compute 899 990  +10 %   +9 to +11 %    faster
package Touchstone::Report::Compare::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Compare::Figures;
use Touchstone::Report::Compare::Tables;

my $OF = 'Parts';

# The pair without the parts of its indexes, and with nothing else.
sub without {
    my ($pair) = @_;
    return { %$pair, indexes => [ grep { !_is_part($_) } @{ $pair->{indexes} } ] };
}

sub alone {
    my ($pair) = @_;
    return { %$pair, tests => [], indexes => [ grep { _is_part($_) } @{ $pair->{indexes} } ] };
}

sub _is_part { my ($index) = @_; return ($index->{role} // '') eq 'part' }

# `how`: as Touchstone::Report::Compare::Tables has it.
sub of_two {
    my ($comparison, $pair, %how) = @_;
    my $parts = alone($pair);
    return if !@{ $parts->{indexes} };
    return Touchstone::Report::Compare::Figures::parts($parts, [ $comparison->{called}[0], $pair->{called} ],
        [$parts], %how, of => $OF);
}

sub of_many {
    my ($comparison, %how) = @_;
    my @pairs = map { alone($_) } @{ $comparison->{pairs} };
    return if !grep { @{ $_->{indexes} } } @pairs;
    return Touchstone::Report::Compare::Tables::of_many({ %$comparison, pairs => \@pairs }, %how, of => $OF);
}

1;
