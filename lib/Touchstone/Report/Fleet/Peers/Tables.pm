# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Peers::Tables - the indexes and tests of a run among those of others, as tables of
# Report::Document.
package Touchstone::Report::Fleet::Peers::Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH $TIMES);
use Touchstone::Base::Text qw(named short);
use Touchstone::Report::Fleet::Peers::Headline;

# A name has so many letters.
my $LETTERS = 40;

sub parts {
    my ($found) = @_;
    return (_table('Indexes', 'Index', @{ $found->{indexes} }),
        _table('Tests, the slowest first', 'Test', @{ $found->{figures} }));
}

sub _table {
    my ($caption, $what, @places) = @_;
    return if !@places;
    return [
        table => {
            caption => $caption,
            head    => [
                $what, 'Times the middle', 'The others', 'Percentile', '95 % interval', 'p', 'Out of line'
            ],
            left  => [ 0, 6 ],
            spare => [ 5, 6 ],
            rows  => [ map { _row($_) } @places ]
        }
    ];
}

sub _row {
    my ($place) = @_;
    my $times = \&Touchstone::Report::Fleet::Peers::Headline::factor;
    return [
        short(named($place), $LETTERS),
        $times->($place->{ratio}) . " $TIMES",
        join(' to ', map { $times->($_) } @{ $place->{spread} }),
        Touchstone::Report::Fleet::Peers::Headline::ordinal($place->{percentile}),
        Touchstone::Report::Fleet::Peers::Headline::limits($place),
        defined $place->{p} ? _chance($place->{p}) : $DASH,
        !$place->{far} ? '' : $place->{ratio} < 1 ? 'slow' : 'fast'
    ];
}

# Nobody knows a chance of less than the table of Stats::Outliers.
sub _chance { my ($p) = @_; return $p < 1e-4 ? '<0.0001' : sprintf '%.3g', $p }

1;
