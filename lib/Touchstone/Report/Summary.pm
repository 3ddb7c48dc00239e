# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Summary - what a person reads in five seconds when a run has ended. The answer is first:
#
#   not valid: 74 of 215 passes were disturbed by other processes; run it again on an idle machine
#   index, 1 copy: 702 ±3.2 % (679 to 724), not valid
#   index, 2 copies: 1668 ±2.0 % (1636 to 1702), 2.38 × one copy (2.29 to 2.47), not valid
#   index, 1 copy: measured 702; would have been about 960 without other processes (-27 %)
#   noisiest: spawn ±20 %, context1 ±17 %, shell1 ±13 %
#   leaving out disturbed passes would change the index with 1 copy by +4.0 %
#   warning: 16 of 24 scores did not reach ±1.5 %; use a longer --budget
#   1 warning at the start, see above: locale
#   speed-up, 2 copies: pipe 1.98, context1 1.27, ...
#
# A text has all of the warnings and intervals. On a terminal the table that --scaling asked for stands before
# the answer, which remains in sight then.
#
# Programs search what is printed for results: Progress has the words that must not be here.
package Touchstone::Report::Summary;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(figure index_score no_interval part human report_index plus_minus);
use Touchstone::Base::Symbols qw($MINUS $TIMES);
use Touchstone::Base::Text qw(copies named plural width);
use Touchstone::Record::Warnings;
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Columns;
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Groups;
use Touchstone::Report::Host;
use Touchstone::Report::Run::Scaling;
use Touchstone::Report::Model;
use Touchstone::Report::Price;
use Touchstone::Report::Tails;
use Touchstone::Report::Undisturbed;
use Touchstone::Suite;

my $NAMED = 3;

# A run without an index shows so many scores.
my $SCORES = 4;

# A change of an index that is not worth a word.
my $CHANGE = 0.0005;

# From so many warnings of a kind on, one stands for all.
my $MANY = 3;

# Columns of what stands before a line.
my $MARGIN = 2;

# So many speed-ups are named; of more, the least and the most.
my $FEW = 12;

sub text {
    my ($model) = @_;
    return join q{}, map { "$_\n" } lines($model);
}

# All lines. columns: those of the terminal, where there is one.
sub lines {
    my ($model, %how) = @_;
    return (before($model, %how), (map { $_->{text} } answer($model, %how)), details($model, %how));
}

# The scaling that was asked for, on a terminal, which shows what stands last.
sub before {
    my ($model, %how) = @_;
    return if !$model->{speedup} || !defined $how{columns};
    my @table = Touchstone::Report::Run::Scaling::lines($model->{speedup}, 'name');
    my $fits  = max(map { width($_) } @table) <= $how{columns} - $MARGIN;
    return $fits ? @table : 'speed-up and efficiency: in the report';
}

# The answer, as a list of { text, look }. The look is that of the figure, or where the run is not valid, of
# the line that says so. A text has all of the reason there.
sub answer {
    my ($model, %how) = @_;
    my $invalid = $model->{invalid};
    my $look    = $invalid ? undef : _look($model);
    my $why =
          !$invalid             ? undef
        : defined $how{columns} ? _why_invalid($invalid)
        :                         Touchstone::Record::Warnings::sentence($invalid->{main});
    return (
        ($invalid ? { look => 'bad', text => "not valid: $why" } : ()),
        (
            map { { look => $look, text => $_ . Touchstone::Report::Model::not_valid($model) } }
            map { _results($model, $_) } @{ $model->{blocks} }
        ),
        (map { { text => $_ } } Touchstone::Report::Price::sentences($model), _explained($model, %how)),
        map { { text => $_ } } Touchstone::Report::PublishedResults::headlines($model)
    );
}

# What explains the answer: the parts of the index, what stands for itself, the slowest operations.
sub _explained {
    my ($model, %how) = @_;
    return (
        Touchstone::Report::Groups::lines($model),
        Touchstone::Report::Groups::asides($model, sub { $_[0]{name} }),
        Touchstone::Report::Groups::consistency($model),
        Touchstone::Report::Tails::sentences($model, brief => defined $how{columns})
    );
}

