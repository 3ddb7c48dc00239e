# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Files - which reports of a run there are, and where they are written: results/NAME, NAME.html,
# NAME.log.
package Touchstone::Report::Files;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Block;
use Touchstone::Record::Document;
use Touchstone::Record;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Html;
use Touchstone::Report::Json;
use Touchstone::Report::Log;
use Touchstone::Report::Markdown;
use Touchstone::Report::Summary;

my %RENDER = (
    text     => \&Touchstone::Report::Classic::render,
    html     => \&Touchstone::Report::Html::render,
    table    => \&Touchstone::Report::Csv::render_table,
    markdown => \&_markdown,
    csv      => \&Touchstone::Report::Csv::render,
    json     => \&Touchstone::Report::Json::render,
    log      => \&Touchstone::Report::Log::render,
    summary  => sub {
        return join '', map { "$_\n" } Touchstone::Report::Summary::lines($_[0]);
    },
);

# Other people's collectors take any other suffix beside these for a text report.
my @FILES = ([ text => '' ], [ html => '.html' ], [ log => '.log' ]);

# The end of a run calls them so. The last line stays in sight, so the page that people want first is last.
my @CALLED = ([ table => 'table' ], [ log => 'log' ], [ text => 'report' ], [ html => 'page' ]);

# A report of a run: of its model, and where a form holds more than that, of its facts and results.
sub render {
    my ($format, $model, $facts, $results) = @_;
    return $RENDER{$format}->($model, $facts, $results);
}

# A page of Markdown, with the run itself at its end.
sub _markdown {
    my ($model, $facts, $results) = @_;
    my $document = Touchstone::Record::Document::document($facts, $results);
    return Touchstone::Report::Markdown::render($model, Touchstone::Record::Block::block($document));
}

# ({ format => file }, { format => what was to be written there }, what could not be written ...)
sub write_reports {
    my ($directory, $model, $facts, $results, %also) = @_;
    my (%files, %texts, @trouble);
    for my $report (@FILES, $also{csv} ? [ table => '.csv' ] : ()) {
        my ($format, $suffix) = @$report;
        my $file  = "$directory/$facts->{name}$suffix";
        my $wrote = eval {
            $texts{$format} = render($format, $model, $facts, $results);
            Touchstone::Record->write_file($file, $texts{$format});
        };
        if ($wrote) { $files{$format} = $file }
        else        { push @trouble, $@ }
    }
    return (\%files, \%texts, @trouble);
}

# After a run: what Report::Summary says, and where everything is, as whole paths that can be copied.
sub summary {
    my ($model, $files, $columns) = @_;
    return (
        Touchstone::Report::Summary::lines($model, columns => $columns),
        map { my ($format, $word) = @$_; defined $files->{$format} ? "$word: $files->{$format}" : () }
            @CALLED
    );
}

1;
