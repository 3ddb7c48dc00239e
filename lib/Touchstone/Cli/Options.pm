# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options - the words of the command line to what is wanted. One table is the home of every option; the
# manual and docs/options.md are checked against it.
package Touchstone::Cli::Options;
use 5.014;
use strict;
use warnings;

use Getopt::Long ();

use Touchstone::Build::Sets;
use Touchstone::Suite;
use Touchstone::Terminal::Wrap;

# Suites add rows for the table, kinds of values, and verbs, in the order of their folders.
my $PACKAGES    = Touchstone::Suite::packages('Options');
my @OF_SUITES   = map { $PACKAGES->{$_}->can('options')->() } sort keys %$PACKAGES;
my @SUITE_VERBS = map { @{ $_->{verbs} || [] } } @OF_SUITES;
my @SUITE_ROWS  = map { @{ $_->{table} || [] } } @OF_SUITES, @SUITE_VERBS;

# A row has the spelling, what the value must be (a key of %VALUE), or nothing for a switch, and what --help
# says, or a sub that returns it.
my @TABLE = (
    [ 'q|quiet',   undef, 'print nothing on the terminal but errors' ],
    [ 'v|verbose', undef, 'show the commands that are run' ],
    [ 'b|brief',   undef, 'leave the details of the CPUs out of the report' ],
    [
        'i|iterations', 'count',
        'N: the classic schedule with N passes of a long test, a third of that of a short one'
    ],
    [ 'c|copies',  'counts',  'N: run N copies at once; may be given several times' ],
    [ 'classic',   undef,     'the schedule of UnixBench: about 22 minutes for each copy count' ],
    [ 'quick',     undef,     'three short rounds: half a minute for each copy count, less certain' ],
    [ 'precision', 'percent', 'P%: go on until every score is sure to plus or minus P per cent' ],
    [ 'budget',    'time',    'TIME: how long the whole run may take, such as 90s, 10m or 2h' ],
    [ 'strict',    undef,     'exit 1 when a warning says that a score is not valid' ],
    [ 'baseline',  'run',     \&_instead ],
    [ 'seed',      'seed',    'N: the order of the tests follows from this number' ],
    [ 'pin',       'pin',     'none, spread, pack or a list of CPUs such as 0,2-3: where copies run' ],
    [
        'scaling', undef,
        '1, 2, 4 ... copies up to the CPUs and twice as many: speed-up, efficiency, contention'
    ],
    @SUITE_ROWS,
    [ 'list',    undef, 'show all tests and groups' ],
    [ 'json',    undef, 'with --list: as JSON' ],
    [ 'dry-run', undef, 'show what would be run and how long it would take' ],
    [ 'report',  'run', 'RUN: make a report of a stored run, by name or path, on standard output' ],
    [ 'browse',  undef, 'make a page of all stored runs: results/index.html' ],
    [
        'compare', undef,
        'RUN RUN ...: is the second, third ... run faster or slower than the first, and how sure is that'
    ],
    [
        'fail-on', 'percent',
        'P%: with --compare, --duet and --baseline, what is slower by less than that is not worse'
    ],
    [
        'build', 'builds',
        'NAME=FLAGS: measure programs built with these flags, such as o2=-O2; several: side by side'
    ],
    [ 'duet',         undef,    'DIR DIR: two builds of the programs, measured side by side and compared' ],
    [ 'self-compare', undef,    'find out how small a difference this machine can tell' ],
    [ 'resume',       'run',    'RUN: go on with a run that was stopped or killed' ],
    [ 'format',       'format', 'text, markdown, html, csv, json; of --report also log and table' ],
    [ 'help',         undef,    'show this' ],
    [ 'man',          undef,    'show the manual' ],
    [ 'completion',   'shell',  'bash or zsh: print the script that completes words of this command there' ],
    [ 'version',      undef,    'show the version' ],
);

my @STATUSES = (
    'Exit status: 0 all was measured, 1 something failed, 2 usage, 128 + N stopped by signal N;',
    'of a comparison: 0 not worse, 1 worse, 125 inconclusive, 2 a run cannot be read.'
);

# In a terminal with fewer columns --help says what an option is for on a line of its own.
my $NARROW = 60;

our @FORMATS     = qw(text markdown html csv table json log summary);
our @COMPARISONS = qw(text markdown html csv json);
my @SHELLS = qw(bash zsh);
my $MOST   = 1_000_000;

