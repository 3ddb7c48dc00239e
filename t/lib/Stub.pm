# SPDX-License-Identifier: GPL-2.0-or-later
# Stub - a Fake that starts no processes: the whole command runs within the test, with a launcher that answers
# passes at once and a clock that goes on only with them.
#
#   my $stub = Stub->new;
#   my $got  = $stub->run([qw(--quick -c 1 pipe)], does => { pipe => 'measure,exit 3' }, env => { ... });
#   $got->{status}, $got->{out}, $got->{err}
#
# What a fake program would tell the stub asks it once, by starting it, and then repeats. The behaviours are
# those of t/fake that end by themselves, and
#
#   stop SIGNAL   Run gets this signal while the pass goes on
#   cut           the run ends here, as if Run were killed: its journal stays
package Stub;
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use File::Basename qw(basename dirname);
use IO::Handle ();
use List::Util qw(max);
use POSIX ();

use lib dirname(__FILE__);
use Fake;
use Quiet;
use Touchstone::Cli::App;
use Touchstone::Machine::Advice;
use Touchstone::Machine::Counters;
use Touchstone::Machine;
use Touchstone::Record::Channel;
use Touchstone::Run::Launcher::Result;

our @ISA = ('Fake');

# Facts about the machine, by the directory in which tests work.
my $look_at_host = \&Touchstone::Machine::host_facts;
my %host;

# What others do meanwhile is no matter of a pass that takes no time.
my $since  = \&Touchstone::Machine::Counters::since;
my @OTHERS = qw(other steal throttled swapped psi_cpu psi_io psi_memory hot);

sub _undisturbed {
    my ($counters) = @_;
    return { %$counters, map { $_ => 0 } grep { exists $counters->{$_} } @OTHERS };
}

# Nor does it matter here that the machine runs on its battery, say: a comparison with a run that is not valid
# has no result.
my $advise = \&Touchstone::Machine::Advice::before_run;

sub _advice {
    return map { my %warning = %$_; delete $warning{invalid}; \%warning } $advise->(@_);
}

# Seconds that a pass takes longer, by the clock of a stub, than its copies say.
my $BESIDE = 0.1;

# What its clock shows is so many seconds since 1970.
my $WALL = 1_795_240_000;

# What a program said, by what it was called with, and the behaviours that are called each time, because they
# note what they see.
my %told;
my $NOTES = qr/\A(?:see|look)\z/;

