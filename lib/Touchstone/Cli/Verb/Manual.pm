# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Manual - --man: the manual, page by page where standard output is a terminal.
package Touchstone::Cli::Verb::Manual;
use 5.014;
use strict;
use warnings;

use Errno ();
use POSIX ();

use Touchstone::Base::Directories;
use Touchstone::Cli::Output;
use Touchstone::Cli::Manual;
use Touchstone::Machine::Command;
use Touchstone::Record;
use Touchstone::Terminal;

# The manual of an installed command has that command's name.
sub run {
    my ($want, %at) = @_;
    my $pod     = Touchstone::Record->text_of($at{manual});
    my $columns = Touchstone::Terminal->of(\*STDOUT)->columns;
    $pod = Touchstone::Cli::Manual::installed($pod)
        if Touchstone::Base::Directories::kind($at{base}) eq 'installed';
    my $text = Touchstone::Cli::Manual::text($pod, $columns);
    return 0 if defined $columns && _is_paged($text);
    return Touchstone::Cli::Output::say($text);
}

# The text is shown by the pager that PAGER names, or else by one of these.
my @USUAL = ('less -R', 'more');

# A shell ends with these where a command cannot be started.
my ($NOT_EXECUTED, $NOT_STARTED) = (126, 127);

# Returns true if a pager has shown the text. A reader may quit it before the end.
sub _is_paged {
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
