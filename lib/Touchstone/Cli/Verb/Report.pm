# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Report - --report: any report of a stored run.
package Touchstone::Cli::Verb::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Cli::Answer;
use Touchstone::Compare::Against;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Record;
use Touchstone::Report::Files;
use Touchstone::Score;
use Touchstone::Suite;

sub run {
    my ($want, %at) = @_;
    my $places = Touchstone::Base::Places::find($at{base});
    my $record = Touchstone::Record->load($want->{report}, $places->{runs});
    $record->{scaling_wanted} = 1 if $want->{scaling};
    my $reference =
        defined $want->{baseline}
        ? Touchstone::Compare::Run::load($want->{baseline}, $places->{runs},
        Touchstone::Suite::load()->titles)
        : undef;
    Touchstone::Compare::Baseline::put($record, $reference) if $reference;
    Touchstone::Score::complete($record);
    Touchstone::Score::put_beside(Touchstone::Compare::Against::put($record, $reference, $places))
        if $reference;
    return Touchstone::Cli::Answer::say(
        Touchstone::Report::Files::render($want->{format} // 'text', $record));
}

1;
