# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Measures - what the passes of a test found out beside its score:
#
#   (
#       figures  => { lost => 3, decompress => 4170.5 },    medians, of all copies together
#       measures => [
#           {
#               name   => 'decompress',
#               unit   => 'MBps',
#               better => 'higher',
#               score, interval, precision, error, cv, outliers, rates, passes
#           }
#       ],
#       how      => 'futex',                       the means by which the work was done
#       missing  => [ { name => 'caa10text', why => 'no such font' } ]    parts that could not be done
#   )
#
# Each is there only where there are some. A measure is a figure with a unit, and has a score by the rule of
# its test; but with the unit `each` a figure is what every copy has, such as a size.
package Touchstone::Score::Measures;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Speed;
use Touchstone::Score::Sureness;
use Touchstone::Stats qw(mean median);

my $EACH = 'each';

# `rule` is one of Score's: from rates to a score and those that it counts.
sub of_passes {
    my ($rule, @passes) = @_;
    my (%of, %unit, %missing, %how);
    for my $pass (@passes) {
        my @copies = @{ $pass->{figures} || [] };
        my %each;
        for my $copy (@copies) { push @{ $each{$_} }, $copy->{$_} for keys %$copy }
        %unit = (%unit, %{ $pass->{units} || {} });

        # The sum of some copies is not that of all.
        delete @each{ grep { $unit{$_} && @{ $each{$_} } < @copies } keys %each };
        push @{ $of{$_} }, _together($unit{$_}, @{ $each{$_} }) for keys %each;
        %missing = (%missing, %{ $pass->{missing} || {} });
        $how{ $pass->{how} } = 1 if defined $pass->{how};
    }
    my @measures =
        map { _measure($rule, $_, $unit{$_}, @{ $of{$_} }) }
        grep { $of{$_} && $unit{$_} ne $EACH } sort keys %unit;
    return (
        %of       ? (figures  => { map { $_ => median(@{ $of{$_} }) } keys %of })                     : (),
        @measures ? (measures => \@measures)                                                          : (),
        %how      ? (how      => join ', ', sort keys %how)                                           : (),
        %missing  ? (missing  => [ map { +{ name => $_, why => $missing{$_} } } sort keys %missing ]) : (),
    );
}

# Times are those that a copy sees.
sub _together {
    my ($unit, @copies) = @_;
    return ($unit // '') eq $Touchstone::Base::Speed::SECONDS || ($unit // '') eq $EACH
        ? mean(@copies)
        : sum(@copies);
}

sub _measure {
    my ($rule, $name, $unit, @values) = @_;
    my $better = $unit eq $Touchstone::Base::Speed::SECONDS ? 'lower' : 'higher';
    my ($score) = $rule->(map { +{ rate => $_, count => $_, better => $better } } @values);
    return {
        name   => $name,
        unit   => $unit,
        better => $better,
        score  => $score,
        rates  => \@values,
        passes => scalar @values,
        %{ Touchstone::Score::Sureness::of_score($score, @values) }
    };
}

1;
