# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Compatibility - says before measuring that this machine cannot run the programs of a build: they are
# for another architecture, or for a CPU that has more instructions. A program that dies of an instruction
# gets a sentence, too.
package Touchstone::Run::Compatibility;
use 5.014;
use strict;
use warnings;

use Config;
use POSIX ();

use Touchstone::Base::Text qw(plain short);
use Touchstone::Build;
use Touchstone::Machine::Command;
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
    my ($for) = of_program($programs[0]) // return;
    return if grep { (of_program($_) // '') ne $for } @programs;
    return if $for eq $machine || (starts($programs[0]) // 1);
    return ("the programs in '$places->{bin}' are for $for, this machine is $machine",
        _remedy($places, "for $machine"));
}

sub _of_level {
    my ($places) = @_;
    my $facts    = Touchstone::Build::facts($places->{bin});
    my $needed   = $facts->{isa_level} // $facts->{isa};
    my $has      = less_than($needed, Touchstone::Machine::Sysfile::text('/proc/cpuinfo') // '') // return;
    my $native   = ($facts->{isa} // '') eq 'native' ? ': they were built for another CPU' : '';
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
        if is_damaged($program);
    my $machine = (POSIX::uname())[4];
    my $for     = of_program($program) // return;
    return if $for eq $machine || (starts($program) // 1);
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

# The levels of x86-64 are those of its psABI, which compilers take as -march=x86-64-v3. Other architectures
# have no levels here.

# What a level adds, in the words of /proc/cpuinfo, where pni is SSE3 and abm is LZCNT.
my @LEVELS = (
    [ 'x86-64'    => qw(lm cmov cx8 fpu fxsr mmx syscall sse sse2) ],
    [ 'x86-64-v2' => qw(cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3) ],
    [ 'x86-64-v3' => qw(abm avx avx2 bmi1 bmi2 f16c fma movbe xsave) ],
    [ 'x86-64-v4' => qw(avx512bw avx512cd avx512dq avx512f avx512vl) ],
);
my %RANK = map { $LEVELS[$_][0] => $_ } 0 .. $#LEVELS;

# Architectures by the number in the header of an ELF file, its class (32 or 64 bits) and the order of its
# bytes (1: the lowest first), as uname -m names them.
my %ELF = (
    '3 1 1'   => 'i686',
    '8 1 1'   => 'mips',
    '8 1 2'   => 'mips',
    '8 2 1'   => 'mips64',
    '8 2 2'   => 'mips64',
    '20 1 2'  => 'ppc',
    '21 2 1'  => 'ppc64le',
    '21 2 2'  => 'ppc64',
    '22 2 2'  => 's390x',
    '40 1 1'  => 'armv7l',
    '43 2 2'  => 'sparc64',
    '62 2 1'  => 'x86_64',
    '183 2 1' => 'aarch64',
    '243 1 1' => 'riscv32',
    '243 2 1' => 'riscv64',
    '258 2 1' => 'loongarch64',
);

# The number of execve, by the architecture that perl was built for. exec of Perl hands a file that the system
# does not know to a shell, which would take a foreign program for a script.
my @EXECVE = (
    [ qr/\Ax86_64-(?!.*x32)/                     => 59 ],
    [ qr/\A(?:aarch64|loongarch64|riscv64)/      => 221 ],
    [ qr/\A(?:arm|i[3-6]86|powerpc|ppc64|s390x)/ => 11 ],
);

# The status of a process that the system has not started.
my $NOT_STARTED = 127;

# Returns the level of the CPU that a /proc/cpuinfo describes, or undef where it tells no flags of x86-64.
sub level {
    my ($cpuinfo) = @_;
    my ($flags)   = $cpuinfo =~ /^flags[ \t]*:[ \t]*(\S.*)$/m or return;
    my %has       = map { $_ => 1 } split ' ', $flags;
    my $level;
    for my $one (@LEVELS) {
        my ($name, @flags) = @$one;
        last if grep { !$has{$_} } @flags;
        $level = $name;
    }
    return $level;
}

# Returns the level that a CPU has when it is less than these programs need, else nothing. Nothing is known of
# other names than those of levels.
sub less_than {
    my ($needed, $cpuinfo) = @_;
    my $has = level($cpuinfo) // return;
    return if !defined $needed || !defined $RANK{$needed};
    return $RANK{$has} < $RANK{$needed} ? $has : undef;
}

# Returns the architecture that a program is for, or nothing: for scripts, and for what nobody knows.
sub of_program {
    my ($file) = @_;
    open my $in, '<:raw', $file or return;
    return if !read($in, my $head, 20);
    return if length $head < 20 || substr($head, 0, 4) ne "\x7fELF";
    my ($class, $order, $low, $high) = unpack 'x4 C C x12 C C', $head;
    my $number = $order == 1 ? $low + 256 * $high : $high + 256 * $low;
    return $ELF{"$number $class $order"} // "another architecture (ELF $number)";
}

# Returns whether the system starts this program without arguments, or undef if that cannot be found out: the
# system decides which architectures it runs. An x86_64 runs programs of i686, and qemu may run those of all
# others. The names and the numbers above are those of Linux; BSD gives the same architecture another name.
sub starts {
    my ($file)   = @_;
    my ($number) = map { $_->[1] } grep { $^O eq 'linux' && $Config{archname} =~ $_->[0] } @EXECVE
        or return undef;
    my $pid = Touchstone::Machine::Command::start_child(sub { _become($number, $file) }) // return undef;
    1 while waitpid($pid, 0) == -1 && $!{EINTR};
    return $? >> 8 != $NOT_STARTED;
}

sub _become {
    my ($number, $file) = @_;
    open STDIN,  '<:raw', '/dev/null' or POSIX::_exit($NOT_STARTED);
    open STDOUT, '>:raw', '/dev/null' or POSIX::_exit($NOT_STARTED);
    open STDERR, '>:raw', '/dev/null' or POSIX::_exit($NOT_STARTED);
    my ($words, $environment) = (pack('p2', $file, undef), pack('p', undef));
    syscall $number, "$file", $words, $environment;
    POSIX::_exit($NOT_STARTED);
}

# Tells that a file is no program: neither a script nor a whole ELF file, whose table of sections stands at
# its end. Other systems have other forms, of which nothing is said.
sub is_damaged {
    my ($file) = @_;
    return 0 if $^O ne 'linux' || !open my $in, '<:raw', $file;
    my $got = read $in, my $head, 64;
    return 1 if !$got;
    return 0 if $head =~ /\A#!/;
    return 1 if $got < 52 || substr($head, 0, 4) ne "\x7fELF";
    my ($class, $order) = unpack 'x4 C C', $head;
    return 0 if $class != 2 || $order != 1 || $got < 64;
    my ($low,  $high)  = unpack 'x40 V V', $head;
    my ($size, $count) = unpack 'x58 v v', $head;
    return 2**32 * $high + $low + $size * $count > -s $in ? 1 : 0;
}

1;
