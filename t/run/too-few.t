# SPDX-License-Identifier: GPL-2.0-or-later
# Too few passes: a plan says before it begins which tests cannot have an interval.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Stub;
use Touchstone::Run::Preamble;
use Touchstone::Run::Plan;

sub row {
    my ($name, %with) = @_;
    return {
        name    => $name,
        class   => 'long',
        pace    => 'fast',
        seconds => 10,
        suite   => 'ours',
        budget  => 180,
        %with
    };
}

my @fast  = map { row($_) } qw(a b c d e f);
my $whole = row('w', pace          => 'whole', whole => 12);
my $short = row('s', class         => 'short');
my $heavy = row('h', least_seconds => 9);
my $mean  = row('m', class         => 'sure', rule => 'mean');

sub plan_of {
    my ($schedule, $tests, %want) = @_;
    return Touchstone::Run::Plan::make(
        tests    => $tests,
        copies   => [1],
        schedule => $schedule,
        seed     => 1,
        %want
    );
}

sub said { return Touchstone::Run::Preamble::no_intervals(plan_of(@_)) // 'nothing' }

subtest 'a plan whose tests all have six passes says nothing' => sub {
    is(said($_, \@fast), 'nothing', $_) for qw(default quick classic);
    is(said('classic', \@fast, iterations => 6), 'nothing', 'six classic passes');
};

subtest 'a test with one pass is named, with what it lacks and what helps' => sub {
    is(
        said('quick', [ @fast, $whole ]),
        'no intervals: w has 1 pass, 6 needed; leave out --quick to get them',
        'a pass that takes as long as it takes'
    );
    is(said('default', [ @fast, $whole ]), 'nothing', 'the default schedule repeats it while there is time');
    is(said('default', [$heavy]),          'no intervals: h has 3 passes, 6 needed', 'long passes are fewer');
};

subtest 'tests with as many passes are said together' => sub {
    is(
        said('classic', [ @fast, $short ]),
        'no intervals: s has 3 passes, 6 needed; -i 17 is enough',
        'a third of ten'
    );
    is(
        said('classic', [ @fast, $short ], iterations => 4),
        'no intervals: s has 1 pass, a, b, c and 3 more have 4 passes, 6 needed; -i 17 is enough',
        'the fewest first, three are named'
    );
    is(
        said('classic', [ @fast[ 0 .. 2 ] ], iterations => 4),
        'no intervals: every test has 4 passes, 6 needed; -i 6 is enough',
        'all of them'
    );
    is(
        said('classic', [$short], iterations => 16),
        'no intervals: s has 5 passes, 6 needed; -i 17 is enough',
        'one pass less than needed'
    );
    is(said('classic', [$short], iterations => 17), 'nothing', 'and enough');
};

subtest 'names have the order of numbers' => sub {
    my @levels = map { row("z-$_", pace => 'whole') } 10, 9, 1;
    like(said('quick', \@levels),              qr/every test has 1 pass/,            'all of them');
    like(said('quick', [ @levels, $fast[0] ]), qr/: z-1, z-9 and z-10 have 1 pass,/, '9 before 10');
};

subtest 'a budget too short for six rounds is said' => sub {
    is(
        said('default', \@fast, budget => 5),
        'no intervals: every test has 2 passes, 6 needed; use a longer --budget',
        'with its remedy'
    );
    like(
        Touchstone::Run::Preamble::announcement(plan_of('default', \@fast, budget => 1)),
        qr/: 1 round, about \d+ s: longer than the budget of 1 s, since each test has one pass\z/,
        'and one too short for one round'
    );
};

subtest 'a run that compares builds has no verdicts either' => sub {
    like(
        said('default', \@fast, budget => 5, sides => 2, cpus => 2),
        qr/\Ano intervals and no verdicts: every test has 2 passes, 6 needed;/,
        'two builds'
    );
};

subtest 'a mean of two passes has an interval, but is not compared' => sub {
    is(said('classic', [$mean]), 'nothing', 'Student needs two');
    like(said('classic', [$mean], sides => 2, cpus => 2), qr/: m has 5 passes, 6 needed;/, 'five in a duet');
};

subtest 'a run that is compared with itself needs six passes for each half' => sub {
    is(said('default', \@fast,   rounds => 12), 'nothing',                                 'twelve rounds');
    is(said('default', [$heavy], rounds => 12), 'no intervals: h has 3 passes, 12 needed', 'three of them');
};

subtest 'several copy counts name a test once' => sub {
    is(
        said('classic', [ @fast, $short ], copies => [ 1, 2 ]),
        'no intervals: s has 3 passes, 6 needed; -i 17 is enough',
        'with one copy and two'
    );
};

subtest 'it is said before the first pass, and in a dry run' => sub {
    my $stub = Stub->new;
    my $said = qr/^(?:# )?no intervals: pipe has 2 passes, 6 needed; -i 6 is enough$/m;
    like($stub->run([qw(--dry-run -i 2 -c 1 pipe)])->{out}, $said, 'a dry run');
    my $err = $stub->run([qw(-i 2 -c 1 pipe)])->{err};
    like($err,                  $said,                            'a run');
    like($err =~ s/$said.*//sr, qr/\A# 1 test, 1 copy[^\n]*\n\z/, 'as its second line');
    unlike($stub->run([qw(--quick -c 1 pipe)])->{err}, qr/no interval/, 'not where there are intervals');
};

done_testing;
