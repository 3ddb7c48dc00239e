#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The operating curve of a campaign: how often a healthy fleet has a suspect and a bad host, and how often a
# slow host is a suspect, and bad after new runs. Fleets are invented, with a seed, and judged by the
# functions of Pack::Fleet::Judge and Pack::Fleet::Retests.
#
#   perl -Ilib t/bench/fleet-power.pl [CAMPAIGNS [HOSTS ...]]     1000 campaigns per row; 5 10 30 40
#   perl -Ilib t/bench/fleet-power.pl --reach [CAMPAIGNS]         what is found in four of five campaigns
#
# The logarithm of a speed is what a host has in all figures, what it has in this one, and the same of a run:
# hosts differ by 1 %, runs by 0.6 %, half of the variance in all figures; nine passes of 1 % make a figure.
# With heavy tails one deviate in ten is three times as large, each by itself.
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Judge;
use Touchstone::Pack::Fleet::Ranking qw($MEAN rank_hosts);
use Touchstone::Pack::Fleet::Retests;
use Touchstone::Stats qw(mean median);

my ($HOST, $RUN, $PASS, $PASSES) = (0.01, 0.006, 0.01, 9);
my ($HALF, $SEED, $SMALLEST) = (sqrt 0.5, 4711, 0.03);
my $is_reach  = @ARGV && $ARGV[0] eq '--reach' ? shift @ARGV : 0;
my $CAMPAIGNS = shift @ARGV || 1000;
my @SIZES     = @ARGV ? @ARGV : (5, 10, 30, 40);
my $random;

sub normal { return Touchstone::Base::Random::normal($random) }

my %DEVIATE = (
    normal => \&normal,
    heavy  => sub { return normal() * ($random->() < 0.1 ? 3 : 1) }
);

# A number for each figure: what is common to all, and what is not.
sub deviates {
    my ($tails, $size, $figures) = @_;
    my $common = $HALF * $size * $DEVIATE{$tails}->();
    return [ map { $common + $HALF * $size * $DEVIATE{$tails}->() } 1 .. $figures ];
}

