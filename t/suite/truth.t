#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The suite of verdicts: which evidence gives which verdict, and what is said where evidence is missing.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Record;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Text;
use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Suite::Truth::Needs;
use Touchstone::Suite::Truth::Parts;
use Touchstone::Suite::Truth::Rows;
use Touchstone::Suite::Truth::Tables;

# What a run of one probe says: { verdict, sentence, evidence }. `figures` are those of six passes; a list
# has one for each pass.
sub said {
    my ($name, $figures, $system, %more) = @_;
    my @passes = map {
        my $i    = $_;
        my %each = map { my $f = $figures->{$_}; ($_ => ref $f ? $f->[ $i - 1 ] : $f) } keys %$figures;
        delete @each{ grep { !defined $each{$_} } keys %each };
        +{ test => "truth-$name", copies => 1, round => $i, window => 0.5, figures => [ \%each ] }
    } 1 .. 6;
    my $facts =
        { equipment => { truth => $system || {} }, passes => \@passes, suites => { truth => 1 }, %more };
    my $results =
        { blocks => [ { copies => 1, tests => [], verdict_tests => [ { name => "truth-$name" } ] } ] };
    return Touchstone::Suite::Truth::Tables::tables($facts, $results)->{$name};
}

# A verdict and a part of its sentence.
sub says {
    my ($said, $verdict, $sentence, $name) = @_;
    is($said->{verdict}, $verdict, $name) or diag($said->{sentence});
    like($said->{sentence}, $sentence, 'and why');
    return;
}

my %CLOCK = (
    exchanges  => 1000,
    seconds    => 0.5,
    blur       => 0.2,
    raw        => 1,
    real       => 1,
    ticks      => 2.4e9,
    clock_back => 0,
    ticks_back => 0,
    largest    => 0,
    libc       => 28,
    call       => 300
);

subtest 'clocks' => sub {
    says(
        said(clock => \%CLOCK),
        'confirmed',
        qr/\AThe clocks agree within 0\.20 ppm; no step back .* 6,000 exch/,
        'clocks that agree'
    );
    says(
        said(clock => { %CLOCK, clock_back => [ 0, 1, 0, 3, 0, 0 ] }),
        'contradicted',
        qr/4 steps back .* in 6,000 exchanges, seen in 2 of 6/,
        'a clock that goes back'
    );
    says(
        said(clock => { %CLOCK, clock_back => [ 0, 1, 0, 0, 0, 0 ] }),
        'unclear',
        qr/in one of 6 passes/,
        'a step in one pass has one witness'
    );
    says(said(clock => { %CLOCK, exchanges => 0 }), 'unclear', qr/no two CPUs/, 'one CPU');
    says(
        said(clock => { %CLOCK, raw => 0.9998 }),
        'confirmed',
        qr/A time service makes the clock 200 ppm faster/,
        'a time service may do so'
    );
    says(
        said(clock => { %CLOCK, raw => 0.999 }),
        'contradicted',
        qr/differs by -1,000 ppm .* the CPU counter is steady/,
        'but not so much'
    );
    says(
        said(clock => { %CLOCK, raw => 0.999, ticks => [ map { $_ * 1e9 } 2.4, 2.41, 2.42, 2.4, 2.4, 2.4 ] }),
        'unclear',
        qr/more than a time service/,
        'nor when the counter is not steady'
    );
    says(
        said(clock => { %CLOCK, real => [ 1, 1, 1.01, 1, 1, 1 ] }),
        'confirmed',
        qr/time of day was set during the run/,
        'a time of day that was set'
    );
    says(said(clock => { %CLOCK, libc => 290 }), 'confirmed', qr/Each reading is a system call/, 'no vDSO');
    says(said('clock', {}), 'unclear', qr/No clock could be compared/, 'nothing is known');
    my %without = map { my %some = %CLOCK; delete $some{$_}; ($_ => said(clock => \%some)) } keys %CLOCK;
    is(join(' ', grep { !$without{$_}{verdict} } sort keys %without), '', 'each figure may be missing');
    is($without{raw}{verdict}, 'confirmed', 'a system without a raw clock has others');
};

my %DISK = (
    commits      => 500,
    commit_ns    => 71_000,
    write_ns     => 5000,
    drives       => 1,
    flushes      => 500,
    flush_ms     => 10,
    drive_writes => 500
);
my %TOLD = (
    drives      => 'sda',
    write_cache => 'write back',
    rotational  => 0,
    file_system => 'ext4',
    hypervisor  => 'no'
);

