#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the golden reports anew from t/golden/record.json, for a review of the difference: `make golden`,
# then `git diff t/golden`. The passes and facts of the record are the input; its results are computed anew
# too.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib map { dirname(__FILE__) . $_ } '/../../lib', '/../lib';
use Forms;
use Golden;
use Screen;
use Touchstone::Record;
use Touchstone::Report::Files;
use Touchstone::Score;

my $here = dirname(__FILE__);

# record.json is the sample of the text report's form; sure.json has passes enough for intervals, and one that
# was disturbed; fixed.json is of the suite of 1984, with two copies one figure is below what can be measured.
my %files = (
    record => {
        text     => 'classic.txt',
        html     => 'report.html',
        csv      => 'report.csv',
        table    => 'table.csv',
        log      => 'report.log',
        json     => 'record.json',
        markdown => 'report.md'
    },
    fixed => {
        text     => 'fixed.txt',
        markdown => 'fixed.md',
        html     => 'fixed.html',
        csv      => 'fixed.csv',
        log      => 'fixed.log',
        json     => 'fixed.json'
    },
    sure => {
        markdown => 'sure.md',
        html     => 'sure.html',
        csv      => 'sure.csv',
        log      => 'sure.log',
        json     => 'sure.json'
    },
);
for my $name (sort keys %files) {
    my $record = Touchstone::Score::complete(Touchstone::Record->load("$here/$name.json", $here));
    for my $format (sort keys %{ $files{$name} }) {
        my $file = "$here/$files{$name}{$format}";
        Touchstone::Record->write_file($file,
            Golden::kept(Touchstone::Report::Files::render($format, $record)));
        print "$file\n";
    }
}

# The forms of machines that are pretended, and what terminals of some widths get.
my %texts = (Forms::files(), Screen::files());
for my $file (sort keys %texts) {
    Touchstone::Record->write_file("$here/$file", $texts{$file});
    print "$here/$file\n";
}
