# SPDX-License-Identifier: GPL-2.0-or-later
# Tables - the tables that documents repeat from the suites and the plan, as Markdown. Each function takes the
# suites, the text of pgms/index.base, and the name of a suite where it is asked for one:
#
#   | Group | Members |
#   |---|---|
#   | `dhry` | dhry2reg |
package Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Run::Plan;

sub _row { return '| ' . join(' | ', @_) . " |\n" }

sub _table {
    my ($heads, @rows) = @_;
    return join '', _row(@$heads), '|' . '---|' x @$heads . "\n", map { _row(@$_) } @rows;
}

sub _plan {
    my ($schedule, @tests) = @_;
    return Touchstone::Run::Plan::make(schedule => $schedule, copies => [1], seed => 1, tests => \@tests);
}

# The seconds of a pass, and their number, when the test is alone.
sub _passes {
    my ($schedule, $test) = @_;
    my @passes = @{ _plan($schedule, $test)->{blocks}[0]{passes} };
    return ($passes[-1]{window}, scalar @passes);
}

sub _of_suite {
    my ($suite, $name) = @_;
    return grep { $_->{suite} eq $name } $suite->tests;
}

# { name of a test => its baseline with the unit }
sub _baselines {
    my ($text) = @_;
    return { map { my @cell = split /\|/; $cell[0] => "$cell[3] $cell[2]" } grep { !/^#/ } split /\n/,
        $text };
}

# Two tables for each category of the suite, since one of so many columns fits no window: what its tests do,
# and how they are measured.
sub tests {
    my ($suite, $base, $name) = @_;
    my $baseline = _baselines($base);
    my @tests    = _of_suite($suite, $name);
    my $is_index = grep { _in_index($_) } @tests;
    my $has_base = grep { $baseline->{ $_->{name} } } @tests;
    my @does = ([ Test => \&_name ], [ 'On pages' => \&_label ], [ 'What it does' => sub { $_[0]{about} } ]);
    my @measured = (
        [ Test    => \&_name ],
        [ Title   => sub { $_[0]{title} } ],
        [ Window  => sub { _kept((_passes(default => $_[0]))[0] . ' s') } ],
        [ Classic => \&_classic ],
        $is_index ? [ Index    => sub { _in_index($_[0]) ? 'yes' : '' } ]           : (),
        $has_base ? [ Baseline => sub { _kept($baseline->{ $_[0]{name} } // '') } ] : ()
    );
    my @tables;

    for my $category ($suite->categories) {
        my @of = grep { $_->{category} eq $category->[0] } @tests or next;
        push @tables, "**$category->[1]**\n\n" . join "\n", map { _of_tests($_, @of) } \@does, \@measured;
    }
    return join "\n", @tables;
}

# A table of tests; a column is its head and what it says of a test.
sub _of_tests {
    my ($columns, @tests) = @_;
    return _table(
        [ map { $_->[0] } @$columns ],
        map {
            my $test = $_;
            [ map { $_->[1]->($test) } @$columns ]
        } @tests
    );
}

# A text that stays on one line of a cell.
sub _kept { my ($text) = @_; return $text =~ s/ /\xc2\xa0/gr }

sub _in_index { my ($test) = @_; return $test->{index} || @{ $test->{indexes} } }

sub _name { my ($test) = @_; return "`$test->{name}`" }

sub _label { my ($test) = @_; return $test->{label} // $test->{title} }

sub _classic {
    my ($test) = @_;
    my ($seconds, $passes) = _passes(classic => $test);
    return _kept("$passes \xc3\x97 $seconds s");
}

# Groups as the suite has them: a member may be a group.
sub groups {
    my ($suite, undef, $name) = @_;
    my $groups = $suite->suites_of($suite->tests)->{$name}{groups};
    return _table([qw(Group Members)], map { [ "`$_`", join ' ', @{ $groups->{$_} } ] } sort keys %$groups);
}

sub indexes {
    my ($suite, undef, $name) = @_;
    return _table([qw(Index Tests Power Reference)],
        map { [ $_->{title}, join(' ', @{ $_->{tests} }), _power($_), $_->{reference} ] }
            @{ $suite->suites_of($suite->tests)->{$name}{indexes} || [] });
}

sub _power {
    my ($index) = @_;
    return $index->{groups} ? 'groups alike' : $index->{exponent} // '1 / ' . @{ $index->{tests} };
}

# How many tests each suite has, and how long all of them take.
sub suites {
    my ($suite) = @_;
    my $suites = $suite->suites_of($suite->tests);
    my @rows;
    for my $one (sort { $a->{order} <=> $b->{order} } values %$suites) {
        my $name  = $one->{name};
        my @tests = _of_suite($suite, $name);
        my %title = map { $_->[0] => $_->[1] } @{ $one->{categories} };
        push @rows,
            [
            "[$name](tests/$name.md)",                 scalar(@tests),
            join(', ', @title{ _categories(@tests) }), _minutes(_plan('default', @tests))
            ];
    }
    return _table([ qw(Suite Tests Categories), 'At most, one copy' ], @rows);
}

sub _minutes {
    my ($plan) = @_;
    return sprintf 'about %.0f min', ($plan->{most} // $plan->{seconds}) / 60 + 0.49;
}

sub _categories {
    my (@tests) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{category} } @tests;
}

# The windows of tests of each pace, which is called by its window of the default schedule, and how long the
# index takes.
sub schedules {
    my ($suite) = @_;
    my %of_pace = map { $_->{pace} => $_ } grep { !$_->{shortest} } $suite->tests;
    my @paces   = @of_pace{qw(fast brief slow)};
    my @index   = $suite->expand('index');
    my @rows;
    for my $kind (qw(default quick)) {
        my @plans = map { _plan($kind, $_) } @paces;
        push @rows,
            [
            $kind, $plans[0]{rounds},
            (map { sprintf '%g s', $_->{blocks}[0]{passes}[-1]{window} } @plans),
            _about(_plan($kind, @index)->{seconds})
            ];
    }
    push @rows, [ 'classic', ("\xe2\x80\x93") x 4, _about(_plan('classic', @index)->{seconds}) ];
    return _table(
        [
            'Schedule', 'Rounds',
            (map { sprintf '%g s tests', (_passes(default => $_))[0] } @paces),
            'Least time for the index, one copy'
        ],
        @rows
    );
}

sub _about { my ($seconds) = @_; return sprintf 'about %d s', 5 * int $seconds / 5 + 0.5 }

1;
