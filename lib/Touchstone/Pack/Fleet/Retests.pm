# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Retests - adds to the hosts of judged groups what a campaign of new runs of their suspects
# says. The newest verdict counts, and all are kept:
#
#   confirmed => { campaign => 'k68-confirm-1', verdict => 'bad', runs => 3, ratio, interval,
#                  figures },   the newest
#   confirmations => [ ..., the newest ]
package Touchstone::Pack::Fleet::Retests;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max sum);

use Touchstone::Pack::Fleet::Campaign qw(expect);
use Touchstone::Pack::Fleet::Ranking qw($MEAN figures with_mean);
use Touchstone::Pack::Fleet::Stats::Outliers qw($IN_THE_MEAN $SMALLEST);
use Touchstone::Pack::Fleet::Store;
use Touchstone::Stats qw(deviation mean);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw($BAD add_retests);

our $RUNS = 3;

our ($SUSPECT, $CONTROL) = qw(suspect control);

# Reads the campaign in a directory. Returns { campaign => 'k68-confirm-1', hosts => 5, received => 5 }.
sub add_retests {
    my ($groups, $directory, $smallest) = @_;
    my $manifest = expect($directory);
    my %role     = map { $_->{name} => $_->{role} } @{ $manifest->{hosts} };
    my $members  = Touchstone::Pack::Fleet::Store::read($directory)->{members};
    my %roles    = map { $_->{host_id} => $role{ $_->{host} } } @$members;
    confirmed($groups, $smallest, $manifest->{campaign}, \%roles, @$members);
    return {
        campaign => $manifest->{campaign},
        hosts    => scalar @{ $manifest->{hosts} },
        received => scalar keys %roles
    };
}

