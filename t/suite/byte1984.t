# SPDX-License-Identifier: GPL-2.0-or-later
# Byte1984: the tables of a run beside those of the article.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Scored;
use Touchstone::Record::Json;
use Touchstone::Suite::Byte1984::Tables;
use Touchstone::Suite::Published;

my $BASE = dirname(dirname(dirname(__FILE__)));
my %PUBLISHED =
    map {
    $_ => Touchstone::Suite::Published::load(
        "$BASE/pgms/$_.csv",
        text  => [ 'machine', 'system' ],
        notes => ['note']
    )
    } qw(byte1984-machines byte1984-multi);

# Seconds on the VAX-11/780; the machine of these tests is a given number of times as fast.
my %VAX = (
    pipe   => 3.2,
    scall  => 4.8,
    fcall  => 1.0,
    sieve  => 1.7,
    dwrite => 2.0,
    dread  => 8.0,
    shell  => 3.3,
    loop   => 2.6
);
my $TIMES = 1000;

# The slope is computed from the normal equations.
sub slope_of {
    my (@y) = @_;
    my ($x, $y, $xx, $xy) = (0) x 4;
    for my $i (1 .. @y) {
        $x  += $i;
        $y  += $y[ $i - 1 ];
        $xx += $i * $i;
        $xy += $i * $y[ $i - 1 ];
    }
    return (@y * $xy - $x * $y) / (@y * $xx - $x**2);
}

sub test_of {
    my ($name, $score, %more) = @_;
    return {
        name     => $name,
        score    => $score,
        interval => [ $score * 0.98, $score * 1.02 ],
        error    => 0.01,
        user     => $score / 4,
        sys      => $score / 2,
        rates    => [ ($score) x 6 ],
        %more
    };
}

sub eight {
    return map { test_of("${_}84", $VAX{$_} / $TIMES) } grep {
        my $name = $_;
        !grep { $name eq $_ } @_
    } @Touchstone::Suite::Byte1984::Tables::BENCHMARKS;
}

sub record_of {
    my (@tests) = @_;
    return {
        host => { name => 'vm', os => 'GNU/Linux', release => '6.18', usable_cpus => 2, online_cpus => 4 },
        published => {%PUBLISHED},
        results   => [ { copies => 1, tests => [@tests] } ]
    };
}

sub machine {
    my ($tables, $name) = @_;
    return (grep { $_->{machine} eq $name } @{ $tables->{machines} })[0];
}

subtest 'a run without tests of 1984 has no such tables' => sub {
    my $tables = Scored::tables(
        Byte1984 => record_of(
            test_of('pipe',      3e6),
            test_of('multi84',   1),
            test_of('multi84-7', 1),
            test_of('pipe84x',   1)
        )
    );
    is($tables, undef, 'undef');
    is(Scored::tables(Byte1984 => { results => [] }), undef, 'nor has one without results');
    is(Scored::tables(Byte1984 => {}),                undef, 'nor an empty record');
};

subtest 'this machine stands before the fifteen' => sub {
    my $tables = Scored::tables(Byte1984 => record_of(eight()));
    is($tables->{copies}, 1, 'copies');
    is(
        join('; ', map { "$_->{machine} $_->{system}" } @{ $tables->{machines} }[ 0 .. 2, 15 ]),
        'vm GNU/Linux 6.18; VAX-11/780 4.1 BSD; Masscomp Sys III+; Apple Lisa Sys III+',
        'in the order of the file'
    );
    is(scalar(@{ $tables->{machines} }), 16, 'all of them');
    my ($this, $vax) = @{ $tables->{machines} };
    is_deeply(
        [ sort keys %{ $this->{cells} } ],
        [ sort grep { !/\A(?:machine|system)\z/ } keys %{ $PUBLISHED{'byte1984-machines'}[0] } ],
        'a cell for each column of the article'
    );
    is_deeply([ sort keys %{ $vax->{cells} } ], [ sort keys %{ $this->{cells} } ],
        'the same of each machine');
    near($this->{cells}{pipe_real},    0.0032,  'our elapsed seconds');
    near($this->{cells}{pipe_user},    0.0008,  'our user seconds');
    near($this->{cells}{loop_sys},     0.0013,  'our system seconds');
    near($this->{intervals}{fcall}[0], 0.00098, 'and how sure they are');
    is($vax->{cells}{pipe_real}, 3.2, 'a published figure');
    is(machine($tables, 'Masscomp')->{cells}{pipe_user},  0,     'one of nothing');
    is(machine($tables, 'Masscomp')->{cells}{dread_real}, undef, 'one that is not known');
};

