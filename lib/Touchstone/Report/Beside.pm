# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Beside - what suites show beside published results, as parts of a page; nothing for a run without such a suite.
package Touchstone::Report::Beside;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Compare::Against;
use Touchstone::Report::Byte1984;
use Touchstone::Report::Bytemark;
use Touchstone::Report::Lbt;
use Touchstone::Report::Lmb1997;
use Touchstone::Report::Platform;

my %PARTS = (
    against => \&Touchstone::Report::Compare::Against::parts,
    byte1984 => \&Touchstone::Report::Byte1984::parts, bytemark => \&Touchstone::Report::Bytemark::parts,
    lbt => \&Touchstone::Report::Lbt::parts, lmb1997 => \&Touchstone::Report::Lmb1997::parts,
    platform => \&Touchstone::Report::Platform::parts,
);
my %HEADLINE = (against => \&Touchstone::Report::Compare::Against::headline, byte1984 => \&Touchstone::Report::Byte1984::headline);

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
