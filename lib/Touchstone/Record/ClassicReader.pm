# SPDX-License-Identifier: GPL-2.0-or-later
# Record::ClassicReader - reads the text report of UnixBench (versions 5 and later) or of Report::Classic. It
# skips what stands before and after the report, so that a whole terminal log can be read:
#
#   1 x Pipe Throughput  1 2 3 4 5 6 7 8 9 10
#   ========================================================================
#      BYTE UNIX Benchmarks (Version 6.0.0)
#
#      System: vm: GNU/Linux
#   ------------------------------------------------------------------------
#   Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04
#   2 CPUs in system; running 1 parallel copy of tests
#
#   Pipe Throughput                             3237107.4 lps   (10.0 s, 1 samples)
#
#   System Benchmarks Partial Index              BASELINE       RESULT    INDEX
#   Pipe Throughput                               12440.0    3237107.4   2602.2
#                                                                      ========
#   System Benchmarks Index Score (Partial Only)                         2602.2
#
# A table of seconds names their unit behind its heading: `1984 Benchmarks Index Values (us)`.
package Touchstone::Record::ClassicReader;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(copies plain short);
use Touchstone::Record::Largest;

# Every figure of a report has a decimal point: a figure without one was cut off. A number cannot keep more
# digits than these.
my $FIGURE = qr/\d{1,30}\.\d{1,30}/;
my $WHOLE  = qr/[1-9]\d{0,8}/;

# No report reaches these limits of bytes and rows; they keep a strange file from costing time and memory.
my $LONGEST_LINE  = 20_000;
my $LONGEST_ROW   = 1000;
my $LONGEST_TITLE = 200;
my $MOST_ROWS     = 10_000;
my $SHOWN         = 60;

my $FIRST_VERSION = 5;

# A figure with one decimal may be off by half a tenth; the rest allows for rounding in binary.
my $ROUNDED = 0.0501;

