# SPDX-License-Identifier: GPL-2.0-or-later
# Suite - every test of every suite as a row, found by name or group. The rows are in Suite/*/Rows.pm, one
# folder a suite:
#
#   { name => 'pipe', title => 'Pipe Throughput', about => 'bytes into and out of a pipe',
#     category => 'system', index => 1, class => 'long', pace => 'fast', seconds => 10 }
#
# What a test is called:
#
#   name      the word on the command line
#   title     the name in reports: letters, digits, _ ( ) - : '
#   about     one line for list
#   label     a short title for people, where reports need not be UnixBench's
#   kind      what it measures, CPU or Files: tables of people are grouped by it
#   exercises processes (fork, exec, page faults), wake-ups or other, where the kind does not show it
#   category  a key of the suite's categories
#   also      other titles by which text reports know it: of UnixBench 5, and its former ones here
#   unlike    why its scores cannot be compared with UnixBench's of this title
#
# How it is run:
#
#   program   in the program directory; the name when absent
#   args      its arguments; the window in seconds when absent. %{...} stands for seconds, copies, bin,
#             testdir, cc, work, kept and what Run::Needs found. An argument that stands for nothing is left
#             out, such as %{cpu}, which is `cpu` where the window is one of CPU time
#   kept      %{kept} is a directory that stays until the run ends, for all tests with the same word here
#   env       variables of its programs, beside those that Run sets
#   place     same or cross: its two processes on one CPU, or on two that share no core
#   single    1: one copy only
#   team      1: its copies are one program, which is told how many; with `place`, whose threads come in pairs,
#             each on two CPUs of different cores
#   parts     programs that its own program starts
#   elsewhere half: a second process does half of the work from the beginning of the warm-up to the end;
#             unknown: other processes do a part whose CPU time its program cannot read
#   inputs    files of testdir/
#   space     KB that a copy writes
#   memory    KB that a copy, or a thread of a team, holds in memory, where that is a lot
#
# What it takes:
#
#   needs     { command => package } looked for on the PATH before the run
#   requires  a need of its suite's Needs.pm
#   library   [what it is, package]: its program is not built without it
#   fortran   1: its program is not built without a compiler of Fortran
#   remedy    { word of a reason => what helps } where a part of it cannot be done
#
# How long it is measured:
#
#   class     long, short or sure: passes in the classic schedule
#   seconds   the window of the classic schedule
#   pace      the windows of the other schedules (Run::Plan)
#   shortest  seconds of its shortest window, where several measurements share it
#   warm      seconds of work at the beginning of each pass that do not count, where its first operations are
#             slower; not in the classic schedule. Its program counts with bench_next or bench_tick, and ends
#             with bench_end
#   per_gb    seconds for a GB of what it works on
#   rounds    at most, of the schedules with rounds
#   fewest    passes, however long they take
#   whole     seconds for the passes of the pace whole
#   setup     seconds of a pass beside its window
#   patience  seconds that a pass may take, where that is no multiple of the window
#
# What becomes of its passes:
#
#   better    lower: fixed work, whose figure is the seconds of a unit; otherwise higher
#   seen      copy: its seconds are what each copy sees, and those of several are their geometric mean, not
#             the time that they need together
#   rule      mean: of the score in the classic schedule
#   verdict   1: its passes are evidence for what its suite says of the machine (Tables), and no score
#   tail      what one of its operations is called, where the slowest of many matter: wake-up. Its program says
#             their quantiles (FIGURE p50, p90, p99, p99.9, max in s, and samples), and reports draw them. The
#             p99 may be the score itself
#   late      1: such a figure is how late an operation was, not how long it took
#   mean_of   how many rates its score is the mean of, where some may be missing
#   per       [25000, 'call']: a unit of fixed work, or what a rate counts, is so many of these, whose time
#             is shown too
#   derived   { name of a figure => { divisor, unit } }: the score divided by a number, in results by this
#             name and in the log with this unit
#   index     1: part of the category's index
#   baseline  [table, its first column, column]: the figure of a published table whose index is 10
#   scale     the index of its baseline, usually 10
#   version   of its suite when what the test measures changed last, usually 1: scores of two versions are
#             not compared
#   since     the Touchstone whose tests first had that version
package Touchstone::Suite;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(did_you_mean natural_key);

