# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Price - the index for a unit of the price of the machine, in the sentence that all forms print:
#
#   index per USD: 0.658 (0.649 to 0.667)
#   index per USD, 2 copies: 1.31 (1.29 to 1.33), not valid
#
# A price is that of the whole machine, so the figure is that of the most copies.
package Touchstone::Report::Price;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(shown three_digits);
use Touchstone::Base::Price;
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Model;

# A sentence for each index that answers how fast the machine is; nothing for a run without a price.
sub sentences {
    my ($model) = @_;
    my @blocks =
        sort { $b->{count} <=> $a->{count} }
        grep { Touchstone::Report::Model::indexes($_) } @{ $model->{blocks} };
    return if !@blocks;
    my $suffix = (@blocks > 1 ? ', ' . copies($blocks[0]{count}) : '');
    return map {
              _name_of($_)
            . "$suffix: "
            . _figure($blocks[0], $_->{per_price})
            . ($model->{invalid} ? ', not valid' : '')
        }
        grep { $_->{per_price} } Touchstone::Report::Model::indexes($blocks[0]);
}

# "index per USD"
sub _name_of {
    my ($index) = @_;
    return Touchstone::Report::Model::short_name($index) . ' per '
        . Touchstone::Base::Price::per($index->{per_price}{unit});
}

sub _figure {
    my ($block, $figure) = @_;
    my ($value, @limits) = map { shown($_, $figure->{interval}) } $figure->{score},
        @{ $figure->{interval} || [] };
    return $value
        . (
        @limits
        ? " ($limits[0] to $limits[1])"
        : ' (' . Touchstone::Report::Model::no_interval_of($block) . ')'
        );
}

# "index per USD: B gives 1.21 times as much as A (1.15 to 1.27)", of a pair of a comparison; `first` is
# what its first run is called. Nothing is returned where prices are missing or cannot be compared.
sub compared {
    my ($first, $pair) = @_;
    my ($index, @others) =
        sort { $b->{copies} <=> $a->{copies} || $a->{of_common} <=> $b->{of_common} }
        grep { $_->{per_price} } @{ $pair->{indexes} }
        or return;
    my $copies = (grep { $_->{copies} != $index->{copies} } @others) ? ', ' . copies($index->{copies}) : '';
    my ($ratio, $interval) = @{ $index->{per_price} }{qw(ratio interval)};
    my ($times, @limits) =
        map { three_digits($_, $interval, $ratio * (1 + 5e-4)) } $ratio, @{ $interval || [] };
    return
          "$index->{name} per "
        . Touchstone::Base::Price::per($index->{per_price}{unit})
        . "$copies: $pair->{label} has $times times that of $first"
        . (@limits ? " ($limits[0] to $limits[1])" : '');
}

1;
