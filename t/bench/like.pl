#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How often the interval of a percentile holds the truth, and how often place calls a healthy run out of
# line or a slow one in line, on invented machines: these differ by 1 %, runs by 0.6 % and each of nine
# passes by 1 %, with half of the variance common to all figures. Heavy tails are Student's with three
# degrees of freedom.
#
#   perl -Ilib t/bench/like.pl [RUNS, 200]
#
#   references  interval holds  tails   figures  healthy alarms  5 % in all  5 % in one
#           20          95.1 %  normal       12           2.1 %      95.0 %      60.0 %  ok
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Peers;
use Touchstone::Pack::Fleet::Stats::BeforeAfter;

my ($HOST, $RUN, $PASS, $PASSES, $SLOWER) = (0.01, 0.006, 0.01, 9, 0.05);
my $RUNS = $ARGV[0] || 200;
$| = 1;

my $random = Touchstone::Base::Random::generator(4711);

sub normal { return Touchstone::Base::Random::normal($random) }

sub heavy {
    return normal() / sqrt(sum(map { normal()**2 } 1 .. 3));
}
my %TAILS = (normal => \&normal, heavy => \&heavy);

# A member of which only what Pack::Fleet::Peers looks at is there.
my %MEMBER = (
    group    => { map { $_ => 'x' } qw(vendor model sockets cores threads memory virtualisation) },
    passport => 'x',
    facts    => {},
    labels   => {},
    indexes  => {},
    started  => 0
);

sub member {
    my ($number, $figures, $draw, $shift) = @_;
    my @common  = ($HOST * $draw->(), $RUN * $draw->());
    my $error   = $PASS / sqrt $PASSES;
    my %figures = map {
        my $y =
            sqrt(0.5) * sum(@common, $HOST * $draw->(), $RUN * $draw->()) + $error * normal() + $shift->($_);
        (
            "1 f$_" => {
                name   => "f$_",
                title  => "f$_",
                copies => 1,
                suite  => 's',
                unit   => 'x',
                y      => $y,
                error  => $error
            }
        )
    } 1 .. $figures;
    return { %MEMBER, (map { $_ => "h$number" } qw(name host host_id)), figures => \%figures };
}

# The part of the runs, in per cent, that are called out of line.
sub out_of_line {
    my ($references, $figures, $draw, $shift) = @_;
    my $out = 0;
    for (1 .. $RUNS) {
        my @others = map {
            member($_, $figures, $draw, sub { 0 })
        } 1 .. $references;
        my $found = Touchstone::Pack::Fleet::Peers::judge(member(0, $figures, $draw, $shift), \@others);
        $out++ if $found->{status} == 1;
    }
    return 100 * $out / $RUNS;
}

# The part of the intervals, in per cent, that hold the part of all machines below a run's true speed.
sub held {
    my ($references) = @_;
    my $held = 0;
    for (1 .. $RUNS) {
        my $true  = normal();
        my $above = Touchstone::Pack::Fleet::Stats::BeforeAfter::normal_above(abs $true);
        my $part  = $true > 0 ? 1 - $above : $above;
        my $place = Touchstone::Pack::Fleet::Peers::percentile($true + 0.3 * normal(),
            0.3, [ map { normal() } 1 .. $references ]);
        $held++ if $part >= $place->{low} && $part <= $place->{high};
    }
    return 100 * $held / $RUNS;
}

my %SHIFT = (
    healthy => sub { return 0 },
    all     => sub { return log(1 - $SLOWER) },
    one     => sub { my ($figure) = @_; return $figure == 1 ? log(1 - $SLOWER) : 0 }
);
say 'references  interval holds  tails   figures  healthy alarms  5 % in all  5 % in one';
my $failed = 0;
my $most   = 5 + 200 * sqrt(0.05 * 0.95 / $RUNS);
my $least  = 95 - 200 * sqrt(0.05 * 0.95 / $RUNS);
for my $references (5, 10, 20, 40) {
    my $held = held($references);
    $failed++ if $held < $least;
    for my $tails (qw(normal heavy)) {
        for my $figures (12, 24) {
            my %out = map { $_ => out_of_line($references, $figures, $TAILS{$tails}, $SHIFT{$_}) }
                sort keys %SHIFT;
            my $ok = $tails eq 'heavy' || $out{healthy} <= $most;
            $failed++ if !$ok;
            printf "%10d %13.1f %%  %-6s %8d %13.1f %% %9.1f %% %9.1f %%  %s\n", $references, $held, $tails,
                $figures, @out{qw(healthy all one)}, $ok ? 'ok' : 'MISSED';
        }
    }
}
exit($failed ? 1 : 0);
