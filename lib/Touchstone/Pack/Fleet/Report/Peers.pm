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

use Touchstone::Base::Signs qw($TIMES);
use Touchstone::Base::Text qw(named plural short);
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Pack::Fleet::Report::Peers::Headline;
use Touchstone::Pack::Fleet::Report::Phrases qw(are cannot_be_read for_page limit_range p table);
use Touchstone::Report::Plot::Forest;

# A name has so many letters in a table, and so many files are named.
my ($LETTERS, $FILES) = (40, 5);

my %PROGRAMS = (
    equal    => 'the same programs (one passport)',
    portable => 'portable builds, which compilers make differ a little',
    other    => 'other programs: compilers and flags are part of each difference'
);

sub parts {
    my ($found) = @_;
    return (
        [ points => _points($found) ],
        for_page(_picture($found)),
        _table('Indexes',                  'Index', @{ $found->{indexes} }),
        _table('Tests, the slowest first', 'Test',  @{ $found->{figures} })
    );
}

my @COLUMNS = qw(what name copies suite below of percentile low high ratio least greatest p out_of_line);

sub rows {
    my ($found) = @_;
    return (
        \@COLUMNS,
        (map { [ 'index', _row({ %$_, suite => '' }) ] } @{ $found->{indexes} }),
        map { [ 'test', _row($_) ] } @{ $found->{figures} }
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
    my ($found) = @_;
    my $run = $found->{run};
    return (
        defined $run->{void} ? "this run is not valid, do not rely on this: " . $run->{void} : (),
        $found->{enough}     ? (_with_whom($found), _unlike($found), _limits($found))        : (),
        _doubtful($found),
        _left_out($found),
        _machines($found),
        _damaged($found)
    );
}

sub _with_whom {
    my ($found) = @_;
    my ($machines, $records) = (plural($found->{machines}, 'machine'), plural($found->{records}, 'record'));
    my $of = $found->{hardware} eq 'equal'           ? 'equal hardware' : 'this CPU model and virtualisation';
    my $in = $found->{records} == $found->{machines} ? ''               : " in $records";
    return "compared with $machines$in of $of ($found->{run}{kind}), $PROGRAMS{ $found->{programs} }";
}

# What is not equal is said, with what was sought first.
sub _unlike {
    my ($found) = @_;
    my $is_equal = $found->{hardware} eq 'equal';
    return if $is_equal && $found->{programs} eq 'equal';
    return join ' ', 'of equal hardware with the same programs there', are($found->{equal}),
        "$found->{equal}, fewer than $Touchstone::Pack::Fleet::Peers::Filter::FEWEST"
        . ($is_equal ? '' : ': CPUs, memory and sockets may differ');
}

# What would have been out of line.
sub _limits {
    my ($found) = @_;
    my $range = limit_range($found);
    return length $range ? "a test is out of line when it is slower by $range" : ();
}

# What makes a run not valid may be what machines of its kind are like, such as neighbours that take time.
sub _doubtful {
    my ($found) = @_;
    return $found->{doubtful} ? "$found->{doubtful} of the $found->{records} records are not valid runs" : ();
}

sub _left_out {
    my ($found) = @_;
    my $other = $found->{read};
    $other -= $_ for @$found{qw(records itself void unlike)};
    my @left_out = (
        $found->{itself} ? plural($found->{itself}, 'record') . ' of this run or its machine'         : (),
        $found->{void}   ? plural($found->{void},   'run') . ' not valid'                             : (),
        $found->{unlike} ? plural($found->{unlike}, 'record') . ' without a test of the same version' : (),
        $other > 0       ? plural($other,           'record') . ' of other machines'                  : ()
    );
    return @left_out ? 'left out: ' . join(', ', @left_out) : ();
}

sub _machines {
    my ($found) = @_;
    return if !$found->{enough} || $found->{by_machine};
    return 'records without a campaign do not say which are of one machine: each counts as one';
}

sub _damaged {
    my ($found) = @_;
    my @damaged = map { cannot_be_read($_) } @{ $found->{damaged} || [] };
    my $more    = @damaged - $FILES;
    splice @damaged, $FILES, $more, "and $more more that cannot be read" if $more > 0;
    return @damaged;
}

sub _picture {
    my ($found) = @_;
    my @rows = map {
        +{
            %$_,
            name       => named($_),
            class      => $_->{far} ? ($_->{ratio} < 1 ? 'bad' : 'good') : undef,
            is_diamond => 1,
            is_clear   => 1
        }
    } @{ $found->{indexes} }, @{ $found->{figures} };
    return Touchstone::Report::Plot::Forest::parts(
        title => 'This run (a diamond) among the others (dots), compared with their middle',
        rows  => \@rows
    );
}

sub _table {
    my ($caption, $what, @places) = @_;
    my $ordinal = \&Touchstone::Pack::Fleet::Report::Peers::Headline::ordinal;
    my $times   = \&Touchstone::Pack::Fleet::Report::Peers::Headline::factor;
    return table(
        { caption => $caption },
        \@places,
        { title => $what,              cell => sub { short(named($_[0]), $LETTERS) } },
        { title => 'Times the middle', cell => sub { $times->($_[0]{ratio}) . " $TIMES" } },
        {
            title => 'The others',
            cell  => sub {
                join ' to ', map { $times->($_) } @{ $_[0]{spread} };
            }
        },
        { title => 'Percentile',    cell => sub { $ordinal->($_[0]{percentile}) } },
        { title => '95 % interval', cell => \&Touchstone::Pack::Fleet::Report::Peers::Headline::limits },
        { title => 'p',             cell => sub { p($_[0]{p}) }, spare => 1 },
        { title => 'Out of line',   cell => \&_out_of_line, left => 1, spare => 1 }
    );
}

sub _out_of_line {
    my ($place) = @_;
    return !$place->{far} ? '' : $place->{ratio} < 1 ? 'slow' : 'fast';
}

1;
