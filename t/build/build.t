#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The first ./Run builds what is missing, and only once if two are started together. make install gives a
# copy that works. make BUILD= builds elsewhere, and that build can be measured.
use 5.014;
use strict;
use warnings;

use lib 't/lib', 'docs/make';

use Cwd qw(getcwd);
use File::Find ();
use File::Glob qw(bsd_glob);
use File::Path qw(remove_tree);
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Test::More;

use Fake;
use Links;
use Touchstone::Build;
use Touchstone::Machine::Command;

delete @ENV{ grep { /^(?:UB_|MAKE|MFLAGS|BUILD$|CC$|CFLAGS$|LDFLAGS$)/ } keys %ENV };
my $base = getcwd();
my $make = (grep { system("command -v $_ >/dev/null 2>&1") == 0 } qw(gmake make))[0]
    or plan skip_all => 'there is no make';

# Files in pgms/ that make does not build.
my @UNBUILT = sort map { s{.*/}{}r } glob("$base/pgms/*.sh $base/pgms/*.base $base/pgms/*.csv");

# Makes a tree in which nothing is built, in a place with a hostile name. It has two programs of one suite,
# and Dhrystone if a test needs a program of several parts: more programs would only take longer.
sub fresh_tree {
    my (@more) = @_;
    my $kept   = join '|', qw(pipe hanoi), @more;
    my $place  = File::Temp->newdir;
    my $tree   = "$place/a 'tree' <b> & \"c\"";
    mkdir $tree or die "cannot make '$tree': $!\n";
    system(
        'cp', '-R',
        (map { "$base/$_" } qw(Run Makefile lib src testdir fleet README docs LICENSE)),
        bsd_glob("\Q$base\E/*.md"), $tree
        ) == 0
        or die "cannot copy\n";
    mkdir "$tree/pgms" or die "cannot make pgms: $!\n";
    system('cp', glob("$base/pgms/*.sh $base/pgms/*.base $base/pgms/*.csv"), "$tree/pgms") == 0
        or die "cannot copy\n";
    remove_tree(grep { !m{/unixbench\z} && -d } bsd_glob("\Q$tree\E/src/*"));
    unlink grep { !m{/(?:$kept)\.\w+\z} } map { bsd_glob("\Q$tree\E/src/unixbench/$_") } '*.c', 'variants/*';
    system('cp', "$base/t/fake/idle.c", "$tree/src/unixbench/$_.c") == 0
        or die "cannot copy\n"
        for qw(pipe hanoi);
    my $variants = "$tree/src/unixbench/variants/dhrystone.mk";
    Fake::write_file($variants, text($variants) =~ s/^DHRYSTONE := dhry2 .*/DHRYSTONE := dhry2/mr)
        if -e $variants;
    unlink "$tree/testdir/large.txt";
    return ($place, $tree);
}

# The command of a tree or of a copy, in an environment that says nothing of where things are.
my $fake = Fake->new;
my %HERE = map { $_ => undef } qw(UB_BINDIR UB_RESULTDIR UB_TMPDIR UB_TESTDIR);

sub start {
    my ($file, @command) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    return $pid if $pid;
    open STDOUT, '>',  $file    or POSIX::_exit(99);
    open STDERR, '>&', \*STDOUT or POSIX::_exit(99);
    exec @command or POSIX::_exit(99);
}

sub text {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/;
    return <$in> // '';
}

# Runs make in the tree; its output is in the file `made` beside it.
sub make_there {
    my ($tree, @words) = @_;
    waitpid start("$tree/../made", $make, '-C', $tree, @words), 0;
    return $? >> 8;
}

# Returns { path => "inode, time and bytes" } of all files below a directory of the tree.
sub files_below {
    my ($tree, $directory) = @_;
    my %found;
    my $look = sub { my @is = lstat; $found{ substr $_, length $tree } = "@is[1, 9] " . text($_) if -f _ };
    File::Find::find({ wanted => $look, no_chdir => 1 }, "$tree/$directory") if -e "$tree/$directory";
    return \%found;
}

