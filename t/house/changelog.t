#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# CHANGELOG.md promises which scores are comparable, and what each suite measures (packaging/suites.csv)
# holds it to that.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib', 'packaging/lib';
use Amount;
use Fake;
use Comparability;
use Measured;
use Touchstone;

my $BASE = $Fake::BASE;

subtest 'our versions keep what they promise' => sub {
    plan skip_all => 'Perl came without Digest::SHA' if !eval { require Digest::SHA };
    my @entries = Comparability::entries(Fake::read_file("$BASE/CHANGELOG.md"));
    my @table   = Comparability::table(Fake::read_file("$BASE/packaging/suites.csv"));
    is($entries[0]{version}, $Touchstone::VERSION, 'the newest version is this one');
    my @tree = Measured::suites($BASE);
    is(join("\n", Comparability::complaints(\@entries, \@table, \@tree)), '', 'no complaint');
};

# --- invented versions: 'VERSION: SCORES' with claims, and 'VERSION SUITE=TESTS.DIGEST ...' of the table

my $DAY = '2027-01-01';

sub entries_of {
    my (@entries) = @_;
    return "# Changes\n\n" . join '', map {
        my ($version, $scores, @claims) = @$_;
        "## $version - $DAY\n\nScores: $scores\n\nText.\n\n"
            . join('', map { "- $_, $DAY: scores unchanged: a message is\n  longer; 1.001 times\n" } @claims)
            . "\n"
    } @entries;
}

sub table_of {
    my (@lines) = @_;
    return "version,suite,tests,digest\n" . join '', map {
        my ($version, @suites) = split ' ';
        map { my ($s, $t, $d) = /(\w+)=(\d)(\w)/; "$version,$s,$t," . $d x 64 . "\n" } @suites;
    } @lines;
}

