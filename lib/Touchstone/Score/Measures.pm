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
use Touchstone::Stats qw(mean median);

my $EACH = 'each';

# `rule` is one of Score's. A pass may be `disturbed`.
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
        push @{ $of{$_} },
            { rate => _together($unit{$_}, @{ $each{$_} }), map { $_ => $pass->{$_} } qw(disturbed lost) }
            for keys %each;
        %missing = (%missing, %{ $pass->{missing} || {} });
        $how{ $pass->{how} } = 1 if defined $pass->{how};
    }
    my @measures =
        map { _measure($rule, $_, $unit{$_}, @{ $of{$_} }) }
        grep { $of{$_} && $unit{$_} ne $EACH } sort keys %unit;
    return (
        %of       ? (figures  => { map { $_ => _middle(@{ $of{$_} }) } keys %of })                    : (),
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

sub _middle {
    return median(map { $_->{rate} } @_);
}

sub _measure {
    my ($rule, $name, $unit, @rates) = @_;
    my $better = $unit eq $Touchstone::Base::Speed::SECONDS ? 'lower' : 'higher';
    my ($found) = $rule->(map { +{ %$_, count => $_->{rate}, better => $better } } @rates);
    return {
        name   => $name,
        unit   => $unit,
        better => $better,
        rates  => [ map { $_->{rate} } @rates ],
        passes => scalar @rates,
        %$found
    };
}

1;
