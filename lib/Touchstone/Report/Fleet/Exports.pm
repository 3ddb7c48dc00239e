# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Exports - a judgement for scripts. Those that act on bad hosts need only the first lists:
#
#   { "bad": [ { "host": "web09", "host_id": "9f31c07d5a64b2e8", "group": 1, "slot": "hv02",
#                "ratio": 0.884, "interval": [0.871, 0.897], "figures": [ { "test": "pipe", "copies": 1, ... } ],
#                "reason": "k68-rollout: 0.884 of 29 others like it; all CPU tests ...", "remedy": "..." } ],
#     "suspects": [], "fast": [], "cleared": [], "inconclusive": [],
#     "missing": [ { "host": "web98", "what": "unreachable", "why": "no news" } ],
#     "status": 1, ... }
#
# docs/fleet.md explains the rest.
package Touchstone::Report::Fleet::Exports;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;
use Touchstone::Report::Fleet::Headline;
use Touchstone::Report::Fleet::Phrases qw(class conspicuous missing ratio);

my %LIST = (
    bad          => 'bad',
    suspects     => 'suspect',
    fast         => 'fast',
    cleared      => 'cleared',
    inconclusive => 'inconclusive'
);

# Texts under these keys are numbers.
my %NUMBER = map { $_ => 1 }
    qw(conflicts copies count difference ended expected group high hosts interval low median number p paired
    part q ratio received runs sd smallest status unpaired);
my $NUMBER = qr/\A-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\z/;

sub render { return Touchstone::Record::Json::encode(_numbered(data(@_), '')) }

sub _numbered {
    my ($is, $key) = @_;
    return { map { $_ => _numbered($is->{$_}, $_) } keys %$is }           if ref $is eq 'HASH';
    return [ map { _numbered($_, $key eq 'interval' ? $key : '') } @$is ] if ref $is eq 'ARRAY';
    return defined $is && $NUMBER{$key} && $is =~ $NUMBER ? $is + 0 : $is;
}

sub data {
    my ($judgement) = @_;
    my %of;
    for my $group (@{ $judgement->{groups} }) {
        push @{ $of{ class($_) } }, _named($judgement, $group, $_) for @{ $group->{hosts} };
    }
    my $standing = $judgement->{standing};
    return {
        format => 1,
        (map { $_ => $of{ $LIST{$_} } || [] } sort keys %LIST),
        campaign  => ($judgement->{campaign} || {})->{campaign},
        directory => $judgement->{directory},
        ended     => $judgement->{ended},
        status    => $judgement->{status},
        counts    => $judgement->{counts},
        smallest  => $judgement->{smallest},
        answer    => [ Touchstone::Report::Fleet::Headline::sentences($judgement) ],
        missing   => [ missing($judgement) ],
        standing  => $standing && {
            map {
                $_ => ref $standing->{$_} eq 'ARRAY' && $_ !~ /\A(?:refused|unexpected)\z/
                    ? scalar @{ $standing->{$_} }
                    : $standing->{$_}
            } keys %$standing
        },
        warnings      => $judgement->{warnings},
        passports     => $judgement->{passports},
        confirmations => $judgement->{confirmations},
        groups        => [ map { _group($_) } @{ $judgement->{groups} } ]
    };
}

# A host that stands out, with why in a line.
sub _named {
    my ($judgement, $group, $host) = @_;
    return {
        (map { $_ => $host->{$_} } qw(host host_id slot ratio interval verdict runs alone_in confirmed)),
        group     => $group->{number},
        signature => ($host->{signature} || {})->{id},
        remedy    => ($host->{signature} || {})->{remedy},
        reason    => reason($judgement, $group, $host),
        figures   => [
            map { +{ test => $_->[0]{name}, copies => $_->[0]{copies}, _two($_->[1]) } }
                conspicuous($group, $host)
        ]
    };
}

sub _two { my ($is) = @_; return (ratio => $is->{ratio}, interval => $is->{interval}) }

# "k68-rollout: 0.884 of 29 others like it; all CPU tests are slow: clock"
sub reason {
    my ($judgement, $group, $host) = @_;
    my $campaign = ($judgement->{campaign} || {})->{campaign};
    return
          (defined $campaign      ? "$campaign: "                     : '')
        . (defined $host->{ratio} ? ratio(@$host{qw(ratio interval)}) : 'unknown') . ' of '
        . (@{ $group->{hosts} } - 1)
        . ' others like it'
        . ($host->{signature} ? "; $host->{signature}{text}" : '');
}

sub _group {
    my ($group) = @_;
    return {
        (map { $_ => $group->{$_} } grep { $_ ne 'hosts' } keys %$group),
        hosts => [
            map {
                my $host = $_;
                +{
                    (
                        map { $_ => $host->{$_} }
                            qw(host host_id slot labels runs ratio interval p q verdict fast of_day disturbed
                            doubts confirmed)
                    ),
                    not_valid => $host->{void},
                    figures   =>
                        { map { $_ => { _two($host->{figures}{$_}) } } keys %{ $host->{figures} || {} } }
                }
            } @{ $group->{hosts} }
        ]
    };
}

1;
