# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Undisturbed - how fast a test is when nothing disturbs it, and how even, from the slices of its
# passes:
#
#   (
#       undisturbed      => 3237107.4,       of the kind of the score
#       undisturbed_low, undisturbed_high    its interval; undef below six passes, as the next but one
#       lost             => 0.21,            part of the undisturbed speed that the score lacks, at least 0
#       lost_low, lost_high, lost_error      its interval; the standard error of the logarithm of the rest
#       shows_loss            => 1,               the loss is worth a word: neither small nor chance
#       took             => ['other guests'],  what the marks of the passes blame, or []
#       undisturbed_unknown => why there is none of these; of an index, the tests that have none
#       consistency      => 93,              a slow slice (one in twenty is slower) in per cent of the middle
#   )
#
# Disturbances only slow down. A slice has noise of its own besides, so that the fastest slices are faster
# than an undisturbed machine: the estimate is an upper quantile less what noise alone lifts it by. Where
# other processes take every second millisecond, no slice is undisturbed. There the CPU time of slices helps:
# a program that never sleeps does in a second of CPU time what it does in any second when nothing takes its
# CPU. t/bench/undisturbed.pl shows what comes of it.
package Touchstone::Score::Undisturbed;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Direction;
use Touchstone::Score::Slices;
use Touchstone::Stats::Distances;
use Touchstone::Stats qw(geometric_mean median);

# The estimate begins with the first of these quantiles: at least twice the rest is taken to be calm. The
# second tells how fast noise alone makes a slice.
my ($UPPER, $TOP, $TURNS) = (0.8, 0.95, 12);

# Noise alone makes the calm part look smaller now and then, and its own tail shorter: with these the estimate
# is lifted by a tenth of the noise at most.
my ($MOST, $WIDER) = (0.8, 1.2);

# The noise of slices follows from the steps between adjacent ones, of which this part at least is taken to be
# calm; so large is that quantile for normal noise with a deviation of 1. The same for the distances between
# passes, in pairs.
my ($CALM, $OF_CALM, $QUARTER, $OF_QUARTER) = (0.3, 0.385, 0.25, 2.22);

# Standard error of the level of one pass as a part of the noise of passes, and how far it may be from the
# truth as a part of the noise of slices.
my ($SPREAD, $DOUBT) = (1.5, 0.3);

# Fewer parts of a pass tell nothing of its fastest, fewer of a test nothing of its slowest, which is this
# quantile.
my ($FEWEST, $FEWEST_OF_TEST, $SLOW) = (20, 40, 0.05);

# A program that sleeps more often in a second, or whose children have more of the CPU time, does not need
# only CPU time of its own. It may need these seconds of it to prove its work.
my ($SLEEPS, $CHILDREN, $ENDING) = (2, 0.1, 0.005);

# A program that times less of its pass has another figure than slices have.
my $OWN = 0.9;

# A slice with less than this part of the usual CPU time tells nothing of the speed.
my $LITTLE = 0.25;

# Slices with more noise of their own tell nothing, and where counters say that others took more than this
# part of the time, an even pace is that of sharing.
my ($UNEVEN, $OTHERS) = (0.08, 0.1);

my $Z = $Touchstone::Stats::NORMAL;

# A smaller loss is not worth a word.
my $MIN_LOSS = 0.03;

# What is blamed for a mark that so many passes have.
my $OFTEN  = 0.2;
my %BLAMED = (
    (map { $_ => 'other processes' } qw(other cpu)),
    steal     => 'other guests',
    throttled => 'the CPU quota',
    heat      => 'heat'
);

