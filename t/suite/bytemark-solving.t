#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# One iteration of a BYTEmark-compatible program does all its steps, and work that is wrong or left out is
# noticed, both in the iteration of the set-up and in the last one.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use File::Glob qw(bsd_glob);
use FindBin;
use lib "$FindBin::Bin/lib";
use Sources;
use Test::More;

system('command -v cc >/dev/null 2>&1') == 0 or plan skip_all => 'there is no cc here';

use constant LIMIT => 240;

my @CC = (
    'cc',           '-std=gnu11', '-D_POSIX_C_SOURCE=200809L', '-O1',
    '-DTALLY_WORK', "-I$dir/src", "-I$dir/src/bytemark"
);

# Each entry has the known counts, and changes: text of the source, replacement, pattern of the message.
my @PROGRAMS = (
    {
        name    => 'fourier',
        tallies => [ evaluations => 39_800, integrals => 199 ],
        changes => [
            [ 'inner = steps - 2', 'inner = steps - 1', qr/A0 is 2\.88\d+, not 2\.8377/ ],
            [
                "run_start(&r);\n\t\ttransform(a, b, COEFFICIENTS);",
                'run_start(&r);',
                qr/A0 is 0, not 2\.8377/
            ],
        ],
    },
    {
        name    => 'assignment',
        tallies => [
            markings    => 99,
            rounds      => 485,
            revisions   => 98,
            repetitions => 590,
            fewer       => 0,
            83          => 4,
            84          => 3,
            85          => 4,
            86          => 2,
            87          => 7,
            88          => 4,
            89          => 1,
            90          => 4,
            91          => 1,
            92          => 1,
            93          => 1,
            94          => 7,
            95          => 7,
            96          => 19,
            97          => 5,
            98          => 2,
            99          => 15,
            100         => 11,
            101         => 1,
        ],
        changes => [
            [ 'DEAREST = 5000000',                     'DEAREST = 500000', qr/the cost is \d+, not 1773239/ ],
            [ "run_start(&r);\n\t\tassign(a, marks);", 'run_start(&r);',   qr/a\[0\]\[56\] is \d+, not 0/ ],
        ],
    },
    {
        name    => 'neural-net',
        tallies => [ passes => 780, steps => 7800 ],
        changes => [
            [
                'MOMENTUM = 0.09',
                'MOMENTUM = 0.04',
                qr/the net learned in \d+ passes, \d+ steps, not 780 and 7800/
            ],
            [
                "run_start(&r);\n\t\ttrain();", 'run_start(&r);',
                qr/the net learned in 780 passes, 0 steps, not 780 and 7800/
            ],
        ],
    },
    {
        name    => 'lu-decomposition',
        tallies => [ 'row exchanges' => 96, terms => 338_350 ],
        changes => [
            [ 'sum -= a[i][j] * b[j]', 'sum += a[i][j] * b[j]', qr/x\[\d+\] is \S+, not \d/ ],
            [
                "run_start(&r);\n\t\tparity = iterate(a, b, scale);",
                'run_start(&r);',
                qr/x\[0\] is -3755, not 0\.088/
            ],
        ],
    },
);

sub compile {
    my ($to, @from) = @_;
    my ($status, undef, $errors) = run(@CC, '-o', "$dir/$to", @from);
    $status == 0 or die "cannot compile $to: $errors";
    return;
}

# The parts that all programs share are compiled once.
compile(
    'frame.o', '-nostdlib', '-r',
    (map { "$dir/src/$_.c" } qw(bench channel perf pin turn)),
    bsd_glob("$dir/src/bytemark/shared/*.c")
);

# Returns exit status, standard output and standard error of the program compiled from this text.
sub outcome {
    my ($name, $text, $seconds) = @_;
    spew("$dir/$name.c", $text);
    compile($name, "$dir/$name.c", "$dir/frame.o", '-lm');
    return run($^X, '-e', 'alarm shift; exec @ARGV', LIMIT, "$dir/$name", $seconds);
}

for my $program (@PROGRAMS) {
    my $name   = $program->{name};
    my $source = slurp("src/bytemark/$name.c");
    subtest "$name does its work step by step" => sub {
        my ($status, $out, $err) = outcome($name, $source, 0.05);
        is($status, 0, 'exit status');
        like($err, qr/\ACOUNT\|[1-9]/, 'a count');
        my @known = @{ $program->{tallies} };
        my $lines = '';
        $lines .= 'TALLY|' . join('|', splice @known, 0, 2) . "\n" while @known;
        is($out, $lines, 'the known number of each step');
    };
    subtest "$name notices wrong work" => sub {
        for my $change (@{ $program->{changes} }) {
            my ($from, $to, $said) = @$change;
            (my $text = $source) =~ s/\Q$from\E/$to/ or die "'$from' is not in $name.c\n";
            my ($status, undef, $err) = outcome($name, $text, 0.01);
            is($status, 1, "$to: exit status");
            like($err, qr/\AERROR\|wrong result: $said.*\n\z/, "$to: it says what is wrong");
        }
    };
}

done_testing;
