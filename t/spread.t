# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Spread: how far runs of one host differ, from the records beside a comparison.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use lib 't/lib';
use Fake;
use Runs;
use Scored;
use Touchstone::Compare::Spread;
use Touchstone::Compare;
use Touchstone::Record::Json;
use Touchstone::Report::Compare::Answer;

my $DAY = 86_400;
my $dir = File::Temp->newdir;

# Stores a finished run of 'vm' with this rate.
sub store {
    my ($number, $rate, %also) = @_;
    my $name   = sprintf 'vm-2026-11-%02d-01', $number;
    my $record = Runs::record(
        $name   => { '1 pipe' => [ Runs::steady($rate) ] },
        started => 1795240226 + $number * $DAY,
        ended   => 1795240326 + $number * $DAY,
        %also
    );
    Fake::write_file("$dir/$name.json", Touchstone::Record::Json::encode(Scored::document($record)));
    return;
}

sub found {
    my $run = Scored::run(Runs::record(x => { '1 pipe' => [ Runs::steady(1) ] }));
    return Touchstone::Compare::Spread::find({ runs => "$dir" }, $run, $run);
}

subtest 'few runs tell nothing' => sub {
    is_deeply(found(), [], 'none');
    store($_, 1000 * (1 + 0.004 * ($_ % 2))) for 1 .. 5;
    is_deeply(found(), [], 'five');
};

subtest 'runs of a host say how far they differ' => sub {
    store($_, 1000 * (1 + 0.004 * ($_ % 2))) for 6 .. 8;
    my ($of, @others) = @{ found() };
    is(scalar @others,                               0,               'one host, once');
    is("$of->{host}: $of->{runs} runs, $of->{days}", 'vm: 8 runs, 1', 'of different days');
    ok(abs($of->{spread} - log(1.004) * 1.96 / 0.6745) < 1e-9, 'all steps are of 0.4 %')
        or diag($of->{spread});
};

subtest 'a change for good is not counted' => sub {
    store($_, 1300 * (1 + 0.004 * ($_ % 2))) for 9 .. 12;
    my ($of) = @{ found() };
    ok($of->{runs} == 12 && $of->{spread} < 0.013, 'a step of 30 % among twelve') or diag($of->{spread});
};

subtest 'runs of another kind, and those that are not valid, are left out' => sub {
    store(13, 700, warnings => [ { id => 'load', text => 'load 17', invalid => 1 } ]);
    store(14, 700, status   => 'stopped');
    store(15, 700, duet     => 'd');
    store(16, 700, schedule => { kind        => 'quick', seed => 1, rounds => 6, iterations => undef });
    store(17, 700, host     => { online_cpus => 64 });
    Fake::write_file("$dir/vm-2026-11-18-01.json", '{"damaged');
    is(found()->[0]{runs}, 12, 'those of before');
    is_deeply(
        Touchstone::Compare::Spread::find(
            { runs  => "$dir/vm-2026-11-18-01.json" },
            { facts => { 'h name' => 'vm' } }
        ),
        [],
        'and a directory that cannot be read tells nothing'
    );
};

subtest 'the comparison says it where the interval is read' => sub {
    my @runs = map { Runs::compared_run("r$_", { '1 pipe' => [ Runs::steady(1000) ] }) } 0, 1;
    my $said = sub {
        return Touchstone::Report::Compare::Answer::reach(Touchstone::Compare::compare(runs => \@runs, @_));
    };
    is(
        $said->(),
        'Intervals cover these two runs only; two runs of one machine may differ by more: repeat both.',
        'without other runs that there may be more'
    );
    is(
        $said->(spread => found()),
        'Intervals cover these two runs only. Runs of vm differ by ±1.2 % from day to day (12 runs): believe nothing smaller.',
        'with them how much'
    );
};

done_testing;
