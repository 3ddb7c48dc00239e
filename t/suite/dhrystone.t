#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Dhrystone: right results at every optimisation, and no build from which the compiler has deleted work.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use FindBin;
use lib "$FindBin::Bin/lib";
use Amount;
use Sources;
use Test::More;
use Tools;

my @FLAGS  = ('-O0', '-O2', '');
my @CALLED = qw(choose_kind add_numbers fill_tables compare_letters compare_texts);

# Returns the functions that each function's code names, read from ` 1461: call 1d70 <update_records>`.
sub calls {
    my ($program) = @_;
    my ($code, $function, %calls) = (run('objdump', '-d', $program))[1];
    for (split /\n/, $code) {
        $function             = $1 if /^[0-9a-f]+ <([\w.]+)>:/;
        $calls{$function}{$1} = 1  if defined $function && /<([\w.]+)>$/;
    }
    return \%calls;
}

# clang inlines update_records into the loop, whose calls then include those of update_records.
sub has_all_calls {
    my ($program) = @_;
    my $calls     = calls($program);
    my %main      = %{ $calls->{main} || {} };
    my $body      = $main{update_records} ? $calls->{update_records} : \%main;
    my @missing   = grep { !$main{$_} } qw(compare_texts add_numbers fill_tables compare_letters);
    push @missing, map { "$_ of update_records" } grep { !$body->{$_} } qw(choose_kind add_numbers);
    return is("@missing", '', 'no call is missing');
}

# The default flags last: the tests behind these use what they have built.
for my $flags (@FLAGS) {
    my $with = $flags || 'the default flags';
    my ($status, undef, $errors) = build('dhry2-strict', "UB_GCC_OPTIONS=$flags", 'pgms/dhry2reg');
    subtest "1000 passes have the known hash with $with" => sub {
        is($status, 0, 'it builds') or diag $errors;
        my ($exit, $out) = run("$dir/pgms/dhry2-strict", 1, 1000);
        is($exit, 0, 'the loop\'s own variables and all others are right');
        like($out, qr/^PASSES=1000: hash a7301def83b204bb$/m, 'the hash is known');
    };
    subtest "the loop of the program makes all its calls with $with" => sub {
        plan skip_all => $_ for Tools::lacking('objdump');
        has_all_calls("$dir/pgms/dhry2reg");
    };
}

build('dhry2');

for my $program (qw(dhry2 dhry2reg dhry2-strict)) {
    subtest "$program for 0.05 s reports one count in lps" => sub {
        my ($exit, $out, $err) = run("$dir/pgms/$program", 0.05);
        is($exit,                             0, 'exit status');
        is(scalar(() = $err =~ /^COUNT\|/mg), 1, 'one count');
        like($err, qr/^COUNT\|[1-9]\d*\|1\|lps$/m, 'it is well formed');
        like($err, qr/^TIME\|0\.(?!04)\d+$/m,      'not less than 0.05 s');
        like($out, qr/^DMIPS [\d.]+ /m,            'DMIPS are on standard output');
    };
}

subtest 'bad arguments are a usage error' => sub {
    for my $args ([], ['x'], [0], [-1], [''], [ 1, 2 ]) {
        my ($exit, undef, $err) = run("$dir/pgms/dhry2reg", @{$args});
        is($exit, 2, "dhry2reg @{$args}");
        like($err, qr/^usage: /m, 'the usage is shown');
    }
    for my $args ([ 1, 0 ], [ 1, 'x' ], [ 1, 5, 5 ]) {
        is((run("$dir/pgms/dhry2-strict", @{$args}))[0], 2, "dhry2-strict @{$args}");
    }
};

subtest 'unit 1 calls the procedures of unit 2 without seeing them' => sub {
    plan skip_all => $_ for Tools::lacking('nm');
    for my $program (qw(dhry2 dhry2reg dhry2-strict)) {
        my $symbols = (run('nm', '-P', "$dir/obj/unixbench/variants/${program}_1.o"))[1];
        like($symbols, qr/^_*$_ U/m, "$program: $_") for @CALLED;
    }
};

subtest 'a merged build is refused and leaves no program' => sub {
    plan skip_all => $_ for Tools::lacking('nm');
    my $undo =
        change('dhrystone_1.c', '#include "unixbench/variants/dhrystone.h"', '#include "dhrystone_2.c"');
    my ($status, undef, $errors) = build('dhry2reg');
    $undo->();
    isnt($status, 0, 'the build fails');
    like($errors, qr/does not call 'choose_kind' in unit 2/, 'it says why');
    ok(!-e "$dir/pgms/dhry2reg", 'the program built before is gone');
};

subtest 'a system without nm can build' => sub {
    unlink "$dir/pgms/dhry2reg";
    is((build('dhry2reg', 'NM=no-such-nm'))[0], 0, 'the build succeeds');
    ok(-x "$dir/pgms/dhry2reg", 'there is a program');
};

subtest 'wrong results are an error and no count' => sub {
    my $undo = change('dhrystone_2.c', 'row = x + 5', 'row = x + 6');
    for my $run ([ 'dhry2reg', 0.05 ], [ 'dhry2-strict', 0.05 ]) {
        my ($program, @args) = @{$run};
        build($program);
        my ($exit, undef, $err) = run("$dir/pgms/$program", @args);
        is($exit, 1,                                             "exit status of $program");
        is($err,  "ERROR|wrong result: vector[8] is 0, not 7\n", 'it names the object and both values');
    }
    $undo->();
};

subtest 'a pass of too few cycles is an error and no count' => sub {
    my $undo = change('dhrystone_1.c', 'FEWEST_CYCLES = 30', 'FEWEST_CYCLES = 100000000');
    build('dhry2reg');
    $undo->();
    my ($exit, undef, $err) = run("$dir/pgms/dhry2reg", 0.05);
    is($exit, 1, 'exit status');
    like($err, qr/\AERROR\|wrong result: a pass took [\d.]+ cycles.*deleted work\n\z/, 'it says why');
};

subtest 'link-time optimisation asked for by the user deletes no work' => sub {
    plan skip_all => $_ for Tools::lacking('objdump');
    my @settings = (['UB_GCC_OPTIONS=-O3 -flto'], [ 'CFLAGS=-flto', 'LDFLAGS=-flto' ], ['CFLAGS=-flto']);
    for my $settings (@settings[ 0 .. Amount::of(1, 2) ]) {
        unlink "$dir/pgms/dhry2reg";
        build('dhry2reg', @{$settings});
        note('this toolchain does not link it'), next if !-e "$dir/pgms/dhry2reg";
        has_all_calls("$dir/pgms/dhry2reg");
        is((run("$dir/pgms/dhry2reg", 0.05))[0], 0, "it measures with @{$settings}");
    }
};

done_testing;
