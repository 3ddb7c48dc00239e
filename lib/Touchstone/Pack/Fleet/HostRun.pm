# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::HostRun - one record as a member of a fleet: who was measured, what is like him, and logarithms
# of his speeds:
#
#   {
#       name => 'k68.9f31c07d5a64b2e8.1', file => 'runs/2026-11/k68.9f31c07d5a64b2e8.1.json',
#       status => 'complete', started => 1795240225, ended => 1795240525,
#       host => 'web1', host_id => '9f31c07d5a64b2e8', machine => '51d09c3a7e442f10', attempt => 1,
#       campaign => 'k68', slot => 'hv07', labels => { rack => 'b4' }, carrier => 'ansible',
#       passport => '8ecfc154...', arch => 'x86_64', tool => 'Touchstone 7.2.0',
#       group => { vendor => 'AuthenticAMD', model => 'AMD EPYC 7763', sockets => '1', cores => '4',
#                  threads => '8', memory => '32 GB', virtualisation => 'kvm' },
#       facts => what Compare::Differences compares of the machine and the build,
#       invalid  => why its speeds are those of nothing, or undef,
#       doubt => why the run is not valid though its host is judged by it, or undef,
#       disturbed => 0.02,                    the part of the passes that something disturbed
#       lost  => [ 'pipe failed: exit status 1', 'C skipped: no compiler' ],
#       figures => {
#           '1 pipe' => {
#               y => 14.98,                   the logarithm of the speed: of the score, or of 1 / score
#                                             where fewer seconds are better
#               error => 0.0014,              the standard error of y within the run, or undef
#               passes => 12, name => 'pipe', title => 'Pipe Throughput', copies => 1, suite => 'unixbench',
#               unit => 'lps', better => 'higher', score => 3237107, interval => [ 3230011, 3244008 ],
#               version => '2'                of what the test measures, or undef
#           }
#       },
#       indexes => { '1 system' => { key, name, title, copies, score, interval, partial } }
#   }
#
# A record without a campaign belongs to the host that it names, which is its host_id, too.
package Touchstone::Pack::Fleet::HostRun;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use POSIX qw(ceil floor);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(plain plain_data);
use Touchstone::Base::Untrusted qw(as_hash as_number as_word);
use Touchstone::Compare::Differences;
use Touchstone::Record::Warnings;
use Touchstone::Stats;

our @EXPORT_OK = qw(@FIGURES @GROUPED from_record);

# What is read of a result beside its score (Record::ResultReader).
our @FIGURES = qw(disturbed error passes);

# A group has these facts of the host, besides the memory.
our @GROUPED = qw(vendor model sockets cores threads memory virtualisation);

my $UNKNOWN = 'unknown';
my $CHANGED = 'changed';
my ($MOST_PASSES, $LARGEST_ERROR) = (1e9, 100);

# (facts, results) of a record, and its file.
sub from_record {
    my ($facts, $results, $file) = @_;
    my $host     = $facts->{host};
    my $all      = Touchstone::Compare::Differences::of_record($facts);
    my $compared = plain_data(Touchstone::Compare::Differences::compared($all));
    return {
        name   => plain($facts->{name}),
        file   => $file,
        status => plain(as_word($facts->{status})) || $UNKNOWN,
        (map { $_ => $facts->{$_} } qw(started ended)),
        _host_of($facts),
        passport => plain(as_word($facts->{passport})),
        arch     => plain($host->{machine}),
        tool     => $compared->{'r tool'},
        group    => _group($host, $compared),
        facts    => $compared,
        _validity($facts, $results),
        lost => [ _lost($facts) ],
        _measured($facts, $results)
    };
}

# What makes a run not valid is mostly what its host is like: a quota, a governor, neighbours or programs that
# take its time. That is what a fleet is searched for. But where the machine changed while it was measured,
# nobody knows what the speeds are those of.
sub _validity {
    my ($facts, $results) = @_;
    my $invalid = Touchstone::Record::Warnings::why_invalid($facts, $results)
        // return (invalid => undef, doubt => undef);
    my $validity = (grep { $_->{id} eq $CHANGED } @{ $invalid->{reasons} }) ? 'invalid' : 'doubt';
    return (invalid => undef, doubt => undef, $validity => plain($invalid->{brief}));
}

