# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Rollout - what a change to a fleet, such as a kernel, did to its speed: two campaigns of the
# same hosts, before it and after it. judge(BEFORE, AFTER, %options) gives
#
#   {
#     status   => 0 (no worse), 1 (worse, or hosts are missing) or 125 (inconclusive),
#     verdict  => 'worse', 'no worse' or 'inconclusive',
#     before   => { directory, campaign, hosts, started, ended }, after => { ... },
#     level    => 0.0125, wave => { nth => 2, of => 4 } or undef,
#     smallest => 0.03, ignored => 1 where the user named it,
#     hosts    => 30, needed => 9, controls => 5, control => 'ring=control' or undef,
#     drift    => { ratio, hosts } of the controls, or undef,
#     all      => FIGURE of the mean over all figures,
#     figures  => [ FIGURE, ... ],                the slowest first
#     left_out => [ { name, copies, hosts } ]     figures that few hosts have
#     groups   => [ { title, hosts, ratio, interval } ],
#     differ   => { p, part } where groups were compared, or undef,
#     moved    => [ { host, ratio, figures => [ { name, copies, ratio } ] } ],   hosts unlike the others
#     changes  => [ { thing, from, to, hosts, controls } ],
#     cause    => that of Compare::Cause, if figures differ
#     lost     => [ { name, copies, hosts => [ names ] } ],
#     missing  => { hosts => [ names ], expected => 30, allowed => 0.05 },
#     only_before, only_after, renamed, reinstalled, unlike, invalid => those of Pack::Fleet::Rollout::Pairs,
#     damaged  => [ { when => 'before', file, why } ]
#   }
#
#   FIGURE: { key, name, title, copies, suite, hosts, controls, ratio, interval, p, verdict, hides, limit, drift,
#             takes => hosts that would rule out `smallest`, worst => [ { host, ratio }, ... ] }
package Touchstone::Pack::Fleet::Rollout;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Random;
use Touchstone::Compare::Cause;
use Touchstone::Compare::Judgement qw($SLOWER);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Rollout::Pairs qw(changed_facts lost_figures pair_hosts);
use Touchstone::Pack::Fleet::Stats::BeforeAfter
    qw($INCONCLUSIVE $LEVEL $NOT_TESTED $NO_WORSE $SMALLEST $WORSE change hosts_for judged needed);
use Touchstone::Pack::Fleet::Stats::Outliers qw(suspects);
use Touchstone::Pack::Fleet::Stats::VarianceComponents qw(associate);
use Touchstone::Pack::Fleet::Store;
use Touchstone::Stats qw(mean);

# `options`: control => 'ring=control', wave => '2/4', group_by => [ labels ], smallest => 0.01,
# allow_missing => 0.05.
sub judge {
    my ($before, $after, %options) = @_;
    my %side    = (before => _side($before), after => _side($after));
    my $result  = judge_members($side{before}{members}, $side{after}{members}, %options);
    my @damaged = map {
        my $when = $_;
        map { +{ when => $when, %$_ } } @{ $side{$when}{damaged} }
    } qw(before after);
    my $missing = _missing(@{ $side{after} }{qw(manifest members)});
    $missing->{allowed} = $options{allow_missing} // 0;
    my $gone = @{ $missing->{hosts} } > $missing->{allowed} * $missing->{expected};
    return {
        %$result,
        (map { $_ => _sentence($side{$_}) } qw(before after)),
        missing => $missing,
        damaged => \@damaged,
        status  => $gone ? 1 : $result->{status}
    };
}

sub _side {
    my ($directory) = @_;
    my $manifest    = Touchstone::Pack::Fleet::Campaign::read($directory);
    my $records     = Touchstone::Pack::Fleet::Store::read($directory);
    die "no records in '$directory'\n" if !@{ $records->{members} };
    return { %$records, directory => $directory, manifest => $manifest };
}

