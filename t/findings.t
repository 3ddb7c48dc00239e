# SPDX-License-Identifier: GPL-2.0-or-later
# Findings: what a run says at its end about its own scores.
use 5.014;
use strict;
use warnings;

use Test::More;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use Touchstone::Record::Warnings;
use Touchstone::Score::Findings;

sub test_of {
    my ($name, %with) = @_;
    return { name => $name, passes => 6, disturbed => 0, interval => [ 99, 101 ], precision => 0.01, %with };
}

# Returns a record of tests with one copy; each pass is [round, marks ...].
sub record_of {
    my ($tests, %with) = @_;
    my @passes = map { my ($round, @marks) = @$_; { round => $round, @marks ? (marks => \@marks) : () } }
        @{ delete $with{passes} || [] };
    return {
        schedule => { precision => 0.015 },
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
    my $findings = Touchstone::Score::Findings::of($record, \@marks, $record->{results});
    return @{ Touchstone::Record::Warnings::of($record, { findings => $findings }) };
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
        '3 of 9 passes were disturbed by other processes (3), CPU time taken by the hypervisor (2)',
        'warm-ups do not count'
    );
    ok(!$findings[0]{invalid}, 'a third of the passes leaves the median what it is');
    is_deeply([ found([ test_of('pipe') ], passes => [ [ 0, 'swap' ], [1] ]) ],
        [], 'a disturbed warm-up is not said');
};

subtest 'a score of which more than half of the passes were disturbed is not valid' => sub {
    my @passes = ([ 1, 'other' ]);
    my %case   = (
        '3 of 6' => [ 6, 3, undef ],
        '4 of 6' => [ 6, 4, 1 ],
        '1 of 1' => [ 1, 1, 1 ],
        '3 of 7' => [ 7, 3, undef ],
        '4 of 7' => [ 7, 4, 1 ]
    );
    for my $case (sort keys %case) {
        my ($all, $disturbed, $invalid) = @{ $case{$case} };
        my ($finding) = found([ test_of('spawn'), test_of('pipe', passes => $all, disturbed => $disturbed) ],
            passes => \@passes);
        is($finding->{invalid}, $invalid, $case);
    }
};

subtest 'scores that did not become sure are named, the worst first' => sub {
    my @tests = (
        test_of('pipe',  precision => 0.0151),
        test_of('spawn', precision => 0.2),
        test_of('execl', precision => 0.015)
    );
    is(
        text_of('precision', found(\@tests)),
        '2 of 3 scores are less sure than +- 1.5 %: spawn ±20 %, pipe ±1.5 %',
        'two of three'
    );
    my @findings = warnings_of(
        {
            %{ record_of([]) }, results => [ { copies => 4, tests => [ test_of('pipe', precision => 0.1) ] } ]
        }
    );
    like(
        text_of('precision', @findings),
        qr/\A1 of 1 score is less .*: pipe × 4 ±10 %\z/,
        'with its copies'
    );
    my @many = map { test_of("t$_", precision => 0.1 + $_ / 100) } 1 .. 6;
    like(
        text_of('precision', found(\@many)),
        qr/: t6 \S+ %, t5 \S+ %, t4 \S+ %, \.\.\.\z/,
        'at most three'
    );
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
    is(
        text_of('passes', found([ $few[0] ])),
        'n too small: 3 passes give no interval, so it is unknown how sure the score of t1 is',
        'one test'
    );
    is(text_of('passes', found(\@few)),
        'n too small: 3 passes give no interval, so it is unknown how sure 3 scores are', 'three');
    is(
        text_of('passes', found([ @few, test_of('x', passes => 10, interval => undef, precision => undef) ])),
        'n too small: 3 to 10 passes give no interval, so it is unknown how sure 4 scores are',
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
    is($remedy->(status => 'stopped'),                    '--resume vm-01 goes on', 'a run that was stopped');
    is($remedy->(status => 'stopped', purpose => 'duet'), 'let the duet come to its end', 'a duet cannot');
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
    my @noted = ({ id => 'passes', text => 'n too small', late => 1 });
    my $facts = record_of([ test_of('pipe') ], warnings => \@noted);
    is_deeply(Touchstone::Record::Warnings::of($facts, {}), \@noted, 'and nothing is found anew');
};

done_testing;
