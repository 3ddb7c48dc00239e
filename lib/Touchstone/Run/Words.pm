# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Words - the sentences of a run before it measures: what it will do, how long that takes, what cannot
# be measured.
package Touchstone::Run::Words;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies);
use Touchstone::Run::Plan;
use Touchstone::Stats;

# Says what a run will do and how long it takes.
sub announcement {
    my ($plan) = @_;
    my %tests  = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my @copies = map { $_->{copies} } @{ $plan->{blocks} };
    return 'nothing here can be measured with this number of copies' if !@copies;
    my $last = pop @copies;
    my $many = (@copies ? join(', ', @copies) . ' and ' : '') . copies($last);
    my $rounds =
        $plan->{schedule} eq 'classic'
        ? 'classic schedule'
        : $plan->{rounds} . ($plan->{rounds} == 1 ? ' round' : ' rounds');
    $rounds .= ', short windows: less precise than the default' if $plan->{schedule} eq 'quick';
    my $more = defined $plan->{precision} && $plan->{most} > $plan->{seconds} + 1;
    $rounds .= sprintf ', then more until every score is sure to +- %g %%', $plan->{precision} * 100 if $more;
    my $tests = keys %tests;
    return sprintf '%d %s, %s, %s: %s', $tests, $tests == 1 ? 'test' : 'tests', $many, $rounds,
        join ', and ', _time_of($plan, $more), _whole_of($plan);
}

# Says how long all tests take but those that take as long as they take.
sub _time_of {
    my ($plan,  $more) = @_;
    my ($least, $most) = map { $_ - $plan->{open} } @$plan{qw(seconds most)};
    return if $least <= 0;
    return $more ? duration($least) . ' to ' . duration($most) : 'about ' . duration($least);
}

sub _whole_of {
    my ($plan) = @_;
    my %whole =
        map  { $_->{name} => 1 }
        grep { Touchstone::Run::Plan::is_open($_) }
        map  { $_->{test} } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return map { "$_ as long as it takes" } sort keys %whole;
}

# Says what an earlier run tells about the precision that is asked for.
sub forecast {
    my ($plan, $run, $says) = @_;
    return
          "$plan->{rounds} "
        . ($plan->{rounds} == 1 ? 'pass is' : 'passes are')
        . ' too few for an interval: no score will be sure'
        if $plan->{rounds} < $Touchstone::Stats::FEWEST;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return 'no earlier run of this machine says how long that takes'
        if !defined $run || @{ $says->{unknown} } >= keys %tests;
    my ($late, $unknown) = map { join ', ', @{ $says->{$_} } } qw(late unknown);
    my $sure   = sprintf 'sure to +- %g %%', $plan->{precision} * 100;
    my $scores = @{ $says->{late} } == 1 ? 'the score' : 'the scores';
    my $said =
        length $late
        ? "$scores of $late will not be $sure within this time"
        : 'it takes about ' . duration($says->{seconds}) . " until every score is $sure";
    return "judging by run $run, $said" . (length $unknown ? "; that run did not measure $unknown" : '');
}

# Says what cannot be measured, a line for each reason. Each of `lost`: { test, kind, why, remedy }.
sub losses {
    my (@lost) = @_;
    my (%names, @order);
    for my $lost (@lost) {
        my $reason =
              ($lost->{kind} eq 'skipped' ? 'skipped' : 'failed')
            . ": $lost->{why}"
            . (defined $lost->{remedy} ? "; $lost->{remedy}" : '');
        push @order,               $reason if !$names{$reason};
        push @{ $names{$reason} }, $lost->{test};
    }
    return map { join(', ', @{ $names{$_} }) . " $_" } @order;
}

sub warning {
    my ($warning) = @_;
    return "warning: $warning->{text}" . (defined $warning->{remedy} ? "; $warning->{remedy}" : '');
}

sub duration {
    my ($seconds) = @_;
    return sprintf '%d s',          $seconds + 0.5 if $seconds < 90;
    return sprintf '%d min %02d s', $seconds / 60,   $seconds % 60 if $seconds < 3600;
    return sprintf '%d h %02d min', $seconds / 3600, $seconds / 60 % 60;
}

# Says how long a copy count takes, as far as that can be known.
sub planned {
    my ($block) = @_;
    my $known = $block->{seconds} - $block->{open};
    return ($known > 0 ? duration($known) : (), _whole_of({ blocks => [$block] }));
}

1;
