# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Manual - the command manual: the manual, which is the POD of Run, as text for a terminal and as a page
# for man:
#
#   .TH TOUCHSTONE 1 "" "Touchstone 8.0.0" "Touchstone"
#   .SH NAME
#   touchstone \- measure a UNIX machine with the tests, index and report of UnixBench
package Touchstone::Cli::Manual;
use 5.014;
use strict;
use warnings;

use Errno ();
use List::Util qw(min);
use POSIX ();

use Touchstone::Base::Directories;
use Touchstone::Cli::Output;
use Touchstone::Machine::Command;
use Touchstone::Record;
use Touchstone::Base::Text;
use Touchstone::Terminal;
use Touchstone;

# Where nothing is known of who reads it, the text has $USUAL columns; it has never more than $WIDEST.
my ($USUAL, $WIDEST) = (80, 100);

# Prints it, page by page where standard output is a terminal. The manual of an installed command has that
# command's name.
sub run {
    my ($options, %at) = @_;
    my $pod     = Touchstone::Record->text_of($at{manual});
    my $columns = Touchstone::Terminal->detect(\*STDOUT)->columns;
    $pod = installed($pod)
        if Touchstone::Base::Directories::kind($at{base}) eq 'installed';
    my $text = text($pod, $columns);
    return 0 if defined $columns && _is_paged($text);
    return Touchstone::Cli::Output::say($text);
}

# The text, in lines of at most so many columns, without Pod::Text's stars around values. Lines that it leaves
# as they are, those of examples, are broken with an indent.
sub text {
    my ($pod, $columns) = @_;
    eval { require Pod::Text; 1 } or die "there is no Pod::Text, which shows the manual\n";
    my $width = min($columns // $USUAL, $WIDEST);
    return join '', map { "$_\n" } map { _broken($_, $width) } split /\n/,
        _made(Pod::Text->new(width => $width), $pod) =~ s/\*(\w+)\*/$1/gr;
}

# The paragraph that explains a command, without marks, or nothing.
sub paragraph {
    my ($file, $command) = @_;
    my ($commands) = Touchstone::Record->text_of($file) =~ /^=head1 COMMANDS\n(.*?)^=head1 /ms or return;
    my ($text)     = $commands =~ /^=item B<\Q$command\E>.*?\n\n(.*?)\n\n/ms                   or return;
    return $text =~ s/\s+/ /gr =~ s/[BCFI]<([^<>]*)>/$1/gr;
}

sub _broken {
    my ($line, $width) = @_;
    return $line if length $line <= $width;
    my ($indent, $words) = $line =~ /\A( *)(.*)/;
    return Touchstone::Base::Text::wrapped(
        $words =~ s/ {2,}/ /gr,
        width => $width,
        first => $indent,
        hang  => "$indent    "
    );
}

# Returns the page for man of the installed command. The same sources give the same bytes on every day.
sub page {
    my ($pod) = @_;
    eval { require Pod::Man; 1 } or die "there is no Pod::Man, which makes the page for man\n";
    my $parser = Pod::Man->new(
        name    => uc $Touchstone::Cli::Output::COMMAND,
        section => 1,
        center  => 'Touchstone',
        release => "Touchstone $Touchstone::VERSION",
        date    => '',
        quotes  => 'none'
    );

    # Perl before 5.20 takes an empty date for today's.
    return _made($parser, installed($pod)) =~ s/^(\.TH \S+ \S+) "[^"]*"/$1 ""/mr;
}

# The tree has ./Run, and Run is a file beside README; an installed command has another name.
sub installed {
    my ($pod) = @_;
    return $pod =~ s/^Run - /$Touchstone::Cli::Output::COMMAND - /mr =~
        s{\./Run\b}{$Touchstone::Cli::Output::COMMAND}gr =~ s/B<Run>/B<$Touchstone::Cli::Output::COMMAND>/gr;
}

sub _made {
    my ($parser, $pod) = @_;
    my $made = '';
    $parser->output_string(\$made);
    $parser->parse_string_document($pod);
    return $made;
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
