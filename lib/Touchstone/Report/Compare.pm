# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare - the findings of Compare as text, Markdown, HTML, CSV or JSON:
#
#   one thing differs: compiler
#
#             A            B
#   compiler  gcc 12.2.0   clang 14.0.6
#
#   Test        A        B  Unit  Ratio   95 % interval  Detects  Verdict
#   pipe  3481900  3581900   lps  1.029  1.021 to 1.037    1.1 %  faster
package Touchstone::Report::Compare;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Text qw(copies named plain_data short);
use Touchstone::Record::Json;
use Touchstone::Report::Compare::Builds;
use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Csv;
use Touchstone::Report::Page::Markup qw(text);
use Touchstone::Report::Page;

# A note on a page has this many letters.
my $LETTERS = 300;

# A fact has this many letters in a terminal, and on a page.
my ($SHORT, $LONG) = (60, 200);
my $HOW_TO_READ =
      'ratio: above 1, the other run is faster than A. detects: the smallest difference that '
    . 'would have been seen. Verdicts are corrected for their number (Holm).';
my $CLASS  = 'Touchstone: comparison';
my %RENDER = (
    text     => sub { return Touchstone::Report::Page::text(_parts($_[0])) },
    markdown => sub { return Touchstone::Report::Page::markdown(_parts($_[0])) },
    html     => sub { return Touchstone::Report::Page::html($CLASS, _parts($_[0], page => 1)) },
    csv      => \&_csv,
    json     => sub { return Touchstone::Record::Json::encode($_[0]) },
);

sub render {
    my ($format, $comparison) = @_;
    return $RENDER{$format}->($format eq 'json' ? $comparison : plain_data($comparison));
}

# With `page` there are pictures, which show the tests that do not differ, so the words only count these.
sub _parts {
    my ($comparison, %with) = @_;
    return Touchstone::Report::Compare::Builds::parts($comparison) if $comparison->{builds};
    my ($first, @others) = @{ $comparison->{runs} };
    my @parts =
        ([ heading => "Comparison with $first" ], _differences($comparison, $with{page} ? $LONG : $SHORT));
    for my $i (0 .. $#{ $comparison->{pairs} }) {
        my $pair   = $comparison->{pairs}[$i];
        my $letter = _letter($i + 1);
        push @parts,
            [ picture => '<h2>' . text("$letter against A") . '</h2>' ],
            [ text    => "A is $first, $letter is $pair->{name}" ],
            @{ $pair->{tests} } ? () : [ text => "A and $letter have no test in common." ],
            $with{page}         ? _pictured($pair, $letter, $comparison->{pairs}) : _said($pair),
            _tables($pair, $letter);
    }
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return (@parts,
        @rows
        ? [ text => join ' ', $HOW_TO_READ, Touchstone::Report::Compare::Verdict::of_common(@rows) ]
        : ());
}

sub _said {
    my ($pair) = @_;
    return (
        (@{ $pair->{notes} } ? [ points => @{ $pair->{notes} } ] : ()),
        Touchstone::Report::Compare::Verdict::in_short($pair)
    );
}

# Shows a pair on a page: first the answer, then its picture, then the notes.
sub _pictured {
    my ($pair, $letter, $among) = @_;
    my @notes = map { short($_, $LETTERS) } @{ $pair->{notes} };
    my $whole =
        "@notes" eq "@{ $pair->{notes} }" ? '' : Touchstone::Report::Page::Markup::folded('Notes in full',
        Touchstone::Report::Page::fragment([ points => @{ $pair->{notes} } ]));
    return (
        Touchstone::Report::Compare::Verdict::in_short($pair, counted => 1),
        Touchstone::Report::Compare::Forest::parts(pair => $pair, names => [ 'A', $letter ], among => $among),
        @notes        ? [ points  => @notes ] : (),
        length $whole ? [ picture => $whole ] : ()
    );
}

sub _differences {
    my ($comparison, $most) = @_;
    my @different = @{ $comparison->{differences} };
    return [ text => 'no difference is known between the machines and builds' ] if !@different;
    my $rows = [
        map {
            [ $_->{thing}, map { short($_, $most) } @{ $_->{values} } ]
        } @different
    ];
    my $things = join ', ', map { $_->{thing} } @different;
    my $said =
        @different == 1
        ? "one thing differs: $things"
        : @different . " things differ, and any of them can be the cause of a difference in scores: $things";
    return (
        [ text => $said ],
        [
            table => {
                says => 'What differs',
                head => [ '', map { _letter($_) } 0 .. $#{ $comparison->{runs} } ],
                rows => $rows,
                left => [ 0 .. @{ $comparison->{runs} } ]
            }
        ]
    );
}

sub _letter { return $_[0] < 26 ? chr(65 + $_[0]) : $_[0] + 1 }

sub _tables {
    my ($pair, $letter) = @_;
    my (%rows, @tables);
    push @{ $rows{ $_->{copies} } }, $_ for @{ $pair->{tests} }, @{ $pair->{indexes} };
    for my $copies (sort { $a <=> $b } keys %rows) {
        push @tables,
            [
            table => {
                caption => copies($copies),
                head    => [ 'Test', 'A', $letter, 'Unit', 'Ratio', '95 % interval', 'Detects', 'Verdict' ],
                left    => [ 0, 7 ],
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
        $test->{name},
        @scores,
        $unit,
        Touchstone::Report::Compare::Verdict::ratio($test),
        defined $test->{detectable} ? part($test->{detectable}) : '---',
        $test->{verdict} . (defined $test->{why} ? ": $test->{why}" : ''),
    ];
}

# Shows the comparison of a machine with itself.
sub self_parts {
    my ($comparison, $smallest) = @_;
    my ($pair) = @{ $comparison->{pairs} };
    my @rows = map {
        [
            named($_),
            Touchstone::Report::Compare::Verdict::difference($_->{ratio}),
            defined $smallest->{ $_->{key} }
            ? part($smallest->{ $_->{key} })
            : '---',
            $_->{verdict}
        ]
    } @{ $pair->{tests} }, @{ $pair->{indexes} };
    return (
        [ heading => 'The machine compared with itself' ],
        [
            text => 'By how much two interleaved halves of one run differ, and the smallest '
                . 'difference that this machine can tell.'
        ],
        [
            table => {
                head => [ 'Test', 'Halves differ', 'Smallest', 'Verdict' ],
                left => [ 0, 3 ],
                rows => \@rows
            }
        ]
    );
}

sub _csv {
    my ($comparison) = @_;
    my ($first)      = @{ $comparison->{runs} };
    my @lines = ('a,b,test,copies,unit,score_a,score_b,ratio,low,high,p,detectable_percent,verdict,why');
    for my $pair (@{ $comparison->{pairs} }) {
        for my $test (@{ $pair->{tests} }, @{ $pair->{indexes} }) {
            push @lines, join ',', map { Touchstone::Report::Csv::field($_) } $first, $pair->{name},
                @$test{qw(name copies unit)}, @{ $test->{scores} }, $test->{ratio},
                @{ $test->{interval} || [ '', '' ] }, $test->{p},
                defined $test->{detectable} ? $test->{detectable} * 100 : '', @$test{qw(verdict why)};
        }
    }
    return join '', map { "$_\n" } @lines;
}

1;
