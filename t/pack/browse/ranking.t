# SPDX-License-Identifier: GPL-2.0-or-later
# Ranking: which runs are ranked against which others, and what is said of each host.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Compare::Trend;
use Touchstone::Pack::Browse::Series;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Returns a run as Archive has it; `also` may have index, tests and conditions, too.
my $started = 1700000000;

sub run {
    my ($n, $host, $score, %also) = @_;
    my %conditions = (schedule => 'default', CPU   => "the one of $host", %{ $also{conditions} || {} });
    my %of         = (copies   => 1,         suite => 'unixbench',        conditions => \%conditions);
    my @tests      = map {
        {
            %of,
                name     => $_,
                title    => "Title of $_",
                unit     => 'lps',
                better   => 'higher',
                score    => $score,
                interval => [ $score * 0.99, $score * 1.01 ],
                %{ ($also{tests} || {})->{$_} || {} }
        }
    } qw(pipe spawn);
    return {
        name     => "$host-$n",
        host     => $host,
        at       => $started + 1000 * $n,
        offset   => 0,
        date     => sprintf('2026-11-%02d 10:00', 1 + $n % 28),
        duet     => 0,
        set      => 0,
        status   => 'complete',
        baseline => 'George',
        facts    => {},
        %also,
        tests   => \@tests,
        indexes => [
            {
                %of,
                key      => 'system',
                name     => 'index',
                title    => 'System Benchmarks',
                score    => $score / 10,
                interval => [ $score * 0.099, $score * 0.101 ],
                partial  => 0,
                %{ $also{index} || {} }
            }
        ]
    };
}

sub ranking {
    return Touchstone::Pack::Browse::Ranking::rank(\@_, Touchstone::Pack::Browse::Series::hosts(@_));
}

# Returns "fast 200, slow 100" for each ranking.
sub said {
    my ($ranking) = @_;
    return [
        map {
            join ', ',
                map { "$_->{name} $_->{score}" }
                @{ $_->{hosts} }
        } @{ $ranking->{indexes} }
    ];
}

subtest 'the newest run of each host counts, and the fastest host comes first' => sub {
    my $ranking = ranking(run(5, 'slow', 1000), run(4, 'fast', 2000), run(3, 'slow', 9000));
    is_deeply(said($ranking), ['fast 200, slow 100'],                             'in one ranking');
    is_deeply([ map { $_->{run} } @{ $ranking->{indexes}[0]{hosts} } ], [ 1, 0 ], 'with their runs');
};

subtest 'what is not valid, partial, a part of --build or of a duet, or not at its end is not ranked' => sub {
    my %not = (
        'not valid'     => { invalid => 'all passes were disturbed' },
        partial         => { index   => { partial => 1 } },
        'of --build'    => { set     => 1 },
        'of a duet'     => { duet    => 1 },
        'still running' => { status  => 'running' },
        'of nothing'    => { index   => { score => 0 } },
    );
    for my $why (sort keys %not) {
        my $ranking =
            ranking(run(5, 'vm', 9000, %{ $not{$why} }), run(4, 'vm', 1000), run(3, 'b', 1, %{ $not{$why} }));
        is_deeply(said($ranking),       ['vm 100'], "$why: the run before");
        is_deeply($ranking->{unranked}, ['b'],      'and a host without another is named');
    }
};

subtest 'indexes of two scales are never in one ranking' => sub {
    my %other = (
        'copies'              => { index      => { copies => 2 } },
        'another reference'   => { baseline   => 'vm-1' },
        'one of its own'      => { index      => { reference => 'a Pentium' } },
        'another scale'       => { index      => { scale     => 1 } },
        'another suite'       => { index      => { suite => 'other', key   => 'other', title => 'Others' } },
        'another index of it' => { index      => { key   => 'other', title => 'Others' } },
        'versions of tests'   => { conditions => { 'version of the test' => 2 } },
    );
    for my $what (sort keys %other) {
        my $said = said(ranking(run(2, 'b', 2000, %{ $other{$what} }), run(1, 'a', 1000)));
        is_deeply([ sort @$said ], [ 'a 100', 'b 200' ], $what);
    }
    is_deeply(said(ranking(run(2, 'b', 2000, conditions => { schedule => 'quick' }), run(1, 'a', 1000))),
        ['b 200, a 100'], 'but schedules are no scale');
};

