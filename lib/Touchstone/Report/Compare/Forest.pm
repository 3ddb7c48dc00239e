# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Forest - a pair of runs that Compare has judged, as pictures of Report::Plot::Forest for a
# page: one for each copy count, all on one scale. A point is the ratio of both runs, the line its 95 %
# interval, and the band the differences that are too small to be detected. The table below the picture has
# the figures.
package Touchstone::Report::Compare::Forest;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies short);
use Touchstone::Report::Compare::Verdict qw(difference limits);
use Touchstone::Report::Plot::Forest;
use Touchstone::Report::Verdict qw(class is_clear sign word);

# The name of a run has at most this many letters.
my $NAME = 36;

# A scale of several pairs may be this many times as wide as that of one pair.
my $CROWDED = 3;

# Returns parts of a page:
#
#   pair     a pair of Compare
#   names    of both runs
#   among    the pairs that share the scale, usually this one only; if they are much further apart, the pair
#            has a scale of its own
#   legend   whether it is explained
#   of       what is shown, if it is not all: it stands before the number of copies
sub parts {
    my (%is)  = @_;
    my @rows  = _rows($is{pair});
    my $axis  = _shared_scale(\@rows, map { _rows($_) } @{ $is{among} || [] }) or return;
    my @heads = map { short($_, $NAME) . ' faster' } @{ $is{names} };
    my (%with, @parts);
    push @{ $with{ $_->{copies} } }, $_ for @rows;
    for my $copies (sort { $a <=> $b } keys %with) {
        push @parts, Touchstone::Report::Plot::Forest::parts(
            title       => (defined $is{of} ? "$is{of}, " : '') . copies($copies),
            axis        => $axis,
            heads       => \@heads,
            rows        => $with{$copies},
            description => sub {
                my ($title, @shown) = @_;
                return "$title: " . _counted(@shown) . '. The table has the figures.';
            }
        );
    }
    return ($is{legend} ? _legend($is{names}[0], @rows) : (), @parts);
}

sub _rows {
    my ($pair) = @_;
    my @rows = ((map { _row($_) } @{ $pair->{tests} }), map { _row($_, 1) } @{ $pair->{indexes} });
    for my $i (1 .. $#rows) { $rows[$i]{rule} = $rows[$i]{bold} && !$rows[ $i - 1 ]{bold} }
    return @rows;
}

sub _row {
    my ($row, $is_index) = @_;
    my $verdict = $row->{verdict};
    return +{
        (map { $_ => $row->{$_} } qw(copies ratio interval detectable verdict)),
        name       => Touchstone::Report::Compare::Verdict::label($row, 'html'),
        bold       => $is_index,
        is_diamond => $is_index,
        is_clear   => is_clear($verdict),
        class      => class($verdict),
        sign       => sign($verdict),
        word       => word($verdict),
        tip        => _tip($row)
    };
}

sub _tip {
    my ($row) = @_;
    my @figures = @$row{qw(ratio interval)};
    return
          ($row->{label} // $row->{name}) . ': '
        . difference(@figures)
        . ($row->{interval} ? ' (' . limits(@figures) . ')' : '') . ', '
        . word($row->{verdict})
        . (defined $row->{why} ? ": $row->{why}" : '');
}

# Explains how to read what is in the picture.
sub _legend {
    my ($first, @rows) = @_;
    my @phrases = (
        "Dot: speed compared with $first (right: faster), filled if significant.",
        (grep { $_->{interval} } @rows)
        ? 'Line: 95 % interval, with an arrow where it leaves the scale.'
        : (),
        (grep { $_->{detectable} } @rows) ? 'Grey: too small to detect.'  : (),
        (grep { $_->{bold} } @rows)       ? 'Diamond: an index.'          : (),
        (grep { !$_->{interval} } @rows)  ? 'Without a line: not tested.' : ()
    );
    return [ text => { text => "@phrases", class => 'dim' } ];
}

# Returns the scale of all pairs if that leaves enough room for these rows, otherwise one of their own.
sub _shared_scale {
    my ($rows, @all) = @_;
    my $local  = Touchstone::Report::Plot::Forest::scale(@$rows) or return;
    my $shared = Touchstone::Report::Plot::Forest::scale(@all ? @all : @$rows);
    my ($one, $several) = map { log($_->{to} / $_->{from}) } $local, $shared;
    return $several <= $CROWDED * $one ? $shared : $local;
}

# Returns "2 faster, 1 slower".
sub _counted {
    my %count;
    $count{ $_->{verdict} }++ for @_;
    return join ', ',
        map { "$count{$_} " . word($_) } grep { $count{$_} } Touchstone::Report::Verdict::order();
}

1;
