# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Output - which reports there are, where they are written, and the short texts for the terminal.
package Touchstone::Cli::Output;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use IO::Handle;

use Touchstone::Base::Text;
use Touchstone::Cli::Listing;
use Touchstone::Cli::Manual;
use Touchstone::Cli::Options;
use Touchstone::Compare;
use Touchstone::Machine::Limits;
use Touchstone::Record::Block;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Report::Classic;
use Touchstone::Report::Compare;
use Touchstone::Report::Csv;
use Touchstone::Report::Html::Scaling;
use Touchstone::Report::Html;
use Touchstone::Report::Json;
use Touchstone::Report::Log;
use Touchstone::Report::Markdown;
use Touchstone::Report::Model;
use Touchstone::Report::Page;
use Touchstone::Report::Summary;
use Touchstone::Run::Plan;
use Touchstone::Stats;
use Touchstone::Suite::Lbt::Tables;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Terminal::Wrap;
use Touchstone::Terminal;

my %RENDER = (
    text => \&Touchstone::Report::Classic::render, html => \&Touchstone::Report::Html::render, table => \&Touchstone::Report::Csv::render_table,
    markdown => sub { return Touchstone::Report::Markdown::render($_[0], Touchstone::Record::Block::block($_[1])) }, csv => \&Touchstone::Report::Csv::render,
    json => \&Touchstone::Report::Json::render, log => \&Touchstone::Report::Log::render,
    summary => sub { return join '', map { "$_\n" } Touchstone::Report::Summary::lines($_[0]) },
);
# Other people's collectors take any other suffix beside these for a text report.
my @FILES = ([ text => '' ], [ html => '.html' ], [ log => '.log' ]);
# What the end of a run calls them. What people want first is last: it stays in sight.
my @CALLED = ([ table => 'table' ], [ log => 'log' ], [ text => 'report' ], [ html => 'page' ]);
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
        if (eval { Touchstone::Record->write_file($file, render($format, $record)) }) { $files{$format} = $file }
        else                                                                         { push @trouble, $@ }
    }
    return (\%files, @trouble);
}

# An answer on standard output.
sub say {
    my ($text) = @_;
    print $text and STDOUT->flush
        or die "cannot write to standard output: ", Touchstone::Machine::Limits::why($!), "\n";
    return 0;
}

# Before a run: what it will do and how long it takes.
sub announcement {
    my ($plan) = @_;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my @copies = map { $_->{copies} } @{ $plan->{blocks} };
    return 'nothing here can be measured with this number of copies' if !@copies;
    my $last = pop @copies;
    my $many = (@copies ? join(', ', @copies) . ' and ' : '') . Touchstone::Base::Text::copies($last);
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
    my %whole = map { $_->{name} => 1 } grep { Touchstone::Run::Plan::is_open($_) } map { $_->{test} } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return map { "$_ as long as it takes" } sort keys %whole;
}

