# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Markup - pages and tables of HTML, and texts made fit for them.
package Touchstone::Report::Markup;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(page table text);

my $STYLE = <<'CSS';
:root { color-scheme: light dark; --line: #8884; --dim: #777; --accent: #2a6db0; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --accent: #7db7f0; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0; }
p.when, dt { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child, .left { text-align: left; }
td.left { white-space: normal; }
tfoot td { font-weight: 600; border-bottom: 0; }
.index { font-size: 2rem; color: var(--accent); font-weight: 600; }
.index small { font-size: .9rem; color: var(--dim); font-weight: 400; }
.trouble { border-left: .3rem solid var(--bad); padding-left: .8rem; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
CSS

# A whole page; the body is markup already.
sub page {
    my ($title, $body) = @_;
    return join '', "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        qq{<meta name="viewport" content="width=device-width, initial-scale=1">\n},
        '<title>', text($title), "</title>\n<style>\n$STYLE</style>\n</head>\n<body>\n$body</body>\n</html>\n";
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

# Cells are markup already.
sub table {
    my (%t) = @_;
    my %left  = map { $_ => 1 } grep { $_ } @{ $t{left} || [] };
    my $cells = sub {
        my ($tag, $row) = @_;
        return '<tr>' . join('', map { ($left{$_} ? qq{<$tag class="left">} : "<$tag>") . "$row->[$_]</$tag>" } 0 .. $#$row) . "</tr>\n";
    };
    return join '', qq{<div class="scroll"><table>\n}, (length $t{caption} ? "<caption>$t{caption}</caption>\n" : ()), '<thead>', $cells->('th', $t{head}), "</thead>\n<tbody>\n",
        (map { $cells->('td', $_) } @{ $t{rows} }), "</tbody>\n", ($t{foot} ? ('<tfoot>', (map { $cells->('td', $_) } @{ $t{foot} }), "</tfoot>\n") : ()),
        "</table></div>\n";
}

1;
