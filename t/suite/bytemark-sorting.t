#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The sorting and bit programs of BYTEmark: one iteration takes exactly the known steps, and wrong work gives
# no result.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use FindBin;
use lib "$FindBin::Bin/lib";
use Sources;
use Test::More;

system('command -v cc >/dev/null 2>&1') == 0 or plan skip_all => 'no cc here';

my @FLAGS         = ('-std=gnu11', '-D_POSIX_C_SOURCE=200809L', '-DTALLY_WORK', "-I$dir/src");
my $LITTLE_ENDIAN = unpack('S', pack 'C2', 1, 0) == 1;

# `tallies` are in the order in which they are printed. `wrong` has text of the source, its replacement, and
# how the program then ends.
my @PROGRAMS = (
    {
        name    => 'numeric-sort',
        tallies => [
            [ 'sift steps'         => 100_921 ],
            [ 'exchanges in sifts' => 98_113 ],
            [ 'final exchanges'    => 8_110 ]
        ],
        wrong => [
            [
                'the greatest first',
                'if (a[i] < a[child])',
                'if (a[i] > a[child])',
                qr/number \d+ is -?\d+, and the next is -?\d+/
            ],
            [ 'a number that is lost', 'a[first] = a[i];', '', qr/the sum is -?\d+, not -34984764/ ],
            [
                'two numbers that became others',
                'tally_report(tallies);',
                'a[0]--; a[NUMBERS - 1]++;',
                qr/the exclusive or is [0-9a-f]+, not [0-9a-f]+/
            ],
            [
                'other numbers from the start',
                '= random_draw()',
                '= random_draw() / 2',
                qr/the sum is -?\d+, not -34984764/
            ],
            [
                'one more pair',
                'before =',
                'a[1] += a[0] - a[2]; a[0] = a[2]; before =',
                qr/12 numbers equal the next, not 11/
            ],
            [
                'a wider range',
                'before =',
                'for (int i = 0; i < NUMBERS; i++) a[i] += (a[i] == 999511) - (a[i] == -999413); before =',
                qr/number 0 is -999414, not -999413/
            ],
            (
                $LITTLE_ENDIAN
                ? [
                    'two other numbers between',
                    'before =',
                    'a[0]++; a[1]--; before =',
                    qr/the hash is [0-9a-f]{16}, not 0a7cf9bc54618afa/
                    ]
                : ()
            ),
            [
                'iterations that do not sort',
                "run_start(&r);\n\t\theap_sort(a, 0, NUMBERS - 1);",
                'run_start(&r);',
                qr/number 1 is 392519, and the next is -200022/
            ],
        ]
    },

    # The comparisons do not include the 214 of the check.
    {
        name    => 'string-sort',
        tallies => [
            [ comparisons                  => 3_117 ],
            [ exchanges                    => 1_700 ],
            [ 'lengths set'                => 3_400 ],
            [ 'lengths of the last string' => 2 ],
            [ 'offsets changed'            => 636_108 ],
            [ moves                        => 8_498 ],
            [ 'bytes moved'                => 24_293_407 ]
        ],
        wrong => [
            [
                'an offset that is not where its string is', 'tally_report(tallies);',
                'offset[3]++;',                              qr/string 3 begins at 7, not 6/
            ],
            [
                'a string too long',
                'tally_report(tallies);',
                'arena[offset[n - 1]]++;',
                qr/the strings end at 8112, not 8111/
            ],
            [
                'the parent compared the wrong way',
                'less(arena, offset, i, child)',
                'less(arena, offset, child, i)',
                qr/string \d+ is less than the one before/
            ],
            [
                'a last byte that stays behind',
                'buffer, length + 1u',
                'buffer, length',
                qr/the sum of hashes is [0-9a-f]{16}, was 308e5dc42d6459f4/
            ],
            [
                'shorter strings',
                'random_below(LONGEST)',
                'random_below(LONGEST - 1)',
                qr/there are \d+ strings, not 215/
            ],
            [
                'other strings from the start',
                'random_below(BYTES)',
                'random_below(BYTES - 1)',
                qr/the sum of hashes is [0-9a-f]{16}, not 308e5dc42d6459f4/
            ],
            [
                'another order',
                'return order < 0',
                'return order > 0',
                qr/the hash is [0-9a-f]{16}, not 2ccb9466d1415608/
            ],
            [
                'iterations that do not sort',
                "run_start(&r);\n\t\theap_sort(arena, offset, n);",
                'run_start(&r);',
                qr/string \d+ is less than the one before/
            ],
        ]
    },
    {
        name    => 'bitfield',
        tallies =>
            [ [ 'bits set' => 520_779 ], [ 'bits cleared' => 821_758 ], [ 'bits complemented' => 916_305 ] ],
        wrong => [
            [
                'a bit set that should be cleared',
                '&= ~(UINT64_C(1) << bit)',
                '|= UINT64_C(1) << bit',
                qr/word \d+ is [0-9a-f]{16}, not [0-9a-f]{16}/
            ],
            [
                'a run one bit too short',
                'length > 0; length--',
                'length > 1; length--',
                qr/word \d+ is [0-9a-f]{16}, not [0-9a-f]{16}/
            ],
            [
                'other runs from the start',
                'random_below(BITS)',
                'random_below(BITS - 1)',
                qr/the runs have \d+ bits, not 2258842/
            ],
            [
                'another pattern from the start', '0x5555555555555555',
                '0x5555555555555557',             qr/\d+ bits are set, not 540253/
            ],
            (
                $LITTLE_ENDIAN
                ? (
                    [
                        'the same bits at other places',
                        'check_numbers(map, bits);',
                        'map[0] = map[0] << 1 | map[0] >> 63; check_numbers(map, bits);',
                        qr/the hash of the used part is [0-9a-f]{16}, not 7f75f4250b41db95/
                    ],
                    [
                        'others behind those that are used',
                        'check_numbers(map, bits);',
                        'map[WORDS - 1] <<= 1; check_numbers(map, bits);',
                        qr/the hash is [0-9a-f]{16}, not 30f55a7214b95b95/
                    ],
                    )
                : ()
            ),
            [
                'iterations that do nothing',
                "run_start(&r);\n\t\toperate(map, runs);",
                'run_start(&r);',
                qr/word \d+ is 5555555555555555, not [0-9a-f]{16}/
            ],
        ]
    },
);

