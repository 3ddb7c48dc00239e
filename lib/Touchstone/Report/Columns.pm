# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Columns - the figures of a test, described once for all forms.
package Touchstone::Report::Columns;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part shown spelled);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Report::Document qw(number);

# title        the head of the column
# cell, foot   what a page shows of a row of the model, which has that of the results as `exact`, and of an
#              index; tests in seconds are shown in several units, so columns sort by the exact figure
# if           whether a table needs the column
my @COLUMNS = (
    {
        title => 'Score',
        cell  => sub { { text => _figure($_[0], $_[0]{score}), key => $_[0]{exact}{score} } },
        foot  => sub { _figure($_[0], $_[0]{score}) }
    },
    {
        title => 'Unit',
        left  => 1,
        cell  => sub {
            [
                spelled($_[0]{unit}),
                is_lower_better($_[0]) ? (' ', { text => 'less is better', as => 'small' }) : ()
            ];
        }
    },
    {
        title => '95 % interval',
        cell  => sub { { text => _limits($_[0]), key => ($_[0]{exact}{interval} || [''])->[0] } },
        foot  => \&_limits,
        if    => sub {
            grep { $_->{interval} } @_;
        }
    },
    {
        title => 'CV',
        cell  => sub { defined $_[0]{cv} ? [ { text => part($_[0]{cv}), unbroken => 1 } ] : $DASH },
        if    => sub {
            grep { defined $_->{cv} } @_;
        }
    },
    { title => 'Passes', cell => sub { $_[0]{passes} } },
    {
        title => 'Disturbed',
        cell  => sub { $_[0]{disturbed} || '0' },
        foot  => sub { $_[0]{disturbed} || '0' },
        if    => sub {
            grep { $_->{disturbed} } @_;
        }
    },
    {
        title => 'Undisturbed only',
        cell  => sub { { text => _undisturbed($_[0]), key => $_[0]{exact}{clean_score} // '' } },
        foot  => \&_undisturbed,
        if    => sub {
            grep { defined $_->{clean_score} } @_;
        }
    },
    {
        title => 'Outliers',
        cell  => sub { scalar @{ $_[0]{outliers} } },
        if    => sub {
            grep { @{ $_->{outliers} } } @_;
        }
    },
);

# A narrow screen shows the first columns of a page, up to the unit, at first.
my $ALWAYS = 2;

sub of_page {
    return map {
        { %{ $COLUMNS[$_] }, more => $_ >= $ALWAYS }
    } 0 .. $#COLUMNS;
}

sub _figure {
    my ($row, $figure) = @_;
    return [ number(shown($figure, @$row{qw(interval places)})) ];
}

# Paper is narrow, so the second limit may go below the first, but no other break is allowed.
sub _limits {
    my ($row) = @_;
    my ($low, $high) = map { number(shown($_, $row->{interval})) } @{ $row->{interval} || [] };
    return $low ? [ $low, " $DASH", { text => ' ', unbroken => 1 }, $high ] : $DASH;
}

sub _undisturbed {
    my ($row) = @_;
    return _figure($row, $row->{clean_score}) if defined $row->{clean_score};
    return $row->{disturbed} ? $DASH : '';
}

1;
