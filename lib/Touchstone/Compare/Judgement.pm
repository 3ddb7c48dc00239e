# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Judgement - the verdicts of a comparison, and its exit status. A figure, of a test or of an index,
# has the logarithm of a ratio of means (`difference`) with its `error` and `freedom`, `p`, and how `sure` the
# ratio of the scores is; it gets
#
#   { interval => [1.02, 1.04], detectable => 0.012, verdict => 'faster', why => undef }
#
# Where it has a `drift`, that of Compare::Drift, all of these allow for what the machine differs from itself.
package Touchstone::Compare::Judgement;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);

use Touchstone::Compare::Drift;
use Touchstone::Compare::SequentialTest;
use Touchstone::Stats::Confidence;
use Touchstone::Stats::Significance;
use Touchstone::Stats;

our @EXPORT_OK = qw($FASTER $SAME $SLOWER $UNKNOWN $UNLIKE $UNTESTED);

our ($FASTER, $SLOWER, $SAME, $UNKNOWN) = ('faster', 'slower', 'no difference', 'inconclusive');

# Two figures that a test of significance cannot take, for a reason that a further run may remove.
our $UNTESTED = 'not tested';

# Two tests of one title that do not do the same work. No run could tell more, so the exit status passes over
# them.
our $UNLIKE = 'not comparable';

# If the interval reaches further than this, or than what --fail-on says, "no difference" would say too
# much.
our $SENSITIVE = 0.05;

# The chance that an interval is wrong.
my $ALPHA = 1 - $Touchstone::Stats::CONFIDENCE;

# The chance that any of all verdicts is wrong. It is not 0.05: Run goes on until passes agree, and so
# they agree a little better than they should. With this, pairs of equal runs show a difference in 4 of 100
# cases (t/bench/compare.pl), with 0.05 in 6.
my $LEVEL = 0.03;

# Logarithms of ratios that differ by less are the same but for rounding.
my $ROUNDING = 1e-9;

# These verdicts leave it open whether something is worse.
my $OPEN = qr/\A(?:\Q$UNKNOWN\E|\Q$UNTESTED\E)\z/;

# The exit statuses.
my %STATUS = (fine => 0, worse => 1, unknown => 125);

# Whether a figure is faster or slower.
sub is_clear { my ($figure) = @_; return $figure->{verdict} eq $FASTER || $figure->{verdict} eq $SLOWER }

# Verdicts of all figures of a pair, corrected for their number.
sub judge {
    my ($smallest, $fail_on, @figures) = @_;
    my $sensitive = $fail_on // $SENSITIVE;
    my @testable  = grep { !defined $_->{why} } @figures;
    @$_{qw(interval several)} = _interval($_) for grep { !defined $_->{level} } @testable;
    _allow_for_drift(@testable);
    my @corrected = _corrected(@testable);
    $_->{verdict} //= $UNTESTED for grep { defined $_->{why} } @figures;
    for my $i (0 .. $#testable) {
        my $figure = $testable[$i];
        if (defined $figure->{level}) {
            _judge_rounds($figure, $corrected[$i], scalar(grep { !defined $_->{only} } @testable), $fail_on);
            next;
        }
        my $floor  = $figure->{paired} ? 0 : $smallest->{ $figure->{key} } // 0;
        my $errors = Touchstone::Stats::Significance::t_quantile($LEVEL / 2 / @testable, $figure->{freedom});
        my $seen   = exp($errors * $figure->{error});

        # Means alone do not decide.
        $seen = max($seen, sqrt($figure->{interval}[1] / $figure->{interval}[0]))
            if $figure->{spread} || $figure->{several};
        $figure->{detectable} = max($floor, $seen - 1);
        $figure->{p}          = $corrected[$i];
        my $agrees = delete $figure->{agrees};
        my %with   = (
            among     => scalar @testable,
            floor     => $floor,
            sensitive => $sensitive,
            agrees    => $agrees
        );
        @$figure{qw(verdict why)} = _verdict($figure, %with);
        delete @$figure{qw(difference error freedom spread middle reach several differs_singly)};
    }
    return;
}