my %DEFAULT = (
    index   => 0,
    args    => ['%{seconds}'],
    needs   => {},
    inputs  => [],
    space   => 0,
    place   => '',
    better  => 'higher',
    version => 1,
    env     => {},
);

# The commands of tst.sh and multi.sh, for the rows of several suites.
our %SHELL_TOOLS = (
    sort => 'coreutils',
    od   => 'coreutils',
    tee  => 'coreutils',
    wc   => 'coreutils',
    rm   => 'coreutils',
    grep => 'grep'
);

# A suite is a folder, Suite/NAME/, with these files:
#
#   Rows        its tests and what holds for all of them: suite()
#   Tables      what a run shows beside published results: tables(facts, results), or undef without its
#               tests
#   Parts       the same as parts of a report: parts(tables, ...), and headline(tables), where there is one, or
#               headlines(tables), where there are several. Both get `doubt` too, which stands behind a
#               figure of a run that is not valid
#   Needs       what its tests need that is no program of ours: needs(), which Run::Needs explains
#   Conditions  what two runs must have in common: facts_that_differ() gives rows of Compare::Differences,
#               conditions(record, row, result) gives { what => a text }, without which two results are not
#               those of one test
#   Options     its words of the command line: options(), below, and asked(words), keys for the record
#
# A pack is a folder, too: Pack/NAME/ has commands of its own, which Options names, and Sections: what the
# page of another pack shows of it, sections(places, command) as { anchor, title, parts }.
#
# options() gives any of these:
#
#   { table    => rows of Cli::Options that choose what tests work on,
#     headings => [ [heading, rows of Cli::Options] ]: all others, some of which are verbs,
#     values   => { field => what a value of the kind `field` must look like, as Cli::Options::Values has it },
#     keys     => { 'lbt?' => { '*' => 'text' } },    what asked() gives, as Record::Schema describes it
#     examples => [ [words, what they are for] ],     for --help
#     statuses => [ [exit status, what it means] ] }  for --help
#
# The packages of the suites and packs that have such a file, which is loaded: { name in lower case =>
# package }.
sub packages {
    my ($file, @names) = @_;
    my %wanted = map { $_ => 1 } @names;
    my ($here) = __FILE__ =~ m{(.*)/Suite\.pm\z}s;
    my %found;
    for my $kind (qw(Suite Pack)) {
        opendir my $dir, "$here/$kind" or next;
        for my $folder (grep { (!@names || $wanted{ lc $_ }) && -e "$here/$kind/$_/$file.pm" } readdir $dir) {
            require "Touchstone/$kind/$folder/$file.pm";
            $found{ lc $folder } = "Touchstone::${kind}::${folder}::$file";
        }
    }
    return \%found;
}

# The shapes of what suites add to a record, by key.
sub record_keys {
    return { map { %{ $_->can('options')->()->{keys} || {} } } values %{ packages('Options') } };
}

# All suites:
#
#   { tests      => [rows],
#     groups     => { name => [names] },
#     categories => [ [key, title] ],
#     default    => that of the first suite that has one, with `reference` of this suite, or {},
#     suites     => { name => all that suite() gives } }
#
# suite() gives, beside tests and groups:
#
#   name        of the suite, also that of its folder in lower case
#   order       of the suites, in lists and reports
#   version     raised when what one of its tests measures changes, with that of the row: of its newest test
#   categories  [key, title, 1 where no mean is made of its tests]
#   called      { group => what list says of it, instead of its many names }
#   units       { a unit of its programs => the same spelled out }
#   default     { group => what is measured where no test is named, called => what --help calls it }
#   reference   who has the index 10, where there is one
#   machines    { reference => as a sentence calls it, with an article }
#   budget      seconds for a copy count of the default schedule, at most
#   indexes     instead of the one of its category: { key, title, category, tests, exponent, reference,
#               baselines => { test => as in rows } }; `groups`, lists of tests that count alike in it;
#               `part_of`, the key of the index of which it is a part, whose reports show it as a bar;
#               `place`, work: it is that of a volume, which reports name with it; `steady`, 1: its tests do
#               the same work all the time, so that the machine is what varies
#   published   tables of results to show beside its own, pgms/NAME.csv: { name => { text => [the columns of
#               names], numbers => [those of figures], notes => [those of words that may be empty] } }
my @MERGED = qw(groups called machines units);

