# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Conditions - what the tests of the platform worked on, where runs are
# compared.
package Touchstone::Suite::Platform::Conditions;
use 5.014;
use strict;
use warnings;

# So many letters of a SHA-256 tell it from all others.
my $ENOUGH = 16;

sub facts_that_differ {
    return (
        [
            'input of the compressors' => 'e input file',
            { fact => 'e input bytes',  word => 'bytes' },
            { fact => 'e input sha256', word => 'SHA-256', letters => $ENOUGH }
        ],
        [ 'zstd'               => 'e input library' ],
        [ 'data of the hashes' => 'e data bytes' ],
        [ 'libcrypto'          => 'e data libcrypto' ],
        [ 'input channel'      => 'e channel kind' ],
        map { [ $_ => "e places $_", { fact => "e places ${_}_fs", word => 'file system' } ] }
            qw(medium depot)
    );
}

# Another input is another amount of work.
my %DECIDES = (input => [ input => 'sha256' ], data => [ 'size of the data' => 'bytes' ]);

sub conditions {
    my ($record, $row) = @_;
    my $kind = $row->{requires} // '';
    my ($what, $fact) = @{ $DECIDES{$kind} || return {} };
    return { $what => (($record->{equipment} || {})->{$kind} || {})->{$fact} };
}

1;
