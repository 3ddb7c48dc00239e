# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html - one self-contained page without scripts: every table of the text report, the gains, and what went wrong.
package Touchstone::Report::Html;
use 5.014;
use strict;
use warnings;

use Touchstone::Report;

my $STYLE = <<'CSS';
:root { color-scheme: light dark; --line: #8884; --dim: #777; --accent: #2a6db0; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --accent: #7db7f0; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0; }
p.when, dt { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
tfoot td { font-weight: 600; border-bottom: 0; }
.index { font-size: 2rem; color: var(--accent); font-weight: 600; }
.index small { font-size: .9rem; color: var(--dim); font-weight: 400; }
.trouble { border-left: .3rem solid var(--bad); padding-left: .8rem; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
CSS

sub render {
    my ($model) = @_;
    my $title = 'Touchstone: ' . text($model->{host}{name});
    return join '', "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        qq{<meta name="viewport" content="width=device-width, initial-scale=1">\n},
        "<title>$title</title>\n<style>\n$STYLE</style>\n</head>\n<body>\n<h1>$title</h1>\n",
        '<p class="when">BYTE UNIX Benchmarks (Version ', text($model->{version}), '), run ', text($model->{name}), "</p>\n",
        _indexes($model), _trouble($model), (map { _block($_) } @{ $model->{blocks} }), _scaling($model->{scaling}), _system($model),
        "</body>\n</html>\n";
}

# Text of any origin, fit for a page.
sub text {
    my ($text) = @_;
    return '' if !defined $text;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    $text =~ s/"/&quot;/g;
    $text =~ s/'/&#39;/g;
    return $text;
}

sub _indexes {
    my ($model) = @_;
    my @shown;
    for my $block (@{ $model->{blocks} }) {
        push @shown, map { sprintf qq{<p class="index">%.1f <small>%s, %s</small></p>\n}, $_->{score}, text($_->{score_label}), text($block->{copies}) }
            @{ $block->{tables} };
    }
    return @shown;
}

sub _trouble {
    my ($model) = @_;
    my @lines = map { text($_->{text}) . (defined $_->{remedy} ? ' (' . text($_->{remedy}) . ')' : '') }
        @{ $model->{failures} }, @{ $model->{skipped} }, @{ $model->{warnings} };
    return '' if !@lines;
    return qq{<ul class="trouble">\n} . join('', map { "<li>$_</li>\n" } @lines) . "</ul>\n";
}

sub _block {
    my ($block) = @_;
    my @results = map { [ text($_->{title}), sprintf('%.1f', $_->{score}), text($_->{unit}), sprintf('%.1f s', $_->{seconds}), $_->{samples} ] }
        @{ $block->{tests} };
    return join '', '<h2>', text("$block->{cpus} in system; running $block->{copies} of tests"), "</h2>\n",
        '<p class="when">', text("$block->{date} $block->{from} - $block->{to}"), "</p>\n",
        table(caption => 'Results', head => [ 'Test', 'Score', 'Unit', 'Time', 'Samples' ], rows => \@results),
        map { _index_table($_) } @{ $block->{tables} };
}

sub _index_table {
    my ($table) = @_;
    my @rows = map { [ text($_->{title}), defined $_->{baseline} ? sprintf('%.1f', $_->{baseline}) : '---', sprintf('%.1f', $_->{score}),
        defined $_->{baseline} ? sprintf('%.1f', $_->{index}) : '---' ] } @{ $table->{rows} };
    return table(caption => text($table->{heading}), head => [ 'Test', 'Baseline', 'Result', 'Index' ], rows => \@rows,
        foot => [ text($table->{score_label}), '', '', sprintf('%.1f', $table->{score}) ]);
}

# How each copy count compares with the first.
sub _scaling {
    my ($scaling) = @_;
    return '' if !$scaling;
    my ($first, @more) = map { $_ == 1 ? '1 copy' : "$_ copies" } @{ $scaling->{copies} };
    my @rows;
    for my $row (@{ $scaling->{rows} }) {
        my @cells = map { sprintf '%.1f', $_ } @{ $row->{values} };
        push @rows, [ text($row->{title}), $cells[0], map { ($cells[$_], text(Touchstone::Report::gain($row->{gains}[$_]))) } 1 .. $#cells ];
    }
    return "<h2>Scaling</h2>\n" . table(caption => 'Index values (scores where a test has no baseline) and gain over ' . text($first),
        head => [ 'Test', text($first), map { (text($_), 'Gain') } @more ], rows => \@rows);
}

sub _system {
    my ($model) = @_;
    my ($host, $locale, $build) = @$model{qw(host locale build)};
    my %count;
    $count{"$_->{model} ($_->{bogomips} bogomips)"}++ for @{ $model->{cpus} };
    my @facts = (
        [ Host => $host->{name} ], [ System => "$host->{os}, $host->{release}, $host->{version}" ],
        [ Machine => "$host->{machine} ($host->{platform})" ], [ Language => $locale->{name} ],
        ($model->{brief} ? () : [ CPUs => join '; ', map { "$count{$_} x $_" } sort keys %count ]),
        [ Compiler => $build->{compiler_version} ], [ Flags => $build->{flags_unixbench} ], [ Uptime => $host->{uptime} ],
        [ Schedule => "$model->{schedule}{kind}, seed " . ($model->{schedule}{seed} // 'none') ],
    );
    return "<h2>System</h2>\n<dl>\n" . join('', map { "<dt>$_->[0]</dt><dd>" . text($_->[1]) . "</dd>\n" } @facts) . "</dl>\n";
}

# Cells are markup already.
sub table {
    my (%t) = @_;
    my $cells = sub { my ($tag, $row) = @_; return '<tr>' . join('', map { "<$tag>$_</$tag>" } @$row) . "</tr>\n" };
    return join '', qq{<div class="scroll"><table>\n<caption>$t{caption}</caption>\n<thead>}, $cells->('th', $t{head}), "</thead>\n<tbody>\n",
        (map { $cells->('td', $_) } @{ $t{rows} }), "</tbody>\n", ($t{foot} ? ('<tfoot>', $cells->('td', $t{foot}), "</tfoot>\n") : ()),
        "</table></div>\n";
}

1;
