# SPDX-License-Identifier: GPL-2.0-or-later
# Speed: figures of which less is better, shown as speeds.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Direction;

my %TEST = (
    'higher is better'             => [ { better => 'higher', baseline => 4 }, 8, 20, [ 6, 10 ], [ 15, 25 ] ],
    'lower is better'              => [ { better => 'lower', baseline => 4 },  8, 5,  [ 4, 10 ], [ 4, 10 ] ],
    'no baseline'                  => [ {},                                    8, 8,  [ 6, 10 ], [ 6, 10 ] ],
    'no baseline, lower is better' => [ { better => 'lower' }, 8, 0.125, [ 4, 10 ], [ 0.1, 0.25 ] ],
);

for my $name (sort keys %TEST) {
    my ($test, $figure, $speed, $interval, $speeds) = @{ $TEST{$name} };
    subtest $name => sub {
        is(Touchstone::Base::Direction::direction_of($test, $figure), $speed, 'the figure as a speed');
        is_deeply(Touchstone::Base::Direction::interval_of($test, $interval),
            $speeds, 'an interval, its lower limit first');
        is(
            Touchstone::Base::Direction::is_lower_better($test) ? 1 : 0,
            $name =~ /lower/                                    ? 1 : 0,
            'which way it goes'
        );
    };
}

done_testing;
