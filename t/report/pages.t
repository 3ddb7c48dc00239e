# SPDX-License-Identifier: GPL-2.0-or-later
# Pages of every kind in a real browser: their looks in each window, by day, by night and on paper, their
# controls, and that strangers' records do no harm. TOUCHSTONE_SCREENS names a directory for pictures of them
# all.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Looked;
use Pages;
use Touchstone::Cli::Options;

plan skip_all => $_ for grep { defined } Looked::trouble();

my @LOOKS = map {
    my $width = $_;
    (
        [ "light-$width", width => $width ],
        [ "dark-$width",  width => $width, scheme => 'dark' ],
        [ "print-$width", width => $width, media  => 'print' ]
    )
} 1280, 390;
my $screens = $ENV{TOUCHSTONE_SCREENS};
my $browser = Looked::start();
my $pages   = Pages->new;
my %page    = map { $_->{name} => $_ } $pages->list;

# Counts the heads, of the first three columns of results and of passes, that a window cuts while a table
# shows no more columns than it must.
my $CUT = <<'SCRIPT';
(() => {
	const folds = Array.from(document.querySelectorAll('details.columns[open]'));
	for (const fold of folds) fold.open = false;
	const cut = Array.from(document.querySelectorAll('table.results, #passes table.pinned')).filter(table => table.querySelector('.results .bars, .strip'))
		.flatMap(table => Array.from(table.querySelectorAll('thead th:nth-child(-n+3)'))).filter(head => head.checkVisibility() && head.getBoundingClientRect().right > innerWidth);
	for (const fold of folds) fold.open = true;
	return cut.length;
})()
SCRIPT

sub figures_are_in_sight {
    is($browser->value($CUT), 0, 'the figures that one came for are in a narrow window');
    return;
}

for my $page ($pages->list) {
    subtest "the page '$page->{name}' is sound in every window, by day, by night and on paper" =>
        sub { sound_page($page->{file}, \&figures_are_in_sight) };
    subtest "the page '$page->{name}' shows without script what it shows with it" => sub {
        $browser->look;
        open_page($page->{file});
        $browser->value('checks.openFolds()');
        my @with = @{ $browser->value('checks.shown()') };
        open_page($page->{file}, script => 0);
        $browser->value('checks.openFolds()');
        my %without = map { $_ => 1 } @{ $browser->value('checks.shown()') };
        cmp_ok(scalar @with, '>', 0, 'there is something to be read');
        is(join("\n", grep { !$without{$_} } @with), '', 'everything');
        ok(!$browser->value(q{!!document.querySelector('thead button')}), 'no script ran');
        is_silent();
    };
}

subtest 'a real click on a head sorts, and another one turns the order round' => sub {
    $browser->look;
    open_page($page{index}{file});

    # This is the first column that is not already sorted, of the first table whose rows are not in groups.
    my $sorted = '#passes table';
    my $table  = qq{document.querySelector('$sorted')};
    my $column = $browser->value(
        qq{(() => { const rows = Array.from($table.tBodies[0].rows), of = (row, i) => parseFloat(row.cells[i].textContent); return Array.from(rows[0].cells).findIndex((cell, i) => i && rows.some((row, n) => n && of(rows[n - 1], i) > of(row, i))); })()}
    );
    my $cells  = qq{Array.from($table.tBodies[0].rows).map(row => row.cells[$column].textContent.trim())};
    my $head   = "$sorted thead th:nth-child(" . ($column + 1) . ')';
    my $before = $browser->value($cells);
    $browser->click("$head button");
    is($browser->value(qq{document.querySelector('$head').getAttribute('aria-sort')}),
        'ascending', 'ascending');
    my $up = $browser->value($cells);
    isnt("@$up", "@$before", 'the order is another');
    is(join(' ', sort @$up), join(' ', sort @$before), 'of the same rows');
    $browser->click("$head button");
    is(join(' ', @{ $browser->value($cells) }), join(' ', reverse @$up), 'descending');
};

subtest 'heads and folds are reached and used by the keyboard alone' => sub {
    open_page($page{unixbench}{file});
    my $at = sub {
        return $browser->value(
            q{(() => { const e = document.activeElement; return e.closest('thead th') ? 'head' : e.localName; })()}
        );
    };
    my $tabs = 0;
    until ($at->() eq 'head' || $tabs++ > 60) { $browser->press('Tab') }
    is($at->(), 'head', 'Tab comes to a head');
    ok(
        $browser->value(
            q{(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; })()}
        ),
        'which is seen to have the focus'
    );
    $browser->press('Enter');
    is($browser->value(q{document.activeElement.closest('th').getAttribute('aria-sort')}),
        'ascending', 'Enter sorts');
    is($at->(), 'head', 'and the focus stays');
    $browser->press('Space');
    is($browser->value(q{document.activeElement.closest('th').getAttribute('aria-sort')}),
        'descending', 'so does Space');
    my $folds = $browser->value(q{document.querySelectorAll('details').length}) or return;
    until ($at->() eq 'summary' || $tabs++ > 400) { $browser->press('Tab') }
    my $open = q{document.activeElement.parentElement.open};
    my $was  = $browser->value($open);
    $browser->press('Enter');
    isnt($browser->value($open), $was, 'Enter opens a fold, or closes it');
};