# Figures of runs that are not valid say nothing of a machine: they keep their ratios, and have no verdict.
# `called`: those runs.
sub withhold {
    my ($invalid_runs, @figures) = @_;
    my @invalid = @$invalid_runs or return;
    my $why     = join(' and ', @invalid) . (@invalid > 1 ? ' are' : ' is') . ' not valid';
    @$_{qw(verdict why)} = ($UNKNOWN, $why)
        for grep { $_->{verdict} ne $UNTESTED && $_->{verdict} ne $UNLIKE } @figures;
    return;
}

# What the passes tell is widened by what the machine differs from itself. `apart`: the passes alone would be
# called different.
sub _allow_for_drift {
    my (@figures) = @_;
    my @corrected_p = _corrected(@figures);
    for my $i (grep { $figures[$_]{drift} } 0 .. $#figures) {
        my ($figure, $drift) = ($figures[$i], $figures[$i]{drift});
        my ($low, $high)     = @{ $figure->{interval} };
        $figure->{differs_singly} = $corrected_p[$i] <= $LEVEL && ($low > 1 || $high < 1);
        $figure->{interval} = Touchstone::Compare::Drift::widened([ $low, $high ], $figure->{ratio}, $drift);
        @$figure{qw(error freedom p)} =
            @{ Touchstone::Compare::Drift::joined($figure, $drift) }{qw(error freedom p)};
    }
    return;
}

# The p of each figure, corrected for the number of all. An index of one test of rounds is this test once
# more.
sub _corrected {
    my (@figures) = @_;
    my @own       = grep { !defined $_->{only} } @figures;
    my @corrected = Touchstone::Stats::Significance::holm(map { $_->{p} } @own);
    my %of;
    $of{ $own[$_]{key} } //= $corrected[$_] for 0 .. $#own;
    return map { defined $_->{only} ? $of{ $_->{only} } : shift @corrected } @figures;
}

# The verdict of a figure of a duet of interleaved blocks, which may have been looked at before: its p and its
# level allow for that. The interval is the one that holds the ratio 95 times in 100 at whichever look a duet
# ends (Jennison and Turnbull 1984).
sub _judge_rounds {
    my ($figure, $p,     $among,   $fail_on) = @_;
    my ($ratio,  $error, $freedom, $level)   = @$figure{qw(ratio error freedom level)};
    my ($width,  $seen) =
        map { exp($error * Touchstone::Stats::Significance::t_quantile($_ / 2, $freedom)) } $level,
        $level / $among;
    my $part = $fail_on // $figure->{margin} // $Touchstone::Compare::SequentialTest::MARGIN;
    @$figure{qw(p interval detectable)} = ($p, [ $ratio / $width, $ratio * $width ], $seen - 1);
    @$figure{qw(verdict why)}           = _verdict_of_rounds($figure, $among, $part);
    delete @$figure{qw(difference error freedom level n_max only alone over)};
    return;
}

sub _verdict_of_rounds {
    my ($figure, $among, $part) = @_;
    my ($low, $high) = @{ $figure->{interval} };
    return ($figure->{ratio} > 1 ? $FASTER : $SLOWER, undef)
        if $figure->{p} <= $Touchstone::Compare::SequentialTest::ALPHA;
    return ($SAME,    undef)                         if $low > 1 - $part && $high < 1 / (1 - $part);
    return ($UNKNOWN, _chance($figure->{p}, $among)) if $low > 1 || $high < 1;
    return ($UNKNOWN, sprintf 'the difference may still be up to %.1f %%', 100 * max(1 - $low, $high - 1));
}

# ([low, high] of the ratio, whether ratios of pairs of passes are multimodal). Two runs have the interval of
# the ratio of their scores.
sub _interval {
    my ($figure) = @_;
    return $figure->{spread}
        ? (Touchstone::Stats::Confidence::limits(@$figure{qw(ratio spread)}), 0)
        : _interval_of_pairs($figure);
}

# Ratios of pairs are multimodal if their median is outside the interval of their mean, and then that of the
# median is joined with it.
sub _interval_of_pairs {
    my ($figure) = @_;
    my ($difference, $middle, $reach) = @$figure{qw(difference middle reach)};
    my $width =
        Touchstone::Stats::Significance::t_quantile($ALPHA / 2, $figure->{freedom}) * $figure->{error};
    my $several = abs($middle - $difference) > $width + $ROUNDING;
    my @ends    = ($difference - $width, $difference + $width);
    push @ends, $middle - $reach->[0], $middle + $reach->[1] if $several;
    my @ratios = ($figure->{ratio}, map { exp } @ends);
    return ([ min(@ratios), max(@ratios) ], $several);
}