sub _sentence {
    my ($side)  = @_;
    my @members = @{ $side->{members} };
    my %hosts   = map { $_->{host_id} => 1 } @members;
    return {
        directory => $side->{directory},
        campaign  => ($side->{manifest} || {})->{campaign},
        hosts     => scalar keys %hosts,
        started   => min(map { $_->{started} } @members),
        ended     => max(map { $_->{ended} // $_->{started} } @members)
    };
}

# Hosts that the second campaign expects and that have no record there.
sub _missing {
    my ($manifest, $members) = @_;
    my @expected = map { $_->{name} } @{ ($manifest || {})->{hosts} || [] };
    my %here     = map { $_->{host} => 1 } @$members;
    return { expected => scalar @expected, hosts => [ grep { !$here{$_} } @expected ] };
}

# The same from members, without what only directories tell.
sub judge_members {
    my ($before, $after, %options) = @_;
    my $paired = pair_hosts($before, $after, @{ $options{group_by} || [] });
    my @pairs  = @{ delete $paired->{pairs} };
    _mark_controls($options{control}, @pairs);
    my @hosts   = grep { !$_->{control} } @pairs;
    my $control = defined $options{control} ? [ grep { $_->{control} } @pairs ] : undef;
    my $wave    = _wave($options{wave});
    my %with    = (
        level    => $LEVEL / ($wave ? $wave->{of} : 1),
        smallest => $options{smallest} // $SMALLEST,
        ignored  => defined $options{smallest} ? 1 : 0
    );
    my ($keys,   $few)    = family(@hosts);
    my ($differ, $groups) = groups_of_change($keys, \@hosts, $control);
    my $result = {
        %$paired, %with,
        %{ judge_figures($keys, \@hosts, $control, %with) },
        wave     => $wave,
        hosts    => scalar @hosts,
        control  => $options{control},
        controls => $control ? scalar @$control : 0,
        left_out => [ map { named_figure($_, @hosts) } @$few ],
        changes  => changed_facts(@pairs),
        lost     => _lost($keys, @pairs),
        moved    => outstanding_hosts($keys, @hosts),
        differ   => $differ,
        groups   => $groups
    };
    return { %$result, cause => _cause($result), status($result) };
}

# The cause that the figures fit, which are no tests of one pair of runs but their means.
sub _cause {
    my ($result) = @_;
    my %verdict = ($WORSE => $SLOWER);
    return Touchstone::Compare::Cause::of_pair(
        [ map { +{ %$_, verdict => $verdict{ $_->{verdict} } // $_->{verdict} } } @{ $result->{figures} } ],
        $result->{changes});
}

sub _wave {
    my ($text) = @_;
    return undef if !defined $text;
    my ($nth, $total) = $text =~ m{\A(\d+)/(\d+)\z} or die "a wave needs K/N, such as 2/4, not '$text'\n";
    return { nth => $nth, of => $total };
}

sub _mark_controls {
    my ($control, @pairs) = @_;
    return if !defined $control;
    my ($label, $value) = split /=/, $control, 2;
    for my $pair (@pairs) {
        my $labelled = $pair->{labels}{$label};
        $pair->{control} = defined $labelled && (!defined $value || $labelled eq $value) ? 1 : 0;
    }
    die "no host that was measured twice has the label '$control'\n" if !grep { $_->{control} } @pairs;
    return;
}

# Figures that hosts had before and have no more.
sub _lost {
    my ($keys, @pairs) = @_;
    my %judged = map { $_ => 1 } @$keys;
    return [
        map  { +{ %{ named_figure($_->{key}, @pairs) }, hosts => $_->{hosts} } }
        grep { $judged{ $_->{key} } } @{ lost_figures(@pairs) }
    ];
}

# (status, verdict). A figure that nobody can speak for is no proof that nothing is worse, nor are groups on
# which the change acts in different ways.
sub status {
    my ($result) = @_;
    my @figures = (@{ $result->{figures} }, $result->{all} // ());
    return (status => 1, verdict => $WORSE)
        if grep { $_->{verdict} eq $WORSE } @figures;
    my %leaves_open = map { $_ => 1 } $INCONCLUSIVE, $NOT_TESTED;
    my $open = !@{ $result->{figures} } || grep { $leaves_open{ $_->{verdict} } } @{ $result->{figures} };
    $open ||= $result->{differ} && $result->{differ}{p} <= $LEVEL;
    return $open
        ? (status => 125, verdict => $INCONCLUSIVE)
        : (status => 0, verdict => $NO_WORSE);
}

# Groups of fewer hosts are not compared with others.
my $IN_GROUP = 3;

# Hosts whose change is unlike that of the others.
sub outstanding_hosts {
    my ($keys, @hosts) = @_;
    my %of;
    for my $i (0 .. $#hosts) {
        my ($change, $error) = @{ $hosts[$i] }{qw(change error)};
        my %figures = map { $_ => { y => $change->{$_}, error => $error->{$_} } }
            grep { defined $change->{$_} } @$keys;
        $of{$i} = \%figures if %figures;
    }
    my $outliers = suspects(\%of);
    my @moved =
        map { _outstanding_host($hosts[$_], $outliers->{$_}) }
        grep { $outliers->{$_}{certain} } keys %$outliers;
    return [ sort { $a->{ratio} <=> $b->{ratio} || $a->{host} cmp $b->{host} } @moved ];
}

sub _outstanding_host {
    my ($pair, $outlier) = @_;
    my $figures = $outlier->{figures};
    my @far     = sort { $figures->{$a}{distance} <=> $figures->{$b}{distance} || $a cmp $b }
        grep { $figures->{$_}{far} } keys %$figures;
    return {
        host    => $pair->{host},
        ratio   => exp $outlier->{whole}{distance},
        figures => [
            map {
                my $figure = $pair->{had}{$_};
                +{ (map { $_ => $figure->{$_} } qw(name copies)), ratio => exp $figures->{$_}{distance} }
            } @far
        ]
    };
}

# What the change did to each group of hardware, and whether it did the same to all: ({ p, part } or undef,
# [ groups ]).
sub groups_of_change {
    my ($keys, $hosts, $control) = @_;
    my $drift = row_of_all($keys, [], $control)->{control};
    my %of;
    for my $pair (@$hosts) {
        my $change = mean_of($keys, $pair) // next;
        push @{ $of{ $pair->{group} } }, $change;
    }
    my @titles = sort { @{ $of{$b} } <=> @{ $of{$a} } || $a cmp $b } keys %of;
    my @large  = map  { [ @{ $of{$_} } ] } grep { @{ $of{$_} } >= $IN_GROUP } @titles;
    my $differ =
        @large > 1
        ? associate(\@large, Touchstone::Base::Random::generator(1))
        : undef;
    return ($differ, [ map { _change_of_group($_, $of{$_}, $drift) } @titles ]);
}

sub _change_of_group {
    my ($title, $changes, $drift) = @_;
    my $change = shown(change($changes, $drift));
    return {
        title    => $title,
        hosts    => scalar @$changes,
        ratio    => $change->{ratio} // exp mean(@$changes),
        interval => $change->{interval}
    };
}

# The figures of the pairs of Pack::Fleet::Rollout::Pairs before and after a
# change, judged one by one and in the mean, as Pack::Fleet::Rollout lists them. Hosts without the change tell
# the drift.

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
sub judge_figures {
    my ($keys, $hosts, $control, %with) = @_;
    my @rows  = map { _row($_, $hosts, $control) } @$keys;
    my $all   = row_of_all($keys, $hosts, $control);
    my $tests = @$keys > 1
        && @$hosts >= needed(1 + @$keys, $with{level});
    my $result = judged([ @rows, $tests ? $all : () ], %with);
    my ($mean) =
          $tests     ? splice(@{ $result->{figures} }, -1)
        : !@$keys    ? ()
        : @$keys < 2 ? $result->{figures}[0]
        :              _untested($all, %with);
    my @figures = map { _figure($keys->[$_], $result->{figures}[$_], $hosts, $with{smallest}) } 0 .. $#$keys;
    return {
        needed  => needed(scalar @$keys, $with{level}),
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
        my $row = $_;
        $row && [ map { $_->{change}{$key} // () } @$row ]
    } $hosts, $control;
    return { changed => $changed, control => $without };
}

sub row_of_all {
    my ($keys, $hosts, $control) = @_;
    my ($changed, $without) = map {
        my $row = $_;
        $row && [ map { mean_of($keys, $_) // () } @$row ]
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
    my ($figure) = @{ judged([$row], %with)->{figures} };
    delete $figure->{p};
    return { %$figure, verdict => $NOT_TESTED };
}

# What Pack::Fleet::Stats::BeforeAfter found, with ratios in the place of logarithms.
sub shown {
    my ($change) = @_;
    my %shown = map { $_ => $change->{$_} } qw(hosts controls p verdict hides limit);
    return \%shown if !defined $change->{difference};
    return {
        %shown,
        ratio    => exp $change->{difference},
        interval => [ map { exp } @$change{qw(low high)} ],
        drift    => defined $change->{drift} ? exp $change->{drift} : undef
    };
}

sub _figure {
    my ($key, $change, $hosts, $smallest) = @_;
    my @with = sort { $a->{change}{$key} <=> $b->{change}{$key} || $a->{host} cmp $b->{host} }
        grep { defined $_->{change}{$key} } @$hosts;
    splice @with, $NAMED if @with > $NAMED;
    my $off = $change->{drift} // 0;
    return {
        %{ named_figure($key, @$hosts) },
        %{ shown($change) },
        takes => scalar hosts_for($change, $smallest),
        worst => [ map { +{ host => $_->{host}, ratio => exp($_->{change}{$key} - $off) } } @with ]
    };
}

# What a figure is called, by the first host that has it; `hosts` that have it before.
sub named_figure {
    my ($key, @hosts) = @_;
    my @with = grep { $_->{had}{$key} } @hosts;
    return {
        key   => $key,
        hosts => scalar @with,
        map { $_ => $with[0]{had}{$key}{$_} } qw(name title copies suite)
    };
}

1;
