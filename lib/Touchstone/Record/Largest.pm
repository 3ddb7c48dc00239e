# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Largest - how much is read of files, streams and programs, which may be anybody's, and how much is
# built of that. The largest records that are known are 1,000 copies of an index and 20,000 passes of a test:
# 20 MB, 2,300,000 parts. docs/files.md has the same as a table.
package Touchstone::Record::Largest;
use 5.014;
use strict;
use warnings;

# Bytes of a record, of a journal and of a log that holds records; of what was packed also as it comes out.
our $RECORD = 200_000_000;

# Bytes of a text that is no record: a report of UnixBench, a page or a mail with blocks.
our $TEXT = 50_000_000;

# Parts of JSON: each value and each name is one, and a list or an object is so many more, as it takes more
# memory. Ten million take 400 MB at most. So deep may values be in each other.
our $PARTS     = 10_000_000;
our $CONTAINER = 3;
our $DEPTH     = 50;

# Entries of these lists of a record.
our %ENTRIES = (
    (map { $_ => 1000 } qw(blocks categories indexes)),
    (map { $_ => 10_000 } qw(tests failures skipped warnings resumed))
);

# Blocks of a text, bytes that one unpacks to, and bytes that all of a text unpack to.
our ($BLOCKS, $BLOCK, $OF_BLOCKS) = (10_000, 8_000_000, 200_000_000);

# Reports of UnixBench in a text, lines of such a text, and lines of records in a log.
our ($REPORTS, $TEXT_LINES, $LINES) = (1000, 1_000_000, 300_000);

# Bytes of results that the copies of a pass print together: so many, and so many for each copy.
our ($RESULTS, $OF_COPY) = (10_000_000, 100_000);

my $MB = 1_000_000;
my ($PIECE, $SMALL) = (1_000_000, 16_384);

# The end of a sentence about what is larger than such a limit.
sub than {
    my ($bytes, $what) = @_;
    return sprintf 'larger than %d MB: no %s is so large', $bytes / $MB, $what // 'record';
}

# All that a handle has, if it is no more than $RECORD bytes. `it` is what a message calls it: dies with a
# sentence.
sub whole {
    my ($in, $it) = @_;
    my $size = -f $in ? -s _ : 0;
    die "$it is ", than($RECORD), "\n" if $size > $RECORD;
    my $text = '';
    while (1) {
        my $got = read $in, $text, length $text ? $PIECE : $size || $PIECE, length $text;
        die "cannot read $it: $!\n" if !defined $got;
        return $text                if !$got;
        die "$it is ", than($RECORD), "\n" if length $text > $RECORD;
    }
    return;
}

# A function that gives line after line of a handle, and nothing at its end or where it is damaged; a line is
# no longer than $RECORD.
sub lines {
    my ($in,   $it)     = @_;
    my ($text, $at_end) = ('');
    return sub {
        my $looked = 0;
        while (!$at_end && (my $end = index $text, "\n", $looked) < 0) {
            $looked = length $text;
            die "$it has a line ", than($RECORD), "\n" if $looked > $RECORD;
            my $got = $in->read(my $piece, $SMALL) // 0;
            $text .= $piece if $got > 0;
            $at_end = $got <= 0;
        }
        my $length = 1 + index $text, "\n";
        return length $text ? substr $text, 0, $length || length $text, '' : undef;
    };
}

# A record may be compressed. The text that comes out is limited, too: a few bytes can stand for gigabytes.

my $MAGIC      = "\x1f\x8b";
my $GZIP_PIECE = 1_000_000;

sub is_gzip { my ($bytes) = @_; return substr($bytes, 0, length $MAGIC) eq $MAGIC }

# Returns the text from which these bytes were compressed. Dies with the cause.
sub inflated {
    my ($bytes) = @_;
    die "its gzip is damaged or cut short\n" if !is_gzip($bytes);
    eval { require IO::Uncompress::Gunzip } or die "this Perl cannot read gzip\ninstall the package perl\n";
    my $in = IO::Uncompress::Gunzip->new(\$bytes, MultiStream => 1, Transparent => 0)
        or die "it is damaged gzip\n";
    my $text = '';
    while (1) {
        my $got = $in->read(my $piece, $GZIP_PIECE);
        die "its gzip is damaged or cut short\n" if $got < 0;
        last                                     if !$got;
        $text .= $piece;
        die 'it is ', than($RECORD), "\n"
            if length $text > $RECORD;
    }
    die "its gzip is damaged or cut short\n" if !$in->eof || $in->error;
    return $text;
}

1;
