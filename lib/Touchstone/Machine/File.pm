# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::File - what Run writes among files of others: records, journals, reports, campaigns, locks.
#
# A whole file is written beside its place and given its name when all of it is safe on the disk: there is
# never half a file, and a full disk destroys nothing. What is written in its place is opened without
# following a link, and only where Base::Directories trusts it. A lock disappears with its process, however
# that dies.
package Touchstone::Machine::File;
use 5.014;
use strict;
use warnings;

use Errno qw(EEXIST EINTR EWOULDBLOCK);
use Fcntl qw(:flock O_APPEND O_CREAT O_EXCL O_NONBLOCK O_RDWR);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use IO::Handle;

use Touchstone::Base::Directories;
use Touchstone::Machine::Limits;
use Touchstone::Machine::Sysfile;

# Systems without this flag are asked before and after the file is opened.
my $NO_LINK = eval { Fcntl::O_NOFOLLOW() } // 0;

# What a killed process was writing: .NAME.newPID-LETTERS. No report and no record has such a name.
my $TEMPORARY = qr/\A\..+\.new(\d+)(?:-[a-z]+)?\z/s;

my ($LETTERS, $TRIES) = (10, 100);

# A process locks its files as soon as it has made them. Files that are unlocked after this many seconds were
# left behind, even if another process has the id by now.
my $AT_ONCE = 10;

# Makes a directory with those above it, or dies.
sub make_directory {
    my ($directory) = @_;
    my $is_new      = !-d $directory;
    my $trouble     = Touchstone::Base::Directories::trouble_above($directory);
    if (!defined $trouble) {
        make_path($directory, { error => \my $errors });
        ($trouble) = map { values %$_ } @{ $errors || [] };
        $trouble //= -d $directory ? undef : "$!";
    }
    die "cannot make the directory '$directory': $trouble\n" if defined $trouble;
    _settle(dirname($directory))                             if $is_new;
    return;
}

# Writes a whole file, or dies. `new`: what has this name is not replaced. Returns the file, or with `held` a
# handle, which is locked from before the file has its name.
sub write_file {
    my ($file, $text, %how) = @_;
    my $trouble = put($file, $text, %how, handle => \my $out);
    die "cannot write '$file': $trouble\n" if defined $trouble;
    return $how{held} ? $out : $file;
}

# The same, but returns what went wrong, or nothing; `handle` is where the handle goes.
sub put {
    my ($file, $text, %how) = @_;
    my ($directory, $name) = _parts($file);
    my $trouble = Touchstone::Base::Directories::trouble_above($directory);
    return $trouble if defined $trouble;
    my ($out, $temporary) = _temporary_file($directory, $name) or return Touchstone::Machine::Limits::why($!);
    flock $out, LOCK_EX;

    # The text is on the disk before the old file goes: after a power cut one of the two is whole.
    $trouble = $! if !print({$out} $text) || !$out->flush || !$out->sync;

    # The file is closed in any case: at its end Perl would complain of what is still in the buffer.
    $trouble //= $! if ($trouble || !$how{held}) && !close $out;
    $trouble //= $! if !defined $trouble && !($how{new} ? link $temporary, $file : rename $temporary, $file);
    unlink $temporary                                 if $how{new} || defined $trouble;
    return Touchstone::Machine::Limits::why($trouble) if defined $trouble;
    ${ $how{handle} } = $out                          if $how{held};
    _settle($directory);
    return;
}

sub _parts {
    my ($file) = @_;
    return $file =~ m{\A(.*)/([^/]*)\z}s ? (length $1 ? $1 : '/', $2) : ('.', $file);
}

# A new file with a name that nobody can lay a link under before.
sub _temporary_file {
    my ($directory, $name) = @_;
    for (1 .. $TRIES) {
        my $temporary = "$directory/.$name.new$$-" . join '', map { ('a' .. 'z')[ rand 26 ] } 1 .. $LETTERS;
        my $out       = made($temporary);
        return ($out, $temporary) if $out;
        last                      if $! != EEXIST;
    }
    return;
}

# A handle of a new file, or nothing, with $!.
sub made {
    my ($file) = @_;
    sysopen my $out, $file, O_CREAT | O_EXCL | O_RDWR | $NO_LINK, 0666 or return;
    binmode $out;
    return $out;
}

