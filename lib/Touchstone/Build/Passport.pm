# SPDX-License-Identifier: GPL-2.0-or-later
# Build::Passport - one number for what was measured: the SHA-256 of all facts in which two builds can
# differ, written like this in the order of the letters. Equal passports mean the same tests, sources,
# compiler, flags, C library, libraries that are linked in (libraries_SUITE) and programs, to the octet.
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
package Touchstone::Build::Passport;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);

my $FIRST_LINE = 'touchstone passport 1';

# Takes suites => { name => version } and the facts of Build::complete; it ignores facts that are not listed
# in `text`.
sub passport {
    my (%facts) = @_;
    return sha256_hex(text(%facts));
}

sub text {
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

1;
