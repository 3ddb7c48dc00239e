# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Line - how long does a cache line take between cores, and do those that are said to
# share a cache share it? Witnesses are two ways of handing a line over.
package Touchstone::Suite::Truth::Probe::Line;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(two_digits);

use Touchstone::Suite::Truth::Figures qw(median_of others pairs);

# Pairs that share a cache differ by less than the first factor; by more than the second, some do not.
my ($ALIKE, $FACTOR) = (1.6, 2);

# Other programs of this machine that use more CPUs than this may be what makes pairs slow.
my $BUSY = 0.1;

# A pair whose passes differ by more has no place of its own.
my $STEADY = 2;

sub judge {
    my ($facts, $result, $passes) = @_;
    my @pairs = grep { $_->{stores} } pairs($passes);
    return if !@pairs;
    my ($verdict, $why) = _verdict(others($passes) // 0, @pairs);
    my @sorted = sort { $a <=> $b } map { $_->{stores} } @pairs;
    my $times =
        @pairs > 1
        ? sprintf 'A cache line takes %s ns from core to core, the median of %d pairs (%s to %s).',
        two_digits(median_of(@sorted)), scalar @pairs, map { two_digits($_) } @sorted[ 0, -1 ]
        : sprintf 'A cache line takes %s ns from CPU %d to CPU %d.', two_digits($sorted[0]),
        @{ $pairs[0]{cpus} };
    return { verdict => $verdict, sentence => "$times $why", evidence => [ map { _evidence($_) } @pairs ] };
}

# How many times as long the slowest takes as the quickest, by the way that shows the least.
sub _factor {
    my (@pairs) = @_;
    return min(map { _factor_by($_, @pairs) } qw(stores exchanges));
}

sub _factor_by {
    my ($way, @pairs) = @_;
    my @times = grep { $_ } map { $_->{$way} } @pairs;
    return @times < 2 ? 1 : max(@times) / min(@times);
}

# True when by both ways each of the first is quicker than each of the others.
sub _quicker {
    my ($first, $others) = @_;
    return 2 == grep {
        my $way = $_;
        max(map { $_->{$way} // 9e9 } @$first) < min(map { $_->{$way} // 0 } @$others)
    } qw(stores exchanges);
}

# What the CPUs of a virtual machine are may change while it runs.
sub _moved {
    my ($pairs, $moved) = @_;
    my $times = 'took twice as long in one pass as in another: the host may move its CPUs.';
    return $pairs == 1 ? "It $times" : "Of $pairs pairs $moved $times";
}

sub _is_steady {
    my ($pair) = @_;
    my @times = @{ $pair->{passes}{stores} };
    return max(@times) <= $STEADY * min(@times);
}

sub _verdict {
    my ($others, @pairs) = @_;
    my @near  = grep { $_->{near} } @pairs;
    my @far   = grep { defined $_->{near} && !$_->{near} } @pairs;
    my @moved = grep { !_is_steady($_) } @pairs;
    return ('unclear', 'The system does not report which CPUs share a cache.') if !@near && !@far;
    return ('unclear', _moved(scalar @pairs, scalar @moved))                   if @moved;
    return ('unclear', 'There is no other pair to compare it with.')           if @pairs < 2;
    return ('unclear', 'One of the two methods (stores, exchanges) could not be measured.')
        if grep { !$_->{exchanges} } @pairs;
    return _among($others, @near) if @near > 1 && _factor(@near) > $ALIKE;
    return ('confirmed', 'All pairs are reported to share a cache, and take about the same time.')
        if !@far && @near > 1;
    return ('confirmed', 'Pairs that are reported to share a cache are faster, by stores and by exchanges.')
        if @near && @far && _quicker(\@near, \@far);
    return ('unclear', 'Pairs that are reported to share a cache are not faster than the others.')
        if @near && @far;
    return ('unclear', 'No pair is reported to share a cache.');
}

# Pairs that are said to share a cache, and differ.
sub _among {
    my ($others, @near) = @_;
    my $times = two_digits(_factor(@near));
    return ('unclear', "Pairs that are reported to share a cache differ by a factor of $times.")
        if _factor(@near) < $FACTOR;
    return (
        'unclear',
        sprintf
            'Pairs that are reported to share a cache differ by a factor of %s, while other programs used %s CPUs.',
        $times,
        two_digits($others)
    ) if $others > $BUSY;
    return ('contradicted',
        "All of these are reported to share a cache, but some take $times times as long as others, by stores and by exchanges."
    );
}

sub _evidence {
    my ($pair) = @_;
    my @times = map { two_digits($_) } sort { $a <=> $b } @{ $pair->{passes}{stores} };
    my $text =
          !defined $pair->{near} ? ''
        : $pair->{near}          ? '; reported to share a cache'
        :                          '; reported to share no cache';
    my $exchanges = $pair->{exchanges} ? two_digits($pair->{exchanges}) . ' ns by exchanges' : 'no exchanges';
    return [
        "CPUs $pair->{cpus}[0] and $pair->{cpus}[1]",
        two_digits($pair->{stores}) . " ns by stores ($times[0] to $times[-1]), $exchanges$text"
    ];
}

1;
