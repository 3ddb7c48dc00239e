# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Classic - the text report of UnixBench to the byte, because other people's programs read it:
#
#   Pipe Throughput                             3237107.4 lps   (10.0 s, 1 samples)
#
#   System Benchmarks Partial Index              BASELINE       RESULT    INDEX
#   Pipe Throughput                               12440.0    3237107.4   2602.2
#                                                                      ========
#   System Benchmarks Index Score (Partial Only)                         2602.2
package Touchstone::Report::Classic;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Text qw(tame);
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Groups;
use Touchstone::Report::Host;
use Touchstone::Report::Render::Text;
use Touchstone::Report::Price;
use Touchstone::Report::Tails;
use Touchstone::Suite;
use Touchstone::Report::Run::Warnings;

my $RULE   = ('-' x 72) . "\n";
my $FIGURE = qr/[0-9]+\.[0-9]/;

sub render {
    my ($model) = @_;
    return join '', _head($model), (map { _block($_) } @{ $model->{blocks} }), _further_parts($model);
}

# Further parts stand behind all that programs know to read.
sub _further_parts {
    my ($model) = @_;
    my @parts = (
        _invalid($model->{invalid}),
        (defined $model->{set} ? [ text => "Build $model->{set}" ] : ()),
        (map { [ text => ucfirst ] } Touchstone::Report::Host::comparable($model)),
        (map { [ text => ucfirst ] } Touchstone::Report::Price::sentences($model)),
        Touchstone::Report::Groups::parts($model),
        Touchstone::Report::Tails::parts($model),
        Touchstone::Report::PublishedResults::parts($model)
    );

    # Readers look for the last line with a unit, so units are broken up in these facts and words of others.
    my $unit = join '|', 'l(?=ps)', map { quotemeta($_) . '(?= )' } sort keys %{ Touchstone::Suite::units() };
    return if !@parts;
    my $text = Touchstone::Report::Render::Text::render_for({ ascii => 1 }, @parts) =~ s/$unit/$&_/gr;
    return ($RULE, "\n", join '', map { _ruled($_) } split /(\n{2,})/, $text);
}

# A reader of the file alone must know it, too.
sub _invalid {
    my ($invalid) = @_;
    return if !$invalid;
    my $remedy = Touchstone::Report::Run::Warnings::without_log($invalid->{remedy} // '');
    my @lines  = ("Not valid: $invalid->{text}", length $remedy ? "What to do: $remedy" : ());
    return [ text => map { tame($_) } @lines ];
}

# Readers take three figures in a row for a row of an index. A table that has such a row here gets bars
# between these columns.
sub _ruled {
    my ($paragraph) = @_;
    my @lines       = split /\n/, $paragraph, -1;
    my %at;
    for my $line (grep { /$FIGURE +$FIGURE +$FIGURE/ } @lines) {
        $at{ $-[1] }++ while $line =~ /$FIGURE ?( ) *(?=$FIGURE(?!\d))/g;
    }
    for my $column (keys %at) {
        substr($_, $column, 1) eq ' ' and substr $_, $column, 1, '|' for grep { length > $column } @lines;
    }
    return join "\n", @lines;
}

sub _head {
    my ($model) = @_;
    my ($host, $locale) = @$model{qw(host locale)};
    my @lines = (
        "BYTE UNIX Benchmarks (Version $model->{version})",
        '',
        "System: $host->{name}: $host->{os}",
        "OS: $host->{os} -- $host->{release} -- $host->{version}",
        "Machine: $host->{machine} ($host->{platform})",
        qq{Language: $locale->{name} (charmap="$locale->{charmap}", collate="$locale->{collate}")},
    );
    push @lines, map { _cpu($_) } @{ $model->{cpus} } if !$model->{brief};
    push @lines, "$host->{uptime}; runlevel $host->{runlevel}", '';
    return map { length ? '   ' . $_ . "\n" : "\n" } @lines;
}

sub _cpu {
    my ($cpu) = @_;
    my $speed =
        $cpu->{bogomips} =~ /^\d{1,15}(?:\.\d{1,15})?$/
        ? sprintf '%.1f', $cpu->{bogomips}
        : $cpu->{bogomips};
    my $flags = join ', ', @{ $cpu->{flags} };
    return ("CPU $cpu->{id}: $cpu->{model} ($speed bogomips)", length $flags ? "       $flags" : ());
}

sub _block {
    my ($block) = @_;
    return join '', $RULE, "Benchmark Run: $block->{date} $block->{from} - $block->{to}\n",
        "$block->{cpus} in system; running $block->{copies} of tests\n", "\n",
        (map { _result($_) } @{ $block->{tests} }), "\n", (map { _table($_) } @{ $block->{tables} });
}

sub _result {
    my ($test) = @_;
    return sprintf "%-40s %12.1f %-5s (%.1f s, %d samples)\n", @$test{qw(title score unit seconds samples)};
}

sub _table {
    my ($table) = @_;
    my $form = $table->{even} || $table;
    return join '', sprintf("%-40s %12s %12s %8s\n", $form->{heading}, 'BASELINE', 'RESULT', 'INDEX'),
        (map { _row($_) } @{ $form->{rows} }), sprintf("%-40s %12s %12s %8s\n", '', '', '', '========'),
        (map { sprintf "%-66s %8.*f\n", @$_{qw(label places score)} } @{ $table->{lines} }), "\n";
}

sub _row {
    my ($test) = @_;
    return sprintf "%-40s %12s %12.1f %8s\n", $test->{title}, '---', $test->{score}, '---'
        if !defined $test->{baseline};
    return sprintf "%-40s %12.1f %12.1f %8.*f\n", @$test{qw(title baseline score)},
        Touchstone::Base::Figure::index_places($test), $test->{index};
}

1;
