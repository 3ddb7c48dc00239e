# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Diagnostics - what a run found out about its own scores, at its end:
#
#   { id => 'disturbed', passes => 74, among => 215, causes => [[other => 60], [steal => 20]],
#     most  => { name => 'spawn', copies => 2, passes => 6, disturbed => 5 },
#     worst => { of => 'index', copies => 2, loss => 0.13, lost => 0.21, least => 1 }, invalid => 1 }
#   { id => 'precision', wanted => 0.015, scores => 24, tests => [{ name => 'spawn', ... }, ...] }
#   { id => 'passes',    scores => 24, tests => [{ name => 'spawn', ... }, ...] }
#   { id => 'levels',    tests => [{ name => 'context1', levels => [...], ... }, ...] }
#
# Each is there only where there is something to say. The tests are results, with their copies;
# Record::Warnings has the words. The rule looks at the loss that the counters tell, which is below the truth
# on many machines; what slices tell, `lost`, is what reports say then, as in the sentence of its undisturbed
# speed: `least` where some tests have none.
#
# The rule: a run is not valid when what disturbed its passes may have made an index of it more than 5 %
# lower, or when more than half of the passes of an index had a disturbance whose cost cannot be known (heat,
# swapping, copies that hardly overlapped). Tests that belong to no index are judged together, as if they
# had one. Disturbed passes alone make no run invalid: the score of a test bears them while they are few,
# and they cost little on most machines that others use, too. t/bench/validity.pl has the figures.
package Touchstone::Score::Diagnostics;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Score::Disturbance;
use Touchstone::Score::Index;
use Touchstone::Stats qw(median);

# An index may be so much lower.
our $MOST_LOSS = 0.05;

# So many of its passes may have had a disturbance whose cost is unknown.
my $MOST_UNKNOWN = 0.5;

# The findings of a run from its facts, the marks of each pass, and its blocks of results.
sub diagnose {
    my ($facts, $marks, $blocks) = @_;
    my @tests = map {
        my $copies = $_->{copies};
        map {
            { %$_, copies => $copies }
        } @{ $_->{tests} }
    } @$blocks;
    return [
        _disturbed($facts, $marks, $blocks, @tests), _too_wide($facts, @tests),
        _too_few(@tests),                            _levels(@tests)
    ];
}

# Warm-ups do not count.
sub _disturbed {
    my ($facts, $marks, $blocks, @tests) = @_;
    my @counted   = grep { $facts->{passes}[$_]{round} } 0 .. $#{ $facts->{passes} };
    my @disturbed = grep { @$_ } @$marks[@counted];
    my ($worst)   = _losses($facts, $marks, $blocks);
    my $is_off    = $worst && $worst->{loss} > $MOST_LOSS;
    return if !@disturbed && !$is_off;
    my ($most) = sort { $b->{disturbed} / $b->{passes} <=> $a->{disturbed} / $a->{passes} } @tests;
    return {
        id     => 'disturbed',
        passes => scalar @disturbed,
        among  => scalar @counted,
        causes => [ Touchstone::Score::Disturbance::counted(@disturbed) ],
        $most   ? (most    => { map { $_ => $most->{$_} } qw(name copies passes disturbed) }) : (),
        $worst  ? (worst   => $worst)                                                         : (),
        $is_off ? (invalid => 1)                                                              : ()
    };
}

# What the disturbances made of each index, the worst first: { of, copies, loss }, which has untold and
# among, numbers of passes, where the loss is not known and counts as a whole one.
sub _losses {
    my ($facts, $marks, $blocks) = @_;
    my @losses = Touchstone::Score::Disturbance::losses($facts);
    my (%losses, %unknown);
    for my $place (grep { $facts->{passes}[$_]{round} } 0 .. $#losses) {
        my $key = join ' ', @{ $facts->{passes}[$place] }{qw(copies test)};
        push @{ $losses{$key} }, $losses[$place];
        push @{ $unknown{$key} },
            scalar grep { $Touchstone::Score::Disturbance::MARK{$_}{is_unknown} } @{ $marks->[$place] };
    }
    my @judged = map {
        my ($entry, $copies, @keys) = @$_;
        my %group   = (of => $entry->{name}, copies => $copies, _of_slices($entry));
        my @unknown = map  { @{ $unknown{$_} } } @keys;
        my $unknown = grep { $_ } @unknown;
        $unknown > $MOST_UNKNOWN * @unknown
            ? { %group, loss => 1, unknown => $unknown, among => scalar @unknown }
            : { %group, loss => _loss_of_all(map { median(@{ $losses{$_} }) } @keys) }
    } map { _groups($_, \%losses) } @$blocks;
    return sort { $b->{loss} <=> $a->{loss} } @judged;
}

# What the slices of an index tell, or of the only test that is judged.
sub _of_slices {
    my ($slices) = @_;
    return if !$slices->{shows_loss};
    return (
        lost => $slices->{lost},
        ref $slices->{undisturbed_unknown} && @{ $slices->{undisturbed_unknown} } ? (least => 1) : ()
    );
}

# An index is a geometric mean.
sub _loss_of_all {
    my (@losses) = @_;
    return 1 - exp(sum(map { log(1 - $_) } @losses) / @losses);
}

# The tests that are judged together: [the index, copies, 'copies test', ...]
sub _groups {
    my ($block, $groups) = @_;
    my %free = map { $_->{name} => 1 } grep { $groups->{"$block->{copies} $_->{name}"} } @{ $block->{tests} };
    my @groups;
    for my $index (Touchstone::Score::Index::whole(@{ $block->{indexes} || [] })) {
        push @groups, [ $index, $block->{copies}, map { "$block->{copies} $_" } @{ $index->{tests} } ];
        delete @free{ @{ $index->{tests} } };
    }
    my @free = grep { $free{ $_->{name} } } @{ $block->{tests} };
    my %only = @free == 1 ? (%{ $free[0] }, name => undef) : ();
    push @groups, [ \%only, $block->{copies}, map { "$block->{copies} $_" } sort keys %free ] if %free;
    return @groups;
}

# The time was spent before every score was sure; the least sure test comes first.
sub _too_wide {
    my ($facts, @tests) = @_;
    my $wanted = $facts->{schedule}{precision};

    # A duet goes on until its ratios are decided or sure, and the comparison tells how sure they are.
    return if !$wanted || ($facts->{purpose} // '') eq 'duet' || ($facts->{status} // '') eq 'stopped';
    my @wide = sort { $b->{precision} <=> $a->{precision} }
        grep { defined $_->{precision} && $_->{precision} > $wanted } @tests;
    return if !@wide;
    return { id => 'precision', wanted => $wanted, scores => scalar @tests, tests => \@wide };
}

sub _too_few {
    my (@tests) = @_;
    my @few = grep { !defined $_->{interval} } @tests;
    return if !@few;
    return { id => 'passes', scores => scalar @tests, tests => \@few };
}

# Tests with two speeds.
sub _levels {
    my @levels = grep { $_->{levels} } @_ or return;
    return { id => 'levels', tests => \@levels };
}

1;
