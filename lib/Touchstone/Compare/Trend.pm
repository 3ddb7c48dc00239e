# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Trend - where the values of a series change for good.
#
# changes([ 100, 101, 99, ..., 112, 111, 113, ... ]) gives
#
#   ({ at => 40, before => 100.2, after => 112.1, ratio => 1.1187 })
#
# levels($values, @changes) gives
#
#   ({ from => 0, to => 39, value => 100.2 }, { from => 40, ... })
#
# A series is cut where its two sides differ most, and the parts again, as long as chance does not explain
# the difference. To find what came and went again, windows of half, a quarter ... of the length are looked
# at too (seeded binary segmentation, Kovács and others 2023). How the values vary is unknown and often has
# long tails, so ranks decide: their chances hold for any distribution. They need many runs, so a short piece
# may also be told by Student's t, but only when no value of it lies within the others. All chances are
# multiplied by the number of places that were looked at. t/bench/browse.pl counts false alarms, and what is
# found.
package Touchstone::Compare::Trend;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max sum);
use POSIX qw(ceil floor);

use Touchstone::Stats::Significance;
use Touchstone::Stats qw(mean median);

# A change lasts at least so many runs, and changes a value by at least this part of it.
our $LASTS    = 3;
our $SMALLEST = 0.005;

# So often may one of all series that are looked at together change by chance.
our $CHANCE = 0.05;

# Chances of each place: two kinds of ranks, and Student's.
my $KINDS = 3;

# A window has at least so many values.
my $SHORTEST = 12;

# Standard errors squared from which a test is worth its time; what samples that hardly mingle have of those
# that do not at all.
my $FAR    = 16;
my $NEARLY = 0.6;

# So many degrees of freedom that Student's values are normal ones.
my $NORMAL = 1e6;

# So many places on each side of the best one are tried, as ranks hide how far values are apart.
my $ADJACENT = 1;

# Equal values may differ so much by rounding.
my $SAME = 1e-9;

# The changes of values above zero, in order of time; `series`: so many are looked at.
sub changes {
    my ($values, %among) = @_;
    return if @$values < 2 * $LASTS || (grep { $_ <= 0 } @$values);
    my @logs   = map { log } @$values;
    my $chance = $CHANCE / ($among{series} || 1) / $KINDS / _places(scalar @logs);
    my %series = (logs => \@logs, chance => $chance, sums => [0], squares => [0]);
    for my $rank (_ranks(@logs)) {
        push @{ $series{sums} },    $series{sums}[-1] + $rank;
        push @{ $series{squares} }, $series{squares}[-1] + $rank * $rank;
    }
    my @cuts   = _settled(\%series, sort { $a <=> $b } _cut(\%series, 0, scalar @logs));
    my @levels = levels($values, @cuts);
    return map {
        my ($before, $after) = map { $_->{value} } @levels[ $_, $_ + 1 ];
        { at => $cuts[$_], before => $before, after => $after, ratio => $after / $before }
    } 0 .. $#cuts;
}

