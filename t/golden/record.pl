#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the golden reports anew from t/golden/record.json, so that the difference can be reviewed: `make
# golden`, then `git diff t/golden`. The passes and facts of the record are the input; its results are
# computed anew too.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib map { dirname(__FILE__) . $_ } '/../../lib', '/../lib';
use Forms;
use Golden;
use Scored;
use Screen;
use Touchstone::Record;

my $here = dirname(__FILE__);

# record.json is the sample of the text report. sure.json has enough passes for intervals, and a disturbed
# pass. fixed.json belongs to the suite of 1984, and with two copies one of its figures is too small to be
# measured.
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
        markdown       => 'sure.md',
        html           => 'sure.html',
        csv            => 'sure.csv',
        log            => 'sure.log',
        json           => 'sure.json',
        bmf            => 'sure.bmf.json',
        'gh-benchmark' => 'sure.gh-benchmark.json',
        github         => 'sure.github',
        influx         => 'sure.influx',
        jsonl          => 'sure.jsonl',
        junit          => 'sure.junit.xml',
        lava           => 'sure.lava',
        openmetrics    => 'sure.openmetrics',
        prometheus     => 'sure.prom',
    },
);
for my $name (sort keys %files) {
    my $record = Touchstone::Record->load("$here/$name.json", $here);
    for my $format (sort keys %{ $files{$name} }) {
        my $file = "$here/$files{$name}{$format}";
        Touchstone::Record->write_file($file, Golden::kept(Scored::report($format, $record)));
        print "$file\n";
    }
}

# These are the forms of pretended machines, and the output for terminals of some widths.
my %texts = (Forms::files(), Screen::files());
for my $file (sort keys %texts) {
    Touchstone::Record->write_file("$here/$file", $texts{$file});
    print "$here/$file\n";
}
