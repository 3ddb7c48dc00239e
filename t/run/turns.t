#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Turns: programs of two builds that live side by side and measure one after the other (src/turn.h,
# Run::Turns, Run::Launcher, Score::SwitchCost, Run::Turns).
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Programs;
use Taking;
use Touchstone::Base::Random;
use Touchstone::Run::Turns;
use Touchstone::Record::Schema;
use Touchstone::Run::Launcher;
use Touchstone::Score::SwitchCost;

my $work = File::Temp->newdir;
mkdir "$work/$_" for 0 .. 3;
my $SHORT = 0.01;

sub turns_of {
    my (%with) = @_;
    return Touchstone::Run::Turns->new(
        sides   => [ 0,           1 ],
        label   => [ 'the first', 'the second' ],
        length  => $SHORT,
        seconds => 5 * $SHORT,
        layout  => 1600,
        random  => Touchstone::Base::Random::generator(7),
        %with
    );
}

# The programs of the sides: [program, arguments ...]; more: what else the launcher gets.
sub round {
    my ($turns, $programs, %more) = @_;
    my @each = map {
        my ($program, @args) = @$_;
        { program => $program, args => \@args, env => {}, label => $turns->{label}[0] }
    } @$programs;
    $each[$_]{label} = $turns->{label}[ $turns->{sides}[$_] ] for 0 .. $#each;
    return Touchstone::Run::Launcher::run_pass(
        turns   => $turns,
        dirs    => [ map { "$work/$_" } 0 .. $#each ],
        cpus    => [],
        limit   => 60,
        stopped => sub { return },
        each    => \@each,
        %more
    );
}

sub script {
    my ($name, $text) = @_;
    open my $out, '>', "$work/$name" or die "cannot write: $!\n";
    print {$out} "#!$^X\nuse strict; use warnings; \$| = 1;\n$text";
    close $out;
    chmod 0755, "$work/$name";
    return "$work/$name";
}

# A program that takes turns: what it does instead of the turn of this number.
sub taking {
    my ($name, $number, $does) = @_;
    return Taking::write_program("$work/$name", look => '10:10:5', does => "if (\$n == $number) { $does }");
}

sub built { my ($name, @args) = @_; return [ Programs::path($name), $SHORT, @args ] }

subtest 'each side measures in its turns alone, in groups that are an order and its mirror' => sub {
    for my $name (qw(pipe execl dhry2reg spawn)) {
        my $turns  = turns_of();
        my $result = round($turns, [ built($name), built($name) ]);
        is($result->{failure}, undef, "$name: nothing failed") or next;
        my @order = @{ $turns->{order} };
        my (@warm, @groups) = splice @order, 0, 2;
        is(join(' ', sort @warm), '0 1', "$name: each has a turn first that is not counted");
        push @groups, join '', splice @order, 0, 4 while @order;
        is_deeply([ grep { !/\A(?:0110|1001)\z/ } @groups ], [], "$name: ABBA or BAAB");
        cmp_ok($turns->groups, '>=', 1, "$name: there is a group");
        my @all = sort { $a->[0] <=> $b->[0] }
            map {
            my $side = $_;
            map { [ $_->[0], $_->[0] + (split /:/, (split / /, $_->[2])[-1])[0], $side ] }
                @{ $result->{copies}[$side]{turns} }
            } 0, 1;
        is(join('', map { $_->[2] } @all), join('', @{ $turns->{order} }), "$name: turns are as ordered");
        is_deeply([ grep { $all[$_][0] < $all[ $_ - 1 ][1] } 1 .. $#all ], [], "$name: and no two overlap");
        is(scalar(grep { $result->{copies}[$_]{time} > 0.9 * ($all[-1][1] - $all[0][0]) / 1e9 } 0, 1),
            0, "$name: the clock of a side stands still while the other measures");
    }
};

subtest 'copies of a side have their turns together' => sub {
    my $turns  = turns_of(sides => [ 0, 0, 1, 1 ]);
    my $result = round($turns, [ (built('pipe')) x 4 ]);
    is($result->{failure}, undef, 'nothing failed') or return;
    my @taken = map { scalar @{ $_->{turns} } } @{ $result->{copies} };
    is($taken[0], $taken[1], 'as many each');
    my ($one, $other) = map { $result->{copies}[$_]{turns}[1] } 0, 2;
    my ($first, $second) = sort { $a->[0] <=> $b->[0] } $one, $other;
    cmp_ok($second->[0], '>=', $first->[0] + 1e9 * $SHORT, 'and the sides one after the other');
};

subtest 'a program that knows no turns, or works out its figure by itself, is found unable' => sub {
    my $plain = script('plain', q(syswrite STDERR, "COUNT|1|1|lps\nTIME|1\n";));
    is(round(turns_of(), [ [$plain], [$plain] ])->{unable}, 1, 'one that only counts');
    my $once = taking('once', 1, 'last');
    is(round(turns_of(), [ [$once], [$once] ])->{unable}, 1, 'one that ends after a turn');
    my $result = round(turns_of(), [ built('fcall84'), built('fcall84') ]);
    is_deeply([ map { $_->{own_figure} } @{ $result->{copies} } ], [ 1, 1 ], 'fcall84');
};

subtest 'what goes wrong in a turn is told with the name of the build' => sub {
    my $good  = taking('good', 0, '');
    my %cases = (
        dies => [ 'print {$result} "$ENV{TS_COPY}|ERROR|no more\n"; exit 1', qr/\Athe second: no more\z/ ],
        kill => [ 'kill KILL => $$; sleep 1', qr/\Athe second: killed by signal 9/ ],
        ends => [ 'exit 0',                   qr/\Athe second ended in its turn\z/ ],
        hang => [ 'sleep 1000', qr/\Athe second did not end its turn within 2 s and was killed\z/ ],
        stop => [
            'kill STOP => $$; sleep 1',
            qr/\Athe second was stopped in its turn, as by SIGSTOP, and killed\z/
        ]
    );
    for my $case (sort keys %cases) {
        my ($does, $words) = @{ $cases{$case} };
        my $bad    = taking($case, 3, $does);
        my $result = round(turns_of(), [ [$good], [$bad] ], limit => $case =~ /hang|stop/ ? 2 : 60);
        like($result->{failure}, $words, $case);
    }
};

subtest 'a round that the user stops keeps the groups that are whole' => sub {
    my $asked = 0;
    my $turns = turns_of(seconds => 1000);
    my $result =
        round($turns, [ built('pipe'), built('pipe') ], stopped => sub { $asked++ > 60 ? 'INT' : undef });
    is($result->{stopped}, 'INT', 'it is stopped');
    cmp_ok($turns->groups, '>=', 1, 'a group is whole');
    is(scalar @{ $result->{copies} }, 2, 'and both sides tell what they counted');
    my @places = map { [ $turns->places($_) ] } 0, 1;
    is_deeply(
        [ sort { $a <=> $b } map { @$_ } @places ],
        [ 0 .. 4 * $turns->groups - 1 ],
        'turns of whole groups count'
    );
    is_deeply([ grep { @{ $result->{copies}[$_]{turns} } < 1 + @{ $places[$_] } } 0, 1 ],
        [], 'all of which there are');
};

subtest 'what a hand-over costs is measured and left out' => sub {
    my $handover = Touchstone::Score::SwitchCost->new(0.05);
    is($handover->left_out, 5e6, 'a tenth, before anything is known');
    my $cold = sub {
        my ($start) = @_;
        my @speeds = (90, 99, (100) x 8);
        my ($count, @looks) = (0);
        push @looks, join ':', 5e6 * ($_ + 1), 5e6 * ($_ + 1), $count += $speeds[$_] * 100 for 0 .. 9;
        return [ $start, 0, join ' ', @looks ];
    };
    $handover->add(map { $cold->($_ * 50.2e6) } 0 .. 29);
    is($handover->left_out, 10e6, 'two tenths are slower');
    my $known = $handover->known;
    is(sprintf('%.4f', $known->{gap}),   '0.0002', 'the time between two turns');
    is(sprintf('%.3f', $known->{first}), '0.900',  'the speed of the first tenth');
    is(Touchstone::Score::SwitchCost::text(3, $cold->(0), 10e6),
        '3:40000000:40000000:80000:0', 'which are left out');
    is(Touchstone::Score::SwitchCost::text(3, [ 0, 4, '9:9:1' ], 10e6),
        '3:9:9:1:4', 'but not of a coarse turn');
    my $warm = Touchstone::Score::SwitchCost->new(0.05);
    my $even = join ' ', map { join ':', 5e6 * $_, 5e6 * $_, 500 * $_ } 1 .. 10;
    $warm->add(map { [ $_ * 50.2e6, 0, $even ] } 0 .. 29);
    is($warm->left_out, 0, 'where nothing is lost nothing is left out');
};

subtest 'programs that are compared lie at the same places in memory' => sub {
    my %environment = (PATH => '/bin', HOME => '/');
    for my $program ('/a/pipe', '/a/much/longer/way/to/pipe') {
        my $n     = Touchstone::Run::Turns::padding(1600, \%environment, $program, 0.05);
        my $total = $n + 2 * length($program) + 2 + 5 + 10 + 7;
        is($total % 4096, 1600, "$program: all texts on its stack together");
    }
    my $where = script('where', <<'PERL');
open my $result, '>&=', $ENV{TS_RESULT} or die;
open my $in, '<', '/proc/self/maps' or exit 77;
my ($stack) = map { /^(\S+) .*\[stack\]/ } <$in>;
print {$result} "$ENV{TS_COPY}|SKIP|", $stack =~ s/-.*//r, "\n";
exit 77;
PERL
    my %seen = map { round(turns_of(), [ [$where], [$where] ])->{skip} => 1 } 1 .. 3;
    plan skip_all => 'this system does not let a process fix its layout'
        if !do {
        my $pid = fork // die;
        if (!$pid) { POSIX::_exit(Touchstone::Run::Turns::fix_layout() ? 0 : 1) }
        waitpid $pid, 0;
        !$?;
        };
    is(keys %seen, 1, 'the stack is where it was');
};

subtest 'a record has turns in order, each with a time above zero' => sub {
    my %pass = (
        test     => 'pipe',
        copies   => 1,
        round    => 1,
        window   => 1,
        timebase => 1,
        unit     => 'lps',
        counts   => [5],
        times    => [1],
        starts   => [undef],
        slices   => [undef]
    );
    my $complaint = sub { Touchstone::Record::Schema::complaint_of_pass({ %pass, duet_blocks => $_[0] }) };
    is($complaint->(['0:10:10:5:0 3:10:0:0:2']), undef, 'such turns');
    isnt($complaint->([$_]), undef, "not '$_'")
        for '', '0:0:1:1:0', '3:1:1:1:0 3:1:1:1:0', '0:1:1', '0:1:1:1:x', '0:1e9:1:1:0';
    isnt($complaint->([ '0:10:10:5:0', '0:10:10:5:0' ]), undef, 'nor those of two copies for one');
};

done_testing;
