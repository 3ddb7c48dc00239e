# SPDX-License-Identifier: GPL-2.0-or-later
# Golden - the part of a report that its golden file holds. It leaves out the style and script that all pages
# share (Report::Render::Html::Style, Report::Render::Html::Script), and whatever depends on the version of
# zlib.
package Golden;
use 5.014;
use strict;
use warnings;

use Pasted;

# record.json is the sample of the text report. sure.json has enough passes for intervals, and a disturbed
# pass. fixed.json belongs to the suite of 1984, and with two copies one of its figures is too small to be
# measured.
our %FILES = (
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

sub kept {
    my ($report) = @_;
    $report =~ s{(<(style|script)>).*?(</\2>)}{$1 ... $3}gs;
    $report =~ s/'sha256-[^']*'/'sha256-...'/g;
    return Pasted::without_block($report);
}

1;
