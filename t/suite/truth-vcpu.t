#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The probe of CPUs: what it says of made-up figures, its program run by hand, and its instructions changed.
use 5.014;
use strict;
use warnings;

use Config;
use Test::More;

use lib 't/lib';
use lib 't/lib', 'lib';
use ByHand;
use NoWarnings;
use Passes;
use Sources ();
use Touchstone::Suite::Truth::Figures;

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};

my @GHZ  = map { sprintf 'ghz-%02d',  10 * $_ + 5 } 0 .. 9;
my @WIDE = map { sprintf 'wide-%03d', 50 * $_ + 25 } 0 .. 19;

# A core that nobody else uses, and whose pair is another core.
my %CORE = (
    (map { $_ => 3.1 } @GHZ),
    (map { $_ => 4 } @WIDE),
    cpu      => 0,
    slices   => 4000,
    multiply => 3.01,
    should   => 3,
    tsc      => 2.0,
    gaps     => 0,
    waited   => 0,
    steal    => 0
);
my %APART = pair(1, line => 101, chain => 1, wide => 1, loads => 0.99, told => 0);
my %TOLD  = (threads_per_core  => 1);
my %GUEST = (%TOLD, hypervisor => 'yes');

# In two fifths of the time additions and instructions that do nothing halve.
my %SHARED = (
    (map { $WIDE[$_] => $_ < 8 ? 2.2 : 4 } 0 .. 19),
    'nops-low'  => 3.1,
    'nops-high' => 5.9,
    'ghz-low'   => 3.1,
    'ghz-high'  => 3.1
);

sub pair {
    my ($other, %of) = @_;
    return map { ("pair-0-$other-$_" => $of{$_}) } keys %of;
}

sub cpu {
    my ($system, $figures, $others, $cpus) = @_;
    return said('Vcpu', $system, passes({ %CORE, %$figures }, $others), host => { online_cpus => $cpus });
}

subtest 'a core that nobody shares is confirmed' => sub {
    my $said = cpu(\%TOLD, \%APART);
    says('a core', 'confirmed', qr/\ACPU 0 runs at 3\.1 GHz \(3\.1 to 3\.1; its counter runs at 2\.0\)\./,
        $said);
    like(
        $said->{sentence},
        qr/CPUs 0 and 1 are different cores, as reported\. No other thread came/,
        'both witnesses'
    );
    like(
        evidence($said, 'CPUs 0 and 1') // '',
        qr/\Aline 100 ns; kept chain 100 %, wide 100 %, loads 99 % \(wide 100 to 100\); reported as two cores/,
        'the evidence of a pair'
    );
    says(
        'several', 'confirmed',
        qr/None of 2 other CPUs shares its core, as reported/,
        cpu(\%TOLD, { %APART, pair(2, line => 60, chain => 1, wide => 0.99, told => 0) })
    );
};

subtest 'pairs on one core are confirmed when the system says so' => sub {
    my %same = pair(1, line => 12, chain => 1, wide => 0.55, loads => 0.8, told => 1);
    says(
        'siblings', 'confirmed',
        qr/CPUs 0 and 1 share a core, as reported/,
        cpu({ threads_per_core => 2 }, \%same)
    );
    says(
        'siblings at work',
        'confirmed',
        qr/another thread used it/,
        cpu({ threads_per_core => 2 }, { %same, %SHARED })
    );
};

subtest 'pairs that are not what the system says are contradicted, by both witnesses' => sub {
    my %hidden = (line => 12, chain => 1, wide => 0.55, told => 0);
    says(
        'hidden', 'contradicted',
        qr/CPUs 0 and 1 share a core, contrary to the reported topology: a line takes 12 ns/,
        cpu(\%TOLD, { pair(1, %hidden) })
    );
    says(
        'invented', 'contradicted',
        qr/are different cores, contrary to the reported topology/,
        cpu({ threads_per_core => 2 }, { %APART, 'pair-0-1-told' => 1 })
    );
    says(
        'only the line',
        'unclear',
        qr/share a core is unclear: a line takes 12 ns, .* 100 %/,
        cpu(\%TOLD, { pair(1, %hidden, wide => 1) })
    );
    says(
        'only additions',
        'unclear',
        qr/is unclear: a line takes 100 ns, .* 55 %/,
        cpu(\%TOLD, { pair(1, %hidden, line => 100) })
    );
    says(
        'no additions', 'unclear',
        qr/they hardly ran concurrently/,
        cpu(\%TOLD, { pair(1, line => 100, told => 0) })
    );
};

