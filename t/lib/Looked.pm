# SPDX-License-Identifier: GPL-2.0-or-later
# Looked - what is true of every page in a browser: how it is built, that it fits into each window and on
# paper, that it can be read by day and by night, that it is silent and that its tables can be sorted.
#
#   plan skip_all => $trouble if defined(my $trouble = Looked::trouble());
#   my $browser = Looked::start();
#   open_page($file, script => 0);
#   sound(narrow => 'it is no wider');       a check of pages.js finds no fault
#   sound_page($file);                       all of them
package Looked;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__);
use Chromium;
use Fake;
use Tools;
use Touchstone::Machine::Command;
use Waiting;

our @EXPORT = qw(becomes is_silent open_page sound sound_page);

# A4 without its margins of 14 mm, at 96 pixels an inch.
my $PAPER  = 687;
my $CHECKS = Fake::read_file("$Fake::BASE/t/lib/pages.js");

# A message names so many faults.
my $NAMED = 6;

my ($browser, $tidy);

# Why no page can be looked at here, or undef.
sub trouble {
    return 'TOUCHSTONE_BROWSER is not set (make check-all does)' if !length($ENV{TOUCHSTONE_BROWSER} // '');
    return Tools::none('chromium')                               if !Chromium::path();
    return 'Perl came without MIME::Base64'                      if !eval { require MIME::Base64 };
    return;
}

sub start {
    $tidy = Touchstone::Machine::Command::find('tidy');
    return $browser = Chromium->start;
}

sub open_page {
    my ($file, %how) = @_;
    $browser->open($file, %how);
    $browser->value($CHECKS);
    return;
}

sub sound {
    my ($check, $what) = @_;
    my @wrong = @{ $browser->value("checks.$check()") };
    my @more  = splice @wrong, @wrong > $NAMED ? $NAMED : @wrong;
    is(@wrong + @more, 0, $what) or diag(map { "  $_\n" } @wrong, @more ? '... and ' . @more . ' more' : ());
    return;
}

# Tests what the page shows in the end: it may react with a delay while somebody types.
sub becomes {
    my ($expression, $wanted, $what) = @_;
    my $got;
    comes(sub { ($got = $browser->value($expression)) eq $wanted });
    is($got, $wanted, $what);
    return;
}

sub is_silent {
    is(join("\n", $browser->said),     '', 'the console says nothing');
    is(join("\n", $browser->requests), '', 'nothing is asked for');
    ok(!$browser->value('!!window.harmed'), 'and nothing did harm');
    return;
}

# `fits` is tested where the window is narrow and everything is open.
sub sound_page {
    my ($file, $fits) = @_;
    $browser->look;
    open_page($file);
    _is_built_well($file);
    $browser->value('checks.openFolds()');
    _fits($fits);
    _is_legible();
    $browser->look;
    sound(sorting => 'a click on a head sorts, numbers as numbers, up and down');
    is_silent();
    return;
}

sub _is_built_well {
    my ($file) = @_;
    sound(tables   => 'every table has a caption, and heads that say of what');
    sound(headings => 'headings are in order');
    sound(names    => 'every picture, field and button has a name');
    sound(links    => 'every link within the page leads somewhere');
    ok(
        $browser->value(
            q{document.documentElement.lang === 'en' && document.title.length > 3 && !!document.querySelector('main')}
        ),
        'language, title and the main part are known'
    );
    return if !defined $tidy;
    my (undef, $said) = Touchstone::Machine::Command::output([ $tidy, '-q', '-e', $file ], errors => 1);

    # It does not know that a picture may be within a picture.
    $said =~ s/^.* Warning: <svg> proprietary attribute "(?:preserveaspectratio|viewbox|width|x)"\n?//gm;
    is($said, '', 'tidy has nothing to say');
    return;
}

sub _fits {
    my ($fits) = @_;
    for my $width (1280, 390) {
        $browser->look(width => $width);
        sound(narrow   => "it is no wider than $width pixels");
        sound(pictures => "texts of pictures are in their places at $width pixels");
        sound(captions => "captions stay in a window of $width pixels");
        becomes('checks.scrollers().length', 0,
            "what scrolls at $width pixels has a name, and can be reached");
    }
    $fits->() if $fits;
    sound(thumbs => 'a narrow page has links, heads and folds for thumbs');
    $browser->look(width => $PAPER, media => 'print');
    sound(onPaper => 'no text is cut off at the edge of A4');
    return;
}

sub _is_legible {
    for my $how ([ scheme => 'light' ], [ scheme => 'dark' ], [ media => 'print' ]) {
        $browser->look(width => 1280, @$how);
        sound(legible => "every text has 4.5 times the luminance of its ground, or a 4.5th: @$how");
    }
    return;
}

1;
