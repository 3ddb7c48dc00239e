# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Report - one report, line by line. The part of the report in which a line stands decides
# how it is read: head, copies, results, index, score and rest; a page has its own results, cells. Dies with
# the number of the line that is wrong.
package Touchstone::Record::Classic::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Classic::Block;
use Touchstone::Record::Classic::Facts;
use Touchstone::Record::Classic::Line qw($FIGURE $RULE $WHOLE figure result row_of shown title wrapped_result
    wrong);

# No report reaches these limits of bytes and rows; they keep a strange file from costing time and memory.
my $LONGEST_LINE = 20_000;
my $MOST_ROWS    = 10_000;

my $IN_UNIT = qr/ \((s|ms|us|ns)\)/;
my $NAMED   = qr/\A(\S.*) (?:Index Values|Partial Index)(?:$IN_UNIT)?\s+BASELINE/a;

# A mail program may have wrapped the line.
my $HEADING  = qr/$NAMED(?:\s+RESULT(?:\s+INDEX)?)?\z/a;
my $HEADING4 = qr/\A(?:TEST\s+)?INDEX VALUES\z/;
my $COLUMNS  = qr/\A(?:TEST\s+BASELINE(?:\s+RESULT(?:\s+INDEX)?)?|(?:RESULT\s+)?INDEX)\z/a;
my $INDEX    = qr/\A(\S.*) Index Score( \(Partial Only\))?:?\s+(\S+)\z/a;
my $INDEX4   = qr/\A(FINAL SCORE)()\s+(\S+)\z/a;
my $NO_SCORE = qr/\A(?:FINAL SCORE|\S.* Index Score(?: \(Partial Only\))?:?)\z/;
my $NOTHING  = qr/\A(\S|\S.*\S)\s+no measured results?\z/a;

# The index of version 4 has no name; later versions call it so.
our $SYSTEM = 'System Benchmarks';

my $CLOCK    = qr/\d{1,2}:\d\d:\d\d(?: ?[AP]M)?/a;
my $TIMES    = qr/\ABenchmark Run:\s*(\S.{0,80}?)\s+($CLOCK)\s+-\s+($CLOCK)\z/ai;
my $START4   = qr/\AStart Benchmark Run:\s*(.{0,100})\z/i;
my $END4     = qr/\AEnd Benchmark Run:\s*(.{0,100})\z/i;
my $CPUS     = qr/(?:(\d{1,9}) CPUs? in system; )?/a;
my $COPIES   = qr/\A${CPUS}running ($WHOLE) parallel cop(?:y|ies) of tests\z/a;
my $PAGE     = qr/\ABenchmark Run:\s*(\d{1,9}) CPUs?; ($WHOLE) parallel process(?:es)?\z/a;
my $TIME     = qr/\ATime:\s*($CLOCK)\s+-\s+($CLOCK)(?:;.*)?\z/a;
my $CELLS    = qr/\ATest\s+Score\s+Unit\s+Time\s+Iters\.?(?:\s+Baseline\s+Index)?\z/a;
my $CELL_ROW = qr/\A(\S|\S.*?\S)\s+($FIGURE)\s+([^\s\d]\S*)\s+($FIGURE) s\s+($WHOLE)(?:\s+(\S+)\s+(\S+))?\z/a;

my %TAKE = (
    head    => \&_head_line,
    copies  => \&_copies_line,
    results => \&_result_line,
    cells   => \&_cells_line,
    index   => \&_index_line,
    score   => \&_score_line,
    rest    => \&_known_line
);

# Whether a line begins a block where no report is open: a report that lost its head.
sub begins {
    my ($line) = @_;
    return $line =~ $TIMES || $line =~ $PAGE || $line =~ $START4 || $line =~ $COPIES;
}

