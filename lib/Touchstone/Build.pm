# SPDX-License-Identifier: GPL-2.0-or-later
# Build - facts about the programs and the tools that are measured: what made them, and which they are. What
# cannot be found out is "unknown", never an error. What make wrote beside the programs, build.facts and
# build.sources:
#
#   compiler=cc
#   flags_unixbench=-O3 -ffast-math -march=native -mtune=native -fno-lto
#   compiler_version=cc (Debian 12.2.0-14+deb12u1) 12.2.0
#   libc=glibc 2.36
#   linker=GNU ld (GNU Binutils for Debian) 2.40
#
#   bddfd0d30a7bfc6a9f17e82cd135c1e5e8290efa42f90f5824c037018360263b
package Touchstone::Build;
use 5.014;
use strict;
use warnings;

use Cwd ();

use Touchstone::Build::Passport;
use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my $UNKNOWN = 'unknown';

# Flags that are no suite's alone: of the harness, and of CFLAGS and LDFLAGS. looper and tst.sh serve several
# suites, as it were tools.
my $ALWAYS = qr/\A(?:harness|user)\z/;

# Scripts that a measured script starts, which no row names.
my %STARTS = ('multi.sh' => ['tst.sh']);

# Octets of a tool's own SHA-256 that stand for a version where it tells none.
my $SHOWN = 12;

# What make wrote.
sub facts {
    my ($bin) = @_;
    my %facts = (Touchstone::Machine::Sysfile::text("$bin/build.facts") // '') =~ /^(\w+)=(.*)$/mg;
    return { compiler => $UNKNOWN, compiler_version => $UNKNOWN, %facts };
}

# The same without the flags of suites that have no part in these tests, and all else that their scores depend
# on: { libc, linker, sources => SHA-256, binaries => { program => SHA-256 }, tools => { command => version },
# ... }; measured_compiler when a test measures it, work_factor when it is not 1.
sub complete {
    my ($bin, @tests) = @_;
    my %facts  = (libc => $UNKNOWN, linker => $UNKNOWN, %{ facts($bin) });
    my %suites = map { $_->{suite} => 1 } @tests;
    delete @facts{
        grep { /\A(?:flags|linkage)_(\w+?)(?:_fortran)?\z/ && $1 !~ $ALWAYS && !$suites{$1} }
            keys %facts
    };

    # Who uses one says in the equipment which.
    delete $facts{libraries};
    delete @facts{qw(fortran fortran_version)} if !grep { $_->{fortran} } @tests;
    $facts{sources}  = _or_unknown(Touchstone::Machine::Sysfile::line("$bin/build.sources"));
    $facts{binaries} = { map { $_ => _sha256("$bin/$_") } _programs(@tests) };
    $facts{tools}    = {};
    my %measured = map { $_ => 1 } map {
        (keys %{ $_->{needs} }, grep { $_ eq '/bin/sh' } @{ $_->{args} })
    } @tests;

    if (delete $measured{'%{cc}'}) {
        $facts{measured_compiler} = measured_compiler(compiler());
        $facts{tools}{cc} = $facts{measured_compiler}{version};
    }
    $facts{tools}{ $_ eq '/bin/sh' ? 'sh' : $_ } = _version($_) for keys %measured;
    my $factor = $ENV{MULTI_SH_WORK_FACTOR} // '';
    $facts{work_factor} = $factor if $factor !~ /\A1?\z/;
    return \%facts;
}

# The compiler that the tests C and cc84 measure: what CC names, or cc.
sub compiler {
    my $named = $ENV{CC} // '';
    return $named =~ /\S/a ? $named : 'cc';
}

# That of the programs in Fortran: what FC names, or gfortran.
sub fortran {
    my $named = $ENV{FC} // '';
    return $named =~ /\S/a ? $named : 'gfortran';
}

sub measured_compiler {
    my ($command) = @_;
    return {
        command => $command,
        version => Touchstone::Machine::Command::first_line(split(' ', $command), '--version') // $UNKNOWN
    };
}

sub _or_unknown {
    my ($text) = @_;
    return length($text // '') ? $text : $UNKNOWN;
}

# Files of the program directory that the tests run, each once.
sub _programs {
    my (@tests) = @_;
    my @scripts = map { m{\A%\{bin\}/(.+)}s } map { @{ $_->{args} } } @tests;
    my %files = map { $_ => 1 } (map { $_->{program} } @tests), map { ($_, @{ $STARTS{$_} || [] }) } @scripts;
    return sort keys %files;
}

sub _sha256 {
    my ($file) = @_;
    my $octets = Touchstone::Machine::Sysfile::text($file) // return $UNKNOWN;
    return Touchstone::Build::Passport::sha256($octets);
}

# What a tool says of itself, or, as dash and busybox take no --version, which file it is: 'dash
# (/usr/bin/dash, SHA-256 3d1f02a9c4b7)'.
sub _version {
    my ($tool) = @_;
    my $path   = Touchstone::Machine::Command::find($tool) // return $UNKNOWN;
    my $file   = Cwd::abs_path($path)                      // $path;
    my ($name) = $file =~ m{([^/]+)\z};

    # One file is all of busybox's tools, and without arguments it says which it is.
    my $said =
        $name =~ /\Abusybox/
        ? Touchstone::Machine::Command::first_line($file)
        : Touchstone::Machine::Command::first_line($tool, '--version');
    return $said // "$name ($file, SHA-256 " . substr(_sha256($file), 0, $SHOWN) . ')';
}

1;
