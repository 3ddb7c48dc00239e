# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Html::Script - makes a page more convenient where scripts may run: tables sort, tips appear
# at once, and folds open together. A page says everything without it.
package Touchstone::Report::Render::Html::Script;
use 5.014;
use strict;
use warnings;

# A cell is sorted by its data-key, if it has one; a dash comes last. Numbers count with their units: 1.2 ms
# is less than 1 s, 500 KB less than 1 MB, 900 k less than 1.2 M, and a half-interval is its number. Dates and
# versions are texts, but numbers within texts count too. Groups of rows stay where they are, and a head
# with a picture sorts nothing. What was sorted
# is also said, for those who cannot see the sign in the head.
our $JS = <<'JS';
'use strict';
(function () {
	const all = (what, where) => Array.from((where || document).querySelectorAll(what));
	const key = cell => cell.dataset.key === undefined ? cell.textContent.trim() : cell.dataset.key;
	const units = { ns: 1e-9, us: 1e-6, '\u00b5s': 1e-6, ms: 1e-3, min: 60, h: 3600, k: 1e3, M: 1e6, G: 1e9, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1048576, GiB: 1073741824 };
	const missing = text => ['', '---', '\u2013', '\u2014'].includes(text);

	function number(text) {
		const found = /^(?:\+-\s|\u00b1\s?)?([-+\u2212]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?![\d.,]|-\d)(?:\s([A-Za-z\u00b5]+))?/.exec(text);
		return found ? parseFloat(found[1].replace(/,/g, '').replace('\u2212', '-')) * (units[found[2]] || 1) : NaN;
	}

	function sort(table, column, down) {
		const bodies = Array.from(table.tBodies).map(body => Array.from(body.rows).filter(row => !row.classList.contains('group')).map(row => ({ row: row, key: key(row.cells[column]) })));
		const numbers = bodies.every(rows => rows.every(r => missing(r.key) || !isNaN(number(r.key))));
		bodies.forEach((rows, i) => {
			rows.sort((a, b) => missing(a.key) - missing(b.key) || (down ? -1 : 1) * (numbers ? number(a.key) - number(b.key) : a.key.localeCompare(b.key, 'en', { numeric: true })));
			rows.forEach(r => table.tBodies[i].appendChild(r.row));
		});
	}

	const said = document.createElement('p');
	said.className = 'unseen';
	said.setAttribute('role', 'status');
	document.body.append(said);
	all('table').filter(table => table.tHead && table.tBodies.length && table.querySelectorAll('tbody tr:not(.group)').length > 1).forEach(table => all('th', table.tHead).forEach((head, column) => {
		const name = head.textContent.trim();
		if (!name || head.querySelector('svg')) return;
		const button = document.createElement('button');
		button.type = 'button';
		button.title = 'Sort';
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener('click', () => {
			const down = head.getAttribute('aria-sort') === 'ascending';
			all('th', table.tHead).forEach(other => other.removeAttribute('aria-sort'));
			head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			sort(table, column, down);
			said.textContent = 'Sorted by ' + name + ', ' + (down ? 'descending' : 'ascending');
		});
	}));

	const tip = document.createElement('div');
	tip.className = 'tip';
	document.addEventListener('pointerover', event => {
		const marks = [];
		for (let mark = event.target; mark.closest && mark.closest('svg *'); mark = mark.parentNode) marks.push(mark);
		marks.forEach(mark => {
			const title = mark.querySelector(':scope > title');
			if (title) { mark.dataset.tip = title.textContent; title.remove(); }
		});
		const marked = marks.find(mark => mark.dataset.tip !== undefined);
		if (!marked) { tip.remove(); return; }
		tip.textContent = marked.dataset.tip;
		document.body.append(tip);
		const left = Math.min(event.pageX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8);
		tip.style.left = Math.max(0, left) + 'px';
		tip.style.top = event.pageY + 16 + 'px';
	});

	// A box that scrolls must do so by the keyboard, too, and have a name; the others are not stops for it.
	const name = box => (box.querySelector('caption') || { textContent: '' }).textContent || (box.querySelector('svg') || box).getAttribute('aria-label') || 'wide content';
	const scrolled = new ResizeObserver(changes => changes.map(change => change.target).forEach(box => {
		const wide = box.scrollWidth > box.clientWidth;
		Object.entries({ tabindex: '0', role: 'region', 'aria-label': name(box) }).forEach(([what, is]) => wide ? box.setAttribute(what, is) : box.removeAttribute(what));
	}));
	all('.scroll').forEach(box => scrolled.observe(box));

	all('[data-opens]').forEach(button => {
		button.hidden = false;
		button.addEventListener('click', () => {
			const folds = all(button.dataset.opens);
			const open = folds.some(fold => !fold.open);
			folds.forEach(fold => { fold.open = open; });
		});
	});
})();
JS

1;
