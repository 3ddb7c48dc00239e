# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Document - a run as it is stored and shown as JSON: its facts and its results in one value, as
# readers of format 1 expect it.
#
#   {
#       ...                                  the facts
#       passes   => [ { a pass, its rates and its marks }, ... ],
#       results  => [ a block for each copy count ],
#       scaling  => the gains of several copy counts, or undef,
#       speedup  => the table of --scaling, or undef,
#       beside   => { what each suite shows beside published results, against => the comparison below },
#       truth    => the same of a suite whose tests have verdicts and no scores, by its name,
#       against  => the comparison with the run that --baseline named, where there is one,
#       warnings => those that were noted, and those of the end,
#       valid    => 1, or 0 where the scores are not valid,
#       why_not_valid => '204 of 206 passes were disturbed by other processes', or undef
#   }
#
# Derived values stand in a file for other readers: facts() leaves it out, and Score works it out anew.
package Touchstone::Record::Document;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Warnings;
use Touchstone::Suite;

# Scoring adds these keys to a record, and to each of its passes.
my @DERIVED         = qw(results scaling speedup beside valid why_not_valid);
my @DERIVED_OF_PASS = qw(rate rates skew share spread coarse marks);

# Suites that judge have a key of their own.
sub _judging { state $names = [ Touchstone::Suite::judging() ]; return @$names }

sub document {
    my ($facts, $results) = @_;
    my $against = $results->{against};
    my $void    = Touchstone::Record::Warnings::void($facts, $results);
    my @passes =
        map { +{ %{ $facts->{passes}[$_] }, %{ $results->{passes}[$_] } } } 0 .. $#{ $facts->{passes} };
    return {
        %$facts,
        passes  => \@passes,
        results => $results->{blocks},
        (map { $_ => $results->{$_} } qw(scaling speedup)),
        (map { $_ => $results->{beside}{$_} } grep { $results->{beside}{$_} } _judging()),
        beside   => { %{ $results->{beside} }, $against ? (against => $against) : () },
        warnings => Touchstone::Record::Warnings::stored($facts, $results),
        $against ? (against => $against) : (),
        valid => $void ? 0 : 1,
        why_not_valid => $void ? $void->{text} : undef
    };
}

# The facts of a document.
sub facts {
    my ($document) = @_;
    my %facts = %$document;
    delete @facts{ @DERIVED, _judging() };
    $facts{passes} = [ map { _pass($_) } @{ $facts{passes} } ];
    return \%facts;
}

sub _pass {
    my ($pass) = @_;
    my %pass = %$pass;
    delete @pass{@DERIVED_OF_PASS};
    return \%pass;
}

1;
