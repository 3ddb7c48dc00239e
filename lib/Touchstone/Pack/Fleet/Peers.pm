# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Peers - where one run stands among others of its kind, and which of its tests are out of line.
# of(run,
# \@members), all of Pack::Fleet::HostRun, gives
#
#   {
#     status  => 0 (in line), 1 (out of line) or 125 (fewer than 5 references),
#     verdict => 'in line', 'out of line' or 'inconclusive',
#     run     => { name, host, called, started, void, kind => 'AMD EPYC 7763, 8 CPUs, KVM' },
#     machines => 41, records => 60, doubtful => 3, read => 71, hardware, programs, equal, itself, void,
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

use List::Util qw(max min sum);

use Touchstone::Pack::Fleet::Groups;
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Pack::Fleet::Signature;
use Touchstone::Stats qw(mean median);
use Touchstone::Pack::Fleet::Stats::Outliers;
use Touchstone::Pack::Fleet::Stats::Percentile;
use Touchstone::Pack::Fleet::Stats::Screening;
use Touchstone::Stats::Significance;

our ($IN_LINE, $OUT_OF_LINE, $INCONCLUSIVE) = ('in line', 'out of line', 'inconclusive');

my $LEVEL = 0.05;

sub of {
    my ($run, $members) = @_;
    my $kind     = Touchstone::Pack::Fleet::Peers::Filter::chosen($run, $members);
    my @machines = @{ delete $kind->{members} };
    my ($group)  = Touchstone::Pack::Fleet::Groups::of([$run], []);
    my %said     = (
        %$kind,
        machines   => scalar @machines,
        records    => scalar(map { @$_ } @machines),
        read       => scalar @$members,
        doubtful   => scalar(grep { defined $_->{doubt} } map { @$_ } @machines),
        by_machine => (grep { defined $_->{campaign} } map { @$_ } @machines) ? 1 : 0,
        run        => {
            (map { $_ => $run->{$_} } qw(name host started)),
            void   => $run->{void} // $run->{doubt},
            called => defined $run->{campaign} ? $run->{host} : $run->{name},
            kind   => $group->{title} =~ s/\A\d+ hosts?, //r
        },
        signature => undef
    );
    return { %said, status => 125, verdict => $INCONCLUSIVE, indexes => [], figures => [], all => undef }
        if !$kind->{enough};
    my @places    = _places($run, @machines);
    my $all       = _judged($run, \@places, @machines);
    my $out       = grep { $_->{far} } @places, $all // ();
    my $signature = $out ? _signature(@places) : undef;
    delete $_->{y} for @places;
    return {
        %said,
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
        my $own = $run->{figures}{$key};
        my @y   = map { _mean_of($key, $own, @$_) // () } @machines;
        next if @y < $Touchstone::Pack::Fleet::Peers::Filter::FEWEST;
        push @places,
            {
            key => $key,
            (map { $_ => $own->{$_} } qw(name title copies suite)), _place($own, @y), y => \@y
            };
    }
    return @places;
}

sub _place {
    my ($own, @y) = @_;
    my $middle = median(@y);
    return (
        %{ Touchstone::Pack::Fleet::Stats::Percentile::of($own->{y}, $own->{error}, \@y) },
        ratio  => exp($own->{y} - $middle),
        spread => [ map { exp($_ - $middle) } min(@y), max(@y) ],
        others => [ map { exp($_ - $middle) } sort { $a <=> $b } @y ]
    );
}

# The mean of a figure over the records of a machine, or undef.
sub _mean_of {
    my ($key, $own, @records) = @_;
    my @its =
        grep { $_ && Touchstone::Pack::Fleet::Peers::Filter::is_same($own, $_) }
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
    my $smallest  = $Touchstone::Pack::Fleet::Stats::Screening::SMALLEST;
    for my $i (0 .. $#$places) {
        my $place = $places->[$i];
        $place->{p}     = $corrected[$i];
        $place->{limit} = _limit($found[$i], $LEVEL / @corrected, 1 + @{ $place->{y} });
        $place->{far}   = $corrected[$i] <= $LEVEL && abs($place->{ratio} - 1) >= $smallest ? 1 : 0;
    }
    return if !$all;
    $all->{p} = $corrected[-1];
    $all->{far} =
        $corrected[-1] <= $LEVEL
        && abs($all->{ratio} - 1) >= $Touchstone::Pack::Fleet::Stats::Screening::IN_THE_MEAN * $smallest
        ? 1
        : 0;
    return $all;
}

# How far a run is from the others: { distance, quotient, p }.
sub _distance {
    my ($own, @y) = @_;
    return (Touchstone::Pack::Fleet::Stats::Outliers::deviations([ @y, $own->{y} ], $own->{error}))[-1];
}

# By how much a run must be slower to be out of line at once, as a part: where all others are equal nobody
# knows.
sub _limit {
    my ($found, $level, $n) = @_;
    my $scale = $found->{quotient} ? $found->{distance} / $found->{quotient} : 0;
    return undef if $scale <= 0;
    my $reach = 1 - exp -Touchstone::Pack::Fleet::Stats::Outliers::limit($level, $n) * $scale;
    return max($reach, $Touchstone::Pack::Fleet::Stats::Screening::SMALLEST);
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
    return if @means < $Touchstone::Pack::Fleet::Peers::Filter::FEWEST;
    my $own    = mean(map { log $_->{ratio} } @$places);
    my @errors = map { $run->{figures}{ $_->{key} }{error} // 0 } @$places;
    my $error  = sqrt(sum(map { $_**2 } @errors)) / @errors;
    return {
        ratio => exp($own - median(@means)),
        p     => _distance({ y => $own, error => $error }, @means)->{p}
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
    return Touchstone::Pack::Fleet::Signature::of(\%figures);
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
        my $own = _logarithm($run->{indexes}{$key}) or next;
        my @y   = map {
            my @its = map { _logarithm($_->{indexes}{$key}) // () } @$_;
            @its ? mean(map { $_->{y} } @its) : ()
        } @machines;
        next if @y < $Touchstone::Pack::Fleet::Peers::Filter::FEWEST;
        push @places,
            {
            key => $key,
            (map { $_ => $run->{indexes}{$key}{$_} } qw(name title copies score)), _place($own, @y)
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

1;
