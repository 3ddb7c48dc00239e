# SPDX-License-Identifier: GPL-2.0-or-later
# Rate with windows that were computed by hand.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Score::Rate;

sub pass_of {
    my (@counts) = @_;
    my @none = (undef) x @counts;
    return {
        test     => 'pipe',
        copies   => scalar @counts,
        round    => 1,
        timebase => 1,
        unit     => 'lps',
        counts   => [@counts],
        times    => [ (1) x @counts ],
        starts   => [@none],
        slices   => [@none]
    };
}

# Makes a pass whose copies are [start in seconds, 'seconds since start:count so far ...'].
sub staggered {
    my (@copies) = @_;
    my @slices = map {
        join ' ', map { my ($s, $n) = split /:/; $s * 1e9 . ":$n" } split / /, $_->[1]
    } @copies;
    my @ends = map { [ (split / /, $_->[1])[-1] =~ /(.*):(.*)/ ] } @copies;
    return {
        %{ pass_of(map { $_->[1] } @ends) },
        times  => [ map { $_->[0] } @ends ],
        slices => \@slices,
        starts => [ map { 1e12 + $_->[0] * 1e9 } @copies ]
    };
}

subtest 'of several copies only the time in which all ran counts' => sub {
    my $even  = [ 0, '1:100 2:200' ];
    my @table = (
        [ 'started together: all of it',      200,   1,   0,   $even,                [ 0,   '1:100 2:200' ] ],
        [ 'even copies, half a second apart', 200,   0.6, 0.5, $even,                [ 0.5, '1:100 2:200' ] ],
        [ 'counts between slices',        500 / 1.5, 0.6, 0.5, [ 0, '1:100 2:400' ], [ 0.5, '1:50 2:250' ] ],
        [ 'a window from slice to slice', 330,       1 / 3, 1, [ 0, '1:100 2:400' ], [ 1, '1:30 2:999' ] ],
        [
            'three copies', (75 + 40 + 60) / 0.75,
            0.25, 1.25,
            [ 0,    '1:100 2:200' ],
            [ 1,    '0.25:10 1:50 2:90' ],
            [ 1.25, '0.25:20 0.75:60 1:60' ]
        ],
        [ 'one copy within the other',             200, 0.25, 1, [ 0, '1:10 2:110 4:210' ], [ 1, '1:100' ] ],
        [ 'a copy that stood still in the window', 100, 0.5, 1, [ 0, '1:300 2:300' ], [ 1, '0.5:50 1:100' ] ],
    );
    for my $row (@table) {
        my ($name, $rate, $share, $skew, @copies) = @$row;
        my $got = Touchstone::Score::Rate::of_pass(staggered(@copies));
        near($got->{ $_->[0] }, $_->[1], "$name: $_->[0]", 1e-9)
            for [ rate => $rate ], [ share => $share ], [ skew => $skew ];
        near(sum(@{ $got->{rates} }), $rate, "$name: the copies' rates add up");
    }
};

