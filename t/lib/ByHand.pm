# SPDX-License-Identifier: GPL-2.0-or-later
# ByHand - runs measured programs by hand, and tests what they answer:
#
#   is_error('missing', q(cannot run 'no such'), program('looper', 0.05, 'no such'));
package ByHand;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use File::Temp ();
use POSIX ();
use Test::More;

use lib dirname(__FILE__);
use Files;
use Programs;

our @EXPORT = qw($work slurp run program small_disk is_result is_usage is_error);

use constant LIMIT => 240;

# A shell in the background, nohup and cron start programs with some signals ignored, and a program that is
# started here would inherit that.
$SIG{$_} = 'DEFAULT' for grep { ($SIG{$_} // '') eq 'IGNORE' } qw(INT TERM HUP QUIT);

# Causes are compared as texts, here and in the programs.
$ENV{LC_ALL} = 'C';
POSIX::setlocale(POSIX::LC_ALL(), 'C');

our $work = File::Temp->newdir;

# Returns exit status, standard error and standard output of a command; SIGALRM ends a command that hangs.
sub run {
    my (@command) = @_;
    my $pid = fork;
    die "cannot fork: $!\n" if !defined $pid;
    if (!$pid) {
        open STDOUT, '>', "$work/out" or die "cannot redirect: $!\n";
        open STDERR, '>', "$work/err" or die "cannot redirect: $!\n";
        alarm LIMIT;
        { no warnings 'exec'; exec { $command[0] } @command }
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    return ($?, slurp("$work/err"), slurp("$work/out"));
}

sub program { return run(Programs::path($_[0]), @_[ 1 .. $#_ ]) }

my $NUMBER = qr/[0-9]+(?:\.[0-9]+)?/;
my $RESULT =
    qr/\A(?:FIGURE\|[\w.-]+\|$NUMBER(?:e[-+]\d+)?(?:\|\w+)?\n|MISSING\|[\w.-]+\|[^\n]+\n|HOW\|[\w.-]+\n)*COUNT\|($NUMBER(?:e[-+]\d+)?|-$NUMBER(?:e-\d+)?(?=\|0\|s\n))\|(?:0|1|60)\|[A-Za-z]+\nTIME\|$NUMBER\nCPU\|$NUMBER\|$NUMBER\nPREEMPTED\|\d+\nSLEPT\|\d+\nFAULTS\|\d+\|\d+\n\z/;

# Standard output is not checked: Dhrystone and Whetstone print their own reports there.
sub is_result {
    my ($what, $status, $err) = @_;
    is($status, 0, "$what: exit 0");
    my ($count) = $err =~ $RESULT;
    ok($count, "$what: a count above zero, a time, the CPU seconds, the switches and nothing else")
        or diag($err);
    return;
}

sub is_usage {
    my ($what, $status, $err) = @_;
    is($status, 2 << 8, "$what: exit 2");
    like($err, qr/^usage: \S.* /m, "$what: says how to call it");
    unlike($err, qr/COUNT/, "$what: no result");
    return;
}

sub is_error {
    my ($what, $pattern, $status, $err) = @_;
    is($status, 1 << 8, "$what: exit 1");
    like($err, qr/\AERROR\|[^\n]*$pattern[^\n]*\n\z/, "$what: one line says why");
    return;
}

# Returns the first words of a command for which $work is a file system with room for 20 KB; an empty list if
# that cannot be mounted.
sub small_disk {
    my @small = ('unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=20k none "$0" && exec "$@"', "$work");
    my ($status) = run(@small, 'true');
    return $status == 0 ? @small : ();
}

1;
