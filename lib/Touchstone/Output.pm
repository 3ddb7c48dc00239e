# SPDX-License-Identifier: GPL-2.0-or-later
# Output - which reports there are, where they are written, and the short texts for the terminal.
package Touchstone::Output;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use IO::Handle;

use Touchstone::Json;
use Touchstone::Plan;
use Touchstone::Record;
use Touchstone::Report;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Comparison;
use Touchstone::Lbt;
use Touchstone::Report::Html;
use Touchstone::Report::Json;
use Touchstone::Report::Lbt;
use Touchstone::Report::Log;
use Touchstone::Report::Markdown;
use Touchstone::Report::Page;
use Touchstone::Report::Summary;
use Touchstone::Stats;
use Touchstone::Report::Scaling;
use Touchstone::Text;

my %RENDER = (
    text => \&Touchstone::Report::Classic::render, html => \&Touchstone::Report::Html::render, table => \&Touchstone::Report::Csv::render_table,
    markdown => \&Touchstone::Report::Markdown::render, csv => \&Touchstone::Report::Csv::render,
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
    for my $report (@FILES, $also{csv} ? [ table => '.csv' ] : ()) {
        my ($format, $suffix) = @$report;
        my $file = "$directory/$record->{name}$suffix";
        if (eval { Touchstone::Record->write_file($file, render($format, $record)) }) { push @files, $file }
        else                                                                         { push @trouble, $@ }
    }
    return (\@files, @trouble);
}

# An answer on standard output.
sub say {
    my ($text) = @_;
    print $text and STDOUT->flush or die "cannot write to standard output: $!\n";
    return 0;
}

# Before a run: what it will do and how long it takes.
sub announcement {
    my ($plan) = @_;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my @copies = map { $_->{copies} } @{ $plan->{blocks} };
    return 'nothing here can be measured with this number of copies' if !@copies;
    my $last = pop @copies;
    my $many = (@copies ? join(', ', @copies) . ' and ' : '') . Touchstone::Text::copies($last);
    my $rounds = $plan->{schedule} eq 'classic' ? 'classic schedule' : $plan->{rounds} . ($plan->{rounds} == 1 ? ' round' : ' rounds');
    $rounds .= ', short windows: less precise than the default' if $plan->{schedule} eq 'quick';
    my $more  = defined $plan->{precision} && $plan->{most} > $plan->{seconds} + 1;
    $rounds .= sprintf ', then more until every score is sure to +- %g %%', $plan->{precision} * 100 if $more;
    my $tests = keys %tests;
    return sprintf '%d %s, %s, %s: %s', $tests, $tests == 1 ? 'test' : 'tests', $many, $rounds, join ', and ', _time_of($plan, $more), _whole_of($plan);
}

# Without the tests that take as long as they take.
sub _time_of {
    my ($plan, $more) = @_;
    my ($least, $most) = map { $_ - $plan->{open} } @$plan{qw(seconds most)};
    return if $least <= 0;
    return $more ? duration($least) . ' to ' . duration($most) : 'about ' . duration($least);
}

sub _whole_of {
    my ($plan) = @_;
    my %whole = map { $_->{name} => 1 } grep { Touchstone::Plan::is_open($_) } map { $_->{test} } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return map { "$_ as long as it takes" } sort keys %whole;
}

# What an earlier run says about the precision that is asked for.
sub forecast {
    my ($plan, $run, $says) = @_;
    return "$plan->{rounds} " . ($plan->{rounds} == 1 ? 'pass is' : 'passes are') . ' too few for an interval: no score will be sure' if $plan->{rounds} < $Touchstone::Stats::FEWEST;
    return 'no earlier run of this machine says how long that takes' if !defined $run;
    my ($late, $unknown) = map { join ', ', @{ $says->{$_} } } qw(late unknown);
    my $sure = sprintf 'sure to +- %g %%', $plan->{precision} * 100;
    my $said = length $late ? "this time is too short: $late will not be $sure" : 'it takes about ' . duration($says->{seconds}) . " until every score is $sure";
    return "by run $run $said" . (length $unknown ? ", if that is so for $unknown too, which it does not know" : '');
}