subtest 'two first runs at once build once and both measure' => sub {
    my ($place, $tree) = fresh_tree();
    my @runs = map { $fake->start([qw(--quick -c 1 pipe)], file => "$tree/Run", env => \%HERE) } 1, 2;
    my @got  = map { $fake->wait_for_end($_) } @runs;
    for my $got (@got) {
        is($got->{status}, 0, 'a run ends well') or diag($got->{err});
        like($got->{out}, qr/^Pipe Throughput /m, 'it has a result');
    }
    my $built = grep { $_->{err} =~ /^# building/m } @got;
    is($built,                                  1,  'one of them has built');
    is(join(' ', glob("\Q$tree\E/pgms/*.new")), '', 'nothing is left half-way');
};

subtest 'the programs that make builds are counted' => sub {
    my ($place, $tree) = fresh_tree();
    my @make  = ($make, '--no-print-directory', '-C', $tree, 'all');
    my $count = Touchstone::Build::progress_of_make($tree, \@make, sub { 0 });
    is_deeply($count->(), { text => 'building 0 of 2', done => 0, all => 2 }, 'before');
    is(make_there($tree),  0,                 'they are built') or diag(text("$place/made"));
    is($count->()->{text}, 'building 2 of 2', 'after it');
    Fake::write_file("$tree/pgms/hanoi", '');
    utime 1, 1, "$tree/pgms/hanoi";
    is($count->()->{text}, 'building 1 of 1', 'one that was there before is none of them');
    unlink "$tree/pgms/hanoi";
    is($count->()->{text}, 'building 1 of 2', 'until it is removed');
    is(Touchstone::Build::progress_of_make($tree, ['false'], sub { 0 })->()->{text},
        'building', 'nothing is counted where make names nothing');
};

subtest 'an installed copy works where nothing may be written' => sub {
    my ($place, $tree) = fresh_tree();
    is(
        system(
            "$make -s -C '" . $tree =~
                s/'/'\\''/gr . "' install DESTDIR='$place/in stalled' PREFIX=/usr >'$place/made' 2>&1"
        ),
        0,
        'make install'
    ) or diag(text("$place/made"));
    my $command = "$place/in stalled/usr/bin/touchstone";
    my $got     = $fake->run(
        [qw(--quick -c 1 pipe)],
        command =>
            [ $^X, "-I$place/in stalled/usr/lib/touchstone/lib", "-I$Fake::BASE/t/lib", '-MQuiet', $command ],
        env => { %HERE, XDG_STATE_HOME => "$place/state" }
    );
    is($got->{status}, 0, 'it runs without make') or diag($got->{err});
    is(scalar(my @records = glob("$place/state/touchstone/results/.runs/*.json")),
        1, 'its record is in the state directory');
    ok(!-e "$place/in stalled/usr/lib/touchstone/results", 'and not beside the programs');
    waitpid start("$place/out", $command, 'manual'), 0;
    like(text("$place/out"), qr/^ +touchstone report A /m, 'its manual has its name');
    _has_share("$place/in stalled/usr/share", "$place/in stalled/usr/share/man");
    is(join(' ', _dead_links("$place/in stalled/usr/lib/touchstone")), '',
        'its documents have no dead links');
    is(make_there($tree, '-s', 'install', "DESTDIR=$place/in stalled", 'PREFIX=/opt', 'MANDIR=/the man'),
        0, 'make install MANDIR=')
        or diag(text("$place/made"));
    _has_share("$place/in stalled/opt/share", "$place/in stalled/the man");
    mkdir "$place/$_" or die "cannot make '$place/$_': $!\n" for qw(lib lib/Pod);
    Fake::write_file("$place/lib/Pod/Man.pm", "die;\n");
    local $ENV{PERL5LIB} = "$place/lib";
    is(make_there($tree, '-s', 'install', "DESTDIR=$place/without"), 0, 'make install without Pod::Man');
    like(text("$place/made"), qr/there is no Pod::Man.*installed without the page for man/s, 'says so');
    is(join(' ', glob "$place/without/usr/local/share/man/man1/*"), '', 'and leaves nothing half-way');
    ok(-x "$place/without/usr/local/bin/touchstone", 'there is the command');
};

# Returns "mode path" for what is below a directory and has other modes than what a package has.
sub odd_modes {
    my ($directory) = @_;
    my @odd;
    my $look = sub {
        return if -l;
        my $mode = (stat)[2] & 07777;
        my $is   = $mode == 0755 || !-d _ && $mode == 0644;
        push @odd, sprintf '%04o %s', $mode, substr $_, length $directory if !$is;
    };
    File::Find::find({ wanted => $look, no_chdir => 1 }, $directory);
    return @odd;
}

subtest 'an installed copy has the sources that it was built from, and nobody needs to be who made it' =>
    sub {
    my ($place, $tree) = fresh_tree();
    Fake::write_file("$tree/src/$_", 'of an editor') for '.bench.c.swp', 'bench.c~';
    my $old = umask 077;
    chmod 0600, "$tree/src/bench.c", "$tree/DESIGN.md";
    my $status = make_there($tree, 'install', "DESTDIR=$place/in stalled",
        'PREFIX=/usr', 'DOCDIR=/usr/share/doc/touchstone');
    umask $old;
    is($status, 0, 'make install') or diag(text("$place/made"));
    my $home = "$place/in stalled/usr/lib/touchstone";
    is(join(' ', Fake::entries("$home/source")), 'Makefile pgms src testdir', 'what a build needs');
    is(
        join(' ', Fake::entries($home)),
        'Run fleet lib pgms source testdir',
        'and no documents, where DOCDIR has them'
    );
    is(join("\n", odd_modes("$place/in stalled/usr")), '', 'modes do not depend on the umask');
    is(join(' ',  _dead_links("$place/in stalled/usr/share/doc/touchstone")), '', 'no dead links there');
    my $size = 0;
    File::Find::find(sub { $size += -s if -f }, "$base/src", "$base/Makefile");
    cmp_ok($size, '<', 1_000_000, 'all sources are below a megabyte');
    my $sources = text("$tree/pgms/build.sources");
    system('cp', '-R', "$home/source", "$place/again") == 0 or die "cannot copy\n";
    waitpid start("$place/made", $make, '-s', '-C', "$place/again"), 0;
    is($?,                                      0,        'they can be built') or diag(text("$place/made"));
    is(text("$place/again/pgms/build.sources"), $sources, 'and are the same sources');
    waitpid start("$place/out", "$place/in stalled/usr/bin/touchstone", 'manual'), 0;
    like(text("$place/out"), qr/^NAME\n +touchstone - /m, 'manual needs no document');
    };

# The links of the documents in a directory that lead to no file.
sub _dead_links {
    my ($home) = @_;
    my @documents = map { bsd_glob("\Q$home\E/$_") } qw(README DESIGN.md docs/*.md docs/tests/*.md);
    return "no documents in $home" if @documents < 15;
    return map {
        my ($folder) = m{(.*)/};
        grep { !-e "$folder/" . s/#.*//r } grep { !/\A#/ } Links::targets(text($_))
    } @documents;
}

# Tests that the files for man, bash and zsh exist and are readable for everybody.
sub _has_share {
    my ($share, $man) = @_;
    like(
        text("$share/bash-completion/completions/touchstone"),
        qr/^complete .* touchstone$/m,
        'what completes in bash'
    );
    like(text("$share/zsh/site-functions/_touchstone"), qr/\A#compdef .*\btouchstone$/m, 'and in zsh');
    my @files = ("$share/bash-completion/completions/touchstone", "$share/zsh/site-functions/_touchstone");
SKIP: {
        skip 'there is no Pod::Man', 1 if !eval { require Pod::Man };
        like(text("$man/man1/touchstone.1"), qr/^\.TH TOUCHSTONE 1 /m, 'the page for man');
        push @files, "$man/man1/touchstone.1";
    }
    is(
        join(' ', map { sprintf '%04o', (stat)[2] & 07777 } @files),
        join(' ', map { '0644' } @files),
        'all may be read by everybody'
    );
    return;
}

subtest 'make BUILD= builds a second program directory and touches nothing of the first' => sub {
    my ($place, $tree) = fresh_tree('dhrystone\w*');
    is(make_there($tree, '-s', '-j3', 'BUILD=o2', 'UB_GCC_OPTIONS=-O2'), 0, 'it is built')
        or diag(text("$place/made"));
    is(
        join(' ', sort map { s{.*/}{}r } glob("\Q$tree\E/pgms/*")),
        join(' ', @UNBUILT),
        'without the first, and nothing is there'
    );
    ok(!-e "$tree/obj", 'nor among its objects');
    is(make_there($tree, '-s', '-j3'), 0, 'the first is built') or diag(text("$place/made"));
    my %before = (
        pgms        => files_below($tree, 'pgms'),
        obj         => files_below($tree, 'obj'),
        'pgms.d/o2' => files_below($tree, 'pgms.d/o2')
    );
    is(
        join(' ', sort map { s{.*/}{}r } grep { !m{/obj/} } keys %{ $before{'pgms.d/o2'} }),
        join(' ', sort map { s{.*/}{}r } keys %{ $before{pgms} }),
        'both are complete'
    );
    like(
        text("$tree/pgms.d/o2/build.facts"),
        qr/^flags_unixbench=-O2 -fno-lto\n/m,
        'each has facts of its own'
    );
    like(text("$tree/pgms/build.facts"), qr/^flags_unixbench=-O3 .*^ub_gcc_options=\n/ms, 'also the first');
    is(make_there($tree, '-s', '-j3', 'BUILD=o2', 'UB_GCC_OPTIONS=-O2'), 0, 'the second once more');
    is_deeply(files_below($tree, $_), $before{$_}, "$_ is as it was") for sort keys %before;
    my $got = $fake->run(
        [qw(--quick -c 1 pipe)],
        command =>
            [ '/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', $tree, @Fake::RUN[ 0 .. 3 ], './Run' ],
        env => { %HERE, UB_BINDIR => 'pgms.d/o2' }
    );
    is($got->{status}, 0, 'it can be measured') or diag($got->{err});
    my ($file) = glob("\Q$tree\E/results/.runs/*.json");
    my $record = JSON::PP->new->utf8->decode(text($file // ''));
    is($record->{build}{flags_unixbench}, '-O2 -fno-lto', 'the record has its flags');
    like($record->{passport}, qr/\A[0-9a-f]{64}\z/, 'and a passport');
    is(make_there($tree, 'clean', 'BUILD=o2'), 0, 'make clean BUILD=');
    ok(!-e "$tree/pgms.d/o2", 'removes it');
    is_deeply(files_below($tree, $_), $before{$_}, "and nothing of $_") for qw(pgms obj);
    make_there($tree, '-s', 'BUILD=o2', 'pgms.d/o2/build.facts');
    is(make_there($tree, 'clean'), 0, 'make clean');
    ok(!-e "$tree/obj" && -e "$tree/pgms.d/o2/build.facts", 'removes the first and nothing of the others');
    is(
        join(' ', sort map { s{.*/}{}r } glob("\Q$tree\E/pgms/*")),
        join(' ', @UNBUILT),
        'what make does not build stays'
    );
};

subtest 'the loops of string-sort do not lie where chance has put them' => sub {
    my $place    = File::Temp->newdir;
    my $compiled = sub {
        waitpid start("$place/made", $make, '-C', $base, '-n', '-B', 'ONLY=string-sort', @_), 0;
        my ($line) = text("$place/made") =~ m{^(.* -o obj/bytemark/string-sort\.o .*)$}m;
        return join ' ', ($line // 'not compiled') =~ /(not compiled|-falign-loops=32)/g;
    };
    my $cc = Touchstone::Build::facts('pgms')->{compiler};
SKIP: {
        my $try = "$cc -Werror -falign-loops=32 -fsyntax-only -x c /dev/null 2>/dev/null";
        skip "$cc cannot align loops", 1 if system($try) != 0;
        is($compiled->("CC=$cc", @$_), '-falign-loops=32', "they begin at a multiple of 32: make @$_")
            for [], ['FLAGS=-O1'], ['UB_GCC_OPTIONS=-O1'];
    }
};

subtest 'BUILD is a plain name, and only make\'s own words give it' => sub {
    my ($place, $tree) = fresh_tree();
    Fake::write_file("$place/precious", 'x');
    for my $name (
        '.',    '..',  '../..', '/tmp', 'a/b', 'a b', '.x',  '-x',   "a'b",      'a"b',
        'a$$b', 'a;b', '*',     'a#b',  'a%b', 'a,b', 'a)b', "a\nb", "\xc3\xa4", '~'
    ) {
        for my $goal (qw(all clean)) {
            is(make_there($tree, $goal, "BUILD=$name"), 2, "make $goal BUILD='$name' fails");
            like(
                text("$place/made"),
                qr/ BUILD is '.*', allowed is a name of letters, digits, _ \. and - that begins with neither \. nor -/s,
                'and says why'
            );
        }
    }
    for my $goal (qw(check check-all fuzz install bench golden man)) {
        is(make_there($tree, $goal, 'BUILD=o2'), 2, "make $goal is of the first build");
        like(text("$place/made"), qr/BUILD is for building and cleaning only/, 'and says so');
    }
    ok(-e "$place/precious" && -e "$tree/Run" && !-e "$tree/builds" && !-e "$tree/obj",
        'nothing was removed or made');
    local $ENV{BUILD} = 'x';
    is(make_there($tree, '-n', 'pgms/pipe'), 0, 'a BUILD in the environment');
    unlike(text("$place/made"), qr{pgms.d/}, 'means something else');
    is(make_there($tree, '-n', 'BUILD=Az_0.9-', 'pgms.d/Az_0.9-/pipe'), 0, 'all that a name may have');
};

subtest 'make writes down which sources, library and linker there were' => sub {
    my ($place, $tree) = fresh_tree();
    is(make_there($tree, '-s', '-j3'), 0, 'it is built') or diag(text("$place/made"));
    my $sources = text("$tree/pgms/build.sources");
    like($sources, qr/\A[0-9a-f]{64}\n\z/, 'sources: a SHA-256');
    my $facts = text("$tree/pgms/build.facts");
    like($facts, qr/^libc=(?:glibc|musl) \d+\.\d+/m, 'library: its name and version') if $^O eq 'linux';
    like($facts, qr/^linker=\S/m,                    'linker');
    my $program = files_below($tree, 'pgms')->{'/pgms/pipe'};
    Fake::write_file("$tree/src/unixbench/hanoi.c", text("$tree/src/unixbench/hanoi.c") . "// more\n");
    Fake::write_file("$tree/src/$_", 'of an editor') for '.bench.c.swp', 'bench.c~';
    is(make_there($tree, '-s', 'BUILD=other', 'pgms.d/other/build.facts'), 0, 'a build that is not complete');
    ok(!-e "$tree/pgms.d/other/build.sources", 'has no sources yet');
    is(make_there($tree, '-s', '-j3'), 0, 'it is built again') or diag(text("$place/made"));
    my $changed = text("$tree/pgms/build.sources");
    isnt($changed, $sources, 'a source that has changed');
    is(files_below($tree, 'pgms')->{'/pgms/pipe'}, $program, 'builds no other program anew');
    my ($command) = text("$base/docs/building.md") =~ /^    (find Makefile src .*\n.*)/m;
SKIP: {
        skip 'there is no sha256sum', 1 if !Touchstone::Machine::Command::find('sha256sum');
        waitpid start("$place/sum", '/bin/sh', '-c', "cd \"\$1\" && $command", 'sh', $tree), 0;
        is(text("$place/sum"), $changed =~ s/\n/  -\n/r, 'the command in docs/building.md prints it too');
    }
    unlink "$tree/src/.bench.c.swp", "$tree/src/bench.c~";
    my $before = files_below($tree, 'pgms');
    is(make_there($tree, '-s', '-j3'), 0, 'without what the editor left');
    is_deeply(files_below($tree, 'pgms'), $before, 'nothing is written at all');
    Fake::write_file("$tree/Makefile", text("$tree/Makefile") . "# more\n");
    is(make_there($tree, '-s', '-j3'), 0, 'a Makefile that has changed');
    isnt(text("$tree/pgms/build.sources"), $changed, 'is another source');
};

done_testing;
