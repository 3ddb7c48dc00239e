#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds and ./Run --build: which builds are asked for, what make is told, and several builds that are
# measured in turn and compared.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Path qw(remove_tree);
use File::Temp ();
use JSON::PP ();
use Fcntl qw(:flock);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use Fake;
use NoWarnings;
use Waiting;
use Touchstone::Build::Sets;

delete @ENV{ grep { /^(?:UB_|MAKE|MFLAGS|BUILD$|CC$|FC$|CFLAGS$|LDFLAGS$|FFLAGS$)/ } keys %ENV };
my $base = getcwd();

# Each row is [argument, name, flags, compilers].
my @ASKED = (
    [ 'o2=-O2',                        'o2',     '-O2',    {} ],
    [ 'none=',                         'none',   '',       {} ],
    [ 'x=  -O2   -g ',                 'x',      '-O2 -g', {} ],
    [ 'x=-O2,-g',                      'x',      '-O2 -g', {} ],
    [ 'clang=CC=clang,-O2',            'clang',  '-O2',    { CC => 'clang' } ],
    [ 'c=-O2 CC=/opt/a.b/cc',          'c',      '-O2',    { CC => '/opt/a.b/cc' } ],
    [ 'f=CC=clang,FC=gfortran-12,-O3', 'f',      '-O3',    { CC => 'clang', FC => 'gfortran-12' } ],
    [ 'l=-O2,-Wl,-O1,--as-needed',     'l',      '-O2 -Wl,-O1,--as-needed', {} ],
    [ 'l=-Wl,-z,now -O2',              'l',      '-Wl,-z,now -O2',          {} ],
    [ 'd=-DA=1,-DB=2',                 'd',      '-DA=1 -DB=2',             {} ],
    [ 'v=-march=x86-64-v3',            'v',      '-march=x86-64-v3',        {} ],
    [ '_1.0-a=-O1',                    '_1.0-a', '-O1',                     {} ],
);

subtest 'a name and flags are taken apart' => sub {
    for my $case (@ASKED) {
        my ($text, $name, $flags, $compilers) = @$case;
        my $set = Touchstone::Build::Sets::parsed($text) || {};
        is_deeply([ @$set{qw(name flags compilers)} ], [ $name, $flags, $compilers ], $text);
        is(Touchstone::Build::Sets::asked($set), $text, 'and put together again');
    }
};

my @REFUSED = (
    '',           'o2',                '=-O2',           'a/b=-O2',
    '../x=-O2',   '.x=-O2',            '-x=-O2',         'x y=-O2',
    "x\n=-O2",    "x=-O2\n",           'x=-O2;id',       'x=$(id)',
    'x=`id`',     "x='-O2'",           'x=-D"A"',        'x=-O2|id',
    'x=-O2 & id', 'x=#',               'x=\\',           'x=-O2 > y',
    "x=\0",       'x=~',               'x=@/etc/passwd', 'x=CC=',
    'x=CC= -O2',  'x=' . '-g ' x 1000, 'x' x 100 . '=-O2'
);

subtest 'what is no name or would mean something to a shell is refused' => sub {
    ok(!Touchstone::Build::Sets::parsed($_), substr(JSON::PP->new->allow_nonref->encode($_), 0, 40))
        for @REFUSED;
};

subtest 'make is told the flags, the compilers and the programs that are needed' => sub {
    my $set = Touchstone::Build::Sets::parsed('clang=CC=clang,-O2 -g');
    is_deeply(
        [
            Touchstone::Build::Sets::make_words(
                $set,
                { program => 'pipe' },
                { program => 'load1997', parts => [qw(m-permut m-comb)] },
                { program => 'pipe' }
            )
        ],
        [ 'BUILD=clang', 'FLAGS=-O2 -g', 'CC=clang', 'ONLY=clock load1997 m-comb m-permut pipe' ],
        'in words'
    );
};

# A tree with the sources of a few programs, of which two do no work, and a make and a compiler that work.
my $temp = File::Temp->newdir;
my $tree = "$temp/tree";

