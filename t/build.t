#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The first ./Run builds what is missing, once, also when two are started together; make install gives a copy that works.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use Test::More;

delete @ENV{ grep { /^(?:UB_|MAKE|MFLAGS|CC$|CFLAGS$|LDFLAGS$)/ } keys %ENV };
my $base = getcwd();
my $make = (grep { system("command -v $_ >/dev/null 2>&1") == 0 } qw(gmake make))[0] or plan skip_all => 'there is no make';

# A tree in which nothing is built, in a place with a hostile name.
sub fresh_tree {
    my $place = File::Temp->newdir;
    my $tree = "$place/a 'tree' <b> & \"c\"";
    mkdir $tree or die "cannot make '$tree': $!\n";
    system('cp', '-R', "$base/Run", "$base/Makefile", "$base/lib", "$base/src", "$base/testdir", "$base/README", "$base/USAGE", "$base/LICENSE", $tree) == 0 or die "cannot copy\n";
    mkdir "$tree/pgms" or die "cannot make pgms: $!\n";
    system('cp', glob("$base/pgms/*.sh $base/pgms/*.base"), "$tree/pgms") == 0 or die "cannot copy\n";
    unlink "$tree/testdir/large.txt";
    return ($place, $tree);
}

sub start {
    my ($file, @command) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    return $pid if $pid;
    open STDOUT, '>', $file or POSIX::_exit(99);
    open STDERR, '>&', \*STDOUT or POSIX::_exit(99);
    exec @command or POSIX::_exit(99);
}

sub text {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/;
    return <$in> // '';
}

subtest 'two first runs at once build once and both measure' => sub {
    my ($place, $tree) = fresh_tree();
    my @pids = map { start("$place/out$_", "$tree/Run", '--quick', '-c', 1, 'pipe', 'dhry2reg', 'hanoi') } 1, 2;
    for my $i (1, 2) {
        waitpid $pids[ $i - 1 ], 0;
        is($?, 0, "run $i ends well") or diag(text("$place/out$i"));
        like(text("$place/out$i"), qr/^Pipe Throughput /m, "run $i has a result");
    }
    my $built = grep { /^# building/m } map { text("$place/out$_") } 1, 2;
    is($built, 1, 'one of them has built');
    is(join(' ', glob("\Q$tree\E/pgms/*.new")), '', 'nothing is left half-way');
};

subtest 'an installed copy works where nothing may be written' => sub {
    my ($place, $tree) = fresh_tree();
    is(system("$make -s -C '" . $tree =~ s/'/'\\''/gr . "' install DESTDIR='$place/in stalled' PREFIX=/usr >'$place/made' 2>&1"), 0, 'make install') or diag(text("$place/made"));
    my $command = "$place/in stalled/usr/bin/touchstone";
    local $ENV{XDG_STATE_HOME} = "$place/state";
    waitpid start("$place/out", $command, '--quick', '-c', 1, 'pipe'), 0;
    is($?, 0, 'it runs without make') or diag(text("$place/out"));
    is(scalar(my @records = glob("$place/state/touchstone/results/runs/*.json")), 1, 'its record is in the state directory');
    ok(!-e "$place/in stalled/usr/lib/touchstone/results", 'and not beside the programs');
};

done_testing;
