# SPDX-License-Identifier: GPL-2.0-or-later
# SelfCompare: the halves of a run, what they say about the machine, and the file that keeps it.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Fake;
use JSON::PP ();
use Runs;
use Touchstone::Compare::Differences;
use Touchstone::Compare::SelfCompare;

# Returns twelve rounds: the odd ones are steady around one rate, the even ones around another.
sub halves {
    my ($odd, $even, $step) = @_;
    my @rates = ([ Runs::steady($odd, $step) ], [ Runs::steady($even, $step) ]);
    return [ map { $rates[ $_ % 2 ][ $_ / 2 ] } 0 .. 11 ];
}

sub places { my $dir = File::Temp->newdir; return { temp => $dir, runs => "$dir/runs" } }

sub compared_run {
    my (%also) = @_;
    return {
        facts => Touchstone::Compare::Differences::of_record(Runs::record(x => { '1 pipe' => [1] }, %also)) };
}

# A run compared with itself.
sub compared {
    my ($facts) = @_;
    return Touchstone::Compare::SelfCompare::comparison($facts, Touchstone::Score::scores($facts));
}

subtest 'the rounds belong in turn to one half and to the other' => sub {
    my $got =
        compared(Runs::record(a => { '1 pipe' => halves(1000, 1030) }));
    is_deeply($got->{runs}, [ 'the odd rounds', 'the even rounds' ], 'both halves');
    near($got->{pairs}[0]{tests}[0]{ratio}, 1.03, 'their ratio');
    is_deeply($got->{differences}, [], 'machine and build are one');
};

subtest 'a warm-up belongs to no half' => sub {
    my $record = Runs::record(a => { '1 pipe' => halves(1000, 1000) });
    push @{ $record->{passes} }, { %{ $record->{passes}[0] }, round => 0, counts => [5] };
    near(compared($record)->{pairs}[0]{tests}[0]{ratio}, 1, 'its rate counts nowhere');
};

subtest 'the comparison leaves the record as it was' => sub {
    my $record = Runs::record(a => { '1 pipe' => halves(1000, 1030) });
    my $before = JSON::PP->new->canonical->encode($record);
    compared($record);
    is(JSON::PP->new->canonical->encode($record), $before, 'the same data');
};

# Half the interval is Student's t with 10 degrees of freedom times the error of two steady samples.
subtest 'halves that are alike can tell what their interval can' => sub {
    my $got = Touchstone::Compare::SelfCompare::smallest(
        compared(Runs::record(a => { '1 pipe' => halves(1000, 1000) })));

    # Six steps of 0.001 reach so far: t/compare/compare.t.
    cmp_ok(abs($got->{'1 pipe'} / 0.0029092425 - 1), '<', 1e-6, 'of the test');
    near($got->{'1 system'}, $got->{'1 pipe'}, 'of the index of this test');
};

subtest 'halves that differ cannot tell less than they differ' => sub {
    for my $even (1030, 1000 / 1.03) {
        my $got = Touchstone::Compare::SelfCompare::smallest(
            compared(Runs::record(a => { '1 pipe' => halves(1000, $even) })));
        near($got->{'1 pipe'}, 0.03, $even > 1000 ? 'faster' : 'slower');
    }
};

subtest 'of halves that are too short nothing is known' => sub {
    my $record = Runs::record(a => { '1 pipe' => [ 1 .. 11 ] });
    is_deeply(Touchstone::Compare::SelfCompare::smallest(compared($record)),
        {}, 'five passes in one of them');
};

subtest 'what was stored is found by runs of that machine' => sub {
    my $places   = places();
    my %smallest = ('1 pipe' => 0.0041, '2 system' => 1.25e-5, '1 spawn' => 0);
    Touchstone::Compare::SelfCompare::store($places, Runs::record(a => { '1 pipe' => [1] }), \%smallest);
    is_deeply(Touchstone::Compare::SelfCompare::find($places, compared_run(), compared_run()),
        \%smallest, 'the same figures');
    my $data = JSON::PP->new->decode(Fake::read_file("$places->{runs}/self/vm.json"));
    is(
        "$data->{format} $data->{host} $data->{model} $data->{run}",
        '1 vm Xeon a',
        'the file says of which machine and run'
    );
};

subtest 'where nothing was stored nothing is found' => sub {
    is_deeply(Touchstone::Compare::SelfCompare::find(places(), compared_run(), compared_run()), {},
        'nothing');
};

