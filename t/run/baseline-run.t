#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# --baseline puts a stored run in the place of George.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Compare::Baseline;
use Touchstone::Record::Json;

my $fake = Stub->new;
$fake->run([qw(--quick -c 1 -c 2 pipe syscall hanoi)]);
my ($first) = $fake->names;

# Returns 'copies name index ...' of each block of the newest run, with the figures that are not 10.
sub indexes {
    my ($record) = @_;
    my $index = sub { my ($of) = @_; return !defined $of ? 'none' : sprintf '%.6g', $of };
    return join '|', map {
        my $b = $_;
        join ' ', $b->{copies}, (map { "$_->{name} " . $index->($_->{index}) } @{ $b->{tests} }),
            map { "$_->{category} " . $index->($_->{score}) }
            @{ $b->{indexes} }
    } @{ $record->{results} };
}
my $TENS = join '|', map { "$_ pipe 10 hanoi 10 syscall 10 system 10 misc 10" } 1, 2;

subtest 'the Non-Index table is whole with all its baselines, as UnixBench prints it' => sub {
    my $heads = sub { return join ', ', $_[0]{out} =~ /^(Non-Index Benchmarks.*?) {2,}\S/mg };
    my $whole = Stub->new;
    is(
        $heads->($whole->run([qw(--quick -c 1 grep sysexec hanoi)])),
        'Non-Index Benchmarks Index Values, Non-Index Benchmarks Index Score',
        'grep and sysexec'
    );
    is(
        $heads->($whole->run([qw(--quick -c 1 grep hanoi)])),
        'Non-Index Benchmarks Partial Index, Non-Index Benchmarks Index Score (Partial Only)',
        'grep alone'
    );
    $whole->run(['browse']);
    my $page = Fake::read_file("$whole->{results}/index.html");
    unlike($page, qr/Non-Index Benchmarks Index|index partial/, 'it stands in no ranking');
};

subtest 'a run against itself has the index 10 at each copy count' => sub {
    for my $run ($first, "$fake->{results}/.runs/$first", "$fake->{results}/.runs/$first.json") {
        my $got = $fake->run([ qw(--quick -c 1 -c 2 pipe syscall hanoi --baseline), $run ]);
        is($got->{status}, 0, 'it succeeds') or diag($got->{err});
        my $record = $fake->record;
        is(indexes($record),    $TENS,  "all of them, with $run");
        is($record->{baseline}, $first, 'the record names it');
        like(
            $got->{out},
            qr/^Pipe Throughput +3064197\.0 +3064197\.0 +10\.0$/m,
            'the report shows it for one copy'
        );
        like($got->{out}, qr/^Pipe Throughput +6128394\.0 +6128394\.0 +10\.0$/m, 'and for two');
    }
};

subtest 'a classic text report can be the baseline' => sub {
    my $got = $fake->run([ qw(--quick -c 1 -c 2 pipe syscall hanoi --baseline), "$fake->{results}/$first" ]);
    is($got->{status},         0,     'it succeeds') or diag($got->{err});
    is(indexes($fake->record), $TENS, 'all are 10');
};

subtest 'twice the speed is an index of 20' => sub {
    my $got = $fake->run(
        [ qw(--quick -c 1 pipe syscall --baseline), $first ],
        does => { pipe => 'rates 6128394', syscall => 'rates 945388.15' }
    );

    # 3064197 and 1890776.3 are scores of the baseline, and 10 is the root of 20 * 5.
    is(indexes($fake->record), '1 pipe 20 syscall 5 system 10', 'and half of it 5');
};

subtest 'a copy count that the baseline has not is measured against its first' => sub {
    my $got = $fake->run([ qw(--quick -c 3 pipe --baseline), $first ]);
    is(indexes($fake->record), '3 pipe 30 system 30', 'three copies against one');
};

subtest 'a test that the baseline has not is warned of and is in no index' => sub {
    my $got = $fake->run([ qw(--quick -c 1 pipe spawn execl --baseline), $first ]);
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my $record = $fake->record;
    is(indexes($record), '1 execl none pipe 10 spawn none system 10', 'the index is of the other');
    is($record->{results}[0]{indexes}[0]{partial}, 1,                 'and is partial');
    my ($warning) = grep { $_->{id} eq 'baseline' } @{ $record->{warnings} };
    is($warning->{text}, "the reference '$first' has no spawn, execl", 'the warning names them');
    like(
        $got->{err},
        qr/^# warning: the reference '\Q$first\E' has no spawn, execl; the index is made of the other tests$/m,
        'and is said'
    );
    my $none = $fake->run([ qw(--quick -c 1 spawn --baseline), $first ]);
    is($none->{status},        0,              'a baseline that has none of the tests');
    is(indexes($fake->record), '1 spawn none', 'gives no index');
    unlike($none->{out}, qr/Index/, 'and no table');
};

