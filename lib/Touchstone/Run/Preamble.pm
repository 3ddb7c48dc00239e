# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Preamble - the messages before the first pass, and which of them the records note: what cannot be
# measured, what will be done and how long that takes, and why scores may not be trusted.
package Touchstone::Run::Preamble;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Symbols qw($PLUS_MINUS);
use Touchstone::Base::Text qw(copies list_and_more list_with plural);
use Touchstone::Base::Time qw(duration);
use Touchstone::Compare::Baseline;
use Touchstone::Machine;
use Touchstone::Machine::Advice;
use Touchstone::Machine::Identity;
use Touchstone::Record::Warnings;
use Touchstone::Record;
use Touchstone::Run::Plan;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Score;
use Touchstone::Stats;
use Touchstone::Suite;

# A run waits so many seconds until other processes are quiet.
our $QUIET_WAIT = 5;

# Says all that, and notes it in the records. `run` is what Run::Session was given.
sub make {
    my ($run, @records) = @_;
    my ($survey, $plan, $progress) = @$run{qw(survey plan progress)};
    _note_lost(\@records, @{ $survey->{lost} });
    $progress->trouble($_) for losses(@{ $survey->{lost} });
    if (@{ $plan->{blocks} }) {
        $progress->note($_)
            for announcement($plan),
            no_intervals($plan),
            _forecast($run);
        for my $warning (_warnings($run, $records[0]->data)) {
            _add_once($_, warnings => id => $warning) for @records;
            $progress->note('warning: ' . Touchstone::Record::Warnings::sentence($warning));
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
        $_->add(warnings => Touchstone::Record::Warnings::warning(build => text => $text)) for @$records;
    }
    return;
}

# A run that is gone on with knows some of it already.
sub _add_once {
    my ($record, $list, $key, $entry) = @_;
    my $same = sub {
        my ($earlier) = @_;
        return $earlier->{$key} eq $entry->{$key} && ($earlier->{copies} // '') eq ($entry->{copies} // '');
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
    my %waiting  = (text => "waiting for idle CPUs, $QUIET_WAIT s at most", note => 1);
    my $waits    = sub { $run->{progress}->stage(\%waiting) };
    my $is_quiet = Touchstone::Machine::wait_for_quiet($QUIET_WAIT, $run->{stopped}, $waits);
    $run->{progress}->stage;
    push @warnings, Touchstone::Record::Warnings::warning('load') if !$is_quiet && !$run->{stopped}->();
    my $baselines = $run->{survey}{baselines};
    return (
        @warnings,
        $baselines->{run} ? Touchstone::Compare::Baseline::invalid($baselines->{run}) : (),
        _baseline_warning($baselines, @{ $data->{tests} })
    );
}

# A run that stands in the place of baselines may lack tests.
sub _baseline_warning {
    my ($baselines, @tests) = @_;
    return if !$baselines->{run};
    my @without = map  { $_->{name} } grep { !defined $_->{baseline} } @tests;
    my %names   = map  { $_ => 1 } map     { /\A(\S+)/ } @{ $baselines->{partial} };
    my @missing = grep { !$names{$_} } @without;
    my @wrong   = (@missing ? 'no ' . join(', ', @missing) : (), @{ $baselines->{partial} });
    return if !@wrong;
    return Touchstone::Record::Warnings::warning(
        baseline => text => "the reference '$baselines->{name}' has " . join('; ', @wrong),
        @without ? (remedy => 'the index is made of the other tests') : ()
    );
}

# Returns what the newest run of this machine with these tests says about the precision that is asked for.
sub _forecast {
    my ($run) = @_;
    my ($request, $plan)  = @$run{qw(request plan)};
    my ($options, $tests) = @$request{qw(want tests)};
    return
           if !defined $options->{precision} && !defined $options->{budget}
        || $request->{resumed}
        || $plan->{rounds} < $Touchstone::Stats::FEWEST
        || !grep { !Touchstone::Run::Plan::is_whole($_) } @$tests;
    my $past  = _newest($request->{places}{runs}, @$tests);
    my %known = map {
        my $block = $_;
        $block->{copies} => { map { $_->{name} => $_ } grep { defined $_->{error} } @{ $block->{tests} } }
    } $past ? @{ Touchstone::Score::scores($past)->{blocks} } : ();
    my $forecast = Touchstone::Run::Plan::Adaptive::forecast($plan, \%known);
    return forecast($plan, $past && $past->{name}, $forecast);
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
    for my $earlier (values %passes) {
        return 1 if grep { ($earlier->{ $_->{name} } // 0) >= $Touchstone::Stats::FEWEST } @tests;
    }
    return 0;
}

# The sentences, which a dry run prints, too.

# Ranges of durations have minutes from here on, and up to an hour.
my ($MINUTES, $HOUR) = (90, 3600);

# Says what a run will do and how long it takes:
#
#   12 tests, 1 and 2 copies: 6 rounds, then extra passes until ±1.5 %; 90 s to 6 min
#   12 tests, 1 copy: 6 short rounds, about 24 s: wider intervals than the default
sub announcement {
    my ($plan) = @_;
    my %tests  = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my @copies = map { $_->{copies} } @{ $plan->{blocks} };
    return 'nothing here can be measured with this number of copies' if !@copies;
    my $last   = copies(pop @copies);
    my $counts = list_with('and', @copies, $last);
    my $more   = (defined $plan->{precision} || $plan->{most_rounds}) && $plan->{most} > $plan->{seconds} + 1;
    my $extra  = $more ? ', then ' . _goal($plan) . '; ' : ', ';
    return sprintf '%s, %s: %s%s%s%s', plural(scalar keys %tests, 'test'), $counts, _rounds_of($plan),
        $extra, join(', and ', _time_of($plan, $more), _whole_of($plan)),
        _over_budget($plan) || _less_than_usual($plan);
}

# Each test has one pass, also if the budget is too short for that.
sub _over_budget {
    my ($plan) = @_;
    return $plan->{seconds} <= ($plan->{budget} // $plan->{seconds})
        ? ''
        : ': longer than the budget of ' . duration($plan->{budget}) . ', since each test has one pass';
}

# Returns what a run goes on for: every score shall reach ±1.5 %, each test of builds shall have a verdict.
sub _goal {
    my ($plan) = @_;
    return 'extra passes until ' . _precision($plan) if !$plan->{most_rounds};
    return sprintf "more blocks until each test is faster, slower or within $PLUS_MINUS%g %%",
        $plan->{margin} * 100;
}

# Returns "±1.5 %", what every score shall reach.
sub _precision { my ($plan) = @_; return sprintf "$PLUS_MINUS%g %%", $plan->{precision} * 100 }

sub _rounds_of {
    my ($plan) = @_;
    return 'classic schedule' if $plan->{schedule} eq 'classic';
    return plural($plan->{rounds}, 'round') . " of interleaved blocks of $plan->{builds} builds"
        if $plan->{most_rounds};
    return plural($plan->{rounds}, $plan->{schedule} eq 'quick' ? 'short round' : 'round');
}

# What a run by construction cannot answer is said before it begins.
sub _less_than_usual {
    my ($plan) = @_;
    return '' if $plan->{schedule} ne 'quick' || $plan->{most_rounds};
    return $plan->{rounds} < $Touchstone::Stats::FEWEST
        ? ': a quick look, without intervals and verdicts'
        : ': wider intervals than the default';
}

# Says how long all tests take but those that take as long as they take.
sub _time_of {
    my ($plan,  $more) = @_;
    my ($least, $most) = map { $_ - $plan->{open} } @$plan{qw(seconds most)};
    return if $least <= 0;
    return $more ? _range($least, $most) : 'about ' . duration($least);
}

# Returns "4.5 to 6 minutes": nobody plans by the second.
sub _range {
    my ($least, $most) = @_;
    return duration($least) . ' to ' . duration($most) if $least < $MINUTES || $most >= $HOUR;
    my ($from, $to) = map { sprintf '%g', int(2 * $_ / 60 + 0.5) / 2 } $least, $most;
    return $from eq $to ? "about $to minutes" : "$from to $to minutes";
}

sub _whole_of {
    my ($plan) = @_;
    my %whole =
        map  { $_->{name} => 1 }
        grep { Touchstone::Run::Plan::is_open($_) }
        map  { $_->{test} } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return map { "$_ as long as it takes" } sort keys %whole;
}

# Says what an earlier run tells about the precision that is asked for.
sub forecast {
    my ($plan, $run, $forecast) = @_;
    my %tests = map { $_->{test}{name} => 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return 'the time is unknown without an earlier run of this machine'
        if !defined $run || @{ $forecast->{unknown} } >= keys %tests;
    my ($late, $unknown) = map { join ', ', @{ $forecast->{$_} } } qw(late unknown);
    my $goal   = _precision($plan);
    my $scores = @{ $forecast->{late} } == 1 ? 'the score' : 'the scores';
    my $text =
        length $late
        ? "$scores of $late will not reach $goal in this time"
        : 'it takes about ' . duration($forecast->{seconds}) . " until every score reaches $goal";
    return "judging by run $run, $text" . (length $unknown ? "; that run did not measure $unknown" : '');
}

# Says what cannot be measured, a line for each reason. Each of `lost`: { test, kind, why, remedy }.
sub losses {
    my (@lost) = @_;
    my (%names, @order);
    for my $lost (@lost) {
        my $reason =
              ($lost->{kind} eq 'skipped' ? 'skipped' : 'failed')
            . ": $lost->{why}"
            . (defined $lost->{remedy} ? "; $lost->{remedy}" : '');
        push @order, $reason if !$names{$reason};
        push @{ $names{$reason} },
            $lost->{test} . (defined $lost->{copies} ? ' with ' . copies($lost->{copies}) : '');
    }
    return map { join(', ', @{ $names{$_} }) . " $_" } @order;
}

# Says how long a copy count takes, as far as that can be known.
sub planned {
    my ($block) = @_;
    my $seconds_left = $block->{seconds} - $block->{open};
    return ($seconds_left > 0 ? duration($seconds_left) : (), _whole_of({ blocks => [$block] }));
}

# Tests of a plan may have too few passes for an interval, however the run goes. This is said before it
# begins:
#
#   no intervals: kernel and transfer-1gb have 1 pass, 6 needed; leave out --quick to get them
#
# A duet and a run of several builds compare passes: without an interval they have no verdict.

# So many tests are named.
my $MAX_NAMED_TESTS = 3;

# A list of { test, copies, passes }, tests in their order, for each copy count.
sub tests_without_interval {
    my ($plan) = @_;
    return map { _lacking_of_block($plan, $_) } @{ $plan->{blocks} };
}

sub _lacking_of_block {
    my ($plan, $block) = @_;
    my (%passes, @tests);
    for my $test (grep { !$_->{verdict} } map { $_->{test} } grep { $_->{round} } @{ $block->{passes} }) {
        push @tests, $test if !$passes{ $test->{name} }++;
    }
    return map { { test => $_, copies => $block->{copies}, passes => $passes{ $_->{name} } } }
        grep { $passes{ $_->{name} } < $plan->{needed} && !_may_have_more($plan, $_) } @tests;
}

# A pass that takes as long as it takes may leave time for others. The classic schedule has a rule that
# repeats some tests, and a score that is a mean has Student's interval from two passes on, but no verdict.
sub _may_have_more {
    my ($plan, $test) = @_;
    return defined $plan->{precision} || $plan->{most_rounds} if Touchstone::Run::Plan::is_whole($test);
    return 0 if $plan->{schedule} ne 'classic' || ($test->{rule} // '') ne 'mean';
    return !$plan->{compares};
}

# What is said of that, or nothing.
sub no_intervals {
    my ($plan)  = @_;
    my @lacking = tests_without_interval($plan) or return;
    my $planned = grep { $_->{round} == 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my (%by_passes, %seen);
    for my $one (Touchstone::Suite::arranged(sub { $_[0]{test}{name} }, @lacking)) {
        next if $seen{"$one->{passes} $one->{test}{name}"}++;
        push @{ $by_passes{ $one->{passes} } }, $one->{test}{name};
    }
    my @word = $plan->{most_rounds} ? ('round', 'rounds') : ('pass', 'passes');
    my @groups =
        map {
        _passes_of_tests(plural($_, @word), $planned == @lacking && keys %by_passes == 1, @{ $by_passes{$_} })
        }
        sort { $a <=> $b } keys %by_passes;
    my $remedy = _more_passes($plan, @lacking);
    return
          ($plan->{compares} ? 'no intervals and no verdicts: ' : 'no intervals: ')
        . join(', ', @groups, "$plan->{needed} needed")
        . (defined $remedy ? "; $remedy" : '');
}

sub _passes_of_tests {
    my ($passes, $is_all, @names) = @_;
    my $have = ($is_all || @names == 1 ? 'has ' : 'have ') . $passes;
    return "every test $have"                                 if $is_all && @names > 1;
    return list_and_more($MAX_NAMED_TESTS, @names) . " $have" if @names > $MAX_NAMED_TESTS;
    return list_with('and', @names) . " $have";
}

# Returns what gives all of them an interval, or nothing where passes are too long for that.
sub _more_passes {
    my ($plan, @lacking) = @_;
    if ($plan->{schedule} eq 'classic') {
        my $most = max map { Touchstone::Run::Plan::iterations_for($plan->{needed}, $_->{test}) } @lacking;
        return "-i $most is enough";
    }
    return                                 if grep { $_->{test}{least_seconds} } @lacking;
    return 'leave out --quick to get them' if $plan->{schedule} eq 'quick';
    return 'use a longer --budget'         if defined $plan->{limit};
    return;
}

1;
