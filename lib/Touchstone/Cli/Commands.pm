# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Commands - the commands: what each does, its operands, and the module that does it. One table is the
# home of those of the engine; suites and packs add theirs. A line without a command measures.
package Touchstone::Cli::Commands;
use 5.014;
use strict;
use warnings;

use Touchstone;
use Touchstone::Base::Text qw(did_you_mean list_with);
use Touchstone::Cli::Output;
use Touchstone::Report::Forms;
use Touchstone::Suite;

# A row is the command with its operands, its help, and by name:
#
#   module   => 'Cli::List',      its sub run(want, at) executes the command, or
#   answer   => sub,              it returns the output, from the request and the directories
#   measures => 1,                it takes the options of measuring, without these:
#   without  => 'price',
#   judges   => 1,                it compares runs without --baseline
#   takes    => ['copies'],       it takes these options, whose rows name other commands
#   formats  => [...],            it takes --format with these values, or a sub that returns them
#   output   => 'a report',       what --format applies to, for messages
#   hint     => 'a text'          which other command takes several operands
#
# The number of operands follows from the pattern: [X] is optional, and "..." allows more. Operands of the
# kind TEST name tests and groups.
my %MEASURES    = (module  => 'Cli::Measure', measures => 1);
my @COMPARISONS = (formats => [ Touchstone::Report::Forms::names('comparison') ], output => 'a comparison');
my $MEASURE     = { name => 'measure', pattern => '[TEST ...]', %MEASURES, @COMPARISONS };

#<<< a row is a line
my @TABLE = (
    [ 'list [NAME ...]',          'show tests and groups',         module => 'Cli::List' ],
    [ 'report RUN',               'print a report of a stored run', module => 'Cli::Report',
        formats => [ Touchstone::Report::Forms::names('run') ], output => 'a report',
        hint    => 'compare takes several runs' ],
    [ 'compare RUN RUN ...',      'compare stored runs with the first',
        module => 'Cli::Compare', judges => 1, @COMPARISONS ],
    [ 'duet DIR DIR [TEST ...]',  'interleave two builds, and compare them', %MEASURES, @COMPARISONS,
        judges  => 1 ],
    [ 'resume RUN',               'continue a run that was stopped or killed', module => 'Cli::Measure' ],
    [ 'self-compare [TEST ...]',  'measure how small a difference can be detected here', %MEASURES,
        without => 'precision budget fail-on price classic iterations' ],
    [ 'help [WORD ...]',          'explain a command or a test',   module => 'Cli::Help' ],
    [ 'manual',                   'show the manual',               module => 'Cli::Manual' ],
    [ 'completion SHELL',         'print the completion script for bash or zsh',
        module => 'Cli::Completion' ],
    [ 'version',                  'show the version',
        answer => sub { "Touchstone $Touchstone::VERSION\n" } ],
);
#>>>

# The kind of value of each operand, a key of Options::Values; suites and packs add theirs.
my %KIND = (RUN => 'run', DIR => 'place', SHELL => 'shell', FILE => 'file');

# Commands of suites and packs stand before the last four, which are about the program itself.
my $ABOUT = 4;

# { commands => [...], command => { by name }, family => { fleet => 'its help' }, kind => { operand => kind }
# }
sub _all {
    state $all = do {
        my $packages = Touchstone::Suite::packages('Options');
        my @added    = map { $packages->{$_}->can('options')->() } sort keys %$packages;
        my @rows     = @TABLE;
        splice @rows, -$ABOUT, 0, map { @{ $_->{commands} || [] } } @added;
        my @commands = map { _command(@$_) } @rows;
        +{
            commands => \@commands,
            command  => { map { $_->{name} => $_ } $MEASURE, @commands },
            family   => { map { %{ $_->{family} || {} } } @added },
            kind     => { %KIND, map { %{ $_->{operands} || {} } } @added }
        };
    };
    return $all;
}

