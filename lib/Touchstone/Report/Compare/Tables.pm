# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Tables - the figures of a comparison as tables, which in a text fit its columns: of two
# runs, on pages with a picture above each, of tests x runs, of what differs between the machines, and of
# builds.
#
#   Test               c7i-large  m7a-large  Speed  95 % interval   Verdict
#   whetstone-double        5110       6227  +22 %   +21 to +23 %   faster
#
#   Test               c7i-large    c8g-large    m7a-large
#   whetstone-double        5110  +14 % ±4.8  +22 % ±5.0
#
# `how` is { columns, ascii } of a text: how wide it may be, and whether its reader has no other signs.
package Touchstone::Report::Compare::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH ascii);
use Touchstone::Base::Text qw(copies short width);
use Touchstone::Base::Time qw(local_time);
use Touchstone::Compare;
use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Verdict qw(difference half label limits scores);
use Touchstone::Report::Render::Text;
use Touchstone::Report::Verdict qw(class is_clear sign word);

# Texts that go into a file or a pipe have so many columns.
our $COLUMNS = 80;

# The name of a run is the head of a column of a text if it has no more letters; else a letter is.
my $NAME = 14;

# A fact has this many letters where there is room, and this many where there is none.
my ($FACT, $LEAST) = (200, 8);

# What stands behind a figure that is neither faster nor slower.
our $SIGNS = sprintf 'The sign %s means %s, %s %s; a figure without ± was not tested.',
    map { (sign($_), word($_)) } $Touchstone::Compare::SAME, $Touchstone::Compare::UNKNOWN;

# What one of the columns is called, and what the verdicts allow for.
my $LIMIT = 'Min. detectable';
my $HOLM  = 'Verdicts are corrected for multiple comparisons (Holm).';

# Scores of a busy machine have another ratio than turns that met the same.
my $TURNS = 'Paired speed, interval and verdict come from interleaved blocks; the scores of the whole run'
    . ' may have a different ratio.';

# Parts of an index stand between the answer and the single tests.
my $OF_PARTS = 'Parts';

# The columns of a table of two runs. A narrow text is without those that are `wide`.
my @COLUMNS_OF_TWO = (
    {
        title  => 'Speed',
        paired => 'Paired speed',
        cell   => sub { difference(@{ $_[0] }{qw(ratio interval)}) }
    },
    {
        title => '95 % interval',
        cell  => sub { limits(@{ $_[0] }{qw(ratio interval)}) }
    },
    {
        title => $LIMIT,
        wide  => 1,
        cell  => sub { defined $_[0]{detectable} ? part($_[0]{detectable}) : $DASH }
    },
    { title => 'Verdict', left => 1,      verdict => 1, cell => sub { word($_[0]{verdict}) } },
    { title => 'Passes',  in   => 'page', wide    => 1, cell => \&_passes },
);

sub _passes {
    my ($test) = @_;
    my @passes = @{ $test->{passes} || [] };
    return (grep { $_ } @passes) ? $passes[0] == $passes[1] ? $passes[0] : join ', ', @passes : $DASH;
}

# Builds that take turns are compared by their rounds. The scores beside that are those of the whole run,
# with what disturbed it, and have another ratio.
my $DELIVERED = '; scores of the whole run';

# A table for each copy count, as texts and Markdown have it. In a text all have the same columns, as many as
# fit: letters stand for long names, and a narrow window has no scores. `of` is what is shown, if it is not
# all; `classic`: without units, which readers of UnixBench's report look for.
sub of_two {
    my ($pair, $names, %how) = @_;
    my @heads  = heads(@$names);
    my $tables = sub {
        my ($wide, @titles) = @_;
        return
            map { [ table => of_copies($pair, $_, \@titles, wide => $wide, of => $how{of}) ] }
            copy_counts($pair);
    };
    my @letters = map { _letter($_) } 0, 1;
    my @narrow;
    my @cases = map { [ $_, @heads ] } 2, 1, 0;
    push @cases, (map { [ $_, @letters ] } 2, 1, 0), [0];
    @cases = ([ 2, @heads ], [ 0, @heads ], [ 2, @letters ], [ 0, @letters ], [0]) if $how{classic};
    for my $case (@cases) {
        @narrow = $tables->(@$case);
        next if @$case > 1 && grep { _is_too_wide($_->[1], %how) } @narrow;
        unshift @narrow, _legend(@$names) if @$case > 1 && $case->[1] ne $heads[0];
        last;
    }
    return ([ in => ['text'], @narrow ], [ in => ['markdown'], $tables->(2, @heads) ]);
}

