# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::EventSplit: differences of CPU time as instructions, instructions per cycle and clock, also if a
# record has no events, or wrong ones.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use Costs;
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Compare;
use Touchstone::Compare::EventSplit;
use Touchstone::Report::Compare::CostSplit;

my $random = Touchstone::Base::Random::generator(1939);
my @TIMES  = (0.8, 0.2, 0);
my %EVENTS = (instructions => 3e9, per_cycle => 1.5, clock => 2e9);
my @PARTS  = @Touchstone::Compare::EventSplit::PARTS;
$Costs::TICKS = 0;

# Passes that count events: 1 s of CPU time for an operation, times these factors, with a little noise.
sub counted {
    my (%factor) = @_;
    my @passes;
    for (1 .. 3) {
        my %event  = map { $_ => $EVENTS{$_} * ($factor{$_} // 1) * exp(0.002 * normal($random)) } @PARTS;
        my $cycles = $event{instructions} / $event{per_cycle};
        push @passes,
            {
            timebase => 1,
            counts   => [1],
            times    => [1],
            user     => [ 0.8 * $cycles / $event{clock} ],
            sys      => [ 0.2 * $cycles / $event{clock} ],
            events   => [
                {
                    instructions_user   => 0.8 * $event{instructions},
                    instructions_kernel => 0.2 * $event{instructions},
                    cycles_user         => 0.8 * $cycles,
                    cycles_kernel       => 0.2 * $cycles
                }
            ]
            };
    }
    return @passes;
}

# The pair of two runs, of which the second has its events by these factors and its time by their product.
sub pair {
    my ($factors, @events) = @_;
    my $time = ($factors->{instructions} // 1) / ($factors->{per_cycle} // 1) / ($factors->{clock} // 1);
    my @runs = (
        Costs::run($random, 'one',   0.004, @TIMES),
        Costs::run($random, 'other', 0.004, map { $time * $_ } @TIMES)
    );
    @events = ([ counted() ], [ counted(%$factors) ]) if !@events;
    $runs[$_]{tests}{'1 t'}{costs}{events} = Touchstone::Compare::EventSplit::of_passes(@{ $events[$_] })
        for 0, 1;
    return Touchstone::Compare::compare(runs => \@runs)->{pairs}[0];
}

sub sentence {
    my ($pair) = @_;
    my ($points) =
        grep { $_->[0] eq 'in' && $_->[1][0] eq 'text' } Touchstone::Report::Compare::CostSplit::parts($pair);
    return $points ? $points->[2][1] : '';
}

subtest 'the planted part is named, and the parts add up' => sub {
    for my $part (@PARTS) {
        my $factor = $part eq 'instructions' ? 1.34 : 1 / 1.34;
        my $events = pair({ $part => $factor })->{tests}[0]{split}{events};
        is("@{ $events->{named} }", $part,                                  $part);
        is("@{ $events->{same} }",  join(' ', grep { $_ ne $part } @PARTS), 'the others are the same');
        my $sum = sum(map { $_->{log} } values %{ $events->{parts} });
        cmp_ok(abs($sum - $events->{log}),      '<', 1e-12, 'the sum');
        cmp_ok(abs($events->{log} - log(1.34)), '<', 0.02,  'is the difference of the CPU time');
    }
};

subtest 'sentences' => sub {
    like(
        sentence(pair({ instructions => 1.34 })),
        qr/ slower: .*; 1\.3[34] times the instructions, same work per cycle, same clock\z/,
        'in user mode and in the kernel'
    );
    like(
        sentence(pair({ clock => 0.9 })),
        qr/ slower: .*; same instructions, same work per cycle, clock 10 % lower\z/,
        'the clock'
    );
    my %events = (
        log   => 0.3,
        named => ['instructions'],
        same  => [],
        parts => { instructions => { log => log 1.34 } }
    );
    my $test   = { split => { named => ['kernel'], events => \%events } };
    my $clause = sub {
        Touchstone::Report::Compare::EventSplit::clause($test, 'x: 34 % slower, all of it in the kernel');
    };
    is($clause->(), ', at 1.34 times the instructions', 'all of it');
    $test->{split}{named} = ['waiting'];
    is($clause->(), '', 'waiting has no instructions');
};

# The comparison continues without these parts and gives the reason.
subtest 'events that one of the runs lacks, or that cannot be' => sub {
    my @good  = counted();
    my @wrong = map { +{ %$_, events => [ { %{ $_->{events}[0] }, cycles_user => -1 } ] } } counted();
    my @contradicting =
        map { +{ %$_, events => [ { %{ $_->{events}[0] }, instructions_user => 1e14 } ] } } counted();
    my @none = map { { uncounted => { hardware => 'perf_event_paranoid is 3' } } } 1 .. 3;
    my %why  = (
        'no pass counts'            => [ [],      'they were not counted' ],
        'the kernel refuses'        => [ \@none,  'hardware (perf_event_paranoid is 3)' ],
        'a negative count'          => [ \@wrong, 'cycles_user (the count is not possible)' ],
        'counts that do not add up' =>
            [ \@contradicting, 'hardware (instructions and cycles contradict each other)' ]
    );
    for my $what (sort keys %why) {
        my ($events, $why) = @{ $why{$what} };
        for my $sides ([ \@good, $events ], [ $events, \@good ]) {
            my $pair = pair({ clock => 0.7 }, @$sides);
            is($pair->{tests}[0]{verdict}, 'slower', "$what: the verdict stays");
            ok($pair->{tests}[0]{split}{parts}, 'with user and kernel time');
            my @texts =
                map  { $_->[2][1] }
                grep { $_->[0] eq 'in' && $_->[1][0] eq 'plain' }
                Touchstone::Report::Compare::CostSplit::parts($pair);
            is_deeply(\@texts, ["No instructions and cycles of t: $why."], $why);
        }
    }
    my $pair = pair({ clock => 0.7 }, \@none, \@none);
    is($pair->{tests}[0]{split}{events}, undef, 'nothing is said if both lack them');
    $pair = pair({ clock => 0.7 }, [ counted() ], [ counted() ]);
    is_deeply(
        $pair->{tests}[0]{split}{events},
        { why => 'counting changes their difference' },
        'other passes differ'
    );
};

done_testing;
