# SPDX-License-Identifier: GPL-2.0-or-later
# The tests of the suite of 2026 that compute: their programs, their proofs, their rows and the flags of
# matrix.
use 5.014;
use strict;
use warnings;

use File::Glob qw(bsd_glob);
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();
use Touchstone::Build;
use Touchstone::Compare::Baseline;
use Touchstone::Suite;

my $dir   = $Sources::dir;
my %UNIT  = (json => 'MBps', interp => 'Mops', branch => 'lps', matrix => 'MFLOPS');
my @NAMES = qw(json interp branch matrix);
my @CC    = (
    (Programs::compiler())[0],
    qw(-std=gnu11 -D_POSIX_C_SOURCE=200809L -O1 -pthread -fno-lto), "-I$dir/src"
);

# What is done wrong: a file, text in it, the text instead, and what the program must say.
my %WRONG = (
    json => [
        [ 'json/read.c', 'r->sums.trues++;',       '',              qr/values that are true: 0, not [1-9]/ ],
        [ 'json/read.c', 'number * 100 +',         'number * 10 +', qr/sum of the cents: \d+, not \d+/ ],
        [ 'json/read.c', 'number = number * 10 +', 'number = number +', qr/sum of the whole numbers: / ],
        [ 'json/read.c', 'hash = hash_byte(hash, *r->at);', '',        qr/sum of the hashes: \d+, not \d+/ ],
        [ 'json/json.h', 't->slot[i].hash != hash',         '0',       qr/sum of the hashes in the table: / ],
        [ 'json/json.h', 't->slot[i].count++', 't->slot[i].count = 1', qr/strings in the table: / ],
        [ 'json/read.c', 'memset(table, 0, sizeof *table);', '',       qr/strings in the table: / ],
        [ 'json/text.c', 'put(w, ": ");',     'put(w, " ");', qr/the text has '.{10}' where a colon is due/ ],
        [ 'json/text.c', 'put(&w, "\n]\n");', 'put(&w, "\n");', qr/ where the end of an array is due/ ],
    ],
    interp => [
        [
            'interp/machine.c', 'm->memory[left % MEMORY] = right;',
            '',                 qr/the count of a length is \d+, not /
        ],
        [ 'interp/machine.c', 'left <= right', 'left < right', qr/the number of bytecodes is \d+, not \d+/ ],
        [
            'interp/machine.c',
            'SET, BELOW, 0, 0, LIMIT',
            'SET, BELOW, 0, 0, 100',
            qr/the number of bytecodes /
        ],
        [
            'interp/machine.c',
            '{ MOVE, NUMBER, N,',
            '{ MOVE, NUMBER, X,',
            qr/longest sequence is 1, not 2919/
        ],
        [ 'interp/machine.c', '{ MOVE, BEST, LENGTH,', '{ MOVE, T, LENGTH,', qr/the number of bytecodes / ],
        [
            'interp.c',                                              "machine_run(&m);\n\twhile",
            "machine_run(&m);\n\tm.memory[7]++;\n\twhile (0) while", qr/the count of a length is \d+, not /
        ],
    ],
    branch => [
        [ 'branch.c', 'word >>= 1',          'word >>= 2',          qr/the calls add up to [0-9a-f]+, not / ],
        [ 'branch.c', 'int i = 0; i < BITS', 'int i = 1; i < BITS', qr/the calls add up to / ],
        [ 'branch.c', 'return sum + ZERO;',  'return sum;',         qr/the calls add up to / ],
        [
            'branch.c',
            'sum = branches(sum, mix_next(&random));',
            'sum = branches(sum, ALTERNATING);',
            qr/the calls add up to /
        ],
    ],
    matrix => [
        [ 'matrix.c', 'k < N; k++',  'k < N - 1; k++',  qr/the product differs from A \(B x\) by / ],
        [ 'matrix.c', 'row += ROWS', 'row += 2 * ROWS', qr/the product differs / ],
        [
            'matrix.c', 'c[i * LONG_ROW + j] = sum[i][j]', 'c[i * LONG_ROW + j] = sum[0][j]',
            qr/the product /
        ],
        [ 'matrix.c', "/ N];\n\t\tmultiply(&m);", "/ N];", qr/the product differs / ],
    ],
);

# Returns status and standard error of a program built from sources of which one is changed.
sub changed {
    my ($name, $file, $from, $to) = @_;
    my $path   = "$dir/src/modern/$file";
    my $source = slurp($path);
    my $text   = $source =~ s/\Q$from\E/$to/r;
    die "'$from' is not in $file\n" if $text eq $source;
    Files::spew($path, $text);
    my ($status, $err) = run(
        @CC, '-o', "$dir/$name",
        (map { "$dir/src/$_.c" } qw(bench channel perf pin turn spread), "modern/$name"),
        bsd_glob("$dir/src/modern/$name/*.c")
    );
    Files::spew($path, $source);
    die "cannot compile $name with '$to': $err" if $status;
    return run("$dir/$name", 0.02);
}

