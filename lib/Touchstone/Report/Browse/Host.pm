# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Host - a host of the page of all runs: where its scores have changed, and the history of
# each score.
package Touchstone::Report::Browse::Host;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Browse::History;
use Touchstone::Report::Browse::Words qw(coloured dim label release shown value with_copies);
use Touchstone::Report::Render::Html qw(folded table text);

# A series with more runs than these has a table of its levels instead of all its scores.
my $LISTED = 30;

# The model has runs, hosts and year; `number` is that of the host.
sub render {
    my ($model, $number) = @_;
    my ($host,  $runs)   = ($model->{hosts}[$number], $model->{runs});
    my @main  = grep { $_->{index} } @{ $host->{series} };
    my @tests = grep { !$_->{index} } @{ $host->{series} };
    my %names = map  { $_->{name} => 1 } @tests;
    my $folded =
        @tests
        ? folded(
        keys %names == 1 ? 'History of its test' : 'History of all ' . keys(%names) . ' tests',
        _tests($runs, @tests) . join '',
        map { _history($model, $_) } @tests
        )
        : '';
    return join '', qq{<section class="host" id="h$number">\n<h2>History of }, shown($host->{name}),
        "</h2>\n",
        _changes($runs, $host), (map { _history($model, $_) } @main), $folded, "</section>\n";
}

sub _changes {
    my ($runs, $host) = @_;
    my @changes = @{ $host->{changes} };
    return '<p>'
        . (
        $host->{tested}
        ? 'No score of this host has changed by more than chance explains.'
        : "To find changes, this host $Touchstone::Report::Browse::Words::NEEDS."
        )
        . "</p>\n"
        if !@changes;
    my @rows;
    for my $change (@changes) {
        my ($before, $after) =
            map { _value($change, $change->{ [qw(before after)]->[$_] }, $change->{intervals}[$_]) } 0, 1;
        push @rows,
            [
            _title($change),
            $change->{copies},
            [ coloured($change->{speed}), $change->{speed} ],
            [ $change->{date},            $change->{at} ],
            text(join '; ', map { release($_) } @{ $change->{differ} }),
            $before,
            $after,
            qq{<a href="#r$change->{run}">} . text($runs->[ $change->{run} ]{name}) . '</a>'
            ];
    }
    return table(
        caption => 'Changes; + is faster',
        rows    => \@rows,
        left    => [ 4, 7 ],
        more    => [ 5, 6, 7 ],
        class   => 'pinned',
        head    => [
            'Test',         'Copies',        'Change',       'Since',
            'Also changed', 'Median before', 'Median after', 'First run'
        ]
    );
}

# Adds what tells a series from the other series of its test.
sub _title {
    my ($series) = @_;
    return text(label($series) . (length $series->{said} ? " ($series->{said})" : ''));
}

# Returns a median or score as a cell.
sub _value {
    my ($series, $value, $interval) = @_;
    return [
        text(value($series, $value, $interval))
            . ($interval ? '' : dim(Touchstone::Base::Figure::sureness(undef))),
        $value
    ];
}

# Shows the present level of each test.
sub _tests {
    my ($runs, @series) = @_;
    my @rows;
    for my $one (@series) {
        my ($last, $level) = ($one->{points}[-1], $one->{levels}[-1]);
        my ($since, $change) = ($one->{points}[ $level->{from} ], $one->{changes}[-1]);
        push @rows,
            [
            _title($one),
            $one->{copies},
            scalar @{ $one->{points} },
            _value($one, @$level{qw(value interval)}),
            [ @$since{qw(date at)} ],
            $change ? [ coloured($change->{speed}), $change->{speed} ] : [ '', '' ],
            _value($one, @$last{qw(score interval)}),
            text($runs->[ $last->{run} ]{date}),
            ];
    }
    return table(
        caption => 'Tests: the median since the last change',
        head    => [ 'Test', 'Copies', 'Runs', 'Median', 'Since', 'Change then', 'Newest', 'Date' ],
        rows    => \@rows,
        more    => [ 2, 4, 7 ],
        class   => 'pinned'
    );
}

sub _history {
    my ($model, $series) = @_;
    return '' if @{ $series->{points} } < 2;
    my $table = @{ $series->{points} } > $LISTED ? _levels($series) : _scores($model->{runs}, $series);
    return
          qq{<div class="history">\n}
        . Touchstone::Report::Browse::History::figure($series, $model->{year})
        . folded('As a table', $table)
        . "</div>\n";
}

sub _levels {
    my ($series) = @_;
    my ($points, @rows) = ($series->{points});
    for my $level (@{ $series->{levels} }) {
        push @rows,
            [
            (map { $points->[ $level->{$_} ]{date} } qw(from to)),
            1 + $level->{to} - $level->{from},
            _value($series, @$level{qw(value interval)})
            ];
    }
    return table(
        caption => text(with_copies($series)) . ': medians between changes',
        head    => [ 'From', 'To', 'Runs', 'Median' ],
        rows    => \@rows
    );
}

sub _limits {
    my ($series, $limits) = @_;
    return $limits
        ? join ' to ', map { value($series, $_, $limits) } @$limits
        : Touchstone::Base::Figure::sureness(undef);
}

sub _scores {
    my ($runs, $series) = @_;
    my @rows = map {
        [
            text($runs->[ $_->{run} ]{date}),
            text($runs->[ $_->{run} ]{name}),
            text(value($series, $_->{score}, $_->{interval})),
            text(_limits($series, $_->{interval}))
        ]
    } reverse @{ $series->{points} };
    return table(
        caption => text(with_copies($series)),
        head    => [ 'Date', 'Run', 'Score', '95 % interval' ],
        rows    => \@rows,
        left    => [1]
    );
}

1;
