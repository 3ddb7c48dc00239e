# SPDX-License-Identifier: GPL-2.0-or-later
# The program kernel by hand, with sources that take no time to build: what it prepares, what it measures,
# and what it notices.
use 5.014;
use strict;
use warnings;

use Cwd qw(realpath);
use Fcntl qw(F_SETFD);
use File::Temp ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use ByHand;
use Files;
use Programs;
use Waiting;

use NoWarnings;
use Touchstone::Machine::Command;
use Touchstone::Suite::Lbt::KernelSource;

Touchstone::Machine::Command::find('gmake') || Touchstone::Machine::Command::find('make')
    or plan skip_all => 'there is no make';
-x Programs::path('kernel') or plan skip_all => 'the program is not built';
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL MAKEFILES TS_RESULT TS_READY TS_GATE TS_COPY TS_CPUS)};

my $dir  = realpath("$work");
my $arch = Touchstone::Suite::Lbt::KernelSource::architecture();
my %BITS = map { $_ => 1 } qw(i386 arm m68k);
my $ELF  = "\177ELF" . chr($BITS{$arch} ? 1 : 2);
my $n    = 0;

# Each call of make adds a line to the log beside the objects: target, architecture, compilers.
my $MAKEFILE = <<'MAKE';
LOG = @printf '%s ARCH=%s CC=%s HOSTCC=%s\n' $@ '$(ARCH)' '$(CC_)' '$(HOSTCC_)' >>"$(O)/../log"
CC_ = $(if $(filter command%,$(origin CC)),$(CC))
HOSTCC_ = $(if $(filter command%,$(origin HOSTCC)),$(HOSTCC))
tinyconfig defconfig:
	$(LOG)
	CONFIGURE
vmlinux:
	$(LOG)
	BUILD
clean:
	$(LOG)
	CLEAN
.PHONY: tinyconfig defconfig vmlinux clean
MAKE

my %RECIPE = (
    CONFIGURE => '@touch "$(O)/.config"',
    BUILD     =>
        q{@printf '  CC      a.o\n  CC      b.o\n  AS      c.o\n  LD      vmlinux\n'; cp elf "$(O)/vmlinux"},
    CLEAN => '@rm -f "$(O)/vmlinux"',
);

# Makes a source tree in a new directory of this name.
sub tree {
    my ($path, %other) = @_;
    my %recipe = (%RECIPE, %other);
    mkdir $path or die "cannot make '$path': $!\n";
    spew("$path/Makefile", $MAKEFILE =~ s/^\t([A-Z]+)$/\t$recipe{$1}/gmr);
    spew("$path/elf",      $ELF);
    return $path;
}

# Makes a new directory for a test: { source, place, log }.
sub fresh {
    my (%recipe) = @_;
    my $base = "$dir/" . ++$n;
    mkdir $base or die "cannot make '$base': $!\n";
    return { source => tree("$base/tree", %recipe), place => "$base/place", log => "$base/place/log" };
}

