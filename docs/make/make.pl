#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes into the documents what they repeat: make docs. What it makes stands between two lines, of which the
# first says what it is:
#
#   <!-- made by make docs: groups lbt -->
#   ...
#   <!-- end -->
#
# With --check it changes nothing, says what is not as it would be made and which test is not explained, and
# ends with 1.
package Docs;
use 5.014;
use strict;
use warnings;

use Cwd ();

my $BASE;

BEGIN {
    ($BASE) = Cwd::abs_path(__FILE__) =~ m{(.*)/docs/make/};
}
use lib "$BASE/lib", "$BASE/docs/make";
use Links;
use Options;
use Tables;
use Touchstone::Suite;

my %TABLE = map { $_ => Tables->can($_) } qw(tests groups indexes choices suites schedules typical versions);

sub _read {
    my ($file) = @_;
    open my $in, '<:raw', "$BASE/$file" or die "cannot open '$file': $!\n";
    local $/;
    return scalar <$in>;
}

# Every document, with its path in the tree.
sub documents {
    return ('README', 'DESIGN.md', 'CONTRIBUTING.md',
        map { s{\A\Q$BASE\E/}{}r } sort glob("'$BASE/docs/*.md' '$BASE/docs/tests/*.md'"));
}

# The tests that a document explains, each below a heading such as "### shell1, shell8".
sub explained {
    my ($text) = @_;
    return { map { $_ => 1 } map { split /, /, $_->[1] } grep { $_->[0] == 3 } Links::headings($text) };
}

sub _made {
    my ($what, $suite, $base) = @_;
    my ($kind, $of) = split ' ', $what;
    return Options::made(_read('Run')) . "\n" if $kind eq 'options';
    my $table = $TABLE{$kind} or die "make docs cannot make '$what'\n";
    return $table->($suite, $base, $of);
}

# A document with everything as it should be.
sub _filled {
    my ($text, @from) = @_;
    return $text =~ s{^(<!-- made by make docs: (.+?) -->\n).*?^(<!-- end -->)}
        {$1 . "\n" . _made($2, @from) . "\n" . $3}gemsr;
}

# Texts by their files: as they are, and as they should be.
sub texts {
    my ($suite) = @_;
    my $base    = _read('pgms/index.base');
    my %text    = map { $_ => _read($_) } documents();
    my %made    = map { $_ => _filled($text{$_}, $suite, $base) } keys %text;
    return (\%text, \%made);
}

# Which tests of a suite have no heading in its document, and which headings are of no test.
sub _unexplained {
    my ($suite, $text) = @_;
    my @complaints;
    for my $name (sort keys %{ $suite->suites_of($suite->tests) }) {
        my $file  = "docs/tests/$name.md";
        my $found = explained($text->{$file} // '');
        my %is    = map { $_->{name} => 1 } grep { $_->{suite} eq $name } $suite->tests;
        push @complaints, map { "$file lacks a heading '### $_' with what one count is" }
            grep { !$found->{$_} } sort keys %is;
        push @complaints, map { "$file explains '$_', which is no test" } grep { !$is{$_} } sort keys %$found;
    }
    return @complaints;
}

# What --check says.
sub complaints {
    my $suite = Touchstone::Suite::load();
    my ($text, $made) = texts($suite);
    return (
        (
            map  { "$_ is not as it would be made: run 'make docs'" }
            grep { $text->{$_} ne $made->{$_} } sort keys %$made
        ),
        _unexplained($suite, $text)
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
