# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Html - one self-contained page without scripts: every table of the text report, the gains, and what went wrong.
package Touchstone::Report::Html;
use 5.014;
use strict;
use warnings;

use Touchstone::Report;
use Touchstone::Report::Beside;
use Touchstone::Report::Fixed;
use Touchstone::Report::Markup qw(page table text);
use Touchstone::Report::Page;
use Touchstone::Report::Scaling;
use Touchstone::Text;

# What the page shows of the host, and the names in the record.
my @HOST_FACTS = (
    [ 'Kernel command line' => 'cmdline' ], [ Microcode => 'microcode' ], [ Caches => 'caches' ], [ Sockets => 'sockets' ], [ Cores => 'cores' ], [ Threads => 'threads' ],
    [ Governor => 'governor' ], [ Driver => 'cpu_driver' ], [ Boost => 'boost' ], [ SMT => 'smt' ], [ Mitigations => 'mitigations' ], [ 'Memory (KB)' => 'memory_kb' ],
    [ 'Swap (KB)' => 'swap_kb' ], [ 'Huge pages' => 'huge_pages' ], [ 'Work directory' => 'work_directory' ], [ 'File system' => 'file_system' ],
    [ 'Mount options' => 'mount_options' ], [ Device => 'device' ], [ Virtualisation => 'virtualisation' ], [ Container => 'container' ], [ 'CPU quota' => 'cpu_quota' ],
    [ 'Clock source' => 'clock_source' ], [ 'Reading the clock (ns)' => 'clock_cost_ns' ], [ Load => 'load' ], [ Limits => 'limits' ],
);

sub render {
    my ($model) = @_;
    my $title = 'Touchstone: ' . text($model->{host}{name});
    return page('Touchstone: ' . $model->{host}{name}, join '', "<h1>$title</h1>\n",
        '<p class="when">BYTE UNIX Benchmarks (Version ', text($model->{version}), '), run ', text($model->{name}), "</p>\n",
        _indexes($model), _trouble($model), (map { _block($_) } @{ $model->{blocks} }), Touchstone::Report::Page::fragment(Touchstone::Report::Beside::parts($model, wide => 1)), _scaling($model->{scaling}),
        ($model->{speedup} ? Touchstone::Report::Scaling::html($model->{speedup}) : ()), _system($model));
}

sub _indexes {
    my ($model) = @_;
    my @shown;
    for my $block (@{ $model->{blocks} }) {
        push @shown, map { sprintf qq{<p class="index">%s <small>%s, %s, %s</small></p>\n}, Touchstone::Report::index_score($_),
            map { text($_) } Touchstone::Report::sureness($_->{precision}), $_->{label}, $block->{copies} }
            map { @{ $_->{lines} } } @{ $block->{tables} };
    }
    return @shown;
}

sub _trouble {
    my ($model) = @_;
    my @lines = map { text($_->{text}) . (defined $_->{remedy} ? ' (' . text($_->{remedy}) . ')' : '') }
        @{ $model->{failures} }, @{ $model->{skipped} }, @{ $model->{warnings} };
    return '' if !@lines;
    return qq{<ul class="trouble">\n} . join('', map { "<li>$_</li>\n" } @lines) . "</ul>\n";
}

sub _block {
    my ($block) = @_;
    my @results = map { [ map { text($_) } _result($_) ] } @{ $block->{tests} };
    return join '', '<h2>', text("$block->{cpus} in system; running $block->{copies} of tests"), "</h2>\n",
        '<p class="when">', text("$block->{date} $block->{from} - $block->{to}"), "</p>\n",
        table(caption => 'Results', head => [ 'Test', 'Score', 'Unit', '95 % interval', 'CV', 'Passes', 'Disturbed', 'Outliers', 'Undisturbed' ], rows => \@results),
        Touchstone::Report::Page::fragment(map { [ table => $_ ] } Touchstone::Report::Fixed::table($block)), map { _index_table($_) } @{ $block->{tables} };
}

