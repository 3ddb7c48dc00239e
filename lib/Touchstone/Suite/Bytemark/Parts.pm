# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Bytemark::Parts - the tables of Touchstone::Suite::Bytemark::Tables as parts of a page. The indexes
# themselves are those of the run:
#
#   Test          Iterations/s  Dell XPS P90  AMD K6/233
#   Numeric Sort          2183            56        18.4
#
#   Machine                   Memory  Integer  Floating-Point
#   this machine               35.95    62.24          151.52
#   Pentium 133 Linux          0.383    0.444           0.632
package Touchstone::Suite::Bytemark::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure human three_digits);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Suite::Bytemark::Tables;
use Touchstone::Suite::Published qw($THIS $UNKNOWN columns table);

# An index without an interval has the original's digits.
my $PLACES = '%.3f';

my @SHOWN = ([ Memory => 'memory' ], [ Integer => 'integer' ], [ 'Floating-Point' => 'float' ]);

sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my $copies = $tables->{copies};
    return (
        [ heading => 'BYTEmark' ],
        _built($with{build}),
        $copies == 1 ? () : [ text => "$copies copies together; the original runs one" ],
        _scales($tables),
        [ fold => 'Compared with two machines, test by test', _tests($tables) ],
        [ fold => 'Published indexes',                        _indexes($tables) ],
        [
            text => 'Compilers and C libraries matter more than machines:',
            'compare only indexes of the same build.'
        ]
    );
}

# The numbers of this suite mean nothing without the compiler and the C library.
sub _built {
    my ($build) = @_;
    my @known =
        grep { defined } map { $build->{$_} } qw(compiler_version flags_bytemark libc linkage_bytemark);
    return @known ? [ text => 'Built by ' . join ', ', @known ] : ();
}

# Returns "An index of 1 is the AMD K6/233: Memory, Integer, Floating-Point", and the same for the others.
sub _scales {
    my ($tables) = @_;
    my (%of, @order);
    for my $index (@{ $tables->{indexes} }) {
        my $reference = $index->{reference} // next;
        push @order,               $reference if !$of{$reference};
        push @{ $of{$reference} }, $index->{title} =~ s/\ABYTEmark //r;
    }
    return if !@order;
    return [ text => map { "An index of 1 is the $_: " . join ', ', @{ $of{$_} } } @order ];
}

sub _tests {
    my ($tables) = @_;
    return table(
        'Iterations per second, and how many times those of two machines',
        [
            [ Test           => 'title' ],
            [ 'Iterations/s' => sub { human(@{ $_[0] }{qw(score interval)}) } ],
            columns(\&_ratio, @{ $tables->{machines} })
        ],
        $tables->{tests}
    );
}

sub _ratio {
    my ($test,  $machine)  = @_;
    my ($ratio, $interval) = map { $test->{$_}{$machine} } qw(ratios intervals);
    return defined $ratio ? three_digits($ratio, $interval) : $UNKNOWN;
}

sub _indexes {
    my ($tables) = @_;

    # Published indexes are relative to one machine, but --baseline may have put another in its place.
    my @mine =
        grep { !$_->{partial} && ($_->{reference} // '') eq $Touchstone::Suite::Bytemark::Tables::REFERENCE }
        @{ $tables->{indexes} };
    my %this = map { $_->{key} =~ s/\Abytemark-//r => $_ } @mine;
    return table(
        'Published indexes',
        [
            [ Machine => 'machine' ],
            [ System  => sub { $_[0]{system} // '' }, left => 1 ],
            columns(\&_index, @SHOWN)
        ],
        [ { %this, machine => $THIS, system => '' }, @{ $tables->{others} } ]
    );
}

# Returns an index of this machine, or a published one, which is a number alone.
sub _index {
    my ($machine, $key) = @_;
    my $index = $machine->{$key};
    return $UNKNOWN if !defined $index;
    return sprintf $PLACES, $index if !ref $index;
    return $index->{interval} ? figure(@$index{qw(score interval)}) : sprintf $PLACES, $index->{score};
}

1;
