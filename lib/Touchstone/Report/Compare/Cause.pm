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
use Touchstone::Compare::Cause;
use Touchstone::Report::Compare::Verdict qw(label);

# So many facts are named.
my $NAMED = 4;

sub parts {
    my ($pair, $differences) = @_;
    my $cause = $pair->{cause} or return;
    return map {
        my $form  = $_;
        my @names = map { label({ name => $_ }, $form) } @{ $cause->{tests} };
        [ in => [$form], [ text => join ' ', sentences($cause, $differences, @names) ] ]
    } qw(text markdown html);
}

# The sentences, with the names that tests have in a report.
sub sentences {
    my ($cause, $differences, @names) = @_;
    return if !$cause;
    my @facts = @{ $cause->{facts} };
    my $facts =
        @facts
        ? 'Facts that would explain this: ' . list_and_more($NAMED, @facts) . '.'
        : 'No recorded fact would explain this.';
    my $is_known = @names && @{ $differences || [] };
    return (ucfirst(Touchstone::Compare::Cause::sentence($cause, @names)) . '.', $is_known ? $facts : ());
}

1;
