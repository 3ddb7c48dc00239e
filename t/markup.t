#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What tables of pages are made of: columns that wait until a reader asks for them, and groups of rows.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Report::Page::Markup qw(table);
use Touchstone::Report::Page::Style;

my %TABLE = (
    caption => 'Results',
    head    => [qw(Test Index CV Outliers)],
    rows    => [ [qw(pipe 120 1.0 0)], [qw(spawn 80 2.0 1)] ]
);

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
    my ($screen, $print) = split /\@media print/, $Touchstone::Report::Page::Style::CSS, 2;
    like($screen, qr/\.off-page[^{}]*\{ display: none; \}/,      'not on the screen');
    like($print,  qr/\.off-page[^{}]*\{ display: table-row; \}/, 'on paper');
};

done_testing;
