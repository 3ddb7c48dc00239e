# SPDX-License-Identifier: GPL-2.0-or-later
# Workdir is private, is removed at the end, and does not touch what belongs to others.
use 5.014;
use strict;
use warnings;

use Errno qw(ENOLCK);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;

# Simulates a file system without locks when it is set.
our $no_locks;

BEGIN {
    *CORE::GLOBAL::flock = sub (*$) { return CORE::flock($_[0], $_[1]) if !$no_locks; $! = ENOLCK; return }
}
use Touchstone::Machine::Workdir;

my $dir = File::Temp->newdir('touch stone\'s "XXXXXX', TMPDIR => 1);

# Each subtest has its own parent directory.
my $parents = 0;
sub parent { my $path = "$dir/" . ++$parents; mkdir $path or die "cannot make '$path': $!\n"; return $path }

sub entries {
    my ($path) = @_;
    opendir my $in, $path or return;
    my @names = sort grep { !/\A\.\.?\z/ } readdir $in;
    closedir $in;
    return @names;
}

sub touch {
    my ($file) = @_;
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    close $out;
    return $file;
}

# Starts a process that makes its directory in `parent`, runs `more` and sleeps until it is killed.
sub other_run {
    my ($parent, $more) = @_;
    pipe my $read, my $write or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        my $work = eval { Touchstone::Machine::Workdir->new($parent) } or POSIX::_exit(1);
        $more->($work) if $more;
        syswrite $write, $work->path;
        sleep 60;
        POSIX::_exit(1);
    }
    close $write;
    sysread $read, my $path, 4096;
    return ($pid, $path);
}

sub kill_hard { my ($pid) = @_; kill 'KILL', $pid; waitpid $pid, 0; return }

# Returns the id of a process that has ended.
sub dead_pid {
    my $pid = fork // die "cannot fork: $!\n";
    POSIX::_exit(0) if !$pid;
    waitpid $pid, 0;
    return $pid;
}

subtest 'directories are private and as many as there are copies' => sub {
    my $old  = umask 0;
    my $work = Touchstone::Machine::Workdir->new(parent());
    my @dirs = $work->for_copies(3);
    umask $old;
    is(
        join(' ', map { sprintf '%04o', (stat)[2] & 07777 } $work->path, @dirs),
        '0700 0700 0700 0700',
        'nobody else may enter, whatever the umask'
    );
    is(join(' ', entries($work->path)), '1 2 3 lock', 'each copy has its own below that of the run');
    touch("$_/file") for @dirs;
    $work->clear(@dirs);
    is(join(' ', grep { -e } @dirs),               '',  'they go after the pass');
    is(scalar(my @again = $work->for_copies(500)), 500, 'and may come again');
};

subtest 'a directory that is in the way is named' => sub {
    my $work = Touchstone::Machine::Workdir->new(parent());
    $work->for_copies(2);
    ok(!eval { $work->for_copies(3); 1 }, 'the pass before was not cleared');
    like(
        $@,
        qr/\Acannot make the work directory '\Q${\$work->path}\E\/1': \S.*\n\z/,
        'the message says which'
    );
};

subtest 'two runs share nothing' => sub {
    my $parent = parent();
    my ($one, $two) = map { Touchstone::Machine::Workdir->new($parent) } 1 .. 2;
    ok(-d $one->path, 'the second did not remove the first, though it has the same process id');
    $one->remove;
    ok(!-e $one->path && -d $two->path, 'each removes its own');
};

