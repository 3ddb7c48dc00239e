# SPDX-License-Identifier: GPL-2.0-or-later
# Ansible - plays the playbooks of fleet/ with small bundles of programs, and reads what Ansible says.
#
#   my $ansible = Ansible->new;
#   my $got     = $ansible->play('measure.yml', inventory => $file, with => { touchstone_runs => 2 });
#   $got->{status}, $got->{out}, $got->{recap}{web1}{changed}
#
# TOUCHSTONE_ANSIBLE is another ansible-playbook than that of PATH.
package Ansible;
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use File::Temp ();
use JSON::PP ();
use POSIX ();

use lib dirname(__FILE__);
use Fake;
use Tools;
use Touchstone::Machine::Command;
use Touchstone;

my $BASE = $Fake::BASE;
my $ARCH = (POSIX::uname())[4];

# Files of the programs' directory that are no programs.
my @TABLES = qw(index.base);

# Returns the path of ansible-playbook, or nothing.
sub playbook {
    my $asked = $ENV{TOUCHSTONE_ANSIBLE};
    return length($asked // '') ? $asked : Touchstone::Machine::Command::find('ansible-playbook');
}

# Why nothing can be played here, or undef.
sub trouble {
    my $playbook = playbook() // return Tools::none('ansible-playbook');
    return "'$playbook' cannot be run" if !-x $playbook;
    return;
}

sub new {
    my ($class) = @_;
    my $temp    = File::Temp->newdir;
    my $dir     = Cwd::abs_path("$temp");
    make_path("$dir/home", "$dir/tmp");
    return bless { temp => $temp, dir => $dir, plays => 0 }, $class;
}

# Makes a bundle of this tree with fakes in the place of programs, or with `real` ones of the tree. Returns
# its file. `arch` is what it says of itself.
sub bundle {
    my ($self, %how) = @_;
    my $arch = $how{arch} // $ARCH;
    my $name = "touchstone-$Touchstone::VERSION-linux-$arch";
    my $home = "$self->{dir}/bundle-$arch/$name";
    make_path("$home/pgms");
    _copy("$BASE/$_",      $home) for qw(Run lib testdir);
    _copy("$BASE/pgms/$_", "$home/pgms")
        for grep { -e "$BASE/pgms/$_" } @TABLES, qw(build.facts build.sources);
    for my $program (@{ $how{programs} || [qw(pipe syscall execl)] }) {
        _copy($how{real} ? "$BASE/pgms/$program" : $Fake::PROGRAM, "$home/pgms/$program");
    }
    Fake::write_file("$home/BUNDLE", "version=$Touchstone::VERSION\narch=$arch\n");
    my $file = "$self->{dir}/$name.tar.gz";
    _run('tar', '-C', dirname($home), '-czf', $file, $name);
    return $file;
}

sub _copy { my ($from, $to) = @_; return _run('cp', '-RLp', $from, $to) }

sub _run {
    my (@command) = @_;
    system(@command) == 0 or die "'@command' failed\n";
    return;
}

# Starts a playbook. `inventory` is a file, or hosts and commas; `with` are its variables; `words` what else
# is said; `books` more of them; `before` words that stand before the command.
sub start {
    my ($self, $book, %how) = @_;
    my @with  = map { ('-e', JSON::PP->new->canonical->encode($_)) } grep { $_ } $how{with};
    my @books = map { "$BASE/fleet/$_" } $book, @{ $how{books} || [] };
    return $self->start_command(
        [ @{ $how{before} || [] }, playbook(), '-i', $how{inventory}, @with, @{ $how{words} || [] }, @books ],
        %{ $how{environment} || {} }
    );
}

# Starts any command in the environment of a play.
sub start_command {
    my ($self, $command, %environment) = @_;
    my ($out, $err) = map { "$self->{dir}/$_." . $self->{plays} } qw(out err);
    $self->{plays}++;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        setpgrp;
        %ENV = $self->environment(%environment);
        open STDIN,  '<', '/dev/null' or POSIX::_exit(126);
        open STDOUT, '>', $out        or POSIX::_exit(126);
        open STDERR, '>', $err        or POSIX::_exit(126);
        exec { $command->[0] } @$command or POSIX::_exit(127);
    }
    return { pid => $pid, out => $out, err => $err };
}

sub environment {
    my ($self, %also) = @_;
    return (
        PATH            => $ENV{PATH},
        LANG            => 'C.UTF-8',
        HOME            => "$self->{dir}/home",
        TMPDIR          => "$self->{dir}/tmp",
        ANSIBLE_NOCOLOR => 1,
        ANSIBLE_CONFIG  => "$BASE/fleet/ansible.cfg",
        ANSIBLE_HOME    => "$self->{dir}/home/.ansible",
        (map { $_ => $ENV{$_} } grep { defined $ENV{$_} } qw(LAB PYTHONPATH)),
        %also
    );
}

sub finish {
    my ($self, $play) = @_;
    waitpid $play->{pid}, 0;
    my $out = Fake::read_file($play->{out});
    return {
        status => $? >> 8,
        signal => $? & 127,
        out    => $out,
        err    => Fake::read_file($play->{err}),
        recap  => recap($out)
    };
}

sub play { my ($self, @how) = @_; return $self->finish($self->start(@how)) }

# Returns the last lines of a play: { host => { ok => 12, changed => 5, ... } }.
sub recap {
    my ($out)   = @_;
    my ($lines) = $out =~ /^PLAY RECAP \*+\n(.*)/ms or return {};
    my %of;
    for my $line (split /\n/, $lines) {
        my ($host, $counts) = $line =~ /\A(.+?)\s+: ((?:\w+=\d+\s*)+)\z/ or next;
        $of{$host} = { $counts =~ /(\w+)=(\d+)/g };
    }
    return \%of;
}

# Returns the sum of one count over all hosts.
sub sum {
    my ($got, $what) = @_;
    my $sum = 0;
    $sum += $_->{$what} // 0 for values %{ $got->{recap} };
    return $sum;
}

sub json { my ($file) = @_; return JSON::PP->new->utf8->decode(Fake::read_file($file)) }

# Returns the records of a campaign by the host that each names.
sub records {
    my ($directory) = @_;
    my %of;
    for my $file (glob "\Q$directory\E/runs/*/*.json") {
        my $record = json($file);
        push @{ $of{ $record->{campaign}{host} } }, $record;
    }
    return \%of;
}

1;
