# SPDX-License-Identifier: GPL-2.0-or-later
# Against: a run with --baseline is shown beside that run, with a verdict on each figure.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Stub;

my $fake = Stub->new;
my @BASE = qw(-c 1 --seed 1 pipe syscall);

# Returns passes around a rate.
sub rates {
    my ($rate) = @_;
    return 'rates ' . join ';', map { $rate * $_ } 1, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995;
}

$fake->run([@BASE], does => { pipe => rates(1000), syscall => rates(500) });
my $good = $fake->record->{name};

# Leaves the reference alone, so that nobody knows how far runs of this machine differ.
sub forget {
    unlink map { "$fake->{results}/.runs/$_" }
        grep { /\.json\z/ && $_ ne "$good.json" } Fake::entries("$fake->{results}/.runs");
    return;
}

subtest 'what is slower, faster or the same is said in every report' => sub {
    my $got =
        $fake->run([ @BASE, '--baseline', $good ], does => { pipe => rates(800), syscall => rates(500) });
    is($got->{status}, 0, 'measured') or diag($got->{err});
    like($got->{err}, qr/^# this run is slower than \Q$good\E in 1 of 2 tests, no difference in 1$/m,
        'in a line');
    like(
        $got->{out},
        qr/^Against the reference \Q$good\E\n.*^this run is slower than .*^  slower \(1\)  pipe -20 %\n  no difference \(1\)  syscall$/ms,
        'in short'
    );
    like(
        $got->{out},
        qr/^  pipe +1000\S* +800\S* +-20\S* % +-20\S* to -\S+ % +slower$/m,
        'with both scores, and nothing that looks like a result'
    );
    like(
        $fake->run([ 'report', $fake->record->{name}, '--baseline', $good ])->{out},
        qr/^(?:Machines and builds are the same, as far as recorded\.|\w+ facts? differs?\b.*)$/m,
        'and what else differs'
    );
    like($got->{out}, qr/^  partial index +- +- +-10\.6 % /m, 'and the index, whose scales are two');
    my $record = $fake->record;
    like(
        $fake->run([ 'report', $record->{name}, '--format', $_ ])->{out},
        qr/Against the reference/,
        "$_ shows it later"
    ) for qw(markdown html);
    is_deeply(
        [ map { "$_->{name} $_->{verdict}" } @{ $record->{against}{tests} } ],
        [ 'syscall no difference', 'pipe slower' ],
        'the record has it, in the order of the suite'
    );
};

