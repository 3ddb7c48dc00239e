#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of a fleet in a real browser: in each window, by day, by night and on paper, with and without its
# script, and with names of strangers. TOUCHSTONE_SCREENS names a directory for pictures of them all.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Judged;
use Looked;
use Touchstone::Pack::Fleet::Report;

plan skip_all => $_ for grep { defined } Looked::trouble();

my $screens = $ENV{TOUCHSTONE_SCREENS};
my $temp    = File::Temp->newdir;
my $browser = Looked::start();

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
    my @files = Touchstone::Pack::Fleet::Report::files($FLEET{$name});
    mkdir "$temp/$name";
    Fake::write_file("$temp/$name/$_->[0]", $_->[1]) for @files;
    return map { "$temp/$name/$_" } grep { -e "$temp/$name/$_" } qw(index.html hosts-1.html);
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
            sound_page($file);
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
        qr/web09 is 9\.\d % slower .*\| 34 hosts measured 1 slow 2 suspect 2 missing .*\| All CPU tests/,
        'sentence, counts, signature'
    );
    ok(!$browser->value(q{!!document.querySelector('thead button')}), 'no script ran');
};

subtest 'a pointer finds a host in a strip' => sub {
    $browser->look;
    open_page("$temp/thousand/index.html");
    my $tip = q{(document.querySelector('.tip') || {}).textContent || ''};
    $browser->point('svg.mean .whole:nth-of-type(500)');
    like(
        $browser->value($tip),
        qr/\Aweb\d+ [\d.]+ % (?:slower|faster) \(\S*[\d.]+ to [\d.]+ %\)\z/,
        'its name, speed and interval'
    );
};

done_testing;
