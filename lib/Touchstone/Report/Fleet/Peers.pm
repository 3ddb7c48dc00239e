# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Peers - where a run stands among others of its kind (Fleet::Like) as text, Markdown, HTML,
# CSV or JSON. The answer comes first, then whether to trust it, then the figures:
#
#   web7 is slower than 34 of 41 like it: 17th percentile, 8 to 31 (system index, 1 copy)
#   out of line: fstime 0.62, fsbuffer 0.63 and fsdisk 0.61 times as fast as the middle of the others
#
#     Test      Compared  Percentile  95 % interval    The others  Verdict
#     fsdisk      0.61 ×         1st        0 to 7  0.97 to 1.03 ×  out of line
package Touchstone::Report::Fleet::Peers;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(named);
use Touchstone::Report::Fleet::Forms;
use Touchstone::Report::Fleet::Peers::Headline;
use Touchstone::Report::Fleet::Peers::Tables;
use Touchstone::Report::Fleet::Peers::Trust;
use Touchstone::Report::Fleet::Lines;

# `ascii`: the reader of a text has no other signs.
sub written {
    my ($found, $format, %how) = @_;
    return Touchstone::Report::Fleet::Forms::written(
        $found, $format, %how,
        called    => 'a run among others',
        title     => sub { "$_[0]{run}{called} among others" },
        heading   => sub { $_[0] },
        sentences => \&Touchstone::Report::Fleet::Peers::Headline::sentences,
        parts     => \&_parts,
        rows      => \&_rows
    );
}

sub _picture {
    my ($found) = @_;
    return Touchstone::Report::Fleet::Lines::picture(
        'This run (a diamond) among the others (dots), compared with their middle',
        map { +{ %$_, name => named($_), class => $_->{far} ? ($_->{ratio} < 1 ? 'bad' : 'good') : undef } }
            @{ $found->{indexes} },
        @{ $found->{figures} }
    );
}

sub _parts {
    my ($found, %how) = @_;
    return (
        [ points => Touchstone::Report::Fleet::Peers::Trust::points($found) ],
        $how{pages} ? _picture($found) : (),
        Touchstone::Report::Fleet::Peers::Tables::parts($found)
    );
}

my @COLUMNS = qw(what name copies suite below of percentile low high ratio least greatest p out_of_line);

sub _rows {
    my ($found) = @_;
    return (
        \@COLUMNS,
        (map { [ 'index', _row({ %$_, suite => '' }) ] } @{ $found->{indexes} }),
        map { [ 'test', _row($_) ] } @{ $found->{figures} }
    );
}

sub _row {
    my ($place) = @_;
    my $far = $place->{far};
    return (
        @$place{qw(name copies suite below of percentile low high ratio)},
        @{ $place->{spread} },
        $place->{p}, !defined $far ? '' : $far ? 'yes' : 'no'
    );
}

1;
