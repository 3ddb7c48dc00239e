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

use Touchstone::Base::Figure qw(figure people three_digits);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Suite::Bytemark::Tables;

my $UNKNOWN = '---';
my $THIS    = 'this machine';

# An index without an interval has the original's $PLACES.
my $PLACES = 3;

sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    return (
        [ heading => 'BYTEmark' ],
        _built($with{build}),
        _together($tables->{copies}),
        _scales($tables),
        _fold('Compared with two machines, test by test', $with{wide}, _tests($tables)),
        _fold('Published indexes',                        $with{wide}, _published_indexes($tables)),
        [
            text => 'Compilers and C libraries matter more than machines:',
            'compare indexes of one and the same build.'
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

sub _fold {
    my ($title, $wide, @parts) = @_;
    return $wide ? [ fold => $title, @parts ] : @parts;
}

# Returns "An index of 1 is the AMD K6/233: Memory, Integer, Floating-Point", and the same for the others.
sub _scales {
    my ($tables) = @_;
    my (%of, @order);
    for my $index (@{ $tables->{indexes} }) {
        my $who = $index->{reference} // next;
        push @order,         $who if !$of{$who};
        push @{ $of{$who} }, $index->{title} =~ s/\ABYTEmark //r;
    }
    return if !@order;
    return [ text => map { "An index of 1 is the $_: " . join ', ', @{ $of{$_} } } @order ];
}

sub _together {
    my ($copies) = @_;
    return $copies == 1 ? () : [ text => "$copies copies together; the original knows one" ];
}

sub _tests {
    my ($tables) = @_;
    my @machines = @{ $tables->{machines} };
    my @rows;
    for my $test (@{ $tables->{tests} }) {
        push @rows,
            [
            $test->{title},
            people(@$test{qw(score interval)}),
            map { _ratio($test->{ratios}{$_}, $test->{intervals}{$_}) } @machines
            ];
    }
    return [
        table => {
            caption => 'Iterations per second, and how many times those of two machines',
            head    => [ 'Test', 'Iterations/s', @machines ],
            rows    => \@rows
        }
    ];
}

sub _ratio {
    my ($ratio, $interval) = @_;
    return $UNKNOWN if !defined $ratio;
    return three_digits($ratio, $interval);
}

sub _published_indexes {
    my ($tables) = @_;

    # Published indexes are relative to one machine, but --baseline may have put another in its place.
    my %mine =
        map  { $_->{key} => $_ }
        grep { !$_->{partial} && ($_->{reference} // '') eq $Touchstone::Suite::Bytemark::Tables::REFERENCE }
        @{ $tables->{indexes} };
    my @shown = map { my $index = $mine{"bytemark-$_"}; $index ? _index($index) : $UNKNOWN }
        @Touchstone::Suite::Bytemark::Tables::SHOWN;
    my @rows = (
        [ $THIS, '', @shown ],
        map {
            my $row = $_;
            [
                @$row{qw(machine system)},
                map { defined $row->{$_} ? sprintf "%.${PLACES}f", $row->{$_} : $UNKNOWN }
                    @Touchstone::Suite::Bytemark::Tables::SHOWN
            ]
        } @{ $tables->{others} }
    );
    return [
        table => {
            caption => 'Published indexes',
            head    => [ 'Machine', 'System', 'Memory', 'Integer', 'Floating-Point' ],
            left    => [ 0, 1 ],
            rows    => \@rows
        }
    ];
}

sub _index {
    my ($index) = @_;
    return $index->{interval}
        ? figure($index->{score}, $index->{interval})
        : sprintf "%.${PLACES}f", $index->{score};
}

1;
