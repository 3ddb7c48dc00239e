# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Frozen - values that cannot be changed any more, so that one stage of a run cannot edit what another
# returned.
package Touchstone::Base::Frozen;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(frozen);

# Returns the value after it has made all its texts, numbers and lists read-only, at every depth. Objects and
# subs in it stay as they are. A hash can still get new keys: a locked one would refuse to be asked for a key
# that it lacks.
sub frozen {
    my ($value) = @_;
    my $kind = ref $value;
    if    ($kind eq 'HASH') { _freeze($_) for values %$value }
    elsif ($kind eq 'ARRAY') {
        _freeze($_) for @$value;
        Internals::SvREADONLY(@$value, 1);
    }
    return $value;
}

sub _freeze {
    frozen($_[0]);
    Internals::SvREADONLY($_[0], 1);
    return;
}

1;
