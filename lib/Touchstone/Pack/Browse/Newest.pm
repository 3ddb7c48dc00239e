# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Newest - the newest run of each host, test by test: the scores of a chosen host, and by how
# much the others differ. Without a script the chosen host is the slowest.
package Touchstone::Pack::Browse::Newest;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH $PLUS_MINUS);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::Phrases qw(difference figure_data half is_noise label shown value);
use Touchstone::Suite;

# A table with more hosts would be wider than a page.
my $SHEET = 8;

# Differences from these are shaded, the larger the darker.
my @SHADES = (0, 0.05, 0.15, 0.3);

# The model has ranking, and chosen: the host that others are compared with.
sub parts {
    my ($model) = @_;
    my @tests = grep { @{ $_->{hosts} } > 1 } @{ $model->{ranking}{tests} } or return;
    my (%seen, %suites);
    $suites{ $_->{suite} }++ for @tests;
    my @parts;
    for my $part (@tests) {
        my $words =
            'Scores with ' . copies($part->{copies}) . (keys %suites > 1 ? ', ' . shown($part->{suite}) : '');
        my @tables = map { [ table => _table($model, $part, $words, @$_) ] } _sheets($#{ $part->{hosts} });
        my $block  = [ block => { class => 'part' }, @tables ];
        push @parts, $seen{ $part->{suite} }++ ? [ fold => $words, $block ] : $block;
    }
    my $chosen = { text => shown($model->{chosen}), class => 'chosen' };
    return [
        section =>
            { class => 'newest', id => 'newest', title => [ 'Newest run of each host, against ', $chosen ] },
        @parts,
        [ text => { text => _how(map { @{ $_->{rows} } } @tests), class => 'dim' } ]
    ];
}

# [first, last] of the hosts of each table.
sub _sheets {
    my ($last) = @_;
    return map { [ $_, $_ + $SHEET - 1 < $last ? $_ + $SHEET - 1 : $last ] }
        grep { $_ % $SHEET == 0 } 0 .. $last;
}

sub _how {
    my (@rows) = @_;
    my $spread =
        (grep { defined $_->{spread} } @rows)
        ? 'Run to run: so much do two runs of one host in a row differ, 19 times in 20; only larger differences are'
        . ' shaded: green is faster, red is slower.'
        : 'Too few runs tell how much those of one host differ: repeat some before you believe a small difference.';
    return "+ is faster; $PLUS_MINUS is half of the 95 % interval, from the passes of both runs. $spread";
}

sub _table {
    my ($model, $part, $words, $from, $to) = @_;
    my @hosts = @{ $part->{hosts} };
    my ($chosen) = grep { $hosts[$_]{name} eq $model->{chosen} } 0 .. $#hosts;
    $chosen //= 0;
    my $which =
        $to - $from < $#hosts
        ? sprintf ', hosts %d to %d of %d', $from + 1, $to + 1, scalar @hosts
        : '';
    my @columns = map {
        my $i    = $_;
        my $name = $hosts[$i]{name};
        {
            title => { text => { text => shown($name), data => { name => $model->{which}{$name} } } },
            cell  =>
                sub { _figure($_[0]{cells}[$i], $_[0]{cells}[$chosen], $i == $chosen, $_[0]{spread} // 0) }
        }
    } $from .. $to;
    return {
        caption => $words . $which,
        columns => [
            { title => 'Test', cell => sub { shown(label({ unit => '', %{ $_[0] } })) } },
            @columns,
            {
                title => 'Run to run',
                if    => sub {
                    return scalar grep { defined $_->{spread} } @_;
                },
                cell => \&_spread
            }
        ],
        rows  => [ _grouped(@{ $part->{rows} }) ],
        class => 'pinned'
    };
}

sub _spread {
    my ($row) = @_;
    my $spread = $row->{spread};
    return { text => defined $spread ? half($spread) . ' %' : '', key => $spread // '' };
}

# Rows with the kinds of tests between them, where there are several.
sub _grouped {
    my (@rows) = @_;
    my (@kinds, %of);
    for my $row (@rows) {
        my $kind = Touchstone::Suite::shown($row->{name})->{kind} // 'Other';
        push @kinds,          $kind if !$of{$kind};
        push @{ $of{$kind} }, $row;
    }
    return @rows if @kinds < 2;
    return map { ({ group => shown($_) }, @{ $of{$_} }) } @kinds;
}

# The script makes the text again from score and half the interval.
sub _figure {
    my ($one, $chosen, $is_chosen, $spread) = @_;
    return { text => $DASH, key => '' } if !$one;
    my $score = value($one, @$one{qw(score interval)});
    my ($ratio, $error) = Touchstone::Pack::Browse::Ranking::against($one, $chosen);
    my %data = (
        figure_data($one),
        shown => $score,
        less  => is_lower_better($one) ? 1 : undef,
        kind  => $one->{kind} || undef
    );
    return { text => { text => $score, class => 'other', data => \%data }, key => $one->{score} }
        if $is_chosen || !defined $ratio;
    my $class = is_noise($ratio, $error, $spread) ? 'even' : _shade($ratio);
    return {
        text => { text => [ difference($ratio, $error) ], class => $class, data => \%data },
        key  => sprintf '%.5g',
        $ratio
    };
}

sub _shade {
    my ($ratio) = @_;
    my $apart   = abs log $ratio;
    my $shade   = grep { $apart >= $_ } @SHADES;
    return ($ratio > 1 ? 'up' : 'down') . $shade;
}

1;
