# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that this machine cannot run: a sentence before anything is measured, not the number of a signal.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Stub;
use Touchstone::Run::Compatibility;
use Touchstone::Machine::Sysfile;
use Touchstone::Run::Launcher::Result;

my $dir = File::Temp->newdir;

# Flags that CPUs of these levels add, with some that mean nothing here.
my @LEVEL = (
    'fpu vme tsc cx8 cmov mmx fxsr sse sse2 ht syscall nx lm',
    'pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm aes',
    'fma movbe xsave avx f16c abm bmi1 avx2 bmi2 sha_ni',
    'avx512f avx512dq avx512cd avx512bw avx512vl'
);

sub cpuinfo_of {
    my ($level) = @_;
    return "processor\t: 0\nvendor_id\t: x\nflags\t\t: @LEVEL[0 .. $level - 1]\nbogomips\t: 1\n\n" x 2;
}

subtest 'the level of x86-64 is the highest of which no flag is missing' => sub {
    my @names = ('x86-64', map { "x86-64-v$_" } 2 .. 4);
    is(Touchstone::Run::Compatibility::level(cpuinfo_of($_)), $names[ $_ - 1 ], "level $_") for 1 .. 4;
    is(Touchstone::Run::Compatibility::level(cpuinfo_of(4) =~ s/ movbe//gr),
        'x86-64-v2', 'v4 without a flag of v3');
    is(Touchstone::Run::Compatibility::level(cpuinfo_of(3) =~ s/ lm//gr), undef, 'a CPU of 32 bits');
    is(Touchstone::Run::Compatibility::level($_),                         undef, 'no flags')
        for '', "Features\t: fp asimd\n", "flags\t\t: \n", "\xff\0";
};

subtest 'a level is less than a higher one, and nothing is known of other names' => sub {
    my $less = sub { scalar Touchstone::Run::Compatibility::less_than($_[0], cpuinfo_of($_[1])) };
    is($less->('x86-64-v3', 2),  'x86-64-v2', 'v3 on v2');
    is($less->('x86-64-v3', $_), undef,       "v3 on v$_") for 3, 4;
    is($less->($_,          1),  undef,       $_ // 'nothing')
        for undef, '', 'x86-64', 'baseline', 'native', 'haswell', 'x86-64-v9', 'x86-64-v3 haswell';
    is(Touchstone::Run::Compatibility::less_than('x86-64-v4', ''), undef, 'a CPU that tells nothing');
};

# The header of a program, and what a shell would do with it.
sub elf {
    my ($class, $order, $machine) = @_;
    return
          "\x7fELF"
        . pack('C C x10',                   $class, $order)
        . pack($order == 1 ? 'v v' : 'n n', 2,      $machine)
        . "\0" x 44;
}

my %HEADER = (
    x86_64  => elf(2, 1, 62),
    aarch64 => elf(2, 1, 183),
    riscv64 => elf(2, 1, 243),
    ppc64le => elf(2, 1, 21),
    ppc64   => elf(2, 2, 21),
    s390x   => elf(2, 2, 22),
    i686    => elf(1, 1, 3)
);

subtest 'the header of a program says what it is for' => sub {
    my $of = sub {
        Fake::write_file("$dir/program", $_[0]);
        Touchstone::Run::Compatibility::of_program("$dir/program");
    };
    is($of->($HEADER{$_}), $_, $_) for sort keys %HEADER;
    is($of->($_), undef, 'no such header') for '', "#!/bin/sh\n", "\x7fELF", substr($HEADER{x86_64}, 0, 19);
    like($of->(elf(2, 1, 4711)), qr/ELF 4711/, 'an architecture that nobody knows');
    is(Touchstone::Run::Compatibility::of_program("$dir/none"), undef, 'no file');
};

# A shell would execute the second line.
subtest 'the system says what it starts, and no shell takes a foreign program for a script' => sub {
    ok(Touchstone::Run::Compatibility::starts($^X), 'perl');
    Fake::write_file("$dir/foreign", "\x7fELF\n: >'$dir/executed'\n");
    chmod 0755, "$dir/foreign";
    ok(!Touchstone::Run::Compatibility::starts("$dir/foreign"), 'a program for nobody');
    ok(!-e "$dir/executed",                                     'nothing of it was executed');
    ok(!Touchstone::Run::Compatibility::starts("$dir/none"),    'no program');
};

# Linux's names of architectures and numbers of calls mean nothing elsewhere, and a Linux of an architecture
# without a known number of execve cannot be asked either.
subtest 'where nothing can be judged, nothing is refused' => sub {
    Fake::write_file("$dir/program", $HEADER{x86_64});
    chmod 0755, "$dir/program";
    my %system = (
        FreeBSD => [ 'freebsd', 'amd64',  'amd64-freebsd-thread-multi' ],
        OpenBSD => [ 'openbsd', 'amd64',  'amd64-openbsd' ],
        NetBSD  => [ 'netbsd',  'amd64',  'x86_64-netbsd' ],
        arm64   => [ 'freebsd', 'arm64',  'aarch64-freebsd-thread-multi' ],
        i386    => [ 'freebsd', 'i386',   'i386-freebsd-thread-multi-64int' ],
        macOS   => [ 'darwin',  'x86_64', 'darwin-thread-multi-2level' ],
        m68k    => [ 'linux',   'm68k',   'm68k-linux-gnu-thread-multi-64int' ],
    );
    for my $name (sort keys %system) {
        my ($os, $machine, $archname) = @{ $system{$name} };
        no warnings qw(redefine once);
        local $^O                                     = $os;
        local *POSIX::uname                           = sub { return ($name, 'host', '1', '1', $machine) };
        local *Touchstone::Run::Compatibility::Config = { archname => $archname };
        is(Touchstone::Run::Compatibility::starts("$dir/program"), undef, "$name: it is not known");
        my @trouble = Touchstone::Run::Compatibility::trouble({ bin => $dir }, { program => 'program' });
        is("@trouble",                                              '',    "$name: the run begins");
        is(Touchstone::Run::Compatibility::is_none("$dir/program"), undef, "$name: no cause is invented");
    }
};

# Runs two tests with programs that begin with this header, or with the fakes, on a CPU of this level, with
# these facts of the build.
sub run_with {
    my (%is) = @_;
    my $fake = Stub->new;
    Fake::write_file("$fake->{bin}/build.facts", $is{facts}) if defined $is{facts};
    for my $program (@{ $is{programs} || [] }) {
        unlink "$fake->{bin}/$program";
        Fake::write_file("$fake->{bin}/$program", $is{header});
        chmod 0755, "$fake->{bin}/$program";
    }
    my $text = \&Touchstone::Machine::Sysfile::text;
    no warnings 'redefine';
    local *Touchstone::Machine::Sysfile::text =
        sub { return $is{level} && $_[0] eq '/proc/cpuinfo' ? cpuinfo_of($is{level}) : $text->(@_) };
    return $fake->run([qw(--quick -c 1 pipe syscall)], does => $is{does});
}

my $machine = (POSIX::uname())[4];
my ($other) = grep { $_ ne $machine } qw(aarch64 s390x);

subtest 'programs for another architecture are named before one is started' => sub {
    my $got = run_with(programs => [qw(pipe syscall)], header => $HEADER{$other});
    is($got->{status}, 1, 'exit 1');
    like(
        $got->{err},
        qr/^Run: the programs in '\S+' are for $other, this machine is \Q$machine\E; aborting\nbuild them for \Q$machine\E: make clean && make FLAVOUR=portable$/m,
        'the sentence, with a remedy'
    );
    is($got->{out}, '', 'no report');
    $got = run_with(programs => ['pipe'], header => $HEADER{$other}, does => { pipe => 'exit 3' });
    unlike($got->{err}, qr/are for/, 'a single one fails alone');
};

subtest 'programs that need more than this CPU has are not started' => sub {
    my $got = run_with(facts => "isa=x86-64-v3\n", level => 2);
    is($got->{status}, 1, 'exit 1');
    like(
        $got->{err},
        qr/^Run: the programs in '\S+' need x86-64-v3, this CPU has x86-64-v2; aborting\nbuild them for every CPU: /m,
        'a named level'
    );
    $got = run_with(facts => "isa=native\nisa_level=x86-64-v4\n", level => 3);
    like($got->{err},
        qr/ need x86-64-v4, this CPU has x86-64-v3: they were built for another CPU; aborting\n/, 'native');
    for my $fits ([ 3, "isa=x86-64-v3\n" ], [ 1, "isa=baseline\n" ],
        [ 4, "isa=native\nisa_level=x86-64-v4\n" ]) {
        $got = run_with(facts => $fits->[1], level => $fits->[0]);
        is($got->{status}, 0, "level $fits->[0] is enough for $fits->[1]") or diag($got->{err});
    }
};

subtest 'a program that dies of an instruction says so' => sub {
    my $why = sub {
        my ($facts) = @_;
        my $got = run_with(facts => $facts, does => { pipe => 'signal 4' });
        is($got->{status}, 1, 'exit 1, and the other test is measured');
        return $got->{err} =~ /^# pipe failed: (.*)$/m ? $1 : $got->{err};
    };
    my $begins = 'this CPU lacks an instruction of the program (SIGILL), which was built for';
    my $build  = 'build it here from the sources: make clean && make';
    like($why->("isa=native\n"),
        qr/\A\Q$begins\E 'native' on another CPU; $build FLAVOUR=portable\z/, 'native');
    like($why->("isa=haswell\n"),  qr/\A\Q$begins\E 'haswell'; $build FLAVOUR=portable\z/,      'a name');
    like($why->("isa=baseline\n"), qr/\A\Q$begins\E newer CPUs of this architecture; $build\z/, 'all CPUs');
    like($why->(undef),            qr/\A\Q$begins\E another CPU; $build FLAVOUR=portable\z/, 'nobody knows');
};

subtest 'what is no whole program is called damaged, and the others are measured' => sub {
    $^O eq 'linux' or plan skip_all => 'only the form of programs of Linux is known';
    my $whole = Fake::read_file($^X);
    my %is    = ('a script' => "#!/bin/sh\n", 'a program' => $whole);
    my %not   = (
        'a letter'    => 'x',
        'nothing'     => '',
        'a text'      => 'x' x 100,
        'its half'    => substr($whole, 0, length($whole) / 2),
        'its header'  => substr($whole, 0, 64),
        'all but one' => substr($whole, 0, -1)
    );
    for my $what (sort(keys %is), sort keys %not) {
        Fake::write_file("$dir/it", $is{$what} // $not{$what});
        is(Touchstone::Run::Compatibility::is_damaged("$dir/it"), exists $is{$what} ? 0 : 1, $what);
    }
    my $fake = Fake->new;
    for my $damage ('x', substr $whole, 0, 9000) {
        unlink "$fake->{bin}/pipe";
        Fake::write_file("$fake->{bin}/pipe", $damage);
        chmod 0755, "$fake->{bin}/pipe";
        my $got = $fake->run([qw(--quick -c 1 pipe syscall)]);
        like(
            $got->{err},
            qr/^# pipe failed: the program '.*pipe' is damaged: build, unpack or install it/m,
            length($damage) . ' bytes'
        );
        like($got->{out}, qr/^System Call Overhead +\d/m, 'the other test has a score');
    }
};

subtest 'a single program for another architecture is named, and the others are measured' => sub {
    $^O eq 'linux' or plan skip_all => 'only the form of programs of Linux is known';
    my $fake = Fake->new;
    unlink "$fake->{bin}/pipe";
    Fake::write_file("$fake->{bin}/pipe", $HEADER{$other});
    chmod 0755, "$fake->{bin}/pipe";
    my $got = $fake->run([qw(--quick -c 1 pipe syscall)]);
    like($got->{err}, qr/^# pipe failed: the program '.*pipe' is for $other, this machine is \Q$machine\E/m,
        'the sentence');
    like($got->{out}, qr/^System Call Overhead +\d/m, 'the other test has a score');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning of Perl');

done_testing;
