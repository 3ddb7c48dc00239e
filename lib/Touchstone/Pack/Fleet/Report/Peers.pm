# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Peers - where a run stands among others of its kind (Pack::Fleet::Peers): below the
# answer, with whom it is compared, how alike they are and who is left out, and the figures:
#
#   web7 is slower than 34 of 41 like it: 17th percentile, 8 to 31 (system index, 1 copy)
#   out of line: fstime 0.62, fsbuffer 0.63 and fsdisk 0.61 times as fast as the middle of the others
#
#     Test    Times the middle    The others  Percentile  95 % interval       p  Out of line
#     fsdisk            0.61 ×  0.97 to 1.03         1st         0 to 7  0.0012  slow
package Touchstone::Pack::Fleet::Report::Peers;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(list_and_more named plural short);
use Touchstone::Pack::Fleet::Peers qw($INCONCLUSIVE $IN_LINE);
use Touchstone::Pack::Fleet::Peers::Filter qw($FEWEST);
use Touchstone::Pack::Fleet::Report::Phrases qw(are cannot_be_read for_page limit_range p table);
use Touchstone::Report::Columns qw(label);
use Touchstone::Report::Plot::Forest;

# Limits of the tests in a sentence and of the files that are named; letters of a name, and in a table.
my ($TESTS, $FILES, $LETTERS, $IN_TABLE) = (4, 5, 60, 40);

my %PROGRAMS = (
    equal    => 'the same programs (one passport)',
    portable => 'portable builds, which compilers make differ a little',
    other    => 'other programs: compilers and flags are part of each difference'
);

sub parts {
    my ($position) = @_;
    return (
        [ points => _points($position) ],
        for_page(_picture($position)),
        _table('Indexes',                  'Index', @{ $position->{indexes} }),
        _table('Tests, the slowest first', 'Test',  @{ $position->{figures} })
    );
}

my @COLUMNS = qw(what name copies suite below of percentile low high ratio least greatest p out_of_line);

sub rows {
    my ($position) = @_;
    return (
        \@COLUMNS,
        (map { [ 'index', _row({ %$_, suite => '' }) ] } @{ $position->{indexes} }),
        map { [ 'test', _row($_) ] } @{ $position->{figures} }
    );
}

sub _row {
    my ($place) = @_;
    my $far = $place->{far};
    return (
        @$place{qw(name copies suite below of percentile low high ratio)},
        @{ $place->{spread} },
        $place->{p}, !defined $far ? '' : $far ? 'yes' : 'no'
    );
}

sub _points {
    my ($position) = @_;
    my $run = $position->{run};
    return (
        defined $run->{invalid} ? "this run is not valid, do not rely on this: " . $run->{invalid} : (),
        $position->{enough}     ? (_with_whom($position), _unlike($position), _limits($position))  : (),
        _doubtful($position),
        _left_out($position),
        _machines($position),
        _damaged($position)
    );
}

sub _with_whom {
    my ($position) = @_;
    my ($machines, $records) =
        (plural($position->{machines}, 'machine'), plural($position->{records}, 'record'));
    my $kind = $position->{hardware} eq 'equal' ? 'equal hardware' : 'this CPU model and virtualisation';
    my $in   = $position->{records} == $position->{machines} ? ''  : " in $records";
    return "compared with $machines$in of $kind ($position->{run}{kind}), $PROGRAMS{ $position->{programs} }";
}

# What is not equal is said, with what was sought first.
sub _unlike {
    my ($position) = @_;
    my $is_equal = $position->{hardware} eq 'equal';
    return if $is_equal && $position->{programs} eq 'equal';
    return join ' ', 'of equal hardware with the same programs there', are($position->{equal}),
        "$position->{equal}, fewer than $FEWEST" . ($is_equal ? '' : ': CPUs, memory and sockets may differ');
}

# What would have been out of line.
sub _limits {
    my ($position) = @_;
    my $range = limit_range($position);
    return length $range ? "a test is out of line when it is slower by $range" : ();
}

# What makes a run not valid may be what machines of its kind are like, such as neighbours that take time.
sub _doubtful {
    my ($position) = @_;
    return $position->{doubtful}
        ? "$position->{doubtful} of the $position->{records} records are not valid runs"
        : ();
}

sub _left_out {
    my ($position) = @_;
    my $other = $position->{read};
    $other -= $_ for @$position{qw(records itself invalid unlike)};
    my @left_out = (
        $position->{itself}  ? plural($position->{itself},  'record') . ' of this run or its machine' : (),
        $position->{invalid} ? plural($position->{invalid}, 'run') . ' not valid'                     : (),
        $position->{unlike}
        ? plural($position->{unlike}, 'record') . ' without a test of the same version'
        : (),
        $other > 0 ? plural($other, 'record') . ' of other machines' : ()
    );
    return @left_out ? 'left out: ' . join(', ', @left_out) : ();
}

sub _machines {
    my ($position) = @_;
    return if !$position->{enough} || $position->{by_machine};
    return 'records without a campaign do not identify their machine: each counts as one';
}

