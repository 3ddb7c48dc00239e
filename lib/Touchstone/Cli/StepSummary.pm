# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::StepSummary - GitHub's Actions show the Markdown that a step adds to the file GITHUB_STEP_SUMMARY.
package Touchstone::Cli::StepSummary;
use 5.014;
use strict;
use warnings;

# GitHub shows nothing of a longer file.
my $LONGEST = 1_048_576;
my $CUT     = "\n\nThe rest is too long to be shown here.\n";

# `markdown` is a sub that gives the report; it is called where there is such a file.
sub add {
    my ($markdown) = @_;
    my $file = $ENV{GITHUB_STEP_SUMMARY};
    return if !length($file // '');
    my $room = $LONGEST - (-s $file // 0);
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
