# SPDX-License-Identifier: GPL-2.0-or-later
# Tails of tests: what is made of the quantiles of passes, and how reports say and draw it.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Modern;
use Scored;
use Touchstone::Base::Symbols qw($DASH $MICRO);
use Touchstone::Compare;
use Touchstone::Report::Compare;
use Touchstone::Report::Plot::Quantiles;
use Touchstone::Report::Tails;
use Touchstone::Score::Measures;
use Touchstone::Score;

# A pass whose copies said these quantiles.
sub told {
    my (@figures) = @_;
    return {
        unit    => 'lps',
        times   => [ (1) x @figures ],
        figures => \@figures,
        units   => { map { $_ => 's' } qw(p50 p99 max) }
    };
}

sub points {
    return { map { $_->[0] => $_ } @{ $_[0]{points} } };
}

subtest 'a point is the median over the passes, with the interval of their order' => sub {
    my @seconds = (5, 1, 9, 3, 7, 2);
    my $tail =
        Touchstone::Score::Measures::tail_of_passes(
        [ map { told({ p50 => $_, p99 => 10 * $_, max => 100 * $_, samples => 50 }) } @seconds ]);
    my $at = points($tail);
    is($at->{0.5}[1], 4, 'the median of six');
    my ($low, $high) = @{ $at->{0.5}[2] };
    ok(
        $low >= 1 && $low < 2 && $high > 7 && $high <= 9,
        'from the least to the greatest, nearly, as there are six'
    );
    is($at->{0.99}[1],   40,  'of another share');
    is($tail->{worst},   900, 'the worst of all passes');
    is($tail->{samples}, 300, 'all operations');
    is($tail->{seconds}, 6,   'the time of all passes');
    is($tail->{passes},  6,   'as many as they are');
};

subtest 'five passes give points without intervals' => sub {
    my $tail =
        Touchstone::Score::Measures::tail_of_passes([ map { told({ p50 => $_, p99 => 2 * $_ }) } 1 .. 5 ]);
    is_deeply($tail->{points}, [ [ 0.5, 3, undef ], [ 0.99, 6, undef ] ], 'two points');
    is($tail->{worst},   undef, 'no worst');
    is($tail->{samples}, undef, 'nor its number');
};

subtest 'copies only watch: the point of a pass is in their middle, the worst is that of any' => sub {
    my $tail = Touchstone::Score::Measures::tail_of_passes(
        [
            told(
                { p50 => 2, p99 => 4, max => 5,  samples => 10 },
                { p50 => 8, p99 => 9, max => 70, samples => 20 }
            )
        ]
    );
    is(points($tail)->{0.5}[1], 4,  'the geometric mean');
    is($tail->{worst},          70, 'the worst of both');
    is($tail->{samples},        30, 'the operations of both');
};

subtest 'passes without the middle or the 99 % have no tail' => sub {
    is(Touchstone::Score::Measures::tail_of_passes([ told({ p99 => 2, max => 3 }) ]), undef, 'no middle');
    is(Touchstone::Score::Measures::tail_of_passes([ told({ p50 => 2, max => 3 }) ]), undef, 'no 99 %');
    is(Touchstone::Score::Measures::tail_of_passes([ told({ p50 => 0, p99 => 3 }) ]), undef,
        'a time of zero');
    is(Touchstone::Score::Measures::tail_of_passes([ told({ p50 => 1, p99 => 2 }, {}) ]),
        undef, 'a copy that said nothing');
};

subtest 'the 99 % may be the score itself' => sub {
    my @passes = map {
        { %{ told({ p50 => 1, max => 50 }) }, unit => 's' }
    } 1 .. 6;
    my $tail = Touchstone::Score::Measures::tail_of_passes(\@passes, 4, 5, 6, 7, 8, 9);
    is(points($tail)->{0.99}[1], 6.5, 'the median of the rates');
    is(Touchstone::Score::Measures::tail_of_passes([ told({ p50 => 1 }) ], 4),
        undef, 'not a rate of operations');
};

my $RECORD  = Modern::record(only => [qw(threads latency durable)], copies => [1]);
my $RESULTS = Touchstone::Score::score_run($RECORD);
my %TEST    = map { $_->{name} => $_ } @{ $RESULTS->{blocks}[0]{tests} };

