#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run as a whole, with fake programs: the forms of the command, the files, and what other people's programs
# find in the output.
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use Readers;
use Stub;
use Touchstone::Base::Symbols;
use Touchstone::Cli::Options;
use Touchstone::Machine::Advice;
use Touchstone::Machine::Cpus;
use Touchstone::Suite;
use Touchstone;

my $fake   = Fake->new;
my $usable = Touchstone::Machine::Cpus::read_all()->{usable_count};

# Tests that a run succeeds.
sub good {
    my ($words, %also) = @_;
    my $got = $fake->run($words, %also);
    is("$got->{status} $got->{signal}", '0 0', "'@$words' succeeds") or diag($got->{err});
    return $got;
}

sub disciplined {
    my ($got, $what) = @_;
    is_deeply([ Readers::undisciplined($got, $fake->{temp}, (POSIX::uname())[1]) ],
        [], "$what: no line beside the report looks like a result");
    return;
}

sub readers {
    my ($got, $what) = @_;
    my $form = eval { Readers::form(Fake::report($got->{out})) } or return fail("$what: $@");
    is_deeply([ Readers::complaints("$got->{err}$got->{out}", $form) ],
        [], "$what: readers find what they look for");
    return;
}

subtest 'the default form prints the report and stores four files' => sub {
    my $got = good(['--quick'], command => \@Fake::RUN);
    my ($name) = $fake->names;
    like($name, qr/-\d{4}-\d\d-\d\d-01\z/, 'the first name');
    is_deeply(
        [ Fake::entries($fake->{results}) ],
        [ sort "$name", "$name.html", "$name.log", '.runs' ],
        'nothing else in results'
    );
    is_deeply([ Fake::entries("$fake->{results}/.runs") ], ["$name.json"], 'the record, and no journal');
    is(
        $got->{out},
        '=' x 72 . "\n" . Fake::read_file("$fake->{results}/$name"),
        'a line of 72 = and the text report, nothing else'
    );
    my @copies = map { $_->{copies} } @{ $fake->record->{results} };
    is_deeply(\@copies, $usable == 1 ? [1] : [ 1, $usable ], 'one copy, and one for each usable CPU');
    like($got->{out}, qr/^System Benchmarks Index Score {40}1927\.8$/m, 'the index of the worked example');
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'nothing is left in the work directory');
    readers($got, 'all of the index');
    disciplined($got, 'all of the index');
};

