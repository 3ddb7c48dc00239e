# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Sureness - how sure a score is, from the rates of its passes.
package Touchstone::Score::Sureness;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Stats::Confidence;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(interval median outliers);

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

# A score that Score::OverTime found has an interval from there.
sub of_score_over_time {
    my ($found, @values) = @_;
    my @limits = @{ $found->{interval} || [] };
    return { %{ _of_limits($found->{score}, \@values, $found->{error}, @limits) }, %$found };
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
    my $sure = Touchstone::Stats::Confidence::of(@$test{qw(score interval error)});
    return is_lower_better($test) ? Touchstone::Stats::Confidence::product([ $sure, -1 ]) : $sure;
}

# Half of Student's interval as a part of the mean, or nothing.
sub precision_of_mean {
    my (@values) = @_;
    my ($low, $high) = Touchstone::Stats::Significance::mean_interval(@values) or return undef;
    return $low + $high > 0 ? ($high - $low) / ($low + $high) : undef;
}

1;
