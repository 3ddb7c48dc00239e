# SPDX-License-Identifier: GPL-2.0-or-later
# What the suite of 2026 asks of the harness: an index whose groups count alike and its parts, tests that need
# memory, teams on pairs of CPUs, seconds that each copy sees, and the means by which work was done.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use ByHand;
use Fake;
use Files;
use Programs;
use Stub;
use Touchstone::Machine::Cpus;
use Touchstone::Machine::Resources;
use Touchstone::Record::Channel;
use Touchstone::Report::Document;
use Touchstone::Report::Columns;
use Touchstone::Run::Plan;
use Touchstone::Run::Plan::Adaptive;
use Touchstone::Run::Preflight;
use Touchstone::Run::Resume;
use Touchstone::Run::Preamble;
use Touchstone::Score;
use Touchstone::Score::Index;
use Touchstone::Score::Measures;
use Touchstone::Score::Rate;
use Touchstone::Suite;

# Weights as 'a 1/4, b 1/4, c 1/2', in thousandths.
sub weights {
    my ($groups, @names) = @_;
    my $of = Touchstone::Suite::weights({ groups => $groups }, @names);
    return join ' ', map { sprintf '%s=%.0f', $_, 1000 * $of->{$_} } sort keys %$of;
}

my $GROUPS = [ [qw(a b)], ['c'], [qw(d e f)] ];

subtest 'groups count alike, and so do the tests of a group' => sub {
    is(weights($GROUPS, qw(a b c d e f)), 'a=167 b=167 c=333 d=111 e=111 f=111', 'three groups');
    is(weights($GROUPS, qw(a c d e f)),   'a=333 c=333 d=111 e=111 f=111',       'a test that is missing');
    is(weights($GROUPS, qw(a b d)),       'a=250 b=250 d=500',                   'a group without any test');
    is(weights($GROUPS, 'f'),             'f=1000',                              'one test');
    is(weights($GROUPS, qw(a x)),         'a=1000',      'a test of no group has no part');
    is(weights(undef,   qw(a b)),         'a=500 b=500', 'no groups');
    is(weights([],      qw(a b)),         'a=500 b=500', 'an empty list of groups');
};

# Six equal passes.
sub passes {
    my ($name, $rate, %more) = @_;
    return map {
        {
            test     => $name,
            copies   => 1,
            round    => $_,
            timebase => 1,
            unit     => 'lps',
            counts   => [$rate],
            times    => [1],
            starts   => [undef],
            slices   => [undef],
            %more
        }
    } 1 .. 6;
}

# Returns the indexes of a run whose tests had these rates, by key. Each baseline is 1.
sub indexes {
    my ($rates, %more) = @_;
    my @names   = qw(a b c);
    my %ones    = map { $_ => 1 } @names;
    my %index   = (title => 'New', category => 'new', scale => 1000, baselines => {%ones});
    my $results = Touchstone::Score::score_run(
        {
            schedule => { kind => 'default' },
            tests    => [
                map { { name => $_, title => $_, category => 'new', baseline => 1, scale => 1000 } } @names
            ],
            blocks     => [ { copies => 1, started => 0 } ],
            passes     => [ map { passes($_, $rates->{$_}, %{ $more{$_} || {} }) } sort keys %$rates ],
            failures   => [],
            categories => [ { key => 'new', title => 'New', index => [@names] } ],
            indexes    => [
                { %index, key => 'new',    tests => [@names],  groups  => [ [qw(a b)], ['c'] ] },
                { %index, key => 'new-ab', tests => [qw(a b)], part_of => 'new' },
                { %index, key => 'new-c',  tests => ['c'],     part_of => 'new' },
                { %index, key => 'other',  tests => ['c'] }
            ]
        }
    );
    return { map { $_->{key} => $_ } @{ $results->{blocks}[0]{indexes} } };
}

# Score and whether it is partial.
sub said { my ($index) = @_; return sprintf '%.1f%s', $index->{score}, $index->{partial} ? ' partial' : '' }

