#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs of the suite of 1984 with fake programs, each a thousand times as fast as on a VAX-11/780.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Stub;

my @QUICK = qw(--quick -c 1);

subtest 'a machine a thousand times as fast has a thousand times the index' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'byte1984' ]);
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    my $results  = $fake->record->{results}[0];
    my @compared = grep { defined $_->{baseline} } @{ $results->{tests} };
    is(scalar @compared,                                                   14, 'fourteen figures');
    is(join(' ', grep { abs($_->{index} / 10_000 - 1) > 1e-6 } @compared), '', 'each with that index');
    my @alone = grep { !defined $_->{baseline} } @{ $results->{tests} };
    is(join(' ', map { $_->{name} } @alone), 'cc84', 'the compiler has nothing to be compared with');
    like($got->{out}, qr/^C Compiler 1984 +--- +100000\.0 +---$/m, 'and no index');
    is(sprintf('%.3f %d', @{ $results->{indexes}[0] }{qw(score partial)}),
        '10000.000 0', 'and so has the whole');
    like(
        $got->{out},
        qr/^Pipe 1984 {32} +3200\.0 us +\(1\.0 s, 6 samples\)$/m,
        'the text has a unit that reads well'
    );
    like($got->{out}, qr/^Pipe 1984 {29} +3200000\.0 +3200\.0 +10000\.0$/m, 'and the baseline in the same');
    like($got->{out}, qr/^1984 Benchmarks Index Score +10000\.0$/m,         'the index');
};

# Programs search a text report for these, so nothing else in it may match.
my @SOUGHT = (
    qr/^.+ Benchmarks .*Index .* INDEX$/m,
    qr/^1984 Benchmarks Index Score\s+([-+]?[0-9]*\.?[0-9]+)$/m,
    qr/\n([A-Z][\w\-\(\) ]+)\s+([-+]?[0-9]*\.?[0-9]+) (\w+)\s+\(([-+]?[0-9]*\.?[0-9]+) (\w+), (\d+) samples\)/,
);

subtest 'the table of a text report names one unit, in which all its figures are' => sub {
    my $fake = Stub->new;
    my %does = (fcall84 => 'rates 2e-5', looper => 'rates 2');
    my $got  = $fake->run([ @QUICK, qw(pipe84 fcall84 multi84-6) ], does => \%does);
    my ($heading, @rows) = split /\n/, $got->{out} =~ /^(1984 Benchmarks .*? INDEX\n.*?)^ +=/ms ? $1 : '';
    is($heading =~ s/ +/ /gr, '1984 Benchmarks Partial Index (us) BASELINE RESULT INDEX', 'the heading');
    is(
        join('; ', map { s/ +/ /gr } @rows),
        'Function Calls 1984 1000000.0 20.0 500000.0; '
            . 'Multitasking 1984 (6 concurrent) 13800000.0 500000.0 276.0; Pipe 1984 3200000.0 3200.0 10000.0',
        'the rows'
    );
    like($got->{out}, qr/^Function Calls 1984 +20000\.0 ns +\(/m, 'a result has a unit of its own');
    my $name = $fake->record->{name};
    my $text = "$fake->{dir}/text";
    Fake::write_file($text, Fake::read_file("$fake->{results}/$name"));
    my $compared = sub { return $fake->run([ 'compare', $text, $text ]) };
    unlike(
        $compared->()->{out},
        qr/in the index|has no/,
        'and a reader of the report finds both to be the same'
    );
    Fake::write_file($text, Fake::read_file($text) =~ s/1000000\.0         20\.0/1000000.0         21.0/r);
    my $differ = qr/'Function Calls 1984' has the result 21 in the index, and the score 20000/;
    like($compared->()->{out} =~ s/\s+/ /gr, $differ, 'or not');
    my $least = Fake::read_file($text) =~ s/1000000\.0         21\.0/1000000.0          0.0/r;
    Fake::write_file($text, $least =~ s/ 20000\.0 ns/     4.0 ns/r);
    unlike($compared->()->{err}, qr/\S/, 'what is nothing in this unit is no damage');
};

subtest 'csv has the baseline in the unit of its line' => sub {
    my $fake = Stub->new;
    $fake->run([ @QUICK, qw(pipe84 fcall84 multi84-6) ]);
    my @lines = split /\n/, $fake->run([ 'report', $fake->record->{name}, '--format', 'csv' ])->{out};
    my @head  = split /,/,  shift @lines;
    my @rows  = map { my %row; @row{@head} = split /,/; \%row } @lines;
    is(
        join('; ', sort map { join ' ', @$_{qw(test baseline unit)} } grep { length $_->{baseline} } @rows),
        'fcall84 1 s; multi84-6 13.8 s; pipe84 3.2 s',
        'the seconds of the article'
    );
};

subtest 'programs that read text reports find no more than they look for' => sub {
    my $fake   = Stub->new;
    my ($text) = $fake->run([ @QUICK, 'byte1984' ])->{out} =~ /^={72}\n(.*)/ms;
    my $found  = sub { my ($sought, $n) = (@_, 0); $n++ while $text =~ /$sought/g; return $n };
    is(join(' ', map { $found->($_) } @SOUGHT), '1 1 15', 'a table, its index and a result each');
    is(scalar(() = $text =~ /[0-9]+\.[0-9] +[0-9]+\.[0-9] +[0-9]+\.[0-9]/g),
        14, 'three figures for each test with a baseline, and nowhere else');
    unlike($text, qr/\blps\b|MWIPS /, 'and no rate');
};

subtest 'what is below the resolution is said to be, and the run is complete' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'fcall84', 'loop84' ], does => { fcall84 => 'rates -1e-7;2e-7;-3e-7' });
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    my $record = $fake->record;
    is_deeply([ map { $_->{name} } @{ $record->{results}[0]{tests} } ], ['loop84'], 'it has no score');
    is_deeply([ map { $_->{name} } @{ $record->{results}[0]{below_resolution} } ],
        ['fcall84'], 'but is known');
    is($record->{results}[0]{indexes}[0]{partial}, 1, 'the index is partial');
    like($got->{err}, qr/^# below the resolution: fcall84$/m, 'it is said');

    for my $format (qw(html markdown log)) {
        like($fake->run([ 'report', $record->{name}, '--format', $format ])->{out},
            qr/below the resolution/, $format);
    }
    unlike($got->{out}, qr/^Function Calls 1984  /m, 'the text has no line of a figure that is none');
};

