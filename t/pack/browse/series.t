# SPDX-License-Identifier: GPL-2.0-or-later
# Series: which runs form one series, and what its changes say.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Pack::Browse::Series;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Returns a run as Archive has it.
my $started = 1700000000;

sub run {
    my ($n, $score, %also) = @_;
    my %conditions = (schedule => 'default', build => '-O3', %{ $also{conditions} || {} });
    return {
        name     => "run-$n",
        host     => $also{host} // 'vm',
        at       => $started + 1000 * $n,
        offset   => 0,
        date     => sprintf('2026-11-%02d 10:00', 1 + $n % 28),
        duet     => $also{duet} // 0,
        invalid  => $also{invalid},
        status   => $also{status}   // 'complete',
        baseline => $also{baseline} // 'George',
        facts    => $also{facts} || {},
        indexes  => [
            {
                copies     => 1,
                key        => 'system',
                name       => 'index',
                title      => 'System Benchmarks',
                score      => $score / 10,
                partial    => $also{partial} // 0,
                conditions => \%conditions
            }
        ],
        tests => [
            {
                copies     => 1,
                name       => 'pipe',
                title      => 'Pipe Throughput',
                unit       => 'lps',
                better     => $also{better} // 'higher',
                score      => $score,
                conditions => \%conditions
            }
        ]
    };
}

sub lengths {
    my ($host) = @_;
    return join ', ', map { "$_->{name} " . @{ $_->{points} } } @{ $host->{series} };
}

subtest 'a change names its run, its size and what differs' => sub {
    my @runs = reverse map {
        run(
            $_,
            ($_ < 20 ? 1000 : 1100) + $_ % 3,
            facts => { 'h release' => $_ < 20 ? '6.1.0-30' : '6.1.0-31', 'h name' => 'vm' }
        )
    } 0 .. 39;
    my ($host) = @{ Touchstone::Pack::Browse::Series::hosts(@runs) };
    is(lengths($host), 'index 40, pipe 40', 'two histories');
    my ($change) = grep { $_->{name} eq 'pipe' } @{ $host->{changes} };
    is($runs[ $change->{run} ]{name}, 'run-20',         'the first run of the new kind');
    is($change->{at},                 $started + 20000, 'its time');
    cmp_ok(abs($change->{speed} - 1.1), '<', 0.01, 'its size');
    is_deeply($change->{differ}, ["kernel: 6.1.0-30 \xe2\x86\x92 6.1.0-31"], 'the kernel');
};

subtest 'tests that change together show the cause' => sub {
    my %calls = map { $_ => 1 } qw(pipe syscall);
    my @runs  = map {
        my $n      = $_;
        my $run    = run($n, 1000, facts => { 'h release' => $n < 20 ? '6.1.0-30' : '6.1.0-31' });
        my ($test) = @{ $run->{tests} };
        $run->{tests} = [
            map {
                +{
                    %$test,
                    name  => $_,
                    title => $_,
                    score => ($n >= 20 && $calls{$_} ? 800 : 1000) + $n % 3
                }
            } qw(dhry2reg whetstone-double syscall pipe spawn execl fstime)
        ];
        $run
    } reverse 0 .. 39;
    my ($host) = @{ Touchstone::Pack::Browse::Series::hosts(@runs) };
    is(scalar @{ $host->{causes} }, 1, 'once');
    my $cause = $host->{causes}[0]{cause};
    is_deeply([ $cause->{id}, @{ $cause->{facts} } ], [ 'kernel', 'kernel' ], 'system calls, and the kernel');
};

subtest 'of seconds less is faster' => sub {
    my ($host) = @{
        Touchstone::Pack::Browse::Series::hosts(
            reverse map { run($_, ($_ < 20 ? 1000 : 500) + $_ % 3, better => 'lower') } 0 .. 39
        )
    };
    my ($change) = grep { $_->{name} eq 'pipe' } @{ $host->{changes} };
    cmp_ok(abs($change->{speed} - 2),   '<', 0.01, 'twice as fast');
    cmp_ok(abs($change->{ratio} - 0.5), '<', 0.01, 'in half the seconds');
};

subtest 'runs that are not comparable have histories of their own, which say what they are of' => sub {
    my @runs = (
        map({ run($_, 1000) } 0 .. 5),
        map({ run($_, 700, conditions => { schedule => 'classic' }) } 6 .. 8),
        run(9, 500, conditions => { build => 'o2: -O2' })
    );
    my ($host) = @{ Touchstone::Pack::Browse::Series::hosts(reverse @runs) };
    is(lengths($host),           'index 6, index 3, index 1, pipe 6, pipe 3, pipe 1', 'three each');
    is($host->{series}[1]{text}, 'build -O3, schedule classic',                       'the schedule');
    is_deeply($host->{changes}, [], 'without a change');
    is(
        lengths(Touchstone::Pack::Browse::Series::hosts(run(2, 1000), run(1, 900, baseline => 'vm-01'))->[0]),
        'index 1, index 1, pipe 2',
        'another baseline makes another index and the same scores'
    );
};

