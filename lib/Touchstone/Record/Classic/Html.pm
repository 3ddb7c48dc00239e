# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Html - a page as lines of text, such as a browser copies: a row of a table is a line with
# tabs between its cells, and preformatted text stays as it is. Each line keeps the number of the line of the
# source of its first character. Linear in time, whatever the page is.
package Touchstone::Record::Classic::Html;
use 5.014;
use strict;
use warnings;
use re '/a';

# Separates two lines of text that stand in one line of the source.
our $SOFT = "\x0b";

# Stands in place of a line of the source that shows no line.
our $NONE = "\x0c";

# A text that begins with one of these tags is a page. Another text with such a tag is one if none of its
# lines begins a report: forum posts and documents in Markdown have tags, too.
my $TAG   = qr/<(?:!doctype\s+html|html|head|body|title|table|tbody|thead|tr|td|pre)(?=[\s>])/i;
my $FIRST = qr/\A(?:\xef\xbb\xbf)?\s*(?:<\?[^<>]*>\s*)?$TAG/;
my $BEGIN =
    qr/^[>|#*+ \t]*(?:BYTE UNIX Benchmarks \(Version |(?:Start )?Benchmark Run: |\d{1,9} CPUs? in system; )[^<\n]*$/m;

my %BREAKS = map { $_ => 1 }
    qw(address article blockquote body br caption center dd div dl dt form h1 h2 h3 h4
    h5 h6 head header hr html li main ol p pre section table tbody tfoot thead title tr ul);

# These end with an empty line.
my %ENDS   = map { $_ => 1 } qw(blockquote ol p pre table ul);
my %CELL   = map { $_ => 1 } qw(td th);
my %HIDDEN = map { $_ => 1 } qw(script style);
my %LETTER = (amp => '&', lt => '<', gt => '>', quot => '"', apos => "'", nbsp => "\xc2\xa0");
my $LAST   = 0x10ffff;

# UTF-8 has no surrogates.
my ($FIRST_SURROGATE, $LAST_SURROGATE) = (0xd800, 0xdfff);

sub is_page { my ($text) = @_; return $text =~ $FIRST || $text =~ $TAG && $text !~ $BEGIN ? 1 : 0 }

sub lines_of {
    my ($text) = @_;
    my %page = (out => '', row => '', newlines => 0, pre => 0);
    pos($text) = 0;
    while (pos $text < length $text) {
        if    ($text =~ /\G([^<&]+)/gc)                              { _words(\%page, $1) }
        elsif ($text =~ /\G<(?=!--)/gc)                              { _skip(\%page, \$text, '-->') }
        elsif ($text =~ m{\G<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>}gc) { _tag(\%page, \$text, $1, lc $2, $3) }
        elsif ($text =~ /\G<([!?][^<>]*)>/gc)                        { _newlines(\%page, $1 =~ tr/\n//) }
        elsif ($text =~ /\G&(#?\w{1,10});/gac)                       { $page{row} .= _letter($1) }
        elsif ($text =~ /\G(.)/gcs)                                  { $page{row} .= $1 }
    }
    _flush(\%page);
    return $page{out};
}

sub _words {
    my ($page, $words) = @_;
    if ($page->{pre}) {
        for my $piece (split /(\n)/, $words) {
            if ($piece eq "\n") { $page->{newlines}++; _flush($page) }
            else                { $page->{row} .= $piece }
        }
        return;
    }
    my ($blank) = $words =~ /\A(\s*)/;
    if ($page->{row} !~ /\S/) {
        _newlines($page, $blank =~ tr/\n//);
        substr $words, 0, length $blank, '';
    }
    $page->{newlines} += $words =~ tr/\n//;
    $page->{row} .= $words =~ s/\s+/ /gr;
    return;
}

# Line ends of the source follow the text that began before them.
sub _newlines {
    my ($page, $count) = @_;
    if ($page->{row} =~ /\S/) { $page->{newlines} += $count }
    else                      { $page->{out} .= "$NONE\n" x $count }
    return;
}

sub _flush {
    my ($page) = @_;
    my $newlines = $page->{newlines};
    $page->{out} .= $page->{row} . ($newlines ? "\n" . "$NONE\n" x ($newlines - 1) : $SOFT)
        if $page->{row} =~ /\S/ || $newlines;
    @$page{qw(row newlines)} = ('', 0);
    return;
}

sub _tag {
    my ($page, $text, $end, $name, $rest) = @_;
    _newlines($page, $rest =~ tr/\n//);
    return _skip($page, $text, "</$name") if !$end && $HIDDEN{$name};
    if ($BREAKS{$name}) {
        my $is_empty = $page->{row} !~ /\S/;
        _flush($page);
        $page->{out} .= $SOFT if $name eq 'br' ? $is_empty : $end && $ENDS{$name};
    } elsif ($CELL{$name} && !$end) {
        $page->{row} .= "\t" if $page->{row} =~ /\S/;
    }
    $page->{pre} = $end ? 0 : 1 if $name eq 'pre';
    return;
}

# Passes over hidden text. If its end is missing once, it is missing for all that follows.
sub _skip {
    my ($page, $text, $end) = @_;
    return if $page->{endless}{$end};
    my $from = pos $$text;
    if ($$text =~ /\G.*?(?=\Q$end\E)/gcis) {
        _newlines($page, substr($$text, $from, pos($$text) - $from) =~ tr/\n//);
    } else {
        $page->{endless}{$end} = 1;
    }
    $$text =~ /\G-->/gc;
    return;
}

sub _letter {
    my ($name) = @_;
    return $LETTER{ lc $name } // "&$name;" if $name !~ /\A#(?:(\d+)|[xX]([0-9a-fA-F]+))\z/a;
    my $code = defined $1 ? $1 : hex $2;
    return '?' if $code > $LAST || $code >= $FIRST_SURROGATE && $code <= $LAST_SURROGATE;
    utf8::encode(my $letter = chr $code);
    return $letter;
}

1;