sub run {
    my ($self, $words, %also) = @_;
    my ($out, $err) = map { "$self->{temp}/$_." . $self->{runs} } qw(out err);
    $self->{runs}++;
    my %does = %{ $also{does} || {} };
    my %at   = (
        manual => "$Fake::BASE/Run",
        base   => $Fake::BASE,
        launch => sub { return $self->_pass(\%does, @_) },
        clock  => sub { return $self->{clock} },
        wall   => sub { return $WALL + $self->{clock} },
        pause  => sub { $self->{clock} += $_[0] },
        %{ $also{at} || {} }
    );
    $self->{clock} //= 1000;

    # No power cut ends a test, and the machine stays what it is.
    no warnings 'redefine';
    local *IO::Handle::sync                        = sub { return 1 };
    local *Touchstone::Machine::Counters::since    = sub { return _undisturbed($since->(@_)) };
    local *Touchstone::Machine::Advice::before_run = \&_advice;
    local *Touchstone::Machine::host_facts = sub { return { %{ $host{ $_[1] } //= $look_at_host->(@_) } } };
    local %ENV                             = $self->environment(%also);
    local $0                               = "$Fake::BASE/Run";
    my $status = _with_streams(
        $also{stdout} // $out,
        $also{stderr} // $err,
        sub {
            eval { Touchstone::Cli::App::main(\%at, @$words) } // Touchstone::Cli::App::print_trouble($@);
        }
    );
    my %got = (
        status => $status,
        signal => 0,
        out    => Fake::read_file($out),
        err    => Fake::read_file($err)
    );
    push @Fake::PERL_WARNINGS, grep { / at \S.* line \d+/ } split /\n/, $got{err};
    return \%got;
}

# How often a program was called, as copy 0 or another.
sub calls {
    my ($self, $program, $copy) = @_;
    return $self->{calls}{ join ' ', $program, $copy // 0 } // 0;
}

# The result of `work`, which writes to these files.
sub _with_streams {
    my ($out, $err, $work) = @_;
    open my $out_before, '>&', \*STDOUT or die "cannot keep standard output: $!\n";
    open my $err_before, '>&', \*STDERR or die "cannot keep standard error: $!\n";
    open STDOUT,         '>',  $out     or die "cannot write '$out': $!\n";
    open STDERR,         '>',  $err     or die "cannot write '$err': $!\n";
    my $result = eval { $work->() };
    my $died   = $@;
    STDOUT->flush;
    open STDOUT, '>&', $out_before or die "cannot go back to standard output: $!\n";
    open STDERR, '>&', $err_before or die "cannot go back to standard error: $!\n";
    die $died if !defined $result;
    return $result;
}

# Stands in the place of Run::Launcher::run_pass. A pass takes as long as its copies say.
sub _pass {
    my ($self, $does, %pass) = @_;
    return { unable => 1 } if $pass{turns};
    my @told;
    for my $copy (0 .. $#{ $pass{dirs} }) {
        my %own = (%pass, %{ $pass{each}[$copy] || {} });
        push @told, $self->_told($does, $copy, \%own);
    }
    my $results = join '', map { $_->{results} } @told;
    my $seconds = $BESIDE + max(0, $results =~ /^\d+\|TIME\|([\d.]+)$/mg);
    $self->{clock} += $seconds;
    my %ended = (
        %pass,
        results => $results,
        out     => join('', map { $_->{out} } @told),
        err     => [ map { $_->{err} } @told ],
        begun   => [ map { 0 } @told ],
        ended   => [ map { { status => $_->{status}, when => 1 } } @told ],
        trouble => (grep { $_->{status} } @told) ? 'a copy failed' : undef
    );
    $pass{said}->($_) for map { Touchstone::Record::Channel::doing($_) // () } $pass{said} ? $results : ();
    return Touchstone::Run::Launcher::Result::from_copies(\%ended, time, $seconds);
}

# What a copy of a program, { program, args, env }, says in its next pass: { results, out, err, status }.
sub _told {
    my ($self, $does, $copy, $own) = @_;
    my ($place, $name) = (split m{/}, $own->{program})[ -2, -1 ];
    my $calls = $self->{calls}{"$name $copy"}++;
    my @steps = split /,/, $does->{"$place/$name"} // $does->{$name} // 'measure';
    my ($step, $argument) = split / /, $steps[ $calls < @steps ? $calls : -1 ], 2;
    return _stopped($argument)  if $step eq 'stop';
    die "the run was cut off\n" if $step eq 'cut';
    if ($step eq 'rates') {
        my @rates = split /;/, $argument;
        $argument = $rates[ $calls % @rates ];
    }
    my $behaviour = defined $argument ? "$step $argument" : $step;
    return $self->_asked($copy, $behaviour, $own) if $step =~ $NOTES;
    return $told{ join "\n", $copy, $behaviour, $name, @{ $own->{args} } } //=
        $self->_asked($copy, $behaviour, $own);
}

sub _stopped {
    my ($signal) = @_;
    kill $signal, $$;
    return { results => '', out => '', err => '', status => POSIX->can("SIG$signal")->() };
}

# Starts the program.
sub _asked {
    my ($self, $copy, $behaviour, $own) = @_;
    my %file = map { $_ => "$self->{temp}/asked.$_" } qw(results out err);
    my $pid  = fork // die "cannot fork: $!\n";
    if (!$pid) {
        open my $results, '>', $file{results} or POSIX::_exit(126);
        fcntl $results, F_SETFD, 0;
        open STDOUT, '>', $file{out} or POSIX::_exit(126);
        open STDERR, '>', $file{err} or POSIX::_exit(126);
        my %its = (
            FAKE       => basename($own->{program}) . "=$behaviour",
            FAKE_STATE => $self->{state},
            TS_COPY    => $copy,
            TS_RESULT  => fileno $results
        );
        %ENV = (%ENV, %{ $own->{env} }, %its);
        exec { $own->{program} } $own->{program}, @{ $own->{args} } or POSIX::_exit(126);
    }
    waitpid $pid, 0;
    return { status => $?, map { $_ => Fake::read_file($file{$_}) } keys %file };
}

1;
