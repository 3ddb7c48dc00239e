# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Passes - the passes behind the scores of a copy count, arranged for pictures and tables:
#
#   { pipe => [ { round => 1, at => 12.3, seconds => 1.02, value => 3481930, each => [1740000, 1741930], spread => 0.0011, skew => 0.00002,
#       share => 0.999, marks => ['other processes'], outlier => 0 }, ... ] }
#
# `at`: seconds since the first pass of the run began; `value`, `each`: in the unit of the test in the model.
package Touchstone::Report::Passes;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Score::Disturbance;
use Touchstone::Score::Rate;

# Of the tests of a block that have a result; `units` as in the model.
sub of_block {
    my ($record, $results, $units) = @_;
    my $begun  = min(map { defined $_->{started} ? _written($_->{started}) : () } @{ $record->{passes} });
    my %passes = _by_test($record, $results->{copies});
    my %of;
    for my $test (@{ $results->{tests} }) {
        my $by  = $units->{ $test->{name} } ? $units->{ $test->{name} }[1] : 1;
        my %far = map { $_ => 1 } @{ $test->{outliers} };
        my $n   = 0;
        $of{ $test->{name} } = [ map { _pass($_, $begun, $by, $far{ ++$n }) } @{ $passes{ $test->{name} } } ];
    }
    return \%of;
}

sub _by_test {
    my ($record, $copies) = @_;
    my %passes;
    push @{ $passes{ $_->{test} } }, $_
        for grep { $_->{round} > 0 && $_->{copies} == $copies } @{ $record->{passes} };
    return %passes;
}

# { pipe => what Rate::evenness says of its copies }, of several copies.
sub spreads_of_block {
    my ($record, $results) = @_;
    return {} if $results->{copies} < 2;
    my %passes = _by_test($record, $results->{copies});
    return { map { $_->{name} => Touchstone::Score::Rate::evenness(@{ $passes{ $_->{name} } }) }
            @{ $results->{tests} } };
}

# As the record has it: a page that is made as soon as a run has ended is the same later.
sub _written { my ($number) = @_; return 0 + "$number" }

sub _pass {
    my ($pass, $begun, $by, $far) = @_;
    return {
        round   => $pass->{round},
        at      => defined $pass->{started} ? _written($pass->{started}) - $begun : undef,
        seconds => $pass->{seconds} // $pass->{window},
        value   => $pass->{rate} * $by,
        each    => [ map { $_ * $by } @{ $pass->{rates} } ],
        spread  => $pass->{spread},
        skew    => $pass->{skew},
        share   => $pass->{share},
        marks   => [ map { $Touchstone::Score::Disturbance::WORDS{$_} // $_ } @{ $pass->{marks} || [] } ],
        outlier => $far ? 1 : 0,
    };
}

1;
