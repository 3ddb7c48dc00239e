# SPDX-License-Identifier: GPL-2.0-or-later
# Passport: equal builds have the same one, and every difference that may change a score gives another.
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Build;

my %FACTS = (
    suites           => { unixbench => 1 },
    sources          => '0a1b',
    compiler         => 'cc',
    compiler_version => 'cc (Debian) 12',
    flags_unixbench  => '-O3 -DX=1',
    flags_harness    => '-O2',
    flags_user       => '',
    libc             => 'glibc 2.36',
    linker           => 'GNU ld 2.40',
    ub_gcc_options   => '',
    binaries         => { pipe => '02b7', dhry2reg => '5a0c' },
    tools            => { sort => '9.1' },
);
my $TEXT = <<'END';
touchstone passport 1
binary dhry2reg=5a0c
binary pipe=02b7
compiler_version=cc (Debian) 12
flags_harness=-O2
flags_unixbench=-O3 -DX=1
flags_user=
libc=glibc 2.36
sources=0a1b
suite unixbench=1
END

subtest 'its text has a line for each fact, in the order of the letters' => sub {
    is(Touchstone::Build::passport_text(%FACTS), $TEXT, 'a build');
    is(
        Touchstone::Build::passport_text(),
        "touchstone passport 1\ncompiler_version=unknown\nlibc=unknown\nsources=unknown\n",
        'one of which nothing is known'
    );
    is(Touchstone::Build::passport(%FACTS), sha256_hex($TEXT), 'the passport is its SHA-256');
};

subtest 'whatever may change a score changes it, and nothing else does' => sub {
    my $same  = Touchstone::Build::passport(%FACTS);
    my %other = (
        'version of a suite'     => { suites           => { unixbench => 2 } },
        'one suite more'         => { suites           => { unixbench => 1, more => 1 } },
        'no suite'               => { suites           => undef },
        sources                  => { sources          => '0a1c' },
        compiler                 => { compiler_version => 'cc 13' },
        flags                    => { flags_unixbench  => '-O3' },
        'flags of another suite' => { flags_more       => '' },
        'flags of the user'      => { flags_user       => '-g' },
        library                  => { libc             => 'glibc 2.37' },
        'a library linked in'    => { libraries_more   => 'libmore 1.0' },
        'its version'            => { libraries_more   => 'libmore 1.1' },
        'a program'              => { binaries         => { pipe => '02b8', dhry2reg => '5a0c' } },
        'one program less'       => { binaries         => { pipe => '02b7' } },
        'names changed over'     => { binaries         => { pipe => '5a0c', dhry2reg => '02b7' } },
        'no sources'             => { sources          => undef },
    );
    my %seen = ($same => 'the first');
    for my $what (sort keys %other) {
        my $passport = Touchstone::Build::passport(%FACTS, %{ $other{$what} });
        like($passport, qr/\A[0-9a-f]{64}\z/, "$what: it is a passport");
        is($seen{$passport}, undef, "$what: it is another");
        $seen{$passport} = $what;
    }
    is(Touchstone::Build::passport(%FACTS, @$_), $same, "$_->[0] makes no difference")
        for [ isa_level => 'x86-64-v3' ], [ compiler => '/usr/bin/cc' ], [ linker => 'LLD 14' ],
        [ tools => {} ], [ work_factor => 3 ],
        [ ub_gcc_options => '-O3' ];
};

subtest 'no fact can pass for another' => sub {
    my @facts = (
        { libc     => "x\nsources=0" },
        { libc     => 'x', sources => '0' },
        { libc     => 'x\x0asources=0' },
        { libc     => 'x ' },
        { binaries => { 'a=b'   => 'c' } },
        { binaries => { a       => 'b=c' } },
        { binaries => { "a=b\n" => 'c' } },
        { libc     => '' },
        {},
    );
    my %seen = map { Touchstone::Build::passport_text(%$_) => 1 } @facts;
    is(scalar keys %seen,                               scalar @facts, 'all texts differ');
    is(join(' ', grep { /[^\x20-\x7e\n]/ } keys %seen), '',            'and can be printed');
};

done_testing;
