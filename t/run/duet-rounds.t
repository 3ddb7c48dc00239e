#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The plan of builds that take turns (Run::Plan), the walk through it (Run::DuetRounds), and ./Run
# duet with real programs.
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Programs;
use Stub;
use Taking;
use Touchstone::Base::Random;
use Touchstone::Run::Plan;
use Touchstone::Run::DuetRounds;
use Touchstone::Suite;

my $suite = Touchstone::Suite::load();

sub rows { return [ $suite->expand(@_) ] }

sub plan_of {
    my (%want) = @_;
    return Touchstone::Run::Plan::make(
        turns    => 1,
        tests    => rows(qw(pipe syscall)),
        copies   => [1],
        schedule => 'default',
        seed     => 1,
        sides    => 2,
        cpus     => 0,
        usable   => 2,
        %want
    );
}

subtest 'a plan has six rounds, and a budget to go on with' => sub {
    my $plan  = plan_of();
    my $block = $plan->{blocks}[0];
    is(scalar @{ $block->{passes} },                         12,        'two tests, six times');
    is("$block->{budget} $plan->{most}",                     '120 120', 'a minute a test');
    is(plan_of(tests => rows('index'))->{blocks}[0]{budget}, 180,       'no more than a run has');
    is(plan_of(tests => rows('index'), sides => 3)->{blocks}[0]{budget},
        270, 'half as much for each build more');
    is(plan_of(schedule => 'quick')->{blocks}[0]{budget}, 30, 'half a minute in the quick schedule');
    is(plan_of(budget => 100, copies => [ 1, 2 ])->{blocks}[0]{budget}, 50, 'or what was asked for');
    is($plan->{margin},                  0.02, 'a smaller difference than 2 % is none');
    is(plan_of(margin => 0.1)->{margin}, 0.1,  'or than was asked for');
    my $short = plan_of(budget => 3);
    is($short->{rounds},            2, 'a short budget has fewer rounds');
    is($short->{blocks}[0]{beyond}, 0, 'and nothing beyond');
    my ($pass) = @{ $block->{passes} };
    cmp_ok($pass->{round_seconds}, '>=', 0.4, 'a round has two groups at least');
    cmp_ok($plan->{most_rounds} * ($pass->{round_seconds} + 0.1),
        '<=', 60, 'the most rounds fit into the budget');
    my $whole = plan_of(tests => rows(qw(pipe kernel)));
    is(
        join(' ',
            map { $_->{test}{name} } grep { !defined $_->{round_seconds} } @{ $whole->{blocks}[0]{passes} }),
        'kernel',
        'what takes as long as it takes has a pass and no round'
    );
};

# Walks a plan with sides whose ratios are made up: { pipe => sub { log of the ratio in round n } }.
{

    package Memory;

    sub new {
        return bless { data => { map { $_ => [] } qw(blocks passes failures skipped) } }, shift;
    }
    sub data      { return $_[0]{data} }
    sub add       { my ($self, $list, $entry) = @_; push @{ $self->{data}{$list} }, $entry; return $entry }
    sub end_block { return }

    package Silence;
    sub new      { return bless {}, shift }
    sub AUTOLOAD { return }

    package Made;
    sub new { my ($class, %with) = @_; return bless {%with}, $class }

    sub run {
        my ($self, $pass, $copies) = @_;
        my $name = $pass->{test}{name};
        my $log  = $self->{logs}{$name}->($pass->{round});
        ${ $self->{clock} } += 1;
        push @{ $self->{seen} }, $name;
        return { stopped => 'INT' }      if defined $self->{stop} && @{ $self->{seen} } == $self->{stop};
        return { failure => 'it fails' } if !defined $log;
        for my $side (0 .. $#{ $self->{sides} }) {
            my $rate = exp($side * $log);
            $self->{sides}[$side]{record}->add(
                passes => {
                    test     => $name,
                    copies   => $copies,
                    round    => $pass->{round},
                    unit     => 'lps',
                    timebase => 1,
                    counts   => [$rate],
                    times    => [1],
                    starts   => [undef],
                    slices   => [undef]
                }
            );
        }
        return { rates => [ exp $log ] };
    }
}

sub walked {
    my ($plan, $logs, %more) = @_;
    my $now   = 0;
    my @sides = map { { record => Memory->new } } 1 .. 2;
    my $made  = Made->new(sides => \@sides, logs => $logs, clock => \$now, seen => [], %more);
    Touchstone::Run::DuetRounds->new(
        sides    => \@sides,
        passes   => $made,
        progress => Silence->new,
        seed     => 5,
        clock    => sub { $now },
        stopped  => sub { defined $more{stop} && @{ $made->{seen} } >= $more{stop} ? 'INT' : undef }
    )->run($plan);
    my %n;
    $n{$_}++ for @{ $made->{seen} };
    return { n => \%n, seen => $made->{seen}, seconds => $now, record => $sides[0]{record}->data };
}

sub noisy {
    my ($middle, $noise, $seed) = @_;
    my $random = Touchstone::Base::Random::generator($seed);
    return sub {
        $middle + $noise * (sum(map { $random->() } 1 .. 12) - 6);
    };
}

