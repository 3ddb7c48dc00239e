# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::BeforeAfter - whether hosts are slower after a change than before it. The hosts are the
# sample: a figure has a difference of logarithms of speeds for each host, after less before, and the same of
# hosts that did not get the change. What these drifted by is taken off.
#
#   judged([ { changed => [ -0.021, ... ], control => [ 0.001, ... ] }, ... ], level => 0.05, smallest => 0.03)
#
# gives
#
#   { needed  => 9,          hosts without which nothing can be significant
#     figures => [ { hosts => 30, controls => 5, difference, error, freedom, low, high, drift,
#                    p       => after Holm's correction, undef where it is not tested
#                    limit   => 0.012, a change by more is seen in four of five such roll-outs
#                    hides   => 0.026, a slow-down as large as this may be there
#                    verdict => 'worse', 'no worse', 'faster', 'inconclusive' or 'not tested' }, ... ] }
#
# A figure is worse where Student's test and the flips of signs both say so; it is no worse where its interval
# leaves no room for `smallest`. `ignored`: a proven slow-down below that is no matter.
package Touchstone::Pack::Fleet::Stats::BeforeAfter;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Stats qw(deviation mean);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw($FASTER $FEWEST_CONTROLS $INCONCLUSIVE $LEVEL $NOT_TESTED $NO_WORSE $SMALLEST $WORSE
    change hosts_for judged needed);

our ($WORSE, $NO_WORSE, $FASTER, $INCONCLUSIVE, $NOT_TESTED) =
    ('worse', 'no worse', 'faster', 'inconclusive', 'not tested');

our $LEVEL    = 0.05;
our $SMALLEST = 0.03;

# Fewer hosts say too little of the drift.
our $FEWEST_CONTROLS = 3;

# A detection limit is seen so often.
my $POWER = 0.8;

