# SPDX-License-Identifier: GPL-2.0-or-later
# Passes - made-up passes of probes, and what a probe says of them:
#
#   my $said = said('Exit', { hypervisor => 'yes' }, passes({ cpuid => [ 1400, 1410 ], call => 130 }));
#   is($said->{verdict}, 'confirmed');
package Passes;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max);
use Test::More;

use lib 'lib';
use Touchstone::Suite::Truth::Rows;

our @EXPORT = qw(evidence passes said says figures_of);

# A figure of a list has its values in the passes, any other is the same in all six. `others` is how many CPUs
# other programs used.
sub passes {
    my ($figures, $others) = @_;
    my $count = max(6, map { ref eq 'ARRAY' ? scalar @$_ : 0 } values %$figures);
    return [
        map {
            my $at = $_;
            {
                round   => 1,
                figures => [
                    {
                        map {
                                  $_ => ref $figures->{$_} eq 'ARRAY' && @{ $figures->{$_} }
                                ? $figures->{$_}[$at]
                                : $figures->{$_}
                            }
                            keys %$figures
                    }
                ],
                counters => { seconds => 1, other => $others // 0 }
            }
        } 0 .. $count - 1
    ];
}

sub said {
    my ($probe, $system, $passes, %more) = @_;
    my $package = "Touchstone::Suite::Truth::Probe::$probe";
    Touchstone::Suite::Truth::Rows::probes();
    return $package->can('judge')->({ equipment => { truth => $system }, %more }, {}, $passes);
}

# The verdict of these words, whose sentence fits a pattern and the limits of a report.
sub says {
    my ($what, $verdict, $pattern, $said) = @_;
    is($said->{verdict}, $verdict, "$what: $verdict");
    like($said->{sentence}, $pattern, "$what: says why");
    unlike($said->{sentence}, qr/  |\n/, "$what: one line");
    cmp_ok(length $said->{sentence}, '<=', 600, "$what: not too long");
    return;
}

sub evidence {
    my ($said, $what) = @_;
    my ($row) = grep { $_->[0] eq $what } @{ $said->{evidence} };
    return $row ? $row->[1] : undef;
}

# The figures that a program told, by name.
sub figures_of {
    my ($err) = @_;
    return { $err =~ /^FIGURE\|([\w.-]+)\|([\d.e+-]+)/mg };
}

1;
