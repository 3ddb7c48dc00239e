# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Options - the word of the command line that says for how long stamina is looked at.
package Touchstone::Suite::Truth::Options;
use 5.014;
use strict;
use warnings;

# Seconds: a change is seen in a minute at the earliest, and a day is enough for any credit.
my ($LEAST, $MOST) = (60, 86_400);

sub options {
    return {
        table  => [ [ 'stamina SECONDS', 'stamina', 'how long truth-stamina loads all CPUs, such as 3600' ] ],
        values => {
            stamina => {
                is      => sub { $_[0] =~ /\A[1-9]\d{0,4}\z/a && $_[0] >= $LEAST && $_[0] <= $MOST },
                allowed => "seconds from $LEAST to $MOST such as 3600"
            }
        }
    };
}

1;
