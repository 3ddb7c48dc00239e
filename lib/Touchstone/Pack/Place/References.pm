# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::References - results to compare with: the published table, a table of one's own, records, text
# reports, or a directory of these. read(PATH) gives
#
#   { name => 'published', entries => [ those of Pack::Place::Table ], records => 1 if all are records,
#     damaged => [ { file, why } ] }
package Touchstone::Pack::Place::References;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);
use Touchstone::Compare::Run;
use Touchstone::Pack::Place::Subject;
use Touchstone::Pack::Place::Table qw($PUBLISHED);
use Touchstone::Record;
use Touchstone::Record::ResultReader;
use Touchstone::Score;
use Touchstone::Suite;

our $NAME = 'published';

# The bytes of a file that can show a table.
my $BEGINNING = 16_384;

my $RECORD = qr/\.json(?:l|\.gz)?\z/;

sub read {
    my ($path) = @_;
    return { name => $NAME, entries => Touchstone::Pack::Place::Table::read($PUBLISHED), damaged => [] }
        if $path eq $NAME;
    my @files = -d $path ? _files($path) : ($path);
    my (@entries, @damaged, %known);
    my $others = 0;
    for my $file (@files) {
        my ($is_record, $found) = eval { _of_file($file, \%known) };
        if (!$found) {
            die $@ if $file eq $path;
            push @damaged, { file => plain($file), why => plain($@ =~ s/\n.*//sr) };
            next;
        }
        $others++ if !$is_record;
        push @entries, @$found;
    }
    return { name => $path, entries => \@entries, records => $others ? 0 : 1, damaged => \@damaged };
}

# The files of a directory; that of results has its records in .runs/.
sub _files {
    my ($directory) = @_;
    opendir my $dir, $directory or die "cannot read '$directory': $!\n";
    my @names = sort grep { !/\A\./ && -f "$directory/$_" } readdir $dir;
    return map { "$directory/$_" } @names if grep { /$RECORD/ || /\.csv\z/ } @names;
    return _files("$directory/.runs") if -d "$directory/.runs";
    return map { "$directory/$_" } @names;
}

# (1 for records, [ entries ])
sub _of_file {
    my ($file, $known) = @_;
    return (0, Touchstone::Pack::Place::Table::read($file)) if _is_table($file);
    return (1, [ _of_record($file, $known) ])               if $file =~ /$RECORD/;
    return (0, [ map { Touchstone::Pack::Place::Subject::of_run($_) } reports($file) ]);
}

sub _is_table {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot open '$file': $!\n";
    CORE::read($in, my $text, $BEGINNING);
    return Touchstone::Pack::Place::Table::looks_like($text // '');
}

# Runs of a text report or of a pasted block.
sub reports {
    my ($file) = @_;
    return Touchstone::Compare::Run::load_each($file, undef, Touchstone::Suite::load()->titles);
}

sub _of_record {
    my ($file, $known) = @_;
    my $text = Touchstone::Record->text_of($file);
    my ($facts, $results) = Touchstone::Record::ResultReader::parted($text, $known);
    if (!$facts) {
        $facts   = Touchstone::Record->of_text($file, $text);
        $results = Touchstone::Score::scores($facts);
    }
    return Touchstone::Pack::Place::Subject::of_record($facts, $results);
}

1;