subtest 'disks' => sub {
    my $at =
        sub { my ($us, %more) = @_; return said(disk => { %DISK, flush_ms => 0.5 * $us, %more }, \%TOLD) };
    says(
        $at->(20), 'unclear',
        qr/Each of 3,000 commits made the disk flush, in 20.* only a power cut can show which\.\z/,
        'capacitors and a host that lies look the same'
    );
    says($at->(400),                    'confirmed',    qr/in 400 .*a physical disk/, 'a disk');
    says($at->(150),                    'unclear',      qr/between the times/,        'between both');
    says($at->(2, commit_ns => 12_000), 'contradicted', qr/did not reach a device/, 'too short for a device');
    says($at->(2),                      'unclear', qr/a commit takes longer/, 'unless the commit was longer');
    says($at->(400, flushes => 1000, flush_ms => 400), 'confirmed', qr/flush 2 times/, 'two flushes each');
    says(
        said(disk => { %DISK, flushes => 700 }, \%TOLD),
        'unclear', qr/in 6 of 6 passes other programs/,
        'others flush'
    );
    says(
        said(disk => { %DISK, flushes => [ 900, 510, 500, 700, 20, 30 ], flush_ms => 300 }, \%TOLD),
        'confirmed',
        qr/1,000 commits/,
        'two passes without others are enough'
    );
    my %none = (%DISK, flushes => 0, flush_ms => 0);
    says(
        said(disk => \%none, { %TOLD, write_cache => 'write through' }),
        'confirmed',
        qr/no write-back cache/,
        'no flush of a drive that keeps nothing'
    );
    says(
        said(disk => \%none, { %TOLD, mount_options => 'rw,nobarrier' }),
        'contradicted',
        qr/\(ext4, nobarrier\)/,
        'no flush of one that does'
    );
    says(said(disk => \%none, { %TOLD, write_cache => undef }),
        'unclear', qr/unknown/, 'nor one that says nothing');
    says(
        said(disk => { %none, drive_writes => 3 }, \%TOLD),
        'unclear',
        qr/may be the wrong drive/,
        'a drive that was not written to'
    );
    my %turns = (%DISK, flush_ms => 250, commit_ns => 600_000);
    says(
        said(disk => \%turns, { %TOLD, rotational => 1 }),
        'contradicted',
        qr/1,667 times per second/,
        'a disk that turns faster than any'
    );
    says(
        said(disk => \%turns, { %TOLD, rotational => 1, hypervisor => 'yes' }),
        'confirmed',
        qr/physical disk/,
        'which is no witness in a guest'
    );
    my %blind = (commits => 500, commit_ns => 1000, write_ns => 900, drives => 0);
    says(
        said(disk => \%blind, { file_system => 'tmpfs' }),
        'unclear', qr/is in memory \(tmpfs\)/,
        'in memory'
    );
    says(said(disk => \%blind, { file_system => 'nfs4' }), 'unclear', qr/on another machine/, 'on a network');
    says(said(disk => \%blind, \%TOLD), 'unclear', qr/\(sda\) does not count flushes/, 'an old kernel');
    says(said(disk => \%blind), 'unclear', qr/does not report which drive/, 'a container without /sys');
    ok(said('disk', {})->{sentence}, 'no figure at all');
};

my %MEMORY = (killed => 0, pages => 100_000, page_bytes => 4096, map { ("p50_$_" => 500) } 1 .. 3);

subtest 'memory' => sub {
    my %guest = (hypervisor => 'yes');
    says(
        said(memory => { %MEMORY, p50_1 => 2300 }, \%guest),
        'contradicted',
        qr/2\.30 .* a later one 500 .*allocates it/,
        'a host that hands it out on use'
    );
    says(
        said(memory => { %MEMORY, p50_1 => 2300 }, { hypervisor => 'no' }),
        'unclear',
        qr/no hypervisor is known/,
        'without a host'
    );
    says(
        said(memory => { %MEMORY, p50_1 => [ 2300, (500) x 5 ] }, \%guest),
        'unclear', qr/in one of 6 passes/,
        'seen once'
    );
    says(said(memory => \%MEMORY, \%guest), 'confirmed', qr/first use is as fast/, 'memory that is there');
    says(
        said(memory => \%MEMORY, { %guest, page_reporting => 'x' }),
        'unclear',
        qr/look the same/,
        'page reporting'
    );
    says(
        said(memory => \%MEMORY, { %guest, balloon_inflate => 1000 }),
        'unclear', qr/1,000 pages/,
        'a balloon'
    );
    says(said(memory => \%MEMORY), 'unclear', qr/does not report whether/, 'a system that says nothing');
    says(
        said(memory => { %MEMORY, p50_1 => 650 }, \%guest),
        'unclear', qr/no clear difference/,
        'a third more'
    );
    says(said(memory => { killed => 1 }, \%guest), 'unclear', qr/killed the program/, 'too little memory');
    says(said('memory', {}, \%guest), 'unclear', qr/in only 0 of 6 passes/, 'no figures');
    like(
        said(memory => { %MEMORY, gap_ms_1 => 20, gap_ms_3 => 1 }, \%guest)->{sentence},
        qr/stalled for 110 ms/,
        'a machine that stood still says so'
    );
};

