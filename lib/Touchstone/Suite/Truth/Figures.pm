# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Figures - what the programs of probes told in their passes, and such figures as texts.
package Touchstone::Suite::Truth::Figures;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text);

our @EXPORT_OK = qw(figures if_known median_of system_fact system_number);

use Touchstone::Stats;

# A fact of the system has at most so many letters.
my $LETTERS = 200;

# Returns the figures of this name, one of each pass that has it, within [least, most].
sub figures {
    my ($passes, $name, $limits) = @_;
    return grep { defined }
        map { my ($first) = as_hashes($_->{figures}); as_number(as_hash($first)->{$name}, $limits) } @$passes;
}

# The middle one, or undef.
sub median_of {
    my (@values) = @_;
    return @values ? Touchstone::Stats::median(@values) : undef;
}

# Returns values in a format, or by a function and with "and", or undef where one of them is not known.
sub if_known {
    my ($as, @values) = @_;
    return undef if grep { !defined } @values;
    return ref $as ? join(' and ', map { $as->($_) } @values) : sprintf $as, @values;
}

# What the system says of itself, as a text or undef.
sub system_fact {
    my ($facts, $name) = @_;
    return as_text(as_hash(as_hash($facts->{equipment})->{truth})->{$name}, $LETTERS);
}

sub system_number {
    my ($facts, $name, $limits) = @_;
    return as_number(as_hash(as_hash($facts->{equipment})->{truth})->{$name}, $limits);
}

1;