subtest 'a damaged table of published results names file and line' => sub {
    my $fake       = Stub->new;
    my ($machines) = Fake::read_file("$Fake::BASE/pgms/byte1984-machines.csv") =~ /\A(.*)\n/;
    my %text       = (
        'byte1984-machines' => "$machines\nVAX-11/780,4.1 BSD,fast" . ',1' x 17 . ",\n",
        'byte1984-multi'    => "machine,system,n1,n2,n3,n4,n5,n6,note\nVAX-11/780,4.1 BSD\n"
    );
    for my $name (sort keys %text) {
        Fake::write_file("$fake->{bin}/$name.csv", $text{$name});
        my $got = $fake->run([ @QUICK, 'pipe84' ]);
        is($got->{status}, 1, "$name: exit 1");
        like($got->{err}, qr/\ARun: '\Q$fake->{bin}\E\/$name\.csv' line 2: .*; aborting\n\z/, 'file and line')
            or diag($got->{err});
        unlink "$fake->{bin}/$name.csv" or die "cannot remove: $!\n";
    }
    my %wrong = (
        "$machines\nVAX-11/780,4.1 BSD,,1"
            . ',1' x 16
            . ",\n" =>
            qr/has no figure above 0 in the column 'pipe_real' of 'VAX-11\/780', which is the baseline of 'pipe84'/,
        "$machines\nVAX-11/750,4.1 BSD,1"
            . ',1' x 17
            . ",\n" => qr/has no line of 'VAX-11\/780', which is the baseline of 'pipe84'/,
        "machine,system,note,pipe_real\nVAX-11/780,4.1 BSD,,1\n" =>
            qr/ line 1: no column 'pipe_user', expected/,
    );
    for my $text (sort keys %wrong) {
        Fake::write_file("$fake->{bin}/byte1984-machines.csv", $text);
        like(
            $fake->run([ @QUICK, 'pipe84' ])->{err},
            qr/\ARun: '\Q$fake->{bin}\E\/byte1984-machines\.csv' ?$wrong{$text}/,
            'a baseline that is not there'
        );
    }
    is($fake->run([ @QUICK, 'pipe' ])->{status}, 0, 'other suites do not need it');
};

subtest 'what the caller has set changes no work' => sub {
    my $fake = Stub->new;
    $fake->run(
        [ @QUICK, 'multi84-1' ],
        does => { looper               => 'see' },
        env  => { MULTI_SH_WORK_FACTOR => 3, TST_SH_KEEP => '/nowhere' }
    );
    my ($saw) = map { Fake::read_file($_) } glob "$fake->{state}/saw.*";
    like($saw, qr/^MULTI_SH_WORK_FACTOR=1$/m, 'the amount of work beside published figures is theirs');
    like($saw, qr/^TST_SH_KEEP=$/m,           'nothing is kept');
};

subtest 'the index of a text report is over the same tests' => sub {
    my $fake = Stub->new;
    my @text = map {
        my $rate = $_;
        $fake->run([ @QUICK, '-q', qw(pipe84 dread84 loop84) ], does => { pipe84 => "rates $rate" });
        my $to   = "$fake->{dir}/text$rate";
        my $name = $fake->record->{name};
        Fake::write_file($to, Fake::read_file("$fake->{results}/$name"));
        $to
    } 400, 800;
    like(
        $fake->run([ 'compare', @text ])->{out},
        qr/was measured as 41 % faster than \S+: byte1984 index, 1 copy$/m,
        'of two of the seven: the root of two'
    );
};

subtest 'runs of fixed work are compared the right way round' => sub {
    my $fake = Stub->new;
    my @runs = map {
        $fake->run([ qw(--budget 1s -q -c 1), 'pipe84' ], does => { pipe84 => "rates $_" });
        $fake->record->{name}
    } 500, 400;
    my $got = $fake->run([ 'compare', @runs ]);
    like($got->{out}, qr/^  pipe84 .* \S+20 % /m, 'a longer time is slower')
        or diag($got->{out});
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning of Perl');
done_testing;
