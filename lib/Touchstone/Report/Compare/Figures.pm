# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Figures - the figures of a pair as parts of a report: tables, on pages with a picture above
# each, and what explains them.
package Touchstone::Report::Compare::Figures;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Tables qw(copy_counts heads);
use Touchstone::Report::Compare::Verdict;

# What one of the columns is called, and what the verdicts allow for.
my $LIMIT = 'Min. detectable';
my $HOLM  = 'Verdicts are corrected for their number (Holm).';

# Scores of a busy machine have another ratio than turns that met the same.
my $TURNS = 'Paired speed, interval and verdict come from turns that met the same moments; what a build'
    . ' delivered over the whole run may have another ratio.';

# Parts of an index stand between the answer and the single tests.
my $OF_PARTS = 'Parts';

# The pair without the parts of its indexes, and with nothing else.
sub without_parts {
    my ($pair) = @_;
    return { %$pair, indexes => [ grep { !_is_part($_) } @{ $pair->{indexes} } ] };
}

sub _parts_of {
    my ($pair) = @_;
    return { %$pair, tests => [], indexes => [ grep { _is_part($_) } @{ $pair->{indexes} } ] };
}

sub _is_part { my ($index) = @_; return ($index->{role} // '') eq 'part' }

# The parts of indexes, of two runs or of many.
sub of_parts {
    my ($comparison, %how) = @_;
    my ($first, @others) = map { _parts_of($_) } @{ $comparison->{pairs} };
    return if !grep { @{ $_->{indexes} } } $first, @others;
    return Touchstone::Report::Compare::Tables::of_many({ %$comparison, pairs => [ $first, @others ] },
        %how, of => $OF_PARTS)
        if @others;
    return parts($first, $comparison->{called}, [$first], %how, of => $OF_PARTS);
}

# `names` are those of both runs; `among` the pairs with which the pictures share a scale; `how` as Tables has
# it, with `of`, what is shown if it is not all.
sub parts {
    my ($pair, $names, $among, %how) = @_;
    return (
        Touchstone::Report::Compare::Tables::of_two($pair, $names, %how),
        [ in => ['html'], sub { on_page($pair, $names, $among, $how{of}) } ]
    );
}

# A picture of each copy count with its table. The first explains them.
sub on_page {
    my ($pair, $names, $among, $of) = @_;
    my @counts = copy_counts($pair);
    my %with   = (among => $among, of => $of);
    return map { _of_copies($_, $pair, $names, %with, legend => !defined $of && $_ == $counts[0]) } @counts;
}

sub _of_copies {
    my ($copies, $pair, $names, %with) = @_;
    my ($tests, $indexes) = map {
        [ grep { $_->{copies} == $copies } @$_ ]
    } @$pair{qw(tests indexes)};
    my @picture = Touchstone::Report::Compare::Forest::parts(
        pair  => { tests => $tests, indexes => $indexes },
        names => $names,
        %with
    );
    my $of    = !@picture ? $with{of} : defined $with{of} ? "$with{of} in figures" : 'Scores';
    my %how   = (wide => 1, page => 1, pictured => scalar @picture, of => $of);
    my $table = Touchstone::Report::Compare::Tables::of_copies($pair, $copies, [ heads(@$names) ], %how);
    return (@picture, [ table => $table ]);
}

# Explains what these parts show of some pairs, in each form, if there is anything to explain. A narrow text
# has no room for limits; a page shows all that are known.
sub how_to_read {
    my ($parts, @pairs) = @_;
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @pairs;
    return if !grep { $_->{interval} } @rows;
    my %has_limit = map { $_ => _has_limit($_, @$parts) } qw(text markdown);
    $has_limit{html} = grep { defined $_->{detectable} } @rows;
    my @turns  = (grep { $_->{sittings} } @rows) ? $TURNS : ();
    my @common = Touchstone::Report::Compare::Verdict::of_common(@rows);
    return map {
        my @limit = $has_limit{$_} ? "$LIMIT: the smallest difference that would have been noticed." : ();
        [ in => [$_], [ text => join ' ', $HOLM, @turns, @limit, @common ] ]
    } sort keys %has_limit;
}

sub _has_limit {
    my ($form, @parts) = @_;
    my @inner = map { @$_[ 2 .. $#$_ ] } grep {
        $_->[0] eq 'in' && grep { $_ eq $form }
            @{ $_->[1] }
    } @parts;
    my @titles = map { $_->{title} } map { @{ $_->[1]{columns} || [] } } grep { $_->[0] eq 'table' } @parts,
        @inner;
    return scalar grep { $_ eq $LIMIT } @titles;
}

1;
