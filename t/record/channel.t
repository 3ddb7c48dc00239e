# SPDX-License-Identifier: GPL-2.0-or-later
# Channel: the lines of programs, well-formed and not.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Record::Channel;

sub parsed {
    return Touchstone::Record::Channel::parse(join '', map { "$_\n" } @_);
}
sub complaint { return Touchstone::Record::Channel::complaint(parsed(@_)) }

subtest 'the lines of a copy become numbers' => sub {
    is_deeply(
        parsed(
            'SLICE|825366029664|0|1650321',        'SLICE|825467731174|352980|103290113',
            'SLICE|825567731174|700000|153290713', 'COUNT|700000|1|lps',
            'TIME|0.201701',                       'CPU|0.031040|0.070661',
            'PREEMPTED|3',                         'SLEPT|0'
        ),
        {
            start     => 825366029664,
            slices    => '101701510:352980:101640 201701510:700000:151640',
            count     => 700000,
            timebase  => 1,
            unit      => 'lps',
            time      => 0.201701,
            user      => 0.03104,
            sys       => 0.070661,
            preempted => 3,
            slept     => 0,
        },
        'as the harness prints them'
    );
    is_deeply(
        parsed('COUNT|1867803.5|0|KBps'),
        { count => 1867803.5, timebase => 0, unit => 'KBps' },
        'a rate and nothing else'
    );
    is_deeply(parsed('COUNT|1.5e+06|60|lpm', 'TIME|1e-3'),
        { count => 1500000, timebase => 60, unit => 'lpm', time => 0.001 }, 'exponents');
    is(join('|', @{ parsed("COUNT|30642109|1|lps \r", 'TIME|10') }{qw(count unit time)}),
        '30642109|lps|10', 'a line end from elsewhere');
    is(Touchstone::Record::Channel::parse("TIME|2\nCOUNT|7|1|lps")->{count},
        7, 'the last line may lack its end');
};

subtest 'how often a copy was preempted is kept' => sub {
    is(parsed('PREEMPTED|3')->{preempted},                  3,     'as the harness prints it');
    is(parsed('PREEMPTED|0')->{preempted},                  0,     'never is not unknown');
    is(parsed('COUNT|1|1|lps')->{preempted},                undef, 'a program that does not say so');
    is(parsed('PREEMPTED|3', 'PREEMPTED|5')->{preempted},   5,     'the last of several');
    is(complaint('PREEMPTED|3'),                            'printed no result', 'it is no result');
    is(complaint('COUNT|5|1|lps', 'TIME|1', 'PREEMPTED|0'), undef,               'and disturbs none');
    for my $line (
        'PREEMPTED|',    'PREEMPTED|x',  'PREEMPTED|-1', 'PREEMPTED|1|2',
        'PREEMPTED|nan', 'PREEMPTED|1 ', 'PREEMPTED|' . '9' x 400
    ) {
        my $shown = Touchstone::Record::Channel::readable($line);
        is(complaint('COUNT|5|1|lps', 'TIME|1', $line), "printed rubbish: '$shown'", substr $shown, 0, 20);
    }
    is_deeply(parsed('PREEMPTED', ' PREEMPTED|1', 'preempted|1', 'XPREEMPTED|1'),
        {}, 'other lines are not for us');
};

subtest 'page faults' => sub {
    my $got = parsed('FAULTS|4096|0');
    is_deeply([ @$got{qw(minor_faults major_faults)} ], [ 4096, 0 ], 'minor and major');
    for my $line ('FAULTS|1', 'FAULTS|1|', 'FAULTS|-1|0', 'FAULTS|1|2|3') {
        is(complaint('COUNT|5|1|lps', 'TIME|1', $line), "printed rubbish: '$line'", $line);
    }
};

subtest 'events are counted, or not for a reason' => sub {
    my $got = parsed(
        'EVENT|cycles_user|600|1000|1000', 'EVENT|cycles_kernel|300|1000|500',
        'EVENT|tlb_misses_user|0|1000|0',  'NOEVENT|migrations|perf_event_paranoid is 2'
    );
    is_deeply($got->{events}, { cycles_user => 600, cycles_kernel => 600 }, 'half of the time is scaled');
    is($got->{counted}, 0.5, 'and known');
    is_deeply(
        $got->{uncounted},
        {
            tlb_misses_user => 'other counters had the processor all the time',
            migrations      => 'perf_event_paranoid is 2'
        },
        'reasons'
    );
    for my $line ('EVENT|cycles_user|1|2', 'EVENT||1|2|2', 'EVENT|cycles_user|-1|2|2') {
        is(complaint('COUNT|5|1|lps', 'TIME|1', $line), "printed rubbish: '$line'", $line);
    }
    is(parsed('EVENT|x|1|2|3')->{events}, undef, 'it cannot count for longer than it was wanted');
};