# A run of a host.
sub run {
    my ($tails, $lasting) = @_;
    my $error = $PASS / sqrt $PASSES;
    my $run   = deviates($tails, $RUN, scalar @$lasting);
    return [ map { $lasting->[$_] + $run->[$_] + $error * normal() } 0 .. $#$lasting ];
}

# Runs of hosts as figures: { f1 => { h1 => [ { y, error, passes }, ... ] } }, with the mean.
sub measured {
    my ($tails, $runs, %lasting) = @_;
    my %figures;
    for my $host (sort keys %lasting) {
        for (1 .. $runs) {
            my $run = run($tails, $lasting{$host});
            push @{ $figures{"f$_"}{$host} }, value($run->[$_]) for 0 .. $#$run;
            push @{ $figures{$MEAN}{$host} }, value(mean(@$run));
        }
    }
    return \%figures;
}

sub value { return { y => $_[0], error => $PASS / sqrt $PASSES, passes => $PASSES } }

# One campaign with new runs of its suspects: { suspects => { h1 => 1 }, bad => { h1 => 1 } }.
sub campaign {
    my ($row, $slow) = @_;
    my ($hosts, $figures, $tails, $runs) = @$row{qw(hosts figures tails runs)};
    my %lasting = map { +"h$_" => deviates($tails, $HOST, $figures) } 1 .. $hosts;
    $_ += log(1 - $slow) for @{ $lasting{h1} };
    my $measured = measured($tails, $runs, %lasting);
    my %ranked   = map { $_ => scalar rank_hosts($measured->{$_}) } keys %$measured;
    my $outliers = Touchstone::Pack::Fleet::Judge::suspects_of(\%ranked);
    my @suspects = grep { $outliers->{$_}{slow} } sort keys %$outliers;
    return {
        suspects => { map { $_ => 1 } @suspects },
        bad      => { map { $_ => 1 } again($row, $outliers, \%ranked, \%lasting) }
    };
}

# The suspects that three new runs, beside two hosts of the middle, make bad.
sub again {
    my ($row, $outliers, $ranked, $lasting) = @_;
    my @suspects = grep { $outliers->{$_}{slow} } sort keys %$outliers or return;
    my @middle   = sort { abs($ranked->{$MEAN}{$a}{y}) <=> abs($ranked->{$MEAN}{$b}{y}) }
        grep { !$outliers->{$_}{slow} } sort keys %$outliers;
    my @controls = @middle[ 0, 1 ];
    my $new      = measured(
        $row->{tails},
        $Touchstone::Pack::Fleet::Retests::RUNS,
        map { $_ => $lasting->{$_} } @suspects, @controls
    );
    my ($verdicts) = Touchstone::Pack::Fleet::Retests::judge_retests(
        [
            {
                suspects => { map { $_ => [ slow_in($outliers->{$_}, $ranked, $_) ] } @suspects },
                limits   => {
                    map {
                        my $figures = $outliers->{$_}{figures};
                        $_ => { map { $_ => $figures->{$_}{limit} } keys %$figures }
                    } @suspects
                },
                controls => \@controls,
                figures  => $new
            }
        ],
        $SMALLEST
    );
    return grep { $verdicts->{$_}{verdict} eq 'bad' } keys %$verdicts;
}

sub slow_in {
    my ($host, $ranked, $name) = @_;
    my @slow =
        grep { $host->{figures}{$_}{far} && $ranked->{$_}{$name}{y} < 0 } sort keys %{ $host->{figures} };
    return @slow ? @slow : $MEAN;
}

# The percentages of one row.
sub judged {
    my ($row, $slow) = @_;
    $random = Touchstone::Base::Random::generator($SEED);
    my %count = map { $_ => 0 } qw(suspect bad others others_bad);
    for (1 .. $CAMPAIGNS) {
        my ($suspects, $bad) = @{ campaign($row, $slow) }{qw(suspects bad)};
        if ($slow) {
            $count{suspect} += delete $suspects->{h1} ? 1 : 0;
            $count{bad}     += delete $bad->{h1}      ? 1 : 0;
        }
        $count{others}     += %$suspects ? 1 : 0;
        $count{others_bad} += %$bad      ? 1 : 0;
    }
    return { map { $_ => 100 * $count{$_} / $CAMPAIGNS } keys %count };
}

sub curve {
    print "hosts figures tails    runs   healthy: suspect   bad   5 % slow: suspect   bad",
        "   10 % slow: suspect   bad\n";
    for my $hosts (@SIZES) {
        for my $figures (12, 24) {
            for my $tails (qw(normal heavy)) {
                for my $runs (1, $hosts == 40 ? 2 : ()) {
                    my $row = { hosts => $hosts, figures => $figures, tails => $tails, runs => $runs };
                    my ($none, @slow) = map { judged($row, $_) } 0, 0.05, 0.1;
                    printf "%5d %7d %-8s %4d   %16.1f %5.1f   %17.1f %5.1f   %18.1f %5.1f\n",
                        $hosts, $figures, $tails, $runs, @$none{qw(others others_bad)},
                        map { @$_{qw(suspect bad)} } @slow;
                }
            }
        }
    }
    return;
}

# The least slow-down that is found in four of five campaigns, in steps of half a per cent.
sub reach {
    print "hosts tails    runs   suspect   bad\n";
    for my $hosts (@SIZES) {
        for my $tails (qw(normal heavy)) {
            for my $runs (1, 2) {
                my $row = { hosts => $hosts, figures => 12, tails => $tails, runs => $runs };
                my %percent;
                my @least = map { least($row, $_, \%percent) } qw(suspect bad);
                printf "%5d %-8s %4d   %5.1f %% %5.1f %%\n", $hosts, $tails, $runs, @least;
            }
        }
    }
    return;
}

sub least {
    my ($row, $what, $percent) = @_;
    my ($low, $high) = (2, 60);
    while ($high - $low > 1) {
        my $middle = int(($low + $high) / 2);
        my $found  = $percent->{$middle} ||= judged($row, $middle / 200);
        if   ($found->{$what} >= 80) { $high = $middle }
        else                         { $low  = $middle }
    }
    return $high / 2;
}

$| = 1;
$is_reach ? reach() : curve();
