# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Beside - what suites show beside published results, as parts of a page; nothing for a run without
# such a suite.
package Touchstone::Report::Beside;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Model;
use Touchstone::Suite;

# `wide`: there is room for wide tables.
sub parts {
    my ($model, %with) = @_;
    return map {
        $_->[1]->can('parts')->($model->{beside}{ $_->[0] }, %with, build => $model->{build}, _doubt($model))
    } _packages($model);
}

# A line for each suite that has one, or several.
sub headlines {
    my ($model) = @_;
    my @lines;
    for my $suite (_packages($model)) {
        my ($name, $package) = @$suite;
        my $tables = $model->{beside}{$name};
        push @lines, $package->can('headlines')->($tables) if $package->can('headlines');
        my $headline = $package->can('headline') or next;
        my @said     = $headline->($tables, _doubt($model));
        push @lines, join ', ', @said if @said;
    }
    return @lines;
}

# What stands behind a figure in a sentence.
sub _doubt { my ($model) = @_; return (doubt => Touchstone::Report::Model::not_valid($model)) }

# [name, package] of what this run has, in the order of the suites; the comparison with a run comes first. Few
# runs have one, so its modules are loaded for these alone.
sub _packages {
    my ($model) = @_;
    require Touchstone::Report::Compare::Baseline if $model->{beside}{against};
    my %package =
        (against => 'Touchstone::Report::Compare::Baseline', %{ Touchstone::Suite::packages('Parts') });
    my $suites = Touchstone::Suite::load()->{suites};
    my %place  = map { $_ => ($suites->{$_} || { order => 0 })->{order} } keys %{ $model->{beside} };
    return map { [ $_, $package{$_} ] }
        grep { $package{$_} } sort { $place{$a} <=> $place{$b} || $a cmp $b } keys %place;
}

1;
