# SPDX-License-Identifier: GPL-2.0-or-later
# Runner - walks the plan: places, launches, scores and stores each pass, and goes on when a test fails.
package Touchstone::Runner;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use Time::HiRes qw(time);

use Touchstone::Cpus;
use Touchstone::Launcher;
use Touchstone::Machine;
use Touchstone::Score;

# A pass may take its window this many times, and this many seconds more; each copy beyond the CPUs adds half a second, because a copy
# that waits for its turn is no hung one.
my $LIMIT_WINDOWS = 3;
my $LIMIT_SECONDS = 30;
my $LIMIT_COPY    = 0.5;
# In all: a machine that always writes would otherwise spend more time waiting than measuring.
my $DISK_WAIT = 5;
# Copies that ran together for less of the time than this say little about running together.
my $LEAST_SHARE = 0.8;

# record, progress, workdir, cpus, pin, places => { bin, testdir, cc }, env, stopped => sub
sub new {
    my ($class, %with) = @_;
    return bless { disk_wait => $DISK_WAIT, %with }, $class;
}

# Returns the signal that stopped it, or nothing.
sub run {
    my ($self, $plan) = @_;
    for my $block (@{ $plan->{blocks} }) {
        my $entry = $self->{record}->add(blocks => { copies => $block->{copies}, started => time });
        $self->_run_block($block);
        $entry->{ended} = time;
        my $signal = $self->{stopped}->();
        return $signal if $signal;
    }
    return;
}

sub _run_block {
    my ($self, $block) = @_;
    my %lost;
    for my $pass (@{ $block->{passes} }) {
        my $name = $pass->{test}{name};
        if (!$lost{$name}) {
            $self->{progress}->pass($pass, $block->{copies});
            my $result = $self->_run_pass($pass, $block->{copies});
            return if $result->{stopped};
            $lost{$name} = 1 if !$result->{copies};
        }
        $self->{progress}->done($pass->{seconds});
    }
    return;
}

sub _run_pass {
    my ($self, $pass, $copies) = @_;
    my ($test, $stopped) = ($pass->{test}, $self->{stopped});
    my @cpus = $self->_cpus($test, $copies);
    return $self->_lose($test, $copies, skip => 'it needs two CPUs that share no core') if !@cpus;
    $self->{disk_wait} -= Touchstone::Machine::wait_for_disk($self->{disk_wait}, $stopped) if $test->{space};
    my @dirs = eval { $self->{workdir}->for_copies($copies) };
    my $result = @dirs ? $self->_launch($pass, $copies, \@cpus, \@dirs) : { failure => $@ =~ s/\n.*//sr };
    $self->{workdir}->clear(@dirs);
    return $result if $result->{stopped};
    for my $why (qw(skip failure)) {
        return $self->_lose($test, $copies, $why => $result->{$why}, $result->{output}) if defined $result->{$why};
    }
    my $entry = $self->{record}->add(passes => _entry($pass, $copies, \@cpus, $result));
    $self->_warn_of_overlap($test, $copies) if $pass->{round} && defined $entry->{share} && $entry->{share} < $LEAST_SHARE;
    return $result;
}

# Said once a test and copy count; the record marks each such pass.
sub _warn_of_overlap {
    my ($self, $test, $copies) = @_;
    return if $self->{warned}{"$copies $test->{name}"}++;
    my $text = sprintf '%s with %d copies: less than %.0f %% of a pass in common, its score is uncertain', $test->{name}, $copies, $LEAST_SHARE * 100;
    $self->{record}->add(warnings => { id => 'overlap', text => $text, remedy => 'fewer copies, or longer windows (-i)' });
    return;
}

sub _launch {
    my ($self, $pass, $copies, $cpus, $dirs) = @_;
    my $test = $pass->{test};
    my @args = map { $self->_fill($_, $pass->{window}) } @{ $test->{args} };
    my $program = "$self->{places}{bin}/$test->{program}";
    my $command = join ' ', map { /\A[\w.,:\/+-]+\z/a ? $_ : "'" . s/'/'\\''/gr . "'" } $program, @args;
    $self->{progress}->command($command);
    my $more = $copies - $self->{cpus}{usable_count};
    my $result = Touchstone::Launcher::run_pass(
        program => $program, args => \@args, dirs => $dirs, cpus => $cpus, env => $self->{env}, stopped => $self->{stopped},
        limit => $LIMIT_WINDOWS * $pass->{window} + $LIMIT_SECONDS + $LIMIT_COPY * max(0, $more),
    );
    $result->{command} = $command;
    return $result;
}

# The working directory of a copy is its own, so `work` is the same word for all of them. A compiler may come with options.
sub _fill {
    my ($self, $argument, $seconds) = @_;
    return split ' ', $self->{places}{cc} if $argument eq '%{cc}';
    my %value = (%{ $self->{places} }, seconds => $seconds, work => '.');
    return $argument =~ s/%\{(\w+)\}/$value{$1}/gr;
}

sub _cpus {
    my ($self, $test, $copies) = @_;
    return Touchstone::Cpus::pairs($self->{cpus}, $test->{place}, $copies) if $test->{place};
    return Touchstone::Cpus::placement($self->{cpus}, $self->{pin}, $copies);
}

# A test that failed or cannot run here: noted, said, and the run goes on.
sub _lose {
    my ($self, $test, $copies, $kind, $why, $output) = @_;
    my %entry = (test => $test->{name}, copies => $copies, why => $why);
    $entry{output} = $output if defined $output && length $output;
    $self->{record}->add(($kind eq 'skip' ? 'skipped' : 'failures') => \%entry);
    $self->{progress}->trouble(sprintf '%s %s: %s', $test->{name}, $kind eq 'skip' ? 'skipped' : 'failed', $why);
    return { $kind => $why };
}

# The pass as the record holds it: a list for each figure, one entry a copy.
sub _entry {
    my ($pass, $copies, $cpus, $result) = @_;
    my @copies = @{ $result->{copies} };
    my $entry = {
        test => $pass->{test}{name}, copies => $copies, round => $pass->{round}, window => $pass->{window},
        started => $result->{started}, seconds => $result->{seconds}, command => $result->{command},
        unit => $copies[0]{unit}, timebase => $copies[0]{timebase},
        counts => [ map { $_->{count} } @copies ], times => [ map { $_->{time} } @copies ],
        user   => [ map { $_->{user} } @copies ],  sys   => [ map { $_->{sys} } @copies ],
        starts => [ map { $_->{start} } @copies ], slices => [ map { $_->{slices} } @copies ],
    };
    $entry->{output} = $result->{output} if length $result->{output};
    $entry->{cpus} = $cpus if defined $cpus->[0];
    Touchstone::Score::rate_pass($entry);
    $entry->{marks} = ['overlap'] if defined $entry->{share} && $entry->{share} < $LEAST_SHARE;
    return $entry;
}

1;
