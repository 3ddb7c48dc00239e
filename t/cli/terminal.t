#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The terminal: the status line, colours and widths. Texts are tested on pretended terminals, ./Run on real
# ones.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use Scored;
use Pty;
use Screen;
use Touchstone::Cli::Compare;
use Touchstone::Cli::Help;
use Touchstone::Cli::Options;
use Touchstone::Record::Warnings;
use Touchstone::Report::Summary;
use Touchstone::Run::Runner;
use Touchstone::Score;
use Touchstone::Terminal::Figures;
use Touchstone::Terminal::Remaining;
use Touchstone::Terminal::StatusLine;
use Touchstone::Terminal::Table;
use Touchstone::Base::Text;
use Touchstone::Terminal;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $FORBIDDEN = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

sub widest {
    my ($text) = @_;
    my ($widest) =
        sort { $b <=> $a } map { Touchstone::Base::Text::columns(s/\e\[\d*[mJ]//gr) } split /[\n\r]/,
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
        my @live = map { Touchstone::Base::Text::columns($_) } $text =~ /([^\r\n]*)\e\[J\r/g;
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

# Returns what a run shows itself with: so many rounds of these tests with each of the copy counts, a second
# each, and its plan.
sub display_of {
    my ($rounds, $copies, $names, %as) = @_;
    my @blocks = map { _block_of($_, $rounds, $names, $as{beyond} // 0) } @$copies;
    my $plan   = {
        schedule  => $as{schedule} // 'default',
        seconds   => $rounds * @$names * @$copies,
        precision => 0.015,
        blocks    => \@blocks
    };
    my %with = (
        terminal => Touchstone::Terminal->pretended(columns => 100, %as),
        time     => Touchstone::Terminal::Remaining->new,
        figures  => Touchstone::Terminal::Figures->new
    );
    $_->plan($plan, 1) for @with{qw(time figures)};
    return {
        %with,
        view   => Touchstone::Terminal::StatusLine->new(%with),
        table  => Touchstone::Terminal::Table->new(%with),
        blocks => \@blocks
    };
}

sub _block_of {
    my ($copies, $rounds, $names, $beyond) = @_;
    my @passes = map {
        my $round = $_;
        map { { test => { name => $_, baseline => 1 }, round => $round, seconds => 1 } } @$names
    } 1 .. $rounds;
    return { copies => $copies, passes => \@passes, seconds => scalar @passes, beyond => $beyond };
}

# Begins the next of its blocks, and ends so many of its passes.
sub go_on {
    my ($display, $passes) = @_;
    my $block = $display->{blocks}[ $display->{begun}++ ];
    $_->block($block) for @$display{qw(time figures view)};
    $display->{time}->done($_) for @{ $block->{passes} }[ 0 .. $passes - 1 ];
    return;
}

subtest
    'the noisiest test is told by the variation when each has three passes, and by intervals where all have one'
    => sub {
    my $display = display_of(6, [1], [qw(pipe spawn hanoi)]);
    my $figures = $display->{figures};
    my $noisy   = sub { join ' ', $figures->noisiest };
    go_on($display, 0);
    $figures->note(1, pipe => { passes => 3, cv => 0.5, precision => undef });
    is($noisy->(), '', 'nothing while others have none');
    $figures->note(1, spawn => { passes => 2, cv => 0.04, precision => undef });
    $figures->note(1, hanoi => { passes => 3, cv => 0.03, precision => undef });
    is($noisy->(), '', 'nothing while one has two');
    $figures->note(1, pipe  => { passes => 3, cv => 0.02, precision => undef });
    $figures->note(1, spawn => { passes => 3, cv => 0.04, precision => undef });
    is($noisy->(), 'spawn CV 4.0 %', 'of three each');
    $figures->note(1, $_ => { passes => 6, cv => 0.02, precision => 0.01 }) for qw(pipe hanoi);
    is($noisy->(), 'spawn CV 4.0 %', 'intervals cannot be compared with a variation');
    $figures->note(1, spawn => { passes => 6, cv => 0.04, precision => 0.02 });
    is($noisy->(), "spawn \xc2\xb12.0 %", 'intervals can be compared');
    $figures->lost('spawn');
    is($noisy->(), "hanoi \xc2\xb11.0 %", 'one that failed is none of them');
    };

subtest 'the bar is that of the run: it goes on with the next copy count, and never goes back' => sub {
    my $display = display_of(6, [ 1, 2 ], ['pipe'], beyond => 4);
    my $time    = $display->{time};
    my @shares;
    for my $block (@{ $display->{blocks} }) {
        go_on($display, 0);
        for my $pass (@{ $block->{passes} }) { $time->done($pass); push @shares, $time->share }
        for my $left (4, 2, 1) {
            $time->refine(3, $left);
            push @shares, $time->share;
            $time->done({ test => { name => 'pipe' }, round => 10 - $left, seconds => 1 });
            push @shares, $time->share;
        }
    }
    is_deeply(\@shares, [ sort { $a <=> $b } @shares ], 'it grows') or diag("@shares");
    cmp_ok($shares[11], '>',  0.4,         'half of it after the first copy count');
    cmp_ok($shares[12], '>=', $shares[11], 'from there on with the second');
    is($shares[-1], 1, 'full at the end');
};

subtest 'passes of a test that has failed are no longer to come, from its failure on' => sub {
    my $display = display_of(3, [1], [qw(pipe spawn syscall)]);
    my $time    = $display->{time};
    go_on($display, 1);
    is($display->{view}->left, '0:08', 'before it');
    my $share = $time->share;
    $time->lost('spawn');
    is($display->{view}->left, '0:05', 'all of them');
    cmp_ok($time->share, '>', $share, 'the run is further');
    $time->done({ test => { name => 'spawn' }, round => $_ }) for 1 .. 3;
    is($display->{view}->left, '0:05', 'and once only');
};

subtest 'what may follow the rounds is expected in part, and no longer when its copy count is over' => sub {
    my $display = display_of(10, [ 1, 2 ], ['pipe'], beyond => 30);
    my ($time, $view) = @$display{qw(time view)};
    my $says = sub { ($view->_times)[0] };
    go_on($display, 0);
    is($says->(), '0:40 left (1:20 at most)', 'at first: ten seconds more for each copy count');
    $time->done($_) for @{ $display->{blocks}[0]{passes} };
    is($says->(), '0:30 left (1:10 at most)', 'after the rounds of the first');
    $time->refine(5, 30);
    is($says->(), '0:25 left (1:10 at most)', 'when it is known how many passes scores need');
    go_on($display, 0);
    is($says->(), '0:20 left (0:40 at most)', 'when the second begins');
    $time->done($_) for @{ $display->{blocks}[1]{passes} };
    $time->refine(40, 25);
    is($says->(), '0:25 left', 'no more than is left, and no range then');
};

subtest 'a table has a row for each test that has room, the noisiest first, and the index of all' => sub {
    my $display = display_of(6, [ 1, 2 ], [qw(pipe spawn hanoi)], rows => 24, utf8 => 1);
    my ($figures, $table) = @$display{qw(figures table)};
    go_on($display, 0);
    $figures->note(1, $_ => { passes => 10, index => 4 * ord, precision => ord($_) / 1e4 })
        for qw(pipe spawn hanoi);
    $figures->note_index(1, { score => 440.4, precision => 0.004 });
    go_on($display, 0);
    $figures->note(2, pipe => { passes => 4, score => 53_900_000, cv => 0.2 });
    $figures->lost('spawn');
    is(join("\n", $table->lines('pipe')), <<"TABLE" =~ s/\n\z//r, 'two copy counts');
  index so far      1 copy           2 copies           passes
> pipe                 448   \xc2\xb11.1 %    53.9 M        \xe2\x80\x93  10 + 4
  spawn                460   \xc2\xb11.1 %    failed               10
  hanoi                416   \xc2\xb11.0 %                         10
  all of them          440  \xc2\xb10.40 %
TABLE
    is($table->lines('pipe'), 5, 'a row each');
    $display->{terminal}{rows} = 23;
    is_deeply([ $table->lines('pipe') ], [], 'no table in a low window');
    $display->{terminal}{rows} = undef;
    is_deeply([ $table->lines('pipe') ], [], 'nor where the height is not known');
    @{ $display->{terminal} }{qw(rows columns)} = (24, 40);
    like(
        join("\n", $table->lines('pipe')),
        qr/^  index so far    2 copies\n> pipe              53.9 M        \xe2\x80\x93$/m,
        'a narrow window: the copy count that is measured'
    );
    $display->{terminal}{columns} = 30;
    is_deeply([ $table->lines('pipe') ], [], 'no table in a very narrow one');
};

subtest 'of many tests a table shows those with the widest intervals' => sub {
    my @names   = map { "t$_" } 10 .. 49;
    my $display = display_of(6, [1], \@names, rows => 30);
    go_on($display, 0);
    my @rows = $display->{table}->lines('t10');
    is(scalar @rows, 21, 'seven lines stay free, one is the bar');
    like($rows[1],  qr/\A> t10/,           'the first ones at first');
    like($rows[-1], qr/\A  and 21 more\z/, 'and how many there are more');
    $display->{figures}->note(1, $_ => { passes => 6, index => 5, precision => /t[34]/ ? 0.2 : 0.1 })
        for @names;
    @rows = $display->{table}->lines('t10');
    is_deeply(
        [ map { /(t\d+)/ } @rows[ 1 .. $#rows - 1 ] ],
        [ @names[ 20 .. 38 ] ],
        'later the noisiest, in the order of the suite'
    ) or diag(join "\n", @rows);
};

subtest 'a table is drawn in its place: notes stay above it, and in the end nothing of it is left' => sub {
    for my $rows (24, 30) {
        my $text = Screen::written(columns => 80, rows => $rows, utf8 => 1);
        my @live = $text =~ /\e\[\dA\r/g;
        cmp_ok(scalar @live, '>', 20, "$rows rows: it is there");
        my @shown = Screen::shown($text, 80, $rows);
        is_deeply([ grep { length && !/\A# / } @shown ], [], 'only notes are left')
            or diag(join "\n", @shown);
        is_deeply([ Screen::shown($text =~ s/[^\n\r]*\e\[K\n//gr =~ s/\e\[\dA//gr, 80) ],
            \@shown, 'the same as with a line alone');
        my $until  = ($text =~ /\A(.*?2 copies: context1.*?\e\[\dA\r)/s)[0];
        my @middle = Screen::shown($until, 80, $rows);
        is(scalar(grep { /at most/ } @middle),      1, 'one bar in the middle of the run');
        is(scalar(grep { /\A[> ] pipe / } @middle), 1, 'and one table');
    }
};

subtest 'windows that become smaller and larger leave no rests, nor do the commands of -v' => sub {
    my $looks = 0;
    my %size  = (
        columns => sub { (80, 60, 40, 80)[ ++$looks / 7 % 4 ] },
        rows    => sub { (24, 24, 10, 30)[ $looks / 7 % 4 ] }
    );
    for my $verbose (0, 1) {
        my $text = Screen::written(%size, utf8 => 1, verbose => $verbose);
        my %tall = map { ($_ // 'none') => 1 } $text =~ /\e\[J(\e\[\d+A)?\r/g;
        cmp_ok(scalar keys %tall, '>', 1, 'with and without a table');
        my @shown = Screen::shown($text, 80, 30);
        is_deeply([ grep { length && !/\A# / } @shown ], [], 'only notes are left')
            or diag(join "\n", @shown);
    }
};

subtest 'a line of passes keeps its parts in their places while its figures stay' => sub {
    for my $columns (@Screen::COLUMNS, 60, 100) {
        my $text = Screen::written(columns => $columns);
        my @bars = map { length } $text =~ /(\[[= ]+\])[^\r]*left/g;
        my %seen = map { $_ => 1 } @bars;
        ok(@bars > 20, "$columns columns: each has a bar");
        cmp_ok(scalar(keys %seen), '<=', 2, "$columns columns: one width for each copy count")
            or diag("@bars");
    }
};

subtest 'where lines stay, what is waited for is told once, and what is counted not at all' => sub {
    open my $out, '>', \my $text or die "cannot write into a text: $!\n";
    my $progress = Touchstone::Terminal::Progress->new(
        out      => $out,
        terminal => Touchstone::Terminal->pretended(live => 0, columns => 80)
    );
    $progress->stage({ text => 'waiting for idle CPUs', note => 1 });
    $progress->stage({ text => "building $_ of 2", done => $_, all => 2 }) for 0 .. 2;
    $progress->stage;
    is($text, "# waiting for idle CPUs\n", 'a line');
    close $out or die "cannot write into a text: $!\n";
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

subtest 'a line keeps its form while the window is as wide' => sub {
    my $display = display_of(1, [2], [qw(pipe context1)]);
    go_on($display, 0);
    my $line = sub {
        my ($name, $columns) = @_;
        return $display->{view}
            ->fitted({ kind => 'other', time => ['1:00 left'], now => [ "2 copies: $name", "$name x 2" ] },
            $columns);
    };
    is($line->('pipe',     26), '1:00 left  2 copies: pipe', 'long');
    is($line->('context1', 26), '1:00 left  context1 x 2',   'short');
    is($line->('pipe',     26), '1:00 left  pipe x 2',       'still short');
    is($line->('pipe',     40), '1:00 left  2 copies: pipe', 'wider');
};

subtest 'a line has the bar, the copies and the time that is left down to 40 columns' => sub {
    my $display = display_of(6, [2], [qw(pipe context1)], beyond => 4);
    go_on($display, 3);
    $display->{figures}->note_index(2, { score => 1080.4 });
    for my $columns (39, 59, 79, 99, 199) {
        my $line =
            $display->{view}->fitted($display->{view}->pass($display->{blocks}[0]{passes}[3]), $columns);
        like($line, qr/\A\[[= ]{8,}\] .*0:11.* left.*(?:2 copies: context1|context1 x 2)/,
            "$columns columns");
        like($line, qr/index ~1080 so far\z/, 'and the index so far') if $columns > 70;
    }
};

subtest 'Runner tells what is known of a test after a pass, and only to who looks' => sub {
    for my $looks (0, 1) {
        my @said;
        my $progress = bless { looks => $looks, said => \@said }, 'Listener';
        my $row      = { name => 'pipe', baseline => 100, category => 'system' };
        my $facts =
            { tests => [$row], categories => [ { key => 'system', title => 'System', index => ['pipe'] } ] };
        my $runner = Touchstone::Run::Runner->new(
            progress => $progress,
            clock    => sub { 0 },
            schedule => 'default',
            passes   => bless({ facts => $facts }, 'Steady'),
            sides    => [ { record => bless({ data => $facts }, 'Kept') } ]
        );
        my %test = (test => $row, rates => [], spent => 0, passes => 0);
        $runner->_measure({ test => $row, round => $_ }, 1, \%test) for 1 .. 6;
        is(scalar @said, $looks ? 6 : 0, $looks ? 'once a pass' : 'nobody looks');
        next if !$looks;
        my ($copies, $name, $figure, $index) = @{ $said[5] };
        is_deeply(
            [ map { defined $_->[2]{precision} ? 1 : 0 } @said ],
            [ 0, 0, 0, 0, 0, 1 ],
            'an interval from six on'
        );
        is("$copies $name",  '1 pipe', 'of the test');
        is($figure->{index}, 100.35,   'its index');
        is($index->{score},  100.35,   'and that of the run');
        $runner->{sides}[1] = $runner->{sides}[0];
        $runner->_report(\%test, 1);
        is($said[-1][2]{ratio}, 1003.5, 'of two builds the ratio');
        is($said[-1][3],        undef,  'and no index');
        pop @{ $runner->{sides} };
        push @{ $facts->{categories}[0]{index} }, 'spawn';
        $runner->_report(\%test, 1);
        is($said[-1][3], undef, 'which has none while a test of it is missing');
    }
};

subtest 'a bar is full only when all is done, and knows half columns where it has the letters' => sub {
    my $bar = sub { (Touchstone::Terminal::StatusLine::bar_forms(@_))[2] };
    is($bar->(0),                '[' . ' ' x 18 . ']',                                      'nothing');
    is($bar->(0.5),              '[' . '=' x 9 . ' ' x 9 . ']',                             'half');
    is($bar->(0.999),            '[' . '=' x 17 . ' ]',                                     'not all');
    is($bar->(1),                '[' . '=' x 18 . ']',                                      'all');
    is($bar->(0.275, utf8 => 1), "\xe2\x94\x81" x 5 . "\xe2\x95\xb8" . "\xe2\x94\x80" x 14, 'in UTF-8');
    is_deeply(
        [ map { length } Touchstone::Terminal::StatusLine::bar_forms(0.3) ],
        [ 40, 30, 20, 10 ],
        'its widths'
    );
};

subtest 'texts are broken at blanks, by columns and not by bytes' => sub {
    my @lines =
        Touchstone::Base::Text::wrapped('one two three four', width => 10, first => '# ', hang => '#   ');
    is_deeply(\@lines, [ '# one two', '#   three', '#   four' ], 'a hanging indent');
    is_deeply(
        [ Touchstone::Base::Text::wrapped('a /path/that/is/long/indeed b', width => 10) ],
        [ 'a', '/path/that/is/long/indeed', 'b' ],
        'a long word stays whole'
    );
    is_deeply(
        [ Touchstone::Base::Text::wrapped('sure +- 1.5 % pipe x 2 now', width => 10) ],
        [ 'sure', '+- 1.5 %', 'pipe x 2', 'now' ],
        'figures stay whole'
    );
    is_deeply(
        [ Touchstone::Base::Text::wrapped('in 4 min 35 s by 2 steps', width => 10) ],
        [ 'in 4 min', '35 s by 2', 'steps' ],
        'a number and its unit stay together'
    );
    is_deeply([ Touchstone::Base::Text::wrapped('one two three four') ],
        ['one two three four'], 'one line without a width');
    is_deeply([ Touchstone::Base::Text::wrapped('pipe      1.0     2.0', width => 10) ],
        ['pipe      1.0     2.0'], 'a row of a table keeps its blanks');
    is_deeply(
        [ Touchstone::Base::Text::wrapped("\xc3\xa4" x 4 . ' ' . "\xc3\xb6" x 5, width => 10) ],
        [ "\xc3\xa4" x 4 . ' ' . "\xc3\xb6" x 5 ],
        'ten letters fit into ten columns'
    );
    is(Touchstone::Base::Text::cut_off("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5),
        "\xe6\x97\xa5\xe6\x9c\xac", 'wide letters take two');
    is(Touchstone::Base::Text::cut_off('abc', 0), '', 'nothing fits into nothing');
};

subtest 'the list fits, and each test and group is the first word of a line that begins with two blanks' =>
    sub {
    my $suite = Touchstone::Suite::load();
    my @names = ((map { $_->{name} } $suite->tests), sort keys %{ $suite->groups });
    for my $columns (50, 80, 120, 200, undef) {
        my $list = Screen::list($columns, undef, qw(all groups));
        is_deeply(
            [ sort map { split / = / } $list =~ /^  (\S+(?: = \S+)*)/mg ],
            [ sort @names ],
            'the names, ' . ($columns // 'no') . ' columns'
        );
        my $short = Screen::list($columns);
        my %known = map { $_ => 1 } @names;
        is(join(' ', grep { !$known{$_} } $short =~ /^  (\S+)/mg), '', 'the short list has no other');
        cmp_ok(widest("$list$short"), '<=', $columns // 80, 'it fits');
    }
    unlike(Screen::list(undef), qr/\e/, 'no colour');
    };

subtest 'help fits and names the same options at every width' => sub {
    my @options = map { "--$_->{name}" }
        Touchstone::Cli::Options::described(Touchstone::Cli::Commands::named('measure'));
    for my $columns (50, 60, 80, 120, undef) {
        cmp_ok(
            widest(Touchstone::Cli::Help::text($columns, './Run')),
            '<=',
            $columns // 80,
            ($columns // 'no') . ' columns'
        );
        my $help = Touchstone::Cli::Help::text($columns, './Run', undef, 'measure');
        cmp_ok(widest($help), '<=', $columns // 80, ($columns // 'no') . ' columns');
        my $blanks = ($columns // 80) < 60 ? qr/  / : qr/  (?:    )?/;
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

# The model of a run with nothing but what is said.
sub bare_model { return { blocks => [], published => {}, warnings => [], schedule => {}, @_ } }

subtest 'speed-ups are told by name, or from the least to the most of many' => sub {
    my $speedups = sub {
        my ($tests, %how) = @_;
        my @rows = map {
            { name => "t$_", gains => [ undef, 10 * $_ ], intervals => [ undef, [ 9 * $_, 11 * $_ ] ] }
        } 1 .. $tests;
        return [
            Touchstone::Report::Summary::lines(
                bare_model(scaling => { copies => [ 1, 2 ], rows => \@rows }), %how
            )
        ];
    };
    is_deeply($speedups->(2, columns => 80), ['speed-up, 2 copies: t1 1.10, t2 1.20'], 'on a terminal');
    is_deeply(
        $speedups->(2),
        ['speed-up, 2 copies: t1 1.10 (1.09 to 1.11), t2 1.20 (1.18 to 1.22)'],
        'in a text with their intervals'
    );
    is_deeply($speedups->(13, columns => 80), ['speed-up, 2 copies: t1 1.10 to t13 2.30'], 'of thirteen');
};

# Returns a block with an index of two tests, which have these intervals.
sub block_of {
    my ($copies, @precisions) = @_;
    my $index = {
        name      => 'index',
        score     => 1093.2,
        places    => 1,
        interval  => [ 1052, 1133 ],
        precision => 0.037
    };
    my @tests = map { { name => "t$_", score => 1, precision => $precisions[ $_ - 1 ], passes => 6 } }
        1 .. @precisions;
    return {
        count            => $copies,
        tests            => \@tests,
        below_resolution => [],
        tables           => [ { lines => [$index], is_index => 1 } ]
    };
}

subtest 'the answer is first, and green when every score is as precise as the run wanted it' => sub {
    my %look;
    for my $case ([ good => 0.015, 0.01 ], [ doubt => 0.02, 0.01 ], [ doubt => undef, 0.01 ]) {
        my ($look, @precisions) = @$case;
        my ($answer) = Touchstone::Report::Summary::answer(
            bare_model(blocks => [ block_of(1, @precisions) ], schedule => { precision => 0.015 }));
        is($answer->{look}, $look, join ' and ', map { $_ // 'none' } @precisions);
        is($answer->{text}, "index, 1 copy: 1093.2 \xc2\xb13.7 % (1052 to 1133)", 'its words');
    }
    my $model = bare_model(
        blocks  => [ block_of(1, 0.01, 0.02), block_of(2, 0.01, 0.03) ],
        scaling => {
            copies => [ 1, 2 ],
            rows   => [ { name => 'index', gains => [ undef, 128 ], intervals => [ undef, [ 124, 133 ] ] } ]
        }
    );
    my @lines = Touchstone::Report::Summary::lines($model, columns => 80);
    is(
        $lines[1],
        "index, 2 copies: 1093.2 \xc2\xb13.7 % (1052 to 1133), 2.28 \xc3\x97 one copy (2.24 to 2.33)",
        'with what more copies give'
    );
    is(
        $lines[2],
        "noisiest: t2 \xc3\x97 2 \xc2\xb13.0 %, t2 \xc2\xb12.0 %, t1 \xc2\xb11.0 %",
        'then the noisiest tests'
    );
    is((Touchstone::Report::Summary::answer($model))[0]{look}, 'strong', 'a run that wanted nothing');
    $model->{blocks}[0]{tables}[0]{is_index} = 0;
    unlike(
        join("\n", Touchstone::Report::Summary::lines($model)),
        qr/index, 1 copy/,
        'no index that its suite does not have'
    );
};

subtest 'a run that is not valid says so before its figures, in red, and beside each' => sub {
    my @reasons = (
        { id => 'load', text => 'other processes were running', remedy => 'stop them', invalid => 1 },
        {
            id      => 'disturbed',
            text    => '204 of 206 passes were disturbed by other processes (204), swapping (1)',
            remedy  => 'run it again on an idle machine; the log lists the passes',
            invalid => 1,
            late    => 1
        }
    );
    my $model = bare_model(
        blocks   => [ block_of(1, 0.01) ],
        warnings => \@reasons,
        invalid  => Touchstone::Record::Warnings::why_invalid({ warnings => \@reasons }, {})
    );
    my $why =
        'not valid: 204 of 206 passes were disturbed by other processes, and 1 more reason; run it again on an idle machine';
    my @lines = Touchstone::Report::Summary::lines($model, columns => 80);
    is($lines[0], $why, 'why, and what to do');
    like($lines[1], qr/^index, 1 copy: 1093\.2 .*, not valid$/, 'the index');
    unlike(join("\n", @lines[ 1 .. $#lines ]), qr/204/, 'no reason is told twice');
    my @text = Touchstone::Report::Summary::lines($model);
    is($text[0], 'not valid: ' . join('; ', @{ $reasons[1] }{qw(text remedy)}),
        'a text has the whole reason');
    is(scalar(grep { /204/ } @text), 1, 'once, too');
    is(
        Touchstone::Report::Summary::line($model),
        "index, 1 copy: 1093 \xc2\xb13.7 % (1052 to 1133), not valid: 204 of 206 passes were disturbed by other processes, and 1 more reason",
        'also in a line'
    );
    open my $out, '>', \my $text or die "cannot write into a text: $!\n";
    my $progress = Touchstone::Terminal::Progress->new(
        out      => $out,
        terminal => Touchstone::Terminal->pretended(columns => 80, colour => 1)
    );
    $progress->answer($_) for Touchstone::Report::Summary::answer($model, columns => 80);
    $progress->answer({ look => 'good', text => 'index, 1 copy: 1093.2 +-3.7 % (1052 to 1133)' });
    is(Screen::readable($text), <<'SHOWN', 'the colours');
# <31>not valid: 204 of 206 passes were disturbed by other processes, and 1 more<0>
#   <31>reason; run it again on an idle machine<0>
# index, 1 copy: 1093.2 +-3.7 % (1052 to 1133), not valid
# index, 1 copy: <32>1093.2 +-3.7 %<0> (1052 to 1133)
SHOWN
    close $out or die "cannot write into a text: $!\n";
};

subtest 'on a terminal each warning of a run has a line, below the index' => sub {
    my @late = (
        {
            id     => 'disturbed',
            text   => '74 of 215 passes were disturbed by other processes (74)',
            remedy => 'the log names them; repeat the run when nothing else happens',
            late   => 1
        },
        {
            id     => 'precision',
            text   => "16 of 24 scores did not reach \xc2\xb11.5 %; widest: spawn \xc2\xb120 %",
            remedy => 'use a longer --budget, or an idle machine',
            late   => 1
        }
    );
    my @lines = summary(\@late, columns => 80);
    my @said  = grep { /^warning: / } @lines;
    is_deeply(
        \@said,
        [
            'warning: 74 of 215 passes were disturbed; the log names them',
            "warning: 16 of 24 scores did not reach \xc2\xb11.5 %; use a longer --budget"
        ],
        'with what of the remedy has room'
    );
    like($_->[0], qr/^partial index, 1 copy: /, 'what matters most is first')
        for \@lines, [ summary(\@late) ];
    is(scalar(grep { /: spawn .*idle machine$/ } summary(\@late)), 1, 'which has all of a warning');
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
    my $model =
        bare_model(blocks => [ { count => 2, tests => \@tests, tables => [], below_resolution => [] } ]);
    my $lines = sub {
        map { $_->{text} } Touchstone::Report::Summary::answer($model);
    };
    my @lines = $lines->();
    is(
        $lines[0],
        "t1, 2 copies: 1234 per second \xc2\xb12.8 %",
        'as many digits as are sure, and no unit that programs search for'
    ) or diag(join "\n", @lines);
    is($lines[-1], 'in the report: 2 more scores', 'not all of many');
    pop @tests;
    is(($lines->())[-1], 'in the report: 1 more score', 'and of one more');
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
        my @live = $got->{text} =~ /([^\r\n]*)\e\[J(?:\e\[\d+A)?\r/g;
        ok(@live > 5, 'lines that are written over') or diag($got->{text});
        is_deeply([ grep { length > 49 } @live ], [], 'none of them wraps');
        like($got->{text}, qr/(?:^|\e\[J)# syscall \e\[31mfailed\e\[0m: /m, 'what failed has a colour');
        unlike($got->{text} =~ s/^Run: .*//mr, $FORBIDDEN, 'and nothing that programs look for');
        unlike($got->{out},                    qr/\e/,     'the report has none');
        my @shown = Screen::shown($got->{text}, 50);
        is_deeply([ grep { /\[[=|]/ } @shown ], [], 'no rest of the live line');
        like(join("\n", @shown), qr/^# page:(?: |\n# +)(?:.*\n)*?.*html/m, 'it ends with where the page is');
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
            qr/\e\[\d+m/, 'there are colours');
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
        like($bars{none}, qr/\[==+ *\]/,    'no locale');
        like($bars{lang}, qr/\xe2\x94\x81/, 'LANG');
        like($bars{all},  qr/\[==+ *\]/,    'LC_ALL before LANG');
    };

    subtest 'who stops a run from the keyboard finds nothing of the table, until it goes on' => sub {
        my $pty = Pty->new(80);
        my $pid = fork // die "cannot fork: $!\n";
        if (!$pid) {
            setpgrp;
            open my $out, '>', $pty->{path} or POSIX::_exit(1);
            my $goes_on  = 1;
            my $progress = Touchstone::Terminal::Progress->new(
                out      => $out,
                terminal => bless { %{ Touchstone::Terminal->detect($out) }, live => 1 },
                'Touchstone::Terminal'
            );
            local $SIG{USR1} = sub { $goes_on = 0 };
            my $block = _block_of(1, 1, [qw(pipe spawn)], 0);
            my %plan  = (schedule => 'default', precision => undef, blocks => [$block]);
            $progress->plan(\%plan);
            $progress->block($block);
            $progress->pass($block->{passes}[0]);
            select undef, undef, undef, 0.01 while $goes_on;
            POSIX::_exit(0);
        }
        my $table = qr/> pipe\e\[K\r?\n  spawn\e\[J\e\[3A\r/;
        like($pty->read_until($table), $table, 'the table');
        kill TSTP => $pid;
        is(waitpid($pid, POSIX::WUNTRACED()), $pid, 'it has a new state');
        like(Fake::read_file("/proc/$pid/stat"), qr/\) T /, 'it is stopped');
        is($pty->read_until(qr/J/), "\r\e[J", 'nothing is left on the terminal');
        kill CONT => $pid;
        like(
            $pty->read_until($table),
            qr/\A\r\S[^\n]*1 copy: pipe.*$table\z/s,
            'it is shown once more, and once only'
        );
        kill USR1 => $pid;
        is($pty->read_until_gone($pid), '', 'no more then');
    };

    subtest 'with -q a terminal gets nothing' => sub {
        is(on_terminal(80, [ @QUICK, '-q' ], env => { TERM => 'xterm' })->{text}, '', 'nothing');
        my $got = on_terminal(80, [ @QUICK, '-q' ], env => { TERM => 'xterm' }, only => 'err');
        is($got->{text}, '', 'nothing where the report goes to a file either');
        like($got->{out}, qr/^Pipe Throughput/m, 'which has it');
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
            [ 'compare', "$runs/record.json", "$runs/record.json" ],
            env => { TERM => 'xterm' }
        );
        unlike($got->{text}, qr/\e/, 'no verdict, no colour');
        my $table =
            "not valid: a\nb is 3 % faster than a\n  slower (1)  hanoi -3 %\n  faster (0)\n  pipe   1  2  +3 %  faster\n";
        my $painted = Touchstone::Terminal->pretended(columns => 80, colour => 1)
            ->painted_by(Touchstone::Cli::Compare::verdicts(), $table);
        is(
            Screen::readable($painted),
            "<31>not valid: a<0>\nb is 3 % <32>faster<0> than a\n  <31>slower<0> (1)  hanoi -3 %\n  faster (0)\n  pipe   1  2  +3 %  <32>faster<0>\n",
            'the words of the verdicts'
        );
    };
}

subtest 'nothing of this makes Perl complain' =>
    sub { is_deeply([ @warnings, @Fake::PERL_WARNINGS ], [], 'no warning') };

done_testing;

package Listener;
sub wants_figures { return $_[0]{looks} }
sub so_far        { my ($self, @said) = @_; push @{ $self->{said} }, \@said; return }

package Kept;
sub data { return $_[0]{data} }

sub rates {
    return [ map { +{} } @{ $_[0]{data}{passes} } ];
}

package Elsewhere;
our (@ISA, $GONE);
BEGIN { @ISA = ('Touchstone::Terminal') }
sub is_ours { return !$GONE }

package Steady;

sub run {
    my ($self, $pass) = @_;
    push @{ $self->{facts}{passes} }, { test  => $pass->{test}{name}, copies => 1, round => $pass->{round} };
    return                            { rates => [ 1000 + $pass->{round} ] };
}