subtest 'each program measures in its own unit, with more digits than a whole number has' => sub {
    for my $name (@NAMES) {
        my ($status, $err) = program($name, 0.02);
        is_result($name, $status, $err);
        like($err, qr/^COUNT\|\d+(?:\.\d+)?(?:e\+\d+)?\|0\|$UNIT{$name}$/m, "$name: unit");
        like($err, qr/^COUNT\|\d+\.\d/m, "$name: digits behind the point") if $name =~ /\A(?:json|interp)\z/;
    }
};

subtest 'branch tells what a wrong guess costs, matrix how wide its vectors are' => sub {
    my (undef, $branch) = program('branch', 0.02);
    like($branch, qr/\A(?:FIGURE\|mispredict\|[1-9][\d.]*(?:e-\d+)?\|s\n)?COUNT/, 'seconds, or nothing');
    my (undef, $matrix) = program('matrix', 0.02);
    like($matrix, qr/\AFIGURE\|width\|(?:4|8|16)\|each\nCOUNT/, 'floats');
};

subtest 'wrong arguments are refused' => sub {
    for my $name (@NAMES) {
        is_usage("$name @$_", program($name, @$_)) for [], ['x'], [0], [ 0.02, 1 ];
    }
};

for my $name (@NAMES) {
    subtest "$name notices wrong work" => sub {
        for my $wrong (@{ $WRONG{$name} }) {
            my ($file, $from, $to, $said) = @$wrong;
            is_error("'$to' for '$from'", qr/wrong result: .*$said/, changed($name, $file, $from, $to));
        }
    };
}

subtest 'the rows form a group, have an index, and their units are spelled out' => sub {
    my $suite = Touchstone::Suite::load();
    my @rows  = $suite->expand('modern-compute');
    is(join(' ', map { $_->{name} } @rows), "@NAMES", 'the group');
    for my $row (@rows) {
        my $what = $row->{name};
        is(
            "$row->{suite} $row->{kind} $row->{program}",
            "modern Compute $what",
            "$what: suite, kind, program"
        );
        ok($row->{index} && $row->{pace} eq 'brief' && !$row->{warm}, "$what: in the index, half a second");
        is(join(' ', sort map { $_->{key} } @{ $row->{indexes} }), 'modern modern-compute', "$what: indexes");
        is($row->{baseline}[2],                                    $what, "$what: column of the yardstick");
    }
    is(Touchstone::Suite::spoken_unit('Mops'),   'million bytecodes per second',                 'Mops');
    is(Touchstone::Suite::spoken_unit('MFLOPS'), 'million floating-point operations per second', 'MFLOPS');
};

subtest 'matrix alone has flags of its own, unless FLAGS says otherwise' => sub {
    my $compiled = sub {
        my ($name,   @settings) = @_;
        my ($status, $out)      = Sources::build($name, '-B', '-n', @settings);
        is($status, 0, "make -n $name @settings");
        return join ' ', $out =~ m{.* -c -o \S*/modern/$name\.o .*}g, $out =~ m{.* -o \S*pgms/$name .*}g;
    };
    like($compiled->('matrix'), qr/ -O3 .* -fno-lto -c .* -O3 .* -fno-lto -o /, 'matrix: -O3, but no -flto');
    unlike($compiled->('matrix'), qr/ -O2 /, 'matrix: not the flags of its suite');
    like($compiled->('json'), qr/ -O2 -pthread /, 'json: those of its suite');
    unlike($compiled->('json'), qr/ -O3 | -march/, 'json: and no others');
    my $other = $compiled->('matrix', 'FLAGS=-O1');
    like($other, qr/ -O1 .* -O1 /, 'matrix: FLAGS');
    unlike($other, qr/ -O[23] | -march/, 'matrix: FLAGS alone');
};

subtest 'the facts of a build have the flags of matrix' => sub {
    my $flags = sub {
        my ($status) = Sources::build('build.facts', @_);
        is($status, 0, "make @_");
        return @{ Touchstone::Build::facts("$dir/pgms") }{qw(flags_modern flags_modern_matrix)};
    };
    my @usual = $flags->();
    is($usual[0], '-O2 -pthread -fno-lto', 'the suite');
    like($usual[1], qr/\A-O3 .*-pthread -fno-lto\z/, 'matrix');
    is(
        join(', ', $flags->('FLAGS=-O1')),
        '-O1 -pthread -fno-lto, -O1 -pthread -fno-lto',
        'FLAGS replaces both'
    );
};

done_testing;