subtest 'what else was measured, what is missing and what goes on are kept apart from the result' => sub {
    my $got = parsed(
        'COUNT|5|1|lps',                    'FIGURE|lost|0',
        'FIGURE|sender_cpu|1.5e-2',         'FIGURE|lost|3',
        'MISSING|caa10text|no |such| font', 'NOW|412 objects'
    );
    is_deeply(
        $got,
        {
            count    => 5,
            timebase => 1,
            unit     => 'lps',
            figures  => { lost      => 3, sender_cpu => 0.015 },
            missing  => { caa10text => 'no |such| font' }
        },
        'each in its place'
    );
    is(complaint('COUNT|5|1|lps', $_), "printed rubbish: '$_'", $_)
        for 'FIGURE|lost', 'FIGURE|lost|x', 'FIGURE||1', 'FIGURE|a b|1', 'FIGURE|lost|-1', 'MISSING|',
        'MISSING|x';
    is(scalar keys %{ parsed(map { "FIGURE|f$_|1" } 1 .. 5000)->{figures} }, 100,
        'a flood of figures is cut');
    is(Touchstone::Record::Channel::doing("3|NOW|a\n0|SLICE|1|2\n3|NOW|b\tc\n"),
        'b c', 'the last of what is said');
    is(Touchstone::Record::Channel::doing("3|SLICE|1|2\n"), undef,               'nothing is said');
    is(complaint('NOW|x'),                                  'printed no result', 'and it is no result');
};

subtest 'of several results the last one stands, of several reasons the first' => sub {
    is(join('|', @{ parsed('COUNT|1|1|lps', 'COUNT|2|1|lps', 'COUNT|3|0|KBps') }{qw(count timebase unit)}),
        '3|0|KBps', 'COUNT');
    is(parsed('TIME|1',                'TIME|2')->{time},         2,                 'TIME');
    is(parsed('ERROR|cannot read: no', 'ERROR|gave up')->{error}, 'cannot read: no', 'ERROR');
    is(parsed('SKIP|no dc',            'SKIP|at all')->{skip},    'no dc',           'SKIP');
    is(
        parsed('ERROR|wrong result: got 4, not 5')->{error},
        'wrong result: got 4, not 5',
        'a wrong result is called so'
    );
    is(parsed('COUNT|5|1|lps', 'ERROR|too late')->{error}, 'too late', 'a result does not hide an error');
};

subtest 'other lines are not for us' => sub {
    is_deeply(
        parsed(
            '',               'Dhrystone',     'COUNT',          'COUNTER|1|1|lps',
            ' COUNT|1|1|lps', 'count|1|1|lps', 'XCOUNT|1|1|lps', 'error|x',
            "\0",             '|' x 1000
        ),
        {},
        'text, nearly results, junk'
    );
    is_deeply(Touchstone::Record::Channel::parse(''), {}, 'silence');
    is(complaint('hello'),  'printed no result', 'and no result');
    is(complaint('TIME|1'), 'printed no result', 'nor is a time');
};

subtest 'a line that is nearly a result is a complaint' => sub {
    my @rubbish = (
        'COUNT|x|1|lps',    'COUNT||1|lps',
        'COUNT|5|1',        'COUNT|5|1|',
        'COUNT|5|-1|lps',   'COUNT|5|1.5|lps',
        'COUNT|-5|1|lps',   'COUNT|nan|1|lps',
        'COUNT|inf|0|lps',  'COUNT|5|1|l|s',
        'COUNT|5 |1|lps',   'COUNT|5|1|lps COUNT|6|1|lps',
        'COUNT|0x10|1|lps', 'COUNT|1,5|1|lps',
        'TIME|',            'TIME|-1',
        'TIME|nan',         'TIME|1s',
        'CPU|1',            'CPU|1|x',
        'CPU|-1|1',         'SLICE|1',
        'SLICE|x|1',        'SLICE|-1|1',
        'SLICE|1.5|1',      'SLICE|5|1|x',
        'SLICE|5|1|1|1',    'SLEPT|x',
        'SLICE|5|-1',       'COUNT|<script>|1|lps',
        "COUNT|\e[2J|1|lps"
    );
    for my $line (@rubbish) {
        my $shown = Touchstone::Record::Channel::readable($line);
        is(complaint($line, 'COUNT|5|1|lps', 'TIME|1'), "printed rubbish: '$shown'", $shown);
    }
    is(
        complaint('COUNT|x|1|lps', 'COUNT|y|1|lps'),
        q(printed rubbish: 'COUNT|x|1|lps'),
        'the first of several'
    );
};

