#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How often a healthy fleet has suspects, and a bad host after new runs; how often two slow hosts are found;
# and how often intervals hold what they should. Fleets are invented, with a seed, and judged by
# Pack::Fleet::Judge. t/bench/fleet-power.pl has the operating curve.
#
#   perl -Ilib t/bench/fleet.pl [FLEETS [PART ...]]    healthy heavy two ranking variance
#
# FLEETS are those in a row, 200; of large fleets fewer. SIZES='1000' has healthy fleets of so many hosts
# alone. Each host has 24 figures, or FIGURES. Hosts differ by 1 % and runs of a host by 0.6 %, half of the
# variance common to all figures of a host or of a run; nine passes of 1 % make a figure. Heavy tails of hosts
# are Student's with three degrees of freedom, of the same variance.
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Judge;
use Touchstone::Pack::Fleet::Retests;
use Touchstone::Stats qw(deviation mean median);
use Touchstone::Stats::Significance;

my ($FIGURES, $PASSES) = ($ENV{FIGURES} || 24, 9);
our ($HOST, $RUN, $PASS) = (0.01, 0.006, 0.01);
my $HALF   = sqrt 0.5;
my $FLEETS = shift @ARGV || 200;
my @PARTS  = @ARGV ? @ARGV : qw(healthy heavy two ranking variance);

# Healthy fleets have so many hosts.
my @SIZES = $ENV{SIZES} ? split ' ', $ENV{SIZES} : (5, 10, 30, 100, 1000);
my @NAMES = map { "f$_" } 1 .. $FIGURES;

my ($SEED, $random) = (4711);

sub normal { return Touchstone::Base::Random::normal($random) }

# Student's t with three degrees of freedom (Bailey 1994), of variance 1.
sub student { return sqrt((1 - $random->())**(-2 / 3) - 1) * cos(6.283185307179586 * $random->()) }

my %TAILS = (normal => \&normal, heavy => \&student);

