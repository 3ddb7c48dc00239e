# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Stamina - do the CPUs keep their speed? The passes of all tests that compute tell it,
# in any run that is long enough; with --stamina the slices of one long pass. The two witnesses of a change
# are two lots of tests, or of slices, each of which shows it by itself.
package Touchstone::Suite::Truth::Probe::Stamina;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Base::Text qw(grouped_count plural);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number);
use Touchstone::Compare::Trend;
use Touchstone::Stats::Sequential;
use Touchstone::Stats qw(interval median);
use Touchstone::Suite::Truth::Figures qw(if_known);
use Touchstone::Suite::Truth::Speeds;

our $NAME = 'truth-stamina';

# So many speeds tell a change, and seconds.
my ($FEWEST, $SHORTEST) = (40, 60);

# The change that is seen in so many of a hundred cases, where it lasts for a quarter of the time.
my ($POWER, $QUARTER) = (0.8, 0.25);

# Ranks need so much more than normal values whose place of change is known: in 200 made-up runs of 48 speeds
# each 82 % of such drops are found, of 130 speeds 98 %, and none in runs without a drop.
my $OF_RANKS = 1.4;

# A third of the chances is for each kind of test that Trend makes at a place.
my $KINDS = 3;

# Speeds with a longer tail than normal ones: the standard deviation from the middle half.
my $OF_HALF = 1.349;

# A fall to less than this that lasts is no matter of a governor.
my $CREDIT = 0.7;

# The suites whose runs are looked at without being asked.
my @SUITES = qw(truth modern);

sub of_any_run {
    my ($facts) = @_;
    return grep { exists as_hash($facts->{suites})->{$_} } @SUITES;
}

