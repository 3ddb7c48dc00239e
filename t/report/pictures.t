#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The example pages and pictures of the documents: they can be made from the invented runs, and are small.
use 5.014;
use strict;
use warnings;

use File::Glob qw(bsd_glob);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Pty;
use Touchstone::Machine::Command;

# What a README may load.
my %MOST = (html => 300_000, png => 120_000, svg => 120_000);

subtest 'pages and pictures of the documents are small' => sub {
    my @files = map { bsd_glob("$Fake::BASE/docs/*.$_") } sort keys %MOST;
    cmp_ok(scalar @files, '>=', 14, 'they are there');
    for my $file (@files) {
        my ($name, $kind) = $file =~ m{([^/]+\.(\w+))\z};
        cmp_ok(-s $file, '<', $MOST{$kind}, $name);
    }
};

subtest 'a page loads nothing, and leads to no file that is not there' => sub {
    for my $file (bsd_glob("$Fake::BASE/docs/*.html")) {
        my @addresses = Fake::read_file($file) =~ /\b(?:src|href)="(?!#|data:)([^"]*)"/g;
        is("@addresses", '', $file =~ s{.*/}{}r);
        unlike(Fake::read_file($file), qr{/tmp/|UB_RESULTDIR},
            'and names no place of the machine that made it');
    }
};

subtest 'pages and terminal are made from the invented runs' => sub {
    plan skip_all => 'no pseudo-terminals here' if !Pty->new(80);
    my $place = File::Temp->newdir;
    my ($status, $said) =
        Touchstone::Machine::Command::output(
        [ $^X, "$Fake::BASE/docs/make/pictures.pl", '--pages', "$place" ],
        errors => 1);
    is($status, 0, 'make pictures, without the photographs') or diag($said);
    unlike($said, qr/more than| line \d+/, 'nothing is too large, and Perl has no remark');
    my ($svg) = map { Fake::read_file($_) } grep { -e } "$place/terminal.svg";
    my $shown = ($svg // '') =~ s/<[^>]*>//gr =~ s/\xc2\xa0/ /gr;
    like($shown, qr/12 tests/,           'the terminal has the plan');
    like($shown, qr/index\b.*\b1 copy/s, 'and the index');
    unlike($shown, qr{/tmp|\bdie\b}, 'but no place of this machine');
};

done_testing;
