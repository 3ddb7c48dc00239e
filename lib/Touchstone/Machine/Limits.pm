# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Limits - which limit of the shell (ulimit) stands behind a failure, and what to do about it. The
# error tells it, or what programs said, or that hardly anything is left below the limit.
package Touchstone::Machine::Limits;
use 5.014;
use strict;
use warnings;

use Errno qw(EAGAIN EMFILE ENFILE EFBIG);

use Touchstone::Machine::Sysfile;

my $PROCESSES = 'processes';
my $OPEN      = 'open files';
my $SIZE      = 'the size of a file';

# Each limit has the name of its line in /proc/self/limits and its letter of ulimit.
my %LIMIT =
    ($PROCESSES => [ 'processes', 'u' ], $OPEN => [ 'open files', 'n' ], $SIZE => [ 'file size', 'f' ]);
my %OF_ERROR = (EAGAIN() => $PROCESSES, EMFILE() => $OPEN, EFBIG() => $SIZE);
my $SYSTEM   = 'the system has no more open files';

# Shells, tools and our own programs say this in the C locale. A shell that cannot fork says so in words of
# its own.
my @SAID = (
    [
        $PROCESSES =>
            qr/\b(?:cannot|can't|could not|unable to) v?fork|\bv?fork\b[^\n]*: |Resource temporarily unavailable/i
    ],
    [ $OPEN => qr/Too many open files/i ],
    [ $SIZE => qr/File too large|File size limit|SIGXFSZ/i ],
);

# A copy starts at most this many processes at once: six concurrent shell scripts of several commands each.
my $PROCESSES_OF_COPY = 40;
my $FILES_OF_PROGRAM  = 24;

# Puts an error into words, with the limit behind it: "File too large (the limit on the size of a file, 8192,
# is reached; see 'ulimit -f')".
sub why {
    my ($error) = @_;
    my $number  = 0 + $error;
    my $remedy  = $number == ENFILE ? $SYSTEM : $OF_ERROR{$number} ? _reached($OF_ERROR{$number}) : undef;
    return "$error" . (defined $remedy ? " ($remedy)" : '');
}

# Returns which limit explains the failure of a pass, or nothing. `said` is why it failed and all that its
# copies printed.
sub explanation {
    my ($said, $copies) = @_;
    for my $known (@SAID) { return _reached($known->[0]) if $said =~ $known->[1] }
    my ($processes, $files) = map { _value($_) } $PROCESSES, $OPEN;

    # The limit on processes does not apply to root.
    my $left = defined $processes && $> ? $processes - _processes_of($>) : undef;
    return
          'only '
        . ($left > 0 ? $left : 0)
        . " more processes may be started; the limit is $processes, see 'ulimit -u'"
        if defined $left && $left < $PROCESSES_OF_COPY * $copies;
    return "no program may open more than $files files; see 'ulimit -n'"
        if defined $files && $files < $FILES_OF_PROGRAM;
    return;
}

sub _reached {
    my ($what) = @_;
    my $value = _value($what);
    return
          "the limit on $what"
        . (defined $value ? ", $value," : '')
        . " is reached; see 'ulimit -$LIMIT{$what}[1]'";
}

# Returns undef if there is no limit, or if the system does not tell it.
sub _value {
    my ($what) = @_;
    return ((Touchstone::Machine::Sysfile::text('/proc/self/limits') // '') =~
            /^Max $LIMIT{$what}[0] +(\d{1,18}) /ma)[0];
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
