#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes every form of every subject to files, from records that are always the same:
#
#   t/frozen.pl DIRECTORY [SUBJECT ...]         writes them as this tree makes them
#   t/frozen.pl --since COMMIT [SUBJECT ...]    writes them as COMMIT makes them, too, and shows the differences
#
# Subjects are run, compare, fleet and command; without one, all.
#
# They are compared before and after a change of the reports. The records are those of t/golden, those of
# invented machines and fleets, and those of runs whose programs are replaced (Stub). Time stands still.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path remove_tree);
use File::Temp ();

my $NOW;

BEGIN {
    $NOW = 1_795_400_000;
    require Time::HiRes;
    no warnings qw(once redefine);
    *CORE::GLOBAL::time = *Time::HiRes::time = sub () { $NOW };
}
use lib map { dirname(__FILE__) . $_ } '/../lib', '/lib';
use Touchstone::Machine;

# Runs look at the machine; theirs is that of a golden record.
my (%host, $host_facts);

BEGIN {
    $host_facts = \&Touchstone::Machine::host_facts;
    no warnings 'redefine';
    *Touchstone::Machine::host_facts = sub { return %host ? {%host} : $host_facts->(@_) };
}
use Fake;
use Fleetful;
use Forms;
use Modern;
use Pages;
use Runs;
use Scored;
use Stub;
use Touchstone::Base::Random qw(normal);
use Touchstone::Cli::App;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Report::Forms;

# The forms of a run, of a comparison and of a fleet.
my ($RUN, $COMPARISON, $FLEET) = map { [ Touchstone::Report::Forms::names($_) ] } qw(run comparison fleet);
my @SUITES   = qw(bytemark lbt lmb1997 platform truth);
my %COMPARED = (
    'two'            => [qw(old new)],
    'three'          => [qw(old new worse)],
    'builds-two'     => [qw(vm-O0 vm-O2)],
    'builds-three'   => [qw(vm-O0 vm-O2 vm-O3)],
    'modern'         => [qw(modern modern-other)],
    'set'            => [qw(again-1 again-2 again-3)],
    'not-valid'      => [qw(unixbench disturbed)],
    'nothing-common' => [qw(fixed modern)],
    'equal'          => [qw(unixbench unixbench)],
    'classic'        => [qw(sure classic.txt)],
    'scaling'        => [qw(scaling old)],
    'fixed-work'     => [qw(fixed fixed)],
    'platform'       => [qw(platform platform)]
);

