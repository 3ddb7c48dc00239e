# SPDX-License-Identifier: GPL-2.0-or-later
# Scored - what is made of the facts of a run, in one word each:
#
#   Scored::model($facts)              the model of its reports
#   Scored::report('html', $facts)     a report
#   Scored::reports($facts, @forms)    several, which are scored once: { form => report }
#   Scored::document($facts)           facts and results as a file has them
#   Scored::run($facts)                the run as comparisons want it
#   Scored::tables(Lbt => $document)   what a suite shows of such a value, with results as that has them
package Scored;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::Run;
use Touchstone::Record;
use Touchstone::Report::Files;
use Touchstone::Report::Model;
use Touchstone::Score;
use Touchstone::Suite;

sub model {
    my ($facts) = @_;
    return Touchstone::Report::Model::build_model($facts, Touchstone::Score::score_run($facts));
}

sub report {
    my ($format, $facts) = @_;
    return reports($facts, $format)->{$format};
}

sub reports {
    my ($facts, @formats) = @_;
    my $results = Touchstone::Score::score_run($facts);
    my $model   = Touchstone::Report::Model::build_model($facts, $results);
    return { map { $_ => scalar Touchstone::Report::Files::render($_, $model, $facts, $results) } @formats };
}

sub document {
    my ($facts) = @_;
    return Touchstone::Record::document($facts, Touchstone::Score::score_run($facts));
}

sub run {
    my ($facts) = @_;
    return Touchstone::Compare::Run::from_record($facts, Touchstone::Score::scores($facts));
}

sub tables {
    my ($suite, $document) = @_;
    my $package = Touchstone::Suite::packages('Tables')->{ lc $suite };
    return scalar $package->can('tables')->(parted($document));
}

# The facts and the results of a document.
sub parted {
    my ($document) = @_;
    return ($document, { blocks => ref $document eq 'HASH' ? $document->{results} : undef });
}

1;