# The lasting speeds of hosts, { host => { figure => y } }; those in `slow` are slower by that.
sub hosts {
    my ($n, $tails, %slow) = @_;
    my $draw = $TAILS{$tails};
    my %hosts;
    for my $host (map { sprintf 'h%04d', $_ } 1 .. $n) {
        my $common = log(1 - ($slow{$host} // 0)) + $HALF * $HOST * $draw->();
        $hosts{$host} = { map { $_ => $common + $HALF * $HOST * $draw->() } @NAMES };
    }
    return \%hosts;
}

# So many runs of each host, as members.
sub measured {
    my ($hosts, $runs) = @_;
    my @members;
    for my $host (sort keys %$hosts) {
        for my $attempt (1 .. $runs) {
            my $common = $HALF * $RUN * normal();
            my %figures;
            for my $name (@NAMES) {
                my $error = $PASS / sqrt $PASSES;
                my $y     = $hosts->{$host}{$name} + $common + $HALF * $RUN * normal() + $error * normal();
                my $seen  = max(0.1, 1 - 1 / (4.5 * ($PASSES - 1)) + normal() / sqrt(4.5 * ($PASSES - 1)));
                $figures{$name} =
                    { y => $y, error => $error * $seen**1.5, passes => $PASSES, copies => 1, name => $name };
            }
            push @members,
                {
                host    => $host,
                host_id => $host,
                attempt => $attempt,
                name    => "$host.$attempt",
                file    => '',
                figures => \%figures
                };
        }
    }
    return @members;
}

sub judged { return Touchstone::Pack::Fleet::Judge::of_group({ members => [@_] }, plans => 0) }

sub verdicts {
    my ($group, $is) = @_;
    return map { $_->{host} } grep { $_->{verdict} eq $is } @{ $group->{hosts} };
}

# Measures the suspects again, and two controls, as fleet confirm does.
sub confirm {
    my ($hosts, $group) = @_;
    my %role =
        map { $_->{name} => $_->{role} } Touchstone::Pack::Fleet::Retests::chosen({ groups => [$group] });
    my %chosen = map { $_ => $hosts->{$_} } keys %role;
    Touchstone::Pack::Fleet::Retests::confirmed([$group], undef, 'confirm-1', \%role,
        measured(\%chosen, $Touchstone::Pack::Fleet::Retests::RUNS))
        if %role;
    return $group;
}

# Rules that others use name hosts that are slow in a figure or more.
my @RULES = (
    [
        'z < -2' => by_figure(
            sub {
                my ($m, $s) = (mean(@_), deviation(@_));
                return map { $_ < $m - 2 * $s } @_;
            }
        )
    ],
    [
        'MAD > 3.5' => by_figure(
            sub {
                my $m = median(@_);
                my $s = median(map { abs($_ - $m) } @_) / 0.6745;
                return map { abs($_ - $m) > 3.5 * $s } @_;
            }
        )
    ],
    [
        'IQR 1.5' => by_figure(
            sub {
                my @s = sort { $a <=> $b } @_;
                my ($low, $high) = @s[ @s / 4, 3 * @s / 4 ];
                return map { $_ < $low - 1.5 * ($high - $low) || $_ > $high + 1.5 * ($high - $low) } @_;
            }
        )
    ],
    [ 'passes as sample' => \&passes_as_sample ],
);

sub by_figure {
    my ($rule) = @_;
    return sub {
        my (@members) = @_;
        my %named;
        for my $figure (@NAMES) {
            my @far = $rule->(map { $_->{figures}{$figure}{y} } @members);
            $named{ $members[$_]{host} } = 1 for grep { $far[$_] } 0 .. $#members;
        }
        return keys %named;
    };
}

# What one gets who compares a host's passes with the mean of all, by Student's test at 5 % after Holm.
# Limits of t stand for p, which would take long.
sub passes_as_sample {
    my (@members) = @_;
    my %named;
    state %limits;
    my $limit = $limits{ scalar @members } //=
        Touchstone::Stats::Significance::t_quantile(0.025 / @members, $PASSES - 1);
    for my $figure (@NAMES) {
        my $all = mean(map { $_->{figures}{$figure}{y} } @members);
        $named{ $_->{host} } = 1
            for grep { abs($_->{figures}{$figure}{y} - $all) > $limit * $_->{figures}{$figure}{error} }
            @members;
    }
    return keys %named;
}

# Fewer of large fleets.
sub fleets_of {
    my ($n) = @_;
    return max(5, int($FLEETS * min(1, 60 / $n)));
}

# Each row begins anew, so that it does not depend on others.
sub seed { $random = Touchstone::Base::Random::generator($SEED); return }

sub healthy { return healthy_of('normal') }
sub heavy   { return healthy_of('heavy') }

sub healthy_of {
    my ($tails) = @_;
    print "Healthy fleets with a host that is named: by rules in use; suspects; bad after new runs\n";
    printf "%5s %-6s %4s %6s %s %8s %8s %8s %8s\n", qw(hosts tails runs fleets),
        join(' ', map { sprintf '%16s', $_->[0] } @RULES), qw(suspects in split bad);
    for my $n (@SIZES) {
        for my $runs (1, $n == 30 ? 3 : ()) { healthy_fleets($tails, $n, $runs) }
    }
    return;
}

sub healthy_fleets {
    my ($tails, $n, $runs) = @_;
    seed();
    my $fleets = fleets_of($n);
    my %count  = map { $_ => 0 } qw(suspects fleets split bad), map { $_->[0] } @RULES;
    for (1 .. $fleets) {
        my $hosts   = hosts($n, $tails);
        my @members = measured($hosts, $runs);
        for my $rule (@RULES) {
            my @named = $runs == 1 ? $rule->[1]->(@members) : ();
            $count{ $rule->[0] } += @named > 0;
        }
        my $group = judged(@members);
        my @named = verdicts($group, 'suspect');
        $count{suspects} += @named;
        $count{fleets}   += @named > 0;
        $count{split}    += $group->{split} ? 1 : 0;
        my @bad = verdicts(confirm($hosts, $group), 'bad');
        $count{bad} += @bad > 0;
    }
    printf "%5d %-6s %4d %6d %s %8.2f %6.1f %% %6.1f %% %6.1f %%\n", $n, $tails, $runs, $fleets,
        join(' ',
        map { sprintf '%14s %%', $runs == 1 ? sprintf '%.0f', 100 * $count{ $_->[0] } / $fleets : '-' }
            @RULES),
        $count{suspects} / $fleets, map { 100 * $count{$_} / $fleets } qw(fleets split bad);
    return;
}

# How often each of two slow hosts is: one of them in everything, the other in a quarter of its figures.
sub two {
    print
        "Two slow hosts, in all and in six figures: how often each is a suspect, and bad; another bad host\n";
    two_fleets(@$_) for [ 10, 'normal' ], [ 30, 'normal' ], [ 30, 'heavy' ], [ 100, 'normal' ];
    return;
}

sub two_fleets {
    my ($n, $tails) = @_;
    seed();
    my $fleets = fleets_of($n);
    my %count  = map { $_ => 0 } qw(suspect1 suspect2 bad1 bad2 others);
    my %is     = (h0001 => 1, h0002 => 2);
    for (1 .. $fleets) {
        my $hosts = hosts($n, $tails, h0001 => 0.1);
        $hosts->{h0002}{$_} += log 0.8 for @NAMES[ 0 .. $FIGURES / 4 - 1 ];
        my $group = judged(measured($hosts, 1));
        $count{"suspect$is{$_}"}++ for grep { $is{$_} } verdicts($group, 'suspect');
        my %bad = map { $_ => 1 } verdicts(confirm($hosts, $group), 'bad');
        $count{"bad$is{$_}"}++ for grep { delete $bad{$_} } sort keys %is;
        $count{others}++ if %bad;
    }
    printf
        "%4d hosts, %-6s tails, %4d fleets: 10 %% in all %.1f, %.1f %%; 20 %% in six %.1f, %.1f %%; %.1f %%\n",
        $n, $tails, $fleets, map { 100 * $count{$_} / $fleets } qw(suspect1 bad1 suspect2 bad2 others);
    return;
}

# How often the interval of a host holds what it lasts at, over the median of what the hosts last at.
sub ranking {
    print "Intervals of the ranking that hold the lasting ratio: of figures, of the mean\n";
    for my $n (5, 10, 30, 100) {
        for my $runs (1, 2, 3, 5) { ranking_of($n, $runs) }
    }
    return;
}

sub ranking_of {
    my ($n, $runs) = @_;
    seed();
    my $fleets = int(fleets_of($n) / 4) + 1;
    my (%held, %all);
    for (1 .. $fleets) {
        my $hosts  = hosts($n, 'normal');
        my $group  = judged(measured($hosts, $runs));
        my %middle = map {
            my $f = $_;
            $f => median(map { $_->{$f} } values %$hosts)
        } @NAMES;
        my %mean = map {
            my $h = $_;
            $h => mean(map { $hosts->{$h}{$_} - $middle{$_} } @NAMES)
        } keys %$hosts;
        my $center = median(values %mean);
        for my $host (@{ $group->{hosts} }) {
            my $name = $host->{host};
            count(\%held, \%all, mean => $host->{interval}, exp($mean{$name} - $center));
            count(
                \%held, \%all,
                figure => $host->{figures}{$_}{interval},
                exp($hosts->{$name}{$_} - $middle{$_})
            ) for @NAMES[ 0 .. 5 ];
        }
    }
    printf "%4d hosts, %d runs: figures %.1f %%, mean %.1f %%\n", $n, $runs,
        map { 100 * $held{$_} / $all{$_} } qw(figure mean);
    return;
}

sub count {
    my ($held, $all, $what, $interval, $value) = @_;
    $all->{$what}++;
    $held->{$what} += $interval->[0] <= $value && $value <= $interval->[1] ? 1 : 0;
    return;
}

# How often the intervals of the components hold what hosts, runs and passes scatter by, in one figure.
sub variance {
    print "Intervals of the variance table that hold the standard deviation: hosts, runs, passes\n";
    for my $n (5, 10, 30, 100) {
        for my $runs (2, 3) {
            seed();
            my $fleets = 2 * fleets_of($n);
            my %is     = (hosts => $HOST, runs => $RUN, passes => $PASS);
            my %held   = map { $_ => 0 } keys %is;
            for (1 .. $fleets) {
                my %figures = map { $_ => one_figure($runs) } 1 .. $n;
                my $found   = Touchstone::Pack::Fleet::Stats::VarianceComponents::variance_of(\%figures);
                for my $what (keys %is) {
                    my $of = $found->{variance}{$what};
                    $held{$what}++ if $of->{low} <= $is{$what} && $is{$what} <= $of->{high};
                }
            }
            printf "%4d hosts, %d runs, %d fleets: %s\n", $n, $runs, $fleets, join ' ',
                map { sprintf '%.1f %%', 100 * $held{$_} / $fleets } qw(hosts runs passes);
        }
    }
    return;
}

# The runs of a host in one figure.
sub one_figure {
    my ($runs) = @_;
    my $host   = $HOST * normal();
    my $error  = $PASS / sqrt $PASSES;
    return [
        map {
            my $squares = sum(map { normal()**2 } 2 .. $PASSES) / ($PASSES - 1);
            {
                y      => $host + $RUN * normal() + $error * normal(),
                error  => $error * sqrt $squares,
                passes => $PASSES
            }
        } 1 .. $runs
    ];
}

$| = 1;
my %DO = (
    healthy  => \&healthy,
    heavy    => \&heavy,
    two      => \&two,
    ranking  => \&ranking,
    variance => \&variance
);
for my $part (@PARTS) {
    die "no part '$part': choose of @{[ sort keys %DO ]}\n" if !$DO{$part};
    $DO{$part}->();
}
