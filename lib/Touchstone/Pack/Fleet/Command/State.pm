# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::State - fleet state, wait and give: the progress of this host in a campaign, its end,
# and the place of its record. fleet state prints one line:
#
#   {"attempt": 1, "boot_id": "2f9a...", "campaign": "k68", "host": "web1", "host_id": "9f31c07d5a64b2e8",
#    "name": "k68.9f31c07d5a64b2e8.1", "of": 48, "pass": 31, "pid": 4711, "run": 1, "seconds": 12,
#    "state": "running"}
#
# and of a run that ended exit, file, sha256, size and status in the place of the passes.
package Touchstone::Pack::Fleet::Command::State;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);

use Touchstone::Base::Directories;
use Touchstone::Cli::Output;
use Touchstone::Cli::ExitStatus;
use Touchstone::Machine::Identity;
use Touchstone::Machine::File;
use Touchstone::Record::Journal;
use Touchstone::Record::Json;
use Touchstone::Pack::Fleet::LogEncoding;
use Touchstone::Record;
use Touchstone::Pack::Fleet::CampaignRun;
use Touchstone::Run::Needs;
use Touchstone::Run::Plan;
use Touchstone::Suite;
use Touchstone::Terminal::Remaining;

sub run {
    my ($options, %at) = @_;
    my ($id)     = @{ $options->{operands} };
    my $runs     = Touchstone::Base::Directories::find($at{base})->{runs};
    my $campaign = Touchstone::Pack::Fleet::CampaignRun::identity($id, $options->{as});
    my $look     = sub { Touchstone::Pack::Fleet::CampaignRun::look($runs, $campaign, $options->{run} // 1) };
    my $now      = $look->();
    while ($options->{command} eq 'fleet wait' && $now->{state} eq 'running') {
        Touchstone::Record::Journal->wait_for(
            Touchstone::Pack::Fleet::CampaignRun::journal_of($runs, $now->{its}));
        $now = $look->();
    }
    return _give($now, $options) if $options->{command} eq 'fleet give';
    return Touchstone::Cli::Output::say(Touchstone::Record::Json::encode_line(_state($now, $runs)) . "\n");
}

sub _state {
    my ($now, $runs) = @_;
    my $run   = $now->{its};
    my %state = (
        campaign => $now->{campaign}{id},
        (map { $_ => $now->{campaign}{$_} } qw(host host_id)),
        state   => $now->{state},
        run     => $now->{run},
        boot_id => Touchstone::Machine::Identity::boot_id(),
        $run ? (map { $_ => $run->{$_} } qw(attempt name)) : ()
    );
    return \%state                  if !$run;
    return { %state, _ended($run) } if $now->{state} eq 'ended';
    my $journal = Touchstone::Pack::Fleet::CampaignRun::journal_of($runs, $run);
    return {
        %state,
        $now->{state} eq 'running'
        ? (pid => scalar Touchstone::Machine::File::lock_holder($journal))
        : (why => scalar Touchstone::Pack::Fleet::CampaignRun::last_words($runs, $now->{campaign})),
        %{ _progress($run->{facts}) }
    };
}

sub _ended {
    my ($run)    = @_;
    my ($status) = Touchstone::Cli::ExitStatus::of_stored($run->{facts});
    my $text     = Touchstone::Record->bytes_of($run->{file});
    return (
        status => $run->{facts}{status},
        exit   => $status,
        file   => $run->{file},
        size   => length $text,
        sha256 => sha256_hex($text)
    );
}

# SHA-256, size and path, which may have blanks; with --whole the record itself.
sub _give {
    my ($now, $options) = @_;
    my $run = $now->{its};
    die _without($now) if $now->{state} ne 'ended';
    my $text = Touchstone::Record->bytes_of($run->{file});
    return Touchstone::Cli::Output::say(Touchstone::Pack::Fleet::LogEncoding::written($text, $run->{name}))
        if $options->{whole};
    my $sum = sha256_hex($text);
    return Touchstone::Cli::Output::say("$sum " . length($text) . " $run->{file}\n");
}

my %WITHOUT = (
    none      => 'it has not been measured',
    running   => 'it is being measured',
    'cut off' => 'its measurement was cut off, and the next fleet once resumes it'
);

sub _without {
    my ($now) = @_;
    my ($id, $host, $run) = (@{ $now->{campaign} }{qw(id host)}, $now->{run});
    return
          "no record of '$host' for the campaign '$id'"
        . ($run > 1 ? ", run $run" : '')
        . ": $WITHOUT{ $now->{state} }\n";
}

# Returns how far a run is, by the facts in its journal:
#
#   { pass => 31, of => 48, seconds => 12 }
#
# `of` counts the passes that were made and those left in the plan; scores may turn out to need more.
# `seconds` is the expected time of the rest. Values that the journal does not tell are missing.
sub _progress {
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
    return Touchstone::Run::Plan::make(
        schedule => $schedule->{kind},
        usable   => $facts->{host}{usable_cpus} // $facts->{host}{online_cpus},
        tests    => [ Touchstone::Run::Needs::supported_tests(\%wanted, @tests) ],
        map { $_ => $schedule->{$_} } qw(copies seed iterations precision budget limit)
    );
}

1;
