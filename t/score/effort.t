#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How long the index takes, and which tests have its passes, on machines of a known noise.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Simulated;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Run::Plan;
use Touchstone::Score;
use Touchstone::Suite;

my @INDEX = Touchstone::Suite::load()->expand('index');
my @NAMES = map { $_->{name} } @INDEX;

sub plan_of {
    return Touchstone::Run::Plan::make(
        tests    => \@INDEX,
        copies   => [1],
        schedule => 'default',
        seed     => 4711,
        usable   => 2,
        @_
    );
}

sub simulated {
    my ($noise, %with) = @_;
    return Simulated::run(
        noise => ref $noise ? $noise : { map { $_ => $noise } @NAMES },
        plan  => plan_of(),
        %with
    );
}

sub precision_of {
    my ($got, $name) = @_;
    my ($test) = grep { $_->{name} eq $name } @INDEX;
    return Touchstone::Score::precision_of('default', $test, $got->{rates}{$name})->{precision};
}

subtest 'an idle machine has its index within 75 s, and each score within 1.5 %' => sub {
    for my $seed (1 .. 20) {
        my $got = simulated(0.005, seed => $seed);
        cmp_ok($got->{seconds}, '<=', 75, "0.5 % a pass, seed $seed");
        my @wide = grep { precision_of($got, $_) > 0.015 } @NAMES;
        is("@wide", '', 'every score is sure');
    }
    my $still = simulated(0);
    is(
        join(' ', map { $still->{passes}{$_} } @NAMES),
        join(' ', (6) x 12),
        'without noise the rounds are enough'
    );
};

subtest 'a noisy machine has the budget and no more' => sub {
    for my $seed (1 .. 3) {
        my $got = simulated(0.08, seed => $seed, disturbed => 0.1);
        cmp_ok($got->{seconds}, '<=', 180, "at most three minutes, seed $seed");
        cmp_ok($got->{seconds}, '>',  178, 'all of which are used');
    }
};

subtest 'one noisy test has the time of all, until it is sure' => sub {
    my $got  = simulated({ (map { $_ => 0.002 } @NAMES), fsbuffer => 0.02 });
    my @more = grep { $got->{passes}{$_} > 6 } @NAMES;
    is("@more", 'fsbuffer', 'the others have their six');
    cmp_ok(precision_of($got, 'fsbuffer'), '<=', 0.015, 'it is sure');
    cmp_ok($got->{seconds},                '<',  100,   'and then all ends');
};

# In the long run a test has passes in proportion to its noise over the root of its cost: that makes what a
# pass more is worth the same for all.
subtest 'passes go where a second narrows the index most' => sub {
    my %noise = map { $_ => 0.05 } @NAMES;
    @noise{qw(pipe spawn)} = (0.15, 0.15);
    my $weights = Touchstone::Run::Plan::Adaptive::weights(@INDEX);
    my %test    = map {
        my $name = $_->{test}{name};
        ($name => { %$_, weight => $weights->{$name}, passes => 6, precision => 1 })
    } grep { $_->{round} == 1 } @{ plan_of()->{blocks}[0]{passes} };
    for (1 .. 3000) {
        $_->{error} = $noise{ $_->{test}{name} } / sqrt $_->{passes} for values %test;
        my $pass = Touchstone::Run::Plan::Adaptive::next_pass(0.015, 1e6, map { $test{$_} } @NAMES);
        $test{ $pass->{test}{name} }{passes} = $pass->{round};
    }
    for my $pair ([qw(pipe syscall)], [qw(pipe spawn)], [qw(spawn execl)], [qw(dhry2reg shell8)]) {
        my ($one, $other) = @$pair;
        my $expected = $noise{$one} / $noise{$other} * sqrt($test{$other}{seconds} / $test{$one}{seconds});
        my $ratio    = $test{$one}{passes} / $test{$other}{passes};
        ok(abs($ratio / $expected - 1) < 0.03, "$one and $other") or diag("$ratio, expected $expected");
    }
};

# The former rule made passes of the test that becomes sure most cheaply.
subtest 'a budget that is too short has a narrower index than with the cheapest test first' => sub {
    my %noise = map { $_ => 0.02 } @NAMES;
    @noise{qw(pipe fsbuffer shell1)} = (0.06, 0.09, 0.05);
    my $precision = sub {
        my @got = map { simulated(\%noise, seed => $_, plan => plan_of(budget => 90)) } 1 .. 10;
        return sum(map { Simulated::index_error($_, @INDEX) } @got) / @got;
    };
    my $ours = $precision->();
    no warnings 'redefine';
    local *Touchstone::Run::Plan::Adaptive::next_pass = \&Simulated::cheapest;
    cmp_ok($ours, '<', 0.95 * $precision->(), 'by a twentieth and more');
};

done_testing;
