# SPDX-License-Identifier: GPL-2.0-or-later
# Scaling - how the speed of a machine grows with the copies, for --scaling:
#
#   { cpus => 4, copies => [1, 2, 4, 8], rows => [
#       { name => 'pipe', title => 'Pipe Throughput', values => [100, 190, 360, 350], speedup => [1, 1.9, 3.6, 3.5],
#         efficiency => [100, 95, 90, 87.5], fit => { what Usl::fit gives, beyond => 0 } }, ... ] }
#
# Values are indexes where there is a baseline, otherwise scores, of fixed work units a second. A row each for what was measured with every copy count.
package Touchstone::Scaling;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Speed;
use Touchstone::Stats;
use Touchstone::Usl;

# With fewer passes of each test the index has no rates of its own: three or so say nothing of how it varies.
my $LEAST_PASSES = 6;

# Of a record with results; nothing when there is nothing to compare.
sub table {
    my ($record) = @_;
    my @blocks = sort { $a->{copies} <=> $b->{copies} } @{ $record->{results} };
    return if @blocks < 2;
    my $cpus = $record->{host}{usable_cpus} // $record->{host}{online_cpus};
    my @rows = (_tests(@blocks), _indexes(@blocks)) or return;
    my @copies = map { $_->{copies} } @blocks;
    return { cpus => $cpus, copies => \@copies, rows => [ map { _row($_, $cpus, @copies) } @rows ] };
}

# { name, title, values, rates => [[rates of the passes], ...] }
sub _tests {
    my (@blocks) = @_;
    my @rows;
    for my $test (@{ $blocks[0]{tests} }) {
        my @found = map { my $block = $_; grep { $_->{name} eq $test->{name} } @{ $block->{tests} } } @blocks;
        next if @found < @blocks;
        push @rows, { name => $test->{name}, title => $test->{title}, values => [ map { Touchstone::Speed::of($_, $_->{score}) } @found ],
            rates => [ map { _rates($_) } @found ] };
    }
    return @rows;
}

# The passes of a test, in the unit of its value. A difference of two times that is not above zero has no speed.
sub _rates {
    my ($test) = @_;
    return [ map { Touchstone::Speed::of($test, $_) } grep { $_ > 0 || !Touchstone::Speed::is_lower_better($test) } @{ $test->{rates} } ];
}

sub _indexes {
    my (@blocks) = @_;
    my @rows;
    for my $index (@{ $blocks[0]{indexes} }) {
        my @found = map { my $block = $_; map { [ $_, $block ] } grep { _same($_, $index) } @{ $block->{indexes} } } @blocks;
        next if @found < @blocks;
        push @rows, { name => $index->{name}, title => "$index->{title} Index", values => [ map { $_->[0]{score} } @found ],
            rates => [ map { _index_rates(@$_) } @found ] };
    }
    return @rows;
}

# Of the same tests.
sub _same {
    my ($one, $other) = @_;
    return $one->{key} eq $other->{key} && "@{ $one->{tests} }" eq "@{ $other->{tests} }";
}

# The k-th passes of all its tests make the k-th rate of an index; they are of one round.
sub _index_rates {
    my ($index, $block) = @_;
    my %member = map { $_ => 1 } @{ $index->{tests} };
    my @rates  = map { _rates($_) } grep { $member{ $_->{name} } } @{ $block->{tests} };
    my $passes = min(map { scalar @$_ } @rates);
    return [ $index->{score} ] if $passes < $LEAST_PASSES;
    return [ map { my $k = $_; Touchstone::Stats::geometric_mean(map { $_->[$k] } @rates) } 0 .. $passes - 1 ];
}

# Without a measurement of one copy the smallest number of copies counts as perfect, as far as there are CPUs for them.
sub _row {
    my ($what, $cpus, @copies) = @_;
    my @values  = @{ $what->{values} };
    my $first   = min($copies[0], $cpus);
    my @speedup = map { $values[0] > 0 ? $_ / $values[0] * $first : undef } @values;
    my @efficiency = map { defined $speedup[$_] ? $speedup[$_] / min($copies[$_], $cpus) * 100 : undef } 0 .. $#copies;
    return {
        name => $what->{name}, title => $what->{title}, values => \@values, speedup => \@speedup, efficiency => \@efficiency,
        fit => _fit($what->{rates}, $cpus, @copies),
    };
}

# Copies beyond the CPUs wait for them, of which the law knows nothing.
sub _fit {
    my ($rates, $cpus, @copies) = @_;
    my @points = map { { copies => $copies[$_], rates => $rates->[$_] } } grep { $copies[$_] <= $cpus } 0 .. $#copies;
    my $fit = Touchstone::Usl::fit(\@points);
    $fit->{beyond} = $fit->{best} > $points[-1]{copies} ? 1 : 0 if defined $fit->{best};
    return $fit;
}

1;
