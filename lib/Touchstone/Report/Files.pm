# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Files - which reports of a run there are, and where they are written: results/NAME, NAME.html,
# NAME.log.
package Touchstone::Report::Files;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::File;
use Touchstone::Record::PasteBlock;
use Touchstone::Record;
use Touchstone::Record::Json;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Run;
use Touchstone::Report::Log;
use Touchstone::Report::Markdown;
use Touchstone::Report::Summary;

my %RENDER = (
    text     => \&Touchstone::Report::Classic::render,
    html     => \&_html,
    table    => \&Touchstone::Report::Csv::render_table,
    markdown => \&_markdown,
    csv      => \&Touchstone::Report::Csv::render,
    json     => sub {
        my (undef, @run) = @_;
        return Touchstone::Record::Json::encode(Touchstone::Record::document(@run[ 0, 1 ]));
    },
    log     => \&Touchstone::Report::Log::render,
    summary => sub {
        return join '', map { "$_\n" } Touchstone::Report::Summary::lines($_[0]);
    },
);

# Other people's collectors take any other suffix beside these for a text report. The page is last, because it
# has links to the others.
my @FILES = ([ text => '' ], [ log => '.log' ], [ html => '.html' ]);

# What a page can have a link to beside these: the record, and the table of all runs, which --browse makes.
my ($RECORD, $RUNS) = ('.runs/%s.json', 'index.html');

# The end of a run calls them so. The last line stays in sight, so the page that people want first is last.
my @CALLED = ([ table => 'table' ], [ log => 'log' ], [ text => 'report' ], [ html => 'page' ]);

# A report of a run: of its model, and where a form holds more than that, of its facts and results. `links`:
# what stands beside a page. Forms that only programs read are loaded when one is wanted.
sub render {
    my ($format, $model, $facts, $results, %with) = @_;
    return $RENDER{$format}->($model, $facts, $results, %with) if $RENDER{$format};
    require Touchstone::Report::Export;
    return Touchstone::Report::Export::of_run($format, $facts, $results);
}

sub _html {
    my ($model, undef, undef, %with) = @_;
    return Touchstone::Report::Run::render($model, $with{links});
}

# A page of Markdown, with the run itself at its end.
sub _markdown {
    my ($model, $facts, $results) = @_;
    my $document = Touchstone::Record::document($facts, $results);
    return Touchstone::Report::Markdown::render($model, Touchstone::Record::PasteBlock::block($document));
}

# ({ format => file }, { format => what was to be written there }, what could not be written ...)
sub write_reports {
    my ($directory, $model, $facts, $results, %also) = @_;
    my (%files, %texts, @trouble);
    for my $report ($also{csv} ? [ table => '.csv' ] : (), @FILES) {
        my ($format, $suffix) = @$report;
        my $file  = "$directory/$facts->{name}$suffix";
        my $wrote = eval {
            my $links = $format eq 'html' ? _links($directory, $facts->{name}, %files) : undef;
            $texts{$format} = render($format, $model, $facts, $results, links => $links);
            Touchstone::Machine::File::write_file($file, $texts{$format});
        };
        if ($wrote) { $files{$format} = $file }
        else        { push @trouble, $@ }
    }
    return (\%files, \%texts, @trouble);
}

# The addresses of what is really there, from the page on.
sub _links {
    my ($directory, $name, %files) = @_;
    my %there = map { $_ => $files{$_} =~ s{.*/}{}sr } grep { defined $files{$_} } qw(text log);
    my %also  = (json => sprintf($RECORD, $name), index => $RUNS);
    $there{$_} = $also{$_} for grep { -e "$directory/$also{$_}" } keys %also;
    return { map { $_ => _address($there{$_}) } keys %there };
}

# A path as a relative address.
sub _address {
    my ($path) = @_;
    return $path =~ s{([^\w./-])}{sprintf '%%%02X', ord $1}gaer;
}

# Where everything is after a run, as whole paths that can be copied.
sub places {
    my ($files) = @_;
    return
        map { my ($format, $word) = @$_; defined $files->{$format} ? "$word: $files->{$format}" : () }
        @CALLED;
}

1;
