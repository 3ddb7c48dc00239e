# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run - a run as one self-contained page. Its first screen has the answer: which machine, its indexes
# or why they are not valid, and the table of results. Behind links there are notes, every pass, pictures and
# tables of all figures, and the machine. Each section is a module; a section that says nothing is left out of
# the page and of the links.
package Touchstone::Report::Run;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Beside;
use Touchstone::Report::Plot::ScoreBars;
use Touchstone::Report::Run::Details;
use Touchstone::Report::Run::Groups;
use Touchstone::Report::Run::Headline;
use Touchstone::Report::Run::Indexes;
use Touchstone::Report::Run::RawPasses;
use Touchstone::Report::Run::Results;
use Touchstone::Report::Run::Scaling;
use Touchstone::Report::Plot::CopySpread;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Report::Run::System;
use Touchstone::Report::Run::Tails;
use Touchstone::Report::Run::Warnings;
use Touchstone::Report::Render::Html qw(folded page text);
use Touchstone::Report::Plot::Quantiles;

# Tables of details have up to ten columns, more than those of other pages. On paper their letters are smaller
# than those of Report::Render::Html::Style.
my $OWN = <<'CSS';
.skip { position: absolute; left: -99rem; background: var(--ground); padding: .3rem .6rem; }
.skip:focus { left: 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: .6rem 0; }
button { font: inherit; color: var(--accent); background: var(--ground); border: 1px solid var(--line); border-radius: .25rem; padding: .2rem .7rem; cursor: pointer; }
@media screen {
table { font-size: .9rem; }
th, td { padding: .2rem .5rem; }
}
thead th { white-space: normal; }
tfoot th:first-child { min-width: 9rem; }
tbody td.left { min-width: 3rem; }
.passes th:first-child { min-width: 0; white-space: nowrap; }
@media print {
nav, .skip { display: none; }
pre { font-size: 7pt; white-space: pre-wrap; overflow-wrap: anywhere; }
main table { font-size: 7pt !important; }
main th, main td { padding: .1rem .12rem !important; }
td { white-space: normal; }
tfoot th:first-child, th:first-child { min-width: 5rem; }
}
CSS
our $CSS = join '', $OWN,
    map { no strict 'refs'; ${"Touchstone::Report::${_}::CSS"} }
    qw(Run::Headline Run::Warnings Run::Indexes Run::Groups Plot::ScoreBars Run::Results Plot::PassStrip),
    'Run::System';

# What can stand beside a page, and what a link to it is called.
my @FILES = ([ text => 'Text report' ], [ log => 'Log' ], [ json => 'JSON' ], [ index => 'All runs' ]);

# `links`: { text => 'NAME', ... }, addresses of what stands beside the page.
sub render {
    my ($model, $links) = (_for_people($_[0]), $_[1] || {});
    my @sections = grep { length $_->{markup} } _sections($model);
    my @notes    = grep { length $_->{markup} } _notes($model);
    my $body     = join '', qq{<a class="skip" href="#results">Skip to the results</a>\n},
        Touchstone::Report::Run::Headline::html($model, $links),
        Touchstone::Report::Run::Warnings::banner($model), Touchstone::Report::Run::Indexes::html($model),
        Touchstone::Report::Run::Warnings::html($model),   Touchstone::Report::Run::Groups::html($model),
        _results($model),
        _navigation($links, @sections, @notes), map { _section($model, $_) } @notes, @sections;
    my $style = $CSS . ($body =~ / class="tails"/ ? $Touchstone::Report::Plot::Quantiles::CSS : '');
    return page(Touchstone::Report::Run::Headline::title($model), $body, style => $style);
}

# The model without speed-ups of what is no index.
sub _for_people {
    my ($model) = @_;
    my @tables  = map { @{ $_->{tables} } } @{ $model->{blocks} };
    my %none    = map { $_->{name} => 1 } map { @{ $_->{lines} } } grep { !$_->{is_index} } @tables;
    my %without = map {
        my $table = $model->{$_};
        $table ? ($_ => { %$table, rows => [ grep { !$none{ $_->{name} } } @{ $table->{rows} } ] }) : ()
    } qw(curves speedup);
    return %none ? { %$model, %without } : $model;
}

