# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Options - --browse, the page of all stored runs.
package Touchstone::Pack::Browse::Options;
use 5.014;
use strict;
use warnings;

my %BROWSE = (module => 'Pack::Browse::Command', takes => 'no words');

sub options {
    return {
        headings => [
            [
                'Reports',
                [
                    'browse', undef, 'make a page of all stored runs, results/index.html', verb => \%BROWSE
                ]
            ]
        ],
        examples => [ [ '--browse', 'a page of all stored runs' ] ],
    };
}

1;
