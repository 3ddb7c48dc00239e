# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Ranking - which host is how fast: its newest valid run, beside those of the others.
#
# of(the runs of Archive, the hosts of Series) gives
#
#   {
#       indexes => [
#           {
#               title, suite, copies,
#               scale     => a word for all these,
#               reference => whose index is the scale,
#               version   => of its tests, if it is not 1,
#               spread    => 0.021: 19 of 20 runs of a host are so close to the one before; or undef,
#               hosts     => [ { name, run => its place, score, interval, series, change } ]
#           }
#       ],
#       tests => [
#           {
#               suite, copies,
#               hosts => [ { name, run } ],
#               rows  => [ { name, title, unit, better, spread,
#                            cells => [ { score, interval, unit, better, kind } or undef ] } ]
#           }
#       ],
#       unranked => [ names of hosts ]
#   }
#
# The fastest comes first. Indexes are of one kind only where title, copies, reference, scale and versions of
# tests are the same: each kind is a ranking of its own. A change is
#
#   { date, run, speed => that of the index or undef, differ => [...], slower => 1 or 0,
#     tests => [ { name, title, speed } ] }
#
# and joins what changed within three runs.
package Touchstone::Pack::Browse::Ranking;
use 5.014;
use strict;
use warnings;

use POSIX qw(ceil);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(natural_key);
use Touchstone::Pack::Browse::Archive;
use Touchstone::Score::Index;
use Touchstone::Stats qw(median);
use Touchstone::Suite;

# Changes of several tests by one cause are found up to so many runs apart.
my $TOGETHER = 2;

# A spread needs so many pairs of runs; so many of them are within it.
my $PAIRS  = 10;
my $WITHIN = 0.95;

sub rank {
    my ($runs, $hosts) = @_;
    my @ranked = grep { _can_be_ranked($runs->[$_]) } 0 .. $#$runs;
    my %host   = map  { $_->{name} => $_ } @$hosts;
    my $when   = _ordinals($runs);
    my @indexes =
        map { _ranking($_, \%host, $when) } _ordered(_kinds($runs, @ranked));
    my %seen = map { $_->{name} => 1 } map { @{ $_->{hosts} } } @indexes;
    my %all  = map { $_->{host} => 1 } @$runs;
    return {
        indexes  => \@indexes,
        tests    => [ map { _tests($_, \@indexes, $hosts) } _suites($runs, @ranked) ],
        unranked => [ sort { natural_key($a) cmp natural_key($b) } grep { !$seen{$_} } keys %all ]
    };
}

# Sets of --build and duets compare programs, not hosts.
sub _can_be_ranked {
    my ($run) = @_;
    return !$run->{duet} && !$run->{set} && !$run->{invalid} && $run->{status} ne 'running';
}

# How many runs of its host are older, for each run.
sub _ordinals {
    my ($runs) = @_;
    my (%many, @ordinals);
    $ordinals[$_] = $many{ $runs->[$_]{host} }++ for reverse 0 .. $#$runs;
    return \@ordinals;
}

# The newest whole index of each kind of each host. What is a part of another of its run is no kind.
sub _kinds {
    my ($runs, @ranked) = @_;
    my %kinds;
    for my $place (@ranked) {
        my $run   = $runs->[$place];
        my @whole = Touchstone::Score::Index::whole(@{ $run->{indexes} });
        for my $index (grep { !$_->{partial} && $_->{score} > 0 } @whole) {
            my $scale = scale_of($run, $index);
            my $kind  = $kinds{$scale} //= {
                scale => $scale,
                (map { $_ => $index->{$_} } qw(title suite copies name)),
                reference => $index->{reference} // $run->{baseline},
                version   => $index->{conditions}{'version of the test'},
                newest    => $place,
                of        => {}
            };
            $kind->{of}{ $run->{host} } //= {
                name     => $run->{host},
                run      => $place,
                score    => $index->{score},
                interval => $index->{interval}
            };
        }
    }
    return values %kinds;
}

