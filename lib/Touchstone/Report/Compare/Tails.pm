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
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Run::Tails;
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Tails;
use Touchstone::Suite;

# A run has so many letters in a text.
my $NAME = 14;

# `columns` of a text.
sub parts {
    my ($comparison, %how) = @_;
    my @tests = _tests($comparison) or return;
    my %with;
    push @{ $with{ $_->{copies} } }, $_ for @tests;
    my @counts = sort { $a <=> $b } keys %with;
    my @tables = map  { [ table => _table($_, $how{columns}, @{ $with{$_} }) ] } @counts;
    my $page   = sub {
        return [
            section => { title => 'Slowest operations' },
            (map { _pictures($_, $comparison, @{ $with{$_} }) } @counts),
            [ fold => 'Figures of the slowest operations', @tables ]
        ];
    };
    return ([ in => [qw(text markdown)], @tables ], [ in => ['html'], $page ]);
}

# The tests of which two runs or more have a tail, in the order of the first pair that has them:
#
#   { name, title, copies, lines => [ { name => a run, place, tail } ] }
sub _tests {
    my ($comparison) = @_;
    my ($first, @labels) = @{ $comparison->{label} };
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
                { name => $labels[$place], place => $place + 1, tail => $row->{tails}[1] };
        }
    }
    return @order;
}

# Only the first runs can be distinguished in a picture; tables have all.
sub _pictures {
    my ($copies, $comparison, @tests) = @_;
    my $most = $Touchstone::Report::Plot::Quantiles::LINES;
    my $cut  = @{ $comparison->{label} } - $most;
    return (
        [ heading => ucfirst copies($copies) ],
        [ picture => Touchstone::Report::Plot::Quantiles::legend(@{ $comparison->{label} }) ],
        $cut > 0 ? [ text => "The pictures show the first $most runs; the figures have all." ] : (),
        [ block => { class => 'tails' }, map { [ picture => _picture($most, $_) ] } @tests ],
        [ text  => { text  => $Touchstone::Report::Run::Tails::HOW, class => 'dim' } ]
    );
}

sub _picture {
    my ($most, $test) = @_;
    return Touchstone::Report::Plot::Quantiles::picture(
        title => Touchstone::Suite::label($test),
        lines => [ grep { $_->{place} < $most } @{ $test->{lines} } ]
    );
}

# A text has little room: halves of intervals, and short names.
sub _table {
    my ($copies, $columns, @tests) = @_;
    my @rows = map {
        my $test = $_;
        map { +{ %$_, test => $test } } @{ $test->{lines} }
    } @tests;
    return {
        caption => 'Slowest operations, ' . copies($copies),
        columns => [
            Touchstone::Report::Compare::Tables::test_columns(sub { $_[0]{test} }),
            _columns(['text'], brief => 1),
            _columns([qw(markdown html)])
        ],
        rows   => \@rows,
        within => $columns
    };
}

sub _columns {
    my ($forms, %how) = @_;
    my @heads   = Touchstone::Report::Tails::heads();
    my $name    = sub { $how{brief} ? short($_[0]{name}, $NAME) : $_[0]{name} };
    my @figures = map {
        my $i    = $_ + 1;
        my $cell = sub { (Touchstone::Report::Tails::cells($_[0]{tail}, %how))[$i] };
        { title => $heads[$_], spare => 1, in => $forms, cell => $cell }
    } 0 .. $#heads;
    return ({ title => 'Run', left => 1, in => $forms, cell => $name }, @figures);
}

1;
