# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Markdown - a run for an issue, a forum or a page of documentation: its results, what was wrong, all
# figures, and at the end the run itself as Touchstone::Record::Block makes it:
#
#   - index, 1 copy: 1782 +- 0.6 % (1771 to 1793)
#
#   Machine: 2 x AMD EPYC, x86\_64, GNU/Linux 6.18.44, kvm
#
#   | Test | Score | 95 % interval | Unit | CV | Passes | Index |
#   |---|---:|---:|---|---:|---:|---:|
#   | Pipe Throughput | 3449000 | +- 0.4 % | lps | 0.5 % | 6 | 2772.6 |
#
# Nothing is folded, because what GitHub folds other forums show as marks.
package Touchstone::Report::Markdown;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure index_score part sureness);
use Touchstone::Report::Beside;
use Touchstone::Report::Fixed;
use Touchstone::Report::Page;
use Touchstone::Report::Summary;

# An issue takes this many letters. A block that is cut off is worth nothing.
my $MOST = 65_536;
my $TOO_LONG =
      "would be longer than the $MOST letters that an issue takes: attach the record of the "
    . "run itself, results/runs/";

# `block` is { text } or { why }, as Record::Block returns it, or nothing.
sub render {
    my ($model, $block) = @_;
    my @parts = (
        [ heading => "Touchstone $model->{version}: $model->{host}{name}" ],
        _headlines($model),
        _machine($model),
        _trouble($model),
        (map { _tables($_) } @{ $model->{blocks} }),
        Touchstone::Report::Beside::parts($model)
    );
    return Touchstone::Report::Page::markdown(@parts) if !$block;
    my $page = Touchstone::Report::Page::markdown(@parts, _of_block($block));
    return length $page <= $MOST || !defined $block->{text}
        ? $page
        : Touchstone::Report::Page::markdown(@parts,
        _of_block({ why => "the block that Run reads back $TOO_LONG$model->{name}.json" }));
}

sub _headlines {
    my ($model) = @_;
    my @lines =
        Touchstone::Report::Summary::lines({ %$model, warnings => [], scaling => undef, speedup => undef });
    return @lines ? [ points => @lines ] : ();
}

sub _machine {
    my ($model) = @_;
    my ($host, $build) = @$model{qw(host build)};
    my @cpus  = map  { "$host->{online_cpus} x $_->{model}" } grep { $_ } $model->{cpus}[0];
    my @guest = grep { !/\A(?:none|unknown)\z/ } $host->{virtualisation} // 'none';
    my $flags = $model->{flags} eq 'unknown' ? 'unknown flags' : $model->{flags};
    return (
        [ text => 'Machine: ' . join ', ', @cpus, $host->{machine}, "$host->{os} $host->{release}", @guest ],
        [
            text => 'Build: ' . join ', ',
            (grep { defined } $model->{set}), $build->{compiler_version} // 'unknown compiler', $flags
        ],
    );
}

sub _trouble {
    my ($model) = @_;
    my @lines = map { ($_->{is} // '') . $_->{text} . (defined $_->{remedy} ? "; $_->{remedy}" : '') } (
        map {
            { %$_, is => 'warning: ' }
        } @{ $model->{warnings} }
        ),
        @{ $model->{failures} }, @{ $model->{skipped} };
    return @lines ? [ points => @lines ] : ();
}

sub _tables {
    my ($block) = @_;
    my @rows    = map { _row($_) } @{ $block->{tests} };
    push @rows, map { [ $_->{label}, '', sureness($_->{precision}), '', '', '', index_score($_) ] }
        map { @{ $_->{lines} } } @{ $block->{tables} };
    return (
        [
            table => {
                caption => "$block->{date} $block->{from}, $block->{copies}",
                rows    => \@rows,
                head    => [ 'Test', 'Score', '95 % interval', 'Unit', 'CV', 'Passes', 'Index' ],
                left    => [ 0, 3 ]
            }
        ],
        map { [ table => $_ ] } Touchstone::Report::Fixed::table($block)
    );
}

sub _row {
    my ($test) = @_;
    return [
        $test->{title},
        figure($test->{score}, $test->{interval}),
        sureness($test->{precision}),
        $test->{unit},
        defined $test->{cv} ? part($test->{cv}) : '---',
        $test->{passes},
        defined $test->{index} ? Touchstone::Base::Figure::index_figure($test) : '---'
    ];
}

sub _of_block {
    my ($block) = @_;
    return [ text => "Not here: $block->{why}" ] if !defined $block->{text};
    return (
        [
            text => 'This block is the run itself. Of a file with it, such as a copy of this '
                . 'page, Run makes every report, and compares other runs with it: ./Run --report FILE.'
        ],
        [ form => split /\n/, $block->{text} ]
    );
}

1;
