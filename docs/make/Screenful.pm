# SPDX-License-Identifier: GPL-2.0-or-later
# Screenful - what a terminal shows after what was written to it, as lines of cells, and such lines as an SVG.
# A cell is [letter, colour, bold]; colours are those of \e[31m and the like, by their digit.
#
#   my @lines = Screenful::lines($written, 80);
#   my $svg   = Screenful::svg(\@lines, 80, $Screenful::DARK, 'what it shows');
package Screenful;
use 5.014;
use strict;
use warnings;

our $LIGHT = {
    ground => '#ffffff',
    text   => '#1f2328',
    frame  => '#d0d7de',
    1      => '#b3261e',
    2      => '#1a7f37',
    3      => '#8a5a00',
    4      => '#0969da',
    5      => '#8250df',
    6      => '#1b7c83',
    dim    => '#59636e'
};
our $DARK = {
    ground => '#0d1117',
    text   => '#e6edf3',
    frame  => '#3d444d',
    1      => '#ff7b72',
    2      => '#3fb950',
    3      => '#d29922',
    4      => '#58a6ff',
    5      => '#bc8cff',
    6      => '#39c5cf',
    dim    => '#9198a1'
};

# Pixels of a cell.
my ($WIDE, $HIGH, $EDGE) = (8.4, 18, 14);

# What a code with one number does to the place and the look of what follows.
my %MOVE = (
    A => sub { my ($at, $n) = @_; $at->{row} = $at->{row} > $n ? $at->{row} - $n : 0 },
    B => sub { my ($at, $n) = @_; $at->{row} += $n },
    C => sub { my ($at, $n) = @_; $at->{column} += $n },
    D => sub { my ($at, $n) = @_; $at->{column} = $at->{column} > $n ? $at->{column} - $n : 0 },
    E => sub { my ($at, $n) = @_; $at->{row} += $n; $at->{column} = 0 },
    F => sub { my ($at, $n) = @_; $at->{row} = $at->{row} > $n ? $at->{row} - $n : 0; $at->{column} = 0 },
    G => sub { my ($at, $n) = @_; $at->{column} = $n - 1 },
);

sub lines {
    my ($written, $columns) = @_;
    my %at = (row => 0, column => 0, colour => '', bold => 0, rows => []);
    utf8::decode($written);
    while ($written =~ /\G(?:\e\[(\??[\d;]*)([A-Za-z])|\e.|(\r)|(\n)|(.))/gcs) {
        my ($n, $code, $return, $feed, $letter) = ($1, $2, $3, $4, $5);
        if    (defined $return) { $at{column} = 0 }
        elsif (defined $feed)   { $at{row}++; $at{column} = 0 }
        elsif (defined $code)   { _code(\%at, $code, $n) }
        elsif (defined $letter) { _letter(\%at, $letter, $columns) }
    }
    return map { _trimmed($_) } @{ $at{rows} };
}

sub _letter {
    my ($at, $letter, $columns) = @_;
    ($at->{row}, $at->{column}) = ($at->{row} + 1, 0) if $at->{column} >= $columns;
    $at->{rows}[ $at->{row} ][ $at->{column}++ ] = [ $letter, $at->{colour}, $at->{bold} ];
    return;
}

sub _code {
    my ($at, $code, $n) = @_;
    my $rows = $at->{rows};
    return $MOVE{$code}->($at, $n || 1) if $MOVE{$code};
    if ($code =~ /[JK]/) {
        my $row = $rows->[ $at->{row} ] //= [];
        splice @$row,  $at->{column}  if @$row > $at->{column};
        splice @$rows, $at->{row} + 1 if $code eq 'J' && @$rows > $at->{row} + 1;
    }
    return if $code ne 'm';
    for my $look (split /;/, length $n ? $n : '0') {
        if    ($look == 0)              { @$at{qw(colour bold)} = ('', 0) }
        elsif ($look == 1)              { $at->{bold}           = 1 }
        elsif ($look == 2)              { $at->{colour}         = 'dim' }
        elsif ($look == 22)             { $at->{bold}           = 0 }
        elsif ($look =~ /\A[39](\d)\z/) { $at->{colour}         = $1 == 9 || $1 == 0 ? '' : $1 }
    }
    return;
}

sub _trimmed {
    my ($row) = @_;
    my @cells = map { $_ // [ ' ', '', 0 ] } @{ $row || [] };
    pop @cells while @cells && $cells[-1][0] eq ' ';
    return \@cells;
}

sub _escaped { my ($text) = @_; return $text =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr =~ s/"/&quot;/gr }

# Neighbours of one look are one piece of text, whose length is given, as fonts differ. Blanks must not break.
sub _pieces {
    my ($cells) = @_;
    my @pieces;
    for my $column (0 .. $#$cells) {
        my ($letter, @look) = @{ $cells->[$column] };
        if (@pieces && "@{ $pieces[-1]{look} }" eq "@look") { $pieces[-1]{text} .= $letter }
        else { push @pieces, { look => \@look, text => $letter, column => $column } }
    }
    return grep { $_->{text} =~ /\S/ } @pieces;
}

sub svg {
    my ($lines, $columns, $palette, $title) = @_;
    my ($width, $height) = (int($columns * $WIDE + 2 * $EDGE), @$lines * $HIGH + 2 * $EDGE);
    my @texts;
    for my $row (0 .. $#$lines) {
        for my $piece (_pieces($lines->[$row])) {
            my ($colour, $bold) = @{ $piece->{look} };
            push @texts, sprintf '<text x="%.1f" y="%d" textLength="%.1f"%s%s>%s</text>',
                $EDGE + $WIDE * $piece->{column}, $EDGE + $HIGH * $row + 13, $WIDE * length $piece->{text},
                length $colour ? qq( fill="$palette->{$colour}") : '', $bold ? ' font-weight="bold"' : '',
                _escaped($piece->{text}) =~ s/ /\xa0/gr;
        }
    }
    my $svg = join "\n",
        qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$width" height="$height" )
        . qq(role="img" aria-label="@{[ _escaped($title) ]}">),
        qq(<rect x=".5" y=".5" width="@{[ $width - 1 ]}" height="@{[ $height - 1 ]}" rx="6" )
        . qq(fill="$palette->{ground}" stroke="$palette->{frame}"/>),
        qq(<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" )
        . qq(font-size="14" fill="$palette->{text}">),
        @texts, '</g>', "</svg>\n";
    utf8::encode($svg);
    return $svg;
}

1;
