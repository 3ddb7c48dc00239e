# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Output - what the command prints on standard output, and how it is called.
package Touchstone::Cli::Output;
use 5.014;
use strict;
use warnings;

use IO::Handle;

use Touchstone::Machine::Limits;
use Touchstone::Terminal;
use Touchstone::Base::Text;

our $COMMAND = 'touchstone';

# Returns the name by which the command was called; in the tree that is Run, the name of its file.
sub command_name { return $0 =~ m{(?:\A|/)\Q$COMMAND\E\z} ? $COMMAND : 'Run' }

# What somebody types to call the command.
sub command_line { return command_name() eq $COMMAND ? $COMMAND : './Run' }

# Prints an answer on standard output.
sub say {
    my ($text) = @_;
    print $text and STDOUT->flush
        or die "cannot write to standard output: ", Touchstone::Machine::Limits::why($!), "\n";
    return 0;
}

# Wraps a text to the width of standard output, or to these columns where that has none; the lines of a point
# stand below each other.
sub wrapped {
    my ($text, $usual) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    my $columns  = $terminal->columns // $usual;
    return join '', map { "$_\n" }
        map { Touchstone::Base::Text::wrapped($_, width => $columns, hang => /\A  - / ? '    ' : '  ') }
        split /\n/, $terminal->fit($text);
}

# GitHub Actions shows the Markdown that a step adds to the file GITHUB_STEP_SUMMARY; a file longer than this
# is not shown at all.
my $LONGEST_SUMMARY = 1_048_576;
my $CUT             = "\n\nThe rest is too long to be shown here.\n";

# `markdown` is a sub that gives the report; it is called where there is such a file.
sub add_step_summary {
    my ($markdown) = @_;
    my $file = $ENV{GITHUB_STEP_SUMMARY};
    return if !length($file // '');
    my $room = $LONGEST_SUMMARY - (-s $file // 0);
    my $text = _within($room, $markdown->());
    open my $out, '>>:raw', $file or die "cannot open '$file', which GITHUB_STEP_SUMMARY names: $!\n";
    print {$out} $text or die "cannot write to '$file': $!\n";
    close $out         or die "cannot write to '$file': $!\n";
    return;
}

# As many whole lines as fit.
sub _within {
    my ($room, $text) = @_;
    return $text if length $text <= $room;
    return ''    if $room <= length $CUT;
    my $cut = substr $text, 0, $room - length $CUT;
    return $cut =~ s/[^\n]*\z//r . $CUT;
}

1;
