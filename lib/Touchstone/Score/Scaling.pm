# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Scaling - how the speed of a machine grows with the copies, for --scaling:
#
#   {
#       cpus   => 4,
#       copies => [1, 2, 4, 8],
#       rows   => [
#           {
#               name       => 'pipe',
#               title      => 'Pipe Throughput',
#               values     => [100, 190, 360, 350],
#               speedup    => [1, 1.9, 3.6, 3.5],
#               efficiency => [100, 95, 90, 87.5],
#               fit        => { what Usl::fit gives, beyond => 0 }
#           },
#           ...
#       ]
#   }
#
# A row of a test whose copies are threads of one process has team => 1. One of seconds that each copy sees
# has no efficiency: two copies need not do more than one.
#
# Values are indexes where there is a baseline, otherwise scores; fixed work has units a second. What was
# measured with every copy count has a row.
#
# curves() adds what a page needs. Its speed-ups are over the fewest copies, whose own is 1 whatever their
# number:
#
#   {
#       ...,
#       ideal => [[1, 1], [4, 4], [8, 4]],
#       rows  => [
#           {
#               ...,
#               index     => 0,
#               intervals => [ those of the values ],
#               limits    => [undef, [1.7, 2.1], ...],         of the speed-ups
#               law       => [[1, 1], [1.2, 1.19], ...],
#               top       => [3.7, 3.5]
#           }
#       ]
#   }
package Touchstone::Score::Scaling;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Direction qw(interval_of is_lower_better);
use Touchstone::Score::Interval;
use Touchstone::Stats::Confidence;
use Touchstone::Stats::Usl;
use Touchstone::Stats qw(geometric_mean);

# With fewer passes of each test the index has no rates of its own: three or so say nothing of how it varies.
our $LEAST_PASSES = 6;

# Why what each copy sees has no law: nothing of it adds up.
my $SEEN = 'it is what each copy sees, of which nothing adds up';

# A curve has so many parts.
my $CURVE = 32;

# The table of the blocks of a run; undef when there is nothing to compare. A rough one has no intervals of
# laws.
sub table {
    my ($facts, $blocks, %with) = @_;
    my @measured = _measured($blocks) or return undef;
    my $cpus     = $facts->{host}{usable_cpus} // $facts->{host}{online_cpus};
    my @copies   = sort { $a <=> $b } map { $_->{copies} } @$blocks;
    return {
        cpus   => $cpus,
        copies => \@copies,
        rows   => [
            map {
                my %row = _row($_, $cpus, @copies);
                $_->{seen}
                    ? { %row, efficiency => [ map { undef } @copies ], fit => { why => $SEEN } }
                    : { %row, fit => _fit($_->{rates}, $cpus, \@copies, %with) }
            } @measured
        ]
    };
}

# Tests, then indexes, that were measured with every copy count, the fewest copies first.
sub _measured {
    my ($blocks) = @_;
    my @blocks = sort { $a->{copies} <=> $b->{copies} } @$blocks;
    return @blocks < 2 ? () : (_tests(@blocks), _indexes(@blocks));
}

# The curves of any run with two copy counts, also where nobody wanted a table; undef of another run.
sub curves {
    my ($facts, $blocks, $wanted) = @_;
    my $table    = $wanted || table($facts, $blocks, rough => 1) or return undef;
    my %measured = map { $_->{name} => $_ } _measured($blocks);
    my ($cpus, @copies) = ($table->{cpus}, @{ $table->{copies} });
    my $first = min($copies[0], $cpus);
    my @ideal = map { [ $_, min($_, $cpus) / $first ] } $copies[0],
        ($copies[0] < $cpus && $cpus < $copies[-1] ? $cpus : ()), $copies[-1];
    return {
        %$table,
        ideal => \@ideal,
        rows  => [ map { _curve($table, $_, $measured{ $_->{name} }) } @{ $table->{rows} } ]
    };
}

sub _curve {
    my ($table, $row, $measured) = @_;
    my $first   = min($table->{copies}[0], $table->{cpus});
    my @speedup = map { defined $_ ? $_ / $first : undef } @{ $row->{speedup} };
    return {
        %$row,
        speedup   => \@speedup,
        index     => $measured->{index},
        intervals => $measured->{intervals},
        limits    => _limits(\@speedup, @{ $measured->{spreads} }),
        _law($table, $row)
    };
}

# The limits of the speed-ups: the fewest copies have none, and what is unsure of them is so of all others.
# The gains of a run are over the copies that it began with, which may be others.
sub _limits {
    my ($speedup, $first, @more) = @_;
    return [
        undef,
        map {
            my $spread = Touchstone::Stats::Confidence::product([ $first, -1 ], [ $more[ $_ - 1 ], 1 ]);
            defined $speedup->[$_] ? Touchstone::Stats::Confidence::limits($speedup->[$_], $spread) : undef
        } 1 .. @more
    ];
}

# Points of the law from the fewest to the most copies that it is fitted to, and its peak when it is among
# them.
sub _law {
    my ($table, $row)   = @_;
    my ($fit,   $first) = ($row->{fit}, $table->{copies}[0]);
    return if defined $fit->{why} || !defined $fit->{single};
    my $last    = max(grep { $_ <= $table->{cpus} } @{ $table->{copies} });
    my $speedup = sub { return Touchstone::Stats::Usl::rate($fit, $_[0]) / $row->{values}[0] };
    my @points  = map { my $n = $first + ($last - $first) * $_ / $CURVE; [ $n, $speedup->($n) ] } 0 .. $CURVE;
    return (
        law => \@points,
        defined $fit->{best}
            && !$fit->{beyond}
            && $fit->{best} >= $first ? (top => [ $fit->{best}, $speedup->($fit->{best}) ]) : ()
    );
}

