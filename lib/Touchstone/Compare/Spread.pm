# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Spread - by how much runs of one host differ from one another, as the records beside a comparison
# show it: the interval of a comparison covers the passes of its runs, and not what differs between days.
#
#   [ { host => 'vm', runs => 14, days => 1, spread => 0.008 } ]
#
# `spread` is what 95 of 100 differences between two runs in a row stay within, from the median of their
# sizes, so that a change of the host for good does not count; `days` says that most of them are of different
# days. Runs count that are of one kind, as Compare::Archive has it: the same CPUs, build, schedule and
# version.
package Touchstone::Compare::Spread;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Places;
use Touchstone::Base::Text qw(plain);
use Touchstone::Compare::Archive;
use Touchstone::Record;
use Touchstone::Stats qw(median);

# So many runs of a host are read, the newest by name, and so few tell nothing.
my ($MOST, $FEWEST) = (24, 6);

# So many hosts are looked at: more are compared for other reasons.
my $HOSTS = 4;

# In a normal distribution the median of the sizes is this part of what 95 of 100 stay within.
my $PART = 0.6745 / 1.96;

# The spread of the hosts of these runs, where their records are known. Without it a comparison is complete,
# so no file that cannot be read ends one.
sub find {
    my ($places, @runs) = @_;
    my %seen;
    my @hosts = grep { defined && length && !$seen{$_}++ } map { $_->{facts}{'h name'} } @runs;
    return [] if @hosts > $HOSTS;
    my @files = eval { Touchstone::Record->files($places->{runs}) };
    my %known;
    return [ map { _of_host($places, $_, \%known, @files) } @hosts ];
}

sub _of_host {
    my ($places, $host, $known, @files) = @_;
    my $begin = Touchstone::Base::Places::file_name($host);
    my @own   = reverse sort grep { /\A\Q$begin\E-\d{4}-\d\d-\d\d-\d+\.json\z/ } @files;
    return if @own < $FEWEST;
    splice @own, $MOST if @own > $MOST;
    my %series;
    for my $file (@own) {
        my $index = eval { _index("$places->{runs}/$file", $host, $known) } or next;
        push @{ $series{ $index->{kind} } }, $index;
    }
    my ($longest) = sort { @$b <=> @$a || $a->[0]{kind} cmp $b->[0]{kind} } values %series;
    return if !$longest || @$longest < $FEWEST;
    my @sorted = sort { $a->{at} <=> $b->{at} } @$longest;
    my %days   = map  { $_->{day} => 1 } @sorted;
    return {
        host   => plain($host),
        runs   => scalar @sorted,
        days   => 2 * keys %days > @sorted ? 1 : 0,
        spread => _spread(map { log $_->{score} } @sorted)
    };
}

# The first whole index of a run, of which other runs of its kind have one too, or nothing.
sub _index {
    my ($file, $host, $known) = @_;
    my ($facts, $results) =
        Touchstone::Compare::Archive::results_of(Touchstone::Record->text_of($file), $known)
        or return;
    return
           if $facts->{host}{name} ne $host
        || ($facts->{status} // '') ne 'complete'
        || defined $facts->{duet}
        || grep { $_->{invalid} } @{ $facts->{warnings} };
    my $short      = Touchstone::Compare::Archive::short_of($facts, $results, 'x', 'complete');
    my ($index)    = grep { !$_->{partial} && $_->{score} > 0 } @{ $short->{indexes} } or return;
    my %conditions = (%{ $index->{conditions} }, baseline => $short->{baseline}, copies => $index->{copies});
    return {
        score => $index->{score},
        at    => $short->{at},
        day   => substr($short->{date}, 0, 10),
        kind  => join "\n",
        $index->{key}, map { "$_=" . ($conditions{$_} // '') } sort keys %conditions
    };
}

sub _spread {
    my (@logs) = @_;
    my @steps = map { abs($logs[$_] - $logs[ $_ - 1 ]) } 1 .. $#logs;
    return median(@steps) / $PART || sqrt(sum(map { $_**2 } @steps) / @steps) * 1.96;
}

1;
