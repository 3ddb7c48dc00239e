# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Options - the command that places a result among others.
package Touchstone::Pack::Place::Options;
use 5.014;
use strict;
use warnings;

#<<< a row is a line
my @COMMANDS = (
    [ 'place [RUN]', 'place a run, a report or an index among others',
        module => 'Pack::Place::Command', formats => \&_formats, output => 'place', takes => ['copies'] ],
);
my @OPTIONS = (
    [ 'among FILE-OR-DIR', 'references', 'results to compare with; default published', for => ['place'] ],
    [ 'append-to FILE',    'file',       'append the run to a table of results',       for => ['place'] ],
);
#>>>

my %VALUES = (
    references => {
        is      => sub { length $_[0] && $_[0] !~ /[\x00-\x1f]/ },
        allowed => 'published, or the path of records, reports or a table',
        words   => ['published'],
        many    => 1
    }
);

# Only the command needs the forms of reports.
sub _formats {
    require Touchstone::Report::Forms;
    return Touchstone::Report::Forms::names('place');
}

sub options {
    return {
        headings => [ [ 'Compare', @OPTIONS ] ],
        commands => \@COMMANDS,
        values   => \%VALUES,
        statuses => [ [ 125 => 'place: there is nothing to compare with' ] ]
    };
}

1;