# Names in heads of columns lack the words with which all begin.
sub heads {
    my (@names) = @_;
    my ($first, @others) = @names;
    while ($first =~ /\A(\S+ )(?=.*\w)/s) {
        my $word = $1;
        last if grep { index($_, $word) != 0 || length $_ == length $word } @others;
        ($first, @others) = @names = map { substr $_, length $word } @names;
    }
    return @names;
}

# The table of one copy count; `wide`: 2 with all columns, 1 without limits, 0 without units, too. A page
# leaves out columns without figures, because no row of tests that were
# not tested has an interval, and verdicts that a picture has.
sub of_copies {
    my ($pair, $copies, $titles, %how) = @_;
    my @rows      = grep { $_->{copies} == $copies } @{ $pair->{tests} }, @{ $pair->{indexes} };
    my $is_paired = _is_of_turns(@rows);
    my @scores    = map {
        my $i = $_;
        { title => $titles->[$i], more => 1, cell => sub { (scores($_[0], !$how{wide}))[$i] } }
    } 0 .. $#$titles;
    my @figures =
        grep { ($how{wide} > 1 || !$_->{wide}) && !($how{pictured} && $_->{verdict}) } @COLUMNS_OF_TWO;
    @figures = grep { _has_figures($_, @rows) } @figures if $how{page};
    @figures =
        map { +{ %$_, title => $is_paired && $_->{paired} || $_->{title}, more => $_->{wide} } } @figures;
    return {
        caption => _caption($copies, $how{of}) . (@$titles && $is_paired ? $DELIVERED : ''),
        columns => [ test_columns(), @scores, @figures ],
        rows    => \@rows,
        class   => 'pinned'
    };
}

# The name of the test of a row. That of a part of an index is for people everywhere. A page has people's
# name of a test; other forms have that of the command line, which a text cuts.
sub test_columns {
    my ($row_of) = @_;
    return map {
        my $form = $_;
        my $cell = sub { label($row_of ? $row_of->($_[0]) : $_[0], $form) };
        { title => 'Test', in => [$form], left => 1, cell => $cell, foot => $cell }
    } qw(text markdown html);
}

# True for figures of builds that took turns.
sub _is_of_turns {
    return scalar grep { $_->{rounds} } @_;
}

# "1 copy", "Scores, 1 copy" below a picture; "Parts, 1 copy" where not all is shown.
sub _caption {
    my ($copies, $title) = @_;
    return (defined $title ? "$title, " : '') . copies($copies);
}

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

