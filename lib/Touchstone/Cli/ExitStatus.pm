# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::ExitStatus - what a run lacks of all that was asked for, in words, and the exit status that follows
# from that: of a run that has just ended, or of a stored one.
package Touchstone::Cli::ExitStatus;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Model;
use Touchstone::Score;

# What stopped the run, and the tests that failed or were skipped.
sub lost {
    my ($facts, $signal) = @_;
    my (%seen, @words);
    push @words, "stopped by SIG$signal" if $signal;
    push @words, "$_->{test} failed"      for grep { !$seen{ $_->{test} }++ } @{ $facts->{failures} };
    push @words, "$_->{test} was skipped" for grep { !$seen{ $_->{test} }++ } @{ $facts->{skipped} };
    return join ', ', @words if @words;
    return;
}

# Tests that have a score but not all of their parts, in the words of their warnings; a reason of several
# is said once.
sub partial {
    my ($facts, $results) = @_;
    my @tests   = map { @{ $_->{tests} } } @{ $results->{blocks} };
    my %partial = map { $_->{name} => 1 } grep { $_->{missing} } @tests;
    my (%names, @order);
    for my $text (map { $_->{text} } grep { $_->{id} eq 'partial' } @{ $facts->{warnings} }) {
        my ($name, $rest) = $text =~ /\A(\S+) is (.*)/s or next;
        next if !$partial{$name};
        push @order, $rest if !$names{$rest};
        push @{ $names{$rest} }, $name;
    }
    return if !@order;
    my $are = sub { return join(', ', @{ $_[0] }) . (@{ $_[0] } > 1 ? ' are ' : ' is ') };
    return 'not all was measured: ' . join '; ', map { $are->($names{$_}) . $_ } @order;
}

# Why scores are not valid, of the models of runs.
sub invalid {
    my (@models) = @_;
    my %seen;
    my @ids = grep { !$seen{$_}++ }
        map { $_->{id} } grep { $_->{invalid} } map { @{ $_->{warnings} } } @models;
    return @ids ? 'the scores are not valid (--strict): ' . join(', ', @ids) : ();
}

# (exit status, what it is for) of a stored run that ended. The record has what --fail-on found.
sub of_stored {
    my ($facts, $strict) = @_;
    my $results = Touchstone::Score::score_run($facts, ended => 1);
    my @lacks   = (
        lost($facts),
        partial($facts, $results),
        $strict ? invalid(Touchstone::Report::Model::build_model($facts, $results)) : ()
    );
    return (1, join '; ', @lacks) if @lacks;
    my $against = $facts->{against} || {};
    return (defined $against->{fail_on} ? $against->{status} : 0);
}

1;
