# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Trouble - what ends a command: errors with their exit statuses, and signals. One rule holds for all
# statuses:
#
#   2     the words cannot be understood, or something that they name is not there or cannot be read
#   1     anything else that went wrong
#   125   the same as 1 of a command whose 1 means worse: compare, duet, --fail-on, fleet judge, place
#
# What dies is a text, or { exit => status, message => text }, which Cli::App tells.
package Touchstone::Base::Trouble;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(or_refuse refuse);

our ($TROUBLE, $USAGE, $INCONCLUSIVE) = (1, 2, 125);

# Dies because the words ask for what cannot be.
sub refuse { my (@text) = @_; die { exit => $USAGE, message => join '', @text } }

# Returns what `work` gives, which reads what the words name: a text of which it dies is such a refusal.
sub or_refuse {
    my ($work) = @_;
    my $list = wantarray;
    my @given;
    return $list  ? @given : $given[0] if eval { @given = $list ? $work->() : scalar $work->(); 1 };
    return ref $@ ? die $@ : refuse($@);
}

# What died, as { exit, message }.
sub as_trouble {
    my ($died) = @_;
    return ref $died eq 'HASH' ? {%$died} : { exit => $TROUBLE, message => $died };
}

# The same of a command that judges.
sub of_judge {
    my $trouble = as_trouble(@_);
    $trouble->{exit} = $INCONCLUSIVE if $trouble->{exit} == $TROUBLE;
    return $trouble;
}

# Signals that stop a run are noted, and the run asks for them where it can end in order.

our %SIGNAL = (INT => 2, TERM => 15, HUP => 1);

# Calls `work` with a sub that gives the name of the first such signal, or undef, and returns what `work`
# returns. Signals that were ignored when Run began, as nohup and cron arrange it, stay ignored. The reader
# of a pipe may go: writing then fails, and the run goes on.
sub with_stop_signals {
    my ($work) = @_;
    my $signal;
    local @SIG{ keys %SIGNAL } = map {
        my $name = $_;
        ($SIG{$name} // '') eq 'IGNORE' ? 'IGNORE' : sub { $signal //= $name }
    } keys %SIGNAL;
    local $SIG{PIPE} = 'IGNORE';
    return $work->(sub { $signal });
}

1;
