# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Summary - what a person reads in five seconds when a run has ended:
#
#   index                1 copy   2 copies  gain, 95 % interval
#   pipe                  807.3     1596.5  98 %, 82 to 115
#   without the disturbed passes: index +4.0 % with 1 copy, +2.0 % with 2 copies
#   warning: 74 of 215 passes were disturbed; the log names them
#   warning: 16 of 24 scores are less sure than +- 1.5 %; use a longer --budget
#   warnings from before the run: locale
#   least certain: spawn +- 20 %, context1 +- 17 %, shell1 +- 13 %
#   index, 1 copy: 702 +- 3.2 % (679 to 724)
#   index, 2 copies: 1668 +- 2.0 % (1636 to 1702), gain 138 %, 129 to 147
#
# On a terminal what matters most is last, because that remains in sight; in a text it is first.
#
# Programs search what is printed for results: Progress has the words that must not be here.
package Touchstone::Report::Summary;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(figure index_score part sureness three_digits);
use Touchstone::Base::Text qw(copies named width);
use Touchstone::Report::Beside;
use Touchstone::Report::Fixed;
use Touchstone::Report::Gains;
use Touchstone::Report::Html::Scaling;
use Touchstone::Suite;

my $NAMED = 3;

# A run without an index shows so many scores.
my $SCORES = 4;

# A change of an index that is not worth a word.
my $CHANGE = 0.0005;

# These parts of a warning another line says, or the log.
my %DETAILS = (disturbed => qr/ by .*/, precision => qr/: .*/, passes => qr/, so .*/);

# From so many warnings of a kind on, one stands for all.
my $MANY = 3;

# Columns of what stands before a line.
my $BESIDE = 2;

# columns: those of the terminal, where there is one.
sub lines {
    my ($model, %how) = @_;
    my @results = (
        (map { _results($model, $_) } @{ $model->{blocks} }),
        Touchstone::Report::Beside::headlines($model)
    );
    my @doubts = (_below($model), @{ $model->{unlike} || [] }, _without_disturbed($model));
    return (_gains($model), @results, _least_certain($model, 1),
        @doubts, _warnings($model, map { _whole($_) } _late($model)))
        if !defined $how{columns};
    my $room = $how{columns} - $BESIDE;
    return (
        _gains_within($model, $room),
        @doubts,
        _warnings($model, map { _brief($_, $room) } _of_a_kind(_late($model))),
        _least_certain($model, 0), @results
    );
}

