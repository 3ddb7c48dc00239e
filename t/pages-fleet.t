#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of a fleet in a real browser: in each window, by day, by night and on paper, with and without its
# script, and with names of strangers. TOUCHSTONE_SCREENS names a directory for pictures of them all.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use lib 't/lib';
use Chromium;
use Fake;
use Judged;
use Touchstone::Machine::Command;
use Touchstone::Report::Fleet;
use Waiting;

plan skip_all => 'TOUCHSTONE_BROWSER is not set (make check-all does)'
    if !length($ENV{TOUCHSTONE_BROWSER} // '');
plan skip_all => 'there is no Chromium here'      if !Chromium::path();
plan skip_all => 'Perl came without MIME::Base64' if !eval { require MIME::Base64 };

# A4 without its margins of 14 mm, at 96 pixels an inch.
my $PAPER   = 687;
my $CHECKS  = Fake::read_file("$Fake::BASE/t/lib/pages.js");
my $TIDY    = Touchstone::Machine::Command::find('tidy');
my $screens = $ENV{TOUCHSTONE_SCREENS};
my $temp    = File::Temp->newdir;
my $browser = Chromium->start;

my $EVIL =
      qq{<script>window.harmed = 1</script>"'&<b>\e[31m\r\n\xff\xe2\x80\xae}
    . 'x' x 60
    . ' ${x} $(reboot) ../../';
my %FLEET = (
    six      => Judged::fleet(hosts => 6, alone => 1, calm => 1),
    thirty   => Judged::fleet(),
    calm     => Judged::fleet(calm   => 1, alone => 1),
    thousand => Judged::fleet(hosts  => 1000),
    evil     => Judged::fleet(prefix => $EVIL),
    nobody   => nobody(),
);

# A campaign that nobody has sent a record to.
sub nobody {
    my $fleet = Judged::fleet(hosts => 6, alone => 1, calm => 1);
    my @names = map { $_->{host} } @{ $fleet->{groups}[0]{hosts} };
    $fleet->{groups}                = [];
    $fleet->{standing}{received}    = 0;
    $fleet->{standing}{unreachable} = [ map { +{ host => $_, why => 'no news' } } @names ];
    return $fleet;
}

# Writes the files of a fleet, and returns the paths of its first two pages.
sub stored {
    my ($name) = @_;
    my @files = Touchstone::Report::Fleet::files($FLEET{$name});
    mkdir "$temp/$name";
    Fake::write_file("$temp/$name/$_->[0]", $_->[1]) for @files;
    return map { "$temp/$name/$_" } grep { -e "$temp/$name/$_" } qw(index.html hosts-1.html);
}

sub open_page {
    my ($file, %how) = @_;
    $browser->open($file, %how);
    $browser->value($CHECKS);
    return;
}

# Tests that a check of pages.js finds no fault.
sub sound {
    my ($check, $what) = @_;
    my @wrong = @{ $browser->value("checks.$check()") };
    is(scalar @wrong, 0, $what) or diag(map { "  $_\n" } @wrong > 6 ? @wrong[ 0 .. 5 ] : @wrong);
    return;
}

sub is_silent {
    is(join("\n", $browser->said, $browser->requests), '', 'nothing is said, nothing is asked for');
    ok(!$browser->value('!!window.harmed'), 'and nothing did harm');
    return;
}

sub fits {
    for my $width (1280, 390) {
        $browser->look(width => $width);
        sound(narrow   => "it is no wider than $width pixels");
        sound(pictures => "texts of pictures are in their places at $width pixels");
        sound(captions => "captions stay in a window of $width pixels");
        comes(sub { !@{ $browser->value('checks.scrollers()') } });
        sound(scrollers => "what scrolls at $width pixels has a name, and can be reached");
    }
    sound(thumbs => 'a narrow page has links, heads and folds for thumbs');
    $browser->look(width => $PAPER, media => 'print');
    sound(onPaper => 'no text is cut off at the edge of A4');
    return;
}

sub is_legible {
    for my $how ([ scheme => 'light' ], [ scheme => 'dark' ], [ media => 'print' ]) {
        $browser->look(width => 1280, @$how);
        sound(legible => "every text has 4.5 times the luminance of its ground, or a 4.5th: @$how");
    }
    return;
}

sub is_built_well {
    my ($file) = @_;
    sound(tables   => 'every table has a caption, and heads that say of what');
    sound(headings => 'headings are in order');
    sound(names    => 'every picture, field and button has a name');
    sound(links    => 'every link within the page leads somewhere');
    return if !defined $TIDY;
    my (undef, $said) = Touchstone::Machine::Command::output([ $TIDY, '-q', '-e', $file ], errors => 1);
    is($said, '', 'tidy has nothing to say');
    return;
}

sub photographed {
    my ($name, $file) = @_;
    return if !length($screens // '');
    my ($page) = $file =~ m{([^/]+)\.html\z};
    for my $look ([ light => 1280 ], [ dark => 1280 ], [ light => 390 ]) {
        $browser->look(scheme => $look->[0], width => $look->[1]);
        $browser->screenshot("$screens/fleet-$name-$page-$look->[0]-$look->[1].png");
    }
    return;
}

for my $name (sort keys %FLEET) {
    for my $file (stored($name)) {
        my ($page) = $file =~ m{([^/]+)\z};
        subtest "$page of the fleet '$name' is sound in every window, by day, by night and on paper" => sub {
            $browser->look;
            open_page($file);
            photographed($name, $file);
            is_built_well($file);
            $browser->value('checks.openFolds()');
            fits();
            is_legible();
            $browser->look;
            sound(sorting => 'a click on a head sorts, numbers as numbers, up and down');
            is_silent();
        };
    }
}

subtest 'the first screen has the answer, who is bad and why, without a script' => sub {
    $browser->look(width => 1280, height => 900);
    open_page("$temp/thirty/index.html", script => 0);
    my $seen =
        q{Array.from(document.querySelectorAll('h1, .tally, .case.is-bad li')).filter(e => e.getBoundingClientRect().bottom < innerHeight).map(e => e.textContent.replace(/\s+/g, ' ').trim()).join(' | ')};
    like(
        $browser->value($seen),
        qr/web09 is slow: .*\| 34 hosts measured 1 bad 2 suspect 2 missing .*\| All CPU tests/,
        'sentence, counts, signature'
    );
    ok(!$browser->value(q{!!document.querySelector('thead button')}), 'no script ran');
};

subtest 'a pointer finds a host in a strip' => sub {
    $browser->look;
    open_page("$temp/thousand/index.html");
    my $tip = q{(document.querySelector('.tip') || {}).textContent || ''};
    $browser->point('svg.wide .whole:nth-of-type(500)');
    like($browser->value($tip), qr/\Aweb\d+ [01]\.\d+ \([\d.]+ to [\d.]+\)\z/,
        'its name, speed and interval');
};

done_testing;
