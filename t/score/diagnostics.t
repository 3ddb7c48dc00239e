# SPDX-License-Identifier: GPL-2.0-or-later
# Findings: what a run says at its end about its own scores.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Record::Warnings;
use Touchstone::Report::Undisturbed;
use Touchstone::Score::Diagnostics;

sub test_of {
    my ($name, %with) = @_;
    return { name => $name, passes => 6, disturbed => 0, interval => [ 99, 101 ], precision => 0.01, %with };
}

# Returns a record of tests with one copy on one CPU; each pass, of the test `pipe`, is [round, marks ...].
sub record_of {
    my ($tests, %with) = @_;
    my @passes = map {
        my ($round, @marks) = @$_;
        { test => 'pipe', copies => 1, round => $round, @marks ? (marks => \@marks) : () }
    } @{ delete $with{passes} || [] };
    return {
        host     => { online_cpus => 1 },
        schedule => { precision   => 0.015 },
        results  => [ { copies => 1, tests => $tests } ],
        passes   => \@passes,
        warnings => [],
        %with
    };
}

# The warnings of such a record at its end.
sub warnings_of {
    my ($record) = @_;
    my @marks    = map { $_->{marks} || [] } @{ $record->{passes} };
    my $findings = Touchstone::Score::Diagnostics::diagnose($record, \@marks, $record->{results});
    return @{ Touchstone::Record::Warnings::collect($record, { findings => $findings }) };
}

sub found { return warnings_of(record_of(@_)) }

sub text_of {
    my ($id, @findings) = @_;
    return join '|', map { $_->{text} } grep { $_->{id} eq $id } @findings;
}

subtest 'a sure and undisturbed run has nothing to say' => sub {
    is_deeply([ found([ test_of('pipe') ], passes => [ map { [$_] } 0 .. 6 ]) ], [], 'six passes');
    is_deeply([ found([]) ], [], 'nor has one without results');
};

subtest 'disturbed passes are counted by what disturbed them' => sub {
    my @findings = found(
        [ test_of('pipe', passes => 9, disturbed => 3) ],
        passes => [
            [ 0, 'swap' ],
            (map { [$_] } 1 .. 6),
            [ 7, 'other' ],
            [ 8, 'steal', 'other' ],
            [ 9, 'steal', 'other' ]
        ]
    );
    is(
        text_of('disturbed', @findings),
        '3 of 9 passes were disturbed by other processes, CPU time taken by the hypervisor in 2 of them',
        'warm-ups do not count'
    );
    ok(!$findings[0]{invalid}, 'a third of the passes leaves the median what it is');
    is_deeply([ found([ test_of('pipe') ], passes => [ [ 0, 'swap' ], [1] ]) ],
        [], 'a disturbed warm-up is not said');
};

