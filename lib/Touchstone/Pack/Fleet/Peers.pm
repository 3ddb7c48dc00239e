# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Peers - where one run stands among others of its kind, and which of its tests are out of line.
# judge(run,
# \@members), all of Pack::Fleet::HostRun, gives
#
#   {
#     status  => 0 (in line), 1 (out of line) or 125 (fewer than 5 references),
#     verdict => 'in line', 'out of line' or 'inconclusive',
#     run     => { name, host, called, started, invalid, kind => 'AMD EPYC 7763, 8 CPUs, KVM' },
#     machines => 41, records => 60, doubtful => 3, read => 71, hardware, programs, equal, itself, invalid,
#                 unlike => those of Pack::Fleet::Peers::Filter,
#     by_machine => 1 where campaigns say of which machine a record is, so that each counts once,
#     indexes => [ PLACE ], figures => [ PLACE ],       the slowest first
#     all     => { ratio, p, far },                     the mean of all figures
#     signature => { id, text, remedy } or undef
#   }
#
#   PLACE: { key, name, title, copies, suite, below => 7, of => 41, percentile => 0.17, low => 0.08, high => 0.31,
#            ratio => to the median of the others, others => [ their ratios ], spread => [ least, greatest ], p => after Holm's
#            correction, far => 1 where it is out of line, limit => 0.06, the slow-down that would be, or undef }
#
# A test is out of line where it is further from the others than chance explains
# (Pack::Fleet::Stats::Outliers), corrected for the number of tests, and by 3 % or more.
package Touchstone::Pack::Fleet::Peers;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Pack::Fleet::Groups qw(make_groups);
use Touchstone::Pack::Fleet::Peers::Filter qw($FEWEST chosen is_same);
use Touchstone::Compare::Cause;
use Touchstone::Pack::Fleet::Stats::Outliers qw($IN_THE_MEAN $SMALLEST deviations limit);
use Touchstone::Stats qw(mean median);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw($INCONCLUSIVE $IN_LINE);

our ($IN_LINE, $OUT_OF_LINE, $INCONCLUSIVE) = ('in line', 'out of line', 'inconclusive');

my $LEVEL = 0.05;

sub judge {
    my ($run, $members) = @_;
    my $kind      = chosen($run, $members);
    my @machines  = @{ delete $kind->{members} };
    my ($group)   = make_groups([$run], []);
    my %sentences = (
        %$kind,
        machines   => scalar @machines,
        records    => scalar(map { @$_ } @machines),
        read       => scalar @$members,
        doubtful   => scalar(grep { defined $_->{doubt} } map { @$_ } @machines),
        by_machine => (grep { defined $_->{campaign} } map { @$_ } @machines) ? 1 : 0,
        run        => {
            (map { $_ => $run->{$_} } qw(name host started)),
            invalid => $run->{invalid} // $run->{doubt},
            label   => defined $run->{campaign} ? $run->{host} : $run->{name},
            kind    => $group->{title} =~ s/\A\d+ hosts?, //r
        },
        signature => undef
    );
    return {
        %sentences,
        status  => 125,
        verdict => $INCONCLUSIVE,
        indexes => [],
        figures => [],
        all     => undef
        }
        if !$kind->{enough};
    my @places    = _places($run, @machines);
    my $all       = _judged($run, \@places, @machines);
    my $out       = grep { $_->{far} } @places, $all // ();
    my $signature = $out ? _signature(@places) : undef;
    delete $_->{y} for @places;
    return {
        %sentences,
        status    => !@places ? 125           : $out ? 1            : 0,
        verdict   => !@places ? $INCONCLUSIVE : $out ? $OUT_OF_LINE : $IN_LINE,
        figures   => [ sort { $a->{ratio} <=> $b->{ratio} || $a->{key} cmp $b->{key} } @places ],
        all       => $all,
        signature => $signature,
        indexes   => [ _indexes($run, @machines) ]
    };
}

