# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options - parses the command line. One table is the home of every option of the engine; suites and
# packs add theirs. Help, completion and the manual take its headings and spellings.
package Touchstone::Cli::Options;
use 5.014;
use strict;
use warnings;

use Getopt::Long ();

use Touchstone::Base::Text qw(list_with);
use Touchstone::Cli::Commands;
use Touchstone::Cli::Options::Rules;
use Touchstone::Cli::Options::Values;
use Touchstone::Suite;

# A heading has rows: the spelling with what stands for its value, the kind of the value (a key of Values), or
# nothing for a switch, and its help. A row may have, by name:
#
#   for    => ['list'],         the commands that take it; without it, every command that measures
#   also   => ['report'],       others that take it, too
#   common => 1,                it is one of the few on the first screen of help
#   needs  => 'again',          it works with one of these options only
#   not    => 'classic',        it cannot be combined with these,
#   why    => 'a reason'        for this reason
my $SCHEDULES = 'quick classic iterations';
my @DEFAULT   = (not => $SCHEDULES, why => 'works with the default schedule only');

#<<< a row is a line
my @TABLE = (
    [
        'What to measure',
        [ 'c|copies N',     'counts', 'run N copies of each test; may be repeated', common => 1 ],
        [ 'quick',          undef,    'a first look: half a minute per copy count', common => 1,
            not => 'classic iterations', why => 'is a schedule of its own' ],
        [ 'classic',        undef,    q(UnixBench's schedule: 22 minutes per copy count) ],
        [ 'i|iterations N', 'count',  q(UnixBench's schedule, with N passes of a long test), common => 1 ],
        [ 'scaling',        undef,    'show the speed-up with 1, 2, 4 ... copies',
            common => 1, also => ['report'] ],
        [ 'again N',        'runs',   'measure N times, as one set of runs',
            for => ['measure'], common => 1 ],
        [ 'every TIME',     'every',  'with --again: begin a run every TIME, such as 1h',
            for => ['measure'], needs => 'again' ],
        [ 'dry-run',        undef,    'show what would run and for how long; run nothing', common => 1 ],
    ],
    [
        'How to measure',
        [ 'precision P%', 'percent', 'add passes until all intervals are within P %', @DEFAULT ],
        [ 'budget TIME',  'time',    'time for the whole run, such as 90s, 10m or 2h', @DEFAULT ],
        [ 'pin WHERE',    'pin',     'CPUs to use: none, spread, pack, or a list (0,2-3)' ],
        [ 'seed N',       'seed',    'seed of the random order of the tests' ],
        [ 'strict',       undef,     'exit 1 if a warning says that a score is not valid', also => ['resume'] ],
        [ 'price AMOUNT', 'prices',  'the price of the machine: show the index per unit of price',
            also => [ 'report', 'compare' ] ],
    ],
    [
        'Compare',
        [ 'baseline RUN',     'run',     'use a stored run as the reference (index 10)',
            also => ['report'], common => 1 ],
        [ 'build NAME=FLAGS', 'builds',  'build with these flags and measure; may be repeated',
            for => ['measure'], common => 1,
            not => 'again every', why => 'compares builds within one run' ],
        [ 'concurrent',       undef,     'run both builds at the same time on two CPUs', for => ['duet'] ],
        [ 'fail-on P%',       'percent', 'allow tests to be up to P % slower',
            also => ['compare'], needs => 'baseline' ],
    ],
    [
        'Output',
        [ 'format FORM', 'format', 'the form of the output' ],
        [ 'b|brief',     undef,    'leave the details of the CPUs out of the report', also => ['resume'] ],
        [ 'q|quiet',     undef,    'show only errors on the terminal', also => ['resume'], common => 1 ],
        [ 'v|verbose',   undef,    'show each command that is run', also => ['resume'], common => 1 ],
        [ 'json',        undef,    'print JSON', for => ['list'] ],
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

# The rows of packs stand below headings of the engine or below their own; those of suites are the last.
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
                if   ($there) { push @$there,   @rows }
                else          { push @headings, [@$heading] }
            }
        }
        +{
            options => [ map { _rows(@$_) } @headings ],
            values  => Touchstone::Cli::Options::Values::with(map { $_->{values} || {} } values %$added),
        };
    };
    return $all;
}

sub _value { my ($option) = @_; return $option->{kind} ? _all()->{values}{ $option->{kind} } : {} }

# The options of a command.
sub _options {
    my ($command) = @_;
    return grep { is_taken($command, $_) } @{ _all()->{options} };
}

# True if the command takes this option, a row as `described` returns it.
sub is_taken {
    my ($command, $option) = @_;
    my $name = $command->{name};
    return $command->{formats} ? 1 : 0 if $option->{name} eq 'format';
    return 1 if grep { $_ eq $name } @{ $option->{for} || [] }, @{ $option->{also} || [] };
    return 1 if grep { $_ eq $option->{name} } @{ $command->{takes} || [] };
    return 0 if !$command->{measures} || $option->{for};
    return !grep { $_ eq $option->{name} } split ' ', $command->{without} // '';
}

# Rows as options: { heading, name, short, value, kind, help }, and the other columns of the row.
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
            help    => $help,
            %more
        };
    } @rows;
}

