# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Files - which reports of a run there are, and where they are written: results/NAME, NAME.html,
# NAME.log.
package Touchstone::Report::Files;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Block;
use Touchstone::Record;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Html;
use Touchstone::Report::Json;
use Touchstone::Report::Log;
use Touchstone::Report::Markdown;
use Touchstone::Report::Model;
use Touchstone::Report::Summary;

my %RENDER = (
    text     => \&Touchstone::Report::Classic::render,
    html     => \&Touchstone::Report::Html::render,
    table    => \&Touchstone::Report::Csv::render_table,
    markdown =>
        sub { return Touchstone::Report::Markdown::render($_[0], Touchstone::Record::Block::block($_[1])) },
    csv     => \&Touchstone::Report::Csv::render,
    json    => \&Touchstone::Report::Json::render,
    log     => \&Touchstone::Report::Log::render,
    summary => sub {
        return join '', map { "$_\n" } Touchstone::Report::Summary::lines($_[0]);
    },
);

# Other people's collectors take any other suffix beside these for a text report.
my @FILES = ([ text => '' ], [ html => '.html' ], [ log => '.log' ]);

# What the end of a run calls them. What people want first is last: it stays in sight.
my @CALLED = ([ table => 'table' ], [ log => 'log' ], [ text => 'report' ], [ html => 'page' ]);

# A report of a record with results.
sub render {
    my ($format, $record) = @_;
    return $RENDER{$format}->(Touchstone::Report::Model::of_record($record), $record);
}

# ({ format => file }, what could not be written ...)
sub write_reports {
    my ($directory, $record, %also) = @_;
    my (%files, @trouble);
    for my $report (@FILES, $also{csv} ? [ table => '.csv' ] : ()) {
        my ($format, $suffix) = @$report;
        my $file = "$directory/$record->{name}$suffix";
        if (eval { Touchstone::Record->write_file($file, render($format, $record)) }) {
            $files{$format} = $file;
        } else {
            push @trouble, $@;
        }
    }
    return (\%files, @trouble);
}

# After a run: what Report::Summary says, and where everything is, as whole paths that can be copied.
sub summary {
    my ($record, $files, $columns) = @_;
    my @lines = Touchstone::Report::Summary::lines(Touchstone::Report::Model::of_record($record),
        columns => $columns);
    return (@lines,
        map { my ($format, $word) = @$_; defined $files->{$format} ? "$word: $files->{$format}" : () }
            @CALLED);
}

1;
