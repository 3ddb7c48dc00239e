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

use Touchstone::Machine::File;

sub take {
    my ($class, $directory, $host_id, $waits) = @_;
    my $file = "$directory/.$host_id.lock";

    # Whoever had it removes its file.
    my $lock = Touchstone::Machine::File::locked($file, $waits);
    return bless { lock => $lock, file => $file, pid => $$ }, $class;
}

# Removes what a killed one left, unless somebody measures.
sub sweep {
    my ($class, $directory, $host_id) = @_;
    return Touchstone::Machine::File::discard("$directory/.$host_id.lock");
}

sub DESTROY {
    my ($self) = @_;
    unlink $self->{file} if $self->{pid} == $$ && Touchstone::Machine::File::is_at(@$self{qw(lock file)});
    return;
}

1;
