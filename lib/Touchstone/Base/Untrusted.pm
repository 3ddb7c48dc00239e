# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Untrusted - figures and words of a record or a table that a stranger may have written: within limits,
# or undef.
package Touchstone::Base::Untrusted;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Scalar::Util qw(looks_like_number);

use Touchstone::Base::Text qw(plain short);

our @EXPORT_OK = qw(as_hash as_hashes as_list as_number as_text as_word);

sub as_hash { my ($value) = @_; return ref $value eq 'HASH' ? $value : {} }

sub as_list { my ($value) = @_; return ref $value eq 'ARRAY' ? @$value : () }

sub as_hashes {
    my ($value) = @_;
    return grep { ref $_ eq 'HASH' } as_list($value);
}

# Returns a number within `limits`, which are the least and the most, or a list of both.
sub as_number {
    my ($value, @limits) = @_;
    my ($least, $most)   = ref $limits[0] ? @{ $limits[0] } : @limits;
    return
           defined $value
        && !ref $value
        && looks_like_number($value)
        && $value >= $least
        && $value <= $most ? 0 + $value : undef;
}

sub as_word { my ($value) = @_; return defined $value && !ref $value ? $value : '' }

# Returns a text that is fit for a line and has at most `most` letters; undef if it would be empty.
sub as_text {
    my ($value, $most) = @_;
    my $text = join ' ', split ' ', plain(as_word($value));
    return length $text ? short($text, $most) : undef;
}

1;
