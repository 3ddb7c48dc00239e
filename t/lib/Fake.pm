# SPDX-License-Identifier: GPL-2.0-or-later
# Fake - runs ./Run with fake programs (t/fake/fake.c) in directories of its own and a clean environment.
#
#   my $fake = Fake->new;
#   my $got  = $fake->run([qw(--quick -c 1 pipe)], does => { pipe => 'measure,hang' }, env => { UB_OUTPUT_CSV => 'true' });
#   $got->{status}, $got->{signal}, $got->{out}, $got->{err}
#
# A run with a `command` is a program of its own: command => [@Fake::RUN] is ./Run itself. The others are
# forks of the test, where all modules are compiled already, as compiling is most of a short run: they get the
# words, the environment, the streams and the signals of a program.
package Fake;
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Basename qw(dirname);
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(time sleep);

use lib dirname(__FILE__);
use Touchstone::Machine::Command;
use Touchstone::Suite;

our $BASE    = dirname(dirname(dirname(Cwd::abs_path(__FILE__))));
our $PROGRAM = "$BASE/obj/fake";

# ./Run as a program of its own, which does not wait for a quiet machine.
our @RUN = ($^X, "-I$BASE/lib", "-I$BASE/t/lib", '-MQuiet', "$BASE/Run");

# Every program of every suite; a program of several tests is there once.
my %PROGRAM  = map { $_ => 1 } map { $_->{program} } Touchstone::Suite::load()->tests;
my @PROGRAMS = sort keys %PROGRAM;
my @INPUTS   = qw(sort.src tst84.src large.txt dc.dat cctest.c);

# Seconds to wait: nothing takes this long, unless it is broken or the machine is very busy.
my $PATIENCE = 240;

