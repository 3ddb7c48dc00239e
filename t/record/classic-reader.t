# SPDX-License-Identifier: GPL-2.0-or-later
# ClassicReader: the reports in t/classic with all their contents, our own report read back, and the messages
# for what is refused.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Amount;
use NoWarnings;
use CpuTime;
use Example;
use Scored;
use Touchstone::Cli::Compare;
use Touchstone::Compare;
use Touchstone::Compare::Run;
use Touchstone::Record::ClassicReader;
use Touchstone::Record::Json;
use Touchstone::Score;
use Touchstone::Suite;

my %titles = %{ Touchstone::Suite::load()->titles };

sub text_of {
    my ($name) = @_;
    my $file = dirname(__FILE__) . "/../classic/$name.txt";
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    local $/;
    return scalar <$in>;
}

sub parsed {
    my ($text) = @_;
    return CpuTime::within('a text that begins ' . substr($text, 0, 200),
        sub { Touchstone::Record::ClassicReader::parse($text, \%titles) });
}

sub trouble {
    my ($text) = @_;
    return eval { parsed($text); 1 } ? 'it was read' : $@;
}

# Returns a sample with one text replaced, which must occur in it.
sub changed {
    my ($name, $from, $to) = @_;
    my $text = text_of($name);
    $text =~ s/$from/$to/ or die "no '$from' in '$name'\n";
    return $text;
}

# Returns "pipe 3237107.4 lps, 10 s x 1, 2602.2 of 12440" for each test.
sub rows {
    my ($block) = @_;
    return map {
        my $t = $_;
        "$t->{name} $t->{score} $t->{unit}, $t->{seconds} s x $t->{samples}"
            . (defined $t->{index} ? ", $t->{index} of $t->{baseline}" : '')
            . ($t->{unknown}       ? '?'                               : '')
    } @{ $block->{tests} };
}

sub indexes {
    my ($block) = @_;
    return map { "$_->{title} $_->{score}" . ($_->{partial} ? ' partial' : '') } @{ $block->{indexes} };
}

my $CPU_FLAGS =
    [ 'Hyper-Threading', 'x86-64', 'MMX', 'Physical Address Ext', 'SYSENTER/SYSEXIT', 'SYSCALL/SYSRET' ];

subtest 'a report of the original is read whole' => sub {
    my %pipe = (
        name     => 'pipe',
        title    => 'Pipe Throughput',
        unit     => 'lps',
        seconds  => 10,
        samples  => 1,
        baseline => 12440,
        table    => 'System Benchmarks'
    );
    my %syscall = (
        name     => 'syscall',
        title    => 'System Call Overhead',
        unit     => 'lps',
        seconds  => 10,
        samples  => 1,
        baseline => 15000,
        table    => 'System Benchmarks'
    );
    is_deeply(
        parsed(text_of('sample')),
        {
            version => '6.0.0',
            line    => 1,
            notes   => [],
            system  => {
                name     => 'vm',
                os       => 'GNU/Linux',
                release  => '6.18.44-fc-v595',
                version  => '#1 SMP PREEMPT_DYNAMIC @0',
                machine  => 'x86_64',
                platform => 'unknown',
                locale => { name => 'en_US.utf8', charmap => 'ANSI_X3.4-1968', collate => 'ANSI_X3.4-1968' },
                cpus   => [
                    map {
                        {
                            id       => $_,
                            model    => 'Intel(R) Xeon(R) Processor',
                            bogomips => '5400.0',
                            flags    => $CPU_FLAGS
                        }
                    } 0,
                    1
                ],
                uptime   => '01:57:38 up  1:08,  0 user,  load average: 31.96, 13.45, 6.20',
                runlevel => 'unknown',
            },
            blocks => [
                {
                    line    => 14,
                    copies  => 1,
                    cpus    => 2,
                    started => 'Sat Nov 21 2026 01:57:38',
                    date    => 'Sat Nov 21 2026',
                    from    => '01:57:38',
                    to      => '01:58:04',
                    tests   => [
                        { %pipe,    line => 17, row => 21, score => 3237107.4, index => 2602.2 },
                        { %syscall, line => 18, row => 22, score => 2104465.9, index => 1403 }
                    ],
                    indexes => [ { title => 'System Benchmarks', partial => 1, score => 1910.7, line => 24 } ]
                },
                {
                    line    => 27,
                    copies  => 2,
                    cpus    => 2,
                    started => 'Sat Nov 21 2026 01:58:04',
                    date    => 'Sat Nov 21 2026',
                    from    => '01:58:04',
                    to      => '01:58:30',
                    tests   => [
                        { %pipe,    line => 30, row => 34, score => 6278551.2, index => 5047.1 },
                        { %syscall, line => 31, row => 35, score => 4271534.5, index => 2847.7 }
                    ],
                    indexes => [ { title => 'System Benchmarks', partial => 1, score => 3791.1, line => 37 } ]
                },
            ],
        },
        'everything'
    );
};

