#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Outliers and Pack::Fleet::Stats::Outliers: values, and hosts, that are far from the
# others.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Stats::Outliers;

sub deviations { return Touchstone::Pack::Fleet::Stats::Outliers::deviations(@_) }

subtest 'a value is compared with the others, which do not change by it' => sub {
    my @values = (0.01, 0.00, -0.01, 0.02, -0.02);
    my ($far)  = deviations([ -0.5, @values[ 1 .. 4 ] ]);
    my ($more) = deviations([ -5,   @values[ 1 .. 4 ] ]);
    cmp_ok(abs($far->{distance} + 0.495), '<', 1e-12, 'its distance is that from the median of the others');
    cmp_ok(abs($more->{quotient} / $far->{quotient} - 4.995 / 0.495),
        '<', 1e-9, 'ten times as far is ten times');
    cmp_ok($more->{p}, '<', $far->{p}, 'and less by chance');
    my @found = deviations([ 3, 1, 2, 5, 4 ]);
    my @want  = (0, -2.5, -1.5, 2.5, 1.5);
    my @same  = grep { abs($found[$_]{distance} - $want[$_]) < 1e-12 } 0 .. 4;
    is(@same, 5, 'the order is that of the values') or diag explain \@found;
};

subtest 'the scale of a value is that of the others, by hand' => sub {
    my @many = (3, 1, 2, 5, 4, 9, 2, 3, 60);
    for my $values ([ 3, 1, 2, 5, 4, 9 ], [ 1, 2, 3, 4, 100 ], \@many, [ @many, 1 ], [ @many, 1, 7, 90 ]) {
        my @found = deviations($values);
        for my $i (0 .. $#$values) {
            my @others = @$values[ grep { $_ != $i } 0 .. $#$values ];
            my $center = Touchstone::Stats::median(@others);
            my $near   = 5 * 1.4826 * Touchstone::Stats::median(map { abs($_ - $center) } @others);
            $near = 9**9**9 if @$values < 10;
            my @squares  = map { ($_ - $center)**2 } grep { abs($_ - $center) <= $near } @others;
            my $scale    = sqrt(Touchstone::Stats::mean(@squares));
            my $distance = $values->[$i] - $center;
            cmp_ok(abs($found[$i]{quotient} - $distance / $scale), '<', 1e-12,
                "$values->[$i] among @$values");
        }
    }
};

subtest 'values that are all alike are far by no chance, and a floor is a scale' => sub {
    is_deeply([ map { $_->{p} } deviations([ (2) x 6 ]) ], [ (1) x 6 ], 'equal values');
    my @found = deviations([ (2) x 6, 2.001 ]);
    is($found[6]{p}, 0, 'one that differs from equal ones');
    @found = deviations([ (2) x 6, 2.001 ], 0.01);
    cmp_ok($found[6]{p}, '>', 0.5, 'within what the values are sure of it is nothing');
};

subtest 'chances agree with fresh values' => sub {
    my $random = Touchstone::Base::Random::generator(7);
    for my $n (5, 6, 11, 40) {
        my @p = map { $_->{p} } map {
            deviations([ map { normal($random) } 1 .. $n ])
        } 1 .. 8000 / $n;
        for my $level (0.5, 0.05, 0.01) {
            my $part = (grep { $_ < $level } @p) / @p;
            cmp_ok(
                abs($part - $level),
                '<',
                6 * sqrt($level / 8000) + 0.03 * $level,
                "$n values, $level: $part"
            );
        }
    }
    my @p = map { Touchstone::Pack::Fleet::Stats::Outliers::chance($_ / 10, 12) } 0 .. 400;
    is((grep { $p[$_] > $p[ $_ - 1 ] } 1 .. $#p), 0, 'a larger quotient is never more likely');
    cmp_ok($p[400], '<', $p[200] / 2, 'beyond the table it goes on falling');
};

subtest 'p-values are corrected as in the books' => sub {
    my @corrected = Touchstone::Pack::Fleet::Stats::Outliers::share_of_chance(0.01, 0.04, 0.03, 0.005);
    is_deeply([ map { sprintf '%.3f', $_ } @corrected ], [qw(0.020 0.040 0.040 0.020)],
        'Benjamini, Hochberg');
    is(sprintf('%.3f', Touchstone::Pack::Fleet::Stats::Outliers::simes(0.01, 0.04, 0.03, 0.005)),
        '0.020', 'Simes');
};

# Hosts with so many figures; %$of says by how much a host is slower, in all figures or in one.
sub hosts {
    my ($n, %of) = @_;
    my $random = Touchstone::Base::Random::generator(11);
    my %hosts;
    for my $host (map { sprintf 'h%02d', $_ } 1 .. $n) {
        for my $figure (map { "f$_" } 1 .. 12) {
            my $slow = ref $of{$host} ? $of{$host}{$figure} : $of{$host};
            $hosts{$host}{$figure} =
                { y => 5 + log(1 - ($slow // 0)) + 0.008 * normal($random), error => 0.003 };
        }
    }
    return \%hosts;
}

sub named {
    my ($found) = @_;
    return join ' ', grep { $found->{$_}{suspect} } sort keys %$found;
}

subtest 'a host that is far slower is named among few' => sub {
    for my $n (5 .. 9) {
        my $found = Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts($n, h02 => 0.15));
        is(named($found), 'h02', "15 % among $n");
    }
};

subtest 'a slow host is named, and nobody in a healthy fleet' => sub {
    is(named(Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(30))), '', 'nobody');
    my $found = Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(30, h07 => 0.05));
    is(named($found), 'h07', 'slow in everything');
    cmp_ok(abs(exp($found->{h07}{whole}{distance}) - 0.95), '<', 0.01, 'by its mean distance');
    $found = Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(30, h07 => { f3 => 0.12 }));
    is(named($found), 'h07', 'slow in one figure');
    is(join(' ', grep { $found->{h07}{figures}{$_}{far} } sort keys %{ $found->{h07}{figures} }),
        'f3', 'in that one');
    is(named(Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(30, h07 => -0.06))),
        'h07', 'fast hosts are named, too');
    is(named(Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(30, h07 => 0.05), smallest => 0.2)),
        '', 'none below what is of interest');
};

