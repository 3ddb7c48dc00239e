# SPDX-License-Identifier: GPL-2.0-or-later
# Reports in the shapes in which people publish them: versions 4 to 6, texts and pages, without a head,
# quoted, wrapped, within logs, several in one text; each with its reading. And texts that are refused.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Amount;
use CpuTime;
use Fake;
use Mutation;
use NoWarnings;
use Touchstone::Compare;
use Touchstone::Compare::Run;
use Touchstone::Record::ClassicReader;
use Touchstone::Record::Classic::Text;
use Touchstone::Suite;

my %titles = %{ Touchstone::Suite::load()->titles };
my $dir    = File::Temp->newdir;

sub text_of { my ($name) = @_; return Mutation::text_of(dirname(__FILE__) . "/../classic/$name") }

sub reports {
    my ($text) = @_;
    return CpuTime::within('a text that begins ' . substr($text, 0, 100),
        sub { Touchstone::Record::ClassicReader::reports($text, \%titles) });
}

# A report as a line: "5.1.3 pine GNU/Linux 5.4.20 aarch64; 1 of 4: 12 tests, 114.7".
sub brief {
    my ($report) = @_;
    my $data     = $report->{data} or return $report->{why} =~ s/\n\z//r;
    my @system   = grep { $_ ne 'unknown' } @{ $data->{system} }{qw(name os release machine)};
    return join '; ', join(' ', $data->{version} // 'unknown', @system), map {
        my $block = $_;
        "$block->{copies} of "
            . ($block->{cpus} // '?') . ': '
            . @{ $block->{tests} }
            . ' tests, '
            . join ' ',
            map { $_->{score} }
            @{ $block->{indexes} }
    } @{ $data->{blocks} };
}

my $UNKNOWN  = "its version is unknown: there is no line 'BYTE UNIX Benchmarks (Version ...)'";
my %EXPECTED = (
    'android.txt'     => ['5.1.3 localhost Android 4.14.190-perf+ aarch64; 1 of 8: 2 tests, 297.3'],
    'build-log.txt'   => ['6.0.0 runner GNU/Linux 6.8.0-1027-azure x86_64; 1 of 2: 2 tests, 684.1'],
    'date-german.txt' => ['5.1.3 oak GNU/Linux 4.18.0 x86_64; 8 of 8: 2 tests, 459.8'],
    'forum.txt'       => ['5.1.3 fir GNU/Linux 5.15.0 x86_64; 96 of 96: 12 tests, 1496.5'],
    'freebsd.txt'     => ['6.0.0 beastie.example FreeBSD 13.1-RELEASE-p6 amd64; 4 of 4: 2 tests, 976.1'],
    'macos.txt'       => ['5.1.3 mac-mini.local Darwin 22.1.0 arm64; 8 of 8: 2 tests, 932.1'],
    'mail.txt'        => ['5.1.3 kunpeng GNU/Linux 5.19.0-rc6 aarch64; 96 of 96: 12 tests, 1179.2'],
    'no-model.txt'    => ['5.1.3 visionfive GNU/Linux 6.1.31-riscv riscv64; 2 of 2: 2 tests, 125.6'],
    'headless.txt'    => [
        'unknown; 1 of 4: 12 tests, 988.7; 4 of 4: 12 tests, 2114.7', $UNKNOWN,
        'unknown; 1 of 4: 12 tests, 1053.1',                          $UNKNOWN
    ],
    'page.html' =>
        ['5.1.3 larch GNU/Linux 3.16.0-4-amd64 x86_64; 1 of 2: 12 tests, 832.6; 2 of 2: 12 tests, 1546.7'],
    'several.txt' =>
        [ map { "5.1.2 elm GNU/Linux 3.2.0-4-amd64 x86_64; 1 of 1: 2 tests, $_" } 231.8, 353.3, 779 ],
    'uncounted-cpus.txt' => [
        '5.1.3 pine GNU/Linux 5.4.20-sunxi64 aarch64; 1 of ?: 12 tests, 114.7',
        'the report counts 0 CPUs: their number is unknown'
    ],
    'version-4.txt'         => ['4.1.0 alder Linux 2.4.19 i686; 1 of ?: 19 tests, 156.2'],
    'version-4-mail.txt'    => ['4.1.0 access1 Linux 2.5.53 i686; 1 of ?: 19 tests, 148.5'],
    'version-4-variant.txt' => ['4.1-wht.2 vps7 Linux 2.6.18-274.el5xen i686; 1 of ?: 11 tests, 192.3'],
);

subtest 'each shape is read' => sub {
    for my $name (sort keys %EXPECTED) {
        my @reports = reports(text_of($name));
        is_deeply([ map { (brief($_), @{ $_->{data}{notes} }) } @reports ], $EXPECTED{$name}, $name);
        ok(Touchstone::Record::ClassicReader::looks_like(text_of($name)), 'and known as a report');
    }
};

subtest 'with its figures, and the line of each' => sub {
    my $row = sub {
        my ($name, $title) = @_;
        my ($test) = grep { $_->{title} eq $title }
            map { @{ $_->{tests} } } @{ (reports(text_of($name)))[0]{data}{blocks} };
        return join ' ',
            map { $test->{$_} // '-' } qw(name score unit seconds samples line baseline index row);
    };
    is(
        $row->('page.html', 'System Call Overhead'),
        'syscall 1226159.2 lps 10 7 150 15000 817.4 150',
        'a page'
    );
    is($row->('mail.txt',  'Pipe Throughput'), 'pipe 1247960.9 lps 10 7 28 12440 1003.2 55', 'a mail');
    is($row->('forum.txt', 'Pipe Throughput'), 'pipe 3078960.6 lps 10 7 21 12440 2475 35',   'a forum');
    is(
        $row->('version-4-mail.txt', 'Pipe Throughput'),
        'pipe 71456.4 lps 10 10 18 12440 57.4 61',
        'version 4'
    );
    is(
        $row->('version-4-variant.txt', 'File Read 4096 bufsize 8000 maxblocks'),
        'fsdisk-r 238702  - - 21 15382 155.2 21',
        'only its index'
    );
    is(
        $row->('version-4.txt', 'File Read 1024 bufsize 2000 maxblocks'),
        'fstime-r 880.3 KBps 30 3 16 - - -',
        'no part of the index'
    );
    is(
        $row->('build-log.txt', 'System Call Overhead'),
        'syscall 994241.7 lps 10 7 22 15000 662.8 26',
        'a build log'
    );
};

subtest 'a page may name its copies as a text report does' => sub {
    my $page  = text_of('page.html');
    my @lines = map { "2 CPUs in system; running $_ of tests" } '1 parallel copy', '2 parallel copies';
    my $own   = $page =~ s/Benchmark Run: 2 CPUs; 1 parallel process/$lines[0]/r =~
        s/Benchmark Run: 2 CPUs; 2 parallel processes/$lines[1]/r;
    my $timed =
        $own =~ s{(?=<h2>\Q$lines[0]\E)}{<h2>Benchmark Run: Sat Feb 14 2015 17:33:05 - 18:01:20</h2>}r;
    isnt($own, $page, 'another page');
    is(scores($_), scores($page), 'the same scores') for $own, $timed;
};

my $HEAD = "   BYTE UNIX Benchmarks (Version 5.1.3)\n";
my $BEGIN =
    "Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04\n2 CPUs in system; running 1 parallel copy of tests\n\n";
my $GOOD = "Pipe Throughput    124400.0 lps   (10.0 s, 7 samples)\n";
my $TABLE =
    "System Benchmarks Partial Index   BASELINE  RESULT  INDEX\nPipe Throughput   12440.0   124400.0   100.0\n   ========\n";
my $SCORE = "System Benchmarks Index Score (Partial Only)    100.0\n";

sub scores {
    my ($text) = @_;
    return join '; ', map {
        my $report = $_;
        $report->{data}
            ? map { "$_->{title} $_->{score}" } map { @{ $_->{tests} } } @{ $report->{data}{blocks} }
            : $report->{why} =~ s/\n\z//r
    } reports($text);
}

subtest 'what surrounds a report does not matter' => sub {
    my $read  = 'Pipe Throughput 124400';
    my $text  = "$HEAD$BEGIN$GOOD\n$TABLE$SCORE\n";
    my %cases = (
        'as it is'            => $text,
        'old Mac'             => $text                         =~ tr/\n/\r/r,
        'comments'            => $text                         =~ s/^/# /gmr,
        'a diff'              => $text                         =~ s/^/+/gmr,
        'a container'         => $text                         =~ s/^/bench-1  | /gmr,
        'a journal'           => $text                         =~ s/^/Nov 21 01:58:04 vm ub[12]: /gmr,
        'CI'                  => $text                         =~ s/^/[2026-11-21T01:58:04.123Z] /gmr,
        'double spaced'       => $text                         =~ s/\n/\n\n/gr,
        'single spaced'       => $text                         =~ s/ +/ /gr,
        'a page'              => "<html><body><pre>\n" . $text =~ s/ /&nbsp;/gr . '</pre>',
        'no-break space'      => $text                         =~ s/ /\xc2\xa0/gr,
        'thousands'           => $text                         =~ s/124400\.0/124,400.0/gr,
        'apostrophes'         => $text                         =~ s/124400\.0/124'400.0/gr,
        'thin spaces'         => $text                         =~ s/124400\.0/124\xe2\x80\x89400.0/gr,
        'spaces'              => $text                         =~ s/124400\.0/124 400.0/gr,
        'colours'             => $text                         =~ s/(\d+\.\d)/\e[1;32m$1\e[0m/gr,
        'a window'            => $text                         =~ s/^(Pipe)/"\e]0;Pipe\a$1"/gemr,
        'an overwritten line' => $text                         =~ s/^(?=Pipe)/Pipe 10 %\rPipe 90 %\r/gmr,
        'wrapped lines'       => $text =~ s/, 7 samples/,\n7 samples/r =~ s/ (?=100\.0$)/\n/gmr =~
            s/RESULT  INDEX/RESULT\nINDEX/r,
        'no first line' => $text =~ s/\A.*\n//r,
        'no time'       => $text =~ s/\A.*\nBenchmark Run.*\n//r,
        'lower case'    => $text =~ s/Benchmark Run: Sat/Benchmark run: Sat,/r,
        'a document'    => "# A <table> is here\n<br>\n\n```\n$text```\n",
        'a saved page'  => "<!DOCTYPE html><html><head></head>\n<pre><code>"
            . $text
            . "</code></pre></html>\n",
        'a page with spans' => "<div class=post><table><tr><td>\n" . $text =~
            s{^(.*)\n}{<span>$1</span><br>}gmr . "</table>\n",
        'a summary'  => "${text}System Benchmarks Index Score  9999.9\n",
        'no results' => $text =~ s/^\Q$GOOD\E//mr,
    );
    is(scores($cases{$_}), $read, $_) for sort keys %cases;
};

my %AROUND = (
    'another line end' => sub { $_[0] =~ s/\r?\n/\r\n/gr },
    'quoted'           => sub { $_[0] =~ s/^/> > /gmr },
    'indented'         => sub { $_[0] =~ s/^/\t    /gmr },
    'time stamps'      => sub { $_[0] =~ s/^/2025-06-10T06:30:01.1234567Z /gmr },
    'a container'      => sub { $_[0] =~ s/^/bench_1  | /gmr },
    'a page'           => sub {
        my ($text) = @_;
        $text =~ s/&/&amp;/g;
        $text =~ s/</&lt;/g;
        return "<!DOCTYPE html>\n<pre>$text</pre>";
    },
    'lines of a page' => sub {
        my ($text) = @_;
        $text                                          =~ s/&/&amp;/g;
        $text                                          =~ s/</&lt;/g;
        $text                                          =~ s/  /&nbsp; /g;
        return "<div class=post><table><td>\n" . $text =~ s{\n}{<br>\n}gr . '</td></table></div>';
    },
    'cells of a page' => sub {
        my ($text) = @_;
        $text                         =~ s/&/&amp;/g;
        $text                         =~ s/</&lt;/g;
        $text                         =~ s/ /&#160;/g;
        return '<html><body>' . $text =~ s{^(.*)\n}{<div><span>$1</span></div>\n}gmr . '</body></html>';
    },
);

# Figures and systems of all reports in a text.
sub figures {
    my ($text) = @_;
    return [
        map {
            my $report = $_;
            [
                brief($report),
                map {
                    map { [ @$_{qw(name score unit seconds samples baseline index table)} ] }
                        @{ $_->{tests} }
                } @{ $report->{data}{blocks} || [] }
            ]
        } reports($text)
    ];
}

subtest 'each shape is the same within another' => sub {
    for my $name (grep { !/html/ } sort keys %EXPECTED) {
        my $text = text_of($name);
        for my $way (sort keys %AROUND) {
            next if $name eq 'build-log.txt' && $way eq 'time stamps';
            is_deeply(figures($AROUND{$way}->($text)), figures($text), "$name: $way");
        }
    }
};

subtest 'a block without a result, and results without a time' => sub {
    my $text   = "$HEAD$BEGIN$GOOD\n$TABLE$SCORE\n";
    my $empty  = $BEGIN =~ s/01:58:04/01:57:38/r =~ s/1 parallel copy/17 parallel copies/r;
    my ($data) = map { $_->{data} } reports("$text$empty```\n\nwords of a page\n");
    is_deeply($data->{notes}, ['17 copies: there is no result'], 'a block of no time is noted');
    is(@{ $data->{blocks} },                           1,                        'and is not in the data');
    is(scores($text =~ s/ +\(10\.0 s, 7 samples\)//r), 'Pipe Throughput 124400', 'a result without its time');
};

subtest 'a text of several machines has a report for each' => sub {
    my $block = sub {
        "$BEGIN$GOOD\n$TABLE$SCORE\n" =~ s/2 CPUs(.*)1 parallel copy/$_[0] CPUs$1$_[1] parallel copies/r;
    };
    my @reports = reports(
        join "words\n",
        map { $block->(@$_) } [ 2, 1 ],
        [ 2, 2 ],
        [ 4, 1 ],
        [ 4, 4 ],
        [ 4, 1 ],
        [ 8, 8 ]
    );
    is_deeply(
        [
            map {
                join ' ',
                    map { "$_->{copies}/$_->{cpus}" }
                    @{ $_->{data}{blocks} }
            } @reports
        ],
        [ '1/2 2/2', '1/4 4/4', '1/4', '8/8' ],
        'by copies and CPUs'
    );
};

subtest 'a figure in pieces is not a figure' => sub {
    my %cases = (
        '3237 107.4'  => "'3237' and '107.4' may be one figure or two",
        '12.5 107.4'  => "'12.5' and '107.4' may be one figure or two",
        '3237,10.4'   => "'3237,10.4' is not a score, expected a number above 0 such as 12440.0",
        '3237107,4'   => "'3237107,4' is not a score, expected a number above 0 such as 12440.0",
        "3237107.\n4" =>
            "'Pipe Throughput  3237107.' is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'",
        "3237\n107.4" =>
            "'Pipe Throughput  3237' is not a result, expected 'TITLE SCORE UNIT (SECONDS s, N samples)'",
        "3237\x00107.4" => "'3237?107.4' is not a score, expected a number above 0 such as 12440.0",
    );
    is(
        scores($HEAD . $BEGIN . $GOOD =~ s/124400\.0/$_/r . "\n"),
        "line 5: $cases{$_}",
        s/\n/\\n/gr =~ s/\0/\\0/r
    ) for sort keys %cases;
};

subtest 'every index is computed again' => sub {
    my $note = sub { return join '; ', @{ (reports($_[0]))[0]{data}{notes} } };
    my $text = "$HEAD$BEGIN$GOOD\n$TABLE$SCORE";
    is($note->($text), '', 'one that agrees');
    is(
        $note->($text =~ s/Only\)    100\.0/Only)    100.2/r),
        "1 copy: line 10: the index of 'System Benchmarks' is 100.2, and 100.0 computed from its scores",
        'one that does not'
    );
    is(
        $note->($text =~ s/124400\.0   100\.0/124400.0   101.0/r),
        "1 copy: line 8: 'Pipe Throughput' has the index 101.0, and 100.0 computed from its result",
        'a row that does not'
    );
    is($note->($text =~ s/Only\)    100\.0/Only)    100.1/r), '', 'a tenth is rounding');
    is(
        $note->($text =~ s/^Pipe.*samples\)\n/$&Shell Scripts (1 concurrent)   no measured results\n/mr),
        "1 copy: 'Shell Scripts (1 concurrent)' has no measured results",
        'a test that failed is noted'
    );
    is(
        $note->(text_of('version-4-variant.txt') =~ s/569\.3 +\K\S+ +\S+/1.0  0.0/r),
        "1 copy: line 24: 'Process Creation' has an index below 0.05; 1 copy: line 28: the index of 'System Benchmarks' is 192.3, and 81.8 computed from its scores",
        'an index that is less than a tenth'
    );
};

subtest 'several reports in a text are runs of their own, and one that is wrong is noted' => sub {
    my $good = "$HEAD$BEGIN$GOOD\n$TABLE$SCORE\n";
    my $cut  = $good =~ s/^System Benchmarks Index Score.*\n|^ +=+\n//gmr;
    is(
        scores("$good$cut$good"),
        'Pipe Throughput 124400; line 20: the report is cut off within a table; Pipe Throughput 124400',
        'a text of three'
    );
    Fake::write_file("$dir/three", "$good$cut$good");
    my @runs = Touchstone::Compare::Run::load_each("$dir/three", "$dir", \%titles);
    is_deeply(
        [ map { $_->{name} } @runs ],
        [ "$dir/three (report 1)", "$dir/three (report 3)" ],
        'their names'
    );
    like($_->{note}, qr/; a report is not read: line 20: the report is cut off/, 'the other is noted')
        for @runs;
    for my $i (1, 3) {
        my $one = Touchstone::Compare::Run::load("$dir/three (report $i)", "$dir", \%titles);
        is($one->{name}, "$dir/three (report $i)", 'one of them is named');
    }
    ok(!eval { Touchstone::Compare::Run::load("$dir/three (report 4)", "$dir", \%titles) }, 'but');
    is($@, "'$dir/three' has no report 4, only 3 reports\n",                         'no other');
    is(Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0]{ratio}, 1, 'they are compared');
};