# Says which host was measured, and for which campaign. Labels of a record may be anything that is a text.
sub _host_of {
    my ($facts)  = @_;
    my $campaign = $facts->{campaign};
    my $name     = length $facts->{host}{name} ? plain($facts->{host}{name}) : $UNKNOWN;
    return (
        host    => $name,
        host_id => $name,
        attempt => 1,
        labels  => {},
        map { $_ => undef } qw(campaign machine slot carrier)
    ) if !$campaign;
    return (
        campaign => $campaign->{id},
        (map { $_ => $campaign->{$_} } qw(host host_id machine attempt)),
        (map { $_ => defined $campaign->{$_} ? plain($campaign->{$_}) : undef } qw(slot carrier)),
        labels => plain_data($campaign->{labels})
    );
}

sub _group {
    my ($host, $facts) = @_;
    my %of = (
        %$host,
        model   => $facts->{'h model'},
        threads => $host->{threads} // $host->{online_cpus},
        memory  => installed($host->{memory_kb})
    );
    return { map { $_ => _named($of{$_}) } @GROUPED };
}

sub _named {
    my ($value) = @_;
    my $text    = join ' ', split ' ', plain(as_word($value));
    return length $text ? $text : $UNKNOWN;
}

# The memory that somebody bought, for KB of which a kernel tells: what it and the firmware keep for
# themselves, a few per cent, differs from version to version. Sizes that are sold are multiples of a
# quarter of the power of two below them, or fall between two that are further apart than what is kept.
my $KB_PER_GB = 1024**2;
my $STEPS     = 4;
my $ROUNDING  = 0.01;

sub installed {
    my ($kilobytes) = @_;
    my $gb = as_number($kilobytes, 1, 1e15) // return undef;
    $gb /= $KB_PER_GB;
    my $step = 2**floor(log($gb) / log(2)) / $STEPS;
    return sprintf '%.4g GB', $step * ceil($gb / $step - $ROUNDING);
}

sub _lost {
    my ($facts) = @_;
    my @lost;
    for my $how ([ 'failures' => 'failed' ], [ 'skipped' => 'skipped' ]) {
        my ($list, $word) = @$how;
        push @lost, map { plain("$_->{test} $word: $_->{why}") } @{ $facts->{$list} };
    }
    return @lost;
}

# The figures and indexes, and what part of the passes was disturbed.
sub _measured {
    my ($facts, $results) = @_;
    my %row = map { $_->{name} => $_ } @{ $facts->{tests} };
    my (%figures, %indexes, %many);
    for my $block (@{ $results->{blocks} }) {
        for my $test (@{ $block->{tests} }) {
            my $passes = as_number($test->{passes}, 1, $MOST_PASSES) // 0;
            $many{passes}    += $passes;
            $many{disturbed} += as_number($test->{disturbed}, 0, $passes) // 0;
            next if $test->{score} <= 0;
            my $row = $row{ $test->{name} } || {};
            $figures{ plain("$block->{copies} $test->{name}") } = {
                _figure($test),
                copies  => $block->{copies},
                passes  => $passes,
                suite   => plain(as_word($row->{suite})),
                version => Touchstone::Compare::Differences::version_of($facts, $row)
            };
        }
        for my $index (grep { !$_->{outside} } @{ $block->{indexes} }) {
            $indexes{ plain("$block->{copies} $index->{key}") } = {
                (map { $_ => plain($index->{$_}) } qw(key name title)),
                copies => $block->{copies},
                map { $_ => $index->{$_} } qw(score interval partial)
            };
        }
    }
    return (
        figures   => \%figures,
        indexes   => \%indexes,
        disturbed => $many{passes} ? $many{disturbed} / $many{passes} : 0
    );
}

sub _figure {
    my ($test) = @_;
    my $y = log $test->{score};
    return (
        (map { $_ => plain($test->{$_}) } qw(name title unit)),
        (map { $_ => $test->{$_} } qw(better score interval)),
        y     => is_lower_better($test) ? -$y : $y,
        error => _error($test)
    );
}

# The standard error of the logarithm of a score. An old record has the interval alone.
sub _error {
    my ($test) = @_;
    my $error = as_number($test->{error}, 0, $LARGEST_ERROR);
    return $error if $error;
    my ($low, $high) = @{ $test->{interval} || [] };
    return undef if !defined $low || $low <= 0 || $high <= $low;
    return log($high / $low) / 2 / $Touchstone::Stats::NORMAL;
}

1;
