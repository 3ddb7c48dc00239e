# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Status - who is where in a campaign: each host that is expected is one of received, failed,
# unreachable, running and given up.
#
#   {
#     expected    => 6,
#     received    => 2,                        hosts of which all runs are here
#     failed      => [ { host => 'web3', why => 'illegal instruction', remedy => '...', records => 0 } ],
#     unreachable => [ ... ],                  also those of which nobody has said anything
#     running     => [ ... ],
#     given_up    => [ ... ],                  more runs of it were lost than are tried again
#     unexpected  => [ { host, why } ],        records came of hosts that nobody planned
#     conflicts   => 1,                        records that contradict another
#     refused     => [ { file, host, why, remedy } ],
#     warnings    => [ { id => 'cloned', text => '...', remedy => '...', hosts => [ 'web1', 'web2' ] } ],
#     records     => { web1 => 1 },            how many of each host are here
#   }
package Touchstone::Pack::Fleet::Status;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Base::Text qw(natural_key plain plural);
use Touchstone::Base::Time qw(age);
use Touchstone::Machine::Sysfile;
use Touchstone::Pack::Fleet::Campaign qw(expect);
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Pack::Fleet::RecordIndex qw(by_host read_index refusals);

our @EXPORT_OK = qw(clock_off clock_words is_short read_status);

my @LISTS = qw(failed unreachable running given_up);

# A record that began so many seconds before its campaign was made, or after now, tells a wrong clock.
my $CLOCK = 3600;

# Where more hosts than these seem to be in the future, it is rather this machine that is in the past.
my $MANY = 10;

# A warning of the campaign, not of a run.
my $LEASES = 'leases';

# Ssh does not know the key of a host.
my $OTHER_KEY = qr/host identification has changed|host key (?:verification failed|for .* has changed)/i;

my $AGAIN  = 'run the same command again: it resumes';
my %REMEDY = (
    again       => $AGAIN,
    failed      => "put that right; $AGAIN",
    unreachable => "see that it is on and lets you in; $AGAIN",
    'other key' => "find out whether it is the same machine; $AGAIN",
    running     => 'wait, or run there: ./Run fleet state CAMPAIGN',
    given_up    => 'put it right, and measure it in a new campaign'
);

