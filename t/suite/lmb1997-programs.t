# SPDX-License-Identifier: GPL-2.0-or-later
# The processor and memory programs of 1997 run by hand: what they measure, and that each of their checks
# notices wrong work, for which the source is changed.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();

# LEAST and MOST are the smallest and the largest array in KB.
use constant { SECONDS => 0.01, LEAST => 256, MOST => 65_536 };

delete $ENV{FFLAGS};

# The Fortran programs end with .f, and exist only if there is a Fortran compiler.
my @THERE = grep { -x Programs::path($_) || !/\.f\z/ }
    qw(m-permut m-comb m-comb.f m-deriv m-deriv.f m-carac m-matr m-matr.f m-moncar m-nmemvir1
    m-nmemvir1.f m-vir.f m-vir4);
my @ARRAYS  = grep { /vir/ } @THERE;
my $fortran = grep { /\.f\z/ } @THERE;

# Programs with an array get the smallest one.
sub arguments { return (SECONDS, $_[0] =~ /vir/ ? LEAST : ()) }

sub source {
    my ($program) = @_;
    return "src/lmb1997/" . ($program =~ /\.f\z/ ? "${program}90" : "$program.c");
}

subtest 'each says how many seconds a unit takes, and those with a large array how large it is' => sub {
    for my $program (@THERE) {
        my @got = program($program, arguments($program));
        is_result($program, @got);
        like($got[1], qr/^COUNT\|\d+\|1\|s\n/m, "$program: the unit is s");
        my $array = grep { $_ eq $program } @ARRAYS;
        is(
            join(' ', $got[1] =~ /^FIGURE\|(.*)$/mg),
            $array ? 'array_kb|' . LEAST : '',
            "$program: the size of the array"
        );
    }
    like((program($_, SECONDS, 1001))[1], qr/^FIGURE\|array_kb\|1001$/m, "$_: another size") for @ARRAYS;
};

