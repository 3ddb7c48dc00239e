# SPDX-License-Identifier: GPL-2.0-or-later
# The page of all runs in a real browser: what its script shows is what the page would say itself.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Chromium;
use Fake;
use Runs;
use Tools;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::Series;
use Touchstone::Pack::Browse::Page;
use Touchstone::Score;
use Waiting;

plan skip_all => 'TOUCHSTONE_BROWSER is not set (make check-all does)'
    if !length($ENV{TOUCHSTONE_BROWSER} // '');
plan skip_all => Tools::none('chromium') if !Chromium::path();

my $temp    = File::Temp->newdir;
my $browser = Chromium->start;

# Three hosts, whose scores have wide, narrow and no intervals; with more runs than a table shows at once.
my %SPEED = (slow => 1000, even => 1004, fast => 14_000);
my $MANY  = 210;
my @runs  = reverse map {
    my $n     = $_;
    my $host  = (sort keys %SPEED)[ $n % 3 ];
    my $speed = $SPEED{$host};
    my $facts = Runs::record(
        "$host-$n",
        {
            '1 pipe'    => [ Runs::steady($speed,     0.02) ],
            '1 spawn'   => [ Runs::steady(3 * $speed, 0.0005) ],
            '1 syscall' => [ 2 * $speed, 2 * $speed ],
            '4 pipe'    => [ Runs::steady(3 * $speed) ]
        },
        started  => 1795240225 + 86400 * $n,
        baseline => 'George',
        host     => { name => $host }
    );
    my $run = Touchstone::Pack::Browse::Archive::short_of($facts, Touchstone::Score::scores($facts),
        "$host-$n", 'complete');
    +{ %$run, word => "$host-$n", links => {} };
} 1 .. $MANY;
my $hosts   = Touchstone::Pack::Browse::Series::hosts(@runs);
my $ranking = Touchstone::Pack::Browse::Ranking::rank(\@runs, $hosts);

# Each page has a name of its own: where only the fragment differs, a browser opens nothing anew.
my $pages = 0;

sub open_page {
    my (%how) = @_;
    my $file = "$temp/" . ++$pages . '.html';
    Fake::write_file(
        $file,
        Touchstone::Pack::Browse::Page::render(
            { runs => \@runs, hosts => $hosts, ranking => $ranking, damaged => [], command => './Run', %how }
        )
    );
    $browser->look;
    $browser->open($file, fragment => $how{fragment});
    return;
}

# Returns all texts, keys and looks of the tables that compare hosts.
sub compared {
    return $browser->value(
        q{Array.from(document.querySelectorAll('.ranking td, .ranking th, .newest td, .newest th, h2')).map(cell => [cell.textContent, cell.dataset.key && (+cell.dataset.key).toPrecision(3), (cell.querySelector('[data-score]') || {}).className].join('|'))}
    );
}

subtest 'a host that is chosen is compared as the page itself would compare it' => sub {
    for my $host (sort keys %SPEED) {
        open_page(chosen => $host);
        my $wanted = compared();
        open_page();
        $browser->value(
            qq{(() => { const pick = document.querySelector('.ranking select'); pick.value = Array.from(pick.options).find(one => one.textContent === '$host').value; pick.dispatchEvent(new Event('change')); })()}
        );
        is_deeply(compared(), $wanted, $host);
        like($browser->value('location.hash'), qr/\bvs=$host\b/, 'which the address says');
    }
};

subtest 'a click on a difference chooses its host' => sub {
    open_page();
    $browser->click('.ranking tbody tr:first-child .ratio');
    is($browser->value(q{document.querySelector('.newest h2 .chosen').textContent}), 'fast', 'the fastest');
};

subtest 'the bars of a ranking have the room that a comparison needs' => sub {
    open_page();
    $browser->look(width => 1280);
    my $longest = q{document.querySelector('.ranking .bar rect').getBoundingClientRect().width};
    cmp_ok($browser->value($longest), '>', 200, 'pixels of 1280');
    my $notes = q{Array.from(document.querySelectorAll('.ranking p.dim')).map(note => note.textContent)};
    my %many;
    $many{$_}++ for @{ $browser->value($notes) };
    is(join("\n", grep { $many{$_} > 1 } sort keys %many), '', 'no note is repeated below the next');
};

subtest 'the address of a chart opens its fold, and the way back closes nothing' => sub {
    open_page();
    my ($id) = $browser->value(q{document.querySelector('#history details:not([open]) .test').id});
    my $top = qq{document.getElementById('$id').getBoundingClientRect().top};
    $browser->click(qq{#history nav a[href="#$id"]});
    comes(sub { $browser->value("$top >= 0 && $top < innerHeight") });
    ok($browser->value("document.getElementById('$id').closest('details').open"), 'by a link');
    $browser->value('history.back()');
    comes(sub { $browser->value("location.hash") eq '' });
    is($browser->value('location.hash'), '', 'and back');
    my $host = $browser->value(qq{document.getElementById('$id').querySelector('.history').id});
    open_page(fragment => "#$host");
    comes(sub { $browser->value("document.getElementById('$host').closest('details').open") });
    ok($browser->value("document.getElementById('$host').checkVisibility()"), 'the chart of a host');
};

subtest 'a host that is chosen above the charts leaves only its own' => sub {
    open_page();
    my $hosts =
        q{Array.from(new Set(Array.from(document.querySelectorAll('.history:not([hidden])')).map(chart => chart.dataset.host))).sort().join()};
    my $choose =
        q{(() => { const of = document.querySelector('#history select'); of.value = '%s'; of.dispatchEvent(new Event('change')); })()};
    my $all = $browser->value($hosts);
    like($all, qr/,/, 'several');
    my ($one) = $all =~ /([^,]+)/;
    $browser->value(sprintf $choose, $one);
    is($browser->value($hosts), $one, 'one');
    $browser->value(sprintf $choose, '');
    is($browser->value($hosts), $all, 'all again');
};

# A pointer rests on the first dot: [what it shows, what the dot has, whether all is within the window].
my $POINTED = <<'JS';
(() => {
	const svg = document.querySelector('#history svg.trend');
	svg.scrollIntoView({ block: 'center' });
	const box = svg.getBoundingClientRect(), left = parseFloat(getComputedStyle(svg).paddingLeft);
	const dots = svg.querySelector('.dots');
	const [x, y] = dots.getAttribute('d').match(/M([\d.]+),([\d.]+)/).slice(1).map(Number);
	svg.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + left + x * (box.width - left) / 1000, clientY: box.top + y, bubbles: true }));
	return [(document.querySelector('body > .tip') || {}).textContent, dots.dataset.values.split('|')[0], box.right <= innerWidth];
})()
JS

