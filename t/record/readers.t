#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that read UnixBench's output find in ours what they look for, and nothing else: their expressions
# (t/lib/Readers.pm) on the output of every schedule and suite.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Golden;
use Readers;
use Stub;
use Touchstone::Suite;
use Touchstone;

my $BASE = $Fake::BASE;

# Run looks for dc before it measures with it, and README's packages bring none. No stub starts it.
my $tools = File::Temp->newdir;
Fake::write_file("$tools/dc", "#!/bin/sh\n");
chmod oct 755, "$tools/dc";
$ENV{PATH} = "$tools:$ENV{PATH}";

my %ROW = map { $_->{title} => $_ } Touchstone::Suite::load()->tests;

# A figure of a report is that of the record to the last digit, in its own unit or in parts of a second.
my %PART = (s => 1, ms => 1e3, us => 1e6, ns => 1e9);

sub same {
    my ($text, $unit, $figure) = @_;
    my ($places) = $text =~ /\.(\d+)\z/ or return;
    my $in_unit = $figure * (defined $unit ? $PART{$unit} // 1 : 1);
    return $text eq sprintf '%.' . length($places) . 'f', $in_unit;
}

# Returns what a report has that its record has not, or in another form.
sub differs {
    my ($form, $record) = @_;
    my @wrong;
    for my $i (0 .. $#{ $record->{results} }) {
        my ($block, $true) = ($form->{blocks}[$i] // {}, $record->{results}[$i]);
        my %test = map { $_->{title} => $_ } grep { !$ROW{ $_->{title} }{verdict} } @{ $true->{tests} };
        push @wrong, "$true->{copies} copies" if ($block->{copies} // '') ne $true->{copies};
        push @wrong, 'titles'
            if join('|', map { $_->[0] } @{ $block->{results} }) ne join '|', sort keys %test;
        push @wrong, map { _result($_, $test{ $_->[0] }) } @{ $block->{results} };
        for my $table (@{ $block->{tables} }) {
            push @wrong, map { _row($_, $table->{unit}, $test{ $_->[0] }) } @{ $table->{rows} };
        }
        my @scores = map { $_->[1] } map { @{ $_->{indexes} } } @{ $block->{tables} };
        my @true   = map { $_->{score} } @{ $true->{indexes} };
        push @wrong, "indexes @scores, not @true"
            if @scores != @true || grep { !same($scores[$_], undef, $true[$_]) } 0 .. $#true;
    }
    push @wrong, 'blocks' if @{ $form->{blocks} } != @{ $record->{results} };
    return @wrong;
}

sub _result {
    my ($result, $test) = @_;
    my ($title, $score, $unit, $seconds, $samples) = @$result;
    return if !$test;
    return "$title: @$result[ 1 .. 4 ]"
        if !same($score,   $unit, $test->{score})
        || !same($seconds, undef, $test->{seconds})
        || $samples != $test->{samples}
        || !$PART{$unit} && $unit ne $test->{unit};
    return;
}

sub _row {
    my ($row, $unit, $test)        = @_;
    my ($title, @figures)          = @$row;
    my ($baseline, $score, $index) = @figures;
    return "no test $title"          if !$test;
    return "row of $title: @figures" if !same($score, $unit, $test->{score});
    return ($baseline eq '---' && $index eq '---' ? () : "row of $title: @figures")
        if !defined $test->{baseline};
    return same($baseline, $unit, $test->{baseline})
        && same($index,    undef, $test->{index}) ? () : "row of $title: @figures";
}

# The lines of an end that was not good are errors, which readers look for.
my $ERROR = qr/\ARun: .*; aborting\z/;

# Tests the output of a run: standard output alone, and with the conversation before it.
sub read_well {
    my ($got, $fake, $what) = @_;
    my ($report) = Fake::report($got->{out});
    my $form = eval { Readers::form($report // '') } or return fail("$what: $@");
    is_deeply([ Readers::complaints($got->{out}, $form) ], [], "$what: all readers are content");

    # Beside --scaling, which UnixBench has not, its table of speed-ups stands in the conversation.
    is_deeply([ Readers::complaints("$got->{err}$got->{out}", $form) ],
        [], "$what: also with the conversation before it")
        if $what !~ /--scaling/;
    is_deeply([ differs($form, $fake->record) ], [], "$what: the figures are those of the record");
    my @own = ($fake->{temp}, (POSIX::uname())[1]);
    is_deeply([ grep { $_ !~ $ERROR } Readers::undisciplined($got, @own) ],
        [], "$what: nothing else looks like a result");
    unlike($form->{beside}, $Readers::FORBIDDEN, "$what: nor what stands behind the report");
    return $form;
}

sub shape {
    my ($form) = @_;
    return join ', ',
        map { "$_->{copies} x " . @{ $_->{results} } . ' in ' . @{ $_->{tables} } } @{ $form->{blocks} };
}

# Words of a run, its exit status, copies x results in tables of each block, and what fakes do.
my @RUNS = (
    [ 'the default schedule',      '-c 1',                       0, '1 x 12 in 1' ],
    [ 'several copies',            '-c 1 -c 2 -c 7 pipe hanoi',  0, '1 x 2 in 1, 2 x 2 in 1, 7 x 2 in 1' ],
    [ 'a first look',              '--quick -c 4 pipe execl',    0, '4 x 2 in 1' ],
    [ "UnixBench's schedule",      '--classic -c 1 index',       0, '1 x 12 in 1' ],
    [ 'a pass each',               '-i 1 -c 1 pipe execl',       0, '1 x 2 in 1' ],
    [ 'a budget',                  '--budget 1m -c 1 -c 3 pipe', 0, '1 x 1 in 1, 3 x 1 in 1' ],
    [ 'a precision',               '--budget 2m --precision 2% -c 2 pipe syscall',  0, '2 x 2 in 1' ],
    [ 'options for the eye',       '-b -v --pin spread --seed 7 --quick -c 2 pipe', 0, '2 x 1 in 1' ],
    [ 'several copy counts',       '--scaling --quick pipe whetstone-double',       0, undef ],
    [ 'results without a unit',    '--quick -c 1 hanoi execl',                      0, '1 x 2 in 1' ],
    [ 'no row of an index',        '--quick -c 1 hanoi',                            0, '1 x 1 in 0' ],
    [ 'scores that are not valid', '--strict --quick -c 2 pipe', 1, '2 x 1 in 1',  { pipe  => 'apart' } ],
    [ 'a failed test',             '--quick -c 1',               1, '1 x 11 in 1', { spawn => 'exit 3' } ],
    [
        'a test that cannot run',
        '--quick -c 1 -c 2 pipe dhry2reg',
        1,
        '1 x 1 in 1, 2 x 1 in 1',
        { dhry2reg => 'exit 77' }
    ],
    [ 'nothing that was measured', '--quick -c 1 pipe', 1, '1 x 0 in 0', { pipe => 'exit 3' } ],
    [
        'a run that is stopped',
        '--quick -c 1 -c 2 pipe',
        130,
        '1 x 1 in 1, 2 x 0 in 0',
        { pipe => 'measure,measure,measure,measure,measure,measure,measure,measure,stop INT' }
    ],
    [ 'titles with other signs', '--quick -c 1 grep dc sysexec pipe',     0,     '1 x 4 in 2' ],
    [ 'all of UnixBench',        '--quick -c 1 index misc arithmetic',    0,     undef ],
    [ 'the suite of 1984',       '--quick -c 1 byte1984',                 0,     '1 x 15 in 1' ],
    [ 'BYTEmark',                '--quick -c 1 bytemark',                 0,     '1 x 10 in 1' ],
    [ 'the programs of 1997',    '--quick -c 1 lmb1997',                  undef, undef ],
    [ 'the platform of 2024',    '--quick -c 1 platform',                 undef, undef ],
    [ 'the suite of 2026',       '--quick -c 1 modern',                   0,     '1 x 25 in 1' ],
    [ 'the probes',              '--quick -c 1 truth pipe',               undef, '1 x 1 in 1' ],
    [ 'the toolkit',             '--quick -c 1 lbt',                      undef, undef ],
    [ 'tests of three suites',   '--quick -c 1 pipe pipe84 numeric-sort', 0,     '1 x 3 in 3' ],
);

# These are other words for what the rest does, and suites: each has a test of its run.
my $ONLY_IN_ALL =
    qr/--classic|lmb1997|platform|bytemark|modern|byte1984|truth|lbt|misc|-i 1|--budget 1m|-v --pin/;

for my $run (grep { Amount::is_all() || $_->[1] !~ $ONLY_IN_ALL } @RUNS) {
    my ($what, $words, $status, $shape, $does) = @$run;
    subtest "readers of $what" => sub {
        my $stub = Stub->new;
        my $got  = $stub->run([ split ' ', $words ], does => $does || {});
        is($got->{status}, $status, "./Run $words") or diag($got->{err}) if defined $status;
        my $form = read_well($got, $stub, $words)   or return;
        is(shape($form), $shape, 'copies and results') if defined $shape;
    };
}

subtest 'readers of a report that is printed again, against a baseline, or gone on with' => sub {
    my $stub = Stub->new;
    $stub->run([qw(--quick -c 1 -c 2 pipe execl)]);
    my ($name) = $stub->names;
    for my $more ([], ['--scaling'], [ '--baseline', $name ]) {
        my $out  = $stub->run([ 'report', $name, @$more ])->{out};
        my $form = eval { Readers::form($out) } or fail("report @$more: $@"), next;
        is_deeply([ Readers::complaints($out, $form) ], [], "report @$more");
    }
    read_well($stub->run([ qw(--quick -c 1 pipe --baseline), $name ]), $stub, '--baseline');
    my $other = Stub->new;
    $other->run([qw(--quick -c 1 pipe)], does => { pipe => 'measure,measure,cut' });
    my ($journal) = Fake::entries("$other->{results}/.runs");
    read_well($other->run([ 'resume', $journal =~ s/\.jsonl\z//r ]), $other, 'resume');
};

subtest 'an index has the same digits on both streams' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([qw(--quick -c 1 -c 2 index)], does => { pipe => 'rates 3000000;2000000;2500000' });
    my @said = $got->{err} =~ /^# index, \d cop(?:y|ies): ([\d.]+) /mg;
    is(
        "@said",
        join(' ', $got->{out} =~ /^System Benchmarks Index Score +([\d.]+)$/mg),
        'one with each count'
    );
    is(scalar @said, 2, 'both are there');
};

# What each reader finds in a text.
sub found {
    my ($text) = @_;
    return { map { $_->{name} => [ $text =~ /$_->{expression}/g ] } @Readers::READERS };
}

subtest 'readers of a run that is not valid find the figures, and people the reason behind them' => sub {
    my $stub  = Stub->new;
    my $got   = $stub->run([qw(--quick -c 1 -c 2 pipe)], does => { pipe => 'apart' });
    my $form  = read_well($got, $stub, 'a run that is not valid')        or return;
    my ($why) = $form->{beside} =~ /\A(Not valid: .*\nWhat to do: .*\n)/ or return fail($form->{beside});
    like($why, qr/passes .*disturbed by copies that hardly overlapped/, 'the reason is there');
    my ($name) = $stub->names;
    is(Fake::read_file("$stub->{results}/$name"), Fake::report($got->{out}), 'also in the file');

    # The same record with a reason that holds all that programs look for, and without any.
    my %text;
    for my $what ('hostile', 'valid') {
        my $record = $stub->record($name);
        $record->{warnings} = [];
        push @{ $record->{warnings} },
            {
            id      => 'invalid',
            invalid => 1,
            text    => "1.0 lps (1.0 s, 1 samples) 1.0 2.0 3.0 MWIPS x Index Score 12.0\nPipe 1.0 2.0 3.0",
            remedy  => 'Benchmark Run: x 1:00:00 - 2:00:00; running 4 parallel copies of tests; aborting'
            }
            if $what eq 'hostile';
        my $file = "$stub->{temp}/$what.json";
        Fake::write_file($file, JSON::PP->new->utf8->encode($record));
        $text{$what} = $stub->run([ 'report', $file ])->{out};
    }
    like($text{hostile}, qr/^-{72}\n\nNot valid: .*3\.0 .*\nWhat to do: .*running 4 parallel/m,
        'it is there');
    unlike($text{valid}, qr/not valid/i, 'a valid run has no such line');
    is_deeply(found($text{hostile}), found($text{valid}), 'each reader finds the same');
};

subtest 'readers of a set of runs find each' => sub {
    my $stub    = Stub->new;
    my $got     = $stub->run([qw(--again 2 --quick -c 1 pipe)]);
    my @reports = split /^={72}\n/m, $got->{out};
    is(shift @reports,  '', 'nothing stands before them');
    is(scalar @reports, 2,  'two reports');
    for my $report (@reports) {
        my $form = eval { Readers::form($report) } or fail("--again: $@"), next;
        is_deeply([ Readers::complaints($report, $form) ], [], 'all readers are content');
    }
    is_deeply([ Readers::undisciplined($got, $stub->{temp}, (POSIX::uname())[1]) ],
        [], 'nothing else looks like a result');
};

# --- as a process, with real programs, edited

subtest 'readers of a process find the same, in one stream or two' => sub {
    my $fake = Fake->new;
    my $got  = $fake->run([qw(-i 1 -c 1 -c 2)], command => \@Fake::RUN, does => { spawn => 'exit 3' });
    is($got->{status}, 1, 'a test fails');
    my $form = read_well($got, $fake, 'a process') or return;
    is(shape($form), '1 x 11 in 1, 2 x 11 in 1', 'and the others are there');
    like($got->{err}, qr/^Run: spawn failed; aborting$/m, 'the error is one that readers look for');
};

# Scripts of others run exactly this.
my $LOGGED = q{"$@" 2>&1 | tee "$LOG" >/dev/null};

subtest 'readers of the log of a quiet run find the same' => sub {
    my $fake = Fake->new;
    for my $words ('-q -c 1 -i 1 pipe syscall', '-q -i 1 -c 1 -c 2 pipe') {
        my $log = "$fake->{temp}/LOG";
        my $got = $fake->run(
            [ split ' ', $words ],
            command => [ 'sh', '-c', $LOGGED, 'sh', @Fake::RUN ],
            env     => { LOG => $log }
        );
        my $logged = { out => Fake::read_file($log), err => "$got->{out}$got->{err}" };
        like($logged->{out}, qr/\A={72}\n/, "$words: the report is in the log, and nothing before it");
        is($logged->{err}, '', 'nothing is left for the terminal');
        my $form = read_well($logged, $fake, $words) or next;
        is(@{ $form->{blocks} }, () = $words =~ /-c/g, 'each copy count is there');
    }
};

subtest 'readers of real programs' => sub {
    my @programs = qw(pipe syscall hanoi clock);
    plan skip_all => 'the programs are not built' if grep { !-x "$BASE/pgms/$_" } @programs;
    my $fake = Fake->new;
    my $got  = $fake->run(
        [qw(--quick -c 2 syscall hanoi)],
        command => \@Fake::RUN,
        env     => { UB_BINDIR => "$BASE/pgms", UB_TESTDIR => "$BASE/testdir" }
    );
    is($got->{status}, 0, './Run --quick -c 2 syscall hanoi') or diag($got->{err});
    my $form = read_well($got, $fake, 'real programs')        or return;
    is(shape($form), '2 x 2 in 1', 'copies and results');
    cmp_ok($_->[1], '>', 0, "$_->[0] has a score") for map { @{ $_->{results} } } @{ $form->{blocks} };
};

# What wrappers do to the file before they start it.
my @EDITS = ('s/=> 16/=> 640/g', '109s/16/128/g', '109s/maxCopies.*/640/');

subtest 'the file Run is as it was after the edits of wrappers' => sub {
    my $fake = Fake->new;
    my $copy = "$fake->{dir}/Run";
    my $run  = Fake::read_file("$BASE/Run");
    Fake::write_file($copy, $run);
    for my $edit (@EDITS) {
        is(system('sed', '-i', $edit, $copy), 0,    "sed -i $edit Run");
        is(Fake::read_file($copy),            $run, 'and nothing has changed');
    }
};

# --- files

# Returns what a line of a shell prints in the directory of a stub.
sub shell {
    my ($stub, $line) = @_;
    return `cd '$stub->{dir}' && { $line; } 2>&1`;
}

subtest 'scripts that take what lies in the directory of results meet reports alone' => sub {
    my $stub = Stub->new;
    $stub->run([qw(--quick -c 1 pipe)]);
    my $name = ($stub->names)[0];
    is(shell($stub, 'ls results'), join('', map { "$name$_\n" } '', '.html', '.log'), 'ls');
    is(shell($stub, 'for i in results/*; do test -f "$i" || echo "$i"; done'), '', 'and * has files alone');
    is(
        shell($stub, 'cat results/$(ls results | grep -v html | grep -v log)'),
        Fake::read_file("$stub->{results}/$name"),
        'what is neither a page nor a log is the report'
    );
    is(shell($stub, 'cat results/*[0-9]'), Fake::read_file("$stub->{results}/$name"), 'also by its digits');
    is(shell($stub, 'rm results/* && ls results'), '',             'rm removes all that ls shows');
    is(shell($stub, 'ls results/.runs'),           "$name.json\n", 'and no record');
};

subtest 'every suite leaves the files that collectors know, and their CSV' => sub {
    for my $suite (qw(index byte1984 modern-threads)) {
        my $stub = Stub->new;
        my %env  = (UB_OUTPUT_CSV => 'true', UB_OUTPUT_FILE_NAME => 'of a wrapper');
        my $got  = $stub->run([ qw(--quick -c 1), $suite ], env => \%env);
        is_deeply(
            [ Fake::entries($stub->{results}) ],
            [ '.runs', 'of a wrapper', map { "of a wrapper.$_" } qw(csv html log) ],
            "$suite: the files"
        );
        my ($head, @rows) = split /\n/, Fake::read_file("$stub->{results}/of a wrapper.csv");
        my $form   = Readers::form(Fake::report($got->{out}));
        my @titles = map { $_->[0] } @{ $form->{blocks}[0]{results} };
        is($head,        join(',', 'Concurrency', @titles), "$suite: the head has the titles of the report");
        is(scalar @rows, 1,                                 "$suite: a row for its copy count");
        like($rows[0], qr/\A1(?:,\d+\.\d+){${\ scalar @titles}}\z/, "$suite: a figure each");
    }
};

# --- titles

subtest 'titles are those that every reader finds, but for some of UnixBench itself' => sub {
    my $original = Fake::read_file("$BASE/t/classic/version-6-all.txt");
    for my $title (sort grep { !$ROW{$_}{verdict} } keys %ROW) {
        next if $title =~ /\A[A-Z][A-Za-z0-9 ()-]{1,39}\z/;
        like($original, qr/^\Q$title\E  /m, "'$title' is UnixBench's");
    }
};

# --- reports that are kept

my %KEPT = (
    "UnixBench's own"     => 't/classic/sample.txt',
    'all of UnixBench 6'  => 't/classic/version-6-all.txt',
    'an index'            => 't/classic/version-6.txt',
    'a row that it lacks' => 't/classic/missing-row.txt',
    map { $_ => "t/golden/$Golden::FILES{$_}{text}" } grep { $Golden::FILES{$_}{text} } keys %Golden::FILES
);

subtest "readers of kept reports, of which some are UnixBench's" => sub {
    for my $name (sort keys %KEPT) {
        my $text = Fake::read_file("$BASE/$KEPT{$name}");
        my $form = eval { Readers::form($text) } or fail("$name: $@"), next;
        is_deeply([ Readers::complaints($text, $form) ], [], $name);
    }
};

subtest 'ours begins in the form of the sample, to the column' => sub {
    my ($theirs, $ours) = map { Fake::read_file("$BASE/$_") } @KEPT{ "UnixBench's own", 'record' };
    is($ours =~ s/\(Version 7\.0\.0\)/(Version 6.0.0)/r, $theirs, 'the same but for the version');
};

# --- what would be noticed

my $GOOD = Fake::read_file("$BASE/t/classic/version-6-all.txt");
my $FORM = Readers::form($GOOD);

# By the name of a reader, changes of the text that it must notice.
my %CHANGES = (
    'the index of the machine, not a partial one' => [
        sub { $_[0] =~ s/^System Benchmarks Index Score/System Index Score/mr },
        sub { "$_[0]\nSystem Benchmarks Index Score   12.0\n" }
    ],
    'results with unit, time and samples' => [
        sub { $_[0] =~ s/^(Pipe .*) samples\)/$1 passes)/mr },
        sub { $_[0] =~ s/^Pipe Through/pipe Through/mr },
        sub { $_[0] =~ s/ lps   \(/  lps   (/r },
        sub { $_[0] =~ s/^(Pipe .*) samples\)/$1 sample)/mr }
    ],
    'rows of an index' => [
        sub { $_[0] =~ s/^(Pipe Throughput +\d+\.\d +\d+\.\d +)[\d.]+$/$1---/mr },
        sub { "$_[0]\nTests 1 2 3\n" }
    ],
    'copies' => [
        sub { $_[0] =~ s/parallel cop/simultaneous cop/r },
        sub { "running 4 parallel copies of tests\n$_[0]" }
    ],
    'begin and end' => [
        sub { $_[0] =~ s/^Benchmark Run: (.*) - /Benchmark Run: $1 to /mr },
        sub { "$_[0]\nBenchmark Run: x 1:00:00 - 2:00:00\n" }
    ],
    'the result in the line after a heading' =>
        [ sub { $_[0] =~ s/ INDEX$/ Index/mr }, sub { $_[0] =~ s/ INDEX\n/ INDEX\n\n/r } ],
    'scores by their units' =>
        [ sub { $_[0] =~ s/ lps   \(/ ops   (/r }, sub { "$_[0]\nx 1.0 lps (1.0 s, 1 samples)\n" } ],
    'three figures with a digit behind the point' => [
        sub { $_[0] =~ s/^(Pipe Throughput +\d+)\.\d( +\d+\.\d +[\d.]+)$/$1$2/mr },
        sub { "# pipe 1.0  2.0  3.0\n$_[0]" }
    ],
    'every index score, at the end of its line' => [
        sub { $_[0] =~ s/^(System Benchmarks Index Score.*)$/$1 points/mr },
        sub { "$_[0]\nIndex Score: 12.0\n" }
    ],
    'the last line with a unit' =>
        [ sub { "$_[0]\nthe last pass had 12 lps\n" }, sub { "$_[0]\n38.2 MWIPS and more\n" } ],
);

subtest 'each reader notices what it would stumble over' => sub {
    is(join("\n", sort keys %CHANGES), join("\n", sort map { $_->{name} } @Readers::READERS), 'each of them');
    for my $name (sort keys %CHANGES) {
        for my $i (0 .. $#{ $CHANGES{$name} }) {
            my $changed = $CHANGES{$name}[$i]->($GOOD);
            isnt($changed, $GOOD, 'something is changed');
            my @told = Readers::complaints($changed, $FORM);
            is(scalar(grep { index($_, "$name: ") == 0 } @told), 1, "$name, change $i") or diag(@told);
        }
    }
};

subtest 'a report whose columns moved is refused' => sub {
    my %moved = (
        'a score'        => $GOOD =~ s/(Pipe Throughput +) /$1/r,
        'a unit'         => $GOOD =~ s/ lps   \(/ lps (/r,
        'a baseline'     => $GOOD =~ s/^(Pipe Throughput +)(\d+\.\d +\d+\.\d +[\d.]+)$/$1 $2/mr,
        'a heading'      => $GOOD =~ s/ BASELINE/BASELINE/r,
        'the line of ='  => $GOOD =~ s/={8}\n/=======\n/r,
        'an index score' => $GOOD =~ s/^(System Benchmarks Index Score) /$1/mr,
        'an empty line'  => $GOOD =~ s/of tests\n\n/of tests\n/r,
        'a second one'   => $GOOD =~ s/\n\nSystem Benchmarks/\n\n\nSystem Benchmarks/r,
        'a line of -'    => $GOOD =~ s/^-{72}$/'-' x 71/mer,
        'a day'          => $GOOD =~ s/Benchmark Run: \w+/Benchmark Run: Mo/r,
        'one copy'       => $GOOD =~ s/1 parallel copy/1 parallel copies/r,
    );
    for my $what (sort keys %moved) {
        isnt($moved{$what}, $GOOD, "$what is another");
        is(eval { Readers::form($moved{$what}); 'read' } // 'refused', 'refused', $what);
    }
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
