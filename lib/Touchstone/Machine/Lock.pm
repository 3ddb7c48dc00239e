# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Lock - which process holds the lock of a file, as Linux tells in /proc/locks:
#
#   12: FLOCK  ADVISORY  WRITE 4711 fe:01:1835014 0 EOF
#
# A file with the number of a process in it would be there after its death, too.
package Touchstone::Machine::Lock;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Sysfile;

my $WRITE = qr/^\d+: FLOCK +ADVISORY +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) /m;

# The id of the process, or nothing where that is not known. Numbers of files count within a file system
# alone, so a process must have the file open.
sub holder {
    my ($file)  = @_;
    my $inode   = (stat $file)[1]                                   // return;
    my $text    = Touchstone::Machine::Sysfile::text('/proc/locks') // return;
    my %holders = map { $_->[0] => 1 } grep { $_->[1] == $inode } _pairs($text);
    my ($pid)   = grep { _has_open($_, $file) } sort { $a <=> $b } keys %holders;
    return $pid;
}

sub _pairs {
    my ($text) = @_;
    my @pairs;
    push @pairs, [ $1, $2 ] while $text =~ /$WRITE/g;
    return @pairs;
}

sub _has_open {
    my ($pid,    $file)  = @_;
    my ($device, $inode) = (stat $file)[ 0, 1 ];
    opendir my $dir, "/proc/$pid/fd" or return 0;
    my @open = grep { /\A\d+\z/ } readdir $dir;
    closedir $dir;
    for my $number (@open) {
        my @its = stat "/proc/$pid/fd/$number" or next;
        return 1 if $its[0] == $device && $its[1] == $inode;
    }
    return 0;
}

1;