# The last line of the table is the tree, unless there is another.
sub judged {
    my ($entries, $lines, $tree) = @_;
    my @tree   = Comparability::table(table_of('1.0.0 ' . ($tree // (split / /, $lines->[-1], 2)[1])));
    my @judged = eval {
        Comparability::complaints([ Comparability::entries(entries_of(@$entries)) ],
            [ Comparability::table(table_of(@$lines)) ], \@tree);
    };
    return join '; ', @judged, length $@ ? "died: $@" =~ s/\n//r : ();
}

my @FIRST = [ '7.1.0', 'first release' ];
my @PATCH = ([ '7.1.1', 'comparable with 7.1.0' ], @FIRST);
my $AT    = 'raise the version';

# What was changed, the entries, the table, what is said of them, and a tree that is not as the last line.
my @CASES = (
    [ 'a first release', [@FIRST], ['7.1.0 a=1a b=1b'], '' ],
    [
        'a tree that changed',
        [@FIRST], ['7.1.0 a=1a b=1b'], qr/^a is not what 7.1.0 measured: $AT/,
        'a=1c b=1b'
    ],
    [ 'a tree with one suite more', [@FIRST], ['7.1.0 a=1a'],      qr/^b is not what/, 'a=1a b=1b' ],
    [ 'a tree with one less',       [@FIRST], ['7.1.0 a=1a b=1b'], qr/^b is not what/, 'a=1a' ],
    [
        'a change without a word',
        [@FIRST],
        [ '7.1.0 a=1a', '7.1.0 a=1c' ],
        qr/^7.1.0: a changed, and there is no word/
    ],
    [ 'a change with one', [ [ '7.1.0', 'first release', 'a' ] ], [ '7.1.0 a=1a', '7.1.0 a=1c' ], '' ],
    [
        'two with one',
        [ [ '7.1.0', 'first release', 'a' ] ],
        [ '7.1.0 a=1a', '7.1.0 a=1c', '7.1.0 a=1d' ],
        qr/no word why/
    ],
    [
        'a word without a change',
        [ [ '7.1.0', 'first release', 'a' ] ],
        ['7.1.0 a=1a'],
        qr/did not change as often/
    ],
    [ 'a patch',              \@PATCH, [ '7.1.0 a=1a', '7.1.1 a=1a' ], '' ],
    [ 'a patch that changes', \@PATCH, [ '7.1.0 a=1a', '7.1.1 a=1c' ], qr/^7.1.1: a changed/ ],
    [
        'a patch that shows it changes no score',
        [ [ '7.1.1', 'comparable with 7.1.0', 'a' ], @FIRST ],
        [ '7.1.0 a=1a',                              '7.1.1 a=1c' ],
        ''
    ],
    [
        'a patch with a new suite',
        \@PATCH,
        [ '7.1.0 a=1a', '7.1.1 a=1a b=1b' ],
        qr/b is new, which takes a new second number/
    ],
    [
        'a patch that says minor',
        [ [ '7.1.1', 'comparable with 7.1.0, new: b' ], @FIRST ],
        [ '7.1.0 a=1a',                                 '7.1.1 a=1a' ],
        qr/by its number/
    ],
    [
        'a patch of another version',
        [ [ '7.1.1', 'comparable with 7.0.0' ], @FIRST ],
        [ '7.1.0 a=1a',                         '7.1.1 a=1a' ],
        qr/by its number 'comparable with 7.1.0'/
    ],
    [
        'a minor',
        [ [ '7.2.0', 'comparable with 7.1.0, new: the suite b' ], @FIRST ],
        [ '7.1.0 a=1a', '7.2.0 a=1a b=1b' ], ''
    ],
    [
        'a minor that loses a suite',
        [ [ '7.2.0', 'comparable with 7.1.0, new: b' ], @FIRST ],
        [ '7.1.0 a=1a',                                 '7.2.0 b=1b' ],
        qr/a is gone, which takes a new first number/
    ],
    [
        'a minor that changes',
        [ [ '7.2.0', 'comparable with 7.1.0, new: b' ], @FIRST ],
        [ '7.1.0 a=1a',                                 '7.2.0 a=1c b=1b' ],
        qr/^7.2.0: a changed/
    ],
    [
        'a minor with tests of a new version',
        [ [ '7.2.0', 'comparable with 7.1.0, new: b', 'a' ], @FIRST ],
        [ '7.1.0 a=1a',                                      '7.2.0 a=2c b=1b' ],
        qr/new version, which takes a new first number/
    ],
    [
        'a minor without a word of what is new',
        [ [ '7.2.0', 'comparable with 7.1.0' ], @FIRST ],
        [ '7.1.0 a=1a',                         '7.2.0 a=1a b=1b' ],
        qr/by its number/
    ],
    [
        'a major',
        [ [ '8.0.0', 'not comparable with 7.1.0' ], @FIRST ],
        [ '7.1.0 a=1a b=1b', '8.0.0 a=2c b=1b' ], ''
    ],
    [
        'a major whose tests are of the old version',
        [ [ '8.0.0', 'not comparable with 7.1.0' ], @FIRST ],
        [ '7.1.0 a=1a',                             '8.0.0 a=1c' ],
        qr/its tests are still version 1/
    ],
    [
        'a major that says it is comparable',
        [ [ '8.0.0', 'comparable with 7.1.0' ], @FIRST ],
        [ '7.1.0 a=1a',                         '8.0.0 a=1a' ],
        qr/by its number 'not comparable/
    ],
    [
        'versions upside down',
        [ @FIRST, [ '7.1.1', 'comparable with 7.1.0' ] ],
        ['7.1.0 a=1a'],
        qr/^died: 7.1.0 stands above 7.1.1/
    ],
    [ 'a version without lines', \@PATCH,  ['7.1.0 a=1a'],                 qr/the table lacks 7.1.1/ ],
    [ 'lines without a version', [@FIRST], [ '6.0.0 a=1a', '7.1.0 a=1a' ], qr/the table has 6.0.0/ ],
    [
        'a version of two digits',
        [ [ '7.10.0', 'first release' ] ],
        ['7.1.0 a=1a'],
        qr/^died: '7.10.0 .*three digits/
    ],
    [ 'words of its own', [ [ '7.1.0', 'fine' ] ], ['7.1.0 a=1a'], qr/^died: 7.1.0: 'Scores: fine' is not/ ],
);

for my $case (@CASES) {
    my ($what, $entries, $lines, $expected, $tree) = @$case;
    subtest $what => sub {
        my $got = judged($entries, $lines, $tree);
        ref $expected ? like($got, $expected, 'refused') : is($got, $expected, 'no complaint');
    };
}

subtest 'what is no changelog is refused with its place' => sub {
    my $good = entries_of(@FIRST);
    my %bad  = (
        '' => qr/there is no entry/,
        $good =~ s/Scores: .*\n//r       => qr/7.1.0 has 0 lines 'Scores/,
        $good =~ s/(Scores: .*\n)/$1$1/r => qr/7.1.0 has 2 lines/,
        $good =~ s/ - 2027.*//r          => qr/no version of three digits with its day/,
        "$good- a: scores unchanged: it is so; 1.0\n"   => qr/is no 'SUITE, DAY/,
        "$good- a, $DAY: scores unchanged: it is so\n"  => qr/the claim of a has no figure/,
        "$good- a, $DAY: scores unchanged: so; large\n" => qr/the claim of a has no figure/,
    );
    like(eval { Comparability::entries($_); 'read' } // $@, $bad{$_},            $bad{$_}) for sort keys %bad;
    like(eval { Comparability::table($_);   'read' } // $@, qr/table of suites/, 'a table')
        for '', "a,b\n", "version,suite,tests,digest\n7.1.0,a,1,xyz\n";
};

subtest 'comments and blanks do not count, and all else does' => sub {
    my $c    = "/* a */\n#define A(x) (x)\nint f(int a) // b\n{\n\treturn a + g(\"/* s */\", '\"');\n}\n";
    my %same = (
        'a comment'   => [ 'x.c',   $c, $c =~ s{/\* a \*/}{/* other,\n two lines */}r =~ s{// b}{}r ],
        'blanks'      => [ 'x.c',   $c, $c =~ s/\t/    /r     =~ s/\(int a\)/( int  a )/r ],
        'lines'       => [ 'x.c',   $c, $c =~ s/ \{\n/\n\n{/r =~ s/f\(int/f(\nint/r ],
        'of a script' => [ 'x.sh',  "#!/bin/sh\n# a\nsort -u\n", "#!/bin/sh\n\n\tsort  -u\n" ],
        'of Fortran'  => [ 'x.f90', "a = 1 ! one\nb = '!'\n",    "  a = 1\n\nb = '!' ! two\n" ],
    );
    my %other = (
        'a text'             => [ 'x.c',           $c, $c =~ s{/\* s \*/}{/* t */}r ],
        'a sign'             => [ 'x.c',           $c, $c =~ s/\+/-/r ],
        'a macro'            => [ 'x.c',           $c, $c =~ s/A\(x\)/A (x)/r ],
        'a word of a script' => [ 'x.sh',          "sort -u\n",   "sort -r\n" ],
        'a text of Fortran'  => [ 'x.f90',         "b = '! a'\n", "b = '! b'\n" ],
        'a line of an input' => [ 'p/testdir/x.c', "int a;\n",    "int  a;\n" ],
    );
    is(Measured::stripped(@{ $same{$_} }[ 0, 1 ]), Measured::stripped(@{ $same{$_} }[ 0, 2 ]), $_)
        for sort keys %same;
    isnt(Measured::stripped(@{ $other{$_} }[ 0, 1 ]), Measured::stripped(@{ $other{$_} }[ 0, 2 ]), $_)
        for sort keys %other;
};

# --- a copy of the tree

# A change of a file, and the suites that it changes.
my $ALL     = 'byte1984 bytemark lbt lmb1997 modern platform storage truth unixbench';
my @CHANGES = (
    [ 'the harness',       'src/bench.c',                   '$', "int more;\n",  $ALL ],
    [ 'a comment in it',   'src/bench.c',                   '$', "/* more */\n", '' ],
    [ 'a program',         'src/bytemark/idea.c',           '$', "int more;\n",  'bytemark' ],
    [ 'what suites share', 'src/modern/shared/' . 'team.c', '$', "int more;\n",  'modern storage truth' ],
    [ 'flags of a suite', 'Makefile', 'FLAGS_byte1984 := \$\(call flags,-O2', '$& -g',           'byte1984' ],
    [ 'flags of all',     'Makefile', 'NO_LTO := -fno-lto',                   'NO_LTO := -flto', $ALL ],
    [ 'a target of the Makefile', 'Makefile',         'dist:\n', "more:\n\ndist:\n", '' ],
    [ 'a script',                 'pgms/tst.sh',      '$',       "sort x\n",         'byte1984 unixbench' ],
    [ 'an input',                 'testdir/sort.src', '$',       "more\n",           'unixbench' ],
    [
        'a baseline',                  'pgms/index.base',
        'pipe\|10\|lps\|12440\|12440', 'pipe|10|lps|12441|12441',
        'lbt unixbench'
    ],
    [ 'how a test is run',     'lib/Touchstone/Suite/Modern/Rows.pm', '262_144, 1', '262_144, 2', 'modern' ],
    [ 'what a test is called', 'lib/Touchstone/Suite/Modern/Rows.pm', 'JSON parsing', 'JSON texts', '' ],
);

subtest 'a change of what is measured changes the digests of its suites, and no other' => sub {
    plan skip_all => 'Perl came without Digest::SHA' if !eval { require Digest::SHA };
    my $copy = File::Temp->newdir;
    mkdir "$copy/$_" for qw(pgms testdir);
    system('cp', '-R', map({ "$BASE/$_" } qw(Makefile src lib packaging CHANGELOG.md)), "$copy") == 0
        && system('cp', glob("'$BASE/pgms/'*.{sh,csv,base}"), "$copy/pgms") == 0
        && system('cp', glob("'$BASE/testdir/'*"),            "$copy/testdir") == 0
        or die "cannot copy the tree\n";
    my $digests = sub {
        my %of = map { (split /,/)[ 1, 3 ] } split /\n/, `'$^X' '$copy/packaging/project/digests' --print`;
        return \%of;
    };
    my $before = $digests->();
    is(join(' ', sort keys %$before), $ALL, 'every suite has a digest');
    for my $change (grep { Amount::is_all() || $_->[0] =~ /harness|flags of all|a baseline/ } @CHANGES) {
        my ($what, $file, $old, $new, $suites) = @$change;
        my $text    = Fake::read_file("$copy/$file");
        my $changed = $old eq '$' ? "$text$new" : $text =~ s/$old/$new =~ s,\$&,$&,r/er;
        isnt($changed, $text, "$what: something changes");
        Fake::write_file("$copy/$file", $changed);
        my $now = $digests->();
        is(join(' ', grep { ($now->{$_} // '') ne $before->{$_} } sort keys %$before), $suites, $what);
        Fake::write_file("$copy/$file", $text);
    }
};

done_testing;
