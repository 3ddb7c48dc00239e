# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Pass - makes one pass: places and starts its programs, and stores what they counted or why they
# failed.
package Touchstone::Run::Pass;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Text qw(quoted);
use Touchstone::Machine::Counters;
use Touchstone::Machine::Cpus;
use Touchstone::Machine;
use Touchstone::Record::Warnings;
use Touchstone::Score::Disturbance;
use Touchstone::Score::Rate;
use Touchstone::Suite;

# A pass may take its window this many times, and this many seconds more; each copy beyond the CPUs adds half
# a second, because a copy that waits for its turn does not hang.
our $LIMIT_WINDOWS = 3;
our $LIMIT_SECONDS = 30;
our $LIMIT_COPY    = 0.5;

# All passes together wait at most so many seconds for the disk: a machine that always writes would otherwise
# spend more time waiting than measuring.
our $DISK_WAIT = 5;

# A pass in which a copy had no turn is repeated so many times, each with a window twice as long. In the
# classic schedule, which has UnixBench's seconds, the window stays.
my $REPEATS = 3;

# A copy counts nothing when all its counts fell outside of the time in which all copies ran.
our $NOTHING_COUNTED = 'a copy counted nothing while all copies ran';

# Warm-ups, which no score counts, count events, because counting takes time. If the kernel counts events of
# the processor, which has few counters, four more follow the warm-up of a single copy, in half a second, so
# that cycles have an interval.
our @EVENTS = (('instructions,cycles,migrations') x 3, 'branch_misses,cache_misses', 'tlb_misses');

# A Pass needs:
#
#   sides    => [ { record, places => { bin, testdir, cc }, env } ], of which a Pass starts the first
#   launch   => a sub that starts a pass, as Run::Launcher::run_pass does
#   progress => a Terminal::Progress
#   workdir  => a Machine::Workdir
#   cpus     => what Machine::Cpus tells
#   pin      => where copies run
#   stopped  => a sub that gives the signal that stops the run
sub new {
    my ($class, %with) = @_;
    return
        bless { disk_wait => $DISK_WAIT, counters => Touchstone::Machine::Counters->new($with{cpus}), %with },
        $class;
}

# Makes a pass, or a warm-up with those that count events. It returns { rates => [ the rate of the pass that
# was stored ] }, { stopped => signal }, { idle => who had no turn }, or { skip or failure => why } when the
# test is lost.
sub run {
    my ($self, $pass, $copies) = @_;
    return $self->_run_once($pass, $copies) if $pass->{round};
    my ($first, @more) = @EVENTS;
    my $result = $self->_run_once({ %$pass, events => $first }, $copies);
    for my $events ($copies == 1 && $result->{has_counters} ? @more : ()) {
        my $next = $self->_run_once({ %$pass, events => $events }, $copies);
        return $next if !$next->{rates};
    }
    return $result;
}

sub _run_once {
    my ($self, $pass, $copies) = @_;
    my @cpus = $self->_cpus($pass->{test}, $copies);
    return $self->_lose($pass->{test}, $copies, skip => 'it needs two CPUs that share no core') if !@cpus;
    my $result =
        $self->_launch($pass, $copies, \@cpus, $self->_programs($pass->{test}, $copies, $self->{sides}[0]));
    return $result                                   if $result->{stopped};
    return $self->_unusable($pass, $copies, $result) if !$result->{copies};
    my $entry = _entry($pass, $copies, \@cpus, $result);
    my $rates = Touchstone::Score::Rate::of_pass($entry);
    return $self->_unusable($pass, $copies, _invalid($copies))
        if Touchstone::Score::Rate::is_invalid($entry, $rates);
    $self->_store($self->{sides}[0], $pass, $entry, $rates);
    my $has_counters = grep { exists $_->{cycles_user} } @{ $entry->{events} || [] };
    return { rates => [ $rates->{rate} ], has_counters => $has_counters };
}

