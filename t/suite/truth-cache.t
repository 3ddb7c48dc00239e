#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The probe of caches: what it says of made-up curves, the arithmetic of curves, its program run by hand.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use List::Util qw(min);
use Test::More;

use lib 't/lib', 'lib';
use ByHand;
use NoWarnings;
use Passes;
use Sources ();
use Touchstone::Suite::Truth::Curve qw(cost crossing fitted);

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};

my $MB = 1024;

# Sizes as the program has them, in KB.
my @SIZES = grep { $_ <= 512 * $MB }
    map {
    my $octave = 16 * 2**$_;
    map { $octave * (1 + $_ / 4) } 0 .. 3
    } 0 .. 15;

# What levels of [ KB, ns ] give: loads from random lines find each level in proportion to its size.
sub loads {
    my ($memory, @levels) = @_;
    my %figures;
    for my $kb (@SIZES) {
        my ($below, $total) = (0, 0);
        for my $level (@levels, [ 1e9, $memory ]) {
            my $end = min($kb, $level->[0]);
            $total += ($end - $below) * $level->[1] if $end > $below;
            $below = $end                           if $end > $below;
        }
        $figures{"load-$kb"} = $total / $kb;
    }
    return %figures;
}

# Reading in a row: so many GB/s up to a size, then as from memory.
sub reads {
    my ($cached, $memory, $until) = @_;
    return map { ("read-$_" => $_ <= $until ? $cached : $memory) } map { 256 * 2**$_ } 0 .. 11;
}

my @SERVER = ([ 48, 1.5 ], [ 2 * $MB, 4.5 ]);
my %SERVER = (l2_kb => 2 * $MB, l3_kb => 105 * $MB, caches => 'L1d 48K, L2 2048K, L3 107520K');
my @SMALL  = ([ 32, 1.3 ], [ 512, 4 ]);
my %SMALL  = (l2_kb     => 512, l3_kb => 32 * $MB);
my %PAGES  = ('in-huge' => 120, 'in-small' => 160, huge => 1);

sub cache {
    my ($system, $figures, $others) = @_;
    return said('Cache', $system, passes({ %PAGES, %$figures }, $others));
}

sub curve_of {
    my (%figures) = @_;
    return [ map { [ $_, $figures{"load-$_"} ] } @SIZES ];
}

subtest 'the cost of the KB between two sizes is that of their level' => sub {
    my $curve = curve_of(loads(130, @SERVER, [ 105 * $MB, 70 ]));
    cmp_ok(abs(cost($curve, 4 * $MB,   16 * $MB) - 70),   '<', 0.01, 'the third level');
    cmp_ok(abs(cost($curve, 256 * $MB, 512 * $MB) - 130), '<', 0.01, 'memory');
    is(cost($curve, 1,         16),         undef, 'nothing before the first size');
    is(cost($curve, 512 * $MB, 1024 * $MB), undef, 'nothing behind the last');
};

