# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Help - the command help: a first screen, and the help of each command, as wide as the terminal.
#
#   usage: ./Run [options] [test or group ...]
#          ./Run COMMAND ...
#
#     ./Run --quick -c 1          a first number, in half a minute
#   ...
#   Options (./Run help measure shows all)
#     -c, --copies N         run N copies of each test concurrently
package Touchstone::Cli::Help;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Text;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Suite;
use Touchstone::Terminal;

# The arguments and their purpose. `A` and `B` are names of stored runs. An installed copy has no sources to
# build.
my $NEEDS_SOURCES = qr/--build/;
my @EXAMPLES      = (
    [ '--quick -c 1',                       'a first number, in half a minute' ],
    [ '',                                   'the index of this machine' ],
    [ 'compare A B',                        'is run B faster than run A?' ],
    [ '--build o2=-O2 --build o3=-O3 pipe', 'which flags are faster?' ],
);

my @STATUSES = (
    [ 0         => 'all tests were measured; comparison: not slower' ],
    [ 1         => 'a test failed or was skipped; comparison: slower' ],
    [ 2         => 'usage error, or an argument that cannot be read' ],
    [ 125       => 'comparison: inconclusive, or impossible' ],
    [ '128 + N' => 'stopped by signal N' ],
);

# These stand on the first screen; the help of measuring shows all.
my %IS_FIRST = map { $_ => 1 } 0, 1, 2, 125;

# Suites and packs add examples before the last one, and statuses, which are sorted by number.
sub _added {
    my ($what) = @_;
    my $added = Touchstone::Cli::Options::added();
    return map { @{ $added->{$_}{$what} || [] } } sort keys %$added;
}