# Returns the facts of a run with one copy on two CPUs, and its findings. Each test is a list of passes, and
# each of those [mark, counter => value, ...]; all tests belong to one index but those with a name in
# capitals.
sub judged {
    my ($tests, $copies, %host) = @_;
    $copies //= 1;
    my (@passes, @marks, @results);
    for my $name (sort keys %$tests) {
        for my $pass (@{ $tests->{$name} }) {
            my ($mark, %counters) = @$pass;
            push @passes,
                {
                test     => $name,
                copies   => $copies,
                round    => 1,
                counters => { seconds => 1, steal => 0, other => 0, %counters }
                };
            push @marks, [ $mark // () ];
        }
        my $many = @{ $tests->{$name} };
        push @results,
            test_of($name, passes => $many, disturbed => scalar grep { $_->[0] } @{ $tests->{$name} });
    }
    my @index = grep { /\A[a-z]/ } sort keys %$tests;
    my $block =
        { copies => $copies, tests => \@results, indexes => [ { name => 'index', tests => \@index } ] };
    $block->{indexes} = [] if !@index;
    my $facts = record_of([], host => { online_cpus => 2, usable_cpus => 2, %host });
    $facts->{passes} = \@passes;
    return ($facts, Touchstone::Score::Diagnostics::diagnose($facts, \@marks, [$block]));
}

sub is_valid {
    my (undef, $found) = judged(@_);
    return !grep { $_->{invalid} } @$found;
}

# The text of what disturbed a run that was judged.
sub said {
    my ($facts, $found) = judged(@_);
    return text_of('disturbed', @{ Touchstone::Record::Warnings::collect($facts, { findings => $found }) });
}

sub six {
    my (@pass) = @_;
    return [ map { [@pass] } 1 .. 6 ];
}

my @calm = ([]) x 6;

subtest 'a run is not valid when others took more than 5 % of what its copies wanted' => sub {
    ok(is_valid({ pipe  => six('steal', steal => 0.0499) }), '5 % stolen in each pass');
    ok(!is_valid({ pipe => six('steal', steal => 0.051) }),  '5.1 %');
    ok(is_valid({ pipe  => [ @{ six('steal', steal => 0.9) }[ 0, 1 ], @calm[ 0 .. 3 ] ] }),
        'a third of the passes leaves the median what it is');
    ok(!is_valid({ pipe => [ @{ six('steal', steal => 0.9) }[ 0 .. 3 ], @calm[ 0, 1 ] ] }),
        'two thirds do not');
    ok(is_valid({ pipe  => six('throttled', throttled  => 0.0499) }), 'throttled for 5 % of the time');
    ok(!is_valid({ pipe => six('throttled', throttled  => 0.051) }),  'for 5.1 %');
    ok(!is_valid({ pipe => six('memory',    psi_memory => 0.051) }),  'waiting for memory');
    ok(!is_valid({ pipe => six(undef,       steal => 0.06) }), 'little in every pass is much without a mark');
};

subtest 'other processes cost what the other CPUs cannot give' => sub {
    ok(is_valid({ pipe => six('other', other => 1) }),         'one of two CPUs, one copy');
    ok(is_valid({ pipe => six('other', other => 1.05) }),      'a little more');
    ok(!is_valid({ pipe => six('other', other => 1.06) }),     'and too much');
    ok(is_valid({ pipe => six('other', other => 0.0999) }, 2), 'a tenth of a CPU, two copies');
    ok(!is_valid({ pipe => six('other', other => 0.11) }, 2),  'a little more');
    ok(is_valid({ pipe => six('other', other => 0.04) }, 200), 'ticks are no load');
    my %host = (online_cpus => 64, usable_cpus => 2);
    ok(is_valid({ pipe => six('other', other => 30) }, 2, %host),
        'half of 64 CPUs, of which two may be used');
    ok(!is_valid({ pipe => six('other', other => 63) }, 2, %host), 'nearly all of them');
    like(
        said({ pipe => six('throttled', throttled => 0.4, other => 1.4) }),
        qr/ may be 40 % below that of an idle machine\z/,
        'what a quota keeps from copies is not lost twice when others have it'
    );
};

subtest 'one disturbed test of twelve is a note, and more of them are more than that' => sub {
    my %calm = map { ("t$_" => \@calm) } 1 .. 11;
    ok(is_valid({ %calm, pipe => six('steal', steal => 0.4) }), 'a test that lost 40 %: 4.2 % of the index');
    like(
        said({ %calm, pipe => six('steal', steal => 0.4) }),
        qr/\A6 of 72 passes were disturbed by CPU time .*; most affected: pipe, 6 of 6\z/,
        'it is named'
    );
    ok(!is_valid({ %calm, pipe => six('steal', steal => 0.5) }), 'one that lost half: 5.6 %');
    ok(!is_valid({ %calm, map { ("t$_" => six('steal', steal => 0.25)) } 1 .. 3 }),
        'three that lost a quarter');
};

subtest 'tests of no index are judged together, apart from those of one' => sub {
    my %calm = map { ("t$_" => \@calm) } 1 .. 11;
    ok(!is_valid({ %calm, OWN => six('steal', steal => 0.06) }), 'alone');
    ok(is_valid({ OWN => six('steal', steal => 0.08), OTHER => \@calm }),
        'two of them, one of which lost 8 %');
};

subtest 'a disturbance whose cost is not known counts by its passes' => sub {
    for my $mark (qw(heat swap overlap)) {
        ok(is_valid({ pipe  => [ ([$mark]) x 3, @calm[ 0 .. 2 ] ] }), "$mark in 3 of 6 passes");
        ok(!is_valid({ pipe => [ ([$mark]) x 4, @calm[ 0, 1 ] ] }),   '4 of 6');
        ok(is_valid({ pipe  => six($mark), t1 => \@calm }), 'half of the passes of an index');
    }
    ok(is_valid({ pipe => six($_) }), "$_: above what is usual for a test, which is its middle")
        for qw(io cpu);
};

subtest 'a loss has one figure, which is that of the slices where they tell' => sub {
    my %index =
        (name => 'index', tests => ['pipe'], shows_loss => 1, lost => 0.213, undisturbed_unknown => []);
    my $said = sub {
        my ($indexes, %test) = @_;
        my ($facts) = judged({ pipe => six('other', other => 1.4) });
        my $block   = { copies => 1, tests => [ test_of('pipe', %test) ], indexes => $indexes };
        my $found   = Touchstone::Score::Diagnostics::diagnose($facts, [ (['other']) x 6 ], [$block]);
        my $text =
            text_of('disturbed', @{ Touchstone::Record::Warnings::collect($facts, { findings => $found }) });
        return $text =~ /(?:may be|is) (.*) below/ ? $1 : $text;
    };
    is($said->([ \%index ]), '21 %', 'of the index');
    is(
        $said->([ { %index, undisturbed_unknown => ['spawn'] } ]),
        'at least 21 %',
        'of which a test is not known'
    );
    is($said->([ { %index, shows_loss => 0 } ]),  '40 %', 'that of the counters where slices do not');
    is($said->([], shows_loss => 1, lost => 0.3), '30 %', 'of the only test');
    my $line = {
        %index,
        score       => 550,
        undisturbed => 704,
        took        => ['other processes'],
        lost_low    => 0.2,
        lost_high   => 0.23
    };
    like(
        Touchstone::Report::Undisturbed::of_index($line),
        qr/without other processes \(\S+21 %/,
        'as another sentence says'
    );
};

subtest 'several causes have their passes' => sub {
    my %is   = (id => 'disturbed', passes => 9, among => 9, invalid => 1);
    my @each = ([ other => 9 ], [ steal => 5 ], [ cpu => 3 ]);
    my $of =
        { findings => [ { %is, causes => \@each, worst => { of => 'index', copies => 1, loss => 0.4 } } ] };
    my $facts = record_of([]);
    is(
        Touchstone::Record::Warnings::why_invalid($facts, $of)->{text} =~ s/;.*//r,
        'all 9 passes were disturbed by other processes, '
            . 'CPU time taken by the hypervisor in 5 of them, waiting for a CPU in 3',
        'in words'
    );
    is(
        Touchstone::Record::Warnings::why_invalid($facts, $of)->{brief},
        'all 9 passes were disturbed by other processes, CPU time taken by the hypervisor',
        'a line has no numbers'
    );
};

subtest 'the words say how far off an index is' => sub {
    is(
        said({ pipe => six('other', other => 1.4) }),
        'all 6 passes were disturbed by other processes; the index with 1 copy may be 40 % below that of an idle machine',
        'as far as counters tell'
    );
    is(
        said({ pipe => six('heat') }),
        'all 6 passes were disturbed by thermal throttling of a CPU; '
            . '6 of the 6 passes of the index with 1 copy had a disturbance of unknown cost',
        'or how many passes'
    );
    is(
        said({ OWN => six(undef, steal => 0.09) }),
        'other processes took CPU time during the whole run; the mean of the scores with 1 copy may be 9.0 % below that of an idle machine',
        'and no pass need have a mark'
    );
};

subtest 'every mark has a remedy' => sub {
    for my $mark (sort keys %Touchstone::Score::Disturbance::MARK) {
        my ($facts, $found) = judged({ pipe => six($mark) });
        my ($warning) = @{ Touchstone::Record::Warnings::collect($facts, { findings => $found }) };
        like($warning->{remedy}, qr/\A[a-z].*; the log lists the passes\z/, $mark);
    }
};

subtest 'each warning has a weight' => sub {
    my @noted = (
        { id => 'locale',    text => 'x' },
        { id => 'governor',  text => 'x' },
        { id => 'governor',  text => 'x', invalid => 1 },
        { id => 'none-such', text => 'x' }
    );
    my $weighed = Touchstone::Record::Warnings::collect({ warnings => \@noted }, {});
    is(join(' ', map { $_->{weight} } @$weighed), 'note warning invalid warning', 'by what it is');
    is_deeply(Touchstone::Record::Warnings::stored({ warnings => \@noted }, {}),
        \@noted, 'which is not stored');
};

subtest 'scores that did not become sure are named, the worst first' => sub {
    my @tests = (
        test_of('pipe',  precision => 0.0151),
        test_of('spawn', precision => 0.2),
        test_of('execl', precision => 0.015)
    );
    is(
        text_of('precision', found(\@tests)),
        "2 of 3 scores have not reached \xc2\xb11.5 %; widest: spawn \xc2\xb120 %, pipe \xc2\xb11.5 %",
        'two of three'
    );
    my @findings = warnings_of(
        {
            %{ record_of([]) }, results => [ { copies => 4, tests => [ test_of('pipe', precision => 0.1) ] } ]
        }
    );
    like(
        text_of('precision', @findings),
        qr/\Athe score has not reached \xc2\xb11\.5 %: pipe \xc3\x97 4 \xc2\xb110 %\z/,
        'with its copies'
    );
    my @many = map { test_of("t$_", precision => 0.1 + $_ / 100) } 1 .. 6;
    like(text_of('precision', found(\@many)), qr/: t6 \S+ %, t5 \S+ %, t4 \S+ %, \.\.\.\z/, 'at most three');
    unlike(text_of('precision', found([ @many[ 0 .. 2 ] ])), qr/\.\.\./, 'three are all of three');
};

subtest 'only who wanted to be sure hears of scores that are not' => sub {
    my @unsure = (test_of('pipe', precision => 0.5));
    is_deeply([ found(\@unsure, schedule => { kind => 'quick' }) ], [], 'a schedule without a precision');
    is_deeply([ found(\@unsure, purpose  => 'duet') ],              [], 'a duet is sure of its ratios');
    is(scalar found(\@unsure, purpose  => 'run'),                1, 'a run');
    is(scalar found(\@unsure, schedule => { precision => 0.6 }), 0, 'and no more than it wanted');
};

subtest 'too few passes are said once for all tests' => sub {
    my @few = map { test_of("t$_", passes => 3, interval => undef, precision => undef) } 1 .. 3;
    is(text_of('passes', found([ $few[0] ])), 't1 has no interval: 3 passes, 6 needed',         'one test');
    is(text_of('passes', found(\@few)), 'none of 3 scores has an interval: 3 passes, 6 needed', 'three');
    is(
        text_of('passes', found([ @few[ 0, 1 ], test_of('pipe') ])),
        '2 of 3 scores have no interval: 3 passes, 6 needed',
        'some of them'
    );
    is(
        text_of('passes', found([ @few, test_of('x', passes => 5, interval => undef, precision => undef) ])),
        'none of 4 scores has an interval: 3 to 5 passes, 6 needed',
        'of several schedules'
    );
};

subtest 'each finding has a remedy and is of the end of the run' => sub {
    my @findings = found(
        [ test_of('a', precision => 1), test_of('b', interval => undef, precision => undef, passes => 1) ],
        passes => [ [ 1, 'other' ] ]);
    is(join(' ', map { $_->{id} } @findings), 'disturbed precision passes', 'all three');
    is_deeply([ grep { !$_->{late} || !length $_->{remedy} } @findings ], [], 'with all their parts');
};

subtest 'only what can be gone on with is advised to be' => sub {
    my @few    = test_of('a', interval => undef, precision => undef, passes => 2);
    my $remedy = sub {
        my ($found) =
            grep { $_->{id} eq 'passes' } warnings_of({ %{ record_of(\@few) }, name => 'vm-01', @_ });
        return $found->{remedy};
    };
    is($remedy->(status => 'stopped'), 'resume it: ./Run resume vm-01',          'a run that was stopped');
    is($remedy->(status => 'stopped', purpose => 'duet'), 'let the duet finish', 'a duet cannot');
    unlike($remedy->(status => 'complete'), qr/resume/, 'a complete run');
};

subtest 'what a run that is gone on with found before is replaced' => sub {
    my $record = record_of(
        [ test_of('pipe', interval => undef, precision => undef, passes => 2) ],
        warnings => [ { id => 'load', text => 'early' }, { id => 'overlap', text => 'of a pass', late => 1 } ]
    );
    my @first = warnings_of($record);
    is(join(' ', map { $_->{id} } @first), 'load overlap passes', 'the first time');
    $record->{warnings} = \@first;
    $record->{results}[0]{tests}[0]{passes} = 5;
    my @second = warnings_of($record);
    is(join(' ', map { $_->{id} } @second), 'load overlap passes', 'no more the second time');
    like($second[2]{text}, qr/ 5 passes/, 'and it is the new one');
    @{ $record->{results}[0]{tests} } = test_of('pipe');
    is(join(' ', map { $_->{id} } warnings_of($record)), 'load overlap', 'what is no longer so goes');
};

subtest 'a stored run says what it said at its end' => sub {
    my @noted = ({ id => 'passes', text => 'no interval', late => 1, weight => 'note' });
    my $facts = record_of([ test_of('pipe') ], warnings => \@noted);
    is_deeply(Touchstone::Record::Warnings::collect($facts, {}), \@noted, 'and nothing is found anew');
};

done_testing;