# A report whose head is in this line. `version` is undef where there is no head.
sub new {
    my ($class, %has) = @_;
    my $at = bless {
        titles => $has{titles},
        line   => $has{line},
        begun  => $has{line},
        day    => $has{day},
        part   => 'head',
        rows   => 0,
        data   => {
            version => $has{version},
            line    => $has{line},
            system  => Touchstone::Record::Classic::Facts::unknown(),
            blocks  => [],
            notes   => []
        },
    }, $class;
    $at->{is_old} = ($has{version} // '') =~ /\A4\b/a ? 1 : 0;
    return $at;
}

# Reads the words of a line. Returns a report that begins here, if one does.
sub take {
    my ($at, $number, $words) = @_;
    $at->{line} = $number;
    if (length $words > $LONGEST_LINE) {
        return if $at->{part} eq 'rest';
        wrong($at, "the line has over $LONGEST_LINE bytes");
    }
    my $next =
          $words =~ /\ABenchmark Run:/i ? _begin_block($at, $words)
        : $words =~ $START4             ? _begin_old($at, $1)
        : $words =~ $COPIES             ? _copies_line($at, $words)
        :                                 $TAKE{ $at->{part} }->($at, $words);
    return ref $next ? $next : undef;
}

sub _count_row {
    my ($at) = @_;
    wrong($at, "there are over $MOST_ROWS rows") if ++$at->{rows} > $MOST_ROWS;
    return;
}

sub _head_line {
    my ($at, $line) = @_;
    if ($at->{is_old} || !defined $at->{data}{version}) {
        return _begin_old($at, '') && _result_line($at, $line) if $line =~ /\d secs?,\s*\d+\s+samples?\)\z/a;
        return _begin_old($at, '') && _known_line($at, $line)  if $line =~ $HEADING4;
    }
    Touchstone::Record::Classic::Facts::take($at, $line);
    _count_row($at) if $at->{flags_of};
    return;
}

sub _new_block {
    my ($at, $part, %has) = @_;
    _end_block($at);
    _count_row($at);
    $at->{block} = { line => $at->{line}, %has, tests => [], indexes => [] };
    @$at{qw(part indexed measured heading held nothing)} = ($part, {}, {}, undef, undef, []);
    return 1;
}

sub _begin_block {
    my ($at, $line) = @_;
    if ($line =~ $PAGE) {
        my ($cpus, $copies) = ($1, $2);
        _new_block($at, 'cells', $cpus ? (cpus => 0 + $cpus) : ());
        $at->{block}{date} = $at->{day} if defined $at->{day};
        return _has_copies($at, $cpus, $copies);
    }
    my ($date, $from, $to) = $line =~ $TIMES
        or wrong($at,
              "'"
            . shown($line)
            . "' is not a time, expected 'Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04'");
    _new_block($at, 'copies', date => $date, from => $from, to => $to, started => "$date $from");
    return;
}

# Version 4 measured with one copy, and shows its tests without a block.
sub _begin_old {
    my ($at, $started) = @_;
    my ($from) = $started =~ /($CLOCK)/;
    my %when = length $started ? (started => $started, date => $started) : ();
    $when{from} = $from if defined $from;
    return 1 if $at->{block} && !@{ $at->{block}{tests} } && %{ $at->{block} = { %{ $at->{block} }, %when } };
    $at->{is_old} = 1;
    _new_block($at, 'results', %when, copies => 1);
    $at->{is_open} = 1;
    return 1;
}

# Nothing else stands between the time and the copies. Without a time the block begins here.
sub _copies_line {
    my ($at, $line) = @_;
    return if $line =~ $RULE;
    my ($cpus, $copies) = $line =~ $COPIES
        or wrong($at,
              "'"
            . shown($line)
            . "' stands in the place of 'N CPUs in system; running N parallel copies of tests'");
    _new_block($at, 'results') if $at->{part} ne 'copies' && $at->{part} ne 'cells';
    $at->{part} = 'results'    if $at->{part} eq 'copies';
    return _has_copies($at, $cpus, $copies);
}

# Where reports without a head follow each other, the same number of copies begins the next one.
sub _has_copies {
    my ($at, $cpus, $copies) = @_;
    $at->{block}{copies} = 0 + $copies;
    $at->{block}{cpus}   = 0 + $cpus if $cpus;
    push @{ $at->{data}{notes} }, 'the report counts 0 CPUs: their number is unknown'
        if defined $cpus && !$cpus && !$at->{uncounted}++;
    return if defined $at->{data}{version} || !grep { $_->{copies} == $copies } @{ $at->{data}{blocks} };
    my $next = Touchstone::Record::Classic::Report->new(titles => $at->{titles}, line => $at->{block}{line});
    @$next{qw(block part indexed measured nothing rows)} = (delete $at->{block}, $at->{part}, {}, {}, [], 1);
    $next->{line} = $at->{line};
    return $next;
}

