# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Html::Style - how pages look on a screen by day and by night, on a narrow screen,
# and on paper.
#
# A button in the head of a table would keep Chromium from repeating the head on each page of paper. Nothing
# scrolls on paper: rules of one kind of page must not widen its tables there, so the rules here are
# `important`.
#
# Colours of text differ from their ground by a factor of 4.5 in luminance or more. No colour is the only
# sign of anything.
#
# Classes for pages of every kind; Report::Render::Html gives tables these:
#
#   table.pinned     its first column stays where it is while a narrow screen scrolls the others
#   table.stacked    a narrow screen shows its rows one below the other, each cell with the name of its column
#   .more            a column that a narrow screen shows when the reader asks for more columns
#   .rest            a column that every screen shows only then
#   details.columns  stands before the box of the table and asks; `narrow`, where nothing is .rest
#   tr.group         heads the rows of its tbody; sorting stays within a tbody
#   .off-page        a row that a script left out of what the screen shows; paper has it
#   details.says     its summary says something by itself, so paper has it
#   .screen          a control or a sentence that makes no sense on paper
#   .pair          its two parts, a picture and its table, stand side by side where there is room
#   .unseen          a text for those who listen to the page
#   .not-valid       words and figures of a run that is not valid, .struck a figure that must not be used,
#                    .banner the box that says so
#   .target          a link that stands alone: as high as a thumb, where thumbs are used
package Touchstone::Report::Render::Html::Style;
use 5.014;
use strict;
use warnings;

