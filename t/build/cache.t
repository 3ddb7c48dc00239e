#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# --build of an installed copy and of a bundle, which build in the user's cache: from the sources that they
# have, once, also where the copy is read-only, and with a sentence where that cannot be.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use Fcntl qw(:flock);
use File::Path qw(make_path remove_tree);
use File::Temp ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Touchstone::Base::Directories;
use Touchstone::Build::Sets;
use Touchstone::Machine::Command;
use Touchstone;

delete @ENV{ grep { /^(?:UB_|XDG_|MAKE|MFLAGS|BUILD$|CC$|FC$|CFLAGS$|LDFLAGS$|FFLAGS$)/ } keys %ENV };
my $base = getcwd();
my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
plan skip_all => 'there is no make or no cc' if !$make || !Touchstone::Machine::Command::find('cc');

# A home with a blank and a quote, and a copy with the sources of two programs that do no work.
my $fake = Fake->new(name => "a 'home'");
my $copy = "$fake->{dir}/lib/touchstone";
make_path(map { "$copy/$_" } qw(pgms testdir source/src/unixbench source/pgms source/testdir));
sub copied { system('cp', '-RL', @_) == 0 or die "cannot copy\n"; return }
copied("$base/Run",                                       "$base/lib", $copy);
copied("$base/Makefile",                                  "$copy/source");
copied((map { glob "\Q$base\E/src/$_" } qw(*.[ch] *.pl)), "$copy/source/src");
copied("$base/src/unixbench/clock.c",                     "$copy/source/src/unixbench");
copied("$base/t/fake/idle.c", "$copy/source/src/unixbench/$_.c")       for qw(pipe hanoi);
copied(glob("\Q$base\E/pgms/*.base \Q$base\E/pgms/*.csv"), "$copy/$_") for qw(pgms source/pgms);

my %NONE = map { $_ => undef } qw(UB_BINDIR UB_RESULTDIR UB_TMPDIR UB_TESTDIR);

sub run_there {
    my ($env, @words) = @_;
    return $fake->run([@words], file => "$copy/Run", env => { %NONE, %$env });
}
my @ONE = qw(--quick -c 1 --build o1=-O1 hanoi);

sub caches { return glob "\Q$fake->{home}\E/.cache/touchstone/*" }

sub records {
    my ($results) = @_;
    return map { JSON::PP->new->decode(Fake::read_file($_)) } sort glob "\Q$results\E/.runs/*.json";
}
my $STATE = "$fake->{home}/.local/state/touchstone/results";

subtest 'what is asked for is built in the cache, and the copy stays as it was' => sub {
    my $before = `find '$fake->{temp}'/*/lib | sort`;
    my $got    = run_there({}, @ONE);
    is($got->{status}, 0, 'it is measured') or diag($got->{err});
    my ($cache, @others) = caches();
    is(scalar @others, 0, 'there is one cache');
    like($cache, qr{/\Q$Touchstone::VERSION\E-[0-9a-f]{12}\z}, 'its name has version and hash');
    is(join(' ', map { s{.*/}{}r } grep { -x && -f } glob "\Q$cache\E/pgms.d/o1/*"),
        'clock hanoi', 'with what the test needs');
    my ($record) = records($STATE);
    is($record->{build}{flags_unixbench}, '-O1 -fno-lto',     'the record says how it was built');
    is("$record->{programs}",             "$cache/pgms.d/o1", 'and where');
    chdir "$copy/source" or die "cannot enter: $!\n";
    system('perl', 'src/note.pl', 'sources', "$fake->{dir}/sources");
    chdir $base or die "cannot go back: $!\n";
    is("$record->{build}{sources}\n",       Fake::read_file("$fake->{dir}/sources"), 'from the same sources');
    is(`find '$fake->{temp}'/*/lib | sort`, $before, 'nothing was written to the copy')
        if $fake->{temp} !~ /'/;
};

