# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Turns - the turns of a round: the copies of all sides of a test live side by side, and one side after
# the other measures for some hundredths of a second, on the same CPUs, while the others wait. A disturbance
# outlasts a turn, which documents and records call a block, so it meets all sides alike.
#
# Turns come in groups: an order of the sides, drawn anew for each group, and its mirror, such as ABBA or
# BAAB. So a drift within a group, too, meets all sides alike. Each side's first turn is a warm-up that nobody
# counts.
#
#   my $turns = Touchstone::Run::Turns->new(
#       sides   => [0, 0, 1, 1],    the side of each copy
#       label  => [ 'pgms', 'o2' ],
#       length  => 0.05,            seconds of a turn
#       seconds => 1,               of all turns together; a group is always whole, and one there is
#       layout  => a number: programs lie in memory as layout_padding() makes it of this
#       random  => a generator
#   );
#
# Run::Launcher calls take() when all copies are ready.
package Touchstone::Run::Turns;
use 5.014;
use strict;
use warnings;

use Config;
use List::Util qw(max sum);

use Touchstone::Base::Random;

# A message has so many bytes (src/turn.h).
my $MESSAGE = 16;

sub new {
    my ($class, %with) = @_;
    my @copies;
    push @{ $copies[ $with{sides}[$_] ] }, $_ for 0 .. $#{ $with{sides} };
    return bless { %with, copies => \@copies, order => [] }, $class;
}

# Lets turns be taken until the time is up. It returns what went wrong, or nothing. `with`, as Run::Launcher
# has it:
#
#   now   => a sub that tells seconds
#   give  => a sub that sends a copy a message, if it lives
#   taken => a sub that tells how many turns a copy has taken
#   lives => a sub that tells whether a copy lives
#   wait  => a sub that waits until the sub that it gets is true, a copy fails or the time is up; false when
#            there is no going on
#   late  => a sub that tells what these copies are doing instead of ending their turn
sub take {
    my ($self, %with) = @_;
    my $end   = $with{now}->() + $self->{seconds};
    my @sides = 0 .. $#{ $self->{copies} };
    my @group = Touchstone::Base::Random::shuffled($self->{random}, @sides);
    $self->{warm} = @sides;
    do {
        for my $side (@group) {
            push @{ $self->{order} }, $side;
            my ($goes_on, $why) = $self->_turn($side, %with);
            return $why if !$goes_on;
        }
        @group = Touchstone::Base::Random::shuffled($self->{random}, @sides);
        @group = (@group, reverse @group);
    } while ($with{now}->() < $end || $self->groups == 0);
    return;
}

# A turn of all copies of a side. It returns whether turns go on, and if not why, unless that is known
# elsewhere.
sub _turn {
    my ($self, $side, %with) = @_;
    my @copies  = @{ $self->{copies}[$side] };
    my %before  = map { $_ => $with{taken}->($_) } @copies;
    my $message = sprintf '%-*.0f', $MESSAGE, $self->{length} * 1e9;
    my $over    = sub {
        !grep { $with{taken}->($_) == $before{$_} && $with{lives}->($_) } @copies;
    };
    $with{give}->($_, $message) for @copies;
    return 0 if !$with{wait}->($over);
    return 1 if !grep { $with{taken}->($_) == $before{$_} } @copies;
    my $ended = $over->();
    $self->{ends_early} = 1 if $ended && !grep { $_ > 1 } values %before;
    return (0, "$self->{label}[$side] " . ($ended ? 'ended in its turn' : $with{late}->(@copies)));
}

# True when a program has ended in its first or second turn, and was content: it asks for no more turns than
# one.
sub ends_early { my ($self) = @_; return $self->{ends_early} }

# Returns how many groups are whole.
sub groups {
    my ($self) = @_;
    my $warm = $self->{warm} // 0;
    return int(max(0, @{ $self->{order} } - $warm) / (2 * @{ $self->{copies} }));
}

# Returns the places of the turns of a side that count, in the sequence of all turns after the warm-up.
sub places {
    my ($self, $side) = @_;
    my $warm = $self->{warm};
    my $last = $warm + 2 * @{ $self->{copies} } * $self->groups - 1;
    return grep { $self->{order}[ $_ + $warm ] == $side } 0 .. $last - $warm;
}

# Linux draws the places of stack and heap anew for each process, and they also follow from the lengths of
# the environment and of the arguments. Some programs are some per cent faster in one layout than in
# another: of dhry2reg one process in five loses 5 %. Programs that are compared have the same layout each
# time, another one every time, so that this is no difference between them.

# A layout repeats itself after a page.
our $PAGE = 4096;

# The number of Linux's call personality, by the beginning of Perl's name for the architecture.
my %CALL = (
    x86_64      => 135,
    amd64       => 135,
    i386        => 136,
    i486        => 136,
    i586        => 136,
    i686        => 136,
    aarch64     => 92,
    riscv64     => 92,
    loongarch64 => 92,
    arm         => 136,
    powerpc     => 136,
    ppc         => 136,
    s390        => 136
);
my $NOT_RANDOM = 0x0040000;
my $ASK        = 0xffffffff;

# From now on this process starts programs whose places are not drawn. It returns whether that is so: some
# containers do not allow it.
sub fix_layout {
    return 0 if $^O ne 'linux';
    my ($arch) = grep { $Config{archname} =~ /\A$_/ } sort { length $b <=> length $a } keys %CALL;
    return 0 if !defined $arch || $Config{archname} =~ /x32/;
    my $now = syscall $CALL{$arch}, $ASK;
    return 0 if $now == -1;
    syscall $CALL{$arch}, $now | $NOT_RANDOM;
    return syscall($CALL{$arch}, $ASK) & $NOT_RANDOM ? 1 : 0;
}

# Returns the bytes by which the environment must grow so that a program with these arguments has the layout
# of this number.
sub padding {
    my ($layout, $environment, $program, @arguments) = @_;
    my $bytes = sum(map { length($_) + 1 } $program,
        $program, @arguments, map { "$_=" . ($environment->{$_} // '') } keys %$environment);
    return ($layout - $bytes) % $PAGE;
}

1;
