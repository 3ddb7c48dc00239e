# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Output - what the command prints on standard output.
package Touchstone::Cli::Output;
use 5.014;
use strict;
use warnings;

use IO::Handle;

use Touchstone::Machine::Limits;
use Touchstone::Terminal;
use Touchstone::Terminal::Wrap;

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
    my $terminal = Touchstone::Terminal->of(\*STDOUT);
    my $columns  = $terminal->columns // $usual;
    return join '', map { "$_\n" }
        map { Touchstone::Terminal::Wrap::lines($_, width => $columns, hang => /\A  - / ? '    ' : '  ') }
        split /\n/, $terminal->fit($text);
}

1;
