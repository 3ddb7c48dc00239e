# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Runner - walks the plan: places, launches, scores and stores each pass, and goes on when a test fails.
package Touchstone::Run::Runner;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum max);
use Time::HiRes qw(time clock_gettime CLOCK_MONOTONIC);

use Touchstone::Base::Text qw(copies);
use Touchstone::Machine::Counters;
use Touchstone::Machine::Cpus;
use Touchstone::Machine;
use Touchstone::Run::Plan;
use Touchstone::Score::Disturbance;
use Touchstone::Score::Rate;
use Touchstone::Score::Sureness;
use Touchstone::Score;
use Touchstone::Stats;
use Touchstone::Suite;

# A pass may take its window this many times, and this many seconds more; each copy beyond the CPUs adds half
# a second, because a copy that waits for its turn does not hang.
my $LIMIT_WINDOWS = 3;
my $LIMIT_SECONDS = 30;
my $LIMIT_COPY    = 0.5;

# All passes together wait at most so many seconds for the disk: a machine that always writes would otherwise
# spend more time waiting than measuring.
my $DISK_WAIT = 5;

# A pass in which a copy had no turn is repeated so many times, each with a window twice as long. In the
# classic schedule, which has UnixBench's seconds, the window stays.
my $REPEATS = 3;

# A copy counts nothing when all its counts fell outside of the time in which all copies ran.
our $NOTHING_COUNTED = 'a copy counted nothing while all copies ran';

# A Runner needs:
#
#   sides    => [ { record, places => { bin, testdir, cc }, env } ], usually one
#   launch   => a sub that starts a pass, as Run::Launcher::run_pass does
#   clock    => a sub that tells seconds, or undef: the system's
#   progress => a Terminal::Progress
#   workdir  => a Machine::Workdir
#   cpus     => what Machine::Cpus tells
#   pin      => where copies run
#   stopped  => a sub that gives the signal that stops the run
sub new {
    my ($class, %with) = @_;
    $with{clock} //= sub { clock_gettime(CLOCK_MONOTONIC) };
    return
        bless { disk_wait => $DISK_WAIT, counters => Touchstone::Machine::Counters->new($with{cpus}), %with },
        $class;
}

# Walks a plan. It returns the signal that stopped it, or nothing. What the records have already is not
# measured again.
sub run {
    my ($self, $plan) = @_;
    $self->{schedule} = $plan->{schedule};
    for my $block (@{ $plan->{blocks} }) {
        my @entries = map { _entry_of_block($_->{record}, $block->{copies}) } @{ $self->{sides} };
        $self->{progress}->block($block);
        my $begun = $self->{clock}->();
        my $known = $self->_known($block);
        $begun -= sum(0, map { $_->{spent} } values %$known);
        if ($self->_run_passes($block, $known)) {
            $self->_refine($plan, $block, $begun, $known) if defined $plan->{precision};
            $self->_until_sure($block, $known)            if $plan->{until_sure};
        }
        $self->{sides}[$_]{record}->end_block($entries[$_]) for 0 .. $#entries;
        my $signal = $self->{stopped}->();
        return $signal if $signal;
    }
    return;
}

sub _entry_of_block {
    my ($record, $copies) = @_;
    my ($known) = grep { $_->{copies} == $copies } @{ $record->data->{blocks} };
    return $known // $record->add(blocks => { copies => $copies, started => time });
}

