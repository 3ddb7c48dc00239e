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
use Checked;
use Forms;
use Golden;
use Scored;
use Screen;
use Touchstone::Machine::File;
use Touchstone::Record;

my $here = dirname(__FILE__);

my %files = %Golden::FILES;
for my $name (sort keys %files) {
    my $record = Touchstone::Record->load("$here/$name.json", $here);
    for my $format (sort keys %{ $files{$name} }) {
        my $file = "$here/$files{$name}{$format}";
        Touchstone::Machine::File::write_file($file, Golden::kept(Scored::report($format, $record)));
        print "$file\n";
    }
}

# These are the forms of pretended machines, and the output for terminals of some widths.
my %texts = (Forms::files(), Screen::files(), Checked::files());
for my $file (sort keys %texts) {
    Touchstone::Machine::File::write_file("$here/$file", $texts{$file});
    print "$here/$file\n";
}
