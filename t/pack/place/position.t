# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Position: a result is placed among others with as many copies; those of several copies have
# about as many CPUs, and are compared without the file tests.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Pack::Place::Phrases;
use Touchstone::Pack::Place::Position;
use Touchstone::Pack::Place::Table qw(@TESTS);

# A result whose scores all have the same index, but for those of the file tests.
my %BASELINE = (
    dhry2reg           => 116700,
    'whetstone-double' => 55,
    execl              => 43,
    fstime             => 3960,
    fsbuffer           => 1655,
    fsdisk             => 5800,
    pipe               => 12440,
    context1           => 4000,
    spawn              => 126,
    shell1             => 42.4,
    shell8             => 6,
    syscall            => 15000
);

sub result {
    my ($index, %is) = @_;
    my $files = delete $is{files} // $index;
    return {
        machine => "m$index",
        cpu     => 'AMD EPYC 7763 64-Core Processor',
        class   => 'server',
        version => '5.1.3',
        date    => '2024-01-02',
        copies  => 1,
        source  => 's',
        index   => ($index**9 * $files**3)**(1 / 12),
        scores  => { map { $_ => $BASELINE{$_} / 10 * (/\Afs/ ? $files : $index) } @TESTS },
        %is
    };
}

sub place { my ($result, @others) = @_; return Touchstone::Pack::Place::Position::of($result, \@others) }

subtest 'one copy: the part of the others that is lower, the nearest, and the interval' => sub {
    my $place = place(result(55, interval => [ 35, 65 ]), map { result(10 * $_) } 1 .. 10);
    is_deeply([ @$place{qw(below of percent tests)} ], [ 5, 10, 50, 12 ], 'place');
    is_deeply($place->{percents}, [ 30, 60 ], 'places of the ends of the interval');
    is_deeply([ map { sprintf '%.0f', $place->{$_}{value} } qw(lower higher) ], [ 50,   60 ],   'nearest');
    is_deeply($place->{years},                                                  [ 2024, 2024 ], 'years');
};

subtest 'results with other numbers of copies are left out' => sub {
    my @others = map { result(100, copies => $_, cpus => $_) } 1, 2, 4, 5, 6, 8;
    is(place(result(1), @others)->{of}, 1, '1 copy');
    is(place(result(1, copies => 2, cpus => 2), @others)->{of}, 1, '2 copies: only 2');
    is(place(result(1, copies => 5, cpus => 5), @others)->{of}, 3, '5 copies: 4 to 6');
    is(place(result(1, copies => 4), result(9, copies => 4, cpus => 8))->{of},
        0, 'copies on more CPUs are none');
    is(place(result(1, copies => 4), result(9, copies => 4))->{of}, 1, 'but unknown CPUs are one');
    like(place(result(1, copies => 2, cpus => 8), @others)->{why}, qr/not 2 copies on 8 CPUs\z/, 'no place');
};

subtest 'with several copies the file tests do not count' => sub {
    my @others = map { result(100, copies => 2, files => 5) } 1 .. 5;
    my $place  = place(result(90, copies => 2, files => 900), @others);
    is($place->{below}, 0, 'fast files do not lift the place');
    is($place->{tests}, 9, 'of nine tests');
    cmp_ok(abs($place->{value} - 90), '<', 1e-6, 'the value is theirs');
    my $bare = place({ copies => 2, index => 90 }, @others);
    is($bare->{tests}, 12, 'an index without scores is compared as a whole');
    is($bare->{below}, 5,  'with the whole indexes of others');
    my $with_one = place(result(90, files => 900), map { result(100, files => 5) } 1 .. 5);
    is($with_one->{below}, 5, 'with one copy they count');
};

subtest 'fewer than five results have a list and no percentage' => sub {
    my $place = place(result(55), map { result(10 * $_) } 1 .. 4);
    is($place->{percent}, undef, 'no percentage');
    is($place->{of},      4,     'four results');
    my @four =
        (place(result(55), (map { result($_, cpu => 'other') } 1 .. 9), map { result($_) } 40, 50, 60, 70));
    is($four[0]{same_cpu}{below},              undef, 'four results of a CPU: no count');
    is(scalar @{ $four[0]{same_cpu}{values} }, 4,     'but a list');
    is(place(result(55), map { result($_) } 40, 50, 60, 70, 80)->{same_cpu}{below}, 2, 'five have a count');
};

subtest 'one CPU has many spellings' => sub {
    is(Touchstone::Pack::Place::Position::model($_->[0]), $_->[1], $_->[0])
        for (
        [ 'Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz',                        'Intel Xeon E5-2650 v4' ],
        [ 'AMD EPYC 7763 64-Core Processor, AMD EPYC 7763 64-Core Processor', 'AMD EPYC 7763' ],
        [ 'AMD Ryzen 7 PRO 8700GE w/ Radeon 780M Graphics',                   'AMD Ryzen 7 PRO 8700GE' ],
        [ undef,                                                              '' ]
        );
};

subtest 'a run is not compared with itself, and an unknown class is not stated' => sub {
    my $place =
        place(result(5, name => 'r1'), result(5, name => 'r1'), result(6, name => 'r2', class => 'toaster'));
    is($place->{of}, 1, 'one other');
    is_deeply([ map { $_->{class} } @{ $place->{classes} } ], ['not stated'], 'class');
};

subtest 'version 4 has no place, and an unknown version has a note' => sub {
    like(place(result(5, version => '4.1.0'), result(6))->{why}, qr/before 5 has another index/, 'version 4');
    my ($note) = Touchstone::Pack::Place::Phrases::marks(place(result(5, version => ''), result(6)));
    like($note, qr/version of UnixBench is not in this report/, 'unknown');
};

subtest 'in words' => sub {
    my $place = place(result(55), map { result(10 * $_, version => $_ > 8 ? '6.0.0' : '5.1.3') } 1 .. 10);
    my ($first, @more) = Touchstone::Pack::Place::Phrases::sentences($place, 'published');
    is($first, 'higher than 50 % of 10 published results with 1 copy (UnixBench 5.1.3 to 6.0.0, 2024)',
        'first');
    is_deeply(
        \@more,
        [
            'higher than 5 of 10 servers',
            'nearest: 50 (AMD EPYC 7763, server, 2024) and 60 (AMD EPYC 7763, server, 2024)',
            'others with this CPU (AMD EPYC 7763): 10 to 100 (10 results, 5 of them lower)'
        ],
        'more'
    );
    like((Touchstone::Pack::Place::Phrases::marks($place))[0], qr/expr/, 'what UnixBench 5 did otherwise');
    is_deeply(
        [
            Touchstone::Pack::Place::Phrases::marks(
                place(result(1), map { result(2, version => '6.0.0') } 1)
            )
        ],
        [],
        'nothing about version 6'
    );
};

done_testing();
