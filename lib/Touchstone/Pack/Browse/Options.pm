# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Options - the command browse, the page of all stored runs.
package Touchstone::Pack::Browse::Options;
use 5.014;
use strict;
use warnings;

sub options {
    return {
        commands => [
            [
                'browse',
                'make a page of all stored runs, results/index.html',
                module => 'Pack::Browse::Command'
            ]
        ],
        examples => [ [ 'browse', 'a page of all stored runs' ] ],
    };
}

1;