# Returns (status, last message, messages about what it was doing).
sub kernel {
    my ($at, %with) = @_;
    my ($status, $err, $out) = run(
        @{ $with{before} || [] },
        Programs::path('kernel'),
        1,
        $with{jobs}   // 3,
        $with{place}  // $at->{place},
        $with{source} // $at->{source},
        $with{config} // 'tinyconfig',
        @{ $with{cc} || [] }
    );
    is($out, '', 'standard output is empty');
    my @now = $err =~ /^NOW\|(.*)$/mg;
    return ($status, $err =~ s/^NOW\|.*\n//mgr, \@now);
}

sub targets { my ($at) = @_; return join ' ', slurp($at->{log}) =~ /^(\w+) /mg }

sub measures {
    my ($what, $at, %with) = @_;
    my ($status, $err) = kernel($at, %with);
    is_result($what, $status, $err);
    like($err, qr/\ACOUNT\|1\|1\|s$/m, "$what: one build, in seconds");
    return;
}

sub fails {
    my ($what, $why, $at, %with) = @_;
    return is_error($what, $why, kernel($at, %with));
}

my $FIRST = 'tinyconfig vmlinux clean vmlinux';

subtest 'the first pass prepares, and every pass builds what was cleaned' => sub {
    my $at = fresh();
    measures('first', $at);
    is(targets($at), $FIRST, 'configured, built, cleaned, and built');
    measures('second', $at);
    is(targets($at), "$FIRST clean vmlinux", 'cleaned and built');
    is(scalar(() = slurp($at->{log}) =~ /^\w+ ARCH=\Q$arch\E CC= HOSTCC=$/mg),
        6, 'the architecture is given, and no compiler');
    like(
        slurp("$at->{place}/prepared"),
        qr/\Asource=\Q$at->{source}\E\nsize=\d+\nchanged=\d+\nconfiguration=tinyconfig\narchitecture=\Q$arch\E\ncompiler=.+\nobjects=4\n\z/,
        'the marker says of what it is'
    );
};

subtest 'what is prepared for something else, or half, is prepared anew' => sub {
    my $at = fresh();
    measures('first', $at);
    my @other = (
        [ 'another configuration', config => 'defconfig' ],
        [ 'a compiler',            cc     => ['cc'] ],
        [ 'another compiler',      cc     => ['ccache cc'] ]
    );
    for (@other) {
        my ($what, %with) = @$_;
        spew($at->{log}, '');
        measures($what, $at, %with);
        my $cc = $with{cc} ? $with{cc}[0] : '';
        like(
            slurp($at->{log}),
            qr/\A\w+config ARCH=\S+ CC=\Q$cc\E HOSTCC=\Q$cc\E$/m,
            "$what: configured anew"
        );
        is(targets($at), ($with{config} // 'tinyconfig') . ' vmlinux clean vmlinux', "$what: and built");
    }
    my $marker = slurp("$at->{place}/prepared");
    for my $half ('', 'x' x 10_000, substr($marker, 0, length($marker) - 3), "$marker" =~ s/objects=.*//sr,
        "\0") {
        spew($at->{log},                 '');
        spew("$at->{place}/prepared",    $half);
        spew("$at->{place}/objects/old", '');
        measures('half', $at, cc => ['ccache cc']);
        is(targets($at) . (-e "$at->{place}/objects/old" ? ' old' : ''), $FIRST, 'it begins from nothing');
    }
    system('rm', '-r', "$at->{place}/objects") == 0 or die "cannot remove a directory\n";
    spew($at->{log}, '');
    measures('objects gone', $at, cc => ['ccache cc']);
    is(targets($at), $FIRST, 'what was removed is built again');
    my ($first, $second) = (fresh(), fresh());
    measures('one source', $first);
    spew($first->{log}, '');
    measures('another source', $first, source => $second->{source});
    is(targets($first), $FIRST, 'another source is built');
};

subtest 'a failure on the way leaves nothing that is taken for prepared' => sub {
    my %recipe = (
        'tinyconfig'         => [ CONFIGURE => '@test ! -e broken' ],
        'tinyconfig vmlinux' => [ BUILD     => '@test ! -e broken && cp elf "$(O)/vmlinux"' ]
    );
    for my $which (sort keys %recipe) {
        my $at = fresh(@{ $recipe{$which} });
        spew("$at->{source}/broken", '');
        my ($status) = kernel($at);
        is($status,      1 << 8, 'it fails');
        is(targets($at), $which, 'where it shall');
        unlink "$at->{source}/broken";
        spew($at->{log}, '');
        measures('then', $at);
        is(targets($at), $FIRST, 'and begins from nothing');
    }
};

sub pack_tree {
    my ($at, $name, @members) = @_;
    my ($base) = $at->{source} =~ m{(.*)/};
    system('tar', '-c', (map { ('-' . $_) } $name =~ /gz\z/ ? 'z' : ()), '-f', "$base/$name", '-C', @members)
        == 0
        or die "cannot make '$name'\n";
    return "$base/$name";
}

subtest 'a tar file is unpacked, whatever it and what is in it are called' => sub {
    Touchstone::Machine::Command::find('tar') or plan skip_all => 'there is no tar';
    for my $name ('plain.tar', 'host:with a blank.tar', '-odd$(x)\'".tar.gz') {
        my $at   = fresh();
        my $base = $at->{source} =~ s{/tree\z}{}r;
        my $tar  = pack_tree($at, $name, $base, 'tree');
        $at->{source} =~ s/tree\z/gone/ && rename "$base/tree", "$base/gone";
        measures($name,         $at, source => $tar);
        measures("$name again", $at, source => $tar);
        is(targets($at), "$FIRST clean vmlinux", "$name: unpacked once");
        is(
            join(' ', sort grep { !/\A\./ } readdir_of($at->{place})),
            'log objects prepared source',
            "$name: nothing else is there"
        );
    }
};

sub readdir_of {
    my ($path) = @_;
    opendir my $in, $path or die "cannot read '$path': $!\n";
    return readdir $in;
}

subtest 'one leading directory is left out of a tar file, if it has one' => sub {
    Touchstone::Machine::Command::find('tar') or plan skip_all => 'there is no tar';
    my %members = (
        'its own name'    => sub { ($_[0],        'tree') },
        'a dot before it' => sub { ($_[0],        './tree') },
        'none'            => sub { ("$_[0]/tree", 'Makefile', 'elf') },
        'a dot'           => sub { ("$_[0]/tree", '.') },
        'a blank'         => sub { rename "$_[0]/tree", "$_[0]/a tree"; ($_[0], 'a tree') }
    );
    for my $what (sort keys %members) {
        my $at   = fresh();
        my $base = $at->{source} =~ s{/tree\z}{}r;
        my $tar  = pack_tree($at, 'source.tar', $members{$what}->($base));
        measures($what, $at, source => $tar);
        ok(-f "$at->{place}/source/Makefile", "$what: the Makefile is where the source is");
    }
};

subtest 'a file that is no source is named with what tar says' => sub {
    Touchstone::Machine::Command::find('tar') or plan skip_all => 'there is no tar';
    my $at = fresh();
    spew("$dir/no.tar", "no tar\n" x 1000);
    fails('no tar file', qr('tar' failed: \S.*), $at, source => "$dir/no.tar");
    my $base = $at->{source} =~ s{/tree\z}{}r;
    fails(
        'another tar file',
        qr(other\.tar' holds no Makefile, so no kernel),
        $at, source => pack_tree($at, 'other.tar', $at->{source}, 'elf')
    );
    fails('nothing', qr(cannot read '\Q$dir\E/none': No such file), $at, source => "$dir/none");
    measures('and the next one', $at);
};

subtest 'names are taken relative to the current directory, and with blanks' => sub {
    my $at = fresh();
    mkdir "$dir/a place" or die "cannot make a directory: $!\n";
    tree("$dir/a place/a tree");
    chdir "$dir/a place" or die "cannot enter it: $!\n";
    measures('relative', $at, source => 'a tree', place => './build here');
    chdir $Programs::BASE or die "cannot enter '$Programs::BASE': $!\n";
    ok(-f "$dir/a place/build here/objects/vmlinux", 'it is built there');
};

subtest 'a tree is only read' => sub {
    my $at = fresh();
    chmod 0444, "$at->{source}/Makefile", "$at->{source}/elf" or die "cannot change modes: $!\n";
    chmod 0555, $at->{source} or die "cannot change a mode: $!\n";
    measures('read-only', $at);
    is(join(' ', sort grep { !/\A\.\.?\z/ } readdir_of($at->{source})),
        'Makefile elf', 'nothing was written into it');
    chmod 0755, $at->{source} or die "cannot change a mode: $!\n";
};

subtest 'what the program has not made is not removed' => sub {
    for my $name (qw(source objects unpacked)) {
        my $at = fresh();
        mkdir $at->{place}         or die "cannot make a directory: $!\n";
        mkdir "$at->{place}/$name" or die "cannot make a directory: $!\n";
        fails($name, qr('\Q$at->{place}\E/$name' is there already, and not of this program's making), $at);
        ok(-d "$at->{place}/$name", "'$name' is still there");
    }
    my $at = fresh();
    measures('a link', $at);
    rename "$at->{place}/objects", "$at->{place}/../kept" or die "cannot rename: $!\n";
    symlink '../kept', "$at->{place}/objects" or die "cannot link: $!\n";
    measures('a link', $at, config => 'defconfig');
    ok(-f "$at->{place}/../kept/vmlinux", 'where a link leads nothing is removed');
};

subtest 'the environment has no word in the build' => sub {
    my @FOREIGN =
        qw(ARCH CROSS_COMPILE KBUILD_OUTPUT KBUILD_VERBOSE KCONFIG_CONFIG KCFLAGS LLVM O V MAKEFLAGS MFLAGS
        MAKELEVEL GNUMAKEFLAGS MAKEFILES);
    my $at =
        fresh(BUILD => '@env >"$(O)/../env"; echo "$(MAKEFLAGS)" >"$(O)/../flags"; cp elf "$(O)/vmlinux"');
    local @ENV{@FOREIGN} = ('foreign') x @FOREIGN;
    local @ENV{qw(MAKEFLAGS GNUMAKEFLAGS LC_ALL LANG CCACHE_DISABLE TMPDIR)} =
        ('n', 'n', 'de_DE.UTF-8', 'de_DE.UTF-8', '0', '/nowhere');
    measures('foreign', $at, jobs => 3);
    my $env = slurp("$at->{place}/env");
    is(join(' ', $env =~ /^(\w+)=(?:foreign|n|.*de_DE.*|\/nowhere)$/mg),
        'LANG', 'of what it holds nothing comes through that make would look at');
    like($env, qr/^$_$/m, $_) for 'CCACHE_DISABLE=1', 'LC_ALL=C', "TMPDIR=\Q$at->{place}\E/objects";
    like(slurp("$at->{place}/flags"), qr/-j ?3\b|--jobserver/, 'the jobs are those it was told');
};

subtest 'what make says of a failure is told in short' => sub {
    my %says = (
        q{@echo "  CC      error.o"; echo "x.c:1:2: error: the cause"; echo "cc1: some warnings being treated as errors"; exit 1}
            => qr/'make vmlinux' failed: x\.c:1:2: error: the cause(?=\n)/,
        q{@echo "some error here"; echo "  CC      b.o"; exit 1} => qr/failed: some error here(?=\n)/,
        q{@echo "sh: 1: flex: not found" >&2; echo "  CC      b.o"; exit 127} =>
            qr/failed: sh: 1: flex: not found(?=\n)/,
        q{@echo "***"; echo "*** The tree is not clean"; echo "*** in /here"; false} =>
            qr/failed: The tree is not clean(?=\n)/,
        q{@printf '\033[31mred\001\377\t%0400d error' 7; false} => qr/failed: \?\[31mred\?\? 0{100,}(?=\n)/,
        '@false'                                                => qr/failed: \S.*Error 1(?=\n)/,
    );
    for my $recipe (sort keys %says) {
        my $at = fresh(BUILD => $recipe);
        my ($status, $err) = kernel($at);
        is_error($recipe, $says{$recipe}, $status, $err);
        cmp_ok(length $err, '<', 300, 'it is short');
    }
    fails(
        'no such target',
        qr/'make with the configuration' failed: \S.*No rule to make target 'otherconfig'/,
        fresh(), config => 'otherconfig'
    );
    fails('clean', qr/'make clean' failed: not clean(?=\n)/, fresh(CLEAN => '@echo not clean; false'));
};

subtest 'a make that says nothing, is killed or is not there is told as well' => sub {
    my $bin = "$dir/bin";
    mkdir $bin or die "cannot make a directory: $!\n";
    my %says = (
        'exit 3'     => qr/ended with status 3 and no word(?=\n)/,
        'kill -9 $$' => qr/was killed by signal 9(?=\n)/
    );
    for my $does (sort keys %says) {
        spew("$bin/gmake", "#!/bin/sh\n$does\n");
        chmod 0755, "$bin/gmake" or die "cannot change a mode: $!\n";
        local $ENV{PATH} = "$bin:$ENV{PATH}";
        fails("gmake is taken before make: $does", $says{$does}, fresh());
    }
    mkdir "$dir/empty" or die "cannot make a directory: $!\n";
    local $ENV{PATH} = "$dir/empty";
    fails('none', qr/'make with the configuration' failed: cannot run 'make': No such file/, fresh());
};

subtest 'make is called by the name it has' => sub {
    my $make = Touchstone::Machine::Command::find('make') or plan skip_all => 'there is no make';
    mkdir "$dir/only-make"                                or die "cannot make a directory: $!\n";
    for my $name ('make', qw(sh cp rm touch printf)) {
        my $path = Touchstone::Machine::Command::find($name) or next;
        symlink $path, "$dir/only-make/$name" or die "cannot link: $!\n";
    }
    my $at = fresh(BUILD => '@echo "$(MAKE)" >"$(O)/../name"; cp elf "$(O)/vmlinux"');
    local $ENV{PATH} = "$dir/only-make";
    measures('no gmake', $at);
    like(slurp("$at->{place}/name"), qr{(?:\A|/)make$}, 'a make that it calls is the same');
};

subtest 'a build that made no kernel is no result' => sub {
    fails('none',  qr/make ended well, but there is no '.*vmlinux': No such file/, fresh(BUILD => '@true'));
    fails('empty', qr/wrong result: '.*vmlinux' is not an ELF file/, fresh(BUILD => '@touch "$(O)/vmlinux"'));
    fails(
        'text',
        qr/wrong result: '.*vmlinux' is not an ELF file/,
        fresh(BUILD => '@cp Makefile "$(O)/vmlinux"')
    );
    my $bits = $BITS{$arch} ? 32 : 64;
    my $at   = fresh();
    spew("$at->{source}/elf", "\177ELF" . chr($BITS{$arch} ? 2 : 1));
SKIP: {
        skip 'this machine has kernels of both widths', 2 if $arch !~ /\A(?:x86_64|i386|arm|arm64)\z/;
        fails('of another width', qr/wrong result: '.*vmlinux' is not of $bits bits/, $at);
    }
    fails(
        'an old one',
        qr/there is no '.*vmlinux'/,
        fresh(
            BUILD => '@test -e "$(O)/../old" || cp elf "$(O)/vmlinux"; touch "$(O)/../old"',
            CLEAN => '@true'
        )
    );
};

subtest 'a build that built little of what it should is no result' => sub {
    my $lines =
        q{@test -e "$(O)/x.o" && echo "  LD      vmlinux" || for i in 1 2 3 4 5 6; do echo "  CC      $$i.o"; done; touch "$(O)/x.o"; cp elf "$(O)/vmlinux"};
    fails(
        'clean leaves objects',
        qr/wrong result: only 1 of 6 objects were built: 'make clean' leaves the others/,
        fresh(BUILD => $lines)
    );
    measures('clean leaves none', fresh(BUILD => $lines, CLEAN => '@rm -f "$(O)/x.o"'));
};

subtest 'a flood of output is read, and told of once a second' => sub {
    my $at =
        fresh(BUILD =>
            q{@i=0; while [ $$i -lt 20000 ]; do echo "  CC      $$i.o"; i=$$((i+1)); done; head -c 3000000 /dev/zero; cp elf "$(O)/vmlinux"}
        );
    my $start = time;
    my ($status, $err, $now) = kernel($at);
    my $most = time - $start + 1;
    is_result('flood', $status, $err);
    like(slurp("$at->{place}/prepared"), qr/^objects=20000$/m, 'objects are counted');
    cmp_ok(scalar @$now, '<=', $most, 'it does not say more than it may');
};

subtest 'it says what it is doing' => sub {
    my $pause = '@echo "  CC      a.o"; sleep 1.1; echo "  CC      b.o"; cp elf "$(O)/vmlinux"';
    my $at    = fresh(BUILD => $pause);
    my ($status, $err, $now) = kernel($at);
    is_result('with pauses', $status, $err);
    my $said = join "\n", @$now;
    like($said, qr/^first build, not timed: [012] objects?$/m, 'the first build');
    like($said, qr/^[012] objects?$/m,                         'and the timed one');
    unlike($said, qr/^(?!first build, not timed: \d+ objects?$|\d+ objects?$)/m, 'and nothing else');
};

subtest 'what make has left in the background is not waited for' => sub {
    my $at = fresh(BUILD => '@cp elf "$(O)/vmlinux"; sleep 5000 & echo $$! >>"$(O)/../background"');
    measures('background', $at);
    my @sleepers = split ' ', slurp("$at->{place}/background");
    is(scalar(grep { !gone($_) } @sleepers), scalar @sleepers, 'it ends before that does');
    kill 'KILL', @sleepers;
};

# Starts the program in its own process group, with make at work: { pid, sleeper, err, more of %with }.
# `sleeper` is the process id of what make has started.
sub at_work {
    my (%with) = @_;
    my $at = fresh(BUILD =>
            '@echo $$$$ >"$(O)/../sleeper.new"; mv "$(O)/../sleeper.new" "$(O)/../sleeper"; exec sleep 5000');
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        POSIX::setpgid(0, 0);
        $with{child}->() if $with{child};
        open STDERR, '>', "$dir/err" or POSIX::_exit(126);
        {
            no warnings 'exec';
            exec { Programs::path('kernel') } 'kernel', 1, 2, $at->{place}, $at->{source}, 'tinyconfig'
        }
        POSIX::_exit(127);
    }
    my $is_there = comes(sub { -e "$at->{place}/sleeper" });
    return { pid => $pid, sleeper => $is_there ? 0 + slurp("$at->{place}/sleeper") : undef };
}

sub is_over {
    my ($what, $run) = @_;
    ok($run->{sleeper},                      "$what: make was at work") or return;
    ok(comes(sub { gone($run->{sleeper}) }), "$what: what it has started is over")
        or kill 'KILL', $run->{sleeper};
    return;
}

subtest 'a signal ends it with all it has started' => sub {
    for my $signal (qw(TERM INT HUP)) {
        for my $whom (1, -1) {
            my $run = at_work(child => sub { $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP) });
            kill $signal, $whom * $run->{pid};
            waitpid $run->{pid}, 0;
            is(
                $? & 127,
                POSIX->can("SIG$signal")->(),
                "SIG$signal to the " . ($whom < 0 ? 'group' : 'program') . ': it ends by that'
            );
            is_over("SIG$signal", $run);
        }
    }
};

subtest 'an ignored signal stays ignored' => sub {
    my $run = at_work(child => sub { $SIG{HUP} = 'IGNORE'; $SIG{TERM} = 'DEFAULT' });
    kill 'HUP', -$run->{pid};
    sleep 0.3;
    ok(kill(0, $run->{pid}), 'it is at work');
    kill 'TERM', -$run->{pid};
    waitpid $run->{pid}, 0;
    is($? & 127, POSIX::SIGTERM(), 'until another comes');
    is_over('SIGTERM', $run);
};

subtest 'nobody who reads the results is the end of it' => sub {
    pipe my $results, my $to_results or die "cannot make a pipe: $!\n";
    my $run = at_work(
        child => sub { fcntl $to_results, F_SETFD, 0; @ENV{qw(TS_RESULT TS_COPY)} = (fileno $to_results, 0) }
    );
    close $to_results;
    close $results;
    waitpid $run->{pid}, 0;
    isnt($?, 0, 'it ends');
    is_over('without a reader', $run);
};

subtest 'everything but the timed build comes before the gate' => sub {
    my $at = fresh();
    pipe my $ready,   my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate     or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_ready, $at_gate;
        @ENV{qw(TS_READY TS_GATE)} = (fileno $to_ready, fileno $at_gate);
        close $gate;
        open STDERR, '>', "$dir/err" or POSIX::_exit(126);
        {
            no warnings 'exec';
            exec { Programs::path('kernel') } 'kernel', 1, 1, $at->{place}, $at->{source}, 'tinyconfig'
        }
        POSIX::_exit(127);
    }
    close $to_ready;
    sysread $ready, my $byte, 1;
    is($byte,        'r',                        'it is at the gate');
    is(targets($at), 'tinyconfig vmlinux clean', 'prepared and cleaned');
    ok(!-e "$at->{place}/objects/vmlinux", 'and there is no kernel');
    close $gate;
    waitpid $pid, 0;
    is_result('kernel', $?, slurp("$dir/err") =~ s/^NOW.*\n//mgr);
    is(targets($at), $FIRST, 'the timed build comes behind it');
};

subtest 'a caller who ignores the end of children and blocks signals does no harm' => sub {
    my $at = fresh();
    local $SIG{CHLD} = 'IGNORE';
    local $SIG{PIPE} = 'IGNORE';
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        POSIX::sigprocmask(POSIX::SIG_BLOCK(),
            POSIX::SigSet->new(POSIX::SIGCHLD(), POSIX::SIGTERM(), POSIX::SIGALRM()));
        open STDERR, '>', "$dir/err" or POSIX::_exit(126);
        {
            no warnings 'exec';
            exec { Programs::path('kernel') } 'kernel', 1, 1, $at->{place}, $at->{source}, 'tinyconfig'
        }
        POSIX::_exit(127);
    }
    $SIG{CHLD} = 'DEFAULT';
    waitpid $pid, 0;
    like(slurp("$dir/err"), qr/^COUNT\|1\|1\|s$/m, 'it measures');
};

subtest 'wrong arguments are usage errors' => sub {
    my $at   = fresh();
    my @good = (1, 2, $at->{place}, $at->{source}, 'tinyconfig');
    is_usage('too few',   program('kernel', @good[ 0 .. 3 ]));
    is_usage('too many',  program('kernel', @good, 'cc', 'more'));
    is_usage("jobs '$_'", program('kernel', 1,     $_,   @good[ 2 .. 4 ])) for '0', '-1', '2x', '', '100001';
    is_usage("configuration '$_'", program('kernel', @good[ 0 .. 3 ], $_))
        for '', '-config', 'vmlinux', 'CC=config', 'a config', '../config', "a\nconfig";
    is_usage("seconds '$_'", program('kernel', $_, @good[ 1 .. 4 ])) for '0', 'x';
    ok(!-e $at->{place}, 'nothing was made');
};

subtest 'a directory that cannot be made is named' => sub {
    my $at = fresh();
    fails(
        'below nothing',
        qr(cannot make the directory '\Q$dir\E/no/where': No such file),
        $at, place => "$dir/no/where"
    );
    spew("$dir/file", '');
    fails('a file', qr(cannot (?:write|make) '\Q$dir\E/file/\w+': Not a directory), $at,
        place => "$dir/file");
};

done_testing;
