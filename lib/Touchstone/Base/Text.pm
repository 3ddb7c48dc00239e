# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Text - words of any origin (programs, hosts, stored records), made fit for a terminal or a report:
# one line, valid UTF-8, no control characters; and what is built of words: lists, quoted words, suggestions,
# lines of a width. All texts that come in and go out are bytes.
package Touchstone::Base::Text;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(min);

use Touchstone::Base::Symbols qw($TIMES);

our @EXPORT_OK = qw(copies did_you_mean grouped grouped_count list_and_more list_with named natural_key
    percent_encoded plain plain_data plural quoted short single_quoted tame width);

my $LETTER = qr/[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]
    |\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}
    |\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/x;

# Perl's own decoder also accepts surrogates and code points beyond the last one. The loop matches in pieces,
# because old versions of Perl repeat no group 32,767 times.
sub is_utf8 {
    my ($text) = @_;
    return 1 if $text !~ /[\x80-\xff]/;
    pos($text) = 0;
    1 while $text =~ /\G(?:$LETTER){1,1000}/gc;
    return pos($text) == length $text;
}

# Replaces each control character and each byte of broken UTF-8 by `instead`, usually a question mark. It
# also replaces invisible marks that reverse the text around them.
sub plain {
    my ($text, $instead) = @_;

    # Most texts need no change, and a report calls this for each of its texts.
    return "$text" if $text !~ /[^\x20-\x7e]/;
    $instead //= '?';
    if (!is_utf8($text)) {
        $text =~ s/[\x00-\x1f\x7f-\xff]/$instead/g;
        return $text;
    }
    utf8::decode(my $letters = $text);
    $letters =~
        s/[\x00-\x1f\x7f-\x9f\x{61c}\x{200e}\x{200f}\x{2028}\x{2029}\x{202a}-\x{202e}\x{2066}-\x{2069}]/$instead/g;
    utf8::encode($letters);
    return $letters;
}

# Programs look for these words in the output of a run, and a reason can quote anything.
my $LOOKED_FOR = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

# Returns a text beside the report without these words.
sub tame { my ($text) = @_; return $text =~ s/$LOOKED_FOR/.../gr }

# The width counts letters, not bytes.
sub width {
    my ($text) = @_;
    utf8::decode($text);
    return length $text;
}

