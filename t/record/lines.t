#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Pack::Fleet::LogEncoding: a record comes out of a log as it was, or it is said what is missing.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 'lib';
use Touchstone::Record::Campaign;
use Touchstone::Pack::Fleet::LogEncoding;

plan skip_all => 'Perl came without Compress::Zlib' if !eval { require Compress::Zlib };
plan skip_all => 'Perl came without Digest::SHA'    if !eval { require Digest::SHA };

use lib 't/lib';
use NoWarnings;

my $NAME  = 'k68.9f31c07d5a64b2e8.1';
my $OTHER = 'k68.51d09c3a7e442f10.12';

# A text that zlib cannot make much shorter, with every byte in it.
sub text_of {
    my ($bytes, $seed) = @_;
    srand($seed // 1);
    return join '', map { chr int rand 256 } 1 .. $bytes;
}

my $LONG  = text_of(40_000);
my $LINES = Touchstone::Pack::Fleet::LogEncoding::written($LONG, $NAME);

sub read_back {
    my ($log) = @_;
    return [ map { Touchstone::Pack::Fleet::LogEncoding::joined($_) }
            Touchstone::Pack::Fleet::LogEncoding::read($log) ];
}

# Returns why the only record of a log cannot be read.
sub why {
    my ($log) = @_;
    my @found = @{ read_back($log) };
    is(scalar @found, 1, 'one record') or return;
    return $found[0]{why};
}

# The lines with this done to those that match.
sub with_lines {
    my ($change, $of) = @_;
    return join '', map { local $_ = $_; $change->(); $_ } ($of // $LINES) =~ /(.*\n)/g;
}

subtest 'a record comes back as it was' => sub {
    my %texts = (empty => '', short => qq({"format": 1}\n), bytes => $LONG, lines => "a\nb\r\n\n" x 5_000);
    for my $what (sort keys %texts) {
        my $lines = Touchstone::Pack::Fleet::LogEncoding::written($texts{$what}, $NAME);
        is_deeply(read_back($lines), [ { name => $NAME, text => $texts{$what} } ], $what);
        unlike($lines, qr/^.{8000}/m,      'no line is too long for a log');
        unlike($lines, qr/[^\x20-\x7e\n]/, 'and none has a letter that is not ASCII');
    }
    cmp_ok(scalar(() = $LINES =~ /\n/g), '>', 8, 'the long one has several lines');
};

subtest 'what logs do to lines does no harm' => sub {
    my @whole = ({ name => $NAME, text => $LONG });
    my %logs  = (
        'times in front'  => with_lines(sub { s/^/2026-11-23T03:46:00.123456789Z / }),
        'names in front'  => with_lines(sub { s/^/[pod\/touchstone-web1\/touchstone] / }),
        'a raw file'      => with_lines(sub { s/^/2026-11-23T03:46:00.1Z stdout F / }),
        'a file of JSON'  => with_lines(sub { s/^(.*)\n/{"log":"$1\\n","stream":"stdout"}\n/ }),
        'ends of DOS'     => with_lines(sub { s/\n/\r\n/ }),
        'other lines'     => with_lines(sub { $_ = "# run 1\nTOUCHSTONE is a suite\n$_\xff\xfe\0\n" }),
        'another order'   => join('', reverse $LINES =~ /(.*\n)/g),
        'twice'           => $LINES x 2,
        'cut, then whole' => substr($LINES, 0, 20_000) . "\n$LINES",
        'no first line'   => $LINES =~ s/\A.*\n//r,
        'no last line'    => $LINES =~ s/.*\n\z//r,
    );
    is_deeply(read_back($logs{$_}), \@whole, $_) for sort keys %logs;
};

subtest 'a log holds several' => sub {
    my $short = Touchstone::Pack::Fleet::LogEncoding::written('another', $OTHER);
    my @both  = ({ name => $NAME, text => $LONG }, { name => $OTHER, text => 'another' });
    is_deeply(read_back($LINES . $short), \@both, 'one after the other');
    my @long  = $LINES =~ /(.*\n)/g;
    my @short = $short =~ /(.*\n)/g;
    is_deeply(read_back(join '', map { ($_, shift @short // ()) } @long), \@both, 'line by line');
    my $same = Touchstone::Pack::Fleet::LogEncoding::written('other contents', $NAME);
    is_deeply(
        read_back($LINES . $same),
        [ { name => $NAME, text => $LONG }, { name => $NAME, text => 'other contents' } ],
        'also of one name'
    );
    my $cut = $LINES =~ s/^.* 2\/\d+ .*\n//mr;
    my ($first, @others) = @{ read_back($cut . $short) };
    like($first->{why}, qr/\A1 line of \d+ is missing\z/, 'one that is cut is named');
    is_deeply(\@others, [ $both[1] ], 'and leaves the other');
};

subtest 'what is missing or damaged is said' => sub {
    is(
        why($LINES =~ s/^.* (?:begin|end): .*\n//mgr),
        'neither its first nor its last line is there',
        'no ends'
    );
    like(why($LINES =~ s/^.* [23]\/\d+ .*\n//mgr), qr/\A2 lines of \d+ are missing\z/, 'two lines');
    like(
        why($LINES =~ s/(?<= 2\/)(\d+)/$1 + 1/emr),
        qr/do not say the same of how many there are/,
        'a number'
    );
    like(why($LINES =~ s/(end: \d+ lines, )\d+/${1}7/r), qr/\Aits first and its last line do not/,
        'the ends');
    like(
        why($LINES =~ s/(?<=, )\d+(?= bytes)/39999/gr),
        qr/\Ait has 40000 bytes, and 39999 by its first line/,
        'the bytes'
    );
    is(why(with_lines(sub { s/(?<=sha256 .{16}).{48}/0 x 48/e })), 'its sum is wrong', 'the sum');
    is(
        why(with_lines(sub { s{( 2/\d+ .{100}).}{$1 . '+'}e })) =~
            s/\Aits (?:data are damaged|sum is wrong)\z/so/r,
        'so',
        'a letter'
    );
    is(
        why($LINES . with_lines(sub { s{( 2/\d+ .{100}).}{$1 . '+'}e })),
        'its line 2 is there twice with different contents',
        'a line of two kinds'
    );
    is(why(with_lines(sub { s{( \d+/\d+ ...).*}{$1} })), 'its data are damaged', 'cut lines');
    is_deeply(read_back($_), [], 'nothing: ' . length) for '', "TOUCHSTONE\n", "TOUCHSTONE x 1/2\n", $LONG;
};

subtest 'a small log cannot become a large text' => sub {
    my $zeros = Touchstone::Pack::Fleet::LogEncoding::written("\0" x 5_000_000, $NAME);
    cmp_ok(length $zeros, '<', 20_000, 'a stream that grows');
    like(
        why($zeros =~ s/(?<=, )\d+(?= bytes)/1000/gr),
        qr/\Ait has \d+ bytes, and 1000 by its first line\z/,
        'it stops where more comes than was said'
    );
    is(
        why($zeros =~ s/(?<=, )\d+(?= bytes)/200000001/gr),
        'it is larger than 200 MB: no record is so large',
        'and does not begin where too much was said'
    );
};

subtest 'only the name of a campaign\'s record is written' => sub {
    for my $name ('vm-2026-11-21-01', "k68.9f31c07d5a64b2e8.1\n", 'k68.9f31c07d5a64b2e8.1 begin', '') {
        ok(!eval { Touchstone::Pack::Fleet::LogEncoding::written('text', $name); 1 },
            'not ' . $name =~ s/\n/ /r);
    }
};

done_testing;
