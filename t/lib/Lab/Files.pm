# SPDX-License-Identifier: GPL-2.0-or-later
# Lab::Files - the files of a lab: /etc of all hosts, keys and how ssh reaches them, and what is one host's.
package Lab::Files;
use 5.014;
use strict;
use warnings;

use File::Path qw(make_path);

use Lab;

sub make_etc {
    my ($lab) = @_;
    run('cp', '-a', '/etc', "$lab/etc");
    my %line = (
        passwd => "$USER:x:$UID:$UID:$USER:/home/$USER:/bin/sh\n",
        group  => "$USER:x:$UID:\n",
        shadow => "$USER:*:19000:0:99999:7:::\n"
    );
    for my $file (sort keys %line) {
        my $kept = slurp("$lab/etc/$file") =~ s/^\Q$USER\E:.*\n//mgr;
        spew("$lab/etc/$file", "$kept$line{$file}");
    }
    for my $file (qw(machine-id hostname)) {
        unlink "$lab/etc/$file";
        spew("$lab/etc/$file", '');
    }
    return;
}

sub make_keys {
    my ($lab, $count) = @_;
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'lab', '-f', "$lab/key");
    mkdir "$lab/cp", oct 700 or die "lab: cannot make '$lab/cp': $!\n";
    my @lines = map { "Host " . name_of($_) . "\n    HostName " . address_of($_) . "\n" } 1 .. $count;
    push @lines, <<"END";
Host *
    User $USER
    IdentityFile $lab/key
    IdentitiesOnly yes
    UserKnownHostsFile $lab/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    ConnectTimeout 5
    LogLevel ERROR
END
    spew("$lab/ssh.cfg", join '', @lines);
    spew("$lab/hosts",   join '', map { name_of($_) . "\n" } 1 .. $count);
    return;
}

sub make_host {
    my ($lab, $n) = @_;
    my $at = "$lab/$n";
    make_path("$at/home/$USER/.ssh", "$at/var-lib", "$at/run/lab", "$at/run/sshd", "$at/tmp");
    chmod oct 1777, "$at/tmp";
    spew("$at/machine-id",                      digits() . "\n");
    spew("$at/hostname",                        name_of($n) . "\n");
    spew("$at/home/$USER/.ssh/authorized_keys", slurp("$lab/key.pub"));
    chown $UID, $UID, "$at/home/$USER", "$at/home/$USER/.ssh", "$at/home/$USER/.ssh/authorized_keys";
    chmod oct 700, "$at/home/$USER/.ssh";
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', "$at/run/lab/host_key");
    open my $known, '>>', "$lab/known_hosts" or die "lab: cannot write '$lab/known_hosts': $!\n";
    print {$known} join(',', name_of($n), address_of($n)), ' ', slurp("$at/run/lab/host_key.pub");
    close $known or die "lab: cannot write '$lab/known_hosts': $!\n";
    spew("$at/run/lab/sshd_config", <<"END");
ListenAddress ${\address_of($n)}
HostKey /run/lab/host_key
PidFile none
UsePAM no
UseDNS no
AllowUsers $USER
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
Subsystem sftp internal-sftp
END
    return;
}

# 32 digits, as systems number their installations and starts.
sub digits {
    open my $in, '<:raw', '/dev/urandom' or die "lab: cannot open '/dev/urandom': $!\n";
    read($in, my $bytes, 16) == 16 or die "lab: cannot read '/dev/urandom': $!\n";
    return unpack 'H*', $bytes;
}

1;
