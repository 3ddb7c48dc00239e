# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Duet - a Pass of two sides or more: each pass is a round of all builds. Their programs live side by
# side and take turns of some hundredths of a second on the same CPUs (Run::Turns); programs that cannot do
# that run one after the other, in random order. Where that is wanted and there are CPUs enough, two builds
# run at once, on different CPUs that they swap with every pass.
package Touchstone::Run::Duet;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use POSIX qw(sysconf _SC_OPEN_MAX);

use Touchstone::Base::Random;
use Touchstone::Machine::Cpus;
use Touchstone::Run::Turns;
use Touchstone::Run::Pass;
use Touchstone::Score::SwitchCost;
use Touchstone::Score::Rate;

our @ISA = ('Touchstone::Run::Pass');

# Seconds of a turn: on a busy machine the shortest that leave a hand-over of a fifth of a millisecond without
# weight (docs/compare.md). Copies that share CPUs need longer ones.
our $TURN = 0.05;

# Run has so many pipes for each copy that takes turns, and up to so many other descriptors; the least that a
# system allows.
my ($PIPES, $OTHERS, $FEW) = (2, 30, 256);

# A Duet needs what a Pass needs, and
#
#   seed    => the random order follows from it
#   at_once => whether two builds are to run at once
#   turns   => whether builds are to take turns
sub new {
    my ($class, %with) = @_;
    my $self = Touchstone::Run::Pass::new($class, %with);
    $self->{random} = Touchstone::Base::Random::generator($with{seed});
    return $self;
}

# The rates that are returned stand for all builds: they are the ratios of the others to the first, which are
# what must become sure. What was measured before the user stopped a round is stored.
sub run {
    my ($self, $pass, $copies) = @_;
    my @results = $self->_results($pass, $copies);
    for my $result (@results) {
        return { stopped => $result->{stopped} }         if $result->{stopped} && !$result->{turns};
        return $self->_unusable($pass, $copies, $result) if !$result->{copies};
    }
    my @entries = map { _entry_of_side($pass, $copies, $_) } @results;
    my @rates   = map { Touchstone::Score::Rate::of_pass($_) } @entries;
    return $self->_unusable($pass, $copies, Touchstone::Run::Pass::_invalid($copies))
        if grep { Touchstone::Score::Rate::is_invalid($entries[$_], $rates[$_]) } 0 .. $#entries;
    $self->_store($self->{sides}[$_], $pass, $entries[$_], $rates[$_]) for 0 .. $#entries;
    return { stopped => $results[0]{stopped} } if $results[0]{stopped};

    # A difference of two times can be zero, and then no ratio says when it is sure.
    my ($first, @others) = map { $_->{rate} } @rates;
    return { rates => [ map { $first == 0 ? 0 : $_ / $first } @others ] };
}

sub _results {
    my ($self, $pass, $copies) = @_;
    my @cpus = $self->_cpus_for_all($pass->{test}, $copies);
    return $self->_at_once($pass, $copies, @cpus) if @cpus;
    my @results = $self->_is_turned($pass->{test}, $copies) ? $self->_by_turns($pass, $copies) : ();
    return @results ? @results : $self->_in_turn($pass, $copies);
}

sub _entry_of_side {
    my ($pass, $copies, $result) = @_;
    my $entry = Touchstone::Run::Pass::_entry($pass, $copies, $result->{cpus}, $result);
    return $entry if !$result->{turns};
    return {
        %$entry,
        window      => $pass->{round_seconds} // $pass->{window},
        duet_blocks => $result->{turns},
        handover    => $result->{handover}
    };
}

