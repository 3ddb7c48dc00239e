# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::Parts: figures have as many digits as they deserve, and each is in its place.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Scored;
use Touchstone::Record;
use Touchstone::Base::Symbols qw($DASH $MICRO);
use Touchstone::Report::Document;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Suite::Byte1984::Parts;
use Touchstone::Suite::Byte1984::Tables;
use Touchstone::Suite::Published;

my $BASE = dirname(dirname(dirname(__FILE__)));
my %PUBLISHED =
    map {
    $_ => Touchstone::Suite::Published::load(
        "$BASE/pgms/$_.csv",
        text  => [ 'machine', 'system' ],
        notes => ['note']
    )
    } qw(byte1984-machines byte1984-multi);
my %OURS = (
    pipe   => 534e-6,
    scall  => 1.32e-3,
    fcall  => 80e-6,
    sieve  => 310e-6,
    dwrite => 412e-6,
    dread  => 121e-6,
    shell  => 2.05e-3,
    loop   => 310e-6
);
my @SHELLS = (0.002, 0.0022, 0.0033, 0.0044, 0.0055, 0.0066);

sub test_of {
    my ($name, $score, %more) = @_;
    return {
        name     => $name,
        score    => $score,
        interval => [ $score * 0.98, $score * 1.02 ],
        error    => 0.01,
        user     => $score / 5,
        sys      => $score / 2,
        rates    => [ map { $score * $_ } 0.999, 1, 1.001, 1, 0.998, 1.002 ],
        %more
    };
}

