# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Summary - what a person reads in five seconds when a run has ended:
#
#   index, 1 copy: 1782 +- 0.6 % (1771 to 1793)
#   least certain: context1 +- 14 % (27 passes), shell8 +- 2.1 % (9 passes)
#   9 of 85 passes were disturbed by other processes (9); without them the index is +0.4 % with 1 copy
#
# Programs search what is printed for results: Progress has the words that must not be here.
package Touchstone::Report::Summary;
use 5.014;
use strict;
use warnings;

use Touchstone::Report;
use Touchstone::Report::Beside;
use Touchstone::Report::Fixed;
use Touchstone::Report::Scaling;
use Touchstone::Text;

my $NAMED = 3;

sub lines {
    my ($model) = @_;
    return ((map { _index_lines($_) } @{ $model->{blocks} }), Touchstone::Report::Beside::headlines($model), _least_certain($model), _below($model), _without_disturbed($model), _warnings($model),
        $model->{speedup} ? Touchstone::Report::Scaling::lines($model->{speedup}, 'name')
            : $model->{scaling} ? Touchstone::Report::scaling_lines($model->{scaling}, 'name') : ());
}

sub _index_lines {
    my ($block) = @_;
    my @lines;
    for my $index (map { @{ $_->{lines} } } @{ $block->{tables} }) {
        my $name = ($index->{partial} ? 'partial ' : '') . $index->{name};
        my @limits = map { Touchstone::Report::figure($_, $index->{interval}) } @{ $index->{interval} || [] };
        push @lines, "$name, " . Touchstone::Text::copies($block->{count}) . ': ' . Touchstone::Report::index_score($index)
            . (@limits ? ' ' . Touchstone::Report::sureness($index->{precision}) . " ($limits[0] to $limits[1])" : ', n too small for an interval');
    }
    return @lines;
}

sub _least_certain {
    my ($model) = @_;
    my @tests = map { my $block = $_; map { { %$_, copies => $block->{count} } } @{ $block->{tests} } } @{ $model->{blocks} };
    my @known = sort { $b->{precision} <=> $a->{precision} || $a->{name} cmp $b->{name} } grep { defined $_->{precision} } @tests or return;
    splice @known, $NAMED if @known > $NAMED;
    return 'least certain: ' . join ', ', map { Touchstone::Text::named($_) . ' ' . Touchstone::Report::sureness($_->{precision}) . " ($_->{passes} passes)" } @known;
}

sub _below {
    my ($model) = @_;
    my @tests = map { my $block = $_; map { { %$_, copies => $block->{count} } } @{ $block->{below} } } @{ $model->{blocks} };
    return @tests ? "$Touchstone::Report::Fixed::BELOW: " . join ', ', map { Touchstone::Text::named($_) } @tests : ();
}

# How the index would change.
sub _without_disturbed {
    my ($model) = @_;
    my @changes;
    for my $block (@{ $model->{blocks} }) {
        for my $index (grep { defined $_->{clean_score} && $_->{score} > 0 } map { @{ $_->{lines} } } @{ $block->{tables} }) {
            my $change = sprintf '%+.1f %%', ($index->{clean_score} / $index->{score} - 1) * 100;
            push @changes, ($index->{name} eq 'index' ? '' : "$index->{name} ") . "$change with " . Touchstone::Text::copies($block->{count}) if $change !~ /\A.0\.0 /;
        }
    }
    return @changes ? 'without the disturbed passes the index would change by ' . join ', ', @changes : ();
}

# Those from before the run were said with their remedies then.
sub _warnings {
    my ($model) = @_;
    my @late  = grep { $_->{late} } @{ $model->{warnings} };
    my @early = grep { !$_->{late} } @{ $model->{warnings} };
    my %seen;
    return ((map { "warning: $_->{text}" . (defined $_->{remedy} ? "; $_->{remedy}" : '') } @late),
        @early ? 'warnings from before the run: ' . join(', ', grep { !$seen{$_}++ } map { $_->{id} } @early) : ());
}

1;
