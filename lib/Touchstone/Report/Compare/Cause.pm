# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Cause - the cause of the differences of a pair as one sentence, and the facts that would
# explain it:
#
#   Only system calls are slower (null-call, syscall and pipe: 0.45 times as fast; mostly kernel time):
#   mitigations or seccomp. Facts that would explain this: seccomp.
package Touchstone::Report::Compare::Cause;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(list_and_more);

# So many facts are named.
my $NAMED = 4;

sub parts {
    my ($pair, $differences) = @_;
    my @sentences = sentences($pair->{cause}, $differences) or return;
    return [ text => @sentences ];
}

sub sentences {
    my ($cause, $differences) = @_;
    return if !$cause;
    my @facts = @{ $cause->{facts} };
    my $facts =
        @facts
        ? 'Facts that would explain this: ' . list_and_more($NAMED, @facts) . '.'
        : 'No recorded fact would explain this.';
    my $is_known = @{ $cause->{tests} } && @{ $differences || [] };
    return (ucfirst "$cause->{text}.", $is_known ? $facts : ());
}

1;
