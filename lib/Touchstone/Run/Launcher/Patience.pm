# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Launcher::Patience - how long the copies of a pass may take. Their limit is for a machine on which they
# have CPUs; where others take these, a slow copy does not hang.
#
#   my $patience = Touchstone::Run::Launcher::Patience->new(limit => 33, group => 4711, copies => 2);
#   do { ... wait ... until $patience->until } while ($patience->goes_on);
#   $patience->seconds         the time that they had in all
#
# When the limit is near, and then from step to step, a look at the system decides. Copies go on while they
# use CPU time, but less than half of what would be theirs, on CPUs that are hardly ever idle. Nothing is
# looked at before, so a pass that ends in time costs nothing. A system that reports none of this has only
# the limit. With `slow` the machine itself may be slow, or emulated, or have a quota: copies go on while they
# use any CPU time.
package Touchstone::Run::Launcher::Patience;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);
use POSIX ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Machine::Cpus;
use Touchstone::Machine::Sysfile;

# A step is this part of the limit, and a second at least. The limit is exceeded so many times at most.
my ($STEP, $LEAST_STEP, $MOST) = (0.1, 1, 20);

# CPUs are taken if they are idle for less than this part of the time; copies are in want if they get less
# than this part of their CPUs.
my ($IDLE, $SHARE) = (0.1, 0.5);

# `root` stands before /proc, and `now` tells seconds, for tests.
sub new {
    my ($class, %of) = @_;
    my $self = bless { root => '', now => sub { clock_gettime(CLOCK_MONOTONIC) }, %of }, $class;
    $self->{begin} = $self->{now}->();
    $self->{step}  = max($LEAST_STEP, $STEP * $self->{limit});
    $self->{until} = $self->{begin} + max(0, $self->{limit} - $self->{step});
    return $self;
}

# The moment until which the copies may go on without another look.
sub until { my ($self) = @_; return $self->{until} }

# The seconds that they were given so far.
sub seconds { my ($self) = @_; return max($self->{limit}, $self->{until} - $self->{begin}) }

# Returns whether copies that have not ended by then may go on; `until` is later then.
sub goes_on {
    my ($self) = @_;
    my $before = $self->{seen};
    my $now    = $self->{seen} = $self->_look;
    return 0 if $before && !$self->_is_in_want($before, $now);
    my $seconds = $before ? $self->seconds + $self->{step} : $self->{limit};
    return 0 if $seconds > $MOST * $self->{limit};
    $self->{until} = $self->{begin} + $seconds;
    return 1;
}

# What happened between two looks decides, and whether the copies have had the CPU time of their limit.
sub _is_in_want {
    my ($self, $before, $now) = @_;
    return 0 if grep { !defined } map { @$_{qw(used idle)} } $before, $now;
    my $seconds = $now->{seconds} - $before->{seconds};
    my $used    = $now->{used} - $before->{used};
    my $cpus    = min($self->{copies}, $now->{cpus});
    return $used > 0 if $self->{slow};
    return
           $used > 0
        && $used < $SHARE * $cpus * $seconds
        && $now->{idle} - $before->{idle} < $IDLE * $now->{cpus} * $seconds
        && $now->{used} < $cpus * $self->{limit};
}

sub _look {
    my ($self) = @_;
    my $tick   = POSIX::sysconf(POSIX::_SC_CLK_TCK()) || 100;
    my @usable = @{ Touchstone::Machine::Cpus::read_all($self->{root})->{usable} };
    my $stat   = Touchstone::Machine::Sysfile::text("$self->{root}/proc/stat") // '';
    my %idle   = $stat =~ /^cpu(\d{1,6})(?: \d{1,20}){3} (\d{1,20})\b/mg;
    my @idle   = grep { defined } @idle{@usable};
    my $used   = $self->_used;
    return {
        seconds => $self->{now}->(),
        cpus    => scalar @usable,
        used    => defined $used    ? $used / $tick      : undef,
        idle    => @idle == @usable ? sum(@idle) / $tick : undef
    };
}

# Returns the ticks of CPU time that the processes of the group have used, with those of their children that
# have ended.
sub _used {
    my ($self) = @_;
    my @ticks;
    for my $id (grep { /\A\d+\z/ } Touchstone::Machine::Sysfile::names("$self->{root}/proc")) {
        my $stat = Touchstone::Machine::Sysfile::text("$self->{root}/proc/$id/stat") // next;
        my (undef, undef, $group, @more) = split ' ', $stat =~ s/.*\)//sr;
        push @ticks, @more[ 8 .. 11 ] if defined $group && $group eq $self->{group} && @more > 11;
    }
    return sum(@ticks);
}

1;
