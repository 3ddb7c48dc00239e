# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Text - words of any origin (programs, hosts, stored records), made fit for a terminal or a report: one
# line, valid UTF-8, no control characters. In and out are octets.
package Touchstone::Base::Text;
use 5.014;
use strict;
use warnings;

my $LETTER =
    qr/[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}
    |\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/x;

# Perl's own decoder also takes halves of pairs and letters beyond the last one. In pieces: old versions
# repeat no group 32,767 times.
sub is_utf8 {
    my ($text) = @_;
    return 1 if $text !~ /[\x80-\xff]/;
    pos($text) = 0;
    1 while $text =~ /\G(?:$LETTER){1,1000}/gc;
    return pos($text) == length $text;
}

# Each control character becomes `instead`, usually a question mark, as does each octet of broken UTF-8. So do
# the marks that no reader sees but that turn round what stands beside them, also outside of the text.
sub plain {
    my ($text, $instead) = @_;

    # Most are such, and a report asks this of each.
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

# Letters, not octets.
sub width {
    my ($text) = @_;
    utf8::decode($text);
    return length $text;
}

# "1 copy", "2 copies".
sub copies {
    my ($n) = @_;
    return $n == 1 ? '1 copy' : "$n copies";
}

# A test at a copy count: "pipe", "pipe x 2".
sub named {
    my ($test) = @_;
    return $test->{copies} == 1 ? $test->{name} : "$test->{name} x $test->{copies}";
}

# At most so many letters, and dots when something is missing.
sub short {
    my ($text, $most) = @_;
    utf8::decode(my $letters = $text);
    return $text if length $letters <= $most;
    my $cut = substr($letters, 0, $most) . '...';
    utf8::encode($cut) if utf8::is_utf8($cut);
    return $cut;
}

# Broken at blanks into lines of at most so many letters, unless a word is longer.
sub folded {
    my ($text, $most) = @_;
    my $rest = $most - 1;
    return join "\n", $text =~ /(\S.{0,$rest})(?=\s|\z)/g;
}

# A copy in which every text is fit for a line: hosts and strangers' records may call themselves anything. So
# are names of members: those of tools are shown, and those of tests must be found by what the tests are
# called.
sub plain_data {
    my ($data) = @_;
    return defined $data ? plain($data) : undef if !ref $data;
    return ref $data eq 'HASH'
        ? { map { plain($_) => plain_data($data->{$_}) } keys %$data }
        : [ map { plain_data($_) } @$data ];
}

1;