sub _damaged {
    my ($position) = @_;
    my @damaged    = map { cannot_be_read($_) } @{ $position->{damaged} || [] };
    my $more       = @damaged - $FILES;
    splice @damaged, $FILES, $more, "and $more more that cannot be read" if $more > 0;
    return @damaged;
}

sub _picture {
    my ($position) = @_;
    my @rows = map {
        +{
            %$_,
            name       => named($_),
            class      => $_->{far} ? ($_->{ratio} < 1 ? 'bad' : 'good') : undef,
            is_diamond => 1,
            is_clear   => 1
        }
    } @{ $position->{indexes} }, @{ $position->{figures} };
    return Touchstone::Report::Plot::Forest::parts(
        title => 'This run (a diamond) among the others (dots), compared with their middle',
        rows  => \@rows
    );
}

sub _table {
    my ($caption, $what, @places) = @_;
    return table(
        { caption => $caption },
        \@places,
        { title => $what,              cell => sub { short(named($_[0]), $IN_TABLE) } },
        { title => 'Times the middle', cell => sub { factor($_[0]{ratio}) . " $TIMES" } },
        {
            title => 'The others',
            cell  => sub {
                join ' to ', map { factor($_) } @{ $_[0]{spread} };
            }
        },
        { title => 'Percentile',    cell => sub { ordinal($_[0]{percentile}) } },
        { title => '95 % interval', cell => \&limits },
        { title => 'p',             cell => sub { p($_[0]{p}) }, spare => 1 },
        { title => 'Out of line',   cell => \&_out_of_line, left => 1, spare => 1 }
    );
}

sub _out_of_line {
    my ($place) = @_;
    return !$place->{far} ? '' : $place->{ratio} < 1 ? 'slow' : 'fast';
}

# Where a run stands, in sentences: its place, and what is out of line.

sub sentences {
    my ($position) = @_;
    my $signature = $position->{signature};
    return (
        _position($position), $position->{verdict} eq $INCONCLUSIVE ? () : _line($position),
        _others($position),   $signature ? ($signature->{text}, "what to do: $signature->{remedy}") : ()
    );
}

sub _position {
    my ($position) = @_;
    my $name = short($position->{run}{label}, $LETTERS);
    return "inconclusive: " . _too_few($position)
        if $position->{verdict} eq $INCONCLUSIVE;
    my $main = _main_of($position)
        or return "$name and the references have no index in common; the places of its tests";
    return "$name is " . _stands($main) . ' (' . label($main) . ')';
}

sub _too_few {
    my ($position) = @_;
    my ($machines, $needed) = ($position->{machines}, $FEWEST);
    return 'none of the ' . plural($machines, 'machine') . " like it has a test in $needed records"
        if $position->{enough};
    return join ' ', $machines ? plural($machines, 'machine') : 'no machine',
        "like it in the set ($position->{run}{kind}), and $needed are needed";
}

# The index with the fewest copies; that of the machine comes first.
sub _main_of {
    my ($position) = @_;
    my ($main) = sort { $a->{copies} <=> $b->{copies} || ($b->{of} <=> $a->{of}) || $a->{key} cmp $b->{key} }
        @{ $position->{indexes} };
    return $main // (@{ $position->{figures} } == 1 ? $position->{figures}[0] : undef);
}

# "slower than 34 of 41 like it: 17th percentile, 8 to 31".
sub _stands {
    my ($place) = @_;
    my ($below, $total) = @$place{qw(below of)};
    my $than = $below * 2 < $total ? 'slower than ' . int($total - $below) : 'faster than ' . int($below);
    return "$than of $total like it: " . ordinal($place->{percentile}) . ' percentile, ' . limits($place);
}

# "17th".
sub ordinal {
    my ($part) = @_;
    my $n      = sprintf '%.0f', 100 * $part;
    my $ending = $n =~ /1[123]\z/ ? 'th' : { 1 => 'st', 2 => 'nd', 3 => 'rd' }->{ $n % 10 } // 'th';
    return "$n$ending";
}

sub limits {
    my ($place) = @_;
    return join ' to ', map { sprintf '%.0f', 100 * $_ } @$place{qw(low high)};
}

sub _line {
    my ($position) = @_;
    my @far        = map { named($_) . ' ' . factor($_->{ratio}) }
        sort { abs(log $b->{ratio}) <=> abs(log $a->{ratio}) || $a->{key} cmp $b->{key} }
        grep { $_->{far} } @{ $position->{figures} };
    return 'out of line: ' . list_and_more($TESTS, @far) . ' times as fast as the middle of the others'
        if @far;
    return 'in line: no test is further from the others than chance explains'
        if $position->{verdict} eq $IN_LINE;
    my $factor = factor($position->{all}{ratio});
    return "out of line in all tests together: $factor times as fast as the middle";
}

sub factor { my ($ratio) = @_; return sprintf $ratio >= 1.995 ? '%.1f' : '%.2f', $ratio }

# The other indexes, in short.
sub _others {
    my ($position) = @_;
    my $main = _main_of($position);
    return map { label($_) . ': ' . _stands($_) }
        grep { $_ != $main && $_->{name} eq $main->{name} } @{ $position->{indexes} };
}

1;
