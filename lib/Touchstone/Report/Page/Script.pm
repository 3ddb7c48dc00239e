# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Page::Script - makes a page more convenient where scripts may run: tables sort, tips appear at
# once, and folds open together. A page says everything without it.
package Touchstone::Report::Page::Script;
use 5.014;
use strict;
use warnings;

# A cell is sorted by its data-key, if it has one; --- comes last. Numbers count with their units: 1.2 ms is
# less than 1 s, +- 2 % less than +- 10 %, 500 KB less than 1 MB. Dates and versions are texts, but numbers
# within texts count too.
our $JS = <<'JS';
'use strict';
(function () {
	const all = (what, where) => Array.from((where || document).querySelectorAll(what));
	const key = cell => cell.dataset.key === undefined ? cell.textContent.trim() : cell.dataset.key;
	const units = { ns: 1e-9, us: 1e-6, ms: 1e-3, min: 60, h: 3600, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1048576, GiB: 1073741824 };

	function number(text) {
		const found = /^(?:\+- )?([-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?![\d.,]|-\d)(?: ([A-Za-z]+))?/.exec(text);
		return found ? parseFloat(found[1].replace(/,/g, '')) * (units[found[2]] || 1) : NaN;
	}

	function sort(table, column, down) {
		const body = table.tBodies[0];
		const rows = Array.from(body.rows).map(row => ({ row: row, key: key(row.cells[column]) }));
		const numbers = rows.filter(r => r.key !== '' && r.key !== '---').every(r => !isNaN(number(r.key)));
		const missing = r => r.key === '' || r.key === '---' ? 1 : 0;
		rows.sort((a, b) => missing(a) - missing(b) || (down ? -1 : 1) * (numbers ? number(a.key) - number(b.key) : a.key.localeCompare(b.key, 'en', { numeric: true })));
		rows.forEach(r => body.appendChild(r.row));
	}

	all('table').filter(table => table.tHead && table.tBodies[0].rows.length > 1).forEach(table => all('th', table.tHead).forEach((head, column) => {
		if (!head.textContent.trim()) return;
		const button = document.createElement('button');
		button.type = 'button';
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener('click', () => {
			const down = head.getAttribute('aria-sort') === 'ascending';
			all('th', table.tHead).forEach(other => other.removeAttribute('aria-sort'));
			head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			sort(table, column, down);
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

	// What can be scrolled must be so by the keyboard, and have a name; what cannot is no stop for it.
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