subtest 'an index is the product of its tests to the power of their weights' => sub {
    my $got = indexes({ a => 4, b => 1, c => 8 });
    near($got->{new}{score},      4000, 'the fourth root of 4 by that of 1 by the root of 8');
    near($got->{'new-ab'}{score}, 2000, 'a part: the root of 4');
    near($got->{'new-c'}{score},  8000, 'another');
    is(join(' ', map { $got->{$_}{partial} } qw(new new-ab new-c)), '0 0 0', 'none is partial');
    is(
        join(' ', map { $got->{$_}{part_of} // 'whole' } qw(new new-ab new-c other)),
        'whole new new whole',
        'parts say of what'
    );
    near($got->{new}{interval}[$_], 4000, 'equal passes leave no doubt') for 0, 1;
};

subtest 'the interval of an index is made of those of its tests by their weights' => sub {
    my %test = (
        baseline  => 1,
        scale     => 1000,
        better    => 'higher',
        score     => 1,
        interval  => [ 0.98, 1.02 ],
        error     => 0.01,
        disturbed => 0
    );
    my %alike = Touchstone::Score::Index::of_tests(
        [ (1 / 4) x 4 ],
        map {
            { %test }
        } 1 .. 4
    );
    near($alike{error}, 0.01 / 2, 'four tests that count alike');
    my %index = Touchstone::Score::Index::of_tests(
        [ 0.25, 0.25, 0.5 ],
        map {
            { %test }
        } 1 .. 3
    );
    near($index{error}, 0.01 * sqrt(2 / 16 + 1 / 4), 'the heavier one has the larger part');
    cmp_ok($index{interval}[1] - 1000, '>', $alike{interval}[1] - 1000, 'which the interval shows');
};

subtest 'what is missing makes an index partial, and the rest still counts by groups' => sub {
    my $got = indexes({ a => 4, c => 8 });
    is(said($got->{new}),      '5656.9 partial', 'without b: the root of 4 by 8');
    is(said($got->{'new-ab'}), '4000.0 partial', 'so is the part that lacks it');
    is(said($got->{'new-c'}),  '8000.0',         'and not the other');
    $got = indexes({ a => 4, b => 1, c => 8 }, b => { missing => { huge => 'small pages' } });
    is(said($got->{new}),      '4000.0 partial', 'a part of b is missing');
    is(said($got->{'new-ab'}), '2000.0 partial', 'and of its group');
    is(said($got->{'new-c'}),  '8000.0',         'the other is whole');
    $got = indexes({ a => 4, b => 1 });
    is(said($got->{'new-ab'}), '2000.0', 'a group alone is whole');
    ok(!$got->{'new-c'}, 'one without any test has no index');
    is(said($got->{new}), '2000.0 partial', 'the whole is that of the other group') if $got->{new};
    ok(!grep({ !$_->{partial} } grep { $_ } $got->{new}), 'and never looks whole');
};

subtest 'the suite is one index of its groups, of which the volume is none' => sub {
    my %row = map { $_->{name} => $_ } grep { $_->{suite} eq 'modern' } Touchstone::Suite::load()->tests;
    my ($whole, @parts) = @{ Touchstone::Suite::load()->{suites}{modern}{indexes} };
    is($whole->{key}, 'modern', 'the first is the whole');
    my %weight = %{ Touchstone::Suite::weights($whole, @{ $whole->{tests} }) };
    my ($sum, %of) = (0);
    for my $part (grep { ($_->{part_of} // '') eq 'modern' } @parts) {
        $of{$_} = $part->{key} for @{ $part->{tests} };
        my $weight = eval { my $all = 0; $all += $weight{$_} for @{ $part->{tests} }; $all };
        near($weight, 1 / @{ $whole->{groups} }, "$part->{key} has the weight of a group");
        $sum += $weight;
    }
    near($sum, 1, 'the weights add up to one');
    is(join(' ', sort keys %of), join(' ', sort @{ $whole->{tests} }), 'each test is in one part');
    is($row{$_}{index}, 1, "$_ is of an index") for sort keys %of;
    ok(!$row{$_}{index} && !@{ $row{$_}{indexes} }, "$_ is of none") for qw(mem-latency-4k cache-256k);
};

subtest 'parts of an index do not weigh beside it' => sub {
    my $index = { key => 'new', tests => [qw(a b c)], groups => [ [qw(a b)], ['c'] ] };
    my $row   = sub {
        my ($name, $own, $part) = @_;
        my @indexes = ({ %$index, exponent => $own }, { part_of => 'new', exponent => $part });
        return { name => $name, index => 1, category => 'new', indexes => \@indexes };
    };
    is_deeply(
        Touchstone::Run::Plan::Adaptive::weights($row->('a', 0.25, 0.5), $row->('c', 0.5, 1)),
        { a => 0.25, c => 0.5 },
        'what they weigh in the whole'
    );
    my $aside = { name => 'x', index => 0, category => 'new', indexes => [] };
    is_deeply(
        Touchstone::Run::Plan::Adaptive::weights($row->('a', 0.25, 0.5), $aside),
        { a => 0.25, x => 0.5 },
        'a test of no index weighs as if all made one'
    );
};

subtest 'seconds that each copy sees are not added up' => sub {
    my $rate = sub {
        my ($seen, @counts) = @_;
        my @none = (undef) x @counts;
        return Touchstone::Score::Rate::of_pass(
            {
                test     => 'a',
                copies   => scalar @counts,
                timebase => 0,
                unit     => 's',
                counts   => \@counts,
                times    => [ (1) x @counts ],
                starts   => [@none],
                slices   => [@none],
                $seen ? (seen => $seen) : ()
            }
        )->{rate};
    };
    near($rate->('copy', 0.02), 0.02, 'one copy');
    near($rate->('copy', 0.02, 0.08),   0.04,  'two: the geometric mean');
    near($rate->(undef,  0.02, 0.08),   0.016, 'work that is shared: together they are faster');
    near($rate->('copy', 0.02, -0.002), 0.009, 'what is not above zero has no geometric mean');
};

subtest 'the means of the work are read, kept and told' => sub {
    my $how = sub {
        return Touchstone::Record::Channel::parse(join '', map { "$_\n" } @_)->{how};
    };
    is($how->('HOW|futex', 'COUNT|5|1|lps'), 'futex', 'a line of the channel');
    is($how->($_), undef, "'$_' is none") for 'HOW|', 'HOW', 'HOW|two words', 'HOW|a|b';
    my %of = Touchstone::Score::Measures::of_passes(
        sub { @_ },
        { how => 'futex' },
        { how => 'cond' },
        { how => 'futex' }, {}
    );
    is($of{how}, 'cond, futex', 'each of the passes is named once');
    my %none = Touchstone::Score::Measures::of_passes(sub { @_ }, {});
    ok(!exists $none{how}, 'none is no text');
    my $stub = Stub->new;
    my $said = 'channel HOW|trap;COUNT|5000|1|lps;TIME|0.1';
    my $got  = $stub->run([qw(--quick -c 2 --seed 3 null-call clock-read)], does => { syscall => $said });
    is($got->{status}, 0, 'a program that tells its means is measured') or diag($got->{err});
    my $record = $stub->record;
    is_deeply(
        { map { $_->{test} => $_->{how} } grep { $_->{copies} == 2 } @{ $record->{passes} } },
        { 'null-call' => 'trap', 'clock-read' => undef },
        'each pass in the record says it'
    );
    my ($read) = grep { $_->{name} eq 'null-call' } map { @{ $_->{tests} } } @{ $record->{results} };
    is($read->{how}, 'trap', 'and the result');
    $got = $stub->run([ 'report', $record->{name} ]);
    is($got->{status}, 0, 'the record can be read again') or diag($got->{err});
};

subtest 'a part that is missing for another figure in each pass is told once' => sub {
    my $stub = Stub->new;
    my @says = map { "channel MISSING|huge|only $_ % of it;COUNT|5000|1|lps;TIME|0.1" } 12, 34, 56;
    my $got  = $stub->run([qw(--quick -c 1 --seed 3 null-call)], does => { syscall => join ',', @says });
    my @told = map { $_->{text} } grep { $_->{id} eq 'partial' } @{ $stub->record->{warnings} };
    is_deeply(\@told, ['null-call is partial, without huge: only 12 % of it'], 'the first');
    my %seen = map { ($_->{missing}{huge} => 1) } @{ $stub->record->{passes} };
    cmp_ok(scalar keys %seen, '>', 1, 'and the passes have their own');
};

# Cores with two threads: 0 and 1, 2 and 3, ...
sub cores {
    my ($cores, @usable) = @_;
    return {
        usable => @usable ? \@usable : [ 0 .. 2 * $cores - 1 ],
        core   => { map { $_ => $_ - $_ % 2 } 0 .. 2 * $cores - 1 }
    };
}

subtest 'pairs of a team are on cores that are far from each other' => sub {
    my $of = sub { return Touchstone::Machine::Cpus::of_team(@_) };
    is($of->(cores(4),          1), '0,4',     'one copy is one pair: the first core and the third');
    is($of->(cores(4),          3), '0,4',     'three are one pair');
    is($of->(cores(4),          4), '0,4,2,6', 'two pairs');
    is($of->(cores(3),          4), '0,2',     'three cores have one pair');
    is($of->(cores(1),          4), '0',       'one core');
    is($of->(cores(2, 1, 2, 3), 2), '1,2',     'of the usable CPUs the first of each core');
    my $many = { usable => [ 0 .. 5 ], core => { map { $_ => $_ } 0 .. 5 } };
    is($of->($many, 6),         '0,3,1,4,2,5', 'all cores');
    is($of->($many, 1_000_000), '0,3,1,4,2,5', 'a million copies have no longer list');

    for my $copies (1 .. 20) {
        my @cpus = split /,/, $of->(cores(4), $copies);
        my @same = grep { int($cpus[ 2 * $_ ] / 2) == int($cpus[ 2 * $_ + 1 ] / 2) } 0 .. @cpus / 2 - 1;
        is("@same", '', "$copies copies: no pair shares a core");
    }
};

# Returns what sort_out says of rows with as many free MB.
my $fake = Fake->new;

sub sorted {
    my ($free, $copies, @rows) = @_;
    no warnings 'redefine';
    local *Touchstone::Machine::Resources::memory = sub { return { free => $free && $free * 1024 } };
    my %places = (
        (map { $_ => $fake->{$_} } qw(bin tmp testdir)),
        cc     => 'cc',
        copies => $copies,
        sides  => 1,
        needs  => { space => {}, trouble => {} }
    );
    return Touchstone::Run::Preflight::sort_out(\%places,
        map { +{ program => 'pipe', inputs => [], needs => {}, space => 0, pace => 'brief', %$_ } } @rows);
}

# 'good: a 2; bad: b 4 skipped', where numbers are the most copies and those that do not fit.
sub fits {
    my ($good, $bad) = sorted(@_);
    return join '; ', map { join ' ', @$_ } [ 'good:', map { ($_->{name}, $_->{most_copies} // ()) } @$good ],
        [ 'bad:', map { ($_->{test}, $_->{copies} // (), $_->{kind}) } @$bad ];
}

subtest 'copies that do not fit into memory are skipped, each count by itself' => sub {
    my %row = (name => 'a', memory => 100 * 1024);
    is(fits(1000,  [ 1, 2, 8 ], {%row}), 'good: a; bad:',                           'enough for all');
    is(fits(300,   [ 1, 2, 8 ], {%row}), 'good: a 2; bad: a 8 skipped',             'a tenth stays free');
    is(fits(200,   [ 1, 2, 8 ], {%row}), 'good: a 1; bad: a 2 skipped a 8 skipped', 'for one');
    is(fits(100,   [ 1, 2 ],    {%row}), 'good:; bad: a 1 skipped a 2 skipped',     'for none');
    is(fits(100,   [2],         {%row}), 'good:; bad: a skipped', 'a single count needs no number');
    is(fits(undef, [ 1, 1000 ], {%row}), 'good: a; bad:',         'nobody knows what is free');
    is(fits(0,     [ 1, 2 ],    { %row, memory => undef }), 'good: a; bad:',      'a row that says nothing');
    is(fits(150, [ 1, 8 ], { %row, team => 1 }),   'good: a 1; bad: a 8 skipped', 'threads of a team');
    is(fits(150, [ 1, 8 ], { %row, single => 1 }), 'good: a; bad:',               'a single copy');
    is(fits(50,  [8],      { %row, team => 1 }),   'good:; bad: a skipped',       'a team that is too large');
    is(
        fits(300, [ 1, 4 ], { %row, most_copies => 2 }),
        'good: a 2; bad:',
        'a count that was told for another build is not told again'
    );
};

subtest 'what is said of copies that do not fit names their numbers' => sub {
    my (undef, $lost) = sorted(200, [ 1, 2, 8 ], map { { name => $_, memory => 102_400 } } qw(a b));
    is_deeply(
        [ Touchstone::Run::Preamble::losses(@$lost) ],
        [
            map {
                my ($copies, $needed) = @$_;
                "a with $copies copies, b with $copies copies skipped: $needed MB of memory are needed, "
                    . '200 MB are free; end other programs, or run fewer copies (-c)'
            } [ 2, 200 ],
            [ 8, 800 ]
        ],
        'a line for each count'
    );
};

subtest 'a plan has no passes of copies that do not fit' => sub {
    my %row  = (pace => 'brief', suite => 'modern', budget => 180, indexes => [], category => 'modern');
    my $plan = Touchstone::Run::Plan::make(
        schedule => 'quick',
        seed     => 1,
        copies   => [ 1, 2, 4 ],
        tests    => [ { %row, name => 'a', most_copies => 2 }, { %row, name => 'b', most_copies => 1 } ]
    );
    my %has;
    for my $block (@{ $plan->{blocks} }) {
        $has{ $block->{copies} }{ $_->{test}{name} } = 1 for @{ $block->{passes} };
    }
    is(join('; ', map { join ' ', $_, sort keys %{ $has{$_} } } sort keys %has), '1 a b; 2 a',
        'and no block');
};

# A machine with so many free MB.
sub with_free {
    my ($free, $code) = @_;
    no warnings 'redefine';
    local *Touchstone::Machine::Resources::memory = sub { return { all => 1 << 30, free => $free * 1024 } };
    return $code->();
}

subtest 'a run measures what fits, and its record and its reports know the rest' => sub {
    my $stub  = Stub->new;
    my @words = qw(--quick -c 1 -c 2 -c 4 --seed 3 mem-latency null-call);
    my $got   = with_free(400, sub { $stub->run(\@words) });
    my $said  = 'mem-latency with 2 copies skipped: 512 MB of memory are needed, 400 MB are free';
    like($got->{err}, qr/\Q$said\E/, 'it is said');
    my $record = $stub->record;
    is_deeply(
        [ map { "$_->{test} $_->{copies}" } @{ $record->{skipped} } ],
        [ 'mem-latency 2', 'mem-latency 4' ],
        'the record names test and copies of each'
    );
    my %passes;
    $passes{"$_->{test} $_->{copies}"}++ for @{ $record->{passes} };
    is(
        join(', ', sort keys %passes),
        'mem-latency 1, null-call 1, null-call 2, null-call 4',
        'the others were measured'
    );
    my ($index) = grep { $_->{key} eq 'modern' } @{ $record->{indexes} };
    ok(ref $index->{groups} eq 'ARRAY' && @{ $index->{groups} } > 1, 'the index in it has its groups');
    my ($part) = grep { $_->{key} eq 'modern-memory' } @{ $record->{indexes} };
    is($part->{part_of}, 'modern', 'and its parts are parts');
    $got = with_free(100, sub { Stub->new->run([qw(--quick -c 1 mem-latency)]) });
    like($got->{err}, qr/^(?:\S+ )?.*mem-latency skipped: 256 MB of memory/m, 'one count needs no number');
};

subtest 'a run goes on without a test only if it was without it before' => sub {
    my $then = { name => 'run', failures => [], skipped => [ { test => 'a', copies => 2 } ] };
    my $dies = sub {
        eval { Touchstone::Run::Resume::check_lost($then, @_); 1 } ? 'goes on' : $@;
    };
    my %lost = (test => 'a', kind => 'skipped', why => 'too large');
    is($dies->({ %lost, copies => 2 }), 'goes on', 'the same copies');
    like($dies->({ %lost, copies => 1 }), qr/a with 1 copy skipped: too large/, 'others were measured');
    like($dies->({%lost}),                qr/a skipped: too large/,             'so they were without it');
    $then->{skipped} = [ { test => 'a' } ];
    is($dies->({ %lost, copies => 1 }), 'goes on', 'it was skipped with all');
};

# Prints on which CPUs it may run after bench_pin(0), bench_pin(1) ...
my $PINNED = <<'C';
#define _GNU_SOURCE
#include "bench.h"
#include <sched.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct bench b;
	cpu_set_t set;

	bench_begin(&b, argc, argv, NULL);
	printf("%d:", bench_cpus());
	for (int i = 0; i < 5; i++) {
		bench_pin(i);
		sched_getaffinity(0, sizeof set, &set);
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &set))
				printf(" %d", cpu);
	}
	printf("\n");
	return 0;
}
C

subtest 'bench_pin goes through the CPUs of TS_CPUS and begins anew' => sub {
    my @usable = @{ Touchstone::Machine::Cpus::read_all()->{usable} };
    plan skip_all => 'needs Linux with two CPUs' if $^O ne 'linux' || @usable < 2;
    Files::spew("$work/pinned.c", $PINNED);
    my $src = "$Programs::BASE/src";
    my ($status, $err) =
        run(Programs::compiler(), '-std=gnu11', "-I$src", '-o', "$work/pinned", "$work/pinned.c",
        map { "$src/$_.c" } qw(bench channel perf pin turn));
    is($status, 0, 'it can be built') or diag($err);
    my ($one, $two) = @usable;
    my %says = (
        "$one"                => "1: $one $one $one $one $one\n",
        "$two,$one"           => "2: $two $one $two $one $two\n",
        "$one,$two,$two"      => "3: $one $two $two $one $two\n",
        "$one,$two,$two,$one" => "4: $one $two $two $one $one\n"
    );

    for my $cpus (sort keys %says) {
        local $ENV{TS_CPUS} = $cpus;
        my ($end, undef, $out) = run("$work/pinned", 1);
        is($out, $says{$cpus}, $cpus);
    }
    delete local $ENV{TS_CPUS};
    like((run("$work/pinned", 1))[2], qr/^0: /, 'without TS_CPUS there is none');
    for my $bad ('', ',', "$one,", ",$one", "$one $two", "$one,x", "$one,-1", '99999999999', " $one") {
        local $ENV{TS_CPUS} = $bad;
        my ($end, $said) = run("$work/pinned", 1);
        like("$end $said", qr/\A256 ERROR\|TS_CPUS is '\Q$bad\E', which is not a list of CPUs/, "'$bad'");
    }

    # Linux allows 131,072 bytes for a variable.
    local $ENV{TS_CPUS} = join ',', ($one) x 20_000;
    like((run("$work/pinned", 1))[2], qr/\A20000: /, 'a list may be as long as a variable');
};

subtest 'pages show what a load takes, and the CPU time of units beside it' => sub {
    my $each  = sub { return { of => 'load', seconds => $_[0], interval => undef } };
    my %rate  = (name => 'mem-latency', title => 'Memory Latency', better => 'higher', each => $each->(1e-7));
    my $table = sub {
        my $table =
            Touchstone::Report::Columns::fixed_work(
            { copies => '1 copy', below_resolution => [], exact => [@_] });
        return $table && Touchstone::Report::Document::table('text', $table);
    };
    my %plain = (name => 'pipe', title => 'Pipe', better => 'higher');
    is_deeply([ @{ $table->({%rate}, {%plain}) }{qw(caption head rows)} ],
        [ 'Time of an operation, 1 copy', [qw(Test Each)], [ [ 'Memory Latency', '100 ns a load' ] ] ],
        'rates');
    like(
        $table->({ %rate, each => { %{ $each->(1e-6) }, of => 'event' } })->{rows}[0][1],
        qr/ an event\z/,
        'an event'
    );
    my $mixed =
        $table->({%rate}, { name => 'fcall84', title => 'Calls', better => 'lower', user => 1, sys => 2 });
    is(join(' ', @{ $mixed->{head} }), 'Test User System Each', 'units of fixed work');
    is(scalar @{$_},                   4,     "$_->[0]: a cell for each column") for @{ $mixed->{rows} };
    is($table->({%plain}),             undef, 'a rate without a part has none');
};

done_testing;
