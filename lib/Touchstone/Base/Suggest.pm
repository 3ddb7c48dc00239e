# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Suggest - the names that a mistyped word may stand for.
package Touchstone::Base::Suggest;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(min);

our @EXPORT_OK = qw(did_you_mean);

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
    my @near = to($word, @$names) or return '';
    return 'did you mean ' . join(' or ', map { $shown->($_) } @near) . '? ';
}

# Returns at most three names, the nearest first. A name may be wrong in one letter, and in one more for
# every three letters of the word; if all differ more, those are given that begin with the word.
sub to {
    my ($word, @names) = @_;
    my %far = map { $_ => _distance(lc $word, lc $_) } @names;
    my @near =
        grep { $far{$_} <= 1 + length($word) / 3 } sort { $far{$a} <=> $far{$b} || $a cmp $b } keys %far;
    @near = sort { length $a <=> length $b || $a cmp $b } grep { index(lc $_, lc $word) == 0 } keys %far
        if !@near && length $word >= $LEAST;
    splice @near, $MOST if @near > $MOST;
    return @near;
}

# The edit distance counts letters that are added, left out, changed or swapped with their neighbour.
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

1;
