# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Newest - the newest run of each host, test by test: the scores of a chosen host, and by how
# much the others differ. Without a script the chosen host is the slowest.
package Touchstone::Report::Browse::Newest;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH $PLUS_MINUS);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Compare::Ranking;
use Touchstone::Report::Browse::Words qw(difference figure_data half is_noise label shown value);
use Touchstone::Report::Render::Html qw(folded table text);
use Touchstone::Suite;

# A table with more hosts would be wider than a page.
my $SHEET = 8;

# Differences from these are shaded, the larger the darker.
my @SHADES = (0, 0.05, 0.15, 0.3);

# The model has ranking, and chosen: the host that others are compared with.
sub render {
    my ($model) = @_;
    my @tests = grep { @{ $_->{hosts} } > 1 } @{ $model->{ranking}{tests} };
    return '' if !@tests;
    my (%seen, %suites);
    $suites{ $_->{suite} }++ for @tests;
    my @parts;
    for my $part (@tests) {
        my $words =
            'Scores with ' . copies($part->{copies}) . (keys %suites > 1 ? ', ' . shown($part->{suite}) : '');
        my $tables = join '', qq{<div class="part">\n},
            (map { _table($model, $part, $words, @$_) } _sheets($#{ $part->{hosts} })), "</div>\n";
        push @parts, $seen{ $part->{suite} }++ ? folded($words, $tables) : $tables;
    }
    return join '',
        qq{<section class="newest" id="newest">\n<h2>Newest run of each host, against <span class="chosen">},
        shown($model->{chosen}), "</span></h2>\n", @parts,
        _how(map { @{ $_->{rows} } } @tests), "</section>\n";
}

# [first, last] of the hosts of each table.
sub _sheets {
    my ($last) = @_;
    return map { [ $_, $_ + $SHEET - 1 < $last ? $_ + $SHEET - 1 : $last ] }
        grep { $_ % $SHEET == 0 } 0 .. $last;
}

sub _how {
    my (@rows) = @_;
    my $spread =
        (grep { defined $_->{spread} } @rows)
        ? 'Run to run: so much do two runs of one host in a row differ, 19 times in 20; only larger differences are'
        . ' shaded: green is faster, red is slower.'
        : 'Too few runs tell how much those of one host differ: repeat some before you believe a small difference.';
    return
        "<p class=\"dim\">+ is faster; $PLUS_MINUS is half of the 95 % interval, from the passes of both runs. $spread</p>\n";
}

sub _table {
    my ($model, $part, $words, $from, $to) = @_;
    my @hosts = @{ $part->{hosts} };
    my ($chosen) = grep { $hosts[$_]{name} eq $model->{chosen} } 0 .. $#hosts;
    $chosen //= 0;
    my $known = grep { defined $_->{spread} } @{ $part->{rows} };
    my $which =
        $to - $from < $#hosts
        ? sprintf ', hosts %d to %d of %d', $from + 1, $to + 1, scalar @hosts
        : '';
    return table(
        caption => $words . $which,
        head    => [
            'Test',
            (
                map { qq{<span data-name="$model->{which}{ $_->{name} }">} . shown($_->{name}) . '</span>' }
                    @hosts[ $from .. $to ]
            ),
            $known ? 'Run to run' : ()
        ],
        rows => [
            map { ref $_ eq 'HASH' && $_->{group} ? $_ : _row($_, $known, $chosen, $from .. $to) }
                _grouped(@{ $part->{rows} })
        ],
        class => 'pinned'
    );
}

# Rows with the kinds of tests between them, where there are several.
sub _grouped {
    my (@rows) = @_;
    my (@kinds, %of);
    for my $row (@rows) {
        my $kind = Touchstone::Suite::shown($row->{name})->{kind} // 'Other';
        push @kinds,          $kind if !$of{$kind};
        push @{ $of{$kind} }, $row;
    }
    return @rows if @kinds < 2;
    return map { ({ group => shown($_) }, @{ $of{$_} }) } @kinds;
}

sub _row {
    my ($row, $known, $chosen, @columns) = @_;
    my $spread = $row->{spread};
    return [
        shown(label({ unit => '', %$row })),
        (map { _cell($row->{cells}[$_], $row->{cells}[$chosen], $_ == $chosen, $spread // 0) } @columns),
        !$known ? () : defined $spread ? [ half($spread) . ' %', $spread ] : [ '', '' ]
    ];
}

# The script makes the text again from score and half the interval.
sub _cell {
    my ($one, $chosen, $is_chosen, $spread) = @_;
    return [ $DASH, '' ] if !$one;
    my $score = text(value($one, @$one{qw(score interval)}));
    my ($ratio, $error) = Touchstone::Compare::Ranking::against($one, $chosen);
    my $data =
          figure_data($one)
        . qq{ data-shown="$score"}
        . (is_lower_better($one) ? ' data-less="1"'              : '')
        . ($one->{kind}          ? qq{ data-kind="$one->{kind}"} : '');
    return [ qq{<span class="other" $data>$score</span>}, $one->{score} ] if $is_chosen || !defined $ratio;
    my $class = is_noise($ratio, $error, $spread) ? 'even' : _shade($ratio);
    return [ qq{<span class="$class" $data>} . difference($ratio, $error) . '</span>',
        sprintf '%.5g', $ratio ];
}

sub _shade {
    my ($ratio) = @_;
    my $apart   = abs log $ratio;
    my $shade   = grep { $apart >= $_ } @SHADES;
    return ($ratio > 1 ? 'up' : 'down') . $shade;
}

1;