subtest 'numbers that are no result are a complaint' => sub {
    my %why = (
        'COUNT|0|1|lps'     => 'counted 0',
        'COUNT|0.0|0|MWIPS' => 'counted 0',
        'COUNT|0e5|1|lps'   => 'counted 0'
    );
    is(complaint($_, 'TIME|1'), $why{$_}, $_) for sort keys %why;
    is(complaint('COUNT|5|1|lps', "TIME|$_"), 'took no time', "TIME|$_") for '0', '0.000000';
    my $endless = '9' x 400;
    for my $line (
        'COUNT|1e999|1|lps', "COUNT|$endless|1|lps", "COUNT|5|$endless|lps", 'TIME|1e999',
        "TIME|$endless",     'CPU|1e999|0',          'COUNT|1e-999|1|lps',   'TIME|1e-999'
    ) {
        ok(
            defined complaint('COUNT|5|1|lps', 'TIME|1', $line),
            substr($line, 0, 20) . ' is beyond all numbers'
        );
    }
    is(complaint('COUNT|5|1|lps', 'TIME|1'),               undef, 'a good result is none');
    is(complaint('COUNT|0.001|0|MWIPS'),                   undef, 'nor is a small rate without a time');
    is(complaint('COUNT|1|1|lps', 'TIME|0.05', 'CPU|0|0'), undef, 'nor idle CPUs');
};

subtest 'slices are kept as differences from the start' => sub {
    my $one = parsed('SLICE|100|0');
    is("$one->{start}/$one->{slices}", '100/', 'the first is the start');
    is(parsed('SLICE|100|0', 'SLICE|100|0', 'SLICE|150|2.5e1')->{slices},
        '0:0 50:2.5e1', 'counts stay as they were printed');
    my $late = parsed('SLICE|9007199254740993|0', 'SLICE|9007199354740994|5');
    is($late->{slices},                              '100000001:5', 'a clock beyond 2**53 stays exact');
    is(parsed('COUNT|5|1|lps')->{slices},            undef,         'no slices, none kept');
    is(parsed('SLICE|1|0', 'SLICE|5|3|7')->{slices}, '4:3',         'no CPU time where the start told none');
    is(parsed('SLICE|1|0|4', 'SLICE|5|3')->{slices}, '4:3',         'or where the slice tells none');
    my $many = parsed('SLICE|1|0', map { 'SLICE|' . (1 + $_ * 1e8) . "|$_" } 1 .. 50_000);
    is(scalar(my @parts = split / /, $many->{slices}), 50_000, 'fifty thousand');
    like($many->{slices}, qr/ 5000000000000:50000\z/, 'up to the last');
};

subtest 'a clock or a count that runs backwards is a complaint' => sub {
    my @good = ('COUNT|9|1|lps', 'TIME|1');
    ok(defined complaint('SLICE|500|0', 'SLICE|400|5', @good), 'a slice before the start');
    ok(defined complaint('SLICE|100|0', 'SLICE|300|5', 'SLICE|200|6', @good),
        'a slice before the one before it');
    ok(defined complaint('SLICE|100|0', 'SLICE|200|9', 'SLICE|300|5', @good), 'a count that falls');
    ok(defined complaint('SLICE|1|0',     'SLICE|' . '9' x 400 . '|5', @good), 'a time beyond all numbers');
    ok(defined complaint('SLICE|100|0|5', 'SLICE|200|7|4',             @good), 'CPU time that falls');
    is(complaint('SLICE|100|0', 'SLICE|200|5', 'SLICE|200|5', 'SLICE|300|9', @good),
        undef, 'standing still is none');
};

subtest 'text of a program is fit for a message' => sub {
    my %text = (
        "plain text"           => 'plain text',
        "  \t two\nlines\r\n " => 'two lines',
        "\e[31mred\e[0m\a"     => '[31mred [0m',
        "nul\0nul"             => 'nul nul',
        ''                     => '',
        "\x7f"                 => '',
        "Gr\xc3\xb6\xc3\x9fe"  => "Gr\xc3\xb6\xc3\x9fe"
    );
    is(Touchstone::Record::Channel::readable($_), $text{$_}, $text{$_} || 'nothing') for sort keys %text;
    my $long = Touchstone::Record::Channel::readable('x' x 1_000_000);
    is($long, 'x' x 100 . '...',                                    'a long text is cut, and says so');
    is(Touchstone::Record::Channel::readable('x' x 100), 'x' x 100, 'one that just fits is not');
    for my $before (0 .. 3) {
        my $cut = Touchstone::Record::Channel::readable('x' x $before . "\xf0\x9f\x8e\xb5" x 100);
        ok(utf8::decode($cut), "a cut does not halve a letter, $before");
    }
    unlike(Touchstone::Record::Channel::readable("a\xc2\x9b2Jb"),
        qr/\xc2\x9b/, 'a control character in UTF-8 is one too');
    is(parsed("ERROR|no\e[2J such\tfile")->{error}, 'no [2J such file', 'errors are made fit');
    is(parsed("SKIP|no\e[2J such\tfile")->{skip},   'no [2J such file', 'so are reasons to skip');
};

done_testing;
