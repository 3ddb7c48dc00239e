# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Limits - which limit of the shell (ulimit) stands behind a failure, and what to do about it. The
# error tells it, or what programs said, or that hardly anything is left below the limit.
package Touchstone::Machine::Limits;
use 5.014;
use strict;
use warnings;

use Errno qw(EAGAIN EMFILE ENFILE EFBIG ENOMEM);

use Touchstone::Machine::Sysfile;

my $PROCESSES = 'processes';
my $OPEN      = 'open files';
my $SIZE      = 'the size of a file';
my $MEMORY    = 'memory';
my $DATA      = 'data in memory';
my $CPU       = 'CPU seconds';

# Each limit has the name of its line in /proc/self/limits, its letter of ulimit, and what it is raised to.
my $NONE  = 'unlimited';
my %LIMIT = (
    $PROCESSES => [ 'processes',     'u', $NONE ],
    $OPEN      => [ 'open files',    'n', 4096 ],
    $SIZE      => [ 'file size',     'f', $NONE ],
    $MEMORY    => [ 'address space', 'v', $NONE ],
    $DATA      => [ 'data size',     'd', $NONE ],
    $CPU       => [ 'cpu time',      't', $NONE ]
);
my %OF_ERROR = (EAGAIN() => $PROCESSES, EMFILE() => $OPEN, EFBIG() => $SIZE);
my $SYSTEM   = 'the system has no more open files';

# Memory may be short without a limit, so these count only where there is one.
my @OF_MEMORY = ($MEMORY, $DATA);

# Shells, tools and our own programs say this in the C locale. A shell that cannot fork says so in words of
# its own.
my @REACHED = (
    [
        $PROCESSES =>
            qr/\b(?:cannot|can't|could not|unable to) v?fork|\bv?fork\b[^\n]*: |Resource temporarily unavailable/i
    ],
    [ $OPEN => qr/Too many open files/i ],
    [ $SIZE => qr/File too large|File size limit|SIGXFSZ/i ],
    [ $CPU  => qr/CPU time limit exceeded|SIGXCPU/i ],
);
my $NO_MEMORY = qr/Cannot allocate memory|Out of memory|std::bad_alloc/i;

# A copy starts at most this many processes at once: six concurrent shell scripts of several commands each.
my $PROCESSES_OF_COPY = 40;
my $FILES_OF_PROGRAM  = 24;

# Puts an error into words, with the limit behind it: "File too large (the limit on the size of a file, 8192,
# is reached: raise it with 'ulimit -f unlimited')".
sub why {
    my ($error) = @_;
    my $limit = _behind($error);
    return "$error" . (defined $limit ? " ($limit)" : '');
}

# Puts an error into lines: why, and what to do about it where no limit is behind it.
sub reported {
    my ($error, $remedy) = @_;
    my $limit = _behind($error);
    return defined $limit ? "$error ($limit)\n" : "$error\n$remedy\n";
}

sub _behind {
    my ($error) = @_;
    my $number = 0 + $error;
    return $SYSTEM      if $number == ENFILE;
    return _of_memory() if $number == ENOMEM;
    return $OF_ERROR{$number} ? _reached($OF_ERROR{$number}) : undef;
}

# Returns which limit a text tells of, or nothing.
sub reached_in {
    my ($text) = @_;
    for my $limit (@REACHED) { return _reached($limit->[0]) if $text =~ $limit->[1] }
    return $text =~ $NO_MEMORY ? _of_memory() : undef;
}

# Returns which limit explains the failure of a pass, or nothing. `said` is why it failed and all that its
# copies printed.
sub explanation {
    my ($text, $copies) = @_;
    my $limit = reached_in($text);
    return $limit if defined $limit;
    my ($processes, $files) = map { _value($_) } $PROCESSES, $OPEN;

    # The limit on processes does not apply to root.
    my $left = defined $processes && $> ? $processes - _processes_of($>) : undef;
    return
          'only '
        . ($left > 0 ? $left : 0)
        . " more processes may be started, the limit is $processes: "
        . _remedy($PROCESSES)
        if defined $left && $left < $PROCESSES_OF_COPY * $copies;
    return "no program may open more than $files files: " . _remedy($OPEN)
        if defined $files && $files < $FILES_OF_PROGRAM;
    return;
}

sub _of_memory {
    my ($what) = grep { defined _value($_) } @OF_MEMORY;
    return defined $what ? _reached($what) : undef;
}

sub _reached {
    my ($what) = @_;
    my $value = _value($what);
    return "the limit on $what" . (defined $value ? ", $value," : '') . ' is reached: ' . _remedy($what);
}

# A shell lowers the hard limit, too, unless it is told otherwise, and only root may raise that. Shells count
# sizes in units of their own.
sub _remedy {
    my ($what) = @_;
    my (undef, $letter, $to) = @{ $LIMIT{$what} };
    my ($soft, $hard) = _values($what);
    my $raise = "raise it with 'ulimit -$letter ";
    return "$raise$to'" if !$> || !defined $hard || $hard eq $NONE || $to ne $NONE && $hard >= $to;
    return $hard > $soft && $letter =~ /[nut]/ ? "$raise$hard'" : "$raise$to' where it was set";
}

# Returns undef if there is no limit, or if the system does not tell it.
sub _value {
    my ($soft) = _values(@_);
    return defined $soft && $soft ne $NONE ? $soft : undef;
}

# Returns the soft and the hard limit, as far as the system tells them.
sub _values {
    my ($what) = @_;
    return (Touchstone::Machine::Sysfile::text('/proc/self/limits') // '') =~
        /^Max $LIMIT{$what}[0] +($NONE|\d{1,18}) +($NONE|\d{1,18}) /ma;
}

# Threads count as processes here, and so do those of other runs.
sub _processes_of {
    my ($user) = @_;
    my $count  = 0;
    my @all    = map { "/proc/$_" } grep { /\A\d+\z/ } Touchstone::Machine::Sysfile::names('/proc');
    for my $directory (grep { ((stat)[4] // -1) == $user } @all) {
        my ($threads) =
            (Touchstone::Machine::Sysfile::text("$directory/status") // '') =~ /^Threads:\s+(\d{1,9})$/ma;
        $count += $threads // 1;
    }
    return $count;
}

1;