subtest 'a pointer finds the run of a dot in wide and in narrow charts' => sub {
    for my $width (1280, 390) {
        open_page();
        $browser->look(width => $width);
        my $place = $browser->value($POINTED);
        like($place->[0], qr/\S, \S/, "a value and a run at $width pixels");
        ok($place->[2], 'and nothing is beyond the window');
    }
};

my $VISIBLE =
    q{Array.from(document.querySelectorAll('.runs tbody tr')).filter(row => row.checkVisibility()).length};

# Opens the folds of a page, as its reader does.
my $OPEN = q{document.querySelectorAll('main details').forEach(fold => { fold.open = true; })};

subtest 'on a screen the first runs are shown, on paper all' => sub {
    open_page();
    is($browser->value($VISIBLE), 0, 'none before their reader asks for them');
    $browser->value($OPEN);
    is($browser->value($VISIBLE), 200, 'on a screen');
    $browser->look(width => 687, media => 'print');
    is($browser->value($VISIBLE), $MANY, 'on paper');
};

subtest 'a filter stands in the address, and is in force when that is opened' => sub {
    open_page();
    $browser->value($OPEN);
    $browser->click('input[type=search]');
    $browser->type('even-1');
    comes(sub { $browser->value('location.hash') =~ /q=even-1/ });
    my $hash = $browser->value('location.hash');
    my $many = $browser->value($VISIBLE);
    cmp_ok($many, '<', $MANY, 'some runs are left');
    is(
        $browser->value(q{document.querySelector('[aria-live]').textContent}),
        "$many of $MANY runs",
        'their number is announced'
    );
    open_page();
    $browser->value($OPEN);
    is($browser->value($VISIBLE), 200, 'without it all are there');
    open_page(fragment => $hash);
    is($browser->value($VISIBLE), $many, 'with it the same are left');
    is($browser->value(q{document.querySelector('input[type=search]').value}),
        'even-1', 'for the words that are shown');
};

subtest 'any number of runs that are ticked make a command, the oldest first' => sub {
    open_page();
    my $said = q{document.querySelector('.tools code').textContent};
    $browser->value("document.querySelectorAll('.runs input')[$_].click()") for 0;
    is($browser->value($said), '', 'one is too few');
    $browser->value("document.querySelectorAll('.runs input')[$_].click()") for 2, 1;
    is($browser->value($said), './Run compare ' . join(' ', map { $runs[$_]{name} } 2, 1, 0), 'three');
};

is(join("\n", $browser->said, $browser->requests), '', 'nothing is said, nothing is asked for');
done_testing;
