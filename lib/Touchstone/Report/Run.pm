# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run - a run as a document: a self-contained page, or a brief text (Report::Run::Brief). The first
# screen of the page has the answer: which machine, its indexes or why they are not valid, and the table of
# results. Behind links there are notes, every pass, pictures and tables of all figures, and the machine. Each
# section is a module; a section without parts is left out of the page and of the links.
package Touchstone::Report::Run;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::PublishedResults;
use Touchstone::Report::Document qw(plain);
use Touchstone::Report::Groups;
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Run::Brief;
use Touchstone::Report::Run::Details;
use Touchstone::Report::Run::Headline;
use Touchstone::Report::Run::Indexes;
use Touchstone::Report::Run::Results;
use Touchstone::Report::Run::Scaling;
use Touchstone::Report::Run::CopySpread;
use Touchstone::Report::Run::Style;
use Touchstone::Report::Run::System;
use Touchstone::Report::Run::Tails;
use Touchstone::Report::Run::Warnings;

# What can stand beside a page, and what a link to it is called.
my @FILES = ([ text => 'Text report' ], [ log => 'Log' ], [ json => 'JSON' ], [ index => 'All runs' ]);

# Sections of the page and the module that has their parts; suites stand before the last.
my @SECTIONS = (
    [ passes  => 'Every pass',            'Details' ],
    [ tails   => 'Slowest operations',    'Tails' ],
    [ scaling => 'Scaling',               'Scaling' ],
    [ spread  => 'Spread between copies', 'CopySpread' ],
    [ system  => 'Machine and build',     'System' ]
);

# `links`: { text => 'NAME', ... }, addresses of what stands next to the page.
sub document {
    my ($model, $facts, $results, %with) = @_;
    $model = { %$model, repeats => Touchstone::Report::Run::System::command($facts) } if $facts;
    my $has_tails = grep { $_->{tail} } map { @{ $_->{exact} } } @{ $model->{blocks} };
    return {
        title => Touchstone::Report::Run::Headline::title($model),
        style => $Touchstone::Report::Run::Style::CSS
            . Touchstone::Report::PublishedResults::css($model)
            . ($has_tails ? $Touchstone::Report::Plot::Quantiles::CSS : ''),
        level => 2,
        parts => [
            [ in => 'page', sub { parts(_without_speedups_of_means($model), $with{links} || {}) } ],
            [
                in => 'plain',
                sub { Touchstone::Report::Run::Brief::parts($model) },
                sub { $facts ? Touchstone::Report::Run::Brief::attached($facts, $results) : () }
            ]
        ]
    };
}

# The model without speed-ups of means that are no index.
sub _without_speedups_of_means {
    my ($model) = @_;
    my @tables  = map { @{ $_->{tables} } } @{ $model->{blocks} };
    my %none    = map { $_->{name} => 1 } map { @{ $_->{lines} } } grep { !$_->{is_index} } @tables;
    my %without = map {
        my $table = $model->{$_};
        $table ? ($_ => { %$table, rows => [ grep { !$none{ $_->{name} } } @{ $table->{rows} } ] }) : ()
    } qw(curves speedup);
    return %none ? { %$model, %without } : $model;
}

# The folded notes stand below the results, their link behind those to the other sections.
sub parts {
    my ($model, $links) = @_;
    my @sections = grep { @{ $_->{parts} } } _sections($model);
    my @notes    = _notes($model);
    return (
        [ text => { text => { text => 'Skip to the results', link => '#results' }, class => 'skip' } ],
        Touchstone::Report::Run::Headline::parts($model, $links),
        Touchstone::Report::Run::Warnings::banners($model),
        Touchstone::Report::Run::Indexes::parts($model),
        Touchstone::Report::Run::Scaling::headline($model),
        Touchstone::Report::Run::Warnings::parts($model),
        Touchstone::Report::Groups::parts($model),
        [
            section =>
                { id => 'results', class => $model->{invalid} ? 'invalid' : undef, label => 'Results' },
            Touchstone::Report::Run::Results::parts($model),
            (map { [ text => ucfirst() . '.' ] } @{ $model->{unlike} })
        ],
        _navigation($links, @sections, @notes),
        map { _section($model, $_) } @notes,
        @sections
    );
}

# Returns the section of folded notes, if there are any.
sub _notes {
    my ($model) = @_;
    my $title = Touchstone::Report::Run::Warnings::title($model) // return;
    return { link => $title, id => 'notes', parts => [ Touchstone::Report::Run::Warnings::notes($model) ] };
}

# Returns the sections in the order of the page: { id, title, parts }.
sub _sections {
    my ($model) = @_;
    my @sections = map {
        my ($id, $title, $module) = @$_;
        {
            id    => $id,
            title => $title,
            parts => [ "Touchstone::Report::Run::$module"->can('parts')->($model) ]
        }
    } @SECTIONS;
    my $system = pop @sections;
    return (@sections, _suites(Touchstone::Report::PublishedResults::parts($model, wide => 1)), $system);
}

# Makes a section of each suite, which begins with a heading of its own.
sub _suites {
    my (@parts) = @_;
    my @sections;
    for my $part (@parts) {
        push @sections, { id => 'suite-' . (@sections + 1), title => $part->[1], parts => [] }
            if $part->[0] eq 'heading';
        push @{ $sections[-1]{parts} }, $part if $part->[0] ne 'heading';
    }
    return @sections;
}

# A section with figures of a run that is not valid says so.
my $INVALID         = [ text => { text => 'Not valid: see the top of the page.', class => 'not-valid' } ];
my %WITHOUT_FIGURES = (notes => 1, system => 1);

sub _section {
    my ($model, $section) = @_;
    return [
        section => $section,
        ($model->{invalid} && !$WITHOUT_FIGURES{ $section->{id} } ? $INVALID : ()),
        @{ $section->{parts} }
    ];
}

# Links to the sections, and to the other forms of the run.
sub _navigation {
    my ($links, @sections) = @_;
    my @to = (
        (map { { text => $_->{link} // plain($_->{title}), link => "#$_->{id}" } } @sections),
        map { { text => $_->[1], link => $links->{ $_->[0] } } } grep { defined $links->{ $_->[0] } } @FILES
    );
    return [ list => { label => 'Sections and files' }, map { { text => $_ } } @to ];
}

1;
