# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html::Results - the tables of a copy count: each row has a test, with its passes as a picture and
# in figures; the indexes are below the rows.
#
#   Test              Each pass          Score    Unit  95 % interval       CV     n  Baseline  Index
#   Pipe Throughput   . . -.-.-- . .     3449000  lps   3436000 to 3462000  0.5 %  6  12440.0   2772.6
#   System Benchmarks Index Score +- 0.6 %              1771 to 1793                            1782
package Touchstone::Report::Html::Results;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Figure qw(part shown sureness);
use Touchstone::Report::Fixed;
use Touchstone::Report::Page::Markup qw(table text);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Report::Html::Strip;
use Touchstone::Report::Page;

my $NONE = '---';

# A column has its head and its cells for a test and for an index; `if` says whether a table needs the
# column. Tests in seconds are shown in several units, so columns sort by `exact`.
my @COLUMNS = (
    {
        head => 'Score',
        test => sub {
            [ text(shown(@{ $_[0] }{qw(score interval)})), $_[0]{exact}{score} ]
        }
    },
    {
        head => 'Unit',
        left => 1,
        test => sub {
            text($_[0]{unit}) . (is_lower_better($_[0]) ? ' <small>less is better</small>' : '');
        }
    },
    {
        head  => '95 % interval',
        test  => sub { [ _limits($_[0]{interval}), ($_[0]{exact}{interval} || [''])->[0] ] },
        index => sub { _limits($_[0]{interval}) }
    },
    {
        head => 'CV',
        test => sub { defined $_[0]{cv} ? part($_[0]{cv}) =~ s/ /&#160;/r : $NONE }
    },
    { head => 'Passes', test => sub { $_[0]{passes} } },
    {
        head  => 'Disturbed',
        test  => sub { $_[0]{disturbed} || '0' },
        index => sub { $_[0]{disturbed} || '0' },
        if    => sub {
            grep { $_->{disturbed} } @_;
        }
    },
    {
        head  => 'Without these',
        test  => sub { [ _clean($_[0]), $_[0]{exact}{clean_score} // '' ] },
        index => sub { _clean($_[0]) },
        if    => sub {
            grep { $_->{disturbed} } @_;
        }
    },
    {
        head => 'Outliers',
        test => sub { scalar @{ $_[0]{outliers} } },
        if   => sub {
            grep { @{ $_->{outliers} } } @_;
        }
    },
    {
        head => 'Baseline',
        test => sub { defined $_[0]{baseline} ? [ _baseline($_[0]), $_[0]{exact}{baseline} ] : $NONE },
        if   => sub {
            grep { defined $_->{baseline} } @_;
        }
    },
    {
        head => 'Index',
        test => sub {
            defined $_[0]{index}
                ? [ text(Touchstone::Base::Figure::shown_index($_[0])), $_[0]{index} ]
                : $NONE;
        },
        index => sub { text(shown(@{ $_[0] }{qw(score interval places)})) },
        if    => sub {
            grep { defined $_->{index} } @_;
        }
    },
);

# Tests that are in no table of indexes have one of their own.
sub html {
    my ($block) = @_;
    my %exact   = map { $_->{name} => $_ } @{ $block->{exact} };
    my $sorted  = sub {
        return map { +{ %$_, exact => $exact{ $_->{name} } || $_ } } @_;
    };
    my %shown  = map  { $_->{name} => 1 } map { @{ $_->{rows} } } @{ $block->{tables} };
    my @others = grep { !$shown{ $_->{name} } } @{ $block->{tests} };
    my @at     = grep { defined } map { $_->{at} } map { @$_ } values %{ $block->{passes} };

    # If a record does not tell when passes began, they are shown in their order.
    my %over = @at && max(@at) > min(@at) ? (from => min(@at), to => max(@at)) : ();
    return join '', '<p class="when">', text("$block->{date} $block->{from} - $block->{to}"), "</p>\n",
        (map { _table($block, \%over, text($_->{heading}), $_->{lines}, $sorted->(@{ $_->{rows} })) }
            @{ $block->{tables} }),
        (
        @others
        ? _table($block, \%over, @{ $block->{tables} } ? 'Results without an index' : 'Results',
            [], $sorted->(@others))
        : ()
        ),
        (@{ $block->{tests} } ? () : "<p>No test has a result.</p>\n"),
        Touchstone::Report::Page::fragment(map { [ table => $_ ] } Touchstone::Report::Fixed::table($block));
}

sub _table {
    my ($block, $over, $caption, $lines, @tests) = @_;
    my @columns = grep { !$_->{if} || $_->{if}->(@tests) } @COLUMNS;
    my $cells   = sub {
        my ($kind, $of) = @_;
        return map { $_->{$kind} ? $_->{$kind}->($of) : '' } @columns;
    };

    # Pictures sort by what they show: how much the passes vary.
    my $strip = sub {
        my ($test) = @_;
        return [
            Touchstone::Report::Html::Strip::markup(
                test   => $test,
                passes => $block->{passes}{ $test->{name} },
                %$over
            ),
            $test->{cv} // ''
        ];
    };
    my @rows = map { [ text($_->{title}), $strip->($_), $cells->(test => $_) ] } @tests;
    my @foot = map { [ _label($_), '', $cells->(index => $_) ] } @$lines;
    my @left = (1, map { $_ + 2 } grep { $columns[$_]{left} } 0 .. $#columns);
    return table(
        caption => $caption,
        head    => [ 'Test', 'Each pass', map { $_->{head} } @columns ],
        left    => \@left,
        rows    => \@rows,
        foot    => \@foot
    );
}

# A baseline in seconds is a whole number of small units.
sub _baseline {
    my ($test) = @_;
    my $figure = Touchstone::Base::Figure::baseline_figure($test);
    return is_lower_better($test) ? $figure =~ s/\.0\z//r : $figure;
}

# Returns the name of an index, and how sure it is.
sub _label {
    my ($line) = @_;
    return text(join ' ', $line->{label}, defined $line->{precision} ? sureness($line->{precision}) : ()) =~
        s/\+-/&#177;/r;
}

# Paper is narrow, so the second limit may go below the first, but no other break is allowed.
sub _limits {
    my ($interval) = @_;
    return $interval
        ? join ' to&#160;', map { text(shown($_, $interval)) } @$interval
        : 'n too small';
}

sub _clean {
    my ($of) = @_;
    return
          defined $of->{clean_score} ? text(shown(@$of{qw(clean_score interval places)}))
        : $of->{disturbed}           ? 'none left'
        :                              '';
}

# Explains what the pictures of all copy counts show.
sub how_to_read {
    my (@blocks) = @_;
    my @tests    = map  { @{ $_->{tests} } } @blocks or return '';
    my @lost     = grep { $_->{disturbed} && !defined $_->{clean_score} } @tests;
    my @said     = (
        'Each pass: a dot, from left to right by when it began; the line is the score'
            . ((grep { $_->{interval} } @tests) ? ', the band its 95 % interval.' : '.'),
        'Each test has a scale of its own, of 2 % of the score at least.',
        (
            (grep { $_->{disturbed} } @tests)
            ? 'Hollow: something else disturbed this pass; the score without these is in its column.'
            : ()
        ),
        (
            @lost
            ? 'None left: all passes of the test were disturbed, and the index without these has them all.'
            : ()
        ),
        ((grep { @{ $_->{outliers} } } @tests) ? 'Diamond: an outlier, which counts like every pass.' : ())
    );
    return '<p class="dim">' . join(' ', @said) . "</p>\n";
}

1;
