# SPDX-License-Identifier: GPL-2.0-or-later
# Links - headings of Markdown and the links to them.
package Links;
use 5.014;
use strict;
use warnings;

# Code is not looked into: a line that is set in by four blanks, or what is between backquotes.
sub _prose { my ($text) = @_; return $text =~ s/^(?: {4}|\t).*$//mgr =~ s/`[^`\n]*`//gr }

# The anchor of a heading, as GitHub makes it: lower case, without signs, blanks as hyphens.
sub anchor {
    my ($heading) = @_;
    my $plain = lc $heading =~ s/`//gr =~ s/\[([^\]]*)\]\([^)]*\)/$1/gr;
    utf8::decode($plain);
    $plain =~ s/[^\w -]//g;
    $plain =~ s/ /-/g;
    utf8::encode($plain);
    return $plain;
}

# [level, text] of each heading, in order.
sub headings {
    my ($text) = @_;
    my @found;
    while ($text =~ /^(#{1,4}) (.+?) *$/mg) { push @found, [ length $1, $2 ] }
    return @found;
}

# What links lead to, without those to other hosts.
sub targets {
    my ($text) = @_;
    my $prose  = _prose($text);
    my @found  = $prose =~ /\]\(([^)\s]+)\)/g;
    push @found, $text =~ /(?:src|srcset|href)="([^"]+)"/g;
    return grep { !/^(?:https?|mailto):/ } @found;
}

1;