my %SHOW = (
    run     => \&show_runs,
    compare => \&show_comparisons,
    fleet   => \&show_fleets,
    command => \&show_the_command
);
my ($since, $directory, @subjects) = ($ARGV[0] // '') eq '--since' ? @ARGV : (undef, @ARGV);
if (!defined $directory || grep { !$SHOW{$_} } @subjects) {
    print STDERR "usage: t/frozen.pl DIRECTORY [SUBJECT ...], or t/frozen.pl --since COMMIT [SUBJECT ...]\n";
    exit 2;
}
@subjects = sort keys %SHOW if !@subjects;

# Sums of floating point depend on their order, and that on the order of hashes.
if (($ENV{PERL_HASH_SEED} // '') ne '0') {
    local %ENV = (%ENV, PERL_HASH_SEED => 0, TZ => 'UTC');
    exec $^X, $0, @ARGV or die "cannot start perl: $!\n";
}
my ($out, $fake);
exit(defined $since ? show_differences($directory) : write_all($directory));

sub show_differences {
    my ($commit) = @_;
    my $temp = File::Temp->newdir;
    system('git', '-C', $Fake::BASE, 'worktree', 'add', '-q', '--detach', "$temp/tree", $commit) == 0
        or return 2;
    my $status = 0;
    for my $side ([ "$temp/tree" => "$temp/before" ], [ $Fake::BASE => "$temp/after" ]) {

        # Commands name Run as it is called from the directory where they are.
        chdir $side->[0] or die "cannot enter '$side->[0]': $!\n";
        $status ||= system $^X, 't/frozen.pl', $side->[1], @subjects;
    }
    system 'git', '-C', $Fake::BASE, 'worktree', 'remove', '--force', "$temp/tree";
    return 2 if $status;
    return system('diff', '-r', '-U', 2, "$temp/before", "$temp/after") ? 1 : 0;
}

sub write_all {
    ($out) = @_;
    make_path($out);
    $fake = Stub->new;
    my @runs = make_records();
    $SHOW{$_}->(@runs) for @subjects;
    return 0;
}

# Writes what a command prints; paths of this place, which are others each time, have names of their own.
sub show {
    my ($name, @words) = @_;
    my $got  = $fake->run(\@words, env => { LC_ALL => 'C.UTF-8' });
    my $text = $got->{out};
    $text .= "--- standard error\n$got->{err}"  if length $got->{err};
    $text .= "--- exit status $got->{status}\n" if $got->{status};
    keep($name, $text);
    return;
}

sub keep {
    my ($name, $text) = @_;
    my $file = "$out/$name";
    make_path(dirname($file));
    $text =~ s{/touchstone-\d+-\w+}{/work}g;
    $text =~ s{/tmp/(?:\w|\\_){10,12}(?!\w)}{/frozen}g;
    $text =~ s/\Q$Fake::BASE\E/\/touchstone/g;
    Fake::write_file($file, $text);
    return;
}

# --- records

# Stores the records of all runs, and returns their names.
sub make_records {
    my %made = (
        %{ Pages::records() },
        (
            map { $_ => Touchstone::Record->load("$Fake::BASE/t/golden/$_.json", 'nowhere') }
                qw(record sure fixed)
        ),
        (map { $_ => Forms->can($_)->() } Forms::MACHINES()),
        measured_records()
    );
    mkdir "$fake->{results}";
    mkdir "$fake->{results}/.runs";
    for my $name (sort keys %made) {
        Fake::write_file("$fake->{results}/.runs/$name.json",
            Touchstone::Record::Json::encode({ %{ $made{$name} }, name => $name }));
    }
    return sort keys %made;
}

# The records of runs of this tree, whose programs are replaced: rates differ as on real machines.
sub measured_records {
    my $random = Touchstone::Base::Random::generator(1);
    %host = %{ Touchstone::Record->load("$Fake::BASE/t/golden/sure.json", 'nowhere')->{host} };
    my %does = map {
        my $middle = 1e6 * exp(2 * normal($random));
        ($_ => 'rates ' . join ';', map { sprintf '%.6g', $middle * exp(0.01 * normal($random)) } 1 .. 15)
    } map { $_->{program} } Touchstone::Suite::load()->tests;
    my %wanted = (
        unixbench => [ [qw(-c 1 -c 2)], {} ],
        failures  =>
            [ [qw(--quick -c 1 pipe spawn execl)], { spawn => 'exit 3', execl => 'lines SKIP|no execl' } ],
        short   => [ [qw(--quick -c 2)],                        {} ],
        classic => [ [qw(--classic -c 1)],                      {} ],
        again   => [ [qw(--quick -c 1 --again 3 pipe syscall)], {} ],
        price   => [ [qw(--quick -c 1 --price 40EUR/month)],    {} ],
        map { ($_ => [ [ qw(--quick -c 1), $_ ], {} ]) } @SUITES
    );
    my %made;
    for my $name (sort keys %wanted) {
        my ($words, $other) = @{ $wanted{$name} };
        my $stub = Stub->new;
        my $got  = $stub->run([ @$words, '--seed', 1 ], does => { %does, %$other });
        my @runs = sort $stub->names or die "no run of $name: $got->{err}\n";
        my @new  = @runs == 1 ? $name : map { "$name-$_" } 1 .. @runs;
        @made{@new} = map { _steady($stub->record($_)) } @runs;
        keep("measure/$name.err", $got->{err});
    }
    $made{disturbed} = {
        %{ $made{unixbench} },
        warnings => [ { id => 'battery', text => 'the machine runs on its battery', invalid => 1 } ]
    };
    return %made;
}

# A record without what differs from day to day: how long its passes took by the clock of the machine.
sub _steady {
    my ($record) = @_;
    for my $pass (@{ $record->{passes} }) {
        $pass->{seconds} = 1.02;
        $pass->{counters}{seconds} = 1.1 if $pass->{counters};
    }
    return $record;
}

# --- what is shown of them

sub show_runs {
    my (@runs) = @_;
    for my $run (@runs) {
        show("run/$run.$_", 'report', $run, '--format', $_) for @$RUN;
    }
    for my $run (Forms::MACHINES()) {
        show("form/$run.$_", 'form', $run, '--format', $_) for qw(text markdown html json);
    }
    return;
}

sub show_comparisons {
    Fake::write_file("$fake->{results}/.runs/classic.txt",
        Fake::read_file("$Fake::BASE/t/golden/classic.txt"));
    for my $name (sort keys %COMPARED) {
        my @runs = map { /\.txt\z/ ? "$fake->{results}/.runs/$_" : $_ } @{ $COMPARED{$name} };
        show("compare/$name.$_", 'compare', @runs, '--format', $_) for @$COMPARISON;
    }
    return;
}

sub show_fleets {
    my %with  = (hosts => 24, seed => 7, copies => [ 1, 4 ], between => 0.003, within => 0.003, runs => 2);
    my %fleet = (
        calm  => {%with},
        worst => {
            %with,
            effect  => { web3 => -0.12, web9 => { '1 pipe' => -0.2 } },
            missing => [qw(web5 web6)],
            host    => { web9 => { governor => 'powersave' }, '*' => sub { return } }
        },
        few   => { %with, hosts => 4, runs => 1 },
        after => {
            %with,
            id     => 'k69',
            seed   => 8,
            effect => { '*' => { '1 pipe' => -0.04, '4 syscall' => 0.03 } }
        }
    );
    for my $name (sort keys %fleet) {
        my %of = %{ $fleet{$name} };
        delete $of{host}{'*'} if $of{host};
        Fleetful::campaign("$fake->{dir}/$name", %of);
    }
    for my $form (@$FLEET) {
        show("fleet/$_.$form", 'fleet', 'judge', "$fake->{dir}/$_", '--format', $form) for qw(calm worst few);
        show("rollout/$_.$form", 'fleet', 'judge', (map { "$fake->{dir}/$_" } split /-/, $_),
            '--format', $form)
            for qw(calm-after worst-calm few-after);
        show("like/$_.$form", 'place', $_, '--among', "$fake->{dir}/calm", '--format', $form)
            for qw(unixbench price);
    }
    show("status/$_.text", 'fleet', 'judge', "$fake->{dir}/$_", '--format', 'status') for qw(calm worst few);
    keep("pages/fleet-$_->[0]", Fake::read_file($_->[1]))
        for map { [ s{.*/([^/]+/)}{$1}r =~ tr{/}{-}r => $_ ] }
        sort glob "$fake->{dir}/worst/{,report/}*.html";
    return;
}

sub show_the_command {
    show('pages/browse.said', 'browse');
    keep('pages/browse.html', Fake::read_file("$fake->{results}/index.html"));
    show("command/$_->[0]", @{ $_->[1] })
        for [ help => ['--help'] ], [ man => ['manual'] ], [ bash => [qw(completion bash)] ],
        [ zsh         => [qw(completion zsh)] ], [ list => ['list'] ], [ 'list.json' => [qw(list --json)] ],
        [ 'list-pipe' => [qw(list pipe)] ], [ 'list-all' => [qw(list modern lbt platform)] ],
        [ unknown     => ['--formt'] ], [ 'no-run' => [qw(report nothing)] ];
    return;
}
