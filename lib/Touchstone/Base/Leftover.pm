# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Leftover - whether temporary files of a run may be removed, because that run was killed. A run holds
# a lock on its files, and the lock disappears with the process however it dies. Where there is no lock, the
# process id in the file's name decides.
package Touchstone::Base::Leftover;
use 5.014;
use strict;
use warnings;

use Errno qw(EWOULDBLOCK);
use Fcntl qw(:flock);

# A run locks its files as soon as it has made them. Files that are unlocked after this many seconds were
# left behind, even if another process has the id by now.
my $AT_ONCE = 10;

# Returns held, free or none; none means that there is no such file, or that the file system has no locks.
sub lock_state {
    my ($file) = @_;
    open my $lock, '<:raw', $file or return 'none';
    return 'free' if flock $lock, LOCK_EX | LOCK_NB;
    return $! == EWOULDBLOCK ? 'held' : 'none';
}

# True where a handle is still that of the file of this name.
sub is_at {
    my ($handle, $file) = @_;
    my ($one, $other) = map { join ' ', (stat)[ 0, 1 ] } $handle, $file;
    return $one eq $other;
}

# Says whether a file may be removed that the process of this id locks as soon as it has made it.
sub may_go {
    my ($file, $pid) = @_;
    my $state = lock_state($file);
    return 0 if $state eq 'held';
    return 1 if !kill 0, $pid;
    return $state eq 'free' && is_old($file);
}

sub is_old { my ($path) = @_; return (time - ((lstat $path)[9] // time)) > $AT_ONCE }

1;
