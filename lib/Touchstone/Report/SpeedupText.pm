# SPDX-License-Identifier: GPL-2.0-or-later
# Report::SpeedupText - the speed-up of several copy counts over the first, for the log and the terminal:
#
#   index               1 copy   2 copies  speed-up, 95 % interval
#   pipe                 992.2     1923.7  1.94 (1.85 to 2.03)
package Touchstone::Report::SpeedupText;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(copies width);
use Touchstone::Suite;

# A run with several copy counts shows this beside its scores: a line a test, the values and the speed-up of
# each count over the first.
sub lines {
    my ($scaling, $label) = @_;
    my @labels = (_values_are($scaling), map { row_label($_, $label) } @{ $scaling->{rows} });
    my $form   = '%-'
        . max(18, map { width($_) } @labels) . 's' . ' %10s'
        . ' %10s  %-23s' x (@{ $scaling->{copies} } - 1);
    my ($first, @more) = map { copies($_) } @{ $scaling->{copies} };
    my @lines = (sprintf $form, shift @labels, $first, map { ($_, 'speed-up, 95 % interval') } @more);
    for my $row (@{ $scaling->{rows} }) {
        my ($value, @values) = @{ $row->{values} };
        my @gains =
            map { Touchstone::Base::Figure::speedup($row->{gains}[$_], $row->{intervals}[$_]) } 1 .. @values;
        push @lines, sprintf $form, shift @labels, Touchstone::Base::Figure::value($value),
            map { (Touchstone::Base::Figure::value($values[$_]), $gains[$_]) } 0 .. $#values;
    }
    return map { s/ +\z//r } @lines;
}

# Returns what a copy count gains over the first, in per cent, in the row of that name: { gain, interval,
# first }, or nothing.
sub speedup_of {
    my ($scaling, $copies, $name) = @_;
    my ($row)   = grep { $_->{name} eq $name } @{ ($scaling || {})->{rows} || [] }         or return;
    my ($place) = grep { $scaling->{copies}[$_] == $copies } 1 .. $#{ $scaling->{copies} } or return;
    return {
        gain     => $row->{gains}[$place],
        interval => $row->{intervals}[$place],
        first    => $scaling->{copies}[0]
    };
}

# Returns "1.91 x one copy" for an index of the model that has gained.
sub over_first {
    my ($line) = @_;
    my $first = $line->{first} == 1 ? 'one copy' : copies($line->{first});
    return three_digits($line->{gained}, $line->{gained_interval}) . " $TIMES $first";
}

# Returns the columns of the copy counts.
sub _values_are {
    my ($scaling) = @_;
    my $scores = grep { defined $_->{unit} } @{ $scaling->{rows} };
    return $scores == @{ $scaling->{rows} } ? 'score (unit)' : $scores ? 'index, or score (unit)' : 'index';
}

# Returns what a row of several copy counts is called: its name on a terminal, else its title. The unit is
# that of a score; an index has none.
sub row_label {
    my ($row, $label) = @_;
    my $name = $label eq 'name' && defined $row->{part} ? "partial $row->{name}" : $row->{$label};
    my $unit = $label eq 'name' ? Touchstone::Suite::spoken_unit($row->{unit})   : $row->{unit};
    my $team = $row->{team}     ? ', threads'                                    : '';
    return "$name$team" . (defined $row->{part} ? ", $row->{part}" : '') . (defined $unit ? " ($unit)" : '');
}

1;
