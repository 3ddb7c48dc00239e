#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The terminal: the status line, colours and widths. Texts are tested on pretended terminals, ./Run on real
# ones.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use Fake;
use Scored;
use Pty;
use Screen;
use Touchstone::Cli::Comparison;
use Touchstone::Cli::Options;
use Touchstone::Report::Summary;
use Touchstone::Run::Runner;
use Touchstone::Score;
use Touchstone::Terminal::Bar;
use Touchstone::Terminal::Wrap;
use Touchstone::Terminal;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $FORBIDDEN = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

sub widest {
    my ($text) = @_;
    my ($widest) =
        sort { $b <=> $a } map { Touchstone::Terminal::Wrap::columns(s/\e\[\d*[mJ]//gr) } split /[\n\r]/,
        $text;
    return $widest;
}

my %golden = Screen::files();
for my $file (sort keys %golden) {
    subtest "what a terminal gets is $file" =>
        sub { is($golden{$file}, Fake::read_file("$Fake::BASE/t/golden/$file"), 'byte for byte') };
}

subtest 'no line is wider than the terminal, and the live one leaves its last column free' => sub {
    for my $columns (20, 30, 50, 79, 80, 100, 200) {
        my $text = Screen::written(columns => $columns, utf8 => $columns % 2);
        my @live = map { Touchstone::Terminal::Wrap::columns($_) } $text =~ /([^\r\n]*)\e\[J\r/g;
        cmp_ok($_, '<', $columns, "$columns columns: a live line") for grep { $_ >= $columns } @live;
        ok(@live > 20, "$columns columns: there are some");
        cmp_ok(widest($text), '<=', $columns, "$columns columns: all lines") if $columns >= 50;
    }
    is(scalar(my @none = Screen::written(columns => 3) =~ /[^\r\n]{3,}\e\[J\r/g),
        0, 'not even of a terminal of 3 columns');
};

subtest 'in the end a terminal shows the lines that stay, and no rest of others' => sub {
    for my $columns (20, 50, 80) {
        my @shown = Screen::shown(Screen::written(columns => $columns, verbose => 1), $columns);
        is_deeply([ grep { !/\A# / && length } @shown ], [], "$columns columns: all begin as lines do")
            if $columns > 20;
        unlike(join("\n", @shown), qr/\[[=|]|left|at most/, "$columns columns: nothing of the live line");
    }
};

# Returns the status line of passes: so many rounds of these tests, a second each.
sub live_of {
    my ($rounds, @names) = @_;
    my $live   = Touchstone::Terminal::StatusLine->new;
    my @passes = map {
        my $round = $_;
        map { { test => { name => $_ }, round => $round, seconds => 1 } } @names
    } 1 .. $rounds;
    my $block = { copies => 1, passes => \@passes, seconds => scalar @passes, beyond => 0 };
    $live->plan(
        {
            schedule  => 'default',
            seconds   => scalar @passes,
            most      => scalar @passes,
            precision => undef,
            blocks    => [$block]
        }
    );
    $live->block($block);
    return $live;
}

subtest
    'what is least certain is told by the variation when each test has three passes, and by intervals where all have one'
    => sub {
    my $live  = live_of(6, qw(pipe spawn));
    my $least = sub { ($live->_least)[0] };
    $live->certain(pipe => { passes => 3, cv => 0.5, precision => undef });
    is($least->(), '', 'nothing while the other has none');
    $live->certain(spawn => { passes => 2, cv => 0.04, precision => undef });
    is($least->(), '', 'nothing while it has two');
    $live->certain(pipe  => { passes => 3, cv => 0.02, precision => undef });
    $live->certain(spawn => { passes => 3, cv => 0.04, precision => undef });
    is($least->(), 'least certain: spawn CV 4.0 %', 'of three each');
    $live->certain(pipe => { passes => 6, cv => 0.02, precision => 0.01 });
    is($least->(), 'least certain: spawn CV 4.0 %', 'one interval cannot be compared with a variation');
    $live->certain(spawn => { passes => 6, cv => 0.04, precision => 0.005 });
    is($least->(), 'least certain: pipe ±1.0 %', 'two can be compared');
    $live->lost('pipe');
    is($least->(), 'least certain: spawn ±0.50 %', 'one that failed is none of them');
    };

subtest 'passes of a test that has failed are no longer to come, from its failure on' => sub {
    my $live = live_of(3, qw(pipe spawn syscall));
    $live->done({ test => { name => 'pipe' }, round => 1, seconds => 1 });
    is($live->left, '0:08', 'before it');
    $live->lost('spawn');
    is($live->left, '0:05', 'all of them');
    is_deeply($live->{rounds}, [ [ 1, 2 ], [ 0, 2 ], [ 0, 2 ] ], 'no round is longer than what comes of it');
    $live->done({ test => { name => 'spawn' }, round => $_, seconds => 1 }) for 1 .. 3;
    is($live->left, '0:05', 'and once only');
};

subtest 'a line of passes keeps its parts in their places from the warm-up to the last pass' => sub {
    for my $columns (@Screen::COLUMNS, 60, 100) {
        my $text = Screen::written(columns => $columns);
        my @bars = map { length } $text =~ /(\[[=| ]+\])[^\r]*left/g;
        my %seen = map { $_ => 1 } @bars;
        ok(@bars > 20, "$columns columns: each has a bar");
        cmp_ok(scalar(keys %seen), '<=', 2, "$columns columns: one width for each copy count")
            or diag("@bars");
    }
};

subtest 'what people type while the run is in the background stays' => sub {
    open my $out, '>', \my $text or die "cannot write into a text: $!\n";
    my $progress =
        Touchstone::Terminal::Progress->new(out => $out, terminal => Elsewhere->pretended(columns => 80));
    my $pass  = { test   => { name => 'pipe' }, round => 1, seconds => 1 };
    my $block = { copies => 1, passes => [$pass], seconds => 1, beyond => 0 };
    $progress->plan(
        { schedule => 'default', seconds => 1, most => 1, precision => undef, blocks => [$block] });
    $progress->block($block);
    $progress->pass($pass, 1);
    like($text, qr/\e\[J\r\z/, 'a live line is there');
    my $before = length $text;
    $Elsewhere::GONE = 1;
    $progress->note('something');
    $progress->note('more');
    $progress->finish;
    is(substr($text, $before), "\n# something\n# more\n", 'nothing is erased');
    close $out or die "cannot write into a text: $!\n";
};

subtest 'the classic schedule has one bar, because it goes test by test' => sub {
    my $live   = Touchstone::Terminal::StatusLine->new;
    my @passes = map {
        my $name = $_;
        map { { test => { name => $name }, round => $_, seconds => 10 } } 1 .. 3
    } qw(pipe spawn);
    my $block = { copies => 4, passes => \@passes, seconds => 60, beyond => 0 };
    $live->plan({ schedule => 'classic', seconds => 60, most => 60, precision => undef, blocks => [$block] });
    $live->block($block);
    $live->done($_) for @passes[ 0 .. 2 ];
    is(
        $live->fitted($live->pass($passes[3], 4), 100),
        '[' . '=' x 15 . ' ' x 15 . ']  0:30 left  4 copies: spawn',
        'half of it is full, and the time is no range'
    );
    is(
        $live->fitted($live->pass({ test => { name => 'spawn' }, round => 4 }, 4), 100),
        '[' . '=' x 15 . ' ' x 15 . ']  0:30 left  4 copies: spawn',
        'a pass beyond the plan'
    );
};

subtest 'what is no longer to come beyond the rounds is not counted' => sub {
    my $live   = Touchstone::Terminal::StatusLine->new;
    my @blocks = map {
        {
            copies  => $_,
            passes  => [ { test => { name => 'pipe' }, round => 1, seconds => 10 } ],
            seconds => 10,
            beyond  => 30
        }
    } 1, 2;
    my $time = sub { ($live->_times)[0] };
    $live->plan({ schedule => 'default', seconds => 20, most => 80, precision => 0.015, blocks => \@blocks });
    $live->block($blocks[0]);
    is($time->(), '0:20 to 1:20 left', 'at first');
    $live->done($blocks[0]{passes}[0]);
    is($time->(), '0:10 to 1:10 left', 'after the rounds of the first copy count');
    $live->block($blocks[1]);
    is($time->(), '0:10 to 0:40 left', 'when the second begins');
    $live->done($blocks[1]{passes}[0]);
    is(
        (
            $live->refine(
                pass    => { test => { name => 'pipe' } },
                copies  => 2,
                reached => 0.1,
                wanted  => 0.015,
                left    => 25,
                sure    => 0,
                tests   => 1
            )
        )->{until}[0],
        '0:25 at most',
        'beyond the last rounds'
    );
};

subtest 'a line keeps its form while the window is as wide' => sub {
    my $live = Touchstone::Terminal::StatusLine->new;
    my $line = sub {
        my ($name) = @_;
        return { kind => 'pass', time => ['1:00 left'], now => [ "2 copies: $name", $name ] };
    };
    is($live->fitted($line->('pipe'),     26), '1:00 left  2 copies: pipe', 'long');
    is($live->fitted($line->('context1'), 26), '1:00 left  context1',       'short');
    is($live->fitted($line->('pipe'),     26), '1:00 left  pipe',           'still short');
    is($live->fitted($line->('pipe'),     40), '1:00 left  2 copies: pipe', 'wider');
};

subtest 'Runner tells how certain a test is after a pass, and only to who looks' => sub {
    for my $looks (0, 1) {
        my @said;
        my $progress = bless { looks => $looks, said => \@said }, 'Listener';
        my $runner   = Touchstone::Run::Runner->new(
            progress => $progress,
            clock    => sub { 0 },
            schedule => 'default',
            passes   => bless({}, 'Steady')
        );
        my %test = (test => { name => 'pipe' }, rates => [], spent => 0, passes => 0);
        $runner->_measure({ test => $test{test}, round => $_ }, 1, \%test) for 1 .. 6;
        is(scalar @said, $looks ? 6 : 0, $looks ? 'once a pass' : 'nobody looks');
        is_deeply(
            [ map { defined $_->{precision} ? 1 : 0 } @said ],
            [ 0, 0, 0, 0, 0, 1 ],
            'an interval from six on'
        ) if $looks;
    }
};

subtest 'a bar has a segment for each round, or one for all of them where they are many or one' => sub {
    my $bar = sub { (Touchstone::Terminal::Bar::forms(rounds => [@_]))[0] };
    is($bar->([ 2, 2 ], [ 1, 2 ], [ 0, 2 ]),   '[====|==  |    ]',              'three');
    is($bar->([ 3, 4 ]),                       '[' . '=' x 22 . ' ' x 8 . ']',  'one');
    is($bar->(([ 1, 1 ]) x 5, ([ 0, 1 ]) x 5), '[' . '=' x 15 . ' ' x 15 . ']', 'ten');
    is($bar->([ 999, 1000 ], [ 0, 1 ]),        '[=== |    ]',                   'full only when it is');
    is_deeply([ Touchstone::Terminal::Bar::forms(rounds => []) ], [], 'none without passes');
    like(
        (Touchstone::Terminal::Bar::forms(rounds => [ [ 1, 1 ], [ 0, 1 ] ], utf8 => 1))[0],
        qr/\A\[(?:\xe2\x94\x81){4}\xe2\x94\x82    \]\z/,
        'in UTF-8'
    );
};

subtest 'texts are broken at blanks, by columns and not by octets' => sub {
    my @lines =
        Touchstone::Terminal::Wrap::lines('one two three four', width => 10, first => '# ', hang => '#   ');
    is_deeply(\@lines, [ '# one two', '#   three', '#   four' ], 'a hanging indent');
    is_deeply(
        [ Touchstone::Terminal::Wrap::lines('a /path/that/is/long/indeed b', width => 10) ],
        [ 'a', '/path/that/is/long/indeed', 'b' ],
        'a long word stays whole'
    );
    is_deeply(
        [ Touchstone::Terminal::Wrap::lines('sure +- 1.5 % pipe x 2 now', width => 10) ],
        [ 'sure', '+- 1.5 %', 'pipe x 2', 'now' ],
        'figures stay whole'
    );
    is_deeply([ Touchstone::Terminal::Wrap::lines('one two three four') ],
        ['one two three four'], 'one line without a width');
    is_deeply([ Touchstone::Terminal::Wrap::lines('pipe      1.0     2.0', width => 10) ],
        ['pipe      1.0     2.0'], 'a row of a table keeps its blanks');
    is_deeply(
        [ Touchstone::Terminal::Wrap::lines("\xc3\xa4" x 4 . ' ' . "\xc3\xb6" x 5, width => 10) ],
        [ "\xc3\xa4" x 4 . ' ' . "\xc3\xb6" x 5 ],
        'ten letters fit into ten columns'
    );
    is(Touchstone::Terminal::Wrap::cut("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5),
        "\xe6\x97\xa5\xe6\x9c\xac", 'wide letters take two');
    is(Touchstone::Terminal::Wrap::cut('abc', 0), '', 'nothing fits into nothing');
};

subtest 'the list fits, and each test and group is the first word of a line that begins with two blanks' =>
    sub {
    my $suite = Touchstone::Suite::load();
    my @names = ((map { $_->{name} } $suite->tests), sort keys %{ $suite->groups });
    for my $columns (50, 80, 120, 200, undef) {
        my $list = Screen::list($columns);
        is_deeply(
            [ sort $list =~ /^  (\S+)/mg ],
            [ sort @names ],
            'the names, ' . ($columns // 'no') . ' columns'
        );
        cmp_ok(widest($list), '<=', $columns, 'it fits') if $columns;
    }
    unlike(Screen::list(undef), qr/\e/, 'no colour');
    };

subtest 'help fits and names the same options at every width' => sub {
    my @options = Touchstone::Cli::Options::help() =~ /^ +(?:-\w, )?(--[\w-]+)/mg;
    for my $columns (50, 60, 80, 120) {
        my $help = Touchstone::Cli::Options::help($columns);
        cmp_ok(widest($help), '<=', $columns, "$columns columns");
        my $blanks = $columns < 60 ? qr/  / : qr/  (?:    )?/;
        is_deeply([ $help =~ /^$blanks(?:-\w, )?(--[\w-]+)(?: |$)/mg ], \@options, 'its options');
    }
};

# Returns the summary of a run whose model has so many late warnings of a kind.
sub summary {
    my ($warnings, %how) = @_;
    my $record = JSON::PP->new->utf8->decode(Fake::read_file("$Fake::BASE/t/golden/sure.json"));
    $record->{warnings} = $warnings;
    return Touchstone::Report::Summary::lines(Scored::model($record), %how);
}

subtest 'the summary on a terminal has one of many warnings of a kind, that of a report all' => sub {
    my @late =
        map { { id => 'overlap', text => "test $_ is uncertain", remedy => 'fewer copies', late => 1 } }
        1 .. 4;
    is_deeply(
        [ grep { /uncertain/ } summary(\@late, columns => 80) ],
        ['warning: test 1 is uncertain (and 3 more of this kind, which the log has)'],
        'on a terminal, where a line has no room for the remedy'
    );
    is(scalar(grep { /uncertain/ } summary(\@late)),                           4, 'in a report');
    is(scalar(grep { /uncertain/ } summary([ @late[ 0, 1 ] ], columns => 80)), 2, 'two are not many');
};

subtest 'gains become lines of text where their table does not fit' => sub {
    my $model = {
        blocks   => [],
        beside   => {},
        warnings => [],
        scaling  => {
            copies => [ 1, 2 ],
            rows   => [
                {
                    name      => 'pipe',
                    values    => [ 10,    20 ],
                    gains     => [ 0,     100 ],
                    intervals => [ undef, [ 90, 110 ] ]
                }
            ]
        }
    };
    is_deeply(
        [ Touchstone::Report::Summary::lines($model, columns => 20) ],
        ['gain with 2 copies: pipe 100 %'],
        'very narrow'
    );
    is_deeply(
        [ Touchstone::Report::Summary::lines($model, columns => 40) ],
        [ 'gain  with 2 copies', 'pipe  100 %, 90 to 110' ],
        'narrow: with their intervals'
    );
    like(join("\n", Touchstone::Report::Summary::lines($model, columns => 80)),
        qr/^index +1 copy   2 copies  gain, .*\npipe +10\.0 +20\.0  100 %, 90 to 110$/, 'wide');
};

subtest 'on a terminal each warning of a run has a line, and the index is below them' => sub {
    my @late = (
        {
            id     => 'disturbed',
            text   => '74 of 215 passes were disturbed by other processes (74)',
            remedy => 'the log names them; repeat the run when nothing else happens',
            late   => 1
        },
        {
            id     => 'precision',
            text   => '16 of 24 scores are less sure than +- 1.5 %: spawn ±20 %',
            remedy => 'use a longer --budget, or a quieter machine',
            late   => 1
        }
    );
    my @lines = summary(\@late, columns => 80);
    my @said  = grep { /^warning: / } @lines;
    is_deeply(
        \@said,
        [
            'warning: 74 of 215 passes were disturbed; the log names them',
            'warning: 16 of 24 scores are less sure than +- 1.5 %; use a longer --budget'
        ],
        'with what of the remedy has room'
    );
    like($lines[-1],           qr/^partial index, 1 copy: /, 'what matters most is last');
    like((summary(\@late))[0], qr/^partial index, 1 copy: /, 'and first in a text');
    is(scalar(grep { /: spawn .*quieter machine$/ } summary(\@late)), 1, 'which has all of a warning');
};

subtest 'a run without an index ends with its first scores' => sub {
    my @tests = map {
        {
            name      => "t$_",
            score     => 1234.5 * $_,
            unit      => 'lps',
            interval  => [ 1200 * $_, 1270 * $_ ],
            precision => 0.028
        }
    } 1 .. 6;
    my $model = {
        blocks   => [ { count => 2, tests => \@tests, tables => [], below => [] } ],
        beside   => {},
        warnings => []
    };
    my @lines = Touchstone::Report::Summary::lines($model, columns => 80);
    is(
        $lines[1],
        't1, 2 copies: 1234 per second ±2.8 %',
        'as many digits as are sure, and no unit that programs search for'
    ) or diag(join "\n", @lines);
    is($lines[-1], 'in the report: 2 more scores', 'not all of many');
    pop @tests;
    is(
        (Touchstone::Report::Summary::lines($model, columns => 80))[-1],
        'in the report: 1 more score',
        'and of one more'
    );
    unlike(join("\n", @lines), $FORBIDDEN, 'nothing that programs look for');
};

# --- real terminals

# Returns what ./Run writes to a real terminal with so many columns. env and does are those of Fake; with
# only => 'err' standard output is a file.
sub on_terminal {
    my ($columns, $words, %also) = @_;
    my $fake = Fake->new;
    my $pty  = Pty->new($columns) or return;
    my $run  = $fake->start(
        $words, %also,
        stderr => $pty->{path},
        ($also{only} // '') eq 'err' ? () : (stdout => $pty->{path})
    );
    my $text = $pty->read_until_gone($run->{pid});
    my $out  = Fake::read_file($run->{out});
    return { text => $text, out => $out, status => $pty->{status} >> 8, fake => $fake };
}

my @QUICK = qw(--quick -c 1 pipe);
SKIP: {
    skip 'no pseudo-terminals as those of Linux', 1 if !Pty->new(80);

    subtest 'a run shows a live line in the width of its terminal, and colours' => sub {
        my $got = on_terminal(
            50, [ @QUICK, qw(-c 2 syscall) ],
            env  => { TERM    => 'xterm', COLUMNS => 200 },
            does => { syscall => 'exit 1' },
            only => 'err'
        );
        my @live = $got->{text} =~ /([^\r\n]*)\e\[J\r/g;
        ok(@live > 5, 'lines that are written over') or diag($got->{text});
        is_deeply([ grep { length > 49 } @live ], [], 'none of them wraps');
        like($got->{text}, qr/(?:^|\e\[J)# syscall \e\[31mfailed\e\[0m: /m, 'what failed has a colour');
        unlike($got->{text} =~ s/^Run: .*//mr, $FORBIDDEN, 'and nothing that programs look for');
        unlike($got->{out},                    qr/\e/,     'the report has none');
        my @shown = Screen::shown($got->{text}, 50);
        is_deeply([ grep { /\[[=|]/ } @shown ], [], 'no rest of the live line');
        like(join("\n", @shown), qr/^# page:(?: |\n# +).*\n?\.?html/m, 'it ends with where the page is');
    };

    my %QUIET = (
        'NO_COLOR'  => { TERM => 'xterm', NO_COLOR => 1 },
        'TERM=dumb' => { TERM => 'dumb' },
        'no TERM'   => {}
    );
    for my $what (sort keys %QUIET) {
        subtest "$what: no colour" => sub {
            my $got = on_terminal(80, [@QUICK], env => $QUIET{$what});
            is($got->{status}, 0, 'it succeeds');
            unlike($got->{text}, qr/\e\[\d+m/, 'no codes of colours');
            if ($what eq 'NO_COLOR') { like($got->{text}, qr/\e\[J/, 'the live line is no colour') }
            else {
                unlike($got->{text}, qr/\e|[^\n]\r/, 'no codes at all');
                like($got->{text}, qr/^# 1 copy, round 2, \d:\d\d left$/m, 'a line for each round');
            }
        };
    }

    subtest 'NO_COLOR without a value does not count' => sub {
        like(on_terminal(80, [@QUICK], env => { TERM => 'xterm', NO_COLOR => '' })->{text},
            qr/\e\[1m/, 'the index is bold');
    };

    subtest 'the summary follows a report that is on the terminal too, and the report has no codes' => sub {
        my $got = on_terminal(80, [@QUICK], env => { TERM => 'xterm' });
        like($got->{text}, qr/={72}\n.*^# partial index, 1 copy: /ms, 'after it');
        my ($report) = $got->{text} =~ /={72}\n(.*?)^# /ms;
        unlike($report // '', qr/\e/, 'none');
        is(
            $report,
            Fake::read_file("$got->{fake}{results}/" . ($got->{fake}->names)[0]),
            'the same as in its file'
        );
    };

    subtest 'bars are ASCII where the locale is not UTF-8' => sub {
        my %bars = map {
            my ($name, @env) = @$_;
            ($name => on_terminal(80, [@QUICK], env => { TERM => 'xterm', @env })->{text})
        } [ none => () ], [ lang => (LANG => 'C.UTF-8') ], [ all => (LANG => 'C.UTF-8', LC_ALL => 'C') ];
        like($bars{none}, qr/\[====\|/,     'no locale');
        like($bars{lang}, qr/\xe2\x94\x81/, 'LANG');
        like($bars{all},  qr/\[====\|/,     'LC_ALL before LANG');
    };

    subtest 'with -q a terminal gets nothing' => sub {
        is(on_terminal(80, [ @QUICK, '-q' ], env => { TERM => 'xterm' })->{text}, '', 'nothing');
    };

    subtest 'a run whose terminal goes away ends and stores its reports' => sub {
        my $fake = Fake->new;
        my $pty  = Pty->new(80);
        my $run  = $fake->start(
            [@QUICK],
            env    => { TERM => 'xterm' },
            does   => { pipe => 'measure' },
            stderr => $pty->{path}
        );
        $pty->hang_up;
        is($fake->wait_for_end($run)->{signal}, 0, 'it is not killed');
        is(scalar($fake->names),                1, 'a report is there');
    };

    subtest 'verdicts of a comparison have a colour on a terminal, and only there' => sub {
        my $runs = "$Fake::BASE/t/golden";
        my $got  = on_terminal(
            200,
            [ '--compare', "$runs/record.json", "$runs/record.json" ],
            env => { TERM => 'xterm' }
        );
        unlike($got->{text}, qr/\e/, 'no verdict, no colour');
        my $table =
            "  - faster: pipe (+3 %)\n  - index, 1 copy: slower (-3 %)\n  pipe   1  2  1.03  faster\n  hanoi  1  2  0.97  slower: a reason\n";
        my $painted = Touchstone::Terminal->pretended(columns => 80, colour => 1)
            ->painted_by(Touchstone::Cli::Comparison::verdicts(), $table);
        is(
            Screen::readable($painted),
            "  - <32>faster<0>: pipe (+3 %)\n  - index, 1 copy: <31>slower<0> (-3 %)\n  pipe   1  2  1.03  <32>faster<0>\n  hanoi  1  2  0.97  <31>slower<0>: a reason\n",
            'the words of the verdicts'
        );
    };
}

subtest 'nothing of this makes Perl complain' =>
    sub { is_deeply([ @warnings, @Fake::PERL_WARNINGS ], [], 'no warning') };

done_testing;

package Listener;
sub wants_sureness { return $_[0]{looks} }
sub certain        { my ($self, $name, $sureness) = @_; push @{ $self->{said} }, $sureness; return }

package Elsewhere;
our (@ISA, $GONE);
BEGIN { @ISA = ('Touchstone::Terminal') }
sub is_ours { return !$GONE }

package Steady;

sub run {
    my ($self, $pass) = @_;
    return { rates => [ 1000 + $pass->{round} ] };
}