# Returns "1 test" or "2 tests"; `several` where an s is not enough.
sub plural {
    my ($n, $one, $several) = @_;
    return $n == 1 ? "1 $one" : "$n " . ($several // "${one}s");
}

sub copies { return plural($_[0], 'copy', 'copies') }

# Returns "a, b and 4 more" of more than `most` names.
sub list_and_more {
    my ($most, @names) = @_;
    return join ', ', @names if @names <= $most;
    return join(', ', @names[ 0 .. $most - 1 ]) . ' and ' . (@names - $most) . ' more';
}

# Returns "a, b and c", with this word before the last name.
sub list_with {
    my ($word, @names) = @_;
    my $last = pop @names;
    return join " $word ", @names ? join(', ', @names) : (), $last;
}

# Returns a word as a shell reads it, in quotes where it needs some.
sub quoted { my ($word) = @_; return $word =~ m{\A[\w.,:/+=-]+\z}a ? $word : single_quoted($word) }

sub single_quoted { my ($word) = @_; return "'" . ($word =~ s/'/'\\''/gr) . "'" }

# Writes each byte that the pattern matches in the form %2F; without a pattern, each byte that has a meaning
# in URLs or file names.
sub percent_encoded {
    my ($text, $pattern) = @_;
    $pattern //= qr/[^\w.-]/a;
    return $text =~ s/($pattern)/sprintf '%%%02X', ord $1/egr;
}

# Puts a comma between groups of three digits before the decimal point: "12,345.6".
sub grouped {
    my ($figure) = @_;
    1 while $figure =~ s{\A(-?\d+)(\d{3})}{$1,$2}a;
    return $figure;
}

sub grouped_count { return grouped(sprintf '%.0f', $_[0]) }

# Names a test at a copy count: "pipe" or "pipe × 2".
sub named {
    my ($test) = @_;
    return $test->{copies} == 1 ? $test->{name} : "$test->{name} $TIMES $test->{copies}";
}

# Texts sort by this key as people count: "zstd-2" before "zstd-10".
sub natural_key {
    my ($text) = @_;
    return lc($text) =~ s/(\d{1,18})/sprintf '%018d', $1/ger;
}

# Cuts a text after `most` letters and adds dots if it cuts.
sub short {
    my ($text, $most) = @_;
    utf8::decode(my $letters = $text);
    return $text if length $letters <= $most;
    my $cut = substr($letters, 0, $most) . '...';
    utf8::encode($cut) if utf8::is_utf8($cut);
    return $cut;
}

# Breaks a text at blanks into lines of at most `most` letters; a longer word has a line of its own.
sub folded {
    my ($text, $most) = @_;
    my $rest = $most - 1;
    return join "\n", $text =~ /(\S.{0,$rest})(?=\s|\z)/g;
}

# Returns a copy in which every text is fit for a line, because hosts and strangers' records may call
# themselves anything. Keys are changed too: reports show the names of tools, and find tests by the names
# that they show.
sub plain_data {
    my ($data) = @_;
    return defined $data ? plain($data) : undef if !ref $data;
    return ref $data eq 'HASH'
        ? { map { plain($_) => plain_data($data->{$_}) } keys %$data }
        : [ map { plain_data($_) } @$data ];
}

# The most names that are suggested for a mistyped word.
my $MOST = 3;

# A word has this many letters before it can be the beginning of a name.
my $LEAST = 2;

# Only this many letters of a word are compared.
my $LETTERS = 40;

# Returns "did you mean 'a' or 'b'? ", which another sentence may follow, or an empty text. `shown` writes a
# name, usually in quotes.
sub did_you_mean {
    my ($word, $names, $shown) = @_;
    $shown //= sub { "'$_[0]'" };
    my @near = nearest($word, @$names) or return '';
    return 'did you mean ' . join(' or ', map { $shown->($_) } @near) . '? ';
}

# Returns at most three names, the nearest first. A name may be wrong in one letter, and in one more for
# every three letters of the word; if all differ more, those are given that begin with the word.
sub nearest {
    my ($word, @names) = @_;
    my %far = map { $_ => _distance(lc $word, lc $_) } @names;
    my @near =
        grep { $far{$_} <= 1 + length($word) / 3 } sort { $far{$a} <=> $far{$b} || $a cmp $b } keys %far;
    @near = sort { length $a <=> length $b || $a cmp $b } grep { index(lc $_, lc $word) == 0 } keys %far
        if !@near && length $word >= $LEAST;
    splice @near, $MOST if @near > $MOST;
    return @near;
}

# The edit distance counts letters that are added, left out, changed or swapped with the next.
sub _distance {
    my @from = split //, substr $_[0], 0, $LETTERS;
    my @to   = split //, $_[1];
    my @rows = ([ 0 .. @to ]);
    for my $i (1 .. @from) {
        my @row = ($i);
        for my $j (1 .. @to) {
            my $swapped =
                $i > 1 && $j > 1 && $from[ $i - 1 ] eq $to[ $j - 2 ] && $from[ $i - 2 ] eq $to[ $j - 1 ];
            push @row,
                min(
                $rows[-1][$j] + 1,
                $row[-1] + 1,
                $rows[-1][ $j - 1 ] + ($from[ $i - 1 ] eq $to[ $j - 1 ] ? 0 : 1),
                $swapped ? $rows[-2][ $j - 2 ] + 1 : ()
                );
        }
        push @rows, \@row;
    }
    return $rows[-1][-1];
}

# Lines are fitted into a number of columns: a letter counts as the columns that a terminal gives it.

# Letters of East Asia and pictures take two columns; marks that combine with the letter before them take
# none.
my $TWO =
    qr/[\x{1100}-\x{115f}\x{2e80}-\x{303e}\x{3041}-\x{a4cf}\x{ac00}-\x{d7a3}\x{f900}-\x{faff}\x{fe30}-\x{fe6f}\x{ff00}-\x{ff60}\x{ffe0}-\x{ffe6}\x{1f300}-\x{1faff}\x{20000}-\x{3fffd}]/;
my $NONE = qr/[\x{300}-\x{36f}\x{200b}-\x{200d}\x{20d0}-\x{20ff}\x{fe00}-\x{fe0f}]/;

# A line never ends within "1.5 %", "execl 95 %", "pipe x 2" or "3 min".
my $MULTIPLIED = qr/x|\xc3\x97/;
my $UNIT       = qr/(?<=\d\ )(?:ms|s|min|h|[KMGT]?B)\b/;
my $BREAK      = qr/(?<!\+-)(?<!\ x)(?<!\ \xc3\x97)\ +(?!%)(?!$UNIT)(?!$MULTIPLIED\ \d)(?!-?\d+\ %)/;

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
sub cut_off {
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
sub wrapped {
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
