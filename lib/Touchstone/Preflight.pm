# SPDX-License-Identifier: GPL-2.0-or-later
# Preflight - what can be known before measuring: programs that are not built, tools that are missing, disks that are full.
package Touchstone::Preflight;
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use List::Util qw(max);

use Touchstone::Build;
use Touchstone::Command;
use Touchstone::Machine;

my $FORTRAN_PACKAGE = 'gfortran';

# Builds with make what the tests need and is not there, or was built with other UB_GCC_OPTIONS. Dies with make's last words.
sub build {
    my ($places, $progress, $stopped, @tests) = @_;
    return if !$places->{source} || !$places->{own_bin};
    # Two first runs at once: the second waits for the first one's make, and then finds everything there.
    open my $lock, '<', "$places->{base}/Makefile" or die "cannot open '$places->{base}/Makefile': $!\n";
    flock $lock, LOCK_EX;
    my ($missing) = _missing_files($places, @tests);
    my $facts   = Touchstone::Build::facts($places->{bin});
    my $options = $ENV{UB_GCC_OPTIONS};
    my $changed = defined $options && $options ne ($facts->{ub_gcc_options} // '');
    return if !defined $missing && !$changed;
    my ($make) = grep { Touchstone::Command::find($_) } qw(gmake make);
    die "'$missing' is not built and there is no make\ninstall make and a C compiler, e.g. apt-get install gcc libc6-dev make\n"
        if !$make && defined $missing;
    die "UB_GCC_OPTIONS asks for another build and there is no make\n" if !$make;
    $progress->note('building the programs');
    my ($status, $text) = Touchstone::Command::output([ $make, '--no-print-directory', '-C', $places->{base}, 'all' ], errors => 1, stopped => $stopped);
    return if $status == 0;
    die "cannot build the programs: $text\n" if $status == -1;
    my @last = grep { /\S/ } split /\n/, $text;
    splice @last, 0, @last - 5 if @last > 5;
    die join("\n", "cannot build the programs: $make ended with status " . ($status >> 8), map { "  $_" } @last) . "\n";
}

sub _missing_files {
    my ($places, @tests) = @_;
    my @here  = grep { _can_be_built($_) } @tests;
    my @files = map { ("$places->{bin}/$_->{program}", map { "$places->{testdir}/$_" } @{ $_->{inputs} }) } @here;
    return grep { !-e } @files;
}

# (tests that can run, [test, kind, why, remedy] for the others), kind skipped or failures. `places`: also with cc, copies (all counts) and what
# Equipment found.
sub sort_out {
    my ($places, @tests) = @_;
    my (@good, @bad);
    my $free = Touchstone::Machine::free_space($places->{tmp});
    for my $test (@tests) {
        my @trouble = _trouble($places, $free, $test);
        if (@trouble) { push @bad, { test => $test->{name}, kind => $trouble[0], why => $trouble[1], remedy => $trouble[2] } }
        else          { push @good, $test }
    }
    return (\@good, \@bad);
}

sub _unbuilt {
    my ($program, $test) = @_;
    return (skipped => "there is no Fortran compiler: '" . Touchstone::Build::fortran() . "' is not installed", "install the package $FORTRAN_PACKAGE") if !_can_be_built($test);
    return (failures => "the program '$program' is missing", 'make builds it');
}

sub _can_be_built { my ($test) = @_; return !$test->{fortran} || defined Touchstone::Command::find(Touchstone::Build::fortran()) }

sub _trouble {
    my ($places, $free, $test) = @_;
    my $program = "$places->{bin}/$test->{program}";
    return _unbuilt($program, $test) if !-e $program;
    return (failures => "the program '$program' cannot be executed", undef) if !-x _;
    for my $input (map { "$places->{testdir}/$_" } @{ $test->{inputs} }) {
        return (failures => "the input '$input' cannot be read", 'make builds it; UB_TESTDIR names another place') if !-r $input;
    }
    for my $need (sort keys %{ $test->{needs} }) {
        my $command = $need eq '%{cc}' ? $places->{cc} : $need;
        return (skipped => "'$command' is not installed", "install the package $test->{needs}{$need}") if !Touchstone::Command::find($command);
    }
    my $found = $places->{equipment};
    return @{ $found->{trouble}{ $test->{requires} } } if $test->{requires} && $found->{trouble}{ $test->{requires} };
    return (skipped => 'it is measured with one copy only', 'add -c 1') if $test->{single} && !grep { $_ == 1 } @{ $places->{copies} };
    my $kb = $found->{space}{ $test->{requires} // '' } // $test->{space} * ($test->{team} || $test->{single} ? 1 : max(@{ $places->{copies} }));
    return (skipped => "no space in '$places->{tmp}': $kb KB are needed, $free KB are free", 'UB_TMPDIR names another place')
        if $kb && defined $free && $free < $kb;
    return;
}

1;
