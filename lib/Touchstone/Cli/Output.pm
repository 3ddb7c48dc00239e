# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Output - what the command prints on standard output: comparisons, forms, lists, a dry run.
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
use Touchstone::Record::Json;
use Touchstone::Report::Compare;
use Touchstone::Report::Page;
use Touchstone::Run::Plan;
use Touchstone::Run::Words;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;
use Touchstone::Terminal::Wrap;
use Touchstone::Terminal;

# An answer on standard output.
sub say {
    my ($text) = @_;
    print $text and STDOUT->flush
        or die "cannot write to standard output: ", Touchstone::Machine::Limits::why($!), "\n";
    return 0;
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
    my @lines = (Touchstone::Run::Words::announcement($plan), "usable CPUs: $cpus->{usable_count}, seed: $plan->{seed}");
    push @lines, (@builds > 1 ? 'each pass with each of the builds ' : 'with the build ') . join ', ', map { "'$_->{name}'" . ($_->{asked} =~ /\S/ ? " ($_->{asked})" : '') } @builds if @builds;
    push @lines, '';
    for my $block (@{ $plan->{blocks} }) {
        my (%passes, %window, @names);
        for my $pass (grep { $_->{round} } @{ $block->{passes} }) {
            my $name = $pass->{test}{name};
            push @names, $name if !$passes{$name}++;
            $window{$name} = Touchstone::Run::Plan::is_open($pass->{test}) ? 'as long as it takes' : sprintf '%.3g s', max($pass->{window}, $pass->{test}{least_seconds} // 0);
        }
        push @lines, Touchstone::Base::Text::copies($block->{copies}) . ': ' . join ', and ', Touchstone::Run::Words::planned($block);
        push @lines, map { sprintf '  %-18s %3d x %s', $_, $passes{$_}, $window{$_} } sort @names;
    }
    return _wrapped(join '', map { "$_\n" } @lines);
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
