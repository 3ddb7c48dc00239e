# SPDX-License-Identifier: GPL-2.0-or-later
# --scaling: which copies are run, the table of speed-up and efficiency, and how reports show it.
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use Test::More;

use lib 't/lib';
use Example;
use Near;
use NoWarnings;
use Scored;
use Stub;

use Touchstone::Base::Symbols qw($DASH $TIMES);
use Touchstone::Machine::Cpus;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Record::Schema;
use Touchstone::Report::Files;
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Run::Scaling;
use Touchstone::Report::Summary;
use Touchstone::Report::Run;
use Touchstone::Report::Model;
use Touchstone::Run::Request;
use Touchstone::Score::Scaling;
use Touchstone::Score;

# Patterns of UnixBench's report, and of what its wrappers search for on the terminal.
my $READ_BY_OTHERS = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

sub pass_of {
    my ($test, $copies, $rate) = @_;
    my @none = (undef) x $copies;
    return {
        test     => $test,
        copies   => $copies,
        round    => 1,
        window   => 1,
        timebase => 1,
        unit     => 'lps',
        counts   => [ ($rate / $copies) x $copies ],
        times    => [ (1) x $copies ],
        starts   => [@none],
        slices   => [@none]
    };
}

# Returns a record with so many usable CPUs; rates => { test => { copies => [rate of each pass] } }.
sub record_of {
    my ($cpus, %rates) = @_;
    my $record = Example::record();
    my %copies = map { $_ => 1 } map { keys %$_ } values %rates;
    $record->{host}{usable_cpus}          = $cpus;
    @$record{qw(failures scaling_wanted)} = ([], 1);
    $record->{tests}                      = [
        map {
            {
                name     => $_,
                title    => "Title of $_",
                category => 'system',
                baseline => $_ eq 'hanoi' ? undef : 20
            }
        } sort keys %rates
    ];
    $record->{categories}[0]{index} = [ grep { $_ ne 'hanoi' } sort keys %rates ];
    $record->{blocks} = [ map { { copies => $_, started => 0 } } sort { $a <=> $b } keys %copies ];
    $record->{passes} = [
        map {
            my $test = $_;
            map {
                my $n = $_;
                map { pass_of($test, $n, $_) } @{ $rates{$test}{$n} }
            } sort keys %{ $rates{$test} }
        } sort keys %rates
    ];
    return Scored::document($record);
}

# Returns rates that follow a scalability law exactly.
sub law {
    my ($single, $contention, $coherency, @copies) = @_;
    return { map { $_ => [ ($single * $_ / (1 + $contention * ($_ - 1) + $coherency * $_ * ($_ - 1))) x 6 ] }
            @copies };
}

subtest '--scaling runs 1, 2, 4 ... copies, as many as CPUs, twice as many, and what -c says' => sub {
    my %expected = (
        1  => '1 2',
        2  => '1 2 4',
        3  => '1 2 3 6',
        4  => '1 2 4 8',
        6  => '1 2 4 6 12',
        64 => '1 2 4 8 16 32 64 128',
        96 => '1 2 4 8 16 32 64 96 192'
    );
    for my $cpus (sort { $a <=> $b } keys %expected) {
        is(
            join(' ',
                Touchstone::Run::Request::_copies({ scaling => 1, copies => [] }, { usable_count => $cpus })),
            $expected{$cpus},
            "$cpus CPUs"
        );
    }
    is(
        join(
            ' ',
            Touchstone::Run::Request::_copies(
                { scaling      => 1, copies => [ 3, 1, '007', 3 ] },
                { usable_count => 4 }
            )
        ),
        '1 2 3 4 7 8',
        'with -c: sorted, each once'
    );
    is(join(' ', Touchstone::Run::Request::_copies({ copies => [ 3, 1, 3 ] }, { usable_count => 4 })),
        '3 1', 'without it -c alone counts');
    is(join(' ', Touchstone::Run::Request::_copies({ copies => [] }, { usable_count => 4 })),
        '1 4', 'and without that one and all');
};

