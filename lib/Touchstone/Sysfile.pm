# SPDX-License-Identifier: GPL-2.0-or-later
# Sysfile - reads small files such as those of /proc and /sys. A file that is not there or cannot be read is undef, never an error.
package Touchstone::Sysfile;
use 5.014;
use strict;
use warnings;

sub text {
    my ($file) = @_;
    open my $in, '<', $file or return;
    local $/;
    my $text = <$in>;
    close $in;
    return $text;
}

# The first line without the blanks around it.
sub line {
    my ($file) = @_;
    my $text = text($file) // return;
    my ($line) = $text =~ /\A[ \t]*([^\n]*?)[ \t]*(?:\n|\z)/;
    return $line;
}

1;
