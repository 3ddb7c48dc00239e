# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Wrap - fits texts into a number of columns: breaks them at blanks, with the lines after the first
# indented, or cuts them off. A letter counts as the columns that a terminal gives it. All texts are octets,
# as in Touchstone::Base::Text.
#
#   warning: other processes were running
#     when the run began; stop them
package Touchstone::Terminal::Wrap;
use 5.014;
use strict;
use warnings;

# Letters of East Asia and pictures take two columns; marks that combine with the letter before them take
# none.
my $TWO =
    qr/[\x{1100}-\x{115f}\x{2e80}-\x{303e}\x{3041}-\x{a4cf}\x{ac00}-\x{d7a3}\x{f900}-\x{faff}\x{fe30}-\x{fe6f}\x{ff00}-\x{ff60}\x{ffe0}-\x{ffe6}\x{1f300}-\x{1faff}\x{20000}-\x{3fffd}]/;
my $NONE = qr/[\x{300}-\x{36f}\x{200b}-\x{200d}\x{20d0}-\x{20ff}\x{fe00}-\x{fe0f}]/;

# A line never ends within "1.5 %", "execl 95 %", "pipe x 2" or "3 min".
my $TIMES = qr/x|\xc3\x97/;
my $UNIT  = qr/(?<=\d\ )(?:ms|s|min|h|[KMGT]?B)\b/;
my $BREAK = qr/(?<!\+-)(?<!\ x)(?<!\ \xc3\x97)\ +(?!%)(?!$UNIT)(?!$TIMES\ \d)(?!-?\d+\ %)/;

# Colour codes take no columns.
sub columns {
    my ($text) = @_;
    $text =~ s/\e\[\d*m//g;
    return length $text if $text !~ /[\x80-\xff]/;
    utf8::decode(my $letters = $text);
    return _columns($letters);
}

sub _columns {
    my ($letters) = @_;
    return length($letters) + (() = $letters =~ /$TWO/g) - (() = $letters =~ /$NONE/g);
}

# Cuts a text off after `most` columns.
sub cut {
    my ($text, $most) = @_;
    return $text if columns($text) <= $most;
    utf8::decode(my $letters = $text);
    chop $letters while length $letters && _columns($letters) > $most;
    utf8::encode($letters) if utf8::is_utf8($letters);
    return $letters;
}

# Breaks a text into lines of at most `width` columns; without `width` it stays one line. A longer word has a
# line of its own and keeps its length, so that a path can be copied from it. A row of a table, whose columns
# are two or more blanks apart, stays as it is. `first` stands before the first line and `hang` before the
# others.
sub lines {
    my ($text, %how)  = @_;
    my ($line, $hang) = map { $_ // '' } @how{qw(first hang)};
    return $line . $text
        if !defined $how{width} || columns($line . $text) <= $how{width} || $text =~ /\S {2,}\S/;

    # Blanks that indent the text stay with its first line.
    $line .= $1 if $text =~ s/\A( +)//;
    my (@lines, $any);
    for my $word (split $BREAK, $text) {
        if ($any && columns("$line $word") > $how{width}) {
            push @lines, $line;
            ($line, $any) = ($hang, 0);
        }
        $line .= ($any++ ? ' ' : '') . $word;
    }
    return (@lines, $line);
}

1;