sub prepare_tree {
    mkdir $_
        or die "cannot make '$_': $!\n"
        for $tree, map { "$tree/$_" } qw(src src/unixbench src/lmb1997 pgms testdir);
    system('cp', '-R', (map { "$base/src/lmb1997/$_" } qw(m-comb.f90 fortran shared)), "$tree/src/lmb1997")
        == 0
        or die "cannot copy\n";
    system('cp', '-R', (map { "$base/$_" } qw(Run Makefile lib)), $tree) == 0 or die "cannot copy\n";
    system(
        "cp $base/src/*.[ch] $base/src/*.pl $tree/src && cp $base/src/unixbench/clock.c $tree/src/unixbench && cp $base/pgms/*.base $base/pgms/*.csv $tree/pgms && cp $base/testdir/*.pl $tree/testdir"
        ) == 0
        or die "cannot copy\n";
    system('cp', "$base/t/fake/idle.c", "$tree/src/unixbench/$_.c") == 0
        or die "cannot copy\n"
        for qw(pipe hanoi);
    return;
}

# In the tree as in any other, so that programs are found and built there.
my $fake = Fake->new;
my %THERE =
    (file => "$tree/Run", env => { map { $_ => undef } qw(UB_BINDIR UB_RESULTDIR UB_TMPDIR UB_TESTDIR) });
sub run_there { return $fake->run([@_], %THERE) }

sub records {
    return map { JSON::PP->new->decode(Fake::read_file($_)) } sort glob "$tree/results/.runs/*.json";
}

my $make = (grep { system("command -v $_ >/dev/null 2>&1") == 0 } qw(gmake make))[0];

