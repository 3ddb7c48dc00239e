# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Manual - the manual, which is the POD of Run, as text for a terminal and as a page for man:
#
#   .TH TOUCHSTONE 1 "" "Touchstone 7.1.0" "Touchstone"
#   .SH NAME
#   touchstone \- measure a UNIX machine with the tests, index and report of UnixBench
package Touchstone::Cli::Manual;
use 5.014;
use strict;
use warnings;

use Touchstone;

our $COMMAND = 'touchstone';
my $WIDTH = 100;

# Returns the name by which the command was called; in the tree that is Run, the name of its file.
sub called { return $0 =~ m{(?:\A|/)\Q$COMMAND\E\z} ? $COMMAND : 'Run' }

sub text {
    my ($pod) = @_;
    eval { require Pod::Text; 1 } or die "there is no Pod::Text, which shows the manual\n";
    return _made(Pod::Text->new(width => $WIDTH), $pod);
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