subtest 'speed-up compares with one copy, efficiency with copies or CPUs' => sub {
    my $table = record_of(
        4,
        pipe  => { 1 => [100], 2 => [190], 4 => [360], 8 => [350] },
        hanoi => { 1 => [7],   2 => [14],  4 => [28],  8 => [28] }
    )->{speedup};
    is("@{ $table->{copies} }, $table->{cpus}", '1 2 4 8, 4', 'copies and CPUs');
    my ($hanoi, $pipe, $index) = @{ $table->{rows} };
    is(
        join(', ', map { "$_->{name}: $_->{title}" } @{ $table->{rows} }),
        'hanoi: Title of hanoi, pipe: Title of pipe, index: System Benchmarks Index',
        'tests, then the index'
    );
    my %expected = (
        values     => [ 50,  95,  180, 175 ],
        speedup    => [ 1,   1.9, 3.6, 3.5 ],
        efficiency => [ 100, 95,  90,  87.5 ]
    );
    for my $key (sort keys %expected) {
        for my $row ($pipe, $index) {
            near($row->{$key}[$_], $expected{$key}[$_], "$row->{name}: $key $_") for 0 .. 3;
        }
    }
    near($hanoi->{values}[2],     28,  'without a baseline values are scores');
    near($hanoi->{efficiency}[3], 100, 'twice as many copies as CPUs can be as good as all CPUs');
};

subtest 'the fewest copies stand for themselves when one copy was not measured' => sub {
    my $row = record_of(8, pipe => { 2 => [200], 4 => [380], 8 => [700] })->{speedup}{rows}[0];
    near($row->{speedup}[$_],    [ 2,   3.8, 7 ]->[$_],    "speed-up $_")   for 0 .. 2;
    near($row->{efficiency}[$_], [ 100, 95,  87.5 ]->[$_], "efficiency $_") for 0 .. 2;
    my $beyond = record_of(2, pipe => { 4 => [200], 8 => [200] })->{speedup}{rows}[0];
    is(
        "@{ $beyond->{speedup} } @{ $beyond->{efficiency} }",
        '2 2 100 100',
        'beyond the CPUs they are as good as these'
    );
};

subtest 'rows are what was measured with every copy count' => sub {
    my $record = record_of(4, pipe => { 1 => [100], 2 => [190] }, syscall => { 1 => [50] });
    is(join(' ', map { $_->{name} } @{ $record->{speedup}{rows} }),
        'pipe', 'no test and no index that is missing somewhere');
    is(record_of(4, pipe => { 1 => [100] })->{speedup}, undef, 'one copy count is no table');
    is(record_of(4, pipe => { 1 => [1] }, syscall => { 2 => [1] })->{speedup},
        undef, 'nor are counts without a test in common');
    is(Scored::document({ %{ record_of(4, pipe => law(1, 0, 0, 1, 2)) }, scaling_wanted => 0 })->{speedup},
        undef, 'nor one that nobody wants');
    $record->{blocks} = [ reverse @{ $record->{blocks} } ];
    is("@{ Touchstone::Score::score_run($record)->{speedup}{copies} }",
        '1 2', 'copies go up, in whatever order they ran');
};

subtest 'the law is fitted to copies up to the CPUs' => sub {
    my %rates = (pipe => law(100, 0.05, 0.002, 1, 2, 4, 8), syscall => law(1000, 0.05, 0.002, 1, 2, 4, 8));
    $_->{16} = [ (1) x 6 ] for values %rates;
    for my $row (@{ record_of(8, %rates)->{speedup}{rows} }) {
        my $fit = $row->{fit};
        ok(abs($fit->{contention} - 0.05) < 1e-6 && abs($fit->{coherency} - 0.002) < 1e-7,
            "$row->{name}: copies that wait for CPUs have no part in it");
        is("$fit->{points} $fit->{beyond}", '4 1', 'four points, and a peak beyond them');
        near(sprintf('%.3f', $fit->{single}), sprintf('%.3f', $row->{values}[0]),
            'in the unit of the values');
    }
    is(
        record_of(4, %rates)->{speedup}{rows}[0]{fit}{why},
        'it needs 4 copy counts up to the CPUs, this run has 3',
        'with four CPUs there are three points'
    );
    is(record_of(8, pipe => law(100, 0.1, 0.1, 1, 2, 4, 8))->{speedup}{rows}[0]{fit}{beyond},
        0, 'a peak within');
};

