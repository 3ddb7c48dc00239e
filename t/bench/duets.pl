#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how often duets are right: equal builds that are said to differ, and slower ones that
# are found, by noise. Duets go on until each test is decided, or through 60 rounds. Some kinds of noise are
# drawn. The rest is what t/record-noise.pl found on a busy machine: stretches of it, in which by lot the one
# or the other side is the second.
#
#   perl -Ilib t/bench/duets.pl [duets of each kind, 200]
#
#   equal builds, noise 6 %           1 test    3 tests   12 tests
#     normal                            4.0 %     4.5 %     5.0 %   target 5 %   ok
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::SequentialTest;
use Touchstone::Stats::Sequential;
use Touchstone::Stats::Significance;
use Touchstone::Stats;

my ($DUETS, $MOST) = (shift // 200, 60);
my $failed = 0;
srand 4711;

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# { 'memory, wall' => [a value for each round] }
my %recorded;
open my $in, '<', 't/bench/noise.csv' or die "cannot open 't/bench/noise.csv': $!\n";
while (my $line = <$in>) {
    chomp $line;
    my ($kind, @bases) = split /,/, $line;
    for my $base (0, 1) {
        my @blocks = sort { $a <=> $b } map { $_ / 1e6 } split / /, $bases[$base];
        push @{ $recorded{ "$kind, " . (qw(wall cpu))[$base] } }, ($blocks[1] + $blocks[2]) / 2;
    }
}
close $in or die "cannot read 't/bench/noise.csv': $!\n";

sub stretch {
    my ($series) = @_;
    my $from = int rand(@$series - $MOST + 1);
    return map { $_ * (rand() < 0.5 ? 1 : -1) } @$series[ $from .. $from + $MOST - 1 ];
}

# Noise of rounds with a deviation of about 1.
my %KIND = (
    'normal' => sub {
        return map { normal() } 1 .. $MOST;
    },
    'heavy tails' => sub {
        return map { normal() / sqrt((normal()**2 + normal()**2 + normal()**2) / 3) } 1 .. $MOST;
    },
    'one in ten disturbed' => sub {
        return map { normal() * (rand() < 0.1 ? 10 : 1) } 1 .. $MOST;
    },
    'neighbours alike' => sub {
        my $x = normal();
        return map { $x = 0.3 * $x + sqrt(1 - 0.3**2) * normal() } 1 .. $MOST;
    },
    'slow drift' => sub {
        my ($phase, $waves) = (6.28 * rand, 1 + 2 * rand);
        return map { 0.8 * normal() + 0.85 * sin($phase + 6.28 * $waves * $_ / $MOST) } 1 .. $MOST;
    },
);

# Lets a duet go on until all is decided or `ends` rounds are over, and judges it as Compare does. Returns
#
#   {
#       found    => [ whether each test, and then the index, differs ],
#       equal    => how many tests but the first were equal,
#       rounds => [of each]
#   }
sub duet {
    my ($ends, @tests) = @_;
    my (%decided, %length);
    for my $n (grep { $_ <= $ends } Touchstone::Stats::Sequential::looks($MOST)) {
        my %logs = map { $_ => [ @{ $tests[$_] }[ 0 .. ($length{$_} // $n) - 1 ] ] } 0 .. $#tests;
        my $now  = Touchstone::Compare::SequentialTest::decide(\%logs, n_max => $MOST);
        for my $key (grep { !$length{$_} } keys %$now) {
            $length{$key}  = $n;
            $decided{$key} = $now->{$key};
        }
        last if keys %length == @tests;
    }
    my @results = map {
        +{
            %{
                Touchstone::Compare::SequentialTest::in_the_end(
                    [ @{ $tests[$_] }[ 0 .. ($length{$_} // $ends) - 1 ] ],
                    n_max => $MOST)
            },
            key => $_
        }
    } 0 .. $#tests;
    push @results, Touchstone::Compare::SequentialTest::of_members(@results) if @results > 1;
    my @found = map { $_ <= $Touchstone::Compare::SequentialTest::ALPHA ? 1 : 0 }
        Touchstone::Stats::Significance::holm(map { $_->{p} } @results);
    for my $key (grep { $decided{$_} eq 'differs' } keys %decided) {
        die "a test that was told apart is none in the end\n" if !$found[$key];
    }
    return {
        found  => \@found,
        equal  => scalar(grep { ($decided{$_} // '') eq 'equal' } 1 .. $#tests),
        rounds => [ map { $length{$_} // $ends } 0 .. $#tests ]
    };
}

# The part of duets of equal builds that show any difference, in per cent.
sub alarms {
    my ($noise, $tests, $ends) = @_;
    my $alarms = grep {
        my $duet = duet($ends ? $ends->() : $MOST, map { [ $noise->() ] } 1 .. $tests);
        grep { $_ } @{ $duet->{found} }
    } 1 .. $DUETS;
    return 100 * $alarms / $DUETS;
}

sub row {
    my ($name, $noise, $ends) = @_;
    my @alarms = map { alarms($noise, $_, $ends) } 1, 3, 12;

    # By chance alone so many may be beyond the target.
    my $ok = !grep { $_ > 5 + 100 * 2 * sqrt(0.05 * 0.95 / $DUETS) } @alarms;
    $failed++ if !$ok;
    printf "  %-30s %7.1f %% %7.1f %% %7.1f %%   target 5 %%   %s\n", $name, @alarms, $ok ? 'ok' : 'MISSED';
    return;
}

$| = 1;
printf "%-34s %-9s %-9s %s\n", 'equal builds, noise 6 %', '1 test', '3 tests', '12 tests';
my %scaled = map {
    my $kind = $_;
    (
        $kind => sub {
            return map { 0.06 * $_ } $KIND{$kind}->();
        }
    )
} keys %KIND;
row($_, $scaled{$_}) for sort keys %scaled;
row('normal, ended at any time', $scaled{normal}, sub { return 6 + int rand($MOST - 5) });
for my $kind (sort keys %recorded) {
    row("recorded: $kind", sub { return stretch($recorded{$kind}) });
    row(
        "recorded: $kind, x 10",
        sub {
            return map { 10 * $_ } stretch($recorded{$kind});
        }
    );
}

# One of three tests is slower by so much.
print "\none of three tests slower: found, its rounds; those of the equal ones, said to be equal\n";

sub power {
    my ($name, $slower, $noise) = @_;
    my ($found, $equal, @rounds, @others) = (0, 0);
    for (1 .. $DUETS) {
        my @tests = map { [ $noise->() ] } 1 .. 3;
        $_ += log(1 - $slower) for @{ $tests[0] };
        my $duet = duet($MOST, @tests);
        $found += $duet->{found}[0];
        $equal += $duet->{equal};
        my ($own, @rest) = @{ $duet->{rounds} };
        push @rounds, $own;
        push @others, @rest;
    }
    printf "  %-26s by %g %%  %5.1f %%  %2.0f    %2.0f  %5.1f %%\n", $name, 100 * $slower,
        100 * $found / $DUETS,
        Touchstone::Stats::median(@rounds), Touchstone::Stats::median(@others), 50 * $equal / $DUETS;
    return;
}
for my $slower (0.03, 0.01) {
    for my $noise (0.005, 0.01, 0.02, 0.04) {
        power(
            sprintf('normal, noise %g %%', 100 * $noise),
            $slower,
            sub {
                return map { $noise * $_ } $KIND{normal}->();
            }
        );
    }
    for my $kind (sort keys %recorded) {
        power("recorded: $kind", $slower, sub { return stretch($recorded{$kind}) });
    }
}

exit($failed ? 1 : 0);
