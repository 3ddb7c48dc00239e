# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare - the findings of Compare as text, Markdown, HTML, CSV or JSON. The answer comes first:
#
#   m7a-large is 21 % faster than c7i-large (+21 to +22 %): system index, 1 copy
#
#     faster (2)  whetstone-double +22 %  pipe +21 %
#     slower (0)  no difference (0)  inconclusive (0)
#
#   One fact differs: compiler.
#
#     Test               c7i-large  m7a-large  Speed  95 % interval  Verdict
#     whetstone-double        5110       6227  +22 %   +21 to +23 %  faster
#
# Three runs and more have one table of tests x runs instead, and on a page the pairs below it, folded.
package Touchstone::Report::Compare;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(named plain_data short);
use Touchstone::Report::Compare::Cause;
use Touchstone::Report::Compare::CostSplit;
use Touchstone::Report::Compare::Headline qw(facts on_page reach sentences with_commands);
use Touchstone::Report::Compare::Groups;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare::Tails;
use Touchstone::Report::Compare::Verdict qw(difference);
use Touchstone::Report::Forms;
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Verdict qw(word);
use Touchstone::Base::Time qw(@PARTS);

# A note has this many letters on a page.
my $LETTERS = 300;

# The table of tests x runs shades differences. Its colours keep the contrast of texts by day and by night.
my $STYLE = <<'CSS';
.grid small { color: inherit; font-size: .85em; }
.grid td.dim { color: var(--dim); }
.grid tfoot > tr > * { font-weight: 600; border-top: 1px solid var(--dim); }
.row-of { display: flex; flex-wrap: wrap; gap: 0 3rem; }
.row-of > div { min-width: 0; max-width: 100%; }
@media (max-width: 40rem) { .grid small { display: block; } }
@media print { .row-of { display: block; } }
.up1 { background: rgba(46, 139, 87, .14); } .up2 { background: rgba(46, 139, 87, .24); }
.up3 { background: rgba(46, 139, 87, .36); } .up4 { background: rgba(46, 139, 87, .48); }
.down1 { background: rgba(205, 72, 60, .12); } .down2 { background: rgba(205, 72, 60, .2); }
.down3 { background: rgba(205, 72, 60, .3); } .down4 { background: rgba(205, 72, 60, .4); }
CSS

my %HAS = (
    document => \&_document,
    rows     => \&_rows,
    data     => sub { return $_[0] },
    figures  => 'Figures::of_comparison'
);

# `columns` and `ascii`: how wide a text may be, and whether its reader has no other signs.
sub render {
    my ($format, $comparison, %how) = @_;
    return Touchstone::Report::Forms::render($format, comparison => \%HAS, $comparison, %how);
}

sub _document {
    my ($comparison, %how) = (plain_data(shift), @_);
    $how{columns} //= $Touchstone::Report::Compare::Tables::COLUMNS;
    my ($answer) = on_page($comparison);
    return {
        title => "$answer $DASH Touchstone",
        style => $STYLE . $Touchstone::Report::Plot::Quantiles::CSS,
        level => 2,
        ascii => $how{ascii},
        parts => [ _parts($comparison, %how) ]
    };
}

sub _parts {
    my ($comparison, %how) = @_;
    my @parts = (
        @{ $comparison->{pairs} } == 1 ? _of_two($comparison, %how) : _of_many($comparison, %how),
        [ in => ['plain'], _facts($comparison, %how) ]
    );
    return (_answer($comparison), @parts,
        Touchstone::Report::Compare::Tables::how_to_read(\@parts, @{ $comparison->{pairs} }));
}

