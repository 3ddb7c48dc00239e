# SPDX-License-Identifier: GPL-2.0-or-later
# Report::PublishedResults - the run compared with published results of its suites, as parts of a report;
# nothing for a run without such a suite.
package Touchstone::Report::PublishedResults;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Model;
use Touchstone::Suite;

# `wide`: there is room for wide tables.
sub parts {
    my ($model, %with) = @_;
    return map {
        $_->[1]->can('parts')
            ->($model->{published}{ $_->[0] }, %with, build => $model->{build}, _doubt($model))
    } _packages($model);
}

# A line for each suite that has one, or several.
sub headlines {
    my ($model) = @_;
    my @lines;
    for my $suite (_packages($model)) {
        my ($name, $package) = @$suite;
        my $tables = $model->{published}{$name};
        push @lines, $package->can('headlines')->($tables) if $package->can('headlines');
        my $headline = $package->can('headline') or next;
        my @phrases  = $headline->($tables, _doubt($model));
        push @lines, join ', ', @phrases if @phrases;
    }
    return @lines;
}

# The style of their parts.
sub css {
    my ($model) = @_;
    return join '', map { $_->[1]->can('css') ? $_->[1]->can('css')->() : '' } _packages($model);
}

# What stands behind a figure in a sentence.
sub _doubt { my ($model) = @_; return (doubt => Touchstone::Report::Model::not_valid($model)) }

# [name, package] of what this run has, in the order of the suites; the comparison with a run comes first. Few
# runs have one, so its modules are loaded for these alone.
sub _packages {
    my ($model) = @_;
    require Touchstone::Report::Compare::Baseline if $model->{published}{against};
    my %package =
        (against => 'Touchstone::Report::Compare::Baseline', %{ Touchstone::Suite::packages('Parts') });
    my $suites = Touchstone::Suite::load()->{suites};
    my %place  = map { $_ => ($suites->{$_} || { order => 0 })->{order} } keys %{ $model->{published} };
    return map { [ $_, $package{$_} ] }
        grep { $package{$_} } sort { $place{$a} <=> $place{$b} || $a cmp $b } keys %place;
}

1;
