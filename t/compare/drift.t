# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Drift: how far runs of one machine differ, from the records beside a comparison, and what verdicts
# make of it.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Runs;
use Scored;
use Touchstone::Compare::Drift;
use Touchstone::Compare;
use Touchstone::Record::Json;
use Touchstone::Report::Compare::Headline;
use Touchstone::Report::Compare;

my $DAY = 86_400;

sub record {
    my ($number, $rate, %also) = @_;
    return Runs::record(
        sprintf('vm-2026-11-%02d-01', $number) => { '1 pipe' => [ Runs::steady($rate) ] },
        started                                => 1795240226 + $number * $DAY,
        ended                                  => 1795240326 + $number * $DAY,
        %also
    );
}

# A results folder of finished runs of 'vm', { number => [rate, what else] }.
sub folder {
    my (%of) = @_;
    my $folder = File::Temp->newdir;
    for my $number (keys %of) {
        my $record = record($number, @{ $of{$number} });
        Fake::write_file("$folder/$record->{name}.json",
            Touchstone::Record::Json::encode(Scored::document($record)));
    }
    return $folder;
}

sub run_of { return Scored::run(record(@_)) }

sub found { my ($folder, @runs) = @_; return Touchstone::Compare::Drift::find({ runs => "$folder" }, @runs) }

sub compared {
    my ($folder, @runs) = @_;
    return Touchstone::Compare::compare(runs => \@runs, drift => found($folder, @runs));
}

# A history whose runs differ by this part, up and down.
sub swaying {
    my ($part, @numbers) = @_;
    return map { $_ => [ 1000 * (1 + $part * (-1)**$_) ] } @numbers;
}

subtest 'the drift is the variance between runs, less what their passes tell' => sub {
    my $folder = folder(swaying(0.02, 1 .. 5));
    my $drift  = found($folder, run_of(20, 1000), run_of(21, 1000));
    my $of     = Touchstone::Compare::Drift::between($drift, run_of(20, 1000), run_of(21, 1000))->{'1 pipe'};
    my @logs   = map { log(1 + 0.02 * (-1)**$_) } 1 .. 5;
    my ($mean, $squares) = (0, 0);
    $mean    += $_ / 5              for @logs;
    $squares += ($_ - $mean)**2 / 4 for @logs;
    my ($low, $high) = @{ run_of(1, 1000)->{tests}{'1 pipe'}{interval} };
    my $within = (log($high / $low) / 2 / 1.96)**2;
    ok(abs($of->{error}**2 / (2 * ($squares - $within)) - 1) < 1e-6, 'twice that, for a difference')
        or diag("$of->{error}");
    is("$of->{runs} $of->{days} $of->{freedom}", '5 4 4',        'runs, days, degrees of freedom');
    is($of->{of},                                'this machine', 'of one machine');
};

subtest 'runs that agree by chance leave half of their variance to the machine' => sub {
    my $folder = folder(map { $_ => [ 1000 * (1 + 1e-5 * $_) ] } 1 .. 4);
    my @runs   = (run_of(20, 1000), run_of(21, 1000));
    my $of     = Touchstone::Compare::Drift::between(found($folder, @runs), @runs)->{'1 pipe'};
    ok($of->{error} > 1e-6 && $of->{error} < 1e-4, 'an error above zero') or diag($of->{error});
};

subtest 'fewer than three runs tell nothing, and the answer says whose verdict it is' => sub {
    my @runs  = (run_of(1, 1000), run_of(2, 1030));
    my $found = compared(folder(swaying(0.02, 1, 2)), @runs);
    is_deeply($found->{drift}, { machines => [], unknown => ['vm'] }, 'the machine is not known');
    my $test = $found->{pairs}[0]{tests}[0];
    is($test->{verdict}, 'faster', 'the verdict is that of the passes');
    ok(!$test->{drift}, 'without a drift');
    is(
        (Touchstone::Report::Compare::Headline::sentences($found))[1],
        'the verdict holds for these minutes only, because there are fewer than three valid stored runs of this machine with these programs; measure three with ./Run --again 3 --every 1h',
        'and the answer says so'
    );
};

