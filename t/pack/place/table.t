# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Table: the published table is plausible row by row, and a table with a wrong line is refused
# with file and line.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Touchstone::Pack::Place::Position qw(@CLASSES);
use Touchstone::Pack::Place::Table qw($PUBLISHED @TESTS index_of);

my $temp    = File::Temp->newdir;
my $entries = Touchstone::Pack::Place::Table::read($PUBLISHED);

subtest 'each published row is plausible' => sub {
    my %is_class = map { $_ => 1 } @CLASSES;
    cmp_ok(scalar @$entries, '>=', 300, scalar @$entries . ' rows');
    my @wrong;
    for my $entry (@$entries) {
        my $index = $entry->{scores} ? index_of($entry->{scores}, @TESTS) : 0;
        push @wrong,
            "$entry->{machine}: $_"
            for (
            abs($index / $entry->{index} - 1) <= 0.002 ? () : "index $entry->{index}, its scores have $index",
            $entry->{date} =~ /\A20(?:1[1-9]|2[0-6])-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\z/
            ? ()
            : 'date',
            length $entry->{source}                                        ? () : 'no source',
            $is_class{ $entry->{class} }                                   ? () : "class $entry->{class}",
            ($entry->{version} // '5.1.3') =~ /\A(?:5\.1\.[23]|6\.0\.0)\z/ ? () : 'version',
            !defined $entry->{cpus} || $entry->{copies} <= $entry->{cpus}  ? () : 'more copies than CPUs'
            );
    }
    is_deeply(\@wrong, [], 'index, date, source, class, version and copies');
};

subtest 'the header describes each column' => sub {
    open my $in, '<', $PUBLISHED or die "cannot open '$PUBLISHED': $!\n";
    my @lines    = <$in>;
    my ($header) = grep { !/^#/ } @lines;
    my %is_test  = map { $_ => 1 } @TESTS;
    for my $column (grep { !$is_test{$_} } split /,/, $header =~ s/\n//r) {
        is(scalar(grep { /^# \Q$column\E: \S/ } @lines), 1, $column);
    }
};

# The complaint about a table of these lines.
sub complaint {
    my (@lines) = @_;
    Fake::write_file("$temp/table.csv", join '', map { "$_\n" } @lines);
    return
        eval { Touchstone::Pack::Place::Table::read("$temp/table.csv"); 'nothing' } // $@ =~ s/\A'[^']*'//r;
}

my @GOOD = ('# a comment', 'machine,copies,index,date', 'a,1,1042.3,2026-11-26');

subtest 'a wrong line is refused with its number' => sub {
    is(complaint(@GOOD),               'nothing',                         'a table needs three columns');
    is(complaint(@GOOD, 'b,1,1042.3'), " line 4: 3 fields, expected 4\n", 'a field is missing');
    is(
        complaint(@GOOD, 'b,1,fast,'),
        " line 4: index is 'fast', expected a number such as 1042.3\n",
        'no number'
    );
    is(complaint(@GOOD, 'b,0,10,'), " line 4: copies is '0', expected a number of copies\n", 'no copies');
    is(complaint(@GOOD, 'b,1,0,'),  " line 4: the index is 0\n",                             'an index of 0');
    is(complaint(@GOOD, ',1,1,'),   " line 4: machine is empty\n",                           'no machine');
    is(
        complaint(@GOOD, 'b,1,10,today'),
        " line 4: date is 'today', expected a date such as 2026-11-26\n",
        'no date'
    );
    is(complaint('machine,copies', 'a,1'), " line 1: there is no column 'index'\n", 'no index');
    is(
        complaint('machine,copies,index,copies', 'a,1,1,1'),
        " line 1: the column 'copies' is there twice\n",
        'a column twice'
    );
    like(complaint('machine,copies,index'), qr/\A holds no result: expected a header with /, 'no row');
    like(complaint(),                       qr/\A holds no result/,                          'nothing');
};

subtest 'appended rows are read again, and a comma does not end a field' => sub {
    my $file = "$temp/own.csv";
    my %row  = (
        machine => 'web,7',
        copies  => 2,
        index   => '1042.3',
        cpus    => 2,
        source  => "a\nb",
        date    => '2026-11-26'
    );
    Touchstone::Pack::Place::Table::append($file, \%row);
    Touchstone::Pack::Place::Table::append($file, { %row, machine => 'web8' });
    my @read = @{ Touchstone::Pack::Place::Table::read($file) };
    is_deeply([ map { "$_->{machine} $_->{copies} $_->{index}" } @read ],
        [ 'web;7 2 1042.3', 'web8 2 1042.3' ], 'rows');
    Fake::write_file($file, "index,machine,copies\n10,a,1\n");
    Touchstone::Pack::Place::Table::append($file, \%row);
    is(Touchstone::Pack::Place::Table::read($file)->[1]{index}, 1042.3, 'columns of another order are kept');
};

done_testing();