# Passes of four tests in twelve rounds; `speed` gives that of a round and a test.
sub passes {
    my ($speed, %more) = @_;
    my @passes;
    for my $round (1 .. 12) {
        for my $test (1 .. 4) {
            my $wobble = 1 + 0.002 * (($round * 7 + $test * 3) % 11 - 5);
            push @passes,
                {
                test     => "t$test",
                copies   => 1,
                round    => $round,
                window   => 1,
                seconds  => 1,
                timebase => 1,
                started  => 1000 + 8 * $round + 2 * $test,
                times    => [1],
                user     => [0.99],
                sys      => [0.01],
                counts   => [ 1000 * $test * $wobble * $speed->($round, $test) ],
                %more
                };
        }
    }
    return \@passes;
}

# Whether the run was asked for this verdict.
our $ASKED = 1;

sub stamina {
    my ($passes, %suites) = @_;
    my $facts = { passes => $passes, suites => %suites ? \%suites : { modern => 1 } };
    my @told  = $ASKED ? { name => 'truth-stamina' } : ();
    my $block = { copies => 1, tests => [], verdict_tests => \@told };
    return (Touchstone::Suite::Truth::Tables::tables($facts, { blocks => [$block] }) || {})->{stamina};
}

subtest 'stamina' => sub {
    my $steady = stamina(passes(sub { 1 }));
    says(
        $steady, 'confirmed',
        qr/\ANo change of speed in 95 s \(a drop of (?:\d\.\d|0\.\d\d) % would have been detected\)/,
        'a steady machine'
    );
    my $drop = sub { my ($round) = @_; return $round > 8 ? 0.2 : 1 };
    says(
        stamina(passes($drop)),
        'contradicted',
        qr/After 64 s the CPUs fell to 20 % .*credits are used up/,
        'a credits are used up'
    );
    says(
        stamina(passes(sub { $_[0] > 8 ? 0.9 : 1 })),
        'contradicted', qr/fell to 90 % .*governor/,
        'a governor'
    );
    says(stamina(passes(sub { $_[0] > 6 && $_[1] > 2 ? 0.5 : 1 })),
        'contradicted', qr/./, 'two tests of four, one of each lot');
    says(
        stamina(passes(sub { $_[0] > 6 && $_[1] % 2 ? 0.5 : 1 })),
        'unclear',
        qr/one of two sets/,
        'one lot of tests alone'
    );
    local $ASKED = 0;
    is(stamina(passes(sub { 1 }))->{verdict}, 'confirmed', 'nobody asked, and it says something');
    is(stamina([ grep { $_->{round} <= 6 } @{ passes($drop) } ]), undef, 'what says nothing is left out');
    is(stamina(passes($drop), unixbench => 1),              undef, 'a run of another suite is not judged');
    is(stamina(passes($drop, user => [0.5], sys => [0.5])), undef, 'nor are tests that do not compute');
    is(stamina(passes($drop, timebase => 0)),               undef, 'nor results that are rates');
    is(stamina(passes($drop, user => [undef])),             undef, 'nor passes without CPU time');
    $ASKED = 1;
    my @few = grep { $_->{round} <= 6 } @{ passes($drop) };
    says(stamina(\@few), 'unclear', qr/\A24 speeds in \d+ s .*too few/, 'a short run');
};