# A test that is a team, or whose passes take as long as they take, has passes for turns; so have more copies
# than there are descriptors for.
sub _is_turned {
    my ($self, $test, $copies) = @_;
    return
           $self->{turns}
        && !$test->{team}
        && $test->{pace} ne 'whole'
        && !$self->{unable}{ $test->{name} }
        && $PIPES * $copies * @{ $self->{sides} } + $OTHERS < (sysconf(_SC_OPEN_MAX) // $FEW);
}

# A round: the result of each side with its turns, or nothing when the program cannot take turns. Copies of
# all sides have the same CPUs, others in each round. The sides start in an order that is drawn, because
# what starts first has other memory.
sub _by_turns {
    my ($self, $pass, $copies) = @_;
    my $test = $pass->{test};
    my @cpus = $self->_cpus_of_turns($test, $copies)
        or return { skip => 'it needs two CPUs that share no core' };
    my @order  = Touchstone::Base::Random::shuffled($self->{random}, 0 .. $#{ $self->{sides} });
    my @sides  = map { ($_) x $copies } @order;
    my %cpus   = map { $_ => 1 } grep { defined } @cpus;
    my $length = $TURN * max(1, $copies / (keys %cpus || $self->{cpus}{usable_count}));
    my $turns  = Touchstone::Run::Turns->new(
        sides   => \@sides,
        label   => [ map { $_->{label} // 'a build' } @{ $self->{sides} } ],
        length  => $length,
        seconds => $pass->{round_seconds} // $pass->{window},
        layout  => 16 * int($self->{random}->() * $Touchstone::Run::Turns::PAGE / 16),
        random  => $self->{random}
    );
    my $all = $self->_launch(
        { %$pass, window => $length, turns => $turns },
        $copies,
        [ (@cpus) x @{ $self->{sides} } ],
        @{ $self->{sides} }[@sides]
    );
    return $all if !$all->{copies} && !$all->{unable} || $all->{stopped} && !$turns->groups;

    if (!$turns->groups || grep { $_->{own_figure} } @{ $all->{copies} }) {
        $self->{unable}{ $test->{name} } = 1;
        return;
    }
    my $handover = $self->{handover}{"$copies $test->{name}"} //= Touchstone::Score::SwitchCost->new($length);
    my $left_out = $handover->left_out;
    $handover->add(map { @{ $all->{copies}[ $_ * $copies ]{turns} } } 0 .. $#order);
    my $measured = { %{ $handover->known }, left_out => $left_out / 1e9 };
    return map { _side_of_round($all, $turns, $_, \@cpus, $measured) } sort { $a <=> $b } @order;
}

sub _side_of_round {
    my ($all, $turns, $side, $cpus, $handover) = @_;
    my @copies = @{ $all->{copies} }[ @{ $turns->{copies}[$side] } ];
    my @places = $turns->places($side);
    my @texts;
    for my $copy (@copies) {
        my (undef, @taken) = @{ $copy->{turns} };
        push @texts, join ' ',
            map { Touchstone::Score::SwitchCost::text($places[$_], $taken[$_], $handover->{left_out} * 1e9) }
            0 .. $#places;
    }
    return { %$all, copies => \@copies, cpus => $cpus, turns => \@texts, handover => $handover };
}

# The CPUs of a side, which change from round to round unless the user has chosen.
sub _cpus_of_turns {
    my ($self, $test, $copies) = @_;
    my @cpus = $self->_cpus($test, $copies);
    return @cpus
        if !@cpus || $test->{place} || $self->{pin} ne 'none' || !Touchstone::Machine::Cpus::can_place();
    my @all =
        Touchstone::Machine::Cpus::placement($self->{cpus}, 'spread', scalar @{ $self->{cpus}{usable} });
    my $first = $self->{rounds}{ $test->{name} }++;
    return map { $all[ ($first + $_) % @all ] } 0 .. $copies - 1;
}

# Returns a CPU for each copy of both builds, or nothing when there are not enough or the test chooses its
# own.
sub _cpus_for_all {
    my ($self, $test, $copies) = @_;
    return
        if !$self->{at_once} || $test->{place} || $test->{team} || 2 * $copies > $self->{cpus}{usable_count};
    my @cpus = Touchstone::Machine::Cpus::placement(
        $self->{cpus},
        $self->{pin} eq 'none' ? 'spread' : $self->{pin},
        2 * $copies
    );
    my %different = map { $_ => 1 } @cpus;
    return keys %different == @cpus ? @cpus : ();
}

sub _in_turn {
    my ($self, $pass, $copies) = @_;
    my @cpus = $self->_cpus($pass->{test}, $copies)
        or return { skip => 'it needs two CPUs that share no core' };
    my @results;
    for my $side (Touchstone::Base::Random::shuffled($self->{random}, 0 .. $#{ $self->{sides} })) {
        my $result = $self->_launch($pass, $copies, \@cpus,
            $self->_programs($pass->{test}, $copies, $self->{sides}[$side]));
        return $result if !$result->{copies};
        $results[$side] = { %$result, cpus => \@cpus };
    }
    return @results;
}

sub _at_once {
    my ($self, $pass, $copies, @cpus) = @_;
    my $turn = $self->{turn}{"$copies $pass->{test}{name}"} //= $self->{random}->() < 0.5 ? 0 : 1;
    $self->{turn}{"$copies $pass->{test}{name}"} = 1 - $turn;
    my @sides = map { ($_) x $copies } $turn ? (1, 0) : (0, 1);
    my $both  = $self->_launch($pass, $copies, \@cpus, @{ $self->{sides} }[@sides]);
    return $both if !$both->{copies};
    my @results;
    for my $side (0, 1) {
        my @mine = grep { $sides[$_] == $side } 0 .. $#sides;
        $results[$side] = { %$both, copies => [ @{ $both->{copies} }[@mine] ], cpus => [ @cpus[@mine] ] };
    }
    return @results;
}

1;
