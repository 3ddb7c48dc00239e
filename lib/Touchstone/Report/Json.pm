# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Json - the run with its results, as it is stored.
package Touchstone::Report::Json;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Document;
use Touchstone::Record::Json;

sub render {
    my ($model, $facts, $results) = @_;
    return Touchstone::Record::Json::encode(Touchstone::Record::Document::document($facts, $results));
}

1;