subtest 'the index has rates when its tests have six passes' => sub {
    my %passes = (5 => 1, 6 => 6);
    for my $n (sort keys %passes) {
        my %rates = map {
            my $scale = $_;
            (
                "test$scale" => {
                    map {
                        my $copies = $_;
                        $copies => [ map { 100 * $scale * $copies + $_ } 1 .. $n ]
                    } 1,
                    2, 3,
                    4
                }
            )
        } 1, 4;
        my ($block) = @{ record_of(4, %rates)->{results} };
        my $got = Touchstone::Score::Scaling::_index_rates($block->{indexes}[0], $block);
        is(scalar @$got, $passes{$n}, "$n passes each");
        near(
            $got->[-1],
            $n == 6 ? sqrt(106 * 406) / 2 : $block->{indexes}[0]{score},
            'its value, or that of the last passes together'
        );
    }
};

my %SCENE = (
    'many CPUs' => record_of(
        8,
        pipe    => law(100, 0.05, 0.002, 1, 2, 4, 8, 16),
        syscall => law(9e9, 0,    0,     1, 2, 4, 8, 16),
        hanoi   => law(3,   0.5,  0.1,   1, 2, 4, 8, 16)
    ),
    'few CPUs' => record_of(2, pipe => law(100, 0.05, 0.002, 1, 2, 4), hanoi => law(3, 0, 0, 1, 2, 4)),
    'mixed'    => record_of(
        4,
        pipe  => law(100, 0.05, 0.002, 1 .. 4),
        hanoi => { 1 => [8], 2 => [1e-6], 3 => [1e9], 4 => [9] }
    ),
    'one CPU' => record_of(1, pipe => law(100, 0, 0, 1, 2)),
    'nothing' => record_of(4, pipe => { 1 => [1e-29], 2 => [1e29] }),
);

subtest 'the terminal gets a table that nobody takes for the report' => sub {
    for my $name (sort keys %SCENE) {
        my @lines = Touchstone::Report::Run::Scaling::lines($SCENE{$name}{speedup}, 'name');
        is(join('', grep { /$READ_BY_OTHERS/ || /[^ -~]/ || / \z/ } @lines),
            '', "$name: nothing that others read");
        cmp_ok(max(map { length } @lines), '<=', 100, 'lines that fit');
    }
    my $text = join "\n", Touchstone::Report::Run::Scaling::lines($SCENE{'many CPUs'}{speedup}, 'name');
    like($text, qr/\Acopies \(8 usable CPUs\) +1 +2 +4 +8 +16$/m, 'its head');
    like($text,
        qr/^pipe\n  index +50\.0 +94\.9 .*\n  speed-up +1\.00 +1\.90 .*\n  efficiency +100 % +95 % .*\n/m,
        'a test');
    like(
        $text,
        qr/^pipe\n(?:.*\n){3}  contention 5\.0\d* % \(.* to .*\), coherency 0\.20\d* % \(.* to .*\)\n  no peak up to 8 copies$/m,
        'its law'
    );
    like(
        $text,
        qr/^syscall\n(?:.*\n){3}  contention 0 % \(0 to 0\), coherency 0 % \(0 to 0\)\n  no peak up to 8 copies$/m,
        'one without a peak'
    );
    like(
        $text,
        qr/^hanoi\n(?:.*\n){4}  peak at 2\.2\d* copies \([^)]*\)$/m,
        'one with a peak that was measured'
    );
    like(
        join("\n", Touchstone::Report::Run::Scaling::lines($SCENE{'many CPUs'}{speedup}, 'title')),
        qr/^Title of pipe$/m,
        'the log has titles'
    );
};

