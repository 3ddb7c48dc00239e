#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the pictures of the documents and the pages that they show, of the records of real runs in
# docs/examples (Records.pm): make pictures. A page without records there has invented data (Examples.pm,
# ExampleFleet.pm), and its head marks it as simulated. Run renders the pages, a browser without a window
# photographs a part of each, light and dark, and the terminal is drawn from what a run writes to one.
#
#   run.html                      104 KB
#   run.png                        40 KB
#
# It needs Chromium, and convert (ImageMagick) for small files. With --pages it makes only what needs neither.
# Everything goes to docs/, or to the directory that is named.
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Temp ();
use List::Util qw(max min);

my $BASE;

BEGIN {
    ($BASE) = Cwd::abs_path(__FILE__) =~ m{(.*)/docs/make/};
}
use lib map { "$BASE/$_" } qw(lib docs/make t/lib);
use Chromium;
use ExampleFleet;
use Examples;
use Fake;
use Records;
use Scored;
use Screenful;
use Session;
use Touchstone::Machine::Command;
use Touchstone::Record::Json;
use Touchstone::Report::Plot;

my ($COLUMNS, $WIDTH, $SCALE, $COLOURS) = (88, 980, 1.6, 64);

# The head of a page of invented data.
my $SIMULATED = 'Simulated: these figures are invented to show the page. No machine measured them.';

# A page may have this many bytes, a picture so many.
my %MOST = (html => 300_000, png => 120_000, svg => 120_000);

# Each page: a sub from the names of its records to the words that make Run print it, and what of it is
# photographed, as a script that gives elements, of which the first is the top of the picture and the last its
# end; most says how many pixels are enough. Where Run writes the page elsewhere, `page` is its path in the
# results. `invented`: what makes up records where there are none, and their names.
my @PAGES = (
    {
        name     => 'run',
        words    => sub { return ('report', $_[0], qw(--format html)) },
        invented => sub { return invented('host-a') },
        width    => 1180,
        most     => 980,
        ends     => 'table',
        shown    => 'document.querySelectorAll("main > *, main table")'
    },
    {
        name  => 'not-valid',
        words => sub { return ('report', $_[0], qw(--format html)) },
        width => 1180,
        most  => 980,
        ends  => 'table',
        shown => 'document.querySelectorAll("main > *, main table")'
    },
    {
        name     => 'compare',
        words    => sub { return ('compare', @_[ 0, 1 ], qw(--format html)) },
        invented => sub { return invented('host-b', 'host-a-alone') },
        most     => 1040,
        shown    => 'together(first("h1"), first("figure.forest"), 1040)'
    },
    {
        name     => 'history',
        words    => sub { return 'browse' },
        invented => sub { return (stored(Examples::history()), 'history') },
        most     => 1000,
        width    => 1180,
        ends     => 'svg, table',
        shown    => 'document.querySelectorAll("main > *")'
    },
    {
        name     => 'scaling',
        words    => sub { return ('report', $_[0], qw(--scaling --format html)) },
        invented => sub { return invented('host-c') },
        most     => 720,
        ends     => 'svg',
        shown    => 'after("h2, summary", /^scaling|speed-up/i, 12, 100)'
    },
    {
        name     => 'fleet-page',
        records  => 'fleet',
        words    => sub { return ('fleet', 'judge', $_[0], qw(--format json)) },
        invented => sub {
            my $dir = stored();
            ExampleFleet::written("$dir/campaigns/example");
            return ($dir, 'example');
        },
        page  => 'campaigns/%s/index.html',
        most  => 1000,
        shown => 'document.querySelectorAll("main > *")'
    },
);

# A picture that would be too high ends behind one of these; a page may name others.
my $ENDS = 'tr, p, svg, h2, h3, li';

