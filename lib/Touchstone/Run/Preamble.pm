# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Preamble - what is said before the first pass, and what of it the records note: what cannot be
# measured, what will be done and how long that takes, and why scores may not be trusted.
package Touchstone::Run::Preamble;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::Baseline;
use Touchstone::Machine::Advice;
use Touchstone::Machine::Identity;
use Touchstone::Machine;
use Touchstone::Record;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Run::Plan;
use Touchstone::Run::Messages;
use Touchstone::Score;
use Touchstone::Stats;

# A run waits so many seconds until other processes are quiet.
my $QUIET_WAIT = 5;

# Says all that, and notes it in the records. `run` is what Run::Session was given.
sub make {
    my ($run, @records) = @_;
    my ($survey, $plan, $progress) = @$run{qw(survey plan progress)};
    _note_lost(\@records, @{ $survey->{lost} });
    $progress->trouble($_) for Touchstone::Run::Messages::losses(@{ $survey->{lost} });
    if (@{ $plan->{blocks} }) {
        $progress->note($_)
            for Touchstone::Run::Messages::announcement($plan),
            Touchstone::Run::Messages::no_intervals($plan),
            _forecast($run);
        for my $warning (_warnings($run, $records[0]->data)) {
            _add_once($_, warnings => id => $warning) for @records;
            $progress->note(Touchstone::Run::Messages::warning($warning));
        }
        $progress->plan($plan, @records == 1 && Touchstone::Score::will_have_index($records[0]->data));
    }
    _note_unbuilt(\@records, @{ $survey->{unbuilt} });
    return;
}

sub _note_lost {
    my ($records, @lost) = @_;
    for my $lost (@lost) {
        my %entry = %$lost;
        my $kind  = delete $entry{kind};
        _add_once($_, $kind, test => \%entry) for @$records;
    }
    return;
}

# Reports of the builds that are left say why there are no more of them.
sub _note_unbuilt {
    my ($records, @unbuilt) = @_;
    for my $build (@unbuilt) {
        my $text = "the build '$build->{name}' failed: " . join '; ', @{ $build->{why} };
        $_->add(warnings => { id => 'build', text => $text }) for @$records;
    }
    return;
}

# A run that is gone on with knows some of it already.
sub _add_once {
    my ($record, $list, $key, $entry) = @_;
    my $same = sub {
        my ($known) = @_;
        return $known->{$key} eq $entry->{$key} && ($known->{copies} // '') eq ($entry->{copies} // '');
    };
    $record->add($list => $entry) if !grep { $same->($_) } @{ $record->data->{$list} };
    return;
}

sub _warnings {
    my ($run, $data) = @_;
    my @warnings = Touchstone::Machine::Advice::before_run(
        host   => $data->{host},
        locale => $data->{locale},
        copies => $data->{schedule}{copies},
        tests  => $run->{request}{tests}
    );
    my %waiting  = (text => "waiting for idle CPUs, $QUIET_WAIT s at most", told => 1);
    my $waits    = sub { $run->{progress}->stage(\%waiting) };
    my $is_quiet = Touchstone::Machine::wait_for_quiet($QUIET_WAIT, $run->{stopped}, $waits);
    $run->{progress}->stage;
    push @warnings, _load_warning() if !$is_quiet && !$run->{stopped}->();
    my $baselines = $run->{survey}{baselines};
    return (
        @warnings,
        $baselines->{run} ? Touchstone::Compare::Baseline::invalid($baselines->{run}) : (),
        _baseline_warning($baselines, @{ $data->{tests} })
    );
}

# What they cost is seen in each pass.
sub _load_warning {
    return {
        id     => 'load',
        text   => 'other processes were running when the run began',
        remedy => 'check with top, wait for them to finish'
    };
}

# A run that stands in the place of baselines may lack tests.
sub _baseline_warning {
    my ($baselines, @tests) = @_;
    return if !$baselines->{run};
    my @without = map  { $_->{name} } grep { !defined $_->{baseline} } @tests;
    my %said    = map  { $_ => 1 } map     { /\A(\S+)/ } @{ $baselines->{partial} };
    my @missing = grep { !$said{$_} } @without;
    my @wrong   = (@missing ? 'no ' . join(', ', @missing) : (), @{ $baselines->{partial} });
    return if !@wrong;
    return {
        id   => 'baseline',
        text => "the reference '$baselines->{name}' has " . join('; ', @wrong),
        @without ? (remedy => 'the index is made of the other tests') : ()
    };
}

# Returns what the newest run of this machine with these tests says about the precision that is asked for.
sub _forecast {
    my ($run) = @_;
    my ($request, $plan)  = @$run{qw(request plan)};
    my ($want,    $tests) = @$request{qw(want tests)};
    return
           if !defined $want->{precision} && !defined $want->{budget}
        || $request->{resumed}
        || $plan->{rounds} < $Touchstone::Stats::FEWEST
        || !grep { !Touchstone::Run::Plan::is_whole($_) } @$tests;
    my $past  = _newest($request->{places}{runs}, @$tests);
    my %known = map {
        my $block = $_;
        $block->{copies} => { map { $_->{name} => $_ } grep { defined $_->{error} } @{ $block->{tests} } }
    } $past ? @{ Touchstone::Score::scores($past)->{blocks} } : ();
    my $forecast = Touchstone::Run::Plan::Adaptive::forecast($plan, \%known);
    return Touchstone::Run::Messages::forecast($plan, $past && $past->{name}, $forecast);
}

sub _newest {
    my ($directory, @tests) = @_;
    my $name = Touchstone::Machine::Identity::name();
    return Touchstone::Record->newest(
        $directory,
        sub {
            my ($run) = @_;
            return
                   $run->{host}{name} eq $name
                && $run->{schedule}{kind} eq 'default'
                && ($run->{purpose} // 'run') eq 'run'
                && _judges($run, @tests);
        }
    );
}

# Returns whether a run has passes enough of any of these tests for an interval.
sub _judges {
    my ($run, @tests) = @_;
    my %passes;
    $passes{ $_->{copies} }{ $_->{test} }++ for grep { $_->{round} } @{ $run->{passes} };
    for my $known (values %passes) {
        return 1 if grep { ($known->{ $_->{name} } // 0) >= $Touchstone::Stats::FEWEST } @tests;
    }
    return 0;
}

1;
