# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Pager - shows a long text page by page, with the program that PAGER names, less or more.
package Touchstone::Cli::Pager;
use 5.014;
use strict;
use warnings;

use Errno ();
use POSIX ();

use Touchstone::Machine::Command;

my @USUAL = ('less -R', 'more');

# A shell ends with these where a command cannot be started.
my ($NOT_EXECUTED, $NOT_STARTED) = (126, 127);

# True if a pager has shown the text. Whoever leaves it before its end has seen enough.
sub show {
    my ($text) = @_;
    for my $command (grep { _is_here($_) } $ENV{PAGER} // '', @USUAL) {
        return 1 if _shown($command, $text);
    }
    return 0;
}

# What a shell must read is left to the shell, such as a variable before the command.
sub _is_here {
    my ($command) = @_;
    my ($word)    = split ' ', $command;
    return defined $word && (_is_for_shell($command) || Touchstone::Machine::Command::find($word));
}

sub _is_for_shell { my ($command) = @_; return $command =~ m{[^\w\s./+,:%=-]|\A\s*\w+=} }

# Ctrl-C is for the pager, which may only end what it does just now, and what it leaves unread is no error. No
# shell stands between: some end at Ctrl-C.
sub _shown {
    my ($command, $text) = @_;
    my @words = _is_for_shell($command) ? ('/bin/sh', '-c', $command) : split ' ', $command;
    pipe my $read, my $write or return 0;
    local @SIG{qw(INT QUIT)} = (sub { }) x 2;
    local $SIG{PIPE} = 'IGNORE';
    my $pid = Touchstone::Machine::Command::start_child(
        sub {
            open STDIN, '<&', $read or POSIX::_exit($NOT_STARTED);
            close $write;
            no warnings 'exec';
            exec { $words[0] } @words;
            POSIX::_exit($NOT_STARTED);
        }
    ) // return 0;
    close $read;
    binmode $write;
    print {$write} $text;
    close $write;
    1 while waitpid($pid, 0) == -1 && $!{EINTR};
    return $? >> 8 != $NOT_STARTED && $? >> 8 != $NOT_EXECUTED;
}

1;
