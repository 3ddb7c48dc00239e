# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Layout - where a program lies in memory. Linux draws the places of stack and heap anew for each
# process, and they also follow from the lengths of the environment and of the arguments. Some programs are
# some per cent faster in one layout than in another: of dhry2reg one process in five loses 5 %. Programs that
# are compared have the same layout each time, another one every time, so that this is no difference between
# them.
package Touchstone::Machine::Layout;
use 5.014;
use strict;
use warnings;

use Config;
use List::Util qw(sum);

# A layout repeats itself after a page.
our $PAGE = 4096;

# The number of Linux's call personality, by the beginning of Perl's name for the architecture.
my %CALL = (
    x86_64      => 135,
    amd64       => 135,
    i386        => 136,
    i486        => 136,
    i586        => 136,
    i686        => 136,
    aarch64     => 92,
    riscv64     => 92,
    loongarch64 => 92,
    arm         => 136,
    powerpc     => 136,
    ppc         => 136,
    s390        => 136
);
my $NOT_RANDOM = 0x0040000;
my $ASK        = 0xffffffff;

# From now on this process starts programs whose places are not drawn. It returns whether that is so: some
# containers do not allow it.
sub fix {
    return 0 if $^O ne 'linux';
    my ($known) = grep { $Config{archname} =~ /\A$_/ } sort { length $b <=> length $a } keys %CALL;
    return 0 if !defined $known || $Config{archname} =~ /x32/;
    my $now = syscall $CALL{$known}, $ASK;
    return 0 if $now == -1;
    syscall $CALL{$known}, $now | $NOT_RANDOM;
    return syscall($CALL{$known}, $ASK) & $NOT_RANDOM ? 1 : 0;
}

# Returns the octets by which the environment must grow so that a program with these arguments has the layout
# of this number.
sub padding {
    my ($layout, $environment, $program, @arguments) = @_;
    my $octets = sum(map { length($_) + 1 } $program,
        $program, @arguments, map { "$_=" . ($environment->{$_} // '') } keys %$environment);
    return ($layout - $octets) % $PAGE;
}

1;
