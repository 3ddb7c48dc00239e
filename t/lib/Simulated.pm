# SPDX-License-Identifier: GPL-2.0-or-later
# Simulated - walks the plan of a run with a Runner whose passes take no time: their rates are made up with a
# known noise, and the clock goes on by what a plan says of a pass.
#
#   my $got = Simulated::run(noise => { pipe => 0.005, ... }, plan => $plan, seed => 1);
#   $got->{seconds}, $got->{passes}{pipe}, $got->{rates}{pipe}
#
# noise: the standard deviation of the logarithm of a pass of each test; disturbed: the part of the passes
# that lose a tenth to a half besides.
package Simulated;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Base::Random qw(normal);
use Touchstone::Run::Runner;
use Touchstone::Score;
use Touchstone::Stats;

sub run {
    my (%with) = @_;
    my $random = Touchstone::Base::Random::generator($with{seed} // 1);
    my %got    = (seconds => 0, order => [], map { $_ => {} } qw(passes rates));
    my $self   = bless { %with, random => $random, got => \%got }, __PACKAGE__;
    Touchstone::Run::Runner->new(
        sides    => [ { record => $self } ],
        passes   => bless({ of => $self }, 'Simulated::Passes'),
        progress => $self,
        clock    => sub { $got{seconds} },
        stopped  => sub { undef }
    )->run($with{plan});
    return \%got;
}

sub _rate {
    my ($self, $name) = @_;
    my $lost = $self->{random}->() < ($self->{disturbed} // 0) ? 0.1 + 0.4 * $self->{random}->() : 0;
    return 1000 * exp($self->{noise}{$name} * normal($self->{random})) * (1 - $lost);
}

# The standard error of the logarithm of the index of a run.
sub index_error {
    my ($got, @tests) = @_;
    my @errors =
        map { Touchstone::Score::precision_of('default', $_, $got->{rates}{ $_->{name} })->{error} } @tests;
    return sqrt(sum(map { $_**2 } @errors)) / @tests;
}

# Stands in the place of Plan::Extra::next_pass: first tests that can be made sure in the time that is left,
# the cheapest first; what time remains goes where a second narrows most.
sub cheapest {
    my ($precision, $left, @tests) = @_;
    my @unsure =
        grep { $_->{seconds} <= $left && defined $_->{error} && $_->{precision} > $precision } @tests;
    my %cost = map {
        $_->{test}{name} => $_->{seconds} *
            max(1, $_->{passes} * (($Touchstone::Stats::NORMAL * $_->{error} / $precision)**2 - 1))
    } @unsure;
    my @near = sort { $cost{ $a->{test}{name} } <=> $cost{ $b->{test}{name} } }
        grep { $cost{ $_->{test}{name} } <= $left } @unsure;
    my @far =
        sort {
        $b->{precision} / $b->{passes} / $b->{seconds} <=> $a->{precision} / $a->{passes} / $a->{seconds}
        } @unsure;
    my $next = (@near, @far)[0] or return;
    return { %$next, round => $next->{passes} + 1 };
}

sub Simulated::Passes::run {
    my ($passes, $pass) = @_;
    my $self = $passes->{of};
    my $name = $pass->{test}{name};
    my $got  = $self->{got};
    my $rate = $self->_rate($name);
    $got->{seconds} += $pass->{seconds};
    push @{ $self->{data}{passes} }, { %$pass, test => $name, copies => 1 };
    if ($pass->{round}) {
        $got->{passes}{$name}++;
        push @{ $got->{rates}{$name} }, $rate;
        push @{ $got->{order} },        $name;
    }
    return { rates => [$rate] };
}

# As a record.
sub data {
    my ($self) = @_;
    return $self->{data} //= { map { $_ => [] } qw(passes failures skipped blocks tests) };
}

sub rates {
    my ($self) = @_;
    return [ map { +{} } @{ $self->data->{passes} } ];
}
sub add       { my ($self, undef, $entry) = @_; return $entry }
sub end_block { return }

# As what shows the progress.
sub wants_figures { return 0 }
sub block         { return }
sub pass          { return }
sub again         { return }
sub refine        { return }
sub done          { return }
sub lost          { return }

1;