sub _is_too_wide {
    my ($table, %how) = @_;
    return Touchstone::Report::Render::Text::width_of(\%how, $table) > ($how{columns} // $COLUMNS);
}

# A table of all runs for each copy count: the scores of the first, and by how much the others differ. Those
# of a page stand in a row where there is room.
sub of_many {
    my ($comparison, %how) = @_;
    my @pairs  = @{ $comparison->{pairs} };
    my @counts = copy_counts(@pairs) or return;
    my @names  = @{ $comparison->{label} };
    my @heads  = heads(@names);
    my $is_cut = max(map { width($_) } @heads) > $NAME;
    my @short  = $is_cut ? map { _letter($_) } 0 .. $#names : @heads;
    my (@texts, @pages);

    for my $copies (@counts) {
        my $rows = _rows_of_many($copies, @pairs);
        push @texts, map { [ table => $_ ] } _fitting(\%how, $copies, \@short, $rows);
        push @pages, [ block => {}, [ table => _of_many($copies, $how{of}, \@heads, $rows) ] ];
    }
    return (
        [ in => ['text'], $is_cut ? _legend(@names) : (), @texts ],
        [ in => [qw(markdown html)], [ block => { class => 'row-of' }, @pages ] ]
    );
}

sub copy_counts {
    my %seen = map { $_->{copies} => 1 } map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @_;
    return sort { $a <=> $b } keys %seen;
}

# Returns { tests, indexes }: rows [ of one pair each, or undef ], in the order in which they are first met.
sub _rows_of_many {
    my ($copies, @pairs) = @_;
    my (%of, %rows);
    for my $kind (qw(tests indexes)) {
        my @order;
        for my $i (0 .. $#pairs) {
            for my $row (grep { $_->{copies} == $copies } @{ $pairs[$i]{$kind} }) {
                push @order, $row->{key} if !$of{ $row->{key} };
                $of{ $row->{key} }[$i] = $row;
            }
        }
        $rows{$kind} = [ map { [ @{ $of{$_} }[ 0 .. $#pairs ] ] } @order ];
    }
    return \%rows;
}

# `only`: the pairs that have columns, if it is not all; `text`: whether signs have a column of their own.
sub _of_many {
    my ($copies, $title, $titles, $rows, %how) = @_;
    my @known = grep { defined } map { @$_ } map { @$_ } @$rows{qw(tests indexes)};
    my $largest =
        max(map { abs log $_->{ratio} } grep { $_->{ratio} && is_clear($_->{verdict}) } @known) || 1;
    my $first = sub {
        (grep { defined } @{ $_[0] })[0];
    };
    my $score   = sub { (scores($first->($_[0])))[0] };
    my @changes = map {
        my $i         = $_;
        my $is_signed = $how{text} && grep { $_->[$i] && sign($_->[$i]{verdict}) } map { @$_ } values %$rows;
        my $cell      = sub { _change($_[0][$i], $largest, $is_signed) };
        { title => $titles->[ $i + 1 ], cell => $cell, foot => $cell }
    } $how{only} ? @{ $how{only} } : 0 .. $#$titles - 1;
    my $has_tests = @{ $rows->{tests} };
    return {
        caption => _caption($copies, $title) . (_is_of_turns(@known) ? $DELIVERED : ''),
        columns => [
            test_columns($first), { title => $titles->[0], more => 1, cell => $score, foot => $score },
            @changes
        ],
        rows  => $has_tests ? $rows->{tests}   : $rows->{indexes},
        foot  => $has_tests ? $rows->{indexes} : [],
        class => 'pinned grid'
    };
}

# Returns "+13 % ±0.9", with a sign where that is no difference; on a page the larger a difference, the
# deeper the colour behind it. `is_signed`: a text without a sign has room for one.
sub _change {
    my ($row,   $largest,  $is_signed) = @_;
    my ($ratio, $interval, $verdict)   = @{ $row || {} }{qw(ratio interval verdict)};
    my $sign = $row ? sign($verdict) : '';
    my @rest = grep { length } half($ratio, $interval), $sign;
    my $room = $is_signed && !length $sign ? '  ' : '';
    my $text = difference($ratio);
    return { text => join(' ', $text, @rest) . $room, key => '---' } if !$ratio;
    my $is_clear = is_clear($verdict);
    return {
        text => [
            $is_clear ? { text => $text, as => 'b' }                       : $text,
            @rest     ? (' ', { text => join(' ', @rest), as => 'small' }) : (),
            $room
        ],
        key   => $ratio - 1,
        class => $is_clear ? _shade($verdict, abs(log $ratio) / $largest) : 'dim',
        title => word($verdict) . (defined $row->{why} ? ": $row->{why}" : '')
    };
}

# So many shades tell sizes apart.
my $SHADES = 4;

sub _shade {
    my ($verdict, $part) = @_;
    return (class($verdict) eq 'good' ? 'up' : 'down') . max(1, min($SHADES, int(0.999 + $SHADES * $part)));
}

# Splits a table of a text into several that fit, each with the first two columns.
sub _fitting {
    my ($how, $copies, $titles, $rows) = @_;
    my $some = sub { return _of_many($copies, $how->{of}, $titles, $rows, text => 1, only => [@_]) };
    my @left = 0 .. $#$titles - 1;
    my @tables;
    while (@left) {
        my $many = 1;
        $many++ while $many < @left && !_is_too_wide($some->(@left[ 0 .. $many ]), %$how);
        push @tables, $some->(splice @left, 0, $many);
    }
    return @tables;
}

# The runs, and what differs between their machines: side by side, or one below the other where a text has no
# room. A page has links to the runs' own pages, if `links` has them: { name => address }.
sub of_facts {
    my ($comparison, %how) = @_;
    my @different = (_origins($comparison), @{ $comparison->{differences} }) or return;
    my @names     = heads(@{ $comparison->{label} });
    my @columns   = map {
        my $i    = $_;
        my $cell = sub {
            my $value = short($_[0]{values}[$i], $FACT);
            my $link  = $_[0]{thing} eq 'run' ? ($how{links} || {})->{$value} : undef;
            return defined $link ? [ { text => $value, link => $link } ] : $value;
        };
        { title => $names[$i], left => 1, cell => $cell }
    } 0 .. $#names;
    my %table = (
        columns => [ { title => '', left => 1, cell => sub { $_[0]{thing} } }, @columns ],
        rows    => \@different,
        class   => @names > 2 ? 'both stacked' : 'both'
    );
    my $what  = @{ $comparison->{differences} } ? 'The runs, and what differs' : 'The runs';
    my @brief = grep { !$_->{on_page} } @different;
    my @text  = [ table => { %table, rows => \@brief, caption => $what } ];
    @text = ([ text => $what ], [ form => _one_below_the_other($how{columns} // $COLUMNS, \@brief, \@names) ])
        if _is_too_wide({ %table, rows => \@brief }, %how);
    return ([ in => ['text'], @text ],
        [ in => [qw(markdown html)], [ table => { %table, description => $what } ] ]);
}

# Name, date, kernel and compiler of each run, if they are known and not among the differences. A text has no
# room for the last two.
sub _origins {
    my ($comparison) = @_;
    my @runs         = @{ $comparison->{origins} || [] };
    my %other        = map { $_->{thing} => 1 } @{ $comparison->{differences} };
    my @of           = (
        [ run => sub { $_[0]{name} } ],
        [
            measured => sub {
                defined $_[0]{started} ? join ' ', local_time(@{ $_[0] }{qw(started utc_offset)}) : undef;
            }
        ],
        map {
            my $key = $_;
            [ $key => sub { $_[0]{$key} } ]
        } qw(kernel compiler)
    );
    return grep { @{ $_->{values} } && !$other{ $_->{thing} } }
        map {
        my ($thing, $value) = @$_;
        my @values = map { $value->($_) } @runs;
        +{
            thing   => $thing,
            on_page => $thing =~ /\A(?:kernel|compiler)\z/ ? 1                               : 0,
            values  => (grep { defined } @values)          ? [ map { $_ // $DASH } @values ] : []
        }
        } @of;
}

sub _one_below_the_other {
    my ($columns, $different, $names) = @_;
    my ($width_of_facts, $runs) = map {
        max(map { width($_) } @$_)
    } [ map { $_->{thing} } @$different ], $names;
    my $room = max($LEAST, $columns - 9 - $width_of_facts - $runs);
    return map {
        my $fact = $_;
        map {
            join '  ', '', _padded($_ ? '' : $fact->{thing}, $width_of_facts), _padded($names->[$_], $runs),
                short($fact->{values}[$_], $room)
        } 0 .. $#$names
    } @$different;
}

sub _padded { my ($text, $columns) = @_; return $text . ' ' x ($columns - width($text)) }

# The name or the flags of a build have at most this many letters.
my $BUILD = 40;

# What the sets of one --build are.
sub of_builds {
    my ($comparison) = @_;
    my @builds       = @{ $comparison->{builds} };
    my @rows         = map {
        my ($name, $flags, $compiler) = @{ $builds[$_] }{qw(name asked compiler)};
        my $run = $comparison->{runs}[$_] =~ s/ \(\S*\)\z//r;
        [
            map { short($_, $BUILD) } $name,
            $flags =~ /\S/ ? $flags : 'no flags',
            $compiler // 'unknown',
            $run
        ]
    } 0 .. $#builds;
    my @head = ('Build', 'Asked for', 'Compiler', 'Run');
    return [
        table => {
            description => 'The builds',
            class       => 'stacked',
            head        => \@head,
            left        => [ 0 .. 3 ],
            rows        => \@rows
        }
    ];
}

# The pair without the parts of its indexes, and with nothing else.
sub without_parts {
    my ($pair) = @_;
    return { %$pair, indexes => [ grep { !_is_part($_) } @{ $pair->{indexes} } ] };
}

sub _parts_of {
    my ($pair) = @_;
    return { %$pair, tests => [], indexes => [ grep { _is_part($_) } @{ $pair->{indexes} } ] };
}

sub _is_part { my ($index) = @_; return ($index->{role} // '') eq 'part' }

# The parts of indexes, of two runs or of many.
sub figures_of_parts {
    my ($comparison, %how) = @_;
    my ($first, @others) = map { _parts_of($_) } @{ $comparison->{pairs} };
    return if !grep { @{ $_->{indexes} } } $first, @others;
    return of_many({ %$comparison, pairs => [ $first, @others ] }, %how, of => $OF_PARTS)
        if @others;
    return figures($first, $comparison->{label}, [$first], %how, of => $OF_PARTS);
}

# `names` are those of both runs; `among` the pairs with which the pictures share a scale; `how` that of a
# text, with `of`, what is shown if it is not all.
sub figures {
    my ($pair, $names, $among, %how) = @_;
    return (of_two($pair, $names, %how),
        [ in => ['html'], sub { page_figures($pair, $names, $among, $how{of}) } ]);
}

# A picture of each copy count with its table. The first explains them.
sub page_figures {
    my ($pair, $names, $among, $title) = @_;
    my @counts = copy_counts($pair);
    my %with   = (among => $among, of => $title);
    return
        map { _page_of_copies($_, $pair, $names, %with, legend => !defined $title && $_ == $counts[0]) }
        @counts;
}

sub _page_of_copies {
    my ($copies, $pair, $names, %with) = @_;
    my ($tests, $indexes) = map {
        [ grep { $_->{copies} == $copies } @$_ ]
    } @$pair{qw(tests indexes)};
    my @picture = Touchstone::Report::Compare::Forest::parts(
        pair  => { tests => $tests, indexes => $indexes },
        names => $names,
        %with
    );
    my $title = !@picture ? $with{of} : defined $with{of} ? "$with{of} in figures" : 'Scores';
    my %how   = (wide => 2, page => 1, pictured => scalar @picture, of => $title);
    my $table = of_copies($pair, $copies, [ heads(@$names) ], %how);
    return (@picture, [ table => $table ]);
}

# Explains the figures of some pairs in each form, if there are any. A narrow text has no column of limits; a
# page shows all that are known.
sub how_to_read {
    my ($parts, @pairs) = @_;
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @pairs;
    return if !grep { $_->{interval} } @rows;
    my %has_limit = (
        text     => _has_limit(@$parts),
        markdown => @pairs == 1,
        html     => scalar grep { defined $_->{detectable} } @rows
    );
    my @turns  = (grep { $_->{rounds} } @rows) ? $TURNS : ();
    my @common = Touchstone::Report::Compare::Verdict::of_common(@rows);
    return map {
        my @limit = $has_limit{$_} ? "$LIMIT: the smallest difference that would have been detected." : ();
        [ in => [$_], [ text => join ' ', $HOLM, @turns, @limit, @common ] ]
    } sort keys %has_limit;
}

sub _has_limit {
    my (@parts) = @_;
    my @tables  = map { @$_[ 2 .. $#$_ ] } grep            { $_->[0] eq 'in' && $_->[1][0] eq 'text' } @parts;
    my @columns = map { @{ $_->[1]{columns} || [] } } grep { $_->[0] eq 'table' } @tables;
    return scalar grep { $_->{title} eq $LIMIT } @columns;
}

1;
