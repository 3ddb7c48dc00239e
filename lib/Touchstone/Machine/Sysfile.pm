# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Sysfile - reads small files such as those of /proc and /sys. A file that is missing or cannot be
# read is undef, never an error.
package Touchstone::Machine::Sysfile;
use 5.014;
use strict;
use warnings;

use Cwd ();

sub text {
    my ($file) = @_;
    open my $in, '<:raw', $file or return;
    local $/;
    my $text = <$in>;
    close $in;
    return $text;
}

# Returns the first line without the blanks around it.
sub line {
    my ($file) = @_;
    my $text   = text($file) // return;
    my ($line) = $text =~ /\A[ \t]*([^\n]*?)[ \t]*(?:\n|\z)/;
    return $line;
}

# Returns the names in a directory, sorted; nothing if it cannot be read.
sub names {
    my ($directory) = @_;
    opendir my $dir, $directory or return;
    my @names = sort grep { !/\A\.\.?\z/ } readdir $dir;
    closedir $dir;
    return @names;
}

# Returns the path where a link, or a chain of links, ends, or nothing.
sub target {
    my ($link) = @_;
    return -e $link ? eval { Cwd::realpath($link) } : undef;
}

# Says whether a file exists. The existence of a file that only root may read is a fact too.
sub present {
    my ($file) = @_;
    return -e $file ? 1 : 0;
}

1;
