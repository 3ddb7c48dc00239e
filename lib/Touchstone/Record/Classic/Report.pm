# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Report - one report, line by line. The part of the report in which a line stands decides
# how it is read: head, copies, results, index, score and rest; a page has its own results, cells. Dies with
# the number of the line that is wrong.
package Touchstone::Record::Classic::Report;
use 5.014;
use strict;
use warnings;
use re '/a';

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

my $CLOCK  = qr/\d{1,2}:\d\d:\d\d(?: ?[AP]M)?/a;
my $TIMES  = qr/\ABenchmark Run:\s*(\S.{0,80}?)\s+($CLOCK)\s+-\s+($CLOCK)\z/ai;
my $START4 = qr/\AStart Benchmark Run:\s*(.{0,100})\z/i;
my $END4   = qr/\AEnd Benchmark Run:\s*(.{0,100})\z/i;
my $FIRST4 = qr/\(\S{1,20} secs?,\s*\d*(?:\s+samples?\))?\z/a;
my $CPUS   = qr/(?:(\d{1,9}) CPUs? in system; )?/a;
my $COPIES = qr/\A${CPUS}running ($WHOLE) parallel cop(?:y|ies) of tests\z/a;
my $PAGE =
    qr/\ABenchmark Run:\s*(\d{1,9}) CPUs?(?:;| in system; running) ($WHOLE) parallel (?:process|cop)\w*(?: of tests)?\z/a;
my $TIME  = qr/\ATime:\s*($CLOCK)\s+-\s+($CLOCK)(?:;.*)?\z/a;
my $SCORE = qr/\A(?:(\S.*?) )?(?:Index )?Score( \(Partial Only\))?:?\s+(\S+)\z/a;
my $CELLS = qr/\ATest\s+Score\s+Unit\s+Time\s+Iters\.?(?:\s+Baseline\s+Index)?\z/a;
my $CELL_ROW =
    qr/\A(\S|\S.*?\S)\s+($FIGURE)\s+([^\s\d]\S*)\s+($FIGURE)\s+s\s+($WHOLE)(?:\s+(\S+)\s+(\S+))?\z/a;

my $FEWEST_CELLS = 3;

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
    my $report = bless {
        titles     => $has{titles},
        line       => $has{line},
        first_line => $has{line},
        day        => $has{day},
        part       => 'head',
        rows       => 0,
        data       => {
            version => $has{version},
            line    => $has{line},
            system  => Touchstone::Record::Classic::Facts::unknown(),
            blocks  => [],
            notes   => []
        },
    }, $class;
    $report->{is_old} = ($has{version} // '') =~ /\A4\b/a ? 1 : 0;
    return $report;
}

# Reads the words of a line. Returns a report that begins here, if one does.
sub take {
    my ($report, $number, $words) = @_;
    $report->{line} = $number;
    if (length $words > $LONGEST_LINE) {
        return if $report->{part} eq 'rest';
        wrong($report, "the line has over $LONGEST_LINE bytes");
    }
    my $next =
          $words =~ /\ABenchmark Run:/i ? _begin_block($report, $words)
        : $words =~ $START4             ? _begin_old($report, $1)
        : $words =~ $COPIES             ? _copies_line($report, $words)
        :                                 $TAKE{ $report->{part} }->($report, $words);
    return ref $next ? $next : undef;
}

sub _count_row {
    my ($report) = @_;
    wrong($report, "there are over $MOST_ROWS rows") if ++$report->{rows} > $MOST_ROWS;
    return;
}

sub _head_line {
    my ($report, $line) = @_;
    if ($report->{is_old}) {
        my $is_row = $line =~ $FIRST4;
        _begin_old($report, '') if $is_row || $line =~ $HEADING4;
        return $is_row ? _result_line($report, $line) : _known_line($report, $line) if $report->{block};
    }
    Touchstone::Record::Classic::Facts::take($report, $line);
    _count_row($report) if $report->{flags_of};
    return;
}

sub _new_block {
    my ($report, $part, %has) = @_;
    _end_block($report);
    _count_row($report);
    $report->{block} = { line => $report->{line}, %has, tests => [], indexes => [] };
    @$report{qw(part indexed measured heading held nothing)} = ($part, {}, {}, undef, undef, []);
    return 1;
}

