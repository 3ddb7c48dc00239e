# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Interval - the interval of a score, from the rates of its passes, and the score of many short
# passes.
package Touchstone::Score::Interval;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Stats qw(interval mean median outliers);
use Touchstone::Stats::Confidence;
use Touchstone::Stats::Significance;

# These functions tell how sure a score is:
#
#   {
#       interval  => [low, high],
#       precision => half of the interval as a part of the score,
#       error     => the standard error of its logarithm,
#       cv        => the coefficient of variation of the values,
#       outliers  => [which of the values, from 1]
#   }
#
# A score that is no median, as the classic one, has the same relative interval as the median.
sub of_score {
    my ($score, @values) = @_;
    my $middle = median(@values);
    my @limits = map { $middle > 0 ? $_ * $score / $middle : $_ } interval(\@values);
    return _of_limits($score, \@values, scalar Touchstone::Stats::log_error(@values), @limits);
}

# A score that is the mean of its passes has Student's interval.
sub of_mean {
    my ($score, @values) = @_;
    my @limits = Touchstone::Stats::Significance::mean_interval(@values) or return of_score($score, @values);
    my $error  = $score > 0 ? Touchstone::Stats::deviation(@values) / sqrt(@values) / $score : undef;
    return { %{ _of_limits($score, \@values, $error, @limits) }, precision => precision_of_mean(@values) };
}

# A score that Score::Interval found has an interval from there.
sub of_score_over_time {
    my ($score, @values) = @_;
    my @limits = @{ $score->{interval} || [] };
    return { %{ _of_limits($score->{score}, \@values, $score->{error}, @limits) }, %$score };
}

sub _of_limits {
    my ($score, $values, $error, @limits) = @_;
    return {
        interval  => @limits               ? \@limits                               : undef,
        precision => @limits && $score > 0 ? ($limits[1] - $limits[0]) / 2 / $score : undef,
        error     => $error,
        cv        => @$values > 1 ? Touchstone::Stats::variation(@$values) : undef,
        outliers  => [ map { $_ + 1 } outliers(@$values) ],
    };
}

# How sure the speed of a test is, as Stats::Confidence wants it, or undef.
sub of_speed {
    my ($test) = @_;
    my $limits = Touchstone::Stats::Confidence::confidence(@$test{qw(score interval error)});
    return is_lower_better($test) ? Touchstone::Stats::Confidence::product([ $limits, -1 ]) : $limits;
}

# Half of Student's interval as a part of the mean, or nothing.
sub precision_of_mean {
    my (@values) = @_;
    my ($low, $high) = Touchstone::Stats::Significance::mean_interval(@values) or return undef;
    return $low + $high > 0 ? ($high - $low) / ($low + $high) : undef;
}

# The score of a test from many short passes is their median, but never more than 2 % from their mean over
# time.
#
# UnixBench measures for ten seconds, so its figure is a mean over time. Most tests have one speed, from which
# disturbances take a little now and then: there the median of short passes is the same within 2 %, and what
# happens in a few passes does not move it. A test with two speeds, such as context1, whose processes run on
# one CPU or on two, has a median that tells only the commoner of them.
#
# A disturbed pass is no argument for a lower score: in the mean it counts as no slower than the median or the
# slowest undisturbed pass, whichever is slower. Where most passes are disturbed, as on many machines that
# lose a little all the time, it is made faster only by what the system says that others took.
#
# t/bench/levels.pl compares this with ten-second passes, and tells how often its intervals hold.

# The score is at most this part of the mean away from it.
our $SLACK = 0.02;

# Takes passes as { rate, better, disturbed, lost => the part of its time that others took }. Returns what
# Score::Interval has of a score, and
#
#   score     => 24400.2,
#   over_time => { mean, error (of its logarithm), freedom },
#   limited   => 1, where the mean decides and not the median
sub of_score_of_passes {
    my (@passes) = @_;
    my @rates    = map { $_->{rate} } @passes;
    my @counted  = _counted(@passes);
    my $middle   = median(@rates);
    my $mean     = mean(@counted);
    my $score    = _limited($middle, $mean);
    my %found    = (score => $score, $score == $middle ? () : (limited => 1));
    my @limits   = _interval_over_time(\@rates, \@counted, $Touchstone::Stats::CONFIDENCE) or return \%found;
    my @even     = _interval_over_time(\@rates, \@counted, $Touchstone::Stats::EVEN);
    my $error    = Touchstone::Stats::error_of_even(@even);
    my $of_mean  = Touchstone::Stats::Significance::error_of_mean(@counted);
    return {
        %found,
        interval => [ min($limits[0], $score), max($limits[1], $score) ],
        error    => $error,
        $mean > 0 ? (over_time => { mean => $mean, error => $of_mean / $mean, freedom => @rates - 1 }) : ()
    };
}

# The rates as the mean counts them.
sub _counted {
    my (@passes) = @_;
    my $is_time  = ($passes[0]{better} // '') eq 'lower';
    my $sign     = $is_time ? -1 : 1;
    my @speeds   = map { $sign * $_->{rate} } @passes;
    my @calm     = map { $speeds[$_] } grep { !$passes[$_]{disturbed} } 0 .. $#passes;
    my $least    = min(median(@speeds), @calm);
    my $is_most  = 2 * @calm < @passes;
    return map {
        my $rest  = 1 - ($passes[$_]{lost} // 0);
        my $whole = !$is_most ? $least : $is_time ? $speeds[$_] * $rest : $speeds[$_] / $rest;
        $sign * ($passes[$_]{disturbed} ? max($speeds[$_], min($least, $whole)) : $speeds[$_])
    } 0 .. $#passes;
}

# A value, or the nearest one within the slack around a mean.
sub _limited {
    my ($value, $mean) = @_;
    my $slack = $SLACK * abs $mean;
    return max($mean - $slack, min($mean + $slack, $value));
}

# The ends of the interval of the median are limited by those of the mean, as the score is by the mean.
# Too few passes have none.
sub _interval_over_time {
    my ($rates, $counted, $confidence) = @_;
    my @of_median = Touchstone::Stats::interval($rates, $confidence) or return;
    my @of_mean   = Touchstone::Stats::Significance::skewed_interval($counted, $confidence);
    return map { _limited($of_median[$_], $of_mean[$_]) } 0, 1;
}

1;
