# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Assets - the style and the script of the page of all runs, in addition to those of all pages.
# The script lets its reader choose the host that others are compared with, filters the table of runs, makes
# the command that compares some, and describes a dot. The address holds what was chosen.
package Touchstone::Pack::Browse::Assets;
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
.ranking thead th:nth-child(4) { white-space: normal; min-width: 9rem; }
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
.host th:first-child { min-width: 9rem; }
.host .left:not(:first-child) { min-width: 5rem; }
.host .left a { white-space: nowrap; }
.history { content-visibility: auto; contain-intrinsic-size: auto 14rem; }
.history figure { margin: .6rem 0 0; }
.history details { margin: 0 0 .6rem; }
.trend { box-sizing: border-box; padding-left: 3.6rem; }
.trend .title { transform: translateX(-3.6rem); }
.dots { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; fill: none; }
.spark .dots { stroke-width: 3; }
.many .dots { stroke-width: 2.5; }
.spark.many .dots { stroke-width: 2; }
.level { stroke: var(--second); stroke-width: 1.5; fill: none; }
@media screen and (max-width: 40rem) {
.pinned tbody th { box-shadow: inset 0 -1px var(--line); }
.ranking th:nth-child(2), .ranking td:nth-child(2), .runs .text { display: none; }
.ranking thead th, .ranking thead th:nth-child(4) { white-space: normal; min-width: 0; }
.runs tbody th > a { display: inline-block; padding: .2rem 0; max-width: 7.2rem; vertical-align: middle; }
.ranking th, .ranking td { padding: .2rem .4rem; }
.ranking td small { white-space: nowrap; }
.ranking th:first-child, .host th:first-child { min-width: 8rem; }
.history table { font-size: .8rem; }
.history td, .history .left:not(:first-child) { white-space: normal; min-width: 0; padding: .2rem .3rem; }
.newest th, .newest td { padding: .2rem .3rem; font-size: .8rem; }
.newest thead th { white-space: normal; overflow-wrap: anywhere; max-width: 5.5rem; }
.newest th:first-child { min-width: 6rem; }
.newest td small { display: block; }
.newest tbody span { margin: -.2rem -.3rem; padding: .2rem .3rem; }
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
.host:not(:has(> p, > .scroll, details[open])) { display: none; }
}
CSS