subtest 'a new run replaces what it knows better and keeps the rest' => sub {
    my ($places, $record) = (places(), Runs::record(a => { '1 pipe' => [1] }));
    Touchstone::Compare::SelfCompare::store($places, $record, { '1 pipe' => 0.01, '1 spawn' => 0.02 });
    Touchstone::Compare::SelfCompare::store($places, $record, { '1 pipe' => 0.03 });
    is_deeply(Touchstone::Compare::SelfCompare::find($places, compared_run()),
        { '1 pipe' => 0.03, '1 spawn' => 0.02 }, 'both');
};

subtest 'what is known of a machine says nothing of another' => sub {
    my $places = places();
    Touchstone::Compare::SelfCompare::store(
        $places,
        Runs::record(a => { '1 pipe' => [1] }),
        { '1 pipe' => 0.01 }
    );
    is_deeply(Touchstone::Compare::SelfCompare::find($places, compared_run(host => { name => 'other' })),
        {}, 'another name');
    my @cpus = ({ id => 0, model => 'EPYC', bogomips => 1, flags => [] });
    is_deeply(Touchstone::Compare::SelfCompare::find($places, compared_run(host => { cpus => \@cpus })),
        {}, 'the name with another CPU');
    is_deeply(
        Touchstone::Compare::SelfCompare::find(
            $places, compared_run(), compared_run(host => { name => 'other' })
        ),
        {},
        'two machines'
    );
    Touchstone::Compare::SelfCompare::store(
        $places,
        Runs::record(b => { '1 pipe' => [1] }, host => { cpus => \@cpus }),
        { '1 spawn' => 0.02 }
    );
    is_deeply(
        Touchstone::Compare::SelfCompare::find($places, compared_run(host => { cpus => \@cpus })),
        { '1 spawn' => 0.02 },
        'what another CPU of that name had is gone'
    );
};

subtest 'a host name leads to no other directory' => sub {
    my $places = places();
    Touchstone::Compare::SelfCompare::store(
        $places,
        Runs::record(a => { '1 pipe' => [1] }, host => { name => '../../evil' }),
        { '1 pipe' => 0.01 }
    );
    is_deeply([ Fake::entries("$places->{temp}") ], ['runs'], 'nothing elsewhere');
    is_deeply(
        Touchstone::Compare::SelfCompare::find($places, compared_run(host => { name => '../../evil' })),
        { '1 pipe' => 0.01 },
        'and it is found'
    );
};

# Returns what find says of a file with this text.
sub complaint {
    my ($text) = @_;
    my $places = places();
    mkdir $_ or die "cannot make '$_': $!\n" for $places->{runs}, "$places->{runs}/self";
    Fake::write_file("$places->{runs}/self/vm.json", $text);
    my $found = eval { Touchstone::Compare::SelfCompare::find($places, compared_run()) };
    return $found ? JSON::PP->new->canonical->encode($found) : $@ =~ s/\Q$places->{temp}\E/DIR/r;
}

subtest 'a damaged file is named with what is wrong' => sub {
    is(
        complaint('{"format": 1,'),
        "'DIR/runs/self/vm.json' is damaged: line 1: a name in quotes is missing\n",
        'cut off'
    );
    is(complaint(''), "'DIR/runs/self/vm.json' is damaged: line 1: a value is missing\n", 'empty');
    for my $text (
        '[]', '{}', '7', 'null', '""', 'false',
        '{"format": 2, "smallest": {}}',
        '{"format": 1, "smallest": []}',
        '{"format": {}, "smallest": {}}'
    ) {
        is(complaint($text), "'DIR/runs/self/vm.json' is damaged: it is not a result of self-compare\n",
            "'$text'");
    }
};

subtest 'figures that are no parts are passed over' => sub {
    my %odd = (
        'a' => '"x"',
        b   => '[1]',
        c   => 'null',
        d   => '-0.1',
        e   => '1e300',
        f   => '"0.01\n"',
        g   => '"inf"',
        h   => '0.5'
    );
    my $list = join ', ', map { qq("$_": $odd{$_}) } sort keys %odd;
    is(complaint(qq({"format": 1, "host": "vm", "model": "Xeon", "smallest": {$list}})),
        '{"h":0.5}', 'only the good one is left');
};

subtest 'a damaged file is replaced by the next result' => sub {
    my $places = places();
    mkdir $_ or die "cannot make '$_': $!\n" for $places->{runs}, "$places->{runs}/self";
    Fake::write_file("$places->{runs}/self/vm.json", 'null');
    Touchstone::Compare::SelfCompare::store(
        $places,
        Runs::record(a => { '1 pipe' => [1] }),
        { '1 pipe' => 0.01 }
    );
    is_deeply(Touchstone::Compare::SelfCompare::find($places, compared_run()), { '1 pipe' => 0.01 }, 'found');
};

done_testing;
