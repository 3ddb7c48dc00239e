# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Tables - where the indexes of a run stand among published results:
#
#   { references => 'published', positions => [ those of Pack::Place::Position ] }
package Touchstone::Pack::Place::Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Pack::Place::Position;
use Touchstone::Pack::Place::Subject;
use Touchstone::Pack::Place::Table qw($PUBLISHED);

# Numbers of copies between one and one per CPU have no place.
sub tables {
    my ($facts, $results) = @_;
    my @placed = grep { !defined $_->{why} }
        map { Touchstone::Pack::Place::Position::of($_, Touchstone::Pack::Place::Table::read($PUBLISHED)) }
        Touchstone::Pack::Place::Subject::of_record($facts, $results);
    return @placed ? { references => 'published', positions => \@placed } : undef;
}

1;