# The places of all figures that enough machines have.
sub _places {
    my ($run, @machines) = @_;
    my @places;
    for my $key (sort keys %{ $run->{figures} }) {
        my $value = $run->{figures}{$key};
        my @y     = map { _mean_of($key, $value, @$_) // () } @machines;
        next if @y < $FEWEST;
        push @places,
            {
            key => $key,
            (map { $_ => $value->{$_} } qw(name title copies suite)), _place($value, @y), y => \@y
            };
    }
    return @places;
}

sub _place {
    my ($value, @y) = @_;
    my $middle = median(@y);
    return (
        %{ percentile($value->{y}, $value->{error}, \@y) },
        ratio  => exp($value->{y} - $middle),
        spread => [ map { exp($_ - $middle) } min(@y), max(@y) ],
        others => [ map { exp($_ - $middle) } sort { $a <=> $b } @y ]
    );
}

# The mean of a figure over the records of a machine, or undef.
sub _mean_of {
    my ($key, $value, @records) = @_;
    my @its =
        grep { $_ && is_same($value, $_) }
        map { $_->{figures}{$key} } @records;
    return @its ? mean(map { $_->{y} } @its) : undef;
}

# Adds p and far to the places; returns the same of the mean of all.
sub _judged {
    my ($run, $places, @machines) = @_;
    return if !@$places;
    my @found     = map { _distance($run->{figures}{ $_->{key} }, @{ $_->{y} }) } @$places;
    my @p         = map { $_->{p} } @found;
    my $all       = @$places > 1 ? _all($run, $places, @machines) : undef;
    my @corrected = Touchstone::Stats::Significance::holm(@p, $all ? $all->{p} : ());
    my $smallest  = $SMALLEST;
    for my $i (0 .. $#$places) {
        my $place = $places->[$i];
        $place->{p}     = $corrected[$i];
        $place->{limit} = _limit($found[$i], $LEVEL / @corrected, 1 + @{ $place->{y} });
        $place->{far}   = $corrected[$i] <= $LEVEL && abs($place->{ratio} - 1) >= $smallest ? 1 : 0;
    }
    return if !$all;
    $all->{p} = $corrected[-1];
    $all->{far} =
        $corrected[-1] <= $LEVEL && abs($all->{ratio} - 1) >= $IN_THE_MEAN * $smallest
        ? 1
        : 0;
    return $all;
}

# How far a run is from the others: { distance, quotient, p }.
sub _distance {
    my ($value, @y) = @_;
    return (deviations([ @y, $value->{y} ], $value->{error}))[-1];
}

# By how much a run must be slower to be out of line at once, as a part: where all others are equal nobody
# knows.
sub _limit {
    my ($place, $level, $n) = @_;
    my $scale = $place->{quotient} ? $place->{distance} / $place->{quotient} : 0;
    return undef if $scale <= 0;
    my $reach = 1 - exp -limit($level, $n) * $scale;
    return max($reach, $SMALLEST);
}

# The mean distance from the medians, of the run and of the machines that have all of its figures.
sub _all {
    my ($run, $places, @machines) = @_;
    my @means;
    for my $machine (@machines) {
        my @y = map { _mean_of($_->{key}, $run->{figures}{ $_->{key} }, @$machine) } @$places;
        next if grep { !defined } @y;
        push @means, mean(map { $y[$_] - median(@{ $places->[$_]{y} }) } 0 .. $#y);
    }
    return if @means < $FEWEST;
    my $total  = mean(map { log $_->{ratio} } @$places);
    my @errors = map { $run->{figures}{ $_->{key} }{error} // 0 } @$places;
    my $error  = sqrt(sum(map { $_**2 } @errors)) / @errors;
    return {
        ratio => exp($total - median(@means)),
        p     => _distance({ y => $total, error => $error }, @means)->{p}
    };
}

# What kind of slowness it is: a test is known as well as the others are alike.
sub _signature {
    my (@places) = @_;
    my %figures;
    for my $place (@places) {
        my $reach = $Touchstone::Stats::NORMAL * _scale(@{ $place->{y} });
        my $ratio = $place->{ratio};
        $figures{ $place->{key} } = { ratio => $ratio, interval => [ map { $ratio * exp } -$reach, $reach ] };
    }
    return Touchstone::Compare::Cause::of_host(\%figures);
}

sub _scale {
    my (@y) = @_;
    my $middle = median(@y);
    return $Touchstone::Stats::MAD_TO_DEVIATION * median(map { abs($_ - $middle) } @y);
}

# The places of whole indexes.
sub _indexes {
    my ($run, @machines) = @_;
    my @places;
    for my $key (sort keys %{ $run->{indexes} }) {
        my $value = _logarithm($run->{indexes}{$key}) or next;
        my @y     = map {
            my @its = map { _logarithm($_->{indexes}{$key}) // () } @$_;
            @its ? mean(map { $_->{y} } @its) : ()
        } @machines;
        next if @y < $FEWEST;
        push @places,
            {
            key => $key,
            (map { $_ => $run->{indexes}{$key}{$_} } qw(name title copies score)), _place($value, @y)
            };
    }
    return sort { $a->{copies} <=> $b->{copies} || $a->{key} cmp $b->{key} } @places;
}

# An index as { y, error }, or nothing where it lacks tests.
sub _logarithm {
    my ($index) = @_;
    return if !$index || $index->{partial} || !$index->{score};
    my ($low, $high) = @{ $index->{interval} || [] };
    my $error = defined $low && $low > 0 ? log($high / $low) / 2 / $Touchstone::Stats::NORMAL : undef;
    return { y => log $index->{score}, error => $error };
}

# Where a value stands among others of its kind: the part of all that is
# below it, with an interval. The others are a sample, and the value has an error of its own; both make it
# uncertain:
#
#   percentile(13.20, 0.004, [ 13.15, 13.21, 13.30, ... ])
#
#   { below => 7, of => 41, percentile => 0.171, low => 0.08, high => 0.31 }
#
# What k below of n say of the part below is a beta distribution, whose values are sums of binomial chances.
# The error of the value is a mixture of these. t/bench/like.pl counts how often the interval holds the
# truth.

# The value may be so many standard errors away, in these steps.
my ($FAR, $STEP) = (3, 0.25);

# Terms of a sum that are smaller than this part of the largest add nothing.
my $SMALL = 1e-12;

sub percentile {
    my ($value, $error, $others) = @_;
    my @sorted = sort { $a <=> $b } @$others;
    my $n      = @sorted or return;
    my $below  = _below($value, \@sorted);
    my %weight;
    my $steps = $error ? $FAR / $STEP : 0;
    for my $step (-$steps .. $steps) {
        my $z = $step * $STEP;
        $weight{ _below($value + $z * ($error || 0), \@sorted) } += exp(-$z * $z / 2);
    }
    my $beyond = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    return {
        below      => $below,
        of         => $n,
        percentile => $below / $n,
        low        => min($below / $n, _quantile($beyond, $n, %weight)),
        high       => max($below / $n, _quantile(1 - $beyond, $n, %weight))
    };
}

# How many of a sorted list are below a value; an equal one counts as half.
sub _below {
    my ($value, $sorted) = @_;
    my $less = _count($sorted, sub { $_[0] < $value });
    return ($less + _count($sorted, sub { $_[0] <= $value })) / 2;
}

# How many at the beginning of a list are so.
sub _count {
    my ($list, $test) = @_;
    my ($low,  $high) = (0, scalar @$list);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        if   ($test->($list->[$middle])) { $low  = $middle + 1 }
        else                             { $high = $middle }
    }
    return $low;
}

# The part below which the truth is with this chance.
sub _quantile {
    my ($chance, $n, %weight) = @_;
    my $all = 0;
    $all += $_ for values %weight;
    my ($low, $high) = (0, 1);
    for (1 .. 40) {
        my $middle = ($low + $high) / 2;
        my $sum    = 0;
        $sum += $weight{$_} * _chance_below($middle, $_, $n) for sort { $a <=> $b } keys %weight;
        if   ($sum < $chance * $all) { $low  = $middle }
        else                         { $high = $middle }
    }
    return ($low + $high) / 2;
}

# The chance that the part of all is below x, when k of n are: that of a beta distribution of k + 1 and
# n - k + 1. A half is the mean of both whole numbers around it.
sub _chance_below {
    my ($x, $k, $n) = @_;
    return (_chance_below($x, $k - 0.5, $n) + _chance_below($x, $k + 0.5, $n)) / 2 if $k != int $k;
    return _at_least($k + 1, $n + 1, $x);
}

# The chance of k or more of n, each with the chance x.
sub _at_least {
    my ($k, $n, $x) = @_;
    return 1                                      if $k <= 0 || $x >= 1;
    return 0                                      if $k > $n || $x <= 0;
    return 1 - _at_least($n - $k + 1, $n, 1 - $x) if $k < $n * $x;
    my $term = exp(_log_choose($n, $k) + $k * log($x) + ($n - $k) * log(1 - $x));
    my $sum  = 0;
    for my $i ($k .. $n) {
        $sum += $term;
        last if $term < $SMALL * $sum;
        $term *= ($n - $i) / ($i + 1) * $x / (1 - $x);
    }
    return min(1, $sum);
}

# The logarithms of factorials.
my @LOG = (0, 0);

sub _log_choose {
    my ($n, $k) = @_;
    push @LOG, $LOG[-1] + log scalar @LOG while @LOG <= $n;
    return $LOG[$n] - $LOG[$k] - $LOG[ $n - $k ];
}

1;
