# SPDX-License-Identifier: GPL-2.0-or-later
# Programs - which measured programs there are, from the sources, and with which arguments they run.
package Programs;
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);

use Touchstone::Suite;

our $BASE = dirname(dirname(dirname(abs_path(__FILE__))));

# For the others the first test that uses them knows.
my %ARGS = (looper => [ '%{seconds}', 'true' ], fstime => [ '%{seconds}', '-d', '%{work}' ]);

# One for each src/SUITE/*.c, and the names in the lists of which the Makefile makes VARIANTS.
sub all {
    open my $in, '<', "$BASE/Makefile" or die "cannot open '$BASE/Makefile': $!\n";
    my $makefile = do { local $/; <$in> };
    my ($variants) = $makefile =~ /^VARIANTS := (.*)/m;
    my @lists = map { $makefile =~ /^$_ := (.*)/m } $variants =~ /\$\(([A-Z]+)\)/g;
    opendir my $dir, "$BASE/src" or die "cannot open '$BASE/src': $!\n";
    my @sources;
    for my $suite (grep { !/\A\./ && -d "$BASE/src/$_" } readdir $dir) {
        opendir my $files, "$BASE/src/$suite" or die "cannot open '$BASE/src/$suite': $!\n";
        push @sources, grep { s/\.c\z// } readdir $files;
    }
    return sort @sources, map { split ' ' } @lists;
}

sub built { return grep { -x path($_) } all() }

sub path { return "$BASE/pgms/$_[0]" }

# `work` is a directory for its files.
sub arguments {
    my ($program, $seconds, $work) = @_;
    my ($row) = grep { $_->{program} eq $program } Touchstone::Suite::load()->tests;
    my %value = (seconds => $seconds, work => "$work", testdir => "$BASE/testdir", bin => "$BASE/pgms");
    return map { s/%\{(\w+)\}/$value{$1}/gr } grep { $_ ne '%{cpu}' } @{ $ARGS{$program} || ($row ? $row->{args} : ['%{seconds}']) };
}

1;
