# SPDX-License-Identifier: GPL-2.0-or-later
# Runs - runs with passes of given rates, as Compare takes them and as records:
#
#   Runs::compared_run(a => { '1 pipe' => [Runs::steady(1000)], '2 pipe' => [...] }, facts => {...}, change => { '1 pipe' => { unit => 'KBps' } })
#   Runs::record(a => { '1 pipe' => [Runs::steady(1000)] }, host => { model => 'Xeon' })
#
# Every test belongs to one index of its copy count; the baseline of each is 100.
package Runs;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Example;
use Touchstone::Stats;

my $BASELINE = 100;

# The six rates lie around 1. Steps of their logarithms make deviation and error known: the deviation is
# sqrt(3.5) steps, and the error of the difference of two samples, with 10 degrees of freedom, is sqrt(7 / 6)
# steps.
our @STEPS = (-1.5, 2.5, -0.5, 0.5, -2.5, 1.5);

sub steady {
    my ($middle, $step) = @_;
    return map { $middle * exp(($step // 0.001) * $_) } @STEPS;
}

# Further arguments: facts, duet, note; change => { key => fields to change in a test }; indexed => names of
# the tests in the index, all by default.
sub compared_run {
    my ($name, $rates, %also) = @_;
    my (%tests, %indexes);
    for my $key (sort keys %$rates) {
        my ($copies, $test) = split / /, $key, 2;
        my $score  = @{ $rates->{$key} } ? Touchstone::Stats::median(@{ $rates->{$key} }) : 1000;
        my @limits = Touchstone::Stats::interval($rates->{$key});
        $tests{$key} = {
            name     => $test,
            title    => "Title of $test",
            copies   => $copies,
            unit     => 'lps',
            score    => $score,
            rates    => $rates->{$key},
            better   => 'higher',
            version  => 1,
            interval => @limits ? \@limits : undef,
            index    => 10 * $score / $BASELINE,
            %{ $also{change}{$key} || {} }
        };
    }
    my %member = map { $_ => 1 } @{ $also{indexed} || [ map { $_->{name} } values %tests ] };
    for my $test (grep { $member{ $_->{name} } } map { $tests{$_} } sort keys %tests) {
        my $index = $indexes{"$test->{copies} system"} //=
            { title => 'System Benchmarks', copies => $test->{copies}, interval => undef, tests => [] };
        push @{ $index->{tests} }, $test->{name};
        $index->{score} = Touchstone::Stats::geometric_mean(map { $tests{"$test->{copies} $_"}{index} }
                @{ $index->{tests} });
    }
    return {
        name    => $name,
        facts   => $also{facts} || {},
        duet    => $also{duet},
        note    => $also{note},
        tests   => \%tests,
        indexes => \%indexes
    };
}

# Returns a record without results. Further arguments are fields to change; for host and build, only the
# named facts.
sub record {
    my ($name, $rates, %also) = @_;
    my %head = Example::head();
    my (%title, %copies);
    my @passes = map { _passes($_, @{ $rates->{$_} }) } sort keys %$rates;
    $title{ $_->{test} }++, $copies{ $_->{copies} }++ for @passes;
    return {
        %head,
        format => 2,
        name   => $name,
        status => 'complete',
        ended  => $head{started} + 100,
        suites => { unixbench => 1 },
        tests  => [
            map {
                {
                    name     => $_,
                    title    => "Title of $_",
                    category => 'system',
                    suite    => 'unixbench',
                    baseline => $BASELINE
                }
            } sort keys %title
        ],
        categories => [ { key => 'system', title => 'System Benchmarks', index => [ sort keys %title ] } ],
        blocks     => [ map { { copies => $_, started => $head{started} } } sort { $a <=> $b } keys %copies ],
        passes     => \@passes,
        failures   => [],
        skipped    => [],
        warnings   => [],
        %also,
        host  => { %{ $head{host} },  %{ $also{host}  || {} } },
        build => { %{ $head{build} }, %{ $also{build} || {} } },
    };
}

# The copies of a pass share its rate equally.
sub _passes {
    my ($key, @rates) = @_;
    my ($copies, $test) = split / /, $key, 2;
    my @none = (undef) x $copies;
    return map {
        {
            test     => $test,
            copies   => $copies,
            round    => $_ + 1,
            window   => 1,
            timebase => 1,
            unit     => 'lps',
            started  => 1795240226 + $_,
            seconds  => 1,
            counts   => [ ($rates[$_] / $copies) x $copies ],
            times    => [ (1) x $copies ],
            starts   => [@none],
            slices   => [@none],
        }
    } 0 .. $#rates;
}

1;
