# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Details - how the scores of a copy count came about, a row for each test: its passes as a
# picture, and the figures behind its score. The indexes are below the rows.
#
#   Test              In time ->    Score    Unit  95 % interval      CV     Passes
#   Pipe Throughput   . . -.-.-- .  3449000  lps   3436000 - 3462000  0.5 %  6
#   System Benchmarks Index Score   1782           1771 - 1793
#
# Below them is every pass, in a folded table for each test:
#
#   Round  At (s)  Took (s)  M lps  Copy 1  Copy 2  Spread (%)  Skew (ms)  Overlap (%)  Remarks
#   1      12.30   1.02      3.482  1.740   1.742   0.11        0.02       99.9         outlier
package Touchstone::Report::Run::Details;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plural);
use Touchstone::Report::Columns;
use Touchstone::Report::Run::Cost;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Report::Model;
use Touchstone::Suite;
use Touchstone::Base::Figure qw(part);
use Touchstone::Record::Warnings;

# More copies than these share a column.
my $COLUMNS = 8;

# What is known of copies together.
my @TOGETHER = (
    {
        title => 'Spread (%)',
        cell  => sub { defined $_[0]{spread} ? part($_[0]{spread}) =~ s/ %\z//r : $DASH }
    },
    { title => 'Skew (ms)',   cell => sub { _figure('%.2f', $_[0]{skew},  1e3) } },
    { title => 'Overlap (%)', cell => sub { _figure('%.1f', $_[0]{share}, 100) } }
);

# More tests than these have one more fold around them.
my $MANY = 6;

# The scores and the passes behind them.
sub parts {
    my ($model) = @_;
    return (_scores($model), Touchstone::Report::Run::Cost::parts($model), _raw_passes($model));
}

# A fold for each copy count; the first is open, so that paper has it too.
sub _scores {
    my ($model) = @_;
    my @folds   = map { [ fold => { text => _title($_) . ", $_->{from} to $_->{to}" }, _tables($_) ] }
        grep { @{ $_->{tests} } || @{ $_->{below_resolution} } } @{ $model->{blocks} }
        or return;
    $folds[0][1]{open} = 1;
    return (_how_to_read($model), @folds);
}

sub _title { my ($block) = @_; return 'Passes and intervals, ' . copies($block->{count}) }

sub _tables {
    my ($block) = @_;
    return map { [ table => $_ ] } @{ $block->{tests} } ? _table($block) : (),
        Touchstone::Report::Columns::fixed_work($block);
}

sub _table {
    my ($block) = @_;
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
    my %over    = _time_of($block);
    my $strip   = sub {
        my ($test) = @_;
        my $passes = $block->{passes}{ $test->{name} };
        return Touchstone::Report::Plot::PassStrip::markup(test => $test, passes => $passes, %over);
    };
    return {
        caption => _title($block),
        class   => 'pinned',
        columns => [
            { title => 'Test', cell => \&_label, foot => sub { $_[0]{label} } },
            {
                title => $Touchstone::Report::Plot::PassStrip::HEAD,
                left  => 1,

                # Pictures sort by what they show: how much the passes vary.
                cell => sub { { text => { picture => $strip->(@_) }, key => $_[0]{cv} // '' } }
            },
            Touchstone::Report::Columns::of_page()
        ],
        rows => \@tests,
        foot => [ Touchstone::Report::Model::indexes($block) ]
    };
}

# The name that the results have, and the full title where a pointer rests.
sub _label {
    my ($test) = @_;
    my $label = Touchstone::Suite::label($test);
    return $label eq $test->{title} ? $label : [ { text => $label, title => $test->{title} } ];
}

# When the first and the last pass began. If a record does not tell, passes are shown in their order.
sub _time_of {
    my ($block) = @_;
    my @at = grep { defined } map { $_->{at} } map { @$_ } values %{ $block->{passes} };
    return @at && max(@at) > min(@at) ? (from => min(@at), to => max(@at)) : ();
}

# Explains what the pictures of all copy counts show.
sub _how_to_read {
    my ($model) = @_;
    my @tests   = map  { @{ $_->{tests} } } @{ $model->{blocks} } or return;
    my @passes  = map  { values %{ $_->{passes} } } @{ $model->{blocks} };
    my $lost    = grep { $_->{disturbed} && !defined $_->{clean_score} } @tests;
    my $some    = grep { defined $_->{clean_score} } @tests;
    my $band    = (grep { $_->{interval} } @tests) ? ' Band: 95 % interval.' : '';
    my @phrases = (
        "Dots: passes in time order. Line: score.$band Each row has its own scale, at least 2 % high.",
        Touchstone::Report::Plot::PassStrip::legend(map { @$_ } @passes),
        Touchstone::Report::Plot::PassStrip::thinning(max(map { scalar @$_ } @passes)),
        (grep { @{ $_->{outliers} } } @tests) ? 'Diamond: an outlier, which counts like any pass.' : (),
        $lost && $some
        ? "$DASH: every pass of this test was disturbed; the index in this column still includes them."
        : ()
    );
    return [ text => { text => "@phrases", class => 'dim' } ];
}

# A button opens all folds of a class.
sub _raw_passes {
    my ($model) = @_;
    my @folds   = map { _of_block($_) } @{ $model->{blocks} } or return;
    my $button  = { text => 'Open or close all', opens => 'details.passes' };
    return [
        fold => 'Figures of every pass, test by test',
        [
            text => { text => $button, class => 'screen' },
            {
                text =>
                    'At: when the pass began, after the first of the run. Remarks: what disturbed the pass, '
                    . 'and whether it is an outlier.',
                class => 'dim'
            }
        ],
        @folds
    ];
}

sub _of_block {
    my ($block) = @_;
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
    my @folds   = map { _test($block, $_, @{ $block->{passes}{ $_->{name} } || [] }) } @tests;
    return @folds if @folds <= $MANY;
    my $passes = sum(0, map { scalar @$_ } values %{ $block->{passes} });
    return _fold(copies($block->{count}) . ': ' . @tests . " tests, $passes passes", @folds);
}

sub _fold { my ($title, @parts) = @_; return [ fold => { text => $title, class => 'passes' }, @parts ] }

sub _test {
    my ($block, $test, @passes) = @_;
    my $title =
          Touchstone::Suite::label($test) . ', '
        . copies($block->{count}) . ': '
        . plural(scalar @passes, 'pass', 'passes');
    my %table = (caption => $title, class => 'pinned', rows => \@passes);
    return _fold($title, [ table => { %table, columns => [ _columns($test, $block->{count}) ] } ]);
}

sub _columns {
    my ($test, $count) = @_;
    my $value = sub {
        return defined $_[0] ? Touchstone::Report::Plot::PassStrip::value($test, $_[0]) : $DASH;
    };
    return (
        { title => 'Round',    cell => sub { $_[0]{round} } },
        { title => 'At (s)',   cell => sub { _figure('%.2f', $_[0]{at}) } },
        { title => 'Took (s)', cell => sub { _figure('%.2f', $_[0]{seconds}) } },
        {
            title => Touchstone::Report::Plot::PassStrip::unit($test),
            cell  => sub { $value->($_[0]{value}) }
        },
        $count > 1 ? (_of_copies($count, $value), @TOGETHER) : (),
        {
            title => 'Remarks',
            left  => 1,
            cell  => \&_remarks,
            if    => sub {
                grep { length _remarks($_) } @_;
            }
        }
    );
}

sub _of_copies {
    my ($count, $value) = @_;
    return {
        title => 'Each copy',
        left  => 1,
        cell  => sub {
            return join ' ', map { $value->($_) } @{ $_[0]{each} };
        }
        }
        if $count > $COLUMNS;
    return map {
        my $copy = $_;
        { title => "Copy $copy", cell => sub { $value->($_[0]{each}[ $copy - 1 ]) } }
    } 1 .. $count;
}

sub _figure {
    my ($format, $figure, $divisor) = @_;
    return defined $figure ? sprintf $format, $figure * ($divisor // 1) : $DASH;
}

sub _remarks {
    my ($pass) = @_;
    return join '; ',
        (@{ $pass->{marks} } ? join q(, ), Touchstone::Record::Warnings::causes(@{ $pass->{marks} }) : ()),
        $pass->{outlier} ? 'outlier' : ();
}

1;