subtest 'a clock that another CPU slows down is no shared core' => sub {
    my %slowed = pair(1, line => 101, chain => 0.8, wide => 0.8, told => 0);
    says('slowed', 'confirmed', qr/different cores/, cpu(\%TOLD, \%slowed));
};

subtest 'passes that contradict each other leave a pair open' => sub {
    my %moved = pair(1, line => 101, chain => 1, wide => [ 1, 1, 0.5, 1, 0.55, 1 ], told => 0);
    says(
        'busy', 'unclear',
        qr/is unclear: .* \(52 to 100\) .* while other programs used 1\.5 CPUs/,
        cpu(\%TOLD, \%moved, 1.5)
    );
};

subtest 'a neighbour is seen by additions and by instructions that do nothing' => sub {
    my $said = cpu(\%TOLD, { %APART, %SHARED });
    says(
        'neighbour',
        'contradicted',
        qr/For 40 % of the time it had less .* a hyperthread, and its sibling does not belong to this machine/,
        $said
    );
    is(evidence($said, 'time below 3/4 of the 95th percentile'), '40 %', 'its share');
    says(
        'two threads told',
        'confirmed',
        qr/and the system reports that there is one/,
        cpu({ threads_per_core => 2 }, { %APART, %SHARED })
    );
    says('nothing told', 'unclear', qr/does not report how many/, cpu({}, { %APART, %SHARED }));
    says(
        'one witness', 'unclear',
        qr/no-op instructions do not show it/,
        cpu(\%TOLD, { %APART, %SHARED, 'nops-low' => 5.8 })
    );
    my %without = %SHARED;
    delete @without{qw(nops-low nops-high)};
    says('no second witness', 'unclear', qr/do not show it/, cpu(\%TOLD, { %APART, %without }));
};

subtest 'a clock that changes is no neighbour' => sub {
    says(
        'power', 'unclear',
        qr/but its clock changed, too/,
        cpu(\%TOLD, { %APART, %SHARED, 'ghz-low' => 2.4 })
    );
};

subtest 'a neighbour that may be a program of this machine is no verdict' => sub {
    my %open = pair(1, line => 101, told => 0);
    says(
        'own load', 'unclear',
        qr/possibly for a program of this machine/,
        cpu(\%TOLD, { %open, %SHARED }, 1)
    );
    says(
        'own load elsewhere',
        'contradicted',
        qr/its sibling does not belong to this machine/,
        cpu(\%TOLD, { %APART, %SHARED }, 1, 2)
    );
    says(
        'own load in a guest, whose CPUs may move',
        'unclear',
        qr/possibly for a program of this machine/,
        cpu(\%GUEST, { %APART, %SHARED }, 1, 2)
    );
    says(
        'a pair of many CPUs',
        'unclear',
        qr/possibly for a program of this machine/,
        cpu(\%TOLD, { %APART, %SHARED }, 1, 64)
    );
    says(
        'load that is too little to be the neighbour',
        'contradicted',
        qr/its sibling does not belong to this machine/,
        cpu(\%TOLD, { %APART, %SHARED }, 0.15, 64)
    );
};

subtest 'a neighbour for a moment is none' => sub {
    my %moment = (%SHARED, map { $WIDE[$_] => $_ < 1 ? 2.2 : 4 } 0 .. 19);
    delete $moment{ $WIDE[0] };
    says('a moment', 'confirmed', qr/No other thread came/, cpu(\%TOLD, { %APART, %moment }));
};