SKIP: {
    skip 'there is no make or no cc', 1 if !$make || system('command -v cc >/dev/null 2>&1') != 0;
    prepare_tree();

    subtest 'two builds are measured in turn and stand side by side' => sub {
        my $got = run_there(qw(--build o0=-O0 --build none= -i 6 -c 1), '--dry-run', 'hanoi');
        is($got->{status}, 0, 'a dry run') or diag($got->{err});
        ok(!-e "$tree/pgms.d", 'builds nothing');
        $got = run_there(qw(--build o0=-O0 --build o2=-O2 --quick -c 1 hanoi pipe));
        is($got->{status}, 0, 'it ends well') or diag($got->{err});
        like(
            $got->{out},
            qr/^  Build +Asked for +Compiler +Run\n  o0 +-O0 .*\n  o2 +-O2 /m,
            'a table says what the builds are'
        );
        like(
            $got->{out},
            qr/^1 copy; scores of the whole run\n\n  Test +o0 +o2 +Paired speed +95 % interval.*\n  pipe .*\n  hanoi +\d/m,
            'and one what they do'
        );
        is(
            join(' ', map { s{.*/}{}r } grep { -x && -f } glob "$tree/pgms.d/o0/*"),
            'clock hanoi pipe',
            'no other programs were built'
        );
        ok(!-e "$tree/pgms/pipe", 'nor those of the usual place');
        my @records = records();
        is_deeply(
            [ map { $_->{set} } @records ],
            [ { name => 'o0', asked => '-O0' }, { name => 'o2', asked => '-O2' } ],
            'the records know what they are of'
        );
        is_deeply(
            [ map { $_->{build}{flags_unixbench} } @records ],
            [ '-O0 -fno-lto', '-O2 -fno-lto' ],
            'and how it was built'
        );
        isnt($records[0]{build}{binaries}{hanoi}, $records[1]{build}{binaries}{hanoi}, 'into other programs');
        my @when = sort { $a->[0] <=> $b->[0] } map {
            my $name = $_->{set}{name};
            map { [ $_->{started}, $name ] } @{ $_->{passes} }
        } @records;
        is(
            scalar(
                grep {
                    join('', sort map { $_->[1] } @when[ 2 * $_, 2 * $_ + 1 ]) ne 'o0o2'
                } 0 .. $#when / 2
            ),
            0,
            'each pass of one beside one of the other'
        );
    };

    subtest 'the stored runs make the same table again, in every form' => sub {
        my @names = map { $_->{name} } records();
        like(run_there('compare', @names)->{out},
            qr/\A(?:not valid: |.*\bo2\b.*\bo0\b).*^  Build +Asked for /ms, 'text');
        like(run_there('compare', '--format', 'markdown', @names)->{out}, qr/\A# .*\bo[02]\b/, 'Markdown');
        like(run_there('compare', '--format', 'html', @names)->{out}, qr{<h1[^>]*>[^<]*\bo[02]\b}, 'HTML');
        like(run_there('compare', '--format', 'csv',  @names)->{out},
            qr/^\Q$names[0]\E \(o0\),\Q$names[1]\E \(o2\),hanoi,1,lps,/m, 'CSV');
        is_deeply(
            [
                map { $_->{name} }
                    @{ JSON::PP->new->decode(run_there('compare', '--format', 'json', @names)->{out})
                        ->{builds}
                    }
            ],
            [qw(o0 o2)],
            'JSON'
        );
        like(
            run_there('compare', @names[ 0, 0 ])->{out},
            qr/compared with itself/,
            'one with itself is no table of builds but for its note'
        );
    };

    subtest 'a set is built anew when its flags change, and otherwise not' => sub {
        my $program = "$tree/pgms.d/o2/hanoi";
        my $time    = sub { return join ' ', (stat $program)[ 1, 9, 10 ] };
        my $before  = $time->();
        is(run_there(qw(--build o2=-O2 --quick -c 1 hanoi))->{status}, 0,       'the same flags');
        is($time->(),                                                  $before, 'the program stays');
        my $got = run_there(qw(--build o2=-O1 --quick -c 1 hanoi));
        is($got->{status}, 0, 'others') or diag($got->{err});
        isnt($time->(), $before, 'it is another');
        like($got->{out}, qr/^Recursion Test -- Tower of Hanoi /m, 'one build alone has the report of a run');
        my $record = (records())[-1];
        is(
            "$record->{purpose} $record->{set}{name} $record->{build}{flags_unixbench}",
            'run o2 -O1 -fno-lto',
            'whose record says what was built'
        );
        like($record->{programs}, qr{/pgms\.d/o2\z}, 'and where');
    };

    subtest 'programs of other flags than asked for are never measured' => sub {
        my $program = "$tree/pgms.d/o0/pipe";
        ok(-e $program, 'there is one');
        my $got = run_there('--build', 'o0=-O3,-fsyntax-only', qw(--quick -c 1 hanoi));
        is($got->{status}, 1, 'flags with which nothing is made');
        like($got->{err}, qr/^# the build 'o0' failed: /m, 'are a failed build');
        ok(!-e $program, 'what other flags made is gone, also what was not asked for');
        open my $held, '<', "$tree/pgms.d/o2" or die "cannot open the programs: $!\n";
        flock $held, LOCK_SH or die "cannot lock: $!\n";
        $got = run_there(qw(--build o2=-O3 --quick -c 1 hanoi));
        is($got->{status}, 1, 'what another run measures');
        like(
            $got->{err},
            qr/^# the build 'o2' failed: another run is measuring these programs: wait until it has ended, or give the build another name$/m,
            'is not built anew'
        );
        like(
            Fake::read_file("$tree/pgms.d/o2/build.facts"),
            qr/^flags_unixbench=-O1 /m,
            'and stays as it was'
        );
    };

    subtest 'a run of one build that was killed is gone on with' => sub {
        my $run = $fake->start([qw(--build o2=-O1 --quick -c 1 hanoi pipe)],
            %THERE, env => { %{ $THERE{env} }, IDLE_LONG => 1 });
        my $journal;
        my $is_begun = comes(
            sub {
                ($journal) =
                    grep { Fake::read_file($_) =~ /"round":[1 ]/ } glob "$tree/results/.runs/*.jsonl";
            }
        );
        ok($is_begun, 'it has measured something');
        kill 'KILL', $run->{pid};
        $fake->wait_for_end($run);
        my ($name) = ($journal // '') =~ m{([^/]+)\.jsonl\z} or return fail('a run to be killed');
        my $got = run_there('resume', $name);
        is($got->{status}, 0, 'it ends well') or diag($got->{err});
        my ($record) = grep { $_->{name} eq $name } records();
        is_deeply(
            [ $record->{set}{name}, $record->{build}{flags_unixbench}, scalar @{ $record->{passes} } ],
            [ 'o2',                 '-O1 -fno-lto',                    14 ],
            'with the same programs'
        );
    };

    subtest 'a compiler of Fortran that is not there is a failed build' => sub {
        my $got = run_there('--build', 'nofc=FC=no-such-compiler,-O2', qw(--quick -c 1 m-comb.f));
        is($got->{status}, 1, 'when it is named');
        like(
            $got->{err},
            qr/^#   .*'no-such-compiler' compiles no Fortran: no m-comb\.f/m,
            'so are the words'
        );
    };

    subtest 'a build that fails is named with the words of the compiler, and the others run' => sub {
        my $got = run_there(qw(--build bad=-fnonsense --build o1=-O1 --build o2=-O2 --quick -c 1 hanoi));
        is($got->{status}, 1, 'exit status 1');
        like($got->{err}, qr/^# the build 'bad' failed: \w+ ended with status 2\n#   .*-fnonsense/m,
            'it is named');
        like($got->{err}, qr/^Run: the build 'bad' failed; aborting$/m, 'also at the end');
        like(
            $got->{out},
            qr/^  - the build 'bad' failed: .*-fnonsense.*^  o1 +-O1 .*\n  o2 +-O2 /ms,
            'the others are compared, and their report knows why they are fewer'
        );
        is_deeply(
            [
                map {
                    map { $_->{text} =~ /\A(the build 'bad' failed)/ }
                        @{ $_->{warnings} }
                } (records())[ -2, -1 ]
            ],
            [ ("the build 'bad' failed") x 2 ],
            'and know of it'
        );
        $got = run_there(qw(--build bad=CC=no-such-compiler --build o2=-O2 --quick -c 1 hanoi));
        is($got->{status}, 1, 'a compiler that is not there');
        like($got->{err},
            qr/^# the build 'bad' failed: the compiler 'no-such-compiler' is not installed\n#   install /m,
            'is named');
        like(
            $got->{out},
            qr/^Recursion Test -- Tower of Hanoi /m,
            'what is left alone has a report of its own'
        );
        is((records())[-1]{purpose}, 'run', 'and is an ordinary run');
        my $before = records();
        $got = run_there(qw(--build bad=-fnonsense --build worse=-fnonsense --quick -c 1 hanoi));
        is("$got->{status} $got->{out}", '1 ', 'when none is left');
        like($got->{err}, qr/^Run: no build can be measured; aborting$/m, 'it says so');
        is(scalar(records()), $before, 'and nothing is stored');
    };

}

subtest 'the words of the command line are checked before anything is built' => sub {
    my %wrong = (
        'two builds of one name' => [
            qr/^Run: --build names 'x' twice: each build needs a name of its own$/m,
            qw(--build x=-O0 --build x=-O2)
        ],
        'a name with a slash' =>
            [ qr/^Run: --build needs NAME=FLAGS, .*, not 'a\/b=-O2'\nNAME may have/m, qw(--build a/b=-O2) ],
        'no flags at all' => [ qr/^Run: --build needs NAME=FLAGS, .*, not 'o2'$/m, qw(--build o2) ],
        'a duet'          => [ qr/^Run: unknown option '--build' of duet$/m,   qw(duet a b --build o2=-O2) ],
        'a stored run'    => [ qr/^Run: unknown option '--build' of report$/m, qw(report a --build o2=-O2) ],
        'a form for one'  => [ qr/^Run: --format needs a comparison/m, qw(--build o2=-O2 --format csv pipe) ],
        'a form that is none' => [
            qr/^Run: --format of a comparison needs .*, not 'log'$/m,
            qw(--build o2=-O2 --build o3=-O3 --format log pipe)
        ],
    );
    for my $what (sort keys %wrong) {
        my ($expected, @words) = @{ $wrong{$what} };
        my $got = $fake->run(\@words);
        is("$got->{status} $got->{out}", '2 ', "$what: exit status 2");
        like($got->{err}, $expected, 'and why');
    }
    is_deeply([ $fake->names ],      [], 'nothing is stored');
    is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning');
};

done_testing;