subtest 'what they cannot be told is a usage error' => sub {
    for my $program (@THERE) {
        my ($array) = grep { $_ eq $program } @ARRAYS;
        is_usage("$program: $_->[0]", program($program, @$_[ 1 .. $#$_ ]))
            for ['nothing'], [ 'no number', 'x' ],
            [ 'an argument too many', SECONDS, LEAST, $array ? LEAST : () ],
            $array ? map { [ "an array of '$_'", SECONDS, $_ ] } 0, -LEAST, LEAST - 1, MOST + 1, 'many',
            LEAST . 'k', '', '9' x 30 : ();
    }
};

subtest 'an array for which there is no memory is said to have none' => sub {
    my @limited = ('sh', '-c', 'ulimit -v 60000 && exec "$@"', 'sh');
    for my $program (@ARRAYS) {
    SKIP: {
            my ($status) = run(@limited, Programs::path($program), SECONDS, LEAST);
            skip "$program does not run with limited memory here", 2 if $status != 0;
            is_error(
                $program,
                'cannot get memory for the large array',
                run(@limited, Programs::path($program), SECONDS, MOST)
            );
        }
    }
};

# Each row is [program, text of its source, replacement, pattern of the message].
my @CHANGES = (
    [ 'm-permut', 'turn[i]++;',          'turn[i] += 2;', '\d+ permutations were generated, not 3628800' ],
    [ 'm-permut', 'i % 2 ? turn[i] : 0', '0',             'the checksum of all permutations is \d+, not' ],
    [ 'm-comb',   'n <= ROWS; n++',      'n < ROWS; n++', 'C\(60, 30\) is \d+, not 687300085' ],
    [ 'm-comb', 'row[k] = 0;', 'row[k] = k / ROWS;', 'the last row adds up to 536870913, not to 536870912' ],
    [ 'm-comb',    'subset[i] = i;',  'subset[i] = i + 1;', 'there are 490314 subsets, not 735471' ],
    [ 'm-comb',    'sum * 31',        'sum * 37',           'the checksum of all subsets is \d+, not' ],
    [ 'm-comb.f',  'do n = 1, rows',  'do n = 2, rows',     'C\(60, 30\) is not what it should be' ],
    [ 'm-comb.f',  'row(k) = 0',      'row(k) = k / rows',  'the last row adds up to something else' ],
    [ 'm-comb.f',  'subset(i) = i',   'subset(i) = i + 1',  'there are more or fewer subsets than' ],
    [ 'm-comb.f',  'total * 31',      'total * 37',         'the checksum of all subsets is another' ],
    [ 'm-deriv',   '(power - 1)',     '(power + 1)',        'a derivative of sin is wrong by' ],
    [ 'm-deriv',   '"exp", exp, exp', '"exp", exp, exp2',   'a derivative of exp is wrong by' ],
    [ 'm-deriv',   'return 1 / x',    'return 2 / x',       'a derivative of log is wrong by' ],
    [ 'm-deriv',   '3 * x * x - 2',   '3 * x * x + 2', 'a derivative of a rational function is wrong by' ],
    [ 'm-deriv.f', '(power - 1)',     '(power + 1)',   'a derivative of sin is wrong' ],
    [ 'm-deriv.f', 'exponential, exponential', 'exponential, sine', 'a derivative of exp is wrong' ],
    [ 'm-deriv.f', '= 1 / x',                  '= 2 / x',           'a derivative of log is wrong' ],
    [ 'm-deriv.f', '3 * x * x - 2',     '3 * x * x + 2',     'a derivative of a rational function is wrong' ],
    [ 'm-carac',   'letter && !inside', 'letter || !inside', 'there are \d+ words, not 174067' ],
    [ 'm-carac',   q(- 'a']++),         q(- 'a'] += 2),      'the checksum of the text is \d+, not' ],
    [ 'm-carac',   'same == length',    'same + 1 == length', 'a word was found \d+ times, not 7194' ],
    [ 'm-carac',   'ROUNDS = 40',       'ROUNDS = 41',        'the text is not restored' ],
    [ 'm-matr', 'int k = 0; k < N', 'int k = 1; k < N', 'row 0 of the product is not that of the factors' ],
    [
        'm-matr',
        '/= left[i][i]',
        '/= 0 * left[i][i]',
        'equation \d+ is wrong by -?(?:nan|inf) with the solution found'
    ],
    [
        'm-matr',
        'x[i] -= factor * x[k]',
        'x[i] += factor * x[k]',
        'equation \d+ is wrong by -?[0-9.e+]+ with the solution found'
    ],
    [ 'm-matr.f', 'do k = 1, n',  'do k = 2, n',         'a row of the product is not that of the factors' ],
    [ 'm-matr.f', '/ left(i, i)', '/ (0 * left(i, i))',  'an equation is wrong with the solution found' ],
    [ 'm-moncar', 'sum += far',   'sum += far * 0.9',    'the mean distance is 0\.\d+, not 0\.76520' ],
    [ 'm-moncar', 'far <= 1',     'far <= 0.9',          'pi is 2\.\d+, not 3\.14159' ],
    [ 'm-moncar', 'exp(draw())',  'exp(draw() * 0.9)',   'the integral of exp is 1\.\d+, not 1\.71828' ],
    [ 'm-moncar', 'sin(draw() * PI)', 'sin(draw() * 3)', 'the integral of sin is \d\.\d+, not 2\.00000' ],
    [ 'm-moncar', 'known = 0',        'known = 1',       '\d+ points are in the circle, and were 1 before' ],
    [ 'm-nmemvir1',   'int64_t i = 0',      'int64_t i = 1',    'element 0 of the array is 1, not \d+' ],
    [ 'm-nmemvir1',   'i < elements',       'i + 1 < elements', 'element 32767 of the array is 1, not \d+' ],
    [ 'm-nmemvir1',   'i = 0; i < TIMES',   'i = 1; i < TIMES', 'element 0 of the array is \d+, not \d+' ],
    [ 'm-nmemvir1.f', 'do i = 1, elements', 'do i = 2, elements', 'an element of the array has been missed' ],
    [ 'm-nmemvir1.f', 'do n = 1, times',    'do n = 2, times',    'an element of the array has been missed' ],
    [ 'm-vir.f', 'do j = 1, columns', 'do j = 1, columns - 1',    'an element of the array has been missed' ],
    [ 'm-vir.f', 'do i = 1, rows',    'do i = 2, rows',           'an element of the array has been missed' ],
    [
        'm-vir4',
        '* elements >> 32',
        '* (elements / 2) >> 32',
        'part 0 of the array was changed \d+ times, not about \d+'
    ],
    [ 'm-vir4', 'i < CHANGES', 'i < CHANGES - 1', 'the array was changed \d+ times, not \d+ times' ],
);

# Groups the n-th changes of all programs, because make takes longer to start than to compile one program.
sub rounds {
    my (%seen, @rounds);
    push @{ $rounds[ $seen{ $_->[0] }++ ] }, $_ for @_;
    return @rounds;
}

# Reduces the work, since wrong work need not take as long as the real work; rounds stay even or odd.
sub less_work {
    return $_[0] =~ s/\b((?:triangles|points|samples) = \d+)00\b/$1/ir =~ s/\b(n = )512\b/${1}64/ir =~
        s/\b(ROUNDS = )4([01])\b/$1 . (2 + $2)/er;
}

sub change_sources {
    my %original;
    for my $change (@_) {
        my ($program, $from, $to) = @$change;
        my $source = "$Sources::dir/" . source($program);
        $original{$source} = slurp($source);
        (my $text = $original{$source}) =~ s/\Q$from\E/$to/ or fail("'$from' is in $program");
        Sources::spew($source, less_work($text));
    }
    return \%original;
}

subtest 'wrong work is no result' => sub {
    plan skip_all => 'there is no make'
        if system('command -v gmake >/dev/null 2>&1 || command -v make >/dev/null 2>&1') != 0;
    for my $changes (rounds(grep { $fortran || $_->[0] !~ /\.f\z/ } @CHANGES)) {
        my $original = change_sources(@$changes);
        my ($first, @others) = map { $_->[0] } @$changes;
        my ($status, undef, $err) = Sources::build($first, '-j2', map { "pgms/$_" } @others);
        is("$status$err", '0', "$first @others: built with other text");
        for my $change (@$changes) {
            my ($program, undef, $to, $says) = @$change;
            my ($exit, $said) = run("$Sources::dir/pgms/$program", arguments($program));
            is_error("$program with '$to'", "wrong result: $says", $exit, $said =~ s/^FIGURE.*\n//mgr);
        }
        Sources::spew($_, $original->{$_}) for keys %$original;
    }
};

# Returns the values that these lines of a text define, by name in lower case.
sub numbers {
    my ($text, $declaration) = @_;
    my %number = map { /\b(\w+) = ([0-9.]+(?:e-?\d+)?)/g } $text =~ /^$declaration(.*)$/mg;
    return map { lc($_) => 0 + $number{$_} } keys %number;
}

subtest 'C and Fortran of a pair have the same numbers' => sub {
    for my $pair (qw(m-comb m-deriv m-matr m-nmemvir1)) {
        my %c       = numbers(slurp(source($pair)),     qr/(?:enum|static const)/);
        my %fortran = numbers(slurp(source("$pair.f")), qr/ +(?:integer|real)\S* parameter ::/);
        my %both    = map { $_ => [ $c{$_}, $fortran{$_} ] } keys %c, keys %fortran;
        is($both{$_}[0], $both{$_}[1], "$pair: $_") for sort keys %both;
    }
};

done_testing;
