# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::RepeatRuns - --again: repeats a run as one set. Each is a run like any other, with a pause between two.
# The completed runs are stored however the set ends; resume with one of its runs continues the set.
package Touchstone::Cli::RepeatRuns;
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use List::Util qw(max min);
use POSIX ();
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime);

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plural);
use Touchstone::Base::Time qw(duration);
use Touchstone::Base::Trouble qw(refuse);
use Touchstone::Cli::App;
use Touchstone::Cli::Options;
use Touchstone::Compare::Drift;
use Touchstone::Compare::History;
use Touchstone::Report::RunSeries;

# Signals are heeded after so many seconds at most, also where they end no sleep.
my $SLEEP = 1;

# A run that was to begin so many seconds ago begins late.
my $LATE = 1;

# Among several runs one that is worse counts more than one that cannot be told.
my %WEIGHT = (0 => 0, 125 => 1, 1 => 2);
my $MOST   = 3;

my $FIXED = "--again makes several runs, and UB_OUTPUT_FILE_NAME names one: leave it out\n";

# Which of the words of a command hold for all runs that are gone on with.
my @SAID_NOW = qw(quiet verbose brief strict);

# Makes the loop:
#
#   want, words, base     those of the command
#   progress              shows what is said between runs
#   stopped               gives the signal that stops the set
#   measure               a sub that takes a run as it is wanted, and what is called with its name when it
#                         has ended; it returns the exit status or dies
#   wall, clock, pause    of Cli::App
sub new {
    my ($class, %with) = @_;
    my $places = Touchstone::Base::Directories::find($with{base});
    refuse($FIXED) if length Touchstone::Base::Directories::fixed_name($places);
    return bless {
        wall  => sub { Time::HiRes::time() },
        clock => sub { clock_gettime(CLOCK_MONOTONIC) },
        pause => sub { select undef, undef, undef, $_[0] },
        (map { $_ => $with{$_} } grep { defined $with{$_} } keys %with),
        places => $places,
        status => 0
    }, $class;
}

# A new set.
sub begin {
    my ($self) = @_;
    my $options = $self->{want};
    return $self->_walk({ of => $options->{again}, every => $options->{every}, words => $self->{words} },
        map { { number => $_ } } 1 .. $options->{again});
}

# The rest of a set that was stopped: runs that were cut off go on, those that are missing follow.
sub go_on {
    my ($self, $set) = @_;
    my @begun = grep { !$_->{complete} } @{ $set->{members} };
    my @left  = sort { $a->{number} <=> $b->{number} } @begun,
        map { { number => $_ } } Touchstone::Compare::History::missing_numbers($set);
    die "cannot resume '$set->{name}': all of its " . plural($set->{of}, 'run') . " are complete\n" if !@left;
    $self->_hold($set->{name});
    return $self->_walk($set, @left);
}

sub _walk {
    my ($self, $set, @runs) = @_;
    my %set = (%$set);
    for my $i (0 .. $#runs) {
        $self->_wait(\%set, $runs[$i], $self->_due($set{every})) if $i;
        $self->{on_begin} = { wall => $self->{wall}->(), clock => $self->{clock}->() };
        $self->_one(\%set, $runs[$i]);
    }
    $self->_report(\%set);
    return $self->{status};
}

