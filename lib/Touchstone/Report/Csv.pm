# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Csv - all that is known of each score, with a line for each test and copy count, and for each
# further measure:
#
#   copies,test,score,unit,low,high,cv_percent,passes,outliers,disturbed,score_undisturbed,baseline,index,valid,...
#   1,pipe,3237107.4,lps,3230011.8,3241912.5,0.21,6,0,0,,12440,2602.2,yes,...
#
# Behind these are the undisturbed speed, its interval and the consistency.
#
# It also makes UnixBench's table, with a line for each copy count:
#
#   Concurrency,Pipe Throughput,System Call Overhead
#   1,3237107.4,2104465.9
package Touchstone::Report::Csv;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Price;
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Report::Tails;

my @HEAD = qw(copies test score unit low high cv_percent passes outliers disturbed score_undisturbed baseline
    index valid undisturbed undisturbed_low undisturbed_high consistency);
my @OF_SLICES = @HEAD[ -4 .. -1 ];

sub render {
    my ($model) = @_;
    my @lines   = join ',', @HEAD;
    my $valid   = $model->{void} ? 'no' : 'yes';
    for my $block (@{ $model->{blocks} }) {
        push @lines, map {
            my ($figures, $of_slices) = @$_;
            join ',', map { field($_) } $block->{count}, @$figures, $valid, @{ $of_slices || {} }{@OF_SLICES}
        } (map { (_line($_), _measures($_)) } @{ $block->{exact} }), (
            map {
                _line({ %$_, map { $_ => undef } qw(score clean_score index), @OF_SLICES })
            } @{ $block->{below} }
            ),
            map {
            (
                [
                    [
                        $_->{label},       $_->{score}, '', _limits($_), '', '', '', $_->{disturbed},
                        $_->{clean_score}, '',          $_->{score}
                    ],
                    $_
                ],
                _per_price($_)
            )
            } map { @{ $_->{lines} } } @{ $block->{tables} };
    }
    return join '', map { "$_\n" } @lines;
}

sub _line {
    my ($test) = @_;
    my $cv     = defined $test->{cv} ? sprintf '%.4g', $test->{cv} * 100 : '';
    return [
        [
            @$test{qw(name score unit)},   _limits($test),
            $cv,                           $test->{passes},
            scalar @{ $test->{outliers} }, @$test{qw(disturbed clean_score baseline index)}
        ],
        $test
    ];
}

# Returns a line for each further measure of a test, named like `zstd-1 decompress`.
sub _measures {
    my ($test) = @_;
    return (map { _line({ %$_, name => "$test->{name} $_->{name}" }) } @{ $test->{measures} || [] }),
        map { _line($_) } Touchstone::Report::Tails::rows($test);
}

# Returns a line for an index per unit of the price of the machine.
sub _per_price {
    my ($line) = @_;
    my $figure = $line->{per_price} or return;
    my $unit   = Touchstone::Base::Price::per($figure->{unit});
    return [ [ "$line->{label} per $unit", $figure->{score}, '', _limits($figure), ('') x 7 ] ];
}

sub _limits { my ($figure) = @_; return $figure->{interval} ? @{ $figure->{interval} } : ('', '') }

# Renders UnixBench's table.
sub render_table {
    my ($model) = @_;
    my @titles  = @{ $model->{titles} };
    my @lines   = (join ',', 'Concurrency', map { field($_) } @titles);
    for my $block (@{ $model->{blocks} }) {
        my %score = map { $_->{title} => sprintf is_lower_better($_) ? '%.9g' : '%.1f', $_->{score} }
            @{ $block->{exact} };
        push @lines, join ',', $block->{count}, map { $score{$_} // '' } @titles;
    }
    return join '', map { "$_\n" } @lines;
}

# Returns a field of a CSV file. A record from elsewhere may hold anything, even what a spreadsheet takes for
# a formula. Quotes do not prevent that, but an apostrophe before it does.
sub field {
    my ($text) = @_;
    $text //= '';
    return $text if $text !~ /[",\r\n]|\A[=+\@-]/ || $text =~ /\A-?[\d.]+(?:e[-+]?\d+)?\z/;
    $text =~ s/\A(?=[=+\@-])/'/;
    $text =~ s/"/""/g;
    return qq{"$text"};
}

1;