subtest 'a difference that the machine shows by itself is inconclusive, and why is said' => sub {
    my @runs  = (run_of(6, 1000), run_of(7, 1030));
    my $found = compared(folder(swaying(0.02, 1 .. 7)), @runs);
    my $test  = $found->{pairs}[0]{tests}[0];
    is($test->{verdict}, 'inconclusive', 'a ratio of 1.03');
    like($test->{why},
        qr/\Athis machine varies between runs by as much: ±\d\.\d % between 6 runs in 5 days\z/,
        'the reason');
    ok($test->{interval}[0] < 1 && $test->{interval}[1] > 1.06, 'its interval has both parts');
    like(
        (Touchstone::Report::Compare::Headline::sentences($found))[1],
        qr/\Athese runs differ by no more than this machine varies between runs: ±\d\.\d % between 6 runs in 5 days\z/,
        'the answer'
    );
    like(
        (Touchstone::Report::Compare::Headline::reach($found))[0],
        qr/allow for run-to-run variance\. Two runs of vm are within ±\d\.\d % \(pipe\) of each other, 19 times in 20: 7 runs in 6 days\.\z/,
        'and what is known of the machine'
    );
};

subtest 'a difference beyond that is one, and the answer says that it is' => sub {
    my $found = compared(folder(swaying(0.002, 1 .. 6)), run_of(6, 1000), run_of(8, 1030));
    my $test  = $found->{pairs}[0]{tests}[0];
    is($test->{verdict}, 'faster', 'a ratio of 1.03');
    ok($test->{interval}[0] > 1 && $test->{interval}[0] < 1.03, 'the interval is beyond 1')
        or diag("@{ $test->{interval} }");
    like(
        (Touchstone::Report::Compare::Headline::sentences($found))[1],
        qr/\Athese runs differ by more than this machine varies between runs: ±0\.\d+ % between 6 runs in 5 days\z/,
        'the answer'
    );
};

subtest 'the run that is on trial is no part of what it is measured with' => sub {
    my %history = (swaying(0.002, 1 .. 5), 6 => [1100]);
    for my $order ([ 5, 6 ], [ 6, 5 ]) {
        my @runs = map { run_of($_, $_ == 6 ? 1100 : 1000 * (1 - 0.002)) } @$order;
        my $test = compared(folder(%history), @runs)->{pairs}[0]{tests}[0];
        like($test->{verdict}, qr/faster|slower/, "@$order: a change of 10 %") or diag($test->{why});
    }
    my $test = compared(folder(swaying(0.02, 1 .. 3)), run_of(2, 1020), run_of(3, 980))->{pairs}[0]{tests}[0];
    is($test->{drift}{runs}, 3, 'but where only three are known all count');
};

subtest 'what is known to differ is no drift: a kernel, other programs, a change for good' => sub {
    my @runs  = (run_of(20, 1000), run_of(21, 1000));
    my $error = sub {
        my (%history) = @_;
        my $of = Touchstone::Compare::Drift::between(found(folder(%history), @runs), @runs)->{'1 pipe'};
        return $of ? sprintf('%.4f of %d runs', @$of{qw(error runs)}) : 'none';
    };
    my $steady = $error->(swaying(0.002, 1 .. 4));
    like($steady, qr/\A0\.00\d\d of 4 runs\z/, 'runs alike');
    my %after = swaying(0.002, 5 .. 8);
    my %with  = (
        'another kernel' => [ host     => { release => '6.9-other' } ],
        'other programs' => [ passport => 'p2' ]
    );
    for my $what (sort keys %with) {
        my %changed = map { $_ => [ 1.3 * $after{$_}[0], @{ $with{$what} } ] } keys %after;
        like($error->(swaying(0.002, 1 .. 4), %changed), qr/\A0\.00\d\d of 8 runs\z/, $what);
        is($error->((map { $_ => $changed{$_} } 5), 1 => [1000]), 'none', "$what, and a run of each");
    }
    my %stepped = (swaying(0.002, 1 .. 8), map { $_ => [ 1300 * (1 + 0.002 * (-1)**$_) ] } 9 .. 16);
    like($error->(%stepped), qr/\A0\.00\d\d of 16 runs\z/, 'a step of 30 % among sixteen');
};

