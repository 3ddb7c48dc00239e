#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# list: what it tells of tests and groups, with a tree that is made up. t/cli/terminal.t has its widths.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Stub;
use Touchstone::Cli::List;
use Touchstone::Cli::ListText;
use Touchstone::Run::Plan;
use Touchstone::Suite;
use Touchstone::Terminal;

my $suite    = Touchstone::Suite::load();
my $temp     = File::Temp->newdir;
my $terminal = Touchstone::Terminal->pretended(columns => 100);
mkdir "$temp/$_" or die "cannot make '$temp/$_': $!\n" for qw(bin empty);

# Returns the catalogue of a tree whose bin has these programs, or of an installed copy.
sub catalogue {
    my ($source, @programs) = @_;
    unlink glob "$temp/bin/*";
    for my $program (@programs) {
        Fake::write_file("$temp/bin/$program", '');
        chmod 0755, "$temp/bin/$program";
    }
    my %places = (
        base    => $temp,
        source  => $source,
        own_bin => $source,
        bin     => "$temp/bin",
        testdir => "$Fake::BASE/testdir",
        tmp     => "$temp"
    );
    return Touchstone::Cli::List->new($suite, \%places);
}

sub lacks { my ($catalogue, $name) = @_; return $catalogue->lacks($catalogue->named($name)) // 'nothing' }

sub listed { return Touchstone::Cli::ListText::text($_[0], $terminal, './Run', @_[ 1 .. $#_ ]) }

# The stored run is that of a machine called vm.
subtest 'what an operation costs, in the newest run of this machine' => sub {
    mkdir "$temp/runs" or die "cannot make a directory: $!\n";
    no warnings 'redefine';
    my $listed = sub {
        my ($host) = @_;
        local *Touchstone::Machine::Identity::name = sub { return $host };
        my $catalogue = catalogue(1, 'pipe');
        $catalogue->{runs} = "$temp/runs";
        return listed($catalogue, 'pipe');
    };
    unlike($listed->('vm'), qr/ costs /, 'nothing without a run');
    Fake::write_file("$temp/runs/vm-2026-11-21-02.json", Fake::read_file("$Fake::BASE/t/golden/sure.json"));
    like(
        $listed->('vm'),
        qr/^   costs +309 ns = 65 user \+ 241 kernel \+ 3 waiting \(vm-2026-11-21-02\)$/m,
        'a line with one'
    );
    unlike($listed->('other'), qr/ costs /, 'nothing from another machine');
};

subtest 'what a test lacks is told with its package' => sub {
    local $ENV{PATH} = "$temp/empty";
    my $catalogue = catalogue(1, qw(hanoi C dc pipe));
    is(lacks($catalogue, 'pipe'),  'nothing',                                       'all is there');
    is(lacks($catalogue, 'dc'),    "'dc' is not installed; install the package dc", 'a command');
    is(lacks($catalogue, 'execl'), 'nothing', 'what make builds in a tree is not lacking');
    like(lacks($catalogue, 'zstd-1'), qr/\Ait was built without .*; install the package /,
        'but a library is');
    like(
        listed($catalogue, 'misc'),
        qr/^  dc .*\n +! 'dc' is not installed; install the package dc$/m,
        'in a list'
    );
    like(
        listed($catalogue, 'groups'),
        qr/^  misc +3 tests, 2 unavailable: hanoi C dc /m,
        'and counted in a group'
    );
    like(listed($catalogue, 'dc'), qr/^   here +! 'dc' is not installed/m, 'and alone');
    $catalogue = catalogue(0, 'pipe');
    like(
        lacks($catalogue, 'execl'),
        qr/\Athe program '.*execl' is missing/,
        'an installed copy lacks its programs'
    );
};

subtest 'in a tree without programs nothing is lacking that the first run builds' => sub {
    my $catalogue = catalogue(1);
    is(lacks($catalogue, $_), 'nothing', $_) for qw(pipe zstd-1);
    like(
        listed($catalogue),
        qr/^No program is built yet: the first run does that\.$/m,
        'and the list says so'
    );
    unlike(listed(catalogue(1, 'pipe')), qr/No program is built/, 'but not later');
};

subtest 'times are those of the default schedule with one copy' => sub {
    my $catalogue = catalogue(1);
    my $index     = $suite->default->{group};
    my $time      = $catalogue->time_of($catalogue->named($index));
    my $plan      = Touchstone::Run::Plan::make(
        schedule => 'default',
        copies   => [1],
        seed     => 1,
        tests    => [ $suite->expand($index) ]
    );
    is($time->{seconds}, $plan->{seconds}, 'of the index');
    my ($kernel) = $catalogue->named('kernel');
    is($catalogue->time_of($kernel)->{open}, 1, 'a test that takes as long as it takes');
    like(listed($catalogue, 'lbt'), qr/^lbt: .*, > .* with one copy\n.*^  kernel .* varies$/ms, 'says so');
};

subtest 'a word is a test, a group or a suite, and a wrong one is answered with the nearest' => sub {
    my $catalogue = catalogue(1);
    my @rows      = $suite->tests;
    is(scalar(() = $catalogue->named('all')), scalar @rows, 'all are all');
    is(
        join(' ', map { $_->{name} } $catalogue->named('fs')),
        join(' ', grep { /\Afs/ } map { $_->{name} } @rows),
        'a group, in the order of its suite'
    );
    is(
        scalar(() = $catalogue->named('unixbench')),
        scalar(grep { $_->{suite} eq 'unixbench' } @rows),
        'a suite'
    );
    my $got = Stub->new->run([qw(list piipe)]);
    is($got->{status}, 2, 'another word is a usage error');
    is(
        $got->{err},
        "Run: unknown test 'piipe'\ndid you mean 'pipe'?\ntry: ./Run list\n",
        'with what was meant'
    );
};

subtest 'what belongs to an index is marked where other tests do not' => sub {
    my $catalogue = catalogue(1);
    my $files     = listed($catalogue, 'fs');
    like($files, qr/^  fstime .* index$/m, 'a test of the index');
    unlike($files,             qr/^  fstime-w .* index$/m, 'another');
    unlike(listed($catalogue), qr/ index$/m,               'nothing where all are');
    like(listed($catalogue, 'huffman'), qr/^   index +BYTEmark Integer, /m,      'a suite may have several');
    like(listed($catalogue, 'lock'),    qr/^   index +Modern, Modern Threads$/m, 'each is named once');
    like(listed($catalogue, 'hanoi'),   qr/^   index +none$/m,                   'or none');
};

subtest 'other names of a group stand in its line' => sub {
    my $groups = listed(catalogue(1), 'groups');
    like($groups, qr/^  $_ +\d+ tests?: /m, $_)
        for 'load = shell', 'transfer = transfers', 'whets = whetstone';
};

subtest 'programs get times, and what is lacking' => sub {
    my $list = JSON::PP->new->decode(Stub->new->run([qw(list --json fs pipe)])->{out});
    is(scalar @{ $list->{tests} }, 10, 'of what is named');
    is(join(' ', grep { !exists $list->{tests}[0]{$_} } qw(name title about suite index seconds lacks)),
        '', 'all keys');
    cmp_ok($list->{tests}[0]{seconds}, '>', 1, 'seconds');
};

done_testing;
