# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Export - what other people's programs read: a list of figures in (Report::Figures), text out.
# docs/formats.md has a sample of each form and the programs that read it. Nothing is sent anywhere.
package Touchstone::Report::Export;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Export::Ci;
use Touchstone::Report::Export::Json;
use Touchstone::Report::Export::Metrics;
use Touchstone::Report::Figures;

my %RUN = (
    prometheus     => \&Touchstone::Report::Export::Metrics::prometheus,
    openmetrics    => \&Touchstone::Report::Export::Metrics::openmetrics,
    influx         => \&Touchstone::Report::Export::Metrics::influx,
    bmf            => \&Touchstone::Report::Export::Json::bmf,
    'gh-benchmark' => \&Touchstone::Report::Export::Json::gh_benchmark,
    jsonl          => \&Touchstone::Report::Export::Json::lines_of_run,
    junit          => \&Touchstone::Report::Export::Ci::junit_of_run,
    github         => \&Touchstone::Report::Export::Ci::github_of_run,
    lava           => \&Touchstone::Report::Export::Ci::lava,
);
my %COMPARISON = (
    junit  => \&Touchstone::Report::Export::Ci::junit_of_comparison,
    github => \&Touchstone::Report::Export::Ci::github_of_comparison,
    jsonl  => \&Touchstone::Report::Export::Json::lines_of_comparison,
);

# The names of the forms, of a run and of a comparison.
sub forms            { my @forms = sort keys %RUN;        return @forms }
sub comparison_forms { my @forms = sort keys %COMPARISON; return @forms }

sub of_run {
    my ($form, $facts, $results) = @_;
    return $RUN{$form}->(Touchstone::Report::Figures::of_run($facts, $results));
}

sub of_comparison {
    my ($form, $comparison) = @_;
    return $COMPARISON{$form}->(@{ Touchstone::Report::Figures::of_comparison($comparison) });
}

1;
