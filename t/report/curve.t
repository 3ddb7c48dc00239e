# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::ScalingChart and CopySpread: the pictures of several copies, and the place of each part in
# them.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Report::Plot::ScalingChart;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Run::CopySpread;
use Touchstone::Score::Rate;

sub table_of {
    my ($cpus, $copies, @rows) = @_;
    my @ideal = map { [ $_, $_ < $cpus ? $_ : $cpus ] } @$copies;
    return {
        cpus   => $cpus,
        copies => $copies,
        ideal  => \@ideal,
        rows   => [ map { { index => 0, title => $_->[0], speedup => $_->[1], @$_[ 2 .. $#$_ ] } } @rows ]
    };
}

# Returns title and picture of each panel.
sub panels {
    my ($table) = @_;
    return Touchstone::Report::Plot::ScalingChart::pictures($table) =~
        m{<figure>\n<figcaption>(.*?)</figcaption>(.*?)</figure>}sg;
}

sub dots {
    my ($svg) = @_;
    return map { /<circle class="mark" cx="([\d.]+)" cy="([\d.]+)"/ ? [ $1, $2 ] : () } split /(?=<circle)/,
        $svg;
}

subtest 'the index comes first' => sub {
    my @found =
        panels(table_of(4, [ 1, 2, 4 ], [ 'Pipe', [ 1, 2, 4 ] ], [ 'Index', [ 1, 2, 3 ], index => 1 ]));
    is("$found[0] $found[2]", 'Index Pipe', 'first');
};

subtest 'panels have one scale of efficiency from 0, and doubled copies are equally far apart' => sub {
    my (undef, $one, undef, $other) = panels(
        table_of(
            4,
            [ 1,       2, 4, 8 ],
            [ 'One',   [ 1, 2, 4, 4 ], efficiency => [ (100) x 4 ] ],
            [ 'Other', [ 1, 1, 1, 1 ], efficiency => [ 100, 50, 25, 25 ] ]
        )
    );
    my @dots = dots($one);
    is(scalar @dots, 4, 'a dot each');
    ok(abs($dots[1][0] - $dots[0][0] - $dots[2][0] + $dots[1][0]) < 0.2, 'to the right');
    is(join(' ', map { $_->[1] } @dots), join(' ', ($dots[0][1]) x 4), 'all that the CPUs can do is 100 %');
    my ($ideal) = $one =~ /class="dashed" d="M([^"]*)"/;
    is($ideal, join('L', map { "$_->[0] $_->[1]" } @dots[ 0, -1 ]), 'where a line is');
    my @less = dots($other);
    is_deeply($less[0], $dots[0], 'the same place in the other panel');
    my ($bottom) = $other =~ /y="([\d.]+)">0 %</;
    my ($whole, $half) = map { $bottom - 4.5 - $_->[1] } @less[ 0, 1 ];
    ok(abs($whole - 2 * $half) < 0.3, 'a half is half as high');
    is($less[3][1], $less[2][1], 'more copies than CPUs need not do more');
};

subtest 'cores and sockets are upright lines within the scale' => sub {
    my $table = {
        %{ table_of(8, [ 1, 4, 8 ], [ 'Pipe', [ 1, 4, 6 ] ]) },
        marks => [ [ 4, '4 cores' ], [ 8, '8 CPUs' ] ]
    };
    my (undef, $svg) = panels($table);
    is(scalar(() = $svg =~ /class="thin"/g), 1, 'one is within');
    like(Touchstone::Report::Plot::ScalingChart::legend($table), qr/Upright lines: 4 cores\.\z/, 'and named');
};

subtest 'the law is a line of its own with a ring at its peak' => sub {
    my (undef, $with, undef, $without) = panels(
        table_of(
            8,
            [ 1,      2, 4, 8 ],
            [ 'With', [ 1, 1.8, 2.5, 2.2 ], law => [ [ 1, 1 ], [ 4, 2.5 ], [ 8, 2.2 ] ], top => [ 5, 2.6 ] ],
            [ 'Without', [ 1, 2, 4, 8 ] ]
        )
    );
    like($with, qr/<path class="law" d="M[^"]*L[^"]*L[^"]*"\/>\n<circle class="open second"/,
        'line and ring');
    unlike($without, qr/law|second/, 'none where there is none');
    like(
        Touchstone::Report::Plot::ScalingChart::legend(
            table_of(8, [ 1, 2, 4 ], [ 'With', [ 1, 2, 4 ], law => [ [ 1, 1 ], [ 2, 2 ] ] ])
        ),
        qr/Thick line: fitted law/,
        'it is explained'
    );
    unlike(Touchstone::Report::Plot::ScalingChart::legend(table_of(8, [ 1, 2, 4 ], [ 'No', [ 1, 2, 4 ] ])),
        qr/Thick/, 'and not where there is none');
};

subtest 'what is there is explained, and nothing else' => sub {
    my $legend = sub { return Touchstone::Report::Plot::ScalingChart::legend(table_of(4, @_)) };
    unlike($legend->([ 1, 2, 4 ], [ 'Pipe', [ 1, 2, 4 ] ]), qr/interval|Upright/, 'no interval and no line');
    like(
        $legend->([ 1, 2, 4 ], [ 'Pipe', [ 1, 2, 3 ], limits => [ undef, [ 1, 3 ], undef ] ]),
        qr/95 % intervals as thin lines/,
        'one that is there'
    );
    like(
        $legend->([ 2, 4 ], [ 'Pipe', [ 1, 2 ] ]),
        qr/Dashed: perfect scaling on 4 CPUs, from 2 copies\./,
        'the first count is named'
    );
};

subtest 'one wrong figure leaves the others readable' => sub {
    my (undef, $wild, undef, $tame) = panels(
        table_of(
            2,
            [ 1,      2, 4 ],
            [ 'Wild', [ 1, 1e58, 1 ] ],
            [ 'Tame', [ 1, 2,    2 ] ],
            [ 'Slow', [ 1, 1e-9, 1 ] ]
        )
    );
    like(
        $wild,
        qr/<path class="mark" d="M\S+ \S+h10l-5 -7z"><title>2 copies: 1e\+58 $TIMES</,
        'it is an arrow at the edge'
    );
    my @dots = dots($tame);
    ok($dots[0][1] < 100, 'others keep their scale');
};

subtest 'figures that are missing are no trouble' => sub {
    for my $speedup (
        [ 1,     undef ],
        [ undef, undef ],
        [ 0,     0 ],
        [ 1,     0 ],
        [ 1,     undef, 0 ],
        [ undef, undef, undef ]
    ) {
        my $svg =
            Touchstone::Report::Plot::ScalingChart::pictures(
            table_of(1, [ 1 .. @$speedup ], [ 'Odd', $speedup ]));
        unlike($svg, qr/nan|inf/i, join ', ', 'speed-ups', map { $_ // 'none' } @$speedup);
        like($svg, qr/not known/, 'which is said') if !$speedup->[-1];
    }
};

subtest 'labels of copies do not touch, and the most are named' => sub {
    my (undef, $svg) = panels(table_of(256, [ 1 .. 20, 256 ], [ 'Many', [ 1 .. 21 ] ]));
    my %at = map { /class="dim middle" x="([\d.]+)" y="\d+">(\d+)</ ? ($2 => $1) : () } split /\n|(?=<text)/,
        $svg;
    my @places = sort { $a <=> $b } values %at;
    ok($at{256} && !grep({ $places[$_] - $places[ $_ - 1 ] < 17 } 1 .. $#places), 'apart');
};

subtest 'how even copies are is in speeds, also of seconds' => sub {
    my $pass = sub {
        my (@rates) = @_;
        return { rates => \@rates, spread => 0.1, skew => 0.002, share => 0.9 };
    };
    my $got = Touchstone::Score::Rate::evenness(
        'lps',
        $pass->(90, 110),
        { %{ $pass->(100, 100) }, spread => 0, skew => 0.001, share => 0.95 }
    );
    is_deeply(
        $got,
        {
            passes  => 2,
            middle  => 0.05,
            largest => 0.1,
            skew    => 0.002,
            share   => 0.9,
            unusual => 0,
            parts   => [ [ 0.9, 1.1 ], [ 1, 1 ] ]
        },
        'parts of the mean, and the worst'
    );
    $got = Touchstone::Score::Rate::evenness('s', $pass->(1 / 90, 1 / 110));
    is(
        join(' ', map { sprintf '%.6f', $_ } @{ $got->{parts}[0] }),
        '0.900000 1.100000',
        'who takes longer is slower'
    );
    my $unusual = sub { return Touchstone::Score::Rate::evenness('lps', @_)->{unusual} };
    my @far     = map { +{ %{ $pass->(100, 100) }, spread => $_ } } 0.3, 0.3, 0;
    is($unusual->(@far),                                     1, 'half of the passes are far apart');
    is($unusual->(@far[ 0, 2, 2 ]),                          0, 'a single one says nothing');
    is($unusual->({ %{ $pass->(100, 100) }, share => 0.7 }), 1, 'the copies hardly ran together');

    for my $odd ([ lps => 0, 0 ], [ s => 0, 1 ], [ s => -1, 1 ]) {
        my ($unit, @rates) = @$odd;
        is_deeply(Touchstone::Score::Rate::evenness($unit, $pass->(@rates))->{parts},
            [], "no part where a copy has no speed: @$odd");
    }
};

# Returns a model with one block.
sub model_of {
    my ($copies, %parts) = @_;
    my %spreads = map {
        $_ => { passes => scalar @{ $parts{$_} }, middle => 0.01, largest => 0.02, parts => $parts{$_} }
    } keys %parts;
    return {
        blocks => [
            {
                count   => $copies,
                copies  => "$copies parallel copies",
                spreads => \%spreads,
                tests   => [ map { { name => $_, title => "Title of $_" } } sort keys %parts ]
            }
        ]
    };
}

sub spread_of {
    return Touchstone::Report::Render::Html::fragment(Touchstone::Report::Run::CopySpread::parts(@_));
}

sub spots {
    my ($html) = @_;
    return map { [ split / / ] } map { /M([\d.]+ [\d.]+)h\d/g } $html =~ /class="dots" d="([^"]*)"/g;
}

subtest 'a dot of a copy is as far from the middle as its speed from the mean, the first on top' => sub {
    my $html = spread_of(model_of(2, pipe => [ [ 0.98, 1.02 ] ]));
    my ($first, $second) = sort { $a->[0] <=> $b->[0] } spots($html);
    ok($first->[1] < $second->[1], 'the first copy is on top');
    my ($middle) = $html =~ /class="axis" d="M([\d.]+) /;
    ok(abs($first->[0] + $second->[0] - 2 * $middle) < 2 && $first->[0] < $middle, 'slower is at the left');
    like(
        $html =~ s/ class="more"//gr,
        qr{<th scope="row">Pipe throughput</th><td>1</td><td>1\.0 %</td><td>2\.0 %</td></tr>},
        'the table has the figures'
    );
};

subtest 'the fold of a copy count is open where its copies differ unusually' => sub {
    my $folds = sub {
        my (%spread) = @_;
        my $model = model_of(2, pipe => [ [ 0.98, 1.02 ] ], spawn => [ [ 0.9, 1.1 ] ]);
        @{ $model->{blocks}[0]{spreads}{spawn} }{ keys %spread } = values %spread;
        return spread_of($model);
    };
    like(
        $folds->(middle => 0.03),
        qr{<details class="says">\n<summary>2 copies: spread of a test 1\.0 % to 3\.0 % \(Process creation\)</summary>},
        'closed, and its head says how much they differ'
    );
    like($folds->(unusual => 1), qr/<details class="says" open>/, 'open');
};

subtest 'one copy has no spread' => sub {
    is(spread_of({ blocks => [ { spreads => {} } ] }), '', 'no section');
};

subtest 'a copy that starved is an arrow, and the others stay apart' => sub {
    my $html =
        spread_of(model_of(2, (map { ("t$_" => [ [ 0.99, 1.01 ] ]) } 1 .. 5), bad => [ [ 0.2, 1.8 ] ]));
    is(scalar(() = $html =~ /class="mark"/g), 2, 'an arrow at each side');
    my @x = map { $_->[0] } spots($html);
    ok($x[1] - $x[0] > 100, 'the others fill the scale');
};

subtest '64 copies in many passes stay small' => sub {
    my @passes = map {
        my $pass = $_;
        [ map { 1 + (($_ * 7919 + $pass * 104729) % 1000 - 500) / 1e5 } 1 .. 64 ]
    } 1 .. 40;
    my $html = spread_of(model_of(64, map { ("t$_" => \@passes) } 1 .. 12));
    cmp_ok(length $html, '<', 100_000, 'twelve tests');
    is(scalar(grep { $_->[0] < 208 || $_->[0] > 552 } spots($html)), 0, 'all within the scale');
    ok(scalar(() = $html =~ /h[1-9]/g), 'dots beside each other are a line');
};

subtest 'more tests than fit on paper are several pictures' => sub {
    my $html = spread_of(model_of(2, map { (sprintf('t%02d', $_) => [ [ 0.99, 1.01 ] ]) } 1 .. 40));
    is(
        join('|', $html =~ m{<figcaption>(.*?)</figcaption>}g),
        '2 copies, 1 to 36 of 40|2 copies, 37 to 40 of 40',
        'each says which'
    );
};

done_testing;
