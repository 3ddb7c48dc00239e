# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Style - the style of the page of a run, beside that of all pages (Report::Render::Html::Style).
package Touchstone::Report::Run::Style;
use 5.014;
use strict;
use warnings;

# Tables of details have up to ten columns, more than those of other pages. On paper their letters are
# smaller.
our $CSS = <<'CSS';
.skip { position: absolute; left: -99rem; background: var(--ground); padding: .3rem .6rem; margin: 0; }
.skip:focus-within { left: 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: .6rem 0; }
button { font: inherit; color: var(--accent); background: var(--ground); border: 1px solid var(--line); border-radius: .25rem; padding: .2rem .7rem; cursor: pointer; }
@media screen {
table { font-size: .9rem; }
th, td { padding: .2rem .5rem; }
}
thead th { white-space: normal; }
.results thead small { display: block; }
tfoot th:first-child { min-width: 9rem; }
tbody td.left { min-width: 3rem; }
.passes th:first-child { min-width: 0; white-space: nowrap; }
@media print {
nav, .skip { display: none; }
pre { font-size: 7pt; white-space: pre-wrap; overflow-wrap: anywhere; }
main table { font-size: 7pt !important; }
main th, main td { padding: .1rem .12rem !important; }
td { white-space: normal; }
tfoot th:first-child, th:first-child { min-width: 5rem; }
}
.run { color: var(--dim); font-size: .875rem; margin: 0; }
.run b { color: var(--accent); font-size: 1.05rem; }
h1 { font-size: 1.75rem; line-height: 1.25; }
.machine { font-size: 1.05rem; margin: .1rem 0 .8rem; }
.machine a { font-size: .9rem; margin-left: .6rem; white-space: nowrap; }
@media print { .run { font-size: 8pt; } h1 { font-size: 15pt; } .machine { font-size: 10pt; } .machine a { display: none; } }
.banner b { color: var(--bad); }
.trouble { padding-left: 0; list-style: none; max-width: 60rem; }
.trouble li { margin: .5rem 0; padding-left: .7rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.trouble .failed { border-color: var(--bad); }
.trouble p { margin: .1rem 0; }
.trouble .failed b { color: var(--bad); }
.cards { display: flex; flex-wrap: wrap; gap: .6rem 1rem; list-style: none; margin: .6rem 0; padding: 0; }
.cards > li { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem 1.1rem .6rem; min-width: 14rem; max-width: 100%; box-sizing: border-box; overflow-wrap: anywhere; }
.cards p { margin: 0; }
.cards .name { font-weight: 600; max-width: 24rem; }
.cards .figure { color: var(--dim); }
.cards .figure b, .cards .figure s { font-size: 2.6rem; line-height: 1.15; font-weight: 700; color: var(--ink); font-variant-numeric: tabular-nums; }
.cards .figure s { color: var(--dim); }
.cards .dim { font-size: .875rem; max-width: 28rem; }
.cards .several { display: flex; flex-wrap: wrap; gap: .1rem 1.6rem; }
.cards .several .name { flex-basis: 100%; }
.cards .several .figure b, .cards .several .figure s { font-size: 1.5rem; }
.cards + p { font-size: .875rem; }
.lead { font-size: 1.15rem; }
@media (max-width: 40rem) { .cards > li { flex: 1 1 100%; } }
@media print { .cards .figure b, .cards .figure s { font-size: 20pt; } .cards .dim, .cards + p { font-size: 8pt; } }
.parts { margin-bottom: .4rem; }
.base { stroke: var(--ink); stroke-dasharray: 2 2; }
.aside { font-size: .95rem; }
.bar { fill: var(--accent); }
.invalid .bar { fill: var(--dim); }
.whisker { stroke: var(--ink); stroke-width: 1.25; fill: none; }
.key { white-space: nowrap; margin-left: .7rem; }
.key svg { display: inline-block; margin-right: .3rem; }
.results { width: 100%; }
.results th:first-child { width: 100%; max-width: none; padding-right: .6rem; }
.plain { width: auto; }
.plain th:first-child { width: auto; padding-right: 2rem; }
.results b { font-weight: 600; }
.results td small { font-size: .8em; display: inline-block; min-width: 3.9em; text-align: left; }
.results .left { padding-left: 1rem; max-width: 32rem; min-width: 9rem; }
.results caption { padding-bottom: 0; }
.results .group th { font-size: .75rem; padding-top: .6rem; }
.test { display: grid; grid-template-columns: minmax(9rem, 16rem) minmax(9rem, 1fr); align-items: center; gap: 0 .8rem; }
.invalid .results td { text-decoration: line-through; color: var(--dim); }
.invalid .results .holds { display: inline-block; }
.invalid .results b { font-weight: 400; }
@media (max-width: 40rem) {
#passes :is(th, td) { padding: .2rem; font-size: .75rem; }
#passes th:first-child { min-width: 4.8rem; padding-left: 0; }
.results th:first-child { min-width: 44vw; max-width: 44vw; width: 44vw; }
.results .group th:first-child { position: static; max-width: none; }
.plain th:first-child { min-width: 7rem; width: auto; }
.test { grid-template-columns: 1fr; }
.results td small { display: block; min-width: 0; text-align: right; }
}
@media print {
.test { grid-template-columns: 30mm 1fr; }
.test svg { font-size: 8px; }
.results th:first-child { width: 100% !important; }
.results td { white-space: nowrap !important; }
.results th + th, .results td { padding: .1rem .2rem !important; }
.results.plain th:first-child { width: auto !important; }
}
.strip { width: 150px; fill: var(--accent); }
@media (max-width: 40rem) { .strip { width: 72px; } }
@media print { .strip { width: 64px; } }
.strip circle { r: 2.1px; }
.strip .band { fill: var(--accent); fill-opacity: .18; }
.strip .stolen { stroke: var(--second); }
.strip .waited { stroke: var(--dim); }
.strip .score { stroke: var(--accent); fill: none; }
@media (min-width: 60rem) { .facts { columns: 2; column-gap: 2.5rem; } }
.facts section { break-inside: avoid; padding-bottom: .5rem; }
.facts h3 { margin-top: .4rem; }
.facts dl { margin: .3rem 0; grid-template-columns: 9rem 1fr; }
.facts dd span { display: block; }
.facts details, .facts dd p { margin: 0; }
.facts .unknown { color: var(--dim); }
@media (max-width: 40rem) { .facts dl { grid-template-columns: 7rem minmax(0, 1fr); gap: .1rem .8rem; } .facts dd { margin: 0; } }
@media print { .facts { columns: 2; } .facts dl { grid-template-columns: 6.5rem 1fr; } }
CSS

1;
