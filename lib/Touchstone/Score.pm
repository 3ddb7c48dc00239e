# SPDX-License-Identifier: GPL-2.0-or-later
# Score - passes to a rate, rates to a score, scores to an index, indexes to gains.
package Touchstone::Score;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Disturbance;
use Touchstone::Scaling;
use Touchstone::Stats;

my $BASELINE_INDEX = 10;
# VAX MIPS: Dhrystones per second of the VAX-11/780.
my $DHRYSTONES_PER_MIPS = 1757;

# How a schedule makes one figure of the passes of a test.
my %RULE = (classic => \&_classic_rule, default => \&_median_rule, quick => \&_median_rule);

# Rate of one pass, { rate, count, seconds, share, own, skew }: all copies together, per second or, timebase 60, per minute. Of several
# copies only the common window counts, from the latest start to the earliest end; `share` is its part of the whole time.
sub pass_rate {
    my ($pass) = @_;
    return { count => sum(@{ $pass->{counts} }), seconds => Touchstone::Stats::mean(@{ $pass->{times} }), _common_rate($pass) };
}

sub _common_rate {
    my ($pass) = @_;
    my @copies  = 0 .. $#{ $pass->{counts} };
    my @own     = map { _own_rate($pass, $_) } @copies;
    my @known   = grep { length($pass->{slices}[$_] // '') && defined $pass->{starts}[$_] } @copies;
    return (rate => sum(@own), share => @copies > 1 ? undef : 1, own => \@own) if @copies == 1 || @known < @copies;
    my @progress = map { _progress($pass, $_) } @copies;
    my ($first, $last) = (min(map { $_->[0][0] } @progress), max(map { $_->[-1][0] } @progress));
    my ($from, $to)    = (max(map { $_->[0][0] } @progress), min(map { $_->[-1][0] } @progress));
    my $skew = ($from - $first) / 1e9;
    return (rate => _rate_of_all($last - $first, \@own, @progress), share => 0, own => \@own, skew => $skew) if $to <= $from;
    my @common = map { $own[$_] * _pace_within($progress[$_], $from, $to) } @copies;
    return (rate => sum(@common), share => ($to - $from) / ($last - $first), own => \@common, skew => $skew);
}

# Copies that never ran all together: what they did, over the time from the first start to the last end. Their own rates would add
# up to more than the machine can do.
sub _rate_of_all {
    my ($span, $own, @progress) = @_;
    return sum(@$own) if $span <= 0;
    return sum(map { $own->[$_] * ($progress[$_][-1][0] - $progress[$_][0][0]) } 0 .. $#progress) / $span;
}

# What a copy reports of itself. Time base 0: its count is a rate already.
sub _own_rate {
    my ($pass, $i) = @_;
    my ($count, $seconds) = ($pass->{counts}[$i], $pass->{times}[$i]);
    return $count if !$pass->{timebase};
    return $seconds > 0 ? $count / $seconds * $pass->{timebase} : 0;
}

# [[ns, count], ...] of a copy, beginning with its start.
sub _progress {
    my ($pass, $i) = @_;
    my $start = $pass->{starts}[$i];
    return [ [ $start, 0 ], map { my ($when, $count) = split /:/; [ $start + $when, $count ] } split / /, $pass->{slices}[$i] ];
}

# How fast a copy was within a window, compared with all of its run.
sub _pace_within {
    my ($progress, $from, $to) = @_;
    my ($first, $last) = @$progress[ 0, -1 ];
    return 1 if $last->[0] <= $first->[0];
    my $whole = ($last->[1] - $first->[1]) / ($last->[0] - $first->[0]);
    return 1 if $whole <= 0;
    return (_count_at($progress, $to) - _count_at($progress, $from)) / ($to - $from) / $whole;
}

# Between two slices the count is taken to have grown evenly.
sub _count_at {
    my ($progress, $when) = @_;
    my $before = $progress->[0];
    for my $next (@$progress) {
        if ($next->[0] < $when) { $before = $next; next }
        return $next->[1] if $next->[0] == $before->[0];
        return $before->[1] + ($next->[1] - $before->[1]) * ($when - $before->[0]) / ($next->[0] - $before->[0]);
    }
    return $before->[1];
}

# Puts rate, rates of the copies, start skew and common share into a pass.
sub rate_pass {
    my ($pass) = @_;
    my $got = pass_rate($pass);
    @$pass{qw(rate rates skew share)} = @$got{qw(rate own skew share)};
    return $pass;
}

# Puts the results into a record, from its passes.
sub complete {
    my ($record) = @_;
    rate_pass($_) for @{ $record->{passes} };
    Touchstone::Disturbance::mark($record);
    $record->{results} = results($record);
    $record->{scaling} = scaling($record->{results});
    $record->{speedup} = $record->{scaling_wanted} ? Touchstone::Scaling::table($record) : undef;
    return $record;
}

# All results of a record: [{ copies, tests => [...], indexes => [...] }, ...], a block for each copy count, in the record's order.
sub results {
    my ($record) = @_;
    my %row = map { $_->{name} => $_ } @{ $record->{tests} };
    my @blocks;
    for my $block (@{ $record->{blocks} }) {
        my %passes;
        push @{ $passes{ $_->{test} } }, $_ for grep { $_->{round} > 0 && $_->{copies} == $block->{copies} } @{ $record->{passes} };
        my %failed = map { $_->{test} => 1 } grep { !defined $_->{copies} || $_->{copies} == $block->{copies} } @{ $record->{failures} };
        my @tests = map { _test_result($record, $block->{copies}, $row{$_}, $passes{$_}) } grep { $row{$_} && !$failed{$_} } sort keys %passes;
        @tests = sort { $a->{title} cmp $b->{title} } @tests;
        push @blocks, { copies => $block->{copies}, tests => \@tests, indexes => _indexes($record, \@tests) };
    }
    return \@blocks;
}

sub _test_result {
    my ($record, $copies, $row, $passes) = @_;
    my @rates  = map { pass_rate($_) } @$passes;
    my @values = map { $_->{rate} } @rates;
    my $rule   = $RULE{ $record->{schedule}{kind} };
    my ($score, @used) = $rule->(@rates);
    my $baseline = $row->{baselines} ? $row->{baselines}{$copies} // $row->{baseline} : $row->{baseline};
    my @shares   = grep { defined } map { $_->{share} } @rates;
    my @clean    = map { $rates[$_] } grep { !$passes->[$_]{marks} } 0 .. $#rates;
    return {
        name => $row->{name}, title => $row->{title}, category => $row->{category}, unit => $passes->[0]{unit}, score => $score,
        seconds => Touchstone::Stats::mean(map { $_->{seconds} } @used), samples => scalar @used, passes => scalar @rates,
        rates => \@values, baseline => $baseline,
        index => defined $baseline ? $score / $baseline * $BASELINE_INDEX : undef,
        share => @shares ? min(@shares) : undef,
        dmips => $row->{name} eq 'dhry2reg' ? $score / $DHRYSTONES_PER_MIPS : undef,
        %{ sureness($score, @values) }, disturbed => @rates - @clean,
        clean_score => @clean && @clean < @rates ? ($rule->(@clean))[0] : undef,
    };
}

# How sure a score is: { interval => [low, high], precision => half of it as a part of the score, error => standard error of its logarithm,
# cv, outliers => [which of the values, from 1] }. A score that is no median, as the classic one, has the same relative interval as the median.
sub sureness {
    my ($score, @values) = @_;
    my $middle = Touchstone::Stats::median(@values);
    my @limits = map { $middle > 0 ? $_ * $score / $middle : $_ } Touchstone::Stats::interval(\@values);
    return {
        interval => @limits ? \@limits : undef, precision => @limits && $score > 0 ? ($limits[1] - $limits[0]) / 2 / $score : undef,
        error => scalar Touchstone::Stats::log_error(@values), cv => @values > 1 ? Touchstone::Stats::variation(@values) : undef,
        outliers => [ map { $_ + 1 } Touchstone::Stats::outliers(@values) ],
    };
}

# UnixBench's rule: the worst third of the passes is dropped, the geometric mean of the rest is the score.
sub _classic_rule {
    my (@rates) = @_;
    my @best = sort { $b->{count} <=> $a->{count} } @rates;
    splice @best, @best - int(@best / 3);
    return (Touchstone::Stats::geometric_mean(map { $_->{rate} } @best), @best);
}

sub _median_rule {
    my (@rates) = @_;
    return (Touchstone::Stats::median(map { $_->{rate} } @rates), @rates);
}

# One for each category in which something with a baseline was measured. It covers the category's index tests; when none of those was
# measured, the others that have a baseline. Partial: an index test is missing.
sub _indexes {
    my ($record, $results) = @_;
    my @indexes;
    for my $category (@{ $record->{categories} }) {
        my @mine = grep { $_->{category} eq $category->{key} && defined $_->{index} } @$results;
        next if !@mine;
        my %member = map { $_ => 1 } @{ $category->{index} };
        my @members = grep { $member{ $_->{name} } } @mine;
        my $partial = @members < keys %member || !@members ? 1 : 0;
        @members = @mine if !@members;
        push @indexes, { category => $category->{key}, title => $category->{title}, partial => $partial, tests => [ map { $_->{name} } @members ], _index_of(@members) };
    }
    return \@indexes;
}

sub _index_of {
    my (@tests) = @_;
    my $part  = 1 / @tests;
    my ($only) = @tests == 1 ? @tests : ();
    my $score = Touchstone::Stats::geometric_mean(map { $_->{index} } @tests);
    my $clean = Touchstone::Stats::geometric_mean(map { ($_->{clean_score} // $_->{score}) / $_->{baseline} * $BASELINE_INDEX } @tests);
    return (
        score => $score, _around($score, Touchstone::Stats::product_error(map { [ $_->{error}, $part ] } @tests)),
        # The interval of an index of one test is that of the test.
        ($only && $only->{interval} ? (interval => [ map { $_ * $score / $only->{score} } @{ $only->{interval} } ], precision => $only->{precision}) : ()),
        disturbed => sum(map { $_->{disturbed} } @tests), clean_score => (grep { defined $_->{clean_score} } @tests) ? $clean : undef,
    );
}

sub _around {
    my ($value, $error) = @_;
    my @limits = Touchstone::Stats::around($value, $error);
    return (error => $error, interval => @limits ? \@limits : undef, precision => @limits && $value > 0 ? ($limits[1] - $limits[0]) / 2 / $value : undef);
}

# How each copy count compares with the first: { copies => [1, 2], rows => [{ title, name, values => [...], gains => [undef, 97.4] }] },
# for tests that were measured with every copy count, then the indexes. Values are indexes where there is a baseline, otherwise scores.
sub scaling {
    my ($blocks) = @_;
    return if @$blocks < 2;
    my @rows;
    for my $test (@{ $blocks->[0]{tests} }) {
        my @found = map { my $b = $_; grep { $_->{name} eq $test->{name} } @{ $b->{tests} } } @$blocks;
        push @rows, _gains($test, map { [ $_->{index} // $_->{score}, $_->{error} ] } @found) if @found == @$blocks;
    }
    for my $index (@{ $blocks->[0]{indexes} }) {
        my @found = map { my $b = $_; grep { _same_tests($_, $index) } @{ $b->{indexes} } } @$blocks;
        push @rows, _gains({ title => "$index->{title} Index", name => 'index' }, map { [ $_->{score}, $_->{error} ] } @found) if @found == @$blocks;
    }
    return if !@rows;
    return { copies => [ map { $_->{copies} } @$blocks ], rows => \@rows };
}

sub _same_tests {
    my ($one, $other) = @_;
    return "$one->{category}: @{ $one->{tests} }" eq "$other->{category}: @{ $other->{tests} }";
}

# Of [value, error]s. `intervals`: of the gains, in per cent as they are.
sub _gains {
    my ($what, $first, @more) = @_;
    my (@gains, @intervals) = (undef);
    $intervals[0] = undef;
    for my $value (@more) {
        my $ratio  = $first->[0] > 0 ? $value->[0] / $first->[0] : undef;
        my @limits = defined $ratio ? Touchstone::Stats::around($ratio, Touchstone::Stats::product_error([ $first->[1], -1 ], [ $value->[1], 1 ])) : ();
        push @gains, defined $ratio ? ($ratio - 1) * 100 : undef;
        push @intervals, @limits ? [ map { ($_ - 1) * 100 } @limits ] : undef;
    }
    return { title => $what->{title}, name => $what->{name}, values => [ map { $_->[0] } $first, @more ], gains => \@gains, intervals => \@intervals };
}

1;
