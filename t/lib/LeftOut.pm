# SPDX-License-Identifier: GPL-2.0-or-later
# LeftOut - notes what tests leave out, and why: a line for each part, 'test: part: reason', in the file that
# TOUCHSTONE_LEFT_OUT names. It is loaded before a test, which does not know of it:
#
#   HARNESS_PERL_SWITCHES='-Mlib=t/lib -MLeftOut' TOUCHSTONE_LEFT_OUT=FILE make check
package LeftOut;
use 5.014;
use strict;
use warnings;

my ($test, $file) = ($0, $ENV{TOUCHSTONE_LEFT_OUT} // die "TOUCHSTONE_LEFT_OUT is not set\n");

sub note {
    my ($builder, $reason) = @_;
    my $part = $builder->name // '';
    open my $out, '>>', $file or die "cannot write '$file': $!\n";
    print {$out} join(': ', $test, $part eq $test ? () : $part, $reason =~ s/\s+/ /gr), "\n";
    close $out or die "cannot write '$file': $!\n";
    return;
}

# The test itself loads what is wrapped here.
INIT {
    my ($skip, $plan) = map { Test::Builder->can($_) } qw(skip plan);
    no warnings 'redefine';
    *Test::Builder::skip = sub { note($_[0], $_[1]);                                goto &$skip };
    *Test::Builder::plan = sub { note($_[0], $_[2]) if ($_[1] // '') eq 'skip_all'; goto &$plan };
}

1;
