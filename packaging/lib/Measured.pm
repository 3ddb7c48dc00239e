# SPDX-License-Identifier: GPL-2.0-or-later
# Measured - the digest of all that the scores of a suite come from: its sources and the harness, its flags
# in the Makefile, its scripts, inputs and baselines, and how its tests are run. Comments and blanks do not
# count.
package Measured;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Find qw(find);

use Packaging qw(slurp);

# Variables of the Makefile that hold for every suite.
my @FOR_ALL =
    qw(STANDARD FORTRAN_STANDARD TUNE FLAGS_harness NO_LTO HARNESS EXTRAS compile link compile_fortran
    flags flags_of);

# What a row says of how its test is run, and how a score comes from that.
my @OF_ROW = qw(name program args env place single team parts inputs kept warm better seen rule mean_of per
    index baseline scale version);

# Returns a line for each suite of a tree, whose lib is loaded: [ { suite, tests, digest } ]
sub suites {
    my ($root) = @_;
    require Touchstone::Suite;
    my %tests;
    push @{ $tests{ $_->{suite} } }, $_ for Touchstone::Suite::load()->tests;
    return map {
        my ($suite, @tests) = ($_, @{ $tests{$_} });
        my %text = _texts($root, $suite, @tests);
        my ($newest) = sort { $b <=> $a } map { $_->{version} } @tests;
        {
            suite  => $suite,
            tests  => $newest,
            digest => sha256_hex(map { sha256_hex($text{$_}) . "  $_\n" } sort keys %text)
        }
    } sort keys %tests;
}

# Returns all that counts, by its name.
sub _texts {
    my ($root, $suite, @tests) = @_;
    my $make  = slurp("$root/Makefile");
    my @files = (glob("'$root/src/'*.[ch]"), "$root/src/config.pl", _below("$root/src/$suite"));
    push @files, map { _below("$root/src/$_/shared") } $make =~ /^BORROWED_$suite := (.*)$/m;
    push @files, map { _source($root, $suite, $_) } map { ($_->{program}, @{ $_->{parts} || [] }) } @tests;
    push @files, _scripts($root, map { @{ $_->{args} } } @tests);
    push @files, map { _input($root, $_) } map { @{ $_->{inputs} } } @tests;
    push @files, _tables($root, @tests);
    my %text = map { s{\A\Q$root\E/}{}r => stripped($_, slurp($_)) } @files;
    $text{' flags'} = _flags($make, $suite, map { $_->{program} } @tests);
    $text{' tests'} = join "\n", sort map { _row($_) } @tests;
    return %text;
}

sub _below {
    my ($directory) = @_;
    return if !-d $directory;
    my @files;
    find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.(?:[ch]|f90|mk)\z/ && -f } }, $directory);
    return @files;
}

# The sources of a program that another suite has.
sub _source {
    my ($root, $suite, $program) = @_;
    return if -e "$root/src/$suite/$program.c";
    my @own = glob "'$root/src/'*'/$program.c'";
    return (@own, map { _below(s/\.c\z//r) } @own) if @own;
    my @makes = grep { slurp($_) =~ /(?<![\w-])\Q$program\E(?![\w-])/ } glob "'$root/src/'*/variants/*.mk";
    return map { _below(s{/[^/]*\z}{}r) } @makes;
}

# Scripts, and the scripts that these start.
sub _scripts {
    my ($root, @args) = @_;
    my @todo = map { m{\A%\{bin\}/(.+\.sh)\z} ? $1 : () } @args;
    my %seen;
    while (defined(my $name = shift @todo)) {
        next if $seen{$name}++;
        my $text = stripped($name, slurp("$root/pgms/$name"));
        push @todo, grep { -e "$root/pgms/$_" } $text =~ /([\w-]+\.sh)\b/g;
    }
    return map { "$root/pgms/$_" } keys %seen;
}

# An input that make writes stands for what writes it.
sub _input {
    my ($root, $name) = @_;
    my $maker = "$root/testdir/" . $name =~ s/\.txt\z/.pl/r;
    return $name =~ /\.txt\z/ && -e $maker ? $maker : "$root/testdir/$name";
}

sub _tables {
    my ($root, @tests) = @_;
    my %table = map { ("$root/pgms/$_->{baseline}[0].csv" => 1) } grep { $_->{baseline} } @tests;
    $table{"$root/pgms/index.base"} = 1 if grep { $_->{index} && !$_->{baseline} } @tests;
    return keys %table;
}

sub _flags {
    my ($make, $suite, @programs) = @_;
    my $joined = _lines_of_make($make);
    my $own    = join '|', map { quotemeta } $suite, @programs;
    my @common = map { $joined =~ /^($_ :?= .*|$_ :=)$/m ? $1 : die "the Makefile has no $_\n" } @FOR_ALL;
    return join "\n", @common, $joined =~ /^([A-Z_]+_(?:$own)(?:_[\w-]+)? :?=.*)$/mg;
}

sub _lines_of_make { my ($text) = @_; return stripped('x.mk', $text =~ s/\\\n\s*/ /gr) }

sub _row {
    my ($test) = @_;
    return join ' ', map { "$_=" . _plain($test->{$_}) } grep { defined $test->{$_} } @OF_ROW;
}

sub _plain {
    my ($value) = @_;
    return '(' . join(',', map { _plain($_) } @$value) . ')' if ref $value eq 'ARRAY';
    return '{' . join(',', map { "$_=" . _plain($value->{$_}) } sort keys %$value) . '}'
        if ref $value eq 'HASH';
    return ref $value ? die "a row has a value that is no text\n" : $value // '';
}

# --- without comments and blanks

my %WITHOUT = (
    c   => \&_c,
    h   => \&_c,
    f90 => sub { return _lines($_[0] =~ s/("[^"\n]*"|'[^'\n]*')|!.*/$1 \/\/ ''/gre) },
    map {
        $_ => sub { return _lines($_[0] =~ s/^[ \t]*#(?!!).*//gmr) }
    } qw(sh pl mk base)
);

sub stripped {
    my ($name, $text) = @_;
    my ($kind)   = $name =~ /\.(\w+)\z/;
    my $without  = $WITHOUT{ $kind // '' };
    my $is_input = $name =~ m{/testdir/[^/]*\z} && $name !~ /\.pl\z/;
    return $without && !$is_input ? $without->($text) : $text;
}

sub _lines {
    my ($text) = @_;
    return join "\n", grep { length } map { s/[ \t]+/ /gr =~ s/\A | \z//gr } split /\n/, $text;
}

# Lines count only where the preprocessor reads them, and blanks only between two words or signs.
sub _c {
    my ($text) = @_;
    my $quoted = qr/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
    $text =~ s/\\\n/ /g;
    $text =~ s{($quoted)|/\*.*?\*/|//[^\n]*}{$1 // ' '}gse;
    my ($result, @words) = ('');
    for my $line (split /\n/, _lines($text)) {
        $result .= $line =~ /\A#/ ? "\n$line\n" : "$line ";
    }
    $result =~ s/($quoted)|(^#.*$)|(?<=[(){}\[\];,]) +| +(?=[(){}\[\];,])/$1 \/\/ $2 \/\/ ''/gme;
    return _lines($result);
}

1;
