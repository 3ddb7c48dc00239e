# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::FinishRun - what follows from the facts of a run, of one that has just ended or of a stored one:
# results, with the comparison with its reference, and the model that reports are written from.
package Touchstone::Cli::FinishRun;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::Baseline;
use Touchstone::Report::Files;
use Touchstone::Report::Model;
use Touchstone::Score;

# Returns { facts, results, model, trouble => [ why a comparison failed ] }. `with`: what Score::of takes, and
# reference, as Compare::Run loads it, with places and fail_on for the comparison.
sub evaluated {
    my ($facts, %with)                 = @_;
    my ($reference, $places, $fail_on) = delete @with{qw(reference places fail_on)};
    my ($results, @trouble)            = Touchstone::Score::of($facts, %with);
    if ($reference) {
        my $against = eval {
            Touchstone::Compare::Baseline::comparison($facts, $results, $reference, $places, $fail_on);
        };
        if ($against) { $results = { %$results, against => $against } }
        else          { push @trouble, $@ }
    }
    return {
        facts   => $facts,
        results => $results,
        model   => Touchstone::Report::Model::of($facts, $results),
        trouble => \@trouble
    };
}

# Ends a record of what Run::Session returned, stores its results and writes its reports. Returns the same,
# with text, the report, and files, { format => file }.
sub finish {
    my ($outcome, $record) = @_;
    my $want = $outcome->{want};
    my $run  = evaluated(
        $record->end($outcome->{signal} ? 'stopped' : 'complete'),
        rates => $record->rates,
        ended => 1,
        map({ $_ => $outcome->{$_} } qw(reference places)),

        # In a duet --fail-on judges the second build, and not the baseline.
        fail_on => $want->{duet} ? undef : $want->{'fail-on'}
    );
    my ($facts, $results, $model) = @$run{qw(facts results model)};
    push @{ $run->{trouble} }, $@ if !eval { $record->finish($results) };
    my ($files, $texts, @unwritten) = Touchstone::Report::Files::write_reports($outcome->{places}{results},
        $model, $facts, $results, csv => ($ENV{UB_OUTPUT_CSV} // '') eq 'true');
    push @{ $run->{trouble} }, @unwritten;
    return { %$run, text => $texts->{text}, files => $files };
}

1;