sub compile {
    my ($to, @words) = @_;
    my ($status, $out, $err) = run('cc', @FLAGS, @words, '-o', "$dir/$to");
    die "cc failed:\n$out$err" if $status != 0;
    return "$dir/$to";
}

# The parts that all programs share are compiled once.
my @objects =
    map { my $name = "object" . s/\W/-/gr; compile("$name.o", '-O1', '-c', "$dir/src/$_.c") }
    qw(bench channel perf pin turn),
    map { "bytemark/shared/$_" } qw(run);

sub program_of {
    my ($name, $optimise, $text) = @_;
    spew("$dir/src/bytemark/changed.c", $text);
    return compile($name, $optimise, "$dir/src/bytemark/changed.c", @objects);
}

for my $program (@PROGRAMS) {
    my ($name, $source) = ($program->{name}, slurp("$dir/src/bytemark/$program->{name}.c"));

    subtest "an iteration of $name takes the known steps" => sub {
        my ($status, $out, $err) = run(program_of($name, '-O1', $source), 0.05);
        is($status, 0, 'it measures') or diag($err);
        is($out,    join('', map { "TALLY|$_->[0]|$_->[1]\n" } @{ $program->{tallies} }), 'all tallies');
        like($err, qr/\ACOUNT\|(?!0\|)\d+(?:\.\d+)?(?:e\+\d+)?\|0\|lps\n/, 'and has a rate');
    };

    subtest "$name with wrong work has no result" => sub {
        for my $row (@{ $program->{wrong} }) {
            my ($what, $from, $to, $says) = @$row;
            (my $changed = $source) =~ s/\Q$from\E/$to/ or die "'$from' is not in $name\n";
            my ($status, $out, $err) = run(program_of('changed', '-O0', $changed), 0.01);
            is($status, 1, "$what: exit status");
            like($err, qr/\AERROR\|wrong result: $says[^\n]*\n\z/, 'it says what is wrong');
        }
    };
}

done_testing;