# A value of each kind:
#
#   { is      => sub,              whether it can be one
#     allowed => 'a text',         what a message says is allowed
#     many    => 1,                the option may be given several times
#     words   => [...],            words that a shell can complete
#     keys    => [...],            the same of a value KEY=VALUE
#     as      => sub }             what becomes of it
my $CPU   = qr/\d{1,5}(?:-\d{1,5})?/;
my %VALUE = (
    (map { %{ $_->{values} || {} } } @OF_SUITES),
    count  => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000', as   => sub { $_[0] + 0 } },
    counts => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000', many => 1 },
    seed   => {
        is      => sub { $_[0] =~ /\A\d{1,9}\z/ },
        allowed => 'a whole number from 0 to 999999999',
        as      => sub { $_[0] + 0 }
    },
    pin => {
        is      => \&_is_placement,
        allowed => 'none, spread, pack or a list of CPUs such as 0,2-3',
        words   => [qw(none spread pack)]
    },
    format => {
        is => sub {
            my $v = $_[0];
            grep { $_ eq $v } @FORMATS;
        },
        allowed => join(', ', @FORMATS)
    },
    percent => {
        is      => sub { $_[0] =~ /\A(\d{1,2}(?:\.\d{1,4})?)%?\z/ && $1 > 0 },
        allowed => 'a percentage above 0 and below 100 such as 0.5%',
        as      => \&_part
    },
    time => {
        is      => sub { $_[0] =~ /\A0*[1-9]\d{0,5}(?:\.\d{1,3})?[smh]?\z/ },
        allowed => 'a time such as 90s, 10m or 2h',
        as      => \&_seconds
    },
    builds => {
        is      => sub { Touchstone::Build::Sets::parsed($_[0]) },
        allowed => 'NAME=FLAGS, such as o2=-O2 or clang=CC=clang,-O2; a NAME has letters, digits, '
            . '_ . - and begins with neither . nor -, FLAGS have letters, digits and _ . , : '
            . '+ = / % -',
        many => 1
    },
    file  => { is => sub { length $_[0] && $_[0] !~ /[\x00-\x1f]/ }, allowed => 'the path of a file' },
    place => { is => sub { length $_[0] && $_[0] !~ /[\x00-\x1f]/ }, allowed => 'the path of a directory' },
    run   => { is => sub { length $_[0] }, allowed => 'the name or path of a stored run' },
    shell => {
        is => sub {
            my $v = $_[0];
            grep { $_ eq $v } @SHELLS;
        },
        allowed => join(' or ', @SHELLS),
        words   => \@SHELLS
    },
);

# The words of a command line by the long names of options: { quiet => 1, copies => [1, 4], tests => [...],
# ... }. Dies with a message.
sub parse {
    my (@words) = @_;
    my %want = (tests => []);
    my @trouble;
    {
        local $SIG{__WARN__} = sub { push @trouble, $_[0] };
        my $parser =
            Getopt::Long::Parser->new(config => [qw(bundling no_ignore_case permute no_auto_abbrev)]);
        local @ARGV = @words;
        $parser->getoptions(_specifications(\%want));
        push @{ $want{tests} }, @ARGV;
    }
    die _in_our_words($trouble[0]) if @trouble;
    _check(\%want);
    _convert(\%want);
    return \%want;
}

# Numbers become numbers, percentages parts, and times seconds.
sub _convert {
    my ($want) = @_;
    for my $row (grep { $_->[1] } @TABLE) {
        my ($name, $as) = (_long($row->[0]), $VALUE{ $row->[1] }{as});
        $want->{$name} = $as->($want->{$name}) if $as && defined $want->{$name};
    }
    return;
}