# What `shown` may call. A page may leave out what is not in sight: here it is wanted.
my $HELP = <<'JS';
for (const e of document.querySelectorAll('*')) if (getComputedStyle(e).contentVisibility == 'auto') e.style.contentVisibility = 'visible';
const all = (what, where) => Array.from((where || document).querySelectorAll(what));
const seen = e => e.getBoundingClientRect().height > 4;
const first = what => all(what).filter(seen).slice(0, 1);
for (const e of all('details')) if (/^(scaling|speed-up)/i.test(e.textContent.trim())) e.open = true;
const box_of = e => [e.closest('figure') || e];
const together = (a, b, most) => {
	if (!a.length || !b.length) return a.concat(b);
	return b[0].getBoundingClientRect().bottom - a[0].getBoundingClientRect().top <= most ? a.concat(b) : box_of(b[0]);
};
const after = (what, words, number, wide) => {
	const head = all(what).filter(e => seen(e) && words.test(e.textContent.trim()))[0];
	if (!head) return [];
	const behind = all('svg').filter(e => seen(e) && e.getBoundingClientRect().width >= wide && head.compareDocumentPosition(e) & 4);
	return [head].concat(behind.slice(0, number));
};
JS

# The part of a page as { x, y, width, height }, with a margin.
my $PART = <<'JS';
(() => { %s
	const found = Array.from(%s), margin = 6, most = %d;
	if (!found.length) return null;
	const boxes = found.map(e => e.getBoundingClientRect());
	const top = Math.max(0, Math.min(...boxes.map(b => b.top)) + scrollY - margin);
	let bottom = Math.max(...boxes.map(b => b.bottom)) + scrollY - 2;
	if (bottom - top > most) {
		const ends = Array.from(document.querySelectorAll('%s')).filter(e => e.tagName != 'svg' || e.getBoundingClientRect().width > 100).map(e => e.getBoundingClientRect().bottom + scrollY)
			.filter(y => y > top + most / 2 && y <= top + most);
		bottom = ends.length ? Math.max(...ends) + 4 : top + most;
	}
	return { x: 0, y: top, width: innerWidth, height: bottom - top };
})()
JS

my $only_pages = @ARGV && $ARGV[0] eq '--pages' && shift @ARGV;
my $INTO       = shift @ARGV // "$BASE/docs";

sub told {
    my ($file) = @_;
    my ($kind) = $file =~ /(\w+)\z/;
    my $size   = -s "$INTO/$file";
    printf "%-28s %4d KB%s\n", $file, $size / 1000,
        $size > $MOST{$kind} ? "    more than $MOST{$kind} bytes" : '';
    return;
}

sub store {
    my ($file, $text) = @_;
    Fake::write_file("$INTO/$file", $text);
    told($file);
    return;
}

# What Run prints with these words, for records in a directory of results.
sub said {
    my ($results, @words) = @_;
    local $ENV{UB_RESULTDIR} = $results;
    local $ENV{LC_ALL}       = 'C';
    my ($status, $said) = Touchstone::Machine::Command::output([ $^X, "$BASE/Run", @words ]);
    die "Run @words ended with $status\n" if !length $said;
    return $said;
}

# Puts records into a directory of results.
sub stored {
    my (@records) = @_;
    my $dir = File::Temp->newdir;
    mkdir "$dir/.runs" or die "cannot make '$dir/.runs': $!\n";
    Fake::write_file("$dir/.runs/$_->{name}.json", Touchstone::Record::Json::encode(Scored::document($_)))
        for @records;
    return $dir;
}

# A directory of results with the invented runs, and the names of some.
sub invented { my (@names) = @_; return (stored(Examples::runs()), @names) }

# The results of a page, with the names of what is in them; nothing where there are none.
sub results {
    my ($page) = @_;
    my $from = $page->{records} // $page->{name};
    return $page->{invented} ? $page->{invented}->() : () if !Records::there($from);
    my $dir = stored();
    Records::unpack($from, "$dir");
    return ($dir, $page->{page} ? Records::campaign($from) : Records::names($from));
}

# Links of an example page to files that are not there lead nowhere, so they become texts; and its commands
# are those of a reader, whose results are in results/.
sub alone {
    my ($html, $dir) = @_;
    $html        =~ s{UB_RESULTDIR='?\Q$dir\E'? }{}g;
    $html        =~ s{\Q$dir\E}{results}g;
    return $html =~ s{<a\b[^>]*href="(?!#)[^"]*"[^>]*>(.*?)</a>}{$1}gsr;
}