# Parses a command line: { command => 'report', operands => ['A'], tests => [names of tests and groups], and
# the options by their long names, such as quiet => 1, copies => [1, 4] }. Dies with a message.
sub parse {
    my (@words) = @_;
    my ($command, @arguments) = Touchstone::Cli::Commands::take(@words);
    my %want = (command => $command->{name});
    my (@trouble, @operands);
    {
        local $SIG{__WARN__} = sub { push @trouble, $_[0] };
        my $parser =
            Getopt::Long::Parser->new(config => [qw(bundling no_ignore_case permute no_auto_abbrev)]);
        local @ARGV = @arguments;
        $parser->getoptions(_specifications($command, \%want, \@operands));
        push @operands, @ARGV;
    }
    return _request_for_help($command, @operands)                if delete $want{help};
    return { command => 'version', operands => [], tests => [] } if delete $want{version};
    die _in_our_words($command, $trouble[0])                     if @trouble;
    _check_values($command, \%want);
    @want{qw(operands tests)} = Touchstone::Cli::Commands::check_operands($command, @operands);
    _check_operand_values($command, @{ $want{operands} });
    _check_tests($command, @{ $want{tests} });
    Touchstone::Cli::Options::Rules::check($command, \%want, @{ _all()->{options} });
    _convert($command, \%want);
    return \%want;
}

# "./Run compare -h" is "./Run help compare"; "./Run -h pipe" is "./Run help".
sub _request_for_help {
    my ($command) = @_;
    my @names     = $command->{name} eq 'measure' ? () : split ' ', $command->{name};
    return { command => 'help', operands => \@names, tests => [] };
}

# Numbers become numbers, percentages parts, and times seconds.
sub _convert {
    my ($command, $options) = @_;
    for my $option (grep { $_->{kind} } _options($command)) {
        my ($name, $as) = ($option->{name}, _value($option)->{as});
        $options->{$name} = $as->($options->{$name}) if $as && defined $options->{$name};
    }
    return;
}

# Either of UnixBench's pair may be given: the last one counts.
my %INSTEAD = (quiet => 'verbose', verbose => 'quiet');

sub _specifications {
    my ($command, $options, $operands) = @_;
    my @specifications = ('help|h' => \$options->{help});
    push @specifications, 'version|V' => \$options->{version} if $command->{name} eq 'measure';
    for my $option (_options($command)) {
        my $name  = $option->{name};
        my $spec  = defined $option->{short} ? "$name|$option->{short}" : $name;
        my $value = _value($option);
        push @specifications,
              $INSTEAD{$name} ? ($spec => sub { $options->{$name} = 1; delete $options->{ $INSTEAD{$name} } })
            : !$option->{kind} ? ($spec => \$options->{$name})
            : $value->{many}   ? ("$spec=s" => $options->{$name} = [])
            :                    ("$spec=s" => \$options->{$name});
    }
    push @specifications, '<>' => sub { push @$operands, "$_[0]" };
    return @specifications;
}

