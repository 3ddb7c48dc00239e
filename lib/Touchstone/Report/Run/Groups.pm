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

use Touchstone::Base::Figure qw(shown);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Gains;
use Touchstone::Report::Groups;
use Touchstone::Report::Model;
use Touchstone::Report::Run::Results;

# More copy counts than these have columns and bars of the fewest and the most alone.
my $COLUMNS = 4;

# The scale reaches at least so far down and up from the reference.
my @REACH = (0.5, 2.3);

sub parts {
    my ($model) = @_;
    my @said = (
        Touchstone::Report::Groups::consistency($model),
        Touchstone::Report::Groups::asides($model, \&Touchstone::Report::Model::name_of_index)
    );
    return (
        (map { _table($model, $_) } Touchstone::Report::Groups::of($model)),
        @said ? [ text => map { { text => ucfirst() . '.', class => 'aside' } } @said ] : ()
    );
}

sub _table {
    my ($model, $group) = @_;
    my $whole  = $group->{whole};
    my @places = 0 .. $#{ $group->{blocks} };
    @places = @places[ 0, -1 ] if @places > $COLUMNS;
    my %panel = (
        base   => $whole->{base},
        places => \@places,
        counts => [ map { $_->{count} } @{ $group->{blocks} } ]
    );
    my @rows = map {
        {
            %$_, lines => [ map { _as_test($_) } @{ $_->{lines} }[@places] ]
        }
    } @{ $group->{rows} };
    Touchstone::Report::Run::Results::with_scale(
        \%panel,
        (map { { index => $_ * $whole->{base} } } @REACH),
        grep { $_ } map { @{ $_->{lines} } } @rows
    );
    my $title = Touchstone::Report::Model::name_of_index({ %$whole, partial => 0 }) . ': its parts';
    return [
        block => { class => $model->{void} ? 'invalid' : undef },
        [
            table => {
                class   => 'results parts pinned',
                caption => $model->{void} ? "$title $DASH not valid" : $title,
                columns => _columns(\%panel),
                rows    => \@rows
            }
        ]
    ];
}

# The line of an index as tests have theirs.
sub _as_test {
    my ($line) = @_;
    return $line
        && {
        %$line,
        index          => $line->{score},
        index_interval => $line->{interval},
        shown          => shown(@$line{qw(score interval places)})
        };
}

sub _columns {
    my ($panel) = @_;
    my @counts = @{ $panel->{counts} }[ @{ $panel->{places} } ];
    return [
        {
            title => Touchstone::Report::Run::Results::bars_head($panel, 'Part'),
            cell  => sub {
                my ($row)  = @_;
                my ($part) = grep { $_ && $_->{partial} } @{ $row->{lines} };
                my $label  = [ $row->{called}, $part ? (' ', { text => $part->{part}, as => 'small' }) : () ];
                return Touchstone::Report::Run::Results::bars_cell(
                    $panel,
                    { text => $label },
                    @{ $row->{lines} }
                );
            }
        },
        (
            map {
                my $place = $_;
                {
                    title => copies($counts[$place]),
                    cell  => sub {
                        return Touchstone::Report::Run::Results::index_cell($_[0]{lines}[$place], 1);
                    }
                }
            } 0 .. $#counts
        ),
        @counts > 1 ? { title => 'Speed-up', more => 1, cell => sub { _gained($_[0]{lines}[-1]) } } : ()
    ];
}

sub _gained {
    my ($line) = @_;
    return $DASH if !$line || !defined $line->{gained};
    return Touchstone::Report::Gains::over_first($line) =~ s/ (?:one copy|\d+ copies)\z//ar;
}

1;