subtest 'nothing is left on any path' => sub {
    my $parent = parent();
    { my $work = Touchstone::Machine::Workdir->new($parent); touch(($work->for_copies(1))[0] . '/file') }
    is(join(' ', entries($parent)), '', 'out of scope');
    eval { my $work = Touchstone::Machine::Workdir->new($parent); $work->for_copies(2); die "stopped\n" };
    is(join(' ', $@ =~ s/\n//r, entries($parent)), 'stopped', 'died, and the reason is kept');
    my $work = Touchstone::Machine::Workdir->new($parent);
    my ($copy) = $work->for_copies(1);
    mkdir "$copy/closed", 0700 or die "cannot make a directory: $!\n";
    touch("$copy/closed/\n-rf *");
    symlink $dir, "$copy/link" or die "cannot link: $!\n";
    chmod 0, "$copy/closed";
    $work->remove;
    is(join(' ', entries($parent)), '', 'closed directories, odd names and links inside');
    chmod 0700, "$copy/closed";
    ok(-d "$dir",                 'what a link showed is still there');
    ok(eval { $work->remove; 1 }, 'removing twice is once');
    my ($pid) = other_run($parent, sub { exit 0 });
    waitpid $pid, 0;
    is(join(' ', entries($parent)), '', 'left by exit');
};

subtest 'the parent goes only if it was made for the run and is empty' => sub {
    my $parent = parent();
    Touchstone::Machine::Workdir->new("$parent/made")->remove;
    is(join(' ', entries($parent)), '', 'made for it');
    Touchstone::Machine::Workdir->new($parent)->remove;
    ok(-d $parent, 'there before');
    my $work = Touchstone::Machine::Workdir->new("$parent/shared");
    touch("$parent/shared/file");
    $work->remove;
    is(join(' ', entries("$parent/shared")), 'file', 'used by somebody else meanwhile');
};

subtest 'a child removes nothing of its parent' => sub {
    my $work   = Touchstone::Machine::Workdir->new(parent());
    my ($copy) = $work->for_copies(1);
    my $pid    = fork // die "cannot fork: $!\n";
    if (!$pid) { $work->remove; undef $work; POSIX::_exit(0) }
    waitpid $pid, 0;
    ok(-d $copy, 'neither by asking nor by ending');
};

subtest 'what a dead run left is removed, what a living run uses is not' => sub {
    my $parent = parent();
    my ($alive, $used) = other_run($parent, sub { touch(($_[0]->for_copies(1))[0] . '/file') });
    my ($dead,  $left) = other_run($parent, sub { touch(($_[0]->for_copies(1))[0] . '/file') });
    kill_hard($dead);
    ok(-e "$left/1/file" && -e "$used/1/file", 'kill -9 leaves files behind');
    my $work = Touchstone::Machine::Workdir->new($parent);
    ok(!-e $left,         'those of the dead run are gone');
    ok(-e "$used/1/file", 'those of the living are not');
    kill_hard($alive);
    Touchstone::Machine::Workdir->new($parent);
    ok(!-e $used, 'until it is dead too');
};

subtest 'what cannot be removed in time is left with its lock, and the next run removes it' => sub {
    my $parent = parent();
    my $pid    = fork // die "cannot fork: $!\n";
    if (!$pid) {
        my $work = Touchstone::Machine::Workdir->new($parent);
        mkdir $_ or die "cannot make '$_': $!\n" for my @inside = map { $work->kept('x') . "/$_" } 1 .. 3;
        touch("$_/file") for @inside;
        my $went = $work->remove(0);
        $work->leave if !$went;
        POSIX::_exit($went ? 1 : 0);
    }
    waitpid $pid, 0;
    is($?, 0, 'without time nothing goes, and it says so');
    my ($left) = entries($parent);
    is(join(' ', entries("$parent/$left")), 'kept-x lock', 'the lock stays with it');
    my $work = Touchstone::Machine::Workdir->new($parent);
    is(join(' ', entries($parent)), $work->path =~ s{.*/}{}sr, 'the next run removes it');
    touch($work->kept('y') . '/file');
    chmod 0, $work->kept('y') or die "cannot change a mode: $!\n";
    is($work->remove(60),           1,  'with time it goes');
    is(join(' ', entries($parent)), '', 'all of it, whatever its mode');
};

subtest 'without a lock the process id decides' => sub {
    my $parent = parent();
    my $dead   = dead_pid();
    mkdir "$parent/$_" or die "cannot make '$_': $!\n" for "touchstone-$dead-AbCd12", "touchstone-$$-AbCd12";
    touch("$parent/touchstone-$dead-WithLk/lock") if mkdir "$parent/touchstone-$dead-WithLk";
    local $no_locks = 1;
    my ($first, $work) = map { Touchstone::Machine::Workdir->new($parent) } 1 .. 2;
    is(join(' ', grep { /-$dead-/ } entries($parent)), '', 'of a dead process');
    ok(-d "$parent/touchstone-$$-AbCd12", 'of a living one, which may be about to lock it');
    ok(-d $first->path,                   'of a living one that could not lock it');
};

subtest 'what is not ours stays' => sub {
    my ($parent, $elsewhere) = (parent(), parent());
    my $dead = dead_pid();
    touch("$elsewhere/file");
    my @foreign = (
        "touchstone-$dead",          'touchstone-abc-AbCd12',
        'touchstone',                "other-$dead-AbCd12",
        "Xtouchstone-$dead-AbCd12",  "touchstone-$dead-AbCd12.bak",
        "touchstone-$dead-AbCd12\n", "touchstone-$dead-Ab Cd"
    );
    for my $name (@foreign) {
        mkdir "$parent/$name" or die "cannot make '$name': $!\n";
        touch("$parent/$name/file");
    }
    touch("$parent/touchstone-$dead-afile1");
    symlink $elsewhere, "$parent/touchstone-$dead-alink1" or die "cannot link: $!\n";
    mkdir "$parent/touchstone-$dead-inside" or die "cannot make a directory: $!\n";
    symlink $elsewhere, "$parent/touchstone-$dead-inside/link" or die "cannot link: $!\n";
    Touchstone::Machine::Workdir->new($parent)->remove;
    is(join(', ', grep { !-e "$parent/$_/file" } @foreign), '', 'directories with other names');
    ok(-f "$parent/touchstone-$dead-afile1",  'a file with such a name');
    ok(-l "$parent/touchstone-$dead-alink1",  'a symbolic link with such a name');
    ok(!-e "$parent/touchstone-$dead-inside", 'a stale directory went');
    ok(-f "$elsewhere/file",                  'but not what its link showed');
};

subtest 'a place that is none is named with the cause and the remedy' => sub {
    my $file = touch(parent() . '/file');
    for my $path ($file, "$file/below") {
        ok(!eval { Touchstone::Machine::Workdir->new($path); 1 }, 'it is refused');
        like(
            $@,
            qr/\Acannot make the work directory '\Q$path\E': (?!\d|Success)\S[^\n]*\ntry: UB_TMPDIR=\S+ \S+\n\z/,
            'a file is no directory'
        );
    }
SKIP: {
        skip 'this user may write everywhere', 1 if $> == 0;
        chmod 0500, my $path = parent();
        eval { Touchstone::Machine::Workdir->new($path) };
        like(
            $@,
            qr/\Acannot write in the work directory '\Q$path\E': \S[^\n]*\ntry: UB_TMPDIR=\S+ \S+\n\z/,
            'no permission'
        );
    }
};

subtest 'a directory that is kept outlives what is cleared and goes with the run' => sub {
    my $parent  = File::Temp->newdir;
    my $workdir = Touchstone::Machine::Workdir->new("$parent/tmp");
    my $kept    = $workdir->kept('kernel');
    my ($copy)  = $workdir->for_copies(1);
    is((stat $kept)[2] & 07777, 0700, 'it is private');
    $workdir->clear($copy);
    is($workdir->kept('kernel'), $kept, 'asked for again it is the same');
    ok(-d $kept, 'and still there');
    $workdir->remove;
    ok(!-e $kept,                             'it goes with the rest');
    ok(!eval { $workdir->kept('kernel'); 1 }, 'without a place for it');
    like($@, qr/\Acannot make the work directory '.*': No such file or directory$/, 'it is said why');
};

done_testing;
