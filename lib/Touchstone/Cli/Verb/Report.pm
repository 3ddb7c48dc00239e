# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Report - --report: any report of a stored run.
package Touchstone::Cli::Verb::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::FinishRun;
use Touchstone::Cli::Output;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Record;
use Touchstone::Report::Files;
use Touchstone::Report::Forms;
use Touchstone::Suite;
use Touchstone::Terminal;

sub run {
    my ($want, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my $facts  = or_refuse(sub { Touchstone::Record->load($want->{report}, $places->{runs}) });
    $facts = { %$facts, scaling_wanted => 1 }                 if $want->{scaling};
    $facts = { %$facts, price          => $want->{price}[0] } if @{ $want->{price} || [] };
    my $reference;
    if (defined $want->{baseline}) {
        my $titles = Touchstone::Suite::load()->titles;
        $reference =
            or_refuse(sub { Touchstone::Compare::Run::load($want->{baseline}, $places->{runs}, $titles) });
        $facts = Touchstone::Compare::Baseline::instead($facts, $reference);
    }
    my $run = Touchstone::Cli::FinishRun::evaluated($facts, reference => $reference, places => $places);
    die @{ $run->{trouble} } if @{ $run->{trouble} };
    my @of_run = @$run{qw(model facts results)};
    my $format = $want->{format} // 'text';
    my $report = Touchstone::Report::Files::render($format, @of_run);

    # The summary is what a terminal shows; the other forms are files.
    $report = Touchstone::Terminal->of(\*STDOUT)->fit($report) if $format eq 'summary';
    my $also = Touchstone::Report::Forms::also($format);
    Touchstone::Cli::Output::add_step_summary(sub { Touchstone::Report::Files::render($also, @of_run) })
        if defined $also;
    return Touchstone::Cli::Output::say($report);
}

1;
