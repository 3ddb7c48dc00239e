# SPDX-License-Identifier: GPL-2.0-or-later
# Output - which reports there are, where they are written, and the short texts for the terminal.
package Touchstone::Output;
use 5.014;
use strict;
use warnings;

use Touchstone::Json;
use Touchstone::Plan;
use Touchstone::Record;
use Touchstone::Report;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Html;
use Touchstone::Report::Json;
use Touchstone::Report::Log;

my %RENDER = (
    text => \&Touchstone::Report::Classic::render, html => \&Touchstone::Report::Html::render, csv => \&Touchstone::Report::Csv::render,
    json => \&Touchstone::Report::Json::render, log => \&Touchstone::Report::Log::render,
);
# Other people's collectors take any other suffix beside these for a text report.
my @FILES = ([ text => '' ], [ html => '.html' ], [ log => '.log' ]);

sub render {
    my ($format, $record) = @_;
    return $RENDER{$format}->(Touchstone::Report::model($record), $record);
}

# ([files], what could not be written ...)
sub write_reports {
    my ($directory, $record, %also) = @_;
    my (@files, @trouble);
    for my $report (@FILES, $also{csv} ? [ csv => '.csv' ] : ()) {
        my ($format, $suffix) = @$report;
        my $file = "$directory/$record->{name}$suffix";
        if (eval { Touchstone::Record->write_file($file, render($format, $record)) }) { push @files, $file }
        else                                                                         { push @trouble, $@ }
    }
    return (\@files, @trouble);
}

# Before a run: what it will do and how long it takes.
sub announcement {
    my ($plan) = @_;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my @copies = map { $_->{copies} } @{ $plan->{blocks} };
    my $last = pop @copies;
    my $many = (@copies ? join(', ', @copies) . ' and ' : '') . ($last == 1 ? '1 copy' : "$last copies");
    my $rounds = $plan->{schedule} eq 'classic' ? 'classic schedule' : "$plan->{rounds} rounds";
    $rounds .= ', short windows: less precise than the default' if $plan->{schedule} eq 'quick';
    my $tests = keys %tests;
    return sprintf '%d %s, %s, %s: about %s', $tests, $tests == 1 ? 'test' : 'tests', $many, $rounds, duration($plan->{seconds});
}

sub duration {
    my ($seconds) = @_;
    return sprintf '%d s', $seconds + 0.5 if $seconds < 90;
    return sprintf '%d min %02d s', $seconds / 60, $seconds % 60 if $seconds < 3600;
    return sprintf '%d h %02d min', $seconds / 3600, $seconds / 60 % 60;
}

# After a run: what makes it doubtful, the gains, and where everything is.
sub summary {
    my ($record, $files) = @_;
    my @lines = map { "warning: $_->{text}" . (defined $_->{remedy} ? "; $_->{remedy}" : '') } @{ $record->{warnings} };
    push @lines, Touchstone::Report::scaling_lines($record->{scaling}, 'name') if $record->{scaling};
    push @lines, "report: $files->[0], .html, .log" if @$files;
    return @lines;
}

sub dry_run {
    my ($plan, $cpus) = @_;
    my @lines = (announcement($plan), "usable CPUs: $cpus->{usable_count}, seed: $plan->{seed}", '');
    for my $block (@{ $plan->{blocks} }) {
        my (%passes, %window, @names);
        for my $pass (grep { $_->{round} } @{ $block->{passes} }) {
            my $name = $pass->{test}{name};
            push @names, $name if !$passes{$name}++;
            $window{$name} = $pass->{window};
        }
        push @lines, sprintf '%s: %s', $block->{copies} == 1 ? '1 copy' : "$block->{copies} copies", duration($block->{seconds});
        push @lines, map { sprintf '  %-18s %3d x %g s', $_, $passes{$_}, $window{$_} } sort @names;
    }
    return join '', map { "$_\n" } @lines;
}

# All tests and groups, for people or as JSON.
sub list {
    my ($suite, $json) = @_;
    my %categories = map { @$_ } $suite->categories;
    if ($json) {
        my @tests = map { my $t = $_; { category => $categories{ $t->{category} }, map { $_ => $t->{$_} } qw(name title about suite class index) } } $suite->tests;
        return Touchstone::Json::encode({ tests => \@tests, groups => $suite->groups });
    }
    my @lines;
    for my $category ($suite->categories) {
        push @lines, $category->[1], '';
        push @lines, map { (sprintf('  %-18s %s', $_->{name}, $_->{title}), ' ' x 21 . $_->{about}) } grep { $_->{category} eq $category->[0] } $suite->tests;
        push @lines, '';
    }
    push @lines, 'Groups', '', map { sprintf '  %-18s %s', $_, $_ eq 'all' ? 'every test' : join ' ', @{ $suite->groups->{$_} } } sort keys %{ $suite->groups };
    return join '', map { "$_\n" } @lines;
}

1;