subtest 'a test that the baseline has in another version is warned of and is in no index' => sub {
    my $record = $fake->record($first);
    $_->{version} = 9 for grep { $_->{name} eq 'syscall' } @{ $record->{tests} };
    Fake::write_file("$fake->{results}/.runs/changed.json",
        Touchstone::Record::Json::encode({ %$record, name => 'changed' }));
    my $got = $fake->run([qw(--quick -c 1 pipe syscall --baseline changed)]);
    is($got->{status},         0,                                  'it succeeds') or diag($got->{err});
    is(indexes($fake->record), '1 pipe 10 syscall none system 10', 'the index is of the other');
    like(
        $got->{err},
        qr/^# warning: the reference 'changed' has syscall of another version; the index is made of the other tests$/m,
        'and it is said why'
    );
    my $report = $fake->run([ 'report', $first, qw(--baseline changed --format markdown) ])->{out};
    like(
        $report,
        qr/the reference 'changed' has syscall of another version/,
        'also where a stored run is shown again'
    );
    like($report, qr/syscall .*another version of the test/, 'and beside the figures');
};

subtest 'George gives no such warning' => sub {
    $fake->run([qw(--quick -c 1 pipe hanoi)]);
    my $record = $fake->record;
    is($record->{baseline},                                              'George', 'he is named');
    is(scalar(grep { $_->{id} eq 'baseline' } @{ $record->{warnings} }), 0, 'a test that he never ran');
};

subtest 'a stored run can be reported with another baseline' => sub {
    my $file   = "$fake->{results}/.runs/$first.json";
    my $before = Fake::read_file($file);
    my $got    = $fake->run([ 'report', $first, '--baseline', $first ]);
    is($got->{status},                                       0, 'it succeeds') or diag($got->{err});
    is(scalar(() = $got->{out} =~ /Index Score.* 10\.0$/mg), 4, 'both indexes of both copy counts are 10');
    unlike($got->{out}, qr/^Pipe Throughput +12440\.0/m, 'George is not in it');
    is(Fake::read_file($file), $before, 'the record is as it was');
    my $json = $fake->run([ 'report', $first, '--baseline', "$fake->{results}/$first", '--format', 'json' ]);
    is(indexes(JSON::PP->new->utf8->decode($json->{out})), $TENS, 'with a classic report, as JSON');
    like(
        $fake->run([ 'report', $first ])->{out},
        qr/^Pipe Throughput +12440\.0/m,
        'without the option he is back'
    );
};

subtest 'a report made again of a run with a baseline needs no baseline' => sub {
    $fake->run([ qw(--quick -c 1 pipe --baseline), $first ]);
    my ($name) = reverse $fake->names;
    is($fake->run([ 'report', $name ])->{out}, Fake::read_file("$fake->{results}/$name"), 'it is the same');
};

subtest 'a baseline that cannot be read ends the run before anything is measured' => sub {
    my %wrong = (
        empty   => '',
        rubbish => "rubbish\n",
        cut     => substr(Fake::read_file("$fake->{results}/.runs/$first.json"), 0, 500),
        newer   => qq({ "format": 9 }\n)
    );
    Fake::write_file("$fake->{results}/.runs/$_.json", $wrong{$_}) for keys %wrong;
    my @names  = $fake->names;
    my $before = $fake->calls('pipe');
    for my $run ('no-such-run', sort keys %wrong) {
        my $why =
            $run eq 'no-such-run'
            ? qr/no run 'no-such-run' here or in '.*'/
            : qr/'.*\Q$run\E\.json' is not a run record: \S.*/;
        for my $words ([qw(--quick -c 1 pipe)], [ 'report', $first ]) {
            my $got = $fake->run([ @$words, '--baseline', $run ]);
            ok($got->{status} != 0 && $got->{out} eq '', "$words->[0], $run: it fails, and no report");
            like($got->{err}, qr/^Run: $why(?:; aborting)?$/m, "$words->[0], $run: why");
            is(scalar(grep { /\ARun: / } split /\n/, $got->{err}), 1, 'in one sentence');
        }
    }
    is_deeply([ $fake->names ], \@names, 'no results are written');
    is($fake->calls('pipe'), $before, 'no program is run');
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'and the work directory is empty');
};

subtest 'the scores of a run become baselines by name and copy count' => sub {
    my %run = (
        name  => 'vm',
        tests => {
            '4 pipe'  => { name => 'pipe',  copies => 4, score => 44 },
            '1 pipe'  => { name => 'pipe',  copies => 1, score => 12 },
            '2 spawn' => { name => 'spawn', copies => 2, score => 7 }
        }
    );
    $run{tests}{'1 short'} = { name => 'short', copies => 1, score => 5, unlike => 'it does another work' };
    is_deeply(
        Touchstone::Compare::Baseline::of_run(\%run),
        {
            pipe  => { score => 12, by_copies => { 1 => 12, 4 => 44 } },
            spawn => { score => 7,  by_copies => { 2 => 7 } }
        },
        'the fewest copies stand for all others'
    );
    my $record = {
        baseline => 'George',
        warnings => [],
        tests    => [ { name => 'pipe', baseline => 12440 }, { name => 'execl', baseline => 43 } ]
    };
    is_deeply(
        Touchstone::Compare::Baseline::instead($record, \%run),
        {
            baseline => 'vm',
            warnings => [],
            tests    => [
                { name => 'pipe',  baseline => 12,    baselines => { 1 => 12, 4 => 44 } },
                { name => 'execl', baseline => undef, baselines => undef }
            ]
        },
        'and replace those of a record'
    );
    is($record->{tests}[0]{baseline}, 12440, 'which stays as it was');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
