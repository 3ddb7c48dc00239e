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
#     lost     => [ { name, copies, hosts => [ names ] } ],
#     missing  => { hosts => [ names ], expected => 30, allowed => 0.05 },
#     only_before, only_after, renamed, reinstalled, unlike, void => those of Pack::Fleet::Rollout::Pairs,
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
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Rollout::Facts;
use Touchstone::Pack::Fleet::Rollout::Figures;
use Touchstone::Pack::Fleet::Rollout::Pairs;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Stats qw(mean);
use Touchstone::Pack::Fleet::Stats::Association;
use Touchstone::Pack::Fleet::Stats::BeforeAfter;
use Touchstone::Pack::Fleet::Stats::Screening;

# `options`: control => 'ring=control', wave => '2/4', group_by => [ labels ], smallest => 0.01,
# allow_missing => 0.05.
sub judge {
    my ($before, $after, %options) = @_;
    my %side    = (before => _side($before), after => _side($after));
    my $found   = of($side{before}{members}, $side{after}{members}, %options);
    my @damaged = map {
        my $when = $_;
        map { +{ when => $when, %$_ } } @{ $side{$when}{damaged} }
    } qw(before after);
    my $missing = _missing(@{ $side{after} }{qw(manifest members)});
    $missing->{allowed} = $options{allow_missing} // 0;
    my $gone = @{ $missing->{hosts} } > $missing->{allowed} * $missing->{expected};
    return {
        %$found,
        (map { $_ => _said($side{$_}) } qw(before after)),
        missing => $missing,
        damaged => \@damaged,
        status  => $gone ? 1 : $found->{status}
    };
}

sub _side {
    my ($directory) = @_;
    my $manifest    = Touchstone::Pack::Fleet::Campaign::read($directory);
    my $records     = Touchstone::Pack::Fleet::Store::read($directory);
    die "no records in '$directory'\n" if !@{ $records->{members} };
    return { %$records, directory => $directory, manifest => $manifest };
}

