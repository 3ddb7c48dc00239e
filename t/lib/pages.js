// SPDX-License-Identifier: GPL-2.0-or-later
// Checks that t/report/pages.t runs inside the browser. Each returns a list of complaints, which is empty if all is well.
'use strict';
window.checks = (function () {
	const all = (what, where) => Array.from((where || document).querySelectorAll(what));
	const short = text => text.trim().replace(/\s+/g, ' ').slice(0, 60);
	const told = element => '<' + element.localName + (element.getAttribute('class') ? ' class=' + element.getAttribute('class') : '') + '> ' + short(element.textContent);

	// Returns every visible text, with the element that contains it.
	function texts() {
		const found = [];
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			const element = node.parentElement;
			if (!node.data.trim() || element.closest('script, style, title') || !element.checkVisibility({ visibilityProperty: true })) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			const boxes = Array.from(range.getClientRects()).filter(box => box.width > 0 && box.height > 0);
			if (boxes.length) found.push({ element: element, text: short(node.data), boxes: boxes });
		}
		return found;
	}

	function colour(words) {
		const parts = words.match(/[\d.]+/g);
		return words === 'none' || !parts ? [0, 0, 0, 0] : [+parts[0], +parts[1], +parts[2], parts[3] === undefined ? 1 : +parts[3]];
	}
	const over = (top, ground) => [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3]));
	function luminance(colours) {
		const [r, g, b] = colours.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}
	function contrast(one, other) {
		const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
		return (high + 0.05) / (low + 0.05);
	}

	// Returns what is painted below a text: the backgrounds of its containers, and in a picture the filled boxes drawn before it.
	function ground(text) {
		let chain = [];
		for (let e = text.element; e; e = e.parentElement) chain.unshift(e);
		let colours = matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches ? [18, 18, 18] : [255, 255, 255];
		for (const e of chain) colours = over(colour(getComputedStyle(e).backgroundColor), colours);
		const picture = text.element.closest('svg');
		const box = text.boxes[0], x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
		if (picture) all('rect', picture).filter(r => r.compareDocumentPosition(text.element) & Node.DOCUMENT_POSITION_FOLLOWING).forEach(r => {
			const is = r.getBoundingClientRect(), style = getComputedStyle(r), fill = colour(style.fill);
			fill[3] *= style.fillOpacity * style.opacity;
			if (x >= is.left && x <= is.right && y >= is.top && y <= is.bottom) colours = over(fill, colours);
		});
		return colours;
	}

	function legible() {
		return texts().map(text => {
			const style = getComputedStyle(text.element);
			const ink = colour(text.element.closest('svg') ? style.fill : style.color);
			for (let e = text.element; e; e = e.parentElement) ink[3] *= getComputedStyle(e).opacity;
			const paper = ground(text);
			return { text: text, ratio: contrast(over(ink, paper), paper), ink: ink.join(' '), paper: paper.join(' ') };
		}).filter(found => found.ratio < 4.5).map(found => found.ratio.toFixed(2) + ' (' + found.ink + ' on ' + found.paper + '): ' + told(found.text.element));
	}

	// Nothing may be wider than the window; tables may be in boxes that scroll.
	function narrow() {
		const wide = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
		if (wide <= innerWidth) return [];
		const guilty = all('body *').filter(e => !e.closest('.scroll > *') && e.getBoundingClientRect().right > innerWidth + 0.5);
		return [wide + ' pixels wide in a window of ' + innerWidth].concat(guilty.slice(0, 3).map(told));
	}

	// No text may end beyond the paper, which is as wide as the window now. If a page does not fit, a browser makes it smaller,
	// by a third at most: that is good enough for parts that a user has opened, such as the passes of many copies.
	function onPaper() {
		return texts().filter(text => text.boxes.some(box => box.right > innerWidth * (text.element.closest('details') ? 1.5 : 1) + 1)).map(text => Math.ceil(Math.max(...text.boxes.map(box => box.right))) + ' > ' + innerWidth + ': ' + told(text.element));
	}

	// When a table is scrolled, its caption must stay in the window.
	function captions() {
		return all('.scroll caption').filter(caption => caption.checkVisibility()).map(caption => {
			const box = caption.closest('.scroll');
			const outside = () => { const is = caption.getBoundingClientRect(); return is.left < -1 || is.right > innerWidth + 1; };
			const before = outside();
			box.scrollLeft = 1e6;
			const after = outside();
			box.scrollLeft = 0;
			return before || after ? (before ? 'at first' : 'when scrolled') + ': ' + told(caption) : '';
		}).filter(Boolean);
	}

	// A box can be reached by keyboard and has a name exactly if it scrolls. Boxes that are not laid out yet are not checked.
	function scrollers() {
		return all('.scroll').filter(box => box.checkVisibility({ contentVisibilityAuto: true }) && (box.scrollWidth > box.clientWidth) !== (box.tabIndex === 0 && box.getAttribute('role') === 'region' && !!(box.getAttribute('aria-label') || '').trim())).map(told);
	}

	// What stands alone and is pressed must be as high as a thumb where screens are narrow.
	function thumbs() {
		return all('summary, nav a, thead button, .target, tbody th > a').filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map(e => Math.round(e.getBoundingClientRect().height) + ' pixels high: ' + told(e));
	}

	function tables() {
		return all('table').map(table => {
			const says = [];
			if (!table.caption || !table.caption.textContent.trim()) says.push('no caption');
			if (!table.tHead) says.push('no head');
			if (all('th', table).some(th => !/^(col|row|colgroup|rowgroup)$/.test(th.getAttribute('scope')))) says.push('a head without a scope');
			if (all('thead tr', table).some(tr => tr.querySelector('td'))) says.push('a cell in the head that is no head');
			if (all('tbody tr', table).some(tr => !tr.querySelector('th[scope=row], th[scope=rowgroup]'))) says.push('a row without a head');
			return says.length ? says.join(', ') + ': ' + told(table) : '';
		}).filter(Boolean);
	}

	function headings() {
		const found = all('h1, h2, h3, h4, h5, h6');
		const says = all('h1').length === 1 ? [] : [all('h1').length + ' headings of the page'];
		if (found.length && found[0].localName !== 'h1') says.push('the first is no h1');
		found.forEach((h, i) => { if (i && +h.localName[1] > +found[i - 1].localName[1] + 1) says.push('a level is skipped before ' + told(h)); });
		return says.concat(found.filter(h => !h.textContent.trim()).map(() => 'an empty heading'));
	}

	function names() {
		const says = all('svg:not(svg svg)').filter(svg => svg.getAttribute('aria-hidden') !== 'true' && !(svg.getAttribute('role') === 'img' && (svg.getAttribute('aria-label') || '').trim())).map(told);
		const fields = all('input, select, textarea').filter(e => e.type !== 'hidden' && !(e.labels && e.labels.length && e.labels[0].textContent.trim()) && !e.getAttribute('aria-label'));
		const buttons = all('button, a[href], summary').filter(e => !e.textContent.trim() && !e.getAttribute('aria-label'));
		return says.concat(fields.map(e => 'a field without a label: ' + e.outerHTML.slice(0, 80)), buttons.map(e => 'no name: ' + e.outerHTML.slice(0, 80)));
	}

	function links() {
		const ids = all('[id]').map(e => e.id);
		return ids.filter((id, i) => ids.indexOf(id) !== i).map(id => 'twice: ' + id).concat(
			all('a[href^="#"]').filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).map(a => 'nowhere: ' + a.hash),
			all('[aria-labelledby], [aria-describedby], label[for]').filter(e => ['aria-labelledby', 'aria-describedby', 'for'].some(name => (e.getAttribute(name) || '').split(/\s+/).filter(Boolean).some(id => !document.getElementById(id)))).map(told));
	}

	// Texts of pictures must be inside them and not overlap, with some tolerance because boxes of letters are higher than the letters.
	function pictures() {
		const says = [];
		for (const svg of all('svg')) {
			const is = svg.getBoundingClientRect();
			if (!is.width) continue;
			const words = all('text', svg).filter(t => t.textContent.trim()).map(t => ({ text: t, box: t.getBoundingClientRect() })).filter(w => w.box.width);
			const where = ' in ' + (svg.getAttribute('aria-label') || '').slice(0, 50);
			words.filter(w => w.box.left < is.left - 1 || w.box.right > is.right + 1 || w.box.top < is.top - 2 || w.box.bottom > is.bottom + 2).forEach(w => says.push("'" + short(w.text.textContent) + "' leaves the picture" + where));
			words.forEach((a, i) => words.slice(i + 1).forEach(b => {
				const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
				const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
				if (across > 1 && down > 0.3 * Math.min(a.box.height, b.box.height)) says.push("'" + short(a.text.textContent) + "' and '" + short(b.text.textContent) + "' overlap" + where);
			}));
		}
		return says;
	}

	const UNITS = { ns: 1e-9, us: 1e-6, '\u00b5s': 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400, k: 1e3, M: 1e6, G: 1e9, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1048576, GiB: 1073741824 };
	// Returns the number that a reader sees: 1.2 ms is less than 1 s, ±3 % is 3, 38.4 M lps more than 900 k lps, and dates and versions are no numbers.
	function asRead(text) {
		if (['', '---', '\u2013'].includes(text)) return null;
		const found = text.replace(/,(?=\d{3}\b)/g, '').match(/^(?:\+- ?|\u00b1 ?)?([-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s?([a-zA-Z\u00b5]+))?/);
		return found && !/^\d{4}-\d\d-\d\d|^\d+\.\d+\.\d/.test(text) ? parseFloat(found[1].replace('\u2212', '-')) * (UNITS[found[2]] || 1) : text;
	}

	// Sorts each sortable column by its button, up and down. Rows of a group stay within it.
	function sorting() {
		const says = [];
		for (const table of all('table')) for (const head of all('thead th', table).filter(th => th.querySelector('button') && th.checkVisibility())) {
			for (const direction of ['ascending', 'descending']) {
				head.querySelector('button').click();
				const where = short(head.textContent) + ' of ' + (table.caption ? short(table.caption.textContent) : 'a table');
				if (head.getAttribute('aria-sort') !== direction) says.push(where + ': aria-sort is ' + head.getAttribute('aria-sort') + ', not ' + direction);
				if (all('th[aria-sort]', table).length !== 1) says.push(where + ': several columns are said to be sorted');
				const bodies = Array.from(table.tBodies).map(body => all('tr:not(.group)', body).map(row => row.cells[head.cellIndex]).map(cell => cell.dataset.key === undefined ? cell.textContent.trim() : cell.dataset.key));
				const numbers = bodies.every(cells => cells.map(asRead).every(value => value === null || typeof value === 'number'));
				if (all('tbody', table).some(body => all('.group', body).some(row => row !== body.rows[0]))) says.push(where + ': the head of a group is not above it');
				for (const cells of bodies) wrongOrder(cells, numbers, direction).forEach(wrong => says.push(where + wrong));
			}
		}
		return says;
	}

	function wrongOrder(cells, numbers, direction) {
		const values = cells.map(asRead);
		const some = values.filter(value => value !== null);
		if (values.slice(0, some.length).includes(null)) return [': what is missing is not last'];
		const before = (a, b) => numbers ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
		const texts = numbers ? some : cells.filter(text => asRead(text) !== null);
		for (let i = 1; i < texts.length; i++) if ((direction === 'ascending' ? 1 : -1) * before(texts[i - 1], texts[i]) > 0) return [', ' + direction + ": '" + cells[i - 1] + "' before '" + cells[i] + "'"];
		return [];
	}

	return {
		legible: legible, narrow: narrow, onPaper: onPaper, captions: captions, scrollers: scrollers, thumbs: thumbs, tables: tables, headings: headings, names: names, links: links, pictures: pictures, sorting: sorting,
		openFolds: () => all('details').map(fold => { fold.open = true; }).length,
		// Returns the texts to read, except those of controls that need a script.
		shown: () => texts().filter(text => !text.element.closest('label, .tip') && !(text.element.closest('button') && !text.element.closest('th'))).map(text => text.text),
		// A long fact is folded, so its fold is none of the elements that every text has.
		counts: () => { const many = {}; all('body *').filter(e => !e.closest('.facts details')).forEach(e => { many[e.localName] = (many[e.localName] || 0) + 1; }); return many; },
	};
})();
