# SPDX-License-Identifier: GPL-2.0-or-later
# The command place: an index, a report, a run and a table, among published results or one's own, in each
# form.
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

my $stub = Stub->new;
mkdir $stub->{results};
my $file = "$stub->{results}/report.txt";
Fake::write_file($file, UnixBenchReport::text(version => '6.0.0', copies => [ 1, 2 ]));

sub place { return $stub->run([ 'place', @_ ]) }

subtest 'an index' => sub {
    my $got = place(1042);
    is($got->{status}, 0, 'exit status');
    like(
        $got->{out},
        qr/\Aan index, 1 copy: index 1,042: higher than \d+ % of 188 published results with 1 copy\n/,
        'the first line has the place'
    );
    like($got->{out}, qr/Published results are what people chose to publish/, 'and its limits');
    like(
        place(1042, '--copies', 4)->{out},
        qr/ of 40 published results with 4 to 5 copies\n/,
        'with its copies'
    );
    is(place(0)->{status}, 2, 'an index of 0 is refused');
};

subtest 'a report has a place for each number of copies, or for one' => sub {
    my $data = Touchstone::Record::Json::decode(place($file, '--format', 'json')->{out});
    is_deeply([ map { $_->{copies} } @{ $data->{positions} } ], [ 1,  2 ], 'both');
    is_deeply([ map { $_->{tests} } @{ $data->{positions} } ],  [ 12, 9 ], 'tests');
    is($data->{references}, 'published', 'references');
    my $one = Touchstone::Record::Json::decode(place($file, '--copies', 2, '--format', 'json')->{out});
    is_deeply([ map { $_->{copies} } @{ $one->{positions} } ], [2], 'one');
    like(place($file, '--copies', 3)->{err}, qr/no index with 3 copies/, 'none');
};

subtest 'each report of a text has a place' => sub {
    my $out = place("$Fake::BASE/t/classic/headless.txt")->{out};
    like($out, qr/^\S+headless\.txt \(report $_\), 1 copy: index /m, "report $_") for 1, 2;
};

subtest 'every form has the place' => sub {
    for my $form (
        [ markdown => qr/higher than \d+ % of 188/ ],
        [ csv      => qr/^place,index,1,unixbench,\d+,188,/m ],
        [ html     => qr/higher than \d+ % of 188/ ]
    ) {
        like(place($file, '--format', $form->[0])->{out}, $form->[1], $form->[0]);
    }
    my $page = place($file, '--format', 'html')->{out};
    is(scalar(my @dots = $page =~ /<circle /g), 188 + 38, 'a dot for each result');
    my ($strip) = $page =~ m{(<table class="places">.*?</table>)}s;
    my $each = length($strip) / 188;
    cmp_ok($each * 300, '<', 40_960, 'a strip with 300 results has less than 40 KB');
};

subtest 'references of one own' => sub {
    my $table = "$stub->{results}/team.csv";
    for my $factor (80, 90, 95, 105, 110, 120) {
        my $name = "$stub->{results}/r$factor.txt";
        Fake::write_file($name, UnixBenchReport::text(version => '6.0.0', factor => $factor));
        is(place($name, '--append-to', $table)->{status}, 0, "a run with factor $factor is appended");
    }
    my $got = place($file, '--copies', 1, '--among', $table);
    like($got->{out}, qr/higher than 50 % of 6 results with 1 copy\n/, 'a table');
    unlike($got->{out}, qr/chose to publish/, 'has no limits of published results');
    like(
        place($file, '--copies', 1, '--among', $table, '--among', 'published')->{out},
        qr/ % of 194 results with 1/,
        'a table and the published results'
    );
    like(
        place($file, '--copies', 1, '--among', $file)->{out},
        qr/: no other result with 1 copy in \S+\n/,
        'a report is not compared with itself'
    );
};

subtest 'what cannot be placed is refused' => sub {
    Fake::write_file("$stub->{results}/bad.csv", "machine,copies,index\na,1,many\n");
    Fake::write_file("$stub->{results}/empty",   '');
    for my $case (
        [ [ $file, '--among', "$stub->{results}/bad.csv" ], qr/bad\.csv' line 2: index is 'many'/ ],
        [ [ $file, '--among', "$stub->{results}/none" ],    qr/none/ ],
        [ ["$stub->{results}/empty"],                       qr/empty/ ],
        [ [ 1042, '--append-to', "$stub->{results}/x" ],    qr/not a bare index/ ],
        [ ['no-such-run'],                                  qr/no run 'no-such-run'/ ],
        [ [ $file, '--among', '' ],                         qr/published, or the path/ ]
    ) {
        my ($words, $message) = @$case;
        my $got = place(@$words);
        is($got->{status}, 2, "place @$words");
        like($got->{err}, $message, 'and why');
        is($got->{out}, '', 'nothing else');
    }
};

done_testing();
