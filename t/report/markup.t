#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What pages are made of: columns that wait until a reader asks for them, groups of rows, folds, and tables
# that fit their readers.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Base::Symbols qw($DASH $PLUS_MINUS);
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Report::Render::Html::Style;

my %TABLE = (
    caption => 'Results',
    head    => [qw(Test Index CV Outliers)],
    rows    => [ [qw(pipe 120 1.0 0)], [qw(spawn 80 2.0 1)] ]
);

sub table { return Touchstone::Report::Render::Html::fragment([ table => {@_} ]) }

subtest 'without columns that wait nothing asks for them' => sub {
    my $table = table(%TABLE);
    unlike($table, qr/<details|class="[^"]*(?:more|rest)/, 'neither a fold nor a class');
    is(() = $table =~ /<tbody>/g, 1, 'all rows are in one body');
};

subtest 'the fold that asks for columns stands before the table, whose cells wait, heads and all' => sub {
    my $table = table(%TABLE, class => 'pinned', more => [2], rest => [3]);
    like(
        $table,
        qr{\A<details class="columns"><summary>More columns</summary></details>\n<div class="scroll"><table class="pinned">},
        'a fold, then the box of the table'
    );
    is(() = $table =~ /class="more"/g, 3, 'the head and two cells wait on a narrow screen');
    is(() = $table =~ /class="rest"/g, 3, 'the head and two cells wait on every screen');
    like(
        table(%TABLE, more => [2]),
        qr/<details class="columns narrow">/,
        'a screen that is wide enough is not asked'
    );
};

subtest 'a group heads a body of its own, across all columns' => sub {
    my $table =
        table(%TABLE, rows => [ { group => 'CPU' }, [qw(a 1 2 3)], { group => 'Shell' }, [qw(b 1 2 3)] ]);
    my @bodies = $table =~ m{<tbody>\n(.*?)</tbody>}sg;
    is(scalar @bodies, 2, 'two bodies');
    like(
        $bodies[1],
        qr{\A<tr class="group"><th scope="rowgroup" colspan="4">Shell</th></tr>\n<tr><th scope="row">b<},
        'the group, then its rows'
    );
};

subtest 'rows that a script left out are on paper' => sub {
    my ($screen, $print) = split /\@media print/, $Touchstone::Report::Render::Html::Style::CSS, 2;
    like($screen, qr/\.off-page[^{}]*\{ display: none; \}/,      'not on the screen');
    like($print,  qr/\.off-page[^{}]*\{ display: table-row; \}/, 'on paper');
};

# The parts of a page with one table.
sub one { return [ table => { head => [qw(Test CV Index)], left => [0], @_ } ] }

subtest 'a page folds what a text shows at once' => sub {
    my @parts = ([ text => 'before' ], [ fold => 'All <levels>', [ points => 'one' ] ], [ text => 'behind' ]);
    is(Touchstone::Report::Render::Text::render(@parts),     "before\n\n  - one\n\nbehind\n", 'text');
    is(Touchstone::Report::Render::Markdown::render(@parts), "before\n\n- one\n\nbehind\n",   'Markdown');
    like(
        Touchstone::Report::Render::Html::fragment(@parts),
        qr{<details>\n<summary>All &lt;levels&gt;</summary>\n<ul>\n<li>one</li>\n</ul>\n</details>\n<p>behind},
        'page'
    );
};

subtest 'a spare column goes where no row has anything in it, in every form' => sub {
    my $empty  = one(rows => [ [ 'pipe', '---', 7 ], [ 'spawn', $DASH, 8 ] ], spare => [1], more => [2]);
    my $full   = one(rows => [ [ 'pipe', '---', 7 ], [ 'spawn', '1 %', 8 ] ], spare => [1], more => [2]);
    my %render = (
        text     => \&Touchstone::Report::Render::Text::render,
        markdown => \&Touchstone::Report::Render::Markdown::render,
        html     => \&Touchstone::Report::Render::Html::fragment
    );
    for my $form (sort keys %render) {
        my $render = $render{$form};
        unlike($render->($empty), qr/CV/, "$form: not there");
        like($render->($full), qr/CV/, "$form: there");
    }
    like(
        Touchstone::Report::Render::Html::fragment($empty),
        qr{<td class="more">7</td>},
        'others keep their class'
    );
};

subtest 'a text continues a wide table below itself, in pieces of about one length' => sub {
    my @columns = map { "column-$_" } 1 .. 8;
    my $table   = one(head => [ 'Test', @columns ], rows => [ [ 'pipe', 1 .. 8 ] ], within => 60);
    my @lines   = split /\n/, Touchstone::Report::Render::Text::render($table);
    is(scalar(grep { length > 60 } @lines),                                 0,     'no line is longer');
    is(join('|', map { scalar(() = /column-/g) } grep { /column/ } @lines), '4|4', 'two halves');
    is(scalar(grep { /\A  pipe / } @lines),                                 2,     'each with the names');
    my $narrow = one(rows => [ [ 'a name that is too long', 1, 2 ] ], within => 10);
    is(scalar(() = Touchstone::Report::Render::Text::render($narrow) =~ /a name/g), 2, 'a column at least');
};

subtest 'signs that are longer in ASCII leave columns in line' => sub {
    my @lines =
        split /\n/,
        Touchstone::Report::Render::Text::render_for({ ascii => 1 },
        one(rows => [ [ 'pipe', "${PLUS_MINUS}1 %", 7 ], [ 'spawn', '---', 8 ] ]));
    is(join('|', @lines), '  Test      CV  Index|  pipe   +-1 %      7|  spawn    ---      8', 'all of them');
};

done_testing;
