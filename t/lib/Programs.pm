# SPDX-License-Identifier: GPL-2.0-or-later
# Programs - finds the measured programs from the sources, and the arguments to run each with.
package Programs;
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);

use Touchstone::Build;
use Touchstone::Suite;

our $BASE = dirname(dirname(dirname(abs_path(__FILE__))));

# For all other programs, the row of the first test that uses them has the arguments.
my %ARGS = (looper => [ '%{seconds}', 'true' ], fstime => [ '%{seconds}', '-d', '%{work}' ]);

# Returns the programs that src/SUITE/variants/*.mk add to VARIANTS, by name or as a list.
sub variants {
    my @names;
    for my $file (glob "\Q$BASE\E/src/*/variants/*.mk") {
        open my $in, '<', $file or die "cannot open '$file': $!\n";
        my $rules = do { local $/; <$in> };
        push @names, map { split ' ' }
            map { /\A\$\((\w+)\)\z/ ? $rules =~ /^$1 := (.*)/m : $_ }
            map { split ' ' } $rules =~ /^VARIANTS \+= (.*)/mg;
    }
    return @names;
}

# Returns a program for each src/SUITE/*.c, and the variants.
sub all {
    opendir my $dir, "$BASE/src" or die "cannot open '$BASE/src': $!\n";
    my @sources;
    for my $suite (grep { !/\A\./ && -d "$BASE/src/$_" } readdir $dir) {
        opendir my $files, "$BASE/src/$suite" or die "cannot open '$BASE/src/$suite': $!\n";
        push @sources, grep { s/\.c\z// || s/\.f90\z/.f/ } readdir $files;
    }
    return sort @sources, variants();
}

# kernel and x11 need things that may be missing, bounce a second core, transfer two directories, truth-cache
# half a GB of memory, truth-line two CPUs that are free at once, load1997 starts all of its suite, and
# count-events becomes another program; they have tests of their own.
my %APART =
    map { $_ => 1 } qw(kernel x11 bounce transfer truth-cache truth-line load1997 count-events);

# Units of the 1997 programs take long, and each program has a test of its own, so these two represent them,
# one of them in Fortran.
my %STANDS = map { $_ => 1 } qw(m-permut m-nmemvir1.f);

sub built {
    return grep { !$APART{$_} && (!/\Am-/ || $STANDS{$_}) && -x path($_) } all();
}

# The words of the compiler that the programs were built with.
sub compiler {
    my $built_with = Touchstone::Build::facts("$BASE/pgms")->{compiler};
    return split ' ', $built_with eq 'unknown' ? 'cc' : $built_with;
}

sub path { return "$BASE/pgms/$_[0]" }

# Returns the arguments of a program; `work` is a directory for its files.
sub arguments {
    my ($program, $seconds, $work) = @_;
    my ($row) = grep { $_->{program} eq $program } Touchstone::Suite::load()->tests;

    # Sockets exist even where there are no pseudo-terminals.
    my %value = (
        seconds => $seconds,
        copies  => 2,
        work    => "$work",
        array   => 4096,
        spare   => 4096,
        kept    => "$work",
        bytes   => 1_000_000,
        channel => 'sockets',
        testdir => "$BASE/testdir",
        bin     => "$BASE/pgms",
        cc      => 'cc'
    );
    return Touchstone::Suite::filled({ args => $ARGS{$program} || ($row ? $row->{args} : ['%{seconds}']) },
        %value);
}

1;
