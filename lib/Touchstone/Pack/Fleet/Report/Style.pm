# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Style - how the pages of a fleet look, as an addition to the style of all pages.
package Touchstone::Pack::Fleet::Report::Style;
use 5.014;
use strict;
use warnings;

our $CSS = <<'CSS';
.spans { stroke: var(--dim); stroke-opacity: .55; fill: none; }
.hosts { stroke: var(--accent); fill: none; stroke-width: 5; stroke-linecap: round; }
.crowd .hosts { stroke-width: 2.5; }
.crowd .spans { stroke-opacity: .3; }
.small .hosts { stroke-width: 4; }
.small.crowd .hosts { stroke-width: 2; }
.bad-mark { fill: var(--bad); stroke: var(--bad); }
.suspect-mark { fill: var(--second); stroke: var(--second); }
.fast-mark { fill: var(--good); stroke: var(--good); }
.other-mark { fill: var(--ground); stroke: var(--ink); }
.leader { stroke: var(--dim); stroke-dasharray: 2 3; fill: none; }
svg.small { width: clamp(480px, 44vw, 560px); }
.when { font-size: .875rem; margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .2rem 0 .4rem; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 1rem 0; }
.tally li { border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .8rem .3rem; min-width: 5rem; }
.tally b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tally .is-bad { border-color: var(--bad); color: var(--bad); }
.tally .is-suspect { border-color: var(--second); color: var(--second); }
.tally .is-missing { border-color: var(--second); color: var(--second); }
.case { border-left: 5px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: 1rem 0; }
.case.is-bad { border-color: var(--bad); }
.case.is-suspect { border-color: var(--second); }
.case h3 { margin: 0; font-size: 1.1rem; }
.case h3 small { font-weight: 400; font-size: .95rem; }
.case ul { margin: .2rem 0; padding-left: 1.1rem; }
.command { background: var(--band); border: 1px solid var(--line); border-radius: .3rem; padding: .5rem .8rem; margin: .4rem 0 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.remedy { font-weight: 600; }
span.remedy { display: block; }
.legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend svg { display: inline; vertical-align: -2px; }
.suspect { color: var(--second); }
.fast { color: var(--good); }
.far { font-weight: 600; }
.strips :is(th, td):nth-child(2) { text-align: left; }
.strips :is(th, td):last-child { white-space: nowrap; }
.strips td { vertical-align: middle; padding-top: 0; padding-bottom: 0; }
.strips th { vertical-align: middle; }
section.host { margin-top: 1.8rem; }
section.host h2 { margin: 0; }
:target { background: var(--band); }
.ways { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.2rem; padding: 0; margin: .3rem 0; }
@media (max-width: 40rem) { .tally li { min-width: 4rem; } }
@media print {
h1 { font-size: 15pt; } .tally b { font-size: 13pt; }
.strips svg { max-width: 95mm !important; }
.case { break-inside: avoid; }
}
CSS

1;