sub _in_our_words {
    my ($command, $message) = @_;
    my ($kind,    $name)    = $message =~ /^(Unknown option:|Option) (\S+)/ or return $message;
    return _unknown($command, $name)            if $kind ne 'Option';
    return _dashed($name) . " takes no value\n" if $message =~ /does not take an argument/;
    my ($option) = grep { $_->{name} eq $name || ($_->{short} // '') eq $name } _options($command);
    return _dashed($name) . " needs a value: @{[ _value($option)->{allowed} ]}\n";
}

sub _dashed { return (length $_[0] > 1 ? '--' : '-') . $_[0] }

# An option of other commands is named with them.
sub _unknown {
    my ($command, $word) = @_;
    my $name     = $word =~ s/=.*//sr;
    my $is_usual = $command->{name} eq 'measure';
    my $try      = Touchstone::Cli::Commands::try($is_usual ? 'help measure' : "help $command->{name}");
    my $shown    = "unknown option '" . _dashed($word) . "'" . ($is_usual ? '' : " of $command->{name}");
    my ($other)  = grep { $_->{name} eq $name || ($_->{short} // '') eq $name } @{ _all()->{options} };
    return "$shown\nit is an option of " . list_with('and', commands_of($other)) . "\n$try" if $other;
    my @names    = map { $_->{name} } _options($command);
    my $hint     = length $name > 1 ? Touchstone::Cli::Commands::near($name, \@names, sub { "--$_[0]" }) : '';
    my $is_named = Touchstone::Cli::Commands::named($name) || Touchstone::Cli::Commands::family($name);
    $hint = "$name is a command, which comes first and has no dashes\n" if $is_named;
    return "$shown\n$hint" . ($is_named ? Touchstone::Cli::Commands::try("help $name") : $try);
}

# Names of the commands that take an option, as messages show them.
sub commands_of {
    my ($option) = @_;
    my @names    = map { $_->{name} }
        grep { is_taken($_, $option) } Touchstone::Cli::Commands::all(),
        Touchstone::Cli::Commands::named('measure');
    return map { $_ eq 'measure' ? 'a line without a command' : $_ } @names;
}

# True for the name of a test or a group.
sub is_measured {
    my ($word) = @_;
    my $suite = Touchstone::Suite::load();
    return $suite->groups->{$word} || grep { $_->{name} eq $word } $suite->tests;
}

sub _measured_names {
    my $suite = Touchstone::Suite::load();
    return ((keys %{ $suite->groups }), map { $_->{name} } $suite->tests);
}

sub _check_values {
    my ($command, $options) = @_;
    for my $option (grep { $_->{kind} } _options($command)) {
        my $name = $option->{name};
        _check_value(_dashed($option->{short} // $name), _value($option), $_)
            for ref $options->{$name} ? @{ $options->{$name} } : $options->{$name} // ();
    }
    return;
}

sub _check_value {
    my ($name, $rule, $value) = @_;
    return if $rule->{is}->($value);
    die "$name needs $rule->{allowed}, not '$value'\n", defined $rule->{hint} ? "$rule->{hint}\n" : ();
}

sub _check_operand_values {
    my ($command, @operands) = @_;
    for my $i (0 .. $#operands) {
        my $kind = Touchstone::Cli::Commands::operand_kind($command, $i);
        _check_value($command->{name}, _all()->{values}{$kind}, $operands[$i]) if $kind;
    }
    return;
}

# A command that is not the first word is no name of a test, and neither is a mistyped one.
sub _check_tests {
    my ($command, @words) = @_;
    my %is_command =
        map { $_ => 1 } Touchstone::Cli::Commands::families(),
        map { $_->{name} } Touchstone::Cli::Commands::all();
    for my $word (grep { !is_measured($_) } @words) {
        die "unknown test '$word'\n$word is a command, which comes first\n",
            Touchstone::Cli::Commands::try("help $word")
            if $is_command{$word};
        my @known = (($command->{name} eq 'measure' ? keys %is_command : ()), _measured_names());
        my $near  = Touchstone::Cli::Commands::near($word, \@known,
            sub { $is_command{ $_[0] } ? "the command $_[0]" : "'$_[0]'" });
        die "unknown test '$word'\n$near", Touchstone::Cli::Commands::try('help')
            if $near =~ /\Adid you mean the command/;
    }
    return;
}

# Options of a command, or all of them, as they are shown and completed: { heading, name, short, value, kind,
# many, help, words, keys } and the columns of the table; words and keys as Values has them.
sub described {
    my ($command) = @_;
    return map { _described($command, $_) } $command ? _options($command) : @{ _all()->{options} };
}

# The forms of the output are those of the command.
sub _described {
    my ($command, $option) = @_;
    my $value = _value($option);
    my %lists =
        map { $_ => ref $value->{$_} eq 'CODE' ? [ $value->{$_}->() ] : $value->{$_} || [] } qw(words keys);
    my $help = $option->{help};
    if ($command && $option->{name} eq 'format') {
        $lists{words} = $command->{formats};
        $help = join ', ', @{ $lists{words} };
    }
    return { %$option, many => $value->{many} ? 1 : 0, help => $help, %lists };
}

# The values of one kind: see Values.
sub kind { my ($name) = @_; return _all()->{values}{$name} }

# Long and short names, for the tests that compare documents with this table.
sub names {
    return map { [ $_->{short} // (), $_->{name} ] } @{ _all()->{options} };
}

1;
