# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Session - a run from its words to its reports: prepare, build, plan, walk the plan, report what came of
# it.
package Touchstone::Run::Session;
use 5.014;
use strict;
use warnings;

use POSIX ();
use Time::HiRes qw(time);

use Touchstone::Base::Places;
use Touchstone::Build::Sets;
use Touchstone::Build;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Machine::Advice;
use Touchstone::Machine::Cpus;
use Touchstone::Machine::Workdir;
use Touchstone::Machine;
use Touchstone::Record::Journal;
use Touchstone::Record;
use Touchstone::Run::Duet;
use Touchstone::Run::Head;
use Touchstone::Run::Needs;
use Touchstone::Run::Plan;
use Touchstone::Run::Preflight;
use Touchstone::Run::Resume;
use Touchstone::Run::Runner;
use Touchstone::Run::Words;
use Touchstone::Score;
use Touchstone::Stats;
use Touchstone::Suite::Published;
use Touchstone::Suite;

my $QUIET_WAIT = 5;
my %USAGE      = (exit => 2);
our %SIGNAL = (INT => 2, TERM => 15, HUP => 1);

# Everything that is known before anything is written or run.
sub prepare {
    my ($want, $suite, $places, @tests) = @_;
    my $cpus   = Touchstone::Machine::Cpus::read_all();
    my %usable = map  { $_ => 1 } @{ $cpus->{usable} };
    my @absent = grep { !$usable{$_} } Touchstone::Machine::Cpus::list_of($want->{pin} // '');
    die { %USAGE, message => "option --pin names CPU $absent[0], usable are: @{ $cpus->{usable} }\n" }
        if @absent;
    my ($idle) = Touchstone::Run::Needs::idle_options($want, @tests);
    die { %USAGE,
              message => "--$idle chooses nothing that is measured: "
            . Touchstone::Run::Needs::belongs_to($idle)
            . "\n" }
        if defined $idle;
    @tests = map { Touchstone::Run::Needs::suited($want, $_) } @tests;
    my $kind = $want->{quick} ? 'quick' : $want->{classic} || $want->{iterations} ? 'classic' : 'default';
    my %plan = (
        copies   => [ _copies($want, $cpus) ],
        schedule => $kind,
        seed     => $want->{seed} // int(time * 1e6 + $$) % 1e9,
        usable   => $cpus->{usable_count},
        _sides_of_plan($want, $cpus),
        $want->{'self-compare'} ? (rounds => $Touchstone::Compare::SelfCompare::ROUNDS) : (),
        map { $_ => $want->{$_} } qw(iterations precision budget limit),
    );
    my @builds = _builds($want, $places);
    return {
        asked       => _asked($want),
        builds      => \@builds,
        want        => $want,
        suite       => $suite,
        places      => $places,
        cpus        => $cpus,
        tests       => \@tests,
        plan_wanted => \%plan,
        plan        => Touchstone::Run::Plan::make(%plan, tests => \@tests),
        cc          => Touchstone::Build::compiler(),
        duet        => @builds > 1 ? sprintf('%d-%.0f-%d', $$, time, $plan{seed}) : undef,
        purpose     => $want->{'self-compare'} ? 'self-compare' : @builds > 1 ? 'duet' : 'run',
    };
}

# Where the programs are.
sub _builds {
    my ($want, $places) = @_;
    return map { Touchstone::Base::Places::of_build($places, $_) } @{ $want->{duet} } if $want->{duet};
    my @sets = @{ $want->{build} || [] } or return $places;
    die { %USAGE, message => "--build needs the sources, and this is an installed copy\n" }
        if !$places->{source};
    return map { Touchstone::Build::Sets::places($places, $_) } @sets;
}

# A duet runs both at once where it can; the sets of --build take turns, so that each score is that of a
# machine to itself.
sub _sides_of_plan {
    my ($want, $cpus) = @_;
    return (
        sides => 2,
        cpus  => scalar(my @list = Touchstone::Machine::Cpus::list_of($want->{pin} // ''))
            || $cpus->{usable_count}
    ) if $want->{duet};
    return @{ $want->{build} || [] } > 1 ? (sides => scalar @{ $want->{build} }, cpus => 0) : ();
}

# What suites take from the words of the command line into the record: { key => value }.
sub _asked {
    my ($want) = @_;
    my @hear   = grep { defined } map { $_->can('asked') } values %{ Touchstone::Suite::packages('Tables') };
    my $asked  = eval {
        +{ map { %{ $_->($want) } } @hear };
    } or die { %USAGE, message => $@ };
    return $asked;
}

# One copy, and as many as there are usable CPUs; or what -c says, each once. --scaling adds its own, and they
# go up.
sub _copies {
    my ($want, $cpus) = @_;
    my %seen;
    my @asked = map { $_ + 0 } @{ $want->{copies} };
    return grep { !$seen{$_}++ } @asked ? @asked : (1, $cpus->{usable_count}) if !$want->{scaling};
    my @all = sort { $a <=> $b } grep { !$seen{$_}++ } @asked, _steps($cpus->{usable_count});
    return @all;
}

# 1, 2, 4 ... copies up to the CPUs, all of them, and twice as many.
sub _steps {
    my ($cpus) = @_;
    my @steps = ($cpus, 2 * $cpus);
    for (my $n = 1; $n < $cpus; $n *= 2) { push @steps, $n }
    return @steps;
}

# Measures and calls `report`, of the setup as `progress` is, with what was measured: its exit status.
sub run {
    my ($setup) = @_;
    my ($want, $places) = @$setup{qw(want places)};
    my $progress = $setup->{progress};
    my $signal;
    my $stopped = $setup->{stopped} = sub { $signal };
    local @SIG{ keys %SIGNAL } = map {
        my $name = $_;
        ($SIG{$name} // '') eq 'IGNORE' ? 'IGNORE' : sub { $signal //= $name }
    } keys %SIGNAL;
    local $SIG{PIPE} = 'IGNORE';
    _read_baselines($setup);
    Touchstone::Base::Places::prepare_results($places);
    Touchstone::Record->sweep(@$places{qw(results runs)});
    my $workdir = Touchstone::Machine::Workdir->new($places->{tmp});
    my @places  = eval { _built($setup) } or $signal or die $@;

    # Of builds that are not there nothing can be told.
    die { exit => 128 + $SIGNAL{$signal}, message => "stopped by SIG$signal\n" }
        if $signal && grep { $_->{set} } @places;
    $setup->{equipment} = Touchstone::Run::Needs::find(
        %$setup,
        places  => $places[0],
        copies  => $setup->{plan_wanted}{copies},
        scratch => $workdir->path
    ) if !$signal;
    my ($good, $bad) = $signal ? ([], []) : _sort_out($setup, @places);
    _check_resumed($setup, @$bad);
    my $plan =
        @$good
        ? Touchstone::Run::Plan::make(%{ $setup->{plan_wanted} }, tests => $good)
        : { %{ $setup->{plan} }, blocks => [], seconds => 0, most => 0 };
    my @sides = _sides($setup, $plan, $workdir, @places);
    _begin($setup, $plan, $bad, map { $_->{record} } @sides);
    _tell_unbuilt($setup, map { $_->{record} } @sides);
    my $walked =
        eval { _runner($setup, $plan, $workdir, @sides)->run($plan) if @{ $plan->{blocks} } && !$signal; 1 };

    # What is said of trouble must not stand within the line that was written over.
    $progress->finish;
    die $@ if !$walked;
    $_->remove for $workdir, @{ ($setup->{equipment} || {})->{held} || [] };
    return $setup->{report}->($setup, $signal, map { $_->{record} } @sides);
}

# The places whose programs are there; a set of --build that cannot be built leaves the others.
sub _built {
    my ($setup) = @_;
    my @how = ($setup->{progress}, $setup->{stopped}, @{ $setup->{tests} });
    my @built;
    for my $places (@{ $setup->{builds} }) {
        my @trouble =
            $places->{set}
            ? Touchstone::Run::Preflight::build_set($places, @how)
            : Touchstone::Run::Preflight::build($places, @how);
        return $places if $setup->{stopped}->();
        if (!@trouble) { push @built, $places; next }
        push @{ $setup->{unbuilt} }, { name => $places->{set}{name}, why => \@trouble };
        $setup->{progress}->trouble($_)
            for "the build '$places->{set}{name}' failed: $trouble[0]",
            map { "  $_" } @trouble[ 1 .. $#trouble ];
    }
    die "no build is left to be measured\n" if !@built;

    # What is left alone is compared with nothing.
    if (@built > 1) { $setup->{plan_wanted}{sides} &&= @built }
    else {
        delete $setup->{plan_wanted}{sides};
        @$setup{qw(duet purpose)} = (undef, 'run') if $setup->{purpose} eq 'duet';
    }
    return @built;
}

# Reports of the others know why there are no more of them.
sub _tell_unbuilt {
    my ($setup, @records) = @_;
    for my $lost (@{ $setup->{unbuilt} || [] }) {
        $_->add(
            warnings => {
                id   => 'build',
                text => "the build '$lost->{name}' failed: " . join '; ',
                @{ $lost->{why} }
            }
        ) for @records;
    }
    return;
}

# { name => { score, by_copies } } of George and his like, or of the run that stands in their place; and the
# published results beside which reports show this run.
sub _read_baselines {
    my ($setup) = @_;
    my ($want, $places, $tests) = @$setup{qw(want places tests)};
    my $suites = $setup->{suite}->suites_of(@$tests);
    my %form   = map { %{ $_->{published} || {} } } values %$suites;
    my %file   = map { $_ => _beside_programs($places, "$_.csv") } keys %form;
    my %tables = map { $_ => Touchstone::Suite::Published::load($file{$_}, %{ $form{$_} }) } sort keys %form;
    $setup->{published} = \%tables;
    my %known =
        map { $_ => { file => $file{$_}, key => $form{$_}{text}[0], rows => $tables{$_} } } keys %form;
    my @indexes = Touchstone::Compare::Baseline::of_indexes(\%known,
        map { @{ $_->{indexes} || [] } } sort { $a->{order} <=> $b->{order} } values %$suites);
    $setup->{indexes} = \@indexes;

    if (defined $want->{baseline}) {
        my $run   = $setup->{baseline_run} = _reference($setup);
        my %asked = map { $_->{name} => $_->{version} } @$tests;
        @$setup{qw(baselines baseline_name)} =
            (Touchstone::Compare::Baseline::of_run($run, \%asked), $run->{name});
        my @partial = Touchstone::Compare::Baseline::partial_of($run, \%asked);
        $setup->{baseline_partial} = [ grep { /\A(\S+)/ && $asked{$1} } @partial ];
        $setup->{indexes} =
            [ map { Touchstone::Compare::Baseline::against($_, $setup->{baselines}, $run->{name}) }
                @indexes ];
        return;
    }
    my $scores    = Touchstone::Compare::Baseline::load(_beside_programs($places, 'index.base'));
    my $published = Touchstone::Compare::Baseline::of_tables(\%known, @$tests);
    $setup->{baselines} = { (map { $_ => { score => $scores->{$_} } } keys %$scores), %$published };
    my %seen;
    my @names = grep { defined $_ && !$seen{$_}++ }
        map { $_->{reference} } sort { $a->{order} <=> $b->{order} } values %$suites;
    $setup->{baseline_name} = @names ? join(', ', @names) : undef;
    return;
}

# The run that stands in the place of baselines. A gate must not take one that cannot be read for a verdict.
sub _reference {
    my ($setup) = @_;
    my ($want, $places) = @$setup{qw(want places)};
    my $run =
        eval { Touchstone::Compare::Run::load($want->{baseline}, $places->{runs}, $setup->{suite}->titles) };
    return $run if $run;
    die { exit => defined $want->{'fail-on'} ? $USAGE{exit} : 1, message => $@ };
}

# Programs of another build may have come alone.
sub _beside_programs {
    my ($places, $name) = @_;
    my ($file) = grep { -e } map { "$_/$name" } $places->{bin}, "$places->{base}/pgms";
    return $file // "$places->{base}/pgms/$name";
}

# A test that cannot run at one of the places runs at none.
sub _sort_out {
    my ($setup, @places) = @_;
    my ($good,  @bad)    = ($setup->{tests});
    for my $places (@places) {
        ($good, my $more) = Touchstone::Run::Preflight::sort_out(
            {
                %$places,
                cc        => (split ' ', $setup->{cc})[0],
                copies    => $setup->{plan_wanted}{copies},
                equipment => $setup->{equipment}
            },
            @$good
        );
        push @bad, @$more;
    }
    return ($good, \@bad);
}

# What could be measured when the run began, and no more: its passes would be lost if the run were ended
# without it.
sub _check_resumed {
    my ($setup, @bad) = @_;
    return if !$setup->{record};
    my $data  = $setup->{record}->data;
    my %known = map { $_->{test} => 1 } @{ $data->{failures} }, @{ $data->{skipped} };
    my @lines = Touchstone::Run::Words::losses(grep { !$known{ $_->{test} } } @bad) or return;
    die "cannot go on with '$data->{name}': " . join('; ', @lines) . "\n";
}

# What Runner needs of each place: a record, and the environment of its programs.
sub _sides {
    my ($setup, $plan, $workdir, @places) = @_;
    my @sides;
    for my $places (@places) {
        my $record = $setup->{record} // _new_record($setup, $places, $plan);
        my $locale = $record->data->{locale}{name};
        push @sides,
            {
            record => $record,
            places => {
                bin     => $places->{bin},
                testdir => $places->{testdir},
                cc      => $setup->{cc},
                %{ $setup->{equipment}{values} || {} }
            },
            env => {
                LC_ALL      => $locale,
                LANG        => $locale,
                UB_BINDIR   => $places->{bin},
                UB_TESTDIR  => $places->{testdir},
                UB_TMPDIR   => $workdir->path,
                TST_SH_KEEP => ''
            },
            };
    }
    if ($setup->{record}) {
        Touchstone::Run::Resume::check_same($setup->{record}->data,
            Touchstone::Run::Head::make($places[0], $setup, $plan));
        $setup->{record}->go_on;
    }
    return @sides;
}

sub _new_record {
    my ($setup, $places, $plan) = @_;
    my $head  = Touchstone::Run::Head::make($places, $setup, $plan);
    my $fixed = $setup->{purpose} eq 'duet' ? ''     : Touchstone::Base::Places::fixed_name($setup->{places});
    my @names = length $fixed               ? $fixed : Touchstone::Base::Places::names(
        $setup->{places},
        $head->{host}{name},
        POSIX::strftime('%Y-%m-%d', localtime $head->{started})
    );
    return Touchstone::Record::Journal->create(
        $setup->{places}{runs}, $head,
        names   => \@names,
        replace => length $fixed
    );
}

sub _begin {
    my ($setup, $plan, $bad, @records) = @_;
    my $progress = $setup->{progress};
    for my $lost (@$bad) {
        my %entry = %$lost;
        my $kind  = delete $entry{kind};
        _add_once($_, $kind, test => \%entry) for @records;
    }
    $progress->trouble($_) for Touchstone::Run::Words::losses(@$bad);
    return if !@{ $plan->{blocks} };
    $progress->note($_) for Touchstone::Run::Words::announcement($plan), _forecast($setup, $plan);
    my $data     = $records[0]->data;
    my @warnings = Touchstone::Machine::Advice::before_run(
        host   => $data->{host},
        locale => $data->{locale},
        copies => $data->{schedule}{copies},
        tests  => $setup->{tests}
    );
    push @warnings, _load_warning()
        if !Touchstone::Machine::wait_for_quiet($QUIET_WAIT, $setup->{stopped}) && !$setup->{stopped}->();
    push @warnings, _baseline_warning($setup, $data);

    for my $warning (@warnings) {
        _add_once($_, warnings => id => $warning) for @records;
        $progress->note(Touchstone::Run::Words::warning($warning));
    }
    $progress->plan($plan);
    return;
}

# A run that is gone on with knows some of it already.
sub _add_once {
    my ($record, $list, $key, $entry) = @_;
    $record->add($list => $entry) if !grep { $_->{$key} eq $entry->{$key} } @{ $record->data->{$list} };
    return;
}

sub _load_warning {
    return {
        id      => 'load',
        text    => 'other processes were running when the run began',
        remedy  => 'stop them, or wait until they are done',
        invalid => 1
    };
}

sub _baseline_warning {
    my ($setup, $data) = @_;
    return if !defined $setup->{want}{baseline};
    my @without = map  { $_->{name} } grep { !defined $_->{baseline} } @{ $data->{tests} };
    my %said    = map  { $_ => 1 } map     { /\A(\S+)/ } @{ $setup->{baseline_partial} };
    my @missing = grep { !$said{$_} } @without;
    my @wrong   = (@missing ? 'no ' . join(', ', @missing) : (), @{ $setup->{baseline_partial} });
    return if !@wrong;
    return {
        id   => 'baseline',
        text => "the baseline '$setup->{baseline_name}' has " . join('; ', @wrong),
        @without ? (remedy => 'the index is made of the other tests') : ()
    };
}

# What the newest run of this machine with these tests says about the precision asked for.
sub _forecast {
    my ($setup, $plan) = @_;
    my $want = $setup->{want};
    return
           if !defined $want->{precision} && !defined $want->{budget}
        || $setup->{record}
        || !grep { !Touchstone::Run::Plan::is_whole($_) } @{ $setup->{tests} };
    my $name = (POSIX::uname())[1];
    my $past = Touchstone::Record->newest(
        $setup->{places}{runs},
        sub {
            my ($run) = @_;
            return
                   $run->{host}{name} eq $name
                && $run->{schedule}{kind} eq 'default'
                && ($run->{purpose} // 'run') eq 'run'
                && _judges($run, @{ $setup->{tests} });
        }
    );
    my %known = map {
        my $block = $_;
        $block->{copies} => { map { $_->{name} => $_ } grep { defined $_->{error} } @{ $block->{tests} } }
    } $past ? @{ Touchstone::Score::results($past) } : ();
    return Touchstone::Run::Words::forecast(
        $plan,
        $past && $past->{name},
        Touchstone::Run::Plan::forecast($plan, \%known)
    );
}

# Whether a run has passes enough of any of these tests for an interval.
sub _judges {
    my ($run, @tests) = @_;
    my %passes;
    $passes{ $_->{copies} }{ $_->{test} }++ for grep { $_->{round} } @{ $run->{passes} };
    for my $known (values %passes) {
        return 1 if grep { ($known->{ $_->{name} } // 0) >= $Touchstone::Stats::FEWEST } @tests;
    }
    return 0;
}

sub _runner {
    my ($setup, $plan, $workdir, @sides) = @_;
    my $class = @sides > 1 ? 'Touchstone::Run::Duet' : 'Touchstone::Run::Runner';
    return $class->new(
        sides   => \@sides,
        workdir => $workdir,
        pin     => $setup->{want}{pin} // 'none',
        seed    => $plan->{seed},
        at_once => $setup->{want}{duet} ? 1 : 0,
        map { $_ => $setup->{$_} } qw(progress cpus stopped)
    );
}

1;
