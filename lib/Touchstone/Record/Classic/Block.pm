# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Block - the results of one number of copies, joined with the rows of their indexes. Every
# index is computed again; a difference and a missing row are notes.
package Touchstone::Record::Classic::Block;
use 5.014;
use strict;
use warnings;
use re '/a';

use List::Util qw(sum);

use Touchstone::Base::Direction qw(index_of is_lower_better);
use Touchstone::Base::Text qw(copies plain);
use Touchstone::Stats qw(geometric_mean);

# A figure with one decimal may be off by half a tenth; the rest allows for rounding in binary.
my $ROUNDED = 0.0501;

# An index that differs from its scores by more than this is noted.
my $AGREES = 0.1001;

# The most tests in no index that a note lists, if there is no index.
my $NAMED = 2;

my $INDEX_OF_BASELINE = $Touchstone::Base::Direction::BASELINE_INDEX;

# Adds a block to the data of its report, unless it has no result.
sub finish {
    my ($report, $block) = @_;
    my $where =
          defined $block->{copies}  ? copies($block->{copies})
        : defined $block->{started} ? "run of $block->{started}"
        :                             "line $block->{line}";
    _only_indexed($report, $block) if !@{ $block->{tests} };
    $report->{cut} = 1             if !@{ $block->{tests} } && $report->{part} ne 'rest';
    push @{ $report->{data}{blocks} }, $block if @{ $block->{tests} };
    my @notes = map { _join_row($report, $_, $report->{indexed}{ $_->{title} }) } @{ $block->{tests} };
    push @notes, map { "'$_' has no measured results" } @{ $report->{nothing} };
    push @notes, @{ $block->{tests} } ? () : 'there is no result', _missing($report, $block);
    push @notes,                      map { _of_index($report, $_, $block) } @{ $block->{indexes} };
    push @{ $report->{data}{notes} }, map { plain("$where: $_") } @notes;
    return;
}

# Some reports have no list of results: the rows of the index hold them.
sub _only_indexed {
    my ($report, $block) = @_;
    my $indexed = $report->{indexed};
    return if !defined $block->{copies};
    for my $title (sort { $indexed->{$a}{line} <=> $indexed->{$b}{line} || $a cmp $b } keys %$indexed) {
        my ($row, $test_row) = ($indexed->{$title}, $report->{titles}{$title});
        next if !$row->{result} || defined $row->{unit};
        push @{ $block->{tests} },
            {
            name  => $test_row ? $test_row->{name} : $title,
            title => $title,
            score => $row->{result},
            unit  => '',
            line  => $row->{line},
            $test_row ? () : (unknown => 1)
            };
        $report->{measured}{$title} = 1;
    }
    return;
}

# Whether an index is 0.0 because it is less than half a tenth.
sub is_less_than_shown {
    my ($row, $index) = @_;
    return $index eq '0.0' && $row->{result} / $row->{baseline} * $INDEX_OF_BASELINE <= $ROUNDED;
}

# Adds a row of the index to its test. Returns notes.
sub _join_row {
    my ($report, $test, $row) = @_;
    return if !$row;
    my $divisor = _by($row->{unit}, $test->{unit});
    my @odd;
    if (defined $row->{baseline}) {
        @$test{qw(baseline table row)} = ($row->{baseline} * $divisor, @$row{qw(heading line)});
        delete $test->{table} if !defined $row->{heading};
        if ($row->{index}) { $test->{index} = $row->{index} }
        else               { push @odd, "line $row->{line}: '$test->{title}' has an index below 0.05" }
        push @odd, _wrong_index($report, $test, $row);
    }
    my $difference = abs($row->{result} * $divisor - $test->{score});
    return @odd if $divisor == 1 ? $difference == 0 : $difference <= $ROUNDED * (1 + $divisor);
    return (@odd,
              "line $row->{line}: '$test->{title}' has the result $row->{result} in the index, "
            . "and the score $test->{score}");
}

# Returns the factor from the unit of a table, if it names one, to the unit of a result.
sub _by {
    my ($from, $to) = map { defined $_ ? $Touchstone::Base::Direction::IN_SECOND{$_} : undef } @_;
    return $from && $to ? $to / $from : 1;
}

# A row whose index is not that of its result. The result has one decimal, so a small one is uncertain.
sub _wrong_index {
    my ($report, $test, $row) = @_;
    return if !$row->{index} || defined $row->{unit} || !_is_plain($report, $test->{title});
    my $computed  = _index_of($row);
    my $uncertain = $INDEX_OF_BASELINE * $ROUNDED / $row->{baseline};
    return if abs($computed - $row->{index}) <= $AGREES + $uncertain;
    return sprintf "line %d: '%s' has the index %.1f, and %.1f computed from its result", $row->{line},
        $test->{title}, $row->{index}, $computed;
}

# The tests of UnixBench, which are not of a suite with an index of its own kind.
sub _is_plain {
    my ($report, $title) = @_;
    my $row = $report->{titles}{$title} or return 1;
    return !@{ $row->{indexes} || [] } && !is_lower_better($row) && !defined $row->{scale};
}

sub _index_of {
    my ($row) = @_;
    return index_of({ baseline => $row->{baseline} }, $row->{result});
}

# An index that is not the geometric mean of those of its tests.
sub _of_index {
    my ($report, $index, $block) = @_;
    my %row =
        map { $_ => $report->{indexed}{$_} }
        grep { ($report->{indexed}{$_}{heading} // '') eq $index->{title} } keys %{ $report->{indexed} };
    my @titles = grep { defined $row{$_}{baseline} && $row{$_}{result} } sort keys %row;
    return if !@titles || grep { defined $row{$_}{unit} || !_is_plain($report, $_) } @titles;
    my $computed = geometric_mean(map { _index_of($row{$_}) } @titles);

    # Tests of the category that are not in its index may stand in its table.
    my @members   = grep { my $row = $report->{titles}{$_}; $row && $row->{index} } @titles;
    my @means     = ($computed, @members ? geometric_mean(map { _index_of($row{$_}) } @members) : ());
    my $uncertain = $computed / @titles * sum(map { $ROUNDED / $row{$_}{result} } @titles);
    return if grep { abs($_ - $index->{score}) <= $AGREES + $uncertain } @means;
    return sprintf "line %d: the index of '%s' is %.1f, and %.1f computed from its scores", $index->{line},
        @$index{qw(title score)}, $computed;
}

sub _missing {
    my ($report, $block) = @_;
    my ($indexed, $measured, $titles) = @$report{qw(indexed measured titles)};
    my %scored = map { $_->{title} => 1 } @{ $block->{indexes} };
    my %headed = map { $_ => 1 } grep { defined } map { $_->{heading} } values %$indexed;

    # If a category has an index, all of its tests stand in it. Version 4 had other sets of tests.
    my $belongs = sub {
        my $row = $titles->{ $_[0] };
        return !%$indexed && $row && $row->{index} if $report->{is_old};
        return $row ? $row->{index} || $headed{ $row->{heading} } : %$indexed;
    };
    my @apart = grep { !$indexed->{$_} && $belongs->($_) } map { $_->{title} } @{ $block->{tests} };
    return (
        %$indexed || @apart <= $NAMED ? (map { "'$_' has no row in the index" } @apart) : 'there is no index',
        (
            map  { "line $indexed->{$_}{line}: '$_' is in the index and has no result" }
            grep { !$measured->{$_} } sort keys %$indexed
        ),
        (
            map { "'$_' has no index score" } grep {
                my $heading = $_;
                !grep { $_ eq $heading || /\A\Q$heading\E / } keys %scored
            } sort keys %headed
        ),
    );
}

1;
