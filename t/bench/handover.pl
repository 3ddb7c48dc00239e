#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what a hand-over between two builds costs: the time from the end of a turn to the start of the
# next, and what the caches of one leave for the other: the speed of the first tenth of a turn as a part of
# that of its second half, and what of a turn is left out for that. Both sides are the same programs.
#
#   perl -Ilib t/bench/handover.pl [seconds in all, 60 [tests, index]]
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();

use Touchstone::Record;
use Touchstone::Suite;

my ($seconds, @tests) = @ARGV;
$seconds //= 60;
@tests = 'index' if !@tests;
my $base = getcwd();
my $temp = File::Temp->newdir;
local $ENV{UB_RESULTDIR} = "$temp";
system(
    "'$^X' '$base/Run' duet -q pgms pgms -c 1 --fail-on 0.01% --budget ${seconds}s @tests >'$temp/out' 2>&1");
my ($file) = sort glob "$temp/.runs/*.json" or die "there is no record\n";
my $record = Touchstone::Record->load($file, "$temp/.runs");
my %last   = map { $_->{test} => $_ } grep { $_->{handover} } @{ $record->{passes} };
printf "%-18s %14s %14s %14s\n", 'Test', 'Hand-over', 'First tenth', 'Left out';

for my $test (Touchstone::Suite::arranged(sub { $_[0]{test} }, values %last)) {
    my $known = $test->{handover};
    printf "%-18s %11.0f us %14s %11.0f ms\n", $test->{test}, 1e6 * ($known->{gap} // 0),
        defined $known->{first} ? sprintf '%+.1f %%', 100 * ($known->{first} - 1) : '-',
        1e3 * $known->{left_out};
}
my %took   = map  { $_->{name} => 1 } @{ $record->{tests} };
my @passes = grep { !$last{$_} } sort keys %took;
print 'a pass for a turn: ', join(', ', @passes), "\n" if @passes;
