# SPDX-License-Identifier: GPL-2.0-or-later
# Report::RepeatCommand - the command line that repeats a run, from its record:
#
#   ./Run --quick -c 1 -c 4 --seed 4711 dhry2reg pipe
package Touchstone::Report::RepeatCommand;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(quoted);
use Touchstone::Suite;

# The precision of the default schedule (Run::Plan), which needs no option.
our $PRECISION = 0.015;

# Longer lists of tests than this would hide the rest of the line.
my $TESTS = 12;

# Returns the line; undef for a run that one command does not repeat, such as that of a campaign.
sub of {
    my ($facts) = @_;
    return undef if ($facts->{purpose} // 'run') ne 'run' || $facts->{duet} || $facts->{campaign};
    my @names = _names(map { $_->{name} } @{ $facts->{tests} });
    return undef if @names > $TESTS;
    my $pin  = $facts->{pin} // 'none';
    my $set  = $facts->{set};
    my %more = map { $_ => ($facts->{wanted} || {})->{$_} } keys %{ $facts->{wanted} || {} };
    return join ' ', './Run', _schedule($facts),
        $pin eq 'none' ? ()                                                : ('--pin', quoted($pin)),
        $set           ? ('--build', quoted("$set->{name}=$set->{asked}")) : (),
        (map { ('--' . tr/_/-/r, quoted($more{$_})) } sort grep { !ref $more{$_} } keys %more),
        map { quoted($_) } @names;
}

sub _schedule {
    my ($facts)  = @_;
    my $schedule = $facts->{schedule};
    my $copies   = $schedule->{copies} // [ map { $_->{copies} } @{ $facts->{blocks} } ];
    my $kind     = $schedule->{kind}   // 'default';
    my $precise  = $schedule->{precision};
    return (
        $kind eq 'default'              ? ()                              : "--$kind",
        defined $schedule->{iterations} ? ('-i', $schedule->{iterations}) : (),
        ($facts->{scaling_wanted} ? '--scaling' : map { ('-c', $_) } @$copies),
        defined $precise && $precise != $PRECISION
        ? ('--precision', 100 * $precise . '%')
        : (),
        defined $schedule->{budget} ? ('--budget', "$schedule->{budget}s") : (),
        defined $schedule->{seed}   ? ('--seed',   $schedule->{seed})      : ()
    );
}

# The words that name these tests: none for the index, a group of exactly these, or all of them.
sub _names {
    my (@tests) = @_;
    my $suite   = Touchstone::Suite::load();
    my $groups  = $suite->groups;
    my $same    = join "\0", sort @tests;
    my ($group) = grep { join("\0", sort @{ $groups->{$_} }) eq $same } sort keys %$groups;
    return @tests if !defined $group;
    return $group eq ($suite->default->{group} // '') ? () : $group;
}

1;
