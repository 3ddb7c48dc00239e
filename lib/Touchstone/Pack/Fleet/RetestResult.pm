# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::RetestResult - what new runs say of suspects. They alone count: a host was suspected because
# its first runs were far, which by chance they are of a healthy host, too. Each suspect is compared with the
# controls of its group, which were measured at the same time:
#
#   of([ { suspects => { web3 => [ '', '1 pipe' ] },     with the figures to look at, '' is the mean
#          controls => [ 'web1', 'web7' ],
#          figures  => { '' => { web3 => [ { y, error, passes }, ... ], ... }, ... } }, ... ], 0.03)
#
# and a list of findings in the same order comes out:
#
#   { web3 => { verdict => 'bad', ratio => 0.95, interval => [0.94, 0.96],        of the mean
#               figures => { '1 pipe' => { ratio, interval, p, verdict }, '' => { ... } } } }
#
# bad           slower than the controls beyond chance (all tests of all suspects after Holm, 5 %), and by
#               what is of interest
# cleared       the interval of its mean ends before what is of interest; where it is suspect in some figures
#               alone, those of all these figures
# inconclusive  all else
package Touchstone::Pack::Fleet::RetestResult;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Pack::Fleet::Ranking;
use Touchstone::Stats qw(deviation mean);
use Touchstone::Pack::Fleet::Stats::Screening;
use Touchstone::Stats::Significance;

our ($BAD, $CLEARED, $INCONCLUSIVE) = qw(bad cleared inconclusive);

my $LEVEL = 0.05;

sub of {
    my ($groups, $smallest) = @_;
    my (@found, @tests);
    for my $group (@$groups) {
        my %hosts;
        for my $suspect (sort keys %{ $group->{suspects} }) {
            my %figures = map { $_ => scalar _compared($group, $suspect, $_) }
                _unique(@{ $group->{suspects}{$suspect} }, $Touchstone::Pack::Fleet::Ranking::MEAN);
            delete @figures{ grep { !$figures{$_} } keys %figures };
            next if !%figures;
            $hosts{$suspect} = { figures => \%figures };
            push @tests, map { $figures{$_} } grep { $figures{$_} } @{ $group->{suspects}{$suspect} };
        }
        push @found, \%hosts;
    }
    my @p = Touchstone::Stats::Significance::holm(map { $_->{p} } @tests);
    $tests[$_]{p} = $p[$_] for 0 .. $#tests;
    for my $i (0 .. $#found) {
        _judge($found[$i]{$_}, $smallest, @{ $groups->[$i]{suspects}{$_} }) for keys %{ $found[$i] };
    }
    return @found;
}

sub _unique {
    my %seen;
    return grep { !$seen{$_}++ } @_;
}

# A figure of a suspect compared with the mean of its controls, or nothing. Runs of all hosts tell how far
# runs scatter.
sub _compared {
    my ($group, $suspect, $figure) = @_;
    my $hosts    = $group->{figures}{$figure} || {};
    my $own      = $hosts->{$suspect} or return;
    my @controls = map { $hosts->{$_} || () } @{ $group->{controls} };
    my ($variance, $freedom) = _between_runs(values %$hosts);
    return if !@controls || !$freedom;
    my @means = map { _mean_of($_) } @controls;
    my $error = sqrt($variance * (1 / @$own + sum(map { 1 / @$_ } @controls) / @controls**2));
    my $test  = Touchstone::Stats::Significance::judged(_mean_of($own) - mean(@means), $error, $freedom);
    my $reach =
        $error *
        Touchstone::Stats::Significance::t_quantile((1 - $Touchstone::Stats::CONFIDENCE) / 2, $freedom);
    return {
        p        => $test->{p},
        ratio    => exp $test->{difference},
        interval => [ map { exp($test->{difference} + $_ * $reach) } -1, 1 ]
    };
}

sub _mean_of {
    my ($runs) = @_;
    return mean(map { $_->{y} } @$runs);
}

# The variance between the runs of a host, at least that of their passes, with its degrees of freedom.
sub _between_runs {
    my (@hosts) = @_;
    my $freedom = sum(map { @$_ - 1 } @hosts) or return;
    my $squares = sum(
        map {
            (@$_ - 1) * deviation(map { $_->{y} } @$_)**2
        } @hosts
    );
    my $of_passes = mean(map { ($_->{error} // 0)**2 } map { @$_ } @hosts);
    return (max($squares / $freedom, $of_passes), $freedom);
}

sub _judge {
    my ($host, $smallest, @figures) = @_;
    for my $name (keys %{ $host->{figures} }) {
        my $figure = $host->{figures}{$name};
        my $limit  = 1 - $smallest * (
              $name eq $Touchstone::Pack::Fleet::Ranking::MEAN
            ? $Touchstone::Pack::Fleet::Stats::Screening::IN_THE_MEAN
            : 1
        );
        $figure->{verdict} =
              $figure->{p} <= $LEVEL && $figure->{ratio} <= $limit ? $BAD
            : $figure->{interval}[0] > $limit                      ? $CLEARED
            :                                                        $INCONCLUSIVE;
    }
    my %verdict = map { $_ => ($host->{figures}{$_} || { verdict => $INCONCLUSIVE })->{verdict} } @figures;
    my $mean    = $verdict{$Touchstone::Pack::Fleet::Ranking::MEAN};
    $host->{verdict} =
          (grep { $_ eq $BAD } values %verdict)                             ? $BAD
        : (grep { $_ ne $CLEARED } defined $mean ? $mean : values %verdict) ? $INCONCLUSIVE
        :                                                                     $CLEARED;
    my $whole = $host->{figures}{$Touchstone::Pack::Fleet::Ranking::MEAN};
    @$host{qw(ratio interval)} = @$whole{qw(ratio interval)} if $whole;
    return;
}

1;
