# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Options - the command check, and the keys of its record.
package Touchstone::Pack::Check::Options;
use 5.014;
use strict;
use warnings;

#<<< a row is a line
my @COMMANDS = (
    [ 'check [RUN]', 'check a rented machine, or show a stored check',
        module => 'Pack::Check::Command', formats => \&_formats, output => 'a check',
        takes  => [qw(seed dry-run quiet)], hint => 'compare takes several checks' ],
);
#>>>

# version: of the choice of tests; the others are facts that no other record has.
my %KEYS = (
    'check?' => {
        version           => 'few',
        'distribution?'   => 'text',
        'cloud?'          => 'text',
        'work_directory?' => 'text',
    }
);

# Only the command needs the forms of reports.
sub _formats {
    require Touchstone::Report::Forms;
    return Touchstone::Report::Forms::names('check');
}

sub options {
    return { commands => \@COMMANDS, keys => \%KEYS };
}

sub asked {
    my ($options) = @_;
    return $options->{check} ? { check => $options->{check} } : {};
}

1;
