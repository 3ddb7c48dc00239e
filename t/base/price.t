#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The price of a machine: what --price takes, the index per unit of it in each form, and in comparisons.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Pasted;
use Runs;
use Scored;
use Touchstone::Base::Price;
use Touchstone::Cli::Options;
use Touchstone::Compare;
use Touchstone::Record::PasteBlock;
use Touchstone::Record::Json;
use Touchstone::Record;
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
        '--price 1 --price 2 pipe'     => "--price was given twice: a run has one price\n",
        'report a --price 1 --price 2' => "--price was given twice: a run has one price\n",
        'compare a b --price 1'        =>
            'compare with 2 runs needs one --price per run in their order, or none, not 1',
        'compare a b c --price 1 --price 2' => 'compare with 3 runs needs one --price per run',
        'list --price 1'                    => "unknown option '--price' of list",
        'self-compare --price 1'            => "unknown option '--price' of self-compare",
    );
    like(trouble(split / /, $_), qr/\A\Q$refused{$_}\E/, $_) for sort keys %refused;
    is(trouble(split / /, $_), 'taken', $_)
        for 'compare a b --price 1 --price 2', 'compare a b', 'report a --price 1',
        '--price 1 --again 2 pipe';
};

subtest 'each form has the same sentence, of the most copies' => sub {
    my $record  = record({ amount => 40, unit => 'USD' });
    my ($index) = @{ Scored::document($record)->{results}[1]{indexes} };
    my @wanted  = map { $_ / 40 } $index->{score}, @{ $index->{interval} };
    for my $form (@FORMS) {
        my @said = Scored::report($form, $record) =~ /([Ii]ndex per [^\n<]*)/g;
        is(scalar @said, 1, "$form: once") || diag(join "\n", @said);
        my @shown = figures($said[0]);
        is(scalar @shown, 3, "$form: with an interval") || diag($said[0]);
        ok(abs($shown[$_] - $wanted[$_]) < 0.005, "$form: figure $_ is that of the index by the price")
            for 0 .. 2;
        unlike($said[0],                             qr/not valid/, "$form: no doubt");
        unlike(Scored::report($form, record(undef)), qr/ per USD/i, "$form: nothing without a price");
    }
    like(Scored::report('html', $record), qr{<dt>Price</dt><dd>40 USD</dd>},
        'a page has the price as a fact');
};

subtest 'CSV and JSON have it of each copy count, as numbers' => sub {
    my $record  = record({ amount => 40, unit => 'USD' });
    my @indexes = map { @{ $_->{indexes} } } @{ Scored::document($record)->{results} };
    is(scalar @indexes, 2, 'two copy counts');
    my @rows = grep { /Score per USD/ } split /\n/, Scored::report('csv', $record);
    for my $i (0, 1) {
        my $per = $indexes[$i]{per_price};
        my @by  = map { $_ / 40 } $indexes[$i]{score}, @{ $indexes[$i]{interval} };
        is_deeply($per, { unit => 'USD', score => $by[0], interval => [ @by[ 1, 2 ] ] }, 'JSON');
        is_deeply([ (split /,/, $rows[$i])[ 0 .. 5, 13 ] ],
            [ $i + 1, 'System Benchmarks Index Score per USD', $by[0], '', @by[ 1, 2 ], 'yes' ], 'CSV');
    }
    my @columns = map { scalar split /,/, $_, -1 } split /\n/, Scored::report('csv', $record);
    is_deeply(\@columns, [ ($columns[0]) x @columns ], 'each row has all columns');
    my $csv = Scored::report('csv', $record) =~ s/^[^\n]* per USD,[^\n]*\n//gmr;
    is(Scored::report('csv', record(undef)), $csv, 'nothing else differs from a run without a price');
};

subtest 'without a unit or an interval the sentence says so' => sub {
    my $few = Runs::record(vm => { '1 pipe' => [ 1000, 1000, 1000 ] }, price => { amount => 8 });
    like(Scored::report('summary', $few),
        qr/^index per unit of price: 12\.50 \(no interval: 3 passes, 6 needed\)$/m, 'said');
};

subtest 'a run that is not valid says so beside the figure' => sub {
    my $record = record({ amount => 40, unit => 'USD' }, warnings => $DAMP);
    like(Scored::report($_,    $record), qr/[Ii]ndex per USD, 2 copies: [^\n<]*, not valid/, $_) for @FORMS;
    like(Scored::report('csv', $record), qr/^2,System[^\n]* per USD,[^\n]*,no,/m,            'csv');
};

