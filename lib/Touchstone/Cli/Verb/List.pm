# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::List - --list: tests and groups, for people or as JSON.
package Touchstone::Cli::Verb::List;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Output;
use Touchstone::Cli::List;
use Touchstone::Cli::ListText;
use Touchstone::Cli::Manual;
use Touchstone::Record::Json;
use Touchstone::Suite;
use Touchstone::Terminal;

sub run {
    my ($want, %at) = @_;
    my @words = @{ $want->{tests} };
    my $catalogue =
        Touchstone::Cli::List->new(Touchstone::Suite::load(), Touchstone::Base::Places::find($at{base}));
    my $text = or_refuse(
        sub {
            $want->{json}
                ? _json($catalogue, @words)
                : Touchstone::Cli::ListText::text(
                $catalogue,
                Touchstone::Terminal->of(\*STDOUT),
                Touchstone::Cli::Manual::typed(), @words
                );
        }
    );
    return Touchstone::Cli::Output::say($text);
}

# Programs get every test unless they name some.
sub _json {
    my ($catalogue, @words) = @_;
    my $suite      = $catalogue->suite;
    my %categories = map { $_->[0] => $_->[1] } $suite->categories;
    my @tests      = map {
        my $t = $_;
        {
            category => $categories{ $t->{category} },
            seconds  => $catalogue->time_of($t)->{seconds},
            lacks    => $catalogue->lacks($t),
            map { $_ => $t->{$_} } qw(name title about suite class index better)
        }
    } @words ? map({ $catalogue->named($_) } @words) : $catalogue->tests;
    return Touchstone::Record::Json::encode({ tests => \@tests, groups => $suite->groups });
}

1;