# The first of what is to be done is enough here; all of it is among the warnings.
sub _why_invalid {
    my ($invalid) = @_;
    my ($remedy)  = grep { defined } $invalid->{main}{remedy}, $invalid->{remedy};
    return $invalid->{brief} . (defined $remedy ? '; ' . $remedy =~ s/;.*//sr : '');
}

# Good: every score is as precise as the run wanted it. A run that wanted nothing has neither good nor bad
# ones.
sub _look {
    my ($model) = @_;
    my $wanted  = $model->{schedule}{precision} // return 'strong';
    my @tests   = map { @{ $_->{tests} } } @{ $model->{blocks} };
    return (grep { !defined $_->{precision} || $_->{precision} > $wanted } @tests) ? 'doubt' : 'good';
}

# What stands behind the answer.
sub details {
    my ($model, %how) = @_;
    my @doubts = (
        Touchstone::Report::Host::comparable($model),
        _below($model),
        @{ $model->{unlike} || [] },
        _without_disturbed($model)
    );

    # What makes the run invalid stands in its answer.
    my $text = $model->{invalid} ? $model->{invalid}{main}{text} : '';
    my @late = grep { $_->{text} ne $text } _late($model);
    return (
        _lost($model),
        _noisiest($model, 1),
        @doubts,
        _warnings($model, '', map { Touchstone::Record::Warnings::sentence($_) } @late),
        $model->{speedup}
        ? Touchstone::Report::Run::Scaling::lines($model->{speedup}, 'name')
        : _speedups($model, 1)
    ) if !defined $how{columns};

    my $room = $how{columns} - $MARGIN;
    return (
        _lost($model, brief => 1),
        _noisiest($model, 0),
        @doubts,
        _warnings($model, ', see above', map { _brief($_, $room) } _of_a_kind(@late)),
        $model->{speedup} ? () : _speedups($model, 0)
    );
}

# What disturbances took of the indexes, or where there is none of the first of the scores.
sub _lost {
    my ($model, %how) = @_;
    my @phrases;
    for my $block (@{ $model->{blocks} }) {
        my $copies  = copies($block->{count});
        my @indexes = Touchstone::Report::Model::indexes($block);
        my @tests   = @indexes ? () : Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{exact} });
        my @lines   = (
            (
                map {
                    [
                        Touchstone::Report::Model::short_name($_),
                        Touchstone::Report::Undisturbed::of_index($_, %how, measured => report_index($_))
                    ]
                } @indexes
            ),
            (map { [ $_->{name}, Touchstone::Report::Undisturbed::of_test($_, %how) ] } @tests)
        );
        @lines = grep { defined $_->[1] } @lines;
        splice @lines, $SCORES if @lines > $SCORES;
        push @phrases, map { "$_->[0], $copies: $_->[1]" } @lines;
    }
    return @phrases;
}

# One line for the whole run beside a comparison of several, which rounds its indexes likewise.
sub line {
    my ($model) = @_;
    my @phrases = map {
        my $block = $_;
        map {
                  Touchstone::Report::Model::short_name($_) . ', '
                . copies($block->{count}) . ': '
                . _figure_of_index($block, $_, \&index_score)
        } Touchstone::Report::Model::indexes($block)
    } @{ $model->{blocks} };
    my $scores = max(0, map { scalar @{ $_->{tests} } } @{ $model->{blocks} });
    push @phrases, plural($scores, 'score') if !@phrases;
    my $invalid = $model->{invalid};
    return join('; ', @phrases) . ($invalid ? ", not valid: $invalid->{brief}" : '');
}

# The speed-ups without those of the indexes: their own lines say the same.
sub _of_tests {
    my ($model) = @_;
    my $scaling = $model->{scaling} or return;
    my %index =
        map { $_->{name} => 1 } map { @{ $_->{lines} } } map { @{ $_->{tables} } } @{ $model->{blocks} };
    my @rows = grep { !$index{ $_->{name} } } @{ $scaling->{rows} };
    return @rows ? { %$scaling, rows => \@rows } : undef;
}

# A line for each copy count, which no reader takes for a row of the report; the log has a table. In a text
# all have their intervals.
sub _speedups {
    my ($model, $is_text) = @_;
    my $scaling = _of_tests($model) or return;
    my @rows    = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $scaling->{rows} });
    return map { _speedups_of($scaling, $_, $is_text, @rows) } 1 .. $#{ $scaling->{copies} };
}

sub _speedups_of {
    my ($scaling, $place, $is_text, @rows) = @_;
    my @known = grep { defined $_->{gains}[$place] } @rows or return;
    my $all   = $is_text || @known <= $FEW;
    @known = (sort { $a->{gains}[$place] <=> $b->{gains}[$place] } @known)[ 0, -1 ] if !$all;
    my @phrases = map {
        "$_->{name} "
            . Touchstone::Base::Figure::speedup($_->{gains}[$place],
            $is_text ? $_->{intervals}[$place] : undef)
    } @known;
    return 'speed-up, ' . copies($scaling->{copies}[$place]) . ': ' . join $all ? ', ' : ' to ', @phrases;
}

