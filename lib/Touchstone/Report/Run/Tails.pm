# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Tails - the section of a page about the slowest operations: what they were in a sentence, a
# curve for each test, and a table of the figures of each copy count.
package Touchstone::Report::Run::Tails;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Tails;
use Touchstone::Suite;

our $HOW =
      'Log scales. Bars: 95 % intervals, from the order of the passes. The worst is one operation without '
    . 'an interval; 99.9 % rests on few operations: neither is scored.';

sub parts {
    my ($model) = @_;
    my @blocks = grep { Touchstone::Report::Tails::of_block($_) } @{ $model->{blocks} } or return;

    # The fewest and the most of many copy counts are enough: all are in the tables.
    my @drawn = @blocks > $Touchstone::Report::Plot::Quantiles::LINES ? @blocks[ 0, -1 ] : @blocks;
    return (
        _sentences(@blocks),
        [ picture => Touchstone::Report::Plot::Quantiles::legend(map { copies($_->{count}) } @drawn) ],
        [ block   => { class => 'tails' }, map { [ picture => _picture($_, @drawn) ] } _names(@drawn) ],
        [ text    => { text  => $HOW, class => 'dim' } ],
        map { [ table => Touchstone::Report::Tails::table($_) ] } @blocks
    );
}

sub _names {
    my (@blocks) = @_;
    my %seen;
    return Touchstone::Suite::arranged(sub { $_[0] },
        grep { !$seen{$_}++ } map { $_->{name} } map { Touchstone::Report::Tails::of_block($_) } @blocks);
}

sub _picture {
    my ($name, @blocks) = @_;
    my @found = map {
        my $block = $_;
        map { [ $block, $_ ] } grep { $_->{name} eq $name } Touchstone::Report::Tails::of_block($block)
    } @blocks;
    return Touchstone::Report::Plot::Quantiles::picture(
        title => Touchstone::Suite::label($found[0][1]),
        lines => [ map { { name => copies($_->[0]{count}), tail => $_->[1]{tail} } } @found ]
    );
}

# The sentences of the fewest copies; tables have all.
sub _sentences {
    my ($block) = @_;
    my $with = $block->{count} == 1 ? '' : ' with ' . copies($block->{count});
    return [
        points => map {
            my $sentence = Touchstone::Report::Tails::sentence($_->{tail});
            Touchstone::Suite::label($_) . "$with: $sentence."
        } Touchstone::Report::Tails::of_block($block)
    ];
}

1;