subtest 'an index has the conditions of its own tests, whatever else was measured' => sub {
    my @runs = map {
        my $n   = $_;
        my $run = run($n, $n < 20 ? 1000 : 700, conditions => { 'version of the test' => $n < 20 ? 1 : 2 });
        unshift @{ $run->{tests} },
            {
            %{ $run->{tests}[0] },
            name       => 'hash-md5',
            title      => 'MD5',
            conditions => { 'version of the test' => 1 }
            };
        $run
    } 0 .. 39;
    my ($host) = @{ Touchstone::Pack::Browse::Series::hosts(reverse @runs) };
    is(
        join(', ', map { @{ $_->{points} } . " of $_->{text}" } grep { $_->{index} } @{ $host->{series} }),
        '20 of version of the test 1, 20 of version of the test 2',
        'two histories'
    );
    is((grep { $_->{index} } @{ $host->{changes} }), 0, 'without a change');
};

subtest 'a level has the interval of its runs, or of one of them' => sub {
    my ($host) = @{ Touchstone::Pack::Browse::Series::hosts(reverse map { run($_, 1000 + $_) } 0 .. 9) };
    my ($low, $high) = @{ $host->{series}[1]{levels}[0]{interval} };
    ok($low > 1000 && $low < 1004.5 && $high > 1004.5 && $high < 1009, 'of ten') or diag("$low $high");
    my $run = run(1, 1000);
    is(Touchstone::Pack::Browse::Series::hosts($run)->[0]{series}[1]{levels}[0]{interval},
        undef, 'of one without');
    $run->{tests}[0]{interval} = [ 990, 1010 ];
    is_deeply(
        Touchstone::Pack::Browse::Series::hosts($run)->[0]{series}[1]{levels}[0]{interval},
        [ 990, 1010 ],
        'of one'
    );
    my @same =
        map { my $again = run($_, 1000.1); $again->{tests}[0]{interval} = [ 990, 1010 ] if $_ == 3; $again }
        0 .. 9;
    is_deeply(
        Touchstone::Pack::Browse::Series::hosts(reverse @same)->[0]{series}[1]{levels}[0]{interval},
        [ 990, 1010 ],
        'of ten that are the same'
    );
    is_deeply(
        Touchstone::Pack::Browse::Series::hosts(reverse @same[ 4 .. 9 ])->[0]{series}[1]{levels}[0]{interval},
        [ 1000.1, 1000.1 ],
        'which have none'
    );
    is(Touchstone::Pack::Browse::Series::hosts($run)->[0]{tested}, 0, 'which is too few for a change');
    my @few = map {
        my $one = run($_, 1000 + 10 * $_);
        $one->{tests}[0]{interval} = [ 999 + 10 * $_, 1001 + 11 * $_ ];
        $one
    } 0 .. 3;
    my ($level) = @{ Touchstone::Pack::Browse::Series::hosts(reverse @few)->[0]{series}[1]{levels} };
    is_deeply(
        [ @$level{qw(value interval)} ],
        [ 1015, [ 999, 1015 ] ],
        'and it reaches as far as their median, where that of one does not'
    );
};

subtest 'duets, runs that go on or are not valid, partial indexes and scores of nothing have no history' =>
    sub {
    is_deeply(
        Touchstone::Pack::Browse::Series::hosts(
            run(1, 1000, duet    => 1),
            run(2, 1000, status  => 'running'),
            run(4, 1000, invalid => 'most passes were disturbed'),
            run(3, 0)
        ),
        [],
        'none'
    );
    is(lengths(Touchstone::Pack::Browse::Series::hosts(run(1, 1000, partial => 1))->[0]),
        'pipe 1', 'the test alone');
    };

subtest 'each host has its own histories' => sub {
    is_deeply(
        [
            map { "$_->{name} $_->{runs}" } @{
                Touchstone::Pack::Browse::Series::hosts(
                    run(3, 1, host => 'b'),
                    run(2, 1, host => 'a'),
                    run(1, 1, host => 'b')
                )
            }
        ],
        [ 'a 1', 'b 2' ],
        'by name'
    );
};

is("@warnings", '', 'no warning of Perl');
done_testing;