sub _gains {
    my ($model) = @_;
    return Touchstone::Report::Html::Scaling::lines($model->{speedup}, 'name') if $model->{speedup};
    my $scaling = _of_tests($model) or return;
    my @table   = Touchstone::Report::Gains::lines($scaling, 'name');
    $table[0] =~ s/, 95 % interval/                /
        if !grep { defined } map { @{ $_->{intervals} } } @{ $scaling->{rows} };
    return map { s/ +\z//r } @table;
}

# The table without the indexes: their own lines say the same.
sub _of_tests {
    my ($model) = @_;
    my $scaling = $model->{scaling} or return;
    my %index =
        map { $_->{name} => 1 } map { @{ $_->{lines} } } map { @{ $_->{tables} } } @{ $model->{blocks} };
    my @rows = grep { !$index{ $_->{name} } } @{ $scaling->{rows} };
    return @rows ? { %$scaling, rows => \@rows } : undef;
}

# A table that is too wide loses its values; where it still is, each copy count has a line.
sub _gains_within {
    my ($model, $room) = @_;
    my @table = _gains($model);
    return @table                                   if _are_within($room, @table);
    return 'speed-up and efficiency: in the report' if $model->{speedup};
    my $scaling = _of_tests($model);
    my ($first, @more) = map { copies($_) } @{ $scaling->{copies} };
    my $name  = max(map { width($_->{name}) } @{ $scaling->{rows} });
    my $form  = "%-${name}s" . '  %-20s' x @more;
    my @gains = sprintf $form, 'gain', map { "with $_" } @more;

    for my $row (@{ $scaling->{rows} }) {
        push @gains, sprintf $form, $row->{name},
            map { Touchstone::Base::Figure::gain($row->{gains}[$_], $row->{intervals}[$_]) } 1 .. @more;
    }
    s/ +\z// for @gains;
    return @gains if _are_within($room, @gains);
    return map {
        my $i = $_;
        "gain with $more[$i - 1]: " . join ', ',
            map { "$_->{name} " . Touchstone::Base::Figure::gain($_->{gains}[$i]) }
            @{ $scaling->{rows} }
    } 1 .. @more;
}

sub _are_within {
    my ($room, @lines) = @_;
    return max(0, map { width($_) } @lines) <= $room;
}

# The results of a block: its indexes, or where there is none the first of its scores.
sub _results {
    my ($model, $block) = @_;
    my @indexes = map { @{ $_->{lines} } } @{ $block->{tables} };
    return map { _index_line($model, $block->{count}, $_) } @indexes if @indexes;
    my @tests = @{ $block->{tests} };
    my @named = splice @tests, 0, $SCORES;
    return ((map { _score_line($block->{count}, $_) } @named),
        @tests ? 'in the report: ' . @tests . (@tests == 1 ? ' more score' : ' more scores') : ());
}

sub _index_line {
    my ($model, $count, $index) = @_;
    my $name = ($index->{partial} ? 'partial ' : '') . $index->{name};
    my @limits =
        map { figure($_, $index->{interval}) } @{ $index->{interval} || [] };
    return
          "$name, "
        . copies($count) . ': '
        . index_score($index)
        . (
        @limits
        ? ' ' . sureness($index->{precision}) . " ($limits[0] to $limits[1])"
        : ', n too small for an interval'
        ) . _gain_of_index($model->{scaling}, $count, $index->{name});
}

sub _gain_of_index {
    my $gain = Touchstone::Report::Gains::gain_of(@_) or return '';
    return ', gain ' . Touchstone::Base::Figure::gain(@$gain{qw(gain interval)});
}

sub _score_line {
    my ($count, $test) = @_;
    my $interval = $test->{interval};
    my $score =
        $interval
        ? figure($test->{score}, $interval)
        : three_digits($test->{score});
    return
          "$test->{name}, "
        . copies($count)
        . ": $score "
        . Touchstone::Suite::spoken_unit($test->{unit})
        . (
        $interval
        ? ' ' . sureness($test->{precision})
        : ', n too small for an interval'
        );
}

# The scores that are least certain; `passes`: with how many passes each has.
sub _least_certain {
    my ($model, $passes) = @_;
    my @tests = map {
        my $block = $_;
        map {
            { %$_, copies => $block->{count} }
        } @{ $block->{tests} }
    } @{ $model->{blocks} };
    my @known =
        sort { $b->{precision} <=> $a->{precision} || $a->{name} cmp $b->{name} }
        grep { defined $_->{precision} } @tests
        or return;
    splice @known, $NAMED if @known > $NAMED;
    return 'least certain: ' . join ', ',
        map { named($_) . ' ' . sureness($_->{precision}) . ($passes ? " ($_->{passes} passes)" : '') }
        @known;
}

sub _below {
    my ($model) = @_;
    my @tests = map {
        my $block = $_;
        map {
            { %$_, copies => $block->{count} }
        } @{ $block->{below} }
    } @{ $model->{blocks} };
    return @tests
        ? "$Touchstone::Report::Fixed::BELOW: " . join ', ', map { named($_) } @tests
        : ();
}

# Tells how indexes would change without the passes that were disturbed.
sub _without_disturbed {
    my ($model) = @_;
    my ($said, @changes) = ('');
    for my $block (@{ $model->{blocks} }) {
        for my $index (
            grep { defined $_->{clean_score} && $_->{score} > 0 }
            map  { @{ $_->{lines} } } @{ $block->{tables} }
        ) {
            my $change = $index->{clean_score} / $index->{score} - 1;
            next if abs $change < $CHANGE;
            push @changes,
                  ($index->{name} eq $said ? ''  : "$index->{name} ")
                . ($change < 0             ? '-' : '+')
                . part(abs $change)
                . ' with '
                . copies($block->{count});
            $said = $index->{name};
        }
    }
    return @changes ? 'without the disturbed passes: ' . join ', ', @changes : ();
}

sub _late {
    my ($model) = @_;
    return grep { $_->{late} } @{ $model->{warnings} };
}

# Warnings from before the run were said with their remedies then.
sub _warnings {
    my ($model, @late) = @_;
    my %seen;
    my @early = grep { !$seen{$_}++ } map { $_->{id} } grep { !$_->{late} } @{ $model->{warnings} };
    return (
        (map { "warning: $_" } @late),                  @early
        ? 'warnings from before the run: ' . join ', ', @early
        : ()
    );
}

sub _whole {
    my ($warning) = @_;
    return $warning->{text} . (defined $warning->{remedy} ? "; $warning->{remedy}" : '');
}

# A warning without its details, and with as much of its remedy as a line has room for.
sub _brief {
    my ($warning, $room) = @_;
    my $details = $DETAILS{ $warning->{id} };
    my $text    = defined $details ? $warning->{text} =~ s/$details//r : $warning->{text};
    my $more    = '';
    for my $part (defined $warning->{remedy} ? split /(?=; |, or )/, "; $warning->{remedy}" : ()) {
        last if width("warning: $text$more$part") > $room;
        $more .= $part;
    }
    return $text . $more;
}

# The first of many warnings of a kind stands for all.
sub _of_a_kind {
    my (@warnings) = @_;
    my (%kind, @few);
    push @{ $kind{ $_->{id} } }, $_ for @warnings;
    for my $warning (@warnings) {
        my @all = @{ $kind{ $warning->{id} } };
        if    (@all < $MANY) { push @few, $warning }
        elsif ($all[0] == $warning) {
            push @few,
                { %$warning, text => "$warning->{text} (and $#all more of this kind, which the log has)" };
        }
    }
    return @few;
}

1;