# Only results stand between the first result and the empty line. A line that is none may be the first part
# of one. In version 4 facts about the system stand before the first.
sub _result_line {
    my ($at, $line) = @_;
    if ($line =~ $RULE) {
        _refuse_held($at);
        $at->{part} = 'rest' if @{ $at->{block}{tests} } || @{ $at->{nothing} };
        return;
    }
    return 1 if _known_line($at, $line);
    my $is_harmless = $at->{is_open} && !@{ $at->{block}{tests} };
    _old_head($at, $line) if $is_harmless;
    _refuse_held($at);
    $at->{held} = [ $at->{line}, $line, $is_harmless ];
    return;
}

sub _old_head {
    my ($at, $line) = @_;
    if ($line =~ $END4) {
        my ($to) = $1 =~ /($CLOCK)/;
        $at->{block}{to} = $to if defined $to;
        return;
    }
    Touchstone::Record::Classic::Facts::take($at, $line);
    return;
}

sub _refuse_held {
    my ($at) = @_;
    my $held = delete $at->{held} or return;
    return if $held->[2];
    $at->{line} = $held->[0];
    result($at, $held->[1]);
    return;
}

# Returns true if the line is one that may stand anywhere in a block.
sub _known_line {
    my ($at, $line) = @_;
    if ($line =~ $HEADING || $at->{is_old} && $line =~ $HEADING4) {
        _refuse_held($at);
        @$at{qw(part heading unit ruled)} = ('index', title($at, $1 // $SYSTEM), $2, 0);
        return 1;
    }
    return _index($at, $1, $2, $3) if $line =~ $INDEX || $line =~ $INDEX4;
    return _nothing($at, $1) if $line =~ $NOTHING;
    my $held  = $at->{held};
    my $whole = $held ? wrapped_result($held->[1], $line) : undef;
    if (defined $whole) {
        delete $at->{held};
        local $at->{line} = $held->[0];
        return _result($at, $whole);
    }
    if ($line =~ /samples?\)\z/) {
        _refuse_held($at);
        return _result($at, $line);
    }
    $at->{held} = [ $at->{line}, $line, 1 ] if $at->{part} eq 'rest' && length $line;
    return 0;
}

sub _nothing {
    my ($at, $title) = @_;
    push @{ $at->{nothing} }, title($at, $title);
    return 1;
}

sub _result {
    my ($at, $line) = @_;
    _count_row($at);
    my $test = result($at, $line);
    $at->{measured}{ $test->{title} } = 1;
    _add_test($at, %$test, line => $at->{line});
    return 1;
}

sub _add_test {
    my ($at, %test) = @_;
    my $row = $at->{titles}{ $test{title} };
    push @{ $at->{block}{tests} },
        { name => $row ? $row->{name} : $test{title}, %test, $row ? () : (unknown => 1) };
    return;
}

# A page shows the result and the index of a test in one row.
sub _cells_line {
    my ($at, $line) = @_;
    my $block = $at->{block};
    if ($line =~ $TIME) { @$block{qw(from to)} = ($1, $2); return }
    if ($line =~ $INDEX) {
        my ($title, $partial, $score) = ($1, $2, $3);
        $_->{heading} //= $title for values %{ $at->{indexed} };
        _index($at, $title, $partial, $score);
        $at->{part} = 'cells';
        return;
    }
    return if $line !~ $CELL_ROW;
    my ($title, $score, $unit, $seconds, $samples, $baseline, $index) = ($1, $2, $3, $4, $5, $6, $7);
    _count_row($at);
    my $test = result($at, "$title $score $unit ($seconds s, $samples samples)");
    $at->{measured}{$title} = 1;
    _add_test($at, %$test, line => $at->{line});
    _row($at, $title, $baseline, $score, $index) if defined $index;
    $at->{open} = 1                              if defined $index;
    return;
}

sub _index_line {
    my ($at, $line) = @_;
    if ($line =~ $RULE) {

        # A rule ends the rows, and the score follows.
        $at->{part}  = 'rest' if $at->{ruled};
        $at->{ruled} = 1      if length $line && %{ $at->{indexed} };
        return;
    }
    return if $line =~ $COLUMNS;
    return _index($at, $1, $2, $3) if $line =~ $INDEX || $line =~ $INDEX4;
    if ($line =~ $NO_SCORE) { @$at{qw(part held)} = ('score', [ $at->{line}, $line ]); return }
    my $held = delete $at->{held};
    if ($held) {
        my $is_rest = $line =~ /\A(?:(?:$FIGURE|---)(?:\s+|\z)){1,3}\z/a;
        _refuse_row($at, $held) if !$is_rest || $held->[1] =~ /(?:\A|\s)[\d,]*\d\z/a;
        ($at->{line}, $line) = ($held->[0], "$held->[1] $line");
    } elsif ($line =~ /\A\S.*\S\z/ && _is_half_row($line)) {
        $at->{held} = [ $at->{line}, $line ];
        return;
    }
    return _table_row($at, $line);
}

# A row has three figures; the mail program that wrapped its line left fewer.
sub _is_half_row {
    my ($line) = @_;
    my ($title, $figures) = $line =~ /\A([A-Z].*?)((?:\s+(?:$FIGURE|---))*)\z/a or return 0;
    my @figures = split ' ', $figures;
    return @figures < 3 && $title !~ /\s(?:$FIGURE|\d+\z)/a;
}

sub _refuse_row {
    my ($at, $held) = @_;
    $at->{line} = $held->[0];
    _table_row($at, $held->[1]);
    wrong($at,
        "'" . shown($held->[1]) . "' is not a row of an index, expected 'TITLE BASELINE RESULT INDEX'");
    return;
}

sub _table_row {
    my ($at,    $line)    = @_;
    my ($title, @figures) = row_of($at, $line);
    _count_row($at);
    _row($at, $title, @figures);
    return;
}

# A test without a baseline has no index, and its row shows neither.
sub _row {
    my ($at, $title, $baseline, $result, $index) = @_;
    Touchstone::Record::Classic::Line::whole_title($at, $title, $baseline);
    my %row = map { $_ => $at->{$_} } qw(line heading unit);

    # A result that is far less than the unit of its table is printed as 0.0.
    my $is_none = defined $row{unit} && $result eq '0.0';
    $row{result} = $is_none ? 0 : figure($at, $result, 'a result');
    if ("$baseline $index" ne '--- ---') {
        $row{baseline} = figure($at, $baseline, 'a baseline');
        $row{index} =
            Touchstone::Record::Classic::Block::is_less_than_shown(\%row, $index)
            ? 0
            : figure($at, $index, 'an index');
    }
    $at->{indexed}{$title} = \%row;
    return;
}

# The figure of an index in the line after its name.
sub _score_line {
    my ($at, $line) = @_;
    return if $line =~ $RULE;
    my $held = delete $at->{held};
    return _index($at, $1, $2, $3) if "$held->[1] $line" =~ $INDEX || "$held->[1] $line" =~ $INDEX4;
    return _refuse_row($at, $held);
}

sub _index {
    my ($at, $title, $partial, $score) = @_;
    _count_row($at);
    push @{ $at->{block}{indexes} },
        {
        title   => $title eq 'FINAL SCORE' ? $SYSTEM : title($at, $title),
        partial => length($partial // '')  ? 1       : 0,
        score   => figure($at, $score, 'an index'),
        line    => $at->{line}
        };
    @$at{qw(part heading unit open)} = ('rest', undef, undef, 0);
    return 1;
}

# Ends the block; what is in a table that did not end is nothing to rely on.
sub _end_block {
    my ($at, $is_last) = @_;
    my $block = $at->{block} or return;
    if    ($at->{held} && $at->{part} eq 'index') { _refuse_row($at, $at->{held}) }
    elsif ($at->{part} eq 'results')              { _refuse_held($at) }
    my $is_cut = $at->{part} eq 'score' || $at->{part} eq 'index' || $at->{open};
    $is_cut ||= $is_last && $at->{part} eq 'results' && @{ $block->{tests} };
    wrong($at, 'the report is cut off within a table') if $is_cut;
    delete @$at{qw(block held open)};
    Touchstone::Record::Classic::Block::finish($at, $block);
    return;
}

# Ends the report. `half`: the last line, which has no end and could not be read. Returns the data.
sub finish {
    my ($at, $half) = @_;
    my $data = $at->{data};
    wrong($at, 'the report is cut off within a table')
        if defined $half && $at->{block} && $at->{part} =~ /\A(?:results|index|score)\z/;
    _end_block($at, 1);
    die "line $at->{begun}: the report holds no result\n" if !@{ $data->{blocks} };
    unshift @{ $data->{notes} }, 'the report seems to be cut off' if $at->{cut} || defined $half;
    unshift @{ $data->{notes} },
        "its version is unknown: there is no line 'BYTE UNIX Benchmarks (Version ...)'"
        if !defined $data->{version};
    return $data;
}

1;
