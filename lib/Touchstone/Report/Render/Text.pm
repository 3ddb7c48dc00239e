# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Text - a document as plain text.
package Touchstone::Report::Render::Text;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);
use POSIX qw(ceil);

use Touchstone::Base::Symbols;
use Touchstone::Base::Text qw(width);
use Touchstone::Report::Document;
use Touchstone::Report::Plot::Chart;

my %LINES = (
    heading => sub { return ($_[0], '=' x width($_[0])) },
    text    => sub { return @_ },
    points  => sub {
        return map { '  - ' . s/\n/\n    /gr } @_;
    },
    form    => sub { return @_ },
    command => sub { return "  $_[0]" },
    table   => \&_table,
    chart   => \&Touchstone::Report::Plot::Chart::text,
);

# A document; `ascii`: its reader has no other letters.
sub document {
    my ($document) = @_;
    return render_for($document, @{ $document->{parts} });
}

# Parts have an empty line between them.
sub render { my (@parts) = @_; return render_for({}, @parts) }

# `reader`: { ascii => whether it has ASCII alone }.
sub render_for {
    my ($reader, @parts) = @_;
    my @flat = Touchstone::Report::Document::flat('text', @parts);
    return join "\n", map {
        my ($kind, @what) = @$_;
        join '', map { "$_\n" } map { s/ +\z//r } $LINES{$kind}->(@what)
    } $reader->{ascii} ? @{ _in_ascii(\@flat) } : @flat;
}

# A sign may have two letters in ASCII, which columns have to know.
sub _in_ascii {
    my ($part) = @_;
    return
          ref $part eq 'ARRAY' ? [ map { _in_ascii($_) } @$part ]
        : ref $part eq 'HASH'  ? { map { $_ => _in_ascii($part->{$_}) } keys %$part }
        : defined $part        ? Touchstone::Base::Symbols::ascii($part)
        :                        undef;
}

sub _table {
    my ($table) = @_;
    my %left    = Touchstone::Report::Document::left_columns($table);
    my @rows    = ($table->{head}, @{ $table->{rows} });
    my @width   = _widths($table);
    my @lines   = map {
        my @columns = @$_;
        ('', map { _row($_, \@width, \%left, @columns) } @rows)
    } _pieces($table, @width);
    return length($table->{caption} // '') ? ($table->{caption}, @lines) : @lines[ 1 .. $#lines ];
}

sub _widths {
    my ($table) = @_;
    my @rows = ($table->{head}, @{ $table->{rows} });
    return map {
        my $i = $_;
        max(map { width($_->[$i] // '') } @rows)
    } 0 .. $#{ $table->{head} };
}

# The columns that a table takes as text.
sub width_of {
    my ($reader, $table) = @_;
    my @flat = Touchstone::Report::Document::flat('text', [ table => $table ]);
    return sum(map { 2 + $_ } _widths(($reader->{ascii} ? @{ _in_ascii(\@flat) } : @flat)[0][1]));
}

sub _row {
    my ($row, $width, $left, @columns) = @_;
    return '  ' . join '  ', map { _padded($row->[$_] // '', $width->[$_], !$left->{$_}) } @columns;
}

# Returns the columns of each piece of a table, with those that are aligned left in front: no more pieces than
# needed, and each about as long as the others.
sub _pieces {
    my ($table, @width) = @_;
    my $most   = $table->{within} or return [ 0 .. $#width ];
    my %left   = Touchstone::Report::Document::left_columns($table);
    my @always = grep { $left{$_} } 0 .. $#width;
    my @others = grep { !$left{$_} } 0 .. $#width;
    my $room   = $most - sum(0, map { 2 + $width[$_] } @always);
    for my $many (1 .. @others) {
        my @pieces = _dealt($many, @others);
        next if grep {
            $room < sum(map { 2 + $width[$_] } @$_)
        } @pieces;
        return map { [ @always, @$_ ] } @pieces;
    }
    return map { [ @always, $_ ] } @others;
}

# Deals columns out to so many pieces, in their order.
sub _dealt {
    my ($many, @columns) = @_;
    return map { [ splice @columns, 0, ceil(@columns / ($many - $_ + 1)) ] } 1 .. $many;
}

sub _padded {
    my ($text, $width, $right) = @_;
    my $blanks = ' ' x ($width - width($text));
    return $right ? $blanks . $text : $text . $blanks;
}

1;
