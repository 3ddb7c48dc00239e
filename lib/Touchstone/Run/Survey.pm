# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Survey - what is here for a request: what is missing is built or searched for, and what cannot be had
# is named. A survey never changes:
#
#   {
#     baselines => what _baselines() read,
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
use Touchstone::Base::Directories;
use Touchstone::Base::Time;
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Compare::Baseline;
use Touchstone::Machine::Workdir;
use Touchstone::Record;
use Touchstone::Run::Compatibility;
use Touchstone::Run::Needs;
use Touchstone::Run::Preflight;

# Takes the survey. `with` has progress and stopped; a run that is stopped meanwhile has no tests.
sub take {
    my ($request, %with) = @_;
    my $places = $request->{places};
    Touchstone::Base::Time::check_clock();
    my $baselines = _baselines($request);
    Touchstone::Base::Directories::prepare_results($places);
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
        purpose  => $request->{want}{command} eq 'self-compare' ? 'self-compare'
        : @builds > 1 ? 'duet'
        :               'run',
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

# The scores of a run are set against George and the other baselines of suites, or against the run of
# --baseline in their place; reports show the run with published results:
#
#   {
#     scores    => { test => { score, by_copies } },
#     indexes   => [ indexes of suites, with their baselines ],
#     published => { table => [ rows ] },
#     name      => 'George', or the name of the run, or undef,
#     run       => the run of --baseline, or undef,
#     partial   => [ what that run lacks of these tests, in words ],
#   }

# Reads all of it before anything is written: a file that is damaged ends the run.
sub _baselines {
    my ($request) = @_;
    my ($places, $tests) = @$request{qw(places tests)};
    my @suites = sort { $a->{order} <=> $b->{order} } values %{ $request->{suite}->suites_of(@$tests) };
    my $tables = _tables($places, @suites);
    my %known  = (
        published => { map { $_ => $tables->{$_}{rows} } keys %$tables },
        indexes   =>
            [ Touchstone::Compare::Baseline::of_indexes($tables, map { @{ $_->{indexes} || [] } } @suites) ],
        scores  => undef,
        name    => undef,
        run     => undef,
        partial => []
    );
    return { %known, _of_run($request, @{ $known{indexes} }) } if defined $request->{want}{baseline};
    return { %known, _of_suites($places, $tables, \@suites, @$tests) };
}

# Returns { name => { file, rows, key => the column that names a machine } }.
sub _tables {
    my ($places, @suites) = @_;
    my %form = map { %{ $_->{published} || {} } } @suites;
    my %tables;
    require Touchstone::Suite::Published if %form;
    for my $name (sort keys %form) {
        my $file = _next_to_programs($places, "$name.csv");
        $tables{$name} = {
            file => $file,
            rows => Touchstone::Suite::Published::load($file, %{ $form{$name} }),
            key  => $form{$name}{text}[0]
        };
    }
    return \%tables;
}

# Programs of another build may have come alone.
sub _next_to_programs {
    my ($places, $name) = @_;
    my ($file) = grep { -e } map { "$_/$name" } $places->{bin}, "$places->{base}/pgms";
    return $file // "$places->{base}/pgms/$name";
}

sub _of_suites {
    my ($places, $tables, $suites, @tests) = @_;
    my $scores    = Touchstone::Compare::Baseline::load(_next_to_programs($places, 'index.base'));
    my $published = Touchstone::Compare::Baseline::of_tables($tables, @tests);
    my %seen;
    my @names = grep { defined $_ && !$seen{$_}++ } map { $_->{reference} } @$suites;
    return (
        scores => { (map { $_ => { score => $scores->{$_} } } keys %$scores), %$published },
        name   => @names ? join(', ', @names) : undef
    );
}

sub _of_run {
    my ($request, @indexes) = @_;
    my $run     = _reference($request);
    my %asked   = map { $_->{name} => $_->{version} } @{ $request->{tests} };
    my $scores  = Touchstone::Compare::Baseline::of_run($run, \%asked);
    my @partial = Touchstone::Compare::Baseline::partial_of($run, \%asked);
    return (
        scores  => $scores,
        name    => $run->{name},
        run     => $run,
        partial => [ grep { /\A(\S+)/ && $asked{$1} } @partial ],
        indexes => [ map { Touchstone::Compare::Baseline::against($_, $scores, $run->{name}) } @indexes ]
    );
}

sub _reference {
    my ($request) = @_;
    require Touchstone::Compare::Run;
    my $load = sub {
        Touchstone::Compare::Run::load(
            $request->{want}{baseline},
            $request->{places}{runs},
            $request->{suite}->titles
        );
    };
    return or_refuse($load);
}

1;
