# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Beside - what suites show beside published results, as parts of a page; nothing for a run without such a suite.
package Touchstone::Report::Beside;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Compare::Against;
use Touchstone::Suite::Byte1984::Parts;
use Touchstone::Suite::Bytemark::Parts;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lmb1997::Parts;
use Touchstone::Suite::Platform::Parts;

my %PARTS = (
    against => \&Touchstone::Report::Compare::Against::parts,
    byte1984 => \&Touchstone::Suite::Byte1984::Parts::parts, bytemark => \&Touchstone::Suite::Bytemark::Parts::parts,
    lbt => \&Touchstone::Suite::Lbt::Parts::parts, lmb1997 => \&Touchstone::Suite::Lmb1997::Parts::parts,
    platform => \&Touchstone::Suite::Platform::Parts::parts,
);
my %HEADLINE = (against => \&Touchstone::Report::Compare::Against::headline, byte1984 => \&Touchstone::Suite::Byte1984::Parts::headline);

# `wide`: there is room for wide tables.
sub parts {
    my ($model, %with) = @_;
    return map { $PARTS{$_}->($model->{beside}{$_}, %with, build => $model->{build}) } _suites($model);
}

# A line for each suite.
sub headlines {
    my ($model) = @_;
    return map { my @said = $HEADLINE{$_}->($model->{beside}{$_}); @said ? join ', ', @said : () } grep { $HEADLINE{$_} } _suites($model);
}

sub _suites {
    my ($model) = @_;
    return grep { $PARTS{$_} } sort keys %{ $model->{beside} };
}

1;