# Collects what was measured of the tests with every copy count:
#   { name, title, index => 0, values, intervals, spreads => how sure they are, rates => [[of passes], ...] }
sub _tests {
    my (@blocks) = @_;
    my @rows;
    for my $test (@{ $blocks[0]{tests} }) {
        my @found = map {
            my $block = $_;
            grep { $_->{name} eq $test->{name} } @{ $block->{tests} }
        } @blocks;
        next if @found < @blocks;
        push @rows,
            {
            name  => $test->{name},
            title => $test->{title},
            index => 0,
            (map { $_ => $test->{$_} } grep { defined $test->{$_} } qw(team seen)),
            values    => [ map { Touchstone::Base::Direction::direction_of($_, $_->{score}) } @found ],
            intervals => [ map { $_->{interval} ? interval_of($_, $_->{interval}) : undef } @found ],
            spreads   => [ map { Touchstone::Score::Interval::of_speed($_) } @found ],
            rates     => [ map { _rates($_) } @found ]
            };
    }
    return @rows;
}

# The passes of a test, in the unit of its value. A difference of two times that is not above zero has no
# speed, and a rate below zero, which a stranger's record may have, is none.
sub _rates {
    my ($test) = @_;
    return [
        map  { Touchstone::Base::Direction::direction_of($test, $_) }
        grep { $_ > 0 || $_ == 0 && !is_lower_better($test) } @{ $test->{rates} }
    ];
}

sub _indexes {
    my (@blocks) = @_;
    my @rows;
    for my $index (@{ $blocks[0]{indexes} }) {
        my @found = map {
            my $block = $_;
            map { [ $_, $block ] } grep { _same($_, $index) } @{ $block->{indexes} }
        } @blocks;
        next if @found < @blocks;
        push @rows,
            {
            name  => $index->{name},
            title => "$index->{title} Index",
            index => 1,
            _is_seen($index, $blocks[0]) ? (seen => 'copy') : (),
            values    => [ map { $_->[0]{score} } @found ],
            intervals => [ map { $_->[0]{interval} } @found ],
            spreads   => [ map { Touchstone::Score::Interval::of_speed($_->[0]) } @found ],
            rates     => [ map { _index_rates(@$_) } @found ]
            };
    }
    return @rows;
}

# Whether an index has no tests but those of which each copy sees its own figure.
sub _is_seen {
    my ($index, $block) = @_;
    my %seen = map { $_->{name} => 1 } grep { $_->{seen} } @{ $block->{tests} };
    return !grep { !$seen{$_} } @{ $index->{tests} };
}

# True if two indexes are of the same tests.
sub _same {
    my ($one, $other) = @_;
    return $one->{key} eq $other->{key} && "@{ $one->{tests} }" eq "@{ $other->{tests} }";
}

# The k-th passes of all its tests make the k-th rate of an index; they are of one round.
sub _index_rates {
    my ($index, $block) = @_;
    my %member  = map  { $_ => 1 } @{ $index->{tests} };
    my @members = grep { $member{ $_->{name} } } @{ $block->{tests} };
    my @rates   = map  { _rates($_) } @members;
    my $weights = $index->{weights};
    my $passes  = min(map { scalar @$_ } @rates);
    return [ $index->{score} ] if $passes < $LEAST_PASSES;
    return [
        map {
            my $k = $_;
            $weights && !grep({ $_->[$k] <= 0 } @rates)
                ? exp sum(map { $weights->{ $members[$_]{name} } * log $rates[$_][$k] } 0 .. $#members)
                : geometric_mean(map { $_->[$k] } @rates)
        } 0 .. $passes - 1
    ];
}

# Without a measurement of one copy the smallest number of copies counts as perfect, as far as there are CPUs
# for them.
sub _row {
    my ($what, $cpus, @copies) = @_;
    my @values  = @{ $what->{values} };
    my $first   = min($copies[0], $cpus);
    my @speedup = map { $values[0] > 0 ? $_ / $values[0] * $first : undef } @values;
    my @efficiency =
        map { defined $speedup[$_] ? $speedup[$_] / min($copies[$_], $cpus) * 100 : undef } 0 .. $#copies;
    return (
        name  => $what->{name},
        title => $what->{title},
        $what->{team} ? (team => 1) : (),
        values     => \@values,
        speedup    => \@speedup,
        efficiency => \@efficiency
    );
}

# Copies beyond the CPUs wait for them, of which the law knows nothing.
sub _fit {
    my ($rates, $cpus, $copies, %with) = @_;
    my @points = map { { copies => $copies->[$_], rates => $rates->[$_] } }
        grep { $copies->[$_] <= $cpus } 0 .. $#$copies;
    my $fit = Touchstone::Stats::Usl::fit(\@points, %with);
    $fit->{beyond} = $fit->{best} > $points[-1]{copies} ? 1 : 0 if defined $fit->{best};
    return $fit;
}

1;