subtest 'indexes against other baselines are not compared, and scores are' => sub {
    my @runs = map { Touchstone::Compare::Run::load("t/classic/$_.txt", "$dir", \%titles) }
        qw(version-4 version-4-variant version-5);
    for my $pair ([ 0, 1, 'other baselines' ], [ 1, 2, 'other baselines' ], [ 0, 2, undef ]) {
        my ($one, $other, $why) = @$pair;
        my $compared = Touchstone::Compare::compare(runs => [ @runs[ $one, $other ] ])->{pairs}[0];
        my ($index)  = @{ $compared->{indexes} };
        my ($pipe)   = grep { $_->{name} eq 'pipe' } @{ $compared->{tests} };
        is($index->{why} eq 'other baselines' ? $index->{why} : undef, $why, "$one and $other: the index");
        is(defined $index->{ratio},                                    !defined $why, 'has a ratio, or not');
        ok($pipe->{ratio} > 0, 'the score of a test has one');
    }
};

subtest 'the command report shows each report of a text' => sub {
    my $fake = Fake->new;
    my $got  = $fake->run([ 'report', "$Fake::BASE/t/classic/several.txt" ]);
    is("$got->{status} $got->{err}", '0 ', 'it succeeds');
    like($got->{out}, qr/several\.txt \(report $_\)\n=+\n\nUnixBench 5\.1\.2, elm, /, "report $_") for 1 .. 3;
    like($got->{out}, qr/^  System Call Overhead +606049\.1  lps +15000\.0 +404\.0$/m, 'with its figures');
    my %cases = (
        '--format json'  => '0 ',
        '--format junit' =>
            "2 Run: a report of UnixBench has no format 'junit', only text, markdown, html, csv, json\n",
        '--price 3USD' => "2 Run: --price needs a record, and 'several.txt' is a report of UnixBench\n",
    );
    for my $words (sort keys %cases) {
        $got = $fake->run([ 'report', "$Fake::BASE/t/classic/several.txt", split / /, $words ]);
        is("$got->{status} $got->{err}" =~ s{'\S+/}{'}r, $cases{$words}, $words);
    }
};