subtest 'a host is suspect sooner than it is certain' => sub {
    my $random = Touchstone::Base::Random::generator(3);
    my ($suspects, $certain, $early) = (0, 0, 0);
    for my $slow (map { $_ / 1000 } 20 .. 60) {
        my $hosts = hosts(40, h07 => $slow);
        for my $name (sort keys %$hosts) {
            my $common = 0.01 * normal($random);
            $_->{y} += $common for values %{ $hosts->{$name} };
        }
        my $host = Touchstone::Pack::Fleet::Stats::Outliers::suspects($hosts)->{h07};
        $suspects += $host->{suspect};
        $certain  += $host->{certain};
        $early    += $host->{certain} && !$host->{suspect};
        cmp_ok($host->{whole}{limit}, '>', $host->{whole}{reach}, 'to be bad it must be farther')
            if $slow == 0.05;
    }
    cmp_ok($suspects, '>', $certain + 1, "$suspects are suspect, $certain certain");
    is($early, 0, 'whoever is certain is suspect');
};

subtest 'a tail tells how often values stray' => sub {
    my $random = Touchstone::Base::Random::generator(5);
    my @normal = map { normal($random) } 1 .. 3000;
    my @power  = map { (1 - $random->())**(-1 / 3) } 1 .. 3000;
    my %of;
    for my $kind ([ normal => @normal ], [ power => @power ]) {
        my ($name, @values) = @$kind;
        $of{$name} =
            Touchstone::Pack::Fleet::Stats::Outliers::tail_of(
            { map { ("h$_" => [ splice @values, 0, 30 ]) } 1 .. 100 });
    }
    my %p = map { $_ => Touchstone::Pack::Fleet::Stats::Outliers::tail_chance($of{$_}, 8, 'h1') } keys %of;
    cmp_ok($p{normal}, '<', 1e-5,  "8 is far among normal values: $p{normal}");
    cmp_ok($p{power},  '>', 8**-3, "and less than the power says among those of the power 3: $p{power}");
    cmp_ok($p{power},  '<', 0.02,  'but not much less');
    my $with = {
        %{
            {
                map {
                    $_ => [ map { $_ / 100 } 1 .. 30 ]
                } 'a' .. 'j'
            }
        },
        far => [ (9) x 20 ]
    };
    my $tail = Touchstone::Pack::Fleet::Stats::Outliers::tail_of($with);
    cmp_ok(Touchstone::Pack::Fleet::Stats::Outliers::tail_chance($tail, 8, 'far'),
        '<', 1e-6, 'its own values do not excuse a host');
    push @{ $with->{$_} }, 8, 8.5, 9 for 'b' .. 'i';
    is(
        Touchstone::Pack::Fleet::Stats::Outliers::tail_chance(
            Touchstone::Pack::Fleet::Stats::Outliers::tail_of($with),
            8, 'a'
        ),
        1,
        'those of many do'
    );
    is(Touchstone::Pack::Fleet::Stats::Outliers::tail_of({ a => [ 1 .. 100 ], b => [ 1 .. 99 ] }),
        undef, 'few values have no tail');
    is(
        Touchstone::Pack::Fleet::Stats::Outliers::tail_chance(
            Touchstone::Pack::Fleet::Stats::Outliers::tail_of({ a => [ (0) x 200 ], b => [1] }),
            5, 'b'
        ),
        1,
        'nor have equal ones'
    );
};

