# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::App - what the command does: the module of the command, which is loaded on demand. Run
# catches what dies here.
package Touchstone::Cli::App;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Commands;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Terminal;

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
    my ($env, @words) = @_;
    my $options = or_refuse(sub { Touchstone::Cli::Options::parse(@words) });
    my $command = Touchstone::Cli::Commands::named($options->{command});
    return Touchstone::Cli::Output::say(
        $command->{answer}->($options, Touchstone::Base::Directories::find($env->{base})))
        if $command->{answer};
    my $module = "Touchstone::$command->{module}";
    require $module =~ s{::}{/}gr . '.pm';
    return $module->can('run')->($options, %$env, words => \@words);
}

# Tells on standard error what died, a text or { exit => status, message => text }, and returns the exit
# status.
sub print_trouble {
    my ($died)  = @_;
    my $trouble = Touchstone::Base::Trouble::as_trouble($died);
    my $columns = Touchstone::Terminal->detect(\*STDERR)->columns;
    print STDERR map { "$_\n" }
        map { Touchstone::Base::Text::wrapped(plain($_), width => $columns, hang => '  ') } split /\n/,
        Touchstone::Cli::Output::command_name() . ": $trouble->{message}";
    return $trouble->{exit};
}

1;
