# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Passes - the passes behind the scores of a copy count, arranged for pictures and tables:
#
#   {
#       pipe => [
#           {
#               round   => 1,
#               at      => 12.3,               seconds since the first pass of the run began
#               seconds => 1.02,
#               value   => 3481930,            in the unit of the test in the model, as `each`
#               each    => [1740000, 1741930],
#               spread  => 0.0011,
#               skew    => 0.00002,
#               share   => 0.999,
#               marks   => ['other'],            those of Score::Disturbance
#               outlier => 0
#           },
#           ...
#       ]
#   }
package Touchstone::Report::Passes;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

# The passes of the tests of a block; `units` as in the model.
sub of_block {
    my ($facts, $results, $block, $units) = @_;
    my $begun   = min(map { defined $_->{started} ? _written($_->{started}) : () } @{ $facts->{passes} });
    my $counted = $results->{counted}{ $block->{copies} };
    my %of;
    for my $test (@{ $block->{tests} }) {
        my $by  = $units->{ $test->{name} } ? $units->{ $test->{name} }[1] : 1;
        my %far = map { $_ => 1 } @{ $test->{outliers} };
        my $n   = 0;
        $of{ $test->{name} } =
            [ map { _pass($facts->{passes}[$_], $results->{passes}[$_], $begun, $by, $far{ ++$n }) }
                @{ $counted->{ $test->{name} } } ];
    }
    return \%of;
}

# A number as the record has it: a page that is made as soon as a run has ended is the same later.
sub _written { my ($number) = @_; return 0 + "$number" }

sub _pass {
    my ($pass, $judged, $begun, $by, $far) = @_;
    return {
        round   => $pass->{round},
        at      => defined $pass->{started} ? _written($pass->{started}) - $begun : undef,
        seconds => $pass->{seconds} // $pass->{window},
        value   => $judged->{rate} * $by,
        each    => [ map { $_ * $by } @{ $judged->{rates} } ],
        spread  => $judged->{spread},
        skew    => $judged->{skew},
        share   => $judged->{share},
        marks   => $judged->{marks} || [],
        outlier => $far ? 1 : 0,
    };
}

1;