# What an earlier run says about the precision that is asked for.
sub forecast {
    my ($plan, $run, $says) = @_;
    return "$plan->{rounds} " . ($plan->{rounds} == 1 ? 'pass is' : 'passes are') . ' too few for an interval: no score will be sure' if $plan->{rounds} < $Touchstone::Stats::FEWEST;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return 'no earlier run of this machine says how long that takes' if !defined $run || @{ $says->{unknown} } >= keys %tests;
    my ($late, $unknown) = map { join ', ', @{ $says->{$_} } } qw(late unknown);
    my $sure = sprintf 'sure to +- %g %%', $plan->{precision} * 100;
    my $scores = @{ $says->{late} } == 1 ? 'the score' : 'the scores';
    my $said = length $late ? "$scores of $late will not be $sure within this time"
        : 'it takes about ' . duration($says->{seconds}) . " until every score is $sure";
    return "judging by run $run, $said" . (length $unknown ? "; that run did not measure $unknown" : '');
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

# After a run: what Report::Summary says, and where everything is, as whole paths that can be copied.
sub summary {
    my ($record, $files, $columns) = @_;
    my @lines = Touchstone::Report::Summary::lines(Touchstone::Report::Model::of_record($record), columns => $columns);
    return (@lines, map { my ($format, $word) = @$_; defined $files->{$format} ? "$word: $files->{$format}" : () } @CALLED);
}

# The report form of the toolkit, of a record with results.
sub form {
    my ($format, $record) = @_;
    my $form = Touchstone::Suite::Lbt::Tables::form($record);
    return Touchstone::Suite::Lbt::Parts::json($form) if $format eq 'json';
    my $text = Touchstone::Suite::Lbt::Parts::text($form);
    return $text if $format eq 'text';
    my $part = [ form => split /\n/, $text ];
    return $format eq 'html' ? Touchstone::Report::Page::html('Linux Benchmarking Toolkit', [ heading => 'Linux Benchmarking Toolkit' ], $part) : Touchstone::Report::Page::markdown($part);
}

# The looks of verdicts: in a table, in the points above it and behind the name of an index.
sub verdicts {
    my %look = ($Touchstone::Compare::FASTER => 'good', $Touchstone::Compare::SLOWER => 'bad');
    return [ map { [ qr/(?:^  - |: |  )\K\Q$_\E(?=$|: | \()/m => $look{$_} ] } sort keys %look ];
}

sub comparison {
    my ($format, $comparison) = @_;
    my $report = Touchstone::Report::Compare::render($format, $comparison);
    return $format eq 'text' ? _wrapped(Touchstone::Terminal->of(\*STDOUT)->painted_by(verdicts(), $report)) : $report;
}

# What a machine can tell, a line for each test.
sub self_comparison {
    my ($comparison, $smallest) = @_;
    return _wrapped(Touchstone::Report::Page::text(Touchstone::Report::Compare::self_parts(Touchstone::Base::Text::plain_data($comparison), $smallest)));
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
            $window{$name} = Touchstone::Run::Plan::is_open($pass->{test}) ? 'as long as it takes' : sprintf '%.3g s', max($pass->{window}, $pass->{test}{least_seconds} // 0);
        }
        push @lines, Touchstone::Base::Text::copies($block->{copies}) . ': ' . join ', and ', _planned($block);
        push @lines, map { sprintf '  %-18s %3d x %s', $_, $passes{$_}, $window{$_} } sort @names;
    }
    return _wrapped(join '', map { "$_\n" } @lines);
}

# How long a copy count takes, as far as that can be known.
sub _planned {
    my ($block) = @_;
    my $known = $block->{seconds} - $block->{open};
    return ($known > 0 ? duration($known) : (), _whole_of({ blocks => [$block] }));
}

# A text for standard output, as wide as that is. Points have their texts below each other.
sub _wrapped {
    my ($text) = @_;
    my $columns = Touchstone::Terminal->of(\*STDOUT)->columns;
    return join '', map { "$_\n" } map { Touchstone::Terminal::Wrap::lines($_, width => $columns, hang => /\A  - / ? '    ' : '  ') } split /\n/, $text;
}

# All tests and groups, for people or as JSON.
sub list {
    my ($suite, $json) = @_;
    return Touchstone::Cli::Listing::text($suite, Touchstone::Terminal->of(\*STDOUT)) if !$json;
    my %categories = map { $_->[0] => $_->[1] } $suite->categories;
    my @tests = map { my $t = $_; { category => $categories{ $t->{category} }, map { $_ => $t->{$_} } qw(name title about suite class index better) } } $suite->tests;
    return Touchstone::Record::Json::encode({ tests => \@tests, groups => $suite->groups });
}

# For the name by which it was called.
sub help { return Touchstone::Cli::Options::help(Touchstone::Terminal->of(\*STDOUT)->columns, Touchstone::Cli::Manual::called()) }

1;
