# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Cost: user, kernel and waiting time and context switches of an operation.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Score::Cost qw(@PARTS);

my %RESULT = (name => 'pipe', better => 'higher', score => 1000, rates => [ (1000) x 6 ]);

# A pass of one second with 1000 operations.
sub pass_with {
    my (%with) = @_;
    return {
        test      => 'pipe',
        copies    => 1,
        unit      => 'lps',
        timebase  => 1,
        counts    => [1000],
        times     => [1],
        user      => [0.25],
        sys       => [0.5],
        preempted => [3],
        slept     => [2000],
        %with
    };
}

sub cost {
    my ($with, %result) = @_;
    return Touchstone::Score::Cost::of_test({ %RESULT, %result }, [ map { pass_with(%$with) } 1 .. 6 ]);
}

sub is_near {
    my ($result, $wanted, $what) = @_;
    return cmp_ok(abs($result - $wanted), '<', 1e-9, "$what: $wanted") || diag("found $result");
}

subtest 'the time of an operation' => sub {
    my $cost = cost({});
    is_near($cost->{user},        0.00025, 'user');
    is_near($cost->{kernel},      0.0005,  'kernel');
    is_near($cost->{waiting},     0.00025, 'waiting');
    is_near($cost->{seconds},     0.001,   'all');
    is_near($cost->{voluntary},   2,       'voluntary switches');
    is_near($cost->{involuntary}, 0.003,   'involuntary switches');
    is_near($cost->{user_low},    0.00025, 'equal passes have an interval');
};

subtest 'the parts add up in each pass' => sub {
    my ($why, @passes) = Touchstone::Score::Cost::of_passes({ %RESULT, rates => [ 900, 1000, 1100 ] },
        [ pass_with(), pass_with(user => [0.6]), pass_with(counts => [1100], sys => [0]) ]);
    is($why, undef, 'there are parts');
    is_near(sum(@{ $passes[$_] }), 1 / (900, 1000, 1100)[$_], 'time') for 0 .. 2;
    ok(!(grep { $_ < 0 } map { @$_ } @passes), 'no part is negative');
};

subtest 'several copies have the time that a copy sees' => sub {
    my $cost = cost(
        {
            copies => 2,
            counts => [ 1000, 1000 ],
            times  => [ 1,    1 ],
            user   => [ 0.3,  0.1 ],
            sys    => [ 0.2,  0.2 ]
        },
        score => 2000,
        rates => [ (2000) x 6 ]
    );
    is_near($cost->{ $_->[0] }, $_->[1], $_->[0])
        for [ seconds => 0.001 ], [ user => 0.0002 ], [ kernel => 0.0002 ], [ waiting => 0.0006 ];
};

subtest 'rates that programs divide themselves' => sub {
    my %fs   = (unit => 'KBps', timebase => 0, counts => [4000], slices => ['500000000:500 1000000000:1000']);
    my $cost = cost(\%fs, score => 4000, rates => [ (4000) x 6 ]);
    is_near($cost->{kernel}, 0.000125, 'kernel time of a KB');
    my @passes = map { pass_with(%fs, counts => [$_]) } 4000, 4100, 4000, 3900, 4000, 4000;
    like(
        Touchstone::Score::Cost::of_test({ %RESULT, rates => [ (4000) x 6 ] }, \@passes)->{why},
        qr/\Athe program calculates its figure/,
        'a figure that does not follow from the operations'
    );
};

subtest 'a second process from the warm-up on' => sub {
    my $cost = cost({ warm => 0.5, user => [0], sys => [1], slept => [2500] }, name => 'context1');
    is_near($cost->{voluntary},              2,      'switches');
    is_near($cost->{kernel},                 0.0008, 'kernel');
    is_near(cost({ warm => 0.5 })->{kernel}, 0.0005, 'other tests are not corrected');
};

subtest 'a unit of fixed work' => sub {
    my $cost = cost(
        { unit => 's', counts => [2], times => [4], user => [1], sys => [1] },
        better => 'lower',
        score  => 2,
        rates  => [ (2) x 6 ]
    );
    is_near($cost->{waiting}, 1, 'waiting');
};

subtest 'no parts rather than wrong ones' => sub {
    my @cases = (
        [ 'concurrent processes', { user => [1.2] },          qr/\Aprocesses run concurrently/ ],
        [ 'threads',              { team => 1, copies => 2 }, qr/\Athreads run concurrently/ ],
        [ 'no CPU time',          { user => [undef] },        qr/\Ano CPU time is known/ ],
        [ 'a negative time',      { sys  => [-1] },           qr/\Ano CPU time is known/ ],
        [ 'no list',              { user => undef },          qr/\Ano CPU time is known/ ],
    );
    like(cost($_->[1])->{why},               $_->[2],                                   $_->[0]) for @cases;
    like(cost({}, name => 'net-tcp')->{why}, qr/\Aprocesses whose CPU time is unknown/, 'a peer');
};

subtest 'a duet has no switches, and a pass may lack them' => sub {
    is(cost({ duet_blocks => ['1:1:1:1:1'] })->{voluntary}, undef, 'duet');
    is(cost({ slept       => [undef] })->{voluntary},       undef, 'unknown');
};

done_testing;
