# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::HowFar - how far a run is, by the facts in its journal:
#
#   { pass => 31, of => 48, seconds => 12 }
#
# `of` are the passes that were made and those that the plan still has; whether scores need more, nobody knows
# before. `seconds` are those that the rest is expected to take. What a journal does not tell is missing.
package Touchstone::Cli::HowFar;
use 5.014;
use strict;
use warnings;

use Touchstone::Run::Needs;
use Touchstone::Run::Session;
use Touchstone::Suite;
use Touchstone::Terminal::Remaining;

sub of {
    my ($facts) = @_;
    return { pass => 0 } if !$facts;
    my $passes = @{ $facts->{passes} };
    my $plan   = eval { _plan($facts) } or return { pass => $passes };
    my $time   = Touchstone::Terminal::Remaining->new;
    my $left   = 0;
    $time->plan($plan);
    my %begun = map { $_->{copies} => 1 } @{ $facts->{blocks} };

    for my $block (@{ $plan->{blocks} }) {
        my %done = map { join(' ', @$_{qw(test round)}) => $_ }
            grep { $_->{copies} == $block->{copies} } @{ $facts->{passes} };
        my %lost = map { $_->{test} => 1 }
            grep { ($_->{copies} // $block->{copies}) == $block->{copies} } @{ $facts->{failures} },
            @{ $facts->{skipped} };
        $left += grep { !$done{"$_->{test}{name} $_->{round}"} && !$lost{ $_->{test}{name} } }
            @{ $block->{passes} };
        next if !$begun{ $block->{copies} };
        $time->block($block);
        $time->done({ %$_, test => { name => $_->{test} } }) for values %done;
        $time->lost($_) for sort keys %lost;
    }
    return { pass => $passes, of => $passes + $left, seconds => 0 + sprintf '%.0f', $time->left };
}

# The plan that the run began with.
sub _plan {
    my ($facts)  = @_;
    my $schedule = $facts->{schedule};
    my %wanted   = map { $_ => $facts->{wanted}{$_} } Touchstone::Run::Needs::options();
    my @tests    = Touchstone::Suite::load()->expand(map { $_->{name} } @{ $facts->{tests} });
    return Touchstone::Run::Session::plan_of(
        {
            schedule => $schedule->{kind},
            usable   => $facts->{host}{usable_cpus} // $facts->{host}{online_cpus},
            map { $_ => $schedule->{$_} } qw(copies seed iterations precision budget limit)
        },
        Touchstone::Run::Needs::suited(\%wanted, @tests)
    );
}

1;