sub _results {
    my ($model) = @_;
    my $void = $model->{void} ? ' class="invalid"' : '';
    return join '', qq{<section id="results"$void aria-label="Results">\n},
        Touchstone::Report::Run::Results::html($model),
        (map { '<p>' . text(ucfirst) . ".</p>\n" } @{ $model->{unlike} }), "</section>\n";
}

# The folded notes stand below the results, their link behind those to the other sections.
sub _notes {
    my ($model) = @_;
    return {
        short  => Touchstone::Report::Run::Warnings::title($model),
        id     => 'notes',
        markup => Touchstone::Report::Run::Warnings::notes($model)
    };
}

# Returns the sections in the order of the page. `short` is the name of a link to one that has its own
# headings.
sub _sections {
    my ($model) = @_;
    return (
        { id => 'passes', title => 'Every pass', markup => _passes($model) },
        {
            id     => 'tails',
            short  => 'Slowest operations',
            markup => Touchstone::Report::Run::Tails::html($model)
        },
        {
            id     => 'scaling',
            short  => 'Scaling',
            markup => join '',
            Touchstone::Report::Run::Scaling::html($model)
        },
        {
            id     => 'spread',
            short  => 'Spread between copies',
            markup => join '',
            Touchstone::Report::Plot::CopySpread::html($model)
        },
        _suites(Touchstone::Report::Beside::parts($model, wide => 1)),
        {
            id     => 'system',
            title  => 'Machine and build',
            markup => Touchstone::Report::Run::System::html($model)
        },
    );
}

# Makes a section of each suite, which begins with a heading of its own.
sub _suites {
    my (@parts) = @_;
    my @sections;
    for my $part (@parts) {
        push @sections, { id => 'suite-' . (@sections + 1), short => $part->[1], parts => [] }
            if $part->[0] eq 'heading' || !@sections;
        push @{ $sections[-1]{parts} }, $part;
    }
    return map {
        { %$_, markup => Touchstone::Report::Render::Html::fragment(@{ $_->{parts} }) }
    } @sections;
}

# A section without a title has its own headings. One with figures of a run that is not valid says so.
my $UNSOUND         = qq{<p class="not-valid">Not valid: see the top of the page.</p>\n};
my %WITHOUT_FIGURES = (notes => 1, system => 1);

sub _section {
    my ($model, $is) = @_;
    my $title  = defined $is->{title} ? '<h2>' . text($is->{title}) . "</h2>\n" : '';
    my $markup = $title . $is->{markup};
    $markup =~ s{(</h2>\n)}{$1$UNSOUND} if $model->{void} && !$WITHOUT_FIGURES{ $is->{id} };
    return qq{<section id="$is->{id}">\n$markup</section>\n};
}

# Links to the sections, and to the other forms of the run.
sub _navigation {
    my ($links, @sections) = @_;
    my @to = (
        (map { [ "#$_->{id}", $_->{short} // $_->{title} ] } @sections),
        map { [ $links->{ $_->[0] }, $_->[1] ] } grep { defined $links->{ $_->[0] } } @FILES
    );
    my @items = map { '<li><a href="' . text($_->[0]) . '">' . text($_->[1]) . "</a></li>\n" } @to;
    return qq{<nav aria-label="Sections and files">\n<ul>\n} . join('', @items) . "</ul>\n</nav>\n";
}

# The passes as pictures, and behind a fold all their figures.
sub _passes {
    my ($model) = @_;
    my $details = Touchstone::Report::Run::Details::html($model);
    return '' if !length $details;
    return Touchstone::Report::Run::Details::how_to_read($model) . $details
        . _figures(@{ $model->{blocks} });
}

sub _figures {
    my (@blocks) = @_;
    my $folds    = join '', map { Touchstone::Report::Run::RawPasses::html($_) } @blocks;
    return '' if !length $folds;
    my $button =
          qq{<button type="button" hidden }
        . qq{data-opens="$Touchstone::Report::Run::RawPasses::OPENS">Open or close all</button>};
    return folded(
        'Figures of every pass, test by test',
        qq{<p class="screen">$button</p>\n<p class="dim">At: when the pass began, after the }
            . qq{first of the run. Remarks: what disturbed the pass, and whether it is an }
            . qq{outlier.</p>\n$folds}
    );
}

1;
