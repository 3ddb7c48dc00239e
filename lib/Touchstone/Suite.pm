# SPDX-License-Identifier: GPL-2.0-or-later
# Suite - every test of every suite as a row, found by name or group. The rows are in Suite/*.pm, one file a suite:
#
#   { name => 'pipe', title => 'Pipe Throughput', about => 'bytes into and out of a pipe', category => 'system',
#     index => 1, class => 'long', pace => 'fast', seconds => 10 }
#
#   name      the word on the command line        title     the name in reports (letters, digits, space, _ ( ) -)
#   about     one line for --list                 category  a key of the suite's categories
#   index     1: part of the category's index     class     long, short or sure: passes in the classic schedule
#   pace      windows of the other schedules (Plan)  seconds  window of the classic schedule
#   program   in the program directory; the name when absent
#   args      its arguments; the window in seconds when absent. %{...} stands for seconds, bin, testdir, work, cc;
#             %{cpu} is `cpu` where the window is one of CPU time, and otherwise nothing
#   needs     { command => package } looked for on the PATH before the run
#   inputs    files of testdir/                   space     KB that a copy writes
#   env       of its programs, beside what Run sets
#   place     same or cross: its two processes on one CPU, or on two that share no core
#   scale     the index of its baseline, usually 10
#   rule      mean: of the score in the classic schedule
#   better    lower: fixed work, whose figure is the seconds of a unit; otherwise higher
#   per       [25000, 'call']: a unit is so many of these, whose time is shown too
#   baseline  [table, its first column, column]: the figure of a published table whose index is 10
package Touchstone::Suite;
use 5.014;
use strict;
use warnings;

my %DEFAULT = (index => 0, args => ['%{seconds}'], needs => {}, inputs => [], space => 0, place => '', better => 'higher', env => {});

# What tst.sh and multi.sh run, for the rows of several suites.
our %SHELL_TOOLS = (sort => 'coreutils', od => 'coreutils', tee => 'coreutils', wc => 'coreutils', rm => 'coreutils', grep => 'grep');

# All suites of the folder beside this file: { tests => [rows], groups => { name => [names] }, categories => [[key, title]],
# suites => { name => the rest } }. Of the rest:
#
#   order      of the suites, in lists and reports
#   version    raised when what one of its tests measures changes
#   reference  who has the index 10
#   budget     seconds for a copy count of the default schedule, at most
#   indexes    in the place of the one of its category: { key, title, category, tests, exponent, reference, baselines => { test => as in rows } }
#   published  tables of results to show beside its own, pgms/NAME.csv: { name => { text => [the columns of names], numbers => [those of figures] } }
sub load {
    my ($folder) = __FILE__ =~ m{(.*)\.pm\z}s;
    opendir my $dir, $folder or die "cannot open '$folder': $!\n";
    my @modules = grep { s/\.pm\z// } readdir $dir;
    closedir $dir;
    require "Touchstone/Suite/$_.pm" for @modules;
    my %all = (tests => [], groups => {}, categories => [], suites => {});
    for my $suite (sort { $a->{order} <=> $b->{order} } map { "Touchstone::Suite::$_"->suite } @modules) {
        push @{ $all{tests} }, _rows($suite);
        push @{ $all{categories} }, @{ $suite->{categories} };
        $all{suites}{ $suite->{name} } = $suite;
        $all{groups} = { %{ $all{groups} }, %{ $suite->{groups} } };
    }
    return bless \%all, __PACKAGE__;
}

# A row also knows what its suite says for all.
sub _rows {
    my ($suite) = @_;
    my %heading = map { @$_ } @{ $suite->{categories} };
    return map { +{ program => $_->{name}, %DEFAULT, suite => $suite->{name}, budget => $suite->{budget}, heading => $heading{ $_->{category} }, indexes => _indexes_of($_, $suite), %$_ } } @{ $suite->{tests} };
}

# [{ key, title }] of the suite's own indexes that a test is part of.
sub _indexes_of {
    my ($test, $suite) = @_;
    return [ grep { my $index = $_; grep { $_ eq $test->{name} } @{ $index->{tests} } } @{ $suite->{indexes} || [] } ];
}

sub tests      { return @{ $_[0]{tests} } }
# Rows by their titles.
sub titles { my ($self) = @_; return { map { $_->{title} => $_ } $self->tests } }
sub groups     { return $_[0]{groups} }

# Of these rows, each once: { version, reference, budget, published }, by name.
sub suites_of {
    my ($self, @tests) = @_;
    return { map { $_->{suite} => $self->{suites}{ $_->{suite} } } @tests };
}
sub categories { return @{ $_[0]{categories} } }

# Names and groups to rows, each once, in the order asked for. Dies with the nearest names when one is unknown.
sub expand {
    my ($self, @words) = @_;
    my %row = map { $_->{name} => $_ } $self->tests;
    my (%seen, @rows);
    for my $word (@words) {
        my @names = $row{$word} ? ($word) : @{ $self->{groups}{$word} || [] };
        die $self->_unknown($word) if !@names;
        push @rows, map { $row{$_} } grep { !$seen{$_}++ } @names;
    }
    return @rows;
}

sub _unknown {
    my ($self, $word) = @_;
    my @names = sort keys %{ { map { $_ => 1 } keys %{ $self->{groups} }, map { $_->{name} } $self->tests } };
    my %far = map { $_ => _distance(lc $word, lc $_) } @names;
    my @near = grep { $far{$_} <= 1 + length($word) / 3 } sort { $far{$a} <=> $far{$b} || $a cmp $b } @names;
    splice @near, 3 if @near > 3;
    my $hint = @near ? 'did you mean ' . join(' or ', map { "'$_'" } @near) . '? ' : '';
    return "unknown test '$word'\n${hint}--list shows all tests and groups\n";
}

# Edit distance: letters added, left out, changed or swapped with their neighbour.
sub _distance {
    my ($from, $to) = @_;
    my @from = split //, substr $from, 0, 40;
    my @to   = split //, $to;
    my @rows = ([ 0 .. @to ]);
    for my $i (1 .. @from) {
        my @row = ($i);
        for my $j (1 .. @to) {
            my ($best) = sort { $a <=> $b } $rows[-1][$j] + 1, $row[ $j - 1 ] + 1,
                $rows[-1][ $j - 1 ] + ($from[ $i - 1 ] eq $to[ $j - 1 ] ? 0 : 1);
            if ($i > 1 && $j > 1 && $from[ $i - 1 ] eq $to[ $j - 2 ] && $from[ $i - 2 ] eq $to[ $j - 1 ]) {
                $best = $rows[-2][ $j - 2 ] + 1 if $rows[-2][ $j - 2 ] + 1 < $best;
            }
            push @row, $best;
        }
        push @rows, \@row;
    }
    return $rows[-1][-1];
}

1;
