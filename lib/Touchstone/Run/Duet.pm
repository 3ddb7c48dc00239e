# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Duet - a Pass of two sides or more: each pass is a pass of every build. Two builds run at once, where
# that is wanted and there are CPUs enough, on different CPUs that they swap with every pass, so that what
# disturbs one disturbs the other. Otherwise builds take turns, in random order.
package Touchstone::Run::Duet;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Random;
use Touchstone::Machine::Cpus;
use Touchstone::Run::Pass;
use Touchstone::Score::Rate;

our @ISA = ('Touchstone::Run::Pass');

# A Duet needs what a Pass needs, and
#
#   seed    => the random order follows from it
#   at_once => whether two builds are to run at once
sub new {
    my ($class, %with) = @_;
    my $self = Touchstone::Run::Pass::new($class, %with);
    $self->{random} = Touchstone::Base::Random::generator($with{seed});
    return $self;
}

# The rates that are returned stand for all builds: they are the ratios of the others to the first, which are
# what must become sure.
sub run {
    my ($self, $pass, $copies) = @_;
    my @cpus    = $self->_cpus_for_all($pass->{test}, $copies);
    my @results = @cpus ? $self->_at_once($pass, $copies, @cpus) : $self->_in_turn($pass, $copies);
    for my $result (@results) {
        return $result                                   if $result->{stopped};
        return $self->_unusable($pass, $copies, $result) if !$result->{copies};
    }
    my @entries = map { Touchstone::Run::Pass::_entry($pass, $copies, $_->{cpus}, $_) } @results;
    my @rates   = map { Touchstone::Score::Rate::of_pass($_) } @entries;
    return $self->_unusable($pass, $copies, Touchstone::Run::Pass::_void($copies))
        if grep { Touchstone::Score::Rate::is_void($entries[$_], $rates[$_]) } 0 .. $#entries;
    $self->_store($self->{sides}[$_], $pass, $entries[$_], $rates[$_]) for 0 .. $#entries;

    # A difference of two times can be zero, and then no ratio says when it is sure.
    my ($first, @others) = map { $_->{rate} } @rates;
    return { rates => [ map { $first == 0 ? 0 : $_ / $first } @others ] };
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