# Names the scale of an index: figures of two scales say nothing about each other.
sub scale_of {
    my ($run, $index) = @_;
    return join "\n", map { $_ // '' } @$index{qw(suite key title)}, $index->{reference} // $run->{baseline},
        $index->{scale}, $index->{conditions}{'version of the test'}, $index->{copies};
}

# Suites in their order, few copies first, then what was measured last.
sub _ordered {
    my (@kinds) = @_;
    my $suites  = Touchstone::Suite::load()->{suites};
    my $place   = sub { return ($suites->{ $_[0]{suite} } || {})->{order} // 1e9 };
    return sort {
               $place->($a) <=> $place->($b)
            || $a->{suite} cmp $b->{suite}
            || $a->{copies} <=> $b->{copies}
            || $a->{newest} <=> $b->{newest}
            || $a->{title} cmp $b->{title}
            || $a->{reference} cmp $b->{reference}
            || ($a->{version} // '') cmp($b->{version} // '')
    } @kinds;
}

sub _ranking {
    my ($kind, $hosts, $when) = @_;
    my @rows = sort { $b->{score} <=> $a->{score} || natural_key($a->{name}) cmp natural_key($b->{name}) }
        values %{ $kind->{of} };
    for my $row (@rows) {
        my $host = $hosts->{ $row->{name} } or next;
        my ($series) =
            grep { $_->{index} && $_->{name} eq $kind->{name} && _has($_, $kind, $row) } @{ $host->{series} };
        $row->{series} = $series;
        $row->{change} =
            _last_change($row, $kind, $when, $series, grep { !$_->{index} } @{ $host->{series} });
    }
    my @all = grep { $_->{index} && $_->{name} eq $kind->{name} && $_->{copies} == $kind->{copies} }
        map { @{ $_->{series} } } values %$hosts;
    return {
        (map { $_ => $kind->{$_} } qw(title suite copies scale reference version)),
        hosts  => \@rows,
        spread => spread(@all)
    };
}

# A series of so many copies that has the run of a row: the newest runs have the lowest places.
sub _has {
    my ($series, $kind, $row) = @_;
    return 0 if $series->{copies} != $kind->{copies};
    my $points = $series->{points};
    my $place  = $#$points;
    $place-- while $place > 0 && $points->[$place]{run} < $row->{run};
    return $points->[$place]{run} == $row->{run};
}

# The newest change of the index or of a test of its suite, with what changed with it. Its day is that of the
# run in which something else changed, too.
sub _last_change {
    my ($row, $kind, $when, $series, @tests) = @_;
    my @changes =
        sort { $when->[ $b->{run} ] <=> $when->[ $a->{run} ] } map { @{ $_->{changes} } } $series || (),
        grep { $_->{suite} eq $kind->{suite} && _has($_, $kind, $row) } @tests;
    return if !@changes;
    my $newest  = $when->[ $changes[0]{run} ];
    my @group   = grep { $newest - $when->[ $_->{run} ] <= $TOGETHER } @changes;
    my ($index) = grep { $_->{index} } @group;
    my @its     = sort { abs log $b->{speed} <=> abs log $a->{speed} } grep { !$_->{index} } @group;
    my $first   = $index && @{ $index->{differ} } ? $index : _commonest(@group);
    return {
        (map { $_ => $first->{$_} } qw(date at run)),
        speed  => $index && $index->{speed},
        slower => ($index ? $index->{speed} : median(map { $_->{speed} } @its)) < 1 ? 1 : 0,
        differ => $first->{differ},
        tests  => [
            map {
                my $test = $_;
                +{ map { $_ => $test->{$_} } qw(name title speed) }
            } @its
        ]
    };
}

# One of the changes, of a run that most of those share that differ in something.
sub _commonest {
    my (@changes) = @_;
    my %many;
    $many{ $_->{run} } += @{ $_->{differ} } ? 1e3 : 1 for @changes;
    return (sort { $many{ $b->{run} } <=> $many{ $a->{run} } || $b->{run} <=> $a->{run} } @changes)[0];
}

# How far runs of a host are from the one before, without the steps of changes: a part, or undef where there
# are too few to tell.
sub spread {
    my (@series) = @_;
    my @ratios;
    for my $one (@series) {
        my $points = $one->{points};
        for my $level (@{ $one->{levels} }) {
            for my $place ($level->{from} + 1 .. $level->{to}) {
                my $ratio = $points->[$place]{score} / $points->[ $place - 1 ]{score};
                push @ratios, $ratio < 1 ? 1 / $ratio : $ratio;
            }
        }
    }
    return undef if @ratios < $PAIRS;
    @ratios = sort { $a <=> $b } @ratios;
    return $ratios[ ceil($WITHIN * @ratios) - 1 ] - 1;
}

# Each suite and copy count, with the newest run of each host: one that has an index, if there is one.
sub _suites {
    my ($runs, @ranked) = @_;
    my %of;
    for my $place (@ranked) {
        my $run   = $runs->[$place];
        my %whole = map { ("$_->{copies} $_->{suite}" => 1) } grep { !$_->{partial} } @{ $run->{indexes} };
        my %first;
        $first{"$_->{copies} $_->{suite}"} //= $_ for @{ $run->{tests} };
        for my $key (keys %first) {
            my ($name, $copies) = @{ $first{$key} }{qw(suite copies)};
            my $suite       = $of{$key} //= { suite => $name, copies => $copies };
            my $run_of_host = $suite->{of}{ $run->{host} };
            next if $run_of_host && ($run_of_host->{whole} || !$whole{$key});
            my @tests = grep { $_->{suite} eq $name && $_->{copies} == $copies && $_->{score} > 0 }
                @{ $run->{tests} };
            $suite->{of}{ $run->{host} } =
                { name => $run->{host}, run => $place, whole => $whole{$key}, tests => \@tests };
        }
    }
    return _ordered(map { { title => '', reference => '', newest => 0, %$_ } } values %of);
}

# Hosts come in the order of their ranking, the slowest first.
sub _tests {
    my ($suite, $indexes, $hosts) = @_;
    my ($ranking) = grep { $_->{suite} eq $suite->{suite} && $_->{copies} == $suite->{copies} } @$indexes;
    my $n         = 0;
    my %place     = map { $_->{name} => ++$n } $ranking ? reverse @{ $ranking->{hosts} } : ();
    my @hosts     = sort {
        ($place{ $a->{name} } // 1e9) <=> ($place{ $b->{name} } // 1e9)
            || natural_key($a->{name}) cmp natural_key($b->{name})
    } values %{ $suite->{of} };
    my (%row, %series, %kinds);
    for my $i (0 .. $#hosts) {
        for my $test (@{ $hosts[$i]{tests} }) {
            my $row   = $row{ $test->{name} }    //= { map { $_ => $test->{$_} } qw(name title unit better) };
            my $kinds = $kinds{ $test->{name} }  //= {};
            my $kind  = $kinds->{ _kind($test) } //= keys %$kinds;
            $row->{cells}[$i] = { (map { $_ => $test->{$_} } qw(unit better score interval)), kind => $kind };
        }
    }
    for my $one (grep { !$_->{index} && $_->{copies} == $suite->{copies} } map { @{ $_->{series} } } @$hosts)
    {
        push @{ $series{ $one->{name} } }, $one;
    }
    $_->{spread} = spread(@{ $series{ $_->{name} } || [] }) for values %row;
    return {
        (map { $_ => $suite->{$_} } qw(suite copies)),
        hosts => [ map { { name => $_->{name}, run => $_->{run} } } @hosts ],
        rows  => [ Touchstone::Suite::arranged(sub { $_[0]{name} }, values %row) ]
    };
}

# Two scores can be compared when these words are the same.
sub _kind {
    my ($test) = @_;
    my $conditions = $test->{conditions};
    return join "\n", @$test{qw(unit better)}, map { "$_=" . ($conditions->{$_} // '') }
        grep { !$Touchstone::Pack::Browse::Archive::OF_HOST{$_} } sort keys %$conditions;
}

# How many times as fast one score is as another, and half the 95 % interval of that: (1.13, 0.009). Nothing
# where they are of two kinds; the second is undef where one has no interval.
sub against {
    my ($one, $other) = @_;
    return if !$one || !$other || ($one->{kind} // 0) != ($other->{kind} // 0);
    my $ratio = is_lower_better($one) ? $other->{score} / $one->{score} : $one->{score} / $other->{score};
    my @half  = map { half($_) } $one, $other;
    return ($ratio, (grep { !defined } @half) ? undef : $ratio * sqrt($half[0]**2 + $half[1]**2));
}

# Half the interval as a part of the score, or undef.
sub half {
    my ($figure) = @_;
    my ($low, $high) = @{ $figure->{interval} || [] };
    return defined $low && $low > 0 ? log($high / $low) / 2 : undef;
}

1;
