#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run --again: a set of runs, each like any other, spread over time; what is stored stays, whatever ends it.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use Stub;

my @QUICK = qw(--quick -c 1);

# The records of a Stub or Fake in the order of their names.
sub records {
    my ($fake) = @_;
    return map { $fake->record($_) } sort $fake->names;
}

sub numbers {
    my ($fake) = @_;
    return join ' ', map { "$_->{again}{number}/$_->{again}{of} $_->{status}" } records($fake);
}

subtest 'each run of a set is a run with a record and reports of its own' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([ @QUICK, qw(--again 3 pipe) ]);
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my @records = records($stub);
    is(numbers($stub),                               '1/3 complete 2/3 complete 3/3 complete', 'three');
    is(join(' ', map { $_->{again}{set} } @records), join(' ', ($records[0]{name}) x 3),       'of one set');
    is(scalar(() = $got->{out} =~ /^Benchmark Run:/mg),             3, 'three reports on standard output');
    is(scalar(grep { /\.html\z/ } Fake::entries($stub->{results})), 3, 'and three pages');
    my %seeds = map { $_->{schedule}{seed} => 1 } @records;
    is(scalar keys %seeds, 3, 'with orders of their own');
};

subtest 'a seed that is asked for is that of the first run, and others follow' => sub {
    my $stub = Stub->new;
    $stub->run([ @QUICK, qw(--again 2 --seed 999999999 pipe) ]);
    is(join(' ', map { $_->{schedule}{seed} } records($stub)), '999999999 0', 'and they go round');
};

