#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make FLAVOUR=portable builds for every CPU of the architecture, and the same bytes wherever it is made.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use Digest::SHA ();
use File::Path qw(make_path);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Files;
use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Run::Preflight;

delete @ENV{ grep { /^(?:UB_|MAKE|MFLAGS|BUILD$|FLAVOUR$|CC$|CFLAGS$|LDFLAGS$)/ } keys %ENV };
my $base = getcwd();
my $make = (grep { Touchstone::Machine::Command::find($_) } qw(gmake make))[0]
    or plan skip_all => 'there is no make';
my $place = File::Temp->newdir;

# One program has flags of UnixBench, one a flag of its own.
my @BUILT = qw(pipe matrix);

# A tree of sources in a directory of this name.
sub tree {
    my ($name) = @_;
    my $tree = "$place/$name";
    make_path($tree);
    system('cp', '-R', (map { "$base/$_" } qw(Makefile src testdir)), $tree) == 0 or die "cannot copy\n";
    make_path("$tree/pgms");
    system('cp', glob("$base/pgms/*.sh $base/pgms/*.base $base/pgms/*.csv"), "$tree/pgms") == 0
        or die "cannot copy\n";
    return $tree;
}

# Returns the output of make in a tree with words of the command line.
sub built {
    my ($tree, @words) = @_;
    local $ENV{LC_ALL} = 'C';
    open my $said, '-|', 'sh', '-c', 'cd "$1" && shift && exec "$@" 2>&1', 'sh', $tree, $make, '-s', @words,
        "ONLY=@BUILT", 'all'
        or die "cannot start make: $!\n";
    local $/;
    return scalar(<$said>) // '';
}

sub isa { my ($tree, $bin) = @_; return Touchstone::Build::facts("$tree/" . ($bin // 'pgms'))->{isa} }

# Programs and what make notes of them, with their digests.
sub digests {
    my ($tree) = @_;
    return {
        map { $_ => Digest::SHA->new(256)->addfile("$tree/pgms/$_")->hexdigest } @BUILT,
        qw(build.facts build.sources)
    };
}

my $tree = tree(q{a 'first' $HOME & tree});

subtest 'a portable build is byte-identical in another directory, of another user mask' => sub {
    my $other = tree('second');
    is(built($tree, 'FLAVOUR=portable', 'CFLAGS=-g'), '', 'one build says nothing');
    my $mask = umask 077;
    is(built($other, 'FLAVOUR=portable', 'CFLAGS=-g'), '', 'nor does the other');
    umask $mask;
    is_deeply(digests($other), digests($tree), 'equal programs and facts');
};

subtest 'the facts say what a build is for' => sub {
    my $facts = Touchstone::Build::facts("$tree/pgms");
    is($facts->{isa}, 'baseline', 'a portable build is for every CPU');
    my @flags = grep { /^flags_/ && $facts->{$_} =~ /-m(?:arch|cpu|tune)=/ } keys %$facts;
    is("@flags", '', 'and has no flag of a CPU');
    if ($^O eq 'linux' && (POSIX::uname())[4] eq 'x86_64') {
        for my $flags (qw(CFLAGS FFLAGS)) {
            is(built($tree, "BUILD=$flags", 'FLAVOUR=portable', "$flags=-march=x86-64"), '', "$flags: named");
            is(isa($tree, "pgms.d/$flags"), 'x86-64', 'is for what the flag names');
        }
    }
    built($tree);
    $facts = Touchstone::Build::facts("$tree/pgms");
    my $native = grep { /^flags_/ && $facts->{$_} =~ /-m(?:arch|cpu)=native/ } keys %$facts;
    is($facts->{isa} eq 'native', $native > 0, 'without FLAVOUR it is for this CPU');
};

subtest 'FLAVOUR is one of two words, and only of the command line' => sub {
    for my $wrong ('', 'x', 'native portable', '$(shell echo portable >made)') {
        like(built($tree, "FLAVOUR=$wrong"), qr/ allowed are native and portable/, "not '$wrong'");
    }
    ok(!-e "$tree/made", 'nothing of it was executed');
    local $ENV{FLAVOUR} = 'x';
    is(built($tree), '', 'the environment does not count');
};

# make is a stand-in that keeps what it was told, and fails.
subtest 'when a program is missing, Run has it built as the others are' => sub {
    my $stub = "$place/stub";
    make_path("$stub/pgms");
    for my $name (qw(make gmake)) {
        spew("$stub/$name", qq{#!/bin/sh\necho "\$*" >>'$stub/told'\nexit 1\n});
        chmod 0755, "$stub/$name";
    }
    my $places =
        { base => $stub, bin => "$stub/pgms", testdir => "$stub/testdir", source => 1, own_bin => 1 };
    my %expected = (native => 0, baseline => 1, 'x86-64-v3' => 0);
    for my $isa (sort keys %expected) {
        spew("$stub/pgms/build.facts", "isa=$isa\n");
        spew("$stub/Makefile",         '');
        unlink "$stub/told";
        local $ENV{PATH} = "$stub:$ENV{PATH}";
        eval {
            Touchstone::Run::Preflight::build(
                $places,
                bless({}, 'Silent'),
                sub { 0 },
                { program => 'pipe', inputs => [] }
            );
        };
        like($@, qr/\Acannot build the programs: /, "$isa: make was asked") or next;
        my @told = grep { / all$/ } split /\n/, slurp("$stub/told");
        cmp_ok(scalar(@told), '>', 0, "$isa: for all programs");
        is(scalar(grep { /FLAVOUR=portable/ } @told), $expected{$isa} ? @told : 0, "$isa: of this flavour");
    }
};

sub Silent::note  { }
sub Silent::stage { }

done_testing();