# How many hosts can make one of so many figures significant.
sub needed {
    my ($figures, $level) = @_;
    my $n = 1;
    $n++ while least($n) > ($level // $LEVEL) / max(1, $figures);
    return $n;
}

sub judged {
    my ($figures, %with) = @_;
    my $level   = $with{level} // $LEVEL;
    my $needed  = needed(scalar @$figures, $level);
    my @changes = map  { change(@$_{qw(changed control)}) } @$figures;
    my @tested  = grep { $_->{hosts} >= $needed && !$_->{few} } @changes;
    my @p       = Touchstone::Stats::Significance::holm(map { $_->{p} } @tested);
    delete $_->{p} for @changes;
    $tested[$_]{p} = $p[$_] for 0 .. $#tested;
    _limited($_, $level / @$figures) for @changes;
    $_->{verdict} = _verdict($_, $level, $with{smallest} // $SMALLEST, $with{ignored}) for @changes;
    return { needed => $needed, figures => \@changes };
}

# The change of one figure, without its verdict. `few`: too few hosts tell the drift.
sub change {
    my ($changed, $control) = @_;
    my %of = (hosts => scalar @$changed, controls => $control ? scalar @$control : 0, p => 1);
    $of{few} = 1 if $control && @$control < $FEWEST_CONTROLS;
    return \%of if @$changed < 2;
    my $with = $control && !$of{few};
    my $result =
        $with
        ? _against($control, $changed)
        : Touchstone::Stats::Significance::paired(@$changed);
    $of{drift} = mean(@$control) if $with;
    my $off   = $of{drift} // 0;
    my $reach = $result->{error} * _quantile(1 - $Touchstone::Stats::CONFIDENCE, $result->{freedom});
    return {
        %of,
        (map { $_ => $result->{$_} } qw(difference error freedom)),
        low  => $result->{difference} - $reach,
        high => $result->{difference} + $reach,
        p    => max($result->{p}, chance(map { $_ - $off } @$changed))
    };
}

# Where nothing changed all hosts are of one kind, so their scatter is that of all: the few controls alone
# would tell it so badly that Welch's test alarms in 8 of 100 such roll-outs (t/bench/rollout.pl). Where they
# scatter more than the others that counts.
sub _against {
    my ($control, $changed) = @_;
    my ($m,       $n)       = (scalar @$control, scalar @$changed);
    my @squares = map { deviation(@$_)**2 } $control, $changed;
    my $freedom = $m + $n - 2;
    my $pooled  = (($m - 1) * $squares[0] + ($n - 1) * $squares[1]) / $freedom;
    my $error   = sqrt max($pooled * (1 / $m + 1 / $n), $squares[0] / $m + $squares[1] / $n);
    return Touchstone::Stats::Significance::judged(mean(@$changed) - mean(@$control), $error, $freedom);
}

# Adds what would have been seen, and what can hide.
sub _limited {
    my ($change, $level) = @_;
    return if !defined $change->{error};
    my $reach = $change->{error} * _seen($level, $change->{freedom});
    $change->{limit} = 1 - exp -$reach;
    $change->{hides} = max(0, 1 - exp $change->{low});
    return;
}

# How many standard errors a change must have to be seen at this level as often as $POWER says.
sub _seen {
    my ($level, $freedom) = @_;
    return _quantile($level, $freedom) + _quantile(2 * (1 - $POWER), $freedom);
}

# What Student's t exceeds with this chance, on either side.
sub _quantile {
    my ($both, $freedom) = @_;
    return Touchstone::Stats::Significance::t_quantile($both / 2, $freedom);
}

sub _verdict {
    my ($change, $level, $smallest, $ignored) = @_;
    return $NOT_TESTED if !defined $change->{p};
    my $clear = $change->{p} <= $level;
    my $small = $change->{hides} < $smallest;
    return
          $clear && $change->{difference} < 0 && !($ignored && $small) ? $WORSE
        : $clear && $change->{difference} > 0                          ? $FASTER
        : $small                                                       ? $NO_WORSE
        :                                                                $INCONCLUSIVE;
}

# About how many hosts it takes to rule out a slow-down by `smallest` in a figure that did not change: the
# controls grow with them.
sub hosts_for {
    my ($change, $smallest) = @_;
    return if !$change->{error};
    my $reach = _seen(1 - $Touchstone::Stats::CONFIDENCE, $change->{freedom});
    my $many  = $change->{hosts} * ($reach * $change->{error} / -log(1 - $smallest))**2;
    return int($many) + 1;
}

# The chance that the sum of differences lies as far from 0 as it does when
# each of them could as well have the other sign. Without a random number, so that the same records give the
# same verdict, and as fine as many figures need: of 2000 random flips none is rarer than 1 in 2001.
#
#   chance(-0.021, -0.018, -0.024, -0.020, -0.022, -0.019)      0.03125, which is 2 of 64

# Up to so many differences all signs are tried: each half of them has 2 ** 13 sums.
our $MOST_TRIED = 26;

# Sums that are equal on paper differ in their last digits.
my $ALMOST = 1 - 1e-9;

my $TURN = 8 * atan2 1, 1;

# The smallest chance that so many differences can have.
sub least { my ($n) = @_; return min(1, 2 / 2**$n) }

sub chance {
    my @sizes = map { abs } grep { $_ } @_;
    my $seen  = abs(sum(0, @_)) * $ALMOST;
    return 1 if $seen <= 0;
    return @sizes > $MOST_TRIED ? _approximated($seen, @sizes) : _tried($seen, @sizes);
}

# All signs: a sum of the first half with each sum of the second that is large enough.
sub _tried {
    my ($seen, @sizes) = @_;
    my @second = splice @sizes, @sizes / 2;
    my @one    = sort { $a <=> $b } _sums(@sizes);
    my @other  = sort { $b <=> $a } _sums(@second);
    my ($reach, $many) = (0, 0);
    for my $sum (@one) {
        $reach++ while $reach < @other && $sum + $other[$reach] >= $seen;
        $many += $reach;
    }
    return min(1, 2 * $many / (@one * @other));
}

sub _sums {
    my @sums = (0);
    for my $size (@_) {
        @sums = map { ($_ + $size, $_ - $size) } @sums;
    }
    return @sums;
}

# The saddlepoint approximation of a tail (Lugannani and Rice 1980), which stays right to a few per cent of
# itself far out, where a normal distribution does not.
sub _approximated {
    my ($seen, @sizes) = @_;
    my $least = least(scalar @sizes);
    return $least if $seen >= (1 - 1e-6) * sum(@sizes);
    my $t      = _saddle($seen, @sizes);
    my $excess = 2 * ($t * $seen - sum(map { _log_cosh($t * $_) } @sizes));
    my $w      = sqrt max(0, $excess);
    my $u      = $t * sqrt sum(map { ($_ / _cosh($t * $_))**2 } @sizes);
    return 1 if $w < 1e-3;
    my $tail = normal_above($w) + exp(-$w * $w / 2) / sqrt($TURN) * (1 / $u - 1 / $w);
    return min(1, max($least, 2 * $tail));
}

# Where the derivative of the generating function is what was seen.
sub _saddle {
    my ($seen, @sizes) = @_;
    my $slope = sub {
        my ($t) = @_;
        return sum(map { $_ * _tanh($t * $_) } @sizes);
    };
    my ($low, $high) = (0, 1 / max(@sizes));
    while ($slope->($high) < $seen) {
        $high *= 2;
    }
    for (1 .. 60) {
        my $middle = ($low + $high) / 2;
        if   ($slope->($middle) < $seen) { $low  = $middle }
        else                             { $high = $middle }
    }
    return $high;
}

sub _log_cosh { my ($x) = @_; return $x + log((1 + exp(-2 * $x)) / 2) }
sub _cosh     { my ($x) = @_; return $x > 300 ? 1e130 : (exp($x) + exp(-$x)) / 2 }
sub _tanh     { my ($x) = @_; my $e = exp(-2 * $x); return (1 - $e) / (1 + $e) }

# The chance that a normal number is above one of at least 0: a series near the middle, a continued fraction
# far out.
sub normal_above {
    my ($z) = @_;
    my $density = exp(-$z * $z / 2) / sqrt $TURN;
    if ($z < 3) {
        my ($term, $sum) = ($z, $z);
        for my $k (1 .. 60) {
            $term *= $z * $z / (2 * $k + 1);
            $sum  += $term;
        }
        return 0.5 - $density * $sum;
    }
    my $fraction = $z;
    $fraction = $z + $_ / $fraction for reverse 1 .. 60;
    return $density / $fraction;
}

1;
