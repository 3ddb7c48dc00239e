# SPDX-License-Identifier: GPL-2.0-or-later
# Packaging - what every package is made with: the version and its date, a copy of the sources, archives that
# are byte-identical wherever they are made, and the words of a trial.
#
#   tried('the bundle of x86_64: ./Run --quick in a system with only perl');
#   not_tried('the bundle of s390x', 'qemu-user is missing');
#
# A trial that fails dies; packaging/check counts that.
package Packaging;
use 5.014;
use strict;
use warnings;

use Cwd ();
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Find ();
use File::Path qw(make_path);
use File::Temp ();
use POSIX ();
use Time::Local qw(timegm);

our @EXPORT_OK = qw($ROOT archive copy_of_sources epoch has lacking name not_tried run said scratch slurp
    spew tried version);

# The tree that this file lies in.
our $ROOT = Cwd::abs_path(dirname(__FILE__) . '/../..');

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
    local $/;
    return scalar(<$in>) // '';
}

sub spew {
    my ($file, $text) = @_;
    make_path(dirname($file));
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}

sub version {
    my ($version) = slurp("$ROOT/lib/Touchstone.pm") =~ /^our \$VERSION = '([\d.]+)';$/m;
    return $version // die "lib/Touchstone.pm has no version\n";
}

sub name { return 'touchstone-' . version() }

# The time that files of a package bear: SOURCE_DATE_EPOCH, else the day of the version in CHANGELOG.md.
sub epoch {
    my $asked = $ENV{SOURCE_DATE_EPOCH} // '';
    return $asked if $asked =~ /\A\d+\z/a;
    my $version = version();
    my ($year, $month, $day) = slurp("$ROOT/CHANGELOG.md") =~ /^## \Q$version\E - (\d{4})-(\d\d)-(\d\d)$/m
        or die "CHANGELOG.md has no day for version $version\n";
    return timegm(0, 0, 0, $day, $month - 1, $year);
}

# Returns the path of a program, or nothing.
sub has {
    my ($tool) = @_;
    return (grep { -x && -f _ } map { "$_/$tool" } split(/:/, $ENV{PATH}), '/usr/sbin', '/sbin')[0];
}

# Returns what is missing among programs, as a text, or nothing.
sub lacking {
    my @missing = grep { !has($_) } @_;
    return @missing ? join(' and ', @missing) . (@missing > 1 ? ' are' : ' is') . ' missing' : undef;
}

# A directory that is removed at the end, also of a program that is interrupted.
sub scratch {
    $SIG{$_} = sub { die "interrupted by SIG$_[0]\n" }
        for qw(INT TERM HUP);
    return File::Temp->newdir('touchstone-XXXXXX', TMPDIR => 1);
}

# Runs a command, { in => directory, env => {} } first where it needs one. Returns ($status, its output with
# its complaints); a status of 127 is a command that is not there. With is_shown its output goes where ours
# goes, and nothing of it is returned.
sub said {
    my ($how, @command) = ref $_[0] ? @_ : ({}, @_);
    my $file  = File::Temp->new;
    my $child = fork // die "cannot fork: $!\n";
    if (!$child) {
        setpgrp 0, 0;
        $how->{in} and (chdir $how->{in} or POSIX::_exit(126));
        %ENV = (%ENV, %{ $how->{env} || {} });
        open STDIN, '<', '/dev/null';
        $how->{is_shown} or open STDOUT, '>&', $file;
        $how->{is_shown} or open STDERR, '>&', $file;
        { no warnings 'exec'; exec { $command[0] } @command }
        POSIX::_exit(127);
    }
    _wait_for($child);
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, slurp("$file"));
}

# Waits for a child that leads a group of processes. A signal to us goes to these first, so that nothing
# writes into a scratch that is being removed.
sub _wait_for {
    my ($child) = @_;
    my $signal;
    local @SIG{qw(INT TERM HUP)} = (sub { $signal = $_[0]; kill TERM => $child, -$child }) x 3;
    waitpid $child, 0;
    die "interrupted by SIG$signal\n" if defined $signal;
    return;
}

# The same for a command that must succeed: returns its output, or dies with its last lines.
sub run {
    my ($status, $said) = said(@_);
    return $said if $status == 0;
    my @command = grep { !ref } @_;
    my @lines   = split /\n/, $said;
    splice @lines, 0, @lines - 20 if @lines > 20;
    die join("\n", "'@command' ended with status $status", map { "  $_" } @lines), "\n";
}

# Copies what belongs to the sources to a directory: what git tracks, or in an unpacked source archive what
# its file MANIFEST lists. Modes do not depend on who made the tree.
sub copy_of_sources {
    my ($directory) = @_;
    my @files = sources();
    for my $file (@files) {
        next if !-e "$ROOT/$file";
        spew("$directory/$file", slurp("$ROOT/$file"));
        chmod -x "$ROOT/$file" ? oct 755 : oct 644, "$directory/$file";
    }
    spew("$directory/MANIFEST", join '', map { "$_\n" } sort @files);
    return;
}

# Returns the paths of what belongs to the sources. A clone may have been copied to a machine without git, and
# an archive from a web page has neither .git nor MANIFEST.
sub sources {
    if (-e "$ROOT/.git") {
        my ($status, $said) = said('git', '-C', $ROOT, '-c', "safe.directory=$ROOT", 'ls-files', '-z');
        return grep { $_ ne 'MANIFEST' } split /\0/, $said if $status == 0;
    }
    return grep { length } split /\n/, slurp("$ROOT/MANIFEST") if -e "$ROOT/MANIFEST";
    return found();
}

# Returns the paths of all files of the tree that .gitignore does not exclude. It knows that part of git's
# patterns that stands there.
sub found {
    my @lines = map { [ !s/\A!//, _pattern($_) ] } grep { /\A[^#]/ } split /\n/, slurp("$ROOT/.gitignore");
    my @found;
    my $look = sub {
        my $path = substr($_, length $ROOT) . (-d && !-l ? '/' : '');
        my $ignored;
        $path =~ $_->[1] and $ignored = $_->[0] for @lines;
        return $File::Find::prune = 1 if $ignored || $path eq '/.git/';
        push @found, substr $path, 1 if $path !~ m{/\z};
    };
    File::Find::find({ wanted => $look, no_chdir => 1 }, $ROOT);
    return @found;
}

sub _pattern {
    my ($line) = @_;
    my $path   = join q([^/]+), map { quotemeta } split /\*/, $line, -1;
    return $line =~ m{\A/} ? qr{\A$path/?\z} : qr{/$path/?\z};
}

# Packs DIRECTORY/NAME into a file of this ending (.tar.gz, .tar.xz, .tar): files in the order of their names,
# without owner, of one time and with plain modes. Needs GNU tar.
sub archive {
    my ($directory, $name, $file) = @_;
    my $tar = $file =~ s/\.(?:gz|xz)\z//r;
    run(
        { env => { LC_ALL => 'C' } },
        'tar', '-C', $directory, '--format=ustar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner',
        '--mtime=@' . epoch(),
        '--mode=u+rw,go=rX', '-cf', $tar, $name
    );
    run('gzip', '-9nf', $tar) if $file =~ /\.gz\z/;
    run('xz', '-9f', '-T1', $tar) if $file =~ /\.xz\z/;
    return;
}

sub tried { my ($what) = @_; print "tried: $what\n"; return }

sub not_tried { my ($what, $why) = @_; print "not tried here: $what: $why\n"; return }

1;
