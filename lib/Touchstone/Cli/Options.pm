# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options - the words of the command line to what is wanted. One table is the home of every option:
# --help, the completion of shells and the manual have its headings and spellings.
package Touchstone::Cli::Options;
use 5.014;
use strict;
use warnings;

use Getopt::Long ();

use Touchstone::Base::Text qw(did_you_mean);
use Touchstone::Cli::Options::Together;
use Touchstone::Cli::Options::Values;
use Touchstone::Suite;

# A heading has rows: the spelling with what stands for its value, the kind of the value (a key of Values), or
# nothing for a switch, and what --help says, or a sub that returns it. Common options come first.
my @TABLE = (
    [
        'Measure',
        [ 'c|copies N',     'counts', 'run N copies of each test at once; may be repeated' ],
        [ 'quick',          undef,    'a first look: half a minute for each copy count' ],
        [ 'classic',        undef,    q(UnixBench's schedule: 22 minutes a copy count) ],
        [ 'i|iterations N', 'count',  q(UnixBench's schedule, with N passes of a long test) ],
        [ 'scaling',        undef,    '1, 2, 4 ... copies, up to twice the CPUs: speed-up' ],
        [ 'again N',        'runs',   'measure N times, as one set of runs' ],
        [ 'every TIME',     'every',  'with --again: begin a run every TIME, such as 1h' ],
        [ 'dry-run',        undef,    'show what would run and for how long; run nothing' ],
        [ 'resume RUN',     'run',    'continue a run that was stopped or killed' ],
    ],
    [
        'How exactly',
        [ 'precision P%', 'percent', 'add passes until all intervals are within P %' ],
        [ 'budget TIME',  'time',    'time for the whole run, such as 90s, 10m or 2h' ],
        [ 'pin WHERE',    'pin',     'CPUs to use: none, spread, pack, or a list (0,2-3)' ],
        [ 'seed N',       'seed',    'seed of the random order of the tests' ],
        [ 'strict',       undef,     'exit 1 if a warning says that a score is not valid' ],
        [ 'price AMOUNT', 'prices',  'the price of the machine: show the index per USD' ],
    ],
    [
        'Compare',
        [ 'compare RUN RUN ...',  undef,     'compare stored runs with the first' ],
        [ 'baseline RUN',         'run',     'use a stored run as the reference (index 10)' ],
        [ 'build NAME=FLAGS',     'builds',  'build with these flags and measure; may be repeated' ],
        [ 'duet DIR DIR',         undef,     'measure two builds by turns and compare them' ],
        [ 'duet-at-once DIR DIR', undef,     'the same on two CPUs at the same time' ],
        [ 'fail-on P%',           'percent', 'allow tests to be up to P % slower' ],
        [ 'self-compare',         undef,     'measure how small a difference can be detected here' ],
    ],
    [
        'Reports',
        [ 'report RUN',  'run',    'print the report of a stored run, by name or path' ],
        [ 'format FORM', 'format', \&_formats ],
        [ 'browse',      undef,    'make a page of all stored runs, results/index.html' ],
        [ 'b|brief',     undef,    'leave the details of the CPUs out of the report' ],
        [ 'q|quiet',     undef,    'show only errors on the terminal' ],
        [ 'v|verbose',   undef,    'show each command that is run' ],
    ],
    [
        'Many machines: on each of them',
        [ 'once CAMPAIGN',  'campaign', 'measure this host for a campaign, once' ],
        [ 'run N',          'nth',      'its Nth run for the campaign; default 1' ],
        [ 'as HOST',        'host',     'the name of this host in the campaign' ],
        [ 'label K=V',      'labels',   'a label of this host, such as rack=b4' ],
        [ 'detach',         undef,      'return as soon as the measurement has begun' ],
        [ 'wait CAMPAIGN',  'campaign', 'wait until it has ended, and say how' ],
        [ 'state CAMPAIGN', 'campaign', 'how far it is, as a line of JSON' ],
        [ 'give CAMPAIGN',  'campaign', 'SHA-256, size and path of its record' ],
        [ 'whole',          undef,      'with --give: the record itself, in lines for a log' ],
    ],
    [
        'Many machines: where all comes together',
        [ 'plan FILE',            'file',    'make a campaign of these hosts, or read it' ],
        [ 'campaign DIR',         'place',   'the directory of the campaign' ],
        [ 'turn HOST',            'host',    'wait until this host may measure' ],
        [ 'mark HOST=WHAT',       'marks',   'note what became of a host; may be repeated' ],
        [ 'collect FROM ...',     undef,     'take records into the campaign, each once' ],
        [ 'fleet DIR [DIR]',      undef,     'judge the hosts of a campaign, or two in turn' ],
        [ 'group-by LABEL',       'texts',   'judge hosts with different values apart' ],
        [ 'smallest P%',          'percent', 'differences below P % are of no interest' ],
        [ 'allow-missing P%',     'percent', 'exit 0 though P % of the hosts are missing' ],
        [ 'control LABEL=V',      'control', 'hosts without the change, in both campaigns' ],
        [ 'wave K/N',             'wave',    'this is wave K of N of a roll-out' ],
        [ 'confirm DIR',          'place',   'plan new runs of suspects and controls' ],
        [ 'like FILE-OR-DIR RUN', undef,     'where a run stands among others of its kind' ],
    ],
    [
        'This command',
        [ 'list [NAME ...]',  undef,   'show tests and groups, or those that are named' ],
        [ 'json',             undef,   'with --list: as JSON' ],
        [ 'h|help',           undef,   'show this' ],
        [ 'man',              undef,   'show the manual' ],
        [ 'completion SHELL', 'shell', 'print the completion script for bash or zsh' ],
        [ 'V|version',        undef,   'show the version' ],
    ],
);

# Suites add rows, kinds of values, and verbs, in the order of the suites' names.
my $PACKAGES    = Touchstone::Suite::packages('Options');
my %OF_SUITE    = map { $_ => $PACKAGES->{$_}->can('options')->() } keys %$PACKAGES;
my @SUITE_VERBS = map { @{ $OF_SUITE{$_}{verbs} || [] } } sort keys %OF_SUITE;
my $VALUE =
    Touchstone::Cli::Options::Values::with(map { $OF_SUITE{$_}{values} || {} } sort keys %OF_SUITE);
my @OPTIONS = (map({ _rows(@$_) } @TABLE), map { _rows_of_suite($_) } sort keys %OF_SUITE);

# How these options go together.
my $TOGETHER = Touchstone::Cli::Options::Together->new(
    suite_verbs => \@SUITE_VERBS,
    suite_words => [ map { $_->{name} } grep { $_->{suite} } @OPTIONS ]
);

sub _formats {
    return
        join(', ', @Touchstone::Cli::Options::Values::COMPARISONS) . '; of --report also table, log, summary';
}

# Rows as options: { heading, name, short, value, kind, help }.
sub _rows {
    my ($heading, @rows) = @_;
    return map {
        my ($spelling, $kind, $help)  = @$_;
        my ($short,    $name, $value) = $spelling =~ /\A(?:(.)\|)?([\w-]+)(?: (.*))?\z/;
        +{
            heading => $heading,
            name    => $name,
            short   => $short,
            value   => $value,
            kind    => $kind,
            help    => ref $help ? $help->() : $help
        };
    } @rows;
}

sub _rows_of_suite {
    my ($suite) = @_;
    my %added   = %{ $OF_SUITE{$suite} };
    my @rows    = (@{ $added{table} || [] }, map { @{ $_->{table} } } @{ $added{verbs} || [] });
    return map { +{ %$_, suite => $suite } } _rows("Only for the suite $suite", @rows);
}

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
    _ask_for_help(\%want);
    _check_values(\%want);
    $TOGETHER->check(\%want);
    _check_words(\%want);
    _convert(\%want);
    return \%want;
}

# Numbers become numbers, percentages parts, and times seconds.
sub _convert {
    my ($want) = @_;
    for my $option (grep { $_->{kind} } @OPTIONS) {
        my ($name, $as) = ($option->{name}, $VALUE->{ $option->{kind} }{as});
        $want->{$name} = $as->($want->{$name}) if $as && defined $want->{$name};
    }
    $want->{duet} = 1 if $want->{'duet-at-once'};
    return;
}

# Either of UnixBench's pair may be given: the last one counts.
my %INSTEAD = (quiet => 'verbose', verbose => 'quiet');

sub _specifications {
    my ($want) = @_;
    my @specifications;
    for my $option (@OPTIONS) {
        my $name  = $option->{name};
        my $spec  = defined $option->{short} ? "$name|$option->{short}" : $name;
        my $value = $option->{kind} && $VALUE->{ $option->{kind} };
        push @specifications,
              $INSTEAD{$name} ? ($spec => sub { $want->{$name} = 1; delete $want->{ $INSTEAD{$name} } })
            : !$value         ? ($spec => \$want->{$name})
            : $value->{many}  ? ("$spec=s" => $want->{$name} = [])
            :                   ("$spec=s" => \$want->{$name});
    }
    push @specifications, '<>' => sub { push @{ $want->{tests} }, "$_[0]" };
    return @specifications;
}

sub _in_our_words {
    my ($message) = @_;
    my ($of, $name) = $message =~ /^(Unknown option:|Option) (\S+)/ or return $message;
    return _unknown($name)                      if $of ne 'Option';
    return _dashed($name) . " takes no value\n" if $message =~ /does not take an argument/;
    my ($option) = grep { $_->{name} eq $name || ($_->{short} // '') eq $name } @OPTIONS;
    return _dashed($name) . " needs a value: $VALUE->{ $option->{kind} }{allowed}\n";
}

sub _dashed { return (length $_[0] > 1 ? '--' : '-') . $_[0] }

sub _unknown {
    my ($word) = @_;
    my $known = $word =~ s/=.*//sr;
    my $hint =
        length $known > 1 ? did_you_mean($known, [ map { $_->{name} } @OPTIONS ], sub { "--$_[0]" }) : '';
    return "unknown option '" . _dashed($word) . "'\n$hint--help shows all options\n";
}

# "help" is --help, and "help pipe" is "--list pipe", as in other commands that have such words.
sub _ask_for_help {
    my ($want) = @_;
    my ($first, @others) = @{ $want->{tests} };
    return if ($first // '') ne 'help' || _is_measured('help');
    my $listed = @others && !grep { !_is_measured($_) } @others;
    $want->{ $listed ? 'list' : 'help' } = 1;
    $want->{tests} = $listed ? \@others : [];
    return;
}

sub _is_measured {
    my ($word) = @_;
    my $suite = Touchstone::Suite::load();
    return $suite->groups->{$word} || grep { $_->{name} eq $word } $suite->tests;
}

sub _check_values {
    my ($want) = @_;
    for my $option (grep { $_->{kind} } @OPTIONS) {
        my ($name, $rule) = ($option->{name}, $VALUE->{ $option->{kind} });
        for my $value (ref $want->{$name} ? @{ $want->{$name} } : $want->{$name} // ()) {
            next if $rule->{is}->($value);
            my $hint = defined $rule->{hint} ? "$rule->{hint}\n" : '';
            die _dashed($option->{short} // $name) . " needs $rule->{allowed}, not '$value'\n$hint";
        }
    }
    return;
}

# A name of an option without its dashes, such as compare, is no test.
sub _check_words {
    my ($want) = @_;
    return if grep { defined $want->{$_} } qw(compare duet duet-at-once list);
    my %option = map { $_->{name} => 1 } @OPTIONS;
    for my $word (@{ $want->{tests} }) {
        die "unknown test '$word'\ndid you mean --$word? --help shows all options\n"
            if $option{$word} && !_is_measured($word);
    }
    return;
}

# Options as they are shown and completed: { heading, suite, name, short, value, kind, many, help, words,
# keys }, the last two as Values has them.
sub described {
    return map {
        my $value = $_->{kind} ? $VALUE->{ $_->{kind} } : {};
        +{
            %$_,
            many  => $value->{many} ? 1 : 0,
            words => $value->{words} || [],
            keys  => $value->{keys}  || []
        };
    } @OPTIONS;
}

# The verb of a suite among these words, as Suite explains it, or nothing.
sub suite_verb {
    my ($want) = @_;
    my ($verb) = grep { defined $want->{ $_->{name} } } @SUITE_VERBS;
    return $verb;
}

# What Together knows of these options.
sub together { return $TOGETHER }

# Long and short names, for the tests that compare documents with this table.
sub names {
    return map { [ $_->{short} // (), $_->{name} ] } @OPTIONS;
}

1;
