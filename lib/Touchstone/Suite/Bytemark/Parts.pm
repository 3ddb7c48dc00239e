# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Bytemark::Parts - the tables of Touchstone::Suite::Bytemark::Tables as parts of a page:
#
#   Test          Iterations/s  Dell XPS P90  AMD K6/233
#   Numeric Sort          2183         55.99       18.39
#
#   Machine                   Memory  Integer  Floating-Point
#   this machine               35.95    62.24          151.52
#   Pentium 133 Linux          0.383    0.444           0.632
package Touchstone::Suite::Bytemark::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure sureness);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Suite::Bytemark::Tables;

my $UNKNOWN = '---';
my $THIS    = 'this machine';

# An index without an interval has the original's $PLACES. A score without one has five digits, as there.
my ($PLACES, $DIGITS, $RATIO) = (3, 5, 2);

sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    return (
        [ heading => 'BYTEmark' ],
        _built($with{build}),
        _together($tables->{copies}),
        _tests($tables),
        _own_indexes($tables),
        _published_indexes($tables),
        [
            points => 'Compilers and C libraries differ more than machines: compare indexes of '
                . 'one and the same build, or take them for what both together do.'
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

sub _together {
    my ($copies) = @_;
    return $copies == 1 ? () : [ text => "Of $copies copies together; the original knows one" ];
}

sub _tests {
    my ($tables) = @_;
    my @machines = @{ $tables->{machines} };
    my @rows;
    for my $test (@{ $tables->{tests} }) {
        push @rows,
            [
            $test->{title},
            $test->{interval}
            ? figure($test->{score}, $test->{interval})
            : sprintf("%.${DIGITS}g", $test->{score}),
            map { _ratio($test->{ratios}{$_}, $test->{intervals}{$_}) } @machines
            ];
    }
    return [
        table => {
            caption => 'Iterations a second, and how many times those of two machines',
            head    => [ 'Test', 'Iterations/s', @machines ],
            rows    => \@rows
        }
    ];
}

sub _ratio {
    my ($ratio, $interval) = @_;
    return $UNKNOWN if !defined $ratio;
    return $interval ? figure($ratio, $interval) : sprintf "%.${RATIO}f", $ratio;
}

sub _own_indexes {
    my ($tables) = @_;
    my @lines = map {
        [
            "$_->{title}" . ($_->{partial} ? ' (partial)' : ''),
            $_->{reference} // $UNKNOWN,
            _index($_),
            $_->{interval} ? sureness($_->{precision}) : 'n too small'
        ]
    } @{ $tables->{indexes} };
    return [
        table => {
            caption => 'Indexes',
            head    => [ 'Index', 'Is 1 for', 'Value', '95 % interval' ],
            left    => [ 0, 1 ],
            rows    => \@lines
        }
    ];
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
