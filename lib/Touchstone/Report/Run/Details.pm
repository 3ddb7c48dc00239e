# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Details - how the scores of a copy count came about, a row for each test: its passes as a
# picture, and the figures behind its score. The indexes are below the rows.
#
#   Test              In time ->    Score    Unit  95 % interval      CV     Passes
#   Pipe Throughput   . . -.-.-- .  3449000  lps   3436000 - 3462000  0.5 %  6
#   System Benchmarks Index Score   1782           1771 - 1793
package Touchstone::Report::Run::Details;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Figure qw(part shown spelled);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Fixed;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Report::Model;
use Touchstone::Report::Render::Html qw(folded spaced table text);
use Touchstone::Suite;

# A narrow screen shows the columns up to this one, the unit, at first.
my $ALWAYS = 3;

# A column has its head and its cells for a test and for an index; `if` says whether a table needs the
# column. Tests in seconds are shown in several units, so columns sort by `exact`.
my @COLUMNS = (
    {
        head  => 'Score',
        test  => sub { [ _figure(@{ $_[0] }{qw(score interval)}), $_[0]{exact}{score} ] },
        index => sub { _figure(@{ $_[0] }{qw(score interval places)}) }
    },
    {
        head => 'Unit',
        left => 1,
        test => sub {
            text(spelled($_[0]{unit})) . (is_lower_better($_[0]) ? ' <small>less is better</small>' : '');
        }
    },
    {
        head  => '95 % interval',
        test  => sub { [ _limits($_[0]{interval}), ($_[0]{exact}{interval} || [''])->[0] ] },
        index => sub { _limits($_[0]{interval}) },
        if    => sub {
            grep { $_->{interval} } @_;
        }
    },
    {
        head => 'CV',
        test => sub { defined $_[0]{cv} ? part($_[0]{cv}) =~ s/ /&#160;/r : $DASH },
        if   => sub {
            grep { defined $_->{cv} } @_;
        }
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
        head  => 'Undisturbed only',
        test  => sub { [ _clean($_[0]), $_[0]{exact}{clean_score} // '' ] },
        index => sub { _clean($_[0]) },
        if    => sub {
            grep { defined $_->{clean_score} } @_;
        }
    },
    {
        head => 'Outliers',
        test => sub { scalar @{ $_[0]{outliers} } },
        if   => sub {
            grep { @{ $_->{outliers} } } @_;
        }
    },
);

# A fold for each copy count; the first is open, so that paper has it too.
sub html {
    my ($model) = @_;
    my @blocks  = grep { @{ $_->{tests} } || @{ $_->{below} } } @{ $model->{blocks} };
    my @folds   = map {
        folded(text('Passes and intervals, ' . copies($_->{count}) . ", $_->{from} to $_->{to}"), _tables($_))
    } @blocks;
    $folds[0] =~ s/\A<details>/<details open>/ if @folds;
    return join '', @folds;
}

sub _tables {
    my ($block) = @_;
    my @fixed = map { [ table => $_ ] } Touchstone::Report::Fixed::table($block);
    return (@{ $block->{tests} } ? _table($block) : '') . Touchstone::Report::Render::Html::fragment(@fixed);
}

sub _table {
    my ($block) = @_;
    my %exact   = map { $_->{name} => $_ } @{ $block->{exact} };
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} },
        map { +{ %$_, exact => $exact{ $_->{name} } || $_ } } @{ $block->{tests} });
    my @columns = grep { !$_->{if} || $_->{if}->(@tests) } @COLUMNS;
    my $cells   = sub {
        my ($kind, $of) = @_;
        return map { $_->{$kind} ? $_->{$kind}->($of) : '' } @columns;
    };
    my %over = _time_of($block);
    my @rows = map { [ _label($_), _strip($block, $_, %over), $cells->(test => $_) ] } @tests;
    my @foot =
        map { [ text($_->{label}), '', $cells->(index => $_) ] } Touchstone::Report::Model::indexes($block);
    my @left = (1, map { $_ + 2 } grep { $columns[$_]{left} } 0 .. $#columns);
    return table(
        caption => text('Passes and intervals, ' . copies($block->{count})),
        head    => [ 'Test', $Touchstone::Report::Plot::PassStrip::HEAD, map { $_->{head} } @columns ],
        left    => \@left,
        more    => [ grep { $_ > $ALWAYS } 0 .. @columns + 1 ],
        class   => 'pinned',
        rows    => \@rows,
        foot    => \@foot
    );
}

# The name that the results have, and the full title where a pointer rests.
sub _label {
    my ($test) = @_;
    my $label = Touchstone::Suite::shown($test->{name})->{label};
    return text($test->{title}) if !defined $label || $label eq $test->{title};
    return '<span title="' . text($test->{title}) . '">' . text($label) . '</span>';
}

# When the first and the last pass began. If a record does not tell, passes are shown in their order.
sub _time_of {
    my ($block) = @_;
    my @at = grep { defined } map { $_->{at} } map { @$_ } values %{ $block->{passes} };
    return @at && max(@at) > min(@at) ? (from => min(@at), to => max(@at)) : ();
}

# Pictures sort by what they show: how much the passes vary.
sub _strip {
    my ($block, $test, %over) = @_;
    my $strip = Touchstone::Report::Plot::PassStrip::markup(
        test   => $test,
        passes => $block->{passes}{ $test->{name} },
        %over
    );
    return [ $strip, $test->{cv} // '' ];
}

# Paper is narrow, so the second limit may go below the first, but no other break is allowed.
sub _limits {
    my ($interval) = @_;
    return $DASH if !$interval;
    return join " $DASH&#160;", map { _figure($_, $interval) } @$interval;
}

sub _figure { return spaced(text(shown(@_))) }

sub _clean {
    my ($of) = @_;
    return
          defined $of->{clean_score} ? _figure(@$of{qw(clean_score interval places)})
        : $of->{disturbed}           ? $DASH
        :                              '';
}

# Explains what the pictures of all copy counts show.
sub how_to_read {
    my ($model) = @_;
    my @tests   = map  { @{ $_->{tests} } } @{ $model->{blocks} } or return '';
    my $lost    = grep { $_->{disturbed} && !defined $_->{clean_score} } @tests;
    my $some    = grep { defined $_->{clean_score} } @tests;
    my $band    = (grep { $_->{interval} } @tests) ? ' Band: 95 % interval.' : '';
    my @said    = (
        "Dots: passes in time order. Line: score.$band Each row has its own scale, at least 2 % high.",
        Touchstone::Report::Plot::PassStrip::legend(
            map { @$_ } map { values %{ $_->{passes} } } @{ $model->{blocks} }
        ),
        Touchstone::Report::Plot::PassStrip::thinning(
            max(map { scalar @$_ } map { values %{ $_->{passes} } } @{ $model->{blocks} })
        ),
        (grep { @{ $_->{outliers} } } @tests) ? 'Diamond: an outlier, which counts like any pass.' : (),
        $lost && $some
        ? "$DASH: every pass of this test was disturbed; the index in this column still includes them."
        : ()
    );
    return '<p class="dim">' . join(' ', @said) . "</p>\n";
}

1;
