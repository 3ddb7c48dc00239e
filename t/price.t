#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The price of a machine: what --price takes, the index per unit of it in each form, and in comparisons.
use 5.014;
use strict;
use warnings;

use Test::More;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use lib 't/lib';
use Fake;
use Pasted;
use Runs;
use Scored;
use Touchstone::Base::Price;
use Touchstone::Cli::Options;
use Touchstone::Compare;
use Touchstone::Record::Block;
use Touchstone::Record::Json;
use Touchstone::Record::Schema;
use Touchstone::Report::Compare;

my @FORMS = qw(summary text markdown html log);

# The index of each copy count is a tenth of these.
my %RATES = ('1 pipe' => [ Runs::steady(1000) ], '2 pipe' => [ Runs::steady(2000) ]);
my $DAMP  = [ { id => 'battery', text => 'it runs on its battery', invalid => 1 } ];

sub record { my ($price, %also) = @_; return Runs::record(vm => \%RATES, price => $price, %also) }

# Returns the figures of a sentence: the index per unit and its limits.
sub figures { my ($text) = @_; return $text =~ /per \S+, 2 copies: ([\d.]+) \(([\d.]+) to ([\d.]+)\)/ }

sub trouble {
    my (@words) = @_;
    return eval { Touchstone::Cli::Options::parse(@words); 1 } ? 'taken' : $@;
}

subtest 'an amount has a unit on one side, or none' => sub {
    my %price = (
        '1200'                  => [1200],
        '1200USD'               => [ 1200,        'USD' ],
        'EUR40'                 => [ 40,          'EUR' ],
        'EUR40/month'           => [ 40,          'EUR/month' ],
        '0.0832USD/h'           => [ 0.0832,      'USD/h' ],
        '$5'                    => [ 5,           '$' ],
        '3/h'                   => [ 3,           '/h' ],
        '007x'                  => [ 7,           'x' ],
        '0.000000001x'          => [ 1e-9,        'x' ],
        '999999999abcdefghijkl' => [ 999_999_999, 'abcdefghijkl' ],
    );
    for my $text (sort keys %price) {
        my ($amount, $unit) = @{ $price{$text} };
        is_deeply(
            Touchstone::Cli::Options::parse("--price=$text")->{price},
            [ { amount => $amount, defined $unit ? (unit => $unit) : () } ],
            "--price=$text"
        );
    }
    my @bad = (
        qw(0 0.000 -5 +5 x USD 1e3 1. .5 1_000 EUR4USD 1..2 5USD2 1234567890 5abcdefghijklm 5%x),
        '1,200', '1,5', ' 5', '5 USD', "5USD\n", "5U\tD", "5\xe2\x82\xac", "5USD\x{7f}"
    );
    for my $text (@bad) {
        my $shown = $text =~ s/([^ -~])/sprintf '\x%02x', ord $1/ger;
        like(
            trouble("--price=$text"),
            qr/\A--price needs an amount above 0, such as 1200, .* not '\Q$text\E'\nan amount has at most 9 digits /,
            "'$shown'"
        );
    }
};

subtest 'a run has one price, a comparison one for each run or none' => sub {
    my %refused = (
        '--price 1 --price 2 pipe'       => "--price was given twice: a run has one price\n",
        '--report a --price 1 --price 2' => "--price was given twice: a run has one price\n",
        '--compare a b --price 1'        =>
            '--compare of 2 runs needs a --price for each in their order, or none, not 1',
        '--compare a b c --price 1 --price 2' => '--compare of 3 runs needs a --price for each',
        '--list --price 1'                    => '--list and --price cannot be combined',
        '--self-compare --price 1'            => '--self-compare and --price cannot be combined',
    );
    like(trouble(split / /, $_), qr/\A\Q$refused{$_}\E/, $_) for sort keys %refused;
    is(trouble(split / /, $_), 'taken', $_)
        for '--compare a b --price 1 --price 2', '--compare a b', '--report a --price 1',
        '--price 1 --again 2 pipe';
};

done_testing;
