# SPDX-License-Identifier: GPL-2.0-or-later
# Chroot - a small Debian in a directory, made by debootstrap, in which a package can be installed and tried.
#
#   Chroot::alone();
#   my $chroot = Chroot->made("$scratch/debian", qw(perl libzstd1));
#   $chroot->run('dpkg', '-i', '/touchstone.deb');
#   my ($status, $said) = $chroot->said({ user => 'visitor' }, 'touchstone', '--version');
#
# /proc is mounted there, in a mount namespace that ends with this process, however it ends. /dev is the one
# that debootstrap makes.
package Chroot;
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use File::Find qw(find);

use Packaging qw(has slurp);

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

# Makes it, with these packages in it; dies when the mirror does not answer.
sub made {
    my ($class, $directory, @packages) = @_;
    my $mirror = mirror() // die "apt knows no mirror of Debian\n";
    Packaging::run('debootstrap', '--variant=minbase', '--include=' . join(',', @packages),
        codename(), $directory, $mirror);
    Packaging::run('mount', '-t', 'proc', 'proc', "$directory/proc");
    my $chroot = bless { directory => $directory }, $class;
    $chroot->run('useradd', '--create-home', '--shell', '/bin/sh', 'visitor');
    return $chroot;
}

sub directory { my ($chroot) = @_; return $chroot->{directory} }

# Runs a command in it, { user => name, env => {} } first where it needs one: ($status, what it said).
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
    return Packaging::said('chroot', "--userspec=$user:$user", $chroot->{directory}, '/usr/bin/env', '-i',
        map({ "$_=$env{$_}" } sort keys %env), @command);
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

# Unmounts and removes it.
sub DESTROY {
    my ($chroot) = @_;
    local ($?, $@);
    Packaging::said('umount', "$chroot->{directory}/proc");
    return;
}

1;
