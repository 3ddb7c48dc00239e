# SPDX-License-Identifier: GPL-2.0-or-later
# Screen - a terminal that is pretended: what is written to it, and what it shows then. Here are also the
# scripted run and the lists of its golden files.
package Screen;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Listing;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;
use Touchstone::Terminal;

our @COLUMNS = (80, 50);

# The list in the golden files is of an invented suite: a new test changes no golden file.
my $INVENTED = bless {
    tests => [
        {
            name     => 'pebble',
            title    => 'Pebble',
            about    => 'throw a pebble into a lake',
            category => 'lake',
            suite    => 'shore'
        },
        {
            name     => 'boulder-by-ferry',
            title    => 'Boulder 4096 bufsize 8000 maxblocks (2 concurrent)',
            about    => 'carry a boulder across, count the waves that it makes, and carry it back again',
            category => 'lake',
            suite    => 'shore'
        },
        {
            name     => 'gust',
            title    => 'Gust',
            about    => 'wait for the wind that turns the weathercock of a church on the other side',
            category => 'wind',
            suite    => 'shore'
        },
    ],
    groups => {
        all    => [qw(pebble boulder-by-ferry gust)],
        stones => [ 'pebble', ('boulder-by-ferry') x 6 ]
    },
    called     => { all => 'every test of UnixBench' },
    categories =>
        [ [ lake => 'Lake Benchmarks' ], [ wind => 'Benchmarks of the Wind, Which Have No Index', 1 ] ]
    },
    'Touchstone::Suite';

# Golden files by their names.
sub files {
    return map {
        my $columns = $_;
        (
            "terminal-$columns.txt" => readable(written(columns => $columns, colour => 1)),
            "list-$columns.txt"     => list($columns, $INVENTED)
        )
    } @COLUMNS;
}

# What --list shows of a suite, or of all of them.
sub list {
    my ($columns, $suite) = @_;
    return Touchstone::Cli::Listing::text($suite // Touchstone::Suite::load(),
        Touchstone::Terminal->pretended(columns => $columns));
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
        '3 tests, 1 and 2 copies, 6 rounds, then more until every score is sure to +- 1.5 %: 56 s to 3 min 00 s'
    );
    $progress->note(
        'warning: the load average is 1.45: other work takes time from the tests, if it still goes on; look with top, and wait until it is done'
    );
    $progress->plan(
        {
            schedule  => 'default',
            seconds   => 56,
            most      => 180,
            precision => 0.015,
            rounds    => 6,
            blocks    => \@blocks
        }
    );
    for my $block (@blocks) {
        $progress->block($block);
        _pass($progress, $block, $_) for @{ $block->{passes} };
        $progress->refine(
            pass    => { test => $TESTS[2], round => 7 },
            copies  => $block->{copies},
            reached => 0.042,
            wanted  => 0.015,
            left    => 47,
            sure    => 1,
            tests   => 2
        );
    }
    $progress->finish;
    $progress->note($_)
        for 'index, 1 copy: 702 +- 3.2 % (679 to 724)', 'log: results/vm-2026-11-21-01.log',
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
        $progress->certain($name,
            { passes => $round, cv => 0.05 / $round, precision => $round < 6 ? undef : 0.01 })
            if $round && ($name ne 'shell8' || $round < 3);
    }
    $progress->done($pass);
    return;
}

# Makes output readable for a golden file: each written line is a line, and control codes are in letters.
sub readable {
    my ($text) = @_;
    return $text =~ s/\e\[J\r/<over>\n/gr =~ s/\r\e\[J/<erase>/gr =~ s/\r//gr =~ s/\e\[(\d+)m/<$1>/gr;
}

# Returns the lines that a terminal with so many columns shows in the end, oldest first.
sub shown {
    my ($text, $columns) = @_;
    my ($row, $column, @rows) = (0, 0);
    utf8::decode($text);
    while ($text =~ /\G(?:\e\[(\d*)([A-Za-z])|(\r)|(\n)|(.))/gcs) {
        my ($n, $code, $return, $feed, $letter) = ($1, $2, $3, $4, $5);
        if    (defined $return) { $column = 0 }
        elsif (defined $feed)   { ($row, $column) = ($row + 1, 0) }
        elsif (defined $code) {
            $code eq 'J' ? _erase(\@rows, $row, $column) : $code eq 'm' ? () : die "unknown code '$code'\n";
        } else {
            ($row, $column) = ($row + 1, 0) if $column == $columns;
            $rows[$row][ $column++ ] = $letter;
        }
    }
    return map {
        join('', map { $_ // ' ' } @{ $_ || [] }) =~ s/ +\z//r
    } @rows;
}

sub _erase {
    my ($rows, $row, $column) = @_;
    splice @{ $rows->[$row] }, $column  if $rows->[$row] && @{ $rows->[$row] } > $column;
    splice @$rows,             $row + 1 if @$rows > $row + 1;
    return;
}

1;
