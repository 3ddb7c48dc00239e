# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Rollout::Trust - how far to believe what a roll-out is said to have done: which hosts count,
# which do not and why, the drift, and what would have been seen.
package Touchstone::Report::Fleet::Rollout::Trust;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Text qw(many named short);
use Touchstone::Fleet::Rollout::Facts;
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Fleet::Rollout::Headline;
use Touchstone::Stats::BeforeAfter;

# So many hosts are named, with so many letters.
my ($NAMED, $LETTERS) = (6, 60);

sub points {
    my ($found) = @_;
    return (_hosts($found), _drift($found), _limits($found), _unlike_measured($found),
        _apart($found), _lost($found), _damaged($found));
}

sub _hosts {
    my ($found) = @_;
    my $wave = $found->{wave};
    return
          many($found->{hosts}, 'host')
        . ' measured before and after ('
        . many(scalar @{ $found->{figures} }, 'figure')
        . ($wave ? " in wave $wave->{nth} of $wave->{of}" : '')
        . " need $found->{needed} or more)";
}

sub _drift {
    my ($found) = @_;
    return 'no control hosts: what the season did to all hosts counts as the change (--control LABEL)'
        if !defined $found->{control};
    my $drift = $found->{drift}
        or return "control: $found->{control}, " . many($found->{controls}, 'host') . ', drift not known';
    my @also = map { "$_->{thing} on $_->{controls}" }
        grep { $_->{controls} && $_->{hosts} } @{ $found->{changes} };
    return (
        "control: $found->{control}, "
            . many($found->{controls}, 'host')
            . ' drifted by '
            . Touchstone::Report::Compare::Verdict::difference($drift->{ratio})
            . ', which is taken off',
        @also ? 'control hosts changed, too: ' . _list(@also) : ()
    );
}

# What would have been seen.
sub _limits {
    my ($found) = @_;
    my @known = sort { $a->{limit} <=> $b->{limit} } grep { defined $_->{limit} } @{ $found->{figures} };
    return if !@known || $found->{hosts} < $found->{needed};
    my @ends = @known > 1 ? @known[ 0, -1 ] : @known;
    return
          'detection limit: '
        . join(' to ', map { part($_->{limit}) . ' (' . named($_) . ')' } @ends)
        . ', seen in four of five such roll-outs';
}

sub _unlike_measured {
    my ($found) = @_;
    my @how = grep { $Touchstone::Fleet::Rollout::Facts::OF_MEASURING{ $_->{thing} } } @{ $found->{changes} };
    return map {
        "the campaigns were not measured alike: $_->{thing} "
            . Touchstone::Report::Fleet::Rollout::Headline::from_to($_)
    } @how;
}

# Hosts that are not compared.
sub _apart {
    my ($found) = @_;
    my @said;
    push @said, 'only before: ' . _list(@{ $found->{only_before} }) if @{ $found->{only_before} };
    push @said, 'only after: ' . _list(@{ $found->{only_after} })   if @{ $found->{only_after} };
    push @said,
        'not paired, one machine under two names: '
        . _list(map { "$_->{before} is now $_->{after}" } @{ $found->{renamed} })
        if @{ $found->{renamed} };
    push @said, 'not paired, installed anew: ' . _list(@{ $found->{reinstalled} })
        if @{ $found->{reinstalled} };
    return (
        @said,
        _for_reasons('not compared',              @{ $found->{unlike} }),
        _for_reasons('left out, not a valid run', _at_once(@{ $found->{void} })),
        _missing($found->{missing})
    );
}

# What is said of a host before and after the change is said once.
sub _at_once {
    my (%when, %last);
    for my $void (@_) {
        my $key = "$void->{host}\n$void->{why}";
        push @{ $when{$key} }, $void->{when} if !grep { $_ eq $void->{when} } @{ $when{$key} };
        $last{$key} = $void;
    }
    return map { +{ %{ $last{$_} }, why => join(' and ', @{ $when{$_} }) . ": $last{$_}{why}" } }
        sort keys %last;
}

# A line for each reason.
sub _for_reasons {
    my ($what, @hosts) = @_;
    my %of;
    push @{ $of{ $_->{why} } }, $_->{host} for @hosts;
    return map { "$what: " . _list(@{ $of{$_} }) . ': ' . short($_, 2 * $LETTERS) } sort keys %of;
}

sub _missing {
    my ($missing) = @_;
    return if !$missing || !@{ $missing->{hosts} };
    return
          'expected after the change and not measured: '
        . _list(@{ $missing->{hosts} }) . ' ('
        . @{ $missing->{hosts} }
        . " of $missing->{expected}, "
        . ($missing->{allowed} ? part($missing->{allowed}) . ' allowed)' : 'none allowed)');
}

sub _lost {
    my ($found) = @_;
    my @left = map { named($_) } @{ $found->{left_out} };
    return (
        (
            map { named($_) . ' has no result after the change on ' . _list(@{ $_->{hosts} }) }
                @{ $found->{lost} }
        ),
        @left ? 'on fewer than half of the hosts, and left out: ' . _list(@left) : ()
    );
}

sub _damaged {
    my ($found) = @_;
    return map {
              "cannot be read: '"
            . short("$_->{file}", $LETTERS)
            . "' ($_->{when}): "
            . short($_->{why}, 2 * $LETTERS)
    } @{ $found->{damaged} || [] };
}

sub _list {
    return Touchstone::Report::Fleet::Rollout::Headline::list($NAMED, map { short($_, $LETTERS) } @_);
}

1;
