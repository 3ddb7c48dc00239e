# SPDX-License-Identifier: GPL-2.0-or-later
# Chroot - a small Debian in a directory, made by debootstrap, in which a package can be installed and tried.
#
#   Chroot::alone();
#   my $chroot = Chroot->made("$scratch/debian", qw(perl libzstd1));
#   $chroot->mount(qw(sysfs /sys));
#   $chroot->run('dpkg', '-i', '/touchstone.deb');
#   my ($status, $said) = $chroot->said({ user => 'visitor' }, 'touchstone', '--version');
#
# /proc is mounted there. All mounts are in a namespace that ends with this process, however it ends. /dev is
# the one that debootstrap makes.
package Chroot;
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use File::Find qw(find);

use Packaging qw(has slurp spew);

my $ALONE = 'TOUCHSTONE_DEBIAN_ALONE';

# What dpkg notes of every package, and what triggers of others make.
my $NOTED =
    qr{\A/(?:proc|dev|tmp)\z|\A/(?:proc|dev|tmp)/|\A/var/(?:log|cache|lib/dpkg/(?:updates|triggers|\w+(?:-old|-new)?\z))};

# Starts this program anew with mounts of its own.
sub alone {
    return if $ENV{$ALONE};
    $ENV{$ALONE} = 1;
    my $unshare = has('unshare') // die "unshare is missing\n";
    exec $unshare, '--mount', '--propagation', 'private', $^X, $0, @_ or die "cannot start unshare: $!\n";
}

# The mirror of this system, or nothing.
sub mirror {
    my ($status, $said) = Packaging::said(
        'apt-get', 'indextargets', '--format', '$(LABEL) $(REPO_URI)',
        'Created-By: Packages', 'Component: main'
    );
    return ($said =~ /^Debian (\S+)$/m)[0];
}

sub codename { return (slurp('/etc/os-release') =~ /^VERSION_CODENAME=(\w+)$/m)[0] // 'stable' }

# Makes it, with these packages in it; dies when the mirror does not answer. One that was made with the same
# packages, for the same release, is used again.
sub made {
    my ($class, $directory, @packages) = @_;
    my $chroot = bless { directory => $directory, mounts => [] }, $class;
    my $made   = join(' ', codename(), sort @packages) . "\n";
    my $note   = "$directory/made-of";
    my $is_new = !-e $note || slurp($note) ne $made;
    if ($is_new) {
        my $mirror = mirror() // die "apt knows no mirror of Debian\n";
        die "cannot make a root in '$directory': it holds something else; remove it\n"
            if !-e $note && glob "\Q$directory\E/*";
        Packaging::run('rm', '-rf', '--one-file-system', $directory);
        Packaging::run('debootstrap', '--variant=minbase', '--include=' . join(',', @packages),
            codename(), $directory, $mirror);
    }

    # As everywhere else, the root is a mount point.
    Packaging::run('mount', '--bind', $directory, $directory);
    unshift @{ $chroot->{mounts} }, '';
    $chroot->mount(qw(proc /proc));
    return $chroot if !$is_new;
    $chroot->run('useradd', '--create-home', '--shell', '/bin/sh', 'visitor');
    spew($note, $made);
    return $chroot;
}

# Mounts a file system of the kernel there.
sub mount {
    my ($chroot, $type, $place, @options) = @_;
    Packaging::run('mount', '-t', $type, @options, $type, "$chroot->{directory}$place");
    unshift @{ $chroot->{mounts} }, $place;
    return;
}

sub directory { my ($chroot) = @_; return $chroot->{directory} }

# Runs a command in it, ($status, what it said). { user => name, env => {}, through => [] } comes first where
# it needs one; what it goes through are commands outside that start it. The rest is for Packaging::said.
sub said {
    my ($chroot, $how, @command) = ref $_[1] ? @_ : ($_[0], {}, @_[ 1 .. $#_ ]);
    my $user = $how->{user} // 'root';
    my %env  = (
        PATH            => '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME            => $user eq 'root' ? '/root' : "/home/$user",
        LC_ALL          => 'C.UTF-8',
        TERM            => 'dumb',
        DEBIAN_FRONTEND => 'noninteractive',
        %{ $how->{env} || {} }
    );
    return Packaging::said(
        { is_shown => $how->{is_shown} }, @{ $how->{through} || [] },
        'chroot',                         "--userspec=$user:$user",
        $chroot->{directory},             '/usr/bin/env',
        '-i',                             map({ "$_=$env{$_}" } grep { defined $env{$_} } sort keys %env),
        @command
    );
}

# The same for a command that must succeed: returns what it said.
sub run {
    my ($chroot, @command) = @_;
    my ($status, $said)    = $chroot->said(@command);
    return $said if $status == 0;
    my @words = grep { !ref } @command;
    die "'@words' in the chroot ended with status $status\n$said";
}

# All files as { path => mode, owner, link or digest }, without those that dpkg itself keeps.
sub files {
    my ($chroot) = @_;
    my ($root, %files) = $chroot->{directory};
    my $look = sub {
        my $path = substr($_, length $root);
        if ($path =~ $NOTED) { $File::Find::prune = 1; return }
        my @stat = lstat or return;
        my $what = -l _ ? readlink : -f _ ? Digest::SHA->new(256)->addfile($_)->hexdigest : '';
        $files{ length $path ? $path : '/' } = sprintf '%o %d %d %s', @stat[ 2, 4, 5 ], $what;
    };
    find({ no_chdir => 1, wanted => $look }, $root);
    return \%files;
}

# Returns the paths in which two such lists differ.
sub differences {
    my ($one, $two) = @_;
    my %all = (%$one, %$two);
    return grep { ($one->{$_} // '') ne ($two->{$_} // '') } sort keys %all;
}

# What is mounted must not be there when the directory is removed.
sub DESTROY {
    my ($chroot) = @_;
    local ($?, $@);
    Packaging::said('umount', '--lazy', map { "$chroot->{directory}$_" } @{ $chroot->{mounts} });
    return;
}

1;
