# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::LogEncoding - a whole record as lines of a log, for hosts of which nothing but the log of what
# ran on them can be had:
#
#   TOUCHSTONE k68.9f31c07d5a64b2e8.1 begin: 7 lines, 144850 bytes, sha256 4c7e2ab190d355f1...
#   TOUCHSTONE k68.9f31c07d5a64b2e8.1 4c7e2ab190d355f1 1/7 H4sIAAAAAAAA/+y9e3fbOLIv...
#   ...
#   TOUCHSTONE k68.9f31c07d5a64b2e8.1 4c7e2ab190d355f1 7/7 mF8gPwDhC5gm0jUCAA
#   TOUCHSTONE k68.9f31c07d5a64b2e8.1 end: 7 lines, 144850 bytes, sha256 4c7e2ab190d355f1...
#
# This is base64 of the record's file, compressed by gzip; bytes and sum are those of the file. Each line
# stands for itself: logs put times and names in front, add their own ends, mix the lines of several writers,
# repeat what a program that was started again prints, and lose their beginning when they grow too long.
package Touchstone::Pack::Fleet::LogEncoding;
use 5.014;
use strict;
use warnings;

use Carp qw(croak);
use Digest::SHA qw(sha256_hex);
use List::Util qw(max);
use MIME::Base64 qw(decode_base64 encode_base64);

use Touchstone::Base::Text qw(plural);
use Touchstone::Record::Campaign;
use Touchstone::Record::Largest;

# What carries logs cuts lines at 16,384 bytes or at 8,192.
my $LINE = 7_800;

# A line names the sum of its record by so many digits.
my $TAG = 16;

# A record grows in pieces, so that a few lines cannot become far more than they say.
my $PIECE = 10_000;

my $ZLIB = "this Perl has no Compress::Zlib\n"
    . "install it: the package perl-IO-Compress on Fedora and similar systems, otherwise perl\n";

my $MARK = qr/\bTOUCHSTONE ([\w.-]{1,200})/a;
my $ENDS = qr/$MARK (begin|end): (\d{1,6}) lines, (\d{1,12}) bytes, sha256 ([0-9a-f]{64})\b/a;
my $PART = qr{$MARK ([0-9a-f]{$TAG}) (\d{1,6})/(\d{1,6}) ([A-Za-z0-9+/]+)};

# The lines of a record, of its text and its name.
sub written {
    my ($text, $name) = @_;
    croak "'$name' is not the name of a campaign's record" if !Touchstone::Record::Campaign::parsed($name);
    my $sum = sha256_hex($text);
    _load_zlib();
    my $letters = encode_base64(Compress::Zlib::memGzip($text), "") =~ tr{=}{}dr;
    my @parts   = $letters                                          =~ /(.{1,$LINE})/g;
    my $ends    = sprintf '%d lines, %d bytes, sha256 %s', scalar @parts, length $text, $sum;
    my $tag     = substr $sum, 0, $TAG;
    return join '', map { "TOUCHSTONE $name $_\n" } "begin: $ends",
        map({ "$tag $_/" . @parts . " $parts[ $_ - 1 ]" } 1 .. @parts), "end: $ends";
}

# Says whether a text is a log that holds records: a log may be JSON itself, or begin with a line of it.
sub is_log { my ($text) = @_; return $text =~ $ENDS || $text =~ $PART ? 1 : 0 }

# The records of a log, as they begin there, each for `joined`: of many only one text is there at a time.
# Dies with a sentence.
sub read {
    my ($log) = @_;
    my (%of, @order);
    my $left   = $Touchstone::Record::Largest::LINES;
    my $record = sub {
        my ($name, $tag) = @_;
        push @order, $of{"$name $tag"} = { name => $name, tag => $tag, parts => {} } if !$of{"$name $tag"};
        return $of{"$name $tag"};
    };
    while ($log =~ /^(.*\bTOUCHSTONE .*)$/mg) {
        my $line = $1;
        die
            "it has more than $Touchstone::Record::Largest::LINES lines of records, which is too many for a log\n"
            if --$left < 0;
        if ($line =~ $ENDS) {
            my ($name, undef, @lines) = ($1, $2, $3, $4, $5);
            $record->($name, substr $lines[2], 0, $TAG)->{lines}{"@lines"} = \@lines;
        } elsif ($line =~ $PART) {
            my ($name, $tag, $number, $count, $letters) = ($1, $2, $3, $4, $5);
            my $it = $record->($name, $tag);
            $it->{count} = max($it->{count} // 0, $count);
            $it->{parts}{$number}{$letters} = 1;
        }
    }
    return @order;
}

# A record as { name, text }, or { name, why => it cannot be read }.
sub joined {
    my ($it) = @_;
    my $text = eval { _text_of($it) };
    return { name => $it->{name}, text => $text } if defined $text;
    chomp(my $why = $@);
    return { name => $it->{name}, why => $why };
}

# Dies with what is wrong, as the end of a sentence.
sub _text_of {
    my ($it) = @_;
    my @lines = values %{ $it->{lines} || {} };
    die "neither its first nor its last line is there\n"    if !@lines;
    die "its first and its last line do not say the same\n" if @lines > 1;
    my ($count, $bytes, $sum) = @{ $lines[0] };
    die 'it is ', Touchstone::Record::Largest::than($Touchstone::Record::Largest::RECORD), "\n"
        if $bytes > $Touchstone::Record::Largest::RECORD;
    die "its lines do not say the same of how many there are\n" if ($it->{count} // $count) != $count;
    my $missing = $count - grep { $_ >= 1 && $_ <= $count } keys %{ $it->{parts} };
    die plural($missing, "line of $count is", "lines of $count are") . " missing\n" if $missing;
    my $letters = join '', map { _whole($_, $it->{parts}{$_}) } 1 .. $count;
    my $text    = _inflated(decode_base64($letters), $bytes);
    die 'it has ' . length($text) . " bytes, and $bytes by its first line\n" if length $text != $bytes;
    die "its sum is wrong\n"                                                 if sha256_hex($text) ne $sum;
    return $text;
}

# The letters of a line, of all that were found: a writer that was killed leaves the beginning of one.
sub _whole {
    my ($number,  $entry)  = @_;
    my ($longest, @others) = sort { length $b <=> length $a } keys %$entry;
    die "its line $number is there twice with different contents\n"
        if grep { index($longest, $_) != 0 } @others;
    return $longest;
}

# The text of a stream; one that is longer than it says stops there.
sub _inflated {
    my ($stream, $bytes) = @_;
    _load_zlib();
    my $zlib = Compress::Zlib::inflateInit(-WindowBits => Compress::Zlib::WANT_GZIP())
        or die "zlib failed\n";
    my $text = '';
    while (length $stream) {
        my ($out, $status) = $zlib->inflate(my $piece = substr $stream, 0, $PIECE, '');
        $text .= $out // '';
        return $text                 if $status == Compress::Zlib::Z_STREAM_END() || length $text > $bytes;
        die "its data are damaged\n" if $status != Compress::Zlib::Z_OK();
    }
    die "its data end too early\n";
}

sub _load_zlib {
    return eval { require Compress::Zlib } || die $ZLIB;
}

1;
