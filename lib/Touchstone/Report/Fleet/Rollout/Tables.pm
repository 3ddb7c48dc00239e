# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Rollout::Tables - the figures of a roll-out, its groups of hosts, hosts that changed unlike
# the others, and the facts that changed, as tables of Report::Document.
package Touchstone::Report::Fleet::Rollout::Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(named short);
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Fleet::Rollout::Headline;
use Touchstone::Stats::BeforeAfter;

# A name has so many letters; a page folds more changes than these.
my ($LETTERS, $CHANGES) = (40, 12);

sub parts {
    my ($found, %how) = @_;
    return (_figures($found), _worst($found), _groups($found), _moved($found), _changes($found, %how));
}

sub _figures {
    my ($found) = @_;
    my @rows = map { _row($found, $_, named($_)) } @{ $found->{figures} } or return;
    push @rows, _row($found, $found->{all}, 'all figures') if $found->{all} && @rows > 1;
    return [
        table => {
            caption => 'Figures, the slowest first',
            head    => [ 'Figure', 'Change', '95 % interval', 'Verdict', 'Can hide', 'Limit', 'p', 'Hosts' ],
            left    => [ 0, 3 ],
            spare   => [7],
            rows    => \@rows
        }
    ];
}

# What can hide matters where no slow-down is proven.
sub _row {
    my ($found, $figure,   $name)    = @_;
    my ($ratio, $interval, $verdict) = @$figure{qw(ratio interval verdict)};
    my $is_worse = $verdict eq $Touchstone::Stats::BeforeAfter::WORSE;
    return [
        short($name, $LETTERS),
        Touchstone::Report::Compare::Verdict::difference($ratio, $interval),
        Touchstone::Report::Compare::Verdict::limits($ratio, $interval),
        $verdict,
        defined $figure->{hides} && !$is_worse ? part($figure->{hides}) : $DASH,
        defined $figure->{limit}               ? part($figure->{limit}) : $DASH,
        defined $figure->{p}                   ? _chance($figure->{p})  : $DASH,
        $figure->{hosts} == $found->{hosts}    ? ''                     : $figure->{hosts}
    ];
}

# Nobody needs to know how small a chance is beyond that.
sub _chance { my ($p) = @_; return $p < 1e-4 ? '<0.0001' : sprintf '%.3g', $p }

# The hosts on which what is worse is worst.
sub _worst {
    my ($found) = @_;
    my @worse =
        Touchstone::Report::Fleet::Rollout::Headline::of_verdict($found,
        $Touchstone::Stats::BeforeAfter::WORSE)
        or return;
    return [
        table => {
            caption => 'Where worse figures are slowest',
            head    => [ 'Figure', 'Hosts' ],
            left    => [ 0,        1 ],
            rows    => [
                map {
                    [ named($_), join ', ', map { _host($_) } @{ $_->{worst} } ]
                } @worse
            ]
        }
    ];
}

sub _host {
    my ($host) = @_;
    return short($host->{host}, $LETTERS) . ' '
        . Touchstone::Report::Compare::Verdict::difference($host->{ratio});
}

sub _groups {
    my ($found) = @_;
    my @groups = @{ $found->{groups} };
    return if @groups < 2;
    my $differ = $found->{differ};
    my $said =
        !$differ
        ? 'too few hosts to say whether they differ'
        : sprintf '%s (p %.3g)',
        $differ->{p} <= $Touchstone::Stats::BeforeAfter::LEVEL ? 'they differ' : 'no difference is proven',
        $differ->{p};
    return [
        table => {
            caption => "Groups of hosts, all figures together: $said",
            head    => [ 'Group', 'Hosts', 'Change', '95 % interval' ],
            rows    => [
                map {
                    [
                        short($_->{title}, 2 * $LETTERS),
                        $_->{hosts},
                        Touchstone::Report::Compare::Verdict::difference(@$_{qw(ratio interval)}),
                        Touchstone::Report::Compare::Verdict::limits(@$_{qw(ratio interval)})
                    ]
                } @groups
            ]
        }
    ];
}

sub _moved {
    my ($found) = @_;
    return if !@{ $found->{moved} };
    return [
        table => {
            caption => 'Hosts that changed unlike the others',
            head    => [ 'Host', 'Compared with the others', 'Most in' ],
            left    => [ 0, 2 ],
            rows    => [
                map {
                    my @most = map {
                        named($_) . ' ' . Touchstone::Report::Compare::Verdict::difference($_->{ratio})
                    } @{ $_->{figures} };
                    [
                        short($_->{host}, $LETTERS),
                        Touchstone::Report::Compare::Verdict::difference($_->{ratio}),
                        Touchstone::Report::Fleet::Rollout::Headline::list(3, @most)
                    ]
                } @{ $found->{moved} }
            ]
        }
    ];
}

sub _changes {
    my ($found, %how) = @_;
    my @changes = @{ $found->{changes} } or return;
    my $shown   = $how{pages} || @changes <= $CHANGES ? @changes : $CHANGES;
    my $more    = @changes - $shown;
    my @table   = (
        table => {
            caption => 'Facts that changed' . ($more ? " (the first $shown of " . @changes . ')' : ''),
            head    => [ 'Fact', 'Before', 'After', 'Hosts', 'Control hosts' ],
            left    => [ 0, 1, 2 ],
            spare   => [4],
            rows    => [
                map {
                    [
                        $_->{thing},
                        short($_->{from}, $LETTERS),
                        short($_->{to},   $LETTERS),
                        "$_->{hosts} of $found->{hosts}",
                        $found->{controls} ? "$_->{controls} of $found->{controls}" : ''
                    ]
                } @changes[ 0 .. $shown - 1 ]
            ]
        }
    );
    return @changes > $CHANGES ? [ fold => 'Facts that changed', [@table] ] : [@table];
}

1;
