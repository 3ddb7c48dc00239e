# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal - what is at the other end of standard output or standard error: how wide it is, whether lines can
# be written over there, and whether it shows colours and letters beyond ASCII. Files and pipes have no width
# and no colour.
#
#   my $terminal = Touchstone::Terminal->detect(\*STDERR);
#   $terminal->columns            80, or nothing
#   $terminal->rows               24, or nothing
#   $terminal->fit('±1.5 %')      the same, or '+-1.5 %'
#   $terminal->painted(bad => 'failed')
package Touchstone::Terminal;
use 5.014;
use strict;
use warnings;

use POSIX ();

use Touchstone::Base::Symbols qw(ascii);

# TIOCGWINSZ has the first number on most machines with Linux, the second on the BSDs, macOS and other Linux,
# the third on Solaris. A number that means something else fails.
my @ASK_SIZE = (0x5413, 0x40087468, 0x5468);

# A terminal that does not tell its width is taken to have this many columns.
my $COLUMNS = 80;

# These codes of ECMA-48 are colours that every terminal has. A look never says more than the words do.
my %LOOK = (strong => 1, faint => 2, bad => 31, good => 32, doubt => 33);

sub detect {
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

# Stands in for a terminal in tests:
#
#   columns, rows         a number, or a sub that returns one
#   live, colour, utf8    whether it can do that
sub pretended {
    my ($class, %as) = @_;
    return bless { is_one => 1, live => 1, %as }, $class;
}

# A terminal is live if lines can be written over.
sub is_live { return $_[0]{live} }

# A terminal of tests is none.
sub is_real { return $_[0]{handle} && $_[0]{is_one} }

sub is_utf8 { return $_[0]{utf8} }

# Returns a text with the signs that this terminal, or the reader behind a pipe, can show.
sub fit { my ($self, $text) = @_; return $self->{utf8} ? $text : ascii($text) }

# A user who stopped Run and sent it to the background wants the terminal for something else.
sub is_ours {
    my ($self) = @_;
    my $group = $self->{handle} ? eval { POSIX::tcgetpgrp(fileno $self->{handle}) } : undef;
    return !defined $group || $group <= 0 || $group == getpgrp;
}

# Windows change, so their size is read each time. It is undef if this is not a terminal.
sub columns {
    my ($self) = @_;
    return undef                                                          if !$self->{is_one};
    return ref $self->{columns} ? $self->{columns}->() : $self->{columns} if defined $self->{columns};
    my $columns = ($self->_size)[1];
    return $columns if $columns;
    my $value = $ENV{COLUMNS} // '';
    return $value =~ /\A[1-9]\d{1,3}\z/ ? $value : $COLUMNS;
}

# A terminal that does not tell its rows has none for a table.
sub rows {
    my ($self) = @_;
    return ref $self->{rows} ? $self->{rows}->() : $self->{rows} if !$self->{is_one} || !$self->{handle};
    return ($self->_size)[0]                                                         || undef;
}

sub _size {
    my ($self) = @_;
    for my $number (@ASK_SIZE) {
        my $size = "\0" x 8;
        my ($rows, $columns) = eval { ioctl $self->{handle}, $number, $size } ? unpack 'S2', $size : ();
        return ($rows, $columns) if $columns;
    }
    return;
}

sub painted {
    my ($self, $look, $text) = @_;
    return $self->{colour} ? "\e[$LOOK{$look}m$text\e[0m" : $text;
}

# Paints a text by a table of [pattern, look]. \K in a pattern leaves out what stands before it.
sub painted_by {
    my ($self, $table, $text) = @_;
    return $text if !$self->{colour};
    for my $row (@$table) {
        my ($pattern, $look) = @$row;
        $text =~ s/$pattern/$self->painted($look, $&)/ge;
    }
    return $text;
}

# The locale decides that programs are told: the first variable that is set counts.
sub _is_utf8 {
    my ($locale) = grep { length } map { $_ // '' } $ENV{LC_ALL}, $ENV{LC_CTYPE}, $ENV{LANG}, '';
    return ($locale // '') =~ /utf-?8/i ? 1 : 0;
}

1;