subtest 'times are published seconds by ours, and their geometric mean leaves dread out' => sub {
    my $tables = Scored::tables(Byte1984 => record_of(eight('dread')));
    my $vax    = machine($tables, 'VAX-11/780');
    near($vax->{times}{$_}, 1000, $_) for qw(pipe scall fcall sieve dwrite shell loop);
    is($vax->{times}{dread}, undef, 'what was not measured');
    near($vax->{composite}, 1000, 'all seven');
    my $lisa = machine($tables, 'Apple Lisa');
    near($lisa->{times}{shell}, 37.6 / 3.3 * 1000, 'shell of the Lisa');
    my $product = 1;
    $product *= $_ for 8.1 / 3.2, 10.5 / 4.8, 1.3, 6.1 / 1.7, 20.8 / 2.0, 37.6 / 3.3, 14.0 / 2.6;
    near($lisa->{composite}, 1000 * $product**(1 / 7), 'seven of the Lisa');
    near(
        machine($tables, 'Omnibyte')->{composite},
        1000 * (32 / 3.2 * 21.3 / 4.8 * 1.7 * 7 / 1.7 * 12.3 / 2 * 17.6 / 3.3 * 17 / 2.6)**(1 / 7),
        'a machine without dread has one too'
    );
};

subtest 'the headline is the VAX, with an interval from our errors' => sub {
    my $headline = Scored::tables(Byte1984 => record_of(eight()))->{headline};
    is($headline->{machine}, 'VAX-11/780', 'the machine');
    near($headline->{times}, 1000, 'times');

    # Each interval reaches from 0.98 to 1.02 times its score, and a little beyond 1.96 times its error.
    my ($squares, $low, $high) = (7 * 0.0196**2, log 1.02, -log 0.98);
    near($headline->{interval}[0], 1000 * exp(-sqrt($squares + $low**2 - 0.0196**2) / 7), 'low');
    near($headline->{interval}[1], 1000 * exp(sqrt($squares + $high**2 - 0.0196**2) / 7), 'high');
    is_deeply(
        [ @$headline{qw(of missing below)} ],
        [ [qw(pipe scall fcall sieve dwrite shell loop)], [], [] ],
        'of all seven'
    );
    my $few = Scored::tables(Byte1984 => record_of(eight('pipe'), test_of('pipe84', 3.2e-3, error => undef)))
        ->{headline};
    is($few->{interval}, undef, 'no interval when one figure has none');
};

subtest 'what is missing or below the resolution is in no figure' => sub {
    my $record = record_of(eight('fcall', 'sieve'));
    $record->{results}[0]{below_resolution} =
        [ { name => 'fcall84', title => 'Function calls', interval => [ -1e-9, 1e-9 ] } ];
    my $tables = Scored::tables(Byte1984 => $record);
    my ($this, $vax) = @{ $tables->{machines} };
    is_deeply([ @{ $this->{cells} }{qw(fcall sieve_real)} ], [ undef, undef ], 'no seconds');
    is_deeply($this->{below},                                { fcall => 1 },   'which is below');
    is_deeply([ $vax->{times}{fcall}, $vax->{composite} ],   [ undef, undef ], 'no composite');
    near($tables->{headline}{times}, 1000, 'the headline is over the rest');
    is_deeply(
        [ @{ $tables->{headline} }{qw(of missing below)} ],
        [ [qw(pipe scall dwrite shell loop)], [qw(fcall sieve)], ['fcall'] ],
        'and names what is missing'
    );
    $record->{results}[0]{tests} = [];
    my $only = Scored::tables(Byte1984 => $record);
    is_deeply(
        [ $only->{headline}, $only->{multi}, $only->{machines}[0]{below} ],
        [ undef,             undef,          { fcall => 1 } ],
        'nothing else measured: a table that says so'
    );
};