# Differences have the form of Pack::Browse::Phrases and RankingTable. The dots of a history carry their
# values, and their runs as the distance from the one before.
our $JS = <<'JS';
(function () {
	const all = (what, where) => Array.from((where || document).querySelectorAll(what));
	const make = (tag, more, ...content) => { const made = Object.assign(document.createElement(tag), more); made.append(...content); return made; };

	// The address holds the selection: #vs=vm-2&q=golden
	const state = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
	function keep(name, value) {
		if (value === '') state.delete(name); else state.set(name, value);
		history.replaceState(null, '', '#' + state);
	}

	const signed = (percent, digits) => (percent < 0 ? '\u2212' : '+') + Math.abs(percent).toFixed(digits);
	const half = h => '\u00b1' + (100 * h).toFixed(100 * h < 9.95 ? 1 : 0);
	function change(ratio, h) {
		const percent = 100 * (ratio - 1);
		return ratio >= 10 ? '\u00d7 ' + ratio.toFixed(0) : signed(percent, Math.abs(percent) < 9.95 && 100 * (h || 0) < 10 ? 1 : 0) + ' %';
	}
	// The ratio of two figures, and half its interval, or null.
	function against(one, other) {
		const is = [one, other].map(figure => ({ score: +figure.dataset.score, half: figure.dataset.half }));
		const ratio = one.dataset.less ? is[1].score / is[0].score : is[0].score / is[1].score;
		return { ratio: ratio, half: is.some(figure => !figure.half) ? null : ratio * Math.hypot(is[0].half, is[1].half) };
	}
	function say(span, is, words) {
		span.textContent = words;
		if (is && is.half !== null) span.append(' ', make('small', {}, half(is.half)));
	}
	const isNoise = (is, spread) => Math.abs(Math.log(is.ratio)) <= Math.max(is.half || 0, spread);
	function rank(table, which) {
		const rows = Array.from(table.tBodies[0].rows).map(row => ({ which: row.querySelector('[data-name]').dataset.name, figure: row.querySelector('.ratio') }));
		const chosen = rows.find(row => row.which === which);
		if (!chosen) return;
		const head = table.tHead.querySelector('.chosen');
		head.textContent = names.get(which);
		rows.forEach(row => {
			const is = against(row.figure, chosen.figure);
			say(row.figure, row === chosen ? null : is, row === chosen ? '=' : change(is.ratio, is.half));
			row.figure.classList.toggle('even', isNoise(is, +head.dataset.spread));
			row.figure.closest('td').dataset.key = is.ratio;
		});
	}
	const shade = ratio => (ratio > 1 ? 'up' : 'down') + [0, 0.05, 0.15, 0.3].filter(least => Math.abs(Math.log(ratio)) >= least).length;
	// A part has the tests of one suite and copy count, in a table or several.
	function tests(part, which) {
		const figures = new Map();
		all('tbody [data-score]', part).forEach(figure => {
			const cell = figure.closest('td'), row = cell.parentNode, test = row.cells[0].textContent;
			const host = cell.closest('table').tHead.rows[0].cells[cell.cellIndex].querySelector('[data-name]').dataset.name;
			if (!figures.has(test)) figures.set(test, []);
			figures.get(test).push({ host: host, figure: figure, cell: cell, spread: row.lastElementChild.firstElementChild ? 0 : +row.lastElementChild.dataset.key || 0 });
		});
		if (!part.querySelector('[data-name="' + which + '"]')) return;
		figures.forEach(hosts => {
			const chosen = hosts.find(one => one.host === which);
			hosts.forEach(one => {
				const can = chosen && one !== chosen && one.figure.dataset.kind === chosen.figure.dataset.kind;
				const is = can ? against(one.figure, chosen.figure) : null;
				one.figure.className = !is ? 'other' : isNoise(is, one.spread) ? 'even' : shade(is.ratio);
				say(one.figure, is, is ? change(is.ratio, is.half) : one.figure.dataset.shown);
				one.cell.dataset.key = is ? is.ratio : one.figure.dataset.score;
			});
		});
	}
	const names = new Map(all('.ranking [data-name], .newest [data-name]').map(name => [name.dataset.name, name.textContent]));
	const pick = make('select', {}, ...Array.from(names, ([which, name]) => make('option', { value: which }, name)));
	function choose(which) {
		pick.value = which;
		all('.ranking table').forEach(table => rank(table, which));
		all('.newest .part').forEach(part => tests(part, which));
		all('h2 .chosen').forEach(chosen => { chosen.textContent = names.get(which); });
	}
	const first = document.querySelector('[data-chosen]');
	if (first && names.size > 1) {
		pick.value = first.dataset.chosen;
		pick.addEventListener('change', () => { choose(pick.value); keep('vs', names.get(pick.value)); });
		first.querySelector('h2').after(make('div', { className: 'tools screen' }, make('label', {}, 'Compare all with ', pick)));
		all('.ranking .ratio').forEach(figure => {
			const cell = figure.closest('td');
			cell.classList.add('pick');
			cell.addEventListener('click', () => { pick.value = cell.parentNode.querySelector('[data-name]').dataset.name; pick.dispatchEvent(new Event('change')); });
		});
		const wanted = Array.from(names).find(([which, name]) => name === state.get('vs'));
		if (wanted) choose(wanted[0]);
	}

	// Folds around the place that the address names are open.
	function jump() {
		const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
		if (!place) return;
		for (let fold = place.closest('details'); fold; fold = fold.parentNode.closest('details')) fold.open = true;
		const row = place.closest('.runs tr');
		if (row) { row.hidden = false; row.classList.remove('off-page'); }
		place.scrollIntoView({ block: row ? 'center' : 'start' });
	}
	addEventListener('hashchange', jump);
	addEventListener('load', jump);
	const charts = all('.history[data-host]');
	const hostNames = Array.from(new Set(charts.map(chart => chart.dataset.host)));
	if (hostNames.length > 1) {
		const of = make('select', {}, make('option', { value: '' }, 'all hosts'), ...hostNames.map(name => make('option', {}, name)));
		of.addEventListener('change', () => {
			charts.forEach(chart => { chart.hidden = of.value !== '' && chart.dataset.host !== of.value; });
			all('.test').forEach(test => { test.closest('details').hidden = !test.querySelector('.history:not([hidden])'); });
		});
		document.querySelector('#history h2').after(make('div', { className: 'tools screen' }, make('label', {}, 'Host ', of)));
	}

	const table = document.querySelector('.runs table');
	if (!table) return;
	table.parentNode.tabIndex = 0;
	const named = all('[id^=r][data-host]', table);
	const hosts = table.closest('.runs').dataset.hosts.split('\n');
	const runs = named.map(name => ({ name: name.textContent, word: name.dataset.word === undefined ? name.textContent : name.dataset.word, host: hosts[name.dataset.host], row: name.closest('tr'), which: name.dataset.host, place: +name.id.slice(1) }));
	runs.forEach(run => { run.text = (run.host + ' ' + run.row.textContent).toLowerCase(); });
	const byPlace = new Map(runs.map(run => [run.place, run]));

	const words = make('input', { type: 'search', size: 30, value: state.get('q') || '' });
	const sorted = hosts.map((name, i) => ({ name: name, value: i })).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
	const host = make('select', {}, make('option', { value: '' }, 'all hosts'), ...sorted.map(one => make('option', { value: one.value }, one.name)));
	if (hosts.includes(state.get('host')) && !state.has('test')) host.value = hosts.indexOf(state.get('host'));
	const shown = make('output', {});
	shown.setAttribute('aria-live', 'polite');
	// More rows than these take a browser seconds to arrange. On paper all are printed.
	let most = 200;
	const more = make('button', { type: 'button' }, 'Show all');
	const byRow = new Map(runs.map(run => [run.row, run]));
	function filter() {
		const wanted = words.value.toLowerCase().split(/\s+/);
		let many = 0;
		Array.from(table.tBodies[0].rows).forEach(row => {
			const run = byRow.get(row);
			const fits = (host.value === '' || run.which === host.value) && wanted.every(word => run.text.includes(word));
			if (fits) many++;
			if (row.hidden === fits) row.hidden = !fits;
			row.classList.toggle('off-page', fits && many > most);
		});
		shown.textContent = many + ' of ' + runs.length + ' runs' + (many > most ? ', the first ' + most + ' are shown' : '');
		more.hidden = many <= most;
	}
	more.addEventListener('click', () => { most = Infinity; filter(); });
	table.tHead.addEventListener('click', filter);
	let waiting;
	words.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(() => { filter(); keep('q', words.value); }, 150); });
	host.addEventListener('change', () => { filter(); keep('host', host.value === '' ? '' : hosts[host.value]); });
	if (words.value !== '' || host.value !== '') table.closest('details').open = true;
	filter();

	const quoted = word => /^[\w.,:@%+=\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
	const compare = table.closest('.runs').dataset.command;
	const ticked = new Set();
	const command = make('code', {});
	const copy = make('button', { type: 'button', hidden: true }, 'Copy');
	const said = make('span', {});
	said.setAttribute('role', 'status');
	// The oldest is what the others are compared with.
	function show() {
		const some = Array.from(ticked).sort((a, b) => b.place - a.place);
		const ready = some.length > 1;
		command.textContent = ready ? compare + ' ' + some.map(run => quoted(run.word)).join(' ') : '';
		copy.hidden = !ready;
		said.textContent = ready ? 'Compare ' + some.length + ' runs:' : 'Tick two runs or more to compare them' + (some.length ? ': one more' : '');
	}
	copy.addEventListener('click', () => {
		const range = document.createRange();
		range.selectNodeContents(command);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
		const done = () => { said.textContent = 'Copied:'; };
		if (navigator.clipboard) navigator.clipboard.writeText(command.textContent).then(done, () => {});
		else if (document.execCommand('copy')) done();
	});
	runs.forEach((run, i) => {
		if (run.word === '') return;
		const tick = make('input', { type: 'checkbox' });
		tick.setAttribute('aria-label', 'compare ' + run.name);
		tick.addEventListener('change', () => { if (tick.checked) ticked.add(run); else ticked.delete(run); show(); });
		named[i].before(tick);
	});
	show();
	document.querySelector('.how').hidden = true;
	table.closest('.runs').before(make('div', { className: 'tools screen' }, make('label', {}, 'Filter ', words), make('label', {}, 'Host ', host), shown, more),
		make('div', { className: 'tools screen' }, said, command, copy));

	const tip = make('div', { className: 'tip' });
	const large = [[1e9, ' G'], [1e6, ' M'], [1e4, ' k', 1e3]];
	function human(value) {
		const found = /^[\d.]+$/.test(value) && large.find(([least]) => +value >= least);
		return found ? +(value / (found[2] || found[0])).toPrecision(6) + found[1] : value;
	}
	function dots(path) {
		if (path.points) return path.points;
		const values = path.dataset.values.split('|');
		let place = 0;
		const places = path.dataset.runs.split(' ').map(step => { place -= +step; return place; });
		path.points = Array.from(path.getAttribute('d').matchAll(/M([\d.]+),([\d.]+)/g)).map((m, i) => ({ x: +m[1], y: +m[2], value: values[i], run: byPlace.get(places[i]) }));
		return path.points;
	}
	all('svg.trend').forEach(svg => {
		const path = svg.querySelector('.dots');
		let nearest;
		svg.addEventListener('pointermove', event => {
			const box = svg.getBoundingClientRect(), left = parseFloat(getComputedStyle(svg).paddingLeft);
			const x = event.clientX - box.left - left, y = event.clientY - box.top;
			const far = p => Math.hypot(p.x * (box.width - left) / 1000 - x, (p.y - y) / 2);
			nearest = dots(path).reduce((best, p) => !best || far(p) < far(best) ? p : best, null);
			if (!nearest || far(nearest) > 40) { tip.remove(); nearest = null; return; }
			tip.textContent = human(nearest.value) + ', ' + nearest.run.name;
			document.body.append(tip);
			tip.style.left = Math.max(0, Math.min(event.pageX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8)) + 'px';
			tip.style.top = event.pageY + 16 + 'px';
		});
		svg.addEventListener('pointerleave', () => tip.remove());
		svg.addEventListener('click', () => { if (nearest) { location.hash = 'r' + nearest.run.place; jump(); } });
	});
})();
JS

1;
