#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Damages files that others may give us, N times for each reader, and shows whatever is read in every form:
# perl t/fuzz/readers.pl [N [SEED]]. Each fault is reported with the file in which its text was saved, and
# then the exit status is 1. perl t/fuzz/readers.pl FILE... reads such files once more. The same N and SEED
# give the same damage.
#
#   record      10000 mutations: 4123 read, 5877 refused, 0 faults
use 5.014;
use strict;
use warnings;

use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Spec ();
use File::Temp ();
use lib dirname(__FILE__) . '/../lib', dirname(__FILE__) . '/../../lib';
use CpuTime;
use Mutation;

my $MOST_KEPT = 20;

$| = 1;
my $dir     = File::Temp->newdir;
my @readers = Mutation::readers($dir);
my %saved;

# The file is copied, instead of writing the text, because after a hang only the file is left.
sub save {
    my ($reader, $file) = @_;
    my $number = ++$saved{ $reader->{name} };
    my $kept   = File::Spec->tmpdir . "/fuzz-$$-$reader->{name}-$number-$reader->{file}";
    copy($file, $kept) or die "cannot write '$kept': $!\n";
    return $kept;
}

sub try_one {
    my ($reader, $file, $text, $count) = @_;
    my $got = CpuTime::within(
        "$reader->{name}, as it was saved",
        sub { Mutation::fault_of($reader, $file, $text) },
        sub { print "saved in ", save($reader, $file), "\n" }
    );
    $count->{ $got->{refused} ? 'refused' : 'read' }++;
    return $got if !$got->{fault} || ++$count->{faults} > $MOST_KEPT;
    print "$reader->{name}: $got->{fault}" =~ s/\n*\z//r =~ s/[^ -~\n]/?/gr, "\n  saved in ",
        save($reader, $file), "\n";
    return $got;
}

sub fuzz {
    my ($reader, $times) = @_;
    my $file  = "$dir/$reader->{file}";
    my %count = (read => 0, refused => 0, faults => 0);
    for my $sample (@{ $reader->{samples} }) {
        my $refused = try_one($reader, $file, $sample, {})->{refused};
        die "a sample of '$reader->{name}' was refused: $refused" if $refused;
    }
    try_one($reader, $file, Mutation::mutated($reader), \%count) for 1 .. $times;
    printf "%-11s %d mutations: %d read, %d refused, %d faults\n", $reader->{name}, $times,
        @count{qw(read refused faults)};
    return $count{faults};
}

# A saved mutation has the name of its reader within its own.
sub again {
    my ($path)   = @_;
    my ($reader) = grep { basename($path) =~ /\Afuzz-\d+-\Q$_->{name}\E-/ } @readers;
    die "no reader for '$path'\n" if !$reader;
    open my $in, '<', $path or die "cannot open '$path': $!\n";
    my $text = do { local $/; <$in> }
        // '';
    my $got = try_one($reader, "$dir/$reader->{file}", $text, {});
    print "$path: ", $got->{fault} ? "a fault\n" : $got->{refused} ? "refused: $got->{refused}" : "read\n";
    return $got->{fault} ? 1 : 0;
}

my $faults = 0;
if (@ARGV && $ARGV[0] !~ /\A\d+\z/) { $faults += again($_) for @ARGV }
else {
    my ($times, $seed) = @ARGV;
    Mutation::seed($seed) if defined $seed;
    $faults += fuzz($_, $times // 10_000) for @readers;
}
exit($faults ? 1 : 0);
