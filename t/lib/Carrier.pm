# SPDX-License-Identifier: GPL-2.0-or-later
# Carrier - runs the scripts of fleet/ with fake sbatch, kubectl, ssh and others in PATH, which note what they
# were told:
#
#   my $carrier = Carrier->new;
#   $carrier->fake(squeue => 'echo "node1 touchstone:k68: run 1"');      a script for sh
#   my $got = $carrier->run('fleet/slurm/submit', 'k68', 'hosts');       in a directory of its own
#   $got->{status}, $got->{out}, $got->{err}
#   $carrier->told('sbatch')                                             ([ words ], ...), a list for each call
package Carrier;
use 5.014;
use strict;
use warnings;

use Fake;

sub new {
    my ($class, %how) = @_;
    my $fake = Fake->new(%how);
    mkdir "$fake->{dir}/tools" or die "cannot make '$fake->{dir}/tools': $!\n";
    return bless { fake => $fake, dir => $fake->{dir}, tools => "$fake->{dir}/tools" }, $class;
}

# Makes a program: notes its words in one piece, as several may run at a time, and does what the script says.
# The script has the directory of the test as $dir.
sub fake {
    my ($self, $name, $script) = @_;
    my $note =
        qq{dir='$self->{dir}'\nnote=\$(printf '%s\\037' "\$@")\nprintf '%s\\036' "\$note" >>"\$dir/told.$name"\n};
    $self->write("tools/$name", "#!/bin/sh\n$note$script\n");
    chmod 0755, "$self->{tools}/$name";
    return;
}

sub write {
    my ($self, $name, $text) = @_;
    Fake::write_file("$self->{dir}/$name", $text);
    return "$self->{dir}/$name";
}

sub read { my ($self, $name) = @_; return Fake::read_file("$self->{dir}/$name") }

# Returns the words of each call since the last time.
sub told {
    my ($self, $name) = @_;
    my $text = $self->read("told.$name");
    unlink "$self->{dir}/told.$name";
    return map { [ split /\x1f/, $_ ] } split /\x1e/, $text;
}

# Runs a script of this tree, or whatever words say.
sub run {
    my ($self, @words) = @_;
    $words[0] = "$Fake::BASE/$words[0]" if $words[0] =~ m{\Afleet/};
    my $env = { PATH => "$self->{tools}:$ENV{PATH}", %{ $self->{env} || {} } };
    return $self->{fake}->run(\@words, command => [ 'env', '-C', $self->{dir} ], env => $env);
}

# What a script said besides that its hosts are few.
sub heard { my ($got) = @_; return $got->{err} =~ s/^\d+ hosts?: fewer than \d+ of one kind .*\n//mr }

1;
