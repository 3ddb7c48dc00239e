# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options::Rules - which options of a command go together, by the columns of the table of Cli::Options.
package Touchstone::Cli::Options::Rules;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(list_with plural);
use Touchstone::Cli::Commands;

# Dies with a message if these options of a command, { name => value }, cannot be combined.
sub check {
    my ($command, $options, @options) = @_;
    my %option = map { $_->{name} => $_ } @options;
    _check_pairs($command, $options, \%option);
    _check_format($command, $options->{format}) if defined $options->{format};
    _check_prices($options);
    _check_builds($command, $options);
    return;
}

# An option that may be repeated is a list, also if it was not given.
sub is_given {
    my ($options, $name) = @_;
    return ref $options->{$name} ? @{ $options->{$name} } > 0 : defined $options->{$name};
}

# The usual spelling.
sub dashed { my ($option) = @_; return defined $option->{short} ? "-$option->{short}" : "--$option->{name}" }

# What judges runs takes the options of a judgement without another one.
sub _check_pairs {
    my ($command, $options, $option) = @_;
    my @given = grep { $option->{$_} && is_given($options, $_) } sort keys %$options;
    my %given = map  { $_ => 1 } @given;
    for my $row (map { $option->{$_} } @given) {
        my @needs = $command->{judges} ? () : split ' ', $row->{needs} // '';
        die "--$row->{name} needs " . list_with('or', map { "--$_" } @needs) . "\n"
            if @needs && !grep { $given{$_} } @needs;
        my ($other) = grep { $given{$_} } split ' ', $row->{not} // '' or next;
        die "--$row->{name} and "
            . dashed($option->{$other})
            . " cannot be combined: --$row->{name} $row->{why}\n";
    }
    return;
}

sub _check_format {
    my ($command, $format) = @_;
    my @formats = @{ $command->{formats} };
    die "--format of $command->{output} needs ", list_with('or', @formats), ", not '$format'\n"
        if !grep { $_ eq $format } @formats;
    return;
}

# A comparison has a price for each of its runs, or those of their records.
sub _check_prices {
    my ($options) = @_;
    my $prices    = @{ $options->{price} || [] } or return;
    my $compares  = $options->{command} eq 'compare';
    my $runs      = $compares ? @{ $options->{operands} } : 1;
    return                                               if $prices == $runs;
    die "--price was given twice: a run has one price\n" if !$compares;
    die 'compare with '
        . plural($runs, 'run')
        . " needs one --price per run in their order, or none, not $prices\n"
        . "without --price the prices in the records count\n";
}

sub _check_builds {
    my ($command, $options) = @_;
    my @builds = @{ $options->{build} || [] };
    my %builds;
    if (@builds) {
        require Touchstone::Build::Sets;
        for my $name (map { Touchstone::Build::Sets::parsed($_)->{name} } @builds) {
            die "--build names '$name' twice: each build needs a name of its own\n" if $builds{$name}++;
        }
    }
    die "--precision cannot be combined with "
        . ($command->{name} eq 'duet' ? 'duet, but with --concurrent' : 'several --build')
        . ": builds are measured until each test is decided\n"
        if defined $options->{precision}
        && (keys %builds > 1 || $command->{name} eq 'duet' && !$options->{concurrent});
    die "--format needs a comparison: name two builds or more with --build\n"
        if defined $options->{format} && $command->{name} eq 'measure' && keys %builds < 2;
    return;
}

1;