subtest 'runs begin so far apart from beginning to beginning' => sub {
    my $stub = Stub->new;
    my @begun;
    my $got = $stub->run(
        [ @QUICK, qw(--again 3 --every 1h pipe) ],
        at => {
            pause => sub {
                push @begun, $stub->calls('pipe') if !@begun || $begun[-1] != $stub->calls('pipe');
                $stub->{clock} += $_[0];
            }
        }
    );
    is(numbers($stub), '1/3 complete 2/3 complete 3/3 complete', 'three runs') or diag($got->{err});
    is("@begun",       '7 14', 'with a time to wait after each but the last');
    cmp_ok($stub->{clock}, '>=', 1000 + 7200, 'two hours');
    cmp_ok($stub->{clock}, '<',  1000 + 7300, 'and a run');
    like(
        $got->{err},
        qr/^# run 2 of 3 begins at \d\d:\d\d(?: on [\d-]+)? \(in 59 min \d\d s\); Ctrl-C ends here, 1 run is stored$/m,
        'the line before the first wait'
    );
    like($got->{err}, qr/^# run 3 of 3 begins at .*, 2 runs are stored$/m, 'and before the second');
    like(
        $got->{err},
        qr/^# 3 of 3 runs of the set \S+:\n# +run +began +.*\n(?:# +\S+-0[123]  .*\n){3}# pipe \(1 copy\): runs vary by/m,
        'the end shows all of them'
    );
};

subtest 'a run that took longer than that is followed at once, and that is said' => sub {
    my $stub = Stub->new;
    my $got =
        $stub->run([ @QUICK, qw(--again 2 --every 1s pipe) ], at => { pause => sub { die "waited\n" } });
    is($got->{status}, 0, 'no wait') or diag($got->{err});
    like($got->{err}, qr/^# the run took longer than .*: run 2 of 2 begins immediately$/m, 'the line');
};

subtest 'a clock that is set neither keeps a set waiting nor makes it busy' => sub {
    for my $jump ([ back => -86_400 ], [ forward => 86_400 ]) {
        my ($way, $by) = @$jump;
        my $stub = Stub->new;
        my ($pauses, $set) = (0, 0);
        my $got = $stub->run(
            [ @QUICK, qw(--again 2 --every 10m pipe) ],
            at => {
                wall  => sub { return 1_795_240_000 + $stub->{clock} + $set },
                pause => sub { $set = $by if ++$pauses == 3; $stub->{clock} += $_[0] }
            }
        );
        is(numbers($stub), '1/2 complete 2/2 complete', "$way: both runs") or diag($got->{err});
        if ($by > 0) { is($pauses, 3, 'as after a sleep of the machine the next run begins') }
        else         { ok($pauses > 500 && $pauses < 650, 'ten minutes by the other clock') or diag($pauses) }
    }
};

subtest 'a stop between two runs loses nothing, and resume goes on with those that are missing' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([ @QUICK, qw(--again 3 --every 1h pipe) ],
        at => { pause => sub { kill INT => $$; $stub->{clock} += $_[0] } });
    my ($first) = records($stub);
    is($got->{status}, 130, 'the exit status of a stop');
    like($got->{err},
        qr{^Run: stopped by SIGINT between runs: 1 of 3 stored\ntry: \./Run resume $first->{name}\n\z}m,
        'how to go on');
    is(numbers($stub), '1/3 complete', 'one run');
    $got = $stub->run([ 'resume', $first->{name} ]);
    is($got->{status}, 0,                                        'it goes on') or diag($got->{err});
    is(numbers($stub), '1/3 complete 2/3 complete 3/3 complete', 'with the other two');
    is(scalar(grep { $_->{again}{set} eq $first->{name} } records($stub)), 3, 'as one set');
    cmp_ok($stub->{clock}, '>', 1000 + 3600, 'an hour apart');
    $got = $stub->run([ 'resume', $first->{name} ]);
    is($got->{status}, 1, 'there is no more to do');
    like(
        $got->{err},
        qr/cannot resume '\Q$first->{name}\E': all of its 3 runs are complete/,
        'and that is said'
    );
};

subtest 'a stop within a run stores it, and resume of any run completes it first' => sub {
    my $stub = Stub->new;
    my $got =
        $stub->run([ @QUICK, qw(--again 3 pipe) ],
        does => { pipe => join(',', ('measure') x 9, 'stop INT') });
    is($got->{status}, 130,                        'the exit status of a stop');
    is(numbers($stub), '1/3 complete 2/3 stopped', 'the second run was stopped');
    my ($first) = records($stub);
    $got = $stub->run([ 'resume', $first->{name} ]);
    is($got->{status}, 0,                                        'it goes on') or diag($got->{err});
    is(numbers($stub), '1/3 complete 2/3 complete 3/3 complete', 'to the end');
    is(scalar @{ (records($stub))[1]{resumed} || [] }, 1,        'the second was resumed');
};

subtest 'a run that is killed leaves a journal, with which the set goes on' => sub {
    my $stub = Stub->new;
    $stub->run([ @QUICK, qw(--again 2 pipe) ], does => { pipe => join(',', ('measure') x 9, 'cut') });
    my ($journal) = grep { /\.jsonl\z/ } Fake::entries("$stub->{results}/.runs");
    my $got = $stub->run([ 'resume', $journal =~ s/\.jsonl\z//r ]);
    is($got->{status}, 0,                           'it goes on') or diag($got->{err});
    is(numbers($stub), '1/2 complete 2/2 complete', 'to the end');

    $stub = Stub->new;
    $stub->run([ @QUICK, qw(--again 2 pipe) ], does => { pipe => 'measure,cut' });
    ($journal) = grep { /\.jsonl\z/ } Fake::entries("$stub->{results}/.runs");
    $got = $stub->run([ 'resume', $journal =~ s/\.jsonl\z//r ]);
    is(numbers($stub), '1/2 complete 2/2 complete', 'also when that was the first') or diag($got->{err});
};

subtest 'a test that fails in one run does not keep the others from being measured' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([ @QUICK, qw(--again 2 pipe syscall) ], does => { syscall => 'exit 3,measure' });
    is(numbers($stub), '1/2 complete 2/2 complete', 'both runs');
    is($got->{status}, 1,                           'the exit status tells of the first');
    like($got->{err}, qr/^Run: syscall failed/m, 'and a line');
};

subtest 'a run that cannot begin ends the set, which can be resumed' => sub {
    my $stub = Stub->new;
    $stub->run([ @QUICK, 'pipe' ]);
    my ($name) = $stub->names;
    my $got = $stub->run(
        [ @QUICK, '--baseline', $name, qw(--again 2 --every 1m pipe) ],
        at => {
            pause => sub { unlink "$stub->{results}/.runs/$name.json"; $stub->{clock} += $_[0] }
        }
    );
    is($got->{status}, 2, 'its exit status');
    like($got->{err}, qr/^Run: no run '\Q$name\E'.*\ntry: \.\/Run resume \S+-02\n\z/ms,
        'why, and what helps');
};

subtest 'runs that are not alike are named' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run(
        [ @QUICK, qw(--again 3 --every 1h pipe) ],
        at => {
            pause => sub {
                my ($file) = map { "$stub->{results}/.runs/$_" } Fake::entries("$stub->{results}/.runs");
                Fake::write_file($file, Fake::read_file($file) =~ s/("release": ")/$1old-/r);
                $stub->{clock} += 3600;
            }
        }
    );
    like($got->{err}, qr/^# programs, .* differ from the first: run 2, 3$/m, 'a kernel') or diag($got->{err});
};

subtest 'with --baseline and --fail-on the worst run decides' => sub {
    my $stub = Stub->new;
    $stub->run([ @QUICK, 'pipe' ], does => { pipe => 'rates 1000;1001;1002;1003;1004;1005;1006' });
    my ($name) = $stub->names;
    my $got = $stub->run([ @QUICK, '--again', 2, '--baseline', $name, '--fail-on', '5%', 'pipe' ],
        does => { pipe => 'rates 500;501;502;503;504;505;506' });
    is($got->{status},                                          1, 'worse') or diag($got->{err});
    is(scalar(() = $got->{err} =~ /worse than the reference/g), 2, 'in both');
};

subtest 'what makes no sense with a set is refused before anything runs' => sub {
    my $stub = Stub->new;
    my %says = (
        '--again 1 pipe'                => qr/--again needs a whole number from 2 to 1000, not '1'/,
        '--again 3 --every 5x pipe'     => qr/--every needs a time such as 90s, 10m, 1h or 1d, not '5x'/,
        '--every 1h pipe'               => qr/--every needs --again/,
        'duet pgms o2 pipe --again 3'   => qr/unknown option '--again' of duet/,
        '--again 3 --build o2=-O2 pipe' => qr/--build and --again cannot be combined/,
        'self-compare pipe --again 3'   => qr/unknown option '--again' of self-compare/,
        'resume x --again 3'            => qr/unknown option '--again' of resume/,
        'compare a b --again 3'         => qr/unknown option '--again' of compare/,
    );
    for my $words (sort keys %says) {
        my $got = $stub->run([ split / /, $words ]);
        is($got->{status}, 2, $words);
        like($got->{err}, $says{$words}, 'and why');
    }
    my $got = $stub->run([qw(--again 3 pipe)], env => { UB_OUTPUT_FILE_NAME => 'one' });
    is($got->{status}, 2, 'a name for all of them');
    like($got->{err}, qr/UB_OUTPUT_FILE_NAME names one/, 'and why');
    ok(!-e $stub->{results}, 'nothing is written');
};

subtest 'a dry run tells how many runs there are, and runs none' => sub {
    my $stub = Stub->new;
    my $got  = $stub->run([ @QUICK, qw(--dry-run --again 3 --every 1d pipe) ]);
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    like($got->{out}, qr/^3 runs, 24 h from beginning to beginning, about 48 h in all; each of them:$/m,
        'the line');
    like($got->{out}, qr/^1 test, 1 copy/m, 'and what each is');
    ok(!-e $stub->{results}, 'nothing is written');
};

subtest 'a set that waits is left alone by another resume, and ends at a signal within a second or so' =>
    sub {
    my $fake = Fake->new;
    my $run  = $fake->start([ @QUICK, qw(--again 2 --every 1h pipe) ]);
    my ($name, $other);
    for (1 .. 600) {
        select undef, undef, undef, 0.1;
        last if Fake::read_file($run->{err}) =~ /^# run 2 of 2 begins/m;
    }
    ($name) = $fake->names;
    $other = $fake->run([ 'resume', $name ]);
    is($other->{status}, 1, 'another does not go on with it');
    like($other->{err}, qr/the set of runs '\Q$name\E' is still running/, 'and says why');
    kill TERM => $run->{pid};
    my $got = $fake->wait_for_end($run);
    is($got->{status}, 143, 'the exit status of a stop');
    like($got->{err}, qr/^try: \.\/Run resume \Q$name\E$/m, 'and how to go on');
    };

is("@Fake::PERL_WARNINGS", '', 'Perl has not complained');

done_testing;