subtest 'a row says whether its test has a tail' => sub {
    is_deeply(
        [ sort grep { $TEST{$_}{tail} } keys %TEST ],
        [qw(commit disk-read handoff loaded replace wakeup)],
        'those that say so'
    );
    is($TEST{wakeup}{tail}{of}, 'wake-up', 'what its operation is called');
    my %without =
        (%$RECORD, tests => [ map { my %row = %$_; delete $row{tail}; \%row } @{ $RECORD->{tests} } ]);
    my $again = Touchstone::Score::score_run(\%without);
    my ($same) = grep { $_->{name} eq 'commit' } @{ $again->{blocks}[0]{tests} };
    is($same->{tail}, undef, 'without its word there is none');
    is_deeply([ map { $_->{name} } @{ $same->{measures} } ], [qw(max p50 p90 p99 p99.9)], 'but measures');
};

subtest 'comparisons judge the 99 % of a tail alone, and once' => sub {
    is_deeply([ map { $_->{name} } @{ $TEST{commit}{measures} } ], ['p99'], 'a measure of a rate');
    is($TEST{wakeup}{measures}, undef, 'none where it is the score');
    ok(abs($TEST{wakeup}{score} / points($TEST{wakeup}{tail})->{0.99}[1] - 1) < 1e-9,
        'the score is the point');
};

my %TAIL = (
    of      => 'wake-up',
    late    => 1,
    points  => [ [ 0.5, 1.03e-5, undef ], [ 0.99, 5.4e-5, [ 4.8e-5, 6.1e-5 ] ] ],
    worst   => 1.3e-3,
    samples => 19_800,
    seconds => 6,
    passes  => 6
);

subtest 'a sentence says how late, or how long, and how sure that is' => sub {
    is(
        Touchstone::Report::Tails::sentence(\%TAIL),
        "In half of the seconds 99 of 100 wake-ups came within 54.0 ${MICRO}s (48.0 to 61.0); the worst of 19,800 was 1.30 ms late",
        'late'
    );
    is(
        Touchstone::Report::Tails::sentence(
            { %TAIL, late => 0, of => 'commit', seconds => 3, samples => undef }
        ),
        "In half of the passes 99 of 100 commits took no more than 54.0 ${MICRO}s (48.0 to 61.0); the worst took 1.30 ms",
        'long, in passes of another length'
    );
    is(
        Touchstone::Report::Tails::sentence({ %TAIL, worst => undef, points => [ [ 0.99, 5.4e-5, undef ] ] }),
        "In half of the seconds 99 of 100 wake-ups came within 54.0 ${MICRO}s",
        'without an interval and a worst'
    );
};

subtest 'numbers are read in groups of three' => sub {
    my %spelled = (7 => '7', 999 => '999', 1000 => '1,000', 19_800 => '19,800', 1_234_567 => '1,234,567');
    is(Touchstone::Base::Text::grouped_count($_), $spelled{$_}, "a number like $_") for sort keys %spelled;
};

subtest 'text, Markdown, log and page say it' => sub {
    my $said = qr/n half of the seconds 99 of 100 wake-ups came within 5\d\.\d \S+s \(/;
    like(Scored::report($_,    $RECORD), $said, $_) for qw(text markdown summary html);
    like(Scored::report('log', $RECORD),
        qr/^  19,800 wake-ups: p50 \S+ us \(.*\), p90 .*, max 1\.\d+ ms$/m, 'log');
};

subtest 'a table of figures has every quantile, and the worst without an interval' => sub {
    my @lines = grep { /^1,(?:wakeup|commit) / } split /\n/, Scored::report('csv', $RECORD);
    my %of    = map  { my @cell = split /,/; ($cell[1] => \@cell) } @lines;
    is_deeply(
        [ sort keys %of ],
        [
            map {
                my $test = $_;
                map { "$test $_" } qw(max p50 p90 p99 p99.9)
            } qw(commit wakeup)
        ],
        'one of each'
    );
    ok(length $of{'commit p99.9'}[4], 'a quantile has an interval');
    is($of{'commit max'}[4], '', 'the worst has none');
};

subtest 'a page draws a curve for each test, with an interval for each point but the worst' => sub {
    my $page    = Scored::report('html', $RECORD);
    my ($drawn) = $page =~ m{<div class="tails">(.*?)</div>}s;
    my @curves  = split /(?<=<\/figure>)/, $drawn;
    is(scalar(grep { /<figure>/ } @curves), 6, 'six tests');
    my %called = map { $_ => quotemeta Touchstone::Suite::label($TEST{$_}) } qw(wakeup handoff);
    my ($wakeup) = grep { /<figcaption>$called{wakeup}</ } @curves;
    is(() = $wakeup =~ /<circle cx/g,     4, 'four points');
    is(() = $wakeup =~ /class="limits"/g, 4, 'each with an interval');
    is(() = $wakeup =~ /class="one"/g,    1, 'and the worst');
    like(
        $wakeup,
        qr/aria-label="$called{wakeup}: in half of the seconds/,
        'in words for those who do not see it'
    );
    my ($handoff) = grep { /<figcaption>$called{handoff}</ } @curves;
    unlike($handoff, qr/worst/, 'no worst where none is known');
    unlike(
        Scored::report('html', Modern::record(only => ['compute'])),
        qr/Slowest operations|class="tails"/,
        'nothing of tests without'
    );
};

# Places of the points of a drawn line.
sub places {
    return map { [ split / / ] } split /[ML]/, ($_[0] =~ /class="curve" d="M([^"]*)"/)[0];
}