# Opens a file to be written in its place, or dies. It is made where there is none, unless it must be `there`.
sub opened {
    my ($file, %how) = @_;
    my $trouble = Touchstone::Base::Directories::trouble_above((_parts($file))[0]);
    my $flags = O_RDWR | O_NONBLOCK | $NO_LINK | ($how{there} ? 0 : O_CREAT) | ($how{append} ? O_APPEND : 0);
    my $handle;
    if (!defined $trouble && !-l $file && !sysopen $handle, $file, $flags, 0666) {
        $trouble = Touchstone::Machine::Limits::why($!) if !-l $file;
    }
    $trouble //= Touchstone::Base::Directories::trouble_with($handle, $file);
    die "cannot open '$file': $trouble\n" if defined $trouble;
    binmode $handle;
    return $handle;
}

# Returns a handle whose lock this process has, of a file that still has its name. `waits` is called before it
# waits for another process.
sub locked {
    my ($file, $waits) = @_;
    while (1) {
        my $lock = opened($file);
        if (!flock $lock, LOCK_EX | LOCK_NB) {
            die "cannot lock '$file': $!\n" if $! != EWOULDBLOCK;
            $waits->()                      if $waits;
            until (flock $lock, LOCK_EX) { die "cannot lock '$file': $!\n" if $! != EINTR }
        }
        return $lock if is_at($lock, $file);
    }
    return;
}

# Returns such a lock as an object: when that is gone, so is the file, unless another process has made it
# anew.
sub passing_lock {
    my ($file, $waits) = @_;
    return bless { lock => scalar locked($file, $waits), file => $file, pid => $$ };
}

sub DESTROY {
    my ($self) = @_;
    unlink $self->{file} if $self->{pid} == $$ && is_at(@$self{qw(lock file)});
    return;
}

# Removes a file that nobody has locked, if a sub still says that it can go when it is locked here.
sub discard {
    my ($file, $is_needless) = @_;
    my $lock = eval { opened($file, there => 1) } or return;
    unlink $file
        if flock($lock, LOCK_EX | LOCK_NB) && is_at($lock, $file) && (!$is_needless || $is_needless->());
    return;
}

# Removes from these directories what killed processes were writing there.
sub sweep {
    my (@directories) = @_;
    for my $directory (@directories) {
        my %pid = map { $_ =~ $TEMPORARY ? ("$directory/$_" => $1) : () }
            Touchstone::Machine::Sysfile::names($directory);
        unlink grep { is_own($_) && may_go($_, $pid{$_}) } keys %pid;
    }
    return;
}

# True of a file of this user that is no link.
sub is_own { my ($file) = @_; return !-l $file && -f _ && -o _ }

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

# A new name is synced, too. Not every system lets a directory be synced.
sub _settle {
    my ($directory) = @_;
    open my $dir, '<:raw', $directory or return;
    eval { $dir->sync };
    return;
}

# Linux tells in /proc/locks which process holds the lock of a file:
#
#   12: FLOCK  ADVISORY  WRITE 4711 fe:01:1835014 0 EOF
#
# A file with the number of a process in it would be there after its death, too.

my $LOCK_LINE = qr/^\d+: FLOCK +ADVISORY +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) /m;

# The id of the process, or nothing where that is not known. Numbers of files count within a file system
# alone, so a process must have the file open.
sub lock_holder {
    my ($file)  = @_;
    my $inode   = (stat $file)[1]                                   // return;
    my $text    = Touchstone::Machine::Sysfile::text('/proc/locks') // return;
    my %holders = map { $_->[0] => 1 } grep { $_->[1] == $inode } _locks($text);
    my ($pid)   = grep { _has_open($_, $file) } sort { $a <=> $b } keys %holders;
    return $pid;
}

sub _locks {
    my ($text) = @_;
    my @pairs;
    push @pairs, [ $1, $2 ] while $text =~ /$LOCK_LINE/g;
    return @pairs;
}

sub _has_open {
    my ($pid,    $file)  = @_;
    my ($device, $inode) = (stat $file)[ 0, 1 ];
    for my $number (grep { /\A\d+\z/ } Touchstone::Machine::Sysfile::names("/proc/$pid/fd")) {
        my @its = stat "/proc/$pid/fd/$number" or next;
        return 1 if $its[0] == $device && $its[1] == $inode;
    }
    return 0;
}

1;
