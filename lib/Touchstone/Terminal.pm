# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal - what is at the other end of standard output or standard error: how wide it is, whether lines can
# be written over there, whether it shows colours and letters beyond ASCII. Files and pipes have no width and
# no colour.
#
#   my $terminal = Touchstone::Terminal->of(\*STDERR);
#   $terminal->columns            80, or nothing
#   $terminal->painted(bad => 'failed')
package Touchstone::Terminal;
use 5.014;
use strict;
use warnings;

use POSIX ();

# TIOCGWINSZ of Linux on most machines; of the BSDs, macOS and Linux on some; of Solaris. What is none fails.
my @ASK_SIZE = (0x5413, 0x40087468, 0x5468);

# Where nothing says how wide it is.
my $COLUMNS = 80;

# Words to the codes of ECMA-48: colours that every terminal has. No look says what the words do not.
my %LOOK = (strong => 1, bad => 31, good => 32, doubt => 33);

sub of {
    my ($class, $handle) = @_;
    my $is_one = -t $handle ? 1 : 0;
    my $clever = $is_one && ($ENV{TERM} // '') !~ /\A(?:dumb)?\z/;
    return bless {
        handle => $handle,
        is_one => $is_one,
        live   => $clever,
        colour => $clever && !length($ENV{NO_COLOR} // ''),
        utf8   => _is_utf8()
    }, $class;
}

# columns: a number, or a sub that gives one; live, colour, utf8: whether it can do that
sub pretended {
    my ($class, %as) = @_;
    return bless { is_one => 1, live => 1, %as }, $class;
}

# Lines can be written over.
sub is_live { return $_[0]{live} }

sub is_utf8 { return $_[0]{utf8} }

# Those who stopped Run and sent it to the background want their terminal for something else.
sub is_ours {
    my ($self) = @_;
    my $group = $self->{handle} ? eval { POSIX::tcgetpgrp(fileno $self->{handle}) } : undef;
    return !defined $group || $group <= 0 || $group == getpgrp;
}

# Asked anew each time, because windows change. Undefined for what is no terminal.
sub columns {
    my ($self) = @_;
    return undef                                                          if !$self->{is_one};
    return ref $self->{columns} ? $self->{columns}->() : $self->{columns} if defined $self->{columns};
    for my $number (@ASK_SIZE) {
        my $size = "\0" x 8;
        my (undef, $columns) = eval { ioctl $self->{handle}, $number, $size } ? unpack 'S2', $size : ();
        return $columns if $columns;
    }
    my $said = $ENV{COLUMNS} // '';
    return $said =~ /\A[1-9]\d{1,3}\z/ ? $said : $COLUMNS;
}

sub painted {
    my ($self, $look, $text) = @_;
    return $self->{colour} ? "\e[$LOOK{$look}m$text\e[0m" : $text;
}

# A text with the looks of a table: [pattern, look]. \K in a pattern leaves out what stands before it.
sub painted_by {
    my ($self, $table, $text) = @_;
    return $text if !$self->{colour};
    for my $row (@$table) {
        my ($pattern, $look) = @$row;
        $text =~ s/$pattern/$self->painted($look, $&)/ge;
    }
    return $text;
}

# By the locale that programs are told: of these the first that says anything counts.
sub _is_utf8 {
    my ($locale) = grep { length } map { $_ // '' } $ENV{LC_ALL}, $ENV{LC_CTYPE}, $ENV{LANG}, '';
    return ($locale // '') =~ /utf-?8/i ? 1 : 0;
}

1;
