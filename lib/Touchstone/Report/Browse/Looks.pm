# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Looks - the style and the script of the page of all runs, beside those of all pages. The
# script filters the table, makes the command that compares two runs, and describes a dot.
package Touchstone::Report::Browse::Looks;
use 5.014;
use strict;
use warnings;

our $CSS = <<'CSS';
.runs.long .scroll { max-height: 60vh; overflow: auto; border-bottom: 1px solid var(--line); }
.runs thead th { white-space: nowrap; position: sticky; top: 0; background: var(--ground); z-index: 1; }
.runs td, .runs th { vertical-align: top; }
body { max-width: 100rem; }
.runs table { font-size: .8125rem; }
.runs th, .runs td { padding: .2rem .4rem; }
.runs .left { min-width: 3.5rem; max-width: 11rem; }
.runs td:nth-child(6), .runs td:nth-child(12) { min-width: 7rem; }
.runs td:nth-child(10) { min-width: 4.8rem; }
.runs td:nth-child(n+4):nth-child(-n+5) { white-space: normal; }
.runs th:first-child, .runs td:nth-child(2) { white-space: nowrap; min-width: 0; max-width: none; }
.runs details ul { white-space: normal; }
.runs small { display: block; white-space: normal; min-width: 6.5rem; }
main > .scroll th:first-child, section th:first-child { min-width: 9rem; }
main > .scroll .left:last-child, section .left:not(:first-child) { min-width: 13rem; }
.runs details { margin: 0; }
.runs details ul { margin: 0; padding-left: 1rem; min-width: 14rem; }
.runs :target { background: var(--band); }
.runs input { margin: 0 .4rem 0 0; }
:target { scroll-margin-top: 3rem; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; margin: .8rem 0 .3rem; }
.tools input, .tools select, .tools button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--dim); border-radius: .2rem; padding: .15rem .4rem; max-width: 100%; }
.tools code { overflow-wrap: anywhere; }
.tools label { min-width: 0; max-width: 100%; }
.course { content-visibility: auto; contain-intrinsic-size: auto 14rem; }
.course figure { margin: .6rem 0 0; }
.course details { margin: 0 0 .6rem; }
@media screen and (max-width: 40rem) { .course figure { overflow-x: auto; } .trend { max-width: none; } }
.dots { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; fill: none; }
.many .dots { stroke-width: 2.5; }
.level { stroke: var(--second); stroke-width: 1.5; fill: none; }
@media print {
.runs.long .scroll { max-height: none; overflow: visible; }
.runs thead th { position: static; }
.runs table { font-size: 5.5pt !important; table-layout: fixed; width: 100%; }
.runs th, .runs td, .runs .left { padding: .1em .15em !important; white-space: normal; overflow-wrap: anywhere; min-width: 0 !important; }
.tools, .runs input { display: none; }
.runs details:not([open]) { display: block; }
main > .scroll .left:last-child, section .left:not(:first-child) { min-width: 0; }
.course { content-visibility: visible; }
}
CSS

