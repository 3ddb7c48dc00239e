# SPDX-License-Identifier: GPL-2.0-or-later
# Filtered - puts this process, and all that it starts, behind a filter of system calls (seccomp) like that of
# a container: a list of numbers that are allowed, one compared after the other. It cannot be taken off.
#
#   Filtered::can()           or skip: this system, or Perl, knows no such filter
#   Filtered::filter()        as kernels since 5.11 do it: what the number alone decides is decided once
#   Filtered::filter(look => 1)   looks at an argument, too: the list is walked at every call
#   Filtered::filter(perf => EPERM)   perf_event_open fails with this error
package Filtered;
use 5.014;
use strict;
use warnings;

use Config;
use POSIX ();

# prctl's number, what the kernel calls the architecture, and perf_event_open's number.
my %KNOWN = (
    x86_64    => [ 157, 0xC000003E, 298 ],
    aarch64   => [ 167, 0xC00000B7, 241 ],
    riscv64   => [ 167, 0xC00000F3, 241 ],
    'ppc64le' => [ 171, 0xC0000015, 319 ],
    s390x     => [ 172, 0x80000016, 331 ],
);
my ($NO_NEW_PRIVILEGES, $SECCOMP, $FILTER) = (38, 22, 2);

# Instructions of the filter, and what it may answer.
my ($LOAD, $EQUAL, $RETURN) = (0x20, 0x15, 0x06);
my ($ALLOW, $REFUSE) = (0x7fff0000, 0x00050000);
my $MISSING = $REFUSE | POSIX::ENOSYS();

# Where the filter finds number, architecture and first argument of a call. A higher number is refused.
my ($NUMBER, $ARCHITECTURE, $ARGUMENT) = (0, 4, 16);
my $HIGHEST = 460;

sub _known { return $KNOWN{ (POSIX::uname())[4] } }

sub can { return $^O eq 'linux' && $Config{ptrsize} == 8 && _known() ? 1 : 0 }

sub filter {
    my (%how) = @_;
    my ($prctl, $architecture, $perf) = @{ _known() };
    my @code = (
        [ $LOAD,   0, 0, $ARCHITECTURE ],
        [ $EQUAL,  1, 0, $architecture ],
        [ $RETURN, 0, 0, $ALLOW ],
        $how{look}
        ? ([ $LOAD, 0, 0, $ARGUMENT ], [ $EQUAL, 0, 1, 0xfedcba98 ], [ $RETURN, 0, 0, $MISSING ])
        : (),
        [ $LOAD, 0, 0, $NUMBER ],
        $how{perf} ? ([ $EQUAL, 0, 1, $perf ], [ $RETURN, 0, 0, $REFUSE | $how{perf} ]) : (),
        (map { ([ $EQUAL, 0, 1, $_ ], [ $RETURN, 0, 0, $ALLOW ]) } 0 .. $HIGHEST),
        [ $RETURN, 0, 0, $MISSING ]
    );
    my $code    = join '', map { pack 'SCCL', @$_ } @code;
    my $program = pack 'Sx![Q]P', scalar @code, $code;
    syscall($prctl, $NO_NEW_PRIVILEGES, 1, 0,        0, 0) == 0 or die "cannot give up new privileges: $!\n";
    syscall($prctl, $SECCOMP, $FILTER,     $program, 0, 0) == 0 or die "cannot filter system calls: $!\n";
    return;
}

1;