subtest 'a reference that is not valid makes no index that is valid, and says so before it begins' => sub {
    my $file    = "$fake->{results}/.runs/invalid.json";
    my $invalid = JSON::PP->new->utf8->decode(Fake::read_file("$fake->{results}/.runs/$good.json"));
    @$invalid{qw(name warnings)} =
        ('invalid', [ { id => 'quota', text => 'only half a CPU', invalid => 1 } ]);
    Fake::write_file($file, JSON::PP->new->utf8->encode($invalid));
    my $got =
        $fake->run([ @BASE, qw(--baseline invalid) ], does => { pipe => rates(800), syscall => rates(500) });
    my $why = "the reference 'invalid' is not valid: only half a CPU";
    like($got->{err}, qr/^# warning: $why;.*^# 1 copy, round 1/ms,                   'at the start');
    like($got->{err}, qr/^# not valid: $why; choose another run with --baseline$/m,  'at the end');
    like($got->{err}, qr/^# partial index, 1 copy: .*, not valid$/m,                 'with the index');
    like($got->{err}, qr/^# this run against invalid: inconclusive in both tests$/m, 'and no verdict');
    my $name = $fake->record->{name};

    for my $format (qw(markdown html)) {
        my $page = $fake->run([ 'report', $name, '--format', $format ])->{out};
        like($page, qr/Not valid: invalid: only half a CPU/,               "$format says why");
        like($page, qr/[Tt]his run against invalid: inconclusive in both/, "$format has no verdict");
    }
    my $other = $fake->run([ 'report', $name, '--baseline', $good, '--format', 'summary' ])->{out};
    unlike($other, qr/not valid/, 'another reference makes it valid');
    unlink $file;
};

subtest 'another reference may be named later' => sub {
    my $out = $fake->run([ 'report', $good, '--baseline', $good ])->{out};
    like($out, qr/^  - \Q$good\E is compared with itself$/m, 'itself');
    unlike($out,                                   qr/\b(?:slower|faster)(?! \(0\))\b/, 'is the same');
    unlike($fake->run([ 'report', $good ])->{out}, qr/Against/, 'without one there is none');
};

subtest 'the cause of the differences stands in the report and in the record' => sub {
    my @run  = (qw(-c 1 --seed 1 dhry2reg whetstone-double), @BASE[ 4, 5 ]);
    my %same = map { $_ => rates(1000) } qw(dhry2reg whetstone-double);
    $fake->run([@run], does => { %same, map { $_ => rates(1000) } qw(pipe syscall) });
    my @than = ('--baseline', $fake->record->{name});
    my $got  = $fake->run([ @run, @than ], does => { %same, map { $_ => rates(600) } qw(pipe syscall) });
    like($got->{out}, qr/^Only system calls are slower \(\w+, \w+: 0\.60 times as fast\): mitigations/m,
        'report');
    is($fake->record->{against}{cause}{id}, 'kernel', 'record');
    like($fake->run([ 'report', $fake->record->{name} ])->{out}, qr/^Only system calls are slower/m, 'later');
    forget();
};

subtest 'a run of other tests has nothing in common' => sub {
    my $got = $fake->run([ qw(-c 1 --quick --baseline), $good, 'hanoi' ]);
    like($got->{err}, qr/^# \Q$good\E and this run have no test in common$/m, 'and says so');
};

subtest 'a text report of UnixBench has ratios without verdicts' => sub {
    my $got = $fake->run([qw(-c 1 --quick pipe)]);
    my ($text) = "$fake->{dir}/classic";
    Fake::write_file($text, Fake::report($got->{out}));
    $got = $fake->run([ qw(-c 1 --quick --baseline), $text, 'pipe' ]);
    is($got->{status}, 0, 'measured') or diag($got->{err});
    like($got->{out}, qr/^  not tested \(1\)  pipe: no passes are known$/m, 'a ratio');
};

subtest 'what it is measured against is missing only there when it cannot be read at the end' => sub {
    mkdir "$fake->{results}/.runs/self";
    my $host = $fake->record->{host}{name};
    Fake::write_file("$fake->{results}/.runs/self/$host.json", 'rubbish');
    my $got = $fake->run([ qw(-c 1 --quick --baseline), $good, 'pipe' ]);
    is($got->{status}, 1, 'something is wrong');
    like($got->{err}, qr/'\Q$fake->{results}\E\/.runs\/self\/.*' is damaged/, 'what');
    like($got->{out}, qr/^Pipe Throughput/m,                                  'the report is there');
    unlink "$fake->{results}/.runs/self/$host.json";
};

subtest '--fail-on judges the run against the reference, after all reports' => sub {

    # Runs with this percentage as the limit, after these passes.
    my $judged = sub {
        my ($percent, %does) = @_;
        forget();
        my $got = $fake->run(
            [ @BASE, '--baseline', $good, '--fail-on', $percent ],
            does => { pipe => rates(1000), syscall => rates(500), %does }
        );
        like($got->{out}, qr/^Against the reference /m, 'the report is there') or diag($got->{err});
        is($fake->record->{status}, 'complete', 'and the record');
        my ($said) = $got->{err} =~ /^# \S+: (.* by --fail-on .*)$/m;
        unlike($got->{err}, qr/aborting/, 'nothing is said to have failed');
        return "$got->{status}: " . ($said // '');
    };
    is($judged->('5%'), '0: not worse than the reference by --fail-on 5% (exit status 0)', 'as fast');
    is(
        $judged->('5%', pipe => rates(800)),
        '1: worse than the reference by --fail-on 5% (exit status 1)',
        'slower by 20 %'
    );
    is(
        $judged->('30%', pipe => rates(800)),
        '0: not worse than the reference by --fail-on 30% (exit status 0)',
        'which may be allowed'
    );
    my $noisy = 'rates ' . join ';', map { 800 * exp(0.5 * $_) } -2, 1, 2, -1, 0, 1.5, -1.5;
    is(
        $judged->('5%', pipe => $noisy),
        '125: inconclusive: it could be worse than the reference by --fail-on 5% (exit status 125)',
        'nobody knows'
    );
    is($fake->record->{against}{status}, 125, 'the record has the status');

    # Which run is not valid does not matter.
    no warnings qw(once redefine);
    local *Touchstone::Record::Warnings::why_invalid = sub {
        return { text => 'busy', brief => 'busy', main => { text => 'busy' }, reasons => [] };
    };
    is(
        $judged->('5%', pipe => rates(500)),
        '125: inconclusive: a run is not valid, by --fail-on 5% (exit status 125)',
        'not valid'
    );
};

subtest 'a run is worse only by more than the machine differs from itself' => sub {

    # Runs on a machine that is busy now are as good.
    no warnings qw(once redefine);
    local *Touchstone::Record::Warnings::why_invalid = sub { return undef };
    forget();
    $fake->run(\@BASE, does => { pipe => rates($_), syscall => rates($_ / 2) }) for 1000, 1300, 800;
    my $got = $fake->run(
        [ @BASE, '--baseline', $good, '--fail-on', '5%' ],
        does => { pipe => rates(800), syscall => rates(400) }
    );
    is($got->{status}, 125, 'a slow-down of 20 % is nothing new here') or diag($got->{err});
    like($got->{out}, qr/^\s+inconclusive .*this\s+machine\s+varies\s+between\s+runs/m, 'why');
    my ($test) = grep { $_->{name} eq 'pipe' } @{ $fake->record->{against}{tests} };
    is($test->{drift}{runs}, 4, 'the record knows the runs');
    forget();
};

subtest 'what was not to be measured does not count, but what has no result does' => sub {
    my $got = $fake->run([ qw(-c 1 --seed 1 --baseline), $good, qw(--fail-on 5% pipe) ],
        does => { pipe => rates(1000) });
    is($got->{status}, 0, 'one of the tests of the reference') or diag($got->{err});
    my $other = $fake->run([ qw(-c 1 --seed 1 --baseline), $good, qw(--fail-on 5% hanoi) ]);
    is($other->{status}, 125, 'nothing in common');
};

subtest 'a run with a test that fails cannot be judged, as in a duet' => sub {
    my $got = $fake->run(
        [ @BASE, '--baseline', $good, '--fail-on', '5%' ],
        does => {
            pipe    => rates(1000),
            syscall => 'exit 3'
        }
    );
    is($got->{status}, 125, 'it is not called worse');
    like($got->{err}, qr/^Run: syscall failed; aborting$/m, 'and what failed is named');
    $got = $fake->run([ @BASE, '--baseline', 'nowhere', '--fail-on', '5%' ]);
    is($got->{status}, 2, 'a reference that cannot be read has the status that compare has');
};

subtest '--fail-on changes nothing about a run without it' => sub {
    my $got = $fake->run(
        [ @BASE, '--baseline', $good ],
        does => {
            pipe    => rates(800),
            syscall => rates(500)
        }
    );
    is($got->{status}, 0, 'slower, and all was measured');
    unlike($got->{err}, qr/fail-on/, 'nothing is said of it');
};

is("@Fake::PERL_WARNINGS", '', 'Perl has not complained');

subtest 'builds of two kinds are said to be that, first' => sub {
    my $two = Stub->new;
    Fake::write_file("$two->{bin}/build.facts", "isa=native\n");
    $two->run([qw(--quick -c 1 pipe)]);
    my $native = $two->record->{name};
    my %only   = (baseline => 'portable builds with portable builds', 'x86-64-v2' => 'builds of one kind');
    for my $isa (sort keys %only) {
        Fake::write_file("$two->{bin}/build.facts", "isa=$isa\n");
        my $text = $two->run([ qw(--quick -c 1 pipe --baseline), $native ])->{out};
        like(
            $text,
            qr/^Against the reference \S+\n=+\n\nnot builds of one kind: compare $only{$isa} only/m,
            "$isa: before the answer"
        ) or diag($text);
    }
};

done_testing;
