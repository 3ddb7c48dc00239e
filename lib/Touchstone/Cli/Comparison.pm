# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Comparison - a comparison as an answer, in the form that the user wants; a terminal shows it in
# colour.
package Touchstone::Cli::Comparison;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain_data);
use Touchstone::Cli::Output;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare;
use Touchstone::Report::Forms;
use Touchstone::Report::Render::Text;
use Touchstone::Report::Verdict;
use Touchstone::Terminal;

# Returns the looks of verdicts in a table, in the points above it and behind the name of an index.
sub verdicts {
    my %look    = Touchstone::Report::Verdict::coloured_words();
    my $invalid = Touchstone::Report::Verdict::word('invalid');
    return [
        [ qr/^\Q$invalid\E:.*/m => delete $look{$invalid} ],
        map { [ qr/(?:  | %|: )\s?\K\Q$_\E(?=$| \([1-9]| than )/m => $look{$_} ] } sort keys %look
    ];
}

sub render {
    my ($format, $comparison) = @_;
    my $terminal = Touchstone::Terminal->of(\*STDOUT);
    my $report   = Touchstone::Report::Compare::render(
        $format, $comparison,
        columns => $terminal->columns,
        ascii   => !$terminal->is_utf8
    );
    my $also = Touchstone::Report::Forms::also($format);
    Touchstone::Cli::Output::add_step_summary(sub { Touchstone::Report::Compare::render($also, $comparison) })
        if defined $also;
    return $report if $format ne 'text';

    # The answer is a line where there are no columns, so that a script can take the first.
    my ($answer, $rest) = $terminal->painted_by(verdicts(), $report) =~ /\A(.*?\n)(\n.*)?\z/s;
    return Touchstone::Cli::Output::wrapped($answer)
        . Touchstone::Cli::Output::wrapped($rest // '', $Touchstone::Report::Compare::Tables::COLUMNS);
}

# Shows the comparison of a machine with itself, a line for each test.
sub of_itself {
    my ($comparison, $smallest) = @_;
    return Touchstone::Cli::Output::wrapped(
        Touchstone::Report::Render::Text::render(
            Touchstone::Report::Compare::self_parts(plain_data($comparison), $smallest)
        )
    );
}

1;
