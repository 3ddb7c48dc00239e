#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A run is a pipeline of values: request, survey, plan, outcome. Each is made once, and none changes any more.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Cli::Options;
use Touchstone::Cli::FinishRun;
use Touchstone::Run::Plan;
use Touchstone::Run::Request;
use Touchstone::Run::Session;
use Touchstone::Run::Survey;

# The stages of a run in the order in which they are called, and what each of them returned.
sub stages {
    my ($stub, @words) = @_;
    my (@called, %returned, $got);
    my %stage = (
        request => 'Touchstone::Run::Request::make',
        survey  => 'Touchstone::Run::Survey::take',
        plan    => 'Touchstone::Run::Plan::make',
        outcome => 'Touchstone::Run::Session::run',
        report  => 'Touchstone::Cli::FinishRun::report'
    );
    my $work = sub { $got = $stub->run(\@words) };
    for my $name (sort keys %stage) {
        my ($next, $sub) = ($work, $stage{$name});
        $work = sub {
            no strict 'refs';
            no warnings 'redefine';
            my $real = \&$sub;
            local *$sub = sub { push @called, $name; return $returned{$name} = $real->(@_) };
            $next->();
        };
    }
    $work->();
    return ($got, \%returned, @called);
}

subtest 'each stage of a run comes once, and the plan after the survey' => sub {
    my ($got, $returned, @called) = stages(Stub->new, qw(--quick -c 1 pipe));
    is($got->{status},      0,                                    'it succeeds') or diag($got->{err});
    is("@called",           'request survey plan outcome report', 'the order');
    is($returned->{report}, 0,                                    'the end returns the exit status');
};

subtest 'a dry run makes its own plan once, and looks at nothing' => sub {
    my $stub = Stub->new;
    my ($got, undef, @called) = stages($stub, qw(--quick -c 1 --dry-run pipe));
    is("@called", 'request plan', 'no survey');
    like($got->{out}, qr/^1 test, 1 copy\W+6 (?:short )?rounds/, 'the plan is told');
    ok(!-e $stub->{results}, 'and nothing is written');
};

subtest 'a value that was returned cannot be changed' => sub {
    my ($got, $returned) = stages(Stub->new, qw(--quick -c 1 pipe));
    for my $name (qw(request survey outcome)) {
        my $value = $returned->{$name};
        my ($key) = sort keys %$value;
        ok(!eval { $value->{$key} = 'other'; 1 }, "$name: no value");
        ok(!eval { $value->{more} = 1; 1 }, "$name: no key more");
        ok(!eval { delete $value->{$key}; 1 }, "$name: no key less");
    }
    my ($request, $survey, $plan) = @$returned{qw(request survey plan)};
    ok(!eval { $request->{schedule}{copies} = [7]; 1 },      'nothing within a value');
    ok(!eval { $request->{tests}[0]{seconds} = 999; 1 },     'nor deeper within it');
    ok(!eval { push @{ $survey->{tests} }, {}; 1 },          'no list grows');
    ok(!eval { $plan->{blocks}[0]{passes}[0]{window}++; 1 }, 'no pass of the plan');
};

subtest 'the survey sorts tests into those that can run and those that are lost and why' => sub {
    my $stub = Stub->new;
    unlink "$stub->{bin}/syscall" or die "cannot remove a program: $!\n";
    my ($got, $returned) = stages($stub, qw(--quick -c 1 pipe syscall));
    my ($request, $survey, $outcome) = @$returned{qw(request survey outcome)};
    my $names = sub {
        return join ' ', map { $_->{name} } @_;
    };
    is($names->(@{ $request->{tests} }), 'pipe syscall', 'what was asked for stays');
    is($names->(@{ $survey->{tests} }),  'pipe',         'what can run');
    my ($lost, @others) = @{ $survey->{lost} };
    is(scalar @others,                0,                                               'one is lost');
    is("$lost->{test} $lost->{kind}", 'syscall failures',                              'which');
    is($lost->{why},                  "the program '$stub->{bin}/syscall' is missing", 'and why');
    is(
        $names->(
            map { $_->{test} } grep { !$_->{round} } map { @{ $_->{passes} } } @{ $returned->{plan}{blocks} }
        ),
        'pipe',
        'the plan has the others'
    );
};

subtest 'several builds make a duet, and one that is left alone makes a run' => sub {
    my $stub = Stub->new;
    local %ENV = $stub->environment;
    my $want    = Touchstone::Cli::Options::parse('duet', $stub->{bin}, $stub->build('other'), 'pipe');
    my $request = Touchstone::Run::Request::make($want, $Fake::BASE);
    is(
        "$request->{schedule}{sides} @{ $want->{operands} } @{ $want->{tests} }",
        "2 $stub->{bin} $stub->{dir}/other pipe",
        'the words stay as they are'
    );
    my %how    = (stopped => sub { undef }, progress => undef);
    my $survey = Touchstone::Run::Survey::take($request, %how);
    is("$survey->{purpose} $survey->{schedule}{sides}", 'duet 2', 'two');
    my %alone = (%$request, builds => [ $request->{builds}[0] ]);
    $survey = Touchstone::Run::Survey::take(\%alone, %how);
    is(join(' ', $survey->{purpose}, $survey->{schedule}{sides} // 'no sides'), 'run no sides', 'one');
};

subtest 'a run that is stopped before it measures has a record without passes' => sub {
    my $stub = Stub->new;
    local %ENV = $stub->environment;
    my $request = Touchstone::Run::Request::make(Touchstone::Cli::Options::parse(qw(-c 1 pipe)), $Fake::BASE);
    my $survey  = Touchstone::Run::Survey::take($request, stopped => sub { 'INT' }, progress => undef);
    is_deeply([ @$survey{qw(tests lost needs)} ], [ [], [], {} ], 'nothing is looked for');
    my $plan = Touchstone::Run::Session::plan($request, $survey);
    is_deeply([ @$plan{qw(blocks seconds rounds)} ], [ [], 0, 6 ], 'the plan tells what was to be');
};

is("@Fake::PERL_WARNINGS", '', 'Perl has not complained');

done_testing;
