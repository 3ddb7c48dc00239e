# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Help - the text of --help: examples, then the options under their headings, as wide as the terminal.
#
#   usage: ./Run [options] [test or group ...]
#
#     ./Run --quick -c 1          a first number, in half a minute
#   ...
#   Measure
#     -c, --copies N         run N copies of each test at once
package Touchstone::Cli::Help;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Suite;
use Touchstone::Base::Text;
use Touchstone::Terminal;

# What follows the command, and what that is for. `A` and `B` are names of stored runs. An installed copy has
# no sources to build.
my $NEEDS_SOURCES = qr/--build/;
my @EXAMPLES      = (
    [ '--quick -c 1',                       'a first number, in half a minute' ],
    [ '',                                   'the index of this machine' ],
    [ 'pipe syscall',                       'two tests' ],
    [ '--compare A B',                      'is run B faster than run A?' ],
    [ '--build o2=-O2 --build o3=-O3 pipe', 'which flags are faster?' ],
    [ '--list',                             'tests, groups, and their times' ],
);

my @STATUSES = (
    [ 0         => 'all was measured; comparison: not slower' ],
    [ 1         => 'a test failed or was skipped; comparison: slower' ],
    [ 2         => 'usage error; what is named cannot be read' ],
    [ 125       => 'comparison: inconclusive, or impossible' ],
    [ '128 + N' => 'stopped by signal N' ],
);

# Those of suites and packs are added: examples before the last one, statuses by their numbers.
sub _added {
    my ($what) = @_;
    my $added = Touchstone::Cli::Options::added();
    return map { @{ $added->{$_}{$what} || [] } } sort keys %$added;
}

sub examples { return (@EXAMPLES[ 0 .. $#EXAMPLES - 1 ], _added('examples'), $EXAMPLES[-1]) }

sub _statuses {
    return sort { $a->[0] =~ s/ .*//r <=> $b->[0] =~ s/ .*//r } @STATUSES, _added('statuses');
}

# Nobody likes to read lines of more than $WIDEST columns.
my ($WIDEST, $USUAL) = (100, 80);

# So many columns have the spellings of options, and the words of examples. What they are for stands below
# them where it would have fewer than $LEAST columns.
my ($OPTION, $EXAMPLE, $LEAST) = (26, 44, 31);

# Prints it.
sub run {
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    return Touchstone::Cli::Output::say(
        text(
            $terminal->columns, Touchstone::Cli::Output::command_line(),
            sub { $terminal->painted(strong => $_[0]) }
        )
    );
}

# The text, in so many columns where that is known. `command` is what somebody types; `painted` makes a
# heading stand out.
sub text {
    my ($columns, $command, $painted) = @_;
    my $width = min($columns // $USUAL, $WIDEST);
    $painted //= sub { $_[0] };
    my $usual = Touchstone::Suite::load()->default->{called};
    my @lines = (
        _wrapped($width, "usage: $command [options] [test or group ...]"),
        '',
        (
            map {
                my ($words, $for) = @$_;
                _row($width, $EXAMPLE, "$command $words" =~ s/ \z//r, $for)
            } grep { $_->[0] !~ $NEEDS_SOURCES || $command =~ m{/} } examples()
        ),
        '',
        _wrapped(
            $width,
            (defined $usual ? 'Without names: ' . "$usual, with" : 'Tests must be named. Each is run with')
                . ' one copy and with one for each CPU.'
        )
    );
    my $heading = '';
    for my $option (Touchstone::Cli::Options::described()) {
        push @lines, '', $painted->($heading = $option->{heading}) if $option->{heading} ne $heading;
        push @lines, _row($width, $OPTION, _spelled($option), $option->{help});
    }
    push @lines, '', $painted->('Exit status'),
        map { _row($width, $OPTION, "    $_->[0]", $_->[1]) } _statuses();
    return join '', map { "$_\n" } @lines;
}

# "-c, --copies N", or with as many blanks "    --quick".
sub _spelled {
    my ($option) = @_;
    return
          (defined $option->{short} ? "-$option->{short}, " : '    ')
        . "--$option->{name}"
        . (defined $option->{value} ? " $option->{value}" : '');
}

sub _wrapped {
    my ($width, $text) = @_;
    return Touchstone::Base::Text::wrapped($text, width => $width, hang => '  ');
}

# A word and what it is for: beside it, or below it where the word is long or the terminal narrow.
sub _row {
    my ($width, $column, $word, $text) = @_;
    my $narrow = $width < $column + 3 + $LEAST;
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
