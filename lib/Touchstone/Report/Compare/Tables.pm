# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Tables - the figures of a comparison as tables, which in a text fit its columns: of two
# runs, of tests x runs, and of what differs between the machines.
#
#   Test               c7i-large  m7a-large  Speed  95 % interval   Verdict
#   whetstone-double        5110       6227  +22 %   +21 to +23 %   faster
#
#   Test               c7i-large    c8g-large    m7a-large
#   whetstone-double        5110  +14 % ±4.8  +22 % ±5.0
package Touchstone::Report::Compare::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Signs qw($DASH ascii);
use Touchstone::Base::Text qw(copies short width);
use Touchstone::Compare;
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Render::Html qw(text);
use Touchstone::Suite;

# Texts that go into a file or a pipe have so many columns.
our $COLUMNS = 80;

# The name of a run is the head of a column of a text if it has no more letters; else a letter is.
my $NAME = 14;

# The name of a test has so many letters in a text.
my $TEST = 28;

# A fact has this many letters where there is room, and this many where there is none.
my ($FACT, $LEAST) = (200, 8);

# Verdicts that are shaded, and in which colour.
my %SIDE = ($Touchstone::Compare::FASTER => 'up', $Touchstone::Compare::SLOWER => 'down');

# What stands behind a figure that is neither faster nor slower.
my %MARK     = ($Touchstone::Compare::SAME => '=', $Touchstone::Compare::UNKNOWN => '?');
my ($MARKED) = map { qr/ [$_]\z/ } join '', map { quotemeta } values %MARK;
our $MARKS = 'The sign = means no difference, ? inconclusive; a figure without ± was not tested.';

# The columns of a table of two runs: a name, a sub that gives the text of a row, whether it is aligned left.
# In a text the names in brackets are left out first.
my @COLUMNS_OF_TWO = (
    {
        head   => 'Speed',
        paired => 'Paired speed',
        cell   =>
            sub { return Touchstone::Report::Compare::Verdict::difference(@{ $_[0] }{qw(ratio interval)}) }
    },
    {
        head => '95 % interval',
        cell => sub { return Touchstone::Report::Compare::Verdict::limits(@{ $_[0] }{qw(ratio interval)}) }
    },
    {
        head => 'Min. detectable',
        wide => 1,
        cell => sub { return defined $_[0]{detectable} ? part($_[0]{detectable}) : $DASH }
    },
    { head => 'Verdict', left => 1, verdict => 1, cell => sub { return $_[0]{verdict} } },
);

# Builds that take turns are compared by their sittings. The scores beside that are those of the whole run,
# with what disturbed it, and have another ratio.
my $DELIVERED = '; scores as delivered over the whole run';

# How a report is laid out:
#
#   form      text, markdown or html
#   columns   of a text
#   ascii     whether it has no other signs
#   pictured  whether a picture has the verdicts
#   of        what is shown, if it is not all: it stands before the number of copies
#
# Returns a table for each copy count. In a text all have the same columns, as many as fit: letters stand for
# long names, and a narrow window has no scores.
sub of_two {
    my ($pair, $names, %how) = @_;
    my @heads  = _heads(@$names);
    my $tables = sub {
        my ($is_wide, @heads) = @_;
        return map { _of_two($_, \@heads, $is_wide, $pair, %how) } copy_counts($pair);
    };
    return map { [ table   => $_ ] } $tables->(1, @heads)          if $how{form} eq 'markdown';
    return map { [ picture => _markup($_) ] } $tables->(1, @heads) if $how{form} eq 'html';
    my @letters = map { _letter($_) } 0, 1;
    for my $case ([ 1, @heads ], [ 0, @heads ], [ 1, @letters ], [ 0, @letters ], [0]) {
        my @tables = $tables->(@$case);
        next if @$case > 1 && grep { width_of($_, $how{ascii}) > $how{columns} } @tables;
        return (@$case == 1 || $case->[1] eq $heads[0] ? () : _legend(@$names),
            map { [ table => $_ ] } @tables);
    }
    return;
}

