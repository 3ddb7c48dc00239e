# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Compare - the command compare: stored runs, judged; and any comparison in the form that the user wants.
# A terminal shows it in colour.
package Touchstone::Cli::Compare;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Output;
use Touchstone::Compare;
use Touchstone::Compare::Drift;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare;
use Touchstone::Report::Forms;
use Touchstone::Report::Render::Text;
use Touchstone::Report::Verdict;
use Touchstone::Suite;
use Touchstone::Terminal;

# The exit status of trouble differs from that of "worse", so that no script takes one for the other.
sub run {
    my ($options, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my $titles = Touchstone::Suite::load()->titles;
    my @prices = @{ $options->{price} || [] };
    my @runs;
    for my $run (@{ $options->{operands} }) {
        my @price = @prices ? (price => shift @prices) : ();
        push @runs,
            map { +{ %$_, from => $run, @price } }
            or_refuse(sub { Touchstone::Compare::Run::load_each($run, $places->{runs}, $titles) });
    }
    my $comparison = eval {
        my $smallest = Touchstone::Compare::SelfCompare::find($places, @runs);
        my $compared = Touchstone::Compare::compare(
            runs     => \@runs,
            fail_on  => $options->{'fail-on'},
            smallest => $smallest,
            drift    => Touchstone::Compare::Drift::find($places, @runs)
        );
        my %page =
            map { $_->{name} => "$_->{name}.html" } grep { -e "$places->{results}/$_->{name}.html" } @runs;
        Touchstone::Cli::Output::say(render($options->{format} // 'text', $compared, links => \%page));
        $compared;
    } or die Touchstone::Base::Trouble::of_judge($@);
    return $comparison->{status};
}

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
    my ($format, $comparison, %with) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    my $report   = Touchstone::Report::Compare::render(
        $format, $comparison, %with,
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