sub judge {
    my ($facts, $result, $passes) = @_;
    my @all = as_hashes($facts->{passes});
    my ($long) = grep { (as_number($_->{window}, 0, 1e7) // 0) >= $SHORTEST } @$passes;
    my $speeds =
        $long
        ? Touchstone::Suite::Truth::Speeds::of_slices($long)
        : Touchstone::Suite::Truth::Speeds::of_passes(@all);
    return if !$speeds && !$result;
    my $probe = { many => 0, seconds => 0, %{ $speeds || {} } };
    $probe->{many} = @{ $probe->{values} || [] };
    return _too_short($probe) if $probe->{many} < $FEWEST || $probe->{seconds} < $SHORTEST;
    my @changes = Touchstone::Compare::Trend::changes($probe->{values});
    my ($verdict, $sentence) = @changes ? _changed($probe, @changes) : _steady($probe, !$long);
    return {
        verdict  => $verdict,
        sentence => $sentence,
        evidence => [ _evidence($probe, \@changes, $long ? ($long) : @all) ]
    };
}

# Passes of less than a minute tell nothing that lasts, and say so only where they were asked.
sub _too_short {
    my ($probe) = @_;
    my $spread =
        $probe->{many}
        ? sprintf(
        '%s speeds in %s are within %s %% of each other',
        $probe->{many},
        _duration($probe->{seconds}),
        two_digits(100 * (max(@{ $probe->{values} }) / min(@{ $probe->{values} }) - 1))
        )
        : 'There are no speeds to compare';
    return {
        verdict  => 'unclear',
        sentence => "$spread: too few to detect a change. For heat and burst credits use --stamina 3600.",
        evidence => []
    };
}

sub _duration {
    my ($seconds) = @_;
    return $seconds < 120 ? sprintf('%.0f s', $seconds) : sprintf('%.0f minutes', $seconds / 60);
}

# The least lasting drop that would have been seen, as a part of the speed.
sub detectable {
    my (@values) = @_;
    my @sorted   = sort { $a <=> $b } map { log } @values;
    my $n        = @sorted;
    my $spread   = ($sorted[ int(0.75 * ($n - 1)) ] - $sorted[ int(0.25 * ($n - 1) + 0.5) ]) / $OF_HALF;
    my $level    = $Touchstone::Compare::Trend::CHANCE / $KINDS / $n;
    my $errors   = sum(map { Touchstone::Stats::Sequential::normal_quantile($_) } $level / 2, 1 - $POWER);
    my $log      = $errors * $spread * sqrt(1 / ($QUARTER * (1 - $QUARTER) * $n));
    return max($Touchstone::Compare::Trend::SMALLEST, 1 - exp(-$log));
}

sub _steady {
    my ($probe, $is_run) = @_;
    my $least = two_digits(100 * detectable(@{ $probe->{values} }));
    my $text =
        "No change of speed in @{[ _duration($probe->{seconds}) ]} (a drop of $least % would have been detected).";
    my @halves = grep { @$_ >= $FEWEST / 2 } @{ $probe->{halves} };
    return ('unclear', "$text Only one test shows it.") if @halves < 2;
    return ('confirmed',
        "$text Credits that last longer cannot be detected" . ($is_run ? ': use --stamina 3600.' : '.'));
}

# What stands after the last change, compared with what stood before the first one.
sub _changed {
    my ($probe, @changes) = @_;
    my ($last) = $changes[-1];
    my ($before, $after) = ($changes[0]{before}, $last->{after});
    my $ratio = $after / $before;
    my $time  = _duration($probe->{at}[ $changes[0]{at} ]);
    my @both  = map { _ratio_of_half($probe, $_, $changes[0]{at}, $last->{at}) } @{ $probe->{halves} };
    my $lower = $ratio < 1;
    my $text  = sprintf 'After %s the CPUs %s to %s %% of their speed%s', $time, $lower ? 'fell' : 'rose',
        two_digits(100 * $ratio), _within($probe, $before, $last->{at});
    return ('unclear', "$text, in only one of two sets of tests: neighbours and a governor do that, too.")
        if @both < 2 || grep { ($_ < 1) != $lower || abs(log $_) < abs(log $ratio) / 2 } @both;
    return ('contradicted',
        "$text and stayed there: CPU credits are used up, or the CPU is throttled by heat.")
        if $ratio < $CREDIT;
    return ('contradicted',
        "$text and stayed there: neighbours, heat or a governor; truth-vcpu finds neighbours.")
        if @changes == 1;
    return ('contradicted',
        "$text, in " . plural(scalar @changes, 'step') . ': neighbours, heat or a governor.');
}

# The interval of what stands after the last change.
sub _within {
    my ($probe, $before, $time) = @_;
    my @values = @{ $probe->{values} };
    my ($low, $high) = interval([ map { $_ / $before } @values[ $time .. $#values ] ]);
    return defined $low ? sprintf(' (%s to %s)', map { two_digits(100 * $_) } $low, $high) : '';
}

sub _ratio_of_half {
    my ($probe, $half, $from, $to) = @_;
    my @before = map { $probe->{values}[$_] } grep { $_ < $from } @$half;
    my @after  = map { $probe->{values}[$_] } grep { $_ >= $to } @$half;
    return @before && @after ? median(@after) / median(@before) : ();
}

sub _evidence {
    my ($probe, $changes, @passes) = @_;
    my @counters = map { as_hash($_->{counters}) } @passes;
    my %all      = map {
        my $key   = $_;
        my @known = grep { defined } map { as_number($_->{$key}, 0, 1e9) } @counters;
        ($key => @known ? sum(@known) : undef)
    } qw(steal throttled hot);
    return (
        [
            'speeds',
            "$probe->{many}, of " . plural($probe->{kinds}, 'test') . ', in ' . _duration($probe->{seconds})
        ],
        [ 'detectable drop', two_digits(100 * detectable(@{ $probe->{values} })) . ' %' ],
        (
            map {
                [
                    'change after ' . _duration($probe->{at}[ $_->{at} ]),
                    'to ' . two_digits(100 * $_->{ratio}) . ' % of the speed before'
                ]
            } @$changes
        ),
        [ 'CPU time taken by the hypervisor', if_known('%.1f s',        $all{steal}) ],
        [ 'time throttled by a CPU quota',    if_known('%.1f s',        $all{throttled}) ],
        [ 'thermal throttling events',        if_known(\&grouped_count, $all{hot}) ]
    );
}

1;