# A pass without a result is repeated, or is no matter if it is a warm-up, or its test is lost.
sub _unusable {
    my ($self, $pass, $copies, $result) = @_;
    my $idle = $result->{idle};
    return $self->_lose_by($pass->{test}, $copies, $result) if !defined $idle;
    return { idle => $idle } if !$pass->{round} || ($pass->{repeats} // 0) < $REPEATS;
    my $why =
        sprintf '%s: no turn in %d passes, the last of %.3g s; run fewer copies, or longer windows (-i)',
        $result->{failure}, $REPEATS + 1, $pass->{window};
    return $self->_lose_by($pass->{test}, $copies, { %$result, failure => $why });
}

sub _invalid {
    my ($copies) = @_;
    return { failure => $NOTHING_COUNTED, $copies > 1 ? (idle => 'a copy') : () };
}

# One side has a program for each copy, or one for all of them.
sub _programs {
    my ($self, $test, $copies, $side) = @_;
    return ($side) x ($test->{team} ? 1 : $copies);
}

sub _cpus {
    my ($self, $test, $copies) = @_;
    return Touchstone::Machine::Cpus::of_team($self->{cpus}, $copies) if $test->{team} && $test->{place};
    return Touchstone::Machine::Cpus::pairs($self->{cpus}, $test->{place}, $copies) if $test->{place};

    # A test that is a team moves its own processes, and many of them were not started by us.
    return undef if $test->{team};
    return Touchstone::Machine::Cpus::placement($self->{cpus}, $self->{pin}, $copies);
}

# Starts a pass with one program for each of `sides`.
sub _launch {
    my ($self, $pass, $copies, $cpus, @sides) = @_;
    my $test = $pass->{test};
    $self->{disk_wait} -= Touchstone::Machine::wait_for_disk($self->{disk_wait}, $self->{stopped})
        if $test->{space};
    my @dirs = eval { $self->{workdir}->for_copies(scalar @sides) } or return { failure => $@ =~ s/\n.*//sr };
    my @each = eval {
        map {
            {
                _command($_->{places}{bin}, $pass, $self->_filled($_->{places}, $pass, $copies)),
                    env =>
                    { %{ $_->{env} }, %{ $test->{env} }, $pass->{warm} ? (TS_WARM => $pass->{warm}) : () },
                    label => $_->{label}
            }
        } @sides;
    };
    if (!@each) {
        my $why = $@ =~ s/\n.*//sr;
        $self->{workdir}->clear(@dirs);
        return { failure => $why };
    }
    my $command = _as_command($each[0]);
    $self->{progress}->command($command);
    my $before = $self->{counters}->look;
    my $result = $self->{launch}->(
        dirs     => \@dirs,
        cpus     => $cpus,
        each     => \@each,
        stopped  => $self->{stopped},
        progress => sub { $self->{progress}->doing($test->{name}, @_) },
        $pass->{turns} ? (turns => $pass->{turns}) : (),
        limit => $test->{patience} // $LIMIT_WINDOWS * $pass->{window} +
            $LIMIT_SECONDS +
            $LIMIT_COPY * max(0, @sides - $self->{cpus}{usable_count}),
    );
    $result->{counters} = Touchstone::Machine::Counters::since($before, $self->{counters}->look);
    $self->{workdir}->clear(@dirs);
    $result->{command} = $command;
    return $result;
}

# The program of a pass. One that opens counters becomes that of the test.
sub _command {
    my ($bin, $pass, @args) = @_;
    my ($program, $counts) = map { "$bin/$_" } $pass->{test}{program}, 'count-events';
    return (program => $program, args => \@args) if !$pass->{events} || !-x $counts;
    return (program => $counts,  args => [ $pass->{events}, $program, @args ]);
}

sub _as_command {
    my ($copy) = @_;
    return join ' ', map { quoted($_) } $copy->{program}, @{ $copy->{args} };
}

# Returns the words of a program. The working directory of a copy is its own, so `work` is the same word for
# all of them; `kept` stays until the run ends.
sub _filled {
    my ($self, $places, $pass, $copies) = @_;
    my $test = $pass->{test};
    return Touchstone::Suite::filled(
        $test, %$places,
        seconds => $pass->{window},
        work    => '.',
        copies  => $copies,
        cpu     => $pass->{cpu} ? 'cpu' : undef,
        kept    => (grep { /%\{kept\}/ } @{ $test->{args} })
        ? $self->{workdir}->kept($test->{kept} // $test->{name})
        : undef
    );
}

# Returns the pass as the record holds it: figures are lists with an entry for each copy.
sub _entry {
    my ($pass, $copies, $cpus, $result) = @_;
    my @copies = @{ $result->{copies} };
    my $entry  = {
        test      => $pass->{test}{name},
        copies    => $copies,
        round     => $pass->{round},
        window    => $pass->{window},
        started   => $result->{started},
        seconds   => $result->{seconds},
        command   => $result->{command},
        unit      => $copies[0]{unit},
        timebase  => $copies[0]{timebase},
        counts    => [ map { $_->{count} } @copies ],
        times     => [ map { $_->{time} } @copies ],
        user      => [ map { $_->{user} } @copies ],
        sys       => [ map { $_->{sys} } @copies ],
        starts    => [ map { $_->{start} } @copies ],
        slices    => [ map { $_->{slices} } @copies ],
        preempted => [ map { $_->{preempted} } @copies ],
        slept     => [ map { $_->{slept} } @copies ],
        (
            map {
                my $key = $_;
                ($key => [ map { $_->{$key} } @copies ])
            } qw(minor_faults major_faults)
        ),
        counters => $result->{counters},
    };
    $entry->{warm}   = $pass->{warm}       if $pass->{warm};
    $entry->{output} = $result->{output}   if length $result->{output};
    $entry->{cpus}   = $cpus               if defined $cpus->[0];
    $entry->{team}   = 1                   if $pass->{test}{team};
    $entry->{seen}   = $pass->{test}{seen} if $pass->{test}{seen};
    _add_events($entry, @copies) if $pass->{events};
    my ($how) = grep { defined } map { $_->{how} } @copies;
    $entry->{how}     = $how if defined $how;
    $entry->{figures} = [ map { $_->{figures} || {} } @copies ] if grep { $_->{figures} } @copies;
    my %units = map { %{ $_->{units} || {} } } @copies;
    $entry->{units}   = \%units                                      if %units;
    $entry->{missing} = { map { %{ $_->{missing} || {} } } @copies } if grep { $_->{missing} } @copies;
    return $entry;
}

# A reason for which copies cannot count an event is that of one of them.
sub _add_events {
    my ($entry, @copies) = @_;
    if (grep { $_->{events} } @copies) {
        $entry->{events}  = [ map { $_->{events} || {} } @copies ];
        $entry->{counted} = [ map { $_->{counted} } @copies ];
    }
    my %uncounted = map { %{ $_->{uncounted} || {} } } @copies;
    $entry->{uncounted} = \%uncounted if %uncounted;
    return;
}

sub _store {
    my ($self, $side, $pass, $entry, $rates) = @_;
    $side->{record}->add_pass($entry, $rates);
    $self->_warn_of_overlap($side, $pass->{test}, $entry->{copies})
        if $pass->{round} && Touchstone::Score::Disturbance::lacks_overlap($rates);
    $self->_warn_of_missing($side, $pass->{test}, $entry->{missing}) if $entry->{missing};
    my $trouble = $side->{record}->trouble;
    $self->{progress}
        ->trouble("cannot write the journal: $trouble; the results are lost if Run is killed now")
        if defined $trouble && !$self->{reported}++;
    return;
}

# The warning is given once for each test and copy count in each record, also when a run is gone on with. The
# record marks each such pass.
sub _warn_of_overlap {
    my ($self, $side, $test, $copies) = @_;
    my $text =
        sprintf
        '%s, %d copies: the copies ran together for less than %.0f %% of a pass; do not rely on this score',
        $test->{name}, $copies, $Touchstone::Score::Disturbance::LEAST_SHARE * 100;
    $self->_warn($side, overlap => text => $text);
    return;
}

# A part may be missing for a reason that has a figure, which is another one in each pass: the first is told.
sub _warn_of_missing {
    my ($self, $side, $test, $missing) = @_;
    my $remedies = $test->{remedy} || {};
    my $left = $test->{mean_of} ? $test->{mean_of} - keys %$missing                                : undef;
    my $rest = defined $left    ? "; the score is the mean of the other $left of $test->{mean_of}" : '';
    for my $part (sort keys %$missing) {
        my ($word) = grep { $missing->{$part} =~ /\Q$_\E/ } sort keys %$remedies;
        my $begin  = "$test->{name} is partial, without $part: ";
        my $text   = "$begin$missing->{$part}$rest";
        next if grep { index($_->{text}, $begin) == 0 } @{ $side->{record}->data->{warnings} };
        $self->_warn($side, partial => text => $text, defined $word ? (remedy => $remedies->{$word}) : ());
    }
    return;
}

sub _warn {
    my ($self, $side, @warning) = @_;
    my $warning = Touchstone::Record::Warnings::warning(@warning);
    return if grep { $_->{text} eq $warning->{text} } @{ $side->{record}->data->{warnings} };
    $side->{record}->add(warnings => $warning);
    return;
}

sub _lose_by {
    my ($self, $test, $copies, $result) = @_;
    my ($kind) = grep { defined $result->{$_} } qw(skip failure);
    return $self->_lose($test, $copies, $kind => $result->{$kind}, $result->{output});
}

# A test that failed or cannot run here is noted and told, and the run goes on.
sub _lose {
    my ($self, $test, $copies, $kind, $why, $output) = @_;
    my %entry = (test => $test->{name}, copies => $copies, why => $why);
    $entry{output} = $output if defined $output && length $output;
    $_->{record}->add(($kind eq 'skip' ? 'skipped' : 'failures') => {%entry}) for @{ $self->{sides} };
    $self->{progress}
        ->trouble(sprintf '%s %s: %s', $test->{name}, $kind eq 'skip' ? 'skipped' : 'failed', $why);
    return { $kind => $why };
}

1;