subtest 'up to 640 CPUs' => sub {
    my $cpus = join '',
        map { "   CPU $_: AMD EPYC 9965 (4500.0 bogomips)\n          x86-64, MMX\n" } 0 .. 639;
    my ($report) = reports(
        $HEAD . $cpus . $BEGIN =~ s/2 CPUs(.*)1 parallel copy/640 CPUs${1}640 parallel copies/r . "$GOOD\n");
    my @cpus = @{ $report->{data}{system}{cpus} };
    is(@cpus . " $cpus[639]{model} @{ $cpus[639]{flags} }", '640 AMD EPYC 9965 x86-64 MMX', 'are read');
    is("@{ $report->{data}{blocks}[0] }{qw(cpus copies)}",  '640 640', 'with as many copies');
};

subtest 'what is no report is refused with file and line, and nothing is taken' => sub {
    my $good = "$HEAD$BEGIN$GOOD\n$TABLE$SCORE";
    my $not =
        "is not a run record: line 1: neither JSON nor a text with a block (-----BEGIN TOUCHSTONE RUN ...) or a report of UnixBench\n";
    my $no    = 'is not a report of UnixBench:';
    my %cases = (
        'an empty file'       => [ '',                                                     $not ],
        'another benchmark'   => [ "Geekbench 5\nSingle-Core Score  1075\n",               $not ],
        'a page of something' => [ "<html><body><table><tr><td>1.0</td></table></html>\n", $not ],
        'letters'             => [ 'a' x Amount::of(2_000_000, 49_000_000),                $not ],
        'a report before 4.0' => [
            $good =~ s/5\.1\.3/3.11/r,
            "$no line 1: a report of version 3.11, versions 4 and later are read\n"
        ],
        'cut off in its results' =>
            [ $HEAD . $BEGIN . $GOOD, "$no line 5: the report is cut off within a table\n" ],
        'cut off in a line' => [
            substr($good, 0, index($good, '12440.0')),
            "$no line 8: the report is cut off within a table\n"
        ],
        'cut off in its index' =>
            [ $good =~ s/ +=.*//sr, "$no line 8: the report is cut off within a table\n" ],
        'cut off before its score' =>
            [ substr($good, 0, -7), "$no line 10: the report is cut off within a table\n" ],
        'only results' => [
            $GOOD,
            "$no line 1: it is not known how many copies have these results: there is no line "
                . "'N CPUs in system; running N parallel copies of tests'\n"
        ],
        'two results of a test' =>
            [ $good =~ s/(^Pipe.*samples\)\n)/$1$1/mr, "$no line 6: 'Pipe Throughput' is there twice\n" ],
        'two rows of a test' =>
            [ $good =~ s/(^Pipe.* 100\.0\n)/$1$1/mr, "$no line 9: 'Pipe Throughput' is in an index twice\n" ],
        'two tables of a test' =>
            [ $good . $TABLE . $SCORE, "$no line 12: 'Pipe Throughput' is in an index twice\n" ],
        'a page cut off' => [
            text_of('page.html') =~ s/<td colspan=6>.*//sr,
            "$no line 150: the report is cut off within a table\n"
        ],
        'a page with a damaged row' => [
            text_of('page.html') =~ s/1226159\.2/12x/r,
            "$no line 150: 'System Call Overhead ?12x ?lps ?10.0 s ?7 ?15000.0 ?817.4' is not a row of a page, expected 'TEST SCORE UNIT TIME ITERS BASELINE INDEX'\n"
        ],
    );
    for my $name (sort keys %cases) {
        my ($text, $why) = @{ $cases{$name} };
        Fake::write_file("$dir/file", $text);
        my $read = eval { Touchstone::Compare::Run::load_each("$dir/file", "$dir", \%titles); 1 };
        is($read ? 'read' : $@, "'$dir/file' $why", $name);
    }
};

subtest 'the time is linear, whatever the text is' => sub {
    my $n     = Amount::of(200_000, 2_000_000);
    my %texts = (
        'open comments' => '<html>' . '<!--' x ($n / 4),
        'open scripts'  => '<html>' . '<script>' x ($n / 8),
        'open tags'     => '<html>' . '<a' x ($n / 2),
        'entities'      => '<html>' . '&#' x ($n / 2),
        'no letters'    => '<html>' . "\n" x ($n / 4),
        'backspaces'    => 'a' x ($n / 2) . "\x08" x ($n / 2) . "\n",
        'returns'       => "\n" . "\r " x ($n / 2),
        'escapes'       => "\e[1;" x ($n / 4),
        'titles'        => "\e]" x ($n / 2),
        'thousands'     => "1'111" x ($n / 5),
        'quotes'        => '> ' x ($n / 2),
        'brackets'      => '[' x $n,
    );
    for my $name (sort keys %texts) {
        my $text = "BYTE UNIX Benchmarks (Version 5.1.3)\n$texts{$name}";
        ok(CpuTime::within($name, sub { Touchstone::Record::Classic::Text::cleaned($text); 1 }), $name);
    }
};

done_testing;