# Names in heads of columns lack the words with which all begin.
sub _heads {
    my (@names) = @_;
    my ($first, @others) = @names;
    while ($first =~ /\A(\S+ )(?=.*\w)/s) {
        my $word = $1;
        last if grep { index($_, $word) != 0 || length $_ == length $word } @others;
        ($first, @others) = @names = map { substr $_, length $word } @names;
    }
    return @names;
}

sub _of_two {
    my ($copies, $heads, $is_wide, $pair, %how) = @_;
    my @columns =
        grep { ($is_wide || !$_->{wide}) && !($how{pictured} && $_->{verdict}) } @COLUMNS_OF_TWO;
    my @rows    = grep { $_->{copies} == $copies } @{ $pair->{tests} }, @{ $pair->{indexes} };
    my $caption = _caption($copies, %how) . (@$heads && _is_of_turns(@rows) ? $DELIVERED : '');
    @columns = grep { _has_figures($_, @rows) } @columns if $how{form} eq 'html';
    return {
        caption => $caption,
        head    => [ 'Test', @$heads, map { _is_of_turns(@rows) && $_->{paired} || $_->{head} } @columns ],
        left    => [ 0,      map { $columns[$_]{left} ? $_ + 1 + @$heads : () } 0 .. $#columns ],
        more    => [ 1,      2, map { $columns[$_]{wide} ? $_ + 1 + @$heads : () } 0 .. $#columns ],
        rows    => [
            map {
                my $row = $_;
                [
                    label($row, $how{form}),
                    @$heads ? _scores($row, $is_wide) : (),
                    map { $_->{cell}->($row) } @columns
                ]
            } @rows
        ],
    };
}

# True for figures of builds that took turns.
sub _is_of_turns {
    return scalar grep { $_->{sittings} } @_;
}

# "1 copy", "Scores, 1 copy" below a picture; "Parts, 1 copy" where not all is shown.
sub _caption {
    my ($copies, %how) = @_;
    my $of = $how{of} // ($how{pictured} ? 'Scores' : undef);
    return (defined $of ? "$of, " : '') . copies($copies);
}

# No row of tests that were not tested has an interval.
sub _has_figures {
    my ($column, @rows) = @_;
    return grep { $column->{cell}->($_) ne $DASH } @rows;
}

# Explains the letters of heads.
sub _legend {
    my (@names) = @_;
    return [ form => map { '  ' . _letter($_) . "  $names[$_]" } 0 .. $#names ];
}

sub _letter { return $_[0] < 26 ? chr(65 + $_[0]) : $_[0] + 1 }

# The columns that a table takes in a text.
sub width_of {
    my ($table, $is_ascii) = @_;
    my $wide = 0;
    for my $column (0 .. $#{ $table->{head} }) {
        $wide += 2 + max(map { width($is_ascii ? ascii($_) : $_) } map { $_->[$column] // '' } $table->{head},
            @{ $table->{rows} });
    }
    return $wide;
}

# The name of a part of an index is for people everywhere. A page has people's name of a test; other forms
# have that of the command line, which a text cuts.
sub label {
    my ($row, $form) = @_;
    return
          defined $row->{called} ? $row->{called}
        : $form eq 'html'        ? Touchstone::Suite::shown($row->{name})->{label} // $row->{name}
        : $form eq 'text'        ? short($row->{name}, $TEST)
        :                          $row->{name};
}

sub _scores {
    my ($row, $with_unit) = @_;
    return Touchstone::Report::Compare::Verdict::scores($row, $with_unit);
}

# A table of a page; it is sorted by numbers, also where the minus is no hyphen.
sub _markup {
    my ($table) = @_;
    my @cells = map {
        my $row = $_;
        [
            map {
                my $key = _key($_);
                defined $key ? [ text($_), $key ] : text($_)
            } @$row
        ]
    } @{ $table->{rows} };
    return Touchstone::Report::Render::Html::table(
        class   => 'pinned',
        left    => $table->{left},
        more    => $table->{more},
        caption => text($table->{caption}),
        head    => [ map { text($_) } @{ $table->{head} } ],
        rows    => \@cells
    );
}

sub _key {
    my ($text) = @_;
    return '---' if $text eq $DASH;
    my $ascii = ascii($text);
    return $ascii eq $text ? undef : $ascii;
}

# A table of all runs for each copy count: the scores of the first, and by how much the others differ.
sub of_many {
    my ($comparison, %how) = @_;
    my @pairs  = @{ $comparison->{pairs} };
    my @names  = @{ $comparison->{called} };
    my @heads  = _heads(@names);
    my $is_cut = $how{form} eq 'text' && max(map { width($_) } @heads) > $NAME;
    @heads = map { _letter($_) } 0 .. $#names if $is_cut;
    my @tables = map { _of_many(\@heads, \%how, $_, _rows_of_many($_, @pairs)) } copy_counts(@pairs);
    return ($is_cut && @tables ? _legend(@names) : (), @tables);
}

sub copy_counts {
    my %seen = map { $_->{copies} => 1 } map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @_;
    return sort { $a <=> $b } keys %seen;
}

# Returns rows [ of one pair each, or undef ], in the order in which they are first met.
sub _rows_of_many {
    my ($copies, @pairs) = @_;
    my (%of, @order);
    for my $kind (qw(tests indexes)) {
        for my $i (0 .. $#pairs) {
            for my $row (grep { $_->{copies} == $copies } @{ $pairs[$i]{$kind} }) {
                push @order, $row->{key} if !$of{ $row->{key} };
                $of{ $row->{key} }[$i] = $row;
            }
        }
    }
    return map { [ @{ $of{$_} }[ 0 .. $#pairs ] ] } @order;
}

sub _of_many {
    my ($heads, $how, $copies, @rows) = @_;
    my $caption =
        _caption($copies, %$how) . (_is_of_turns(grep { defined } map { @$_ } @rows) ? $DELIVERED : '');
    return [ picture => _grid($caption, $heads, @rows) ] if $how->{form} eq 'html';
    my @table = map {
        my @row = @$_;
        my ($known) = grep { defined } @row;
        [ label($known, $how->{form}), (_scores($known, 1))[0], map { _change($_) } @row ]
    } @rows;
    return
        map { [ table => $_ ] }
        _split($how, $caption, [ 'Test', @$heads ], $how->{form} eq 'text' ? _marks_apart(@table) : @table);
}

# Returns "+13 % ±0.9", with a mark where that is no difference.
sub _change {
    my ($row) = @_;
    return $DASH if !$row;
    my $change = Touchstone::Report::Compare::Verdict::difference($row->{ratio});
    my $half   = Touchstone::Report::Compare::Verdict::half(@$row{qw(ratio interval)});
    return join ' ', grep { length } $change, $half, $MARK{ $row->{verdict} } // '';
}

# In a text the marks stand in a column of their own.
sub _marks_apart {
    my (@rows) = @_;
    my %marked;
    for my $row (@rows) { $row->[$_] =~ $MARKED and $marked{$_} = 1 for 2 .. $#$row }
    return map {
        my $row = $_;
        [ map { $marked{$_} && $row->[$_] !~ $MARKED ? "$row->[$_]  " : $row->[$_] } 0 .. $#$row ]
    } @rows;
}

# Splits a table of a text into several that fit, each with the first two columns.
sub _split {
    my ($how, $caption, $head, @rows) = @_;
    my $some = sub {
        my @columns = (0, 1, @_);
        return {
            caption => $caption,
            head    => [ @$head[@columns] ],
            rows    => [ map { [ @$_[@columns] ] } @rows ],
            left    => [0]
        };
    };
    my @left = 2 .. $#$head;
    return $some->(@left) if $how->{form} ne 'text';
    my @tables;
    while (@left) {
        my $many = @left;
        $many--
            while $many > 1 && width_of($some->(@left[ 0 .. $many - 1 ]), $how->{ascii}) > $how->{columns};
        push @tables, $some->(splice @left, 0, $many);
    }
    return @tables;
}

# The same table for a page: the larger a difference, the deeper the colour behind it.
sub _grid {
    my ($caption, $names, @rows) = @_;
    my $most = max(map { abs log $_->{ratio} } grep { $_ && $SIDE{ $_->{verdict} } } map { @$_ } @rows) || 1;
    my ($first, @others) = map { text($_) } @$names;
    my $head = join '', qq{<th scope="col">Test</th><th scope="col" class="more">$first</th>},
        map { qq{<th scope="col">$_</th>} } @others;
    my $body = join '', map { _grid_row($most, @$_) } @rows;
    return
          qq{<details class="columns narrow"><summary>More columns</summary></details>\n}
        . qq{<div class="scroll"><table class="pinned grid">\n<caption>}
        . text($caption)
        . "</caption>\n<thead><tr>$head</tr>\n</thead>\n<tbody>\n$body</tbody>\n</table></div>\n";
}

sub _grid_row {
    my ($most, @row) = @_;
    my ($known) = grep { defined } @row;
    my $class = $known->{key} =~ / / && defined $known->{of_common} ? ' class="foot"' : '';
    return "<tr$class>"
        . join('',
        '<th scope="row">' . text(label($known, 'html')) . '</th>',
        '<td class="more">' . text((_scores($known, 1))[0]) . '</td>',
        map { _grid_cell($most, $_) } @row)
        . "</tr>\n";
}

# So many shades tell sizes apart.
my $SHADES = 4;

sub _grid_cell {
    my ($most, $row) = @_;
    return '<td data-key="---">' . $DASH . '</td>' if !$row || !$row->{ratio};
    my ($change, @rest) = (
        Touchstone::Report::Compare::Verdict::difference($row->{ratio}),
        grep { length } Touchstone::Report::Compare::Verdict::half(@$row{qw(ratio interval)}),
        $MARK{ $row->{verdict} } // ()
    );
    my $side = $SIDE{ $row->{verdict} };
    my $shade =
        $side ? $side . max(1, min($SHADES, int(0.999 + $SHADES * abs(log $row->{ratio}) / $most))) : 'dim';
    my $said  = $side ? '<b>' . text($change) . '</b>' : text($change);
    my $title = $row->{verdict} . (defined $row->{why} ? ": $row->{why}" : '');
    return join '', qq{<td class="$shade" data-key="}, text($row->{ratio} - 1), '" title="', text($title),
        '">', $said,
        (map { ' <small>' . text($_) . '</small>' } grep { length } join ' ', @rest), '</td>';
}

# What differs between the machines: side by side, or one below the other where a text has no room.
sub of_facts {
    my ($comparison, %how) = @_;
    my @different = @{ $comparison->{differences} } or return;
    my @names     = _heads(@{ $comparison->{called} });
    my %table     = (
        ($how{form} eq 'text' ? 'caption' : 'says') => 'What differs',
        head                                        => [ '', @names ],
        rows                                        => [
            map {
                [ $_->{thing}, map { short($_, $FACT) } @{ $_->{values} } ]
            } @different
        ],
        left => [ 0 .. @names ]
    );
    return [ table => \%table ] if $how{form} ne 'text' || width_of(\%table, $how{ascii}) <= $how{columns};
    my $room = $how{columns} - 9 - max(map { width($_->{thing}) } @different) - max(map { width($_) } @names);
    my ($things, $runs) = map {
        max(map { width($_) } @$_)
    } [ map { $_->{thing} } @different ], \@names;
    my @lines = map {
        my $fact = $_;
        map {
            join '  ', '', _padded($_ ? '' : $fact->{thing}, $things), _padded($names[$_], $runs),
                short($fact->{values}[$_], max($LEAST, $room))
        } 0 .. $#names
    } @different;
    return ([ text => 'What differs' ], [ form => @lines ]);
}

sub _padded { my ($text, $columns) = @_; return $text . ' ' x ($columns - width($text)) }

1;
