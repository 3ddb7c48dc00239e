# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Bytemark::Tables - what a run of BYTEmark's tests says beside published machines:
#
#   { copies   => 1,
#     tests    => [ {
#         title     => 'Numeric Sort',
#         score     => 2183.2,
#         interval  => [low, high],
#         ratios    => { 'Dell XPS P90' => 56, 'AMD K6/233' => 18.4 },
#         intervals => { 'Dell XPS P90' => [55, 57], ... } } ],
#     machines => [ 'Dell XPS P90', 'AMD K6/233' ],
#     indexes  => [ { title => 'BYTEmark Memory', score, interval, partial, reference } ],
#     others   => [ {
#         machine => 'Pentium 133',
#         system  => 'Linux',
#         memory  => 0.383,
#         integer => 0.444,
#         float   => 0.632 } ] }
package Touchstone::Suite::Bytemark::Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Untrusted qw(as_hashes as_number as_word);

# A figure of a stranger's record beyond these is no measurement.
my @MEASURED = (1e-15, 1e15);
our @SHOWN = qw(memory integer float);

# The published indexes are 1 for this machine.
our $REFERENCE = 'AMD K6/233';

# The tables of a run whose facts have `published` rows; nothing when no test of BYTEmark was measured.
sub tables {
    my ($facts, $results) = @_;
    my %mine = map { $_->{name} => 1 } grep { ($_->{suite} // '') eq 'bytemark' } @{ $facts->{tests} };
    my ($block) = grep {
        grep { $mine{ $_->{name} } }
            @{ $_->{tests} }
    } sort { $a->{copies} <=> $b->{copies} } @{ $results->{blocks} } or return;
    my $published = $facts->{published} || {};
    my @machines  = _machines($published->{'bytemark-machines'});
    return {
        copies   => $block->{copies},
        tests    => [ map { _test($_, @machines) } grep { $mine{ $_->{name} } } @{ $block->{tests} } ],
        machines => [ map { $_->{machine} } @machines ],
        indexes  => [ grep { $_->{category} eq 'bytemark' } @{ $block->{indexes} } ],
        others   => [
            map {
                my $row = $_;
                +{
                    (map { $_ => $row->{$_} } qw(machine system)),
                    map { $_ => as_number($row->{$_}, @MEASURED) } @SHOWN
                }
            } _machines($published->{'bytemark-indexes'})
        ],
    };
}

# Rows of a published table that have a name.
sub _machines {
    my ($rows) = @_;
    return grep { length as_word($_->{machine}) } as_hashes($rows);
}

sub _test {
    my ($test, @machines) = @_;
    my $column = $test->{name} =~ tr/-/_/r;
    my (%ratio, %interval);
    for my $machine (@machines) {
        my $theirs = as_number($machine->{$column}, @MEASURED);
        $ratio{ $machine->{machine} } = $theirs ? $test->{score} / $theirs : undef;
        $interval{ $machine->{machine} } =
            $theirs && $test->{interval} ? [ map { $_ / $theirs } @{ $test->{interval} } ] : undef;
    }
    return {
        (map { $_ => $test->{$_} } qw(title score interval)),
        ratios    => \%ratio,
        intervals => \%interval
    };
}

1;
