# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Csv - UnixBench's table of scores, a line for each copy count:
#
#   Concurrency,Pipe Throughput,System Call Overhead
#   1,3237107.4,2104465.9
package Touchstone::Report::Csv;
use 5.014;
use strict;
use warnings;

sub render {
    my ($model) = @_;
    my @titles = @{ $model->{titles} };
    my @lines = (join ',', 'Concurrency', map { _field($_) } @titles);
    for my $block (@{ $model->{blocks} }) {
        my %score = map { $_->{title} => sprintf '%.1f', $_->{score} } @{ $block->{tests} };
        push @lines, join ',', $block->{count}, map { $score{$_} // '' } @titles;
    }
    return join '', map { "$_\n" } @lines;
}

# Titles of our tests need no quotes; a record from elsewhere may hold anything.
sub _field {
    my ($text) = @_;
    return $text if $text !~ /[",\r\n]|\A[=+\@-]/;
    $text =~ s/"/""/g;
    return qq{"$text"};
}

1;