# The dots of a course carry their values, and their runs as the distance from the one before.
our $JS = <<'JS';
(function () {
	const make = (tag, more, ...content) => { const made = Object.assign(document.createElement(tag), more); made.append(...content); return made; };
	const table = document.querySelector('.runs table');
	if (!table) return;
	table.parentNode.tabIndex = 0;
	const names = Array.from(table.querySelectorAll('[id^=r]'));
	const runs = names.map(name => ({ name: name.textContent, word: name.dataset.word === undefined ? name.textContent : name.dataset.word, row: name.closest('tr'), place: +name.id.slice(1) }));
	runs.forEach(run => { run.text = run.row.textContent.toLowerCase(); run.host = run.row.cells[2].textContent; });
	const byPlace = new Map(runs.map(run => [run.place, run]));

	const words = make('input', { type: 'search', size: 30 });
	const host = make('select', {}, make('option', { value: '' }, 'all hosts'));
	const hosts = Array.from(new Set(runs.map(run => run.host))).sort();
	hosts.forEach((name, i) => host.append(make('option', { value: i }, name)));
	const shown = make('output', {});
	shown.setAttribute('aria-live', 'polite');
	// More rows than these take a browser seconds to arrange.
	let most = 200;
	const all = make('button', { type: 'button' }, 'Show all');
	const byRow = new Map(runs.map(run => [run.row, run]));
	function filter() {
		const wanted = words.value.toLowerCase().split(/\s+/);
		let many = 0;
		Array.from(table.tBodies[0].rows).forEach(row => {
			const run = byRow.get(row);
			const fits = (host.value === '' || run.host === hosts[host.value]) && wanted.every(word => run.text.includes(word));
			if (fits) many++;
			const hide = !fits || many > most;
			if (row.hidden !== hide) row.hidden = hide;
		});
		shown.textContent = many + ' of ' + runs.length + ' runs' + (many > most ? ', the first ' + most + ' are shown' : '');
		all.hidden = many <= most;
	}
	all.addEventListener('click', () => { most = Infinity; filter(); });
	table.tHead.addEventListener('click', filter);
	function jump() {
		const run = byPlace.get(+location.hash.slice(2));
		if (!run || !location.hash.startsWith('#r')) return;
		run.row.hidden = false;
		run.row.scrollIntoView({ block: 'center' });
	}
	addEventListener('hashchange', jump);
	let waiting;
	words.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(filter, 150); });
	host.addEventListener('change', filter);
	filter();
	jump();

	const quoted = word => /^[\w.,:@%+=\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
	const compare = table.closest('.runs').dataset.command;
	const ticked = [];
	const command = make('code', {});
	const copy = make('button', { type: 'button', hidden: true }, 'Copy');
	const said = make('span', {});
	said.setAttribute('role', 'status');
	function show() {
		const two = ticked.slice().sort((a, b) => b.place - a.place);
		const ready = two.length > 1;
		command.textContent = ready ? compare + ' ' + two.map(run => quoted(run.word)).join(' ') : '';
		copy.hidden = !ready;
		said.textContent = ready ? '' : 'Tick two runs to compare them' + (two.length ? ': one more' : '');
	}
	copy.addEventListener('click', () => {
		const range = document.createRange();
		range.selectNodeContents(command);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
		const done = () => { said.textContent = 'copied'; };
		if (navigator.clipboard) navigator.clipboard.writeText(command.textContent).then(done, () => {});
		else if (document.execCommand('copy')) done();
	});
	runs.forEach((run, i) => {
		if (run.word === '') return;
		run.tick = make('input', { type: 'checkbox' });
		run.tick.setAttribute('aria-label', 'compare ' + run.name);
		run.tick.addEventListener('change', () => {
			if (run.tick.checked) ticked.push(run); else ticked.splice(ticked.indexOf(run), 1);
			if (ticked.length > 2) ticked.shift().tick.checked = false;
			show();
		});
		names[i].before(run.tick);
	});
	show();
	document.querySelector('.how').hidden = true;
	table.closest('.runs').before(make('div', { className: 'tools screen' }, make('label', {}, 'Filter ', words), make('label', {}, 'Host ', host), shown, all),
		make('div', { className: 'tools screen' }, said, command, copy));

	const tip = make('div', { className: 'tip' });
	function dots(path) {
		if (path.points) return path.points;
		const values = path.dataset.values.split('|');
		let place = 0;
		const places = path.dataset.runs.split(' ').map(step => { place -= +step; return place; });
		path.points = Array.from(path.getAttribute('d').matchAll(/M([\d.]+),([\d.]+)/g)).map((m, i) => ({ x: +m[1], y: +m[2], value: values[i], run: byPlace.get(places[i]) }));
		return path.points;
	}
	document.querySelectorAll('svg.trend').forEach(svg => {
		const path = svg.querySelector('.dots');
		let nearest;
		svg.addEventListener('pointermove', event => {
			const box = svg.getBoundingClientRect();
			const by = svg.viewBox.baseVal.width / box.width;
			const x = (event.clientX - box.left) * by, y = (event.clientY - box.top) * by;
			const far = p => Math.hypot(p.x - x, (p.y - y) / 2);
			nearest = dots(path).reduce((best, p) => !best || far(p) < far(best) ? p : best, null);
			if (!nearest || far(nearest) > 40) { tip.remove(); nearest = null; return; }
			tip.textContent = nearest.value + ', ' + nearest.run.name + ', ' + nearest.run.row.cells[1].textContent;
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