subtest 'a test that is decided needs no more rounds, and the others go on' => sub {
    my $plan = plan_of(tests => rows(qw(pipe syscall spawn)));
    my $got  = walked($plan,
        { pipe => noisy(0.05, 0.001, 1), syscall => noisy(0, 0.001, 2), spawn => noisy(0, 0.2, 3) });
    is($got->{n}{pipe},    6, 'a clear difference is told at the first look');
    is($got->{n}{syscall}, 6, 'so is none');
    cmp_ok($got->{n}{spawn}, '>',  50,                         'what is unclear goes on');
    cmp_ok($got->{seconds},  '<=', $plan->{blocks}[0]{budget}, 'within the budget');
    my @first = @{ $got->{seen} }[ 0 .. 17 ];
    is_deeply(
        [ map { join ' ', sort @first[ 3 * $_ .. 3 * $_ + 2 ] } 0 .. 5 ],
        [ ('pipe spawn syscall') x 6 ],
        'each round has each test'
    );
    isnt(join(' ', @first[ 0 .. 2 ]), join(' ', @first[ 3 .. 5 ]), 'in a new order')
        if join(' ', @first[ 0 .. 8 ]) !~ /\A(\S+ \S+ \S+) \1 \1\z/;
};

subtest 'a test that fails is left out, and a stop ends the walk' => sub {
    my $plan = plan_of();
    my $got  = walked($plan, { pipe => sub { $_[0] > 2 ? undef : 0.1 }, syscall => noisy(0.05, 0.001, 4) });
    is_deeply($got->{n}, { pipe => 3, syscall => 6 }, 'the other goes on');
    $got = walked($plan, { map { $_ => noisy(0, 0.1, 6) } qw(pipe syscall) }, stop => 5);
    is(scalar @{ $got->{seen} },           5, 'nothing after the stop');
    is(scalar @{ $got->{record}{passes} }, 4, 'what was measured is in the record');
};

subtest 'a duet of real programs has turns in both records, and compare says what it said' => sub {
    my $fake = Fake->new;
    my $bin  = Programs::path('pipe') =~ s{/pipe\z}{}r;
    my $got =
        $fake->run([ 'duet', $bin, $bin, qw(-c 1 --budget 9s pipe fcall84) ], env => { UB_BINDIR => undef });
    like($got->{out}, qr/^  (?:no difference|inconclusive|faster|slower) /m, 'it has an answer')
        or diag($got->{err});
    my @records = map { $fake->record($_) }
        map { s/\.json\z//r } grep { /\.json\z/ } Fake::entries("$fake->{results}/.runs");
    is(@records, 2, 'two records') or return;
    my @pipe = map {
        [ grep { $_->{test} eq 'pipe' } @{ $_->{passes} } ]
    } @records;
    is_deeply([ grep { !$_->{duet_blocks} } map { @$_ } @pipe ], [], 'pipe took turns');
    is_deeply(
        [ grep { $_->{duet_blocks} } grep { $_->{test} eq 'fcall84' } map { @{ $_->{passes} } } @records ],
        [], 'fcall84 had passes');
    my @places = map {
        [ map { (split /:/)[0] } split / /, $_->[0]{duet_blocks}[0] ]
    } @pipe;
    is_deeply(
        [ sort { $a <=> $b } map { @$_ } @places ],
        [ 0 .. @{ $places[0] } + @{ $places[1] } - 1 ],
        'each turn is that of one of them'
    );
    is($fake->run([ 'compare', map { $_->{name} } @records ])->{out}, $got->{out}, 'the same answer again');
};

# Programs that count so many operations in each turn.
sub counting {
    my ($fake, $name, $count) = @_;
    my $bin = $fake->build($name);
    Taking::write_program(
        "$bin/pipe",
        look => "1000000:1000000:$count",
        does => 'select undef, undef, undef, 0.01'
    );
    return $bin;
}

subtest 'each build keeps its own turns, in whichever order they start' => sub {
    my $fake = Fake->new;
    my @bins = (counting($fake, 'one', 1000), counting($fake, 'other', 2000));
    my $got  = $fake->run([ 'duet', @bins, qw(-c 1 --budget 9s --seed 3 pipe) ]);
    like(
        $got->{out},
        qr/^  faster \(1\)  pipe 2(?:\.0+)? ×$|^  faster \(1\)  pipe \+100 %$/m,
        'the second is twice as fast'
    ) or diag($got->{err}, $got->{out});
    for my $record (
        map { $fake->record($_) }
        map { s/\.json\z//r } grep { /\.json\z/ } Fake::entries("$fake->{results}/.runs")
    ) {
        my $count = $record->{programs} eq $bins[0] ? 1000 : 2000;
        my @turns = map { split / /, $_->{duet_blocks}[0] } @{ $record->{passes} };
        cmp_ok(scalar @turns, '>', 10, "$record->{programs}: it had turns");
        is_deeply([ grep { !/\A\d+:1000000:1000000:$count:0\z/ } @turns ], [], 'its own');
    }
};

done_testing;