# (verdict, why it is none). among: how many are judged; floor: what this machine can tell; agrees: gives the
# chance of a second opinion
sub _verdict {
    my ($figure, %with) = @_;
    my ($low, $high)    = @{ $figure->{interval} };
    my $ratio    = exp $figure->{difference};
    my $differs  = $figure->{p} <= $LEVEL;
    my $is_clear = $low > 1 || $high < 1;
    if ($differs && max($ratio, 1 / $ratio) - 1 > $with{floor}) {
        return ($UNKNOWN, $figure->{differs_singly} ? _itself($figure) : _disagreement($figure))
            if !$is_clear;
        my $chance = $with{agrees} ? $with{agrees}->() : 0;
        return ($UNKNOWN, 'passes dealt out at random differ as much') if $chance > $ALPHA;
        return ($ratio > 1 ? $FASTER : $SLOWER, undef);
    }
    return ($SAME,    undef) if $low > 1 - $with{sensitive} && $high < 1 / (1 - $with{sensitive});
    return ($UNKNOWN, 'smaller than the detection limit of this machine') if $differs;
    return ($UNKNOWN, _chance($figure->{p}, $with{among}))                if $is_clear;
    return ($UNKNOWN, _itself($figure))                                   if $figure->{differs_singly};
    return ($UNKNOWN, _disagreement($figure))                             if $figure->{several};
    return ($UNKNOWN, sprintf 'could still be %g %% either way', $with{sensitive} * 100);
}

# Returns why a difference that passes show does not count: half the interval is further than it.
sub _itself {
    my ($figure) = @_;
    my ($low, $high) = map { log } @{ $figure->{interval} };
    return
          Touchstone::Compare::Drift::itself($figure->{drift})
        . ' by as much: '
        . Touchstone::Compare::Drift::as_sentence($figure->{drift}, exp(($high - $low) / 2) - 1);
}

# Returns why an interval has 1 in it, or is wide, although that of the means would not.
sub _disagreement {
    my ($figure) = @_;
    return sprintf 'the means of the passes differ (p = %.2g), the scores may not', $figure->{p}
        if !$figure->{paired};
    my $mean = exp $figure->{difference};
    my ($ratio, $of_pairs) = map { [ _interval_around($_, $mean) ] } $figure->{ratio}, exp $figure->{middle};
    return sprintf 'the ratios of the pairs of passes are multimodal (median %s, mean %s)', @$of_pairs
        if $figure->{several};
    return sprintf 'the ratio of the scores is %s, that of the pairs of passes %s', @$ratio;
}

# Two figures with as many digits as show that they differ, at least three.
sub _interval_around {
    my (@two) = @_;
    my @shown;
    for my $digits (3 .. 9) {
        @shown = map { sprintf '%.*g', $digits, $_ } @two;
        last if $shown[0] ne $shown[1];
    }
    return @shown;
}

# Returns why a difference whose interval leaves 1 out does not count.
sub _chance {
    my ($p, $among) = @_;
    my $words =
        $among == 1
        ? 'such a difference may be chance'
        : "one of $among scores compared together may differ this much by chance";
    return sprintf "$words (p = %.2g)", $p;
}

# Worse when anything is slower by more than is allowed; unknown when something could be, because passes
# differ or because it is missing: a test that failed must not pass for one that is as fast as before.
# `invalid`: how many runs are not valid, with any of which the comparison has no result.
sub status {
    my ($allowed, $invalid, @all) = @_;
    my @figures = grep { $_->{verdict} ne $UNLIKE } @all;
    return $STATUS{unknown} if $invalid || !@figures;
    return $STATUS{worse} if grep { $_->{verdict} eq $SLOWER && $_->{ratio} < 1 - ($allowed // 0) } @figures;
    return $STATUS{unknown} if grep { $_->{verdict} =~ $OPEN && !_is_within($_, $allowed) } @figures;
    return $STATUS{fine};
}

# True if a figure cannot be worse by more than is allowed.
sub _is_within {
    my ($figure, $allowed) = @_;
    my $least = 1 - ($allowed // $figure->{margin} // $SENSITIVE);
    return $figure->{interval} && $figure->{interval}[0] > $least;
}

1;
