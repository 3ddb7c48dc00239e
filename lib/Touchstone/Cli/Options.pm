# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options - the words of the command line to what is wanted. One table is the home of every option of the
# engine; suites and packs add theirs. --help, the completion of shells and the manual have its headings and
# spellings, and Rules what goes with what.
package Touchstone::Cli::Options;
use 5.014;
use strict;
use warnings;

use Getopt::Long ();

use Touchstone;
use Touchstone::Base::Text qw(did_you_mean);
use Touchstone::Cli::Options::Rules;
use Touchstone::Cli::Options::Values;
use Touchstone::Suite;

# A heading has rows: the spelling with what stands for its value, the kind of the value (a key of Values), or
# nothing for a switch, and what --help says, or a sub that returns it. Common options come first. A row may
# have, by name:
#
#   for    => 'list',       the commands that take it; without it, every command that measures
#   also   => 'report',     others that take it, too
#   needs  => 'again',      it works with one of these only
#   not    => 'classic',    it cannot be combined with these,
#   why    => 'a reason',   for this reason
#   verb   => { ... }       it does something else than measure the tests that are named
#
# A verb, which is a command, has
#
#   module   => 'Cli::List',      whose sub run(words, at) does it, or
#   answer   => sub,              which returns the answer, from the words and the places
#   exclusive => 1,               it wins over every other word
#   measures => 1,                it takes the options of measuring, without these:
#   without  => 'price',
#   with     => ['format'],       it takes options of others
#   formats  => [...],            of --format, or a sub that returns them; without it those of a comparison
#   called   => 'a report',       as a message about its format calls it
#   operands => 'run',            what its words are: test, run, directory or listed (a test or a group)
#   least    => [2, 'a text'],    how many it needs
#   takes    => 'one run',        what it takes in the place of words, as a message calls it
#   hint     => 'a text'          which other command takes several
my $SCHEDULES = 'quick classic iterations';
my @DEFAULT   = (not => $SCHEDULES, why => 'works with the default schedule only');
my $VALUE     = 'no words but its value';
my %MEASURES  = (module => 'Cli::Measure', measures => 1);
my %DUET      = (
    %MEASURES,
    operands => 'directory',
    least    => [ 2, 'two directories of programs or names of builds, such as --%s pgms o2' ]
);
my %RESUME  = (module => 'Cli::Measure', takes => 'one run');
my %COMPARE = (
    module   => 'Cli::Compare',
    operands => 'run',
    least    => [ 2, 'two runs or more, such as --%s A B' ]
);
my %REPORT = (
    module  => 'Cli::Report',
    takes   => 'one run',
    hint    => '--compare takes several runs',
    formats => \@Touchstone::Cli::Options::Values::FORMATS,
    called  => 'a report'
);
my $COMPARES = 'compare build duet duet-at-once';
my $JUDGES   = 'baseline compare duet duet-at-once';

