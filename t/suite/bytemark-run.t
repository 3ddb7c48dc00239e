#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs of BYTEmark's tests with fake programs, each ten times as fast as on an AMD K6/233.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Stub;

my @QUICK = qw(--quick -c 1);

subtest 'a machine ten times as fast has the index 10 in the three that are against it' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'bytemark' ]);
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    my $results = $fake->record->{results}[0];
    is(scalar @{ $results->{tests} }, 10, 'ten scores');
    is(
        join(' ',
            map { sprintf '%s=%.3f', $_->{key} =~ s/bytemark-//r, $_->{score} } @{ $results->{indexes} }),
        'memory=10.000 integer=10.000 float=10.000 original-integer=40.074 original-float=18.030',
        'five indexes'
    );
    like($got->{out}, qr/^BYTEmark Index Values +BASELINE +RESULT +INDEX$/m, 'the text has their table');
    like($got->{out}, qr/^Assignment {31} +1\.0 +10\.1 +10\.00$/m,     'a test, whose index is 1 for the K6');
    like($got->{out}, qr/^BYTEmark Memory Index Score {40,}10\.000$/m, 'and a line for each index');
    like($got->{out}, qr/^BYTEmark Original Floating-Point Index Score +18\.030$/m, 'with three decimals');
    like(
        $got->{err},
        qr/^# index \(bytemark-memory\), 1 copy: 10\.000 \S+0\.00 %/m,
        'they are said in the end'
    );

    for my $format (qw(html markdown csv json)) {
        my $out = $fake->run([ 'report', $fake->record->{name}, '--format', $format ])->{out};
        like($out, qr/BYTEmark Original Integer/, "$format has them");
    }
    my $text = "$fake->{dir}/text";
    Fake::write_file($text, Fake::read_file("$fake->{results}/" . $fake->record->{name}));
    my $compared = $fake->run([ 'compare', $text, $fake->record->{name} ])->{out};
    like($compared, qr/^(?:.*as fast as \S+: )?bytemark-$_ index, 1 copy/m, "$_ is read back from the text")
        for qw(memory integer float original-integer original-float);
    my $again = $fake->run([ @QUICK, '-q', '--baseline', $fake->record->{name}, 'bytemark-memory' ],
        does => { 'string-sort' => 'rates 1156.72' });
    is(sprintf('%.3f', $fake->record->{results}[0]{indexes}[0]{score}),
        '2.000', 'another baseline is 1: the third root of eight')
        or diag($again->{err});
    my $against = $fake->run([ 'report', $fake->record->{name} ])->{out};
    like(
        $against,
        qr/^  this machine +--- +--- +---$/m,
        'and no figure against it stands beside those against the K6'
    );
    like(
        $fake->run([ 'report', ($fake->names)[0] ])->{out},
        qr/^  this machine +10\.0 [|] +10\.0 [|] +10\.0$/m,
        'as one against the K6 does'
    );
};

subtest 'a wrong result has no score, and the indexes that need it are partial' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'bytemark' ],
        does => { idea => 'channel ERROR|wrong result: the hash of the ciphertext is wrong' });
    is($got->{status}, 1, 'exit 1');
    like($got->{err}, qr/^# idea failed: wrong result: the hash of the ciphertext is wrong/m, 'it is said');
    is(
        join(' ',
            map { $_->{key} =~ s/bytemark-//r . "=$_->{partial}" } @{ $fake->record->{results}[0]{indexes} }),
        'memory=0 integer=1 float=0 original-integer=1 original-float=0',
        'two are partial'
    );
    like($got->{out}, qr/^BYTEmark Integer Index Score \(Partial Only\) +10\.000$/m, 'and say so');
};

subtest 'the classic schedule goes on until the mean is sure, and drops no pass' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run(
        [ qw(--classic -c 1), qw(idea huffman fourier) ],
        does => {
            idea    => 'rates 100;101;99;100;100',
            huffman => 'rates 50;150',
            fourier => 'rates 100;130;100;100;100;100;100;100;100'
        }
    );
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    my %test = map { $_->{name} => $_ } @{ $fake->record->{results}[0]{tests} };
    is($test{idea}{passes},    5,  'five agree');
    is($test{huffman}{passes}, 30, 'thirty are the most');
    cmp_ok($test{fourier}{passes}, '>', 5,  'more than five where they do not');
    cmp_ok($test{fourier}{passes}, '<', 30, 'but no more than needed');
    is("$test{idea}{score} $test{huffman}{score}", '100 100', 'scores are means');
    is($test{huffman}{samples},                    30,        'of all passes');
    my ($command) = map { $_->{command} } grep { $_->{test} eq 'idea' } @{ $fake->record->{passes} };
    like($command, qr/\/idea 5 cpu\z/, 'a pass is five seconds of CPU time');
    $fake->run([qw(-q --classic -c 2 -i 2 idea)]);
    is(scalar @{ $fake->record->{passes} }, 2, 'with -i there are as many passes as that');
    like($fake->record->{passes}[0]{command},
        qr/\/idea 5\z/, 'several copies share CPUs, and real time counts');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning of Perl');
done_testing;
