#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the program of every test for 0.05 s, as Run does, and says which did not measure. This is for builds
# with other compilers, flags and sanitizers, which need only be right, and for those of another architecture:
#
#   perl -Ilib t/try-programs.pl [--under qemu-aarch64] [--but TEST]... [DIRECTORY]
#
# takes programs and inputs from pgms/ and testdir/ of a directory, starts them by another program, and leaves
# tests out. The last line says how many measured. Packages are built on slow machines, so a program may take
# twenty times the limit while it uses CPU time.
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use File::Temp ();
use Getopt::Long qw(GetOptions);

use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Run::Launcher;
use Touchstone::Suite;

GetOptions('under=s' => \my $under, 'but=s' => \my @but) && @ARGV < 2 or exit 2;
my $base = defined $ARGV[0] ? abs_path($ARGV[0]) : getcwd();
my %but  = map { $_ => 1 } @but;
my $kept = File::Temp->newdir;
mkdir "$kept/$_" or die "cannot make a directory: $!\n" for qw(medium depot);
my %value = (
    seconds => 0.05,
    array   => 4096,
    copies  => 2,
    spare   => 20_000,
    kept    => "$kept",
    bytes   => 1_000_000,
    medium  => "$kept/medium",
    depot   => "$kept/depot",
    bin     => "$base/pgms",
    testdir => "$base/testdir",
    work    => '.',
    cc      => $ENV{CC} || 'cc'
);
my ($good, $bad) = (0, 0);

# Fortran programs exist only if there was a compiler, and some others only if there was a library: the facts
# of the build say so.
my $facts  = Touchstone::Build::facts("$base/pgms");
my %linked = map { $_ => 1 } split ' ', $facts->{libraries} // '';

sub is_built {
    my ($test) = @_;
    return $test->{fortran} ? length($facts->{fortran} // '') : !$test->{library}
        || $linked{ $test->{library}[0] };
}

# Returns a command that a test measures and that is not installed, or nothing.
sub lacking {
    my ($test) = @_;
    return (
        grep { !Touchstone::Machine::Command::find($_) }
        map  { s/%\{cc\}/$value{cc}/r =~ s/ .*//r } sort keys %{ $test->{needs} }
    )[0];
}

# The kernel takes minutes, and an X server may be missing. Large files test nothing more than small ones.
for my $test (
    grep { !$but{ $_->{name} } }
    grep { $_->{name} !~ /\Atransfer-\d+0[mg]b\z|\Atransfer-1gb\z/ }
    grep { is_built($_) }
    grep { ($_->{requires} // '') !~ /\A(?:kernel|display)\z/ } Touchstone::Suite::load()->tests
) {
    if (defined(my $lacking = lacking($test))) {
        print "# $test->{name} skipped: '$lacking' is not installed\n";
        next;
    }
    my $dir     = File::Temp->newdir;
    my $program = "$base/pgms/$test->{program}";
    my @args    = Touchstone::Suite::filled($test, %value);
    my $result  = Touchstone::Run::Launcher::run_pass(
        program => $under // $program,
        args    => [ $under ? $program : (), @args ],
        dirs    => ["$dir"],
        env     => { UB_TESTDIR => $value{testdir} },
        cpus    => [],
        limit   => 60,
        slow    => 1,
        stopped => sub { 0 },
    );
    print "# $test->{name} skipped: $result->{skip}\n" if defined $result->{skip};
    $good++                                            if $result->{copies};
    next                                               if $result->{copies} || defined $result->{skip};
    $bad++;
    print "# $test->{name} failed: $result->{failure}\n", map { "#   $_\n" } split /\n/, $result->{output};
}
print "# $good tests measured, $bad failed\n";
exit($bad ? 1 : 0);
