# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Completion - what a shell can complete of the words of the command line, from the tables of Options
# and Suite, and as a script for it. The scripts ask nobody: only for the names of runs they look into a
# directory.
package Touchstone::Cli::Completion;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Completion::Bash;
use Touchstone::Cli::Completion::Zsh;
use Touchstone::Cli::Listing;
use Touchstone::Cli::Options;

my %SCRIPT = (
    bash => \&Touchstone::Cli::Completion::Bash::script,
    zsh  => \&Touchstone::Cli::Completion::Zsh::script
);

# A value of these kinds is completed in this way; one of another kind only where it has words of its own.
my %HOW = (run => 'run', format => 'format', file => 'file', place => 'directory');

sub script {
    my ($shell, $suite) = @_;
    return $SCRIPT{$shell}->(known($suite));
}

# A script is made of these:
#
#   { options => [ {                  as Options::described has them, and
#         how    => 'words',          or run, format, file, directory, key, other, or '' for a switch
#         known  => ['none', ...],    words or keys (KEY=) that its value can be completed to
#         beside => [names],          options that may stand beside it
#         others => [names] } ],      those that may not
#     tests    => [ [name, title] ],
#     groups   => [names],
#     listed   => [words],            that --list takes beside these
#     verbs    => [names],
#     of_verbs => [names],
#     alone    => [names],            options that take no tests
#     formats  => { verb => [...] } }
sub known {
    my ($suite)  = @_;
    my $together = Touchstone::Cli::Options::together();
    my @options  = Touchstone::Cli::Options::described();
    for my $option (@options) {
        my (@beside, @others);
        push @{ $together->fit($option->{name}, $_->{name}) ? \@beside : \@others }, $_->{name}
            for grep { $_ != $option } @options;
        @$option{qw(beside others how)} = (\@beside, \@others, _how($option));
        $option->{known} = [ @{ $option->{words} }, map { "$_=" } @{ $option->{keys} } ];
    }
    return {
        options  => \@options,
        verbs    => [ $together->verbs ],
        of_verbs => [ $together->of_verbs ],
        alone    => [ $together->without_tests ],
        tests    => [ map { [ @$_{qw(name title)} ] } $suite->tests ],
        groups   => [ sort keys %{ $suite->groups } ],
        listed   => [$Touchstone::Cli::Listing::GROUPS],
        formats  => {
            map  { $_ => [ $together->formats($_) ] }
            grep { $together->fit($_, 'format') } $together->verbs
        },
    };
}

sub _how {
    my ($option) = @_;
    return ''    if !defined $option->{kind};
    return 'key' if @{ $option->{keys} };
    return @{ $option->{words} } ? 'words' : $HOW{ $option->{kind} } // 'other';
}

1;
