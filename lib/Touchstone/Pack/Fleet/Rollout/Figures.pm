# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Rollout::Figures - the figures of the pairs of Pack::Fleet::Rollout::Pairs before and after a
# change, judged one by one and in the mean, as Pack::Fleet::Rollout lists them. Hosts without the change tell
# the drift.
package Touchstone::Pack::Fleet::Rollout::Figures;
use 5.014;
use strict;
use warnings;

use Touchstone::Stats qw(mean);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;

# Figures of fewer hosts than this part are of no use to the others.
my $COMMON = 0.5;

# So many hosts are named with a figure.
my $NAMED = 3;

# (keys of the figures that are judged, of those that too few hosts have).
sub family {
    my (@hosts) = @_;
    my %many;
    $many{$_}++ for map { keys %{ $_->{had} } } @hosts;
    my (@keys, @few);
    push @{ $many{$_} >= $COMMON * @hosts ? \@keys : \@few }, $_ for sort keys %many;
    return (\@keys, \@few);
}

# The figures with their mean, `all`, which is tested as one more of them where there are hosts enough.
sub judged {
    my ($keys, $hosts, $control, %with) = @_;
    my @rows  = map { _row($_, $hosts, $control) } @$keys;
    my $all   = row_of_all($keys, $hosts, $control);
    my $tests = @$keys > 1
        && @$hosts >= Touchstone::Pack::Fleet::Stats::BeforeAfter::needed(1 + @$keys, $with{level});
    my $found = Touchstone::Pack::Fleet::Stats::BeforeAfter::judged([ @rows, $tests ? $all : () ], %with);
    my ($mean) =
          $tests     ? splice(@{ $found->{figures} }, -1)
        : !@$keys    ? ()
        : @$keys < 2 ? $found->{figures}[0]
        :              _untested($all, %with);
    my @figures = map { _figure($keys->[$_], $found->{figures}[$_], $hosts, $with{smallest}) } 0 .. $#$keys;
    return {
        needed  => Touchstone::Pack::Fleet::Stats::BeforeAfter::needed(scalar @$keys, $with{level}),
        figures => [ sort { ($a->{ratio} // 9) <=> ($b->{ratio} // 9) || $a->{key} cmp $b->{key} } @figures ],
        all     => $mean ? shown($mean) : undef,
        drift   => $mean && defined $mean->{drift}
        ? { ratio => exp $mean->{drift}, hosts => $mean->{controls} }
        : undef
    };
}

# A figure as Pack::Fleet::Stats::BeforeAfter takes it.
sub _row {
    my ($key, $hosts, $control) = @_;
    my ($changed, $without) = map {
        my $of = $_;
        $of && [ map { $_->{change}{$key} // () } @$of ]
    } $hosts, $control;
    return { changed => $changed, control => $without };
}

sub row_of_all {
    my ($keys, $hosts, $control) = @_;
    my ($changed, $without) = map {
        my $of = $_;
        $of && [ map { mean_of($keys, $_) // () } @$of ]
    } $hosts, $control;
    return { changed => $changed, control => $without };
}

# The mean change of a host over the figures that it has twice, or undef.
sub mean_of {
    my ($keys, $pair) = @_;
    my @changes = map { $pair->{change}{$_} // () } @$keys;
    return @changes ? mean(@changes) : undef;
}

sub _untested {
    my ($row, %with) = @_;
    my ($found) = @{ Touchstone::Pack::Fleet::Stats::BeforeAfter::judged([$row], %with)->{figures} };
    delete $found->{p};
    return { %$found, verdict => $Touchstone::Pack::Fleet::Stats::BeforeAfter::NOT_TESTED };
}

# What Pack::Fleet::Stats::BeforeAfter found, with ratios in the place of logarithms.
sub shown {
    my ($found) = @_;
    my %shown = map { $_ => $found->{$_} } qw(hosts controls p verdict hides limit);
    return \%shown if !defined $found->{difference};
    return {
        %shown,
        ratio    => exp $found->{difference},
        interval => [ map { exp } @$found{qw(low high)} ],
        drift    => defined $found->{drift} ? exp $found->{drift} : undef
    };
}

sub _figure {
    my ($key, $found, $hosts, $smallest) = @_;
    my @with = sort { $a->{change}{$key} <=> $b->{change}{$key} || $a->{host} cmp $b->{host} }
        grep { defined $_->{change}{$key} } @$hosts;
    splice @with, $NAMED if @with > $NAMED;
    my $off = $found->{drift} // 0;
    return {
        %{ named($key, @$hosts) },
        %{ shown($found) },
        takes => scalar Touchstone::Pack::Fleet::Stats::BeforeAfter::hosts_for($found, $smallest),
        worst => [ map { +{ host => $_->{host}, ratio => exp($_->{change}{$key} - $off) } } @with ]
    };
}

# What a figure is called, by the first host that has it; `hosts` that have it before.
sub named {
    my ($key, @hosts) = @_;
    my @with = grep { $_->{had}{$key} } @hosts;
    return {
        key   => $key,
        hosts => scalar @with,
        map { $_ => $with[0]{had}{$key}{$_} } qw(name title copies suite)
    };
}

1;
