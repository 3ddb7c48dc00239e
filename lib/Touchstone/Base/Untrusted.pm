# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Untrusted - figures and words of a record or a table that a stranger may have written: within limits,
# or undef.
package Touchstone::Base::Untrusted;
use 5.014;
use strict;
use warnings;

use Scalar::Util qw(looks_like_number);

use Touchstone::Base::Text;

sub hash { my ($value) = @_; return ref $value eq 'HASH' ? $value : {} }

sub list { my ($value) = @_; return ref $value eq 'ARRAY' ? @$value : () }

sub hashes {
    my ($value) = @_;
    return grep { ref $_ eq 'HASH' } list($value);
}

# Returns a number within `limits`, which are the least and the most, or a list of both.
sub number {
    my ($value, @limits) = @_;
    my ($least, $most)   = ref $limits[0] ? @{ $limits[0] } : @limits;
    return
           defined $value
        && !ref $value
        && looks_like_number($value)
        && $value >= $least
        && $value <= $most ? 0 + $value : undef;
}

sub word { my ($value) = @_; return defined $value && !ref $value ? $value : '' }

# Returns a text that is fit for a line and has at most `most` letters; undef if it would be empty.
sub text {
    my ($value, $most) = @_;
    my $text = join ' ', split ' ', Touchstone::Base::Text::plain(word($value));
    return length $text ? Touchstone::Base::Text::short($text, $most) : undef;
}

1;
