# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html - a run as one self-contained page: its results, what was wrong, pictures and tables of all
# figures, the machine, and every pass. Each section is a module; a section that says nothing is left out of
# the page and of the navigation.
package Touchstone::Report::Html;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Beside;
use Touchstone::Report::Html::Bars;
use Touchstone::Report::Html::Headline;
use Touchstone::Report::Page::Markup qw(page text);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Html::Raw;
use Touchstone::Report::Html::Results;
use Touchstone::Report::Html::Scaling;
use Touchstone::Report::Html::Spread;
use Touchstone::Report::Html::Strip;
use Touchstone::Report::Html::System;
use Touchstone::Report::Html::Trouble;
use Touchstone::Report::Page;

# Results have up to twelve columns, more than the tables of other pages. On paper their letters are smaller
# than those of Report::Page::Style.
my $OWN = <<'CSS';
.skip { position: absolute; left: -99rem; background: var(--ground); padding: .3rem .6rem; }
.skip:focus { left: 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: .8rem 0; }
button { font: inherit; color: var(--accent); background: var(--ground); border: 1px solid var(--line); border-radius: .25rem; padding: .2rem .7rem; cursor: pointer; }
@media screen {
table { font-size: .875rem; }
th, td { padding: .15rem .45rem; }
}
thead th { white-space: normal; }
tfoot th:first-child { min-width: 9rem; }
tbody td.left { min-width: 3rem; }
.passes th:first-child { min-width: 0; white-space: nowrap; }
@media print {
nav, .skip, #passes:not(:has([open])) { display: none; }
pre { font-size: 7pt; white-space: pre-wrap; overflow-wrap: anywhere; }
main table { font-size: 7pt !important; }
main th, main td { padding: .1rem .12rem !important; }
td { white-space: normal; }
tfoot th:first-child, th:first-child { min-width: 5rem; }
}
CSS
our $CSS = join '', $OWN, $Touchstone::Report::Html::Headline::CSS, $Touchstone::Report::Html::Trouble::CSS,
    $Touchstone::Report::Html::Bars::CSS,
    $Touchstone::Report::Html::Strip::CSS, $Touchstone::Report::Html::System::CSS;

sub render {
    my ($model)  = @_;
    my @sections = grep { length $_->{markup} } _sections($model);
    my $title    = "Touchstone: $model->{host}{name}";
    my $body     = join '', qq{<a class="skip" href="#$sections[0]{id}">Skip to the contents</a>\n}, '<h1>',
        text($title), "</h1>\n", '<p class="when">', text(_when($model)), "</p>\n",
        Touchstone::Report::Html::Headline::html($model), _navigation(@sections),
        map { _section($_) } @sections;
    return page($title, $body, style => $CSS);
}

# Returns the sections in the order of the page.
sub _sections {
    my ($model) = @_;
    my @blocks = @{ $model->{blocks} };
    return (
        {
            id     => 'trouble',
            title  => 'What was wrong',
            markup => Touchstone::Report::Html::Trouble::html($model)
        },
        { id => 'indexes', title => 'Indexes', markup => Touchstone::Report::Html::Bars::html($model) },
        _of_all_copies($model),
        {
            id     => 'scaling',
            short  => 'Scaling',
            markup => join '',
            Touchstone::Report::Html::Scaling::html($model)
        },
        {
            id     => 'spread',
            short  => 'Spread between copies',
            markup => join '',
            Touchstone::Report::Html::Spread::html($model)
        },
        _suites(Touchstone::Report::Beside::parts($model, wide => 1)),
        { id => 'system', title => 'System', markup => Touchstone::Report::Html::System::html($model) },
        { id => 'passes', title => 'Passes', markup => _passes(@blocks) },
    );
}

# The first block that has tests also tells how to read the pictures.
sub _of_all_copies {
    my ($model) = @_;
    my @blocks  = @{ $model->{blocks} };
    my @said    = map  { _of_copies($_) } @blocks;
    my ($first) = grep { @{ $blocks[$_]{tests} } } 0 .. $#blocks;
    my @unlike  = map  { '<p>' . text(ucfirst) . ".</p>\n" } @{ $model->{unlike} };
    $said[$first]{markup} .= join '', Touchstone::Report::Html::Results::how_to_read(@blocks), @unlike
        if defined $first;
    return @said;
}

sub _of_copies {
    my ($block) = @_;
    return {
        id     => "copies-$block->{count}",
        short  => copies($block->{count}),
        title  => "$block->{cpus} in system; running $block->{copies} of tests",
        markup => Touchstone::Report::Html::Results::html($block)
    };
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
        { %$_, markup => Touchstone::Report::Page::fragment(@{ $_->{parts} }) }
    } @sections;
}

# A section without a title has its own headings.
sub _section {
    my ($is) = @_;
    return join '', qq{<section id="$is->{id}">\n},
        (defined $is->{title} ? '<h2>' . text($is->{title}) . "</h2>\n" : ()), $is->{markup}, "</section>\n";
}

sub _navigation {
    my (@sections) = @_;
    my @links =
        map { qq{<li><a href="#$_->{id}">} . text($_->{short} // $_->{title}) . "</a></li>\n" } @sections;
    return qq{<nav aria-label="Sections">\n<ul>\n} . join('', @links) . "</ul>\n</nav>\n";
}

sub _when {
    my ($model) = @_;
    my ($date, $from) = @{ $model->{when} };
    my @ends = map { "$_->{date} $_->{to}" } @{ $model->{blocks} };
    my $end  = @ends && defined $date ? ' to ' . ($ends[-1] =~ s/\A\Q$date \E//r) : '';
    return "BYTE UNIX Benchmarks (Version $model->{version}), run $model->{name}"
        . (defined $date ? ", $date $from$end" : '');
}

sub _passes {
    my (@blocks) = @_;
    my $folds    = join '', map { Touchstone::Report::Html::Raw::html($_) } @blocks;
    return '' if !length $folds;
    my $button =
          qq{<button type="button" hidden }
        . qq{data-opens="$Touchstone::Report::Html::Raw::OPENS">Open or close all</button>};
    return
          qq{<p class="screen">$button</p>\n<p class="dim">At: when the pass began, after the }
        . qq{first of the run. Remarks: what disturbed the pass, and whether it is an }
        . qq{outlier.</p>\n$folds};
}

1;
