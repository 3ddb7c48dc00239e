# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Preflight - finds before measuring what would fail: programs that are not built, tools that are
# missing, disks that are full.
package Touchstone::Run::Preflight;
use 5.014;
use strict;
use warnings;

use Errno qw(EWOULDBLOCK);
use Fcntl qw(:flock);
use File::Path qw(make_path remove_tree);
use List::Util qw(max);
use POSIX qw(ceil);

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain short);
use Touchstone::Build::Sets;
use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Machine::Disk;
use Touchstone::Machine::Resources;

# So many lines of a failed build are told, and so many letters of each.
my ($MAX_LINES, $MAX_CHARACTERS) = (5, 300);

# Copies take no more than this part of the free memory: the system needs some of it.
my $MEMORY_USED     = 0.9;
my $FORTRAN_PACKAGE = 'gfortran';
my $TOOLS           = 'install make and a C compiler, e.g. apt-get install gcc libc6-dev make';
my $OTHER_COMPILER  = 'install the package of this name, or say which: CC=gcc';

# Inputs are read where the copy is installed.
my $NO_INPUTS = 'INPUTS=';

# A cache with fewer free KB than these is full: a program with all its parts needs less.
my $LITTLE_SPACE = 4096;
my $ANOTHER_RUN  = 'another run is measuring these programs: wait until it has ended';