subtest 'one host does not hide another' => sub {
    my $hosts = hosts(30, h07 => 0.13, h09 => { map { ("f$_" => 0.3) } 1 .. 6 });
    is(named(Touchstone::Pack::Fleet::Stats::Outliers::suspects($hosts)),
        'h07 h09', 'one is slow in everything, one very slow in six figures');
    for my $many (2, 3) {
        $hosts = hosts(30, h07 => 0.05, h09 => { map { ("f$_" => 0.2) } 1 .. $many });
        is(named(Touchstone::Pack::Fleet::Stats::Outliers::suspects($hosts)),
            'h07 h09', "or in $many of twelve");
    }
};

# Some of 24 hosts are 8 % slower in four of twelve figures: they have another microcode.
subtest 'hosts of two kinds are no suspects, and hide nobody' => sub {
    my $many = { map { ("f$_" => 0.08) } 1 .. 4 };
    my @slow = map { sprintf 'h%02d', 3 * $_ } 1 .. 8;
    my $found =
        Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(24, h07 => 0.13, map { $_ => $many } @slow));
    is(named($found), 'h07', 'the slow one alone is named');
    is(join(' ', grep { $found->{h01}{figures}{$_}{divided} } sort keys %{ $found->{h01}{figures} }),
        'f1 f2 f3 f4', 'the figures are known');
    $found =
        Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(24, h07 => 0.06, map { $_ => $many } @slow));
    is(named($found), 'h07', 'where it is less slow, too');
    $found =
        Touchstone::Pack::Fleet::Stats::Outliers::suspects(
        hosts(24, map { sprintf('h%02d', 2 * $_) => $many } 1 .. 12));
    is(join(' ', grep { $found->{h01}{figures}{$_}{divided} } sort keys %{ $found->{h01}{figures} }),
        'f1 f2 f3 f4', 'half of the hosts may be of the other kind');
    is(named($found), '', 'and nobody is suspect');
    splice @slow, 4;
    $found =
        Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(24, h07 => 0.13, map { $_ => $many } @slow));
    ok($found->{h07}{suspect}, 'where they are few, they do not hide it either');
    is((grep { $_->{divided} } values %{ $found->{h01}{figures} }), 0, 'and no figure is divided');

    my $two = hosts(24, h07 => { f2 => 0.08 }, map { sprintf('h%02d', 3 * $_) => { f1 => 0.15 } } 1 .. 7);
    delete @$_{ map { "f$_" } 3 .. 12 } for values %$two;
    $found = Touchstone::Pack::Fleet::Stats::Outliers::suspects($two);
    is(join(' ', grep { $found->{h01}{figures}{$_}{divided} } qw(f1 f2)),
        'f1', 'of two figures the right one');
    ok($found->{h07}{suspect}, 'and the other one tells who is slow');
};

subtest 'what few hosts have is not judged' => sub {
    is_deeply(Touchstone::Pack::Fleet::Stats::Outliers::suspects(hosts(4, h01 => 0.5)), {}, 'four hosts');
    my $hosts = hosts(10);
    $hosts->{$_}{rare} = { y => 1 + /1/, error => 0.001 } for qw(h01 h02 h03 h04);
    my $found = Touchstone::Pack::Fleet::Stats::Outliers::suspects($hosts);
    is((grep { $found->{$_}{figures}{rare} } keys %$found), 0, 'a figure of four hosts');
};

done_testing();
