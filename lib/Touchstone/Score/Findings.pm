# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Findings - what a run found out about its own scores, at its end:
#
#   { id => 'disturbed', passes => 74, among => 215, causes => [[other => 60], [steal => 20]], invalid => 1 }
#   { id => 'precision', wanted => 0.015, scores => 24, tests => [{ name => 'spawn', ... }, ...] }
#   { id => 'passes',    tests => [{ name => 'spawn', ... }, ...] }
#
# Each is there only where there is something to say. The tests are results, with their copies;
# Record::Warnings has the words.
package Touchstone::Score::Findings;
use 5.014;
use strict;
use warnings;

use Touchstone::Score::Disturbance;

# A score of which more than this part of the passes was disturbed is not valid.
my $TOO_MANY = 0.5;

# The findings of a run from its facts, the marks of each pass, and its blocks of results.
sub of {
    my ($facts, $marks, $blocks) = @_;
    my @tests = map {
        my $copies = $_->{copies};
        map {
            { %$_, copies => $copies }
        } @{ $_->{tests} }
    } @$blocks;
    return [ _disturbed($facts, $marks, @tests), _unsure($facts, @tests), _too_few(@tests) ];
}

# Warm-ups do not count.
sub _disturbed {
    my ($facts, $marks, @tests) = @_;
    my @counted   = grep { $facts->{passes}[$_]{round} } 0 .. $#{ $facts->{passes} };
    my @disturbed = grep { @$_ } @$marks[@counted];
    return if !@disturbed;
    my $lost = grep { $_->{disturbed} > $TOO_MANY * $_->{passes} } @tests;
    return {
        id     => 'disturbed',
        passes => scalar @disturbed,
        among  => scalar @counted,
        causes => [ Touchstone::Score::Disturbance::counted(@disturbed) ],
        $lost ? (invalid => 1) : ()
    };
}

# The time was spent before every score was sure; the least sure test comes first.
sub _unsure {
    my ($facts, @tests) = @_;
    my $wanted = $facts->{schedule}{precision};

    # A duet goes on until the ratios of its pairs are sure, and the comparison tells how sure they are.
    return if !$wanted || ($facts->{purpose} // '') eq 'duet' || ($facts->{status} // '') eq 'stopped';
    my @unsure = sort { $b->{precision} <=> $a->{precision} }
        grep { defined $_->{precision} && $_->{precision} > $wanted } @tests;
    return if !@unsure;
    return { id => 'precision', wanted => $wanted, scores => scalar @tests, tests => \@unsure };
}

sub _too_few {
    my (@tests) = @_;
    my @few = grep { !defined $_->{interval} } @tests;
    return if !@few;
    return { id => 'passes', tests => \@few };
}

1;