subtest 'copies that end within an operation of each other could not have ended nearer' => sub {
    my $coarse = sub { return Touchstone::Score::Rate::of_pass(staggered(@_))->{coarse} // 0 };
    is($coarse->([ 0, '1:1' ],   [ 0,   '0.5:1' ]),  1, 'one operation each');
    is($coarse->([ 0, '1:2' ],   [ 0,   '0.7:1' ]),  1, 'two and one');
    is($coarse->([ 0, '1:100' ], [ 0,   '0.5:50' ]), 0, 'many operations');
    is($coarse->([ 0, '1:2' ],   [ 0,   '0.4:1' ]),  0, 'one more would have fitted');
    is($coarse->([ 0, '1:1' ],   [ 0.5, '0.5:1' ]),  0, 'started apart');
    my $warm =
        sub { return Touchstone::Score::Rate::of_pass({ %{ staggered(@_) }, warm => 1 })->{coarse} // 0 };
    is($warm->([ 0, '1:4' ],   [ 0.15, '1:4' ]),   1, 'left the warm-up within an operation');
    is($warm->([ 0, '1:100' ], [ 0.15, '1:100' ]), 0, 'or many operations apart');
};

subtest 'a window knows time bases' => sub {
    my @copies = ([ 0, '1:100 2:400' ], [ 0.5, '1:50 2:250' ]);
    near(Touchstone::Score::Rate::of_pass({ %{ staggered(@copies) }, timebase => 60 })->{rate},
        20000, 'per minute');
    my $rates = { %{ staggered(@copies) }, timebase => 0, counts => [ 5000, 1000 ] };
    near(
        Touchstone::Score::Rate::of_pass($rates)->{rate},
        5000 * (350 / 1.5) / 200 + 1000 * 100 / 125,
        'a rate of its own is scaled by the pace in the window'
    );
};

subtest 'a window is not made up where there is none' => sub {
    my $apart = Touchstone::Score::Rate::of_pass(staggered([ 0, '1:100' ], [ 2, '1:50' ]));
    is("$apart->{rate} $apart->{share} $apart->{skew}", '50 0 2', 'with a gap: 150 in three seconds');
    my $instant = { %{ staggered([ 0, '0:8' ], [ 0, '0:6' ]) }, times => [ 2, 2 ] };
    is(eval { Touchstone::Score::Rate::of_pass($instant)->{rate} } // $@,
        7, 'slices that take no time tell nothing');
    my $silent = staggered([ 0, '1:100' ], [ 0.5, '1:50' ]);
    $silent->{$_}[1] = undef for qw(starts slices);
    my $got = Touchstone::Score::Rate::of_pass($silent);
    is(
        join(' ', $got->{rate}, $got->{share} // 'unknown', $got->{skew} // 'unknown'),
        '150 unknown unknown',
        'one copy told no slices'
    );
    is(Touchstone::Score::Rate::of_pass(staggered([ 0, '1:100' ]))->{share},
        1, 'a copy alone has all the time');
};

subtest 'fixed work is the seconds of a unit, of the units that all copies do' => sub {
    my %fixed = (unit => 's');
    near(Touchstone::Score::Rate::of_pass({ %{ pass_of(200) }, %fixed, times => [4] })->{rate},
        0.02, 'one copy');
    near(
        Touchstone::Score::Rate::of_pass({ %{ pass_of(200) }, %fixed, times => [4], timebase => 60 })->{rate},
        0.02,
        'whatever the time base'
    );
    my $two = Touchstone::Score::Rate::of_pass({ %{ pass_of(100, 300) }, %fixed, times => [ 2, 2 ] });
    near($two->{rate},     1 / 200, 'two copies: the inverse of what they do in a second');
    near($two->{rates}[0], 0.02,    'the first copy alone');
    near($two->{rates}[1], 2 / 300, 'the second');
    my $own = Touchstone::Score::Rate::of_pass({ %{ pass_of(0.01, 0.03) }, %fixed, timebase => 0 });
    near($own->{rate}, 1 / (100 + 100 / 3), 'seconds that the program worked out itself');
    my $apart = staggered([ 0, '1:100 2:400' ], [ 0.5, '1:50 2:250' ]);
    near(Touchstone::Score::Rate::of_pass({ %$apart, %fixed })->{rate}, 1.5 / 500, 'in the common window');
};

subtest 'a difference of two times may be nothing or less' => sub {
    my $of = sub { Touchstone::Score::Rate::of_pass({ %{ pass_of(@_) }, unit => 's', timebase => 0 }) };
    is($of->(-2e-6)->{rate}, -2e-6, 'one copy');
    is($of->(0)->{rate},     0,     'nothing at all');
    near($of->(-1e-6, 3e-6)->{rate}, 0.5e-6, 'two copies: their mean, divided among them');
    is_deeply($of->(-1e-6, 3e-6)->{rates}, [ -1e-6, 3e-6 ], 'each copy by itself');
};

subtest 'a pass of several copies holds how far they are apart' => sub {
    near(
        Touchstone::Score::Rate::of_pass(staggered([ 0, '1:100' ], [ 0, '1:110' ], [ 0, '1:90' ]))->{spread},
        0.2,
        'largest less smallest, as a part of the median'
    );
    ok(!exists Touchstone::Score::Rate::of_pass({ %{ pass_of(1) }, spread => 5 })->{spread},
        'one copy is not apart from anything');
};

# Whether a pass counts as nothing.
sub is_invalid {
    my ($pass) = @_;
    return Touchstone::Score::Rate::is_invalid($pass, Touchstone::Score::Rate::of_pass($pass));
}

subtest 'a pass is void when nothing was counted while all copies ran' => sub {
    my $still = staggered([ 0, '1:300 2:300' ], [ 1, '1:0 2:100' ]);
    for my $unit (qw(lps s)) {
        ok(is_invalid({ %$still, unit => $unit }), "$unit: nobody counted");
        ok(!is_invalid({ %{ pass_of(1) }, unit => $unit }), "$unit: one count");
    }
    ok(!is_invalid({ %{ pass_of(-1) }, unit => 's', timebase => 0 }), 'a negative difference is a result');
};

done_testing;