subtest 'time that is taken is compared with /proc/stat' => sub {
    says(
        'stolen', 'contradicted',
        qr/The hypervisor took 3\.0 % of the time, \/proc\/stat reports 0 %/,
        cpu(\%GUEST, { %APART, gaps => 0.03 })
    );
    says(
        'told', 'confirmed',
        qr/took 3\.0 % of the time, \/proc\/stat reports 2\.8 %/,
        cpu(\%GUEST, { %APART, gaps => 0.03, steal => 0.028 })
    );
    says(
        'interrupts', 'confirmed',
        qr/took 0\.50 %/,
        cpu(\%GUEST, { %APART, gaps => 0.03, interrupts => 0.025 })
    );
    says(
        'busy', 'unclear',
        qr/may have taken some of it/,
        cpu(\%GUEST, { %APART, gaps => 0.03, waited => 0.3 })
    );
    says(
        'no hypervisor',
        'unclear',
        qr/Pauses took 3\.0 % of the time, .* no hypervisor is known/,
        cpu({ %TOLD, hypervisor => 'no', virtualisation => 'none' }, { %APART, gaps => 0.03 })
    );
    says(
        'a hypervisor that only firmware tells',
        'contradicted',
        qr/The hypervisor took 3\.0 %/,
        cpu({ %TOLD, virtualisation => 'kvm' }, { %APART, gaps => 0.03 })
    );
    my %unknown = %CORE;
    delete @unknown{qw(gaps waited steal)};
    my $said = said('Vcpu', \%TOLD, passes({ %unknown, %APART }));
    says('no /proc', 'confirmed', qr/No other thread came and went on its core\.\z/, $said);
};

subtest 'a cycle that is none is no clock' => sub {
    my $said = cpu(\%TOLD, { %APART, multiply => 3.6 });
    like($said->{sentence},
        qr/\AThe clock of CPU 0 is unclear: a multiplication took 3\.6 cycles instead of 3\./, 'x86-64');
    my %arm = (%CORE, %APART, multiply => 4);
    delete @arm{qw(should tsc)};
    $said = said('Vcpu', \%TOLD, passes(\%arm));
    like($said->{sentence}, qr/\ACPU 0 runs at 3\.1 GHz \(3\.1 to 3\.1\)\./, 'arm64, where they differ');
};

subtest 'missing facts are no verdict' => sub {
    says('one CPU', 'unclear', qr/Only one CPU is usable/, cpu(\%TOLD, {}));
    my %untold = %APART;
    delete $untold{'pair-0-1-told'};
    says('no /sys', 'unclear', qr/does not report which CPUs share a core/, cpu({}, \%untold));
    is(said('Vcpu', \%TOLD, []),                      undef, 'no pass: nothing to say');
    is(said('Vcpu', \%TOLD, passes({ slices => 0 })), undef, 'no slice: nothing to say');
};

subtest 'figures of a stranger are no accident' => sub {
    my $said = cpu({ threads_per_core => [] },
        { %APART, 'pair-9-x-line' => 3, 'pair-0-1-wide' => 'nan', 'ghz-05' => {}, tsc => -1 });
    is($said->{verdict}, 'unclear', 'they are left out');
    is(scalar(Touchstone::Suite::Truth::Figures::pairs([ { figures => 'x' }, {} ])),
        0, 'no figures, no pairs');
    is(Touchstone::Suite::Truth::Figures::others([ { counters => { other => 1, seconds => 0 } } ]),
        undef, 'a pass of no time tells nothing of others');
};

subtest 'the program looks at its CPU and at pairs' => sub {
    my @ran = program('truth-vcpu', 0.5);
    if ($ran[0] == 77 << 8) {
        like($ran[1], qr/\A(?:FIGURE\|[^\n]+\n)*SKIP\|/, 'or says why it cannot');
    } else {
        is_result('truth-vcpu', @ran);
        my %figures = %{ figures_of($ran[1]) };
        is(scalar(grep { defined $figures{$_} } @GHZ, @WIDE), 30, 'quantiles of clock and additions');
        cmp_ok($figures{multiply},    '>',  1,   'a multiplication takes longer than an addition');
        cmp_ok(scalar(keys %figures), '<=', 100, 'no more figures than a pass may have');
    }
    is_usage('truth-vcpu', program('truth-vcpu'));
};

# The chain of additions is made one addition too long.
subtest 'a chain that adds something else is found' => sub {
    plan skip_all => 'the instructions of this processor are not known here'
        if $Config{archname} !~ /x86_64|aarch64/;
    my $path     = "$Sources::dir/src/truth/shared/chain.c";
    my $original = Sources::slurp($path);
    Sources::spew($path, $original =~ s/\\t\.rept 60\\n/\\t.rept 61\\n/gr);
    my ($status) = Sources::build('truth-vcpu');
    is($status, 0, 'it is built');
    is_error(
        '61 additions',
        qr/wrong result: a chain of additions/,
        run("$Sources::dir/pgms/truth-vcpu", 0.1)
    );
};

done_testing;