# The sentences, of which the first heads a page.
sub _answer {
    my ($comparison) = @_;
    my ($first, @others) = on_page($comparison);
    my $kind       = $comparison->{builds} ? 'builds' : 'runs';
    my $is_invalid = @{ $comparison->{invalid} || [] };
    my $heading = [ heading => { text => $first, level => 1, class => $is_invalid ? 'not-valid' : undef } ];
    my @more    = @others ? [ text => map { with_commands($_) } @others ] : ();
    return (
        [ in => ['narrow'], [ text => sentences($comparison) ] ],
        [ in => ['markup'], $heading, @more ],
        [
            in => ['page'],
            [ text  => { text  => "Touchstone: comparison of $kind", class => 'when' } ],
            [ block => { class => $is_invalid ? 'banner' : undef }, $heading, @more ]
        ]
    );
}

# What follows the sentences of two runs: the answer of each test, what else differs, how far to believe it.
sub _of_two {
    my ($comparison, %how) = @_;
    my ($pair) = @{ $comparison->{pairs} };
    return (
        Touchstone::Report::Compare::Tables::figures_of_parts($comparison, %how),
        Touchstone::Report::Compare::Groups::parts($pair, %how),
        _causes($comparison, $pair),
        _circumstances($comparison, %how),
        _notes($pair),
        Touchstone::Report::Compare::Tables::figures(_figures($comparison, $pair), %how),
        Touchstone::Report::Compare::Tails::parts($comparison, %how)
    );
}

# Why tests differ: one sentence for all, and one for each of the largest differences.
sub _causes {
    my ($comparison, $pair) = @_;
    return (Touchstone::Report::Compare::Cause::parts($pair, $comparison->{differences}),
        Touchstone::Report::Compare::CostSplit::parts($pair));
}

# What else may explain a difference, and how far it is to be believed. A page has room for the facts at once.
sub _circumstances {
    my ($comparison, %how) = @_;
    return (
        [
            text => facts($comparison),
            reach($comparison)
        ],
        @{ $comparison->{unbuilt} || [] } ? [ points => @{ $comparison->{unbuilt} } ] : (),
        [ in => ['page'], _facts($comparison, %how) ]
    );
}

sub _facts {
    my ($comparison, %how) = @_;
    return $comparison->{builds}
        ? Touchstone::Report::Compare::Tables::of_builds($comparison)
        : Touchstone::Report::Compare::Tables::of_facts($comparison, %how);
}

# Notes that are long on a page are there in full, folded.
sub _notes {
    my ($pair) = @_;
    my @notes  = @{ $pair->{notes} } or return;
    my @short  = map { short($_, $LETTERS) } @notes;
    my $all    = [ points => @notes ];
    return $all if "@short" eq "@notes";
    return ([ in => ['plain'], $all ],
        [ in => ['page'], [ points => @short ], [ fold => 'Notes in full', $all ] ]);
}

# Those of the pairs share a scale.
sub _figures {
    my ($comparison, $pair)  = @_;
    my ($main,       @among) = map { Touchstone::Report::Compare::Tables::without_parts($_) } $pair,
        @{ $comparison->{pairs} };
    return ($main, [ $comparison->{label}[0], $pair->{label} ], \@among);
}

sub _of_many {
    my ($comparison, %how) = @_;
    my ($first, @others)   = @{ $comparison->{label} };
    my @pairs  = map { Touchstone::Report::Compare::Tables::without_parts($_) } @{ $comparison->{pairs} };
    my @tables = Touchstone::Report::Compare::Tables::of_many({ %$comparison, pairs => \@pairs }, %how);
    my $signs  = $Touchstone::Report::Compare::Tables::SIGNS;
    push @tables, [ text => "Speed compared with $first, with half of the 95 % interval. $signs" ] if @tables;
    return (
        Touchstone::Report::Compare::Tables::figures_of_parts($comparison, %how),
        @tables,
        _circumstances($comparison, %how),
        Touchstone::Report::Compare::Tails::parts($comparison, %how),
        map { _one_of_many($comparison, $_, %how) } @{ $comparison->{pairs} }
    );
}