subtest 'runs of another kind, and those that are not valid, are left out' => sub {
    my %other = (
        13 => [ 700, warnings => [ { id => 'load', text => 'load 17', invalid => 1 } ] ],
        14 => [ 700, status   => 'stopped' ],
        15 => [ 700, duet     => 'd' ],
        16 => [ 700, schedule => { kind        => 'quick', seed => 1, rounds => 6, iterations => undef } ],
        17 => [ 700, host     => { online_cpus => 64 } ]
    );
    my $folder = folder(swaying(0.002, 1 .. 4), %other);
    Fake::write_file("$folder/vm-2026-11-18-01.json", '{"damaged');
    my @runs = (run_of(20, 1000), run_of(21, 1000));
    is(found($folder, @runs)->{machines}[0]{runs}, 4, 'those of before');
    is_deeply(found("$folder/vm-2026-11-18-01.json", @runs)->{unknown},
        ['vm'], 'a directory that cannot be read tells nothing');
    my ($test) = @{
        compared(
            $folder,
            map {
                { %$_, duet => 'd' }
            } @runs
        )->{pairs}[0]{tests}
    };
    ok($test->{paired} && !$test->{drift}, 'and the pairs of a duet need nothing');
};

subtest 'each of two machines has its own drift, and one that is not known has none' => sub {
    my $folder = folder(swaying(0.02, 1 .. 4),
        map { my $n = $_; $n => [ 1000 * (1 + 0.01 * (-1)**$n), host => { online_cpus => 64 } ] } 5 .. 8);
    my @runs = (run_of(20, 1000), run_of(21, 1000, host => { online_cpus => 64 }));
    my $of   = sub {
        my (@pair) = @_;
        return Touchstone::Compare::Drift::between(found($folder, @pair), @pair)->{'1 pipe'};
    };
    my ($one, $other) = map { $of->($_, $_)->{error}**2 / 2 } @runs;
    my $both = $of->(@runs);
    ok(abs($both->{error}**2 / ($one + $other) - 1) < 1e-9, 'their variances add up');
    is("$both->{of}, $both->{runs} runs", 'these machines, 8 runs', 'of both');
    my $strange = run_of(22, 1000, host => { online_cpus => 8 });
    my $half    = $of->($runs[0], $strange);
    ok(abs($half->{error}**2 / $one - 1) < 1e-9, 'that of one, for its side');
    is($half->{of}, 'one of the machines', 'and that is said');
    like(
        (Touchstone::Report::Compare::Headline::reach(compared($folder, $runs[0], $strange)))[0],
        qr/The run-to-run variance of vm is not known\.\z/,
        'also below the answer'
    );
};

subtest 'every form says it' => sub {
    my $found = compared(folder(swaying(0.02, 1 .. 7)), run_of(6, 1000), run_of(7, 1030));
    for my $form (qw(text markdown html)) {
        like(Touchstone::Report::Compare::render($form, $found),
            qr/hese runs differ by no more than this\s+machine\s+varies\s+between\s+runs/, $form);
    }
    my ($head, $row) = split /\n/, Touchstone::Report::Compare::render(csv => $found);
    like(
        $head,
        qr/,drift_percent,drift_runs,isa_a,isa_b,time_log,user_log,kernel_log,waiting_log\z/,
        'csv: the columns'
    );
    like($row,                                                qr/,\d\.\d+,6,,,,,,\z/, 'csv: the figures');
    like(Touchstone::Report::Compare::render(json => $found), qr/"drift": \{\s+"days": 5/, 'json');
};

done_testing;