# Returns the tables of all tests, or of those named.
sub tables_of {
    my (%with) = @_;
    my @tests = (
        (map { test_of("${_}84", $OURS{$_}) } sort keys %OURS),
        map { test_of("multi84-$_", $SHELLS[ $_ - 1 ]) } 1 .. 6
    );
    @tests = grep { $_->{name} =~ $with{only} } @tests if $with{only};
    return Scored::tables(
        Byte1984 => {
            build  => $with{build} || {},
            passes => $with{passes},
            host   => $with{host} || { name => 'vm', os => 'GNU/Linux', release => '6.18', usable_cpus => 2 },
            published => $with{published} || {%PUBLISHED},
            results   =>
                [ { copies => $with{copies} // 1, tests => \@tests, below_resolution => $with{below} } ]
        }
    );
}

sub text_of { return Touchstone::Report::Render::Text::render(Touchstone::Suite::Byte1984::Parts::parts(@_)) }

# The parts of a page, those in folds among them.
sub wide_parts {
    return
        map { $_->[0] eq 'fold' ? @$_[ 2 .. $#$_ ] : $_ }
        Touchstone::Report::Document::for_form('html', Touchstone::Suite::Byte1984::Parts::parts(@_));
}

# Points in one line each again.
sub unbroken { return $_[0] =~ s/\n {4}(?=\S)/ /gr }

sub line_with {
    my ($text, $pattern) = @_;
    return join "\n", grep { /$pattern/ } split /\n/, $text;
}

subtest 'no line on a terminal is wider than 80 columns' => sub {
    for my $tables (
        tables_of(),
        tables_of(below => [ { name => 'fcall84' } ]),
        tables_of(host  => { name => 'h' x 300, os => 'o' x 300 }),
        tables_of(
            published => {
                map {
                    $_ => [ map { +{ %$_, system => 'x' x 100 } } @{ $PUBLISHED{$_} } ]
                } keys %PUBLISHED
            }
        )
    ) {
        my @lines = split /\n/, text_of($tables);
        utf8::decode($_) for @lines;
        cmp_ok(scalar(grep { /\A  (?!- )/ } @lines), '>',  16 * 4, 'there are tables');
        cmp_ok(max(map { length } @lines),           '<=', 80,     'none is wider');
    }
};

subtest 'table 1 has this machine first, then the fifteen as published' => sub {
    my $text = text_of(tables_of());
    like($text, qr/\ABenchmarks of 1984\n/, 'a heading');
    is(
        line_with($text, qr/^  (?:this machine|VAX-11\/780 4.1 BSD|Masscomp)/) =~ s/ {2,}/  /gr,
        join("\n",
            '  this machine  534 µs  1.32 ms  80.0 µs  310 µs',
            '  VAX-11/780 4.1 BSD  3.2 s  4.8 s  1.0 s  1.7 s',
            '  Masscomp Sys III+  5.7 s  6.3 s  0.9 s  2.8 s',
            '  this machine  412 µs  121 µs  2.05 ms  310 µs',
            '  VAX-11/780 4.1 BSD  2.0 s  8.0 s  3.3 s  2.6 s',
            '  Masscomp Sys III+  1.7 s  ---  3.5 s  6.6 s',
            '  this machine  107 + 267 µs  264 + 660 µs  62.0 + 155 µs',
            '  VAX-11/780 4.1 BSD  0.1 + 1.2 s  1.4 + 4.0 s  1.5 + 0.1 s',
            '  Masscomp Sys III+  0.0 + 2.8 s  0.4 + 5.8 s  2.5 + 0.1 s',
            '  this machine  0.410 + 1.03 ms  62.0 + 155 µs',
            '  VAX-11/780 4.1 BSD  0.3 + 1.3 s  2.5 + 0.1 s',
            '  Masscomp Sys III+  0.4 + 1.4 s  6.3 + 0.1 s',
            '  VAX-11/780 4.1 BSD  6,000  3,600  13,000  5,500  4,900',
            '  Masscomp Sys III+  11,000  4,800  11,000  9,000  4,100',
            '  VAX-11/780 4.1 BSD  66,000  1,600  8,400  5,160',
            '  Masscomp Sys III+  ---  1,700  21,000  6,940',
            '  this machine  2.00 ms  2.20 ms  3.30 ms  4.40 ms',
            '  VAX-11/780 4.1 BSD  4.3 s  5.5 s  7.8 s  9.0 s',
            '  Masscomp Sys III+  4.2 s  5.5 s  9.1 s  11.8 s',
            '  this machine  5.50 ms  6.60 ms  871 µs',
            '  VAX-11/780 4.1 BSD  11.0 s  13.8 s  1.9 s',
            '  Masscomp Sys III+  14.5 s  17.8 s  2.8 s',
            '  this machine  123456',
            '  VAX-11/780 4.1 BSD  123456',
            '  Masscomp Sys III+  12 3456'),
        'row by row'
    );
    unlike($text, qr/below/, 'nothing is below the resolution');
};

subtest 'a dash of table 3 is what would not complete, one of table 1 what is not available' => sub {
    my $text  = text_of(tables_of());
    my ($of1) = $text =~ /\A(.*?)^Time for 1 to 6/ms;
    my ($of3) = $text =~ /^(Time for 1 to 6.*)/ms;
    unlike($of1, qr/^  Omnibyte.*failed/m, 'none in table 1');
    like($of3, qr/^  Omnibyte Idris 1\.2 +failed +failed +failed +failed$/m, 'of the Omnibyte nothing ended');
    like($of3, qr/^  PDP-11\/23 VENIX +14\.0 s +32\.8 s +failed +failed$/m,  'two did here');
    my $part = text_of(tables_of(only => qr/multi84-[1-4]/));
    like($part, qr/^  this machine +--- +--- +\S/m, 'what this machine has not measured has not failed');
};

subtest 'a page compares first, and has the seconds in a fold, each once' => sub {
    my @tables = map { $_->[1] } grep { $_->[0] eq 'table' } wide_parts(tables_of());
    is(
        join('|', map { $_->{caption} =~ s/[;,].*//r } @tables),
        'How many times as fast this machine is|Time for one unit of work|CPU time|Time for 1 to 6 concurrent shells',
        'the tables'
    );
    is(
        join(', ', @{ $tables[1]{head} }),
        'Machine, System, pipe, scall, fcall, sieve, dwrite, dread, shell, loop',
        'a column for each test'
    );
    is_deeply(
        [ @{ $tables[1]{rows}[0] }[ 0 .. 2 ] ],
        [ 'vm (this machine)', 'GNU/Linux 6.18', "534 ${MICRO}s" ],
        'this machine'
    );
    is(
        join(',', map { s/ s\z//r } @{ $tables[1]{rows}[1] }),
        'VAX-11/780,4.1 BSD,3.2,4.8,1.0,1.7,2.0,8.0,3.3,2.6',
        'the VAX as in the file'
    );
    my @folds =
        Touchstone::Report::Render::Html::fragment(Touchstone::Suite::Byte1984::Parts::parts(tables_of())) =~
        m{<summary>(.*?)</summary>}g;
    is(scalar @folds, 3, 'seconds, shells and notes are folded');
    like(
        Touchstone::Report::Render::Html::fragment(Touchstone::Suite::Byte1984::Parts::parts(tables_of())),
        qr{\A<h2>Benchmarks of 1984</h2>.*<svg}s,
        'with a picture'
    );
};

subtest 'a text says how long a pipe waits, and what the compiler takes' => sub {
    my $points = sub {
        return join '|', map { s/^  - //r } split /\n/, line_with(unbroken($_[0]), qr/^  - (?:waiting|cc84)/);
    };
    my $tables = tables_of();
    my ($waits, $vax) = (
        "waiting time of a pipe (real $DASH user $DASH system):",
        '; 1.9 s of 3.2 s on a VAX-11/780, for its disk'
    );
    is($points->(text_of($tables)), "$waits 160 ${MICRO}s of 534 ${MICRO}s here$vax", 'the pipe');
    $tables->{machines}[0]{waiting} = -1e-6;
    is(
        $points->(text_of($tables)),
        "$waits no time here, because its two processes run concurrently$vax",
        'or not'
    );
    is($points->(text_of(tables_of(copies => 2))), '', 'of several copies it is not known');
    is(
        $points->(text_of(tables_of(published => {}))),
        "$waits 160 ${MICRO}s of 534 ${MICRO}s here",
        'this machine alone'
    );
    my $compiler = { seconds => 0.0841, interval => [ 0.0840, 0.0842 ], user => 0.0602, sys => 0.021 };
    is(
        $points->(text_of({ copies => 1, machines => [], compiler => $compiler })),
        'cc84 compiles and links a C program in 84.1 ms, user + system 60.2 + 21.0 ms; the article has no figure for it',
        'the compiler'
    );
};

subtest 'a text has the size of the shortest C program, as far as make found it' => sub {
    my %least = (
        least_byte1984        => 'text 1216 + data 528 + bss 8 = 1752 bytes',
        least_byte1984_static => 'text 650429 + data 23440 + bss 22632 = 696501 bytes'
    );
    my $point = sub {
        return line_with(unbroken(text_of(tables_of(build => {@_}))), qr/shortest C program/);
    };
    is(
        $point->(%least),
        "  - the shortest C program: $least{least_byte1984}; linked statically $least{least_byte1984_static}",
        'both'
    );
    delete $least{least_byte1984_static};
    is($point->(%least), "  - the shortest C program: $least{least_byte1984}", 'one');
    is($point->(),       '',                                                   'none');
    my $hostile = $point->(least_byte1984 => 'x' x 300, least_byte1984_static => []);
    like($hostile, qr/: x{60}\.\.\.\z/, 'what a strange record says is cut');
};

subtest 'limits of memory and swapping are said' => sub {
    my $said = sub {
        my ($host, @passes) = @_;
        my $tables = tables_of(host => { name => 'vm', %$host }, passes => \@passes);
        return join '|', map { s/\A  - //r }
            split /\n/, line_with(unbroken(text_of($tables)), qr/memory is limited|no swap|swapped/);
    };
    is($said->({}), '', 'nothing is known');
    is($said->({ memory_kb => 2**24, swap_kb => 2**20, memory_limit_kb => 'unknown' }), '', 'no limit');
    is(
        $said->({ memory_kb => 2**24, swap_kb => 0, memory_limit_kb => 2**19 }),
        'memory is limited to 512 MB of 16 GB: by ulimit -v or -d for each process, or by a control group for all'
            . '|this machine has no swap: processes that do not fit into its memory are killed',
        'a limit, and no swap'
    );
    my $pass = sub {
        my ($test, $swapped, $copies) = @_;
        return { test => $test, copies => $copies // 1, counters => { swapped => $swapped } };
    };
    is(
        $said->(
            { swap_kb => 5 },
            map { $pass->(@$_) }[ 'multi84-6', 3 ],
            [ 'multi84-6', 0 ],
            [ shell84 => undef ],
            [ pipe    => 7 ],
            [ pipe84  => 7, 4 ]
        ),
        'pages were swapped in 1 of 3 passes: their times include the disk',
        'passes of this suite with these copies'
    );
};

subtest 'what differs from the work of 1984 is said beside its figures' => sub {
    my $notes = qr/^  - Unlike in 1984, units of work.*^  - Unlike in 1984, fcall/ms;
    like(text_of(tables_of(only => $_)), $notes, $_) for qr/pipe/, qr/multi/;
    my $none = text_of({ copies => 1, machines => [], compiler => { seconds => 1 } });
    unlike($none, qr/1984:|Omnibyte/, 'where there are none, nothing');
    my $all = unbroken(text_of(tables_of()));
    like($all, qr/^  - failed: the test did not complete\./m,                 'what has no time in table 3');
    like($all, qr/^  - Omnibyte Idris 1\.2: wait did not function in Idris/m, 'and why under Idris');
    like($all, qr/^  - SCI-1000 Sys III\+: .*debugging code in its kernel\.$/m, 'a note on a machine');
    unlike(text_of(tables_of(only => qr/pipe/)), qr/failed|wait did not/, 'without table 3 none on it');
    my @machines = @{ $PUBLISHED{'byte1984-machines'} };
    is(
        join(', ', map { $_->{machine} } grep { !length($_->{dread_real} // '') } @machines),
        'Masscomp, Omnibyte',
        'the machine under Idris has no dread, as its note says'
    );
    is(scalar(grep { $_->{system} =~ /\+/ } @machines), 3, 'three have the sign that a note explains');
};

subtest 'the headline of a run that is not valid says so in each form' => sub {
    my $facts   = Touchstone::Record->load("$BASE/t/golden/fixed.json", 'nowhere');
    my %invalid = (%$facts, warnings => [ { id => 'load', text => 'busy', invalid => 1 } ]);
    for my $form (qw(text markdown html summary)) {
        my ($sound, $said) = map { Scored::report($form, $_) =~ /(This machine is [^<\n]*)/ } $facts,
            \%invalid;
        like($said, qr/times as fast as a VAX-11\/780 \([^)]*\)(?:, partial)?, not valid\b/, $form)
            or diag($said);
        unlike($sound, qr/not valid/, 'and a valid one does not');
    }
};

subtest 'the headline says how many times as fast as a VAX, and over what' => sub {
    my $headline = sub {
        return join '|', split /\n/,
            line_with($_[0] =~ s/\n(?=measured|sieve)/ /r, qr/times as fast as a |the geometric mean over/);
    };
    my $over = '|the geometric mean over pipe, scall, fcall, sieve, dwrite, shell, loop';
    is(
        $headline->(text_of(tables_of())),
        "This machine is 5,160 times as fast as a VAX-11/780 (5,130 to 5,200)$over",
        'all seven'
    );
    my $tables = tables_of();
    $tables->{headline}{interval} = undef;
    is(
        $headline->(text_of($tables)),
        "This machine is 5,160 times as fast as a VAX-11/780 (no interval)$over",
        'without an interval three digits, as an index has'
    );
    for my $interval (undef, [ 4000, 6200 ], [ 5150, 5170 ], [ 0, 90_000 ]) {
        $tables->{headline}{interval} = $interval;
        my $text = text_of($tables);
        my ($said) = $text =~ /^This machine is (\S+) times/m;
        like($text, qr/^  VAX-11\/780 4\.1 BSD .* \Q$said\E$/m, "$said: the table has the same figure");
    }
    my $text = text_of(tables_of(only => qr/pipe|loop/, below => [ { name => 'fcall84' } ]));
    is(
        $headline->($text),
        'This machine is 7,090 times as fast as a VAX-11/780 (6,990 to 7,190), partial|the geometric mean over pipe, loop; '
            . 'without scall, fcall (below the resolution), sieve, dwrite, shell',
        'a part of them'
    );
    like($text, qr/^  this machine +534 \S+ +--- +below +---/m, 'the cell says so');
    like($text, qr/^below: below the resolution here$/m,        'and a line under the table what that is');
    like(
        text_of(tables_of(copies => 4)),
        qr/^With 4 copies this machine is 5,160 times as fast as a VAX.*^With 4 concurrent copies: /ms,
        'of several copies'
    );
    is(
        $headline->(text_of(tables_of(only => qr/pipe/))),
        'This machine is 5,990 times as fast as a VAX-11/780 (5,880 to 6,110), partial|the geometric mean over pipe; without scall, fcall, sieve, dwrite, shell, loop',
        'of one test, with its interval'
    );
};

subtest 'a text says what a further shell costs and where the line bends' => sub {
    my $said = sub {
        return join '|', map { s/^  - //r } split /\n/,
            line_with($_[0], qr/^  - .*(?:additional shell|bend|after it|usable)/);
    };
    is(
        $said->(text_of(tables_of())) =~ s/\(.*?\)/(..)/gr,
        'the line bends at 2.00 shells (..)|before it each additional shell costs 200 µs (..)|after it 1.10 ms (..)|there are 2 usable CPUs',
        'a bend'
    );
    my $tables = tables_of(only => qr/multi/);
    my $text   = text_of($tables);
    unlike(
        $text,
        qr/times a|How many times|one unit of work/,
        'nothing of the eight when only shells were measured'
    );
    my @said = (
        [
            { slope => 1e-3, slope_low => 0.9e-3, slope_high => 1.1e-3 },
            1,
            0.5,
            'each additional shell costs 1.00 ms (0.90 ms to 1.10 ms), 50 % of one shell|the line has no bend|there is 1 usable CPU'
        ],
        [
            { slope => 1e-3, slope_low => -1e-3, slope_high => 3e-3 },
            undef,
            undef,
            'each additional shell costs 1.0 ms (-1.0 ms to 3.0 ms)|the line has no bend|the number of usable CPUs is unknown'
        ],
        [
            { why => 'too few' },
            8, undef, 'no interval of the slope and no bend: too few|there are 8 usable CPUs'
        ],
        [ { why => 'too few' }, 8, undef, 'no slope and no bend: too few|there are 8 usable CPUs', undef ],
    );
    for my $case (@said) {
        @{ $tables->{multi} }{qw(fit cpus share)} = @$case;
        $tables->{multi}{machines}[0]{slope} = undef if @$case > 4;
        is($said->(text_of($tables)), $case->[3], $case->[3]);
    }
};

subtest 'the slope of a straight line is one figure, in the table and below it' => sub {
    my $tables = tables_of(only => qr/multi/);
    my $this   = $tables->{multi}{machines}[0];
    for my $half (1e-6, 3e-4, 4e-3) {
        my $slope = 1.2345e-3;
        $tables->{multi}{fit} =
            { slope => $slope, slope_low => $slope - $half, slope_high => $slope + $half };
        @$this{qw(slope slope_interval)} = ($slope, [ $slope - $half, $slope + $half ]);
        my $text = text_of($tables);
        my ($said) = $text =~ /each additional shell costs (\S+ \S+) \(/;
        like($text, qr/^  this machine .* \Q$said\E$/m, $said);
    }
};

subtest 'nothing is said when nothing was measured' => sub {
    is(scalar(my @none = Touchstone::Suite::Byte1984::Parts::parts(undef)), 0, 'no part');
    my $alone = text_of(tables_of(published => {}));
    unlike($alone, qr/times a|How many/, 'without published figures this machine alone');
    like($alone, qr/^  this machine +534 \S+/m, 'with its own');
};

subtest 'names and cells of a stranger do no harm' => sub {
    my $harm = "<script>\e[31m|`\n";
    my @rows = map {
        my $odd = $_;
        +{
            machine => $harm,
            system  => $harm,
            map { $_ => $odd } qw(pipe_real pipe_user pipe_sys fcall n1 n2 n3)
        }
    } 1e-14, 1e11, 'x', -1, 0;
    my $tables = tables_of(
        host      => { name => $harm, os => $harm, release => $harm },
        published => { map { $_ => \@rows } keys %PUBLISHED }
    );
    my @parts = Touchstone::Suite::Byte1984::Parts::parts($tables);
    my %page  = (
        text     => text_of($tables),
        markdown => Touchstone::Report::Render::Markdown::render(@parts),
        html     => Touchstone::Report::Render::Html::fragment(@parts)
    );
    unlike($page{$_},   qr/[\x00-\x09\x0b-\x1f]/, "$_: no control character") for sort keys %page;
    unlike($page{html}, qr/<script/,              'escaped');
    unlike($page{markdown} =~ s/^```.*?^```//gmsr, qr/(?<!\\)<script/, 'marked');
};

done_testing;