subtest 'folds open by a click, and all together' => sub {
    open_page($page{unixbench}{file});
    plan skip_all => 'the page has no fold'
        if !$browser->value(q{document.querySelectorAll('details').length});
    $browser->value(q{document.querySelectorAll('details').forEach(fold => { fold.open = false; })});
    $browser->click('details > summary');
    is($browser->value(q{document.querySelectorAll('details[open]').length}), 1, 'one');
    return if !$browser->value(q{document.querySelectorAll('[data-opens]').length});
    $browser->value(
        q{(() => { const fold = document.querySelector('[data-opens]').closest('details'); if (fold) fold.open = true; })()}
    );
    my $open =
        q{document.querySelectorAll(document.querySelector('[data-opens]').dataset.opens + '[open]').length};
    my $all = $browser->value(
        q{document.querySelectorAll(document.querySelector('[data-opens]').dataset.opens).length});
    $browser->click('[data-opens]');
    is($browser->value($open), $all, 'and all by the button');
    $browser->click('[data-opens]');
    is($browser->value($open), 0, 'which closes them, too');
};

subtest 'a tip comes where the pointer rests, and goes' => sub {
    my ($page) = grep { $_->{text} =~ /<title>.*<title>/s } @page{qw(unixbench index comparison byte1984)};
    plan skip_all => 'no page has a tip' if !$page;
    $browser->look(width => 390);
    open_page($page->{file});
    my $tip = q{(document.querySelector('.tip') || {}).textContent || ''};
    is($browser->value($tip), '', 'none at first');
    my $text = $browser->value(
        q{(() => {
        const there = e => { 
            const r = e.getBoundingClientRect();
            const at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
            return at && e.contains(at);
        };
        const marks = Array.from(document.querySelectorAll('svg * > title'))
            .map(title => title.parentElement)
            .filter(e => e.checkVisibility() && !e.querySelector('* > title ~ * title'));
        const mark = marks.find(e => {
            e.scrollIntoView({ block: 'center', inline: 'center' });
            return there(e);
        });
        if (!mark) return null;
        mark.setAttribute('id', 'with-tip');
        return mark.querySelector(':scope > title').textContent;
    })()}
    );
    isnt($text, undef, 'there is a mark with a text') or return;
    $browser->point('#with-tip');
    is($browser->value($tip), $text, 'the text of the mark');
    sound(narrow => 'the page is no wider');
    $browser->point('h1');
    is($browser->value($tip), '', 'none in the end');
    is_silent();
};

subtest 'on paper a page has sheets of A4' => sub {
    my $dir = File::Temp->newdir;
    for my $name (qw(unixbench comparison)) {
        $browser->look;
        open_page($page{$name}{file});
        $browser->pdf("$dir/$name.pdf");
        my @boxes = Fake::read_file("$dir/$name.pdf") =~ m{/MediaBox \[([\d. ]+)\]}g;
        ok(@boxes > 0, "$name: there are sheets");
        is(
            join(
                ' ',
                grep {
                    my (undef, undef, $width, $height) = split / /;
                    abs($width - 595.3) > 2 || abs($height - 841.9) > 2
                } @boxes
            ),
            '',
            "$name: of that size"
        );
    }
};
subtest 'the browser of results sorts, filters and says how two runs are compared' => sub {
    plan skip_all => 'there is no browse yet'
        if !grep { "@$_" =~ /\bbrowse\b/ } Touchstone::Cli::Options::names();
    my $page = $pages->browser or return fail('an index of all results');
    $page{browser} = $page;
    $browser->look;
    open_page($page->{file});
    my $rows =
        q{Array.from(document.querySelectorAll('main table')).find(table => table.querySelector('input[type=checkbox]')).tBodies[0].rows};
    my $shown = qq{Array.from($rows).filter(row => row.checkVisibility()).length};
    my $many  = $browser->value($shown);
    cmp_ok($many, '>=', 8, 'all runs are there');
    my ($field) = grep { $browser->value("!!document.querySelector('$_')") } 'input[type=search]',
        'input[type=text]', 'input:not([type])';
    ok(defined $field, 'there is a field for words') or return;
    $browser->click($field);
    $browser->type('golden');
    becomes($shown, 1, 'a word leaves the row that has it');
    ok(
        $browser->value(
            q{/\b1\b/.test((document.querySelector('[aria-live], [role=status]') || {}).textContent || '')}),
        'whose number is announced'
    );
    $browser->type(' nothinglikethis');
    becomes($shown, 0, 'all words count');
    $browser->value(
        qq{(() => { const f = document.querySelector('$field'); f.value = ''; f.dispatchEvent(new Event('input', { bubbles: true })); })()}
    );
    becomes($shown, $many, 'no word: all again');
    $browser->value(qq{$rows\[$_].querySelector('input[type=checkbox]').click()}) for 0, 1;
    like($browser->value('document.body.innerText'), qr{\./Run compare \S+ \S+},
        'two ticks give the command');
    is_silent();
    sound_page($page->{file});
};

# Unless pictures were asked for, only one page is looked at, because this takes long.
subtest 'pages can be looked at' => sub {
    my $temp = File::Temp->newdir;
    my $dir  = $screens // "$temp";
    mkdir $dir or die "cannot make '$dir': $!\n" if !-d $dir;
    for my $name (defined $screens ? sort keys %page : 'unixbench') {
        open_page($page{$name}{file});
        for my $look (@LOOKS) {
            my ($of, %how) = @$look;
            $browser->look(%how);
            $browser->screenshot("$dir/$name-$of.png");
            cmp_ok(-s "$dir/$name-$of.png", '>', 5000, "$name-$of.png");
        }
        $browser->look;
        $browser->pdf("$dir/$name.pdf");
        cmp_ok(-s "$dir/$name.pdf", '>', 5000, "$name.pdf");
    }
};

done_testing;
