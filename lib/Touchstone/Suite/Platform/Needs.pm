# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Needs - what the tests of the platform work on: an input for the compressors, data for the
# hashes, a channel, and two directories. Each sub gives what Run::Needs shows, of one kind, beside `held`:
# directories that go with the run.
package Touchstone::Suite::Platform::Needs;
use 5.014;
use strict;
use warnings;

use File::Spec;
use List::Util qw(max);
use POSIX qw(ceil);

use Touchstone::Base::Text qw(plain short);
use Touchstone::Machine::Disk;
use Touchstone::Machine::Resources;
use Touchstone::Machine::Workdir;

# Bytes of an input and of the data, when nothing else is said.
our %SIZE = (input => 1_048_000, data => 100_000_000);
my $CHANNEL = 'pty';

# A test needs this many times the bytes in memory: an input is there three times, as it is, compressed,
# which may be a little longer, and decompressed; the pages of the data must stay.
my %MEMORY  = (input => 3.05, data => 1.1);
my $LETTERS = 100;

sub needs {
    return {
        input => {
            find            => \&input,
            options         => { input => 'the tests of the group compress' },
            supported_tests => \&_sized
        },
        data => {
            find            => \&data,
            options         => { 'hash-size' => 'the tests of the group hash' },
            supported_tests => \&_sized
        },
        channel => {
            find            => \&channel,
            options         => { channel => 'the test inputs' },
            supported_tests => \&_on_lines
        },
        places => {
            find    => \&places,
            options => { map { $_ => 'the tests of the group transfer' } qw(medium depot) }
        },
    };
}

# The row knows how long a unit takes with as much as there is to work on.
sub _sized {
    my ($options, $test) = @_;
    my $bytes = defined $test->{per_gb} ? bytes($options, $test->{requires}) : undef;
    return $bytes ? { %$test, least_seconds => $bytes / 1e9 * $test->{per_gb} } : $test;
}

# Two devices are one line, which only one copy can use.
sub _on_lines {
    my ($options, $test) = @_;
    return is_one_line($options) ? { %$test, single => 1 } : $test;
}

# Bytes that a test of this kind works on, or undef where nobody can tell beforehand.
sub bytes {
    my ($options, $kind) = @_;
    return $options->{'hash-size'} // $SIZE{data} if $kind eq 'data';
    return $kind eq 'input' ? defined $options->{input} ? -s $options->{input} : $SIZE{input} : undef;
}

sub input {
    my ($program, %setup) = @_;
    my ($zstd)  = grep { -x } "$setup{places}{bin}/zstd";
    my ($text)  = $zstd ? $setup{ask}->($zstd, '--facts') : '';
    my %library = $text =~ /^library=(.+)$/m ? (library => plain($1)) : ();
    my $file    = $setup{want}{input} // return {
        facts => { file => 'seeded random bytes', bytes => $SIZE{input}, sha256 => 'seeded', %library } };
    $file = File::Spec->rel2abs($file);
    my @trouble = _trouble_of_file($file, $setup{sides} * max(@{ $setup{copies} }));
    return { trouble => \@trouble } if @trouble;
    my $sum = _sha256($file) // return { trouble => [ failures => _named($file) . ": $!", undef ] };
    return {
        values  => { input => $file },
        watched => _watch($file),
        facts   => { file => plain($file), bytes => -s $file, sha256 => $sum, %library }
    };
}

