# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Workdir - the private directories of a run: UB_TMPDIR/touchstone-PID-XXXX, and in it one for each
# copy of the present pass.
#
# A lock in the directory tells later runs that it is in use. The next run removes what a killed run left
# behind.
package Touchstone::Machine::Workdir;
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock O_CREAT O_WRONLY);
use File::Path qw(remove_tree);
use File::Temp ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Machine::Command;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;

my $PREFIX = 'touchstone-';

# Makes the directory below `parent`, and `parent` itself if needed.
sub new {
    my ($class, $parent) = @_;
    my $made = !-d $parent;
    eval { Touchstone::Machine::File::make_directory($parent); 1 }
        or die $@ =~ s/make the \Kdirectory/work directory/r,
        "try: UB_TMPDIR=/var/tmp ./Run\n";
    _remove_stale($parent);
    my $path = eval { File::Temp::tempdir("$PREFIX$$-XXXXXX", DIR => $parent) }
        or die "cannot write in the work directory '$parent': $!\ntry: UB_TMPDIR=/var/tmp ./Run\n";
    my $self = bless { parent => $parent, path => $path, made_parent => $made, owner => $$ }, $class;
    $self->{lock} = _lock($path);
    return $self;
}

sub path { return $_[0]{path} }

# Makes a new directory for each copy, with mode 0700, or dies with the cause.
sub for_copies {
    my ($self, $copies) = @_;
    my @paths = map { "$self->{path}/$_" } 1 .. $copies;
    for my $path (@paths) {
        mkdir $path, 0700 or die "cannot make the work directory '$path': $!\n";
    }
    return @paths;
}

# Returns a directory that stays until the end of the run.
sub kept {
    my ($self, $name) = @_;
    my $path = "$self->{path}/kept-$name";
    -d $path or mkdir $path, 0700 or die "cannot make the work directory '$path': $!\n";
    return $path;
}

sub clear {
    my ($self, @paths) = @_;
    _remove($_) for @paths;
    return;
}

# Removes the directory, for so many seconds at most if they are given, and returns whether it has gone. A
# test may have left a hundred thousand files.
sub remove {
    my ($self, $seconds) = @_;
    return 1 if $self->{removed} || $self->{owner} != $$;
    my $until = defined $seconds ? _now() + $seconds : undef;
    _empty($self->{path}, $until);
    return 0 if defined $until && grep { $_ ne 'lock' } Touchstone::Machine::Sysfile::names($self->{path});
    $self->{removed} = 1;
    _remove($self->{path});
    rmdir $self->{parent} if $self->{made_parent};
    return 1;
}

# Leaves to the next run what is there: it finds the lock, which goes with this process.
sub leave { my ($self) = @_; $self->{removed} = 1; return $self->{path} }

sub DESTROY {
    my ($self) = @_;
    local ($., $@, $!, $?);
    $self->remove;
    return;
}

# The lock disappears with the process, however it dies. If this file system has no locks, the process id has
# to do.
sub _lock {
    my ($path) = @_;
    sysopen my $lock, "$path/lock.new", O_CREAT | O_WRONLY, 0600 or return;

    # The lock is taken before the file has its final name, because another run may look at any moment.
    return flock($lock, LOCK_EX | LOCK_NB) && rename("$path/lock.new", "$path/lock") ? $lock : undef;
}

sub _remove_stale {
    my ($parent) = @_;
    for my $name (grep { /\A\Q$PREFIX\E\d+-\w+\z/ } Touchstone::Machine::Sysfile::names($parent)) {
        my $path = "$parent/$name";
        next if -l $path || !-d $path || !-o _;
        my ($pid) = $name =~ /(\d+)-\w+\z/;
        next if !_is_stale($path, $pid);
        _empty($path);
        _remove($path);
    }
    return;
}

# A lock under its final name was held from the start. A run that was killed before it renamed the lock has
# left lock.new, or an empty directory.
sub _is_stale {
    my ($path, $pid) = @_;
    my $lock = Touchstone::Machine::File::lock_state("$path/lock");
    return $lock eq 'free' if $lock ne 'none';
    return !kill 0, $pid if -e "$path/lock";
    return Touchstone::Machine::File::may_go("$path/lock.new", $pid)
        || Touchstone::Machine::File::is_old($path) && rmdir $path;
}

sub _now { return clock_gettime(CLOCK_MONOTONIC) }

# Removes all but the lock, which stays until nothing is left that another run might have to remove. The tool
# can be ended when the time is up, and takes two thirds of the CPU time of File::Path.
sub _empty {
    my ($path, $until) = @_;
    for my $time (1, 2) {
        my @left = map { "$path/$_" } grep { $_ ne 'lock' } Touchstone::Machine::Sysfile::names($path)
            or return;
        my $is_over = sub { return defined $until && _now() >= $until };
        return if $is_over->();
        Touchstone::Machine::Command::output([ qw(rm -rf --), @left ], stopped => $is_over);
        return if $is_over->();

        # What a program has closed has to be opened first.
        _open_up($path) if $time == 1 && grep { -e } @left;
    }
    return;
}

sub _remove {
    my ($path) = @_;
    remove_tree($path, { error => \my $errors });
    return if !-d $path;
    _open_up($path);
    remove_tree($path, { error => \$errors });
    return;
}

# File::Path cannot enter a directory that a program made inaccessible.
sub _open_up {
    my ($path) = @_;
    chmod 0700, $path;
    _open_up("$path/$_") for grep { !-l "$path/$_" && -d _ } Touchstone::Machine::Sysfile::names($path);
    return;
}

1;