subtest 'every table says what its figures are' => sub {
    my %rates  = (pipe => { 1 => [100], 2 => [200] }, hanoi => { 1 => [5], 2 => [9] });
    my $record = record_of(2, %rates);
    my $said   = sub {
        my ($label) = @_;
        my $model = Scored::model($record);
        return (
            join("\n", Touchstone::Report::Run::Scaling::lines($model->{speedup}, $label)),
            join("\n", Touchstone::Report::SpeedupText::lines($model->{scaling}, $label))
        );
    };
    my ($scaling, $gains) = $said->('name');
    like(
        $scaling,
        qr/^pipe\n  index +50\.0 +100\.0\n.*^hanoi\n  score, per second +5\.0 +9\.0\n.*^index\n  index +50\.0 +100\.0$/ms,
        'those of --scaling on the terminal'
    );
    like(
        $gains,
        qr/\Aindex, or score \(unit\) +1 copy +2 copies  speed-up.*^hanoi \(per second\) +5\.0 +9\.0 .*^pipe +50\.0 .*^index +50\.0/ms,
        'and those of gains'
    );
    push @{ $record->{categories}[0]{index} }, qw(spawn execl);
    ($scaling, $gains) = $said->('name');
    like($_, qr/^partial index, 1 of 3 tests\b/m, 'a partial index') for $scaling, $gains;
    ($scaling, $gains) = $said->('title');
    like($scaling, qr/^Title of hanoi\n  score, lps .*^System Benchmarks Partial Index, 1 of 3 tests$/ms,
        'in the log');
    like(
        $gains,
        qr/^Title of hanoi \(lps\) .*^System Benchmarks Partial Index, 1 of 3 tests +50\.0/ms,
        'and its gains'
    );
    my $none = Scored::model(record_of(2, hanoi => $rates{hanoi}));
    like(
        (Touchstone::Report::SpeedupText::lines($none->{scaling}, 'name'))[0],
        qr/\Ascore \(unit\) /,
        'scores alone'
    );
};

subtest 'where there is no law the reason is given once' => sub {
    my $few = join "\n", Touchstone::Report::Run::Scaling::lines($SCENE{'few CPUs'}{speedup}, 'name');
    is(
        join('|', $few =~ /^(.*not fitted.*)$/mg),
        'scaling law not fitted: it needs 4 copy counts up to the CPUs, this run has 2',
        'one reason for all'
    );
    my $mixed = join "\n", Touchstone::Report::Run::Scaling::lines($SCENE{mixed}{speedup}, 'name');
    like(
        $mixed,
        qr/^hanoi\n(?:.*\n){3}  scaling law not fitted: the rates are too far apart$/m,
        'a reason for one'
    );
    like($mixed, qr/^pipe\n(?:.*\n){3}  contention /m, 'and a law for the other');
};

subtest 'digits are as many as the interval supports' => sub {
    my $shown = sub {
        join '; ',
            Touchstone::Report::Run::Scaling::_law(
            { coherency => 0, coherency_low => 0, coherency_high => 0, @_ },
            undef, 8);
    };
    like(
        $shown->(contention => 0.03123, contention_low => 0.0251, contention_high => 0.0367),
        qr/^contention 3\.1 % \(2\.5 to 3\.7\), coherency 0 % \(0 to 0\); no peak up to 8 copies$/,
        'per cent'
    );
    like(
        $shown->(contention => 0.03123, contention_low => 0.0312, contention_high => 0.0313),
        qr/^contention 3\.123 % \(3\.120 to 3\.130\)/,
        'a narrow interval'
    );
    like(
        $shown->(contention => 0.4, contention_low => 0, contention_high => undef),
        qr/^contention 40\.0 % \(0\.0 to no limit\)/,
        'an open one'
    );
    my @none = (contention => 0, contention_low => 0, contention_high => 0);
    like(
        $shown->(@none, best => undef, best_low => 23.4, best_high => undef),
        qr/no peak up to 8 copies$/,
        'no peak'
    );
    like(
        $shown->(@none, best => 7.144, best_low => 6.25, best_high => undef),
        qr/peak at 7\.14 copies \(6\.25 to no limit\)$/,
        'an open peak'
    );
    like(
        $shown->(@none, best => 1, best_low => 1, best_high => 1),
        qr/peak at 1 copy: more do less$/,
        'one copy'
    );
};