subtest 'a set is reused, healed, and built anew when its flags change' => sub {
    my ($cache) = caches();
    my $time    = sub { return join ' ', (stat "$cache/pgms.d/o1/hanoi")[ 1, 9, 10 ] };
    my $before  = $time->();
    is(run_there({}, @ONE)->{status}, 0,       'the same again');
    is($time->(),                     $before, 'is not built again');
    Fake::write_file("$cache/src/unixbench/hanoi.c", 'cut');
    Fake::write_file("$cache/src/unixbench/odd.c",   'int odd;');
    is(run_there({}, @ONE)->{status}, 0, 'sources of the cache that are damaged');
    isnt($time->(), $before, 'are mended');
    ok(!-e "$cache/src/unixbench/odd.c", 'what is none of them goes');
    my $got = run_there({}, qw(--quick -c 1 --build o1=-O2 hanoi));
    is((records($STATE))[-1]{build}{flags_unixbench}, '-O2 -fno-lto', 'other flags') or diag($got->{err});
};

subtest 'reports, comparisons, duets and UB_BINDIR take what is in the cache' => sub {
    my $got = run_there({}, qw(--quick -c 1 --build o0=-O0 --build o1=-O1 hanoi));
    is($got->{status}, 0, 'two builds') or diag($got->{err});
    like($got->{out}, qr/^  o0 +-O0 .*\n  o1 +-O1 /m, 'stand side by side');
    my @names = map { $_->{name} } (records($STATE))[ -2, -1 ];
    like(run_there({}, 'report',  $names[0])->{out}, qr/^Recursion Test -- Tower of Hanoi /m, 'report');
    like(run_there({}, 'compare', @names)->{out},    qr/^  Build  /m,                         'compare');
    my ($cache) = caches();
    $got = run_there({ UB_BINDIR => "$cache/pgms.d/o0" }, qw(--quick -c 1 hanoi));
    is($got->{status}, 0, 'UB_BINDIR') or diag($got->{err});
    $got = run_there({}, qw(duet o0 o1 hanoi -c 1 --budget 2));
    like($got->{out}, qr/\bo[01]\b/, 'duet with names of builds') or diag($got->{err});
    $got = run_there({}, qw(duet pgms none hanoi));
    is($got->{status}, 2, 'a build that is not there');
    like($got->{err}, qr/no build 'none': .*\ntry: touchstone --build NAME=-O2 TEST$/m, 'how to have it');
};