subtest 'what the host facts warn of is said and recorded, and the facts can be advised on again' => sub {
    my $got    = good([qw(--quick -c 1 -c 3 fstime)]);
    my $record = $fake->record;
    my ($row)  = Touchstone::Suite::load()->expand('fstime');
    my @advice = Touchstone::Machine::Advice::before_run(
        map({ $_ => $record->{$_} } qw(host locale)),
        copies => [ 1, 3 ],
        tests  => [$row]
    );
    is_deeply([ grep { !$_->{late} && $_->{id} ne 'load' } @{ $record->{warnings} } ],
        \@advice, 'the record has them');
    is(scalar(() = $got->{err} =~ /^# warning: \Q$_->{text}; $_->{remedy}\E$/mg) > 0, 1, "said: $_->{id}")
        for @advice;
    is(
        $record->{host}{work_directory},
        Cwd::realpath($fake->{tmp}),
        'the work directory is the one of the run'
    );
    is($record->{host}{clock_cost_ns}, 'unknown', 'without its program the cost of the clock is unknown');
};

# How passes are made does not matter to what follows, but for what asks for a Fake.
$fake = Stub->new;

subtest 'each kind of report is read as it should be' => sub {
    for my $words (
        [qw(pipe syscall -c 1 -c 2 -c 4)], [qw(pipe -c 1)],
        [qw(whetstone-double -c 2)],       [qw(hanoi -c 1)],
        [qw(hanoi grep pipe -c 1 -c 2)]
    ) {
        my $got = good([ '--quick', @$words ]);
        readers($got, "@$words");
        disciplined($got, "@$words");
    }
    my $tools = File::Temp->newdir;
    symlink $Fake::PROGRAM, "$tools/x11perf" or die "cannot make a fake: $!\n";
    my $drawn = good(
        [qw(--quick 2d-rects sysexec grep pipe -c 1)],
        env => { DISPLAY => undef, PATH => "$ENV{PATH}:$tools" }
    );
    $_->($drawn, 'titles with other characters') for \&readers, \&disciplined;
    my ($name) = reverse $fake->names;
    like(good([ 'report', $name, '--format', $_->[0] ])->{out}, $_->[1], "escaped in $_->[0]")
        for [ html => qr/"Grep a large file \(system&#39;s grep\)"/ ],
        [ table =>
            qr/^Concurrency,2D graphics: rectangles,Exec System Call Overhead,Grep a large file \(system's grep\),Pipe Throughput$/m
        ],
        [ markdown => qr/\| grep in a large file \| \S+ \| 1000 lps \|/ ];
    my $got   = good([qw(--quick -c 1 hanoi)]);
    my $gains = good([qw(--quick pipe hanoi -c 1 -c 2)]);
    ($name) = reverse $fake->names;
    my $summary = good([ 'report', $name, '--format', 'summary' ]);
    is($summary->{err}, '', 'a summary of a stored run is no conversation');
    like(
        $summary->{out},
        qr/^speed-up, 2 copies: pipe \d[\d.]* .*, hanoi \d[\d.]*(?: \(|$)/m,
        'it has the speed-ups'
    );
    is(
        join('', map { "# $_\n" } split /\n/, $summary->{out}) =~ s/^# log.*//msr,
        ($gains->{err} =~ /(^# (?:not valid|partial index).*?)^# log: /ms)[0],
        'and is what the run said at its end'
    );
    unlike($got->{out}, qr/Index/, 'a category without baselines prints no table');
};

subtest 'only UB_OUTPUT_CSV=true makes a table of scores' => sub {
    good([qw(--quick -c 1 pipe)], env => { UB_OUTPUT_CSV => $_ }) for '', 'false', '1';
    is_deeply([ grep { /csv/ } Fake::entries($fake->{results}) ], [], 'none otherwise');
    good([qw(--quick -c 1 -c 2 syscall pipe)], env => { UB_OUTPUT_CSV => 'true' });
    my ($name) = reverse $fake->names;
    is(
        Fake::read_file("$fake->{results}/$name.csv"),
        "Concurrency,Pipe Throughput,System Call Overhead\n1,3064197.0,1890776.3\n2,6128394.0,3781552.6\n",
        'the table'
    );
    my $file = sub { return Fake::read_file("$fake->{results}/$_[0]") =~ s/^<li><a href="(?!#).*\n//gmr };

    # The page among the results has links to what stands beside it.
    good([ qw(report), $name, '--format', $_->[0] ])->{out} eq $file->($_->[1])
        or fail("report makes another $_->[0]")
        for [ text => $name ], [ html => "$name.html" ], [ table => "$name.csv" ], [ log => "$name.log" ],
        [ json => ".runs/$name.json" ];
    is(good([ 'report', $_ ])->{out}, Fake::read_file("$fake->{results}/$name"), 'by name and by path')
        for $name, "$fake->{results}/.runs/$name", "$fake->{results}/.runs/$name.json";
};

subtest 'names count up, and UB_OUTPUT_FILE_NAME is overwritten' => sub {
    my $count = my @before = $fake->names;
    my ($stem) = $before[-1] =~ /(.*)-\d+\z/;
    good([qw(--quick -c 1 pipe)]);
    is(($fake->names)[-1], sprintf('%s-%02d', $stem, $count + 1), 'the next number')
        if $stem eq (($fake->names)[-1] =~ /(.*)-\d+\z/)[0];
    unlink "$fake->{results}/.runs/" . ($fake->names)[-1] . '.json';
    good([qw(--quick -c 1 pipe)]);
    is(scalar(my @after = $fake->names), $count + 2, 'a report without a record is not overwritten');
    my %fixed  = (UB_OUTPUT_FILE_NAME => 'my run');
    my $first  = good([qw(--quick -c 1 pipe)],    env => \%fixed);
    my $second = good([qw(--quick -c 1 syscall)], env => \%fixed);
    is(Fake::report($second->{out}), Fake::read_file("$fake->{results}/my run"), 'the second run is there');
    isnt($first->{out}, $second->{out}, 'and not the first');
    is_deeply(
        [ grep { /my run/ } Fake::entries($fake->{results}), Fake::entries("$fake->{results}/.runs") ],
        [ 'my run', 'my run.html', 'my run.log', 'my run.json' ],
        'with its own files only'
    );
    unlink map { "$fake->{results}/$_" } 'my run', 'my run.html', 'my run.log';
};

subtest 'the classic options do what they did' => sub {
    my $quiet = good([qw(-q --quick -c 1 pipe)]);
    is($quiet->{err}, '', '-q says nothing');
    like($quiet->{out}, qr/\A={72}\n   BYTE UNIX.*^Pipe Throughput/ms, 'and prints the report to a file');
    my $brief = good([qw(-b --quick -c 1 pipe)]);
    unlike($brief->{out}, qr/^ +CPU \d|bogomips/m, '-b leaves the CPUs out');
    like($brief->{out}, qr/^1 CPU in system|^\d+ CPUs in system/m, 'but not their number');
    like(good([qw(-v --quick -c 1 pipe)])->{err}, qr/\Q$fake->{bin}\E\/pipe 0\.15$/m,
        '-v shows the commands');
    unlike(good([qw(--quick -c 1 pipe)])->{err}, qr/\Q$fake->{bin}\E/, 'which are not shown otherwise');
    good([qw(pipe --quick syscall -c 1 -b pipe)]);
    is_deeply([ map { $_->{name} } @{ $fake->record->{tests} } ],
        [qw(pipe syscall)], 'options may follow names, and a name given twice counts once');
    good([qw(--quick -c4 -c 1 -c 4 pipe)]);
    is_deeply(
        [ map { $_->{copies} } @{ $fake->record->{blocks} } ],
        [ 4, 1 ],
        'copy counts in their order, each once'
    );
    good([qw(-i 4 -c 1 pipe shell8)]);
    my @passes = map { "$_->{test} $_->{round} $_->{window}" } @{ $fake->record->{passes} };
    is_deeply(
        \@passes,
        [ 'pipe 1 10', 'pipe 2 10', 'pipe 3 10', 'pipe 4 10', 'shell8 1 60' ],
        '-i is the classic schedule: all and a third, with its windows'
    );
    like(good([qw(-i 1 -c 1 pipe)])->{out}, qr/\(1\.0 s, 1 samples\)$/m, 'the word is samples also for 1');
};

subtest 'the order of the tests follows from the seed' => sub {
    my @orders = map {
        good([ qw(--quick -q -c 1 pipe syscall spawn execl context1 --seed), $_ ]);
        join ' ', map { $_->{test} } @{ $fake->record->{passes} }
    } 7, 7, 8;
    is($orders[0], $orders[1], 'the same for the same');
    isnt($orders[0], $orders[2], 'another for another');
};

subtest 'questions are answered on standard output and nothing is run' => sub {
    my $other  = Fake->new;
    my %answer = map {
        my $words = $_;
        my $got   = $other->run([ split ' ', $words ]);
        is("$got->{status}$got->{err}", '0', $words);
        ($words => $got->{out})
        } '--version', '--help', 'manual', 'list', 'list all', 'list --json', '--dry-run',
        '--dry-run --classic -c 3 pipe';
    ok(!-e $other->{results}, 'no results appear');
    is_deeply([ Fake::entries($other->{state}), Fake::entries($other->{tmp}) ], [], 'no program was started');
    is($answer{'--version'}, "Touchstone $Touchstone::VERSION\n", 'the version');
    my @long = map { "--$_->[-1]" } Touchstone::Cli::Options::names();
    for my $where ('manual') {
        is_deeply([ grep { $answer{$where} !~ /(?<!\S)\Q$_\E(?![\w-])/ } @long ],
            [], "$where names every option");
    }
    my @rows  = Touchstone::Suite::load()->tests;
    my @lines = map { [ $_->{name}, $_->{label} // $_->{title} ] } @rows;
    is_deeply([ grep { $answer{'list all'} !~ /^  \Q$_->[0]\E +\Q$_->[1]\E +[\w ]+$/m } @lines ],
        [], 'the list of all has every test');
    my $list = JSON::PP->new->utf8->decode($answer{'list --json'});
    is_deeply(
        [ map { "$_->{name}: $_->{title}, $_->{about}" } @{ $list->{tests} } ],
        [ map { "$_->{name}: $_->{title}, $_->{about}" } @rows ],
        'as JSON too'
    );
    like($answer{'--dry-run'}, qr/12 tests.*; \d+ s to [36] min$/m, 'the plan with its time');
    like(
        $answer{'--dry-run --classic -c 3 pipe'},
        qr/^3 copies: .*\n  pipe +10 x 10 s$/m,
        'and of the classic schedule'
    );
};

subtest 'the file Run can be edited as wrappers edit it' => sub {
    my @lines = split /\n/, Fake::read_file("$Fake::BASE/Run");
    is_deeply([ grep { /=> 16/ } @lines ], [], 'no => 16 in it');
    unlike($lines[108] // '', qr/16/, 'no 16 on its line 109');
};

subtest 'a read-only installed copy keeps its results elsewhere' => sub {
    my $other = Fake->new;
    my $copy  = "$other->{dir}/lib/touchstone";
           system('mkdir', '-p', "$copy/pgms") == 0
        && system('cp', '-R', "$Fake::BASE/Run", "$Fake::BASE/lib", $copy) == 0
        && system('cp', "$Fake::BASE/pgms/index.base", "$copy/pgms") == 0
        && symlink("$copy/Run", "$other->{dir}/touchstone")
        or die "cannot install a copy\n";
    my @before = sort `find '$copy'`;
    system('chmod', '-R', 'a-w', $copy);
    my %none   = (UB_RESULTDIR => undef, UB_TMPDIR => undef);
    my %places = (
        "$other->{dir}/state dir"     => { XDG_STATE_HOME => "$other->{dir}/state dir" },
        "$other->{home}/.local/state" => {}
    );
    for my $place (sort keys %places) {
        my $got = $other->run(
            [qw(--quick -c 1 pipe)],
            env     => { %none, %{ $places{$place} } },
            command => [ $^X, "-I$copy/lib", "-I$Fake::BASE/t/lib", '-MQuiet', "$other->{dir}/touchstone" ]
        );
        is($got->{status}, 0, 'it runs') or diag($got->{err});
        is_deeply([ Fake::entries("$place/touchstone") ],
            ['results'], 'under XDG_STATE_HOME or HOME: the results');
        is(scalar Fake::entries("$place/touchstone/results"), 4, 'all of them');
    }
    is_deeply([ sort `find '$copy'` ], \@before, 'the copy is as it was');
    system('chmod', '-R', 'u+w', $copy);
};

subtest 'programs have a home, whether the caller has one or not' => sub {
    my $fake = Fake->new;
    for my $home ($fake->{home}, undef) {
        my $got = $fake->run([qw(--quick -c 1 pipe)], does => { pipe => 'see' }, env => { HOME => $home });
        is($got->{status}, 0, 'it succeeds') or diag($got->{err});
        my %homes = map { Fake::read_file($_) =~ /^HOME=(.*)$/m; ($1 => 1) } glob "$fake->{state}/saw.*";
        my @homes = keys %homes;
        is(scalar @homes, 1, 'one');
        like($homes[0], defined $home ? qr/\A\Q$home\E\z/ : qr{\A\Q$fake->{tmp}\E/\S}, 'where it is');
        unlink glob "$fake->{state}/saw.*";
    }
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