subtest 'both scales of a curve are logarithmic' => sub {
    my %even = (
        %TAIL,
        points => [ map { [ $_->[0], $_->[1], undef ] } [ 0.9, 1e-5 ], [ 0.99, 1e-4 ], [ 0.999, 1e-3 ] ],
        worst  => undef
    );
    my @at = places(
        Touchstone::Report::Plot::Quantiles::picture(
            title => 'x',
            lines => [ { name => 'a', tail => \%even } ]
        )
    );
    ok(
        abs(($at[1][0] - $at[0][0]) - ($at[2][0] - $at[1][0])) < 0.3,
        'a tenth of the operations is as far as a tenth of these'
    );
    ok(abs(($at[1][1] - $at[0][1]) - ($at[2][1] - $at[1][1])) < 0.3, 'ten times is as high as ten times');
    ok($at[1][0] > $at[0][0] && $at[1][1] < $at[0][1], 'slower is higher, rarer is to the right');
};

subtest 'a picture without points is none, and has at most four lines' => sub {
    is(
        Touchstone::Report::Plot::Quantiles::picture(
            title => 'x',
            lines => [ { name => 'a', tail => { %TAIL, points => [] } } ]
        ),
        '', 'none'
    );
    my $many = Touchstone::Report::Plot::Quantiles::picture(
        title => 'x',
        lines => [ map { { name => $_, tail => \%TAIL } } 'a' .. 'f' ]
    );
    is(() = $many =~ /class="tail\d"/g, 4, 'four');
};

sub compared {
    my ($format, @runs) = @_;
    return Touchstone::Report::Compare::render($format,
        Touchstone::Compare::compare(runs => [ map { Scored::run($_) } @runs ], smallest => {}));
}

subtest 'a comparison overlays its runs, and has the figures of each' => sub {
    my @runs = map {
        Modern::record(
            only   => ['latency'],
            copies => [1],
            name   => $_,
            host   => $_,
            faster => { latency => $_ eq 'b' ? 2 : 1 }
        )
    } qw(a b);
    my $page = compared('html', @runs);
    my ($drawn) = $page =~ m{<div class="tails">(.*?)</div>}s;
    is(() = $drawn =~ /<figure>/g,      2, 'a picture for each test');
    is(() = $drawn =~ /class="tail1"/g, 2, 'with a second line in each');
    like($page, qr{<ul class="legend">.*</svg>a</li>.*</svg>b</li>}s, 'and whose it is');
    for my $form (qw(text markdown)) {
        my ($table) = compared($form, @runs) =~ /(Slowest operations, 1 copy.*)/s;
        like($table, qr/^\W*wakeup\W+$_\W.*\d/m, "$form: run $_") for qw(a b);
    }
    my ($pair) =
        @{ Touchstone::Compare::compare(runs => [ map { Scored::run($_) } @runs ], smallest => {})->{pairs} };
    is_deeply([ sort map { $_->{name} } @{ $pair->{tests} } ], [qw(loaded wakeup)],
        'no verdict on quantiles');
};

subtest 'what a record calls its operations cannot bring markup' => sub {
    my %evil =
        (%$RECORD, tests => [ map { +{ %$_, $_->{tail} ? (tail => '<b>"x') : () } } @{ $RECORD->{tests} } ]);
    unlike(Scored::report('html', \%evil), qr/<b>"x/, 'it is a text');
};

done_testing;