subtest 'a run that was stopped is gone on with' => sub {
    my $run = $fake->start(
        [qw(--quick -c 1 --build o1=-O1 hanoi pipe)],
        file => "$copy/Run",
        env  => { %NONE, IDLE_LONG => 1 }
    );
    my $journal;
    for (1 .. 2400) {
        ($journal) = grep { Fake::read_file($_) =~ /"round":[1 ]/ } glob "\Q$STATE\E/.runs/*.jsonl";
        last if $journal;
        select undef, undef, undef, 0.1;
    }
    kill 'KILL', $run->{pid};
    $fake->wait_for_end($run);
    my ($name) = ($journal // '') =~ m{([^/]+)\.jsonl\z} or return fail('a run to be killed');
    remove_tree(caches());
    my $got = run_there({}, 'resume', $name);
    is($got->{status}, 0, 'also when the cache was emptied meanwhile') or diag($got->{err});
};

subtest 'what is missing or cannot be written is named with its remedy' => sub {
    my $said = sub {
        my ($env, @words) = @_;
        my $got = run_there($env, @words ? @words : @ONE);
        is($got->{status}, 1, 'exit status 1');
        return $got->{err};
    };
    Fake::write_file("$fake->{dir}/file", 'x');
    like(
        $said->({ XDG_CACHE_HOME => "$fake->{dir}/file" }),
        qr/^# the build 'o1' failed: cannot make the directory '.*file\/touchstone\/.*': .*\n#   try: XDG_CACHE_HOME=\/var\/tmp touchstone$/m,
        'no directory'
    );
    like(
        $said->({ CC => 'nocc' }),
        qr/^# the build 'o1' failed: the compiler 'nocc' is not installed\n#   install /m,
        'no such compiler'
    );
    mkdir "$fake->{dir}/tools" or die "cannot make a directory: $!\n";
    my %tool = map { $_ => Touchstone::Machine::Command::find($_) } $make, qw(sh uname df);
    symlink $tool{$_}, "$fake->{dir}/tools/$_" for keys %tool;
    like(
        $said->({ PATH => "$fake->{dir}/tools" }),
        qr/^# the build 'o1' failed: the compiler 'cc' is not installed\n#   install make and a C compiler, e\.g\. apt-get install gcc /m,
        'no compiler'
    );
    unlink "$fake->{dir}/tools/$make";
    like(
        $said->({ PATH => "$fake->{dir}/tools" }),
        qr/^# the build 'o1' failed: 'make' is not installed\n#   install make and /m,
        'no make'
    );
    rename "$copy/source", "$copy/gone" or die "cannot rename: $!\n";
    like($said->({}), qr/^# the build 'o1' failed: this copy has no sources: .*\n#   install it again$/m,
        'no sources');
    rename "$copy/gone", "$copy/source" or die "cannot rename: $!\n";
};

subtest 'a cache without space is named with what helps' => sub {
    my $small = "$fake->{dir}/small";
    mkdir $small or die "cannot make a directory: $!\n";
    my @mount =
        ('unshare', '-rm', '/bin/sh', '-c', 'mount -t tmpfs -o size=$1 none "$0" && shift && exec "$@"');
    my ($able) = Touchstone::Machine::Command::output([ @mount, $small, '64k', 'true' ]);
    plan skip_all => 'no small file system can be mounted here' if $able != 0;
    for my $size ('64k', '500k') {
        my $results = "$fake->{dir}/results.$size";
        my $got     = $fake->run(
            [@ONE],
            command => [ @mount, $small, $size, @Fake::RUN[ 0 .. 3 ], "$copy/Run" ],
            env => { %NONE, XDG_CACHE_HOME => $small, UB_RESULTDIR => $results, UB_TMPDIR => $fake->{tmp} }
        );
        is($got->{status}, 1, "$size: exit status 1");
        like(
            $got->{err},
            qr/^# the build 'o1' failed: .*(?:\n#   .*)*\n#   try: XDG_CACHE_HOME=\/var\/tmp touchstone$/m,
            "$size: what helps"
        );
    }
};

subtest 'caches of other versions go when nobody has used them for a month' => sub {
    my ($cache) = caches();
    my $home    = $cache =~ s{/[^/]*\z}{}r;
    my %is      = (
        '1.0.0-0123456789ab' => 'old',
        '1.0.1-0123456789ab' => 'young',
        '1.0.2-0123456789ab' => 'measured',
        'mine'               => 'old',
        '1.0.3-0123456789ab' => 'old, without a lock',
    );
    for my $name (keys %is) {
        make_path("$home/$name/pgms.d/x");
        next if $is{$name} =~ /without/;
        Fake::write_file("$home/$name/lock", '');
        utime((time - 40 * 24 * 3600) x 2, "$home/$name/lock") if $is{$name} ne 'young';
    }
    open my $held, '<', "$home/1.0.2-0123456789ab/pgms.d/x" or die "cannot open: $!\n";
    flock $held, LOCK_SH or die "cannot lock: $!\n";
    my $got = run_there({}, @ONE);
    is($got->{status}, 0, 'a build') or diag($got->{err});
    is_deeply([ sort grep { !-e "$home/$_" } keys %is ],
        ['1.0.0-0123456789ab'], 'removes what is old, ours, and not measured');
    like($got->{err}, qr/^# removed '.*1\.0\.0-0123456789ab', which no build has used for a month$/m,
        'and says so');
    remove_tree(map { "$home/$_" } keys %is);
};

subtest 'a bundle builds there too' => sub {
    Fake::write_file("$copy/BUNDLE", "version=$Touchstone::VERSION\n");
    my $got = run_there({}, @ONE);
    is($got->{status}, 0, 'it is measured') or diag($got->{err});
    ok(-e "$copy/results/.runs", 'with its results beside it');
    ok(!-e "$copy/pgms.d",       'but not the build');
    unlink "$copy/BUNDLE";
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning of Perl');
done_testing;
