#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Moderated: variances of many figures, each from few values.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Stats::Moderated;

subtest 'variances of few values are drawn towards what all have in common' => sub {
    my @figures = map { { variance => $_, freedom => 2, name => $_ } } 1, 0.01, 2, 0.5, 1.5, 3;
    my @drawn   = Touchstone::Stats::Moderated::moderated(@figures);
    ok($drawn[1]{variance} > 0.1, 'the one that is small by chance') or diag($drawn[1]{variance});
    ok($drawn[5]{variance} < 3,   'and the large one');
    is($drawn[1]{name}, 0.01, 'what else a figure has stays');
    my @freedoms = map { $_->{freedom} } @drawn;
    ok($freedoms[0] > 2 && $freedoms[0] <= 6, 'with more degrees of freedom, up to three times its own')
        or diag("@freedoms");
    my @apart = map { { variance => 10**$_, freedom => 20 } } 1 .. 6;
    ok((Touchstone::Stats::Moderated::moderated(@apart))[0]{variance} < 15,
        'figures that nothing joins stay where they are');
    is_deeply(
        [ Touchstone::Stats::Moderated::moderated(@figures[ 0 .. 2 ]) ],
        [ @figures[ 0 .. 2 ] ],
        'three are too few to tell'
    );
};

subtest 'its functions are those of the tables' => sub {
    my %digamma  = (0.5 => -1.9635100260, 1 => -0.5772156649, 10 => 2.2517525891);
    my %trigamma = (0.5 => 4.9348022005,  1 => 1.6449340668,  10 => 0.1051663357);
    for my $x (sort keys %digamma) {
        ok(abs(Touchstone::Stats::Moderated::_digamma($x) - $digamma{$x}) < 1e-9,   "digamma of $x");
        ok(abs(Touchstone::Stats::Moderated::_trigamma($x) - $trigamma{$x}) < 1e-9, "trigamma of $x");
        ok(abs(Touchstone::Stats::Moderated::_inverse_trigamma($trigamma{$x}) / $x - 1) < 1e-6,
            "and $x of that");
    }
};

done_testing;