sub _said {
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
sub of {
    my ($before, $after, %options) = @_;
    my $found = Touchstone::Pack::Fleet::Rollout::Pairs::of($before, $after, @{ $options{group_by} || [] });
    my @pairs = @{ delete $found->{pairs} };
    _mark_controls($options{control}, @pairs);
    my @hosts   = grep { !$_->{control} } @pairs;
    my $control = defined $options{control} ? [ grep { $_->{control} } @pairs ] : undef;
    my $wave    = _wave($options{wave});
    my %with    = (
        level    => $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL / ($wave ? $wave->{of} : 1),
        smallest => $options{smallest} // $Touchstone::Pack::Fleet::Stats::BeforeAfter::SMALLEST,
        ignored  => defined $options{smallest} ? 1 : 0
    );
    my ($keys,   $few)    = Touchstone::Pack::Fleet::Rollout::Figures::family(@hosts);
    my ($differ, $groups) = groups_of_change($keys, \@hosts, $control);
    my $said = {
        %$found, %with,
        %{ Touchstone::Pack::Fleet::Rollout::Figures::judged($keys, \@hosts, $control, %with) },
        wave     => $wave,
        hosts    => scalar @hosts,
        control  => $options{control},
        controls => $control ? scalar @$control : 0,
        left_out => [ map { Touchstone::Pack::Fleet::Rollout::Figures::named($_, @hosts) } @$few ],
        changes  => Touchstone::Pack::Fleet::Rollout::Facts::changed(@pairs),
        lost     => _lost($keys, @pairs),
        moved    => outstanding_hosts($keys, @hosts),
        differ   => $differ,
        groups   => $groups
    };
    return { %$said, status($said) };
}

sub _wave {
    my ($text) = @_;
    return undef if !defined $text;
    my ($nth, $of) = $text =~ m{\A(\d+)/(\d+)\z} or die "a wave needs K/N, such as 2/4, not '$text'\n";
    return { nth => $nth, of => $of };
}

sub _mark_controls {
    my ($control, @pairs) = @_;
    return if !defined $control;
    my ($label, $value) = split /=/, $control, 2;
    for my $pair (@pairs) {
        my $its = $pair->{labels}{$label};
        $pair->{control} = defined $its && (!defined $value || $its eq $value) ? 1 : 0;
    }
    die "no host that was measured twice has the label '$control'\n" if !grep { $_->{control} } @pairs;
    return;
}

# Figures that hosts had before and have no more.
sub _lost {
    my ($keys, @pairs) = @_;
    my %judged = map { $_ => 1 } @$keys;
    return [
        map {
            +{
                %{ Touchstone::Pack::Fleet::Rollout::Figures::named($_->{key}, @pairs) },
                hosts => $_->{hosts}
            }
            }
            grep { $judged{ $_->{key} } } @{ Touchstone::Pack::Fleet::Rollout::Facts::lost(@pairs) }
    ];
}

# (status, verdict). A figure that nobody can speak for is no proof that nothing is worse, nor are groups on
# which the change acts in different ways.
sub status {
    my ($said) = @_;
    my @figures = (@{ $said->{figures} }, $said->{all} // ());
    return (status => 1, verdict => $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE)
        if grep { $_->{verdict} eq $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE } @figures;
    my %leaves_open = map { $_ => 1 } $Touchstone::Pack::Fleet::Stats::BeforeAfter::INCONCLUSIVE,
        $Touchstone::Pack::Fleet::Stats::BeforeAfter::NOT_TESTED;
    my $open = !@{ $said->{figures} } || grep { $leaves_open{ $_->{verdict} } } @{ $said->{figures} };
    $open ||= $said->{differ} && $said->{differ}{p} <= $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL;
    return $open
        ? (status => 125, verdict => $Touchstone::Pack::Fleet::Stats::BeforeAfter::INCONCLUSIVE)
        : (status => 0, verdict => $Touchstone::Pack::Fleet::Stats::BeforeAfter::NO_WORSE);
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
    my $found = Touchstone::Pack::Fleet::Stats::Screening::suspects(\%of);
    my @moved =
        map { _outstanding_host($hosts[$_], $found->{$_}) } grep { $found->{$_}{suspect} } keys %$found;
    return [ sort { $a->{ratio} <=> $b->{ratio} || $a->{host} cmp $b->{host} } @moved ];
}

sub _outstanding_host {
    my ($pair, $found) = @_;
    my $its = $found->{figures};
    my @far = sort { $its->{$a}{distance} <=> $its->{$b}{distance} || $a cmp $b }
        grep { $its->{$_}{far} } keys %$its;
    return {
        host    => $pair->{host},
        ratio   => exp $found->{whole}{distance},
        figures => [
            map {
                my $figure = $pair->{had}{$_};
                +{ (map { $_ => $figure->{$_} } qw(name copies)), ratio => exp $its->{$_}{distance} }
            } @far
        ]
    };
}

# What the change did to each group of hardware, and whether it did the same to all: ({ p, part } or undef,
# [ groups ]).
sub groups_of_change {
    my ($keys, $hosts, $control) = @_;
    my $drift = Touchstone::Pack::Fleet::Rollout::Figures::row_of_all($keys, [], $control)->{control};
    my %of;
    for my $pair (@$hosts) {
        my $change = Touchstone::Pack::Fleet::Rollout::Figures::mean_of($keys, $pair) // next;
        push @{ $of{ $pair->{group} } }, $change;
    }
    my @titles = sort { @{ $of{$b} } <=> @{ $of{$a} } || $a cmp $b } keys %of;
    my @large  = map  { [ @{ $of{$_} } ] } grep { @{ $of{$_} } >= $IN_GROUP } @titles;
    my $differ =
        @large > 1
        ? Touchstone::Pack::Fleet::Stats::Association::of(\@large, Touchstone::Base::Random::generator(1))
        : undef;
    return ($differ, [ map { _change_of_group($_, $of{$_}, $drift) } @titles ]);
}

sub _change_of_group {
    my ($title, $changes, $drift) = @_;
    my $found =
        Touchstone::Pack::Fleet::Rollout::Figures::shown(
        Touchstone::Pack::Fleet::Stats::BeforeAfter::change($changes, $drift));
    return {
        title    => $title,
        hosts    => scalar @$changes,
        ratio    => $found->{ratio} // exp mean(@$changes),
        interval => $found->{interval}
    };
}

1;