subtest 'a larger size is never quicker in what is fitted' => sub {
    my %noisy = loads(130, @SERVER, [ 105 * $MB, 70 ]);
    $noisy{'load-8192'} *= 1.5;
    $noisy{'load-256'}  *= 0.7;
    my $steps = fitted(curve_of(%noisy));
    my @ns    = map { $_->{ns} } @$steps;
    is(scalar(grep { $ns[$_] < $ns[ $_ - 1 ] } 1 .. $#ns), 0,         'the costs grow');
    is($steps->[-1]{to},                                   512 * $MB, 'to the last size');
};

subtest 'a step is found where a level ends' => sub {
    for my $end (3 * $MB, 8 * $MB, 32 * $MB, 105 * $MB) {
        my $found = crossing(curve_of(loads(130, @SERVER, [ $end, 20 ])), 51);
        cmp_ok(abs(log($found / $end)), '<', 0.25, sprintf '%d MB, found %.1f', $end / $MB, $found / $MB);
    }
    is(crossing(curve_of(loads(5, [ 512 * $MB, 5 ])), 50), undef, 'no step, no size');
};

subtest 'a cache that is there is confirmed' => sub {
    my $said = cache(\%SMALL, { loads(95, @SMALL, [ 32 * $MB, 12 ]), reads(30, 12, 32 * $MB) });
    says('a quick third level',
        'confirmed', qr/\AA program can use about [34]\d MB .* of the reported L3 of 32 MB/, $said);
    says(
        'a slow third level',
        'confirmed',
        qr/use about (?:9\d|1[01]\d) MB .* of the reported L3 of 105 MB/,
        cache(\%SERVER, { loads(125, @SERVER, [ 105 * $MB, 70 ]), reads(14, 10, 105 * $MB) })
    );
    is(evidence($said, 'ns per load of the last level and of memory'), '12 and 95', 'its evidence');
    says(
        'far more than is reported',
        'unclear',
        qr/\ALoads find about 1[78]\d MB .*, more than the reported L3 of 32 MB: something disturbed them/,
        cache(\%SMALL, { loads(95, @SMALL, [ 200 * $MB, 12 ]), reads(30, 12, 200 * $MB) })
    );
};

subtest 'a cache that is not there is contradicted, by loads and by reading' => sub {
    my %none = (loads(155, @SERVER, [ 3 * $MB, 16 ]), reads(20, 11, 4 * $MB));
    my $said = cache(\%SERVER, \%none);
    says(
        'a few MB',
        'contradicted',
        qr/use about (?:2\.[89]|3(?:\.\d)?) MB \(.* of the reported L3 of 105 MB: a load from 5[23] MB takes 1[45]\d ns, as from memory, and it is read as slowly/,
        $said
    );
    says(
        'no third level at all',
        'contradicted',
        qr/about [12](?:\.\d)? MB/,
        cache(\%SERVER, { loads(155, @SERVER), reads(20, 11, 2 * $MB) })
    );
    says(
        'read quickly', 'unclear',
        qr/but it is read 1\.8 times as fast as memory/,
        cache(\%SERVER, { %none, reads(20, 11, 105 * $MB) })
    );
    my %unread = %none;
    delete @unread{ grep { /\Aread/ } keys %unread };
    says('not read', 'unclear', qr/its read speed is unknown/, cache(\%SERVER, \%unread));
};

subtest 'other programs of this machine, which share the cache, are no verdict' => sub {
    says(
        'busy', 'unclear',
        qr/; other programs of this machine used 1\.4 CPUs and share it/,
        cache(\%SERVER, { loads(155, @SERVER, [ 3 * $MB, 16 ]), reads(20, 11, 4 * $MB) }, 1.4)
    );
};

subtest 'passes that differ make an interval, which decides' => sub {
    my @passes =
        map { @{ passes({ %PAGES, loads(95, @SMALL, [ $_ * $MB, 12 ]), reads(30, 12, 32 * $MB) }) }[0] } 8,
        12, 15, 20, 24, 30;
    says(
        'wide', 'unclear',
        qr/about 1\d MB \([6-9](?:\.\d)? MB to [23]\d MB\)/,
        said('Cache', \%SMALL, \@passes)
    );
    says(
        'few',
        'confirmed',
        qr/about [34]\d MB \([34]\d MB to [34]\d MB\)/,
        said(
            'Cache',
            \%SMALL,
            [ @{ passes({ %PAGES, loads(95, @SMALL, [ 32 * $MB, 12 ]), reads(30, 12, 32 * $MB) }) }[ 0, 1 ] ]
        )
    );
};

subtest 'loads that find it and reading that does not are no verdict' => sub {
    says(
        'contrary', 'unclear',
        qr/but half of it is read as slowly as memory/,
        cache(\%SMALL, { loads(95, @SMALL, [ 32 * $MB, 12 ]), reads(12, 12, 32 * $MB) })
    );
};

subtest 'missing facts are no verdict' => sub {
    says(
        'no /sys', 'unclear',
        qr/about [34]\d MB .* of cache; the system reports none/,
        cache({}, { loads(95, @SMALL, [ 32 * $MB, 12 ]), reads(30, 12, 32 * $MB) })
    );
    says(
        'a cache that is larger',
        'unclear',
        qr/the L3 of 768 MB is unclear: only 512 MB/,
        cache({ l2_kb => 1024, l3_kb => 768 * $MB }, { loads(95, [ 1024, 4 ], [ 768 * $MB, 12 ]) })
    );
    says(
        'not far enough',
        'unclear',
        qr/L3 of 300 MB is unclear: only 512 MB were tested/,
        cache({ l2_kb => 1024, l3_kb => 300 * $MB }, { loads(95, [ 1024, 4 ], [ 100 * $MB, 12 ]) })
    );
    is(said('Cache', \%SMALL, []),                                         undef, 'no pass: nothing to say');
    is(cache(\%SMALL, { 'load-16' => 2, 'load-x' => 3, 'load-20' => [] }), undef, 'no curve: nothing to say');
};

subtest 'a machine with two levels is judged by the second' => sub {
    says(
        'two levels', 'confirmed',
        qr/about (?:4(?:\.\d)?|3\.\d) MB .* of the reported L2 of 4 MB/,
        cache({ l2_kb => 4 * $MB }, { loads(110, [ 64, 1.3 ], [ 4 * $MB, 9 ]), reads(20, 9, 4 * $MB) })
    );
};

subtest 'what may make memory slow is named' => sub {
    my %curve = (loads(155, @SERVER, [ 3 * $MB, 16 ]), reads(20, 11, 4 * $MB));
    like(
        cache(\%SERVER, { %curve, 'in-huge' => 150, 'in-small' => 152 })->{sentence},
        qr/the host uses small ones, and their tables are in these times/,
        'pages of the host'
    );
    like(
        cache(\%SERVER, { %curve, huge => 0.4, 'in-small' => 120 })->{sentence},
        qr/\QOnly 40 % of it was in huge pages.\E\z/,
        'no huge pages'
    );
    unlike(cache(\%SERVER, \%curve)->{sentence}, qr/pages/, 'and neither where they help');
};

subtest 'a machine with little memory says so' => sub {
    my %curve = (loads(95, @SMALL, [ 32 * $MB, 12 ]), reads(30, 12, 32 * $MB));
    delete @curve{ grep { /-(\d+)\z/ && $1 > 128 * $MB } keys %curve };
    says('little', 'confirmed', qr/Only 128 MB of memory was available\.\z/, cache(\%SMALL, \%curve));
};

subtest 'the program measures a curve' => sub {
    my @ran = program('truth-cache', 0.3);
    if ($ran[0] == 77 << 8) {
        like($ran[1], qr/\ASKIP\|(?:it needs 192 MB of|there is no) memory/, 'or says why it cannot');
    } else {
        my $err = $ran[1] =~ s/^HOW\|[\w-]+\n//mr;
        is_result('truth-cache', $ran[0], $err);
        my %figures = %{ figures_of($ran[1]) };
        is(
            scalar(grep { $figures{"load-$_"} } grep { $_ <= $figures{largest} } @SIZES),
            scalar(grep { $_ <= $figures{largest} } @SIZES),
            'a time for each size'
        );
        cmp_ok(scalar(keys %figures), '<=', 100, 'no more figures than a pass may have');
    }
    is_usage('truth-cache', program('truth-cache'));
};

# The number of a line is made another one than loads expect, or than the sum of all is.
subtest 'a line with another number is found' => sub {
    my $path     = "$Sources::dir/src/truth/truth-cache.c";
    my $original = Sources::slurp($path);
    Sources::spew($path, $original =~ s/= content\(line\);\n\}/= content(line) ^ (line == 77);\n}/r);
    my ($status) = Sources::build('truth-cache');
    is($status, 0, 'it is built');
    my @ran = run("$Sources::dir/pgms/truth-cache", 0.1);
SKIP: {
        skip 'there is no memory', 2 if $ran[0] == 77 << 8;
        is($ran[0], 1 << 8, 'one wrong line: exit 1');
        like($ran[1], qr/ERROR\|wrong result: a line has another number/, 'and says why');
    }
};

done_testing;
