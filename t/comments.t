#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The form of comments and lines in lib: no sentence of a comment begins with "Of" or "Who", whose subject a
# reader would have to guess, and no line of Perl is longer than 110 columns.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use Fake;

my $COLUMNS = 110;

# The rooms that are in this form; qr{} stands for all of lib.
my $FORMED = qr{
    \A(?:
        (?:Base|Stats|Machine|Build|Terminal)(?:/|\.pm\z)
        | Record/(?:Channel|ClassicReader|Json|Block/.*)\.pm\z
        | Suite/(?:Published|\w+/(?:Parts|Field|KernelSource|Hardware|Published))\.pm\z
        | Report/(?:Classic|Csv|Html|Log|Markdown|Page|Browse|Compare)\.pm\z
        | Report/(?:Page|Browse|Compare|Html/(?!Headline))
        | Cli/(?:Answer|Comparison|Listing|Manual|Completion/.*|Verb/(?:Help|Version|Manual|List|Completion))\.pm\z
    )
}x;

# A text that users read, or a pattern, stays in one piece however long it is, so that a search finds it.
my $PIECE = qr/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\bq[qr]?(?:\{.*\}|\/.*\/)|\bs\/.*\//;
my $LONG  = 50;

my $lib = "$Fake::BASE/lib/Touchstone";
my @modules;
find(
    {
        no_chdir => 1,
        wanted   => sub {
            my ($module) = m{\A\Q$lib\E/(.*\.pm)\z};
            push @modules, $module if defined $module && $module =~ $FORMED;
        }
    },
    $lib
);

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

sub is_too_long {
    my ($line) = @_;
    return 0 if length $line <= $COLUMNS;
    return 1 if $line =~ /\A\s*#/;
    return max(0, map { length } $line =~ /($PIECE)/g) < $LONG;
}

my (@riddles, @long);
for my $module (sort @modules) {
    my $text = Fake::read_file("$lib/$module");
    my $number;
    for my $line (split /\n/, $text) {
        $number++;
        push @riddles, "$module:$number: $line" if $line =~ /^\s*# (?:.*[.:;] )?(?:Of|Who)\b/;
    }
    push @long, map { "$module:$_->[0]: $_->[1]" } grep { is_too_long($_->[1]) } perl_lines($text);
}

subtest 'no sentence of a comment begins with "Of" or "Who"' => sub {
    ok(@modules, 'modules were read');
    is(join("\n", @riddles), '', 'none does');
};

subtest "no line of Perl has more than $COLUMNS columns, but for texts and patterns in one piece" => sub {
    is(join("\n", @long), '', 'none has');
};

done_testing;
