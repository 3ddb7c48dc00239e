# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Group - the section of a group of equal hosts: how large the natural spread is and the plan
# that follows, all hosts as a strip, as a table, and as a strip for each figure, what goes with differences,
# and the variance of each figure.
package Touchstone::Report::Fleet::Group;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part people);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(many short);
use Touchstone::Report::Fleet::Strips;
use Touchstone::Report::Fleet::Judgement;
use Touchstone::Report::Fleet::Phrases qw(class figure limits percent ratio shown_name spread word);
use Touchstone::Report::Render::Html qw(folded table text);
use Touchstone::Suite;

# Above so many hosts a table has the ends, the quartiles and those that stand out.
my $END = 12;

# A value of a fact has so many letters.
my $FACT = 60;

sub section {
    my ($judgement, $group, $at) = @_;
    my @facts = Touchstone::Report::Fleet::Judgement::facts($judgement, $group);
    return join '', qq{<section id="g$group->{number}">\n<h2>},
        text(Touchstone::Report::Fleet::Judgement::title($group)), "</h2>\n",
        (map { '<p>' . text($_) . "</p>\n" } @facts),
        _strip($group), _goes_with($group), _hosts($group, $at), _figures($group), _variance($group),
        "</section>\n";
}

sub _strip {
    my ($group) = @_;
    my $picture = Touchstone::Report::Fleet::Strips::of_mean($group);
    return '' if !length $picture;
    return
        qq{<figure>\n<figcaption>Speed of each host over all figures, compared with the median of the group</figcaption>\n<div class="scroll">\n}
        . $picture
        . "</div>\n</figure>\n"
        . '<p class="dim">From left to right: the slowest to the fastest host. Lines: 95 % intervals.</p>'
        . "\n"
        . Touchstone::Report::Fleet::Strips::legend(@{ $group->{hosts} });
}

sub _goes_with {
    my ($group) = @_;
    my @found = @{ $group->{goes_with} || [] } or return '';
    return table(
        caption => 'What goes with the differences',
        head    => [ 'Fact', 'Of the variance', 'p', 'Values' ],
        left    => [3],
        class   => 'pinned',
        rows    => [
            map {
                [
                    text(Touchstone::Report::Fleet::Judgement::things($_)),
                    part($_->{part}),
                    Touchstone::Report::Fleet::Judgement::p($_->{p}),
                    join '<br>',
                    map { text(Touchstone::Report::Fleet::Judgement::value($_)) } @{ $_->{values} }
                ]
            } @found
        ]
    );
}

sub _hosts {
    my ($group, $at) = @_;
    my @hosts  = @{ $group->{hosts} } or return '';
    my @chosen = Touchstone::Report::Fleet::Judgement::chosen($group, $END);
    my $all    = @chosen == @hosts;
    my $table  = table(
        caption => $all
        ? 'Hosts, slowest first'
        : 'The slowest, the fastest, the quartiles, and all that stand out',
        head  => [ 'Host', 'Of median', '95 % interval', 'Runs', 'Slot', 'Disturbed', 'Verdict' ],
        left  => [ 4,      6 ],
        more  => [ 3,      4, 5 ],
        class => 'pinned',
        rows  => [ map { ref $_ ? _row($_, $at) : { group => text($_) } } @chosen ]
    );
    return $all ? folded('All ' . many(scalar @hosts, 'host') . ' in figures', $table) : $table;
}

sub _row {
    my ($host, $at)    = @_;
    my ($word, $class) = (word($host), class($host));
    return [
        qq{<a href="$at->{$host}{address}">} . text(shown_name($host->{host}, 40)) . '</a>',
        defined $host->{ratio} ? ratio(@$host{qw(ratio interval)})                 : $DASH,
        defined $host->{ratio} ? text(limits(@$host{qw(ratio interval)})) || $DASH : $DASH,
        scalar @{ $host->{runs} || [] },
        text(short($host->{slot} // '', 40)),
        defined $host->{disturbed} ? part($host->{disturbed}) : $DASH,
        defined $host->{void}      ? '<span class="not-valid">not valid</span>'
        : length $class            ? qq{<span class="$class">} . text($word) . '</span>'
        :                            ''
    ];
}

# A strip for each figure, in the order of the suites; the hosts are in one order in all of them.
sub _figures {
    my ($group) = @_;
    my @figures = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $group->{figures} || [] });
    my %copies  = map { $_->{copies} => 1 } @figures;
    my @tables  = map {
        my $copies = $_;
        _figures_of($group, $copies, grep { $_->{copies} == $copies } @figures)
    } sort { $a <=> $b } keys %copies;
    return @tables ? "<h3>Figure by figure</h3>\n" . join '', @tables : '';
}

sub _figures_of {
    my ($group, $copies, @figures) = @_;
    my @rows = map { _figure_row($group, $_) } @figures or return '';
    return table(
        caption => Touchstone::Base::Text::copies($copies),
        head    => [
            'Figure', 'All hosts, in the order of the picture above',
            'Median', 'Between hosts',
            'Slowest here'
        ],
        left  => [4],
        class => 'pinned strips',
        rows  => \@rows
    );
}

sub _figure_row {
    my ($group, $figure) = @_;
    my $strip = Touchstone::Report::Fleet::Strips::of_figure($group, $figure);
    return if !length $strip;
    my ($slowest) = sort { $a->[1]{ratio} <=> $b->[1]{ratio} || $a->[0]{host} cmp $b->[0]{host} }
        map { [ $_, $_->{figures}{ $figure->{key} } ] }
        grep { defined(($_->{figures}{ $figure->{key} } || {})->{ratio}) } @{ $group->{hosts} };
    my $sd = (($figure->{variance} || {})->{hosts} || {})->{sd};
    return [
        text(Touchstone::Report::Fleet::Phrases::label($figure)),
        $strip,
        defined $figure->{median}
        ? [ text(people($figure->{median}, undef, $figure->{unit})), $figure->{median} ]
        : $DASH,
        defined $sd ? percent($sd) . ' %' : $DASH,
        text(shown_name($slowest->[0]{host}, 24) . ' ' . ratio(@{ $slowest->[1] }{qw(ratio interval)}))
    ];
}

# How much of the spread is between hosts, between runs and within them.
sub _variance {
    my ($group) = @_;
    my @figures = grep { $_->{variance} }
        Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $group->{figures} || [] });
    return '' if !@figures;
    my @rows = map {
        my ($figure, $variance) = @$_;
        [
            text($figure),
            (map { text(spread($variance->{$_}) // $DASH) } qw(hosts runs passes)),
            ($variance->{count} || {})->{hosts} // $DASH
        ]
        } ($group->{variance} ? [ 'Mean over all figures', $group->{variance} ] : ()),
        map { [ figure($_), $_->{variance} ] } @figures;
    return folded(
        'Variance of each figure',
        '<p class="dim">Standard deviations of logarithms, as per cent, with 95 % intervals.</p>' . "\n"
            . table(
            caption => 'Where the spread comes from',
            head    => [ 'Figure', 'Between hosts', 'Between runs of a host', 'Within a run', 'Hosts' ],
            class   => 'pinned',
            rows    => \@rows
            )
    );
}

1;