my $HEAD    = qr/^(?:\xef\xbb\xbf)?[ \t]*BYTE UNIX Benchmarks \(Version /m;
my $RULE    = qr/\A[-=]*\z/;
my $IN_UNIT = qr/ \((s|ms|us|ns)\)/;
my $HEADING = qr/\A(\S.*) (?:Index Values|Partial Index)(?:$IN_UNIT)?\s+BASELINE\s+RESULT\s+INDEX\z/a;
my $INDEX   = qr/\A(\S.*) Index Score( \(Partial Only\))?\s+(\S+)\z/a;
my $RESULT  = qr/\A(\S|\S.*\S)\s+(\S+)\s+(\S+)\s+\((\S+) s, (\S+) samples?\)\z/a;
my $ROW     = qr/\A(\S|\S.*\S)\s+(\S+)\s+(\S+)\s+(\S+)\z/a;

# Each row has the form of a line of the head, the part of the data that it fills, and the keys of its
# values.
my @FACTS = (
    [ qr/\ASystem: *(.*):(?: (.*))?\z/,              '', qw(name os) ],
    [ qr/\AOS: *(.*?)(?: -- (.*?)(?: -- (.*))?)?\z/, '', qw(os release version) ],
    [ qr/\AMachine: *([^(]*) \((.*)\)\z/,            '', qw(machine platform) ],
    [
        qr/\ALanguage: *([^(]*) \(charmap="([^"]*)", collate="([^"]*)"\)\z/,
        'locale', qw(name charmap collate)
    ],
    [ qr/\A(.*); runlevel ?(.*)\z/, '', qw(uptime runlevel) ],
);
my $CPU = qr/\ACPU (\d{1,9}): *(.*)\z/a;

# The part of the report that a line stands in decides how it is read.
my %TAKE = (
    head    => \&_head_line,
    copies  => \&_copies_line,
    results => \&_result_line,
    index   => \&_index_line,
    rest    => \&_known_line
);

# Says whether a text is a report of this kind, or holds one.
sub looks_like {
    my ($text) = @_;
    return $text =~ $HEAD ? 1 : 0;
}

# Returns the report as data; dies with the number of the line that is wrong. If the text holds several
# reports, the last one that is whole counts, and a note says so. `titles` is { title => row of a test }. A
# title that is not in it becomes the test's name, and the test is unknown. All texts are as they were found,
# so they are not to be trusted.
#
#   { version,
#     system => { name, os, release, version, machine, platform, uptime, runlevel,
#                 locale => { name, charmap, collate },
#                 cpus   => [ { id, model, bogomips, flags } ] },
#     blocks => [ { copies, cpus?, started, date, from, to,
#                   tests   => [ { name, title, score, unit, seconds, samples, baseline?, index?,
#                                  table?, unknown? } ],          table: the title of its index
#                   indexes => [ { title, partial, score } ] } ],
#     notes  => [ what is missing or odd ] }
sub parse {
    my ($text, $titles) = @_;
    my @reports = _reports($text) or die "line 1: there is no line 'BYTE UNIX Benchmarks (Version ...)'\n";
    my $best;
    for my $report (reverse @reports) {
        my $parsed = _report($report, $titles);
        $best = $parsed if @{ $parsed->{data}{blocks} } && (!$best || !$parsed->{cut});
        last if $best && !$best->{cut};
    }
    die "line $reports[-1]{line}: the report holds no result\n" if !$best;
    my $data = $best->{data};
    unshift @{ $data->{notes} }, 'the report seems to be cut off' if $best->{cut};
    unshift @{ $data->{notes} }, 'there are ' . @reports . " reports, the one in line $best->{line} was read"
        if @reports > 1;
    return $data;
}

# Returns for each report in the text:
#
#   { line  => number of its first line,
#     text  => from there to the next one,
#     half  => whether its last line has no end }
sub _reports {
    my ($text) = @_;
    my ($number, $before, @starts) = (1, 0);
    die
        "line 1: it has more than $Touchstone::Record::Largest::TEXT_LINES lines, which is too many for a report\n"
        if $text =~ tr/\n// > $Touchstone::Record::Largest::TEXT_LINES;
    while ($text =~ /$HEAD/g) {
        push @starts, $-[0];
        die
            "line 1: it holds more than $Touchstone::Record::Largest::REPORTS reports, which is too many for a text\n"
            if @starts > $Touchstone::Record::Largest::REPORTS;
    }
    my @reports;
    for my $i (0 .. $#starts) {
        my ($start, $end) = ($starts[$i], $starts[ $i + 1 ] // length $text);
        $number += substr($text, $before, $start - $before) =~ tr/\n//;
        $before = $start;
        push @reports, { line => $number, text => substr $text, $start, $end - $start };
    }
    $reports[-1]{half} = $text !~ /\n\z/ if @reports;
    return @reports;
}

# Returns { data, line, cut => whether something is missing at its end }.
sub _report {
    my ($report, $titles) = @_;
    my ($text)    = $report->{text} =~ /\A[^\n]*\n?(.*)\z/s;
    my ($first)   = $report->{text} =~ /\A([^\n]*)/;
    my ($version) = $first          =~ /\(Version ([^()\s]{1,40})\)/a
        or die "line $report->{line}: there is no version in '" . _shown($first) . "'\n";
    die "line $report->{line}: a report of version "
        . _shown($version)
        . ", versions $FIRST_VERSION and later are read\n"
        if $version =~ /\A(\d+)/a && $1 < $FIRST_VERSION;
    my %at = (
        titles => $titles,
        line   => $report->{line},
        part   => 'head',
        rows   => 0,
        cut    => 0,
        data   => { version => $version, system => _unknown_system(), blocks => [], notes => [] },
    );
    my $half = $report->{half} && $text =~ s/([^\n]+)\z// ? $1 : undef;
    _line(\%at, $1) while $text =~ /([^\n]*)\n/g;
    $at{cut} = 1 if defined $half && !eval { _line(\%at, $half); 1 };
    _end_block(\%at);
    return { data => $at{data}, line => $report->{line}, cut => $at{cut} };
}

sub _line {
    my ($number, $line) = @_;
    $number->{line}++;
    if (length $line > $LONGEST_LINE) {
        return if $number->{part} eq 'rest';
        _wrong($number, "the line has over $LONGEST_LINE bytes");
    }
    my ($words) = $line =~ /\A[ \t\r]*(?:(.*[^ \t\r]))?/s;
    $words //= '';
    return $words =~ /\ABenchmark Run:/
        ? _begin_block($number, $words)
        : $TAKE{ $number->{part} }->($number, $words);
}

sub _unknown_system {
    my %system = map { $_ => 'unknown' } qw(name os release version machine platform uptime runlevel);
    return { %system, locale => { map { $_ => 'unknown' } qw(name charmap collate) }, cpus => [] };
}

sub _wrong {
    my ($number, $what) = @_;
    die "line $number->{line}: $what\n";
}

# Makes words of a report fit for a message.
sub _shown {
    my ($text) = @_;
    return short(plain($text), $SHOWN);
}

# Reads a fact about the system. A line that is not understood does no harm here, because it is no result.
sub _head_line {
    my ($number, $line)     = @_;
    my ($system, $flags_of) = ($number->{data}{system}, delete $number->{flags_of});
    for my $fact (@FACTS) {
        my ($form, $part, @names) = @$fact;
        my @values = $line =~ $form or next;
        my $into   = $part ? $system->{$part} : $system;
        for my $i (0 .. $#names) { $into->{ $names[$i] } = $values[$i] if length($values[$i] // '') }
        return;
    }

    # The line below a CPU has the names of its features.
    if    ($line =~ $CPU) { $number->{flags_of} = _cpu($number, $1, $2) }
    elsif ($flags_of)     { $flags_of->{flags}  = [ split /, /, $line ] }
    return;
}

sub _cpu {
    my ($number, $id, $words) = @_;
    _count_row($number);
    my ($model, $bogomips) = $words =~ /\A(.*) \(([^()]*) bogomips\)\z/ ? ($1, $2) : ($words, 'unknown');
    my $cpu = { id => $id, model => $model, bogomips => $bogomips, flags => [] };
    push @{ $number->{data}{system}{cpus} }, $cpu;
    return $cpu;
}

sub _count_row {
    my ($number) = @_;
    _wrong($number, "there are over $MOST_ROWS rows") if ++$number->{rows} > $MOST_ROWS;
    return;
}

sub _begin_block {
    my ($number, $line) = @_;
    _end_block($number);
    _count_row($number);
    my ($date, $from, $to) =
        $line =~ /\ABenchmark Run: (.{1,40}) (\d{1,2}:\d\d:\d\d) - (\d{1,2}:\d\d:\d\d)\z/a
        or _wrong(
        $number,
        "'"
            . _shown($line)
            . "' is not a time, expected 'Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04'"
        );
    $number->{block} =
        { date => $date, from => $from, to => $to, started => "$date $from", tests => [], indexes => [] };
    @$number{qw(part indexed measured heading)} = ('copies', {}, {}, undef);
    return;
}

sub _copies_line {
    my ($number, $line) = @_;
    return if $line =~ $RULE;
    my ($cpus, $copies) =
        $line =~ /\A(?:($WHOLE) CPUs? in system; )?running ($WHOLE) parallel cop(?:y|ies) of tests\z/a
        or _wrong(
        $number,
        "'"
            . _shown($line)
            . "' stands in the place of 'N CPUs in system; running N parallel copies of tests'"
        );
    $number->{block}{copies} = 0 + $copies;
    $number->{block}{cpus}   = 0 + $cpus if defined $cpus;
    $number->{part}          = 'results';
    return;
}

# Only results stand between the first result and the empty line.
sub _result_line {
    my ($number, $line) = @_;
    if ($line =~ $RULE) {
        $number->{part} = 'rest' if @{ $number->{block}{tests} };
        return;
    }
    return _known_line($number, $line)
        || _wrong($number,
        "'" . _shown($line) . "' is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'");
}

# Returns true if the line is one that may stand anywhere in a block.
sub _known_line {
    my ($number, $line) = @_;
    if ($line =~ $HEADING) {
        @$number{qw(part heading unit)} = ('index', _title($number, $1), $2);
        $number->{cut} = 1;
        return 1;
    }
    return _score($number, $1, $2, $3)                   if $line =~ $INDEX;
    return 0                                             if $line !~ /samples?\)\z/;
    _wrong($number, "a row has over $LONGEST_ROW bytes") if length $line > $LONGEST_ROW;
    $line =~ $RESULT
        or _wrong($number,
        "'" . _shown($line) . "' is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'");
    return _result($number, $1, $2, $3, $4, $5);
}

sub _result {
    my ($number, $title, $score, $unit, $seconds, $samples) = @_;
    _count_row($number);
    $title = _title($number, $title);
    _wrong($number, "'" . _shown($title) . "' is there twice") if $number->{measured}{$title};
    _wrong($number, "'" . _shown($seconds) . "' is not a time in seconds, such as 10.0")
        if $seconds !~ /\A$FIGURE\z/a;
    _wrong($number, "'" . _shown($samples) . "' is not a number of samples") if $samples !~ /\A$WHOLE\z/a;
    my $row = $number->{titles}{$title};
    $score = _figure($number, $score, 'score');
    $number->{measured}{$title} = 1;
    push @{ $number->{block}{tests} },
        {
        name    => $row ? $row->{name} : $title,
        title   => $title,
        score   => $score,
        unit    => $unit,
        seconds => 0 + $seconds,
        samples => 0 + $samples,
        $row ? () : (unknown => 1),
        };
    return 1;
}

sub _title {
    my ($number, $title) = @_;
    _wrong($number, "a title has over $LONGEST_TITLE bytes: '" . _shown($title) . "'")
        if length $title > $LONGEST_TITLE;
    return $title;
}

sub _figure {
    my ($number, $figure, $what) = @_;
    _wrong($number, "'" . _shown($figure) . "' is not a $what, expected a number above 0 such as 12440.0")
        if $figure !~ /\A$FIGURE\z/a || $figure <= 0;
    return 0 + $figure;
}

sub _index_line {
    my ($number, $line) = @_;
    return if $line =~ /\A=+\z/;
    if ($line =~ $RULE) {
        $number->{part} = 'rest';
        return;
    }
    return                                               if $line =~ $INDEX && _score($number, $1, $2, $3);
    _wrong($number, "a row has over $LONGEST_ROW bytes") if length $line > $LONGEST_ROW;
    my ($title, @figures) = $line =~ $ROW
        or _wrong($number,
        "'" . _shown($line) . "' is not a row of an index, expected 'TITLE BASELINE RESULT INDEX'");
    _count_row($number);
    _wrong($number, "'" . _shown($title) . "' is in an index twice")
        if $number->{indexed}{ _title($number, $title) };

    # A result that is far less than the unit of its table is printed as 0.0.
    my $is_none = defined $number->{unit} && $figures[1] eq '0.0';
    my %row     = map { $_ => $number->{$_} } qw(line heading unit);
    $row{result} = $is_none ? 0 : _figure($number, $figures[1], 'result');

    # A test without a baseline has no index, and its row shows neither.
    @row{qw(baseline index)} =
        (_figure($number, $figures[0], 'baseline'), _figure($number, $figures[2], 'index'))
        if "@figures[0, 2]" ne '--- ---';
    $number->{indexed}{$title} = \%row;
    return;
}

sub _score {
    my ($number, $title, $partial, $score) = @_;
    _count_row($number);
    push @{ $number->{block}{indexes} },
        {
        title   => _title($number, $title),
        partial => defined $partial ? 1 : 0,
        score   => _figure($number, $score, 'index')
        };
    @$number{qw(part cut)} = ('rest', 0);
    return 1;
}

# Adds the baselines and indexes to the results, and notes which rows are missing.
sub _end_block {
    my ($number) = @_;
    my $block = delete $number->{block} or return;
    $number->{cut} = 1 if $number->{part} eq 'results' || !@{ $block->{tests} };
    push @{ $number->{data}{blocks} }, $block if @{ $block->{tests} };
    my $where =
        !defined $block->{copies}
        ? "run of $block->{started}"
        : copies($block->{copies});
    my @notes = map { _join_row($_, $number->{indexed}{ $_->{title} }) } @{ $block->{tests} };
    push @notes, @{ $block->{tests} } ? () : 'there is no result', _missing($number, $block);
    push @{ $number->{data}{notes} }, map { plain("$where: $_") } @notes;
    return;
}

# Adds a row of the index to its test. Returns what is odd about it, if anything.
sub _join_row {
    my ($test, $row) = @_;
    return if !$row;
    my $divisor = _by($row->{unit}, $test->{unit});
    @$test{qw(baseline index table)} = ($row->{baseline} * $divisor, @$row{qw(index heading)})
        if defined $row->{baseline};
    my $difference = abs($row->{result} * $divisor - $test->{score});
    return if $divisor == 1 ? $difference == 0 : $difference <= $ROUNDED * (1 + $divisor);
    return "line $row->{line}: '$test->{title}' has the result $row->{result} in the index, "
        . "and the score $test->{score}";
}

# Returns the factor from the unit of a table, if it names one, to the unit of a result.
sub _by {
    my ($from, $to) = map { defined $_ ? $Touchstone::Base::Direction::IN_SECOND{$_} : undef } @_;
    return $from && $to ? $to / $from : 1;
}

sub _missing {
    my ($number, $block) = @_;
    my ($indexed, $measured, $titles) = @$number{qw(indexed measured titles)};
    my %scored = map { $_->{title}   => 1 } @{ $block->{indexes} };
    my %headed = map { $_->{heading} => 1 } values %$indexed;

    # If a category has an index, all of its tests stand in it.
    my $belongs = sub {
        my $row = $titles->{ $_[0] };
        return $row ? $row->{index} || $headed{ $row->{heading} } : %$indexed;
    };
    return (
        (
            map { "'$_' has no row in the index" }
            grep { !$indexed->{$_} && $belongs->($_) } map { $_->{title} } @{ $block->{tests} }
        ),
        (
            map      { "line $indexed->{$_}{line}: '$_' is in the index and has no result" }
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
