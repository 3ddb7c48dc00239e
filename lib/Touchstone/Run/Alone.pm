# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Alone - a host is measured for one campaign at a time, because two measurements on one machine disturb
# each other. Whoever holds the lock of .HOST_ID.lock in the directory of records measures:
#
#   my $alone = Touchstone::Run::Alone->take($directory, $host_id, sub { ... });    called before it waits
#
# It is held until $alone is gone. The system gives it back however its holder ends; the file may stay then.
package Touchstone::Run::Alone;
use 5.014;
use strict;
use warnings;

use Errno qw(EINTR EWOULDBLOCK);
use Fcntl qw(:flock O_CREAT O_RDWR);

use Touchstone::Base::Leftover;
use Touchstone::Machine::Limits;

sub take {
    my ($class, $directory, $host_id, $waits) = @_;
    my $file = "$directory/.$host_id.lock";
    while (1) {
        sysopen my $lock, $file, O_CREAT | O_RDWR, 0666
            or die "cannot open '$file': ", Touchstone::Machine::Limits::why($!), "\n";
        if (!flock $lock, LOCK_EX | LOCK_NB) {
            die "cannot lock '$file': $!\n" if $! != EWOULDBLOCK;
            $waits->();
            until (flock $lock, LOCK_EX) { die "cannot lock '$file': $!\n" if $! != EINTR }
        }

        # Whoever had it removes its file.
        return bless { lock => $lock, file => $file, pid => $$ }, $class
            if Touchstone::Base::Leftover::is_at($lock, $file);
    }
    return;
}

# Removes what a killed one left, unless somebody measures.
sub sweep {
    my ($class, $directory, $host_id) = @_;
    my $file = "$directory/.$host_id.lock";
    open my $lock, '+<:raw', $file or return;
    unlink $file if flock($lock, LOCK_EX | LOCK_NB) && Touchstone::Base::Leftover::is_at($lock, $file);
    return;
}

sub DESTROY {
    my ($self) = @_;
    unlink $self->{file} if $self->{pid} == $$ && Touchstone::Base::Leftover::is_at(@$self{qw(lock file)});
    return;
}

1;