# They are put together once; nobody changes them.
sub load { state $all = _merged(); return $all }

sub _merged {
    my %all = (tests => [], categories => [], default => {}, suites => {}, map { $_ => {} } @MERGED);
    for my $suite (sort { $a->{order} <=> $b->{order} } map { $_->suite } values %{ packages('Rows') }) {
        push @{ $all{tests} },      _rows($suite);
        push @{ $all{categories} }, @{ $suite->{categories} };
        $all{suites}{ $suite->{name} } = $suite;
        $all{default} = { %{ $suite->{default} }, reference => $suite->{reference} }
            if $suite->{default} && !%{ $all{default} };
        $all{$_} = { %{ $all{$_} }, %{ $suite->{$_} || {} } } for @MERGED;
    }
    $all{groups} = _groups($all{groups}, map { $_->{name} } @{ $all{tests} });
    return bless \%all, __PACKAGE__;
}

# The groups of these tests. A group may name tests and groups of other suites, which need not be here; one
# without any test is none.
sub _groups {
    my ($groups, @names) = @_;
    my %is_test = map { $_ => 1 } @names;
    my %known;
    for my $group (keys %$groups) {
        my @here = grep { $is_test{$_} } @{ _members($groups, $group) };
        $known{$group} = \@here if @here;
    }
    return \%known;
}

# The members of a group, whose members may be groups.
sub _members {
    my ($groups, $name) = @_;
    my %seen;
    return [
        grep { !$seen{$_}++ }
        map  { $groups->{$_} && $_ ne $name ? @{ _members($groups, $_) } : $_ } @{ $groups->{$name} }
    ];
}

# A row also knows what its suite says for all.
sub _rows {
    my ($suite) = @_;
    my %heading = map { $_->[0] => $_->[1] } @{ $suite->{categories} };
    return map {
        +{
            program => $_->{name},
            %DEFAULT,
            suite   => $suite->{name},
            budget  => $suite->{budget},
            heading => $heading{ $_->{category} },
            indexes => _indexes_of($_, $suite),
            %$_
        }
    } @{ $suite->{tests} };
}

# [{ key, title, exponent, ... }] of the suite's own indexes that a test is part of.
sub _indexes_of {
    my ($test, $suite) = @_;
    return [
        map { +{ exponent => weights($_, @{ $_->{tests} })->{ $test->{name} }, %$_ } } grep {
            my $index = $_;
            grep { $_ eq $test->{name} } @{ $index->{tests} }
        } @{ $suite->{indexes} || [] }
    ];
}

# The exponents with which these tests of an index are part of it: { name => exponent }. Groups count alike,
# whatever their number of tests; one without any of these is left out.
sub weights {
    my ($index, @names) = @_;
    my %here   = map  { $_ => 1 } @names;
    my @groups = grep { @$_ } map {
        [ grep { $here{$_} } @$_ ]
    } @{ $index->{groups} || [] };
    return { map { $_ => 1 / @names } @names } if !@groups;
    return {
        map {
            my $group = $_;
            map { $_ => 1 / @groups / @$group } @$group
        } @groups
    };
}

