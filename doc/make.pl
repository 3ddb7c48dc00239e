#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes into the documents what they repeat: make docs. With --check it changes nothing, says what is not as
# it would be made and which test lacks its paragraph, and ends with 1.
package Docs;
use 5.014;
use strict;
use warnings;

use Cwd ();

my $BASE;

BEGIN {
    ($BASE) = Cwd::abs_path(__FILE__) =~ m{(.*)/doc/};
}
use lib "$BASE/lib", "$BASE/doc";
use Manual;
use Tables;
use Touchstone::Suite;

my @WITH_TABLES = qw(README USAGE);

sub _read {
    my ($file) = @_;
    open my $in, '<:raw', "$BASE/$file" or die "cannot open '$file': $!\n";
    local $/;
    return scalar <$in>;
}

# Texts by their files: as they are, and as they should be.
sub texts {
    my ($suite)   = @_;
    my $baselines = _read('pgms/index.base');
    my %text      = map { $_ => _read($_) } @WITH_TABLES, 'Run';
    my %made      = map { $_ => Tables::made($text{$_}, $suite, $baselines) } @WITH_TABLES;
    $made{Run} = Manual::made($text{Run}, $text{USAGE});
    return (\%text, \%made);
}

# What --check says.
sub complaints {
    my $suite = Touchstone::Suite::load();
    my ($text, $made) = texts($suite);
    return (
        (map { "no document has a table with the heading '$_'" } Tables::lacking(@$text{@WITH_TABLES})),
        (
            map  { "$_ is not as it would be made: run 'make docs'" }
            grep { $text->{$_} ne $made->{$_} } sort keys %$made
        ),
        map { Tables::paragraphs($_, $text->{$_}, $suite) } @WITH_TABLES
    );
}

sub _check {
    my @complaints = complaints();
    print map { "$_\n" } @complaints;
    return @complaints ? 1 : 0;
}

sub main {
    my (@words) = @_;
    return _check() if "@words" eq '--check';
    my ($text, $made) = texts(Touchstone::Suite::load());
    for my $file (grep { $text->{$_} ne $made->{$_} } sort keys %$made) {
        open my $out, '>:raw', "$BASE/$file" or die "cannot write '$file': $!\n";
        print {$out} $made->{$file};
        close $out or die "cannot write '$file': $!\n";
        print "$file\n";
    }
    return 0;
}

exit main(@ARGV) unless caller;

1;
