# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Session - opens the records of a run, walks its plan, and tells what came of it:
#
#   {
#     records   => [ a Record::Journal for each build ],
#     signal    => 'INT', or whatever stopped it, or undef,
#     unbuilt   => [ names of builds that could not be built ],
#     want      => the words, as Cli::Options gives them,
#     places    => where results go,
#     purpose   => 'run', 'duet' or 'self-compare',
#     reference => the run of --baseline, or undef,
#   }
package Touchstone::Run::Session;
use 5.014;
use strict;
use warnings;

use Hash::Util qw(lock_hash);
use POSIX ();
use Time::HiRes qw(time);

use Touchstone::Base::Frozen qw(frozen);
use Touchstone::Base::Directories;
use Touchstone::Record::Campaign;
use Touchstone::Record::Journal;
use Touchstone::Record::Warnings;
use Touchstone::Run::Preamble;
use Touchstone::Run::RecordHeader;
use Touchstone::Run::Needs;
use Touchstone::Run::Plan;

# A run that was stopped removes its files for so many seconds before its report, which needs room on the
# disk, and for so many after it. A kernel has a hundred thousand.
my ($MOMENT, $LONGEST) = (1, 10);

# Makes the plan of a run from its survey. Where nothing can be measured it is empty, and the record tells
# the schedule that there would have been.
sub plan {
    my ($request, $survey) = @_;
    my @tests = @{ $survey->{tests} };
    my $plan =
        Touchstone::Run::Plan::make(%{ $survey->{schedule} }, tests => @tests ? \@tests : $request->{tests});
    return frozen(@tests ? $plan : { %$plan, blocks => [], seconds => 0, most => 0 });
}

# Walks the plan. It is called with request, survey and plan; progress; launch, as a Pass takes it; clock, as
# a Runner takes it; stopped, a sub that gives the signal that stops the run; and begun, a sub that is called
# when all that can prevent the run is over, or undef.
sub run {
    my (%run) = @_;
    lock_hash(%run);
    my ($request, $survey) = @run{qw(request survey)};
    if ($request->{resumed}) {
        require Touchstone::Run::Resume;
        Touchstone::Run::Resume::check_lost($request->{resumed}->data, @{ $survey->{lost} });
    }
    my @records = _records(\%run);
    $run{on_begin}->() if $run{on_begin};
    Touchstone::Run::Preamble::make(\%run, @records);
    my $walked = eval { _walk(\%run, @records); 1 };

    # The status line is closed first, so that no message ends up inside it.
    $run{progress}->finish;
    die $@ if !$walked;
    $_->remove($run{stopped}->() ? $MOMENT : undef) for _directories($survey);
    _warn_of_changes($survey->{needs}, @records);
    my %outcome = (
        records   => \@records,
        signal    => $run{stopped}->(),
        unbuilt   => [ map { $_->{name} } @{ $survey->{unbuilt} } ],
        want      => $request->{want},
        places    => $request->{places},
        purpose   => $survey->{purpose},
        reference => $survey->{baselines}{run},
    );
    lock_hash(%outcome);
    return frozen(\%outcome);
}

sub _directories {
    my ($survey) = @_;
    return ($survey->{workdir}, @{ $survey->{needs}{held} || [] });
}

# Removes what a run that was stopped still has on its disks, after its report.
sub tidy {
    my ($survey, $progress) = @_;
    for my $directory (_directories($survey)) {
        next if $directory->remove(0);
        my $path = $directory->path;
        $progress->note("removing what tests have left in '$path', for $LONGEST s at most");
        next if $directory->remove($LONGEST);
        $progress->note("the next run removes the rest of '$path'");
        $directory->leave;
    }
    return;
}

