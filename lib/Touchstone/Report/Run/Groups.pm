# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Groups - the parts of an index as bars, between the index and the single tests: how far each
# is from the reference, all on one scale. Below them is what stands for itself, such as the index of a disk.
#
#   Part       500      1000     2000        1 copy        2 copies
#   Compute           --|##                  898.7 ±0.3 %  1781 ±0.2 %
#   Memory        ######|                    517.7 ±0.3 %   849 ±0.3 %
package Touchstone::Report::Run::Groups;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(column_index shown sureness);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Gains;
use Touchstone::Report::Groups;
use Touchstone::Report::Plot::ScoreBars;
use Touchstone::Report::Model;
use Touchstone::Report::Render::Html qw(spaced table text);

our $CSS = <<'CSS';
.parts { margin-bottom: .4rem; }
.parts .base { stroke: var(--ink); }
.aside { font-size: .95rem; }
CSS

# More copy counts than these have columns and bars of the fewest and the most alone.
my $COLUMNS = 4;

# The scale reaches at least so far down and up from the reference.
my @REACH = (0.5, 2.3);

sub html {
    my ($model) = @_;
    my @said = (
        Touchstone::Report::Groups::consistency($model),
        Touchstone::Report::Groups::asides($model, \&_name)
    );
    return join '', (map { _table($model, $_) } Touchstone::Report::Groups::of($model)),
        map { '<p class="aside">' . text(ucfirst) . ".</p>\n" } @said;
}

sub _name { return Touchstone::Report::Model::name_of_index($_[0]) }

sub _table {
    my ($model, $group) = @_;
    my @places = 0 .. $#{ $group->{blocks} };
    @places = @places[ 0, -1 ] if @places > $COLUMNS;
    my @counts = map { $group->{blocks}[$_]{count} } @places;
    my @solid  = Touchstone::Report::Plot::ScoreBars::solidity(scalar @places);
    my @lines  = grep { $_ } map { @{ $_->{lines} }[@places] } @{ $group->{rows} };
    my $scale  = Touchstone::Report::Plot::ScoreBars::scale(
        $group->{whole}{base},
        (map { +{ index => $_ * $group->{whole}{base} } } @REACH),
        map { +{ index => $_->{score}, interval => $_->{interval} } } @lines
    );
    my @keys =
        @counts > 1
        ? map { Touchstone::Report::Plot::ScoreBars::key($solid[$_], copies($counts[$_])) } 0 .. $#counts
        : ();
    my $head = join '', '<div class="test"><span>Part</span><div>Index, log scale ', @keys,
        Touchstone::Report::Plot::ScoreBars::axis($scale), '</div></div>';
    my $of   = { model => $model, scale => $scale, places => \@places, counts => \@counts, solid => \@solid };
    my $is   = _name({ %{ $group->{whole} }, partial => 0 }) . ': its parts';
    my $void = $model->{void} ? ' class="invalid"' : '';
    return "<div$void>\n"
        . table(
        class   => 'results parts pinned',
        caption => text($model->{void}                                ? "$is $DASH not valid" : $is),
        head    => [ $head, (map { copies($_) } @counts), @counts > 1 ? 'Speed-up'            : () ],
        more    => @counts > 1 ? [ 1 + @counts ] : [],
        rows    => [ map { _row($of, $_) } @{ $group->{rows} } ]
        ) . "</div>\n";
}

sub _row {
    my ($of, $row) = @_;
    my @lines  = @{ $row->{lines} }[ @{ $of->{places} } ];
    my ($part) = grep { $_ && $_->{partial} } @lines;
    my @bars   = map {
        $lines[$_]
            ? {
            index    => $lines[$_]{score},
            interval => $lines[$_]{interval},
            solid    => $of->{solid}[$_],
            tip      => _tip($of->{counts}[$_], $lines[$_])
            }
            : undef
    } 0 .. $#lines;
    my $called = text($row->{called}) . ($part ? ' <small>' . text($part->{part}) . '</small>' : '');
    my $first =
          qq{<div class="test"><span>$called</span>}
        . Touchstone::Report::Plot::ScoreBars::row($of->{scale}, @bars)
        . '</div>';
    return [ $first, (map { _figure($_) } @lines), @lines > 1 ? _gained($lines[-1]) : () ];
}

sub _tip {
    my ($count, $line) = @_;
    my $limits = join " $DASH ", map { shown($_, $line->{interval}) } @{ $line->{interval} || [] };
    return
          copies($count) . ': '
        . shown(@$line{qw(score interval places)})
        . (length $limits ? ", 95 %: $limits" : '');
}

sub _figure {
    my ($line) = @_;
    return $DASH if !$line;
    my $sure = defined $line->{precision} ? ' <small>' . text(sureness($line->{precision})) . '</small>' : '';
    return [ '<b>' . spaced(text(column_index(@$line{qw(score interval)}))) . "</b>$sure", $line->{score} ];
}

sub _gained {
    my ($line) = @_;
    return $DASH if !$line || !defined $line->{gained};
    return text(Touchstone::Report::Gains::over_first($line) =~ s/ (?:one copy|\d+ copies)\z//ar);
}

1;
