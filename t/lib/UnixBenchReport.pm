# SPDX-License-Identifier: GPL-2.0-or-later
# UnixBenchReport - text reports of invented runs of UnixBench, for tests.
package UnixBenchReport;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Suite;

my %BASELINE = (
    dhry2reg           => 116700,
    'whetstone-double' => 55,
    execl              => 43,
    fstime             => 3960,
    fsbuffer           => 1655,
    fsdisk             => 5800,
    pipe               => 12440,
    context1           => 4000,
    spawn              => 126,
    shell1             => 42.4,
    shell8             => 6,
    syscall            => 15000
);

# A report with the index of each number of copies. `factor`: a test of the index is so many hundred times its
# baseline, and a little more than the one before it.
sub text {
    my (%run) = @_;
    my %title = map { $_->{name} => $_->{title} } Touchstone::Suite::load()->tests;
    my $cpus  = $run{cpus} // 2;
    my $cpu   = $run{cpu}  // 'AMD EPYC 7763 64-Core Processor';
    my $text  = defined $run{version} ? <<"END" : '';
   BYTE UNIX Benchmarks (Version $run{version})

   System: vm: GNU/Linux
   OS: GNU/Linux -- 6.1.0 -- #1 SMP
   Machine: x86_64 (unknown)
   Language: en_US.utf8 (charmap="UTF-8", collate="UTF-8")
   CPU 0: $cpu (4890.0 bogomips)
          x86-64, MMX
   01:57:38 up  1:08,  0 user,  load average: 0.10, 0.10, 0.10; runlevel 5

END
    return $text . join '', map { _block($_, $cpus, $run{factor} // 100, \%title) } @{ $run{copies} || [1] };
}

sub _block {
    my ($copies, $cpus, $factor, $title) = @_;
    my $word  = $copies == 1 ? 'copy' : 'copies';
    my $place = 0;
    my @rows  = map {
        my $index = sprintf '%.1f', 10 * $factor * $copies**0.8 * (1 + $place++ / 100);
        [ $title->{$_}, $BASELINE{$_}, $index * $BASELINE{$_} / 10, $index ];
    } @{ Touchstone::Suite::load()->groups->{index} };
    my $mean = exp(sum(map { log $_->[3] } @rows) / @rows);
    return join '', '-' x 72, "\nBenchmark Run: Sat Nov 21 2026 01:57:38 - 02:25:04\n",
        "$cpus CPUs in system; running $copies parallel $word of tests\n\n",
        (map { sprintf "%-40s %12.1f lps   (10.0 s, 7 samples)\n", @$_[ 0, 2 ] } @rows),
        "\nSystem Benchmarks Index Values               BASELINE       RESULT    INDEX\n",
        (map { sprintf "%-40s %12.1f %12.1f %8.1f\n", @$_ } @rows), ' ' x 67, "========\n",
        sprintf "System Benchmarks Index Score %45.1f\n\n", $mean;
}

1;
