# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Files - which reports of a run there are, and where they are written: results/NAME, NAME.html,
# NAME.log.
package Touchstone::Report::Files;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::File;
use Touchstone::Record;
use Touchstone::Report::Forms;

# What a run has for each form; each gets its model, facts and results, and the links of a page.
my %RUN = (
    text     => 'Classic::render',
    document => 'Run::document',
    rows     => 'Csv::rows',
    matrix   => 'Csv::table',
    log      => 'Log::render',
    summary  => 'Summary::text',
    data     => sub { return Touchstone::Record::document(@_[ 1, 2 ]) },
    figures  => 'Figures::of_run'
);

# Other people's collectors take any other suffix next to these for a text report. The last line at the end of
# a run stays in sight, so the page that people want first is last; it has links to the others.
my @FILES = (
    [ table                            => 'table' ],
    [ log                              => 'log' ],
    [ text                             => 'report' ],
    [ $Touchstone::Report::Forms::PAGE => 'page' ]
);

# What a page can have a link to besides: the record, and the table of all runs, which browse makes.
my ($RECORD, $RUNS) = ('.runs/%s.json', 'index.html');

# A report of a run: of its model, and where a form holds more than that, of its facts and results. `links`:
# what stands next to a page.
sub render {
    my ($format, @run) = @_;
    return Touchstone::Report::Forms::render($format, run => \%RUN, @run);
}

# ({ format => file }, { format => what was to be written there }, what could not be written ...)
sub write_reports {
    my ($directory, $model, $facts, $results, %also) = @_;
    my (%files, %texts, @trouble);
    for my $format (grep { $_ ne 'table' || $also{csv} } map { $_->[0] } @FILES) {
        my $file  = "$directory/$facts->{name}" . Touchstone::Report::Forms::suffix($format);
        my $wrote = eval {
            my $links = _links($directory, $facts->{name}, %files);
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
        map { my ($format, $word) = @$_; defined $files->{$format} ? "$word: $files->{$format}" : () } @FILES;
}

1;
