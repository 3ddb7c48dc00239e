# SPDX-License-Identifier: GPL-2.0-or-later
# EmptySystem - a root directory with perl, its core modules and the libraries that perl needs: no shell, no
# tool, no other file. Commands in it run as an ordinary user, with /proc; their mount is in a namespace of
# its own, so that nothing of it is left, however they end.
#
#   my $system = EmptySystem->new($directory);
#   my ($status, $said) = $system->said_in('/home/touchstone', '/usr/bin/perl', 'Run', '--quick', 'pipe');
package EmptySystem;
use 5.014;
use strict;
use warnings;

use Config;
use Cwd ();
use File::Basename qw(dirname);

use Packaging qw(lacking run said);

# The ordinary user, who has no name there.
my $USER = 65534;

# The nodes in /dev, with their numbers.
my %NODE = (null => [ 1, 3 ], zero => [ 1, 5 ], full => [ 1, 7 ], random => [ 1, 8 ], urandom => [ 1, 9 ]);

# Returns why there can be none here, or nothing.
sub trouble {
    return 'root is needed' if $> != 0;
    my $lacking = lacking(qw(unshare mount chroot mknod ldd));
    return $lacking if $lacking;
    my ($status) = said('unshare', '--mount', '--propagation', 'private', 'true');
    return $status == 0 ? undef : 'mounts are not allowed';
}

sub new {
    my ($class, $root) = @_;
    my $perl = Cwd::abs_path($^X);
    run('mkdir', '-p',  map { "$root/$_" } qw(usr/bin dev proc tmp home));
    run('cp',    $perl, "$root/usr/bin/perl");
    my %modules = map { $_ => 1 } grep { -d } @Config{qw(privlibexp archlibexp)},
        grep { m{/perl-base\z} } @INC;
    my @libraries = run('ldd', $perl) =~ m{(/\S+)}g;
    for my $path (sort(keys %modules), @libraries) {
        run('mkdir', '-p', $root . dirname($path));
        run('cp', '-RL', $path, $root . dirname($path));
    }
    run('mknod', '-m', '666', "$root/dev/$_", 'c', @{ $NODE{$_} }) for sort keys %NODE;
    chmod oct 1777, "$root/tmp";
    chown $USER, $USER, "$root/home";
    return bless { root => $root }, $class;
}

# Unpacks an archive there, for its ordinary user.
sub unpack_archive {
    my ($self, $archive) = @_;
    run('tar', '-C', "$self->{root}/home", '-xf', $archive);
    run('chown', '-R', "$USER:$USER", "$self->{root}/home");
    return;
}

# Runs a command in a directory of the system. Returns ($status, its output with its complaints).
sub said_in {
    my ($self, $directory, @command) = @_;
    my $script = 'root=$1 user=$2; shift 2; mount -t proc proc "$root/proc" && PATH=$PATH:/usr/sbin:/sbin '
        . 'exec chroot --userspec="$user:$user" "$root" "$@"';
    local %ENV = (HOME => '/home', PATH => $ENV{PATH}, TMPDIR => $ENV{TMPDIR} // '/tmp');
    return said(
        'unshare',                                                                '--mount',
        '--propagation',                                                          'private',
        'sh',                                                                     '-c',
        $script,                                                                  'sh',
        $self->{root},                                                            $USER,
        '/usr/bin/perl',                                                          '-e',
        'chdir shift or die "no directory: $!"; delete $ENV{TMPDIR}; exec @ARGV', $directory,
        @command
    );
}

1;
