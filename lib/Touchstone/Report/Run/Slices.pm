# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Slices - columns of the table of a run that follow from slices, where they say something:
#
#   Undisturbed            Consistency
#   1.39 M lps (-21 %)              71
package Touchstone::Report::Run::Slices;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH $MINUS);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Render::Html qw(text);
use Touchstone::Report::Undisturbed;

# A test below this is uneven.
my $EVEN = 90;

# The undisturbed speed and the consistency, of the first copies that lost something, or of which a test is
# uneven. `panel` is that of Report::Run::Results; columns are as it has them.
sub columns {
    my ($panel, @places) = @_;
    my $rows = sub {
        my ($place) = @_;
        return map { $_->{exact} }
            grep { defined && !$_->{below} } map { $_->{rows}[$place] } @{ $panel->{tests} };
    };
    my ($lost) = grep {
        grep { $_->{tells} }
            $rows->($_)
    } @places;
    my ($even) = defined $lost ? $lost : grep {
        grep { defined $_->{consistency} && $_->{consistency} < $EVEN }
            $rows->($_)
    } @places;
    my @columns = (
        [ 'Undisturbed', $lost, sub { defined $_[0]{undisturbed} ? _speed($_[0]) : undef } ],
        [ 'Consistency', $even, \&Touchstone::Report::Undisturbed::consistency ]
    );
    return map {
        my ($title, $place, $shown) = @$_;
        {
            head => $title . (@places > 1 ? ', ' . copies($panel->{counts}[$place]) : ''),
            more => 1,
            cell => sub {
                my $row  = ($_[0]{rows}[$place] || {})->{exact};
                my $said = $row && !$row->{below} ? $shown->($row) : undef;
                return defined $said ? '<span class="dim holds">' . text($said) . '</span>' : $DASH;
            }
        }
    } grep { defined $_->[1] } @columns;
}

# "1.39 M lps (-21 %)"
sub _speed {
    my ($row) = @_;
    my $lost =
        $row->{tells}
        ? sprintf " ($MINUS%.0f %%)", 100 * $row->{lost}
        : '';
    return Touchstone::Report::Undisturbed::speed($row) . $lost;
}

1;
