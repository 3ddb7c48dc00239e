# SPDX-License-Identifier: GPL-2.0-or-later
# Screen - a terminal that is pretended: what is written to it, and what it shows then. Here are also the
# scripted run and the lists of its golden files.
package Screen;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::List;
use Fake;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Help;
use Touchstone::Cli::ListText;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;
use Touchstone::Terminal;

our @COLUMNS = (80, 50);

# One of them has room for a table, and all letters.
my %LOOKS = (80 => { rows => 24, utf8 => 1 }, 50 => {});

# The list in the golden files is of an invented suite: a new test changes no golden file.
my %ROW = (
    category => 'lake',
    suite    => 'shore',
    heading  => 'Lake Benchmarks',
    class    => 'long',
    pace     => 'fast',
    index    => 0,
    budget   => 60
);
my $INVENTED = bless {
    default => { group => 'stones' },
    suites  => { shore => { order => 1, groups => { all => 1, stones => 1, pebbles => 1 } } },
    tests   => [
        {
            %ROW,
            name  => 'pebble',
            title => 'Pebble',
            about => 'throw a pebble into a lake',
            index => 1
        },
        {
            %ROW,
            name  => 'boulder-by-ferry',
            title => 'Boulder 4096 bufsize 8000 maxblocks (2 concurrent)',
            about => 'carry a boulder across, count the waves that it makes, and carry it back again'
        },
        {
            %ROW,
            name     => 'gust',
            title    => 'Gust',
            about    => 'wait for the wind that turns the weathercock of a church on the other side',
            category => 'wind',
            pace     => 'whole'
        },
    ],
    groups => {
        all     => [qw(pebble boulder-by-ferry gust)],
        stones  => [qw(pebble boulder-by-ferry)],
        pebbles => ['pebble']
    },
    called     => { all => 'every test of UnixBench' },
    categories =>
        [ [ lake => 'Lake Benchmarks' ], [ wind => 'Benchmarks of the Wind, Which Have No Index', 1 ] ]
    },
    'Touchstone::Suite';

# Golden files by their names.
sub files {
    return (
        'help.txt' => help(),
        map {
            my $columns = $_;
            (
                "terminal-$columns.txt" =>
                    readable(written(columns => $columns, colour => 1, %{ $LOOKS{$columns} })),
                "list-$columns.txt" => join "
",
                map { list($columns, $INVENTED, @$_) } [], ['all'], ['groups'], ['gust']
            )
        } @COLUMNS
    );
}

# The help of all commands.
sub help {
    my @subjects = (
        [], ['measure'],
        (map { [$_] } Touchstone::Cli::Commands::families()),
        map { [ split / /, $_->{name} ] } Touchstone::Cli::Commands::all()
    );
    return join "\n", map {
        "\$ ./Run help @$_\n"
            . Touchstone::Cli::Help::text(80, './Run', { manual => "$Fake::BASE/Run" }, @$_)
    } @subjects;
}