sub examples { return (@EXAMPLES[ 0 .. $#EXAMPLES - 1 ], _added('examples'), $EXAMPLES[-1]) }

sub _statuses {
    return sort { $a->[0] =~ s/ .*//r <=> $b->[0] =~ s/ .*//r } @STATUSES, _added('statuses');
}

# The text has at most $MAX_COLUMNS columns, and $DEFAULT_COLUMNS if the output is not a terminal.
my ($MAX_COLUMNS, $DEFAULT_COLUMNS) = (100, 80);

# Widths of the columns of options and examples. If the description would get fewer than $MIN_DESCRIPTION
# columns, it moves to the next line.
my ($OPTION, $EXAMPLE, $MIN_DESCRIPTION) = (26, 44, 31);

# The options of a command have headings if there are more than this.
my $MAX_UNGROUPED = 8;

# Prints the help of a command, of a test or a group, or the first screen.
sub run {
    my ($options, %at) = @_;
    my @words = @{ $options->{operands} };
    if (@words && !_subject(@words)) {
        require Touchstone::Cli::List;
        return Touchstone::Cli::List::run({ %$options, command => 'list' }, %at)
            if !grep { !Touchstone::Cli::Options::is_measured($_) } @words;
        die { exit => 2, message => _unknown("@words") };
    }
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    return Touchstone::Cli::Output::say(
        text(
            $terminal->columns,
            Touchstone::Cli::Output::command_line(),
            { painted => sub { $terminal->painted(strong => $_[0]) }, manual => $at{manual} }, @words
        )
    );
}

sub _unknown {
    my ($word) = @_;
    my @names =
        (Touchstone::Cli::Commands::families(), map { $_->{name} } Touchstone::Cli::Commands::all());
    return
          "no help on '$word': it is neither a command nor a test\n"
        . Touchstone::Cli::Commands::near($word, \@names)
        . Touchstone::Cli::Commands::try('help');
}

# The command of these words, or a family of commands such as fleet.
sub _subject {
    my (@words) = @_;
    return Touchstone::Cli::Commands::named("@words")
        // (@words == 1 && Touchstone::Cli::Commands::family($words[0]) ? { family => $words[0] } : undef);
}

# The text, of at most this number of columns if it is known. `command` is the name that the user types;
# `words` name a command. `with` may have painted, a sub that makes a heading stand out, and manual, the file
# with the manual, which explains the commands.
sub text {
    my ($columns, $command, $with, @words) = @_;
    my $how = {
        manual  => $with->{manual},
        width   => min($columns // $DEFAULT_COLUMNS, $MAX_COLUMNS),
        command => $command,
        painted => $with->{painted} // sub { $_[0] }
    };
    my $subject = @words ? _subject(@words) : undef;
    my @lines =
         !$subject           ? _first_screen($how)
        : $subject->{family} ? _family($how, $subject->{family})
        :                      _command($how, $subject);
    return join '', map { "$_\n" } @lines;
}

sub _first_screen {
    my ($how)    = @_;
    my $command  = $how->{command};
    my $usual    = Touchstone::Suite::load()->default->{called};
    my %is_shown = map { $_ => 1 } Touchstone::Cli::Commands::families();
    my @measure  = Touchstone::Cli::Options::described(Touchstone::Cli::Commands::named('measure'));
    return (
        "usage: $command [options] [test or group ...]",
        "       $command COMMAND ...",
        '',
        (
            map {
                my ($words, $for) = @$_;
                _row($how, $EXAMPLE, "$command $words" =~ s/ \z//r, $for)
            } grep { $_->[0] !~ $NEEDS_SOURCES || $command =~ m{/} } examples()
        ),
        '',
        _wrapped(
            $how,
            (defined $usual ? 'Without names: ' . "$usual, with" : 'Tests must be named. Each is run with')
                . ' one copy and one per CPU.'
        ),
        '',
        _heading($how, "Options ($command help measure shows all)"),
        (map { _row($how, $OPTION, _spelled($_), $_->{help}) } grep { $_->{common} } @measure),
        '',
        _heading($how, "Commands ($command help COMMAND explains one)"),
        (
            map { _row($how, $OPTION, "    $_->[0]", $_->[1]) }
            map { _of_first_screen($_, \%is_shown) } Touchstone::Cli::Commands::all()
        ),
        '',
        _heading($how, 'Exit status'),
        map { _row($how, $OPTION, "    $_->[0]", $_->[1]) } _first_statuses()
    );
}

# A family has one row, in the place of its first command.
sub _of_first_screen {
    my ($command, $is_shown) = @_;
    my ($family) = split / /, $command->{name};
    my $help     = Touchstone::Cli::Commands::family($family)
        // return [ _usage($command) =~ s/ \[TEST \.\.\.\]//r, $command->{help} ];
    return delete $is_shown->{$family} ? [ "$family COMMAND", $help ] : ();
}

sub _family {
    my ($how, $family) = @_;
    my @commands = Touchstone::Cli::Commands::of_family($family);
    return (
        "usage: $how->{command} $family COMMAND ...",
        '',
        (map { _row($how, $OPTION + 6, _usage($_), $_->{help}) } @commands),
        '',
        _wrapped($how, "$how->{command} help $commands[0]{name} explains that command, with its options.")
    );
}

sub _command {
    my ($how, $command) = @_;
    my @options = Touchstone::Cli::Options::described($command);
    my $usage   = $command->{name} eq 'measure' ? '[test or group ...]' : _usage($command);
    my @lines   = (
        _wrapped(
            $how, "usage: $how->{command} " . (@options ? $usage =~ s/(?= \[TEST|\z)/ [options]/r : $usage)
        ),
        '',
        Touchstone::Base::Text::wrapped(_explained($how, $command), width => $how->{width})
    );
    my $is_short = @options <= $MAX_UNGROUPED;
    my $heading  = '';
    for my $option (@options) {
        my $next = $is_short ? 'Options' : $option->{heading};
        push @lines, '', _heading($how, $heading = $next) if $next ne $heading;
        push @lines, _row($how, $OPTION, _spelled($option), $option->{help});
    }
    my @statuses =
          $command->{name} eq 'measure' ? _statuses()
        : $command->{judges}            ? _statuses_of_comparisons()
        :                                 ();
    return @lines if !@statuses;
    return (
        @lines, '',
        _heading($how, 'Exit status'),
        map { _row($how, $OPTION, "    $_->[0]", $_->[1]) } @statuses
    );
}

# The paragraph of the manual, or the line of the first screen.
sub _explained {
    my ($how, $command) = @_;
    my $text;
    if (defined $how->{manual} && $command->{name} ne 'measure') {
        require Touchstone::Cli::Manual;
        $text = Touchstone::Cli::Manual::paragraph($how->{manual}, $command->{name});
    }
    return $text // ucfirst(($command->{help} // 'measure tests') =~ s/(?<=\w)\z/./r);
}

sub _first_statuses {
    return grep { $IS_FIRST{ $_->[0] } } @STATUSES;
}

# Those of a command that only compares.
sub _statuses_of_comparisons {
    return map { [ $_->[0], $_->[1] =~ s/.*comparison: //r ] } _first_statuses();
}

sub _usage { my ($command) = @_; return "$command->{name} $command->{pattern}" =~ s/ \z//r }

sub _heading { my ($how, $text) = @_; return $how->{painted}->($text) }

# "-c, --copies N", or with as many blanks "    --quick".
sub _spelled {
    my ($option) = @_;
    return
          (defined $option->{short} ? "-$option->{short}, " : '    ')
        . "--$option->{name}"
        . (defined $option->{value} ? " $option->{value}" : '');
}

sub _wrapped {
    my ($how, $text) = @_;
    return Touchstone::Base::Text::wrapped($text, width => $how->{width}, hang => '  ');
}

# A word and its description: on one line, or on two if the word is long or the terminal narrow.
sub _row {
    my ($how, $column, $word, $text) = @_;
    my $width  = $how->{width};
    my $narrow = $width < $column + 3 + $MIN_DESCRIPTION;
    my $apart  = $narrow || length $word > $column;
    my $hang   = ' ' x ($narrow ? 6 : $column + 3);
    return (
        $apart ? '  ' . ($narrow ? $word =~ s/\A +//r : $word) : (),
        Touchstone::Base::Text::wrapped(
            $text,
            width => $width,
            first => $apart ? $hang : sprintf("  %-${column}s ", $word),
            hang  => $hang
        )
    );
}

1;