# Says in the head of a page what was measured, or that nothing was.
sub with_origin {
    my ($html, $page) = @_;
    my $from  = $page->{records} // $page->{name};
    my $about = Records::there($from) ? Records::about($from) : $SIMULATED;
    return $html if !defined $about;
    my $class  = Records::there($from) ? 'origin' : 'banner';
    my $markup = Touchstone::Report::Plot::escaped($about);
    $html =~ s{<title>}{<title>Simulated: } if !Records::there($from);

    # An invented result has no place among real ones.
    if (!Records::there($from)) {
        $html =~ s{<section id="suite-\d+">\s*<h2>Place among .*?</section>\n}{}s;
        $html =~ s{<li><a[^>]*>Place among [^<]*</a></li>\n}{};
    }
    return $html =~ s{<main>\n}{<main>\n<p class="$class">$markup</p>\n}r;
}

sub pages {
    my @made;
    for my $page (@PAGES) {
        my ($dir, @names) = results($page) or next;
        my $said = said("$dir", $page->{words}->(@names));
        $said = Fake::read_file(sprintf "$dir/$page->{page}", $names[0]) if defined $page->{page};
        $said = Fake::read_file($said =~ s/\s+\z//r)                     if $said !~ /</;
        store("$page->{name}.html", with_origin(alone($said, "$dir"), $page));
        push @made, $page;
    }
    return @made;
}

# A picture of the terminal: plan and progress as they were in the middle of the run, then how it ended.
sub terminal {
    my $written = Session::written($COLUMNS, qw(-c 1 -c 2 --seed 4711));
    my @end     = Screenful::lines($written,       $COLUMNS);
    my @middle  = Screenful::lines(half($written), $COLUMNS);
    my $same    = 0;
    $same++ while $same < @middle && $same < @end && text_of($middle[$same]) eq text_of($end[$same]);
    my @shown = (
        [ map { [ $_, 'dim', 0 ] } split //, '$ ./Run' ],
        @middle, [], [ map { [ $_, 'dim', 0 ] } split //, '... and when it is done:' ],
        [], @end[ $same .. $#end ]
    );
    my $title = 'A run on a terminal: the plan, the progress in the middle, and the summary at the end';
    store('terminal.svg',      Screenful::svg(\@shown, $COLUMNS, $Screenful::LIGHT, $title));
    store('terminal-dark.svg', Screenful::svg(\@shown, $COLUMNS, $Screenful::DARK,  $title));
    return;
}

sub text_of {
    my ($line) = @_;
    return join '', map { $_->[0] } @$line;
}

# What was written up to a moment when the status line is whole: behind the code that erases what it leaves of
# the one before, when six tenths of the updates are done.
sub half {
    my ($written) = @_;
    my @parts     = split /(?<=\e\[J)/, $written;
    return join '', @parts[ 0 .. int 0.6 * $#parts ];
}

sub photographs {
    my (@pages) = @_;
    my $browser = Chromium->start;
    for my $page (@pages) {
        for my $scheme (qw(light dark)) {
            my $file = $page->{name} . ($scheme eq 'dark' ? '-dark' : '') . '.png';
            $browser->look(width => $page->{width} // $WIDTH, height => 800, scheme => $scheme);
            $browser->open("$INTO/$page->{name}.html");
            my $part = $browser->value(sprintf $PART, $HELP, @$page{qw(shown most)}, $page->{ends} // $ENDS)
                // die "$page->{name}.html has nothing for the picture: $page->{shown}\n";
            $browser->screenshot("$INTO/$file", %$part, scale => $SCALE);
            small($file, $scheme eq 'dark' ? '#3d444d' : '#d0d7de');
            told($file);
        }
    }
    return;
}

# A palette makes a picture of a page a third as large, and nobody sees it. The frame is that of the page
# which shows the picture.
sub small {
    my ($file, $frame) = @_;
    my $convert = Touchstone::Machine::Command::find('convert') or return;
    my $path    = "$INTO/$file";
    system($convert, $path, '-strip', '+dither', '-colors', $COLOURS, '-bordercolor', $frame, '-border', 2,
        '-define', 'png:compression-level=9', "PNG8:$path.new") == 0
        or return;
    rename "$path.new", $path or die "cannot write '$file': $!\n";
    return;
}

Examples::baselines(Fake::read_file("$BASE/pgms/index.base"));
my @made = pages();
terminal();
photographs(@made) if !$only_pages;