# `how`: now, manifest, and the members that were read already.
sub read_status {
    my ($directory, %how) = @_;
    my $manifest = $how{manifest} // expect($directory);
    my $now      = $how{now}      // time;
    my $events   = by_host($directory);
    my $received = read_index($manifest, @{ $how{members} || [] });
    my ($held, $damaged) = Touchstone::Pack::Fleet::Leases::held($manifest, $now);
    my %records;
    $records{ $_->{host} }++ for values %$received;
    my %standing = (expected => scalar @{ $manifest->{hosts} }, received => 0, map { $_ => [] } @LISTS);

    for my $host (@{ $manifest->{hosts} }) {
        my $name = $host->{name};
        my ($where, $why, $remedy) =
            _where($manifest, $records{$name} // 0, $events->{$name}, $now, $held->{$name});
        if ($where eq 'received') { $standing{received}++; next }
        push @{ $standing{$where} },
            { host => $name, why => $why, remedy => $remedy, records => $records{$name} // 0 };
    }
    return {
        %standing,
        records   => \%records,
        conflicts => _conflicts($directory),
        warnings  => [
            _damaged($damaged),                  _clones($received),
            _clocks($manifest, $received, $now), _other_key(@{ $standing{unreachable} })
        ],
        _refused($directory, \%records)
    };
}

# True where more of the hosts are missing than is `allowed`, a part of them, or records are in conflict.
sub is_short {
    my ($standing, $allowed) = @_;
    my $missing = $standing->{expected} - $standing->{received};
    return $standing->{conflicts} || $missing > ($allowed // 0) * $standing->{expected} + 1e-9;
}

# Says where a host is, why, and what to do: (list, why, remedy). `event` is the last thing that was said of
# it, `held` whether it has a lease.
sub _where {
    my ($manifest, $records, $event, $now, $held) = @_;
    my ($runs, $retries) = @$manifest{qw(runs retries)};
    return 'received' if $records >= $runs;
    my ($what, $time) = $event ? @$event{qw(what at)} : ('', $now);
    my $why    = $event    ? plain($event->{why} // '')                : '';
    my $suffix = $runs > 1 ? ' of run ' . ($records + 1) . " of $runs" : '';
    return ('given_up', plural($event->{lost}, 'run') . ' lost' . (length $why ? ": $why" : ''),
        $REMEDY{given_up})
        if $event && $event->{lost} > $retries;
    return ('failed', $why, $REMEDY{failed}) if $what eq 'failed';
    return (
        'unreachable',
        length $why ? $why : 'no connection to it',
        $REMEDY{ $why =~ /$OTHER_KEY/ ? 'other key' : 'unreachable' }
    ) if $what eq 'unreachable';
    return ('running', "it has its turn$suffix", $REMEDY{running}) if $held && $what ne 'running';
    return ('running', 'since ' . age($now - $time) . $suffix, $REMEDY{running})
        if $what eq 'running' && ($held || abs($now - $time) < $manifest->{lease});
    return ('failed', 'its run has ended, and its record is not here', $REMEDY{again})
        if $what eq 'over' && !$records;
    return ('unreachable',
        $what =~ /\A(?:running|turn)\z/ ? 'no news since ' . age($now - $time) : "no news$suffix",
        $REMEDY{unreachable});
}

sub _conflicts {
    my ($directory) = @_;
    return
        scalar grep { /\A[^.].*\.json(?:\.gz)?\z/s }
        Touchstone::Machine::Sysfile::names("$directory/conflicts");
}

# Refusals count until the file is gone or its host has sent a record.
sub _refused {
    my ($directory, $records) = @_;
    my $all  = refusals($directory);
    my @left = grep { -e $_->{file} || $_->{file} =~ /\Astandard input/ && !$records->{ $_->{host} // '' } }
        map { $all->{$_} } sort keys %$all;
    return (
        refused => [
            map {
                my $it = $_;
                +{ map { $_ => $it->{$_} } qw(file host why remedy) }
            } @left
        ],
        unexpected => [
            map  { +{ host => $_->{host}, why => $_->{why} } }
            grep { ($_->{kind} // '') eq 'unexpected' } @left
        ]
    );
}

# Where the list of turns is damaged, nobody knows who is being measured.
sub _damaged {
    my ($why) = @_;
    return if !defined $why;
    my ($text, $remedy) = split /\n/, $why;
    return { id => $LEASES, text => plain($text), remedy => $remedy, hosts => [] };
}

# A host key that changed may be another machine, or a stranger between.
sub _other_key {
    my @hosts = map { $_->{host} } grep { $_->{why} =~ /$OTHER_KEY/ } @_ or return;
    return {
        id     => 'host key',
        text   => 'ssh does not accept the host key: it is unknown or has changed',
        remedy => 'find out why before you connect; if the change was yours, ssh-keygen -R HOST',
        hosts  => \@hosts
    };
}

# Machines that were copied from one image share its number, and two names may be one machine.
sub _clones {
    my ($received) = @_;
    my %names;
    $names{ $_->{machine} }{ $_->{host} } = 1 for values %$received;
    return map {
        my @hosts = sort keys %{ $names{$_} };
        @hosts < 2
            ? ()
            : {
            id     => 'cloned',
            text   => 'they share a machine-id',
            remedy =>
                'if they are clones, run systemd-machine-id-setup on each; if they are one machine, list it once',
            hosts => \@hosts
            }
    } sort keys %names;
}

# Returns the seconds by which a record begins too late (or, below zero, too early) to be of this campaign, 0
# where nothing tells a wrong clock.
sub clock_off {
    my ($manifest, $started, $now) = @_;
    my $off = max($started - $now, 0) + min($started - $manifest->{made}, 0);
    return abs $off > $CLOCK ? $off : 0;
}

# Puts the clocks of hosts that are off by at most so many seconds into words.
sub clock_words {
    my ($off, $several) = @_;
    return
          ($several ? 'their clocks are ' : 'its clock is ')
        . ($off > 0 ? 'fast'              : 'slow') . ' by '
        . ($several ? 'up to '            : 'about ')
        . age(abs $off);
}

sub _clocks {
    my ($manifest, $received, $now) = @_;
    my %off;
    for my $record (values %$received) {
        my $off = clock_off($manifest, $record->{started}, $now);
        $off{ $record->{host} } = $off if $off;
    }
    return map {
        my $way   = $_;
        my @hosts = sort { natural_key($a) cmp natural_key($b) } grep { $off{$_} * $way > 0 } keys %off;
        !@hosts ? ()
            : {
            id     => 'clock',
            text   => clock_words($way * max(map { abs $off{$_} } @hosts), @hosts > 1),
            remedy => 'set it; speeds are right, because they are not measured with it'
                . (
                $way * @hosts > $MANY
                ? q{ (or fix this machine's clock: that many hosts are unlikely to be wrong)}
                : ''
                ),
            hosts => \@hosts
            }
    } 1, -1;
}

1;
