# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Parts - the verdicts of Touchstone::Suite::Truth::Tables as parts of a page:
#
#   Truth
#   =====
#   Clocks (as told): The clocks agree within 0.3 ppm.
#
#   Evidence: Clocks
#
#     - steps back between CPUs: 0 of 1,474,490 exchanges
package Touchstone::Suite::Truth::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain_data);
use Touchstone::Suite::Truth::Rows;

# A line of a terminal has $WIDTH letters.
my $WIDTH = 98;

# `wide` is for a page; otherwise no line has more than 100 letters.
sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    my @said = _said($tables) or return;

    # Pages and Markdown begin with the headlines, and need no sentence twice.
    my @sentences =
        $with{wide} || $with{form} ? () : map { [ text => split /\n/, _folded($_->{line}, $WIDTH) ] } @said;
    my @evidence = map { _evidence($_, %with) } grep { @{ $_->{evidence} } } @said;
    return @sentences || @evidence ? ([ heading => 'Truth' ], @sentences, @evidence) : ();
}

# A line for each probe.
sub headlines {
    my ($tables) = @_;
    return if !$tables;
    return map { $_->{line} } _said($tables);
}

# The verdicts in the order of the probes, with their names.
sub _said {
    my ($tables) = @_;
    $tables = plain_data($tables);
    return map {
        my ($name, undef, $row) = @$_;
        my $said = $tables->{$name};
        +{ %$said, name => $row->{label}, line => "$row->{label} ($said->{verdict}): $said->{sentence}" }
    } grep { $tables->{ $_->[0] } } Touchstone::Suite::Truth::Rows::probes();
}

sub _folded { my ($text, $most) = @_; return Touchstone::Base::Text::folded($text, $most) }

# Lines of figures are broken where there is no page to do it.
sub _evidence {
    my ($said, %with) = @_;
    my @rows = @{ $said->{evidence} };
    return [
        fold => "$said->{name}: $said->{verdict}",
        [
            table => {
                caption => "Evidence: $said->{name}",
                head    => [ 'what', 'figure' ],
                left    => [ 0,      1 ],
                rows    => \@rows
            }
        ]
        ]
        if $with{wide};
    return ([ text => "Evidence: $said->{name}" ],
        [ points => map { _folded("$_->[0]: $_->[1]", $WIDTH - 4) } @rows ]);
}

1;
