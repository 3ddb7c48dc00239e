#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Duet and ./Run duet: two builds in one run.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Stub;
use Touchstone::Machine::Cpus;
use Touchstone::Run::Duet;
use Touchstone::Run::Plan;
use Touchstone::Run::Runner;

# A record that only stores in memory, and a Duet that launches nothing but notes what it would launch:
# [copies of which sides, on which CPUs].
{

    package Memory;

    sub new {
        my ($class) = @_;
        return bless { data => { map { $_ => [] } qw(blocks passes failures skipped warnings) } }, $class;
    }
    sub data    { return $_[0]{data} }
    sub trouble { return }
    sub add     { my ($self, $list, $entry) = @_; push @{ $self->{data}{$list} }, $entry; return $entry }

    sub add_pass  { my ($self, $pass, $rates) = @_; return $self->add(passes => { %$pass, %$rates }) }
    sub end_block { return }

    package Silence;
    sub new      { return bless {}, shift }
    sub AUTOLOAD { return }

    package Pretended;
    our @ISA = ('Touchstone::Run::Duet');

    sub _launch {
        my ($self, $pass, $copies, $cpus, @sides) = @_;
        push @{ $self->{launched} },
            {
            test  => $pass->{test}{name},
            sides => join('',  map { $_->{name} } @sides),
            cpus  => join(' ', map { $_ // 'any' } @$cpus)
            };
        my $why = $self->{trouble}{"$sides[0]{name} $pass->{test}{name}"};
        return {%$why} if $why;
        my @copies = map { { count => $_->{rate}, timebase => 1, unit => 'lps', time => 1 } } @sides;
        return {
            copies   => \@copies,
            output   => '',
            started  => 1,
            seconds  => 1,
            command  => 'none',
            counters => {}
        };
    }
}

my @TESTS = map { { name => $_, class => 'long', pace => 'fast', seconds => 10, space => 0 } } qw(pipe spawn);

sub duet_of {
    my (%with) = @_;
    my @sides = (
        { name => 'A', rate => 100, record => Memory->new },
        { name => 'B', rate => 200, record => Memory->new }
    );
    my $cpus = { usable => [ 0 .. 3 ], usable_count => 4, core => { map { $_ => $_ } 0 .. 3 } };
    return Pretended->new(
        sides    => \@sides,
        progress => Silence->new,
        cpus     => $cpus,
        pin      => 'none',
        seed     => 1,
        stopped  => sub { return },
        at_once  => 1,
        launched => [],
        trouble  => {},
        %with
    );
}

sub walk {
    my ($duet, $plan) = @_;
    my @same = map { $_ => $duet->{$_} } qw(sides progress stopped);
    return Touchstone::Run::Runner->new(passes => $duet, @same)->run($plan);
}

sub played {
    my ($copies, $rounds, %with) = @_;
    my $duet = duet_of(%with);
    walk(
        $duet,
        Touchstone::Run::Plan::make(
            tests    => \@TESTS,
            copies   => [$copies],
            schedule => 'quick',
            seed     => 1,
            rounds   => $rounds
        )
    );
    return $duet;
}

subtest 'both builds run at once where there are CPUs enough' => sub {
    for my $copies (1, 2) {
        my @launched = @{ played($copies, 6)->{launched} };
        is(@launched, 14, "$copies of each: one launch a pass");
        is_deeply(
            [ grep { join('', sort split //, $_->{sides}) ne 'A' x $copies . 'B' x $copies } @launched ],
            [], 'with all copies of both');
        is_deeply([ grep { $_->{cpus} ne join ' ', 0 .. 2 * $copies - 1 } @launched ],
            [], 'each on a CPU of its own');
    }
};

subtest 'three builds take turns, in random order' => sub {
    my @sides    = map { { name => $_, rate => 100 * ord, record => Memory->new } } qw(A B C);
    my @launched = @{ played(1, 6, sides => \@sides, at_once => 0)->{launched} };
    my %orders;
    for my $pass (0 .. @launched / 3 - 1) {
        my @three = @launched[ 3 * $pass .. 3 * $pass + 2 ];
        is(join('',  sort map { $_->{sides} } @three), 'ABC', "pass $pass: each once");
        is(join(' ', map { $_->{test} } @three),       join(' ', ($three[0]{test}) x 3), 'of one test');
        $orders{ join '', map { $_->{sides} } @three } = 1;
    }
    cmp_ok(scalar keys %orders, '>', 1, 'not always in one order');
    is_deeply(
        [ map { scalar @{ $_->{record}->data->{passes} } } @sides ],
        [ (scalar(@launched) / 3) x 3 ],
        'each is noted in the record of its build'
    );
};

subtest 'a test goes on until the least sure of its ratios is sure' => sub {
    my $known =
        { rates => [ [ 1, 1.01, 0.99, 1, 1.01, 0.99 ], [ 2, 3, 2.5, 2, 3, 2.5 ] ], spent => 6, passes => 6 };
    my $runner = bless { schedule => 'default' }, 'Touchstone::Run::Runner';
    $runner->_judge($known);
    cmp_ok($known->{precision}, '>', 0.1, 'that of the third build to the first');
    my $alone = { %$known, rates => [ $known->{rates}[0] ] };
    $runner->_judge($alone);
    cmp_ok($alone->{precision}, '<', 0.02, 'of two builds the one there is');
};

subtest 'the builds swap their CPUs with every pass of a test' => sub {
    my $duet = played(2, 6);
    for my $test (qw(pipe spawn)) {
        my @orders = map { $_->{sides} } grep { $_->{test} eq $test } @{ $duet->{launched} };
        is(join(' ', @orders),
            join(' ', ($orders[0], $orders[0] eq 'AABB' ? 'BBAA' : 'AABB') x 3, $orders[0]), $test);
        my @cpus = map {
            my $side = $_;
            join '|', map { "@{ $_->{cpus} }" }
                grep { $_->{test} eq $test }
                @{ $side->{record}->data->{passes} }
        } @{ $duet->{sides} };
        is(
            $cpus[0],
            join('|', map { $_ eq 'AABB' ? '0 1' : '2 3' } @orders),
            'the record of the first has its CPUs'
        );
        is(
            $cpus[1],
            join('|', map { $_ eq 'AABB' ? '2 3' : '0 1' } @orders),
            'and that of the second the others'
        );
    }
    my %first = map { my $seed = $_; played(1, 1, seed => $seed)->{launched}[0]{sides} => 1 } 1 .. 20;
    is(join(' ', sort keys %first), 'AB BA', 'which comes first on which is drawn by lot');
};

subtest 'they run in turn, in random order, where there are not' => sub {
    my @launched = @{ played(3, 12)->{launched} };
    is(@launched, 4 * 13, 'two launches a pass');
    is_deeply([ grep { !/\A(?:AAA|BBB)\z/ } map { $_->{sides} } @launched ], [], 'each of one build');
    is_deeply([ grep { $_ ne 'any any any' } map { $_->{cpus} } @launched ], [], 'placed as in any run');
    my %orders;
    while (my ($one, $other) = splice @launched, 0, 2) {
        $orders{"$one->{sides} $other->{sides}"}++;
        is("$one->{test}", $other->{test}, 'a pair is of one test') if $one->{test} ne $other->{test};
    }
    is(join(', ', sort keys %orders), 'AAA BBB, BBB AAA', 'in both orders');
    cmp_ok($_, '>', 4, 'and none of them rarely') for values %orders;
};

subtest 'the passes of both are stored in pairs' => sub {
    for my $copies (1, 4) {
        my ($one, $other) = map { $_->{record}->data } @{ played($copies, 6)->{sides} };
        my @rounds = map {
            my $data = $_;
            join ' ', map { "$_->{test}/$_->{round}" } @{ $data->{passes} }
        } $one, $other;
        is($rounds[0],                    $rounds[1], "$copies of each: in the same order");
        is(scalar(split / /, $rounds[0]), 14,         'all of them');
        is_deeply(
            [ map { $_->{rate} } @{ $one->{passes} } ],
            [ (100 * $copies) x 14 ],
            'the first with its own rates'
        );
        is_deeply([ map { $_->{rate} } @{ $other->{passes} } ], [ (200 * $copies) x 14 ], 'the second too');
    }
};

subtest 'a test that one build loses both lose' => sub {
    for my $copies (1, 3) {
        for my $case ([ failures => failure => 'A' ], [ skipped => skip => 'A' ],
            [ failures => failure => 'B' ]) {
            my ($list, $kind, $side) = @$case;
            my $duet = played($copies, 3,
                trouble => { map { ("$_ pipe" => { $kind => 'no cheese' }) } $copies == 1 ? qw(A B) : $side }
            );
            for my $data (map { $_->{record}->data } @{ $duet->{sides} }) {
                is_deeply(
                    $data->{$list},
                    [ { test => 'pipe', copies => $copies, why => 'no cheese' } ],
                    "$copies of each, $kind: it is noted once"
                );
                is(
                    join(' ', map { "$_->{test}/$_->{round}" } @{ $data->{passes} }),
                    'spawn/0 spawn/1 spawn/2 spawn/3',
                    'and has no pass without its pair'
                );
            }
        }
    }
};

subtest 'a duet goes on until the ratio of the pairs is sure' => sub {

    # Both sides vary alike, so the ratio does not vary.
    my $plan = Touchstone::Run::Plan::make(
        tests    => [ $TESTS[0] ],
        copies   => [1],
        schedule => 'default',
        seed     => 1,
        budget   => 20
    );
    no warnings 'redefine';
    my $launch = \&Pretended::_launch;
    my %both   = (
        alike => sub { my $x = 100 + 10 * ($_[0] % 3); ($x, 2 * $x) },
        apart => sub { my $x = 100 + 10 * ($_[0] % 3); ($x, $_[0] > 12 ? 2 * $x : 200) }
    );
    for my $how (sort keys %both) {
        my $duet = duet_of();
        my $n    = 0;
        local *Pretended::_launch = sub {
            @{ $_[0]{sides}[$_] }{rate} = ($both{$how}->($n))[$_] for 0, 1;
            $n++;
            return $launch->(@_);
        };
        walk($duet, $plan);
        my $passes = grep { $_->{round} } @{ $duet->{sides}[1]{record}->data->{passes} };
        if ($how eq 'alike') { is($passes, 6, 'six passes when both vary alike') }
        else                 { cmp_ok($passes, '>', 6, 'more when they do not') }
    }
};

# ./Run with fakes in two directories. Rates alternate, because a verdict needs variation.
my $usable = Touchstone::Machine::Cpus::read_all()->{usable_count};
my $fake   = Stub->new;
my @BUILDS = map { $fake->build($_) } qw(slow fast);
my @PASSES = ('-i', 8, '-c', 1);
my %RATES  = ('slow/pipe' => 'rates 100;101;102', 'fast/pipe' => 'rates 120;121;122');

sub names {
    return map { s/\.json\z//r } grep { /\.json\z/ } Fake::entries("$fake->{results}/.runs");
}

subtest 'both records are stored, and compare of them says what the duet said' => sub {
    my $got = $fake->run([ 'duet', '--concurrent', @BUILDS, @PASSES, 'pipe' ], does => \%RATES);
    is($got->{status}, 0, 'exit status 0: the second is faster') or diag($got->{err});
    like($got->{out}, qr/^fast is \S+ % faster than slow \(.*\n.*^  faster \(1\)  pipe \+20 %$/ms,
        'the verdict');
    my @names = names();
    is(@names, 2, 'two records');
    my @records = map { $fake->record($_) } @names;
    is_deeply([ map { $_->{programs} } @records ], \@BUILDS, 'of the first build and of the second');
    ok(length $records[0]{duet} && $records[0]{duet} eq $records[1]{duet}, 'that belong together');
    my ($again, $back) = map { $fake->run([ 'compare', @$_ ]) } \@names, [ reverse @names ];
    is($again->{out},    $got->{out}, 'the same answer');
    is($again->{status}, 0,           'and exit status');
    like($back->{out}, qr/^  slower \(1\)  pipe -17 %$/m, 'the other way round it is the other way round');
    is($back->{status}, 1, 'with exit status 1');
    is(scalar(grep { -e "$fake->{results}/$_" && -e "$fake->{results}/$_.html" } @names),
        2, 'both have their reports');
    my @headings = map { "$names[$_] (" . ($BUILDS[$_] =~ s{.*/}{}sr) . ')' } 0, 1;
    like(
        $got->{err},
        qr/^# \Q$headings[0]\E: partial index, .*; page: .*\n# \Q$headings[1]\E: partial index, .*; page: .*\n/m,
        'and each a line'
    );
};

subtest 'exit statuses are those of compare' => sub {
    my ($slow, $fast) = @BUILDS;
    my %case = (
        'worse is 1' => [ 1, [ 'duet', '--concurrent', $fast, $slow, @PASSES, 'pipe' ], \%RATES ],
        'less worse than --fail-on is 0' =>
            [ 0, [ 'duet', '--concurrent', $fast, $slow, @PASSES, qw(--fail-on 30% pipe) ], \%RATES ],
        'the same is 0' => [
            0,
            [ 'duet', '--concurrent', $fast, $slow, @PASSES, 'pipe' ],
            { pipe => 'rates 1000;1001;1002' }
        ],
        'passes that differ too much, 125' => [
            125,
            [ 'duet', '--concurrent', $fast, $slow, @PASSES, 'pipe' ],
            { 'slow/pipe' => 'rates 100;200;50', 'fast/pipe' => 'rates 100;110;120;90;80' }
        ],
        'copies that hardly overlapped, 125' =>
            [ 125, [ 'duet', '--concurrent', $fast, $slow, qw(-i 8 -c 2 pipe) ], { pipe => 'apart' } ],
        'too few passes, 125' => [ 125, [ 'duet', $fast, $slow, qw(-i 5 -c 1 pipe) ], {} ],
    );
    for my $what (sort keys %case) {
        my ($status, $words, $does) = @{ $case{$what} };
        my $got = $fake->run($words, does => $does);
        is($got->{status}, $status, $what) or diag($got->{err}, $got->{out});
    }
    my $csv =
        $fake->run([ 'duet', '--concurrent', $fast, $slow, @PASSES, qw(--format csv pipe) ], does => \%RATES);
    like($csv->{out}, qr/\Aa,b,test,.*\n[^\n]*,pipe,1,lps,/, '--format is that of the comparison');
    my $quiet = $fake->run([ 'duet', '-q', '--concurrent', $fast, $slow, @PASSES, 'pipe' ], does => \%RATES);
    is($quiet->{err}, '', '-q says nothing');
    like($quiet->{out}, qr/\Aslow is \d+ % slower than fast /, 'and prints the comparison to a file');
};

subtest 'the builds run on CPUs that they swap, or one after the other' => sub {
    $fake->run([ 'duet', '--concurrent', @BUILDS, qw(--quick -c 1 -c), $usable, qw(pipe) ], does => \%RATES);
    my @records = map { $fake->record($_) } (names())[ -2, -1 ];
    my @cpus    = map {
        my $r = $_;
        join ' ', map { $_->{cpus} ? "@{ $_->{cpus} }" : 'any' }
            grep { $_->{copies} == $usable }
            @{ $r->{passes} }
    } @records;
    is_deeply(
        \@cpus,
        [ (join ' ', ('any') x 7) x 2 ],
        'as many copies of each as there are CPUs: one after the other'
    );
    plan skip_all => 'one CPU only' if $usable < 2;
    my ($one, $other) = map {
        my $r = $_;
        [ map { "@{ $_->{cpus} }" } grep { $_->{copies} == 1 } @{ $r->{passes} } ]
    } @records;
    is_deeply([ @$one[ 0, 2, 4 ] ], [ @$one[ 2, 4, 6 ] ],  'one copy of each: every second pass on the same');
    is_deeply([ @$one[ 1 .. 6 ] ],  [ @$other[ 0 .. 5 ] ], 'and where the other was before');
};

subtest 'a program that fails in one build loses its test in both' => sub {
    my $got = $fake->run([ 'duet', @BUILDS, qw(-i 6 -c 1 pipe syscall) ],
        does => { %RATES, 'fast/pipe' => 'exit 3', syscall => 'rates 1000;1001' });
    is($got->{status}, 125, 'exit status 125: nobody can tell');
    like($got->{err}, qr/^Run: pipe failed; aborting$/m, 'it is told');
    for my $record (map { $fake->record($_) } (names())[ -2, -1 ]) {
        is(join(' ', map { $_->{test} } @{ $record->{failures} }), 'pipe', 'noted');
        is(join(' ', map { $_->{name} } @{ $record->{results}[0]{tests} }),
            'syscall', 'the other test is compared');
    }
    unlink "$BUILDS[0]/pipe";
    $got =
        $fake->run([ 'duet', @BUILDS, qw(-i 6 -c 1 pipe syscall) ], does => { syscall => 'rates 1000;1001' });
    like(
        $got->{err},
        qr/^# pipe failed: the program '\Q$BUILDS[0]\E\/pipe' is missing; build it: make$/m,
        'so is one that is not there'
    );
    is($got->{status}, 125, 'exit status 125: nobody can tell');
    symlink $Fake::PROGRAM, "$BUILDS[0]/pipe" or die "cannot link: $!\n";
};

subtest 'a duet that is stopped kills both, reports both and compares none' => sub {
    my $run = $fake->start(
        [ 'duet', '--concurrent', @BUILDS, qw(--quick -c 1 pipe) ],
        does => { pipe => 'measure,measure,hang-late' }
    );
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill 'INT', $run->{pid};
    my $got = $fake->wait_for_end($run);
    is($got->{status}, 130, 'its exit status');
    is_deeply($fake->alive, [], 'no process is left');
    is(
        join(' ', map { $fake->record($_)->{status} } (names())[ -2, -1 ]),
        'stopped stopped',
        'both records tell it'
    );
    unlike($got->{out}, qr/Comparison/, 'nothing is compared');
};

subtest 'a build that is not there is a usage error with its remedy' => sub {
    my @before = names();
    for my $builds ([ $BUILDS[0], 'nowhere' ], [ 'nowhere', $BUILDS[0] ], [ $Fake::PROGRAM, $BUILDS[0] ]) {
        my ($missing) = grep { $_ ne $BUILDS[0] } @$builds;
        my $got = $fake->run([ 'duet', @$builds, qw(--quick -c 1 pipe) ]);
        is("$got->{status} $got->{out}", '2 ', 'exit status 2');
        like(
            $got->{err},
            qr/\ARun: no build '\Q$missing\E': neither .*\ntry: make BUILD=NAME FLAGS=-O2\n\z/,
            'what is missing and how it is made'
        );
    }
    for my $words ([], [ $BUILDS[0] ]) {
        my $got = $fake->run([ 'duet', @$words ]);
        is($got->{status}, 2, scalar(@$words) . ' directories: exit status 2');
        like($got->{err}, qr/^Run: duet needs at least 2 operands: DIR DIR /m, 'and why');
    }
    is_deeply([ names() ],                     \@before, 'nothing is stored');
    is_deeply([ Fake::entries($fake->{tmp}) ], [],       'and the work directory is empty');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
