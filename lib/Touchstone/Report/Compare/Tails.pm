# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Tails - the slowest operations of several runs: a table, and on a page a picture for each
# test in which the runs are overlaid.
#
#   Slowest operations, 1 copy
#     Test    Run                 50 %                99 %   Worst      Of
#     wakeup  vm  10.6 us (9.97 to 10.8)  52.6 us (51 to 57)  1.37 ms  19,800
#     wakeup  b   ...
package Touchstone::Report::Compare::Tails;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies short);
use Touchstone::Report::Run::Tails;
use Touchstone::Report::Render::Html qw(text);
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Tails;
use Touchstone::Suite;

# A run has so many letters in a text.
my $NAME = 14;

# `how`: as Touchstone::Report::Compare::Tables has it.
sub parts {
    my ($comparison, %how) = @_;
    my @tests = _tests($comparison) or return;
    my %with;
    push @{ $with{ $_->{copies} } }, $_ for @tests;
    my @counts = sort { $a <=> $b } keys %with;
    my @tables = map  { [ table => _table($_, $how{form}, $how{columns}, @{ $with{$_} }) ] } @counts;
    return @tables if $how{form} ne 'html';
    return (
        [ heading => 'Slowest operations' ],
        (map { [ picture => _pictures($_, $comparison, @{ $with{$_} }) ] } @counts),
        [ fold => 'Figures of the slowest operations', @tables ]
    );
}

# The tests of which two runs or more have a tail, in the order of the first pair that has them:
#
#   { name, title, copies, lines => [ { name => a run, place, tail } ] }
sub _tests {
    my ($comparison) = @_;
    my ($first, @called) = @{ $comparison->{called} };
    my (%test, @order);
    for my $place (0 .. $#{ $comparison->{pairs} }) {
        for my $row (grep { $_->{tails} } @{ $comparison->{pairs}[$place]{tests} }) {
            my $test = $test{ $row->{key} };
            if (!$test) {
                $test = $test{ $row->{key} } =
                    { %$row, lines => [ { name => $first, place => 0, tail => $row->{tails}[0] } ] };
                push @order, $test;
            }
            push @{ $test->{lines} },
                { name => $called[$place], place => $place + 1, tail => $row->{tails}[1] };
        }
    }
    return @order;
}

# Only the first runs can be distinguished in a picture; tables have all.
sub _pictures {
    my ($copies, $comparison, @tests) = @_;
    my $most = $Touchstone::Report::Plot::Quantiles::LINES;
    my $cut  = @{ $comparison->{called} } - $most;
    my $left = $cut > 0 ? "<p>The pictures show the first $most runs; the figures have all.</p>\n" : '';
    return join '', '<h3>', text(ucfirst copies($copies)), "</h3>\n",
        Touchstone::Report::Plot::Quantiles::legend(@{ $comparison->{called} }), $left,
        qq{<div class="tails">\n}, (
        map {
            my $test = $_;
            Touchstone::Report::Plot::Quantiles::picture(
                title => Touchstone::Suite::label($test),
                lines => [ grep { $_->{place} < $most } @{ $test->{lines} } ]
            )
        } @tests
        ),
        qq{</div>\n<p class="dim">$Touchstone::Report::Run::Tails::HOW</p>\n};
}

sub _table {
    my ($copies, $form, $columns, @tests) = @_;
    my @rows = map {
        my $test  = $_;
        my $label = $form eq 'html' ? Touchstone::Suite::label($test) : $test->{name};
        map {
            my ($of, @cells) = Touchstone::Report::Tails::cells($_->{tail}, brief => $form eq 'text');
            [ $label, $form eq 'text' ? short($_->{name}, $NAME) : $_->{name}, @cells ]
        } @{ $test->{lines} }
    } @tests;
    return {
        caption => 'Slowest operations, ' . copies($copies),
        head    => [ 'Test', 'Run', Touchstone::Report::Tails::heads() ],
        left    => [ 0, 1 ],
        spare   => [ 2 .. $#{ $rows[0] } ],
        rows    => \@rows,
        $form eq 'text' ? (within => $columns) : ()
    };
}

1;
