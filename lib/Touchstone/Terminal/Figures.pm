# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Figures - what is known of scores while a run goes on: for each copy count the figure of each
# test, its index, and which test is the noisiest.
#
#   $figures->note(2, 'pipe', { passes => 4, value => 797, precision => 0.094, cv => 0.08 });
#   $figures->noisiest     ('context1', '±9.4 %')
package Touchstone::Terminal::Figures;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Figure qw(part plus_minus);
use Touchstone::Suite;

# Fewer passes tell too little about how much they vary.
my $FEWEST = 3;

sub new {
    my ($class) = @_;
    return bless { names => [], copies => [], known => {}, lost => {}, index => {}, varying => [] }, $class;
}

sub plan {
    my ($self, $plan, $has_index) = @_;
    my %seen;
    my @blocks = @{ $plan->{blocks} };
    $self->{copies} = [ map { $_->{copies} } @blocks ];
    my @names = grep { !$seen{$_}++ } map { $_->{test}{name} } map { @{ $_->{passes} } } @blocks;
    $self->{names}     = [ Touchstone::Suite::arranged(sub { $_[0] }, @names) ];
    $self->{goal}      = $plan->{precision};
    $self->{has_index} = $has_index;
    $self->{in_turn}   = $plan->{schedule} eq 'classic';
    return;
}

sub block {
    my ($self, $block) = @_;
    my %planned;
    $planned{ $_->{test}{name} }++ for grep { $_->{round} } @{ $block->{passes} };
    $self->{now}     = $block->{copies};
    $self->{varying} = [ grep { $planned{$_} >= $FEWEST } sort keys %planned ];
    return;
}

# A test has come so far: { passes, index or score or ratio, precision, cv }.
sub note {
    my ($self, $copies, $name, $figure) = @_;
    $self->{known}{$copies}{$name} = $figure;
    return;
}

# The index of the copy count by now, { score, precision }.
sub note_index {
    my ($self, $copies, $index) = @_;
    $self->{index}{$copies} = $index;
    return;
}

sub lost {
    my ($self, $name) = @_;
    $self->{lost}{ $self->{now} }{$name} = 1;
    return;
}

# Room is kept for an index before there is one.
sub has_index { my ($self) = @_; return $self->{has_index} || %{ $self->{index} } ? 1 : 0 }

# Returns what the figures of a test are: index, score or ratio, or nothing while it has none.
sub kind_of {
    my ($self, $name) = @_;
    my ($entry) = grep { $_ } map { $self->{known}{$_}{$name} } @{ $self->{copies} } or return;
    return grep { defined $entry->{$_} } qw(index ratio score);
}

# Returns whether a figure is as precise as the run wants it.
sub reaches {
    my ($self, $figure) = @_;
    return defined $self->{goal} && defined $figure->{precision} && $figure->{precision} <= $self->{goal};
}

sub figures_of { my ($self, $copies, $name) = @_; return $self->{known}{$copies}{$name} || {} }
sub index_of   { my ($self, $copies)        = @_; return $self->{index}{$copies} }
sub is_lost    { my ($self, $copies, $name) = @_; return $self->{lost}{$copies}{$name} }

# Returns the name of the noisiest test with this copy count and its figure, by the intervals if all tests
# have one, otherwise by the variation. It says nothing while tests are to come that may vary more; where each
# test has all its passes in a row, two tests are enough. Tests with fewer than $FEWEST passes in the plan do
# not count.
sub noisiest {
    my ($self) = @_;
    my @tests  = grep { !$self->is_lost($self->{now}, $_) } @{ $self->{varying} };
    my %known  = map  { $_ => $self->figures_of($self->{now}, $_) } @tests;
    delete @known{ grep { ($known{$_}{passes} // 0) < $FEWEST } keys %known };
    return if keys %known < 2 || keys %known < ($self->{in_turn} ? min(2, scalar @tests) : @tests);
    my $key = (grep { !defined $_->{precision} } values %known) ? 'cv' : 'precision';
    my ($name) =
        sort { $known{$b}{$key} <=> $known{$a}{$key} || $a cmp $b }
        grep { defined $known{$_}{$key} } keys %known
        or return;
    return ($name, $key eq 'cv' ? 'CV ' . part($known{$name}{cv}) : plus_minus($known{$name}{precision}));
}

1;