# A score, how sure it is, and what it would be without the passes that something else had a part in.
sub _result {
    my ($test) = @_;
    my $interval = $test->{interval};
    my $limits = $interval ? join ' to ', map { Touchstone::Report::figure($_, $interval) } @$interval : 'n too small';
    return ($test->{title}, Touchstone::Report::figure($test->{score}, $interval), $test->{unit}, $limits, defined $test->{cv} ? Touchstone::Report::part($test->{cv}) : '---',
        $test->{passes}, $test->{disturbed} || '', scalar @{ $test->{outliers} } || '',
        defined $test->{clean_score} ? Touchstone::Report::figure($test->{clean_score}, $interval) : '');
}

sub _index_table {
    my ($table) = @_;
    my @rows = map { [ text($_->{title}), defined $_->{baseline} ? Touchstone::Report::baseline_figure($_) : '---', Touchstone::Report::figure($_->{score}, $_->{interval}),
        defined $_->{baseline} ? Touchstone::Report::index_figure($_) : '---' ] } @{ $table->{rows} };
    return table(caption => text($table->{heading}), head => [ 'Test', 'Baseline', 'Result', 'Index' ], rows => \@rows,
        foot => [ map { [ text($_->{label}), '', '', Touchstone::Report::index_score($_) ] } @{ $table->{lines} } ]);
}

# How each copy count compares with the first.
sub _scaling {
    my ($scaling) = @_;
    return '' if !$scaling;
    my ($first, @more) = map { Touchstone::Text::copies($_) } @{ $scaling->{copies} };
    my @rows;
    for my $row (@{ $scaling->{rows} }) {
        my @cells = map { Touchstone::Report::value($_) } @{ $row->{values} };
        push @rows, [ text($row->{title}), $cells[0], map { ($cells[$_], text(Touchstone::Report::gain($row->{gains}[$_], $row->{intervals}[$_]))) } 1 .. $#cells ];
    }
    return "<h2>Scaling</h2>\n" . table(caption => 'Index values (scores where a test has no baseline) and gain over ' . text($first),
        head => [ 'Test', text($first), map { (text($_), 'Gain') } @more ], rows => \@rows);
}

sub _system {
    my ($model) = @_;
    my ($host, $locale, $build) = @$model{qw(host locale build)};
    my %count;
    $count{"$_->{model} ($_->{bogomips} bogomips)"}++ for @{ $model->{cpus} };
    my @facts = (
        [ Host => $host->{name} ], [ System => "$host->{os}, $host->{release}, $host->{version}" ],
        [ Machine => "$host->{machine} ($host->{platform})" ], [ Language => $locale->{name} ],
        ($model->{brief} ? () : [ CPUs => join '; ', map { "$count{$_} x $_" } sort keys %count ]),
        [ Build => $model->{set} ], [ Compiler => $build->{compiler_version} ], [ Flags => $model->{flags} ], [ Uptime => $host->{uptime} ],
        [ Schedule => "$model->{schedule}{kind}, seed " . ($model->{schedule}{seed} // 'none') ], [ Baseline => $model->{baseline} ],
        (map { [ $_->[0] => $host->{ $_->[1] } ] } grep { defined $host->{ $_->[1] } } @HOST_FACTS),
        (map { [ $_->[0] => $build->{ $_->[1] } ] } grep { defined $build->{ $_->[1] } } [ 'C library' => 'libc' ], [ Linker => 'linker' ]),
        ($build->{tools} && %{ $build->{tools} } ? [ 'Measured tools' => join '; ', map { "$_: $build->{tools}{$_}" } sort keys %{ $build->{tools} } ] : ()),
        [ Passport => $model->{passport} ],
    );
    @facts = grep { defined $_->[1] } @facts;
    return "<h2>System</h2>\n<dl>\n" . join('', map { "<dt>$_->[0]</dt><dd>" . text($_->[1]) . "</dd>\n" } @facts) . "</dl>\n";
}

1;
