# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Line - the forms of lines in reports, and what a figure is. A refusal names the number of
# the line, which is in the state of the report.
package Touchstone::Record::Classic::Line;
use 5.014;
use strict;
use warnings;
use re '/a';

use Exporter qw(import);

use Touchstone::Base::Text qw(plain short);

our @EXPORT_OK = qw($FIGURE $RULE $WHOLE figure is_result result row_of shown title wrong wrapped_result);

# Every figure of a report has a decimal point: a figure without one was cut off. A number cannot keep more
# digits than these.
our $FIGURE = qr/\d{1,30}\.\d{1,30}/;
our $WHOLE  = qr/[1-9]\d{0,8}/;

# A line that ends a table: nothing, a rule, or the fence of a code block in a forum.
our $RULE = qr{\A(?:[-=\s]*|`{3,}\w*|~{3,}\w*|\[/?code\])\z}i;

# No report reaches these limits of bytes; they keep a strange file from costing time and memory.
my $LONGEST_ROW   = 1000;
my $LONGEST_TITLE = 200;
my $SHOWN         = 60;

# Results of all versions: "12440.0 lps   (10.0 s, 7 samples)", "12440.0lps (10 secs,7 samples)".
my $RESULT = qr/\A(\S|\S.*\S)\s+(\S+)\s+(\S+)\s*\((\S+) (s|secs?),\s*(\S+)\s+samples?\)\z/a;
my $JOINED = qr/\A(\S|\S.*\S)\s+($FIGURE)([A-Za-z]\w*)\s*\((\S+) (s|secs?),\s*(\S+)\s+samples?\)\z/a;
my $BRIEF  = qr/\A(\S|\S.*\S)\s+($FIGURE)\s+([A-Za-z]{2,8})\z/a;
my $ROW    = qr/\A(\S|\S.*\S)\s+(\S+)\s+(\S+)\s+(\S+)\z/a;

# The second part of a result whose line a mail program wrapped.
my $REST = qr/\A(?:(?:(?:(?:$FIGURE\s*)?[A-Za-z]\w*\s+)?\(?\S+\s+)?s(?:ecs?)?,\s*)?(?:\d+\s+)?samples?\)\z/a;

# A word of a title that is a part of a figure: its last one, where the figure is in pieces, or a whole
# figure. No title of UnixBench has either.
my $PIECE = qr/(?<!\S)(?:[\d.,]*\d[.,]?\z|$FIGURE(?!\S))/a;

sub wrong { my ($report, $what) = @_; die "line $report->{line}: $what\n" }

# Makes words of a report fit for a message.
sub shown { my ($text) = @_; return short(plain($text), $SHOWN) }

sub _short_enough {
    my ($report, $line) = @_;
    wrong($report, "a row has over $LONGEST_ROW bytes") if length $line > $LONGEST_ROW;
    return;
}

sub title {
    my ($report, $title) = @_;
    wrong($report, "a title has over $LONGEST_TITLE bytes: '" . shown($title) . "'")
        if length $title > $LONGEST_TITLE;
    return $title;
}

# A title that is not known and has a number may have a part of the figure.
sub whole_title {
    my ($report, $title, $figure) = @_;
    title($report, $title);
    return $title if $report->{titles}{$title} || $title !~ /($PIECE)/;
    wrong($report, "'" . shown($1) . "' and '" . shown($figure) . "' may be one figure or two");
    return;
}

sub figure {
    my ($report, $figure, $what) = @_;
    wrong($report, "'" . shown($figure) . "' is not $what, expected a number above 0 such as 12440.0")
        if $figure !~ /\A$FIGURE\z/a || $figure <= 0;
    return 0 + $figure;
}

# Returns { title, score, unit, seconds, samples } of a line that is a result, or dies. Some people leave the
# time out.
sub result {
    my ($report, $line) = @_;
    _short_enough($report, $line);
    my ($title, $score, $unit, $seconds, $word, $samples) = _parts_of_result($line);
    return { title => $1, score => figure($report, $2, 'a score'), unit => $3 }
        if !defined $title && $line =~ $BRIEF && $report->{titles}{$1} && !$report->{measured}{$1};
    defined $title
        or wrong($report,
        "'" . shown($line) . "' is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'");
    whole_title($report, $title, $score);
    wrong($report, "'" . shown($title) . "' is there twice") if $report->{measured}{$title};

    # Version 4 counted whole seconds.
    my $time = $word eq 's' ? $FIGURE : qr/\d{1,9}|$FIGURE/a;
    wrong($report, "'" . shown($seconds) . "' is not a time in seconds, such as 10.0")
        if $seconds !~ /\A$time\z/a;
    wrong($report, "'" . shown($samples) . "' is not a number of samples") if $samples !~ /\A$WHOLE\z/a;
    return {
        title   => $title,
        score   => figure($report, $score, 'a score'),
        unit    => $unit,
        seconds => 0 + $seconds,
        samples => 0 + $samples
    };
}

sub is_result {
    my ($line) = @_;
    my ($title, $score) = length $line > $LONGEST_ROW ? () : _parts_of_result($line);
    return defined $title && $score =~ /\A$FIGURE\z/a ? 1 : 0;
}

sub _parts_of_result {
    my ($line) = @_;
    my @parts  = $line =~ $JOINED;
    return @parts ? @parts : $line =~ $RESULT;
}

# Returns the whole line where the second part of a result follows the first, or undef.
sub wrapped_result {
    my ($first, $second) = @_;
    return undef if length($first) + length $second > $LONGEST_ROW || $second !~ $REST;
    return undef if $first =~ /\d\z/a && $second =~ /\A\d/a;
    my $line = "$first $second";
    return _parts_of_result($line) ? $line : undef;
}

# Returns the title and three figures of a line that is a row of an index, or dies.
sub row_of {
    my ($report, $line) = @_;
    _short_enough($report, $line);
    my ($title, @figures) = $line =~ $ROW
        or wrong($report,
        "'" . shown($line) . "' is not a row of an index, expected 'TITLE BASELINE RESULT INDEX'");
    wrong($report, "'" . shown($title) . "' is in an index twice")
        if $report->{indexed}{ title($report, $title) };
    return ($title, @figures);
}

1;
