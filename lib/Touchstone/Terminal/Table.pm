# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Table - the table that fills while a run goes on: for each copy count the index of each test so
# far, or its score, and the half of its interval.
#
#     index so far        1 copy            2 copies            passes
#     dhry2reg              3711   ±0.8 %       7363   ±1.1 %   10 + 4
#   > context1              43.7   ±1.2 %        797   ±9.4 %   14 + 6  ← noisiest
#     all of them           1093   ±1.7 %       2164   ±3.6 %
package Touchstone::Terminal::Table;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Figure qw(human plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies width);

# A window of fewer lines has no table, and so many lines of a window stay free for other lines.
my ($FEWEST_ROWS, $FREE) = (24, 7);

# A table has so many tests at least, and columns are so wide.
my $FEWEST_TESTS = 3;
my ($NAME, $VALUE, $PLUS_MINUS) = (14, 10, 9);

# This points to the noisiest test, where the terminal has it.
my $ARROW = "\xe2\x86\x90";

# From so many copy counts on, passes are told in all.
my $MANY = 4;

# It is made with figures, a Terminal::Figures, and terminal.
sub new { my ($class, %with) = @_; return bless {%with}, $class }

# Returns the lines of the table while `test` runs, or nothing where it has no room.
sub lines {
    my ($self,    $test) = @_;
    my ($figures, $size) = ($self->{figures}, $self->{terminal}->rows // 0);
    return if $size < $FEWEST_ROWS || !@{ $figures->{names} };
    my @names   = $self->_chosen($size - $FREE) or return;
    my $left    = @{ $figures->{names} } - @names;
    my ($noisy) = $figures->noisiest;
    my @rows    = ($self->_head, map { $self->_row($_, $test, $noisy) } @names);
    push @rows, { name => "and $left more" } if $left;
    push @rows, $self->_all if %{ $figures->{index} } && @{ $figures->{names} } > 1;
    return $self->_fitted(@rows);
}

# Where not all tests have room, those with the widest intervals are shown, in the order of the suite.
sub _chosen {
    my ($self, $room) = @_;
    my $figures = $self->{figures};
    my @names   = @{ $figures->{names} };
    $room -= 2 + ($figures->has_index ? 1 : 0);
    return @names if @names <= $room;
    return        if $room < $FEWEST_TESTS;
    my %place = map { $names[$_] => $_ } 0 .. $#names;
    my $noise = sub {
        my $entry = $figures->figures_of($figures->{now}, $_[0]);
        return $entry->{precision} // $entry->{cv} // -1;
    };
    my %noise = map  { $_ => $noise->($_) } @names;
    my @noisy = sort { $noise{$b} <=> $noise{$a} || $place{$a} <=> $place{$b} } @names;
    return sort { $place{$a} <=> $place{$b} } @noisy[ 0 .. $room - 2 ];
}

sub _head {
    my ($self)  = @_;
    my $figures = $self->{figures};
    my %has     = map { $_ => 1 } map { $figures->kind_of($_) } @{ $figures->{names} };
    $has{index} = 1 if $figures->has_index;
    my $what = join ' or ', grep { $has{$_} } qw(index score ratio);
    return {
        name   => (length $what ? "$what so far" : 'test'),
        cells  => [ map { [ copies($_), '' ] } @{ $figures->{copies} } ],
        passes => 'passes'
    };
}

sub _row {
    my ($self, $name, $running, $noisy) = @_;
    my $figures = $self->{figures};
    my @known   = map { $figures->figures_of($_, $name) } @{ $figures->{copies} };
    my @cells   = map {
        my $lost = $figures->is_lost($figures->{copies}[$_], $name);
        $lost ? [ 'failed', '' ] : [ _value($known[$_]), $self->_width_of($known[$_]) ]
    } 0 .. $#known;
    my @passes = map { $_->{passes} || () } @known;
    return {
        name   => $name,
        now    => $name eq ($running // ''),
        cells  => \@cells,
        passes => @passes >= $MANY ? sum(@passes) : join(' + ', @passes),
        noisy  => defined $noisy && $noisy eq $name
    };
}

# The index of the run itself, which stands below those of its tests.
sub _all {
    my ($self) = @_;
    my @cells = map {
        my $index = $self->{figures}->index_of($_);
        $index ? [ _value({ index => $index->{score} }), $self->_width_of($index) ] : [ '', '' ]
    } @{ $self->{figures}{copies} };
    return { name => 'all of them', cells => \@cells, passes => '' };
}

sub _value {
    my ($entry) = @_;
    return '' if !defined(my $value = $entry->{index} // $entry->{score} // $entry->{ratio});
    return Touchstone::Base::Figure::seconds($value) if $entry->{seconds};
    return defined $entry->{ratio} ? sprintf '%.3f', $value : human($value);
}

# A figure without an interval has a dash, so that no row is one of figures alone, as programs read them.
sub _width_of {
    my ($self, $entry) = @_;
    return
          defined $entry->{precision} ? [ plus_minus($entry->{precision}), $self->{figures}->reaches($entry) ]
        : %$entry                     ? $DASH
        :                               '';
}

# Where the window is narrow, the mark of the noisiest test loses its word, then the passes go, then the copy
# counts before this one.
sub _fitted {
    my ($self, @rows) = @_;
    my $columns = ($self->{terminal}->columns // 0) - 1;
    my $name    = max($NAME, map { width($_->{name}) } @rows);
    my $passes  = max(map { width($_->{passes} // '') } @rows);
    my $arrow   = $self->{terminal}->is_utf8 ? $ARROW : '<-';
    my $counts  = @{ $self->{figures}{copies} };
    my $first   = max(0, grep { $self->{figures}{copies}[$_] == $self->{figures}{now} } 0 .. $counts - 1);
    for my $form (
        [ $counts, $passes, "$arrow noisiest" ],
        [ $counts, $passes, $arrow ],
        [ $counts, 0,       $arrow ],
        map { [ $_, 0, '' ] } reverse 1 .. $counts
    ) {
        my ($shown, $room, $mark) = @$form;
        my $wide =
            2 + $name +
            $shown * ($VALUE + $PLUS_MINUS) +
            ($room        ? 2 + $room        : 0) +
            (length $mark ? 2 + width($mark) : 0);
        next if $wide > $columns;
        my $from = max(0, min($counts - $shown, $first - $shown + 1));
        return map { $self->_text($_, $name, [ $from .. $from + $shown - 1 ], $room, $mark) } @rows;
    }
    return;
}

sub _text {
    my ($self, $row, $name, $places, $passes, $mark) = @_;
    my $text = ($row->{now} ? '> ' : '  ') . $self->_padded($row->{name}, -$name);
    for my $place (@$places) {
        my ($value, $width)   = @{ ($row->{cells} || [])->[$place] || [ '', '' ] };
        my ($cell,  $reaches) = ref $width ? @$width : ($width, 0);
        $cell = $self->_padded($cell, $PLUS_MINUS);
        $text .=
            $self->_padded($value, $VALUE) . ($reaches ? $self->{terminal}->painted(good => $cell) : $cell);
    }
    $text .= '  ' . $self->_padded($row->{passes} // '', $passes) if $passes;
    $text .= '  ' . $self->{terminal}->painted(doubt => $mark)    if length $mark && $row->{noisy};
    return $text =~ s/ +\z//r;
}

# To the right, or to the left where the width is negative.
sub _padded {
    my ($self, $text, $width) = @_;
    $text = $self->{terminal}->fit($text);
    my $blanks = ' ' x max(0, abs($width) - width($text));
    return $width < 0 ? $text . $blanks : $blanks . $text;
}

1;
