#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of the BYTEmark suite do the work of the originals, counted step by step, and each of their checks
# can fail.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../lib';
use Sources;

plan skip_all => 'there is no cc' if system('command -v cc >/dev/null 2>&1') != 0;
my @CC = (qw(cc -std=gnu11 -D_POSIX_C_SOURCE=200809L -O1 -DTALLY_WORK), "-I$dir/src");

# Steps of one iteration, computed independently of this suite. For idea and huffman these are a hundred
# loops.
my %TALLIES = (
    'fp-emulation' => [
        [ additions               => 752 ],
        [ subtractions            => 752 ],
        [ multiplications         => 935 ],
        [ divisions               => 561 ],
        [ add16                   => 118_504 ],
        [ sub16                   => 76_252 ],
        [ 'shifts left'           => 216_537 ],
        [ 'shifts right'          => 182_194 ],
        [ 'sticky shifts'         => 2_269 ],
        [ 'sum shifts'            => 1_023 ],
        [ 'product shifts'        => 459 ],
        [ 'division rounds'       => 71_532 ],
        [ 'division subtractions' => 17_939 ],
    ],
    idea => [ [ blocks => 100 * 1_000 ], [ multiplications => 100 * 34_000 ] ],

    # There are two scans for each of 31 pairs, and two that find no pair, of 256, 257 ... 287 nodes.
    huffman => [
        [ pairs             => 100 * 31 ],
        [ 'nodes looked at' => 100 * 32 * (256 + 287) ],
        [ 'bits written'    => 100 * 21_352 ],
        [ 'bits read'       => 100 * 21_352 ]
    ],
);

# Each row has damage to the results of the set-up, and the check's message. The last row's damage is done to
# the results of the last iteration.
my %DAMAGE = (
    'fp-emulation' => [
        [ 'a[7].sign ^= 1'     => qr/the first operands have the hash [0-9a-f]{16}, not eacb15728072fc66/ ],
        [ 'b[2999].exponent++' => qr/the second operands have the hash [0-9a-f]{16}, not 57e041dcaaf8b433/ ],
        [ 'c[5].type = SUBNORMAL'  => qr/result 5 has type 1, not 2/ ],
        [ 'c[14].mantissa[3] |= 4' => qr/result 14 ends with limb c07c, not with three bits of 0/ ],
        [ 'c[8].mantissa[1] ^= 1'  => qr/result 8 is 0\.2204\d+, not 0\.220429427206\d+/ ],
        [ 'c[9].mantissa[2] ^= 1'  => qr/the results have the hash [0-9a-f]{16}, not b3878bc2edf9cd40/ ],
        [ 'c[2999].sign = 0'       => qr/result 2999 is 0\.38042\d+, not -0\.38042643597\d+/ ],
    ],
    idea => [
        [ 'w.plain[3] ^= 1' => qr/the plain text has the hash [0-9a-f]{16}, not 7e08ca0eda7f191a/ ],
        [ 'memcpy(w.crypt, w.plain, BYTES)' => qr/the text was not encrypted/ ],
        [ 'w.again[1999] ^= 256' => qr/word 1999 is decrypted to ([0-9a-f]{4}), not (?!\1)[0-9a-f]{4}/ ],
        [ 'w.crypt[5] ^= 1'      => qr/the encrypted text has the hash [0-9a-f]{16}, not f07e6971a6bb9616/ ],
        [ 'w.again[0] ^= 1'      => qr/word 0 is decrypted to 9406, not 9407/ ],
    ],
    huffman => [
        [ q(w.plain[10] = 'x')              => qr/the text has the hash [0-9a-f]{16}, not 60720305f8701f76/ ],
        [ q(w.nodes[' '].parent = EXCLUDED) => qr/symbol 32 has no code of at most 30 bits/ ],
        [
            q(w.nodes[' '].parent = w.nodes[w.nodes[' '].parent].parent) =>
                qr/the sum of 2\^-length of all codes is 1\.125, not 1/
        ],
        [ 'w.bits--'     => qr/the text was compressed to 21351 bits, its codes have 21352/ ],
        [ 'w.again[0]++' => qr/byte 0 is decompressed to 113, not 112/ ],
        [
            'w.compressed[2668] ^= 128' =>
                qr/the compressed text has the hash [0-9a-f]{16}, not 51298820581ed280/
        ],
        [ 'w.again[4999] = 1' => qr/byte 4999 is decompressed to 1, not 0/ ],
    ],
);