subtest 'log and terminal have the table when it is wanted, and only then; the page always has curves' =>
    sub {
    my $record = $SCENE{'many CPUs'};
    my %plain  = (%$record, scaling_wanted => 0, speedup => undef);
    my $page =
        qr{<h2>Scaling</h2>.*<figure>\s*<figcaption>System Benchmarks Index<.*<figcaption>Pipe throughput<.*<caption>Speed-up over 1 copy.*<th scope="row">Pipe throughput</th>}s;
    like(Scored::report('html', $record),
        qr{$page.*Universal Scalability Law.*no peak up to 8 copies}s, 'page');
    like(Scored::report('html', \%plain), $page, 'also when it is not wanted');
    like(Scored::report('log',  $record),
        qr/^copies \(8 usable CPUs\).*^Title of pipe\n.*no peak up to 8 copies/ms, 'log');
    my @summary = Touchstone::Report::Summary::lines(Scored::model($record));
    ok(scalar(grep { /^  efficiency / } @summary) && !grep({ /^speed-up,/ } @summary),
        'terminal: in the place of the speed-ups');
    like(
        (Touchstone::Report::Summary::lines(Scored::model($record), columns => 100))[0],
        qr/usable CPUs/,
        'above the answer where that is last'
    );
    unlike(
        Scored::report('html', \%plain),
        qr/Universal Scalability|not fitted/,
        'but without intervals of a law'
    );
    unlike(Scored::report('log', \%plain), qr/Speed-up|usable CPUs/, 'not in the log');
    ok(scalar(grep { /^speed-up,/ } Touchstone::Report::Summary::lines(Scored::model(\%plain))),
        'nor on the terminal');
    is(
        Scored::report($_, $record),
        Scored::report($_, \%plain),
        "the $_ report is the same with it and without"
    ) for qw(text csv);
    };

subtest 'a hostile record makes a sound page' => sub {
    my $record = record_of(8, pipe => law(100, 0.05, 0.002, 1, 2, 4, 8), hanoi => law(1, 0, 0, 1, 2, 4));
    $_->{title} = qq{<b>"x'&amp;\e[31m</b>\n<script>} for @{ $record->{tests} }, @{ $record->{categories} };
    my $page = Scored::report('html', $record);
    my ($section) = $page =~ m{(<h2>Scaling</h2>.*)<section id="system">}s;
    unlike(
        $section,
        qr/ style=| on\w+=|<(?!\/?(?:h2|section|div|table|caption|thead|tbody|tfoot|tr|th|td|p|details|summary|figure|figcaption|small|svg|path|text|circle|rect|title)\b)|[\x00-\x09\x0b-\x1f]/,
        'no markup but its own'
    );
    is(scalar(() = $section =~ /<td[ >]/g), scalar(() = $section =~ m{</td>}g), 'cells are closed');
    is(Touchstone::Record::Schema::complaint($record, $Touchstone::Record::FORMAT),
        undef, 'the record is one');
    my %wrong = (
        'host/usable_cpus' => sub { $_[0]{host}{usable_cpus} = 'many' },
        'scaling_wanted'   => sub { $_[0]{scaling_wanted}    = [1] }
    );

    for my $key (sort keys %wrong) {
        my $bad = Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($record));
        $wrong{$key}->($bad);
        is(Touchstone::Record::Schema::complaint($bad, $Touchstone::Record::FORMAT),
            "'$key' is missing or wrong", $key);
    }
    delete $record->{host}{usable_cpus};
    my $results = Touchstone::Score::score_run($record);
    is($results->{speedup}{cpus}, 2, 'without usable CPUs the online ones count');
};

