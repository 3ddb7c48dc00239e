#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A new test is one C file and one row: in a copy of the tree both are added, and nothing asks for more than a
# paragraph that explains the test.
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Touchstone::Machine::Command;

# Whoever adds a test hears from t/house/docs.t what is missing, and hears it once.
require "$Fake::BASE/docs/make/make.pl";
plan skip_all => 'the documents are not as they should be: t/house/docs.t says why' if Docs::complaints();

my $temp = File::Temp->newdir;
my $tree = "$temp/tree";
mkdir $_ or die "cannot make '$_': $!\n" for $tree, "$tree/pgms";
my @documents = qw(README README.md DESIGN.md CONTRIBUTING.md CHANGELOG.md SECURITY.md LICENSE docs);
system('cp', '-R', (map { "$Fake::BASE/$_" } @documents, qw(.ci Run Makefile lib src t testdir)), $tree) == 0
    or die "cannot copy the tree\n";
system('cp', glob("\Q$Fake::BASE\E/pgms/*.sh \Q$Fake::BASE\E/pgms/*.base \Q$Fake::BASE\E/pgms/*.csv"),
    "$tree/pgms") == 0
    or die "cannot copy what is measured\n";
my $rows = "$tree/lib/Touchstone/Suite/UnixBench/Rows.pm";

# Exit status and what is said by a script of the copy.
sub said {
    my (@command) = @_;
    my $here = Cwd::getcwd();
    chdir $tree or die "cannot enter '$tree': $!\n";
    my ($status, $said) =
        Touchstone::Machine::Command::output([ $^X, '-Ilib', '-It/lib', @command ], errors => 1);
    chdir $here or die "cannot go back: $!\n";
    return ($status, $said);
}

my $document = 'docs/tests/unixbench.md';

# What the program does does not matter here: t/house/docs.t builds the example of the documents.
Fake::write_file("$tree/src/unixbench/new-test.c", qq(#include "bench.h"\n));
my $row = "{ name => 'new-test', title => 'New Test', about => 'measure what nobody has measured' },";
Fake::write_file($rows, Fake::read_file($rows) =~ s/^(my \@OWN = \(\n)/$1    $row\n/mr);

subtest 'make docs writes the new test into the tables' => sub {
    my ($status, $said) = said('docs/make/make.pl', '--check');
    isnt($status, 0, 'without it the documents are not as they should be');
    like(
        $said,
        qr/^\Q$document\E is not as it would be made: run 'make docs'$/m,
        'which is said with the remedy'
    );
    ($status, $said) = said('docs/make/make.pl');
    is("$status $said", "0 docs/tests.md\n$document\n", 'the documents are written');
    my $text = Fake::read_file("$tree/$document");
    like($text, qr{^Without a baseline: [^|]*`new-test` \(New Test\)}m, 'the list of tests has it');
    like($text, qr/^\| `own` \| new-test /m,                            'and that of groups its name');
};

subtest 'then nothing is asked for but a paragraph about it' => sub {
    my ($status, $said) = said('docs/make/make.pl', '--check');
    is($said, "$document lacks a heading '### new-test' with what one count is\n", 'by its name');
    my $text = Fake::read_file("$tree/$document");
    $text =~ s/^(?=### clock$)/### new-test\n\nOne count is what one count is.\n\n/m;
    Fake::write_file("$tree/$document", $text);
    is(join(' ', said('docs/make/make.pl', '--check')), '0 ', 'with one all is well');
};

subtest 'no other test asks for anything, and no golden file changes' => sub {
    for my $test (qw(t/cli/suite.t t/house/docs.t)) {
        my ($status, $said) = said($test);
        is($status, 0, $test) or diag($said);
    }
    is(
        join(
            ' ',
            said(
                '-MFake', '-MScreen', '-e', 'my %now = Screen::files();
                print grep { $now{$_} ne Fake::read_file("t/golden/$_") } sort keys %now'
            )
        ),
        '0 ',
        'the lists'
    );
};

done_testing;
