#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Whetstone: the eight known results at every optimisation, module 4 executed where it must be, and one rate
# as the result.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use FindBin;
use lib "$FindBin::Bin/lib";
use Sources;
use Test::More;

# Results in strict double precision, computed independently of this suite. A tolerance of 0 means exactly.
my @KNOWN = (
    [ N1 => -1.123982556673919,  1e-10 ],
    [ N2 => -1.1218707988928442, 1e-10 ],
    [ N3 => 1,                   0 ],
    [ N4 => 12,                  0 ],
    [ N5 => 0.49902937281518261, 1e-10 ],
    [ N6 => 0.99999987890802811, 1e-10 ],
    [ N7 => 3,                   0 ],
    [ N8 => 0.75100163018458665, 1e-10 ],
);
my @FLAGS = ('-O0', '-O2', '');

# Runs the program built from a source in which one text is replaced.
sub run_changed {
    my ($from, $to) = @_;
    my $undo = change('whetstone.c', $from, $to);
    build('whetstone-double');
    $undo->();
    return run("$dir/pgms/whetstone-double", 0.05);
}

for my $flags (@FLAGS) {
    my $with = $flags || 'the default flags';
    subtest "the results of all modules are the known ones with $with" => sub {
        for my $program (qw(whetstone-double whetstone-strict)) {
            my ($status, undef, $errors) = build($program, "UB_GCC_OPTIONS=$flags");
            is($status, 0, 'it builds') or diag $errors;
            my ($exit, $out) = run("$dir/pgms/$program", 0.05);
            is($exit, 0, "$program measures");
            my %result = $out =~ /^(N\d) .*? (-?\d+\.\d{17}) /mg;
            for my $row (@KNOWN) {
                my ($module, $known, $tolerance) = @{$row};
                my $result = $result{$module} // 'nothing';
                ok($result ne 'nothing' && abs($result - $known) <= abs($known) * $tolerance,
                    "$module: $result");
            }
        }
    };
}

subtest 'the strict program executes module 4' => sub {
    my (undef, $out) = run("$dir/pgms/whetstone-strict", 0.05);
    like($out, qr/^N4 .* \d+\.\d{3} MOPS +\d+\.\d{3} s$/m, 'it has a rate');
    unlike($out, qr/removed by compiler/, 'no module was removed');
};

for my $program (qw(whetstone-double whetstone-strict)) {
    subtest "$program for 0.05 s reports one rate in MWIPS" => sub {
        my ($exit, undef, $err) = run("$dir/pgms/$program", 0.05);
        is($exit,                             0, 'exit status');
        is(scalar(() = $err =~ /^COUNT\|/mg), 1, 'one count');
        like($err, qr/^COUNT\|\d+\.\d{3}\|0\|MWIPS$/m, 'it is well formed');
        unlike($err, qr/^COUNT\|0\.000\|/m, 'it is above zero');
        like($err, qr/^TIME\|\d+\.\d{3}$/m, 'with its time');
    };
}

subtest 'slices reach from the start to the end of the measurement' => sub {
    local $ENV{TS_SLICES} = 1;
    my (undef, undef, $err) = run("$dir/pgms/whetstone-double", 0.5);
    my @slices = map { [ split /\|/ ] } $err =~ /^SLICE\|(\d+\|\d+)\|\d+$/mg;
    cmp_ok(scalar @slices, '>=', 3, 'start, end and some between');
    is($slices[0][1], 0, 'the first is the start');
    cmp_ok($slices[-1][0] - $slices[0][0], '>=', 0.5e9, 'the last is after 0.5 s');
};

subtest 'bad arguments are a usage error' => sub {
    for my $args ([], ['x'], [0], [-1], [''], [ 1, 2 ]) {
        my ($exit, undef, $err) = run("$dir/pgms/whetstone-double", @{$args});
        is($exit, 2, "whetstone-double @{$args}");
        like($err, qr/^usage: /m, 'the usage is shown');
    }
};

subtest 'a wrong result is an error that names the module' => sub {
    my ($exit, undef, $err) =
        run_changed('turn_values(&x, &y, &z, t, t1, t2)', 'turn_values(&x, &y, &z, t, t1 + 1e-9, t2)');
    is($exit, 1, 'exit status');
    like(
        $err,
        qr/\AERROR\|wrong result: module N6 .* is [\d.]+, not 0\.999999878908\d+\n\z/,
        'no count, and both values'
    );
};

subtest 'a result that is no number is an error, although the flags deny such numbers' => sub {
    my ($exit, undef, $err) = run_changed('x = 0.75', 'x = -0.75');
    is($exit, 1, 'exit status');
    like($err, qr/\AERROR\|wrong result: module N8 .* is -?nan, /i, 'it is named');
};

done_testing;