# A pair of several, below the table of all.
sub _one_of_many {
    my ($comparison, $pair, %how) = @_;
    my $title = "$pair->{label} compared with $comparison->{label}[0]";
    my @parts = (
        Touchstone::Report::Compare::Groups::parts($pair, %how, brief => 1),
        _causes($comparison, $pair),
        _notes($pair)
    );
    my $page = sub {
        return [
            fold => $title,
            @parts, Touchstone::Report::Compare::Tables::page_figures(_figures($comparison, $pair))
        ];
    };
    return ([ in => ['plain'], [ text => "$title:" ], @parts ], [ in => ['page'], $page ]);
}

# Shows the comparison of a machine with itself.
sub self_parts {
    my ($comparison, $smallest) = @_;
    my ($pair) = @{ $comparison->{pairs} };
    my @rows = map {
        [
            named($_),
            difference($_->{ratio}),
            defined $smallest->{ $_->{key} } ? part($smallest->{ $_->{key} }) : $DASH,
            word($_->{verdict})
        ]
    } @{ $pair->{tests} }, @{ $pair->{indexes} };
    return (
        [
            text => Touchstone::Report::Compare::Headline::invalid($comparison),
            _limit($pair, $smallest), 'It compared two interleaved halves of one run.'
        ],
        [
            table => {
                head => [ 'Test', 'Difference of halves', 'Detection limit', 'Verdict' ],
                left => [ 0, 3 ],
                rows => \@rows
            }
        ]
    );
}

# The detection limit of the index or, without one, those of the tests.
sub _limit {
    my ($pair, $smallest) = @_;
    my ($index) = grep { defined $smallest->{ $_->{key} } } @{ $pair->{indexes} };
    return
          'This machine can detect differences of '
        . part($smallest->{ $index->{key} })
        . " in its $index->{name}"
        if $index;
    my @known = sort { $a <=> $b } values %$smallest;
    return 'This run has no detection limit: its tests have too few passes.' if !@known;
    return
          'This machine can detect differences of '
        . part($known[0]) . ' to '
        . part($known[-1])
        . ', depending on the test';
}

# By how much the machine varies from run to run in this figure, in per cent, and between how many runs.
sub _drift {
    my ($test) = @_;
    return $test->{drift} ? ($test->{drift}{spread} * 100, $test->{drift}{runs}) : ('', '');
}

# The logarithm of the ratio of times, and its parts.
sub _split {
    my ($test) = @_;
    my $split = $test->{split} && $test->{split}{parts} ? $test->{split} : { parts => {} };
    return map { $_ // '' } $split->{log}, map { $split->{parts}{$_}{log} } @PARTS;
}

# The rows of CSV, whose readers count on their order.
my @COLUMNS = qw(a b test copies unit score_a score_b ratio low high p detectable_percent verdict why valid
    drift_percent drift_runs isa_a isa_b time_log user_log kernel_log waiting_log);

sub _rows {
    my ($comparison) = (plain_data(shift));
    my ($first)      = @{ $comparison->{runs} };
    my @rows         = [@COLUMNS];
    my @isa          = map { $_ // '' } @{ $comparison->{isa} || [] };
    for my $i (0 .. $#{ $comparison->{pairs} }) {
        my $pair  = $comparison->{pairs}[$i];
        my $valid = @{ $pair->{invalid} || [] } ? 'no' : 'yes';
        for my $test (@{ $pair->{tests} }, @{ $pair->{indexes} }) {
            push @rows,
                [
                $first,                       $pair->{name},
                @$test{qw(name copies unit)}, @{ $test->{scores} },
                $test->{ratio},               @{ $test->{interval} || [ '', '' ] },
                $test->{p},                   defined $test->{detectable} ? $test->{detectable} * 100 : '',
                @$test{qw(verdict why)},      $valid,
                _drift($test),                @isa[ 0, $i + 1 ],
                _split($test)
                ];
        }
    }
    return @rows;
}

1;