sub _quantile {
    my ($sorted, $part) = @_;
    my $rank  = $part * $#$sorted;
    my $below = int $rank;
    my $above = min($below + 1, $#$sorted);
    return $sorted->[$below] + ($rank - $below) * ($sorted->[$above] - $sorted->[$below]);
}

# The quantile of the normal distribution, to one in a hundred (Tukey's lambda distribution).
sub _normal { my ($p) = @_; return 4.91 * ($p**0.14 - (1 - $p)**0.14) }

sub _noise {
    my (@values) = @_;
    my @steps = sort { $a <=> $b } map { abs($values[$_] - $values[ $_ - 1 ]) } 1 .. $#values;
    return _quantile(\@steps, $CALM) / $OF_CALM / sqrt 2;
}

# The undisturbed level of values that noise moves both ways and disturbances move down, and their noise. The
# part that is calm is found in turns: half of it is above the level. Disturbances also make steps; the noise
# is no larger than what the fastest values show.
sub level {
    my (@values) = @_;
    return _level_with(_noise(@values), @values);
}

sub _level_with {
    my ($steps, @values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    my ($upper, $top) = map { _quantile(\@sorted, $_) } $UPPER, $TOP;
    my ($calm, $level, $noise) = (1);
    for (1 .. $TURNS) {
        my ($z, $z_top) = map { _normal(1 - (1 - $_) / $calm) } $UPPER, $TOP;
        $noise = min($steps, $WIDER * ($top - $upper) / ($z_top - $z));
        $level = $upper - $noise * $z;
        my $above = grep { $_ > $level } @sorted;
        my $new   = max(2 * (1 - $UPPER), 2 * $above / @sorted);
        $new = 1 if $new > $MOST;
        last if $new == $calm;
        $calm = $new;
    }
    return { level => $level, noise => $noise, calm => $calm };
}

# The noise of few values, some of which are too low: a quarter of their distances in pairs is no larger than
# this part of it (the estimator Qn of Rousseeuw and Croux).
sub _noise_of_few {
    my (@values) = @_;
    return $OF_QUARTER * (Touchstone::Stats::Distances::quantile(\@values, $QUARTER) // 0);
}

# What is known of a test from its passes, see above. `score`: of the rule of its schedule, and `error`, the
# standard error of its logarithm; `rates`, `marks`
# and `losses`: of the passes, the last as far as counters tell; `cpus`: how many a run may use.
sub of_test {
    my (%test) = @_;
    my @parts  = map  { scalar Touchstone::Score::Slices::parts($_) } @{ $test{passes} };
    my @known  = grep { $_ && @$_ } @parts;
    my %even   = (consistency => _consistency(@known));
    return (%even, undisturbed_unknown => 'its passes have no slices') if @known < @parts;
    return (%even, undisturbed_unknown => 'its score is not the speed of its slices')
        if (grep { !$_->{timebase} && $_->{unit} eq $Touchstone::Base::Direction::SECONDS }
        @{ $test{passes} })
        || (grep { Touchstone::Score::Slices::own_time($_) < $OWN } @{ $test{passes} })
        || grep { $_ <= 0 } $test{score}, @{ $test{rates} };
    my $timed  = !grep { !_needs_only_time($_) } @{ $test{passes} };
    my @shares = map   { _share($test{passes}[$_], $parts[$_], $timed, $test{cpus}) } 0 .. $#parts;
    my ($why)  = map   { $_->{undisturbed_unknown} // () } @shares;
    return (%even, undisturbed_unknown => $why) if defined $why;
    my %found = _of_shares(\%test, @shares);
    return (%even, undisturbed_unknown => 'others ran all the time, and its processes sleep')
        if !$timed && median(@{ $test{losses} }) > max($OTHERS, 2 * $found{lost});
    return (%even, %found, took => [ _took(@{ $test{marks} }) ]);
}

# What the marks of passes blame for a loss.
sub _took {
    my (@marks) = @_;
    my %count;
    for my $marks (@marks) {
        my %seen = map { defined $BLAMED{$_} ? ($BLAMED{$_} => 1) : () } @{ $marks || [] };
        $count{$_}++ for keys %seen;
    }
    return grep { $count{$_} >= $OFTEN * @marks } sort keys %count;
}

# The same for the index of these tests, each of which counts with its power of `parts`. A test whose
# undisturbed speed is unknown counts with what it delivered: then the index is at least so much, and `untold`
# has the names of these tests.
sub of_index {
    my ($score, $parts, @tests) = @_;
    my @with_loss = grep { defined $tests[$_]{lost} } 0 .. $#tests;
    return if !@with_loss || $score <= 0;
    my $level = -sum(map { $parts->[$_] * log(1 - $tests[$_]{lost}) } @with_loss);
    my ($error, $noise) = map {
        my $key = $_;
        (grep { !defined $tests[$_]{$key} } @with_loss)
            ? undef
            : sqrt sum(map { ($parts->[$_] * $tests[$_]{$key})**2 } @with_loss)
    } qw(lost_error error);
    my %blames;
    $blames{$_}++ for map { @{ $_->{took} } } grep { $_->{shows_loss} } @tests[@with_loss];
    my $most = max(0, values %blames);
    return (
        _around($level, $error, $noise, sub { $score * exp $_[0] }),
        undisturbed_unknown => [ map { $_->{name} } grep { !defined $_->{lost} } @tests ],
        took                => [ grep { 2 * $blames{$_} >= $most } sort keys %blames ]
    );
}

# A slow slice in per cent of the middle one.
sub _consistency {
    my (@parts) = @_;
    my @speeds = sort { $a <=> $b } map {
        map { $_->[1] / $_->[0] }
            @$_
    } @parts;
    return undef if @speeds < $FEWEST_OF_TEST;
    my ($slow, $middle) = map { _quantile(\@speeds, $_) } $SLOW, 0.5;
    return $middle > 0 ? 100 * $slow / $middle : undef;
}

# The indexes, of which those that are steady, or have parts that are, have the consistency of the tests of
# these: their work is the same in every slice, so that what varies is the machine.
sub with_consistency {
    my ($tests, @indexes) = @_;
    my %even = map { $_->{name} => $_->{consistency} } @$tests;
    return map {
        my $key   = $_->{key} // '';
        my @names = map { @{ $_->{tests} } }
            grep { $_->{steady} && (($_->{key} // '') eq $key || ($_->{part_of} // '') eq $key) } @indexes;
        my @known = grep { ($_ // 0) > 0 } map { $even{$_} } @names;
        @names && @known == @names ? { %$_, consistency => geometric_mean(@known) } : $_
    } @indexes;
}

# Whether the copies of a pass need nothing but CPU time of their own.
sub _needs_only_time {
    my ($pass) = @_;
    my @slept  = grep { defined } @{ $pass->{slept} || [] };
    my $cpu    = Touchstone::Score::Slices::cpu_seconds($pass);
    my $all    = sum(0, map { $_ // 0 } map { @{ $pass->{$_} || [] } } qw(user sys));
    return
          !$pass->{team}
        && @slept == @{ $pass->{counts} }
        && max(@slept) <= $SLEEPS * max(1, @{ $pass->{times} })
        && defined $cpu
        && $cpu >= (1 - $CHILDREN) * $all - $ENDING;
}

# What a pass delivered as a part of what it could have: { share, noise of a slice } or { undisturbed_unknown
# => why }.
sub _share {
    my ($pass, $parts, $timed, $cpus) = @_;
    my ($time, $count, $spent) = map {
        my $what = $_;
        sum(map { $_->[$what] // 0 } @$parts)
    } 0 .. 2;
    return { undisturbed_unknown => 'a pass counted nothing' } if $count <= 0;
    my $rate = $count / $time / Touchstone::Score::Slices::own_time($pass);
    return _share_of_time($pass, $parts, $rate, _cpus($pass, $cpus) * $count / $spent)
        if $timed && $spent > 0;
    return {
        undisturbed_unknown => $count < $FEWEST
        ? 'its operations are too long for slices'
        : 'its passes are too short'
        }
        if @$parts < $FEWEST;
    my $share = level(map { $_->[1] / $_->[0] } @$parts);
    return { undisturbed_unknown => 'its slices are too uneven' }
        if $share->{level} <= 0 || $share->{noise} > $UNEVEN * $share->{level};
    return { share => $rate / $share->{level}, noise => $share->{noise} / $share->{level} };
}

# The same by CPU time, of which `mean` is the speed in all of the pass.
sub _share_of_time {
    my ($pass, $parts, $rate, $mean) = @_;
    my $spent  = sum(map { $_->[2] } @$parts);
    my $work   = sum(map { $_->[1] } @$parts);
    my $little = $LITTLE * $spent / @$parts;
    my @speeds = map { $mean * $_->[1] / $_->[2] * $spent / $work } grep { $_->[2] > $little } @$parts;
    my $share  = @speeds < $FEWEST ? { level => $mean, noise => 0 } : level(@speeds);
    return $share->{level} <= 0 || $share->{noise} > $UNEVEN * $share->{level}
        ? { share => $rate / $mean, noise => $UNEVEN }
        : { share => $rate / $share->{level}, noise => $share->{noise} / $share->{level} };
}

# How many CPUs the copies of a pass can use.
sub _cpus {
    my ($pass, $cpus) = @_;
    my %placed = map { $_ => 1 } map { defined ? split /,/ : () } @{ $pass->{cpus} || [] };
    return min(scalar @{ $pass->{counts} }, $cpus, keys %placed ? scalar keys %placed : ());
}

# The passes are judged like the slices of a pass: a disturbance may last longer than a pass. The estimate of
# each may be wrong by a part of the noise of its slices, in all alike, which widens the interval.
sub _of_shares {
    my ($test, @shares) = @_;
    my $slow = $test->{better} eq 'lower';
    my ($score, @speeds) = map { log($slow ? 1 / $_ : $_) } $test->{score}, @{ $test->{rates} };
    my @levels = map { $speeds[$_] - log $shares[$_]{share} } 0 .. $#shares;
    my $noise  = _noise_of_few(@levels);
    my $level  = _level_with($noise, @levels);
    my $error =
        @levels < $Touchstone::Stats::FEWEST
        ? undef
        : sqrt(($SPREAD * $noise)**2 / (@levels * $level->{calm}) +
            ($DOUBT * median(map { $_->{noise} } @shares))**2);
    return _around(max(0, $level->{level} - $score),
        $error, $test->{error}, sub { $slow ? $test->{score} / exp $_[0] : $test->{score} * exp $_[0] });
}

# What follows from the logarithm of the undisturbed speed as a part of the delivered one, its standard error,
# and that of the delivered one. `figure` makes the undisturbed figure of it.
sub _around {
    my ($level, $error, $noise, $figure) = @_;
    my @limits = defined $error ? ($level - $Z * $error, $level + $Z * $error) : ();
    my $both   = defined $error ? sqrt($error**2 + ($noise // 0)**2)           : undef;
    my ($low, $high) = sort { $a <=> $b } map { $figure->($_) } @limits;
    my %lost = (
        lost       => 1 - exp -$level,
        lost_low   => @limits ? max(0, 1 - exp($Z * $both - $level))  : undef,
        lost_high  => @limits ? max(0, 1 - exp(-$Z * $both - $level)) : undef,
        lost_error => $error
    );
    return (
        undisturbed      => $figure->($level),
        undisturbed_low  => $low,
        undisturbed_high => $high,
        %lost,
        shows_loss => @limits && $lost{lost} >= $MIN_LOSS && $lost{lost_low} > 0 ? 1 : 0
    );
}

1;
