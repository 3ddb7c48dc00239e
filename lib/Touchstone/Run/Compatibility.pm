# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Compatibility - says before measuring that this machine cannot run the programs of a build: they are
# for another architecture, or for a CPU that has more instructions. A program that dies of an instruction
# gets a sentence, too.
package Touchstone::Run::Compatibility;
use 5.014;
use strict;
use warnings;

use POSIX ();

use Touchstone::Base::Text qw(plain short);
use Touchstone::Build;
use Touchstone::Machine::Isa;
use Touchstone::Machine::Sysfile;

my $LETTERS = 60;

# Returns why the programs of these tests cannot run here, and what to do, or nothing. The programs of a
# single test may be wrong where others are right: that test fails alone.
sub trouble {
    my ($places, @tests) = @_;
    my %programs = map { $_ => 1 } grep { -f && -x _ } map { "$places->{bin}/$_->{program}" } @tests;
    my @programs = sort keys %programs or return;
    my @trouble  = _of_architecture($places, @programs);
    return @trouble ? @trouble : _of_level($places);
}

# Where all programs are for one other architecture, the system is asked whether it starts one.
sub _of_architecture {
    my ($places, @programs) = @_;
    my $machine = (POSIX::uname())[4];
    my ($for) = Touchstone::Machine::Isa::of_program($programs[0]) // return;
    for my $program (@programs) {
        return if (Touchstone::Machine::Isa::of_program($program) // '') ne $for;
    }
    return if $for eq $machine || Touchstone::Machine::Isa::starts($programs[0]);
    return ("the programs in '$places->{bin}' are for $for, this machine is $machine",
        _remedy($places, "for $machine"));
}

sub _of_level {
    my ($places) = @_;
    my $facts    = Touchstone::Build::facts($places->{bin});
    my $needed   = $facts->{isa_level} // $facts->{isa};
    my $has      = Touchstone::Machine::Isa::less_than($needed,
        Touchstone::Machine::Sysfile::text('/proc/cpuinfo') // '') // return;
    my $native = ($facts->{isa} // '') eq 'native' ? ': they were built for another CPU' : '';
    return ("the programs in '$places->{bin}' need $needed, this CPU has $has$native",
        _remedy($places, 'for every CPU'));
}

# A copy that is not built from its own sources gets other programs.
sub _remedy {
    my ($places, $for) = @_;
    return $places->{source}
        ? "build them $for: make clean && make FLAVOUR=portable"
        : "take a bundle $for, or build from the sources: make FLAVOUR=portable && ./Run";
}

# What a program was built for that meets an instruction which its CPU does not know.
my %BUILT_FOR = (
    ''       => 'another CPU',
    baseline => 'newer CPUs of this architecture',
    native   => q{'native' on another CPU},
);

# Returns that a program which did not measure is none, or none for this machine, or undef. The shell takes
# what the system does not start for a script, and a part of a program dies of a signal.
sub is_none {
    my ($program) = @_;
    return "the program '$program' is damaged: build, unpack or install it again"
        if Touchstone::Machine::Isa::is_damaged($program);
    my $machine = (POSIX::uname())[4];
    my $for     = Touchstone::Machine::Isa::of_program($program) // return;
    return if $for eq $machine || Touchstone::Machine::Isa::starts($program);
    return "the program '$program' is for $for, this machine is $machine: build or install it again";
}

# Returns why a program died that was ended for such an instruction.
sub lacks_instruction {
    my ($program) = @_;
    my $isa       = Touchstone::Build::facts($program =~ s{/[^/]*\z}{}r)->{isa} // '';
    my $for       = $BUILT_FOR{$isa} // "'" . short(plain($isa), $LETTERS) . "'";
    my $make      = $isa eq 'baseline' ? 'make' : 'make FLAVOUR=portable';
    return "this CPU lacks an instruction of the program (SIGILL), which was built for $for; "
        . "build it here from the sources: make clean && $make";
}

1;
