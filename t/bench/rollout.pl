#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How often a roll-out that changed nothing is said to have changed something, and how often one that made
# the fleet slower is found, on invented fleets: each run of a figure differs by 0.6 %, half of the variance
# common to all figures of the run, and each of nine passes by 1 %. Heavy tails are Student's with three
# degrees of freedom. With control hosts the season makes all hosts slower by 2 %.
#
#   perl -Ilib t/bench/rollout.pl [FLEETS, 1000]
#
#   hosts figures tails  controls  alarms  no worse  2 % in all  2 % in one  passes alone  drift left in
#      30      24 normal        6   3.1 %    99.0 %     100.0 %      98.0 %        99.9 %          100 %  ok
#
# alarms: something is worse or faster, and nothing changed. no worse: exit status 0 then, for 3 %. The next
# two are exit status 1 where all figures, or one, became slower by 2 %. passes alone: alarms of those who
# take passes for the sample. drift left in: alarms of those who have no control hosts.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Rollout;
use Touchstone::Stats qw(mean);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;
use Touchstone::Stats::Significance;

my ($RUN, $PASS, $PASSES, $DRIFT, $SLOWER) = (0.006, 0.01, 9, 0.02, 0.02);
my $FLEETS = $ARGV[0] || 1000;
$| = 1;
my %LIMITS = (
    level    => $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL,
    smallest => $Touchstone::Pack::Fleet::Stats::BeforeAfter::SMALLEST
);

# Most of the time goes to limits of intervals, which hardly depend on a tenth of a degree of freedom.
{
    no warnings 'redefine';
    my $quantile = \&Touchstone::Stats::Significance::t_quantile;
    my %known;
    *Touchstone::Stats::Significance::t_quantile = sub {
        my ($above, $freedom) = (sprintf('%.6g', $_[0]), sprintf('%.1f', $_[1]));
        return $known{"$above $freedom"} //= $quantile->($above, $freedom);
    };
}

my $random = Touchstone::Base::Random::generator(4711);

sub normal { return Touchstone::Base::Random::normal($random) }

sub heavy {
    return normal() / sqrt(sum(map { normal()**2 } 1 .. 3));
}
my %TAILS = (normal => \&normal, heavy => \&heavy);

# Pairs of hosts whose figures differ by noise, and by `shift` of the number of the figure.
sub pairs {
    my ($hosts, $figures, $draw, $shift) = @_;
    return map {
        my $common = $RUN * ($draw->() - $draw->());
        my %change = map {
            my $own = $RUN * ($draw->() - $draw->()) + $PASS / sqrt($PASSES) * (normal() - normal());
            ("f$_" => ($common + $own) / sqrt(2) + $PASS / sqrt(2 * $PASSES) * normal() + $shift->($_))
        } 1 .. $figures;
        +{
            host   => "h$_",
            change => \%change,
            had    => { map { $_ => { name => $_, copies => 1 } } keys %change }
        }
    } 1 .. $hosts;
}

# The verdicts of a fleet.
sub verdicts {
    my ($hosts, $controls) = @_;
    my ($keys)  = Touchstone::Pack::Fleet::Rollout::family(@$hosts);
    my $judged  = Touchstone::Pack::Fleet::Rollout::judge_figures($keys, $hosts, $controls, %LIMITS);
    my %outcome = Touchstone::Pack::Fleet::Rollout::status({ %$judged, differ => undef });
    return ($outcome{status}, map { $_->{verdict} } @{ $judged->{figures} }, $judged->{all});
}

# Whether passes alone would alarm: the error of a mean over all passes of all hosts.
sub passes_alarm {
    my ($figures, @hosts) = @_;
    my $error = $PASS * sqrt(2 / $PASSES / @hosts);
    my @p     = map {
        my $key = "f$_";
        2 * Touchstone::Pack::Fleet::Stats::BeforeAfter::normal_above(
            abs(mean(map { $_->{change}{$key} } @hosts)) / $error)
    } 1 .. $figures;
    return
        scalar grep { $_ <= $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL }
        Touchstone::Stats::Significance::holm(@p);
}

# The same fleet with some figures slower.
sub slowed {
    my ($which, @pairs) = @_;
    return map {
        my %new = %{ $_->{change} };
        $new{$_} -= $SLOWER for grep { $which->($_) } keys %new;
        +{ %$_, change => \%new }
    } @pairs;
}

sub is_alarm {
    my ($status, @verdicts) = @_;
    return grep({ /\A(?:worse|faster)\z/ } @verdicts) ? 1 : 0;
}

# One row: how many of the fleets, in per cent.
sub row {
    my ($hosts, $figures, $tails, $controls) = @_;
    my $drift = $controls ? -$DRIFT : 0;
    my %seen  = map { $_ => 0 } qw(alarm no_worse all one passes left_in);
    for (1 .. $FLEETS) {
        my @fleet   = pairs($hosts, $figures, $TAILS{$tails}, sub { $drift });
        my $control = $controls ? [ pairs($controls, $figures, $TAILS{$tails}, sub { $drift }) ] : undef;
        my @equal   = verdicts(\@fleet, $control);
        $seen{alarm}    += is_alarm(@equal);
        $seen{no_worse} += $equal[0] == 0;
        $seen{all}      += (verdicts([ slowed(sub { 1 }, @fleet) ], $control))[0] == 1;
        $seen{one}      += (verdicts([ slowed(sub { $_[0] eq 'f1' }, @fleet) ], $control))[0] == 1;
        $seen{passes}   += passes_alarm($figures, @fleet) ? 1 : 0;
        $seen{left_in}  += is_alarm(verdicts(\@fleet, undef)) if $controls;
    }
    $seen{$_} *= 100 / $FLEETS for keys %seen;
    return \%seen;
}

# So many fleets may alarm by chance although 5 in 100 do.
my $most   = 5 + 200 * sqrt(0.05 * 0.95 / $FLEETS);
my $failed = 0;
say 'hosts figures tails  controls  alarms  no worse  2 % in all  2 % in one  passes alone  drift left in';
for my $controls (0, 6) {
    for my $tails (qw(normal heavy)) {
        for my $hosts (3, 6, 10, 30) {
            for my $figures (12, 24) {
                my $seen = row($hosts, $figures, $tails, $controls);
                my $ok   = $seen->{alarm} <= $most;
                $failed++ if !$ok;
                printf "%5d %7d %-6s %8d %5.1f %% %7.1f %% %9.1f %% %9.1f %% %11.1f %% %12s  %s\n", $hosts,
                    $figures, $tails, $controls, @$seen{qw(alarm no_worse all one passes)},
                    $controls ? sprintf('%.1f %%', $seen->{left_in}) : '-', $ok ? 'ok' : 'MISSED';
            }
        }
    }
}
exit($failed ? 1 : 0);
