# SPDX-License-Identifier: GPL-2.0-or-later
# Run::DuetRounds - walks the plan of a run that interleaves builds (Run::Plan): each round
# measures every test that is not decided yet, in a new order. After certain numbers of rounds
# Compare::SequentialTest looks whether a test is decided; then it needs no more.
package Touchstone::Run::DuetRounds;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Base::Random;
use Touchstone::Base::Text qw(plural);
use Touchstone::Compare::SequentialTest;
use Touchstone::Base::Time;
use Touchstone::Run::Plan;
use Touchstone::Stats::Sequential;

# It needs what a Run::Runner needs, and makes its passes with a Run::Duet; `seed`: the order follows from
# it.
sub new {
    my ($class, %with) = @_;
    $with{clock} //= sub { clock_gettime(CLOCK_MONOTONIC) };
    return bless { %with, random => Touchstone::Base::Random::generator($with{seed}) }, $class;
}

# Walks the plan. It returns the signal that stopped it, or nothing.
sub run {
    my ($self, $plan) = @_;
    $self->{plan} = $plan;
    for my $block (@{ $plan->{blocks} }) {
        my @records = map { $_->{record} } @{ $self->{sides} };
        my @entries = map {
            $_->add(blocks => { copies => $block->{copies}, started => Touchstone::Base::Time::now() })
        } @records;
        $self->{progress}->block($block);
        $self->_walk($block);
        $records[$_]->end_block($entries[$_]) for 0 .. $#records;
        my $signal = $self->{stopped}->();
        return $signal if $signal;
    }
    return;
}

# A test on its way: { pass, test, window, passes, spent, lost, decided }.
sub _walk {
    my ($self, $block) = @_;
    my @tests =
        map { { pass => $_, test => $_->{test}, window => $_->{window}, passes => 0, spent => 0 } }
        grep { $_->{round} == 1 } @{ $block->{passes} };
    my $start  = $self->{clock}->();
    my $rounds = $block->{passes}[-1]{round};
    for my $round (1 .. $block->{most}) {
        for my $test (Touchstone::Base::Random::shuffled($self->{random}, @tests)) {
            next if $test->{lost} || $test->{decided} || $round > 1 && !defined $test->{pass}{round_seconds};
            my $left = $block->{budget} - ($self->{clock}->() - $start - _whole(@tests));
            next if $round > $rounds && $left < $test->{spent} / $test->{passes};
            my $pass = { %{ $test->{pass} }, round => $test->{passes} + 1 };
            $self->_show($pass, $block, $left, $round > $rounds, @tests);
            return if !$self->_sit($pass, $block->{copies}, $test);
            $self->_look($block->{copies}, @tests)
                if Touchstone::Stats::Sequential::is_look($test->{passes}, $self->{plan}{most_rounds});
        }
        last if !grep { $_->{passes} == $round } @tests;
    }
    return $self->_repeat($block, @tests);
}

# Seconds that passes took which take as long as they take.
sub _whole {
    return sum(0, map { $_->{spent} } grep { !defined $_->{pass}{round_seconds} } @_);
}

sub _show {
    my ($self, $pass, $block, $left, $is_more, @tests) = @_;
    return $self->{progress}->pass($pass, $block->{copies}) if !$is_more;
    my @open = grep { !$_->{lost} && !$_->{decided} && defined $_->{pass}{round_seconds} } @tests;
    return $self->{progress}->decide(
        pass    => $pass,
        copies  => $block->{copies},
        left    => $left,
        decided => @tests - @open,
        tests   => scalar @tests
    );
}

# Makes a round. It returns nothing when it was stopped.
sub _sit {
    my ($self, $pass, $copies, $test) = @_;
    my $start  = $self->{clock}->();
    my $result = $self->{passes}->run($pass, $copies);
    while (defined $result->{idle}) {
        $pass   = { %$pass, window => 2 * $pass->{window}, repeats => ($pass->{repeats} // 0) + 1 };
        $result = $self->{passes}->run($pass, $copies);
    }
    return if $result->{stopped};
    $self->{progress}->done($pass);
    if (!$result->{rates}) {
        $test->{lost} = 1;
        $self->{progress}->lost($test->{test}{name});
        return 1;
    }
    $test->{passes}++;
    $test->{spent} += $self->{clock}->() - $start;
    return 1;
}

# Decides what can be decided, each build against the first, as Compare judges them. A test of several builds
# goes on until each is.
sub _look {
    my ($self, $copies, @tests) = @_;
    my ($first, @others) = map { $_->{record}->data } @{ $self->{sides} };
    my %open;
    for my $other (@others) {
        my %logs;
        for my $name (
            map  { $_->{test}{name} }
            grep { !$_->{lost} && defined $_->{pass}{round_seconds} } @tests
        ) {
            my @passes = map { _passes_of($_, $copies, $name) } $first, $other;
            $logs{$name} = [ Touchstone::Compare::SequentialTest::logs(@passes) ];
        }
        my $decided = Touchstone::Compare::SequentialTest::decide(
            \%logs,
            n_max   => $self->{plan}{most_rounds},
            fail_on => $self->{plan}{margin},
            among   => _figures($self->{plan})
        );
        $open{$_} = 1 for grep { !$decided->{$_} } keys %logs;
    }
    for my $test (grep { !$_->{lost} && defined $_->{pass}{round_seconds} } @tests) {
        $test->{decided} = 1 if !$open{ $test->{test}{name} };
    }
    return;
}

# How many figures the comparison will have: all tests, and an index of each category that has several.
sub _figures {
    my ($plan) = @_;
    my $figures = 0;
    for my $block (@{ $plan->{blocks} }) {
        my (%tests, %members);
        $tests{ $_->{name} } //= $_->{category} // '' for map { $_->{test} } @{ $block->{passes} };
        $members{$_}++ for values %tests;
        $figures += keys(%tests) + grep { $_ > 1 } values %members;
    }
    return $figures;
}

sub _passes_of {
    my ($facts, $copies, $name) = @_;
    return [ grep { $_->{test} eq $name && $_->{copies} == $copies && $_->{round} } @{ $facts->{passes} } ];
}

# Passes that take as long as they take are repeated while there is time.
sub _repeat {
    my ($self, $block, @tests) = @_;
    for my $test (grep { !defined $_->{pass}{round_seconds} } @tests) {
        while (!$test->{lost} && (my $pass = $self->_next_whole($test, $block->{whole_budget}))) {
            $self->{progress}->again($pass, $block->{copies});
            return if !$self->_sit($pass, $block->{copies}, $test);
        }
    }
    return;
}

sub _next_whole {
    my ($self, $test, $seconds) = @_;
    my $sides = @{ $self->{sides} };
    return Touchstone::Run::Plan::next_whole({ %$test, spent => $test->{spent} / $sides }, $seconds);
}

1;