# What cannot be measured, a line a reason: [{ test, kind, why, remedy }].
sub losses {
    my (@lost) = @_;
    my (%names, @order);
    for my $lost (@lost) {
        my $reason = ($lost->{kind} eq 'skipped' ? 'skipped' : 'failed') . ": $lost->{why}" . (defined $lost->{remedy} ? "; $lost->{remedy}" : '');
        push @order, $reason if !$names{$reason};
        push @{ $names{$reason} }, $lost->{test};
    }
    return map { join(', ', @{ $names{$_} }) . " $_" } @order;
}

sub warning {
    my ($warning) = @_;
    return "warning: $warning->{text}" . (defined $warning->{remedy} ? "; $warning->{remedy}" : '');
}

sub duration {
    my ($seconds) = @_;
    return sprintf '%d s', $seconds + 0.5 if $seconds < 90;
    return sprintf '%d min %02d s', $seconds / 60, $seconds % 60 if $seconds < 3600;
    return sprintf '%d h %02d min', $seconds / 3600, $seconds / 60 % 60;
}

# After a run: the indexes and how sure they are, what is least certain, what was wrong, and where everything is.
sub summary {
    my ($record, $files) = @_;
    my @lines = Touchstone::Report::Summary::lines(Touchstone::Report::model($record), $record);
    push @lines, "report: $files->[0], .html, .log" if @$files;
    return @lines;
}

# The report form of the toolkit, of a record with results.
sub form {
    my ($format, $record) = @_;
    my $form = Touchstone::Lbt::form($record);
    return Touchstone::Report::Lbt::json($form) if $format eq 'json';
    my $text = Touchstone::Report::Lbt::text($form);
    return $text if $format eq 'text';
    my $part = [ form => split /\n/, $text ];
    return $format eq 'html' ? Touchstone::Report::Page::html('Linux Benchmarking Toolkit', [ heading => 'Linux Benchmarking Toolkit' ], $part) : Touchstone::Report::Page::markdown($part);
}

sub comparison {
    my ($format, $comparison) = @_;
    return Touchstone::Report::Comparison::render($format, $comparison);
}

# What a machine can tell, a line for each test.
sub self_comparison {
    my ($comparison, $smallest) = @_;
    return Touchstone::Report::Page::text(Touchstone::Report::Comparison::self_parts(Touchstone::Report::plain($comparison), $smallest));
}

sub dry_run {
    my ($plan, $cpus, @builds) = @_;
    my @lines = (announcement($plan), "usable CPUs: $cpus->{usable_count}, seed: $plan->{seed}");
    push @lines, (@builds > 1 ? 'each pass with each of the builds ' : 'with the build ') . join ', ', map { "'$_->{name}'" . ($_->{asked} =~ /\S/ ? " ($_->{asked})" : '') } @builds if @builds;
    push @lines, '';
    for my $block (@{ $plan->{blocks} }) {
        my (%passes, %window, @names);
        for my $pass (grep { $_->{round} } @{ $block->{passes} }) {
            my $name = $pass->{test}{name};
            push @names, $name if !$passes{$name}++;
            $window{$name} = Touchstone::Plan::is_open($pass->{test}) ? 'as long as it takes' : sprintf '%.3g s', max($pass->{window}, $pass->{test}{least_seconds} // 0);
        }
        push @lines, sprintf '%s: %s', Touchstone::Text::copies($block->{copies}), duration($block->{seconds} - $block->{open});
        push @lines, map { sprintf '  %-18s %3d x %s', $_, $passes{$_}, $window{$_} } sort @names;
    }
    return join '', map { "$_\n" } @lines;
}

# All tests and groups, for people or as JSON.
sub list {
    my ($suite, $json) = @_;
    my %categories = map { $_->[0] => $_->[1] } $suite->categories;
    if ($json) {
        my @tests = map { my $t = $_; { category => $categories{ $t->{category} }, map { $_ => $t->{$_} } qw(name title about suite class index better) } } $suite->tests;
        return Touchstone::Json::encode({ tests => \@tests, groups => $suite->groups });
    }
    my @lines;
    for my $category ($suite->categories) {
        push @lines, $category->[1], '';
        push @lines, map { (sprintf('  %-18s %s', $_->{name}, $_->{title}), ' ' x 21 . $_->{about}) } grep { $_->{category} eq $category->[0] } $suite->tests;
        push @lines, '';
    }
    push @lines, 'Groups', '', map { sprintf '  %-18s %s', $_, $_ eq 'all' ? 'every test of UnixBench' : join ' ', @{ $suite->groups->{$_} } } sort keys %{ $suite->groups };
    return join '', map { "$_\n" } @lines;
}

1;
