# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::UnixBench::Versions: versions of UnixBench did not do the same work in every test. Such tests have no
# ratio, the reason is given, and the index is that of the other tests.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Stub;
use UnixBenchReport;
use Touchstone::Record::Json;
use Touchstone::Suite::UnixBench::Versions qw(series work marks);

my @SAME = qw(dhry2reg syscall pipe context1 spawn execl);

subtest 'a version has a series, and Touchstone does the work of the latest' => sub {
    is(series($_->[0]), $_->[1], $_->[0] // 'unknown')
        for [ '4.1.0', 4 ], [ '5.1.3', 5 ], [ '6.0.0', 6 ], [ '6.1', 6 ], [ '8.0.0', 6 ], [ undef, undef ],
        [ 'unknown', undef ];
};

subtest 'the work of a test depends on the version, and on the copies for some' => sub {
    for my $test (@SAME) {
        is(work(5, $test, 4, 2), undef, "$test: the same in all versions");
    }
    is(work(5, 'fstime', 1, 2), undef, 'files with one copy: the same in all versions');
    isnt(work(5, 'fstime-w', 2, 2), work(6, 'fstime-w', 2, 2), 'files with two copies: not the same');
    isnt(work(5, 'shell8',   1, 2), work(6, 'shell8',   1, 2), 'shell scripts: not the same');
    is(work(4, 'shell8', 1, 2), work(5, 'shell8', 1, 2), 'but in 4 and 5');
    is(work(5, 'whetstone-double', 2, 2), undef, 'Whetstone with a CPU for each copy: the same');
    isnt(work(5, 'whetstone-double', 3, 2), work(6, 'whetstone-double', 3, 2), 'with fewer: not the same');
    is(work(undef, 'shell8', 1, 2), undef, 'nothing is known of an unknown version');
};

subtest 'sentences are about two versions' => sub {
    is_deeply([ marks(6, 6) ], [], 'none about one version');
    is(scalar(my @of_5 = marks(6, 5)), 1, 'one about 5 and 6');
    is(scalar(my @of_4 = marks(4, 6)), 2, 'two about 4 and 6');
    is_deeply([ marks(undef, 6) ], [ marks(6, undef) ], 'one about an unknown version, in any order');
    is_deeply([ marks(undef, undef) ], [], 'none about two unknown ones');
};

my $stub = Stub->new;
mkdir $stub->{results};
my %file = map { $_ => "$stub->{results}/ub-$_" } qw(5.1.3 6.0.0);
for my $version (sort keys %file) {
    my %run = (version => $version, copies => [ 1, 2 ], factor => 100 + 20 * series($version));
    Fake::write_file($file{$version}, UnixBenchReport::text(%run));
}

subtest 'a comparison of 5.1.3 and 6.0.0 has no ratio for other work, and names the reason' => sub {
    my $got  = $stub->run([ 'compare', @file{qw(5.1.3 6.0.0)}, '--format', 'json' ]);
    my $pair = Touchstone::Record::Json::decode($got->{out})->{pairs}[0];
    my %test = map { $_->{key} => $_ } @{ $pair->{tests} };
    for my $key ((map { ("1 $_", "2 $_") } @SAME), '1 fstime', '2 whetstone-double') {
        cmp_ok($test{$key}{ratio}, '>', 1.05, "$key has a ratio");
    }
    for my $key ('2 fstime', '2 fsbuffer', '2 fsdisk', map { ("1 $_", "2 $_") } qw(shell1 shell8)) {
        is($test{$key}{ratio}, undef, "$key has none");
        like($test{$key}{why}, qr/\Anot the same work: .+ here, .+ there\z/, 'and a reason');
    }
    is_deeply(
        [ map { $_->{name} } @{ $pair->{indexes} } ],
        [ 'index of 10 tests', 'index of 7 tests' ],
        'indexes are those of the other tests'
    );
    is(scalar(grep { /-march=native/ } @{ $pair->{notes} }), 1, 'a note explains what else differs');
};

subtest 'every form names the reason' => sub {
    for my $form (qw(text markdown html csv jsonl junit)) {
        my $got = $stub->run([ 'compare', @file{qw(5.1.3 6.0.0)}, '--format', $form ]);
        my $out = $got->{out} =~ s/\s+/ /gr;
        like($out, qr/not the same work: one file and one descriptor for all copies here/, $form);
    }
};

subtest 'the same version has ratios everywhere' => sub {
    my $got  = $stub->run([ 'compare', @file{qw(5.1.3 5.1.3)}, '--format', 'json' ]);
    my $pair = Touchstone::Record::Json::decode($got->{out})->{pairs}[0];
    is(scalar(grep { !defined $_->{ratio} } @{ $pair->{tests} }), 0, 'all 24');
};

done_testing();
