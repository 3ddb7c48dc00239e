# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options::Values - what a value of an option may be, by its kind, and what becomes of it.
package Touchstone::Cli::Options::Values;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Price;

my @SHELLS = qw(bash zsh);
my $MOST   = 1_000_000;

# A set of runs has at most so many.
my $MOST_RUNS = 1000;

# A value of each kind:
#
#   { is      => sub,              whether it can be one
#     allowed => 'a text',         what a message says is needed
#     hint    => 'a text',         what that means, in a line of its own
#     many    => 1,                the option may be given several times
#     words   => [...],            words that a shell can complete, or a sub that returns them
#     keys    => [...],            the same of a value KEY=VALUE
#     as      => sub }             what becomes of it, or of the list of all
my $CPU   = qr/\d{1,5}(?:-\d{1,5})?/;
my %VALUE = (
    count  => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000', as   => sub { $_[0] + 0 } },
    counts => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000', many => 1 },
    seed   => {
        is      => sub { $_[0] =~ /\A\d{1,9}\z/ },
        allowed => 'a whole number from 0 to 999999999',
        as      => sub { $_[0] + 0 }
    },
    pin => {
        is      => \&_is_placement,
        allowed => 'none, spread, pack or a list of CPUs such as 0,2-3',
        words   => [qw(none spread pack)]
    },
    percent => {
        is      => sub { $_[0] =~ /\A(\d{1,2}(?:\.\d{1,4})?)%?\z/ && $1 > 0 },
        allowed => 'a percentage above 0 and below 100, such as 0.5%',
        as      => \&_part
    },
    time => {
        is      => sub { $_[0] =~ /\A0*[1-9]\d{0,5}(?:\.\d{1,3})?[smh]?\z/ },
        allowed => 'a time such as 90s, 10m or 2h',
        as      => \&_seconds
    },
    runs => {
        is      => sub { $_[0] =~ /\A[1-9]\d{0,3}\z/ && $_[0] >= 2 && $_[0] <= $MOST_RUNS },
        allowed => "a whole number from 2 to $MOST_RUNS",
        as      => sub { $_[0] + 0 }
    },
    every => {
        is      => sub { $_[0] =~ /\A0*[1-9]\d{0,5}(?:\.\d{1,3})?[smhd]?\z/ },
        allowed => 'a time such as 90s, 10m, 1h or 1d',
        as      => \&_seconds
    },
    builds => {
        is      => \&_is_build,
        allowed => 'NAME=FLAGS, such as o2=-O2 or clang=CC=clang,-O2',
        hint    => 'NAME may have letters, digits and _ . - but begins with neither . nor -; FLAGS may have '
            . 'letters, digits and _ . , : + = / % -',
        many => 1
    },
    prices => {
        is      => \&Touchstone::Base::Price::parsed,
        allowed => $Touchstone::Base::Price::ALLOWED,
        hint    => $Touchstone::Base::Price::MEANS,
        many    => 1,
        as      => sub {
            [ map { Touchstone::Base::Price::parsed($_) } @{ $_[0] } ]
        }
    },
    file   => { is => sub { length $_[0] && $_[0] !~ /[\x00-\x1f]/ }, allowed => 'the path of a file' },
    place  => { is => sub { length $_[0] && $_[0] !~ /[\x00-\x1f]/ }, allowed => 'the path of a directory' },
    format => { is => sub { length $_[0] }, allowed => 'the name of a form, such as csv' },
    run    => { is => sub { length $_[0] }, allowed => 'the name or path of a stored run' },
    shell  => { is => \&_is_shell, allowed => join(' or ', @SHELLS), words => \@SHELLS },
);

# The kinds of values, with those that suites and packs add.
sub with {
    return { %VALUE, map { %$_ } @_ };
}

# Few command lines have builds.
sub _is_build {
    require Touchstone::Build::Sets;
    return Touchstone::Build::Sets::parsed($_[0]);
}

sub _is_shell {
    my ($value) = @_;
    return scalar grep { $_ eq $value } @SHELLS;
}
sub _is_count { my ($value) = @_; return $value =~ /\A[1-9]\d{0,6}\z/ && $value <= $MOST }

# A range goes up.
sub _is_placement {
    my ($value) = @_;
    return 0 if $value !~ /\A(?:none|spread|pack|$CPU(?:,$CPU)*)\z/;
    return !grep { /(\d+)-(\d+)/ && $1 > $2 } split /,/, $value;
}

sub _part { my ($percent) = @_; return ($percent =~ s/%\z//r) / 100 }

my %SECONDS = ('' => 1, s => 1, m => 60, h => 3600, d => 86_400);
sub _seconds { my ($number, $unit) = $_[0] =~ /\A([\d.]+)(\w?)\z/; return $number * $SECONDS{$unit} }

1;