# Mistakes in the work itself.
my @MISTAKES = (
    [
        'fp-emulation',
        'multiply(&a[i], &b[i], &c[i])',
        'multiply(&b[i], &b[i], &c[i])',
        qr/result 8 is 0\.3174\d+, not 0\.2204\d+/
    ],
    [ 'idea', '(low < high)', '(low > high)', qr/word 0 of the standard block is [0-9a-f]{4}, not 11fb/ ],
    [
        'huffman',                          'nodes[second].frequency;',
        'nodes[second].frequency + 0.01f;', qr/the codes of the text have \d{5} bits, not 21352/
    ],
);

my @common = glob("\Q$dir\E/src/bytemark/shared/*.c \Q$dir\E/src/{bench,channel,perf,pin,turn}.c");
my ($status, undef, $errors) =
    run('sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', "$dir", @CC, '-c', @common);
BAIL_OUT("the frame does not compile: $errors") if $status != 0;
my @objects = glob("\Q$dir\E/*.o");

sub source { my ($program) = @_; return slurp("$dir/src/bytemark/$program.c") }

sub compile {
    my ($text) = @_;
    spew("$dir/src/bytemark/tried.c", $text);
    my ($failed, undef, $why) = run(@CC, '-o', "$dir/tried", "$dir/src/bytemark/tried.c", @objects);
    die "it does not compile: $why\n" if $failed;
    return "$dir/tried";
}

# Returns the source with a place for damage after each of these two calls. DAMAGE in the environment is the
# number of the damage that is done there.
sub damaged {
    my ($program) = @_;
    my ($text, $n) = (source($program), 0);
    my @cases = map { 'case ' . ++$n . ": $_->[0]; break;" } @{ $DAMAGE{$program} };
    my $last  = pop @cases;
    $text =~ s/(tally_report\(tallies\);)/$1 switch (damage()) { @cases }/
        or die "'$program' has no set-up\n";
    $text =~ s/(run_stop\(&r, \w+\);)/$1 switch (damage()) { $last }/ or die "'$program' has no iteration\n";
    return
        "#include <stdlib.h>\nstatic int damage(void) { const char *n = getenv(\"DAMAGE\"); return n ? atoi(n) : 0; }\n$text";
}

sub is_wrong {
    my ($what, $words, $exit, undef, $err) = @_;
    is($exit, 1, "$what: exit status 1");
    return like($err, qr/\AERROR\|wrong result: $words[^\n]*\n\z/, "$what: it is named");
}

for my $program (sort keys %TALLIES) {
    subtest "$program does the known work" => sub {
        my ($exit, $out, $err) = run(compile(source($program)), 0.05);
        is($exit, 0, 'it measures');
        like($err, qr/\ACOUNT\|[0-9.]+\|0\|lps\nTIME\|/, 'one result') or diag $err;
        is($out, join('', map { "TALLY|$_->[0]|$_->[1]\n" } @{ $TALLIES{$program} }), 'in as many steps');
    };

    subtest "no wrong result of $program is taken" => sub {
        my ($tried, $n) = (compile(damaged($program)), 0);
        is((run($tried, 0.05))[0], 0, 'none is damaged');
        for my $damage (@{ $DAMAGE{$program} }) {
            local $ENV{DAMAGE} = ++$n;
            is_wrong($damage->[0], $damage->[1], run($tried, 0.05));
        }
    };
}

for my $mistake (@MISTAKES) {
    my ($program, $from, $to, $words) = @$mistake;
    subtest "$program notices '$to'" => sub {
        (my $text = source($program)) =~ s/\Q$from\E/$to/ or die "'$from' is not in $program\n";
        is_wrong('the mistake', $words, run(compile($text), 0.05));
    };
}

done_testing;
