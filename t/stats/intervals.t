# SPDX-License-Identifier: GPL-2.0-or-later
# No score, ratio, gain or factor lies outside the interval beside it, whatever the passes are: many seeded
# random sets of one kind and of two, tied, without variation, long-tailed, with high or with low figures
# better, of two runs and of pairs.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Amount;
use Fake;
use Runs;
use Scored;
use Touchstone::Base::Random;
use Touchstone::Compare;
use Touchstone::Record;
use Touchstone::Base::Symbols qw(ascii);
use Touchstone::Report::Compare::Verdict;
use Touchstone::Score;

my $random = Touchstone::Base::Random::generator(4711);
sub below  { my ($most) = @_; return int($most * $random->()) }
sub normal { return Touchstone::Base::Random::normal($random) }

# Each generates the logarithm of a rate.
my @KINDS = (
    sub { return 0.02 * normal() },
    sub { return exp(0.8 * normal()) },
    sub { return 0.01 * normal() - (below(5) < 2 ? 2 : 0) },
    sub { return 0.01 * normal() - (below(20)    ? 0 : $random->()) },
    sub { return 0.1 * below(3) },
    sub { return 0 },
);

sub rates {
    my ($n, $kind, $middle) = @_;
    return [ map { $middle * exp $kind->() } 1 .. $n ];
}

# Compares two runs of two tests and their index.
sub compared {
    my ($paired) = @_;
    my ($kind, $better, $n) = ($KINDS[ below(scalar @KINDS) ], below(2) ? 'higher' : 'lower', 6 + below(35));
    my %rates = map {
        my $test   = $_;
        my $common = rates($n, $kind, 1000);
        (
            $test => [
                map {
                    $paired
                        ? [ map { $_ * exp(0.003 * normal()) } @$common ]
                        : rates(6 + below(35), $kind, 1000 + below(200))
                } 0,
                1
            ]
        )
    } '1 a', '1 b';
    my @runs = map {
        my $side = $_;
        Runs::compared_run(
            "r$side",
            { map { $_ => $rates{$_}[$side] } keys %rates },
            duet   => $paired ? 'd' : undef,
            change =>
                { map { $_ => { better => $better, unit => $better eq 'lower' ? 's' : 'lps' } } keys %rates }
        )
    } 0, 1;
    return @{ Touchstone::Compare::compare(runs => \@runs)->{pairs} };
}

sub figures { my ($pair) = @_; return (@{ $pair->{tests} }, @{ $pair->{indexes} }) }

