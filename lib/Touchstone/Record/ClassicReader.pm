# SPDX-License-Identifier: GPL-2.0-or-later
# Record::ClassicReader - reads reports of UnixBench, versions 4.0 to 6, as text or as its own page, and those
# of Report::Classic. It skips all that surrounds them, so that a whole terminal log or mail can be read:
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
# A table of seconds names their unit behind its heading: `1984 Benchmarks Index Values (us)`. Version 4 has
# one copy, a table INDEX VALUES and a FINAL SCORE, and may have no list of results.
package Touchstone::Record::ClassicReader;
use 5.014;
use strict;
use warnings;
use re '/a';

use Touchstone::Record::Classic::Html;
use Touchstone::Record::Classic::Line qw(is_result shown);
use Touchstone::Record::Classic::Report;
use Touchstone::Record::Classic::Text;
use Touchstone::Record::Largest;

my $FIRST_VERSION = 4;

my $HEAD = qr/\ABYTE UNIX Benchmarks \(Version /;

# A page names its day in its title only.
my $PAGE_TITLE = qr/\ABenchmark of \S.{0,200} on (\S.{0,80})\z/;

# A figure in a column, which a space divides into thousands.
my $GROUPED = qr/(?<=  )(\d{1,3}(?: \d{3}){1,10})(?=\.\d)/a;

# Texts without any of these phrases hold no report.
my $WORDS = qr/BYTE UNIX Benchmarks \(Version |parallel (?:cop|process)|Start Benchmark Run:| samples\)/;

# A text is cleaned once to see whether it holds a report, and to read it.
my %kept = (text => '');

sub _cleaned {
    my ($text) = @_;
    %kept = (text => $text, clean => Touchstone::Record::Classic::Text::cleaned($text))
        if !defined $kept{clean} || $kept{text} ne $text;
    return $kept{clean};
}

# Says whether a text is a report of this kind, or holds one.
sub looks_like {
    my ($text) = @_;
    return 0 if $text =~ /\A\s*[{\[]/ || $text !~ $WORDS;
    my $clean = _cleaned($text);
    while ($clean =~ /([^\n\x0b]+)/g) {
        my $words = _words($1);
        return 1
            if $words =~ $HEAD || Touchstone::Record::Classic::Report::begins($words) || is_result($words);
    }
    %kept = (text => '');
    return 0;
}

# Returns each report in the text: { line, data } or, if it cannot be read, { line, why }, a sentence with the
# number of the line that is wrong. Dies in the same words if there is none. `titles` is { title => row of a
# test }. A title that is not in it becomes the test's name, and the test is unknown. All texts are as they
# were found, so they are not to be trusted. The data:
#
#   { version,                            undef: the report has no head. 4.x, 5.x and 6.x are UnixBench's, later
#                                         ones are ours
#     old?,                               1: its form is that of version 4
#     line,                               where the report begins; there are more lines below
#     system => { name, os, release, version, machine, platform, uptime, runlevel,
#                 locale => { name, charmap, collate },
#                 cpus   => [ { id, model, bogomips, flags } ] },     each is 'unknown' where it is not shown
#     blocks => [ { line, copies,         1 in version 4
#                   cpus?,                none where the report counts none, or 0
#                   date?, from?, to?, started?,     in words of the report
#                   tests   => [ { name, title, score, unit, line,
#                                  seconds?, samples?,     none where only the index shows the score
#                                  baseline?, index?,      as the report shows them
#                                  row?,                   the line of its index
#                                  table?,                 the title of its index
#                                  unknown? } ],
#                   indexes => [ { title, partial, score, line } ] } ],
#     notes  => [ what is missing or odd ] }
sub reports {
    my ($text, $titles) = @_;
    my $lines = $text =~ tr/\n//;
    die
        "line 1: it has more than $Touchstone::Record::Largest::TEXT_LINES lines, which is too many for a report\n"
        if $lines > $Touchstone::Record::Largest::TEXT_LINES;
    my %in    = (titles => $titles, found => [], number => 1);
    my $clean = _cleaned($text);
    %kept = (text => '');
    while ($clean =~ /\G([^\n\x0b]*)(\n|\x0b|\z)/g) {
        my ($line, $end) = ($1, $2);
        last if !length $line && !length $end;
        _line(\%in, _words($line), length $end ? undef : $line)
            if $line ne $Touchstone::Record::Classic::Html::NONE;
        $in{number}++ if $end eq "\n";
    }
    _finish(\%in);
    my @found = @{ $in{found} };
    die "line $in{lost}: it is not known how many copies have these results: there is no line "
        . "'N CPUs in system; running N parallel copies of tests'\n"
        if !@found && $in{lost};
    @found
        or die "line 1: there is no line 'BYTE UNIX Benchmarks (Version ...)' or 'Benchmark Run: ...'\n";
    return @found;
}

# Returns the data of the last report that is to be read; a note mentions that there are several.
sub parse {
    my ($text, $titles) = @_;
    my @reports = reports($text, $titles);
    my ($last)  = grep { $_->{data} } reverse @reports or die $reports[-1]{why};
    my $data    = $last->{data};
    unshift @{ $data->{notes} }, 'there are ' . @reports . " reports, the one in line $last->{line} was read"
        if @reports > 1;
    return $data;
}

sub _words {
    my ($line)  = @_;
    my ($words) = $line =~ /\A\s*(?:(.*\S))?/s;
    $words = ($words // '') =~ s/[ \t]{3,}/  /gr;
    return $words =~ s/$GROUPED/$1 =~ tr{ }{}dr/ger;
}

# Gives a line to the report in which it stands. `half` is the last line where it has no end.
sub _line {
    my ($in, $words, $half) = @_;
    $in->{day} = $1 if $words =~ $PAGE_TITLE;
    return _open($in, $words) if $words =~ $HEAD;
    if (!$in->{report}) {
        $in->{lost} //= $in->{number} if is_result($words);
        return if $in->{is_refused} || !Touchstone::Record::Classic::Report::begins($words);
        _open($in, undef);
    }
    my $next;
    return if defined $half && !length $words;
    eval { $next = $in->{report}->take($in->{number}, $words); 1 } or return _refuse($in, $@, $half);
    return _finish($in, $half) if defined $half && ($in->{report}{held} || [-1])->[0] == $in->{number};
    return                     if !$next;
    _finish($in);
    @$in{qw(report line)} = ($next, $next->{first_line});
    return;
}

# Begins a report by its first line, or without one.
sub _open {
    my ($in, $head) = @_;
    _finish($in);
    die
        "line 1: it holds more than $Touchstone::Record::Largest::REPORTS reports, which is too many for a text\n"
        if @{ $in->{found} } >= $Touchstone::Record::Largest::REPORTS;
    @$in{qw(line is_refused)} = ($in->{number}, 0);
    my $version = eval { defined $head ? _version($in->{number}, $head) : undef };
    return _refuse($in, $@) if defined $head && !defined $version;
    $in->{report} = Touchstone::Record::Classic::Report->new(
        titles  => $in->{titles},
        line    => $in->{number},
        day     => delete $in->{day},
        version => $version
    );
    return;
}

sub _version {
    my ($number, $head) = @_;
    my ($version) = $head =~ /\(Version ([^()\s]{1,40})\)/a
        or die "line $number: there is no version in '" . shown($head) . "'\n";
    die "line $number: a report of version "
        . shown($version)
        . ", versions $FIRST_VERSION and later are read\n"
        if $version =~ /\A(\d+)/a && $1 < $FIRST_VERSION;
    return $version;
}

# The rest of a report that is wrong is not looked at. The end of a report may be half a line.
sub _refuse {
    my ($in, $why, $half) = @_;
    return _finish($in, $half) if defined $half && $in->{report};
    push @{ $in->{found} }, { line => $in->{line}, why => $why };
    delete $in->{report};
    $in->{is_refused} = 1;
    return;
}

sub _finish {
    my ($in, $half) = @_;
    my $report = delete $in->{report} or return;
    my $data   = eval { $report->finish($half) };
    push @{ $in->{found} }, { line => $in->{line}, $data ? (data => $data) : (why => $@) };
    return;
}

1;
