#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the golden reports anew from t/golden/record.json, for a review of the difference: `make golden`, then `git diff t/golden`.
# The passes and facts of the record are the input; its results are computed anew too.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../../lib';
use Touchstone::Output;
use Touchstone::Record;
use Touchstone::Score;

my $here = dirname(__FILE__);
my %file = (text => 'classic.txt', html => 'report.html', csv => 'report.csv', log => 'report.log', json => 'record.json');
my $record = Touchstone::Score::complete(Touchstone::Record->load("$here/record.json", $here));
for my $format (sort keys %file) {
    Touchstone::Record->write_file("$here/$file{$format}", Touchstone::Output::render($format, $record));
    print "$here/$file{$format}\n";
}
