# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Table - tables of results of UnixBench's index: the published ones, and those that a team keeps
# for itself. A table is CSV without quotes; lines that begin with # explain it. A row is a run with one
# number of copies; pgms/published-unixbench.csv describes the columns. An entry is such a row:
#
#   { machine => 'web7', cpu => 'AMD EPYC 7763', cpus => 2, class => 'virtual machine', version => '5.1.3',
#     date => '2024-11-09', copies => 1, index => 1071.3, scores => { pipe => 1312880.1, ... }, source => 'URL' }
#
# cpus and version are missing if they are unknown, and scores unless all twelve are there.
package Touchstone::Pack::Place::Table;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use File::Spec ();
use List::Util qw(sum);

use Touchstone::Base::Text qw(plain short);
use Touchstone::Compare::Baseline;
use Touchstone::Machine::File;
use Touchstone::Record::Largest;
use Touchstone::Suite;

our @EXPORT_OK = qw($PUBLISHED @TESTS index_of);

my ($HOME) = File::Spec->rel2abs(__FILE__) =~ m{(.*)/lib/Touchstone/}s;
our $PUBLISHED = "$HOME/pgms/published-unixbench.csv";

# The tests of the index in the order of the columns.
our @TESTS =
    qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

my @COLUMNS = (
    qw(machine cpu cpu_class cpus kind class kind_detail provider os_kernel unixbench arch date copies index
        index_from), @TESTS, qw(flags note source transcribed)
);
my @NEEDED = qw(machine copies index);

my $NUMBER = qr/\d{1,12}(?:\.\d{1,12})?/a;
my %FORM   = (
    (map { $_ => [ $NUMBER, 'a number such as 1042.3' ] } 'index', @TESTS),
    copies => [ qr/[1-9]\d{0,5}/a,    'a number of copies' ],
    cpus   => [ qr/\d{1,6}/a,         'a number of CPUs' ],
    date   => [ qr/\d{4}-\d\d-\d\d/a, 'a date such as 2026-11-26' ]
);
my $SHOWN = 40;

# The entries of a table; dies with file and line. The published table is read once.
sub read {
    my ($file) = (@_, $PUBLISHED);
    state $published;
    return $published if $published && $file eq $PUBLISHED;
    open my $in, '<:raw', $file or die "cannot open the table '$file': $!\n";
    my $lines = Touchstone::Record::Largest::lines($in, "'$file'");
    my ($number, $columns, @entries) = (0);
    while (defined(my $line = $lines->())) {
        $number++;
        $line =~ s/\r?\n?\z//;
        next if $line =~ /\A(?:#|\z)/;
        my $entry = eval {
            $columns ? _entry($columns, $line) : do { $columns = _columns($line); undef }
        };
        die "'$file' line $number: $@" if $@;
        push @entries, $entry if $entry;
    }
    die "'$file' holds no result: expected a header with ", join(', ', @NEEDED), " and rows below it\n"
        if !@entries;
    $published = \@entries if $file eq $PUBLISHED;
    return \@entries;
}

# Whether the beginning of a text is that of a table.
sub looks_like {
    my ($text) = @_;
    return $text =~ /\A(?:\xef\xbb\xbf)?(?:#[^\n]*\n|\r?\n)*(?:[\w-]+,)*machine,(?:[\w-]+,)*index\b/ ? 1 : 0;
}

sub _columns {
    my ($line)  = @_;
    my @columns = split /,/, $line =~ s/\A\xef\xbb\xbf//r, -1;
    my %seen;
    $seen{$_}++ && die "the column '", short(plain($_), $SHOWN), "' is there twice\n" for @columns;
    $seen{$_} || die "there is no column '$_'\n" for @NEEDED;
    return \@columns;
}

sub _entry {
    my ($columns, $line) = @_;
    my @fields = split /,/, $line, -1;
    die scalar(@fields), ' fields, expected ', scalar(@$columns), "\n" if @fields != @$columns;
    my %row;
    @row{@$columns} = @fields;
    for my $column (grep { defined $row{$_} && length $row{$_} } keys %FORM) {
        my ($form, $expected) = @{ $FORM{$column} };
        die "$column is '", short(plain($row{$column}), $SHOWN), "', expected $expected\n"
            if $row{$column} !~ /\A$form\z/;
    }
    die "$_ is empty\n" for grep { !length $row{$_} } @NEEDED;
    die "the index is 0\n" if $row{index} == 0;
    my %scores = map { $_ => $row{$_} } grep { $row{$_} } @TESTS;
    return {
        (map { $_ => plain($row{$_} // '') } qw(machine cpu class date source flags)),
        family => plain($row{cpu_class} // ''),
        copies => 0 + $row{copies},
        index  => 0 + $row{index},
        $row{cpus}                     ? (cpus    => 0 + $row{cpus})         : (),
        length($row{unixbench} // '')  ? (version => plain($row{unixbench})) : (),
        !grep({ !$scores{$_} } @TESTS) ? (scores  => \%scores)               : ()
    };
}

# The index of some of the tests, from their scores.
sub index_of {
    my ($scores, @tests) = @_;
    state $baselines = Touchstone::Compare::Baseline::load("$HOME/pgms/index.base");
    return 10 * exp(sum(map { log($scores->{$_} / $baselines->{$_}) } @tests) / @tests);
}

# Appends rows, { column => value }, to a table; a new file begins with a header.
sub append {
    my ($file, @rows) = @_;
    my $is_new  = !-s $file;
    my $columns = $is_new ? \@COLUMNS                  : _columns_of($file);
    my $text    = $is_new ? join(',', @COLUMNS) . "\n" : '';
    for my $row (@rows) {
        $text .= join(',', map { _field($row->{$_}) } @$columns) . "\n";
    }
    open my $out, '>>:raw', $file or die "cannot append to '$file': $!\n";
    print {$out} $text or die "cannot append to '$file': $!\n";
    close $out         or die "cannot append to '$file': $!\n";
    return;
}

sub _columns_of {
    my ($file) = @_;
    Touchstone::Pack::Place::Table::read($file);
    open my $in, '<:raw', $file or die "cannot open the table '$file': $!\n";
    while (my $line = <$in>) {
        return _columns($line =~ s/\r?\n\z//r) if $line !~ /\A(?:#|\r?\n)/;
    }
    return;
}

# A comma would end the field.
sub _field { my ($value) = @_; return plain($value // '') =~ tr/,"/;'/r }

1;
