#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# All sources compile for macOS, BSD and systems of 32 bits with their headers, which PyPI's package ziglang
# contains, also in a virtual environment (TOUCHSTONE_ZIG='venv/bin/python -m ziglang'). The real make runs
# with a compiler that does not link, because zig builds the libc of each target for that, in minutes.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;

my @TARGETS = split ' ', $ENV{TOUCHSTONE_TARGETS} // join ' ',
    qw(aarch64-macos x86_64-freebsd x86_64-netbsd x86_64-openbsd arm-linux-musleabihf
    riscv32-linux-musl x86-linux-musl powerpc-linux-musleabi);
my $OF_32_BITS = qr/\A(?:arm|riscv32|x86|powerpc)-/;

# Warnings of clang about numbers that lose bits.
my $LOSES = qr/\[-W(?:shorten-64-to-32|implicit-int-conversion|sign-conversion|constant-conversion)\]/;

my ($zig) = grep { length && `$_ version 2>/dev/null` =~ /^\d/ } $ENV{TOUCHSTONE_ZIG} // '', 'zig',
    'python3 -m ziglang';
plan skip_all => 'there is no zig: set TOUCHSTONE_ZIG, or pip install ziglang' if !defined $zig;
my $dir = File::Temp->newdir;

# Writes a compiler for a target. It compiles without optimisation; linking makes an empty program, and finds
# no library but libc.
sub compiler_for {
    my ($target) = @_;
    my $file = "$dir/cc-$target";
    Fake::write_file($file, <<"END");
#!/bin/sh
case " \$* " in
*' -c '* | *' -E '* | *' --version '* | *' -dumpmachine '*)
    exec $zig cc -target $target "\$@" -O0 ;;
*' -fsyntax-only '*)
    defines=
    for word; do case \$word in -D*) defines="\$defines \$word" ;; esac; done
    if [ "\$word" = - ]; then cat; fi >'$file.c'
    exec $zig cc -target $target \$defines -c -o '$file.o' '$file.c' ;;
*' -lzstd '* | *' -lcrypto '*) exit 1 ;;
esac
while [ \$# -gt 1 ] && [ "\$1" != -o ]; do shift; done
: >"\$2" && chmod 755 "\$2"
END
    chmod 0755, $file or die "cannot change the mode of '$file': $!\n";
    return $file;
}

# Returns the C files of src; zstd needs its library and Fortran its compiler, which no target has.
sub sources {
    my @files;
    find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.c\z/ && !m{/zstd\.c\z|/fortran/} } }, 'src');
    return @files;
}

# Returns the files that the objects below a directory were made of.
sub compiled {
    my ($obj) = @_;
    my %is;
    find(
        {
            no_chdir => 1,
            wanted   => sub { $is{ s{\A\Q$obj\E/}{src/}r =~ s/\.o\z/.c/r } = 1 if /\.o\z/ && -s }
        },
        $obj
    );

    # These are one source compiled in several ways.
    my %made_of = (
        dhrystone_1 => 'dhry2_1',
        dhrystone_2 => 'dhry2_2',
        arithmetic  => 'int',
        whetstone   => 'whetstone-double'
    );
    $is{"src/unixbench/variants/$_.c"} ||= $is{"src/unixbench/variants/$made_of{$_}.c"} for keys %made_of;
    return \%is;
}

chdir $Fake::BASE or die "cannot change to '$Fake::BASE': $!\n";
for my $target (@TARGETS) {
    my $cc     = compiler_for($target);
    my $places = "OBJ='$dir/$target/obj' BIN='$dir/$target/bin'";
    my $output = `MAKEFLAGS= make -s -k CC='$cc' FC=false FLAVOUR=portable NM=none $places 2>&1`;
    my $made   = compiled("$dir/$target/obj");
    my @not    = grep { !$made->{$_} } sources();
    is("@not", '', "$target: " . sources() . ' files compile');
    my @errors = grep { /error:|\*\*\*/ } split /\n/, $output;
    is($? >> 8, 0, "$target: make ends well")
        or diag(join "\n", @errors[ 0 .. ($#errors > 19 ? 19 : $#errors) ]);
    next if $target !~ $OF_32_BITS;
    is(join("\n", grep { /$LOSES/ } split /\n/, $output), '', "$target: no number loses bits");
}

done_testing;
