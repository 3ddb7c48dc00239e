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

use List::Util qw(max);

use Touchstone::Base::Text qw(grouped_count list_with);
use Touchstone::Pack::Place::Position qw(@CLASSES);
use Touchstone::Pack::Place::Table qw($PUBLISHED);
use Touchstone::Run::Needs;
use Touchstone::Run::Plan;
use Touchstone::Suite::UnixBench::Versions;

sub _row { return '| ' . join(' | ', @_) . " |\n" }

sub _table {
    my ($heads, @rows) = @_;
    return join '', _row(@$heads), '|' . '---|' x @$heads . "\n", map { _row(@$_) } @rows;
}

sub _plan {
    my ($schedule, @tests) = @_;
    return Touchstone::Run::Plan::make(
        schedule => $schedule,
        copies   => [1],
        seed     => 1,
        tests    => [ Touchstone::Run::Needs::supported_tests({}, @tests) ]
    );
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

# The tests of a suite, by category, then their windows. A suite with baselines has a table with the titles,
# which UnixBench's reports have; another one has the names on pages.
sub tests {
    my ($suite, $base, $name) = @_;
    my $baseline = _baselines($base);
    my @tests    = _of_suite($suite, $name);
    my $has_base = grep { $baseline->{ $_->{name} } } @tests;
    my @parts;

    for my $category ($suite->categories) {
        my @members = grep { $_->{category} eq $category->[0] } @tests or next;
        push @parts, $has_base
            ? "**$category->[1]**\n\n" . _titles($baseline, @members)
            : _folded("**$category->[1]**: " . join(', ', _spans(map { [ $_, _label($_) ] } @members)) . '.');
    }
    return join "\n", @parts, _windows(@tests);
}

# A table of the tests with a baseline, and a list of the others.
sub _titles {
    my ($baseline, @tests) = @_;
    my @has   = grep { $baseline->{ $_->{name} } } @tests;
    my @lacks = grep { !$baseline->{ $_->{name} } } @tests;
    return join "\n",
        @has
        ? _table([qw(Test Title Baseline)],
        map { [ "`$_->{name}`", $_->{title}, _kept($baseline->{ $_->{name} }) ] } @has)
        : (),
        @lacks
        ? _folded('Without a baseline: ' . join(', ', map { "`$_->{name}` ($_->{title})" } @lacks) . '.')
        : ();
}

# `json` (JSON parsing); four tests or more whose names and labels differ only in their number are one:
# `zstd-1` to `zstd-22` (zstd level 1 to 22).
sub _spans {
    my (@named) = @_;
    my @spans;
    for my $one (@named) {
        my ($name, $label) = ($one->[0]{name}, $one->[1]);
        my ($number) = $name =~ /(\d+)\D*\z/;
        my $pattern  = join "\n", map { defined $number ? s/\b$number\b/N/gr : $_ } $name, $label;
        push @spans, { pattern => $pattern, tests => [] } if !@spans || $spans[-1]{pattern} ne $pattern;
        push @{ $spans[-1]{tests} }, { name => $name, label => $label, number => $number };
    }
    return map {
        @{ $_->{tests} } < 4
            ? map { "`$_->{name}` ($_->{label})" } @{ $_->{tests} }
            : _span(@{ $_->{tests} }[ 0, -1 ])
    } @spans;
}

sub _span {
    my ($first, $last) = @_;
    my $label = $first->{label} =~ s/\b$first->{number}\b/$first->{number} to $last->{number}/r;
    return "`$first->{name}` to `$last->{name}` ($label)";
}

# A paragraph in lines of at most 98 columns.
sub _folded {
    my ($text) = @_;
    return $text =~ s/(.{1,96})(?: |\z)/$1\n/gr;
}

# The window of the default schedule and the passes of the classic one, as a sentence.
sub _windows {
    my (@tests) = @_;
    my (%of, @kinds);
    for my $test (@tests) {
        my $kind = _kept((_passes(default => $test))[0] . ' s') . ' (classic ' . _classic($test) . ')';
        push @kinds,          $kind if !$of{$kind};
        push @{ $of{$kind} }, $test->{name};
    }
    my ($usual) = sort { @{ $of{$b} } <=> @{ $of{$a} } } @kinds;
    return _folded(
        join('; ', "Window: $usual", map { "$_ for " . join ' ', @{ $of{$_} } } grep { $_ ne $usual } @kinds)
            . '.');
}

# A text that stays on one line of a cell.
sub _kept { my ($text) = @_; return $text =~ s/ /\xc2\xa0/gr }

sub _label { my ($test) = @_; return $test->{label} // $test->{title} }

sub _classic {
    my ($test) = @_;
    my ($seconds, $passes) = _passes(classic => $test);
    return _kept("$passes \xc3\x97 $seconds s");
}

# The groups of a suite. Groups with the same tests share a row; members that make a smaller group are named
# by it.
sub groups {
    my ($suite, undef, $name) = @_;
    my $groups = $suite->suites_of($suite->tests)->{$name}{groups};
    my $all    = join ' ', sort map { $_->{name} } _of_suite($suite, $name);
    my %names;
    for my $group (sort keys %$groups) {
        my @members = @{ $groups->{$group} };
        my $alias   = @members == 1 ? $groups->{ $members[0] } : undef;
        push @{ $names{ join ' ', @{ $alias || \@members } } }, $group;
    }
    return _table(
        [qw(Group Members)],
        map {
            my $names  = $names{$_};
            my $is_all = $all eq join ' ', sort split ' ', $_;
            [
                join(', ', map { "`$_`" } @$names),
                $is_all ? 'all tests of this page' : _members($_, $groups, @$names)
            ]
        } sort { $names{$a}[0] cmp $names{$b}[0] } keys %names
    );
}

# Replaces members that are a group by the group, the largest first, and numbered names by a range.
sub _members {
    my ($members, $groups, @but) = @_;
    my %but  = map { $_ => 1 } @but;
    my @left = split ' ', $members;
    for my $group (sort { @{ $groups->{$b} } <=> @{ $groups->{$a} } || $a cmp $b } keys %$groups) {
        my %member = map  { $_ => 1 } @{ $groups->{$group} };
        my @within = grep { $member{$_} } @left;
        next if $but{$group} || @within < 2 || @within < keys %member;
        @left = map { $_ eq $within[0] ? "`$group`" : $member{$_} ? () : $_ } @left;
    }
    $members = join ' ', map { $groups->{$_} ? "`$_`" : $_ } @left;
    return $members =~ s/(?<!\S)(([a-z][a-z0-9]*-)\d+)(?: \2\d+){2,} (\2\d+)(?!\S)/$1 to $3/gr;
}

# Tests that make a group are named by it; one reference for all is said below the table.
sub indexes {
    my ($suite, undef, $name) = @_;
    my $own       = $suite->suites_of($suite->tests)->{$name};
    my @indexes   = @{ $own->{indexes} || [] };
    my %reference = map { $_->{reference} => 1 } @indexes;
    my @columns   = (qw(Index Tests Power), keys %reference > 1 ? 'Reference' : ());
    my $table     = _table(
        \@columns,
        map {
            [
                (
                    $_->{title}, _members(join(' ', @{ $_->{tests} }), $own->{groups}),
                    _power($_),  $_->{reference}
                )[ 0 .. $#columns ]
            ]
        } @indexes
    );
    return keys %reference == 1 ? "$table\nReference: @{[ keys %reference ]}.\n" : $table;
}

sub _power {
    my ($index) = @_;
    return $index->{groups} ? 'groups alike' : $index->{exponent} // '1/' . @{ $index->{tests} };
}

# Questions, the suite or group that answers each, and its indexes.
my @CHOICES = (
    [ 'How fast is this machine? (UnixBench)',             index            => 'System Benchmarks' ],
    [ 'How fast is it for modern services?',               modern           => 'Modern, one per group' ],
    [ 'How fast is the CPU?',                              cpu              => 'Modern Compute' ],
    [ 'How fast are memory and caches?',                   memory           => 'Modern Memory' ],
    [ 'How fast is the network stack, or a network link?', network          => '' ],
    [ 'How fast are durable writes?',                      disk             => 'Modern Durable' ],
    [ 'How fast does a disk transfer data?',               'storage'        => '' ],
    [ 'How well do threads cooperate?',                    'modern-threads' => 'Modern Threads' ],
    [ 'What do the kernel and mitigations cost?',          'modern-kernel'  => 'Modern Kernel' ],
    [ 'How late do sleeping processes wake?',              'modern-latency' => 'Modern Latency' ],
    [ 'How fast are system calls, processes and files?',   system           => '' ],
    [ 'How fast are shell scripts?',                       shell            => '' ],
    [ 'Does the machine deliver what it reports?',         truth            => '' ],
    [ 'How fast is zstd at each level?',                   compress         => '' ],
    [ 'How fast are MD5 and SHA-2?',                       hash             => '' ],
    [ 'How fast are files copied to another disk?',        transfer         => '' ],
    [ 'How fast is an X server?',                          x11              => '2D Graphics Benchmarks' ],
    [ 'All tests of UnixBench 6',                          all              => 'System Benchmarks' ],
    [ 'How does it compare with machines of 1984?',        byte1984         => '1984 Benchmarks' ],
    [ 'How does it compare with nbench results?',          bytemark         => 'five of BYTEmark' ],
    [ 'How does it compare with workstations of 1997?',    lmb1997          => '' ],
    [ 'How fast is a kernel compile? (and more)',          lbt              => 'BYTEmark Memory, Integer' ],
    [ 'Compression, hashes, input, file transfers',        platform         => '' ],
);

# A question per row, with the time of its answer.
sub choices {
    my ($suite) = @_;
    my @rows;
    for my $choice (@CHOICES) {
        my ($question, $name, $index) = @$choice;
        my @tests = eval { $suite->expand($name) } or next;
        push @rows, [ $question, "`$name`", _time_of(_plan('default', @tests)), $index || 'none' ];
    }
    return _table([ qw(Question Name), 'Time, one copy', 'Index' ], @rows);
}

# Each suite with the number of its tests and its groups.
sub suites {
    my ($suite) = @_;
    my $suites = $suite->suites_of($suite->tests);
    my @items;
    for my $one (sort { $a->{order} <=> $b->{order} } values %$suites) {
        my $name  = $one->{name};
        my $count = () = _of_suite($suite, $name);
        my $item  = "- [$name](tests/$name.md), $count tests: " . join ', ',
            map { "`$_`" } sort keys %{ $one->{groups} };
        push @items, _folded($item) =~ s/\n(?=.)/\n  /gr;
    }
    return join '', @items;
}

# "45 s to 3 min", "2 to 3 min", "3 min"
sub _time_of {
    my ($plan) = @_;
    my @spans = map { $_ < 60 ? sprintf '%.0f s', $_ : sprintf '%.0f min', $_ / 60 } $plan->{seconds},
        $plan->{most} // $plan->{seconds};
    return _kept($spans[0]) if $spans[0] eq $spans[1];
    return _kept(join(' to ', @spans) =~ s/ min(?= to)//r);
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
            'Minimum time for the index, one copy'
        ],
        @rows
    );
}

sub _about { my ($seconds) = @_; return sprintf 'about %d s', 5 * int $seconds / 5 + 0.5 }

# Typical values from the published results: of one copy by class, of one copy per CPU by their number, or of
# one copy by family of CPU. A machine with several results counts once, with their median.
my @PARTS  = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1);
my @HEADS  = (qw(Machines Least), '10 %', '25 %', '**Median**', '75 %', '90 %', 'Most');
my $FEWEST = 5;

sub typical {
    my (undef, undef, $of) = @_;
    my @entries = @{ Touchstone::Pack::Place::Table::read($PUBLISHED) };
    my @one     = grep { $_->{copies} == 1 } @entries;
    return _typical('Machine', (map { [ ucfirst, _with(class => $_, @one) ] } @CLASSES), [ 'All', @one ])
        if $of eq 'one';
    return _typical('CPU', map { [ $_, _with(family => $_, @one) ] } _families(@one)) if $of eq 'family';
    my @each = grep { $_->{copies} > 1 && $_->{copies} == ($_->{cpus} // 0) } @entries;
    return _typical(
        'CPUs',
        map {
            my ($from, $to) = @$_;
            [ $from == $to ? $from : "$from to $to", grep { $_->{cpus} >= $from && $_->{cpus} <= $to } @each ]
        } [ 2, 2 ],
        [ 4,  4 ],
        [ 5,  8 ],
        [ 9,  16 ],
        [ 17, 96 ]
    );
}

sub _with {
    my ($key, $value, @entries) = @_;
    return grep { $_->{$key} eq $value } @entries;
}

sub _families {
    my (@entries) = @_;
    my %many;
    my %seen;
    $many{ $_->{family} }++ for grep { length $_->{family} && !$seen{ $_->{machine} }++ } @entries;
    return grep { $many{$_} >= $FEWEST } sort { $many{$b} <=> $many{$a} || $a cmp $b } keys %many;
}

# A row for each [title, entries] with enough machines.
sub _typical {
    my ($title, @groups) = @_;
    my @rows;
    for my $group (@groups) {
        my ($name, @entries) = @$group;
        my %of;
        push @{ $of{ $_->{machine} } }, $_->{index} for @entries;
        my @values = sort { $a <=> $b } map {
            _part(0.5, sort { $a <=> $b } @$_)
        } values %of;
        push @rows, [ $name, scalar @values, map { grouped_count(_part($_, @values)) } @PARTS ]
            if @values >= $FEWEST;
    }
    return _table([ $title, @HEADS ], @rows);
}

# The value below which this part of sorted values is.
sub _part {
    my ($part, @values) = @_;
    my $place = $part * $#values;
    my $low   = int $place;
    return $values[$low] +
        ($place - $low) * ($values[ max($low, $low < $#values ? $low + 1 : $low) ] - $values[$low]);
}

# What each version of UnixBench did in the tests in which they differ.
sub versions {
    return _table(
        [ 'Tests', 'Copies', 'UnixBench 5.1.x', 'UnixBench 6 and Touchstone' ],
        map {
            my $row = $_;
            my %of  = map { $_->[0] => $_->[1] } @{ $row->{of} };
            [
                list_with('and', grep { !/-/ || /\Awhet/ } @{ $row->{tests} }),
                $row->{copies} // 'any',
                $of{5} // $of{4}, $of{6}
            ]
        } Touchstone::Suite::UnixBench::Versions::table()
    );
}

1;
