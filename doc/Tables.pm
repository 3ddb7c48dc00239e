# SPDX-License-Identifier: GPL-2.0-or-later
# Tables - the tables of tests, groups and baselines in a document, made from the suites. A table is known by
# its heading, the line with the names of its columns, and reaches to the first line that is set in less than
# this one:
#
#   test              baseline
#
#   dhry2reg          116700 lps
#
# All else in a document is written by hand, the paragraphs that explain tests among it.
package Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Run::Plan;
use Touchstone::Terminal::Wrap;

my $COLUMNS = 100;

# Rows are lists of cells, one for each column; a text among them is a line of its own.
my %TESTS  = (columns => [qw(name title classic window index)], rows => \&_tests);
my @TABLES = (
    \%TESTS,
    { columns => [qw(group members)],                    rows => \&_groups },
    { columns => [qw(test baseline)],                    rows => \&_baselines },
    { columns => [ 'index', 'tests, power, reference' ], rows => \&_indexes },
);

# The seconds of a pass, and their number, when the test is alone.
sub _passes {
    my ($schedule, $test) = @_;
    my $plan =
        Touchstone::Run::Plan::make(schedule => $schedule, copies => [1], seed => 1, tests => [$test]);
    my @passes = @{ $plan->{blocks}[0]{passes} };
    return ($passes[-1]{window}, scalar @passes);
}

sub _tests {
    my ($suite) = @_;
    my @rows;
    for my $category ($suite->categories) {
        push @rows, '', $category->[1], '';
        for my $test (grep { $_->{category} eq $category->[0] } $suite->tests) {
            my ($seconds, $passes) = _passes(classic => $test);
            my ($window) = _passes(default => $test);
            push @rows,
                [
                @$test{qw(name title)},
                sprintf('%2d x %g s', $passes, $seconds),
                sprintf('%g s', $window),
                $test->{index} || @{ $test->{indexes} } ? 'yes' : ''
                ];
        }
    }
    return @rows;
}

# Groups as the suites have them: a member may be a group.
sub _groups {
    my ($suite) = @_;
    my $suites = $suite->suites_of($suite->tests);
    return map { ('', _groups_of($_->{groups})) }
        sort { $a->{order} <=> $b->{order} } values %$suites;
}

sub _groups_of {
    my ($groups) = @_;
    return map { [ $_, join ' ', @{ $groups->{$_} } ] } sort keys %$groups;
}

# The order is that of the file; an empty line is where a category, or its index, ends.
sub _baselines {
    my ($suite, $baselines) = @_;
    my ($last,  @rows)      = ('');
    for my $line (split /\n/, $baselines) {
        my ($name, undef, $unit, $score) = split /\|/, $line;
        next if $line =~ /^#/;
        my ($test) = $suite->expand($name);
        my $part = "$test->{category} $test->{index}";
        push @rows, '' if $part ne $last;
        push @rows, [ $name, sprintf '%6s %s', $score, $unit ];
        $last = $part;
    }
    return @rows;
}

sub _indexes {
    my ($suite) = @_;
    my $suites = $suite->suites_of($suite->tests);
    return '', map { [ $_->{title}, join(' ', @{ $_->{tests} }) . ", $_->{exponent}, $_->{reference}" ] }
        map { @{ $_->{indexes} || [] } } sort { $a->{order} <=> $b->{order} } values %$suites;
}

# A regular expression for a table, with the blanks that its heading is set in.
sub _pattern {
    my ($table) = @_;
    my $heading = join ' {2,}', map { quotemeta } @{ $table->{columns} };
    return qr/^(?<in> *)$heading\n(?:\n*\g{in} *\S.*\n)*/m;
}

sub _table {
    my ($table, $in, @from) = @_;
    my @rows  = ($table->{columns}, $table->{rows}->(@from));
    my @width = map {
        my $column = $_;
        max(map { length $_->[$column] } grep { ref } @rows)
    } 0 .. $#{ $table->{columns} };
    return join '', map { s/ +\z//r . "\n" } map { ref ? _row($in, \@width, @$_) : "$in$_" } @rows;
}

# The lines of a row, whose last cell may need several.
sub _row {
    my ($in, $width, @cells) = @_;
    my $last = pop @cells;
    $in .= sprintf '%-*s  ', $width->[$_], $cells[$_] for 0 .. $#cells;
    return Touchstone::Terminal::Wrap::lines(
        $last,
        width => $COLUMNS,
        first => $in,
        hang  => ' ' x length $in
    );
}

# A document with its tables as they should be, from the suites and the text of pgms/index.base.
sub made {
    my ($text, @from) = @_;
    for my $table (@TABLES) {
        my $pattern = _pattern($table);
        $text =~ s/$pattern/_table($table, $+{in}, @from)/e;
    }
    return $text;
}

# What is wrong with the paragraphs behind the table of tests. Each begins with the names of its tests: "pipe,
# syscall - What they do."
sub paragraphs {
    my ($name, $text, $suite) = @_;
    my $pattern = _pattern(\%TESTS);
    return if $text !~ /$pattern(?<behind>(?s:.*?))(?:^\n\n|\z)/m;
    my %explained = map { $_ => 1 } map { split /, / } $+{behind} =~ /^([\w.-]+(?:, [\w.-]+)*) - /mg;
    my %test      = map { $_->{name} => 1 } $suite->tests;
    return (
        (
            map  { "$name lacks a paragraph '$_ - One count is ...' behind its table of tests" }
            grep { !$explained{$_} } sort keys %test
        ),
        map { "$name explains '$_', which is no test" } grep { !$test{$_} } sort keys %explained
    );
}

# The headings of tables that none of these texts has.
sub lacking {
    my (@texts) = @_;
    return map { join ' ', @{ $_->{columns} } } grep {
        my $pattern = _pattern($_);
        !grep { /$pattern/ } @texts
    } @TABLES;
}

1;
