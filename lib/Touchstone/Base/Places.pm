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

# { base, bin, testdir, results, runs, tmp, source }; `source`: this is a source tree and programs can be
# built.
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

    # Copies run elsewhere, so every path is absolute.
    $place{$_}      = File::Spec->rel2abs($place{$_}) for qw(bin testdir results tmp);
    $place{runs}    = "$place{results}/runs";
    $place{own_bin} = !defined _said($ENV{UB_BINDIR});
    return \%place;
}

sub is_source { my ($base) = @_; return -e "$base/Makefile" ? 1 : 0 }

# What Run is called here, as a shell takes it, with what it needs to find the same results.
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

# The same places with the programs of another build: a directory, or what `make BUILD=name` built.
sub of_build {
    my ($place, $build) = @_;
    my ($bin) = grep { -d } $build, "$place->{base}/pgms.d/$build";
    die {
        exit    => 2,
        message => "no directory of programs '$build'\n'make BUILD=name FLAGS=...' makes pgms.d/name\n"
        }
        if !defined $bin;
    $bin = File::Spec->rel2abs($bin);
    my $own = Cwd::realpath($bin) eq (Cwd::realpath("$place->{base}/pgms") // '');
    return { %$place, bin => $bin, own_bin => $own && $place->{own_bin} };
}

# An empty variable says nothing.
sub _said {
    my ($value) = @_;
    return length($value // '') ? $value : undef;
}

# Where an installed copy keeps what `variable` did not place.
sub _state {
    my ($source, $base, $variable) = @_;
    return $base if $source;
    my $home = _said($ENV{XDG_STATE_HOME});
    $home = undef if defined $home && $home !~ m{\A/};
    $home //= "$ENV{HOME}/.local/state"                              if defined _said($ENV{HOME});
    die "no place to write: set $variable, XDG_STATE_HOME or HOME\n" if !defined $home;
    return "$home/touchstone";
}

# Makes the directories for results. Dies with the cause and the remedy.
sub prepare_results {
    my ($place) = @_;
    for my $directory (@$place{qw(results runs)}) {
        make_path($directory, { error => \my $errors });
        next if -d $directory && -w _;
        my ($why) = map { values %$_ } @{ $errors || [] };
        $why //= -d $directory ? 'Permission denied' : "$!";
        die "cannot write results in '$directory': $why\nUB_RESULTDIR names another place\n";
    }
    return;
}

# The first free names of HOST-DATE-NN, as in UnixBench; several, because another run may take one first.
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

# The name that UB_OUTPUT_FILE_NAME asks for, or ''. Suffixes are put behind it.
my $LONGEST = 200;

sub fixed_name {
    my ($place) = @_;
    my $name = $ENV{UB_OUTPUT_FILE_NAME} // '';
    die
        "UB_OUTPUT_FILE_NAME is '$name', allowed is a name without '/' that does not begin with '.', of at most $LONGEST octets\n"
        if $name =~ m{/|\A\.|[\x00-\x1f]} || length $name > $LONGEST;
    die "UB_OUTPUT_FILE_NAME is '$name', and index.html is the page of --browse\n" if $name eq 'index';
    die "UB_OUTPUT_FILE_NAME is '$name', and that is a directory\n"
        if length $name && -d "$place->{results}/$name";
    return $name;
}

# Host names are free text to the kernel, file names are not.
sub file_name {
    my ($text) = @_;
    $text =~ s{[/\x00-\x1f\x7f]}{_}g;
    $text =~ s/\A[.-]/_/;
    $text = substr $text, 0, 150;
    return length $text ? $text : 'unknown';
}

1;