subtest 'a pipe waits as long as user and system leave of its real seconds' => sub {
    my $tables = Scored::tables(Byte1984 => record_of(eight()));
    near(machine($tables, 'VAX-11/780')->{waiting}, 3.2 - 0.1 - 1.2,              'for its disk in 1984');
    near($tables->{machines}[0]{waiting},           0.0032 * (1 - 1 / 4 - 1 / 2), 'here for each other');
    my $waiting = sub {
        return Scored::tables(Byte1984 => record_of(test_of(@_)))->{machines}[0]{waiting};
    };
    near($waiting->('pipe84', 1, sys => 2), -1.25, 'two processes at once have more CPU time than real time');
    is($waiting->('loop84', 1), undef, 'not known without the test');
    is($waiting->('pipe84', 1, sys => undef), undef, 'or without a CPU time');
};

subtest 'the compiler has figures, and nothing beside them' => sub {
    my $tables   = Scored::tables(Byte1984 => record_of(test_of('cc84', 0.08)));
    my %expected = (seconds => 0.08, interval => [ 0.08 * 0.98, 0.08 * 1.02 ], user => 0.02, sys => 0.04);
    is_deeply($tables->{compiler},                       \%expected,           'real, user and system');
    is_deeply([ @$tables{qw(machines headline multi)} ], [ [], undef, undef ], 'no machine');
    is(Scored::tables(Byte1984 => record_of(eight()))->{compiler}, undef, 'undef when it was not measured');
};

subtest 'the tables are of the fewest copies that ran a test of 1984' => sub {
    my $record = record_of(test_of('pipe', 1e6));
    push @{ $record->{results} }, { copies => 4, tests => [ test_of('pipe84', 1) ] },
        { copies => 2, tests => [ test_of('pipe84', 2) ] };
    my $tables = Scored::tables(Byte1984 => $record);
    is("$tables->{copies} $tables->{machines}[0]{cells}{pipe_real}", '2 2', 'two copies');
};

subtest 'concurrent shells have a line, with its slope and its bend' => sub {
    my @seconds = (0.004, 0.0041, 0.006, 0.008, 0.010, 0.012);
    my @tests   = map {
        my $s = $seconds[ $_ - 1 ];
        test_of("multi84-$_", $s, rates => [ map { $s * $_ } 0.999, 1, 1.001, 1, 0.998, 1.002 ])
    } 1 .. 6;
    my $tables = Scored::tables(Byte1984 => record_of(@tests));
    is_deeply(
        [ $tables->{machines}, $tables->{headline} ],
        [ [],                  undef ],
        'without the eight benchmarks table 1 is empty'
    );
    my $multi = $tables->{multi};
    is_deeply($multi->{machines}[0]{seconds}, \@seconds, 'our seconds');
    is(
        join(' ', map { $_->{machine} } @{ $multi->{machines} }[ 0, 1, 15 ]),
        'vm VAX-11/780 Omnibyte',
        'and those of the fifteen'
    );
    cmp_ok(abs($multi->{fit}{bend} - 2), '<', 0.1, 'the line bends at two shells');
    is_deeply([ @$multi{qw(cpus single)} ], [ 2, 0.004 ], 'usable CPUs, and one shell alone');
    near($multi->{share}, $multi->{fit}{slope} / 0.004, 'a further shell as a part of one alone');
    near(
        $multi->{machines}[1]{slope},
        slope_of(4.3, 5.5, 7.8, 9.0, 11.0, 13.8),
        'slope of the VAX: the line with the least squares'
    );
    near(
        machine($multi, 'Altos 986')->{slope},
        slope_of(6.3, 7.3, 9.3, 19.3, 27.2, 36.0),
        'that of the Altos, which bends'
    );
    my ($ours, $fit) = ($multi->{machines}[0], $multi->{fit});
    is_deeply(
        [ @$ours{qw(slope slope_interval)} ],
        [ $fit->{slope}, [ @$fit{qw(slope_low slope_high)} ] ],
        'ours has one figure, that of the line through all passes'
    );
    pop @{ $_->{rates} } for @tests;
    my $few = Scored::tables(Byte1984 => record_of(@tests))->{multi};
    is_deeply(
        $few->{fit},
        { why => 'each needs 6 passes' },
        'five passes tell neither how sure the slope is nor a bend'
    );
    near($few->{machines}[0]{slope}, slope_of(@seconds), 'but a slope');
    is($few->{machines}[0]{slope_interval}, undef, 'without an interval');
    my %of = map { ("$_->{machine} $_->{system}" => $_) } @{ $multi->{machines} };
    is_deeply(
        [ map { $of{$_}{slope} } 'PDP-11/23 VENIX', 'Omnibyte Idris 1.2' ],
        [ undef,                                    undef ],
        'none with two figures or without any'
    );
    near($of{'IBM PC XT VENIX/86'}{slope}, slope_of(15, 23.5, 39), 'of three figures');
};