# A text that changes when the file does.
sub _state {
    my ($file) = @_;
    return join ' ', map { $_ // '' } (stat $file)[ 0, 1, 7, 9 ];
}

# The sub that this gives says in words when the file is another one than now.
sub _watch {
    my ($file) = @_;
    my $state = _state($file);
    return sub { _changed($file, $state) };
}

sub _changed {
    my ($file, $state) = @_;
    return _state($file) eq $state
        ? undef
        : _named($file) . ' was changed while it was measured: results are of several inputs';
}

sub _named {
    my ($file) = @_;
    return "the input '" . short(plain($file), $LETTERS) . "'";
}

sub _trouble_of_file {
    my ($file, $copies) = @_;
    my $name = _named($file);
    return (failures => "$name cannot be read: $!", undef) if !-e $file;
    return (failures => "$name is not a file",      undef) if !-f _;
    my $bytes = -s _;
    return (failures => "$name is empty", undef) if !$bytes;
    open my $in, '<:raw', $file or return (failures => "$name cannot be read: $!", undef);
    return _trouble_of_memory($bytes * $MEMORY{input} * $copies, "$name needs");
}

sub _trouble_of_memory {
    my ($bytes, $needs) = @_;
    my $free = Touchstone::Machine::Resources::memory()->{free};
    return if !defined $free || $bytes <= $free * 1024;
    return (
        skipped =>
            sprintf('%s %.0f MB of memory, %.0f MB are free', $needs, ceil($bytes / 1e6), $free * 1024 / 1e6),
        'end other programs, take a smaller one, or run fewer copies (-c)'
    );
}

sub _sha256 {
    my ($file) = @_;
    return eval { require Digest::SHA; Digest::SHA->new(256)->addfile($file, 'b')->hexdigest };
}

# The data need space, for which Preflight looks.
sub data {
    my ($program, %setup) = @_;
    my $bytes = bytes($setup{want}, 'data');
    my ($text, @trouble) = $setup{ask}->($program, '--facts');
    return { trouble => \@trouble } if @trouble;
    @trouble = _trouble_of_memory($bytes * $MEMORY{data}, 'the data of the hashes need');
    return { trouble => \@trouble } if @trouble;
    my %facts = $text =~ /^(\w+)=(.+)$/mg;
    return {
        values => { bytes => $bytes },
        facts  => { bytes => $bytes, map { $_ => plain($facts{$_}) } keys %facts },
        space  => ceil($bytes / 1024)
    };
}

# A channel of two devices is there once; of the other kinds there is any number.
sub is_one_line { my ($options) = @_; return ($options->{channel} // '') =~ /,/ }

sub channel {
    my ($program, %setup) = @_;
    my $kind = $setup{want}{channel} // $CHANNEL;
    $kind = join ',', map { File::Spec->rel2abs($_) } split /,/, $kind if is_one_line({ channel => $kind });
    my ($text, @trouble) = $setup{ask}->($program, '--check', $kind);
    return { trouble => \@trouble } if @trouble;
    return { values  => { channel => $kind }, facts => { kind => plain($kind) } };
}

# Files go to a directory of their own in each place, which a later run removes when this one was killed.
sub places {
    my ($program, %setup) = @_;
    my %path = map { $_ => $setup{want}{$_} } qw(medium depot);
    my (%found, @held);
    for my $what (sort keys %path) {
        my ($directory, @trouble) =
            defined $path{$what} ? _named_place($what, $path{$what}) : _own_place($what, $setup{scratch});
        return { trouble => \@trouble } if @trouble;
        push @held, $directory if ref $directory;
        $found{values}{$what} = ref $directory ? $directory->path : $directory;
        $found{facts}{$what} =
            defined $path{$what}
            ? plain(File::Spec->rel2abs($path{$what}))
            : 'a directory of its own';
        $found{facts}{"${what}_fs"} = _file_system($found{values}{$what});
    }
    return { trouble => [ failures => '--medium and --depot are the same directory', 'name two' ] }
        if _is_same(@path{qw(medium depot)});

    # Each test looks for itself whether there is space, and a medium has nothing to do with where Run works.
    return { %found, held => \@held, space => 0 };
}

sub _is_same {
    my (@paths) = @_;
    my ($one, $other) = map { defined $_ ? join ':', (stat)[ 0, 1 ] : '' } @paths;
    return length $one && $one eq $other;
}

sub _named_place {
    my ($what, $path) = @_;
    my $name = "the $what '" . short(plain($path), $LETTERS) . "'";
    return (undef, failures => "$name cannot be used: $!", undef) if !-e $path;
    return (undef, failures => "$name is not a directory", undef) if !-d _;
    my $directory = eval { Touchstone::Machine::Workdir->new(File::Spec->rel2abs($path)) };
    return $directory if $directory;
    my ($why) = $@ =~ /: ([^:\n]*)\n/;
    return (undef, failures => "$name cannot be written to" . (defined $why ? ": $why" : ''), undef);
}

sub _own_place {
    my ($what, $scratch) = @_;
    my $path = "$scratch/$what";
    return $path if -d $path || mkdir $path, 0700;
    return (undef, failures => "cannot make '$path': $!", 'try: UB_TMPDIR=/var/tmp ./Run');
}

# The file system of a path and its device: 'ext4 (/dev/sda1)'.
sub _file_system {
    my ($path) = @_;
    my $facts  = Touchstone::Machine::Disk::facts($path);
    my $device = $facts->{device};
    return plain(
        ($facts->{file_system} // 'unknown') . (defined $device && $device =~ m{/} ? " ($device)" : ''));
}

1;