subtest 'what a stranger wrote does no harm' => sub {
    my @odd = ('<b>x</b>', "a\x1b[31mb\nc", -1, 'nan', 'inf', 1e400, '', [], {}, 'x' x 5000, undef);
    for my $name (qw(clock disk memory stamina)) {
        for my $odd (@odd) {
            my %figures = map { $_ => [ ($odd) x 6 ] } keys %CLOCK, keys %DISK, keys %MEMORY;
            my %system  = map { $_ => $odd } keys %TOLD,
                qw(page_reporting clocksource balloon_inflate mount_options);
            my $said = said($name, \%figures, \%system) or next;
            my $text = join "\n", $said->{sentence}, map { @$_ } @{ $said->{evidence} };
            unlike(
                $text,
                qr/[\x00-\x09\x0b-\x1f]|x{700}/,
                "$name bears " . (ref $odd || substr $odd // 'undef', 0, 8)
            );
        }
    }
    for my $facts ({}, { passes => 7 }, { passes => [7] }, { equipment => 3, passes => [ {} ], suites => [] })
    {
        for my $results (
            {},
            { blocks => [ {} ] },
            { blocks => [ { copies => 1, told => [ { name => 'truth-disk' } ] } ] }
        ) {
            ok(eval { Touchstone::Suite::Truth::Tables::tables($facts, $results); 1 }, 'no shape is fatal')
                or diag($@);
        }
    }
};

subtest 'reports show verdicts first, then their evidence' => sub {
    my $said   = said(clock => \%CLOCK, { clocksource => '<script>alert(1)</script>' });
    my $tables = { clock => $said, disk => said(disk => \%DISK, \%TOLD) };
    my $text   = Touchstone::Report::Render::Text::render_for({ ascii => 1 },
        Touchstone::Suite::Truth::Parts::parts($tables));
    like($text, qr/^Truth\n=+\n\nDisk \(unclear\): .*^Clocks \(confirmed\): .*^Evidence: Disk\n/ms,
        'as text');
    is(join('', grep { length > 100 } split /\n/, $text), '', 'in lines of at most 100 letters');
    my $page = Touchstone::Report::Render::Html::fragment(Touchstone::Suite::Truth::Parts::parts($tables));
    like($page, qr/Clocks: confirmed/, 'on a page');
    unlike($page, qr/<script/, 'without the markup of a stranger');
    my @lines = Touchstone::Suite::Truth::Parts::headlines($tables);
    is(scalar @lines, 2, 'a headline for each');
    like($lines[1], qr/\AClocks \(confirmed\): The clocks agree/, 'with its verdict');
    is(Touchstone::Suite::Truth::Parts::parts(undef), undef, 'nothing for a run without them');
};

subtest 'figures have two digits' => sub {
    is(
        join(' ', map { two_digits($_) } 0, 0.0000123, 0.34, 0.999, 9.96, 12.4, 1543, -0.25),
        '0 0.000012 0.34 1.0 10 12 1,500 -0.25',
        'of any size'
    );
};

subtest 'the kernel says what is below it, not what it lets its guests do' => sub {
    my $nested = sub { return { Touchstone::Suite::Truth::Needs::of_command_line(shift) }->{nested} };
    is($nested->('root=/dev/vda nested_pvm=1 quiet'),    'nested_pvm=1', 'a hypervisor below another');
    is($nested->('kvm-intel.nested=1 kvm_amd.nested=0'), '',             'what a host may do');
};

subtest 'a balloon says by a bit that free pages are reported' => sub {
    ok(Touchstone::Suite::Truth::Needs::reports('01000100'), 'the sixth bit');
    ok(!Touchstone::Suite::Truth::Needs::reports($_), "'$_' has none") for '11111011', '', '000', 'x';
};

subtest 'verdicts have a key of their own in the JSON' => sub {
    my $tables   = { clock => said(clock => \%CLOCK) };
    my %results  = (blocks => [], passes => [], findings => undef);
    my $document = sub {
        my ($beside) = @_;
        return Touchstone::Record::document({ passes => [], warnings => [], tests => [] },
            { %results, published_results => $beside });
    };
    my $is = $document->({ truth => $tables, byte1984 => { x => 1 } });
    is($is->{truth}{clock}{verdict}, 'confirmed', 'under the name of the suite');
    ok($is->{truth}{clock}{sentence} && @{ $is->{truth}{clock}{evidence} }, 'with sentence and evidence');
    ok(!exists $is->{byte1984},                                             'a suite with scores has none');
    ok(!exists Touchstone::Record::facts($is)->{truth},                     'they are no facts');
    ok(!exists $document->({})->{truth}, 'nor is there one without verdicts');
};

subtest 'each probe has what it needs' => sub {
    for my $probe (Touchstone::Suite::Truth::Rows::probes()) {
        my ($name, $package, $row) = @$probe;
        is($row->{name}, "truth-$name", "$name is a test of its name");
        ok($row->{verdict} && $row->{single}, 'with verdicts of one copy');
        ok($package->can('judge'),            'and a judge');
    }
};

done_testing;
