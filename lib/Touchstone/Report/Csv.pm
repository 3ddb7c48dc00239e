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
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Report::Columns;
use Touchstone::Report::Tails;

# What tests that are too small to be measured, and indexes, do not have.
my @SCORES   = qw(score clean_score index undisturbed undisturbed_low undisturbed_high consistency);
my @OF_TESTS = qw(unit cv passes outliers baseline);

sub rows {
    my ($model) = @_;
    my $valid   = $model->{invalid} ? 'no' : 'yes';
    my @lines   = [ qw(copies test), map { $_->[0] } @Touchstone::Report::Columns::EXACT ];
    for my $block (@{ $model->{blocks} }) {
        my @rows = (
            (map { ($_, _measures($_)) } @{ $block->{exact} }),
            (map { _without($_, @SCORES) } @{ $block->{below_resolution} }),
            map { (_without({ %$_, name => $_->{label}, index => $_->{score} }, @OF_TESTS), _per_price($_)) }
                map { @{ $_->{lines} } } @{ $block->{tables} }
        );
        push @lines, map {
            [ $block->{count}, $_->{name}, Touchstone::Report::Columns::exact({ %$_, valid => $valid }) ]
        } @rows;
    }
    return @lines;
}

sub _without {
    my ($row, @keys) = @_;
    return { %$row, map { $_ => undef } @keys };
}

# Returns rows of the further measures of a test, named like `zstd-1 decompress`.
sub _measures {
    my ($test) = @_;
    return (
        (
            map {
                { %$_, name => "$test->{name} $_->{name}" }
            } @{ $test->{measures} || [] }
        ),
        Touchstone::Report::Tails::rows($test)
    );
}

# Returns a row for an index per unit of the price of the machine.
sub _per_price {
    my ($line) = @_;
    my $figure = $line->{per_price} or return;
    my $unit   = Touchstone::Base::Price::per($figure->{unit});
    return { name => "$line->{label} per $unit", map { $_ => $figure->{$_} } qw(score interval) };
}

# The rows of UnixBench's table.
sub table {
    my ($model) = @_;
    my @titles  = @{ $model->{titles} };
    my @lines   = [ 'Concurrency', @titles ];
    for my $block (@{ $model->{blocks} }) {
        my %score = map { $_->{title} => sprintf is_lower_better($_) ? '%.9g' : '%.1f', $_->{score} }
            @{ $block->{exact} };
        push @lines, [ $block->{count}, @score{@titles} ];
    }
    return @lines;
}

# Rows as lines.
sub text {
    my (@rows) = @_;
    return join '', map {
        join(',', map { field($_) } @$_) . "\n"
    } @rows;
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
