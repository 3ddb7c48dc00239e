# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::RawPasses - every pass behind the scores of a copy count, in a folded table for each test:
#
#   Round  At (s)  Took (s)  M lps  Copy 1  Copy 2  Spread (%)  Skew (ms)  Overlap (%)  Remarks
#   1      12.30   1.02      3.482  1.740   1.742   0.11        0.02       99.9         outlier
package Touchstone::Report::Run::RawPasses;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plural);
use Touchstone::Record::Warnings;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Suite;

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

# A button opens all folds of a class.
sub parts {
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
    my ($format, $figure, $by) = @_;
    return defined $figure ? sprintf $format, $figure * ($by // 1) : $DASH;
}

sub _remarks {
    my ($pass) = @_;
    return join '; ',
        (@{ $pass->{marks} } ? join ', ', Touchstone::Record::Warnings::causes(@{ $pass->{marks} }) : ()),
        $pass->{outlier} ? 'outlier' : ();
}

1;
