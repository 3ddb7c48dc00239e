#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of a run: the text of its headline, and that each section is right for few figures, many, and odd
# ones.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Example;
use Fake;
use Scored;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use Touchstone::Base::Figure;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Report::Html::Bars;
use Touchstone::Report::Html::Headline;
use Touchstone::Report::Html::Strip;
use Touchstone::Score;

my @SIX = (100, 101, 99.5, 100.4, 98, 103);

sub pass_of {
    my ($test, $copies, $round, $rate, $unit) = @_;
    my @none = (undef) x $copies;
    return {
        test     => $test,
        copies   => $copies,
        round    => $round,
        window   => 1,
        timebase => $unit eq 's' ? 0 : 1,
        unit     => $unit,
        started  => 1795240226 + 7 * $round + 60 * $copies,
        seconds  => 1.02,
        counts   => [ map { $rate / $copies } 1 .. $copies ],
        times    => [ (1) x $copies ],
        starts   => [@none],
        slices   => [@none],
        skew     => 1e-5,
        share    => 0.999
    };
}

# Returns a complete record; rates => { test => { copies => [rate of each pass] } }. hanoi has no baseline;
# that of the others is 20.
sub record_of {
    my ($rates, %with) = @_;
    my $record = Example::record();
    my %copies = map { $_ => 1 } map { keys %$_ } values %$rates;
    @$record{qw(failures skipped warnings baseline status)} = ([], [], [], 'George', 'complete');
    $record->{tests} = [
        map {
            {
                name     => $_,
                title    => "Title of $_",
                category => 'system',
                baseline => $_ eq 'hanoi' ? undef : 20
            }
        } sort keys %$rates
    ];
    $record->{categories}[0]{index} = [ grep { $_ ne 'hanoi' } sort keys %$rates ];
    $record->{blocks} = [
        map  { { copies => $_, started => 1795240226, ended => 1795240286 } }
        sort { $a <=> $b } keys %copies
    ];
    for my $test (sort keys %$rates) {
        for my $copies (sort { $a <=> $b } keys %{ $rates->{$test} }) {
            my $round = 0;
            push @{ $record->{passes} },
                map { pass_of($test, $copies, ++$round, $_, $with{unit} // 'lps') }
                @{ $rates->{$test}{$copies} };
        }
    }
    $record->{passes} =
        [ grep { $_->{started} && $rates->{ $_->{test} } && !$_->{output} } @{ $record->{passes} } ];
    $record->{$_} = $with{$_} for grep { $_ ne 'unit' } keys %with;
    return Scored::document($record);
}

sub page { return Scored::report('html', $_[0]) }

# Returns the words of the headline.
sub said {
    return join '|', Touchstone::Report::Html::Headline::html(Scored::model($_[0])) =~ m{<p>(.*?)</p>}g;
}

# Returns the markup of a section.
sub section {
    my ($page, $id) = @_;
    return $page =~ m{<section id="\Q$id\E">(.*?)\n</section>\n(?=<section id|</main>)}s ? $1 : undef;
}

# Returns the cells of those rows of a section whose first cell begins with this text.
sub cells_of {
    my ($markup, $first) = @_;
    return map {
        [ map { s/<[^>]*>//gr =~ s/\s+\z//r } m{<t[dh][^>]*>(.*?)(?=<t[dh]|\z)}gs ]
    } grep { m{\A<th[^>]*>\Q$first\E} } $markup =~ m{<tr>(.*?)(?=</?t(?:r|head|body|foot)\b)}gs;
}

sub times_of {
    my ($factor) = @_;
    return map { $_ * $factor } @SIX;
}

my $GEORGE = 'George (a SPARCstation 20-61 with 128 MB of RAM, a SPARC Storage Array and Solaris 2.3),';

subtest 'the headline says how many times the baseline a machine is, and what more copies gain' => sub {
    my $one = record_of({ pipe => { 1 => [@SIX] } });
    like(
        said($one),
        qr{\AWith 1 copy this machine has the index [\d.]+ \([\d.]+ to [\d.]+\): [45]\.\d+ times \Q$GEORGE\E whose index is 10\.\z},
        'with an interval'
    );
    like(
        said(record_of({ pipe => { 1 => [@SIX], 2 => [ times_of(1.9) ] } })),
        qr{ whose index is 10\. With 2 copies [\d.]+ \([\d.]+ to [\d.]+\): 1\.90? times as much\.\z},
        'two copies'
    );
    like(
        said(record_of({ pipe => { 1 => [100], 2 => [190] } })),
        qr{ With 2 copies 95\.0: 1\.90 times as much\.\z},
        'of which nobody knows how sure they are'
    );
    like(
        said(record_of({ pipe => { 2 => [@SIX], 4 => [ times_of(1.9) ] } })),
        qr{\AWith 2 copies this .* With 4 copies .* times as much as with 2 copies\.\z},
        'which begin with two'
    );
    is(
        said(record_of({ pipe => { 1 => [100] } })),
        "With 1 copy this machine has the index 50.0, from too few passes for an interval: 5.00 times $GEORGE whose index is 10.",
        'a pass'
    );
    is(
        said(record_of({ pipe => { 1 => [20] } })),
        "With 1 copy this machine has the index 10.0, from too few passes for an interval: as much as $GEORGE whose index is 10.",
        'as fast as the baseline'
    );
};

subtest 'it is right for other baselines, partial indexes and runs without any' => sub {
    like(
        said(record_of({ pipe => { 1 => [100] } }, baseline => 'vm-07')),
        qr/: 5\.00 times the run vm-07, whose index is 10\.\z/,
        'a run'
    );
    like(
        said(record_of({ pipe => { 1 => [100] } }, baseline => 'VAX-11/780')),
        qr{: 5\.00 times a VAX-11/780, whose},
        'a machine'
    );
    like(
        said(record_of({ pipe => { 1 => [100] } }, baseline => 'George, VAX-11/780')),
        qr/: 5\.00 times its baseline, whose/,
        'one of two, nobody knows which'
    );
    like(
        said(record_of({ pipe => { 1 => [100] } }, baseline => undef)),
        qr/: 5\.00 times its baseline, whose/,
        'one that has no name'
    );
    my $index = {
        key       => 'mine',
        title     => 'My',
        category  => 'system',
        reference => 'AMD K6/233',
        scale     => 1,
        tests     => ['pipe'],
        baselines => { pipe => 10 }
    };
    is(
        said(record_of({ pipe => { 1 => [100] } }, indexes => [$index])),
        'With 1 copy this machine has the My index 10.00, from too few passes for an interval: 10.0 times an AMD K6/233, whose index is 1.',
        'an index of a suite'
    );
    my $partial = record_of({ pipe => { 1 => [100] } });
    $partial->{categories}[0]{index} = [qw(pipe syscall)];
    like(
        said(Scored::document($partial)),
        qr/has a partial index of 50\.0, .* 10, over the tests that were measured\.\z/,
        'a test is missing'
    );
    is(
        said(record_of({ hanoi => { 1 => [100] } })),
        'This run has no index, but the score of 1 test.',
        'no test with a baseline'
    );
    is(said(record_of({}, blocks => [ { copies => 1, started => 1795240226 } ])),
        'Nothing was measured.', 'nothing');

    # The indexes of both copy counts cover the same tests only if neither has a test missing.
    like(
        said(record_of({ pipe => { 1 => [100], 2 => [100] }, execl => { 1 => [100] } })),
        qr/With 2 copies this machine has a partial index of 50\.0/,
        'other tests with 2 copies: no gain'
    );
};

subtest 'a run that is not complete says so first, and which copy counts are missing' => sub {
    my $stopped = sub {
        my (%with) = @_;
        return record_of(
            { hanoi => { 1 => [@SIX] } },
            status   => 'stopped',
            name     => 'vm-3',
            schedule => { kind => 'default', copies => [ 1, 2, 4 ] },
            %with
        );
    };
    my $page = page($stopped->());
    like(
        $page,
        qr{</p>\n<p class="unfinished">Stopped before its end: nothing with 2 copies, 4 copies\.</p>},
        'before anything else'
    );
    like(
        section($page, 'trouble'),
        qr{<ul class="trouble">\n<li class="failed">\n<p><b>Stopped before its end:</b> nothing with 2 copies, 4 copies</p>\n<p class="dim">Remedy: --resume vm-3 goes on},
        'and as the first item'
    );
    unlike(section(page($stopped->(purpose => 'duet')), 'trouble'), qr/--resume/, 'a duet cannot be resumed');
    my $cut = $stopped->(
        blocks   => [ { copies => 1, started => 1795240226 }, { copies => 2, started => 1795240286 } ],
        schedule => { kind => 'default', copies => [ 1, 2 ] },
        status   => 'running'
    );
    like(
        page($cut),
        qr{>Still running, or cut off: nothing with 2 copies; not all passes with 1 copy\.<},
        'a count that is not done'
    );
    unlike(page($stopped->(status => $_ // 'complete', schedule => { kind => 'default' })),
        qr/unfinished">/, 'not so of a complete one')
        for undef;
    like(
        page($stopped->(schedule => { kind => 'classic' })),
        qr/>Stopped before its end\.</,
        'an old record does not say what was asked for'
    );
};

subtest 'what was wrong is named by a word, with its remedy and what was printed' => sub {
    my %with = (
        failures => [
            {
                test   => 'pipe',
                copies => 2,
                why    => 'exit status 3',
                remedy => 'make <it>',
                output => "no\n<b>\n"
            }
        ],
        skipped  => [ { test => 'dc', why => 'is missing', remedy => undef } ],
        warnings => [ map { { id => 'load', text => "load $_", remedy => 'stop them' } } 1, 2 ]
    );
    my $markup = section(page(record_of({ hanoi => { 1 => [@SIX] } }, %with)), 'trouble');
    like(
        $markup,
        qr{<b>Failed:</b> pipe with 2 copies: exit status 3</p>\s*<details>.*<pre>no\n&lt;b&gt;</pre>.*Remedy: make &lt;it&gt;}s,
        'a failure'
    );
    like($markup, qr{<b>Skipped:</b> dc: is missing}, 'a test that was skipped');
    like(
        $markup,
        qr{load 1</p>\s*<p><b>Warning:</b> load 2</p>\s*<p class="dim">Remedy: stop them},
        'two warnings with one remedy'
    );
    is(scalar(() = $markup =~ /Remedy: stop them/g), 1, 'which is there once');
    is(section(page(record_of({ hanoi => { 1 => [@SIX] } })), 'trouble'),
        undef, 'no section when nothing was');
};

subtest 'the picture of the indexes has a bar for each test and copy count, and no style attribute' => sub {
    my $markup = section(
        page(
            record_of(
                {
                    pipe  => { 1 => [@SIX], 2 => [ times_of(1.9) ] },
                    execl => { 1 => [@SIX] },
                    hanoi => { 1 => [@SIX] }
                }
            )
        ),
        'indexes'
    );
    is(scalar(() = $markup =~ /<rect class="bar" [^>]*>(?=<title>)/g), 3, 'three bars');
    like($markup, qr{>Title of execl<.*>Title of pipe<}s, 'sorted by title');
    unlike($markup, qr/hanoi/, 'none without a baseline');
    like(
        $markup,
        qr{<title>2 copies: [\d.]+, 95 % interval [\d.]+ to [\d.]+</title>},
        'which says its figures'
    );
    like($markup, qr/bars begin at 10, the index of George/, 'a legend says where they begin');
    is(
        scalar(() = $markup =~ /class="whisker"/g),
        3 * (3 + 1),
        'each with a line and two ends for its interval, as the legend has them'
    );
    unlike($markup, qr/ style=/, 'looks are classes');
    my ($first, $second) = $markup =~ m{>Title of pipe<.*?width="([\d.]+)%".*?width="([\d.]+)%"}s;
    cmp_ok($second, '>', $first, 'the longer is the higher');
    unlike(
        section(page(record_of({ pipe => { 1 => [100] } })), 'indexes'),
        qr/95 % interval/,
        'no key to intervals that are not there'
    );
    is(section(page(record_of({ hanoi => { 1 => [@SIX] } })), 'indexes'), undef,
        'no section without indexes');
};

subtest 'a bar that is missing is said to be, and an interval from zero on has no whisker' => sub {
    my $markup = section(page(record_of({ pipe => { 1 => [@SIX], 2 => [@SIX] }, execl => { 1 => [@SIX] } })),
        'indexes');
    is(scalar(() = $markup =~ />no result</g), 1, 'of one test, with two copies');
    my $model = Scored::model(record_of({ pipe => { 1 => [@SIX] } }));
    my ($test) = @{ $model->{blocks}[0]{tables}[0]{rows} };
    for my $case ([ 0, [ 0, 0 ] ], [ -3, [ -4, -2 ] ], [ 3, [ -1, 7 ] ]) {
        @$test{qw(index index_interval)} = @$case;
        unlike(
            Touchstone::Report::Html::Bars::html($model),
            qr/whisker|95 % interval<|nan|inf/i,
            "$case->[0]: none, nor a key to it"
        );
    }
    @$test{qw(index index_interval)} = (548e9, [ 547e9, 549e9 ]);
    like(Touchstone::Report::Html::Bars::html($model), qr/>5\.48e\+11</, 'a long figure is rounded, not cut');
};

subtest 'odd indexes have a bar within the picture' => sub {
    for my $case (
        [ 'below the baseline', times_of(0.01) ],
        [ 'near it',            times_of(0.2) ],
        [ 'far above',          times_of(1e12) ],
        [ 'far below',          times_of(1e-12) ],
        [ 'all equal', (100) x 6 ]
    ) {
        my ($name, @rates) = @$case;
        my $markup = section(page(record_of({ pipe => { 1 => [@rates] } })), 'indexes');
        my @places = $markup =~ /(?:x|x1|x2|width)="(-?[\d.]+)%"/g;
        is(scalar(grep { $_ < 0 || $_ > 100 } @places), 0, $name);
        unlike($markup, qr/="[^"]*(?:nan|inf)/i, "$name: numbers");
    }
};

subtest 'a row of the results has the score, its interval and its passes, and the foot the index' => sub {
    my $page   = page(record_of({ pipe => { 1 => [@SIX] }, hanoi => { 1 => [@SIX] } }));
    my $markup = section($page, 'copies-1');
    my ($head) = cells_of($markup, 'Test');
    is(
        join(' ', @$head),
        'Test Each pass Score Unit 95 % interval CV Passes Baseline Index',
        'no columns that would be empty'
    );
    my ($row, $other) = map { (cells_of($markup, "Title of $_"))[0] } qw(pipe hanoi);
    is($row->[3], 'lps', 'unit');
    like($row->[4], qr/\A[\d.]+ to&#160;[\d.]+\z/, 'interval');
    is("@$row[6, 7]",   '6 20.0',  'passes, baseline');
    is("@$other[7, 8]", '--- ---', 'a test without a baseline');
    my ($foot) = cells_of($markup, 'System Benchmarks Index Score');
    like($foot->[0], qr/Score \xc2\xb1[\d.]+ %\z/, 'the index and how sure it is');
    cmp_ok($foot->[8], '>', 10, 'in the column of indexes');
};

subtest 'a score without an interval has four digits everywhere' => sub {
    my $page = page(record_of({ pipe => { 1 => [712260.24] } }));
    my ($row) = cells_of(section($page, 'copies-1'), 'Title of pipe');
    is("@$row[2, 4, 8]", '712300 n too small 356100', 'score and index');
    like(section($page, 'passes'), qr{<td>712300</td></tr>},                        'the pass');
    like($page, qr{<b>356100</b>.*With 1 copy this machine has the index 356100,}s, 'headline');
    like(section($page, 'indexes'), qr{>356100</text>},                             'and bar');
    is_deeply(
        [
            map { Touchstone::Base::Figure::shown(@$_) } [0],
            [0.00012346], [ 1e300 * 0 ],
            [99999],      [-1234.6],
            [ 9.99996, undef, 1 ],
            [ 1782.36, [ 1771, 1793 ] ]
        ],
        [qw(0.0 0.0001235 0.0 100000 -1235 10.0 1782)],
        'odd ones'
    );
};

subtest 'scores are sorted by what they are, not by the figures of their units' => sub {
    my $markup = section(
        page(
            record_of(
                { pipe => { 1 => [ times_of(3e-7) ] }, hanoi => { 1 => [ times_of(2e-4) ] } },
                unit => 's'
            )
        ),
        'copies-1'
    );
    my %key = map { m{>Title of (\w+)<.*?</td><td data-key="([^"]+)">}s ? ($1 => $2) : () } split /(?=<tr>)/,
        $markup;
    like($markup, qr/>us .*>ns /s, 'in two units');
    cmp_ok($key{pipe}, '<', $key{hanoi}, 'the shorter is less');
};

subtest 'of a test whose passes were all disturbed none are left' => sub {
    my $record = record_of({ pipe => { 1 => [@SIX] }, execl => { 1 => [@SIX] } });
    $_->{counters} = { seconds => 1, other => 0.9 } for grep { $_->{test} eq 'pipe' } @{ $record->{passes} };
    $record->{passes}[0]{counters} = { seconds => 1, other => 0.9 };
    my $markup = section(page(Scored::document($record)), 'copies-1');
    my ($row) = cells_of($markup, 'Title of pipe');
    is($row->[8], 'none left', 'in its column');
    like(
        $markup,
        qr/None left: all passes of the test were disturbed, and the index without these has them all\./,
        'and what the index makes of it'
    );
};

subtest 'tests without any index have a table of their own' => sub {
    my $markup = section(page(record_of({ hanoi => { 1 => [@SIX] } })), 'copies-1');
    like($markup, qr{<caption>Results</caption>}, 'with a caption');
    unlike($markup, qr/>Baseline<|>Index</, 'and without columns for indexes');
};

subtest 'seconds say that less of them is better' => sub {
    my $markup = section(page(record_of({ hanoi => { 1 => [ times_of(1e-2) ] } }, unit => 's')), 'copies-1');
    like($markup, qr{<small>less is better</small>}, 'beside the unit');
    unlike(
        section(page(record_of({ hanoi => { 1 => [@SIX] } })), 'copies-1'),
        qr/less is better/,
        'rates do not'
    );
};

subtest 'passes that were disturbed are hollow, outliers diamonds, in words too' => sub {
    my $record = record_of({ pipe => { 1 => [ 100, 100.1, 99.9, 100.05, 99.95, 20 ] } });
    $record->{passes}[5]{counters} = { seconds => 1, other => 0.9 };
    my $page  = page(Scored::document($record));
    my $strip = section($page, 'copies-1');
    is(scalar(() = $strip =~ /<circle (?![^>]*class)/g), 5, 'five dots');
    like(
        $strip,
        qr{<path class="hollow" d="M[\d. l-]+z"><title>round 6, 35 s: 20\S*, disturbed by other processes, an outlier</title>},
        'a hollow diamond'
    );
    like($strip,                   qr/Hollow: .* Diamond: /,           'said below');
    like(section($page, 'passes'), qr{>other processes; outlier</td>}, 'and in the table of passes');
    my ($head) = cells_of($strip, 'Test');
    like("@$head", qr/Passes Disturbed Without these Outliers/, 'in columns');
};

subtest 'a strip is within its picture whatever the values' => sub {
    for my $case (
        [ 'one pass', 100 ],
        [ 'all equal', (5) x 6 ],
        [ 'all zero', (0) x 6 ],
        [ 'negative', -5, -4, 3, -6, -5, -4.5 ],
        [ 'huge',     times_of(1e12) ],
        [ 'small',    times_of(1e-9) ]
    ) {
        my ($name, @values) = @$case;
        my $at   = 0;
        my $test = {
            title    => 'T',
            score    => $values[0],
            interval => @values > 1 ? [ $values[0] - 1, $values[0] + 1 ] : undef
        };
        my $strip = Touchstone::Report::Html::Strip::markup(
            test   => $test,
            from   => 0,
            to     => 7,
            passes => [
                map { { round => ++$at, at => $at, value => $_, marks => [], outlier => $at == 6 } } @values
            ]
        );
        my @y = $strip =~ / (?:cy|y1)="(-?[\d.]+)"/g;
        is(scalar(grep { $_ < 0 || $_ > 32 } @y), 0, $name);
        unlike($strip, qr/nan|inf/i, "$name: numbers");
    }
    my $beyond = 9**9**9;
    is(
        Touchstone::Report::Html::Strip::markup(
            test   => { title => 'T', score => $beyond },
            passes => [ { value => $beyond, marks => [] } ]
        ),
        '',
        'none of what is no number'
    );
};

subtest 'every pass is in a folded table, that of each copy too' => sub {
    my $page   = page(record_of({ pipe => { 1 => [@SIX], 2 => [@SIX], 64 => [@SIX] } }));
    my $markup = section($page, 'passes');
    is(scalar(() = $markup =~ /<details class="passes">/g), 3, 'a fold for each copy count');
    like(
        $markup,
        qr{<button type="button" hidden data-opens="details\.passes">},
        'a button opens all where scripts run'
    );
    my @heads = cells_of($markup, 'Round');
    is(join(' ', @{ $heads[0] }), 'Round At (s) Took (s) lps', 'one copy, nothing to remark');
    is(join(' ', @{ $heads[1] }),
        'Round At (s) Took (s) lps Copy 1 Copy 2 Spread (%) Skew (ms) Common (%)', 'two');
    is(
        join(' ', @{ $heads[2] }),
        'Round At (s) Took (s) lps Each copy Spread (%) Skew (ms) Common (%)',
        'many share a column'
    );
    my ($row) = grep { @$_ == 8 } cells_of($markup, '1');
    is(scalar(split ' ', $row->[4]), 64, 'in which all are');
};

subtest 'facts are in groups, and what is not known in a line' => sub {
    my $record = record_of({ hanoi => { 1 => [@SIX] } });
    @{ $record->{host} }{qw(governor boost file_system memory_kb numa_nodes)} =
        ('unknown', 'unknown', 'ext<4', 4030712, 1);
    $record->{build}{binaries} = { hanoi => 'f00d' };
    my $markup = section(page($record), 'system');
    is(
        join(' ', $markup =~ m{<h3>(.*?)</h3>}g),
        'Host CPU Memory Storage Kernel Build Schedule' =~ s/ Kernel//r,
        'groups that have facts'
    );
    like($markup, qr{<dt>Not known</dt><dd class="unknown">governor, boost, CPU quota</dd>}, 'the unknown');
    like($markup, qr{<dt>Memory</dt><dd>3.8 GB</dd>},        'memory with a unit');
    like($markup, qr{<dt>File system</dt><dd>ext&lt;4</dd>}, 'escaped');
    like($markup, qr{<details>.*hanoi.*f00d}s,               'hashes of the programs are folded');
    $record->{brief} = 1;
    unlike(section(page($record), 'system'), qr/bogomips/, 'a brief run says nothing of its CPUs');
};

subtest 'every section is in the navigation, every link leads to one' => sub {
    for my $case (
        [ whole => record_of({ pipe => { 1 => [@SIX], 2 => [@SIX] } }) ],
        [ empty => record_of({}) ],
        map { [ $_ => Touchstone::Record->load("$Fake::BASE/t/golden/$_.json", 'nowhere') ] }
        qw(record sure fixed)
    ) {
        my ($name, $record) = @$case;
        my $page  = page(Scored::document($record));
        my @ids   = $page =~ /<section id="(.*?)">/g;
        my ($nav) = $page =~ m{<nav aria-label="Sections">(.*?)</nav>}s;
        is(join(' ', $nav =~ /href="#(.*?)"/g), "@ids", "$name: in order");
        my %seen;
        is(scalar(grep { $seen{$_}++ } $page =~ / id="(.*?)"/g), 0, "$name: no id is there twice");
        like($page, qr{<main>\n<a class="skip" href="#$ids[0]">}, "$name: keyboards can skip to the first");
        my @levels = $page =~ /<h(\d)/g;
        is(scalar(grep { $levels[$_] > $levels[ $_ - 1 ] + 1 } 1 .. $#levels),
            0, "$name: headings skip no level");
        is(scalar(grep { !/<caption>[^<]/ } $page =~ m{<table>(.*?)</table>}gs),
            0, "$name: every table has a caption");
    }
};

subtest 'what the pictures show is said once, the index of 1984 by its own sentence alone' => sub {
    my $page = page(Scored::document(Touchstone::Record->load("$Fake::BASE/t/golden/fixed.json", 'nowhere')));
    is(scalar(() = $page =~ /Each pass: a dot/g), 1, 'how to read passes');
    my ($headline) = $page =~ m{<main>(.*?)<nav}s;
    is(join(' ', $headline =~ /([\d,]+) times a VAX/g), '4000 5710', 'once for each copy count');
    unlike($headline, qr/geometric mean/, 'the section has the rest');
};

subtest 'several indexes against one baseline are in one sentence' => sub {
    my @indexes = map {
        {
            key       => lc,
            title     => $_,
            category  => 'system',
            reference => 'AMD K6/233',
            scale     => 1,
            tests     => ['pipe'],
            baselines => { pipe => 10 }
        }
    } qw(My Your);
    is(
        said(record_of({ pipe => { 1 => [100] } }, indexes => \@indexes)),
        'With 1 copy this machine has these indexes, from too few passes for an interval: My 10.00, Your 10.00. Those of an AMD K6/233 are 1.',
        'two'
    );
};

subtest 'a page of many passes is small' => sub {
    my %many = map {
        ("test$_" => { 1 => [ map { 100 + $_ % 7 } 1 .. 9 ], 2 => [ map { 190 + $_ % 9 } 1 .. 9 ] })
    } 1 .. 12;
    cmp_ok(length page(record_of(\%many)), '<', 110_000, 'for 12 tests, two copy counts and 216 passes');
    $_ = { 1 => [ map { 1001 + $_ % 7 } 1 .. 46 ], 2 => [ map { 1901 + $_ % 9 } 1 .. 46 ] } for values %many;
    my $page = page(record_of(\%many));
    cmp_ok(length $page, '<', 270_000, 'with 1,100 passes');
    unlike(section($page, 'copies-1'), qr/<title>/, 'whose dots lie upon each other and have no tips');
};

done_testing;