for my $paired (0, 1) {
    subtest 'a ratio is within its interval ' . ($paired ? 'in duets' : 'of two runs') => sub {
        my (@outside, @shown, @untrue);
        for my $k (1 .. Amount::of(12, 120)) {
            for my $figure (map { figures($_) } compared($paired)) {
                my ($low, $high) = @{ $figure->{interval} };
                my $said = sprintf '%s %s: %.17g, %.17g to %.17g', $k, $figure->{name}, $figure->{ratio},
                    $low, $high;
                push @outside, $said if !($low <= $figure->{ratio} && $figure->{ratio} <= $high);
                my @of       = @$figure{qw(ratio interval)};
                my $ratio    = ascii(Touchstone::Report::Compare::Verdict::difference(@of));
                my $interval = ascii(Touchstone::Report::Compare::Verdict::limits(@of));
                my ($middle, @limits) = map { s/ [%x]\z//r } $ratio, split / to /, $interval;
                push @shown, "$ratio, $interval" if !($limits[0] <= $middle && $middle <= $limits[1]);
                push @untrue, "$said, $figure->{verdict}"
                    if $figure->{verdict} =~ /faster|slower/ && $low <= 1 && $high >= 1
                    || ($figure->{why} // '') =~ /either way/ && ($low > 1 || $high < 1)
                    || ($figure->{why} // '') =~ /chance/ && $low <= 1 && $high >= 1;
            }
        }
        is("@outside", '', 'as it is');
        is("@shown",   '', 'as it is shown');
        is("@untrue",  '', 'and the verdict and its reason say what the interval does');
    };
}

# An `interval` belongs to the first of @OWNERS that the hash has. @BESIDE lists other figures and their
# limits in one hash; @LISTS does so for lists.
my @OWNERS = qw(score ratio value real times seconds);
my @BESIDE = (
    [qw(index index_interval)],   [qw(ratio ratio_interval)],
    [qw(gained gained_interval)], [qw(alone alone_interval)],
    [qw(microseconds microseconds_interval)]
);
my @LISTS = (
    [qw(gains intervals)], [qw(values intervals)], [qw(speedup limits)], [qw(ratios intervals)],
    [qw(cells intervals)], [qw(seconds intervals)]
);

my $checked = 0;

sub is_outside {
    my ($figure, $limits) = @_;
    return 0 if !defined $figure || ref $figure || !$limits;
    $checked++;
    my $slack = 1e-12 * abs $figure;
    return !($limits->[0] <= $figure + $slack && $figure - $slack <= $limits->[1]);
}

# Returns the paths of all figures in these data that lie outside their intervals.
sub outside {
    my ($data, $path) = @_;
    return map { outside($data->[$_], "$path $_") } 0 .. $#$data if ref $data eq 'ARRAY';
    return                                                       if ref $data ne 'HASH';
    my ($owner) = grep { defined $data->{$_} } @OWNERS;
    my @found = map {
        my ($figure, $limits) = @$_;
        is_outside(@$data{ $figure, $limits })
            ? "$path $figure"
            : ()
    } @BESIDE, defined $owner ? [ $owner, 'interval' ] : ();

    # A table of gains has values of both copy counts, but intervals of the gains, so its values are skipped.
    for my $list (
        grep { !($data->{gains} && $_->[0] eq 'values') && ref $data->{ $_->[0] } && ref $data->{ $_->[1] } }
        @LISTS) {
        my ($figures, $limits) = @$data{@$list};
        push @found, ref $figures eq 'HASH'
            ? grep { is_outside($figures->{$_}, $limits->{$_}) }
            sort keys %$figures
            : map { is_outside($figures->[$_], $limits->[$_]) ? "$path $list->[0] $_" : () } 0 .. $#$figures;
    }
    push @found, map {
        my $key = $_;
        is_outside($data->{$key},
                   defined $data->{"${key}_low"}
                && defined $data->{"${key}_high"} ? [ @$data{ "${key}_low", "${key}_high" } ] : undef)
            ? "$path $key"
            : ()
        }
        sort keys %$data;
    return (@found, map { outside($data->{$_}, "$path $_") } sort keys %$data);
}

# Returns a record with its results, and everything that reports make of it.
sub everything {
    my ($record) = @_;
    my $document = Scored::document($record);
    return {
        record => { map { $_ => $document->{$_} } qw(results scaling speedup beside) },
        model  => Scored::model($record)
    };
}

for my $schedule (qw(default classic)) {
    subtest "scores, indexes, gains and laws are within their intervals in the $schedule schedule" => sub {
        $checked = 0;
        my @outside;
        for my $k (1 .. Amount::of(2, 12)) {
            my $kind  = $KINDS[ below(scalar @KINDS) ];
            my $n     = 4 + below(20);
            my %rates = map {
                my $copies = $_;
                map { ("$copies $_" => rates($n, $kind, 1000 * $copies)) } qw(pipe spawn)
            } 1, 2, 4, 8;
            my $record = Runs::record(
                r        => \%rates,
                schedule => {
                    kind   => $schedule,
                    seed   => 1,
                    copies => [ 1, 2, 4, 8 ]
                },
                scaling_wanted => $k % 4 ? undef : 1
            );
            push @outside, outside(everything($record), $k);
        }
        is("@outside", '', 'of rates');
        ok($checked > Amount::of(100, 1000), 'and there were many') or diag($checked);
    };

    subtest "so are seconds and their factors in the $schedule schedule" => sub {
        $checked = 0;
        my @outside;
        for my $k (1 .. 6) {
            my $kind   = $KINDS[ below(scalar @KINDS) ];
            my $record = Touchstone::Record->load("$Fake::BASE/t/golden/fixed.json", 'nowhere');
            $record->{schedule}{kind} = $schedule;
            for my $pass (@{ $record->{passes} }) {
                my @none   = (undef) x $pass->{copies};
                my $factor = exp $kind->();
                @$pass{qw(starts slices)} = ([@none], [@none]);
                $_ *= $factor for @{ $pass->{times} }, $pass->{timebase} ? () : @{ $pass->{counts} };
            }
            push @outside, outside(everything($record), $k);
        }
        is("@outside", '', 'of 1984');
        ok($checked > Amount::of(100, 1000), 'and there were many') or diag($checked);
    };
}

done_testing;
