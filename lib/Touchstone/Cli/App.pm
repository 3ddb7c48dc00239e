# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::App - what the command does: a verb, which is loaded when it is asked for, or a run. Run alone catches
# what dies here.
package Touchstone::Cli::App;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Options;

my %USAGE = (exit => 2);

# Options that do something else than measure, in the order in which they count, and the modules of Cli::Verb.
my @VERBS = (
    [ help       => 'Help' ],
    [ version    => 'Version' ],
    [ man        => 'Manual' ],
    [ list       => 'List' ],
    [ completion => 'Completion' ],
    [ report     => 'Report' ],
    [ compare    => 'Compare' ],
    [ browse     => 'Browse' ],
);

# Exit status for the words of the command line. `manual`: the file whose POD is the manual; `base`: the tree
# it is in.
sub main {
    my ($manual, $base, @words) = @_;
    my $want   = eval { Touchstone::Cli::Options::parse(@words) } or die { %USAGE, message => $@ };
    my ($verb) = map { $_->[1] } grep { defined $want->{ $_->[0] } } @VERBS;
    my $module = $verb // (Touchstone::Cli::Options::brought($want) ? 'Brought' : 'Measure');
    require "Touchstone/Cli/Verb/$module.pm";
    return "Touchstone::Cli::Verb::$module"->can('run')->($want, manual => $manual, base => $base);
}

1;