# Returns what is known of the tests of a block before it begins, from a run that is gone on with.
sub _known {
    my ($self, $block) = @_;
    my $data  = $self->{sides}[0]{record}->data;
    my %known = map {
        $_->{test}{name} =>
            { test => $_->{test}, window => $_->{window}, rates => [], spent => 0, passes => 0 }
    } @{ $block->{passes} };
    for my $i (0 .. $#{ $data->{passes} }) {
        my $pass = $data->{passes}[$i];
        my $test = $known{ $pass->{test} };
        next if !$test || $pass->{copies} != $block->{copies};
        $test->{done}{ $pass->{round} } = 1;
        my $spent = ($pass->{counters} || {})->{seconds} // $pass->{seconds} // $pass->{window};
        _note($test, $pass, $spent, $self->{sides}[0]{record}->rates->[$i]{rate});
    }
    for my $lost (@{ $data->{failures} }, @{ $data->{skipped} }) {
        $known{ $lost->{test} }{lost} = 1
            if $known{ $lost->{test} } && ($lost->{copies} // $block->{copies}) == $block->{copies};
    }
    return \%known;
}

sub _note {
    my ($test, $pass, $seconds, @rates) = @_;
    return if !$pass->{round};
    push @{ $test->{rates}[$_] }, $rates[$_] for 0 .. $#rates;
    $test->{passes}++;
    $test->{spent} += $seconds;
    return;
}

# Makes the passes of a block. It returns true unless it was stopped.
sub _run_passes {
    my ($self, $block, $known) = @_;
    $self->{progress}->lost($_) for grep { $known->{$_}{lost} } sort keys %$known;
    for my $pass (@{ $block->{passes} }) {
        my $test = $known->{ $pass->{test}{name} };
        if (!$test->{lost} && !$test->{done}{ $pass->{round} }) {
            $self->{progress}->pass($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
        }
        $self->{progress}->done($pass);
    }
    return 1;
}

# Makes one pass and notes it in what is known of its test. It returns nothing when it was stopped.
sub _measure {
    my ($self, $pass, $copies, $test) = @_;
    my $begun = $self->{clock}->();
    $pass = { %$pass, window => $pass->{window} * $test->{stretch} } if $pass->{round} && $test->{stretch};
    my $result = $self->_run_pass($pass, $copies);
    while (defined $result->{idle} && $pass->{round}) {
        $pass   = $self->_longer($pass, $copies, $test, $result->{idle});
        $result = $self->_run_pass($pass, $copies);
    }
    return   if $result->{stopped};
    return 1 if defined $result->{idle};
    if (!$result->{rates}) {
        $test->{lost} = 1;
        $self->{progress}->lost($test->{test}{name});
        return 1;
    }
    _note($test, $pass, $self->{clock}->() - $begun, @{ $result->{rates} });
    $self->{progress}
        ->certain($test->{test}{name}, { passes => $test->{passes}, %{ $self->_least_sure($test) } })
        if $test->{passes} && $self->{progress}->wants_sureness;
    return 1;
}

# Returns the pass once more; the later ones of its test are as long.
sub _longer {
    my ($self, $pass, $copies, $test, $who) = @_;
    my $times = $self->{schedule} eq 'classic' ? 1 : 2;
    $test->{stretch} = ($test->{stretch} // 1) * $times;
    my $window = $pass->{window} * $times;
    $self->{progress}->note(
        sprintf '%s with %s: %s had no turn within %.3g s, again with %.3g s',
        $pass->{test}{name},
        copies($copies), $who, $pass->{window}, $window
    );
    return { %$pass, window => $window, repeats => ($pass->{repeats} // 0) + 1 };
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

sub _void {
    my ($copies) = @_;
    return { failure => $NOTHING_COUNTED, $copies > 1 ? (idle => 'a copy') : () };
}

# Goes on with the tests whose scores are not sure enough while there is time. Tests with a budget of their
# own come first.
sub _refine {
    my ($self, $plan, $block, $begun, $known) = @_;
    return if !$self->_repeat($block, $known);
    $begun += sum(0, map { $_->{spent} } grep { Touchstone::Run::Plan::is_whole($_->{test}) } values %$known);
    my @tests = grep { !$_->{lost} && $_->{passes} >= $Touchstone::Stats::FEWEST }
        map { $known->{$_} } sort keys %$known;
    $self->_judge($_) for @tests;
    while (1) {
        my $left = $block->{budget} - ($self->{clock}->() - $begun);
        my $pass = Touchstone::Run::Plan::next_pass($plan->{precision}, $left, grep { !$_->{lost} } @tests)
            or return;
        my $test = $known->{ $pass->{test}{name} };
        $self->{progress}->refine(
            pass    => $pass,
            copies  => $block->{copies},
            reached => $test->{precision},
            wanted  => $plan->{precision},
            left    => $left,
            tests   => scalar @tests,
            sure => scalar(grep { defined $_->{precision} && $_->{precision} <= $plan->{precision} } @tests)
        );
        return if !$self->_measure($pass, $block->{copies}, $test);
        $self->_judge($test);
    }
    return;
}

# Repeats passes that are whole. It returns true unless it was stopped.
sub _repeat {
    my ($self, $block, $known) = @_;
    for my $test (map { $known->{$_} } sort keys %$known) {
        while (!$test->{lost}
            && (my $pass = Touchstone::Run::Plan::next_whole($test, $block->{whole_budget}))) {
            $self->{progress}->again($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
        }
    }
    return 1;
}

# Goes on with the tests of the classic schedule that need more passes to be sure.
sub _until_sure {
    my ($self, $block, $known) = @_;
    my %last = map { $_->{test}{name} => $_ } @{ $block->{passes} };
    for my $name (sort keys %last) {
        my $test = $known->{$name};
        while (!$test->{lost}
            && defined(my $precision = Touchstone::Score::Sureness::precision_of_mean(@{ $test->{rates}[0] }))
        ) {
            my $pass = Touchstone::Run::Plan::next_classic($last{$name}, $test->{passes}, $precision) or last;
            $self->{progress}->pass($pass, $block->{copies});
            return if !$self->_measure($pass, $block->{copies}, $test);
        }
    }
    return;
}

sub _judge {
    my ($self, $test) = @_;
    @$test{qw(precision error)} = @{ $self->_least_sure($test) }{qw(precision error)};
    $test->{seconds} = $test->{spent} / $test->{passes};
    return;
}

# Returns how sure a test is: if it has several figures, that of the least sure.
sub _least_sure {
    my ($self, $test) = @_;
    my ($least) =
        sort { ($b->{precision} // -1) <=> ($a->{precision} // -1) }
        map { Touchstone::Score::sureness($self->{schedule}, $test->{test}, @$_) } @{ $test->{rates} };
    return $least;
}

# Returns { rates => [ the rate of the pass that was stored ] }, { stopped => signal } or
# { skip or failure => why }.
sub _run_pass {
    my ($self, $pass, $copies) = @_;
    my @cpus = $self->_cpus($pass->{test}, $copies);
    return $self->_lose($pass->{test}, $copies, skip => 'it needs two CPUs that share no core') if !@cpus;
    my $result =
        $self->_launch($pass, $copies, \@cpus, $self->_programs($pass->{test}, $copies, $self->{sides}[0]));
    return $result                                   if $result->{stopped};
    return $self->_unusable($pass, $copies, $result) if !$result->{copies};
    my $entry = _entry($pass, $copies, \@cpus, $result);
    my $rates = Touchstone::Score::Rate::of_pass($entry);
    return $self->_unusable($pass, $copies, _void($copies))
        if Touchstone::Score::Rate::is_void($entry, $rates);
    $self->_store($self->{sides}[0], $pass, $entry, $rates);
    return { rates => [ $rates->{rate} ] };
}

# One side has a program for each copy, or one for all of them.
sub _programs {
    my ($self, $test, $copies, $side) = @_;
    return ($side) x ($test->{team} ? 1 : $copies);
}

sub _lose_by {
    my ($self, $test, $copies, $result) = @_;
    my ($kind) = grep { defined $result->{$_} } qw(skip failure);
    return $self->_lose($test, $copies, $kind => $result->{$kind}, $result->{output});
}

sub _store {
    my ($self, $side, $pass, $entry, $rates) = @_;
    $side->{record}->add_pass($entry, $rates);
    $self->_warn_of_overlap($side, $pass->{test}, $entry->{copies})
        if $pass->{round} && Touchstone::Score::Disturbance::is_apart($rates);
    $self->_warn_of_missing($side, $pass->{test}, $entry->{missing}) if $entry->{missing};
    my $trouble = $side->{record}->trouble;
    $self->{progress}
        ->trouble("cannot write the journal: $trouble; what was measured is lost if Run is killed now")
        if defined $trouble && !$self->{told}++;
    return;
}

# The warning is given once for each test and copy count in each record, also when a run is gone on with. The
# record marks each such pass.
sub _warn_of_overlap {
    my ($self, $side, $test, $copies) = @_;
    my $text = sprintf '%s with %d copies: less than %.0f %% of a pass in common, its score is uncertain',
        $test->{name}, $copies, $Touchstone::Score::Disturbance::LEAST_SHARE * 100;
    $self->_warn(
        $side,
        id      => 'overlap',
        invalid => 1,
        text    => $text,
        remedy  => 'fewer copies, or longer windows (-i)'
    );
    return;
}

sub _warn_of_missing {
    my ($self, $side, $test, $missing) = @_;
    my $known = $test->{remedy} || {};
    my $left  = $test->{mean_of} ? $test->{mean_of} - keys %$missing                                : undef;
    my $rest  = defined $left    ? "; the score is the mean of the other $left of $test->{mean_of}" : '';
    for my $part (sort keys %$missing) {
        my ($word) = grep { $missing->{$part} =~ /\Q$_\E/ } sort keys %$known;
        my $text = "$test->{name} is partial, without $part: $missing->{$part}$rest";
        $self->_warn($side, id => 'partial', text => $text, defined $word ? (remedy => $known->{$word}) : ());
    }
    return;
}

sub _warn {
    my ($self, $side, %warning) = @_;
    return if grep { $_->{text} eq $warning{text} } @{ $side->{record}->data->{warnings} };
    $side->{record}->add(warnings => { %warning, late => 1 });
    return;
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
                program => "$_->{places}{bin}/$test->{program}",
                args    => [ $self->_filled($_->{places}, $pass, $copies) ],
                env     => { %{ $_->{env} }, %{ $test->{env} } }
            }
        } @sides;
    };
    if (!@each) {
        my $why = $@ =~ s/\n.*//sr;
        $self->{workdir}->clear(@dirs);
        return { failure => $why };
    }
    my $command = _as_typed($each[0]);
    $self->{progress}->command($command);
    my $before = $self->{counters}->look;
    my $result = $self->{launch}->(
        dirs    => \@dirs,
        cpus    => $cpus,
        each    => \@each,
        stopped => $self->{stopped},
        said    => sub { $self->{progress}->doing($test->{name}, @_) },
        limit   => $test->{patience} // $LIMIT_WINDOWS * $pass->{window} +
            $LIMIT_SECONDS +
            $LIMIT_COPY * max(0, @sides - $self->{cpus}{usable_count}),
    );
    $result->{counters} = Touchstone::Machine::Counters::since($before, $self->{counters}->look);
    $self->{workdir}->clear(@dirs);
    $result->{command} = $command;
    return $result;
}

sub _as_typed {
    my ($copy) = @_;
    return join ' ', map { /\A[\w.,:\/+=-]+\z/a ? $_ : "'" . s/'/'\\''/gr . "'" } $copy->{program},
        @{ $copy->{args} };
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

sub _cpus {
    my ($self, $test, $copies) = @_;
    return Touchstone::Machine::Cpus::pairs($self->{cpus}, $test->{place}, $copies) if $test->{place};

    # A test that is a team moves its own processes, and many of them were not started by us.
    return undef if $test->{team};
    return Touchstone::Machine::Cpus::placement($self->{cpus}, $self->{pin}, $copies);
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
        counters  => $result->{counters},
    };
    $entry->{output}  = $result->{output} if length $result->{output};
    $entry->{cpus}    = $cpus             if defined $cpus->[0];
    $entry->{team}    = 1                 if $pass->{test}{team};
    $entry->{figures} = [ map { $_->{figures} || {} } @copies ] if grep { $_->{figures} } @copies;
    my %units = map { %{ $_->{units} || {} } } @copies;
    $entry->{units}   = \%units                                      if %units;
    $entry->{missing} = { map { %{ $_->{missing} || {} } } @copies } if grep { $_->{missing} } @copies;
    return $entry;
}

1;
