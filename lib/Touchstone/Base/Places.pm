# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Places - where programs, inputs, results and work directories are: in the tree, or elsewhere for an
# installed copy.
package Touchstone::Base::Places;
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Path qw(make_path);
use File::Spec;

# Returns all directories as { base, bin, testdir, results, runs, tmp, source, own_bin }. `source` says that
# this is a source tree, where programs can be built; `own_bin` says that the programs are those of the tree:
# neither UB_BINDIR nor another build is used.
sub find {
    my ($base) = @_;
    my $source = is_source($base);
    my %place  = (
        base    => $base,
        source  => $source,
        bin     => _said($ENV{UB_BINDIR})    // "$base/pgms",
        testdir => _said($ENV{UB_TESTDIR})   // "$base/testdir",
        results => _said($ENV{UB_RESULTDIR}) // _state($source, $base, 'UB_RESULTDIR') . '/results',
        tmp     => _said($ENV{UB_TMPDIR})    // _state($source, $base, 'UB_TMPDIR') . '/tmp',
    );

    # Copies run in other directories, so every path is absolute.
    $place{$_}      = File::Spec->rel2abs($place{$_}) for qw(bin testdir results tmp);
    $place{runs}    = "$place{results}/runs";
    $place{own_bin} = !defined _said($ENV{UB_BINDIR});
    return \%place;
}

sub is_source { my ($base) = @_; return -e "$base/Makefile" ? 1 : 0 }

# Returns the words that start Run here, quoted for a shell, with the variable that leads to the same
# results.
sub command {
    my ($place) = @_;
    my $name = $place->{source} ? './Run' : 'touchstone';
    return $name if !defined _said($ENV{UB_RESULTDIR});
    my $quoted =
          $place->{results} =~ m{\A[\w./-]+\z}a
        ? $place->{results}
        : "'" . $place->{results} =~ s/'/'\\''/gr . "'";
    return "UB_RESULTDIR=$quoted $name";
}

# Returns the same places with the programs of another build: a directory, or a name that `make BUILD=name`
# built.
sub of_build {
    my ($place, $build) = @_;
    my ($bin) = grep { -d } $build, "$place->{base}/pgms.d/$build";
    die {
        exit    => 2,
        message =>
            "no build '$build': neither a directory of programs nor a name in pgms.d\n'make BUILD=name FLAGS=-O2' makes pgms.d/name\n"
        }
        if !defined $bin;
    $bin = File::Spec->rel2abs($bin);
    my $own = Cwd::realpath($bin) eq (Cwd::realpath("$place->{base}/pgms") // '');
    return { %$place, bin => $bin, own_bin => $own && $place->{own_bin} };
}

# An empty variable counts as unset.
sub _said {
    my ($value) = @_;
    return length($value // '') ? $value : undef;
}

# Returns the directory for files of an installed copy that `variable` does not place.
sub _state {
    my ($source, $base, $variable) = @_;
    return $base if $source;
    my $home = _said($ENV{XDG_STATE_HOME});
    $home = undef if defined $home && $home !~ m{\A/};
    $home //= "$ENV{HOME}/.local/state"                              if defined _said($ENV{HOME});
    die "no place to write: set $variable, XDG_STATE_HOME or HOME\n" if !defined $home;
    return "$home/touchstone";
}

# Makes the directories for results, or dies with the cause and the remedy.
sub prepare_results {
    my ($place) = @_;
    for my $directory (@$place{qw(results runs)}) {
        make_path($directory, { error => \my $errors });
        next if -d $directory && -w _;
        my ($why) = map { values %$_ } @{ $errors || [] };
        $why //= -d $directory ? 'Permission denied' : "$!";
        die
            "cannot write results in '$directory': $why\nuse another directory: UB_RESULTDIR=/var/tmp ./Run\n";
    }
    return;
}

# Returns the first free names of the form HOST-DATE-NN, as in UnixBench. It returns several, because another
# run may take one first.
sub names {
    my ($place, $host, $date) = @_;
    my $stem = file_name($host) . "-$date";
    my %taken;
    for my $directory (@$place{qw(results runs)}) {
        opendir my $dir, $directory or next;
        $taken{$_} = 1 for map { /\A(\Q$stem\E-\d+)(?:\.|\z)/ } readdir $dir;
        closedir $dir;
    }
    return grep { !$taken{$_} } map { sprintf '%s-%02d', $stem, $_ } 1 .. 50 + keys %taken;
}

# UB_OUTPUT_FILE_NAME may be this long in octets, so that suffixes still fit into a file name.
my $LONGEST = 200;

sub fixed_name {
    my ($place) = @_;
    my $name = $ENV{UB_OUTPUT_FILE_NAME} // '';
    die "UB_OUTPUT_FILE_NAME needs a name without '/' that does not begin with '.', "
        . "of at most $LONGEST octets, not '$name'\n"
        if $name =~ m{/|\A\.|[\x00-\x1f]} || length $name > $LONGEST;
    die "UB_OUTPUT_FILE_NAME cannot be '$name': index.html is the page of --browse\n" if $name eq 'index';
    die "UB_OUTPUT_FILE_NAME cannot be '$name': that is a directory\n"
        if length $name && -d "$place->{results}/$name";
    return $name;
}

# The kernel accepts any text as a host name, but a file name must not hold '/', control characters or a
# leading dot.
sub file_name {
    my ($text) = @_;
    $text =~ s{[/\x00-\x1f\x7f]}{_}g;
    $text =~ s/\A[.-]/_/;
    $text = substr $text, 0, 150;
    return length $text ? $text : 'unknown';
}

1;
