# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Form - --lbt-form: the report form of the Linux Benchmarking Toolkit, of a stored run.
package Touchstone::Suite::Lbt::Form;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Record;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Score;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;

# The text that answers the words of the command line.
sub answer {
    my ($want, $places) = @_;
    my $given  = or_refuse(sub { Touchstone::Suite::Lbt::Field::given(@{ $want->{lbt} }) });
    my $stored = or_refuse(sub { Touchstone::Record->load($want->{'lbt-form'}, $places->{runs}) });
    my $facts  = { %$stored, lbt => { %{ $stored->{lbt} || {} }, %$given } };
    return render($want->{format} // 'text', $facts, Touchstone::Score::scores($facts));
}

# The report form of a run.
sub render {
    my ($format, $facts, $results) = @_;
    my $form = Touchstone::Suite::Lbt::Tables::form($facts, $results);
    return Touchstone::Suite::Lbt::Parts::json($form) if $format eq 'json';
    my $text = Touchstone::Suite::Lbt::Parts::text($form);
    return $text if $format eq 'text';
    my $part = [ form => split /\n/, $text ];
    return $format eq 'html'
        ? Touchstone::Report::Render::Html::document('Linux Benchmarking Toolkit',
        [ [ heading => 'Linux Benchmarking Toolkit' ], $part ])
        : Touchstone::Report::Render::Markdown::render($part);
}

1;
