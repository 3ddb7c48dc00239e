# SPDX-License-Identifier: GPL-2.0-or-later
# Pty - a real terminal with a given number of columns, and of rows, 24 unless told, whose other end is this
# test. Works on Linux only.
#
#   my $pty = Pty->new(50) or plan skip_all => 'no pseudo-terminals here';
#   open STDERR, '>', $pty->{path};  ...;  $pty->read_until_gone($pid)
package Pty;
use 5.014;
use strict;
use warnings;

use Fcntl qw(O_RDWR O_NOCTTY);
use POSIX ();

my %ASK = (unlock => 0x40045431, number => 0x80045430, resize => 0x5414);

sub new {
    my ($class, $columns, $rows) = @_;
    sysopen my $near, '/dev/ptmx', O_RDWR | O_NOCTTY or return;
    my $number = pack 'i', 0;
    return if !ioctl($near, $ASK{unlock}, $number) || !ioctl $near, $ASK{number}, $number;
    my $self = bless { near => $near, path => '/dev/pts/' . unpack 'i', $number }, $class;

    # While this end is open, the other end can be closed and opened again.
    sysopen $self->{far}, $self->{path}, O_RDWR | O_NOCTTY or return;
    $self->resize($columns, $rows);
    return $self;
}

sub resize {
    my ($self, $columns, $rows) = @_;
    ioctl $self->{near}, $ASK{resize}, my $size = pack 'S4', $rows // 24, $columns, 0, 0
        or die "cannot resize a terminal: $!\n";
    return;
}

# Returns what was written until a process ended, and keeps its status of waitpid in {status}.
sub read_until_gone {
    my ($self, $pid) = @_;
    my $text  = '';
    my $ended = 0;
    until ($ended && !$self->_is_more(0)) {
        $ended ||= waitpid($pid, POSIX::WNOHANG()) == $pid;
        $self->{status} = $? if $ended && !defined $self->{status};
        sysread $self->{near}, $text, 4096, length $text if $self->_is_more(0.05);
    }
    return $text =~ s/\r\n/\n/gr;
}

# Returns what was written until this matches, or until nothing more comes for a minute.
sub read_until {
    my ($self, $pattern) = @_;
    my $text = '';
    sysread $self->{near}, $text, 4096, length $text while $text !~ $pattern && $self->_is_more(60);
    return $text =~ s/\r\n/\n/gr;
}

sub _is_more {
    my ($self, $seconds) = @_;
    vec(my $set = '', fileno $self->{near}, 1) = 1;
    return select($set, undef, undef, $seconds) > 0;
}

# Makes the terminal go away.
sub hang_up { my ($self) = @_; close $_ for @$self{qw(far near)}; return }

1;
