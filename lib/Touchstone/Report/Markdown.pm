# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Markdown - a run for an issue, a forum or a page of documentation:
#
#   | Test | Score | 95 % interval | Unit | CV | Passes | Index |
#   |---|---:|---:|---:|---:|---:|---:|
#   | Pipe Throughput | 3449000 | +- 0.4 % | lps | 0.5 % | 6 | 2772.6 |
package Touchstone::Report::Markdown;
use 5.014;
use strict;
use warnings;

use Touchstone::Report;
use Touchstone::Report::Beside;
use Touchstone::Report::Fixed;
use Touchstone::Report::Page;
use Touchstone::Report::Summary;

sub render {
    my ($model) = @_;
    my ($host, $build) = @$model{qw(host build)};
    my @parts = (
        [ heading => "Touchstone $model->{version}: $host->{name}" ],
        [ text => join ', ', $host->{os}, $host->{release}, $host->{machine}, ($model->{cpus}[0] ? "$host->{online_cpus} x $model->{cpus}[0]{model}" : ()),
            (map { "build $_" } grep { defined } $model->{set}), $build->{compiler_version} // 'unknown compiler', $model->{flags} eq 'unknown' ? 'unknown flags' : $model->{flags} ],
        [ points => Touchstone::Report::Summary::lines({ %$model, scaling => undef, speedup => undef }) ],
    );
    for my $block (@{ $model->{blocks} }) {
        my @rows = map { _row($_) } @{ $block->{tests} };
        push @rows, map { [ $_->{label}, '', Touchstone::Report::sureness($_->{precision}), '', '', '', Touchstone::Report::index_score($_) ] } map { @{ $_->{lines} } } @{ $block->{tables} };
        push @parts, [ table => { caption => "$block->{date} $block->{from}, $block->{copies}", rows => \@rows,
            head => [ 'Test', 'Score', '95 % interval', 'Unit', 'CV', 'Passes', 'Index' ] } ], map { [ table => $_ ] } Touchstone::Report::Fixed::table($block);
    }
    push @parts, Touchstone::Report::Beside::parts($model, wide => 1);
    my @trouble = map { $_->{text} } @{ $model->{failures} }, @{ $model->{skipped} };
    push @parts, [ points => @trouble ] if @trouble;
    return Touchstone::Report::Page::markdown(@parts);
}

sub _row {
    my ($test) = @_;
    return [ $test->{title}, Touchstone::Report::figure($test->{score}, $test->{interval}), Touchstone::Report::sureness($test->{precision}), $test->{unit},
        defined $test->{cv} ? Touchstone::Report::part($test->{cv}) : '---', $test->{passes}, defined $test->{index} ? Touchstone::Report::index_figure($test) : '---' ];
}

1;
