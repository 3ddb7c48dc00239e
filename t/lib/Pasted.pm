# SPDX-License-Identifier: GPL-2.0-or-later
# Pasted - texts with compact blocks, as they come back from mail, forums and pages.
package Pasted;
use 5.014;
use strict;
use warnings;

# Replaces the block, because another version of zlib makes other letters of the same run.
sub without_block {
    my ($text) = @_;
    return $text =~ s/^-----BEGIN TOUCHSTONE.*?^-----END [^\n]*\n/(a compact block)\n/msr;
}

# Returns the block of a text.
sub block_of { my ($text) = @_; return ($text =~ /^(-----BEGIN TOUCHSTONE.*?^-----END [^\n]*\n)/ms)[0] }

my $BEFORE =
    "Re: my new machine\n=====\nOn Saturday somebody wrote: \xe2\x80\x9clook\xe2\x80\x9d\n\n| Test | Score |\n|---|---:|\n\n";
my $AFTER = "\n-- \nsomebody, #42 <b>\n";

sub _escaped { my ($text) = @_; return $text =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr }

sub _wrapped {
    my ($text, $width) = @_;
    return join q(), map { "$_\n" } map { _cut($_, $width) } split /\n/, $text;
}

# Cuts a line, at blanks where possible.
sub _cut {
    my ($line, $width) = @_;
    my @parts;
    while (length $line > $width) {
        my ($part) = $line =~ /\A(.{1,$width}) / ? $1 : substr $line, 0, $width;
        push @parts, $part;
        $line = substr($line, length $part) =~ s/\A //r;
    }
    return (@parts, $line);
}

# Returns what may become of a block in transit: { name => text }.
sub forms {
    my ($block) = @_;
    my $text    = "$BEFORE```\n$block```\n$AFTER";
    my $page    = _escaped($text);
    return (
        'alone'                                    => $block,
        'within a text'                            => $text,
        'without a line end at its end'            => $block                 =~ s/\n\z//r,
        'with CRLF'                                => $text                  =~ s/\n/\r\n/gr,
        'quoted'                                   => $text                  =~ s/^/> /gmr,
        'quoted twice, with CRLF'                  => $text                  =~ s/^/> >/gmr =~ s/\n/\r\n/gr,
        'indented'                                 => $text                  =~ s/^/    /gmr,
        'indented by tabs'                         => $text                  =~ s/^/\t/gmr,
        'with blanks that do not break'            => $text                  =~ s/^/\xc2\xa0 /gmr,
        'with blanks behind lines'                 => $text                  =~ s/$/  \t/gmr,
        'with empty lines between'                 => $text                  =~ s/\n/\n\n/gr,
        'with marks of no width'                   => "\xef\xbb\xbf" . $text =~ s/\n/\xe2\x80\x8b\n/gr,
        'at width 40'                              => _wrapped($text, 40),
        'at width 20, quoted'                      => _wrapped($text, 20) =~ s/^/> /gmr,
        'at width 1000'                            => $block              =~ s/(?<=[^-])\n(?=[^-])//gr,
        'in one line'                              => $text               =~ s/\n/ /gr,
        'quoted, in one line'                      => $text               =~ s/^/> /gmr =~ s/\n/ /gr,
        'padded as others do'                      => $block =~ s/\n(?=-----END)/==\n/r,
        'padded, as mail writes it'                => $block =~ s/\n(?=-----END)/=3D=3D\n/r,
        'escaped'                                  => $page  =~ s/^/&gt; /gmr,
        'escaped to the last letter'               => $page  =~ s{([+/=])}{'&#' . ord($1) . ';'}ger,
        'escaped in hexadecimal'                   => $page  =~ s{([+/])}{sprintf '&#x%X;', ord $1}ger,
        'with blanks that do not break everywhere' => $text  =~ s/ /\xc2\xa0/gr,
        'with &nbsp;'                              => $page  =~ s/ /&nbsp;/gr,
        'a page'           => "<!DOCTYPE html>\n<html><body><p>x<pre class=\"code\"><code>$page</code></pre>",
        'a table of lines' => $page =~ s{^(.*)$}{<tr><td class="line">$1</td></tr>}gmr,
        'with <br>'        => $page =~ s{\n}{<br />\n}gr,
        'with <br> alone'  => $page =~ s{\n}{<br>}gr,
    );
}

1;
