# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::ReportForm - the command form: the report form of the Linux Benchmarking Toolkit for a run.
package Touchstone::Suite::Lbt::ReportForm;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Record;
use Touchstone::Report::Forms;
use Touchstone::Score;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;

my $TITLE = 'Linux Benchmarking Toolkit';
my %HAS   = (
    text     => \&Touchstone::Suite::Lbt::Parts::text,
    json     => \&Touchstone::Suite::Lbt::Parts::json,
    document => \&_document
);

# The text that answers the words of the command line.
sub answer {
    my ($options, $places) = @_;
    my $given  = or_refuse(sub { Touchstone::Suite::Lbt::Field::given(@{ $options->{lbt} }) });
    my $stored = or_refuse(sub { Touchstone::Record->load($options->{operands}[0], $places->{runs}) });
    my $facts  = { %$stored, lbt => { %{ $stored->{lbt} || {} }, %$given } };
    return render($options->{format} // 'text', $facts, Touchstone::Score::scores($facts));
}

# The report form of a run.
sub render {
    my ($format, $facts, $results) = @_;
    my $form = Touchstone::Suite::Lbt::Tables::form($facts, $results);
    return Touchstone::Report::Forms::render($format, form => \%HAS, $form);
}

sub _document {
    my $form = [ form => split /\n/, Touchstone::Suite::Lbt::Parts::text(@_) ];
    return { title => $TITLE, parts => [ [ in => 'page', [ heading => $TITLE ] ], $form ] };
}

1;
