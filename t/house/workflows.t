#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The workflows of GitHub call nothing but programs of this tree, which are tried without GitHub, and
# CITATION.cff names the version of CHANGELOG.md.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use Touchstone;

my $BASE = $Fake::BASE;

# All that a step may be. It runs a program of the tree, or checks the tree out.
my $PROGRAM = qr{\A((?:\.ci/run)|(?:packaging/\w+/build))(?: [\w.-]+)?\z};
my $ACTION  = qr{\Aactions/checkout\@v\d+\z};

# Returns what a workflow must not have.
sub faults {
    my ($text) = @_;
    my @faults =
        map   { "no step: '$_'" }
        grep  { !/\A(?:uses|run): / } $text =~ /^ +steps:\n((?: +- .*\n)*)/m
        ? map { s/\A +- //r } split /\n/, $1
        : '';
    push @faults, map { "uses '$_'" } grep { !/$ACTION/ } $text  =~ /^[ -]*uses: *(.*)$/mg;
    push @faults, map { "runs '$_'" } grep { !/$PROGRAM/ } $text =~ /^[ -]*run: *(.*)$/mg;
    push @faults, 'may write' if $text !~ /^permissions:\n  contents: read\n(?! )/m || $text =~ /\bwrite\b/;
    push @faults, "has '$1'"  if $text =~ /(\$\{\{|\bsecrets\b|pull_request_target|\bshell:|\bwith:|\benv:)/;
    return @faults;
}

my %workflow =
    map { m{([^/]+)\.yml\z} ? ($1 => Fake::read_file($_)) : () } glob "'$BASE/.github/workflows/'*";

subtest 'the workflows call programs of the tree and nothing else' => sub {
    is(join(' ', sort keys %workflow), 'ci release', 'there are two');
    for my $name (sort keys %workflow) {
        is(join('; ', faults($workflow{$name})), '', $name);
        my @programs = map { /$PROGRAM/ ? $1 : () } $workflow{$name} =~ /^[ -]*run: *(.*)$/mg;
        cmp_ok(scalar @programs, '>', 0, "$name runs something");
        ok(-x "$BASE/$_", "$name: $_ is a program") for @programs;
    }
    is(join(' ', $workflow{ci} =~ /run: (.*)/g), '.ci/run', 'ci is .ci/run');
};

# A star means any text there, in brackets one of these letters.
subtest 'the tag that a maintainer sets starts the release' => sub {
    my ($tag)     = Fake::read_file("$BASE/docs/packages.md") =~ /^3\. `git tag -s (\S+)`$/m;
    my ($pattern) = $workflow{release}                        =~ /^    tags: \['(\S+)'\]$/m;
    my $tags      = $pattern                                  =~ s/\./\\./gr =~ s/\*/.*/gr;
    like($tag =~ s/VERSION/$Touchstone::VERSION/r, qr/\A$tags\z/, "$tag fits $pattern");
    unlike($Touchstone::VERSION, qr/\A$tags\z/, 'another form does not');
};

subtest 'what a workflow must not have is found' => sub {
    my $good = $workflow{ci};
    my %bad  = (
        'another command'  => $good =~ s{run: \.ci/run}{run: make}r,
        'a second command' => $good =~ s{run: \.ci/run}{run: .ci/run && make}r,
        'lines of shell'   => $good =~ s{run: \.ci/run}{run: |\n          make}r,
        'another action'   => $good =~ s{actions/checkout}{others/checkout}r,
        'a moving version' => $good =~ s{checkout\@v\d+}{checkout\@main}r,
        'more permissions' => $good =~ s{contents: read}{contents: write}r,
        'none'             => $good =~ s{^permissions:\n.*\n}{}mr,
        'a secret'         => "$good          env: x\n",
        'words of others'  => $good =~ s{\.ci/run}{.ci/run \${{ github.head_ref }}}r,
    );
    for my $what (sort keys %bad) {
        isnt($bad{$what}, $good, "$what is there");
        cmp_ok(scalar(faults($bad{$what})), '>', 0, $what);
    }
};

subtest 'the citation names the newest version and its day' => sub {
    my $text = Fake::read_file("$BASE/CITATION.cff");
    my ($version, $day) = Fake::read_file("$BASE/CHANGELOG.md") =~ /^## (\S+) - (\S+)$/m;
    like($text, qr/^version: \Q$version\E$/m,   'version');
    like($text, qr/^date-released: \Q$day\E$/m, 'day');
    is($version, $Touchstone::VERSION, 'which is this one');
};

subtest 'the licence is the same in both places' => sub {
    is(
        Fake::read_file("$BASE/LICENSES/GPL-2.0-or-later.txt"),
        Fake::read_file("$BASE/LICENSE"),
        'LICENSES/GPL-2.0-or-later.txt'
    );
};

done_testing;
