# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::List - --list: all tests and groups, for people or as JSON.
package Touchstone::Cli::Verb::List;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Answer;
use Touchstone::Cli::Listing;
use Touchstone::Record::Json;
use Touchstone::Suite;
use Touchstone::Terminal;

sub run {
    my ($want) = @_;
    return Touchstone::Cli::Answer::say(_text(Touchstone::Suite::load(), $want->{json}));
}

sub _text {
    my ($suite, $json) = @_;
    return Touchstone::Cli::Listing::text($suite, Touchstone::Terminal->of(\*STDOUT)) if !$json;
    my %categories = map { $_->[0] => $_->[1] } $suite->categories;
    my @tests      = map {
        my $t = $_;
        {
            category => $categories{ $t->{category} },
            map { $_ => $t->{$_} } qw(name title about suite class index better)
        }
    } $suite->tests;
    return Touchstone::Record::Json::encode({ tests => \@tests, groups => $suite->groups });
}

1;
