#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Facts, results and model are three values: what is made of the facts of a run leaves them as they are, and
# each part is made once a run.
use 5.014;
use strict;
use warnings;

use File::Glob qw(bsd_glob);
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Example;
use Fake;
use Runs;
use Touchstone::Base::Directories;

# Calls are counted in a file, as a run is a process of its own: a line a call, the name of the sub and what
# tells the call from others. What tables of subs hold is wrapped before they are made.
my $CALLS = File::Temp->new;
my %PASS  = (of_pass => sub { my ($pass) = @_; return "$pass->{test} $pass->{copies} $pass->{round}" });

sub count_calls {
    my ($package, @names) = @_;
    for my $name (@names) {
        my $sub  = $package->can($name) or die "$package has no $name\n";
        my $tell = $PASS{$name} || sub { return '' };
        no strict 'refs';
        no warnings 'redefine';
        *{"${package}::$name"} = sub {
            open my $out, '>>', "$CALLS" or die "cannot open '$CALLS': $!\n";
            print {$out} "${package}::$name ", $tell->(@_), "\n";
            close $out;
            return $sub->(@_);
        };
    }
    return;
}

BEGIN {
    require Touchstone::Report::Classic;
    require Touchstone::Report::Run;
    require Touchstone::Report::Log;
    count_calls("Touchstone::Report::$_",  'render') for qw(Classic Log);
    count_calls('Touchstone::Report::Run', 'document');
}
use Touchstone::Cli::FinishRun;
use Touchstone::Cli::Measure;
use Touchstone::Compare;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Record;
use Touchstone::Record::PasteBlock;
use Touchstone::Record::Json;
use Touchstone::Report::Files;
use Touchstone::Report::Model;
use Touchstone::Score;
use Touchstone::Suite;

my @FORMATS = qw(text html log csv table markdown json summary);

sub text_of { my ($value) = @_; return JSON::PP->new->canonical->allow_nonref->encode($value) }

sub facts_of {
    my ($name) = @_;
    return Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere');
}

# Makes all that can be made of a run, and returns what was made.
sub everything {
    my ($facts) = @_;
    my %made    = (results => Touchstone::Score::score_run($facts, ended => 1));
    my $results = $made{results};
    my $run     = Touchstone::Compare::Run::from_record($facts, $results);
    my $places  = { runs => 'nowhere' };
    $made{against} =
        Touchstone::Compare::Baseline::comparison($facts, $results, { %$run, name => 'other' }, $places);
    $made{results} = $results = { %$results, against => $made{against} };
    $made{model}   = Touchstone::Report::Model::build_model($facts, $results);
    $made{$_}      = Touchstone::Report::Files::render($_, $made{model}, $facts, $results) for @FORMATS;
    $made{pair}    = Touchstone::Compare::compare(runs => [ $run, $run ]);
    $made{halves}  = Touchstone::Compare::SelfCompare::comparison($facts, $results);
    $made{block}   = Touchstone::Record::PasteBlock::block(Touchstone::Record::document($facts, $results));
    my $other = Touchstone::Compare::Baseline::instead($facts, $run);
    $made{other} = Touchstone::Score::score_run({ %$other, scaling_wanted => 1 });
    return \%made;
}

# Makes every list and every scalar of a value constant. A hash could not be: to read what it has not would
# die.
sub frozen {
    my ($value) = @_;
    if    (ref $value eq 'HASH')  { frozen($_) for values %$value }
    elsif (ref $value eq 'ARRAY') { frozen($_) for @$value; Internals::SvREADONLY(@$value, 1) }
    Internals::SvREADONLY($_[0], 1);
    return $value;
}

my %FACTS = (
    (
        map {
            my $name = $_;
            $name => sub { return facts_of($name) }
        } qw(record sure fixed)
    ),
    'the example'   => sub { return Example::record() },
    'with halves'   => sub { return Runs::record(a => { '1 pipe' => [ (Runs::steady(1000)) x 2 ] }) },
    'several forms' => sub { require Forms; return Touchstone::Record::facts(Forms::desktop()) },
);

for my $name (sort keys %FACTS) {
    subtest "all that is made of the facts of $name leaves them as they are" => sub {
        my $facts  = frozen($FACTS{$name}->());
        my $before = text_of($facts);
        ok(!eval { push @{ $facts->{passes} }, {}; 1 } && !eval { $facts->{passes}[0]{test} = 'x'; 1 },
            'an edit in place would die');
        ok(eval { everything($facts); 1 }, 'nothing assigns to them') or diag($@);
        is(text_of($facts), $before, 'and they are the same to the byte');
    };
}