# A run: one that was cut off goes on by its name, another begins.
sub _one {
    my ($self, $set, $run) = @_;
    $self->{progress}->note("run $run->{number} of $set->{of}" . (defined $run->{name} ? ' continues' : ''));
    my $options =
        defined $run->{name}
        ? { command => 'resume', operands => [ $run->{name} ], tests => [] }
        : $self->_wanted($set, $run);
    my $now = $self->{want};
    $options->{$_} = $now->{$_} for grep { defined $now->{$_} } @SAID_NOW;
    my $ended;
    my $named = sub { $self->_hold($set->{name} //= $_[0]); $ended = 1 };

    # What a display does with signals ends with its run.
    local $SIG{TSTP} = $SIG{TSTP} // 'DEFAULT';
    my $status = eval { $self->{measure}->($options, $named) };
    if (!defined $status) {
        my $trouble = $@;
        die _how_to_resume($set, $trouble) if !$ended;
        die $trouble                       if $self->{stopped}->();

        # A test that fails does so in one run, and the others are measured all the same.
        $status = Touchstone::Cli::App::print_trouble($trouble);
    }
    $self->{status} = $status if ($WEIGHT{$status} // $MOST) > ($WEIGHT{ $self->{status} } // $MOST);
    return;
}

# A run that did not even begin leaves the others.
sub _how_to_resume {
    my ($set, $trouble) = @_;
    return $trouble if !defined $set->{name};
    my %trouble = %{ Touchstone::Base::Trouble::as_trouble($trouble) };
    chomp $trouble{message};
    return { %trouble, message => "$trouble{message}\ntry: ./Run resume $set->{name}\n" };
}

# Each run has a random order of its own.
sub _wanted {
    my ($self, $set, $run) = @_;
    my $options = Touchstone::Cli::Options::parse(@{ $set->{words} });
    my %again   = map { $_ => $set->{$_} } grep { defined $set->{$_} } qw(of every words);
    $again{set}      = $set->{name} if defined $set->{name};
    $again{number}   = $run->{number};
    $options->{seed} = ($options->{seed} + $run->{number} - 1) % 1e9 if defined $options->{seed};
    return { %$options, again => \%again };
}

# While its first record is locked, nobody else goes on with the set.
sub _hold {
    my ($self, $name) = @_;
    delete $self->{held};
    open $self->{held}, '<:raw', "$self->{places}{runs}/$name.json" or return delete $self->{held};
    flock $self->{held}, LOCK_EX | LOCK_NB or die "the set of runs '$name' is still running\n";
    return;
}

# Seconds until the next run is to begin; less than none where it should have begun. A machine that slept has
# a clock on the wall that went on, and one whose clock was set back a clock that nobody sets.
sub _due {
    my ($self, $every) = @_;
    return 0 if !defined $every;
    return min(map { $self->{on_begin}{$_} + $every - $self->{$_}->() } qw(wall clock));
}

sub _wait {
    my ($self, $set, $run, $left) = @_;
    my $progress = $self->{progress};
    my $next     = "run $run->{number} of $set->{of}";
    if ($left <= 0) {
        $progress->note("the run took longer than the time of --every: $next begins immediately")
            if defined $set->{every} && $left < -$LATE;
        return $self->_stop($set);
    }
    my $stored = grep { $_->{complete} } @{ $self->_stored($set)->{members} };
    $progress->note("$next begins at "
            . _time_of_day($self->{wall}->() + $left, $left) . ' (in '
            . duration($left)
            . '); Ctrl-C ends here, '
            . plural($stored, 'run is stored', 'runs are stored'));
    while (($left = $self->_due($set->{every})) > 0) {
        last if $self->{stopped}->();
        $self->{pause}->(min($left, $SLEEP));
    }
    return $self->_stop($set);
}

# Ends the set between two runs, if it is to end.
sub _stop {
    my ($self, $set) = @_;
    my $signal = $self->{stopped}->() or return;
    my $drift  = $self->_report($set);
    die {
        exit    => 128 + $Touchstone::Base::Trouble::SIGNAL{$signal},
        message => "stopped by SIG$signal between runs: $drift of $set->{of} stored\n"
            . "try: ./Run resume $set->{name}\n",
        measured => 1
    };
}

# "14:10", with the date where that is another day.
sub _time_of_day {
    my ($then, $left)  = @_;
    my ($form, @today) = ('%H:%M', map { POSIX::strftime('%Y-%m-%d', localtime $_) } $then, $then - $left);
    return POSIX::strftime($today[0] eq $today[1] ? $form : "$form on %Y-%m-%d", localtime $then);
}

sub _stored { return Touchstone::Compare::History::set_of($_[0]{places}, $_[1]{name}) }

# Says how the runs so far differ, and returns how many there are.
sub _report {
    my ($self, $set) = @_;
    my $drift = Touchstone::Compare::Drift::of_set($self->_stored($set));
    $self->{progress}->note($_) for Touchstone::Report::RunSeries::lines($drift);
    return scalar @{ $drift->{runs} };
}

1;
