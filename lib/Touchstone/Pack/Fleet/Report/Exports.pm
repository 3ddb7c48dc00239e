# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Exports - a judgement for programs.
#
# data() is for JSON. Scripts that act on bad hosts need only the first lists:
#
#   { "bad": [ { "host": "web09", "host_id": "9f31c07d5a64b2e8", "group": 1, "slot": "hv02",
#                "ratio": 0.884, "interval": [0.871, 0.897], "figures": [ { "test": "pipe", "copies": 1, ... } ],
#                "reason": "k68-rollout: 0.884 of 29 others like it; all CPU tests ...", "remedy": "..." } ],
#     "suspects": [], "fast": [], "cleared": [], "inconclusive": [],
#     "missing": [ { "host": "web98", "what": "unreachable", "why": "no news" } ],
#     "status": 1, ... }
#
# docs/fleet.md explains the rest.
#
# rows() are for CSV, one for each host and figure, and one for the mean of all figures:
#
#   group,host,host_id,slot,runs,figure,copies,suite,ratio,low,high,p,far,verdict,fast,disturbed_percent,passport
#   1,web09,9f31c07d5a64b2e8,hv02,1,mean,,,0.9006,0.8889,0.9123,0.0002,,bad,no,1.4,9c1f31d07d5a64b2
#
# verdicts() is for health checks, which must end within milliseconds: a line per host with the verdict, the
# campaign, when its newest record ended (seconds since 1970), and the name of the host, which may contain
# blanks:
#
#   bad k68-rollout 1795317005 web09
#   good k68-rollout 1795317005 web10
#
# A host without a line is missing or was not judged. Fast and cleared ones are good, and one that new runs
# left inconclusive is still suspect.
package Touchstone::Pack::Fleet::Report::Exports;
use 5.014;
use strict;
use warnings;

use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::Phrases qw(class outstanding_hosts missing ratio);

my %LIST = (suspects => 'suspect', map { $_ => $_ } qw(bad fast cleared inconclusive));

# Texts under these keys are numbers.
my %NUMBER = map { $_ => 1 }
    qw(conflicts copies count difference ended expected group high hosts interval low median number p paired
    part q ratio received runs sd smallest status unpaired);
my $NUMBER = qr/\A-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\z/;

sub _numbered {
    my ($value, $key) = @_;
    return { map { $_ => _numbered($value->{$_}, $_) } keys %$value }        if ref $value eq 'HASH';
    return [ map { _numbered($_, $key eq 'interval' ? $key : '') } @$value ] if ref $value eq 'ARRAY';
    return defined $value && $NUMBER{$key} && $value =~ $NUMBER ? $value + 0 : $value;
}

sub data { return _numbered(_data(@_), '') }

sub _data {
    my ($judgement) = @_;
    my %of;
    for my $group (@{ $judgement->{groups} }) {
        push @{ $of{ class($_) } }, _named($judgement, $group, $_) for @{ $group->{hosts} };
    }
    my $standing = $judgement->{standing};
    return {
        format => 1,
        (map { $_ => $of{ $LIST{$_} } || [] } sort keys %LIST),
        _picked($judgement, qw(directory ended status counts smallest warnings passports confirmations)),
        campaign => ($judgement->{campaign} || {})->{campaign},
        answer   => [ Touchstone::Pack::Fleet::Report::Headline::sentences($judgement) ],
        missing  => [ missing($judgement) ],
        standing => $standing && { map { $_ => _counted($_, $standing->{$_}) } keys %$standing },
        groups   => [ map { _group($_) } @{ $judgement->{groups} } ]
    };
}

sub _picked {
    my ($result, @keys) = @_;
    return map { $_ => $result->{$_} } @keys;
}

# Hosts are counted, and files have their names and reasons.
sub _counted {
    my ($key, $value) = @_;
    return ref $value eq 'ARRAY' && $key !~ /\A(?:refused|unexpected)\z/ ? scalar @$value : $value;
}

# A host that stands out, with why in a line.
sub _named {
    my ($judgement, $group, $host) = @_;
    my $signature = $host->{signature} || {};
    my @figures   = map {
        my ($figure, $result) = @$_;
        +{ test => $figure->{name}, copies => $figure->{copies}, _picked($result, qw(ratio interval)) }
    } outstanding_hosts($group, $host);
    return {
        _picked($host, qw(host host_id slot ratio interval verdict runs unique_facts confirmed)),
        group     => $group->{number},
        signature => $signature->{id},
        remedy    => $signature->{remedy},
        reason    => _reason($judgement, $group, $host),
        figures   => \@figures
    };
}

# "k68-rollout: 0.884 of 29 others like it; all CPU tests are slow: clock"
sub _reason {
    my ($judgement, $group, $host) = @_;
    my $campaign = ($judgement->{campaign} || {})->{campaign};
    my $text     = defined $host->{ratio} ? ratio($host) : 'unknown';
    my $others   = @{ $group->{hosts} } - 1;
    return join '', defined $campaign ? "$campaign: " : (), "$text of $others others like it",
        $host->{signature} ? "; $host->{signature}{text}" : ();
}

sub _group {
    my ($group) = @_;
    return { %$group, hosts => [ map { _host($_) } @{ $group->{hosts} } ] };
}

my @OF_HOST = qw(host host_id slot labels runs ratio interval p q verdict fast of_day disturbed doubts
    confirmed);

sub _host {
    my ($host) = @_;
    my $figures = $host->{figures} || {};
    return {
        _picked($host, @OF_HOST),
        not_valid => $host->{invalid},
        figures   => { map { $_ => { _picked($figures->{$_}, qw(ratio interval)) } } keys %$figures }
    };
}

my @COLUMNS = qw(group host host_id slot runs figure copies suite ratio low high p far verdict fast
    disturbed_percent passport);

sub rows {
    my ($judgement) = @_;
    my @rows = \@COLUMNS;
    for my $group (@{ $judgement->{groups} }) {
        for my $host (@{ $group->{hosts} }) {
            push @rows, _row($group, $host, { name => 'mean' }, { %$host, far => undef });
            push @rows,
                map { _row($group, $host, $_, $host->{figures}{ $_->{key} } // ()) } @{ $group->{figures} };
        }
    }
    return @rows;
}

# The row of a figure that a host has.
sub _row {
    my ($group, $host, $figure, $result) = @_;
    return if !$result;
    my @numbers = ($result->{ratio}, @{ $result->{interval} || [ undef, undef ] }, $result->{p});
    return [
        $group->{number},
        @$host{qw(host host_id slot)},
        scalar @{ $host->{runs} || [] },
        @$figure{qw(name copies suite)},
        (map { defined $_ ? sprintf '%.6g', $_ : '' } @numbers),
        defined $result->{far} ? _yes($result->{far}) : '',
        $host->{verdict},
        _yes($host->{fast}),
        defined $host->{disturbed} ? sprintf('%.3g', 100 * $host->{disturbed}) : '',
        $group->{passport}
    ];
}

sub _yes { my ($flag) = @_; return $flag ? 'yes' : 'no' }

my %WORD = (bad => 'bad', suspect => 'suspect', inconclusive => 'suspect');

sub verdicts {
    my ($judgement) = @_;
    my $campaign    = ($judgement->{campaign} || {})->{campaign} // '-';
    my $ended       = int($judgement->{ended} // 0);
    return join '', map { "$_\n" }
        sort map { ($WORD{ class($_) } // 'good') . " $campaign $ended $_->{host}" }
        map { @{ $_->{hosts} } } grep { $_->{judged} } @{ $judgement->{groups} };
}

1;