# Builds with make what the tests need and is not there, or was built with other UB_GCC_OPTIONS, and returns
# { lock }. It dies with the last words of make.
sub build {
    my ($places, $progress, $stopped, @tests) = @_;
    return _hold($places) if !$places->{source} || !$places->{own_bin};

    # When two first runs begin at once, the second waits for the make of the first, and then finds
    # everything there.
    open my $lock, '<:raw', "$places->{base}/Makefile" or die "cannot open '$places->{base}/Makefile': $!\n";
    flock $lock, LOCK_EX;
    my ($make)    = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
    my ($missing) = _missing_files($places, _with_libraries($make, $places, $stopped, [], @tests));
    my $facts     = Touchstone::Build::facts($places->{bin});
    my $options   = $ENV{UB_GCC_OPTIONS};
    my $changed   = defined $options && $options ne ($facts->{ub_gcc_options} // '');
    return _hold($places)                                              if !defined $missing && !$changed;
    die "'$missing' is not built, and make is not installed\n$TOOLS\n" if !$make && defined $missing;
    die "UB_GCC_OPTIONS asks for another build, and make is not installed\n" if !$make;
    my $lock_or_trouble = _build_lock($places)
        or die(($changed ? 'UB_GCC_OPTIONS asks for another build' : "'$missing' is not built")
        . ", and $ANOTHER_RUN\n");
    $progress->note('building the programs');
    my @words = _make($make, $places, $progress, $stopped, _flavour($facts))
        or return _hold($places, $lock_or_trouble);
    die join("\n", 'cannot build the programs: ' . shift @words, map { "  $_" } @words) . "\n";
}

# A tree that was built for every CPU stays that when a program is missing.
sub _flavour { my ($facts) = @_; return ($facts->{isa} // '') eq 'baseline' ? 'FLAVOUR=portable' : () }

# Builds what of a set of --build is not there as it was asked for. Returns { lock }, or { trouble => [lines]
# } that say why it cannot be had.
sub build_set {
    my ($places, $progress, $stopped, @tests) = @_;
    my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make)
        or return _trouble_of_set("'make' is not installed", $TOOLS);
    my @lacks = _lacks_compiler($places->{set});
    return _trouble_of_set(@lacks) if @lacks;
    my $lock = eval { Touchstone::Build::Sets::locked($places) } or return _trouble_of_set(split /\n/, $@);
    make_path($places->{bin}, { error => \my $errors });
    return _trouble_of_set("cannot make '$places->{bin}': $!", _if_cache($places)) if !-d $places->{bin};
    my $lock_or_trouble = _build_lock($places)
        or return _trouble_of_set("$ANOTHER_RUN, or give the build another name");
    $progress->note("building '$places->{set}{name}': "
            . ($places->{set}{asked} =~ /\S/ ? $places->{set}{asked} : 'no flags'));
    my @compilers = Touchstone::Build::Sets::compilers($places->{set});
    my @wanted    = _with_libraries($make, $places, $stopped, \@compilers, @tests);
    my @words     = _make(
        $make, $places, $progress, $stopped,
        Touchstone::Build::Sets::make_words($places->{set}, @wanted),
        $places->{source} ? () : $NO_INPUTS
    );
    return _trouble_of_set(@words, _if_full($places)) if @words;
    $progress->note("removed '$_', which no build has used for a month")
        for $places->{source} ? () : Touchstone::Build::Sets::remove_old($places->{tree});
    return _hold($places, $lock_or_trouble);
}

# Returns what to say where the compiler of a set is not there.
sub _lacks_compiler {
    my ($set)     = @_;
    my ($command) = split ' ', Touchstone::Build::Sets::compiler($set);
    return if Touchstone::Machine::Command::find($command);
    return ("the compiler '$command' is not installed", $command =~ /\Ag?cc\z/ ? $TOOLS : $OTHER_COMPILER);
}

# The remedy where the cache has no space left: compilers say that in many ways. What is half-built then goes,
# so that the disk is not left full.
sub _if_full {
    my ($places) = @_;
    return if $places->{source};
    my $free = Touchstone::Machine::Disk::free_space($places->{tree}) // $LITTLE_SPACE;
    return if $free >= $LITTLE_SPACE;
    remove_tree($places->{bin}, { error => \my $errors });
    return ("'$places->{tree}' had $free KB left", _if_cache($places));
}

sub _if_cache {
    my ($places) = @_;
    return $places->{source} ? () : split /\n/, Touchstone::Build::Sets::remedy($places);
}

sub _trouble_of_set { my (@lines) = @_; return { trouble => \@lines } }

# A run holds the programs that it measures until it ends, and nobody may build them anew meanwhile. Some
# file systems have no locks.
sub _hold {
    my ($places, $lock_or_trouble) = @_;
    my $lock = ref $lock_or_trouble ? $lock_or_trouble : undef;
    flock $lock, LOCK_SH if $lock || open $lock, '<:raw', $places->{bin};
    return { lock => $lock };
}

# Returns true while nobody measures these programs.
sub _build_lock {
    my ($places) = @_;
    open my $dir, '<:raw', $places->{bin} or return 1;
    return flock($dir, LOCK_EX | LOCK_NB) || $! != EWOULDBLOCK ? $dir : undef;
}

# Returns what make and the compiler say when they fail, or nothing.
sub _make {
    my ($make, $places, $progress, $stopped, @words) = @_;
    my $tree  = $places->{tree} // $places->{base};
    my @make  = ($make, '--no-print-directory', '-C', $tree, @words, 'all');
    my $count = Touchstone::Build::progress_of_make($tree, \@make, $stopped);
    my ($status, $text) = Touchstone::Machine::Command::output(
        \@make,
        errors        => 1,
        stopped       => $stopped,
        while_waiting => sub { $progress->stage($count->()) }
    );
    $progress->stage;
    return       if $status == 0;
    return $text if $status == -1;
    my @all = grep { /\S/ } split /\n/, plain($text, "\n");

    # The lines in which make repeats that it failed tell nothing more.
    my @lines = grep { !/\Ag?make(?:\[\d+\])?: \*\*\*/ } @all;
    @lines = @all if !@lines;

    # The first error tells more than what follows from it.
    my ($first) = grep { $lines[$_] =~ /\berror\b|not found|No such file/i } 0 .. $#lines;
    @lines = splice @lines, $first // max(0, @lines - $MAX_LINES), $MAX_LINES;
    return ("$make ended with status " . ($status >> 8), map { short($_, $MAX_CHARACTERS) } @lines);
}

# Returns the tests but those whose library is missing now. A library that came after the programs were built
# is no matter while they are there.
sub _with_libraries {
    my ($make, $places, $stopped, $compilers, @tests) = @_;
    return @tests if !$places->{set} && !grep { $_->{library} && !-e "$places->{bin}/$_->{program}" } @tests;
    return @tests if !grep                    { $_->{library} } @tests;
    my (undef, $text) =
        $make
        ? Touchstone::Machine::Command::output(
        [
            $make,       '-s', '--no-print-directory', '-C', $places->{tree} // $places->{base},
            @$compilers, 'libraries'
        ],
        stopped => $stopped
        )
        : (1, '');
    my %there = map { $_ => 1 } split ' ', $text // '';
    return grep { !$_->{library} || $there{ $_->{library}[0] } } @tests;
}

sub _missing_files {
    my ($places, @tests) = @_;
    my @here  = grep { _can_be_built($_) } @tests;
    my @files = map {
        ("$places->{bin}/$_->{program}", map { "$places->{testdir}/$_" } @{ $_->{inputs} })
    } @here;
    return grep { !-e } @files;
}

# Returns ([rows that can run], [{ test, kind, why, remedy } of the others]), where the kind is skipped or
# failures. `places` also has cc, copies (all counts), sides (builds that live side by side) and needs, which
# is what Run::Needs found.
sub sort_out {
    my ($places, @tests) = @_;
    my (@good, @bad);
    my $free = Touchstone::Machine::Disk::free_space($places->{tmp});
    for my $test (@tests) {
        my @trouble = _trouble($places, $free, $test);
        if (@trouble) {
            push @bad,
                { test => $test->{name}, kind => $trouble[0], why => $trouble[1], remedy => $trouble[2] };
            next;
        }
        my ($fitting, @beyond) = _within_memory($places, $test);
        push @good, $fitting if $fitting;
        push @bad,  @beyond;
    }
    return (\@good, \@bad);
}

# What the copies of a test hold in memory must be free, or the system would swap or end one of them. Returns
# the row, which knows now how many copies fit, or undef, and what becomes of larger counts. What was told for
# another build is not told again.
sub _within_memory {
    my ($places, $test) = @_;
    my $free = $test->{memory} ? Touchstone::Machine::Resources::memory()->{free} : undef;
    return $test if !defined $free;
    my $each   = $test->{memory} * $places->{sides};
    my $most   = int($MEMORY_USED * $free / $each);
    my @counts = $test->{single} ? 1 : @{ $places->{copies} };
    my @left   = grep { $_ <= ($test->{most_copies} // $_) } @counts;
    my @beyond = grep { $_ > $most } @left or return $test;
    my @lost   = map {
        my $why = sprintf '%d MB of memory are needed, %d MB are free', ceil($_ * $each / 1024), $free / 1024;
        {
            test => $test->{name},
            @counts > 1 ? (copies => $_) : (),
            kind   => 'skipped',
            why    => $why,
            remedy => 'end other programs, or run fewer copies (-c)'
        }
    } @beyond;
    return (@beyond < @left ? { %$test, most_copies => $most } : undef, @lost);
}

# A set of --build that names its own compiler has failed earlier where that is missing.
sub _unbuilt {
    my ($places, $program, $test) = @_;
    my $make =
        $places->{source}
        ? 'make'
        : Touchstone::Base::Directories::command_line($places) . " --build here=-O2 $test->{name}";
    return (
        skipped => "it was built without $test->{library}[0]",
        "install the package $test->{library}[1], then: $make"
    ) if $test->{library};
    return (
        skipped => "no Fortran compiler: '" . Touchstone::Build::fortran() . "' is not installed",
        "install the package $FORTRAN_PACKAGE"
    ) if !_can_be_built($test);
    return (
        failures => "the program '$program' is missing",
        $places->{source} ? "build it: $make"
        : ($places->{kind} // '') eq 'bundle' ? 'unpack the bundle again'
        :                                       'install the package again'
    );
}

# Returns (kind, why, remedy) where a command of a test is missing, or nothing.
sub lacks_command {
    my ($cc, $test) = @_;
    for my $need (sort keys %{ $test->{needs} }) {
        my $command = $need eq '%{cc}' ? $cc : $need;
        return (skipped => "'$command' is not installed", "install the package $test->{needs}{$need}")
            if !Touchstone::Machine::Command::find($command);
    }
    return;
}

sub _can_be_built {
    my ($test) = @_;
    return !$test->{fortran} || defined Touchstone::Machine::Command::find(Touchstone::Build::fortran());
}

# How many write what a copy writes. What is kept is written once, for all copies and all builds.
sub _writers {
    my ($test, $places) = @_;
    return 1 if $test->{kept};
    return $places->{sides} * ($test->{team} || $test->{single} ? 1 : max(@{ $places->{copies} }));
}

sub _trouble {
    my ($places, $free, $test) = @_;
    my $program = "$places->{bin}/$test->{program}";
    return _unbuilt($places, $program, $test)                               if !-e $program;
    return (failures => "the program '$program' cannot be executed", undef) if !-x _;
    for my $input (map { "$places->{testdir}/$_" } @{ $test->{inputs} }) {
        return (
            failures => "the input '$input' cannot be read",
            'build it: make'
        ) if !-r $input;
    }
    my @lacks = lacks_command($places->{cc}, $test);
    return @lacks if @lacks;
    my $needs = $places->{needs};
    return @{ $needs->{trouble}{ $test->{requires} } }
        if $test->{requires} && $needs->{trouble}{ $test->{requires} };
    return (skipped => 'it runs with one copy only', 'add -c 1')
        if $test->{single} && !grep { $_ == 1 } @{ $places->{copies} };
    my $kb = $needs->{space}{ $test->{requires} // '' } // $test->{space} * _writers($test, $places);
    return (
        skipped => "not enough space in '$places->{tmp}': $kb KB needed, $free KB free",
        'try: UB_TMPDIR=/var/tmp ./Run'
    ) if $kb && defined $free && $free < $kb;
    return;
}

1;