our $CSS = <<'CSS';
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1b1b; --dim: #5f6368; --line: #d7dade; --band: #f3f5f7; --accent: #1f5f9f; --second: #a14a00; --good: #1d6b34; --bad: #b3261e; --alarm: #fdeceb; }
@media (prefers-color-scheme: dark) {
:root { --ground: #14171a; --ink: #e6e8ea; --dim: #a2a8ae; --line: #3a4047; --band: #1d2227; --accent: #86bdf2; --second: #f0a868; --good: #7fcf95; --bad: #ff9489; --alarm: #2f1a1a; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 1.5rem auto; padding: 0 1rem; background: var(--ground); color: var(--ink); }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .3rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 .2rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
li, summary, figcaption, caption { overflow-wrap: anywhere; }
a { color: var(--accent); }
p.when, dt, small, .dim { color: var(--dim); }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; margin: .6rem 0 1rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; font-weight: 400; }
thead th { color: var(--dim); vertical-align: bottom; }
th:first-child, td:first-child, .left { text-align: left; }
.left { white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
th:first-child { padding-left: 0; white-space: normal; min-width: min(10rem, 30vw); max-width: 30rem; overflow-wrap: anywhere; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
th button { all: unset; cursor: pointer; color: inherit; }
th button::after { content: "\A0\21C5"; font-size: .8em; opacity: .65; }
th button:hover { color: var(--accent); }
th button:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th[aria-sort=ascending] button::after { content: "\A0\25B2"; opacity: 1; }
th[aria-sort=descending] button::after { content: "\A0\25BC"; opacity: 1; }
.rest, .off-page, .columns.narrow { display: none; }
.columns[open] + .scroll .rest { display: table-cell; }
.group th { padding-top: .8rem; color: var(--dim); font-size: .8rem; font-weight: 600; text-align: left; text-transform: uppercase; letter-spacing: .04em; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.not-valid { color: var(--bad); font-weight: 600; }
.struck { color: var(--dim); text-decoration: line-through; }
.banner { margin: 1rem 0; padding: .6rem 1rem; border: 1px solid var(--bad); border-left-width: 6px; border-radius: .3rem; background: var(--alarm); }
.banner p { margin: .1rem 0; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .1rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { overflow-x: auto; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--accent); }
figure { margin: 1rem 0; }
figcaption { font-weight: 600; }
svg { display: block; max-width: 100%; font: 13px system-ui, sans-serif; fill: currentColor; }
svg[viewBox] { height: auto; }
td svg { max-width: none; }
.fluid { width: 100%; overflow: visible; }
.fluid svg { max-width: none; overflow: visible; }
.fluid path { vector-effect: non-scaling-stroke; }
.axis, .grid { stroke: var(--line); fill: none; }
.axis { stroke: var(--dim); }
text.dim { fill: var(--dim); }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.mark { fill: var(--accent); }
.second { fill: var(--second); }
.hollow { fill: var(--ground); stroke: var(--bad); stroke-width: 1.5; }
.line { stroke: var(--accent); fill: none; stroke-width: 2; }
.thin { stroke: var(--dim); fill: none; }
.dashed { stroke: var(--dim); fill: none; stroke-dasharray: 4 4; }
.good { color: var(--good); fill: var(--good); }
.bad { color: var(--bad); fill: var(--bad); }
.plot { min-width: 28rem; }
.wide { min-width: 44rem; }
.pair > * { min-width: 0; }
@media (min-width: 79rem) {
.pair { display: grid; grid-template-columns: 580px minmax(0, 1fr); gap: 0 1.5rem; align-items: start; }
.pair th, .pair td { padding-left: .35rem; padding-right: .35rem; }
.pair th:first-child { padding-left: 0; }
}
.forest .ratio { display: grid; grid-template-columns: 13rem 4.5rem 9rem minmax(9rem, 1fr); gap: 0 .8rem; align-items: center; font-size: .9rem; }
.forest.plain .ratio { grid-template-columns: 13rem 4.5rem minmax(9rem, 1fr); }
.forest .ratio > svg { grid-column: -2; }
.forest span.end { text-align: right; }
.forest .rule { border-top: 1px solid var(--dim); }
.bars { width: 100%; height: auto; overflow: hidden; }
.unbroken { white-space: nowrap; }
.panels { display: flex; flex-wrap: wrap; align-items: end; gap: .8rem .5rem; }
.panels small { font-size: .75rem; white-space: nowrap; }
.panels figure { margin: 0; width: min-content; }
.panels svg { max-width: none; }
.range { fill: var(--line); fill-opacity: .6; }
.stroke { stroke: currentColor; fill: none; stroke-width: 1.5; }
.open { fill: var(--ground); stroke: currentColor; stroke-width: 1.5; }
.joined { stroke: var(--accent); fill: none; }
.law { stroke: var(--second); fill: none; stroke-width: 2.5; }
.open.second { stroke: var(--second); }
.dots { stroke: var(--accent); fill: none; stroke-width: 4; stroke-linecap: round; }
.row { fill: var(--ink); }
.bold { font-weight: 600; }
.faint { fill: var(--dim); }
.whole { fill: transparent; }
svg .dim { fill: var(--dim); }
.tip { position: absolute; background: var(--ink); color: var(--ground); padding: .15rem .5rem; border-radius: .25rem; font-size: .85rem; max-width: 24rem; pointer-events: none; z-index: 1; }
@media (max-width: 40rem) {
.roomy { display: none; }
.plot { min-width: 0; font-size: 16px; }
th, td { padding: .2rem .4rem; }
th:not([aria-sort]) button::after { content: none; }
body { font-size: 15px; margin: 1rem auto; }
td.left { min-width: 10rem; }
.forest .ratio, .forest.plain .ratio { grid-template-columns: 1fr auto auto; border-bottom: 1px solid var(--line); }
.forest .ratio > svg { grid-column: 1 / -1; }
.both td.left, .both td.left:last-child { min-width: 0; }
.both th:first-child { min-width: 5.5rem; }
.both th + th { white-space: normal; }
td.left:last-child { min-width: 18rem; }
dl { grid-template-columns: 1fr; gap: 0; }
dd { margin-bottom: .4rem; }
.more { display: none; }
.columns.narrow { display: block; }
.columns[open] + .scroll .more { display: table-cell; }
.pinned tbody td.left { min-width: 6rem; }
.pinned th:first-child { position: sticky; left: 0; z-index: 1; background: var(--ground); min-width: 7rem; max-width: 40vw; padding-right: .4rem; }
.stacked, .stacked tbody { display: block; }
.stacked thead { display: none; }
.stacked tr { display: block; padding: .3rem 0; border-bottom: 1px solid var(--line); }
.stacked tr > *, .stacked caption { display: inline-block; margin-right: .9rem; border: 0; padding: 0; max-width: none; text-align: left; white-space: normal; overflow-wrap: anywhere; }
.stacked tr > th, .stacked caption { display: block; font-weight: 600; }
.stacked tr > td:not([data-is]) { display: none; }
.stacked td::before { content: attr(data-is) ": "; color: var(--dim); }
summary, nav a, .target, th button, tbody th > a { padding-top: calc((47px - 1.5em) / 2); padding-bottom: calc((47px - 1.5em) / 2); }
nav a, .target, th button, tbody th > a { display: inline-block; }
button, select, input:not([type=checkbox]) { min-height: 44px; }
}
@media print {
@page { size: A4; margin: 14mm; }
:root { color-scheme: light; --ground: #fff; --ink: #000; --dim: #444; --line: #bbb; --band: #f3f3f3; --accent: #1f4f8f; --second: #8a3f00; --good: #14532a; --bad: #8f1d17; --alarm: #fff; }
body { font-size: 9pt; margin: 0; padding: 0; max-width: none; }
.scroll { overflow-x: visible; }
table { font-size: 7.5pt !important; }
th, td { padding: .1em .3em !important; white-space: normal !important; min-width: 0 !important; }
th:first-child, .left { min-width: 6em !important; }
.group th { font-size: 6.5pt !important; padding-top: .3rem !important; }
td svg { max-width: 24mm !important; }
pre { white-space: pre-wrap; font-size: 7.5pt; }
tr, figure, dl > * { break-inside: avoid; }
tfoot { display: table-row-group; }
thead { display: table-header-group; }
th button { display: contents; }
caption { position: static; max-width: none; }
h2, h3, p.when, caption, summary, figcaption, thead { break-after: avoid; }
.roomy { display: none; }
.panels figure { width: 42mm; }
.panels small { font-size: 6pt; }
.panels svg { max-width: 100%; }
tbody tr:first-child, tbody tr:nth-child(2) { break-before: avoid; }
.plot { max-width: 130mm; }
.plot, .wide { min-width: 0; }
details:not([open]):not(.says), .screen, .columns { display: none; }
.off-page { display: table-row; }
.banner { background: none; }
th button::after { content: none !important; }
}
CSS

1;
