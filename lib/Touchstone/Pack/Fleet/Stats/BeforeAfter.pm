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

use List::Util qw(max);

use Touchstone::Stats qw(deviation mean);
use Touchstone::Pack::Fleet::Stats::SignFlipTest;
use Touchstone::Stats::Significance;

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
    $n++
        while Touchstone::Pack::Fleet::Stats::SignFlipTest::least($n) > ($level // $LEVEL) / max(1, $figures);
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
    my $found =
        $with
        ? _against($control, $changed)
        : Touchstone::Stats::Significance::paired(@$changed);
    $of{drift} = mean(@$control) if $with;
    my $off   = $of{drift} // 0;
    my $reach = $found->{error} * _quantile(1 - $Touchstone::Stats::CONFIDENCE, $found->{freedom});
    return {
        %of,
        (map { $_ => $found->{$_} } qw(difference error freedom)),
        low  => $found->{difference} - $reach,
        high => $found->{difference} + $reach,
        p    => max(
            $found->{p}, Touchstone::Pack::Fleet::Stats::SignFlipTest::chance(map { $_ - $off } @$changed)
        )
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

1;
