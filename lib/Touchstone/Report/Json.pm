# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Json - the record with its results, as it is stored.
package Touchstone::Report::Json;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;

sub render {
    my ($model, $record) = @_;
    return Touchstone::Record::Json::encode($record);
}

1;
