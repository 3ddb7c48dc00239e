#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of a run: its first screen, and that each section is right for few figures, many, and odd ones.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Example;
use Fake;
use NoWarnings;
use Scored;

use Touchstone::Base::Figure;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Base::Symbols qw($ARROW $DASH $PLUS_MINUS $TIMES);
use Touchstone::Report::Plot::ScoreBars;
use Touchstone::Report::Plot::PassStrip;
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

# Returns a page without its style and its script, which no test here is about.
sub page { return Scored::report('html', $_[0]) =~ s{<(style|script)>.*?</\1>}{}gsr }

# Returns what stands above the results, without marks.
sub said {
    my ($page) = page($_[0]) =~ m{<main>(.*?)<section id="results"}s;
    return $page =~ s/<[^>]*>//gr =~ s/\s+/ /gr;
}

# Returns the markup of a section.
sub section {
    my ($page, $id) = @_;
    return $page =~ m{<section id="\Q$id\E"[^>]*>(.*?)\n</section>\n(?=<section id|<nav|</main>)}s
        ? $1
        : undef;
}

# Returns the cells of those rows of a section whose first cell begins with this text.
sub cells_of {
    my ($markup, $first) = @_;
    return map {
        [ map { s/<[^>]*>//gr =~ s/\s+\z//r } m{<t[dh][^>]*>(.*?)(?=<t[dh]|\z)}gs ]
    } grep { m{\A<th[^>]*>(?:<span[^>]*>)?\Q$first\E} }
        $markup =~ m{<tr>(.*?)(?=</?t(?:r|head|body|foot)\b)}gs;
}

sub times_of {
    my ($factor) = @_;
    return map { $_ * $factor } @SIX;
}

sub titled { return (page($_[0]) =~ m{<title>(.*?)</title>})[0] }

# A complete run of UnixBench's index, so that it is not partial.
sub whole {
    my (%times) = @_;
    return record_of({ pipe => { map { $_ => [ times_of($times{$_}) ] } keys %times } });
}

subtest 'the page begins with run, host and machine, and says what its index is' => sub {
    my $record = whole(1 => 1, 2 => 1.9);
    $record->{host}{memory_kb}         = 24_684_096;
    $record->{host}{virtualisation}    = 'kvm';
    $record->{host}{cpus}[$_]{model}   = 'AMD EPYC(TM) 9R14 96-Core Processor' for 0, 1;
    $record->{build}{compiler_version} = 'cc (Debian 12.2.0-14+deb12u1) 12.2.0';
    $record->{build}{flags_unixbench}  = '-O3 -ffast-math -march=native -mtune=native -fno-lto';
    my $said = said($record);
    like(
        $said,
        qr/Touchstone 7\.0\.0 \S+ vm-01 \S+ 21 Nov 2026, \d\d:\d\d $DASH \d\d:\d\d \S+ default schedule vm /,
        'run, date, schedule, host'
    );
    like(
        $said,
        qr/ 2 $TIMES AMD EPYC 9R14 \S+ 24 GB \S+ KVM guest \S+ Linux 6\.1 \S+ gcc 12\.2\.0 -O3 -march=native all facts/,
        'the machine in a line'
    );
    like(
        $said,
        qr/ System Benchmarks Index \S+ Single copy ([\d.]+) ${PLUS_MINUS}[\d.]+ % 95 % interval: [\d.]+ $DASH [\d.]+ /,
        'an index has its name and its interval'
    );
    like($said, qr/ 2 copies \(one per CPU\) .* 1\.90? $TIMES one copy /, 'several copies what they gain');
    like(
        $said,
        qr/ Higher is better\. 10 = SPARCstation 20-61 \(1995\)\. The interval covers these minutes only; another day may differ\. \z/,
        'and how to read it'
    );
    like(titled($record), qr/\A[\d.]+ ${PLUS_MINUS}[\d.]+ % \S+ vm \S+ Touchstone\z/, 'the title has it too');
};

subtest 'what is unknown of a machine is left out of its line' => sub {
    my $record = whole(1 => 1);
    $record->{host}{memory_kb} = 'unknown';
    delete $record->{build}{$_} for qw(compiler_version flags_unixbench);
    like(said($record), qr/ vm 2 $TIMES Xeon \S+ Linux 6\.1 all facts /, 'and nothing stands in its place');
    my $clang = whole(1 => 1);
    $clang->{build}{compiler_version} = 'Debian clang version 14.0.6';
    like(said($clang), qr/ clang 14\.0\.6 -O3 /, 'clang by its own name');
};

subtest 'a run that is not valid says so first, and strikes its figures out' => sub {
    my $record = whole(1 => 1);
    push @{ $record->{warnings} },
        { id => 'battery', text => 'the machine runs on its battery', remedy => 'plug it in', invalid => 1 };
    my $page = page($record);
    my %log  = (id => 'disturbed', text => 'x', remedy => 'the log names them; repeat it', invalid => 1);
    like(
        said({ %$record, warnings => [ \%log ] }),
        qr/What to do: repeat it System/,
        'nothing of a log that is not there'
    );
    like(
        said($record),
        qr/ all facts Not valid: The machine runs on its battery\. What to do: plug it in System Benchmarks Index \S+ Single copy /,
        'before the index, with its remedy'
    );
    unlike($page, qr/class="trouble"|id="notes"/, 'and nowhere else');
    like(
        $page,
        qr{<p class="figure"><s>[\d.]+</s> <span class="not-valid">not valid</span>},
        'the index is struck out'
    );
    like($page, qr{<section id="results" class="invalid" },   'so are the results');
    like($page, qr{<caption>[^<]* $DASH not valid</caption>}, 'which say it in words');
    like(
        section($page, 'passes'),
        qr{</h2>\n<p class="not-valid">Not valid: },
        'every section with figures says it'
    );
    like(titled($record), qr/\Anot valid \S+ vm \S+ Touchstone\z/, 'the title has no number');
    unlike(page(whole(1 => 1)), qr/not valid|<s>|class="invalid"/i, 'none of this in a valid one');
};

subtest
    'an index says what it is without the passes that were disturbed, where that is outside its interval' =>
    sub {
    my $record = record_of({ pipe => { 1 => [ map { $_ % 6 ? 10 + $_ % 3 / 10 : 100 } 0 .. 35 ] } });
    $record->{passes}[$_]{counters} = { seconds => 1, other => 0.9 } for grep { $_ % 6 } 0 .. 35;
    my $said = said(Scored::document($record));
    my ($index, $limit, $clean) =
        $said =~ / copy ([\d.]+) .* $DASH ([\d.]+) Undisturbed passes only: ([\d.]+) /;
    cmp_ok($clean // 0, '>', $limit // 0, 'so far as they are left') or diag($said);
    $record = whole(1 => 1);
    $record->{passes}[5]{counters} = { seconds => 1, other => 0.9 };
    unlike(said(Scored::document($record)), qr/Undisturbed/, 'nothing of it where it is not');
    };

subtest 'other references, partial indexes and runs without any are named as what they are' => sub {
    my $one = sub {
        return said(record_of({ pipe => { 1 => [100] } }, @_));
    };
    like($one->(), qr/ no interval: 1 pass, 6 needed /, 'too few passes');
    unlike($one->(), qr/The interval covers/, 'and nothing of an interval');
    like($one->(baseline => 'vm-07'),              qr/ 10 = the run vm-07\. /, 'a run');
    like($one->(baseline => 'VAX-11/780'),         qr{ 10 = VAX-11/780\. },    'a machine');
    like($one->(baseline => 'George, VAX-11/780'), qr/ 10 = the reference\. /, 'one of two');
    like($one->(baseline => undef),                qr/ 10 = the reference\. /, 'one without a name');
    my $partial = record_of({ pipe => { 1 => [100] } });
    $partial->{categories}[0]{index} = [qw(pipe syscall)];
    like(
        said(Scored::document($partial)),
        qr/ Partial System Benchmarks Index \(1 of 2 tests\) /,
        'one of two tests'
    );
    like(
        said(record_of({ hanoi => { 1 => [100] } })),
        qr/ 1 test, which does not belong to an index\. /,
        'one test'
    );
    is(titled(record_of({ hanoi => { 1 => [100] } })) =~ s/ .*//r,
        '1', 'a title without an index says how many tests there are');
    like(said(record_of({}, blocks => [ { copies => 1, started => 1795240226 } ])),
        qr/ Nothing was measured\. /, 'nothing');
};

subtest 'several indexes are in one card, each with its name and its reference' => sub {
    my @indexes = map {
        {
            key       => lc $_->[0],
            title     => $_->[0],
            category  => 'system',
            reference => $_->[1],
            scale     => 1,
            tests     => ['pipe'],
            baselines => { pipe => 10 }
        }
    } [ My => 'AMD K6/233' ], [ Your => 'AMD K6/233' ], [ Their => 'Dell XPS P90' ];
    my $record = record_of({ pipe => { 1 => [100] } }, indexes => \@indexes);
    like(
        said($record),
        qr{ Single copy 10\.00 My Index 10\.00 Your Index 10\.00 Their Index Higher is better\. 1 = AMD K6/233 \(My, Your\)\. 1 = Dell XPS P90 \(Their\)\. No interval: 1 pass, 6 needed\. },
        'three'
    );
    like(titled($record), qr/\AMy 10\.00 /, 'the title names the first');
    delete $record->{indexes}[0]{reference};
    $record->{indexes}[1]{reference} = 'Dell XPS P90';
    $record->{baseline} = 'Dell XPS P90, VAX-11/780';
    like(
        said(Scored::document($record)),
        qr{ 1 = VAX-11/780 \(My\)\. 1 = Dell XPS P90 \(Your, Their\)\. },
        'one without a reference has the one that is left'
    );
};

subtest 'the mean of tests that belong to no index is nowhere on the page' => sub {
    my $record = record_of({ pipe => { 1 => [@SIX] }, hanoi => { 1 => [ times_of(1e6) ] } });
    $_->{category} = 'misc', $_->{baseline} = 1 for grep { $_->{name} eq 'hanoi' } @{ $record->{tests} };
    $record->{categories}[0]{index} = ['pipe'];
    my $page = page(Scored::document($record));
    unlike($page, qr/Non-Index/, 'neither in a card nor in a table');
    like(
        section($page, 'results'),
        qr{>Tests without an index</caption>.*>Title of hanoi<|>Tests without an index</caption>.*>Tower of Hanoi<}s,
        'the test is, with its score'
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
    like(
        said($stopped->()),
        qr/ all facts Stopped before its end: nothing with 2 copies, 4 copies\. What to do: \.\/Run resume vm-3 measures the rest\. /,
        'before anything else, with the remedy'
    );
    unlike(said($stopped->(purpose => 'duet')), qr/Run resume/, 'a duet cannot be resumed');
    my $cut = $stopped->(
        blocks   => [ { copies => 1, started => 1795240226 }, { copies => 2, started => 1795240286 } ],
        schedule => { kind => 'default', copies => [ 1, 2 ] },
        status   => 'running'
    );
    like(
        said($cut),
        qr/ Still running, or interrupted: nothing with 2 copies; not all passes with 1 copy\. /,
        'a count that is not done'
    );
    unlike(page($stopped->(status => 'complete', schedule => { kind => 'default' })),
        qr/class="banner"/, 'not so of a complete one');
    like(
        said($stopped->(schedule => { kind => 'classic' })),
        qr/ Stopped before its end\. /,
        'an old record does not say what was asked for'
    );
};

subtest 'failures come before warnings that matter, what holds for any machine is folded' => sub {
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
        warnings => [
            { id => 'locale', text => 'the locale is missing', remedy => 'make one' },
            (map { { id => 'quota',   text => "quota $_",                    remedy => 'raise it' } } 1, 2),
            (map { { id => 'partial', text => "zstd-$_ is partial: no peer", remedy => 'start it' } } 1 .. 7)
        ]
    );
    my $page = page(record_of({ hanoi => { 1 => [@SIX] } }, %with));
    my ($top) = $page =~ m{<ul class="trouble">(.*?)<section id="results"}s;
    like(
        $top,
        qr{<b>Failed:</b> pipe with 2 copies: exit status 3</p>\s*<p>What to do: make &lt;it&gt;</p>\s*<details>.*<pre>no\n&lt;b&gt;</pre>.*<b>Skipped:</b> dc: is missing.*<b>Warning:</b> quota 1}s,
        'by weight, remedies in readable letters'
    );
    like(
        $top,
        qr{quota 1</p>\s*<p><b>Warning:</b> quota 2</p>\s*<p>What to do: raise it<},
        'two warnings with one remedy, which is there once'
    );
    like(
        $top,
        qr{<b>Warning:</b> zstd-1, zstd-2, [^<]*zstd-7 is partial: no peer</p>\s*<p>What to do: start it</p>\s*</li>},
        'seven that differ in a name are one'
    );
    unlike($top, qr/locale/, 'a note is not among them');
    my $notes = section($page, 'notes');
    like($notes,
        qr{<details>\n<summary>1 note: locale</summary>.*<b>Note:</b> the locale.*What to do: make one}s,
        'it is folded');
    like($page, qr{<a href="#notes">1 note</a>}, 'and counted in its link');
    unlike(
        page(record_of({ hanoi => { 1 => [@SIX] } })),
        qr/class="trouble"|id="notes"/,
        'nothing of it when nothing was'
    );
};

# Returns the rows of the results: [ markup of the first cell, words of the others ].
sub rows_of {
    my ($markup) = @_;
    return map {
        my ($first, @cells) = m{<t[hd][^>]*>(.*?)</t[hd]>}gs;
        [ $first, map { s/<[^>]*>//gr } @cells ]
    } $markup =~ m{<tr>(<th scope="row">.*?)</tr>}gs;
}

subtest
    'a row of the results has a bar, an index with its interval for each copy count, speed-up and score' =>
    sub {
    my $markup = section(
        page(
            record_of(
                {
                    pipe     => { 1 => [ times_of(1e4) ], 2 => [ times_of(1.9e4) ] },
                    dhry2reg => { 1 => [ times_of(4e5) ] },
                }
            )
        ),
        'results'
    );
    my ($head) = $markup =~ m{<thead>(.*?)</thead>}s;
    like(
        $head,
        qr{Index, bars from 0 .*>1 copy</span>.*>2 copies</span>.*<svg.*>\d+ M</text>}s,
        'a legend and an axis'
    );
    my ($dhrystone, $pipe) = rows_of($markup);
    like(
        $dhrystone->[0],
        qr{<span title="Title of dhry2reg">Dhrystone 2</span>},
        'in the order of the suite, with a label'
    );
    like($pipe->[0], qr{<span title="Title of pipe">Pipe throughput</span>}, 'and the full title beside it');
    is(scalar(() = $pipe->[0]      =~ /<rect class="bar"/g), 2, 'two bars');
    is(scalar(() = $dhrystone->[0] =~ /<rect class="bar"/g), 1, 'one where a copy count has no result');
    like(
        $pipe->[0],
        qr{<title>2 copies: [\d.]+, 95 %: [\d.]+ $DASH [\d.]+</title>},
        'which say their figures'
    );
    is(scalar(() = $pipe->[0] =~ /class="whisker"/g), 2, 'each with its interval');
    is($pipe->[1],                                    "501&#8239;000 ${PLUS_MINUS}1.9 %", 'an index');
    like($pipe->[3], qr/\A1\.90? $TIMES\z/, 'speed-up');
    is($pipe->[4],      '1.00 M lps', 'score for people');
    is($dhrystone->[2], $DASH,        'no result');
    is(join('|', $markup =~ m{<tr class="group"><th scope="rowgroup" colspan="5">(.*?)</th>}g),
        'CPU|Kernel', 'grouped by kind');
    unlike($markup, qr/ style=/, 'looks are classes');
    };

subtest 'a run of many copy counts has a narrow column for each, one of more the first and the last' => sub {
    my $heads = sub {
        my $markup = section(page(whole(map { $_ => 1 } @_)), 'results');
        return (
            join('|', $markup =~ m{<th scope="col"[^>]*>(\d+ cop[^<]*)</th>}g),
            scalar($markup =~ /<td data-key="[^"]*"><b>[^<]*<\/b> <small>/)
        );
    };
    is_deeply([ $heads->(1, 2, 4) ], [ '1 copy|2 copies|4 copies', 1 ], 'three, with intervals');
    is_deeply(
        [ $heads->(1, 2, 4, 8, 16) ],
        [ '1 copy|2 copies|4 copies|8 copies|16 copies', '' ],
        'five, without'
    );
    is_deeply([ $heads->(1 .. 9) ], [ '1 copy|2 copies|3 copies|7 copies|8 copies|9 copies', '' ], 'nine');
    my $cards = said(whole(map { $_ => 1 } 1, 2, 4, 8, 16));
    is(
        join('|', $cards =~ /(Single copy|\d+ copies(?: \(one per CPU\))?) [\d.]+ /g),
        'Single copy|2 copies (one per CPU)|16 copies',
        'cards for three of many'
    );
};

subtest 'tests without an index have their scores in a table of their own, with further measures' => sub {
    my $markup =
        section(page(record_of({ pipe => { 1 => [@SIX] }, hanoi => { 1 => [ times_of(3e4) ] } })), 'results');
    my (undef, $others) = split /(?=<table class="results plain)/, $markup;
    like($others, qr{<caption>Tests without an index</caption>}, 'with a caption');
    my ($row) = rows_of($others);
    like($row->[1], qr/\A3\.0\d M lps ${PLUS_MINUS}/, 'score and interval');
    unlike($others, qr/class="bar"/, 'and no bar');
    my $alone = section(page(record_of({ hanoi => { 1 => [@SIX] } })), 'results');
    like($alone, qr{<caption>Results</caption>}, 'alone they are the results');
};

subtest 'seconds are in the unit that reads best, and say that less of them is better' => sub {
    my $markup = section(page(record_of({ pipe => { 1 => [ times_of(4.8e-7) ] } }, unit => 's')), 'results');
    like($markup, qr{Time of a unit, 1 copy <small>\(less is better\)</small>}, 'in the head');
    my ($row) = rows_of($markup);
    like($row->[-1], qr{\A48\.\d \xc2\xb5s\z}, 'microseconds of a unit');
};

subtest 'the last tick of a scale ends with it, so that none of its letters is cut off' => sub {
    my $axis =
        Touchstone::Report::Plot::ScoreBars::axis(
        Touchstone::Report::Plot::ScoreBars::scale(10, { index => 10_000 }));
    like($axis, qr/class="dim end[^"]*" x="100%"[^>]*>10 k</, 'the last');
    like($axis, qr/class="dim middle"[^>]*>4000</,            'one within');
};

subtest 'odd indexes have a bar within the picture, or none' => sub {
    for my $case (
        [ 'below the reference', times_of(0.01) ],
        [ 'near it',             times_of(0.2) ],
        [ 'far above',           times_of(1e12) ],
        [ 'far below',           times_of(1e-12) ],
        [ 'all equal', (100) x 6 ]
    ) {
        my ($name, @rates) = @$case;
        my $markup = section(page(record_of({ pipe => { 1 => [@rates] } })), 'results');
        my @places = $markup =~ /(?:x|x1|x2|width)="(-?[\d.]+)%"/g;
        is(scalar(grep { $_ < 0 || $_ > 100 } @places), 0, $name);
        unlike($markup, qr/="[^"]*(?:nan|inf)/i, "$name: numbers");
    }
    my $scale = Touchstone::Report::Plot::ScoreBars::scale(10, { index => 100 });
    for my $case ([ 0, [ 0, 0 ] ], [ -3, [ -4, -2 ] ], [ 3, [ -1, 7 ] ]) {
        my ($index, $interval) = @$case;
        my $row = Touchstone::Report::Plot::ScoreBars::row($scale,
            { index => $index, interval => $interval, solid => 1, tip => 'x' });
        unlike($row, qr/whisker|nan|inf/i, "an index of $index has no whisker");
    }
    my ($short, $long) = map {
        Touchstone::Report::Plot::ScoreBars::row($scale, { index => $_, solid => 1, tip => 'x' }) =~
            /width="([\d.]+)%"/
    } 20, 40;
    cmp_ok($long, '>', $short, 'the longer is the higher');
};

subtest 'a row of the details has the score, its interval and its passes, and the foot the index' => sub {
    my $page   = page(record_of({ pipe => { 1 => [@SIX] }, hanoi => { 1 => [@SIX] } }));
    my $markup = section($page, 'passes');
    my ($head) = cells_of($markup, 'Test');
    is(
        join(' ', @$head),
        "Test Each pass, in time\xc2\xa0$ARROW Score Unit 95 % interval CV Passes",
        'no columns that would be empty'
    );
    my ($row) = cells_of($markup, 'Pipe throughput');
    is("@$row[3, 6]", 'lps 6', 'unit and passes');
    like($row->[4], qr/\A[\d.]+ $DASH&#160;[\d.]+\z/, 'interval');
    my ($foot) = cells_of($markup, 'System Benchmarks Index Score');
    cmp_ok($foot->[2], '>', 10, 'the index');
    like($markup, qr{\A.*?<details open>}s, 'the first copy count is open, and so on paper');
    my $long = section(page(record_of({ pipe => { 1 => [ times_of(3e5) ] } })), 'passes');
    like(
        (cells_of($long, 'Pipe throughput'))[0][2],
        qr/\A30&#8239;\d{3}&#8239;\d{3}\z/,
        'long figures in groups of three digits'
    );
};

subtest 'a score without an interval has four digits everywhere' => sub {
    my $page = page(record_of({ pipe => { 1 => [712260.24] } }));
    my ($row) = cells_of(section($page, 'passes'), 'Pipe throughput');
    is($row->[2], '712&#8239;300', 'score');
    like(section($page, 'passes'), qr{<td>712.3</td></tr>},                         'the pass');
    like($page,                    qr{<b>356&#8239;100</b>.*<b>356&#8239;100</b>}s, 'card and row');
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

subtest 'indexes of a column have their points in one place' => sub {
    is_deeply(
        [
            map { Touchstone::Base::Figure::column_index(@$_) }[ 1317.1, [ 1314.4, 1319.8 ] ],
            [ 895.62, [ 893,   898 ] ],
            [ 79.4,   [ 72,    86 ] ],
            [ 49708,  [ 49600, 49800 ] ],
            [27004], [50]
        ],
        [qw(1317 896 79.4 49710 27000 50.0)],
        'whole ones from 100 on'
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
        'passes'
    );
    my %key =
        map { m{title="Title of (\w+)".*?</td><td data-key="([^"]+)">}s ? ($1 => $2) : () } split /(?=<tr>)/,
        $markup;
    like($markup, qr/>\xc2\xb5s .*>ns |>ns .*>\xc2\xb5s /s, 'in two units');
    cmp_ok($key{pipe}, '<', $key{hanoi}, 'the shorter is less');
};

subtest 'a test whose passes were all disturbed has no score of undisturbed ones' => sub {
    my $record = record_of({ pipe => { 1 => [@SIX] }, execl => { 1 => [@SIX] } });
    $_->{counters} = { seconds => 1, other => 0.9 } for grep { $_->{test} eq 'pipe' } @{ $record->{passes} };
    my ($first) = grep { $_->{test} eq 'execl' } @{ $record->{passes} };
    $first->{counters} = { seconds => 1, other => 0.9 };
    my $markup = section(page(Scored::document($record)), 'passes');
    is((cells_of($markup, 'Test'))[0][8],            'Undisturbed only', 'a column has those of the others');
    is((cells_of($markup, 'Pipe throughput'))[0][8], $DASH,              'a dash in its column');
    like(
        $markup,
        qr/$DASH: every pass of this test was disturbed; the index in this column still includes them\./,
        'and what the index makes of it'
    );
};

subtest 'passes that were disturbed are hollow, outliers diamonds, in words too' => sub {
    my $record = record_of({ pipe => { 1 => [ 100, 100.1, 99.9, 100.05, 99.95, 20 ] } });
    $record->{passes}[5]{counters} = { seconds => 1, other => 0.9 };
    my $page  = page(Scored::document($record));
    my $strip = section($page, 'passes');
    is(scalar(() = $strip =~ /<circle (?![^>]*class)/g), 5, 'five dots');
    like(
        $strip,
        qr{<path class="hollow" d="M[\d. l-]+z"><title>round 6, 35 s: 20\S* lps, disturbed by other processes, an outlier</title>},
        'a hollow diamond'
    );
    like($strip,                   qr/Rings: disturbed \(red: other processes\)\. Diamond: /, 'said above');
    like(section($page, 'passes'), qr{>other processes; outlier</td>}, 'and in the table of passes');
    my ($head) = cells_of($strip, 'Test');
    like("@$head", qr/Passes Disturbed Undisturbed only Outliers/, 'in columns');
};

subtest 'each mark of a pass has its words and the colour of its cause' => sub {
    my %ring = (
        (map { ($_ => 'hollow') } qw(other cpu)),
        (map { ($_ => 'hollow stolen') } qw(steal throttled)),
        (map { ($_ => 'hollow waited') } qw(overlap heat swap memory io))
    );
    is_deeply([ sort keys %ring ], [ sort keys %Touchstone::Score::Disturbance::MARK ],
        'these are all marks');
    for my $mark (sort keys %ring) {
        my %pass  = (round => 1, value => 100, marks => [$mark]);
        my $strip = Touchstone::Report::Plot::PassStrip::markup(
            test   => { title => 'T', score => 100, unit => 'lps' },
            passes => [ \%pass ]
        );
        like($strip, qr/<circle [^>]*class="$ring{$mark}"/, "$mark: the colour");
        my ($words) = Touchstone::Record::Warnings::causes($mark);
        like($strip, qr/, disturbed by \Q$words\E</, 'the words');
    }
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
        my $strip = Touchstone::Report::Plot::PassStrip::markup(
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
        Touchstone::Report::Plot::PassStrip::markup(
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
        'Round At (s) Took (s) lps Copy 1 Copy 2 Spread (%) Skew (ms) Overlap (%)', 'two');
    is(
        join(' ', @{ $heads[2] }),
        'Round At (s) Took (s) lps Each copy Spread (%) Skew (ms) Overlap (%)',
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
    like($markup, qr{<dt>Memory</dt><dd>4 GB</dd>},          'memory with a unit');
    like($markup, qr{<dt>File system</dt><dd>ext&lt;4</dd>}, 'escaped');
    like($markup, qr{<details>.*hanoi.*f00d}s,               'hashes of the programs are folded');
    $record->{brief} = 1;
    unlike(section(page($record), 'system'), qr/bogomips/, 'a brief run says nothing of its CPUs');
};

subtest 'every section has a link, every link leads to one' => sub {
    for my $case (
        [ whole => record_of({ pipe => { 1 => [@SIX], 2 => [@SIX] } }) ],
        [ empty => record_of({}) ],
        map { [ $_ => Touchstone::Record->load("$Fake::BASE/t/golden/$_.json", 'nowhere') ] }
        qw(record sure fixed)
    ) {
        my ($name, $record) = @$case;
        my $page  = page(Scored::document($record));
        my @ids   = grep { $_ ne 'results' } $page =~ /<section id="(.*?)"/g;
        my ($nav) = $page =~ m{<nav [^>]*>(.*?)</nav>}s;
        is(join(' ', sort $nav =~ /href="#(.*?)"/g), join(' ', sort @ids), "$name: all");
        my %seen;
        is(scalar(grep { $seen{$_}++ } $page =~ / id="(.*?)"/g), 0, "$name: no id is there twice");
        like(
            $page,
            qr{<main>\n<p class="skip"><a href="#results">},
            "$name: keyboards can skip to the results"
        );
        my @levels = $page =~ /<h(\d)/g;
        is(scalar(grep { $levels[$_] > $levels[ $_ - 1 ] + 1 } 1 .. $#levels),
            0, "$name: headings skip no level");
        is(scalar(grep { !/<caption>[^<]/ } $page =~ m{<table[^>]*>(.*?)</table>}gs),
            0, "$name: every table has a caption");
    }
};

subtest 'a page has links to what stands beside it, and to nothing else' => sub {
    my $dir    = File::Temp->newdir;
    my $record = record_of({ pipe => { 1 => [@SIX] } }, name => 'vm#1 "x"');
    my $links  = sub {
        my ($results, $model) = (Touchstone::Score::score_run($record), Scored::model($record));
        my ($files) = Touchstone::Report::Files::write_reports("$dir", $model, $record, $results);
        return join ' ', sort grep { !/\A#/ } Fake::read_file($files->{html}) =~ /href="(.*?)"/g;
    };
    is($links->(), 'vm%231%20%22x%22 vm%231%20%22x%22.log', 'text and log');
    mkdir "$dir/.runs" or die "cannot make '$dir/.runs': $!\n";
    Fake::write_file("$dir/$_", '') for ".runs/$record->{name}.json", 'index.html';
    is(
        $links->(),
        '.runs/vm%231%20%22x%22.json index.html index.html vm%231%20%22x%22 vm%231%20%22x%22.log',
        'the record and the table of all runs, once they are there'
    );
    unlike(page($record), qr/href="[^#]/, 'a page that is made for a reader has none');
};

subtest 'what the pictures show is said once, the index of 1984 by its own card alone' => sub {
    my $page = page(Scored::document(Touchstone::Record->load("$Fake::BASE/t/golden/fixed.json", 'nowhere')));
    is(scalar(() = $page =~ /Dots: passes in time order/g), 1, 'how to read passes');
    my ($headline) = $page =~ m{<main>(.*?)<section id="results"}s;
    unlike($headline, qr/geometric mean|times as fast as a VAX/, 'the section has the rest');
};

subtest 'a page of many passes is small' => sub {
    my %many = map {
        ("test$_" => { 1 => [ map { 100 + $_ % 7 } 1 .. 9 ], 2 => [ map { 190 + $_ % 9 } 1 .. 9 ] })
    } 1 .. 12;
    cmp_ok(length page(record_of(\%many)), '<', 100_000, 'for 12 tests, two copy counts and 216 passes');
    $_ = { 1 => [ map { 1001 + $_ % 7 } 1 .. 46 ], 2 => [ map { 1901 + $_ % 9 } 1 .. 46 ] } for values %many;
    my $page = page(record_of(\%many));
    cmp_ok(length $page, '<', 255_000, 'with 1,100 passes');
    unlike(section($page, 'passes'),
        qr/<circle[^>]*><title>/, 'whose dots lie upon each other and have no tips');
};

done_testing;
