# SPDX-License-Identifier: GPL-2.0-or-later
# Build - facts about the programs and the tools that are measured: how they were made, and which they are.
# Facts that cannot be found are "unknown", never an error. make writes build.facts and build.sources beside
# the programs:
#
#   compiler=cc
#   flags_unixbench=-O3 -ffast-math -march=native -mtune=native -fno-lto
#   isa=native
#   isa_level=x86-64-v3
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
use Digest::SHA qw(sha256_hex);

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my $UNKNOWN = 'unknown';

# This is in a command that links a program.
my $LINKED = qr{ -o (pgms(?:\.d/[^/\s]+)?/[^/\s]+) };

# These flags belong to no single suite: those of the harness, and the user's CFLAGS and LDFLAGS.
my $ALWAYS = qr/\A(?:harness|user)\z/;

# These scripts are started by a measured script, so no row names them.
my %STARTS = ('multi.sh' => ['tst.sh']);

# A tool that tells no version is known by this many digits of its SHA-256.
my $SHOWN = 12;

# Returns what make wrote.
sub facts {
    my ($bin) = @_;
    my %facts = (Touchstone::Machine::Sysfile::text("$bin/build.facts") // '') =~ /^(\w+)=(.*)$/mg;
    return { compiler => $UNKNOWN, compiler_version => $UNKNOWN, %facts };
}

# Returns all facts that the scores of these tests depend on; it leaves out what belongs to other suites:
#
#   libc, linker, ...       the facts that make wrote
#   sources                 SHA-256
#   binaries                { program => SHA-256 }
#   tools                   { command => version }
#   measured_compiler       only if a test measures the compiler
#   work_factor             only if it is not 1
sub complete {
    my ($bin, @tests) = @_;
    my %facts  = (libc => $UNKNOWN, linker => $UNKNOWN, %{ facts($bin) });
    my %suites = map { $_->{suite} => 1 } @tests;
    delete @facts{
        grep { /\A(?:flags|libraries|linkage|least)_([^\W_]+)(?:_\w+)?\z/ && $1 !~ $ALWAYS && !$suites{$1} }
            keys %facts
    };

    # The equipment says which library a test has loaded; libraries_SUITE names those that are linked in.
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

# Returns the compiler that the tests C and cc84 measure: the one that CC names, or cc.
sub compiler {
    my $named = $ENV{CC} // '';
    return $named =~ /\S/a ? $named : 'cc';
}

# Returns the compiler of the Fortran programs: the one that FC names, or gfortran.
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

# Returns the files of the program directory that the tests run, each once.
sub _programs {
    my (@tests) = @_;
    my @scripts = map { m{\A%\{bin\}/(.+)}s } map { @{ $_->{args} } } @tests;
    my %files = map { $_ => 1 } (map { $_->{program} } @tests), map { ($_, @{ $STARTS{$_} || [] }) } @scripts;
    return sort keys %files;
}

sub _sha256 {
    my ($file) = @_;
    my $bytes = Touchstone::Machine::Sysfile::text($file) // return $UNKNOWN;
    return sha256_hex($bytes);
}

# Returns a tool's first line about itself. dash and busybox take no --version, so the file stands for it:
# 'dash (/usr/bin/dash, SHA-256 3d1f02a9c4b7)'.
sub _version {
    my ($tool) = @_;
    my $path   = Touchstone::Machine::Command::find($tool) // return $UNKNOWN;
    my $file   = Cwd::abs_path($path)                      // $path;
    my ($name) = $file =~ m{([^/]+)\z};

    # A single file is all of busybox's tools, and tells its version when started without arguments.
    my $output =
        $name =~ /\Abusybox/
        ? Touchstone::Machine::Command::first_line($file)
        : Touchstone::Machine::Command::first_line($tool, '--version');
    return $output // "$name ($file, SHA-256 " . substr(_sha256($file), 0, $SHOWN) . ')';
}

# Returns what the fact isa says of programs: 'native build', 'portable build' or 'build for x86-64-v3';
# nothing where it is not known.
our $PORTABLE = 'portable build';
my %KIND = (native => 'native build', baseline => $PORTABLE);

sub kind {
    my ($isa) = @_;
    return if !defined $isa || $isa eq $UNKNOWN || $isa !~ /\S/;
    return $KIND{$isa} // "build for $isa";
}

# Returns what builds of these kinds are to be compared with, in words.
sub only_with {
    my (@kinds) = @_;
    my $like =
        (grep { $_ eq $PORTABLE } @kinds) ? 'portable builds with portable builds' : 'builds of one kind';
    return "compare $like only";
}

# Returns the flags of the suites that were measured, as a line.
sub measured_flags {
    my ($build) = @_;
    my @suites = grep { !/\A(?:harness|user)\z/ } map { /\Aflags_(\w+)\z/ } sort keys %$build;
    return @suites == 1 ? $build->{"flags_$suites[0]"} : @suites ? join '; ',
        map { qq{$_: $build->{"flags_$_"}} } @suites   : 'unknown';
}

# The passport is one number for what was measured: the SHA-256 of all facts in which two builds can
# differ, written like this in the order of the letters. Equal passports mean the same tests, sources,
# compiler, flags, C library, libraries that are linked in (libraries_SUITE) and programs, to the byte.
#
#   touchstone passport 1
#   binary dhry2reg=5a0c0d0bd1f3...
#   binary pipe=02b7c1a59e1d...
#   compiler_version=cc (Debian 12.2.0-14+deb12u1) 12.2.0
#   flags_harness=-O2 -fno-lto
#   flags_unixbench=-O3 -ffast-math -march=native -mtune=native -fno-lto
#   flags_user=
#   libc=glibc 2.36
#   libraries_platform=libzstd 1.5.4, libcrypto 3.0.22
#   sources=bddfd0d30a7b...
#   suite unixbench=1

my $FIRST_LINE = 'touchstone passport 1';

# Takes suites => { name => version } and the facts of Build::complete; it ignores facts that are not listed
# in `passport_text`.
sub passport {
    my (%facts) = @_;
    return sha256_hex(passport_text(%facts));
}

sub passport_text {
    my (%facts) = @_;
    my %line    = map { $_ => $facts{$_} // 'unknown' } qw(sources compiler_version libc),
        grep { /\A(?:flags_|libraries_|fortran_version\z)/ } keys %facts;
    my %group = (suite => $facts{suites} || {}, binary => $facts{binaries} || {});
    for my $kind (keys %group) {
        $line{"$kind $_"} = $group{$kind}{$_} // 'unknown' for keys %{ $group{$kind} };
    }
    my @lines = sort map { _plain($_, '=') . '=' . _plain($line{$_}, '') } keys %line;
    return join '', map { "$_\n" } $FIRST_LINE, @lines;
}

# Escapes what could make different facts, however odd, look the same in the text.
sub _plain {
    my ($text, $also) = @_;
    return $text =~ s/([\x00-\x1f\x7f\\$also])/sprintf '\\x%02x', ord $1/ger;
}

# Returns a sub that counts the programs that a running make has built: { text => 'building 23 of 61',
# done => 23, all => 61 }. The recipes of our Makefile print nothing, so the sub looks at the files of the
# programs. make -n names them without building; with another make or Makefile it may name none.
sub progress_of_make {
    my ($base, $make, $stopped) = @_;
    my ($name, @words) = @$make;
    my ($status, $text) = Touchstone::Machine::Command::output([ $name, '-n', @words ], stopped => $stopped);
    my %programs = $status == 0 ? map { ("$base/$_" => 1) } $text =~ /$LINKED/g : ();
    my @files    = sort keys %programs;
    my $started  = time;

    # make removes an outdated program before it builds a new one, and leaves the others alone.
    return sub {
        my ($done, $missing) = (0, 0);
        for my $file (@files) {
            my $made = (stat $file)[9];
            if    (!defined $made)    { $missing++ }
            elsif ($made >= $started) { $done++ }
        }
        my $all = $done + $missing;
        return { text => 'building' . ($all ? " $done of $all" : ''), done => $done, all => $all };
    };
}

1;