# A shell in the background, nohup and cron start programs with some signals ignored, and Run would leave
# these ignored.
$SIG{$_} = 'DEFAULT' for grep { ($SIG{$_} // '') eq 'IGNORE' } qw(INT TERM HUP QUIT);

# `make check` has built the fake; a test that is run by itself may find none, or an old one.
sub _build {
    my $source = "$BASE/t/fake/fake.c";
    return if -e $PROGRAM && (stat _)[9] >= (stat $source)[9];
    my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
    local %ENV = %ENV;

    # Words of the make that may have started this test are not for this one.
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
    system($make, '-s', '-C', $BASE, 'obj/fake') == 0 or die "cannot build '$PROGRAM'\n";
    return;
}
_build();

# Every run asks these commands for facts of the host. Their answers stay the same within a test.
my @OF_HOST = ([qw(uname -o)], [qw(uname -i)], ['runlevel'], [qw(gzip -dc /proc/config.gz)]);
my %said;

# Warnings of Perl itself in any run.
our @PERL_WARNINGS;

# name: the directory that contains all others
sub new {
    my ($class, %how) = @_;
    my $temp = File::Temp->newdir;
    my $dir  = "$temp" . (defined $how{name} ? "/$how{name}" : '');
    my %self = (
        temp => $temp,
        dir  => $dir,
        runs => 0,
        map { $_ => "$dir/$_" } qw(bin results tmp testdir state home)
    );
    mkdir $_
        or die "cannot make '$_': $!\n"
        for ($dir eq "$temp" ? () : $dir), @self{qw(bin tmp testdir state home)};
    symlink $PROGRAM, "$self{bin}/$_" or die "cannot make a fake '$_': $!\n" for @PROGRAMS;
    write_file("$self{testdir}/$_", "the input\n") for @INPUTS;
    return bless \%self, $class;
}

# Makes another directory with the same programs.
sub build {
    my ($self, $name) = @_;
    my $bin = "$self->{dir}/$name";
    mkdir $bin or die "cannot make '$bin': $!\n";
    symlink $PROGRAM, "$bin/$_" or die "cannot make a fake '$_': $!\n" for @PROGRAMS;
    return $bin;
}

# Returns how often a fake with a behaviour was called, as copy 0 or another.
sub calls {
    my ($self, $program, $copy) = @_;
    return length read_file("$self->{state}/calls.$program." . ($copy // 0));
}

# Returns the environment of a run, which has only the path of the caller's.
sub environment {
    my ($self, %also) = @_;
    my %does = %{ $also{does} || {} };
    my %env  = (
        PATH         => $ENV{PATH},
        HOME         => $self->{home},
        UB_BINDIR    => $self->{bin},
        UB_RESULTDIR => $self->{results},
        UB_TMPDIR    => $self->{tmp},
        UB_TESTDIR   => $self->{testdir},
        FAKE_STATE   => $self->{state},
        FAKE         => join("\n", map { "$_=$does{$_}" } sort keys %does),
        %{ $also{env} || {} },
    );
    return map { $_ => $env{$_} } grep { defined $env{$_} } keys %env;
}

# does => { program => behaviour }, env => { name => value, or undef for none }, command => the words that
# replace ./Run, file => a copy of Run in another tree, whose lib is as ours, stdout, stderr => the path of
# something other than a file of this test
sub run {
    my ($self, $words, %also) = @_;
    return $self->wait_for_end($self->start($words, %also));
}

sub start {
    my ($self, $words, %also) = @_;
    my @command = @{ $also{command} || [] };
    _load() if !@command;
    my %env = $self->environment(%also);
    my ($out, $err) = map { "$self->{temp}/$_." . $self->{runs} } qw(out err);
    $self->{runs}++;
    my $pid = fork // die "cannot fork: $!\n";
    return { pid => $pid, out => $out, err => $err } if $pid;
    _know_host()                                     if $env{PATH} eq $ENV{PATH};
    %ENV = %env;
    alarm $PATIENCE;
    open STDIN,  '<', '/dev/null' or POSIX::_exit(126);
    open STDOUT, '>', $also{stdout} // $out or POSIX::_exit(126);
    open STDERR, '>', $also{stderr} // $err or POSIX::_exit(126);
    _be_run($also{file} // "$BASE/Run", @$words) if !@command;
    exec { $command[0] } @command, @$words or POSIX::_exit(126);
}

# Loads what Run loads, including what it loads only when it is asked for.
sub _load {
    require Touchstone::Cli::App;
    my @late = glob "\Q$BASE\E/lib/Touchstone/{Cli,Suite/*}/*.pm";
    require for map { s{\A\Q$BASE\E/lib/}{}r } @late;
    require Digest::SHA;
    require I18N::Langinfo;
    $said{"@$_"} //= [ Touchstone::Machine::Command::output($_) ] for @OF_HOST;
    return;
}

# Gives the answers that are known already, which hold for the PATH of this test.
sub _know_host {
    my $ask = \&Touchstone::Machine::Command::output;
    no warnings 'redefine';
    *Touchstone::Machine::Command::output = sub { return @{ $said{"@{$_[0]}"} || [ $ask->(@_) ] } };
    return;
}

# Runs Run in a forked process, without the test's signal handlers, random numbers and encodings.
sub _be_run {
    my ($file, @words) = @_;
    { package main; require $file };
    delete @SIG{qw(__WARN__ __DIE__)};
    $SIG{$_} = 'DEFAULT' for grep { ref $SIG{$_} } keys %SIG;
    POSIX::setlocale(POSIX::LC_ALL(), '');
    srand;
    require Quiet;
    utf8::is_utf8($_) and utf8::encode($_) for @words;

    # If Run dies, the forked process must not continue as the test.
    my $status = eval { main::main(@words) } // do { print STDERR $@; 255 };
    POSIX::_exit($status);
}

sub wait_for_end {
    my ($self, $run) = @_;
    waitpid $run->{pid}, 0;
    my %got = (
        status => $? >> 8,
        signal => $? & 127,
        err    => read_file($run->{err}),
        out    => -e $run->{out} ? read_file($run->{out}) : ''
    );
    push @PERL_WARNINGS, grep { / at \S.* line \d+/ } split /\n/, $got{err};
    return \%got;
}

# Waits for a file that a fake of this run makes.
sub wait_for_file {
    my ($self, $run, $file) = @_;
    my $until = time + $PATIENCE;
    until (-s $file) {
        die "'$file' did not appear\n", read_file($run->{err})
            if time > $until || waitpid($run->{pid}, POSIX::WNOHANG()) != 0;
        sleep 0.01;
    }
    return;
}

# Returns the names of all runs that have a text report.
sub names {
    my ($self) = @_;
    return grep { !/\A\.|\.(?:html|log|csv)\z/ } entries($self->{results});
}

# Returns the record of the newest run, decoded by Perl's own JSON module.
sub record {
    my ($self, $name) = @_;
    $name //= ($self->names)[-1];
    return JSON::PP->new->utf8->decode(read_file("$self->{results}/.runs/$name.json"));
}

# Returns the processes of fakes that still run: [pid, ...]. A process that has ended but was not reaped does
# not count.
sub alive {
    my ($self) = @_;
    my @pids   = map { split /\n/, read_file("$self->{state}/$_") }
        grep { /\A(?:pids|grandchild)\./ } entries($self->{state});
    return [ grep { !gone($_) } @pids ];
}

sub gone {
    my ($pid) = @_;
    my $until = time + $PATIENCE;
    while (kill 0, $pid) {
        return 1 if -e "/proc/$pid/stat" && read_file("/proc/$pid/stat") =~ /\) [ZX] /;
        return 0 if time > $until;
        sleep 0.01;
    }
    return 1;
}

# Returns the text report in the output of Run.
sub report {
    my ($out)    = @_;
    my ($report) = $out =~ /^={72}\n(.*)\z/ms;
    return $report;
}

sub entries {
    my ($dir) = @_;
    opendir my $in, $dir or return;
    my @names = sort grep { !/\A\.\.?\z/ } readdir $in;
    closedir $in;
    return @names;
}

sub read_file {
    my ($file) = @_;
    open my $in, '<:raw', $file or return '';
    local $/;
    my $text = <$in> // '';
    close $in;
    return $text;
}

sub write_file {
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}

1;