subtest 'a run with --scaling has it, and so has a report of an earlier run' => sub {
    my $fake = Stub->new;
    my $cpus = Touchstone::Machine::Cpus::read_all()->{usable_count};
    my $got  = $fake->run([qw(--quick --scaling -c 3 pipe hanoi)]);
    is($got->{status}, 0, 'it ends well') or diag($got->{err});
    my $record = $fake->record;
    my @copies =
        Touchstone::Run::Request::_copies({ scaling => 1, copies => [3] }, { usable_count => $cpus });
    is(join(' ', map { $_->{copies} } @{ $record->{blocks} }), "@copies", 'its blocks');
    is($record->{scaling_wanted},         1,         'the record says that it was wanted');
    is("@{ $record->{speedup}{copies} }", "@copies", 'and has the table');
    like($got->{err}, qr/^# copies \($cpus usable CPUs?\)/m, 'the terminal shows it');
    unlike($got->{err}, $READ_BY_OTHERS, 'and nothing that others read');
    $fake->run([qw(--quick -c 1 -c 2 pipe)]);
    my $plain = $fake->record;
    is($plain->{scaling_wanted}, 0, 'another run does not want it');
    unlike(
        $fake->run([ 'report', $plain->{name}, qw(--format log) ])->{out},
        qr/^  efficiency/m,
        'nor its report'
    );
    like(
        $fake->run([ 'report', $plain->{name}, qw(--format log --scaling) ])->{out},
        qr/^  efficiency/m,
        'unless it is asked for then'
    );
};

subtest 'curves have the law as points, the ideal as far as there are CPUs, and the index is known' => sub {
    my $curves = curves_of($SCENE{'many CPUs'});
    is_deeply($curves->{ideal}, [ [ 1, 1 ], [ 8, 8 ], [ 16, 8 ] ], 'the ideal is flat behind the CPUs');
    is(
        join(' ', map { "$_->{name}:$_->{index}" } @{ $curves->{rows} }),
        'hanoi:0 pipe:0 syscall:0 index:1',
        'what is an index'
    );
    my ($hanoi, $pipe) = @{ $curves->{rows} };
    is(
        "$pipe->{law}[0][0] $pipe->{law}[-1][0]",
        '1 8',
        'from the fewest to the most copies that it is fitted to'
    );
    near(
        sprintf('%.6f', $pipe->{law}[-1][1]),
        sprintf('%.6f', $pipe->{speedup}[3]),
        'in the unit of the speed-up'
    );
    ok(!$pipe->{top} && abs($hanoi->{top}[0] - $hanoi->{fit}{best}) < 1e-9,
        'the peak where it was measured, not beyond');
    my $plain = curves_of({ %{ $SCENE{'many CPUs'} }, speedup => undef });
    is_deeply(
        [ map { $_->{law} } @{ $plain->{rows} } ],
        [ map { $_->{law} } @{ $curves->{rows} } ],
        'the same where nobody wanted the table'
    );
    is(curves_of(record_of(4, pipe => { 1 => [100] })), undef, 'one copy count has none');
    is_deeply(curves_of($SCENE{'few CPUs'})->{rows}[0]{law}, undef, 'nor is there a law of two points');
    is_deeply(curves_of($SCENE{'one CPU'})->{ideal}, [ [ 1, 1 ], [ 2, 1 ] ],
        'one CPU is flat from the start');
};

# Returns the curves of a record with its results.
# Returns the section of a page.
sub section_of {
    return Touchstone::Report::Render::Html::fragment(Touchstone::Report::Run::Scaling::parts(@_));
}

sub curves_of {
    my ($record) = @_;
    return scalar Touchstone::Score::Scaling::curves($record, @$record{qw(results speedup)});
}

# Returns six passes around a rate.
sub around {
    my ($rate) = @_;
    return [ map { $rate * (1 + $_ / 100) } -1.5, 2.5, -0.5, 0.5, -2.5, 1.5 ];
}

subtest 'a page has speed-ups over the fewest copies, whatever their number' => sub {
    my $curves =
        curves_of(record_of(8, pipe => { 2 => [200], 4 => [380], 16 => [700] }));
    is(join(' ', map { $_ * 1 } @{ $curves->{rows}[0]{speedup} }), '1 1.9 3.5', 'the first is 1');
    is_deeply($curves->{ideal}, [ [ 2, 1 ], [ 8, 4 ], [ 16, 4 ] ], 'and so is the first of what is ideal');
    near($curves->{rows}[0]{efficiency}[2], 87.5, 'an efficiency is a part of that');
    my $page = section_of({ curves => $curves }) =~ s/ class="more"//gr;
    like(
        $page,
        qr{<caption>Speed-up over 2 copies</caption>.*>4 copies</th>.*>1\.90&#160;$TIMES</td><td[^>]*>3\.50&#160;$TIMES</td><td>88 %</td>}s,
        'in the table'
    );
    like($page, qr/perfect scaling on 8 CPUs, from 2 copies/, 'and in words');
};

subtest 'the order of copy counts takes no interval away' => sub {
    my %rates  = (pipe => { 1 => around(100), 2 => around(190), 4 => around(350) });
    my $record = record_of(4, %rates);
    my $upward = curves_of($record);
    is(scalar(grep { defined } map { @{ $_->{limits} } } @{ $upward->{rows} }),
        4, 'a test and the index have two each');
    my ($gains) = map { $_->{intervals} } grep { $_->{name} eq 'pipe' } @{ $record->{scaling}{rows} };
    near($upward->{rows}[0]{limits}[1][$_], 1 + $gains->[1][$_] / 100, 'as the gain has') for 0, 1;
    $record->{blocks} = [ reverse @{ $record->{blocks} } ];
    is_deeply(curves_of(Scored::document($record))->{rows}, $upward->{rows}, 'downwards they are the same');
};

subtest 'the table of a page has no more digits than intervals support, and indexes at its foot' => sub {
    my %three = (
        hanoi => { map { $_ => around(1234.5678 * $_) } 1, 2, 4 },
        pipe  => { 1 => [100], 2 => [200], 4 => [400] }
    );
    my $page = section_of({ curves => curves_of(record_of(4, %three)) }) =~ s/ class="more"//gr;
    like(
        $page,
        qr{<th scope="row">Tower of Hanoi</th><td data-key="[\d.]+">1235</td><td data-key="2" title="95 % interval: 1\.9\d $DASH 2\.0\d">2\.00&#160;$TIMES</td>},
        'a speed-up with its interval'
    );
    like($page,
        qr{<th scope="row">Pipe throughput</th><td[^>]*>50\.0</td><td data-key="2">2\.00&#160;$TIMES</td>},
        'one without');
    like($page, qr{<tfoot>.*System Benchmarks Index}s, 'the foot');
    is(scalar(() = $page =~ /<table /g), 1, 'one table');
    my %many = map { $_ => [ $_ * 10 ] } 1, 2, 4, 8, 16, 32, 64, 128;
    is(scalar(() = section_of({ curves => curves_of(record_of(128, pipe => \%many)) }) =~ /<table /g),
        2, 'more copy counts than paper is wide are two');
    is(section_of({ curves => curves_of(record_of(2, pipe => { 1 => [100], 2 => [200] })) }),
        '', 'two copy counts are in the results already');
};

subtest 'the head of a page has the findings in sentences' => sub {
    my %rates =
        (pipe => { 1 => [100], 2 => [200], 4 => [390] }, hanoi => { 1 => [10], 2 => [15], 4 => [16] });
    my $curves = curves_of(record_of(4, %rates));
    is(
        join(' ', Touchstone::Report::Run::Scaling::sentences($curves)),
        '4 copies do 3.90 times the work of one (98 % efficiency).'
            . ' Title of hanoi is less than 10 % faster with more than 2 copies.',
        'the index, and what more copies do not make faster'
    );
};

subtest 'a pass without a speed has no part in a law' => sub {
    my @rates = (1e-6, 1e-6, 1.1e-6, 0.9e-6, 1e-6, 1e-6, 1e-6, -1e-9, 0);
    my %test  = (
        name   => 'fcall84',
        title  => 'Calls',
        better => 'lower',
        score  => 1e-6,
        rates  => \@rates,
        error  => 0.01
    );
    for my $baseline (undef, 1) {
        my $record = {
            host    => { usable_cpus => 4 },
            results => [
                map { { copies => $_, tests => [ { %test, baseline => $baseline } ], indexes => [] } } 1 .. 4
            ]
        };
        my $table = eval { Touchstone::Score::Scaling::table($record, $record->{results}) };
        is($@,                         '', $baseline ? 'with a baseline' : 'without');
        is(scalar @{ $table->{rows} }, 1,  'there is a row');
    }
};

done_testing;
