# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Survey - what is here for a request: what is missing is built or searched for, and what cannot be had
# is named. A survey never changes:
#
#   {
#     baselines => what Run::Baselines read,
#     workdir   => the directory of the run,
#     builds    => [ places of the builds whose programs are there ],
#     unbuilt   => [ { name, why => [ lines ] } of the others ],
#     locks     => [ while these live nobody builds what is measured anew ],
#     needs     => what Run::Needs found,
#     tests     => [ rows that can run ],
#     lost      => [ { test, kind, why, remedy } of the others ],
#     schedule  => { what Plan::make takes beside the tests, as it is with these builds },
#     purpose   => 'run', 'duet' (several builds) or 'self-compare',
#   }
package Touchstone::Run::Survey;
use 5.014;
use strict;
use warnings;

use Hash::Util qw(lock_hash);

use Touchstone::Base::Frozen qw(frozen);
use Touchstone::Base::Places;
use Touchstone::Base::Time;
use Touchstone::Machine::Workdir;
use Touchstone::Record;
use Touchstone::Run::Baselines;
use Touchstone::Run::Compatibility;
use Touchstone::Run::Needs;
use Touchstone::Run::Preflight;
use Touchstone::Base::Trouble;

# Takes the survey. `with` has progress and stopped; a run that is stopped meanwhile has no tests.
sub take {
    my ($request, %with) = @_;
    my $places = $request->{places};
    Touchstone::Base::Time::check_clock();
    my $baselines = Touchstone::Run::Baselines::read_all($request);
    Touchstone::Base::Places::prepare_results($places);
    $with{progress}->note($places->{remark}) if defined $places->{remark};
    Touchstone::Record->sweep(@$places{qw(results runs)}, "$places->{runs}/self");
    my $workdir = Touchstone::Machine::Workdir->new($places->{tmp});
    my %survey  = (baselines => $baselines, workdir => $workdir, _builds($request, %with));
    my @builds  = @{ $survey{builds} };
    my $needs   = $with{stopped}->() ? {} : _needs($request, $builds[0], $workdir, %with);
    my ($tests, @lost) = $with{stopped}->() ? ([]) : _sorted($request, $needs, @builds);
    %survey = (
        %survey,
        needs    => $needs,
        tests    => $tests,
        lost     => \@lost,
        schedule => _schedule($request, scalar @builds),
        purpose  => $request->{want}{'self-compare'} ? 'self-compare' : @builds > 1 ? 'duet' : 'run',
    );
    lock_hash(%survey);
    return frozen(\%survey);
}

# Returns builds, unbuilt and locks. A set of --build that cannot be built leaves the others.
sub _builds {
    my ($request, %with) = @_;
    my (@built, @unbuilt, @locks);
    for my $places (@{ $request->{builds} }) {
        my @how    = ($places, @with{qw(progress stopped)}, @{ $request->{tests} });
        my $result = eval {
            $places->{set}
                ? Touchstone::Run::Preflight::build_set(@how)
                : Touchstone::Run::Preflight::build(@how);
        };
        return _stopped($request, $with{stopped}->(), $result) if $with{stopped}->();
        die $@                                                 if !$result;
        push @locks, $result->{lock};
        $result = _fitting($result, $places, $request);
        if (!$result->{trouble}) { push @built, $places; next }
        my ($first, @others) = my @why = @{ $result->{trouble} };
        push @unbuilt, { name => $places->{set}{name}, why => \@why };
        $with{progress}->trouble($_)
            for "the build '$places->{set}{name}' failed: $first", map { "  $_" } @others;
    }
    die "no build can be measured\n" if !@built;
    return (builds => \@built, unbuilt => \@unbuilt, locks => \@locks);
}

# Programs that this machine cannot run are not started: each would fail with another word for that.
sub _fitting {
    my ($result, $places, $request) = @_;
    return $result if $result->{trouble};
    my @why = Touchstone::Run::Compatibility::trouble($places, @{ $request->{tests} }) or return $result;
    die join("\n", @why), "\n" if !$places->{set};
    return { trouble => \@why };
}

# A run that is stopped while it builds still reports, unless --build has left it without programs.
sub _stopped {
    my ($request, $signal, $result) = @_;
    my @builds = @{ $request->{builds} };
    die { exit => 128 + $Touchstone::Base::Trouble::SIGNAL{$signal}, message => "stopped by SIG$signal\n" }
        if !$result || grep { $_->{set} } @builds;
    return (builds => \@builds, unbuilt => [], locks => []);
}

sub _needs {
    my ($request, $places, $workdir, %with) = @_;
    return Touchstone::Run::Needs::find(
        want    => $request->{want},
        cc      => $request->{cc},
        tests   => $request->{tests},
        places  => $places,
        copies  => $request->{schedule}{copies},
        sides   => _side_by_side($request),
        scratch => $workdir->path,
        %with
    );
}

# Builds that take turns live side by side, and so do two that run at once.
sub _side_by_side {
    my ($request) = @_;
    my $schedule = $request->{schedule};
    return $schedule->{turns} || $schedule->{cpus} ? $schedule->{sides} // 1 : 1;
}

# Returns the tests that can run, and why the others cannot. A test that cannot run with one of the builds
# runs with none.
sub _sorted {
    my ($request, $needs, @builds) = @_;
    my ($tests, @lost) = ($request->{tests});
    for my $places (@builds) {
        ($tests, my $more) = Touchstone::Run::Preflight::sort_out(
            {
                %$places,
                cc     => (split ' ', $request->{cc})[0],
                copies => $request->{schedule}{copies},
                sides  => _side_by_side($request),
                needs  => $needs
            },
            @$tests
        );
        push @lost, @$more;
    }
    return ($tests, @lost);
}

# A build that is left alone is compared with nothing.
sub _schedule {
    my ($request, $builds) = @_;
    my %schedule = %{ $request->{schedule} };
    return {
        %schedule,
        $schedule{sides} ? (sides => $builds > 1 ? $builds : undef) : (),
        $builds < 2      ? (turns => 0)                             : ()
    };
}

1;
