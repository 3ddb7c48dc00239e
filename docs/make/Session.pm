# SPDX-License-Identifier: GPL-2.0-or-later
# Session - what a run of an invented machine writes to a terminal. The whole command runs, with a clock that
# goes on only with passes, and passes whose counts are invented.
#
#   my $written = Session::written($columns, '-c', 1, '-c', 2);
package Session;
use 5.014;
use strict;
use warnings;

use Cwd ();
use POSIX ();

use Examples;
use Touchstone::Machine;
use Touchstone::Machine::Counters;

# Before Stub remembers how to look at the machine.
BEGIN {
    no warnings 'redefine';
    *Touchstone::Machine::host_facts     = sub { return Examples::host('host-a.example') };
    *Touchstone::Machine::locale_facts   = sub { return Examples::locale() };
    *Touchstone::Machine::Counters::look = sub { return {} };
}
use Pty;
use Stub;

our @ISA = ('Stub');

# In place of a fake program: what a copy of an example says.
sub _told {
    my ($self, undef, $copy, $own) = @_;
    my @words = @{ $own->{args} };
    my ($seconds) = grep { /\A[\d.]+\z/ } @words;
    ($seconds) = "@words" =~ /-t ([\d.]+)/ if "@words" =~ /-t /;
    my ($program) = $own->{program} =~ m{([^/]+)\z};
    my @lines     = Examples::said($program, "@words", $self->{copies}, $seconds);
    return { results => join('', map { "$copy|$_\n" } @lines), out => '', err => '', status => 0 };
}

sub _pass {
    my ($self, $does, %pass) = @_;
    $self->{copies} = @{ $pass{dirs} };
    return $self->SUPER::_pass($does, %pass);
}

sub written {
    my ($columns, @words) = @_;
    my $pty = Pty->new($columns) or die "there are no pseudo-terminals here\n";
    my $pid = fork // die "cannot fork: $!\n";
    exit _child($pty->{path}, @words) if !$pid;
    return $pty->read_until_gone($pid) =~ s{/\S*?/(?=results/)}{}gr;
}

# The places of the run are those of a tree, whose names the report shows.
sub _child {
    my ($terminal, @words) = @_;
    my $session = Session->new;
    Fake::write_file("$session->{bin}/index.base", Fake::read_file("$Fake::BASE/pgms/index.base"));
    chdir $session->{dir} or return 1;
    my %env = (
        TERM                => 'xterm-256color',
        LC_ALL              => 'C.UTF-8',
        UB_RESULTDIR        => 'results',
        UB_OUTPUT_FILE_NAME => 'host-a-2026-11-21-01'
    );
    $session->run([@words], stderr => $terminal, env => \%env);
    chdir '/';
    return 0;
}

1;
