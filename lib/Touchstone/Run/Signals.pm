# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Signals - the signals that stop a run: they are noted, and the run asks for them where it can end in
# order.
package Touchstone::Run::Signals;
use 5.014;
use strict;
use warnings;

our %NUMBER = (INT => 2, TERM => 15, HUP => 1);

# Calls `work` with a sub that gives the name of the first such signal, or undef, and returns what `work`
# returns. Signals that were ignored when Run began, as nohup and cron arrange it, stay ignored. The reader
# of a pipe may go: writing then fails, and the run goes on.
sub heeding {
    my ($work) = @_;
    my $signal;
    local @SIG{ keys %NUMBER } = map {
        my $name = $_;
        ($SIG{$name} // '') eq 'IGNORE' ? 'IGNORE' : sub { $signal //= $name }
    } keys %NUMBER;
    local $SIG{PIPE} = 'IGNORE';
    return $work->(sub { $signal });
}

1;
