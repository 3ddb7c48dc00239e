# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Style - the style of the page of all runs, beside that of all pages.
package Touchstone::Pack::Browse::Style;
use 5.014;
use strict;
use warnings;

# Shades of a difference: up and down, four steps each. Text on them keeps its contrast.
our $CSS = <<'CSS';
:root { --up1: #e9f3ec; --up2: #d3e8da; --up3: #b9dbc4; --up4: #9fcdae; --down1: #fbeceb; --down2: #f7dad7; --down3: #f2c4c0; --down4: #edafa9; }
@media (prefers-color-scheme: dark) {
:root { --up1: #16261c; --up2: #193322; --up3: #1c422a; --up4: #1f5333; --down1: #2a1b1a; --down2: #3a201e; --down3: #4c2522; --down4: #5f2a26; }
}
body { max-width: 100rem; }
nav p { margin: .3rem 0; }
h2 small { font-weight: 400; font-size: .9rem; }
.ranking table { width: 100%; max-width: 90rem; }
.ranking th, .ranking td { vertical-align: middle; }
.ranking thead th { vertical-align: bottom; }
.ranking th:first-child { min-width: 13rem; max-width: 18rem; }
.ranking .left:nth-child(2) { width: 30%; min-width: 6rem; }
.ranking thead th:nth-child(4) { white-space: normal; max-width: 8rem; overflow-wrap: anywhere; }
.ranking .left:nth-child(5) { min-width: 12rem; }
.ranking .left:nth-child(6) { min-width: 13rem; max-width: 22rem; }
.ranking td:nth-child(6) { font-size: .875em; }
.ranking td:nth-child(5) small { display: block; line-height: 1; }
.alone th:nth-child(2), .alone td:nth-child(2), .alone th:nth-child(4), .alone td:nth-child(4) { display: none; }
.ranking .good, .ranking .bad { white-space: nowrap; }
.machine { display: block; }
.bar { width: 100%; height: .9rem; }
td b { font-weight: 600; }
.newest tbody span { display: block; margin: -.2rem -.6rem; padding: .2rem .6rem; font-weight: 600; }
.newest tbody span small { font-weight: 400; color: inherit; }
.newest tbody span.even, .newest tbody span.other { font-weight: 400; }
.even, .other { color: var(--dim); }
.up1 { background: var(--up1); } .up2 { background: var(--up2); } .up3 { background: var(--up3); } .up4 { background: var(--up4); }
.down1 { background: var(--down1); } .down2 { background: var(--down2); } .down3 { background: var(--down3); } .down4 { background: var(--down4); }
.runs.long .scroll { max-height: 80vh; overflow: auto; border-bottom: 1px solid var(--line); }
.runs thead th { white-space: normal; min-width: 5.5rem; position: sticky; top: 0; background: var(--ground); z-index: 1; }
.runs td, .runs th { vertical-align: top; padding: .1rem .5rem; line-height: 1.35; }
.runs table { font-size: .8125rem; width: 100%; max-width: 90rem; }
.runs th:first-child { white-space: nowrap; max-width: none; }
.runs .left { min-width: 4rem; max-width: none; white-space: nowrap; }
.notes { min-width: 8rem; max-width: 24rem; white-space: normal; }
.notes.long { min-width: 18rem; }
.notes > * + span::before { content: "\B7\20"; }
.runs details { display: inline-block; margin: 0; }
.runs details ul { margin: 0; padding-left: 1rem; min-width: 14rem; white-space: normal; }
.runs :target { background: var(--band); }
.runs input { margin: 0 .4rem 0 0; vertical-align: middle; }
.text { font-size: .75rem; }
:target { scroll-margin-top: 3rem; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; margin: .8rem 0 .3rem; }
.tools input, .tools select, .tools button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--dim); border-radius: .2rem; padding: .15rem .4rem; max-width: 100%; }
.tools code { overflow-wrap: anywhere; }
.tools label { min-width: 0; max-width: 100%; }
.pick { cursor: pointer; }
.host th:first-child { min-width: 12rem; }
.host .left:not(:first-child) { min-width: 13rem; }
.host .left a { white-space: nowrap; }
.history { content-visibility: auto; contain-intrinsic-size: auto 14rem; }
.history figure { margin: .6rem 0 0; }
.history details { margin: 0 0 .6rem; }
.dots { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; fill: none; }
.spark .dots { stroke-width: 3; }
.many .dots { stroke-width: 2.5; }
.spark.many .dots { stroke-width: 2; }
.level { stroke: var(--second); stroke-width: 1.5; fill: none; }
@media screen and (max-width: 40rem) {
.history figure { overflow-x: auto; }
.trend { max-width: none; }
.pinned tbody th { box-shadow: inset 0 -1px var(--line); }
.ranking th:nth-child(2), .ranking td:nth-child(2), .runs .text { display: none; }
.ranking thead th { white-space: normal; }
.runs tbody th > a { display: inline-block; padding: .2rem 0; max-width: 7.2rem; vertical-align: middle; }
.ranking th, .ranking td { padding: .2rem .4rem; }
.ranking td small { white-space: nowrap; }
.ranking th:first-child, .host th:first-child { min-width: 8rem; }
.runs th:first-child { min-width: 9rem; max-width: 9rem; white-space: normal; }
.runs thead th:first-child { z-index: 2; }
.runs input { width: 1.2rem; height: 1.2rem; }
}
@media print {
.runs.long .scroll { max-height: none; overflow: visible; }
.runs thead th { white-space: normal; min-width: 5.5rem; position: static; }
.ranking .left:nth-child(2) { width: 18%; }
.ranking .left:nth-child(6) { min-width: 40mm !important; font-size: 1em; }
.ranking td small { white-space: nowrap; }
.ranking .machine { white-space: normal !important; }
.runs table { font-size: 6.5pt !important; width: 100%; }
.runs th, .runs td, .runs .left { padding: .1em .15em !important; white-space: normal; overflow-wrap: anywhere; min-width: 0 !important; }
.tools, .runs input, .text { display: none; }
.notes, .notes.long { min-width: 0; }
.runs details:not([open]) { display: inline-block; }
.ranking td:nth-child(2) svg { max-width: none !important; min-width: 20mm; }
.ranking a[href^='#'] { display: none; }
.newest tbody span { margin: 0; padding: 0; }
.host .left:not(:first-child) { min-width: 0; }
.host td:not(.left) { white-space: nowrap !important; }
.history { content-visibility: visible; }
}
CSS

1;