# The same of members that were read, with the roles of hosts by host_id.
sub confirmed {
    my ($groups, $smallest, $campaign, $roles, @members) = @_;
    $smallest //= $SMALLEST;
    my (%runs, @parts, @of);
    push @{ $runs{ $_->{host_id} } }, $_ for grep { !defined $_->{invalid} && %{ $_->{figures} } } @members;
    for my $group (grep { $_->{judged} && !$_->{split} } @$groups) {
        my %hosts = map { $_->{host_id} => $_ } @{ $group->{hosts} };
        my %new   = map { $_ => $runs{$_} } grep { $hosts{$_} } keys %runs;
        for my $part (_of_like_programs(\%new)) {
            my $figures  = figures($part);
            my @suspects = grep { ($roles->{$_} // '') eq $SUSPECT } keys %$part;
            push @of, \%hosts;
            push @parts,
                {
                suspects => { map { $_ => [ _slow_in($hosts{$_}) ] } @suspects },
                limits   => { map { $_ => _limits_of($hosts{$_}) } @suspects },
                controls => [ grep { ($roles->{$_} // '') eq $CONTROL } keys %$part ],
                figures  => with_mean($part, $figures)
                };
        }
    }
    my @found = judge_retests(\@parts, $smallest);
    for my $i (0 .. $#found) {
        my $figures = $parts[$i]{figures}{$MEAN};
        _noted($of[$i]{$_},
            { campaign => $campaign, runs => scalar @{ $figures->{$_} }, %{ $found[$i]{$_} } })
            for keys %{ $found[$i] };
    }
    return;
}

# Runs of other programs are compared apart.
sub _of_like_programs {
    my ($runs) = @_;
    my %parts;
    for my $host (keys %$runs) {
        push @{ $parts{ $_->{passport} // '' }{$host} }, $_ for @{ $runs->{$host} };
    }
    return map { $parts{$_} } sort keys %parts;
}

# The figures for which a host is suspect; where it is no more, its mean.
sub _slow_in {
    my ($host) = @_;
    my @slow =
        grep { $host->{figures}{$_}{far} && $host->{figures}{$_}{ratio} < 1 } sort keys %{ $host->{figures} };
    push @slow, $MEAN if !@slow || $host->{whole}{far} && $host->{ratio} < 1;
    return @slow;
}

# What a host is beyond if it is slower than the others differ, by figure.
sub _limits_of {
    my ($host) = @_;
    my $figures = $host->{figures};
    return { $MEAN => $host->{whole}{limit}, map { $_ => $figures->{$_}{limit} } keys %$figures };
}

sub _noted {
    my ($host, $retest) = @_;
    push @{ $host->{confirmations} }, $retest;
    $host->{confirmed} = $retest;
    $host->{verdict}   = $retest->{verdict};
    return;
}

# These hosts are to be measured again, $RUNS times each: the suspects of a judgement
# (Pack::Fleet::Judge), and for each group two controls from its middle. With `earlier`, only suspects that
# are not among these names.
#
#   chosen(judgement)    ({ name => 'web3', role => 'suspect', slot => 'hv07', labels => { rack => 'b4' } },
#                         { name => 'web1', role => 'control', ... }, ...)

my $CONTROLS = 2;

# A host that is bad may be mended, and one that is inconclusive may be found out. Without any, the slowest
# host of each judged group is measured again, once.
my %AGAIN = map { $_ => 1 } qw(suspect bad inconclusive);

sub chosen {
    my ($judgement, $earlier) = @_;
    my (%taken, @chosen);
    for my $group (@{ $judgement->{groups} }) {
        my @suspects =
            grep {
            $earlier ? $_->{verdict} eq $SUSPECT && !$earlier->{ $_->{host} } : $AGAIN{ $_->{verdict} }
            } @{ $group->{hosts} };
        @suspects = _slowest($group) if !@suspects && !$earlier;
        next                         if !@suspects;
        push @chosen, map { [ $_, $SUSPECT ] } @suspects;
        push @chosen, map { [ $_, $CONTROL ] } _controls($group, map { $_->{host_id} => 1 } @suspects);
    }
    return map {
        my ($host, $role) = @$_;
        { name => $host->{host}, role => $role, slot => $host->{slot}, labels => $host->{labels} || {} }
    } grep { !$taken{ $_->[0]{host} }++ } sort { $b->[1] cmp $a->[1] } @chosen;
}

sub _slowest {
    my ($group) = @_;
    return if !$group->{judged} || $group->{split} || grep { $_->{confirmed} } @{ $group->{hosts} };
    my ($slowest) = grep { defined $_->{ratio} } @{ $group->{hosts} };
    return $slowest && $slowest->{ratio} < 1 ? $slowest : ();
}

# The hosts that are nearest to the median of their group, of those of which nobody says anything.
sub _controls {
    my ($group, %not) = @_;
    my @healthy =
        grep { defined $_->{ratio} && !length $_->{verdict} && !$_->{fast} && !$not{ $_->{host_id} } }
        @{ $group->{hosts} };
    my @near = sort { abs(log $a->{ratio}) <=> abs(log $b->{ratio}) || $a->{host} cmp $b->{host} } @healthy;
    return grep { defined } @near[ 0 .. $CONTROLS - 1 ];
}

# What new runs say of suspects. They alone count: a host was suspected because
# its first runs were far, which by chance they are of a healthy host, too. Each suspect is compared with the
# controls of its group, which were measured at the same time:
#
#   of([ { suspects => { web3 => [ '', '1 pipe' ] },     with the figures to look at, '' is the mean
#          limits   => { web3 => { '' => 0.04 } },           logarithms (Pack::Fleet::Stats::Outliers)
#          controls => [ 'web1', 'web7' ],
#          figures  => { '' => { web3 => [ { y, error, passes }, ... ], ... }, ... } }, ... ], 0.03)
#
# and a list of findings in the same order comes out:
#
#   { web3 => { verdict => 'bad', ratio => 0.95, interval => [0.94, 0.96],        of the mean
#               figures => { '1 pipe' => { ratio, interval, p, verdict }, '' => { ... } } } }
#
# bad           slower than the controls beyond chance (all tests of all suspects after Holm, 5 %), by what is
#               of interest, and by more than its limit, which is what the hosts of the group differ by
# cleared       the interval of its mean ends before what is of interest; where it is suspect in some figures
#               alone, those of all these figures
# inconclusive  all else; `within` is 1 if only the limit keeps it from being bad

our ($BAD, $CLEARED, $INCONCLUSIVE) = qw(bad cleared inconclusive);

my $LEVEL = 0.05;

sub judge_retests {
    my ($groups, $smallest) = @_;
    my (@found, @tests);
    for my $group (@$groups) {
        my %hosts;
        for my $suspect (sort keys %{ $group->{suspects} }) {
            my %figures = map { $_ => scalar _compared($group, $suspect, $_) }
                _unique(@{ $group->{suspects}{$suspect} }, $MEAN);
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
        _judge_host($found[$i]{$_}, $smallest, $groups->[$i]{limits}{$_}, @{ $groups->[$i]{suspects}{$_} })
            for keys %{ $found[$i] };
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
    my $host     = $hosts->{$suspect} or return;
    my @controls = map { $hosts->{$_} || () } @{ $group->{controls} };
    my ($variance, $freedom) = _between_runs(values %$hosts);
    return if !@controls || !$freedom;
    my @means = map { _mean_of($_) } @controls;
    my $error = sqrt($variance * (1 / @$host + sum(map { 1 / @$_ } @controls) / @controls**2));
    my $test  = Touchstone::Stats::Significance::judged(_mean_of($host) - mean(@means), $error, $freedom);
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

sub _judge_host {
    my ($host, $smallest, $limits, @figures) = @_;
    for my $name (keys %{ $host->{figures} }) {
        my $figure = $host->{figures}{$name};
        my $limit  = 1 - $smallest * (
              $name eq $MEAN
            ? $IN_THE_MEAN
            : 1
        );
        my $slow = $figure->{p} <= $LEVEL && $figure->{ratio} <= $limit;
        $figure->{within} = $slow && -log($figure->{ratio}) < ($limits->{$name} // 0) ? 1 : 0;
        $figure->{verdict} =
              $slow && !$figure->{within}     ? $BAD
            : $figure->{interval}[0] > $limit ? $CLEARED
            :                                   $INCONCLUSIVE;
    }
    my %verdict = map { $_ => ($host->{figures}{$_} || { verdict => $INCONCLUSIVE })->{verdict} } @figures;
    my $mean    = $verdict{$MEAN};
    $host->{verdict} =
          (grep { $_ eq $BAD } values %verdict)                             ? $BAD
        : (grep { $_ ne $CLEARED } defined $mean ? $mean : values %verdict) ? $INCONCLUSIVE
        :                                                                     $CLEARED;
    $host->{within} = $host->{verdict} eq $INCONCLUSIVE
        && (grep { ($host->{figures}{$_} || {})->{within} } @figures) ? 1 : 0;
    my $whole = $host->{figures}{$MEAN};
    @$host{qw(ratio interval)} = @$whole{qw(ratio interval)} if $whole;
    return;
}

1;