#<<< a row is a line
my @TABLE = (
    [
        'Measure',
        [ 'c|copies N',     'counts', 'run N copies of each test at once; may be repeated' ],
        [ 'quick',          undef,    'a first look: half a minute for each copy count',
            not => 'classic iterations', why => 'is a schedule of its own' ],
        [ 'classic',        undef,    q(UnixBench's schedule: 22 minutes a copy count) ],
        [ 'i|iterations N', 'count',  q(UnixBench's schedule, with N passes of a long test) ],
        [ 'scaling',        undef,    '1, 2, 4 ... copies, up to twice the CPUs: speed-up',
            also => 'report' ],
        [ 'again N',        'runs',   'measure N times, as one set of runs', for => 'measure' ],
        [ 'every TIME',     'every',  'with --again: begin a run every TIME, such as 1h',
            for => 'measure', needs => 'again' ],
        [ 'dry-run',        undef,    'show what would run and for how long; run nothing' ],
        [ 'resume RUN',     'run',    'continue a run that was stopped or killed', verb => \%RESUME ],
    ],
    [
        'How exactly',
        [ 'precision P%', 'percent', 'add passes until all intervals are within P %', @DEFAULT ],
        [ 'budget TIME',  'time',    'time for the whole run, such as 90s, 10m or 2h', @DEFAULT ],
        [ 'pin WHERE',    'pin',     'CPUs to use: none, spread, pack, or a list (0,2-3)' ],
        [ 'seed N',       'seed',    'seed of the random order of the tests' ],
        [ 'strict',       undef,     'exit 1 if a warning says that a score is not valid',
            also => 'resume' ],
        [ 'price AMOUNT', 'prices',  'the price of the machine: show the index per USD',
            also => 'report compare' ],
    ],
    [
        'Compare',
        [ 'compare RUN RUN ...',  undef,     'compare stored runs with the first', verb => \%COMPARE ],
        [ 'baseline RUN',         'run',     'use a stored run as the reference (index 10)',
            also => 'report' ],
        [ 'build NAME=FLAGS',     'builds',  'build with these flags and measure; may be repeated',
            verb => \%MEASURES ],
        [ 'duet DIR DIR',         undef,     'measure two builds by turns and compare them',
            verb => { %DUET, without => 'precision' } ],
        [ 'duet-at-once DIR DIR', undef,     'the same on two CPUs at the same time', verb => \%DUET ],
        [ 'fail-on P%',           'percent', 'allow tests to be up to P % slower',
            also => 'compare', needs => $JUDGES ],
        [ 'self-compare',         undef,     'measure how small a difference can be detected here',
            verb => { %MEASURES, without => 'precision budget fail-on price classic iterations' } ],
    ],
    [
        'Reports',
        [ 'report RUN',  'run',    'print the report of a stored run, by name or path',
            verb => \%REPORT ],
        [ 'format FORM', 'format', \&_formats, for => "report $COMPARES" ],
        [ 'b|brief',     undef,    'leave the details of the CPUs out of the report', also => 'resume' ],
        [ 'q|quiet',     undef,    'show only errors on the terminal', also => 'resume' ],
        [ 'v|verbose',   undef,    'show each command that is run', also => 'resume' ],
    ],
    [
        'This command',
        [ 'list [NAME ...]',  undef,   'show tests and groups, or those that are named',
            verb => { module => 'Cli::List', operands => 'listed' } ],
        [ 'json',             undef,   'with --list: as JSON', for => 'list' ],
        [ 'h|help',           undef,   'show this', verb => { module => 'Cli::Help', exclusive => 1 } ],
        [ 'man',              undef,   'show the manual',
            verb => { module => 'Cli::Manual', exclusive => 1 } ],
        [ 'completion SHELL', 'shell', 'print the completion script for bash or zsh',
            verb => { module => 'Cli::Completion', takes => $VALUE } ],
        [ 'V|version',        undef,   'show the version',
            verb => { answer => sub { "Touchstone $Touchstone::VERSION\n" }, exclusive => 1 } ],
    ],
);
#>>>

# What suites and packs add, by their names.
sub added {
    state $added = do {
        my $packages = Touchstone::Suite::packages('Options');
        +{ map { $_ => $packages->{$_}->can('options')->() } keys %$packages };
    };
    return $added;
}

# The rows of packs stand below headings of the engine, or below their own, which come before the last one;
# those of suites are the last.
sub _all {
    state $all = do {
        my $added    = added();
        my @headings = map { [@$_] } @TABLE;
        for my $name (sort keys %$added) {
            my @own =
                $added->{$name}{table} ? [ "Only for the suite $name", @{ $added->{$name}{table} } ] : ();
            for my $heading (@own, @{ $added->{$name}{headings} || [] }) {
                my ($title, @rows) = @$heading;
                my ($there) = grep { $_->[0] eq $title } @headings;
                if    ($there)                 { push @$there,   @rows }
                elsif ($title =~ /\AOnly for/) { push @headings, [@$heading] }
                else  { splice @headings, _last_of_engine(@headings), 0, [@$heading] }
            }
        }
        my @options = map { _rows(@$_) } @headings;
        for my $verb (grep { ref $_->{formats} eq 'CODE' } map { $_->{verb} || () } @options) {
            $verb->{formats} = [ $verb->{formats}->() ];
        }
        +{
            options => \@options,
            values  => Touchstone::Cli::Options::Values::with(
                [ map { @{ $_->{verb}{formats} || [] } } grep { $_->{verb} } @options ],
                map { $_->{values} || {} } values %$added
            ),
            rules => Touchstone::Cli::Options::Rules->new(@options)
        };
    };
    return $all;
}

sub _last_of_engine {
    my (@headings) = @_;
    return (grep { $headings[$_][0] eq $TABLE[-1][0] } 0 .. $#headings)[0];
}

sub _options { return @{ _all()->{options} } }
sub _value   { my ($option) = @_; return $option->{kind} ? _all()->{values}{ $option->{kind} } : {} }

sub _formats {
    return
        join(', ', @Touchstone::Cli::Options::Values::COMPARISONS) . '; of --report also table, log, summary';
}

# Rows as options: { heading, name, short, value, kind, help }, and what else the row has.
sub _rows {
    my ($heading, @rows) = @_;
    return map {
        my ($spelling, $kind, $help, %more) = @$_;
        my ($short, $name, $value) = $spelling =~ /\A(?:(.)\|)?([\w-]+)(?: (.*))?\z/;
        +{
            heading => $heading,
            name    => $name,
            short   => $short,
            value   => $value,
            kind    => $kind,
            help    => ref $help ? $help->() : $help,
            %more
        };
    } @rows;
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
    _all()->{rules}->check(\%want);
    _check_words(\%want);
    _convert(\%want);
    return \%want;
}

# Numbers become numbers, percentages parts, and times seconds.
sub _convert {
    my ($options) = @_;
    for my $option (grep { $_->{kind} } _options()) {
        my ($name, $as) = ($option->{name}, _value($option)->{as});
        $options->{$name} = $as->($options->{$name}) if $as && defined $options->{$name};
    }
    $options->{duet} = 1 if $options->{'duet-at-once'};
    return;
}

# Either of UnixBench's pair may be given: the last one counts.
my %INSTEAD = (quiet => 'verbose', verbose => 'quiet');

sub _specifications {
    my ($options) = @_;
    my @specifications;
    for my $option (_options()) {
        my $name  = $option->{name};
        my $spec  = defined $option->{short} ? "$name|$option->{short}" : $name;
        my $value = _value($option);
        push @specifications,
              $INSTEAD{$name} ? ($spec => sub { $options->{$name} = 1; delete $options->{ $INSTEAD{$name} } })
            : !$option->{kind} ? ($spec => \$options->{$name})
            : $value->{many}   ? ("$spec=s" => $options->{$name} = [])
            :                    ("$spec=s" => \$options->{$name});
    }
    push @specifications, '<>' => sub { push @{ $options->{tests} }, "$_[0]" };
    return @specifications;
}

sub _in_our_words {
    my ($message) = @_;
    my ($kind, $name) = $message =~ /^(Unknown option:|Option) (\S+)/ or return $message;
    return _unknown($name)                      if $kind ne 'Option';
    return _dashed($name) . " takes no value\n" if $message =~ /does not take an argument/;
    my ($option) = grep { $_->{name} eq $name || ($_->{short} // '') eq $name } _options();
    return _dashed($name) . " needs a value: @{[ _value($option)->{allowed} ]}\n";
}

sub _dashed { return (length $_[0] > 1 ? '--' : '-') . $_[0] }

sub _unknown {
    my ($word) = @_;
    my $name = $word =~ s/=.*//sr;
    my $hint =
        length $name > 1 ? did_you_mean($name, [ map { $_->{name} } _options() ], sub { "--$_[0]" }) : '';
    return "unknown option '" . _dashed($word) . "'\n$hint--help shows all options\n";
}

# "help" is --help, and "help pipe" is "--list pipe", as in other commands that have such words.
sub _ask_for_help {
    my ($options) = @_;
    my ($first, @others) = @{ $options->{tests} };
    return if ($first // '') ne 'help' || _is_measured('help');
    my $listed = @others && !grep { !_is_measured($_) } @others;
    $options->{ $listed ? 'list' : 'help' } = 1;
    $options->{tests} = $listed ? \@others : [];
    return;
}

sub _is_measured {
    my ($word) = @_;
    my $suite = Touchstone::Suite::load();
    return $suite->groups->{$word} || grep { $_->{name} eq $word } $suite->tests;
}

sub _check_values {
    my ($options) = @_;
    for my $option (grep { $_->{kind} } _options()) {
        my ($name, $rule) = ($option->{name}, _value($option));
        for my $value (ref $options->{$name} ? @{ $options->{$name} } : $options->{$name} // ()) {
            next if $rule->{is}->($value);
            my $hint = defined $rule->{hint} ? "$rule->{hint}\n" : '';
            die _dashed($option->{short} // $name) . " needs $rule->{allowed}, not '$value'\n$hint";
        }
    }
    return;
}

# A name of an option without its dashes, such as compare, is no test.
sub _check_words {
    my ($options) = @_;
    return if _all()->{rules}->verb($options)->{operands};
    my %option = map { $_->{name} => 1 } _options();
    for my $word (@{ $options->{tests} }) {
        die "unknown test '$word'\ndid you mean --$word? --help shows all options\n"
            if $option{$word} && !_is_measured($word);
    }
    return;
}

# Options as they are shown and completed: { heading, name, short, value, kind, many, help, words, keys } and
# the columns of the table; words and keys as Values has them.
sub described {
    return map {
        my $value = _value($_);
        +{
            %$_,
            many => $value->{many} ? 1 : 0,
            map { $_ => ref $value->{$_} eq 'CODE' ? [ $value->{$_}->() ] : $value->{$_} || [] }
                qw(words keys)
        };
    } _options();
}

# Which options go together: an object of Rules.
sub rules { return _all()->{rules} }

# Long and short names, for the tests that compare documents with this table.
sub names {
    return map { [ $_->{short} // (), $_->{name} ] } _options();
}

1;
