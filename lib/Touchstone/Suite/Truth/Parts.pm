# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Parts - the verdicts of Touchstone::Suite::Truth::Tables as parts of a page:
#
#   Truth
#   =====
#   Clocks (confirmed): The clocks agree within 0.3 ppm.
#
#   Evidence: Clocks
#
#     - steps back between CPUs: 0 of 1,474,490 exchanges
package Touchstone::Suite::Truth::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain_data);
use Touchstone::Suite::Published qw(@NARROW @WIDE fitted);
use Touchstone::Suite::Truth::Rows;

# Pages and Markdown begin with the headlines, and need no sentence twice: `wide` is for a page, and another
# `form` than text has a name.
sub parts {
    my ($tables, %with) = @_;
    my @lines    = $tables ? _lines($tables) : () or return;
    my @evidence = map { _evidence($_) } @lines;
    return if !@evidence && ($with{wide} || $with{markup});
    my @sentences = map { [ text => $_->{line} ] } @lines;
    return ([ heading => 'Truth' ],
        fitted({ text => 98, points => 94 }, [ in => 'narrow', @sentences ], @evidence));
}

# A line for each probe.
sub headlines {
    my ($tables) = @_;
    return $tables ? map { $_->{line} } _lines($tables) : ();
}

# The verdicts in the order of the probes, with their names.
sub _lines {
    my ($tables) = @_;
    $tables = plain_data($tables);
    return map {
        my ($name, undef, $row) = @$_;
        my $entry = $tables->{$name};
        +{
            %$entry,
            name => $row->{label},
            line => "$row->{label} ($entry->{verdict}): $entry->{sentence}"
        }
    } grep { $tables->{ $_->[0] } } Touchstone::Suite::Truth::Rows::probes();
}

sub _evidence {
    my ($entry) = @_;
    my @rows    = @{ $entry->{evidence} } or return;
    my $title   = "Evidence: $entry->{name}";
    my $table   = { caption => $title, head => [ 'what', 'figure' ], left => [ 0, 1 ], rows => \@rows };
    return (
        [ @NARROW, [ text => $title ], [ points => map { "$_->[0]: $_->[1]" } @rows ] ],
        [ @WIDE,   [ fold => "$entry->{name}: $entry->{verdict}", [ table => $table ] ] ]
    );
}

1;
