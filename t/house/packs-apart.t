#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Suites and packs are folders: without one folder the others work, and a new one is one more folder.
use 5.014;
use strict;
use warnings;

use File::Glob qw(bsd_glob);
use File::Path qw(make_path);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Touchstone::Machine::Command;

delete @ENV{ grep { /\AUB_/ } keys %ENV };
my $place = File::Temp->newdir;
my $tree  = "$place/tree";
make_path("$tree/pgms");
system('cp', '-R', (map { "$Fake::BASE/$_" } qw(Run lib testdir)), $tree) == 0
    or die "cannot copy the tree\n";

# A tree without a Makefile is an installed copy, which writes elsewhere.
$ENV{XDG_STATE_HOME} = "$place/state";

# The programs measured here are already built, and there is no Makefile that would build them.
my @needed = grep { -e } map { "$Fake::BASE/pgms/$_" } qw(hanoi build.facts build.sources);
system('cp', @needed, glob("$Fake::BASE/pgms/*.base $Fake::BASE/pgms/*.csv"), "$tree/pgms") == 0
    or die "cannot copy programs\n";
my $modules = "$tree/lib/Touchstone";
my $suites  = "$modules/Suite";

# Returns exit status and both streams together.
sub said {
    my (@words) = @_;
    return Touchstone::Machine::Command::output([ $^X, "$tree/Run", @words ], errors => 1);
}

# Answers several command lines in one process, and plans every group of tests: what each printed stands
# below a line with its words, behind its exit status.
my $ANSWER = <<'END';
use Touchstone::Cli::App;
use Touchstone::Suite;
my ($base, @lines) = @ARGV;
my $of = '';
local $SIG{__WARN__} = sub { print STDERR "perl: $of: @_" };
sub answer {
    my ($line) = @_;
    $of = $line;
    return eval { Touchstone::Cli::App::main({ base => $base, manual => "$base/Run" }, split / /, $line) } // Touchstone::Cli::App::print_trouble($@);
}
$| = 1;
for my $line (@lines) {
    print "=== $line\n";
    my $status = answer($line);
    print "=== $status\n";
}
open STDOUT, '>', '/dev/null' or die $!;
my @groups = sort keys %{ Touchstone::Suite::load()->groups };
print STDERR "perl: $_ cannot be planned\n" for grep { answer("--dry-run $_") != 0 } @groups;
print STDERR "planned: @groups\n";
END

my $STORED  = "$Fake::BASE/t/golden/sure.json";
my $NO_NAME = "Run: name the tests: no suite here has tests by default\ntry: ./Run list\n";

