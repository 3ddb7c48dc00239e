# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Wrap - fits texts into so many columns: breaks them at blanks, with the lines after the first set
# in, or cuts them off. Letters are counted as the columns that a terminal gives them. In and out are octets,
# as of Touchstone::Base::Text.
#
#   warning: other processes were running
#     when the run began; stop them
package Touchstone::Terminal::Wrap;
use 5.014;
use strict;
use warnings;

# Letters that take two columns, those of East Asia and pictures, and such that take none, as marks on the
# letter before them.
my $TWO =
    qr/[\x{1100}-\x{115f}\x{2e80}-\x{303e}\x{3041}-\x{a4cf}\x{ac00}-\x{d7a3}\x{f900}-\x{faff}\x{fe30}-\x{fe6f}\x{ff00}-\x{ff60}\x{ffe0}-\x{ffe6}\x{1f300}-\x{1faff}\x{20000}-\x{3fffd}]/;
my $NONE = qr/[\x{300}-\x{36f}\x{200b}-\x{200d}\x{20d0}-\x{20ff}\x{fe00}-\x{fe0f}]/;

# Where a line may end: figures stay with what belongs to them, as in "+- 1.5 %", "execl 95 %" and "pipe x 2".
my $BREAK = qr/(?<!\+-)(?<!\ x)\ +(?!%)(?!x\ \d)(?!-?\d+\ %)/;

# Codes of colours take none.
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

# No more than so many columns of it.
sub cut {
    my ($text, $most) = @_;
    return $text if columns($text) <= $most;
    utf8::decode(my $letters = $text);
    chop $letters while length $letters && _columns($letters) > $most;
    utf8::encode($letters) if utf8::is_utf8($letters);
    return $letters;
}

# Lines of no more than `width` columns; without one, a single line. A word that is longer has a line of its
# own and keeps its whole length: a path can be copied from it; a row of a table, whose columns are some
# blanks apart, stays as it is. first, hang: what stands before the first line and before the others
sub lines {
    my ($text, %how)  = @_;
    my ($line, $hang) = map { $_ // '' } @how{qw(first hang)};
    return $line . $text
        if !defined $how{width} || columns($line . $text) <= $how{width} || $text =~ /\S {2,}\S/;

    # Blanks that set it in are its own.
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
