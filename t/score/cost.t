# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Cost: user, kernel and waiting time and context switches of an operation.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Score::Cost;

my %RESULT = (name => 'pipe', better => 'higher', score => 1000, rates => [ (1000) x 6 ]);

# A pass of one second with 1000 operations.
sub pass_with {
    my (%with) = @_;
    return {
        test         => 'pipe',
        copies       => 1,
        unit         => 'lps',
        timebase     => 1,
        counts       => [1000],
        times        => [1],
        user         => [0.25],
        sys          => [0.5],
        preempted    => [3],
        slept        => [2000],
        minor_faults => [500],
        major_faults => [1],
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
    is_near($cost->{user},         0.00025, 'user');
    is_near($cost->{kernel},       0.0005,  'kernel');
    is_near($cost->{waiting},      0.00025, 'waiting');
    is_near($cost->{seconds},      0.001,   'all');
    is_near($cost->{voluntary},    2,       'voluntary switches');
    is_near($cost->{involuntary},  0.003,   'involuntary switches');
    is_near($cost->{minor_faults}, 0.5,     'minor faults');
    is_near($cost->{major_faults}, 0.001,   'major faults');
    is_near($cost->{user_low},     0.00025, 'equal passes have an interval');
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

# A warm-up of one second with 1000 operations, 0.75 s of CPU time.
sub counted {
    my (%event) = @_;
    my %events =
        (instructions_user => 2e9, instructions_kernel => 1e9, cycles_user => 1e9, cycles_kernel => 1e9);
    return pass_with(round => 0, events => [ { %events, %event } ], counted => [1]);
}

sub cost_with {
    return Touchstone::Score::Cost::of_test(\%RESULT, [ map { pass_with() } 1 .. 6 ], [@_]);
}

subtest 'events of an operation' => sub {
    my $cost = cost_with(counted(migrations => 10), counted(migrations => 10), counted(migrations => 40));
    is_near($cost->{instructions},      3e6,      'instructions');
    is_near($cost->{instructions_user}, 2e6,      'in user mode');
    is_near($cost->{per_cycle},         1.5,      'per cycle');
    is_near($cost->{clock} / 1e9,       2 / 0.75, 'clock');
    is_near($cost->{migrations},        0.01,     'migrations');
    is($cost->{uncounted}, undef, 'all are counted');
};

subtest 'user mode only' => sub {
    my $pass = counted();
    delete $pass->{events}[0]{$_} for qw(instructions_kernel cycles_kernel);
    $pass->{uncounted} = { map { $_ => 'perf_event_paranoid is 2' } qw(instructions_kernel cycles_kernel) };
    my $cost = cost_with($pass);
    is_near($cost->{per_cycle}, 2, 'per cycle');
    is($cost->{$_},        undef, "no $_") for qw(instructions clock);
    is($cost->{uncounted}, 'cycles_kernel, instructions_kernel (perf_event_paranoid is 2)', 'the reason');
};

subtest 'events that cannot be are left out' => sub {
    my @cases = (
        [ 'negative', { cycles_user => -1 }, 'cycles_user (the count is not possible)' ],
        [
            'no cycles',
            { cycles_user => 0, cycles_kernel => 0 },
            'hardware (instructions and cycles contradict each other)'
        ],
        [
            'too fast a clock',
            { (map { $_ => 1e12 } qw(cycles_user instructions_user)) },
            'hardware (cycles and CPU time contradict each other)'
        ]
    );
    for my $case (@cases) {
        my ($what, $event, $why) = @$case;
        my $cost = cost_with(counted(%$event));
        is($cost->{uncounted}, $why,  "$what: $why");
        is($cost->{clock},     undef, 'no clock');
        is_near($cost->{seconds}, 0.001, 'the time stays');
    }
    is(cost({ minor_faults => [-1] })->{minor_faults},  undef, 'negative faults');
    is(cost({ minor_faults => undef })->{minor_faults}, undef, 'no faults');
};

done_testing;
