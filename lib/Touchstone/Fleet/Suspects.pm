# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Suspects - which hosts of a group are so far from the others that they should be measured again.
# Ranked hosts go in (Fleet::Ranking), figure by figure with the mean:
#
#   of({ '' => { web1 => { y => -0.051, error => 0.002 }, ... }, '1 pipe' => { ... } }, smallest => 0.03)
#
# and for each host that could be tested comes out
#
#   { web1 => { p => 0.0004, q => 0.012, slow => 1, fast => 0,
#               figures => { '1 pipe' => { p => 0.001, far => 1, divided => 0 }, '' => { ... } } }, ... }
#
# (Stats::Screening says what each means)
# `slow` hosts are the suspects. One that is fast is of interest, too, but nobody suspects it.
package Touchstone::Fleet::Suspects;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Fleet::Ranking;
use Touchstone::Stats qw(deviation median);
use Touchstone::Stats::Outliers;
use Touchstone::Stats::Screening;

# A plan is to find what it looks for in four of five cases, which takes so many deviations more.
my $POWER = 0.8416;

sub of {
    my ($ranked, %with) = @_;
    my %hosts;
    for my $figure (grep { $_ ne $Touchstone::Fleet::Ranking::MEAN } keys %$ranked) {
        $hosts{$_}{$figure} = $ranked->{$figure}{$_} for keys %{ $ranked->{$figure} };
    }
    my $found = Touchstone::Stats::Screening::suspects(\%hosts, %with);
    return { map { $_ => _said($found->{$_}) } keys %$found };
}

sub _said {
    my ($host)  = @_;
    my $figures = $host->{figures};
    my @far     = grep { $_->{far} } values %$figures, $host->{whole};
    my $slow    = $host->{suspect} && grep { $_->{distance} < 0 } @far;
    return {
        p       => $host->{p},
        q       => $host->{q},
        slow    => $slow                      ? 1 : 0,
        fast    => $host->{suspect} && !$slow ? 1 : 0,
        figures => {
            (map { $_ => _value($figures->{$_}) } keys %$figures),
            $Touchstone::Fleet::Ranking::MEAN => _value($host->{whole})
        }
    };
}

sub _value {
    my ($value) = @_;
    return { map { $_ => $value->{$_} } qw(p far divided) };
}

# The least part by which a host must be slower in everything to be found in four of five cases, or undef.
# `hosts`: ranked by their means; those that are named do not tell how others scatter.
sub detectable {
    my ($hosts, %named) = @_;
    my $n = keys %$hosts;
    my @y = map { $hosts->{$_}{y} } grep { !$named{$_} } keys %$hosts;
    return if $n < $Touchstone::Stats::Outliers::FEWEST || @y < 2;
    my $limit = Touchstone::Stats::Outliers::limit(
        $Touchstone::Stats::Screening::LEVEL * $Touchstone::Stats::Screening::OF_THE_MEAN / $n, $n);
    my $scale = max(deviation(@y), median(map { $_->{error} } values %$hosts));
    return 1 - exp(-($limit + $POWER) * $scale);
}

1;