subtest 'a report of version 5 with the whole index' => sub {
    my $data = parsed(text_of('version-5'));
    is(
        "$data->{version} $data->{system}{name} $data->{system}{runlevel} @{ $data->{notes} }",
        '5.1.3 larch 5 ',
        'version, host, and nothing odd'
    );
    is(@{ $data->{blocks} }, 1, 'one block');
    my $block = $data->{blocks}[0];
    is("$block->{copies} of $block->{cpus}", '1 of 1', 'one copy, one CPU');
    is_deeply(
        [ map { $_->{name} } @{ $block->{tests} } ],
        [
            qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8
                syscall)
        ],
        'every title is known'
    );
    is_deeply(
        [ (rows($block))[ 1, 3, 10 ] ],
        [
            'whetstone-double 3862.4 MWIPS, 9.8 s x 7, 702.3 of 55',
            'fstime 612844.1 KBps, 30 s x 2, 1547.6 of 3960',
            'shell8 1389.5 lpm, 60 s x 2, 2315.8 of 6'
        ],
        'some rows'
    );
    is_deeply([ indexes($block) ], ['System Benchmarks 1086.2'], 'the index is not partial');
};

subtest 'a report of version 6 with other categories' => sub {
    my $data = parsed(text_of('version-6'));
    is("@{ $data->{notes} }",      '', 'nothing odd');
    is(@{ $data->{system}{cpus} }, 4,  'four CPUs');
    is_deeply(
        [ map { "$_->{copies} of $_->{cpus}" } @{ $data->{blocks} } ],
        [ '1 of 4', '4 of 4' ],
        'two blocks'
    );
    is_deeply(
        [ rows($data->{blocks}[1]) ],
        [
            '2d-rects 2579.6 score, 3 s x 2, 1719.7 of 15',
            'sysexec 4348.7 lps, 10 s x 7, 1739.5 of 25',
            'fstime-r 7038042.7 KBps, 30 s x 2',
            'grep 1494.7 lpm, 30 s x 2, 14947 of 1',
            'pipe 8073028.6 lps, 10 s x 7, 6489.6 of 12440',
            'hanoi 8363821.4 lps, 20 s x 2',
        ],
        'tests with a baseline and without'
    );
    is_deeply(
        [ indexes($data->{blocks}[1]) ],
        [
            'System Benchmarks 6489.6 partial',
            'Non-Index Benchmarks 5099',
            '2D Graphics Benchmarks 1719.7 partial'
        ],
        'three indexes'
    );
};

