# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Disk - the file system that holds a directory, the number of its device, and its free space. Facts
# that are not found are undef. It reads lines like these:
#
#   /proc/self/mountinfo   36 35 98:0 /srv /mnt/a\040disk rw,noatime shared:1 - ext4 /dev/sda1 rw
#   mount, on Linux        /dev/sda1 on /mnt/a disk type ext4 (rw,noatime)
#   mount, on BSD          /dev/ada0p2 on / (ufs, local, journaled soft-updates)
package Touchstone::Machine::Disk;
use 5.014;
use strict;
use warnings;

use Cwd ();

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

sub facts {
    my ($directory) = @_;
    return {} if !defined $directory;

    # Test files end up where the links lead.
    my $real  = eval { Cwd::realpath($directory) } // $directory;
    my $mount = _around($real, _mountinfo())       // _around($real, _mount_command())
        // { device => _device_by_df($real) };
    return {
        work_directory => $real,
        map { $_ => $mount->{$_} } qw(file_system mount_options device number)
    };
}

# Returns the KB that are free for this user in a directory, or undef. df -P is the portable way to ask.
sub free_space {
    my ($directory) = @_;
    my ($status, $text) = Touchstone::Machine::Command::output([ 'df', '-Pk', $directory ]);
    my ($free) = $text =~ /^.*?\s\d+\s+-?\d+\s+(-?\d+)\s+\S+%\s/ma;
    return $status == 0 ? $free : undef;
}

# The longest path wins. If several mounts have it, the last one does, because it hides the others.
sub _around {
    my ($path, @mounts) = @_;
    my $best;
    for my $mount (@mounts) {
        my $at = $mount->{at};
        next           if $at ne '/' && $path ne $at && index($path, "$at/") != 0;
        $best = $mount if !$best || length $at >= length $best->{at};
    }
    return $best;
}

sub _mountinfo {
    my @mounts;
    for my $line (split /\n/, Touchstone::Machine::Sysfile::text('/proc/self/mountinfo') // '') {
        my ($number, $at, $options, $type, $device, $more) =
            $line =~ /\A\d+ \d+ (\d+:\d+) \S+ (\S+) (\S+) .*?(?<= )- (\S+) (\S+)(?: (\S+))?/a
            or next;
        push @mounts,
            {
            at            => _decoded($at),
            mount_options => _options($options, $more // ''),
            file_system   => _decoded($type),
            device        => _decoded($device),
            number        => $number
            };
    }
    return @mounts;
}

sub _decoded {
    my ($text) = @_;
    return $text =~ s/\\([0-3][0-7]{2})/chr oct $1/ger;
}

# Joins the options of the mount and of the file system behind it, each once. It leaves out the layers of an
# overlay, which have another name in every container.
sub _options {
    my %seen;
    return join ',', map { _decoded($_) }
        grep { !$seen{$_}++ && !/\A(?:lowerdir|upperdir|workdir)\b/ } map { split /,/ } @_;
}

sub _mount_command {
    my ($status, $text) = Touchstone::Machine::Command::output(['mount']);
    my @mounts;
    for my $line ($status == 0 ? split /\n/, $text : ()) {
        my ($device, $at, $type, $options) = $line =~ m{\A(.+?) on (/.*?)(?: type (\S+))? \(([^()]*)\)}
            or next;
        ($type, $options) = split /,\s*/a, $options, 2 if !defined $type;
        push @mounts, { at => $at, mount_options => $options, file_system => $type, device => $device };
    }
    return @mounts;
}

sub _device_by_df {
    my ($directory) = @_;
    my ($status, $text) = Touchstone::Machine::Command::output([ 'df', '-Pk', $directory ]);
    my ($device) = $text =~ /^(\S.*?)\s+\d+\s+-?\d+\s+-?\d+\s+\S+%\s/ma;
    return $status == 0 && ($device // '-') ne '-' ? $device : undef;
}

1;
