#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make check-installed: which tests it runs, what it refuses, and that what stands in for programs is the same
# in C and in Perl.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Touchstone::Machine::Command;

require './t/installed.pl';
our (@TESTS, %LEFT_OUT);
{
    no warnings 'once';
    *TESTS    = \@Installed::TESTS;
    *LEFT_OUT = \%Installed::LEFT_OUT;
}

subtest 'each test is run for an installed copy, or left out for a reason' => sub {
    my %how;
    $how{$_} .= 'run ' for @TESTS;
    $how{$_} .= 'left ' for map { @$_ } values %LEFT_OUT;
    my @here = map { m{([^/]+)\.t\z} } grep { !m{\At/fleet/} } glob 't/*/*.t t/*/*/*.t';
    like($how{$_} // 'unknown to t/installed.pl', qr/\A(?:run|left) \z/, $_) for @here;
    my %there = map { $_ => 1 } @here;
    is(join(' ', grep { !$there{$_} } @TESTS), '', 'all that are run exist');
};

# Returns exit status and both streams.
sub said {
    my (@words) = @_;
    my ($status, $text) =
        Touchstone::Machine::Command::output([ $^X, 't/installed.pl', @words ], errors => 1);
    return ($status >> 8) . " $text";
}

subtest 'what is no installed copy is refused with a sentence' => sub {
    my $temp = File::Temp->newdir;
    like(said(),             qr/\A2 check-installed: name the installed command: /,             'no name');
    like(said("$temp/none"), qr/\A2 check-installed: '.*none' is no installed command$/m,       'no file');
    like(said('Run'),        qr/\A2 check-installed: 'Run' is the Run of a source tree, which/, 'a tree');
    mkdir "$temp/$_" or die "cannot make a directory: $!\n" for qw(lib pgms);
    Fake::write_file("$temp/$_", '') for qw(Run lib/Touchstone.pm);
    like(said("$temp/Run"), qr/\A2 check-installed: '.*Run' is not complete: there is no '.*testdir'$/m,
        'a part');
    mkdir "$temp/$_" or die "cannot make a directory: $!\n" for qw(testdir source source/src);
    Fake::write_file("$temp/source/Makefile", '');
    like(said("$temp/Run", 'no-such'), qr/\A2 check-installed: no test 'no-such' in '.*t'\n\z/, 'a test');
    is(
        join(' ', Installed::tests('.', 't/report/report.t', 'cache')),
        't/build/cache.t t/report/report.t',
        'tests may be named as files'
    );
};

# Runs one of both stand-ins under a name, as copy 1 of a run without a gate. Returns all that it said.
sub answer {
    my ($program, $name, $plan, @words) = @_;
    my $temp = File::Temp->newdir;
    symlink $program, "$temp/$name" or die "cannot make a link: $!\n";
    local %ENV = (
        PATH        => $ENV{PATH},
        FAKE        => "$name=$plan",
        FAKE_STATE  => "$temp",
        FAKE_SOURCE => "$Fake::BASE/t/fake/fake.c",
        TS_COPY     => 1
    );
    my ($status, $text) = Touchstone::Machine::Command::output([ "$temp/$name", @words ], errors => 1);
    my @notes = map { s{.*/}{}r } grep { -f && !-l } glob "\Q$temp\E/*";
    return "$status $text @notes";
}

my @ASKED = (
    map { [ 'measure', $_ ] } 'dhry2reg', 'kernel',
    'zstd',                               'inputs',
    'fcall84',                            'unknown',
    [qw(hash 1 md5)],                     [qw(net 1 tcp)],
    [qw(fstime 1 -b 256)],                [qw(looper 1 -s sh tst84.src)],
    [qw(looper 60 pgms/multi.sh 8)],      [qw(x11 1 :0 a=b c)]
);

subtest 'both stand-ins say the same' => sub {
    my $perl = File::Temp->new;
    print {$perl} Fake::read_file("$Fake::BASE/t/fake/fake.pl");
    close $perl;
    chmod 0755, "$perl";
    for my $case (
        @ASKED,
        (map { [ $_ => 'pipe' ] } 'rates 5;6',   'lines a;b',    'channel a;b', 'exit 3', 'nothing', 'skip'),
        (map { [ $_ => 'pipe' ] } 'skip-alone',  'second-quits', 'second-idle', 'part x', 'talk',    'apart'),
        (map { [ $_ => 'pipe' ] } 'signal SEGV', 'signal 10',    'flood',       'flood-lines x', 'no-such'),
        [ '' => [qw(zstd --facts)] ],
        [ '' => [qw(x11 --check :1)] ]
    ) {
        my ($plan,  $call)   = @$case;
        my ($name,  @words)  = ref $call ? @$call : $call;
        my ($first, $second) = map { answer($_, $name, $plan, @words) } $Fake::PROGRAM, "$perl";
        ok($first eq $second, "$name @words: $plan") or diag(substr "$first\n$second", 0, 1000);
    }
    my @in_c    = Fake::read_file("$Fake::BASE/t/fake/fake.c") =~ /^\t\{ "([\w-]+)", [a-z_]+ \},$/mg;
    my ($known) = Fake::read_file("$perl")                     =~ /^my %KNOWN = \((.*?)^\);/ms;
    my @in_perl = $known                                       =~ /^    '?([\w-]+)'? +=>/mg;
    is(join(' ', sort @in_perl), join(' ', sort @in_c), 'and have the same behaviours');
};

done_testing;