subtest 'former titles and tables stand for the same tests' => sub {
    my ($former, $now) = map { parsed(text_of($_)) } 'former-titles', 'version-6';
    is("@{ $former->{notes} }", '', 'nothing odd');
    is_deeply([ sort(rows($former->{blocks}[1])) ], [ sort(rows($now->{blocks}[1])) ], 'the same results');
    is_deeply(
        [ map { $_->{table} // '-' } sort { $a->{name} cmp $b->{name} } @{ $former->{blocks}[0]{tests} } ],
        [ '2D Graphics Benchmarks', '-', 'Non-Index Benchmarks', '-', ('System Benchmarks') x 2 ],
        'each in the table where it stood'
    );
};

subtest 'every title that UnixBench prints is known' => sub {
    my $data  = parsed(text_of('version-6-all'));
    my @tests = @{ $data->{blocks}[0]{tests} };
    my @names = map { $_->{name} }
        Touchstone::Suite::load()->expand('all', grep { /^2d-/ } map { $_->{name} } values %titles);
    is("@{ $data->{notes} }", '', 'nothing odd');
    is_deeply([ sort map { $_->{name} } @tests ], [ sort @names ], 'tests');
    is(join(', ', grep { $titles{$_}{title} ne $_ } map { $_->{title} } @tests),
        '', 'and printed here to the letter');
    is_deeply([ grep { $titles{ $_->{title} }{heading} ne $_->{table} } grep { defined $_->{table} } @tests ],
        [], 'in the same tables');
};

subtest 'rows that are missing are noted' => sub {
    my $data = parsed(text_of('missing-row'));
    is_deeply(
        [ rows($data->{blocks}[0]) ],
        [
            'pipe 1127354.2 lps, 10 s x 7, 906.2 of 12440',
            'syscall 903217 lps, 10 s x 7, 602.1 of 15000',
            'shell8 1389.5 lpm, 60 s x 2'
        ],
        'only what has a result'
    );
    is_deeply(
        $data->{notes},
        [
            "2 copies: 'Shell Scripts (8 concurrent)' has no row in the index",
            "2 copies: line 19: 'Process Creation' is in the index and has no result"
        ],
        'what is missing'
    );
    is_deeply($data->{system}{cpus}, [], 'a report without CPUs, as of -b');
};

subtest 'a terminal log: the last report that is whole counts' => sub {
    my $log  = text_of('terminal-log');
    my $last = sub {
        my $data  = parsed($_[0]);
        my $block = $data->{blocks}[0];
        return ("$block->{started}: $block->{tests}[0]{score}", @{ $data->{notes} });
    };
    is_deeply(
        [ $last->($log) ],
        [ 'Wed Feb 14 2024 09:10:00: 1409192.8', 'there are 2 reports, the one in line 38 was read' ],
        'the second'
    );
    is(parsed($log)->{system}{name}, "b\xc3\xb6ck", 'texts stay as they are');
    my ($two) = $log =~ /\A(.*INDEX\r\n)/s;
    is_deeply(
        [ $last->($two) ],
        [ 'Wed Feb 14 2024 09:00:00: 1127354.2', 'there are 2 reports, the one in line 10 was read' ],
        'the first, when the second is cut off'
    );
    my ($one) = $log =~ /\A(.*?lps   \(10\.0 s, 7 samples\)\r\n)/s;
    is(trouble($one), "line 24: the report is cut off within a table\n", 'one that is cut off is not read');
    is_deeply([ $last->($log =~ s/\r//gr) ],          [ $last->($log) ], 'either kind of line end');
    is_deeply([ $last->($log =~ s/^(?=\S)/\t /gmr) ], [ $last->($log) ], 'indented');
};

subtest 'wherever a report is cut off, no number is wrong' => sub {
    my $text = text_of('version-6');
    my %whole;
    for my $block (@{ parsed($text)->{blocks} }) {
        $whole{"$block->{copies} $_"} = 1
            for indexes($block), map { "$_->{name} $_->{score} $_->{samples}" } @{ $block->{tests} };
    }
    my $words =
        qr/\Aline \d+: (?:there is no (?:line 'BYTE|version)|the report (?:holds no result|is cut off within a table)\n)/;
    my ($every, @wrong, %counted) = Amount::of(11, 1);
    for my $length (grep { $_ % $every == 0 } 1 .. length $text) {
        my $data = eval { parsed(substr $text, 0, $length) };
        $counted{ $data ? 'read' : 'refused' }++;
        push @wrong, "$length: $@" if !$data && $@ !~ $words;
        for my $block (@{ $data->{blocks} || [] }) {
            my @got = (indexes($block), map { "$_->{name} $_->{score} $_->{samples}" } @{ $block->{tests} });
            push @wrong, map { "$length: $_\n" } grep { !$whole{"$block->{copies} $_"} } @got;
        }
    }
    is(join('', @wrong), '', 'at every byte');
    cmp_ok($counted{$_}, '>', 500 / $every, "some were $_") for qw(read refused);
};

subtest 'our own report is read back' => sub {
    my $record = Scored::document(Example::record());
    my $data   = parsed(Scored::report('text', $record));
    my $round  = sub { return sprintf '%.1f', $_[0] };
    is_deeply($data->{notes}, [], 'nothing odd');
    is("$data->{version} $data->{system}{name} $data->{system}{runlevel}", '7.0.0 vm 5', 'version and host');
    is_deeply([ map { $_->{copies} } @{ $data->{blocks} } ], [ 1, 2 ], 'both blocks');
    for my $i (0, 1) {
        my ($read, $true) = ($data->{blocks}[$i], $record->{results}[$i]);
        my $fields = sub {
            my ($t) = @_;
            return { map { $_ => $t->{$_} } grep { defined $t->{$_} } qw(name title unit samples baseline) };
        };
        is_deeply(
            [ map { $fields->($_) } @{ $read->{tests} } ],
            [ map { $fields->($_) } @{ $true->{tests} } ],
            'the same tests'
        );
        for my $figure (qw(score seconds index)) {
            is_deeply(
                [ map { defined $_->{$figure} ? $round->($_->{$figure}) : undef } @{ $read->{tests} } ],
                [ map { defined $_->{$figure} ? $round->($_->{$figure}) : undef } @{ $true->{tests} } ],
                "the same $figure"
            );
        }
        my @indexes = map { "$_->{title} " . (0 + $round->($_->{score})) . ($_->{partial} ? ' partial' : '') }
            @{ $true->{indexes} };
        is_deeply([ indexes($read) ], \@indexes, 'the same indexes');
    }
};

subtest 'a report is told from other texts' => sub {
    my $looks = \&Touchstone::Record::ClassicReader::looks_like;
    is($looks->(text_of($_)), 1, $_) for qw(sample version-5 version-6 missing-row terminal-log);
    my $marked = "\xef\xbb\xbf" . text_of('sample');
    is($looks->($marked), 1, 'behind a byte-order mark');
    is_deeply(parsed($marked), parsed(text_of('sample')), 'and it is read');
    my $record = Scored::document(Example::record());
    $record->{warnings}[0]{text} = "see:\n" . text_of('sample');
    is($looks->(Scored::report($_, $record)), 0, "no report: $_") for qw(json html csv log);
    is($looks->($_),                          0, "no report: '$_'")
        for '', 'text', 'a BYTE UNIX Benchmarks (Version 6.0.0)', 'BYTE UNIX Benchmarks', "\0";
};

my $HEAD  = "BYTE UNIX Benchmarks (Version 6.0.0)\n";
my $TIMES = "Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04\n";
my $BLOCK = $HEAD . $TIMES . "2 CPUs in system; running 1 parallel copy of tests\n\n";
my $GOOD  = "Pipe Throughput  12.5 lps (10.0 s, 1 samples)\n";
my $TABLE = "\nSystem Benchmarks Index Values  BASELINE RESULT INDEX\n";

subtest 'what is damaged is refused and the line named' => sub {
    my $no_result = "is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'";
    my $expected  = 'expected a number above 0 such as 12440.0';
    my $no_row    = "is not a row of an index, expected 'TITLE BASELINE RESULT INDEX'";
    my @refused   = (
        [ '',       "line 1: there is no line 'BYTE UNIX Benchmarks (Version ...)' or 'Benchmark Run: ...'" ],
        [ "a\nb\n", "line 1: there is no line 'BYTE UNIX Benchmarks (Version ...)' or 'Benchmark Run: ...'" ],
        [ "\n$HEAD",          'line 2: the report holds no result' ],
        [ $BLOCK,             'line 1: the report holds no result' ],
        [ "\n$HEAD\n$HEAD\n", 'line 4: the report holds no result' ],
        [
            "BYTE UNIX Benchmarks (Version )\n",
            "line 1: there is no version in 'BYTE UNIX Benchmarks (Version )'"
        ],
        [
            "BYTE UNIX Benchmarks (Version 3.11)\n",
            'line 1: a report of version 3.11, versions 4 and later are read'
        ],
        [
            "${HEAD}Benchmark Run: today\n",
            "line 2: 'Benchmark Run: today' is not a time, expected 'Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04'"
        ],
        [
            "$HEAD$TIMES\n$GOOD",
            "line 4: 'Pipe Throughput  12.5 lps (10.0 s, 1 samples)' stands in the place of 'N CPUs in system; running N parallel copies of tests'"
        ],
        [
            "$HEAD${TIMES}2 CPUs in system; running 0 parallel copies of tests\n",
            "line 3: '2 CPUs in system; running 0 parallel copies of tests' stands in the place of 'N CPUs in system; running N parallel copies of tests'"
        ],
        [ "${BLOCK}Pipe Throughput\n", "line 5: 'Pipe Throughput' $no_result" ],
        [
            "${BLOCK}Pipe Throughput (10.0 s, 1 samples)\n",
            "line 5: 'Pipe Throughput (10.0 s, 1 samples)' $no_result"
        ],
        (
            map { [ "${BLOCK}Pipe  $_ lps (10.0 s, 1 samples)\n", "line 5: '$_' is not a score, $expected" ] }
                '0.0',
            '-1.0', 'nan', 'inf', '12', '12.', '.5', '1e5', '1,5', '0x1.0',
            '1.2.3',
            '9' x 31 . '.0'
        ),
        [ "${BLOCK}Pipe  1.0 lps (x s, 1 samples)\n", "line 5: 'x' is not a time in seconds, such as 10.0" ],
        [ "${BLOCK}Pipe  1.0 lps (1.0 s, 0 samples)\n",       "line 5: '0' is not a number of samples" ],
        [ "${BLOCK}Pipe  1.0 lps (1.0 s, 1.5 samples)\n",     "line 5: '1.5' is not a number of samples" ],
        [ "$BLOCK$GOOD$GOOD",                                 "line 6: 'Pipe Throughput' is there twice" ],
        [ "$BLOCK${GOOD}rubbish\n",                           "line 6: 'rubbish' $no_result" ],
        [ "$BLOCK$GOOD\n(x samples)\n",                       "line 7: '(x samples)' $no_result" ],
        [ "$BLOCK$GOOD${TABLE}rubbish\n",                     "line 8: 'rubbish' $no_row" ],
        [ "$BLOCK$GOOD${TABLE}Pipe Throughput 1.0 x 2.0\n",   "line 8: 'x' is not a result, $expected" ],
        [ "$BLOCK$GOOD${TABLE}Pipe Throughput x 1.0 2.0\n",   "line 8: 'x' is not a baseline, $expected" ],
        [ "$BLOCK$GOOD${TABLE}Pipe Throughput 1.0 1.0 0.0\n", "line 8: '0.0' is not an index, $expected" ],
        [ "$BLOCK$GOOD${TABLE}Pipe Throughput --- 1.0 2.0\n", "line 8: '---' is not a baseline, $expected" ],
        [ "$BLOCK$GOOD${TABLE}" . "Pipe 1.0 1.0 1.0\n" x 2,   "line 9: 'Pipe' is in an index twice" ],
        [
            "$BLOCK$GOOD${TABLE}System Benchmarks Index Score  12x\n",
            "line 8: '12x' is not an index, $expected"
        ],
        [
            $BLOCK . 'x' x 201 . "  1.0 lps (1.0 s, 1 samples)\n",
            "line 5: a title has over 200 bytes: '" . 'x' x 60 . "...'"
        ],
        [ $BLOCK . ' ' . 'x ' x 500 . "  1.0 lps (1.0 s, 1 samples)\n", 'line 5: a row has over 1000 bytes' ],
        [ $BLOCK . $GOOD . $TABLE . 'x ' x 501 . "1.0 1.0 1.0\n",       'line 8: a row has over 1000 bytes' ],
        [ $HEAD . 'x' x 20_001 . "\n", 'line 2: the line has over 20000 bytes' ],
        [
            $BLOCK . join('', map { "T$_  1.0 lps (1.0 s, 1 samples)\n" } 1 .. 10_001),
            'line 10004: there are over 10000 rows'
        ],
        [ $HEAD . join('', map { "CPU $_: x\n" } 1 .. 10_001), 'line 10002: there are over 10000 rows' ],
        [ "${BLOCK}\xff[2J  \xff lps (1.0 s, 1 samples)\n",    "line 5: '?' is not a score, $expected" ],
    );
    for my $refused (@refused) {
        my ($text, $words) = @$refused;
        is(trouble($text), "$words\n", substr($words, 0, 100));
    }
    is(
        trouble(text_of('sample') =~ s/6278551\.2 lps/62785x1.2 lps/r),
        "line 30: '62785x1.2' is not a score, $expected\n",
        'in the second block'
    );
};

subtest 'what is odd is noted' => sub {
    my @odd = (
        [
            changed('sample', qr/    3237107\.4   2602/, '    3237107.5   2602'),
            "1 copy: line 21: 'Pipe Throughput' has the result 3237107.5 in the index, and the score 3237107.4"
        ],
        [
            changed('sample', qr/^System Benchmarks Index Score.*\n/m, ''),
            "1 copy: 'System Benchmarks' has no index score"
        ],
        [ "$BLOCK$GOOD\n", "1 copy: 'Pipe Throughput' has no row in the index" ],
        [
            "$BLOCK$GOOD\n$TIMES",
            "the report seems to be cut off",
            "1 copy: 'Pipe Throughput' has no row in the index",
            'run of Sat Nov 21 2026 01:57:38: there is no result'
        ],
        [
            "$BLOCK\xff[2J 12.5 lps (10.0 s, 1 samples)\n${TABLE}Pipe Throughput 1.0 1.0 10.0\nSystem Benchmarks Index Score 10.0\n",
            "1 copy: '?[2J' has no row in the index",
            "1 copy: line 8: 'Pipe Throughput' is in the index and has no result"
        ],
    );
    for my $odd (@odd) {
        my ($text, @notes) = @$odd;
        is_deeply(parsed($text)->{notes}, \@notes, $notes[0]);
    }
};

subtest 'no strange thing around the results is an error' => sub {
    my @harmless = (
        'no head'  => "$HEAD\n\n${TIMES}running 1 parallel copy of tests\n\n$GOOD\n",
        'odd head' => "${HEAD}System\nOS:\nMachine: x\nLanguage: (\nCPU 0:\nCPU 1\n; runlevel\n"
            . substr($BLOCK, length $HEAD)
            . "$GOOD\n",
        'a time of no length'   => $BLOCK . $GOOD =~ s/10\.0 s/0.0 s/r . "\n",
        'a long line behind it' => "$BLOCK$GOOD\n" . 'x' x 100_000 . "\n",
        'rubbish behind it'     => "$BLOCK$GOOD\n\$ exit\n\0\xff\n",
    );
    while (my ($name, $text) = splice @harmless, 0, 2) {
        my $data = parsed($text);
        is(scalar(rows($data->{blocks}[0])) . " $data->{system}{name}", '1 unknown', $name);
    }
    my $title = 'x' x 200;
    is(parsed("$BLOCK$title  1.0 lps (1.0 s, 1 samples)\n\n")->{blocks}[0]{tests}[0]{name},
        $title, 'a title of 200 bytes');
    my $hostile = "\x9b2J<script>\xff";
    is_deeply(
        parsed("$BLOCK$hostile  1.0 <b> (1.0 s, 1 samples)\n\n")->{blocks}[0]{tests},
        [
            {
                name    => $hostile,
                title   => $hostile,
                line    => 5,
                score   => 1,
                unit    => '<b>',
                seconds => 1,
                samples => 1,
                unknown => 1
            }
        ],
        'texts are as they were'
    );
};

subtest 'a later run with as many copies takes the place of a whole one only when it is whole' => sub {
    my $rows = "Pipe Throughput    %.1f lps   (10.0 s, 7 samples)\n";
    my $index =
          "System Benchmarks Partial Index  BASELINE  RESULT  INDEX\nPipe Throughput  12440.0  %.1f  906.2\n"
        . "System Call Overhead  15000.0  903217.0  602.1\nSystem Benchmarks Index Score (Partial Only)  738.7\n";
    my $block = $BLOCK =~ s/\A.*\n(?=Benchmark Run)//sr;
    my $whole = sub {
        return sprintf "%s${rows}System Call Overhead  903217.0 lps   (10.0 s, 7 samples)\n\n$index", $_[0],
            $_[1], $_[1];
    };
    my $dir  = File::Temp->newdir;
    my $read = sub {
        open my $out, '>', "$dir/report" or die "cannot write: $!\n";
        print {$out} @_;
        close $out or die "cannot write: $!\n";
        return Touchstone::Compare::Run::load("$dir/report", "$dir", \%titles);
    };
    my $cut = $read->($whole->($BLOCK, 1000), sprintf "%s$rows\n", $block, 2000);
    is_deeply(
        [ map { "$_ $cut->{tests}{$_}{score}" } sort keys %{ $cut->{tests} } ],
        [ '1 pipe 1000', '1 syscall 903217' ],
        'a cut one does not'
    );
    is_deeply([ grep { !defined $cut->{tests}{"1 $_"}{index} } @{ $cut->{indexes}{'1 system'}{tests} } ],
        [], 'so that each test of the index has one');
    my $both = $read->($whole->($BLOCK, 1000), $whole->($block, 2000));
    is($both->{tests}{'1 pipe'}{score}, 2000, 'a whole one does');
    my $compared = Touchstone::Compare::compare(runs => [ $cut, $both ]);
    Touchstone::Cli::Compare::render($_, $compared) for qw(text html csv json markdown);
};

done_testing;
