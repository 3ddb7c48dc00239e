# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Gzip - the text of a record that may be compressed. What comes out is limited: a few bytes can
# stand for gigabytes.
package Touchstone::Record::Gzip;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Largest;

my $MAGIC = "\x1f\x8b";
my $PIECE = 1_000_000;

sub is { my ($octets) = @_; return substr($octets, 0, length $MAGIC) eq $MAGIC }

# Returns a text as it is, or what it was compressed from. Dies with the cause.
sub inflated {
    my ($octets) = @_;
    return $octets if !is($octets);
    eval { require IO::Uncompress::Gunzip } or die "this Perl cannot read gzip\ninstall the package perl\n";
    my $in = IO::Uncompress::Gunzip->new(\$octets, MultiStream => 1, Transparent => 0)
        or die "it is damaged gzip\n";
    my $text = '';
    while (1) {
        my $got = $in->read(my $piece, $PIECE);
        die "its gzip is damaged or cut short\n" if $got < 0;
        last                                     if !$got;
        $text .= $piece;
        die 'it is ', Touchstone::Record::Largest::than($Touchstone::Record::Largest::RECORD), "\n"
            if length $text > $Touchstone::Record::Largest::RECORD;
    }
    die "its gzip is damaged or cut short\n" if !$in->eof || $in->error;
    return $text;
}

1;