# The results of a block: its indexes, or where there is none the first of its scores.
sub _results {
    my ($model, $block) = @_;
    my @indexes = Touchstone::Report::Model::indexes($block);
    return map { _index_line($model, $block, $_) } @indexes if @indexes;
    my @tests = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
    my @named = splice @tests, 0, $SCORES;
    return ((map { _score_line($block->{count}, $_) } @named),
        @tests ? 'in the report: ' . plural(scalar @tests, 'more score') : ());
}

sub _index_line {
    my ($model, $block, $index) = @_;
    my $speedup =
        Touchstone::Report::SpeedupText::speedup_of($model->{scaling}, $block->{count}, $index->{name});
    my $over =
        $speedup
        ? " $TIMES " . ($speedup->{first} == 1 ? 'one copy' : 'that with ' . copies($speedup->{first}))
        : undef;
    return
          Touchstone::Report::Model::short_name($index) . ', '
        . copies($block->{count}) . ': '
        . _figure_of_index($block, $index)
        . ($speedup ? ', ' . Touchstone::Base::Figure::speedup(@$speedup{qw(gain interval)}, $over) : '');
}

sub _figure_of_index {
    my ($block, $index, $figure) = @_;
    my ($low, $high) = map { figure($_, $index->{interval}) } @{ $index->{interval} || [] };
    return ($figure // \&report_index)->($index)
        . (
        defined $low
        ? ' ' . plus_minus($index->{precision}) . " ($low to $high)"
        : ' (' . Touchstone::Report::Model::no_interval_of($block) . ')'
        );
}

sub _score_line {
    my ($count, $test) = @_;
    my $text = human(@$test{qw(score interval)}, Touchstone::Suite::spoken_unit($test->{unit}));
    return
          "$test->{name}, "
        . copies($count)
        . ": $text "
        . ($test->{interval} ? plus_minus($test->{precision}) : '(' . no_interval($test->{passes}) . ')');
}

# The rows of all blocks, each with its number of copies.
sub _at_all_copies {
    my ($model, $key) = @_;
    return map {
        my $count = $_->{count};
        map { +{ %$_, copies => $count } } @{ $_->{$key} }
    } @{ $model->{blocks} };
}

# The scores with the widest intervals; `passes`: with how many passes each has.
sub _noisiest {
    my ($model, $passes) = @_;
    my @tests = _at_all_copies($model, 'tests');
    my @known =
        sort { $b->{precision} <=> $a->{precision} || $a->{name} cmp $b->{name} }
        grep { defined $_->{precision} } @tests;
    return if @known < 2;
    splice @known, $NAMED if @known > $NAMED;
    return 'noisiest: ' . join ', ',
        map { named($_) . ' ' . plus_minus($_->{precision}) . ($passes ? " ($_->{passes} passes)" : '') }
        @known;
}

sub _below {
    my ($model) = @_;
    my @tests = _at_all_copies($model, 'below_resolution');
    return @tests
        ? "$Touchstone::Report::Columns::BELOW: " . join ', ', map { named($_) } @tests
        : ();
}

# Tells how indexes would change without the passes that were disturbed, where no sentence says what these
# took.
sub _without_disturbed {
    my ($model) = @_;
    my %changes;
    my @names;
    for my $block (@{ $model->{blocks} }) {
        for my $index (grep { defined $_->{clean_score} && $_->{score} > 0 && !$_->{shows_loss} }
            Touchstone::Report::Model::indexes($block)) {
            my $change = $index->{clean_score} / $index->{score} - 1;
            next if abs $change < $CHANGE;
            push @names, $index->{name} if !$changes{ $index->{name} };
            push @{ $changes{ $index->{name} } },
                'with ' . copies($block->{count}) . ' by ' . ($change < 0 ? $MINUS : '+') . part(abs $change);
        }
    }
    return map { "leaving out disturbed passes would change the $_ " . join ', ', @{ $changes{$_} } } @names;
}

sub _late {
    my ($model) = @_;
    return grep { $_->{late} } @{ $model->{warnings} };
}

# Warnings at the start were said with their remedies then. `where`: where they can be read.
sub _warnings {
    my ($model, $where, @late) = @_;
    my %seen;
    my @early = grep { !$seen{$_}++ } map { $_->{id} } grep { !$_->{late} } @{ $model->{warnings} };
    my $many  = plural(scalar @early, 'warning');
    return ((map { "warning: $_" } @late), @early ? "$many at the start$where: " . join(', ', @early) : ());
}

# A warning without its details, and with as much of its remedy as a line has room for.
sub _brief {
    my ($warning, $room) = @_;
    my $text = Touchstone::Record::Warnings::without_details($warning);
    my $more = '';
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
