# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Options - the words of the command line that choose what the platform's tests work on.
package Touchstone::Suite::Platform::Options;
use 5.014;
use strict;
use warnings;

# Limits of a size in bytes. K, M and G are 10^3, 10^6 and 10^9, as the makers of disks have them.
my %SIZE = (least => 1e3, most => 9999e9);

sub options {
    return {
        table => [
            [ 'input FILE',     'file',    'compress this instead of 1,048,000 random bytes' ],
            [ 'hash-size SIZE', 'size',    'bytes to hash, such as 3G (default: 100M)' ],
            [ 'channel LINE',   'channel', 'line of the input channel: pty, sockets, or DEV,DEV' ],
            [ 'medium DIR',     'place',   'where file transfers begin, such as a USB stick' ],
            [ 'depot DIR',      'place',   'where file transfers end, such as a 9P mount' ],
        ],
        values => {
            size => {
                is => sub {
                    my $bytes = _bytes($_[0]);
                    defined $bytes && $bytes >= $SIZE{least} && $bytes <= $SIZE{most};
                },
                allowed => 'a size from 1K to 9999G such as 100M or 3G',
                as      => \&_bytes
            },
            channel => {
                is      => \&_is_channel,
                allowed => 'pty, sockets, or two devices such as /dev/ttyS0,/dev/ttyS1',
                words   => [qw(pty sockets)]
            },
        },
    };
}

my %BYTES = (K => 1e3, M => 1e6, G => 1e9);

sub _bytes {
    return $_[0] =~ /\A(\d{1,13}(?:\.\d{1,6})?)(?:([KMG])B?)?\z/ ? int $1 * ($2 ? $BYTES{$2} : 1) : undef;
}

# A comma separates two devices: one with a comma in its name cannot be named.
sub _is_channel { return $_[0] =~ /\A(?:pty|sockets|[^,\x00-\x1f]{1,1000},[^,\x00-\x1f]{1,1000})\z/ }

1;