sub _command {
    my ($spelling, $help, %more) = @_;
    my ($name, $pattern) = $spelling =~ /\A([a-z][a-z -]*?)(?: (?=[A-Z\[])(.*))?\z/;
    $more{formats} = [ $more{formats}->() ] if ref $more{formats} eq 'CODE';
    return { name => $name, pattern => $pattern // '', help => $help, %more };
}

# All commands in the order of the table, without that of measuring; and the one of a name.
sub all   { return @{ _all()->{commands} } }
sub named { my ($name) = @_; return _all()->{command}{$name} }

# Help of a word that begins several commands, such as fleet, or nothing; and all such words.
sub family   { my ($word) = @_; return _all()->{family}{ $word // '' } }
sub families { return sort keys %{ _all()->{family} } }

# Commands of a family, such as "fleet plan".
sub of_family {
    my ($word) = @_;
    return grep { $_->{name} =~ /\A\Q$word\E / } all();
}

# The command of these arguments, and the arguments that follow it. Dies with a message.
sub take {
    my ($first, @rest) = @_;
    return ($MEASURE,      $first // (), @rest) if !defined $first || !family($first) && !named($first);
    return (named($first), @rest) if named($first) && $first ne $MEASURE->{name};
    return ($MEASURE,      $first, @rest) if $first eq $MEASURE->{name};
    return (named('help'), $first) if grep { /\A(?:-h|--help)\z/ } $rest[0] // '';
    my $command = defined $rest[0] ? named("$first $rest[0]") : undef;
    return ($command, @rest[ 1 .. $#rest ]) if $command;
    my @names = map { $_->{name} =~ s/\A\Q$first\E //r } of_family($first);
    my $hint  = defined $rest[0] ? near($rest[0], \@names, sub { "$first $_[0]" }) : '';
    die defined $rest[0] ? "unknown command '$first $rest[0]'\n" : "$first needs a command\n",
        $hint || 'commands: ' . join(', ', @names) . "\n", try("help $first");
}

# The operands of a pattern: [ { name => 'RUN', optional => 0, many => 1 } ]
sub operands {
    my ($command) = @_;
    my @operands;
    while ($command->{pattern} =~ /(\[)?([A-Z][A-Z=-]*)( \.\.\.)?\]?/g) {
        push @operands, { name => $2, optional => $1 ? 1 : 0, many => $3 ? 1 : 0 };
    }
    return @operands;
}

# The kind of the value of the operand with this number, from 0: a key of Values, or nothing.
sub operand_kind {
    my ($command, $number) = @_;
    my @operands = operands($command);
    my $operand  = $operands[$number] // (@operands && $operands[-1]{many} ? $operands[-1] : undef) // return;
    return _all()->{kind}{ $operand->{name} };
}

# Splits operands into those of the command and the names of tests. Dies when the number is wrong.
sub check_operands {
    my ($command, @words) = @_;
    my @operands = operands($command);
    my $tests    = @operands && $operands[-1]{name} eq 'TEST' ? pop @operands : undef;
    my $least    = grep { !$_->{optional} } @operands;
    die "$command->{name} needs ", $least > 1 ? "at least $least operands: " : '', "$command->{pattern}\n",
        try("help $command->{name}")
        if @words < $least;
    my $most = $tests || (grep { $_->{many} } @operands) ? undef : scalar @operands;
    if (defined $most && @words > $most) {
        my $takes = $most ? "takes $command->{pattern} only" : 'takes no operands';
        die "$command->{name} $takes: '$words[$most]' is one too many\n",
            $command->{hint} ? "$command->{hint}\n" : try("help $command->{name}");
    }
    return (\@words,                                []) if !$tests;
    return ([ splice @words, 0, scalar @operands ], \@words);
}

# Returns "did you mean 'a' or 'b'?" as a line of a message, or an empty text.
sub near { return did_you_mean(@_) =~ s/ \z/\n/r }

# Returns "try: ./Run help compare" as a line of a message.
sub try { my ($words) = @_; return 'try: ' . Touchstone::Cli::Output::command_line() . " $words\n" }

1;