subtest 'the record keeps a price, its block too, and a stranger\'s is checked' => sub {
    my $record = record({ amount => 0.0832, unit => 'USD/h' });
    my $stored = Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($record));
    is(Touchstone::Record::Schema::complaint($stored, $Touchstone::Record::FORMAT), undef, 'it is a record');
    my $block = Touchstone::Record::PasteBlock::block(Scored::document($record))->{text};
    my $back  = Touchstone::Record->of_text('page.txt', $block);
    is_deeply($back->{price}, { amount => 0.0832, unit => 'USD/h' }, 'a pasted block has it');
    my @wrong = (
        5, [], {},
        (map { +{ amount => $_ } } 0, -1, 'x'),
        map { +{ amount => 1, unit => $_ } } '',
        "a\nb", 'abcdefghijklm', {}
    );
    for my $wrong (@wrong) {
        my $said =
            Touchstone::Record::Schema::complaint({ %$stored, price => $wrong }, $Touchstone::Record::FORMAT);
        like($said, qr/\A'price\S*' is missing or wrong\z/, Touchstone::Record::Json::encode_line([$wrong]));
    }
    my $hostile = record({ amount => 40, unit => 'a<b>|*' });
    like(Scored::report('html', $hostile), qr/per a&lt;b&gt;\|\*/, 'a unit is no markup');
    unlike(Scored::report('html', $hostile), qr/<b>\|/, 'anywhere on a page');
};

sub compared {
    my (@prices) = @_;
    my @runs = map {
        my $rate  = 1000 * (1 + $_ / 10);
        my %rates = ('1 pipe' => [ Runs::steady($rate) ], '2 pipe' => [ Runs::steady(2 * $rate) ]);
        +{ %{ Runs::compared_run("run$_", \%rates) }, price => $prices[$_] }
    } 0 .. $#prices;
    return Touchstone::Compare::compare(runs => \@runs);
}

sub said {
    my ($comparison, $form) = @_;
    return Touchstone::Report::Compare::render($form // 'text', $comparison);
}

subtest 'a comparison says how many times as much one run gives, where both have a price' => sub {
    my ($forty, $fifty) = map { +{ amount => $_, unit => 'USD' } } 40, 50;
    my $comparison = compared($fifty, $forty);
    my ($index)    = grep { $_->{copies} == 2 } @{ $comparison->{pairs}[0]{indexes} };
    my $found      = $index->{per_price};
    ok(abs($found->{ratio} - 1.1 * 50 / 40) < 1e-9, 'the ratio of the indexes by that of the prices');
    ok(abs($found->{interval}[$_] - $index->{interval}[$_] * 50 / 40) < 1e-9, "limit $_") for 0, 1;
    for my $form (qw(text markdown html)) {
        my @said = said($comparison, $form) =~ /([Ii]ndex per [^\n<]*(?:\n[^\n<]+\))?)/g;
        is(scalar @said, 1, "$form: one line") || diag(join "\n", @said);
        like($said[0] =~ s/\s+/ /gr,
            qr/\A[Ii]ndex per USD, 2 copies: run1 has 1\.38 times that of run0 \(1\.37 to 1\.38\)\z/, $form);
    }
    unlike(said(compared(@$_)), qr/index per/, 'not both have a price')
        for [ undef, undef ], [ $forty, undef ], [ undef, $forty ];
    my $apart = said(compared($forty, { amount => 40, unit => 'EUR' }));
    unlike($apart, qr/index per/, 'two units have no ratio');
    like($apart, qr/their prices cannot be compared: 40 USD and 40 EUR/, 'which is said');
    is(() = said(compared($fifty, $forty, $forty)) =~ /index per USD/g,
        2, 'three runs have a line for each pair');
    my $invalid = compared($fifty, $forty);
    $invalid->{invalid} = [ { label => 'run1', text => 'it runs on its battery' } ];
    like(said($invalid), qr/^index per USD.*, not valid$/m, 'not valid');
};

my $fake = Fake->new;

subtest 'a run keeps the price of its words; report and compare take others' => sub {
    my $got = $fake->run([qw(--quick -c 1 --price 0.0832USD/h pipe)], does => { pipe => 'measure' });
    is($got->{status}, 0, 'measured') || diag($got->{err});
    like($got->{err}, qr{index per USD/h: [\d.]+}, 'the end of a run says it');
    my $record = $fake->record;
    my $name   = $record->{name};
    is_deeply($record->{price}, { amount => 0.0832, unit => 'USD/h' }, 'in the record');
    my @report = ('report', $name, '--format', 'summary');
    like($fake->run([@report])->{out},                      qr{index per USD/h: }, 'stored');
    like($fake->run([ @report, '--price', 'EUR4' ])->{out}, qr{index per EUR: },   'another');
    like(
        $fake->run([ 'compare', $name, $name ])->{out},
        qr{index per USD/h: \S+ has 1\.00 times that of },
        'prices of the records'
    );
    like(
        $fake->run([ 'compare', $name, $name, qw(--price 2EUR --price 1EUR) ])->{out},
        qr{index per EUR: \S+ has 2\.00 times that of },
        'prices in the order of the runs'
    );
    is($fake->run([ 'compare', $name, $name, qw(--price 2EUR) ])->{status}, 2, 'one is missing');
};

done_testing;
