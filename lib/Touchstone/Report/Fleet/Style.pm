# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Style - the style of the pages of a fleet, as an addition to that of all pages.
package Touchstone::Report::Fleet::Style;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Fleet::Strips;

our $CSS = $Touchstone::Report::Fleet::Strips::CSS . <<'CSS';
.run { color: var(--dim); font-size: .875rem; margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .2rem 0 .4rem; }
h1.alarm { color: var(--bad); }
.said { font-size: 1.05rem; }
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
.legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend svg { display: inline; vertical-align: -2px; }
.suspect { color: var(--second); }
.fast { color: var(--good); }
.far { font-weight: 600; }
#missing td:nth-child(2) { white-space: nowrap; }
.strips :is(th, td):nth-child(2) { text-align: left; }
.strips :is(th, td):last-child { white-space: nowrap; }
.strips td { vertical-align: middle; padding-top: 0; padding-bottom: 0; }
.strips th { vertical-align: middle; }
section.host { margin-top: 1.8rem; }
section.host h2 { margin: 0; }
:target { background: var(--band); }
nav p { margin: .3rem 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .tally li { min-width: 4rem; } }
@media print {
h1 { font-size: 15pt; } .tally b { font-size: 13pt; }
.strips svg { max-width: 95mm !important; }
.case { break-inside: avoid; }
}
CSS

1;
