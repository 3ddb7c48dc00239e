# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Runner - walks the plan block by block, and goes on with tests that are not sure enough.
package Touchstone::Run::Runner;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Base::Time;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Run::Plan;
use Touchstone::Score::Disturbance;
use Touchstone::Score;
use Touchstone::Stats;

# A plan whose time is limited may take this many times as long: a busy machine is slower than planned.
my $SLACK = 1.15;

# A Runner needs:
#
#   sides    => [ { record, ... } ], as Run::Pass has them
#   passes   => a Run::Pass or a Run::Duet, which makes each pass
#   clock    => a sub that tells seconds, or undef: the system's
#   progress => a Terminal::Progress
#   stopped  => a sub that gives the signal that stops the run
sub new {
    my ($class, %with) = @_;
    $with{clock} //= sub { clock_gettime(CLOCK_MONOTONIC) };
    return bless {%with}, $class;
}

# Walks a plan. It returns the signal that stopped it, or nothing. What the records have already is not
# measured again.
sub run {
    my ($self, $plan) = @_;
    $self->{schedule} = $plan->{schedule};
    my $begin = $self->{clock}->();
    my $later = sum(0, map { $_->{seconds} } @{ $plan->{blocks} });
    for my $block (@{ $plan->{blocks} }) {
        $later -= $block->{seconds};
        $self->{until} = defined $plan->{within} ? $begin + $SLACK * $plan->{within} - $later : undef;
        my @entries = map { _entry_of_block($_->{record}, $block->{copies}) } @{ $self->{sides} };
        $self->{progress}->block($block);
        my $start = $self->{clock}->();
        my $past  = $self->_known($block);
        $self->_report($_, $block->{copies}) for grep { $_->{passes} } values %$past;
        $start -= sum(0, map { $_->{spent} } values %$past);

        if ($self->_run_passes($block, $past)) {
            $self->_refine($plan, $block, $start, $past) if defined $plan->{precision};
            $self->_until_precise($block, $past)         if $plan->{until_precise};
        }
        $self->{sides}[$_]{record}->end_block($entries[$_]) for 0 .. $#entries;
        my $signal = $self->{stopped}->();
        return $signal if $signal;
    }
    return;
}

sub _entry_of_block {
    my ($record, $copies) = @_;
    my ($past) = grep { $_->{copies} == $copies } @{ $record->data->{blocks} };
    return $past // $record->add(blocks => { copies => $copies, started => Touchstone::Base::Time::now() });
}

