# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Base64 - octets as letters and back, by Perl's own uuencoding with other letters: a minimal Perl may
# have no MIME::Base64. No `=` fills the end, because mail takes it for a mark.
package Touchstone::Record::Base64;
use 5.014;
use strict;
use warnings;

sub encoded {
    my ($octets) = @_;
    my $text     = join '', map { substr $_, 1 } split /\n/, pack 'u', $octets;
    $text =~ tr{` -_}{AA-Za-z0-9+/};
    return substr $text, 0, _ceiling(length($octets) * 4, 3);
}

# The octets of letters that encoded() makes; the caller has looked that there are no others.
sub decoded {
    my ($text) = @_;
    my $octets = int(length($text) * 3 / 4);
    $text =~ tr{A-Za-z0-9+/}{ -_};
    return substr unpack(
        'u',
        join '',
        map { chr(32 + _ceiling(length($_) * 3, 4)) . $_ . ' ' x (-length($_) % 4) . "\n" }
            $text =~ /(.{1,60})/gs
    ) // '', 0, $octets;
}

sub _ceiling { my ($all, $part) = @_; return int(($all + $part - 1) / $part) }

1;