subtest 'the same facts give the same twice' => sub {
    my $facts = Example::record();
    my ($one, $other) = map { everything($facts) } 1, 2;
    is(text_of($other->{$_}), text_of($one->{$_}), $_) for sort keys %$one;
};

# The modules of a room that use what a pattern names.
sub users {
    my ($room, $what) = @_;
    my @files = bsd_glob("\Q$Fake::BASE\E/lib/Touchstone/{$room.pm,$room/*.pm,$room/*/*.pm}");
    return join ' ',
        map { s{.*/Touchstone/}{}sr } grep { Fake::read_file($_) =~ /^use Touchstone::$what\b/m } @files;
}

subtest 'reports work nothing out, and scoring says nothing to people' => sub {
    is(users('Report', 'Score'),        '', 'no report uses a module of Score');
    is(users('Score',  'Base::Figure'), '', 'and no module of Score makes figures for people');
    isnt(users('Report', 'Base::Figure'), '', 'which reports do');
};

subtest 'what a file says of results is not believed' => sub {
    my $facts = facts_of('sure');
    my $lie   = Touchstone::Record::document($facts, Touchstone::Score::score_run($facts));
    is(text_of(Touchstone::Record->of_text('x.json', Touchstone::Record::Json::encode($lie))),
        text_of($facts), 'a document read back gives the facts alone');
    $lie->{results}[0]{tests}[0]{score} = 1;
    $_->{rate} = $_->{rates}[0] = 1 for @{ $lie->{passes} };
    my $read = Touchstone::Record->of_text('x.json', Touchstone::Record::Json::encode($lie));
    is(
        text_of(Touchstone::Score::score_run($read)),
        text_of(Touchstone::Score::score_run($facts)),
        'the results are those of the passes'
    );
};

count_calls('Touchstone::Score::Rate',    'of_pass');
count_calls('Touchstone::Score',          'score_run', 'scores', 'scaling');
count_calls('Touchstone::Score::Scaling', 'curves');
count_calls('Touchstone::Report::Model',  'build_model');
count_calls($_,                           'tables') for values %{ Touchstone::Suite::packages('Tables') };

# How often each counted sub was called in a run of these words, and what Run printed.
sub calls_in {
    my ($fake, @words) = @_;
    Fake::write_file("$CALLS", '');
    my $got = $fake->run(\@words);
    is($got->{status}, 0, "./Run @words") or diag($got->{err});
    my %calls;
    $calls{s/ \z//r}++ for split /\n/, Fake::read_file("$CALLS");
    return ($got, %calls);
}

sub once {
    my (%calls) = @_;
    return is(join(', ', map { "$_ $calls{$_}" } grep { $calls{$_} != 1 } sort keys %calls), '', 'each once');
}

my $fake = Fake->new;

# The first run of a file is a program of its own, in which nothing is counted.
$fake->run(['--version']);

subtest 'in a run each rate, table, model and report is made once' => sub {
    my ($got, %calls) = calls_in($fake, qw(--quick -c 1 -c 2 pipe syscall pipe84 hanoi));
    my $record = $fake->record;
    is(scalar(grep { /::of_pass / } keys %calls), scalar @{ $record->{passes} }, 'the rates of every pass');
    for my $sub (
        qw(Score::score_run Score::scores Score::scaling Score::Scaling::curves Report::Model::build_model),
        qw(Report::Classic::render Report::Log::render Report::Run::document),
        map { s/\ATouchstone:://r . '::tables' } values %{ Touchstone::Suite::packages('Tables') }
    ) {
        is($calls{"Touchstone::$sub"}, 1, $sub);
    }
    once(%calls);
    is(
        Fake::report($got->{out}),
        Fake::read_file("$fake->{results}/$record->{name}"),
        'what is printed is what is written'
    );
};

subtest 'a stored run is read and reported with no less and no more' => sub {
    my (undef, %calls) = calls_in($fake, 'report', ($fake->names)[0], qw(--format html));
    is($calls{'Touchstone::Report::Run::document'}, 1, 'the page');
    once(%calls);
};

subtest 'a run beside another one makes each part once, too' => sub {
    my ($reference) = $fake->names;
    my (undef, %calls) = calls_in($fake, qw(--quick -c 1 pipe --baseline), $reference);
    is($calls{'Touchstone::Score::score_run'},           1, 'results');
    is($calls{'Touchstone::Report::Model::build_model'}, 1, 'model');
};

done_testing;