# Returns what is known of the tests of a block before it begins, from a run that is gone on with.
sub _known {
    my ($self, $block) = @_;
    my $data    = $self->{sides}[0]{record}->data;
    my %last    = map { $_->{test}{name} => $_ } @{ $block->{passes} };
    my $weights = Touchstone::Run::Plan::Adaptive::weights(map { $_->{test} } values %last);
    my %known   = map {
        my $pass = $last{$_};
        $_ => {
            (map { $_ => $pass->{$_} } qw(test window warm)),
            weight => $weights->{$_},
            rates  => [],
            places => [],
            spent  => 0,
            passes => 0
        }
    } keys %last;
    for my $i (0 .. $#{ $data->{passes} }) {
        my $pass = $data->{passes}[$i];
        my $test = $known{ $pass->{test} };
        next if !$test || $pass->{copies} != $block->{copies};
        $test->{done}{ $pass->{round} } = 1;
        my $spent = ($pass->{counters} || {})->{seconds} // $pass->{seconds} // $pass->{window};
        _note($test, $pass, $i, $spent, $self->{sides}[0]{record}->rates->[$i]{rate});
    }
    for my $lost (@{ $data->{failures} }, @{ $data->{skipped} }) {
        $known{ $lost->{test} }{lost} = 1
            if $known{ $lost->{test} } && ($lost->{copies} // $block->{copies}) == $block->{copies};
    }
    return \%known;
}

# Notes a pass that stands at this place among all.
sub _note {
    my ($test, $pass, $place, $seconds, @rates) = @_;
    return if !$pass->{round};
    push @{ $test->{places} },    $place;
    push @{ $test->{rates}[$_] }, $rates[$_] for 0 .. $#rates;
    $test->{passes}++;
    $test->{spent} += $seconds;
    return;
}

# Makes the passes of a block. It returns true unless it was stopped.
sub _run_passes {
    my ($self, $block, $past) = @_;
    $self->{progress}->lost($_) for grep { $past->{$_}{lost} } sort keys %$past;
    for my $pass (@{ $block->{passes} }) {
        my $test = $past->{ $pass->{test}{name} };
        if (!$test->{lost} && !$test->{done}{ $pass->{round} } && !$self->_is_late($pass)) {
            $self->{progress}->pass($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
        }
        $self->{progress}->done($pass);
    }
    return 1;
}

# Later rounds are left out when the time of the plan is up: a slow disk takes longer than planned.
sub _is_late {
    my ($self, $pass) = @_;
    return defined $self->{until} && $pass->{round} > 1 && $self->{clock}->() > $self->{until};
}

# Makes one pass and notes it in what is known of its test. It returns nothing when it was stopped.
sub _measure {
    my ($self, $pass, $copies, $test) = @_;
    my $start = $self->{clock}->();
    $pass = { %$pass, window => $pass->{window} * $test->{stretch} } if $pass->{round} && $test->{stretch};
    my $result = $self->{passes}->run($pass, $copies);
    while (defined $result->{idle} && $pass->{round}) {
        $pass   = $self->_longer($pass, $copies, $test, $result->{idle});
        $result = $self->{passes}->run($pass, $copies);
    }
    return   if $result->{stopped};
    return 1 if defined $result->{idle};
    if (!$result->{rates}) {
        $test->{lost} = 1;
        delete $self->{results}{$copies}{ $test->{test}{name} };
        $self->{progress}->lost($test->{test}{name});
        return 1;
    }
    my $place = $#{ $self->{sides}[0]{record}->data->{passes} };
    _note($test, $pass, $place, $self->{clock}->() - $start, @{ $result->{rates} });
    $self->_report($test, $copies) if $test->{passes};
    return 1;
}

# Tells the user, if one looks, what is known of a test by now. The rates of several builds are ratios.
sub _report {
    my ($self, $test, $copies) = @_;
    return if $test->{test}{verdict} || !$self->{progress}->wants_figures;
    my ($facts, $name, $least) =
        ($self->{sides}[0]{record}->data, $test->{test}{name}, $self->_widest($test));
    my %so_far = (passes => $test->{passes}, map { $_ => $least->{$_} } qw(precision cv));
    return $self->{progress}
        ->so_far($copies, $name, { %so_far, @{ $test->{rates} } == 1 ? (ratio => $least->{score}) : () })
        if @{ $self->{sides} } > 1;
    my ($row) = grep { $_->{name} eq $name } @{ $facts->{tests} };
    my $result = $self->{results}{$copies}{$name} =
        Touchstone::Score::result_so_far($row // $test->{test}, $copies, $least);
    my %figure =
        defined $result->{index}
        ? (index => $result->{index})
        : (score => $result->{score}, seconds => is_lower_better($result));
    $self->{progress}->so_far(
        $copies, $name,
        { %so_far, %figure },
        scalar Touchstone::Score::index_so_far($facts, $copies, values %{ $self->{results}{$copies} })
    );
    return;
}

# Returns the pass once more; the later ones of its test are as long.
sub _longer {
    my ($self, $pass, $copies, $test, $reason) = @_;
    my $times = $self->{schedule} eq 'classic' ? 1 : 2;
    $test->{stretch} = ($test->{stretch} // 1) * $times;
    my $window = $pass->{window} * $times;
    $self->{progress}->note(
        sprintf '%s with %s: %s had no turn within %.3g s, again with %.3g s',
        $pass->{test}{name},
        copies($copies), $reason, $pass->{window}, $window
    );
    return { %$pass, window => $window, repeats => ($pass->{repeats} // 0) + 1 };
}

# Goes on with the tests whose scores are not sure enough while there is time, as the index profits most.
# Tests with a budget of their own come first.
sub _refine {
    my ($self, $plan, $block, $start, $past) = @_;
    return if !$self->_repeat($block, $past);
    $start += sum(0, map { $_->{spent} } grep { Touchstone::Run::Plan::is_whole($_->{test}) } values %$past);
    my @tests =
        grep { !$_->{lost} && $_->{passes} >= $Touchstone::Stats::FEWEST && !$_->{test}{verdict} }
        map { $past->{$_} } sort keys %$past;
    $self->_judge($_) for @tests;
    while (1) {
        my $left = $block->{budget} - ($self->{clock}->() - $start);
        my $pass =
            Touchstone::Run::Plan::Adaptive::next_pass($plan->{precision}, $left, grep { !$_->{lost} } @tests)
            or return;
        my $test = $past->{ $pass->{test}{name} };
        $self->{progress}->refine(
            pass   => $pass,
            copies => $block->{copies},
            wanted => $plan->{precision},
            left   => $left,
            needed => Touchstone::Run::Plan::Adaptive::needed(
                $plan->{precision}, $left, grep { !$_->{lost} } @tests
            ),
            tests   => scalar @tests,
            reached =>
                scalar(grep { defined $_->{precision} && $_->{precision} <= $plan->{precision} } @tests)
        );
        return if !$self->_measure($pass, $block->{copies}, $test);
        $self->{progress}->done($pass);
        $self->_judge($test);
    }
    return;
}

# Repeats passes that are whole. It returns true unless it was stopped.
sub _repeat {
    my ($self, $block, $past) = @_;
    for my $test (map { $past->{$_} } sort keys %$past) {
        while (!$test->{lost}
            && (my $pass = Touchstone::Run::Plan::next_whole($test, $block->{whole_budget}))) {
            $self->{progress}->again($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
            $self->{progress}->done($pass);
        }
    }
    return 1;
}

# Goes on with the tests of the classic schedule that need more passes to be sure.
sub _until_precise {
    my ($self, $block, $past) = @_;
    my %last = map { $_->{test}{name} => $_ } @{ $block->{passes} };
    for my $name (sort keys %last) {
        my $test = $past->{$name};
        while (!$test->{lost} && defined(my $precision = $self->_widest($test)->{precision})) {
            my $pass = Touchstone::Run::Plan::next_classic($last{$name}, $test->{passes}, $precision) or last;
            $self->{progress}->pass($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
            $self->{progress}->done($pass);
        }
    }
    return;
}

sub _judge {
    my ($self, $test) = @_;
    @$test{qw(precision error)} = @{ $self->_widest($test) }{qw(precision error)};
    $test->{seconds} = $test->{spent} / $test->{passes};
    return;
}

# Returns how sure a test is: if it has several figures, that of the least sure. The ratios of several builds
# have no marks: what disturbed one disturbed the others.
sub _widest {
    my ($self, $test) = @_;
    my $disturbances = @{ $self->{sides} || [] } == 1 ? $self->_disturbances($test) : undef;
    my ($least) =
        sort { ($b->{precision} // -1) <=> ($a->{precision} // -1) }
        map  { Touchstone::Score::precision_of($self->{schedule}, $test->{test}, $_, $disturbances) }
        @{ $test->{rates} };
    return $least || {};
}

# The disturbances of the passes of a test, by its passes alone.
sub _disturbances {
    my ($self, $test)   = @_;
    my ($facts, $rates) = map { $self->{sides}[0]{record}->$_ } qw(data rates);
    my @places = @{ $test->{places} || [] };
    my $mine   = { %$facts, passes => [ @{ $facts->{passes} }[@places] ] };
    my @marks  = Touchstone::Score::Disturbance::marks($mine, @$rates[@places]);
    my @losses = Touchstone::Score::Disturbance::losses($mine);
    return [ map { Touchstone::Score::Disturbance::disturbance($marks[$_], $losses[$_]) } 0 .. $#places ];
}

1;
