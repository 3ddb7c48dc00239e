# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Screen - a check on a terminal: 25 lines of 80 columns at most.
package Touchstone::Pack::Check::Screen;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(plus_minus);
use Touchstone::Base::Text qw(list_with);
use Touchstone::Base::Time qw(date duration);
use Touchstone::Cli::Output;
use Touchstone::Terminal;

our ($LINES, $COLUMNS) = (25, 80);

# Columns of what a line is called, and of the parts of a figure's line.
my ($NAME, $LABEL, $VALUE, $PRECISION) = (8, 20, 12, 9);

# The cells of a bar, half of them up to the reference, and for each factor of 2.
my ($CELLS, $PER_TWO) = (12, 2);
my %BAR = (full => "\xe2\x94\x81", empty => "\xe2\x94\x80");

my @LOOKS = (
    [ qr/\A(?:Touchstone check .*)/                     => 'strong' ],
    [ qr/\A(?:Missing|Not valid).*|\A! .*|\A  (?=\S).*/ => 'bad' ],
    [ qr/(?:$BAR{empty})+/                              => 'faint' ],
    [ qr/\b(?:contradicted)\b/                          => 'bad' ],
    [ qr/\b(?:unclear)\b/                               => 'doubt' ],
    [ qr/\b(?:confirmed)\b/                             => 'good' ],
);

sub text {
    my ($result) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    return join '', map { "$_\n" } map { $terminal->painted_by(\@LOOKS, $_) }
        map { $terminal->is_utf8 ? $_ : $terminal->fit(_ascii_bars($_)) } lines($result);
}

sub _ascii_bars { my ($line) = @_; return $line =~ s/$BAR{full}/=/gr =~ s/$BAR{empty}/-/gr }

# The lines; those of verdicts that have no room are counted.
sub lines {
    my ($result) = @_;
    my @head = (
        _title($result), (map { _of_machine(@$_) } @{ $result->{machine} }),
        _legend($result), map { _figure($_) } @{ $result->{figures} }
    );
    my @probes   = _probes($result);
    my @findings = _findings($result, $LINES - @head - @probes - 1);
    my $room     = $LINES - @head - @findings - @probes - 1;
    my @places   = $room > 0 ? _place($result) : ();
    return (@head, $room > @places ? '' : (), @findings, @probes, @places, $result->{quote});
}

sub _title {
    my ($result) = @_;
    my $when     = date('%Y-%m-%d %H:%M', @$result{qw(started utc_offset)});
    my $time     = defined $result->{seconds} ? ', ' . duration($result->{seconds}) : '';
    return Touchstone::Base::Text::cut_off("Touchstone check $result->{version}: $result->{name}, $when$time",
        $COLUMNS);
}

# Facts at the end of a line that has no room for them are left out.
sub _of_machine {
    my ($name, $text) = @_;
    my $line = sprintf '%-*s%s', $NAME, $name, $text;
    while (Touchstone::Base::Text::columns($line) > $COLUMNS) {
        last if $line !~ s/, [^,]*\z//;
    }
    return Touchstone::Base::Text::cut_off($line, $COLUMNS);
}

sub _legend {
    my ($result) = @_;
    return if !@{ $result->{figures} };
    return sprintf '%*s   %s', $LABEL + $VALUE + $PRECISION, '', 'half a bar: the reference';
}

sub _figure {
    my ($figure) = @_;
    my $note     = defined $figure->{note} ? "  $figure->{note}" : '';
    my $bar      = _bar(strength($figure));
    return Touchstone::Base::Text::cut_off(
        _left($LABEL, $figure->{label})
            . _right($VALUE,     $figure->{text})
            . _right($PRECISION, _precision($figure))
            . "   $bar$note",
        $COLUMNS
    ) =~ s/ +\z//r;
}

sub _left {
    my ($width, $text) = @_;
    return $text . ' ' x max(1, $width - Touchstone::Base::Text::columns($text));
}

sub _right {
    my ($width, $text) = @_;
    return ' ' x max(1, $width - Touchstone::Base::Text::columns($text)) . $text;
}

# Half of the interval, or how many passes there were instead of one.
sub _precision {
    my ($figure) = @_;
    return plus_minus($figure->{precision}) if defined $figure->{precision};
    return 'n=' . ($figure->{passes} // 0);
}

# How many times as good as the reference a figure is, as a power of two; undef without a reference.
sub strength {
    my ($figure) = @_;
    my ($value, $reference) = @$figure{qw(value reference)};
    return undef if !$reference || !$value || $value <= 0 || $reference <= 0;
    my $times = $figure->{higher} ? $value / $reference : $reference / $value;
    return log($times) / log 2;
}

sub _bar {
    my ($strength) = @_;
    return '' if !defined $strength;
    my $full = max(0, min($CELLS, sprintf '%.0f', $CELLS / 2 + $PER_TWO * $strength));
    return $BAR{full} x $full . $BAR{empty} x ($CELLS - $full);
}

# Missing figures and verdicts, in as many lines as there is room for.
sub _findings {
    my ($result, $room) = @_;
    my @texts = (missing($result), map { $_->{text} } @{ $result->{verdicts} });
    push @texts, "Not stored: $result->{unstored}." if defined $result->{unstored};
    my @items =
        map { [ Touchstone::Base::Text::wrapped($_, width => $COLUMNS, first => '! ', hang => '  ') ] }
        @texts;
    return map { @$_ } @items if (map { @$_ } @items) <= $room;
    my (@lines, @kept);
    for my $item (@items) {
        last if @lines + @$item >= $room;
        push @lines, @$item;
        push @kept,  $item;
    }
    my $more = @items - @kept;
    return (@lines,
              "! $more more: "
            . Touchstone::Cli::Output::command_line()
            . " check $result->{name} --format markdown");
}

# Missing figures with their reasons; several with one reason are named together.
sub missing {
    my ($result) = @_;
    my (%labels, @order);
    for my $missing (@{ $result->{missing} }) {
        push @order,                          $missing->{why} if !$labels{ $missing->{why} };
        push @{ $labels{ $missing->{why} } }, $missing->{label} =~ s/\A([A-Z])(?=[a-z])/\l$1/r;
    }
    return map { 'Missing: ' . list_with('and', @{ $labels{$_} }) . " ($_)." } @order;
}

# "confirmed: CPU, cache; unclear: disk"
sub _probes {
    my ($result) = @_;
    my (%names, @order);
    for my $probe (@{ $result->{probes} }) {
        push @order,                           $probe->{verdict} if !$names{ $probe->{verdict} };
        push @{ $names{ $probe->{verdict} } }, $probe->{name};
    }
    return if !@order;
    return 'Probes  ' . join '; ', map { "$_: " . join ', ', @{ $names{$_} } } @order;
}

sub place {
    my ($result) = @_;
    my $place = $result->{place} or return;
    return
          "faster than $place->{percent} % of $place->{of} published results of "
        . list_with('and', @{ $place->{tests} })
        . ' (1 copy)';
}

sub _place {
    my ($result) = @_;
    my $text = place($result) // return;
    return "Place   $text";
}

1;
