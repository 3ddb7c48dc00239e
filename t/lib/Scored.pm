# SPDX-License-Identifier: GPL-2.0-or-later
# Scored - what is made of the facts of a run, in one word each:
#
#   Scored::model($facts)              the model of its reports
#   Scored::report('html', $facts)     a report
#   Scored::document($facts)           facts and results as a file has them
#   Scored::run($facts)                the run as comparisons want it
#   Scored::tables(Lbt => $document)   what a suite shows of such a value, with results as that has them
package Scored;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::Run;
use Touchstone::Report::Files;
use Touchstone::Report::Model;
use Touchstone::Score;
use Touchstone::Suite;

sub model { my ($facts) = @_; return Touchstone::Report::Model::of_record(document($facts)) }

sub report {
    my ($format, $facts) = @_;
    return Touchstone::Report::Files::render($format, document($facts));
}

sub document { my ($facts) = @_; return Touchstone::Score::complete($facts) }

sub run { my ($facts) = @_; return Touchstone::Compare::Run::of_record(document($facts)) }

sub tables {
    my ($suite, $document) = @_;
    my $package = Touchstone::Suite::packages('Tables')->{ lc $suite };
    return scalar $package->can('tables')->($document);
}

1;
