# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Against - a run beside the stored run that is its reference, as parts of a page. The
# numbers are those of Touchstone::Compare::Against:
#
#   Test                 Reference   This run   Unit  Ratio   95 % interval  Verdict
#   zstd-1 decompress         4173       5017   MBps  1.202  1.188 to 1.217  faster
package Touchstone::Report::Compare::Against;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies plain plain_data short);
use Touchstone::Compare;
use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Verdict;

# A fact has this many letters in a terminal and on a page, and a note this many.
my ($SHORT, $LONG, $NOTE) = (45, 200, 300);

my $HOW_TO_READ =
    'ratio: above 1, this run is better than the reference. Verdicts are corrected for their number (Holm).';

# Each verdict has its words for one score, and for several.
my %SAID = (
    $Touchstone::Compare::SLOWER   => [ 'is slower',           'are slower' ],
    $Touchstone::Compare::FASTER   => [ 'is faster',           'are faster' ],
    $Touchstone::Compare::SAME     => [ 'shows no difference', 'show no difference' ],
    $Touchstone::Compare::UNKNOWN  => [ 'is inconclusive',     'are inconclusive' ],
    $Touchstone::Compare::UNTESTED => [ 'is not tested',       'are not tested' ],
    $Touchstone::Compare::UNLIKE   => [ 'is not comparable',   'are not comparable' ],
);

# `wide` is for a page.
sub parts {
    my ($against, %with) = @_;
    return if !$against;
    $against = plain_data($against);
    my @points = map { short($_, $NOTE) } @{ $against->{notes} };
    return (
        [ heading => "Against the reference $against->{name}" ],
        @points ? [ points => @points ] : (),
        Touchstone::Report::Compare::Verdict::in_short($against, counted => 1),
        _differences($against, %with),
        Touchstone::Report::Compare::Forest::parts(pair => $against, names => [ 'reference', 'this run' ]),
        _tables($against),
        [
            text => @{ $against->{tests} }
            ? join ' ',
            $HOW_TO_READ,
            Touchstone::Report::Compare::Verdict::of_common(@{ $against->{indexes} })
            : 'This run has no test in common with the reference.'
        ]
    );
}

# Returns "against good-2026-11-21-01: 2 scores are slower, 30 scores show no difference".
sub headline {
    my ($against) = @_;
    my %count;
    $count{ $_->{verdict} }++ for @{ $against->{tests} };
    my @counted = map { $count{$_} == 1 ? "1 score $SAID{$_}[0]" : "$count{$_} scores $SAID{$_}[1]" }
        grep { $count{$_} } Touchstone::Report::Compare::Verdict::order();
    return plain("against $against->{name}: " . (@counted ? join ', ', @counted : 'nothing in common'));
}

sub _differences {
    my ($against, %with) = @_;
    my @different = @{ $against->{differences} }
        or return [ text => 'No difference is known between the machines and builds.' ];
    my $most = $with{wide} ? $LONG : $SHORT;
    return [
        table => {
            caption => 'What differs besides the scores',
            left    => [ 0 .. 2 ],
            head    => [ '', 'Reference', 'This run' ],
            rows    => [
                map {
                    [ $_->{thing}, map { short($_ // '', $most) } @{ $_->{values} }[ 0, 1 ] ]
                } @different
            ]
        }
    ];
}

sub _tables {
    my ($against) = @_;
    my (%rows, @tables);

    # Indexes of two runs are on two scales, so a table shows only their ratio.
    push @{ $rows{ $_->{copies} } }, $_
        for @{ $against->{tests} }, map { +{ %$_, scaled => 1 } } @{ $against->{indexes} };
    for my $copies (sort { $a <=> $b } keys %rows) {
        push @tables,
            [
            table => {
                caption => copies($copies),
                head    => [ 'Test', 'Reference', 'This run', 'Unit', 'Ratio', '95 % interval', 'Verdict' ],
                left    => [ 0, 6 ],
                rows    => [ map { _row($_) } @{ $rows{$copies} } ]
            }
            ];
    }
    return @tables;
}

sub _row {
    my ($test) = @_;
    my ($unit, @scores) = Touchstone::Report::Compare::Verdict::scores($test);
    return [
        $test->{name}, @scores, $unit,
        Touchstone::Report::Compare::Verdict::ratio($test),
        $test->{verdict} . (defined $test->{why} ? ": $test->{why}" : '')
    ];
}

1;
