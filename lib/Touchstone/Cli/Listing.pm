# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Listing - all tests and groups, as wide as the terminal:
#
#   1984 Benchmarks (suite byte1984)
#
#     pipe84             Pipe Throughput (1984)
#                        one process writes 512 bytes into a pipe
#                        and reads them back
#
# Programs that read this list find a name as the first word of each line that begins with exactly two
# blanks. Without a terminal every text has one line, for their sake.
package Touchstone::Cli::Listing;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Terminal::Wrap;

# From $WIDE columns on there is room for a test's description beside its title; below $NARROW there is no
# room beside a name.
my $WIDE   = 120;
my $NARROW = 60;
my $NAME   = 18;
my $INDENT = ' ' x 6;

sub text {
    my ($suite, $terminal) = @_;
    my $columns = $terminal->columns;
    my @lines;
    for my $category ($suite->categories) {
        my ($key, $title) = @$category;
        my @tests = grep { $_->{category} eq $key } $suite->tests;
        push @lines,
            (map { $terminal->painted(strong => $_) }
                Touchstone::Terminal::Wrap::lines("$title (suite $tests[0]{suite})", width => $columns)), '',
            _tests($columns, @tests), '';
    }
    my $groups = $suite->groups;
    my @rows   = map { [ $_, $suite->{called}{$_} // join ' ', @{ $groups->{$_} } ] }
        sort keys %$groups;
    return join '', map { "$_\n" } @lines, $terminal->painted(strong => 'Groups'), '', rows($columns, @rows);
}

# The description of a test stands beside its title, or below it.
sub _tests {
    my ($columns, @tests) = @_;
    return rows($columns, map { [ @$_{qw(name title about)} ] } @tests)
        if !defined $columns || $columns < $WIDE;
    my $title = max(map { length $_->{title} } @tests);
    my $form  = "  %-${NAME}s %-${title}s  ";
    my $hang  = ' ' x length sprintf $form, '', '';
    return map {
        Touchstone::Terminal::Wrap::lines(
            $_->{about},
            width => $columns,
            first => sprintf($form, @$_{qw(name title)}),
            hang  => $hang
        )
    } @tests;
}

# Returns lines of words with the texts that explain each: beside it, or below it on a narrow terminal.
sub rows {
    my ($columns, @rows) = @_;
    my $narrow = defined $columns && $columns < $NARROW;
    my $hang   = $narrow ? $INDENT : ' ' x ($NAME + 3);
    my @lines;
    for my $row (@rows) {
        my ($word, @texts) = @$row;
        push @lines, "  $word" if $narrow;
        my @first = ($narrow ? $hang : sprintf("  %-${NAME}s ", $word), ($hang) x $#texts);
        push @lines, map {
            Touchstone::Terminal::Wrap::lines(
                $texts[$_],
                width => $columns,
                first => $first[$_],
                hang  => $hang
            )
        } 0 .. $#texts;
    }
    return @lines;
}

1;