# The arguments of a test, with values. A compiler may come with options.
sub filled {
    my ($test, %value) = @_;
    my @known = grep { !/\A%\{(\w+)\}\z/ || defined $value{$1} } @{ $test->{args} };
    return
        map { my $word = $_; $word eq '%{cc}' ? split ' ', $value{cc} : $word =~ s/%\{(\w+)\}/$value{$1}/gr }
        @known;
}

sub tests { return @{ $_[0]{tests} } }

# Rows by their titles.
sub titles {
    my ($self) = @_;
    return {
        map {
            my $row = $_;
            map { $_ => $row } $row->{title}, @{ $row->{also} || [] }
        } $self->tests
    };
}

sub groups { return $_[0]{groups} }

# What is measured where no test is named: { group, called, reference }, or {}.
sub default { return $_[0]{default} }

# A sentence calls a machine that is a reference so; nothing for another.
sub machine { my ($self, $name) = @_; return $self->{machines}{$name} }

# Figures that follow from a score: { name of a test => { name of the figure => { divisor, unit } } }.
sub derived {
    state $derived = { map { $_->{name} => $_->{derived} } grep { $_->{derived} } load()->tests };
    return $derived;
}

# The units that suites add to those of every program, spelled out.
sub units {
    state $spelled = load()->{units};
    return $spelled;
}

# Programs search the terminal for units, so pages spell them out.
my %SPOKEN = (lps => 'per second', lpm => 'per minute');
sub spoken_unit { my ($unit) = @_; return $SPOKEN{ $unit // '' } // units()->{ $unit // '' } // $unit }

# How a test is shown to people: { label, kind, place }, or {} for one that no suite knows. `place` is its
# number in the order of the suites. `elsewhere` and `exercises` are those of its row.
sub shown {
    my ($name) = @_;
    state $shown = do {
        my $place = 0;
        +{
            map {
                my $row = $_;
                $row->{name} => {
                    label => $row->{label} // $row->{title},
                    place => $place++,
                    map { ($_ => $row->{$_}) } qw(kind elsewhere exercises)
                }
            } load()->tests
        };
    };
    return $shown->{$name} // {};
}

# The name that people know a test by.
sub label { my ($row) = @_; return shown($row->{name} // '')->{label} // $row->{title} }

# Sorts things by the places of the tests that `name_of` says of them; unknown ones come last, in the order of
# their names, numbers in them as numbers.
sub arranged {
    my ($name_of, @items) = @_;
    my @keyed = map { my $name = $name_of->($_); [ $_, shown($name)->{place}, natural_key($name) ] } @items;
    return map { $_->[0] } sort {
        defined $a->[1] && defined $b->[1] ? $a->[1] <=> $b->[1] : defined $b->[1] <=> defined $a->[1]
            || $a->[2] cmp $b->[2]
    } @keyed;
}

# The suites of these rows, by name.
sub suites_of {
    my ($self, @tests) = @_;
    return { map { $_->{suite} => $self->{suites}{ $_->{suite} } } @tests };
}

# The names of the suites that give verdicts and no scores, sorted.
sub judging {
    my $suites = load()->{suites};
    return sort grep {
        my @tests = @{ $suites->{$_}{tests} };
        @tests && !grep { !$_->{verdict} } @tests
    } keys %$suites;
}

sub categories { return @{ $_[0]{categories} } }

# Names and groups to rows, each once, in the order asked for. Dies with the nearest names when one is
# unknown.
sub expand {
    my ($self, @words) = @_;
    my %row = map { $_->{name} => $_ } $self->tests;
    my (%seen, @rows);
    for my $word (@words) {
        my @names = $row{$word} ? ($word) : @{ $self->{groups}{$word} || [] };
        die unknown($word, keys %{ $self->{groups} }, keys %row) if !@names;
        push @rows, map { $row{$_} } grep { !$seen{$_}++ } @names;
    }
    return @rows;
}

# Says which tests and groups an unknown word may stand for.
sub unknown {
    my ($word, @names) = @_;
    return "unknown test '$word'\n" . did_you_mean($word, \@names) =~ s/ \z/\n/r . "try: ./Run list\n";
}

1;