subtest 'scores of tests are compared where they are of one kind' => sub {
    my ($tests) = @{
        ranking(
            run(3, 'c', 1500, tests => { pipe  => { conditions => { 'size of the data' => 5 } } }),
            run(2, 'b', 3000, tests => { spawn => { better     => 'lower', unit => 's' } }),
            run(1, 'a', 1000)
        )->{tests}
    };
    is(join(' ', map { $_->{name} } @{ $tests->{hosts} }), 'a c b', 'the slowest host first');
    my %row = map { $_->{name} => $_->{cells} } @{ $tests->{rows} };
    my ($ratio, $half) = Touchstone::Pack::Browse::Ranking::against(@{ $row{pipe} }[ 2, 0 ]);
    is($ratio, 3, 'three times as fast');
    cmp_ok(abs($half - 3 * sqrt(2) * 0.01), '<', 1e-4, 'with the interval of both');
    is_deeply([ Touchstone::Pack::Browse::Ranking::against(@{ $row{pipe} }[ 1, 0 ]) ],
        [], 'not of other data');
    is_deeply([ Touchstone::Pack::Browse::Ranking::against(@{ $row{spawn} }[ 2, 0 ]) ],
        [], 'not of another unit');
    my %seconds = (better => 'lower', score => 4, interval => undef);
    is_deeply(
        [ Touchstone::Pack::Browse::Ranking::against({ %seconds, score => 2 }, \%seconds) ],
        [ 2, undef ],
        'half the seconds are twice as fast, and nobody knows how exactly'
    );
};

subtest 'a host shows its last change with what changed in the runs around it' => sub {
    my $fast =
        sub { my ($n) = @_; return { interval => undef, score => 1000 * ($n < 21 ? 1 : 0.5) + $n % 3 } };
    my @runs = map {
        run(
            $_, 'vm', $_ < 20 ? 1000 + $_ % 3 : 800 + $_ % 3,
            tests => { spawn       => $fast->($_) },
            facts => { 'h release' => $_ < 20 ? '6.1' : '6.2' }
        )
    } reverse 0 .. 39;
    my ($index) = @{ ranking(@runs)->{indexes} };
    my $change = $index->{hosts}[0]{change};
    is($change->{run}, 19, 'the run in which the kernel changed');
    cmp_ok(abs($change->{speed} - 0.8), '<', 0.01, 'by how much');
    is($change->{slower}, 1, 'it became slower');
    is_deeply($change->{differ}, ["kernel: 6.1 \xe2\x86\x92 6.2"], 'the kernel');
    is(
        join(', ', map { sprintf '%s %.1f', @$_{qw(name speed)} } @{ $change->{tests} }),
        'spawn 0.5, pipe 0.8',
        'and its tests, those that changed most first'
    );
    is(scalar @{ $index->{hosts}[0]{series}{points} }, 40, 'its history');
};

subtest 'the spread is that of one run to the next, without changes' => sub {
    my $series = sub {
        my (@scores) = @_;
        return {
            points => [ map { { score => $_ } } @scores ],
            levels => [ Touchstone::Compare::Trend::levels(\@scores, 6) ]
        };
    };
    my $spread = Touchstone::Pack::Browse::Ranking::spread($series->((100, 101) x 3, (200, 202) x 10));
    cmp_ok(abs($spread - 0.01), '<', 1e-9, 'one per cent');
    is(Touchstone::Pack::Browse::Ranking::spread($series->((100, 101) x 4)), undef, 'not of few pairs');
    is(Touchstone::Pack::Browse::Ranking::spread(),                          undef, 'nor of none');
};

is("@warnings", '', 'no warning of Perl');
done_testing;
