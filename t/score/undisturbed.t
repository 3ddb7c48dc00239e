# SPDX-License-Identifier: GPL-2.0-or-later
# What a test does when nothing disturbs it, and how even it is, from the slices of its passes.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use Touchstone::Base::Random;
use Touchstone::Score::Slices;
use Touchstone::Score::Undisturbed;

use lib 't/lib';
use NoWarnings;

my $random = Touchstone::Base::Random::generator(4711);

# Noise without a tail: the sum of three, with a deviation of 1.
sub noise { return 2 * ($random->() + $random->() + $random->() - 1.5) }

# A pass of a second whose slices of 10 ms count what `speed` says of each, and have the CPU time that `share`
# says. `also` replaces keys.
sub measured {
    my (%as) = @_;
    my $copies = delete $as{copies} // 1;
    my ($speed, $share) = (delete $as{speed}, delete $as{share} // sub { 1 });
    my @slices = map { _slices($speed, $share) } 1 .. $copies;
    return {
        unit     => 'lps',
        timebase => 1,
        copies   => $copies,
        counts   => [ map { (split /:/)[-2] } @slices ],
        times    => [ (1) x $copies ],
        user     => [ map { (split /:/)[-1] / 1e6 } @slices ],
        sys      => [ (0) x $copies ],
        slept    => [ (0) x $copies ],
        starts   => [ (5_000_000_000) x $copies ],
        slices   => \@slices,
        %as
    };
}

sub _slices {
    my ($speed, $share) = @_;
    my ($count, $cpu)   = (0, 0);
    return join ' ', map {
        $count += $speed->($_);
        $cpu   += 10_000 * $share->($_);
        join ':', $_ * 1e7, int $count, int $cpu
    } 1 .. 100;
}

sub told {
    my ($passes, %also) = @_;
    my @rates = map { sum(@{ $_->{counts} }) } @$passes;
    my ($score) = (sort { $a <=> $b } @rates)[ $#rates / 2 ];
    return {
        Touchstone::Score::Undisturbed::of_test(
            passes => $passes,
            rates  => \@rates,
            score  => $score,
            better => 'higher',
            cpus   => 2,
            marks  => [ map { undef } @$passes ],
            losses => [ map { 0 } @$passes ],
            %also
        ),
        score => $score
    };
}

sub near {
    my ($value, $wanted, $part, $what) = @_;
    cmp_ok(abs($value / $wanted - 1), '<', $part, $what) or diag("$value instead of $wanted");
    return;
}

sub even { 1000 * (1 + 0.01 * noise()) }

subtest 'nothing is lost where nothing disturbs' => sub {
    for my $slept (0, 1000) {
        my $got = told([ map { measured(speed => \&even, slept => [$slept]) } 1 .. 8 ]);
        near($got->{undisturbed}, $got->{score}, 0.005, "slept $slept: the score");
        ok(!$got->{shows_loss}, 'no loss is told');
        cmp_ok($got->{undisturbed_low},  '<=', 100_000, 'the truth is above the low limit');
        cmp_ok($got->{undisturbed_high}, '>=', 100_000, 'and below the high one');
        cmp_ok($got->{consistency},      '>',  95,      'it is even');
    }
};

subtest 'slices that were slowed down do not count' => sub {
    my $got = told(
        [
            map {
                measured(speed => sub { even() * ($_[0] % 5 ? 1 : 0.3) }, slept => [50])
            } 1 .. 8
        ]
    );
    near($got->{score},       86_000,  0.01, 'it delivered less');
    near($got->{undisturbed}, 100_000, 0.01, 'the others tell the speed');
    near($got->{lost},        0.14,    0.06, 'and what was lost');
    ok($got->{shows_loss}, 'it is told');
    near($got->{consistency}, 30, 0.1, 'slow slices show in the consistency');
};

subtest 'a program that never sleeps is known by its CPU time where no slice is undisturbed' => sub {
    my $half   = sub { 0.5 + 0.1 * sin $_[0] };
    my @passes = map {
        measured(share => $half, speed => sub { even() * $half->(@_) })
    } 1 .. 8;
    my $got = told(\@passes);
    near($got->{undisturbed}, 100_000, 0.01, 'twice what was delivered');
    my $sleeps = told(
        [
            map {
                { %$_, slept => [90] }
            } @passes
        ],
        losses => [ (0.5) x 8 ]
    );
    is($sleeps->{undisturbed}, undef, 'but not of one that sleeps');
    like($sleeps->{undisturbed_unknown}, qr/others ran all the time/, 'which is said');
    ok(!$sleeps->{shows_loss}, 'and no loss is told');
    my $child = told(
        [
            map {
                { %$_, user => [ 3 * $_->{user}[0] ] }
            } @passes
        ],
        losses => [ (0.5) x 8 ]
    );
    is($child->{undisturbed}, undef, 'nor of one whose children do the work');
};

subtest 'several copies count together, on as many CPUs as they can use' => sub {
    my $got = told(
        [
            map {
                measured(copies => 2, speed => \&even, share => sub { 0.25 })
            } 1 .. 6
        ]
    );
    near($got->{undisturbed}, 800_000, 0.01, 'two copies on two CPUs');
    $got = told(
        [
            map {
                measured(copies => 4, speed => \&even, share => sub { 0.25 })
            } 1 .. 6
        ]
    );
    near($got->{undisturbed}, 800_000, 0.01, 'four copies on two CPUs');
    $got = told(
        [
            map {
                measured(copies => 2, speed => \&even, share => sub { 0.5 }, cpus => [ '3', '3' ])
            } 1 .. 6
        ]
    );
    near($got->{undisturbed}, 200_000, 0.01, 'two copies that were placed on one CPU');
};

subtest 'fixed work has seconds, of which fewer are undisturbed' => sub {
    my @passes = map {
        measured(speed => sub { even() * ($_[0] % 5 ? 1 : 0.3) }, slept => [50], unit => 's')
    } 1 .. 8;
    my $got = told(\@passes, better => 'lower', rates => [ (1 / 86_000) x 8 ], score => 1 / 86_000);
    near($got->{undisturbed}, 1e-5, 0.01, 'seconds of a unit');
    cmp_ok($got->{undisturbed_low}, '<=', $got->{undisturbed_high}, 'the limits are in order');
};

subtest 'where it cannot be told, it is said why' => sub {
    my @good = map { measured(speed => \&even, slept => [50]) } 1 .. 6;
    my %why  = (
        'no slices'     => { slices => [undef] },
        'too long'      => { slices => ['500000000:1:5 1000000000:2:9'], counts => [2] },
        'too short'     => { slices => ['8000000:100:5 16000000:200:9'], counts => [200], times => [0.016] },
        'not the speed' => { timebase => 0,                              unit   => 's' },
        'not the speed o' => { times => [0.5] }
    );
    for my $words (sort keys %why) {
        my $got = told(
            [
                map {
                    { %$_, %{ $why{$words} } }
                } @good
            ]
        );
        is($got->{undisturbed}, undef, "$words: no undisturbed speed");
        like($got->{undisturbed_unknown} // '', qr/\Q$words/, 'it says so');
    }
    my $wild = told(
        [
            map {
                measured(speed => sub { 1000 * (1 + 0.2 * noise()) }, slept => [50])
            } 1 .. 6
        ]
    );
    like($wild->{undisturbed_unknown} // '', qr/too uneven/, 'slices that differ by themselves');
    my $few = told([ @good[ 0 .. 2 ] ]);
    ok(defined $few->{undisturbed}, 'three passes have a speed');
    is($few->{undisturbed_low}, undef, 'without an interval');
    ok(!$few->{shows_loss}, 'and tell no loss');
};

subtest 'what the marks of passes blame' => sub {
    my @passes = map { measured(speed => \&even) } 1 .. 6;
    my $took   = sub { return "@{ told(\@passes, marks => [@_])->{took} }" };
    is($took->((undef) x 6),                   '',                   'nothing');
    is($took->((['other']) x 6),               'other processes',    'other processes');
    is($took->((['steal']) x 2, (undef) x 4),  'other guests',       'guests, in a third of the passes');
    is($took->(([ 'throttled', 'heat' ]) x 6), 'heat the CPU quota', 'neither');
    is($took->(['other'], (undef) x 5),        '',                   'one pass of six is not enough');
};

subtest 'an index is that of the undisturbed speeds, and at least so much where some are unknown' => sub {
    my %one = (
        name       => 'a',
        lost       => 0.5,
        lost_low   => 0.4,
        lost_high  => 0.6,
        lost_error => 0.01,
        error      => 0.01,
        took       => ['heat'],
        shows_loss => 1
    );
    my %index =
        Touchstone::Score::Undisturbed::of_index(100, [ 0.5, 0.5 ], {%one}, { %one, name => 'b', lost => 0 });
    near($index{undisturbed}, 100 * sqrt 2, 1e-9, 'the root of both');
    near($index{lost},        1 - sqrt 0.5, 1e-9, 'what was lost');
    is("@{ $index{took} }",                'heat', 'and to what');
    is("@{ $index{undisturbed_unknown} }", '',     'all are known');
    cmp_ok($index{undisturbed_low}, '<', $index{undisturbed}, 'it has an interval');
    is($index{shows_loss}, 1, 'the loss is worth a word');
    %index = Touchstone::Score::Undisturbed::of_index(100, [0.5], { %one, lost => 0.05 });
    is($index{shows_loss}, 0, 'one below 3 % is not');
    %index = Touchstone::Score::Undisturbed::of_index(100, [0.5], { %one, error => 0.5 });
    is($index{shows_loss}, 0, 'nor one that may be chance');
    %index = Touchstone::Score::Undisturbed::of_index(100, [ 0.5, 0.5 ],
        {%one}, { name => 'b', undisturbed_unknown => 'x' });
    is("@{ $index{undisturbed_unknown} }", 'b', 'one is not');
    near($index{undisturbed}, 100 * sqrt 2, 1e-9, 'it counts with what it delivered');
    is_deeply(
        [ Touchstone::Score::Undisturbed::of_index(100, [1], { name => 'b', undisturbed_unknown => 'x' }) ],
        [], 'nothing is known');
};

subtest 'slices of a pass are those of the time that copies have in common' => sub {
    my $parts = sub {
        Touchstone::Score::Slices::parts(
            { counts => [ (1) x @{ $_[0] } ], starts => $_[0], slices => $_[1] });
    };
    is_deeply(
        $parts->([7], ['10000000:5:9000 20000000:7:9500']),
        [ [ 10000000, 5, 9000000 ], [ 10000000, 2, 500000 ] ],
        'one copy'
    );
    is_deeply(
        $parts->([7], ['10000000:5 20000000:7']),
        [ [ 10000000, 5, undef ], [ 10000000, 2, undef ] ],
        'without CPU time'
    );
    is_deeply(
        $parts->([7], ['4000000:5 8000000:7 16000000:9 18000000:10']),
        [ [ 8000000, 7, undef ], [ 10000000, 3, undef ] ],
        'short ones are joined'
    );
    is_deeply(
        $parts->(
            [ 0,                                     5000000 ],
            [ '20000000:20:20000 40000000:40:40000', '20000000:10:10000 40000000:20:20000' ]
        ),
        [ map { [ 17500000, 26.25, 26250000 ] } 1 .. 2 ],
        'two copies'
    );
    is($parts->([ 0, 1e9 ], [ '10000000:5:9', '10000000:5:9' ]), undef, 'copies that never ran together');
    is($parts->([0],        ['10000000:5:9 20000000:6']),        undef, 'slices of two forms');
};

done_testing();