sub _part { return ($_[0] =~ s/%\z//r) / 100 }

my %SECONDS = ('' => 1, s => 1, m => 60, h => 3600);
sub _seconds { my ($number, $unit) = $_[0] =~ /\A([\d.]+)(\w?)\z/; return $number * $SECONDS{$unit} }

# Either of UnixBench's pair may be given: the last one counts.
my %INSTEAD = (quiet => 'verbose', verbose => 'quiet');

sub _specifications {
    my ($want) = @_;
    my @specifications;
    for my $row (@TABLE) {
        my ($spelling, $kind) = @$row;
        my $name  = _long($spelling);
        my $spec  = $name =~ /^(.)/ && $spelling =~ /\|/ ? "$name|" . substr $spelling, 0, 1 : $name;
        my $value = $kind && $VALUE{$kind};
        push @specifications,
              $INSTEAD{$name} ? ($spec => sub { $want->{$name} = 1; delete $want->{ $INSTEAD{$name} } })
            : !$value         ? ($spec => \$want->{$name})
            : $value->{many}  ? ("$spec=s" => $want->{$name} = [])
            :                   ("$spec=s" => \$want->{$name});
    }
    push @specifications, '<>' => sub { push @{ $want->{tests} }, "$_[0]" };
    return @specifications;
}

sub _long { return (split /\|/, $_[0])[-1] }

sub _in_our_words {
    my ($message) = @_;
    return "unknown option '" . _dashed($1) . "'\n--help shows all options\n"
        if $message =~ /^Unknown option: (.*)/;
    return "option '" . _dashed($1) . "' needs a value\n" if $message =~ /^Option (\S+) requires an argument/;
    return "option '" . _dashed($1) . "' takes no value\n"
        if $message =~ /^Option (\S+) does not take an argument/;
    return $message;
}

sub _dashed { return (length $_[0] > 1 ? '--' : '-') . $_[0] }

sub _check {
    my ($want) = @_;
    for my $row (grep { $_->[1] } @TABLE) {
        my ($name, $rule) = (_long($row->[0]), $VALUE{ $row->[1] });
        for my $value (ref $want->{$name} ? @{ $want->{$name} } : $want->{$name} // ()) {
            die _spelled($row->[0]) . " is '$value', allowed is $rule->{allowed}\n" if !$rule->{is}->($value);
        }
    }
    _check_together($want);
    return;
}

# A verb does something else than measure the tests that are named; these options go with each verb.
my @MEASURING =
    qw(quiet verbose brief copies seed pin precision budget strict baseline fail-on scaling dry-run);
my %SUITE_VERB = map { $_->{name} => $_ } @SUITE_VERBS;
push @MEASURING, grep { !$SUITE_VERB{$_} } map { _long($_->[0]) } @SUITE_ROWS;
my %GOES_WITH = (
    list           => ['json'],
    browse         => [],
    completion     => [],
    report         => [qw(format baseline scaling)],
    compare        => [qw(format fail-on)],
    resume         => [qw(quiet verbose brief strict)],
    duet           => [ @MEASURING, qw(classic quick iterations format) ],
    build          => [ @MEASURING, qw(classic quick iterations format) ],
    'self-compare' => [ grep { !/\A(?:precision|budget|fail-on)\z/ } @MEASURING, 'quick' ],
    map { $_->{name} => $_->{with} } @SUITE_VERBS
);

# These win over every other word.
my @FIRST = qw(help man version);

# These need a verb.
my @OF_VERBS = qw(json format);

# --fail-on sets the limit of these.
my @JUDGING       = qw(baseline compare duet);
my @WITHOUT_TESTS = (qw(list browse report resume), (map { $_->{name} } @SUITE_VERBS), 'completion');

# Two of a pair exclude each other: schedules, and what belongs to the default one alone.
my @EITHER = (
    [qw(quick classic)],
    [qw(quick iterations)],
    map {
        my $sure = $_;
        map { [ $sure, $_ ] } qw(quick classic iterations)
    } qw(precision budget)
);

# 1 where two options can be said together.
sub fit {
    my (@two) = @_;
    for my $pair ([@two], [ reverse @two ]) {
        my ($one, $other) = @$pair;
        return 0
            if grep({ $_ eq $one } @FIRST)
            || $GOES_WITH{$one} && !grep { $_ eq $other } @{ $GOES_WITH{$one} };
        return 0 if grep { $_->[0] eq $one && $_->[1] eq $other } @EITHER;
    }
    return 1;
}

# Options as they are shown and completed: { name, short, kind, many, help, words, keys }, the last two as
# above.
sub described {
    return map {
        my ($spelling, $kind, $help) = @$_;
        my $value = $kind ? $VALUE{$kind} : {};
        +{
            name  => _long($spelling),
            short => $spelling =~ /\A(.)\|/ ? $1 : undef,
            kind  => $kind,
            many  => $value->{many} ? 1         : 0,
            help  => ref $help      ? $help->() : $help,
            words => $value->{words} || [],
            keys  => $value->{keys}  || []
        };
    } @TABLE;
}

# The verb of a suite among these words, as Suite explains it, or nothing.
sub suite_verb {
    my ($want) = @_;
    my ($verb) = grep { defined $want->{ $_->{name} } } @SUITE_VERBS;
    return $verb;
}

# Names of verbs, of options that belong to one of these, and of options that take no tests.
sub verbs         { my @verbs = sort keys %GOES_WITH; return @verbs }
sub of_verbs      { return @OF_VERBS }
sub without_tests { return (@FIRST, @WITHOUT_TESTS) }

sub formats {
    my ($verb) = @_;
    return $verb eq 'report' ? @FORMATS : @{ ($SUITE_VERB{$verb} || {})->{formats} || \@COMPARISONS };
}

sub _check_together {
    my ($want) = @_;
    return if grep { $want->{$_} } @FIRST;
    my @given = grep { ref $want->{$_} ? @{ $want->{$_} } : defined $want->{$_} }
        grep { $_ ne 'tests' } sort keys %$want;
    my @verbs = grep { $GOES_WITH{$_} } @given;
    for my $verb (@verbs) {
        my %fits    = map  { $_ => 1 } $verb, @{ $GOES_WITH{$verb} };
        my ($other) = grep { !$fits{$_} } @given;
        die "--$verb and --$other exclude each other\n" if defined $other;
    }
    for my $option (@OF_VERBS) {
        my @with = grep {
            my $verb = $_;
            grep { $_ eq $option } @{ $GOES_WITH{$verb} }
        } sort keys %GOES_WITH;
        die "--$option belongs to " . join(' and ', map { "--$_" } @with) . "\n"
            if defined $want->{$option} && !@verbs;
    }
    die '--fail-on belongs to ' . join(', ', map { "--$_" } @JUDGING) . "\n"
        if defined $want->{'fail-on'} && !grep { defined $want->{$_} } @JUDGING;
    my @schedules = grep { $want->{$_} } qw(classic quick);
    push @schedules, 'iterations' if defined $want->{iterations} && !$want->{classic};
    die "--quick and the classic schedule (--classic, -i) exclude each other\n" if @schedules > 1;
    my @sure = grep { defined $want->{$_} } qw(precision budget);
    die "--$sure[0] belongs to the default schedule, not to --quick, --classic or -i\n"
        if @sure && @schedules;
    _check_format($want) if defined $want->{format} && !defined $want->{report};
    my $words = @{ $want->{tests} };
    die "--$_ takes no tests\n" for grep { defined $want->{$_} && $words } @WITHOUT_TESTS;
    die "--compare needs two runs or more\n" if $want->{compare} && $words < 2;
    my %builds;
    die "--build names '$_' twice: each needs a name of its own\n"
        for grep { $builds{$_}++ }
        map { Touchstone::Build::Sets::parsed($_)->{name} } @{ $want->{build} || [] };
    die "--format belongs to a comparison: one --build has nothing to be compared with\n"
        if defined $want->{format} && keys %builds == 1;
    die "--duet needs two directories of programs\n" if $want->{duet} && $words < 2;
    return;
}

# A report has more formats than all else.
sub _check_format {
    my ($want)  = @_;
    my $verb    = suite_verb($want) || { name => 'compare', called => 'a comparison' };
    my @formats = formats($verb->{name});
    die "--format is '$want->{format}', allowed with $verb->{called} is " . join(', ', @formats) . "\n"
        if !grep { $_ eq $want->{format} } @formats;
    return;
}

# A range goes up.
sub _is_placement {
    my ($value) = @_;
    return 0 if $value !~ /\A(?:none|spread|pack|$CPU(?:,$CPU)*)\z/;
    return !grep { /(\d+)-(\d+)/ && $1 > $2 } split /,/, $value;
}

sub _is_count { return $_[0] =~ /\A[1-9]\d{0,6}\z/ && $_[0] <= $MOST }

# Messages say "option -c" or "option --seed".
sub _spelled {
    my ($spelling) = @_;
    return 'option ' . ($spelling =~ /^(.)\|/ ? "-$1" : "--$spelling");
}

# The text of --help. Without `columns`, those of the terminal, each option has one line. `command` is how it
# was called.
sub help {
    my ($columns, $command) = @_;
    my $narrow = defined $columns && $columns < $NARROW;
    my $hang   = ' ' x ($narrow ? 6 : 23);
    my @lines =
        map { Touchstone::Terminal::Wrap::lines($_, width => $columns) }
        'usage: ' . ($command // 'Run') . ' [options] [test ...]', '',
        _usual() . ', with one copy and with one for each CPU.', '';
    for my $row (@TABLE) {
        my $shown = _shown($row->[0]);
        push @lines, $narrow ? '  ' . $shown =~ s/\A +//r : (),
            Touchstone::Terminal::Wrap::lines(
            ref $row->[2] ? $row->[2]->() : $row->[2],
            width => $columns,
            first => $narrow ? $hang : sprintf('  %-20s ', $shown),
            hang  => $hang
            );
    }
    push @lines, '', map { Touchstone::Terminal::Wrap::lines($_, width => $columns, hang => '  ') } @STATUSES;
    return join '', map { "$_\n" } @lines;
}

sub _usual {
    my $called = Touchstone::Suite::load()->default->{called};
    return defined $called ? "Without tests: $called" : 'Tests must be named. Each is run';
}

sub _instead {
    my $reference = Touchstone::Suite::load()->default->{reference} // 'the usual baselines';
    return "RUN: a stored run in the place of $reference: its index is 10";
}

sub _shown {
    my ($spelling) = @_;
    my ($short, $long) = $spelling =~ /^(.)\|(.*)/ or return "    --$spelling";
    return "-$short, --$long";
}

# Long and short names, for the tests that compare documents with this table.
sub names {
    return map { [ split /\|/, $_->[0] ] } @TABLE;
}

1;