# Each build has a record of its own.
sub _records {
    my ($run) = @_;
    my ($request, $survey, $plan) = @$run{qw(request survey plan)};
    my $resumed = $request->{resumed};
    my $id      = $survey->{purpose} eq 'duet' ? sprintf '%d-%.0f-%d', $$, time, $plan->{seed} : undef;
    my @heads   = map { Touchstone::Run::RecordHeader::make($_, $run, $id) } @{ $survey->{builds} };
    return map { _new_record($request, $_) } @heads if !$resumed;
    Touchstone::Run::Resume::check_same($resumed->data, $heads[0]);
    return $resumed->go_on;
}

# A name that is asked for cannot be that of several records, and that of a campaign's follows from it.
sub _new_record {
    my ($request, $head)         = @_;
    my ($places,  $campaign_run) = ($request->{places}, $request->{want}{campaign_run});
    return Touchstone::Record::Journal->create(
        $places->{runs}, $head,
        names => [ Touchstone::Record::Campaign::name($campaign_run->{campaign}) ],
        taken => $campaign_run->{taken}
    ) if $campaign_run;
    my $fixed = defined $head->{duet} ? '' : Touchstone::Base::Directories::fixed_name($places);
    my $date  = POSIX::strftime('%Y-%m-%d', localtime $head->{started});
    my @names =
        length $fixed ? $fixed : Touchstone::Base::Directories::names($places, $head->{host}{name}, $date);
    return Touchstone::Record::Journal->create(
        $places->{runs}, $head,
        names   => \@names,
        replace => length $fixed
    );
}

sub _walk {
    my ($run, @records) = @_;
    my ($request, $survey, $plan) = @$run{qw(request survey plan)};
    return if !@{ $plan->{blocks} } || $run->{stopped}->();
    my @sides  = map { _side($run, $survey->{builds}[$_], $records[$_]) } 0 .. $#records;
    my $passes = _loaded(@records > 1 ? 'Duet' : 'Pass')->new(
        sides   => \@sides,
        workdir => $survey->{workdir},
        cpus    => $request->{cpus},
        pin     => $request->{want}{pin} // 'none',
        seed    => $plan->{seed},
        at_once => $request->{want}{concurrent} ? 1 : 0,
        turns   => $survey->{schedule}{turns},
        map { $_ => $run->{$_} } qw(progress launch stopped)
    );
    return _loaded($survey->{schedule}{turns} ? 'DuetRounds' : 'Runner')->new(
        sides  => \@sides,
        passes => $passes,
        seed   => $plan->{seed},
        map { $_ => $run->{$_} } qw(progress clock stopped)
    )->run($plan);
}

# Returns the class of a module that some runs need, and others do not.
sub _loaded {
    my ($name) = @_;
    require "Touchstone/Run/$name.pm";
    return "Touchstone::Run::$name";
}

# A Pass needs of each build its record, its places and the environment of its programs.
sub _side {
    my ($run, $places, $record) = @_;
    my ($request, $survey) = @$run{qw(request survey)};
    my $locale = $record->data->{locale}{name};
    return {
        record => $record,
        label  => @{ $survey->{builds} } > 1
        ? "the build '" . ($places->{set} ? $places->{set}{name} : $places->{bin} =~ s{.*/}{}sr) . "'"
        : undef,
        places => {
            bin     => $places->{bin},
            testdir => $places->{testdir},
            cc      => $request->{cc},
            %{ $survey->{needs}{values} || {} }
        },
        env => {
            LC_ALL      => $locale,
            LANG        => $locale,
            UB_BINDIR   => $places->{bin},
            UB_TESTDIR  => $places->{testdir},
            UB_TMPDIR   => $survey->{workdir}->path,
            TST_SH_KEEP => '',

            # Some programs crash without it, such as Debian's dc.
            HOME => $ENV{HOME} // $survey->{workdir}->path
        },
    };
}

# Adds a warning if what was measured, such as the source of a kernel, has changed meanwhile.
sub _warn_of_changes {
    my ($needs, @records) = @_;
    for my $text (Touchstone::Run::Needs::changes($needs)) {
        $_->add(warnings => Touchstone::Record::Warnings::warning(changed => text => $text)) for @records;
    }
    return;
}

1;