# The medians between changes, which are places or what `changes` gives.
sub levels {
    my ($values, @changes) = @_;
    my @from = (0, map { ref $_ ? $_->{at} : $_ } @changes);
    my @to   = map { $_ - 1 } @from[ 1 .. $#from ], scalar @$values;
    return
        map { { from => $from[$_], to => $to[$_], value => median(@$values[ $from[$_] .. $to[$_] ]) } }
        0 .. $#from;
}

sub _cut {
    my ($series, $from, $to) = @_;
    my @found = map {
        my $window = $_;
        map { [ @$_, @$window ] } _best_place($series, @$window)
    } _windows($from, $to);
    for my $candidate (sort { $b->[1] <=> $a->[1] || $a->[0] <=> $b->[0] } @found) {
        my ($split, undef, @window) = @$candidate;
        my $place = _most_certain($series, $split, @window) or next;
        return ($place, _cut($series, $from, $place), _cut($series, $place, $to));
    }
    return;
}

# The whole, then halves, quarters ..., each over half of the next.
sub _windows {
    my ($from, $to) = @_;
    my @windows = [ $from, $to ];
    for (my $length = ($to - $from) / 2; $length >= $SHORTEST; $length /= 2) {
        my $many = ceil(2 * (($to - $from) / $length - 1)) + 1;
        push @windows,
            map { [ floor($from + $_ * $length / 2), min($to, ceil($from + $_ * $length / 2 + $length)) ] }
            0 .. $many - 1;
    }
    return @windows;
}

# The number of places in all windows of so many values.
sub _places {
    my ($n) = @_;
    return sum(map { max(1, $_->[1] - $_->[0] - 2 * $LASTS + 1) } _windows(0, $n));
}

# Finds the place where the ranks of the two sides differ most for their number, as [place, standard errors
# squared], or nothing when they hardly do.
sub _best_place {
    my ($series, $from, $to) = @_;
    my $sums = $series->{sums};
    my ($n, $base) = ($to - $from, $sums->[$from]);
    my $mean = ($sums->[$to] - $base) / $n;
    my ($best, $most) = (undef, 0);
    for my $k ($LASTS .. $n - $LASTS) {
        my $distance = $sums->[ $from + $k ] - $base - $k * $mean;
        my $far      = $distance * $distance / ($k * ($n - $k));
        ($best, $most) = ($k, $far) if $far > $most;
    }
    my $variance = ($series->{squares}[$to] - $series->{squares}[$from]) / $n - $mean**2;
    return if !defined $best || $variance <= 0;
    my $errors = $most * ($n - 1) / $variance;
    return $errors < _is_testable($best, $n) ? () : [ $from + $best, $errors ];
}

# Standard errors squared: of two samples that do not mingle at all, or what is far for any.
sub _is_testable {
    my ($k, $n) = @_;
    return min($FAR, $NEARLY * 3 * $k * ($n - $k) / ($n + 1));
}

# At or beside that place, where a window changes, or 0.
sub _most_certain {
    my ($series, $place, $from, $to) = @_;
    my $logs   = $series->{logs};
    my @places = grep { $_ >= $from + $LASTS && $_ <= $to - $LASTS } $place,
        map { ($place - $_, $place + $_) } 1 .. $ADJACENT;
    return $series->{known}{"$place $from $to"} //=
        (grep { _differ([ @$logs[ $from .. $_ - 1 ] ], [ @$logs[ $_ .. $to - 1 ] ], $series->{chance}) }
            @places)[0] // 0;
}

# True if two samples are further apart than those of one kind ever are, but for this chance, and far enough
# to be of interest.
sub _differ {
    my ($before, $after, $chance) = @_;
    my ($few, $many) = @$before <= @$after ? ($before, $after) : ($after, $before);
    my $one_side = $chance / 2;
    my $distance = min(@$few) > max(@$many) || max(@$few) < min(@$many);
    return 0 if !$distance && exp(-_log_ways(@$few + @$many, scalar @$few)) > $one_side;
    return 0
        if abs(median(@$before) - median(@$after)) < log(1 + $SMALLEST);
    return 1 if $distance && _student($before, $after) < $one_side;
    return 1 if _chance_of_extremes($few, $many) < $one_side;

    # Sums of ranks have shorter tails than normal values: this chance is too large rather than too small.
    return Touchstone::Stats::Significance::t_above(_rank_errors($few, $many), $NORMAL) < $one_side;
}

# Returns how many standard errors the sum of the ranks is from what chance expects (Wilcoxon 1945, with
# shared ranks).
sub _rank_errors {
    my ($few, $many) = @_;
    my ($m, $n)      = (scalar @$few, scalar @$few + @$many);
    my @ranks  = _ranks(@$few, @$many);
    my $middle = ($n + 1) / 2;
    my $spread = sum(map { ($_ - $middle)**2 } @ranks);
    return 0 if $spread == 0;
    return abs(sum(@ranks[ 0 .. $m - 1 ]) - $m * $middle) / sqrt($m * ($n - $m) / ($n * ($n - 1)) * $spread);
}

# Places in the order of all, shared by equal values.
sub _ranks {
    my (@values) = @_;
    my @order = sort { $values[$a] <=> $values[$b] } 0 .. $#values;
    my @ranks;
    for (my $first = 0; $first < @order;) {
        my $last = $first;
        $last++ while $last < $#order && $values[ $order[ $last + 1 ] ] - $values[ $order[$first] ] <= $SAME;
        @ranks[ @order[ $first .. $last ] ] = (($first + $last) / 2 + 1) x ($last - $first + 1);
        $first = $last + 1;
    }
    return @ranks;
}

# The chance that so many of the few are among as many largest, or smallest, of all.
sub _chance_of_extremes {
    my ($few, $many) = @_;
    my ($m,   $n)    = (scalar @$few, scalar @$few + @$many);
    my $side     = median(@$few) > median(@$many) ? 1 : -1;
    my @few      = map  { $_ * $side } @$few;
    my @all      = sort { $b <=> $a } @few, map { $_ * $side } @$many;
    my $limit    = $all[ $m - 1 ];
    my $top      = grep { $_ >= $limit } @all;
    my $extremes = grep { $_ >= $limit } @few;
    my $ways     = _log_ways($n, $m);
    return sum(
        map  { exp(_log_ways($top, $_) + _log_ways($n - $top, $m - $_) - $ways) }
        grep { $m - $_ <= $n - $top } $extremes .. min($m, $top)
    );
}

# The logarithm of the number of ways to choose k of n.
my @factorials = (0);

sub _log_ways {
    my ($n, $k) = @_;
    push @factorials, $factorials[-1] + log(scalar @factorials) while @factorials <= $n;
    return $factorials[$n] - $factorials[$k] - $factorials[ $n - $k ];
}

sub _student {
    my ($one, $other) = @_;
    my ($m,   $n)     = (scalar @$one, scalar @$other);
    my ($x,   $y)     = map { mean(@$_) } $one, $other;
    my $squares = sum(map({ ($_ - $x)**2 } @$one), map { ($_ - $y)**2 } @$other);
    my $error   = sqrt($squares / ($m + $n - 2) * (1 / $m + 1 / $n));
    return Touchstone::Stats::Significance::t_above(abs($x - $y) / max($error, $SAME), $m + $n - 2);
}

# Each change again, between the adjacent ones only: where it is, and whether it is one. Without one the
# adjacent ones meet others.
sub _settled {
    my ($series, @cuts) = @_;
    my $many = @{ $series->{logs} };
    for (1 .. 2 * @cuts + 2) {
        my $before = "@cuts";
        my ($from, @kept) = (0);
        for my $i (0 .. $#cuts) {
            my $to       = $cuts[ $i + 1 ] // $many;
            my ($change) = _best_place($series, $from, $to);
            my $place    = $change ? _most_certain($series, $change->[0], $from, $to) : 0;
            push @kept, $from = $place if $place;
        }
        @cuts = @kept;
        last if "@cuts" eq $before;
    }
    return @cuts;
}

1;
