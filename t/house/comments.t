#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The form of comments and lines: a comment is a sentence with a subject, so none begins with "Of" or "Who",
# and no line of Perl, C, the Makefile or .ci/run is longer than 110 columns.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use Fake;

my $COLUMNS = 110;
my @PLACES  = qw(Makefile Run src t lib);

# A text that users read, or a pattern, stays in one piece however long it is, so that a search finds it.
my $PIECE =
    qr/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b(?:q[qr]?|m)(?:\{.*\}|\(.*\)|<.*>|\/.*\/)|\bs\/.*\/|!\/.*\//;
my $LONG = 50;

# Returns 'number: comment' for each line with such a sentence. A line that follows no comment, or the end of
# a sentence, begins a sentence. Samples are indented by more than a blank, and are not read.
sub without_subject {
    my ($text) = @_;
    my ($number, $begins, @found) = (0, 1);
    for my $line (split /\n/, $text) {
        $number++;
        my ($alone)  = $line =~ m{^\s*(?:[#!]|//|/?\*) (\S.*)};
        my ($behind) = $line =~ m{\S\s+(?:#|//|/\*) (\S.*)};
        my $comment  = $alone // $behind // '';
        push @found, "$number: $comment"
            if $comment =~ /[.?!] (?:Of|Who)\b/
            || ($begins || !defined $alone) && $comment =~ /^(?:Of|Who)\b/;
        $begins = !defined $alone || $alone =~ m{[.?!:]\s*(?:\*/)?$};
    }
    return @found;
}

# Returns [number, line] for each line of Perl, without here-documents and what follows the end of the module.
sub perl_lines {
    my ($text) = @_;
    my ($number, $end, @lines) = (0);
    for my $line (split /\n/, $text) {
        $number++;
        if (defined $end) {
            undef $end if $line eq $end;
            next;
        }
        last if $line =~ /\A__(?:DATA|END)__\z/;
        push @lines, [ $number, $line ];
        $end = $1 if $line =~ /<<['"]?([A-Z]\w*)['"]?/;
    }
    return @lines;
}

# A sample in a comment, indented by more than a blank, may be as long as what it shows.
sub is_too_long {
    my ($line) = @_;
    return 0                 if length $line <= $COLUMNS;
    return $line !~ /\A#   / if $line =~ /\A\s*#/;
    return max(0, map { length } $line =~ /($PIECE)/g) < $LONG;
}

# Returns the files below some places of the tree whose path fits a pattern.
sub files {
    my ($pattern, @places) = @_;
    my @files;
    find({ no_chdir => 1, wanted => sub { push @files, $_ if -f && $_ =~ $pattern } },
        map { "$Fake::BASE/$_" } @places);
    return sort @files;
}

subtest 'a sentence without a subject is found wherever it begins' => sub {
    my %found = (
        '# Of a thing.'                     => 1,
        "/*\n * A sentence.\n * Who reads." => 1,
        "int i;\t/* Of a thing */"          => 1,
        '# A sentence. Of a thing.'         => 1,
        "# Some\n# Of these begin later."   => 0,
        "# Sample:\n#\n#   Of a thing"      => 0,
        "print 'Of a thing';"               => 0
    );
    is(scalar(without_subject($_)), $found{$_}, s/\n/|/gr) for sort keys %found;
};

subtest 'every comment has a subject' => sub {
    my @files = files(qr/\.(?:[cht]|p[lm]|f90|mk|js)\z|\/(?:Makefile|Run)\z/, @PLACES);
    cmp_ok(scalar @files, '>', 200, 'the files were found');
    is(join("\n", without_subject(Fake::read_file($_))), '', $_) for @files;
};

subtest "no line of Perl has more than $COLUMNS columns, but for texts and patterns in one piece" => sub {
    for my $file (files(qr/\.(?:p[lm]|t)\z/, qw(lib src t docs))) {
        my @long = grep { is_too_long($_->[1]) } perl_lines(Fake::read_file($file));
        is(join("\n", map { "$_->[0]: $_->[1]" } @long), '', $file);
    }
};

subtest "no other line has more than $COLUMNS columns" => sub {
    for my $file (files(qr/\.(?:[ch]|mk)\z|\/Makefile\z|\/\.ci\/run\z/, qw(src .ci Makefile))) {
        my @lines = split /\n/, Fake::read_file($file);
        is(join("\n", grep { length > $COLUMNS } @lines), '', $file);
    }
};

done_testing;
