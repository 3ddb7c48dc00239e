#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A suite is a folder: without one folder the others work, and a new suite is one more folder.
use 5.014;
use strict;
use warnings;

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
my $suites = "$tree/lib/Touchstone/Suite";

# Returns exit status and both streams together.
sub said {
    my (@words) = @_;
    return Touchstone::Machine::Command::output([ $^X, "$tree/Run", @words ], errors => 1);
}

# A test that is left.
my %LEFT = (UnixBench => 'loop84', map { $_ => 'hanoi' } qw(Byte1984 Bytemark Lbt Lmb1997 Platform));

# A suite says what is measured without names: UnixBench has the index.
sub check_unnamed {
    my ($gone) = @_;
    my ($status, $text) = said('--dry-run');
    my (undef, $page) = said('--help');
    my ($shown) = $page =~ /^Without names: (\w.*), with one copy and with one for each CPU\.$/m;
    if ($gone eq 'UnixBench') {
        is($status >> 8, 2, 'without names nothing is measured');
        is(
            $text,
            "Run: name the tests: no suite here says which are usual\n--list shows all tests and groups\n",
            'and a sentence says so'
        );
        like($page, qr/^Tests must be named\. /m, 'so does --help');
        return;
    }
    is($status, 0, '--dry-run without names') or diag($text);
    like($text, qr/^  dhry2reg +6 x /m, 'plans the index');
    is($shown, 'the twelve of the index', 'as --help says');
    return;
}

# Plans every group, in one process that has the suites of the tree, and prints what Perl complains of.
my $PLAN_GROUPS = <<'END';
use Touchstone::Cli::App;
use Touchstone::Suite;
my $of = '';
open STDOUT, '>', '/dev/null' or die $!;
local $SIG{__WARN__} = sub { print STDERR "$of: @_" };
my $groups = Touchstone::Suite::load()->groups;
for my $group (sort keys %$groups) {
    $of = $group;
    my $status = eval { Touchstone::Cli::App::main({ base => $ARGV[0] }, '--dry-run', $group) } // "died: $@";
    print STDERR "$group: status $status\n" if $status ne '0';
}
print STDERR "planned: @{[ sort keys %$groups ]}\n";
END

sub check_groups {
    my ($suite) = @_;
    my (undef, $said) =
        Touchstone::Machine::Command::output([ $^X, '-w', "-I$tree/lib", '-e', $PLAN_GROUPS, $tree ],
        errors => 1);
    like($said, qr/\Aplanned: \S.*\n\z/, "without $suite each group is planned, and Perl says nothing");
    return;
}

for my $suite (sort keys %LEFT) {
    my $left = $LEFT{$suite};
    subtest "without the folder of $suite the rest works" => sub {
        rename "$suites/$suite", "$place/away" or die "cannot move '$suite': $!\n";
        for my $case (
            [ '--list all'                                            => qr/^  $left /m ],
            [ '--help'                                                => qr/^  -q, --quiet /m ],
            [ "--dry-run $left"                                       => qr/^  $left +6 x [\d.]+ s$/m ],
            [ "--report $Fake::BASE/t/golden/sure.json"               => qr/^Pipe Throughput /m ],
            [ "--report $Fake::BASE/t/golden/sure.json --format html" => qr/<title>/ ]
        ) {
            my ($words,  $shows) = @$case;
            my ($status, $text)  = said(split / /, $words);
            is($status, 0, $words) or diag($text);
            like($text, $shows, 'and shows what it should');
        }
        check_unnamed($suite);
        check_groups($suite);
        my ($status, $text) = said(qw(--list all));
        unlike($text, qr/\(suite \Q${\lc $suite}\E\)/, 'and its tests are gone');
        rename "$place/away", "$suites/$suite" or die "cannot move '$suite' back: $!\n";
    };
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
        verbs => [ { name => 'paint', table => [ [ 'colour DISK=COLOUR', 'colour', 'paint it so' ], [ 'paint RUN', 'run', 'its disks in colour' ] ],
            with => [qw(colour format)], formats => [qw(text)], called => 'a picture', answer => \&_painted } ],
    };
}
sub asked { my ($want) = @_; return { brief => 1, colours => join ' ', @{ $want->{colour} } } }
sub _painted {
    my ($want, $places) = @_;
    require Touchstone::Record;
    my $record = Touchstone::Record->load($want->{paint}, $places->{runs});
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
sub things { return [ 'height of the tower' => 'e tower height' ] }
sub conditions { my ($record, $row) = @_; return { 'number of disks' => ($row->{requires} // '') eq 'tower' ? $record->{equipment}{tower}{height} : undef } }
END
    Parts => <<'END',
sub parts { my ($tables) = @_; return ([ heading => 'Invented' ], [ table => { left => [0], head => [qw(what disks)], rows => [ [ 'tower', $tables->{height} ] ] } ]) }
END
);

make_path("$suites/Invented");
Fake::write_file("$suites/Invented/$_.pm",
    "package Touchstone::Suite::Invented::$_;\nuse 5.014;\nuse strict;\nuse warnings;\n\n$INVENTED{$_}\n1;\n")
    for keys %INVENTED;

subtest 'a folder more is a suite more' => sub {
    like((said(qw(--list all)))[1], qr/^  disks +Disks +2 s$/m,                 'its test is listed');
    like((said('--help'))[1],       qr/^ +--height N +how high the tower is$/m, 'its option is shown');
    is((said(qw(--height 20 disks)))[1], "Run: --height needs 3 to 9, not '20'\n", 'and what it may be');
    my $script = (said(qw(--completion bash)))[1];
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
        (said('--report', $run, '--format', 'log'))[1],
        qr/^  [\d.]+ kilodisks a second$/m,
        'a figure that follows from its score is in the log'
    );
};

subtest 'it has a verb of its own' => sub {
    plan skip_all => 'nothing was measured' if !defined $run;
    is_deeply(
        [ said('--paint', $run, '--colour', 'bottom=blue') ],
        [ 0, "a tower of 4, asked for top=red, painted bottom=blue\n" ],
        'which answers from the record'
    );
    is(
        (said('--paint', $run, qw(--format html)))[1],
        "Run: --format of a picture needs text, not 'html'\n",
        'in the formats that it has'
    );
    is(
        (said('--paint', $run, '--quick'))[1],
        "Run: --paint and --quick cannot be combined\n--paint can be combined with --colour and --format only\n",
        'and alone'
    );
};

subtest 'it says what two runs must have in common' => sub {
    plan skip_all => 'nothing was measured' if !defined $run;
    my $text = Fake::read_file("$RUNS/$run.json");
    $text =~ s/("height": "?)4/${1}5/g;
    $text =~ s/\Q$run\E/higher/g;
    Fake::write_file("$RUNS/higher.json", $text);
    my $compared = (said('--compare', $run, 'higher'))[1];
    like($compared, qr/^  height of the tower +4 +5$/m, 'what differs is named') or diag($compared);
    like(
        $compared,
        qr/^  not tested \(\d\)  (?:disks|.* disks,?.*|all): another number of disks/m,
        'and such results are not judged'
    );
};

done_testing;
