# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Builds - the sets of one --build side by side, as Compare judged them, as parts of a page:
#
#   Build  Asked for  Compiler                       Run
#   o0     -O0        cc (Debian 12.2.0-14) 12.2.0   vm-2026-11-21-01
#   o2     -O2        cc (Debian 12.2.0-14) 12.2.0   vm-2026-11-21-02
#
#   Test               o0       o2  Unit  o2 / o0   95 % interval  Verdict
#   dhry2reg     14700000 45000000   lps     3.06    3.04 to 3.08  faster
package Touchstone::Report::Compare::Builds;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies named short);
use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Verdict;

# A table has at most this many columns of scores or of ratios; more make it too wide for a terminal.
my ($SCORES, $RATIOS) = (6, 3);

# A name or the flags of a build have at most this many letters.
my $LETTERS = 40;

sub parts {
    my ($comparison) = @_;
    my ($first, @others) =
        map { short($_->{name}, $LETTERS) } @{ $comparison->{builds} };
    my @pairs = @{ $comparison->{pairs} };
    my @said  = map {
        my $i = $_;
        [ text => "$others[$i] against $first" ], Touchstone::Report::Compare::Verdict::in_short($pairs[$i]),
            _notes($pairs[$i]),
            Touchstone::Report::Compare::Forest::parts(
            pair  => $pairs[$i],
            names => [ $first, $others[$i] ],
            among => \@pairs
            )
    } 0 .. $#pairs;
    my @lost   = @{ $comparison->{unbuilt} || [] };
    my @tables = map { _tables($_, [ $first, @others ], @pairs) } _copy_counts(@pairs);
    return (
        [ heading => 'Builds side by side' ],
        _builds($comparison),
        @lost ? [ points => @lost ] : (),
        @said,
        @tables,
        map { [ text => $_ ] } "ratio: above 1, faster than $first",
        'Passes of all builds took turns, and are compared round by round. Verdicts are corrected (Holm).'
    );
}

sub _builds {
    my ($comparison) = @_;
    my @rows;
    for my $i (0 .. $#{ $comparison->{builds} }) {
        my $build = $comparison->{builds}[$i];
        push @rows,
            [
            map { short($_, $LETTERS) } $build->{name},
            $build->{asked} =~ /\S/ ? $build->{asked} : 'no flags',
            $build->{compiler} // 'unknown',
            $comparison->{runs}[$i] =~ s/ \(\S*\)\z//r
            ];
    }
    return [
        table => {
            says => 'The builds',
            head => [ 'Build', 'Asked for', 'Compiler', 'Run' ],
            left => [ 0 .. 3 ],
            rows => \@rows
        }
    ];
}

# Returns why something cannot be judged, each reason once, and the notes of Compare.
sub _notes {
    my ($pair) = @_;
    my %named;
    push @{ $named{ $_->{why} } }, named($_) for grep { defined $_->{why} } @{ $pair->{tests} };
    my @notes = ((map { "$_: " . join ', ', @{ $named{$_} } } sort keys %named), @{ $pair->{notes} });
    return @notes ? [ points => @notes ] : ();
}

sub _copy_counts {
    my %seen = map { $_->{copies} => 1 } map { @{ $_->{tests} } } @_;
    return sort { $a <=> $b } keys %seen;
}

# Two builds fit into one table; more have one for the scores and one for the ratios.
sub _tables {
    my ($copies, $names, @pairs) = @_;
    my ($first, @others) = @$names;
    my @tests   = _tests($copies, @pairs);
    my $caption = copies($copies);
    return _table_of_two($caption, $names, @tests) if @others == 1;
    return (
        _some(
            $SCORES, "$caption: scores",
            $names,
            map { [ "$_->{name}" . (length $_->{unit} ? ", $_->{unit}" : ''), @{ $_->{scores} } ] } @tests
        ),
        _some(
            $RATIOS,
            "$caption: ratio to $first, 95 % interval",
            \@others,
            map {
                [
                    $_->{name},
                    map { my ($ratio, $interval) = @$_; $interval eq '---' ? $ratio : "$ratio ($interval)" }
                        @{ $_->{ratios} }
                ]
            } @tests
        )
    );
}

# Returns both builds, their ratio and the verdict in one table.
sub _table_of_two {
    my ($caption, $names, @tests) = @_;
    return [
        table => {
            caption => $caption,
            head    => [ 'Test', @$names, 'Unit', "$names->[1] / $names->[0]", '95 % interval', 'Verdict' ],
            left    => [ 0, 6 ],
            rows    => [
                map {
                    [
                        $_->{name},           @{ $_->{scores} }, $_->{unit},
                        @{ $_->{ratios}[0] }, $_->{pairs}[0]{verdict}
                    ]
                } @tests
            ]
        }
    ];
}

# Returns a list of rows:
#
#   [ { name, unit,
#       pairs  => [ the pairs of Compare ],
#       scores => [ a text for each build ],
#       ratios => [ [ ratio, interval ] for each build but the first ] } ]
sub _tests {
    my ($copies, @pairs) = @_;
    my (%of, @order);
    for my $i (0 .. $#pairs) {
        for my $test (grep { $_->{copies} == $copies } @{ $pairs[$i]{tests} }, @{ $pairs[$i]{indexes} }) {
            push @order, $test->{key} if !$of{ $test->{key} };
            $of{ $test->{key} }[$i] = $test;
        }
    }
    return map { _test($#pairs, @{ $of{$_} }) } @order;
}

sub _test {
    my ($last, @pairs) = @_;
    my ($known) = grep { defined } @pairs;
    my ($unit, $first) = Touchstone::Report::Compare::Verdict::scores($known);
    return {
        name   => $known->{name},
        unit   => $unit,
        pairs  => \@pairs,
        scores => [
            $first,
            map { $_ ? (Touchstone::Report::Compare::Verdict::scores($_))[2] : '---' } @pairs[ 0 .. $last ]
        ],
        ratios => [
            map { $_ ? [ Touchstone::Report::Compare::Verdict::ratio($_) ] : [ '---', '---' ] }
                @pairs[ 0 .. $last ]
        ],
    };
}

# Splits a table into several that have at most `most` columns behind the first.
sub _some {
    my ($most, $caption, $head, @rows) = @_;
    my @tables;
    for (my $from = 0; $from < @$head; $from += $most) {
        my @columns = grep { $_ < @$head } $from .. $from + $most - 1;
        push @tables, [
            table => {
                caption => $caption,
                head    => [ 'Test', @$head[@columns] ],
                left    => [0],
                rows    => [
                    map {
                        [ $_->[0], @$_[ map { $_ + 1 } @columns ] ]
                    } @rows
                ]
            }
        ];
    }
    return @tables;
}

1;
