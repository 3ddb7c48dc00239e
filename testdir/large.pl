#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# large.pl - prints large.txt, the text that grep searches: the system calls of an invented program, the same
# on every Perl. It has 10,000 lines, 61,664 words and 708,495 bytes; 1,032 lines contain the word "lamp".
#
#   2707 openat(AT_FDCWD, "/usr/lib/lamp/filters/gable-505", O_RDONLY|O_CLOEXEC) = 22
#   2700 read(38, "G\377\377Q\200\1\377G\377\200\1\n\09\200G\0.", 4096) = 3980
#   2703 close(16) = 0
use 5.014;
use strict;
use warnings;

use constant { BYTES => 708_495, WORD_LINES => 1_032 };

# Each kind of line has its number and its text. Words in capitals are filled in, and DATA adjusts the total
# of bytes.
my @KINDS = (
    [ 1_418 => 'close(FD) = 0' ],
    [ 1_000 => 'fstat(FD, {st_mode=S_IFREG|0644, st_size=SIZE, ...}) = 0' ],
    [ 482   => 'lseek(FD, 0, SEEK_END) = SIZE' ],
    [ 500   => 'mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, FD, 0) = 0x7f00SIZE000' ],
    [ 1_500 => 'openat(AT_FDCWD, "PATH", O_RDONLY|O_CLOEXEC) = FD' ],
    [ 300   => 'access("PATH", R_OK) = -1 ENOENT (No such file or directory)' ],
    [ 500   => 'poll([{fd=FD, events=POLLIN}], 1, SIZE) = 1' ],
    [ 500   => 'clock_gettime(CLOCK_MONOTONIC, {SIZE, SIZE}) = 0' ],
    [ 2_600 => 'read(FD, "DATA", 4096) = SIZE' ],
    [ 1_199 => 'write(FD, "DATA", 4096) = SIZE' ],
);
my @WORD_PLACES =
    qw(/usr/share/lamp/shades /usr/lib/lamp/filters /usr/share/lamp/brushes/oil /home/ida/.lamp/scenes);
my @OTHER_PLACES = qw(/usr/share/fonts/type1 /usr/lib/locale/sv /etc /tmp/session-ida /home/ida/.cache/icons);
my @FILES        = qw(opal amber mast horizon fog northlight gable quay index palette);
my @OCTETS       = qw(\0 \0 \0 \1 \17 \377 \377 \200 \n G K W Q 0 9 z);

# rand differs from system to system, so this script has its own generator.
my $state = 1984;

sub below {
    my ($limit) = @_;
    $state = ($state * 3877 + 29573) % 139_968;
    return int $limit * $state / 139_968;
}

sub one_of { return $_[ below(scalar @_) ] }

# Kinds are drawn without replacement, so that their numbers are exact.
my %paths = (left => 0, with_word => WORD_LINES);
$paths{left} += $_->[0] for grep { $_->[1] =~ /PATH/ } @KINDS;

sub path {
    my $word = below($paths{left}--) < $paths{with_word};
    $paths{with_word} -= $word;
    return one_of($word ? @WORD_PLACES : @OTHER_PLACES) . '/' . one_of(@FILES) . '-' . below(10_000);
}

sub kind {
    my ($lines_left) = @_;
    my $ticket       = below($lines_left);
    my ($kind)       = grep { ($ticket -= $_->[0]) < 0 } @KINDS;
    $kind->[0]--;
    return $kind->[1];
}

sub data {
    my ($length) = @_;
    my $data = '';
    $data .= one_of(@OCTETS) while length $data < $length;
    $data = substr $data, 0, $length > 0 ? $length : 0;
    $data =~ s/(\\\d*)$/'.' x length $1/e;
    return $data;
}

my %FILL = (FD => sub { 3 + below(60) }, SIZE => sub { 1 + below(4096) }, PATH => \&path);

my $lines = 1;
$lines += $_->[0] for @KINDS;
my $sent = 0;
for my $i (1 .. $lines) {

    # The last line is not drawn: it has DATA, and its length makes the total of bytes right.
    my $text = $i < $lines ? kind($lines - $i) : 'write(FD, "DATA", 4096) = SIZE';
    my $line = 2700 + below(16) . " $text\n";
    $line =~ s/(\bFD\b|SIZE|PATH)/$FILL{$1}->()/ge;
    my $due    = int(BYTES * $i / $lines) - $sent - length($line) + length 'DATA';
    my $length = $i < $lines ? $due + below(41) - 20 : $due;
    $line =~ s/DATA/data($length)/e;
    $sent += length $line;
    print $line;
}
die "large.pl: $sent bytes were printed instead of " . BYTES . "\n" if $sent != BYTES;
