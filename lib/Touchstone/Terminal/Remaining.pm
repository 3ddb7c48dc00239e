# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Remaining - the time of a run, by its plan: which share of it is over, how long the rest is
# expected to take, and how long it takes at most.
#
#   my $time = Touchstone::Terminal::Remaining->new;
#   $time->plan($plan);  $time->block($block);  $time->done($pass);
#   $time->share         0.51
#   $time->left          190
#   $time->most          260
#
# Warm-ups and all copy counts are part of it. Nobody knows before the rounds are over whether scores need
# passes beyond them, so half of the time that these may take is expected, and never more than the rounds
# took.
package Touchstone::Terminal::Remaining;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

sub new {
    my ($class) = @_;
    return bless { over => 0, share => 0, blocks => [], place => -1 }, $class;
}

# Each block has the seconds of its passes that are to come, and those that may follow at most.
sub plan {
    my ($self, $plan) = @_;
    $self->{blocks} = [ map { { left => $_->{seconds}, beyond => $_->{beyond}, rounds => $_->{seconds} } }
            @{ $plan->{blocks} } ];
    return;
}

# A block begins: nothing of those before it is to come.
sub block {
    my ($self, $block) = @_;
    @$_{qw(left beyond)} = (0, 0) for grep { $_ } $self->_now;
    $self->{place}++;
    my %to_come;
    $to_come{ $_->{test}{name} }{ $_->{round} } = $_->{seconds} for @{ $block->{passes} };
    $self->{to_come} = \%to_come;
    return;
}

sub _now { my ($self) = @_; return $self->{place} < 0 ? undef : $self->{blocks}[ $self->{place} ] }

# A pass has ended. One that no plan has is of the time beyond the rounds.
sub done {
    my ($self, $pass) = @_;
    my $planned   = delete $self->{to_come}{ $pass->{test}{name} }{ $pass->{round} };
    my $seconds   = $planned // $pass->{seconds} // 0;
    my $now       = $self->_now;
    my $direction = defined $planned ? 'left' : 'beyond';
    $now->{$direction} = max(0, $now->{$direction} - $seconds);
    $self->{over} += $seconds;
    return;
}

# A test is lost: its passes with this copy count are not to come.
sub lost {
    my ($self, $name) = @_;
    my $now = $self->_now;
    $now->{left} = max(0, $now->{left} - sum(0, values %{ delete $self->{to_come}{$name} || {} }));
    return;
}

# Scores are made surer: this is expected to take `needed` seconds, and takes `most`.
sub refine {
    my ($self, $needed, $most) = @_;
    @{ $self->_now }{qw(left beyond needed)} = (0, max(0, $most), min($needed, max(0, $most)));
    return;
}

sub left {
    my ($self) = @_;
    return sum(0,
        map { $_->{left} + min($_->{beyond}, $_->{needed} // min($_->{beyond} / 2, $_->{rounds})) }
            @{ $self->{blocks} });
}

sub most {
    my ($self) = @_;
    return sum(0, map { $_->{left} + $_->{beyond} } @{ $self->{blocks} });
}

# The share never becomes less, whatever more is found to do.
sub share {
    my ($self) = @_;
    my $all = $self->{over} + $self->left;
    return $self->{share} = max($self->{share}, $all > 0 ? $self->{over} / $all : 0);
}

1;
