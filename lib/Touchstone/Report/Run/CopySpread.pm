# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::CopySpread - how far the copies of a pass are apart. Each copy count above 1 has a fold with a
# picture (Report::Plot::CopySpread) and a table; it is open where the spread is unusual.
package Touchstone::Report::Run::CopySpread;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Plot::CopySpread;
use Touchstone::Suite;

sub parts {
    my ($model) = @_;
    my @blocks = grep { %{ $_->{spreads} } } @{ $model->{blocks} } or return;
    my $how_to_read =
        'Each dot is one copy in one pass, relative to the mean of that pass. Wide scatter: unequal CPUs or '
        . 'unfair scheduling. Arrow: off the scale. In each row the first copy is on top.';
    return ([ text => { text => $how_to_read, class => 'dim' } ], map { _fold($_) } @blocks);
}

sub _fold {
    my ($block) = @_;
    my @tests = map { +{ %{ $block->{spreads}{ $_->{name} } || {} }, title => Touchstone::Suite::label($_) } }
        Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
    my $open     = grep { $_->{unusual} } @tests;
    my @pictures = Touchstone::Report::Plot::CopySpread::pictures($block->{count}, @tests);
    return [
        fold => { text => _summary($block, @tests), class => 'says', open => $open },
        [
            block => { class => 'pair' },
            [ block => {}, map { [ picture => $_ ] } @pictures ],
            [ block => {}, [ table => _table($block, @tests) ] ]
        ]
    ];
}

# Returns "2 copies: spread of a test 0.07 % to 8.2 % (Process creation)".
sub _summary {
    my ($block, @tests) = @_;
    my $count = copies($block->{count});
    my ($widest, @more) = sort { $b->{middle} <=> $a->{middle} } grep { defined $_->{middle} } @tests
        or return $count;
    my @range = map { part($_->{middle}) } @more ? ($more[-1], $widest) : $widest;
    return "$count: spread of a test " . join(' to ', @range) . (@more ? " ($widest->{title})" : '');
}

# Records do not tell the last two where starts of programs are unknown.
sub _table {
    my ($block, @tests) = @_;
    my $part = sub {
        my ($key) = @_;
        return sub { defined $_[0]{$key} ? part($_[0]{$key}) : $DASH };
    };
    my $skew = sub { defined $_[0]{skew} ? sprintf('%.3f ms', $_[0]{skew} * 1e3) : $DASH };
    return {
        caption => 'Spread, ' . copies($block->{count}) . ': (fastest - slowest copy) / median',
        class   => 'pinned',
        rows    => \@tests,
        columns => [
            { title => 'Test',            cell => sub { $_[0]{title} } },
            { title => 'Passes',          cell => sub { $_[0]{passes} }, more => 1 },
            { title => 'Median',          cell => $part->('middle') },
            { title => 'Largest',         cell => $part->('largest') },
            { title => 'Start skew, max', cell => $skew, more => 1, spare => 1 },
            { title => 'Overlap, min',    cell => $part->('share'), spare => 1 }
        ]
    };
}

1;