# What list shows of these words with this suite, or with all of them.
sub list {
    my ($columns, $suite, @words) = @_;
    return Touchstone::Cli::ListText::text(
        Touchstone::Cli::List->new($suite // Touchstone::Suite::load()),
        Touchstone::Terminal->pretended(columns => $columns),
        './Run', @words
    );
}

# Returns what a run writes to a terminal. terminal replaces the pretended one; quiet and verbose are those
# of Progress.
sub written {
    my (%as) = @_;
    open my $out, '>', \my $text or die "cannot write into a text: $!\n";
    play(
        Touchstone::Terminal::Progress->new(
            out      => $out,
            quiet    => $as{quiet},
            verbose  => $as{verbose},
            terminal => $as{terminal} // Touchstone::Terminal->pretended(%as)
        )
    );
    close $out or die "cannot write into a text: $!\n";
    return $text // '';
}

# The tests of the scripted run, which has one copy and two, six rounds, a warning, a test that fails, and
# passes beyond the rounds.
my @TESTS = map { { name => $_ } } qw(pipe shell8 context1);

sub play {
    my ($progress) = @_;
    my @blocks     = map { _block($_) } 1, 2;
    $progress->note(
        "3 tests, 1 and 2 copies: 6 rounds, then extra passes until \xc2\xb11.5 %; about 1 to 3 minutes");
    $progress->note(
        'warning: the load average is 1.4: if that work is still running, it slows the tests; check with top, wait for it to finish'
    );
    $progress->stage({ text => 'waiting for idle CPUs, 5 s at most' });
    $progress->stage;
    $progress->plan(
        {
            schedule  => 'default',
            seconds   => 56,
            most      => 180,
            precision => 0.015,
            rounds    => 6,
            blocks    => \@blocks
        },
        1
    );
    for my $block (@blocks) {
        $progress->block($block);
        _pass($progress, $block, $_) for @{ $block->{passes} };
        $progress->refine(
            pass    => { test => $TESTS[2], round => 7 },
            copies  => $block->{copies},
            wanted  => 0.015,
            left    => 47,
            needed  => 30,
            reached => 1,
            tests   => 2
        );
    }
    $progress->finish;
    $progress->note($_)
        for "index, 1 copy: 702 \xc2\xb13.2 % (679 to 724)", 'log: results/vm-2026-11-21-01.log',
        'report: results/vm-2026-11-21-01', 'page: results/vm-2026-11-21-01.html';
    return;
}

sub _block {
    my ($copies) = @_;
    my @passes = map {
        my $round = $_;
        map { { test => $_, round => $round, seconds => $round ? 1.5 : 1 / 3 } } @TESTS
    } 0 .. 6;
    return { copies => $copies, passes => \@passes, seconds => 28, beyond => 62 };
}

sub _pass {
    my ($progress, $block, $pass) = @_;
    my ($name, $round) = ($pass->{test}{name}, $pass->{round});
    if ($name ne 'shell8' || $round < 4) {
        $progress->pass($pass, $block->{copies});
        $progress->command("pgms/$name 1");
        $progress->doing($name, "what takes long, named at length, b\xc3\xa4r")
            if $name eq 'pipe' && $round == 2;
        $progress->trouble(
            "shell8 failed: copy 1 of 2: exit status 1, because of something that takes words to explain")
            if $name eq 'shell8' && $round == 3;
        $progress->lost($name) if $name eq 'shell8' && $round == 3;
        $progress->so_far(
            $block->{copies},
            $name,
            {
                passes    => $round,
                index     => 100 * length($name) + $round,
                cv        => 0.05 / $round,
                precision => $round < 6 ? undef : $name eq 'pipe' ? 0.01 : 0.042
            },
            $round > 4 ? { score => 600 + $round, precision => $round < 6 ? undef : 0.03 } : undef
        ) if $round && ($name ne 'shell8' || $round < 3);
    }
    $progress->done($pass);
    return;
}

# Makes output readable for a golden file: each written line is a line, and control codes are in letters.
sub readable {
    my ($text) = @_;
    return $text =~ s/\e\[J(?:\e\[(\d+)A)?\r/defined $1 ? "<up $1>\n" : "<over>\n"/ger =~
        s/\r\e\[J/<erase>/gr =~ s/\r|\e\[K//gr =~ s/\e\[(\d+)m/<$1>/gr;
}

# Returns the lines that a terminal with so many columns shows in the end, oldest first, also those that have
# left the window at its top. Without `lines` the window is as high as need be; with it, the cursor goes no
# higher than its top.
sub shown {
    my ($text, $columns, $lines) = @_;
    my ($row, $column, $top, @rows) = (0, 0, 0);
    utf8::decode($text);
    while ($text =~ /\G(?:\e\[(\d*)([A-Za-z])|(\r)|(\n)|(.))/gcs) {
        my ($n, $code, $return, $feed, $letter) = ($1, $2, $3, $4, $5);
        if    (defined $return) { $column = 0 }
        elsif (defined $feed)   { ($row, $column) = ($row + 1, 0) }
        elsif (defined $code) {
            if    ($code eq 'J' || $code eq 'K') { _erase(\@rows, $row, $column, $code eq 'J') }
            elsif ($code eq 'A')                 { $row = $row - $n < $top ? $top : $row - $n }
            elsif ($code ne 'm')                 { die "unknown code '$code'\n" }
        } else {
            ($row, $column) = ($row + 1, 0) if $column == $columns;
            $rows[$row][ $column++ ] = $letter;
        }
        $top = $row - $lines + 1 if $lines && $row - $top >= $lines;
    }
    return map {
        join('', map { $_ // ' ' } @{ $_ || [] }) =~ s/ +\z//r
    } @rows;
}

sub _erase {
    my ($rows, $row, $column, $all) = @_;
    splice @{ $rows->[$row] }, $column  if $rows->[$row] && @{ $rows->[$row] } > $column;
    splice @$rows,             $row + 1 if $all          && @$rows > $row + 1;
    return;
}

1;
