# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Builds - what the sets of one --build are, as parts of a page:
#
#   Build  Asked for  Compiler                       Run
#   o0     -O0        cc (Debian 12.2.0-14) 12.2.0   vm-2026-11-21-01
#   o2     -O2        cc (Debian 12.2.0-14) 12.2.0   vm-2026-11-21-02
package Touchstone::Report::Compare::Builds;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(short);

# A name or the flags of a build have at most this many letters.
my $LETTERS = 40;

sub parts {
    my ($comparison) = @_;
    my @rows;
    for my $i (0 .. $#{ $comparison->{builds} }) {
        my $build = $comparison->{builds}[$i];
        push @rows,
            [
            map { short($_, $LETTERS) } $build->{name},
            $build->{asked} =~ /\S/ ? $build->{asked} : 'no flags',
            $build->{compiler} // 'unknown',
            $comparison->{runs}[$i] =~ s/ \(\S*\)\z//r
            ];
    }
    return [
        table => {
            says => 'The builds',
            head => [ 'Build', 'Asked for', 'Compiler', 'Run' ],
            left => [ 0 .. 3 ],
            rows => \@rows
        }
    ];
}

1;