# What each command line shows where a folder is missing; `hanoi` or `loop84` is a test that is left.
sub expected {
    my ($gone) = @_;
    my $left = $gone eq 'UnixBench' ? 'loop84' : 'hanoi';
    my @usual =
        $gone eq 'UnixBench'
        ? ([ '--dry-run' => 2, qr/\A\Q$NO_NAME\E\z/ ], [ '--help' => 0, qr/^Tests must be named\. /m ])
        : (
        [ '--dry-run' => 0, qr/^  dhry2reg +6 x /m ],
        [
            '--help' => 0,
            qr/^Without names: the twelve tests of the index, with one copy and one per CPU\.$/m
        ]
        );
    return (
        @usual,
        [ 'list all'                     => 0, qr/^  $left /m ],
        [ "--dry-run $left"              => 0, qr/^  $left +6 x [\d.]+ s$/m ],
        [ "report $STORED"               => 0, qr/^Pipe Throughput /m ],
        [ "report $STORED --format html" => 0, qr/<title>/ ],
        [ "compare $STORED $STORED"      => 0, qr/^\S/ ],
        [ 'completion bash'              => 0, qr/^complete /m ],
        [ 'completion zsh'               => 0, qr/^#compdef /m ],
        $gone eq 'Browse' ? () : [ 'browse'          => 0, qr{/index\.html$}m ],
        $gone eq 'Fleet'  ? () : [ 'fleet state k68' => 0, qr/"state": "none"/ ]
    );
}

sub check_without {
    my ($kind, $gone) = @_;
    rename "$modules/$kind/$gone", "$place/away" or die "cannot move '$gone': $!\n";
    my @expected = expected($gone);
    my (undef, $text) =
        Touchstone::Machine::Command::output(
        [ $^X, '-w', "-I$tree/lib", '-e', $ANSWER, $tree, map { $_->[0] } @expected ],
        errors => 1);
    my %said;
    $said{$1} = [ $3, $2 ] while $text =~ /^=== (\S*[^\d\s].*)\n((?s:.*?))^=== (\d+)\n/mg;
    for my $case (@expected) {
        my ($line, $status, $shows) = @$case;
        my ($exited, $shown) = @{ $said{$line} || [ -1, $text ] };
        is($exited, $status, $line) or diag($shown);
        like($shown, $shows, 'and shows what it should');
    }
    unlike($said{'list all'}[1], qr/\(suite \Q${\lc $gone}\E\)/, 'its tests are gone');
    is(join("\n", $text =~ /^perl: .*/mg), '', 'Perl complains of nothing, and each group is planned');
    like($text, qr/^planned: \S/m, 'to the end');
    rename "$place/away", "$modules/$kind/$gone" or die "cannot move '$gone' back: $!\n";
    return;
}

for my $kind (qw(Suite Pack)) {
    for my $folder (map { m{([^/]+)/\z} } bsd_glob("\Q$modules/$kind\E/*/")) {
        subtest "without the folder of $folder the rest works" => sub { check_without($kind, $folder) };
    }
}

my %INVENTED = (
    Rows => <<'END',
sub suite {
    return { name => 'invented', order => 99, version => 1, budget => 10, groups => { invented => ['disks'] }, categories => [ [ invented => 'Invented Benchmarks' ] ],
        tests => [ { name => 'disks', title => 'Disks', about => 'an invented test', category => 'invented', program => 'hanoi', args => [ '%{seconds}', '%{disks}' ],
            class => 'long', pace => 'fast', seconds => 10, requires => 'tower', derived => { kilodisks => { divisor => 1000, unit => 'kilodisks a second' } } } ] };
}
END
    Needs => <<'END',
sub needs { return { tower => { options => { height => 'the test disks' }, find => \&_find } } }
sub _find {
    my ($program, %setup) = @_;
    my $height = $setup{want}{height} // 5;
    return { values => { disks => $height }, facts => { height => $height } };
}
END
    Options => <<'END',
sub options {
    return {
        table => [ [ 'height N', 'height', 'how high the tower is' ] ],
        values => { height => { is => sub { $_[0] =~ /\A[3-9]\z/ }, allowed => '3 to 9', words => [ 3 .. 9 ] }, colour => { is => sub { length $_[0] }, allowed => 'DISK=COLOUR', many => 1, keys => [qw(top bottom)] } },
        keys => { 'colours?' => 'text' },
        headings => [ [ 'Only for the suite invented', [ 'colour DISK=COLOUR', 'colour', 'paint it so', also => ['paint'] ],
            ] ],
        commands => [ [ 'paint RUN', 'its disks in colour', formats => ['text'], output => 'a picture', answer => \&_painted ] ],
    };
}
sub asked { my ($want) = @_; return { brief => 1, colours => join ' ', @{ $want->{colour} } } }
sub _painted {
    my ($want, $places) = @_;
    require Touchstone::Record;
    my $record = Touchstone::Record->load($want->{operands}[0], $places->{runs});
    return "a tower of $record->{equipment}{tower}{height}, asked for $record->{colours}, painted @{ $want->{colour} }\n";
}
END
    Tables => <<'END',
sub tables {
    my ($facts) = @_;
    return unless $facts->{suites}{invented};
    return { height => $facts->{equipment}{tower}{height} };
}
END
    Conditions => <<'END',
sub facts_that_differ { return [ 'height of the tower' => 'e tower height' ] }
sub conditions { my ($record, $row) = @_; return { 'number of disks' => ($row->{requires} // '') eq 'tower' ? $record->{equipment}{tower}{height} : undef } }
END
    Parts => <<'END',
sub parts { my ($tables) = @_; return ([ heading => 'Invented' ], [ table => { left => [0], head => [qw(what disks)], rows => [ [ 'tower', $tables->{height} ] ] } ]) }
END
);

# A pack has commands.
my $PACK = <<'END';
package Touchstone::Pack::Thought::Options;
use 5.014;
use strict;
use warnings;

sub options {
    return {
        headings => [ [ 'Thoughts', [ 'aloud', undef, 'so that it is heard', for => ['think'] ] ] ],
        commands => [ [ 'think COUNT', 'think this many times', answer => \&_thought ] ],
        operands => { COUNT => 'count' },
        examples => [ [ 'think 3', 'three thoughts' ] ],
        statuses => [ [ 99 => 'too many thoughts' ] ],
    };
}
sub _thought { my ($want) = @_; return ($want->{aloud} ? 'Hm. ' : 'hm ') x $want->{operands}[0] . "\n" }

1;
END

make_path("$modules/Pack/Thought", "$suites/Invented");
Fake::write_file("$modules/Pack/Thought/Options.pm", $PACK);
Fake::write_file("$suites/Invented/$_.pm",
    "package Touchstone::Suite::Invented::$_;\nuse 5.014;\nuse strict;\nuse warnings;\n\n$INVENTED{$_}\n1;\n")
    for keys %INVENTED;

subtest 'a folder more is a pack more' => sub {
    my $help = (said('--help'))[1];
    like($help, qr/^ +think COUNT +think this many times\n/m, 'its command');
    like($help, qr/ think 3 +three thoughts\n/,               'and an example are shown');
    like((said(qw(help think)))[1],   qr/^Options\n      --aloud +so that it is heard\n/m, 'with its option');
    like((said(qw(help measure)))[1], qr/^ +75 .*\n +99 +too many thoughts\n +125 /m,      'and a status');
    is_deeply([ said(qw(think 2 --aloud)) ], [ 0, "Hm. Hm. \n" ], 'its command answers');
    like((said('--aloud'))[1], qr/^it is an option of think$/m, 'an option is one of it');
    like(
        (said(qw(think 2 pipe)))[1],
        qr/^Run: think takes COUNT only: 'pipe' is one too many$/m,
        'it takes no tests'
    );
    like((said(qw(think x)))[1], qr/^Run: think needs a whole number/m, 'and its operand is checked');
};

subtest 'a folder more is a suite more' => sub {
    like((said(qw(list all)))[1],     qr/^  disks +Disks +2 s$/m,                 'its test is listed');
    like((said(qw(help measure)))[1], qr/^ +--height N +how high the tower is$/m, 'its option is shown');
    is((said(qw(--height 20 disks)))[1], "Run: --height needs 3 to 9, not '20'\n", 'and what it may be');
    my $script = (said(qw(completion bash)))[1];
    like($script, qr/ --height\) how='words' known='3 4 5 6 7 8 9' ;;$/m, 'a shell completes its value');
    like($script, qr/ --colour\) how='key' known='top= bottom=' ;;$/m,    'and what a value begins with');
};

my $RUNS = "$place/state/touchstone/results/.runs";
my $run;

subtest 'it is measured as any other' => sub {
    plan skip_all => 'hanoi is not built' if !-x "$tree/pgms/hanoi";
    my ($status, $text) = said(qw(--quick -c 1 --height 4 --colour top=red invented));
    is($status, 0, 'to its end') or diag($text);
    like($text, qr/^Disks +[\d.]+ lps +\(\d+\.\d s, 6 samples\)$/m, 'its line is in the report');
    like($text, qr/^Invented\n.*^  tower +4$/ms, 'so is its part, which knows what its option said');
    unlike($text, qr/^   CPU 0: /m, 'and what it takes from the words of the command line');
    ($run) = map { m{([^/]+)\.json\z} } glob "$RUNS/*.json";
    like(
        (said('report', $run, '--format', 'log'))[1],
        qr/^  [\d.]+ kilodisks a second$/m,
        'a figure that follows from its score is in the log'
    );
};

subtest 'it has a command of its own' => sub {
    plan skip_all => 'nothing was measured' if !defined $run;
    is_deeply(
        [ said('paint', $run, '--colour', 'bottom=blue') ],
        [ 0, "a tower of 4, asked for top=red, painted bottom=blue\n" ],
        'which answers from the record'
    );
    is(
        (said('paint', $run, qw(--format html)))[1],
        "Run: --format of a picture needs text, not 'html'\n",
        'in the formats that it has'
    );
    like(
        (said('paint', $run, '--quick'))[1],
        qr/^Run: unknown option '--quick' of paint$/m,
        'with its options only'
    );
};

subtest 'it says what two runs must have in common' => sub {
    plan skip_all => 'nothing was measured' if !defined $run;
    my $text = Fake::read_file("$RUNS/$run.json");
    $text =~ s/("height": "?)4/${1}5/g;
    $text =~ s/\Q$run\E/higher/g;
    Fake::write_file("$RUNS/higher.json", $text);
    my $compared = (said('compare', $run, 'higher'))[1];
    like($compared, qr/^  height of the tower +4 +5$/m, 'what differs is named') or diag($compared);
    like(
        $compared,
        qr/^  not tested \(\d\)  (?:disks|.* disks,?.*|all): another number of disks/m,
        'and such results are not judged'
    );
};

done_testing;
