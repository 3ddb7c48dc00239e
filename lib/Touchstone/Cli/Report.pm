# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Report - the command report: any report of a stored run, or the tables of text reports; and all that
# follows from the facts of a run that has just ended or of a stored one: results, with the comparison with
# its reference, and the model that reports are written from.
package Touchstone::Cli::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Output;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Report::Files;
use Touchstone::Report::Forms;
use Touchstone::Report::Model;
use Touchstone::Report::Readings;
use Touchstone::Score;
use Touchstone::Suite;
use Touchstone::Terminal;

sub run {
    my ($options, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my $titles = Touchstone::Suite::load()->titles;
    my ($facts, @reports) = or_refuse(
        sub {
            Touchstone::Compare::Run::facts_or_reports($options->{operands}[0], $places->{runs}, $titles);
        }
    );
    return _say_readings($options, @reports) if @reports;
    $facts = { %$facts, scaling_wanted => 1 }                    if $options->{scaling};
    $facts = { %$facts, price          => $options->{price}[0] } if @{ $options->{price} || [] };
    my $reference;
    if (defined $options->{baseline}) {
        $reference =
            or_refuse(sub { Touchstone::Compare::Run::load($options->{baseline}, $places->{runs}, $titles) });
        $facts = Touchstone::Compare::Baseline::instead($facts, $reference);
    }
    my $run = evaluated($facts, reference => $reference, places => $places);
    die @{ $run->{trouble} } if @{ $run->{trouble} };
    my @of_run = @$run{qw(model facts results)};
    my $format = $options->{format} // 'text';
    my $report = Touchstone::Report::Files::render($format, @of_run);

    # The summary is what a terminal shows; the other forms are files.
    $report = Touchstone::Terminal->detect(\*STDOUT)->fit($report) if $format eq 'summary';
    my $also = Touchstone::Report::Forms::also($format);
    Touchstone::Cli::Output::add_step_summary(sub { Touchstone::Report::Files::render($also, @of_run) })
        if defined $also;
    return Touchstone::Cli::Output::say($report);
}

# Shows text reports.
sub _say_readings {
    my ($options, @reports) = @_;
    my ($option) =
        grep { $options->{$_} && (!ref $options->{$_} || @{ $options->{$_} }) } qw(baseline scaling price);
    return or_refuse(
        sub {
            die "--$option needs a record, and '$options->{operands}[0]' is a report of UnixBench\n"
                if $option;
            Touchstone::Cli::Output::say(
                Touchstone::Report::Readings::render($options->{format} // 'text', \@reports));
        }
    );
}

# Returns { facts, results, model, trouble => [ why a comparison failed ] }. `with`: what Score::score_run
# takes, and reference, as Compare::Run loads it, with places and fail_on for the comparison.
sub evaluated {
    my ($facts, %with)                 = @_;
    my ($reference, $places, $fail_on) = delete @with{qw(reference places fail_on)};
    my ($results, @trouble)            = Touchstone::Score::score_run($facts, %with);
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
        model   => Touchstone::Report::Model::build_model($facts, $results),
        trouble => \@trouble
    };
}

1;
