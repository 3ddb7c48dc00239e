# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::App - what the command does: a verb, which is loaded when it is asked for, or a run. Run catches what
# dies here.
package Touchstone::Cli::App;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Manual;
use Touchstone::Cli::Options::Together;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Terminal;
use Touchstone;

# Options that do something else than measure, in the order in which they count. Each has the module whose
# sub `run` does that, or a sub that returns the answer.
my @VERBS = (
    [ help       => 'Cli::Help' ],
    [ version    => sub { "Touchstone $Touchstone::VERSION\n" } ],
    [ man        => 'Cli::Verb::Manual' ],
    [ list       => 'Cli::List' ],
    [ completion => 'Cli::Completion' ],
    [ report     => 'Cli::Verb::Report' ],
    [ compare    => 'Cli::Verb::Compare' ],
    [ browse     => 'Pack::Browse::Command' ],
    [ state      => 'Pack::Fleet::Command::State' ],
    [ wait       => 'Pack::Fleet::Command::State' ],
    [ give       => 'Pack::Fleet::Command::State' ],
    [ once       => 'Pack::Fleet::Command::Once' ],
    [ plan       => 'Pack::Fleet::Command::Plan' ],
    [ confirm    => 'Pack::Fleet::Command::Plan' ],
    [ turn       => 'Pack::Fleet::Command::Turn' ],
    [ mark       => 'Pack::Fleet::Command::Turn' ],
    [ collect    => 'Pack::Fleet::Command::Collect' ],
    [ fleet      => 'Pack::Fleet::Command::Judge' ],
    [ like       => 'Pack::Fleet::Command::Place' ],
);

# Returns the exit status for the words of the command line. `at`:
#
#   {
#     manual => the file whose POD is the manual,
#     base   => the tree it is in,
#     launch => what starts a pass in the place of Run::Launcher,
#     clock  => what tells seconds in the place of the system's clock,
#     wall   => what tells seconds since 1970 in its place, and
#     pause  => what sleeps for so many seconds, which tests hand in,
#   }
sub main {
    my ($at, @words) = @_;
    my $want   = or_refuse(sub { Touchstone::Cli::Options::parse(@words) });
    my ($verb) = map { $_->[1] } grep { Touchstone::Cli::Options::Together::is_given($want, $_->[0]) } @VERBS;
    my $suite  = Touchstone::Cli::Options::suite_verb($want);
    $verb //=
        $suite
        ? sub { $suite->{answer}->($want, Touchstone::Base::Directories::find($at->{base})) }
        : 'Cli::Verb::Measure';
    return Touchstone::Cli::Output::say($verb->()) if ref $verb;
    my $module = "Touchstone::$verb";
    require $module =~ s{::}{/}gr . '.pm';
    return $module->can('run')->($want, %$at, words => \@words);
}

# Tells on standard error what died, a text or { exit => status, message => text }, and returns the exit
# status.
sub tell_trouble {
    my ($died)  = @_;
    my $trouble = Touchstone::Base::Trouble::of($died);
    my $columns = Touchstone::Terminal->of(\*STDERR)->columns;
    print STDERR map { "$_\n" }
        map { Touchstone::Base::Text::wrapped(plain($_), width => $columns, hang => '  ') } split /\n/,
        Touchstone::Cli::Manual::called() . ": $trouble->{message}";
    return $trouble->{exit};
}

1;
