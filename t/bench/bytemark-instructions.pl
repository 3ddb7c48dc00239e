#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the user instructions for one iteration of each of BYTEmark's tests, including filling its buffers,
# with callgrind: the difference of "Collected" between two runs of different length, over the difference of
# iterations. The figures are compared with t/bench/bytemark.reference, so that a change of the work is
# noticed; with another compiler or C library there is no reference.
#
#   perl t/bench/bytemark-instructions.pl [record]
#
#   numeric-sort          2345835   reference 2345835   ok
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();

my @PROGRAMS = qw(numeric-sort string-sort bitfield fp-emulation fourier assignment idea huffman neural-net
    lu-decomposition);

# A figure may differ by this part because of alignment, and of memmove and similar functions, which are
# chosen for the processor.
my $ALLOWED = 0.01;
my $FILE    = dirname(__FILE__) . '/bytemark.reference';
my $RECORD  = (shift // '') eq 'record';

# Returns (instructions, iterations): each iteration starts its clock once.
sub run_for {
    my ($program, $seconds) = @_;
    my $profile = File::Temp->new;
    my $text =
        `valgrind --tool=callgrind --callgrind-out-file='$profile' pgms/$program $seconds 2>&1 >/dev/null`;
    my ($instructions) = $text =~ /Collected : (\d+)/ or die "callgrind says of '$program': $text";
    my $calls = do { local $/; <$profile> };
    my %name;
    $name{$1} = $2 while $calls =~ /^c?fn=(\(\d+\)) (\S+)/mg;
    my $iterations = 0;

    while ($calls =~ /^cfn=(\(\d+\)).*\ncalls=(\d+)/mg) {
        my ($id, $n) = ($1, $2);
        $iterations += $n if $name{$id} eq 'run_start';
    }
    die "'$program' ran no iteration: $text" if !$iterations;
    return ($instructions, $iterations);
}

sub per_iteration {
    my ($program) = @_;
    my ($least, $most, @one, @other) = (0.5, 20);
    @one = run_for($program, $least);
    for (my $seconds = 2 * $least; $seconds <= $most; $seconds *= 2) {
        @other = run_for($program, $seconds);
        last if $other[1] >= $one[1] + 3;
    }
    return sprintf '%.0f', ($other[0] - $one[0]) / ($other[1] - $one[1]);
}

# Returns everything that figures depend on, in a line.
sub circumstances {
    open my $in, '<', 'pgms/build.facts' or die "cannot read 'pgms/build.facts': $!\n";
    my %fact = do { local $/; <$in> }
        =~ /^(\w+)=(.*)$/mg;
    return join '; ',
        map { $fact{$_} // 'unknown' } qw(compiler_version flags_bytemark linkage_bytemark libc);
}

sub reference {
    open my $in, '<', $FILE or die "cannot read '$FILE': $!\n";
    my ($first, @lines) = grep { !/^#/ } <$in>;
    chomp $first;
    return ($first, map { split } @lines);
}

`valgrind --version 2>/dev/null` or do { print "# valgrind is not installed\n"; exit 0 };
my $here   = circumstances();
my %figure = map { $_ => per_iteration($_) } @PROGRAMS;
if ($RECORD) {
    open my $out, '>', $FILE or die "cannot write '$FILE': $!\n";
    print {$out}
        "# SPDX-License-Identifier: GPL-2.0-or-later\n# User instructions for an iteration: perl t/bench/bytemark-instructions.pl record\n$here\n";
    print {$out} map { "$_ $figure{$_}\n" } @PROGRAMS;
    close $out or die "cannot write '$FILE': $!\n";
}
my ($there, %reference) = reference();
my $failed = 0;
for my $program (@PROGRAMS) {
    my $known = $here eq $there ? $reference{$program} : undef;
    my $ok =
          defined $known
        ? abs($figure{$program} / $known - 1) <= $ALLOWED
            ? 'ok'
            : 'MISSED'
        : 'the reference is of another build';
    $failed++ if $ok eq 'MISSED';
    printf "%-18s %10d   reference %s   %s\n", $program, $figure{$program}, $known // $reference{$program},
        $ok;
}
exit($failed ? 1 : 0);
