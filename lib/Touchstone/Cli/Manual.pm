# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Manual - the manual, which is the POD of Run, as text for a terminal and as a page for man:
#
#   .TH TOUCHSTONE 1 "" "Touchstone 8.0.0" "Touchstone"
#   .SH NAME
#   touchstone \- measure a UNIX machine with the tests, index and report of UnixBench
package Touchstone::Cli::Manual;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Text;
use Touchstone;

our $COMMAND = 'touchstone';

# Where nothing is known of who reads it, the text has $USUAL columns; it has never more than $WIDEST.
my ($USUAL, $WIDEST) = (80, 100);

# Returns the name by which the command was called; in the tree that is Run, the name of its file.
sub called { return $0 =~ m{(?:\A|/)\Q$COMMAND\E\z} ? $COMMAND : 'Run' }

# What somebody types to call the command.
sub typed { return called() eq $COMMAND ? $COMMAND : './Run' }

# The text, in lines of at most so many columns, without Pod::Text's stars around values. Lines that it leaves
# as they are, those of examples, are broken with an indent.
sub text {
    my ($pod, $columns) = @_;
    eval { require Pod::Text; 1 } or die "there is no Pod::Text, which shows the manual\n";
    my $width = min($columns // $USUAL, $WIDEST);
    return join '', map { "$_\n" } map { _broken($_, $width) } split /\n/,
        _made(Pod::Text->new(width => $width), $pod) =~ s/\*(\w+)\*/$1/gr;
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
        name    => uc $COMMAND,
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
    return $pod =~ s/^Run - /$COMMAND - /mr =~ s{\./Run\b}{$COMMAND}gr =~ s/B<Run>/B<$COMMAND>/gr;
}

sub _made {
    my ($parser, $pod) = @_;
    my $made = '';
    $parser->output_string(\$made);
    $parser->parse_string_document($pod);
    return $made;
}

1;
