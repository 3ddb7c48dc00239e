# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Leftover - whether what a run made for a while may be removed, because that run was killed. A lock
# tells, which goes with its process however that dies; without one the process id has to do, that of the
# name.
package Touchstone::Base::Leftover;
use 5.014;
use strict;
use warnings;

use Errno qw(EWOULDBLOCK);
use Fcntl qw(:flock);

# Seconds. A run locks what it has made at once: what nobody has locked by then was left behind, even if
# another process has that id now.
my $AT_ONCE = 10;

# held, free, or none: no such file, or no locks on this file system.
sub lock_state {
    my ($file) = @_;
    open my $lock, '<:raw', $file or return 'none';
    return 'free' if flock $lock, LOCK_EX | LOCK_NB;
    return $! == EWOULDBLOCK ? 'held' : 'none';
}

# Whether a file may go that the process of this id locks as soon as it has made it.
sub may_go {
    my ($file, $pid) = @_;
    my $state = lock_state($file);
    return 0 if $state eq 'held';
    return 1 if !kill 0, $pid;
    return $state eq 'free' && is_old($file);
}

sub is_old { my ($path) = @_; return (time - ((lstat $path)[9] // time)) > $AT_ONCE }

1;