subtest 'a part of the shells is a part of the line' => sub {
    my $record = record_of(map { test_of("multi84-$_", $_) } 2, 3, 5);
    delete $record->{host}{usable_cpus};
    my $multi = Scored::tables(Byte1984 => $record)->{multi};
    is_deeply($multi->{machines}[0]{seconds}, [ undef, 2, 3, undef, 5, undef ], 'unknown ones');
    is_deeply(
        [ @$multi{qw(fit single share cpus)} ],
        [ { why => 'too few' }, undef, undef, 4 ],
        'no fit, nothing to compare with, CPUs online'
    );
    near($multi->{machines}[0]{slope}, 1, 'a slope as the others have it');
};

subtest 'tables of a stranger do no harm' => sub {
    my @odd = (
        undef,  '',    'x',    '1x',   '0',      0,     -1,     '1e400', 'nan', 'inf',
        '-inf', 1e300, 1e-300, [], {}, [ 1, 2 ], "1\0", '0x10', ' '
    );
    my @rows = (
        undef, 'text',
        [],
        {},
        7,
        map {
            my $odd = $_;
            +{
                machine => $odd,
                system  => $odd,
                (
                    map     { $_ => $odd }
                        map { Touchstone::Suite::Byte1984::Tables::column($_) }
                        @Touchstone::Suite::Byte1984::Tables::BENCHMARKS
                ),
                pipe_user => $odd,
                map { ("n$_" => $odd) } 1 .. 6
            }
        } @odd
    );
    push @rows, { %{ $rows[-1] }, machine => 'VAX-11/780' };
    for my $table (@odd, 'x', [@rows], { rows => 1 }) {
        my $record = record_of(eight(), map { test_of("multi84-$_", $_) } 1 .. 6);
        $record->{published} = { 'byte1984-machines' => $table, 'byte1984-multi' => $table };
        my $tables = eval { Scored::tables(Byte1984 => $record) };
        ok($tables,                                               'it lives') or diag($@);
        ok(eval { Touchstone::Record::Json::encode($tables); 1 }, 'JSON')     or diag($@);
        my @figures =
            grep { defined }
            map  { (values %{ $_->{cells} }, values %{ $_->{times} || {} }) }
            @{ $tables->{machines} }[ 1 .. $#{ $tables->{machines} } ];
        is(join(' ', grep { $_ ne '0' } @figures), '',    'no figure but 0 of them');
        is($tables->{headline},                    undef, 'no headline');
    }
    my $record = record_of(eight());
    delete $record->{published};
    is(scalar(@{ Scored::tables(Byte1984 => $record)->{machines} }), 1, 'without any, this machine alone');
};

subtest 'odd results of ours do no harm either' => sub {
    for my $odd (0, -1, undef, 'x', 9**9**9) {
        my $tables = Scored::tables(
            Byte1984 => record_of(
                test_of('pipe84', 1),
                { name => 'scall84',   score => $odd, user  => $odd, sys => $odd, error => undef },
                { name => 'multi84-1', score => $odd, rates => [$odd] },
                { name => 'multi84-2', score => 2,    rates => undef }
            )
        );
        is($tables->{machines}[0]{cells}{scall_real}, undef, 'no seconds');
        is_deeply($tables->{headline}{of}, ['pipe'], 'not in the headline');
        is($tables->{multi}{single}, undef, 'no line of it');
    }
};

done_testing;