sub _begin_block {
    my ($report, $line) = @_;
    if ($line =~ $PAGE) {
        my ($cpus, $copies) = ($1, $2);
        _new_block($report, 'cells', $cpus ? (cpus => 0 + $cpus) : ());
        $report->{block}{date} = $report->{day} if defined $report->{day};
        return _has_copies($report, $cpus, $copies);
    }
    my ($date, $from, $to) = $line =~ $TIMES
        or wrong($report,
              "'"
            . shown($line)
            . "' is not a time, expected 'Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04'");
    _new_block($report, 'copies', date => $date, from => $from, to => $to, started => "$date $from");
    return;
}

# Version 4 measured with one copy, and shows its tests without a block.
sub _begin_old {
    my ($report, $started) = @_;
    my ($from) = $started =~ /($CLOCK)/;
    _new_block($report, 'results', length $started ? (started => $started, date => $started) : ());
    $report->{block}{from} = $from if defined $from;
    @$report{qw(is_old is_open)} = (1, 1);
    return _has_copies($report, undef, 1);
}

# Nothing else stands between the time and the copies. Without a time the block begins here.
sub _copies_line {
    my ($report, $line) = @_;
    return if $line =~ $RULE;
    my ($cpus, $copies) = $line =~ $COPIES
        or wrong($report,
              "'"
            . shown($line)
            . "' stands in the place of 'N CPUs in system; running N parallel copies of tests'");
    _new_block($report, 'results')
        if $report->{part} ne 'copies' && ($report->{part} ne 'cells' || @{ $report->{block}{tests} });
    my $block = $report->{block};

    # UnixBench 5 measures nothing where there are more copies than it can run: a block of no time.
    $report->{part} = ($block->{from} // '') eq ($block->{to} // 0) ? 'rest' : 'results'
        if $report->{part} eq 'copies';
    return _has_copies($report, $cpus, $copies);
}

# If reports without a head follow each other, a block of another run begins the next one.
sub _has_copies {
    my ($report, $cpus, $copies) = @_;
    $report->{block}{copies} = 0 + $copies;
    $report->{block}{cpus}   = 0 + $cpus if $cpus;
    push @{ $report->{data}{notes} }, 'the report counts 0 CPUs: their number is unknown'
        if defined $cpus && !$cpus && !$report->{uncounted}++;
    return
        if defined $report->{data}{version}
        || !grep { _is_other($_, $report->{block}) } @{ $report->{data}{blocks} };
    my $next =
        Touchstone::Record::Classic::Report->new(titles => $report->{titles}, line => $report->{block}{line});
    @$next{qw(is_old is_open)} = @$report{qw(is_old is_open)};
    @$next{qw(block part indexed measured nothing rows)} =
        (delete $report->{block}, $report->{part}, {}, {}, [], 1);
    $next->{line} = $report->{line};
    return $next;
}

# Whether a block is of another run: a run has each number of copies once, and one number of CPUs.
sub _is_other {
    my ($one, $other) = @_;
    return $one->{copies} == $other->{copies} || ($one->{cpus} // 0) != ($other->{cpus} // 0);
}

# Only results stand between the first result and the empty line. A line that is none may be the first part
# of one. In version 4 facts about the system stand before the first.
sub _result_line {
    my ($report, $line) = @_;
    if ($line =~ $RULE) {
        _take_held($report);
        $report->{part} = 'rest'
            if @{ $report->{block}{tests} } || @{ $report->{nothing} } || $line =~ /[^-=\s]/;
        return;
    }
    if (!$report->{held} && !@{ $report->{block}{tests} } && ($line =~ $TIME || $line =~ $CELLS)) {
        $report->{part} = 'cells';
        return _cells_line($report, $line);
    }
    return 1 if _known_line($report, $line);
    my $is_harmless = $report->{is_open} && !@{ $report->{block}{tests} };
    _old_head($report, $line) if $is_harmless;
    _take_held($report);
    $report->{held} = [ $report->{line}, $line, $is_harmless ];
    return;
}

sub _old_head {
    my ($report, $line) = @_;
    if ($line =~ $END4) {
        my ($to) = $1 =~ /($CLOCK)/;
        $report->{block}{to} = $to if defined $to;
        return;
    }
    Touchstone::Record::Classic::Facts::take($report, $line);
    return;
}

# Takes a line that has no second part: it is a result without its time, or wrong.
sub _take_held {
    my ($report) = @_;
    my $held = delete $report->{held} or return;
    return if $held->[2];
    local $report->{line} = $held->[0];
    return _result($report, $held->[1]);
}

# Returns true if the line is one that may stand anywhere in a block.
sub _known_line {
    my ($report, $line) = @_;
    if ($line =~ $HEADING || $report->{is_old} && $line =~ $HEADING4) {
        _take_held($report);
        @$report{qw(part heading unit ruled)} = ('index', title($report, $1 // $SYSTEM), $2, 0);
        return 1;
    }
    if ($line =~ $NOTHING || $line =~ $INDEX || $line =~ $INDEX4) {
        my @parts = ($1, $2, $3);
        _take_held($report);
        return defined $parts[2] ? _index($report, @parts) : _nothing($report, $parts[0]);
    }
    my $held  = $report->{held};
    my $whole = $held ? wrapped_result($held->[1], $line) : undef;
    if (defined $whole) {
        delete $report->{held};
        local $report->{line} = $held->[0];
        return _result($report, $whole);
    }
    if ($line =~ /samples?\)\z/) {
        _take_held($report);
        return _result($report, $line);
    }
    $report->{held} = [ $report->{line}, $line, 1 ] if $report->{part} eq 'rest' && length $line;
    return 0;
}

sub _nothing {
    my ($report, $title) = @_;
    push @{ $report->{nothing} }, title($report, $title);
    return 1;
}

sub _result {
    my ($report, $line) = @_;
    _count_row($report);
    my $test = result($report, $line);
    $report->{measured}{ $test->{title} } = 1;
    _add_test($report, %$test, line => $report->{line});
    return 1;
}

sub _add_test {
    my ($report, %test) = @_;
    my $row = $report->{titles}{ $test{title} };
    push @{ $report->{block}{tests} },
        { name => $row ? $row->{name} : $test{title}, %test, $row ? () : (unknown => 1) };
    return;
}

# A page shows the result and the index of a test in one row.
sub _cells_line {
    my ($report, $line) = @_;
    my $block = $report->{block};
    if ($line =~ $TIME) {
        @$block{qw(from to)} = ($1, $2);
        $block->{started} = "$block->{date} $1" if defined $block->{date};
        return;
    }
    if ($line =~ $SCORE) {
        my ($title, $partial, $score) = ($1 // $SYSTEM, $2, $3);
        _head_rows($report, $title);
        _index($report, $title, $partial, $score);
        $report->{part} = 'cells';
        return;
    }
    return $report->{in_cells} = 1 if $line =~ $CELLS;
    $line =~ $CELL_ROW or return $report->{in_cells} && _no_cells($report, $line);
    my ($title, $score, $unit, $seconds, $samples, $baseline, $index) = ($1, $2, $3, $4, $5, $6, $7);
    _count_row($report);
    my $test = result($report, "$title $score $unit ($seconds s, $samples samples)");
    $report->{measured}{$title} = 1;
    _add_test($report, %$test, line => $report->{line});
    ($baseline, $index) = map { s{\A(?:-+|n/a)\z}{---}ir } $baseline, $index if defined $index;
    _row($report, $title, $baseline, $score, $index) if defined $index;
    $report->{open} = 1                              if defined $index;
    return;
}

# A line with figures in the table that is not a row of it is damaged.
sub _no_cells {
    my ($report, $line) = @_;
    wrong($report,
        "'" . shown($line) . "' is not a row of a page, expected 'TEST SCORE UNIT TIME ITERS BASELINE INDEX'")
        if ($line =~ tr/\t//) >= $FEWEST_CELLS || $line =~ /$FIGURE/;
    return;
}

# The rows above an index belong to it, but for tests of other categories.
sub _head_rows {
    my ($report, $heading) = @_;
    for my $title (keys %{ $report->{indexed} }) {
        my $test_row = $report->{titles}{$title};
        my $own      = $test_row ? $test_row->{heading} : $heading;
        $report->{indexed}{$title}{heading} //= $heading if $own eq $heading;
    }
    return;
}

sub _index_line {
    my ($report, $line) = @_;
    if ($line =~ $RULE) {

        # A rule ends the rows, and the score follows.
        $report->{part}  = 'rest' if $report->{ruled};
        $report->{ruled} = 1      if length $line && %{ $report->{indexed} };
        return;
    }
    return if $line =~ $COLUMNS;
    return _index($report, $1, $2, $3) if $line =~ $INDEX || $line =~ $INDEX4;
    if ($line =~ $NO_SCORE) { @$report{qw(part held)} = ('score', [ $report->{line}, $line ]); return }
    my $held = delete $report->{held};
    if ($held) {
        my $is_rest = $line =~ /\A(?:(?:$FIGURE|---)(?:\s+|\z)){1,3}\z/a;
        _refuse_row($report, $held) if !$is_rest || $held->[1] =~ /(?:\A|\s)[\d,]*\d\z/a;
        ($report->{line}, $line) = ($held->[0], "$held->[1] $line");
    } elsif ($line =~ /\A\S.*\S\z/ && _is_half_row($line)) {
        $report->{held} = [ $report->{line}, $line ];
        return;
    }
    return _table_row($report, $line);
}

# A row has three figures; the mail program that wrapped its line left fewer.
sub _is_half_row {
    my ($line) = @_;
    my ($title, $figures) = $line =~ /\A([A-Z].*?)((?:\s+(?:$FIGURE|---))*)\z/a or return 0;
    my @figures = split ' ', $figures;
    return @figures < 3 && $title !~ /\s(?:$FIGURE|\d+\z)/a;
}

sub _refuse_row {
    my ($report, $held) = @_;
    $report->{line} = $held->[0];
    _table_row($report, $held->[1]);
    wrong($report,
        "'" . shown($held->[1]) . "' is not a row of an index, expected 'TITLE BASELINE RESULT INDEX'");
    return;
}

sub _table_row {
    my ($report, $line)    = @_;
    my ($title,  @figures) = row_of($report, $line);
    _count_row($report);
    _row($report, $title, @figures);
    return;
}

# A test without a baseline has no index, and its row shows neither.
sub _row {
    my ($report, $title, $baseline, $result, $index) = @_;
    Touchstone::Record::Classic::Line::whole_title($report, $title, $baseline);
    my %row = map { $_ => $report->{$_} } qw(line heading unit);

    # A result that is far less than the unit of its table is printed as 0.0.
    my $is_none = defined $row{unit} && $result eq '0.0';
    $row{result} = $is_none ? 0 : figure($report, $result, 'a result');
    if ("$baseline $index" ne '--- ---') {
        $row{baseline} = figure($report, $baseline, 'a baseline');
        $row{index} =
            Touchstone::Record::Classic::Block::is_less_than_shown(\%row, $index)
            ? 0
            : figure($report, $index, 'an index');
    }
    $report->{indexed}{$title} = \%row;
    return;
}

# The figure of an index in the line after its name.
sub _score_line {
    my ($report, $line) = @_;
    return if $line =~ $RULE;
    my $held = delete $report->{held};
    return _index($report, $1, $2, $3) if "$held->[1] $line" =~ $INDEX || "$held->[1] $line" =~ $INDEX4;
    return _refuse_row($report, $held);
}

sub _index {
    my ($report, $title, $partial, $score) = @_;
    _count_row($report);
    $title = $SYSTEM if $title eq 'FINAL SCORE';

    # A log may show it again below the report.
    return 1 if $report->{part} eq 'rest' && grep { $_->{title} eq $title } @{ $report->{block}{indexes} };
    push @{ $report->{block}{indexes} },
        {
        title   => title($report, $title),
        partial => length($partial // '') ? 1 : 0,
        score   => figure($report, $score, 'an index'),
        line    => $report->{line}
        };
    @$report{qw(part heading unit open in_cells)} = ('rest', undef, undef, 0, 0);
    return 1;
}

# Ends the block. A table without an end may lack anything.
sub _end_block {
    my ($report, $is_last) = @_;
    my $block = $report->{block} or return;
    if    ($report->{held} && $report->{part} eq 'index') { _refuse_row($report, $report->{held}) }
    elsif ($report->{part} eq 'results')                  { _take_held($report) }
    my $is_cut = $report->{part} eq 'score' || $report->{part} eq 'index' || $report->{open};
    $is_cut ||= $is_last && $report->{part} eq 'results' && @{ $block->{tests} };
    wrong($report, 'the report is cut off within a table') if $is_cut;
    delete @$report{qw(block held open in_cells)};
    Touchstone::Record::Classic::Block::finish($report, $block);
    return;
}

# Ends the report. `half`: the last line, which has no end and could not be read. Returns the data.
sub finish {
    my ($report, $half) = @_;
    my $data = $report->{data};
    wrong($report, 'the report is cut off within a table')
        if defined $half && $report->{block} && $report->{part} =~ /\A(?:results|index|score)\z/;
    _end_block($report, 1);
    die "line $report->{first_line}: the report holds no result\n" if !@{ $data->{blocks} };
    $data->{old} = 1                                               if $report->{is_old};
    unshift @{ $data->{notes} }, 'the report seems to be cut off' if $report->{cut} || defined $half;
    unshift @{ $data->{notes} },
        "its version is unknown: there is no line 'BYTE UNIX Benchmarks (Version ...)'"
        if !defined $data->{version};
    return $data;
}

1;
