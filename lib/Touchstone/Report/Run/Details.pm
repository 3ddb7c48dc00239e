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

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Columns;
use Touchstone::Report::Fixed;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Report::Model;
use Touchstone::Suite;

# A fold for each copy count; the first is open, so that paper has it too.
sub parts {
    my ($model) = @_;
    my @folds   = map { [ fold => { text => _title($_) . ", $_->{from} to $_->{to}" }, _tables($_) ] }
        grep { @{ $_->{tests} } || @{ $_->{below} } } @{ $model->{blocks} }
        or return;
    $folds[0][1]{open} = 1;
    return (_how_to_read($model), @folds);
}

sub _title { my ($block) = @_; return 'Passes and intervals, ' . copies($block->{count}) }

sub _tables {
    my ($block) = @_;
    return map { [ table => $_ ] } @{ $block->{tests} } ? _table($block) : (),
        Touchstone::Report::Fixed::table($block);
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
    my @said    = (
        "Dots: passes in time order. Line: score.$band Each row has its own scale, at least 2 % high.",
        Touchstone::Report::Plot::PassStrip::legend(map { @$_ } @passes),
        Touchstone::Report::Plot::PassStrip::thinning(max(map { scalar @$_ } @passes)),
        (grep { @{ $_->{outliers} } } @tests) ? 'Diamond: an outlier, which counts like any pass.' : (),
        $lost && $some
        ? "$DASH: every pass of this test was disturbed; the index in this column still includes them."
        : ()
    );
    return [ text => { text => "@said", class => 'dim' } ];
}

1;
